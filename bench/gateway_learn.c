/* gateway_learn.c: what learned catalogs cost: the space that many take in the shared block and in
 * a worker, and the time of learning and loading one.
 *
 * usage: gateway_learn FILE...      tools/list results of real servers
 *
 * Learns 1,000 lists of 50 tools each, each for another caller, in three ways: as they are
 * (windows of all tools), with every tool renamed, so that no definition is in two lists, and with
 * every schema changed, so that no program is.  Then the 253 largest lists' tools in one list, step
 * by step, and definitions made to be costly, one by one. */
#include "gateways/common/exchange/exchange.h"
#include "gateways/common/learn/learn.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLERS = 1000, TOOLS = 50, MANY = 253, MOST = 4096 };
enum { USUAL = 128 << 20, LARGE = 256 << 20 }; /* blocks */

/* -- A host of one process ------------------------------------------------------------------- */

static void nothing(void *ctx)
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
    (void)ctx;
    for (size_t i = 0; i < len; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)rand();
    return 0;
}

static uint64_t nanoseconds(void *ctx)
{
    struct timespec t;
    (void)ctx;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* of this thread alone, on a busy machine too */
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t milliseconds(void *ctx)
{
    return nanoseconds(ctx) / 1000000;
}

struct world {
    void *block;
    struct cupel_gw_store *store;
    struct cupel_gw_learner *learner;
    struct cupel_gw_learn_config learning;
};

/* All of the block is touched first, so that nobody pays for that later. */
static struct world make_world(size_t zone, size_t memory)
{
    static const struct cupel_gw_store_host host = {nothing, nothing, random_bytes, alive, NULL};
    static const struct cupel_gw_learner_host learner = {milliseconds, nanoseconds, random_bytes,
                                                         NULL};
    struct world w = {.block = aligned_alloc(64, zone)};
    if (w.block == NULL)
        exit(1);
    memset(w.block, 0, zone);
    cupel_gw_learn_config_init(&w.learning);
    if (cupel_gw_store_format(w.block, zone, true, &host) != CUPEL_OK ||
        cupel_gw_store_open(w.block, &host, 1, &w.store) != CUPEL_OK ||
        cupel_gw_learner_new(w.store, &learner, memory, &w.learner) != CUPEL_OK)
        exit(1);
    return w;
}

static void free_world(struct world *w)
{
    cupel_gw_learner_free(w->learner);
    cupel_gw_store_close(w->store);
    free(w->block);
}

static struct cupel_gw_identity identity(const struct world *w, unsigned number)
{
    char caller[32];
    struct cupel_gw_identity id;
    int len = snprintf(caller, sizeof(caller), "Bearer %u", number);
    struct cupel_gw_identity_fields fields = {.location = {"l", 1},
                                              .upstream = {"u", 1},
                                              .prefix = {"/", 1},
                                              .options = &w->learning.options,
                                              .caller = {caller, (size_t)len},
                                              .reader = {"r", 1}};
    if (cupel_gw_identify(cupel_gw_store_secret(w->store), &fields, &id) != CUPEL_OK)
        exit(1);
    return id;
}

/* -- Real tools ------------------------------------------------------------------------------ */

static struct cupel_gw_text tools[MOST];
static size_t tool_count;

static void read_tools(const char *path)
{
    struct cupel_catalog *catalog = NULL;
    struct cupel_text text;
    char buffer[65536];
    FILE *file = fopen(path, "rb");
    cupel_text_init(&text, NULL);
    for (size_t n; file != NULL && (n = fread(buffer, 1, sizeof(buffer), file)) != 0;)
        cupel_text_add(&text, buffer, n);
    if (file != NULL)
        fclose(file);
    if (cupel_catalog_new(NULL, &catalog) == CUPEL_OK &&
        cupel_catalog_add(catalog, text.bytes, text.len, NULL) == CUPEL_OK) {
        for (uint32_t i = 0; i < cupel_catalog_count(catalog) && tool_count < MOST; i++) {
            const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
            char *copy = malloc(tool->text_len + 1);
            if (copy == NULL)
                exit(1);
            memcpy(copy, tool->text, tool->text_len + 1);
            tools[tool_count++] = (struct cupel_gw_text){copy, tool->text_len};
        }
    }
    cupel_catalog_free(catalog);
    cupel_text_free(&text);
}

enum change { AS_IT_IS, RENAMED, CHANGED };

/* Appends a definition, with something in it that no other list has.  A schema that is changed gets
 * a member that the compiler sees. */
static void add_tool(struct cupel_text *list, struct cupel_gw_text tool, enum change change,
                     unsigned number)
{
    const char *at = change == RENAMED ? strstr(tool.bytes, "\"name\"") : NULL;
    const char *after = at != NULL ? strchr(at + 6, '"') : NULL;
    if (change == CHANGED) {
        at = strstr(tool.bytes, "\"inputSchema\"");
        after = at != NULL ? strchr(at, '{') : NULL;
    }
    if (after == NULL) {
        cupel_text_add(list, tool.bytes, tool.len);
        return;
    }
    size_t before = (size_t)(after + 1 - tool.bytes);
    cupel_text_add(list, tool.bytes, before);
    const char *comma =
        change == CHANGED && after[1 + strspn(after + 1, " \n\t\r")] != '}' ? "," : "";
    if (change == CHANGED)
        cupel_text_addf(list, "\"minProperties\":0,\"maxProperties\":%u%s", 1000 + number, comma);
    else
        cupel_text_addf(list, "n%u_", number);
    cupel_text_add(list, tool.bytes + before, tool.len - before);
}

static void make_list(struct cupel_text *list, size_t first, size_t count, enum change change,
                      unsigned number)
{
    cupel_text_clear(list);
    cupel_text_adds(list, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[");
    for (size_t i = 0; i < count; i++) {
        cupel_text_adds(list, i != 0 ? "," : "");
        add_tool(list, tools[(first + i) % tool_count], change, number);
    }
    cupel_text_adds(list, "]}}");
}

/* -- Learning -------------------------------------------------------------------------------- */

struct timing {
    uint64_t begin, total, worst; /* nanoseconds: reading the text; all; the longest step */
    uint32_t steps, tools;
    const char *reason;
};

static struct timing finish(struct cupel_gw_job *job, uint64_t start)
{
    struct timing timing = {.begin = nanoseconds(NULL) - start};
    for (timing.steps = 1; cupel_gw_job_step(job) == CUPEL_GW_JOB_MORE;)
        timing.steps++;
    const struct cupel_gw_page *page = cupel_gw_job_page(job);
    timing.total = nanoseconds(NULL) - start;
    timing.worst = page->worst;
    timing.tools = page->tools;
    timing.reason = page->reason;
    cupel_gw_job_end(job);
    return timing;
}

static struct timing learn(struct world *w, unsigned caller, const struct cupel_text *list)
{
    struct cupel_gw_identity id = identity(w, caller);
    struct cupel_gw_job *job = NULL;
    uint64_t start = nanoseconds(NULL);
    if (cupel_gw_learn_begin(w->learner, &w->learning, &id, (struct cupel_gw_text){NULL, 0},
                             (struct cupel_gw_text){list->bytes, list->len}, &job,
                             NULL) != CUPEL_OK)
        exit(1);
    return finish(job, start);
}

static void print_timing(const char *what, const struct timing *timing)
{
    printf("%-34s %4u tools %7.2f ms, reading %5.2f ms, longest of %3u steps %5.2f ms %s\n", what,
           timing->tools, (double)timing->total / 1e6, (double)timing->begin / 1e6, timing->steps,
           (double)timing->worst / 1e6, timing->reason);
}

static void measure_zone(const char *what, enum change change)
{
    struct world w = make_world(LARGE, 1);
    struct cupel_text list;
    struct cupel_gw_store_counts counts;
    uint32_t stored = 0;
    cupel_text_init(&list, NULL);
    for (unsigned i = 0; i < CALLERS; i++) {
        make_list(&list, (size_t)i * 37, TOOLS, change, i);
        learn(&w, i, &list);
    }
    for (unsigned i = 0; i < CALLERS; i++) {
        struct cupel_gw_identity id = identity(&w, i);
        struct cupel_gw_entry entry;
        if (cupel_gw_store_look_up(w.store, &id.key, milliseconds(NULL), &entry)) {
            cupel_gw_store_release(w.store, entry.blob);
            stored++;
        }
    }
    cupel_gw_store_count(w.store, &counts);
    printf("%-34s %u of %d lists, %6.1f MiB in %u blobs\n", what, stored, CALLERS,
           (double)counts.bytes / (1 << 20), counts.blobs);
    cupel_text_free(&list);
    free_world(&w);
}

/* Memory that a worker keeps beside the shared block for its catalogs, with their programs and
 * matchers: as many as the bound allows, 0 for the default. */
static void measure_worker(const char *what, enum change change, size_t bound)
{
    struct world w = make_world(LARGE, bound);
    struct cupel_text list;
    cupel_text_init(&list, NULL);
    struct mallinfo2 before = mallinfo2();
    for (unsigned i = 0; i < CALLERS; i++) {
        make_list(&list, (size_t)i * 37, TOOLS, change, i);
        learn(&w, i, &list);
    }
    cupel_text_free(&list);
    struct mallinfo2 after = mallinfo2();
    size_t bytes = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
    printf("%-34s one worker, bound of %4zu MiB: %6.1f MiB\n", what,
           bound != 0 ? bound >> 20 : (size_t)64, (double)bytes / (1 << 20));
    free_world(&w);
}

static void measure_time(void)
{
    struct cupel_text list;
    cupel_text_init(&list, NULL);
    make_list(&list, 0, MANY, AS_IT_IS, 0);
    for (int round = 0; round < 3; round++) {
        struct world w = make_world(USUAL, 0);
        struct timing timing = learn(&w, 1, &list);
        print_timing("learned", &timing);
        timing = learn(&w, 2, &list);
        print_timing("an equal list is there", &timing);
        make_list(&list, 1, MANY, AS_IT_IS, 0);
        timing = learn(&w, 1, &list);
        print_timing("one tool is another", &timing);
        make_list(&list, 0, MANY, AS_IT_IS, 0);
        cupel_gw_learner_free(w.learner);
        static const struct cupel_gw_learner_host host = {milliseconds, nanoseconds, random_bytes,
                                                          NULL};
        struct cupel_gw_acquired taken;
        struct cupel_gw_identity id = identity(&w, 2);
        if (cupel_gw_learner_new(w.store, &host, 0, &w.learner) != CUPEL_OK)
            exit(1);
        uint64_t start = nanoseconds(NULL);
        if (cupel_gw_learner_acquire(w.learner, &w.learning, &id, &taken) == CUPEL_GW_LOAD) {
            timing = finish(taken.job, start);
            timing.tools = MANY;
            print_timing("loaded by another process", &timing);
        }
        free_world(&w);
    }
    cupel_text_free(&list);
}

/* -- Laborious definitions ------------------------------------------------------------------- */

static void open_tool(struct cupel_text *text)
{
    cupel_text_adds(text, "[{\"name\":\"h\",\"inputSchema\":{\"type\":\"object\",\"properties\":{");
}

static void make_patterns(struct cupel_text *text)
{
    open_tool(text);
    for (int i = 0; i < 1000; i++)
        cupel_text_addf(text, "%s\"p%d\":{\"pattern\":\"(a|b%d)*c{2,200}[^x]{1,%d}$\"}",
                        i != 0 ? "," : "", i, i, 50 + i % 200);
    cupel_text_adds(text, "}}}]");
}

static void make_properties(struct cupel_text *text)
{
    open_tool(text);
    for (int i = 0; i < 2600; i++)
        cupel_text_addf(text, "%s\"p%d\":{\"type\":\"string\"}", i != 0 ? "," : "", i);
    cupel_text_adds(text, "}}}]");
}

static void make_choices(struct cupel_text *text)
{
    open_tool(text);
    cupel_text_adds(text, "\"a\":{\"oneOf\":[");
    for (int i = 0; i < 1250; i++)
        cupel_text_addf(text, "%s{\"properties\":{\"k\":{\"const\":\"v%d\"}},\"required\":[\"k\"]}",
                        i != 0 ? "," : "", i);
    cupel_text_adds(text, "]}}}}]");
}

static void make_references(struct cupel_text *text)
{
    open_tool(text);
    cupel_text_adds(text, "\"a\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{");
    for (int i = 0; i < 1000; i++)
        cupel_text_addf(
            text, "%s\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}",
            i != 0 ? "," : "", i, i + 1 < 1000 ? i + 1 : 1000, i + 2 < 1000 ? i + 2 : 1000);
    cupel_text_adds(text, ",\"d1000\":{}}}}]");
}

static void make_enum(struct cupel_text *text)
{
    open_tool(text);
    cupel_text_adds(text, "\"a\":{\"enum\":[");
    for (int i = 0; i < 6000; i++)
        cupel_text_addf(text, "%s\"value%d\"", i != 0 ? "," : "", i);
    cupel_text_adds(text, "]}}}}]");
}

static void make_deep(struct cupel_text *text)
{
    open_tool(text);
    for (int i = 0; i < 60; i++)
        cupel_text_adds(text, "\"a\":{\"anyOf\":[{\"type\":\"string\"}],\"properties\":{");
    for (int i = 0; i < 60; i++)
        cupel_text_adds(text, "}}");
    cupel_text_adds(text, "}}}]");
}

static void measure_hostile(void)
{
    static const struct {
        const char *what;
        void (*make)(struct cupel_text *);
    } families[] = {{"1,000 patterns", make_patterns}, {"2,600 properties", make_properties},
                    {"1,250 choices", make_choices},   {"1,000 references", make_references},
                    {"6,000 values", make_enum},       {"60 levels", make_deep}};
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        struct world w = make_world(USUAL, 0);
        struct cupel_text list;
        cupel_text_init(&list, NULL);
        families[i].make(&list);
        struct timing timing = learn(&w, 1, &list);
        print_timing(families[i].what, &timing);
        cupel_text_free(&list);
        free_world(&w);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        read_tools(argv[i]);
    if (tool_count == 0) {
        fprintf(stderr, "usage: gateway_learn FILE...\n");
        return 2;
    }
    printf("%zu real tools\n", tool_count);
    measure_zone("lists of 50 real tools", AS_IT_IS);
    measure_zone("the same, every tool renamed", RENAMED);
    measure_zone("the same, every schema changed", CHANGED);
    measure_worker("1,000 lists of 50 real tools", AS_IT_IS, 0);
    measure_worker("the same", AS_IT_IS, (size_t)4096 << 20);
    measure_time();
    measure_hostile();
    for (size_t i = 0; i < tool_count; i++)
        free((char *)tools[i].bytes);
    return 0;
}
