/* suite.h: what the files of cupel suite share: the list of known failures, and finding files. */
#ifndef CUPEL_CLI_SUITE_H
#define CUPEL_CLI_SUITE_H

#include "cli.h"

/* A line of the list: where, which group, which test ("*": any), and why. */
struct suite_known {
    char *path, *group, *test; /* parts of one string, which `path` owns */
    uint32_t line, passed, failed;
};

struct suite_list {
    struct suite_known *entries;
    size_t count, capacity;
};

/* Reads the list.  False after saying what is wrong with it. */
bool suite_list_read(struct suite_list *list, const char *path);
void suite_list_free(struct suite_list *list);
/* The entry for a test, or NULL. */
struct suite_known *suite_list_find(struct suite_list *list, const char *path, const char *group,
                                    const char *test);

/* Calls `on_file` for a file, or for every .json file in a folder and below, sorted by name;
 * folders named "optional" below are left out unless `optional`.  False if one cannot be read. */
bool suite_walk(const char *path, bool optional, void (*on_file)(void *ctx, const char *path),
                void *ctx);

/* The folder `remotes` beside the folder `tests` that holds the path, or NULL.  To be freed. */
char *suite_find_remotes(const char *path);

/* The dialect that a folder of the path names, or CUPEL_DIALECT_DEFAULT. */
enum cupel_dialect suite_dialect(const char *path);

#endif
