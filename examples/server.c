/* server.c: the Model Context Protocol over standard input and output, a JSON-RPC message a line.
 *
 * Every call is judged before a tool sees it: a model with wrong arguments reads what is
 * wrong by cupel_call_check.  It speaks every released version of the protocol; what they differ
 * in for a server like this one is the handshake. */
#include "server.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void add_content(struct cupel_text *result, const char *bytes, size_t len)
{
    cupel_text_adds(result, "\"content\":[{\"type\":\"text\",\"text\":");
    cupel_text_add_json(result, bytes, len);
    cupel_text_adds(result, "}]");
}

/* -- JSON-RPC --------------------------------------------------------------------------------- */

struct server {
    const struct cupel_declared_tool *tools;
    run_tool *const *runs;
    size_t count;
    struct cupel_document *doc; /* the message at hand */
    struct cupel_catalog *catalog;
    struct cupel_call_context *caller;
    struct cupel_text list, answer;
};

static void open_message(struct server *s, uint32_t id)
{
    size_t len;
    const char *span = cupel_json_span(s->doc, id, &len);
    cupel_text_adds(&s->answer, "{\"jsonrpc\":\"2.0\",\"id\":");
    cupel_text_add(&s->answer, span, len);
}

static void answer_error(struct server *s, uint32_t id, int code, const char *message)
{
    cupel_text_clear(&s->answer);
    if (id != CUPEL_NO_NODE)
        open_message(s, id);
    else
        cupel_text_adds(&s->answer, "{\"jsonrpc\":\"2.0\",\"id\":null");
    cupel_text_addf(&s->answer, ",\"error\":{\"code\":%d,\"message\":", code);
    cupel_text_add_json(&s->answer, message, strlen(message));
    cupel_text_adds(&s->answer, "}}");
}

/* Starts a result; versions before 2026-07-28 do not mind its resultType. */
static void open_result(struct server *s, uint32_t id)
{
    open_message(s, id);
    cupel_text_adds(&s->answer, ",\"result\":{\"resultType\":\"complete\",");
}

/* -- Methods ---------------------------------------------------------------------------------- */

#define SERVER       "\"serverInfo\":{\"name\":\"cupel-example\",\"version\":\"1\"}"
#define CAPABILITIES "\"capabilities\":{\"tools\":{}}"

static const char *const versions[] = {"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26",
                                       "2024-11-05"};
enum { VERSIONS = sizeof(versions) / sizeof(versions[0]), NEWEST_WITH_INITIALIZE = 1 };

/* The handshake up to 2025-11-25: the requested version, or else the newest. */
static void initialize(struct server *s, uint32_t id, uint32_t params)
{
    const char *chosen = versions[NEWEST_WITH_INITIALIZE];
    uint32_t asked = params != CUPEL_NO_NODE
                         ? cupel_json_member(s->doc, params, "protocolVersion", 15)
                         : CUPEL_NO_NODE;
    for (size_t i = NEWEST_WITH_INITIALIZE; asked != CUPEL_NO_NODE && i < VERSIONS; i++)
        if (cupel_json_is(s->doc, asked, versions[i]))
            chosen = versions[i];
    open_result(s, id);
    cupel_text_addf(&s->answer, "\"protocolVersion\":\"%s\"," CAPABILITIES "," SERVER "}}", chosen);
}

/* What 2026-07-28 has in its place. */
static void discover(struct server *s, uint32_t id)
{
    open_result(s, id);
    cupel_text_adds(&s->answer, "\"supportedVersions\":[");
    for (size_t i = 0; i < VERSIONS; i++)
        cupel_text_addf(&s->answer, "%s\"%s\"", i != 0 ? "," : "", versions[i]);
    cupel_text_adds(&s->answer,
                    "]," CAPABILITIES "," SERVER ",\"ttlMs\":3600000,\"cacheScope\":\"public\"}}");
}

static void list(struct server *s, uint32_t id)
{
    open_result(s, id);
    /* The members of {"tools": […]}, without the brace that opens it. */
    cupel_text_adds(&s->answer, "\"ttlMs\":3600000,\"cacheScope\":\"public\",");
    cupel_text_add(&s->answer, s->list.bytes + 1, s->list.len - 1);
    cupel_text_adds(&s->answer, "}");
}

/* A call: refused with an answer that says why, or run. */
static void call(struct server *s, uint32_t id, uint32_t params, const char *line, size_t len)
{
    struct cupel_call_outcome outcome;
    if (cupel_call_check(s->catalog, s->caller, line, len, NULL, &s->answer, NULL, NULL,
                         &outcome) != CUPEL_CALL_VALID)
        return;
    const struct cupel_declared_tool *tool =
        cupel_declared_tool_find(s->tools, s->count, outcome.tool, outcome.tool_len);
    uint32_t arguments = cupel_json_member(s->doc, params, "arguments", 9);
    open_result(s, id);
    enum cupel_status status = s->runs[tool - s->tools](s->doc, arguments, &s->answer);
    if (status != CUPEL_OK) {
        cupel_text_clear(&s->answer);
        open_result(s, id);
        add_content(&s->answer, cupel_status_message(status), strlen(cupel_status_message(status)));
        cupel_text_adds(&s->answer, ",\"isError\":true");
    }
    cupel_text_adds(&s->answer, "}}");
}

static void pong(struct server *s, uint32_t id)
{
    open_message(s, id);
    cupel_text_adds(&s->answer, ",\"result\":{}}");
}

/* Answers a message, into s->answer, which stays empty if there is nothing to say. */
static void handle(struct server *s, const char *line, size_t len)
{
    struct cupel_document *doc = s->doc;
    cupel_text_clear(&s->answer);
    if (cupel_document_read(doc, line, len, NULL) != CUPEL_OK) {
        answer_error(s, CUPEL_NO_NODE, -32700, "Parse error");
        return;
    }
    if (cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT) {
        answer_error(s, CUPEL_NO_NODE, -32600, "Invalid request: not an object");
        return;
    }
    uint32_t id = cupel_json_member(doc, 0, "id", 2);
    uint32_t method = cupel_json_member(doc, 0, "method", 6);
    uint32_t params = cupel_json_member(doc, 0, "params", 6);
    if (id == CUPEL_NO_NODE || method == CUPEL_NO_NODE)
        return; /* a notification, or a response to no request */
    if (cupel_json_is(doc, method, "initialize"))
        initialize(s, id, params);
    else if (cupel_json_is(doc, method, "server/discover"))
        discover(s, id);
    else if (cupel_json_is(doc, method, "tools/list"))
        list(s, id);
    else if (cupel_json_is(doc, method, "tools/call"))
        call(s, id, params, line, len);
    else if (cupel_json_is(doc, method, "ping"))
        pong(s, id);
    else
        answer_error(s, id, -32601, "Method not found");
}

/* -- The loop --------------------------------------------------------------------------------- */

static bool start(struct server *s)
{
    struct cupel_error err;
    memset(&err, 0, sizeof(err));
    cupel_text_init(&s->list, NULL);
    cupel_text_init(&s->answer, NULL);
    cupel_declared_list_write(s->tools, s->count, &s->list);
    if (cupel_declared_catalog_new(s->tools, s->count, NULL, &s->catalog, &err) == CUPEL_OK &&
        cupel_call_context_new(NULL, &s->caller) == CUPEL_OK &&
        cupel_document_new(NULL, &s->doc) == CUPEL_OK && !s->list.failed)
        return true;
    fprintf(stderr, "the tools are not sound: %s: %s\n", err.where, err.detail);
    return false;
}

int serve(const struct cupel_declared_tool *tools, run_tool *const *runs, size_t count)
{
    struct server s = {.tools = tools, .runs = runs, .count = count};
    char *line = NULL;
    size_t capacity = 0;
    long len;
    bool started = start(&s);
    while (started && (len = (long)getline(&line, &capacity, stdin)) > 0) {
        handle(&s, line, (size_t)len);
        if (s.answer.failed || s.answer.len == 0)
            continue;
        fwrite(s.answer.bytes, 1, s.answer.len, stdout);
        fputc('\n', stdout);
        fflush(stdout);
    }
    free(line);
    cupel_document_free(s.doc);
    cupel_call_context_free(s.caller);
    cupel_catalog_free(s.catalog);
    cupel_text_free(&s.list);
    cupel_text_free(&s.answer);
    return started ? 0 : 1;
}
