/* narrow.c: what is applied in one place cares for the types of that place alone.
 *
 * Needs   nothing; fold before it, which makes masks of types, and fold after it, which drops what
 *         no longer matters.
 * Keeps   verdicts, operations, references.
 * Breaks  nothing; use counts are those of this pass.
 *
 * A schema that is applied to the instance itself only sees values of the types that the schema
 * around it lets through: every other value fails there, whatever it says.  If nothing else refers
 * to it, its mask loses the other types.  A schema with a mask of one class of types needs no
 * dispatch on the type.
 *
 * The walk goes from the root along references.  The mask of the only schema around another is
 * final when that one is met, since it has been met before.  A schema that is nothing but a REF is
 * left alone: with a mask of its own, references could not be redirected past it. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"
#include <string.h>

struct narrow {
    struct ir_module *m;
    uint32_t *met, *top; /* by schema; the end of a stack of those to be gone through */
};

static bool is_ref(const struct ir_schema *s)
{
    return s->first != NULL && s->first->next == NULL && s->first->kind == IR_REF;
}

/* Narrows schema i of an operation that is applied where only `types` arrive. */
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

/* Most schemas apply nothing in place, and are done here. */
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
