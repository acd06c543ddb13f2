/* elicitation_check.c: cupel elicitation check: whether a requestedSchema is within the subset of
 * JSON Schema that the specification allows for elicitation. */
#include "cli/cli.h"

#include <string.h>

struct session {
    const struct cli_settings *settings;
    struct cupel_document *doc;
    struct cupel_text problems, out;
    uint32_t count;
};

/* The requestedSchema of a request or of its params; otherwise the document itself. */
static uint32_t find_schema(struct cupel_document *doc)
{
    uint32_t node = 0;
    if (cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT)
        return 0;
    uint32_t params = cupel_json_member(doc, 0, "params", 6);
    if (params != CUPEL_NO_NODE && cupel_json_type(doc, params) == CUPEL_JSON_OBJECT)
        node = params;
    uint32_t schema = cupel_json_member(doc, node, "requestedSchema", 15);
    return schema != CUPEL_NO_NODE ? schema : 0;
}

static int on_problem(void *ctx, const struct cupel_rule_problem *problem)
{
    struct session *s = ctx;
    struct cupel_text *text = &s->problems;
    if (s->settings->format == CLI_FORMAT_JSON) {
        cupel_text_addf(text, "%s{\"rule\":\"%s\"", s->count++ != 0 ? "," : "", problem->rule);
        cli_json_string(text, "severity", cupel_severity_name(problem->severity));
        cli_json_string(text, "pointer", problem->pointer);
        cli_json_string(text, "message", problem->message);
        cli_json_number(text, "offset", problem->offset);
        cupel_text_adds(text, "}");
    } else {
        cli_add_line(text, "    %s[%s] %s: %s", cupel_severity_name(problem->severity),
                     problem->rule, problem->pointer, problem->message);
    }
    return 0;
}

/* Prints the verdict of a schema, with its problems. */
static void print(struct session *s, const struct cli_origin *place, const char *verdict)
{
    struct cupel_text *out = &s->out;
    if (s->settings->format == CLI_FORMAT_JSON) {
        cupel_text_adds(out, "{\"file\":");
        cupel_text_add_json(out, place->file, strlen(place->file));
        cli_json_number(out, "line", place->line != 0 ? place->line : 1);
        cli_json_string(out, "verdict", verdict);
        cupel_text_adds(out, ",\"problems\":[");
        cupel_text_add(out, s->problems.bytes, s->problems.len);
        cupel_text_adds(out, "]}\n");
    } else {
        cli_add_verdict(out, place, verdict, "");
        cupel_text_add(out, s->problems.bytes, s->problems.len);
    }
    out->failed |= s->problems.failed;
    cli_flush(out);
    cupel_text_clear(&s->problems);
    s->count = 0;
}

/* A cli_on_document: checks one schema or request and prints its problems. */
static int check(void *ctx, const struct cli_origin *place, const char *text, size_t len)
{
    struct session *s = ctx;
    struct cupel_error err;
    enum cupel_status status;
    if (text == NULL) {
        print(s, place, "bad-input");
        return CLI_INPUT;
    }
    status = cupel_document_read(s->doc, text, len, &err);
    if (status != CUPEL_OK) {
        cli_document_error(place, &err);
        print(s, place, "bad-input");
        return cli_read_exit(status);
    }
    enum cupel_tool_verdict verdict =
        cupel_elicitation_check(s->doc, find_schema(s->doc), s->settings->profile,
                                &s->settings->engine, on_problem, s, &status);
    print(s, place, cupel_tool_verdict_name(verdict));
    if (status != CUPEL_OK)
        return CLI_UNDECIDED;
    return verdict == CUPEL_TOOL_INVALID ? CLI_INVALID : CLI_VALID;
}

int cli_run_elicitation_check(struct cli_settings *settings)
{
    struct session s = {.settings = settings};
    int worst = CLI_VALID;
    if (settings->count == 0)
        return cli_usage(CLI_VERB_ELICITATION_CHECK);
    if (cupel_document_new(&settings->engine, &s.doc) != CUPEL_OK) {
        cli_print_error("out of memory");
        return CLI_INTERNAL;
    }
    cupel_text_init(&s.problems, NULL);
    cupel_text_init(&s.out, NULL);
    for (int i = 0; i < settings->count; i++)
        worst = cli_worst(worst, cli_each_document(settings, settings->arguments[i], check, &s));
    cupel_document_free(s.doc);
    cupel_text_free(&s.problems);
    cupel_text_free(&s.out);
    return worst;
}
