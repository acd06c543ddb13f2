/* checksum.c: a fast checksum of 64 bits (cupel/catalog.h), also used for the fingerprint of
 * a catalog.  It detects damage; it has no cryptographic strength. */
#include "mcp/catalog/checksum.h"

#include <string.h>

enum { LANES = 4, WORD = 8, STRIPE = LANES * WORD };

/* Reads eight bytes, little-endian.  Unrolled, because compilers turn this into one load; with a
 * loop over the bytes the checksum takes six times the instructions. */
static uint64_t get_word(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/* Four lanes, so that the multiplications of one stripe run in parallel. */
uint64_t cupel_checksum(const void *bytes, size_t len)
{
    if (bytes == NULL && len > 0)
        return 0;
    const unsigned char *p = bytes;
    uint64_t lanes[LANES] = {1, 2, 3, 4}, sum = cupel__mcp_mix(0, len);
    unsigned char last[STRIPE] = {0};
    size_t remaining = len;
    for (; remaining >= STRIPE; remaining -= STRIPE, p += STRIPE)
        for (int i = 0; i < LANES; i++)
            lanes[i] = cupel__mcp_mix(lanes[i], get_word(p + i * WORD));
    if (remaining != 0)
        memcpy(last, p, remaining);
    for (int i = 0; i < LANES; i++)
        sum = cupel__mcp_mix(sum, cupel__mcp_mix(lanes[i], get_word(last + i * WORD)));
    return sum;
}
