/* store.c: the shared block and the processes that have it open.  Blobs are in store_blob.c and
 * store_hold.c, entries in store_entry.c, fetches in store_fetch.c.
 *
 * The block is laid out once, by its size alone:
 *
 *     header and tables of fixed size | blobs | rows of entries | the heap
 *
 * Any process may die at any instruction.  So the order of writes decides what the others find:
 * data first, then one atomic store that publishes it.  What a dead process had reserved or held
 * is found by its slot and generation, and is free from then on. */
#include "gateways/common/store/store_internal.h"

#include <stdlib.h>

enum { LEAST = 256 * 1024, ALIGN = 64, ROW_SHARE = 8192, BLOB_SHARE = 3072 };
#define MAGIC UINT64_C(0x314e524c50435743)

/* -- Layout ---------------------------------------------------------------------------------- */

static uint64_t align(uint64_t at)
{
    return (at + ALIGN - 1) / ALIGN * ALIGN;
}

/* Computes where everything is in a block of this size: one blob descriptor for each BLOB_SHARE
 * bytes, one entry for each ROW_SHARE bytes, and granules for the rest. */
static void lay_out(struct block *block, size_t size)
{
    block->layout = LAYOUT;
    block->size = size;
    block->blobs_at = align(sizeof(*block));
    block->blob_count = size / BLOB_SHARE / WAYS * WAYS;
    block->rows_at = align(block->blobs_at + block->blob_count * sizeof(struct blob));
    block->row_count = size / ROW_SHARE / WAYS * WAYS;
    block->heap_at = align(block->rows_at + block->row_count * sizeof(struct row));
    block->granules = (size - block->heap_at) / GRANULE / 64 * 64;
}

/* Makes an empty store.  The magic number is stored last: until then no process can open the
 * block. */
static enum cupel_status make_empty(struct block *block, size_t size,
                                    const struct cupel_gw_store_host *host)
{
    memset(block, 0, sizeof(*block));
    lay_out(block, size);
    memset((char *)block + block->blobs_at, 0, block->heap_at - block->blobs_at);
    if (host->random(host->ctx, block->secret, sizeof(block->secret)) != 0)
        return CUPEL_E_INTERNAL;
    atomic_store_explicit(&block->magic, MAGIC, memory_order_release);
    return CUPEL_OK;
}

/* Formats a fresh block, or checks that the one that is there has the same layout.  A block in
 * use is never formatted again, for workers of the old configuration still read it. */
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
                block->heap_at == wanted->heap_at;
    free(wanted);
    return same ? CUPEL_OK : CUPEL_E_IMAGE_VERSION;
}

/* -- Processes ------------------------------------------------------------------------------- */

/* Frees the slot of a process.  The first store changes the generation, after which nothing that
 * the process reserved counts; the last one frees the slot. */
static void reclaim(struct cupel_gw_store *store, uint32_t slot)
{
    atomic_fetch_add(&store->block->slots[slot].generation, 1);
    atomic_fetch_add(&store->block->changes, 1);
    store_clear_holds(store, slot);
    atomic_store(&store->block->slots[slot].process, 0);
}

/* Reclaims the slots of processes that no longer run, and of this process if it died before under
 * the same number. */
static void reclaim_dead(struct cupel_gw_store *store, uint64_t self)
{
    for (uint32_t i = 0; i < CUPEL_GW_STORE_PROCESSES; i++) {
        uint64_t process = store->block->slots[i].process;
        if (process == 0 || (process != self && store->host.alive(store->host.ctx, process)))
            continue;
        reclaim(store, i);
        store_count(store, COUNT_reclaimed);
    }
}

/* Takes a free slot with a new generation.  Returns false if all are taken. */
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

/* Makes what a process keeps beside the block: how often it holds each blob, which blobs it
 * verified, a map of the heap, and scratch memory, so that no later call allocates. */
static struct cupel_gw_store *make_store(struct block *block,
                                         const struct cupel_gw_store_host *host)
{
    struct cupel_gw_store *store = calloc(1, sizeof(*store));
    if (store == NULL)
        return NULL;
    store->block = block;
    store->blobs = (struct blob *)((char *)block + block->blobs_at);
    store->rows = (struct row *)((char *)block + block->rows_at);
    store->heap = (char *)block + block->heap_at;
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

/* -- Counts ---------------------------------------------------------------------------------- */

/* Fills in the counters, without a lock, and the figures of now, with the lock. */
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
