/* exec_value.h: instructions that look at one value.  Part of exec_loop.h, which includes it. */

/* The end of such an instruction, of n words, by the result of its check.  The helpers charge
 * vm->budget; HELP keeps it and `steps` the same around them. */
#define HELP(call) \
    ((void)(vm->budget.remaining = steps), result = (call), steps = vm->budget.remaining)
#define END(n)                \
    do {                      \
        if (result > 0)       \
            NEXT(n);          \
        if (result < 0)       \
            STOP(vm->reason); \
        FAIL();               \
    } while (0)

/* -- Sequences without dispatch
 * --------------------------------------------------------------------- */

/* The instructions that are walks, as bits. */
#define WALKS (CUPEL__OP_BIT(OBJECT) | CUPEL__OP_BIT(MAP) | CUPEL__OP_BIT(ITEMS))

/* The node after v and everything in it. */
INLINE struct cupel__node *after(struct cupel__node *nodes, struct cupel__node *v)
{
    return v->type >= CUPEL__ARRAY ? nodes + v->end : v + 1;
}

/* Where a walk through a container stands, or a check of one value: `child`. */
struct walk {
    struct cupel__node *at, *child; /* the key or the item; the value of either */
    const uint32_t *todo;           /* what the child still has to pass */
    uint32_t left, n;               /* children from `at` on; required members met */
    uint32_t stage;                 /* the pattern to go on with, 0: the first */
    int64_t steps;
};

/* REST: from `todo` on the child has to be entered. */
enum outcome { DONE, FAILED, REST, STOPPED };

enum { PASSED_ALL = 2 }; /* of quick(): the sequence is over */

/* A MAP or ITEMS that asks only for a type of each child: whether it passes; its steps are charged.
 */
INLINE int quick_each(const struct cupel__vm *vm, struct walk *w)
{
    const uint32_t sub = w->todo[1];
    struct cupel__node *at = w->child + 1;
    if (CUPEL__SUB_PC(sub) != 0 || *w->todo >> 8 != 0)
        return -1;
    w->steps -= w->child->count;
    at += CUPEL__WORD_OP(*w->todo) == CUPEL__OP_MAP;
    for (uint32_t left = w->child->count; left > 0; left--) {
        if (!cupel__admits(sub, at))
            return 0;
        at = after(vm->nodes, at) + (CUPEL__WORD_OP(*w->todo) == CUPEL__OP_MAP);
    }
    return 1;
}

/* Instructions that are mostly decided by looking at the node; -1 where they are not, and for all
 * others. */
INLINE int quick(struct cupel__vm *vm, struct walk *w)
{
    const uint32_t *const pc = w->todo;
    const struct cupel__node *const v = w->child;
    switch (CUPEL__WORD_OP(*pc)) {
    case CUPEL__OP_ONLY:
        return CUPEL__WORD_B(*pc) >> v->type & 1 ? 1 : PASSED_ALL;
    case CUPEL__OP_RANGE:
        return cupel__quick_RANGE(pc, v);
    case CUPEL__OP_MIN:
        return cupel__quick_bound(vm, pc, v, 1);
    case CUPEL__OP_LENGTH:
        return cupel__quick_LENGTH(pc, v);
    case CUPEL__OP_STRINGS:
        return cupel__quick_STRINGS(vm, pc, v);
    case CUPEL__OP_STRING:
        return cupel__quick_STRING(vm, pc, v);
    case CUPEL__OP_COUNT:
        return cupel__quick_COUNT(pc, v);
    case CUPEL__OP_UNIQUE:
        return v->count < 2 ? 1 : -1;
    case CUPEL__OP_MAP:
    case CUPEL__OP_ITEMS:
        return quick_each(vm, w);
    default:
        return -1;
    }
}

/* Takes the SWITCH at `todo`; false if the child has passed. */
INLINE bool follow(const struct cupel__vm *vm, struct walk *w)
{
    const struct cupel__list *labels = cupel__image_list(vm->image, w->todo[1]);
    uint32_t label = labels->item[cupel__class_of[w->child->type]];
    w->todo = vm->code + label;
    return label != 0;
}

/* Instructions that may lead to one other schema of the value, and need no frame for it where they
 * are last. */
#define LEADS \
    (CUPEL__OP_BIT(CHOOSE) | CUPEL__OP_BIT(CASES) | CUPEL__OP_BIT(MEMO) | CUPEL__OP_BIT(DYNAMIC))

/* Whether vm->result.sub is all that the instruction at `todo` leads to; its steps are charged. */
INLINE bool take_lead(struct cupel__vm *vm, struct walk *w, uint32_t word)
{
    if (!(word & CUPEL__LAST) || !(LEADS >> CUPEL__WORD_OP(word) & 1))
        return false;
    bool leads = cupel__single_sub(vm, w->todo, w->child);
    w->steps = vm->budget.remaining;
    return leads && w->steps >= 0;
}

/* Runs the sequence at `todo` on the child as long as its instructions are about this value alone.
 */
INLINE enum outcome check(struct cupel__vm *vm, struct walk *w)
{
    while (--w->steps >= 0) {
        uint32_t word = *w->todo;
        CUPEL__DEBUG_CHECK(vm, w->todo, w->child, NULL);
        if (CUPEL__WORD_OP(word) == CUPEL__OP_OBJECT)
            break;
        int result = quick(vm, w);

        if (result == 0)
            return FAILED;
        if (result < 0) {
            if (CUPEL__WORD_OP(word) == CUPEL__OP_SWITCH) {
                if (!follow(vm, w))
                    return DONE;
                continue;
            }
            vm->budget.remaining = w->steps;
            if (cupel__op_checks >> CUPEL__WORD_OP(word) & 1)
                result = cupel__check_value(vm, w->todo, w->child);
            else if (!take_lead(vm, w, word))
                break;
            else if (!cupel__admits(vm->result.sub, w->child))
                return FAILED;
            else if (w->todo = vm->code + CUPEL__SUB_PC(vm->result.sub), w->todo == vm->code)
                return DONE;
            else
                continue;
            w->steps = vm->budget.remaining;
            if (result <= 0)
                return result == 0 ? FAILED : STOPPED;
        }
        if (result == PASSED_ALL || (word & CUPEL__LAST))
            return DONE;
        w->todo += cupel__op_info[CUPEL__WORD_OP(word)].words;
    }
    return REST;
}

/* The same for a reference. */
INLINE enum outcome check_ref(struct cupel__vm *vm, uint32_t sub, struct walk *w)
{
    if (!cupel__admits(sub, w->child))
        return FAILED;
    if (CUPEL__SUB_PC(sub) == 0)
        return DONE;
    w->todo = vm->code + CUPEL__SUB_PC(sub);
    return check(vm, w);
}

/* The same out of line, for what does it once: `todo` is left in the machine, and vm->budget is
 * charged. */
static enum outcome try(struct cupel__vm *vm, uint32_t sub, struct cupel__node *v)
{
    struct walk w = {.child = v, .steps = vm->budget.remaining};
    enum outcome o = check_ref(vm, sub, &w);
    vm->budget.remaining = w.steps;
    vm->result.pc = w.todo;
    return o;
}

/* Enters what check() left; the step is charged. */
#define ENTER_AT(todo) \
    do {               \
        pc = (todo);   \
        CHARGE(0);     \
        DISPATCH();    \
    } while (0)

/* -- Instructions
 * ----------------------------------------------------------------------------------- */

static int op_FAIL(ARGS)
{
    FAIL();
}

static int op_TYPE(ARGS)
{
    if (CUPEL__WORD_B(*pc) >> v->type & 1)
        NEXT(1);
    FAIL();
}

static int op_ONLY(ARGS)
{
    if (CUPEL__WORD_B(*pc) >> v->type & 1)
        NEXT(1);
    PASSED();
}

static int op_SWITCH(ARGS)
{
    uint32_t label = cupel__image_list(vm->image, pc[1])->item[cupel__class_of[v->type]];
    if (label == 0)
        PASSED();
    pc = vm->code + label;
    steps--;
    DISPATCH();
}

static int op_JUMP(ARGS)
{
    pc = vm->code + pc[1];
    steps--;
    DISPATCH();
}

static int op_CONST(ARGS)
{
    int result;
    HELP(cupel__check_equal(vm, v, pc[1]));
    END(2);
}

static int op_ENUM(ARGS)
{
    int result;
    HELP(cupel__check_enum(vm, v, pc[1]));
    END(2);
}

static int op_LOOKUP(ARGS)
{
    int result;
    HELP(cupel__check_lookup(vm, v, pc[1], pc[2]));
    END(3);
}

static int op_MIN(ARGS)
{
    int result = cupel__quick_bound(vm, pc, v, 1);
    if (result < 0)
        HELP(cupel__check_bound(vm, v, pc[1], 1, CUPEL__WORD_A(*pc)));
    END(2);
}

static int op_MAX(ARGS)
{
    int result = cupel__quick_bound(vm, pc, v, -1);
    if (result < 0)
        HELP(cupel__check_bound(vm, v, pc[1], -1, CUPEL__WORD_A(*pc)));
    END(2);
}

static int op_RANGE(ARGS)
{
    int result = cupel__quick_RANGE(pc, v);
    if (result < 0)
        HELP(cupel__check_range(vm, v, (int32_t)pc[1], (int32_t)pc[2]));
    END(3);
}

static int op_MULTIPLE(ARGS)
{
    int result;
    HELP(cupel__check_multiple(vm, v, pc[1]));
    END(2);
}

static int op_LENGTH(ARGS)
{
    int result = cupel__quick_LENGTH(pc, v);
    if (result < 0)
        HELP(cupel__check_length(vm, v, pc[1], pc[2]));
    END(3);
}

static int op_PATTERN(ARGS)
{
    int result;
    HELP(cupel__check_pattern(vm, v, pc[1]));
    END(2);
}

static int op_FORMAT(ARGS)
{
    int result;
    HELP(cupel__check_format(vm, v, CUPEL__WORD_B(*pc)));
    END(1);
}

static int op_HOST_FORMAT(ARGS)
{
    int result;
    HELP(cupel__check_host_format(vm, v, CUPEL__WORD_B(*pc)));
    END(1);
}

static int op_STRINGS(ARGS)
{
    int result;
    HELP(cupel__check_strings(vm, v, pc[1]));
    END(2);
}

static int op_STRING(ARGS)
{
    int result = cupel__quick_STRING(vm, pc, v);
    if (result < 0)
        result = cupel__check_string(vm, v, pc);
    if (result == 0)
        FAIL();
    NEXT(3);
}

static int op_COUNT(ARGS)
{
    if (!cupel__quick_COUNT(pc, v))
        FAIL();
    NEXT(3);
}

static int op_UNIQUE(ARGS)
{
    int result;
    HELP(cupel__check_unique(vm, v));
    END(1);
}

static int op_EITHER(ARGS)
{
    int result;
    HELP(cupel__check_either(vm, pc, v));
    END(2);
}

static int op_REQUIRED(ARGS)
{
    int result;
    vm->result.which = 0;
    HELP(cupel__check_required(vm, v, pc[1]));
    END(2);
}

static int op_DEPENDS(ARGS)
{
    int result;
    vm->result.which = 0;
    HELP(cupel__check_depends(vm, v, pc[1], pc[2]));
    END(3);
}
