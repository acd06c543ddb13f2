/* verb_tools_pin.c: cupel tools pin and cupel tools diff: the digests of a list of tools, and what is
 * different about another one. */
#include "tools.h"

#include <string.h>

/* -- Locks from files ------------------------------------------------------------------------- */

static int take_lock(const struct cupel_catalog *catalog, const char *name, struct cupel_lock **ret)
{
    struct cupel_error err = {0};
    enum cupel_status status = cupel_lock_take(catalog, ret, &err);
    if (status == CUPEL_OK)
        return CLI_VALID;
    cli_schema_error(name, &err);
    return status == CUPEL_E_UNSUPPORTED ? CLI_UNDECIDED : CLI_INTERNAL;
}

/* Whether the text means to be a lock file, sound or not. */
static bool is_lock(const struct cli_settings *settings, const struct cli_file *file)
{
    struct cupel_document *doc = NULL;
    struct cupel_options options = settings->engine;
    options.limits.body_bytes = file->text.len;
    bool found = cupel_document_new(&options, &doc) == CUPEL_OK &&
                 cupel_document_read(doc, file->text.bytes, file->text.len, NULL) == CUPEL_OK &&
                 cupel_json_member(doc, 0, "cupelLock", 9) != CUPEL_NO_NODE;
    cupel_document_free(doc);
    return found;
}

static int read_lock(const struct cli_file *file, struct cupel_lock **ret)
{
    struct cupel_error err = {0};
    err.status = cupel_lock_read(NULL, file->text.bytes, file->text.len, ret, &err);
    if (err.status == CUPEL_OK)
        return CLI_VALID;
    cli_schema_error(file->name, &err);
    return CLI_INPUT;
}

/* A lock file as it is, or the lock of a list of tools. */
static int load_lock(const struct cli_settings *settings, const char *path, struct cupel_lock **ret)
{
    struct cli_file file;
    struct cupel_catalog *catalog = NULL;
    int status = CLI_INPUT;
    if (!cli_read(path, &file))
        goto out;
    if (is_lock(settings, &file)) {
        status = read_lock(&file, ret);
        goto out;
    }
    status = cli_load_catalog(settings, &file, &catalog);
    if (status == CLI_VALID)
        status = take_lock(catalog, file.name, ret);
out:
    cupel_catalog_free(catalog);
    cli_file_free(&file);
    return status;
}

int cli_run_tools_pin(struct cli_settings *settings)
{
    struct cupel_catalog *catalog = NULL;
    struct cupel_lock *lock = NULL;
    struct cupel_text text;
    if (settings->count == 0)
        return cli_usage(CLI_VERB_TOOLS_PIN);
    int status = cli_load_catalogs(settings, settings->arguments, settings->count, &catalog);
    if (status == CLI_VALID)
        status = take_lock(catalog, settings->arguments[0], &lock);
    cupel_text_init(&text, NULL);
    if (status == CLI_VALID) {
        cupel_lock_write(lock, &text);
        status = cli_write(settings->output, text.bytes, text.len);
    }
    cupel_text_free(&text);
    cupel_lock_free(lock);
    cupel_catalog_free(catalog);
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

static int print_change(void *ctx, const struct cupel_change *change)
{
    struct printer *printer = ctx;
    struct cupel_text *out = &printer->out;
    const char *kind = cupel_change_kind_name(change->kind);
    if (!printer->json) {
        cupel_text_addf(out, "%-8s ", kind);
        cli_add_name(out, change->name, change->name_len);
        print_parts(out, change->parts, ": ", "");
        cupel_text_adds(out, change->order_only ? " (order alone)\n" : "\n");
        return 0;
    }
    cupel_text_adds(out, printer->count++ != 0 ? ",{\"name\":" : "{\"name\":");
    cupel_text_json(out, change->name, change->name_len);
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
            cupel_list_changed_write(&printer->out);
        cupel_text_adds(&printer->out, changes != 0 ? "}\n" : "null}\n");
    } else {
        cupel_text_addf(&printer->out, "%u changes\n", (unsigned)changes);
    }
    return changes;
}

int cli_run_tools_diff(struct cli_settings *settings)
{
    struct cupel_lock *before = NULL, *after = NULL;
    struct printer printer = {.json = settings->format == CLI_FORMAT_JSON};
    if (settings->count != 2)
        return cli_usage(CLI_VERB_TOOLS_DIFF);
    cupel_text_init(&printer.out, NULL);
    int status = load_lock(settings, settings->arguments[0], &before);
    if (status == CLI_VALID)
        status = load_lock(settings, settings->arguments[1], &after);
    if (status == CLI_VALID && print_diff(&printer, before, after) != 0)
        status = CLI_INVALID;
    cli_flush(&printer.out);
    cupel_text_free(&printer.out);
    cupel_lock_free(before);
    cupel_lock_free(after);
    return status;
}
