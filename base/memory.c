/* memory.c: the default allocator, growing arrays, the arena, and slices of bytes.
 *
 * The arena is a list of blocks, the newest first.  Blocks double in size up to ARENA_STEP_MAX; an
 * allocation too large to share one gets a block of its own behind the newest.  Invariant: the
 * bytes of the newest block from `used` up to `zeroed` are zero, so that most allocations need no
 * memset. */
#include "base/memory.h"

#include "base/always.h"
#include <stdlib.h>
#include <string.h>

/* -- Allocation ------------------------------------------------------------------------------- */

enum { GROW_FIRST = CUPEL__SMALL_BLOCKS ? 1 : 8 }; /* the first capacity of an array */

static void *libc_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

struct cupel_alloc cupel__alloc_or_default(const struct cupel_alloc *alloc)
{
    return alloc != NULL ? *alloc : (struct cupel_alloc){libc_realloc, NULL};
}

/* The new capacity, or 0 if `need` elements are larger than any object may be. */
static size_t grown_cap(size_t cap, size_t need, size_t size)
{
    const size_t most = PTRDIFF_MAX / size;
    if (need > most)
        return 0;
    size_t want = cap + cap / 2; /* no overflow: cap is at most PTRDIFF_MAX */
    if (want < GROW_FIRST)
        want = GROW_FIRST;
    if (want > most)
        want = most;
    return want < need ? need : want;
}

enum cupel_status cupel__grow(const struct cupel_alloc *a, void **array, size_t *cap, size_t need,
                              size_t size)
{
    if (need <= *cap)
        return CUPEL_OK;
    size_t grown = grown_cap(*cap, need, size);
    if (grown == 0)
        return CUPEL_E_NO_MEMORY;
    /* The caller's variable points to its element type and is seen here as void *; copying it with
     * memcpy follows the aliasing rules. */
    void *p;
    memcpy(&p, (const void *)array, sizeof p);
    p = cupel__realloc(a, p, *cap * size, grown * size);
    if (p == NULL)
        return CUPEL_E_NO_MEMORY;
    memcpy((void *)array, &p, sizeof p);
    *cap = grown;
    return CUPEL_OK;
}

/* -- Arena ------------------------------------------------------------------------------------ */

enum {
    ARENA_ALIGN = 16,
    ARENA_FIRST = CUPEL__SMALL_BLOCKS ? 56 : 4096,           /* size of the first block */
    ARENA_STEP_MAX = CUPEL__SMALL_BLOCKS ? 128 : 256 * 1024, /* blocks double up to here */
    ARENA_AHEAD = 1024 /* bytes zeroed at once, for this allocation and later ones */
};

struct cupel__arena_block {
    struct cupel__arena_block *prev;
    size_t size;
};

/* The most bytes of a block before its first allocation: the header and the alignment. */
#define ARENA_HEAD (sizeof(struct cupel__arena_block) + ARENA_ALIGN)

void cupel__arena_init(struct cupel__arena *arena, const struct cupel_alloc *alloc, size_t limit)
{
    *arena = (struct cupel__arena){.alloc = cupel__alloc_or_default(alloc), .limit = limit};
}

void cupel__arena_free(struct cupel__arena *arena)
{
    for (struct cupel__arena_block *b = arena->block, *prev; b != NULL; b = prev) {
        prev = b->prev;
        cupel__free(&arena->alloc, b, b->size);
    }
    arena->block = NULL;
    arena->used = arena->cap = arena->zeroed = arena->total = 0;
    arena->limited = false;
}

/* A block of `size` bytes, header included, that is not yet linked; NULL with `limited` set when
 * the limit forbids it. */
static struct cupel__arena_block *new_block(struct cupel__arena *arena, size_t size)
{
    if (arena->limit != 0 &&
        (NEVER(arena->total > arena->limit) || size > arena->limit - arena->total)) {
        arena->limited = true;
        return NULL;
    }
    TESTCASE(size == arena->limit - arena->total);
    struct cupel__arena_block *b = cupel__realloc(&arena->alloc, NULL, 0, size);
    if (b == NULL)
        return NULL;
    *b = (struct cupel__arena_block){.size = size};
    arena->total += size;
    return b;
}

/* The offset of the first aligned byte after a block's header. */
static size_t block_start(const struct cupel__arena_block *b)
{
    uintptr_t data = (uintptr_t)(b + 1);
    return sizeof *b + (size_t)(-data % ARENA_ALIGN);
}

/* Gives an allocation that is too large to share a block one of its own, linked behind the newest,
 * so that the space left in the newest is still used. */
static void *alloc_alone(struct cupel__arena *arena, size_t size)
{
    struct cupel__arena_block *b = new_block(arena, size + ARENA_HEAD);
    if (b == NULL)
        return NULL;
    if (arena->block != NULL) {
        b->prev = arena->block->prev;
        arena->block->prev = b;
    } else {
        arena->block = b;
        arena->used = arena->cap = arena->zeroed = b->size;
    }
    return (char *)b + block_start(b);
}

/* Makes this block the newest. */
static void begin_block(struct cupel__arena *arena, struct cupel__arena_block *b)
{
    b->prev = arena->block;
    arena->block = b;
    arena->used = arena->zeroed = block_start(b);
    arena->cap = b->size;
}

/* Adds a block for an allocation of `size` bytes; one of just that size if the limit or the
 * allocator gives no more. */
static bool next_block(struct cupel__arena *arena, size_t size)
{
    size_t step = arena->block == NULL ? ARENA_FIRST : arena->block->size * 2;
    if (step > ARENA_STEP_MAX)
        step = ARENA_STEP_MAX;
    if (step < size + ARENA_HEAD)
        step = size + ARENA_HEAD;
    struct cupel__arena_block *b = new_block(arena, step);
    if (b == NULL && step > size + ARENA_HEAD)
        b = new_block(arena, size + ARENA_HEAD);
    if (b == NULL)
        return false;
    begin_block(arena, b);
    return true;
}

void cupel__arena_reset(struct cupel__arena *arena)
{
    struct cupel__arena_block *b = arena->block;
    size_t total = arena->total;
    arena->limited = false;
    if (b == NULL)
        return;
    if (b->prev == NULL) {
        arena->used = arena->zeroed = block_start(b);
        return;
    }
    cupel__arena_free(arena);
    b = new_block(arena, total);
    if (b != NULL)
        begin_block(arena, b);
}

void cupel__arena_reserve(struct cupel__arena *arena, size_t size)
{
    if (arena->block == NULL && size > ARENA_FIRST && size <= ARENA_STEP_MAX)
        (void)next_block(arena, size - ARENA_HEAD);
}

/* Takes `size` bytes, rounded up to the alignment, from the newest block, a new one, or one of
 * their own (*ret_alone).  Does not look at `zeroed`. */
static char *bump(struct cupel__arena *arena, size_t size, bool *ret_alone)
{
    if (size > PTRDIFF_MAX - ARENA_HEAD - ARENA_ALIGN)
        return NULL;
    size = size == 0 ? ARENA_ALIGN : (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    *ret_alone = size > arena->cap - arena->used && size > ARENA_STEP_MAX / 4;
    if (*ret_alone)
        return alloc_alone(arena, size);
    if (size > arena->cap - arena->used && !next_block(arena, size))
        return NULL;
    char *p = (char *)arena->block + arena->used;
    arena->used += size;
    return p;
}

void *cupel__arena_alloc_uninit(struct cupel__arena *arena, size_t size)
{
    bool alone;
    void *p = bump(arena, size, &alone);
    if (arena->zeroed < arena->used)
        arena->zeroed = arena->used;
    return p;
}

/* cupel__arena_alloc where the zeroed bytes do not suffice: zeroes ARENA_AHEAD bytes more. */
static __attribute__((noinline)) void *alloc_more(struct cupel__arena *arena, size_t size)
{
    bool alone;
    char *p = bump(arena, size, &alone);
    if (p != NULL && alone)
        memset(p, 0, size);
    else if (p != NULL && arena->zeroed < arena->used) {
        size_t left = arena->cap - arena->used;
        size_t to = arena->used + (left < ARENA_AHEAD ? left : ARENA_AHEAD);
        memset((char *)arena->block + arena->zeroed, 0, to - arena->zeroed);
        arena->zeroed = to;
    }
    return p;
}

void *cupel__arena_alloc(struct cupel__arena *arena, size_t size)
{
    size_t used = arena->used + ((size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1));
    if (size == 0 || size > arena->zeroed || used > arena->zeroed) /* the second: no overflow */
        return alloc_more(arena, size);
    void *p = (char *)arena->block + arena->used;
    arena->used = used;
    return p;
}

void *cupel__arena_array(struct cupel__arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return cupel__arena_alloc(arena, bytes);
}

/* -- Strings ---------------------------------------------------------------------------------- */

bool cupel__str_eq(struct cupel__str a, struct cupel__str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

int cupel__str_cmp(struct cupel__str a, struct cupel__str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n == 0 ? 0 : memcmp(a.p, b.p, n);
    return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

struct cupel__str cupel__str_dup(struct cupel__arena *arena, struct cupel__str s)
{
    char *p = cupel__arena_alloc(arena, s.n);
    if (p == NULL)
        return (struct cupel__str){NULL, 0};
    if (s.n != 0)
        memcpy(p, s.p, s.n);
    return (struct cupel__str){p, s.n};
}
