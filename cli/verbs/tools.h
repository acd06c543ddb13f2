/* tools.h: what the verbs on tools share (tools.c). */
#ifndef CUPEL_CLI_TOOLS_H
#define CUPEL_CLI_TOOLS_H

#include "cli/cli.h"

/* Adds a file's text to *catalog, which is made by the settings if it is NULL, and is the caller's
 * to free.  The exit status; says what is wrong with the text. */
int cli_load_catalog(const struct cli_settings *settings, const struct cli_file *file,
                     struct cupel_catalog **catalog);

/* Says what is wrong with a page that was read. */
void cli_check_page(const struct cli_file *file, const struct cupel_list_page *page);
/* Whether a page may be the last one of its list; says so if not. */
bool cli_check_last_page(const struct cli_file *file, const struct cupel_list_page *page);

/* One catalog of all the files, which are the pages of one list, before --persona is applied.  Says
 * so if pages are missing at the end, or if a page follows one that is the last; *ret_whole is then
 * false.  The exit status. */
int cli_load_pages(const struct cli_settings *settings, char *const *paths, int count,
                   struct cupel_catalog **ret, bool *ret_whole);

/* One catalog of what --persona allows in all the files, which are the pages of one list.  Missing
 * pages are a warning.  The exit status. */
int cli_load_catalogs(const struct cli_settings *settings, char *const *paths, int count,
                      struct cupel_catalog **ret);

/* Puts the catalog of what --persona allows in place of *catalog.  The exit status; says what is
 * wrong. */
int cli_apply_persona(const struct cli_settings *settings, struct cupel_catalog **catalog);

#endif
