/* store_entry.c: names that lead to blobs, and which of them go when there are too many.
 *
 * Entries are rows of a set-associative table: a name can stand in WAYS rows.  A row is written
 * while its version is 0 and published by storing a new version.  Versions are never used twice,
 * so a worker that remembers (row, version) tests with one load, and without a lock, whether a
 * list is still the current one. */
#include "gateways/common/store/store_internal.h"

#include <stdlib.h>

static bool same_name(const struct cupel_gw_name *a, const struct cupel_gw_name *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* The rows in which a name may stand. */
static struct row *bucket_of(const struct cupel_gw_store *store, const struct cupel_gw_name *name)
{
    uint64_t buckets = store->block->row_count / WAYS;
    return store->rows + store_word(name->bytes) % buckets * WAYS;
}

/* Returns the newest row of a name, or NULL.  A process that was killed while it replaced a row
 * leaves two. */
static struct row *find_row(const struct cupel_gw_store *store, const struct cupel_gw_name *name)
{
    struct row *rows = bucket_of(store, name), *found = NULL;
    for (int i = 0; i < WAYS; i++)
        if (rows[i].version != 0 && same_name(&rows[i].name, name) &&
            (found == NULL || rows[i].version > found->version))
            found = &rows[i];
    return found;
}

static void touch(struct row *row, uint64_t now)
{
    if (atomic_load_explicit(&row->used, memory_order_relaxed) < now)
        atomic_store_explicit(&row->used, now, memory_order_relaxed);
}

void store_evict(struct cupel_gw_store *store, struct row *row)
{
    atomic_store(&row->version, 0);
    store_count(store, COUNT_evicted);
}

/* -- Looking up ------------------------------------------------------------------------------ */

/* Finds the entry of a name and holds its blob, with the lock.  An entry whose blob is damaged is
 * removed. */
static bool look_up(struct cupel_gw_store *store, const struct cupel_gw_name *name, uint64_t now,
                    struct cupel_gw_entry *ret)
{
    struct row *row = find_row(store, name);
    if (row == NULL)
        return false;
    if (!store_hold(store, row->blob)) {
        atomic_store(&row->version, 0); /* its blob was damaged */
        return false;
    }
    touch(row, now);
    *ret = (struct cupel_gw_entry){.name = row->name,
                                   .caller = row->caller,
                                   .group = row->group,
                                   .blob = row->blob,
                                   .flags = row->flags,
                                   .pages = row->pages,
                                   .bytes = row->bytes,
                                   .learned = row->learned,
                                   .version = row->version,
                                   .index = (uint32_t)(row - store->rows)};
    return true;
}

bool cupel_gw_store_look_up(struct cupel_gw_store *store, const struct cupel_gw_name *name,
                            uint64_t now, struct cupel_gw_entry *ret)
{
    store_lock(store);
    bool found = look_up(store, name, now, ret);
    store_unlock(store);
    return found;
}

/* Whether an entry is still the one that was found, without a lock.  The flags are read after the
 * version, so they belong to this version or a newer one. */
bool cupel_gw_store_current(struct cupel_gw_store *store, uint32_t index, uint64_t version,
                            uint64_t now, uint32_t *ret_flags)
{
    struct row *row = &store->rows[index];
    if (atomic_load_explicit(&row->version, memory_order_acquire) != version)
        return false;
    *ret_flags = atomic_load_explicit(&row->flags, memory_order_relaxed);
    touch(row, now);
    return true;
}

/* -- Bounds ---------------------------------------------------------------------------------- */

/* Which bound a row counts for. */
enum bound { OF_CALLER, OF_GROUP, READINGS, BOUNDS };

static bool counts_for(const struct row *row, enum bound bound, const struct cupel_gw_entry *entry)
{
    bool reading = row->flags & CUPEL_GW_ENTRY_READING;
    switch (bound) {
    case OF_CALLER:
        return !reading && same_name(&row->caller, &entry->caller);
    case OF_GROUP:
        return !reading && same_name(&row->group, &entry->group);
    default:
        return reading && same_name(&row->caller, &entry->caller);
    }
}

/* Evicts the oldest rows of a caller or a location beyond a bound, other than `kept`.  Costs a
 * pass over all rows for each row that goes: at most one goes when one was added. */
static void keep_bound(struct cupel_gw_store *store, enum bound bound, uint32_t most,
                       const struct cupel_gw_entry *entry, const struct row *kept)
{
    for (;;) {
        uint32_t count = 0;
        struct row *oldest = NULL;
        for (size_t i = 0; i < store->block->row_count; i++) {
            struct row *row = &store->rows[i];
            if (row->version == 0 || !counts_for(row, bound, entry))
                continue;
            count++;
            if (row != kept && (oldest == NULL || row->used < oldest->used))
                oldest = row;
        }
        if (most == 0 || count <= most || oldest == NULL)
            return;
        store_evict(store, oldest);
    }
}

static int by_use(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    uint64_t used_x = x->used, used_y = y->used;
    return used_x < used_y ? -1 : used_x > used_y;
}

/* Sorts the rows that are set by their last use, oldest first, into store->oldest; returns their
 * number. */
size_t store_sort_rows(struct cupel_gw_store *store)
{
    size_t count = 0;
    for (size_t i = 0; i < store->block->row_count; i++)
        if (store->rows[i].version != 0)
            store->oldest[count++] = &store->rows[i];
    qsort(store->oldest, count, sizeof(*store->oldest), by_use);
    return count;
}

/* -- Setting --------------------------------------------------------------------------------- */

/* Returns a free row of the name's set, or its least recently used one after evicting it. */
static struct row *make_row(struct cupel_gw_store *store, const struct cupel_gw_name *name)
{
    struct row *rows = bucket_of(store, name), *best = rows;
    for (int i = 0; i < WAYS; i++) {
        if (rows[i].version == 0)
            return &rows[i];
        if (rows[i].used < best->used)
            best = &rows[i];
    }
    store_evict(store, best);
    return best;
}

/* Notes that a location has learned a list.  Groups are never removed: `cupel_unlearned pass`
 * must not begin again after an eviction. */
static void note_group(struct block *block, const struct cupel_gw_name *group)
{
    for (size_t i = 0; i < GROUPS; i++) {
        struct group_row *row = &block->groups[i];
        if (row->set && same_name(&row->name, group))
            return;
        if (row->set)
            continue;
        row->name = *group;
        atomic_store(&row->set, 1);
        return;
    }
}

static void write_row(struct cupel_gw_store *store, struct row *row,
                      const struct cupel_gw_entry *entry)
{
    row->name = entry->name;
    row->caller = entry->caller;
    row->group = entry->group;
    row->blob = entry->blob;
    row->flags = entry->flags;
    row->pages = entry->pages;
    row->bytes = entry->bytes;
    row->learned = entry->learned;
    row->used = entry->learned;
    uint64_t version = atomic_fetch_add(&store->block->version, 1) + 1;
    atomic_store_explicit(&row->version, version, memory_order_release);
}

/* Writes the new row before it clears the old rows of that name, so that a process that dies in
 * between leaves the list findable.  Then the bounds are enforced. */
static void set(struct cupel_gw_store *store, const struct cupel_gw_entry *entry,
                const struct cupel_gw_entry_bounds *bounds)
{
    struct row *row = make_row(store, &entry->name), *rows = bucket_of(store, &entry->name);
    write_row(store, row, entry);
    for (int i = 0; i < WAYS; i++)
        if (&rows[i] != row && rows[i].version != 0 && same_name(&rows[i].name, &entry->name))
            atomic_store(&rows[i].version, 0);
    if (entry->flags & CUPEL_GW_ENTRY_READING) {
        keep_bound(store, READINGS, bounds->readings_of_caller, entry, row);
        return;
    }
    keep_bound(store, OF_CALLER, bounds->of_caller, entry, row);
    keep_bound(store, OF_GROUP, bounds->of_group, entry, row);
    note_group(store->block, &entry->group);
    store_count(store, COUNT_learned);
}

void cupel_gw_store_set(struct cupel_gw_store *store, const struct cupel_gw_entry *entry,
                        const struct cupel_gw_entry_bounds *bounds)
{
    store_lock(store);
    if (store_is_ready(store, entry->blob))
        set(store, entry, bounds);
    store_unlock(store);
}

bool cupel_gw_store_mark_stale(struct cupel_gw_store *store, const struct cupel_gw_name *name)
{
    store_lock(store);
    struct row *row = find_row(store, name);
    if (row != NULL) {
        atomic_fetch_or(&row->flags, CUPEL_GW_ENTRY_STALE);
        store_count(store, COUNT_stale);
    }
    store_unlock(store);
    return row != NULL;
}

void cupel_gw_store_forget(struct cupel_gw_store *store, const struct cupel_gw_name *name)
{
    store_lock(store);
    for (struct row *row; (row = find_row(store, name)) != NULL;)
        atomic_store(&row->version, 0);
    store_unlock(store);
}

/* With more locations than there are rows the answer is yes: that is the safe one. */
bool cupel_gw_store_has_group(struct cupel_gw_store *store, const struct cupel_gw_name *group)
{
    for (size_t i = 0; i < GROUPS; i++) {
        const struct group_row *row = &store->block->groups[i];
        if (!row->set)
            return false;
        if (same_name(&row->name, group))
            return true;
    }
    return true;
}
