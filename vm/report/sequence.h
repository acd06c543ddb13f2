/* sequence.h: runs a sequence of checks on one value without a frame (evaluator.h).
 *
 * Most of a report's time is spent here.  The loop is inline where members, items and sequences
 * run, because a call would cost a tenth of a report; inline_checks.h decides the common checks,
 * and the steps that are left stay in a register. */
#ifndef CUPEL_VM_REPORT_SEQUENCE_H
#define CUPEL_VM_REPORT_SEQUENCE_H

#include "vm/report/log.h"

/* A result besides 1 passed, 0 failed, -1 stopped, PASSED_ALL: the instruction needs a frame. */
enum { CUPEL__UNKNOWN = CUPEL__PASSED_ALL + 1 };

/* A choice between branches that test only types: 1, 0; UNKNOWN if there are others. */
int cupel__choose_by_type(struct cupel__vm *, const uint32_t *pc, const struct cupel__node *v);

/* The instructions that run here.  In a frame, REQUIRED and DEPENDS record each missing name. */
#define CUPEL__BY_TYPE   (CUPEL__OP_BIT(ANY_OF) | CUPEL__OP_BIT(ONE_OF))
#define CUPEL__RUNS_HERE (cupel__op_checks | CUPEL__BY_TYPE)
#define CUPEL__RUNS_IN_FRAME \
    (cupel__op_checks & ~(CUPEL__OP_BIT(REQUIRED) | CUPEL__OP_BIT(DEPENDS)))

/* In a frame, these are not decided inline: they charge other steps there. */
#define CUPEL__CHARGES_IN_FRAME                                                               \
    (CUPEL__OP_BIT(RANGE) | CUPEL__OP_BIT(MIN) | CUPEL__OP_BIT(UNIQUE) | CUPEL__OP_BIT(MAP) | \
     CUPEL__OP_BIT(ITEMS))

/* Whether a sequence that has a frame begins with an instruction that runs here. */
INLINE bool cupel__starts_with_check(uint32_t word)
{
    const uint64_t here =
        CUPEL__RUNS_IN_FRAME | CUPEL__OP_BIT(NOTE) | CUPEL__OP_BIT(SWITCH) | CUPEL__OP_BIT(JUMP);
    return here >> CUPEL__WORD_OP(word) & 1;
}

/* Runs the NOTE at `pc` and those behind it, of which the first is recorded for all.  Returns the
 * last, or NULL if the run stops. */
INLINE const uint32_t *cupel__run_notes(struct cupel__evaluator *e, const uint32_t *pc,
                                        const struct cupel__node *v, int64_t *steps)
{
    if (e->mode == CUPEL__MODE_ANNOTATIONS) {
        e->vm->budget.remaining = *steps;
        if (!cupel__record_note(e, pc, v))
            return NULL;
        *steps = e->vm->budget.remaining;
    }
    for (; !(*pc & CUPEL__LAST) && CUPEL__WORD_OP(pc[2]) == CUPEL__OP_NOTE; pc += 2)
        --*steps;
    return pc;
}

/* Runs the sequence from `pc` on as long as its instructions are checks of v; e->todo is the last
 * one that ran.  ENTERED: e->todo is no check, and its step is charged. */
INLINE enum cupel__outcome cupel__run_checks(struct cupel__evaluator *e, const uint32_t *pc,
                                             struct cupel__node *v, const bool in_frame)
{
    struct cupel__vm *const vm = e->vm;
    int64_t steps = vm->budget.remaining + in_frame; /* the first step of a frame is charged */
    enum cupel__outcome outcome = CUPEL__ENTERED;
    while (--steps >= 0 || in_frame) {
        const uint32_t op = CUPEL__WORD_OP(*pc);
        int result;
        CUPEL__DEBUG_CHECK(vm, pc, v, NULL);
        if (op == CUPEL__OP_TYPE) { /* the commonest, before the switch of the others */
            result = CUPEL__WORD_B(*pc) >> v->type & 1;
        } else if (op == CUPEL__OP_NOTE) {
            const uint32_t *last = cupel__run_notes(e, pc, v, &steps);
            result = last != NULL ? 1 : -1;
            pc = last != NULL ? last : pc;
        } else if ((result = in_frame && (CUPEL__CHARGES_IN_FRAME >> op & 1)
                                 ? -1
                                 : cupel__check_inline(vm, pc, v, &steps)) < 0) {
            if (op == CUPEL__OP_SWITCH || op == CUPEL__OP_JUMP) {
                pc = vm->code + (op == CUPEL__OP_JUMP ? pc[1] : cupel__label_of(vm, pc, v));
                if (pc != vm->code)
                    continue;
                outcome = CUPEL__PASSED;
                break;
            }
            if (!((in_frame ? CUPEL__RUNS_IN_FRAME : CUPEL__RUNS_HERE) >> op & 1))
                break;
            vm->budget.remaining = steps;
            result = cupel__op_checks >> op & 1 ? cupel__check_value(vm, pc, v)
                                                : cupel__choose_by_type(vm, pc, v);
            steps = vm->budget.remaining;
            if (result == CUPEL__UNKNOWN)
                break;
        }
        if (result <= 0) {
            outcome = result == 0 ? CUPEL__FAILED : CUPEL__STOPPED;
            break;
        }
        if (result == CUPEL__PASSED_ALL || (*pc & CUPEL__LAST)) {
            outcome = CUPEL__PASSED;
            break;
        }
        pc += cupel__op_info[CUPEL__WORD_OP(*pc)].words;
    }
    vm->budget.remaining = steps;
    e->todo = pc;
    return outcome;
}

/* Runs the schema of a reference on v without a frame.  A failure that has to be recorded makes the
 * caller enter the sequence from its beginning, as does every sequence of a VERBOSE run.  Notes of
 * a sequence that fails are dropped. */
INLINE enum cupel__outcome cupel__try_inline(struct cupel__evaluator *e, uint32_t sub,
                                             struct cupel__node *v)
{
    const uint32_t *pc = e->vm->code + CUPEL__SUB_PC(sub);
    if (!cupel__admits(sub, v))
        return CUPEL__FAILED;
    if (CUPEL__SUB_PC(sub) == 0)
        return CUPEL__PASSED;
    e->todo = pc;
    if (e->mode == CUPEL__MODE_VERBOSE) {
        e->vm->budget.remaining--;
        return CUPEL__ENTERED;
    }
    const size_t notes = e->log->nnotes;
    const enum cupel__outcome outcome = cupel__run_checks(e, pc, v, false);
    if (outcome != CUPEL__FAILED)
        return outcome;
    e->log->nnotes = notes;
    e->todo = pc;
    return e->suppressed > 0 ? CUPEL__FAILED : CUPEL__ENTERED;
}

/* The same, as a function, for instructions that rarely run. */
enum cupel__outcome cupel__try(struct cupel__evaluator *, uint32_t sub, struct cupel__node *v);

#endif
