/* place.c: paths through an instance, as models write them. */
#include "messages/render.h"

/* Longer paths end with "…", and with one for each name that follows as far as the second bound
 * goes. */
enum { MAX_PATH = 240, MOST_PATH = 1024, STEPS_A_PATH = 32 };

void cupel__add_model_step(struct cupel_text *text, size_t start, struct cupel__str name)
{
    if (text->len - start > MAX_PATH) {
        cupel_text_adds(text, ".…");
    } else if (cupel__is_plain_name(name)) {
        cupel_text_adds(text, text->len > start ? "." : "");
        cupel_text_add(text, name.p, name.n);
    } else {
        cupel_text_adds(text, "[");
        cupel__text_quoted(text, name, CUPEL__NAME_BYTES);
        cupel_text_adds(text, "]");
    }
}

/* One step of a path; an index after MAX_PATH is left out. */
static void add_level(const struct render *r, const struct cupel__level *level, uint32_t blank,
                      size_t start, struct cupel_text *text, struct cupel__model_path *place)
{
    if (r->doc->nodes[level->container].type == CUPEL__OBJECT) {
        cupel__add_model_step(text, start, cupel__doc_str(r->doc, &r->doc->nodes[level->child]));
        return;
    }
    if (text->len - start > MAX_PATH)
        return;
    if (place->nindexes == blank)
        cupel_text_adds(text, "[]");
    else
        cupel_text_addf(text, "[%u]", (unsigned)level->index);
    if (place->nindexes < CUPEL__PATH_INDEXES)
        place->index[place->nindexes] = level->index;
    place->nindexes++;
}

void cupel__add_model_path(const struct render *r, uint32_t node, uint32_t blank, const char *root,
                           struct cupel_text *text, struct cupel__model_path *ret)
{
    const struct cupel__cursor *c = r->s->cursor;
    const size_t start = text->len;
    const bool found = cupel__cursor_seek(r->s->cursor, node);
    *ret = (struct cupel__model_path){.parent = CUPEL_NO_NODE};
    for (uint32_t i = 0; found && i < c->nlevels && text->len - start <= MOST_PATH; i++)
        add_level(r, &c->level[i], blank, start, text, ret);
    if (found && c->nlevels > 0 && !c->deep)
        ret->parent = c->level[c->nlevels - 1].container;
    cupel__report_charge(r->s, STEPS_A_PATH + (int64_t)(text->len - start));
    if (!found || c->deep)
        cupel_text_adds(text, "…");
    else if (text->len == start)
        cupel_text_adds(text, root);
}
