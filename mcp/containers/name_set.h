/* name_set.h: a map from names to numbers (name_set.c). */
#ifndef CUPEL_MCP_NAME_SET_H
#define CUPEL_MCP_NAME_SET_H

#include <cupel/common.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cupel__mcp_name {
    uint64_t hash; /* 0: an empty slot */
    const char *bytes;
    size_t len;
    uint32_t value;
};

/* A hash table with open addressing, at most half full.  The hash has a secret key, because the
 * names come from untrusted peers.  The set refers to the names and does not own them. */
struct cupel__mcp_names {
    struct cupel_alloc alloc;
    uint64_t key[2];
    struct cupel__mcp_name *slots;
    size_t capacity, count; /* the capacity is a power of two, or 0 */
};

/* Returns the host's hash key, or a random one if the options are NULL or have none. */
void cupel__mcp_hash_key(const struct cupel_options *, uint64_t ret_key[2]);
/* Allocates slots for `more` names; false when out of memory. */
bool cupel__mcp_names_reserve(struct cupel__mcp_names *names, size_t more);
struct cupel__mcp_name *cupel__mcp_names_find(const struct cupel__mcp_names *names,
                                              const char *bytes, size_t len);
/* Adds a name that is not in the set yet, after cupel__mcp_names_reserve. */
void cupel__mcp_names_put(struct cupel__mcp_names *names, const char *bytes, size_t len,
                          uint32_t value);
/* Returns the slot of a name, after cupel__mcp_names_reserve.  Adds one without bytes if the name
 * is not in the set yet; the caller sets `bytes` to a copy that lives long enough, and the value.
 */
struct cupel__mcp_name *cupel__mcp_names_slot(struct cupel__mcp_names *names, const char *bytes,
                                              size_t len);
/* Removes all names; keeps the memory of a small table. */
void cupel__mcp_names_clear(struct cupel__mcp_names *names);
void cupel__mcp_names_free(struct cupel__mcp_names *names);

#endif
