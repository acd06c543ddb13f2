/* narrow.c: a schema with one use only tests the types that arrive there.
 *
 * Needs   nothing.  Run fold before it, which makes masks, and fold after it, which drops what no
 *         longer matters.
 * Keeps   verdicts, operations, references.
 * Breaks  nothing.  Use counts are those of this pass.
 *
 * A schema in place sees only values of types that the schema around it admits: other values fail
 * there in any case.  If nothing else refers to it, its mask loses those types, and a schema with a
 * mask of one class needs no dispatch on the type.
 *
 *     before                          after
 *     schema @0 string                schema @0 string
 *       all @1 @2                       all @1 @2
 *     schema @1 any                   schema @1 string
 *       length 1 many                   length 1 many
 *
 * The traversal goes from the root along references.  The schema around one with a single use is
 * visited first, so its mask is final.  A schema that is nothing but a REF keeps its mask: with a
 * mask of its own, references could not be redirected past it. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"
#include <string.h>

struct narrow {
    struct ir_module *m;
    uint32_t *met,
        *top; /* by schema: whether it was visited; the top of the stack of schemas to visit */
};

/* Whether the schema is nothing but a REF. */
static bool is_ref(const struct ir_schema *s)
{
    return s->first != NULL && s->first->next == NULL && s->first->kind == IR_REF;
}

/* Narrows schema i of an operation that sees only values of `types`. */
static void narrow_schema(struct narrow *n, const struct ir_op *op, uint32_t i, uint32_t types)
{
    struct ir_schema *s = op->schemas[i] == IR_NONE ? NULL : &n->m->schemas[op->schemas[i]];
    if (s == NULL || s->uses != 1 || is_ref(s))
        return;
    if (cupel__ir_in_place(op->kind, i))
        s->types &= types & cupel__ir_kind_types(op->kind);
    else if (op->kind == IR_NAMES)
        s->types &= CUPEL__M_STRING;
}

static void narrow_op(struct narrow *n, struct ir_op *op, uint32_t types)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < op->nschemas; i++)
        narrow_schema(n, op, i, types);
    for (uint32_t *ref; (ref = ir_op_next_ref(op, &at)) != NULL;) {
        if (n->met[*ref] == 0)
            *n->top++ = *ref;
        n->met[*ref] = 1;
    }
}

/* Most modules apply nothing in place and need no traversal. */
static bool has_candidates(const struct ir_module *m)
{
    for (uint32_t i = 0; i < m->nschemas; i++)
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next)
            if (op->kind == IR_NAMES || (op->nschemas > 0 && cupel__ir_in_place(op->kind, 0)))
                return true;
    return false;
}

enum cupel_status cupel__pass_narrow(struct ir_module *m)
{
    struct ir_scratch scratch;
    if (!has_candidates(m))
        return CUPEL_OK;
    enum cupel_status status = cupel__ir_count_uses(m);
    if (status != CUPEL_OK)
        return status;
    uint32_t *words = ir_scratch_init(&scratch, &m->arena->alloc, (size_t)m->nschemas * 2);
    if (words == NULL)
        return CUPEL_E_NO_MEMORY;
    uint32_t *stack = words + m->nschemas;
    struct narrow n = {m, words, stack};
    memset(n.met, 0, m->nschemas * sizeof *n.met);
    n.met[m->root] = 1;
    *n.top++ = m->root;
    while (n.top > stack) {
        const struct ir_schema *s = &m->schemas[*--n.top];
        for (struct ir_op *op = s->first; op != NULL; op = op->next)
            narrow_op(&n, op, s->types);
    }
    ir_scratch_free(&scratch);
    return CUPEL_OK;
}
