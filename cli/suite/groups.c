/* groups.c: runs a group: a schema, and tests with data and the expected verdict. */
#include "cli/suite/suite.h"

#include <cupel/debug.h>
#include <stdlib.h>
#include <string.h>

static int ignore_problem(void *ctx, const struct cupel_problem *problem)
{
    (void)problem;
    ++*(uint32_t *)ctx;
    return 0;
}

/* Whether a program reaches `verdict` in every mode, in the same number of steps. */
static bool agrees_in_all_modes(struct suite *suite, const struct cupel_program *program,
                                uint32_t data, enum cupel_verdict verdict)
{
    size_t len;
    uint64_t steps = 0;
    const char *text = cupel_json_span(suite->doc, data, &len);
    for (int i = 0; i < SUITE_MODES; i++) {
        struct cupel_outcome outcome;
        if (cupel_validate(program, suite->modes[i], text, len, &outcome) != verdict ||
            (i > 0 && outcome.steps != steps))
            return false;
        steps = outcome.steps;
    }
    return true;
}

/* Validates the data of a test, in all modes and with a report if the settings ask for them.
 * Returns the result in words: "valid", "invalid", the reason of no verdict, or what disagrees. */
static const char *validate(struct suite *suite, const struct cupel_program *program, uint32_t data)
{
    static const char *const verdicts[] = {"valid", "invalid"};
    struct cupel_outcome outcome;
    enum cupel_verdict verdict =
        cupel_validate_node(program, suite->scratch, suite->doc, data, &outcome);
    if (verdict == CUPEL_UNDECIDED)
        return cupel_status_name(outcome.reason);
    if (suite->settings->modes && (!agrees_in_all_modes(suite, program, data, verdict) ||
                                   !agrees_in_all_modes(suite, suite->plain, data, verdict)))
        return "modes that disagree";
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

/* Runs one test.  `program` is NULL if the schema was refused, with the reason in `why`. */
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
        got = validate(suite, program, data);
    suite_count(suite, expected != 0 ? "valid" : "invalid", got);
    free(suite->test);
}

/* With --modes it also compiles suite->plain, without passes; both compilations have to agree. */
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
        snprintf(why, SUITE_WHY, "modes that disagree");
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
