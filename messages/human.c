/* human.c: a frame for each problem, for the person who wrote the instance:
 *
 *     args.json:3:12: error[type]: expected integer from 1 to 100, found string
 *       3 |   "limit": "500",
 *         |            ^^^^^ at /limit
 *       schema: tool.json:6:20 #/properties/limit/type
 *       help: write 500 without quotes
 *
 * The same problem of several values has one frame, which names the other places.  Long lines are
 * cut around the caret.  Whatever could move or hide text in a terminal becomes an escape. */
#include "messages/frame.h"
#include "messages/model.h"
#include <string.h>

/* Bounds on locations, and places listed of joined problems. */
enum { MAX_POINTER = 512, MAX_URI = 1024, MAX_PLACES = 5 };

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

/* The text of a scalar; the opening bracket of a container. */
static struct cupel__str token_of(const struct render *r, uint32_t node)
{
    if (r->doc->nodes[node].type < CUPEL__ARRAY)
        return cupel__cursor_span(r->s->cursor, node);
    return (struct cupel__str){r->doc->base[0] + cupel__doc_offset(r->doc, node), 1};
}

/* Appends the line of the node with carets below the token and the instance location. */
static void add_frame(const struct render *r, uint32_t node, uint32_t line)
{
    struct cupel_text *text = r->text, at, shown;
    cupel__add_frame(text, (struct cupel__str){r->doc->base[0], r->doc->len}, token_of(r, node),
                     line);
    cupel_text_init(&at, &text->alloc);
    cupel_text_init(&shown, &text->alloc);
    cupel__add_instance_location(r->s, node, 2 * MAX_POINTER, &at);
    cupel__escape_untrusted(&shown, (struct cupel__str){at.bytes, at.len}, MAX_POINTER, 0);
    if (at.len > 0)
        add_around(r, " at ", &shown, "");
    cupel_text_adds(text, "\n");
    text->failed |= at.failed;
    cupel_text_free(&at);
}

/* -- Problems ---------------------------------------------------------------------------------- */

/* Appends "  also at /b (line 4), /c (line 9) and 3 more" for the problems that the line joins. */
static void add_others(const struct render *r, const struct line *l)
{
    uint32_t shown = l->joined <= MAX_PLACES ? l->joined : MAX_PLACES;
    for (uint32_t i = 0; i < shown; i++) {
        struct cupel_text at, clean;
        uint32_t line, column, node = l->others[i];
        cupel_text_init(&at, &r->text->alloc);
        cupel_text_init(&clean, &r->text->alloc);
        cupel__source_position(r, node, &line, &column);
        cupel__add_instance_location(r->s, node, MAX_POINTER, &at);
        cupel__escape_untrusted(&clean, (struct cupel__str){at.bytes, at.len}, MAX_POINTER, 0);
        cupel_text_adds(r->text, i == 0 ? "  also at " : ", ");
        cupel_text_add(r->text, clean.bytes, clean.len);
        cupel_text_addf(r->text, " (line %u)", (unsigned)line);
        r->text->failed |= at.failed | clean.failed;
        cupel_text_free(&at);
        cupel_text_free(&clean);
    }
    if (shown < l->joined)
        cupel_text_addf(r->text, " and %u more", (unsigned)(l->joined - shown));
    cupel_text_adds(r->text, l->joined > 0 ? "\n" : "");
}

/* Appends the place of the keyword: in its file if the host knows that, otherwise as a URI. */
static void add_schema(const struct render *r, const struct line *l)
{
    struct cupel_text uri, shown;
    uint32_t loc = cupel__loc_of(r->code, l->event->pc);
    cupel_text_init(&uri, &r->text->alloc);
    cupel_text_init(&shown, &r->text->alloc);
    cupel__add_schema_place(r, loc, &shown);
    if (shown.len > 0) {
        cupel_text_adds(&shown, " #");
        cupel__add_schema_location(r->s, loc, 2 * MAX_URI, &uri);
    } else {
        cupel__add_absolute_location(r->s, loc, "", 2 * MAX_URI, &uri);
    }
    cupel__escape_untrusted(&shown, (struct cupel__str){uri.bytes, uri.len}, MAX_URI, 0);
    r->text->failed |= uri.failed;
    cupel_text_free(&uri);
    add_around(r, "  schema: ", &shown, "\n");
}

/* Appends each sentence of the help. */
static void add_help(const struct model *m, const struct line *l)
{
    struct cupel__str help = cupel__model_span(m, l->help);
    for (size_t at = 0; at < help.n;) {
        const char *end = memchr(help.p + at, '\n', help.n - at);
        size_t n = end != NULL ? (size_t)(end - help.p) - at : help.n - at;
        cupel_text_adds(m->r->text, "  help: ");
        cupel_text_add(m->r->text, help.p + at, n);
        cupel_text_adds(m->r->text, "\n");
        at += n + 1;
    }
}

/* Writes the frame of one line: position and message, the line, other places, the schema, help. */
static void add_problem(const struct model *m, const struct line *l)
{
    const struct render *r = m->r;
    struct cupel_text *text = r->text;
    struct cupel__str message = cupel__model_span(m, l->body);
    uint32_t line, column;
    cupel__source_position(r, l->shown, &line, &column);
    cupel__escape_untrusted(text, (struct cupel__str){r->options->file, strlen(r->options->file)},
                            1024, 0);
    cupel_text_addf(text, ":%u:%u: error[%s]: ", (unsigned)line, (unsigned)column,
                    cupel_problem_id(l->code));
    cupel_text_add(text, message.p, message.n);
    cupel_text_adds(text, "\n");
    add_frame(r, l->shown, line);
    add_others(r, l);
    add_schema(r, l);
    add_help(m, l);
}

/* Writes as many lines as fit.  Returns the number of problems that are left out. */
static uint32_t add_problems(struct model *m)
{
    struct render *r = m->r;
    uint32_t left = m->more, i = 0;
    for (; i < m->nlines && i < r->options->problems; i++) {
        size_t before = r->text->len;
        add_problem(m, &m->lines[i]);
        bool steps = cupel__charge_output(r, r->text->len - before) || i == 0;
        if (!steps || r->text->len - r->start > r->options->bytes - 48) {
            cupel__cut(r->text, before);
            break;
        }
    }
    for (; i < m->nlines; i++)
        left += 1 + m->lines[i].joined;
    return left;
}

void cupel__render_human(struct render *r)
{
    if (r->valid)
        return;
    r->people = r->frames = true;
    struct model *m = cupel__model_new(r, false);
    if (m == NULL)
        return;
    uint32_t left = add_problems(m);
    bool lost = r->s->log.events_lost > 0;
    if (left > 0 || lost)
        cupel_text_addf(r->text, "… and %s%u more problem%s\n", lost ? "at least " : "",
                        (unsigned)(left > 0 ? left : 1), left > 1 ? "s" : "");
    cupel__model_free(m);
}
