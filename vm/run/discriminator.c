/* discriminator.c: the branches of a choice that a value may pass, by the discriminator of a CHOOSE
 * or CASES (image.h), and the schema that remains if it is one. */
#include "base/always.h"
#include "vm/run/vm.h"

/* The entry of an integer among the tags of a key, or NULL. */
static __attribute__((noinline)) const struct cupel__entry *
find_integer(const struct cupel__vm *vm, const struct cupel__table *tags, int64_t i)
{
    char name[32] = {0}; /* names are read sixteen bytes at a time */
    cupel__integer_name(i, name);
    return cupel__table_find(vm->image, tags, name, CUPEL__INTEGER_NAME);
}

/* The set of branches that the value of a tag leaves; `keys`: tags of the discriminator. */
static uint64_t filter_by_value(struct cupel__vm *vm, const struct cupel__table *tags,
                                uint32_t keys, const struct cupel__masks *masks,
                                struct cupel__node *value)
{
    const struct cupel__entry *e;
    if (tags->count == 0)
        return masks->set[tags->other];
    if (value->type == CUPEL__ESCAPED)
        (void)cupel__doc_str(vm->doc, value);
    if (value->type == CUPEL__STRING) {
        vm->budget.remaining -= value->len / 32;
        e = cupel__table_find_node(vm->image, tags, vm->doc, value);
    } else if (cupel__is_small(value)) {
        e = find_integer(vm, tags, value->i);
    } else {
        return masks->set[CUPEL__TYPES + keys + tags->name];
    }
    return masks->set[e != NULL ? e->sub : tags->other];
}

/* The branches of `left` that the tags of an object leave.  When the budget is spent the result
 * means nothing. */
static uint64_t filter_by_members(struct cupel__vm *vm, const struct cupel__table *discriminator,
                                  const struct cupel__masks *masks, const struct cupel__node *v,
                                  uint64_t left)
{
    uint64_t needed = masks->needed, unmet = (UINT64_C(1) << discriminator->count) - 1;
    uint32_t key = (uint32_t)(v + 1 - vm->nodes);
    if (unmet == 0)
        return left;
    vm->budget.remaining -= v->count;
    if (vm->budget.remaining < 0)
        return left;
    for (uint32_t n = v->count; n > 0; n--, key = cupel__node_next(vm->nodes, key + 1)) {
        struct cupel__node *name = &vm->nodes[key];
        const struct cupel__entry *e =
            cupel__table_find_key(vm->image, discriminator, vm->doc, name);
        if (e == NULL)
            continue;
        const struct cupel__table *tags = cupel__at(vm->image, e->sub);
        left &= filter_by_value(vm, tags, discriminator->count, masks, name + 1);
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
    vm->budget.remaining -= value->len / 32;
    const struct cupel__entry *e = cupel__table_find_node(vm->image, tags, vm->doc, value);
    return masks->set[e != NULL ? e->sub : tags->other];
}

/* The set whose first bit is the case of v.  When the budget is spent it means nothing. */
static uint64_t case_of(struct cupel__vm *vm, const struct cupel__table *discriminator,
                        const struct cupel__node *v)
{
    const struct cupel__masks *masks = cupel__at(vm->image, discriminator->matches);
    uint32_t key = (uint32_t)(v + 1 - vm->nodes);
    if (v->type != CUPEL__OBJECT)
        return masks->set[v->type];
    for (uint32_t n = v->count; n > 0 && --vm->budget.remaining >= 0; n--) {
        struct cupel__node *name = &vm->nodes[key];
        const struct cupel__entry *e =
            cupel__table_find_key(vm->image, discriminator, vm->doc, name);
        if (e != NULL)
            return case_of_member(vm, cupel__at(vm->image, e->sub), masks, name + 1);
        key = cupel__node_next(vm->nodes, key + 1);
    }
    return masks->set[CUPEL__TYPES];
}

/* Whether the remaining bits stand for one branch; *ret is then the schema that v has to pass.  The
 * branches, pc[1], are indexed by spans; the targets, pc[3], by bits. */
static bool is_single(const struct cupel__vm *vm, const uint32_t *pc,
                      const struct cupel__masks *masks, const struct cupel__node *v, uint32_t *ret)
{
    const struct cupel__list *branches = cupel__image_list(vm->image, pc[1]);
    const struct cupel__list *targets = cupel__image_list(vm->image, pc[3]);
    const uint32_t *spans = cupel__masks_spans(masks);
    uint32_t first = (uint32_t)__builtin_ctzll(vm->result.candidates),
             last = 63u ^ (uint32_t)__builtin_clzll(vm->result.candidates);
    if (spans[first] != spans[last] || CUPEL__SPAN_N(spans[first]) != 1)
        return false;
    if (first == last && v->type == CUPEL__OBJECT)
        *ret = targets->item[first];
    else
        *ret = branches->item[CUPEL__SPAN_FIRST(spans[first])];
    return true;
}

bool cupel__filter_branches(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const struct cupel__table *discriminator = cupel__at(vm->image, pc[2]);
    const struct cupel__masks *masks = cupel__at(vm->image, discriminator->matches);
    vm->result.candidates = masks->set[v->type];
    vm->budget.remaining--;
    if (v->type == CUPEL__OBJECT)
        vm->result.candidates =
            filter_by_members(vm, discriminator, masks, v, vm->result.candidates);
    vm->result.sub = 0;
    return vm->result.candidates == 0 || is_single(vm, pc, masks, v, &vm->result.sub);
}

void cupel__select_case(struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v)
{
    uint64_t set = case_of(vm, cupel__at(vm->image, pc[2]), v);
    vm->budget.remaining--;
    vm->result.sub = set != 0 ? cupel__image_list(vm->image, pc[1])->item[__builtin_ctzll(set)] : 0;
}

bool cupel__single_sub(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v)
{
    const uint32_t op = CUPEL__WORD_OP(*pc);
    switch (op) {
    case CUPEL__OP_MEMO:
        vm->result.sub = pc[1];
        return !cupel__memo_keeps(&vm->memo, *pc, vm->budget.remaining, v);
    case CUPEL__OP_CHOOSE:
        if (cupel__filter_branches(vm, pc, v))
            return true;
        vm->result.filtered = pc;
        return false;
    case CUPEL__OP_CASES:
        cupel__select_case(vm, pc, v);
        return true;
    case CUPEL__OP_DYNAMIC:
        vm->result.sub = cupel__dynamic_sub(&vm->scope, pc);
        return true;
    }
    (void)NEVER(true); /* callers pass no other instruction */
    return false;
}
