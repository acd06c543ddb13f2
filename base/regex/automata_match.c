/* automata_match.c: matches with the automata of a program of regex/automata.h.
 *
 * The automata run in their order, one pass over the subject each: first the look-arounds, then the
 * pattern.  A look-ahead reads from right to left.  A look-around leaves a bit for every position,
 * its plane; a look-ahead directly behind a leading ^ only matches or not.  A pass uses the
 * automaton's table, or a cache of states that are determinised on the way, which is cleared when
 * it is full.  If the cache fills too often, the pass continues with plain steps on sets of states.
 */
#include "base/always.h"
#include "base/regex/automata_program.h"

#include <string.h>

enum {
    CACHE_BYTES = 128 * 1024,
    CACHE_STATES = 2048,
    CACHE_MIN_STATES = 16, /* a smaller cache is not worth its work */
    CACHE_MIN_LENGTH = 64, /* shorter subjects reach few states twice */
    CACHE_GAIN = 8         /* symbols read for each state made; with fewer the cache is abandoned */
};

typedef const unsigned char *bytes;

struct run {
    struct cupel__stepper st;
    const uint32_t *words;
    bytes map, p;
    size_t n;
    uint64_t *planes; /* for each look-around `stride` words: a bit for each position */
    size_t stride;
    uint64_t *set[2]; /* of plain steps: the current and the next set of states */
    void *cache;
    uint32_t plane; /* the plane that this pass fills */
    bool search;
};

/* -- Reading --------------------------------------------------------------------------------- */

static size_t begin(const struct run *r)
{
    return (r->st.a.flags & CUPEL__AUTOMATON_REVERSE) != 0 ? r->n : 0;
}

/* Reads the symbol at a position in the direction of the automaton; nsymbols at the end. */
static uint32_t read(const struct run *r, size_t *at)
{
    size_t n, i = *at;
    if ((r->st.a.flags & CUPEL__AUTOMATON_REVERSE) != 0) {
        if (i == 0)
            return r->st.nsymbols;
        for (i--; (r->p[i] & 0xC0) == 0x80; i--)
            ;
        *at = i;
    } else if (i == r->n) {
        return r->st.nsymbols;
    } else {
        *at = i + 1;
    }
    if (r->p[i] < 0x80)
        return r->map[r->p[i]];
    uint32_t cp = cupel__decode(r->p + i, &n);
    if (*at > i)
        *at = i + n;
    return cupel__symbol(r->words, cp);
}

/* The results at a position of the look-arounds in `mask`. */
static uint32_t looks_at(const struct run *r, uint32_t mask, size_t at)
{
    uint32_t looks = 0;
    for (; mask != 0; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        looks |= (uint32_t)(r->planes[i * r->stride + at / 64] >> (at % 64) & 1) << i;
    }
    return looks;
}

static void accept(struct run *r, size_t at)
{
    r->planes[r->plane * r->stride + at / 64] |= UINT64_C(1) << (at % 64);
}

/* Moves the bits of `looks` at the positions of `mask` to the low end. */
static uint32_t gather(uint32_t looks, uint32_t mask)
{
    uint32_t result = 0;
    for (unsigned i = 0; mask != 0; mask &= mask - 1, i++)
        result |= (looks >> (unsigned)__builtin_ctz(mask) & 1) << i;
    return result;
}

/* The input of a determinised automaton: a symbol, with the results of the look-arounds it tests.
 */
static uint32_t input(const struct run *r, uint32_t looks, uint32_t symbol)
{
    return gather(looks, r->st.a.looks) * (r->st.nsymbols + 1) + symbol;
}

/* -- Tables ---------------------------------------------------------------------------------- */

/* A search without look-arounds, the common case.  regex/automata.c numbers the states so that the
 * next state is mostly the same or the following one.  The branches for these two let the processor
 * predict the next row, instead of waiting for its number to be loaded. */
static bool search_table(const uint32_t *words, const struct cupel__automaton *a, bytes p,
                         size_t len)
{
    const uint16_t *table = (const uint16_t *)(words + a->dfa), *row;
    bytes map = (bytes)(words + words[CUPEL__HEAD_MAP]), end = p + len;
    unsigned shift = cupel__table_shift(words[CUPEL__HEAD_NSYMBOLS] + 1);
    uint32_t s = CUPEL__DFA_FIRST;
    row = table + (s << shift);
    while (p < end) {
        uint32_t symbol = map[*p++], next;
        if (__builtin_expect(symbol == CUPEL__RARE, 0)) {
            size_t n;
            symbol = cupel__symbol(words, cupel__decode(p - 1, &n));
            p += n - 1;
        }
        next = row[symbol];
        if (next == s) {
            while (p < end && (symbol = map[*p]) != CUPEL__RARE && (next = row[symbol]) == s)
                p++;
            if (p == end || symbol == CUPEL__RARE)
                continue;
            p++;
        } else if (__builtin_expect(next == s + 1, 1)) {
            row += (size_t)1 << shift;
            s++;
            continue;
        }
        if (next < CUPEL__DFA_FIRST)
            return next == CUPEL__DFA_ACCEPTED;
        s = next;
        row = table + ((size_t)s << shift);
    }
    return row[words[CUPEL__HEAD_NSYMBOLS]] == CUPEL__DFA_ACCEPTED;
}

/* A program that consists of such searches. */
static int run_tables(const uint32_t *words, bytes p, size_t len, int64_t *steps)
{
    const struct cupel__automaton *a = (const void *)(words + words[CUPEL__HEAD_AUTOMATA]);
    for (uint32_t i = 0; i < words[CUPEL__HEAD_NAUTOMATA]; i++, a++) {
        *steps -= 1 + (int64_t)(len / 2);
        if (*steps < 0)
            return CUPEL_E_LIMIT_STEPS;
        if (search_table(words, a, p, len) == ((a->flags & CUPEL__AUTOMATON_NEGATED) != 0))
            return 0;
    }
    return 1;
}

/* A pass with a table, with look-arounds or for one. */
static int pass_table(struct run *r)
{
    const uint16_t *table = (const uint16_t *)(r->words + r->st.a.dfa);
    unsigned shift = cupel__table_shift(cupel__inputs(r->words, &r->st.a));
    bytes accepts = (bytes)(table + ((size_t)r->st.a.ndfa << shift));
    uint32_t s = CUPEL__DFA_FIRST, symbol;
    size_t at = begin(r);
    do {
        size_t here = at;
        symbol = read(r, &at);
        s = table[s << shift | input(r, looks_at(r, r->st.a.looks, here), symbol)];
        if (r->search && s < CUPEL__DFA_FIRST)
            return s == CUPEL__DFA_ACCEPTED;
        if (!r->search && accepts[s] != 0)
            accept(r, here);
    } while (symbol < r->st.nsymbols);
    return 0;
}

/* -- Steps ----------------------------------------------------------------------------------- */

/* A pass with plain steps from position `at`, where set[0] with these marks is the current set. */
static int pass_plain(struct run *r, size_t at, unsigned marks)
{
    uint32_t symbol;
    do {
        size_t here = at;
        uint32_t looks = looks_at(r, r->st.a.looks, here);
        symbol = read(r, &at);
        marks = cupel__step(&r->st, r->set[0], marks, looks, symbol, r->set[1]);
        uint64_t *old = r->set[0];
        r->set[0] = r->set[1];
        r->set[1] = old;
        if (*r->st.steps < 0)
            return CUPEL_E_LIMIT_STEPS;
        if ((marks & CUPEL__MARK_ACCEPT) != 0) {
            if (r->search)
                return 1;
            accept(r, here);
        }
    } while (symbol < r->st.nsymbols);
    return 0;
}

static int pass_plain_from_start(struct run *r)
{
    memset(r->set[0], 0, r->st.nw * sizeof(uint64_t));
    r->set[0][0] = 1;
    return pass_plain(r, begin(r), CUPEL__MARK_BEGIN);
}

/* Computes the successor of state s for an input that it has not had before.  NONE if the cache is
 * full; set[0] and *marks then describe the successor. */
static uint32_t make_state(struct run *r, struct cupel__dfa *d, uint32_t s, uint32_t looks,
                           uint32_t symbol, unsigned *marks)
{
    const uint64_t *from = d->sets + (size_t)s * d->nw;
    *marks = cupel__step(&r->st, from, d->marks[s], looks, symbol, r->set[0]);
    uint32_t next = cupel__dfa_state(d, r->set[0], *marks);
    d->next[(size_t)s * d->ninputs + input(r, looks, symbol)] = (uint16_t)next;
    return next;
}

/* A pass with a cache of states that are determinised on the way.  `kept` counts the symbols since
 * the cache was cleared. */
static int pass_cached(struct run *r, struct cupel__dfa *d)
{
    uint32_t s = CUPEL__DFA_FIRST, symbol, kept = 0;
    size_t at = begin(r);
    do {
        size_t here = at;
        uint32_t looks = looks_at(r, r->st.a.looks, here);
        symbol = read(r, &at);
        uint32_t next = d->next[(size_t)s * d->ninputs + input(r, looks, symbol)];
        unsigned marks = 0;
        if (next == CUPEL__DFA_NONE)
            next = make_state(r, d, s, looks, symbol, &marks);
        if (*r->st.steps < 0)
            return CUPEL_E_LIMIT_STEPS;
        bool full = next == CUPEL__DFA_NONE;
        if (full) {
            cupel__dfa_clear(d);
            next = cupel__dfa_state(d, r->set[0], marks);
        }
        s = next;
        if (r->search && s < CUPEL__DFA_FIRST)
            return s == CUPEL__DFA_ACCEPTED;
        if (!r->search && (d->marks[s] & CUPEL__MARK_ACCEPT) != 0)
            accept(r, here);
        if (full &&
            kept < (uint32_t)CACHE_GAIN * d->cap) /* never at the end, which makes no new state */
            return pass_plain(r, at, marks);
        kept = full ? 0 : kept + 1;
    } while (symbol < r->st.nsymbols);
    return 0;
}

/* The capacity of the cache for an automaton and a subject of n bytes; 0 for no cache. */
static uint32_t cache_states(const uint32_t *words, const struct cupel__stepper *st, size_t n)
{
    uint32_t cap = CACHE_STATES, inputs;
    if (n < CACHE_MIN_LENGTH || cupel__count_bits(st->a.looks) > CUPEL__LINEAR_MAX_KNOWN)
        return 0;
    inputs = cupel__inputs(words, &st->a);
    while (cap >= CACHE_MIN_STATES && cupel__dfa_size(cap, inputs, st->nw) > CACHE_BYTES)
        cap /= 2;
    return cap >= CACHE_MIN_STATES ? cap : 0;
}

/* -- All automata ---------------------------------------------------------------------------- */

/* One automaton over the subject: 1 or 0 for a search, or a status. */
static int pass(struct run *r)
{
    *r->st.steps -= 1 + (int64_t)(r->n / 2);
    if (*r->st.steps < 0)
        return CUPEL_E_LIMIT_STEPS;
    if (r->st.a.ndfa > 0)
        return r->search && r->st.a.looks == 0 ? search_table(r->words, &r->st.a, r->p, r->n)
                                               : pass_table(r);
    uint32_t cap = cache_states(r->words, &r->st, r->n);
    if (cap == 0)
        return pass_plain_from_start(r);
    struct cupel__dfa d;
    cupel__dfa_init(&d, cap, cupel__inputs(r->words, &r->st.a), r->st.nw, r->cache);
    return pass_cached(r, &d);
}

/* Runs all automata: 1 if every search has the result that it needs. */
static int run(struct run *r, int64_t *steps)
{
    for (uint32_t i = 0; i < r->words[CUPEL__HEAD_NAUTOMATA]; i++) {
        cupel__stepper_init(&r->st, r->words, i, steps);
        r->search = (r->st.a.flags & CUPEL__AUTOMATON_SEARCH) != 0;
        r->plane = i;
        int rc = pass(r);
        if (rc < 0)
            return rc;
        if (r->search && (rc != 0) == ((r->st.a.flags & CUPEL__AUTOMATON_NEGATED) != 0))
            return 0;
    }
    return 1;
}

/* -- Memory ---------------------------------------------------------------------------------- */

void cupel__linear_scratch_init(struct cupel__linear_scratch *s, const struct cupel_alloc *alloc,
                                size_t limit)
{
    *s = (struct cupel__linear_scratch){.alloc = cupel__alloc_or_default(alloc), .limit = limit};
}

void cupel__linear_scratch_free(struct cupel__linear_scratch *s)
{
    cupel__free(&s->alloc, s->memory, s->size);
    s->memory = NULL;
    s->size = 0;
}

enum cupel_status cupel__linear_scratch_reserve(struct cupel__linear_scratch *s, size_t size,
                                                size_t keep)
{
    if (size <= s->size)
        return CUPEL_OK;
    if (size > s->limit)
        return CUPEL_E_LIMIT_MEMORY;
    if (size < s->size + s->size / 2 && s->size + s->size / 2 <= s->limit)
        size = s->size + s->size / 2;
    void *memory = cupel__realloc(&s->alloc, NULL, 0, size);
    if (memory == NULL)
        return CUPEL_E_NO_MEMORY;
    if (keep > 0)
        memcpy(memory, s->memory, keep);
    cupel__linear_scratch_free(s);
    s->memory = memory;
    s->size = size;
    return CUPEL_OK;
}

/* The memory that all automata need: returns the words of the largest set of an automaton without a
 * table; sets whether one needs a cache, and the number of planes. */
static size_t widest(const struct run *r, bool *ret_cache, size_t *ret_planes)
{
    size_t nw = 0;
    *ret_cache = false;
    *ret_planes = 0;
    for (uint32_t i = 0; i < r->words[CUPEL__HEAD_NAUTOMATA]; i++) {
        struct cupel__stepper st;
        cupel__stepper_init(&st, r->words, i, NULL);
        if ((st.a.flags & CUPEL__AUTOMATON_SEARCH) == 0)
            *ret_planes = i + 1;
        if (st.a.ndfa > 0)
            continue;
        nw = st.nw > nw ? st.nw : nw;
        *ret_cache = *ret_cache || cache_states(r->words, &st, r->n) > 0;
    }
    return nw;
}

/* Reserves and divides the memory: planes, three sets, the stack, the cache. */
static enum cupel_status prepare(struct run *r, struct cupel__linear_scratch *s)
{
    bool cache;
    size_t planes, nw = widest(r, &cache, &planes);
    r->stride = r->n / 64 + 1;
    planes *= r->stride;
    size_t size = 8 * (planes + 3 * nw + 16 * nw) + (cache ? CACHE_BYTES : 0);
    if (NEVER(size == 0)) /* such a program is TABLES_ONLY */
        return CUPEL_OK;
    enum cupel_status status = cupel__linear_scratch_reserve(s, size, 0);
    if (status != CUPEL_OK)
        return status;
    r->planes = s->memory;
    memset(r->planes, 0, 8 * planes);
    r->set[0] = r->planes + planes;
    r->set[1] = r->set[0] + nw;
    r->st.seen = r->set[1] + nw;
    r->st.stack = (uint16_t *)(r->st.seen + nw);
    r->cache = r->st.seen + nw + 16 * nw;
    return CUPEL_OK;
}

int cupel__automata_run(const uint32_t *words, struct cupel__linear_scratch *s, const char *subject,
                        size_t len, int64_t *steps)
{
    if (words[CUPEL__HEAD_TABLES_ONLY] != 0)
        return run_tables(words, (bytes)subject, len, steps);
    struct run r = {.words = words, .p = (bytes)subject, .n = len};
    r.map = (bytes)(words + words[CUPEL__HEAD_MAP]);
    enum cupel_status status = prepare(&r, s);
    return status != CUPEL_OK ? (int)status : run(&r, steps);
}
