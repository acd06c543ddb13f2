/* model_path.c: paths through an instance as models write them (model_path.h). */
#include "messages/model_path.h"

/* A path longer than MAX_PATH bytes loses its indices and has "…" for each further name, until it
 * is longer than MAX_WITH_DOTS. */
enum { MAX_PATH = 240, MAX_WITH_DOTS = 1024, STEPS_A_PATH = 32 };

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

static void add_level(const struct render *r, const struct cupel__level *level, uint32_t blank,
                      size_t start, struct cupel_text *text, struct cupel__model_path *path)
{
    if (r->doc->nodes[level->container].type == CUPEL__OBJECT) {
        cupel__add_model_step(text, start, cupel__doc_str(r->doc, &r->doc->nodes[level->child]));
        return;
    }
    if (text->len - start > MAX_PATH)
        return;
    if (path->nindexes == blank)
        cupel_text_adds(text, "[]");
    else
        cupel_text_addf(text, "[%u]", (unsigned)level->index);
    if (path->nindexes < CUPEL__PATH_INDEXES)
        path->index[path->nindexes] = level->index;
    path->nindexes++;
}

/* Moves the scratch's cursor to the node.  A node that the cursor's budget does not reach, or that
 * is deeper than its levels, has "…" for a path and no parent. */
void cupel__add_model_path(const struct render *r, uint32_t node, uint32_t blank, const char *root,
                           struct cupel_text *text, struct cupel__model_path *ret)
{
    const struct cupel__cursor *c = r->s->cursor;
    const size_t start = text->len;
    const bool found = cupel__cursor_seek(r->s->cursor, node);
    *ret = (struct cupel__model_path){.parent = CUPEL_NO_NODE};
    for (uint32_t i = 0; found && i < c->nlevels && text->len - start <= MAX_WITH_DOTS; i++)
        add_level(r, &c->level[i], blank, start, text, ret);
    if (found && c->nlevels > 0 && !c->deep)
        ret->parent = c->level[c->nlevels - 1].container;
    cupel__report_charge(r->s, STEPS_A_PATH + (int64_t)(text->len - start));
    if (!found || c->deep)
        cupel_text_adds(text, "…");
    else if (text->len == start)
        cupel_text_adds(text, root);
}

/* Writing the path and dropping it keeps one place that finds containers, and its charge. */
uint32_t cupel__container_of(const struct render *r, uint32_t node)
{
    struct cupel__model_path path;
    struct cupel_text ignored;
    cupel_text_init(&ignored, &r->text->alloc);
    cupel__add_model_path(r, node, UINT32_MAX, "", &ignored, &path);
    cupel_text_free(&ignored);
    return path.parent;
}
