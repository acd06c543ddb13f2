/* name_hash.h: the hash of a member's name.
 *
 * The reader leaves it in the node of the name (json/tape.h), and the tables of names in an image
 * are built by it (vm/program/name_table.h): it is part of the image format.
 *
 * Names are read eight bytes at a time, so up to seven bytes after the end of a name must be
 * readable. */
#ifndef CUPEL_BASE_NAME_HASH_H
#define CUPEL_BASE_NAME_HASH_H

#include "base/hash.h"
#include "base/load.h"

/* The first n bytes of a word, n at most 8. */
static inline __attribute__((always_inline)) uint64_t cupel__first_bytes(uint64_t word, uint32_t n)
{
    static const uint64_t masks[9] = {0,           0xff,         0xffff,         0xffffff,
                                      0xffffffff,  0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
                                      ~(uint64_t)0};
    return word & masks[n];
}

/* Made of the first and last eight bytes, of which those past a short name are cut, and the length.
 * The upper half is the hash. */
static inline uint64_t cupel__name_mix(uint64_t first, uint64_t last, uint32_t n)
{
    return (first ^ cupel__rotl(last, 29) ^ n) * CUPEL__GOLDEN_RATIO;
}

static inline __attribute__((always_inline)) uint64_t cupel__name_hash64(const char *p, uint32_t n)
{
    const uint32_t most = n < 8 ? n : 8;
    uint64_t first = cupel__first_bytes(cupel__load64(p), most);
    uint64_t last = cupel__first_bytes(cupel__load64(p + (n - most)), most);
    return cupel__name_mix(first, last, n);
}

static inline uint32_t cupel__name_hash(const char *p, uint32_t n)
{
    return (uint32_t)(cupel__name_hash64(p, n) >> 32);
}

#endif
