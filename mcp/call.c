/* call.c: judging a tools/call request: what is asked for, whether it may pass, which answer it
 * gets. How the answer is worded is in response.c. */
#include "caller.h"

/* One call on its way through the steps below. */
struct call {
    const struct cupel_catalog *catalog;
    struct cupel_caller *caller;
    const struct cupel__mcp_tool *tool;
    struct cupel_document *doc; /* the document of the arguments */
    uint32_t name, arguments;
    bool notification;
    struct cupel_text *answer;
    struct cupel_call_outcome outcome;
};

const char *cupel_call_verdict_name(enum cupel_call_verdict verdict)
{
    static const char *const names[] = {"valid", "invalid", "undecided", "unknown-tool",
                                        "bad-request"};
    return names[verdict];
}

/* -- Answers ---------------------------------------------------------------------------------- */

static void answer_error(struct call *call, int code, const char *message, size_t len)
{
    if (!call->notification)
        cupel__mcp_write_error(call->answer, call->outcome.id, call->outcome.id_len, code, message,
                               len);
}

/* Refuses what is no tools/call request. */
static enum cupel_call_verdict bad_request(struct call *call, int code, const char *reason,
                                           const char *message)
{
    call->outcome.reason = reason;
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
        cupel__mcp_write_tool_error(call->answer, call->outcome.id, call->outcome.id_len, profile,
                                    message->bytes, message->len);
}

/* Starts a message with the tool's name. */
static struct cupel_text *open_text(struct call *call, const char *before, const char *after)
{
    struct cupel_text *text = &call->caller->answer.message;
    cupel_text_clear(text);
    cupel_text_adds(text, before);
    cupel__mcp_add_quoted(text, call->outcome.tool, call->outcome.tool_len);
    cupel_text_adds(text, after);
    return text;
}

/* -- The envelope (JSON-RPC 2.0) -------------------------------------------------------------- */

static enum cupel_call_verdict read_failed(struct call *call, enum cupel_status status)
{
    const char *name = cupel_status_name(status);
    if (status == CUPEL_E_NO_MEMORY) {
        call->outcome.reason = name;
        answer_error(call, CUPEL__RPC_INTERNAL_ERROR, "out of memory", 13);
        return CUPEL_CALL_UNDECIDED;
    }
    bool limit = status == CUPEL_E_JSON_DEPTH || status == CUPEL_E_JSON_SIZE ||
                 status == CUPEL_E_NUMBER_SIZE;
    struct cupel_text *text = &call->caller->answer.message;
    const struct cupel_error *err = &call->outcome.error;
    cupel_text_clear(text);
    cupel_text_addf(text, "%s: %s", limit ? "Invalid request" : "Parse error",
                    cupel_status_message(status));
    if (err->line != 0)
        cupel_text_addf(text, " at line %u, column %u", (unsigned)err->line, (unsigned)err->column);
    call->outcome.reason = name;
    answer_error(call, limit ? CUPEL__RPC_INVALID_REQUEST : CUPEL__RPC_PARSE_ERROR, text->bytes,
                 text->len);
    return CUPEL_CALL_BAD_REQUEST;
}

/* Takes the id, if it is one that can be answered: a string or a number. */
static bool take_id(struct call *call)
{
    uint32_t node = cupel_json_member(call->doc, 0, "id", 2);
    if (node == CUPEL_NO_NODE) {
        call->notification = true;
        return true;
    }
    enum cupel_json_type type = cupel_json_type(call->doc, node);
    if (type != CUPEL_JSON_STRING && type != CUPEL_JSON_NUMBER)
        return false;
    call->outcome.id = cupel_json_span(call->doc, node, &call->outcome.id_len);
    return true;
}

static enum cupel_call_verdict take_envelope(struct call *call)
{
    struct cupel_document *doc = call->doc;
    if (cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT)
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-object",
                           "Invalid request: not an object");
    if (!take_id(call))
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-id",
                           "Invalid request: id is neither a string nor a number");
    uint32_t version = cupel_json_member(doc, 0, "jsonrpc", 7);
    if (version == CUPEL_NO_NODE || !cupel_json_is(doc, version, "2.0"))
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-version",
                           "Invalid request: jsonrpc is not \"2.0\"");
    uint32_t method = cupel_json_member(doc, 0, "method", 6);
    if (method == CUPEL_NO_NODE || cupel_json_type(doc, method) != CUPEL_JSON_STRING)
        return bad_request(call, CUPEL__RPC_INVALID_REQUEST, "request-method",
                           "Invalid request: method is not a string");
    if (!cupel_json_is(doc, method, "tools/call"))
        return bad_request(call, CUPEL__RPC_METHOD_NOT_FOUND, "method-unknown",
                           "Method not found: only tools/call is checked");
    return CUPEL_CALL_VALID;
}

/* Finds name and arguments (CallToolRequest of the specification's schema). */
static enum cupel_call_verdict take_params(struct call *call)
{
    struct cupel_document *doc = call->doc;
    uint32_t params = cupel_json_member(doc, 0, "params", 6);
    if (params == CUPEL_NO_NODE || cupel_json_type(doc, params) != CUPEL_JSON_OBJECT)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-object",
                           "Invalid params: params is not an object");
    uint32_t name = cupel_json_member(doc, params, "name", 4);
    if (name == CUPEL_NO_NODE || cupel_json_type(doc, name) != CUPEL_JSON_STRING)
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-name",
                           "Invalid params: name is not a string");
    call->outcome.tool = cupel_json_string(doc, name, &call->outcome.tool_len);
    call->arguments = cupel_json_member(doc, params, "arguments", 9);
    if (call->arguments == CUPEL_NO_NODE) {
        call->doc = call->caller->empty;
        call->arguments = 0;
    } else if (cupel_json_type(doc, call->arguments) != CUPEL_JSON_OBJECT) {
        return bad_request(call, CUPEL__RPC_INVALID_PARAMS, "params-arguments",
                           "Invalid params: arguments is not an object");
    }
    return CUPEL_CALL_VALID;
}

/* -- The tool --------------------------------------------------------------------------------- */

/* Fails closed: a definition with an error is not one to judge by, nor is one of two. */
static enum cupel_call_verdict take_tool(struct call *call)
{
    const struct cupel_tool *found =
        cupel_catalog_find(call->catalog, call->outcome.tool, call->outcome.tool_len);
    const struct cupel_text *text;
    if (found == NULL) {
        text = open_text(call, "Unknown tool: ", "");
        call->outcome.reason = "tool-unknown";
        answer_error(call, CUPEL__RPC_INVALID_PARAMS, text->bytes, text->len);
        return CUPEL_CALL_UNKNOWN_TOOL;
    }
    call->outcome.definition = found;
    call->tool = (const struct cupel__mcp_tool *)(const void *)found;
    if (found->verdict != CUPEL_TOOL_INVALID && found->input != NULL && !call->tool->ambiguous)
        return CUPEL_CALL_VALID;
    call->outcome.reason = call->tool->ambiguous ? "tool-ambiguous" : "tool-refused";
    text = open_text(call, "The tool ",
                     call->tool->ambiguous ? " is defined more than once, in different ways"
                                           : " cannot be called: its definition is not valid");
    answer_error(call, CUPEL__RPC_INTERNAL_ERROR, text->bytes, text->len);
    return CUPEL_CALL_UNDECIDED;
}

static enum cupel_call_verdict undecided(struct call *call, enum cupel_status reason)
{
    struct cupel_text *text = open_text(call, "tool ", ": the arguments could not be checked: ");
    cupel_text_adds(text, cupel_status_message(reason));
    call->outcome.reason = cupel_status_name(reason);
    if (reason == CUPEL_E_NO_MEMORY || reason == CUPEL_E_INTERNAL)
        answer_error(call, CUPEL__RPC_INTERNAL_ERROR, text->bytes, text->len);
    else
        answer_arguments(call);
    return CUPEL_CALL_UNDECIDED;
}

/* Collects what is wrong.  Whatever comes of that, the verdict stays. */
static enum cupel_call_verdict explain(struct call *call, cupel_on_problem *on_problem, void *ctx)
{
    struct cupel__mcp_answer *answer = &call->caller->answer;
    cupel_text_clear(&answer->lines);
    answer->count = answer->more = 0;
    answer->next = on_problem;
    answer->next_ctx = ctx;
    answer->doc = call->doc;
    answer->arguments = call->arguments;
    enum cupel_verdict again =
        cupel_report(call->tool->view.input, call->caller->scratch, call->doc, call->arguments,
                     cupel__mcp_answer_problem, answer, NULL);
    bool all_seen = again == CUPEL_INVALID && answer->count < call->caller->max_errors;
    call->outcome.problems = answer->count;
    if (answer->count != 0)
        cupel__mcp_answer_finish(answer, call->tool, all_seen);
    else
        cupel_text_adds(open_text(call, "tool ", ": the arguments are not valid\n"),
                        call->tool->parameters);
    answer_arguments(call);
    return CUPEL_CALL_INVALID;
}

static enum cupel_call_verdict run(struct call *call, cupel_on_problem *on_problem, void *ctx)
{
    struct cupel_outcome outcome;
    enum cupel_verdict verdict = cupel_validate_node(call->tool->view.input, call->caller->scratch,
                                                     call->doc, call->arguments, &outcome);
    call->outcome.steps = outcome.steps;
    if (verdict == CUPEL_VALID)
        return CUPEL_CALL_VALID;
    if (verdict == CUPEL_INVALID)
        return explain(call, on_problem, ctx);
    return undecided(call, outcome.reason);
}

enum cupel_call_verdict cupel_call_check(const struct cupel_catalog *catalog,
                                         struct cupel_caller *caller, const char *request,
                                         size_t len, struct cupel_text *answer,
                                         cupel_on_problem *on_problem, void *ctx,
                                         struct cupel_call_outcome *ret)
{
    struct call call = {.catalog = catalog, .caller = caller, .doc = caller->doc, .answer = answer};
    call.outcome.reason = "";
    cupel_text_clear(answer);
    enum cupel_call_verdict verdict = CUPEL_CALL_VALID;
    enum cupel_status status = cupel_document_read(caller->doc, request, len, &call.outcome.error);
    if (status != CUPEL_OK)
        verdict = read_failed(&call, status);
    if (verdict == CUPEL_CALL_VALID)
        verdict = take_envelope(&call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = take_params(&call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = take_tool(&call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = run(&call, on_problem, ctx);
    if (ret != NULL)
        *ret = call.outcome;
    return verdict;
}
