/* declared_names.h: the names that an input schema declares, by their case-folded letters
 * (declared_names.c). */
#ifndef CUPEL_MCP_DECLARED_NAMES_H
#define CUPEL_MCP_DECLARED_NAMES_H

#include "mcp/containers/pool.h"

#include <stdbool.h>
#include <stdint.h>

/* Two hash tables with open addressing, in the memory of a pool.  Capacities are powers of two, or
 * 0. */
struct cupel__declared_names {
    struct cupel__declared_name *slots; /* by the hash of the folded letters */
    uint32_t count, capacity;
    uint32_t exact_capacity;
    struct cupel__exact_name *exact; /* names that are the only spelling of their letters */
    bool incomplete; /* references may reach declarations that are not in the table */
    bool patterns;   /* patternProperties may declare names that are not in the table */
};

/* Adds a name with memory of the pool.  False when out of memory. */
bool cupel__declared_names_add(struct cupel__declared_names *names, struct cupel__mcp_pool *pool,
                               const char *bytes, size_t len);

/* Makes the table of exact names once all were added.  False when out of memory. */
bool cupel__declared_names_finish(struct cupel__declared_names *names,
                                  struct cupel__mcp_pool *pool);

/* Whether the name of an argument may be confused with a declared one: it holds NUL, or it folds to
 * a declared name and is another spelling, or there are patterns.  False for a name that is
 * certainly harmless wherever it stands; true means that its place in the schema decides. */
bool cupel__declared_names_confusable(const struct cupel__declared_names *names, const char *bytes,
                                      size_t len);

#endif
