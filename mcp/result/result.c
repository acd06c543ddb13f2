/* result.c: judges the result of a tool call (cupel/call.h): the fields of the result, its
 * structured content against the output schema, and the text copy of that.  Content blocks are in
 * content.c, problems in problem.c.
 *
 * All rules are checked even after one was broken, so that the host gets all problems.  A result
 * that is not VALID is replaced by an error response, which names the first problem.
 *
 *     VALID        all rules with the severity error hold
 *     INVALID      a rule is broken, that of the output schema among them
 *     UNDECIDED    a limit, or the output schema of the tool is not valid or not the only one
 *     BAD          the text holds no result */
#include "mcp/result/result.h"
#include "mcp/text/untrusted.h"

#include <stdio.h>
#include <string.h>

#define PROBLEM(rule, ...) cupel__result_problem(result, CUPEL__RULE_##rule, __VA_ARGS__)

const char *cupel_result_verdict_name(enum cupel_result_verdict verdict)
{
    static const char *const names[] = {"valid", "invalid", "undecided", "bad-result"};
    return (size_t)verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "?";
}

/* -- Answers ---------------------------------------------------------------------------------- */

/* Writes the error response that replaces the result. */
static void replace(struct cupel__result *result, const char *what, const char *why)
{
    struct cupel_text *text = &result->context->answer.message;
    cupel_text_clear(text);
    cupel_text_adds(text, "The result of tool ");
    cupel__add_quoted(text, result->tool->name, result->tool->name_len);
    cupel_text_addf(text, " %s: ", what);
    cupel__add_untrusted(text, why, strlen(why), 1024);
    cupel__mcp_write_error(result->answer, result->outcome.id, result->outcome.id_len,
                           CUPEL__RPC_INTERNAL_ERROR, text->bytes, text->len);
}

/* The text holds no result. */
static enum cupel_result_verdict bad(struct cupel__result *result, const char *reason,
                                     const char *why)
{
    result->outcome.reason = reason;
    replace(result, "cannot be read", why);
    return CUPEL_RESULT_BAD;
}

/* A limit or an invalid output schema prevents a verdict. */
static enum cupel_result_verdict undecided(struct cupel__result *result, const char *reason,
                                           const char *why)
{
    result->outcome.reason = reason;
    replace(result, "could not be checked", why);
    return CUPEL_RESULT_UNDECIDED;
}

/* -- Structured content ----------------------------------------------------------------------- */

static uint32_t member(const struct cupel__result *result, uint32_t node, const char *key)
{
    return cupel_json_member(result->doc, node, key, strlen(key));
}

/* A cupel_on_problem that reports each problem of the structured content under one rule. */
static int report_structured(void *ctx, const struct cupel_problem *problem)
{
    struct cupel__result *result = ctx;
    char pointer[300];
    snprintf(pointer, sizeof(pointer), "/structuredContent%s", problem->instance);
    PROBLEM(STRUCTURED_INVALID, pointer, "%s", problem->message);
    return result->listener.on_problem != NULL
               ? result->listener.on_problem(result->listener.ctx, problem)
               : 0;
}

/* Runs the output program.  False if it was UNDECIDED; *ret is the verdict then. */
static bool check_structured(struct cupel__result *result, uint32_t node,
                             enum cupel_result_verdict *ret)
{
    struct cupel_outcome outcome;
    struct cupel_scratch *scratch = result->context->scratch;
    enum cupel_verdict verdict =
        cupel_validate_node(result->tool->output, scratch, result->doc, node, &outcome);
    if (verdict == CUPEL_UNDECIDED) {
        *ret = undecided(result, cupel_status_name(outcome.reason),
                         cupel_status_message(outcome.reason));
        return false;
    }
    if (verdict == CUPEL_VALID)
        return true;
    uint32_t before = result->outcome.errors;
    verdict = cupel_report(result->tool->output, scratch, result->doc, node, report_structured,
                           result, &outcome);
    /* The verdict stays INVALID even if reporting ran into a limit. */
    if (verdict != CUPEL_INVALID || result->outcome.errors == before)
        PROBLEM(STRUCTURED_INVALID, "/structuredContent",
                "the structured content does not conform to the output schema");
    return true;
}

static const struct cupel__mcp_tool *tool_of(const struct cupel__result *result)
{
    return (const struct cupel__mcp_tool *)(const void *)result->tool;
}

/* Whether the result must have structured content. */
static bool needs_structured(const struct cupel__result *result)
{
    return result->profile >= CUPEL_MCP_2025_06_18 && cupel__mcp_has_output(tool_of(result));
}

/* Checks the structured content.  False if there is no verdict; *ret is the reason then. */
static bool check_output(struct cupel__result *result, uint32_t structured,
                         enum cupel_result_verdict *ret)
{
    bool needed = needs_structured(result);
    if (tool_of(result)->ambiguous_output) {
        *ret = undecided(result, "tool-ambiguous",
                         "the tool is defined more than once, with different output schemas");
        return false;
    }
    if (structured == CUPEL_NO_NODE) {
        if (needed)
            PROBLEM(STRUCTURED_MISSING, "",
                    "the tool has an output schema, and the result no structuredContent");
        return true;
    }
    if (result->profile < CUPEL_MCP_2026_07_28 &&
        cupel_json_type(result->doc, structured) != CUPEL_JSON_OBJECT)
        PROBLEM(STRUCTURED_OBJECT, "/structuredContent", "structuredContent is not an object");
    if (needed && result->tool->output == NULL) {
        *ret = undecided(result, "tool-refused", "the tool's output schema is not valid");
        return false;
    }
    return !needed || check_structured(result, structured, ret);
}

/* -- The result ------------------------------------------------------------------------------- */

/* Checks isError, _meta and resultType. */
static void check_fields(struct cupel__result *result, uint32_t node)
{
    uint32_t is_error = member(result, node, "isError"), meta = member(result, node, "_meta");
    uint32_t type = member(result, node, "resultType");
    if (is_error != CUPEL_NO_NODE) {
        int value = cupel_json_boolean(result->doc, is_error);
        result->outcome.is_error = value == 1;
        if (value < 0)
            PROBLEM(RESULT_FIELD, "/isError", "isError is not a boolean");
    }
    if (meta != CUPEL_NO_NODE && cupel_json_type(result->doc, meta) != CUPEL_JSON_OBJECT)
        PROBLEM(RESULT_FIELD, "/_meta", "_meta is not an object");
    if (type != CUPEL_NO_NODE && result->profile >= CUPEL_MCP_2026_07_28 &&
        !cupel_json_is(result->doc, type, "complete"))
        PROBLEM(RESULT_FIELD, "/resultType",
                "resultType is not \"complete\", and nothing else fits the result");
}

/* Whether the result asks for input or announces a task: such a result has nothing to judge.  With
 * structured content, or content that is not empty, it does not count as one, because a client that
 * ignores the kind would use that content. */
static bool is_other_kind(const struct cupel__result *result, uint32_t node)
{
    uint32_t type = member(result, node, "resultType"), task = member(result, node, "task");
    uint32_t content = member(result, node, "content");
    if (member(result, node, "structuredContent") != CUPEL_NO_NODE)
        return false;
    if (content != CUPEL_NO_NODE && (cupel_json_type(result->doc, content) != CUPEL_JSON_ARRAY ||
                                     cupel_json_count(result->doc, content) != 0))
        return false;
    if (result->profile >= CUPEL_MCP_2026_07_28)
        return type != CUPEL_NO_NODE && (cupel_json_is(result->doc, type, "input_required") ||
                                         cupel_json_is(result->doc, type, "task"));
    return result->profile == CUPEL_MCP_2025_11_25 && task != CUPEL_NO_NODE &&
           cupel_json_type(result->doc, task) == CUPEL_JSON_OBJECT;
}

/* Servers SHOULD repeat structured content as text.  From 2026-07-28 on they MUST if it is no
 * object, since older clients accept objects only (SEP-2106).  False if a limit prevented the
 * comparison; *ret is the verdict then. */
static bool check_copy(struct cupel__result *result, uint32_t structured,
                       enum cupel_result_verdict *ret)
{
    if (structured == CUPEL_NO_NODE || result->same)
        return true;
    const char *why = result->has_text ? "no block of text is equal to structuredContent"
                                       : "no block of text repeats structuredContent";
    if (result->profile < CUPEL_MCP_2026_07_28 ||
        cupel_json_type(result->doc, structured) == CUPEL_JSON_OBJECT) {
        PROBLEM(TEXT_COPY, "/content", "%s", why);
    } else if (result->copy_status == CUPEL_OK) {
        PROBLEM(TEXT_COPY_MISSING, "/content", "%s, which is no object", why);
    } else if (result->outcome.errors == 0) {
        *ret = undecided(result, cupel_status_name(result->copy_status),
                         cupel_status_message(result->copy_status));
        return false;
    }
    return true;
}

/* Checks the result at `node`. */
static enum cupel_result_verdict check_result(struct cupel__result *result, uint32_t node)
{
    enum cupel_result_verdict verdict = CUPEL_RESULT_VALID;
    if (is_other_kind(result, node))
        return verdict;
    check_fields(result, node);
    uint32_t structured = result->profile >= CUPEL_MCP_2025_06_18
                              ? member(result, node, "structuredContent")
                              : CUPEL_NO_NODE;
    cupel__result_check_content(result, node, structured);
    if (!result->outcome.is_error) {
        if (!check_output(result, structured, &verdict) ||
            !check_copy(result, structured, &verdict))
            return verdict;
    }
    if (result->outcome.errors == 0)
        return CUPEL_RESULT_VALID;
    replace(result, "is not valid", result->first);
    return CUPEL_RESULT_INVALID;
}

/* Finds the result in a response; a text without `jsonrpc` is a result itself. */
static enum cupel_result_verdict check_message(struct cupel__result *result)
{
    struct cupel_document *doc = result->doc;
    if (cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT)
        return bad(result, "result-object", "it is not an object");
    if (member(result, 0, "jsonrpc") == CUPEL_NO_NODE)
        return check_result(result, 0);
    uint32_t id = member(result, 0, "id"), inner = member(result, 0, "result");
    uint32_t error = member(result, 0, "error");
    if (id != CUPEL_NO_NODE)
        result->outcome.id = cupel_json_span(doc, id, &result->outcome.id_len);
    if (error != CUPEL_NO_NODE && inner == CUPEL_NO_NODE &&
        cupel_json_type(doc, error) == CUPEL_JSON_OBJECT) {
        result->outcome.is_error = 1;
        return CUPEL_RESULT_VALID;
    }
    if (inner == CUPEL_NO_NODE || cupel_json_type(doc, inner) != CUPEL_JSON_OBJECT ||
        error != CUPEL_NO_NODE)
        return bad(result, "result-object", "the response has no object result, or an error too");
    return check_result(result, inner);
}

/* Initialises the state of a result and clears the answer. */
static void open_result(struct cupel__result *result, const struct cupel_tool *tool,
                        enum cupel_mcp_profile profile, struct cupel_call_context *context,
                        struct cupel_document *doc, struct cupel_text *answer,
                        const struct cupel_result_listener *listener)
{
    *result = (struct cupel__result){.tool = tool,
                                     .profile = profile,
                                     .context = context,
                                     .doc = doc,
                                     .answer = answer,
                                     .outcome = {.reason = ""}};
    if (listener != NULL)
        result->listener = *listener;
    cupel_text_clear(answer);
}

/* Begins a public function.  False, with *ret saying why, if an argument is missing, or if a
 * callback calls back with the context that called it; then nothing else was written. */
static bool enter(const struct cupel_tool *tool, struct cupel_call_context *context,
                  const struct cupel_text *answer, struct cupel_result_outcome *ret)
{
    if (tool != NULL && context != NULL && answer != NULL && !context->in_use) {
        context->in_use = true;
        return true;
    }
    if (ret != NULL) {
        memset(ret, 0, sizeof(*ret));
        ret->reason = cupel_status_name(CUPEL_E_ARGUMENT);
    }
    return false;
}

/* For a result that the host has read already, as gateways do with messages of event streams. */
enum cupel_result_verdict
cupel_result_check_node(const struct cupel_tool *tool, struct cupel_call_context *context,
                        struct cupel_document *doc, uint32_t node, const char *id, size_t id_len,
                        enum cupel_mcp_profile profile, struct cupel_text *answer,
                        const struct cupel_result_listener *listener,
                        struct cupel_result_outcome *ret)
{
    struct cupel__result result;
    enum cupel_result_verdict verdict;
    if (!enter(doc != NULL ? tool : NULL, context, answer, ret))
        return CUPEL_RESULT_UNDECIDED;
    open_result(&result, tool, profile, context, doc, answer, listener);
    result.outcome.id = id;
    result.outcome.id_len = id_len;
    if (cupel_json_type(doc, node) == CUPEL_JSON_OBJECT)
        verdict = check_result(&result, node);
    else
        verdict = bad(&result, "result-object", "it is not an object");
    if (ret != NULL)
        *ret = result.outcome;
    context->in_use = false;
    return verdict;
}

/* Reads the text into the context's document and finds the result in it. */
enum cupel_result_verdict cupel_result_check(const struct cupel_tool *tool,
                                             struct cupel_call_context *context, const char *text,
                                             size_t len, enum cupel_mcp_profile profile,
                                             struct cupel_text *answer,
                                             const struct cupel_result_listener *listener,
                                             struct cupel_result_outcome *ret)
{
    struct cupel__result result;
    enum cupel_result_verdict verdict;
    if (!enter(text != NULL || len == 0 ? tool : NULL, context, answer, ret))
        return CUPEL_RESULT_UNDECIDED;
    open_result(&result, tool, profile, context, context->doc, answer, listener);
    enum cupel_status status = cupel_document_read(context->doc, text, len, &result.outcome.error);
    if (status == CUPEL_OK)
        verdict = check_message(&result);
    else if (status == CUPEL_E_NO_MEMORY)
        verdict = undecided(&result, cupel_status_name(status), cupel_status_message(status));
    else
        verdict = bad(&result, cupel_status_name(status), cupel_status_message(status));
    if (ret != NULL)
        *ret = result.outcome;
    context->in_use = false;
    return verdict;
}
