/* nfa.c: compiles the tree of a pattern to nondeterministic automata (Thompson's construction).
 *
 * Each part of the tree becomes a run of consecutive states, entered at its first and left to the
 * state behind its last.  So a repeat with a count copies the run of its body.  For an automaton
 * that reads from right to left the children of a sequence are emitted in reverse order.  A
 * look-around is one state, which tests a bit that another automaton has computed. */
#include "base/always.h"
#include "base/regex/automata_program.h"

#include <string.h>

/* A node whose children are being compiled. */
struct cupel__nfa_frame {
    const struct cupel__regex_node *node;
    uint32_t done;  /* children that are compiled */
    uint32_t first; /* REPEAT: the first state of its body; ALT: the split of an alternative */
    uint32_t open;  /* a list of states whose target is the state behind the node */
};

static bool fail(struct cupel__nfa *b, enum cupel_status status)
{
    b->status = status;
    return false;
}

/* -- States ---------------------------------------------------------------------------------- */

static uint32_t here(const struct cupel__nfa *b)
{
    return (uint32_t)(b->states.n / 2) - b->base;
}

static struct cupel__state *state(struct cupel__nfa *b, uint32_t index)
{
    return (struct cupel__state *)b->states.p + b->base + index;
}

static bool has_room(struct cupel__nfa *b, uint64_t more)
{
    return b->states.n / 2 + more <= CUPEL__LINEAR_MAX_STATES || fail(b, CUPEL_E_UNSUPPORTED);
}

/* Appends a state whose targets are the state behind it. */
static bool emit(struct cupel__nfa *b, uint32_t op)
{
    uint32_t next = here(b) + 1;
    struct cupel__state s = {op, next | next << 16};
    if (!has_room(b, 1))
        return false;
    cupel__words_add(&b->states, &s, 2);
    return !b->states.failed || fail(b, CUPEL_E_NO_MEMORY);
}

static void set_next(struct cupel__nfa *b, uint32_t index, uint32_t next)
{
    struct cupel__state *s = state(b, index);
    s->target = (s->target & 0xFFFF0000) | next;
}

static void set_alt(struct cupel__nfa *b, uint32_t index, uint32_t alt)
{
    struct cupel__state *s = state(b, index);
    s->target = (s->target & 0xFFFF) | alt << 16;
}

/* Appends a split whose alternative is not known yet, and adds it to a list.  The list runs through
 * the fields of the alternatives, so it takes no memory. */
static bool emit_open_split(struct cupel__nfa *b, uint32_t *list)
{
    if (!emit(b, CUPEL__STATE_SPLIT))
        return false;
    set_alt(b, here(b) - 1, *list);
    *list = here(b) - 1;
    return true;
}

/* Sets the alternative of all splits in a list, and with `jump` also their next state, to the state
 * that comes next. */
static void close_splits(struct cupel__nfa *b, uint32_t list, bool jump)
{
    while (list != CUPEL__NO_TARGET) {
        uint32_t rest = cupel__state_alt(*state(b, list));
        set_alt(b, list, here(b));
        if (jump)
            set_next(b, list, here(b));
        list = rest;
    }
}

/* Appends a copy of the states from `first` up to `end`. */
static bool copy(struct cupel__nfa *b, uint32_t first, uint32_t end)
{
    uint32_t moved = here(b) - first, n = end - first;
    for (uint32_t i = 0; i < n; i++) {
        struct cupel__state s = *state(b, first + i);
        s.target += moved | moved << 16;
        cupel__words_add(&b->states, &s, 2);
        if (b->states.failed)
            return fail(b, CUPEL_E_NO_MEMORY);
    }
    return true;
}

/* -- Repeats --------------------------------------------------------------------------------- */

/* Copies the body, which begins at f->first, until there are `max` copies; all from number `min` on
 * are optional. */
static bool emit_copies(struct cupel__nfa *b, struct cupel__nfa_frame *f, uint32_t min,
                        uint32_t max)
{
    uint32_t end = here(b), size = end - f->first;
    if (!has_room(b, ((uint64_t)max - 1) * (size + 1)))
        return false;
    for (uint32_t i = 1; i < max; i++) {
        if ((i >= min && !emit_open_split(b, &f->open)) || !copy(b, f->first, end))
            return false;
    }
    return true;
}

/* Completes a repeat, whose body is compiled once.  An unbounded one loops back to its last copy.
 */
static bool end_repeat(struct cupel__nfa *b, struct cupel__nfa_frame *f)
{
    uint32_t min = f->node->min, max = f->node->max, size = here(b) - f->first;
    bool endless = max == UINT32_MAX;
    if (endless)
        min = max = min == 0 ? 1 : min;
    if (size > 0 && !emit_copies(b, f, min, max))
        return false;
    if (size > 0 && endless) {
        if (!emit(b, CUPEL__STATE_SPLIT))
            return false;
        set_next(b, here(b) - 1, here(b) - 1 - size);
    }
    close_splits(b, f->open, false);
    return true;
}

/* -- The tree -------------------------------------------------------------------------------- */

static bool push(struct cupel__nfa *b, struct cupel__nfa_frame frame)
{
    void *frames = b->frames;
    if (cupel__grow(b->states.alloc, &frames, &b->frames_cap, b->nframes + 1, sizeof frame) !=
        CUPEL_OK)
        return fail(b, CUPEL_E_NO_MEMORY);
    b->frames = frames;
    b->frames[b->nframes++] = frame;
    return true;
}

/* The state that tests a look-around.  A leading look-around needs no state: its automaton has to
 * match or the pattern does not. */
static bool emit_look(struct cupel__nfa *b, const struct cupel__regex_node *node)
{
    uint32_t i = 0;
    while (ALWAYS(i < b->nlooks) && b->look[i] != node)
        i++;
    if (NEVER(i == b->nlooks))
        return fail(b, CUPEL_E_INTERNAL);
    if ((b->leading >> i & 1) != 0)
        return true;
    b->looks |= UINT32_C(1) << i;
    return emit(b, CUPEL__STATE_LOOK | (i << 1 | node->negated) << 8);
}

static bool begin_repeat(struct cupel__nfa *b, const struct cupel__regex_node *node)
{
    struct cupel__nfa_frame f = {.node = node, .open = CUPEL__NO_TARGET};
    if (node->max == 0)
        return true;
    if (node->min == 0 && !emit_open_split(b, &f.open))
        return false;
    f.first = here(b);
    return push(b, f);
}

/* Compiles a leaf, or pushes a frame for a node with children. */
static bool visit(struct cupel__nfa *b, const struct cupel__regex_node *node)
{
    switch (node->kind) {
    case CUPEL__RE_EMPTY:
        return true;
    case CUPEL__RE_CHAR:
    case CUPEL__RE_CLASS:
        return emit(b, node->symbols);
    case CUPEL__RE_CAT:
    case CUPEL__RE_ALT:
    case CUPEL__RE_GROUP:
        return push(b, (struct cupel__nfa_frame){.node = node, .open = CUPEL__NO_TARGET});
    case CUPEL__RE_REPEAT:
        return begin_repeat(b, node);
    case CUPEL__RE_START:
        return emit(b, CUPEL__STATE_START);
    case CUPEL__RE_END:
        return emit(b, CUPEL__STATE_END);
    case CUPEL__RE_WORD:
        b->word = true;
        return emit(b, CUPEL__STATE_WORD | (uint32_t)node->negated << 8);
    case CUPEL__RE_LOOK:
        return emit_look(b, node);
        NEVER_CASE(CUPEL__RE_BACKREF)
        break;
    }
    return fail(b, CUPEL_E_UNSUPPORTED);
}

/* Begins the next alternative: lets the one before it continue behind the whole node. */
static bool next_alternative(struct cupel__nfa *b, struct cupel__nfa_frame *f)
{
    if (f->done > 0) {
        if (!emit_open_split(b, &f->open))
            return false;
        set_alt(b, f->first, here(b));
    }
    f->first = here(b);
    return f->done + 1 == f->node->nchild || emit(b, CUPEL__STATE_SPLIT);
}

/* Ends the node on top, whose children are compiled. */
static bool leave(struct cupel__nfa *b, struct cupel__nfa_frame *f)
{
    b->nframes--;
    if (f->node->kind == CUPEL__RE_REPEAT)
        return end_repeat(b, f);
    close_splits(b, f->open, true);
    return true;
}

/* Compiles the next child of the node on top, or ends the node. */
static bool advance(struct cupel__nfa *b)
{
    struct cupel__nfa_frame *f = &b->frames[b->nframes - 1];
    const struct cupel__regex_node *node = f->node;
    if (f->done == node->nchild)
        return leave(b, f);
    if (node->kind == CUPEL__RE_ALT && !next_alternative(b, f))
        return false;
    uint32_t i = f->done++;
    if (node->kind == CUPEL__RE_CAT && b->reverse)
        i = node->nchild - 1 - i;
    return visit(b, node->child[i]);
}

/* Reads any number of code points, so that a match can begin at every position. */
static bool emit_search(struct cupel__nfa *b)
{
    if (!emit(b, CUPEL__STATE_SPLIT) || !emit(b, CUPEL__STATE_ANY))
        return false;
    set_alt(b, 0, 2);
    set_next(b, 1, 0);
    return true;
}

bool cupel__nfa_compile(struct cupel__nfa *b, const struct cupel__regex_node *node, bool reverse,
                        bool anchored)
{
    b->base = (uint32_t)(b->states.n / 2);
    b->reverse = reverse;
    b->looks = 0;
    b->word = false;
    b->nframes = 0;
    if ((!anchored && !emit_search(b)) || !visit(b, node))
        return false;
    while (b->nframes > 0) {
        if (!advance(b))
            return false;
    }
    if (!emit(b, CUPEL__STATE_MATCH))
        return false;
    state(b, here(b) - 1)->target = 0; /* MATCH has no next state */
    return true;
}

void cupel__nfa_free(struct cupel__nfa *b)
{
    cupel__free(b->states.alloc, b->frames, b->frames_cap * sizeof *b->frames);
    cupel__free(b->states.alloc, b->states.p, b->states.cap * sizeof *b->states.p);
}
