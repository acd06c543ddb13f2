/* gateway.c: workers, exchanges, and the answers that the gateway writes itself.  Reading requests
 * is in request.c, reading responses in respond.c. */
#include "gateways/common/events.h"
#include "gateways/common/gateway_internal.h"

#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, MIB = 1024 * KIB, LEAST_BUFFER = 8 * KIB };

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
    for (size_t i = 0; i < CUPEL_GW_QUESTIONS; i++)
        cupel_text_init(&worker->questions[i].schema, alloc);
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
    cupel_gw_free_questions(worker);
    free(worker);
}

void cupel_gw_exchange_init(struct cupel_gw_exchange *x, struct cupel_gw_worker *worker,
                            const struct cupel_gw_policy *policy,
                            const struct cupel_gw_arena *arena)
{
    *x = (struct cupel_gw_exchange){.worker = worker, .policy = policy, .arena = *arena};
    x->request.reason = x->response.reason = "";
}

bool cupel_gw_buffer_reserve(struct cupel_gw_buffer *buffer, const struct cupel_gw_arena *arena,
                             size_t capacity)
{
    size_t more = buffer->capacity < LEAST_BUFFER / 2 ? LEAST_BUFFER : 2 * buffer->capacity;
    if (capacity <= buffer->capacity)
        return true;
    if (more < capacity)
        more = capacity;
    char *bytes = arena->take(arena->ctx, more);
    if (bytes == NULL)
        return false;
    if (buffer->len != 0)
        memcpy(bytes, buffer->bytes, buffer->len);
    *buffer = (struct cupel_gw_buffer){bytes, buffer->len, more};
    return true;
}

struct cupel_gw_text cupel_gw_keep(const struct cupel_gw_exchange *x, const char *bytes, size_t len)
{
    char *copy = x->arena.take(x->arena.ctx, len + 1);
    if (copy == NULL)
        return (struct cupel_gw_text){NULL, 0};
    if (len != 0)
        memcpy(copy, bytes, len);
    copy[len] = '\0';
    return (struct cupel_gw_text){copy, len};
}

static const char no_memory[] =
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"Out of memory\"}}";

enum cupel_gw_step cupel_gw_answer_error(struct cupel_gw_exchange *x, unsigned http_status,
                                         const struct cupel_gw_text *id, int code,
                                         const char *message)
{
    struct cupel_text *text = &x->worker->answer;
    cupel_text_clear(text);
    cupel_text_adds(text, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id != NULL && id->bytes != NULL)
        cupel_text_add(text, id->bytes, id->len);
    else
        cupel_text_adds(text, "null");
    cupel_text_addf(text, ",\"error\":{\"code\":%d,\"message\":\"%s\"}}", code, message);
    struct cupel_gw_text kept = {NULL, 0};
    if (!text->failed)
        kept = cupel_gw_keep(x, text->bytes, text->len);
    if (kept.bytes == NULL)
        x->answer = (struct cupel_gw_answer){500, no_memory, sizeof(no_memory) - 1};
    else
        x->answer = (struct cupel_gw_answer){http_status, kept.bytes, kept.len};
    return CUPEL_GW_REFUSE;
}
