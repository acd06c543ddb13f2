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

struct cupel_caller {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    struct cupel_document *empty; /* holds {}, for calls without arguments */
    struct cupel_document *copy;  /* structured content as a text repeats it */
    struct cupel_scratch *scratch;
    uint32_t max_errors;
    struct cupel__mcp_answer answer;
};

#endif
