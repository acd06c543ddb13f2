/* parts.c: what several renderings write: positions, locations, JSON strings, annotations. */
#include "messages/render.h"

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
    struct cupel_text value;
    cupel_text_init(&value, &r->text->alloc);
    cupel__value_text(r->code->image, e->which, &value);
    /* Invisible characters occur in strings only, where an escape is the same JSON value. */
    cupel__escape_untrusted(r->text, (struct cupel__str){value.bytes, value.len}, SIZE_MAX, 0);
    r->text->failed |= value.failed;
    cupel_text_free(&value);
}
