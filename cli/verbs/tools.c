/* tools.c: loads catalogs from files (tools.h). */
#include "cli/verbs/tools.h"

#include <string.h>

static enum cupel_status new_catalog(const struct cli_settings *settings,
                                     struct cupel_catalog **ret)
{
    struct cupel_catalog_options options;
    cupel_catalog_options_init(&options);
    options.engine = &settings->engine;
    options.profile = settings->profile;
    options.names = settings->names;
    options.flags = settings->mcp_flags;
    options.target = settings->target;
    options.clock = cli_clock;
    return cupel_catalog_new(&options, ret);
}

int cli_load_catalog(const struct cli_settings *settings, const struct cli_file *file,
                     struct cupel_catalog **catalog)
{
    struct cupel_error err;
    memset(&err, 0, sizeof(err));
    err.status = *catalog == NULL ? new_catalog(settings, catalog) : CUPEL_OK;
    if (err.status == CUPEL_OK)
        err.status = cupel_catalog_add(*catalog, file->text.bytes, file->text.len, &err);
    if (err.status == CUPEL_OK)
        return CLI_VALID;
    cli_schema_error(file->name, &err);
    return cli_read_exit(err.status);
}

void cli_check_page(const struct cli_file *file, const struct cupel_list_page *page)
{
    if (page->null_cursor)
        cli_print_error("%s: nextCursor is null; it is taken for absent", file->name);
}

bool cli_check_last_page(const struct cli_file *file, const struct cupel_list_page *page)
{
    if (page->next_cursor == NULL)
        return true;
    cli_print_error("%s: the list is not complete: its nextCursor stands for another page",
                    file->name);
    return false;
}

/* Adds a page to the catalog of the pages before it. */
static int load_page(const struct cli_settings *settings, const struct cli_file *file,
                     struct cupel_catalog **catalog, bool *whole)
{
    if (*catalog != NULL && cupel_catalog_last_page(*catalog)->next_cursor == NULL) {
        cli_print_error(
            "%s: this page follows one without nextCursor, which is the last of its list",
            file->name);
        *whole = false;
    }
    int status = cli_load_catalog(settings, file, catalog);
    if (status == CLI_VALID)
        cli_check_page(file, cupel_catalog_last_page(*catalog));
    return status;
}

int cli_load_pages(const struct cli_settings *settings, char *const *paths, int count,
                   struct cupel_catalog **ret, bool *ret_whole)
{
    struct cupel_catalog *catalog = NULL;
    int status = CLI_VALID;
    *ret_whole = true;
    for (int i = 0; i < count && status == CLI_VALID; i++) {
        struct cli_file file;
        status =
            cli_read(paths[i], &file) ? load_page(settings, &file, &catalog, ret_whole) : CLI_INPUT;
        if (status == CLI_VALID && i == count - 1)
            *ret_whole &= cli_check_last_page(&file, cupel_catalog_last_page(catalog));
        cli_file_free(&file);
    }
    if (status == CLI_VALID)
        *ret = catalog;
    else
        cupel_catalog_free(catalog);
    return status;
}

int cli_load_catalogs(const struct cli_settings *settings, char *const *paths, int count,
                      struct cupel_catalog **ret)
{
    struct cupel_catalog *catalog = NULL;
    bool whole;
    int status = cli_load_pages(settings, paths, count, &catalog, &whole);
    if (status == CLI_VALID)
        status = cli_apply_persona(settings, &catalog);
    if (status == CLI_VALID)
        *ret = catalog;
    else
        cupel_catalog_free(catalog);
    return status;
}
