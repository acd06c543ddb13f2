/* regex_verify.c: whether words are a program of regex_program.h.
 *
 * A match trusts every offset and index that was looked at here.  What a program means is not
 * checked: one that was not compiled from a pattern may answer anything. */
#include "regex_program.h"

#include <string.h>

struct program {
    const uint32_t *words;
    uint32_t nwords;
};

static bool has(const struct program *p, uint64_t at, uint64_t n)
{
    return at >= CUPEL__HEAD_WORDS && at <= p->nwords && n <= p->nwords - at;
}

/* -- Shapes ----------------------------------------------------------------------------------- */

static bool check_literal(const struct program *p)
{
    const uint32_t *data = p->words + CUPEL__HEAD_WORDS;
    return has(p, CUPEL__HEAD_WORDS, 2) &&
           has(p, CUPEL__HEAD_WORDS + 2, ((uint64_t)data[1] + 3) / 4);
}

static bool check_words(const struct program *p)
{
    uint64_t at = CUPEL__HEAD_WORDS + 1;
    if (!has(p, CUPEL__HEAD_WORDS, 1))
        return false;
    for (uint32_t n = p->words[CUPEL__HEAD_WORDS]; n > 0; n--) {
        if (!has(p, at, 1))
            return false;
        at += 1 + ((uint64_t)p->words[at] + 3) / 4;
        if (!has(p, at, 0))
            return false;
    }
    return true;
}

static bool check_template(const struct program *p)
{
    const struct cupel__template *t = (const void *)(p->words + CUPEL__HEAD_WORDS);
    const struct cupel__template_item *item = (const void *)(t + 1);
    uint32_t size = sizeof *t / 4;
    if (!has(p, CUPEL__HEAD_WORDS, size) ||
        !has(p, CUPEL__HEAD_WORDS + size, (uint64_t)t->nitems * (sizeof *item / 4)))
        return false;
    for (uint32_t i = 0; i < t->nitems; i++) {
        if (item[i].class >= CUPEL__TEMPLATE_CLASSES)
            return false;
    }
    for (uint32_t c = 0; c < CUPEL__TEMPLATE_CLASSES; c++) {
        uint64_t at = (uint64_t)CUPEL__HEAD_WORDS + t->class[c].at;
        if (t->class[c].nranges > p->nwords || !has(p, at, 2 * (uint64_t)t->class[c].nranges))
            return false;
    }
    return true;
}

/* -- Automata --------------------------------------------------------------------------------- */

static bool check_state(const struct program *p, const struct cupel__automaton *a,
                        struct cupel__state s)
{
    uint32_t arg = cupel__state_arg(s);
    if (cupel__state_next(s) >= a->nstates || cupel__state_alt(s) >= a->nstates)
        return false;
    switch (cupel__state_kind(s)) {
    case CUPEL__STATE_SET:
        return arg < p->words[CUPEL__HEAD_NSETS];
    case CUPEL__STATE_LOOK:
        return arg >> 1 < CUPEL__LINEAR_MAX_LOOKS && (a->looks >> (arg >> 1) & 1) != 0;
    default:
        return cupel__state_kind(s) < CUPEL__STATE_COUNT;
    }
}

static bool check_map(const struct program *p, const struct cupel__automaton *a)
{
    if (!has(p, a->map, 64) || a->nclasses == 0 || a->nclasses > 256)
        return false;
    const unsigned char *map = (const unsigned char *)(p->words + a->map);
    for (unsigned byte = 0; byte < 256; byte++) {
        if (map[byte] >= a->nclasses)
            return false;
    }
    return true;
}

static bool check_table(const struct program *p, const struct cupel__automaton *a)
{
    if (a->ndfa == 0)
        return true;
    if (a->ndfa <= CUPEL__DFA_FIRST || a->ndfa > CUPEL__LINEAR_MAX_DFA ||
        cupel__count_bits(a->looks) > CUPEL__LINEAR_MAX_KNOWN ||
        !has(p, a->dfa, cupel__table_words(a)))
        return false;
    const unsigned char *table = (const unsigned char *)(p->words + a->dfa);
    for (uint32_t i = 0; i < a->ndfa << cupel__table_shift(a); i++) {
        if (table[i] >= a->ndfa)
            return false;
    }
    return true;
}

/* Automaton i may ask for the look-arounds before it only: so each is answered when it is asked. */
static bool check_automaton(const struct program *p, uint32_t i)
{
    struct cupel__automaton a;
    memcpy(&a, p->words + p->words[CUPEL__HEAD_AUTOMATA] + i * (sizeof a / 4), sizeof a);
    if (a.nstates == 0 || a.nstates > CUPEL__LINEAR_MAX_STATES ||
        !has(p, a.states, 2 * (uint64_t)a.nstates) || (i < 32 && a.looks >> i != 0))
        return false;
    const struct cupel__state *states = (const struct cupel__state *)(p->words + a.states);
    for (uint32_t s = 0; s < a.nstates; s++) {
        if (!check_state(p, &a, states[s]))
            return false;
    }
    return check_map(p, &a) && check_table(p, &a);
}

static bool check_automata(const struct program *p)
{
    uint32_t n = p->words[CUPEL__HEAD_NAUTOMATA];
    if (n == 0 || n > CUPEL__LINEAR_MAX_LOOKS + 1 ||
        !has(p, p->words[CUPEL__HEAD_AUTOMATA], n * (sizeof(struct cupel__automaton) / 4)) ||
        p->words[CUPEL__HEAD_NSETS] > CUPEL__LINEAR_MAX_SETS ||
        !has(p, p->words[CUPEL__HEAD_SETS], 8 * (uint64_t)p->words[CUPEL__HEAD_NSETS]))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!check_automaton(p, i))
            return false;
    }
    return true;
}

bool cupel__linear_verify(const uint32_t *words, uint32_t nwords)
{
    struct program p = {words, nwords};
    if (nwords < CUPEL__HEAD_WORDS || words[CUPEL__HEAD_MAGIC] != CUPEL__LINEAR_MAGIC ||
        words[CUPEL__HEAD_NWORDS] != nwords)
        return false;
    switch (words[CUPEL__HEAD_SHAPE]) {
    case CUPEL__SHAPE_NONE:
        return check_automata(&p);
    case CUPEL__SHAPE_ALWAYS:
        return true;
    case CUPEL__SHAPE_LITERAL:
        return check_literal(&p);
    case CUPEL__SHAPE_WORDS:
        return check_words(&p);
    case CUPEL__SHAPE_TEMPLATE:
    case CUPEL__SHAPE_FIND:
        return check_template(&p);
    }
    return false;
}
