/* model.c: the text for a language model: a headline, a line for each problem, the parameters.
 *
 *     tool "read": 5 problems in the arguments
 *     - path: required, missing. `file_path` is not a parameter; did you mean `path`?
 *     - limit: expected integer from 1 to 100, got string "…" (a number, without quotes)
 *     parameters: path (required), limit, mode, target
 *
 * A model acts on what it reads.  So each line has the path, what is expected and what was found,
 * by type; finite sets are listed; schemas and keywords are not mentioned; the same mistake gives
 * the same text.
 *
 * gather() reads the problems and suppresses those that another line covers; make_lines() writes a
 * line for each of the others and joins lines that differ in a name or an index; print() keeps the
 * bounds. model_line.c writes the words of one line. */
#include "messages/model.h"
#include "messages/declared_names.h"
#include "messages/place.h"
#include "messages/rename.h"
#include <string.h>

/* Bytes kept free for the last line, which lists the parameters. */
enum { LAST_LINE = 700 };

/* -- Which problems --------------------------------------------------------------------------- */

/* Whether problem i is a wrong type of a value that the same schema restricts to listed values: the
 * line with the values covers it. */
static bool is_covered_by_values(const struct model *m, uint32_t i)
{
    const struct render *r = m->r;
    const struct cupel__event *e = m->events[i];
    if (m->codes[i] != CUPEL_P_TYPE)
        return false;
    uint32_t schema = cupel__loc_schema(r->code, e->pc);
    for (uint32_t k = 0; k < m->nevents; k++)
        if (m->events[k]->node == e->node && cupel__report_charge(r->s, 4) &&
            cupel__loc_schema(r->code, m->events[k]->pc) == schema &&
            (m->codes[k] == CUPEL_P_ENUM || m->codes[k] == CUPEL_P_CONST))
            return true;
    return false;
}

static bool is_missing(enum cupel_problem_code code)
{
    return code == CUPEL_P_REQUIRED || code == CUPEL_P_DEPENDENT;
}

/* One line reports a missing member and the undeclared one that is probably its misspelling.
 * Models read it at the name that is missing, people at the name that is there. */
static void pair(struct model *m, uint32_t i, uint32_t key)
{
    m->renamed[i] = key;
    for (uint32_t k = 0; k < m->nevents; k++) {
        if (m->events[k]->node != key + 1 || m->codes[k] != CUPEL_P_UNKNOWN_PROPERTY)
            continue;
        if (m->r->people && m->missing[k] == 0) {
            m->missing[k] = i + 1;
            m->suppressed[i] = true;
        } else {
            m->suppressed[k] = true;
        }
    }
}

/* Pairs each missing member with the undeclared one that is probably its misspelling. */
static void pair_renamed(struct model *m)
{
    for (uint32_t i = 0; i < m->nevents; i++) {
        struct cupel__rename rename;
        if (!is_missing(m->codes[i]) || m->suppressed[i])
            continue;
        cupel__rename_missing(m->r, m->events[i], &rename);
        if (rename.key != 0)
            pair(m, i, rename.key);
    }
}

/* Missing and undeclared members of the validated value itself come first. */
static bool is_first(const struct model *m, uint32_t i)
{
    if (is_missing(m->codes[i]))
        return m->events[i]->node == m->r->s->node;
    return m->codes[i] == CUPEL_P_UNKNOWN_PROPERTY &&
           cupel__container_of(m->r, m->events[i]->node) == m->r->s->node;
}

/* A call inside a member: one line says so for all missing and undeclared members. */
static void find_wrapper(struct model *m)
{
    m->wrapper = m->r->people ? 0 : cupel__wrapper_of(m->r);
    m->carrier = m->nevents;
    for (uint32_t i = 0; i < m->nevents && m->wrapper != 0; i++) {
        if (!is_first(m, i))
            continue;
        m->suppressed[i] = m->carrier < m->nevents;
        m->carrier = m->carrier < m->nevents ? m->carrier : i;
    }
}

/* Whether problem k is of a value in the object of which problem i is, or of the object itself. */
static bool is_within(const struct model *m, uint32_t k, uint32_t object)
{
    const struct cupel__node *nodes = m->r->doc->nodes;
    uint32_t node = m->events[k]->node;
    return node == object ||
           (node > object && nodes[object].type >= CUPEL__ARRAY && node < nodes[object].end);
}

/* Whether problem i follows from another one.  `unevaluatedProperties` refuses declared members
 * when the schema that declares them failed; fewer members than `minProperties` asks for is said by
 * the missing ones. */
static bool is_consequence(const struct model *m, uint32_t i)
{
    const struct render *r = m->r;
    const struct cupel__event *e = m->events[i];
    uint32_t key = cupel__member_key(r->s, e->node), object = e->node;
    if (m->codes[i] == CUPEL_P_UNKNOWN_PROPERTY) {
        struct cupel__place place;
        if (key == 0 || !cupel__place_of(r, e, &place) ||
            !cupel__place_declares(r, &place, cupel__doc_str(r->doc, &r->doc->nodes[key])))
            return false;
        object = cupel__container_of(r, e->node);
    } else if (m->codes[i] != CUPEL_P_MIN_PROPERTIES) {
        return false;
    }
    for (uint32_t k = 0; k < m->nevents && object != CUPEL_NO_NODE; k++)
        if (k != i && !m->suppressed[k] && is_within(m, k, object) &&
            cupel__report_charge(r->s, 1) &&
            (m->codes[i] == CUPEL_P_MIN_PROPERTIES ? m->codes[k] == CUPEL_P_REQUIRED
                                                   : m->codes[k] != CUPEL_P_UNKNOWN_PROPERTY))
            return true;
    return false;
}

static void gather(struct model *m)
{
    const struct cupel_scratch *s = m->r->s;
    m->nevents = s->norder < MODEL_EVENTS ? s->norder : MODEL_EVENTS;
    m->more = s->norder - m->nevents;
    for (uint32_t i = 0; i < m->nevents; i++) {
        m->events[i] = cupel__event_of(m->r, s->order[i]);
        m->codes[i] = cupel__problem_code(m->r->s, m->events[i]);
        m->renamed[i] = m->missing[i] = 0;
        m->suppressed[i] = false;
    }
    for (uint32_t i = 0; i < m->nevents; i++)
        m->suppressed[i] = is_covered_by_values(m, i);
    find_wrapper(m);
    if (m->wrapper == 0)
        pair_renamed(m);
    for (uint32_t i = 0; i < m->nevents; i++)
        m->suppressed[i] = m->suppressed[i] || is_consequence(m, i);
}

/* -- Lines ------------------------------------------------------------------------------------- */

static bool same(const struct model *m, struct span a, struct span b)
{
    return cupel__str_eq(cupel__model_span(m, a), cupel__model_span(m, b));
}

/* Joins missing members of one object into one line, unless a line suggests something. */
static bool join_missing(struct model *m, struct line *to, const struct line *line)
{
    if (!line->plain_missing || !to->plain_missing || to->parent != line->parent ||
        !same(m, to->body, line->body))
        return false;
    if (to->joined > 0 || to->nalso == MAX_JOINED)
        return false;
    to->also[to->nalso++] = line->path;
    return true;
}

/* Joins the same problem of several items of an array: paths that differ in exactly one index.
 * Returns whether it did; `to` then stands for both. */
static bool join_item(struct model *m, struct line *to, const struct line *line)
{
    uint32_t at = UINT32_MAX;
    const struct cupel__model_path *a = &to->place, *b = &line->place;
    if (to->pc != line->pc || to->nalso > 0 || a->nindexes != b->nindexes || a->nindexes == 0 ||
        a->nindexes > CUPEL__PATH_INDEXES || !same(m, to->body, line->body))
        return false;
    for (uint32_t i = 0; i < a->nindexes; i++) {
        if (a->index[i] == b->index[i])
            continue;
        if (at != UINT32_MAX)
            return false;
        at = i;
    }
    if (at == UINT32_MAX || (to->joined > 0 && to->varies != at) ||
        !cupel__same_path_except(m, to, line, at))
        return false;
    to->varies = at;
    if (to->joined < MAX_JOINED)
        to->items[to->joined] = b->index[at];
    to->joined++;
    return true;
}

#ifndef CUPEL__MODEL_TEXT_ONLY
/* Joins the same problem of several values, wherever they are; for people, whose lines have the
 * place apart. */
static bool join_people(struct model *m, struct line *to, const struct line *line)
{
    if (to->pc != line->pc || to->code != line->code || !same(m, to->body, line->body))
        return false;
    if (to->joined < MAX_JOINED)
        to->others[to->joined] = line->shown;
    to->joined++;
    return true;
}

static void add_people_line(struct model *m, uint32_t i)
{
    struct line line;
    size_t before = m->words.len;
    cupel__write_people_line(m, i, &line);
    for (uint32_t k = 0; k < m->nlines; k++) {
        struct line *to = &m->lines[k];
        bool again =
            to->shown == line.shown && to->code == line.code && same(m, to->body, line.body);
        if (again || (!m->separate && join_people(m, to, &line))) {
            cupel__cut(&m->words, before);
            return;
        }
    }
    if (m->nlines < MAX_LINES)
        m->lines[m->nlines++] = line;
    else
        m->more++;
}
#endif

/* Writes the line of problem i and keeps it, unless an equal one is there or one that takes it in.
 */
static void add_line(struct model *m, uint32_t i)
{
    struct line line;
#ifndef CUPEL__MODEL_TEXT_ONLY
    if (m->r->people) {
        add_people_line(m, i);
        return;
    }
#endif
    cupel__write_line(m, i, &line);
    for (uint32_t k = 0; k < m->nlines; k++) {
        struct line *to = &m->lines[k];
        if (same(m, to->path, line.path) && same(m, to->body, line.body))
            return;
        if (join_missing(m, to, &line) || join_item(m, to, &line))
            return;
    }
    if (m->nlines < MAX_LINES)
        m->lines[m->nlines++] = line;
    else
        m->more++;
}

static void make_lines(struct model *m)
{
    for (int first = !m->r->people; first >= 0; first--)
        for (uint32_t i = 0; i < m->nevents; i++)
            if (!m->suppressed[i] && (m->r->people || is_first(m, i) == first))
                add_line(m, i);
}

/* -- The text ---------------------------------------------------------------------------------- */

static void print_items(const struct line *line, struct cupel_text *text)
{
    uint32_t shown = line->joined < MAX_JOINED ? line->joined : MAX_JOINED;
    cupel_text_addf(text, " (in items %u", (unsigned)line->place.index[line->varies]);
    for (uint32_t i = 0; i < shown; i++)
        cupel_text_addf(text, "%s%u", i + 1 == line->joined ? " and " : ", ",
                        (unsigned)line->items[i]);
    if (shown < line->joined)
        cupel_text_addf(text, " and %u more", (unsigned)(line->joined - shown));
    cupel_text_adds(text, ")");
}

/* "- path, path: body (in items 1, 2 and 3)". */
static void print_line(struct model *m, const struct line *line, struct cupel_text *text)
{
    struct cupel__str path = cupel__model_span(m, line->path),
                      body = cupel__model_span(m, line->body);
    struct cupel__model_path place;
    bool items = line->joined > 0;
    cupel_text_adds(text, "- ");
    if (items)
        cupel__write_model_path(m, line->event, line->varies, &place, text);
    else
        cupel_text_add(text, path.p, path.n);
    for (uint32_t i = 0; i < line->nalso; i++) {
        struct cupel__str also = cupel__model_span(m, line->also[i]);
        cupel_text_adds(text, ", ");
        cupel_text_add(text, also.p, also.n);
    }
    cupel_text_adds(text, ": ");
    cupel_text_add(text, body.p, body.n);
    if (items)
        print_items(line, text);
    cupel_text_adds(text, "\n");
}

/* Counts lines, not events: each line is one thing to correct. */
static void print_headline(struct model *m)
{
    const struct cupel_render_options *o = m->r->options;
    struct cupel_text *text = m->r->text;
    uint32_t n = m->nlines + m->more;
    bool lost = m->r->s->log.events_lost > 0;
    if (o->tool != NULL) {
        cupel_text_adds(text, "tool ");
        cupel__text_quoted(text, (struct cupel__str){o->tool, o->tool_len}, CUPEL__NAME_BYTES);
        cupel_text_adds(text, ": ");
    }
    cupel_text_addf(text, "%s%u problem%s in the %s\n", lost ? "at least " : "", (unsigned)n,
                    n == 1 ? "" : "s", cupel__model_root(m->r));
}

/* Lists the names that the root schema declares, if they fit. */
static void print_parameters(struct model *m)
{
    struct cupel__declared_names names;
    struct cupel_text *text = m->r->text;
    size_t before = text->len;
    cupel__declared_names_sub(m->r, m->r->code->image->root, &names);
    cupel__drop_forbidden_names(m->r, &names);
    if (names.n == 0)
        return;
    cupel_text_addf(text, "%s: ",
                    m->r->options->flags & (CUPEL_OUTPUT_RESULT | CUPEL_DOCUMENT) ? "properties"
                                                                                  : "parameters");
    size_t start = text->len;
    cupel__add_declared_names(m->r, &names, true, text);
    if (text->len - m->r->start <= m->r->options->bytes)
        return;
    /* Without the optional ones, at least. */
    cupel__cut(text, start);
    while (names.n > 0 && !names.name[names.n - 1].required) {
        names.n--;
        names.more++;
    }
    cupel__add_declared_names(m->r, &names, true, text);
    if (text->len - m->r->start > m->r->options->bytes || names.n == 0)
        cupel__cut(text, before);
}

/* For a bound that is shorter than one line: cuts the text, not within a character. */
static void clamp(struct cupel_text *text, size_t max)
{
    static const char ellipsis[] = "…";
    if (text->failed || text->len <= max)
        return;
    size_t end = max - (sizeof ellipsis - 1);
    while (end > 0 && ((unsigned char)text->bytes[end] & 0xc0) == 0x80)
        end--;
    cupel__cut(text, end);
    cupel_text_adds(text, ellipsis);
}

/* Prints headline, lines, the count of those left out, parameters, within options->problems and
 * options->bytes.  At least one line is printed. */
static void print(struct model *m)
{
    const struct cupel_render_options *o = m->r->options;
    struct cupel_text *text = m->r->text;
    /* The parameters are dropped before a problem is, and take a third at most. */
    size_t reserved = o->bytes / 3 < LAST_LINE ? o->bytes / 3 : LAST_LINE;
    size_t capacity = o->bytes - reserved;
    uint32_t shown = 0;
    print_headline(m);
    for (; shown < m->nlines && shown < o->problems; shown++) {
        size_t before = text->len;
        print_line(m, &m->lines[shown], text);
        if (text->len - m->r->start > capacity && shown > 0) {
            cupel__cut(text, before);
            break;
        }
    }
    if (shown < m->nlines + m->more)
        cupel_text_addf(text, "… and %u more\n", (unsigned)(m->nlines + m->more - shown));
    print_parameters(m);
    while (text->len > m->r->start && text->bytes[text->len - 1] == '\n')
        cupel__cut(text, text->len - 1);
    clamp(text, m->r->start + o->bytes);
}

/* Allocates struct model, which is too large for the stack. */
struct model *cupel__model_new(struct render *r, bool separate)
{
    struct model *m = cupel__realloc(&r->text->alloc, NULL, 0, sizeof *m);
    if (m == NULL) {
        r->text->failed = 1;
        return NULL;
    }
    memset(m, 0, sizeof *m);
    m->r = r;
    m->separate = separate;
    cupel_text_init(&m->words, &r->text->alloc);
    gather(m);
    make_lines(m);
    r->text->failed |= m->words.failed;
    return m;
}

void cupel__model_free(struct model *m)
{
    cupel_text_free(&m->words);
    cupel__free(&m->r->text->alloc, m, sizeof *m);
}

void cupel__render_model(struct render *r)
{
    struct model *m = r->valid ? NULL : cupel__model_new(r, false);
    if (m == NULL)
        return;
    if (!m->words.failed)
        print(m);
    cupel__model_free(m);
}

/* Renders the text apart, since it becomes a JSON string within the CallToolResult of MCP. */
void cupel__render_tool_result(struct render *r)
{
    struct cupel_text text, *to = r->text;
    if (r->valid)
        return;
    cupel_text_init(&text, &to->alloc);
    size_t start = r->start;
    r->text = &text;
    r->start = 0;
    cupel__render_model(r);
    r->text = to;
    r->start = start;
    cupel_text_adds(to, "{\"content\":[{\"type\":\"text\",\"text\":");
    cupel_text_add_json(to, text.bytes, text.len);
    cupel_text_adds(to, "}],\"isError\":true}");
    to->failed |= text.failed;
    cupel_text_free(&text);
}
