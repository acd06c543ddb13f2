/* validate.c: cupel validate: validates documents against a schema, or checks a schema.
 *
 * Each document is read and validated; if it is invalid the report program runs too and its verdict
 * is compared.  validate_print.c prints results.  The exit status is that of the worst document. */
#include "cli/verbs/validate.h"

#include <cupel/debug.h>
#include <string.h>

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
    v->text = text;
    v->len = len;
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
    bool agreed = explain(v, verdict);
    cli_print_result(v, verdict == CUPEL_VALID ? "valid" : "invalid", CUPEL_OK, NULL);
    if (!agreed)
        return CLI_INTERNAL;
    return verdict == CUPEL_VALID ? CLI_VALID : CLI_INVALID;
}

/* A cli_on_document: the same, counted for the summary. */
static int count_document(void *ctx, const struct cli_origin *place, const char *text, size_t len)
{
    struct validation *v = ctx;
    int status = validate_document(ctx, place, text, len);
    if (status >= 0 && status <= CLI_UNDECIDED)
        v->documents[status]++;
    return status;
}

/* Compiles the schema, validates all documents, prints the frame of the format around them. */
int cli_run_validate(struct cli_settings *settings)
{
    struct validation v = {.settings = settings};
    int standard = 0;
    for (int i = 0; i < settings->count; i++)
        standard += strcmp(settings->arguments[i], "-") == 0;
    if (standard > 1) {
        cli_print_error("the standard input (-) is given twice, and can be read once only");
        return CLI_USAGE;
    }
    if (settings->count < 1)
        return cli_usage(CLI_VERB_VALIDATE);
    cupel_text_init(&v.out, NULL);
    cupel_text_init(&v.errors, NULL);
    cupel_text_init(&v.notes, NULL);
    cli_print_begin(&v);
    int worst = cli_schema_open(&v.schema, settings, settings->arguments[0], settings->rendering,
                                &v.errors);
    v.program = v.schema.program;
    if (worst != CLI_VALID || settings->count == 1) {
        cli_print_schema(&v, worst);
        goto out;
    }
    if (cupel_document_new(&settings->engine, &v.doc) != CUPEL_OK ||
        cupel_scratch_new(&settings->engine, &v.scratch) != CUPEL_OK) {
        cli_print_error("out of memory");
        worst = CLI_INTERNAL;
        goto out;
    }
    for (int i = 1; i < settings->count; i++)
        worst = cli_worst(worst,
                          cli_each_document(settings, settings->arguments[i], count_document, &v));
out:
    cli_print_end(&v);
    cli_schema_close(&v.schema);
    cupel_document_free(v.doc);
    cupel_scratch_free(v.scratch);
    cupel_text_free(&v.out);
    cupel_text_free(&v.errors);
    cupel_text_free(&v.notes);
    return worst;
}
