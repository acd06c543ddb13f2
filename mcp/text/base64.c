/* base64.c: Base64 with padding (RFC 4648 section 4), as header fields and content blocks use it.
 *
 * The decoder is strict: no white space, no other alphabet, padding where it belongs.  It accepts
 * unused bits that are not 0, as most decoders do; cupel__base64_canonical tells the two apart. */
#include "mcp/text/base64.h"

#include <stdint.h>

/* Returns the six bits of a digit, or -1. */
static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool cupel__base64_decode(const char *text, size_t len, struct cupel_text *ret)
{
    size_t padding = 0;
    if (len % 4 != 0)
        return false;
    while (padding < 2 && len > padding && text[len - 1 - padding] == '=')
        padding++;
    uint32_t bits = 0;
    for (size_t i = 0; i < len; i++) {
        int value = i < len - padding ? value_of(text[i]) : 0;
        if (value < 0)
            return false;
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 != 3 || ret == NULL)
            continue;
        char bytes[3] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
        cupel_text_add(ret, bytes, i + 1 == len ? 3 - padding : 3);
    }
    return true;
}

/* With one padding character the last digit before it has two unused bits, with two it has four. */
bool cupel__base64_canonical(const char *text, size_t len)
{
    if (len < 4 || text[len - 1] != '=')
        return true;
    bool two = text[len - 2] == '=';
    return (value_of(text[len - (two ? 3 : 2)]) & (two ? 15 : 3)) == 0;
}

/* Encodes groups of three bytes; k <= n selects the digits that carry bits of the input. */
void cupel__base64_encode(const char *bytes, size_t len, struct cupel_text *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        size_t n = len - i < 3 ? len - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < n ? (unsigned char)bytes[i + k] : 0u);
        char out[4];
        for (size_t k = 0; k < 4; k++)
            out[k] = k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=';
        cupel_text_add(text, out, 4);
    }
}
