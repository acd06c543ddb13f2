/* arena_allocator.h: an arena as a struct cupel_alloc.
 *
 * Most arrays of a compilation grow and live until its end, so freeing them one by one costs more
 * than it saves.  The newest allocation is resized in place, and memory that is freed in the
 * reverse order of its allocation is used again. */
#ifndef CUPEL_BASE_ARENA_ALLOCATOR_H
#define CUPEL_BASE_ARENA_ALLOCATOR_H

#include "base/memory.h"

/* An allocator whose memory is freed with the arena.  It refers to the arena, which must not move.
 */
struct cupel_alloc cupel__arena_allocator(struct cupel__arena *);

#endif
