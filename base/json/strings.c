/* strings.c: strings with escapes (RFC 8259 section 7): decoding.
 *
 * Strings without a backslash never come here.  Stage 1 has checked the escapes.  A member's name
 * is decoded at once, because names are compared; any other string is decoded when its bytes are
 * first asked for (cupel__doc_decode), into the side buffer, where the reader has reserved the
 * length of the undecoded text.  Decoding never makes a string longer. */
#include "base/ascii.h"
#include "base/json/reader.h"
#include "base/utf8.h"

/* The values of hexadecimal digits plus one; 0 for other bytes. */
static const uint8_t hex_digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

/* The value of the four digits of a \u escape, or -1.  Reads nothing behind a byte that is no
 * digit, so the end of the text stops it. */
static inline int32_t hex4(const char *p)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        const int32_t digit = hex_digits[(unsigned char)p[i]];
        if (digit == 0)
            return -1;
        value = value << 4 | (digit - 1);
    }
    return value;
}

/* The characters that two-character escapes stand for, or 0. */
static const char simple_escapes[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                         ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};

unsigned cupel__read_escape(const char *p, uint32_t *ret_cp)
{
    *ret_cp = 0;
    if (p[1] != 'u') {
        *ret_cp = (unsigned char)simple_escapes[(unsigned char)p[1]];
        return *ret_cp != 0 ? 2 : 0;
    }
    int32_t unit = hex4(p + 2);
    if (unit < 0)
        return 0;
    *ret_cp = (uint32_t)unit;
    if (unit < 0xd800 || unit > 0xdfff)
        return 6;
    if (unit > 0xdbff || p[6] != '\\' || p[7] != 'u')
        return 0;
    int32_t low = hex4(p + 8);
    if (low < 0xdc00 || low > 0xdfff)
        return 0;
    *ret_cp = 0x10000 + ((uint32_t)unit - 0xd800) * 0x400 + ((uint32_t)low - 0xdc00);
    return 12;
}

/* The first byte of a word that is a backslash, from 0 on; 8 if none is. */
static inline unsigned find_backslash(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u, x = word ^ ones * '\\';
    const uint64_t found = (x - ones) & ~x & ones << 7;
    return found != 0 ? (unsigned)__builtin_ctzll(found) / 8 : 8;
}

/* Decodes n bytes of text, whose escapes are valid; returns the length of the result, at most n.
 * Reads and writes up to seven bytes behind.  Another thread of the host's may write to the text,
 * against the rules (CUPEL_INPUT_PADDED): a backslash without a valid escape is then copied as a
 * byte, so that the result never gets longer. */
static uint32_t decode(const char *text, uint32_t n, char *out)
{
    const char *p = text, *const end = text + n;
    char *to = out;
    while (p < end) {
        const uint64_t word = cupel__load64(p);
        const size_t plain = find_backslash(word), left = (size_t)(end - p);
        memcpy(to, p, sizeof word);
        if (plain >= left)
            return (uint32_t)(to - out + left);
        p += plain;
        to += plain;
        if (plain == 8)
            continue;
        uint32_t cp;
        unsigned length = cupel__read_escape(p, &cp);
        if (__builtin_expect(length == 0 || length > (size_t)(end - p), 0)) {
            length = 1;
            cp = '\\';
        }
        p += length;
        to += cupel__utf8_encode(cp, to);
    }
    return (uint32_t)(to - out);
}

size_t cupel__escaped_count(const char *text, size_t n)
{
    const char *p = text, *const end = text + n;
    size_t more = 0;
    while (p < end) {
        const unsigned plain = *p == '\\' ? 0 : find_backslash(cupel__load64(p));
        p += plain;
        if (plain == 8 || p >= end)
            continue;
        const bool pair =
            p[1] == 'u' && (p[2] | 0x20) == 'd' && hex_digits[(unsigned char)p[3]] > 8;
        const unsigned length = p[1] != 'u' ? 2 : pair ? 12 : 6;
        more += length - 1;
        p += length;
    }
    return cupel__utf8_count(text, n) - more;
}

void cupel__doc_decode(struct cupel__doc *doc, struct cupel__node *node)
{
    char *out = doc->side + doc->side_used;
    node->len = decode(doc->base[0] + node->src, node->len, out);
    node->type = CUPEL__STRING;
    node->flags |= CUPEL__DECODED;
    node->off = doc->side_used;
    doc->side_used += node->len;
}

bool cupel__decode_name(struct cupel__reader *r, struct cupel__node *node)
{
    if (cupel__side_reserve(r, r->side_need) != CUPEL_OK)
        return false;
    cupel__doc_decode(r->doc, node);
    return true;
}
