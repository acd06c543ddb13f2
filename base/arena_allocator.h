/* region.h: an arena that serves where a struct cupel_alloc is asked for.
 *
 * Most of what a compilation makes grows and lives as long as the compilation itself: giving it
 * back one by one costs more than keeping it.  What is freed last-in first-out is used again at
 * once. */
#ifndef CUPEL_BASE_ARENA_ALLOCATOR_H
#define CUPEL_BASE_ARENA_ALLOCATOR_H

#include "base/memory.h"

/* Both are freed with the arena, which has to stay where it is. */
struct cupel_alloc cupel__arena_allocator(struct cupel__arena *);

#endif
