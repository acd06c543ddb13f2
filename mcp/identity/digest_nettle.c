/* digest_nettle.c: SHA-256 by Nettle, for builds that have it. */
#include "mcp/identity/canonical.h"

#include <nettle/sha2.h>

bool cupel__sha256(const char *bytes, size_t len, unsigned char ret[CUPEL_DIGEST_BYTES])
{
    struct sha256_ctx state;
    sha256_init(&state);
    sha256_update(&state, len, (const unsigned char *)bytes);
    sha256_digest(&state, CUPEL_DIGEST_BYTES, ret);
    return true;
}
