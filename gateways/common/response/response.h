/* response.h: the response side of an exchange: judging results in JSON, in event streams and in
 * resumed streams.
 *
 *     step = cupel_gw_response_head(x, &head);
 *     while (step == CUPEL_GW_HOLD || step == CUPEL_GW_STREAM)
 *         step = cupel_gw_response_body(x, bytes, len, last, &sink);    // for each piece
 *     cupel_gw_response_end(x);                                         // in any case, once
 *
 * The steps mean here:
 *
 *     PASS     send the upstream's header, what the sink received, and all that follows, as it is
 *     HOLD     send nothing yet
 *     STREAM   send the header, without the fields that cupel_gw_response_drops names, and what the
 *              sink received; go on handing over the body
 *     END      the same, and end the response there in good order; close the upstream's
 *     ABORT    send what the sink received, and break the connection to the client, so that it sees
 *              an unfinished response; if the header has not gone out, answer 502
 *     WAIT     x->lists->take returned LATER: when the host knows what becomes of the list it calls
 *              cupel_gw_response_resume, and hands over more of the body only then
 *     REFUSE   send x->answer with the fields of cupel_gw_response_fields, and of the upstream's
 *              header only fields that cupel_gw_response_drops does not name; close the upstream's
 *
 * PASS, END, ABORT and REFUSE are final.  The header has not gone out yet whenever REFUSE is
 * returned.  The sink may receive bytes before the host knows the step: the header goes first.
 *
 * Which responses are read: all of a judged location, unless policy->results is OFF.
 *
 *   - JSON is held until it is whole, up to limits.result (limits.list for lists that are learned).
 *     A larger body is refused where its result has to be judged.  Any other larger body is
 *     forwarded as it arrives while its envelope may be that of an answer to this request.  If it
 *     is not, the response is cut off before the last brace of the message (ABORT).
 *   - In event streams each event is held until its blank line.  Requests and notifications pass,
 *     and so do events without data; each response is judged by the tool that its id belongs to.
 *     Errors pass whatever their id.  An event larger than limits.event becomes an error, whatever
 *     the policy, for its data is not kept.
 *   - A GET of an event stream has to be answered by one, because clients read as one what comes.
 *   - A redirection to another server is refused: what that answers would not be judged.
 *   - With a status other than 2xx, or where no request waits, JSON that is not a JSON-RPC message
 *     passes.
 *   - Without a media type the first byte tells: `{`, `[` and a byte order mark begin JSON,
 *     any other byte begins a line of an event stream.
 *
 * Verdicts in x->response and for x->counter: "result-valid", "result-invalid", "result-undecided",
 * "result-bad", "result-unattributed".  Reasons: a rule, a status, or one of
 *
 *     content-type       no type of MCP, several, or a charset other than UTF-8
 *     content-encoding   the body has a content coding
 *     too-large          a limit of bytes was reached
 *     no-memory          the worker's limit, or the arena's
 *     time               the held body or event took longer than limits.stream_time
 *     event-line         receivers may end a line of the event in different places
 *     envelope           a body that is not held answers no request of this exchange
 *     request-batch      a batch in a version that has none
 *     redirect           the response leads the client to another server
 *
 * Threads: those of the exchange. */
#ifndef CUPEL_GATEWAY_RESPONSE_H
#define CUPEL_GATEWAY_RESPONSE_H

#include "gateways/common/exchange/exchange.h"

/* The head of the upstream's response.  Texts live until the exchange ends. */
struct cupel_gw_response_head {
    unsigned status;                   /* of HTTP, 200 to 599 */
    const struct cupel_header *fields; /* all of them, repeated ones included */
    size_t field_count;
    uint64_t content_length; /* UINT64_MAX: not known */
    bool has_body;           /* false: HEAD, 204, 304, or a length of 0 */
};

/* Takes the head of the response to the request whose notes are in `x`; without notes (a GET, or a
 * request that was not read) no response has a request to belong to.  PASS, HOLD, STREAM, or
 * REFUSE.  Without memory REFUSE. */
enum cupel_gw_step cupel_gw_response_head(struct cupel_gw_exchange *x,
                                          const struct cupel_gw_response_head *head);

/* Takes a piece of the body; `last` with the last one, which may be empty.  An upstream that ended
 * before its body was whole has no last piece: the host calls cupel_gw_response_broken. */
enum cupel_gw_step cupel_gw_response_body(struct cupel_gw_exchange *x, const char *bytes,
                                          size_t len, bool last, const struct cupel_gw_sink *sink);

/* Goes on after WAIT, with what the last call of cupel_gw_response_body was given.  Any step that
 * cupel_gw_response_body returns for that call; WAIT again for another list. */
enum cupel_gw_step cupel_gw_response_resume(struct cupel_gw_exchange *x,
                                            const struct cupel_gw_sink *sink);

/* The upstream's connection ended within the body, or failed.  REFUSE with status 502 if nothing
 * has gone out, ABORT otherwise. */
enum cupel_gw_step cupel_gw_response_broken(struct cupel_gw_exchange *x);

/* When the time of the held body or event is over, by the worker's clock; 0: nothing is held.  The
 * host calls cupel_gw_response_expire then, even if no byte arrives.  It may ask again after each
 * piece. */
uint64_t cupel_gw_response_deadline(const struct cupel_gw_exchange *x);

/* The deadline has passed: the held body or event is refused.  REFUSE for a body that was held;
 * STREAM for an event, whose error went to the sink and whose rest will be dropped.  Before the
 * deadline the step that the response is in. */
enum cupel_gw_step cupel_gw_response_expire(struct cupel_gw_exchange *x,
                                            const struct cupel_gw_sink *sink);

/* Whether a field of the upstream's header (or a trailer) must not be sent, given the last step:
 * after REFUSE all that describe the body that was replaced (its type, length, coding, language,
 * ranges, digests, validators, caching, trailers); in a stream those that depend on its bytes. */
bool cupel_gw_response_drops(const struct cupel_gw_exchange *x, const char *name, size_t len);

/* The fields that x->answer is sent with. Static; also right for a request that is refused. */
const struct cupel_header *cupel_gw_response_fields(size_t *ret_count);

/* Ends the response: gives back the worker's count of bytes that are held, and lets the host count
 * x->response.  Without a response that was begun it does nothing. */
void cupel_gw_response_end(struct cupel_gw_exchange *x);

#endif
