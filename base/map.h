/* map.h: a table from words to words that is emptied at once.
 *
 * For what a run works out and the next must not see: entries carry the number of their run, so
 * that starting one costs nothing however large the table has become.  The table does not grow by
 * itself; whoever owns the memory gives it more slots while no run is on.  A key may be there
 * several times. Probes are not charged: the table is at most half full, and a key is spread over
 * all of it. */
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
    struct cupel__slot *slots; /* zeroed when they are new */
    size_t n;                  /* slots, a power of two, or 0 */
    size_t max_slots;          /* slots that there may ever be */
    size_t used;
    size_t need; /* slots that were missing; 0: none */
    uint32_t generation;
};

/* Empties the table. */
static inline void cupel__map_clear(struct cupel__map *m)
{
    m->used = m->need = 0;
    if (__builtin_expect(++m->generation != 0, 1))
        return;
    m->generation = 1; /* once in 2^32 runs */
    if (m->n > 0)
        memset(m->slots, 0, m->n * sizeof *m->slots);
}

/* The next entry of the key: *at is 0 at first.  NULL when there is none; *at is then where it
 * would be. */
static inline struct cupel__slot *cupel__map_next(const struct cupel__map *m, uint64_t key,
                                                  size_t *at)
{
    size_t mask = m->n - 1, i = (*at == 0 ? (size_t)cupel__hash_add(0, key) : *at) & mask;
    for (; m->n > 0 && m->slots[i].generation == m->generation; i = (i + 1) & mask) {
        if (m->slots[i].key != key)
            continue;
        *at = i + 1 + m->n;
        return &m->slots[i];
    }
    *at = i + m->n;
    return NULL;
}

/* Whether n more entries fit.  If not, `need` says how many slots that takes, or is 0 when the
 * table is as large as it may be. */
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

/* Puts an entry where cupel__map_next found none; there is room. */
static inline void cupel__map_put(struct cupel__map *m, size_t at, uint64_t key, uint32_t value)
{
    m->slots[at & (m->n - 1)] = (struct cupel__slot){key, m->generation, value};
    m->used++;
}

#endif
