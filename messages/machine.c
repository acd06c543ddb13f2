/* machine.c: problems for programs: JSON, GitHub's workflow commands, SARIF 2.1.0, JUnit's XML.
 *
 * Each format is a function that writes one problem; each() calls it for all of them and keeps the
 * bounds: what would exceed them is removed again, so that the output is always well-formed. */
#include "messages/render.h"
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
    cupel_report_keyword(r->s, i, &part);
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

static struct cupel_text sentence(const struct render *r, uint32_t i)
{
    struct cupel_text text;
    cupel_text_init(&text, &r->text->alloc);
    cupel_report_sentence(r->s, i, &text);
    r->text->failed |= text.failed;
    return text;
}

static const char *id_of(const struct render *r, uint32_t i)
{
    return cupel_problem_id(cupel__problem_code(r->code, r->doc, cupel__event_of(r, i)));
}

/* Writes the problems one by one with `write`, as many as options->problems and options->bytes
 * allow; the end of the output takes `reserved` bytes.  Returns true if one was left out. */
static bool each(struct render *r, const char *between, size_t reserved,
                 void (*write)(struct render *, uint32_t i))
{
    uint32_t n = r->valid ? 0 : r->s->norder;
    for (uint32_t i = 0; i < n; i++) {
        size_t before = r->text->len;
        if (i == r->options->problems)
            return true;
        cupel_text_adds(r->text, i > 0 ? between : "");
        write(r, r->s->order[i]);
        bool steps = cupel__charge_output(r, r->text->len - before) || i == 0;
        if (!steps || r->text->len - r->start > r->options->bytes - reserved) {
            cupel__cut(r->text, before);
            return true;
        }
    }
    return false;
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* One object for one problem; offset and length are bytes of the document. */
static void write_json(struct render *r, uint32_t i)
{
    const struct cupel__event *e = cupel__event_of(r, i);
    struct cupel_text *text = r->text, message = sentence(r, i);
    uint32_t line, column;
    cupel__source_position(r, e->node, &line, &column);
    struct cupel__str span = cupel__cursor_span(r->s->cursor, e->node);
    cupel_text_addf(text, "{\"offset\":%zu,\"length\":%zu,\"line\":%u,\"column\":%u,",
                    (size_t)(span.p - r->doc->base[0]), span.n, (unsigned)line, (unsigned)column);
    cupel_text_addf(text, "\"code\":\"%s\",", id_of(r, i));
    add_locations(r, i, "\"instance\":", ",\"evaluation\":", ",\"absolute\":");
    cupel_text_adds(text, ",\"message\":");
    cupel__add_json(text, &message);
    cupel_text_adds(text, "}");
    cupel_text_free(&message);
}

void cupel__render_json(struct render *r)
{
    cupel_text_adds(r->text, "[");
    each(r, ",", 1, write_json);
    cupel_text_adds(r->text, "]");
}

/* -- GitHub ------------------------------------------------------------------------------------ */

/* Percent-encodes what ends a workflow command's data and, in a property, what ends the property.
 */
static void add_command_text(struct cupel_text *text, const char *s, size_t n, bool property)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            cupel_text_addf(text, "%%%02X", (unsigned)c);
        else
            cupel_text_add(text, &c, 1);
    }
}

static void open_command(struct render *r, uint32_t line, uint32_t column, const char *title)
{
    struct cupel_text file;
    cupel_text_init(&file, &r->text->alloc);
    cupel__escape_untrusted(&file, (struct cupel__str){r->options->file, strlen(r->options->file)},
                            1024, 0);
    cupel_text_adds(r->text, "::error file=");
    add_command_text(r->text, file.bytes, file.len, true);
    r->text->failed |= file.failed;
    cupel_text_addf(r->text, ",line=%u,col=%u,title=%s::", (unsigned)line, (unsigned)column, title);
    cupel_text_free(&file);
}

/* One workflow command, whose message ends with the instance location. */
static void write_github(struct render *r, uint32_t i)
{
    struct cupel_text message = sentence(r, i), at;
    uint32_t line, column;
    cupel__source_position(r, cupel__shown_node(r, cupel__event_of(r, i)), &line, &column);
    open_command(r, line, column, id_of(r, i));
    add_command_text(r->text, message.bytes, message.len, false);
    cupel_text_init(&at, &r->text->alloc);
    cupel__add_instance_location(r->s, cupel__event_of(r, i)->node, cupel__max_location_bytes(r),
                                 &at);
    if (at.len > 0) {
        struct cupel_text clean;
        cupel_text_init(&clean, &r->text->alloc);
        cupel__escape_untrusted(&clean, (struct cupel__str){at.bytes, at.len}, 512, 0);
        cupel_text_adds(r->text, " at ");
        add_command_text(r->text, clean.bytes, clean.len, false);
        r->text->failed |= clean.failed;
        cupel_text_free(&clean);
    }
    r->text->failed |= at.failed;
    cupel_text_adds(r->text, "\n");
    cupel_text_free(&at);
    cupel_text_free(&message);
}

void cupel__render_github(struct render *r)
{
    each(r, "", 0, write_github);
}

/* -- SARIF ------------------------------------------------------------------------------------- */

/* Appends a file name as a URI reference (RFC 3986): bytes that no path may contain are
 * percent-encoded, and so is a colon, which could end a scheme. */
static void add_file_uri(struct cupel_text *text, const char *file)
{
    static const char plain[] = "-._~/!$&'()*+,;=@";
    cupel_text_adds(text, "\"");
    for (const char *p = file; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || strchr(plain, c) != NULL)
            cupel_text_add(text, p, 1);
        else
            cupel_text_addf(text, "%%%02X", c);
    }
    cupel_text_adds(text, "\"");
}

static void add_logical(const struct render *r, uint32_t i)
{
    struct cupel_text at;
    cupel_text_init(&at, &r->text->alloc);
    cupel_text_adds(r->text, "\"fullyQualifiedName\":");
    cupel__add_instance_location(r->s, cupel__event_of(r, i)->node, cupel__max_location_bytes(r),
                                 &at);
    cupel__add_location(r, &at);
    cupel_text_free(&at);
}

/* One `result` object (SARIF 2.1.0, 3.27).  Its columns are code points, as the run declares. */
static void write_sarif(struct render *r, uint32_t i)
{
    struct cupel_text *text = r->text, message = sentence(r, i);
    uint32_t line, column, node = cupel__shown_node(r, cupel__event_of(r, i));
    struct cupel__str span = cupel__cursor_span(r->s->cursor, node);
    cupel__source_position(r, node, &line, &column);
    cupel_text_addf(text,
                    "{\"ruleId\":\"%s\",\"level\":\"error\",\"message\":{\"text\":", id_of(r, i));
    cupel__add_json(text, &message);
    cupel_text_adds(text, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    add_file_uri(text, r->options->file);
    cupel_text_addf(text,
                    "},\"region\":{\"startLine\":%u,\"startColumn\":%u,\"byteOffset\":%zu,"
                    "\"byteLength\":%zu}},\"logicalLocations\":[{",
                    (unsigned)line, (unsigned)column, (size_t)(span.p - r->doc->base[0]), span.n);
    add_logical(r, i);
    cupel_text_adds(text, "}]}],\"properties\":{");
    add_locations(r, i, NULL, NULL, NULL);
    cupel_text_adds(text, "}}");
    cupel_text_free(&message);
}

void cupel__render_sarif(struct render *r)
{
    each(r, ",\n", 0, write_sarif);
}

/* -- JUnit ------------------------------------------------------------------------------------- */

/* Appends text or an attribute's value; what XML 1.0 does not allow is escaped first. */
static void add_xml(struct cupel_text *text, const char *s, size_t n)
{
    struct cupel_text clean;
    cupel_text_init(&clean, &text->alloc);
    cupel__escape_untrusted(&clean, (struct cupel__str){s, n}, SIZE_MAX, 0);
    for (size_t i = 0; i < clean.len; i++) {
        const char *c = &clean.bytes[i];
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
            cupel_text_addf(text, "&#%d;", *c);
        else
            cupel_text_add(text, c, 1);
    }
    text->failed |= clean.failed;
    cupel_text_free(&clean);
}

/* One line in the text of the `failure` element. */
static void write_junit(struct render *r, uint32_t i)
{
    struct cupel_text message = sentence(r, i), at;
    uint32_t line, column;
    cupel__source_position(r, cupel__shown_node(r, cupel__event_of(r, i)), &line, &column);
    cupel_text_init(&at, &r->text->alloc);
    cupel__add_instance_location(r->s, cupel__event_of(r, i)->node, cupel__max_location_bytes(r),
                                 &at);
    cupel_text_addf(r->text, "%u:%u: %s: ", (unsigned)line, (unsigned)column, id_of(r, i));
    add_xml(r->text, message.bytes, message.len);
    cupel_text_adds(r->text, at.len > 0 ? " at " : "");
    add_xml(r->text, at.bytes, at.len);
    r->text->failed |= at.failed;
    cupel_text_adds(r->text, "\n");
    cupel_text_free(&at);
    cupel_text_free(&message);
}

/* One `testcase` for the document, with all problems in one `failure`. */
void cupel__render_junit(struct render *r)
{
    struct cupel_text *text = r->text;
    cupel_text_adds(text, "<testcase classname=\"cupel\" name=\"");
    add_xml(text, r->options->file, strlen(r->options->file));
    if (r->options->line > 1)
        cupel_text_addf(text, ":%u", (unsigned)r->options->line);
    cupel_text_adds(text, r->valid ? "\"/>\n" : "\">\n<failure type=\"invalid\" message=\"");
    if (r->valid)
        return;
    cupel_text_addf(text, "%u problem%s\">\n", (unsigned)r->s->norder,
                    r->s->norder == 1 ? "" : "s");
    if (each(r, "", 40, write_junit))
        cupel_text_adds(text, "…\n");
    cupel_text_adds(text, "</failure>\n</testcase>\n");
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
    struct render r = {.options = &copy, .text = text};
    const char *id = cupel_status_name(err->status);
    const char *detail = err->detail[0] != '\0' ? err->detail : cupel_status_message(err->status);
    uint32_t line = err->line > 0 ? err->line + options->line - 1 : options->line;
    uint32_t column = err->column > 0 ? err->column : 1;
    if (rendering == CUPEL_RENDER_GITHUB) {
        open_command(&r, line, column, id);
        add_command_text(text, detail, strlen(detail), false);
        cupel_text_adds(text, "\n");
    } else if (rendering == CUPEL_RENDER_SARIF) {
        cupel_text_addf(text, "{\"ruleId\":\"%s\",\"level\":\"error\",\"message\":{\"text\":", id);
        cupel_text_add_json(text, detail, strlen(detail));
        cupel_text_adds(text,
                        "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
        add_file_uri(text, options->file);
        cupel_text_addf(text, "},\"region\":{\"startLine\":%u,\"startColumn\":%u}}}]}",
                        (unsigned)line, (unsigned)column);
    } else if (rendering == CUPEL_RENDER_JUNIT) {
        cupel_text_adds(text, "<testcase classname=\"cupel\" name=\"");
        add_xml(text, options->file, strlen(options->file));
        cupel_text_addf(text, "\">\n<error type=\"%s\" message=\"", id);
        add_xml(text, detail, strlen(detail));
        cupel_text_adds(text, "\"/>\n</testcase>\n");
    }
}
