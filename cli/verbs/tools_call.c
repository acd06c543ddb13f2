/* tools_call.c: cupel tools call: checks tools/call requests and prints verdicts and answers.
 *
 * Each line of the input is a JSON-RPC message (tools/list is answered too), a batch of messages
 * (profile 2025-03-26), an HTTP request as {"headers": {…}, "body": …}, or {"tool": …, "arguments":
 * …}. */
#include "cli/verbs/tools.h"

#include <stdlib.h>
#include <string.h>

struct session {
    struct cli_settings *settings;
    struct cupel_catalog *catalog;
    struct cupel_call_context *caller;
    struct cupel_document *doc; /* lines that are not JSON-RPC */
    struct cupel_text wrapped, answer, errors, out;
    struct cupel_header *headers; /* of the line at hand; their strings are in `doc` */
    size_t header_count, header_capacity;
    bool over_http;
    uint32_t line, count, calls;
    const char *batch; /* the text of the batch that is checked */
    int status;        /* exit status: the worst of the line's messages */
};

/* -- Lines without JSON-RPC ------------------------------------------------------------------- */

static void add_span(struct session *s, const char *key, uint32_t node)
{
    size_t len;
    const char *span = cupel_json_span(s->doc, node, &len);
    cupel_text_adds(&s->wrapped, key);
    cupel_text_add(&s->wrapped, span, len);
}

/* Wraps {"tool": …, "arguments": …} or {"name": …, "arguments": …} in a JSON-RPC request, whose id
 * is the line's number.  False if the line is neither. */
static bool wrap(struct session *s, const char *line, size_t len)
{
    struct cupel_document *doc = s->doc;
    if (cupel_document_read(doc, line, len, NULL) != CUPEL_OK ||
        cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT ||
        cupel_json_member(doc, 0, "jsonrpc", 7) != CUPEL_NO_NODE ||
        cupel_json_member(doc, 0, "method", 6) != CUPEL_NO_NODE)
        return false;
    uint32_t name = cupel_json_member(doc, 0, "tool", 4);
    if (name == CUPEL_NO_NODE)
        name = cupel_json_member(doc, 0, "name", 4);
    uint32_t arguments = cupel_json_member(doc, 0, "arguments", 9);
    if (name == CUPEL_NO_NODE)
        return false;
    cupel_text_clear(&s->wrapped);
    cupel_text_addf(&s->wrapped, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"tools/call\"",
                    (unsigned)s->line);
    add_span(s, ",\"params\":{\"name\":", name);
    if (arguments != CUPEL_NO_NODE)
        add_span(s, ",\"arguments\":", arguments);
    cupel_text_adds(&s->wrapped, "}}");
    return !s->wrapped.failed;
}

/* -- Lines with a header ---------------------------------------------------------------------- */

/* Splits {"headers": {…}, "body": …}: the fields go to the session, the body becomes the line.
 * False if the line is something else. */
static bool take_headers(struct session *s, const char **line, size_t *len)
{
    struct cupel_document *doc = s->doc;
    s->over_http = false;
    s->header_count = 0;
    if (cupel_document_read(doc, *line, *len, NULL) != CUPEL_OK)
        return false;
    uint32_t map = cupel_json_member(doc, 0, "headers", 7);
    uint32_t body = cupel_json_member(doc, 0, "body", 4);
    if (map == CUPEL_NO_NODE || body == CUPEL_NO_NODE)
        return false;
    uint32_t key = cupel_json_first(doc, map);
    s->headers = cli_grow(s->headers, &s->header_capacity, 1, sizeof(*s->headers));
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, map, key + 1)) {
        s->headers =
            cli_grow(s->headers, &s->header_capacity, s->header_count + 1, sizeof(*s->headers));
        struct cupel_header *header = &s->headers[s->header_count];
        header->name = cupel_json_string(doc, key, &header->name_len);
        header->value = cupel_json_string(doc, key + 1, &header->value_len);
        s->header_count += header->value != NULL;
    }
    *line = cupel_json_span(doc, body, len);
    s->over_http = true;
    return true;
}

/* -- Printing --------------------------------------------------------------------------------- */

static int on_problem(void *ctx, const struct cupel_problem *problem)
{
    struct session *s = ctx;
    if (s->settings->format == CLI_FORMAT_HUMAN) {
        cli_add_line(&s->errors, "    error[%s] at %s: %s", problem->keyword,
                     problem->instance[0] != '\0' ? problem->instance : "the arguments",
                     problem->message);
        return 0;
    }
    cupel_text_adds(&s->errors, s->count++ != 0 ? "," : "");
    cli_json_problem(&s->errors, problem, 0, 0);
    return 0;
}

/* One object for a message.  Repairs, defaults and header fields appear with their options only. */
static void print_json(struct session *s, enum cupel_call_verdict verdict,
                       const struct cupel_call_outcome *outcome)
{
    struct cupel_text *out = &s->out;
    cupel_text_adds(out, "{\"id\":");
    cupel_text_add(out, outcome->id != NULL ? outcome->id : "null",
                   outcome->id != NULL ? outcome->id_len : 4);
    cupel_text_adds(out, ",\"tool\":");
    if (outcome->tool != NULL)
        cupel_text_add_json(out, outcome->tool, outcome->tool_len);
    else
        cupel_text_adds(out, "null");
    cli_json_string(out, "verdict", cupel_call_verdict_name(verdict));
    cli_json_string(out, "reason", outcome->reason);
    cupel_text_adds(out, ",\"errors\":[");
    cupel_text_add(out, s->errors.bytes, s->errors.len);
    cupel_text_adds(out, "],\"response\":");
    cupel_text_add(out, s->answer.len != 0 ? s->answer.bytes : "null",
                   s->answer.len != 0 ? s->answer.len : 4);
    if (s->settings->repair && verdict == CUPEL_CALL_INVALID && outcome->arguments != NULL) {
        cupel_text_adds(out, ",\"repair\":");
        cli_json_repair(out, &s->settings->engine, outcome->definition->input, outcome->arguments,
                        outcome->arguments_len);
    }
    if (s->settings->defaults) {
        cupel_text_clear(&s->wrapped);
        cupel_text_adds(out, ",\"arguments\":");
        cupel_call_defaults_write(s->caller, &s->wrapped);
        cupel_text_add(out, s->wrapped.len != 0 ? s->wrapped.bytes : "null",
                       s->wrapped.len != 0 ? s->wrapped.len : 4);
    }
    if (s->settings->headers) {
        cupel_text_clear(&s->wrapped);
        cupel_call_headers_write(s->caller, &s->wrapped);
        cupel_text_adds(out, ",\"headers\":");
        cupel_text_add_json(out, s->wrapped.len != 0 ? s->wrapped.bytes : "", s->wrapped.len);
    }
    cupel_text_adds(out, "}\n");
}

/* One line for a message, followed by its problems and the answer. */
static void print_human(struct session *s, enum cupel_call_verdict verdict,
                        const struct cupel_call_outcome *outcome)
{
    struct cupel_text *out = &s->out;
    cupel_text_addf(out, "line %u: ", (unsigned)s->line);
    if (outcome->tool != NULL) {
        cupel_text_add_json(out, outcome->tool, outcome->tool_len);
        cupel_text_adds(out, " ");
    }
    cupel_text_adds(out, cupel_call_verdict_name(verdict));
    if (outcome->reason[0] != '\0')
        cupel_text_addf(out, " (%s)", outcome->reason);
    cupel_text_adds(out, "\n");
    cupel_text_add(out, s->errors.bytes, s->errors.len);
}

/* -- Checking --------------------------------------------------------------------------------- */

/* The exit status that a verdict stands for. */
static int exit_of(enum cupel_call_verdict verdict, const struct cupel_call_outcome *outcome)
{
    switch (verdict) {
    case CUPEL_CALL_VALID:
        return CLI_VALID;
    case CUPEL_CALL_BAD_REQUEST:
        return outcome->error.status != CUPEL_OK ? CLI_INPUT : CLI_INVALID;
    case CUPEL_CALL_UNDECIDED:
        if (strcmp(outcome->reason, "INTERNAL") == 0)
            return CLI_INTERNAL;
        return outcome->definition != NULL && outcome->definition->verdict == CUPEL_TOOL_INVALID
                   ? CLI_SCHEMA
                   : CLI_UNDECIDED;
    default:
        return CLI_INVALID;
    }
}

static void print(struct session *s, enum cupel_call_verdict verdict,
                  const struct cupel_call_outcome *outcome)
{
    if (s->settings->format == CLI_FORMAT_HUMAN)
        print_human(s, verdict, outcome);
    else
        print_json(s, verdict, outcome);
    cli_flush(&s->out);
    cupel_text_clear(&s->errors);
    s->count = 0;
    s->status = cli_worst(s->status, exit_of(verdict, outcome));
}

/* Called for each message of a batch. */
static int on_call(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                   const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    struct session *s = ctx;
    (void)len;
    if (message == s->batch)
        return 0;
    (void)answer; /* is s->answer */
    s->calls++;
    print(s, verdict, outcome);
    return 0;
}

static bool is_batch(const struct session *s, const char *line, size_t len)
{
    size_t i = 0;
    while (i < len && (line[i] == ' ' || line[i] == '\t'))
        i++;
    return s->settings->profile == CUPEL_MCP_2025_03_26 && i < len && line[i] == '[';
}

/* Checks a batch.  False if the line is none or cannot be read; it is then handled as a message. */
static bool check_batch(struct session *s, const char *line, size_t len)
{
    struct cupel_request_options options;
    if (!is_batch(s, line, len))
        return false;
    cupel_request_options_init(&options);
    options.flags = CUPEL_REQUEST_CALLS;
    options.on_problem = on_problem;
    options.problem_ctx = s;
    s->calls = 0;
    s->batch = line;
    enum cupel_call_verdict first =
        cupel_request_check(s->catalog, s->caller, line, len, &options, &s->answer, on_call, s);
    return first != CUPEL_CALL_BAD_REQUEST || s->calls != 0;
}

/* Answers tools/list.  False if the line is another method. */
static bool answer_list(struct session *s, const char *line, size_t len)
{
    struct cupel_call_outcome outcome;
    enum cupel_call_verdict verdict = cupel_list_request_check(
        s->catalog, s->caller, line, len, s->settings->page, &s->answer, &outcome);
    if (outcome.method_len != 10 || memcmp(outcome.method, "tools/list", 10) != 0)
        return false;
    print(s, verdict, &outcome);
    return true;
}

/* With --header: from 2026-07-28 on the fields are required; before, those that are there must
 * match. */
static void http_options(const struct session *s, struct cupel_request_options *ret)
{
    cupel_request_options_init(ret);
    if (!s->over_http)
        return;
    ret->flags = CUPEL_REQUEST_FIELDS;
    if (s->settings->profile >= CUPEL_MCP_2026_07_28)
        ret->flags |= CUPEL_REQUEST_FIELDS_NEEDED;
    ret->headers = s->headers;
    ret->header_count = s->header_count;
}

/* A cli_on_document: unwraps a line, checks its message or messages and prints verdicts and
 * answers. */
static int check_line(void *ctx, const struct cli_origin *place, const char *line, size_t len)
{
    struct session *s = ctx;
    s->line = place->line;
    struct cupel_call_outcome outcome;
    enum cupel_call_verdict verdict;
    s->status = CLI_VALID;
    if (check_batch(s, line, len))
        return s->status;
    if (!take_headers(s, &line, &len) && wrap(s, line, len)) {
        line = s->wrapped.bytes;
        len = s->wrapped.len;
    }
    if (answer_list(s, line, len))
        return s->status;
    struct cupel_request_options options;
    http_options(s, &options);
    verdict = cupel_call_check(s->catalog, s->caller, line, len, &options, &s->answer, on_problem,
                               s, &outcome);
    print(s, verdict, &outcome);
    return s->status;
}

/* Loads the catalog and allocates the session. */
static int load(struct session *s, const char *path)
{
    char *paths[] = {(char *)path};
    int status = cli_load_catalogs(s->settings, paths, 1, &s->catalog);
    if (status != CLI_VALID)
        return status;
    if (cupel_call_context_new(&s->settings->engine, &s->caller) == CUPEL_OK &&
        cupel_document_new(&s->settings->engine, &s->doc) == CUPEL_OK)
        return CLI_VALID;
    cli_print_error("out of memory");
    return CLI_INTERNAL;
}

/* Loads the catalog, then checks the requests of a file or of the standard input. */
int cli_run_tools_call(struct cli_settings *settings)
{
    struct session s = {.settings = settings};
    if (settings->count < 1 || settings->count > 2)
        return cli_usage(CLI_VERB_TOOLS_CALL);
    cupel_text_init(&s.wrapped, NULL);
    cupel_text_init(&s.answer, NULL);
    cupel_text_init(&s.errors, NULL);
    cupel_text_init(&s.out, NULL);
    int status = load(&s, settings->arguments[0]);
    if (status == CLI_VALID)
        status = cli_each_line(settings->count == 2 ? settings->arguments[1] : "-", check_line, &s);
    cupel_catalog_free(s.catalog);
    cupel_call_context_free(s.caller);
    cupel_document_free(s.doc);
    free(s.headers);
    cupel_text_free(&s.wrapped);
    cupel_text_free(&s.answer);
    cupel_text_free(&s.errors);
    cupel_text_free(&s.out);
    return status;
}
