/* ascii.h: classes of ASCII characters, the same in every locale. */
#ifndef CUPEL_BASE_ASCII_H
#define CUPEL_BASE_ASCII_H

#include <stdbool.h>

static inline bool cupel__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool cupel__is_alpha(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static inline char cupel__to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* The value of a hexadecimal digit in either case, or -1. */
static inline int cupel__hex_value(char c)
{
    if (cupel__is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
