/* machine.c: problems for programs: JSON, GitHub's workflow commands, SARIF 2.1.0, JUnit's XML.
 *
 * The lines of people_line.c, one for each problem.  A format is a function that writes one; each()
 * calls it for all of them and keeps the bounds: what would exceed them is removed again, so that
 * the output is always well-formed. */
#include "base/utf8.h"
#include "messages/frame.h"
#include "messages/model.h"
#include <cupel/cupel.h>
#include <string.h>

/* -- Parts ------------------------------------------------------------------------------------- */

/* Appends the keyword and the locations of a problem as JSON members.  `instance`, `evaluation` and
 * `absolute` are what precedes these locations; NULL leaves them out, the last two together. */
static void add_locations(const struct render *r, uint32_t i, const char *instance,
                          const char *evaluation, const char *absolute)
{
    const struct cupel__event *e = cupel__event_of(r, i);
    const size_t most = cupel__max_location_bytes(r);
    const uint32_t loc = cupel__loc_of(r->code, e->pc);
    struct cupel_text part;
    cupel_text_init(&part, &r->text->alloc);
    if (instance != NULL) {
        cupel_text_adds(r->text, instance);
        cupel__add_instance_location(r->s, e->node, most, &part);
        cupel__add_location(r, &part);
        cupel_text_adds(r->text, ",");
    }
    cupel_text_adds(r->text, "\"keyword\":");
    cupel_report_write(r->s, i, CUPEL_RECORD_KEYWORD, NULL, &part);
    cupel__add_location(r, &part);
    cupel_text_adds(r->text, ",\"schema\":");
    cupel__add_schema_location(r->s, loc, most, &part);
    cupel__add_location(r, &part);
    if (evaluation != NULL) {
        cupel_text_adds(r->text, evaluation);
        cupel__add_evaluation_path(r->s, e, most, &part);
        cupel__add_location(r, &part);
        cupel_text_adds(r->text, absolute);
        cupel__add_absolute_location(r->s, loc, r->options->base, most, &part);
        cupel__add_location(r, &part);
    }
    cupel_text_free(&part);
}

/* Appends `,"name":` and a part of a line as a JSON string, unless it is empty. */
static void add_part(const struct model *m, const char *name, struct span part)
{
    struct cupel__str s = cupel__model_span(m, part);
    if (s.n == 0)
        return;
    cupel_text_addf(m->r->text, ",\"%s\":", name);
    cupel__text_quoted(m->r->text, s, SIZE_MAX);
}

/* The message and, after it, the help in one line. */
static struct cupel_text message_of(const struct model *m, const struct line *l)
{
    struct cupel_text text;
    struct cupel__str message = cupel__model_span(m, l->body), help = cupel__model_span(m, l->help);
    cupel_text_init(&text, &m->r->text->alloc);
    cupel_text_add(&text, message.p, message.n);
    cupel_text_adds(&text, help.n > 0 ? "; " : "");
    for (size_t i = 0; i < help.n; i++)
        cupel_text_add(&text, help.p[i] == '\n' ? ";" : help.p + i, 1);
    m->r->text->failed |= text.failed;
    return text;
}

/* Chooses the lines that are written if not all are: the first of each keyword, then the others.
 * Returns how many. */
static uint32_t choose_lines(const struct model *m, bool chosen[MAX_LINES])
{
    uint32_t n = 0, most = m->r->options->problems;
    memset(chosen, 0, MAX_LINES);
    for (int first = 1; first >= 0; first--) {
        for (uint32_t i = 0; i < m->nlines && n < most; i++) {
            bool again = chosen[i];
            for (uint32_t k = 0; first && k < i && !again; k++)
                again = m->lines[k].pc == m->lines[i].pc;
            chosen[i] |= !again;
            n += !again;
        }
    }
    return n;
}

/* Writes the lines one by one with `write`, as many as options->problems and options->bytes allow;
 * the end of the output takes `reserved` bytes.  Returns the number that is left out. */
static uint32_t each(const struct model *m, const char *between, size_t reserved,
                     void (*write)(const struct model *, const struct line *))
{
    struct render *r = m->r;
    bool chosen[MAX_LINES];
    uint32_t n = choose_lines(m, chosen), written = 0;
    for (uint32_t i = 0; i < m->nlines && written < n; i++) {
        size_t before = r->text->len;
        if (!chosen[i])
            continue;
        cupel_text_adds(r->text, written > 0 ? between : "");
        write(m, &m->lines[i]);
        bool steps = cupel__charge_output(r, r->text->len - before) || written == 0;
        if (!steps || r->text->len - r->start > r->options->bytes - reserved) {
            cupel__cut(r->text, before);
            break;
        }
        written++;
    }
    return m->nlines - written + m->more;
}

/* Makes the lines of a rendering for programs; NULL if the instance is valid or memory runs out. */
static struct model *lines_of(struct render *r)
{
    r->people = true;
    return r->valid ? NULL : cupel__model_new(r, true);
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* One object for one problem; offset and length are bytes of the document. */
static void write_json(const struct model *m, const struct line *l)
{
    const struct render *r = m->r;
    struct cupel_text *text = r->text;
    const char *file;
    uint32_t line, column;
    cupel__source_position(r, l->shown, &line, &column);
    struct cupel__str span = cupel__cursor_span(r->s->cursor, l->shown);
    cupel_text_addf(text, "{\"offset\":%zu,\"length\":%zu,\"line\":%u,\"column\":%u,",
                    (size_t)(span.p - r->doc->base[0]), span.n, (unsigned)line, (unsigned)column);
    cupel_text_addf(text, "\"code\":\"%s\",", cupel_problem_id(l->code));
    add_locations(r, l->index, "\"instance\":", ",\"evaluation\":", ",\"absolute\":");
    add_part(m, "message", l->body);
    add_part(m, "expected", l->expected);
    add_part(m, "found", l->found);
    add_part(m, "because", l->because);
    add_part(m, "suggestion", l->suggestion);
    add_part(m, "help", l->help);
    if (cupel__schema_place(r, cupel__loc_of(r->code, l->event->pc), &file, &line, &column)) {
        cupel_text_adds(text, ",\"schemaFile\":");
        cupel__text_quoted(text, (struct cupel__str){file, strlen(file)}, 1024);
        cupel_text_addf(text, ",\"schemaLine\":%u,\"schemaColumn\":%u", (unsigned)line,
                        (unsigned)column);
    }
    cupel_text_adds(text, "}");
}

void cupel__render_json(struct render *r)
{
    struct model *m = lines_of(r);
    cupel_text_adds(r->text, "[");
    if (m != NULL) {
        each(m, ",", 1, write_json);
        cupel__model_free(m);
    }
    cupel_text_adds(r->text, "]");
}

/* -- GitHub ------------------------------------------------------------------------------------ */

/* Appends " at /pointer" and the place of the keyword, cleaned, to a text that ends a line. */
static void add_places(const struct render *r, const struct line *l, struct cupel_text *text)
{
    struct cupel_text at, place;
    cupel_text_init(&at, &text->alloc);
    cupel_text_init(&place, &text->alloc);
    cupel__add_instance_location(r->s, l->event->node, cupel__max_location_bytes(r), &at);
    cupel__add_schema_place(r, cupel__loc_of(r->code, l->event->pc), &place);
    if (at.len > 0) {
        cupel_text_adds(text, " at ");
        cupel__escape_untrusted(text, (struct cupel__str){at.bytes, at.len}, 512, 0);
    }
    if (place.len > 0) {
        cupel_text_adds(text, " (schema: ");
        cupel_text_add(text, place.bytes, place.len);
        cupel_text_adds(text, ")");
    }
    text->failed |= at.failed | place.failed;
    cupel_text_free(&at);
    cupel_text_free(&place);
}

/* One workflow command, whose message ends with the locations. */
static void write_github(const struct model *m, const struct line *l)
{
    struct render *r = m->r;
    struct cupel_text message = message_of(m, l);
    uint32_t line, column;
    cupel__source_position(r, l->shown, &line, &column);
    cupel__open_command(r->text, "error", r->options->file, line, column,
                        cupel_problem_id(l->code));
    add_places(r, l, &message);
    cupel__add_command_text(r->text, message.bytes, message.len, false);
    r->text->failed |= message.failed;
    cupel_text_adds(r->text, "\n");
    cupel_text_free(&message);
}

void cupel__render_github(struct render *r)
{
    struct model *m = lines_of(r);
    if (m == NULL)
        return;
    each(m, "", 0, write_github);
    cupel__model_free(m);
}

/* -- SARIF ------------------------------------------------------------------------------------- */

static void add_logical(const struct render *r, const struct line *l)
{
    struct cupel_text at;
    cupel_text_init(&at, &r->text->alloc);
    cupel_text_adds(r->text, "\"fullyQualifiedName\":");
    cupel__add_instance_location(r->s, l->event->node, cupel__max_location_bytes(r), &at);
    cupel__add_location(r, &at);
    cupel_text_free(&at);
}

/* Appends the members of a region (3.30): lines and columns, and the bytes unless the document is a
 * line of a file, whose bytes before it are not known. */
static void add_region(const struct render *r, uint32_t node)
{
    struct cupel__str span = cupel__cursor_span(r->s->cursor, node);
    uint32_t line, column;
    cupel__source_position(r, node, &line, &column);
    cupel_text_addf(r->text, "\"startLine\":%u,\"startColumn\":%u", (unsigned)line,
                    (unsigned)column);
    if (memchr(span.p, '\n', span.n) == NULL)
        cupel_text_addf(r->text, ",\"endLine\":%u,\"endColumn\":%u", (unsigned)line,
                        (unsigned)(column + cupel__utf8_count(span.p, span.n)));
    if (r->options->line <= 1)
        cupel_text_addf(r->text, ",\"byteOffset\":%zu,\"byteLength\":%zu",
                        (size_t)(span.p - r->doc->base[0]), span.n);
}

/* Appends `fixes` (3.55) if the line has a certain one: it replaces the token that is shown. */
static void add_fix(const struct model *m, const struct line *l)
{
    struct render *r = m->r;
    struct cupel__str span = cupel__cursor_span(r->s->cursor, l->shown);
    struct cupel__str fix = cupel__model_span(m, l->fix), help = cupel__model_span(m, l->help);
    if (l->fix_length == 0 || l->fix_offset != (size_t)(span.p - r->doc->base[0]))
        return;
    cupel_text_adds(r->text, ",\"fixes\":[{\"description\":{\"text\":");
    cupel__text_quoted(r->text, help.n > 0 ? help : CUPEL__STR("replace it"), SIZE_MAX);
    cupel_text_adds(r->text, "},\"artifactChanges\":[{\"artifactLocation\":{\"uri\":");
    cupel__add_file_uri(r->text, r->options->file);
    cupel_text_adds(r->text, "},\"replacements\":[{\"deletedRegion\":{");
    add_region(r, l->shown);
    cupel_text_adds(r->text, "},\"insertedContent\":{\"text\":");
    cupel__text_quoted(r->text, fix, SIZE_MAX);
    cupel_text_adds(r->text, "}}]}]}]");
}

/* Appends `relatedLocations` (3.27.22) with the keyword's place in its file. */
static void add_related(const struct render *r, const struct line *l)
{
    const char *file;
    uint32_t line, column;
    if (!cupel__schema_place(r, cupel__loc_of(r->code, l->event->pc), &file, &line, &column))
        return;
    cupel_text_adds(r->text, ",\"relatedLocations\":[{\"message\":{\"text\":\"the keyword of the "
                             "schema\"},\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    cupel__add_file_uri(r->text, file);
    cupel_text_addf(r->text, "},\"region\":{\"startLine\":%u,\"startColumn\":%u}}}]",
                    (unsigned)line, (unsigned)column);
}

/* One `result` object (SARIF 2.1.0, 3.27).  Its columns are code points, as the run declares. */
static void write_sarif(const struct model *m, const struct line *l)
{
    struct render *r = m->r;
    struct cupel_text *text = r->text, message = message_of(m, l);
    cupel_text_addf(text, "{\"ruleId\":\"%s\",\"level\":\"error\",\"message\":{\"text\":",
                    cupel_problem_id(l->code));
    cupel__add_json(text, &message);
    cupel_text_adds(text, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    cupel__add_file_uri(text, r->options->file);
    cupel_text_adds(text, "},\"region\":{");
    add_region(r, l->shown);
    cupel_text_adds(text, "}},\"logicalLocations\":[{");
    add_logical(r, l);
    cupel_text_adds(text, "}]}]");
    add_related(r, l);
    add_fix(m, l);
    cupel_text_adds(text, ",\"properties\":{");
    add_locations(r, l->index, NULL, NULL, NULL);
    add_part(m, "expected", l->expected);
    add_part(m, "found", l->found);
    add_part(m, "because", l->because);
    add_part(m, "suggestion", l->suggestion);
    add_part(m, "help", l->help);
    cupel_text_adds(text, "}}");
    cupel_text_free(&message);
}

void cupel__render_sarif(struct render *r)
{
    struct model *m = lines_of(r);
    if (m == NULL)
        return;
    each(m, ",\n", 0, write_sarif);
    cupel__model_free(m);
}

/* -- JUnit ------------------------------------------------------------------------------------- */

/* One line in the text of the `failure` element. */
static void write_junit(const struct model *m, const struct line *l)
{
    struct render *r = m->r;
    struct cupel_text message = message_of(m, l);
    uint32_t line, column;
    cupel__source_position(r, l->shown, &line, &column);
    cupel_text_addf(r->text, "%u:%u: %s: ", (unsigned)line, (unsigned)column,
                    cupel_problem_id(l->code));
    add_places(r, l, &message);
    cupel__add_xml(r->text, message.bytes, message.len);
    r->text->failed |= message.failed;
    cupel_text_adds(r->text, "\n");
    cupel_text_free(&message);
}

/* One `testcase` for the document, with all problems in one `failure`. */
void cupel__render_junit(struct render *r)
{
    struct cupel_text *text = r->text;
    struct model *m = lines_of(r);
    cupel_text_adds(text, "<testcase classname=\"cupel\" name=\"");
    cupel__add_xml(text, r->options->file, strlen(r->options->file));
    if (r->options->line > 1)
        cupel_text_addf(text, ":%u", (unsigned)r->options->line);
    cupel_text_adds(text, r->valid ? "\"/>\n" : "\">\n<failure type=\"invalid\" message=\"");
    if (m == NULL)
        return;
    uint32_t n = m->nlines + m->more;
    cupel_text_addf(text, "%u problem%s\">\n", (unsigned)n, n == 1 ? "" : "s");
    uint32_t left = each(m, "", 64, write_junit);
    if (left > 0)
        cupel_text_addf(text, "… and %u more problem%s\n", (unsigned)left, left == 1 ? "" : "s");
    cupel_text_adds(text, "</failure>\n</testcase>\n");
    cupel__model_free(m);
}

/* -- Before and after -------------------------------------------------------------------------- */

/* SARIF lists the rules that results may name: all kinds of problems. */
static void add_rules(struct cupel_text *text)
{
    const char *between = "";
    for (int code = 1; code < 100; code++) {
        const char *id = cupel_problem_id((enum cupel_problem_code)code);
        const char *meaning = cupel_problem_meaning((enum cupel_problem_code)code);
        if (strcmp(id, "?") == 0)
            continue;
        cupel_text_addf(text, "%s{\"id\":\"%s\",\"shortDescription\":{\"text\":", between, id);
        cupel_text_add_json(text, meaning, strlen(meaning));
        cupel_text_adds(text, "}}");
        between = ",";
    }
}

void cupel_render_begin(enum cupel_rendering rendering, struct cupel_text *text)
{
    if (rendering == CUPEL_RENDER_SARIF) {
        cupel_text_adds(
            text, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                  "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"cupel\",");
        cupel_text_addf(text, "\"version\":\"%s\",\"rules\":[", cupel_version());
        add_rules(text);
        cupel_text_adds(text, "]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
    } else if (rendering == CUPEL_RENDER_JUNIT) {
        cupel_text_adds(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                              "<testsuite name=\"cupel\">\n");
    }
}

void cupel_render_end(enum cupel_rendering rendering, struct cupel_text *text)
{
    if (rendering == CUPEL_RENDER_SARIF)
        cupel_text_adds(text, "\n]}]}\n");
    else if (rendering == CUPEL_RENDER_JUNIT)
        cupel_text_adds(text, "</testsuite>\n</testsuites>\n");
}

/* Renders why there is no verdict: a schema that was refused, a text that is no JSON, a limit.
 * HUMAN and JSON have no form for it; the caller writes its own. */
void cupel_render_status(enum cupel_rendering rendering, const struct cupel_error *err,
                         const struct cupel_render_options *options, struct cupel_text *text)
{
    struct cupel_render_options copy;
    if (err == NULL || text == NULL || !cupel__render_options_copy(options, &copy))
        return;
    options = &copy;
    copy.file = copy.file != NULL ? copy.file : "-";
    const char *id = cupel_status_name(err->status);
    const char *detail = err->detail[0] != '\0' ? err->detail : cupel_status_message(err->status);
    uint32_t line = err->line > 0 ? err->line + options->line - 1 : options->line;
    uint32_t column = err->column > 0 ? err->column : 1;
    if (rendering == CUPEL_RENDER_GITHUB) {
        cupel__open_command(text, "error", options->file, line, column, id);
        cupel__add_command_text(text, detail, strlen(detail), false);
        cupel_text_adds(text, "\n");
    } else if (rendering == CUPEL_RENDER_SARIF) {
        cupel_text_addf(text, "{\"ruleId\":\"%s\",\"level\":\"error\",\"message\":{\"text\":", id);
        cupel_text_add_json(text, detail, strlen(detail));
        cupel_text_adds(text,
                        "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
        cupel__add_file_uri(text, options->file);
        cupel_text_addf(text, "},\"region\":{\"startLine\":%u,\"startColumn\":%u}}}]}",
                        (unsigned)line, (unsigned)column);
    } else if (rendering == CUPEL_RENDER_JUNIT) {
        cupel_text_adds(text, "<testcase classname=\"cupel\" name=\"");
        cupel__add_xml(text, options->file, strlen(options->file));
        cupel_text_addf(text, "\">\n<error type=\"%s\" message=\"", id);
        cupel__add_xml(text, detail, strlen(detail));
        cupel_text_adds(text, "\"/>\n</testcase>\n");
    }
}
