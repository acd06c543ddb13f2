/* target.c: checks and exports a tool for a target: its name, its members apart from the schema,
 * and the public functions (cupel/checks.h).  schema.c handles the schema.
 *
 * An export writes all members of the tool in their order and replaces inputSchema only.  The
 * schema is written first, to pass->out, so that a failure leaves the output as it was. */
#include "mcp/options/options.h"
#include "mcp/vendor/pass.h"

#include <string.h>

/* -- Names ------------------------------------------------------------------------------------ */

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Whether the target accepts the name of a tool. */
static bool is_name(const struct cupel__target *target, const char *name, size_t len)
{
    if (len == 0 || len > target->longest)
        return false;
    if ((target->flags & CUPEL__TARGET_LETTER) != 0 && !is_letter(name[0]))
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = name[i];
        if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '-' &&
            (c == '\0' || strchr(target->extra, c) == NULL))
            return false;
    }
    return true;
}

/* Reports a name that the target does not accept. */
static void check_name(struct cupel__target_pass *pass, uint32_t tool)
{
    const struct cupel__target *target = cupel__target_of(pass->target);
    uint32_t node = cupel_json_member(pass->doc, tool, "name", 4);
    size_t len;
    const char *name = node != CUPEL_NO_NODE ? cupel_json_string(pass->doc, node, &len) : NULL;
    if (name == NULL || is_name(target, name, len))
        return;
    pass->part = CUPEL_PART_TOOL;
    cupel__target_report(pass, CUPEL__RULE_TARGET_NAME, CUPEL__TARGET_LOST, node, "name",
                         "%s takes names of at most %zu of A-Z a-z 0-9 _ -%s%s%s", target->name,
                         target->longest, *target->extra != '\0' ? " " : "", target->extra,
                         target->flags & CUPEL__TARGET_LETTER ? ", beginning with a letter" : "");
}

/* The steps of a pass: keywords and members that it visits.  An export that replaces references by
 * their targets visits a schema once for each reference, so the steps are bounded by its size. */
enum { LEAST_STEPS = 65536, STEPS_PER_BYTE = 64 };

/* -- A tool ----------------------------------------------------------------------------------- */

/* Sets limits and allocates the marks; false when out of memory. */
static bool start(struct cupel__target_pass *pass, uint32_t schema,
                  const struct cupel_options *options)
{
    size_t len, limit = options->limits[CUPEL_LIMIT_SCHEMA_BYTES];
    cupel_json_span(pass->doc, schema, &len);
    pass->start = cupel_json_offset(pass->doc, schema);
    pass->end = pass->start + len;
    pass->root = schema;
    pass->flags = cupel__target_of(pass->target)->flags;
    pass->most = limit < SIZE_MAX / 4 ? limit * 4 : SIZE_MAX;
    pass->steps = LEAST_STEPS + (uint64_t)len * STEPS_PER_BYTE;
    pass->marks_bytes = len * CUPEL__TARGET_MARKS / 8 + 1;
    pass->marks = pass->alloc.realloc(pass->alloc.ctx, NULL, 0, pass->marks_bytes);
    if (pass->marks != NULL)
        memset(pass->marks, 0, pass->marks_bytes);
    else
        pass->status = CUPEL_E_NO_MEMORY;
    return pass->marks != NULL;
}

/* Writes the members of a tool, with the exported schema in the place of its own. */
static void write_tool(struct cupel__target_pass *pass, uint32_t tool, struct cupel_text *text)
{
    size_t before = text->len;
    uint32_t key = cupel_json_first(pass->doc, tool);
    cupel_text_adds(text, "{");
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(pass->doc, tool, key + 1)) {
        size_t len;
        const char *span = cupel_json_span(pass->doc, key, &len);
        if (text->len != before + 1)
            cupel_text_adds(text, ",");
        cupel_text_add(text, span, len);
        cupel_text_adds(text, ":");
        span = cupel_json_span(pass->doc, key + 1, &len);
        if (key + 1 == pass->root)
            cupel_text_add(text, pass->out.bytes, pass->out.len);
        else
            cupel_text_add(text, span, len);
    }
    cupel_text_adds(text, "}");
    if (text->failed) {
        text->len = before;
        pass->status = CUPEL_E_NO_MEMORY;
    }
}

/* Returns CUPEL_E_ARGUMENT for a tool without a schema that is an object, otherwise pass->status.
 * `text` is unchanged unless it returns CUPEL_OK. */
enum cupel_status cupel__target_run(struct cupel__target_pass *pass, uint32_t tool,
                                    const struct cupel_options *options, struct cupel_text *text)
{
    uint32_t schema = CUPEL_NO_NODE;
    if (cupel_json_type(pass->doc, tool) == CUPEL_JSON_OBJECT)
        schema = cupel_json_member(pass->doc, tool, "inputSchema", 11);
    if (schema == CUPEL_NO_NODE || cupel_json_type(pass->doc, schema) != CUPEL_JSON_OBJECT)
        return CUPEL_E_ARGUMENT;
    pass->alloc = cupel__mcp_alloc(&options->alloc);
    pass->writes = text != NULL;
    cupel__member_index_init(&pass->index, &pass->alloc);
    cupel_text_init(&pass->out, &pass->alloc);
    cupel_text_init(&pass->pointer, &pass->alloc);
    cupel_text_init(&pass->message, &pass->alloc);
    if (start(pass, schema, options)) {
        check_name(pass, tool);
        pass->part = CUPEL_PART_INPUT;
        cupel__target_schema(pass);
    }
    if (pass->status == CUPEL_OK && (pass->out.failed || pass->message.failed))
        pass->status = CUPEL_E_NO_MEMORY;
    if (pass->status == CUPEL_OK && text != NULL)
        write_tool(pass, tool, text);
    cupel__target_pass_free(pass);
    return pass->status;
}

/* -- Public functions ------------------------------------------------------------------------- */

/* Fills in default options and runs the pass. */
static enum cupel_status run(struct cupel_document *doc, uint32_t tool, enum cupel_target target,
                             const struct cupel_options *given, struct cupel_text *text,
                             cupel_on_rule_problem *on_problem, void *ctx)
{
    struct cupel_options options;
    struct cupel__target_pass pass = {
        .doc = doc, .target = target, .on_problem = on_problem, .ctx = ctx};
    enum cupel_status status = cupel__options_copy(given, &options, NULL);
    if (status != CUPEL_OK)
        return status;
    return doc != NULL && target != CUPEL_TARGET_NONE
               ? cupel__target_run(&pass, tool, &options, text)
               : CUPEL_E_ARGUMENT;
}

enum cupel_status cupel_target_check(struct cupel_document *doc, uint32_t tool,
                                     enum cupel_target target, const struct cupel_options *options,
                                     cupel_on_rule_problem *on_problem, void *ctx)
{
    return run(doc, tool, target, options, NULL, on_problem, ctx);
}

enum cupel_status cupel_target_export(struct cupel_document *doc, uint32_t tool,
                                      enum cupel_target target, const struct cupel_options *options,
                                      struct cupel_text *text, cupel_on_rule_problem *on_change,
                                      void *ctx)
{
    if (text == NULL)
        return CUPEL_E_ARGUMENT;
    return run(doc, tool, target, options, text, on_change, ctx);
}
