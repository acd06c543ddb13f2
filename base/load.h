/* load.h: several bytes as one integer, from any address and the same on every machine: the first
 * byte is the lowest. */
#ifndef CUPEL_BASE_LOAD_H
#define CUPEL_BASE_LOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Up to eight bytes; missing ones count as 0. */
static inline uint64_t cupel__load_partial(const char *p, size_t n)
{
    uint64_t word = 0;
    if (n > 0)
        memcpy(&word, p, n);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline uint64_t cupel__load64(const char *p)
{
    return cupel__load_partial(p, sizeof(uint64_t));
}

static inline uint32_t cupel__load32(const char *p)
{
    return (uint32_t)cupel__load_partial(p, sizeof(uint32_t));
}

/* Writes the eight bytes that cupel__load64 reads as `word`. */
static inline void cupel__store64(char *p, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        p[i] = (char)(word >> (8 * i) & 0xff);
}

#endif
