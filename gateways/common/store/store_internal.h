/* store_internal.h: the layout of the shared block, and what one process keeps beside it. */
#ifndef CUPEL_GATEWAY_STORE_INTERNAL_H
#define CUPEL_GATEWAY_STORE_INTERNAL_H

#include "gateways/common/store/store.h"

#include <stdatomic.h>

enum {
    LAYOUT = 1,
    WAYS = 16,     /* rows in which one digest or name may stand */
    GRANULE = 256, /* bytes; the unit of space in the heap */
    FETCHES = 256,
    RATES = 1024,
    GROUPS = 64,
    HOLDER_WORDS = CUPEL_GW_STORE_PROCESSES / 64
};

/* -- The block ------------------------------------------------------------------------------- */

enum blob_state {
    BLOB_FREE = 0,
    BLOB_RESERVED, /* its process writes it */
    BLOB_READY,
    BLOB_DAMAGED /* its checksum is wrong; cupel_gw_store_find skips it */
};

struct blob {
    _Atomic uint32_t state;
    uint32_t number; /* a new one each time */
    uint32_t owner, owner_generation;
    uint64_t at, len; /* in the heap: the uses, then the bytes; len is of both */
    uint64_t checksum;
    uint32_t use_count;
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    _Atomic uint64_t holders[HOLDER_WORDS]; /* a bit for each process */
};

struct row {
    _Atomic uint64_t version; /* 0: free, or being written */
    struct cupel_gw_name name, caller, group;
    cupel_gw_blob blob;
    _Atomic uint32_t flags;
    uint32_t pages;
    uint64_t bytes, learned;
    _Atomic uint64_t used;
};

enum fetch_state { FETCH_FREE = 0, FETCH_RUNNING, FETCH_FAILED };

struct fetch_row {
    _Atomic uint32_t state;
    uint32_t owner, owner_generation;
    struct cupel_gw_name name, address;
    uint64_t time; /* when it began, or until when the failure counts */
};

struct rate_row {
    struct cupel_gw_name address;
    uint64_t last;
    uint64_t tokens; /* thousandths of a fetch */
};

struct process_slot {
    _Atomic uint64_t process; /* 0: free */
    _Atomic uint32_t generation;
};

struct group_row {
    _Atomic uint32_t set;
    struct cupel_gw_name name;
};

enum counter {
#define X(name) COUNT_##name,
    CUPEL_GW_STORE_COUNTERS(X)
#undef X
        COUNTERS
};

struct block {
    _Atomic uint64_t magic; /* stored last */
    uint64_t layout, size;
    unsigned char secret[CUPEL_GW_SECRET_BYTES];
    uint64_t blobs_at, blob_count, rows_at, row_count, heap_at, granules;
    _Atomic uint64_t version; /* of the last row that was set */
    _Atomic uint64_t changes; /* of the heap; goes up before each */
    _Atomic uint64_t counters[COUNTERS];
    struct process_slot slots[CUPEL_GW_STORE_PROCESSES];
    struct group_row groups[GROUPS];
    struct fetch_row fetches[FETCHES];
    struct rate_row rates[RATES];
};

/* -- One process ----------------------------------------------------------------------------- */

struct cupel_gw_store {
    struct block *block;
    struct blob *blobs;
    struct row *rows;
    char *heap;
    struct cupel_gw_store_host host;
    uint32_t slot, generation;
    uint32_t *holds;      /* of each blob, by this process */
    uint32_t *verified;   /* the number of the blob whose checksum was found right */
    uint64_t *map;        /* granules that are taken, at the time of map_changes */
    uint64_t map_changes; /* block->changes when `map` was made */
    uint64_t *marks;      /* blobs that are in use; scratch */
    struct row **oldest;  /* scratch */
};

static inline void store_lock(struct cupel_gw_store *store)
{
    store->host.lock(store->host.ctx);
}

static inline void store_unlock(struct cupel_gw_store *store)
{
    store->host.unlock(store->host.ctx);
}

static inline void store_count(struct cupel_gw_store *store, enum counter counter)
{
    atomic_fetch_add_explicit(&store->block->counters[counter], 1, memory_order_relaxed);
}

/* 8 bytes of a digest or name, to choose rows by. */
static inline uint64_t store_word(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* Whether a row or blob that a process has reserved is that of a process that still has the store
 * open. */
static inline bool store_owner_lives(const struct block *block, uint32_t owner, uint32_t generation)
{
    return owner < CUPEL_GW_STORE_PROCESSES && block->slots[owner].process != 0 &&
           block->slots[owner].generation == generation;
}

/* -- References to blobs (store_hold.c) ------------------------------------------------------ */

/* The index of a blob in the table of blobs. */
#define STORE_INDEX_OF(ref) ((uint32_t)(ref))
cupel_gw_blob store_ref_of(const struct cupel_gw_store *store, const struct blob *blob);
/* The blob of a reference in any state, or NULL. */
struct blob *store_blob_of(const struct cupel_gw_store *store, cupel_gw_blob ref);
/* Whether the range that a blob claims lies in the heap: a bug may have overwritten the table, and
 * no access may follow a wrong range. */
bool store_blob_fits(const struct cupel_gw_store *store, const struct blob *blob);
bool store_is_held(const struct blob *blob);
/* With the lock: this process has one reference more to the blob. */
void store_set_holder(struct cupel_gw_store *store, struct blob *blob);
bool store_hold(struct cupel_gw_store *store, cupel_gw_blob blob);
bool store_is_ready(const struct cupel_gw_store *store, cupel_gw_blob blob);
/* Clears the bits of a process. */
void store_clear_holds(struct cupel_gw_store *store, uint32_t slot);

/* With the lock (store_entry.c): empties a row and counts that. */
void store_evict(struct cupel_gw_store *store, struct row *row);
/* Sorts the rows that are set into store->oldest, and returns how many there are. */
size_t store_sort_rows(struct cupel_gw_store *store);

#endif
