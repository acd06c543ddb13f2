/* result.h: the state of a result while it is judged (result.c, content.c, problem.c). */
#ifndef CUPEL_MCP_RESULT_INTERNAL_H
#define CUPEL_MCP_RESULT_INTERNAL_H

#include "mcp/call/context.h"
#include "mcp/rules/rules.h"

#include <cupel/call.h>

struct cupel__result {
    const struct cupel_tool *tool;
    enum cupel_mcp_profile profile;
    struct cupel_call_context *context;
    struct cupel_document *doc;
    struct cupel_text *answer;
    struct cupel_result_listener listener;
    struct cupel_result_outcome outcome;
    uint32_t reported;             /* problems that the listener got */
    char first[512];               /* the first error, for the answer; "" until there is one */
    bool has_text, same;           /* there is a block of text; one equals structuredContent */
    enum cupel_status copy_status; /* why a text could not be compared, or CUPEL_OK */
};

/* Records that a rule is broken.  Returns false, for callers that are predicates. */
bool cupel__result_problem(struct cupel__result *result, enum cupel__mcp_rule rule,
                           const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Checks `content`, and whether a block repeats `structured`, which may be CUPEL_NO_NODE. */
void cupel__result_check_content(struct cupel__result *result, uint32_t node, uint32_t structured);

#endif
