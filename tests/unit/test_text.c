/* test_text.c: base/text.c: the growable buffer, with every allocation failing once, and JSON
 * strings. */
#include "mem.h"
#include "neutral.h"
#include "test.h"
#include <cupel/text.h>
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
    cupel_text_json(&b, bytes, n);
    CHECK_MEM(b.bytes, b.len, want);
    cupel_text_free(&b);
}

static void test_json(void)
{
    check_json(NULL, 0, "\"\"");
    check_json("plain \xc3\xa9 \xf0\x9f\x92\xa9", 13, "\"plain \xc3\xa9 \xf0\x9f\x92\xa9\"");
    check_json("\"\\/\b\f\n\r\t", 8, "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
    check_json("a\0b\x1f\x7f", 5, "\"a\\u0000b\\u001f\x7f\"");
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
    cupel__text_neutral(&b, CUPEL__STR("a`b\"c"), 64, '`');
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
    return test_end();
}
