/* test_uri.c: base/uri.c: the examples of RFC 3986, and the corners beside them. */
#include "base/pointer.h"
#include "base/uri.h"
#include "test.h"

static struct cupel__str str(const char *z)
{
    return (struct cupel__str){z, strlen(z)};
}

static void test_split(void)
{
    struct cupel__uri u;
    CHECK(cupel__uri_split(str("http://u@h:8/p/q?x=?#f?g"), &u));
    CHECK_MEM(u.scheme.p, u.scheme.n, "http");
    CHECK_MEM(u.authority.p, u.authority.n, "u@h:8");
    CHECK_MEM(u.path.p, u.path.n, "/p/q");
    CHECK_MEM(u.query.p, u.query.n, "x=?");
    CHECK_MEM(u.fragment.p, u.fragment.n, "f?g");
    CHECK(u.has_scheme && u.has_authority && u.has_query && u.has_fragment);

    CHECK(cupel__uri_split(str("urn:example:a:b"), &u));
    CHECK_MEM(u.scheme.p, u.scheme.n, "urn");
    CHECK_MEM(u.path.p, u.path.n, "example:a:b");
    CHECK(!u.has_authority && !u.has_query && !u.has_fragment);

    CHECK(cupel__uri_split(str("file:///c:/d#"), &u));
    CHECK(u.has_authority && u.authority.n == 0 && u.has_fragment && u.fragment.n == 0);
    CHECK_MEM(u.path.p, u.path.n, "/c:/d");

    CHECK(cupel__uri_split(str("a/b:c"), &u) && !u.has_scheme);
    CHECK(cupel__uri_split(str("?"), &u) && u.has_query && u.path.n == 0);
    CHECK(cupel__uri_split((struct cupel__str){NULL, 0}, &u) && !u.has_scheme && u.path.n == 0);
    CHECK(cupel__uri_split(str("#/a%20b/\xc3\xa9"), &u));
    CHECK_MEM(u.fragment.p, u.fragment.n, "/a%20b/\xc3\xa9");
}

static void test_split_refuses(void)
{
    static const char *const bad[] = {"a b",  "a\tb", "a\x7f", "<a>", "a\"", "{a}",  "a|b",
                                      "a\\b", "a^b",  "a`b",   "%",   "%1",  "a%1g", "#%zz"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cupel__uri u = {.has_query = true};
        CHECK(!cupel__uri_split(str(bad[i]), &u) && u.has_query);
    }
    struct cupel__uri u;
    CHECK(!cupel__uri_split(CUPEL__STR("a\0b"), &u));
    CHECK(!cupel__uri_split((struct cupel__str){"%41", 2}, &u)); /* the second digit is outside */
}

static void check_resolve(const char *base, const char *ref, const char *want)
{
    struct cupel__arena arena;
    cupel__arena_init(&arena, NULL, 0);
    struct cupel__str got = cupel__uri_resolve(&arena, str(base), str(ref));
    if (!CHECK_MEM(got.p, got.n, want))
        fprintf(stderr, "    base \"%s\", reference \"%s\"\n", base, ref);
    cupel__arena_free(&arena);
}

/* RFC 3986 section 5.4, less the fragments. */
static void test_resolve_rfc(void)
{
    static const char *const examples[][2] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q"},
        {"g#s", "http://a/b/c/g"},
        {"g?y#s", "http://a/b/c/g?y"},
        {";x", "http://a/b/c/;x"},
        {"g;x", "http://a/b/c/g;x"},
        {"g;x?y#s", "http://a/b/c/g;x?y"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"../../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {".g", "http://a/b/c/.g"},
        {"g..", "http://a/b/c/g.."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"./g/.", "http://a/b/c/g/"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
        {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
        {"g;x=1/../y", "http://a/b/c/y"},
        {"g?y/./x", "http://a/b/c/g?y/./x"},
        {"g?y/../x", "http://a/b/c/g?y/../x"},
        {"g#s/./x", "http://a/b/c/g"},
        {"g#s/../x", "http://a/b/c/g"},
        {"http:g", "http:g"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        check_resolve("http://a/b/c/d;p?q", examples[i][0], examples[i][1]);
}

static void test_resolve_bases(void)
{
    check_resolve("http://a", "b", "http://a/b");
    check_resolve("http://a?q", "b", "http://a/b");
    check_resolve("http://a/b#f", "", "http://a/b");
    check_resolve("http://a/b?q#f", "?", "http://a/b?");
    check_resolve("http://a/b", "//c/../d", "http://c/d");
    check_resolve("urn:example:root", "#a", "urn:example:root");
    check_resolve("urn:example:root", "urn:example:other", "urn:example:other");
    check_resolve("urn:example:root?+r", "", "urn:example:root?+r");
    check_resolve("tag:x,2024:a/b", "c", "tag:x,2024:a/c");
    check_resolve("file:///c:/d/e", "../f", "file:///c:/f");
    check_resolve("file:///c:/d/e", "/g", "file:///g");
    check_resolve("file:///c:", "g", "file:///g");
    check_resolve("http://\xc3\xa9/\xc3\xb6/x", "\xc3\xbc", "http://\xc3\xa9/\xc3\xb6/\xc3\xbc");
    check_resolve("x:", "mid/content=5/../6", "x:mid/6");
    check_resolve("x:y", "x:a/../b", "x:/b");
    check_resolve("http://a/b/", "c//d/../../e", "http://a/b/c/e");
    check_resolve("http://a//b/", "../../c", "http://a/c");
}

/* Without a scheme the result is itself a reference and will be resolved again. */
static void test_resolve_relative(void)
{
    check_resolve("", "", "");
    check_resolve("", "#f", "");
    check_resolve("", "?q", "?q");
    check_resolve("", "a.json", "a.json");
    check_resolve("", "/a/../b", "/b");
    check_resolve("", "../a", "../a");
    check_resolve("", "../../a/..", "../../");
    check_resolve("", "..", "../");
    check_resolve("", ".", "./");
    check_resolve("", "a/..", "./");
    check_resolve("", "./a:b", "./a:b");
    check_resolve("", "a/../b:c", "./b:c");
    check_resolve("", "/.//a", "/.//a");
    check_resolve("x:", "/..//a", "x:/.//a");
    check_resolve("dir/a.json", "b.json", "dir/b.json");
    check_resolve("dir/a.json", "../b.json", "b.json");
    check_resolve("dir/a.json", "../../b.json", "../b.json");
    check_resolve("../a.json", "b.json", "../b.json");
    check_resolve("a.json#x", "#y", "a.json");
    check_resolve("/a/b", "c", "/a/c");
    check_resolve("dir/a", "http://h/x", "http://h/x");
}

static void check_normal(const char *uri, const char *want)
{
    struct cupel__arena arena;
    cupel__arena_init(&arena, NULL, 0);
    struct cupel__str got = cupel__uri_normalise(&arena, str(uri));
    if (!CHECK_MEM(got.p, got.n, want))
        fprintf(stderr, "    uri \"%s\"\n", uri);
    struct cupel__str again = cupel__uri_normalise(&arena, got);
    CHECK_MEM(again.p, again.n, want);
    cupel__arena_free(&arena);
}

static void test_normalise(void)
{
    check_normal("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D");
    check_normal("HTTP://User@EXAMPLE.com:80/A%2fB#f", "http://User@example.com/A%2FB");
    check_normal("https://EXAMPLE.com:443", "https://example.com");
    check_normal("a:%5F%2f%7e", "a:_%2F~");
    check_normal("//a/b/../c", "//a/c");
    check_normal("//a", "//a");
    check_normal("https://example.com:80/", "https://example.com:80/");
    check_normal("http://example.com:/", "http://example.com/");
    check_normal("https://example.com:/", "https://example.com/");
    check_normal("ws://example.com:80/", "ws://example.com:80/");
    check_normal("http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x");
    /* Ports behind ports, and one that is encoded: nothing is left to cut off the next time. */
    check_normal("HTTP://2:80:", "http://2:80:");
    check_normal("http://a:80:80/", "http://a:80:80/");
    check_normal("http://a:%38%30/", "http://a/");
    check_normal("http://[2001:DB8::1]/x", "http://[2001:db8::1]/x");
    check_normal("http://a%2D%c3%A9.B/%7euser?%41%3d#x", "http://a-%C3%A9.b/~user?A%3D");
    check_normal("http://a/%2e%2E/b", "http://a/b");
    check_normal("wxyz://EXAMPLE.com:80/", "wxyz://example.com:80/"); /* as long as http */
    check_normal("http://:80/", "http:///");
    check_normal("%/a", "%/a"); /* what no URI has stays as it is */
    check_normal("a%-1b", "a%-1b");
    check_normal("a%4~b%4_", "a%4~b%4_");
    check_normal("URN:Example:A%2d", "urn:Example:A-");
    check_normal("file:///C:/x/../y", "file:///C:/y");
    check_normal("http://\xc3\x89/\xc3\x89", "http://\xc3\x89/\xc3\x89");
    check_normal("../A/./b?Q", "../A/b?Q");
    check_normal("", "");
    check_normal("#f", "");
    check_normal("x:/.//a", "x:/.//a");
}

static void test_decode(void)
{
    struct cupel__arena arena;
    cupel__arena_init(&arena, NULL, 0);
    struct cupel__str s = cupel__uri_decode(&arena, str("/a%2Fb%c3%A9/%25%2x%"));
    CHECK_MEM(s.p, s.n, "/a/b\xc3\xa9/%%2x%");
    s = cupel__uri_decode(&arena, str("%00"));
    CHECK(s.n == 1 && s.p[0] == '\0');
    s = cupel__uri_decode(&arena, (struct cupel__str){NULL, 0});
    CHECK(s.p != NULL && s.n == 0);
    cupel__arena_free(&arena);

    struct cupel_text b;
    cupel_text_init(&b, NULL);
    struct cupel__pointer fragment = {.text = &b, .max = SIZE_MAX, .fragment = true};
    cupel__pointer_add(&fragment, CUPEL__STR("/a b%\"#[\xc3\xa9~!$&'()*+,;=:@?\0"));
    CHECK_MEM(b.bytes, b.len, "/a%20b%25%22%23%5B%C3%A9~!$&'()*+,;=:@?%00");
    cupel_text_free(&b);
}

static void test_no_memory(void)
{
    struct test_alloc t = {.fail_at = 1, .for_ever = true};
    struct cupel_alloc a = test_allocator(&t);
    struct cupel__arena arena;
    cupel__arena_init(&arena, &a, 0);
    CHECK(cupel__uri_resolve(&arena, str("http://a/b"), str("c")).p == NULL);
    CHECK(cupel__uri_normalise(&arena, str("http://a/b")).p == NULL);
    CHECK(cupel__uri_decode(&arena, str("a")).p == NULL);
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
}

int main(void)
{
    test_split();
    test_split_refuses();
    test_resolve_rfc();
    test_resolve_bases();
    test_resolve_relative();
    test_normalise();
    test_decode();
    test_no_memory();
    return test_end();
}
