/* sift.c: which branches of a choice an object leaves, by the sieve of a CHOOSE (image.h); which case of a
 * CASES it is. */
#include "exec.h"

/* The entry of a value among the tags of a key, or NULL; *ret_known: it is one that may be a tag. */
static const struct cupel__entry *find_tag(struct cupel__vm *vm, const struct cupel__table *tags,
                                           const struct cupel__node *value, bool *ret_known)
{
    char integer[32] = {0}; /* names are read sixteen bytes at a time */
    *ret_known = true;
    if (value->type == CUPEL__STRING) {
        vm->work.left -= value->len / 32;
        return cupel__table_find_node(vm->image, tags, vm->doc, value);
    }
    *ret_known = cupel__is_small(value);
    cupel__integer_name(value->i, integer);
    return *ret_known ? cupel__table_find(vm->image, tags, integer, CUPEL__INTEGER_NAME) : NULL;
}

/* The set of branches for the value of a key. */
static uint64_t sift_value(struct cupel__vm *vm, const struct cupel__table *tags,
                           const struct cupel__masks *masks, const struct cupel__node *value)
{
    bool known;
    if (tags->count == 0)
        return masks->set[tags->other];
    const struct cupel__entry *e = find_tag(vm, tags, value, &known);
    if (!known)
        return UINT64_MAX;
    return masks->set[e != NULL ? e->sub : tags->other];
}

uint64_t cupel__sift(struct cupel__vm *vm, const struct cupel__table *sieve, struct cupel__node *v,
                     uint64_t left)
{
    const struct cupel__masks *masks = cupel__at(vm->image, sieve->matches);
    uint64_t needed = masks->needed, unmet = (UINT64_C(1) << sieve->count) - 1;
    uint32_t key = (uint32_t)(v + 1 - vm->nodes);
    if (unmet == 0)
        return left;
    vm->work.left -= v->count;
    if (vm->work.left < 0)
        return left;
    for (uint32_t n = v->count; n > 0; n--, key = cupel__node_next(vm->nodes, key + 1)) {
        const struct cupel__node *name = &vm->nodes[key];
        const struct cupel__entry *e = cupel__table_find_key(vm->image, sieve, vm->doc, name);
        if (e == NULL)
            continue;
        const struct cupel__table *tags = cupel__at(vm->image, e->sub);
        left &= sift_value(vm, tags, masks, name + 1);
        unmet &= ~(UINT64_C(1) << tags->name);
        if ((left & (left - 1)) == 0 || unmet == 0)
            return left;
    }
    needed &= unmet;
    for (uint32_t i = 0; needed != 0; i++, needed >>= 1)
        if (needed & 1)
            left &= masks->set[CUPEL__TYPES + i];
    return left;
}

/* The set of cases for a member of the key. */
static uint64_t case_of_member(struct cupel__vm *vm, const struct cupel__table *tags,
                               const struct cupel__masks *masks, struct cupel__node *value)
{
    if (value->type == CUPEL__ESCAPED)
        (void)cupel__doc_str(vm->doc, value);
    if (value->type != CUPEL__STRING)
        return masks->set[CUPEL__TYPES + 1 + value->type];
    vm->work.left -= value->len / 32;
    const struct cupel__entry *e = cupel__table_find_node(vm->image, tags, vm->doc, value);
    return masks->set[e != NULL ? e->sub : tags->other];
}

uint64_t cupel__case(struct cupel__vm *vm, const struct cupel__table *sieve,
                     const struct cupel__node *v)
{
    const struct cupel__masks *masks = cupel__at(vm->image, sieve->matches);
    uint32_t key = (uint32_t)(v + 1 - vm->nodes);
    if (v->type != CUPEL__OBJECT)
        return masks->set[v->type];
    for (uint32_t n = v->count; n > 0 && --vm->work.left >= 0; n--) {
        struct cupel__node *name = &vm->nodes[key];
        const struct cupel__entry *e = cupel__table_find_key(vm->image, sieve, vm->doc, name);
        if (e != NULL)
            return case_of_member(vm, cupel__at(vm->image, e->sub), masks, name + 1);
        key = cupel__node_next(vm->nodes, key + 1);
    }
    return masks->set[CUPEL__TYPES];
}
