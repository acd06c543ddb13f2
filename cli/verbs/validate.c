/* validate.c: cupel validate: every instance gets its own line, and the worst verdict is the
 * exit status. */
#include "cli/verbs/validate.h"

#include <string.h>

/* Patterns that only the lenient grammar takes: elsewhere they may mean something else, or nothing.
 */
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

static int print_malformed(struct judge *judge, const struct cupel_error *err)
{
    int status = cli_read_exit(err->status);
    cli_print_result(judge, status == CLI_INPUT ? "bad-input" : "undecided", err->status, err);
    return status;
}

/* The standard's output formats tell of valid documents too. */
static bool tells_of_valid(const struct judge *judge)
{
    return judge->settings->rendering >= CUPEL_RENDER_SARIF;
}

/* What there is to say beside the verdict, which stands.  False if the report has another one. */
static bool explain(struct judge *judge, enum cupel_verdict verdict)
{
    enum cupel_verdict report = verdict;
    bool notes = judge->settings->annotations;
    struct cupel_outcome outcome;
    if (verdict == CUPEL_INVALID || tells_of_valid(judge)) {
        report = cli_render_problems(judge);
    } else if (notes) {
        report = cupel_annotate(judge->program, judge->scratch, judge->doc, 0, cli_add_note, judge,
                                &outcome);
        if (report == CUPEL_UNDECIDED)
            cupel_text_clear(&judge->notes);
    }
    if (report == verdict || report == CUPEL_UNDECIDED)
        return true;
    cli_print_error("%s: verdict and report do not agree; this is a bug", judge->place.file);
    return false;
}

static int judge_unreadable(struct judge *judge)
{
    if (judge->settings->rendering == CUPEL_RENDER_JSON)
        cli_print_result(judge, "bad-input", CUPEL_OK, NULL);
    return CLI_INPUT;
}

/* A cli_on_document. */
static int judge_document(void *ctx, const struct cli_origin *place, const char *text, size_t len)
{
    struct judge *judge = ctx;
    struct cupel_error err;
    struct cupel_outcome outcome;
    judge->place = *place;
    if (text == NULL)
        return judge_unreadable(judge);
    memset(&err, 0, sizeof(err));
    err.status = cupel_document_read(judge->doc, text, len, &err);
    if (err.status != CUPEL_OK)
        return print_malformed(judge, &err);
    enum cupel_verdict verdict =
        cupel_validate_node(judge->program, judge->scratch, judge->doc, 0, &outcome);
    if (verdict == CUPEL_UNDECIDED) {
        cli_print_result(judge, "undecided", outcome.reason, NULL);
        return outcome.reason == CUPEL_E_INTERNAL ? CLI_INTERNAL : CLI_UNDECIDED;
    }
    judge->text = text;
    judge->len = len;
    bool agreed = explain(judge, verdict);
    cli_print_result(judge, verdict == CUPEL_VALID ? "valid" : "invalid", CUPEL_OK, NULL);
    if (!agreed)
        return CLI_INTERNAL;
    return verdict == CUPEL_VALID ? CLI_VALID : CLI_INVALID;
}

int cli_run_validate(struct cli_settings *settings)
{
    struct judge judge = {.settings = settings};
    if (settings->count < 2)
        return cli_usage(CLI_VERB_VALIDATE);
    cupel_text_init(&judge.out, NULL);
    cupel_text_init(&judge.errors, NULL);
    cupel_text_init(&judge.notes, NULL);
    int worst = cli_compile_file(settings, settings->arguments[0], &judge.program);
    if (worst != CLI_VALID)
        goto out;
    if (cupel_document_new(&settings->engine, &judge.doc) != CUPEL_OK ||
        cupel_scratch_new(&settings->engine, &judge.scratch) != CUPEL_OK) {
        cli_print_error("out of memory");
        worst = CLI_INTERNAL;
        goto out;
    }
    cli_print_begin(&judge);
    for (int i = 1; i < settings->count; i++)
        worst = cli_worst(
            worst, cli_each_document(settings, settings->arguments[i], judge_document, &judge));
    cli_print_end(&judge);
out:
    cupel_program_free(judge.program);
    cupel_document_free(judge.doc);
    cupel_scratch_free(judge.scratch);
    cupel_text_free(&judge.out);
    cupel_text_free(&judge.errors);
    cupel_text_free(&judge.notes);
    return worst;
}
