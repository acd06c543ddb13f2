/* test_gw_learn.c: catalogs learned from answers to tools/list: whose they are, pages, sessions,
 * staleness, fetches, tools that are held back. */
#include "test.h"

#include "gateways/common/learn/learn.h"

#include <cupel/pin.h>

/* -- A host with two processes, in one ------------------------------------------------------- */

enum { SIZE = 4 << 20 };

static uint64_t now_ms = 100000, now_ns, tick = 1000;

static void lock(void *ctx)
{
    (void)ctx;
}

static bool alive(void *ctx, uint64_t process)
{
    (void)ctx;
    (void)process;
    return true;
}

static int random_bytes(void *ctx, void *bytes, size_t len)
{
    static unsigned char next;
    (void)ctx;
    for (size_t i = 0; i < len; i++)
        ((unsigned char *)bytes)[i] = next++;
    return 0;
}

static uint64_t milliseconds(void *ctx)
{
    (void)ctx;
    return now_ms;
}

static uint64_t nanoseconds(void *ctx)
{
    (void)ctx;
    return now_ns += tick;
}

static const struct cupel_gw_store_host store_host = {lock, lock, random_bytes, alive, NULL};
static const struct cupel_gw_learner_host learner_host = {milliseconds, nanoseconds, random_bytes,
                                                          NULL};
static struct cupel_gw_learn_config learning;

struct world {
    void *block;
    struct cupel_gw_store *stores[2];
    struct cupel_gw_learner *learners[2];
};

static struct world make_world(void)
{
    struct world w = {.block = aligned_alloc(64, SIZE)};
    CHECK_INT(cupel_gw_store_format(w.block, SIZE, true, &store_host), CUPEL_OK);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_INT(cupel_gw_store_open(w.block, &store_host, i + 1, &w.stores[i]), CUPEL_OK);
        CHECK_INT(cupel_gw_learner_new(w.stores[i], &learner_host, 0, &w.learners[i]), CUPEL_OK);
    }
    return w;
}

/* After which nobody holds anything. */
static void free_world(struct world *w)
{
    for (int i = 0; i < 2; i++) {
        cupel_gw_learner_free(w->learners[i]);
        cupel_gw_store_close(w->stores[i]);
    }
    free(w->block);
}

static struct cupel_gw_text text(const char *z)
{
    return (struct cupel_gw_text){z, z != NULL ? strlen(z) : 0};
}

static struct cupel_gw_identity identity(const struct world *w, const char *caller,
                                         const char *session, const char *reader)
{
    struct cupel_gw_identity id;
    struct cupel_gw_identity_fields fields = {.location = text("l"),
                                              .upstream = text("u"),
                                              .prefix = text("/"),
                                              .options = &learning.options,
                                              .caller = text(caller),
                                              .session = text(session),
                                              .reader = text(reader)};
    CHECK_INT(cupel_gw_identify(cupel_gw_store_secret(w->stores[0]), &fields, &id), CUPEL_OK);
    return id;
}

/* -- Lists ----------------------------------------------------------------------------------- */

#define TOOL(name, property)                                                                  \
    "{\"name\":\"" name "\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"" property \
    "\":{\"type\":\"string\"}},\"required\":[\"" property "\"]}}"
#define LIST(tools) "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[" tools "]}}"
#define PAGE(tools, next)                                                                          \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[" tools "],\"nextCursor\":\"" next "\"}" \
    "}"
#define PUBLIC(tools) \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"cacheScope\":\"public\",\"tools\":[" tools "]}}"

static bool run(struct cupel_gw_job *job)
{
    enum cupel_gw_job_step step = CUPEL_GW_JOB_MORE;
    for (int i = 0; i < 100000 && step == CUPEL_GW_JOB_MORE; i++)
        step = cupel_gw_job_step(job);
    return step == CUPEL_GW_JOB_DONE;
}

/* Learns a page; whether it teaches. */
static bool learn(struct world *w, int worker, const struct cupel_gw_identity *id,
                  const char *cursor, const char *list, const char **ret_reason)
{
    struct cupel_gw_job *job = NULL;
    enum cupel_status status = cupel_gw_learn_begin(w->learners[worker], &learning, id,
                                                    text(cursor), text(list), &job, NULL);
    if (status != CUPEL_OK) {
        *ret_reason = cupel_status_name(status);
        return false;
    }
    run(job);
    bool teaches = cupel_gw_job_page(job)->teaches;
    *ret_reason = cupel_gw_job_page(job)->reason;
    cupel_gw_job_end(job);
    return teaches;
}

static void learns(struct world *w, int worker, const struct cupel_gw_identity *id,
                   const char *cursor, const char *list)
{
    const char *reason = "";
    if (!CHECK(learn(w, worker, id, cursor, list, &reason)))
        fprintf(stderr, "    %s\n", reason);
}

static void learns_not(struct world *w, int worker, const struct cupel_gw_identity *id,
                       const char *cursor, const char *list, const char *want)
{
    const char *reason = "";
    CHECK(!learn(w, worker, id, cursor, list, &reason));
    CHECK_STR(reason, want);
}

/* The list of a caller, loaded if it has to be; NULL if there is none. */
static struct cupel_gw_list *take(struct world *w, int worker, const struct cupel_gw_identity *id,
                                  bool *ret_certain)
{
    struct cupel_gw_acquired taken;
    enum cupel_gw_lookup taking =
        cupel_gw_learner_acquire(w->learners[worker], &learning, id, &taken);
    if (taking == CUPEL_GW_LOAD) {
        CHECK(run(taken.job));
        cupel_gw_job_end(taken.job);
        taking = cupel_gw_learner_acquire(w->learners[worker], &learning, id, &taken);
    }
    CHECK(taking != CUPEL_GW_LOAD && (taking == CUPEL_GW_FOUND) == (taken.list != NULL));
    *ret_certain = taken.certain;
    return taken.list;
}

/* The names of the tools, with ! after a certain list; "-" if there is none. */
static const char *tools_of(struct world *w, int worker, const struct cupel_gw_identity *id)
{
    static char names[256];
    bool certain;
    struct cupel_gw_list *list = take(w, worker, id, &certain);
    names[0] = '\0';
    if (list == NULL)
        return "-";
    for (uint32_t i = 0; i < cupel_catalog_count(list->catalog); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(list->catalog, i);
        snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", tool->name,
                 tool->input == NULL ? "?" : "");
    }
    if (certain)
        strcat(names, "!");
    cupel_gw_learner_release(w->learners[worker], list);
    return names;
}

/* -- Whose ----------------------------------------------------------------------------------- */

static void test_callers(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1"), b = identity(&w, "B", NULL, "1");
    CHECK_STR(tools_of(&w, 0, &a), "-");
    learns(&w, 0, &a, NULL, LIST(TOOL("x", "p") "," TOOL("y", "p")));
    CHECK_STR(tools_of(&w, 0, &a), "xy!");
    CHECK_STR(tools_of(&w, 1, &a), "xy!"); /* another process */
    CHECK_STR(tools_of(&w, 0, &b), "-");
    learns(&w, 1, &a, NULL, LIST(TOOL("z", "p")));
    CHECK_STR(tools_of(&w, 0, &a), "z!");
    CHECK_STR(tools_of(&w, 1, &a), "z!");
    learns(&w, 1, &a, NULL, LIST(""));
    CHECK_STR(tools_of(&w, 0, &a), "!");
    free_world(&w);
}

static void test_sharing(void)
{
    struct world w = make_world();
    struct cupel_gw_identity none = identity(&w, "", NULL, "1");
    struct cupel_gw_identity one = identity(&w, NULL, NULL, "1"),
                             two = identity(&w, NULL, NULL, "2");
    struct cupel_gw_identity in = identity(&w, NULL, "s", "1"),
                             other = identity(&w, NULL, "t", "1");
    learns_not(&w, 0, &none, NULL, PUBLIC(TOOL("x", "p")), "list-sharing");
    CHECK_STR(tools_of(&w, 0, &none), "-");
    learns_not(&w, 0, &one, NULL, LIST(TOOL("x", "p")), "list-private");
    CHECK_STR(tools_of(&w, 0, &one), "-");
    learns(&w, 0, &in, NULL, LIST(TOOL("s", "p")));
    CHECK_STR(tools_of(&w, 0, &in), "s!");
    CHECK_STR(tools_of(&w, 0, &other), "-");
    CHECK_STR(tools_of(&w, 0, &one), "-");
    learns(&w, 0, &one, NULL, PUBLIC(TOOL("p", "p")));
    CHECK_STR(tools_of(&w, 1, &two), "p!");
    CHECK_STR(tools_of(&w, 0, &in), "s!");
    CHECK_STR(tools_of(&w, 0, &other), "p");
    learns_not(&w, 0, &two, NULL, LIST(TOOL("x", "p")), "list-private");
    CHECK_STR(tools_of(&w, 1, &two), "p!");
    free_world(&w);
}

static void test_public_pages(void)
{
    struct world w = make_world();
    struct cupel_gw_identity one = identity(&w, NULL, NULL, "1");
    struct cupel_gw_identity in = identity(&w, NULL, "s", "1");
    learns(&w, 0, &in, NULL, PAGE(TOOL("a", "p"), "2"));
    learns(&w, 0, &in, "2", PUBLIC(TOOL("b", "p")));
    CHECK_STR(tools_of(&w, 0, &in), "ab!");
    CHECK_STR(tools_of(&w, 0, &one), "-"); /* the first page was private */
    free_world(&w);
}

static void test_sessions(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    struct cupel_gw_identity s = identity(&w, "A", "s", "1"), t = identity(&w, "A", "t", "1");
    struct cupel_gw_identity b = identity(&w, "B", "s", "1");
    learns(&w, 0, &s, NULL, LIST(TOOL("x", "p")));
    CHECK_STR(tools_of(&w, 0, &s), "x!");
    CHECK_STR(tools_of(&w, 0, &t), "x");
    CHECK_STR(tools_of(&w, 0, &a), "x!");
    CHECK_STR(tools_of(&w, 0, &b), "-");
    learns(&w, 1, &t, NULL, LIST(TOOL("y", "p")));
    CHECK_STR(tools_of(&w, 0, &s), "x!");
    CHECK_STR(tools_of(&w, 0, &t), "y!");
    CHECK_STR(tools_of(&w, 0, &a), "y!");
    free_world(&w);
}

static void test_stale(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1"), s = identity(&w, "A", "s", "1");
    struct cupel_gw_store_counts counts;
    learns(&w, 0, &s, NULL, LIST(TOOL("x", "p")));
    cupel_gw_learner_mark_stale(w.learners[1], &s);
    CHECK_STR(tools_of(&w, 0, &s), "x");
    CHECK_STR(tools_of(&w, 0, &a), "x");
    cupel_gw_store_count(w.stores[0], &counts);
    CHECK_INT(counts.stale, 2);
    learns(&w, 0, &s, NULL, LIST(TOOL("x", "p")));
    CHECK_STR(tools_of(&w, 0, &s), "x!");
    free_world(&w);
}

/* -- Pages ----------------------------------------------------------------------------------- */

static void test_pages(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    learns(&w, 0, &a, NULL, PAGE(TOOL("a", "p"), "2"));
    CHECK_STR(tools_of(&w, 1, &a), "a");
    learns(&w, 1, &a, "2", PAGE(TOOL("b", "p"), "")); /* an empty cursor is one */
    CHECK_STR(tools_of(&w, 0, &a), "ab");
    learns(&w, 0, &a, "", LIST(TOOL("c", "p")));
    CHECK_STR(tools_of(&w, 0, &a), "abc!");
    /* From now on the old list counts until the last page is there. */
    learns(&w, 0, &a, NULL, PAGE(TOOL("d", "p"), "2"));
    CHECK_STR(tools_of(&w, 0, &a), "abc!");
    learns(&w, 1, &a, "2", LIST(TOOL("e", "p")));
    CHECK_STR(tools_of(&w, 0, &a), "de!");
    learns_not(&w, 0, &a, "unheard", LIST(TOOL("f", "p")), "list-cursor");
    CHECK_STR(tools_of(&w, 0, &a), "de!");
    free_world(&w);
}

static void test_readers(void)
{
    struct world w = make_world();
    struct cupel_gw_identity one = identity(&w, "A", NULL, "1"), two = identity(&w, "A", NULL, "2");
    learns(&w, 0, &one, NULL, PAGE(TOOL("a", "p"), "2"));
    learns(&w, 0, &two, NULL, PAGE(TOOL("x", "p"), "2"));
    learns(&w, 0, &one, "2", LIST(TOOL("b", "p")));
    CHECK_STR(tools_of(&w, 0, &one), "ab!");
    learns(&w, 0, &two, "2", LIST(TOOL("y", "p")));
    CHECK_STR(tools_of(&w, 0, &one), "xy!");
    free_world(&w);
}

static void test_bounds(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    struct cupel_gw_learn_config before = learning;
    learning.pages = 2;
    learns(&w, 0, &a, NULL, PAGE(TOOL("a", "p"), "2"));
    learns(&w, 0, &a, "2", PAGE(TOOL("b", "p"), "3"));
    learns_not(&w, 0, &a, "3", LIST(TOOL("c", "p")), "list-pages");
    CHECK_STR(tools_of(&w, 0, &a), "ab");
    learning = before;
    learning.bytes = 300;
    struct cupel_gw_identity b = identity(&w, "B", NULL, "1");
    learns(&w, 0, &b, NULL, PAGE(TOOL("a", "p"), "2"));
    learns_not(&w, 0, &b, "2", LIST(TOOL("b", "p")), "list-bytes");
    learning = before;
    learning.options.tools = 1;
    struct cupel_gw_identity c = identity(&w, "C", NULL, "1");
    learns_not(&w, 0, &c, NULL, LIST(TOOL("a", "p") "," TOOL("b", "p")), "list-tools");
    CHECK_STR(tools_of(&w, 0, &c), "-");
    learning = before;
    free_world(&w);
}

/* -- Definitions ----------------------------------------------------------------------------- */

static void test_wrong(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    learns(&w, 0, &a, NULL,
           LIST(TOOL(
               "a", "p") ",{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\",\"properties\":7}},"
                         "{\"name\":\"c\",\"name\":\"d\",\"inputSchema\":{\"type\":\"object\"}},"
                         "null," TOOL("e", "p")));
    CHECK_STR(tools_of(&w, 0, &a), "ab?d??e!");
    CHECK_STR(tools_of(&w, 1, &a), "ab?d??e!");
    learns_not(&w, 0, &a, NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}",
               "ARGUMENT");
    learns_not(&w, 0, &a, NULL,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]},\"tools\":[]}", "ARGUMENT");
    learns_not(&w, 0, &a, NULL,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]},\"result\":{\"tools\":[]}}",
               "DUPLICATE_KEY");
    learns_not(&w, 0, &a, NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}",
               "SYNTAX");
    learns_not(&w, 0, &a, NULL,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[],\"nextCursor\":7}}",
               "ARGUMENT");
    CHECK_STR(tools_of(&w, 0, &a), "ab?d??e!");
    free_world(&w);
}

static void test_programs(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    bool certain;
    learns(&w, 0, &a, NULL, LIST(TOOL("a", "p") "," TOOL("b", "q")));
    struct cupel_gw_list *before = take(&w, 0, &a, &certain);
    learns(&w, 0, &a, NULL, LIST(TOOL("c", "r") "," TOOL("b", "q")));
    struct cupel_gw_list *after = take(&w, 0, &a, &certain);
    CHECK(before != after);
    CHECK(cupel_catalog_tool(before->catalog, 1)->input ==
          cupel_catalog_tool(after->catalog, 1)->input);
    cupel_gw_learner_release(w.learners[0], before);
    const struct cupel_tool *tool = cupel_catalog_tool(after->catalog, 1);
    CHECK_INT(tool->shared, 1);
    cupel_gw_learner_release(w.learners[0], after);
    free_world(&w);
}

static void test_equal(void)
{
    static const char list[] = LIST(TOOL("a", "p") "," TOOL("b", "q"));
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1"), b = identity(&w, "B", NULL, "1");
    struct cupel_gw_store_counts one, two;
    struct cupel_gw_job *job = NULL;
    learns(&w, 0, &a, NULL, list);
    cupel_gw_store_count(w.stores[0], &one);
    for (int worker = 0; worker < 2; worker++) {
        CHECK_INT(cupel_gw_learn_begin(w.learners[worker], &learning, &b, text(NULL), text(list),
                                       &job, NULL),
                  CUPEL_OK);
        CHECK(run(job) && cupel_gw_job_page(job)->shared);
        cupel_gw_job_end(job);
    }
    cupel_gw_store_count(w.stores[0], &two);
    CHECK_INT(two.bytes, one.bytes);
    CHECK_INT(two.entries, one.entries + 1);
    CHECK_STR(tools_of(&w, 1, &b), "ab!");
    /* A tool in two lists has one program. */
    learns(&w, 0, &b, NULL, LIST(TOOL("c", "q")));
    cupel_gw_store_count(w.stores[0], &one);
    CHECK_INT(one.blobs, two.blobs + 1);
    free_world(&w);
}

static void test_reload(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    learns(&w, 0, &a, NULL, LIST(TOOL("a", "p")));
    for (unsigned i = 0; i < 2; i++) {
        cupel_gw_learner_free(w.learners[i]);
        cupel_gw_store_close(w.stores[i]);
    }
    CHECK_INT(cupel_gw_store_format(w.block, SIZE, false, &store_host), CUPEL_OK);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_INT(cupel_gw_store_open(w.block, &store_host, i + 3, &w.stores[i]), CUPEL_OK);
        CHECK_INT(cupel_gw_learner_new(w.stores[i], &learner_host, 0, &w.learners[i]), CUPEL_OK);
    }
    CHECK_STR(tools_of(&w, 0, &a), "a!");
    /* Other limits are another key. */
    struct cupel_gw_learn_config before = learning;
    learning.engine.limits[CUPEL_LIMIT_SUBSCHEMAS]--;
    struct cupel_gw_identity other = identity(&w, "A", NULL, "1");
    CHECK_STR(tools_of(&w, 0, &other), "-");
    learning = before;
    free_world(&w);
}

/* A step ends when its time is over; a process with room for nothing keeps what is in use. */
static void test_pieces(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    struct cupel_text list;
    struct cupel_gw_job *job = NULL;
    cupel_text_init(&list, NULL);
    for (int i = 0; i < 40; i++)
        cupel_text_addf(
            &list,
            "%s{\"name\":\"t%d\",\"inputSchema\":{\"type\":\"object\",\"minProperties\":%d}}",
            i != 0 ? "," : "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[", i, i);
    cupel_text_adds(&list, "]}}");
    tick = 500000; /* three units in a step of 1.5 ms */
    CHECK_INT(cupel_gw_learn_begin(w.learners[0], &learning, &a, text(NULL),
                                   (struct cupel_gw_text){list.bytes, list.len}, &job, NULL),
              CUPEL_OK);
    int steps = 1;
    while (cupel_gw_job_step(job) == CUPEL_GW_JOB_MORE)
        steps++;
    tick = 1000;
    CHECK(steps >= 13 && steps <= 20);
    CHECK(cupel_gw_job_page(job)->worst <= 1500000);
    CHECK_INT(cupel_gw_job_page(job)->tools, 40);
    cupel_gw_job_end(job);
    struct cupel_gw_learner *small = NULL;
    struct cupel_gw_acquired taken, again;
    CHECK_INT(cupel_gw_learner_new(w.stores[0], &learner_host, 1, &small), CUPEL_OK);
    CHECK_INT(cupel_gw_learner_acquire(small, &learning, &a, &taken), CUPEL_GW_LOAD);
    CHECK(run(taken.job));
    CHECK_INT(cupel_gw_learner_acquire(small, &learning, &a, &again), CUPEL_GW_FOUND);
    cupel_gw_job_end(taken.job);
    cupel_gw_learner_release(small, again.list);
    CHECK_INT(cupel_gw_learner_acquire(small, &learning, &a, &again), CUPEL_GW_LOAD);
    cupel_gw_job_end(again.job);
    cupel_gw_learner_free(small);
    cupel_text_free(&list);
    free_world(&w);
}

/* -- Held back ------------------------------------------------------------------------------- */

static struct cupel_lock *pins_of(const char *list)
{
    struct cupel_catalog *catalog = NULL;
    struct cupel_lock *lock = NULL;
    CHECK(cupel_catalog_new(NULL, &catalog) == CUPEL_OK &&
          cupel_catalog_add(catalog, list, strlen(list), NULL) == CUPEL_OK &&
          cupel_lock_new(catalog, &lock, NULL) == CUPEL_OK);
    cupel_catalog_free(catalog);
    return lock;
}

static int append(void *ctx, const char *bytes, size_t len)
{
    cupel_text_add(ctx, bytes, len);
    return 0;
}

static void test_pins(void)
{
    static const char list[] = LIST(TOOL("a", "p") " , " TOOL("b", "q") "," TOOL("c", "r"));
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1");
    struct cupel_lock *pins = pins_of("[" TOOL("a", "p") "," TOOL("b", "other") "]");
    struct cupel_gw_policy policy;
    struct cupel_gw_job *job = NULL;
    const struct cupel_gw_cut *cuts = NULL;
    struct cupel_text out;
    struct cupel_gw_sink sink = {append, &out};
    cupel_text_init(&out, NULL);
    cupel_gw_policy_init(&policy);
    policy.changed = CUPEL_GW_WITHHOLD_HIDE;
    learning.pins = pins;
    CHECK_INT(
        cupel_gw_learn_begin(w.learners[0], &learning, &a, text(NULL), text(list), &job, NULL),
        CUPEL_OK);
    CHECK(run(job));
    size_t count = cupel_gw_job_cuts(job, &policy, &cuts);
    CHECK_INT(cupel_gw_cut_text(list, strlen(list), cuts, count, &sink), 0);
    CHECK_MEM(out.bytes, out.len, LIST(TOOL("a", "p") " "));
    policy.changed = CUPEL_GW_WITHHOLD_REFUSE;
    CHECK_INT(cupel_gw_job_cuts(job, &policy, &cuts), 0);
    cupel_gw_job_end(job);
    for (int worker = 0; worker < 2; worker++) {
        bool certain;
        struct cupel_gw_list *taken = take(&w, worker, &a, &certain);
        for (uint32_t i = 0; i < 3; i++) {
            static const uint8_t want[] = {0, CUPEL_GW_WITHHELD_CHANGED, CUPEL_GW_WITHHELD_MISSING};
            CHECK_INT(cupel_gw_list_withheld(taken, cupel_catalog_tool(taken->catalog, i)),
                      want[i]);
        }
        cupel_gw_learner_release(w.learners[worker], taken);
    }
    learning.pins = NULL;
    cupel_lock_free(pins);
    cupel_text_free(&out);
    free_world(&w);
}

/* -- Fetching -------------------------------------------------------------------------------- */

/* The response to a request with the id of that request. */
static const char *answer(struct cupel_gw_text request, const char *result)
{
    static char message[1024];
    const char *id = strstr(request.bytes, "\"id\":") + 5;
    snprintf(message, sizeof(message), "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":%s}",
             (int)(strchr(id, ',') - id), id, result);
    return message;
}

static void test_fetch(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", "s", "1");
    struct cupel_gw_fetch *fetch = NULL, *other = NULL;
    struct cupel_gw_text request;
    struct cupel_gw_job *job = NULL;
    CHECK_INT(cupel_gw_fetch_begin(w.learners[0], &learning, &a, &fetch), CUPEL_GW_FETCH_START);
    CHECK_INT(cupel_gw_fetch_begin(w.learners[1], &learning, &a, &other), CUPEL_GW_FETCH_WAIT);
    CHECK_INT(cupel_gw_fetch_request(fetch, text("2025-06-18"), &request), CUPEL_OK);
    CHECK(strncmp(request.bytes, "{\"jsonrpc\":\"2.0\",\"id\":\"cupel-", 29) == 0);
    CHECK(strstr(request.bytes, "params") == NULL &&
          strcmp(request.bytes + request.len - 24, "\",\"method\":\"tools/list\"}") == 0);
    CHECK_INT(cupel_gw_fetch_response(
                  fetch, text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"), &job),
              0);
    CHECK_INT(
        cupel_gw_fetch_response(
            fetch,
            text(answer(request, "{\"tools\":[" TOOL("a", "p") "],\"nextCursor\":\"n\\\"\"}")),
            &job),
        1);
    CHECK(run(job));
    CHECK_INT(cupel_gw_fetch_page(fetch, job), 1);
    cupel_gw_job_end(job);
    CHECK_INT(cupel_gw_fetch_request(fetch, text("2026-07-28"), &request), CUPEL_OK);
    CHECK(strstr(request.bytes, "\"params\":{\"cursor\":\"n\\\"\",\"_meta\":{") != NULL);
    CHECK_INT(cupel_gw_fetch_response(
                  fetch, text(answer(request, "{\"tools\":[" TOOL("b", "p") "]}")), &job),
              1);
    CHECK(run(job));
    CHECK_INT(cupel_gw_fetch_page(fetch, job), 0);
    cupel_gw_job_end(job);
    cupel_gw_fetch_end(fetch, false);
    CHECK_STR(tools_of(&w, 1, &a), "ab!");
    free_world(&w);
}

static void test_fetch_fails(void)
{
    struct world w = make_world();
    struct cupel_gw_identity a = identity(&w, "A", NULL, "1"), none = identity(&w, "", NULL, "1");
    struct cupel_gw_fetch *fetch = NULL;
    struct cupel_gw_text request;
    struct cupel_gw_job *job = NULL;
    CHECK_INT(cupel_gw_fetch_begin(w.learners[0], &learning, &none, &fetch), CUPEL_GW_FETCH_FAILED);
    CHECK_INT(cupel_gw_fetch_begin(w.learners[0], &learning, &a, &fetch), CUPEL_GW_FETCH_START);
    CHECK_INT(cupel_gw_fetch_request(fetch, text(NULL), &request), CUPEL_OK);
    CHECK_INT(cupel_gw_fetch_response(fetch, text(LIST(TOOL("a", "p"))), &job), -1);
    CHECK_INT(cupel_gw_fetch_response(fetch, text("no JSON"), &job), -1);
    CHECK_INT(cupel_gw_fetch_response(fetch, text(answer(request, "{\"tools\":7}")), &job), -1);
    cupel_gw_fetch_end(fetch, true);
    CHECK_INT(cupel_gw_fetch_begin(w.learners[1], &learning, &a, &fetch), CUPEL_GW_FETCH_FAILED);
    now_ms += learning.fetches.remember_failure;
    CHECK_INT(cupel_gw_fetch_begin(w.learners[1], &learning, &a, &fetch), CUPEL_GW_FETCH_START);
    learning.bytes = 50;
    CHECK_INT(cupel_gw_fetch_request(fetch, text(NULL), &request), CUPEL_OK);
    CHECK_INT(cupel_gw_fetch_response(fetch, text(answer(request, "{\"tools\":[]}")), &job), -1);
    cupel_gw_fetch_end(fetch, true);
    CHECK_STR(tools_of(&w, 0, &a), "-");
    cupel_gw_learn_config_init(&learning);
    free_world(&w);
}

int main(void)
{
    cupel_gw_learn_config_init(&learning);
    test_callers();
    test_sharing();
    test_public_pages();
    test_sessions();
    test_stale();
    test_pages();
    test_readers();
    test_bounds();
    test_wrong();
    test_programs();
    test_equal();
    test_reload();
    test_pieces();
    test_pins();
    test_fetch();
    test_fetch_fails();
    return test_end();
}
