/* automata.c: compiles a pattern for the linear engine (regex/automata_program.h).
 *
 * A pattern that is not simple becomes automata (regex/nfa.c) over symbols (regex/alphabet.c).  An
 * automaton gets a table of all its determinised states, if that is small.  Otherwise every match
 * determinises the part that it needs. */
#include "base/regex/automata_program.h"

#include <cupel/debug.h>
#include <string.h>

enum {
    TABLE_ENTRIES = 8192,   /* the most entries of a table, 16 bits each */
    MIN_TABLE = 8,          /* states that have to fit, or no table is made */
    TABLE_WORK = 40 * 1000, /* the most steps of making a table */
    STATE = 4,              /* steps of making a state of an automaton */
    MAX_DEPTH = 64          /* levels of the tree down to which a leading ^ is found */
};

/* -- Tables ---------------------------------------------------------------------------------- */

/* Moves the low bits to the positions of the bits of `mask`: the inverse of `gather` in
 * automata_match.c. */
static uint32_t scatter(uint32_t bits, uint32_t mask)
{
    uint32_t looks = 0;
    for (unsigned i = 0; mask != 0; mask &= mask - 1, i++)
        looks |= (bits >> i & 1) << (unsigned)__builtin_ctz(mask);
    return looks;
}

/* Records the successor of state s; false if the table has no room for it. */
static bool put_next(struct cupel__dfa *d, uint32_t s, uint32_t input, const uint64_t *to,
                     unsigned marks)
{
    uint32_t next = cupel__dfa_state(d, to, marks);
    d->next[(size_t)s * d->ninputs + input] = (uint16_t)next;
    return next != CUPEL__DFA_NONE;
}

/* Computes the successors of state s for all inputs from `input` on, one step for each. */
static bool expand_from(struct cupel__stepper *st, struct cupel__dfa *d, uint32_t s, uint32_t input,
                        uint64_t *to)
{
    for (; input < d->ninputs; input++) {
        uint32_t looks = scatter(input / (st->nsymbols + 1), st->a.looks);
        uint32_t symbol = input % (st->nsymbols + 1);
        const uint64_t *from = d->sets + (size_t)s * d->nw;
        unsigned marks = cupel__step(st, from, d->marks[s], looks, symbol, to);
        if (!put_next(d, s, input, to, marks) || *st->steps < 0)
            return false;
    }
    return true;
}

/* Whether two sets of states are equal, without a branch for each word. */
static bool is_same(const uint64_t *a, const uint64_t *b, uint32_t nw)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < nw; i++)
        differ |= a[i] ^ b[i];
    return differ == 0;
}

/* Computes all successors of state s.  An automaton without look-arounds and \b takes one step for
 * all symbols together. */
static bool expand(struct cupel__stepper *st, struct cupel__dfa *d, uint32_t s, uint64_t *to)
{
    if (st->a.looks != 0 || (st->a.flags & CUPEL__AUTOMATON_WORD) != 0)
        return expand_from(st, d, s, 0, to);
    unsigned marks = cupel__step_all(st, d->sets + (size_t)s * d->nw, d->marks[s], to);
    for (uint32_t symbol = 0; symbol < st->nsymbols; symbol++) {
        const uint64_t *set = to + (size_t)symbol * d->nw;
        uint16_t *next = d->next + (size_t)s * d->ninputs + symbol;
        if (symbol > 0 && is_same(set, set - d->nw, d->nw)) /* the common case, without hashing */
            *next = next[-1];
        else if (!put_next(d, s, symbol, set, marks))
            return false;
    }
    return *st->steps >= 0 && expand_from(st, d, s, st->nsymbols, to);
}

/* Computes the successors of all states; d->n grows while it does. */
static bool determinise(struct cupel__stepper *st, struct cupel__dfa *d, uint64_t *to)
{
    for (uint32_t s = 0; s < d->n; s++) {
        if (!expand(st, d, s, to))
            return false;
    }
    return true;
}

/* Of the successors without a number the one that most inputs lead to, or NONE.  Counts inputs
 * within 32 of each other only, which bounds the work. */
static uint32_t likely_next(const struct cupel__dfa *d, const uint16_t *number, uint32_t s)
{
    const uint16_t *next = d->next + (size_t)s * d->ninputs;
    uint32_t best = CUPEL__DFA_NONE, most = 0, n = d->ninputs;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = 0;
        if (number[next[i]] != CUPEL__DFA_NONE || (i > 0 && next[i] == next[i - 1]))
            continue;
        for (uint32_t k = i; k < n && k < i + 32; k++)
            count += next[k] == next[i];
        if (count > most) {
            most = count;
            best = next[i];
        }
    }
    return best;
}

/* Renumbers the states so that the likely successor of a state has the next number, where possible.
 * search_table (automata_match.c) predicts that successor without waiting for a load from the
 * table. */
static void make_chains(const struct cupel__dfa *d, uint16_t *number)
{
    uint16_t stack[CUPEL__LINEAR_MAX_TABLE];
    uint32_t n = CUPEL__DFA_FIRST, height = 1;
    memset(number, 0xFF, d->n * sizeof *number);
    number[CUPEL__DFA_DEAD] = CUPEL__DFA_DEAD;
    number[CUPEL__DFA_ACCEPTED] = CUPEL__DFA_ACCEPTED;
    number[CUPEL__DFA_FIRST] = (uint16_t)n++;
    stack[0] = CUPEL__DFA_FIRST;
    while (height > 0) {
        uint32_t next = likely_next(d, number, stack[height - 1]);
        if (next == CUPEL__DFA_NONE) {
            height--;
        } else {
            number[next] = (uint16_t)n++;
            stack[height++] = (uint16_t)next;
        }
    }
}

/* Appends the table with its renumbered states, and the bytes that say which states accept. */
static void write_table(struct cupel__words *w, struct cupel__automaton *a,
                        const struct cupel__dfa *d)
{
    uint16_t number[CUPEL__LINEAR_MAX_TABLE];
    unsigned shift = cupel__table_shift(d->ninputs);
    size_t entries = (size_t)d->n << shift;
    make_chains(d, number);
    a->ndfa = d->n;
    a->dfa = cupel__words_add(w, NULL, (2 * entries + d->n + 3) / 4);
    if (w->failed)
        return;
    uint16_t *table = (uint16_t *)(w->p + a->dfa);
    unsigned char *accepts = (unsigned char *)(table + entries);
    for (uint32_t s = 0; s < d->n; s++) {
        uint16_t *row = table + ((size_t)number[s] << shift);
        for (uint32_t input = 0; input < d->ninputs; input++)
            row[input] = number[d->next[(size_t)s * d->ninputs + input]];
        accepts[number[s]] = (d->marks[s] & CUPEL__MARK_ACCEPT) != 0;
    }
}

/* Determinises automaton `index` in temporary memory and appends its table, if it stays within the
 * bounds of entries, states and steps. */
static void add_table(struct cupel__words *w, uint32_t index, struct cupel__automaton *a,
                      int64_t *work)
{
    struct cupel__stepper st;
    struct cupel__dfa d;
    int64_t most = *work - CUPEL__MATCHER_RESERVE, given = most < TABLE_WORK ? most : TABLE_WORK;
    int64_t steps = given;
    uint32_t inputs = cupel__inputs(w->p, a), cap = TABLE_ENTRIES >> cupel__table_shift(inputs);
    cupel__stepper_init(&st, w->p, index, &steps);
    if (cupel__count_bits(a->looks) > CUPEL__LINEAR_MAX_KNOWN || cap < MIN_TABLE)
        return;
    cap = cap < CUPEL__LINEAR_MAX_TABLE ? cap : CUPEL__LINEAR_MAX_TABLE;
    size_t sets = st.nw * ((size_t)17 + inputs); /* with a stack of 16 bits a state */
    size_t size = 8 * sets + cupel__dfa_size(cap, inputs, st.nw);
    uint64_t *memory = cupel__realloc(w->alloc, NULL, 0, size);
    if (memory == NULL) {
        w->failed = true;
        return;
    }
    st.seen = memory;
    st.stack = (uint16_t *)(memory + st.nw);
    cupel__dfa_init(&d, cap, inputs, st.nw, memory + sets);
    if (determinise(&st, &d, memory + 17 * (size_t)st.nw))
        write_table(w, a, &d);
    *work -= given - steps;
    cupel__free(w->alloc, memory, size);
}

/* -- Automata -------------------------------------------------------------------------------- */

/* Whether a match can only begin at the start of the subject. */
static bool is_anchored(const struct cupel__regex_node *node, unsigned depth)
{
    if (depth++ == MAX_DEPTH)
        return false;
    switch (node->kind) {
    case CUPEL__RE_START:
        return true;
    case CUPEL__RE_GROUP:
    case CUPEL__RE_CAT:
        return is_anchored(node->child[0], depth);
    case CUPEL__RE_ALT:
        for (uint32_t i = 0; i < node->nchild; i++) {
            if (!is_anchored(node->child[i], depth))
                return false;
        }
        return true;
    default:
        return false;
    }
}

/* Finds the look-aheads directly behind a leading ^.  They are tested once, at the start of the
 * subject, so each is matched like a pattern of its own and leaves no bits. */
static void find_leading(struct cupel__nfa *nfa, const struct cupel__regex_node *node)
{
    while (node->kind == CUPEL__RE_GROUP)
        node = node->child[0];
    if (node->kind != CUPEL__RE_CAT || node->child[0]->kind != CUPEL__RE_START)
        return;
    for (uint32_t i = 1; i < node->nchild; i++) {
        const struct cupel__regex_node *look = node->child[i];
        if (look->kind != CUPEL__RE_LOOK || look->behind)
            return;
        for (uint32_t k = 0; k < nfa->nlooks; k++)
            nfa->leading |= (uint32_t)(nfa->look[k] == look) << k;
    }
}

/* Compiles automaton i: the body of look-around i, or the whole pattern if i is their number.  A
 * look-ahead is read from right to left, so that the bit at a position says whether a match begins
 * there. */
static bool make_automaton(struct cupel__nfa *nfa, uint32_t i, const struct cupel__regex_node *root,
                           struct cupel__automaton *ret)
{
    const struct cupel__regex_node *look = i < nfa->nlooks ? nfa->look[i] : NULL;
    bool leading = look != NULL && (nfa->leading >> i & 1) != 0;
    bool reverse = look != NULL && !look->behind && !leading;
    bool anchored = look == NULL ? is_anchored(root, 0) : leading;
    uint32_t first = (uint32_t)(nfa->states.n / 2);
    if (!cupel__nfa_compile(nfa, look != NULL ? look->child[0] : root, reverse, anchored))
        return false;
    *ret = (struct cupel__automaton){.looks = nfa->looks, .states = 2 * first};
    ret->nstates = (uint32_t)(nfa->states.n / 2) - first;
    ret->flags = (reverse ? CUPEL__AUTOMATON_REVERSE : 0) | (nfa->word ? CUPEL__AUTOMATON_WORD : 0);
    if (look == NULL || leading)
        ret->flags |= CUPEL__AUTOMATON_SEARCH;
    if (leading && look->negated)
        ret->flags |= CUPEL__AUTOMATON_NEGATED;
    return true;
}

static void put_automaton(struct cupel__words *w, uint32_t i, const struct cupel__automaton *a)
{
    if (!w->failed)
        memcpy(w->p + w->p[CUPEL__HEAD_AUTOMATA] + i * (sizeof *a / 4), a, sizeof *a);
}

/* Appends the automata, whose `states` count from the first state, with their tables. */
static void assemble(struct cupel__words *w, const struct cupel__nfa *nfa, bool tables,
                     int64_t *work, struct cupel__automaton *a, uint32_t n)
{
    uint32_t automata = cupel__words_add(w, NULL, n * (sizeof *a / 4));
    uint32_t states = cupel__words_add(w, nfa->states.p, nfa->states.n);
    if (w->failed)
        return;
    w->p[CUPEL__HEAD_AUTOMATA] = automata;
    w->p[CUPEL__HEAD_NAUTOMATA] = n;
    w->p[CUPEL__HEAD_TABLES_ONLY] = 1;
    for (uint32_t i = 0; i < n && !w->failed; i++) {
        a[i].states += states;
        put_automaton(w, i, &a[i]);
        if (tables && *work > CUPEL__MATCHER_RESERVE)
            add_table(w, i, &a[i], work);
        put_automaton(w, i, &a[i]);
        bool simple =
            a[i].ndfa > 0 && a[i].looks == 0 && (a[i].flags & CUPEL__AUTOMATON_SEARCH) != 0;
        if (!w->failed && !simple)
            w->p[CUPEL__HEAD_TABLES_ONLY] = 0;
    }
}

/* Compiles the symbols and the automata of a pattern that is not simple. */
static enum cupel_status compile_automata(struct cupel__words *w, struct cupel__nfa *nfa,
                                          const struct cupel__regex *re, bool tables, int64_t *work)
{
    struct cupel__automaton a[CUPEL__LINEAR_MAX_LOOKS + 1];
    if (re->has_backref || re->nlooks > CUPEL__LINEAR_MAX_LOOKS)
        return CUPEL_E_UNSUPPORTED;
    for (const struct cupel__regex_node *look = re->looks; look != NULL; look = look->next)
        nfa->look[nfa->nlooks++] = look;
    find_leading(nfa, re->root);
    (void)cupel__words_add(w, NULL, CUPEL__HEAD_WORDS);
    enum cupel_status status = w->failed ? CUPEL_E_NO_MEMORY : cupel__symbols_compile(w, re, work);
    if (status != CUPEL_OK)
        return status;
    bool ok = true;
    for (uint32_t i = 0; ok && i <= nfa->nlooks; i++)
        ok = make_automaton(nfa, i, re->root, &a[i]);
    *work -= STATE * (int64_t)(nfa->states.n / 2);
    if (!ok)
        return nfa->status;
    assemble(w, nfa, tables, work, a, nfa->nlooks + 1);
    return CUPEL_OK;
}

/* Copies the words to a block of exactly their size, which the caller owns. */
static enum cupel_status hand_over(struct cupel__words *w, uint32_t **ret_words,
                                   uint32_t *ret_nwords)
{
    uint32_t *exact = w->failed ? NULL : cupel__realloc(w->alloc, NULL, 0, w->n * sizeof *w->p);
    if (exact == NULL)
        return CUPEL_E_NO_MEMORY;
    w->p[CUPEL__HEAD_NWORDS] = (uint32_t)w->n;
    memcpy(exact, w->p, w->n * sizeof *w->p);
    *ret_words = exact;
    *ret_nwords = (uint32_t)w->n;
    return CUPEL_OK;
}

enum cupel_status cupel__linear_compile(const struct cupel_alloc *alloc,
                                        const struct cupel__regex *re, unsigned flags,
                                        int64_t *work, uint32_t **ret_words, uint32_t *ret_nwords)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    struct cupel__words w = {.alloc = &a};
    struct cupel__nfa nfa = {.states.alloc = &a};
    enum cupel_status status = CUPEL_OK;
    if ((flags & CUPEL__LINEAR_NO_SIMPLE) != 0 || !cupel__simple_compile(&w, re->root))
        status = compile_automata(&w, &nfa, re, (flags & CUPEL__LINEAR_NO_TABLE) == 0, work);
    if (status == CUPEL_OK)
        status = hand_over(&w, ret_words, ret_nwords);
    cupel__nfa_free(&nfa);
    cupel__free(&a, w.p, w.cap * sizeof *w.p);
    return status;
}

enum cupel_engine cupel__linear_engine(const uint32_t *words)
{
    enum cupel_engine engine = CUPEL_ENGINE_TABLE;
    if (words[CUPEL__HEAD_SIMPLE] != CUPEL__SIMPLE_NONE)
        return CUPEL_ENGINE_SIMPLE;
    for (uint32_t i = 0; i < words[CUPEL__HEAD_NAUTOMATA]; i++) {
        struct cupel__stepper st;
        cupel__stepper_init(&st, words, i, NULL);
        if (st.a.ndfa == 0)
            engine = CUPEL_ENGINE_STATES;
    }
    return engine;
}
