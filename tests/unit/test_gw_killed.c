/* test_gw_killed.c: processes that learn, load and judge calls, and are killed at any instruction:
 * no caller ever gets tools that are not one whole list of its own. */
#include "test.h"

#include "gateways/common/learn/learn.h"
#include "killing.h"

/* Half of all lists have room. */
enum { SIZE = 1 << 19, CALLERS = 12, LISTS = 6, TOOLS = 10 };

static struct cupel_gw_learn_config learning;
static char lists[CALLERS][LISTS][TOOLS * 256];
static struct cupel_gw_identity identities[CALLERS];

static uint64_t nanoseconds(void *ctx)
{
    struct timespec t;
    (void)ctx;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t milliseconds(void *ctx)
{
    return nanoseconds(ctx) / 1000000;
}

/* List l of caller c has tools c_l_0, c_l_1, … that take a property of this name; one is the same
 * in all lists of a caller. */
static void make_list(unsigned caller, unsigned list)
{
    char *at = lists[caller][list], *end = at + sizeof(lists[caller][list]);
    at += snprintf(at, (size_t)(end - at), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[");
    for (unsigned i = 0; i < TOOLS; i++)
        at += snprintf(
            at, (size_t)(end - at),
            "%s{\"name\":\"%u_%u_%u\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
            "\"%u_%u\":{\"type\":\"string\"}},\"additionalProperties\":false}}",
            i != 0 ? "," : "", caller, list, i, caller, i == 0 ? 99 : list * TOOLS + i);
    snprintf(at, (size_t)(end - at), "]}}");
}

static struct cupel_gw_text text(const char *z)
{
    return (struct cupel_gw_text){z, strlen(z)};
}

static void prepare(const struct cupel_gw_store *store)
{
    static const char *const names[CALLERS] = {"a", "b", "c", "d", "e", "f",
                                               "g", "h", "i", "j", "k", "l"};
    for (unsigned caller = 0; caller < CALLERS; caller++) {
        struct cupel_gw_identity_fields fields = {.location = text("l"),
                                                  .upstream = text("u"),
                                                  .prefix = text("/"),
                                                  .options = &learning.options,
                                                  .caller = text(names[caller]),
                                                  .reader = text("r")};
        for (unsigned list = 0; list < LISTS; list++)
            make_list(caller, list);
        CHECK_INT(cupel_gw_identify(cupel_gw_store_secret(store), &fields, &identities[caller]),
                  CUPEL_OK);
    }
}

/* Whether a catalog is one whole list of the caller. */
static bool is_own(const struct cupel_catalog *catalog, unsigned caller)
{
    unsigned number = 0, list = 0, index = 0;
    if (cupel_catalog_count(catalog) != TOOLS)
        return false;
    const char *first = cupel_catalog_tool(catalog, 0)->name;
    if (sscanf(first, "%u_%u_%u", &number, &list, &index) != 3 || number != caller)
        return false;
    for (uint32_t i = 0; i < TOOLS; i++) {
        char name[64];
        snprintf(name, sizeof(name), "%u_%u_%u", caller, list, (unsigned)i);
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
        if (strcmp(tool->name, name) != 0 || tool->input == NULL)
            return false;
    }
    return true;
}

/* Judges a call of the second tool, with its own property and with another. */
static bool judges(const struct cupel_catalog *catalog, struct cupel_call_context *judge)
{
    struct cupel_text answer;
    bool right = true;
    const struct cupel_tool *tool = cupel_catalog_tool(catalog, 1);
    unsigned caller = 0, list = 0;
    char call[256];
    if (sscanf(tool->name, "%u_%u", &caller, &list) != 2)
        return false;
    cupel_text_init(&answer, NULL);
    for (unsigned other = 0; other < 2; other++) {
        int len = snprintf(call, sizeof(call),
                           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                           "\"name\":\"%s\",\"arguments\":{\"%u_%u\":\"\"}}}",
                           tool->name, caller, list * TOOLS + 1 + other);
        enum cupel_call_verdict verdict =
            cupel_call_check(catalog, judge, call, (size_t)len, NULL, &answer, NULL, NULL, NULL);
        right = right && verdict == (other ? CUPEL_CALL_INVALID : CUPEL_CALL_VALID);
    }
    cupel_text_free(&answer);
    return right;
}

struct process {
    struct cupel_gw_store *store;
    struct cupel_gw_learner *learner;
    struct cupel_call_context *judge;
};

static struct process open_process(struct shared *shared, uint64_t number)
{
    static const struct cupel_gw_learner_host host = {milliseconds, nanoseconds, shared_random,
                                                      NULL};
    struct cupel_gw_store_host store_host = host_of(shared);
    struct process p = {NULL, NULL, NULL};
    if (cupel_gw_store_open(shared->block, &store_host, number, &p.store) != CUPEL_OK ||
        cupel_gw_learner_new(p.store, &host, 64 * 1024, &p.learner) != CUPEL_OK ||
        cupel_call_context_new(NULL, &p.judge) != CUPEL_OK)
        atomic_fetch_add(&shared->wrong, 1);
    return p;
}

static void close_process(struct process *p)
{
    cupel_call_context_free(p->judge);
    cupel_gw_learner_free(p->learner);
    cupel_gw_store_close(p->store);
}

static bool run(struct cupel_gw_job *job)
{
    enum cupel_gw_job_step step;
    while ((step = cupel_gw_job_step(job)) == CUPEL_GW_JOB_MORE)
        ;
    bool full = strcmp(cupel_gw_job_page(job)->reason, "store-full") == 0;
    if (step != CUPEL_GW_JOB_DONE && !full)
        fprintf(stderr, "%s: %s\n", cupel_gw_job_page(job)->reason,
                cupel_status_name(cupel_gw_job_page(job)->status));
    cupel_gw_job_end(job);
    return step == CUPEL_GW_JOB_DONE || full;
}

/* Whether what the caller has is right; nothing is right too. */
static bool is_right(struct process *p, unsigned caller)
{
    struct cupel_gw_acquired taken;
    enum cupel_gw_lookup taking;
    for (int i = 0; i < 10; i++) {
        taking = cupel_gw_learner_acquire(p->learner, &learning, &identities[caller], &taken);
        if (taking == CUPEL_GW_UNKNOWN)
            return true;
        if (taking == CUPEL_GW_FOUND) {
            bool right =
                is_own(taken.list->catalog, caller) && judges(taken.list->catalog, p->judge);
            cupel_gw_learner_release(p->learner, taken.list);
            return right;
        }
        if (!run(taken.job))
            return false;
    }
    return true; /* others learn faster than this one loads */
}

static bool learns(struct process *p, unsigned caller, unsigned list)
{
    struct cupel_gw_job *job = NULL;
    struct cupel_gw_text first = {NULL, 0};
    return cupel_gw_learn_begin(p->learner, &learning, &identities[caller], first,
                                text(lists[caller][list]), &job, NULL) == CUPEL_OK &&
           run(job);
}

static unsigned below(uint64_t *state, unsigned bound)
{
    return (unsigned)(next_random(state) % bound);
}

static void work(struct shared *shared, uint64_t number, uint64_t seed)
{
    struct process p = open_process(shared, number);
    for (uint64_t state = seed;;) {
        unsigned caller = below(&state, CALLERS), other = below(&state, CALLERS);
        if (!learns(&p, caller, below(&state, LISTS)) || !is_right(&p, other))
            atomic_fetch_add(&shared->wrong, 1);
        if (next_random(&state) % 8 == 0)
            cupel_gw_learner_mark_stale(p.learner, &identities[other]);
        atomic_fetch_add(&shared->rounds, 1);
    }
}

static void check_all(struct shared *shared, uint64_t number)
{
    struct process p = open_process(shared, number);
    for (unsigned caller = 0; caller < CALLERS; caller++)
        if (!is_right(&p, caller))
            atomic_fetch_add(&shared->wrong, 1);
    close_process(&p);
}

int main(int argc, char **argv)
{
    unsigned kills = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    struct shared *shared = map_shared(SIZE);
    struct cupel_gw_store_host host = host_of(shared);
    struct cupel_gw_store_counts counts;
    cupel_gw_learn_config_init(&learning);
    CHECK_INT(cupel_gw_store_format(shared->block, SIZE, true, &host), CUPEL_OK);
    struct process p = open_process(shared, 1);
    prepare(p.store);
    kill_workers(shared, kills, 1000, work, check_all);
    CHECK_INT(shared->wrong, 0);
    CHECK(shared->rounds > kills);
    /* Who is left can learn every list. */
    for (unsigned caller = 0; caller < CALLERS; caller++)
        for (unsigned list = 0; list < LISTS; list++)
            CHECK(learns(&p, caller, list) && is_right(&p, caller));
    cupel_gw_store_count(p.store, &counts);
    CHECK_INT(counts.damaged, 0);
    fprintf(stderr, "%u kills, %llu rounds, %llu lists learned, %llu blobs shared\n", kills,
            (unsigned long long)shared->rounds, (unsigned long long)counts.learned,
            (unsigned long long)counts.shared);
    close_process(&p);
    unmap_shared(shared, SIZE);
    return test_end();
}
