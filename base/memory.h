/* memory.h: allocation through a struct cupel_alloc, and the arena.
 *
 * Everything here reports failure by returning NULL or CUPEL_E_NO_MEMORY; nothing aborts. */
#ifndef CUPEL_BASE_MEMORY_H
#define CUPEL_BASE_MEMORY_H

#include <cupel/alloc.h>
#include <cupel/error.h>
#include <cupel/text.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether nearly every piece of memory is asked for by itself (the option small_blocks): tests see
 * each of them fail, and sanitizers see what runs over its end. */
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

/* Makes room for at least `need` elements of `size` bytes in a growable array: *cap is the capacity
 * in elements and grows at least by half.  On failure everything is unchanged. */
enum cupel_status cupel__grow(const struct cupel_alloc *a, void **array, size_t *cap, size_t need,
                              size_t size);

/* An arena: allocation by bumping a pointer, freed whole.  Memory is zeroed, unless that is said
 * otherwise, and aligned to 16. */
struct cupel__arena {
    struct cupel_alloc alloc;
    struct cupel__arena_block *block; /* the newest; each links to the one before it */
    size_t used, cap;                 /* of the newest block */
    size_t zeroed;                    /* where zeroes end that begin at `used`; never before that */
    size_t total;                     /* bytes of all blocks */
    size_t limit;                     /* on `total`; 0 is none */
    bool limited;                     /* an allocation was refused because of it */
};

void cupel__arena_init(struct cupel__arena *, const struct cupel_alloc *alloc, size_t limit);
void cupel__arena_free(struct cupel__arena *);
/* Makes the first block of an arena so large, if it can be had: what is allocated may then be no
 * more than that block. */
void cupel__arena_reserve(struct cupel__arena *, size_t size);
/* Takes back what was allocated and keeps the memory, as one block if it can be had: what is
 * allocated next, up to the same amount, asks for nothing. */
void cupel__arena_reset(struct cupel__arena *);
/* NULL when out of memory or over the limit; size 0 gives a pointer that must not be read. */
void *cupel__arena_alloc(struct cupel__arena *, size_t size);
/* The same, but what is in it is not said. */
void *cupel__arena_alloc_uninit(struct cupel__arena *, size_t size);
/* count * size with the overflow checked, zeroed. */
void *cupel__arena_array(struct cupel__arena *, size_t count, size_t size);

/* A pointer and a length; the bytes may hold NUL and are not terminated. */
struct cupel__str {
    const char *p;
    size_t n;
};

#define CUPEL__STR(literal) ((struct cupel__str){(literal), sizeof(literal) - 1})

bool cupel__str_eq(struct cupel__str a, struct cupel__str b);
/* memcmp order, then the shorter first. */
int cupel__str_cmp(struct cupel__str a, struct cupel__str b);
/* A copy in the arena; p is NULL when out of memory. */
struct cupel__str cupel__str_dup(struct cupel__arena *, struct cupel__str);

/* Fills *err (if not NULL): status, the detail by printf format; where = "" and no place.  Control
 * characters and invalid UTF-8 are replaced by "?".  Returns `status`. */
enum cupel_status cupel__error_set(struct cupel_error *err, enum cupel_status status,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Sets err->where (if err is not NULL), cut at a code point with "…". */
void cupel__error_set_pointer(struct cupel_error *err, const char *pointer, size_t n);
/* Line and column of the byte after a text, given those of its first.  Continuation bytes are not
 * counted, which counts code points, and gives a sensible column in text that is not UTF-8 too. */
void cupel__advance_position(const char *text, size_t n, uint32_t *line, uint32_t *column);
/* Fills offset, line and column of `offset` in a text (if err is not NULL). */
void cupel__error_set_position(struct cupel_error *err, const char *text, size_t len,
                               size_t offset);

#endif
