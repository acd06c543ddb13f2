/* digest_none.c: in place of digest_nettle.c in a build without Nettle: pins are not supported. */
#include "mcp/identity/canonical.h"

bool cupel__sha256(const char *bytes, size_t len, unsigned char ret[CUPEL_DIGEST_BYTES])
{
    (void)bytes;
    (void)len;
    (void)ret;
    return false;
}
