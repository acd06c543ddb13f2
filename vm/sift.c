/* sift.c: which branches of a choice an object leaves, by the sieve of a CHOOSE (image.h). */
#include "exec.h"

/* The set of branches for the value of a key. */
static uint64_t sift_value(struct cupel__vm *vm, const struct cupel__table *tags,
                           const struct cupel__masks *masks, const struct cupel__node *value)
{
    char integer[32] = {0}; /* names are read sixteen bytes at a time */
    const char *p = vm->doc->base[value->flags >> 1 & 1] + value->off;
    uint32_t len = value->len;
    if (tags->count == 0)
        return masks->set[tags->other];
    if (value->type == CUPEL__INT || (value->type == CUPEL__INTREAL && !(value->flags & CUPEL__BIG))) {
        cupel__integer_name(value->i, integer);
        p = integer;
        len = CUPEL__INTEGER_NAME;
    } else if (value->type != CUPEL__STRING) {
        return UINT64_MAX;
    }
    vm->work.left -= len / 32;
    const struct cupel__entry *e = cupel__table_find(vm->image, tags, p, len);
    return masks->set[e != NULL ? e->sub : tags->other];
}

uint64_t cupel__sift(struct cupel__vm *vm, const struct cupel__table *sieve, struct cupel__node *v,
                     uint64_t left)
{
    const struct cupel__masks *masks = cupel__at(vm->image, sieve->matches);
    uint64_t needed = masks->needed;
    uint32_t key = (uint32_t)(v + 1 - vm->nodes);
    if (sieve->count == 0)
        return left;
    vm->work.left -= v->count;
    if (vm->work.left < 0)
        return left;
    for (uint32_t n = v->count; n > 0; n--, key = cupel__node_next(vm->nodes, key + 1)) {
        const struct cupel__node *name = &vm->nodes[key];
        const struct cupel__entry *e = cupel__table_find_node(vm->image, sieve, vm->doc, name);
        if (e == NULL)
            continue;
        const struct cupel__table *tags = cupel__at(vm->image, e->sub);
        left &= sift_value(vm, tags, masks, name + 1);
        needed &= ~(UINT64_C(1) << tags->name);
        if ((left & (left - 1)) == 0)
            return left;
    }
    for (uint32_t i = 0; needed != 0; i++, needed >>= 1)
        if (needed & 1)
            left &= masks->set[CUPEL__TYPES + i];
    return left;
}
