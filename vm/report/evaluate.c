/* evaluate.c: the report evaluator: runs the report program on a value and records every failure.
 *
 * The verdict loop ends with the first failure.  The evaluator records the failure and continues
 * with the next instruction; the end of the sequence then tells the frame below that it failed
 * (report_frame.failed).  Where failures are suppressed (in a NOT, an IF, a CONTAINS, or a choice
 * whose branches are tried), the first failure ends the attempt: the evaluator drops the frames
 * above the innermost choice.
 *
 * The evaluator runs after INVALID or for annotations, so it is written to be read: a
 * switch over instructions, and a frame for each sequence that does not end at once.  One shortcut
 * keeps a report within a few times the time of a verdict: a sequence of checks runs without a
 * frame (sequence.c), and is entered with one only if it fails or applies another schema to the
 * value.
 *
 * Invariants: nothing here recurses or allocates; each instruction, child and branch is charged to
 * vm->budget; the verifier has proved what the code does not test. */
#include "vm/report/evaluate.h"
#include "vm/report/sequence.h"

/* -- Ends of instructions --------------------------------------------------------------------- */

/* The end of a check. */
static enum cupel__next result_of(struct cupel__evaluator *e, int result)
{
    return result > 0 ? CUPEL__NEXT_ADVANCE : result < 0 ? CUPEL__NEXT_STOP : cupel__fail(e, 0);
}

static enum cupel__next advance(struct cupel__evaluator *e)
{
    if (e->mode == CUPEL__MODE_VERBOSE)
        cupel__record_instruction(e);
    if (*e->pc & CUPEL__LAST)
        return CUPEL__NEXT_END;
    e->pc += cupel__op_info[CUPEL__WORD_OP(*e->pc)].words;
    e->vm->budget.remaining--;
    return CUPEL__NEXT_RUN;
}

/* The schema of a CALL frame is over. */
static enum cupel__next return_from_call(struct cupel__evaluator *e)
{
    const uint32_t after = e->top->pc;
    e->call = e->extra->call;
    cupel__pop(e);
    if (after == 0)
        return CUPEL__NEXT_END;
    e->vm->budget.remaining--;
    return CUPEL__NEXT_RUN;
}

/* -- Results that are kept -------------------------------------------------------------------- */

/* Whether a kept result is enough.  One that passed lacks the annotations of the run, one that
 * failed the failures: these are recorded a limited number of times in choices, and outside of them
 * until there are so many events. */
static bool result_is_enough(struct cupel__evaluator *e, int result)
{
    enum { ENOUGH = 64 };
    if (result > 0)
        return !e->complete;
    if (e->vm->stack.choice == 0)
        return e->log->nevents >= ENOUGH;
    return !cupel__is_recorded(e, e->v) || e->repeated++ >= ENOUGH;
}

/* Which children a schema evaluated that failed before is not known: all count, so that UNEVALUATED
 * reports none of them. */
static enum cupel__next failed_before(struct cupel__evaluator *e)
{
    if (e->v->type >= CUPEL__ARRAY)
        cupel__mark(e->vm, cupel__index_of(e, e->v), 0, e->v->count);
    return cupel__failed(e);
}

static enum cupel__next begin_memo(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t sub = e->pc[1];
    const bool keeps = e->mode != CUPEL__MODE_VERBOSE &&
                       cupel__memo_keeps(&vm->memo, *e->pc, vm->budget.remaining, e->v);
    int result = CUPEL__MEMO_NONE;
    if (keeps)
        result = cupel__memo_find(vm, (uint32_t)(e->pc - vm->code), cupel__index_of(e, e->v));
    if (!cupel__charge(vm, 0))
        return CUPEL__NEXT_STOP;
    if (result != CUPEL__MEMO_NONE && result_is_enough(e, result))
        return result == 0 ? failed_before(e) : CUPEL__NEXT_ADVANCE;
    if (!cupel__admits(sub, e->v))
        return cupel__failed(e);
    if (CUPEL__SUB_PC(sub) == 0)
        return CUPEL__NEXT_ADVANCE;
    if (!cupel__push(e, CUPEL__FRAME_MEMO))
        return CUPEL__NEXT_STOP;
    e->top->at = keeps;
    e->top->choice = vm->stack.choice;
    e->extra->call = e->call;
    if (e->suppressed > 0) /* it receives failures as choices do */
        vm->stack.choice = (uint32_t)(e->top - vm->stack.frames);
    if (keeps && !cupel__memo_enter(vm, e->top))
        return CUPEL__NEXT_STOP;
    return cupel__enter(e, sub, e->v);
}

static enum cupel__next resume_memo(struct cupel__evaluator *e, bool passed)
{
    if (e->top->at && !cupel__memo_leave(e->vm, e->top, passed))
        return CUPEL__NEXT_STOP;
    e->vm->stack.choice = e->top->choice;
    cupel__pop(e);
    return passed ? CUPEL__NEXT_ADVANCE : cupel__failed(e);
}

/* -- Other instructions ----------------------------------------------------------------------- */

/* REQUIRED and DEPENDS: each missing name is a failure of its own. */
static enum cupel__next check_names(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    int result = cupel__check_value(vm, e->pc, e->v);
    for (; result == 0 && !cupel__is_suppressed(e); result = cupel__next_missing(vm, e->pc, e->v)) {
        cupel__record_failure(e, vm->result.which);
        e->extra->failed = 1;
    }
    return result_of(e, result);
}

static enum cupel__next check_implied(struct cupel__evaluator *e)
{
    const int result = cupel__has_member(e->vm, e->v, e->pc[1]);
    return result < 0    ? CUPEL__NEXT_STOP
           : result == 0 ? CUPEL__NEXT_ADVANCE
                         : cupel__apply(e, e->pc[2]);
}

static enum cupel__next begin_scope(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t sub = e->pc[1];
    const struct cupel__list *list = cupel__image_list(vm->image, e->pc[2]);
    if (!cupel__charge(vm, list->count))
        return CUPEL__NEXT_STOP;
    if (!cupel__admits(sub, e->v))
        return cupel__fail(e, 0);
    if (CUPEL__SUB_PC(sub) == 0)
        return CUPEL__NEXT_ADVANCE;
    if (!cupel__push(e, CUPEL__FRAME_SCOPE))
        return CUPEL__NEXT_STOP;
    e->top->bound = cupel__scope_bind(&vm->scope, list->item, list->count);
    e->top->scope = vm->scope.number;
    if (e->top->bound != 0 && vm->memos && !cupel__memo_scope(vm, e->top->pc))
        return CUPEL__NEXT_STOP;
    return cupel__enter(e, sub, e->v);
}

static enum cupel__next resume_scope(struct cupel__evaluator *e)
{
    e->vm->scope.bound &= ~e->top->bound;
    e->vm->scope.number = e->top->scope;
    cupel__pop(e);
    return CUPEL__NEXT_ADVANCE;
}

static enum cupel__next go_to(struct cupel__evaluator *e, uint32_t label)
{
    if (label == 0)
        return CUPEL__NEXT_END;
    e->pc = e->vm->code + label;
    e->vm->budget.remaining--;
    return CUPEL__NEXT_RUN;
}

/* -- The main loop ---------------------------------------------------------------------------- */

static enum cupel__next run_instruction(struct cupel__evaluator *e)
{
    struct cupel__vm *vm = e->vm;
    const uint32_t *pc = e->pc;
    CUPEL__DEBUG_CHECK(vm, pc, e->v, e->top);
    switch (CUPEL__WORD_OP(*pc)) {
    case CUPEL__OP_ONLY:
        return CUPEL__WORD_B(*pc) >> e->v->type & 1 ? CUPEL__NEXT_ADVANCE : CUPEL__NEXT_END;
    case CUPEL__OP_SWITCH:
        return go_to(e, cupel__image_list(vm->image, pc[1])->item[cupel__class_of[e->v->type]]);
    case CUPEL__OP_JUMP:
        return go_to(e, pc[1]);
    case CUPEL__OP_OBJECT:
        return cupel__begin_object(e);
    case CUPEL__OP_MAP:
    case CUPEL__OP_ITEMS:
        return cupel__begin_each(e);
    case CUPEL__OP_MEMBERS:
        return cupel__begin_members(e);
    case CUPEL__OP_PREFIX:
        return cupel__begin_prefix(e);
    case CUPEL__OP_CONTAINS:
        return cupel__begin_contains(e);
    case CUPEL__OP_REQUIRED:
    case CUPEL__OP_DEPENDS:
        return check_names(e);
    case CUPEL__OP_IMPLIES:
        return check_implied(e);
    case CUPEL__OP_CALL:
        return cupel__apply_inline(e, pc[1]);
    case CUPEL__OP_DYNAMIC:
        return cupel__apply(e, cupel__dynamic_sub(&vm->scope, pc));
    case CUPEL__OP_ANY_OF:
    case CUPEL__OP_ONE_OF:
        return cupel__begin_choice(e);
    case CUPEL__OP_CHOOSE:
        return cupel__begin_filtered_choice(e);
    case CUPEL__OP_NOT:
        return cupel__begin_not(e);
    case CUPEL__OP_IF:
        return cupel__begin_if(e);
    case CUPEL__OP_UNEVALUATED:
        return cupel__begin_unevaluated(e);
    case CUPEL__OP_SCOPE:
        return begin_scope(e);
    case CUPEL__OP_MEMO:
        return begin_memo(e);
    case CUPEL__OP_NOTE: /* of a VERBOSE run, which records it when it is over */
        return CUPEL__NEXT_ADVANCE;
    case CUPEL__OP_CASES: /* the verifier lets none into a report */
        vm->reason = CUPEL_E_INTERNAL;
        return CUPEL__NEXT_STOP;
    default:
        return result_of(e, cupel__check_value(vm, pc, e->v));
    }
}

/* The sequence above the top frame is over, well or not. */
static enum cupel__next resume(struct cupel__evaluator *e, bool passed)
{
    const enum cupel__frame_kind kind = (enum cupel__frame_kind)e->top->kind;
    if (passed && kind == CUPEL__FRAME_CALL) /* the commonest, before the switch of the others */
        return return_from_call(e);
    if (!passed && kind != CUPEL__FRAME_BASE && kind < CUPEL__FRAME_CONTAINS) {
        e->extra[-1].failed = 1; /* a frame that is no choice passes the failure on */
        e->extra->failed = 0;
    }
    switch (kind) {
    case CUPEL__FRAME_CALL:
        return return_from_call(e);
    case CUPEL__FRAME_WALK:
        return cupel__resume_walk(e);
    case CUPEL__FRAME_PICK:
        return cupel__resume_pick(e);
    case CUPEL__FRAME_MEMBERS:
        return cupel__resume_members(e);
    case CUPEL__FRAME_PREFIX:
        return cupel__resume_prefix(e);
    case CUPEL__FRAME_UNEVALUATED:
        return cupel__resume_unevaluated(e);
    case CUPEL__FRAME_SCOPE:
        return resume_scope(e);
    case CUPEL__FRAME_CONTAINS:
        return cupel__resume_contains(e, passed);
    case CUPEL__FRAME_ANY_OF:
        return cupel__resume_branches(e, passed);
    case CUPEL__FRAME_NOT:
        return cupel__resume_not(e, passed);
    case CUPEL__FRAME_IF:
        return cupel__resume_if(e, passed);
    case CUPEL__FRAME_MEMO:
        return resume_memo(e, passed);
    case CUPEL__FRAME_BASE:
    case CUPEL__FRAMES:
        break;
    }
    return passed ? CUPEL__NEXT_VALID : CUPEL__NEXT_INVALID;
}

/* Runs the sequence of the top frame from pc on, up to an instruction that needs a frame of its
 * own.
 */
INLINE enum cupel__next run_sequence(struct cupel__evaluator *e)
{
    if (e->mode == CUPEL__MODE_VERBOSE || !cupel__starts_with_check(*e->pc))
        return CUPEL__NEXT_ENTER;
    const enum cupel__outcome outcome = cupel__run_checks(e, e->pc, e->v, true);
    e->pc = e->todo;
    switch (outcome) {
    case CUPEL__PASSED:
        return CUPEL__NEXT_END;
    case CUPEL__FAILED:
        return cupel__fail(e, 0);
    case CUPEL__STOPPED:
        return CUPEL__NEXT_STOP;
    case CUPEL__ENTERED:
        break;
    }
    return CUPEL__NEXT_ENTER;
}

/* A failure where failures are suppressed: there is a choice. */
static void unwind(struct cupel__evaluator *e)
{
    e->top = e->vm->stack.frames + e->vm->stack.choice;
    e->extra = e->log->frames + e->vm->stack.choice;
    e->call = e->extra->call;
}

static enum cupel_verdict run(struct cupel__evaluator *e)
{
    enum cupel__next next = CUPEL__NEXT_RUN;
    while (next < CUPEL__NEXT_STOP) {
        if (next == CUPEL__NEXT_RUN)
            next = run_sequence(e);
        if (next == CUPEL__NEXT_ENTER)
            next = run_instruction(e);
        if (next == CUPEL__NEXT_ADVANCE)
            next = advance(e);
        if (next != CUPEL__NEXT_END && next != CUPEL__NEXT_UNWIND)
            continue;
        if (next == CUPEL__NEXT_UNWIND)
            unwind(e);
        const bool passed = next == CUPEL__NEXT_END && !e->extra->failed;
        if (!passed) /* the notes of a sequence that failed are dropped */
            e->log->nnotes = e->extra->notes;
        next = resume(e, passed);
    }
    return next == CUPEL__NEXT_VALID     ? CUPEL_VALID
           : next == CUPEL__NEXT_INVALID ? CUPEL_INVALID
                                         : CUPEL_UNDECIDED;
}

enum cupel_verdict cupel__evaluate(struct cupel__vm *vm, struct cupel__log *log,
                                   enum cupel__mode mode, uint32_t node)
{
    const uint32_t root = vm->program->root;
    struct cupel__evaluator e = {.vm = vm,
                                 .log = log,
                                 .pc = vm->code + CUPEL__SUB_PC(root),
                                 .v = vm->nodes + node,
                                 .top = vm->stack.frames,
                                 .extra = log->frames,
                                 .mode = mode,
                                 .complete = mode >= CUPEL__MODE_ANNOTATIONS};
    cupel__vm_begin(vm);
    cupel__log_begin(log);
    if (!cupel__admits(root, e.v)) {
        e.pc = vm->code;
        cupel__record_failure(&e, 0);
        return CUPEL_INVALID;
    }
    if (CUPEL__SUB_PC(root) == 0)
        return CUPEL_VALID;
    vm->budget.remaining--;
    const enum cupel_verdict verdict = run(&e);
    log->open_choice = vm->stack.choice;
    return verdict;
}
