/* tools.h: what the tools verbs share: a catalog from a file. */
#ifndef CUPEL_CLI_TOOLS_H
#define CUPEL_CLI_TOOLS_H

#include "cli.h"

/* Makes a catalog of a file's text by the settings.  The exit status; says what is wrong with the
 * text. */
int cli_load_catalog(const struct cli_settings *settings, const struct cli_file *file,
                     struct cupel_catalog **ret);

#endif
