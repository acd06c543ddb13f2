/* store_fetch.c: which process fetches a list, how many fetches run, and how often an address may
 * start one.
 *
 * A fetch is a row of the block with the name of the list and the client's address.  A row of a
 * process that died, or that is older than bounds->time, counts as ended.  Rates are token
 * buckets, one for each address, in a set-associative table: a full set gives up the bucket that
 * was used least recently. */
#include "gateways/common/store/store_internal.h"

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

/* Takes a token from the bucket of an address, which refills with `per_second` tokens a second up
 * to `per_second`.  Returns false if it is empty.  Tokens are counted in thousandths. */
static bool take_token(struct block *block, const struct cupel_gw_name *address,
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
    row->tokens = row->tokens + more < most ? row->tokens + more : most;
    row->last = now;
    if (row->tokens < ONE)
        return false;
    row->tokens -= ONE;
    return true;
}

/* The state of all fetches, as far as a new one depends on it. */
struct fetches {
    uint32_t running, of_address;
    struct fetch_row *same; /* of this name */
    struct fetch_row *row;  /* that can be used, or NULL */
};

/* Counts the fetches that run, and finds the row of this name and a row that can be used: an
 * unused one, or the failure that would be forgotten soonest. */
static void scan_fetches(struct block *block, const struct cupel_gw_name *name,
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

/* Decides whose turn it is, with the lock.  A fetch that fails is remembered under its name, so
 * that a server that is down gets one request in bounds->remember_failure for each list. */
static enum cupel_gw_fetch_turn begin_fetch(struct cupel_gw_store *store,
                                            const struct cupel_gw_name *name,
                                            const struct cupel_gw_name *address,
                                            const struct cupel_gw_fetch_bounds *bounds,
                                            uint64_t now)
{
    struct fetches fetches;
    scan_fetches(store->block, name, address, bounds, now, &fetches);
    if (fetches.same != NULL)
        return fetches.same->state == FETCH_RUNNING ? CUPEL_GW_FETCH_WAIT : CUPEL_GW_FETCH_FAILED;
    if (fetches.row == NULL || fetches.running >= bounds->at_once ||
        fetches.of_address >= bounds->at_once_of_address ||
        !take_token(store->block, address, bounds->per_second, now)) {
        store_count(store, COUNT_fetch_limited);
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
    store_count(store, COUNT_fetched);
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

/* Ends the fetch of this process under a name.  A failed one stays as a row until its time is
 * over. */
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
        store_count(store, COUNT_fetch_failed);
    store_unlock(store);
}
