/* suite.h: what the files of cupel suite share: the run itself, the list of known failures, finding
 * files, and cases that stand for several dialects. */
#ifndef CUPEL_CLI_SUITE_H
#define CUPEL_CLI_SUITE_H

#include "cli/cli.h"

/* -- Known failures (suite/known.c) ----------------------------------------------------------- */

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

/* -- Files (suite/files.c) -------------------------------------------------------------------- */

/* Calls `on_file` for a file, or for every .json file in a folder and below, sorted by name;
 * folders named "optional" below are left out unless `optional`.  False if one cannot be read. */
bool suite_walk(const char *path, bool optional, void (*on_file)(void *ctx, const char *path),
                void *ctx);

/* The folder `remotes` beside the folder `tests` that holds the path, or NULL.  To be freed. */
char *suite_find_remotes(const char *path);

enum { SUITE_DIALECTS = 6 };

/* The dialects, oldest first, by the names of their folders.  Those of the enum are the numbers by
 * which `compatibility` knows them. */
extern const struct suite_dialect {
    const char *name;
    enum cupel_dialect dialect;
} suite_dialects[SUITE_DIALECTS];

/* The dialect that a folder of the path names, or CUPEL_DIALECT_DEFAULT. */
enum cupel_dialect suite_dialect(const char *path);
/* The options that the tests of a file ask for by the place they have in the suite. */
uint32_t suite_flags(const char *path);

/* -- The run (verbs/suite.c) ------------------------------------------------------------------- */

enum { SUITE_WAYS = 4, SUITE_OUTPUTS = 6 };

struct suite {
    struct cli_settings *settings;
    struct cupel_options engine; /* for the file or case at hand */
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_scratch *ways[SUITE_WAYS];       /* with --modes: each loop and each scanner */
    struct cupel_program *plain;                  /* and the group's program without the passes */
    struct cupel_program *outputs[SUITE_OUTPUTS]; /* with --outputs: the schema of each format */
    struct cupel_text output;
    struct suite_list known;
    const char *path;
    char *group, *test;
    const char *dialect; /* of a case that is run for several, its name; else NULL */
    uint32_t externals;  /* the documents that such a case brings along, or CUPEL_NO_NODE */
    uint32_t passed, failed, skipped;
    int worst; /* of files that cannot be read */
};

/* Counts what became of suite->test, saying so if it failed and is not known to. */
void suite_count(struct suite *suite, const char *expected, const char *got);
/* The text of a member that is a string, for messages; to be freed. */
char *suite_text(struct suite *suite, uint32_t object, const char *key);
/* Compiles the member `schema` of a group or case; NULL after writing to `why` (SUITE_WHY bytes)
 * what is wrong. */
struct cupel_program *suite_compile(struct suite *suite, uint32_t group, char *why);
enum { SUITE_WHY = 640 };
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

/* Runs a test that says what outputs have to look like; `program` is NULL where the schema was
 * refused. */
void suite_run_output(struct suite *suite, const struct cupel_program *program, const char *why,
                      uint32_t test);
/* Loads the schemas of --outputs.  False after saying why not. */
bool suite_load_outputs(struct suite *suite);
/* Holds all outputs for a value to them: NULL, or what is wrong. */
const char *suite_check_outputs(struct suite *suite, const struct cupel_program *program,
                                uint32_t data);

#endif
