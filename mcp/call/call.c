/* call.c: judges one message: the order of the checks, verdicts, answers.
 *
 *     envelope → params → HTTP fields → tool → fields of arguments → verdict program → names
 *
 * A message of another method than tools/call ends after its HTTP fields.  The first check that
 * fails decides the verdict and writes the answer.  Everything fails closed: a tool that is
 * unknown, ambiguous or has an invalid definition, and a check that a limit stops, never end in
 * VALID.
 *
 *     verdict          cause                                        answer
 *     VALID            all checks passed                            none
 *     INVALID          arguments, or their names                    isError; older profiles: -32602
 *     UNDECIDED        a limit, no memory, an unusable definition   isError, or an error
 *     UNKNOWN_TOOL     the catalog lacks the tool                   -32602
 *     BAD_REQUEST      the message cannot be read as a request      an error of JSON-RPC
 *     HEADER_MISMATCH  HTTP fields differ from the body             -32020 */
#include "mcp/call/call.h"
#include "mcp/catalog/catalog.h"
#include "mcp/text/untrusted.h"

#include <cupel/messages.h>
#include <string.h>

const char *cupel_call_verdict_name(enum cupel_call_verdict verdict)
{
    static const char *const names[] = {"valid",        "invalid",     "undecided",
                                        "unknown-tool", "bad-request", "header-mismatch"};
    return (size_t)verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "?";
}

/* -- Answers ---------------------------------------------------------------------------------- */

/* Writes an error response; a notification gets none. */
static void answer_error(struct cupel__call *call, int code, const char *message, size_t len)
{
    if (!call->notification)
        cupel__mcp_write_error(call->answer, call->outcome->id, call->outcome->id_len, code,
                               message, len);
}

enum cupel_call_verdict cupel__call_refuse(struct cupel__call *call, int code, const char *reason,
                                           const char *message)
{
    call->outcome->reason = reason;
    answer_error(call, code, message, strlen(message));
    return CUPEL_CALL_BAD_REQUEST;
}

/* Answers with the text in context->answer.message, which explains what is wrong with the
 * arguments. From 2025-11-25 on as the result of a tool, which the model can read; before as an
 * error. */
static void answer_arguments(struct cupel__call *call)
{
    const struct cupel_text *message = &call->context->answer.message;
    enum cupel_mcp_profile profile = call->profile;
    if (call->notification)
        return;
    if (profile < CUPEL_MCP_2025_11_25)
        answer_error(call, CUPEL__RPC_INVALID_PARAMS, message->bytes, message->len);
    else
        cupel__mcp_write_tool_error(call->answer, call->outcome->id, call->outcome->id_len, profile,
                                    message->bytes, message->len);
}

/* Starts answer.message with the tool's name in quotes between two texts. */
static struct cupel_text *open_text(struct cupel__call *call, const char *before, const char *after)
{
    struct cupel_text *text = &call->context->answer.message;
    cupel_text_clear(text);
    cupel_text_adds(text, before);
    cupel__add_quoted(text, call->outcome->tool, call->outcome->tool_len);
    cupel_text_adds(text, after);
    return text;
}

/* -- The envelope (JSON-RPC 2.0) -------------------------------------------------------------- */

/* A text that exceeds a limit is an invalid request; any other is a parse error. */
enum cupel_call_verdict cupel__call_unread(struct cupel__call *call, enum cupel_status status)
{
    const char *name = cupel_status_name(status);
    if (status == CUPEL_E_NO_MEMORY || status == CUPEL_E_ARGUMENT) {
        const char *message = cupel_status_message(status);
        call->outcome->reason = name;
        answer_error(call, CUPEL__RPC_INTERNAL_ERROR, message, strlen(message));
        return CUPEL_CALL_UNDECIDED;
    }
    bool limit = status == CUPEL_E_JSON_DEPTH || status == CUPEL_E_JSON_SIZE ||
                 status == CUPEL_E_NUMBER_SIZE;
    struct cupel_text *text = &call->context->answer.message;
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

static uint32_t find(const struct cupel__call *call, uint32_t node, const char *key)
{
    return cupel_json_member(call->site.doc, node, key, strlen(key));
}

/* Sets id and method of the outcome. */
static void set_identity(struct cupel__call *call, uint32_t id, uint32_t method)
{
    struct cupel_call_outcome *outcome = call->outcome;
    struct cupel_document *doc = call->site.doc;
    if (id != CUPEL_NO_NODE && cupel_json_type(doc, id) != CUPEL_JSON_NULL)
        outcome->id = cupel_json_span(doc, id, &outcome->id_len);
    if (method != CUPEL_NO_NODE)
        outcome->method = cupel_json_string(doc, method, &outcome->method_len);
}

/* Checks the names of a client's result.  The method that it answers is not known, so it may have
 * no name that folds to a name of the result of any request that servers send. */
static bool has_good_names(struct cupel__call *call, uint32_t result,
                           struct cupel_message_problem *problem)
{
    static const char *const methods[] = {"elicitation/create", "sampling/createMessage",
                                          "roots/list"};
    bool good = true;
    for (size_t i = 0; good && i < sizeof(methods) / sizeof(methods[0]); i++)
        good = cupel_message_names_check(call->site.doc, result, CUPEL_PLACE_RESULT, methods[i],
                                         strlen(methods[i]), problem) == CUPEL_OK;
    return good;
}

/* Checks the names of all results that a message of a client carries: its own, or from 2026-07-28
 * on those in `inputResponses`. */
static bool has_good_results(struct cupel__call *call, struct cupel_message_problem *problem)
{
    const struct cupel_message *message = call->message;
    struct cupel_document *doc = call->site.doc;
    if (message->kind == CUPEL_MESSAGE_RESULT)
        return has_good_names(call, message->result, problem);
    uint32_t inputs = message->params != CUPEL_NO_NODE
                          ? find(call, message->params, "inputResponses")
                          : CUPEL_NO_NODE;
    if (inputs == CUPEL_NO_NODE || cupel_json_type(doc, inputs) != CUPEL_JSON_OBJECT)
        return true;
    uint32_t key = cupel_json_first(doc, inputs);
    while (key != CUPEL_NO_NODE && has_good_names(call, key + 1, problem))
        key = cupel_json_next(doc, inputs, key + 1);
    return key == CUPEL_NO_NODE;
}

/* Also sets what the outcome says of the message, so that a host can log refused ones. */
enum cupel_call_verdict cupel__call_envelope(struct cupel__call *call)
{
    struct cupel_message_problem problem;
    struct cupel_message *message = call->message;
    if (cupel_message_read(call->site.doc, call->site.root, message, &problem) != CUPEL_OK) {
        set_identity(call, problem.id, CUPEL_NO_NODE);
        return cupel__call_refuse(call, problem.code, problem.rule, problem.text);
    }
    set_identity(call, message->id, message->method);
    call->outcome->message = message;
    call->outcome->doc = call->site.doc;
    call->site.params = message->params;
    call->notification = message->kind == CUPEL_MESSAGE_NOTIFICATION;
    if (!has_good_results(call, &problem))
        return cupel__call_refuse(call, problem.code, problem.rule, problem.text);
    return CUPEL_CALL_VALID;
}

/* The caller knows that the message was read and has another method. */
enum cupel_call_verdict cupel__call_other(struct cupel__call *call, const char *method)
{
    struct cupel_text *text = &call->context->answer.message;
    if (call->message->method == CUPEL_NO_NODE)
        return cupel__call_refuse(call, CUPEL__RPC_INVALID_REQUEST, "request-method",
                                  "Invalid request: method is not a string");
    cupel_text_clear(text);
    cupel_text_addf(text, "Method not found: only %s is checked", method);
    call->outcome->reason = "method-unknown";
    answer_error(call, CUPEL__RPC_METHOD_NOT_FOUND, text->bytes, text->len);
    return CUPEL_CALL_BAD_REQUEST;
}

/* Reads `task`.  Only profile 2025-11-25 has it; in others it is an unknown member. */
static enum cupel_call_verdict read_task(struct cupel__call *call)
{
    struct cupel_document *doc = call->site.doc;
    if (call->profile != CUPEL_MCP_2025_11_25)
        return CUPEL_CALL_VALID;
    uint32_t task = find(call, call->site.params, "task");
    if (task == CUPEL_NO_NODE)
        return CUPEL_CALL_VALID;
    if (cupel_json_type(doc, task) != CUPEL_JSON_OBJECT)
        return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-task",
                                  "Invalid params: task is not an object");
    uint32_t ttl = find(call, task, "ttl");
    if (ttl != CUPEL_NO_NODE && cupel_json_type(doc, ttl) != CUPEL_JSON_NUMBER)
        return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-task",
                                  "Invalid params: the ttl of task is not a number");
    call->is_task = true;
    return CUPEL_CALL_VALID;
}

/* Reads name, arguments and task (CallToolRequest of the specification's schema) into call->site.
 */
static enum cupel_call_verdict read_params(struct cupel__call *call)
{
    struct cupel__call_site *site = &call->site;
    if (site->params == CUPEL_NO_NODE)
        return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-object",
                                  "Invalid params: params is not an object");
    uint32_t name = find(call, site->params, "name");
    if (name == CUPEL_NO_NODE || cupel_json_type(site->doc, name) != CUPEL_JSON_STRING)
        return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-name",
                                  "Invalid params: name is not a string");
    site->tool = cupel_json_string(site->doc, name, &site->tool_len);
    call->outcome->tool = site->tool;
    call->outcome->tool_len = site->tool_len;
    site->arguments = find(call, site->params, "arguments");
    site->arguments_doc = site->doc;
    if (site->arguments == CUPEL_NO_NODE) {
        site->arguments_doc = call->context->empty;
        site->arguments = 0;
    } else if (cupel_json_type(site->doc, site->arguments) != CUPEL_JSON_OBJECT) {
        return cupel__call_refuse(call, CUPEL__RPC_INVALID_PARAMS, "params-arguments",
                                  "Invalid params: arguments is not an object");
    }
    call->outcome->arguments =
        cupel_json_span(site->arguments_doc, site->arguments, &call->outcome->arguments_len);
    return read_task(call);
}

/* -- The tool --------------------------------------------------------------------------------- */

/* Compares the call with the tool's taskSupport (profile 2025-11-25, "Tasks"). */
static enum cupel_call_verdict check_task_support(struct cupel__call *call)
{
    enum cupel_task_support support = call->site.definition->view.task_support;
    if (call->profile != CUPEL_MCP_2025_11_25)
        return CUPEL_CALL_VALID;
    if (call->is_task && support == CUPEL_TASK_FORBIDDEN)
        return cupel__call_refuse(call, CUPEL__RPC_METHOD_NOT_FOUND, "task-forbidden",
                                  "The tool cannot be called as a task");
    if (!call->is_task && support == CUPEL_TASK_REQUIRED)
        return cupel__call_refuse(call, CUPEL__RPC_METHOD_NOT_FOUND, "task-required",
                                  "The tool can be called as a task only");
    return CUPEL_CALL_VALID;
}

/* The most tools, and bytes of a name, that are compared for a suggestion. */
enum { MOST_COMPARED = 256, MOST_NAME = 128 };

/* A name in lower case without what separates words. */
static size_t fold_name(const char *name, size_t len, char ret[MOST_NAME])
{
    size_t n = 0;
    for (size_t i = 0; i < len && n < MOST_NAME; i++)
        if (strchr("_-./: ", name[i]) == NULL || name[i] == '\0')
            ret[n++] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
    return n;
}

/* Whether two folded names are equal, or one is the other behind the name of a server. */
static bool is_near(const char *a, size_t n, const char *b, size_t m)
{
    enum { LEAST = 4 };
    size_t shorter = n < m ? n : m;
    return (n == m || shorter >= LEAST) && memcmp(a + n - shorter, b + m - shorter, shorter) == 0;
}

/* The only tool whose name is near to that of the call, or NULL. */
static const struct cupel_tool *near_tool(const struct cupel__call *call)
{
    const struct cupel_tool *found = NULL;
    char name[MOST_NAME], other[MOST_NAME];
    size_t n = fold_name(call->outcome->tool, call->outcome->tool_len, name);
    uint32_t count = call->catalog != NULL ? cupel_catalog_count(call->catalog) : 0;
    for (uint32_t i = 0; i < count && i < MOST_COMPARED && n > 0; i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(call->catalog, i);
        size_t m = tool->name != NULL ? fold_name(tool->name, tool->name_len, other) : 0;
        if (m == 0 || !is_near(name, n, other, m))
            continue;
        if (found != NULL)
            return NULL;
        found = tool;
    }
    return found;
}

static enum cupel_call_verdict refuse_unknown(struct cupel__call *call)
{
    struct cupel_text *text = open_text(call, "Unknown tool: ", "");
    const struct cupel_tool *near = near_tool(call);
    if (near != NULL) {
        cupel_text_adds(text, "; did you mean ");
        cupel__add_quoted(text, near->name, near->name_len);
        cupel_text_adds(text, "?");
    }
    call->outcome->reason = "tool-unknown";
    answer_error(call, CUPEL__RPC_INVALID_PARAMS, text->bytes, text->len);
    return CUPEL_CALL_UNKNOWN_TOOL;
}

/* Finds the tool.  A tool whose definition is invalid, or that is defined twice with different
 * input schemas, gives UNDECIDED. */
static enum cupel_call_verdict find_tool(struct cupel__call *call)
{
    const struct cupel_tool *found =
        call->catalog != NULL
            ? cupel_catalog_find(call->catalog, call->outcome->tool, call->outcome->tool_len)
            : NULL;
    const struct cupel_text *text;
    if (found == NULL)
        return refuse_unknown(call);
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

/* Answers a call whose arguments could not be checked. */
static enum cupel_call_verdict undecided(struct cupel__call *call, enum cupel_status reason)
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

/* Renders the problems of the arguments for a model into answer.message. */
static void render(struct cupel__call *call)
{
    struct cupel_outcome outcome = {.steps = 0};
    const struct cupel__call_site *site = &call->site;
    struct cupel_text *text = &call->context->answer.message;
    struct cupel_render_options options;
    cupel_render_options_init(&options);
    options.tool = site->tool;
    options.tool_len = site->tool_len;
    cupel_text_clear(text);
    enum cupel_verdict again =
        cupel_render(site->definition->view.input, call->context->scratch, site->arguments_doc,
                     site->arguments, CUPEL_RENDER_MODEL, &options, text, &outcome);
    call->outcome->steps += outcome.steps;
    cupel__call_spend(call, outcome.steps);
    if (again != CUPEL_INVALID || text->len == 0)
        open_text(call, "tool ", ": the arguments are not valid");
}

/* Reports the problems to the host and in the answer.  The verdict stays INVALID even if reporting
 * runs into a limit. */
static enum cupel_call_verdict explain(struct cupel__call *call, cupel_on_problem *on_problem,
                                       void *ctx)
{
    const struct cupel__call_site *site = &call->site;
    struct cupel_scratch *scratch = call->context->scratch;
    struct cupel_outcome outcome = {.steps = 0};
    render(call);
    struct cupel_report_counts counts;
    cupel_report_count(scratch, &counts);
    call->outcome->problems =
        counts.problems < call->context->max_errors ? counts.problems : call->context->max_errors;
    if (on_problem != NULL &&
        cupel_report(site->definition->view.input, scratch, site->arguments_doc, site->arguments,
                     on_problem, ctx, &outcome) != CUPEL_INVALID)
        call->outcome->problems = 0;
    answer_arguments(call);
    call->outcome->steps += outcome.steps;
    cupel__call_spend(call, outcome.steps + call->answer->len);
    return CUPEL_CALL_INVALID;
}

/* Runs the verdict program of the input schema. */
static enum cupel_call_verdict run(struct cupel__call *call, cupel_on_problem *on_problem,
                                   void *ctx)
{
    struct cupel_outcome outcome;
    const struct cupel__call_site *site = &call->site;
    if (call->context->batch_steps == 0)
        return undecided(call, CUPEL_E_LIMIT_STEPS);
    enum cupel_verdict verdict =
        cupel_validate_node(site->definition->view.input, call->context->scratch,
                            site->arguments_doc, site->arguments, &outcome);
    call->outcome->steps += outcome.steps;
    cupel__call_spend(call, outcome.steps);
    if (verdict == CUPEL_VALID)
        return CUPEL_CALL_VALID;
    if (verdict == CUPEL_INVALID)
        return explain(call, on_problem, ctx);
    return undecided(call, outcome.reason);
}

/* -- HTTP ------------------------------------------------------------------------------------- */

typedef bool comparison(struct cupel__call *call);

/* Compares HTTP fields, if the options require it. */
static enum cupel_call_verdict check_header(struct cupel__call *call, comparison *matches)
{
    if ((call->options->flags & CUPEL_REQUEST_FIELDS) == 0 || matches(call))
        return CUPEL_CALL_VALID;
    if (call->failed != CUPEL_OK)
        return undecided(call, call->failed);
    const struct cupel_text *text = &call->context->answer.message;
    call->outcome->reason = "header-mismatch";
    answer_error(call, CUPEL__RPC_HEADER_MISMATCH, text->bytes, text->len);
    return CUPEL_CALL_HEADER_MISMATCH;
}

/* -- The message ------------------------------------------------------------------------------ */

/* Checks the names of the arguments, if the options require it. */
static enum cupel_call_verdict check_names(struct cupel__call *call)
{
    if ((call->options->flags & CUPEL_REQUEST_EXACT_ARGUMENTS) == 0 ||
        cupel__argument_names_unambiguous(call))
        return CUPEL_CALL_VALID;
    if (call->failed != CUPEL_OK)
        return undecided(call, call->failed);
    call->outcome->reason = "argument-name";
    call->outcome->problems = 1;
    answer_arguments(call);
    return CUPEL_CALL_INVALID;
}

/* Judges a request of tools/call.  A valid call is kept in context->last. */
static enum cupel_call_verdict judge_call(struct cupel__call *call, cupel_on_problem *on_problem,
                                          void *ctx)
{
    enum cupel_call_verdict verdict = read_params(call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = check_header(call, cupel__http_fields_match);
    if (verdict == CUPEL_CALL_VALID)
        verdict = find_tool(call);
    if (verdict == CUPEL_CALL_VALID)
        verdict = check_header(call, cupel__http_parameters_match);
    if (verdict == CUPEL_CALL_VALID)
        verdict = run(call, on_problem, ctx);
    if (verdict == CUPEL_CALL_VALID)
        verdict = check_names(call);
    if (verdict == CUPEL_CALL_VALID)
        call->context->last = call->site;
    return verdict;
}

/* The entry point for each message: reads the envelope, then judges a call or compares HTTP
 * fields. */
enum cupel_call_verdict cupel__call_judge(struct cupel__call *call, cupel_on_problem *on_problem,
                                          void *ctx)
{
    enum cupel_call_verdict verdict = cupel__call_envelope(call);
    if (verdict != CUPEL_CALL_VALID)
        return verdict;
    uint32_t method = call->message->method;
    if (method != CUPEL_NO_NODE && cupel_json_is(call->site.doc, method, "tools/call"))
        return judge_call(call, on_problem, ctx);
    if (!call->any)
        return cupel__call_other(call, "tools/call");
    return check_header(call, cupel__http_fields_match);
}
