/* validate_print.c: results of cupel validate, in every format. */
#include "cli/verbs/validate.h"

#include <string.h>

static enum cupel_rendering rendering_of(const struct judge *judge)
{
    return judge->settings->rendering;
}

static bool is_json(const struct judge *judge)
{
    return rendering_of(judge) == CUPEL_RENDER_JSON;
}

static bool is_output_unit(const struct judge *judge)
{
    return rendering_of(judge) >= CUPEL_RENDER_FLAG;
}

static void render_options(const struct judge *judge, struct cupel_render_options *ret)
{
    cupel_render_options_init(ret);
    ret->file = judge->place.file;
    ret->line = judge->place.line != 0 ? judge->place.line : 1;
    ret->flags = judge->settings->show_values ? CUPEL_SHOW_VALUES : 0;
    if (is_output_unit(judge))
        ret->bytes = SIZE_MAX;
}

void cli_print_begin(struct judge *judge)
{
    cupel_render_begin(rendering_of(judge), &judge->out);
    cli_flush(&judge->out);
}

void cli_print_end(struct judge *judge)
{
    cupel_render_end(rendering_of(judge), &judge->out);
    cli_flush(&judge->out);
}

enum cupel_verdict cli_render_problems(struct judge *judge)
{
    struct cupel_render_options options;
    struct cupel_outcome outcome;
    render_options(judge, &options);
    return cupel_render(judge->program, judge->scratch, judge->doc, 0, rendering_of(judge),
                        &options, &judge->errors, &outcome);
}

int cli_add_note(void *ctx, const struct cupel_annotation *note)
{
    struct judge *judge = ctx;
    struct cupel_text *notes = &judge->notes;
    if (is_json(judge)) {
        cupel_text_adds(notes, judge->count++ != 0 ? ",{" : "{");
        cupel_text_adds(notes, "\"keyword\":");
        cupel_text_add_json(notes, note->keyword, strlen(note->keyword));
        cli_json_string(notes, "instance", note->instance);
        cli_json_string(notes, "schema", note->schema);
        cupel_text_adds(notes, ",\"value\":");
        cupel_text_adds(notes, note->value);
        cupel_text_adds(notes, "}");
        return 0;
    }
    uint32_t line = note->line + (judge->place.line != 0 ? judge->place.line - 1 : 0);
    cli_add_line(notes, "%s:%u:%u: note[%s]%s%s: %s (schema: #%s)", judge->place.file,
                 (unsigned)line, (unsigned)note->column, note->keyword,
                 note->instance[0] != '\0' ? " at " : "", note->instance, note->value,
                 note->schema);
    return 0;
}

static void add_repair(const struct judge *judge, struct cupel_text *text)
{
    cli_json_repair(text, &judge->settings->engine, judge->program, judge->text, judge->len);
}

static void print_json(struct judge *judge, const char *verdict, const char *reason,
                       const struct cupel_error *err)
{
    struct cupel_text *out = &judge->out, *errors = &judge->errors;
    cupel_text_adds(out, "{\"file\":");
    cupel_text_add_json(out, judge->place.file, strlen(judge->place.file));
    cli_json_number(out, "line", judge->place.line != 0 ? judge->place.line : 1);
    cli_json_string(out, "verdict", verdict);
    cli_json_string(out, "reason", reason);
    if (err != NULL && err->detail[0] != '\0')
        cli_json_string(out, "detail", err->detail);
    cupel_text_adds(out, ",\"errors\":");
    cupel_text_add(out, errors->len != 0 ? errors->bytes : "[]",
                   errors->len != 0 ? errors->len : 2);
    if (judge->settings->repair && strcmp(verdict, "invalid") == 0) {
        cupel_text_adds(out, ",\"repair\":");
        add_repair(judge, out);
    }
    if (judge->settings->annotations) {
        cupel_text_adds(out, ",\"annotations\":[");
        cupel_text_add(out, judge->notes.bytes, judge->notes.len);
        cupel_text_adds(out, "]");
    }
    cupel_text_adds(out, "}\n");
}

static void print_human(struct judge *judge, const char *verdict, const char *reason,
                        const struct cupel_error *err)
{
    struct cupel_text *out = &judge->out;
    cli_add_verdict(out, &judge->place, verdict, reason);
    if (err != NULL && err->line != 0)
        cli_add_line(out, "%s:%u:%u: error[%s]: %s", judge->place.file,
                     (unsigned)(err->line + (judge->place.line != 0 ? judge->place.line - 1 : 0)),
                     (unsigned)err->column, reason, err->detail);
    cupel_text_add(out, judge->errors.bytes, judge->errors.len);
    if (judge->errors.len != 0 && judge->errors.bytes[judge->errors.len - 1] != '\n')
        cupel_text_adds(out, "\n");
    cupel_text_add(out, judge->notes.bytes, judge->notes.len);
    if (judge->settings->repair && strcmp(verdict, "invalid") == 0) {
        struct cupel_text repair;
        cupel_text_init(&repair, NULL);
        add_repair(judge, &repair);
        cli_add_line(out, "%s: repair: %s", judge->place.file, repair.failed ? "" : repair.bytes);
        out->failed |= repair.failed;
        cupel_text_free(&repair);
    }
}

/* SARIF, JUnit, GitHub: what was rendered, or why there is no verdict. */
static void print_status(struct judge *judge, enum cupel_status reason,
                         const struct cupel_error *err)
{
    struct cupel_render_options options;
    struct cupel_error plain = {.status = reason};
    struct cupel_text *out = &judge->out;
    render_options(judge, &options);
    if (reason != CUPEL_OK)
        cupel_render_status(rendering_of(judge), err != NULL ? err : &plain, &options,
                            &judge->errors);
    bool sarif = rendering_of(judge) == CUPEL_RENDER_SARIF;
    if (sarif && judge->errors.len > 0 && judge->results++ > 0)
        cupel_text_adds(out, ",\n");
    cupel_text_add(out, judge->errors.bytes, judge->errors.len);
}

void cli_print_result(struct judge *judge, const char *verdict, enum cupel_status reason,
                      const struct cupel_error *err)
{
    struct cupel_text *out = &judge->out;
    const char *name = reason != CUPEL_OK ? cupel_status_name(reason) : "";
    if (is_json(judge)) {
        print_json(judge, verdict, name, err);
    } else if (is_output_unit(judge) && reason == CUPEL_OK) {
        cupel_text_add(out, judge->errors.bytes, judge->errors.len);
        cupel_text_adds(out, "\n");
    } else if (is_output_unit(judge)) {
        cli_print_error("%s: %s (%s)", judge->place.file, verdict, name);
    } else if (rendering_of(judge) == CUPEL_RENDER_HUMAN ||
               rendering_of(judge) == CUPEL_RENDER_MODEL) {
        print_human(judge, verdict, name, err);
    } else {
        print_status(judge, reason, err);
    }
    out->failed |= judge->errors.failed | judge->notes.failed;
    if (rendering_of(judge) == CUPEL_RENDER_GITHUB)
        cli_flush_commands(out);
    else
        cli_flush(out);
    cupel_text_clear(&judge->errors);
    cupel_text_clear(&judge->notes);
    judge->count = 0;
}
