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
    ret->flags = v->settings->show_values ? CUPEL_SHOW_VALUES : 0;
    if (is_output_unit(v))
        ret->bytes = SIZE_MAX;
}

void cli_print_begin(struct validation *v)
{
    cupel_render_begin(rendering_of(v), &v->out);
    cli_flush(&v->out);
}

void cli_print_end(struct validation *v)
{
    cupel_render_end(rendering_of(v), &v->out);
    cli_flush(&v->out);
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
    if (err != NULL && err->detail[0] != '\0')
        cli_json_string(out, "detail", err->detail);
    cupel_text_adds(out, ",\"errors\":");
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
    cli_add_verdict(out, &v->place, verdict, reason);
    if (err != NULL && err->line != 0)
        cli_add_line(out, "%s:%u:%u: error[%s]: %s", v->place.file,
                     (unsigned)(err->line + (v->place.line != 0 ? v->place.line - 1 : 0)),
                     (unsigned)err->column, reason, err->detail);
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
    struct cupel_render_options options;
    struct cupel_error plain = {.status = reason};
    struct cupel_text *out = &v->out;
    render_options(v, &options);
    if (reason != CUPEL_OK)
        cupel_render_status(rendering_of(v), err != NULL ? err : &plain, &options, &v->errors);
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
    if (rendering_of(v) == CUPEL_RENDER_GITHUB)
        cli_flush_commands(out);
    else
        cli_flush(out);
    cupel_text_clear(&v->errors);
    cupel_text_clear(&v->notes);
    v->count = 0;
}
