/* store_hold.c: references to blobs, and which processes hold them.
 *
 * A reference is the blob's number, which is new each time, and its index in the table.  Each
 * blob has one bit for each process slot; a process counts its own holds in private memory and
 * sets or clears its bit with the first and the last.  So a process that dies leaves at most its
 * bits, which the next one clears. */
#include "gateways/common/store/store_internal.h"

#define NUMBER_OF(ref) ((uint32_t)((ref) >> 32))
cupel_gw_blob store_ref_of(const struct cupel_gw_store *store, const struct blob *blob)
{
    return (uint64_t)blob->number << 32 | (uint32_t)(blob - store->blobs);
}

/* The blob of a reference in any state, or NULL. */
struct blob *store_blob_of(const struct cupel_gw_store *store, cupel_gw_blob ref)
{
    if (ref == 0 || STORE_INDEX_OF(ref) >= store->block->blob_count)
        return NULL;
    struct blob *blob = &store->blobs[STORE_INDEX_OF(ref)];
    return blob->number == NUMBER_OF(ref) ? blob : NULL;
}

/* Whether the range that a blob claims lies in the heap.  A wild write to the table must not lead
 * readers out of the block. */
bool store_blob_fits(const struct cupel_gw_store *store, const struct blob *blob)
{
    uint64_t size = store->block->granules * GRANULE;
    return blob->at % GRANULE == 0 && blob->at <= size && blob->len <= size - blob->at &&
           blob->use_count <= blob->len / sizeof(cupel_gw_blob);
}

bool store_is_ready(const struct cupel_gw_store *store, cupel_gw_blob ref)
{
    const struct blob *blob = store_blob_of(store, ref);
    return blob != NULL && atomic_load_explicit(&blob->state, memory_order_acquire) == BLOB_READY &&
           store_blob_fits(store, blob);
}

/* -- Holding --------------------------------------------------------------------------------- */

void store_set_holder(struct cupel_gw_store *store, struct blob *blob)
{
    atomic_fetch_or(&blob->holders[store->slot / 64], UINT64_C(1) << store->slot % 64);
    store->holds[blob - store->blobs]++;
}

bool store_hold(struct cupel_gw_store *store, cupel_gw_blob ref)
{
    if (!store_is_ready(store, ref))
        return false;
    store_set_holder(store, store_blob_of(store, ref));
    return true;
}

bool cupel_gw_store_hold(struct cupel_gw_store *store, cupel_gw_blob blob)
{
    store_lock(store);
    bool held = store_hold(store, blob);
    store_unlock(store);
    return held;
}

void cupel_gw_store_release(struct cupel_gw_store *store, cupel_gw_blob ref)
{
    struct blob *blob = store_blob_of(store, ref);
    if (blob == NULL || store->holds[STORE_INDEX_OF(ref)] == 0 ||
        --store->holds[STORE_INDEX_OF(ref)] != 0)
        return;
    atomic_fetch_and(&blob->holders[store->slot / 64], ~(UINT64_C(1) << store->slot % 64));
}

void store_clear_holds(struct cupel_gw_store *store, uint32_t slot)
{
    uint64_t others = ~(UINT64_C(1) << slot % 64);
    for (size_t i = 0; i < store->block->blob_count; i++)
        if (store->blobs[i].holders[slot / 64] & ~others)
            atomic_fetch_and(&store->blobs[i].holders[slot / 64], others);
}

bool store_is_held(const struct blob *blob)
{
    for (int i = 0; i < HOLDER_WORDS; i++)
        if (blob->holders[i] != 0)
            return true;
    return false;
}
