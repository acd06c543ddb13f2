/* args.h: the argument schema of 2025-10-09, a small schema language for the arguments of tools.
 *
 *     struct cupel_argument_schema *args;                    // immutable, shared between threads
 *     struct cupel_text text;                                // one for each thread: for messages
 *     cupel_text_init(&text, NULL);
 *     if (cupel_argument_schema_new(schema, schema_len, NULL, &args, &err) != CUPEL_OK)
 *         fail(err.detail);
 *     if (cupel_argument_schema_check(args, scratch, doc, node, &text, on_problem, ctx, NULL) !=
 *         CUPEL_VALID)
 *         reject();
 *
 * A schema has one of two shapes, which mean the same and give the same messages: a map of
 * arguments, or a schema like those of JSON Schema:
 *
 *     {"q": {"type": "string", "required": true, "minLength": 3}}
 *     {"properties": {"q": {"type": "string", "minLength": 3}}, "required": ["q"]}
 *
 * It is translated into JSON Schema and compiled like any schema.  The translation leaves out the
 * keywords that this language does not enforce (pattern, format, nested objects, compositions,
 * counts of items).
 *
 * Threads: threads share argument schemas; a scratch, a document and a text belong to one thread at
 * a time. */
#ifndef CUPEL_ARGS_H
#define CUPEL_ARGS_H

#include <cupel/common.h>
#include <cupel/json.h>
#include <cupel/program.h>
#include <cupel/validate.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum cupel_argument_schema_flag {
    CUPEL_ARGS_STRICT_INTEGER = 1 << 0, /* integer takes no fractions, such as 5.5 */
    CUPEL_ARGS_NULL_IS_ABSENT = 1 << 1  /* an argument that is null counts as not given */
};

/* Grows at its end; cupel_argument_schema_options_init fills it in. */
struct cupel_argument_schema_options {
    size_t size; /* of this struct as the program was compiled with it */
    /* For reading and compiling; NULL: the defaults.  CUPEL_LIMIT_SCHEMA_BYTES bounds the given
     * text, CUPEL_LIMIT_ERRORS the problems that one check reports.  It may go away when the
     * function that takes it returns. */
    const struct cupel_options *engine;
    /* Bits of enum cupel_argument_schema_flag. */
    uint32_t flags;
    /* 0. */
    uint32_t reserved;
};

/* Fills in the defaults of a struct of `size` bytes, for programs that are not compiled with this
 * header. */
void cupel_argument_schema_options_init_sized(struct cupel_argument_schema_options *options,
                                              size_t size);

/* Fills in the defaults. */
static inline void cupel_argument_schema_options_init(struct cupel_argument_schema_options *options)
{
    cupel_argument_schema_options_init_sized(options, sizeof(*options));
}

/* A schema that was read and compiled. */
struct cupel_argument_schema;

/* Reads a schema of either shape, `len` bytes of JSON; `null` is a schema without arguments.  The
 * text may go away afterwards.  The caller frees the result.
 *
 * CUPEL_OK, or with the place in *err:
 *   a status of the group "Reading JSON"   the text is not JSON
 *   CUPEL_E_SCHEMA                         it is no such schema; err->detail is the message of the
 *                                          language, such as "schema must be an object"
 *   CUPEL_E_SCHEMA_SIZE, CUPEL_E_IMAGE_SIZE   a limit
 *   CUPEL_E_ARGUMENT, CUPEL_E_NO_MEMORY, CUPEL_E_INTERNAL */
enum cupel_status cupel_argument_schema_new(const char *schema, size_t len,
                                            const struct cupel_argument_schema_options *options,
                                            struct cupel_argument_schema **ret,
                                            struct cupel_error *err);

/* Frees an argument schema; no check may be using it. */
void cupel_argument_schema_free(struct cupel_argument_schema *args);

/* The JSON Schema (2020-12) that means the same: `*ret_len` bytes, followed by a NUL; never NULL.
 * Lives as long as `args`.  An enum lists every value that has one of the required string forms. */
const char *cupel_argument_schema_json(const struct cupel_argument_schema *args, size_t *ret_len);

/* A warning about a part of the schema that was ignored, as one line; NULL beyond the last.  At
 * most 32 are kept.  Lives as long as `args`. */
const char *cupel_argument_schema_warning(const struct cupel_argument_schema *args, uint32_t index);

/* A problem of arguments.  All pointers live until `on_problem` returns.  Names are those of the
 * schema, unescaped: a host that shows them to people escapes them first. */
struct cupel_argument_problem {
    const char *message; /* such as "missing required argument 'q'"; NUL-terminated, but a name in
                            it may hold NUL */
    size_t message_len;
    const char *argument; /* the argument's name, not terminated; empty if the arguments are no
                             object */
    size_t argument_len;
    const char *path; /* JSON Pointer of the value in the arguments; NUL-terminated */
    uint32_t node;    /* the value in the document; CUPEL_NO_NODE if it is missing */
};

/* Called for each problem; a non-zero return stops the calls. */
typedef int cupel_on_argument_problem(void *ctx, const struct cupel_argument_problem *problem);

/* Validates the arguments at `node` of a document: an object, or null or CUPEL_NO_NODE for none;
 * only CUPEL_NO_NODE needs no document.
 *
 * Calls `on_problem` for each problem, up to CUPEL_LIMIT_ERRORS: in the order of the schema's
 * properties, for each one missing, array, and for each element type, minLength, maxLength,
 * minimum, maximum, enum.  A wrong type hides the bounds of that value.  `text` is for the
 * messages; without `on_problem` it is not used.
 *
 * VALID; INVALID, with a reason in *ret only if problems could not be reported (CUPEL_E_NO_MEMORY,
 * for example); UNDECIDED with the reason in *ret.  Allocates nothing if the arguments are valid
 * and the scratch was used before. */
CUPEL_MUST_CHECK enum cupel_verdict
cupel_argument_schema_check(const struct cupel_argument_schema *args, struct cupel_scratch *scratch,
                            struct cupel_document *doc, uint32_t node, struct cupel_text *text,
                            cupel_on_argument_problem *on_problem, void *ctx,
                            struct cupel_outcome *ret);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
