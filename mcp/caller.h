/* caller.h: what one thread needs to judge calls and results. */
#ifndef CUPEL_MCP_CALLER_H
#define CUPEL_MCP_CALLER_H

#include "mcp_internal.h"

/* Codes of JSON-RPC 2.0, and those that the specification adds. */
enum cupel__rpc_code {
    CUPEL__RPC_PARSE_ERROR = -32700,
    CUPEL__RPC_INVALID_REQUEST = -32600,
    CUPEL__RPC_METHOD_NOT_FOUND = -32601,
    CUPEL__RPC_INVALID_PARAMS = -32602,
    CUPEL__RPC_INTERNAL_ERROR = -32603,
    CUPEL__RPC_HEADER_MISMATCH = -32020
};

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
    struct cupel__call_site last; /* of the last call, if it was VALID; or doc NULL */
};

/* Whether the header says what the body says (call_http.c): the fields of every call, and those that
 * the tool declares.  False: caller->answer.message says why not. */
bool cupel__http_agrees(struct cupel_caller *caller, const struct cupel__call_site *site,
                        const struct cupel_header *headers, size_t count);
bool cupel__http_parameters_agree(struct cupel_caller *caller, const struct cupel__call_site *site,
                                  const struct cupel_header *headers, size_t count);

#endif
