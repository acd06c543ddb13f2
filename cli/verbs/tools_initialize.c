/* tools_initialize.c: cupel tools check --initialize: hidden text in what a server says of itself.
 *
 * Clients hand the `instructions` of a server to the model, and show its name and title to people.
 * The answer is read as the response of JSON-RPC or its result, by the rules for lists: with
 * `jsonrpc` or `result` there, only `result` counts. */
#include "cli/verbs/tools.h"

#include <cupel/checks.h>
#include <cupel/protocol.h>
#include <string.h>

static const char method[] = "initialize";

/* The state of the check. */
struct session {
    const struct cli_settings *settings;
    struct cupel_document *doc;
    const char *file;
    struct cupel_text *out; /* lines for people, or JSON */
    enum cupel_severity severity;
    uint32_t problems;
};

static uint32_t member(const struct session *s, uint32_t object, const char *name)
{
    return cupel_json_member(s->doc, object, name, strlen(name));
}

/* -- Finding the result ----------------------------------------------------------------------- */

/* Prints why the text is refused.  Returns CUPEL_NO_NODE. */
static uint32_t refuse(const struct session *s, const char *why)
{
    cli_print_error("%s: %s", s->file, why);
    return CUPEL_NO_NODE;
}

/* Whether all receivers read the names of an object in one way. */
static bool has_good_names(const struct session *s, uint32_t object, enum cupel_place place)
{
    struct cupel_message_problem problem;
    if (cupel_message_names_check(s->doc, object, place, method, sizeof(method) - 1, &problem) ==
        CUPEL_OK)
        return true;
    refuse(s, problem.text);
    return false;
}

/* Returns the result, or CUPEL_NO_NODE after an error message. */
static uint32_t find_result(const struct session *s)
{
    uint32_t result = 0;
    if (cupel_json_type(s->doc, 0) != CUPEL_JSON_OBJECT)
        return refuse(s, "the answer to initialize is not an object");
    if (!has_good_names(s, 0, CUPEL_PLACE_ENVELOPE) || !has_good_names(s, 0, CUPEL_PLACE_RESULT))
        return CUPEL_NO_NODE;
    if (member(s, 0, "jsonrpc") != CUPEL_NO_NODE || member(s, 0, "result") != CUPEL_NO_NODE) {
        result = member(s, 0, "result");
        if (result == CUPEL_NO_NODE || cupel_json_type(s->doc, result) != CUPEL_JSON_OBJECT)
            return refuse(s, "the response has no result that is an object");
        if (member(s, 0, "error") != CUPEL_NO_NODE || member(s, 0, "instructions") != CUPEL_NO_NODE)
            return refuse(s, "something stands beside the result of the response");
        if (!has_good_names(s, result, CUPEL_PLACE_RESULT))
            return CUPEL_NO_NODE;
    }
    if (member(s, result, "serverInfo") == CUPEL_NO_NODE)
        return refuse(s, "the text is no answer to initialize: serverInfo is missing");
    return result;
}

/* -- Reports ---------------------------------------------------------------------------------- */

static void report(struct session *s, const char *pointer, const struct cupel_hidden *found)
{
    const char *severity = cupel_severity_name(s->severity);
    char message[128], code[32] = "";
    if (found->code_point != 0 || found->kind == CUPEL_HIDDEN_CONTROL)
        snprintf(code, sizeof(code), " (U+%04X)", (unsigned)found->code_point);
    snprintf(message, sizeof(message), "the text has %s%s at byte %llu",
             cupel_hidden_name(found->kind), code, (unsigned long long)found->offset);
    s->problems++;
    if (s->settings->format != CLI_FORMAT_JSON) {
        cli_add_line(s->out, "         %s[hidden-text] initialize %s: %s (%s)", severity, pointer,
                     message, s->file);
        return;
    }
    cupel_text_adds(s->out,
                    s->problems > 1 ? ",{\"rule\":\"hidden-text\"" : "{\"rule\":\"hidden-text\"");
    cli_json_string(s->out, "severity", severity);
    cli_json_string(s->out, "pointer", pointer);
    cli_json_string(s->out, "message", message);
    cupel_text_adds(s->out, "}");
}

/* Checks a member, if it is there and a string. */
static void check_member(struct session *s, uint32_t object, const char *name, const char *pointer)
{
    struct cupel_hidden found;
    uint32_t node = member(s, object, name);
    size_t len = 0;
    const char *text = node != CUPEL_NO_NODE ? cupel_json_string(s->doc, node, &len) : NULL;
    if (text != NULL && cupel_hidden_find(text, len, 0, &found))
        report(s, pointer, &found);
}

static void check_result(struct session *s, uint32_t result)
{
    uint32_t info = member(s, result, "serverInfo");
    check_member(s, result, "instructions", "/instructions");
    check_member(s, info, "name", "/serverInfo/name");
    check_member(s, info, "title", "/serverInfo/title");
    check_member(s, info, "version", "/serverInfo/version");
    check_member(s, info, "description", "/serverInfo/description");
    check_member(s, info, "websiteUrl", "/serverInfo/websiteUrl");
}

/* -- The file --------------------------------------------------------------------------------- */

/* Reads the answer into s->doc.  Returns the exit status. */
static int read_answer(struct session *s, const struct cli_file *file)
{
    struct cupel_error err;
    memset(&err, 0, sizeof(err));
    if (cupel_document_new(&s->settings->engine, &s->doc) != CUPEL_OK) {
        cli_print_error("out of memory");
        return CLI_INTERNAL;
    }
    err.status = cupel_document_read(s->doc, file->text.bytes, file->text.len, &err);
    if (err.status == CUPEL_OK)
        return CLI_VALID;
    cli_schema_error(file->name, &err);
    return cli_read_exit(err.status);
}

/* The verdict for people: a line before the problems, which are there already. */
static void print_human(const struct session *s, const struct cupel_text *problems,
                        struct cupel_text *out)
{
    cli_add_line(out, "%-8s initialize",
                 s->problems == 0                      ? "ok"
                 : s->severity == CUPEL_SEVERITY_ERROR ? "invalid"
                                                       : "warning");
    cupel_text_add(out, problems->bytes, problems->len);
}

static void print_json(const struct session *s, const struct cupel_text *problems,
                       struct cupel_text *out)
{
    cupel_text_adds(out, "{\"file\":");
    cupel_text_add_json(out, s->file, strlen(s->file));
    cupel_text_adds(out, ",\"problems\":[");
    cupel_text_add(out, problems->bytes, problems->len);
    cupel_text_adds(out, "]}");
}

int cli_check_initialize(const struct cli_settings *settings, struct cupel_text *out)
{
    struct cli_file file;
    struct cupel_text problems;
    struct session s = {.settings = settings, .out = &problems};
    bool strict = (settings->mcp_flags & CUPEL_CATALOG_STRICT_TEXT) != 0;
    int status = CLI_INPUT;
    uint32_t result = CUPEL_NO_NODE;
    s.severity = strict ? CUPEL_SEVERITY_ERROR : CUPEL_SEVERITY_WARNING;
    cupel_text_init(&problems, NULL);
    if (cli_read(settings->initialize, &file)) {
        s.file = file.name;
        status = read_answer(&s, &file);
        if (status == CLI_VALID && (result = find_result(&s)) == CUPEL_NO_NODE)
            status = CLI_INPUT;
    }
    if (status == CLI_VALID) {
        check_result(&s, result);
        status = s.problems != 0 && strict ? CLI_INVALID : CLI_VALID;
        (settings->format == CLI_FORMAT_JSON ? print_json : print_human)(&s, &problems, out);
        out->failed |= problems.failed;
    } else if (settings->format == CLI_FORMAT_JSON) {
        cupel_text_adds(out, "null");
    }
    cupel_document_free(s.doc);
    cupel_text_free(&problems);
    cli_file_free(&file);
    return status;
}
