/* call.c: judging a tools/call request: what is asked for, whether it may pass, which answer it
 * gets.  How the answer is put together is in response.c, what HTTP has to do with it in call_http.c. */
#include "caller.h"

#include <cupel/listing.h>
#include <cupel/messages.h>

/* One call on its way through the steps below. */
struct call {
    const struct cupel_catalog *catalog;
    struct cupel_caller *caller;
    const char *method; /* the one that is answered */
    struct cupel__call_site site;
    const struct cupel_header *headers; /* NULL: it did not come over HTTP */
    size_t header_count;
    bool notification, is_task;
    struct cupel_text *answer;
    struct cupel_call_outcome *outcome;
};

const char *cupel_call_verdict_name(enum cupel_call_verdict verdict)
{
    static const char *const names[] = {"valid",        "invalid",     "undecided",
                                        "unknown-tool", "bad-request", "header-mismatch"};
    return names[verdict];
}

/* -- Answers ---------------------------------------------------------------------------------- */

static void answer_error(struct call *call, int code, const char *message, size_t len)
{
    if (!call->notification)
        cupel__mcp_write_error(call->answer, call->outcome->id, call->outcome->id_len, code, message,
                               len);
}

/* Refuses what is no tools/call request. */
static enum cupel_call_verdict bad_request(struct call *call, int code, const char *reason,
                                           const char *message)
{
    call->outcome->reason = reason;
    answer_error(call, code, message, strlen(message));
    return CUPEL_CALL_BAD_REQUEST;
}

/* Answers with the text in caller->answer.message: what the arguments did wrong, told to the model
 * in the profiles in which it can see that. */
static void answer_arguments(struct call *call)
{
    const struct cupel_text *message = &call->caller->answer.message;
    enum cupel_mcp_profile profile = call->catalog->options.profile;
    if (call->notification)
        return;
    if (profile < CUPEL_MCP_2025_11_25)
        answer_error(call, CUPEL__RPC_INVALID_PARAMS, message->bytes, message->len);
    else
        cupel__mcp_write_tool_error(call->answer, call->outcome->id, call->outcome->id_len, profile,
                                    message->bytes, message->len);
}

/* Starts a message with the tool's name. */
static struct cupel_text *open_text(struct call *call, const char *before, const char *after)
{
    struct cupel_text *text = &call->caller->answer.message;
    cupel_text_clear(text);
    cupel_text_adds(text, before);
    cupel__mcp_add_quoted(text, call->outcome->tool, call->outcome->tool_len);
    cupel_text_adds(text, after);
    return text;
}

/* -- The envelope (JSON-RPC 2.0) -------------------------------------------------------------- */

static enum cupel_call_verdict read_failed(struct call *call, enum cupel_status status)
{
    const char *name = cupel_status_name(status);
    if (status == CUPEL_E_NO_MEMORY) {
        call->outcome->reason = name;
        answer_error(call, CUPEL__RPC_INTERNAL_ERROR, "out of memory", 13);
        return CUPEL_CALL_UNDECIDED;
    }
    bool limit = status == CUPEL_E_JSON_DEPTH || status == CUPEL_E_JSON_SIZE ||
                 status == CUPEL_E_NUMBER_SIZE;
    struct cupel_text *text = &call->caller->answer.message;
    const struct cupel_error *err = &call->outcome->error;
    cupel_text_clear(text);
    cupel_text_addf(text, "%s: %s", limit ? "Invalid request" : "Parse error",
                    cupel_status_message(status));
    if (err->line != 0)
        cupel_text_addf(text, " at line %u, column %u", (unsigned)err->line, (unsigned)err->column);
    call->outcome->reason = name;
    answer_error(call, limit ? CUPEL__RPC_INVALID_REQUEST : CUPEL__RPC_PARSE_ERROR, text->bytes,
                 text->len);
    return CUPEL_CALL_BAD_REQUEST;
}

static uint32_t find(const struct call *call, uint32_t node, const char *key)
{
    return cupel_json_member(call->site.doc, node, key, strlen(key));
}

/* Takes the id, if it is one that can be answered: a string or a number. */
static bool take_id(struct call *call)
{
    struct cupel_document *doc = call->site.doc;
    uint32_t node = find(call, call->site.root, "id");
    if (node == CUPEL_NO_NODE) {
        call->notification = true;
        return true;
    }
    enum cupel_json_type type = cupel_json_type(doc, node);
    if (type != CUPEL_JSON_STRING && type != CUPEL_JSON_NUMBER)
        return false;
    call->outcome->id = cupel_json_span(doc, node, &call->outcome->id_len);
    return true;
}

static enum cupel_call_verdict take_envelope(struct call *call)
{
    struct cupel_document *doc = call->site.doc;
    uint32_t root = call->site.root;
    if (cupel_json_type(doc, root) != CUPEL_JSON_OBJECT)
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-object",
                           "Invalid request: not an object");
    if (!take_id(call))
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-id",
                           "Invalid request: id is neither a string nor a number");
    uint32_t version = find(call, root, "jsonrpc");
    if (version == CUPEL_NO_NODE || !cupel_json_is(doc, version, "2.0"))
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-version",
                           "Invalid request: jsonrpc is not \"2.0\"");
    uint32_t method = find(call, root, "method");
    if (method == CUPEL_NO_NODE || cupel_json_type(doc, method) != CUPEL_JSON_STRING)
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-method",
                           "Invalid request: method is not a string");
    call->outcome->method = cupel_json_string(doc, method, &call->outcome->method_len);
    if (cupel_json_is(doc, method, call->method))
        return CUPEL_CALL_VALID;
    struct cupel_text *text = &call->caller->answer.message;
    cupel_text_clear(text);
    cupel_text_addf(text, "Method not found: only %s is checked", call->method);
    call->outcome->reason = "method-unknown";
    answer_error(call, CUPEL__RPC_METHOD_NOT_FOUND, text->bytes, text->len);
    return CUPEL_CALL_BAD_REQUEST;
}

/* Whether it is to run as a task, which profile 2025-11-25 alone knows: elsewhere `task` is one of the members
 * that mean nothing. */
static enum cupel_call_verdict take_task(struct call *call)
{
    struct cupel_document *doc = call->site.doc;
    if (call->catalog->options.profile != CUPEL_MCP_2025_11_25)
        return CUPEL_CALL_VALID;
    uint32_t task = find(call, call->site.params, "task");
    if (task == CUPEL_NO_NODE)
        return CUPEL_CALL_VALID;
    if (cupel_json_type(doc, task) != CUPEL_JSON_OBJECT)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-task",
                           "Invalid params: task is not an object");
    uint32_t ttl = find(call, task, "ttl");
    if (ttl != CUPEL_NO_NODE && cupel_json_type(doc, ttl) != CUPEL_JSON_NUMBER)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-task",
                           "Invalid params: the ttl of task is not a number");
    call->is_task = true;
    return CUPEL_CALL_VALID;
}

/* Finds name, arguments and task (CallToolRequest of the specification's schema). */
static enum cupel_call_verdict take_params(struct call *call)
{
    struct cupel__call_site *site = &call->site;
    site->params = find(call, site->root, "params");
    if (site->params == CUPEL_NO_NODE ||
        cupel_json_type(site->doc, site->params) != CUPEL_JSON_OBJECT)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-object",
                           "Invalid params: params is not an object");
    uint32_t name = find(call, site->params, "name");
    if (name == CUPEL_NO_NODE || cupel_json_type(site->doc, name) != CUPEL_JSON_STRING)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-name",
                           "Invalid params: name is not a string");
    site->tool = cupel_json_string(site->doc, name, &site->tool_len);
    call->outcome->tool = site->tool;
    call->outcome->tool_len = site->tool_len;
    site->arguments = find(call, site->params, "arguments");
    site->arguments_doc = site->doc;
    if (site->arguments == CUPEL_NO_NODE) {
        site->arguments_doc = call->caller->empty;
        site->arguments = 0;
    } else if (cupel_json_type(site->doc, site->arguments) != CUPEL_JSON_OBJECT) {
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-arguments",
                           "Invalid params: arguments is not an object");
    }
    call->outcome->arguments =
        cupel_json_span(site->arguments_doc, site->arguments, &call->outcome->arguments_len);
    return take_task(call);
}

/* -- The tool --------------------------------------------------------------------------------- */

/* Whether the tool takes the call as a task, or not as one (profile 2025-11-25, "Tasks"). */
static enum cupel_call_verdict check_task_support(struct call *call)
{
    enum cupel_task_support support = call->site.definition->view.task_support;
    if (call->catalog->options.profile != CUPEL_MCP_2025_11_25)
        return CUPEL_CALL_VALID;
    if (call->is_task && support == CUPEL_TASK_FORBIDDEN)
        return bad_request(call, CUPEL__RPC_METHOD_NOT_FOUND, "task-forbidden",
                           "The tool cannot be called as a task");
    if (!call->is_task && support == CUPEL_TASK_REQUIRED)
        return bad_request(call, CUPEL__RPC_METHOD_NOT_FOUND, "task-required",
                           "The tool can be called as a task only");
    return CUPEL_CALL_VALID;
}

/* Fails closed: a definition with an error is not one to judge by, nor is one of two. */
static enum cupel_call_verdict take_tool(struct call *call)
{
    const struct cupel_tool *found =
        cupel_catalog_find(call->catalog, call->outcome->tool, call->outcome->tool_len);
    const struct cupel_text *text;
    if (found == NULL) {
        text = open_text(call, "Unknown tool: ", "");
        call->outcome->reason = "tool-unknown";
        answer_error(call, CUPEL__RPC_INVALID_PARAMS, text->bytes, text->len);
        return CUPEL_CALL_UNKNOWN_TOOL;
    }
    call->outcome->definition = found;
    const struct cupel__mcp_tool *tool = (const struct cupel__mcp_tool *)(const void *)found;
    call->site.definition = tool;
    if (found->verdict != CUPEL_TOOL_INVALID && found->input != NULL && !tool->ambiguous)
        return check_task_support(call);
    call->outcome->reason = tool->ambiguous ? "tool-ambiguous" : "tool-refused";
    text = open_text(call, "The tool ",
                     tool->ambiguous ? " is defined more than once, in different ways"
                                           : " cannot be called: its definition is not valid");
    answer_error(call, CUPEL__RPC_INTERNAL_ERROR, text->bytes, text->len);
    return CUPEL_CALL_UNDECIDED;
}

static enum cupel_call_verdict undecided(struct call *call, enum cupel_status reason)
{
    struct cupel_text *text = open_text(call, "tool ", ": the arguments could not be checked: ");
    cupel_text_adds(text, cupel_status_message(reason));
    call->outcome->reason = cupel_status_name(reason);
    if (reason == CUPEL_E_NO_MEMORY || reason == CUPEL_E_INTERNAL)
        answer_error(call, CUPEL__RPC_INTERNAL_ERROR, text->bytes, text->len);
    else
        answer_arguments(call);
    return CUPEL_CALL_UNDECIDED;
}

/* Takes steps, or bytes that were written, from those that a batch has. */
static void spend(struct call *call, uint64_t n)
{
    uint64_t *left = &call->caller->left;
    if (*left != UINT64_MAX)
        *left -= n < *left ? n : *left;
}

/* Puts what a model is told of the arguments into answer.message. */
static void render(struct call *call)
{
    struct cupel_outcome outcome = {.steps = 0};
    const struct cupel__call_site *site = &call->site;
    struct cupel_text *text = &call->caller->answer.message;
    struct cupel_render_options options;
    cupel_render_options_init(&options);
    options.tool = site->tool;
    options.tool_len = site->tool_len;
    cupel_text_clear(text);
    enum cupel_verdict again =
        cupel_render(site->definition->view.input, call->caller->scratch, site->arguments_doc,
                     site->arguments, CUPEL_RENDER_MODEL, &options, text, &outcome);
    spend(call, outcome.steps);
    if (again != CUPEL_INVALID || text->len == 0)
        open_text(call, "tool ", ": the arguments are not valid");
}

/* Says what is wrong, to the host and in the answer.  Whatever comes of that, the verdict stays. */
static enum cupel_call_verdict explain(struct call *call, cupel_on_problem *on_problem, void *ctx)
{
    const struct cupel__call_site *site = &call->site;
    struct cupel_scratch *scratch = call->caller->scratch;
    struct cupel_outcome outcome = {.steps = 0};
    render(call);
    call->outcome->problems = cupel_report_problems(scratch);
    if (call->outcome->problems > call->caller->max_errors)
        call->outcome->problems = call->caller->max_errors;
    if (on_problem != NULL && cupel_report(site->definition->view.input, scratch,
                                           site->arguments_doc, site->arguments, on_problem, ctx,
                                           &outcome) != CUPEL_INVALID)
        call->outcome->problems = 0;
    answer_arguments(call);
    spend(call, outcome.steps + call->answer->len);
    return CUPEL_CALL_INVALID;
}

static enum cupel_call_verdict run(struct call *call, cupel_on_problem *on_problem, void *ctx)
{
    struct cupel_outcome outcome;
    const struct cupel__call_site *site = &call->site;
    if (call->caller->left == 0)
        return undecided(call, CUPEL_E_LIMIT_STEPS);
    enum cupel_verdict verdict =
        cupel_validate_node(site->definition->view.input, call->caller->scratch,
                            site->arguments_doc, site->arguments, &outcome);
    call->outcome->steps = outcome.steps;
    spend(call, outcome.steps);
    if (verdict == CUPEL_VALID)
        return CUPEL_CALL_VALID;
    if (verdict == CUPEL_INVALID)
        return explain(call, on_problem, ctx);
    return undecided(call, outcome.reason);
}

/* -- HTTP ------------------------------------------------------------------------------------- */

typedef bool agreement(struct cupel_caller *caller, const struct cupel__call_site *site,
                       const struct cupel_header *headers, size_t count);

static enum cupel_call_verdict check_header(struct call *call, agreement *agrees)
{
    if (call->headers == NULL || call->catalog->options.profile < CUPEL_MCP_2026_07_28 ||
        agrees(call->caller, &call->site, call->headers, call->header_count))
        return CUPEL_CALL_VALID;
    const struct cupel_text *text = &call->caller->answer.message;
    call->outcome->reason = "header-mismatch";
    answer_error(call, CUPEL__RPC_HEADER_MISMATCH, text->bytes, text->len);
    return CUPEL_CALL_HEADER_MISMATCH;
}

/* -- The whole -------------------------------------------------------------------------------- */

/* Judges the message at site.root. */
static enum cupel_call_verdict judge(struct call *call, cupel_on_problem *on_problem, void *ctx)
{
    enum cupel_call_verdict verdict = take_envelope(call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = take_params(call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = check_header(call, cupel__http_agrees);
    if (verdict == CUPEL_CALL_VALID)
        verdict = take_tool(call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = check_header(call, cupel__http_parameters_agree);
    if (verdict == CUPEL_CALL_VALID)
        verdict = run(call, on_problem, ctx);
    if (verdict == CUPEL_CALL_VALID)
        call->caller->last = call->site;
    return verdict;
}

/* Starts a call with nothing known yet.  What an error would say is left as it is: that is most of an
 * outcome, and its status says that it says nothing. */
static void open_call(struct call *call, const struct cupel_catalog *catalog,
                      struct cupel_caller *caller, struct cupel_text *answer,
                      struct cupel_call_outcome *outcome)
{
    memset(call, 0, sizeof(*call));
    memset(outcome, 0, offsetof(struct cupel_call_outcome, error));
    outcome->error.status = CUPEL_OK;
    call->catalog = catalog;
    call->caller = caller;
    call->outcome = outcome;
    call->method = "tools/call";
    call->site.doc = caller->doc;
    call->answer = answer;
    call->outcome->reason = "";
    caller->last.doc = NULL;
    cupel_text_clear(answer);
}

enum cupel_call_verdict cupel_call_check_http(const struct cupel_catalog *catalog,
                                              struct cupel_caller *caller,
                                              const struct cupel_header *headers,
                                              size_t header_count, const char *request, size_t len,
                                              struct cupel_text *answer,
                                              cupel_on_problem *on_problem, void *ctx,
                                              struct cupel_call_outcome *ret)
{
    struct call call;
    open_call(&call, catalog, caller, answer, ret != NULL ? ret : &caller->outcome);
    call.headers = headers;
    call.header_count = header_count;
    caller->left = UINT64_MAX;
    enum cupel_status status = cupel_document_read(caller->doc, request, len, &call.outcome->error);
    return status == CUPEL_OK ? judge(&call, on_problem, ctx) : read_failed(&call, status);
}

enum cupel_call_verdict cupel_call_check(const struct cupel_catalog *catalog,
                                         struct cupel_caller *caller, const char *request,
                                         size_t len, struct cupel_text *answer,
                                         cupel_on_problem *on_problem, void *ctx,
                                         struct cupel_call_outcome *ret)
{
    return cupel_call_check_http(catalog, caller, NULL, 0, request, len, answer, on_problem, ctx,
                                 ret);
}

/* -- Batches (JSON-RPC 2.0 section 6) --------------------------------------------------------- *
 *
 * Each call of a batch has the budget that its arguments would have alone, and all of them together have no
 * more: thousands of calls of a few bytes would otherwise be thousands of budgets.  So a batch takes at most
 * twice as long as one message of its length may, and what it is told of the rest is that there were no steps. */

static uint64_t steps_of_batch(const struct cupel_caller *caller, size_t len)
{
    uint64_t more = caller->steps_per_byte * (uint64_t)len;
    return caller->steps < UINT64_MAX - more ? caller->steps + more : UINT64_MAX;
}

/* Reads the batch; VALID if its messages can be judged. */
static enum cupel_call_verdict open_batch(struct call *call, const char *batch, size_t len)
{
    struct cupel_document *doc = call->site.doc;
    enum cupel_status status = cupel_document_read(doc, batch, len, &call->outcome->error);
    if (status != CUPEL_OK)
        return read_failed(call, status);
    if (cupel_json_type(doc, 0) != CUPEL_JSON_ARRAY ||
        call->catalog->options.profile != CUPEL_MCP_2025_03_26)
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-batch",
                           "Invalid request: not a batch, or not in this protocol version");
    if (cupel_json_count(doc, 0) == 0)
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-batch",
                           "Invalid request: the batch is empty");
    return CUPEL_CALL_VALID;
}

enum cupel_call_verdict cupel_batch_check(const struct cupel_catalog *catalog,
                                          struct cupel_caller *caller, const char *batch,
                                          size_t len, struct cupel_text *answer,
                                          cupel_on_problem *on_problem, cupel_on_call *on_call,
                                          void *ctx)
{
    struct call call;
    struct cupel_document *doc = caller->doc;
    open_call(&call, catalog, caller, answer, &caller->outcome);
    enum cupel_call_verdict first = open_batch(&call, batch, len);
    if (first != CUPEL_CALL_VALID)
        return first;
    caller->left = steps_of_batch(caller, len);
    for (uint32_t node = cupel_json_first(doc, 0); node != CUPEL_NO_NODE;
         node = cupel_json_next(doc, 0, node)) {
        open_call(&call, catalog, caller, answer, &caller->outcome);
        call.site.root = node;
        enum cupel_call_verdict verdict = judge(&call, on_problem, ctx);
        if (first == CUPEL_CALL_VALID)
            first = verdict;
        const char *message = cupel_json_span(doc, node, &len);
        if (on_call != NULL && on_call(ctx, message, len, verdict, call.outcome, answer) != 0)
            break;
    }
    cupel_text_clear(answer);
    return first;
}

/* -- Lists ------------------------------------------------------------------------------------ */

/* The cursor of a request, bytes NULL if it has none. */
static enum cupel_call_verdict take_cursor(struct call *call, struct cupel__mcp_slice *ret)
{
    struct cupel_document *doc = call->site.doc;
    uint32_t params = find(call, call->site.root, "params");
    *ret = (struct cupel__mcp_slice){NULL, 0};
    if (params == CUPEL_NO_NODE)
        return CUPEL_CALL_VALID;
    if (cupel_json_type(doc, params) != CUPEL_JSON_OBJECT)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-object",
                           "Invalid params: params is not an object");
    uint32_t cursor = find(call, params, "cursor");
    if (cursor == CUPEL_NO_NODE)
        return CUPEL_CALL_VALID;
    ret->bytes = cupel_json_string(doc, cursor, &ret->len);
    if (ret->bytes == NULL)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-cursor",
                           "Invalid params: cursor is not a string");
    return CUPEL_CALL_VALID;
}

static enum cupel_call_verdict answer_list(struct call *call, uint32_t page)
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
    return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-cursor",
                       "Invalid params: the cursor is not known");
}

enum cupel_call_verdict cupel_list_check(const struct cupel_catalog *catalog,
                                         struct cupel_caller *caller, const char *request,
                                         size_t len, uint32_t page, struct cupel_text *answer,
                                         struct cupel_call_outcome *ret)
{
    struct call call;
    open_call(&call, catalog, caller, answer, ret != NULL ? ret : &caller->outcome);
    call.method = "tools/list";
    enum cupel_status status = cupel_document_read(caller->doc, request, len, &call.outcome->error);
    enum cupel_call_verdict verdict =
        status == CUPEL_OK ? take_envelope(&call) : read_failed(&call, status);
    if (verdict == CUPEL_CALL_VALID)
        verdict = answer_list(&call, page);
    return verdict;
}
