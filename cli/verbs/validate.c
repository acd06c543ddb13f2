/* validate.c: cupel validate: validates documents against a schema.
 *
 * Each document is read and validated; if it is invalid the report program runs too and its verdict
 * is compared.  validate_print.c prints results.  The exit status is that of the worst document. */
#include "cli/verbs/validate.h"

#include <string.h>

/* Warns of patterns that only the lenient grammar of ECMA-262 allows: other engines may reject them
 * or match something else. */
static void warn_of_patterns(const char *file, const struct cupel_program *program)
{
    struct cupel_pattern_info pattern;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (uint32_t i = 0; cupel_program_pattern(program, i, &pattern) == CUPEL_OK; i++) {
        if (!pattern.lenient)
            continue;
        cupel_text_clear(&text);
        cupel_text_add_json(&text, pattern.text, pattern.len);
        cli_line(stderr, "%s: warning[PATTERN]: not ECMA-262 with the u flag: %.*s", file,
                 (int)text.len, text.bytes);
    }
    cupel_text_free(&text);
}

int cli_compile_file(struct cli_settings *settings, const char *path, struct cupel_program **ret)
{
    struct cli_file file;
    struct cupel_error err;
    int status = CLI_INPUT;
    if (cli_read(path, &file)) {
        memset(&err, 0, sizeof(err));
        err.status = cupel_compile(file.text.bytes, file.text.len, &settings->engine, ret, &err);
        status = err.status == CUPEL_OK ? CLI_VALID : cli_schema_error(file.name, &err);
        if (status == CLI_VALID)
            warn_of_patterns(file.name, *ret);
    }
    cli_file_free(&file);
    return status;
}

static int print_malformed(struct validation *v, const struct cupel_error *err)
{
    int status = cli_read_exit(err->status);
    cli_print_result(v, status == CLI_INPUT ? "bad-input" : "undecided", err->status, err);
    return status;
}

/* Whether the format prints something for valid documents too: the specification's output formats
 * do. */
static bool prints_valid(const struct validation *v)
{
    return v->settings->rendering >= CUPEL_RENDER_SARIF;
}

/* Renders problems, annotations and repairs of a document.  False if the report's verdict differs,
 * which is a bug. */
static bool explain(struct validation *v, enum cupel_verdict verdict)
{
    enum cupel_verdict report = verdict;
    bool notes = v->settings->annotations;
    struct cupel_outcome outcome;
    if (verdict == CUPEL_INVALID || prints_valid(v)) {
        report = cli_render_problems(v);
    } else if (notes) {
        report = cupel_annotate(v->program, v->scratch, v->doc, 0, cli_add_note, v, &outcome);
        if (report == CUPEL_UNDECIDED)
            cupel_text_clear(&v->notes);
    }
    if (report == verdict || report == CUPEL_UNDECIDED)
        return true;
    cli_print_error("%s: verdict and report do not agree; this is a bug", v->place.file);
    return false;
}

static int report_unreadable(struct validation *v)
{
    if (v->settings->rendering == CUPEL_RENDER_JSON)
        cli_print_result(v, "bad-input", CUPEL_OK, NULL);
    return CLI_INPUT;
}

/* A cli_on_document: validates one document and prints its result. */
static int validate_document(void *ctx, const struct cli_origin *place, const char *text,
                             size_t len)
{
    struct validation *v = ctx;
    struct cupel_error err;
    struct cupel_outcome outcome;
    v->place = *place;
    if (text == NULL)
        return report_unreadable(v);
    memset(&err, 0, sizeof(err));
    err.status = cupel_document_read(v->doc, text, len, &err);
    if (err.status != CUPEL_OK)
        return print_malformed(v, &err);
    enum cupel_verdict verdict = cupel_validate_node(v->program, v->scratch, v->doc, 0, &outcome);
    if (verdict == CUPEL_UNDECIDED) {
        cli_print_result(v, "undecided", outcome.reason, NULL);
        return outcome.reason == CUPEL_E_INTERNAL ? CLI_INTERNAL : CLI_UNDECIDED;
    }
    v->text = text;
    v->len = len;
    bool agreed = explain(v, verdict);
    cli_print_result(v, verdict == CUPEL_VALID ? "valid" : "invalid", CUPEL_OK, NULL);
    if (!agreed)
        return CLI_INTERNAL;
    return verdict == CUPEL_VALID ? CLI_VALID : CLI_INVALID;
}

/* Compiles the schema, validates all documents, prints the frame of the format around them. */
int cli_run_validate(struct cli_settings *settings)
{
    struct validation v = {.settings = settings};
    if (settings->count < 2)
        return cli_usage(CLI_VERB_VALIDATE);
    cupel_text_init(&v.out, NULL);
    cupel_text_init(&v.errors, NULL);
    cupel_text_init(&v.notes, NULL);
    int worst = cli_compile_file(settings, settings->arguments[0], &v.program);
    if (worst != CLI_VALID)
        goto out;
    if (cupel_document_new(&settings->engine, &v.doc) != CUPEL_OK ||
        cupel_scratch_new(&settings->engine, &v.scratch) != CUPEL_OK) {
        cli_print_error("out of memory");
        worst = CLI_INTERNAL;
        goto out;
    }
    cli_print_begin(&v);
    for (int i = 1; i < settings->count; i++)
        worst = cli_worst(
            worst, cli_each_document(settings, settings->arguments[i], validate_document, &v));
    cli_print_end(&v);
out:
    cupel_program_free(v.program);
    cupel_document_free(v.doc);
    cupel_scratch_free(v.scratch);
    cupel_text_free(&v.out);
    cupel_text_free(&v.errors);
    cupel_text_free(&v.notes);
    return worst;
}
