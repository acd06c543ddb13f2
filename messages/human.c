/* human.c: a frame for each problem, for the person who wrote the instance:
 *
 *     args.json:3:12: error[type]: expected integer, found string
 *       3 |   "limit": "500",
 *         |            ^^^^^ at /limit
 *       schema: https://example.com/tool#/properties/limit/type
 *       help: write 500 without quotes
 *
 * Long lines are cut around the caret.  Whatever could move or hide text in a terminal becomes an
 * escape. */
#include "base/utf8.h"
#include "messages/declared_names.h"
#include "messages/expect.h"
#include "messages/model_path.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Characters of the line shown before and after the caret; bounds on carets and locations. */
enum { BEFORE = 60, AFTER = 60, MAX_CARETS = 40, MAX_POINTER = 512, MAX_URI = 1024 };

/* Appends `before`, a text and `after`; frees the text. */
static void add_around(const struct render *r, const char *before, struct cupel_text *about,
                       const char *after)
{
    cupel_text_adds(r->text, before);
    cupel_text_add(r->text, about->bytes, about->len);
    cupel_text_adds(r->text, after);
    r->text->failed |= about->failed;
    cupel_text_free(about);
}

/* -- The frame --------------------------------------------------------------------------------- */

/* The part of a line that is shown: [from, to) with the token in it. */
struct window {
    const char *from, *token, *token_end, *to;
    bool cut; /* the line begins before `from` */
};

/* Whether a byte continues a UTF-8 sequence. */
static bool is_inside(const char *p)
{
    return ((unsigned char)*p & 0xc0) == 0x80;
}

/* The text of a scalar; the opening bracket of a container. */
static struct cupel__str token_of(const struct render *r, uint32_t node)
{
    if (r->doc->nodes[node].type < CUPEL__ARRAY)
        return cupel__cursor_span(r->s->cursor, node);
    return (struct cupel__str){r->doc->base[0] + cupel__doc_offset(r->doc, node), 1};
}

/* Finds the part of the token's line that is shown, without cutting a character in two. */
static struct window find_window(const struct render *r, uint32_t node)
{
    struct cupel__str token = token_of(r, node);
    const char *text = r->doc->base[0], *end = text + r->doc->len;
    struct window w = {.from = token.p, .token = token.p, .token_end = token.p, .to = token.p};
    while (w.from > text && w.from[-1] != '\n' && w.from[-1] != '\r' && token.p - w.from < BEFORE)
        w.from--;
    while (w.from < token.p && is_inside(w.from))
        w.from++;
    w.cut = w.from > text && w.from[-1] != '\n' && w.from[-1] != '\r';
    while (w.to < end && *w.to != '\n' && *w.to != '\r' && w.to - token.p < AFTER)
        w.to++;
    while (w.to < end && w.to > token.p && is_inside(w.to))
        w.to--;
    w.token_end = (size_t)(w.to - token.p) < token.n ? w.to : token.p + token.n;
    return w;
}

/* Appends a part of the line, tabs as blanks; returns its width in characters. */
static size_t add_part(struct cupel_text *text, const char *from, const char *to)
{
    size_t start = text->len;
    for (const char *p = from, *next; p < to; p = next) {
        next = memchr(p, '\t', (size_t)(to - p));
        cupel_text_adds(text, next == p ? " " : "");
        next = next == p ? p + 1 : next == NULL ? to : next;
        if (*p != '\t')
            cupel__escape_untrusted(text, (struct cupel__str){p, (size_t)(next - p)}, SIZE_MAX, 0);
    }
    return text->failed ? 0 : cupel__utf8_count(text->bytes + start, text->len - start);
}

/* Appends the line of the node with carets below the token and the instance location. */
static void add_frame(const struct render *r, uint32_t i, uint32_t node, uint32_t line)
{
    struct cupel_text *text = r->text;
    struct window w = find_window(r, node);
    char number[16];
    int width = snprintf(number, sizeof number, "%u", (unsigned)line);
    cupel_text_addf(text, "  %s | %s", number, w.cut ? "…" : "");
    size_t before = w.cut + add_part(text, w.from, w.token),
           carets = add_part(text, w.token, w.token_end);
    add_part(text, w.token_end, w.to);
    carets = carets < 1 ? 1 : carets > MAX_CARETS ? MAX_CARETS : carets;
    cupel_text_addf(text, "\n  %*s | %*s", width, "", (int)before, "");
    for (size_t k = 0; k < carets; k++)
        cupel_text_add(text, "^", 1);
    struct cupel_text at, shown;
    cupel_text_init(&at, &text->alloc);
    cupel_text_init(&shown, &text->alloc);
    cupel__add_instance_location(r->s, cupel__event_of(r, i)->node, 2 * MAX_POINTER, &at);
    cupel__escape_untrusted(&shown, (struct cupel__str){at.bytes, at.len}, MAX_POINTER, 0);
    if (at.len > 0)
        add_around(r, " at ", &shown, "");
    cupel_text_adds(text, "\n");
    text->failed |= at.failed;
    cupel_text_free(&at);
}

/* -- Help -------------------------------------------------------------------------------------- */

static void add_type_help(const struct render *r, const struct cupel__event *e)
{
    uint32_t wanted = CUPEL__WORD_B(r->code->words[e->pc]);
    if (cupel__hint(r, e->node, wanted) == NULL)
        return;
    struct cupel_text value;
    cupel_text_init(&value, &r->text->alloc);
    cupel__escape_untrusted(&value, cupel__doc_str(r->doc, &r->doc->nodes[e->node]),
                            CUPEL__NAME_BYTES, 0);
    add_around(r, "  help: write ", &value, " without quotes\n");
}

static void add_suggestion(const struct render *r, struct cupel__str suggestion)
{
    struct cupel_text name;
    if (suggestion.n == 0)
        return;
    cupel_text_init(&name, &r->text->alloc);
    cupel__text_quoted(&name, suggestion, CUPEL__NAME_BYTES);
    add_around(r, "  help: did you mean ", &name, "?\n");
}

static void add_name_help(const struct render *r, const struct cupel__event *e)
{
    struct cupel__declared_names names;
    char buf[16];
    uint32_t key = cupel__member_key(r->doc, e->node);
    if (key == 0)
        return;
    uint32_t object = cupel__container_of(r, e->node);
    cupel__declared_names_parent(r, e->pc, &names);
    add_suggestion(r, cupel__closest_name(r, &names, object,
                                          cupel__doc_str(r->doc, &r->doc->nodes[key]), buf));
}

/* Appends a suggestion, for the kinds that have one. */
static void add_help(const struct render *r, const struct cupel__event *e)
{
    enum cupel_problem_code code = cupel__problem_code(r->code, r->doc, e);
    int distance = INT_MAX;
    if (code == CUPEL_P_TYPE)
        add_type_help(r, e);
    else if (code == CUPEL_P_ENUM || code == CUPEL_P_CONST)
        add_suggestion(r, cupel__closest_value(r, e->node, r->code->words + e->pc, &distance));
    else if (code == CUPEL_P_UNKNOWN_PROPERTY)
        add_name_help(r, e);
}

/* -- Problems ---------------------------------------------------------------------------------- */

/* Writes the frame of one problem: position and sentence, the line, the schema location, help. */
static void add_problem(const struct render *r, uint32_t i)
{
    const struct cupel__event *e = cupel__event_of(r, i);
    struct cupel_text *text = r->text, uri, shown;
    uint32_t line, column, node = cupel__shown_node(r, e);
    cupel__source_position(r, node, &line, &column);
    cupel__escape_untrusted(text, (struct cupel__str){r->options->file, strlen(r->options->file)},
                            1024, 0);
    cupel_text_addf(text, ":%u:%u: error[%s]: ", (unsigned)line, (unsigned)column,
                    cupel_problem_id(cupel__problem_code(r->code, r->doc, e)));
    cupel_report_sentence(r->s, i, text);
    cupel_text_adds(text, "\n");
    add_frame(r, i, node, line);
    cupel_text_init(&uri, &text->alloc);
    cupel_text_init(&shown, &text->alloc);
    cupel__add_absolute_location(r->s, cupel__loc_of(r->code, e->pc), "", 2 * MAX_URI, &uri);
    cupel__escape_untrusted(&shown, (struct cupel__str){uri.bytes, uri.len}, MAX_URI, 0);
    text->failed |= uri.failed;
    cupel_text_free(&uri);
    add_around(r, "  schema: ", &shown, "\n");
    add_help(r, e);
}

void cupel__render_human(struct render *r)
{
    uint32_t n = r->valid ? 0 : r->s->norder, i = 0;
    for (; i < n && i < r->options->problems; i++) {
        size_t before = r->text->len;
        add_problem(r, r->s->order[i]);
        bool steps = cupel__charge_output(r, r->text->len - before) || i == 0;
        if (!steps || r->text->len - r->start > r->options->bytes - 48) {
            cupel__cut(r->text, before);
            break;
        }
    }
    if (i < n) {
        struct cupel_text count;
        cupel_text_init(&count, &r->text->alloc);
        cupel_text_addf(&count, "%u", (unsigned)(n - i));
        add_around(r, "… and ", &count, " more\n");
    }
}
