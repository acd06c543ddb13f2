/* exec_here.h: instructions that apply other schemas to the same value.  Part of exec_loop.h, which includes it. */

/* The rest of an instruction of n words is that v passes `sub`. */
#define INPLACE(sub, n)         \
    do {                        \
        vm->next_sub = (sub);   \
        vm->words = (n);        \
        TAIL_CALL(inplace);     \
    } while (0)

/* The last instruction of a sequence needs no frame to come back to (but a report has to hear of it). */
static int inplace(ARGS)
{
    uint32_t sub = vm->next_sub, n = vm->words;
    if (!admits(sub, v))
        FAIL(n, 0);
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(n);
    if (REPORT || !(*pc & CUPEL__LAST)) {
        uint32_t after = *pc & CUPEL__LAST ? 0 : (uint32_t)(pc - vm->code) + n;
        PUSH(CALL);
        sp->pc = after;
    }
    ENTER(sub);
}

static int passed_CALL(ARGS)
{
    uint32_t after = sp->pc;
    v = vm->nodes + sp->v;
    IF_REPORT(vm->ref = sp->ref;)
    sp--;
    if (after == 0)
        PASSED();
    pc = vm->code + after;
    steps--;
    DISPATCH();
}

static int op_CALL(ARGS)
{
    INPLACE(pc[1], 2);
}

static int op_IMPLIES(ARGS)
{
    int result;
    HELP(cupel__has_member(vm, v, pc[1]));
    if (result < 0)
        STOP(vm->reason);
    if (result == 0)
        NEXT(3);
    INPLACE(pc[2], 3);
}

/* The next branch of an ANY_OF; its frame is on the stack: `at` is the branch, `n` have passed.  Where
 * branches evaluate, or annotations are wanted, all of them run. */
static int next_any_of(ARGS)
{
    const uint32_t *word = vm->code + sp->pc;
    const struct cupel__list *subs = cupel__image_list(vm->image, word[1]);
    v = vm->nodes + sp->v;
    for (; sp->at < subs->count && (sp->n == 0 || CUPEL__WORD_A(*word) || WANT_NOTES);
         sp->at++) {
        uint32_t sub = subs->item[sp->at];
        if (admits(sub, v) && CUPEL__SUB_PC(sub) != 0)
            ENTER(sub);
        CHARGE(1);
        sp->n += admits(sub, v);
    }
    if (sp->n == 0)
        FAIL_CHOICE(2, 0);
    POP_CHOICE();
    NEXT(2);
}

static int op_ANY_OF(ARGS)
{
    PUSH_CHOICE(ANY_OF);
    sp->at = sp->n = 0;
    TAIL_CALL(next_any_of);
}

static int passed_ANY_OF(ARGS)
{
    KEEP_ANEW();
    sp->at++;
    sp->n++;
    TAIL_CALL(next_any_of);
}

static int failed_ANY_OF(ARGS)
{
    RESTORE();
    sp->at++;
    TAIL_CALL(next_any_of);
}

/* A branch of the ONE_OF on top has passed; `left` keeps the first two for the report. */
#define COUNT_PASSED()                                                       \
    do {                                                                     \
        IF_REPORT(sp->left |= (sp->at & 0xffff) << (sp->n == 0 ? 0 : 16);)   \
        sp->n++;                                                             \
    } while (0)

/* The next branch of a ONE_OF; its frame is on the stack: `at` is the branch, `n` have passed. */
static int next_one_of(ARGS)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, vm->code[sp->pc + 1]);
    v = vm->nodes + sp->v;
    for (; sp->at < subs->count && sp->n < 2; sp->at++) {
        uint32_t sub = subs->item[sp->at];
        if (admits(sub, v) && CUPEL__SUB_PC(sub) != 0)
            ENTER(sub);
        CHARGE(1);
        if (admits(sub, v))
            COUNT_PASSED();
    }
    if (sp->n != 1)
        FAIL_CHOICE(2, sp->n == 0 ? 0 : sp->left);
    POP_CHOICE();
    NEXT(2);
}

static int op_ONE_OF(ARGS)
{
    PUSH_CHOICE(ONE_OF);
    sp->at = sp->n = sp->left = 0;
    TAIL_CALL(next_one_of);
}

static int passed_ONE_OF(ARGS)
{
    KEEP_ANEW();
    COUNT_PASSED();
    sp->at++;
    TAIL_CALL(next_one_of);
}

static int failed_ONE_OF(ARGS)
{
    RESTORE();
    sp->at++;
    TAIL_CALL(next_one_of);
}

static int op_NOT(ARGS)
{
    uint32_t sub = pc[1];
    if (!admits(sub, v))
        NEXT(2);
    if (CUPEL__SUB_PC(sub) == 0)
        FAIL(2, 0);
    PUSH_CHOICE(NOT);
    ENTER(sub);
}

static int passed_NOT(ARGS)
{
    POP_CHOICE();
    FAIL(2, 0);
}

static int failed_NOT(ARGS)
{
    RESTORE();
    POP_CHOICE();
    NEXT(2);
}

static int op_IF(ARGS)
{
    uint32_t sub = pc[1];
    if (!admits(sub, v))
        INPLACE(pc[3], 4);
    if (CUPEL__SUB_PC(sub) == 0)
        INPLACE(pc[2], 4);
    PUSH_CHOICE(IF);
    ENTER(sub);
}

static int passed_IF(ARGS)
{
    POP_CHOICE();
    INPLACE(pc[2], 4);
}

static int failed_IF(ARGS)
{
    RESTORE();
    POP_CHOICE();
    INPLACE(pc[3], 4);
}

/* -- Results that are kept --------------------------------------------------------------------------- */

/* Whether a report can do with a result instead of what led to it: of a schema that passed the annotations,
 * of one that failed the failures.  Those are wanted once more where they are not nobody's, and there are
 * not many yet: outside of choices, where each is told; in them a few times. */
static bool result_will_do(struct cupel__vm *vm, int result)
{
    enum { ENOUGH = 64 };
    if (!REPORT || result == CUPEL__MEMO_NONE)
        return true;
    if (result > 0)
        return !WANT_NOTES;
    if (vm->choice == 0)
        return vm->nevents >= ENOUGH || vm->nevents == vm->max_events;
    return vm->muted > 0 || vm->retold++ >= ENOUGH;
}

/* Runs the schema of a MEMO; `keeps`: for a result that is kept. */
static int enter_memo(ARGS)
{
    uint32_t sub = pc[1];
    bool keeps = vm->words, entered = true;
    if (!admits(sub, v))
        FAIL_AGAIN(2);
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(2);
    PUSH(MEMO);
    sp->at = keeps;
    if (!REPORT) {
        sp->choice = vm->choice;
        vm->choice = (uint32_t)(sp - vm->frames);
    }
    if (keeps)
        WITH_WORK(entered = cupel__memo_enter(vm, sp));
    if (!entered)
        STOP(vm->reason);
    ENTER(sub);
}

static int op_MEMO(ARGS)
{
    int result = CUPEL__MEMO_NONE;
    bool keeps = steps <= vm->memo_below && (CUPEL__WORD_B(*pc) >> v->type & 1);
    if (!keeps && !REPORT)
        INPLACE(pc[1], 2);
    if (keeps)
        HELP(cupel__memo_find(vm, (uint32_t)(pc - vm->code), (uint32_t)(v - vm->nodes)));
    if (steps < 0)
        TAIL_CALL(out_of_steps);
    vm->words = keeps;
    if (result == CUPEL__MEMO_NONE || !result_will_do(vm, result))
        TAIL_CALL(enter_memo);
    if (result == 0)
        FAIL_AGAIN(2);
    NEXT(2);
}

/* Takes the frame of a MEMO off, its result kept. */
#define LEAVE_MEMO(result)                                          \
    do {                                                            \
        bool kept = true;                                           \
        if (sp->at)                                                 \
            WITH_WORK(kept = cupel__memo_leave(vm, sp, result));    \
        if (!kept)                                                  \
            STOP(vm->reason);                                       \
        if (!REPORT)                                                \
            vm->choice = sp->choice;                                \
        POP();                                                      \
    } while (0)

static int passed_MEMO(ARGS)
{
    LEAVE_MEMO(true);
    NEXT(2);
}

static int failed_MEMO(ARGS)
{
    LEAVE_MEMO(false);
    FAIL_AGAIN(2);
}
