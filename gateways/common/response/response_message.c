/* response_message.c: judging one message of a response: which request it belongs to, whether it
 * may go on, and the error in its place.
 *
 * A text is one message or, in 2025-03-26, a batch.  Each message has a disposition: it passes,
 * an error replaces it, it is dropped, or it waits for a list that the host reads.  Errors are
 * collected in worker->answers, in the form of the text: one error, or an array with the other
 * messages as they were.
 *
 * A message is attributed by its id: to a request of this exchange, or else to one that another
 * exchange remembered.  What cannot be attributed is never judged by guesswork. */
#include "gateways/common/response/response_internal.h"

#include <string.h>

/* The state of one message. */
struct judged {
    struct cupel_gw_response *response;
    struct cupel_gw_exchange *x;
    struct cupel_document *doc;
    struct cupel_message message;
    struct cupel_gw_text id;             /* as an error in its place carries it; bytes NULL: null */
    const struct cupel_tool *definition; /* for counters; or NULL */
    struct cupel_text *answer;           /* errors are added to it */
    bool in_batch;
};

/* -- What the policy does -------------------------------------------------------------------- */

/* Reports a judgement to the host, and notes the first one that is not valid in x->response.  A
 * text that waited for a list is judged again from its beginning; what was counted before is not
 * counted again. */
static void count(struct cupel_gw_exchange *x, const struct cupel_tool *definition,
                  const char *verdict, const char *reason)
{
    static const char valid[] = "result-valid";
    struct cupel_gw_count *kept = &x->response, now = {verdict, reason, 0};
    /* A text that waited for a list is judged again from its beginning. */
    if (x->reading->counts++ < x->reading->counted_already)
        return;
    if (x->counter != NULL)
        x->counter->count(x->counter->ctx, x, definition, &now);
    if (kept->verdict == NULL || strcmp(kept->verdict, valid) == 0)
        *kept = now;
}

static bool enforces(const struct cupel_gw_exchange *x)
{
    return x->policy->mode != CUPEL_GW_REPORT;
}

static void write_error(struct cupel_text *answer, struct cupel_gw_text id, const char *why)
{
    cupel_text_adds(answer, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id.bytes != NULL)
        cupel_text_add(answer, id.bytes, id.len);
    else
        cupel_text_adds(answer, "null");
    cupel_text_addf(answer, ",\"error\":{\"code\":-32603,\"message\":\"%s\"}}", why);
}

static enum cupel_gw_disposition replace(struct judged *judged, const char *why)
{
    write_error(judged->answer, judged->id, why);
    return CUPEL_GW_DISPOSITION_REPLACE;
}

/* Whether JSON need not be a message: no request waits for it, or the status is one of an error
 * page. */
static bool is_lenient(const struct cupel_gw_response *response)
{
    return response->reading != CUPEL_GW_READ_EVENTS && (!response->expected || !response->success);
}

/* -- Texts that cannot be read --------------------------------------------------------------- */

static uint32_t count_waiting(const struct cupel_gw_exchange *x)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < x->note_count; i++)
        waiting += cupel_gw_expects_response(&x->notes[i]);
    return waiting;
}

/* Writes an error for each request that waits, in an array if there are several. */
static void write_errors(const struct cupel_gw_exchange *x, struct cupel_text *answer,
                         const char *why)
{
    bool batch = count_waiting(x) > 1, first = true;
    if (count_waiting(x) == 0)
        write_error(answer, (struct cupel_gw_text){NULL, 0}, why);
    for (uint32_t i = 0; i < x->note_count; i++) {
        if (!cupel_gw_expects_response(&x->notes[i]))
            continue;
        cupel_text_adds(answer, !batch ? "" : first ? "[" : ",");
        write_error(answer, x->notes[i].id, why);
        first = false;
    }
    cupel_text_adds(answer, batch ? "]" : "");
}

void cupel_gw_write_errors(struct cupel_gw_response *response, const char *why)
{
    struct cupel_gw_exchange *x = response->x;
    cupel_text_clear(&x->worker->answers);
    write_errors(x, &x->worker->answers, why);
}

/* Counts a response that cannot be read and writes the errors.  Returns PASS where the policy
 * counts only. */
enum cupel_gw_disposition cupel_gw_reject_unreadable(struct cupel_gw_response *response,
                                                     const char *reason, const char *why)
{
    struct cupel_gw_exchange *x = response->x;
    count(x, NULL, "result-bad", reason);
    if (!enforces(x) || x->policy->results == CUPEL_GW_RESULTS_COUNT)
        return CUPEL_GW_DISPOSITION_PASS;
    cupel_gw_write_errors(response, why);
    return CUPEL_GW_DISPOSITION_REPLACE;
}

/* -- Attribution ----------------------------------------------------------------------------- */

static const struct cupel_tool *find_tool(const struct cupel_gw_exchange *x,
                                          struct cupel_gw_text name)
{
    return x->catalog != NULL ? cupel_catalog_find(x->catalog, name.bytes, name.len) : NULL;
}

/* Whether a remembered call names a tool that the catalog no longer has, and calls of unknown
 * tools are refused.  Its result cannot be judged then. */
static bool is_gone(const struct cupel_gw_exchange *x, struct cupel_gw_text name)
{
    const struct cupel_gw_policy *policy = x->policy;
    bool passes = policy->unknown_tool == CUPEL_GW_PASS_IT ||
                  (x->catalog == NULL && policy->unlearned == CUPEL_GW_UNLEARNED_PASS);
    return find_tool(x, name) == NULL && !passes;
}

/* Returns the note of the request with this id key that waits for a response, or NULL. */
static const struct cupel_gw_request_note *find_note(const struct cupel_gw_exchange *x,
                                                     const struct cupel_text *key)
{
    for (uint32_t i = 0; i < x->note_count; i++) {
        const struct cupel_gw_request_note *note = &x->notes[i];
        if (cupel_gw_expects_response(note) && note->id_key.len == key->len &&
            memcmp(note->id_key.bytes, key->bytes, key->len) == 0)
            return note;
    }
    return NULL;
}

/* Decides about a response that belongs to no known request. */
static enum cupel_gw_disposition unattributed(struct judged *judged)
{
    const struct cupel_gw_policy *policy = judged->x->policy;
    count(judged->x, NULL, "result-unattributed", "");
    if (!enforces(judged->x) || policy->unattributed == CUPEL_GW_PASS_IT ||
        policy->results == CUPEL_GW_RESULTS_COUNT)
        return CUPEL_GW_DISPOSITION_PASS;
    return replace(judged, "The response belongs to no request that is known");
}

/* -- Messages that are not held -------------------------------------------------------------- */

/* Whether the id in the envelope is that of a request that waits. */
static bool is_answer(struct cupel_gw_response *response)
{
    struct cupel_gw_worker *worker = response->x->worker;
    const struct cupel_gw_envelope *envelope = response->envelope;
    cupel_text_clear(&worker->key);
    if (cupel_document_read(worker->response, envelope->id, envelope->id_len, NULL) != CUPEL_OK ||
        !cupel_message_id_valid(worker->response, 0))
        return false;
    cupel_message_id_key(worker->response, 0, &worker->key);
    return !worker->key.failed && find_note(response->x, &worker->key) != NULL;
}

/* Whether the body may go on as far as its envelope was read.  An unfinished envelope may; a
 * finished one has to be an answer to this exchange, an error, or a message of the server. */
bool cupel_gw_envelope_passes(struct cupel_gw_response *response)
{
    unsigned members = response->envelope->members;
    bool result = (members & CUPEL_GW_ENVELOPE_HAS_RESULT) != 0;
    bool error = (members & CUPEL_GW_ENVELOPE_HAS_ERROR) != 0;
    bool method = (members & CUPEL_GW_ENVELOPE_HAS_METHOD) != 0;
    if (response->envelope->state == CUPEL_GW_ENVELOPE_BAD)
        return false;
    if (response->envelope->state == CUPEL_GW_ENVELOPE_OPEN)
        return true;
    if (result + error + method > 1)
        return false;
    return result ? is_answer(response) : error || method || is_lenient(response);
}

/* -- Results --------------------------------------------------------------------------------- */

static struct cupel_gw_text string_at(struct judged *judged, uint32_t object, const char *name)
{
    uint32_t node = cupel_json_member(judged->doc, object, name, strlen(name));
    struct cupel_gw_text text = {NULL, 0};
    if (node != CUPEL_NO_NODE)
        text.bytes = cupel_json_string(judged->doc, node, &text.len);
    return text;
}

/* Whether another tool of the catalog has the name of this one.  That one may have an output
 * schema. */
static bool shares_name(const struct cupel_tool *definition)
{
    for (uint32_t i = 0; i < definition->problem_count; i++)
        if (strcmp(definition->problems[i].rule, "name-duplicate") == 0)
            return true;
    return false;
}

bool cupel_gw_is_judged(const struct cupel_tool *definition)
{
    return definition != NULL &&
           (definition->output != NULL || definition->verdict == CUPEL_TOOL_INVALID ||
            shares_name(definition));
}

static enum cupel_gw_disposition bad_names(struct judged *judged,
                                           const struct cupel_message_problem *problem)
{
    count(judged->x, judged->definition, "result-bad", problem->rule);
    if (!enforces(judged->x))
        return CUPEL_GW_DISPOSITION_PASS;
    return replace(judged, "The result has a name that receivers may read in two ways");
}

/* Whether all receivers read the names of a tool's result in one way.  With `deep` the names in
 * content blocks are checked as well, because they are judged too. */
static bool has_good_names(struct judged *judged, uint32_t result, bool deep,
                           struct cupel_message_problem *problem)
{
    struct cupel_document *doc = judged->doc;
    uint32_t content = cupel_json_member(doc, result, "content", 7);
    bool good = cupel_message_names_check(doc, result, CUPEL_PLACE_RESULT, "tools/call", 10,
                                          problem) == CUPEL_OK;
    uint32_t block =
        deep && content != CUPEL_NO_NODE && cupel_json_type(doc, content) == CUPEL_JSON_ARRAY
            ? cupel_json_first(doc, content)
            : CUPEL_NO_NODE;
    for (; good && block != CUPEL_NO_NODE; block = cupel_json_next(doc, content, block))
        good = cupel_message_names_check(doc, block, CUPEL_PLACE_CONTENT, NULL, 0, problem) ==
               CUPEL_OK;
    return good;
}

/* Whether the policy passes a result of which the verdict is UNDECIDED.  A result of a tool with
 * two output schemas cannot be attributed to one of them. */
static bool passes_undecided(const struct cupel_gw_policy *policy, const char *reason)
{
    return policy->undecided == CUPEL_GW_PASS_IT ||
           (policy->results == CUPEL_GW_RESULTS_COUNT && strcmp(reason, "tool-ambiguous") == 0);
}

/* Judges the CallToolResult at a node by a tool's definition.  Tools without an output schema
 * have only names to check. */
static enum cupel_gw_disposition judge_result(struct judged *judged,
                                              const struct cupel_tool *definition, uint32_t node)
{
    static const char *const verdicts[] = {"result-valid", "result-invalid", "result-undecided",
                                           "result-bad"};
    struct cupel_gw_exchange *x = judged->x;
    struct cupel_result_outcome outcome;
    struct cupel_message_problem problem;
    judged->definition = definition;
    if (!has_good_names(judged, node, cupel_gw_is_judged(definition), &problem))
        return bad_names(judged, &problem);
    if (!cupel_gw_is_judged(definition))
        return CUPEL_GW_DISPOSITION_PASS;
    enum cupel_result_verdict verdict = cupel_result_check_node(
        definition, x->worker->caller, judged->doc, node, judged->id.bytes, judged->id.len,
        x->policy->profile, &x->worker->answer, NULL, &outcome);
    count(x, definition, verdicts[verdict], outcome.reason);
    if (verdict == CUPEL_RESULT_VALID || !enforces(x) ||
        (verdict == CUPEL_RESULT_UNDECIDED && passes_undecided(x->policy, outcome.reason)))
        return CUPEL_GW_DISPOSITION_PASS;
    if (x->worker->answer.failed)
        return replace(judged, "Out of memory");
    cupel_text_add(judged->answer, x->worker->answer.bytes, x->worker->answer.len);
    return CUPEL_GW_DISPOSITION_REPLACE;
}

/* Returns the id of the task that a result creates: `task.taskId` in 2025-11-25, `taskId` in the
 * tasks extension; bytes NULL if it creates none. */
static struct cupel_gw_text created_task(struct judged *judged, uint32_t result)
{
    uint32_t type = cupel_json_member(judged->doc, result, "resultType", 10);
    uint32_t task = cupel_json_member(judged->doc, result, "task", 4);
    struct cupel_gw_text id = {NULL, 0};
    if (judged->x->policy->profile < CUPEL_MCP_2025_11_25)
        return id;
    if (task != CUPEL_NO_NODE)
        id = string_at(judged, task, "taskId");
    if (id.bytes == NULL && type != CUPEL_NO_NODE && cupel_json_is(judged->doc, type, "task"))
        id = string_at(judged, result, "taskId");
    return id;
}

/* Judges the result of a call, and remembers the task that it creates. */
static enum cupel_gw_disposition judge_call(struct judged *judged, struct cupel_gw_text tool,
                                            const struct cupel_tool *definition)
{
    uint32_t result = judged->message.result;
    struct cupel_gw_text task = created_task(judged, result);
    enum cupel_gw_disposition fate =
        judge_result(judged, definition != NULL ? definition : find_tool(judged->x, tool), result);
    if (fate == CUPEL_GW_DISPOSITION_PASS && task.bytes != NULL)
        cupel_gw_remember_task(judged->x, task, tool);
    return fate;
}

/* Judges the tool's result that a task carries: the answer to tasks/result, or the member
 * `result` of an answer to tasks/get or of a notification.  A task without a result yet passes. */
static enum cupel_gw_disposition judge_task(struct judged *judged, struct cupel_gw_text task,
                                            uint32_t node)
{
    struct cupel_gw_remembered remembered;
    if (node == CUPEL_NO_NODE)
        return CUPEL_GW_DISPOSITION_PASS;
    if (task.bytes == NULL || !cupel_gw_recall_task(judged->x, task, &remembered) ||
        is_gone(judged->x, remembered.name))
        return unattributed(judged);
    return judge_result(judged, find_tool(judged->x, remembered.name), node);
}

/* A result of which the gateway reads no more than its names. */
static enum cupel_gw_disposition judge_other(struct judged *judged, struct cupel_gw_text method)
{
    struct cupel_message_problem problem;
    if (cupel_message_names_check(judged->doc, judged->message.result, CUPEL_PLACE_RESULT,
                                  method.bytes, method.len, &problem) != CUPEL_OK)
        return bad_names(judged, &problem);
    return CUPEL_GW_DISPOSITION_PASS;
}

/* Whether all receivers read the names of a list of tools in one way: those of the result, of the
 * definitions and of their annotations. */
static bool has_good_list_names(struct judged *judged, struct cupel_message_problem *problem)
{
    struct cupel_document *doc = judged->doc;
    uint32_t result = judged->message.result;
    if (cupel_message_names_check(doc, result, CUPEL_PLACE_RESULT, "tools/list", 10, problem) !=
        CUPEL_OK)
        return false;
    uint32_t list = cupel_json_member(doc, result, "tools", 5);
    bool array = list != CUPEL_NO_NODE && cupel_json_type(doc, list) == CUPEL_JSON_ARRAY;
    uint32_t tool = array ? cupel_json_first(doc, list) : CUPEL_NO_NODE;
    bool good = true;
    for (; good && tool != CUPEL_NO_NODE; tool = cupel_json_next(doc, list, tool)) {
        uint32_t hints = cupel_json_member(doc, tool, "annotations", 11);
        good =
            cupel_message_names_check(doc, tool, CUPEL_PLACE_TOOL, NULL, 0, problem) == CUPEL_OK &&
            (hints == CUPEL_NO_NODE ||
             cupel_message_names_check(doc, hints, CUPEL_PLACE_ANNOTATIONS, NULL, 0, problem) ==
                 CUPEL_OK);
    }
    return good;
}

/* Checks the names of an answer to tools/list, and hands it to the host, which may replace or delay
 * it. */
static enum cupel_gw_disposition judge_list(struct judged *judged,
                                            const struct cupel_gw_request_note *note)
{
    struct cupel_gw_exchange *x = judged->x;
    struct cupel_gw_text instead = {NULL, 0};
    struct cupel_message_problem problem;
    struct cupel_gw_list_answer list = {
        .note = note, .index = judged->response->lists, .again = judged->response->again};
    if (!has_good_list_names(judged, &problem) &&
        bad_names(judged, &problem) != CUPEL_GW_DISPOSITION_PASS)
        return CUPEL_GW_DISPOSITION_REPLACE;
    if (x->lists == NULL || !judged->response->success)
        return CUPEL_GW_DISPOSITION_PASS;
    judged->response->lists++;
    list.text.bytes = cupel_json_span(judged->doc, judged->message.node, &list.text.len);
    enum cupel_gw_list_disposition fate = x->lists->take(x->lists->ctx, x, &list, &instead);
    if (fate == CUPEL_GW_LIST_LATER)
        return CUPEL_GW_DISPOSITION_WAIT;
    if (fate == CUPEL_GW_LIST_PASSES || !enforces(x))
        return CUPEL_GW_DISPOSITION_PASS;
    if (instead.bytes == NULL)
        return replace(judged, "The list of tools could not be checked");
    cupel_text_add(judged->answer, instead.bytes, instead.len);
    return CUPEL_GW_DISPOSITION_REPLACE;
}

static uint32_t inner_result(struct judged *judged)
{
    return cupel_json_member(judged->doc, judged->message.result, "result", 6);
}

/* Judges a result by the request of this exchange that it answers. */
static enum cupel_gw_disposition judge_noted(struct judged *judged,
                                             const struct cupel_gw_request_note *note)
{
    switch (note->kind) {
    case CUPEL_GW_CALL:
        cupel_gw_remember_input_requests(judged->x, judged->doc, judged->message.result,
                                         note->method, note->tool);
        return judge_call(judged, note->tool, note->definition);
    case CUPEL_GW_LIST:
        return judge_list(judged, note);
    case CUPEL_GW_TASK_RESULT:
        return judge_task(judged, note->task, judged->message.result);
    case CUPEL_GW_TASK_GET:
        return judge_task(judged, note->task, inner_result(judged));
    default:
        cupel_gw_remember_input_requests(judged->x, judged->doc, judged->message.result,
                                         note->method, (struct cupel_gw_text){"", 0});
        return judge_other(judged, note->method);
    }
}

/* Judges an answer to tools/list on a stream that the client resumed. */
static enum cupel_gw_disposition judge_remembered_list(struct judged *judged,
                                                       const struct cupel_gw_remembered *remembered)
{
    const struct cupel_gw_request_note note = {.kind = CUPEL_GW_LIST,
                                               .cursor = cupel_gw_remembered_cursor(remembered)};
    return judge_list(judged, &note);
}

/* Judges a result by a request of an earlier exchange. */
static enum cupel_gw_disposition judge_remembered(struct judged *judged,
                                                  const struct cupel_gw_remembered *remembered)
{
    switch (remembered->kind) {
    case CUPEL_GW_CALL:
        if (is_gone(judged->x, remembered->name))
            return unattributed(judged);
        return judge_call(judged, remembered->name, NULL);
    case CUPEL_GW_TASK_RESULT:
        return judge_task(judged, remembered->name, judged->message.result);
    case CUPEL_GW_TASK_GET:
        return judge_task(judged, remembered->name, inner_result(judged));
    case CUPEL_GW_LIST:
        return judge_remembered_list(judged, remembered);
    default:
        return judge_other(judged, remembered->name);
    }
}

/* Attributes a response with a result and judges it.  The error for a response that belongs to no
 * request has the id of the only request that waits, because its own response will hardly come now.
 */
static enum cupel_gw_disposition judge_response(struct judged *judged)
{
    struct cupel_text *key = &judged->x->worker->key;
    struct cupel_gw_remembered remembered;
    size_t len;
    cupel_json_span(judged->doc, judged->message.node, &len);
    judged->response->judged += len;
    cupel_text_clear(key);
    cupel_message_id_key(judged->doc, judged->message.id, key);
    if (key->failed)
        return replace(judged, "Out of memory");
    const struct cupel_gw_request_note *note = find_note(judged->x, key);
    if (note != NULL) {
        judged->id = note->id;
        return judge_noted(judged, note);
    }
    if (cupel_gw_recall_request(judged->x, (struct cupel_gw_text){key->bytes, key->len},
                                &remembered))
        return judge_remembered(judged, &remembered);
    /* A single request that waits gets the error, for its answer will hardly come now. */
    if (count_waiting(judged->x) == 1)
        for (uint32_t i = 0; i < judged->x->note_count; i++)
            if (cupel_gw_expects_response(&judged->x->notes[i]))
                judged->id = judged->x->notes[i].id;
    return unattributed(judged);
}

/* -- Requests and notifications -------------------------------------------------------------- */

/* Tells the host of list_changed, and judges the result of a task that a notification carries.
 * Nobody waits for a notification, so a refused one is dropped. */
static enum cupel_gw_disposition judge_notification(struct judged *judged)
{
    struct cupel_gw_exchange *x = judged->x;
    uint32_t params = judged->message.params, method = judged->message.method;
    if (x->lists != NULL && x->lists->changed != NULL &&
        cupel_json_is(judged->doc, method, "notifications/tools/list_changed"))
        x->lists->changed(x->lists->ctx, x);
    if (params == CUPEL_NO_NODE || !cupel_json_is(judged->doc, method, "notifications/tasks"))
        return CUPEL_GW_DISPOSITION_PASS;
    size_t before = judged->answer->len;
    uint32_t result = cupel_json_member(judged->doc, params, "result", 6);
    if (judge_task(judged, string_at(judged, params, "taskId"), result) ==
        CUPEL_GW_DISPOSITION_PASS)
        return CUPEL_GW_DISPOSITION_PASS;
    judged->answer->len = before;
    return CUPEL_GW_DISPOSITION_DROP;
}

/* -- Messages -------------------------------------------------------------------------------- */

/* Judges one message by its kind.  An error is no result, and passes with any id. */
static enum cupel_gw_disposition judge_message(struct judged *judged)
{
    uint32_t id = judged->message.id;
    if (id != CUPEL_NO_NODE)
        judged->id.bytes = cupel_json_span(judged->doc, id, &judged->id.len);
    switch (judged->message.kind) {
    case CUPEL_MESSAGE_REQUEST:
        cupel_gw_remember_elicitation(judged->x, judged->doc, &judged->message);
        return CUPEL_GW_DISPOSITION_PASS;
    case CUPEL_MESSAGE_NOTIFICATION:
        return judge_notification(judged);
    case CUPEL_MESSAGE_RESULT:
        return judge_response(judged);
    default:
        return CUPEL_GW_DISPOSITION_PASS;
    }
}

/* Whether a JSON text has no result that a client could read as one: it is no object with a
 * member that folds to `result`, and no array of objects. */
static bool has_no_result(struct cupel_document *doc, uint32_t node)
{
    uint32_t key = cupel_json_first(doc, node);
    size_t len;
    if (cupel_json_type(doc, node) == CUPEL_JSON_ARRAY)
        return cupel_json_count(doc, node) == 0 || cupel_json_type(doc, key) != CUPEL_JSON_OBJECT;
    if (cupel_json_type(doc, node) != CUPEL_JSON_OBJECT)
        return true;
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, node, key + 1)) {
        const char *name = cupel_json_string(doc, key, &len);
        if (cupel_names_fold_equal(name, len, "result", 6))
            return false;
    }
    return true;
}

/* Reads and judges the message at a node.  Errors are appended to judged->answer. */
static enum cupel_gw_disposition judge_node(struct judged *judged, uint32_t node)
{
    static const char not_a_message[] = "The response is no message of JSON-RPC";
    struct cupel_message_problem problem;
    if (cupel_message_read(judged->doc, node, &judged->message, &problem) == CUPEL_OK)
        return judge_message(judged);
    if (is_lenient(judged->response) && has_no_result(judged->doc, node))
        return CUPEL_GW_DISPOSITION_PASS;
    count(judged->x, NULL, "result-bad", problem.rule);
    if (!enforces(judged->x) || judged->x->policy->results == CUPEL_GW_RESULTS_COUNT)
        return CUPEL_GW_DISPOSITION_PASS;
    if (judged->in_batch)
        return replace(judged, not_a_message);
    write_errors(judged->x, judged->answer, not_a_message);
    return CUPEL_GW_DISPOSITION_REPLACE;
}

/* -- Batches (2025-03-26) -------------------------------------------------------------------- */

static void separate(struct cupel_text *text)
{
    if (text->len > 1)
        cupel_text_add(text, ",", 1);
}

/* Judges the messages of a batch one by one, and writes the batch with errors in place of those
 * that are refused.  It is used only if one was. */
static enum cupel_gw_disposition judge_batch(struct judged *judged)
{
    struct cupel_document *doc = judged->doc;
    enum cupel_gw_disposition worst = CUPEL_GW_DISPOSITION_PASS;
    cupel_text_add(judged->answer, "[", 1);
    for (uint32_t node = cupel_json_first(doc, 0); node != CUPEL_NO_NODE;
         node = cupel_json_next(doc, 0, node)) {
        size_t before = judged->answer->len, len;
        struct judged one = *judged;
        one.in_batch = true;
        separate(judged->answer);
        enum cupel_gw_disposition fate = judge_node(&one, node);
        const char *text = cupel_json_span(doc, node, &len);
        if (fate == CUPEL_GW_DISPOSITION_WAIT)
            return fate;
        if (fate == CUPEL_GW_DISPOSITION_PASS)
            cupel_text_add(judged->answer, text, len);
        else
            worst = CUPEL_GW_DISPOSITION_REPLACE;
        if (fate == CUPEL_GW_DISPOSITION_DROP)
            judged->answer->len = before;
    }
    cupel_text_add(judged->answer, "]", 1);
    return worst;
}

/* -- Texts ----------------------------------------------------------------------------------- */

/* Decides about a text that is no JSON, or JSON with two readings.  An error page passes, unless
 * another client might find a result in it. */
static enum cupel_gw_disposition read_failed(struct cupel_gw_response *response, const char *text,
                                             size_t len, enum cupel_status status)
{
    bool more;
    bool page = !response->expected || !cupel_gw_resembles_json(text, len, &more);
    if (is_lenient(response) && page && status != CUPEL_E_NO_MEMORY)
        return CUPEL_GW_DISPOSITION_PASS;
    return cupel_gw_reject_unreadable(response, cupel_status_name(status),
                                      "The response could not be read");
}

static enum cupel_gw_disposition judge_text(struct cupel_gw_response *response, const char *text,
                                            size_t len)
{
    struct cupel_gw_exchange *x = response->x;
    struct judged judged = {
        .response = response, .x = x, .doc = x->worker->response, .answer = &x->worker->answers};
    cupel_text_clear(judged.answer);
    enum cupel_status status = cupel_document_read(judged.doc, text, len, NULL);
    if (status != CUPEL_OK)
        return read_failed(response, text, len, status);
    if (cupel_json_type(judged.doc, 0) != CUPEL_JSON_ARRAY)
        return judge_node(&judged, 0);
    if (is_lenient(response) && has_no_result(judged.doc, 0))
        return CUPEL_GW_DISPOSITION_PASS;
    if (x->policy->profile != CUPEL_MCP_2025_03_26 || cupel_json_count(judged.doc, 0) == 0)
        return cupel_gw_reject_unreadable(
            response, "request-batch", "The response is a batch, which this version does not have");
    if (cupel_json_count(judged.doc, 0) > x->policy->limits.batch)
        return cupel_gw_reject_unreadable(response, "too-large", "The batch has too many messages");
    return judge_batch(&judged);
}

/* With WAIT the response is as it was, but for what was counted. */
enum cupel_gw_disposition cupel_gw_judge_text(struct cupel_gw_response *response, const char *text,
                                              size_t len)
{
    size_t judged = response->judged;
    response->counts = response->lists = 0;
    enum cupel_gw_disposition fate = judge_text(response, text, len);
    bool waits = fate == CUPEL_GW_DISPOSITION_WAIT;
    response->again = waits;
    response->counted_already = waits ? response->counts : 0;
    if (waits)
        response->judged = judged;
    return fate;
}
