/* call_ways.h: a call with HTTP fields, and a batch, checked as hosts of one version of the
 * protocol check them. */
#ifndef CUPEL_TESTS_CALL_WAYS_H
#define CUPEL_TESTS_CALL_WAYS_H

#include <cupel/call.h>

/* Checks a call whose HTTP fields are required if `needed`. */
static inline enum cupel_call_verdict
check_http(const struct cupel_catalog *catalog, struct cupel_call_context *context, int needed,
           const struct cupel_header *headers, size_t count, const char *request, size_t len,
           struct cupel_text *answer, struct cupel_call_outcome *ret)
{
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.flags = CUPEL_REQUEST_FIELDS | (needed ? CUPEL_REQUEST_FIELDS_NEEDED : 0u);
    options.headers = headers;
    options.header_count = count;
    return cupel_call_check(catalog, context, request, len, &options, answer, NULL, NULL, ret);
}

/* Calls on_call for the messages of a batch, and not for a batch that is refused as a whole. */
struct batch_listener {
    const char *batch;
    cupel_on_call *on_call;
    void *ctx;
};

static inline int pass_message(void *ctx, const char *message, size_t len,
                               enum cupel_call_verdict verdict,
                               const struct cupel_call_outcome *outcome,
                               const struct cupel_text *answer)
{
    const struct batch_listener *to = (const struct batch_listener *)ctx;
    if (message == to->batch || to->on_call == NULL)
        return 0;
    return to->on_call(to->ctx, message, len, verdict, outcome, answer);
}

/* Checks a batch of calls. */
static inline enum cupel_call_verdict check_batch(const struct cupel_catalog *catalog,
                                                  struct cupel_call_context *context,
                                                  const char *batch, size_t len,
                                                  struct cupel_text *answer, cupel_on_call *on_call,
                                                  void *ctx)
{
    struct cupel_request_options options;
    struct batch_listener to = {batch, on_call, ctx};
    cupel_request_options_init(&options);
    options.flags = CUPEL_REQUEST_CALLS;
    return cupel_request_check(catalog, context, batch, len, &options, answer, pass_message, &to);
}

#endif
