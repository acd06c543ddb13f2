/* suite.h: what the files of cupel suite share.
 *
 * Calls go down this list: verbs/suite.c, groups.c, annotations.c and outputs.c, results.c, then
 * known.c, files.c and cases.c. */
#ifndef CUPEL_CLI_SUITE_H
#define CUPEL_CLI_SUITE_H

#include "cli/cli.h"

/* -- Known failures (suite/known.c) ----------------------------------------------------------- */

/* A line of the list: the end of a path, a group, a test ("*": any), and a reason. */
struct suite_known {
    char *path, *group, *test; /* parts of one string, which `path` owns */
    uint32_t line, passed, failed;
};

struct suite_list {
    struct suite_known *entries;
    size_t count, capacity;
};

/* Reads the list.  False after an error message. */
bool suite_list_read(struct suite_list *list, const char *path);
void suite_list_free(struct suite_list *list);
/* The entry for a test, or NULL. */
struct suite_known *suite_list_find(struct suite_list *list, const char *path, const char *group,
                                    const char *test);

/* -- Files (suite/files.c) -------------------------------------------------------------------- */

/* Calls `on_file` for a file, or for every .json file in a folder and below, sorted by name;
 * folders named "optional" are skipped unless `optional`.  False if one cannot be read. */
bool suite_each_file(const char *path, bool optional, void (*on_file)(void *ctx, const char *path),
                     void *ctx);

/* The folder `remotes` beside the folder `tests` that holds the path, or NULL.  To be freed. */
char *suite_find_remotes(const char *path);

enum { SUITE_DIALECTS = 6 };

/* The dialects, oldest first, by the names of their folders.  `compatibility` uses the numbers of
 * the enumeration. */
extern const struct suite_dialect {
    const char *name;
    enum cupel_dialect dialect;
} suite_dialects[SUITE_DIALECTS];

/* The dialect that a folder of the path names, or CUPEL_DIALECT_DEFAULT. */
enum cupel_dialect suite_dialect(const char *path);
/* The options that the tests of a file need, by its path in the suite. */
uint32_t suite_flags(const char *path);

/* -- The run ---------------------------------------------------------------------------------- */

enum { SUITE_MODES = 4, SUITE_OUTPUTS = 6 };

struct suite {
    struct cli_settings *settings;
    struct cupel_options engine; /* for the file or case at hand */
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_scratch *modes[SUITE_MODES];     /* --modes: each loop with each scanner */
    struct cupel_program *plain;                  /* --modes: the group's program without passes */
    struct cupel_program *outputs[SUITE_OUTPUTS]; /* --outputs: the schema of each format */
    struct cupel_text output;
    struct suite_list known;
    const char *path;
    char *group, *test;
    const char *dialect; /* of a case that runs for several dialects, its name; else NULL */
    uint32_t externals;  /* the documents that such a case has of its own, or CUPEL_NO_NODE */
    uint32_t passed, failed, skipped;
    int worst; /* exit status of files that cannot be read */
};

/* -- Results (suite/results.c) ---------------------------------------------------------------- */

/* Counts the result of suite->test and prints a failure unless it is known. */
void suite_count(struct suite *suite, const char *expected, const char *got);
/* Counts entries of the list of known failures whose tests all pass: they have to be removed. */
void suite_check_list(struct suite *suite);
/* The text of a member that is a string, for messages; to be freed. */
char *suite_text(struct suite *suite, uint32_t object, const char *key);

/* -- Groups (suite/groups.c) ------------------------------------------------------------------ */

enum { SUITE_WHY = 640 };

/* Compiles the member `schema` of a group or case; NULL after writing the reason to `why`, which
 * has SUITE_WHY bytes. */
struct cupel_program *suite_compile(struct suite *suite, uint32_t group, char *why);
/* Runs a group: an object with a schema and tests. */
void suite_run_group(struct suite *suite, uint32_t group);

/* -- Cases for several dialects (suite/cases.c) ----------------------------------------------- */

/* Calls `run` for each case of an array and each dialect that the case is compatible with, or the
 * one that --dialect names. */
void suite_run_cases(struct suite *suite, uint32_t cases,
                     void (*run)(struct suite *suite, uint32_t group));

/* -- Annotations (suite/annotations.c) -------------------------------------------------------- */

/* Runs a case for one dialect: each assertion is a test. */
void suite_run_annotations(struct suite *suite, uint32_t group);

/* -- Output formats (suite/outputs.c) -----------------------------------------------------------
 */

/* Runs a test that has schemas for its outputs.  `program` is NULL if the test's schema was
 * refused. */
void suite_run_output(struct suite *suite, const struct cupel_program *program, const char *why,
                      uint32_t test);
/* Loads the schemas of --outputs.  False after an error message. */
bool suite_load_outputs(struct suite *suite);
/* Validates all outputs for a value against them.  NULL, or what is wrong. */
const char *suite_check_outputs(struct suite *suite, const struct cupel_program *program,
                                uint32_t data);

#endif
