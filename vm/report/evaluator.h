/* evaluator.h: the state of the report evaluator, and the steps that its files share.
 *
 * evaluate.c has the main loop and says what the evaluator does.  sequence.h runs checks without a
 * frame, evaluate_children.c members and items, evaluate_choices.c choices; log.c records. */
#ifndef CUPEL_VM_REPORT_EVALUATOR_H
#define CUPEL_VM_REPORT_EVALUATOR_H

#include "vm/run/inline_checks.h"
#include "vm/run/records.h"
#include <cupel/report.h>

/* What the evaluator does next. */
enum cupel__next {
    CUPEL__NEXT_RUN,     /* run the sequence from pc on */
    CUPEL__NEXT_ENTER,   /* the same; the instruction at pc applies another schema or has failed */
    CUPEL__NEXT_ADVANCE, /* the instruction at pc is over: run the one after it, if there is one */
    CUPEL__NEXT_END,     /* the sequence is over: the top frame continues */
    CUPEL__NEXT_UNWIND,  /* a suppressed failure: the innermost choice continues */
    CUPEL__NEXT_STOP,    /* end without a verdict; vm->reason is set */
    CUPEL__NEXT_VALID,
    CUPEL__NEXT_INVALID
};

/* What the evaluator records. */
enum cupel__mode {
    CUPEL__MODE_PROBLEMS,    /* failures; in choices only those of the best-matching branch */
    CUPEL__MODE_FAILURES,    /* all failures */
    CUPEL__MODE_ANNOTATIONS, /* all failures, and annotations */
    CUPEL__MODE_VERBOSE      /* every instruction when it is over */
};

/* What happens to the failures in a choice. */
enum cupel__phase {
    CUPEL__PHASE_RECORD, /* they are recorded */
    CUPEL__PHASE_TRY,    /* they are suppressed: a branch may pass */
    CUPEL__PHASE_PROBE   /* those of the value itself are recorded, to find the best-matching branch
                          */
};

struct cupel__evaluator {
    /* The registers.  `extra` belongs to the frame `top`. */
    const uint32_t *pc;
    struct cupel__node *v;
    struct cupel__frame *top;
    struct cupel__report_frame *extra;

    struct cupel__vm *vm;
    struct cupel__log *log;
    enum cupel__mode mode;
    bool complete;       /* nothing ends early: for annotations, or for VERBOSE */
    uint32_t call;       /* frame of the innermost CALL, 0: none */
    uint32_t suppressed; /* choices around here whose failures are suppressed */
    uint32_t probed;     /* 1 + the only node whose failures are recorded, 0: of all */
    uint32_t repeated;   /* kept failures that were found again, to be recorded */

    const uint32_t *todo; /* result of cupel__try(), if ENTERED: the instruction to go on with */
};

/* -- Registers -------------------------------------------------------------------------------- */

static inline uint32_t cupel__index_of(const struct cupel__evaluator *e,
                                       const struct cupel__node *v)
{
    return (uint32_t)(v - e->vm->nodes);
}

/* Charges n steps; false when the budget is spent. */
static inline bool cupel__charge(struct cupel__vm *vm, uint64_t n)
{
    vm->budget.remaining -= (int64_t)n;
    if (vm->budget.remaining >= 0)
        return true;
    vm->reason = CUPEL_E_LIMIT_STEPS;
    return false;
}

/* Whether a failure ends the attempt and is not recorded. */
static inline bool cupel__is_suppressed(const struct cupel__evaluator *e)
{
    return e->suppressed > 0 && e->mode != CUPEL__MODE_VERBOSE;
}

/* Whether failures of v are recorded. */
static inline bool cupel__is_recorded(const struct cupel__evaluator *e, const struct cupel__node *v)
{
    return e->suppressed == 0 && (e->probed == 0 || e->probed == 1 + cupel__index_of(e, v));
}

/* Pushes the frame of the instruction at pc; false: the stack is full. */
static inline bool cupel__push(struct cupel__evaluator *e, enum cupel__frame_kind kind)
{
    struct cupel__vm *vm = e->vm;
    if (e->top == vm->stack.limit) {
        vm->reason = CUPEL_E_LIMIT_STACK;
        return false;
    }
    struct cupel__frame *f = ++e->top;
    f->kind = kind;
    f->pc = (uint32_t)(e->pc - vm->code);
    f->v = cupel__index_of(e, e->v);
    e->extra++;
    e->extra->failed = 0;
    e->extra->notes = (uint32_t)e->log->nnotes;
    return true;
}

/* Removes the top frame; pc and v are again those of the instruction that pushed it. */
static inline void cupel__pop(struct cupel__evaluator *e)
{
    e->pc = e->vm->code + e->top->pc;
    e->v = e->vm->nodes + e->top->v;
    e->top--;
    e->extra--;
}

/* -- Ends of instructions --------------------------------------------------------------------- */

/* The instruction failed; its failure has been recorded or is suppressed. */
static inline enum cupel__next cupel__failed(struct cupel__evaluator *e)
{
    if (cupel__is_suppressed(e))
        return CUPEL__NEXT_UNWIND;
    e->extra->failed = 1;
    return CUPEL__NEXT_ADVANCE;
}

/* The instruction failed: records the failure if failures are recorded. */
enum cupel__next cupel__fail(struct cupel__evaluator *, uint32_t which);

/* Goes on at `pc`, where cupel__try() ended, with the value v; the step is charged. */
static inline enum cupel__next cupel__enter_at(struct cupel__evaluator *e, const uint32_t *pc,
                                               struct cupel__node *v)
{
    e->pc = pc;
    e->v = v;
    return cupel__charge(e->vm, 0) ? CUPEL__NEXT_ENTER : CUPEL__NEXT_STOP;
}

/* Runs the schema of a reference, whose types admit the value. */
static inline enum cupel__next cupel__enter(struct cupel__evaluator *e, uint32_t sub,
                                            struct cupel__node *v)
{
    e->pc = e->vm->code + CUPEL__SUB_PC(sub);
    e->v = v;
    return cupel__charge(e->vm, 1) ? CUPEL__NEXT_RUN : CUPEL__NEXT_STOP;
}

/* The rest of the instruction is that the value passes `sub`.  Inline for CALL, which is half of
 * the instructions that report programs enter. */
INLINE enum cupel__next cupel__apply_inline(struct cupel__evaluator *e, uint32_t sub)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t word = *e->pc;
    if (!cupel__admits(sub, e->v))
        return cupel__fail(e, 0);
    if (CUPEL__SUB_PC(sub) == 0)
        return CUPEL__NEXT_ADVANCE;
    if (!cupel__push(e, CUPEL__FRAME_CALL))
        return CUPEL__NEXT_STOP;
    /* A path through this CALL has a step when an event needs it. */
    e->extra->pc = e->top->pc;
    e->extra->sub = sub;
    e->extra->step = 0;
    e->extra->call = e->call;
    e->call = (uint32_t)(e->top - vm->stack.frames);
    e->top->pc = word & CUPEL__LAST ? 0 : e->top->pc + cupel__op_info[CUPEL__WORD_OP(word)].words;
    return cupel__enter(e, sub, e->v);
}

enum cupel__next cupel__apply(struct cupel__evaluator *, uint32_t sub);

/* -- Choices: frames that receive failures ------------------------------------------------------
 */

bool cupel__push_choice(struct cupel__evaluator *, enum cupel__frame_kind);
void cupel__pop_choice(struct cupel__evaluator *);
/* An attempt of the choice in the top frame passed: what it evaluated and noted stays. */
void cupel__keep_attempt(struct cupel__evaluator *);
/* An attempt failed: the state becomes as it was before it. */
void cupel__undo_attempt(struct cupel__evaluator *);

/* evaluate_choices.c */
enum cupel__next cupel__begin_choice(struct cupel__evaluator *);          /* ANY_OF, ONE_OF */
enum cupel__next cupel__begin_filtered_choice(struct cupel__evaluator *); /* CHOOSE */
enum cupel__next cupel__begin_not(struct cupel__evaluator *);
enum cupel__next cupel__begin_if(struct cupel__evaluator *);
/* Goes on with the choice in the top frame, whose branch or condition is over. */
enum cupel__next cupel__resume_branches(struct cupel__evaluator *, bool passed);
enum cupel__next cupel__resume_not(struct cupel__evaluator *, bool passed);
enum cupel__next cupel__resume_if(struct cupel__evaluator *, bool passed);

/* -- Members and items (evaluate_children.c) --------------------------------------------------- */

enum cupel__next cupel__begin_object(struct cupel__evaluator *); /* OBJECT */
enum cupel__next cupel__begin_each(struct cupel__evaluator *);   /* MAP, ITEMS */
enum cupel__next cupel__begin_members(struct cupel__evaluator *);
enum cupel__next cupel__begin_prefix(struct cupel__evaluator *);
enum cupel__next cupel__begin_contains(struct cupel__evaluator *);
enum cupel__next cupel__begin_unevaluated(struct cupel__evaluator *);
/* Goes on with the instruction in the top frame, of which a child is over. */
enum cupel__next cupel__resume_walk(struct cupel__evaluator *);
enum cupel__next cupel__resume_pick(struct cupel__evaluator *);
enum cupel__next cupel__resume_members(struct cupel__evaluator *);
enum cupel__next cupel__resume_prefix(struct cupel__evaluator *);
enum cupel__next cupel__resume_contains(struct cupel__evaluator *, bool passed);
enum cupel__next cupel__resume_unevaluated(struct cupel__evaluator *);

#endif
