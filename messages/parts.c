/* parts.c: what several renderings write: positions, locations, JSON strings, annotations. */
#include "messages/render.h"
#include <string.h>

uint32_t cupel__shown_node(const struct render *r, const struct cupel__event *e)
{
    bool name = cupel__problem_code(r->s, e) == CUPEL_P_UNKNOWN_PROPERTY;
    uint32_t key = name ? cupel__member_key(r->s, e->node) : 0;
    return key != 0 ? key : e->node;
}

void cupel__source_position(const struct render *r, uint32_t node, uint32_t *ret_line,
                            uint32_t *ret_column)
{
    cupel__cursor_line(r->s->cursor, cupel__doc_offset(r->doc, node), ret_line, ret_column);
    *ret_line += r->options->line > 0 ? r->options->line - 1 : 0;
}

bool cupel__schema_place(const struct render *r, uint32_t loc, const char **ret_file,
                         uint32_t *ret_line, uint32_t *ret_column)
{
    const struct cupel_render_options *o = r->options;
    const struct cupel__image_loc *locs = cupel__at(r->code->image, r->code->image->locs.at);
    uint32_t root = loc;
    if (o->schema_place == NULL || loc == CUPEL__NO_LOC)
        return false;
    for (int n = 0; n < 1024 && cupel__loc_parent(r->code, root) != CUPEL__NO_LOC; n++)
        root = cupel__loc_parent(r->code, root);
    bool main = root == cupel__loc_root(r->code);
    struct cupel__str uri = {"", 0};
    if (!main && locs[root].base != 0)
        uri = cupel__image_str(r->code->image, locs[root].base);
    if (!main && uri.n == 0)
        return false;
    struct cupel_text pointer;
    cupel_text_init(&pointer, &r->text->alloc);
    cupel_text_adds(&pointer, "");
    cupel__add_schema_location(r->s, loc, cupel__location_max_bytes(r->s), &pointer);
    bool found =
        !pointer.failed && o->schema_place(o->schema_place_ctx, uri.p, uri.n, pointer.bytes,
                                           pointer.len, ret_file, ret_line, ret_column) == 0;
    cupel_text_free(&pointer);
    return found;
}

void cupel__add_schema_place(const struct render *r, uint32_t loc, struct cupel_text *text)
{
    const char *file;
    uint32_t line, column;
    if (!cupel__schema_place(r, loc, &file, &line, &column))
        return;
    cupel__escape_untrusted(text, (struct cupel__str){file, strlen(file)}, 1024, 0);
    cupel_text_addf(text, ":%u:%u", (unsigned)line, (unsigned)column);
}

void cupel__add_json(struct cupel_text *text, const struct cupel_text *from)
{
    cupel__text_quoted(text, (struct cupel__str){from->len > 0 ? from->bytes : "", from->len},
                       SIZE_MAX);
    text->failed |= from->failed;
}

/* An eighth of the output, so that the locations of one problem take at most half of it. */
size_t cupel__max_location_bytes(const struct render *r)
{
    enum { PART = 8, LEAST = 32 };
    return r->options->bytes / PART > LEAST ? r->options->bytes / PART : LEAST;
}

/* A location within its bound can still exceed it as a JSON string: a byte becomes up to ESCAPE
 * bytes. Then it is written again, cut to what fits in the worst case. */
void cupel__add_location(const struct render *r, struct cupel_text *location)
{
    enum { ESCAPE = 6, QUOTES = 2 };
    const size_t start = r->text->len, max = cupel__max_location_bytes(r);
    cupel__add_json(r->text, location);
    if (!r->text->failed && r->text->len - start > max + QUOTES) {
        cupel__cut(r->text, start);
        cupel__text_quoted(r->text, (struct cupel__str){location->bytes, location->len},
                           max / ESCAPE);
    }
    cupel_text_clear(location);
}

void cupel__add_annotation(const struct render *r, const struct cupel__event *e)
{
    enum { STEPS_A_NODE = 2 }; /* one for writing it, one for reading its bytes again */
    struct cupel_text value;
    cupel_text_init(&value, &r->text->alloc);
    cupel__report_charge(r->s,
                         STEPS_A_NODE * (int64_t)cupel__value_nodes(r->code->image, e->which));
    cupel__value_text(r->code->image, e->which, &value);
    /* Invisible characters occur in strings only, where an escape is the same JSON value. */
    cupel__escape_untrusted(r->text, (struct cupel__str){value.bytes, value.len}, SIZE_MAX, 0);
    r->text->failed |= value.failed;
    cupel_text_free(&value);
}
