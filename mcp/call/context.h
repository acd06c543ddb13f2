/* context.h: what one thread needs to judge calls and results: documents, a scratch, buffers.  All
 * of it is kept between calls, so that a warm call allocates nothing. */
#ifndef CUPEL_MCP_CALLER_H
#define CUPEL_MCP_CALLER_H

#include "mcp/definition/tool.h"
#include "mcp/message/response.h"

#include <cupel/call.h>

/* The parts of a call.  Nodes are of `doc`, the arguments of `arguments_doc`. */
struct cupel__call_site {
    struct cupel_document *doc; /* of the message */
    uint32_t root, params;
    const char *tool; /* the name that the call gives */
    size_t tool_len;
    const struct cupel__mcp_tool *definition;
    struct cupel_document *arguments_doc; /* doc, or context->empty */
    uint32_t arguments;
};

/* The HTTP fields of a request, for their comparison with the body (http.c). */
struct cupel__fields {
    const struct cupel_header *list; /* the host's */
    size_t count;
    struct cupel__mcp_names names; /* fields whose names begin with Mcp-, to their index */
    struct cupel_text keys; /* their normalised names (cupel__mcp_write_key), one after the other */
    const struct cupel_header
        *first_param; /* whose name begins with Mcp-Param-; NULL: there is none */
    bool others;      /* there is one of Mcp-Method, Mcp-Name and Mcp-Param-… */
    uint64_t steps;   /* to charge for reading them */
};

struct cupel_call_context {
    struct cupel_alloc alloc;
    bool in_use; /* a public function runs with it, so its callbacks must not use it */
    struct cupel_document *doc;
    struct cupel_document *empty; /* the text {}, for calls without arguments */
    struct cupel_document *
        copy; /* scratch: a text that repeats structured content; a schema for defaults; a number */
    struct cupel_scratch *scratch;
    uint32_t max_errors;
    uint64_t steps, steps_per_byte; /* limits.steps and limits.steps_per_byte */
    uint64_t batch_steps; /* remaining for the messages of a batch; UINT64_MAX: no batch */
    struct cupel__mcp_answer answer;
    struct cupel_call_outcome outcome; /* for hosts that pass no outcome */
    struct cupel_message message;      /* the message that was read last */
    struct cupel__mcp_names ids[2];    /* of a batch: those that are strings, and integers */
    struct cupel__fields fields;
    struct cupel_document *schema; /* the input schema, for the full check of argument names */
    uint32_t *places;              /* the nodes of arguments that fields repeat, by path (http.c) */
    size_t place_count;
    struct cupel__call_site
        last; /* the last call if its verdict was VALID; otherwise doc is NULL */
};

/* Reads the HTTP fields of a request.  False when out of memory. */
bool cupel__fields_open(struct cupel_call_context *context, const struct cupel_header *list,
                        size_t count);

#endif
