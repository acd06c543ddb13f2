/* pool.c: the memory that judging needs, one worker for each thread that judges at the moment. */
#include "extension.h"

#include <string.h>

enum {
    MOST_IDLE = 16,           /* workers that a pool keeps */
    MOST_KEPT_BYTES = 8 << 20 /* a worker with more is freed */
};

/* The flags that apply to instances; the others are the compiler's. */
static const uint32_t INSTANCE_FLAGS =
    CUPEL_ALLOW_DUPLICATE_KEYS | CUPEL_ALLOW_BOM | CUPEL_IDN_OPTIONAL;

static bool same_options(const struct cupel_options *a, const struct cupel_options *b)
{
    return ((a->flags ^ b->flags) & INSTANCE_FLAGS) == 0 &&
           memcmp(a->limits, b->limits, sizeof a->limits) == 0;
}

struct pool *pool_get(struct state *state, const struct cupel_options *options)
{
    struct pool *pool;
    for (pool = state->pools; pool != NULL; pool = pool->next)
        if (same_options(&pool->options, options)) {
            pool->users++;
            return pool;
        }
    pool = PyMem_Calloc(1, sizeof *pool);
    if (pool == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    pool->options = *options;
    pool->options.resolver = NULL;
    pool->options.resolver_ctx = NULL;
    pool->users = 1;
    pool->next = state->pools;
    state->pools = pool;
    return pool;
}

static void worker_free(struct worker *worker)
{
    cupel_scratch_free(worker->scratch);
    cupel_document_free(worker->doc);
    PyMem_Free(worker->frames);
    PyMem_Free(worker);
}

void pool_put(struct state *state, struct pool *pool)
{
    if (--pool->users > 0)
        return;
    struct pool **link = &state->pools;
    while (*link != pool)
        link = &(*link)->next;
    *link = pool->next;
    for (struct worker *w = pool->idle, *next; w != NULL; w = next) {
        next = w->next;
        worker_free(w);
    }
    PyMem_Free(pool);
}

static struct worker *worker_new(const struct cupel_options *options)
{
    struct worker *worker = PyMem_Calloc(1, sizeof *worker);
    if (worker == NULL || cupel_scratch_new(options, &worker->scratch) != CUPEL_OK ||
        cupel_document_new(options, &worker->doc) != CUPEL_OK) {
        if (worker != NULL)
            worker_free(worker);
        PyErr_NoMemory();
        return NULL;
    }
    return worker;
}

struct worker *worker_get(struct pool *pool)
{
    struct worker *worker = pool->idle;
    if (worker == NULL)
        return worker_new(&pool->options);
    pool->idle = worker->next;
    pool->idle_count--;
    return worker;
}

void worker_put(struct pool *pool, struct worker *worker)
{
    if (pool->idle_count >= MOST_IDLE || cupel_scratch_memory(worker->scratch) > MOST_KEPT_BYTES) {
        worker_free(worker);
        return;
    }
    worker->next = pool->idle;
    pool->idle = worker;
    pool->idle_count++;
}
