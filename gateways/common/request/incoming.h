/* incoming.h: the state of a request, for head.c and request.c. */
#ifndef CUPEL_GATEWAY_INCOMING_H
#define CUPEL_GATEWAY_INCOMING_H

#include "gateways/common/base/buffer.h"
#include "gateways/common/exchange/worker.h"
#include "gateways/common/request/request.h"

struct cupel_gw_incoming {
    struct cupel_gw_request_head head;
    struct cupel_gw_buffer body; /* the pieces so far */
    bool is_post;
    bool decided; /* with CUPEL_GW_REPORT: it would have been refused, and passes unread */
};

/* Notes why the request is refused, and answers with an error −32600 without an id.  REFUSE; with
 * CUPEL_GW_REPORT PASS, and the request is decided. */
enum cupel_gw_step cupel_gw_refuse(struct cupel_gw_exchange *x, unsigned status, const char *reason,
                                   const char *message);
enum cupel_gw_step cupel_gw_refuse_size(struct cupel_gw_exchange *x);
enum cupel_gw_step cupel_gw_refuse_empty(struct cupel_gw_exchange *x);
enum cupel_gw_step cupel_gw_refuse_method(struct cupel_gw_exchange *x);
/* Without memory nothing passes, whatever the mode. */
enum cupel_gw_step cupel_gw_refuse_memory(struct cupel_gw_exchange *x);

#endif
