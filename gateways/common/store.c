/* store.c: the shared block: its layout, who has it open, fetches and rates.  Blobs are in
 * store_blob.c, entries in store_entry.c. */
#include "gateways/common/store_internal.h"

#include <stdlib.h>

enum { LEAST = 256 * 1024, ALIGN = 64, ROW_SHARE = 8192, BLOB_SHARE = 3072 };
#define MAGIC UINT64_C(0x314e524c50435743)

/* -- Layout -------------------------------------------------------------------------------------
 */

static uint64_t align(uint64_t at)
{
    return (at + ALIGN - 1) / ALIGN * ALIGN;
}

/* Where everything is in a block of this size. */
static void lay_out(struct block *block, size_t size)
{
    block->layout = LAYOUT;
    block->size = size;
    block->blobs_at = align(sizeof(*block));
    block->blob_count = size / BLOB_SHARE / WAYS * WAYS;
    block->rows_at = align(block->blobs_at + block->blob_count * sizeof(struct blob));
    block->row_count = size / ROW_SHARE / WAYS * WAYS;
    block->room_at = align(block->rows_at + block->row_count * sizeof(struct row));
    block->granules = (size - block->room_at) / GRANULE / 64 * 64;
}

static enum cupel_status make_empty(struct block *block, size_t size,
                                    const struct cupel_gw_store_host *host)
{
    memset(block, 0, sizeof(*block));
    lay_out(block, size);
    memset((char *)block + block->blobs_at, 0, block->room_at - block->blobs_at);
    if (host->random(host->ctx, block->secret, sizeof(block->secret)) != 0)
        return CUPEL_E_INTERNAL;
    atomic_store_explicit(&block->magic, MAGIC, memory_order_release);
    return CUPEL_OK;
}

enum cupel_status cupel_gw_store_format(void *memory, size_t size, bool fresh,
                                        const struct cupel_gw_store_host *host)
{
    struct block *block = memory;
    if (size < LEAST || (uintptr_t)memory % ALIGN != 0)
        return CUPEL_E_ARGUMENT;
    if (fresh)
        return make_empty(block, size, host);
    struct block *wanted = calloc(1, sizeof(*wanted));
    if (wanted == NULL)
        return CUPEL_E_NO_MEMORY;
    lay_out(wanted, size);
    bool same = block->magic == MAGIC && block->layout == wanted->layout &&
                block->size == wanted->size && block->blobs_at == wanted->blobs_at &&
                block->room_at == wanted->room_at;
    free(wanted);
    return same ? CUPEL_OK : CUPEL_E_IMAGE_VERSION;
}

/* -- Processes ----------------------------------------------------------------------------------
 */

/* What a process held or wrote is nobody's from the first store on; the slot is free from the last.
 */
static void reclaim(struct cupel_gw_store *store, uint32_t slot)
{
    atomic_fetch_add(&store->block->slots[slot].generation, 1);
    atomic_fetch_add(&store->block->changes, 1);
    store_clear_holds(store, slot);
    atomic_store(&store->block->slots[slot].process, 0);
}

static void reclaim_dead(struct cupel_gw_store *store, uint64_t self)
{
    for (uint32_t i = 0; i < CUPEL_GW_STORE_PROCESSES; i++) {
        uint64_t process = store->block->slots[i].process;
        if (process == 0 || (process != self && store->host.alive(store->host.ctx, process)))
            continue;
        reclaim(store, i);
        store_counted(store, COUNT_reclaimed);
    }
}

static bool take_slot(struct cupel_gw_store *store, uint64_t process)
{
    for (uint32_t i = 0; i < CUPEL_GW_STORE_PROCESSES; i++) {
        struct process_slot *slot = &store->block->slots[i];
        if (slot->process != 0)
            continue;
        store_clear_holds(store, i);
        store->slot = i;
        store->generation = atomic_fetch_add(&slot->generation, 1) + 1;
        atomic_store(&slot->process, process);
        return true;
    }
    return false;
}

static void free_store(struct cupel_gw_store *store)
{
    free(store->holds);
    free(store->verified);
    free(store->map);
    free(store->marks);
    free(store->oldest);
    free(store);
}

static struct cupel_gw_store *make_store(struct block *block,
                                         const struct cupel_gw_store_host *host)
{
    struct cupel_gw_store *store = calloc(1, sizeof(*store));
    if (store == NULL)
        return NULL;
    store->block = block;
    store->blobs = (struct blob *)((char *)block + block->blobs_at);
    store->rows = (struct row *)((char *)block + block->rows_at);
    store->room = (char *)block + block->room_at;
    store->host = *host;
    store->map_changes = UINT64_MAX;
    store->holds = calloc(block->blob_count, sizeof(*store->holds));
    store->verified = calloc(block->blob_count, sizeof(*store->verified));
    store->map = calloc(block->granules / 64, sizeof(*store->map));
    store->marks = calloc(block->blob_count / 64 + 1, sizeof(*store->marks));
    store->oldest = calloc(block->row_count, sizeof(struct row *));
    if (store->holds != NULL && store->verified != NULL && store->map != NULL &&
        store->marks != NULL && store->oldest != NULL)
        return store;
    free_store(store);
    return NULL;
}

enum cupel_status cupel_gw_store_open(void *memory, const struct cupel_gw_store_host *host,
                                      uint64_t process, struct cupel_gw_store **ret)
{
    struct block *block = memory;
    if (atomic_load_explicit(&block->magic, memory_order_acquire) != MAGIC ||
        block->layout != LAYOUT || process == 0)
        return CUPEL_E_ARGUMENT;
    struct cupel_gw_store *store = make_store(block, host);
    if (store == NULL)
        return CUPEL_E_NO_MEMORY;
    store_lock(store);
    reclaim_dead(store, process);
    bool taken = take_slot(store, process);
    store_unlock(store);
    if (!taken) {
        free_store(store);
        return CUPEL_E_LIMIT_MEMORY;
    }
    *ret = store;
    return CUPEL_OK;
}

void cupel_gw_store_close(struct cupel_gw_store *store)
{
    if (store == NULL)
        return;
    store_lock(store);
    if (store_owner_lives(store->block, store->slot, store->generation))
        reclaim(store, store->slot);
    store_unlock(store);
    free_store(store);
}

const unsigned char *cupel_gw_store_secret(const struct cupel_gw_store *store)
{
    return store->block->secret;
}

/* -- Fetches ------------------------------------------------------------------------------------
 */

static bool same_name(const struct cupel_gw_name *a, const struct cupel_gw_name *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

static bool is_running(const struct block *block, const struct fetch_row *row,
                       const struct cupel_gw_fetch_bounds *bounds, uint64_t now)
{
    return row->state == FETCH_RUNNING &&
           store_owner_lives(block, row->owner, row->owner_generation) &&
           (now < row->time || now - row->time < bounds->time);
}

/* Takes one fetch from what an address has left. */
static bool take_from_rate(struct block *block, const struct cupel_gw_name *address,
                           uint32_t per_second, uint64_t now)
{
    enum { ONE = 1000 };
    uint64_t most = (uint64_t)per_second * ONE;
    struct rate_row *rows = block->rates + store_word(address->bytes) % (RATES / WAYS) * WAYS;
    struct rate_row *row = rows;
    for (int i = 0; i < WAYS && !same_name(&row->address, address); i++)
        if (same_name(&rows[i].address, address) || rows[i].last < row->last)
            row = &rows[i];
    if (!same_name(&row->address, address))
        *row = (struct rate_row){*address, now, most};
    uint64_t passed = now > row->last ? now - row->last : 0;
    uint64_t more = passed < ONE ? passed * per_second : most;
    row->left = row->left + more < most ? row->left + more : most;
    row->last = now;
    if (row->left < ONE)
        return false;
    row->left -= ONE;
    return true;
}

/* What the table of fetches says of a new one. */
struct fetches {
    uint32_t running, of_address;
    struct fetch_row *same; /* of this name */
    struct fetch_row *row;  /* that can be used, or NULL */
};

static void look_at_fetches(struct block *block, const struct cupel_gw_name *name,
                            const struct cupel_gw_name *address,
                            const struct cupel_gw_fetch_bounds *bounds, uint64_t now,
                            struct fetches *ret)
{
    *ret = (struct fetches){.row = NULL};
    for (size_t i = 0; i < FETCHES; i++) {
        struct fetch_row *row = &block->fetches[i];
        bool running = is_running(block, row, bounds, now);
        bool failed = row->state == FETCH_FAILED && now < row->time;
        if ((running || failed) && same_name(&row->name, name))
            ret->same = row;
        ret->running += running;
        ret->of_address += running && same_name(&row->address, address);
        bool unused = !running && !failed;
        bool sooner = failed && (ret->row == NULL ||
                                 (ret->row->state == FETCH_FAILED && row->time < ret->row->time));
        if (unused || sooner)
            ret->row = row;
    }
}

static enum cupel_gw_fetch_turn begin_fetch(struct cupel_gw_store *store,
                                            const struct cupel_gw_name *name,
                                            const struct cupel_gw_name *address,
                                            const struct cupel_gw_fetch_bounds *bounds,
                                            uint64_t now)
{
    struct fetches fetches;
    look_at_fetches(store->block, name, address, bounds, now, &fetches);
    if (fetches.same != NULL)
        return fetches.same->state == FETCH_RUNNING ? CUPEL_GW_FETCH_WAIT : CUPEL_GW_FETCH_FAILED;
    if (fetches.row == NULL || fetches.running >= bounds->at_once ||
        fetches.of_address >= bounds->at_once_of_address ||
        !take_from_rate(store->block, address, bounds->per_second, now)) {
        store_counted(store, COUNT_fetch_limited);
        return CUPEL_GW_FETCH_LIMITED;
    }
    struct fetch_row *row = fetches.row;
    atomic_store(&row->state, FETCH_FREE);
    row->owner = store->slot;
    row->owner_generation = store->generation;
    row->name = *name;
    row->address = *address;
    row->time = now;
    atomic_store(&row->state, FETCH_RUNNING);
    store_counted(store, COUNT_fetched);
    return CUPEL_GW_FETCH_START;
}

enum cupel_gw_fetch_turn cupel_gw_store_fetch_begin(struct cupel_gw_store *store,
                                                    const struct cupel_gw_name *name,
                                                    const struct cupel_gw_name *address,
                                                    const struct cupel_gw_fetch_bounds *bounds,
                                                    uint64_t now)
{
    store_lock(store);
    enum cupel_gw_fetch_turn turn = begin_fetch(store, name, address, bounds, now);
    store_unlock(store);
    return turn;
}

void cupel_gw_store_fetch_end(struct cupel_gw_store *store, const struct cupel_gw_name *name,
                              bool failed, const struct cupel_gw_fetch_bounds *bounds, uint64_t now)
{
    store_lock(store);
    for (size_t i = 0; i < FETCHES; i++) {
        struct fetch_row *row = &store->block->fetches[i];
        if (row->state != FETCH_RUNNING || row->owner != store->slot ||
            row->owner_generation != store->generation || !same_name(&row->name, name))
            continue;
        atomic_store(&row->state, FETCH_FREE);
        row->time = now + bounds->remember_failure;
        if (failed)
            atomic_store(&row->state, FETCH_FAILED);
    }
    if (failed)
        store_counted(store, COUNT_fetch_failed);
    store_unlock(store);
}

/* -- Counts -------------------------------------------------------------------------------------
 */

void cupel_gw_store_count(struct cupel_gw_store *store, struct cupel_gw_store_counts *ret)
{
    const struct block *block = store->block;
    *ret = (struct cupel_gw_store_counts){.capacity = block->granules * GRANULE};
#define X(name) ret->name = block->counters[COUNT_##name];
    CUPEL_GW_STORE_COUNTERS(X)
#undef X
    store_lock(store);
    for (size_t i = 0; i < CUPEL_GW_STORE_PROCESSES; i++)
        ret->processes += block->slots[i].process != 0;
    for (size_t i = 0; i < block->row_count; i++)
        ret->entries += store->rows[i].version != 0;
    for (size_t i = 0; i < block->blob_count; i++) {
        if (store->blobs[i].state == BLOB_FREE)
            continue;
        ret->blobs++;
        ret->bytes += (store->blobs[i].len + GRANULE - 1) / GRANULE * GRANULE;
    }
    store_unlock(store);
}
