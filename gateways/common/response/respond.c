/* respond.c: the response side of an exchange (response.h): which responses are read, which bytes
 * are held and which go to the client.  Messages are judged in response_message.c.
 *
 * A response is read in one of six ways (enum cupel_gw_reading).  JSON is held until it is
 * whole.  Of an event stream only the unfinished event is held.  JSON that is too large to be
 * held and needs no judgement passes as it comes, while its envelope is watched.  Bytes that are
 * held count against the worker's limit.
 *
 * `step` is the step that was returned last. After finish() no byte is read. */
#include "gateways/common/response/response_internal.h"

#include <string.h>

/* -- Memory that is counted ------------------------------------------------------------------ */

/* An arena whose bytes count against limits.worker until the response ends, so that many slow
 * responses cannot fill the memory of a worker. */
static void *alloc_counted(void *ctx, size_t size)
{
    struct cupel_gw_response *response = ctx;
    struct cupel_gw_exchange *x = response->x;
    size_t most = x->policy->limits.worker, held = x->worker->held;
    if (held > most || size > most - held)
        return NULL;
    void *memory = x->arena.alloc(x->arena.ctx, size);
    if (memory != NULL) {
        x->worker->held += size;
        response->counted += size;
    }
    return memory;
}

void cupel_gw_response_end(struct cupel_gw_exchange *x)
{
    struct cupel_gw_response *response = x->reading;
    if (response == NULL)
        return;
    x->worker->held -= response->counted;
    response->counted = 0;
    response->reading = CUPEL_GW_READ_NOTHING;
}

/* -- Steps ----------------------------------------------------------------------------------- */

/* Ends the reading and returns the step. */
static enum cupel_gw_step finish(struct cupel_gw_response *response, enum cupel_gw_step step)
{
    response->timed = false;
    response->step = step;
    if (step == CUPEL_GW_REFUSE)
        response->reading = CUPEL_GW_READ_NOTHING;
    return step;
}

static enum cupel_gw_step write_all(const struct cupel_gw_sink *sink, const char *bytes, size_t len,
                                    enum cupel_gw_step step)
{
    return len == 0 || sink->write(sink->ctx, bytes, len) == 0 ? step : CUPEL_GW_ABORT;
}

/* Makes x->answer of the error in worker->answers.  Without memory the answer is a static text. */
static enum cupel_gw_step refuse(struct cupel_gw_response *response, unsigned status)
{
    struct cupel_gw_exchange *x = response->x;
    const struct cupel_text *text = &x->worker->answers;
    struct cupel_gw_text kept = {NULL, 0};
    if (!text->failed)
        kept = cupel_gw_arena_copy(x, text->bytes, text->len);
    if (kept.bytes != NULL)
        x->answer = (struct cupel_gw_answer){status, kept.bytes, kept.len};
    else
        cupel_gw_answer_error(x, 500, NULL, -32603, "Out of memory");
    return finish(response, CUPEL_GW_REFUSE);
}

/* The status of an error in place of a body: the upstream's where a request waits, because a
 * client reads a JSON-RPC error only with a status of success; otherwise 502. */
static unsigned status_of(const struct cupel_gw_response *response)
{
    return response->expected ? response->status : 502;
}

/* Ends a response whose body is not read: refuses it, or passes it where the policy allows that. */
static enum cupel_gw_step reject_unread(struct cupel_gw_response *response, const char *reason,
                                        const char *why)
{
    if (cupel_gw_reject_unreadable(response, reason, why) == CUPEL_GW_DISPOSITION_PASS) {
        response->reading = CUPEL_GW_READ_NOTHING;
        return finish(response, CUPEL_GW_PASS);
    }
    return refuse(response, status_of(response));
}

/* -- The head -------------------------------------------------------------------------------- */

/* Whether a body that is too large to be held has to be refused: it has the result of a tool with
 * an output schema, a list that is learned, or the result of a task. */
static bool must_judge_result(const struct cupel_gw_exchange *x)
{
    for (uint32_t i = 0; i < x->note_count; i++) {
        const struct cupel_gw_request_note *note = &x->notes[i];
        if (note->kind == CUPEL_GW_CALL && cupel_gw_is_judged(note->definition))
            return true;
        if (note->kind == CUPEL_GW_TASK_RESULT || note->kind == CUPEL_GW_TASK_GET ||
            (note->kind == CUPEL_GW_LIST && x->lists != NULL))
            return true;
    }
    return false;
}

/* How many bytes of JSON may be held for this exchange. */
static size_t limit_of(const struct cupel_gw_exchange *x)
{
    const struct cupel_gw_limits *limits = &x->policy->limits;
    for (uint32_t i = 0; i < x->note_count; i++)
        if (x->notes[i].kind == CUPEL_GW_LIST && x->lists != NULL && limits->list > limits->result)
            return limits->list;
    return limits->result;
}

/* Notes when the held body or event began, if nothing was held before.  The limit is on the whole
 * time, so a byte now and then does not extend it. */
static void start_clock(struct cupel_gw_response *response)
{
    struct cupel_gw_worker *worker = response->x->worker;
    if (response->timed)
        return;
    response->timed = true;
    response->since = worker->clock(worker->clock_ctx);
}

/* Begins to read an event stream.  Before 2026-07-28 the client may resume it in another
 * exchange, so its requests are remembered. */
static enum cupel_gw_step begin_events(struct cupel_gw_response *response)
{
    struct cupel_gw_exchange *x = response->x;
    response->reading = CUPEL_GW_READ_EVENTS;
    response->timed = false;
    cupel_gw_events_init(&response->events, &response->arena, x->policy->limits.event);
    if (x->policy->profile < CUPEL_MCP_2026_07_28)
        cupel_gw_remember_requests(x);
    return response->step = CUPEL_GW_STREAM;
}

/* Begins to read JSON.  A body whose Content-Length is over the limit is refused before it comes.
 */
static enum cupel_gw_step begin_json(struct cupel_gw_response *response,
                                     enum cupel_gw_reading reading, uint64_t length)
{
    response->reading = reading;
    if (response->must_judge && length != UINT64_MAX && length > limit_of(response->x))
        return reject_unread(response, "too-large", "The response is too large to be checked");
    return response->step = CUPEL_GW_HOLD;
}

/* Chooses the reading by media type and coding.  A type that is none of MCP passes unread only if
 * no request waits for a result; with another status than 2xx it may be an error page. */
static enum cupel_gw_step begin(struct cupel_gw_response *response,
                                const struct cupel_gw_response_head *head)
{
    enum cupel_gw_media media = cupel_gw_media_of(head);
    bool other = media == CUPEL_GW_MEDIA_OTHER;
    if (response->x->wants_events && response->success) {
        if (media == CUPEL_GW_MEDIA_NONE)
            media = CUPEL_GW_MEDIA_EVENTS;
        if (media != CUPEL_GW_MEDIA_EVENTS)
            return reject_unread(response, "content-type",
                                 "The response to a GET of an event stream is none");
    }
    if (other && !response->expected)
        return finish(response, CUPEL_GW_PASS);
    if ((other && response->success) || media == CUPEL_GW_MEDIA_AMBIGUOUS)
        return reject_unread(response, "content-type",
                             "The media type of the response is not one of MCP");
    if (cupel_gw_is_coded(head))
        return reject_unread(response, "content-encoding",
                             "The response is encoded and cannot be checked");
    if (media == CUPEL_GW_MEDIA_EVENTS)
        return begin_events(response);
    if (other) {
        response->reading = CUPEL_GW_READ_PAGE;
        return response->step = CUPEL_GW_HOLD;
    }
    return begin_json(response,
                      media == CUPEL_GW_MEDIA_JSON ? CUPEL_GW_READ_JSON : CUPEL_GW_READ_FIRST,
                      head->content_length);
}

/* Starts the state of the response, in place of that of an earlier one: hosts may get several
 * responses for an exchange, such as an error page after the upstream's. */
enum cupel_gw_step cupel_gw_response_head(struct cupel_gw_exchange *x,
                                          const struct cupel_gw_response_head *head)
{
    struct cupel_gw_response *response = x->arena.alloc(x->arena.ctx, sizeof(*response));
    cupel_gw_response_end(x);
    x->reading = NULL;
    if (response == NULL)
        return cupel_gw_answer_error(x, 500, NULL, -32603, "Out of memory");
    *response = (struct cupel_gw_response){
        .x = x, .status = head->status, .success = head->status >= 200 && head->status < 300};
    response->arena = (struct cupel_gw_arena){alloc_counted, response};
    response->must_judge = must_judge_result(x);
    for (uint32_t i = 0; i < x->note_count; i++)
        response->expected = response->expected || cupel_gw_expects_response(&x->notes[i]);
    x->reading = response;
    if (x->policy->results == CUPEL_GW_RESULTS_OFF)
        return finish(response, CUPEL_GW_PASS);
    if ((x->policy->allow & CUPEL_GW_ALLOW_REDIRECT) == 0 && cupel_gw_leads_away(head, x->origin) &&
        cupel_gw_reject_unreadable(response, "redirect",
                                   "The server redirects to another server") !=
            CUPEL_GW_DISPOSITION_PASS)
        return refuse(response, 502);
    if (!head->has_body)
        return finish(response, CUPEL_GW_PASS);
    return begin(response, head);
}

/* -- JSON ------------------------------------------------------------------------------------ */

/* Writes the held bytes to the sink, and passes the rest of the body unread. */
static enum cupel_gw_step pass_held(struct cupel_gw_response *response,
                                    const struct cupel_gw_sink *sink)
{
    response->reading = CUPEL_GW_READ_NOTHING;
    return finish(response,
                  write_all(sink, response->held.bytes, response->held.len, CUPEL_GW_PASS));
}

/* Judges the body that is held.  WAIT leaves it held. */
static enum cupel_gw_step judge_held(struct cupel_gw_response *response,
                                     const struct cupel_gw_sink *sink)
{
    enum cupel_gw_disposition fate = CUPEL_GW_DISPOSITION_PASS;
    if (response->held.len != 0)
        fate = cupel_gw_judge_text(response, response->held.bytes, response->held.len);
    if (fate == CUPEL_GW_DISPOSITION_WAIT)
        return finish(response, CUPEL_GW_WAIT);
    return fate == CUPEL_GW_DISPOSITION_PASS ? pass_held(response, sink)
                                             : refuse(response, status_of(response));
}

static const char not_an_answer[] = "The response is no answer that may pass";

/* Reads a body that passes as it comes.  A piece goes on only if the envelope is good up to its
 * end, so the last brace of a message that must not pass never goes out.  If something has gone
 * out the response is cut off (ABORT), otherwise refused. */
static enum cupel_gw_step read_envelope(struct cupel_gw_response *response, const char *bytes,
                                        size_t len, bool last, const struct cupel_gw_sink *sink)
{
    bool whole = cupel_gw_envelope_read(response->envelope, bytes, len) == CUPEL_GW_ENVELOPE_WHOLE;
    bool passes = cupel_gw_envelope_passes(response) && (whole || !last);
    if (!passes && cupel_gw_reject_unreadable(response, "envelope", not_an_answer) !=
                       CUPEL_GW_DISPOSITION_PASS)
        return response->sent ? finish(response, CUPEL_GW_ABORT)
                              : refuse(response, status_of(response));
    enum cupel_gw_step step = write_all(sink, bytes, len, CUPEL_GW_STREAM);
    response->sent = response->sent || len != 0;
    if (!passes && step == CUPEL_GW_STREAM) {
        response->reading = CUPEL_GW_READ_NOTHING;
        return finish(response, CUPEL_GW_PASS);
    }
    if (step == CUPEL_GW_STREAM && last)
        step = CUPEL_GW_END;
    return step == CUPEL_GW_STREAM ? response->step = step : finish(response, step);
}

/* Changes from holding JSON to passing it as it comes.  Returns STREAM, or REFUSE if the held
 * bytes already show that it must not pass; then response->envelope is set. */
static enum cupel_gw_step begin_envelope(struct cupel_gw_response *response,
                                         const struct cupel_gw_sink *sink)
{
    response->envelope =
        response->x->arena.alloc(response->x->arena.ctx, sizeof(*response->envelope));
    if (response->envelope == NULL)
        return CUPEL_GW_REFUSE;
    cupel_gw_envelope_init(response->envelope);
    cupel_gw_envelope_read(response->envelope, response->held.bytes, response->held.len);
    if (!cupel_gw_envelope_passes(response))
        return CUPEL_GW_REFUSE;
    response->reading = CUPEL_GW_READ_ENVELOPE;
    response->timed = false;
    response->sent = response->held.len != 0;
    return write_all(sink, response->held.bytes, response->held.len, CUPEL_GW_STREAM);
}

/* The body does not fit: it is refused if it must be judged, and otherwise passes as it comes.
 * `bytes` follow those that are held. */
static enum cupel_gw_step overflow(struct cupel_gw_response *response, const char *bytes,
                                   size_t len, bool last, const char *reason,
                                   const struct cupel_gw_sink *sink)
{
    bool judged = response->must_judge || response->x->policy->mode == CUPEL_GW_REPORT;
    enum cupel_gw_step step = judged ? CUPEL_GW_REFUSE : begin_envelope(response, sink);
    if (step == CUPEL_GW_STREAM)
        return read_envelope(response, bytes, len, last, sink);
    const char *why = "The response is too large to be checked";
    if (response->envelope != NULL) {
        reason = "envelope";
        why = not_an_answer;
    }
    if (cupel_gw_reject_unreadable(response, reason, why) != CUPEL_GW_DISPOSITION_PASS)
        return refuse(response, status_of(response));
    step = pass_held(response, sink);
    return step == CUPEL_GW_PASS ? finish(response, write_all(sink, bytes, len, step)) : step;
}

/* Holds a piece of JSON, and judges the body with its last piece. */
static enum cupel_gw_step read_json(struct cupel_gw_response *response, const char *bytes,
                                    size_t len, bool last, const struct cupel_gw_sink *sink)
{
    struct cupel_gw_buffer *held = &response->held;
    size_t limit = limit_of(response->x);
    if (len != 0)
        start_clock(response);
    if (len > limit || held->len > limit - len)
        return overflow(response, bytes, len, last, "too-large", sink);
    if (!cupel_gw_buffer_reserve(held, &response->arena, held->len + len))
        return overflow(response, bytes, len, last, "no-memory", sink);
    if (len != 0)
        memcpy(held->bytes + held->len, bytes, len);
    held->len += len;
    return last ? judge_held(response, sink) : CUPEL_GW_HOLD;
}

/* -- Events ---------------------------------------------------------------------------------- */

/* Writes the lines of an event other than data lines, if all clients see the same lines there. */
static enum cupel_gw_step write_fields(struct cupel_gw_response *response,
                                       const struct cupel_gw_piece *piece,
                                       const struct cupel_gw_sink *sink)
{
    struct cupel_gw_text line;
    size_t at = 0;
    enum cupel_gw_step step = CUPEL_GW_STREAM;
    while (piece->plain && step == CUPEL_GW_STREAM &&
           cupel_gw_events_line(piece->raw, &at, &line)) {
        bool blank = line.bytes[0] == '\n' || line.bytes[0] == '\r';
        if (!blank && !cupel_gw_events_is_data(line))
            step = write_all(sink, line.bytes, line.len, step);
    }
    return response->step = step;
}

/* Writes an event with the fields of another one, so that `id` and `retry` still count, and the
 * error in worker->answers as its data; without data if `data` is false. */
static enum cupel_gw_step write_event(struct cupel_gw_response *response,
                                      const struct cupel_gw_piece *piece, bool data,
                                      const struct cupel_gw_sink *sink)
{
    static const char no_memory[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
                                    "\"message\":\"Out of memory\"}}";
    const struct cupel_text *text = &response->x->worker->answers;
    enum cupel_gw_step step = write_fields(response, piece, sink);
    if (step == CUPEL_GW_STREAM && data)
        step = write_all(sink, "data: ", 6, step);
    if (step == CUPEL_GW_STREAM && data)
        step = text->failed ? write_all(sink, no_memory, sizeof(no_memory) - 1, step)
                            : write_all(sink, text->bytes, text->len, step);
    if (step == CUPEL_GW_STREAM)
        step = write_all(sink, data ? "\n\n" : "\n", data ? 2 : 1, step);
    return step;
}

/* Decides whether an event passes.  The responses in a stream may have limits.stream bytes in all;
 * beyond that response->judged is SIZE_MAX, and the stream ends after this event. */
static enum cupel_gw_disposition judge_event(struct cupel_gw_response *response,
                                             const struct cupel_gw_piece *piece)
{
    const struct cupel_gw_limits *limits = &response->x->policy->limits;
    if (piece->dropped == CUPEL_GW_DROPPED_LARGE)
        return cupel_gw_reject_unreadable(response, "too-large",
                                          "The event is too large to be checked");
    if (piece->dropped == CUPEL_GW_DROPPED_NO_MEMORY)
        return cupel_gw_reject_unreadable(response, "no-memory",
                                          "There is no memory to check the event");
    if (!piece->plain)
        return cupel_gw_reject_unreadable(
            response, "event-line", "The event has a line that receivers may end in two ways");
    if (piece->data.len == 0)
        return CUPEL_GW_DISPOSITION_PASS;
    if (piece->data.len > limits->stream || response->judged > limits->stream - piece->data.len) {
        response->judged = SIZE_MAX;
        return cupel_gw_reject_unreadable(response, "too-large",
                                          "The stream is too large to be checked");
    }
    if (response->must_judge && piece->data.len > limit_of(response->x))
        return cupel_gw_reject_unreadable(response, "too-large",
                                          "The event is too large to be checked");
    return cupel_gw_judge_text(response, piece->data.bytes, piece->data.len);
}

/* Writes an event, or an error event in its place.  An event whose data was dropped never passes,
 * whatever the policy, because its data is gone. */
static enum cupel_gw_step forward_event(struct cupel_gw_response *response,
                                        const struct cupel_gw_piece *piece,
                                        const struct cupel_gw_sink *sink)
{
    enum cupel_gw_disposition fate = judge_event(response, piece);
    if (fate == CUPEL_GW_DISPOSITION_WAIT) {
        response->piece = *piece;
        return CUPEL_GW_WAIT;
    }
    response->passed = fate == CUPEL_GW_DISPOSITION_PASS && piece->dropped == CUPEL_GW_NOT_DROPPED;
    if (response->passed)
        return write_all(sink, piece->raw.bytes, piece->raw.len, CUPEL_GW_STREAM);
    /* Data that was dropped cannot pass, whatever the policy: the client at least sees an error. */
    if (fate == CUPEL_GW_DISPOSITION_PASS)
        cupel_gw_write_errors(response, "The event is too large");
    return write_event(response, piece, fate != CUPEL_GW_DISPOSITION_DROP, sink);
}

/* Writes a comment, or an empty one if clients could end its line in two ways.  The text of a
 * comment means nothing to any client. */
static enum cupel_gw_step forward_comment(struct cupel_gw_response *response,
                                          const struct cupel_gw_piece *piece,
                                          const struct cupel_gw_sink *sink)
{
    bool report = response->x->policy->mode == CUPEL_GW_REPORT;
    response->passed = piece->plain || report;
    if (response->passed)
        return write_all(sink, piece->raw.bytes, piece->raw.len, CUPEL_GW_STREAM);
    return write_all(sink, ":\n", 2, CUPEL_GW_STREAM);
}

/* Writes a piece of the stream.  The LF of a CR LF goes on only if the piece before it did. */
static enum cupel_gw_step forward_piece(struct cupel_gw_response *response,
                                        const struct cupel_gw_piece *piece,
                                        const struct cupel_gw_sink *sink)
{
    switch (piece->kind) {
    case CUPEL_GW_PIECE_EVENT:
        return forward_event(response, piece, sink);
    case CUPEL_GW_PIECE_COMMENT:
        return forward_comment(response, piece, sink);
    case CUPEL_GW_PIECE_LINE_END:
        return response->passed ? write_all(sink, piece->raw.bytes, piece->raw.len, CUPEL_GW_STREAM)
                                : CUPEL_GW_STREAM;
    default:
        return write_all(sink, piece->raw.bytes, piece->raw.len, CUPEL_GW_STREAM);
    }
}

/* Copies what follows the event whose list is read.  The host's buffer does not live until
 * cupel_gw_response_resume. */
static enum cupel_gw_step wait_for_list(struct cupel_gw_response *response, const char *bytes,
                                        size_t len, bool last)
{
    struct cupel_gw_buffer *rest = &response->rest;
    rest->len = 0;
    response->last = last;
    if (!cupel_gw_buffer_reserve(rest, &response->arena, len))
        return finish(response, CUPEL_GW_ABORT);
    if (len != 0)
        memcpy(rest->bytes, bytes, len);
    rest->len = len;
    return finish(response, CUPEL_GW_WAIT);
}

/* Reads bytes of an event stream and forwards all pieces in them.  An event that is unfinished at
 * the end of the stream is dropped, as clients do. */
static enum cupel_gw_step read_events(struct cupel_gw_response *response, const char *bytes,
                                      size_t len, bool last, const struct cupel_gw_sink *sink)
{
    struct cupel_gw_piece piece;
    enum cupel_gw_step step = CUPEL_GW_STREAM;
    while (step == CUPEL_GW_STREAM &&
           cupel_gw_events_next(&response->events, &bytes, &len, &piece)) {
        response->timed = false;
        step = forward_piece(response, &piece, sink);
        if (step == CUPEL_GW_STREAM && response->judged == SIZE_MAX)
            step = CUPEL_GW_END;
    }
    if (step == CUPEL_GW_WAIT)
        return wait_for_list(response, bytes, len, last);
    if (step != CUPEL_GW_STREAM || last)
        return finish(response, step != CUPEL_GW_STREAM ? step : CUPEL_GW_END);
    if (cupel_gw_events_open(&response->events))
        start_clock(response);
    return response->step = step;
}

/* -- The body -------------------------------------------------------------------------------- */

/* Tells JSON from an event stream by the first byte that is no white space.  What begins with a
 * byte order mark is read as JSON, and so refused: a client might find JSON behind it. */
static enum cupel_gw_step read_first_byte(struct cupel_gw_response *response, const char *bytes,
                                          size_t len, bool last, const struct cupel_gw_sink *sink)
{
    size_t i = 0;
    while (i < len && (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == '\r' || bytes[i] == '\n'))
        i++;
    if (i == len)
        return read_json(response, bytes, len, last, sink);
    if (bytes[i] == '{' || bytes[i] == '[' || bytes[i] == '\xEF') {
        response->reading = CUPEL_GW_READ_JSON;
        return read_json(response, bytes, len, last, sink);
    }
    struct cupel_gw_buffer space = response->held;
    enum cupel_gw_step step = begin_events(response);
    if (space.len != 0)
        step = read_events(response, space.bytes, space.len, false, sink);
    return step == CUPEL_GW_STREAM ? read_events(response, bytes, len, last, sink) : step;
}

/* Passes an error page as soon as its first byte shows that it is no JSON. */
static enum cupel_gw_step read_page(struct cupel_gw_response *response, const char *bytes,
                                    size_t len, bool last, const struct cupel_gw_sink *sink)
{
    bool more;
    bool json = cupel_gw_resembles_json(bytes, len, &more);
    if (json)
        response->reading = CUPEL_GW_READ_JSON;
    if (json || more)
        return read_json(response, bytes, len, last, sink);
    enum cupel_gw_step step = pass_held(response, sink);
    return step == CUPEL_GW_PASS ? finish(response, write_all(sink, bytes, len, step)) : step;
}

static enum cupel_gw_step read_body(struct cupel_gw_response *response, const char *bytes,
                                    size_t len, bool last, const struct cupel_gw_sink *sink)
{
    switch (response->reading) {
    case CUPEL_GW_READ_FIRST:
        return read_first_byte(response, bytes, len, last, sink);
    case CUPEL_GW_READ_PAGE:
        return read_page(response, bytes, len, last, sink);
    case CUPEL_GW_READ_JSON:
        return read_json(response, bytes, len, last, sink);
    case CUPEL_GW_READ_ENVELOPE:
        return read_envelope(response, bytes, len, last, sink);
    case CUPEL_GW_READ_EVENTS:
        return read_events(response, bytes, len, last, sink);
    default:
        return response->step;
    }
}

/* Reads a piece in the way that was chosen.  The deadline is tested first: the host's timer may
 * be late. */
enum cupel_gw_step cupel_gw_response_body(struct cupel_gw_exchange *x, const char *bytes,
                                          size_t len, bool last, const struct cupel_gw_sink *sink)
{
    struct cupel_gw_response *response = x->reading;
    enum cupel_gw_step step = cupel_gw_response_expire(x, sink);
    if (step != CUPEL_GW_HOLD && step != CUPEL_GW_STREAM)
        return step;
    return read_body(response, bytes, len, last, sink);
}

/* Judges the held body or event again, from its beginning, and then what followed it. */
enum cupel_gw_step cupel_gw_response_resume(struct cupel_gw_exchange *x,
                                            const struct cupel_gw_sink *sink)
{
    struct cupel_gw_response *response = x->reading;
    if (response->step != CUPEL_GW_WAIT)
        return response->step;
    if (response->reading != CUPEL_GW_READ_EVENTS)
        return judge_held(response, sink);
    enum cupel_gw_step step = forward_event(response, &response->piece, sink);
    if (step == CUPEL_GW_STREAM && response->judged == SIZE_MAX)
        step = CUPEL_GW_END;
    if (step == CUPEL_GW_WAIT)
        return step;
    if (step != CUPEL_GW_STREAM)
        return finish(response, step);
    const struct cupel_gw_buffer rest = response->rest;
    response->rest = (struct cupel_gw_buffer){NULL, 0, 0}; /* the next event may wait as well */
    return read_events(response, rest.bytes, rest.len, response->last, sink);
}

/* -- Time, and upstreams that fail ----------------------------------------------------------- */

uint64_t cupel_gw_response_deadline(const struct cupel_gw_exchange *x)
{
    const struct cupel_gw_response *response = x->reading;
    if (response == NULL || !response->timed)
        return 0;
    return response->since + x->policy->limits.stream_time;
}

/* Refuses what is held, if its time is over.  The stream of an event goes on behind it: an error
 * event goes out, and the rest of the event is dropped when it comes. */
enum cupel_gw_step cupel_gw_response_expire(struct cupel_gw_exchange *x,
                                            const struct cupel_gw_sink *sink)
{
    static const char why[] = "The response took too long";
    struct cupel_gw_response *response = x->reading;
    struct cupel_gw_piece piece;
    if (!response->timed || x->worker->clock(x->worker->clock_ctx) < cupel_gw_response_deadline(x))
        return response->step;
    response->timed = false;
    enum cupel_gw_disposition fate = cupel_gw_reject_unreadable(response, "time", why);
    if (fate == CUPEL_GW_DISPOSITION_PASS)
        return response->reading == CUPEL_GW_READ_EVENTS ? response->step
                                                         : pass_held(response, sink);
    if (response->reading != CUPEL_GW_READ_EVENTS)
        return refuse(response, status_of(response));
    cupel_gw_events_discard(&response->events, &piece);
    return write_event(response, &piece, true, sink);
}

/* Ends a response that broke off: an error while nothing has gone out, otherwise a connection
 * that closes before the end of the body. */
enum cupel_gw_step cupel_gw_response_broken(struct cupel_gw_exchange *x)
{
    struct cupel_gw_response *response = x->reading;
    if (response == NULL || response->step == CUPEL_GW_HOLD ||
        (response->step == CUPEL_GW_WAIT && response->reading != CUPEL_GW_READ_EVENTS)) {
        struct cupel_gw_text id = {NULL, 0};
        for (uint32_t i = 0; i < x->note_count; i++)
            if (cupel_gw_expects_response(&x->notes[i]))
                id = x->notes[i].id;
        cupel_gw_answer_error(x, 502, x->note_count == 1 ? &id : NULL, -32603,
                              "The response of the server broke off");
        return response != NULL ? finish(response, CUPEL_GW_REFUSE) : CUPEL_GW_REFUSE;
    }
    return finish(response, CUPEL_GW_ABORT);
}
