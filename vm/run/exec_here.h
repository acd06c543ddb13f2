/* exec_here.h: instructions that apply other schemas to the same value.  Part of exec_loop.h, which
 * includes it. */

/* The rest of an instruction of n words is that v passes `sub`. */
#define INPLACE(ref, size)         \
    do {                           \
        vm->result.sub = (ref);    \
        vm->result.words = (size); \
        TAIL_CALL(inplace);        \
    } while (0)

/* The last instruction of a sequence needs no frame to come back to (but a report has to hear of
 * it). */
static int inplace(ARGS)
{
    uint32_t sub = vm->result.sub, n = vm->result.words;
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
    IF_REPORT(vm->log->ref = sp->ref;)
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

/* -- Choices
 * ----------------------------------------------------------------------------------------
 *
 * ANY_OF and ONE_OF have all their branches to try, a CHOOSE those that its discriminator leaves.
 */

/* Where a choice stands. */
struct branches {
    uint32_t at, n; /* the branch; how many have passed before it */
    uint32_t two;   /* report: the first two of them, 16 bits each */
    uint32_t end;   /* report: the branch to stop before */
    uint32_t notes; /* report: how many there are without what the next branch notes */
};

/* The branches that are to be tried: all, or those of the bits in `left`. */
struct menu {
    const struct cupel__list *subs;
    const uint32_t *spans; /* NULL: all */
    uint64_t left;
};

INLINE bool is_sifted(uint32_t word)
{
    return CUPEL__WORD_OP(word) == CUPEL__OP_CHOOSE;
}

INLINE bool wants_one(uint32_t word)
{
    return CUPEL__WORD_OP(word) == CUPEL__OP_ONE_OF || (is_sifted(word) && CUPEL__WORD_A(word));
}

#define CHOICE_WORDS(word) (is_sifted(word) ? 4 : 2)

INLINE const struct cupel__masks *masks_of(const struct cupel__vm *vm, const uint32_t *pc)
{
    const struct cupel__table *discriminator = cupel__at(vm->image, pc[2]);
    return cupel__at(vm->image, discriminator->matches);
}

INLINE struct menu whole_menu(const struct cupel__vm *vm, const uint32_t *pc)
{
    return (struct menu){cupel__image_list(vm->image, pc[1]), NULL, 0};
}

INLINE struct menu sifted_menu(const struct cupel__vm *vm, const uint32_t *pc, uint64_t left)
{
    return (struct menu){cupel__image_list(vm->image, pc[1]), cupel__masks_spans(masks_of(vm, pc)),
                         left};
}

/* The first branch from `at` on that is left; the number of branches if there is none. */
INLINE uint32_t next_left(const struct menu *m, uint32_t at)
{
    if (m->spans == NULL)
        return at;
    for (uint64_t left = m->left; left != 0; left &= left - 1) {
        uint32_t span = m->spans[__builtin_ctzll(left)], first = CUPEL__SPAN_FIRST(span);
        if (at < first + CUPEL__SPAN_N(span))
            return at > first ? at : first;
    }
    return m->subs->count;
}

INLINE void count_passed(const struct cupel__vm *vm, struct branches *b)
{
    (void)vm;
    IF_REPORT(b->two |= (b->at & 0xffff) << (b->n == 0 ? 0 : 16);
              b->notes = (uint32_t)vm->log->nnotes;)
    b->n++;
}

/* After so many branches that passed the others do not matter. Where branches evaluate, or
 * annotations are wanted, all of them run. */
INLINE uint32_t enough(const struct cupel__vm *vm, uint32_t word)
{
    (void)vm;
    if (wants_one(word))
        return TRACE ? UINT32_MAX : 2;
    return (!is_sifted(word) && CUPEL__WORD_A(word)) || WANT_NOTES ? UINT32_MAX : 1;
}

/* Runs branches on v until one has to be entered. */
INLINE enum outcome run_branches(struct cupel__vm *vm, const struct menu *m, uint32_t most,
                                 struct branches *b, struct cupel__node *v)
{
    const uint32_t end = REPORT ? b->end : m->subs->count;
    for (; (b->at = next_left(m, b->at)) < end && b->n < most; b->at++) {
        uint32_t sub = m->subs->item[b->at];
        vm->budget.remaining -= 1 + REPORT; /* whose failure is noted */
        if (vm->budget.remaining < 0) {
            vm->reason = CUPEL_E_LIMIT_STEPS;
            return STOPPED;
        }
        if (!admits(sub, v))
            continue;
        vm->result.pc = vm->code + CUPEL__SUB_PC(sub);
        if (WALKS >> CUPEL__WORD_OP(*vm->result.pc) & 1)
            return REST;
        enum outcome o = try(vm, sub, v);
        if (o >= REST)
            return o;
        if (o == DONE)
            count_passed(vm, b);
    }
    return DONE;
}

INLINE bool chosen(const uint32_t *pc, const struct branches *b)
{
    return wants_one(*pc) ? b->n == 1 : b->n > 0;
}

#if REPORT
/* Where failures are recorded the branch before `left` may be the only one that is wanted. */
static uint32_t end_of_branches(const struct cupel__vm *vm, const struct cupel__frame *f)
{
    uint32_t count = cupel__image_list(vm->image, vm->code[f->pc + 1])->count;
    return f->step == CUPEL__PHASE_TELL && f->left != 0 && f->left < count ? f->left : count;
}
#else
#    define end_of_branches(vm, f) 0
#endif

/* What of the choice in the top frame is tried; when a report says why it failed, whatever a
 * discriminator left. */
INLINE struct menu menu_of(const struct cupel__vm *vm, const uint32_t *pc,
                           const struct cupel__frame *sp)
{
    if (is_sifted(*pc) && !TRACE && (!REPORT || sp->step == CUPEL__PHASE_TRY))
        return sifted_menu(vm, pc, sp->candidates);
    return whole_menu(vm, pc);
}

/* Goes on with the branch in the frame: `n` have passed before it, `left` keeps which. */
static int choose_on(ARGS)
{
    struct branches b = {sp->at, sp->n, sp->left, end_of_branches(vm, sp), NOTES_SO_FAR};
    enum outcome o;
    pc = vm->code + sp->pc;
    v = vm->nodes + sp->v;
    const struct menu m = menu_of(vm, pc, sp);
    WITH_WORK(o = run_branches(vm, &m, enough(vm, *pc), &b, v));
    if (o == STOPPED)
        STOP(vm->reason);
    if (o == REST) {
        sp->at = b.at;
        sp->n = b.n;
        IF_REPORT(sp->left = b.two; sp->notes = b.notes;)
        ENTER_AT(vm->result.pc);
    }
#if REPORT
    bool again = false;
    if (b.n == 0 && !TRACE)
        WITH_WORK(again = cupel__record_again(vm, sp));
    if (again)
        TAIL_CALL(choose_on);
#endif
    if (!chosen(pc, &b))
        FAIL_CHOICE(2, b.n == 0 ? 0 : b.two);
    POP_CHOICE();
    NEXT(CHOICE_WORDS(*pc));
}

static int passed_ANY_OF(ARGS)
{
    struct branches b = {sp->at, sp->n, sp->left, 0, 0};
    KEEP_ANEW();
    count_passed(vm, &b);
    sp->n = b.n;
    IF_REPORT(sp->left = b.two;)
    sp->at++;
    TAIL_CALL(choose_on);
}

static int failed_ANY_OF(ARGS)
{
    RESTORE();
    sp->at++;
    TAIL_CALL(choose_on);
}

/* Whether no branch after `at` admits the value: then the result is that of this one. */
INLINE bool is_last(const struct menu *m, uint32_t at, const struct cupel__node *v)
{
    while ((at = next_left(m, at + 1)) < m->subs->count)
        if (admits(m->subs->item[at], v))
            return false;
    return true;
}

#if REPORT
/* Begins a choice of the branches in vm->result.candidates, if it has a discriminator.  A frame is
 * pushed only for a branch that has to be entered, and to say why none will do. */
static int begin_choice(ARGS)
{
    struct menu m = whole_menu(vm, pc);
    struct branches b = {.end = m.subs->count, .notes = NOTES_SO_FAR};
    enum outcome o;
    if (is_sifted(*pc) && !TRACE)
        m = sifted_menu(vm, pc, vm->result.candidates);
    vm->log->muted++;
    WITH_WORK(o = run_branches(vm, &m, enough(vm, *pc), &b, v));
    vm->log->muted--;
    if (o == STOPPED)
        STOP(vm->reason);
    if (o == DONE && chosen(pc, &b))
        NEXT(2);
    if (o == DONE && !IS_TOLD)
        FAIL_AGAIN(2);
    PUSH_CHOICE(ANY_OF);
    sp->candidates = vm->result.candidates;
    sp->at = b.at;
    sp->n = b.n;
    sp->left = b.two;
    sp->notes = b.notes;
    if (o == DONE)
        TAIL_CALL(choose_on);
    ENTER_AT(vm->result.pc);
}

static int op_ANY_OF(ARGS)
{
    TAIL_CALL(begin_choice);
}

static int op_CHOOSE(ARGS)
{
    WITH_WORK((void)cupel__filter_branches(vm, pc, v));
    CHARGE(0);
    TAIL_CALL(begin_choice);
}

/* The verifier lets none into a report. */
static int op_CASES(ARGS)
{
    STOP(CUPEL_E_INTERNAL);
}
#else
/* A frame is pushed only for a branch that has to be entered and is not the last chance. */
static int op_ANY_OF(ARGS)
{
    const struct menu m = whole_menu(vm, pc);
    struct branches b = {0, 0, 0, 0, 0};
    enum outcome o;
    WITH_WORK(o = run_branches(vm, &m, enough(vm, *pc), &b, v));
    if (o == STOPPED)
        STOP(vm->reason);
    if (o == REST) {
        if (b.n == 0 && !vm->stateful && is_last(&m, b.at, v))
            INPLACE(CUPEL__SUB(CUPEL__M_ANY, vm->result.pc - vm->code), 2);
        PUSH_CHOICE(ANY_OF);
        sp->at = b.at;
        sp->n = b.n;
        ENTER_AT(vm->result.pc);
    }
    if (!chosen(pc, &b))
        FAIL(2, 0);
    NEXT(2);
}

static int op_CHOOSE(ARGS)
{
    bool single = false;
    if (vm->result.filtered != pc)
        WITH_WORK(single = cupel__filter_branches(vm, pc, v));
    vm->result.filtered = NULL;
    CHARGE(0);
    if (single)
        INPLACE(vm->result.sub, 4);
    PUSH_CHOICE(ANY_OF);
    sp->at = sp->n = 0;
    sp->candidates = vm->result.candidates;
    TAIL_CALL(choose_on);
}

static int op_CASES(ARGS)
{
    WITH_WORK(cupel__select_case(vm, pc, v));
    CHARGE(0);
    INPLACE(vm->result.sub, 3);
}
#endif

static int op_ONE_OF(ARGS)
{
    TAIL_CALL(op_ANY_OF);
}

static int op_NOT(ARGS)
{
    enum outcome o;
    IF_REPORT(const size_t notes = vm->log->nnotes;)
    WITH_WORK(o = try(vm, pc[1], v));
    if (o == STOPPED)
        STOP(vm->reason);
    if (o == FAILED)
        NEXT(2);
    if (o == DONE)
        FAIL(2, 0);
    PUSH_CHOICE(NOT);
    IF_REPORT(sp->notes = (uint32_t)notes;)
    ENTER_AT(vm->result.pc);
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
    enum outcome o;
    IF_REPORT(const size_t notes = vm->log->nnotes;)
    WITH_WORK(o = try(vm, pc[1], v));
    if (o == STOPPED)
        STOP(vm->reason);
    if (o != REST)
        INPLACE(o == DONE ? pc[2] : pc[3], 4);
    PUSH_CHOICE(IF);
    IF_REPORT(sp->notes = (uint32_t)notes;)
    ENTER_AT(vm->result.pc);
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

/* -- Results that are kept
 * --------------------------------------------------------------------------- */

/* Whether a report can do with a result instead of what led to it: of a schema that passed the
 * annotations, of one that failed the failures.  Those are wanted once more where they are not
 * nobody's, and there are not many yet (there is room for so many at the least): outside of
 * choices, where each is told; in them a few times. */
static bool result_will_do(struct cupel__vm *vm, const struct cupel__node *v, int result)
{
    enum { ENOUGH = 64 };
    if (!REPORT)
        return true;
    if (result > 0)
        return !WANT_NOTES;
    if (vm->stack.choice == 0)
        return vm->log->nevents >= ENOUGH;
    return !CUPEL__TELLS(vm, v) || vm->log->retold++ >= ENOUGH;
}

/* Whether a MEMO is told of a failure as choices are. */
#if REPORT
#    define TAKES_FAILURES (vm->log->muted > 0)
#else
#    define TAKES_FAILURES true
#endif

/* Runs the schema of a MEMO; `keeps`: for a result that is kept. */
static int enter_memo(ARGS)
{
    uint32_t sub = pc[1];
    bool keeps = vm->result.words, entered = true;
    if (!admits(sub, v))
        FAIL_AGAIN(2);
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(2);
    PUSH(MEMO);
    sp->at = keeps;
    sp->choice = vm->stack.choice;
    IF_REPORT(sp->ref = vm->log->ref;)
    if (TAKES_FAILURES)
        vm->stack.choice = (uint32_t)(sp - vm->stack.frames);
    if (keeps)
        WITH_WORK(entered = cupel__memo_enter(vm, sp));
    if (!entered)
        STOP(vm->reason);
    ENTER(sub);
}

static int op_MEMO(ARGS)
{
    int result = CUPEL__MEMO_NONE;
    bool keeps = !TRACE && cupel__memo_keeps(&vm->memo, *pc, steps, v);
    if (!keeps && !REPORT)
        INPLACE(pc[1], 2);
    if (keeps)
        HELP(cupel__memo_find(vm, (uint32_t)(pc - vm->code), (uint32_t)(v - vm->nodes)));
    if (steps < 0)
        TAIL_CALL(out_of_steps);
    vm->result.words = keeps;
    if (result == CUPEL__MEMO_NONE || !result_will_do(vm, v, result))
        TAIL_CALL(enter_memo);
    if (result == 0)
        FAIL_UNKNOWN(2);
    NEXT(2);
}

/* Takes the frame of a MEMO off, its result kept. */
#define LEAVE_MEMO(result)                                       \
    do {                                                         \
        bool kept = true;                                        \
        if (sp->at)                                              \
            WITH_WORK(kept = cupel__memo_leave(vm, sp, result)); \
        if (!kept)                                               \
            STOP(vm->reason);                                    \
        vm->stack.choice = sp->choice;                           \
        POP();                                                   \
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
