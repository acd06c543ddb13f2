/* verb_validate.c: cupel validate: every instance gets its own line, and the worst verdict is the
 * exit status. */
#include "cli.h"

#include <string.h>

int cli_compile_file(struct cli_settings *settings, const char *path, struct cupel_program **ret)
{
    struct cli_file file;
    struct cupel_error err;
    int status = CLI_INPUT;
    if (cli_read(path, &file)) {
        memset(&err, 0, sizeof(err));
        err.status = cupel_compile(file.text.bytes, file.text.len, &settings->engine, ret, &err);
        status = err.status == CUPEL_OK ? CLI_VALID : cli_schema_error(file.name, &err);
    }
    cli_file_free(&file);
    return status;
}

/* What judging needs, made once for all instances. */
struct judge {
    struct cli_settings *settings;
    struct cupel_program *program;
    struct cupel_document *doc;
    struct cupel_scratch *scratch;
    struct cupel_text out, errors, notes;
    const char *file;
    uint32_t line;  /* of the document in a file of lines; 0 if the file is one document */
    uint32_t count; /* of the errors or notes so far */
};

static bool is_json(const struct judge *judge)
{
    return judge->settings->format == CLI_FORMAT_JSON;
}

/* Where a value of the instance stands in its file. */
static void find_place(const struct judge *judge, uint32_t node, uint32_t *ret_line,
                       uint32_t *ret_column)
{
    uint64_t offset;
    cupel_json_place(judge->doc, node, &offset, ret_line, ret_column);
    if (judge->line != 0)
        *ret_line += judge->line - 1;
}

static int on_problem(void *ctx, const struct cupel_problem *problem)
{
    struct judge *judge = ctx;
    uint32_t line, column;
    find_place(judge, problem->node, &line, &column);
    if (is_json(judge)) {
        cupel_text_adds(&judge->errors, judge->count++ != 0 ? "," : "");
        cli_json_problem(&judge->errors, problem, line, column);
        return 0;
    }
    cupel_text_addf(&judge->errors, "%s:%u:%u: error[%s]", judge->file, (unsigned)line,
                    (unsigned)column, problem->keyword);
    if (problem->instance[0] != '\0')
        cupel_text_addf(&judge->errors, " at %s", problem->instance);
    cupel_text_addf(&judge->errors, ": %s (schema: #%s)\n", problem->message, problem->schema);
    return 0;
}

static int on_annotation(void *ctx, const struct cupel_annotation *note)
{
    struct judge *judge = ctx;
    struct cupel_text *notes = &judge->notes;
    uint32_t line, column;
    if (is_json(judge)) {
        cupel_text_adds(notes, judge->count++ != 0 ? ",{" : "{");
        cupel_text_adds(notes, "\"keyword\":");
        cupel_text_json(notes, note->keyword, strlen(note->keyword));
        cli_json_string(notes, "instance", note->instance);
        cli_json_string(notes, "schema", note->schema);
        cupel_text_adds(notes, ",\"value\":");
        cupel_text_adds(notes, note->value);
        cupel_text_adds(notes, "}");
        return 0;
    }
    find_place(judge, note->node, &line, &column);
    cupel_text_addf(notes, "%s:%u:%u: note[%s]", judge->file, (unsigned)line, (unsigned)column,
                    note->keyword);
    if (note->instance[0] != '\0')
        cupel_text_addf(notes, " at %s", note->instance);
    cupel_text_addf(notes, ": %s (schema: #%s)\n", note->value, note->schema);
    return 0;
}

static bool wants_notes(const struct judge *judge)
{
    return (judge->settings->engine.flags & CUPEL_ANNOTATIONS) != 0;
}

static void print(struct judge *judge, const char *verdict, enum cupel_status reason,
                  const struct cupel_error *err)
{
    struct cupel_text *out = &judge->out;
    const char *name = reason != CUPEL_OK ? cupel_status_name(reason) : "";
    if (is_json(judge)) {
        cupel_text_adds(out, "{\"file\":");
        cupel_text_json(out, judge->file, strlen(judge->file));
        cli_json_number(out, "line", judge->line != 0 ? judge->line : 1);
        cli_json_string(out, "verdict", verdict);
        cli_json_string(out, "reason", name);
        if (err != NULL && err->detail[0] != '\0')
            cli_json_string(out, "detail", err->detail);
        cupel_text_adds(out, ",\"errors\":[");
        cupel_text_add(out, judge->errors.bytes, judge->errors.len);
        cupel_text_adds(out, "]");
        if (wants_notes(judge)) {
            cupel_text_adds(out, ",\"annotations\":[");
            cupel_text_add(out, judge->notes.bytes, judge->notes.len);
            cupel_text_adds(out, "]");
        }
        cupel_text_adds(out, "}\n");
    } else {
        cupel_text_adds(out, judge->file);
        if (judge->line != 0)
            cupel_text_addf(out, ":%u", (unsigned)judge->line);
        cupel_text_addf(out, ": %s", verdict);
        if (reason != CUPEL_OK)
            cupel_text_addf(out, " (%s)", name);
        cupel_text_adds(out, "\n");
        cupel_text_add(out, judge->errors.bytes, judge->errors.len);
        cupel_text_add(out, judge->notes.bytes, judge->notes.len);
    }
    out->failed |= judge->errors.failed | judge->notes.failed;
    cli_flush(out);
    cupel_text_clear(&judge->errors);
    cupel_text_clear(&judge->notes);
    judge->count = 0;
}

static int print_unreadable(struct judge *judge, struct cupel_error *err)
{
    int status = cli_read_exit(err->status);
    if (err->line != 0 && judge->line != 0)
        err->line += judge->line - 1;
    if (!is_json(judge)) {
        cupel_text_addf(&judge->errors, "%s:%u:%u: error[%s]: %s\n", judge->file,
                        (unsigned)err->line, (unsigned)err->column, cupel_status_name(err->status),
                        err->detail);
    }
    print(judge, status == CLI_INPUT ? "bad-input" : "undecided", err->status, err);
    return status;
}

static int judge_text(struct judge *judge, const char *text, size_t len)
{
    struct cupel_error err;
    struct cupel_outcome outcome;
    memset(&err, 0, sizeof(err));
    err.status = cupel_document_read(judge->doc, text, len, &err);
    if (err.status != CUPEL_OK)
        return print_unreadable(judge, &err);
    enum cupel_verdict verdict =
        cupel_validate_node(judge->program, judge->scratch, judge->doc, 0, &outcome);
    if (verdict == CUPEL_VALID && wants_notes(judge)) {
        verdict = cupel_annotate(judge->program, judge->scratch, judge->doc, 0, on_annotation,
                                 judge, &outcome);
        if (verdict == CUPEL_INVALID) {
            cli_say("%s: the report found something wrong; this is a bug", judge->file);
            return CLI_INTERNAL;
        }
    }
    if (verdict == CUPEL_VALID) {
        print(judge, "valid", CUPEL_OK, NULL);
        return CLI_VALID;
    }
    if (verdict == CUPEL_UNDECIDED) {
        cupel_text_clear(&judge->notes);
        print(judge, "undecided", outcome.reason, NULL);
        return outcome.reason == CUPEL_E_INTERNAL ? CLI_INTERNAL : CLI_UNDECIDED;
    }
    verdict =
        cupel_report(judge->program, judge->scratch, judge->doc, 0, on_problem, judge, &outcome);
    print(judge, "invalid", CUPEL_OK, NULL);
    if (verdict != CUPEL_VALID)
        return CLI_INVALID;
    cli_say("%s: the report found nothing wrong; this is a bug", judge->file);
    return CLI_INTERNAL;
}

static int judge_file(struct judge *judge, const char *path)
{
    struct cli_file file;
    int worst = CLI_VALID;
    bool ok = cli_read(path, &file);
    judge->file = file.name;
    judge->line = 0;
    if (!ok) {
        worst = CLI_INPUT;
        if (is_json(judge))
            print(judge, "bad-input", CUPEL_OK, NULL);
    } else if (judge->settings->lines || cli_has_suffix(path, ".jsonl") ||
               cli_has_suffix(path, ".ndjson")) {
        struct cli_lines lines = {.text = file.text.bytes, .len = file.text.len};
        const char *line;
        size_t len;
        while (cli_next_line(&lines, &line, &len)) {
            judge->line = lines.number;
            worst = cli_worse(worst, judge_text(judge, line, len));
        }
    } else {
        worst = judge_text(judge, file.text.bytes, file.text.len);
    }
    cli_file_free(&file);
    return worst;
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
        cli_say("out of memory");
        worst = CLI_INTERNAL;
        goto out;
    }
    for (int i = 1; i < settings->count; i++)
        worst = cli_worse(worst, judge_file(&judge, settings->arguments[i]));
out:
    cupel_program_free(judge.program);
    cupel_document_free(judge.doc);
    cupel_scratch_free(judge.scratch);
    cupel_text_free(&judge.out);
    cupel_text_free(&judge.errors);
    cupel_text_free(&judge.notes);
    return worst;
}
