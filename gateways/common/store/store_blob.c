/* store_blob.c: finding, publishing and reading blobs, and free space in the heap.
 *
 * Free space is not recorded anywhere: it is what no blob of the table covers.  Each process
 * computes a map of taken granules from the table and keeps it until block->changes moves.  There
 * is no free list that a dying process could break.
 *
 * A blob is written in place while its state is RESERVED, and found once it is READY.  Garbage is
 * collected when space is short: blobs that no entry leads to, no held blob uses and no process
 * holds. */
#include "gateways/common/store/store_internal.h"

#include <cupel/catalog.h>

static const cupel_gw_blob *uses_of(const struct cupel_gw_store *store, const struct blob *blob)
{
    return (const cupel_gw_blob *)(store->heap + blob->at);
}

/* -- What is in use -------------------------------------------------------------------------- */

static void mark(struct cupel_gw_store *store, cupel_gw_blob ref)
{
    if (store_is_ready(store, ref))
        store->marks[STORE_INDEX_OF(ref) / 64] |= UINT64_C(1) << STORE_INDEX_OF(ref) % 64;
}

static bool is_marked(const struct cupel_gw_store *store, size_t index)
{
    return store->marks[index / 64] >> index % 64 & 1;
}

/* Marks the blobs that are in use: those of entries, those that are held, and those that these
 * use.  Blobs that are used have no uses of their own, so one pass over the uses suffices. */
static void mark_all(struct cupel_gw_store *store)
{
    const struct block *block = store->block;
    memset(store->marks, 0, (block->blob_count / 64 + 1) * sizeof(*store->marks));
    for (size_t i = 0; i < block->row_count; i++)
        if (store->rows[i].version != 0)
            mark(store, store->rows[i].blob);
    for (size_t i = 0; i < block->blob_count; i++)
        if (store_is_held(&store->blobs[i]))
            mark(store, store_ref_of(store, &store->blobs[i]));
    for (size_t i = 0; i < block->blob_count; i++) {
        const struct blob *blob = &store->blobs[i];
        if (blob->use_count == 0 || !is_marked(store, i))
            continue;
        for (uint32_t u = 0; u < blob->use_count; u++)
            mark(store, uses_of(store, blob)[u]);
    }
}

/* Whether a blob can be freed.  A blob that became READY after mark_all is held by the process
 * that published it. */
static bool is_garbage(const struct cupel_gw_store *store, size_t index)
{
    const struct blob *blob = &store->blobs[index];
    uint32_t state = blob->state;
    switch (state) {
    case BLOB_FREE:
        return false;
    case BLOB_RESERVED:
        return !store_owner_lives(store->block, blob->owner, blob->owner_generation);
    case BLOB_READY: /* perhaps published since mark_all: then its process holds it */
        return !is_marked(store, index) && !store_is_held(blob);
    default:
        return !store_is_held(blob);
    }
}

static void free_garbage(struct cupel_gw_store *store, bool users)
{
    for (size_t i = 0; i < store->block->blob_count; i++)
        if ((store->blobs[i].use_count != 0) == users && is_garbage(store, i))
            atomic_store(&store->blobs[i].state, BLOB_FREE);
}

/* Frees the blobs that are not in use.  A blob goes before those that it uses: a process that is
 * killed here leaves none that can be found and lacks what it uses. */
static void collect(struct cupel_gw_store *store)
{
    mark_all(store);
    atomic_fetch_add(&store->block->changes, 1);
    free_garbage(store, true);
    free_garbage(store, false);
}

/* -- Room ------------------------------------------------------------------------------------ */

static uint64_t granules_of(uint64_t len)
{
    return len != 0 ? (len + GRANULE - 1) / GRANULE : 1;
}

static void take_granules(struct cupel_gw_store *store, uint64_t from, uint64_t count)
{
    for (uint64_t i = from; i < from + count; i++)
        store->map[i / 64] |= UINT64_C(1) << i % 64;
}

/* Computes the map of taken granules if the table changed since.  Costs a pass over the table. */
static void update_map(struct cupel_gw_store *store)
{
    const struct block *block = store->block;
    if (store->map_changes == block->changes)
        return;
    memset(store->map, 0, block->granules / 64 * sizeof(*store->map));
    for (size_t i = 0; i < block->blob_count; i++) {
        const struct blob *blob = &store->blobs[i];
        bool taken = blob->state != BLOB_FREE &&
                     (blob->state != BLOB_RESERVED ||
                      store_owner_lives(block, blob->owner, blob->owner_generation));
        if (taken && store_blob_fits(store, blob))
            take_granules(store, blob->at / GRANULE, granules_of(blob->len));
    }
    store->map_changes = block->changes;
}

/* Returns the first run of `count` free granules, UINT64_MAX if there is none.  Small blobs are
 * placed from the end of the heap and large ones from its beginning, so that small ones do not
 * break up the space for large ones. */
static uint64_t find_run(const struct cupel_gw_store *store, uint64_t count)
{
    enum { SMALL = 64 };
    uint64_t total = store->block->granules, run = 0;
    for (uint64_t i = 0; i < total; i++) {
        uint64_t at = count <= SMALL ? total - 1 - i : i;
        uint64_t word = store->map[at / 64];
        if (i % 64 == 0 && (word == 0 || word == UINT64_MAX)) {
            run = word == 0 ? run + 64 : 0;
            i += 63;
        } else {
            run = word >> at % 64 & 1 ? 0 : run + 1;
        }
        if (run >= count)
            return count <= SMALL ? total - 1 - i + (run - count) : i + 1 - run;
    }
    return UINT64_MAX;
}

/* A free blob of a bucket, and how many there are. */
static struct blob *free_in_bucket(const struct cupel_gw_store *store, uint64_t word,
                                   int *ret_count)
{
    struct blob *blobs = store->blobs + word % (store->block->blob_count / WAYS) * WAYS,
                *found = NULL;
    *ret_count = 0;
    for (int i = 0; i < WAYS; i++) {
        if (blobs[i].state != BLOB_FREE)
            continue;
        found = &blobs[i];
        ++*ret_count;
    }
    return found;
}

/* A blob may stand in either of two buckets; it goes to the emptier one, so that both get full only
 * when nearly all are. */
static struct blob *find_free(const struct cupel_gw_store *store, const unsigned char *digest)
{
    int count_a, count_b;
    struct blob *a = free_in_bucket(store, store_word(digest), &count_a);
    struct blob *b = free_in_bucket(store, store_word(digest + 8), &count_b);
    return count_a >= count_b ? a : b;
}

struct place {
    struct blob *blob;
    uint64_t granule;
};

static bool find_place(struct cupel_gw_store *store, const unsigned char *digest, uint64_t len,
                       struct place *ret)
{
    update_map(store);
    ret->blob = find_free(store, digest);
    ret->granule = ret->blob != NULL ? find_run(store, granules_of(len)) : UINT64_MAX;
    return ret->granule != UINT64_MAX;
}

/* Finds a blob descriptor and granules for `len` bytes.  Where there are none it collects
 * garbage, and then evicts entries, oldest first, twice as many each time.  Returns false if even
 * an empty heap is too small. */
static bool make_place(struct cupel_gw_store *store, const unsigned char *digest, uint64_t len,
                       struct place *ret)
{
    if (granules_of(len) > store->block->granules)
        return false;
    if (find_place(store, digest, len, ret))
        return true;
    collect(store);
    if (find_place(store, digest, len, ret))
        return true;
    size_t count = store_sort_rows(store), at = 0;
    for (size_t batch = 1; at < count; batch *= 2) {
        for (size_t i = 0; i < batch && at < count; i++)
            store_evict(store, store->oldest[at++]);
        collect(store);
        if (find_place(store, digest, len, ret))
            return true;
    }
    return false;
}

/* -- Finding and putting --------------------------------------------------------------------- */

static struct blob *find_in_bucket(const struct cupel_gw_store *store, const unsigned char *digest,
                                   uint64_t word)
{
    struct blob *blobs = store->blobs + word % (store->block->blob_count / WAYS) * WAYS;
    for (int i = 0; i < WAYS; i++)
        if (blobs[i].state == BLOB_READY &&
            memcmp(blobs[i].digest, digest, CUPEL_GW_DIGEST_BYTES) == 0)
            return &blobs[i];
    return NULL;
}

/* With the lock: the blob with this digest, held; 0 if there is none. */
static cupel_gw_blob find(struct cupel_gw_store *store, const unsigned char *digest)
{
    struct blob *blob = find_in_bucket(store, digest, store_word(digest));
    if (blob == NULL)
        blob = find_in_bucket(store, digest, store_word(digest + 8));
    if (blob == NULL || !store_hold(store, store_ref_of(store, blob)))
        return 0;
    return store_ref_of(store, blob);
}

cupel_gw_blob cupel_gw_store_find(struct cupel_gw_store *store,
                                  const unsigned char digest[CUPEL_GW_DIGEST_BYTES])
{
    store_lock(store);
    cupel_gw_blob blob = find(store, digest);
    if (blob != 0)
        store_count(store, COUNT_shared);
    store_unlock(store);
    return blob;
}

/* Takes the place for this process, with the lock.  The blob is visible to others as taken, not
 * as findable, until write_blob publishes it. */
static void reserve(struct cupel_gw_store *store, const struct place *place,
                    const unsigned char *digest, uint64_t len, uint32_t use_count)
{
    struct blob *blob = place->blob;
    blob->number = blob->number == UINT32_MAX ? 1 : blob->number + 1;
    blob->owner = store->slot;
    blob->owner_generation = store->generation;
    blob->at = place->granule * GRANULE;
    blob->len = len;
    blob->use_count = use_count;
    memcpy(blob->digest, digest, CUPEL_GW_DIGEST_BYTES);
    for (int i = 0; i < HOLDER_WORDS; i++)
        atomic_store(&blob->holders[i], 0);
    store_set_holder(store, blob);
    uint64_t changes = atomic_fetch_add(&store->block->changes, 1) + 1;
    atomic_store_explicit(&blob->state, BLOB_RESERVED, memory_order_release);
    take_granules(store, place->granule, granules_of(len));
    store->map_changes = changes;
}

/* Writes uses and bytes without the lock, because no other process reads a RESERVED blob; then the
 * checksum, then READY. */
static void write_blob(struct cupel_gw_store *store, struct blob *blob, const void *bytes,
                       size_t len, const cupel_gw_blob *uses)
{
    char *at = store->heap + blob->at;
    size_t size = blob->use_count * sizeof(*uses);
    if (size != 0)
        memcpy(at, uses, size);
    if (len != 0)
        memcpy(at + size, bytes, len);
    blob->checksum = cupel_checksum(at, size + len);
    atomic_store_explicit(&blob->state, BLOB_READY, memory_order_release);
}

/* Publishes bytes under a digest, or shares the blob that is there.  Writing happens outside the
 * lock, so a list of a megabyte does not make other workers wait. */
cupel_gw_blob cupel_gw_store_put(struct cupel_gw_store *store,
                                 const unsigned char digest[CUPEL_GW_DIGEST_BYTES],
                                 const void *bytes, size_t len, const cupel_gw_blob *uses,
                                 uint32_t use_count)
{
    struct place place = {NULL, 0};
    uint64_t size = use_count * sizeof(*uses) + (uint64_t)len;
    store_lock(store);
    cupel_gw_blob blob = find(store, digest);
    bool placed = blob == 0 && make_place(store, digest, size, &place);
    if (placed)
        reserve(store, &place, digest, size, use_count);
    if (!placed)
        store_count(store, blob != 0 ? COUNT_shared : COUNT_full);
    store_unlock(store);
    if (!placed)
        return blob;
    write_blob(store, place.blob, bytes, len, uses);
    return store_ref_of(store, place.blob);
}

/* -- Reading --------------------------------------------------------------------------------- */

/* Compares the checksum, once for each process and blob.  A damaged blob is taken out of use for
 * all. */
static bool verify(struct cupel_gw_store *store, struct blob *blob)
{
    uint32_t *verified = &store->verified[blob - store->blobs];
    uint32_t ready = BLOB_READY;
    if (*verified == blob->number)
        return true;
    if (cupel_checksum(store->heap + blob->at, blob->len) == blob->checksum) {
        *verified = blob->number;
        return true;
    }
    if (atomic_compare_exchange_strong(&blob->state, &ready, BLOB_DAMAGED))
        store_count(store, COUNT_damaged);
    return false;
}

/* Returns the bytes of a blob behind its uses, after its checksum was found right. */
const void *cupel_gw_store_bytes(struct cupel_gw_store *store, cupel_gw_blob ref, size_t *ret_len)
{
    struct blob *blob = store_is_ready(store, ref) ? store_blob_of(store, ref) : NULL;
    if (blob == NULL || !verify(store, blob))
        return NULL;
    size_t size = blob->use_count * sizeof(cupel_gw_blob);
    *ret_len = (size_t)blob->len - size;
    return store->heap + blob->at + size;
}

const unsigned char *cupel_gw_store_digest(const struct cupel_gw_store *store, cupel_gw_blob ref)
{
    return store_blob_of(store, ref)->digest;
}
