/* args.c: cupel args: validates arguments against an argument schema of 2025-10-09, with the
 * messages of that language, and converts such a schema to JSON Schema. */
#include "cli/cli.h"

#include <string.h>

struct session {
    struct cli_settings *settings;
    struct cupel_argument_schema *args;
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_text message;         /* the message at hand */
    struct cupel_text errors, details; /* for JSON; HUMAN has its lines in `errors` */
    struct cupel_text out;
    uint32_t count;
};

static bool is_json(const struct session *s)
{
    return s->settings->format == CLI_FORMAT_JSON;
}

/* -- Printing --------------------------------------------------------------------------------- */

/* Appends a problem to the list of the instance at hand. */
static int on_problem(void *ctx, const struct cupel_argument_problem *problem)
{
    struct session *s = ctx;
    if (!is_json(s)) {
        cli_add_line(&s->errors, "    %.*s", (int)problem->message_len, problem->message);
        return 0;
    }
    const char *comma = s->count++ != 0 ? "," : "";
    cupel_text_adds(&s->errors, comma);
    cupel_text_add_json(&s->errors, problem->message, problem->message_len);
    cupel_text_addf(&s->details, "%s{\"argument\":", comma);
    cupel_text_add_json(&s->details, problem->argument, problem->argument_len);
    cli_json_string(&s->details, "path", problem->path);
    cupel_text_adds(&s->details, "}");
    return 0;
}

/* Prints the verdict of a document and its problems. */
static void print(struct session *s, const struct cli_origin *place, const char *verdict,
                  enum cupel_status reason)
{
    struct cupel_text *out = &s->out;
    const char *name = reason != CUPEL_OK ? cupel_status_name(reason) : "";
    if (is_json(s)) {
        cupel_text_adds(out, "{\"file\":");
        cupel_text_add_json(out, place->file, strlen(place->file));
        cli_json_number(out, "line", place->line != 0 ? place->line : 1);
        cli_json_string(out, "verdict", verdict);
        cli_json_string(out, "reason", name);
        cupel_text_adds(out, ",\"errors\":[");
        cupel_text_add(out, s->errors.bytes, s->errors.len);
        cupel_text_adds(out, "],\"details\":[");
        cupel_text_add(out, s->details.bytes, s->details.len);
        cupel_text_adds(out, "]}\n");
    } else {
        cli_add_verdict(out, place, verdict, name);
        cupel_text_add(out, s->errors.bytes, s->errors.len);
    }
    out->failed |= s->errors.failed | s->details.failed;
    cli_flush(out);
    cupel_text_clear(&s->errors);
    cupel_text_clear(&s->details);
    s->count = 0;
}

/* -- Validating ------------------------------------------------------------------------------ */

/* A cli_on_document: validates one instance and prints its result. */
static int validate(void *ctx, const struct cli_origin *place, const char *text, size_t len)
{
    struct session *s = ctx;
    struct cupel_error err;
    struct cupel_outcome outcome;
    if (text == NULL) {
        print(s, place, "bad-input", CUPEL_OK);
        return CLI_INPUT;
    }
    enum cupel_status status = cupel_document_read(s->doc, text, len, &err);
    if (status != CUPEL_OK) {
        int result = cli_read_exit(status);
        cli_document_error(place, &err);
        print(s, place, result == CLI_INPUT ? "bad-input" : "undecided", status);
        return result;
    }
    enum cupel_verdict verdict = cupel_argument_schema_check(s->args, s->scratch, s->doc, 0,
                                                             &s->message, on_problem, s, &outcome);
    if (verdict == CUPEL_UNDECIDED) {
        print(s, place, "undecided", outcome.reason);
        return outcome.reason == CUPEL_E_INTERNAL ? CLI_INTERNAL : CLI_UNDECIDED;
    }
    print(s, place, verdict == CUPEL_VALID ? "valid" : "invalid", CUPEL_OK);
    return verdict == CUPEL_VALID ? CLI_VALID : CLI_INVALID;
}

/* Prints why a schema was refused; returns the exit status. */
static int refuse(struct session *s, const char *file, const struct cupel_error *err)
{
    struct cli_origin place = {file, 0};
    int status = cli_schema_error(file, err);
    if (is_json(s)) {
        cupel_text_add_json(&s->errors, err->detail, strlen(err->detail));
        cupel_text_adds(&s->details, "{\"argument\":\"\"");
        cli_json_string(&s->details, "path", "");
        cupel_text_adds(&s->details, "}");
        print(s, &place, "schema-refused", err->status);
    }
    return status;
}

/* Reads and compiles the argument schema into the session, and prints a warning if there is one.
 * Returns the exit status. */
static int load(struct session *s, const char *path)
{
    struct cupel_argument_schema_options options;
    struct cli_file file;
    struct cupel_error err;
    const char *warning;
    int status = CLI_INPUT;
    cupel_argument_schema_options_init(&options);
    options.engine = &s->settings->engine;
    options.flags = (s->settings->strict_integer ? CUPEL_ARGS_STRICT_INTEGER : 0u) |
                    (s->settings->null_is_absent ? CUPEL_ARGS_NULL_IS_ABSENT : 0u);
    if (cli_read(path, &file)) {
        memset(&err, 0, sizeof(err));
        err.status =
            cupel_argument_schema_new(file.text.bytes, file.text.len, &options, &s->args, &err);
        status = err.status == CUPEL_OK ? CLI_VALID : refuse(s, file.name, &err);
    }
    for (uint32_t i = 0;
         status == CLI_VALID && (warning = cupel_argument_schema_warning(s->args, i)); i++)
        cli_print_error("%s: warning: %s", file.name, warning);
    cli_file_free(&file);
    return status;
}

static int print_schema(struct session *s)
{
    size_t len;
    const char *schema = cupel_argument_schema_json(s->args, &len);
    cupel_text_add(&s->out, schema, len);
    cupel_text_adds(&s->out, "\n");
    cli_flush(&s->out);
    return CLI_VALID;
}

static int validate_all(struct session *s)
{
    const struct cli_settings *settings = s->settings;
    int worst = CLI_VALID;
    if (cupel_document_new(&settings->engine, &s->doc) != CUPEL_OK ||
        cupel_scratch_new(&settings->engine, &s->scratch) != CUPEL_OK) {
        cli_print_error("out of memory");
        return CLI_INTERNAL;
    }
    for (int i = 1; i < settings->count; i++)
        worst = cli_worst(worst, cli_each_document(settings, settings->arguments[i], validate, s));
    return worst;
}

/* Compiles the argument schema; converts it with --convert, otherwise validates every instance. */
int cli_run_args(struct cli_settings *settings)
{
    struct session s = {.settings = settings};
    if (settings->count < (settings->convert ? 1 : 2))
        return cli_usage(CLI_VERB_ARGS);
    cupel_text_init(&s.message, NULL);
    cupel_text_init(&s.errors, NULL);
    cupel_text_init(&s.details, NULL);
    cupel_text_init(&s.out, NULL);
    int status = load(&s, settings->arguments[0]);
    if (status == CLI_VALID)
        status = settings->convert ? print_schema(&s) : validate_all(&s);
    cupel_argument_schema_free(s.args);
    cupel_document_free(s.doc);
    cupel_scratch_free(s.scratch);
    cupel_text_free(&s.message);
    cupel_text_free(&s.errors);
    cupel_text_free(&s.details);
    cupel_text_free(&s.out);
    return status;
}
