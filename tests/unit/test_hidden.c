/* test_hidden.c: hidden text in spans: kinds, offsets, ends of texts, and work in proportion to
 * them. Samples of all kinds and ordinary text in many languages are in tests/mcp/hidden.py. */
#include "mcp/text/hidden.h"
#include "test.h"
#include <cupel/cupel.h>
#include <stdlib.h>

static const struct {
    const char *text;
    enum cupel_hidden_kind kind;
    uint32_t code_point;
    size_t offset;
} cases[] = {
    {"", CUPEL_HIDDEN_NONE, 0, 0},
    {"plain\r\n\ttext", CUPEL_HIDDEN_NONE, 0, 0},
    {"ab\x1b[1m", CUPEL_HIDDEN_CONTROL, 0x1b, 2},
    {"a\r", CUPEL_HIDDEN_CONTROL, '\r', 1},
    {"\xc3\xa9\xe2\x80\xae", CUPEL_HIDDEN_DIRECTION, 0x202e, 2},
    {"\xf3\xa0\x81\x81", CUPEL_HIDDEN_TAG, 0xe0041, 0},
    {"x\xe2\x80\x8b", CUPEL_HIDDEN_INVISIBLE, 0x200b, 1},
    {"x\xef\xb8\x8f", CUPEL_HIDDEN_VARIATION, 0xfe0f, 1},
    {"\xef\xb8\x8f", CUPEL_HIDDEN_VARIATION, 0xfe0f, 0},
    {"\xee\x80\x80", CUPEL_HIDDEN_PRIVATE, 0xe000, 0},
    {"\xef\xbf\xbe", CUPEL_HIDDEN_NONCHARACTER, 0xfffe, 0},
    /* What is no UTF-8, or ends in the middle of a code point. */
    {"ab\xff", CUPEL_HIDDEN_NONCHARACTER, 0, 2},
    {"ab\xe2\x80", CUPEL_HIDDEN_NONCHARACTER, 0, 2},
    {"\xc0\x80", CUPEL_HIDDEN_NONCHARACTER, 0, 0},
    {"\xed\xa0\x80", CUPEL_HIDDEN_NONCHARACTER, 0, 0},
    {"\xf4\x90\x80\x80", CUPEL_HIDDEN_NONCHARACTER, 0, 0},
    {"a <!-- b -->", CUPEL_HIDDEN_COMMENT, 0, 2},
    {"a <!-", CUPEL_HIDDEN_NONE, 0, 0},
    {"[http://a.org](http://b.org)", CUPEL_HIDDEN_LINK, 0, 13},
    {"[http://a.org](http://a.org)", CUPEL_HIDDEN_NONE, 0, 0},
    {"](", CUPEL_HIDDEN_NONE, 0, 0},
    {"[](", CUPEL_HIDDEN_NONE, 0, 0},
    {"a\xe2\x80\x83z", CUPEL_HIDDEN_SPACE, 0x2003, 1},
};

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cupel_hidden found = {CUPEL_HIDDEN_NONE, 0, 0};
        size_t len = strlen(cases[i].text);
        /* A copy of its own, so that a sanitizer sees what is read behind it. */
        char *text = malloc(len != 0 ? len : 1);
        if (len != 0)
            memcpy(text, cases[i].text, len);
        CHECK_INT(cupel_hidden_find(text, len, 0, &found), cases[i].kind != CUPEL_HIDDEN_NONE);
        CHECK_INT(cupel_hidden_find(text, len, 0, NULL), cases[i].kind != CUPEL_HIDDEN_NONE);
        CHECK_INT(found.kind, cases[i].kind);
        CHECK_INT(found.code_point, cases[i].code_point);
        if (!CHECK_INT(found.offset, cases[i].offset))
            fprintf(stderr, "    case %zu\n", i);
        free(text);
    }
    CHECK_INT(cupel_hidden_find("a\nb", 3, 0, NULL), 0);
    CHECK_INT(cupel_hidden_find("a\nb", 3, CUPEL_HIDDEN_IN_NAME, NULL), 1);
    CHECK_INT(cupel_hidden_find("a\0b", 3, 0, NULL), 1);
}

/* Every text of up to three bytes ends well, with every byte that begins or goes on with something.
 */
static void test_short(void)
{
    static const unsigned char bytes[] = {0x00, 'a',  '[',  ']',  '(',  '<',  0x80, 0xbf,
                                          0xc2, 0xe2, 0xed, 0xef, 0xf0, 0xf3, 0xf4, 0xff};
    enum { N = sizeof bytes };
    for (size_t i = 0; i < N * N * N; i++) {
        char *text = malloc(3);
        text[0] = (char)bytes[i % N];
        text[1] = (char)bytes[i / N % N];
        text[2] = (char)bytes[i / N / N];
        for (size_t len = 0; len <= 3; len++) {
            struct cupel_hidden found = {CUPEL_HIDDEN_NONE, 0, 0};
            int hidden = cupel_hidden_find(text, len, 0, &found);
            CHECK(hidden == (found.kind != CUPEL_HIDDEN_NONE) && (!hidden || found.offset < len));
        }
        free(text);
    }
}

/* Megabytes of the beginnings of links and comments take no time to speak of. */
static void test_long(void)
{
    static const char *const parts[] = {"](", "[", "[a](", "[a](b", "<!-", "[//]: ", "](http://"};
    enum { SIZE = 4 << 20 };
    char *text = malloc(SIZE);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        size_t n = strlen(parts[i]);
        for (size_t at = 0; at < SIZE; at++)
            text[at] = parts[i][at % n];
        CHECK_INT(cupel_hidden_find(text, SIZE, 0, NULL), 0);
    }
    free(text);
}

/* -- Skipping plain text ---------------------------------------------------------------------- */

static void compare(const char *text, size_t len, unsigned name)
{
    struct cupel_hidden fast = {CUPEL_HIDDEN_NONE, 0, 0}, slow = fast;
    bool found = cupel__hidden_find(text, len, name, &fast);
    CHECK_INT(cupel__hidden_find(text, len, name | CUPEL__HIDDEN_NO_SKIP, &slow), found);
    CHECK(fast.kind == slow.kind && fast.code_point == slow.code_point &&
          fast.offset == slow.offset);
}

/* Every byte in every place of a word, alone and behind something that it may join. */
static void test_skipping_bytes(void)
{
    static const char *const before[] = {"", "\xe2\x80\x8d", "\xcc\x81\xcc\x81"};
    for (size_t b = 0; b < sizeof(before) / sizeof(before[0]); b++)
        for (unsigned c = 0; c < 256; c++)
            for (size_t at = 0; at < 17; at++) {
                char text[32];
                size_t n = strlen(before[b]);
                memcpy(text, before[b], n);
                memset(text + n, 'a', 17);
                text[n + at] = (char)c;
                compare(text, n + 17, at % 2 != 0 ? CUPEL_HIDDEN_IN_NAME : 0);
            }
}

/* Random sequences of plain text and of everything that the scan looks back or ahead for. */
static void test_skipping_random(void)
{
    static const char *const parts[] = {
        "plain",
        "a",
        "12345678",
        "The city, as its name.",
        "\n",
        "\t",
        "\r\n",
        "[",
        "](",
        "http://a.org",
        ")",
        "<!--",
        "0",
        "\xef\xb8\x8f",     /* a selector for pictures */
        "\xe2\x80\x8d",     /* zero width joiner */
        "\xe2\x80\x8b",     /* zero width space */
        "\xcc\x81",         /* combining acute accent */
        "\xe0\xb8\x81",     /* a Thai letter */
        "\xf0\x9f\x8f\xb4", /* black flag */
        "\xe2\x80\xaf",     /* narrow no-break space */
        "\xe2\xa0\x80",     /* Braille blank */
        "\xff",
    };
    uint64_t state = 1;
    for (int round = 0; round < 50000; round++) {
        char text[256];
        size_t len = 0;
        for (int i = 0; i < 8; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const char *part = parts[(state >> 33) % (sizeof(parts) / sizeof(parts[0]))];
            memcpy(text + len, part, strlen(part));
            len += strlen(part);
        }
        compare(text, len, round % 2 != 0 ? CUPEL_HIDDEN_IN_NAME : 0);
    }
}

/* -- Skeletons -------------------------------------------------------------------------------- */

static void check_skeleton(const char *name, const char *expected)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel__skeleton(&text, name, strlen(name));
    cupel_text_add(&text, "", 1);
    if (!CHECK(strcmp(text.bytes, expected) == 0))
        fprintf(stderr, "    %s: %s\n", name, text.bytes);
    cupel_text_free(&text);
}

static void test_skeletons(void)
{
    check_skeleton("", "");
    check_skeleton(" \t", "");
    check_skeleton(" path ", "path");
    check_skeleton("m", "rn");
    check_skeleton("I1|l", "llll");
    check_skeleton("a0b", "aOb");
    check_skeleton("p\xd0\xb0th", "path");      /* Cyrillic a */
    check_skeleton("pa\xe2\x80\x8bth", "path"); /* zero width space */
    check_skeleton("mammal", "rnarnrnal");
    for (int c = '!'; c < 0x7f; c++) {
        const char name[] = {(char)c, '\0'};
        if (strchr("\"%01I`m|", c) == NULL)
            check_skeleton(name, name);
    }
}

static void test_names(void)
{
    for (int kind = CUPEL_HIDDEN_NONE; kind <= CUPEL_HIDDEN_CONFUSABLE; kind++)
        CHECK(cupel_hidden_name((enum cupel_hidden_kind)kind)[0] != '\0');
}

int main(void)
{
    test_cases();
    test_short();
    test_long();
    test_names();
    test_skipping_bytes();
    test_skipping_random();
    test_skeletons();
    return test_end();
}
