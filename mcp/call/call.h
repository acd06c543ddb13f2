/* call.h: the state of one message while it is judged, and the functions that judge it: the order
 * of the checks (call.c), HTTP fields (http.c), names of arguments (argument_names.c), steps
 * (budget.c). */
#ifndef CUPEL_MCP_CALL_H
#define CUPEL_MCP_CALL_H

#include "mcp/call/context.h"

/* Each check either passes, or writes an answer, sets outcome->reason and ends the call with a
 * verdict.  `failed` distinguishes a check that could not be made from one that failed. */
struct cupel__call {
    const struct cupel_catalog *catalog; /* NULL: no tool is known */
    struct cupel_call_context *context;
    enum cupel_mcp_profile profile;
    const struct cupel_request_options *options;
    struct cupel__call_site site;
    struct cupel_message *message; /* context->message */
    bool any;                      /* methods other than tools/call may pass */
    bool notification;             /* gets no answer */
    bool is_task;                  /* the call asks to run as a task */
    bool fields_needed;            /* the HTTP fields of 2026-07-28 are required */
    enum cupel_status failed;      /* why a check could not be made, or CUPEL_OK */
    uint64_t steps; /* that remain for the checks, without those of the verdict program */
    struct cupel_text *answer;
    struct cupel_call_outcome *outcome;
};

/* Writes an error of JSON-RPC to the answer and sets outcome->reason; returns BAD_REQUEST. */
enum cupel_call_verdict cupel__call_refuse(struct cupel__call *call, int code, const char *reason,
                                           const char *message);
/* Refuses a text that the JSON reader refused with `status`. */
enum cupel_call_verdict cupel__call_unread(struct cupel__call *call, enum cupel_status status);
/* Reads the envelope of the message at site.root.  VALID, or a verdict with an answer. */
enum cupel_call_verdict cupel__call_envelope(struct cupel__call *call);
/* Refuses a message that is no request of this method. */
enum cupel_call_verdict cupel__call_other(struct cupel__call *call, const char *method);
/* Judges the message at site.root. */
enum cupel_call_verdict cupel__call_judge(struct cupel__call *call, cupel_on_problem *on_problem,
                                          void *ctx);

/* Whether the HTTP fields match the message: the fields of every message, and the fields for which
 * the tool declares headers.  False: context->answer.message says which does not, or call->failed
 * is set. */
bool cupel__http_fields_match(struct cupel__call *call);
bool cupel__http_parameters_match(struct cupel__call *call);

/* Whether no name of the arguments can be confused with a declared one.  False:
 * context->answer.message says which can, or call->failed is set. */
bool cupel__argument_names_unambiguous(struct cupel__call *call);

/* Subtracts steps of the verdict program, or bytes that were written, from the budget of a batch.
 */
void cupel__call_spend(struct cupel__call *call, uint64_t n);

/* Charges steps for checks.  False if too few remain; then call->failed is CUPEL_E_LIMIT_STEPS. */
bool cupel__call_charge(struct cupel__call *call, uint64_t steps);

#endif
