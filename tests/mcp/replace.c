/* replace.c: one thread replaces the catalog in a slot while seven judge calls by it.
 *
 * usage: replace CATALOGS [latency]
 *
 * Each catalog has 100 tools.  One of them differs from catalog to catalog, and says in its version
 * which one it is: a reader that saw half of one and half of another would notice.  The others are
 * the same, so their programs are shared.  With `latency`, prints how long calls take with and
 * without the replacing. */
#include "test.h"
#include <cupel/cupel.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { READERS = 7, TOOLS = 100, SAMPLES = 20000 };

struct reader {
    struct cupel_slot *slot;
    atomic_bool *stop;
    uint32_t index;
    unsigned long calls, torn;
    uint32_t samples[SAMPLES]; /* nanoseconds */
};

/* -- Catalogs --------------------------------------------------------------------------------- */

static struct cupel_catalog *make_catalog(unsigned generation, const struct cupel_catalog *previous)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_text text;
    cupel_catalog_options_init(&options);
    options.previous = previous;
    cupel_text_init(&text, NULL);
    cupel_text_addf(&text,
                    "[{\"name\":\"changing\",\"version\":\"1.0.%u\",\"inputSchema\":{\"type\":"
                    "\"object\",\"properties\":{\"n\":{\"const\":%u}},\"required\":[\"n\"]}}",
                    generation, generation);
    for (int i = 1; i < TOOLS; i++)
        cupel_text_addf(&text,
                        ",{\"name\":\"tool%d\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                        "{\"a%d\":{\"type\":\"string\"},\"b\":{\"enum\":[\"x\",\"y\"]}}}}",
                        i, i);
    cupel_text_adds(&text, "]");
    CHECK(cupel_catalog_new(&options, &catalog) == CUPEL_OK &&
          cupel_catalog_add(catalog, text.bytes, text.len, NULL) == CUPEL_OK);
    cupel_text_free(&text);
    return catalog;
}

static unsigned count_shared(const struct cupel_catalog *catalog)
{
    unsigned shared = 0;
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++)
        shared += cupel_catalog_tool(catalog, i)->shared;
    return shared;
}

/* -- Readers ---------------------------------------------------------------------------------- */

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Whether the changing tool and its version are of one catalog, and another tool is whole. */
static bool is_whole(const struct cupel_catalog *catalog, struct cupel_call_context *caller,
                     struct cupel_text *answer)
{
    static const char other[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tool42\","
        "\"arguments\":{\"a42\":\"\",\"b\":\"y\"}}}";
    char call[200];
    unsigned generation = 0;
    const struct cupel_tool *tool = cupel_catalog_find(catalog, "changing", 8);
    if (tool == NULL || sscanf(tool->version, "1.0.%u", &generation) != 1)
        return false;
    int n = snprintf(call, sizeof(call),
                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                     "\"name\":\"changing\",\"arguments\":{\"n\":%u}}}",
                     generation);
    return cupel_call_check(catalog, caller, call, (size_t)n, NULL, answer, NULL, NULL, NULL) ==
               CUPEL_CALL_VALID &&
           cupel_call_check(catalog, caller, other, sizeof(other) - 1, NULL, answer, NULL, NULL,
                            NULL) == CUPEL_CALL_VALID;
}

static void *read_along(void *ctx)
{
    struct reader *reader = ctx;
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    if (cupel_call_context_new(NULL, &caller) != CUPEL_OK) {
        reader->torn++;
        return NULL;
    }
    while (!atomic_load_explicit(reader->stop, memory_order_relaxed)) {
        uint64_t start = now();
        const struct cupel_catalog *catalog =
            cupel_slot_acquire_catalog(reader->slot, reader->index);
        reader->torn += !is_whole(catalog, caller, &answer);
        cupel_slot_release(reader->slot, reader->index);
        reader->samples[reader->calls++ % SAMPLES] = (uint32_t)(now() - start);
    }
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
    return NULL;
}

/* -- Runs ------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print_latency(const char *when, struct reader *readers)
{
    size_t count = 0;
    uint32_t *all = malloc(sizeof(*all) * READERS * SAMPLES);
    for (int i = 0; i < READERS; i++) {
        size_t n = readers[i].calls < SAMPLES ? readers[i].calls : SAMPLES;
        memcpy(all + count, readers[i].samples, n * sizeof(*all));
        count += n;
    }
    qsort(all, count, sizeof(*all), compare);
    if (count != 0)
        printf("%s replacing: two calls take %u ns (median), %u ns (99th percentile)\n", when,
               all[count / 2], all[count * 99 / 100]);
    free(all);
}

/* Replaces the catalog `catalogs` times, or lets the readers run for a while. */
static void replace(struct cupel_slot *slot, unsigned catalogs)
{
    struct cupel_catalog *previous = make_catalog(0, NULL);
    (void)cupel_slot_publish_catalog(slot, previous);
    for (unsigned i = 1; i <= catalogs; i++) {
        struct cupel_catalog *next = make_catalog(i, previous);
        CHECK_INT(count_shared(next), TOOLS - 1);
        (void)cupel_slot_publish_catalog(slot, next);
        CHECK(cupel_slot_collect(slot) <= READERS + 1);
        previous = next;
    }
    struct timespec while_idle = {0, 200000000};
    if (catalogs == 0)
        nanosleep(&while_idle, NULL);
}

static void run(struct reader *readers, unsigned catalogs)
{
    pthread_t threads[READERS];
    struct cupel_slot *slot = NULL;
    atomic_bool stop = false;
    CHECK_INT(cupel_slot_new(READERS, NULL, &slot), CUPEL_OK);
    CHECK(cupel_slot_acquire_catalog(slot, 0) == NULL);
    (void)cupel_slot_publish_catalog(slot, make_catalog(0, NULL));
    memset(readers, 0, sizeof(*readers) * READERS);
    for (uint32_t i = 0; i < READERS; i++) {
        readers[i].slot = slot;
        readers[i].stop = &stop;
        readers[i].index = i;
        CHECK_INT(pthread_create(&threads[i], NULL, read_along, &readers[i]), 0);
    }
    replace(slot, catalogs);
    atomic_store(&stop, true);
    for (uint32_t i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_INT(readers[i].torn, 0);
    }
    cupel_slot_collect(slot);
    CHECK_INT(cupel_slot_collect(slot), 1);
    cupel_slot_free(slot);
}

int main(int argc, char **argv)
{
    unsigned catalogs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 20;
    struct reader *readers = malloc(sizeof(*readers) * READERS);
    if (argc > 2) {
        run(readers, 0);
        print_latency("without", readers);
    }
    run(readers, catalogs);
    if (argc > 2)
        print_latency("with", readers);
    free(readers);
    cupel_slot_free(NULL);
    return test_end();
}
