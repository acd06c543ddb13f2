/* exec_walk.h: the loops over members and items OBJECT, MAP, ITEMS.  Part of exec_loop.h, which
 * includes it.
 *
 * Most of a run is spent here.  One handler goes through a whole tree of objects and arrays: a
 * child whose schema is another walk is entered and left without dispatch.  What else a child has
 * to pass is checked on the spot as long as it is about that value alone; only what is not leaves
 * the handler, with a frame WALK to come back to. */

/* What the member at `at` has to pass by the patterns that its name matches; one of them at a time.
 */
INLINE bool match_name(struct cupel__vm *vm, const struct cupel__table *t, struct walk *w,
                       uint32_t *ret_sub)
{
    vm->budget.remaining = w->steps;
    vm->result.which = w->stage;
    int result = cupel__next_match(vm, t, w->at);
    w->steps = vm->budget.remaining;
    w->stage = vm->result.which;
    *ret_sub = vm->result.sub;
    return result >= 0;
}

INLINE enum outcome members(struct cupel__vm *vm, const struct cupel__table *t, struct walk *w,
                            bool plain)
{
    struct cupel__node *const nodes = vm->nodes;
    const struct cupel__entry *const entries = cupel__table_entries(t);
    const char *const text = vm->doc->base[0];
    while (w->left > 0) {
        struct cupel__node *key = w->at;
        const struct cupel__entry *e =
            plain && __builtin_expect(key->flags == CUPEL__KEY, 1)
                ? cupel__table_quick(vm->image, t, entries, key->hash, text + key->off, key->len)
                : cupel__table_find_node(vm->image, t, vm->doc, key);
        uint32_t sub = t->other;
        if (e != NULL) {
            sub = e->sub;
            w->n += e->required;
        } else if (t->matches != 0 && !match_name(vm, t, w, &sub)) {
            return STOPPED;
        }
        w->child = key + 1;
        enum outcome o = check_ref(vm, sub, w);
        if (o != DONE)
            return o;
        if (!plain && w->stage != 0)
            continue;
        w->at = after(nodes, w->child);
        w->left--;
    }
    return w->n == t->required ? DONE : FAILED;
}

/* All children have to pass the same; `named`: they are members. */
INLINE enum outcome each(struct cupel__vm *vm, uint32_t sub, bool named, struct walk *w)
{
    struct cupel__node *const nodes = vm->nodes;
    for (; w->left > 0; w->left--) {
        w->child = w->at + named;
        enum outcome o = check_ref(vm, sub, w);
        if (o != DONE)
            return o;
        w->at = after(nodes, w->child);
    }
    return DONE;
}

/* Whether there are several patterns, which are asked one after the other. */
INLINE bool has_patterns(const struct cupel__vm *vm, const struct cupel__table *t)
{
    return t->matches != 0 && cupel__image_list(vm->image, t->matches)->count > 2;
}

INLINE enum outcome children(struct cupel__vm *vm, const uint32_t *pc, struct walk *w)
{
    if (CUPEL__WORD_OP(*pc) != CUPEL__OP_OBJECT)
        return each(vm, pc[1], CUPEL__WORD_OP(*pc) == CUPEL__OP_MAP, w);
    const struct cupel__table *t = cupel__at(vm->image, pc[1]);
    if (t->flags & CUPEL__TABLE_PLAIN && !has_patterns(vm, t))
        return members(vm, t, w, true);
    return members(vm, t, w, false);
}

/* An ITEMS that does not begin with the first item, or whose items become evaluated. */
static void skip_to_start_index(struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v,
                                uint32_t skip)
{
    if (CUPEL__WORD_A(*pc) && skip < v->count)
        cupel__mark(vm, (uint32_t)(v - vm->nodes), skip, v->count);
    vm->result.value = v + 1;
    for (; skip > 0; skip--)
        vm->result.value = after(vm->nodes, vm->result.value);
}

/* Walks the container v by the instruction at pc; without pc, goes on with the walk in the top
 * frame, whose child v has passed. */
static int walk(ARGS)
{
    struct walk w = {.steps = steps};
    bool begin = pc != NULL;
    for (;;) {
        if (begin) {
            w.at = v + 1;
            w.left = v->count;
            w.n = w.stage = 0;
            w.steps -= w.left;
            uint32_t late = *pc >> 8;
            if (late != 0 && w.steps >= 0) {
                uint32_t skip = late >> 8 < v->count ? late >> 8 : v->count;
                vm->budget.remaining = w.steps;
                skip_to_start_index(vm, pc, v, skip);
                w.steps = vm->budget.remaining;
                w.at = vm->result.value;
                w.left -= skip;
            }
        } else {
            w.at = sp->stage != 0 ? v - 1 : after(vm->nodes, v);
            w.left = sp->left - (sp->stage == 0);
            w.n = sp->n;
            w.stage = sp->stage;
            POP();
        }
        steps = w.steps;
        CHARGE(0);
        enum outcome o = children(vm, pc, &w);
        steps = w.steps;
        if (o == FAILED)
            FAIL();
        if (o == STOPPED)
            STOP(vm->reason);
        begin = o == REST;
        if (begin) {
            PUSH(WALK);
            sp->left = w.left;
            sp->n = w.n;
            sp->stage = w.stage;
            v = w.child;
            pc = w.todo;
            if (!(WALKS >> CUPEL__WORD_OP(*pc) & 1))
                ENTER_AT(pc);
        } else {
            if (!(*pc & CUPEL__LAST))
                GO_ON(2);
            if (sp->kind != CUPEL__FRAME_WALK)
                PASSED();
        }
    }
}

static int passed_WALK(ARGS)
{
    pc = NULL;
    TAIL_CALL(walk);
}

/* -- Few names in a large object
 * ----------------------------------------------------------------------- */

/* The next name; the frame is on the stack: `n` is its index. */
static int next_pick(ARGS)
{
    const struct cupel__table *t = cupel__at(vm->image, vm->code[sp->pc + 1]);
    bool ok = true;
    for (; sp->n < t->count && ok; sp->n++) {
        const struct cupel__entry *e = &cupel__table_entries(t)[sp->n];
        int result;
        enum outcome o = DONE;
        CHARGE(1);
        HELP(cupel__find_entry(vm, t, e, sp->v));
        if (result > 0)
            WITH_WORK(o = try(vm, e->sub, vm->result.value));
        if (result < 0 || o == STOPPED)
            STOP(vm->reason);
        if (o == REST) {
            v = vm->result.value;
            ENTER_AT(vm->result.pc);
        }
        ok = o != FAILED && (result > 0 || !e->required);
    }
    POP();
    if (!ok)
        FAIL();
    NEXT(2);
}

static int passed_PICK(ARGS)
{
    sp->n++;
    TAIL_CALL(next_pick);
}

static int op_OBJECT(ARGS)
{
    if (!cupel__knows_few(cupel__at(vm->image, pc[1]), v))
        TAIL_CALL(walk);
    PUSH(PICK);
    sp->n = 0;
    TAIL_CALL(next_pick);
}

static int op_MAP(ARGS)
{
    TAIL_CALL(walk);
}

static int op_ITEMS(ARGS)
{
    TAIL_CALL(walk);
}
