/* evaluate.c: the report evaluator: runs the report program on a value and records every failure.
 *
 * The verdict loop ends with the first failure.  The evaluator records the failure and goes on with
 * the next instruction; the end of the sequence then tells the frame below that it failed
 * (frame.failed).  Where failures are suppressed (log.muted: in a NOT, an IF, a CONTAINS, or a
 * choice whose branches are tried), the first failure ends the attempt: the evaluator drops the
 * frames above the innermost choice.
 *
 * It has three output modes: problems, annotations (log.want_notes: NOTE instructions are recorded,
 * and nothing that may hold one ends early), VERBOSE (log.tracing: each instruction is recorded
 * when it is over, all branches run, results are not kept).
 *
 * The evaluator runs after INVALID or when a host wants annotations, so it is written to be read: a
 * switch over instructions, and a frame for each sequence that does not end at once.  One shortcut
 * keeps reports within five times the time of a verdict: a sequence of checks runs without a frame
 * (try_sequence), and is entered with one only if it fails or applies another schema to the value.
 *
 * Invariants: nothing here recurses or allocates; each instruction, child and branch is charged to
 * vm->budget; the verifier has proved what the code does not test. */
#include "vm/report/log.h"
#include "vm/run/quick_checks.h"
#include <cupel/report.h>

/* What the evaluator does next. */
enum next {
    RUN,     /* run the instruction at pc */
    ADVANCE, /* the instruction at pc is over: run the one after it, if there is one */
    END,     /* the sequence is over: the top frame goes on */
    UNWIND,  /* a suppressed failure: the innermost choice goes on */
    STOP,    /* end without a verdict; vm->reason is set */
    VALID,
    INVALID
};

/* The registers. */
struct evaluation {
    struct cupel__vm *vm;
    struct cupel__log *log;
    const uint32_t *pc;
    struct cupel__node *v;
    struct cupel__frame *sp;
};

/* -- Ends of instructions --------------------------------------------------------------------- */

/* Charges n steps; false when the budget is spent. */
static bool charge(struct cupel__vm *vm, uint64_t n)
{
    vm->budget.remaining -= (int64_t)n;
    if (vm->budget.remaining >= 0)
        return true;
    vm->reason = CUPEL_E_LIMIT_STEPS;
    return false;
}

static uint32_t index_in(const struct cupel__vm *vm, const struct cupel__node *v)
{
    return (uint32_t)(v - vm->nodes);
}

static uint32_t index_of(const struct evaluation *e, const struct cupel__node *v)
{
    return (uint32_t)(v - e->vm->nodes);
}

static bool is_suppressed(const struct evaluation *e)
{
    return e->log->muted > 0 && !e->log->tracing;
}

/* Whether decided instructions go on, for the annotations or instructions that are still to come.
 */
static bool wants_all(const struct cupel__log *log)
{
    return log->tracing || log->want_notes;
}

/* The instruction failed; its failure has been recorded or is suppressed. */
static enum next failed(struct evaluation *e)
{
    if (is_suppressed(e))
        return UNWIND;
    e->sp->failed = 1;
    return ADVANCE;
}

static enum next fail(struct evaluation *e, uint32_t which)
{
    cupel__record_failure(e->vm, e->pc, e->v, which);
    return failed(e);
}

/* The instruction failed, and it is not known which children it evaluated: all count, so that
 * UNEVALUATED reports none of them. */
static enum next failed_with_children(struct evaluation *e)
{
    if (e->v->type >= CUPEL__ARRAY)
        cupel__mark(e->vm, index_of(e, e->v), 0, e->v->count);
    return failed(e);
}

/* The end of a check. */
static enum next result_of(struct evaluation *e, int result)
{
    return result > 0 ? ADVANCE : result < 0 ? STOP : fail(e, 0);
}

/* Keywords do not stand for these. */
static const uint64_t unnamed = CUPEL__OP_BIT(ONLY) | CUPEL__OP_BIT(SWITCH) | CUPEL__OP_BIT(JUMP) |
                                CUPEL__OP_BIT(MEMO) | CUPEL__OP_BIT(SCOPE);

/* VERBOSE: records that the instruction is over. */
static void trace(struct evaluation *e)
{
    struct cupel__log *log = e->log;
    const uint32_t op = CUPEL__WORD_OP(*e->pc);
    const bool note = op == CUPEL__OP_NOTE;
    if (unnamed >> op & 1)
        return;
    if (note && (!(CUPEL__WORD_B(*e->pc) >> e->v->type & 1) || (e->v->flags & CUPEL__KEY)))
        return;
    e->vm->budget.remaining -= 4;
    if (log->nevents == log->max_events) {
        log->events_lost++;
        return;
    }
    log->events[log->nevents++] = (struct cupel__event){.pc = (uint32_t)(e->pc - e->vm->code),
                                                        .node = index_of(e, e->v),
                                                        .which = note ? e->pc[1] : 0,
                                                        .path = cupel__way_here(e->vm),
                                                        .chosen = CUPEL_NO_RECORD,
                                                        .passed = true};
}

static enum next advance(struct evaluation *e)
{
    if (e->log->tracing)
        trace(e);
    if (*e->pc & CUPEL__LAST)
        return END;
    e->pc += cupel__op_info[CUPEL__WORD_OP(*e->pc)].words;
    e->vm->budget.remaining--;
    return RUN;
}

/* -- Frames ----------------------------------------------------------------------------------- */

static bool push(struct evaluation *e, enum cupel__frame_kind kind)
{
    struct cupel__vm *vm = e->vm;
    if (e->sp == vm->stack.limit) {
        vm->reason = CUPEL_E_LIMIT_STACK;
        return false;
    }
    struct cupel__frame *f = ++e->sp;
    f->kind = kind;
    f->pc = (uint32_t)(e->pc - vm->code);
    f->v = index_of(e, e->v);
    f->failed = 0;
    f->notes = (uint32_t)e->log->nnotes;
    return true;
}

/* Takes the top frame off: back in the instruction that pushed it. */
static void pop(struct evaluation *e)
{
    e->pc = e->vm->code + e->sp->pc;
    e->v = e->vm->nodes + e->sp->v;
    e->sp--;
}

/* Pushes the frame of a choice, which receives failures from now on. */
static bool push_choice(struct evaluation *e, enum cupel__frame_kind kind)
{
    struct cupel__vm *vm = e->vm;
    if (!push(e, kind))
        return false;
    e->sp->choice = vm->stack.choice;
    vm->stack.choice = (uint32_t)(e->sp - vm->stack.frames);
    cupel__record_choice(vm, e->sp);
    if (!vm->stateful)
        return true;
    if (kind != CUPEL__FRAME_CONTAINS)
        return cupel__choice_save(vm, e->sp);
    cupel__choice_begin(vm, e->sp);
    return true;
}

static void pop_choice(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    vm->stack.choice = e->sp->choice;
    if (vm->stateful)
        vm->evaluated.used = e->sp->bits;
    cupel__record_end(vm, e->sp);
    pop(e);
}

/* An attempt of the choice in the top frame has passed: what it evaluated and noted stays. */
static void keep_attempt(struct evaluation *e)
{
    if (e->vm->stateful)
        cupel__choice_update(e->vm, e->sp);
    e->sp->notes = (uint32_t)e->log->nnotes;
}

/* An attempt has failed: the state becomes as it was before it. */
static void undo_attempt(struct evaluation *e)
{
    if (e->vm->stateful)
        cupel__choice_restore(e->vm, e->sp);
    e->sp->failed = 0;
}

/* Ends the choice in the top frame with a failure, whose events stay. */
static enum next fail_choice(struct evaluation *e, uint32_t which)
{
    const uint32_t slot = e->sp->events, end = e->log->nevents, paths = e->log->npaths;
    pop_choice(e);
    e->log->npaths = paths;
    cupel__record_choice_failure(e->vm, e->pc, e->v, which, slot, end);
    return failed_with_children(e);
}

/* Runs a sequence on the value v; its first step is charged. */
static enum next enter_at(struct evaluation *e, const uint32_t *pc, struct cupel__node *v)
{
    e->pc = pc;
    e->v = v;
    return charge(e->vm, 0) ? RUN : STOP;
}

/* Runs the schema of a reference, whose types admit the value. */
static enum next enter(struct evaluation *e, uint32_t sub, struct cupel__node *v)
{
    e->pc = e->vm->code + CUPEL__SUB_PC(sub);
    e->v = v;
    return charge(e->vm, 1) ? RUN : STOP;
}

/* The rest of the instruction is that v passes `sub`. */
static enum next apply(struct evaluation *e, uint32_t sub)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t *after = e->pc + cupel__op_info[CUPEL__WORD_OP(*e->pc)].words;
    if (!cupel__admits(sub, e->v))
        return fail(e, 0);
    if (CUPEL__SUB_PC(sub) == 0)
        return ADVANCE;
    if (!push(e, CUPEL__FRAME_CALL))
        return STOP;
    /* A path through this CALL has a step when an event needs it. */
    e->sp->at = e->sp->pc;
    e->sp->left = sub;
    e->sp->step = 0;
    e->sp->ref = e->log->ref;
    e->log->ref = (uint32_t)(e->sp - vm->stack.frames);
    e->sp->pc = *e->pc & CUPEL__LAST ? 0 : (uint32_t)(after - vm->code);
    return enter(e, sub, e->v);
}

/* The schema of a CALL frame is over. */
static enum next return_from_call(struct evaluation *e)
{
    const uint32_t after = e->sp->pc;
    e->v = e->vm->nodes + e->sp->v;
    e->log->ref = e->sp->ref;
    e->sp--;
    if (after == 0)
        return END;
    e->pc = e->vm->code + after;
    e->vm->budget.remaining--;
    return RUN;
}

/* -- Sequences without a frame ---------------------------------------------------------------- */

/* ENTERED: from `pc` on the sequence has to be run with a frame. */
enum outcome { PASSED, FAILED, ENTERED, STOPPED };

enum { PASSED_ALL = 2 }; /* the sequence is over */

/* A sequence that is tried on a value. */
struct attempt {
    const uint32_t *pc;
    struct cupel__node *v;
};

/* Of consecutive NOTEs the first is recorded for all. */
static const uint32_t *last_note(const uint32_t *pc)
{
    while (!(*pc & CUPEL__LAST) && CUPEL__WORD_OP(pc[2]) == CUPEL__OP_NOTE)
        pc += 2;
    return pc;
}

/* Records the NOTEs at *pc, which is then the last of them: 1 or -1.  VERBOSE records each when it
 * is over. */
static int note(struct cupel__vm *vm, const uint32_t **pc, const struct cupel__node *v)
{
    if (vm->log->tracing)
        return 1;
    if (vm->log->want_notes && cupel__record_note(vm, *pc, v) < 0)
        return -1;
    const uint32_t *last = last_note(*pc);
    vm->budget.remaining -= (last - *pc) / 2;
    *pc = last;
    return 1;
}

/* A choice between branches that test only types: 1, 0; -1 if there are others. */
static int choose_by_type(struct cupel__vm *vm, const struct attempt *a)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, a->pc[1]);
    uint32_t n = 0;
    for (uint32_t i = 0; i < subs->count; i++) {
        uint32_t word = vm->code[CUPEL__SUB_PC(subs->item[i])];
        if (CUPEL__WORD_OP(word) != CUPEL__OP_TYPE || !(word & CUPEL__LAST))
            return -1;
        vm->budget.remaining--;
        n += (CUPEL__WORD_B(word) & subs->item[i]) >> a->v->type & 1;
    }
    return CUPEL__WORD_OP(*a->pc) == CUPEL__OP_ONE_OF ? n == 1 : n > 0;
}

/* A MAP or ITEMS from the first child on whose schema is a type: 1, 0; -1 for others. */
static int check_types(struct cupel__vm *vm, const struct attempt *a)
{
    const bool map = CUPEL__WORD_OP(*a->pc) == CUPEL__OP_MAP;
    struct cupel__node *at = a->v + 1 + map;
    if (CUPEL__SUB_PC(a->pc[1]) != 0 || *a->pc >> 8 != 0)
        return -1;
    vm->budget.remaining -= a->v->count;
    for (uint32_t left = a->v->count; left > 0; left--) {
        if (!cupel__admits(a->pc[1], at))
            return 0;
        at = vm->nodes + cupel__node_next(vm->nodes, index_in(vm, at)) + map;
    }
    return 1;
}

/* An instruction that can be decided on the spot: 1, 0, PASSED_ALL; -1 for all others. */
static int decide(struct cupel__vm *vm, struct attempt *a)
{
    switch (CUPEL__WORD_OP(*a->pc)) {
    case CUPEL__OP_TYPE:
        return CUPEL__WORD_B(*a->pc) >> a->v->type & 1;
    case CUPEL__OP_NOTE:
        return note(vm, &a->pc, a->v);
    case CUPEL__OP_ANY_OF:
    case CUPEL__OP_ONE_OF:
        return choose_by_type(vm, a);
    case CUPEL__OP_MAP:
    case CUPEL__OP_ITEMS:
        return check_types(vm, a);
    case CUPEL__OP_ONLY:
        return CUPEL__WORD_B(*a->pc) >> a->v->type & 1 ? 1 : PASSED_ALL;
    case CUPEL__OP_RANGE:
        return cupel__quick_RANGE(a->pc, a->v);
    case CUPEL__OP_MIN:
        return cupel__quick_bound(vm, a->pc, a->v, 1);
    case CUPEL__OP_LENGTH:
        return cupel__quick_LENGTH(a->pc, a->v);
    case CUPEL__OP_STRINGS:
        return cupel__quick_STRINGS(vm, a->pc, a->v);
    case CUPEL__OP_STRING:
        return cupel__quick_STRING(vm, a->pc, a->v);
    case CUPEL__OP_COUNT:
        return cupel__quick_COUNT(a->pc, a->v);
    case CUPEL__OP_UNIQUE:
        return a->v->count < 2 ? 1 : -1;
    default:
        return -1;
    }
}

/* Takes the SWITCH; false if the value has passed. */
static bool take_switch(const struct cupel__vm *vm, struct attempt *a)
{
    const struct cupel__list *labels = cupel__image_list(vm->image, a->pc[1]);
    const uint32_t label = labels->item[cupel__class_of[a->v->type]];
    a->pc = vm->code + label;
    return label != 0;
}

/* Runs the sequence as long as its instructions are checks of this value. */
static enum outcome run_checks(struct cupel__vm *vm, struct attempt *a)
{
    while (--vm->budget.remaining >= 0) {
        CUPEL__DEBUG_CHECK(vm, a->pc, a->v, NULL);
        if (CUPEL__WORD_OP(*a->pc) == CUPEL__OP_OBJECT)
            break;
        int result = decide(vm, a);
        const uint32_t op = CUPEL__WORD_OP(*a->pc);
        if (result < 0 && op == CUPEL__OP_SWITCH) {
            if (!take_switch(vm, a))
                return PASSED;
            continue;
        }
        if (result < 0 && op == CUPEL__OP_JUMP) {
            a->pc = vm->code + a->pc[1];
            continue;
        }
        if (result < 0 && op != CUPEL__OP_NOTE) {
            if (!(cupel__op_checks >> op & 1))
                break;
            result = cupel__check_value(vm, a->pc, a->v);
        }
        if (result <= 0)
            return result == 0 ? FAILED : STOPPED;
        if (result == PASSED_ALL || (*a->pc & CUPEL__LAST))
            return PASSED;
        a->pc += cupel__op_info[op].words;
    }
    return ENTERED;
}

/* Tries a schema on a value without a frame.  A failure that is to be recorded makes the sequence
 * be entered from its beginning.  In VERBOSE runs every sequence is entered. */
static enum outcome try_sequence(struct cupel__vm *vm, uint32_t sub, struct attempt *a)
{
    const size_t notes = vm->log->nnotes;
    enum outcome outcome = FAILED;
    if (cupel__admits(sub, a->v)) {
        if (CUPEL__SUB_PC(sub) == 0)
            return PASSED;
        a->pc = vm->code + CUPEL__SUB_PC(sub);
        if (vm->log->tracing) {
            vm->budget.remaining--;
            return ENTERED;
        }
        outcome = run_checks(vm, a);
    }
    if (outcome != FAILED)
        return outcome;
    vm->log->nnotes = notes;
    if (vm->log->muted > 0 || !cupel__admits(sub, a->v))
        return FAILED;
    a->pc = vm->code + CUPEL__SUB_PC(sub);
    return ENTERED;
}

/* -- Members and items ------------------------------------------------------------------------ */

/* Where the traversal of an object or array is. */
struct traversal {
    struct cupel__node *at; /* the key or item */
    uint32_t left, n;       /* children from `at` on; required members met */
    uint32_t stage;         /* OBJECT: the pattern to go on with, 0: the first */
    struct attempt child;
};

static const uint64_t traversals =
    CUPEL__OP_BIT(OBJECT) | CUPEL__OP_BIT(MAP) | CUPEL__OP_BIT(ITEMS);

/* The next of the patterns of a table that the name at `at` matches; false: undecided. */
static bool match_name(struct cupel__vm *vm, const struct cupel__table *t, struct traversal *w)
{
    vm->result.which = w->stage;
    const int result = cupel__next_match(vm, t, w->at);
    w->stage = vm->result.which;
    return result >= 0;
}

/* Goes on with the members of an OBJECT until one has to be entered. */
static enum outcome try_members(struct cupel__vm *vm, const struct cupel__table *t,
                                struct traversal *w)
{
    while (w->left > 0) {
        const struct cupel__entry *entry = cupel__table_find_node(vm->image, t, vm->doc, w->at);
        vm->result.sub = t->other;
        if (entry != NULL) {
            vm->result.sub = entry->sub;
            w->n += entry->required;
        } else if (t->matches != 0 && !match_name(vm, t, w)) {
            return STOPPED;
        }
        w->child.v = w->at + 1;
        const enum outcome outcome = try_sequence(vm, vm->result.sub, &w->child);
        if (outcome != PASSED)
            return outcome;
        if (w->stage != 0)
            continue;
        w->at = vm->nodes + cupel__node_next(vm->nodes, index_in(vm, w->child.v));
        w->left--;
    }
    return w->n == t->required ? PASSED : FAILED;
}

/* The same for the children of a MAP or ITEMS, which have one schema. */
static enum outcome try_each(struct cupel__vm *vm, const uint32_t *pc, struct traversal *w)
{
    for (; w->left > 0; w->left--) {
        w->child.v = w->at + (CUPEL__WORD_OP(*pc) == CUPEL__OP_MAP);
        const enum outcome outcome = try_sequence(vm, pc[1], &w->child);
        if (outcome != PASSED)
            return outcome;
        w->at = vm->nodes + cupel__node_next(vm->nodes, index_in(vm, w->child.v));
    }
    return PASSED;
}

/* Begins the traversal of v.  An ITEMS may begin with a later item; its flag marks the items. */
static struct traversal begin_traversal(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    struct traversal w = {.at = e->v + 1, .left = e->v->count};
    uint32_t skip = CUPEL__WORD_B(*e->pc);
    vm->budget.remaining -= w.left;
    if (*e->pc >> 8 == 0 || vm->budget.remaining < 0)
        return w;
    if (CUPEL__WORD_A(*e->pc) && skip < e->v->count)
        cupel__mark(vm, index_of(e, e->v), skip, e->v->count);
    for (; skip > 0 && w.left > 0; skip--, w.left--)
        w.at = vm->nodes + cupel__node_next(vm->nodes, index_of(e, w.at));
    return w;
}

/* Goes on with the traversal of the top frame, whose child v is over. */
static struct traversal resume_traversal(struct evaluation *e)
{
    const struct cupel__frame *f = e->sp;
    struct traversal w = {.at = e->v - 1, .left = f->left, .n = f->n, .stage = f->stage};
    if (f->stage == 0) {
        w.at = e->vm->nodes + cupel__node_next(e->vm->nodes, index_of(e, e->v));
        w.left--;
    }
    pop(e);
    return w;
}

/* Runs an OBJECT, MAP or ITEMS until a child has to be entered.  A child whose schema begins with
 * another traversal is entered here. */
static enum next traverse(struct evaluation *e, bool begin)
{
    struct cupel__vm *vm = e->vm;
    for (;;) {
        struct traversal w = begin ? begin_traversal(e) : resume_traversal(e);
        if (!charge(vm, 0))
            return STOP;
        const enum outcome outcome = CUPEL__WORD_OP(*e->pc) == CUPEL__OP_OBJECT
                                         ? try_members(vm, cupel__at(vm->image, e->pc[1]), &w)
                                         : try_each(vm, e->pc, &w);
        if (outcome != ENTERED)
            return outcome == PASSED ? ADVANCE : outcome == FAILED ? fail(e, 0) : STOP;
        if (!push(e, CUPEL__FRAME_WALK))
            return STOP;
        e->sp->left = w.left;
        e->sp->n = w.n;
        e->sp->stage = w.stage;
        e->pc = w.child.pc;
        e->v = w.child.v;
        if (!(traversals >> CUPEL__WORD_OP(*e->pc) & 1))
            return enter_at(e, e->pc, e->v);
        begin = true;
    }
}

/* A large object of which the schema knows few names: looks these up (see exec_walk.h). */
static enum next next_name(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const struct cupel__table *t = cupel__at(vm->image, vm->code[e->sp->pc + 1]);
    bool ok = true;
    for (; e->sp->n < t->count && ok; e->sp->n++) {
        const struct cupel__entry *entry = &cupel__table_entries(t)[e->sp->n];
        enum outcome outcome = PASSED;
        if (!charge(vm, 1))
            return STOP;
        const int found = cupel__find_entry(vm, t, entry, e->sp->v);
        struct attempt a = {.v = vm->result.value};
        if (found > 0)
            outcome = try_sequence(vm, entry->sub, &a);
        if (found < 0 || outcome == STOPPED)
            return STOP;
        if (outcome == ENTERED)
            return enter_at(e, a.pc, a.v);
        ok = outcome != FAILED && (found > 0 || !entry->required);
    }
    pop(e);
    return ok ? ADVANCE : fail(e, 0);
}

static enum next begin_object(struct evaluation *e)
{
    if (!cupel__knows_few(cupel__at(e->vm->image, e->pc[1]), e->v))
        return traverse(e, true);
    if (!push(e, CUPEL__FRAME_PICK))
        return STOP;
    e->sp->n = 0;
    return next_name(e);
}

/* Pushes the frame of an instruction that goes through the children of v. */
static bool push_children(struct evaluation *e, enum cupel__frame_kind kind)
{
    if (kind == CUPEL__FRAME_CONTAINS ? !push_choice(e, kind) : !push(e, kind))
        return false;
    if (kind == CUPEL__FRAME_MEMBERS)
        e->sp->stage = 0; /* of a choice it is the number of paths before it */
    e->sp->at = index_of(e, e->v + 1);
    e->sp->left = e->v->count;
    e->sp->n = 0;
    return true;
}

/* The next schema that a member of a MEMBERS instruction has to pass. */
static enum next next_member(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const struct cupel__table *t = cupel__at(vm->image, vm->code[e->sp->pc + 1]);
    int more;
    while ((more = cupel__next_member(vm, e->sp)) > 0) {
        if (!cupel__admits(vm->result.sub, vm->result.value)) {
            pop(e);
            return fail(e, 0);
        }
        if (CUPEL__SUB_PC(vm->result.sub) != 0)
            return enter(e, vm->result.sub, vm->result.value);
    }
    if (more < 0)
        return STOP;
    const bool complete = e->sp->n == t->required;
    pop(e);
    return complete ? ADVANCE : fail(e, 0);
}

static void next_item(struct cupel__vm *vm, struct cupel__frame *f)
{
    f->at = cupel__node_next(vm->nodes, f->at);
    f->left--;
}

/* PREFIX: frame.n is the position of the item. */
static enum next next_prefix(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const struct cupel__list *subs = cupel__image_list(vm->image, vm->code[e->sp->pc + 1]);
    while (e->sp->left > 0 && e->sp->n < subs->count) {
        struct attempt a = {.v = vm->nodes + e->sp->at};
        const uint32_t sub = subs->item[e->sp->n++];
        if (!charge(vm, 1))
            return STOP;
        switch (try_sequence(vm, sub, &a)) {
        case STOPPED:
            return STOP;
        case FAILED:
            pop(e);
            return fail(e, 0);
        case ENTERED:
            return enter_at(e, a.pc, a.v);
        case PASSED:
            break;
        }
        next_item(vm, e->sp);
    }
    pop(e);
    return ADVANCE;
}

static enum next begin_prefix(struct evaluation *e)
{
    const uint32_t n = cupel__image_list(e->vm->image, e->pc[1])->count;
    if (CUPEL__WORD_A(*e->pc))
        cupel__mark(e->vm, index_of(e, e->v), 0, n < e->v->count ? n : e->v->count);
    return push_children(e, CUPEL__FRAME_PREFIX) ? next_prefix(e) : STOP;
}

/* The item of a CONTAINS frame has passed. */
static void count_item(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    struct cupel__frame *f = e->sp;
    if (CUPEL__WORD_A(vm->code[f->pc])) {
        const uint32_t i = vm->nodes[f->v].count - f->left;
        cupel__mark(vm, f->v, i, i + 1);
    }
    keep_attempt(e);
    f->n++;
}

/* CONTAINS: frame.n items have passed. */
static enum next next_contained(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t *word = vm->code + e->sp->pc;
    for (; e->sp->left > 0; next_item(vm, e->sp)) {
        struct attempt a = {.v = vm->nodes + e->sp->at};
        const bool decided = e->sp->n > word[3] || (e->sp->n >= word[2] && word[3] == UINT32_MAX);
        if (decided && !CUPEL__WORD_A(*word) && !wants_all(e->log))
            break;
        if (!charge(vm, 1))
            return STOP;
        const enum outcome outcome = try_sequence(vm, word[1], &a);
        if (outcome == STOPPED)
            return STOP;
        if (outcome == ENTERED)
            return enter_at(e, a.pc, a.v);
        if (outcome == PASSED)
            count_item(e);
    }
    const uint32_t n = e->sp->n;
    pop_choice(e);
    return n >= word[2] && n <= word[3] ? ADVANCE : fail(e, n);
}

/* UNEVALUATED: once its first schema has passed, frame.n is the position of the child. */
static enum next next_unevaluated(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    struct cupel__frame *f = e->sp;
    const bool object = vm->nodes[f->v].type == CUPEL__OBJECT;
    const uint32_t sub = vm->code[f->pc + (object ? 2 : 3)];
    bool ok = true;
    for (; f->left > 0 && sub != CUPEL__SUB_ANY; f->left--, f->n++) {
        struct cupel__node *child = vm->nodes + f->at + object;
        if (!charge(vm, 1))
            return STOP;
        if (!cupel__is_evaluated(vm, f, f->n)) {
            ok = cupel__admits(sub, child);
            if (!ok)
                break;
            if (CUPEL__SUB_PC(sub) != 0)
                return enter(e, sub, child);
        }
        f->at = cupel__node_next(vm->nodes, index_of(e, child));
    }
    cupel__track_end(vm, f);
    pop(e);
    return ok ? ADVANCE : fail(e, 0);
}

/* The first schema of an UNEVALUATED, or a child, is over. */
static enum next resume_unevaluated(struct evaluation *e)
{
    struct cupel__frame *f = e->sp;
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

static enum next begin_unevaluated(struct evaluation *e)
{
    const uint32_t sub = e->pc[1];
    const uint32_t rest = e->v->type == CUPEL__OBJECT ? e->pc[2] : e->pc[3];
    if (e->v->type < CUPEL__ARRAY || rest == CUPEL__NO_SUB)
        return apply(e, sub);
    if (!cupel__admits(sub, e->v))
        return fail(e, 0);
    if (!push(e, CUPEL__FRAME_UNEVALUATED) || !cupel__track_begin(e->vm, e->sp))
        return STOP;
    return CUPEL__SUB_PC(sub) == 0 ? resume_unevaluated(e) : enter(e, sub, e->v);
}

/* -- Choices ---------------------------------------------------------------------------------- */

/* Where a choice is. */
struct branches {
    uint32_t at, n; /* the branch; how many have passed before it */
    uint32_t two;   /* the first two of them, 16 bits each */
    uint32_t end;   /* the branch to stop before */
    uint32_t notes; /* notes without those of the next branch */
};

/* The branches to try: all, or those of the bits in `candidates`. */
struct candidates {
    const struct cupel__list *subs;
    const uint32_t *spans; /* NULL: all */
    uint64_t set;
};

static bool is_one_of(uint32_t word)
{
    const uint32_t op = CUPEL__WORD_OP(word);
    return op == CUPEL__OP_ONE_OF || (op == CUPEL__OP_CHOOSE && CUPEL__WORD_A(word));
}

/* A CHOOSE tries the branches that its discriminator leaves; those are all where failures are
 * recorded and in VERBOSE runs. */
static struct candidates candidates_of(const struct cupel__vm *vm, const uint32_t *pc, bool all,
                                       uint64_t set)
{
    struct candidates c = {.subs = cupel__image_list(vm->image, pc[1]), .set = set};
    if (CUPEL__WORD_OP(*pc) != CUPEL__OP_CHOOSE || all || vm->log->tracing)
        return c;
    const struct cupel__table *discriminator = cupel__at(vm->image, pc[2]);
    c.spans = cupel__masks_spans(cupel__at(vm->image, discriminator->matches));
    return c;
}

/* The first candidate from `at` on; the number of branches if there is none. */
static uint32_t next_candidate(const struct candidates *c, uint32_t at)
{
    if (c->spans == NULL)
        return at;
    for (uint64_t set = c->set; set != 0; set &= set - 1) {
        uint32_t span = c->spans[__builtin_ctzll(set)], first = CUPEL__SPAN_FIRST(span);
        if (at < first + CUPEL__SPAN_N(span))
            return at > first ? at : first;
    }
    return c->subs->count;
}

static void count_branch(const struct cupel__vm *vm, struct branches *b)
{
    b->two |= (b->at & 0xffff) << (b->n == 0 ? 0 : 16);
    b->notes = (uint32_t)vm->log->nnotes;
    b->n++;
}

/* After so many branches that passed the others do not matter.  All run where they evaluate, and
 * for annotations. */
static uint32_t enough(const struct cupel__vm *vm, uint32_t word)
{
    if (is_one_of(word))
        return vm->log->tracing ? UINT32_MAX : 2;
    const bool marks = CUPEL__WORD_OP(word) != CUPEL__OP_CHOOSE && CUPEL__WORD_A(word);
    return marks || wants_all(vm->log) ? UINT32_MAX : 1;
}

/* Tries branches on v until one has to be entered: *ret is where. */
static enum outcome try_branches(struct cupel__vm *vm, const struct candidates *c, uint32_t most,
                                 struct branches *b, struct attempt *a)
{
    for (; (b->at = next_candidate(c, b->at)) < b->end && b->n < most; b->at++) {
        const uint32_t sub = c->subs->item[b->at];
        if (!charge(vm, 2)) /* one of them for a failure that is recorded */
            return STOPPED;
        if (!cupel__admits(sub, a->v))
            continue;
        a->pc = vm->code + CUPEL__SUB_PC(sub);
        if (traversals >> CUPEL__WORD_OP(*a->pc) & 1)
            return ENTERED;
        const enum outcome outcome = try_sequence(vm, sub, a);
        if (outcome >= ENTERED)
            return outcome;
        if (outcome == PASSED)
            count_branch(vm, b);
    }
    return PASSED;
}

static bool is_chosen(uint32_t word, const struct branches *b)
{
    return is_one_of(word) ? b->n == 1 : b->n > 0;
}

/* Where failures are recorded, only the best-matching branch may be wanted: the one before `left`.
 */
static uint32_t end_of_branches(const struct cupel__vm *vm, const struct cupel__frame *f)
{
    const uint32_t count = cupel__image_list(vm->image, vm->code[f->pc + 1])->count;
    return f->step == CUPEL__PHASE_TELL && f->left != 0 && f->left < count ? f->left : count;
}

static void save_branches(struct cupel__frame *f, const struct branches *b)
{
    f->at = b->at;
    f->n = b->n;
    f->left = b->two;
    f->notes = b->notes;
}

/* Goes on with the branch in the frame.  If none passes, the choice may run once more, to record
 * the failures of its branches. */
static enum next next_branch(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    for (;;) {
        struct cupel__frame *f = e->sp;
        struct branches b = {f->at, f->n, f->left, end_of_branches(vm, f),
                             (uint32_t)e->log->nnotes};
        e->pc = vm->code + f->pc;
        e->v = vm->nodes + f->v;
        struct attempt a = {.v = e->v};
        const struct candidates c =
            candidates_of(vm, e->pc, f->step != CUPEL__PHASE_TRY, f->candidates);
        const enum outcome outcome = try_branches(vm, &c, enough(vm, *e->pc), &b, &a);
        if (outcome == STOPPED)
            return STOP;
        if (outcome == ENTERED) {
            save_branches(f, &b);
            return enter_at(e, a.pc, a.v);
        }
        if (b.n == 0 && !e->log->tracing && cupel__record_again(vm, f))
            continue;
        if (!is_chosen(*e->pc, &b))
            return fail_choice(e, b.n == 0 ? 0 : b.two);
        pop_choice(e);
        return ADVANCE;
    }
}

static enum next branch_passed(struct evaluation *e)
{
    struct cupel__frame *f = e->sp;
    struct branches b = {.at = f->at, .n = f->n, .two = f->left};
    keep_attempt(e);
    count_branch(e->vm, &b);
    f->n = b.n;
    f->left = b.two;
    f->at++;
    return next_branch(e);
}

/* Begins a choice.  Its frame is pushed only for a branch that has to be entered, and to record why
 * none passes. */
static enum next begin_choice(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const uint64_t set = vm->result.candidates;
    const struct candidates c = candidates_of(vm, e->pc, false, set);
    struct branches b = {.end = c.subs->count, .notes = (uint32_t)e->log->nnotes};
    struct attempt a = {.v = e->v};
    e->log->muted++;
    const enum outcome outcome = try_branches(vm, &c, enough(vm, *e->pc), &b, &a);
    e->log->muted--;
    if (outcome == STOPPED)
        return STOP;
    if (outcome == PASSED && is_chosen(*e->pc, &b))
        return ADVANCE;
    if (outcome == PASSED && is_suppressed(e))
        return failed(e);
    if (!push_choice(e, CUPEL__FRAME_ANY_OF))
        return STOP;
    e->sp->candidates = set;
    save_branches(e->sp, &b);
    return outcome == PASSED ? next_branch(e) : enter_at(e, a.pc, a.v);
}

static enum next begin_filtered_choice(struct evaluation *e)
{
    (void)cupel__filter_branches(e->vm, e->pc, e->v);
    return charge(e->vm, 0) ? begin_choice(e) : STOP;
}

/* NOT and IF: tries their first schema.  PASSED, FAILED: the result; ENTERED: *ret is next. */
static enum outcome try_condition(struct evaluation *e, enum cupel__frame_kind kind, enum next *ret)
{
    struct attempt a = {.v = e->v};
    const uint32_t notes = (uint32_t)e->log->nnotes;
    const enum outcome outcome = try_sequence(e->vm, e->pc[1], &a);
    *ret = STOP;
    if (outcome != ENTERED)
        return outcome;
    if (push_choice(e, kind)) {
        e->sp->notes = notes;
        *ret = enter_at(e, a.pc, a.v);
    }
    return ENTERED;
}

static enum next begin_not(struct evaluation *e)
{
    enum next next;
    const enum outcome outcome = try_condition(e, CUPEL__FRAME_NOT, &next);
    return outcome == FAILED ? ADVANCE : outcome == PASSED ? fail(e, 0) : next;
}

static enum next begin_if(struct evaluation *e)
{
    enum next next;
    const enum outcome outcome = try_condition(e, CUPEL__FRAME_IF, &next);
    return outcome >= ENTERED ? next : apply(e, outcome == PASSED ? e->pc[2] : e->pc[3]);
}

/* -- Results that are kept -------------------------------------------------------------------- */

/* Whether a kept result is enough.  One that passed lacks the annotations of the run, one that
 * failed the failures: these are recorded a limited number of times in choices, and outside of them
 * until there are so many events. */
static bool result_is_enough(const struct evaluation *e, int result)
{
    enum { ENOUGH = 64 };
    if (result > 0)
        return !wants_all(e->log);
    if (e->vm->stack.choice == 0)
        return e->log->nevents >= ENOUGH;
    return !CUPEL__TELLS(e->vm, e->v) || e->log->retold++ >= ENOUGH;
}

static enum next begin_memo(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t sub = e->pc[1];
    const bool keeps =
        !e->log->tracing && cupel__memo_keeps(&vm->memo, *e->pc, vm->budget.remaining, e->v);
    int result = CUPEL__MEMO_NONE;
    if (keeps)
        result = cupel__memo_find(vm, (uint32_t)(e->pc - vm->code), index_of(e, e->v));
    if (!charge(vm, 0))
        return STOP;
    if (result != CUPEL__MEMO_NONE && result_is_enough(e, result))
        return result == 0 ? failed_with_children(e) : ADVANCE;
    if (!cupel__admits(sub, e->v))
        return failed(e);
    if (CUPEL__SUB_PC(sub) == 0)
        return ADVANCE;
    if (!push(e, CUPEL__FRAME_MEMO))
        return STOP;
    e->sp->at = keeps;
    e->sp->choice = vm->stack.choice;
    e->sp->ref = e->log->ref;
    if (e->log->muted > 0) /* it receives failures as choices do */
        vm->stack.choice = (uint32_t)(e->sp - vm->stack.frames);
    if (keeps && !cupel__memo_enter(vm, e->sp))
        return STOP;
    return enter(e, sub, e->v);
}

static enum next end_memo(struct evaluation *e, bool passed)
{
    if (e->sp->at && !cupel__memo_leave(e->vm, e->sp, passed))
        return STOP;
    e->vm->stack.choice = e->sp->choice;
    pop(e);
    return passed ? ADVANCE : failed(e);
}

/* -- Instructions ----------------------------------------------------------------------------- */

/* REQUIRED and DEPENDS: each missing name is a failure of its own. */
static enum next check_names(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const bool depends = CUPEL__WORD_OP(*e->pc) == CUPEL__OP_DEPENDS;
    for (vm->result.which = 0;; vm->result.which++) {
        const int result = depends ? cupel__check_depends(vm, e->v, e->pc[1], e->pc[2])
                                   : cupel__check_required(vm, e->v, e->pc[1]);
        if (result != 0 || is_suppressed(e))
            return result == 0 ? fail(e, 0) : result_of(e, result);
        cupel__record_failure(vm, e->pc, e->v, vm->result.which);
        e->sp->failed = 1;
    }
}

static enum next check_implied(struct evaluation *e)
{
    const int result = cupel__has_member(e->vm, e->v, e->pc[1]);
    return result < 0 ? STOP : result == 0 ? ADVANCE : apply(e, e->pc[2]);
}

static enum next begin_scope(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t sub = e->pc[1];
    const struct cupel__list *list = cupel__image_list(vm->image, e->pc[2]);
    if (!charge(vm, list->count))
        return STOP;
    if (!cupel__admits(sub, e->v))
        return fail(e, 0);
    if (CUPEL__SUB_PC(sub) == 0)
        return ADVANCE;
    if (!push(e, CUPEL__FRAME_SCOPE))
        return STOP;
    e->sp->bound = cupel__scope_bind(&vm->scope, list->item, list->count);
    e->sp->scope = vm->scope.number;
    if (e->sp->bound != 0 && vm->memos && !cupel__memo_scope(vm, e->sp->pc))
        return STOP;
    return enter(e, sub, e->v);
}

static enum next go_to(struct evaluation *e, uint32_t label)
{
    if (label == 0)
        return END;
    e->pc = e->vm->code + label;
    e->vm->budget.remaining--;
    return RUN;
}

static enum next run_instruction(struct evaluation *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t *pc = e->pc;
    CUPEL__DEBUG_CHECK(vm, pc, e->v, e->sp);
    switch (CUPEL__WORD_OP(*pc)) {
    case CUPEL__OP_ONLY:
        return CUPEL__WORD_B(*pc) >> e->v->type & 1 ? ADVANCE : END;
    case CUPEL__OP_SWITCH:
        return go_to(e, cupel__image_list(vm->image, pc[1])->item[cupel__class_of[e->v->type]]);
    case CUPEL__OP_JUMP:
        return go_to(e, pc[1]);
    case CUPEL__OP_OBJECT:
        return begin_object(e);
    case CUPEL__OP_MAP:
    case CUPEL__OP_ITEMS:
        return traverse(e, true);
    case CUPEL__OP_MEMBERS:
        return push_children(e, CUPEL__FRAME_MEMBERS) ? next_member(e) : STOP;
    case CUPEL__OP_PREFIX:
        return begin_prefix(e);
    case CUPEL__OP_CONTAINS:
        return push_children(e, CUPEL__FRAME_CONTAINS) ? next_contained(e) : STOP;
    case CUPEL__OP_REQUIRED:
    case CUPEL__OP_DEPENDS:
        return check_names(e);
    case CUPEL__OP_IMPLIES:
        return check_implied(e);
    case CUPEL__OP_CALL:
        return apply(e, pc[1]);
    case CUPEL__OP_DYNAMIC:
        return apply(e, cupel__dynamic_sub(&vm->scope, pc));
    case CUPEL__OP_ANY_OF:
    case CUPEL__OP_ONE_OF:
        return begin_choice(e);
    case CUPEL__OP_CHOOSE:
        return begin_filtered_choice(e);
    case CUPEL__OP_NOT:
        return begin_not(e);
    case CUPEL__OP_IF:
        return begin_if(e);
    case CUPEL__OP_UNEVALUATED:
        return begin_unevaluated(e);
    case CUPEL__OP_SCOPE:
        return begin_scope(e);
    case CUPEL__OP_MEMO:
        return begin_memo(e);
    case CUPEL__OP_NOTE:
        return note(vm, &e->pc, e->v) < 0 ? STOP : ADVANCE;
    case CUPEL__OP_CASES: /* the verifier lets none into a report */
        vm->reason = CUPEL_E_INTERNAL;
        return STOP;
    default:
        return result_of(e, cupel__check_value(vm, pc, e->v));
    }
}

/* The sequence above the top frame is over, well or not. */
static enum next resume(struct evaluation *e, bool passed)
{
    struct cupel__vm *vm = e->vm;
    struct cupel__frame *f = e->sp;
    if (!passed && f->kind != CUPEL__FRAME_BASE && f->kind < CUPEL__FRAME_CONTAINS) {
        f[-1].failed = 1; /* a frame that is no choice passes the failure on */
        f->failed = 0;
    }
    switch ((enum cupel__frame_kind)f->kind) {
    case CUPEL__FRAME_CALL:
        return return_from_call(e);
    case CUPEL__FRAME_WALK:
        return traverse(e, false);
    case CUPEL__FRAME_PICK:
        f->n++;
        return next_name(e);
    case CUPEL__FRAME_MEMBERS:
        return next_member(e);
    case CUPEL__FRAME_PREFIX:
        next_item(vm, f);
        return next_prefix(e);
    case CUPEL__FRAME_UNEVALUATED:
        return resume_unevaluated(e);
    case CUPEL__FRAME_SCOPE:
        vm->scope.bound &= ~f->bound;
        vm->scope.number = f->scope;
        pop(e);
        return ADVANCE;
    case CUPEL__FRAME_CONTAINS:
        if (passed)
            count_item(e);
        else
            undo_attempt(e);
        next_item(vm, f);
        return next_contained(e);
    case CUPEL__FRAME_ANY_OF:
        if (passed)
            return branch_passed(e);
        undo_attempt(e);
        f->at++;
        return next_branch(e);
    case CUPEL__FRAME_NOT:
        if (!passed)
            undo_attempt(e);
        pop_choice(e);
        return passed ? fail(e, 0) : ADVANCE;
    case CUPEL__FRAME_IF:
        if (!passed)
            undo_attempt(e);
        pop_choice(e);
        return apply(e, passed ? e->pc[2] : e->pc[3]);
    case CUPEL__FRAME_MEMO:
        return end_memo(e, passed);
    case CUPEL__FRAME_BASE:
    case CUPEL__FRAMES:
        break;
    }
    return passed ? VALID : INVALID;
}

/* The sequence is over.  The notes of a sequence that failed are dropped. */
static enum next end_of_sequence(struct evaluation *e)
{
    const bool passed = !e->sp->failed;
    if (!passed)
        e->log->nnotes = e->sp->notes;
    return resume(e, passed);
}

/* There is a choice wherever failures are suppressed. */
static enum next unwind(struct evaluation *e)
{
    e->sp = e->vm->stack.frames + e->vm->stack.choice;
    e->log->ref = e->sp->ref;
    e->log->nnotes = e->sp->notes;
    return resume(e, false);
}

static void begin_run(struct cupel__vm *vm)
{
    vm->stack.choice = vm->evaluated.owner = 0;
    vm->evaluated.used = 0;
    vm->scope.bound = 0;
    vm->scope.number = 0;
    vm->checks.idna.format = 0;
    vm->log->ref = vm->log->muted = vm->log->only = 0;
    vm->stack.frames[0].failed = vm->stack.frames[0].notes = 0;
}

enum cupel_verdict cupel__evaluate(struct cupel__vm *vm, uint32_t node)
{
    const uint32_t root = vm->program->root;
    struct evaluation e = {vm, vm->log, vm->code + CUPEL__SUB_PC(root), vm->nodes + node,
                           vm->stack.frames};
    begin_run(vm);
    if (!cupel__admits(root, e.v)) {
        cupel__record_failure(vm, vm->code, e.v, 0);
        return CUPEL_INVALID;
    }
    if (CUPEL__SUB_PC(root) == 0)
        return CUPEL_VALID;
    vm->budget.remaining--;
    enum next next = RUN;
    while (next < STOP) {
        next = next == RUN       ? run_instruction(&e)
               : next == ADVANCE ? advance(&e)
               : next == END     ? end_of_sequence(&e)
                                 : unwind(&e);
    }
    return next == VALID ? CUPEL_VALID : next == INVALID ? CUPEL_INVALID : CUPEL_UNDECIDED;
}
