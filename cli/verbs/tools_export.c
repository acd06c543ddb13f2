/* tools_export.c: cupel tools export: rewrites tools so that a vendor of models accepts them.
 *
 * The standard output has one list of tools.  Changes go to the standard error, with --format json
 * to the list.  A file of -o is replaced only if all inputs could be read. */
#include "cli/verbs/tools.h"

#include <string.h>

struct session {
    struct cli_settings *settings;
    struct cupel_document *doc;
    struct cupel_text tools, changes;
    uint32_t count, change_count;
    const char *file;
    const char *name; /* of the tool at hand */
    size_t name_len;
    bool lost;   /* an exported schema lacks a constraint of the original */
    bool unread; /* an input holds no list that can be read */
};

/* -- Changes ---------------------------------------------------------------------------------- */

/* Appends a change to the list for programs, or a line for people. */
static int on_change(void *ctx, const struct cupel_rule_problem *change)
{
    struct session *s = ctx;
    struct cupel_text *text = &s->changes;
    s->lost |= change->severity != CUPEL_SEVERITY_INFO;
    if (s->settings->format == CLI_FORMAT_JSON) {
        cupel_text_adds(text, s->change_count++ != 0 ? ",{\"tool\":" : "{\"tool\":");
        cupel_text_add_json(text, s->name, s->name_len);
        cli_json_string(text, "rule", change->rule);
        cli_json_string(text, "severity", cupel_severity_name(change->severity));
        cli_json_string(text, "part", cupel_part_name(change->part));
        cli_json_string(text, "pointer", change->pointer);
        cli_json_string(text, "message", change->message);
        cupel_text_adds(text, "}");
        return 0;
    }
    struct cupel_text name;
    cupel_text_init(&name, NULL);
    cupel_text_add_json(&name, s->name, s->name_len);
    cli_add_line(text, "%s: %s %s[%s] %s %s: %s", s->file, name.failed ? "" : name.bytes,
                 cupel_severity_name(change->severity), change->rule, cupel_part_name(change->part),
                 change->pointer, change->message);
    text->failed |= name.failed;
    cupel_text_free(&name);
    return 0;
}

/* -- Tools ------------------------------------------------------------------------------------ */

/* Copies the name of a tool for messages; "" if it has none. */
static void take_name(struct session *s, uint32_t tool)
{
    s->name = "";
    s->name_len = 0;
    if (cupel_json_type(s->doc, tool) != CUPEL_JSON_OBJECT)
        return;
    uint32_t name = cupel_json_member(s->doc, tool, "name", 4);
    if (name != CUPEL_NO_NODE && cupel_json_type(s->doc, name) == CUPEL_JSON_STRING)
        s->name = cupel_json_string(s->doc, name, &s->name_len);
}

/* Whether the inputSchema of a tool is refused as no schema, with an error message.  The text of
 * the schema is compiled, rather than its node in the catalog: that costs what this schema costs,
 * however many tools there are.  Schemas that reach a limit or have references that lead nowhere
 * are exported as far as that goes. */
static bool refuse_schema(struct session *s, uint32_t tool)
{
    struct cupel_options options = s->settings->engine;
    struct cupel_program *program = NULL;
    struct cupel_error err = {.status = CUPEL_OK};
    size_t len;
    if (cupel_json_type(s->doc, tool) != CUPEL_JSON_OBJECT)
        return false;
    uint32_t schema = cupel_json_member(s->doc, tool, "inputSchema", 11);
    if (schema == CUPEL_NO_NODE || cupel_json_type(s->doc, schema) != CUPEL_JSON_OBJECT)
        return false;
    const char *text = cupel_json_span(s->doc, schema, &len);
    options.flags |= CUPEL_NO_REPORT;
    err.status = cupel_compile(text, len, &options, &program, &err);
    cupel_program_free(program);
    if (err.status != CUPEL_E_SCHEMA)
        return false;
    cli_print_error("%s: a tool is left out: its inputSchema%s%s is no schema: %s", s->file,
                    err.where[0] != '\0' ? " at " : "", err.where, err.detail);
    return true;
}

static int export_tool(struct session *s, uint32_t tool)
{
    const struct cli_settings *settings = s->settings;
    take_name(s, tool);
    if (refuse_schema(s, tool))
        return CLI_SCHEMA;
    size_t before = s->tools.len;
    cupel_text_adds(&s->tools, s->count != 0 ? ",\n" : "\n");
    enum cupel_status status = cupel_target_export(s->doc, tool, settings->target,
                                                   &settings->engine, &s->tools, on_change, s);
    if (status == CUPEL_OK) {
        s->count++;
        return s->lost ? CLI_INVALID : CLI_VALID;
    }
    s->tools.len = before;
    cli_print_error("%s: a tool is left out: %s", s->file,
                    status == CUPEL_E_ARGUMENT ? "it has no inputSchema that is an object"
                                               : cupel_status_message(status));
    return status == CUPEL_E_ARGUMENT ? CLI_INVALID : CLI_UNDECIDED;
}

/* Adds the tools of one file to the list.  A tool that cannot be exported is left out, with an
 * error message. Returns the exit status. */
static int export_file(struct session *s, const char *path)
{
    struct cli_file file;
    struct cupel_error err;
    int worst = CLI_INPUT;
    memset(&err, 0, sizeof(err));
    s->file = NULL;
    if (!cli_read(path, &file))
        goto out;
    err.status = cupel_document_read(s->doc, file.text.bytes, file.text.len, &err);
    if (err.status != CUPEL_OK) {
        cli_schema_error(file.name, &err);
        worst = cli_read_exit(err.status);
        goto out;
    }
    struct cupel_list_page page;
    err.status = cupel_list_page_read(s->doc, &page, &err);
    if (err.status != CUPEL_OK) {
        cli_schema_error(file.name, &err);
        goto out;
    }
    s->file = file.name;
    cli_check_page(&file, &page);
    cli_check_last_page(&file, &page);
    uint32_t list = page.tools;
    worst = CLI_VALID;
    uint32_t tool = cupel_json_first(s->doc, list);
    for (; tool != CUPEL_NO_NODE; tool = cupel_json_next(s->doc, list, tool))
        worst = cli_worst(worst, export_tool(s, tool));
out:
    s->unread |= s->file == NULL;
    cli_file_free(&file);
    return worst;
}

/* Whether the list must not go to the file of -o: it would lack the tools of an input. */
static bool keeps_file(const struct session *s)
{
    const char *path = s->settings->output;
    if (!s->unread || path == NULL || strcmp(path, "-") == 0)
        return false;
    cli_print_error("%s: is not written, because not all inputs could be read", path);
    return true;
}

/* Ends the list and writes it. */
static int print(struct session *s)
{
    bool json = s->settings->format == CLI_FORMAT_JSON;
    cupel_text_adds(&s->tools, "\n]");
    if (json) {
        cupel_text_adds(&s->tools, ",\"changes\":[");
        cupel_text_add(&s->tools, s->changes.bytes, s->changes.len);
        cupel_text_adds(&s->tools, "]");
    } else if (s->changes.len != 0 && !s->changes.failed) {
        cli_flush_to(stderr, &s->changes);
    }
    cupel_text_adds(&s->tools, "}\n");
    s->tools.failed |= s->changes.failed;
    if (keeps_file(s))
        return CLI_VALID;
    if (!s->tools.failed && s->settings->output != NULL)
        return cli_write(s->settings->output, s->tools.bytes, s->tools.len);
    cli_flush(&s->tools);
    return CLI_VALID;
}

/* Exports all catalogs into one list.  The exit status is CLI_INVALID if a constraint was lost. */
int cli_run_tools_export(struct cli_settings *settings)
{
    struct session s = {.settings = settings};
    struct cupel_options options = settings->engine;
    int worst = CLI_VALID;
    if (settings->count == 0 || settings->target == CUPEL_TARGET_NONE)
        return cli_usage(CLI_VERB_TOOLS_EXPORT);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = (size_t)16 << 20;
    options.limits[CUPEL_LIMIT_DEPTH] = 2048;
    if (cupel_document_new(&options, &s.doc) != CUPEL_OK) {
        cli_print_error("out of memory");
        return CLI_INTERNAL;
    }
    cupel_text_init(&s.tools, NULL);
    cupel_text_init(&s.changes, NULL);
    cupel_text_adds(&s.tools, "{\"tools\":[");
    for (int i = 0; i < settings->count; i++)
        worst = cli_worst(worst, export_file(&s, settings->arguments[i]));
    worst = cli_worst(worst, print(&s));
    cupel_document_free(s.doc);
    cupel_text_free(&s.tools);
    cupel_text_free(&s.changes);
    return worst;
}
