/* test_arena.h: the arena of tests of the gateway. */
#ifndef CUPEL_TEST_ARENA_H
#define CUPEL_TEST_ARENA_H

#include "gateways/common/exchange/exchange.h"
#include <stdlib.h>

/* Blocks that are freed together.  The `fail_at`-th request fails (0: none; counted from 1). */
struct test_arena {
    unsigned long requests, fail_at;
    size_t bytes;
    struct test_block {
        struct test_block *next;
        size_t size; /* keeps what follows aligned */
    } * blocks;
};

static inline void *test_arena_take(void *ctx, size_t size)
{
    struct test_arena *arena = ctx;
    struct test_block *block;
    if (++arena->requests == arena->fail_at)
        return NULL;
    block = malloc(sizeof(*block) + size);
    if (block == NULL)
        return NULL;
    *block = (struct test_block){arena->blocks, size};
    arena->blocks = block;
    arena->bytes += size;
    return block + 1;
}

static inline struct cupel_gw_arena test_arena_of(struct test_arena *arena)
{
    return (struct cupel_gw_arena){test_arena_take, arena};
}

static inline void test_arena_free(struct test_arena *arena)
{
    while (arena->blocks != NULL) {
        struct test_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

#endif
