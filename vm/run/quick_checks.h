/* quick_checks.h: checks that are mostly decided by the node alone, inline.
 *
 * The loops over members and items run these without a call, which takes a tenth off a run; each
 * returns 1, 0, or -1 where the function of checks.h has to decide.  They charge nothing. */
#ifndef CUPEL_VM_RUN_QUICK_CHECKS_H
#define CUPEL_VM_RUN_QUICK_CHECKS_H

#include "vm/run/vm.h"

#define QUICK static inline __attribute__((always_inline))

/* Whether a reference admits the type of v. */
QUICK bool cupel__admits(uint32_t sub, const struct cupel__node *v)
{
    return sub >> v->type & 1;
}

QUICK int cupel__quick_RANGE(const uint32_t *pc, const struct cupel__node *v)
{
    return cupel__is_small(v) ? v->i >= (int32_t)pc[1] && v->i <= (int32_t)pc[2] : -1;
}

/* sign 1: v is not below the bound; -1: not above it. */
QUICK int cupel__quick_bound(const struct cupel__vm *vm, const uint32_t *pc,
                             const struct cupel__node *v, int sign)
{
    const struct cupel__node *limit = &vm->program->values.nodes[pc[1]];
    if (!cupel__is_small(v) || !cupel__is_small(limit))
        return -1;
    int order = (v->i > limit->i) - (v->i < limit->i);
    return order * sign >= (int)CUPEL__WORD_A(*pc);
}

QUICK int cupel__quick_LENGTH(const uint32_t *pc, const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING)
        return -1;
    if (v->len < pc[1] || (v->len + 3u) / 4 > pc[2])
        return 0;
    return v->len <= pc[2] && v->len / 4 >= pc[1] ? 1 : -1;
}

QUICK int cupel__quick_STRING(const struct cupel__vm *vm, const uint32_t *pc,
                              const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING)
        return -1;
    const char *p = vm->doc->base[v->flags >> 1 & 1] + v->off;
    return v->len == CUPEL__WORD_B(*pc) &&
           cupel__first_bytes(cupel__load64(p), v->len) == ((uint64_t)pc[2] << 32 | pc[1]);
}

QUICK int cupel__quick_COUNT(const uint32_t *pc, const struct cupel__node *v)
{
    return v->count >= pc[1] && v->count <= pc[2];
}

static int cupel__quick_STRINGS(const struct cupel__vm *vm, const uint32_t *pc,
                                const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING || v->len >= 32)
        return -1;
    return cupel__table_find_node(vm->image, cupel__at(vm->image, pc[1]), vm->doc, v) != NULL;
}

/* Many schemas may each know a few names of one large object.  To go through all of its members for
 * each of them would be quadratic; their names are looked up instead. */
QUICK bool cupel__knows_few(const struct cupel__table *t, const struct cupel__node *v)
{
    return v->count >= 32 && t->count <= v->count / 8 && t->other == CUPEL__SUB_ANY &&
           t->matches == 0;
}

#endif
