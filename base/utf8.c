/* utf8.c: UTF-8 (RFC 3629): checking, counting, decoding and encoding.
 *
 * The library takes the definition of a well-formed sequence from here.  The JSON scanner checks
 * whole blocks with SIMD by the same rules, and calls cupel__utf8_decode for sequences that it
 * cannot decide there.  Code that sees only the public headers (mcp) decodes by itself, in strings
 * that the reader has checked. */
#include "base/utf8.h"
#include "base/load.h"

#include <string.h>

#define HIGH_BITS 0x8080808080808080u

static bool is_continuation(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* These decode sequences of two, three and four bytes, which must be readable; 0 if ill-formed. The
 * bounds exclude overlong forms, surrogates and code points past U+10FFFF (RFC 3629 section 4). */

static unsigned decode2(const unsigned char *s, uint32_t *ret_cp)
{
    if (s[0] < 0xc2 || !is_continuation(s[1]))
        return 0;
    *ret_cp = (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu);
    return 2;
}

static unsigned decode3(const unsigned char *s, uint32_t *ret_cp)
{
    uint32_t cp = (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
    if (!is_continuation(s[1]) || !is_continuation(s[2]))
        return 0;
    if (cp < 0x800 || (cp >= 0xd800 && cp < 0xe000))
        return 0;
    *ret_cp = cp;
    return 3;
}

static unsigned decode4(const unsigned char *s, uint32_t *ret_cp)
{
    uint32_t cp =
        (s[0] & 0x07u) << 18 | (s[1] & 0x3fu) << 12 | (s[2] & 0x3fu) << 6 | (s[3] & 0x3fu);
    if (!is_continuation(s[1]) || !is_continuation(s[2]) || !is_continuation(s[3]))
        return 0;
    if (cp < 0x10000 || cp > 0x10ffff)
        return 0;
    *ret_cp = cp;
    return 4;
}

unsigned cupel__utf8_decode(const char *p, const char *end, uint32_t *ret_cp)
{
    const unsigned char *s = (const unsigned char *)p;
    if (s[0] < 0x80) {
        *ret_cp = s[0];
        return 1;
    }
    if (s[0] < 0xe0)
        return end - p < 2 ? 0 : decode2(s, ret_cp);
    if (s[0] < 0xf0)
        return end - p < 3 ? 0 : decode3(s, ret_cp);
    if (s[0] < 0xf8)
        return end - p < 4 ? 0 : decode4(s, ret_cp);
    return 0;
}

/* Skips eight bytes of ASCII at a time. */
size_t cupel__utf8_check(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n) {
        if (n - i >= 8 && (cupel__load64(p + i) & HIGH_BITS) == 0) {
            i += 8;
            continue;
        }
        uint32_t cp;
        unsigned length = cupel__utf8_decode(p + i, p + n, &cp);
        if (length == 0)
            return i;
        i += length;
    }
    return n;
}

bool cupel__utf8_valid(const char *p, size_t n)
{
    return cupel__utf8_check(p, n) == n;
}

/* Counts the bytes that are not continuation bytes, eight at a time.  A continuation byte has bit 7
 * set and bit 6 clear; the product adds the eight marks in its highest byte. */
/* The continuation bytes among the first n / 16 * 16, by vectors of sixteen (an extension of C that
 * gcc and clang have for every machine): a comparison gives -1 for true.  A lane counts to 255. */
static size_t count_continuations(const char *p, size_t n)
{
    typedef signed char bytes __attribute__((vector_size(16)));
    size_t found = 0;
    for (size_t i = 0, end = n / 16 * 16; i < end;) {
        const size_t stop = end - i < 255 * 16 ? end : i + 255 * 16;
        bytes sum = {0};
        for (; i < stop; i += 16) {
            bytes x;
            memcpy(&x, p + i, sizeof x);
            sum -= x < (bytes){0} - 64;
        }
        for (int lane = 0; lane < 16; lane++)
            found += (unsigned char)sum[lane];
    }
    return found;
}

size_t cupel__utf8_count(const char *p, size_t n)
{
    size_t continuations = n >= 16 ? count_continuations(p, n) : 0, i = n / 16 * 16;
    if (n - i >= 8) {
        uint64_t w = cupel__load64(p + i);
        uint64_t marks = (w & HIGH_BITS & ~(w << 1)) >> 7;
        continuations += (size_t)(marks * 0x0101010101010101u >> 56);
        i += 8;
    }
    for (; i < n; i++)
        continuations += is_continuation((unsigned char)p[i]);
    return n - continuations;
}

unsigned cupel__utf8_encode(uint32_t cp, char out[4])
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xc0 | cp >> 6);
        out[1] = (char)(0x80 | (cp & 0x3f));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (char)(0xe0 | cp >> 12);
        out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
        out[2] = (char)(0x80 | (cp & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | cp >> 18);
    out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
    out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
    out[3] = (char)(0x80 | (cp & 0x3f));
    return 4;
}
