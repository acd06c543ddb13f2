/* pool.c: an arena allocator for data that lives as long as a catalog.
 *
 * A pool is a list of blocks of BLOCK bytes, or of one object that is larger.  The newest block is
 * filled from its start; `used` is the end of what is taken, including the block's own header.
 * Nothing is freed on its own: a copy of the pool is a mark to which it can be rewound. */
#include "mcp/containers/pool.h"

#include <cupel/common.h>
#include <stdbool.h>
#include <string.h>

struct cupel__mcp_block {
    struct cupel__mcp_block *before; /* the block that was filled before this one */
    size_t size;                     /* of the whole block */
};

enum {
    ALIGN = 16,
    HEAD = (sizeof(struct cupel__mcp_block) + ALIGN - 1) / ALIGN * ALIGN,
    BLOCK = 16384
};

/* The public interface has no function that returns the default allocator, but a text that is
 * initialised without an allocator holds it. */
struct cupel_alloc cupel__mcp_alloc(const struct cupel_alloc *alloc)
{
    struct cupel_text text;
    cupel_text_init(&text, alloc->realloc != NULL ? alloc : NULL);
    return text.alloc;
}

/* Allocates a block with at least `size` free bytes and makes it the newest. */
static bool add_block(struct cupel__mcp_pool *pool, size_t size)
{
    size_t total = HEAD + (size < BLOCK - HEAD ? BLOCK - HEAD : size);
    struct cupel__mcp_block *block = pool->alloc.realloc(pool->alloc.ctx, NULL, 0, total);
    if (block == NULL)
        return false;
    *block = (struct cupel__mcp_block){pool->block, total};
    pool->block = block;
    pool->used = HEAD;
    return true;
}

void *cupel__mcp_pool_get(struct cupel__mcp_pool *pool, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (pool->block == NULL || pool->block->size - pool->used < size) {
        if (!add_block(pool, size))
            return NULL;
    }
    void *result = (char *)pool->block + pool->used;
    pool->used += size;
    return memset(result, 0, size);
}

char *cupel__mcp_pool_copy(struct cupel__mcp_pool *pool, const char *bytes, size_t len)
{
    char *copy = cupel__mcp_pool_get(pool, len + 1);
    if (copy != NULL && len != 0)
        memcpy(copy, bytes, len);
    return copy;
}

void cupel__mcp_pool_rewind(struct cupel__mcp_pool *pool, struct cupel__mcp_pool mark)
{
    while (pool->block != mark.block) {
        struct cupel__mcp_block *block = pool->block;
        pool->block = block->before;
        pool->alloc.realloc(pool->alloc.ctx, block, block->size, 0);
    }
    pool->used = mark.used;
}
