/* pool.h: memory that is freed all at once (pool.c). */
#ifndef CUPEL_MCP_POOL_H
#define CUPEL_MCP_POOL_H

#include <cupel/common.h>
#include <stddef.h>

/* Returns the given allocator, or the one of the C library if its function is NULL. */
struct cupel_alloc cupel__mcp_alloc(const struct cupel_alloc *alloc);

struct cupel__mcp_block;

struct cupel__mcp_pool {
    struct cupel_alloc alloc;
    struct cupel__mcp_block *block; /* the newest; each links to the one before it */
    size_t used;                    /* bytes of the newest block */
};

/* Returns zeroed memory, aligned for any type; NULL when out of memory. */
void *cupel__mcp_pool_get(struct cupel__mcp_pool *pool, size_t size);
/* Returns a copy followed by a NUL; NULL when out of memory. */
char *cupel__mcp_pool_copy(struct cupel__mcp_pool *pool, const char *bytes, size_t len);
/* Frees everything that was allocated since `mark` was copied from the pool. */
void cupel__mcp_pool_rewind(struct cupel__mcp_pool *pool, struct cupel__mcp_pool mark);

#endif
