/* evaluate_choices.c: anyOf, oneOf, not and if in a report (evaluator.h).
 *
 * A choice first tries its branches with failures suppressed.  Its frame is pushed only for a
 * branch that applies another schema, and to record why no branch passes; log.c decides which
 * branches run again for that. */
#include "vm/report/sequence.h"
#include "vm/run/candidates.h"

/* -- Branches --------------------------------------------------------------------------------- */

/* Ends the choice in the top frame with a failure, whose events stay.  Which children it evaluated
 * is not known: all count, so that UNEVALUATED reports none of them. */
static enum cupel__next fail_choice(struct cupel__evaluator *e, uint32_t which)
{
    const uint32_t slot = e->extra->events, end = e->log->nevents, paths = e->log->npaths;
    cupel__pop_choice(e);
    e->log->npaths = paths;
    cupel__record_choice_failure(e, which, slot, end);
    if (e->v->type >= CUPEL__ARRAY)
        cupel__mark(e->vm, cupel__index_of(e, e->v), 0, e->v->count);
    return cupel__failed(e);
}

/* Where a choice is. */
struct branches {
    uint32_t at, n;  /* the branch; how many have passed before it */
    uint32_t passed; /* the first two of them, 16 bits each */
    uint32_t end;    /* the branch to stop before */
    uint32_t notes;  /* notes without those of the next branch */
};

/* The branches to try.  Where failures are recorded and in VERBOSE runs, a CHOOSE tries all. */
INLINE struct cupel__candidates candidates_of(const struct cupel__evaluator *e, bool all,
                                              uint64_t set)
{
    if (all || e->mode == CUPEL__MODE_VERBOSE)
        return cupel__all_branches(e->vm->image, e->pc);
    return cupel__candidates_of(e->vm->image, e->pc, set);
}

/* The branch has passed. */
static inline void count_branch(const struct cupel__evaluator *e, struct branches *b)
{
    b->passed |= (b->at & 0xffff) << (b->n == 0 ? 0 : 16);
    b->notes = (uint32_t)e->log->nnotes;
    b->n++;
}

/* After so many branches that passed the others do not matter.  All run where they evaluate, and
 * for annotations. */
static inline uint32_t enough(const struct cupel__evaluator *e)
{
    if (cupel__is_one_of(*e->pc))
        return e->mode == CUPEL__MODE_VERBOSE ? UINT32_MAX : 2;
    return cupel__branches_mark(*e->pc) || e->complete ? UINT32_MAX : 1;
}

/* Tries branches on the value until one has to be entered, at e->todo. */
INLINE enum cupel__outcome try_branches(struct cupel__evaluator *e,
                                        const struct cupel__candidates *c, struct branches *b)
{
    const uint32_t most = enough(e);
    for (; (b->at = cupel__next_candidate(c, b->at)) < b->end && b->n < most; b->at++) {
        const uint32_t sub = c->subs->item[b->at];
        if (!cupel__charge(e->vm, 2)) /* one of them for a failure that is recorded */
            return CUPEL__STOPPED;
        if (!cupel__admits(sub, e->v))
            continue;
        e->todo = e->vm->code + CUPEL__SUB_PC(sub);
        if (CUPEL__TRAVERSALS >> CUPEL__WORD_OP(*e->todo) & 1)
            return CUPEL__ENTERED;
        const enum cupel__outcome outcome = cupel__try(e, sub, e->v);
        if (outcome >= CUPEL__ENTERED)
            return outcome;
        if (outcome == CUPEL__PASSED)
            count_branch(e, b);
    }
    return CUPEL__PASSED;
}

static void save_branches(struct cupel__evaluator *e, const struct branches *b)
{
    e->top->at = b->at;
    e->top->n = b->n;
    e->extra->passed = b->passed;
    e->extra->notes = b->notes;
}

/* Continues with the branch in the frame.  If none passes, the choice may run once more, to record
 * the failures of its branches. */
static enum cupel__next next_branch(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    for (;;) {
        struct cupel__frame *f = e->top;
        e->pc = vm->code + f->pc;
        e->v = vm->nodes + f->v;
        const struct cupel__candidates c =
            candidates_of(e, e->extra->phase != CUPEL__PHASE_TRY, f->candidates);
        struct branches b = {f->at, f->n, e->extra->passed, c.subs->count,
                             (uint32_t)e->log->nnotes};
        if (e->extra->end != 0 && e->extra->end - 1 < b.end)
            b.end = e->extra->end;
        const enum cupel__outcome outcome = try_branches(e, &c, &b);
        if (outcome == CUPEL__STOPPED)
            return CUPEL__NEXT_STOP;
        if (outcome == CUPEL__ENTERED) {
            save_branches(e, &b);
            return cupel__enter_at(e, e->todo, e->v);
        }
        if (b.n == 0 && e->mode != CUPEL__MODE_VERBOSE && cupel__record_again(e))
            continue;
        if (!cupel__is_chosen(*e->pc, b.n))
            return fail_choice(e, b.n == 0 ? 0 : b.passed);
        cupel__pop_choice(e);
        return CUPEL__NEXT_ADVANCE;
    }
}

enum cupel__next cupel__resume_branches(struct cupel__evaluator *e, bool passed)
{
    struct cupel__frame *f = e->top;
    if (passed) {
        struct branches b = {.at = f->at, .n = f->n, .passed = e->extra->passed};
        cupel__keep_attempt(e);
        count_branch(e, &b);
        f->n = b.n;
        e->extra->passed = b.passed;
    } else {
        cupel__undo_attempt(e);
    }
    f->at++;
    return next_branch(e);
}

/* Begins a choice between the branches of `set`. */
static enum cupel__next begin(struct cupel__evaluator *e, uint64_t set)
{
    const struct cupel__candidates c = candidates_of(e, false, set);
    struct branches b = {.end = c.subs->count, .notes = (uint32_t)e->log->nnotes};
    e->suppressed++;
    const enum cupel__outcome outcome = try_branches(e, &c, &b);
    e->suppressed--;
    if (outcome == CUPEL__STOPPED)
        return CUPEL__NEXT_STOP;
    if (outcome == CUPEL__PASSED && cupel__is_chosen(*e->pc, b.n))
        return CUPEL__NEXT_ADVANCE;
    if (outcome == CUPEL__PASSED && cupel__is_suppressed(e))
        return cupel__failed(e);
    if (!cupel__push_choice(e, CUPEL__FRAME_ANY_OF))
        return CUPEL__NEXT_STOP;
    e->top->candidates = set;
    save_branches(e, &b);
    return outcome == CUPEL__PASSED ? next_branch(e) : cupel__enter_at(e, e->todo, e->v);
}

enum cupel__next cupel__begin_choice(struct cupel__evaluator *e)
{
    return begin(e, 0);
}

enum cupel__next cupel__begin_filtered_choice(struct cupel__evaluator *e)
{
    (void)cupel__filter_branches(e->vm, e->pc, e->v);
    return cupel__charge(e->vm, 0) ? begin(e, e->vm->result.candidates) : CUPEL__NEXT_STOP;
}

/* -- NOT and IF ------------------------------------------------------------------------------- */

/* Tries the first schema of a NOT or IF.  Returns PASSED or FAILED; otherwise *ret_next is next. */
static enum cupel__outcome try_condition(struct cupel__evaluator *e, enum cupel__frame_kind kind,
                                         enum cupel__next *ret_next)
{
    const uint32_t notes = (uint32_t)e->log->nnotes;
    const enum cupel__outcome outcome = cupel__try(e, e->pc[1], e->v);
    *ret_next = CUPEL__NEXT_STOP;
    if (outcome != CUPEL__ENTERED)
        return outcome;
    if (cupel__push_choice(e, kind)) {
        e->extra->notes = notes;
        *ret_next = cupel__enter_at(e, e->todo, e->v);
    }
    return CUPEL__ENTERED;
}

enum cupel__next cupel__begin_not(struct cupel__evaluator *e)
{
    enum cupel__next next;
    const enum cupel__outcome outcome = try_condition(e, CUPEL__FRAME_NOT, &next);
    return outcome == CUPEL__FAILED   ? CUPEL__NEXT_ADVANCE
           : outcome == CUPEL__PASSED ? cupel__fail(e, 0)
                                      : next;
}

enum cupel__next cupel__resume_not(struct cupel__evaluator *e, bool passed)
{
    if (!passed)
        cupel__undo_attempt(e);
    cupel__pop_choice(e);
    return passed ? cupel__fail(e, 0) : CUPEL__NEXT_ADVANCE;
}

enum cupel__next cupel__begin_if(struct cupel__evaluator *e)
{
    enum cupel__next next;
    const enum cupel__outcome outcome = try_condition(e, CUPEL__FRAME_IF, &next);
    if (outcome >= CUPEL__ENTERED)
        return next;
    return cupel__apply(e, outcome == CUPEL__PASSED ? e->pc[2] : e->pc[3]);
}

enum cupel__next cupel__resume_if(struct cupel__evaluator *e, bool passed)
{
    if (!passed)
        cupel__undo_attempt(e);
    cupel__pop_choice(e);
    return cupel__apply(e, passed ? e->pc[2] : e->pc[3]);
}
