/* annotation.c: keywords that describe a value and assert nothing (core 7.7; 2020-12 validation 7
 * to 9).
 *
 * They become operations only with CUPEL_ANNOTATIONS.  Unknown keywords are annotations too, so
 * this file goes through the members of the schema object and not through the graph's keywords,
 * which are the known ones in the same order. */
#include "compiler/lower/lower.h"

/* The keyword whose value is the node, or NULL.  `kw` is where the last search ended: both lists
 * are in document order. */
static const struct graph_keyword *keyword_of(const struct graph_keyword **kw,
                                              const struct graph_keyword *end, uint32_t value)
{
    while (*kw < end && (*kw)->value < value)
        ++*kw;
    return *kw < end && (*kw)->value == value ? *kw : NULL;
}

/* The types of the values that the keyword annotates; 0 if none. */
static uint32_t noted_types(const struct lower_at *at, const struct graph_keyword *kw)
{
    switch (kw == NULL ? KW_TITLE : (enum keyword)kw->kind) {
    case KW_TITLE:
    case KW_DESCRIPTION:
    case KW_DEFAULT:
    case KW_DEPRECATED:
    case KW_READ_ONLY:
    case KW_WRITE_ONLY:
    case KW_EXAMPLES:
    case KW_FORMAT:
        return CUPEL__M_ANY;
    case KW_CONTENT_ENCODING:
    case KW_CONTENT_MEDIA_TYPE:
        return CUPEL__M_STRING;
    case KW_CONTENT_SCHEMA:
        return at->by[KW_CONTENT_MEDIA_TYPE] != NULL ? CUPEL__M_STRING : 0;
    default:
        return 0;
    }
}

static enum cupel_status add_note(const struct lower_at *at, uint32_t value, uint32_t mask)
{
    struct cupel__str name = graph_str(at->l->g, at->schema, value - 1);
    struct ir_op *op = cupel__lower_op_beside(at, IR_NOTE, name);
    struct ir_value *noted = op == NULL ? NULL : cupel__ir_op_values(at->l->m, op, 1);
    if (noted == NULL)
        return CUPEL_E_NO_MEMORY;
    op->mask = mask;
    *noted = (struct ir_value){graph_json(at->l->g, at->schema), value};
    return CUPEL_OK;
}

enum cupel_status cupel__lower_notes(const struct lower_at *at)
{
    const struct cupel__node *nodes = graph_json(at->l->g, at->schema)->nodes;
    const struct graph_keyword *kw = at->l->g->keywords + at->schema->keywords;
    const struct graph_keyword *end = kw + at->schema->nkeywords;
    uint32_t last = nodes[at->schema->node].end;
    enum cupel_status status = CUPEL_OK;
    if (at->schema->ref_alone)
        return CUPEL_OK;
    for (uint32_t k = at->schema->node + 1; k < last && status == CUPEL_OK;
         k = cupel__node_next(nodes, k + 1)) {
        uint32_t mask = noted_types(at, keyword_of(&kw, end, k + 1));
        if (mask != 0)
            status = add_note(at, k + 1, mask);
    }
    return status;
}
