/* response.h: JSON-RPC messages that answer requests (response.c). */
#ifndef CUPEL_MCP_RESPONSE_H
#define CUPEL_MCP_RESPONSE_H

#include <cupel/catalog.h>
#include <stdbool.h>

/* Codes of JSON-RPC 2.0 (section 5.1), and HEADER_MISMATCH of MCP. */
enum cupel__rpc_code {
    CUPEL__RPC_PARSE_ERROR = -32700,
    CUPEL__RPC_INVALID_REQUEST = -32600,
    CUPEL__RPC_METHOD_NOT_FOUND = -32601,
    CUPEL__RPC_INVALID_PARAMS = -32602,
    CUPEL__RPC_INTERNAL_ERROR = -32603,
    CUPEL__RPC_HEADER_MISMATCH = -32020
};

/* Buffers in which an answer is composed.  They are large enough for an ordinary one from the
 * start, so that a warm call allocates nothing. */
struct cupel__mcp_answer {
    struct cupel_text lines, message;
};

/* False when out of memory. */
bool cupel__mcp_answer_init(struct cupel__mcp_answer *answer, const struct cupel_alloc *alloc);
void cupel__mcp_answer_free(struct cupel__mcp_answer *answer);

/* In the following, `id` is JSON text, or NULL for null. */

/* Writes the message up to the member `result` or `error`. */
void cupel__mcp_open_message(struct cupel_text *text, const char *id, size_t id_len);
/* Writes an error response. */
void cupel__mcp_write_error(struct cupel_text *text, const char *id, size_t id_len, int code,
                            const char *message, size_t len);
/* Writes the result of a call with `isError`, whose content is the message. */
void cupel__mcp_write_tool_error(struct cupel_text *text, const char *id, size_t id_len,
                                 enum cupel_mcp_profile profile, const char *message, size_t len);

#endif
