/* digest_none.c: no SHA-256, for builds without Nettle: pins are CUPEL_E_UNSUPPORTED. */
#include "mcp/identity/canonical.h"

bool cupel__sha256(const char *bytes, size_t len, unsigned char ret[CUPEL_DIGEST_BYTES])
{
    (void)bytes;
    (void)len;
    (void)ret;
    return false;
}
