/* response_internal.h: what the files of the response side share: the state of a response, the
 * judgement of one message, attribution, and the media type. */
#ifndef CUPEL_GATEWAY_RESPONSE_INTERNAL_H
#define CUPEL_GATEWAY_RESPONSE_INTERNAL_H

#include "gateways/common/exchange/elicit.h"
#include "gateways/common/exchange/remember.h"
#include "gateways/common/exchange/worker.h"
#include "gateways/common/response/response.h"
#include "gateways/common/stream/envelope.h"
#include "gateways/common/stream/events.h"

enum cupel_gw_reading {
    CUPEL_GW_READ_NOTHING = 0, /* the response passes, or its end has been decided */
    CUPEL_GW_READ_FIRST,       /* the first byte tells the media type */
    CUPEL_GW_READ_PAGE,        /* the first byte tells JSON from an error page */
    CUPEL_GW_READ_JSON,
    CUPEL_GW_READ_ENVELOPE, /* JSON that passes as it comes */
    CUPEL_GW_READ_EVENTS
};

struct cupel_gw_response {
    struct cupel_gw_exchange *x;
    enum cupel_gw_reading reading;
    enum cupel_gw_step step;
    unsigned status;
    bool success;                /* 2xx */
    bool expected;               /* a request waits for this response */
    bool must_judge;             /* a body that is too large to be held is refused */
    struct cupel_gw_arena arena; /* the host's, bounded by limits.worker */
    size_t counted;              /* of worker->held */
    struct cupel_gw_buffer held; /* of JSON */
    struct cupel_gw_events events;
    struct cupel_gw_envelope *envelope; /* of JSON that is not held */
    bool sent;                          /* bytes of it went to the sink */
    bool passed;                        /* the piece before went on */
    bool timed;                         /* bytes are held back, since `since` */
    uint64_t since;                     /* when the oldest held bytes arrived */
    size_t judged;                      /* bytes of the responses on a stream */
    struct cupel_gw_piece piece;        /* WAIT: the event whose list is read */
    struct cupel_gw_buffer rest;        /* WAIT: the bytes after that event */
    bool last;                          /* `rest` is the end of the body */
    bool again;                         /* a text is judged again after WAIT */
    uint32_t lists;                     /* in the text that is judged, so far */
    uint32_t counts, counted_already;   /* of the text that is judged: calls of the counter, and how
                                           many of them were made before WAIT */
};

/* -- The media type (response_fields.c) ------------------------------------------------------ */

enum cupel_gw_media {
    CUPEL_GW_MEDIA_NONE = 0, /* no type is given */
    CUPEL_GW_MEDIA_JSON,
    CUPEL_GW_MEDIA_EVENTS,
    CUPEL_GW_MEDIA_OTHER,    /* a type that no client takes for one of these */
    CUPEL_GW_MEDIA_AMBIGUOUS /* clients may disagree on the type or the charset */
};

/* The type that the fields give. */
enum cupel_gw_media cupel_gw_media_of(const struct cupel_gw_response_head *head);
/* Whether the body has a content coding other than `identity`. */
bool cupel_gw_is_coded(const struct cupel_gw_response_head *head);

/* Whether the response redirects to another server than the origin, in the reading of any client.
 */
bool cupel_gw_leads_away(const struct cupel_gw_response_head *head, struct cupel_gw_text origin);

/* Whether a client might find JSON in a text that begins with these bytes: behind white space, byte
 * order marks and the zero bytes of UTF-16 and UTF-32 there is an object or an array.  `len` is not
 * enough to tell if *ret_more is set. */
bool cupel_gw_resembles_json(const char *text, size_t len, bool *ret_more);

/* -- Messages (response_message.c) ----------------------------------------------------------- */

enum cupel_gw_disposition {
    CUPEL_GW_DISPOSITION_PASS = 0,
    CUPEL_GW_DISPOSITION_REPLACE, /* by worker->answers */
    CUPEL_GW_DISPOSITION_DROP,    /* it has no id that an error could carry */
    CUPEL_GW_DISPOSITION_WAIT     /* what becomes of a list in it is not known yet */
};

/* Whether results of the tool have to be judged; NULL is allowed. */
bool cupel_gw_is_judged(const struct cupel_tool *definition);

/* Judges a JSON text: a message or, in 2025-03-26, a batch. */
enum cupel_gw_disposition cupel_gw_judge_text(struct cupel_gw_response *response, const char *text,
                                              size_t len);

/* A response that cannot be read: counts it, and makes worker->answers the error for the requests
 * that wait.  `why` is ASCII without quotes.  PASS where the policy passes it. */
enum cupel_gw_disposition cupel_gw_reject_unreadable(struct cupel_gw_response *response,
                                                     const char *reason, const char *why);

/* Whether JSON that is not held may go on, as far as its envelope was read: the message is not
 * whole yet, or it answers a request of this exchange whose result is not judged. */
bool cupel_gw_envelope_passes(struct cupel_gw_response *response);

/* Makes worker->answers the error for the requests that wait. */
void cupel_gw_write_errors(struct cupel_gw_response *response, const char *why);

#endif
