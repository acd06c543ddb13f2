/* requests.c: the entry points for hosts: one call, a batch, any message, a request for a list.
 *
 * Each reads the text into the context's document, opens a struct cupel__call for each message, and
 * has call.c judge it.  Batches exist in profile 2025-03-26 only.
 *
 *     cupel_call_check          one call
 *     cupel_request_check       a message of any method, or a batch, as gateways receive them
 *     cupel_list_request_check  a request for tools/list, which it answers */
#include "mcp/call/call.h"
#include "mcp/catalog/catalog.h"
#include "mcp/options/options.h"

#include <cupel/listing.h>
#include <string.h>

/* -- One message ------------------------------------------------------------------------------ */

/* Initialises the state of a message.  The text of outcome->error is not cleared: it is most of an
 * outcome, and error.status CUPEL_OK says that it has no meaning. */
static void open_call(struct cupel__call *call, const struct cupel_catalog *catalog,
                      struct cupel_call_context *context,
                      const struct cupel_request_options *options, struct cupel_text *answer,
                      struct cupel_call_outcome *outcome)
{
    memset(call, 0, sizeof(*call));
    memset(outcome, 0, offsetof(struct cupel_call_outcome, error));
    outcome->error.status = CUPEL_OK;
    call->catalog = catalog;
    call->context = context;
    call->profile = options->profile;
    call->options = options;
    call->outcome = outcome;
    call->message = &context->message;
    call->site.doc = context->doc;
    call->answer = answer;
    call->outcome->reason = "";
    call->steps = UINT64_MAX;
    context->last.doc = NULL;
    cupel_text_clear(answer);
}

/* Returns the steps for the checks of a request, without those of verdict programs. */
static uint64_t steps_of_request(const struct cupel_call_context *context, size_t len)
{
    uint64_t more = context->steps_per_byte * (uint64_t)len;
    return context->steps < UINT64_MAX - more ? context->steps + more : UINT64_MAX;
}

/* Reads the text of a request and its HTTP fields, and sets the budgets. */
static enum cupel_status read_request(struct cupel__call *call, const char *text, size_t len)
{
    struct cupel_call_context *context = call->context;
    const struct cupel_request_options *options = call->options;
    bool fields = (options->flags & CUPEL_REQUEST_FIELDS) != 0;
    enum cupel_status status = cupel_document_read(context->doc, text, len, &call->outcome->error);
    context->batch_steps = UINT64_MAX;
    if (status == CUPEL_OK && fields &&
        !cupel__fields_open(context, options->headers, options->header_count))
        return CUPEL_E_NO_MEMORY;
    call->steps = steps_of_request(context, len);
    return status;
}

/* Begins a public function.  False, with *ret saying why, if an argument is missing, or if a
 * callback calls back with the context that called it; then nothing else was written. */
static bool enter(struct cupel_call_context *context, const char *text, size_t len,
                  const struct cupel_text *answer, struct cupel_call_outcome *ret)
{
    if (context != NULL && answer != NULL && (text != NULL || len == 0) && !context->in_use) {
        context->in_use = true;
        return true;
    }
    if (ret != NULL) {
        memset(ret, 0, sizeof(*ret));
        ret->reason = cupel_status_name(CUPEL_E_ARGUMENT);
    }
    return false;
}

/* Ends what enter began. */
static enum cupel_call_verdict leave(struct cupel_call_context *context,
                                     enum cupel_call_verdict verdict)
{
    context->in_use = false;
    return verdict;
}

/* Copies the options of a request to *ret.  What they leave open is the catalog's. */
static enum cupel_status read_options(const struct cupel_catalog *catalog,
                                      const struct cupel_request_options *given,
                                      struct cupel_request_options *ret)
{
    enum cupel_status status = cupel__request_options_copy(given, ret, NULL);
    if ((int)ret->profile == 0)
        ret->profile = catalog != NULL ? catalog->options.profile : CUPEL_MCP_2026_07_28;
    if (catalog != NULL && (catalog->options.flags & CUPEL_CATALOG_EXACT_ARGUMENTS) != 0)
        ret->flags |= CUPEL_REQUEST_EXACT_ARGUMENTS;
    return status;
}

enum cupel_call_verdict cupel_call_check(const struct cupel_catalog *catalog,
                                         struct cupel_call_context *context, const char *request,
                                         size_t len, const struct cupel_request_options *options,
                                         struct cupel_text *answer, cupel_on_problem *on_problem,
                                         void *ctx, struct cupel_call_outcome *ret)
{
    struct cupel__call call;
    struct cupel_request_options chosen;
    if (!enter(context, request, len, answer, ret))
        return CUPEL_CALL_UNDECIDED;
    enum cupel_status status = read_options(catalog, options, &chosen);
    open_call(&call, catalog, context, &chosen, answer, ret != NULL ? ret : &context->outcome);
    if (status == CUPEL_OK)
        status = read_request(&call, request, len);
    return leave(context, status == CUPEL_OK ? cupel__call_judge(&call, on_problem, ctx)
                                             : cupel__call_unread(&call, status));
}

/* -- Batches (JSON-RPC 2.0 section 6) --------------------------------------------------------- *
 *
 * A verdict program has the budget that its arguments would have alone, and all programs of a batch
 * share context->batch_steps: thousands of small calls would otherwise have thousands of budgets.
 * So a batch takes at most twice as long as one message of its length; calls beyond that are
 * UNDECIDED (LIMIT_STEPS). */

/* Adds the id of a request to the sets of ids.  False if another request has it, or when out of
 * memory (*ret_status).  -0 equals 0. */
static bool add_id(struct cupel_call_context *context, uint32_t message,
                   enum cupel_status *ret_status)
{
    struct cupel_document *doc = context->doc;
    uint32_t id = cupel_json_member(doc, message, "id", 2);
    uint32_t method = cupel_json_member(doc, message, "method", 6);
    size_t len;
    if (id == CUPEL_NO_NODE || method == CUPEL_NO_NODE || !cupel_message_id_valid(doc, id))
        return true;
    const char *bytes = cupel_json_string(doc, id, &len);
    struct cupel__mcp_names *ids = &context->ids[bytes == NULL];
    if (bytes == NULL)
        bytes = cupel_json_span(doc, id, &len);
    if (len == 2 && bytes[0] == '-' && bytes[1] == '0' && ids == &context->ids[1]) {
        bytes++;
        len--;
    }
    if (cupel__mcp_names_find(ids, bytes, len) != NULL)
        return false;
    if (!cupel__mcp_names_reserve(ids, 1)) {
        *ret_status = CUPEL_E_NO_MEMORY;
        return false;
    }
    cupel__mcp_names_put(ids, bytes, len, 0);
    return true;
}

/* Whether all requests of the batch have different ids. */
static bool ids_differ(struct cupel_call_context *context, enum cupel_status *ret_status)
{
    struct cupel_document *doc = context->doc;
    bool differ = true;
    for (int i = 0; i < 2; i++) {
        context->ids[i].alloc = context->alloc;
        cupel__mcp_hash_key(NULL, context->ids[i].key);
    }
    uint32_t node = cupel_json_first(doc, 0);
    for (; node != CUPEL_NO_NODE && differ; node = cupel_json_next(doc, 0, node))
        differ = add_id(context, node, ret_status);
    cupel__mcp_names_free(&context->ids[0]);
    cupel__mcp_names_free(&context->ids[1]);
    return differ;
}

/* Whether a batch has an initialize request, which the specification forbids. */
static bool has_initialize(struct cupel_document *doc)
{
    uint32_t node = cupel_json_first(doc, 0);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, 0, node)) {
        uint32_t method = cupel_json_member(doc, node, "method", 6);
        if (method != CUPEL_NO_NODE && cupel_json_is(doc, method, "initialize"))
            return true;
    }
    return false;
}

static enum cupel_call_verdict refuse_batch(struct cupel__call *call, const char *rule,
                                            const char *message)
{
    return cupel__call_refuse(call, CUPEL__RPC_INVALID_REQUEST, rule, message);
}

/* Checks the batch as a whole: VALID, or a verdict with an answer. */
static enum cupel_call_verdict check_batch(struct cupel__call *call)
{
    struct cupel_document *doc = call->site.doc;
    enum cupel_status status = CUPEL_OK;
    if (cupel_json_type(doc, 0) != CUPEL_JSON_ARRAY || call->profile != CUPEL_MCP_2025_03_26)
        return refuse_batch(call, "request-batch",
                            "Invalid request: not a batch, or not in this protocol version");
    if (cupel_json_count(doc, 0) == 0)
        return refuse_batch(call, "batch-empty", "Invalid request: the batch is empty");
    if (cupel_json_count(doc, 0) > call->options->batch)
        return refuse_batch(call, "batch-size", "Invalid request: the batch has too many messages");
    if (has_initialize(doc))
        return refuse_batch(call, "batch-initialize",
                            "Invalid request: initialize is not part of a batch");
    if (ids_differ(call->context, &status))
        return CUPEL_CALL_VALID;
    return status != CUPEL_OK ? cupel__call_unread(call, status)
                              : refuse_batch(call, "batch-id",
                                             "Invalid request: two requests of the batch have the "
                                             "same id");
}

/* Judges the messages of a batch one by one and calls on_call for each.  Returns the first verdict
 * that is not VALID. */
static enum cupel_call_verdict judge_messages(struct cupel__call *call, size_t len,
                                              cupel_on_call *on_call, void *ctx)
{
    const struct cupel_request_options *options = call->options;
    struct cupel_call_context *context = call->context;
    struct cupel_document *doc = context->doc;
    enum cupel_call_verdict first = CUPEL_CALL_VALID;
    context->batch_steps = steps_of_request(context, len);
    uint64_t check_steps = call->steps;
    for (uint32_t node = cupel_json_first(doc, 0); node != CUPEL_NO_NODE;
         node = cupel_json_next(doc, 0, node)) {
        open_call(call, call->catalog, context, options, call->answer, &context->outcome);
        call->site.root = node;
        call->any = (options->flags & CUPEL_REQUEST_CALLS) == 0;
        call->steps = check_steps;
        enum cupel_call_verdict verdict =
            cupel__call_judge(call, options->on_problem, options->problem_ctx);
        check_steps = call->steps;
        if (first == CUPEL_CALL_VALID)
            first = verdict;
        const char *message = cupel_json_span(doc, node, &len);
        if (on_call != NULL &&
            on_call(ctx, message, len, verdict, call->outcome, call->answer) != 0)
            break;
    }
    cupel_text_clear(call->answer);
    return first;
}

/* Judges a batch.  For one that is refused as a whole on_call gets the whole text as one message.
 */
static enum cupel_call_verdict judge_array(struct cupel__call *call, const char *text, size_t len,
                                           cupel_on_call *on_call, void *ctx)
{
    enum cupel_call_verdict verdict = check_batch(call);
    if (verdict == CUPEL_CALL_VALID)
        return judge_messages(call, len, on_call, ctx);
    if (on_call != NULL)
        on_call(ctx, text, len, verdict, call->outcome, call->answer);
    return verdict;
}

/* -- Any request ------------------------------------------------------------------------------ */

/* An array is a batch, anything else one message. */
static enum cupel_call_verdict
request_check_entered(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                      const struct cupel_request_options *options, const char *text, size_t len,
                      struct cupel_text *answer, cupel_on_call *on_call, void *ctx)
{
    struct cupel__call call;
    struct cupel_document *doc = context->doc;
    struct cupel_request_options chosen;
    enum cupel_status status = read_options(catalog, options, &chosen);
    open_call(&call, catalog, context, &chosen, answer, &context->outcome);
    if (status == CUPEL_OK)
        status = read_request(&call, text, len);
    if (status == CUPEL_OK && cupel_json_type(doc, 0) == CUPEL_JSON_ARRAY)
        return judge_array(&call, text, len, on_call, ctx);
    call.any = (chosen.flags & CUPEL_REQUEST_CALLS) == 0;
    enum cupel_call_verdict verdict =
        status == CUPEL_OK ? cupel__call_judge(&call, chosen.on_problem, chosen.problem_ctx)
                           : cupel__call_unread(&call, status);
    if (on_call != NULL)
        on_call(ctx, text, len, verdict, call.outcome, answer);
    return verdict;
}

enum cupel_call_verdict cupel_request_check(const struct cupel_catalog *catalog,
                                            struct cupel_call_context *context, const char *text,
                                            size_t len, const struct cupel_request_options *options,
                                            struct cupel_text *answer, cupel_on_call *on_call,
                                            void *ctx)
{
    if (!enter(context, text, len, answer, NULL))
        return CUPEL_CALL_UNDECIDED;
    return leave(context,
                 request_check_entered(catalog, context, options, text, len, answer, on_call, ctx));
}

/* -- Lists ------------------------------------------------------------------------------------ */

/* Finds the cursor of a request; bytes is NULL if it has none. */
static enum cupel_call_verdict find_cursor(struct cupel__call *call, struct cupel__mcp_slice *ret)
{
    struct cupel_document *doc = call->site.doc;
    uint32_t params = call->site.params;
    *ret = (struct cupel__mcp_slice){NULL, 0};
    if (params == CUPEL_NO_NODE)
        return CUPEL_CALL_VALID;
    uint32_t cursor = cupel_json_member(doc, params, "cursor", 6);
    if (cursor == CUPEL_NO_NODE)
        return CUPEL_CALL_VALID;
    ret->bytes = cupel_json_string(doc, cursor, &ret->len);
    if (ret->bytes == NULL)
        return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-cursor",
                                  "Invalid params: cursor is not a string");
    return CUPEL_CALL_VALID;
}

/* Writes the requested page of tools. */
static enum cupel_call_verdict answer_list(struct cupel__call *call, uint32_t page)
{
    struct cupel__mcp_slice cursor;
    struct cupel_text *answer = call->answer;
    enum cupel_call_verdict verdict = find_cursor(call, &cursor);
    if (verdict != CUPEL_CALL_VALID || call->notification)
        return verdict;
    cupel__mcp_open_message(answer, call->outcome->id, call->outcome->id_len);
    cupel_text_adds(answer, ",\"result\":");
    if (cupel_catalog_list_write(call->catalog, cursor.bytes, cursor.len, page, answer) ==
        CUPEL_OK) {
        cupel_text_adds(answer, "}");
        return CUPEL_CALL_VALID;
    }
    cupel_text_clear(answer);
    return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-cursor",
                              "Invalid params: the cursor is not known");
}

/* Reads a request for tools/list and writes the page of its cursor. */
static enum cupel_call_verdict list_check_entered(const struct cupel_catalog *catalog,
                                                  struct cupel_call_context *context,
                                                  const char *request, size_t len, uint32_t page,
                                                  struct cupel_text *answer,
                                                  struct cupel_call_outcome *ret)
{
    struct cupel__call call;
    struct cupel_request_options options;
    enum cupel_status status = read_options(catalog, NULL, &options);
    open_call(&call, catalog, context, &options, answer, ret != NULL ? ret : &context->outcome);
    if (status == CUPEL_OK)
        status = read_request(&call, request, len);
    if (status != CUPEL_OK)
        return cupel__call_unread(&call, status);
    enum cupel_call_verdict verdict = cupel__call_envelope(&call);
    if (verdict != CUPEL_CALL_VALID)
        return verdict;
    uint32_t method = call.message->method;
    if (method == CUPEL_NO_NODE || !cupel_json_is(call.site.doc, method, "tools/list"))
        return cupel__call_other(&call, "tools/list");
    return answer_list(&call, page);
}

enum cupel_call_verdict cupel_list_request_check(const struct cupel_catalog *catalog,
                                                 struct cupel_call_context *context,
                                                 const char *request, size_t len, uint32_t page,
                                                 struct cupel_text *answer,
                                                 struct cupel_call_outcome *ret)
{
    if (!enter(catalog != NULL ? context : NULL, request, len, answer, ret))
        return CUPEL_CALL_UNDECIDED;
    return leave(context, list_check_entered(catalog, context, request, len, page, answer, ret));
}
