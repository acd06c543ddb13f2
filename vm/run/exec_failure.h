/* exec_failure.h: how an instruction ends, well or with a failure.  Part of exec_loop.h, which
 * includes it.
 *
 * A verdict is over with the first failure, unless a choice is around it.  In a report the failure
 * is recorded and the sequence goes on; only where failures are nobody's (vm->log->muted) the
 * attempt is over. The report's handlers end in common ones: it is run after few instances, and its
 * code is carried by all hosts. */

#if REPORT
#    define IF_REPORT(...) __VA_ARGS__
/* What is decided goes on for the annotations of the rest. */
#    define WANT_NOTES (TRACE || vm->log->want_notes)
/* Whether failures are somebody's. */
#    define IS_TOLD      (TRACE || vm->log->muted == 0)
#    define NOTES_SO_FAR ((uint32_t)vm->log->nnotes)
/* Whether something in the sequence above this frame failed. */
#    define HAS_FAILED(f) ((f)->failed)
/* Ends this instruction, of n words; the same where it is known not to be the last. */
#    define NEXT(n)  TAIL_CALL(next)
#    define GO_ON(n) TAIL_CALL(next)
/* This instruction, of n words, failed; `why` says more. */
#    define FAIL(n, why)              \
        do {                          \
            vm->result.which = (why); \
            TAIL_CALL(fail);          \
        } while (0)
/* The same, but what led to it has been recorded or is not wanted. */
#    define FAIL_AGAIN(n) TAIL_CALL(fail_again)
/* The same where it is not known which children it has evaluated. */
#    define FAIL_UNKNOWN(n) TAIL_CALL(fail_unknown)
/* Ends the choice in the top frame with a failure. */
#    define FAIL_CHOICE(n, why)       \
        do {                          \
            vm->result.which = (why); \
            TAIL_CALL(fail_choice);   \
        } while (0)

static int next(ARGS)
{
#    if TRACE
    WITH_WORK(visit(vm, pc, v));
#    endif
    if (*pc & CUPEL__LAST)
        PASSED();
    pc += cupel__op_info[CUPEL__WORD_OP(*pc)].words;
    steps--;
    DISPATCH();
}

static int fail_again(ARGS)
{
    if (!IS_TOLD)
        UNWIND();
    sp->failed = 1;
    TAIL_CALL(next);
}

static int fail(ARGS)
{
    WITH_WORK(cupel__record_failure(vm, pc, v, vm->result.which));
    TAIL_CALL(fail_again);
}

/* Nothing is said about what it left. */
static int fail_unknown(ARGS)
{
    if (v->type >= CUPEL__ARRAY)
        WITH_WORK(cupel__mark(vm, (uint32_t)(v - vm->nodes), 0, v->count));
    TAIL_CALL(fail_again);
}

static int fail_choice(ARGS)
{
    uint32_t slot = sp->events, end = vm->log->nevents, paths = vm->log->npaths;
    POP_CHOICE();
    vm->log->npaths = paths;
    WITH_WORK(cupel__record_choice_failure(vm, pc, v, vm->result.which, slot, end));
    TAIL_CALL(fail_unknown);
}

/* The frame of a CALL, on top, is where a way leads through another schema. */
static void open_call(struct cupel__vm *vm, const uint32_t *pc, struct cupel__frame *sp)
{
    sp->at = (uint32_t)(pc - vm->code);
    sp->left = vm->result.sub;
    sp->step = 0;
    sp->ref = vm->log->ref;
    vm->log->ref = (uint32_t)(sp - vm->stack.frames);
}
#else
#    define IF_REPORT(...)
#    define WANT_NOTES    false
#    define NOTES_SO_FAR  0
#    define HAS_FAILED(f) false
#    define GO_ON(n)    \
        do {            \
            pc += (n);  \
            steps--;    \
            DISPATCH(); \
        } while (0)
#    define NEXT(n)                \
        do {                       \
            if (*pc & CUPEL__LAST) \
                PASSED();          \
            GO_ON(n);              \
        } while (0)
#    define FAIL(n, why)    UNWIND()
#    define FAIL_AGAIN(n)   UNWIND()
#    define FAIL_UNKNOWN(n) UNWIND()
#    define FAIL_CHOICE(n, why) \
        do {                    \
            POP_CHOICE();       \
            UNWIND();           \
        } while (0)
#endif
