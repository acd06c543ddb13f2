/* loop.h: the verdict loop.  loop_threaded.c and loop_portable.c each compile it once.
 *
 * The including file defines
 *   LOOP       the name of the function that runs a program
 *   THREADED   1: each handler calls the next one as its last act, a jump that keeps the registers
 *              in those of the processor; 0: a handler returns, and LOOP calls the next one
 *
 * A sequence of instructions runs on one value, `v`.  The handler op_X runs the instruction X at
 * `pc`.  An instruction that applies another sequence pushes a frame, which says how to go on: when
 * that sequence has passed, passed_X continues with the frame X on top.  When an instruction fails,
 * the run ends, or unwinds to the innermost choice, whose failed_X goes on.  `next_X` goes on with
 * the next child or branch of the frame on top.
 *
 * Checks of a value and loops over children run without dispatch: inline_checks.h, traversal.h.
 * A frame is pushed only for what they cannot decide.
 *
 * Each instruction costs a step, each child and each branch another; the helpers charge the work
 * inside an instruction.  `steps` are the steps that are left.  The loop tests them wherever code
 * can be reached again, so between two tests it passes over the code at most once.
 *
 * The loop tests nothing that the verifier has proved (docs/verifier.md). */
#include "vm/run/candidates.h"
#include "vm/run/loop_dispatch.h"

/* -- Without frames ---------------------------------------------------------------------------- */

/* Runs the schema of a reference on v without a frame, out of line for instructions that do this
 * once.  ENTERED: vm->result.pc is where to go on. */
static enum cupel__outcome try_value(struct cupel__vm *vm, uint32_t sub, struct cupel__node *v)
{
    struct cupel__traversal t = {.child = v, .steps = vm->budget.remaining};
    const enum cupel__outcome outcome = cupel__try_sub(vm, sub, &t);
    vm->budget.remaining = t.steps;
    vm->result.pc = t.todo;
    return outcome;
}

/* Where a choice is: the branch, and how many have passed before it. */
struct branches {
    uint32_t at, n;
};

/* Tries the candidates from b->at on until the choice is decided or one has to be entered, which is
 * vm->result.pc.  A branch that is a loop over children is entered at once. */
INLINE enum cupel__outcome try_branches(struct cupel__vm *vm, const struct cupel__candidates *c,
                                        uint32_t word, struct cupel__node *v, struct branches *b)
{
    const uint32_t end = c->subs->count;
    const uint32_t most = cupel__is_one_of(word) ? 2 : cupel__branches_mark(word) ? UINT32_MAX : 1;
    for (; (b->at = cupel__next_candidate(c, b->at)) < end && b->n < most; b->at++) {
        const uint32_t sub = c->subs->item[b->at];
        if (--vm->budget.remaining < 0) {
            vm->reason = CUPEL_E_LIMIT_STEPS;
            return CUPEL__STOPPED;
        }
        if (!cupel__admits(sub, v))
            continue;
        vm->result.pc = vm->code + CUPEL__SUB_PC(sub);
        if (CUPEL__TRAVERSALS >> CUPEL__WORD_OP(*vm->result.pc) & 1)
            return CUPEL__ENTERED;
        const enum cupel__outcome outcome = try_value(vm, sub, v);
        if (outcome >= CUPEL__ENTERED)
            return outcome;
        b->n += outcome == CUPEL__PASSED;
    }
    return CUPEL__PASSED;
}

/* -- Checks and jumps -------------------------------------------------------------------------- */

/* (Steps are part of the interface: here UNIQUE charges its items, and MAX of small integers is
 * free; in cupel__run_sequence() it is the other way round.) */
static __attribute__((noinline)) int other_check(REGISTERS)
{
    const uint32_t op = CUPEL__WORD_OP(*pc);
    int result = op == CUPEL__OP_UNIQUE ? -1
                 : op == CUPEL__OP_MAX  ? cupel__inline_bound(vm, pc, v, -1)
                                        : cupel__check_inline(vm, pc, v, &steps);
    if (result < 0)
        CHARGED(result = cupel__check_value(vm, pc, v));
    if (result < 0)
        JUMP(stopped);
    if (result == 0)
        FAIL();
    NEXT(cupel__op_info[op].words);
}

/* All instructions whose flow is CHECK.  Most entered sequences begin with one of the first three.
 * They are handled here without a call, so no registers are saved: 36 machine instructions a run.
 */
static int op_check(REGISTERS)
{
    const bool fits = CUPEL__WORD_B(*pc) >> v->type & 1;
    switch (CUPEL__WORD_OP(*pc)) {
    case CUPEL__OP_ONLY:
        if (!fits)
            PASSED();
        NEXT(1);
    case CUPEL__OP_TYPE:
        if (!fits)
            FAIL();
        NEXT(1);
    case CUPEL__OP_COUNT:
        if (!cupel__inline_COUNT(pc, v))
            FAIL();
        NEXT(3);
    default:
        JUMP(other_check);
    }
}

static int op_SWITCH(REGISTERS)
{
    const uint32_t label = cupel__label_of(vm, pc, v);
    if (label == 0)
        PASSED();
    pc = vm->code + label;
    steps--;
    DISPATCH();
}

static int op_JUMP(REGISTERS)
{
    pc = vm->code + pc[1];
    steps--;
    DISPATCH();
}

/* Of report programs, which the evaluator runs (vm/report). */
static int op_NOTE(REGISTERS)
{
    NEXT(2);
}

/* -- OBJECT, MAP, ITEMS ------------------------------------------------------------------------ */

/* Runs the OBJECT, MAP or ITEMS at pc on v.  With pc NULL, goes on with the one in the frame on
 * top, whose child v has passed.  A child whose schema is such an instruction is entered here,
 * without dispatch. */
static int traverse(REGISTERS)
{
    struct cupel__traversal t = {.steps = steps};
    bool begin = pc != NULL;
    for (;;) {
        if (begin) {
            cupel__begin_traversal(vm, pc, v, &t);
        } else {
            t.at = sp->stage != 0 ? v - 1 : cupel__node_after(vm->nodes, v);
            t.left = sp->left - (sp->stage == 0);
            t.n = sp->n;
            t.stage = sp->stage;
            POP();
        }
        steps = t.steps;
        CHARGE(0);
        const enum cupel__outcome outcome = cupel__try_children(vm, pc, &t);
        steps = t.steps;
        if (outcome == CUPEL__FAILED)
            FAIL();
        if (outcome == CUPEL__STOPPED)
            JUMP(stopped);
        begin = outcome == CUPEL__ENTERED;
        if (begin) {
            PUSH(WALK);
            sp->left = t.left;
            sp->n = t.n;
            sp->stage = t.stage;
            v = t.child;
            pc = t.todo;
            if (!(CUPEL__TRAVERSALS >> CUPEL__WORD_OP(*pc) & 1))
                ENTER(pc);
        } else if (!(*pc & CUPEL__LAST)) {
            NEXT(2);
        } else if (sp->kind != CUPEL__FRAME_WALK) {
            PASSED();
        }
    }
}

static int passed_WALK(REGISTERS)
{
    pc = NULL;
    JUMP(traverse);
}

/* The next name of an OBJECT that knows few of many members; frame.n is the name's index. */
static int next_name(REGISTERS)
{
    const struct cupel__table *t = cupel__at(vm->image, vm->code[sp->pc + 1]);
    bool ok = true;
    for (; sp->n < t->count && ok; sp->n++) {
        const struct cupel__entry *entry = &cupel__table_entries(t)[sp->n];
        enum cupel__outcome outcome = CUPEL__PASSED;
        int found;
        CHARGE(1);
        CHARGED(found = cupel__find_entry(vm, t, entry, sp->v));
        if (found > 0)
            CHARGED(outcome = try_value(vm, entry->sub, vm->result.value));
        if (found < 0 || outcome == CUPEL__STOPPED)
            JUMP(stopped);
        if (outcome == CUPEL__ENTERED) {
            v = vm->result.value;
            ENTER(vm->result.pc);
        }
        ok = outcome != CUPEL__FAILED && (found > 0 || !entry->required);
    }
    POP();
    if (!ok)
        FAIL();
    NEXT(2);
}

static int passed_PICK(REGISTERS)
{
    sp->n++;
    JUMP(next_name);
}

static int op_OBJECT(REGISTERS)
{
    if (!cupel__knows_few(cupel__at(vm->image, pc[1]), v))
        JUMP(traverse);
    PUSH(PICK);
    sp->n = 0;
    JUMP(next_name);
}

static int op_MAP(REGISTERS)
{
    JUMP(traverse);
}

static int op_ITEMS(REGISTERS)
{
    JUMP(traverse);
}

/* -- MEMBERS, PREFIX, CONTAINS ----------------------------------------------------------------- */

/* Points the frame on top at the first child of v. */
INLINE void begin_children(const struct cupel__vm *vm, const struct cupel__node *v,
                           struct cupel__frame *sp)
{
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    sp->n = sp->stage = 0;
}

INLINE void next_item(const struct cupel__vm *vm, struct cupel__frame *sp)
{
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
}

/* The next schema for a member of a MEMBERS, or for its name. */
static int next_member(REGISTERS)
{
    const struct cupel__table *t = cupel__at(vm->image, vm->code[sp->pc + 1]);
    bool ok = true;
    for (;;) {
        int more;
        CHARGED(more = cupel__next_member(vm, sp));
        if (more < 0)
            JUMP(stopped);
        ok = more == 0 ? sp->n == t->required : cupel__admits(vm->result.sub, vm->result.value);
        if (more == 0 || !ok)
            break;
        if (CUPEL__SUB_PC(vm->result.sub) != 0) {
            v = vm->result.value;
            ENTER_SUB(vm->result.sub);
        }
    }
    POP();
    if (!ok)
        FAIL();
    NEXT(2);
}

static int op_MEMBERS(REGISTERS)
{
    PUSH(MEMBERS);
    begin_children(vm, v, sp);
    JUMP(next_member);
}

/* The next item of a PREFIX; frame.n is its position. */
static int next_prefix(REGISTERS)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, vm->code[sp->pc + 1]);
    enum cupel__outcome outcome = CUPEL__PASSED;
    for (; sp->left > 0 && sp->n < subs->count; next_item(vm, sp)) {
        const uint32_t sub = subs->item[sp->n++];
        struct cupel__node *item = vm->nodes + sp->at;
        CHARGE(1);
        CHARGED(outcome = try_value(vm, sub, item));
        if (outcome == CUPEL__STOPPED)
            JUMP(stopped);
        if (outcome == CUPEL__FAILED)
            break;
        if (outcome == CUPEL__ENTERED) {
            v = item;
            ENTER(vm->result.pc);
        }
    }
    POP();
    if (outcome == CUPEL__FAILED)
        FAIL();
    NEXT(2);
}

static int op_PREFIX(REGISTERS)
{
    const uint32_t n = cupel__image_list(vm->image, pc[1])->count;
    if (CUPEL__WORD_A(*pc))
        CHARGED(cupel__mark(vm, (uint32_t)(v - vm->nodes), 0, n < v->count ? n : v->count));
    PUSH(PREFIX);
    begin_children(vm, v, sp);
    JUMP(next_prefix);
}

static int passed_PREFIX(REGISTERS)
{
    next_item(vm, sp);
    JUMP(next_prefix);
}

/* The item of the CONTAINS on top has passed. */
INLINE void count_item(struct cupel__vm *vm, struct cupel__frame *sp)
{
    const uint32_t i = vm->nodes[sp->v].count - sp->left;
    if (CUPEL__WORD_A(vm->code[sp->pc]))
        cupel__mark(vm, sp->v, i, i + 1);
    if (vm->stateful)
        cupel__choice_update(vm, sp);
    sp->n++;
}

/* The next item of a CONTAINS, of which frame.n have passed. */
static int next_contained(REGISTERS)
{
    const uint32_t *word = vm->code + sp->pc;
    for (; sp->left > 0; next_item(vm, sp)) {
        struct cupel__node *item = vm->nodes + sp->at;
        enum cupel__outcome outcome;
        const bool decided = sp->n > word[3] || (sp->n >= word[2] && word[3] == UINT32_MAX);
        if (decided && !CUPEL__WORD_A(*word))
            break;
        CHARGE(1);
        CHARGED(outcome = try_value(vm, word[1], item));
        if (outcome == CUPEL__STOPPED)
            JUMP(stopped);
        if (outcome == CUPEL__ENTERED) {
            v = item;
            ENTER(vm->result.pc);
        }
        if (outcome == CUPEL__PASSED)
            CHARGED(count_item(vm, sp));
    }
    const bool ok = sp->n >= word[2] && sp->n <= word[3];
    POP_CHOICE();
    if (!ok)
        FAIL();
    NEXT(4);
}

static int op_CONTAINS(REGISTERS)
{
    PUSH(CONTAINS);
    begin_choice(vm, sp);
    if (vm->stateful)
        CHARGED(cupel__choice_begin(vm, sp));
    begin_children(vm, v, sp);
    JUMP(next_contained);
}

static int passed_CONTAINS(REGISTERS)
{
    CHARGED(count_item(vm, sp));
    next_item(vm, sp);
    JUMP(next_contained);
}

static int failed_CONTAINS(REGISTERS)
{
    RESTORE_CHOICE();
    next_item(vm, sp);
    JUMP(next_contained);
}

/* -- Schemas applied to the same value --------------------------------------------------------- */

/* APPLY: at the end of a sequence no frame is needed. */
static int apply(REGISTERS)
{
    const uint32_t sub = vm->result.sub, words = vm->result.words;
    if (!cupel__admits(sub, v))
        FAIL();
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(words);
    if (!(*pc & CUPEL__LAST)) {
        PUSH(CALL);
        sp->pc += words;
    }
    ENTER_SUB(sub);
}

static int passed_CALL(REGISTERS)
{
    POP();
    steps--;
    DISPATCH();
}

static int op_CALL(REGISTERS)
{
    APPLY(pc[1], 2);
}

static int op_IMPLIES(REGISTERS)
{
    int found;
    CHARGED(found = cupel__has_member(vm, v, pc[1]));
    if (found < 0)
        JUMP(stopped);
    if (found == 0)
        NEXT(3);
    APPLY(pc[2], 3);
}

static int op_CASES(REGISTERS)
{
    CHARGED(cupel__select_case(vm, pc, v));
    CHARGE(0);
    APPLY(vm->result.sub, 3);
}

/* Runs branch frame.at of the choice on top of the stack.  frame.n branches before it have passed.
 */
static int next_branch(REGISTERS)
{
    struct branches b = {sp->at, sp->n};
    enum cupel__outcome outcome;
    pc = vm->code + sp->pc;
    v = vm->nodes + sp->v;
    const struct cupel__candidates c = cupel__candidates_of(vm->image, pc, sp->candidates);
    CHARGED(outcome = try_branches(vm, &c, *pc, v, &b));
    if (outcome == CUPEL__STOPPED)
        JUMP(stopped);
    if (outcome == CUPEL__ENTERED) {
        sp->at = b.at;
        sp->n = b.n;
        ENTER(vm->result.pc);
    }
    POP_CHOICE();
    if (!cupel__is_chosen(*pc, b.n))
        FAIL();
    NEXT(cupel__op_info[CUPEL__WORD_OP(*pc)].words);
}

static int passed_ANY_OF(REGISTERS)
{
    UPDATE_CHOICE();
    sp->n++;
    sp->at++;
    JUMP(next_branch);
}

static int failed_ANY_OF(REGISTERS)
{
    RESTORE_CHOICE();
    sp->at++;
    JUMP(next_branch);
}

/* Pushes a frame only for a branch that has to be entered and is not the last that admits v. */
static int op_ANY_OF(REGISTERS)
{
    const struct cupel__candidates c = cupel__all_branches(vm->image, pc);
    struct branches b = {0, 0};
    enum cupel__outcome outcome;
    CHARGED(outcome = try_branches(vm, &c, *pc, v, &b));
    if (outcome == CUPEL__STOPPED)
        JUMP(stopped);
    if (outcome == CUPEL__ENTERED) {
        if (b.n == 0 && !vm->stateful && cupel__is_last_candidate(&c, b.at, v))
            APPLY(CUPEL__SUB(CUPEL__M_ANY, vm->result.pc - vm->code), 2);
        PUSH_CHOICE(ANY_OF);
        sp->at = b.at;
        sp->n = b.n;
        ENTER(vm->result.pc);
    }
    if (!cupel__is_chosen(*pc, b.n))
        FAIL();
    NEXT(2);
}

static int op_ONE_OF(REGISTERS)
{
    JUMP(op_ANY_OF);
}

static int op_CHOOSE(REGISTERS)
{
    bool single = false;
    if (vm->result.filtered != pc)
        CHARGED(single = cupel__filter_branches(vm, pc, v));
    vm->result.filtered = NULL;
    CHARGE(0);
    if (single)
        APPLY(vm->result.sub, 4);
    PUSH_CHOICE(ANY_OF);
    sp->at = sp->n = 0;
    sp->candidates = vm->result.candidates;
    JUMP(next_branch);
}

static int op_NOT(REGISTERS)
{
    enum cupel__outcome outcome;
    CHARGED(outcome = try_value(vm, pc[1], v));
    if (outcome == CUPEL__STOPPED)
        JUMP(stopped);
    if (outcome == CUPEL__FAILED)
        NEXT(2);
    if (outcome == CUPEL__PASSED)
        FAIL();
    PUSH_CHOICE(NOT);
    ENTER(vm->result.pc);
}

static int passed_NOT(REGISTERS)
{
    POP_CHOICE();
    FAIL();
}

static int failed_NOT(REGISTERS)
{
    RESTORE_CHOICE();
    POP_CHOICE();
    NEXT(2);
}

static int op_IF(REGISTERS)
{
    enum cupel__outcome outcome;
    CHARGED(outcome = try_value(vm, pc[1], v));
    if (outcome == CUPEL__STOPPED)
        JUMP(stopped);
    if (outcome != CUPEL__ENTERED)
        APPLY(outcome == CUPEL__PASSED ? pc[2] : pc[3], 4);
    PUSH_CHOICE(IF);
    ENTER(vm->result.pc);
}

static int passed_IF(REGISTERS)
{
    POP_CHOICE();
    APPLY(pc[2], 4);
}

static int failed_IF(REGISTERS)
{
    RESTORE_CHOICE();
    POP_CHOICE();
    APPLY(pc[3], 4);
}

/* -- Results that are kept --------------------------------------------------------------------- */

static int op_MEMO(REGISTERS)
{
    const uint32_t sub = pc[1];
    int result;
    bool entered;
    if (!cupel__memo_keeps(&vm->memo, *pc, steps, v))
        APPLY(sub, 2);
    CHARGED(result = cupel__memo_find(vm, (uint32_t)(pc - vm->code), (uint32_t)(v - vm->nodes)));
    CHARGE(0);
    if (result == 0 || (result == CUPEL__MEMO_NONE && !cupel__admits(sub, v)))
        FAIL();
    if (result != CUPEL__MEMO_NONE || CUPEL__SUB_PC(sub) == 0)
        NEXT(2);
    PUSH(MEMO);
    begin_choice(vm, sp);
    CHARGED(entered = cupel__memo_enter(vm, sp));
    if (!entered)
        JUMP(stopped);
    ENTER_SUB(sub);
}

/* Keeps the result of the MEMO on top, and pops its frame. */
#define LEAVE_MEMO(result)                                 \
    do {                                                   \
        bool kept;                                         \
        CHARGED(kept = cupel__memo_leave(vm, sp, result)); \
        if (!kept)                                         \
            JUMP(stopped);                                 \
        vm->stack.choice = sp->choice;                     \
        POP();                                             \
    } while (0)

static int passed_MEMO(REGISTERS)
{
    LEAVE_MEMO(true);
    NEXT(2);
}

static int failed_MEMO(REGISTERS)
{
    LEAVE_MEMO(false);
    FAIL();
}

/* -- Evaluated children, dynamic scope --------------------------------------------------------- */

/* The next child that the first schema of an UNEVALUATED left; frame.n is its position. */
static int next_unevaluated(REGISTERS)
{
    const bool object = vm->nodes[sp->v].type == CUPEL__OBJECT;
    const uint32_t sub = vm->code[sp->pc + (object ? 2 : 3)];
    bool ok = true;
    for (; sp->left > 0 && sub != CUPEL__SUB_ANY && ok; sp->left--, sp->n++) {
        struct cupel__node *child = vm->nodes + sp->at + object;
        CHARGE(1);
        if (!cupel__is_evaluated(vm, sp, sp->n)) {
            ok = cupel__admits(sub, child);
            if (ok && CUPEL__SUB_PC(sub) != 0) {
                v = child;
                ENTER_SUB(sub);
            }
        }
        sp->at = cupel__node_next(vm->nodes, (uint32_t)(child - vm->nodes));
    }
    CHARGED(cupel__track_end(vm, sp));
    POP();
    if (!ok)
        FAIL();
    NEXT(4);
}

/* The first schema has passed (stage 0), or a child. */
static int passed_UNEVALUATED(REGISTERS)
{
    if (sp->stage == 0) {
        begin_children(vm, vm->nodes + sp->v, sp);
        sp->stage = 1;
    } else {
        sp->at = cupel__node_next(vm->nodes, sp->at + (vm->nodes[sp->v].type == CUPEL__OBJECT));
        sp->left--;
        sp->n++;
    }
    JUMP(next_unevaluated);
}

static int op_UNEVALUATED(REGISTERS)
{
    const uint32_t sub = pc[1], rest = v->type == CUPEL__OBJECT ? pc[2] : pc[3];
    bool begun;
    if (v->type < CUPEL__ARRAY || rest == CUPEL__NO_SUB)
        APPLY(sub, 4);
    if (!cupel__admits(sub, v))
        FAIL();
    PUSH(UNEVALUATED);
    CHARGED(begun = cupel__track_begin(vm, sp));
    if (!begun)
        JUMP(stopped);
    if (CUPEL__SUB_PC(sub) == 0)
        JUMP(passed_UNEVALUATED);
    ENTER_SUB(sub);
}

static int op_SCOPE(REGISTERS)
{
    const uint32_t sub = pc[1];
    const struct cupel__list *list = cupel__image_list(vm->image, pc[2]);
    CHARGE(list->count);
    if (!cupel__admits(sub, v))
        FAIL();
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(3);
    PUSH(SCOPE);
    sp->bound = cupel__scope_bind(&vm->scope, list->item, list->count);
    sp->scope = vm->scope.number;
    if (sp->bound != 0 && vm->memos && !cupel__memo_scope(vm, sp->pc))
        JUMP(stopped);
    ENTER_SUB(sub);
}

static int passed_SCOPE(REGISTERS)
{
    vm->scope.bound &= ~sp->bound;
    vm->scope.number = sp->scope;
    POP();
    NEXT(3);
}

static int op_DYNAMIC(REGISTERS)
{
    APPLY(cupel__dynamic_sub(&vm->scope, pc), 2);
}

/* -- Ends of the run --------------------------------------------------------------------------- */

/* Without a verdict; vm->reason is set. */
static int stopped(REGISTERS)
{
    (void)pc, (void)v, (void)sp;
    vm->budget.remaining = steps;
    return CUPEL_UNDECIDED;
}

static int out_of_steps(REGISTERS)
{
    vm->reason = CUPEL_E_LIMIT_STEPS;
    JUMP(stopped);
}

static int out_of_frames(REGISTERS)
{
    vm->reason = CUPEL_E_LIMIT_STACK;
    JUMP(stopped);
}

static int passed_BASE(REGISTERS)
{
    (void)pc, (void)v, (void)sp;
    vm->budget.remaining = steps;
    return CUPEL_VALID;
}

/* A failure goes to the innermost choice. */
static int unwind(REGISTERS)
{
    if (vm->stack.choice == 0) {
        vm->budget.remaining = steps;
        return CUPEL_INVALID;
    }
    sp = vm->stack.frames + vm->stack.choice;
    JUMP(failed[sp->kind]);
}

/* -- Tables ------------------------------------------------------------------------------------ */

static handler *const handlers[CUPEL__OPS] = {
#define HANDLER_CHECK(name) op_check
#define HANDLER_TEST(name)  op_##name
#define HANDLER_JUMP(name)  op_##name
#define OP(name, on, a, b, c, d, e, flow, problem, summary) \
    [CUPEL__OP_##name] = HANDLER_##flow(name),
#include "vm/program/opcodes.def"
};

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

/* -- The run ----------------------------------------------------------------------------------- */

enum cupel_verdict LOOP(struct cupel__vm *vm, uint32_t node)
{
    struct cupel__node *v = vm->nodes + node;
    const uint32_t root = vm->program->root, *pc = vm->code + CUPEL__SUB_PC(root);
    cupel__vm_begin(vm);
    if (!cupel__admits(root, v))
        return CUPEL_INVALID;
    if (CUPEL__SUB_PC(root) == 0)
        return CUPEL_VALID;
    int result =
        handlers[CUPEL__WORD_OP(*pc)](vm, pc, v, vm->stack.frames, vm->budget.remaining - 1);
#if !THREADED
    while (result == CONTINUE) {
        const struct cupel__registers r = vm->registers;
        result = r.next(vm, r.pc, r.v, r.sp, vm->budget.remaining);
    }
#endif
    return (enum cupel_verdict)result;
}
