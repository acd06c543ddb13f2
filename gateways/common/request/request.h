/* request.h: reading a request: its fields, its body, the messages in it.
 *
 *     step = cupel_gw_request_head(&x, &head);
 *     while (step == CUPEL_GW_BODY && more)
 *         step = cupel_gw_request_body(&x, bytes, len);
 *     if (step == CUPEL_GW_BODY)
 *         step = cupel_gw_request_judge(&x);
 *     if (step == CUPEL_GW_LEARN)
 *         fetch the list, set x.catalog and x.fetched, and judge again
 *
 * A host that has the body in one piece hands it to cupel_gw_request_judge_text instead.
 *
 * PASS: the request goes on byte for byte, with its fields.  REFUSE: x->answer is sent, and nothing
 * of the request goes on.  With CUPEL_GW_REPORT every request passes, and x->request has the
 * verdict that would have refused it. */
#ifndef CUPEL_GATEWAY_REQUEST_H
#define CUPEL_GATEWAY_REQUEST_H

#include "gateways/common/exchange/exchange.h"

/* The head of an HTTP request, as the host has parsed it.  Everything it points to lives until the
 * exchange ends. */
struct cupel_gw_request_head {
    struct cupel_gw_text method;       /* of HTTP, such as "POST" */
    const struct cupel_header *fields; /* all of them, in order, each with its own value; values
                                          without the white space around them */
    size_t field_count;
    bool has_length;         /* there is a Content-Length */
    uint64_t content_length; /* its value */
    bool chunked;            /* the body has no length that is known: chunked, or HTTP/2 */
};

/* Judges the head, and prepares for the body.
 * PASS    there is no body, and nothing to judge: GET, DELETE, OPTIONS, …
 * BODY    the body has to be read
 * REFUSE  400, 413 or 415; 500 without memory
 * Sets x->session from Mcp-Session-Id if the host has not. */
enum cupel_gw_step cupel_gw_request_head(struct cupel_gw_exchange *x,
                                         const struct cupel_gw_request_head *head);

/* Appends a piece of the body, which is copied to the arena.
 * BODY    more may come
 * REFUSE  as soon as the body is longer than limits.body (413), or should not be there (400, 415)
 */
enum cupel_gw_step cupel_gw_request_body(struct cupel_gw_exchange *x, const char *bytes,
                                         size_t len);

/* Judges the body, whose last piece has come.
 * PASS    x->notes tells by what the response is judged
 * REFUSE  x->answer has the JSON-RPC error, or the errors of a batch
 * LEARN   a call of a tool whose definition is not known, where policy->unlearned is FETCH: the
 *         host fetches the list, sets x->catalog (or leaves it) and x->fetched, and judges again */
enum cupel_gw_step cupel_gw_request_judge(struct cupel_gw_exchange *x);

/* The same for a body that is in one piece, and was not handed to cupel_gw_request_body.  The text
 * lives until the exchange ends.  A length of 0 is no body. */
enum cupel_gw_step cupel_gw_request_judge_text(struct cupel_gw_exchange *x, const char *text,
                                               size_t len);

/* Whether a Content-Type is application/json, without a parameter or with charset=utf-8 alone. */
bool cupel_gw_is_json_type(const char *value, size_t len);

/* Whether a field has this name, given in lower case.  Case does not matter, and _ counts as -,
 * because servers that get fields as variables see no difference. */
bool cupel_gw_field_is(const struct cupel_header *field, const char *name);

#endif
