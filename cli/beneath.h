/* beneath.h: opening files beneath a folder by names from strangers. */
#ifndef CUPEL_CLI_BENEATH_H
#define CUPEL_CLI_BENEATH_H

#include <stdbool.h>

/* Whether a path has only components that name something: none is empty, "." or "..". */
bool cli_is_plain_path(const char *path);

/* Opens a regular file for reading by a path from the folder `folder` (a descriptor).  Returns a
 * descriptor, or -1 with the reason in *ret_why, which is valid until the next call. */
int cli_open_beneath(int folder, const char *path, const char **ret_why);

#endif
