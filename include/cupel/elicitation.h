/* elicitation.h: what a server may ask a user for.
 *
 * `elicitation/create` carries a `requestedSchema`, by which a client shows a form.  It is a closed
 * part of JSON Schema: a flat object of texts, numbers, booleans and choices.  A client checks it
 * here before it shows anything, and compiles it as any schema to check what the user gave. */
#ifndef CUPEL_ELICITATION_H
#define CUPEL_ELICITATION_H

#include <cupel/json.h>
#include <cupel/mcp.h>
#include <cupel/options.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* One thing that is wrong with a requestedSchema.  The strings live until the callback returns. */
struct cupel_elicitation_problem {
    const char *rule; /* one of the "elicitation-…" rules of mcp/rules/rules.def */
    enum cupel_severity severity;
    const char *pointer; /* JSON Pointer in the schema */
    const char *message; /* one sentence without a full stop; names are quoted and made safe */
    uint64_t offset;     /* in bytes, in the document */
};

/* A non-zero return stops the calls. */
typedef int cupel_on_elicitation_problem(void *ctx,
                                         const struct cupel_elicitation_problem *problem);

/* Checks the requestedSchema at `schema` by a version of the specification, and calls `on_problem`
 * (may be NULL) for what is wrong, up to 32 things.  NULL options are the defaults; their allocator
 * applies.
 *
 * CUPEL_TOOL_OK; CUPEL_TOOL_WARNING; CUPEL_TOOL_INVALID, if anything is not of the closed part, and
 * when memory runs out (CUPEL_E_NO_MEMORY in *ret, which may be NULL and is CUPEL_OK otherwise). */
CUPEL_MUST_CHECK enum cupel_tool_verdict
cupel_elicitation_check(struct cupel_document *doc, uint32_t schema, enum cupel_mcp_profile profile,
                        const struct cupel_options *options,
                        cupel_on_elicitation_problem *on_problem, void *ctx,
                        enum cupel_status *ret);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
