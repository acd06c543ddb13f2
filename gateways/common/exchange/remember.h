/* remember.h: remembering requests and tasks for answers that come in another exchange. */
#ifndef CUPEL_GATEWAY_REMEMBER_H
#define CUPEL_GATEWAY_REMEMBER_H

#include "gateways/common/exchange/exchange.h"

enum { CUPEL_GW_REMEMBERED = 1024 }; /* bytes of a name that can be remembered */

/* What an earlier request was: its kind, and the name of the tool, the task or the method. */
struct cupel_gw_remembered {
    enum cupel_gw_message_kind kind;
    struct cupel_gw_text name;
    char bytes[CUPEL_GW_REMEMBERED];
};

/* Remembers the requests of this exchange, for a client that may resume its stream. */
void cupel_gw_remember_requests(struct cupel_gw_exchange *x);
/* False also if the id may stand for the requests of different clients. */
bool cupel_gw_recall_request(const struct cupel_gw_exchange *x, struct cupel_gw_text id_key,
                             struct cupel_gw_remembered *ret);
/* The cursor of a LIST; bytes NULL: it was the first page. */
struct cupel_gw_text cupel_gw_remembered_cursor(const struct cupel_gw_remembered *remembered);
/* Remembers which tool a task runs.  An id that was used for tasks of different tools is never
 * recalled. */
void cupel_gw_remember_task(struct cupel_gw_exchange *x, struct cupel_gw_text task,
                            struct cupel_gw_text tool);
bool cupel_gw_recall_task(const struct cupel_gw_exchange *x, struct cupel_gw_text task,
                          struct cupel_gw_remembered *ret);

/* Whether the host has this table of x->memory, which is not NULL. */
bool cupel_gw_has_table(const struct cupel_gw_exchange *x, const struct cupel_gw_table *table);
/* The tag of a name under the caller's key.  The session is a part of it only where `in_session`
 * is set; the caller's identity is where there is neither a session nor a key. */
void cupel_gw_make_tag(const struct cupel_gw_exchange *x, const char *purpose, bool in_session,
                       struct cupel_gw_text name, unsigned char ret[CUPEL_GW_TAG]);
/* The owner of what is remembered for this client: its identity, or its address if it has none. */
void cupel_gw_make_owner(const struct cupel_gw_exchange *x, unsigned char ret[CUPEL_GW_TAG]);

#endif
