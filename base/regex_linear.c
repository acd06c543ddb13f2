/* regex_linear.c: puts programs of regex_program.h together.
 *
 * A pattern without a shape becomes automata (regex_nfa.c).  Each gets the classes of bytes that it
 * can tell apart, and, if that is small, the table of all its determinised states; what is too
 * large for a table is determinised in part at every match. */
#include "regex_program.h"

#include <string.h>

enum {
    TABLE_BYTES = 8192,
    TABLE_WORK = 300 * 1000, /* steps of making it, before it is given up */
    MAX_DEPTH = 64
};

uint32_t cupel__words_add(struct cupel__words *w, const void *from, size_t n)
{
    void *array = w->p;
    uint32_t at = (uint32_t)w->n;
    if (w->failed || cupel__grow(w->alloc, &array, &w->cap, w->n + n, sizeof *w->p) != CUPEL_OK) {
        w->failed = true;
        return 0;
    }
    w->p = array;
    if (n > 0 && from != NULL)
        memcpy(w->p + w->n, from, n * sizeof *w->p);
    else if (n > 0)
        memset(w->p + w->n, 0, n * sizeof *w->p);
    w->n += n;
    return at;
}

static void words_free(struct cupel__words *w)
{
    cupel__free(w->alloc, w->p, w->cap * sizeof *w->p);
}

/* -- Classes of bytes ------------------------------------------------------------------------- */

struct classes {
    unsigned char of[256];
    uint32_t n;
    uint8_t seen[(65536 + CUPEL__LINEAR_MAX_SETS) / 8]; /* arguments that were split by */
};

/* Parts each class into what the set has of it and what not. */
static void split(struct classes *c, const uint32_t set[8])
{
    uint16_t size[256] = {0}, inside[256] = {0};
    int other[256];
    for (unsigned byte = 0; byte < 256; byte++) {
        size[c->of[byte]]++;
        inside[c->of[byte]] += set[byte / 32] >> (byte % 32) & 1;
    }
    for (unsigned i = 0, n = c->n; i < n; i++)
        other[i] = inside[i] > 0 && inside[i] < size[i] ? (int)c->n++ : (int)i;
    for (unsigned byte = 0; byte < 256; byte++) {
        if ((set[byte / 32] >> (byte % 32) & 1) != 0)
            c->of[byte] = (unsigned char)other[c->of[byte]];
    }
}

static void split_range(struct classes *c, unsigned first, unsigned last)
{
    uint32_t set[8] = {0};
    for (unsigned byte = first; byte <= last; byte++)
        set[byte / 32] |= UINT32_C(1) << (byte % 32);
    split(c, set);
}

static void split_by_state(struct classes *c, struct cupel__state s, const uint32_t *sets)
{
    uint32_t arg = cupel__state_arg(s);
    bool is_set = cupel__state_kind(s) == CUPEL__STATE_SET;
    uint32_t slot = is_set ? 65536 + arg : arg;
    if (!is_set && cupel__state_kind(s) != CUPEL__STATE_BYTE)
        return;
    if ((c->seen[slot / 8] >> (slot % 8) & 1) != 0)
        return;
    c->seen[slot / 8] |= (uint8_t)(1u << (slot % 8));
    if (is_set)
        split(c, sets + 8 * (size_t)arg);
    else
        split_range(c, arg & 0xFF, arg >> 8);
}

static void find_classes(struct classes *c, const uint32_t *words, const struct cupel__automaton *a)
{
    const struct cupel__state *states = (const struct cupel__state *)(words + a->states);
    memset(c, 0, sizeof *c);
    c->n = 1;
    for (uint32_t i = 0; i < a->nstates; i++)
        split_by_state(c, states[i], words + words[CUPEL__HEAD_SETS]);
    if ((a->flags & CUPEL__AUTOMATON_WORD) != 0) {
        split_range(c, '0', '9');
        split_range(c, 'A', 'Z');
        split_range(c, '_', '_');
        split_range(c, 'a', 'z');
    }
}

/* -- Tables ----------------------------------------------------------------------------------- */

/* The inverse of what a match does to look-arounds: bits moved to the places of `mask`. */
static uint32_t scatter(uint32_t bits, uint32_t mask)
{
    uint32_t looks = 0;
    for (unsigned i = 0; mask != 0; mask &= mask - 1, i++)
        looks |= (bits >> i & 1) << (unsigned)__builtin_ctz(mask);
    return looks;
}

/* A byte of a class; -1 for the class behind the last. */
static int member(const struct cupel__stepper *st, uint32_t class)
{
    int byte = 0;
    while (byte < 256 && st->map[byte] != class)
        byte++;
    return byte < 256 ? byte : -1;
}

/* Finds what every symbol makes of state s. */
static bool expand(struct cupel__stepper *st, struct cupel__dfa *d, uint32_t s, uint64_t *to)
{
    for (uint32_t sym = 0; sym < d->nsym; sym++) {
        uint32_t looks = scatter(sym / (st->a.nclasses + 1), st->a.looks);
        int byte = member(st, sym % (st->a.nclasses + 1));
        unsigned marks = cupel__step(st, d->sets + (size_t)s * d->nw, d->marks[s], looks, byte, to);
        uint32_t next = cupel__dfa_state(d, to, marks);
        d->next[(size_t)s * d->nsym + sym] = (uint16_t)next;
        if (next == CUPEL__DFA_NONE || *st->steps < 0)
            return false;
    }
    return true;
}

static bool determinise(struct cupel__stepper *st, struct cupel__dfa *d, uint64_t *to)
{
    for (uint32_t s = 0; s < d->n; s++) {
        if (!expand(st, d, s, to))
            return false;
    }
    return ((size_t)d->n << cupel__table_shift(&st->a)) <= TABLE_BYTES;
}

static void write_table(struct cupel__words *w, struct cupel__automaton *a,
                        const struct cupel__dfa *d)
{
    unsigned shift = cupel__table_shift(a);
    a->ndfa = d->n;
    a->dfa = cupel__words_add(w, NULL, cupel__table_words(a));
    if (w->failed)
        return;
    unsigned char *table = (unsigned char *)(w->p + a->dfa);
    for (uint32_t s = 0; s < d->n; s++) {
        for (uint32_t sym = 0; sym < d->nsym; sym++)
            table[s << shift | sym] = (unsigned char)d->next[(size_t)s * d->nsym + sym];
        table[(d->n << shift) + s] = (d->marks[s] & CUPEL__MARK_ACCEPT) != 0;
    }
}

static void add_table(struct cupel__words *w, uint32_t index, struct cupel__automaton *a)
{
    struct cupel__stepper st;
    struct cupel__dfa d;
    int64_t steps = TABLE_WORK;
    cupel__stepper_init(&st, w->p, index, &steps);
    if (cupel__count_bits(a->looks) > CUPEL__LINEAR_MAX_KNOWN)
        return;
    size_t sets = 18 * (size_t)st.nw * sizeof(uint64_t); /* two, and a stack of 16 bits a state */
    size_t size = sets + cupel__dfa_size(&st, CUPEL__LINEAR_MAX_DFA);
    uint64_t *memory = cupel__realloc(w->alloc, NULL, 0, size);
    if (memory == NULL) {
        w->failed = true;
        return;
    }
    st.seen = memory;
    st.stack = (uint16_t *)(memory + 2 * st.nw);
    cupel__dfa_init(&d, &st, CUPEL__LINEAR_MAX_DFA, memory + 18 * (size_t)st.nw);
    if (determinise(&st, &d, memory + st.nw))
        write_table(w, a, &d);
    cupel__free(w->alloc, memory, size);
}

/* -- Automata --------------------------------------------------------------------------------- */

/* Whether a match can only begin where the subject does. */
static bool is_anchored(const struct cupel__regex_node *node, unsigned depth)
{
    if (depth++ == MAX_DEPTH)
        return false;
    switch (node->kind) {
    case CUPEL__RE_START:
        return true;
    case CUPEL__RE_GROUP:
        return is_anchored(node->child[0], depth);
    case CUPEL__RE_CAT:
        return node->nchild > 0 && is_anchored(node->child[0], depth);
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

/* Automaton i: the body of a look-around, or the whole pattern behind the last of them. */
static bool make_automaton(struct cupel__nfa *nfa, uint32_t i, const struct cupel__regex_node *root,
                           struct cupel__automaton *ret)
{
    bool is_look = i < nfa->nlooks;
    const struct cupel__regex_node *look = is_look ? nfa->look[i] : NULL;
    const struct cupel__regex_node *node = is_look ? look->child[0] : root;
    bool reverse = is_look && !look->behind;
    uint32_t first = (uint32_t)(nfa->states.n / 2);
    if (!cupel__nfa_compile(nfa, node, reverse, !is_look && is_anchored(root, 0)))
        return false;
    *ret = (struct cupel__automaton){.looks = nfa->looks, .states = 2 * first};
    ret->nstates = (uint32_t)(nfa->states.n / 2) - first;
    ret->flags = (reverse ? CUPEL__AUTOMATON_REVERSE : 0) | (nfa->word ? CUPEL__AUTOMATON_WORD : 0);
    return true;
}

static void put_automaton(struct cupel__words *w, uint32_t i, const struct cupel__automaton *a)
{
    if (!w->failed)
        memcpy(w->p + w->p[CUPEL__HEAD_AUTOMATA] + i * (sizeof *a / 4), a, sizeof *a);
}

/* Adds the classes and the table of automaton i, whose states are in place. */
static void finish_automaton(struct cupel__words *w, uint32_t i, struct cupel__automaton *a)
{
    struct classes c;
    find_classes(&c, w->p, a);
    a->nclasses = c.n;
    a->map = cupel__words_add(w, c.of, sizeof c.of / 4);
    put_automaton(w, i, a);
    if (!w->failed)
        add_table(w, i, a);
    put_automaton(w, i, a);
}

/* The program of automata whose states begin at 0. */
static void assemble(struct cupel__words *w, const struct cupel__nfa *nfa,
                     struct cupel__automaton *a, uint32_t n)
{
    cupel__words_add(w, NULL, CUPEL__HEAD_WORDS);
    uint32_t automata = cupel__words_add(w, NULL, n * (sizeof *a / 4));
    uint32_t sets = cupel__words_add(w, nfa->sets.p, nfa->sets.n);
    uint32_t states = cupel__words_add(w, nfa->states.p, nfa->states.n);
    if (w->failed)
        return;
    w->p[CUPEL__HEAD_AUTOMATA] = automata;
    w->p[CUPEL__HEAD_NAUTOMATA] = n;
    w->p[CUPEL__HEAD_SETS] = sets;
    w->p[CUPEL__HEAD_NSETS] = (uint32_t)(nfa->sets.n / 8);
    for (uint32_t i = 0; i < n; i++) {
        a[i].states += states;
        put_automaton(w, i, &a[i]);
    }
    for (uint32_t i = 0; i < n && !w->failed; i++)
        finish_automaton(w, i, &a[i]);
}

static bool compile_automata(struct cupel__words *w, struct cupel__nfa *nfa,
                             const struct cupel__regex_node *root)
{
    struct cupel__automaton a[CUPEL__LINEAR_MAX_LOOKS + 1];
    if (!cupel__nfa_find_looks(nfa, root))
        return false;
    for (uint32_t i = 0; i <= nfa->nlooks; i++) {
        if (!make_automaton(nfa, i, root, &a[i]))
            return false;
    }
    assemble(w, nfa, a, nfa->nlooks + 1);
    return true;
}

/* Hands the words out in a block of their size. */
static enum cupel_status give(struct cupel__words *w, uint32_t **ret_words, uint32_t *ret_nwords)
{
    uint32_t *exact = w->failed ? NULL : cupel__realloc(w->alloc, NULL, 0, w->n * sizeof *w->p);
    if (exact == NULL)
        return CUPEL_E_NO_MEMORY;
    w->p[CUPEL__HEAD_MAGIC] = CUPEL__LINEAR_MAGIC;
    w->p[CUPEL__HEAD_NWORDS] = (uint32_t)w->n;
    memcpy(exact, w->p, w->n * sizeof *w->p);
    *ret_words = exact;
    *ret_nwords = (uint32_t)w->n;
    return CUPEL_OK;
}

enum cupel_status cupel__linear_compile(const struct cupel_alloc *alloc,
                                        const struct cupel__regex *re, uint32_t **ret_words,
                                        uint32_t *ret_nwords, struct cupel_error *err)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    struct cupel__words w = {.alloc = &a};
    struct cupel__nfa nfa = {.states.alloc = &a, .sets.alloc = &a, .problem = "out of memory"};
    enum cupel_status status = CUPEL_OK;
    if (!cupel__shape_compile(&w, re->root) && !compile_automata(&w, &nfa, re->root))
        status = nfa.status;
    if (status == CUPEL_OK)
        status = give(&w, ret_words, ret_nwords);
    words_free(&nfa.states);
    words_free(&nfa.sets);
    words_free(&w);
    return status == CUPEL_OK ? status : cupel__error_set(err, status, "%s", nfa.problem);
}
