/* test_gw_store.c: the shared block: blobs and entries, what goes when, fetches and rates, and
 * processes that are killed at any instruction. */
#include "test.h"

#include "killing.h"

#include <sched.h>

enum { SIZE = 1 << 20 };

static struct cupel_gw_store *open_store(struct shared *shared, uint64_t process)
{
    struct cupel_gw_store_host host = host_of(shared);
    struct cupel_gw_store *store = NULL;
    CHECK_INT(cupel_gw_store_open(shared->block, &host, process, &store), CUPEL_OK);
    return store;
}

static struct shared *fresh(size_t size)
{
    struct shared *shared = map_shared(size);
    struct cupel_gw_store_host host = host_of(shared);
    CHECK_INT(cupel_gw_store_format(shared->block, size, true, &host), CUPEL_OK);
    return shared;
}

static void digest_of(uint64_t number, unsigned char ret[CUPEL_GW_DIGEST_BYTES])
{
    struct cupel_gw_part part = {&number, sizeof(number)};
    cupel_gw_digest(&part, 1, ret);
}

static struct cupel_gw_name name_of(uint64_t number)
{
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    struct cupel_gw_name name;
    digest_of(number, digest);
    memcpy(name.bytes, digest, sizeof(name.bytes));
    return name;
}

/* Bytes that are made of a number. */
static void fill(char *bytes, size_t len, uint64_t number)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(number * 31 + i * 7);
}

static bool is_filled(const char *bytes, size_t len, uint64_t number)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != (char)(number * 31 + i * 7))
            return false;
    return true;
}

static cupel_gw_blob put(struct cupel_gw_store *store, uint64_t number, size_t len,
                         const cupel_gw_blob *uses, uint32_t use_count)
{
    static char bytes[SIZE];
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    fill(bytes, len, number);
    digest_of(number, digest);
    return cupel_gw_store_put(store, digest, bytes, len, uses, use_count);
}

static bool is_whole(struct cupel_gw_store *store, cupel_gw_blob blob, uint64_t number, size_t len)
{
    size_t got = 0;
    const char *bytes = cupel_gw_store_bytes(store, blob, &got);
    return bytes != NULL && got == len && is_filled(bytes, len, number) &&
           (uintptr_t)bytes % 8 == 0;
}

static void set(struct cupel_gw_store *store, uint64_t number, cupel_gw_blob blob, uint64_t now,
                const struct cupel_gw_entry_bounds *bounds)
{
    static const struct cupel_gw_entry_bounds none;
    struct cupel_gw_entry entry = {.name = name_of(number),
                                   .caller = name_of(number / 100 + 1000000),
                                   .group = name_of(2000000),
                                   .blob = blob,
                                   .learned = now};
    cupel_gw_store_set(store, &entry, bounds != NULL ? bounds : &none);
}

static bool has(struct cupel_gw_store *store, uint64_t number, uint64_t now)
{
    struct cupel_gw_entry entry;
    struct cupel_gw_name name = name_of(number);
    if (!cupel_gw_store_look_up(store, &name, now, &entry))
        return false;
    cupel_gw_store_release(store, entry.blob);
    return true;
}

static struct cupel_gw_store_counts counts(struct cupel_gw_store *store)
{
    struct cupel_gw_store_counts result;
    cupel_gw_store_count(store, &result);
    return result;
}

/* -- One process ----------------------------------------------------------------------------- */

static void test_format(void)
{
    struct shared *shared = map_shared(SIZE);
    struct cupel_gw_store_host host = host_of(shared);
    struct cupel_gw_store *store = NULL;
    CHECK_INT(cupel_gw_store_open(shared->block, &host, 1, &store), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_gw_store_format(shared->block, 4096, true, &host), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_gw_store_format(shared->block + 1, SIZE / 2, true, &host), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_gw_store_format(shared->block, SIZE, false, &host), CUPEL_E_IMAGE_VERSION);
    CHECK_INT(cupel_gw_store_format(shared->block, SIZE, true, &host), CUPEL_OK);
    CHECK_INT(cupel_gw_store_format(shared->block, SIZE / 2, false, &host), CUPEL_E_IMAGE_VERSION);
    store = open_store(shared, 1);
    cupel_gw_blob blob = put(store, 5, 1000, NULL, 0);
    set(store, 5, blob, 1, NULL);
    cupel_gw_store_close(store);
    /* A reload keeps it. */
    CHECK_INT(cupel_gw_store_format(shared->block, SIZE, false, &host), CUPEL_OK);
    store = open_store(shared, 2);
    CHECK(has(store, 5, 2));
    CHECK_INT(counts(store).processes, 1);
    cupel_gw_store_close(store);
    unmap_shared(shared, SIZE);
}

static void test_blobs(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *a = open_store(shared, 1), *b = open_store(shared, 2);
    unsigned char digest[CUPEL_GW_DIGEST_BYTES];
    cupel_gw_blob one = put(a, 1, 1000, NULL, 0), two = put(b, 1, 1000, NULL, 0);
    CHECK(one != 0 && one == two);
    CHECK_INT(counts(a).shared, 1);
    CHECK(is_whole(a, one, 1, 1000) && is_whole(b, one, 1, 1000));
    cupel_gw_blob user = put(a, 2, 10, &one, 1), empty = put(a, 3, 0, NULL, 0);
    CHECK(is_whole(a, user, 2, 10) && is_whole(a, empty, 3, 0));
    digest_of(1, digest);
    CHECK(memcmp(cupel_gw_store_digest(a, one), digest, sizeof(digest)) == 0);
    cupel_gw_store_release(a, one);
    cupel_gw_store_release(b, one);
    cupel_gw_store_release(a, one); /* once too often does nothing */
    /* The user keeps what it uses: fill the block, so that everything else goes. */
    for (uint64_t i = 10; i < 3000; i++)
        cupel_gw_store_release(a, put(a, i, 4000, NULL, 0));
    CHECK(is_whole(a, one, 1, 1000) && cupel_gw_store_hold(b, one));
    cupel_gw_store_release(b, one);
    cupel_gw_store_release(a, user);
    for (uint64_t i = 3000; i < 6000; i++)
        cupel_gw_store_release(a, put(a, i, 4000, NULL, 0));
    CHECK(!cupel_gw_store_hold(a, one) && !cupel_gw_store_hold(a, user));
    CHECK(cupel_gw_store_find(a, digest) == 0);
    CHECK_INT(counts(a).full, 0);
    CHECK_INT(put(a, 7000, SIZE, NULL, 0), 0);
    CHECK_INT(counts(a).full, 1);
    cupel_gw_store_close(a);
    cupel_gw_store_close(b);
    unmap_shared(shared, SIZE);
}

/* A blob that a process holds stays, however little space there is. */
static void test_held(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *a = open_store(shared, 1), *b = open_store(shared, 2);
    cupel_gw_blob held = put(a, 1, 50000, NULL, 0);
    set(a, 1, held, 1, NULL);
    for (uint64_t i = 2; i < 500; i++) {
        cupel_gw_blob blob = put(b, i, 50000, NULL, 0);
        set(b, i, blob, i, NULL);
        cupel_gw_store_release(b, blob);
    }
    CHECK(!has(b, 1, 1000) && has(b, 499, 1000));
    CHECK(is_whole(a, held, 1, 50000));
    CHECK(counts(a).evicted > 400);
    cupel_gw_store_close(a);
    CHECK(put(b, 1, 50000, NULL, 0) != 0);
    cupel_gw_store_close(b);
    unmap_shared(shared, SIZE);
}

static void test_damage(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *a = open_store(shared, 1), *b = open_store(shared, 2);
    cupel_gw_blob blob = put(a, 1, 1000, NULL, 0);
    set(a, 1, blob, 1, NULL);
    size_t len = 0;
    char *bytes = (char *)cupel_gw_store_bytes(a, blob, &len);
    bytes[500] ^= 1;
    CHECK(cupel_gw_store_hold(b, blob));
    CHECK(cupel_gw_store_bytes(b, blob, &len) == NULL);
    CHECK(!has(b, 1, 2));
    CHECK_INT(counts(a).damaged, 1);
    CHECK_INT(counts(a).entries, 0);
    cupel_gw_store_release(a, blob);
    cupel_gw_store_release(b, blob);
    cupel_gw_blob again = put(a, 1, 1000, NULL, 0);
    CHECK(again != 0 && again != blob && is_whole(a, again, 1, 1000));
    cupel_gw_store_close(a);
    cupel_gw_store_close(b);
    unmap_shared(shared, SIZE);
}

static void test_entries(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *a = open_store(shared, 1);
    struct cupel_gw_name name = name_of(1), other = name_of(9), group = name_of(2000000);
    struct cupel_gw_entry entry;
    uint32_t flags = 77;
    cupel_gw_blob one = put(a, 1, 100, NULL, 0), two = put(a, 2, 100, NULL, 0);
    CHECK(!cupel_gw_store_has_group(a, &group));
    set(a, 1, one, 1, NULL);
    CHECK(cupel_gw_store_has_group(a, &group) && !cupel_gw_store_has_group(a, &name));
    CHECK(cupel_gw_store_look_up(a, &name, 5, &entry) && entry.blob == one);
    CHECK(cupel_gw_store_current(a, entry.index, entry.version, 6, &flags) && flags == 0);
    CHECK(cupel_gw_store_mark_stale(a, &name) && !cupel_gw_store_mark_stale(a, &other));
    CHECK(cupel_gw_store_current(a, entry.index, entry.version, 6, &flags) &&
          flags == CUPEL_GW_ENTRY_STALE);
    set(a, 1, two, 7, NULL);
    CHECK(!cupel_gw_store_current(a, entry.index, entry.version, 8, &flags));
    uint64_t before = entry.version;
    CHECK(cupel_gw_store_look_up(a, &name, 9, &entry) && entry.blob == two && entry.flags == 0 &&
          entry.version > before);
    CHECK_INT(counts(a).entries, 1);
    cupel_gw_store_forget(a, &name);
    CHECK(!has(a, 1, 10));
    CHECK(cupel_gw_store_has_group(a, &group));
    CHECK_INT(counts(a).stale, 1);
    cupel_gw_store_close(a);
    unmap_shared(shared, SIZE);
}

static void test_bounds(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *a = open_store(shared, 1);
    struct cupel_gw_entry_bounds of_caller = {.of_caller = 3}, of_group = {.of_group = 5};
    cupel_gw_blob blob = put(a, 1, 100, NULL, 0);
    for (uint64_t i = 100; i < 106; i++)
        set(a, i, blob, i, &of_caller);
    CHECK(!has(a, 102, 200) && has(a, 105, 200) && has(a, 103, 201) && has(a, 104, 202));
    set(a, 106, blob, 203, &of_caller); /* 105 was used before the others */
    CHECK(!has(a, 105, 204) && has(a, 103, 204) && has(a, 104, 204) && has(a, 106, 204));
    set(a, 200, blob, 300, &of_caller);
    CHECK_INT(counts(a).entries, 4);
    for (uint64_t i = 300; i < 800; i += 100)
        set(a, i, blob, i + 100, &of_group);
    CHECK_INT(counts(a).entries, 5);
    CHECK(!has(a, 200, 1000) && has(a, 300, 1000) && has(a, 700, 1000));
    CHECK_INT(counts(a).evicted, 4 + 4);
    cupel_gw_store_close(a);
    unmap_shared(shared, SIZE);
}

static void test_fetches(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *a = open_store(shared, 1), *b = open_store(shared, 2);
    struct cupel_gw_fetch_bounds bounds = {3, 2, 5, 1000, 500};
    struct cupel_gw_name x = name_of(1), y = name_of(2), z = name_of(3), v = name_of(4);
    struct cupel_gw_name here = name_of(10), there = name_of(11);
    CHECK_INT(cupel_gw_store_fetch_begin(a, &x, &here, &bounds, 10000), CUPEL_GW_FETCH_START);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &x, &there, &bounds, 10001), CUPEL_GW_FETCH_WAIT);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &x, &there, &bounds, 9990), CUPEL_GW_FETCH_WAIT);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &y, &here, &bounds, 10002), CUPEL_GW_FETCH_START);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &z, &here, &bounds, 10003), CUPEL_GW_FETCH_LIMITED);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &z, &there, &bounds, 10003), CUPEL_GW_FETCH_START);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &v, &there, &bounds, 10003), CUPEL_GW_FETCH_LIMITED);
    cupel_gw_store_fetch_end(b, &x, true, &bounds, 10004); /* not b's */
    CHECK_INT(cupel_gw_store_fetch_begin(b, &x, &there, &bounds, 10004), CUPEL_GW_FETCH_WAIT);
    cupel_gw_store_fetch_end(a, &x, true, &bounds, 10005);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &x, &there, &bounds, 10006), CUPEL_GW_FETCH_FAILED);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &x, &there, &bounds, 10505), CUPEL_GW_FETCH_START);
    cupel_gw_store_fetch_end(b, &x, false, &bounds, 10506);
    /* One that takes too long, and one whose process is gone, have ended. */
    CHECK_INT(cupel_gw_store_fetch_begin(a, &y, &there, &bounds, 11001), CUPEL_GW_FETCH_WAIT);
    CHECK_INT(cupel_gw_store_fetch_begin(a, &y, &there, &bounds, 11002), CUPEL_GW_FETCH_START);
    cupel_gw_store_close(a);
    CHECK_INT(cupel_gw_store_fetch_begin(b, &y, &there, &bounds, 11003), CUPEL_GW_FETCH_START);
    cupel_gw_store_close(b);
    unmap_shared(shared, SIZE);
}

static void test_rates(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *a = open_store(shared, 1);
    struct cupel_gw_fetch_bounds bounds = {100, 100, 4, 1000, 0};
    struct cupel_gw_name here = name_of(10), there = name_of(11);
    uint32_t begun = 0;
    for (uint64_t i = 0; i < 100; i++) { /* 10 seconds: 4 at once, and 4 in each second */
        struct cupel_gw_name name = name_of(100 + i);
        begun += cupel_gw_store_fetch_begin(a, &name, &here, &bounds, 5000 + i * 100) ==
                 CUPEL_GW_FETCH_START;
        cupel_gw_store_fetch_end(a, &name, false, &bounds, 5000 + i * 100);
    }
    CHECK(begun >= 42 && begun <= 44);
    struct cupel_gw_name name = name_of(1);
    CHECK_INT(cupel_gw_store_fetch_begin(a, &name, &there, &bounds, 15000), CUPEL_GW_FETCH_START);
    CHECK_INT(counts(a).fetch_limited, 100 - begun);
    cupel_gw_store_close(a);
    unmap_shared(shared, SIZE);
}

static void test_processes(void)
{
    struct shared *shared = fresh(SIZE);
    struct cupel_gw_store *stores[CUPEL_GW_STORE_PROCESSES], *more = NULL;
    struct cupel_gw_store_host host = host_of(shared);
    for (uint64_t i = 0; i < CUPEL_GW_STORE_PROCESSES; i++) {
        stores[i] = open_store(shared, i + 1);
        put(stores[i], i, 100, NULL, 0);
    }
    CHECK_INT(cupel_gw_store_open(shared->block, &host, 999, &more), CUPEL_E_LIMIT_MEMORY);
    dead[200] = true;
    CHECK_INT(cupel_gw_store_open(shared->block, &host, 999, &more), CUPEL_OK);
    CHECK_INT(counts(more).reclaimed, 1);
    dead[200] = false;
    cupel_gw_store_close(stores[199]); /* its slot is another's by now */
    CHECK_INT(counts(more).processes, CUPEL_GW_STORE_PROCESSES);
    cupel_gw_store_close(more);
    for (int i = 0; i < CUPEL_GW_STORE_PROCESSES; i++)
        if (i != 199)
            cupel_gw_store_close(stores[i]);
    more = open_store(shared, 1000);
    for (uint64_t i = 1000; i < 4000; i++)
        cupel_gw_store_release(more, put(more, i, 4000, NULL, 0));
    CHECK(counts(more).bytes <= counts(more).capacity);
    CHECK_INT(counts(more).full, 0);
    cupel_gw_store_close(more);
    unmap_shared(shared, SIZE);
}

/* -- Killed at any instruction --------------------------------------------------------------- */

/* The length of what belongs to a number. */
static size_t length_of(uint64_t number)
{
    return number % 9 == 0 ? 20000 + number * 97 % 30000 : 50 + number * 97 % 3000;
}

/* The bytes and digests of all numbers, made once so that workers spend their time in the store. */
enum { NUMBERS = 300, LONGEST = 50000 };
static char contents[NUMBERS][LONGEST];
static unsigned char digests[NUMBERS][CUPEL_GW_DIGEST_BYTES];
static struct cupel_gw_name names[NUMBERS];

static void prepare(void)
{
    for (uint64_t number = 0; number < NUMBERS; number++) {
        fill(contents[number], length_of(number), number);
        digest_of(number, digests[number]);
        names[number] = name_of(number);
    }
}

static cupel_gw_blob put_prepared(struct cupel_gw_store *store, uint64_t number,
                                  const cupel_gw_blob *use)
{
    return cupel_gw_store_put(store, digests[number], contents[number], length_of(number), use,
                              *use != 0);
}

/* What is read must be whole, also when somebody found it whole before. */
static bool is_prepared(struct cupel_gw_store *store, cupel_gw_blob blob, uint64_t number)
{
    size_t len = 0;
    const void *bytes = cupel_gw_store_bytes(store, blob, &len);
    return bytes != NULL && len == length_of(number) && memcmp(bytes, contents[number], len) == 0;
}

/* Learns, looks up and releases until it is killed; what it reads must be whole. */
static void work(struct shared *shared, uint64_t process, uint64_t seed)
{
    struct cupel_gw_entry_bounds bounds = {.of_caller = 4, .of_group = 60};
    struct cupel_gw_store *store = open_store(shared, process);
    uint64_t state = seed;
    for (uint64_t now = 1;; now++) {
        uint64_t number = next_random(&state) % 150, part = 150 + next_random(&state) % 150;
        uint64_t other = next_random(&state) % 150;
        static const cupel_gw_blob none;
        struct cupel_gw_entry entry = {.name = names[number],
                                       .caller = names[number / 5 + 150],
                                       .group = names[299],
                                       .learned = now};
        cupel_gw_blob use = put_prepared(store, part, &none);
        entry.blob = put_prepared(store, number, &use);
        if (entry.blob != 0)
            cupel_gw_store_set(store, &entry, &bounds);
        cupel_gw_store_release(store, use);
        cupel_gw_store_release(store, entry.blob);
        if (cupel_gw_store_look_up(store, &names[other], now, &entry)) {
            if (!is_prepared(store, entry.blob, other))
                atomic_fetch_add(&shared->wrong, 1);
            cupel_gw_store_release(store, entry.blob);
        }
        if (next_random(&state) % 8 == 0)
            cupel_gw_store_mark_stale(store, &names[other]);
        if (next_random(&state) % 16 == 0)
            sched_yield();
        atomic_fetch_add(&shared->rounds, 1);
    }
}

/* All that is there is whole, and the space that was taken can be used again. */
static void check_after(struct shared *shared, uint64_t process)
{
    struct cupel_gw_store *store = open_store(shared, process);
    for (uint64_t number = 0; number < 150; number++) {
        struct cupel_gw_name name = name_of(number);
        struct cupel_gw_entry entry;
        if (!cupel_gw_store_look_up(store, &name, 0, &entry))
            continue;
        if (!is_whole(store, entry.blob, number, length_of(number)))
            atomic_fetch_add(&shared->wrong, 1);
        cupel_gw_store_release(store, entry.blob);
    }
    cupel_gw_store_close(store);
}

static void test_killed(unsigned kills)
{
    enum { SMALL = SIZE / 2 }; /* there is space for a third of all numbers */
    struct shared *shared = fresh(SMALL);
    prepare();
    uint64_t last = kill_workers(shared, kills, 1000, work, check_after);
    CHECK_INT(shared->wrong, 0);
    CHECK(shared->rounds > kills);
    /* Nothing is lost: all of the heap can be used. */
    struct cupel_gw_store *store = open_store(shared, ++last);
    struct cupel_gw_store_counts now = counts(store);
    CHECK_INT(now.processes, 1);
    CHECK_INT(now.damaged, 0);
    CHECK(put(store, 5000, (size_t)now.capacity * 9 / 10, NULL, 0) != 0);
    fprintf(stderr, "%u kills, %llu rounds, %llu processes reclaimed, %llu entries evicted\n",
            kills, (unsigned long long)shared->rounds, (unsigned long long)now.reclaimed,
            (unsigned long long)now.evicted);
    cupel_gw_store_close(store);
    unmap_shared(shared, SMALL);
}

int main(int argc, char **argv)
{
    test_format();
    test_blobs();
    test_held();
    test_damage();
    test_entries();
    test_bounds();
    test_fetches();
    test_rates();
    test_processes();
    test_killed(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000);
    return test_end();
}
