/* siphash.h: a hash with a secret key, built like SipHash-1-3 (Aumasson and Bernstein, 2012): one
 * round for each word, three at the end.
 *
 * Without the key nobody can choose inputs whose hashes collide, so a table of a stranger's values
 * keeps constant time for a look-up.  It takes whole words, and kinds and lengths as words of their
 * own, so its results are not those of SipHash for the same bytes. */
#ifndef CUPEL_BASE_SIPHASH_H
#define CUPEL_BASE_SIPHASH_H

#include "base/hash.h"
#include "base/load.h"

struct cupel__siphash {
    uint64_t v0, v1, v2, v3;
};

static inline void cupel__siphash_round(struct cupel__siphash *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = cupel__rotl(s->v1, 13) ^ s->v0;
    s->v3 = cupel__rotl(s->v3, 16) ^ s->v2;
    s->v0 = cupel__rotl(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = cupel__rotl(s->v1, 17) ^ s->v2;
    s->v3 = cupel__rotl(s->v3, 21) ^ s->v0;
    s->v2 = cupel__rotl(s->v2, 32);
}

static inline void cupel__siphash_add(struct cupel__siphash *s, uint64_t word)
{
    s->v3 ^= word;
    cupel__siphash_round(s);
    s->v0 ^= word;
}

/* Begins a hash.  `path`, `kind` (below 256) and `size` keep inputs of different meaning apart. */
static inline struct cupel__siphash cupel__siphash_start(const uint64_t key[2], uint64_t path,
                                                         uint64_t kind, uint64_t size)
{
    struct cupel__siphash s = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                               key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
    cupel__siphash_add(&s, path);
    cupel__siphash_add(&s, kind | size << 8);
    return s;
}

static inline uint64_t cupel__siphash_end(struct cupel__siphash *s)
{
    s->v2 ^= 0xff;
    for (int i = 0; i < 3; i++)
        cupel__siphash_round(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

/* Adds n bytes, the last word padded with zeros: the caller has added n itself. */
static inline void cupel__siphash_add_bytes(struct cupel__siphash *s, const char *p, size_t n)
{
    for (; n >= 8; p += 8, n -= 8)
        cupel__siphash_add(s, cupel__load64(p));
    if (n > 0)
        cupel__siphash_add(s, cupel__load_partial(p, n));
}

#endif
