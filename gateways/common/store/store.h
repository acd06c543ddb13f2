/* store.h: a block of shared memory that several processes fill and read: images, and names for
 * them.
 *
 * The host gives one block (in nginx: most of a shared zone, taken once from the zone's allocator),
 * a lock that every process sees, and a number for its process.  The store keeps
 *
 *     blobs     bytes with a SHA-256, immutable from publication until no process uses them
 *     entries   a name (key.h) → one blob, with a version
 *     fetches   which name is fetched by which process, and which fetch failed lately
 *     rates     how many fetches an address may still start
 *     a secret  for names
 *
 * A process may be killed at any instruction.  The host then releases the lock (nginx does so when
 * a worker ends) and everything else follows from what is in the block: there is no free list and
 * no count of references that a killed process could leave wrong.
 *
 * - A blob is reserved, written and published by one atomic store of its state.  A blob
 *   reserved by a process that has ended counts as free.  Free space is computed from the table of
 *   blobs.
 * - An entry is written while its version is 0 and published by one atomic store of its version.
 * - A process that uses a blob has set its own bit in it.  The bits of a process that is gone are
 *   cleared before its slot is used again.
 *
 * A blob is freed when no entry leads to it, no blob that is in use refers to it, and no process
 * has its bit set.  When there is no space, the entries that were used least recently go first.
 *
 * Bytes are verified by their reader: cupel_gw_store_bytes compares the checksum once for each
 * process and blob, and a program in a blob passes the verifier when it is loaded.
 *
 * Threads: a struct cupel_gw_store belongs to one process and one thread at a time.  The block is
 * shared by all. */
#ifndef CUPEL_GATEWAY_STORE_H
#define CUPEL_GATEWAY_STORE_H

#include "gateways/common/store/key.h"

struct cupel_gw_store;

enum { CUPEL_GW_STORE_PROCESSES = 256 }; /* that may have one store open */

/* The functions of the host. `lock` and `unlock` are never nested.  `random` fills in `len` bytes
 * from getrandom or the like and returns 0.  `alive` returns whether a process that opened the
 * store with this number still runs; when in doubt, true.  Numbers are not 0 and not used by two
 * processes at a time. */
struct cupel_gw_store_host {
    void (*lock)(void *ctx);
    void (*unlock)(void *ctx);
    int (*random)(void *ctx, void *bytes, size_t len);
    bool (*alive)(void *ctx, uint64_t process);
    void *ctx;
};

/* -- Opening ------------------------------------------------------------------------------------
 */

/* Makes an empty store in a block that is aligned to 64, or keeps the one that is there if it has
 * this layout and size: so a reload keeps what was learned.  Call it before the processes that use
 * it start, or from one of them; `fresh`: the block holds nothing.  CUPEL_OK; CUPEL_E_ARGUMENT if
 * the block is smaller than 256 KiB or not aligned; CUPEL_E_IMAGE_VERSION if it is in use with
 * another layout or size: use another block; CUPEL_E_INTERNAL if `random` fails. */
enum cupel_status cupel_gw_store_format(void *block, size_t size, bool fresh,
                                        const struct cupel_gw_store_host *host);

/* Opens a formatted block for this process, which may have it open once.  Also cleans up after
 * processes that are gone. CUPEL_OK; CUPEL_E_ARGUMENT if the block is not formatted;
 * CUPEL_E_LIMIT_MEMORY if CUPEL_GW_STORE_PROCESSES have it open; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_gw_store_open(void *block, const struct cupel_gw_store_host *host,
                                      uint64_t process, struct cupel_gw_store **ret);

/* Releases all that this process holds. Pointers into the block become invalid.  NULL does nothing.
 */
void cupel_gw_store_close(struct cupel_gw_store *store);

/* CUPEL_GW_SECRET_BYTES bytes, the same for all processes and as long as the block lives. */
const unsigned char *cupel_gw_store_secret(const struct cupel_gw_store *store);

/* -- Blobs ----------------------------------------------------------------------------------- */

/* A blob, for as long as it lives; 0 is none.  A number is not used again for another blob. */
typedef uint64_t cupel_gw_blob;

/* The published blob with this digest, held; 0 if there is none. */
cupel_gw_blob cupel_gw_store_find(struct cupel_gw_store *store,
                                  const unsigned char digest[CUPEL_GW_DIGEST_BYTES]);

/* Publishes bytes under a digest, held; a blob that is there already is shared, and `bytes` is not
 * read.  `uses`: blobs, held by this process, that live as long as this one does; they have no uses
 * of their own.  May evict entries. 0 if there is no space. */
cupel_gw_blob cupel_gw_store_put(struct cupel_gw_store *store,
                                 const unsigned char digest[CUPEL_GW_DIGEST_BYTES],
                                 const void *bytes, size_t len, const cupel_gw_blob *uses,
                                 uint32_t use_count);

/* Adds a reference to a blob; false if it is gone.  Each hold is released by itself. */
bool cupel_gw_store_hold(struct cupel_gw_store *store, cupel_gw_blob blob);
void cupel_gw_store_release(struct cupel_gw_store *store, cupel_gw_blob blob);

/* The bytes of a blob that this process holds, or that a held one uses, aligned to 8; they stay as
 * they are until the release.  NULL if they are damaged: the blob is not found any more. */
const void *cupel_gw_store_bytes(struct cupel_gw_store *store, cupel_gw_blob blob, size_t *ret_len);

/* The digest of such a blob. */
const unsigned char *cupel_gw_store_digest(const struct cupel_gw_store *store, cupel_gw_blob blob);

/* -- Entries --------------------------------------------------------------------------------- */

enum cupel_gw_entry_flag {
    CUPEL_GW_ENTRY_PARTIAL = 1 << 0, /* pages are missing */
    CUPEL_GW_ENTRY_STALE = 1 << 1,   /* the server sent list_changed */
    CUPEL_GW_ENTRY_READING = 1 << 2, /* pages of a list that is being read, no list */
    CUPEL_GW_ENTRY_PUBLIC = 1 << 3   /* with READING: so far all pages are for all callers */
};

struct cupel_gw_entry {
    struct cupel_gw_name name;
    struct cupel_gw_name caller, group; /* for bounds */
    cupel_gw_blob blob;
    uint32_t flags; /* enum cupel_gw_entry_flag */
    uint32_t pages;
    uint64_t bytes;   /* of the texts */
    uint64_t learned; /* milliseconds, when it was set */
    uint64_t version; /* set by the store, never 0, never the same again */
    uint32_t index;   /* set by the store: where it stands */
};

/* How many entries there may be; 0: only the block bounds them. Beyond the bound the entries that
 * were used least recently are evicted. */
struct cupel_gw_entry_bounds {
    uint32_t of_caller, of_group; /* without readings */
    uint32_t readings_of_caller;
};

/* The entry with this name; its blob is held.  `now`: milliseconds, the same clock in all
 * processes; the entry counts as used.  False if there is none. */
bool cupel_gw_store_look_up(struct cupel_gw_store *store, const struct cupel_gw_name *name,
                            uint64_t now, struct cupel_gw_entry *ret);

/* Whether the entry that was found at `index` is still the one with this version, without a lock;
 * if so it counts as used and *ret_flags is set. */
bool cupel_gw_store_current(struct cupel_gw_store *store, uint32_t index, uint64_t version,
                            uint64_t now, uint32_t *ret_flags);

/* Sets an entry in place of the one with its name.  The blob is held by the caller, before and
 * after. Evicts what is beyond the bounds; the entry itself stays. */
void cupel_gw_store_set(struct cupel_gw_store *store, const struct cupel_gw_entry *entry,
                        const struct cupel_gw_entry_bounds *bounds);

/* Sets the flag STALE; false if there is no such entry. */
bool cupel_gw_store_mark_stale(struct cupel_gw_store *store, const struct cupel_gw_name *name);

/* Removes an entry. */
void cupel_gw_store_forget(struct cupel_gw_store *store, const struct cupel_gw_name *name);

/* Whether an entry of this group is there, or ever was: for cupel_unlearned pass. */
bool cupel_gw_store_has_group(struct cupel_gw_store *store, const struct cupel_gw_name *group);

/* -- Fetches --------------------------------------------------------------------------------- */

struct cupel_gw_fetch_bounds {
    uint32_t at_once;            /* in all processes */
    uint32_t at_once_of_address; /* of one client's address */
    uint32_t per_second;         /* of one client's address, and as many at once after a pause */
    uint64_t time;               /* milliseconds; an older fetch counts as ended */
    uint64_t remember_failure;   /* milliseconds */
};

enum cupel_gw_fetch_turn {
    CUPEL_GW_FETCH_START,  /* this process fetches, and calls cupel_gw_store_fetch_end */
    CUPEL_GW_FETCH_WAIT,   /* another process does; try again in some milliseconds */
    CUPEL_GW_FETCH_FAILED, /* the last one failed a short time ago */
    CUPEL_GW_FETCH_LIMITED /* a bound is reached */
};

enum cupel_gw_fetch_turn cupel_gw_store_fetch_begin(struct cupel_gw_store *store,
                                                    const struct cupel_gw_name *name,
                                                    const struct cupel_gw_name *address,
                                                    const struct cupel_gw_fetch_bounds *bounds,
                                                    uint64_t now);
void cupel_gw_store_fetch_end(struct cupel_gw_store *store, const struct cupel_gw_name *name,
                              bool failed, const struct cupel_gw_fetch_bounds *bounds,
                              uint64_t now);

/* -- Counts ---------------------------------------------------------------------------------- */

/* Counters go up only, in all processes together. */
#define CUPEL_GW_STORE_COUNTERS(X)                                       \
    X(learned)   /* lists set */                                         \
    X(shared)    /* lists and programs that the store had already */     \
    X(stale)     /* marked by list_changed */                            \
    X(evicted)   /* entries that were evicted for space or by a bound */ \
    X(full)      /* blobs for which there was no space */                \
    X(damaged)   /* blobs whose checksum was wrong */                    \
    X(reclaimed) /* processes that ended without closing the store */    \
    X(fetched)                                                           \
    X(fetch_failed)                                                      \
    X(fetch_limited)

struct cupel_gw_store_counts {
#define X(name) uint64_t name;
    CUPEL_GW_STORE_COUNTERS(X)
#undef X
    /* As it is now */
    uint32_t entries, blobs, processes;
    uint64_t bytes;    /* of the block that blobs take */
    uint64_t capacity; /* that they could take */
};

void cupel_gw_store_count(struct cupel_gw_store *store, struct cupel_gw_store_counts *ret);

#endif
