/* word.h: bytes taken eight at a time as one number, the same on every machine: the first byte is the
 * lowest. */
#ifndef CUPEL_BASE_WORD_H
#define CUPEL_BASE_WORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t cupel__load64(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The same of four. */
static inline uint32_t cupel__load32(const char *p)
{
    uint32_t w;
    memcpy(&w, p, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap32(w);
#endif
    return w;
}

/* The same of fewer than eight bytes, and zeroes after them. */
static inline uint64_t cupel__load_rest(const char *p, size_t n)
{
    char bytes[8] = {0};
    if (n > 0)
        memcpy(bytes, p, n);
    return cupel__load64(bytes);
}

#endif
