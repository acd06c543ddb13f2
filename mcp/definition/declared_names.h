/* declared_names.h: the names that an input schema declares, by their case-folded letters
 * (declared_names.c). */
#ifndef CUPEL_MCP_DECLARED_NAMES_H
#define CUPEL_MCP_DECLARED_NAMES_H

#include "mcp/containers/pool.h"

#include <stdbool.h>
#include <stdint.h>

/* A hash table with open addressing, in the memory of a pool. */
struct cupel__declared_names {
    struct cupel__declared_name *slots;
    uint32_t count, capacity; /* the capacity is a power of two, or 0 */
    bool incomplete;          /* references may reach declarations that are not in the table */
};

/* Adds a name with memory of the pool.  False when out of memory. */
bool cupel__declared_names_add(struct cupel__declared_names *names, struct cupel__mcp_pool *pool,
                               const char *bytes, size_t len);

/* Whether the name of an argument may be confused with a declared one: it holds NUL, or it folds to
 * a declared name and is another spelling.  False for a name that is certainly harmless wherever it
 * stands; true means that its place in the schema decides. */
bool cupel__declared_names_confusable(const struct cupel__declared_names *names, const char *bytes,
                                      size_t len);

#endif
