/* loop_dispatch.h: the registers of the verdict loop, the ends of its handlers, and its frames.
 *
 * loop.h includes this file, once for each of the two loops; THREADED says which one it is. */
#include "base/always.h"
#include "vm/run/traversal.h"

/* -- Registers and dispatch -------------------------------------------------------------------- */

#define REGISTERS                                                                             \
    struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v, struct cupel__frame *sp, \
        int64_t steps

typedef cupel__handler handler;
static handler *const handlers[CUPEL__OPS];
static handler *const passed[CUPEL__FRAMES];
static handler *const failed[CUPEL__FRAMES];
static int out_of_steps(REGISTERS), out_of_frames(REGISTERS), stopped(REGISTERS), unwind(REGISTERS);

/* Ends a handler: continues with another one. */
#if THREADED && defined(__clang__)
#    define JUMP(handler) __attribute__((musttail)) return handler(vm, pc, v, sp, steps)
#elif THREADED
#    define JUMP(handler) return handler(vm, pc, v, sp, steps)
#else
enum { CONTINUE = CUPEL_UNDECIDED + 1 }; /* a handler returns this or a verdict */
#    define JUMP(handler)                                                       \
        return vm->registers = (struct cupel__registers){(handler), pc, v, sp}, \
               vm->budget.remaining = steps, CONTINUE
#endif

/* Ends of a handler: the instruction at pc is next; the sequence has passed; the instruction, of n
 * words, has passed; it has failed. */
#define DISPATCH()                           \
    do {                                     \
        CUPEL__DEBUG_CHECK(vm, pc, v, sp);   \
        JUMP(handlers[CUPEL__WORD_OP(*pc)]); \
    } while (0)
#define PASSED() JUMP(passed[sp->kind])
#define NEXT(n)                \
    do {                       \
        if (*pc & CUPEL__LAST) \
            PASSED();          \
        pc += (n);             \
        steps--;               \
        DISPATCH();            \
    } while (0)
#define FAIL() JUMP(unwind)

#define CHARGE(n)                        \
    do {                                 \
        if ((steps -= (int64_t)(n)) < 0) \
            JUMP(out_of_steps);          \
    } while (0)

/* Runs a statement that charges vm->budget. */
#define CHARGED(statement)            \
    do {                              \
        vm->budget.remaining = steps; \
        statement;                    \
        steps = vm->budget.remaining; \
    } while (0)

/* Goes on with the sequence at `code`, whose first step is charged. */
#define ENTER(code)  \
    do {             \
        pc = (code); \
        CHARGE(0);   \
        DISPATCH();  \
    } while (0)
#define ENTER_SUB(sub)                      \
    do {                                    \
        pc = vm->code + CUPEL__SUB_PC(sub); \
        CHARGE(1);                          \
        DISPATCH();                         \
    } while (0)

/* Ends an instruction of n words whose rest is that v passes the schema `ref`. */
#define APPLY(ref, n)           \
    do {                        \
        vm->result.sub = (ref); \
        vm->result.words = (n); \
        JUMP(apply);            \
    } while (0)

/* -- Frames ------------------------------------------------------------------------------------ */

#define PUSH(k)                             \
    do {                                    \
        if (sp == vm->stack.limit)          \
            JUMP(out_of_frames);            \
        sp++;                               \
        sp->kind = CUPEL__FRAME_##k;        \
        sp->pc = (uint32_t)(pc - vm->code); \
        sp->v = (uint32_t)(v - vm->nodes);  \
    } while (0)

/* Back in the instruction that pushed the frame. */
#define POP()                   \
    do {                        \
        pc = vm->code + sp->pc; \
        v = vm->nodes + sp->v;  \
        sp--;                   \
    } while (0)

/* The frame on top receives failures. */
INLINE void begin_choice(struct cupel__vm *vm, struct cupel__frame *sp)
{
    sp->choice = vm->stack.choice;
    vm->stack.choice = (uint32_t)(sp - vm->stack.frames);
}

/* The same; a failure also restores the set of evaluated children and the scope. */
#define PUSH_CHOICE(k)                                  \
    do {                                                \
        bool kept = true;                               \
        PUSH(k);                                        \
        begin_choice(vm, sp);                           \
        if (vm->stateful)                               \
            CHARGED(kept = cupel__choice_save(vm, sp)); \
        if (!kept)                                      \
            JUMP(stopped);                              \
    } while (0)

/* UPDATE_CHOICE: a branch has passed, so the children that it evaluated stay marked.
 * RESTORE_CHOICE: a branch has failed, so the marks are as before it. */
#define UPDATE_CHOICE()                            \
    do {                                           \
        if (vm->stateful)                          \
            CHARGED(cupel__choice_update(vm, sp)); \
    } while (0)
#define RESTORE_CHOICE()                            \
    do {                                            \
        if (vm->stateful)                           \
            CHARGED(cupel__choice_restore(vm, sp)); \
    } while (0)

#define POP_CHOICE()                       \
    do {                                   \
        vm->stack.choice = sp->choice;     \
        if (vm->stateful)                  \
            vm->evaluated.used = sp->bits; \
        POP();                             \
    } while (0)
