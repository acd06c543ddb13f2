/* tools_pin.c: cupel tools pin, which writes the digests of a list of tools, and cupel tools diff,
 * which compares a list with them. */
#include "cli/verbs/tools.h"

#include <string.h>

/* -- Locks from files ------------------------------------------------------------------------- */

/* The exit status if a lock cannot be made or read: undecided for a limit or a build without
 * SHA-256. */
static int lock_exit(enum cupel_status status)
{
    return status == CUPEL_E_UNSUPPORTED ? CLI_UNDECIDED : cli_read_exit(status);
}

static int make_lock(const struct cupel_catalog *catalog, const char *name, struct cupel_lock **ret)
{
    struct cupel_error err = {0};
    enum cupel_status status = cupel_lock_new(catalog, ret, &err);
    if (status == CUPEL_OK)
        return CLI_VALID;
    cli_schema_error(name, &err);
    return lock_exit(status);
}

/* Reads a lock file.  Returns the exit status, after an error message if it is damaged or old. */
static int read_lock(const char *path, struct cupel_lock **ret)
{
    struct cli_file file;
    struct cupel_error err = {0};
    int status = CLI_INPUT;
    if (cli_read(path, &file)) {
        err.status = cupel_lock_load(file.text.bytes, file.text.len, NULL, ret, &err);
        status = err.status == CUPEL_OK ? CLI_VALID : lock_exit(err.status);
    }
    if (err.status != CUPEL_OK)
        cli_schema_error(file.name, &err);
    else if (status == CLI_VALID && cupel_lock_version(*ret) == 1)
        cli_print_error(
            "%s: this is version 1 of lock files, which does not notice damage to the file; "
            "write it "
            "again with tools pin",
            file.name);
    cli_file_free(&file);
    return status;
}

/* Warns of tools with hidden text, which the person who approves them may not have seen. */
static void warn_of_hidden_text(const struct cupel_catalog *catalog, const char *file)
{
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
        struct cupel_text name;
        if (!tool->hidden_text)
            continue;
        cupel_text_init(&name, NULL);
        cli_add_name(&name, tool->name, tool->name_len);
        cli_print_error("%s: %s: warning[hidden-text]: the definition has hidden text", file,
                        name.failed || name.bytes == NULL ? "" : name.bytes);
        cupel_text_free(&name);
    }
}

/* Makes the lock of a list from its pages, without the tools that --persona does not allow. */
static int lock_pages(const struct cli_settings *settings, char *const *paths, int count,
                      struct cupel_lock **ret)
{
    struct cupel_catalog *catalog = NULL;
    bool whole;
    int status = cli_load_pages(settings, paths, count, &catalog, &whole);
    if (status == CLI_VALID && !whole && !settings->partial) {
        cli_print_error(
            "the digests of an incomplete list are not those of the whole list; --partial allows "
            "them");
        status = CLI_INPUT;
    }
    if (status == CLI_VALID)
        status = cli_apply_persona(settings, &catalog);
    if (status == CLI_VALID)
        warn_of_hidden_text(catalog, paths[0]);
    if (status == CLI_VALID)
        status = make_lock(catalog, paths[0], ret);
    cupel_catalog_free(catalog);
    return status;
}

/* Writes the lock of a list to --output. */
int cli_run_tools_pin(struct cli_settings *settings)
{
    struct cupel_lock *lock = NULL;
    struct cupel_text text;
    if (settings->count == 0)
        return cli_usage(CLI_VERB_TOOLS_PIN);
    int status = lock_pages(settings, settings->arguments, settings->count, &lock);
    cupel_text_init(&text, NULL);
    if (status == CLI_VALID) {
        cupel_lock_save(lock, &text);
        status = text.failed ? CLI_INTERNAL : cli_write(settings->output, text.bytes, text.len);
    }
    cupel_text_free(&text);
    cupel_lock_free(lock);
    return status;
}

/* -- Differences ------------------------------------------------------------------------------ */

struct printer {
    struct cupel_text out;
    bool json;
    uint32_t count;
};

static void print_parts(struct cupel_text *out, uint32_t parts, const char *before,
                        const char *quote)
{
    for (int part = CUPEL_PIN_TEXT; part < CUPEL_PIN_PARTS; part++) {
        if (!(parts & 1u << part))
            continue;
        cupel_text_addf(out, "%s%s%s%s", before, quote,
                        cupel_pin_part_name((enum cupel_pin_part)part), quote);
        before = *quote != '\0' ? "," : ", ";
    }
}

/* Prints one difference: a tool and the parts of its definition that changed. */
static int print_change(void *ctx, const struct cupel_change *change)
{
    struct printer *printer = ctx;
    struct cupel_text *out = &printer->out;
    const char *kind = cupel_change_kind_name(change->kind);
    if (!printer->json) {
        cupel_text_addf(out, "%-9s ", kind);
        cli_add_name(out, change->name, change->name_len);
        print_parts(out, change->parts, ": ", "");
        cupel_text_adds(out, change->order_only ? " (order alone)\n" : "\n");
        return 0;
    }
    cupel_text_adds(out, printer->count++ != 0 ? ",{\"name\":" : "{\"name\":");
    cupel_text_add_json(out, change->name, change->name_len);
    cli_json_string(out, "change", kind);
    cupel_text_adds(out, ",\"parts\":[");
    print_parts(out, change->parts, "", "\"");
    cupel_text_addf(out, "],\"orderOnly\":%s}", change->order_only ? "true" : "false");
    return 0;
}

static uint32_t print_diff(struct printer *printer, const struct cupel_lock *before,
                           const struct cupel_lock *after)
{
    cupel_text_adds(&printer->out, printer->json ? "{\"changes\":[" : "");
    uint32_t changes = cupel_lock_diff(before, after, print_change, printer);
    if (printer->json) {
        cupel_text_adds(&printer->out, "],\"notification\":");
        if (changes != 0)
            cupel_text_adds(&printer->out, "{\"jsonrpc\":\"2.0\",\"method\":"
                                           "\"notifications/tools/list_changed\"}");
        cupel_text_adds(&printer->out, changes != 0 ? "}\n" : "null}\n");
    } else {
        cupel_text_addf(&printer->out, "%u changes\n", (unsigned)changes);
    }
    return changes;
}

/* Loads both locks: of what was approved, from --lock or the first list, and of the pages. */
static int load_both(const struct cli_settings *settings, struct cupel_lock **before,
                     struct cupel_lock **after)
{
    int first = settings->lock == NULL;
    int status = first != 0 ? lock_pages(settings, settings->arguments, 1, before)
                            : read_lock(settings->lock, before);
    return status != CLI_VALID
               ? status
               : lock_pages(settings, settings->arguments + first, settings->count - first, after);
}

int cli_run_tools_diff(struct cli_settings *settings)
{
    struct cupel_lock *before = NULL, *after = NULL;
    struct printer printer = {.json = settings->format == CLI_FORMAT_JSON};
    if (settings->count < (settings->lock != NULL ? 1 : 2))
        return cli_usage(CLI_VERB_TOOLS_DIFF);
    cupel_text_init(&printer.out, NULL);
    int status = load_both(settings, &before, &after);
    if (status == CLI_VALID && print_diff(&printer, before, after) != 0)
        status = CLI_INVALID;
    cli_flush(&printer.out);
    cupel_text_free(&printer.out);
    cupel_lock_free(before);
    cupel_lock_free(after);
    return status;
}
