/* model.c: the text for a language model: a headline, a line for each problem, the parameters.
 *
 *     tool "read": 5 problems in the arguments
 *     - path: required, missing. `file_path` is not a parameter; did you mean `path`?
 *     - limit: expected integer from 1 to 100, got string "…" (a number, without quotes)
 *     parameters: path (required), limit, mode, target
 *
 * A model acts on what it reads, so: what is expected, then what is there, by type; everything that
 * is finite in full; nothing about schemas and keywords; the same text for the same mistake.  What
 * a line says is in model_line.c; here is which lines there are, which of them are one, and how
 * much is written. */
#include "messages/model.h"
#include "vm/report/similar.h"
#include <string.h>

enum { LAST_LINE = 700 };

/* -- Which lines ------------------------------------------------------------------------------- */

static uint32_t parent_of(const struct render *r, uint32_t node)
{
    struct cupel__model_path place;
    struct cupel_text ignored;
    cupel_text_init(&ignored, &r->text->alloc);
    cupel__add_model_path(r, node, UINT32_MAX, "", &ignored, &place);
    cupel_text_free(&ignored);
    return place.parent;
}

/* A type that does not fit is not told where certain values are asked for as well. */
static bool is_told_by_values(const struct model *m, uint32_t i)
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

/* How like the missing name of event i is to the name of a member that nobody knows. */
static int likeness(const struct model *m, uint32_t i, struct cupel__str member)
{
    char buf[16];
    struct cupel__str name = cupel__problem_name(m->r->code, m->r->doc, m->events[i], buf);
    bool steps = cupel__report_charge(m->r->s, cupel__similar_steps(name, member));
    return steps ? cupel__similar(name, member) : CUPEL__NOT_SIMILAR;
}

/* The member nobody knows that is likest to the missing name, if it is not likelier meant by
 * another. */
static uint32_t best_member(const struct model *m, uint32_t i,
                            const struct cupel__declared_names *known, int *ret_distance)
{
    const struct cupel__node *nodes = m->r->doc->nodes;
    uint32_t object = m->events[i]->node, best = 0, n = 0;
    *ret_distance = CUPEL__NOT_SIMILAR;
    if (nodes[object].type != CUPEL__OBJECT)
        return 0;
    for (uint32_t k = object + 1; k < nodes[object].end && n < 64;
         k = cupel__node_next(nodes, k + 1)) {
        struct cupel__str name = cupel__doc_str(m->r->doc, &m->r->doc->nodes[k]);
        n++;
        if (!cupel__report_charge(m->r->s, known->n))
            break;
        if (cupel__is_declared_name(m->r, known, name))
            continue;
        int d = likeness(m, i, name);
        if (d < *ret_distance) {
            *ret_distance = d;
            best = k;
        }
    }
    return best;
}

static bool is_likest(const struct model *m, uint32_t i, uint32_t key, int distance)
{
    struct cupel__str name = cupel__doc_str(m->r->doc, &m->r->doc->nodes[key]);
    for (uint32_t k = 0; k < m->nevents; k++) {
        int d = k != i && is_missing(m->codes[k]) && m->events[k]->node == m->events[i]->node
                    ? likeness(m, k, name)
                    : CUPEL__NOT_SIMILAR;
        if (d < distance || (d == distance && k < i && m->mate[k] == key))
            return false;
    }
    return true;
}

/* Gives a missing member the unknown one that was meant as it. */
static void pair(struct model *m)
{
    for (uint32_t i = 0; i < m->nevents; i++) {
        struct cupel__declared_names known;
        int distance;
        if (!is_missing(m->codes[i]) || m->gone[i])
            continue;
        cupel__declared_names_siblings(m->r, m->events[i]->pc, &known);
        uint32_t key = best_member(m, i, &known, &distance);
        if (key == 0 || !is_likest(m, i, key, distance))
            continue;
        m->mate[i] = key;
        for (uint32_t k = 0; k < m->nevents; k++)
            if (m->events[k]->node == key + 1 && m->codes[k] == CUPEL_P_UNKNOWN_PROPERTY)
                m->gone[k] = true;
    }
}

static void gather(struct model *m)
{
    const struct cupel_scratch *s = m->r->s;
    m->nevents = s->norder < MODEL_EVENTS ? s->norder : MODEL_EVENTS;
    m->more = s->norder - m->nevents;
    for (uint32_t i = 0; i < m->nevents; i++) {
        m->events[i] = cupel__event_of(m->r, s->order[i]);
        m->codes[i] = cupel__problem_code(m->r->code, m->r->doc, m->events[i]);
        m->mate[i] = 0;
        m->gone[i] = false;
    }
    for (uint32_t i = 0; i < m->nevents; i++)
        m->gone[i] = is_told_by_values(m, i);
    pair(m);
}

/* What is missing or too much at the top comes first. */
static bool is_first(const struct model *m, uint32_t i)
{
    if (is_missing(m->codes[i]))
        return m->events[i]->node == m->r->s->node;
    return m->codes[i] == CUPEL_P_UNKNOWN_PROPERTY &&
           parent_of(m->r, m->events[i]->node) == m->r->s->node;
}

/* -- Lines ------------------------------------------------------------------------------------- */

static struct cupel__str slice(const struct model *m, struct span s)
{
    return (struct cupel__str){s.len > 0 ? m->words.bytes + s.at : "", s.len};
}

static bool same(const struct model *m, struct span a, struct span b)
{
    return cupel__str_eq(slice(m, a), slice(m, b));
}

/* Missing members of one object are one line, unless there is more to say of each. */
static bool join_missing(struct model *m, struct line *to, const struct line *line)
{
    if (!line->lists || !to->lists || to->parent != line->parent || !same(m, to->body, line->body))
        return false;
    if (to->joined > 0 || to->nalso == MAX_JOINED)
        return false;
    to->also[to->nalso++] = line->path;
    return true;
}

/* The same problem of several items of an array is one line. */
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

static void add_line(struct model *m, uint32_t i)
{
    struct line line;
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
    for (int first = 1; first >= 0; first--)
        for (uint32_t i = 0; i < m->nevents; i++)
            if (!m->gone[i] && is_first(m, i) == first)
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

static void print_line(struct model *m, const struct line *line, struct cupel_text *text)
{
    struct cupel__str path = slice(m, line->path), body = slice(m, line->body);
    struct cupel__model_path place;
    bool items = line->joined > 0;
    cupel_text_adds(text, "- ");
    if (items)
        cupel__write_model_path(m, line->event, line->varies, &place, text);
    else
        cupel_text_add(text, path.p, path.n);
    for (uint32_t i = 0; i < line->nalso; i++) {
        struct cupel__str also = slice(m, line->also[i]);
        cupel_text_adds(text, ", ");
        cupel_text_add(text, also.p, also.n);
    }
    cupel_text_adds(text, ": ");
    cupel_text_add(text, body.p, body.n);
    if (items)
        print_items(line, text);
    cupel_text_adds(text, "\n");
}

/* The count is of lines: each is one thing to mend. */
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

static void print_parameters(struct model *m)
{
    struct cupel__declared_names names;
    struct cupel_text *text = m->r->text;
    size_t before = text->len;
    cupel__declared_names_sub(m->r, m->r->code->image->root, &names);
    if (names.n == 0)
        return;
    cupel_text_addf(
        text, "%s: ", m->r->options->flags & CUPEL_OUTPUT_RESULT ? "properties" : "parameters");
    cupel__add_declared_names(m->r, &names, true, text);
    if (text->len - m->r->start > m->r->options->bytes)
        cupel__cut(text, before);
}

/* The last resort, for a bound that does not hold one line. */
static void clamp(struct cupel_text *text, size_t most)
{
    static const char ellipsis[] = "…";
    if (text->failed || text->len <= most)
        return;
    size_t end = most - (sizeof ellipsis - 1);
    while (end > 0 && ((unsigned char)text->bytes[end] & 0xc0) == 0x80)
        end--;
    cupel__cut(text, end);
    cupel_text_adds(text, ellipsis);
}

static void print(struct model *m)
{
    const struct cupel_render_options *o = m->r->options;
    struct cupel_text *text = m->r->text;
    /* The last line gives way before a problem does, but it does not take more than a third. */
    size_t reserved = o->bytes / 3 < LAST_LINE ? o->bytes / 3 : LAST_LINE;
    size_t room = o->bytes - reserved;
    uint32_t shown = 0;
    print_headline(m);
    for (; shown < m->nlines && shown < o->problems; shown++) {
        size_t before = text->len;
        print_line(m, &m->lines[shown], text);
        if (text->len - m->r->start > room && shown > 0) {
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

const char *cupel__model_root(const struct render *r)
{
    return r->options->flags & CUPEL_OUTPUT_RESULT ? "result" : "arguments";
}

void cupel__render_model(struct render *r)
{
    struct model *m;
    if (r->valid)
        return;
    m = cupel__realloc(&r->text->alloc, NULL, 0, sizeof *m);
    if (m == NULL) {
        r->text->failed = 1;
        return;
    }
    memset(m, 0, sizeof *m);
    m->r = r;
    cupel_text_init(&m->words, &r->text->alloc);
    gather(m);
    make_lines(m);
    if (m->words.failed)
        r->text->failed = 1;
    else
        print(m);
    cupel_text_free(&m->words);
    cupel__free(&r->text->alloc, m, sizeof *m);
}

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
