/* fmt_scan.h: characters, as the scanners of formats look at them: ASCII only, in no locale. */
#ifndef CUPEL_VM_FMT_SCAN_H
#define CUPEL_VM_FMT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_alpha(char c)
{
    char low = (char)(c | 0x20);
    return low >= 'a' && low <= 'z';
}

static inline bool is_alnum(char c)
{
    return is_digit(c) || is_alpha(c);
}

static inline bool is_hex(char c)
{
    char low = (char)(c | 0x20);
    return is_digit(c) || (low >= 'a' && low <= 'f');
}

/* Part of a code point outside ASCII. */
static inline bool is_wide(char c)
{
    return ((unsigned char)c & 0x80) != 0;
}

/* The first byte at or after s that is no digit, or end. */
static inline const char *skip_digits(const char *s, const char *end)
{
    while (s < end && is_digit(*s))
        s++;
    return s;
}

#endif
