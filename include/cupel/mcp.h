/* mcp.h: tools of the Model Context Protocol: catalogs checked, calls judged and answered.
 *
 *     struct cupel_catalog *catalog;
 *     struct cupel_call_context *context;               // one for each thread, used again and
 * again struct cupel_text answer; cupel_text_init(&answer, NULL); if (cupel_catalog_new(NULL,
 * &catalog) != CUPEL_OK) … if (cupel_catalog_add(catalog, list, list_len, &err) != CUPEL_OK) … // a
 * tools/list result if (cupel_call_context_new(NULL, &context) != CUPEL_OK) … if
 * (cupel_call_check(catalog, context, request, len, &answer, NULL, NULL, NULL) != 0)
 *         send_back(answer.bytes, answer.len);   // nothing reaches the server
 *
 * A catalog holds the tools of one server.  Each tool is judged alone: a definition that is refused
 * never hides its siblings.  The rules are those of the specification's page "Tools" and of JSON
 * Schema; mcp/rules/rules.def lists them.
 *
 * Threads: a catalog may be shared by any number of threads once nothing is added to it any more; a
 * context belongs to one thread at a time. */
#ifndef CUPEL_MCP_H
#define CUPEL_MCP_H

#include <cupel/compile.h>
#include <cupel/identity.h>
#include <cupel/json.h>
#include <cupel/message.h>
#include <cupel/options.h>
#include <cupel/text.h>
#include <cupel/validate.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Options ---------------------------------------------------------------------------------- */

/* The released versions of the specification, in order, so that they can be compared with <. */
enum cupel_mcp_profile {
    CUPEL_MCP_2024_11_05 = 20241105,
    CUPEL_MCP_2025_03_26 = 20250326,
    CUPEL_MCP_2025_06_18 = 20250618,
    CUPEL_MCP_2025_11_25 = 20251125,
    CUPEL_MCP_2026_07_28 = 20260728
};

enum cupel_mcp_flag {
    CUPEL_MCP_STRICT_NAMES = 1 << 0, /* what names SHOULD be, they must be: errors, not warnings */
    CUPEL_MCP_STRICT_DIALECTS = 1 << 1, /* schemas are of 2020-12 or draft-07, or refused */
    CUPEL_MCP_STRICT_TEXT = 1 << 2,     /* hidden text (hidden.h) is an error, not a warning */
    CUPEL_MCP_EXACT_ARGUMENTS = 1 << 3  /* in calls, a name of an argument that is not declared must
                                           not fold to one that is declared in that object */
};

/* What a tool's name is held to. */
enum cupel_name_rules {
    CUPEL_NAMES_SPEC = 0,    /* the page "Tools": 1 to 128 of A-Z a-z 0-9 _ . - */
    CUPEL_NAMES_SEP_986 = 1, /* the proposal behind it: 1 to 64, and / as well */
    CUPEL_NAMES_PORTABLE = 2 /* what the APIs of models take: 1 to 64 of A-Z a-z 0-9 _ - */
};

struct cupel_catalog;

/* The vendors of models whose subsets of JSON Schema are known. */
enum cupel_target {
    CUPEL_TARGET_NONE = 0,
    CUPEL_TARGET_OPENAI = 1,
    CUPEL_TARGET_OPENAI_STRICT = 2, /* structured outputs */
    CUPEL_TARGET_ANTHROPIC = 3,
    CUPEL_TARGET_GEMINI = 4
};

/* Grows at its end; cupel_mcp_options_init fills it in.  Functions refuse it as they refuse struct
 * cupel_options: with CUPEL_E_ARGUMENT if it was not initialized, or if something is set in it that
 * this library does not know. */
struct cupel_mcp_options {
    size_t size; /* of this struct as the program was compiled with it */
    /* For compiling each schema; its allocator is the catalog's.  NULL: the defaults.  It may go
     * away when the function that takes it returns. */
    const struct cupel_options *engine;
    /* CUPEL_MCP_2026_07_28. */
    enum cupel_mcp_profile profile;
    /* Bits of enum cupel_mcp_flag. */
    uint32_t flags;
    /* CUPEL_NAMES_SPEC. */
    enum cupel_name_rules names;
    /* CUPEL_TARGET_NONE; otherwise problems of that target are found too (target.h). */
    enum cupel_target target;
    /* 16 MiB; of one text given to cupel_catalog_add. */
    size_t catalog_bytes;
    /* 2,048; nesting of that text, generous so that a tool with a schema too deep is that tool's
     * problem. */
    uint32_t catalog_depth;
    /* 10,000; in one catalog. */
    uint32_t tools;
    /* Secret numbers for the look-up by name; 0, 0: those of `engine`, or random ones. */
    uint64_t hash_key[2];
    /* Returns nanoseconds since any fixed time, for compile_ns; may be NULL. */
    uint64_t (*clock)(void *ctx);
    void *clock_ctx;
    /* NULL, or a catalog that outlives the adding: a schema with the same text and the same engine
     * options is not compiled again, and both catalogs share its program.  Not with a resolver. The
     * allocators of both must work until both are freed. */
    const struct cupel_catalog *previous;
};

/* Fills in the defaults of a struct of `size` bytes, for programs that are not compiled with this
 * header.  Any thread. */
void cupel_mcp_options_init_sized(struct cupel_mcp_options *options, size_t size);

/* Fills in the defaults.  Any thread. */
static inline void cupel_mcp_options_init(struct cupel_mcp_options *options)
{
    cupel_mcp_options_init_sized(options, sizeof(*options));
}

/* -- Catalogs --------------------------------------------------------------------------------- */

enum cupel_tool_verdict { CUPEL_TOOL_OK = 0, CUPEL_TOOL_WARNING = 1, CUPEL_TOOL_INVALID = 2 };

enum cupel_severity {
    CUPEL_SEVERITY_INFO = 0,
    CUPEL_SEVERITY_WARNING = 1,
    CUPEL_SEVERITY_ERROR = 2
};

enum cupel_tool_part { CUPEL_PART_TOOL = 0, CUPEL_PART_INPUT = 1, CUPEL_PART_OUTPUT = 2 };

/* One thing that is wrong with a definition.  Strings are NUL-terminated, and names in them that
 * come from the definition are quoted, with control characters made visible, and cut at 64
 * bytes. */
struct cupel_tool_problem {
    const char *rule; /* such as "root-type"; keeps its meaning for ever */
    enum cupel_severity severity;
    enum cupel_tool_part part;
    const char *pointer;      /* JSON Pointer (RFC 6901) within the part */
    const char *message;      /* one sentence without a full stop */
    enum cupel_status status; /* why a schema did not compile, or CUPEL_OK */
    uint64_t offset;          /* in bytes, in the text that was added */
};

/* What a tool says of its behaviour (specification, ToolAnnotations), absent hints with their
 * defaults.  These are claims of the server: nothing in cupel decides by them.  `destructive` and
 * `idempotent` mean nothing where `read_only` is set. */
struct cupel_tool_hints {
    int read_only;   /* 0 */
    int destructive; /* 1 */
    int idempotent;  /* 0 */
    int open_world;  /* 1 */
};

/* execution.taskSupport, which profile 2025-11-25 alone has. */
enum cupel_task_support {
    CUPEL_TASK_FORBIDDEN = 0, /* what an absent field means */
    CUPEL_TASK_OPTIONAL = 1,
    CUPEL_TASK_REQUIRED = 2
};

/* A tool.  Lives as long as its catalog.  Texts may hold NUL and are followed by another one. */
struct cupel_tool {
    const char *name; /* "" if there is none */
    size_t name_len;
    enum cupel_tool_verdict verdict; /* warning: at least one; invalid: at least one error */
    const struct cupel_tool_problem
        *problems; /* in the order of the rules, hidden text first; at most 34 */
    uint32_t problem_count;
    const struct cupel_program *input;  /* of inputSchema; NULL if it was refused */
    const struct cupel_program *output; /* of outputSchema; NULL if absent or refused */
    size_t image_bytes;                 /* of both verdict programs */
    uint64_t compile_ns;                /* for both by options.clock; 0 without one */
    uint32_t shared;                    /* of the two programs, how many options.previous had */

    const char *text; /* the definition, byte for byte as it was added */
    size_t text_len;
    const char *label; /* what to show to people: title, annotations.title or name */
    size_t label_len;
    const char *id; /* namespace:name:version (identity.h) */
    size_t id_len;
    const char *version; /* "" if there is none */
    size_t version_len;
    const struct cupel_tags *tags; /* in normal form; NULL if there are none */
    struct cupel_tool_hints hints;
    enum cupel_task_support task_support;
};

/* Makes an empty catalog; NULL options are the defaults.  CUPEL_OK or CUPEL_E_NO_MEMORY.  The
 * caller frees it. */
enum cupel_status cupel_catalog_new(const struct cupel_mcp_options *options,
                                    struct cupel_catalog **ret);

/* Frees the catalog, its tools and their programs; no call may be using them.  NULL does
 * nothing. */
void cupel_catalog_free(struct cupel_catalog *catalog);

/* Adds the tools of a tools/list result: `{"tools": […]}`, a whole JSON-RPC response with such a
 * `result`, or the bare array.  The pages of one list are added one after the other.  The text may
 * go away afterwards.  A definition that breaks rules is added with its problems and is no failure.
 * CUPEL_OK; CUPEL_E_ARGUMENT if the text holds no list of tools or more than options.tools; a
 * status of the group "Reading JSON"; CUPEL_E_NO_MEMORY.  After a failure the catalog is as it
 * was. */
enum cupel_status cupel_catalog_add(struct cupel_catalog *catalog, const char *text, size_t len,
                                    struct cupel_error *err);

/* The number of tools, and the `index`-th in the order in which they were added; NULL beyond. */
uint32_t cupel_catalog_count(const struct cupel_catalog *catalog);
const struct cupel_tool *cupel_catalog_tool(const struct cupel_catalog *catalog, uint32_t index);

/* The first tool with this name, compared byte by byte; NULL if there is none.  Takes the same time
 * for any number of tools. */
const struct cupel_tool *cupel_catalog_find(const struct cupel_catalog *catalog, const char *name,
                                            size_t len);

/* The first tool with this ID; a tool without a namespace is found by its name. */
const struct cupel_tool *cupel_catalog_find_id(const struct cupel_catalog *catalog, const char *id,
                                               size_t len);

/* What the rule with this id asks, in a sentence or two; NULL if there is no such rule.  Static. */
const char *cupel_rule_meaning(const char *id);

/* "forbidden", "optional", "required". Static. */
const char *cupel_task_support_name(enum cupel_task_support support);

/* "ok", "warning", "invalid"; "info", "warning", "error"; "tool", "inputSchema", "outputSchema".
 * Static. */
const char *cupel_tool_verdict_name(enum cupel_tool_verdict verdict);
const char *cupel_severity_name(enum cupel_severity severity);
const char *cupel_tool_part_name(enum cupel_tool_part part);

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
                 const char *request, size_t len, struct cupel_text *answer,
                 cupel_on_problem *on_problem, void *ctx, struct cupel_call_outcome *ret);

/* A field of an HTTP request's header.  Names are compared without regard to case. */
struct cupel_header {
    const char *name;
    size_t name_len;
    const char *value; /* without the white space around it */
    size_t value_len;
};

/* The same for a request that came over HTTP (specification 2026-07-28, "Streamable HTTP"), whose
 * header others may have looked at instead of its body: each of MCP-Protocol-Version, Mcp-Method,
 * Mcp-Name and of the fields Mcp-Param-… that the tool declares has to say what the body says,
 * Base64 decoded.  From profile 2026-07-28 on they have to be there; before, those that are there
 * are compared.  MCP-Protocol-Version is compared with the version in `_meta`, and both have to be
 * known versions.  Where they do not agree, the verdict is CUPEL_CALL_HEADER_MISMATCH and the
 * answer the error -32020.  `headers` may be NULL if `header_count` is 0: that is a request without
 * fields. */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_call_check_http(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                      const struct cupel_header *headers, size_t header_count, const char *request,
                      size_t len, struct cupel_text *answer, cupel_on_problem *on_problem,
                      void *ctx, struct cupel_call_outcome *ret);

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

/* One message of a batch: the message itself, the verdict on it, and the answer to it, if any. */
typedef int cupel_on_call(void *ctx, const char *message, size_t len,
                          enum cupel_call_verdict verdict, const struct cupel_call_outcome *outcome,
                          const struct cupel_text *answer);

/* Judges each message of a JSON-RPC batch, which profile 2025-03-26 alone has, and calls `on_call`
 * for it; non-zero ends that.  The host passes on what is VALID and adds the answers of the others
 * to the batch it sends back.  Arguments may be nested one level less than CUPEL_LIMIT_DEPTH. All
 * messages together have the steps of one that is as long as the batch (CUPEL_LIMIT_STEPS and
 * CUPEL_LIMIT_STEPS_PER_BYTE); what reports take counts, and the bytes of their answers.  When
 * these are used up each call that follows is UNDECIDED with LIMIT_STEPS. Returns VALID if every
 * message is, and otherwise the verdict of the first that is not.  For what is no batch, is empty,
 * has two requests with one id or an initialize, or is one in another profile, that is BAD_REQUEST
 * without a call, and `answer` has the message to send back. */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_batch_check(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                  const char *batch, size_t len, struct cupel_text *answer,
                  cupel_on_problem *on_problem, cupel_on_call *on_call, void *ctx);

/* -- Any request ------------------------------------------------------------------------------ */

enum cupel_request_flag {
    CUPEL_REQUEST_FIELDS = 1 << 0,         /* compare the header fields that are there */
    CUPEL_REQUEST_FIELDS_NEEDED = 1 << 1,  /* and refuse messages without them, in any profile */
    CUPEL_REQUEST_EXACT_ARGUMENTS = 1 << 2 /* as CUPEL_MCP_EXACT_ARGUMENTS: a call with such a name
                                              is INVALID, its reason "argument-name" */
};

/* Grows at its end; cupel_request_options_init fills it in. */
struct cupel_request_options {
    size_t size;                        /* of this struct as the program was compiled with it */
    enum cupel_mcp_profile profile;     /* 2026-07-28; should be the catalog's */
    uint32_t flags;                     /* enum cupel_request_flag */
    const struct cupel_header *headers; /* with CUPEL_REQUEST_FIELDS */
    size_t header_count;
    uint32_t batch; /* the most messages in one batch; UINT32_MAX */
};

/* Fills in the defaults of a struct of `size` bytes, for programs that are not compiled with this
 * header.  Any thread. */
void cupel_request_options_init_sized(struct cupel_request_options *options, size_t size);

/* Fills in the defaults.  Any thread. */
static inline void cupel_request_options_init(struct cupel_request_options *options)
{
    cupel_request_options_init_sized(options, sizeof(*options));
}

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
                    const struct cupel_request_options *options, const char *text, size_t len,
                    struct cupel_text *answer, cupel_on_call *on_call, void *ctx);

/* "valid", "invalid", "undecided", "unknown-tool", "bad-request", "header-mismatch". Static. */
const char *cupel_call_verdict_name(enum cupel_call_verdict verdict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
