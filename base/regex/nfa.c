/* nfa.c: from the tree of a pattern to the states of nondeterministic automata.
 *
 * Each part of the tree becomes a run of states that is entered at its first and left to the state
 * behind its last.  So a repeat copies the run of its body as often as it counts.  For an automaton
 * that reads from right to left sequences are laid out the other way round.  A look-around is one
 * state here, which asks for an answer that another automaton gave. */
#include "base/always.h"
#include "base/regex/automata_program.h"

#include <string.h>

/* A node whose children are being laid out. */
struct cupel__nfa_frame {
    const struct cupel__regex_node *node;
    uint32_t done; /* children */
    uint32_t
        first; /* REPEAT: the state that its body begins with; ALT: the split of an alternative */
    uint32_t open; /* a list of states that go behind the whole */
};

static bool fail(struct cupel__nfa *b, enum cupel_status status)
{
    b->status = status;
    return false;
}

/* -- States ----------------------------------------------------------------------------------- */

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

/* Appends a state that goes to the one behind it. */
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

/* States whose alternative is not known yet are a list through just that. */
static bool emit_open_split(struct cupel__nfa *b, uint32_t *list)
{
    if (!emit(b, CUPEL__STATE_SPLIT))
        return false;
    set_alt(b, here(b) - 1, *list);
    *list = here(b) - 1;
    return true;
}

/* Lets the whole list go here; both ways where `jump`. */
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

/* -- Repeats ---------------------------------------------------------------------------------- */

/* Copies the body that stands from f->first on until there are `max` of it, of which those from the
 * min-th on may be left out. */
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

/* -- The tree --------------------------------------------------------------------------------- */

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

/* Lays out a node, or puts it on top of the stack. */
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

/* Before the next alternative: the one before it goes behind them all. */
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

/* Ends the node on top, whose children are laid out. */
static bool leave(struct cupel__nfa *b, struct cupel__nfa_frame *f)
{
    b->nframes--;
    if (f->node->kind == CUPEL__RE_REPEAT)
        return end_repeat(b, f);
    close_splits(b, f->open, true);
    return true;
}

/* The next child of the node on top, or its end. */
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

/* Any number of code points, so that the rest can begin everywhere. */
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
    state(b, here(b) - 1)->target = 0; /* there is none behind it */
    return true;
}

void cupel__nfa_free(struct cupel__nfa *b)
{
    cupel__free(b->states.alloc, b->frames, b->frames_cap * sizeof *b->frames);
    cupel__free(b->states.alloc, b->states.p, b->states.cap * sizeof *b->states.p);
}
