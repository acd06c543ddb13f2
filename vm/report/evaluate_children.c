/* evaluate_children.c: members and items in a report (evaluator.h).
 *
 * OBJECT, MAP and ITEMS try the schemas of children without frames until one has to be entered;
 * then a frame WALK holds the position.  The other instructions have a frame from the beginning. */
#include "vm/report/sequence.h"
#include "vm/run/traversal.h"

/* -- OBJECT, MAP, ITEMS ----------------------------------------------------------------------- */

/* Where the traversal of an object or array is. */
struct traversal {
    struct cupel__node *at, *child; /* the key or item; the value of either */
    uint32_t left, n;               /* children from `at` on; required members met */
    uint32_t stage;                 /* OBJECT: the pattern to go on with, 0: the first */
};

/* The next of the patterns of a table that the name at `at` matches; false: undecided. */
static __attribute__((noinline)) bool match_name(struct cupel__vm *vm, const struct cupel__table *t,
                                                 struct cupel__node *at, uint32_t stage)
{
    vm->result.which = stage;
    return cupel__next_match(vm, t, at) >= 0;
}

/* Goes on with the members of an OBJECT until one has to be entered. */
INLINE enum cupel__outcome try_members(struct cupel__evaluator *e, const struct cupel__table *t,
                                       struct traversal *w)
{
    struct cupel__vm *const vm = e->vm;
    while (w->left > 0) {
        const struct cupel__entry *entry = cupel__table_find_key(vm->image, t, vm->doc, w->at);
        uint32_t sub = t->other;
        w->child = w->at + 1;
        if (entry != NULL) {
            sub = entry->sub;
            w->n += entry->required;
        } else if (t->matches != 0) {
            if (!match_name(vm, t, w->at, w->stage))
                return CUPEL__STOPPED;
            w->stage = vm->result.which;
            sub = vm->result.sub;
        }
        const enum cupel__outcome outcome = cupel__try_inline(e, sub, w->child);
        if (outcome != CUPEL__PASSED)
            return outcome;
        if (w->stage != 0)
            continue;
        w->at = cupel__node_after(vm->nodes, w->child);
        w->left--;
    }
    return w->n == t->required ? CUPEL__PASSED : CUPEL__FAILED;
}

/* Tries the children of a MAP or ITEMS inline.  All have one schema. */
INLINE enum cupel__outcome try_each(struct cupel__evaluator *e, struct traversal *w)
{
    const uint32_t sub = e->pc[1], key = CUPEL__WORD_OP(*e->pc) == CUPEL__OP_MAP;
    for (; w->left > 0; w->left--) {
        w->child = w->at + key;
        const enum cupel__outcome outcome = cupel__try_inline(e, sub, w->child);
        if (outcome != CUPEL__PASSED)
            return outcome;
        w->at = cupel__node_after(e->vm->nodes, w->child);
    }
    return CUPEL__PASSED;
}

/* The first item that an ITEMS applies to; its flag marks the items. */
static void skip_items(struct cupel__evaluator *e, struct traversal *w)
{
    uint32_t skip = CUPEL__WORD_B(*e->pc);
    if (CUPEL__WORD_A(*e->pc) && skip < e->v->count)
        cupel__mark(e->vm, cupel__index_of(e, e->v), skip, e->v->count);
    for (; skip > 0 && w->left > 0; skip--, w->left--)
        w->at = cupel__node_after(e->vm->nodes, w->at);
}

static inline struct traversal begin_traversal(struct cupel__evaluator *e)
{
    struct traversal w = {.at = e->v + 1, .left = e->v->count};
    e->vm->budget.remaining -= w.left;
    if (*e->pc >> 8 != 0 && e->vm->budget.remaining >= 0)
        skip_items(e, &w);
    return w;
}

/* Goes on with the traversal of the top frame, whose child v is over. */
static inline struct traversal resume_traversal(struct cupel__evaluator *e)
{
    const struct cupel__frame *f = e->top;
    struct traversal w = {.at = e->v - 1, .left = f->left, .n = f->n, .stage = f->stage};
    if (f->stage == 0) {
        w.at = cupel__node_after(e->vm->nodes, e->v);
        w.left--;
    }
    cupel__pop(e);
    return w;
}

/* Runs an OBJECT, MAP or ITEMS until a child has to be entered.  A child whose schema begins with
 * another traversal is entered here. */
static enum cupel__next traverse(struct cupel__evaluator *e, bool begin)
{
    struct cupel__vm *const vm = e->vm;
    for (;;) {
        struct traversal w = begin ? begin_traversal(e) : resume_traversal(e);
        if (!cupel__charge(vm, 0))
            return CUPEL__NEXT_STOP;
        const enum cupel__outcome outcome = CUPEL__WORD_OP(*e->pc) == CUPEL__OP_OBJECT
                                                ? try_members(e, cupel__at(vm->image, e->pc[1]), &w)
                                                : try_each(e, &w);
        if (outcome != CUPEL__ENTERED)
            return outcome == CUPEL__PASSED   ? CUPEL__NEXT_ADVANCE
                   : outcome == CUPEL__FAILED ? cupel__fail(e, 0)
                                              : CUPEL__NEXT_STOP;
        if (!cupel__push(e, CUPEL__FRAME_WALK))
            return CUPEL__NEXT_STOP;
        e->top->left = w.left;
        e->top->n = w.n;
        e->top->stage = w.stage;
        e->pc = e->todo;
        e->v = w.child;
        if (!(CUPEL__TRAVERSALS >> CUPEL__WORD_OP(*e->pc) & 1))
            return cupel__enter_at(e, e->pc, e->v);
        begin = true;
    }
}

enum cupel__next cupel__begin_each(struct cupel__evaluator *e)
{
    return traverse(e, true);
}

enum cupel__next cupel__resume_walk(struct cupel__evaluator *e)
{
    return traverse(e, false);
}

/* A large object of which the schema knows few names: looks these up (cupel__knows_few). */
static enum cupel__next next_name(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    const struct cupel__table *t = cupel__at(vm->image, vm->code[e->top->pc + 1]);
    bool ok = true;
    for (; e->top->n < t->count && ok; e->top->n++) {
        const struct cupel__entry *entry = &cupel__table_entries(t)[e->top->n];
        enum cupel__outcome outcome = CUPEL__PASSED;
        if (!cupel__charge(vm, 1))
            return CUPEL__NEXT_STOP;
        const int found = cupel__find_entry(vm, t, entry, e->top->v);
        struct cupel__node *const value = vm->result.value;
        if (found > 0)
            outcome = cupel__try(e, entry->sub, value);
        if (found < 0 || outcome == CUPEL__STOPPED)
            return CUPEL__NEXT_STOP;
        if (outcome == CUPEL__ENTERED)
            return cupel__enter_at(e, e->todo, value);
        ok = outcome != CUPEL__FAILED && (found > 0 || !entry->required);
    }
    cupel__pop(e);
    return ok ? CUPEL__NEXT_ADVANCE : cupel__fail(e, 0);
}

enum cupel__next cupel__begin_object(struct cupel__evaluator *e)
{
    if (!cupel__knows_few(cupel__at(e->vm->image, e->pc[1]), e->v))
        return traverse(e, true);
    if (!cupel__push(e, CUPEL__FRAME_PICK))
        return CUPEL__NEXT_STOP;
    e->top->n = 0;
    return next_name(e);
}

enum cupel__next cupel__resume_pick(struct cupel__evaluator *e)
{
    e->top->n++;
    return next_name(e);
}

/* -- MEMBERS, PREFIX, CONTAINS ---------------------------------------------------------------- */

/* Prepares the frame that was pushed for all children of v. */
static void begin_children(struct cupel__evaluator *e)
{
    e->top->at = cupel__index_of(e, e->v + 1);
    e->top->left = e->v->count;
    e->top->n = e->top->stage = 0;
}

static void next_item(struct cupel__evaluator *e)
{
    e->top->at = cupel__node_next(e->vm->nodes, e->top->at);
    e->top->left--;
}

/* The next schema that a member of a MEMBERS instruction has to pass. */
enum cupel__next cupel__resume_members(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    const struct cupel__table *t = cupel__at(vm->image, vm->code[e->top->pc + 1]);
    int more;
    while ((more = cupel__next_member(vm, e->top)) > 0) {
        if (!cupel__admits(vm->result.sub, vm->result.value)) {
            cupel__pop(e);
            return cupel__fail(e, 0);
        }
        if (CUPEL__SUB_PC(vm->result.sub) != 0)
            return cupel__enter(e, vm->result.sub, vm->result.value);
    }
    if (more < 0)
        return CUPEL__NEXT_STOP;
    const bool complete = e->top->n == t->required;
    cupel__pop(e);
    return complete ? CUPEL__NEXT_ADVANCE : cupel__fail(e, 0);
}

enum cupel__next cupel__begin_members(struct cupel__evaluator *e)
{
    if (!cupel__push(e, CUPEL__FRAME_MEMBERS))
        return CUPEL__NEXT_STOP;
    begin_children(e);
    return cupel__resume_members(e);
}

/* PREFIX: frame.n is the position of the item. */
static enum cupel__next next_prefix(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    const struct cupel__list *subs = cupel__image_list(vm->image, vm->code[e->top->pc + 1]);
    while (e->top->left > 0 && e->top->n < subs->count) {
        struct cupel__node *const item = vm->nodes + e->top->at;
        const uint32_t sub = subs->item[e->top->n++];
        if (!cupel__charge(vm, 1))
            return CUPEL__NEXT_STOP;
        switch (cupel__try(e, sub, item)) {
        case CUPEL__STOPPED:
            return CUPEL__NEXT_STOP;
        case CUPEL__FAILED:
            cupel__pop(e);
            return cupel__fail(e, 0);
        case CUPEL__ENTERED:
            return cupel__enter_at(e, e->todo, item);
        case CUPEL__PASSED:
            break;
        }
        next_item(e);
    }
    cupel__pop(e);
    return CUPEL__NEXT_ADVANCE;
}

enum cupel__next cupel__begin_prefix(struct cupel__evaluator *e)
{
    const uint32_t n = cupel__image_list(e->vm->image, e->pc[1])->count;
    if (CUPEL__WORD_A(*e->pc))
        cupel__mark(e->vm, cupel__index_of(e, e->v), 0, n < e->v->count ? n : e->v->count);
    if (!cupel__push(e, CUPEL__FRAME_PREFIX))
        return CUPEL__NEXT_STOP;
    begin_children(e);
    return next_prefix(e);
}

enum cupel__next cupel__resume_prefix(struct cupel__evaluator *e)
{
    next_item(e);
    return next_prefix(e);
}

/* The item of a CONTAINS frame has passed. */
static void count_item(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    struct cupel__frame *f = e->top;
    if (CUPEL__WORD_A(vm->code[f->pc])) {
        const uint32_t i = vm->nodes[f->v].count - f->left;
        cupel__mark(vm, f->v, i, i + 1);
    }
    cupel__keep_attempt(e);
    f->n++;
}

/* CONTAINS: frame.n items have passed. */
static enum cupel__next next_contained(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t *word = vm->code + e->top->pc;
    for (; e->top->left > 0; next_item(e)) {
        struct cupel__node *const item = vm->nodes + e->top->at;
        const uint32_t n = e->top->n;
        const bool decided = n > word[3] || (n >= word[2] && word[3] == UINT32_MAX);
        if (decided && !CUPEL__WORD_A(*word) && !e->complete)
            break;
        if (!cupel__charge(vm, 1))
            return CUPEL__NEXT_STOP;
        const enum cupel__outcome outcome = cupel__try(e, word[1], item);
        if (outcome == CUPEL__STOPPED)
            return CUPEL__NEXT_STOP;
        if (outcome == CUPEL__ENTERED)
            return cupel__enter_at(e, e->todo, item);
        if (outcome == CUPEL__PASSED)
            count_item(e);
    }
    const uint32_t n = e->top->n;
    cupel__pop_choice(e);
    return n >= word[2] && n <= word[3] ? CUPEL__NEXT_ADVANCE : cupel__fail(e, n);
}

enum cupel__next cupel__begin_contains(struct cupel__evaluator *e)
{
    if (!cupel__push_choice(e, CUPEL__FRAME_CONTAINS))
        return CUPEL__NEXT_STOP;
    begin_children(e);
    return next_contained(e);
}

enum cupel__next cupel__resume_contains(struct cupel__evaluator *e, bool passed)
{
    if (passed)
        count_item(e);
    else
        cupel__undo_attempt(e);
    next_item(e);
    return next_contained(e);
}

/* -- UNEVALUATED ------------------------------------------------------------------------------ */

/* Once the first schema has passed, frame.n is the position of the child. */
static enum cupel__next next_unevaluated(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    struct cupel__frame *f = e->top;
    const bool object = vm->nodes[f->v].type == CUPEL__OBJECT;
    const uint32_t sub = vm->code[f->pc + (object ? 2 : 3)];
    bool ok = true;
    for (; f->left > 0 && sub != CUPEL__SUB_ANY; f->left--, f->n++) {
        struct cupel__node *child = vm->nodes + f->at + object;
        if (!cupel__charge(vm, 1))
            return CUPEL__NEXT_STOP;
        if (!cupel__is_evaluated(vm, f, f->n)) {
            ok = cupel__admits(sub, child);
            if (!ok)
                break;
            if (CUPEL__SUB_PC(sub) != 0)
                return cupel__enter(e, sub, child);
        }
        f->at = cupel__node_next(vm->nodes, cupel__index_of(e, child));
    }
    cupel__track_end(vm, f);
    cupel__pop(e);
    return ok ? CUPEL__NEXT_ADVANCE : cupel__fail(e, 0);
}

/* The first schema of an UNEVALUATED, or a child, is over. */
enum cupel__next cupel__resume_unevaluated(struct cupel__evaluator *e)
{
    struct cupel__frame *f = e->top;
    const struct cupel__node *nodes = e->vm->nodes;
    if (f->stage == 0) {
        f->stage = 1;
        f->at = f->v + 1;
        f->left = nodes[f->v].count;
        f->n = 0;
    } else {
        f->at = cupel__node_next(nodes, f->at + (nodes[f->v].type == CUPEL__OBJECT));
        f->left--;
        f->n++;
    }
    return next_unevaluated(e);
}

enum cupel__next cupel__begin_unevaluated(struct cupel__evaluator *e)
{
    const uint32_t sub = e->pc[1];
    const uint32_t rest = e->v->type == CUPEL__OBJECT ? e->pc[2] : e->pc[3];
    if (e->v->type < CUPEL__ARRAY || rest == CUPEL__NO_SUB)
        return cupel__apply(e, sub);
    if (!cupel__admits(sub, e->v))
        return cupel__fail(e, 0);
    if (!cupel__push(e, CUPEL__FRAME_UNEVALUATED) || !cupel__track_begin(e->vm, e->top))
        return CUPEL__NEXT_STOP;
    return CUPEL__SUB_PC(sub) == 0 ? cupel__resume_unevaluated(e) : cupel__enter(e, sub, e->v);
}
