/* peer.c: yyjson, a reader in C, in the protocol of driver.h; memory from a pool that is used
 * again. */
#define PEER_PARSES_ONLY
#include "../driver.h"
#include "yyjson.h"

enum { POOL = 64 << 20 };

static yyjson_alc alloc;

static void peer_start(void)
{
    if (!yyjson_alc_pool_init(&alloc, malloc(POOL), POOL))
        fail("no memory");
}

static int peer_read(const char *text, size_t len)
{
    yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)text, len, 0, &alloc, NULL);
    int good = doc != NULL;
    yyjson_doc_free(doc);
    return good;
}
