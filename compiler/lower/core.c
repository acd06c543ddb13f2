/* core.c: references (2020-12 core 8.2.3) and the dynamic scope.
 *
 * A `$ref` is a REF.  A reference that depends on the dynamic scope is a DYNAMIC, which applies the
 * schema bound to its anchor.  The bindings are made by SCOPE operations: a reference that enters a
 * resource which binds an anchor leads to an extra IR schema, whose SCOPE applies the target. */
#include "compiler/lower/lower.h"

/* -- References ------------------------------------------------------------------------------- */

enum cupel_status cupel__lower_ref(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_REF), 1);
}

/* Applies what the outermost resource on the evaluation path binds to the anchor, or the initial
 * target. */
enum cupel_status cupel__lower_dynamic_ref(const struct lower_at *at)
{
    struct ir_op *op = cupel__lower_op(at, IR_DYNAMIC);
    if (op != NULL)
        op->a = at->kw->from;
    return cupel__lower_schemas(at, op, 1);
}

/* -- Dynamic scope ---------------------------------------------------------------------------- */

/* Makes the IR schema that enters the resource of a schema and then applies the schema.  Bound
 * schemas themselves are applied without a SCOPE: their resource is already on the path. */
static enum cupel_status add_scoped(struct lower *l, const struct graph_schema *s)
{
    const struct graph *g = l->g;
    uint32_t row = g->scope_of[s->resource], loc = l->m->schemas[s->number].loc;
    if (row == GRAPH_NONE || l->scoped[s->number] != 0)
        return CUPEL_OK;
    uint32_t number = cupel__ir_add_schema(l->m, loc);
    struct ir_op *op = number == IR_NONE ? NULL : cupel__ir_add_op(l->m, number, IR_SCOPE, loc);
    uint32_t *schemas = op == NULL ? NULL : cupel__ir_op_schemas(l->m, op, 1 + g->nanchors);
    if (schemas == NULL)
        return CUPEL_E_NO_MEMORY;
    l->scoped[s->number] = number + 1;
    schemas[0] = s->number;
    for (uint32_t a = 0; a < g->nanchors; a++) {
        uint32_t bound = g->scopes[(size_t)row * g->nanchors + a];
        schemas[1 + a] = bound == GRAPH_NONE ? IR_NONE : g->schemas[bound].number;
    }
    return CUPEL_OK;
}

/* The same for a schema's subschemas and targets that are in another resource. */
static enum cupel_status add_scoped_below(struct lower *l, const struct graph_schema *s)
{
    const struct graph *g = l->g;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t k = s->keywords; k < s->keywords + s->nkeywords; k++) {
        const struct graph_keyword *kw = &g->keywords[k];
        for (uint32_t i = kw->first; i < kw->first + kw->count && status == CUPEL_OK; i++) {
            const struct graph_schema *to = &g->schemas[i];
            if (to->resource != s->resource && to->number != GRAPH_NONE)
                status = add_scoped(l, to);
        }
    }
    return status;
}

/* Makes those schemas wherever a path enters a resource that binds an anchor.  A program never
 * begins in one: the root's resource is on every path, so the frontend has resolved what it binds.
 */
enum cupel_status cupel__lower_scopes(struct lower *l)
{
    const struct graph *g = l->g;
    if (g->nanchors == 0)
        return CUPEL_OK;
    l->scoped = cupel__arena_array(l->m->arena, g->nreached, sizeof *l->scoped);
    if (l->scoped == NULL)
        return CUPEL_E_NO_MEMORY;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t n = 0; n < g->nreached && status == CUPEL_OK; n++)
        status = add_scoped_below(l, &g->schemas[g->order[n]]);
    return status;
}
