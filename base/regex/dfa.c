/* dfa.c: one step of an automaton from a set of states to the next set (subset construction), and
 * the table of determinised states.
 *
 * A set has a bit for each state that was entered by reading a symbol.  The states that are reached
 * from there without reading depend on the position (start, end, words, look-arounds), so the next
 * step follows them. */
#include "base/regex/automata_program.h"

#include <string.h>

/* -- Steps ----------------------------------------------------------------------------------- */

void cupel__stepper_init(struct cupel__stepper *st, const uint32_t *words, uint32_t index,
                         int64_t *steps)
{
    memcpy(&st->a, words + words[CUPEL__HEAD_AUTOMATA] + index * (sizeof st->a / 4), sizeof st->a);
    st->states = (const struct cupel__state *)(words + st->a.states);
    st->sets = words + words[CUPEL__HEAD_SETS];
    st->nsymbols = words[CUPEL__HEAD_NSYMBOLS];
    st->set_words = (st->nsymbols + 31) / 32;
    st->nw = (st->a.nstates + 63) / 64;
    st->steps = steps;
}

/* Whether a set has a symbol.  No set has the end. */
static bool set_has(const struct cupel__stepper *st, uint32_t set, uint32_t symbol)
{
    const uint32_t *bits = st->sets + (size_t)set * st->set_words;
    return symbol < st->nsymbols && (bits[symbol / 32] >> (symbol % 32) & 1) != 0;
}

static bool is_word(const struct cupel__stepper *st, uint32_t symbol)
{
    return set_has(st, 0, symbol);
}

/* The position at which a step is taken. */
struct place {
    unsigned marks;
    uint32_t looks, symbol;
    bool end, reverse;
};

/* Whether the condition of a state that reads nothing holds.  An automaton that reads from right to
 * left begins at the end of the subject. */
static bool holds(const struct cupel__stepper *st, struct cupel__state s, const struct place *at)
{
    uint32_t arg = cupel__state_arg(s);
    bool first = (at->marks & CUPEL__MARK_BEGIN) != 0, last = at->end;
    switch (cupel__state_kind(s)) {
    case CUPEL__STATE_START:
        return at->reverse ? last : first;
    case CUPEL__STATE_END:
        return at->reverse ? first : last;
    case CUPEL__STATE_WORD:
        return (((at->marks & CUPEL__MARK_WORD) != 0) != is_word(st, at->symbol)) != (arg != 0);
    case CUPEL__STATE_LOOK:
        return (at->looks >> (arg >> 1) & 1) != (arg & 1);
    }
    return false;
}

/* Pushes a state unless it has been pushed in this step; returns the new height of the stack. */
static uint32_t push(struct cupel__stepper *st, uint32_t n, uint32_t s)
{
    uint64_t bit = UINT64_C(1) << (s % 64);
    if ((st->seen[s / 64] & bit) == 0) {
        st->seen[s / 64] |= bit;
        st->stack[n++] = (uint16_t)s;
    }
    return n;
}

/* Pushes all states of a set and marks them as pushed; returns the height of the stack. */
static uint32_t push_set(struct cupel__stepper *st, const uint64_t *set)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < st->nw; w++) {
        st->seen[w] = set[w];
        for (uint64_t bits = set[w]; bits != 0; bits &= bits - 1)
            st->stack[n++] = (uint16_t)(64 * w + (unsigned)__builtin_ctzll(bits));
    }
    return n;
}

/* Follows one state; returns the new height of the stack. */
static uint32_t follow(struct cupel__stepper *st, struct cupel__state s, const struct place *at,
                       uint32_t n, uint64_t *to)
{
    uint32_t next = cupel__state_next(s);
    bool reads = false;
    switch (cupel__state_kind(s)) {
    case CUPEL__STATE_ONE:
        reads = at->symbol == cupel__state_arg(s);
        break;
    case CUPEL__STATE_SET:
        reads = set_has(st, cupel__state_arg(s), at->symbol);
        break;
    case CUPEL__STATE_ANY:
        reads = !at->end;
        break;
    case CUPEL__STATE_SPLIT:
        return push(st, push(st, n, cupel__state_alt(s)), next);
    default:
        return holds(st, s, at) ? push(st, n, next) : n;
    }
    to[next / 64] |= (uint64_t)reads << (next % 64);
    return n;
}

static bool is_empty(const struct cupel__stepper *st, const uint64_t *set)
{
    uint64_t all = 0;
    for (uint32_t w = 0; w < st->nw; w++)
        all |= set[w];
    return all == 0;
}

/* A depth-first search from the states of the set.  Each state is pushed at most once, so a stack
 * of nstates elements suffices.  After acceptance a search needs no more states, so the set is
 * empty. */
unsigned cupel__step(struct cupel__stepper *st, const uint64_t *from, unsigned marks,
                     uint32_t looks, uint32_t symbol, uint64_t *to)
{
    struct place at = {marks, looks, symbol, symbol == st->nsymbols,
                       (st->a.flags & CUPEL__AUTOMATON_REVERSE) != 0};
    uint32_t n = push_set(st, from), visited = 0;
    unsigned result = 0;
    memset(to, 0, st->nw * sizeof *to);
    while (n > 0) {
        struct cupel__state s = st->states[st->stack[--n]];
        visited++;
        if (cupel__state_kind(s) == CUPEL__STATE_MATCH)
            result = CUPEL__MARK_ACCEPT;
        else
            n = follow(st, s, &at, n, to);
    }
    *st->steps -= 1 + visited + st->nw / 4;
    if (result != 0 && (st->a.flags & CUPEL__AUTOMATON_SEARCH) != 0)
        memset(to, 0, st->nw * sizeof *to);
    else if ((st->a.flags & CUPEL__AUTOMATON_WORD) != 0 && is_word(st, symbol) && !is_empty(st, to))
        result |= CUPEL__MARK_WORD;
    return result;
}

/* Adds the next state of a state that reads (ONE, SET or ANY) to the sets of all symbols it reads.
 */
static void lead(const struct cupel__stepper *st, struct cupel__state s, uint64_t *to)
{
    uint32_t next = cupel__state_next(s), arg = cupel__state_arg(s);
    uint64_t bit = UINT64_C(1) << (next % 64);
    to += next / 64;
    if (cupel__state_kind(s) == CUPEL__STATE_ONE) {
        to[(size_t)arg * st->nw] |= bit;
        return;
    }
    const uint32_t *set = st->sets + (size_t)arg * st->set_words;
    for (uint32_t from = 0; from < st->nsymbols; from += 32) {
        uint32_t left = st->nsymbols - from, all = left < 32 ? (1u << left) - 1 : UINT32_MAX;
        uint32_t bits = cupel__state_kind(s) == CUPEL__STATE_ANY ? all : set[from / 32] & all;
        for (; bits != 0; bits &= bits - 1)
            to[(from + (unsigned)__builtin_ctz(bits)) * (size_t)st->nw] |= bit;
    }
}

unsigned cupel__step_all(struct cupel__stepper *st, const uint64_t *from, unsigned marks,
                         uint64_t *to)
{
    struct place at = {.marks = marks, .reverse = (st->a.flags & CUPEL__AUTOMATON_REVERSE) != 0};
    uint32_t n = push_set(st, from), visited = 0;
    unsigned result = 0;
    memset(to, 0, (size_t)st->nsymbols * st->nw * sizeof *to);
    while (n > 0) {
        struct cupel__state s = st->states[st->stack[--n]];
        uint32_t kind = cupel__state_kind(s);
        visited++;
        if (kind == CUPEL__STATE_MATCH)
            result = CUPEL__MARK_ACCEPT;
        else if (kind <= CUPEL__STATE_ANY)
            lead(st, s, to);
        else if (kind == CUPEL__STATE_SPLIT)
            n = push(st, push(st, n, cupel__state_alt(s)), cupel__state_next(s));
        else if (holds(st, s, &at))
            n = push(st, n, cupel__state_next(s));
    }
    *st->steps -= 1 + visited + st->nsymbols * (1 + st->nw / 4);
    if (result != 0 && (st->a.flags & CUPEL__AUTOMATON_SEARCH) != 0)
        memset(to, 0, (size_t)st->nsymbols * st->nw * sizeof *to);
    return result;
}

/* -- Determinised states --------------------------------------------------------------------- */

/* Slots of the hash table: a power of two, at least twice the capacity. */
static uint32_t hash_size(uint32_t cap)
{
    uint32_t n = 8;
    while (n < 2 * cap)
        n *= 2;
    return n;
}

size_t cupel__dfa_size(uint32_t cap, uint32_t ninputs, uint32_t nw)
{
    size_t each = 8 * (size_t)nw + 2 * (size_t)ninputs + 1;
    return (cap * each + 2 * (size_t)hash_size(cap) + 7) / 8 * 8;
}

void cupel__dfa_init(struct cupel__dfa *d, uint32_t cap, uint32_t ninputs, uint32_t nw,
                     void *memory)
{
    *d = (struct cupel__dfa){.cap = cap, .nw = nw, .ninputs = ninputs};
    d->nhash = hash_size(cap);
    d->sets = memory;
    d->next = (uint16_t *)(d->sets + (size_t)cap * d->nw);
    d->hash = d->next + (size_t)cap * d->ninputs;
    d->marks = (unsigned char *)(d->hash + d->nhash);
    cupel__dfa_clear(d);
}

static uint32_t hash(const uint64_t *set, uint32_t nw, unsigned marks)
{
    uint64_t h = marks;
    for (uint32_t i = 0; i < nw; i++)
        h = ((h ^ set[i]) * UINT64_C(0x9E3779B97F4A7C15)) ^ (h >> 29);
    return (uint32_t)(h >> 32);
}

/* Whether determinised state s has this set and these marks. */
static bool is_state(const struct cupel__dfa *d, uint32_t s, const uint64_t *set, unsigned marks)
{
    return d->marks[s] == marks &&
           memcmp(d->sets + (size_t)s * d->nw, set, d->nw * sizeof *set) == 0;
}

/* The slot that has the set, or the free slot where it belongs.  Linear probing. */
static uint32_t find(const struct cupel__dfa *d, const uint64_t *set, unsigned marks)
{
    uint32_t i = hash(set, d->nw, marks) & (d->nhash - 1);
    while (d->hash[i] != CUPEL__DFA_NONE && !is_state(d, d->hash[i], set, marks))
        i = (i + 1) & (d->nhash - 1);
    return i;
}

uint32_t cupel__dfa_state(struct cupel__dfa *d, const uint64_t *set, unsigned marks)
{
    uint32_t i = find(d, set, marks);
    if (d->hash[i] != CUPEL__DFA_NONE)
        return d->hash[i];
    if (d->n == d->cap)
        return CUPEL__DFA_NONE;
    uint32_t s = d->n++;
    memcpy(d->sets + (size_t)s * d->nw, set, d->nw * sizeof *set);
    memset(d->next + (size_t)s * d->ninputs, 0xFF, 2 * (size_t)d->ninputs);
    d->marks[s] = (unsigned char)marks;
    d->hash[i] = (uint16_t)s;
    return s;
}

void cupel__dfa_clear(struct cupel__dfa *d)
{
    uint64_t *set = d->sets + 2 * (size_t)d->nw; /* memory of the third state, used for all three */
    d->n = 0;
    memset(d->hash, 0xFF, 2 * (size_t)d->nhash);
    memset(set, 0, d->nw * sizeof *set);
    (void)cupel__dfa_state(d, set, 0);
    (void)cupel__dfa_state(d, set, CUPEL__MARK_ACCEPT);
    set[0] = 1;
    (void)cupel__dfa_state(d, set, CUPEL__MARK_BEGIN);
}
