/* schema.c: the schemas of a tool: the rules for their roots, and their programs.
 *
 * A program comes from one of three sources: an earlier catalog that compiled the same text with
 * the same options, the image of a catalog, or the compiler.  Programs are reference-counted,
 * because catalogs that replace each other share them across threads.
 *
 * Patterns of all tools share limits.catalog_pattern_steps, so that many tools with expensive
 * patterns cost no more than a few; a tool after which the steps are used up is refused with a rule
 * of its own. */
#include "mcp/definition/check.h"
#include "mcp/text/untrusted.h"

#include <string.h>

/* Returns the rule under which a refusal of the compiler is reported. */
static enum cupel__mcp_rule rule_of_status(enum cupel_status status)
{
    switch (status) {
    case CUPEL_E_SCHEMA:
    case CUPEL_E_FORMAT:
        return CUPEL__RULE_SCHEMA_INVALID;
    case CUPEL_E_DIALECT:
        return CUPEL__RULE_SCHEMA_DIALECT;
    case CUPEL_E_UNRESOLVED_REF:
        return CUPEL__RULE_SCHEMA_REFERENCE;
    case CUPEL_E_REF_CYCLE:
        return CUPEL__RULE_SCHEMA_CYCLE;
    case CUPEL_E_PATTERN:
    case CUPEL_E_PATTERN_SIZE:
    case CUPEL_E_PATTERN_STEPS:
    case CUPEL_E_BACK_REFERENCE:
        return CUPEL__RULE_SCHEMA_PATTERN;
    case CUPEL_E_CATALOG_PATTERNS:
        return CUPEL__RULE_CATALOG_PATTERNS;
    case CUPEL_E_UNSUPPORTED:
        return CUPEL__RULE_SCHEMA_UNSUPPORTED;
    case CUPEL_E_SCHEMA_DEPTH:
        return CUPEL__RULE_SCHEMA_DEPTH;
    case CUPEL_E_SCHEMA_SIZE:
    case CUPEL_E_IMAGE_SIZE:
        return CUPEL__RULE_SCHEMA_SIZE;
    case CUPEL_E_IDENTIFIER:
        return CUPEL__RULE_SCHEMA_IDENTIFIER;
    default: /* a text of the resolver that is no JSON, or a bug of cupel */
        return status <= CUPEL_E_SYNTAX ? CUPEL__RULE_SCHEMA_TEXT : CUPEL__RULE_SCHEMA_INTERNAL;
    }
}

/* -- Rules of the specification --------------------------------------------------------------- */

/* The root must have "type": "object". */
static void check_root_type(struct cupel__mcp_check *check, enum cupel_part part, uint32_t schema)
{
    uint32_t type = cupel_json_member(check->doc, schema, "type", 4);
    if (type == CUPEL_NO_NODE)
        cupel__mcp_problem(check, CUPEL__RULE_ROOT_TYPE, part, schema, "",
                           "the root has no type; it must be \"object\"");
    else if (cupel_json_type(check->doc, type) != CUPEL_JSON_STRING)
        cupel__mcp_problem(check, CUPEL__RULE_ROOT_TYPE, part, type, "/type",
                           "the root type must be the string \"object\" alone");
    else if (!cupel_json_is(check->doc, type, "object"))
        cupel__mcp_problem(check, CUPEL__RULE_ROOT_TYPE, part, type, "/type",
                           "the root type must be \"object\"");
}

/* Whether the node is an object: MCP has no boolean schemas at the root. */
static bool check_is_schema(struct cupel__mcp_check *check, enum cupel_part part, uint32_t schema)
{
    static const char *const found[] = {"null", "a boolean", "a number", "a string", "an array"};
    enum cupel_json_type type = cupel_json_type(check->doc, schema);
    if (type == CUPEL_JSON_OBJECT)
        return true;
    enum cupel__mcp_rule rule =
        type == CUPEL_JSON_NULL ? CUPEL__RULE_SCHEMA_NULL : CUPEL__RULE_SCHEMA_OBJECT;
    return cupel__mcp_problem(check, rule, part, schema, "", "%s must be an object, and is %s",
                              cupel_part_name(part), found[type]);
}

/* The part of a URI behind http:// or https://; *len becomes its length. */
static const char *without_scheme(const char *uri, size_t *len)
{
    static const char *const schemes[] = {"https://", "http://"};
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        size_t n = strlen(schemes[i]);
        if (*len >= n && memcmp(uri, schemes[i], n) == 0) {
            *len -= n;
            return uri + n;
        }
    }
    return uri;
}

/* Warns of dialects that few other implementations support, and of spellings of the others that
 * only some accept.  The compiler refuses unknown ones. */
static void check_dialect(struct cupel__mcp_check *check, enum cupel_part part, uint32_t schema)
{
    static const char *const portable[] = {"https://json-schema.org/draft/2020-12/schema",
                                           "http://json-schema.org/draft-07/schema"};
    size_t len;
    uint32_t node = cupel_json_member(check->doc, schema, "$schema", 7);
    const char *uri = node != CUPEL_NO_NODE ? cupel_json_string(check->doc, node, &len) : NULL;
    if (uri == NULL)
        return;
    size_t plain = len - (len != 0 && uri[len - 1] == '#'), rest = plain;
    const char *path = without_scheme(uri, &rest);
    for (size_t i = 0; i < sizeof(portable) / sizeof(portable[0]); i++) {
        size_t known = strlen(portable[i]), tail = known;
        const char *known_path = without_scheme(portable[i], &tail);
        if (tail != rest || memcmp(known_path, path, rest) != 0)
            continue;
        if (known != plain)
            cupel__mcp_problem(check, CUPEL__RULE_DIALECT_PORTABLE, part, node, "/$schema",
                               "the dialect %s is spelt %s by the standard, and other "
                               "implementations know only that",
                               cupel__mcp_quote(check, uri, len), portable[i]);
        return;
    }
    cupel__mcp_problem(check, CUPEL__RULE_DIALECT_PORTABLE, part, node, "/$schema",
                       "the dialect %s is neither 2020-12 nor draft-07",
                       cupel__mcp_quote(check, uri, plain));
}

/* Reports the first property whose schema is a boolean. */
static void report_boolean_property(struct cupel__mcp_check *check, enum cupel_part part,
                                    uint32_t schema)
{
    uint32_t map = cupel_json_member(check->doc, schema, "properties", 10);
    if (map == CUPEL_NO_NODE || cupel_json_type(check->doc, map) != CUPEL_JSON_OBJECT)
        return;
    uint32_t key = cupel_json_first(check->doc, map);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(check->doc, map, key + 1)) {
        if (cupel_json_type(check->doc, key + 1) != CUPEL_JSON_BOOLEAN)
            continue;
        cupel__mcp_problem(check, CUPEL__RULE_PROPERTY_BOOLEAN, part, key + 1, "/properties",
                           "before version 2026-07-28 the schema of a property is an object");
        return;
    }
}

/* -- Programs --------------------------------------------------------------------------------- */

struct cupel__mcp_program *cupel__mcp_program_hold(struct cupel__mcp_program *program)
{
    atomic_fetch_add_explicit(&program->holders, 1, memory_order_relaxed);
    return program;
}

/* NULL is allowed. */
void cupel__mcp_program_drop(struct cupel__mcp_program *program)
{
    /* acq_rel: the last holder must see all that the others did before they dropped the program. */
    if (program == NULL ||
        atomic_fetch_sub_explicit(&program->holders, 1, memory_order_acq_rel) != 1)
        return;
    struct cupel_alloc alloc = program->alloc;
    cupel_program_free(program->program);
    alloc.realloc(alloc.ctx, program, sizeof(*program), 0);
}

/* -- Compiling -------------------------------------------------------------------------------- */

static uint64_t now(const struct cupel_catalog_options *options)
{
    return options->clock != NULL ? options->clock(options->clock_ctx) : 0;
}

/* Reports a refusal of the compiler. */
static void report_refusal(struct cupel__mcp_check *check, enum cupel_part part, uint32_t schema,
                           const struct cupel_error *err)
{
    cupel_text_clear(&check->text);
    cupel__add_untrusted(&check->text, err->detail, strlen(err->detail), sizeof(err->detail));
    check->no_memory |= check->text.failed != 0;
    uint32_t before = check->count;
    cupel__mcp_problem(check, rule_of_status(err->status), part, schema, err->where, "%s",
                       check->text.failed ? "" : check->text.bytes);
    if (check->count == before)
        return;
    check->problems[before].status = err->status;
    if (err->offset != 0)
        check->problems[before].offset = check->tool_offset + err->offset;
}

/* Returns the program of the same schema text in the earlier catalog, or NULL. */
static struct cupel__mcp_program *find_shared(struct cupel__mcp_check *check,
                                              const struct cupel__mcp_slice *text)
{
    if (check->shared_texts == NULL)
        return NULL;
    const struct cupel__mcp_name *found =
        cupel__mcp_names_find(check->shared_texts, text->bytes, text->len);
    if (found == NULL)
        return NULL;
    check->tool->view.shared++;
    const struct cupel__mcp_tool *tool = check->shared_tools[found->value / CUPEL__MCP_SCHEMAS];
    return cupel__mcp_program_hold(tool->programs[found->value % CUPEL__MCP_SCHEMAS]);
}

/* Wraps a new program with a count of 1.  Takes ownership: frees it when out of memory. */
static struct cupel__mcp_program *wrap(struct cupel__mcp_check *check,
                                       struct cupel_program *program)
{
    struct cupel_alloc alloc = check->pool->alloc;
    struct cupel__mcp_program *wrapper = alloc.realloc(alloc.ctx, NULL, 0, sizeof(*wrapper));
    if (wrapper == NULL) {
        check->no_memory = true;
        cupel_program_free(program);
        return NULL;
    }
    struct cupel_program_info info;
    cupel_program_info(program, &info);
    wrapper->program = program;
    wrapper->alloc = alloc;
    wrapper->image_bytes = info.image_bytes;
    atomic_init(&wrapper->holders, 1);
    return wrapper;
}

/* Returns the options for one schema: its patterns charge the remaining steps of the catalog. */
static struct cupel_options compile_options(const struct cupel__mcp_check *check)
{
    struct cupel_options engine = *check->options->engine;
    engine.pattern_budget = check->pattern_steps;
    return engine;
}

/* Compiles a schema; NULL if it was refused.  A refusal for PATTERN_STEPS is reported under another
 * rule if the tools before it used up the catalog's steps. */
static struct cupel__mcp_program *compile(struct cupel__mcp_check *check, enum cupel_part part,
                                          uint32_t schema)
{
    struct cupel_program *program = NULL;
    struct cupel_error err;
    memset(&err, 0, sizeof(err));
    uint64_t start = now(check->options);
    const struct cupel_options engine = compile_options(check);
    const bool little = *check->pattern_steps < engine.limits[CUPEL_LIMIT_PATTERN_STEPS];
    err.status = cupel_compile_node(check->doc, schema, &engine, &program, &err);
    check->tool->view.compile_ns += now(check->options) - start;
    if (err.status == CUPEL_OK)
        return wrap(check, program);
    if (err.status == CUPEL_E_PATTERN_STEPS && little) {
        static const char detail[] = "the tools before it leave too few steps for its patterns";
        err.status = CUPEL_E_CATALOG_PATTERNS;
        memcpy(err.detail, detail, sizeof(detail));
    }
    if (err.status == CUPEL_E_NO_MEMORY)
        check->no_memory = true;
    else
        report_refusal(check, part, schema, &err);
    return NULL;
}

/* -- Programs from an image (catalog/image.c) -------------------------------------------------- */

/* Reports the refusal that the image stores. */
static void report_stored_refusal(struct cupel__mcp_check *check, enum cupel_part part,
                                  uint32_t schema, const struct cupel__mcp_stored *stored)
{
    uint32_t before = check->count;
    cupel__mcp_problem(check, rule_of_status(stored->refusal.status), part, schema,
                       stored->refusal.pointer, "%s", stored->refusal.message);
    if (check->count == before)
        return;
    check->problems[before].status = stored->refusal.status;
    check->problems[before].offset = check->tool_offset + stored->refusal.offset;
}

/* Loads a program.  Loading charges no more steps for patterns than compiling did. */
static enum cupel_status load_program(const struct cupel__mcp_check *check,
                                      const struct cupel__mcp_stored *stored,
                                      struct cupel_program **ret, struct cupel_error *err)
{
    const struct cupel_options engine = compile_options(check);
    return cupel_program_load(stored->image, stored->len, stored->flags, &engine, ret, err);
}

/* Returns the program that the image has for a schema; NULL if it has a refusal, or is wrong
 * (check->stored_error). */
static struct cupel__mcp_program *load_stored(struct cupel__mcp_check *check, enum cupel_part part,
                                              uint32_t schema,
                                              const struct cupel__mcp_stored *stored)
{
    struct cupel_program *program = NULL;
    if (stored->kind == CUPEL__STORED_REFUSAL) {
        report_stored_refusal(check, part, schema, stored);
        return NULL;
    }
    struct cupel_error *err = &check->stored_error;
    if (stored->kind == CUPEL__STORED_NOTHING)
        cupel__mcp_refuse(err, CUPEL_E_BAD_IMAGE, "the image lacks a program");
    else
        err->status = load_program(check, stored, &program, err);
    check->no_memory |= err->status == CUPEL_E_NO_MEMORY;
    return program != NULL ? wrap(check, program) : NULL;
}

/* -- Both schemas ----------------------------------------------------------------------------- */

/* Checks a schema and keeps its program, if there is one. */
static void check_schema(struct cupel__mcp_check *check, enum cupel_part part, uint32_t schema)
{
    struct cupel__mcp_tool *tool = check->tool;
    enum cupel_mcp_profile profile = check->options->profile;
    int which = part == CUPEL_PART_INPUT ? CUPEL__MCP_INPUT : CUPEL__MCP_OUTPUT;
    struct cupel__mcp_slice *text = &tool->schemas[which];
    const char *span = cupel_json_span(check->doc, schema, &text->len);
    text->bytes = tool->view.text + (span - check->tool_span);
    if (!check_is_schema(check, part, schema))
        return;
    if (part == CUPEL_PART_INPUT || profile < CUPEL_MCP_2026_07_28)
        check_root_type(check, part, schema);
    if (profile < CUPEL_MCP_2026_07_28)
        report_boolean_property(check, part, schema);
    tool->programs[which] = find_shared(check, text);
    if (tool->programs[which] == NULL)
        tool->programs[which] = check->stored != NULL
                                    ? load_stored(check, part, schema, &check->stored[which])
                                    : compile(check, part, schema);
    cupel__mcp_check_subschemas(check, part, schema);
    if (tool->programs[which] == NULL)
        return;
    check_dialect(check, part, schema);
    tool->view.image_bytes += tool->programs[which]->image_bytes;
}

static const struct cupel_program *program_of(const struct cupel__mcp_tool *tool, int which)
{
    return tool->programs[which] != NULL ? tool->programs[which]->program : NULL;
}

/* Profiles before 2025-06-18 have no outputSchema. */
void cupel__mcp_check_schemas(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t input = cupel_json_member(check->doc, tool, "inputSchema", 11);
    uint32_t output = cupel_json_member(check->doc, tool, "outputSchema", 12);
    if (check->no_memory)
        return;
    if (input == CUPEL_NO_NODE)
        cupel__mcp_problem(check, CUPEL__RULE_INPUT_MISSING, CUPEL_PART_TOOL, tool, "",
                           "the tool has no inputSchema");
    else
        check_schema(check, CUPEL_PART_INPUT, input);
    check->tool->view.input = program_of(check->tool, CUPEL__MCP_INPUT);
    if (output != CUPEL_NO_NODE && check->options->profile >= CUPEL_MCP_2025_06_18)
        check_schema(check, CUPEL_PART_OUTPUT, output);
    check->tool->view.output = program_of(check->tool, CUPEL__MCP_OUTPUT);
}
