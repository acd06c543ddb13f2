/* tools.h: catalogs from files, for the verbs on tools (tools.c, tools_persona.c). */
#ifndef CUPEL_CLI_TOOLS_H
#define CUPEL_CLI_TOOLS_H

#include "cli/cli.h"

/* Adds a file's text to *catalog, which is created from the settings if it is NULL; the caller
 * frees it. Returns the exit status, after an error message if it is not CLI_VALID. */
int cli_load_catalog(const struct cli_settings *settings, const struct cli_file *file,
                     struct cupel_catalog **catalog);

/* Warns of what is wrong with a page. */
void cli_check_page(const struct cli_file *file, const struct cupel_list_page *page);
/* Whether a page may be the last of its list; prints an error if not. */
bool cli_check_last_page(const struct cli_file *file, const struct cupel_list_page *page);

/* Loads files, the pages of one list, into one catalog, without --persona.  If the last page is
 * missing or a page follows it, prints an error and sets *ret_whole to false.  Returns the exit
 * status. */
int cli_load_pages(const struct cli_settings *settings, char *const *paths, int count,
                   struct cupel_catalog **ret, bool *ret_whole);

/* Loads files, the pages of one list, into one catalog, reduced by --persona.  Missing pages are a
 * warning.  Returns the exit status. */
int cli_load_catalogs(const struct cli_settings *settings, char *const *paths, int count,
                      struct cupel_catalog **ret);

/* Checks the file of --initialize and appends its verdict, for people or as a JSON value.  Returns
 * the exit status, after an error message if the file holds no answer. */
int cli_check_initialize(const struct cli_settings *settings, struct cupel_text *out);

/* Replaces *catalog by one with the tools that --persona allows.  Returns the exit status, after an
 * error message if it is not CLI_VALID. */
int cli_apply_persona(const struct cli_settings *settings, struct cupel_catalog **catalog);

#endif
