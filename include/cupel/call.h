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
 * Threads: a context belongs to one thread at a time. */
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
    CUPEL_CALL_VALID = 0,     /* the arguments conform: pass the request on as it is */
    CUPEL_CALL_INVALID = 1,   /* they do not */
    CUPEL_CALL_UNDECIDED = 2, /* nobody knows: a limit, no memory, or the definition was refused */
    CUPEL_CALL_UNKNOWN_TOOL = 3, /* no tool has this name */
    CUPEL_CALL_BAD_REQUEST = 4,  /* not JSON, or no tools/call request */
    CUPEL_CALL_HEADER_MISMATCH =
        5 /* the header of the HTTP request says something else: status 400 */
};

/* What is known about a call besides its verdict.  Pointers live until the next use of the context.
 */
struct cupel_call_outcome {
    const char *reason; /* never NULL, static: "" with VALID and INVALID; the name of a status,
                           such as "LIMIT_STEPS"; or a word of call.c, such as "tool-refused" */
    const char *method; /* what is asked for, not terminated; NULL if that is not known */
    size_t method_len;
    const char *tool; /* the requested name, not terminated; NULL if there is none */
    size_t tool_len;
    const char *arguments; /* their text in the request as it was read; "{}" where it has none, NULL
                              if that was not found out */
    size_t arguments_len;
    const char *id; /* the request's id as it was written; NULL if it has none that can
                       be answered */
    size_t id_len;
    const struct cupel_tool *definition; /* the tool of the catalog; NULL if there is none */
    const struct cupel_message *message; /* its parts (message.h), as nodes of …; NULL if it is not
                                            a message that every receiver reads the same */
    struct cupel_document *doc;          /* … the document that it was read into */
    uint32_t problems;                   /* found in the arguments, up to CUPEL_LIMIT_ERRORS */
    uint64_t steps; /* of the verdict program and of comparing fields and names: the same on every
                       machine; 0 if nothing ran */
    struct cupel_error error; /* status CUPEL_OK, or why the request could not be read */
};

/* What one thread needs to judge calls: a document, a scratch, buffers. */
struct cupel_call_context;

/* Makes one; any catalog.  The options' allocator, limits and flags apply to requests:
 * CUPEL_LIMIT_DEPTH to the arguments, CUPEL_LIMIT_BODY_BYTES to the whole request.  CUPEL_OK or
 * CUPEL_E_NO_MEMORY.  The caller frees it. */
enum cupel_status cupel_call_context_new(const struct cupel_options *options,
                                         struct cupel_call_context **ret);

/* Frees it. NULL does nothing. */
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
 * header.  Any thread. */
void cupel_request_options_init_sized(struct cupel_request_options *options, size_t size);

/* Fills in the defaults.  Any thread. */
static inline void cupel_request_options_init(struct cupel_request_options *options)
{
    cupel_request_options_init_sized(options, sizeof(*options));
}

/* -- One call -------------------------------------------------------------------------------- */

/* Judges a JSON-RPC request `tools/call`: it is read once, as cupel_message_read reads it, and
 * `params.arguments` (absent: an empty object) is run through the tool's input program where it
 * stands.
 *
 * `answer` is emptied; unless the call is valid or the request is a notification (no id), the
 * JSON-RPC message to send back is written to it, with the id byte for byte; what is no message is
 * answered with the id null if it has none.  Errors in arguments
 * are a CallToolResult with isError true from profile 2025-11-25 on, and the error -32602 before;
 * so is a limit that the arguments reached.  Unknown tools and malformed params are -32602, and in
 * profile 2025-11-25 so is a `task` that is not an object, or whose ttl is not a number.  Other
 * methods are -32601, and so is a call that the tool's taskSupport does not allow (profile
 * 2025-11-25); what is no request is -32600, what is not JSON -32700, a tool whose definition was
 * refused and everything internal -32603.  Messages repeat no values.
 *
 * `on_problem` (may be NULL) is called with `ctx` for each problem, pointers beginning at the
 * arguments; non-zero ends it.  *ret may be NULL.  A warm call allocates nothing unless `answer`
 * has to grow or the arguments are INVALID, which takes words; if that fails, answer->failed is set
 * and the verdict is what it is. */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_call_check(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                 const char *request, size_t len, const struct cupel_request_options *options,
                 struct cupel_text *answer, cupel_on_problem *on_problem, void *ctx,
                 struct cupel_call_outcome *ret);

/* Appends the header fields that a client has to send with the request that the context judged
 * last, and that was VALID: Mcp-Method, Mcp-Name and Mcp-Param-…, each as "Name: value" CR LF,
 * values in Base64 where the specification asks for that.  What is not a VALID call gives nothing.
 */
void cupel_call_headers_write(struct cupel_call_context *context, struct cupel_text *text);

/* Appends the arguments of the request that the context judged last, and that was VALID, with
 * defaults filled in: of members that are absent and not required, where `properties` of the root
 * or of an object in it gives one.  What comes of it is VALID too, or the arguments are appended as
 * they were. Returns how many defaults were filled in.  What is not a VALID call gives nothing. */
uint32_t cupel_call_defaults_write(struct cupel_call_context *context, struct cupel_text *text);

/* -- Any request ------------------------------------------------------------------------------ */

/* One message of a batch: the message itself, the verdict on it, and the answer to it, if any. */
typedef int cupel_on_call(void *ctx, const char *message, size_t len,
                          enum cupel_call_verdict verdict, const struct cupel_call_outcome *outcome,
                          const struct cupel_text *answer);

/* Judges whatever a client may send: a call as cupel_call_check does, with its reason and answer;
 * any other request, a notification, a result or an error is VALID if every receiver reads it the
 * same (message.h); a batch as cupel_batch_check does, where the profile has batches.  With catalog
 * NULL no tool is known, and every well-formed call is UNKNOWN_TOOL.
 *
 * `on_call` (may be NULL) is called for the message, or for each message of a batch, while its
 * outcome, document and answer are there; for a batch that is refused as a whole it is called once,
 * with all of the text.  Returns VALID if every message is, and otherwise the verdict
 * of the first that is not. */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_request_check(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                    const char *text, size_t len, const struct cupel_request_options *options,
                    struct cupel_text *answer, cupel_on_call *on_call, void *ctx);

/* "valid", "invalid", "undecided", "unknown-tool", "bad-request", "header-mismatch". Static. */
const char *cupel_call_verdict_name(enum cupel_call_verdict verdict);

/* -- Results ---------------------------------------------------------------------------------- */

/* VALID is 0 and nothing else is, so a plain `if` fails closed. */
enum cupel_result_verdict {
    CUPEL_RESULT_VALID = 0,     /* pass it on as it is; warnings may have been told */
    CUPEL_RESULT_INVALID = 1,   /* it breaks a rule, or its output schema */
    CUPEL_RESULT_UNDECIDED = 2, /* nobody knows: a limit, no memory, or the schema was refused */
    CUPEL_RESULT_BAD = 3        /* not JSON, or nothing that answers tools/call */
};

/* Who is told what, any of them NULL. A return other than 0 ends the calls of that function. */
struct cupel_result_listener {
    cupel_on_rule_problem *on_rule; /* pointers begin at the CallToolResult */
    cupel_on_problem *on_problem;   /* where structuredContent breaks the output schema: pointers
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
cupel_result_check(const struct cupel_tool *tool, struct cupel_call_context *context,
                   const char *text, size_t len, enum cupel_mcp_profile profile,
                   struct cupel_text *answer, const struct cupel_result_listener *listener,
                   struct cupel_result_outcome *ret);

/* The same for the CallToolResult at `node` of a document that the host has read: the `result` of a
 * response, or one that a task or a notification carries.  `id` is the JSON text of the id that the
 * error gets, NULL for null.  The context's own document is not used. */
CUPEL_MUST_CHECK enum cupel_result_verdict
cupel_result_check_node(const struct cupel_tool *tool, struct cupel_call_context *context,
                        struct cupel_document *doc, uint32_t node, const char *id, size_t id_len,
                        enum cupel_mcp_profile profile, struct cupel_text *answer,
                        const struct cupel_result_listener *listener,
                        struct cupel_result_outcome *ret);

/* "valid", "invalid", "undecided", "bad-result". Static. */
const char *cupel_result_verdict_name(enum cupel_result_verdict verdict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
