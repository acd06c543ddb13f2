/* respond.c: the response side of an exchange (response.h): which responses
 * are read, which bytes are held, and which go to the client.  Messages are
 * judged in response_message.c. */
#include "gateways/common/response/response_internal.h"

#include <string.h>

/* -- Memory that is counted ------------------------------------------------------------------ */

/* An arena whose bytes count against the worker until the response ends. */
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

/* Ends the reading with a step. */
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

/* Refuses with the error in worker->answers. */
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

/* The status of an answer in place of a body: the upstream's where a request waits for it, so that
 * the client reads the error. */
static unsigned status_of(const struct cupel_gw_response *response)
{
    return response->expected ? response->status : 502;
}

/* Refuses, or passes by the policy, a response whose body is not read. */
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

/* Whether a body that is too large to be held has to be refused: the result of
 * a tool that is judged, a list that is learned, or the result of a task. */
static bool must_judge_result(const struct cupel_gw_exchange *x)
{
    for (uint32_t i = 0; i < x->note_count; i++) {
        const struct cupel_gw_request_note *note = &x->notes[i];
        if (note->kind == CUPEL_GW_CALL && note->definition != NULL &&
            (note->definition->output != NULL || note->definition->verdict == CUPEL_TOOL_INVALID))
            return true;
        if (note->kind == CUPEL_GW_TASK_RESULT || note->kind == CUPEL_GW_TASK_GET ||
            (note->kind == CUPEL_GW_LIST && x->lists != NULL))
            return true;
    }
    return false;
}

static size_t limit_of(const struct cupel_gw_exchange *x)
{
    const struct cupel_gw_limits *limits = &x->policy->limits;
    for (uint32_t i = 0; i < x->note_count; i++)
        if (x->notes[i].kind == CUPEL_GW_LIST && x->lists != NULL && limits->list > limits->result)
            return limits->list;
    return limits->result;
}

static void start_clock(struct cupel_gw_response *response)
{
    struct cupel_gw_worker *worker = response->x->worker;
    if (response->timed)
        return;
    response->timed = true;
    response->since = worker->clock(worker->clock_ctx);
}

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

static enum cupel_gw_step begin_json(struct cupel_gw_response *response,
                                     enum cupel_gw_reading reading, uint64_t length)
{
    response->reading = reading;
    if (response->must_judge && length != UINT64_MAX && length > limit_of(response->x))
        return reject_unread(response, "too-large", "The response is too large to be checked");
    return response->step = CUPEL_GW_HOLD;
}

static enum cupel_gw_step begin(struct cupel_gw_response *response,
                                const struct cupel_gw_response_head *head)
{
    enum cupel_gw_media media = cupel_gw_media_of(head);
    bool is_result_expected = response->success && response->expected;
    if (media == CUPEL_GW_MEDIA_OTHER && !is_result_expected)
        return finish(response, CUPEL_GW_PASS);
    if (media == CUPEL_GW_MEDIA_OTHER || media == CUPEL_GW_MEDIA_AMBIGUOUS)
        return reject_unread(response, "content-type",
                             "The media type of the response is not one of MCP");
    if (cupel_gw_is_coded(head))
        return reject_unread(response, "content-encoding",
                             "The response is encoded and cannot be checked");
    if (media == CUPEL_GW_MEDIA_EVENTS)
        return begin_events(response);
    return begin_json(response,
                      media == CUPEL_GW_MEDIA_JSON ? CUPEL_GW_READ_JSON : CUPEL_GW_READ_FIRST,
                      head->content_length);
}

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
    if (x->policy->results == CUPEL_GW_RESULTS_OFF || !head->has_body)
        return finish(response, CUPEL_GW_PASS);
    return begin(response, head);
}

/* -- JSON ------------------------------------------------------------------------------------ */

/* Passes the held bytes, and the rest of the body reject_unread. */
static enum cupel_gw_step pass_held(struct cupel_gw_response *response,
                                    const struct cupel_gw_sink *sink)
{
    response->reading = CUPEL_GW_READ_NOTHING;
    return finish(response,
                  write_all(sink, response->held.bytes, response->held.len, CUPEL_GW_PASS));
}

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

/* Reads what passes as it comes.  Bytes go on while the envelope is good, so that the last brace of
 * a message that must_judge not pass never does. */
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

/* The body is more than is held.  If its result needs no judgement, it passes as it comes, as long
 * as its envelope is good. */
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

/* The body does not fit.  The bytes follow those that are held. */
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

/* Writes the lines of an event that are no data and are the same line to every client. */
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

/* Writes an event with the fields of another and the data in worker->answers; with none if `data`
 * is false. */
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

/* A comment goes on as it is, or empty if its end is not the same to every client. */
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

/* Keeps what follows the event whose list is read. */
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

/* The first byte that is no white space tells JSON from an event stream.  What begins with a byte
 * order mark is read as JSON, and so refused: a client might find JSON behind it. */
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

static enum cupel_gw_step read_body(struct cupel_gw_response *response, const char *bytes,
                                    size_t len, bool last, const struct cupel_gw_sink *sink)
{
    switch (response->reading) {
    case CUPEL_GW_READ_FIRST:
        return read_first_byte(response, bytes, len, last, sink);
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

enum cupel_gw_step cupel_gw_response_body(struct cupel_gw_exchange *x, const char *bytes,
                                          size_t len, bool last, const struct cupel_gw_sink *sink)
{
    struct cupel_gw_response *response = x->reading;
    enum cupel_gw_step step = cupel_gw_response_expire(x, sink);
    if (step != CUPEL_GW_HOLD && step != CUPEL_GW_STREAM)
        return step;
    return read_body(response, bytes, len, last, sink);
}

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
