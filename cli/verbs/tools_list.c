/* tools_list.c: cupel tools list: prints tools with the hints of their annotations, or the list for
 * clients. */
#include "cli/verbs/tools.h"

#include <string.h>

/* The hints in the order of the specification.  destructiveHint and idempotentHint have no meaning,
 * and no value, for a tool that only reads. */
static const struct hint {
    const char *name;
    bool only_writing;
    size_t offset;
} hints[] = {
    {"readOnlyHint", false, offsetof(struct cupel_tool_hints, read_only)},
    {"destructiveHint", true, offsetof(struct cupel_tool_hints, destructive)},
    {"idempotentHint", true, offsetof(struct cupel_tool_hints, idempotent)},
    {"openWorldHint", false, offsetof(struct cupel_tool_hints, open_world)},
};

enum { HINTS = sizeof(hints) / sizeof(hints[0]) };

/* By enum cupel_task_support. */
static const char *const task_supports[] = {"forbidden", "optional", "required"};

/* "true", "false", or `none` for a hint without meaning. */
static const char *hint_value(const struct cupel_tool *tool, const struct hint *hint,
                              const char *none)
{
    if (hint->only_writing && tool->hints.read_only)
        return none;
    return *(const int *)(const void *)((const char *)&tool->hints + hint->offset) ? "true"
                                                                                   : "false";
}

/* -- For people ------------------------------------------------------------------------------- */

/* A tool with its verdict, hints, task support and tags. */
static void print_human(struct cupel_text *out, const struct cupel_tool *tool)
{
    cli_add_name(out, tool->id, tool->id_len);
    cupel_text_adds(out, " ");
    cupel_text_add_json(out, tool->label, tool->label_len);
    if (tool->verdict != CUPEL_TOOL_OK)
        cupel_text_addf(out, " (%s)", cupel_tool_verdict_name(tool->verdict));
    if (tool->hidden_text)
        cupel_text_adds(out, " (hidden text)");
    cupel_text_adds(out, "\n");
    for (size_t i = 0; i < HINTS; i++)
        cupel_text_addf(out, "    %-16s %s\n", hints[i].name, hint_value(tool, &hints[i], "n/a"));
    if (tool->task_support != CUPEL_TASK_FORBIDDEN)
        cupel_text_addf(out, "    %-16s %s\n", "taskSupport", task_supports[tool->task_support]);
    for (uint32_t i = 0; tool->tags != NULL && i < tool->tags->count; i++)
        cupel_text_addf(out, "%s%s", i == 0 ? "    tags             " : " ",
                        tool->tags->tags[i].bytes);
    if (tool->tags != NULL && tool->tags->count != 0)
        cupel_text_adds(out, "\n");
}

/* -- For programs ----------------------------------------------------------------------------- */

static void add_member(struct cupel_text *out, const char *name, const char *value, size_t len)
{
    cupel_text_addf(out, ",\"%s\":", name);
    cupel_text_add_json(out, value, len);
}

/* The same as one object; a hint without meaning is null. */
static void print_json(struct cupel_text *out, const struct cupel_tool *tool)
{
    cupel_text_adds(out, "{\"name\":");
    cupel_text_add_json(out, tool->name, tool->name_len);
    add_member(out, "id", tool->id, tool->id_len);
    add_member(out, "label", tool->label, tool->label_len);
    cli_json_string(out, "verdict", cupel_tool_verdict_name(tool->verdict));
    cupel_text_adds(out, ",\"hints\":{");
    for (size_t i = 0; i < HINTS; i++)
        cupel_text_addf(out, "%s\"%s\":%s", i != 0 ? "," : "", hints[i].name,
                        hint_value(tool, &hints[i], "null"));
    cupel_text_adds(out, "}");
    cli_json_string(out, "taskSupport", task_supports[tool->task_support]);
    add_member(out, "version", tool->version, tool->version_len);
    cupel_text_adds(out, ",\"tags\":[");
    for (uint32_t i = 0; tool->tags != NULL && i < tool->tags->count; i++)
        cupel_text_addf(out, "%s\"%s\"", i != 0 ? "," : "", tool->tags->tags[i].bytes);
    cupel_text_addf(out, "],\"output\":%s", tool->output != NULL ? "true" : "false");
    cupel_text_addf(out, ",\"hidden_text\":%s}", tool->hidden_text ? "true" : "false");
}

/* -- As clients see it ------------------------------------------------------------------------ */

/* Prints the page of a tools/list result that --cursor names. */
static int print_wire(const struct cli_settings *settings, const struct cupel_catalog *catalog,
                      struct cupel_text *out)
{
    const char *cursor = settings->cursor;
    size_t len = cursor != NULL ? strlen(cursor) : 0;
    if (cupel_catalog_list_write(catalog, cursor, len, settings->page, out) != CUPEL_OK) {
        cli_print_error("--cursor: \"%s\" is none of this list's", cursor);
        return CLI_USAGE;
    }
    cupel_text_adds(out, "\n");
    return CLI_VALID;
}

/* -- The verb --------------------------------------------------------------------------------- */

static void print_all(const struct cli_settings *settings, const struct cupel_catalog *catalog,
                      struct cupel_text *out)
{
    bool json = settings->format == CLI_FORMAT_JSON;
    cupel_text_adds(out, json ? "{\"tools\":[" : "");
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
        if (json && i != 0)
            cupel_text_adds(out, ",");
        if (json)
            print_json(out, tool);
        else
            print_human(out, tool);
    }
    cupel_text_adds(out, json ? "]}\n" : "");
}

int cli_run_tools_list(struct cli_settings *settings)
{
    struct cupel_text out;
    struct cupel_catalog *catalog = NULL;
    if (settings->count == 0)
        return cli_usage(CLI_VERB_TOOLS_LIST);
    int status = cli_load_catalogs(settings, settings->arguments, settings->count, &catalog);
    if (status != CLI_VALID)
        return status;
    cupel_text_init(&out, NULL);
    if (settings->wire)
        status = print_wire(settings, catalog, &out);
    else
        print_all(settings, catalog, &out);
    cli_flush(&out);
    cupel_text_free(&out);
    cupel_catalog_free(catalog);
    return status;
}
