/* lock.h: the pins of the tools of a catalog (lock.c, lock_diff.c). */
#ifndef CUPEL_MCP_LOCK_INTERNAL_H
#define CUPEL_MCP_LOCK_INTERNAL_H

#include "mcp/containers/name_set.h"
#include "mcp/containers/pool.h"

#include "mcp/identity/canonical.h"

#include <cupel/pin.h>

enum { CUPEL_LOCK_VERSION = 2 };

#define CUPEL__NO_ENTRY UINT32_MAX

/* The pin of one tool.  Entries of one name form a list. */
struct cupel__lock_entry {
    const char *name;
    size_t name_len;
    uint32_t same;  /* the number of entries of this name before it */
    uint32_t next;  /* the next one of this name, or CUPEL__NO_ENTRY */
    uint32_t last;  /* in the first entry of a name: the last entry of that name */
    uint32_t count; /* in the first entry of a name: the number of its entries */
    struct cupel_pin pin;
    bool has_whole;
    unsigned char whole[CUPEL_DIGEST_BYTES]; /* CUPEL_PIN_ALL as version 1 has it */
};

struct cupel_lock {
    struct cupel__hasher hasher;
    struct cupel__mcp_pool pool;
    struct cupel__mcp_names names; /* to the first entry */
    struct cupel__lock_entry *entries;
    uint32_t count;
    int version;
};

#endif
