/* exchange.c: the defaults of a policy, workers, and the start of an exchange.
 *
 * A worker is the reusable memory of one thread.  Its buffers grow to the largest message that
 * they have held and stay, so a warm request allocates from the arena of its exchange alone. */
#include "gateways/common/exchange/elicit.h"
#include "gateways/common/exchange/worker.h"

#include <stdlib.h>

enum { KIB = 1024, MIB = 1024 * KIB };

/* Fills in the strictest choice for each setting, and limits under which one request holds at
 * most a few body lengths of memory.  An event may be four times as large as a body, because
 * servers put a result and its text copy into one event. */
void cupel_gw_policy_init(struct cupel_gw_policy *policy)
{
    struct cupel_options options;
    cupel_options_init(&options);
    *policy = (struct cupel_gw_policy){
        .profile = CUPEL_MCP_2026_07_28,
        .limits = {.body = options.limits[CUPEL_LIMIT_BODY_BYTES],
                   .answer = 64 * KIB,
                   .batch = 64,
                   .result = options.limits[CUPEL_LIMIT_BODY_BYTES],
                   .list = 16 * (size_t)MIB,
                   .event = 4 * options.limits[CUPEL_LIMIT_BODY_BYTES],
                   .stream = 64 * (size_t)MIB,
                   .worker = 256 * (size_t)MIB,
                   .stream_time = 60 * 1000},
    };
}

/* A document for messages of responses, whose size the policy bounds.  A result lies up to three
 * levels deep in one. */
static enum cupel_status make_response(struct cupel_gw_worker *worker)
{
    struct cupel_options options = worker->options;
    options.flags &= ~(uint32_t)(CUPEL_INPUT_PADDED | CUPEL_ALLOW_DUPLICATE_KEYS | CUPEL_ALLOW_BOM);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = SIZE_MAX / 2;
    options.limits[CUPEL_LIMIT_DEPTH] += options.limits[CUPEL_LIMIT_DEPTH] < UINT32_MAX - 4 ? 4 : 0;
    return cupel_document_new(&options, &worker->response);
}

/* Makes all buffers of the worker, or none: after a failure cupel_gw_worker_free removes those
 * that were made, and *ret is unchanged. */
enum cupel_status cupel_gw_worker_new(const struct cupel_options *options, cupel_gw_clock *clock,
                                      void *clock_ctx, struct cupel_gw_worker **ret)
{
    struct cupel_gw_worker *worker = calloc(1, sizeof(*worker));
    if (worker == NULL)
        return CUPEL_E_NO_MEMORY;
    worker->options = *options;
    worker->clock = clock;
    worker->clock_ctx = clock_ctx;
    const struct cupel_alloc *alloc = options->alloc.realloc != NULL ? &options->alloc : NULL;
    cupel_text_init(&worker->answer, alloc);
    cupel_text_init(&worker->answers, alloc);
    cupel_text_init(&worker->key, alloc);
    for (size_t i = 0; i < CUPEL_GW_ELICITATION_PROGRAMS; i++)
        cupel_text_init(&worker->elicitations[i].schema, alloc);
    enum cupel_status status = cupel_call_context_new(options, &worker->caller);
    if (status == CUPEL_OK)
        status = make_response(worker);
    if (status != CUPEL_OK) {
        cupel_gw_worker_free(worker);
        return status;
    }
    *ret = worker;
    return CUPEL_OK;
}

void cupel_gw_worker_free(struct cupel_gw_worker *worker)
{
    if (worker == NULL)
        return;
    cupel_call_context_free(worker->caller);
    cupel_document_free(worker->response);
    cupel_text_free(&worker->answer);
    cupel_text_free(&worker->answers);
    cupel_text_free(&worker->key);
    cupel_gw_free_elicitation_programs(worker);
    free(worker);
}

/* Clears the exchange.  The host sets catalog, memory, lists and counters afterwards, before the
 * head of the request is handed over. */
void cupel_gw_exchange_init(struct cupel_gw_exchange *x, struct cupel_gw_worker *worker,
                            const struct cupel_gw_policy *policy,
                            const struct cupel_gw_arena *arena)
{
    *x = (struct cupel_gw_exchange){.worker = worker, .policy = policy, .arena = *arena};
    x->request.reason = x->response.reason = "";
}
