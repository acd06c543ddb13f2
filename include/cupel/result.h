/* result.h: what a tool returned, judged before it goes on.
 *
 *     if (cupel_result_check(tool, profile, context, response, len, &answer, NULL, NULL) != 0)
 *         send_on(answer.bytes, answer.len);          // an error in place of the result
 *     else
 *         send_on(response, len);                     // as it is
 *
 * Servers MUST return structured content that conforms to the tool's output schema, and clients
 * SHOULD check that (specification, page "Tools", "Output Schema").  A result that does not conform
 * is replaced, never mended and never passed on. */
#ifndef CUPEL_RESULT_H
#define CUPEL_RESULT_H

#include <cupel/mcp.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* VALID is 0 and nothing else is, so a plain `if` fails closed. */
enum cupel_result_verdict {
    CUPEL_RESULT_VALID = 0,     /* pass it on as it is; warnings may have been told */
    CUPEL_RESULT_INVALID = 1,   /* it breaks a rule, or its output schema */
    CUPEL_RESULT_UNDECIDED = 2, /* nobody knows: a limit, no memory, or the schema was refused */
    CUPEL_RESULT_BAD = 3        /* not JSON, or nothing that answers tools/call */
};

/* A rule of docs/rules.md that a result breaks.  Pointers live until the callback returns. */
struct cupel_result_problem {
    const char *rule; /* such as "structured-missing"; keeps its meaning for ever */
    enum cupel_severity severity;
    const char *pointer; /* JSON Pointer from the CallToolResult */
    const char *message; /* one sentence without a full stop */
};

/* Who is told what, any of them NULL. A return other than 0 ends the calls of that function. */
struct cupel_result_listener {
    int (*on_rule)(void *ctx, const struct cupel_result_problem *problem);
    cupel_on_problem *on_problem; /* where structuredContent breaks the output schema: pointers
                                     begin at structuredContent */
    void *ctx;
};

struct cupel_result_outcome {
    const char *reason; /* never NULL, static: "" with VALID and INVALID; the name of a status, or
                           "tool-refused", "result-object" */
    const char *id;     /* of the response as it was written; NULL if there is none */
    size_t id_len;
    int is_error;              /* the tool says so: isError, or a JSON-RPC error */
    uint32_t errors, warnings; /* rules broken */
    struct cupel_error error;  /* status CUPEL_OK, or why the text could not be read */
};

/* Judges what answered a call of `tool`: a JSON-RPC response, or a CallToolResult alone.  A
 * response with an error, and a result with isError true, are not held to the output schema; nor is
 * a tool without one, nor, unless it has structuredContent, an InputRequiredResult (2026-07-28) or
 * a CreateTaskResult (2025-11-25, and the tasks extension of 2026-07-28).
 *
 * `answer` is emptied, and unless the verdict is VALID the JSON-RPC error to send on is written to
 * it (-32603, with the id byte for byte).  Messages repeat no values.  `listener` and *ret may be
 * NULL. Threads and memory: those of the context, as in cupel_call_check. */
CUPEL_MUST_CHECK enum cupel_result_verdict
cupel_result_check(const struct cupel_tool *tool, enum cupel_mcp_profile profile,
                   struct cupel_call_context *context, const char *text, size_t len,
                   struct cupel_text *answer, const struct cupel_result_listener *listener,
                   struct cupel_result_outcome *ret);

/* The same for the CallToolResult at `node` of a document that the host has read: the `result` of a
 * response, or one that a task or a notification carries.  `id` is the JSON text of the id that the
 * error gets, NULL for null.  The context's own document is not used. */
CUPEL_MUST_CHECK enum cupel_result_verdict
cupel_result_check_node(const struct cupel_tool *tool, enum cupel_mcp_profile profile,
                        struct cupel_call_context *context, struct cupel_document *doc,
                        uint32_t node, const char *id, size_t id_len, struct cupel_text *answer,
                        const struct cupel_result_listener *listener,
                        struct cupel_result_outcome *ret);

/* "valid", "invalid", "undecided", "bad-result". Static. */
const char *cupel_result_verdict_name(enum cupel_result_verdict verdict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
