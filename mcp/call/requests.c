/* requests.c: what hosts call with a request: one message, a batch, a request for a list.  Judging
 * a message is in call.c. */
#include "mcp/call/call.h"
#include "mcp/catalog/catalog.h"

#include <cupel/listing.h>
#include <string.h>

void cupel_request_options_init(struct cupel_request_options *options)
{
    *options = (struct cupel_request_options){
        .size = sizeof(*options), .profile = CUPEL_MCP_2026_07_28, .batch = UINT32_MAX};
}

/* -- One message ------------------------------------------------------------------------------ */

/* Starts a message with nothing known yet.  What an error would say is left as it is: that is most
 * of an outcome, and its status says that it says nothing. */
static void open_call(struct cupel__call *call, const struct cupel_catalog *catalog,
                      struct cupel_caller *caller, const struct cupel_request_options *options,
                      struct cupel_text *answer, struct cupel_call_outcome *outcome)
{
    memset(call, 0, sizeof(*call));
    memset(outcome, 0, offsetof(struct cupel_call_outcome, error));
    outcome->error.status = CUPEL_OK;
    call->catalog = catalog;
    call->caller = caller;
    call->profile = options->profile;
    call->options = options;
    call->outcome = outcome;
    call->message = &caller->message;
    call->site.doc = caller->doc;
    call->answer = answer;
    call->outcome->reason = "";
    call->left = UINT64_MAX;
    caller->last.doc = NULL;
    cupel_text_clear(answer);
}

/* The steps of a request, beside what each verdict program has for itself. */
static uint64_t steps_of_request(const struct cupel_caller *caller, size_t len)
{
    uint64_t more = caller->steps_per_byte * (uint64_t)len;
    return caller->steps < UINT64_MAX - more ? caller->steps + more : UINT64_MAX;
}

/* Reads the text of a request and its fields. */
static enum cupel_status read_request(struct cupel__call *call, const char *text, size_t len)
{
    struct cupel_caller *caller = call->caller;
    const struct cupel_request_options *options = call->options;
    bool fields = (options->flags & CUPEL_REQUEST_FIELDS) != 0;
    enum cupel_status status = cupel_document_read(caller->doc, text, len, &call->outcome->error);
    caller->left = UINT64_MAX;
    if (status == CUPEL_OK && fields &&
        !cupel__fields_open(caller, options->headers, options->header_count))
        return CUPEL_E_NO_MEMORY;
    call->left = steps_of_request(caller, len);
    return status;
}

static struct cupel_request_options options_of(const struct cupel_catalog *catalog)
{
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.profile = catalog->options.profile;
    if ((catalog->options.flags & CUPEL_MCP_EXACT_ARGUMENTS) != 0)
        options.flags |= CUPEL_REQUEST_EXACT_ARGUMENTS;
    return options;
}

static enum cupel_call_verdict check_call(const struct cupel_catalog *catalog,
                                          struct cupel_caller *caller,
                                          const struct cupel_request_options *options,
                                          const char *request, size_t len,
                                          struct cupel_text *answer, cupel_on_problem *on_problem,
                                          void *ctx, struct cupel_call_outcome *ret)
{
    struct cupel__call call;
    open_call(&call, catalog, caller, options, answer, ret != NULL ? ret : &caller->outcome);
    enum cupel_status status = read_request(&call, request, len);
    return status == CUPEL_OK ? cupel__call_judge(&call, on_problem, ctx)
                              : cupel__call_unread(&call, status);
}

enum cupel_call_verdict
cupel_call_check_http(const struct cupel_catalog *catalog, struct cupel_caller *caller,
                      const struct cupel_header *headers, size_t header_count, const char *request,
                      size_t len, struct cupel_text *answer, cupel_on_problem *on_problem,
                      void *ctx, struct cupel_call_outcome *ret)
{
    struct cupel_request_options options = options_of(catalog);
    options.flags |= CUPEL_REQUEST_FIELDS;
    if (options.profile >= CUPEL_MCP_2026_07_28)
        options.flags |= CUPEL_REQUEST_FIELDS_NEEDED;
    options.headers = headers;
    options.header_count = header_count;
    return check_call(catalog, caller, &options, request, len, answer, on_problem, ctx, ret);
}

enum cupel_call_verdict cupel_call_check(const struct cupel_catalog *catalog,
                                         struct cupel_caller *caller, const char *request,
                                         size_t len, struct cupel_text *answer,
                                         cupel_on_problem *on_problem, void *ctx,
                                         struct cupel_call_outcome *ret)
{
    struct cupel_request_options options = options_of(catalog);
    return check_call(catalog, caller, &options, request, len, answer, on_problem, ctx, ret);
}

/* -- Batches (JSON-RPC 2.0 section 6) --------------------------------------------------------- *
 *
 * Each call of a batch has the budget that its arguments would have alone, and all of them together
 * have no more: thousands of calls of a few bytes would otherwise be thousands of budgets.  So a
 * batch takes at most twice as long as one message of its length may, and what it is told of the
 * rest is that there were no steps. */

/* Notes the id of one message.  False if it is there already, or there is no memory (*ret_status).
 */
static bool note_id(struct cupel_caller *caller, uint32_t message, enum cupel_status *ret_status)
{
    struct cupel_document *doc = caller->doc;
    uint32_t id = cupel_json_member(doc, message, "id", 2);
    uint32_t method = cupel_json_member(doc, message, "method", 6);
    size_t len;
    if (id == CUPEL_NO_NODE || method == CUPEL_NO_NODE || !cupel_message_id_valid(doc, id))
        return true;
    const char *bytes = cupel_json_string(doc, id, &len);
    struct cupel__mcp_names *ids = &caller->ids[bytes == NULL];
    if (bytes == NULL)
        bytes = cupel_json_span(doc, id, &len);
    if (len == 2 && bytes[0] == '-' && bytes[1] == '0' && ids == &caller->ids[1]) {
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

/* Whether no two requests of the batch have one id. */
static bool ids_differ(struct cupel_caller *caller, enum cupel_status *ret_status)
{
    struct cupel_document *doc = caller->doc;
    bool differ = true;
    for (int i = 0; i < 2; i++) {
        caller->ids[i].alloc = caller->alloc;
        cupel__mcp_hash_key(NULL, caller->ids[i].key);
    }
    uint32_t node = cupel_json_first(doc, 0);
    for (; node != CUPEL_NO_NODE && differ; node = cupel_json_next(doc, 0, node))
        differ = note_id(caller, node, ret_status);
    cupel__mcp_names_free(&caller->ids[0]);
    cupel__mcp_names_free(&caller->ids[1]);
    return differ;
}

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

/* VALID if the messages of the batch can be judged. */
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
    if (ids_differ(call->caller, &status))
        return CUPEL_CALL_VALID;
    return status != CUPEL_OK ? cupel__call_unread(call, status)
                              : refuse_batch(call, "batch-id",
                                             "Invalid request: two requests of the batch have the "
                                             "same id");
}

/* Judges the messages of the batch that was read; the verdict on the first that is not VALID. */
static enum cupel_call_verdict judge_messages(struct cupel__call *call, size_t len, bool any,
                                              cupel_on_problem *on_problem, cupel_on_call *on_call,
                                              void *ctx)
{
    struct cupel_caller *caller = call->caller;
    struct cupel_document *doc = caller->doc;
    enum cupel_call_verdict first = CUPEL_CALL_VALID;
    caller->left = steps_of_request(caller, len);
    uint64_t beside = call->left;
    for (uint32_t node = cupel_json_first(doc, 0); node != CUPEL_NO_NODE;
         node = cupel_json_next(doc, 0, node)) {
        open_call(call, call->catalog, caller, call->options, call->answer, &caller->outcome);
        call->site.root = node;
        call->any = any;
        call->left = beside;
        enum cupel_call_verdict verdict = cupel__call_judge(call, on_problem, ctx);
        beside = call->left;
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

enum cupel_call_verdict cupel_batch_check(const struct cupel_catalog *catalog,
                                          struct cupel_caller *caller, const char *batch,
                                          size_t len, struct cupel_text *answer,
                                          cupel_on_problem *on_problem, cupel_on_call *on_call,
                                          void *ctx)
{
    struct cupel__call call;
    struct cupel_request_options options = options_of(catalog);
    open_call(&call, catalog, caller, &options, answer, &caller->outcome);
    enum cupel_status status = read_request(&call, batch, len);
    if (status != CUPEL_OK)
        return cupel__call_unread(&call, status);
    enum cupel_call_verdict verdict = check_batch(&call);
    return verdict == CUPEL_CALL_VALID ? judge_messages(&call, len, false, on_problem, on_call, ctx)
                                       : verdict;
}

/* The same for whatever a client may send; a batch that is refused as a whole counts as a message.
 */
static enum cupel_call_verdict judge_array(struct cupel__call *call, const char *text, size_t len,
                                           cupel_on_call *on_call, void *ctx)
{
    enum cupel_call_verdict verdict = check_batch(call);
    if (verdict == CUPEL_CALL_VALID)
        return judge_messages(call, len, true, NULL, on_call, ctx);
    if (on_call != NULL)
        on_call(ctx, text, len, verdict, call->outcome, call->answer);
    return verdict;
}

/* -- Any request ------------------------------------------------------------------------------ */

enum cupel_call_verdict cupel_request_check(const struct cupel_catalog *catalog,
                                            struct cupel_caller *caller,
                                            const struct cupel_request_options *options,
                                            const char *text, size_t len, struct cupel_text *answer,
                                            cupel_on_call *on_call, void *ctx)
{
    struct cupel__call call;
    struct cupel_document *doc = caller->doc;
    open_call(&call, catalog, caller, options, answer, &caller->outcome);
    enum cupel_status status = read_request(&call, text, len);
    if (status == CUPEL_OK && cupel_json_type(doc, 0) == CUPEL_JSON_ARRAY)
        return judge_array(&call, text, len, on_call, ctx);
    call.any = true;
    enum cupel_call_verdict verdict = status == CUPEL_OK ? cupel__call_judge(&call, NULL, NULL)
                                                         : cupel__call_unread(&call, status);
    if (on_call != NULL)
        on_call(ctx, text, len, verdict, call.outcome, answer);
    return verdict;
}

/* -- Lists ------------------------------------------------------------------------------------ */

/* The cursor of a request, bytes NULL if it has none. */
static enum cupel_call_verdict take_cursor(struct cupel__call *call, struct cupel__mcp_slice *ret)
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

static enum cupel_call_verdict answer_list(struct cupel__call *call, uint32_t page)
{
    struct cupel__mcp_slice cursor;
    struct cupel_text *answer = call->answer;
    enum cupel_call_verdict verdict = take_cursor(call, &cursor);
    if (verdict != CUPEL_CALL_VALID || call->notification)
        return verdict;
    cupel__mcp_open_message(answer, call->outcome->id, call->outcome->id_len);
    cupel_text_adds(answer, ",\"result\":");
    if (cupel_list_write(call->catalog, cursor.bytes, cursor.len, page, answer) == CUPEL_OK) {
        cupel_text_adds(answer, "}");
        return CUPEL_CALL_VALID;
    }
    cupel_text_clear(answer);
    return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-cursor",
                              "Invalid params: the cursor is not known");
}

enum cupel_call_verdict cupel_list_check(const struct cupel_catalog *catalog,
                                         struct cupel_caller *caller, const char *request,
                                         size_t len, uint32_t page, struct cupel_text *answer,
                                         struct cupel_call_outcome *ret)
{
    struct cupel__call call;
    struct cupel_request_options options = options_of(catalog);
    open_call(&call, catalog, caller, &options, answer, ret != NULL ? ret : &caller->outcome);
    enum cupel_status status = read_request(&call, request, len);
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
