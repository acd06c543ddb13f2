/* memory.c: the allocator, the arena, slices of bytes, and filling of struct cupel_error.
 *
 * What the bytes mean is left to the callers, with one exception: text that leaves the library in
 * an error is made well-formed here, because it may come from anywhere. */
#include "base/memory.h"

#include "base/always.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Allocation ------------------------------------------------------------------------------- */

enum { GROW_FIRST = CUPEL__SMALL_BLOCKS ? 1 : 8 }; /* elements of an array when it begins */

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

/* The capacity to ask for, or 0 if `need` elements are more than an object can hold. */
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
    /* The caller's variable is a pointer to its element type, seen here as void *; going through
     * memcpy keeps that legal under the aliasing rules. */
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
    ARENA_AHEAD = 1024 /* what is zeroed with an allocation for those behind it */
};

struct cupel__arena_block {
    struct cupel__arena_block *prev;
    size_t size;
};

/* Room for the header and for aligning the first allocation after it. */
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

/* An allocation too large to share a block gets its own, linked behind the newest so that the room
 * left in that one is still used. */
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

/* What is allocated next comes from this block. */
static void begin_block(struct cupel__arena *arena, struct cupel__arena_block *b)
{
    b->prev = arena->block;
    arena->block = b;
    arena->used = arena->zeroed = block_start(b);
    arena->cap = b->size;
}

/* Starts a new block with room for `size`; one of just that size where the limit allows no more. */
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

/* Moves the pointer; what was allocated may be in a block of its own. */
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

/* What the zeroes at hand do not suffice for. */
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
    if (size == 0 || size > arena->zeroed || used > arena->zeroed)
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

/* -- Errors ----------------------------------------------------------------------------------- */

static const char ellipsis[] = "\xe2\x80\xa6";

/* Copies n bytes of anything into a field of a struct cupel_error: NUL-terminated UTF-8 without
 * control characters, cut at a code point with an ellipsis if it is too long. */
static void set_field(char *field, size_t size, const char *bytes, size_t n)
{
    const char *p = bytes, *const end = n == 0 ? p : p + n;
    size_t used = 0, cut = 0; /* cut: the longest text after which an ellipsis still fits */
    while (p < end) {
        uint32_t cp = 0;
        unsigned length = cupel__utf8_decode(p, end, &cp);
        bool replace = length == 0 || cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
        size_t out = replace ? 1 : length;
        if (used + out > size - 1) {
            memcpy(field + cut, ellipsis, sizeof ellipsis);
            return;
        }
        if (replace)
            field[used] = '?';
        else
            memcpy(field + used, p, length);
        used += out;
        p += length == 0 ? 1 : length;
        if (used <= size - sizeof ellipsis)
            cut = used;
    }
    field[used] = '\0';
}

enum cupel_status cupel__error_set(struct cupel_error *err, enum cupel_status status,
                                   const char *format, ...)
{
    if (err == NULL)
        return status;
    /* Longer than the field even after every two-byte control character has become one "?", so that
     * a text cut here is always cut again, and marked, by set_field. */
    char text[2 * sizeof err->detail + 64];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t length = NEVER(n < 0) ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    err->status = status;
    err->line = err->column = 0;
    err->offset = 0;
    err->where[0] = '\0';
    set_field(err->detail, sizeof err->detail, text, length);
    return status;
}

void cupel__error_set_pointer(struct cupel_error *err, const char *pointer, size_t n)
{
    if (err != NULL)
        set_field(err->where, sizeof err->where, pointer, n);
}

/* A line ends with U+000A, so CR LF is one end of line. */
void cupel__advance_position(const char *text, size_t n, uint32_t *line, uint32_t *column)
{
    const char *end = text + n, *newline;
    while (n > 0 && (newline = memchr(text, '\n', n)) != NULL) {
        *line += *line != UINT32_MAX;
        *column = 1;
        text = newline + 1;
        n = (size_t)(end - text);
    }
    size_t characters = cupel__utf8_count(text, n);
    *column += (uint32_t)(characters < UINT32_MAX - *column ? characters : UINT32_MAX - *column);
}

void cupel__error_set_position(struct cupel_error *err, const char *text, size_t len, size_t offset)
{
    if (err == NULL)
        return;
    err->offset = offset < len ? offset : len;
    err->line = err->column = 1;
    cupel__advance_position(text, (size_t)err->offset, &err->line, &err->column);
}
