/* map.h: a hash table from 64-bit to 32-bit words that is cleared in constant time.
 *
 * It holds results of one run that the next must not see.  Each slot carries the generation in
 * which it was written, and clearing only begins a new generation, however large the table is.
 *
 * The table does not grow by itself: its owner allocates the slots, and resizes them between runs
 * by the `need` that a full table leaves.  Several entries may have the same key.
 *
 * Open addressing with linear probing, at most half full, so a probe sequence is short and is not
 * charged to any budget. */
#ifndef CUPEL_BASE_MAP_H
#define CUPEL_BASE_MAP_H

#include "base/hash.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cupel__slot {
    uint64_t key;
    uint32_t generation, value;
};

struct cupel__map {
    struct cupel__slot *slots; /* the owner's; new ones must be zeroed */
    size_t n;                  /* slots, a power of two, or 0 */
    size_t max_slots;          /* that `need` may ask for */
    size_t used;
    size_t need; /* slots that cupel__map_has_capacity was short of; 0: none */
    uint32_t generation;
};

/* Removes all entries.  When the generations overflow, once in 2^32 runs, it zeroes the slots. */
static inline void cupel__map_clear(struct cupel__map *m)
{
    m->used = m->need = 0;
    if (__builtin_expect(++m->generation != 0, 1))
        return;
    m->generation = 1;
    if (m->n > 0)
        memset(m->slots, 0, m->n * sizeof *m->slots);
}

/* The next entry with the key, or NULL.  *at is 0 for the first call, and keeps the place in the
 * probe sequence between calls: after NULL it is where cupel__map_put must put a new entry. */
static inline struct cupel__slot *cupel__map_next(const struct cupel__map *m, uint64_t key,
                                                  size_t *at)
{
    size_t mask = m->n - 1, i = (*at == 0 ? (size_t)cupel__hash_add(0, key) : *at) & mask;
    for (; m->n > 0 && m->slots[i].generation == m->generation; i = (i + 1) & mask) {
        if (m->slots[i].key != key)
            continue;
        *at = i + 1 + m->n; /* never 0; the mask removes m->n */
        return &m->slots[i];
    }
    *at = i + m->n;
    return NULL;
}

/* Whether n more entries fit.  If not, `need` becomes the number of slots that they take, or 0 if
 * that is more than max_slots. */
static inline bool cupel__map_has_capacity(struct cupel__map *m, size_t n)
{
    if (n <= m->max_slots && 2 * (m->used + n) <= m->n)
        return true;
    size_t slots = 256;
    while (slots <= m->max_slots && slots < 4 * (m->used + n))
        slots *= 2;
    m->need = 0;
    while (slots > m->max_slots)
        slots /= 2;
    if (slots > m->n && 2 * (m->used + n) <= slots)
        m->need = slots;
    return false;
}

/* Adds an entry at the place where cupel__map_next ended.  There must be capacity for it. */
static inline void cupel__map_put(struct cupel__map *m, size_t at, uint64_t key, uint32_t value)
{
    m->slots[at & (m->n - 1)] = (struct cupel__slot){key, m->generation, value};
    m->used++;
}

#endif
