/* caller.h: what one thread needs to judge calls and results. */
#ifndef CUPEL_MCP_CALLER_H
#define CUPEL_MCP_CALLER_H

#include "mcp/definition/tool.h"
#include "mcp/json/traversal.h"
#include "mcp/message/response.h"

#include <cupel/message.h>

/* Where the parts of a call are. */
struct cupel__call_site {
    struct cupel_document *doc; /* of the message */
    uint32_t root, params;
    const char *tool; /* the requested name */
    size_t tool_len;
    const struct cupel__mcp_tool *definition;
    struct cupel_document *arguments_doc;
    uint32_t arguments;
};

/* The header fields of a request that are compared with its body (call/http.c). */
struct cupel__fields {
    const struct cupel_header *list; /* the host's */
    size_t count;
    struct cupel__mcp_names names; /* those that begin with Mcp-, to their index */
    struct cupel_text keys;        /* their names as look-ups write them */
    const struct cupel_header
        *first_param; /* one that begins with Mcp-Param-; NULL: there is none */
    bool others;      /* one of Mcp-Method, Mcp-Name and Mcp-Param-… is there */
    uint64_t steps;   /* what reading them took */
};

struct cupel_caller {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    struct cupel_document *empty; /* holds {}, for calls without arguments */
    struct cupel_document *copy;  /* structured content as a text repeats it */
    struct cupel_scratch *scratch;
    uint32_t max_errors;
    uint64_t steps, steps_per_byte; /* the limits */
    uint64_t left; /* steps for what is still to be judged of a batch; UINT64_MAX: it is none */
    struct cupel__mcp_answer answer;
    struct cupel_call_outcome outcome; /* where the host does not ask for one */
    struct cupel_message message;      /* the last that was read; outcome.message */
    struct cupel__mcp_names ids[2];    /* of a batch: strings, integers */
    struct cupel__fields fields;
    struct cupel__mcp_traversal traversal; /* over arguments (argument_names.c) */
    struct cupel_document *schema; /* of the tool, where a name has to be looked at closely */
    uint32_t *places;              /* of arguments that header fields repeat (call/http.c) */
    size_t place_count;
    struct cupel__call_site last; /* of the last call, if it was VALID; or doc NULL */
};

/* Reads the fields of a request.  False without memory. */
bool cupel__fields_open(struct cupel_caller *caller, const struct cupel_header *list, size_t count);

#endif
