/* args.c: creates an argument schema and checks arguments against it.
 *
 * Two kinds of programs are compiled: one for all arguments, which gives the verdict, and one for
 * each property, from which explain.c makes its messages.  read.c reads the schema,
 * to_json_schema.c defines its meaning. */
#include "mcp/arguments/arguments.h"
#include "mcp/options/options.h"

#include <cupel/program.h>
#include <string.h>

/* -- Creation --------------------------------------------------------------------------------- */

static enum cupel_status fail(struct cupel_error *err, enum cupel_status status)
{
    const char *message = cupel_status_message(status);
    memset(err, 0, sizeof(*err));
    err->status = status;
    memcpy(err->detail, message, strlen(message) + 1);
    return status;
}

/* Compiles a generated schema.  An error other than a limit is a bug of cupel, not of the author of
 * the argument schema. */
static enum cupel_status compile(const struct cupel_argument_schema *args, uint32_t flags,
                                 const struct cupel_text *schema, struct cupel_program **ret,
                                 struct cupel_error *err)
{
    struct cupel_options options = args->engine;
    options.flags = flags;
    options.dialect = CUPEL_2020_12;
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = SIZE_MAX;
    if (schema->failed)
        return fail(err, CUPEL_E_NO_MEMORY);
    return cupel_compile(schema->bytes, schema->len, &options, ret, err);
}

/* Compiles the programs of single values, for messages. */
static enum cupel_status compile_values(struct cupel__arg_reader *reader, struct cupel_text *text)
{
    struct cupel_argument_schema *args = reader->args;
    uint32_t flags = args->engine.flags & ~(uint32_t)CUPEL_NO_REPORT;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t i = 0; i < args->count && status == CUPEL_OK; i++) {
        cupel_text_clear(text);
        cupel__arg_lower_value(reader, &args->properties[i], text);
        if (text->len > 2 || text->failed)
            status = compile(args, flags, text, &args->properties[i].value, reader->err);
    }
    return status;
}

/* Reads the schema, compiles the programs of values, then generates and compiles the JSON Schema
 * of all arguments. */
static enum cupel_status build(struct cupel__arg_reader *reader, struct cupel_text *text)
{
    struct cupel_argument_schema *args = reader->args;
    enum cupel_status status = cupel__arg_read(reader);
    if (status == CUPEL_E_NO_MEMORY)
        return fail(reader->err, status);
    if (status == CUPEL_OK)
        status = compile_values(reader, text);
    if (status != CUPEL_OK)
        return status;
    cupel_text_clear(text);
    cupel__arg_lower(reader, text);
    status = compile(args, args->engine.flags, text, &args->program, reader->err);
    if (status != CUPEL_OK)
        return status;
    args->schema = cupel__mcp_pool_copy(&args->pool, text->bytes, text->len);
    args->schema_len = text->len;
    return args->schema != NULL ? CUPEL_OK : fail(reader->err, CUPEL_E_NO_MEMORY);
}

/* Reads the text and builds all parts. */
static enum cupel_status build_from(struct cupel_argument_schema *args, const char *schema,
                                    size_t len, struct cupel_error *err)
{
    struct cupel__arg_reader reader = {.args = args, .err = err};
    struct cupel_options options = args->engine;
    struct cupel_text text;
    if (len > options.limits[CUPEL_LIMIT_SCHEMA_BYTES])
        return fail(err, CUPEL_E_SCHEMA_SIZE);
    options.flags &= ~(uint32_t)(CUPEL_INPUT_PADDED | CUPEL_ALLOW_DUPLICATE_KEYS);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = options.limits[CUPEL_LIMIT_SCHEMA_BYTES];
    options.limits[CUPEL_LIMIT_DEPTH] = options.limits[CUPEL_LIMIT_SCHEMA_DEPTH];
    cupel_text_init(&reader.text, &args->pool.alloc);
    cupel_text_init(&text, &args->pool.alloc);
    enum cupel_status status = cupel_document_new(&options, &reader.doc);
    if (status != CUPEL_OK)
        fail(err, status);
    else
        status = cupel_document_read(reader.doc, schema, len, err);
    if (status == CUPEL_OK)
        status = build(&reader, &text);
    cupel_document_free(reader.doc);
    cupel_text_free(&reader.text);
    cupel_text_free(&text);
    return status;
}

/* Copies the options and all that it needs of the text. Sets *ret only on CUPEL_OK; otherwise
 * *err, which may be NULL, has the reason. */
enum cupel_status cupel_argument_schema_new(const char *schema, size_t len,
                                            const struct cupel_argument_schema_options *options,
                                            struct cupel_argument_schema **ret,
                                            struct cupel_error *err)
{
    if (schema == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct cupel_argument_schema_options chosen;
    struct cupel_error detail = {0};
    struct cupel_options engine;
    enum cupel_status status = cupel__args_options_copy(options, &chosen, &engine, err);
    if (status != CUPEL_OK)
        return status;
    struct cupel_alloc alloc = engine.alloc;
    status = CUPEL_E_NO_MEMORY;
    struct cupel_argument_schema *args = alloc.realloc(alloc.ctx, NULL, 0, sizeof(*args));
    if (args == NULL) {
        fail(&detail, status);
        goto out;
    }
    memset(args, 0, sizeof(*args));
    args->options = chosen;
    args->engine = engine;
    args->options.engine = &args->engine;
    args->pool.alloc = args->names.alloc = alloc;
    cupel__mcp_hash_key(&engine, args->names.key);
    status = build_from(args, schema, len, &detail);
    if (status == CUPEL_OK)
        *ret = args;
    else
        cupel_argument_schema_free(args);
out:
    if (status != CUPEL_OK && err != NULL) {
        *err = detail;
        err->status = status;
    }
    return status;
}

/* NULL is allowed, and an object that cupel_argument_schema_new could not complete. */
void cupel_argument_schema_free(struct cupel_argument_schema *args)
{
    if (args == NULL)
        return;
    struct cupel_alloc alloc = args->pool.alloc;
    for (uint32_t i = 0; i < args->count; i++)
        cupel_program_free(args->properties[i].value);
    cupel_program_free(args->program);
    cupel__mcp_names_free(&args->names);
    cupel__mcp_pool_rewind(&args->pool, (struct cupel__mcp_pool){alloc, NULL, 0});
    alloc.realloc(alloc.ctx, args, sizeof(*args), 0);
}

/* -- Accessors -------------------------------------------------------------------------------- */

const char *cupel_argument_schema_json(const struct cupel_argument_schema *args, size_t *ret_len)
{
    if (args == NULL || ret_len == NULL)
        return NULL;
    *ret_len = args->schema_len;
    return args->schema;
}

const char *cupel_argument_schema_warning(const struct cupel_argument_schema *args, uint32_t index)
{
    return args != NULL && index < args->warning_count ? args->warnings[index] : NULL;
}

/* -- Checking --------------------------------------------------------------------------------- */

/* Runs the verdict program; only after INVALID explains the arguments property by property. */
enum cupel_verdict cupel_argument_schema_check(const struct cupel_argument_schema *args,
                                               struct cupel_scratch *scratch,
                                               struct cupel_document *doc, uint32_t node,
                                               struct cupel_text *text,
                                               cupel_on_argument_problem *on_problem, void *ctx,
                                               struct cupel_outcome *ret)
{
    struct cupel_outcome outcome = {.reason = CUPEL_E_ARGUMENT};
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    if (args == NULL || scratch == NULL || (doc == NULL && node != CUPEL_NO_NODE) ||
        (text == NULL && on_problem != NULL))
        goto out;
    outcome.reason = CUPEL_OK;
    if (node != CUPEL_NO_NODE && cupel_json_type(doc, node) == CUPEL_JSON_NULL)
        node = CUPEL_NO_NODE;
    /* Absent arguments can only lack required properties. */
    if (node == CUPEL_NO_NODE)
        verdict = args->required_count != 0 ? CUPEL_INVALID : CUPEL_VALID;
    else
        verdict = cupel_validate_node(args->program, scratch, doc, node, &outcome);
    /* The verdict stays INVALID even if the explanation runs into a limit. */
    if (verdict == CUPEL_INVALID && on_problem != NULL)
        outcome.reason = cupel__arg_explain(args, scratch, doc, node, text, on_problem, ctx);
out:
    if (ret != NULL)
        *ret = outcome;
    return verdict;
}
