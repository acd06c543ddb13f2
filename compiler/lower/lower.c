/* lower.c: from the graph of schemas to a module of the intermediate form.
 *
 * Each reachable schema becomes the IR schema with its number, and each keyword the operations that
 * its function (keywords.def) appends, in the author's order.  After those come IR schemas without
 * a schema of their own: the ones that enter a resource (core.c), the inner ones of schemas with
 * unevaluated keywords, and conditions of `propertyDependencies`.
 *
 * Example: {"type": "object", "properties": {"a": true}, "required": ["a"]} becomes
 *
 *   schema @0 any
 *     type object
 *     props "a":@1
 *     required "a"
 *   schema @1 any */
#include "compiler/lower/lower.h"
#include "base/error.h"
#include "compiler/frontend/frontend.h"

#include <string.h>

/* A keyword that has no operation of its own. */
enum cupel_status cupel__lower_none(const struct lower_at *at)
{
    (void)at;
    return CUPEL_OK;
}

/* The function of each keyword (keywords.def). */
static lower_keyword *const lowerings[KEYWORDS] = {
    [KW_NONE] = cupel__lower_none,
#define K(name, json, slot, shape, vocabulary, first, last, apply, lower) \
    [KW_##name] = cupel__lower_##lower,
#include "compiler/frontend/keywords.def"
};

/* Appends an UNEVALUATED and an inner IR schema, which gets the schema's other keywords: at->number
 * becomes the inner schema. */
static enum cupel_status lower_unevaluated(struct lower_at *at)
{
    struct lower *l = at->l;
    const struct graph_keyword *parts[3] = {NULL, at->by[KW_UNEVALUATED_PROPERTIES],
                                            at->by[KW_UNEVALUATED_ITEMS]};
    uint32_t inner = cupel__ir_add_schema(l->m, l->m->schemas[at->number].loc);
    at->kw = parts[1] != NULL ? parts[1] : parts[2];
    struct ir_op *op = inner == IR_NONE ? NULL : cupel__lower_op(at, IR_UNEVALUATED);
    uint32_t *schemas = op == NULL ? NULL : cupel__ir_op_schemas(l->m, op, 3);
    if (schemas == NULL)
        return CUPEL_E_NO_MEMORY;
    schemas[0] = inner;
    for (int i = 1; i < 3; i++)
        schemas[i] = parts[i] == NULL ? IR_NONE : cupel__lower_schema_number(at, parts[i]->first);
    at->number = inner;
    return CUPEL_OK;
}

/* Lowers the keywords of one schema.  l->by lists them by kind meanwhile, since a function may read
 * its siblings. */
static enum cupel_status lower_object(struct lower *l, const struct graph_schema *s)
{
    const struct graph_keyword **by = l->by;
    const struct graph_keyword *first = l->g->keywords + s->keywords, *end = first + s->nkeywords;
    struct lower_at at = {.l = l, .schema = s, .by = by, .number = s->number};
    enum cupel_status status = CUPEL_OK;
    for (const struct graph_keyword *kw = first; kw < end; kw++)
        by[kw->kind] = kw;
    if (lower_annotates(l))
        status = cupel__lower_notes(&at);
    if (status == CUPEL_OK &&
        (by[KW_UNEVALUATED_PROPERTIES] != NULL || by[KW_UNEVALUATED_ITEMS] != NULL))
        status = lower_unevaluated(&at);
    for (at.kw = first; at.kw < end && status == CUPEL_OK; at.kw++) {
        if (lowerings[at.kw->kind] != cupel__lower_none)
            status = lowerings[at.kw->kind](&at);
    }
    for (const struct graph_keyword *kw = first; kw < end; kw++)
        by[kw->kind] = NULL;
    return status;
}

/* Adds the IR schemas of all reachable schemas first, so that operations can refer to any of them.
 */
static enum cupel_status add_schemas(struct lower *l)
{
    struct ir_module *m = l->m;
    size_t locs = l->g->nreached + (size_t)l->g->nkeywords;
    if (cupel__ir_reserve(m, &m->schemas, &m->schemas_cap, l->g->nreached, sizeof *m->schemas) !=
            CUPEL_OK ||
        cupel__ir_reserve(m, &m->locs, &m->locs_cap, locs, sizeof *m->locs) != CUPEL_OK)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t n = 0; n < l->g->nreached; n++) {
        uint32_t loc = cupel__lower_schema_loc(l, l->g->order[n]);
        if (loc == IR_NONE || cupel__ir_add_schema(m, loc) == IR_NONE)
            return CUPEL_E_NO_MEMORY;
    }
    m->root = 0;
    return CUPEL_OK;
}

static enum cupel_status lower_graph(struct lower *l)
{
    l->schema_locs = cupel__arena_array(l->m->arena, l->g->nschemas, sizeof *l->schema_locs);
    l->keyword_locs = cupel__arena_array(l->m->arena, l->g->nkeywords, sizeof *l->keyword_locs);
    enum cupel_status status =
        l->schema_locs == NULL || l->keyword_locs == NULL ? CUPEL_E_NO_MEMORY : add_schemas(l);
    if (status == CUPEL_OK)
        status = cupel__lower_scopes(l);
    for (uint32_t n = 0; n < l->g->nreached && status == CUPEL_OK; n++) {
        const struct graph_schema *s = &l->g->schemas[l->g->order[n]];
        if (s->kind == GRAPH_OBJECT)
            status = lower_object(l, s);
        else if (s->kind == GRAPH_FALSE &&
                 cupel__ir_add_op(l->m, n, IR_FAIL, l->schema_locs[l->g->order[n]] - 1) == NULL)
            status = CUPEL_E_NO_MEMORY;
    }
    return status;
}

enum cupel_status cupel__lower_schema(struct ir_module *m, struct cupel__doc *doc, uint32_t node,
                                      const struct cupel_options *options, struct cupel_error *err)
{
    struct frontend *frontend = NULL;
    enum cupel_status status = cupel__graph_build(m->arena, doc, node, options, &frontend, err);
    if (status != CUPEL_OK)
        return status;
    struct lower l = {.m = m,
                      .g = cupel__frontend_graph(frontend),
                      .frontend = frontend,
                      .options = options,
                      .err = err};
    status = lower_graph(&l);
    if (status == CUPEL_E_NO_MEMORY)
        cupel__error_set(err, status, "out of memory");
    return status;
}
