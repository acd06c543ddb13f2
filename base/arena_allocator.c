/* arena_allocator.c: the reallocation function over an arena.
 *
 * The newest allocation of the arena grows and shrinks in place.  Any other is copied when it
 * grows, and its old bytes stay unused until the arena is freed. */
#include "base/arena_allocator.h"
#include <string.h>

/* The bytes that the arena uses for an allocation of this size. */
static size_t rounded(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

static bool is_newest(const struct cupel__arena *arena, const char *p, size_t size)
{
    return p + rounded(size) == (const char *)arena->block + arena->used;
}

/* Resizes the newest allocation, if the block has space for it.  Bytes that the allocation gives up
 * or takes have been written, or must not be zeroed again, so `zeroed` moves behind them. */
static bool resize_newest(struct cupel__arena *arena, size_t old_size, size_t new_size)
{
    size_t start = arena->used - rounded(old_size);
    if (rounded(new_size) > arena->cap - start)
        return false;
    arena->used = start + rounded(new_size);
    if (new_size < old_size || arena->zeroed < arena->used)
        arena->zeroed = arena->used;
    return true;
}

static void *region_realloc(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct cupel__arena *arena = ctx;
    if (p != NULL && is_newest(arena, p, old_size) && new_size <= PTRDIFF_MAX / 2 &&
        resize_newest(arena, old_size, new_size))
        return p;
    void *moved = new_size != 0 ? cupel__arena_alloc_uninit(arena, new_size) : NULL;
    if (moved != NULL && old_size != 0)
        memcpy(moved, p, old_size < new_size ? old_size : new_size);
    return moved;
}

struct cupel_alloc cupel__arena_allocator(struct cupel__arena *arena)
{
    return (struct cupel_alloc){region_realloc, arena};
}
