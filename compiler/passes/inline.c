/* inline.c: what a schema refers to for the same instance becomes part of the schema.
 *
 * Needs   nothing; fold before it, because what is folded is small, and fold after it, because
 * bounds and masks of two schemas have met. Keeps   verdicts; operations keep their own locations.
 * Breaks  that a schema has at most one PROPS; use counts, which are those of this pass.
 *
 * REF and the members of ALL are replaced by the operations of their target, and the target's mask
 * is taken over: moved if nothing else refers to the target, copied if there are at most two and
 * none refers to further schemas.  Every reference, whatever its operation, to a schema that is
 * nothing but a REF is redirected to where that leads.  UNEVALUATED and SCOPE move like any other
 * operation, but nothing moves out of them: what their S[0] holds has to stay inside.
 *
 * It ends: a target is moved at most once, and a copy holds no references.  No cycle is moved into
 * itself, because what is moved has one reference, and that is the one being replaced; a schema
 * that refers to itself is left alone.  It stays small: moving adds nothing, and copies add no more
 * operations than there were (members of ALL counted one by one), and 64.  It stays linear: an
 * operation that has been looked at in one schema is not looked at again when it moves on into
 * another. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"

enum {
    SMALL = 2,      /* operations of a schema that is copied */
    MAX_HOPS = 16,  /* of references that lead to references */
    MIN_GROWTH = 64 /* operations that may always be added */
};

struct inliner {
    struct ir_module *m;
    struct ir_schema *s; /* the schema that is being rewritten */
    size_t growth;       /* operations that may still be added */
};

/* -- Redirecting ------------------------------------------------------------------------------- */

/* Where a schema leads that is nothing but a REF; IR_NONE if it is more.  It may have a mask of its
 * own as long as that lets everything through that the target does. */
static uint32_t leads_to(const struct ir_module *m, const struct ir_schema *s)
{
    const struct ir_op *op = s->first;
    if (op == NULL || op->next != NULL || op->kind != IR_REF || op->schemas[0] == s->id)
        return IR_NONE;
    uint32_t target = op->schemas[0];
    return (m->schemas[target].types & ~s->types) == 0 ? target : IR_NONE;
}

/* Redirects one reference.  If it was the last to the schema on the way, that one's own reference
 * is gone with it. */
static void redirect(struct ir_module *m, uint32_t *ref)
{
    for (uint32_t hop = 0; hop < MAX_HOPS; hop++) {
        struct ir_schema *way = &m->schemas[*ref];
        uint32_t target = leads_to(m, way);
        if (target == IR_NONE)
            return;
        m->schemas[target].uses++;
        if (--way->uses == 0)
            m->schemas[target].uses--;
        *ref = target;
    }
}

static void redirect_all(struct ir_module *m, struct ir_op *op)
{
    uint32_t at = 0;
    for (uint32_t *ref; (ref = ir_op_next_ref(op, &at)) != NULL;)
        redirect(m, ref);
}

/* -- Splicing ---------------------------------------------------------------------------------- */

/* Whether the schema has at most SMALL operations, and none that refers to schemas. */
static bool is_small(const struct ir_schema *s, size_t *ret_ops)
{
    size_t n = 0;
    for (const struct ir_op *op = s->first; op != NULL; op = op->next, n++)
        if (n == SMALL || op->nschemas != 0 || op->kind == IR_PROPS)
            return false;
    *ret_ops = n;
    return true;
}

/* Puts the target's operations in the place of the REF *at and gives the place after them. */
static struct ir_op **move_ops(struct ir_op **at, struct ir_schema *target)
{
    struct ir_op *rest = (*at)->next;
    if (target->first != NULL) {
        *at = target->first;
        at = target->end;
        target->first = NULL;
    }
    *at = rest;
    return at;
}

/* The same with copies, whose arrays of operands are shared; NULL when out of memory. */
static struct ir_op **copy_ops(struct inliner *in, struct ir_op **at,
                               const struct ir_schema *target)
{
    struct ir_op *rest = (*at)->next;
    for (const struct ir_op *op = target->first; op != NULL; op = op->next) {
        struct ir_op *copy = cupel__arena_alloc(in->m->arena, sizeof *copy);
        if (copy == NULL)
            return NULL;
        *copy = *op;
        *at = copy;
        at = &copy->next;
    }
    *at = rest;
    return at;
}

/* Replaces the REF *at if it may be replaced.  *ret is where to go on: behind operations that their
 * own schema has been rewritten with, at those that have not been looked at. */
static enum cupel_status splice(struct inliner *in, struct ir_op **at, struct ir_op ***ret)
{
    struct ir_schema *target = &in->m->schemas[(*at)->schemas[0]];
    struct ir_op **after = &(*at)->next;
    size_t n;
    if (target == in->s) {
        *ret = after;
        return CUPEL_OK;
    }
    if (target->uses == 1) {
        after = move_ops(at, target);
        *ret = target->id > in->s->id ? after : at;
    } else if (is_small(target, &n) && n <= in->growth + 1) {
        *ret = copy_ops(in, at, target);
        if (*ret == NULL)
            return CUPEL_E_NO_MEMORY;
        in->growth -= n > 1 ? n - 1 : 0; /* one takes the place of the REF */
    } else {
        *ret = after;
        return CUPEL_OK;
    }
    target->uses--;
    in->s->types &= target->types;
    return CUPEL_OK;
}

/* Turns an ALL with members into a REF for each. */
static enum cupel_status split_all(struct inliner *in, struct ir_op *all)
{
    struct ir_op *rest = all->next, *last = all;
    for (uint32_t i = 1; i < all->nschemas; i++) {
        struct ir_op *op = cupel__arena_alloc(in->m->arena, sizeof *op);
        if (op == NULL)
            return CUPEL_E_NO_MEMORY;
        *op = *all;
        op->kind = IR_REF;
        op->schemas = &all->schemas[i];
        op->nschemas = 1;
        last->next = op;
        last = op;
    }
    last->next = rest;
    all->kind = IR_REF;
    all->nschemas = 1;
    return CUPEL_OK;
}

/* -- Schemas ----------------------------------------------------------------------------------- */

/* *ret is where to go on. */
static enum cupel_status inline_op(struct inliner *in, struct ir_op **at, struct ir_op ***ret)
{
    struct ir_op *op = *at;
    *ret = &op->next;
    if (op->kind == IR_ALL && op->nschemas == 0) {
        *at = op->next;
        *ret = at;
        return CUPEL_OK;
    }
    if (op->kind == IR_ALL) {
        enum cupel_status status = split_all(in, op);
        if (status != CUPEL_OK)
            return status;
    }
    redirect_all(in->m, op);
    return op->kind == IR_REF ? splice(in, at, ret) : CUPEL_OK;
}

static enum cupel_status inline_schema(struct inliner *in, struct ir_schema *s)
{
    struct ir_op **at = &s->first;
    in->s = s;
    while (*at != NULL) {
        enum cupel_status status = inline_op(in, at, &at);
        if (status != CUPEL_OK)
            return status;
    }
    s->end = at;
    return CUPEL_OK;
}

/* Operations of the schemas that are in use, every member of an ALL counted. */
static size_t count_ops(const struct ir_module *m)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->nschemas; i++) {
        if (m->schemas[i].uses == 0)
            continue;
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next)
            n += op->kind == IR_ALL ? op->nschemas : 1;
    }
    return n;
}

enum cupel_status cupel__pass_inline(struct ir_module *m)
{
    enum cupel_status status = cupel__ir_count_uses(m);
    if (status != CUPEL_OK)
        return status;
    struct inliner in = {.m = m, .growth = count_ops(m) + MIN_GROWTH};
    for (uint32_t i = m->nschemas; i-- > 0;) {
        if (m->schemas[i].uses == 0)
            continue;
        status = inline_schema(&in, &m->schemas[i]);
        if (status != CUPEL_OK)
            return status;
    }
    redirect(m, &m->root);
    return CUPEL_OK;
}
