/* request.c: judging the body of a request.  The head is in head.c.
 *
 * libcupel reads the body and judges its messages (cupel_request_check); it calls on_message for
 * each.  This file decides by the policy what becomes of a message, collects the errors that are
 * sent instead, and writes a note of each message, by which its response will be judged.
 *
 * A body passes whole or not at all.  If one message of a batch is refused, the others are
 * answered with an error too, so that a server never sees a batch that the client did not send. */
#include "gateways/common/exchange/elicit.h"
#include "gateways/common/request/incoming.h"

#include <string.h>

enum { INVALID_REQUEST = -32600, INVALID_PARAMS = -32602, INTERNAL_ERROR = -32603 };

/* -- Refusing -------------------------------------------------------------------------------- */

static void note_verdict(struct cupel_gw_exchange *x, const char *verdict, const char *reason)
{
    x->request.verdict = verdict;
    x->request.reason = reason;
}

/* Refuses the request before a message was read: notes verdict and reason, and answers with an
 * error whose id is null.  With CUPEL_GW_REPORT the request passes, and nothing more of it is
 * judged. */
enum cupel_gw_step cupel_gw_refuse(struct cupel_gw_exchange *x, unsigned status, const char *reason,
                                   const char *message)
{
    note_verdict(x, cupel_call_verdict_name(CUPEL_CALL_BAD_REQUEST), reason);
    x->incoming->decided = true;
    if (x->policy->mode == CUPEL_GW_REPORT)
        return CUPEL_GW_PASS;
    return cupel_gw_answer_error(x, status, NULL, INVALID_REQUEST, message);
}

enum cupel_gw_step cupel_gw_refuse_size(struct cupel_gw_exchange *x)
{
    return cupel_gw_refuse(x, 413, "JSON_SIZE", "Invalid request: the body is too large");
}

enum cupel_gw_step cupel_gw_refuse_empty(struct cupel_gw_exchange *x)
{
    return cupel_gw_refuse(x, 400, "body-missing", "Invalid request: there is no body");
}

enum cupel_gw_step cupel_gw_refuse_method(struct cupel_gw_exchange *x)
{
    return cupel_gw_refuse(x, 400, "method-body",
                           "Invalid request: only POST may have a body here");
}

/* Refuses a request for which there is no memory.  No request passes unchecked for lack of memory,
 * whatever the mode. */
enum cupel_gw_step cupel_gw_refuse_memory(struct cupel_gw_exchange *x)
{
    note_verdict(x, cupel_call_verdict_name(CUPEL_CALL_UNDECIDED), "NO_MEMORY");
    return cupel_gw_answer_error(x, 500, NULL, INTERNAL_ERROR, "Out of memory");
}

/* -- The body -------------------------------------------------------------------------------- */

/* Appends a piece to the body.  The limit is tested before the piece is copied, so a chunked body
 * is refused with its first byte over the limit. */
enum cupel_gw_step cupel_gw_request_body(struct cupel_gw_exchange *x, const char *bytes, size_t len)
{
    struct cupel_gw_incoming *incoming = x->incoming;
    struct cupel_gw_buffer *body = &incoming->body;
    if (len == 0 || incoming->decided)
        return CUPEL_GW_BODY;
    enum cupel_gw_step step = CUPEL_GW_BODY;
    if (!incoming->is_post)
        step = cupel_gw_refuse_method(x);
    else if (len > x->policy->limits.body - body->len)
        step = cupel_gw_refuse_size(x);
    if (incoming->decided)
        return step == CUPEL_GW_REFUSE ? step : CUPEL_GW_BODY;
    if (!cupel_gw_buffer_reserve(body, &x->arena, body->len + len))
        return cupel_gw_refuse_memory(x);
    memcpy(body->bytes + body->len, bytes, len);
    body->len += len;
    return CUPEL_GW_BODY;
}

enum cupel_gw_step cupel_gw_request_judge(struct cupel_gw_exchange *x)
{
    const struct cupel_gw_buffer *body = &x->incoming->body;
    return cupel_gw_request_judge_text(x, body->bytes, body->len);
}

/* -- Notes ----------------------------------------------------------------------------------- */

/* The state of one body while its messages are judged. */
struct judging {
    struct cupel_gw_exchange *x;
    uint32_t capacity; /* of x->notes */
    bool batch, learn, failed;
    unsigned status; /* of HTTP, for the first refusal */
    uint32_t refused;
    struct cupel_text *answers; /* of a batch: those before, with commas between them */
};

/* Appends an empty note to x->notes, which grows by doubling.  Returns NULL without memory. */
static struct cupel_gw_request_note *add_note(struct judging *j)
{
    struct cupel_gw_exchange *x = j->x;
    if (x->note_count == j->capacity) {
        uint32_t capacity = j->capacity != 0 ? 2 * j->capacity : 1;
        struct cupel_gw_request_note *notes =
            x->arena.alloc(x->arena.ctx, capacity * sizeof(*notes));
        if (notes == NULL)
            return NULL;
        if (x->note_count != 0)
            memcpy(notes, x->notes, x->note_count * sizeof(*notes));
        x->notes = notes;
        j->capacity = capacity;
    }
    struct cupel_gw_request_note *note = &x->notes[x->note_count++];
    memset(note, 0, sizeof(*note));
    return note;
}

/* Copies a text to the arena; NULL stays NULL.  Without memory it sets j->failed and returns
 * false. */
static bool keep_text(struct judging *j, const char *bytes, size_t len, struct cupel_gw_text *ret)
{
    if (bytes != NULL)
        *ret = cupel_gw_arena_copy(j->x, bytes, len);
    j->failed |= bytes != NULL && ret->bytes == NULL;
    return !j->failed;
}

/* Keeps a string of params. */
static void keep_member(struct judging *j, const struct cupel_call_outcome *outcome,
                        const char *name, struct cupel_gw_text *ret)
{
    uint32_t params = outcome->message->params;
    uint32_t node = params != CUPEL_NO_NODE
                        ? cupel_json_member(outcome->doc, params, name, strlen(name))
                        : CUPEL_NO_NODE;
    size_t len = 0;
    const char *bytes = node != CUPEL_NO_NODE ? cupel_json_string(outcome->doc, node, &len) : NULL;
    keep_text(j, bytes, len, ret);
}

/* What the response of the message will have to be judged as. */
static enum cupel_gw_message_kind kind_of(const struct cupel_call_outcome *outcome)
{
    static const struct {
        const char *method;
        enum cupel_gw_message_kind kind;
    } kinds[] = {{"tools/call", CUPEL_GW_CALL},
                 {"tools/list", CUPEL_GW_LIST},
                 {"tasks/result", CUPEL_GW_TASK_RESULT},
                 {"tasks/get", CUPEL_GW_TASK_GET}};
    if (outcome->message->kind == CUPEL_MESSAGE_NOTIFICATION)
        return CUPEL_GW_NOTIFICATION;
    if (outcome->message->kind != CUPEL_MESSAGE_REQUEST)
        return CUPEL_GW_ANSWER;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strlen(kinds[i].method) == outcome->method_len &&
            memcmp(kinds[i].method, outcome->method, outcome->method_len) == 0)
            return kinds[i].kind;
    return CUPEL_GW_REQUEST;
}

/* Copies the id twice: as the client wrote it, for errors, and as a key that is equal for equal
 * ids (1 and 1, "a" and "\u0061"), for finding the request of a response. */
static void keep_id(struct judging *j, const struct cupel_call_outcome *outcome,
                    struct cupel_gw_request_note *note)
{
    struct cupel_text *key = &j->x->worker->key;
    if (outcome->id == NULL || !keep_text(j, outcome->id, outcome->id_len, &note->id) ||
        outcome->message == NULL)
        return;
    cupel_text_clear(key);
    cupel_message_id_key(outcome->doc, outcome->message->id, key);
    j->failed |= key->failed != 0;
    if (!key->failed)
        keep_text(j, key->bytes, key->len, &note->id_key);
}

/* Copies to the note what the response will need.  The document of the message is reused for the
 * next one. */
static void fill_note(struct judging *j, const struct cupel_call_outcome *outcome,
                      struct cupel_gw_request_note *note)
{
    keep_id(j, outcome, note);
    keep_text(j, outcome->method, outcome->method_len, &note->method);
    keep_text(j, outcome->tool, outcome->tool_len, &note->tool);
    note->definition = outcome->definition;
    if (outcome->message == NULL)
        return;
    note->kind = kind_of(outcome);
    if (note->kind == CUPEL_GW_LIST)
        keep_member(j, outcome, "cursor", &note->cursor);
    if (note->kind == CUPEL_GW_TASK_RESULT || note->kind == CUPEL_GW_TASK_GET)
        keep_member(j, outcome, "taskId", &note->task);
    uint32_t params = outcome->message->params;
    note->task_asked = note->kind == CUPEL_GW_CALL &&
                       j->x->policy->profile == CUPEL_MCP_2025_11_25 && params != CUPEL_NO_NODE &&
                       cupel_json_member(outcome->doc, params, "task", 4) != CUPEL_NO_NODE;
}

/* -- One message ----------------------------------------------------------------------------- */

/* What becomes of a message. */
enum disposition {
    FORWARD,
    REFUSE,
    REFUSE_WITH_ERROR /* refused, with a word of the gateway's own */
};

/* Writes an error for the message into worker->answer, in place of libcupel's. */
static void answer(struct judging *j, const struct cupel_call_outcome *outcome, int code,
                   const char *message)
{
    struct cupel_text *text = &j->x->worker->answer;
    cupel_text_clear(text);
    cupel_text_adds(text, "{\"jsonrpc\":\"2.0\",\"id\":");
    cupel_text_add(text, outcome->id != NULL ? outcome->id : "null",
                   outcome->id != NULL ? outcome->id_len : 4);
    cupel_text_addf(text, ",\"error\":{\"code\":%d,\"message\":\"%s\"}}", code, message);
}

/* Decides about a call whose tool is not known because no list, or not the right one, was
 * learned.  FETCH asks the host once for the list (j->learn); after that, and with the other
 * policies, policy->unlearned decides whether the call is refused or passes. */
static enum disposition call_unlearned(struct judging *j, const struct cupel_call_outcome *outcome,
                                       const char **ret_reason)
{
    const struct cupel_gw_exchange *x = j->x;
    if (x->policy->unlearned == CUPEL_GW_UNLEARNED_FETCH && !x->fetched) {
        j->learn = true;
        return FORWARD;
    }
    if (x->catalog != NULL)
        return REFUSE;
    *ret_reason = "unlearned";
    if (x->policy->unlearned == CUPEL_GW_UNLEARNED_PASS)
        return FORWARD;
    answer(j, outcome, x->fetched ? INTERNAL_ERROR : INVALID_PARAMS,
           x->fetched ? "The list of tools could not be fetched"
                      : "No list of tools is known yet: send tools/list first");
    return REFUSE_WITH_ERROR;
}

/* Decides about a call of a tool that the catalog does not have.  A tool of an uncertain list is
 * looked up first. */
static enum disposition call_unknown(struct judging *j, const struct cupel_call_outcome *outcome,
                                     const char **ret_reason)
{
    const struct cupel_gw_exchange *x = j->x;
    if (x->policy->learns && (x->catalog == NULL || x->borrowed)) {
        enum disposition disposition = call_unlearned(j, outcome, ret_reason);
        if (disposition != REFUSE)
            return disposition;
    }
    return x->policy->unknown_tool == CUPEL_GW_PASS_IT && x->catalog != NULL ? FORWARD : REFUSE;
}

/* Refuses a call of a tool that the host withholds.  This holds for valid calls too, so it comes
 * before the verdict. */
static enum disposition call_withheld(struct judging *j, const struct cupel_call_outcome *outcome,
                                      const char **ret_reason)
{
    const struct cupel_gw_exchange *x = j->x;
    const char *word = outcome->definition != NULL && x->withheld != NULL
                           ? x->withheld(x->withheld_ctx, outcome->definition)
                           : NULL;
    if (word == NULL)
        return FORWARD;
    *ret_reason = word;
    answer(j, outcome, INVALID_PARAMS, "The tool is held back: its definition was not approved");
    return REFUSE_WITH_ERROR;
}

/* Judges what the client answers to elicitations: a response, or the inputs of a request.  The
 * error for a response has the id null, because its id is one of the server's requests. */
static enum disposition answer_elicitation(struct judging *j,
                                           const struct cupel_call_outcome *outcome,
                                           const struct cupel_gw_request_note *note,
                                           const char **ret_reason)
{
    struct cupel_gw_exchange *x = j->x;
    const struct cupel_message *message = outcome->message;
    enum cupel_gw_step step = CUPEL_GW_PASS;
    if (message == NULL)
        return FORWARD;
    if (note->kind == CUPEL_GW_ANSWER)
        step = cupel_gw_elicitation_answer(x, outcome->doc, message->node);
    else if (message->params != CUPEL_NO_NODE)
        step =
            cupel_gw_elicitation_inputs(x, outcome->doc, message->params, note->method, note->tool);
    if (step != CUPEL_GW_REFUSE)
        return FORWARD;
    *ret_reason = x->request.reason;
    struct cupel_call_outcome answered = *outcome;
    if (note->kind == CUPEL_GW_ANSWER)
        answered.id = NULL; /* it is an id of the server's requests, not of the client's */
    answer(j, &answered, INVALID_PARAMS, "The answer to an elicitation was refused");
    return REFUSE_WITH_ERROR;
}

/* Decides about a message by libcupel's verdict and by the policy. */
static enum disposition decide(struct judging *j, enum cupel_call_verdict verdict,
                               const struct cupel_call_outcome *outcome, const char **ret_reason)
{
    enum disposition disposition = call_withheld(j, outcome, ret_reason);
    if (disposition != FORWARD)
        return disposition;
    if (verdict == CUPEL_CALL_VALID)
        return FORWARD;
    if (verdict == CUPEL_CALL_UNKNOWN_TOOL)
        return call_unknown(j, outcome, ret_reason);
    if (verdict == CUPEL_CALL_UNDECIDED && j->x->policy->undecided == CUPEL_GW_PASS_IT)
        return FORWARD;
    return REFUSE;
}

/* -- Answers --------------------------------------------------------------------------------- */

/* The status for a refusal: 4xx for messages that are malformed, 200 for JSON-RPC errors and tool
 * errors, which a client has to read. */
static unsigned http_status(enum cupel_call_verdict verdict,
                            const struct cupel_call_outcome *outcome)
{
    if (strcmp(outcome->reason, "JSON_SIZE") == 0)
        return 413;
    if (strcmp(outcome->reason, "NO_MEMORY") == 0)
        return 500;
    return verdict == CUPEL_CALL_BAD_REQUEST || verdict == CUPEL_CALL_HEADER_MISMATCH ? 400 : 200;
}

/* Appends worker->answer to the answers of the batch.  Once they are longer than limits.answer
 * they grow no more, so a batch of a million broken messages costs no more memory than one. */
static void add_answer(struct judging *j)
{
    const struct cupel_text *text = &j->x->worker->answer;
    if (text->len == 0 || j->answers->len > j->x->policy->limits.answer)
        return;
    if (j->answers->len != 0)
        cupel_text_adds(j->answers, ",");
    cupel_text_add(j->answers, text->bytes, text->len);
    j->answers->failed |= text->failed;
}

/* Notes the first refusal of the body, and appends the error.  A refused notification gets no
 * JSON-RPC error, but a POST gets an HTTP response: 400. */
static void refuse_message(struct judging *j, enum cupel_call_verdict verdict,
                           const struct cupel_call_outcome *outcome, const char *reason)
{
    struct cupel_text *text = &j->x->worker->answer;
    if (j->refused++ == 0) {
        note_verdict(j->x, cupel_call_verdict_name(verdict), reason);
        j->status = http_status(verdict, outcome);
    }
    if (text->len == 0 && !text->failed && !j->batch) {
        j->status = 400; /* a notification is not answered, a POST is */
        answer(j, outcome, INVALID_REQUEST, "Invalid request: the notification was refused");
    }
    add_answer(j);
}

/* Called by cupel_request_check for each message: writes its note, decides, and appends the error
 * if it is refused.  Returns 1, which ends the reading, without memory. */
static int on_message(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                      const struct cupel_call_outcome *outcome, const struct cupel_text *ignored)
{
    struct judging *j = ctx;
    struct cupel_gw_request_note *note = add_note(j);
    const char *reason = outcome->reason;
    (void)message;
    (void)len;
    (void)ignored; /* worker->answer */
    j->x->request.steps += outcome->steps;
    j->failed |= note == NULL;
    if (note != NULL)
        fill_note(j, outcome, note);
    if (j->failed)
        return 1;
    if (decide(j, verdict, outcome, &reason) != FORWARD) {
        refuse_message(j, verdict, outcome, reason);
        return 0;
    }
    if (answer_elicitation(j, outcome, note, &reason) != FORWARD) {
        refuse_message(j,
                       note->kind == CUPEL_GW_ANSWER ? CUPEL_CALL_BAD_REQUEST : CUPEL_CALL_INVALID,
                       outcome, reason);
        return 0;
    }
    if (j->refused == 0 && (j->x->request.verdict == NULL || verdict != CUPEL_CALL_VALID))
        note_verdict(j->x, cupel_call_verdict_name(verdict), reason);
    if (j->batch && note->kind != CUPEL_GW_ANSWER && outcome->id != NULL) {
        answer(j, outcome, INVALID_REQUEST,
               "Not sent on: another message of the batch was refused");
        add_answer(j);
    }
    return 0;
}

/* -- The whole ------------------------------------------------------------------------------- */

/* Whether the body is an array, by its first character. */
static bool is_batch(const char *text, size_t len)
{
    size_t i = 0;
    while (i < len && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r'))
        i++;
    return i < len && text[i] == '[';
}

/* The options of libcupel for this policy and the fields of this request. */
static struct cupel_request_options options_of(const struct cupel_gw_exchange *x)
{
    struct cupel_request_options options;
    const struct cupel_gw_request_head *head = &x->incoming->head;
    cupel_request_options_init(&options);
    options.profile = x->policy->profile;
    options.batch = x->policy->limits.batch;
    options.headers = head->fields;
    options.header_count = head->field_count;
    if (x->policy->argument_names == CUPEL_GW_NAMES_EXACT)
        options.flags |= CUPEL_REQUEST_EXACT_ARGUMENTS;
    if (x->policy->headers != CUPEL_GW_HEADERS_OFF)
        options.flags |= CUPEL_REQUEST_FIELDS;
    if (x->policy->headers == CUPEL_GW_HEADERS_REQUIRE)
        options.flags |= CUPEL_REQUEST_FIELDS_NEEDED;
    return options;
}

/* Makes x->answer from the errors of the messages.  Returns REFUSE. */
static enum cupel_gw_step send_answers(struct judging *j)
{
    struct cupel_gw_exchange *x = j->x;
    struct cupel_text *text = j->answers;
    if (text->failed)
        return cupel_gw_refuse_memory(x);
    if (text->len > x->policy->limits.answer)
        return cupel_gw_answer_error(x, 400, NULL, INVALID_REQUEST,
                                     "Invalid request: its answer would be too long");
    if (text->len == 0)
        return cupel_gw_answer_error(x, 400, NULL, INVALID_REQUEST,
                                     "Invalid request: a message of the batch was refused");
    bool list = j->batch && x->note_count > 1;
    if (list) {
        struct cupel_text *whole = &x->worker->answer;
        cupel_text_clear(whole);
        cupel_text_adds(whole, "[");
        cupel_text_add(whole, text->bytes, text->len);
        cupel_text_adds(whole, "]");
        text = whole;
    }
    struct cupel_gw_text kept = text->failed ? (struct cupel_gw_text){NULL, 0}
                                             : cupel_gw_arena_copy(x, text->bytes, text->len);
    if (kept.bytes == NULL)
        return cupel_gw_refuse_memory(x);
    x->answer = (struct cupel_gw_answer){list ? 200 : j->status, kept.bytes, kept.len};
    return CUPEL_GW_REFUSE;
}

/* Judges the messages of the body.  The notes of an earlier judgement, before a list was fetched,
 * are dropped.  A body of which no message could be judged is refused. */
static enum cupel_gw_step judge_messages(struct cupel_gw_exchange *x, const char *text, size_t len)
{
    struct cupel_gw_worker *worker = x->worker;
    struct cupel_request_options options = options_of(x);
    struct judging j = {.x = x, .batch = is_batch(text, len), .answers = &worker->answers};
    x->notes = NULL;
    x->note_count = 0;
    x->request = (struct cupel_gw_count){NULL, "", 0};
    cupel_text_clear(j.answers);
    enum cupel_call_verdict worst = cupel_request_check(x->catalog, worker->caller, text, len,
                                                        &options, &worker->answer, on_message, &j);
    (void)worst; /* on_message got the verdict of each message */
    if (j.failed)
        return cupel_gw_refuse_memory(x);
    if (x->note_count == 0) /* nothing was judged, so nothing passes */
        return cupel_gw_refuse(x, 400, "not-judged", "Invalid request: nothing could be judged");
    if (j.refused == 0)
        return j.learn ? CUPEL_GW_LEARN : CUPEL_GW_PASS;
    return x->policy->mode == CUPEL_GW_REPORT ? CUPEL_GW_PASS : send_answers(&j);
}

enum cupel_gw_step cupel_gw_request_judge_text(struct cupel_gw_exchange *x, const char *text,
                                               size_t len)
{
    const struct cupel_gw_incoming *incoming = x->incoming;
    if (incoming->decided)
        return CUPEL_GW_PASS;
    if (!incoming->is_post)
        return len == 0 ? CUPEL_GW_PASS : cupel_gw_refuse_method(x);
    if (len == 0)
        return cupel_gw_refuse_empty(x);
    if (len > x->policy->limits.body)
        return cupel_gw_refuse_size(x);
    return judge_messages(x, text, len);
}
