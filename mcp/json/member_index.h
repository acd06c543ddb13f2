/* member_index.h: members of JSON objects by hash (member_index.c). */
#ifndef CUPEL_MCP_MEMBER_INDEX_H
#define CUPEL_MCP_MEMBER_INDEX_H

#include "mcp/containers/name_set.h"
#include "mcp/containers/pool.h"

#include <cupel/common.h>
#include <cupel/json.h>

/* A map from (owner, name) to a node.  Owners below 2^32 are the nodes of objects; callers number
 * their own owners from CUPEL__FIRST_OWNER. */
struct cupel__member_index {
    struct cupel__mcp_pool pool; /* owns the keys */
    struct cupel__mcp_names names;
    struct cupel_text scratch; /* the key of a look-up */
    bool failed;               /* out of memory */
};

#define CUPEL__FIRST_OWNER (UINT64_C(2) << 32)

void cupel__member_index_init(struct cupel__member_index *index, const struct cupel_alloc *alloc);
void cupel__member_index_free(struct cupel__member_index *index);
/* Adds a name under an owner and returns CUPEL_NO_NODE, or returns the value that it has there
 * already.  Sets index->failed when out of memory. */
uint32_t cupel__member_index_add(struct cupel__member_index *index, uint64_t owner,
                                 const char *name, size_t len, uint32_t value);
/* Returns the value of a name under an owner, or CUPEL_NO_NODE. */
uint32_t cupel__member_index_find(struct cupel__member_index *index, uint64_t owner,
                                  const char *name, size_t len);
/* Like cupel_json_member, in constant time: indexes an object of many members at its first look-up.
 * Finds items of arrays by their numbers in decimal, as JSON Pointers write them. */
uint32_t cupel__member_index_member(struct cupel__member_index *index, struct cupel_document *doc,
                                    uint32_t node, const char *name, size_t len);

#endif
