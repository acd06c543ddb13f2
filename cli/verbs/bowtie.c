/* bowtie.c: cupel bowtie: the harness protocol of Bowtie, version 1.
 *
 * One command per line on the standard input, one answer per line on the standard output, until
 * `stop`.  No state survives a command but the dialect of schemas without `$schema`. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct harness {
    struct cli_settings *settings;
    struct cupel_options options;
    struct cupel_document *doc; /* the command */
    struct cupel_scratch *scratch;
    uint32_t registry; /* of the case, or CUPEL_NO_NODE */
    bool started;
    struct cupel_text out;
};

static const struct {
    const char *uri;
    enum cupel_dialect dialect;
} dialects[] = {
    {"https://json-schema.org/draft/2020-12/schema", CUPEL_2020_12},
    {"https://json-schema.org/draft/2019-09/schema", CUPEL_2019_09},
    {"http://json-schema.org/draft-07/schema#", CUPEL_DRAFT_7},
    {"http://json-schema.org/draft-06/schema#", CUPEL_DRAFT_6},
    {"http://json-schema.org/draft-04/schema#", CUPEL_DRAFT_4},
};
enum { DIALECTS = sizeof(dialects) / sizeof(dialects[0]) };

static void add_string(struct cupel_text *out, const char *before, const char *text)
{
    cupel_text_adds(out, before);
    cupel_text_add_json(out, text, strlen(text));
}

static void add_span(struct harness *h, uint32_t node)
{
    size_t len;
    const char *span = cupel_json_span(h->doc, node, &len);
    cupel_text_add(&h->out, span, len);
}

static uint32_t member(struct harness *h, uint32_t node, const char *name)
{
    return cupel_json_member(h->doc, node, name, strlen(name));
}

/* -- start, dialect --------------------------------------------------------------------------- */

/* The command `start`: describes the implementation and its dialects. */
static bool run_start(struct harness *h)
{
    struct utsname system;
    int64_t version;
    uint32_t node = member(h, 0, "version");
    if (node == CUPEL_NO_NODE || cupel_json_integer(h->doc, node, &version) != 0 || version != 1) {
        cli_print_error("bowtie: only version 1 of the protocol is known");
        return false;
    }
    if (uname(&system) != 0)
        memset(&system, 0, sizeof(system));
    cupel_text_adds(&h->out, "{\"version\":1,\"implementation\":{\"name\":\"cupel\","
                             "\"language\":\"c\"");
    add_string(&h->out, ",\"version\":", cupel_version());
    add_string(&h->out, ",\"os\":", system.sysname);
    add_string(&h->out, ",\"os_version\":", system.release);
    cupel_text_adds(&h->out, ",\"language_version\":\"11\",\"homepage\":\"urn:cupel\","
                             "\"issues\":\"urn:cupel\",\"source\":\"urn:cupel\","
                             "\"dialects\":");
    for (int i = 0; i < DIALECTS; i++)
        add_string(&h->out, i == 0 ? "[" : ",", dialects[i].uri);
    cupel_text_adds(&h->out, "]}}");
    h->started = true;
    return true;
}

/* Whether a string is a dialect's URI; an empty fragment makes no difference (RFC 3986, section 6).
 */
static bool names(const char *text, size_t len, const char *uri)
{
    size_t n = strlen(uri);
    n -= uri[n - 1] == '#';
    len -= len != 0 && text[len - 1] == '#';
    return len == n && memcmp(text, uri, n) == 0;
}

/* The command `dialect`: sets the dialect of schemas without $schema. */
static bool run_dialect(struct harness *h)
{
    size_t len;
    const char *uri = cupel_json_string(h->doc, member(h, 0, "dialect"), &len);
    bool known = false;
    for (int i = 0; i < DIALECTS && !known; i++) {
        known = uri != NULL && names(uri, len, dialects[i].uri);
        if (known)
            h->options.dialect = dialects[i].dialect;
    }
    cupel_text_adds(&h->out, known ? "{\"ok\":true}" : "{\"ok\":false}");
    return true;
}

/* -- run -------------------------------------------------------------------------------------- */

/* A cupel_resolver that finds the documents in the case's registry. */
static int resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                   size_t *ret_len)
{
    struct harness *h = ctx;
    uint32_t schema = h->registry != CUPEL_NO_NODE
                          ? cupel_json_member(h->doc, h->registry, uri, uri_len)
                          : CUPEL_NO_NODE;
    if (schema == CUPEL_NO_NODE)
        return cli_refs_resolve(&h->settings->refs, uri, uri_len, ret_text, ret_len);
    *ret_text = cupel_json_span(h->doc, schema, ret_len);
    return 0;
}

/* An error instead of a result; the pointer is a schema location, or NULL. */
static void add_error(struct harness *h, const char *message, const char *pointer)
{
    add_string(&h->out, "\"errored\":true,\"context\":{\"message\":", message);
    if (pointer != NULL && *pointer != '\0')
        add_string(&h->out, ",\"pointer\":", pointer);
    cupel_text_adds(&h->out, "}");
}

static int on_annotation(void *ctx, const struct cupel_annotation *annotation)
{
    struct harness *h = ctx;
    bool first = h->out.bytes[h->out.len - 1] == '[';
    add_string(&h->out, first ? "{\"keyword\":" : ",{\"keyword\":", annotation->keyword);
    add_string(&h->out, ",\"instanceLocation\":", annotation->instance);
    cupel_text_adds(&h->out, ",\"keywordLocation\":");
    size_t at = h->out.len;
    cupel_text_add_json(&h->out, annotation->schema, strlen(annotation->schema));
    /* As a fragment: the blank becomes the quote and the quote `#`. */
    cupel_text_adds(&h->out, " ");
    if (!h->out.failed) {
        memmove(h->out.bytes + at + 2, h->out.bytes + at + 1, h->out.len - at - 2);
        h->out.bytes[at + 1] = '#';
    }
    cupel_text_adds(&h->out, ",\"annotation\":");
    cupel_text_adds(&h->out, annotation->value);
    cupel_text_adds(&h->out, "}");
    return 0;
}

/* Appends the result of one instance: valid, an error without a verdict, and annotations if asked
 * for. */
static void add_result(struct harness *h, const struct cupel_program *program, uint32_t test)
{
    struct cupel_outcome outcome;
    size_t len;
    uint32_t instance = member(h, test, "instance");
    const char *text = instance != CUPEL_NO_NODE ? cupel_json_span(h->doc, instance, &len) : "";
    enum cupel_verdict verdict =
        cupel_validate(program, h->scratch, text, instance != CUPEL_NO_NODE ? len : 0, &outcome);
    cupel_text_adds(&h->out, "{");
    if (verdict == CUPEL_UNDECIDED) {
        add_error(h, cupel_status_message(outcome.reason), NULL);
    } else {
        cupel_text_addf(&h->out, "\"valid\":%s", verdict == CUPEL_VALID ? "true" : "false");
        if (verdict == CUPEL_VALID && (h->options.flags & CUPEL_ANNOTATIONS) != 0) {
            cupel_text_adds(&h->out, ",\"annotations\":[");
            verdict = cupel_annotate(program, h->scratch, NULL, 0, on_annotation, h, NULL);
            cupel_text_adds(&h->out, "]");
        }
    }
    cupel_text_adds(&h->out, "}");
}

static void add_results(struct harness *h, const struct cupel_program *program, uint32_t tests)
{
    cupel_text_adds(&h->out, ",\"results\":[");
    uint32_t test = cupel_json_first(h->doc, tests);
    for (bool first = true; test != CUPEL_NO_NODE; first = false) {
        if (!first)
            cupel_text_adds(&h->out, ",");
        add_result(h, program, test);
        test = cupel_json_next(h->doc, tests, test);
    }
    cupel_text_adds(&h->out, "]}");
}

/* The command `run`: compiles a schema and validates all instances of a case.  False ends the
 * conversation. */
static bool run_case(struct harness *h)
{
    uint32_t seq = member(h, 0, "seq"), output = member(h, 0, "output"),
             group = member(h, 0, "case");
    uint32_t schema = group != CUPEL_NO_NODE ? member(h, group, "schema") : CUPEL_NO_NODE;
    uint32_t tests = group != CUPEL_NO_NODE ? member(h, group, "tests") : CUPEL_NO_NODE;
    if (seq == CUPEL_NO_NODE || schema == CUPEL_NO_NODE || tests == CUPEL_NO_NODE) {
        cli_print_error("bowtie: run without seq, schema or tests");
        return false;
    }
    h->registry = member(h, group, "registry");
    h->options.flags &= ~(uint32_t)CUPEL_ANNOTATIONS;
    if (output != CUPEL_NO_NODE && cupel_json_is(h->doc, output, "annotations"))
        h->options.flags |= CUPEL_ANNOTATIONS;
    cupel_text_adds(&h->out, "{\"seq\":");
    add_span(h, seq);
    size_t len;
    const char *text = cupel_json_span(h->doc, schema, &len);
    struct cupel_program *program = NULL;
    struct cupel_error err;
    enum cupel_status status = cupel_compile(text, len, &h->options, &program, &err);
    if (status == CUPEL_OK) {
        add_results(h, program, tests);
    } else {
        cupel_text_adds(&h->out, ",");
        add_error(h, err.detail[0] != 0 ? err.detail : cupel_status_message(status), err.where);
        cupel_text_adds(&h->out, "}");
    }
    cupel_program_free(program);
    return true;
}

/* -- The loop --------------------------------------------------------------------------------- */

/* Answers one command.  False at the end of the conversation, with its exit status in *ret_status.
 */
static bool answer(struct harness *h, const char *line, size_t len, int *ret_status)
{
    struct cupel_error err;
    enum cupel_status status = cupel_document_read(h->doc, line, len, &err);
    if (status != CUPEL_OK) {
        cli_print_error("bowtie: column %u: %s", (unsigned)err.column,
                        cupel_status_message(status));
        *ret_status = CLI_INPUT;
        return false;
    }
    uint32_t command = cupel_json_type(h->doc, 0) == CUPEL_JSON_OBJECT ? member(h, 0, "cmd") : 0;
    bool good = false;
    if (cupel_json_is(h->doc, command, "stop"))
        return false;
    if (cupel_json_is(h->doc, command, "start"))
        good = run_start(h);
    else if (!h->started)
        cli_print_error("bowtie: the conversation begins with start");
    else if (cupel_json_is(h->doc, command, "dialect"))
        good = run_dialect(h);
    else if (cupel_json_is(h->doc, command, "run"))
        good = run_case(h);
    else
        cli_print_error("bowtie: there is no such command");
    cupel_text_adds(&h->out, "\n");
    if (!good)
        *ret_status = CLI_INPUT;
    return good;
}

static int converse(struct harness *h)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    int status = CLI_VALID;
    while ((len = getline(&line, &capacity, stdin)) > 0) {
        bool more = answer(h, line, (size_t)len, &status);
        if (!more)
            break;
        cli_flush(&h->out);
        fflush(stdout);
    }
    if (len < 0 && ferror(stdin)) {
        cli_print_error("bowtie: %s", strerror(errno));
        status = CLI_INPUT;
    }
    free(line);
    return status;
}

/* Allocates what all commands share and converses until `stop` or the end of the input. */
int cli_run_bowtie(struct cli_settings *settings)
{
    if (settings->count != 0)
        return cli_usage(CLI_VERB_BOWTIE);
    struct harness h = {.settings = settings, .options = settings->engine};
    struct cupel_options wide = settings->engine;
    /* A command contains a schema, instances and a registry. */
    wide.limits[CUPEL_LIMIT_BODY_BYTES] = (size_t)64 << 20;
    wide.limits[CUPEL_LIMIT_DEPTH] = 4096;
    h.options.resolver = resolve;
    h.options.resolver_ctx = &h;
    cupel_text_init(&h.out, NULL);
    int status = CLI_INTERNAL;
    if (cupel_document_new(&wide, &h.doc) == CUPEL_OK &&
        cupel_scratch_new(&h.options, &h.scratch) == CUPEL_OK)
        status = converse(&h);
    cupel_text_free(&h.out);
    cupel_scratch_free(h.scratch);
    cupel_document_free(h.doc);
    return status;
}
