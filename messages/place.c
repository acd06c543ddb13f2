/* place.c: paths through an instance, as models write them. */
#include "render.h"

/* Longer paths end with "…". */
enum { MAX_PATH = 240 };

void cupel__add_step(struct cupel_text *text, size_t start, struct cupel__str name)
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

/* The child of a container that holds the node, or is its key; *ret_index its position. */
static uint32_t child_towards(const struct cupel__doc *doc, uint32_t container, uint32_t node,
                              uint32_t *ret_index)
{
    bool object = doc->nodes[container].type == CUPEL__OBJECT;
    uint32_t child = container + 1;
    *ret_index = 0;
    for (;;) {
        uint32_t next = cupel__node_next(doc->nodes, child + object);
        if (node < next)
            return child + object;
        child = next;
        ++*ret_index;
    }
}

void cupel__add_path(const struct render *r, uint32_t node, uint32_t blank, const char *root,
                     struct cupel_text *text, struct cupel__place *ret)
{
    size_t start = text->len;
    uint32_t at = r->s->node, index;
    *ret = (struct cupel__place){.parent = CUPEL_NO_NODE};
    while (at < node) {
        bool object = r->doc->nodes[at].type == CUPEL__OBJECT;
        ret->parent = at;
        at = child_towards(r->doc, at, node, &index);
        if (object) {
            cupel__add_step(text, start, cupel__doc_str(r->doc, &r->doc->nodes[at - 1]));
            if (at > node)
                break;
            continue;
        }
        if (text->len - start > MAX_PATH)
            continue;
        if (ret->nindexes == blank)
            cupel_text_adds(text, "[]");
        else
            cupel_text_addf(text, "[%u]", (unsigned)index);
        if (ret->nindexes < CUPEL__PATH_INDEXES)
            ret->index[ret->nindexes] = index;
        ret->nindexes++;
    }
    if (text->len == start)
        cupel_text_adds(text, root);
}
