/* machine.c: one problem after the other for programs: JSON, GitHub's commands, SARIF, JUnit. */
#include "messages/render.h"
#include <cupel/cupel.h>
#include <string.h>

/* -- Places ------------------------------------------------------------------------------------ */

uint32_t cupel__shown_node(const struct render *r, const struct cupel__event *e)
{
    bool name = cupel__problem_code(r->code, r->doc, e) == CUPEL_P_UNKNOWN_PROPERTY;
    uint32_t key = name ? cupel__member_key(r->doc, e->node) : 0;
    return key != 0 ? key : e->node;
}

void cupel__source_position(const struct render *r, uint32_t node, uint32_t *ret_line,
                            uint32_t *ret_column)
{
    cupel__cursor_line(r->s->cursor, cupel__doc_offset(r->doc, node), ret_line, ret_column);
    *ret_line += r->options->line > 0 ? r->options->line - 1 : 0;
}

/* -- Parts ------------------------------------------------------------------------------------- */

void cupel__add_json(struct cupel_text *text, const struct cupel_text *from)
{
    cupel__text_quoted(text, (struct cupel__str){from->len > 0 ? from->bytes : "", from->len},
                       SIZE_MAX);
    text->failed |= from->failed;
}

/* A byte takes at most six as an escape. */
void cupel__add_location(const struct render *r, struct cupel_text *location)
{
    enum { ESCAPE = 6 };
    const size_t start = r->text->len, most = cupel__max_location_bytes(r);
    cupel__add_json(r->text, location);
    if (!r->text->failed && r->text->len - start > most + 2) {
        cupel__cut(r->text, start);
        cupel__text_quoted(r->text, (struct cupel__str){location->bytes, location->len},
                           most / ESCAPE);
    }
    cupel_text_clear(location);
}

/* The locations of one problem take at most half of what may be written. */
size_t cupel__max_location_bytes(const struct render *r)
{
    enum { PART = 8, LEAST = 32 };
    return r->options->bytes / PART > LEAST ? r->options->bytes / PART : LEAST;
}

/* Appends the locations of a problem, each after its name; NULL: not that one. */
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

/* Writes the problems one by one with `write`, within the bounds, of which the end takes
 * `reserved`; true if one was left out. */
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

/* The name of a file as a URI reference: what a path may not hold as it is, and a colon, which
 * could end a scheme, is percent-encoded. */
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

/* -- Around them ------------------------------------------------------------------------------- */

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

/* Without a verdict there is one thing to say: why. */
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
