/* validate_print.c: prints the results of cupel validate in every format.
 *
 * The library renders problems; what is added here is the frame of each document: its verdict, the
 * reason of no verdict, annotations, a repair. */
#include "cli/verbs/validate.h"

#include <string.h>

static enum cupel_rendering rendering_of(const struct validation *v)
{
    return v->settings->rendering;
}

static bool is_json(const struct validation *v)
{
    return rendering_of(v) == CUPEL_RENDER_JSON;
}

static bool is_output_unit(const struct validation *v)
{
    return rendering_of(v) >= CUPEL_RENDER_FLAG;
}

static void render_options(const struct validation *v, struct cupel_render_options *ret)
{
    cupel_render_options_init(ret);
    ret->file = v->place.file;
    ret->line = v->place.line != 0 ? v->place.line : 1;
    ret->flags = CUPEL_DOCUMENT | (v->settings->show_values ? CUPEL_SHOW_VALUES : 0);
    ret->schema_place = cli_schema_place;
    ret->schema_place_ctx = (void *)&v->schema;
    if (is_output_unit(v))
        ret->bytes = SIZE_MAX;
}

void cli_print_begin(struct validation *v)
{
    cupel_render_begin(rendering_of(v), &v->out);
    cli_flush(&v->out);
}

/* Of several documents for people: how many there were of each kind. */
static void print_summary(struct validation *v)
{
    static const struct {
        int status;
        const char *name;
    } kinds[] = {{CLI_VALID, "valid"},
                 {CLI_INVALID, "invalid"},
                 {CLI_INPUT, "unreadable"},
                 {CLI_UNDECIDED, "undecided"}};
    const char *between = ": ";
    uint32_t all = 0;
    for (size_t i = 0; i <= CLI_UNDECIDED; i++)
        all += v->documents[i];
    if (all < 2 || rendering_of(v) != CUPEL_RENDER_HUMAN || v->settings->quiet)
        return;
    cupel_text_addf(&v->out, "%u documents", (unsigned)all);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (v->documents[kinds[i].status] == 0)
            continue;
        cupel_text_addf(&v->out, "%s%u %s", between, (unsigned)v->documents[kinds[i].status],
                        kinds[i].name);
        between = ", ";
    }
    cupel_text_adds(&v->out, "\n");
}

void cli_print_end(struct validation *v)
{
    print_summary(v);
    cupel_render_end(rendering_of(v), &v->out);
    cli_flush(&v->out);
}

/* Writes a result, or the faults of a schema. */
static void flush(struct validation *v)
{
    if (rendering_of(v) == CUPEL_RENDER_GITHUB)
        cli_flush_commands(&v->out);
    else if (rendering_of(v) == CUPEL_RENDER_HUMAN && cli_wants_color(v->settings->color))
        cli_flush_colored(&v->out);
    else
        cli_flush(&v->out);
}

/* The formats that a schema alone has: those of documents, but for people nothing on the standard
 * output if it is refused. */
void cli_print_schema(struct validation *v, int status)
{
    const char *file = v->schema.file.name;
    struct cupel_text *out = &v->out;
    cupel_text_add(out, v->errors.bytes, v->errors.len);
    if (status == CLI_VALID && is_json(v)) {
        cupel_text_adds(out, "{\"file\":");
        cupel_text_add_json(out, file, strlen(file));
        cupel_text_adds(out, ",\"line\":1,\"verdict\":\"valid\",\"reason\":\"\",\"errors\":[]}\n");
    } else if (status == CLI_VALID && rendering_of(v) == CUPEL_RENDER_HUMAN) {
        cli_add_line(out, "%s: valid schema", file);
    }
    out->failed |= v->errors.failed;
    flush(v);
    cupel_text_clear(&v->errors);
}

enum cupel_verdict cli_render_problems(struct validation *v)
{
    struct cupel_render_options options;
    struct cupel_outcome outcome;
    render_options(v, &options);
    return cupel_render(v->program, v->scratch, v->doc, 0, rendering_of(v), &options, &v->errors,
                        &outcome);
}

/* As JSON if the format is, otherwise a line. */
int cli_add_note(void *ctx, const struct cupel_annotation *note)
{
    struct validation *v = ctx;
    struct cupel_text *notes = &v->notes;
    if (is_json(v)) {
        cupel_text_adds(notes, v->count++ != 0 ? ",{" : "{");
        cupel_text_adds(notes, "\"keyword\":");
        cupel_text_add_json(notes, note->keyword, strlen(note->keyword));
        cli_json_string(notes, "instance", note->instance);
        cli_json_string(notes, "schema", note->schema);
        cupel_text_adds(notes, ",\"value\":");
        cupel_text_adds(notes, note->value);
        cupel_text_adds(notes, "}");
        return 0;
    }
    uint32_t line = note->line + (v->place.line != 0 ? v->place.line - 1 : 0);
    cli_add_line(notes, "%s:%u:%u: note[%s]%s%s: %s (schema: #%s)", v->place.file, (unsigned)line,
                 (unsigned)note->column, note->keyword, note->instance[0] != '\0' ? " at " : "",
                 note->instance, note->value, note->schema);
    return 0;
}

static void add_repair(const struct validation *v, struct cupel_text *text)
{
    cli_json_repair(text, &v->settings->engine, v->program, v->text, v->len);
}

/* The limits that end a validation, with the options that raise them. */
static void limit_fault(const struct validation *v, enum cupel_status reason,
                        struct cupel_fault *ret)
{
    const uint64_t *limits = v->settings->engine.limits;
    unsigned long long steps =
        limits[CUPEL_LIMIT_STEPS] + limits[CUPEL_LIMIT_STEPS_PER_BYTE] * (unsigned long long)v->len;
    const char *option = "steps";
    switch ((int)reason) {
    case CUPEL_E_LIMIT_STEPS:
        snprintf(ret->detail, sizeof(ret->detail),
                 "judging the document takes more than %llu steps (%llu, and %llu for each byte)",
                 steps, (unsigned long long)limits[CUPEL_LIMIT_STEPS],
                 (unsigned long long)limits[CUPEL_LIMIT_STEPS_PER_BYTE]);
        break;
    case CUPEL_E_LIMIT_MEMORY:
    case CUPEL_E_LIMIT_STACK:
        snprintf(ret->detail, sizeof(ret->detail),
                 "judging the document takes more memory than %llu bytes",
                 (unsigned long long)limits[CUPEL_LIMIT_SCRATCH_BYTES]);
        option = "scratch_bytes";
        break;
    default:
        snprintf(ret->detail, sizeof(ret->detail), "%s", cupel_status_message(reason));
        return;
    }
    snprintf(ret->help, sizeof(ret->help), "allow more with --limit %s=N", option);
}

/* Appends why there is no verdict, behind `before`. */
static void add_fault(const struct validation *v, const char *reason, const struct cupel_error *err,
                      const char *before, struct cupel_text *ret)
{
    struct cupel_render_options options;
    struct cupel_fault fault;
    render_options(v, &options);
    memset(&fault, 0, sizeof(fault));
    if (cli_is_read_status(err->status)) {
        cupel_text_explain(v->text, v->len, err, &fault);
    } else {
        snprintf(fault.kind, sizeof(fault.kind), "%s", reason);
        limit_fault(v, err->status, &fault);
    }
    fault.status = err->status;
    cupel_text_adds(ret, before);
    cupel_render_fault(rendering_of(v), &fault, v->text, v->len, &options, ret);
}

/* One object for a document: verdict, reason, errors, annotations, repair. */
static void print_json(struct validation *v, const char *verdict, const char *reason,
                       const struct cupel_error *err)
{
    struct cupel_text *out = &v->out, *errors = &v->errors;
    cupel_text_adds(out, "{\"file\":");
    cupel_text_add_json(out, v->place.file, strlen(v->place.file));
    cli_json_number(out, "line", v->place.line != 0 ? v->place.line : 1);
    cli_json_string(out, "verdict", verdict);
    cli_json_string(out, "reason", reason);
    cupel_text_adds(out, ",\"errors\":");
    if (err != NULL)
        add_fault(v, reason, err, "[", errors);
    cupel_text_adds(errors, err != NULL ? "]" : "");
    cupel_text_add(out, errors->len != 0 ? errors->bytes : "[]",
                   errors->len != 0 ? errors->len : 2);
    if (v->settings->repair && strcmp(verdict, "invalid") == 0) {
        cupel_text_adds(out, ",\"repair\":");
        add_repair(v, out);
    }
    if (v->settings->annotations) {
        cupel_text_adds(out, ",\"annotations\":[");
        cupel_text_add(out, v->notes.bytes, v->notes.len);
        cupel_text_adds(out, "]");
    }
    cupel_text_adds(out, "}\n");
}

/* The verdict on the standard output, problems before it; unreadable documents have an error
 * message. */
static void print_human(struct validation *v, const char *verdict, const char *reason,
                        const struct cupel_error *err)
{
    struct cupel_text *out = &v->out;
    if (!v->settings->quiet || strcmp(verdict, "valid") != 0)
        cli_add_verdict(out, &v->place, verdict, reason);
    if (err != NULL)
        add_fault(v, reason, err, "", out);
    cupel_text_add(out, v->errors.bytes, v->errors.len);
    if (v->errors.len != 0 && v->errors.bytes[v->errors.len - 1] != '\n')
        cupel_text_adds(out, "\n");
    cupel_text_add(out, v->notes.bytes, v->notes.len);
    if (v->settings->repair && strcmp(verdict, "invalid") == 0) {
        struct cupel_text repair;
        cupel_text_init(&repair, NULL);
        add_repair(v, &repair);
        cli_add_line(out, "%s: repair: %s", v->place.file, repair.failed ? "" : repair.bytes);
        out->failed |= repair.failed;
        cupel_text_free(&repair);
    }
}

/* SARIF, JUnit, GitHub: prints what was rendered, or why there is no verdict. */
static void print_status(struct validation *v, enum cupel_status reason,
                         const struct cupel_error *err)
{
    struct cupel_text *out = &v->out;
    if (err != NULL)
        add_fault(v, cupel_status_name(reason), err, "", &v->errors);
    bool sarif = rendering_of(v) == CUPEL_RENDER_SARIF;
    if (sarif && v->errors.len > 0 && v->results++ > 0)
        cupel_text_adds(out, ",\n");
    cupel_text_add(out, v->errors.bytes, v->errors.len);
}

/* Prints in the format of the settings and empties the texts of the document. */
void cli_print_result(struct validation *v, const char *verdict, enum cupel_status reason,
                      const struct cupel_error *err)
{
    struct cupel_text *out = &v->out;
    struct cupel_error plain = {.status = reason};
    if (err == NULL && reason != CUPEL_OK)
        err = &plain;
    const char *name = reason != CUPEL_OK ? cupel_status_name(reason) : "";
    if (is_json(v)) {
        print_json(v, verdict, name, err);
    } else if (is_output_unit(v) && reason == CUPEL_OK) {
        cupel_text_add(out, v->errors.bytes, v->errors.len);
        cupel_text_adds(out, "\n");
    } else if (is_output_unit(v)) {
        cli_print_error("%s: %s (%s)", v->place.file, verdict, name);
    } else if (rendering_of(v) == CUPEL_RENDER_HUMAN || rendering_of(v) == CUPEL_RENDER_MODEL) {
        print_human(v, verdict, name, err);
    } else {
        print_status(v, reason, err);
    }
    out->failed |= v->errors.failed | v->notes.failed;
    flush(v);
    cupel_text_clear(&v->errors);
    cupel_text_clear(&v->notes);
    v->count = 0;
}
