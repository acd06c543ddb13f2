/* name_hash.h: the hash of a member's name.
 *
 * The reader stores it in the node of each name (json/tape.h), and the name tables of an image are
 * built with it (vm/program/name_table.h), so it is a part of the image format.
 *
 * It reads the first and the last eight bytes of a name with two loads and a multiplication,
 * whatever the length; names that are equal at both ends and in length collide.  Up to seven bytes
 * after a name must be readable. */
#ifndef CUPEL_BASE_NAME_HASH_H
#define CUPEL_BASE_NAME_HASH_H

#include "base/hash.h"
#include "base/load.h"

/* The first n bytes of a word, n at most 8; a table, because a shift by 64 bits is undefined. */
static inline __attribute__((always_inline)) uint64_t cupel__first_bytes(uint64_t word, uint32_t n)
{
    static const uint64_t masks[9] = {0,           0xff,         0xffff,         0xffffff,
                                      0xffffffff,  0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
                                      ~(uint64_t)0};
    return word & masks[n];
}

/* The hash from the first and the last eight bytes and the length.  Of a name shorter than eight
 * bytes both words hold all of it, without the bytes behind it. */
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

/* The hash that nodes and images hold: the upper half, whose bits depend on the most input bits. */
static inline uint32_t cupel__name_hash(const char *p, uint32_t n)
{
    return (uint32_t)(cupel__name_hash64(p, n) >> 32);
}

#endif
