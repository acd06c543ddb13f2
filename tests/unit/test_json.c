/* test_json.c: the JSON reader: what is on the tape, and what is said of errors.  That all scanners
 * are one is shown in test_json_scan.c, what memory is used in test_json_memory.c; whole texts to
 * accept and refuse are in tests/json (test_json_cases.c). */
#include "json_check.h"
#include "test.h"

static enum cupel_status read_text(struct cupel__doc *doc, const char *text, uint32_t flags,
                                   struct cupel_error *err)
{
    struct cupel__read_options options = check_options(flags);
    return cupel__json_read(doc, text, strlen(text), &options, err);
}

/* -- Numbers ------------------------------------------------------------------------------------
 */

static const struct {
    const char *text;
    enum cupel__type type;
    bool big;
    int64_t i;
    int exp;
} numbers[] = {
    {"0", CUPEL__INT, false, 0, 0},
    {"-0", CUPEL__INT, false, 0, 0},
    {"7", CUPEL__INT, false, 7, 0},
    {"-1", CUPEL__INT, false, -1, 0},
    {"1234567", CUPEL__INT, false, 1234567, 0},
    {"12345678", CUPEL__INT, false, 12345678, 0},
    {"-123456789", CUPEL__INT, false, -123456789, 0},
    {"1234567890123456", CUPEL__INT, false, 1234567890123456, 0},
    {"999999999999999999", CUPEL__INT, false, 999999999999999999, 0},
    {"1000000000000000000", CUPEL__INT, false, 1000000000000000000, 0},
    {"9223372036854775807", CUPEL__INT, false, INT64_MAX, 0},
    {"-9223372036854775808", CUPEL__INT, false, INT64_MIN, 0},
    {"9223372036854775808", CUPEL__BIGINT, true, 0, 0},
    {"-9223372036854775809", CUPEL__BIGINT, true, 0, 0},
    {"9999999999999999999", CUPEL__BIGINT, true, 0, 0},
    {"10000000000000000000", CUPEL__BIGINT, true, 0, 0},
    {"123456789012345678901234567890", CUPEL__BIGINT, true, 0, 0},
    {"1.0", CUPEL__INTREAL, false, 1, 0},
    {"-0.0", CUPEL__INTREAL, false, 0, 0},
    {"0e5", CUPEL__INTREAL, false, 0, 0},
    {"0e-99999999999999999999", CUPEL__INTREAL, false, 0, 0},
    {"0.000000000000000000000000", CUPEL__INTREAL, false, 0, 0},
    {"1e3", CUPEL__INTREAL, false, 1000, 0},
    {"1E+18", CUPEL__INTREAL, false, 1000000000000000000, 0},
    {"1e19", CUPEL__INTREAL, true, 0, 0},
    {"9.223372036854775807e18", CUPEL__INTREAL, false, INT64_MAX, 0},
    {"9.223372036854775808e18", CUPEL__INTREAL, true, 0, 0},
    {"-9.223372036854775808e18", CUPEL__INTREAL, false, INT64_MIN, 0},
    {"1e400", CUPEL__INTREAL, true, 0, 0},
    {"1e99999999999999999999999999", CUPEL__INTREAL, true, 0, 0},
    {"1200e-2", CUPEL__INTREAL, false, 12, 0},
    {"123.4500e2", CUPEL__INTREAL, false, 12345, 0},
    {"100000000000000000000000000000e-29", CUPEL__INTREAL, false, 1, 0},
    {"1.50", CUPEL__REAL, false, 15, -1},
    {"-19.99", CUPEL__REAL, false, -1999, -2},
    {"0.001", CUPEL__REAL, false, 1, -3},
    {"1200e-3", CUPEL__REAL, false, 12, -1},
    {"1e-00005", CUPEL__REAL, false, 1, -5},
    {"0.00000000000000000000000000012", CUPEL__REAL, false, 12, -29},
    {"1.00000000000000000000000000000", CUPEL__INTREAL, false, 1, 0},
    {"0.9223372036854775807", CUPEL__REAL, false, INT64_MAX, -19},
    {"0.9223372036854775808", CUPEL__REAL, true, 0, 0},
    {"-0.9223372036854775808", CUPEL__REAL, false, INT64_MIN, -19},
    {"0.18446744073709551616", CUPEL__REAL, true, 0, 0},
    {"3.14159265358979323846264338", CUPEL__REAL, true, 0, 0},
    {"1e-32768", CUPEL__REAL, false, 1, -32768},
    {"1e-32769", CUPEL__REAL, true, 0, 0},
    {"0.1e-40000", CUPEL__REAL, true, 0, 0},
    {"1e-99999999999999999999999999", CUPEL__REAL, true, 0, 0},
    {"123456789012345678901234567890e-1", CUPEL__INTREAL, true, 0, 0},
    {"123456789012345678901234567891e-1", CUPEL__REAL, true, 0, 0},
};

static void check_number(const struct cupel__node *n, size_t which)
{
    bool ok = CHECK_INT(n->type, numbers[which].type);
    ok &= CHECK_INT(n->flags, numbers[which].big ? CUPEL__BIG : 0);
    ok &= CHECK_INT(n->exp, numbers[which].exp);
    if (!numbers[which].big)
        ok &= CHECK_INT(n->i, numbers[which].i);
    if (!ok)
        fprintf(stderr, "    %s\n", numbers[which].text);
}

/* The number as the second item of an array; `format` has %s for it. */
static void check_item(struct cupel__doc *doc, const char *format, size_t which)
{
    char text[128];
    snprintf(text, sizeof text, format, numbers[which].text);
    if (!CHECK_INT(read_text(doc, text, 0, NULL), CUPEL_OK))
        return;
    check_number(&doc->nodes[2], which);
    CHECK_INT(doc->nodes[2].off, 6);
    struct cupel__str span = cupel__doc_span(doc, 2);
    CHECK_MEM(span.p, span.n, numbers[which].text);
}

static void test_numbers(void)
{
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!CHECK_INT(read_text(&doc, numbers[i].text, 0, NULL), CUPEL_OK))
            continue;
        check_number(&doc.nodes[0], i);
        check_item(&doc, "[true,%s ,1]", i);
        check_item(&doc, "[true,%s,1]", i);
    }
    cupel__doc_free(&doc);
}

/* Whether `token` is read between commas, as this integer. */
static bool reads_as(struct cupel__doc *doc, const char *token, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "[%s,0]", token);
    return read_text(doc, text, 0, NULL) == CUPEL_OK && doc->nodes[1].type == CUPEL__INT &&
           doc->nodes[1].i == value;
}

/* Short integers are taken as a word: whatever byte stands at whatever place of them counts. */
static void test_short_integers(void)
{
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    for (size_t n = 1; n <= 10; n++) {
        for (size_t place = 0; place < n; place++) {
            for (int byte = 1; byte < 256; byte++) {
                char token[12] = "9182736450";
                token[n] = '\0';
                token[place] = (char)byte;
                if (strchr("[]{},:\" \t\r\n-", byte) != NULL)
                    continue;
                bool digits = strspn(token, "0123456789") == n && (n == 1 || token[0] != '0');
                if (!CHECK(reads_as(&doc, token, strtoll(token, NULL, 10)) == digits))
                    fprintf(stderr, "    %s\n", token);
            }
        }
    }
    cupel__doc_free(&doc);
}

/* The limit is on the characters of the token. */
static void test_number_limit(void)
{
    static const char *const tokens[] = {"1234567", "-123456", "0.12345", "1.5e+10", "12345e1"};
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        struct cupel__read_options options = check_options(0);
        options.max_number = 7;
        CHECK_INT(cupel__json_read(&doc, tokens[i], 7, &options, NULL), CUPEL_OK);
        options.max_number = 6;
        CHECK_INT(cupel__json_read(&doc, tokens[i], 7, &options, NULL), CUPEL_E_NUMBER_SIZE);
    }
    cupel__doc_free(&doc);
}

/* -- Structure ----------------------------------------------------------------------------------
 */

static void test_structure(void)
{
    static const char text[] = " {\"a\":[1,[],{}] ,\"bc\" : {\"d\":null} }";
    static const struct {
        enum cupel__type type;
        uint32_t off, low, high; /* low and high: count and end, or len; 0: a name, with its hash */
    } want[] = {
        {CUPEL__OBJECT, 1, 2, 9},  {CUPEL__STRING, 3, 1, 0},   {CUPEL__ARRAY, 6, 3, 6},
        {CUPEL__INT, 7, 1, 0},     {CUPEL__ARRAY, 9, 0, 5},    {CUPEL__OBJECT, 12, 0, 6},
        {CUPEL__STRING, 18, 2, 0}, {CUPEL__OBJECT, 24, 1, 10}, {CUPEL__STRING, 26, 1, 0},
        {CUPEL__NULL, 29, 0, 0},
    };
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    CHECK_INT(read_text(&doc, text, 0, NULL), CUPEL_OK);
    CHECK_INT(doc.nnodes, 10);
    CHECK_INT(doc.depth, 3);
    for (uint32_t i = 0; i < doc.nnodes && i < 10; i++) {
        CHECK_INT(doc.nodes[i].type, want[i].type);
        CHECK_INT(doc.nodes[i].off, want[i].off);
        if (want[i].type == CUPEL__INT) {
            CHECK_INT(doc.nodes[i].i, want[i].low);
        } else if (i != 0) {
            CHECK_INT(doc.nodes[i].count, want[i].low);
            if (want[i].type == CUPEL__STRING)
                CHECK_INT(doc.nodes[i].hash, cupel__name_hash(text + want[i].off, want[i].low));
            else
                CHECK_INT(doc.nodes[i].end, want[i].high);
        }
    }
    CHECK_INT(doc.nodes[0].count, 2);
    CHECK_INT(doc.nodes[0].end, 10);
    CHECK_INT(doc.nodes[1].flags, CUPEL__KEY);
    CHECK(check_tape(&doc) == NULL);
    cupel__doc_free(&doc);
}

static void test_depth(void)
{
    static const struct {
        const char *text;
        uint32_t depth;
    } cases[] = {{"1", 0},    {"[]", 1},          {"{}", 1},
                 {"[[]]", 2}, {"[[],[[]],1]", 3}, {"{\"a\":{\"b\":[]}}", 3}};
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cupel__read_options options = check_options(0);
        size_t n = strlen(cases[i].text);
        options.max_depth = cases[i].depth;
        CHECK_INT(cupel__json_read(&doc, cases[i].text, n, &options, NULL), CUPEL_OK);
        CHECK_INT(doc.depth, cases[i].depth);
        if (options.max_depth-- > 0)
            CHECK_INT(cupel__json_read(&doc, cases[i].text, n, &options, NULL), CUPEL_E_JSON_DEPTH);
    }
    cupel__doc_free(&doc);
}

/* Brackets without end: refused at the limit, and read to the end where there is none. */
static void test_bracket_flood(void)
{
    enum { N = 10 * 1000 * 1000 };
    char *text = malloc(N);
    struct cupel__doc doc;
    struct cupel_error err = {0};
    struct cupel__read_options options = check_options(0);
    if (text == NULL)
        return;
    memset(text, '[', N);
    cupel__doc_init(&doc, NULL);
    CHECK_INT(cupel__json_read(&doc, text, N, &options, &err), CUPEL_E_JSON_DEPTH);
    CHECK_INT(err.offset, 1000);
    options.max_depth = UINT32_MAX;
    CHECK_INT(cupel__json_read(&doc, text, N, &options, &err), CUPEL_E_SYNTAX);
    CHECK_INT(err.offset, N);
    memset(text + N / 2, ']', N / 2);
    CHECK_INT(cupel__json_read(&doc, text, N, &options, &err), CUPEL_OK);
    CHECK_INT(doc.depth, N / 2);
    cupel__doc_free(&doc);
    free(text);
}

/* -- Strings ------------------------------------------------------------------------------------
 */

static void check_string(const char *text, const char *want, size_t n)
{
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    if (CHECK_INT(read_text(&doc, text, 0, NULL), CUPEL_OK)) {
        bool escaped = strchr(text, '\\') != NULL;
        CHECK_INT(doc.nodes[0].type, escaped ? CUPEL__ESCAPED : CUPEL__STRING);
        CHECK_INT(doc.nodes[0].len, strlen(text) - 2);
        struct cupel__str s = cupel__doc_str(&doc, &doc.nodes[0]);
        CHECK(s.n == n && memcmp(s.p, want, n) == 0);
        CHECK_INT(doc.nodes[0].type, CUPEL__STRING);
        CHECK_INT(doc.nodes[0].flags, escaped ? CUPEL__DECODED : 0);
        CHECK_INT(doc.nodes[0].src, 1);
        struct cupel__str span = cupel__doc_span(&doc, 0);
        CHECK_MEM(span.p, span.n, text);
    }
    cupel__doc_free(&doc);
}

#define CHECK_STRING(text, want) check_string((text), (want), sizeof(want) - 1)

static void test_strings(void)
{
    CHECK_STRING("\"\"", "");
    CHECK_STRING("\"plain\"", "plain");
    CHECK_STRING("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
    CHECK_STRING("\"a\\u0000b\"", "a\0b");
    CHECK_STRING("\"\\u007f\\u0080\\u07FF\\u0800\\uffff\"",
                 "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
    CHECK_STRING("\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!");
    CHECK_STRING("\"\\ud800\\udc00\\udbff\\udfff\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
    CHECK_STRING("\"\\\\\\\\\\\\u0041\"", "\\\\\\u0041");
    CHECK_STRING("\"\xe2\x82\xac\\n\"", "\xe2\x82\xac\n");
}

/* Decoding in any order, after the read, in the room that was kept. */
static void test_decoding_order(void)
{
    static const char text[] = "{\"\\u006b\":\"\\n\",\"x\":[\"\\u00e9\",\"\\t\\t\"],\"\\u0079\":1}";
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    CHECK_INT(read_text(&doc, text, 0, NULL), CUPEL_OK);
    CHECK_INT(doc.nodes[1].flags, CUPEL__KEY | CUPEL__DECODED);
    const char *side = doc.side;
    struct cupel__str last = cupel__doc_str(&doc, &doc.nodes[6]);
    struct cupel__str first = cupel__doc_str(&doc, &doc.nodes[2]);
    struct cupel__str middle = cupel__doc_str(&doc, &doc.nodes[5]);
    CHECK(doc.side == side);
    CHECK_MEM(last.p, last.n, "\t\t");
    CHECK_MEM(first.p, first.n, "\n");
    CHECK_MEM(middle.p, middle.n, "\xc3\xa9");
    CHECK_INT(cupel__doc_member(&doc, 0, CUPEL__STR("k")), 2);
    CHECK_INT(cupel__doc_member(&doc, 0, CUPEL__STR("x")), 4);
    CHECK_INT(cupel__doc_member(&doc, 0, CUPEL__STR("y")), 8);
    CHECK_INT(cupel__doc_member(&doc, 0, CUPEL__STR("z")), 0);
    CHECK_INT(cupel__doc_member(&doc, 0, CUPEL__STR("")), 0);
    CHECK_INT(cupel__doc_member(&doc, 4, CUPEL__STR("k")), 0);
    cupel__doc_free(&doc);
}

/* -- Pointers and spans -------------------------------------------------------------------------
 */

static void check_place(struct cupel__doc *doc, uint32_t i, const char *pointer, const char *text)
{
    struct cupel_text buf;
    cupel_text_init(&buf, NULL);
    cupel__doc_pointer(doc, i, &buf);
    CHECK_MEM(buf.bytes != NULL ? buf.bytes : "", buf.len, pointer);
    cupel_text_free(&buf);
    struct cupel__str span = cupel__doc_span(doc, i);
    CHECK_MEM(span.p, span.n, text);
}

static void test_places(void)
{
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    CHECK_INT(read_text(&doc,
                        "[0,{\"a/b\":[true,\"]}\\\"\"],\"~\":{\"\":[ [ ] ] } } ,-1.5e3,[[false]]] ",
                        0, NULL),
              CUPEL_OK);
    CHECK(check_tape(&doc) == NULL);
    check_place(&doc, 1, "/0", "0");
    check_place(&doc, 2, "/1", "{\"a/b\":[true,\"]}\\\"\"],\"~\":{\"\":[ [ ] ] } }");
    check_place(&doc, 3, "/1/a~1b", "\"a/b\"");
    check_place(&doc, 4, "/1/a~1b", "[true,\"]}\\\"\"]");
    check_place(&doc, 5, "/1/a~1b/0", "true");
    check_place(&doc, 6, "/1/a~1b/1", "\"]}\\\"\"");
    check_place(&doc, 7, "/1/~0", "\"~\"");
    check_place(&doc, 8, "/1/~0", "{\"\":[ [ ] ] }");
    check_place(&doc, 10, "/1/~0/", "[ [ ] ]");
    check_place(&doc, 11, "/1/~0//0", "[ ]");
    check_place(&doc, 12, "/2", "-1.5e3");
    check_place(&doc, 13, "/3", "[[false]]");
    check_place(&doc, 15, "/3/0/0", "false");
    cupel__doc_free(&doc);
}

/* -- Errors -------------------------------------------------------------------------------------
 */

static void check_error(const char *text, enum cupel_status status, uint64_t offset, uint32_t line,
                        uint32_t column, const char *where)
{
    struct cupel__doc doc;
    struct cupel_error err = {0};
    cupel__doc_init(&doc, NULL);
    bool ok = CHECK_INT(read_text(&doc, text, 0, &err), status);
    ok &= CHECK_INT(err.status, status);
    ok &= CHECK_INT(err.offset, offset);
    ok &= CHECK_INT(err.line, line);
    ok &= CHECK_INT(err.column, column);
    ok &= CHECK_STR(err.where, where);
    ok &= CHECK(err.detail[0] != '\0' && doc.nnodes == 0);
    if (!ok)
        fprintf(stderr, "    %s\n", text);
    CHECK_INT(read_text(&doc, text, 0, NULL), status);
    cupel__doc_free(&doc);
}

static void test_error_places(void)
{
    check_error("", CUPEL_E_SYNTAX, 0, 1, 1, "");
    check_error("{\n  \"a\": [1,\n  x]}", CUPEL_E_SYNTAX, 15, 3, 3, "/a/1");
    check_error("[\"\xe2\x82\xac\xc3\xa9\", tru]", CUPEL_E_SYNTAX, 10, 1, 8, "/1");
    check_error("{\"a\":1,\n\"b\":{\"c\":2,\"c\":3}}", CUPEL_E_DUPLICATE_KEY, 19, 2, 12, "/b/c");
    check_error("[1,\"a\nb\"]", CUPEL_E_SYNTAX, 5, 1, 6, "/1");
    check_error("[1,\"ab\\n\\q\"]", CUPEL_E_SYNTAX, 8, 1, 9, "/1");
    check_error("{\"x\":\"\\ud800\"}", CUPEL_E_SURROGATE, 6, 1, 7, "/x");
    check_error("[1]\n\n ]", CUPEL_E_TRAILING, 6, 3, 2, "");
    check_error("\xef\xbb\xbf[]", CUPEL_E_BOM, 0, 1, 1, "");
    check_error("\xef\xbb\xbf", CUPEL_E_BOM, 0, 1, 1, "");
    check_error("{\"a\":\"\xff\"}", CUPEL_E_UTF8, 6, 1, 7, "/a");
    check_error("{\"a\":{\"b\":[1,2", CUPEL_E_SYNTAX, 14, 1, 15, "/a/b");
    check_error("{\"a\" 1}", CUPEL_E_SYNTAX, 5, 1, 6, "/a");
}

/* Whatever the value is and whatever comes after it: that is what is wrong. */
static void test_trailing(void)
{
    static const char *const values[] = {"1",  "-2.5", "true", "null", "\"a\"",     "\"\"",
                                         "[]", "{}",   "[1]",  "[[]]", "{\"a\":1}", "\"\\n\\t\""};
    static const char *const tails[] = {"]", "}", ",",  ":",  "[",  "{",   "]]",      "},",
                                        "1", "x", "\"", "[]", "{}", ",1]", "\"b\":2", "\\"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
            char text[64];
            int n = snprintf(text, sizeof text, "%s %s", values[i], tails[k]);
            uint32_t offset = (uint32_t)strlen(values[i]) + 1;
            enum cupel_status status;
            check_error(text, CUPEL_E_TRAILING, offset, 1, offset + 1, "");
            CHECK(check_read(text, (size_t)n, (unsigned)k, check_options(0), &status) == NULL);
        }
    }
}

/* A bracket right behind a value: there is no separator. */
static void test_bracket_behind(void)
{
    static const char *const texts[] = {"1{", "1[", "true{}", "\"a\"{", "1{}", "{{}}", "1\"a\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct cupel__read_options options = check_options(0);
        struct cupel__doc doc;
        cupel__doc_init(&doc, NULL);
        enum cupel_status status =
            cupel__json_read(&doc, texts[i], strlen(texts[i]), &options, NULL);
        CHECK_INT(status, texts[i][0] == '{' ? CUPEL_E_SYNTAX : CUPEL_E_TRAILING);
        cupel__doc_free(&doc);
    }
}

/* Of two errors the one that comes first in the text is reported, whichever stage finds it. */
static void test_first_error(void)
{
    check_error("[tru,\"a\nb\"]", CUPEL_E_SYNTAX, 1, 1, 2, "/0");
    check_error("[\"\\q\",\"\xff\"]", CUPEL_E_SYNTAX, 2, 1, 3, "/0");
    check_error("[\"a\xff\\q\"]", CUPEL_E_UTF8, 3, 1, 4, "/0");
    check_error("[\"a\nb\",\"\xff\"]", CUPEL_E_SYNTAX, 3, 1, 4, "/0");
    check_error("[1]x\xff", CUPEL_E_TRAILING, 3, 1, 4, "");
    check_error("[1] \xff", CUPEL_E_UTF8, 4, 1, 5, "");
}

/* A pointer that does not fit is cut. */
static void test_long_pointer(void)
{
    char text[2000];
    struct cupel__doc doc;
    struct cupel_error err = {0};
    memset(text, '[', sizeof text);
    text[900] = 'x';
    text[901] = '\0';
    cupel__doc_init(&doc, NULL);
    CHECK_INT(read_text(&doc, text, 0, &err), CUPEL_E_SYNTAX);
    size_t n = strlen(err.where);
    CHECK(n > 240 && n < sizeof err.where);
    CHECK(memcmp(err.where, "/0/0/0/0", 8) == 0 &&
          memcmp(err.where + n - 3, "\xe2\x80\xa6", 3) == 0);
    cupel__doc_free(&doc);
}

static void test_limits(void)
{
    struct cupel__doc doc;
    struct cupel__read_options options = check_options(0);
    cupel__doc_init(&doc, NULL);
    options.max_bytes = 5;
    CHECK_INT(cupel__json_read(&doc, "[1,2]", 5, &options, NULL), CUPEL_OK);
    CHECK_INT(cupel__json_read(&doc, "[1,2] ", 6, &options, NULL), CUPEL_E_JSON_SIZE);
    options = check_options(CUPEL__READ_BOM);
    CHECK_INT(cupel__json_read(&doc, "\xef\xbb\xbf[1]", 6, &options, NULL), CUPEL_OK);
    CHECK_INT(doc.nodes[0].off, 3);
    CHECK_INT(cupel__json_read(&doc, "\xef\xbb\xbf", 3, &options, NULL), CUPEL_E_SYNTAX);
    CHECK_INT(cupel__json_read(&doc, "\xef\xbb\xbf\xef\xbb\xbf[]", 8, &options, NULL),
              CUPEL_E_SYNTAX);
    cupel__doc_free(&doc);
}

/* Of a text that is too long for the offsets of a document nothing is looked at. */
static void test_too_long(void)
{
    struct cupel__read_options options = check_options(0);
    struct cupel_error err;
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    options.max_bytes = SIZE_MAX;
    CHECK_INT(cupel__json_read(&doc, "1", UINT32_MAX, &options, &err), CUPEL_E_JSON_SIZE);
    CHECK(err.offset == 0 && doc.memory == 0);
    cupel__doc_free(&doc);
}

/* -- Names that occur twice ---------------------------------------------------------------------
 */

/* `text` with the last of equal members is the document `want`, but for places. */
static void check_last_wins(const char *text, const char *want)
{
    struct cupel__doc a, b;
    cupel__doc_init(&a, NULL);
    cupel__doc_init(&b, NULL);
    bool ok = CHECK_INT(read_text(&a, text, 0, NULL), CUPEL_E_DUPLICATE_KEY);
    ok &= CHECK_INT(read_text(&a, text, CUPEL__READ_DUPLICATES, NULL), CUPEL_OK);
    ok &= CHECK_INT(read_text(&b, want, 0, NULL), CUPEL_OK);
    ok &= CHECK(check_tape(&a) == NULL && check_tape(&b) == NULL);
    ok &= CHECK_INT(a.nnodes, b.nnodes) && CHECK_INT(a.depth, b.depth);
    for (uint32_t i = 0; ok && i < a.nnodes; i++) {
        const struct cupel__node *x = &a.nodes[i], *y = &b.nodes[i];
        ok &= CHECK_INT(x->type, y->type);
        ok &= CHECK_INT(x->flags & CUPEL__KEY, y->flags & CUPEL__KEY);
        if (x->type >= CUPEL__ARRAY)
            ok &= CHECK_INT(x->count, y->count) && CHECK_INT(x->end, y->end);
        else if (x->type == CUPEL__STRING)
            ok &= CHECK(
                cupel__str_eq(cupel__doc_str(&a, &a.nodes[i]), cupel__doc_str(&b, &b.nodes[i])));
        else
            ok &= CHECK_INT(x->i, y->i);
    }
    if (!ok)
        fprintf(stderr, "    %.200s\n", text);
    cupel__doc_free(&a);
    cupel__doc_free(&b);
}

static void test_last_wins(void)
{
    check_last_wins("{\"a\":1,\"a\":2}", "{\"a\":2}");
    check_last_wins("{\"a\":1,\"b\":0,\"a\":2,\"a\":3}", "{\"b\":0,\"a\":3}");
    check_last_wins("{\"a\":[1,[2]],\"b\":{},\"a\":{\"c\":3}}", "{\"b\":{},\"a\":{\"c\":3}}");
    check_last_wins("{\"\":1,\"\":2}", "{\"\":2}");
    check_last_wins("{\"a\":1,\"\\u0061\":2,\"b\":3}", "{\"a\":2,\"b\":3}");
    check_last_wins("{\"\\u0061\":1,\"\\u0061\":2}", "{\"a\":2}");
    check_last_wins("[0,{\"a\":{\"x\":1,\"x\":2},\"b\":[{\"y\":[],\"y\":3}],\"a\":4},[5]]",
                    "[0,{\"b\":[{\"y\":3}],\"a\":4},[5]]");
    check_last_wins("{\"a\":0,\"a\":{\"a\":0,\"a\":{\"a\":0,\"a\":{}}}}",
                    "{\"a\":{\"a\":{\"a\":{}}}}");
    check_last_wins("{\"a\":[[[]]],\"a\":[]}", "{\"a\":[]}");
    check_last_wins("{\"first name\":1,\"first nape\":2,\"first name\":3}",
                    "{\"first nape\":2,\"first name\":3}");
}

/* Writes the members "PREFIXiSUFFIX":i for i in [from, to); returns the end. */
static char *put_members(char *p, const char *format, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        p += sprintf(p, format, i, i);
    return p;
}

/* Objects of every size around the limits of the ways to compare, with each name repeated in turn.
 */
static void test_sizes(const char *format)
{
    static char text[20000], want[20000];
    for (unsigned n = 1; n < 40; n += 1 + n / 12) {
        for (unsigned twice = 0; twice < n; twice++) {
            char *p = put_members(text + sprintf(text, "{"), format, 0, n);
            p = put_members(p, format, twice, twice + 1);
            p[-1] = '}';
            p = put_members(want + sprintf(want, "{"), format, 0, twice);
            p = put_members(p, format, twice + 1, n);
            p = put_members(p, format, twice, twice + 1);
            p[-1] = '}';
            check_last_wins(text, want);
        }
    }
}

/* Many names that only differ where the hash does not look: were each compared with each, this
 * would take minutes. */
static void test_hostile_names(void)
{
    enum { N = 100000, ROOM = 40 };
    char *text = malloc((size_t)N * ROOM);
    struct cupel__doc doc;
    struct cupel_error err = {0};
    if (text == NULL)
        return;
    cupel__doc_init(&doc, NULL);
    char *p = put_members(text + sprintf(text, "{"), "\"headhead%08utailtail\":%u,", 0, N);
    p[-1] = '}';
    *p = '\0';
    CHECK_INT(read_text(&doc, text, 0, &err), CUPEL_OK);
    p = put_members(p - 1 + sprintf(p - 1, ","), "\"headhead%08utailtail\":%u,", 777, 778);
    p[-1] = '}';
    CHECK_INT(read_text(&doc, text, 0, &err), CUPEL_E_DUPLICATE_KEY);
    CHECK_STR(err.where, "/headhead00000777tailtail");
    CHECK_INT(read_text(&doc, text, CUPEL__READ_DUPLICATES, &err), CUPEL_OK);
    CHECK_INT(doc.nodes[0].count, N);
    CHECK(check_tape(&doc) == NULL);
    cupel__doc_free(&doc);
    free(text);
}

int main(void)
{
    test_numbers();
    test_short_integers();
    test_number_limit();
    test_structure();
    test_depth();
    test_bracket_flood();
    test_strings();
    test_decoding_order();
    test_places();
    test_error_places();
    test_trailing();
    test_bracket_behind();
    test_first_error();
    test_long_pointer();
    test_limits();
    test_too_long();
    test_last_wins();
    test_sizes("\"k%u\":%u,");
    test_sizes("\"headhead%04utailtail\":%u,");
    test_hostile_names();
    return test_end();
}
