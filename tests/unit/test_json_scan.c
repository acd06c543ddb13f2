/* test_json_scan.c: all scanners of the JSON reader are one: they agree on every text, wherever it
 * begins and ends, and on what is wrong with it. */
#include "base/utf8.h"
#include "json_check.h"
#include "test.h"

#define EIGHT "\\\\\\\\\\\\\\\\" /* backslashes */

static const char *const samples[] = {
    "{\"name\":\"value\",\"list\":[1,2.5,-3e4,true,false,null],\"nested\":{\"a\":{\"b\":[]}}}",
    "[\"\\\\\\\"\\u00e9\\ud83d\\ude00\\n\",\"\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9\",\"{}[]:,\"]",
    " { \"a b\" : [ 0 , 12345678901234567890 , \"x\\ty\" ] ,\r\n\t\"\\u0041\" : \"\" , \"\":{ } } ",
    "{\"a\":1,\"b\":[{\"a\":2,\"a\":3}],\"a\":\"\\\\\"}",
    "\"" EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT "\"",
    "[{\"alpha\":\"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x81\xae\xe6\x96\x87\"},-0.0,1e-7]",
};

enum { SAMPLES = sizeof samples / sizeof *samples };

static void agree(const char *text, size_t n, unsigned shift, uint32_t flags)
{
    enum cupel_status status;
    const char *wrong = check_read(text, n, shift, check_options(flags), &status);
    if (!CHECK(wrong == NULL))
        fprintf(stderr, "    %s: %.*s\n", wrong, (int)n, text);
}

static void test_truncations(void)
{
    for (size_t s = 0; s < SAMPLES; s++)
        for (size_t n = 0; n <= strlen(samples[s]); n++)
            agree(samples[s], n, (unsigned)n % 64, n % 2 ? CUPEL__READ_DUPLICATES : 0);
}

/* Every token at every place of a block, at the start of the text and a few blocks in. */
static void test_alignments(void)
{
    char text[1000];
    for (size_t s = 0; s < SAMPLES; s++) {
        for (size_t before = 0; before < 192; before++) {
            size_t n = strlen(samples[s]);
            memset(text, ' ', before);
            memcpy(text + before, samples[s], n + 1);
            agree(text, before + n, (unsigned)before % 64, 0);
            agree(text, before + n - 1, 0, 0);
        }
    }
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Single bytes replaced, doubled and dropped, by others that matter. */
static void test_mutations(void)
{
    static const char bytes[] = "{}[]:,\"\"\\\\u0e.-1tn \n\x01\x0c\x1a\x7f\x80\xc3\xe2\xf0\xff";
    uint32_t random = 1;
    for (int round = 0; round < 6000; round++) {
        char text[400];
        size_t n = strlen(samples[round % SAMPLES]);
        memcpy(text, samples[round % SAMPLES], n);
        for (uint32_t changes = 1 + next_random(&random) % 3; changes > 0; changes--) {
            size_t at = next_random(&random) % n, kind = next_random(&random) % 4;
            if (kind == 0 && n < sizeof text)
                memmove(text + at + 1, text + at, n++ - at);
            if (kind == 1 && n > 1)
                memmove(text + at, text + at + 1, --n - at);
            else
                text[at] = bytes[next_random(&random) % (sizeof bytes - 1)];
        }
        agree(text, n, next_random(&random) % 64, round % 3 == 0 ? CUPEL__READ_DUPLICATES : 0);
    }
}

/* The first offset at which a string's content from `at` on is wrong, by the words of RFC 8259
 * sections 7 and 8.2; n if nowhere, and 0 if the string ends before. */
static size_t find_wrong(const char *text, size_t at, size_t n)
{
    while (at < n) {
        unsigned unit = 0, low = 0;
        int hex = 0, more = 0;
        if (text[at] == '"')
            return 0;
        if (text[at] != '\\') {
            at++;
            continue;
        }
        if (at + 1 < n && text[at + 1] != 0 && strchr("\"\\/bfnrt", text[at + 1]) != NULL) {
            at += 2;
            continue;
        }
        if (at + 6 > n || sscanf(text + at, "\\u%4x%n", &unit, &hex) != 1 || hex != 6)
            return at;
        if (unit < 0xd800 || unit > 0xdfff) {
            at += 6;
            continue;
        }
        if (unit > 0xdbff || at + 12 > n || sscanf(text + at + 6, "\\u%4x%n", &low, &more) != 1 ||
            more != 6 || low < 0xdc00 || low > 0xdfff)
            return at;
        at += 12;
    }
    return n;
}

/* Strings made of whole and broken escapes, at all places of a block and across two. */
static void test_escapes(void)
{
    static const char *const pieces[] = {"\\u00e9",
                                         "\\ud83d",
                                         "\\uDE00",
                                         "\\uD83D\\uDE00",
                                         "\\udbff\\udfff",
                                         "\\ud800\\ud800",
                                         "\\n",
                                         "\\\\",
                                         "\\\"",
                                         "\\/",
                                         "\\b\\f\\r\\t",
                                         "d83d",
                                         "plain text",
                                         "u",
                                         "\\x",
                                         "\\U0041",
                                         "\\u00g0",
                                         "\\u12",
                                         "\\",
                                         "\\ud83d\\n",
                                         "\\uABCD"};
    enum { PIECES = sizeof pieces / sizeof *pieces, WHOLE = 14, ROUNDS = 40000 };
    struct cupel__read_options options = check_options(0);
    uint32_t random = 7;
    size_t faults = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char text[600];
        struct cupel__doc doc;
        struct cupel_error err;
        size_t n = 1 + next_random(&random) % 130;
        memset(text, 'x', n);
        text[0] = '"';
        for (uint32_t left = 1 + next_random(&random) % 24; left > 0; left--) {
            const uint32_t among = next_random(&random) % 16 == 0 ? PIECES : WHOLE;
            const char *piece = pieces[next_random(&random) % among];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        memcpy(text + n, "z", 2);
        const size_t wrong = find_wrong(text, 1, ++n);
        text[n] = '"';
        faults += wrong < n;
        for (int s = 0; s < CUPEL__SCANNERS && wrong > 0; s++) {
            if (!cupel__scanner_supported((enum cupel__scanner)s))
                continue;
            cupel__doc_init(&doc, NULL);
            const enum cupel_status status =
                cupel__json_read_with(&doc, (enum cupel__scanner)s, text, n + 1, &options, &err);
            if (!CHECK(wrong < n ? status != CUPEL_OK && err.offset == wrong : status == CUPEL_OK))
                fprintf(stderr, "    %s: %.*s: %d at %zu, not %zu\n",
                        cupel__scanner_name((enum cupel__scanner)s), (int)n + 1, text, status,
                        (size_t)err.offset, wrong);
            if (status == CUPEL_OK && doc.nodes[0].type == CUPEL__ESCAPED) {
                const size_t count = cupel__escaped_count(text + 1, n - 1);
                const struct cupel__str decoded = cupel__doc_str(&doc, &doc.nodes[0]);
                CHECK_INT(count, cupel__utf8_count(decoded.p, decoded.n));
            }
            cupel__doc_free(&doc);
        }
    }
    CHECK(faults > ROUNDS / 8 && faults < ROUNDS - ROUNDS / 8);
}

/* A text of several parts of the scanner, with everything at their edges. */
static void test_parts(void)
{
    enum { N = 70000 };
    char *text = malloc(N + 400);
    if (text == NULL)
        return;
    for (size_t s = 0; s < SAMPLES; s++) {
        size_t n = 1, length = strlen(samples[s]);
        text[0] = '[';
        while (n < N) {
            memcpy(text + n, samples[s], length);
            n += length;
            text[n++] = ',';
        }
        text[n - 1] = ']';
        agree(text, n, 0, CUPEL__READ_DUPLICATES);
        agree(text, n - 1, 0, CUPEL__READ_DUPLICATES);
    }
    free(text);
}

/* What stage 1 thinks of a string with these four bytes at this place. */
static size_t count_wrong(struct cupel__doc *doc, const unsigned char bytes[4], size_t place)
{
    char text[140];
    size_t wrong = 0;
    struct cupel__read_options options = check_options(0);
    memset(text, 'x', sizeof text);
    text[0] = text[place + 5] = '"';
    memcpy(text + place + 1, bytes, 4);
    size_t valid = cupel__utf8_check(text, place + 6);
    for (int s = 0; s < CUPEL__SCANNERS; s++) {
        struct cupel_error err = {0};
        if (!cupel__scanner_supported((enum cupel__scanner)s))
            continue;
        enum cupel_status status =
            cupel__json_read_with(doc, (enum cupel__scanner)s, text, place + 6, &options, &err);
        wrong += (status == CUPEL_E_UTF8) != (valid < place + 6);
        wrong += status == CUPEL_E_UTF8 && err.offset != valid;
    }
    return wrong;
}

/* An error early in a long text ends the index there: nothing that the text before left behind it
 * takes part, such as a quote, which must not be taken for the name that is expected. */
static void test_after_error(void)
{
    enum { LENGTH = 40000 };
    static char quotes[LENGTH + 65], text[LENGTH];
    struct cupel__read_options options = check_options(0);
    memset(quotes, '"', sizeof quotes);
    memset(text, ' ', sizeof text);
    memcpy(text, "{\"a\":1,", 7);
    text[100] = '\xff';
    for (int s = 0; s < CUPEL__SCANNERS; s++) {
        struct cupel__doc doc;
        struct cupel_error err;
        if (!cupel__scanner_supported((enum cupel__scanner)s))
            continue;
        cupel__doc_init(&doc, NULL);
        cupel__json_read_with(&doc, (enum cupel__scanner)s, quotes, sizeof quotes, &options, NULL);
        CHECK_INT(
            cupel__json_read_with(&doc, (enum cupel__scanner)s, text, sizeof text, &options, &err),
            CUPEL_E_UTF8);
        CHECK_INT(err.offset, 100);
        cupel__doc_free(&doc);
    }
}

/* Every pair of bytes before every kind of third and fourth, across the edge of a block and not. */
static void test_utf8(void)
{
    static const unsigned char ends[] = {'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2, 0xf0};
    enum { ENDS = sizeof ends };
    struct cupel__doc doc;
    size_t wrong = 0;
    cupel__doc_init(&doc, NULL);
    for (uint32_t i = 0; i < 128 * 256 * ENDS * ENDS; i += 3) {
        unsigned char bytes[4] = {(unsigned char)(0x80 | i / (256 * ENDS * ENDS)),
                                  (unsigned char)(i / (ENDS * ENDS)), ends[i / ENDS % ENDS],
                                  ends[i % ENDS]};
        if (memchr(bytes, '"', 4) == NULL && memchr(bytes, '\\', 4) == NULL)
            wrong += count_wrong(&doc, bytes, i % 2 ? 56 + i / 7 % 8 : i / 7 % 128);
    }
    CHECK_INT(wrong, 0);
    cupel__doc_free(&doc);
}

static void test_scanner(void)
{
    const char *name = cupel__json_scanner();
    bool known = false;
    for (int s = 0; s < CUPEL__SCANNERS; s++)
        known |= strcmp(name, cupel__scanner_name((enum cupel__scanner)s)) == 0 &&
                 cupel__scanner_supported((enum cupel__scanner)s);
    CHECK(known);
}

int main(void)
{
    test_truncations();
    test_alignments();
    test_mutations();
    test_escapes();
    test_parts();
    test_after_error();
    test_utf8();
    test_scanner();
    return test_end();
}
