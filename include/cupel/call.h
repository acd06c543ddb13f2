/* call.h: requests of clients and results of tools, checked before they are passed on.
 *
 *     struct cupel_call_context *context;          // one for each thread, used again and again
 *     struct cupel_text answer;
 *     cupel_text_init(&answer, NULL);
 *     if (cupel_call_context_new(NULL, &context) != CUPEL_OK) ...
 *     if (cupel_call_check(catalog, context, request, len, NULL, &answer, NULL, NULL, NULL) != 0)
 *         reply(answer.bytes, answer.len);         // nothing reaches the server
 *     ...
 *     if (cupel_result_check(tool, context, response, len, profile, &answer, NULL, NULL) != 0)
 *         reply(answer.bytes, answer.len);         // an error in place of the result
 *     else
 *         reply(response, len);
 *
 * Servers MUST return structured content that conforms to the tool's output schema, and clients
 * SHOULD check that (specification, page "Tools", "Output Schema").  A result that does not conform
 * is replaced; it is neither changed nor passed on.
 *
 * Threads: a context and a text belong to one thread at a time; threads share catalogs. */
#ifndef CUPEL_CALL_H
#define CUPEL_CALL_H

#include <cupel/catalog.h>
#include <cupel/protocol.h>
#include <cupel/report.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Calls ------------------------------------------------------------------------------------ */

/* VALID is 0 and nothing else is, so a plain `if` fails closed. */
enum cupel_call_verdict {
    CUPEL_CALL_VALID = 0,        /* the arguments conform: pass the request on as it is */
    CUPEL_CALL_INVALID = 1,      /* they do not */
    CUPEL_CALL_UNDECIDED = 2,    /* no verdict: a limit, no memory, or the definition was refused */
    CUPEL_CALL_UNKNOWN_TOOL = 3, /* no tool has this name */
    CUPEL_CALL_BAD_REQUEST = 4,  /* not JSON, or no tools/call request */
    CUPEL_CALL_HEADER_MISMATCH = 5 /* the HTTP header differs from the request: status 400 */
};

/* The details of a call besides its verdict.  Pointers live until the next use of the context. */
struct cupel_call_outcome {
    const char *reason; /* never NULL, static: "" with VALID and INVALID; the name of a status,
                           such as "LIMIT_STEPS"; or a word of call.c, such as "tool-refused" */
    const char *method; /* not terminated; NULL if the request has none that could be read */
    size_t method_len;
    const char *tool; /* the requested name, not terminated; NULL if there is none */
    size_t tool_len;
    const char *arguments; /* their text in the request as it was read; "{}" if it has none, NULL if
                              reading ended before them */
    size_t arguments_len;
    const char *id; /* the request's id as it was written; NULL if it has none that can
                       be answered */
    size_t id_len;
    const struct cupel_tool *definition; /* the tool of the catalog; NULL if there is none */
    const struct cupel_message *message; /* its parts (protocol.h), as nodes of `doc`; NULL if it is
                                            not a message that every receiver reads the same */
    struct cupel_document *doc;          /* the document into which it was read */
    uint32_t problems;                   /* found in the arguments, up to CUPEL_LIMIT_ERRORS */
    uint64_t steps; /* of the verdict program and of comparing fields and names: the same on every
                       machine; 0 if nothing ran */
    struct cupel_error error; /* status CUPEL_OK, or why the request could not be read */
};

/* The memory of a thread for checking calls: a document, a scratch, buffers. */
struct cupel_call_context;

/* Makes a context, which serves any catalog and which the caller frees.  The options' allocator,
 * limits and flags apply to requests: CUPEL_LIMIT_DEPTH to the arguments, CUPEL_LIMIT_BODY_BYTES to
 * the whole request.  CUPEL_OK, CUPEL_E_ARGUMENT or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_call_context_new(const struct cupel_options *options,
                                         struct cupel_call_context **ret);

/* Frees a context. */
void cupel_call_context_free(struct cupel_call_context *context);

/* -- Options --------------------------------------------------------------------------------- */

enum cupel_request_flag {
    CUPEL_REQUEST_FIELDS = 1 << 0,          /* compare the HTTP fields that are there */
    CUPEL_REQUEST_FIELDS_NEEDED = 1 << 1,   /* and refuse messages without them, in any profile */
    CUPEL_REQUEST_EXACT_ARGUMENTS = 1 << 2, /* as CUPEL_CATALOG_EXACT_ARGUMENTS: a call with such a
                                               name is INVALID, its reason "argument-name" */
    CUPEL_REQUEST_CALLS = 1 << 3            /* refuse messages other than tools/call (-32601) */
};

/* A field of an HTTP request's header.  Names are compared without regard to case. */
struct cupel_header {
    const char *name;
    size_t name_len;
    const char *value; /* without the white space around it */
    size_t value_len;
};

/* Grows at its end; cupel_request_options_init fills it in. */
struct cupel_request_options {
    size_t size;                        /* of this struct as the program was compiled with it */
    enum cupel_mcp_profile profile;     /* 0: the catalog's, or 2026-07-28 without one */
    uint32_t flags;                     /* enum cupel_request_flag */
    const struct cupel_header *headers; /* with CUPEL_REQUEST_FIELDS */
    size_t header_count;
    uint32_t batch;               /* the most messages in one batch; UINT32_MAX */
    cupel_on_problem *on_problem; /* called for each problem of arguments; NULL */
    void *problem_ctx;            /* its first argument */
};

/* Fills in the defaults of a struct of `size` bytes, for programs that are not compiled with this
 * header. */
void cupel_request_options_init_sized(struct cupel_request_options *options, size_t size);

/* Fills in the defaults. */
static inline void cupel_request_options_init(struct cupel_request_options *options)
{
    cupel_request_options_init_sized(options, sizeof(*options));
}

/* -- One call -------------------------------------------------------------------------------- */

/* Checks a JSON-RPC request `tools/call` of `len` bytes.  It is read once, as cupel_message_read
 * reads it, and `params.arguments` (absent: an empty object) are validated by the tool's
 * inputSchema.
 *
 * Empties `answer`, and writes the JSON-RPC message to send back to it, with the id byte for byte.
 * A VALID call and a notification (no id) have no answer; a text that is no message is answered
 * with the id null if it has none.  Messages repeat no values.  The answers:
 *   - Errors in arguments, and a limit that they reached: a CallToolResult with isError true from
 *     profile 2025-11-25 on, and the error -32602 before.
 *   - Unknown tools and malformed params: -32602; in profile 2025-11-25 also a `task` that is not
 * an object or whose ttl is not a number.
 *   - Other methods: -32601; in profile 2025-11-25 also a call that the tool's taskSupport forbids.
 *   - JSON that is no request: -32600.  A text that is not JSON: -32700.
 *   - A tool whose definition was refused, and internal errors: -32603.
 *
 * Returns VALID, INVALID, UNDECIDED, UNKNOWN_TOOL, BAD_REQUEST or HEADER_MISMATCH (enum
 * cupel_call_verdict), with the reason in *ret; UNDECIDED with "ARGUMENT" for arguments that are
 * refused.  Without a catalog no tool is known.  Calls `on_problem` with `ctx` for each problem of
 * the arguments, pointers beginning at these.
 *
 * A repeated VALID call allocates nothing.  If `answer` cannot grow, answer->failed is set and the
 * verdict stays.
 *
 * NULL: catalog. */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_call_check(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                 const char *request, size_t len, const struct cupel_request_options *options,
                 struct cupel_text *answer, cupel_on_problem *on_problem, void *ctx,
                 struct cupel_call_outcome *ret);

/* Appends the header fields that a client has to send with the request that the context judged
 * last, if it was a VALID call: Mcp-Method, Mcp-Name and Mcp-Param-…, each as "Name: value" CR LF,
 * with values in Base64 where the specification requires it.  Appends nothing otherwise. */
void cupel_call_headers_write(struct cupel_call_context *context, struct cupel_text *text);

/* Appends the arguments of the request that the context judged last, if it was a VALID call, with
 * the defaults of absent optional members that `properties` of the root or of an object in it
 * gives.  If the arguments with defaults are not VALID, they are appended as they were.  Returns
 * the number of defaults that were filled in; 0, with nothing appended, if it was not a VALID call.
 */
uint32_t cupel_call_defaults_write(struct cupel_call_context *context, struct cupel_text *text);

/* -- Any request ------------------------------------------------------------------------------ */

/* Called for each message: `len` bytes of text, its verdict, its details, and the answer to it,
 * which is empty if there is none.  All are valid until it returns; a non-zero return stops the
 * calls. */
typedef int cupel_on_call(void *ctx, const char *message, size_t len,
                          enum cupel_call_verdict verdict, const struct cupel_call_outcome *outcome,
                          const struct cupel_text *answer);

/* Checks any message or batch that a client sends:
 *   - a call as cupel_call_check does, with its reason and answer,
 *   - any other request, a notification, a result or an error: it is VALID if every receiver reads
 *     it the same (protocol.h),
 *   - a batch, if the profile has batches: each message of it, with one budget of steps for all.
 *
 * Calls `on_call` for the message, or for each message of a batch, while its outcome, document and
 * answer exist; for a batch that is refused as a whole once, with all of the text.  Returns VALID
 * if every message is VALID, otherwise the verdict of the first that is not.  Without a catalog
 * every well-formed call is UNKNOWN_TOOL.
 * NULL: catalog. */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_request_check(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                    const char *text, size_t len, const struct cupel_request_options *options,
                    struct cupel_text *answer, cupel_on_call *on_call, void *ctx);

/* "valid", "invalid", "undecided", "unknown-tool", "bad-request", "header-mismatch"; "?"
 * for another number.  Never NULL; static. */
const char *cupel_call_verdict_name(enum cupel_call_verdict verdict);

/* -- Results ---------------------------------------------------------------------------------- */

/* VALID is 0 and nothing else is, so a plain `if` fails closed. */
enum cupel_result_verdict {
    CUPEL_RESULT_VALID = 0,     /* pass it on as it is; there may be warnings */
    CUPEL_RESULT_INVALID = 1,   /* it breaks a rule, or its output schema */
    CUPEL_RESULT_UNDECIDED = 2, /* no verdict: a limit, no memory, or the schema was refused */
    CUPEL_RESULT_BAD = 3        /* not JSON, or no response to tools/call */
};

/* Callbacks for the problems of a result; NULL: not called.  A non-zero return stops the calls of
 * that function. */
struct cupel_result_listener {
    cupel_on_rule_problem *on_rule; /* pointers begin at the CallToolResult */
    cupel_on_problem *on_problem;   /* problems of structuredContent by the output schema; pointers
                                       begin at structuredContent */
    void *ctx;
};

struct cupel_result_outcome {
    const char *reason; /* never NULL, static: "" with VALID and INVALID; the name of a status, or
                           "tool-refused", "result-object" */
    const char *id;     /* of the response as it was written; NULL if there is none */
    size_t id_len;
    int is_error;              /* the tool reported an error: isError, or a JSON-RPC error */
    uint32_t errors, warnings; /* rules broken */
    struct cupel_error error;  /* status CUPEL_OK, or why the text could not be read */
};

/* Checks the response to a call of `tool`: a JSON-RPC response of `len` bytes, or a CallToolResult
 * alone.  The output schema, if the tool has one, applies to results without isError true; to an
 * InputRequiredResult (2026-07-28) and a CreateTaskResult (2025-11-25, and the tasks extension of
 * 2026-07-28) only if they have structuredContent.
 *
 * Empties `answer`.  Unless the verdict is VALID, writes the JSON-RPC error to send on to it
 * (-32603, with the id byte for byte).  Messages repeat no values.
 *
 * Returns VALID, INVALID, UNDECIDED or BAD (enum cupel_result_verdict), with the reason in *ret;
 * UNDECIDED with "ARGUMENT" for arguments that are refused.
 *
 * NULL: listener. */
CUPEL_MUST_CHECK enum cupel_result_verdict
cupel_result_check(const struct cupel_tool *tool, struct cupel_call_context *context,
                   const char *text, size_t len, enum cupel_mcp_profile profile,
                   struct cupel_text *answer, const struct cupel_result_listener *listener,
                   struct cupel_result_outcome *ret);

/* Checks the CallToolResult at `node` of a document that the host has read: the `result` of a
 * response, or one that a task or a notification carries.  `id` is the JSON text of the id for the
 * error; without it the id is null.  The verdicts and the answer are those of cupel_result_check.
 * The context's own document is not used.
 * NULL: id, listener. */
CUPEL_MUST_CHECK enum cupel_result_verdict
cupel_result_check_node(const struct cupel_tool *tool, struct cupel_call_context *context,
                        struct cupel_document *doc, uint32_t node, const char *id, size_t id_len,
                        enum cupel_mcp_profile profile, struct cupel_text *answer,
                        const struct cupel_result_listener *listener,
                        struct cupel_result_outcome *ret);

/* "valid", "invalid", "undecided", "bad-result"; "?" for another number.  Never NULL; static. */
const char *cupel_result_verdict_name(enum cupel_result_verdict verdict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
