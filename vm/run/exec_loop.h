/* exec_loop.h: the verdict loop, compiled once for each form of dispatch.
 *
 * The file that includes this one defines
 *   EXEC       the name of the function
 *   THREADED   1: each handler calls the next as its last act, so the machine's registers stay in
 *              the processor's; 0: handlers return to a switch
 *
 * A handler is a dozen lines at most and names its operands first; what is larger is a helper.  The
 * machine's state is `pc`, `v`, `sp` and `steps`, and the frames below `sp`:
 *
 *   A sequence runs on one value.  What wants another sequence run pushes a frame that says how to
 * go on. At its end a sequence looks at the top frame: passed() if all went well.  A failure goes
 * to the innermost choice instead, dropping the frames above it.
 *
 * Every instruction costs a step, every child and every branch another; work inside an instruction
 * is charged by the helper that does it.  The budget is looked at wherever code can be reached
 * again, so between two looks there is at most one pass over the code.
 *
 * Nothing is checked here that verify.c has proved. */
#include "base/always.h"
#include "vm/run/quick_checks.h"

#if THREADED
#    define INLINE static inline __attribute__((always_inline))
#else
#    define INLINE static inline
#endif

#define ARGS                                                                                  \
    struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v, struct cupel__frame *sp, \
        int64_t steps
#define PASS vm, pc, v, sp, steps

typedef int handler(ARGS);

/* What a handler returns when it is the machine's turn again; verdicts are 0, 1, 2. */
enum { AGAIN_OP = 3, AGAIN_PASSED, AGAIN_FAILED };

static handler *const passed[CUPEL__FRAMES];
static handler *const failed[CUPEL__FRAMES];

#if THREADED
#    if defined(__clang__)
#        define TAIL __attribute__((musttail)) return
#    else
#        define TAIL return
#    endif
static handler *const handlers[CUPEL__OPS];
static int unwind(ARGS);
#    define DISPATCH()                                \
        do {                                          \
            CUPEL__DEBUG_CHECK(vm, pc, v, sp);        \
            TAIL handlers[CUPEL__WORD_OP(*pc)](PASS); \
        } while (0)
#    define PASSED()           TAIL passed[sp->kind](PASS)
#    define FAIL()             TAIL unwind(PASS)
#    define TAIL_CALL(handler) TAIL handler(PASS)
#else
#    define TAIL_CALL(handler) return handler(PASS)
#    define SAVE()                                                          \
        (vm->registers.pc = pc, vm->registers.v = v, vm->registers.sp = sp, \
         vm->budget.remaining = steps)
#    define DISPATCH()                         \
        do {                                   \
            CUPEL__DEBUG_CHECK(vm, pc, v, sp); \
            SAVE();                            \
            return AGAIN_OP;                   \
        } while (0)
#    define PASSED()             \
        do {                     \
            SAVE();              \
            return AGAIN_PASSED; \
        } while (0)
#    define FAIL()               \
        do {                     \
            SAVE();              \
            return AGAIN_FAILED; \
        } while (0)
#endif

/* Ends the run without a verdict. */
#define STOP(why)           \
    do {                    \
        vm->reason = (why); \
        TAIL_CALL(stopped); \
    } while (0)

#define CHARGE(n)                    \
    do {                             \
        steps -= (int64_t)(n);       \
        if (steps < 0)               \
            TAIL_CALL(out_of_steps); \
    } while (0)

/* Runs something that charges vm->budget. */
#define WITH_WORK(...)                \
    do {                              \
        vm->budget.remaining = steps; \
        __VA_ARGS__;                  \
        steps = vm->budget.remaining; \
    } while (0)

/* Runs the sequence of a reference, whose types have been looked at, on the value v. */
#define ENTER(sub)                          \
    do {                                    \
        pc = vm->code + CUPEL__SUB_PC(sub); \
        CHARGE(1);                          \
        DISPATCH();                         \
    } while (0)

#define PUSH(k)                             \
    do {                                    \
        if (sp == vm->stack.limit)          \
            STOP(CUPEL_E_LIMIT_STACK);      \
        sp++;                               \
        sp->kind = CUPEL__FRAME_##k;        \
        sp->pc = (uint32_t)(pc - vm->code); \
        sp->v = (uint32_t)(v - vm->nodes);  \
                                            \
    } while (0)

/* A choice takes failures from now on. */
#define PUSH_TAKER(k)                                         \
    do {                                                      \
        PUSH(k);                                              \
        sp->choice = vm->stack.choice;                        \
        vm->stack.choice = (uint32_t)(sp - vm->stack.frames); \
                                                              \
    } while (0)

/* And takes back what has been evaluated until then. */
#define PUSH_CHOICE(k)                                    \
    do {                                                  \
        PUSH_TAKER(k);                                    \
        if (vm->stateful) {                               \
            bool kept;                                    \
            WITH_WORK(kept = cupel__choice_save(vm, sp)); \
            if (!kept)                                    \
                STOP(vm->reason);                         \
        }                                                 \
    } while (0)

/* A branch has passed, a branch has failed. */
#define KEEP_ANEW()                                  \
    do {                                             \
        if (vm->stateful)                            \
            WITH_WORK(cupel__choice_update(vm, sp)); \
                                                     \
    } while (0)
#define RESTORE()                                     \
    do {                                              \
        if (vm->stateful)                             \
            WITH_WORK(cupel__choice_restore(vm, sp)); \
                                                      \
    } while (0)

/* Takes the top frame off, back in the instruction that pushed it. */
#define POP()                   \
    do {                        \
        pc = vm->code + sp->pc; \
        v = vm->nodes + sp->v;  \
        sp--;                   \
    } while (0)

#define POP_CHOICE()                       \
    do {                                   \
        vm->stack.choice = sp->choice;     \
        if (vm->stateful)                  \
            vm->evaluated.used = sp->bits; \
                                           \
        POP();                             \
    } while (0)

/* The instruction, of n words, has passed; the same where it is not the last. */
#define GO_ON(n)    \
    do {            \
        pc += (n);  \
        steps--;    \
        DISPATCH(); \
    } while (0)
#define NEXT(n)                \
    do {                       \
        if (*pc & CUPEL__LAST) \
            PASSED();          \
        GO_ON(n);              \
    } while (0)

static int stopped(ARGS)
{
    (void)pc, (void)v, (void)sp;
    vm->budget.remaining = steps;
    return CUPEL_UNDECIDED;
}

static int out_of_steps(ARGS)
{
    STOP(CUPEL_E_LIMIT_STEPS);
}

#include "vm/run/exec_value.h"

#include "vm/run/exec_child.h"

#include "vm/run/exec_walk.h"

#include "vm/run/exec_here.h"

#include "vm/run/exec_scope.h"

/* -- Ends
 * ------------------------------------------------------------------------------------------- */

static int passed_BASE(ARGS)
{
    (void)pc, (void)v, (void)sp;
    vm->budget.remaining = steps;
    return CUPEL_VALID;
}

/* To the innermost choice, or out. */
static int unwind(ARGS)
{
    if (vm->stack.choice == 0) {
        vm->budget.remaining = steps;
        return CUPEL_INVALID;
    }
    sp = vm->stack.frames + vm->stack.choice;
    TAIL_CALL(failed[sp->kind]);
}

static handler *const passed[CUPEL__FRAMES] = {
    [CUPEL__FRAME_BASE] = passed_BASE,
    [CUPEL__FRAME_CALL] = passed_CALL,
    [CUPEL__FRAME_WALK] = passed_WALK,
    [CUPEL__FRAME_PICK] = passed_PICK,
    [CUPEL__FRAME_MEMBERS] = next_member,
    [CUPEL__FRAME_PREFIX] = passed_PREFIX,
    [CUPEL__FRAME_UNEVALUATED] = passed_UNEVALUATED,
    [CUPEL__FRAME_SCOPE] = passed_SCOPE,
    [CUPEL__FRAME_CONTAINS] = passed_CONTAINS,
    [CUPEL__FRAME_ANY_OF] = passed_ANY_OF,
    [CUPEL__FRAME_NOT] = passed_NOT,
    [CUPEL__FRAME_IF] = passed_IF,
    [CUPEL__FRAME_MEMO] = passed_MEMO,
};

static handler *const failed[CUPEL__FRAMES] = {
    [CUPEL__FRAME_CONTAINS] = failed_CONTAINS, [CUPEL__FRAME_ANY_OF] = failed_ANY_OF,
    [CUPEL__FRAME_NOT] = failed_NOT,           [CUPEL__FRAME_IF] = failed_IF,
    [CUPEL__FRAME_MEMO] = failed_MEMO,
};

#if !THREADED
/* A sequence is over.  What one noted that failed does not count. */
static int end_of_sequence(ARGS)
{
    TAIL_CALL(passed[sp->kind]);
}
#endif

#if THREADED
static handler *const handlers[CUPEL__OPS] = {
#    define OP(name, on, a, b, c, d, e, flow, summary) [CUPEL__OP_##name] = op_##name,
#    include "vm/program/opcodes.def"
};

static int run(ARGS)
{
    return handlers[CUPEL__WORD_OP(*pc)](PASS);
}
#else
static int step(ARGS)
{
    switch ((enum cupel__op)CUPEL__WORD_OP(*pc)) {
#    define OP(name, on, a, b, c, d, e, flow, summary) \
    case CUPEL__OP_##name:                             \
        return op_##name(PASS);
#    include "vm/program/opcodes.def"
        NEVER_CASE(CUPEL__OPS)
        break;
    }
    vm->reason = CUPEL_E_INTERNAL;
    return CUPEL_UNDECIDED;
}

static int run(ARGS)
{
    int next = AGAIN_OP;
    for (;;) {
        if (next == AGAIN_OP)
            next = step(PASS);
        else if (next == AGAIN_FAILED)
            next = unwind(PASS);
        else if (next == AGAIN_PASSED)
            next = end_of_sequence(PASS);
        else
            return next;
        pc = vm->registers.pc;
        v = vm->registers.v;
        sp = vm->registers.sp;
        steps = vm->budget.remaining;
    }
}
#endif

INLINE void begin_run(struct cupel__vm *vm)
{
    vm->stack.choice = vm->evaluated.owner = 0;
    vm->evaluated.used = 0;
    vm->scope.bound = 0;
    vm->scope.number = 0;
    vm->result.filtered = NULL;
    vm->checks.idna.format = 0;
}

enum cupel_verdict EXEC(struct cupel__vm *vm, uint32_t node)
{
    struct cupel__node *v = vm->nodes + node;
    uint32_t root = vm->program->root;
    begin_run(vm);

    if (!cupel__admits(root, v)) {

        return CUPEL_INVALID;
    }
    if (CUPEL__SUB_PC(root) == 0)
        return CUPEL_VALID;
    return (enum cupel_verdict)run(vm, vm->code + CUPEL__SUB_PC(root), v, vm->stack.frames,
                                   vm->budget.remaining - 1);
}
