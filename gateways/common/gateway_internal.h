/* gateway_internal.h: what the files of this folder share and hosts do not see. */
#ifndef CUPEL_GATEWAY_INTERNAL_H
#define CUPEL_GATEWAY_INTERNAL_H

#include "gateways/common/gateway.h"

/* The program of a schema that a server sent with an elicitation. */
struct cupel_gw_question {
    struct cupel_text schema;
    struct cupel_program *program; /* or NULL */
};

enum { CUPEL_GW_QUESTIONS = 8 };

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
    struct cupel_gw_question
        questions[CUPEL_GW_QUESTIONS]; /* the schemas that were compiled last */
    uint32_t next_question;            /* the one that is replaced next */
    struct cupel_scratch *scratch;     /* of their programs; NULL: none yet */
};

/* Frees the programs of elicitations and their scratch (elicit.c). */
void cupel_gw_free_questions(struct cupel_gw_worker *worker);

struct cupel_gw_buffer;

/* Makes room for `capacity` bytes, with the contents kept.  A buffer that grows takes at least
 * twice what it had, so that the arena gives at most twice what is needed at the end.  False
 * without memory; the buffer is as it was. */
bool cupel_gw_buffer_reserve(struct cupel_gw_buffer *buffer, const struct cupel_gw_arena *arena,
                             size_t capacity);

/* A copy in the arena, followed by a NUL; bytes NULL without memory. */
struct cupel_gw_text cupel_gw_keep(const struct cupel_gw_exchange *x, const char *bytes,
                                   size_t len);

#endif
