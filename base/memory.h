/* memory.h: allocation through a struct cupel_alloc, the arena, and slices of bytes.
 *
 * Every failure is reported by NULL or CUPEL_E_NO_MEMORY; nothing aborts. */
#ifndef CUPEL_BASE_MEMORY_H
#define CUPEL_BASE_MEMORY_H

#include <cupel/common.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The build option small_blocks: nearly every piece of memory is an allocation of its own.  Tests
 * then see each of them fail, and sanitizers see accesses beyond its end. */
#ifndef CUPEL__SMALL_BLOCKS
#    define CUPEL__SMALL_BLOCKS 0
#endif

/* The given allocator, or the C library's if `alloc` is NULL. */
struct cupel_alloc cupel__alloc_or_default(const struct cupel_alloc *alloc);

static inline void *cupel__realloc(const struct cupel_alloc *a, void *p, size_t old, size_t size)
{
    return a->realloc(a->ctx, p, old, size);
}

static inline void cupel__free(const struct cupel_alloc *a, void *p, size_t size)
{
    if (p != NULL)
        (void)a->realloc(a->ctx, p, size, 0);
}

/* Grows an array to hold at least `need` elements of `size` bytes.  *cap is its capacity in
 * elements; it grows by half at least, so that appending takes amortised constant time.  On failure
 * array and capacity are unchanged. */
enum cupel_status cupel__grow(const struct cupel_alloc *a, void **array, size_t *cap, size_t need,
                              size_t size);

/* -- Arena ------------------------------------------------------------------------------------- */

/* Allocates by moving a pointer through blocks, which are freed together.  Memory is zeroed unless
 * a function says otherwise, and aligned to 16 bytes. */
struct cupel__arena {
    struct cupel_alloc alloc;
    struct cupel__arena_block *block; /* the newest; each links to the one before it */
    size_t used, cap;                 /* of the newest block */
    size_t zeroed; /* the bytes from `used` up to this offset are zero; never below `used` */
    size_t total;  /* bytes of all blocks */
    size_t limit;  /* on `total`; 0: none */
    bool limited;  /* an allocation failed because of the limit, not of the allocator */
};

void cupel__arena_init(struct cupel__arena *, const struct cupel_alloc *alloc, size_t limit);
void cupel__arena_free(struct cupel__arena *);

/* Allocates the first block with this size, if possible, so that allocations of so many bytes in
 * all need no other block. */
void cupel__arena_reserve(struct cupel__arena *, size_t size);

/* Ends the life of all allocations and keeps the memory, as one block if possible: later
 * allocations of as many bytes do not call the allocator. */
void cupel__arena_reset(struct cupel__arena *);

/* NULL when out of memory or over the limit; size 0 gives a pointer that must not be read. */
void *cupel__arena_alloc(struct cupel__arena *, size_t size);
/* The same without zeroing. */
void *cupel__arena_alloc_uninit(struct cupel__arena *, size_t size);
/* count * size zeroed bytes; an overflow of the product counts as out of memory. */
void *cupel__arena_array(struct cupel__arena *, size_t count, size_t size);

/* -- Slices ------------------------------------------------------------------------------------ */

/* A pointer and a length.  The bytes may include NUL and are not terminated by one. */
struct cupel__str {
    const char *p;
    size_t n;
};

#define CUPEL__STR(literal) ((struct cupel__str){(literal), sizeof(literal) - 1})

bool cupel__str_eq(struct cupel__str a, struct cupel__str b);
/* The order of memcmp; of a string and its prefix the prefix comes first. */
int cupel__str_cmp(struct cupel__str a, struct cupel__str b);
/* A copy in the arena; p is NULL when out of memory. */
struct cupel__str cupel__str_dup(struct cupel__arena *, struct cupel__str);

#endif
