/* exec_child.h: instructions that go through members and items and are no plain walks
 * (exec_walk.h).  Part of exec_loop.h, which includes it. */

/* Children of v become evaluated. */
#define MARK(first, end) WITH_WORK(cupel__mark(vm, (uint32_t)(v - vm->nodes), first, end))

/* The next child of a MEMBERS instruction; its frame is on the stack. */
static int next_member(ARGS)
{
    int result;
    const struct cupel__table *t = cupel__at(vm->image, vm->code[sp->pc + 1]);
    while (HELP(cupel__next_member(vm, sp)), result > 0) {
        if (!cupel__admits(vm->result.sub, vm->result.value)) {
            POP();
            FAIL();
        }
        if (CUPEL__SUB_PC(vm->result.sub) != 0) {
            v = vm->result.value;
            ENTER(vm->result.sub);
        }
    }
    if (result < 0)
        STOP(vm->reason);
    bool complete = sp->n == t->required;
    POP();
    if (!complete)
        FAIL();
    NEXT(2);
}

static int op_MEMBERS(ARGS)
{
    PUSH(MEMBERS);
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    sp->n = sp->stage = 0;
    TAIL_CALL(next_member);
}

/* The next item of a PREFIX instruction; its frame is on the stack: `n` is the item's index. */
static int next_prefix(ARGS)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, vm->code[sp->pc + 1]);
    for (; sp->left > 0 && sp->n < subs->count; sp->left--) {
        uint32_t sub = subs->item[sp->n++];
        struct cupel__node *item = vm->nodes + sp->at;
        enum outcome o;
        CHARGE(1);
        WITH_WORK(o = try(vm, sub, item));
        if (o == STOPPED)
            STOP(vm->reason);
        if (o == FAILED) {
            POP();
            FAIL();
        }
        if (o == REST) {
            v = item;
            ENTER_AT(vm->result.pc);
        }
        sp->at = cupel__node_next(vm->nodes, sp->at);
    }
    POP();
    NEXT(2);
}

static int op_PREFIX(ARGS)
{
    uint32_t n = cupel__image_list(vm->image, pc[1])->count;
    if (CUPEL__WORD_A(*pc))
        MARK(0, n < v->count ? n : v->count);
    PUSH(PREFIX);
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    sp->n = 0;
    TAIL_CALL(next_prefix);
}

static int passed_PREFIX(ARGS)
{
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_prefix);
}

/* The item of a CONTAINS frame has passed. */
#define MARK_ITEM()                                         \
    do {                                                    \
        if (CUPEL__WORD_A(vm->code[sp->pc])) {              \
            uint32_t i = vm->nodes[sp->v].count - sp->left; \
            WITH_WORK(cupel__mark(vm, sp->v, i, i + 1));    \
        }                                                   \
        KEEP_ANEW();                                        \
    } while (0)

/* The next item of a CONTAINS instruction; its frame is on the stack: `n` items have passed. */
static int next_contains(ARGS)
{
    const uint32_t *word = vm->code + sp->pc;
    for (; sp->left > 0; sp->left--, sp->at = cupel__node_next(vm->nodes, sp->at)) {
        struct cupel__node *item = vm->nodes + sp->at;
        enum outcome o;
        bool decided = sp->n > word[3] || (sp->n >= word[2] && word[3] == UINT32_MAX);
        if (decided && !CUPEL__WORD_A(*word))
            break;
        CHARGE(1);
        WITH_WORK(o = try(vm, word[1], item));
        if (o == STOPPED)
            STOP(vm->reason);
        if (o == FAILED)
            continue;
        if (o == REST) {
            v = item;
            ENTER_AT(vm->result.pc);
        }
        MARK_ITEM();
        sp->n++;
    }
    uint32_t n = sp->n;
    bool ok = n >= word[2] && n <= word[3];
    POP_CHOICE();
    if (!ok)
        FAIL();
    NEXT(4);
}

static int op_CONTAINS(ARGS)
{
    PUSH_TAKER(CONTAINS);
    if (vm->stateful)
        WITH_WORK(cupel__choice_begin(vm, sp));
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    sp->n = 0;
    TAIL_CALL(next_contains);
}

static int passed_CONTAINS(ARGS)
{
    MARK_ITEM();
    sp->n++;
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_contains);
}

static int failed_CONTAINS(ARGS)
{
    RESTORE();
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_contains);
}
