/* traversal.h: the loops over members and items, without dispatch.
 *
 * Most of a run is spent here.  A loop runs the sequence of each child inline (inline_checks.h),
 * and returns to the verdict loop only with a child that needs a frame. */
#ifndef CUPEL_VM_RUN_TRAVERSAL_H
#define CUPEL_VM_RUN_TRAVERSAL_H

#include "vm/run/inline_checks.h"

/* Whether an OBJECT looks its names up instead of looping over the members of v.  Where many
 * schemas know a few names each of one large object, loops would take quadratic time. */
INLINE bool cupel__knows_few(const struct cupel__table *t, const struct cupel__node *v)
{
    return v->count >= 32 && t->count <= v->count / 8 && t->other == CUPEL__SUB_ANY &&
           t->matches == 0;
}

/* The next of the patterns of a table that the name at `at` matches: its schema is *ret_sub. False:
 * undecided. */
INLINE bool cupel__match_name(struct cupel__vm *vm, const struct cupel__table *table,
                              struct cupel__traversal *t, uint32_t *ret_sub)
{
    vm->budget.remaining = t->steps;
    vm->result.which = t->stage;
    const int result = cupel__next_match(vm, table, t->at);
    t->steps = vm->budget.remaining;
    t->stage = vm->result.which;
    *ret_sub = vm->result.sub;
    return result >= 0;
}

/* Tries the members of an object from t->at on.  `plain`: the table is, and no name matches several
 * patterns.  Compiled for both, because the common loop is a tenth faster by itself. */
INLINE enum cupel__outcome cupel__try_members(struct cupel__vm *vm,
                                              const struct cupel__table *table,
                                              struct cupel__traversal *t, const bool plain)
{
    struct cupel__node *const nodes = vm->nodes;
    const struct cupel__entry *const entries = cupel__table_entries(table);
    const char *const text = vm->doc->base[0];
    while (t->left > 0) {
        struct cupel__node *key = t->at;
        const struct cupel__entry *e =
            plain && __builtin_expect(key->flags == CUPEL__KEY, 1)
                ? cupel__table_quick(vm->image, table, entries, key->hash, text + key->off,
                                     key->len)
                : cupel__table_find_node(vm->image, table, vm->doc, key);
        uint32_t sub = table->other;
        if (e != NULL) {
            sub = e->sub;
            t->n += e->required;
        } else if (table->matches != 0 && !cupel__match_name(vm, table, t, &sub)) {
            return CUPEL__STOPPED;
        }
        t->child = key + 1;
        const enum cupel__outcome outcome = cupel__try_sub(vm, sub, t);
        if (outcome != CUPEL__PASSED)
            return outcome;
        if (!plain && t->stage != 0)
            continue;
        t->at = cupel__node_after(nodes, t->child);
        t->left--;
    }
    return t->n == table->required ? CUPEL__PASSED : CUPEL__FAILED;
}

/* Tries children that have one schema; `key`: 1 if they are members, else 0. */
INLINE enum cupel__outcome cupel__try_each(struct cupel__vm *vm, uint32_t sub, bool key,
                                           struct cupel__traversal *t)
{
    struct cupel__node *const nodes = vm->nodes;
    for (; t->left > 0; t->left--) {
        t->child = t->at + key;
        const enum cupel__outcome outcome = cupel__try_sub(vm, sub, t);
        if (outcome != CUPEL__PASSED)
            return outcome;
        t->at = cupel__node_after(nodes, t->child);
    }
    return CUPEL__PASSED;
}

/* Whether a table has several patterns, all of which a name may match. */
INLINE bool cupel__has_patterns(const struct cupel__image *image, const struct cupel__table *table)
{
    return table->matches != 0 && cupel__image_list(image, table->matches)->count > 2;
}

/* Runs the OBJECT, MAP or ITEMS at pc from t->at on.  ENTERED: t->child has to be entered, at
 * t->todo. */
INLINE enum cupel__outcome cupel__try_children(struct cupel__vm *vm, const uint32_t *pc,
                                               struct cupel__traversal *t)
{
    const uint32_t op = CUPEL__WORD_OP(*pc);
    if (op != CUPEL__OP_OBJECT)
        return cupel__try_each(vm, pc[1], op == CUPEL__OP_MAP, t);
    const struct cupel__table *table = cupel__at(vm->image, pc[1]);
    if (table->flags & CUPEL__TABLE_PLAIN && !cupel__has_patterns(vm->image, table))
        return cupel__try_members(vm, table, t, true);
    return cupel__try_members(vm, table, t, false);
}

/* An ITEMS that begins with a later item, or whose items become evaluated.  Returns the item. */
static __attribute__((noinline)) struct cupel__node *
cupel__skip_items(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v, uint32_t skip)
{
    struct cupel__node *item = v + 1;
    if (CUPEL__WORD_A(*pc) && skip < v->count)
        cupel__mark(vm, (uint32_t)(v - vm->nodes), skip, v->count);
    for (; skip > 0; skip--)
        item = cupel__node_after(vm->nodes, item);
    return item;
}

/* Begins the OBJECT, MAP or ITEMS at pc; charges a step for each child. */
INLINE void cupel__begin_traversal(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v,
                                   struct cupel__traversal *t)
{
    t->at = v + 1;
    t->left = v->count;
    t->n = t->stage = 0;
    t->steps -= t->left;
    if (*pc >> 8 == 0 || t->steps < 0)
        return;
    const uint32_t skip = CUPEL__WORD_B(*pc) < v->count ? CUPEL__WORD_B(*pc) : v->count;
    vm->budget.remaining = t->steps;
    t->at = cupel__skip_items(vm, pc, v, skip);
    t->steps = vm->budget.remaining;
    t->left -= skip;
}

#endif
