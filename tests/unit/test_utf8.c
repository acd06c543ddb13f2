/* test_utf8.c: UTF-8, against a second and slower definition of it. */
#include "base/utf8.h"
#include "test.h"

/* Encodes any number below 2^21 in a given length, well-formed or not. */
static void force(uint32_t cp, unsigned length, char out[4])
{
    static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (unsigned i = length; i-- > 1; cp >>= 6)
        out[i] = (char)(0x80 | (cp & 0x3f));
    out[0] = (char)(length == 1 ? cp : lead[length] | cp);
}

static unsigned proper_length(uint32_t cp)
{
    if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
        return 0;
    return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

/* Every number in every length that holds it. */
static void test_all_sequences(void)
{
    static const uint32_t end[5] = {0, 0x80, 0x800, 0x10000, 0x200000};
    unsigned long wrong = 0;
    for (unsigned length = 1; length <= 4; length++) {
        for (uint32_t cp = 0; cp < end[length]; cp++) {
            char s[4], again[4];
            uint32_t got = 0xffffffff;
            force(cp, length, s);
            bool proper = proper_length(cp) == length;
            unsigned n = cupel__utf8_decode(s, s + length, &got);
            wrong += n != (proper ? length : 0);
            wrong += got != (proper ? cp : 0xffffffff);
            wrong += cupel__utf8_valid(s, length) != proper;
            if (proper)
                wrong += cupel__utf8_encode(cp, again) != length || memcmp(s, again, length) != 0;
        }
    }
    CHECK_INT(wrong, 0);
}

/* A first byte followed by too few or other bytes. */
static void test_broken(void)
{
    static const char *const broken[] = {"\x80",
                                         "\xbf",
                                         "\xc0",
                                         "\xc2",
                                         "\xc2 ",
                                         "\xc2\xc2",
                                         "\xe2\x82",
                                         "\xe2\x82 ",
                                         "\xe2 ",
                                         "\xf0\x9f\x98",
                                         "\xf0\x9f\x98 ",
                                         "\xf5\x80\x80\x80",
                                         "\xf8\x88\x80\x80\x80",
                                         "\xff",
                                         "\xfe"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        uint32_t cp;
        size_t n = strlen(broken[i]);
        CHECK_INT(cupel__utf8_decode(broken[i], broken[i] + n, &cp), 0);
        CHECK_INT(cupel__utf8_check(broken[i], n), 0);
    }
}

/* The first ill-formed byte is found wherever it stands, and whatever the words it is in. */
static void test_check_places(void)
{
    char text[48];
    for (size_t n = 1; n <= sizeof text; n++) {
        memset(text, 'a', sizeof text);
        CHECK_INT(cupel__utf8_check(text, n), n);
        for (size_t at = 0; at < n; at++) {
            memset(text, 'a', sizeof text);
            text[at] = (char)0xe4;
            CHECK_INT(cupel__utf8_check(text, n), at);
        }
    }
    CHECK_INT(cupel__utf8_check("", 0), 0);
}

static void test_count(void)
{
    char text[80];
    size_t n = 0, count = 0;
    static const uint32_t cps[] = {'a', 0xe9, 0x20ac, 0x1f600, 0, 0x7ff, 0xffff, 0x10ffff};
    for (size_t i = 0; n + 4 <= sizeof text; i++) {
        CHECK_INT(cupel__utf8_count(text, n), count);
        n += cupel__utf8_encode(cps[i % 8], text + n);
        count++;
    }
    CHECK(cupel__utf8_valid(text, n));
    CHECK_INT(cupel__utf8_count("", 0), 0);
}

/* Long strings are counted by vectors, whose lanes hold 255. */
static void test_long_count(void)
{
    enum { N = 20000 };
    static char text[N];
    static const size_t lengths[] = {0,    1,    7,    8,    15,   16,   17, 31,
                                     4079, 4080, 4081, 4096, 8160, 8176, N};
    for (unsigned every = 1; every < 5; every++) {
        for (size_t i = 0; i < N; i++)
            text[i] = i % every != 0 || every == 1 ? '\xbf' : "a\x80\xc3\x7f"[i / every % 4];
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            size_t want = 0;
            for (size_t i = 0; i < lengths[l]; i++)
                want += ((unsigned char)text[i] & 0xc0) != 0x80;
            CHECK_INT(cupel__utf8_count(text, lengths[l]), want);
        }
    }
}

int main(void)
{
    test_long_count();
    test_all_sequences();
    test_broken();
    test_check_places();
    test_count();
    return test_end();
}
