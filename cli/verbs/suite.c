/* suite.c: cupel suite: runs tests in the format of the official test suite.
 *
 * Files are found (suite/files.c) and read here; a group of tests is run by suite/groups.c, cases
 * for several dialects by suite/cases.c, tests of annotations by suite/annotations.c and of output
 * formats by suite/outputs.c; suite/results.c counts. */
#include "cli/suite/suite.h"

#include <cupel/debug.h>
#include <stdlib.h>
#include <string.h>

/* The layout of the official suite today: a file is an array of groups, for one dialect. */
static void run_array(struct suite *suite)
{
    uint32_t group = cupel_json_first(suite->doc, 0);
    if (cupel_json_type(suite->doc, 0) != CUPEL_JSON_ARRAY) {
        cli_print_error("%s: no tests", suite->path);
        suite->worst = cli_worst(suite->worst, CLI_INPUT);
        return;
    }
    for (; group != CUPEL_NO_NODE; group = cupel_json_next(suite->doc, 0, group))
        suite_run_group(suite, group);
}

/* Reads a file and runs it by its layout: annotation tests have `suite`, cases for several dialects
 * have `tests`, everything else is an array. */
static void run_groups(struct suite *suite, const struct cli_file *file)
{
    struct cupel_error err;
    memset(&err, 0, sizeof(err));
    err.status = cupel_document_read(suite->doc, file->text.bytes, file->text.len, &err);
    if (err.status != CUPEL_OK) {
        cli_schema_error(file->name, &err);
        suite->worst = cli_worst(suite->worst, CLI_INPUT);
        return;
    }
    uint32_t annotations = cupel_json_member(suite->doc, 0, "suite", 5);
    uint32_t cases = cupel_json_member(suite->doc, 0, "tests", 5);
    if (annotations != CUPEL_NO_NODE)
        suite_run_cases(suite, annotations, suite_run_annotations);
    else if (cases != CUPEL_NO_NODE)
        suite_run_cases(suite, cases, suite_run_group);
    else
        run_array(suite);
}

static void run_file(void *ctx, const char *path)
{
    struct suite *suite = ctx;
    struct cli_file file;
    suite->path = path;
    suite->engine = suite->settings->engine;
    suite->engine.flags |= suite_flags(path);
    if (suite->engine.dialect == CUPEL_DIALECT_DEFAULT)
        suite->engine.dialect = suite_dialect(path);
    if (cli_read(path, &file))
        run_groups(suite, &file);
    else
        suite->worst = cli_worst(suite->worst, CLI_INPUT);
    cli_file_free(&file);
}

/* Allocates documents and scratches.  Files of tests may be larger and deeper than documents that
 * come from strangers. */
static bool prepare(struct suite *suite)
{
    struct cupel_options wide = suite->settings->engine;
    wide.limits[CUPEL_LIMIT_BODY_BYTES] = (size_t)1 << 30;
    wide.limits[CUPEL_LIMIT_DEPTH] = 2048;
    bool ok = cupel_document_new(&wide, &suite->doc) == CUPEL_OK &&
              cupel_scratch_new(&suite->settings->engine, &suite->scratch) == CUPEL_OK;
    for (int i = 0; ok && suite->settings->modes && i < SUITE_MODES; i++) {
        wide.flags = suite->settings->engine.flags | (i & 1 ? CUPEL_SWITCH_DISPATCH : 0) |
                     (i & 2 ? CUPEL_NO_SIMD : 0);
        ok = cupel_scratch_new(&wide, &suite->modes[i]) == CUPEL_OK;
    }
    if (ok)
        return true;
    cli_print_error("out of memory");
    return false;
}

static void run_path(struct suite *suite, const char *path)
{
    struct cli_settings *settings = suite->settings;
    char *remotes = settings->remotes == NULL ? suite_find_remotes(path) : NULL;
    settings->refs.remotes = remotes != NULL ? remotes : settings->remotes;
    if (!suite_each_file(path, settings->optional, run_file, suite))
        suite->worst = cli_worst(suite->worst, CLI_INPUT);
    settings->refs.remotes = NULL;
    free(remotes);
}

/* Exit status: CLI_INVALID if a test failed, CLI_INPUT if a file cannot be read. */
int cli_run_suite(struct cli_settings *settings)
{
    struct suite suite = {.settings = settings, .externals = CUPEL_NO_NODE};
    if (settings->count == 0)
        return cli_usage(CLI_VERB_SUITE);
    cupel_text_init(&suite.output, NULL);
    int status = CLI_INTERNAL;
    if (!prepare(&suite))
        goto out;
    status = CLI_INPUT;
    if (settings->known != NULL && !suite_list_read(&suite.known, settings->known))
        goto out;
    if (settings->outputs != NULL && !suite_load_outputs(&suite))
        goto out;
    for (int i = 0; i < settings->count; i++)
        run_path(&suite, settings->arguments[i]);
    suite_check_list(&suite);
    printf("%u passed, %u failed", (unsigned)suite.passed, (unsigned)suite.failed);
    if (suite.skipped != 0)
        printf(", %u skipped", (unsigned)suite.skipped);
    printf("\n");
    status = cli_worst(suite.worst, suite.failed != 0 ? CLI_INVALID : CLI_VALID);
out:
    suite_list_free(&suite.known);
    cupel_text_free(&suite.output);
    for (int i = 0; i < SUITE_OUTPUTS; i++)
        cupel_program_free(suite.outputs[i]);
    cupel_document_free(suite.doc);
    cupel_scratch_free(suite.scratch);
    for (int i = 0; i < SUITE_MODES; i++)
        cupel_scratch_free(suite.modes[i]);
    return status;
}
