/* hash.h: mixing of words for hash tables.
 *
 * The result is the same on every machine.  It has no secret: where a stranger chooses the keys,
 * the table bounds its work some other way, or the keys come from base/siphash.h. */
#ifndef CUPEL_BASE_HASH_H
#define CUPEL_BASE_HASH_H

#include <stdint.h>

/* The odd number nearest to 2^64 divided by the golden ratio: a product with it moves every bit of
 * a word upwards (Knuth, The Art of Computer Programming, volume 3, section 6.4). */
#define CUPEL__GOLDEN_RATIO 0x9e3779b97f4a7c15u

static inline uint64_t cupel__rotl(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

/* Adds a word to a hash: two rounds of multiply and fold, after which every bit of the word may
 * change every bit of the result. */
static inline uint64_t cupel__hash_add(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash *= CUPEL__GOLDEN_RATIO;
    hash ^= hash >> 32;
    hash *= 0xd6e8feb86659fd93u;
    return hash ^ hash >> 29;
}

/* Fills in a key from getrandom, or of addresses where the system has no random numbers. */
void cupel__random_key(uint64_t ret_key[2]);

#endif
