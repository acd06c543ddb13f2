/* exec_child.h: instructions that go through members and items.  Part of exec_loop.h, which includes it. */

/* Children of v become evaluated. */
#define MARK(first, end) WITH_WORK(cupel__mark(vm, (uint32_t)(v - vm->nodes), first, end))

/* -- Loops over children ---------------------------------------------------------------------------- */

/* Where a loop stands. */
struct children {
    struct cupel__node *at; /* the key or the item */
    uint32_t left, n;
    uint32_t sub;           /* what the child has to pass: when it must be entered */
    int64_t steps;
};

enum outcome { DONE, FAILED, CALL };

/* The node after v and everything in it. */
INLINE struct cupel__node *after(struct cupel__node *nodes, struct cupel__node *v)
{
    return v->type >= CUPEL__ARRAY ? nodes + v->end : v + 1;
}

/* Runs the child's sequence as long as it is made of quick checks: DONE: it has passed; CALL: the rest,
 * from the reference in c->sub on, takes a frame. */
INLINE enum outcome leaf(const struct cupel__vm *vm, struct children *c,
                         const struct cupel__node *child)
{
    uint32_t pc = CUPEL__SUB_PC(c->sub);
    if (pc == 0)
        return DONE;
#if REPORT
    (void)vm, (void)child;
#else
    while (--c->steps >= 0) {
        int r = quick(vm, vm->code + pc, child);
        if (r == 0)
            return FAILED;
        if (r < 0)
            break;
        uint32_t word = vm->code[pc];
        if (word & CUPEL__LAST)
            return DONE;
        pc += cupel__op_info[CUPEL__WORD_OP(word)].words;
    }
#endif
    c->sub = CUPEL__SUB(0, pc);
    return CALL;
}

/* The next child of a MEMBERS instruction; its frame is on the stack. */
static int next_member(ARGS)
{
    int result;
    const struct cupel__table *t = cupel__at(vm->image, vm->code[sp->pc + 1]);
    while (HELP(cupel__next_member(vm, sp)), result > 0) {
        if (!admits(vm->next_sub, vm->next)) {
            POP();
            FAIL(2, 0);
        }
        if (CUPEL__SUB_PC(vm->next_sub) != 0) {
            v = vm->next;
            ENTER(vm->next_sub);
        }
    }
    if (result < 0)
        STOP(vm->reason);
    bool complete = sp->n == t->required;
    POP();
    if (!complete)
        FAIL(2, 0);
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

#if REPORT
/* The table of an OBJECT is one that MEMBERS takes, and reports are in no hurry. */
static int op_OBJECT(ARGS)
{
    TAIL_CALL(op_MEMBERS);
}
#else
INLINE enum outcome members(const struct cupel__vm *vm, const struct cupel__table *t,
                            struct children *c)
{
    struct cupel__node *const nodes = vm->nodes;
    const char *const base[2] = {vm->doc->base[0], vm->doc->base[1]};
    for (; c->left > 0; c->left--) {
        struct cupel__node *key = c->at, *value = key + 1;
        const struct cupel__entry *e = cupel__table_find(
            vm->image, t, base[key->flags >> 1 & 1] + key->off, key->len);
        c->sub = t->other;
        if (e != NULL) {
            c->sub = e->sub;
            c->n += CUPEL__ENTRY_FLAG(e, CUPEL__ENTRY_REQUIRED);
        }
        if (!admits(c->sub, value))
            return FAILED;
        enum outcome o = leaf(vm, c, value);
        if (o != DONE)
            return o;
        c->at = after(nodes, value);
    }
    return c->n == t->required ? DONE : FAILED;
}

/* The members from the one in vm->loop on; vm->framed: the instruction's frame is on the stack. */
static int next_object(ARGS)
{
    struct children c = {vm->loop.at, vm->loop.left, vm->loop.n, 0, steps};
    enum outcome o = members(vm, cupel__at(vm->image, pc[1]), &c);
    steps = c.steps;
    if (o == CALL) {
        if (!vm->framed)
            PUSH(OBJECT);
        sp->at = (uint32_t)(c.at - vm->nodes);
        sp->left = c.left;
        sp->n = c.n;
        v = c.at + 1;
        ENTER(c.sub);
    }
    sp -= vm->framed;
    if (o == FAILED)
        FAIL(2, 0);
    NEXT(2);
}

static int op_OBJECT(ARGS)
{
    CHARGE(v->count);
    vm->loop.at = v + 1;
    vm->loop.left = v->count;
    vm->loop.n = 0;
    vm->framed = false;
    TAIL_CALL(next_object);
}

static int passed_OBJECT(ARGS)
{
    vm->loop.at = vm->nodes + cupel__node_next(vm->nodes, sp->at + 1);
    vm->loop.left = sp->left - 1;
    vm->loop.n = sp->n;
    vm->framed = true;
    pc = vm->code + sp->pc;
    v = vm->nodes + sp->v;
    TAIL_CALL(next_object);
}
#endif

INLINE enum outcome items(const struct cupel__vm *vm, uint32_t sub, struct children *c)
{
    struct cupel__node *const nodes = vm->nodes;
    for (; c->left > 0; c->left--) {
        struct cupel__node *item = c->at;
        c->sub = sub;
        if (!admits(sub, item))
            return FAILED;
        enum outcome o = leaf(vm, c, item);
        if (o != DONE)
            return o;
        c->at = after(nodes, item);
    }
    return DONE;
}

/* The items of an ITEMS instruction from the one in its frame on. */
static int next_items(ARGS)
{
    struct children c = {vm->nodes + sp->at, sp->left, 0, 0, steps};
    pc = vm->code + sp->pc;
    enum outcome o = items(vm, pc[1], &c);
    steps = c.steps;
    if (o == CALL) {
        sp->at = (uint32_t)(c.at - vm->nodes);
        sp->left = c.left;
        v = c.at;
        ENTER(c.sub);
    }
    v = vm->nodes + sp->v;
    sp--;
    if (o == FAILED)
        FAIL(2, 0);
    NEXT(2);
}

static int op_ITEMS(ARGS)
{
    uint32_t skip = CUPEL__WORD_B(*pc);
    CHARGE(v->count);
    if (CUPEL__WORD_A(*pc) && skip < v->count)
        MARK(skip, v->count);
    PUSH(ITEMS);
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    for (; skip > 0 && sp->left > 0; skip--, sp->left--)
        sp->at = cupel__node_next(vm->nodes, sp->at);
    TAIL_CALL(next_items);
}

static int passed_ITEMS(ARGS)
{
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_items);
}

/* The next item of a PREFIX instruction; its frame is on the stack: `n` is the item's index. */
static int next_prefix(ARGS)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, vm->code[sp->pc + 1]);
    for (; sp->left > 0 && sp->n < subs->count; sp->left--) {
        uint32_t sub = subs->item[sp->n++];
        struct cupel__node *item = vm->nodes + sp->at;
        CHARGE(1);
        if (!admits(sub, item)) {
            POP();
            FAIL(2, 0);
        }
        if (CUPEL__SUB_PC(sub) != 0) {
            v = item;
            ENTER(sub);
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
#define MARK_ITEM()                                                                    \
    do {                                                                               \
        if (CUPEL__WORD_A(vm->code[sp->pc])) {                                         \
            uint32_t i = vm->nodes[sp->v].count - sp->left;                            \
            WITH_WORK(cupel__mark(vm, sp->v, i, i + 1));                               \
        }                                                                              \
        KEEP_ANEW();                                                                   \
    } while (0)

/* The next item of a CONTAINS instruction; its frame is on the stack: `n` items have passed. */
static int next_contains(ARGS)
{
    const uint32_t *word = vm->code + sp->pc;
    for (; sp->left > 0; sp->left--, sp->at = cupel__node_next(vm->nodes, sp->at)) {
        struct cupel__node *item = vm->nodes + sp->at;
        bool decided = sp->n > word[3] || (sp->n >= word[2] && word[3] == UINT32_MAX);
        if (decided && !CUPEL__WORD_A(*word) && !WANT_NOTES)
            break;
        CHARGE(1);
        if (!admits(word[1], item))
            continue;
        if (CUPEL__SUB_PC(word[1]) != 0) {
            v = item;
            ENTER(word[1]);
        }
        MARK_ITEM();
        sp->n++;
    }
    uint32_t n = sp->n;
    bool ok = n >= word[2] && n <= word[3];
    POP_CHOICE();
    if (!ok)
        FAIL(4, n);
    NEXT(4);
}

static int op_CONTAINS(ARGS)
{
    PUSH_CHOICE(CONTAINS);
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
