/* exec_loop.h: the loop, compiled once for each way of running it.
 *
 * The file that includes this one defines
 *   EXEC       the name of the function
 *   THREADED   1: each handler calls the next as its last act, so the machine's registers stay in the
 *              processor's; 0: handlers return to a switch
 *   REPORT     1: a failure is recorded and the sequence goes on; its end then tells
 *
 * A handler is a dozen lines at most and names its operands first; what is larger is a helper.  The
 * machine's state is `pc`, `v`, `sp` and `steps`, and the frames below `sp`:
 *
 *   A sequence runs on one value.  What wants another sequence run pushes a frame that says how to go on.
 *   At its end a sequence looks at the top frame: passed() if all went well.  A failure goes to the
 *   innermost choice instead, dropping the frames above it (in a report: it too goes to the top frame,
 *   which has noted it).
 *
 * Every instruction costs a step, every child and every branch another; work inside an instruction is
 * charged by the helper that does it.  The budget is looked at wherever code can be reached again, so
 * between two looks there is at most one pass over the code.
 *
 * Nothing is checked here that verify.c has proved. */
#include "exec.h"

#if THREADED
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

#define ARGS struct cupel__vm *vm, const uint32_t *pc, struct cupel__node *v, \
             struct cupel__frame *sp, int64_t steps
#define PASS vm, pc, v, sp, steps

typedef int handler(ARGS);

/* What a handler returns when it is the machine's turn again; verdicts are 0, 1, 2. */
enum { AGAIN_OP = 3, AGAIN_PASSED, AGAIN_FAILED };

static handler *const passed[CUPEL__FRAMES];
static handler *const failed[CUPEL__FRAMES];

#if THREADED
#if defined(__clang__)
#define TAIL __attribute__((musttail)) return
#else
#define TAIL return
#endif
static handler *const handlers[CUPEL__OPS];
static int unwind(ARGS);
#define DISPATCH() TAIL handlers[CUPEL__WORD_OP(*pc)](PASS)
#define PASSED()   TAIL passed[sp->kind](PASS)
#define UNWIND()   TAIL unwind(PASS)
#define TAIL_CALL(handler) TAIL handler(PASS)
#else
#define TAIL_CALL(handler) return handler(PASS)
#define SAVE() (vm->pc = pc, vm->v = v, vm->sp = sp, vm->work.left = steps)
#define DISPATCH()        \
    do {                  \
        SAVE();           \
        return AGAIN_OP;  \
    } while (0)
#define PASSED()             \
    do {                     \
        SAVE();              \
        return AGAIN_PASSED; \
    } while (0)
#define UNWIND()             \
    do {                     \
        SAVE();              \
        return AGAIN_FAILED; \
    } while (0)
#endif

/* Ends the run without a verdict. */
#define STOP(why)              \
    do {                       \
        vm->reason = (why);    \
        TAIL_CALL(stopped);    \
    } while (0)

#define CHARGE(n)                      \
    do {                               \
        steps -= (int64_t)(n);         \
        if (steps < 0)                 \
            TAIL_CALL(out_of_steps);   \
    } while (0)

/* Ends this instruction, of n words. */
#define NEXT(n)                       \
    do {                              \
        if (*pc & CUPEL__LAST)        \
            PASSED();                 \
        pc += (n);                    \
        steps--;                      \
        DISPATCH();                   \
    } while (0)

/* Runs something that charges vm->work. */
#define WITH_WORK(...)             \
    do {                           \
        vm->work.left = steps;     \
        __VA_ARGS__;               \
        steps = vm->work.left;     \
    } while (0)

/* Runs the sequence of a reference, whose types have been looked at, on the value v. */
#define ENTER(sub)                               \
    do {                                         \
        pc = vm->code + CUPEL__SUB_PC(sub);      \
        CHARGE(1);                               \
        DISPATCH();                              \
    } while (0)

#define PUSH(k)                                  \
    do {                                         \
        if (sp == vm->limit)                     \
            STOP(CUPEL_E_LIMIT_STACK);           \
        sp++;                                    \
        sp->kind = CUPEL__FRAME_##k;             \
        sp->pc = (uint32_t)(pc - vm->code);      \
        sp->v = (uint32_t)(v - vm->nodes);       \
        IF_REPORT(sp->failed = 0; sp->notes = (uint32_t)vm->nnotes;) \
    } while (0)

/* A choice takes failures from now on. */
#define PUSH_CHOICE(k)                                                       \
    do {                                                                     \
        PUSH(k);                                                             \
        sp->choice = vm->choice;                                             \
        vm->choice = (uint32_t)(sp - vm->frames);                            \
        IF_REPORT(sp->events = vm->nevents;)                                 \
        if (vm->stateful) {                                                  \
            bool kept;                                                       \
            WITH_WORK(kept = cupel__choice_keep(vm, sp));                    \
            if (!kept)                                                       \
                STOP(vm->reason);                                            \
        }                                                                    \
    } while (0)

/* A branch has passed, a branch has failed. */
#define KEEP_ANEW()                                        \
    do {                                                   \
        if (vm->stateful)                                  \
            WITH_WORK(cupel__choice_keep_anew(vm, sp));    \
        IF_REPORT(sp->notes = (uint32_t)vm->nnotes;)       \
    } while (0)
#define RESTORE()                                          \
    do {                                                   \
        if (vm->stateful)                                  \
            WITH_WORK(cupel__choice_restore(vm, sp));      \
        IF_REPORT(sp->failed = 0;)                         \
    } while (0)

/* Takes the top frame off, back in the instruction that pushed it. */
#define POP()                           \
    do {                                \
        pc = vm->code + sp->pc;         \
        v = vm->nodes + sp->v;          \
        sp--;                           \
    } while (0)

#define POP_CHOICE()                                          \
    do {                                                      \
        vm->choice = sp->choice;                              \
        if (vm->stateful)                                     \
            vm->nbits = sp->bits;                             \
        IF_REPORT(vm->nevents = sp->events; sp->failed = 0;)  \
        POP();                                                \
    } while (0)

#if REPORT
#define IF_REPORT(...) __VA_ARGS__
/* This instruction, of n words, failed; `which` says more. */
#define FAIL(n, which)                                          \
    do {                                                        \
        event(vm, pc, v, which);                                \
        sp->failed = 1;                                         \
        NEXT(n);                                                \
    } while (0)

static void event(struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v,
                  uint32_t which)
{
    if (vm->nevents < vm->max_events)
        vm->events[vm->nevents++] = (struct cupel__event){
            (uint32_t)(pc - vm->code), (uint32_t)(v - vm->nodes), which};
}
#else
#define IF_REPORT(...)
#define FAIL(n, which) UNWIND()
#endif

static int stopped(ARGS)
{
    (void)pc, (void)v, (void)sp;
    vm->work.left = steps;
    return CUPEL_UNDECIDED;
}

static int out_of_steps(ARGS)
{
    STOP(CUPEL_E_LIMIT_STEPS);
}

INLINE bool admits(uint32_t sub, const struct cupel__node *v)
{
    return sub >> v->type & 1;
}

/* -- Instructions that look at one value ---------------------------------------------------------- */

/* The end of such an instruction, of n words, by the result of its check.  The helpers charge
 * vm->work; HELP keeps it and `steps` the same around them. */
#define HELP(call) ((void)(vm->work.left = steps), result = (call), steps = vm->work.left)
#define END(n)                                    \
    do {                                          \
        if (result > 0)                           \
            NEXT(n);                              \
        if (result < 0)                           \
            STOP(vm->reason);                     \
        FAIL(n, 0);                               \
    } while (0)

INLINE bool is_small(const struct cupel__node *v)
{
    return v->type == CUPEL__INT || (v->type == CUPEL__INTREAL && !(v->flags & CUPEL__BIG));
}

INLINE uint64_t head_of(const struct cupel__vm *vm, const struct cupel__node *v)
{
    struct cupel__name n = cupel__name(vm->doc->base[v->flags >> 1 & 1] + v->off, v->len);
    return n.head;
}

/* The checks of the commonest instructions, inline: they also run inside the object and array loops.
 * Each returns -1 where its handler has to ask a helper. */
INLINE int quick_RANGE(const uint32_t *pc, const struct cupel__node *v)
{
    return is_small(v) ? v->i >= (int32_t)pc[1] && v->i <= (int32_t)pc[2] : -1;
}

INLINE int quick_LENGTH(const uint32_t *pc, const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING)
        return -1;
    if (v->len < pc[1] || (v->len + 3u) / 4 > pc[2])
        return 0;
    return v->len <= pc[2] && v->len / 4 >= pc[1] ? 1 : -1;
}

INLINE int quick_STRINGS(const struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING || v->len >= 32)
        return -1;
    return cupel__table_find(vm->image, cupel__at(vm->image, pc[1]),
                             vm->doc->base[v->flags >> 1 & 1] + v->off, v->len) != NULL;
}

INLINE int quick_STRING(const struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v)
{
    if (v->type != CUPEL__STRING)
        return -1;
    return v->len == CUPEL__WORD_B(*pc) && head_of(vm, v) == ((uint64_t)pc[2] << 32 | pc[1]);
}

INLINE int quick_COUNT(const uint32_t *pc, const struct cupel__node *v)
{
    return v->count >= pc[1] && v->count <= pc[2];
}

#if !REPORT
INLINE int quick(const struct cupel__vm *vm, const uint32_t *pc, const struct cupel__node *v)
{
    switch (CUPEL__WORD_OP(*pc)) {
    case CUPEL__OP_RANGE:
        return quick_RANGE(pc, v);
    case CUPEL__OP_LENGTH:
        return quick_LENGTH(pc, v);
    case CUPEL__OP_STRINGS:
        return quick_STRINGS(vm, pc, v);
    case CUPEL__OP_STRING:
        return quick_STRING(vm, pc, v);
    case CUPEL__OP_COUNT:
        return quick_COUNT(pc, v);
    default:
        return -1;
    }
}
#endif

static int op_FAIL(ARGS)
{
    FAIL(1, 0);
}

static int op_TYPE(ARGS)
{
    if (CUPEL__WORD_B(*pc) >> v->type & 1)
        NEXT(1);
    FAIL(1, 0);
}

static int op_ONLY(ARGS)
{
    if (CUPEL__WORD_B(*pc) >> v->type & 1)
        NEXT(1);
    PASSED();
}

static int op_SWITCH(ARGS)
{
    uint32_t label =
        cupel__image_list(vm->image, pc[1])->item[cupel__class_of[v->type]];
    if (label == 0)
        PASSED();
    pc = vm->code + label;
    steps--;
    DISPATCH();
}

static int op_JUMP(ARGS)
{
    pc = vm->code + pc[1];
    steps--;
    DISPATCH();
}

static int op_CONST(ARGS)
{
    int result;
    HELP(cupel__check_equal(vm, v, pc[1]));
    END(2);
}

static int op_ENUM(ARGS)
{
    int result;
    HELP(cupel__check_enum(vm, v, pc[1]));
    END(2);
}

/* sign 1: v is not below the bound; -1: not above it. */
static int bound(ARGS, int sign)
{
    const struct cupel__node *limit = &vm->program->values.nodes[pc[1]];
    bool exclusive = CUPEL__WORD_A(*pc);
    int result;
    if (is_small(v) && is_small(limit)) {
        int order = (v->i > limit->i) - (v->i < limit->i);
        result = order * sign >= exclusive;
    } else {
        HELP(cupel__check_bound(vm, v, pc[1], sign, exclusive));
    }
    (void)sp;
    vm->work.left = steps;
    return result;
}

static int op_MIN(ARGS)
{
    int result = bound(PASS, 1);
    steps = vm->work.left;
    END(2);
}

static int op_MAX(ARGS)
{
    int result = bound(PASS, -1);
    steps = vm->work.left;
    END(2);
}

static int op_RANGE(ARGS)
{
    int result = quick_RANGE(pc, v);
    if (result < 0)
        HELP(cupel__check_range(vm, v, (int32_t)pc[1], (int32_t)pc[2]));
    END(3);
}

static int op_MULTIPLE(ARGS)
{
    int result;
    HELP(cupel__check_multiple(vm, v, pc[1]));
    END(2);
}

static int op_LENGTH(ARGS)
{
    int result = quick_LENGTH(pc, v);
    if (result < 0)
        HELP(cupel__check_length(vm, v, pc[1], pc[2]));
    END(3);
}

static int op_PATTERN(ARGS)
{
    int result;
    HELP(cupel__check_pattern(vm, v, pc[1]));
    END(2);
}

static int op_STRINGS(ARGS)
{
    int result;
    HELP(cupel__check_strings(vm, v, pc[1]));
    END(2);
}

static int op_STRING(ARGS)
{
    if (v->type != CUPEL__STRING)
        cupel__doc_decode(vm->doc, v);
    int result = quick_STRING(vm, pc, v);
    END(3);
}

static int op_COUNT(ARGS)
{
    int result = quick_COUNT(pc, v);
    END(3);
}

static int op_UNIQUE(ARGS)
{
    int result;
    HELP(cupel__check_unique(vm, v));
    END(1);
}

static int op_REQUIRED(ARGS)
{
    int result;
    vm->which = 0;
#if REPORT
    for (; HELP(cupel__check_required(vm, v, pc[1])), result == 0; vm->which++) {
        event(vm, pc, v, vm->which);
        sp->failed = 1;
    }
#else
    HELP(cupel__check_required(vm, v, pc[1]));
#endif
    END(2);
}

static int op_DEPENDS(ARGS)
{
    int result;
    vm->which = 0;
#if REPORT
    for (; HELP(cupel__check_depends(vm, v, pc[1], pc[2])), result == 0; vm->which++) {
        event(vm, pc, v, vm->which);
        sp->failed = 1;
    }
#else
    HELP(cupel__check_depends(vm, v, pc[1], pc[2]));
#endif
    END(3);
}

/* Children of v become evaluated. */
#define MARK(first, end) WITH_WORK(cupel__mark(vm, (uint32_t)(v - vm->nodes), first, end))

/* -- Loops over children ---------------------------------------------------------------------------- */

/* Where a loop stands. */
struct children {
    struct cupel__node *at; /* the key or the item */
    uint32_t left, n;
    uint32_t sub;           /* what the child has to pass: when it must be entered */
    int64_t steps;
};

enum outcome { DONE, FAILED, CALL };

/* Runs the child's sequence as long as it is made of quick checks: DONE: it has passed; CALL: the rest,
 * from the reference in c->sub on, takes a frame. */
INLINE enum outcome leaf(const struct cupel__vm *vm, struct children *c,
                         const struct cupel__node *child)
{
    uint32_t pc = CUPEL__SUB_PC(c->sub);
    if (pc == 0)
        return DONE;
#if REPORT
    (void)vm, (void)child;
#else
    while (--c->steps >= 0) {
        int r = quick(vm, vm->code + pc, child);
        if (r == 0)
            return FAILED;
        if (r < 0)
            break;
        uint32_t word = vm->code[pc];
        if (word & CUPEL__LAST)
            return DONE;
        pc += cupel__op_info[CUPEL__WORD_OP(word)].words;
    }
#endif
    c->sub = CUPEL__SUB(0, pc);
    return CALL;
}

/* The next child of a MEMBERS instruction; its frame is on the stack. */
static int next_member(ARGS)
{
    int result;
    const struct cupel__table *t = cupel__at(vm->image, vm->code[sp->pc + 1]);
    while (HELP(cupel__next_member(vm, sp)), result > 0) {
        if (!admits(vm->next_sub, vm->next)) {
            POP();
            FAIL(2, 0);
        }
        if (CUPEL__SUB_PC(vm->next_sub) != 0) {
            v = vm->next;
            ENTER(vm->next_sub);
        }
    }
    if (result < 0)
        STOP(vm->reason);
    bool complete = sp->n == t->required;
    POP();
    if (!complete)
        FAIL(2, 0);
    NEXT(2);
}

static int op_MEMBERS(ARGS)
{
    PUSH(MEMBERS);
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    sp->n = sp->stage = 0;
    TAIL_CALL(next_member);
}

#if REPORT
/* The table of an OBJECT is one that MEMBERS takes, and reports are in no hurry. */
static int op_OBJECT(ARGS)
{
    TAIL_CALL(op_MEMBERS);
}
#else
INLINE enum outcome members(const struct cupel__vm *vm, const struct cupel__table *t,
                                   struct children *c)
{
    for (; c->left > 0; c->left--, c->at = vm->nodes + cupel__node_next(vm->nodes,
                                       (uint32_t)(c->at + 1 - vm->nodes))) {
        const struct cupel__node *key = c->at, *value = key + 1;
        const struct cupel__entry *e = cupel__table_find(
            vm->image, t, vm->doc->base[key->flags >> 1 & 1] + key->off, key->len);
        c->sub = t->other;
        if (e != NULL) {
            c->sub = e->sub;
            c->n += CUPEL__ENTRY_FLAG(e, CUPEL__ENTRY_REQUIRED);
        }
        if (!admits(c->sub, value))
            return FAILED;
        enum outcome o = leaf(vm, c, value);
        if (o != DONE)
            return o;
    }
    return c->n == t->required ? DONE : FAILED;
}

/* The members from the one in vm->loop on; vm->framed: the instruction's frame is on the stack. */
static int next_object(ARGS)
{
    struct children c = {vm->loop.at, vm->loop.left, vm->loop.n, 0, steps};
    enum outcome o = members(vm, cupel__at(vm->image, pc[1]), &c);
    steps = c.steps;
    if (o == CALL) {
        if (!vm->framed)
            PUSH(OBJECT);
        sp->at = (uint32_t)(c.at - vm->nodes);
        sp->left = c.left;
        sp->n = c.n;
        v = c.at + 1;
        ENTER(c.sub);
    }
    sp -= vm->framed;
    if (o == FAILED)
        FAIL(2, 0);
    NEXT(2);
}

static int op_OBJECT(ARGS)
{
    CHARGE(v->count);
    vm->loop.at = v + 1;
    vm->loop.left = v->count;
    vm->loop.n = 0;
    vm->framed = false;
    TAIL_CALL(next_object);
}

static int passed_OBJECT(ARGS)
{
    vm->loop.at = vm->nodes + cupel__node_next(vm->nodes, sp->at + 1);
    vm->loop.left = sp->left - 1;
    vm->loop.n = sp->n;
    vm->framed = true;
    pc = vm->code + sp->pc;
    v = vm->nodes + sp->v;
    TAIL_CALL(next_object);
}
#endif

INLINE enum outcome items(const struct cupel__vm *vm, uint32_t sub, struct children *c)
{
    for (; c->left > 0; c->left--, c->at = vm->nodes + cupel__node_next(vm->nodes,
                                       (uint32_t)(c->at - vm->nodes))) {
        c->sub = sub;
        if (!admits(sub, c->at))
            return FAILED;
        enum outcome o = leaf(vm, c, c->at);
        if (o != DONE)
            return o;
    }
    return DONE;
}

/* The items of an ITEMS instruction from the one in its frame on. */
static int next_items(ARGS)
{
    struct children c = {vm->nodes + sp->at, sp->left, 0, 0, steps};
    pc = vm->code + sp->pc;
    enum outcome o = items(vm, pc[1], &c);
    steps = c.steps;
    if (o == CALL) {
        sp->at = (uint32_t)(c.at - vm->nodes);
        sp->left = c.left;
        v = c.at;
        ENTER(c.sub);
    }
    v = vm->nodes + sp->v;
    sp--;
    if (o == FAILED)
        FAIL(2, 0);
    NEXT(2);
}

static int op_ITEMS(ARGS)
{
    uint32_t skip = CUPEL__WORD_B(*pc);
    CHARGE(v->count);
    if (CUPEL__WORD_A(*pc) && skip < v->count)
        MARK(skip, v->count);
    PUSH(ITEMS);
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    for (; skip > 0 && sp->left > 0; skip--, sp->left--)
        sp->at = cupel__node_next(vm->nodes, sp->at);
    TAIL_CALL(next_items);
}

static int passed_ITEMS(ARGS)
{
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_items);
}

/* The next item of a PREFIX instruction; its frame is on the stack: `n` is the item's index. */
static int next_prefix(ARGS)
{
    const struct cupel__list *subs = cupel__image_list(vm->image, vm->code[sp->pc + 1]);
    for (; sp->left > 0 && sp->n < subs->count; sp->left--) {
        uint32_t sub = subs->item[sp->n++];
        struct cupel__node *item = vm->nodes + sp->at;
        CHARGE(1);
        if (!admits(sub, item)) {
            POP();
            FAIL(2, 0);
        }
        if (CUPEL__SUB_PC(sub) != 0) {
            v = item;
            ENTER(sub);
        }
        sp->at = cupel__node_next(vm->nodes, sp->at);
    }
    POP();
    NEXT(2);
}

static int op_PREFIX(ARGS)
{
    uint32_t n = cupel__image_list(vm->image, pc[1])->count;
    if (CUPEL__WORD_A(*pc))
        MARK(0, n < v->count ? n : v->count);
    PUSH(PREFIX);
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    sp->n = 0;
    TAIL_CALL(next_prefix);
}

static int passed_PREFIX(ARGS)
{
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_prefix);
}

/* The item of a CONTAINS frame has passed. */
#define MARK_ITEM()                                                                    \
    do {                                                                               \
        if (CUPEL__WORD_A(vm->code[sp->pc])) {                                         \
            uint32_t i = vm->nodes[sp->v].count - sp->left;                            \
            WITH_WORK(cupel__mark(vm, sp->v, i, i + 1));                               \
        }                                                                              \
        KEEP_ANEW();                                                                   \
    } while (0)

/* The next item of a CONTAINS instruction; its frame is on the stack: `n` items have passed. */
static int next_contains(ARGS)
{
    const uint32_t *word = vm->code + sp->pc;
    for (; sp->left > 0; sp->left--, sp->at = cupel__node_next(vm->nodes, sp->at)) {
        struct cupel__node *item = vm->nodes + sp->at;
        bool decided = sp->n > word[3] || (sp->n >= word[2] && word[3] == UINT32_MAX);
        if (decided && !CUPEL__WORD_A(*word))
            break;
        CHARGE(1);
        if (!admits(word[1], item))
            continue;
        if (CUPEL__SUB_PC(word[1]) != 0) {
            v = item;
            ENTER(word[1]);
        }
        MARK_ITEM();
        sp->n++;
    }
    bool ok = sp->n >= word[2] && sp->n <= word[3];
    POP_CHOICE();
    if (!ok)
        FAIL(4, 0);
    NEXT(4);
}

static int op_CONTAINS(ARGS)
{
    PUSH_CHOICE(CONTAINS);
    sp->at = (uint32_t)(v + 1 - vm->nodes);
    sp->left = v->count;
    sp->n = 0;
    TAIL_CALL(next_contains);
}

static int passed_CONTAINS(ARGS)
{
    MARK_ITEM();
    sp->n++;
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_contains);
}

static int failed_CONTAINS(ARGS)
{
    IF_REPORT(vm->nevents = sp->events;)
    RESTORE();
    sp->at = cupel__node_next(vm->nodes, sp->at);
    sp->left--;
    TAIL_CALL(next_contains);
}

/* -- The same value, other schemas ---------------------------------------------------------------- */

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
 * branches evaluate, all of them run. */
static int next_any_of(ARGS)
{
    const uint32_t *word = vm->code + sp->pc;
    const struct cupel__list *subs = cupel__image_list(vm->image, word[1]);
    v = vm->nodes + sp->v;
    for (; sp->at < subs->count && (sp->n == 0 || CUPEL__WORD_A(*word)); sp->at++) {
        uint32_t sub = subs->item[sp->at];
        if (admits(sub, v) && CUPEL__SUB_PC(sub) != 0)
            ENTER(sub);
        CHARGE(1);
        sp->n += admits(sub, v);
    }
    uint32_t n = sp->n;
    POP_CHOICE();
    if (n == 0)
        FAIL(2, 0);
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
        sp->n += admits(sub, v);
    }
    uint32_t n = sp->n;
    POP_CHOICE();
    if (n != 1)
        FAIL(2, n);
    NEXT(2);
}

static int op_ONE_OF(ARGS)
{
    PUSH_CHOICE(ONE_OF);
    sp->at = sp->n = 0;
    TAIL_CALL(next_one_of);
}

static int passed_ONE_OF(ARGS)
{
    KEEP_ANEW();
    sp->at++;
    sp->n++;
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

/* -- Evaluation and dynamic scope ----------------------------------------------------------------- */

/* The next child that an UNEVALUATED's first part left; its frame is on the stack, its `n` the position of
 * the child. */
static int next_unevaluated(ARGS)
{
    const uint32_t *word = vm->code + sp->pc;
    bool object = vm->nodes[sp->v].type == CUPEL__OBJECT;
    uint32_t sub = object ? word[2] : word[3];
    bool any = sub == CUPEL__SUB_ANY, ok = true;
    for (; sp->left > 0 && !any; sp->left--, sp->n++) {
        struct cupel__node *child = vm->nodes + sp->at + object;
        CHARGE(1);
        if (!cupel__is_evaluated(vm, sp, sp->n)) {
            ok = admits(sub, child);
            if (!ok)
                break;
            if (CUPEL__SUB_PC(sub) != 0) {
                v = child;
                ENTER(sub);
            }
        }
        sp->at = (uint32_t)(cupel__node_next(vm->nodes, (uint32_t)(child - vm->nodes)));
    }
    WITH_WORK(cupel__track_end(vm, sp));
    POP();
    if (!ok)
        FAIL(4, 0);
    NEXT(4);
}

static int passed_UNEVALUATED(ARGS)
{
    bool object = vm->nodes[sp->v].type == CUPEL__OBJECT;
    if (sp->stage == 0) {
        sp->stage = 1;
        sp->at = sp->v + 1;
        sp->left = vm->nodes[sp->v].count;
        sp->n = 0;
    } else {
        sp->at = cupel__node_next(vm->nodes, sp->at + object);
        sp->left--;
        sp->n++;
    }
    TAIL_CALL(next_unevaluated);
}

static int op_UNEVALUATED(ARGS)
{
    uint32_t sub = pc[1];
    if (v->type < CUPEL__ARRAY)
        INPLACE(sub, 4);
    if (!admits(sub, v))
        FAIL(4, 0);
    PUSH(UNEVALUATED);
    bool begun;
    WITH_WORK(begun = cupel__track_begin(vm, sp));
    if (!begun)
        STOP(vm->reason);
    if (CUPEL__SUB_PC(sub) == 0)
        TAIL_CALL(passed_UNEVALUATED);
    ENTER(sub);
}

static int passed_SCOPE(ARGS)
{
    vm->bound &= ~sp->bound;
    POP();
    NEXT(3);
}

/* Gives the anchors of a list that have no schema theirs; which. */
static uint64_t bind(struct cupel__vm *vm, const struct cupel__list *list)
{
    uint64_t bound = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint64_t bit = UINT64_C(1) << i;
        if (list->item[i] == CUPEL__NO_SUB || (vm->bound & bit))
            continue;
        vm->binding[i] = list->item[i];
        bound |= bit;
    }
    vm->bound |= bound;
    return bound;
}

static int op_SCOPE(ARGS)
{
    uint32_t sub = pc[1];
    const struct cupel__list *list = cupel__image_list(vm->image, pc[2]);
    CHARGE(list->count);
    if (!admits(sub, v))
        FAIL(3, 0);
    if (CUPEL__SUB_PC(sub) == 0)
        NEXT(3);
    PUSH(SCOPE);
    sp->bound = bind(vm, list);
    ENTER(sub);
}

static int op_DYNAMIC(ARGS)
{
    uint32_t anchor = CUPEL__WORD_B(*pc);
    INPLACE(vm->bound >> anchor & 1 ? vm->binding[anchor] : pc[1], 2);
}

static int op_NOTE(ARGS)
{
#if REPORT
    if (vm->want_notes && (CUPEL__WORD_B(*pc) >> v->type & 1) && !(v->flags & CUPEL__KEY)) {
        if (vm->nnotes == vm->max_notes) {
            vm->notes_need = vm->nnotes + 1;
            STOP(CUPEL_E_LIMIT_MEMORY);
        }
        vm->notes[vm->nnotes++] = (struct cupel__event){
            (uint32_t)(pc - vm->code), (uint32_t)(v - vm->nodes), pc[1]};
    }
#endif
    NEXT(2);
}

/* -- Ends ------------------------------------------------------------------------------------------- */

static int passed_BASE(ARGS)
{
    (void)pc, (void)v, (void)sp;
    vm->work.left = steps;
    return CUPEL_VALID;
}

#if REPORT
#define UNWOUND CUPEL_UNDECIDED /* failures do not unwind */

static int failed_BASE(ARGS)
{
    (void)pc, (void)v, (void)sp;
    vm->work.left = steps;
    return CUPEL_INVALID;
}

/* A frame that is no choice hands the failure down and goes on. */
#define HAND_DOWN(kind)                 \
    static int failed_##kind(ARGS)      \
    {                                   \
        sp[-1].failed = 1;              \
        sp->failed = 0;                 \
        return passed_##kind(PASS);     \
    }
HAND_DOWN(CALL)
HAND_DOWN(ITEMS)
HAND_DOWN(PREFIX)
HAND_DOWN(SCOPE)

/* What a failed part evaluated is not known, so nothing is said about what it left. */
static int failed_UNEVALUATED(ARGS)
{
    if (sp->stage != 0) {
        sp[-1].failed = 1;
        sp->failed = 0;
        return passed_UNEVALUATED(PASS);
    }
    WITH_WORK(cupel__track_end(vm, sp));
    POP();
    sp->failed = 1;
    NEXT(4);
}

static int failed_MEMBERS(ARGS)
{
    sp[-1].failed = 1;
    sp->failed = 0;
    return next_member(PASS);
}
#else
#define UNWOUND unwind(PASS)

/* To the innermost choice, or out. */
static int unwind(ARGS)
{
    if (vm->choice == 0) {
        vm->work.left = steps;
        return CUPEL_INVALID;
    }
    sp = vm->frames + vm->choice;
#if THREADED
    TAIL failed[sp->kind](PASS);
#else
    return failed[sp->kind](PASS);
#endif
}
#endif

static handler *const passed[CUPEL__FRAMES] = {
    [CUPEL__FRAME_BASE] = passed_BASE,         [CUPEL__FRAME_CALL] = passed_CALL,
#if !REPORT
    [CUPEL__FRAME_OBJECT] = passed_OBJECT,
#endif
    [CUPEL__FRAME_MEMBERS] = next_member,
    [CUPEL__FRAME_ITEMS] = passed_ITEMS,       [CUPEL__FRAME_PREFIX] = passed_PREFIX,
    [CUPEL__FRAME_UNEVALUATED] = passed_UNEVALUATED, [CUPEL__FRAME_SCOPE] = passed_SCOPE,
    [CUPEL__FRAME_CONTAINS] = passed_CONTAINS, [CUPEL__FRAME_ANY_OF] = passed_ANY_OF,
    [CUPEL__FRAME_ONE_OF] = passed_ONE_OF,     [CUPEL__FRAME_NOT] = passed_NOT,
    [CUPEL__FRAME_IF] = passed_IF,
};

static handler *const failed[CUPEL__FRAMES] = {
#if REPORT
    [CUPEL__FRAME_BASE] = failed_BASE,         [CUPEL__FRAME_CALL] = failed_CALL,
    [CUPEL__FRAME_MEMBERS] = failed_MEMBERS,
    [CUPEL__FRAME_ITEMS] = failed_ITEMS,       [CUPEL__FRAME_PREFIX] = failed_PREFIX,
    [CUPEL__FRAME_UNEVALUATED] = failed_UNEVALUATED, [CUPEL__FRAME_SCOPE] = failed_SCOPE,
#endif
    [CUPEL__FRAME_CONTAINS] = failed_CONTAINS, [CUPEL__FRAME_ANY_OF] = failed_ANY_OF,
    [CUPEL__FRAME_ONE_OF] = failed_ONE_OF,     [CUPEL__FRAME_NOT] = failed_NOT,
    [CUPEL__FRAME_IF] = failed_IF,
};

#if THREADED
static handler *const handlers[CUPEL__OPS] = {
#define OP(name, on, a, b, c, d, e, flow, summary) [CUPEL__OP_##name] = op_##name,
#include "opcodes.def"
};

static int run(ARGS)
{
    return handlers[CUPEL__WORD_OP(*pc)](PASS);
}
#else
static int step(ARGS)
{
    switch ((enum cupel__op)CUPEL__WORD_OP(*pc)) {
#define OP(name, on, a, b, c, d, e, flow, summary) \
    case CUPEL__OP_##name:                         \
        return op_##name(PASS);
#include "opcodes.def"
    case CUPEL__OPS:
        break;
    }
    vm->reason = CUPEL_E_INTERNAL;
    return CUPEL_UNDECIDED;
}

#if REPORT
/* What a failed sequence noted does not count. */
static int end_of_sequence(ARGS)
{
    if (!sp->failed)
        return passed[sp->kind](PASS);
    vm->nnotes = sp->notes;
    return failed[sp->kind](PASS);
}
#define END_OF_SEQUENCE() end_of_sequence(PASS)
#else
#define END_OF_SEQUENCE() passed[sp->kind](PASS)
#endif

static int run(ARGS)
{
    int next = AGAIN_OP;
    for (;;) {
        if (next == AGAIN_OP)
            next = step(PASS);
        else if (next == AGAIN_FAILED)
            next = UNWOUND;
        else if (next == AGAIN_PASSED)
            next = END_OF_SEQUENCE();
        else
            return next;
        pc = vm->pc;
        v = vm->v;
        sp = vm->sp;
        steps = vm->work.left;
    }
}
#endif

enum cupel_verdict EXEC(struct cupel__vm *vm, uint32_t node)
{
    struct cupel__node *v = vm->nodes + node;
    uint32_t root = vm->image->root;
    vm->choice = vm->track = 0;
    vm->nbits = 0;
    vm->bound = 0;
    vm->frames[0].kind = CUPEL__FRAME_BASE;
    IF_REPORT(vm->frames[0].failed = vm->frames[0].notes = 0;)
    if (!admits(root, v))
        return CUPEL_INVALID;
    if (CUPEL__SUB_PC(root) == 0)
        return CUPEL_VALID;
    return (enum cupel_verdict)run(vm, vm->code + CUPEL__SUB_PC(root), v, vm->frames,
                                   vm->work.left - 1);
}
