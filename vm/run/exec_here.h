/* exec_here.h: instructions that apply other schemas to the same value.  Part of exec_loop.h, which
 * includes it. */

/* The rest of an instruction of n words is that v passes `sub`. */
#define INPLACE(ref, size)         \
    do {                           \
        vm->result.sub = (ref);    \
        vm->result.words = (size); \
        TAIL_CALL(inplace);        \
    } while (0)

/* The last instruction of a sequence needs no frame to come back to. */
static int inplace(ARGS)
{
    uint32_t sub = vm->result.sub, n = vm->result.words;
    if (!cupel__admits(sub, v))
        FAIL();
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(n);
    if (!(*pc & CUPEL__LAST)) {
        PUSH(CALL);
        sp->pc += n;
    }
    ENTER(sub);
}

static int passed_CALL(ARGS)
{
    POP();
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

/* After so many branches that passed the others do not matter. Where branches evaluate,
 * all of them run. */
INLINE uint32_t enough(uint32_t word)
{
    if (wants_one(word))
        return 2;
    return (!is_sifted(word) && CUPEL__WORD_A(word)) ? UINT32_MAX : 1;
}

/* Runs branches on v until one has to be entered. */
INLINE enum outcome run_branches(struct cupel__vm *vm, const struct menu *m, uint32_t most,
                                 struct branches *b, struct cupel__node *v)
{
    const uint32_t end = m->subs->count;
    for (; (b->at = next_left(m, b->at)) < end && b->n < most; b->at++) {
        uint32_t sub = m->subs->item[b->at];
        if (--vm->budget.remaining < 0) {
            vm->reason = CUPEL_E_LIMIT_STEPS;
            return STOPPED;
        }
        if (!cupel__admits(sub, v))
            continue;
        vm->result.pc = vm->code + CUPEL__SUB_PC(sub);
        if (WALKS >> CUPEL__WORD_OP(*vm->result.pc) & 1)
            return REST;
        enum outcome o = try(vm, sub, v);
        if (o >= REST)
            return o;
        if (o == DONE)
            b->n++;
    }
    return DONE;
}

INLINE bool chosen(const uint32_t *pc, const struct branches *b)
{
    return wants_one(*pc) ? b->n == 1 : b->n > 0;
}

/* What of the choice in the top frame is tried; when a report says why it failed, whatever a
 * discriminator left. */
INLINE struct menu menu_of(const struct cupel__vm *vm, const uint32_t *pc,
                           const struct cupel__frame *sp)
{
    if (is_sifted(*pc))
        return sifted_menu(vm, pc, sp->candidates);
    return whole_menu(vm, pc);
}

/* Goes on with the branch in the frame: `n` have passed before it, `left` keeps which. */
static int choose_on(ARGS)
{
    struct branches b = {sp->at, sp->n};
    enum outcome o;
    pc = vm->code + sp->pc;
    v = vm->nodes + sp->v;
    const struct menu m = menu_of(vm, pc, sp);
    WITH_WORK(o = run_branches(vm, &m, enough(*pc), &b, v));
    if (o == STOPPED)
        STOP(vm->reason);
    if (o == REST) {
        sp->at = b.at;
        sp->n = b.n;

        ENTER_AT(vm->result.pc);
    }
    if (!chosen(pc, &b)) {
        POP_CHOICE();
        FAIL();
    }
    POP_CHOICE();
    NEXT(CHOICE_WORDS(*pc));
}

static int passed_ANY_OF(ARGS)
{
    KEEP_ANEW();
    sp->n++;
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
        if (cupel__admits(m->subs->item[at], v))
            return false;
    return true;
}

/* A frame is pushed only for a branch that has to be entered and is not the last chance. */
static int op_ANY_OF(ARGS)
{
    const struct menu m = whole_menu(vm, pc);
    struct branches b = {0, 0};
    enum outcome o;
    WITH_WORK(o = run_branches(vm, &m, enough(*pc), &b, v));
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
        FAIL();
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

static int op_ONE_OF(ARGS)
{
    TAIL_CALL(op_ANY_OF);
}

static int op_NOT(ARGS)
{
    enum outcome o;

    WITH_WORK(o = try(vm, pc[1], v));
    if (o == STOPPED)
        STOP(vm->reason);
    if (o == FAILED)
        NEXT(2);
    if (o == DONE)
        FAIL();
    PUSH_CHOICE(NOT);

    ENTER_AT(vm->result.pc);
}

static int passed_NOT(ARGS)
{
    POP_CHOICE();
    FAIL();
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

    WITH_WORK(o = try(vm, pc[1], v));
    if (o == STOPPED)
        STOP(vm->reason);
    if (o != REST)
        INPLACE(o == DONE ? pc[2] : pc[3], 4);
    PUSH_CHOICE(IF);

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

static int op_MEMO(ARGS)
{
    int result;
    if (!cupel__memo_keeps(&vm->memo, *pc, steps, v))
        INPLACE(pc[1], 2);
    HELP(cupel__memo_find(vm, (uint32_t)(pc - vm->code), (uint32_t)(v - vm->nodes)));
    CHARGE(0);
    if (result == 0 || (result == CUPEL__MEMO_NONE && !cupel__admits(pc[1], v)))
        FAIL();
    if (result != CUPEL__MEMO_NONE || CUPEL__SUB_PC(pc[1]) == 0)
        NEXT(2);
    uint32_t sub = pc[1];
    PUSH(MEMO);
    sp->choice = vm->stack.choice;
    vm->stack.choice = (uint32_t)(sp - vm->stack.frames);
    bool entered;
    WITH_WORK(entered = cupel__memo_enter(vm, sp));
    if (!entered)
        STOP(vm->reason);
    ENTER(sub);
}

/* Takes the frame of a MEMO off, its result kept. */
#define LEAVE_MEMO(result)                                   \
    do {                                                     \
        bool kept;                                           \
        WITH_WORK(kept = cupel__memo_leave(vm, sp, result)); \
        if (!kept)                                           \
            STOP(vm->reason);                                \
        vm->stack.choice = sp->choice;                       \
        POP();                                               \
    } while (0)

static int passed_MEMO(ARGS)
{
    LEAVE_MEMO(true);
    NEXT(2);
}

static int failed_MEMO(ARGS)
{
    LEAVE_MEMO(false);
    FAIL();
}
