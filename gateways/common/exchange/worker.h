/* worker.h: declarations that the files of the core share and hosts do not see. */
#ifndef CUPEL_GATEWAY_INTERNAL_H
#define CUPEL_GATEWAY_INTERNAL_H

#include "gateways/common/exchange/exchange.h"

/* The program of a schema that a server sent with an elicitation. */
struct cupel_gw_elicitation_program {
    struct cupel_text schema;
    struct cupel_program *program; /* or NULL */
};

enum { CUPEL_GW_ELICITATION_PROGRAMS = 8 };

struct cupel_gw_worker {
    struct cupel_alloc alloc;
    struct cupel_options options;
    struct cupel_call_context *caller;
    struct cupel_text answer;        /* to one message */
    struct cupel_text answers;       /* to the messages of a batch */
    struct cupel_text key;           /* of an id */
    struct cupel_document *response; /* the message of a response that is judged */
    cupel_gw_clock *clock;
    void *clock_ctx;
    size_t held; /* bytes of responses and events that wait to be judged */
    struct cupel_gw_elicitation_program
        elicitations[CUPEL_GW_ELICITATION_PROGRAMS]; /* the schemas that were compiled last */
    uint32_t next_elicitation;                       /* the one that is replaced next */
    struct cupel_scratch *scratch;                   /* of their programs; NULL: none yet */
};

/* A copy in the arena, followed by a NUL; bytes NULL without memory. */
struct cupel_gw_text cupel_gw_arena_copy(const struct cupel_gw_exchange *x, const char *bytes,
                                         size_t len);

/* Whether a note is of a request that waits for a response. */
bool cupel_gw_expects_response(const struct cupel_gw_request_note *note);

#endif
