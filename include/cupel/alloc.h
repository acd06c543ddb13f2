/* alloc.h: the one way cupel obtains memory.
 *
 * Every object that owns memory is created with an allocator and gives everything back to that
 * allocator; there are no globals and no other source of memory.  A NULL allocator means the C
 * library's realloc and free. */
#ifndef CUPEL_ALLOC_H
#define CUPEL_ALLOC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An allocator.  Frozen: this struct never changes.  It is copied into each object, so it may be
 * temporary; `ctx` must outlive the objects.
 *
 * realloc(ctx, ptr, old_size, new_size), sizes in bytes:
 *   ptr == NULL            allocate new_size bytes (old_size is 0)
 *   new_size == 0          free ptr; the return value is ignored
 *   otherwise              resize, keeping the first min(old_size, new_size) bytes
 * Returns memory aligned for any object (max_align_t), or NULL, in which case `ptr` is still valid.
 * Threads: called only from the thread that is inside a cupel call on that object. */
struct cupel_alloc {
    void *(*realloc)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *ctx;
};

#ifdef __cplusplus
}
#endif

#endif
