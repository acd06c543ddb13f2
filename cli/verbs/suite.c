/* suite.c: cupel suite: tests written in the official suite's format: files with an array of
 * groups, each a schema and tests with data and what is expected.  Files of cases for several
 * dialects and tests of annotations go on to suite/cases.c and suite/annotations.c. */
#include "cli/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* -- Results ---------------------------------------------------------------------------------- */

static void count_failure(struct suite *suite, const char *expected, const char *got)
{
    struct suite_known *known =
        suite_list_find(&suite->known, suite->path, suite->group, suite->test);
    if (known != NULL) {
        known->failed++;
        suite->skipped++;
        return;
    }
    suite->failed++;
    cli_line(stdout, "%s | %s | %s | expected %s, got %s%s%s", suite->path, suite->group,
             suite->test, expected, got, suite->dialect != NULL ? " in " : "",
             suite->dialect != NULL ? suite->dialect : "");
}

static void count_pass(struct suite *suite)
{
    struct suite_known *known =
        suite_list_find(&suite->known, suite->path, suite->group, suite->test);
    if (known != NULL)
        known->passed++;
    suite->passed++;
}

/* What this build cannot decide (names with IDNA without libidn2) is no failure. */
void suite_count(struct suite *suite, const char *expected, const char *got)
{
    if (strcmp(got, cupel_status_name(CUPEL_E_UNSUPPORTED)) == 0)
        suite->skipped++;
    else if (strcmp(expected, got) == 0)
        count_pass(suite);
    else
        count_failure(suite, expected, got);
}

/* An entry whose tests all pass has to go: the list only shrinks. */
static void check_list(struct suite *suite)
{
    for (size_t i = 0; i < suite->known.count; i++) {
        const struct suite_known *known = &suite->known.entries[i];
        if (known->passed == 0 || known->failed != 0)
            continue;
        suite->failed++;
        cli_line(stdout, "%s:%u: %s | %s | %s passes: remove it from the list",
                 suite->settings->known, (unsigned)known->line, known->path, known->group,
                 known->test);
    }
}

/* -- Tests ------------------------------------------------------------------------------------ */

/* Control characters become spaces, so that a message is a line. */
char *suite_text(struct suite *suite, uint32_t object, const char *key)
{
    size_t len = 0;
    uint32_t node = cupel_json_member(suite->doc, object, key, strlen(key));
    const char *text = node != CUPEL_NO_NODE ? cupel_json_string(suite->doc, node, &len) : NULL;
    char *copy = cli_copy(text != NULL ? text : "?", text != NULL ? len : 1);
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    return copy;
}

static int ignore_problem(void *ctx, const struct cupel_problem *problem)
{
    (void)problem;
    ++*(uint32_t *)ctx;
    return 0;
}

/* Whether a program says `verdict` in every way, in the same number of steps. */
static bool all_ways(struct suite *suite, const struct cupel_program *program, uint32_t data,
                     enum cupel_verdict verdict)
{
    size_t len;
    uint64_t steps = 0;
    const char *text = cupel_json_span(suite->doc, data, &len);
    for (int i = 0; i < SUITE_WAYS; i++) {
        struct cupel_outcome outcome;
        if (cupel_validate(program, suite->ways[i], text, len, &outcome) != verdict ||
            (i > 0 && outcome.steps != steps))
            return false;
        steps = outcome.steps;
    }
    return true;
}

/* What the program says of a test's data, in words. */
static const char *judge(struct suite *suite, const struct cupel_program *program, uint32_t data)
{
    static const char *const verdicts[] = {"valid", "invalid"};
    struct cupel_outcome outcome;
    enum cupel_verdict verdict =
        cupel_validate_node(program, suite->scratch, suite->doc, data, &outcome);
    if (verdict == CUPEL_UNDECIDED)
        return cupel_status_name(outcome.reason);
    if (suite->settings->modes &&
        (!all_ways(suite, program, data, verdict) || !all_ways(suite, suite->plain, data, verdict)))
        return "ways that disagree";
    if (suite->settings->outputs != NULL) {
        const char *wrong = suite_check_outputs(suite, program, data);
        if (wrong != NULL)
            return wrong;
    }
    if (!suite->settings->reports)
        return verdicts[verdict];
    uint32_t problems = 0;
    enum cupel_verdict again = cupel_report(program, suite->scratch, suite->doc, data,
                                            ignore_problem, &problems, &outcome);
    if (again == CUPEL_UNDECIDED)
        return "no report";
    if (again != verdict || (problems != 0) != (verdict == CUPEL_INVALID))
        return "a report that disagrees";
    return verdicts[verdict];
}

/* Runs one test; `program` is NULL where the schema was refused, `why` says it. */
static void run_test(struct suite *suite, const struct cupel_program *program, const char *why,
                     uint32_t test)
{
    uint32_t data = cupel_json_member(suite->doc, test, "data", 4);
    uint32_t valid = cupel_json_member(suite->doc, test, "valid", 5);
    int expected = valid != CUPEL_NO_NODE ? cupel_json_boolean(suite->doc, valid) : -1;
    const char *got = why;
    suite->test = suite_text(suite, test, "description");
    if (data != CUPEL_NO_NODE && expected < 0 &&
        cupel_json_member(suite->doc, test, "output", 6) != CUPEL_NO_NODE) {
        suite_run_output(suite, program, why, test);
        free(suite->test);
        return;
    }
    if (data == CUPEL_NO_NODE || expected < 0)
        got = "a test without data or valid";
    else if (program != NULL)
        got = judge(suite, program, data);
    suite_count(suite, expected != 0 ? "valid" : "invalid", got);
    free(suite->test);
}

struct cupel_program *suite_compile(struct suite *suite, uint32_t group, char *why)
{
    struct cupel_program *program = NULL;
    struct cupel_error err;
    uint32_t schema = cupel_json_member(suite->doc, group, "schema", 6);
    struct cupel_options options = suite->engine;
    options.flags |= CUPEL_ANNOTATIONS; /* outputs have them */
    snprintf(why, SUITE_WHY, "a group without a schema");
    if (schema == CUPEL_NO_NODE)
        return NULL;
    enum cupel_status status = cupel_compile_node(suite->doc, schema, &options, &program, &err);
    if (status != CUPEL_OK)
        snprintf(why, SUITE_WHY, "a refusal: %s%s%s: %s", cupel_status_name(status),
                 err.where[0] != '\0' ? " at " : "", err.where, err.detail);
    struct cupel_options plain = suite->engine;
    plain.passes = 0;
    plain.flags |= CUPEL_NO_REGEX_SIMPLE | CUPEL_NO_REGEX_TABLES;
    if (suite->settings->modes &&
        cupel_compile_node(suite->doc, schema, &plain, &suite->plain, &err) != status)
        snprintf(why, SUITE_WHY, "ways that disagree");
    return program;
}

void suite_run_group(struct suite *suite, uint32_t group)
{
    char why[SUITE_WHY];
    uint32_t tests = cupel_json_member(suite->doc, group, "tests", 5);
    if (tests == CUPEL_NO_NODE)
        return;
    suite->group = suite_text(suite, group, "description");
    struct cupel_program *program = suite_compile(suite, group, why);
    uint32_t test = cupel_json_first(suite->doc, tests);
    for (; test != CUPEL_NO_NODE; test = cupel_json_next(suite->doc, tests, test))
        run_test(suite, program, why, test);
    cupel_program_free(program);
    cupel_program_free(suite->plain);
    suite->plain = NULL;
    free(suite->group);
}

/* -- Files ------------------------------------------------------------------------------------ */

/* A file of the layout in use: an array of groups, for one dialect. */
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

/* Documents of tests are not traffic: their size is bounded by reading, their depth generously. */
static bool prepare(struct suite *suite)
{
    struct cupel_options wide = suite->settings->engine;
    wide.limits[CUPEL_LIMIT_BODY_BYTES] = (size_t)1 << 30;
    wide.limits[CUPEL_LIMIT_DEPTH] = 2048;
    bool ok = cupel_document_new(&wide, &suite->doc) == CUPEL_OK &&
              cupel_scratch_new(&suite->settings->engine, &suite->scratch) == CUPEL_OK;
    for (int i = 0; ok && suite->settings->modes && i < SUITE_WAYS; i++) {
        wide.flags = suite->settings->engine.flags | (i & 1 ? CUPEL_SWITCH_DISPATCH : 0) |
                     (i & 2 ? CUPEL_NO_SIMD : 0);
        ok = cupel_scratch_new(&wide, &suite->ways[i]) == CUPEL_OK;
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
    if (!suite_walk(path, settings->optional, run_file, suite))
        suite->worst = cli_worst(suite->worst, CLI_INPUT);
    settings->refs.remotes = NULL;
    free(remotes);
}

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
    check_list(&suite);
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
    for (int i = 0; i < SUITE_WAYS; i++)
        cupel_scratch_free(suite.ways[i]);
    return status;
}
