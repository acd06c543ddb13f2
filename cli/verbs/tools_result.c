/* tools_result.c: cupel tools result: checks results of tools/call, one per line, against the
 * specification and the tool's outputSchema. */
#include "cli/verbs/tools.h"

#include <string.h>

struct session {
    struct cli_settings *settings;
    const struct cupel_tool *tool;
    struct cupel_call_context *caller;
    struct cupel_text answer, errors, rules, out;
    uint32_t line, error_count, rule_count;
};

static bool is_human(const struct session *s)
{
    return s->settings->format == CLI_FORMAT_HUMAN;
}

/* -- Problems --------------------------------------------------------------------------------- */

/* Appends a rule of the specification that the result breaks. */
static int on_rule(void *ctx, const struct cupel_rule_problem *problem)
{
    struct session *s = ctx;
    const char *severity = cupel_severity_name(problem->severity);
    if (is_human(s)) {
        cli_add_line(&s->rules, "    %s[%s]%s%s: %s", severity, problem->rule,
                     problem->pointer[0] != '\0' ? " " : "", problem->pointer, problem->message);
        return 0;
    }
    cupel_text_addf(&s->rules, "%s{\"rule\":\"%s\"", s->rule_count++ != 0 ? "," : "",
                    problem->rule);
    cli_json_string(&s->rules, "severity", severity);
    cli_json_string(&s->rules, "pointer", problem->pointer);
    cli_json_string(&s->rules, "message", problem->message);
    cupel_text_adds(&s->rules, "}");
    return 0;
}

/* Appends a problem of structuredContent. */
static int on_problem(void *ctx, const struct cupel_problem *problem)
{
    struct session *s = ctx;
    if (is_human(s))
        return 0;
    cupel_text_adds(&s->errors, s->error_count++ != 0 ? "," : "");
    cli_json_problem(&s->errors, problem, 0, 0);
    return 0;
}

/* -- Printing --------------------------------------------------------------------------------- */

static void print_json(struct session *s, enum cupel_result_verdict verdict,
                       const struct cupel_result_outcome *outcome)
{
    struct cupel_text *out = &s->out;
    cupel_text_adds(out, "{\"id\":");
    cupel_text_add(out, outcome->id != NULL ? outcome->id : "null",
                   outcome->id != NULL ? outcome->id_len : 4);
    cupel_text_adds(out, ",\"tool\":");
    cupel_text_add_json(out, s->tool->name, s->tool->name_len);
    cli_json_string(out, "verdict", cupel_result_verdict_name(verdict));
    cli_json_string(out, "reason", outcome->reason);
    cupel_text_adds(out, ",\"errors\":[");
    cupel_text_add(out, s->errors.bytes, s->errors.len);
    cupel_text_adds(out, "],\"problems\":[");
    cupel_text_add(out, s->rules.bytes, s->rules.len);
    cupel_text_adds(out, "],\"response\":");
    cupel_text_add(out, s->answer.len != 0 ? s->answer.bytes : "null",
                   s->answer.len != 0 ? s->answer.len : 4);
    cupel_text_adds(out, "}\n");
}

static void print_human(struct session *s, enum cupel_result_verdict verdict,
                        const struct cupel_result_outcome *outcome)
{
    cupel_text_addf(&s->out, "line %u: %s", (unsigned)s->line, cupel_result_verdict_name(verdict));
    if (outcome->reason[0] != '\0')
        cupel_text_addf(&s->out, " (%s)", outcome->reason);
    cupel_text_adds(&s->out, "\n");
    cupel_text_add(&s->out, s->rules.bytes, s->rules.len);
}

/* -- Checking --------------------------------------------------------------------------------- */

static int exit_of(enum cupel_result_verdict verdict, const struct cupel_result_outcome *outcome)
{
    switch (verdict) {
    case CUPEL_RESULT_VALID:
        return CLI_VALID;
    case CUPEL_RESULT_BAD:
        return outcome->error.status != CUPEL_OK ? CLI_INPUT : CLI_INVALID;
    case CUPEL_RESULT_UNDECIDED:
        return strcmp(outcome->reason, "tool-refused") == 0 ? CLI_SCHEMA : CLI_UNDECIDED;
    default:
        return CLI_INVALID;
    }
}

/* A cli_on_document: checks one result and prints its verdict and its problems. */
static int check_line(void *ctx, const struct cli_origin *place, const char *line, size_t len)
{
    struct session *s = ctx;
    s->line = place->line;
    const struct cupel_result_listener listener = {on_rule, on_problem, s};
    struct cupel_result_outcome outcome;
    cupel_text_clear(&s->errors);
    cupel_text_clear(&s->rules);
    s->error_count = s->rule_count = 0;
    enum cupel_result_verdict verdict = cupel_result_check(
        s->tool, s->caller, line, len, s->settings->profile, &s->answer, &listener, &outcome);
    if (is_human(s))
        print_human(s, verdict, &outcome);
    else
        print_json(s, verdict, &outcome);
    cli_flush(&s->out);
    return exit_of(verdict, &outcome);
}

/* Finds a tool by name or ID; the exit status, after an error message if there is none. */
static int find_tool(struct session *s, const struct cupel_catalog *catalog, const char *name)
{
    s->tool = cupel_catalog_find(catalog, name, strlen(name));
    if (s->tool == NULL)
        s->tool = cupel_catalog_find_id(catalog, name, strlen(name));
    if (s->tool != NULL)
        return CLI_VALID;
    cli_print_error("there is no tool \"%s\"", name);
    return CLI_INVALID;
}

/* Finds the tool of --tool, then checks the results of a file or of the standard input. */
int cli_run_tools_result(struct cli_settings *settings)
{
    struct session s = {.settings = settings};
    struct cupel_catalog *catalog = NULL;
    if (settings->count < 1 || settings->count > 2 || settings->tool == NULL)
        return cli_usage(CLI_VERB_TOOLS_RESULT);
    cupel_text_init(&s.answer, NULL);
    cupel_text_init(&s.errors, NULL);
    cupel_text_init(&s.rules, NULL);
    cupel_text_init(&s.out, NULL);
    int status = cli_load_catalogs(settings, settings->arguments, 1, &catalog);
    if (status == CLI_VALID)
        status = find_tool(&s, catalog, settings->tool);
    if (status == CLI_VALID && cupel_call_context_new(&settings->engine, &s.caller) != CUPEL_OK) {
        cli_print_error("out of memory");
        status = CLI_INTERNAL;
    }
    if (status == CLI_VALID)
        status = cli_each_line(settings->count == 2 ? settings->arguments[1] : "-", check_line, &s);
    cupel_call_context_free(s.caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&s.answer);
    cupel_text_free(&s.errors);
    cupel_text_free(&s.rules);
    cupel_text_free(&s.out);
    return status;
}
