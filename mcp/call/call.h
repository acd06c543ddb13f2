/* call.h: one message on its way through call.c, for those who start it (requests.c) and those who
 * look at a side of it (call/http.c, argument_names.c). */
#ifndef CUPEL_MCP_CALL_H
#define CUPEL_MCP_CALL_H

#include "mcp/call/context.h"

struct cupel__call {
    const struct cupel_catalog *catalog; /* NULL: no tool is known */
    struct cupel_caller *caller;
    enum cupel_mcp_profile profile;
    const struct cupel_request_options *options;
    struct cupel__call_site site;
    struct cupel_message *message; /* caller->message */
    bool any;                      /* every method may pass, not tools/call alone */
    bool notification;             /* is not answered */
    bool is_task;
    bool fields_needed;       /* those of 2026-07-28 have to be there */
    enum cupel_status failed; /* why a comparison could not be made, or CUPEL_OK */
    uint64_t left;            /* steps for work beside the verdict program */
    struct cupel_text *answer;
    struct cupel_call_outcome *outcome;
};

/* Writes the error to the answer and gives the reason to the outcome; returns BAD_REQUEST. */
enum cupel_call_verdict cupel__call_refuse(struct cupel__call *call, int code, const char *reason,
                                           const char *message);
/* Answers a text that could not be read. */
enum cupel_call_verdict cupel__call_unread(struct cupel__call *call, enum cupel_status status);
/* Reads the message at site.root; VALID if it is one. */
enum cupel_call_verdict cupel__call_envelope(struct cupel__call *call);
/* Answers a message that is no request of this method. */
enum cupel_call_verdict cupel__call_other(struct cupel__call *call, const char *method);
/* Judges the message at site.root. */
enum cupel_call_verdict cupel__call_judge(struct cupel__call *call, cupel_on_problem *on_problem,
                                          void *ctx);

/* Whether the fields say what the message says: those of every message, and those that the tool
 * declares.  False: caller->answer.message says why not, or call->failed why that is not known. */
bool cupel__http_fields_match(struct cupel__call *call);
bool cupel__http_parameters_match(struct cupel__call *call);

/* Whether no name of the arguments could be taken for another one.  False: answer.message says
 * which, or call->failed why that is not known. */
bool cupel__argument_names_unambiguous(struct cupel__call *call);

/* Subtracts steps of the verdict program, or bytes that were written, from the budget of a batch.
 */
void cupel__call_spend(struct cupel__call *call, uint64_t n);

/* Takes steps for work beside the verdict program.  False if there are no more: call->failed says
 * so. */
bool cupel__call_charge(struct cupel__call *call, uint64_t steps);

#endif
