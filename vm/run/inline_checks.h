/* inline_checks.h: checks that the node of a value mostly decides, and sequences of checks.
 *
 * The loops over members and items run both inline, without call and dispatch; that takes a tenth
 * off a run.  A check returns 1, 0, or -1 where its function in checks.h has to decide; it charges
 * nothing. */
#ifndef CUPEL_VM_RUN_INLINE_CHECKS_H
#define CUPEL_VM_RUN_INLINE_CHECKS_H

#include "vm/run/vm.h"

#ifndef INLINE /* loop_portable.c: smaller, not faster */
#    define INLINE static inline __attribute__((always_inline))
#endif

/* The instructions that are loops of traversal.h, as bits. */
#define CUPEL__TRAVERSALS (CUPEL__OP_BIT(OBJECT) | CUPEL__OP_BIT(MAP) | CUPEL__OP_BIT(ITEMS))

/* The node after v and everything in it. */
INLINE struct cupel__node *cupel__node_after(struct cupel__node *nodes, struct cupel__node *v)
{
    return v->type >= CUPEL__ARRAY ? nodes + v->end : v + 1;
}

/* Whether a reference admits the type of v. */
INLINE bool cupel__admits(uint32_t sub, const struct cupel__node *v)
{
    return sub >> v->type & 1;
}

/* The label of a SWITCH for v; 0: v has passed. */
INLINE uint32_t cupel__label_of(const struct cupel__vm *vm, const uint32_t *pc,
                                const struct cupel__node *v)
{
    return cupel__image_list(vm->image, pc[1])->item[cupel__class_of[v->type]];
}

INLINE int cupel__inline_RANGE(const uint32_t *pc, const struct cupel__node *v)
{
    return cupel__is_small(v) ? v->i >= (int32_t)pc[1] && v->i <= (int32_t)pc[2] : -1;
}

/* sign 1: v is not below the bound; -1: not above it. */
INLINE int cupel__inline_bound(const struct cupel__vm *vm, const uint32_t *pc,
                               const struct cupel__node *v, int sign)
{
    const struct cupel__node *limit = &vm->program->values.nodes[pc[1]];
    if (!cupel__is_small(v) || !cupel__is_small(limit))
        return -1;
    int order = (v->i > limit->i) - (v->i < limit->i);
    return order * sign >= (int)CUPEL__WORD_A(*pc);
}

INLINE int cupel__inline_LENGTH(const uint32_t *pc, const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING)
        return -1;
    if (v->len < pc[1] || (v->len + 3u) / 4 > pc[2])
        return 0;
    return v->len <= pc[2] && (v->len + 3u) / 4 >= pc[1] ? 1 : -1;
}

INLINE int cupel__inline_STRING(const struct cupel__vm *vm, const uint32_t *pc,
                                const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING)
        return -1;
    const char *p = vm->doc->base[v->flags >> 1 & 1] + v->off;
    return v->len == CUPEL__WORD_B(*pc) &&
           cupel__first_bytes(cupel__load64(p), v->len) == ((uint64_t)pc[2] << 32 | pc[1]);
}

INLINE int cupel__inline_COUNT(const uint32_t *pc, const struct cupel__node *v)
{
    return v->count >= pc[1] && v->count <= pc[2];
}

static inline int cupel__inline_STRINGS(const struct cupel__vm *vm, const uint32_t *pc,
                                        const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING || v->len >= 32)
        return -1;
    return cupel__table_find_node(vm->image, cupel__at(vm->image, pc[1]), vm->doc, v) != NULL;
}

/* A MAP or ITEMS that tests only the type of each child: 1, 0; -1 for others. */
INLINE int cupel__inline_types(const struct cupel__vm *vm, const uint32_t *pc,
                               struct cupel__node *v, int64_t *steps)
{
    const uint32_t sub = pc[1];
    struct cupel__node *at = v + 1;
    if (CUPEL__SUB_PC(sub) != 0 || *pc >> 8 != 0)
        return -1;
    *steps -= v->count;
    at += CUPEL__WORD_OP(*pc) == CUPEL__OP_MAP;
    for (uint32_t left = v->count; left > 0; left--) {
        if (!cupel__admits(sub, at))
            return 0;
        at = cupel__node_after(vm->nodes, at) + (CUPEL__WORD_OP(*pc) == CUPEL__OP_MAP);
    }
    return 1;
}

/* Any of these instructions: 1, 0, PASSED_ALL; -1 also for all others. */
INLINE int cupel__check_inline(const struct cupel__vm *vm, const uint32_t *pc,
                               struct cupel__node *v, int64_t *steps)
{
    switch (CUPEL__WORD_OP(*pc)) {
    case CUPEL__OP_ONLY:
        return CUPEL__WORD_B(*pc) >> v->type & 1 ? 1 : CUPEL__PASSED_ALL;
    case CUPEL__OP_RANGE:
        return cupel__inline_RANGE(pc, v);
    case CUPEL__OP_MIN:
        return cupel__inline_bound(vm, pc, v, 1);
    case CUPEL__OP_LENGTH:
        return cupel__inline_LENGTH(pc, v);
    case CUPEL__OP_STRINGS:
        return cupel__inline_STRINGS(vm, pc, v);
    case CUPEL__OP_STRING:
        return cupel__inline_STRING(vm, pc, v);
    case CUPEL__OP_COUNT:
        return cupel__inline_COUNT(pc, v);
    case CUPEL__OP_UNIQUE:
        return v->count < 2 ? 1 : -1;
    case CUPEL__OP_MAP:
    case CUPEL__OP_ITEMS:
        return cupel__inline_types(vm, pc, v, steps);
    default:
        return -1;
    }
}

/* -- Sequences --------------------------------------------------------------------------------- */

/* The result of a sequence that runs without a frame.  ENTERED: it has to go on with one. */
enum cupel__outcome { CUPEL__PASSED, CUPEL__FAILED, CUPEL__ENTERED, CUPEL__STOPPED };

/* The position in a loop over members or items.  Copied into the processor's registers, so no
 * function keeps its address. */
struct cupel__traversal {
    struct cupel__node *at, *child; /* the key or the item; the value of either */
    const uint32_t *todo;           /* the next instruction for the child */
    uint32_t left, n;               /* children from `at` on; required members met */
    uint32_t stage;                 /* the pattern of the name to go on with, 0: the first */
    int64_t steps;                  /* that are left */
};

/* The instructions that may apply one other schema to the value.  At the end of a sequence they
 * need no frame then: the sequence continues with that schema. */
#define CUPEL__MAY_APPLY_ONE \
    (CUPEL__OP_BIT(CHOOSE) | CUPEL__OP_BIT(CASES) | CUPEL__OP_BIT(MEMO) | CUPEL__OP_BIT(DYNAMIC))

/* Whether the instruction applies only vm->result.sub. */
INLINE bool cupel__applies_one(struct cupel__vm *vm, struct cupel__traversal *t)
{
    const uint32_t word = *t->todo;
    if (!(word & CUPEL__LAST) || !(CUPEL__MAY_APPLY_ONE >> CUPEL__WORD_OP(word) & 1))
        return false;
    const bool one = cupel__single_sub(vm, t->todo, t->child);
    t->steps = vm->budget.remaining;
    return one && t->steps >= 0;
}

/* Runs the sequence at `todo` on the child as long as its instructions concern this value alone.
 * ENTERED: the instruction at `todo` concerns other values too; its step is charged already. */
INLINE enum cupel__outcome cupel__run_sequence(struct cupel__vm *vm, struct cupel__traversal *t)
{
    while (--t->steps >= 0) {
        const uint32_t word = *t->todo, op = CUPEL__WORD_OP(word);
        CUPEL__DEBUG_CHECK(vm, t->todo, t->child, NULL);
        if (op == CUPEL__OP_OBJECT)
            break;
        int result = cupel__check_inline(vm, t->todo, t->child, &t->steps);
        if (result == 0)
            return CUPEL__FAILED;
        if (result < 0) {
            if (op == CUPEL__OP_SWITCH) {
                t->todo = vm->code + cupel__label_of(vm, t->todo, t->child);
                if (t->todo == vm->code)
                    return CUPEL__PASSED;
                continue;
            }
            vm->budget.remaining = t->steps;
            if (cupel__op_checks >> op & 1)
                result = cupel__check_value(vm, t->todo, t->child);
            else if (!cupel__applies_one(vm, t))
                break;
            else if (!cupel__admits(vm->result.sub, t->child))
                return CUPEL__FAILED;
            else if (t->todo = vm->code + CUPEL__SUB_PC(vm->result.sub), t->todo == vm->code)
                return CUPEL__PASSED;
            else
                continue;
            t->steps = vm->budget.remaining;
            if (result <= 0)
                return result == 0 ? CUPEL__FAILED : CUPEL__STOPPED;
        }
        if (result == CUPEL__PASSED_ALL || (word & CUPEL__LAST))
            return CUPEL__PASSED;
        t->todo += cupel__op_info[op].words;
    }
    return CUPEL__ENTERED;
}

/* The same for the schema of a reference. */
INLINE enum cupel__outcome cupel__try_sub(struct cupel__vm *vm, uint32_t sub,
                                          struct cupel__traversal *t)
{
    if (!cupel__admits(sub, t->child))
        return CUPEL__FAILED;
    if (CUPEL__SUB_PC(sub) == 0)
        return CUPEL__PASSED;
    t->todo = vm->code + CUPEL__SUB_PC(sub);
    return cupel__run_sequence(vm, t);
}

#endif
