/* test_text.c: base/text.c: the growable buffer, with every allocation failing once, and JSON
 * strings. */
#include "base/escape.h"
#include "base/memory.h"
#include "test.h"
#include <cupel/common.h>
#include <wchar.h>

static void fill(struct cupel_text *b)
{
    cupel_text_adds(b, "one ");
    cupel_text_addf(b, "%d %s%c", 2, "three", 0);
    for (int i = 0; i < 100; i++)
        cupel_text_add(b, "0123456789", 10);
    cupel_text_add(b, NULL, 0);
}

static void test_buffer(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc a = test_allocator(&t);
    struct cupel_text b;
    cupel_text_init(&b, &a);
    fill(&b);
    CHECK(!b.failed && b.len == 1012);
    CHECK(memcmp(b.bytes, "one 2 three\0", 12) == 0 && strlen(b.bytes + 12) == 1000);
    cupel_text_clear(&b);
    CHECK(b.len == 0 && b.capacity > 1012);
    cupel_text_add(&b, NULL, 0);
    CHECK_STR(b.bytes, "");
    cupel_text_free(&b);
    CHECK_INT(t.live, 0);

    const unsigned long requests = t.requests;
    for (unsigned long i = 1; i <= requests; i++) {
        t = (struct test_alloc){.fail_at = i};
        fill(&b);
        CHECK(b.failed);
        size_t n = b.len;
        cupel_text_adds(&b, "x");
        CHECK_INT(b.len, n);
        cupel_text_free(&b);
        CHECK_INT(t.live, 0);
        CHECK(!b.failed);
    }
}

/* What is formatted may be longer than anything set aside for it. */
static void test_format(void)
{
    struct cupel_text b;
    cupel_text_init(&b, NULL);
    for (int width = 0; width < 5000; width += 97) {
        cupel_text_clear(&b);
        cupel_text_addf(&b, "%*s|", width, "x");
        size_t want = (size_t)(width > 1 ? width : 1) + 1;
        CHECK(b.len == want && b.bytes[want - 1] == '|' && b.bytes[want] == '\0');
    }
    cupel_text_free(&b);
}

static void check_json(const char *bytes, size_t n, const char *want)
{
    struct cupel_text b;
    cupel_text_init(&b, NULL);
    cupel_text_add_json(&b, bytes, n);
    CHECK_MEM(b.bytes, b.len, want);
    cupel_text_free(&b);
}

/* What is escaped wherever strangers' text is printed, and what is not. */
static const struct plain_case {
    const char *text, *line, *lines, *json;
} plain_cases[] = {
    {"plain \xc3\xa9 a:b #1 # ## [x]", "plain \xc3\xa9 a:b #1 # ## [x]",
     "plain \xc3\xa9 a:b #1 # ## [x]", "\"plain \xc3\xa9 a:b #1 # ## [x]\""},
    {"a\nb\tc", "a\\u000ab\\u0009c", "a\nb\tc", "\"a\\nb\\tc\""},
    {"a\r\nb", "a\\u000d\\u000ab", "a\n\nb", "\"a\\r\\nb\""},
    {"\x1b[1m\x7f\xc2\x9b", "\\u001b[1m\\u007f\\u009b", "\\u001b[1m\\u007f\\u009b",
     "\"\\u001b[1m\\u007f\\u009b\""},
    {"\xe2\x80\xae\xe2\x80\xa8\xf3\xa0\x81\x81", "\\u202e\\u2028\\udb40\\udc41",
     "\\u202e\\u2028\\udb40\\udc41", "\"\\u202e\\u2028\\udb40\\udc41\""},
    {"\xee\x80\x80\xef\xbf\xbf\xf0\x9f\xbf\xbe", "\\ue000\\uffff\\ud83f\\udffe",
     "\\ue000\\uffff\\ud83f\\udffe", "\"\\ue000\\uffff\\ud83f\\udffe\""},
    {"::error::x", "\\u003a:error::x", "\\u003a:error::x", "\"::error::x\""},
    {" \t::x", " \\u0009\\u003a:x", " \t\\u003a:x", "\" \\t::x\""},
    {"a\n ::x\nb::c", "a\\u000a ::x\\u000ab::c", "a\n \\u003a:x\nb::c", "\"a\\n ::x\\nb::c\""},
    {"a\r::x", "a\\u000d::x", "a\n\\u003a:x", "\"a\\r::x\""},
    {"x ##[error]y", "x \\u0023#[error]y", "x \\u0023#[error]y", "\"x \\u0023#[error]y\""},
    {"###vso[a]##Vso[b]##vs[", "#\\u0023#vso[a]\\u0023#Vso[b]##vs[",
     "#\\u0023#vso[a]\\u0023#Vso[b]##vs[", "\"#\\u0023#vso[a]\\u0023#Vso[b]##vs[\""},
    {"a\xff", "a\xef\xbf\xbd", "a\xef\xbf\xbd", "\"a\xef\xbf\xbd\""},
};

static void test_plain(void)
{
    for (size_t i = 0; i < sizeof(plain_cases) / sizeof(plain_cases[0]); i++) {
        const struct plain_case *c = &plain_cases[i];
        size_t len = strlen(c->text);
        struct cupel_text b;
        cupel_text_init(&b, NULL);
        cupel_text_add_escaped(&b, c->text, len, SIZE_MAX, 0);
        CHECK_MEM(b.bytes, b.len, c->line);
        cupel_text_clear(&b);
        cupel_text_add_escaped(&b, c->text, len, SIZE_MAX, CUPEL_TEXT_LINES);
        CHECK_MEM(b.bytes, b.len, c->lines);
        check_json(c->text, len, c->json);
        cupel_text_free(&b);
    }
    struct cupel_text b;
    cupel_text_init(&b, NULL);
    cupel_text_add_escaped(&b, "a b\n", 4, SIZE_MAX, CUPEL_TEXT_QUOTED);
    cupel_text_add_escaped(&b, "abc", 3, 2, CUPEL_TEXT_QUOTED);
    CHECK_MEM(b.bytes, b.len, "\"a b\\u000a\"\"ab\xe2\x80\xa6\"");
    cupel_text_free(&b);
}

static void test_json(void)
{
    check_json(NULL, 0, "\"\"");
    check_json("plain \xc3\xa9 \xf0\x9f\x92\xa9", 13, "\"plain \xc3\xa9 \xf0\x9f\x92\xa9\"");
    check_json("\"\\/\b\f\n\r\t", 8, "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
    check_json("a\0b\x1f\x7f", 5, "\"a\\u0000b\\u001f\\u007f\"");
    check_json("a\xff"
               "b\xc3",
               4,
               "\"a\xef\xbf\xbd"
               "b\xef\xbf\xbd\"");
    check_json("\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

/* Lengths that no memory has, and a format that cannot be printed. */
static void test_too_long(void)
{
    struct cupel_text b;
    const size_t most = SIZE_MAX;
    const wchar_t surrogate[] = {0xd800, 0};
    cupel_text_init(&b, NULL);
    cupel_text_adds(&b, "ab");
    cupel_text_add(&b, "x", most);
    CHECK(b.failed && b.len == 2);
    cupel_text_clear(&b);
    cupel_text_adds(&b, "ab");
    cupel_text_add(&b, "x", most - 2);
    CHECK(b.failed && b.len == 2);
    cupel_text_clear(&b);
    cupel_text_addf(&b, "%ls", surrogate);
    CHECK(b.failed && b.len == 0);
    cupel_text_free(&b);
}

/* Quotes of either kind, and names that need none. */
static void test_neutral(void)
{
    struct cupel_text b;
    cupel_text_init(&b, NULL);
    cupel__escape_untrusted(&b, CUPEL__STR("a`b\"c"), 64, '`');
    CHECK_STR(b.bytes, "a'b\"c");
    CHECK(cupel__is_plain_name(CUPEL__STR("aZ09_-$@")));
    CHECK(!cupel__is_plain_name(CUPEL__STR("a b")) && !cupel__is_plain_name(CUPEL__STR("")));
    CHECK(!cupel__is_plain_name(CUPEL__STR("a{")) && !cupel__is_plain_name(CUPEL__STR("a:")));
    CHECK(!cupel__is_plain_name(CUPEL__STR("a[")) && !cupel__is_plain_name(CUPEL__STR("a/")));
    cupel_text_free(&b);
}

int main(void)
{
    test_too_long();
    test_neutral();
    test_buffer();
    test_format();
    test_json();
    test_plain();
    return test_end();
}
