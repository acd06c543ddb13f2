/* test_hidden.c: hidden text in spans: kinds, offsets, ends of texts, and work in proportion to
 * them. Samples of all kinds and ordinary text in many languages are in tests/mcp/hidden.py. */
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
        CHECK_INT(cupel_hidden_find(text, len, &found), cases[i].kind != CUPEL_HIDDEN_NONE);
        CHECK_INT(cupel_hidden_find(text, len, NULL), cases[i].kind != CUPEL_HIDDEN_NONE);
        CHECK_INT(found.kind, cases[i].kind);
        CHECK_INT(found.code_point, cases[i].code_point);
        if (!CHECK_INT(found.offset, cases[i].offset))
            fprintf(stderr, "    case %zu\n", i);
        free(text);
    }
    CHECK_INT(cupel_hidden_find("a\nb", 3, NULL), 0);
    CHECK_INT(cupel_hidden_find_in_name("a\nb", 3, NULL), 1);
    CHECK_INT(cupel_hidden_find("a\0b", 3, NULL), 1);
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
            int hidden = cupel_hidden_find(text, len, &found);
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
        CHECK_INT(cupel_hidden_find(text, SIZE, NULL), 0);
    }
    free(text);
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
    return test_end();
}
