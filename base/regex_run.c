/* regex_run.c: matching with a program of regex_linear.h.
 *
 * The shapes are answered here by loops of their own.  Otherwise the look-arounds are answered
 * first, those inside others before these: one pass over the subject each, from the right for a
 * look-ahead, which leaves a bit for every position.  The last pass is the search itself.  A pass
 * goes by a table made at compile time; or by states determinised on the way, in memory that is
 * forgotten when it is full; or, where that happens too often, by plain steps. */
#include "regex_program.h"

#include <string.h>

enum {
    CACHE_BYTES = 128 * 1024,
    CACHE_STATES = 2048,
    CACHE_MIN_STATES = 16, /* with less room the cache is none */
    CACHE_MIN_LENGTH = 64, /* shorter subjects meet few states twice */
    CACHE_GAIN = 8         /* bytes for each state that was made, or the cache is given up */
};

typedef const unsigned char *bytes;

/* -- Shapes ----------------------------------------------------------------------------------- */

static bool find_literal(const char *p, size_t n, const char *needle, size_t size, int64_t *steps)
{
    const char *end = p + n;
    while (size > 0 && (size_t)(end - p) >= size) {
        p = memchr(p, needle[0], (size_t)(end - p) - size + 1);
        if (p == NULL)
            return false;
        if (memcmp(p, needle, size) == 0)
            return true;
        *steps -= 1 + (int64_t)(size / 16);
        p++;
    }
    return size == 0;
}

static bool run_literal(const uint32_t *data, const char *p, size_t n, int64_t *steps)
{
    size_t size = data[1];
    const char *needle = (const char *)(data + 2);
    if (n < size)
        return false;
    switch (data[0]) {
    case CUPEL__AT_START | CUPEL__AT_END:
        return n == size && memcmp(p, needle, size) == 0;
    case CUPEL__AT_START:
        return memcmp(p, needle, size) == 0;
    case CUPEL__AT_END:
        return memcmp(p + n - size, needle, size) == 0;
    }
    return find_literal(p, n, needle, size, steps);
}

static bool run_words(const uint32_t *data, const char *p, size_t n)
{
    const uint32_t *word = data + 1;
    for (uint32_t i = 0; i < data[0]; i++) {
        if (word[0] == n && memcmp(p, word + 1, n) == 0)
            return true;
        word += 1 + ((size_t)word[0] + 3) / 4;
    }
    return false;
}

/* The length of a code point, of which `left` > 0 bytes are there. */
static size_t cp_length(unsigned char lead, size_t left)
{
    size_t n = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return n < left ? n : left;
}

static uint32_t cp_value(bytes p, size_t n)
{
    uint32_t cp = n == 1 ? p[0] : p[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        cp = cp << 6 | (p[i] & 0x3F);
    return cp;
}

static bool in_ranges(const uint32_t *range, uint32_t n, uint32_t cp)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cp > range[2 * middle + 1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && cp >= range[2 * low];
}

/* The length of the code point at p if the class has it, or 0.  Its first byte has been seen. */
static size_t rare_length(const struct cupel__template *t, uint32_t class, bytes p, bytes end)
{
    size_t n = cp_length(*p, (size_t)(end - p));
    uint32_t nranges = t->class[class].nranges;
    const uint32_t *ranges = (const uint32_t *)t + t->class[class].at;
    return nranges == 0 || in_ranges(ranges, nranges, cp_value(p, n)) ? n : 0;
}

/* Reads a class as often as it comes, up to max times; NULL if that is not min times.  What follows
 * in the template begins with other code points, so there is no reason to read less. */
static bytes run_item(const struct cupel__template *t, struct cupel__template_item item, bytes p,
                      bytes end)
{
    bytes member = (bytes)t->bytes;
    unsigned bit = 1u << item.class;
    uint32_t n = 0;
    for (; n < item.max && p < end && (member[*p] & bit) != 0; n++) {
        size_t length = *p < 0x80 ? 1 : rare_length(t, item.class, p, end);
        if (length == 0)
            break;
        p += length;
    }
    return n < item.min ? NULL : p;
}

static bool run_template(const struct cupel__template *t, bytes p, bytes end)
{
    const struct cupel__template_item *item = (const struct cupel__template_item *)(t + 1);
    for (uint32_t i = 0; i < t->nitems && p != NULL; i++)
        p = run_item(t, item[i], p, end);
    return p != NULL && ((t->flags & CUPEL__AT_END) == 0 || p == end);
}

static bool run_find(const struct cupel__template *t, bytes p, bytes end)
{
    bytes member = (bytes)t->bytes;
    for (; p < end; p++) {
        if ((member[*p] & 1) != 0 && (*p < 0x80 || rare_length(t, 0, p, end) > 0))
            return true;
    }
    return false;
}

static int run_shape(const uint32_t *words, const char *p, size_t n, int64_t *steps)
{
    const uint32_t *data = words + CUPEL__HEAD_WORDS;
    const struct cupel__template *t = (const struct cupel__template *)data;
    switch (words[CUPEL__HEAD_SHAPE]) {
    case CUPEL__SHAPE_LITERAL:
        return run_literal(data, p, n, steps);
    case CUPEL__SHAPE_WORDS:
        return run_words(data, p, n);
    case CUPEL__SHAPE_TEMPLATE:
        return run_template(t, (bytes)p, (bytes)p + n);
    case CUPEL__SHAPE_FIND:
        return run_find(t, (bytes)p, (bytes)p + n);
    }
    return true;
}

/* -- A pass ----------------------------------------------------------------------------------- */

struct run {
    struct cupel__stepper st;
    bytes p;
    size_t n;
    uint64_t *planes; /* of each look-around a bit for each position, `stride` words */
    size_t stride;
    uint64_t *set[2]; /* of plain steps */
    void *cache;
    uint32_t plane; /* the one that this pass fills */
};

static bool is_reverse(const struct run *r)
{
    return (r->st.a.flags & CUPEL__AUTOMATON_REVERSE) != 0;
}

/* The byte that step k reads, -1 at the end; and the position before it. */
static int byte_at(const struct run *r, size_t k)
{
    return k == r->n ? -1 : r->p[is_reverse(r) ? r->n - 1 - k : k];
}

static size_t position(const struct run *r, size_t k)
{
    return is_reverse(r) ? r->n - k : k;
}

/* The truth of look-arounds at a position: of those in `mask`. */
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

/* The bits of `looks` at the places that `mask` has, moved together. */
static uint32_t gather(uint32_t looks, uint32_t mask)
{
    uint32_t result = 0;
    for (unsigned i = 0; mask != 0; mask &= mask - 1, i++)
        result |= (looks >> (unsigned)__builtin_ctz(mask) & 1) << i;
    return result;
}

/* The symbol of step k. */
static uint32_t symbol(const struct run *r, size_t k, int byte)
{
    const struct cupel__automaton *a = &r->st.a;
    uint32_t class = byte < 0 ? a->nclasses : r->st.map[byte];
    if (a->looks == 0)
        return class;
    uint32_t looks = gather(looks_at(r, a->looks, position(r, k)), a->looks);
    return looks * (a->nclasses + 1) + class;
}

/* With a table made ahead.  `words` is the program.  Returns whether it matched, for a search. */
static int pass_table(struct run *r, const uint32_t *words)
{
    bytes table = (bytes)(words + r->st.a.dfa), accepts;
    unsigned shift = cupel__table_shift(&r->st.a);
    uint32_t s = CUPEL__DFA_FIRST;
    accepts = table + ((size_t)r->st.a.ndfa << shift);
    for (size_t k = 0; k <= r->n; k++) {
        s = table[s << shift | symbol(r, k, byte_at(r, k))];
        if (r->st.search && s < CUPEL__DFA_FIRST)
            break;
        if (!r->st.search && accepts[s] != 0)
            accept(r, position(r, k));
    }
    return r->st.search && s == CUPEL__DFA_ACCEPTED;
}

/* The same without look-arounds, which is the common case. */
static int search_table(const struct run *r, const uint32_t *words)
{
    bytes table = (bytes)(words + r->st.a.dfa), map = r->st.map, p = r->p, end = p + r->n;
    unsigned shift = cupel__table_shift(&r->st.a);
    uint32_t s = CUPEL__DFA_FIRST;
    for (; p < end && s >= CUPEL__DFA_FIRST; p++)
        s = table[s << shift | map[*p]];
    if (s >= CUPEL__DFA_FIRST)
        s = table[s << shift | r->st.a.nclasses];
    return s == CUPEL__DFA_ACCEPTED;
}

/* With plain steps, from step k, where the set is set[0] and has these marks. */
static int pass_plain(struct run *r, size_t k, unsigned marks)
{
    for (; k <= r->n; k++) {
        uint32_t looks = looks_at(r, r->st.a.looks, position(r, k));
        marks = cupel__step(&r->st, r->set[k % 2], marks, looks, byte_at(r, k), r->set[1 - k % 2]);
        if ((marks & CUPEL__MARK_ACCEPT) != 0) {
            if (r->st.search)
                return 1;
            accept(r, position(r, k));
        }
        if (*r->st.steps < 0)
            return CUPEL_E_LIMIT_REGEX;
    }
    return 0;
}

static int pass_plain_from_start(struct run *r)
{
    memset(r->set[0], 0, r->st.nw * sizeof(uint64_t));
    r->set[0][0] = 1;
    return pass_plain(r, 0, CUPEL__MARK_BEGIN);
}

/* The state behind a symbol that state s has not met; NONE if the cache is full: then set[0] and
 * *marks are what it would be. */
static uint32_t make_state(struct run *r, struct cupel__dfa *d, uint32_t s, uint32_t sym, size_t k,
                           unsigned *marks)
{
    const uint64_t *from = d->sets + (size_t)s * d->nw;
    uint32_t looks = looks_at(r, r->st.a.looks, position(r, k));
    *marks = cupel__step(&r->st, from, d->marks[s], looks, byte_at(r, k), r->set[0]);
    uint32_t next = cupel__dfa_state(d, r->set[0], *marks);
    d->next[(size_t)s * d->nsym + sym] = (uint16_t)next;
    return next;
}

/* Goes on from set[0] at step k, in plain steps. */
static int give_up(struct run *r, size_t k, unsigned marks)
{
    if (k % 2 != 0)
        memcpy(r->set[1], r->set[0], r->st.nw * sizeof(uint64_t));
    return pass_plain(r, k, marks);
}

/* With states determinised on the way. */
static int pass_cached(struct run *r, struct cupel__dfa *d)
{
    uint32_t s = CUPEL__DFA_FIRST;
    size_t cleared = 0;
    for (size_t k = 0; k <= r->n; k++) {
        uint32_t sym = symbol(r, k, byte_at(r, k));
        uint32_t next = d->next[(size_t)s * d->nsym + sym];
        unsigned marks = 0;
        if (next == CUPEL__DFA_NONE)
            next = make_state(r, d, s, sym, k, &marks);
        if (*r->st.steps < 0)
            return CUPEL_E_LIMIT_REGEX;
        if (next == CUPEL__DFA_NONE) {
            bool poor = k - cleared < (size_t)CACHE_GAIN * d->cap;
            cupel__dfa_clear(d);
            next = cupel__dfa_state(d, r->set[0], marks);
            if (poor && (marks & CUPEL__MARK_ACCEPT) != 0 && !r->st.search)
                accept(r, position(r, k));
            if (poor)
                return give_up(r, k + 1, marks);
            cleared = k;
        }
        s = next;
        if (r->st.search && s < CUPEL__DFA_FIRST)
            return s == CUPEL__DFA_ACCEPTED;
        if (!r->st.search && (d->marks[s] & CUPEL__MARK_ACCEPT) != 0)
            accept(r, position(r, k));
    }
    return 0;
}

/* How many states the cache has for an automaton in a subject of n bytes; 0 for no cache. */
static uint32_t cache_states(const struct cupel__stepper *st, size_t n)
{
    if (n < CACHE_MIN_LENGTH || cupel__count_bits(st->a.looks) > CUPEL__LINEAR_MAX_KNOWN)
        return 0;
    uint32_t cap = CACHE_STATES;
    while (cap >= CACHE_MIN_STATES && cupel__dfa_size(st, cap) > CACHE_BYTES)
        cap /= 2;
    return cap >= CACHE_MIN_STATES ? cap : 0;
}

static int pass(struct run *r, const uint32_t *words)
{
    *r->st.steps -= 1 + (int64_t)(r->n / 16);
    if (*r->st.steps < 0)
        return CUPEL_E_LIMIT_REGEX;
    if (r->st.a.ndfa > 0)
        return r->st.search && r->st.a.looks == 0 ? search_table(r, words) : pass_table(r, words);
    uint32_t cap = cache_states(&r->st, r->n);
    if (cap == 0)
        return pass_plain_from_start(r);
    struct cupel__dfa d;
    cupel__dfa_init(&d, &r->st, cap, r->cache);
    return pass_cached(r, &d);
}

/* -- Memory ----------------------------------------------------------------------------------- */

void cupel__linear_scratch_init(struct cupel__linear_scratch *s, const struct cupel_alloc *alloc)
{
    *s = (struct cupel__linear_scratch){.alloc = cupel__alloc_or_default(alloc)};
}

void cupel__linear_scratch_free(struct cupel__linear_scratch *s)
{
    cupel__free(&s->alloc, s->memory, s->size);
    s->memory = NULL;
    s->size = 0;
}

static bool reserve(struct cupel__linear_scratch *s, size_t size)
{
    if (size <= s->size)
        return true;
    size = size > s->size + s->size / 2 ? size : s->size + s->size / 2;
    void *memory = cupel__realloc(&s->alloc, NULL, 0, size);
    if (memory == NULL)
        return false;
    cupel__linear_scratch_free(s);
    s->memory = memory;
    s->size = size;
    return true;
}

/* What the largest automaton without a table needs, in words of a set. */
static uint32_t widest(const uint32_t *words, bool *ret_cache, size_t n)
{
    uint32_t nw = 0;
    *ret_cache = false;
    for (uint32_t i = 0; i < words[CUPEL__HEAD_NAUTOMATA]; i++) {
        struct cupel__stepper st;
        cupel__stepper_init(&st, words, i, NULL);
        if (st.a.ndfa > 0)
            continue;
        nw = st.nw > nw ? st.nw : nw;
        *ret_cache = *ret_cache || cache_states(&st, n) > 0;
    }
    return nw;
}

/* Lays the memory out: planes, three sets, the stack, the cache. */
static bool prepare(struct run *r, const uint32_t *words, struct cupel__linear_scratch *s)
{
    bool cache;
    size_t nw = widest(words, &cache, r->n);
    r->stride = r->n / 64 + 1;
    size_t planes = (words[CUPEL__HEAD_NAUTOMATA] - 1) * r->stride;
    size_t size = 8 * (planes + 3 * nw + 16 * nw) + (cache ? CACHE_BYTES : 0);
    if (size == 0)
        return true;
    if (!reserve(s, size))
        return false;
    r->planes = s->memory;
    memset(r->planes, 0, 8 * planes);
    r->set[0] = r->planes + planes;
    r->set[1] = r->set[0] + nw;
    r->st.seen = r->set[1] + nw;
    r->st.stack = (uint16_t *)(r->st.seen + nw);
    r->cache = r->st.seen + nw + 16 * nw;
    return true;
}

int cupel__linear_run(const uint32_t *words, struct cupel__linear_scratch *s, const char *subject,
                      size_t len, int64_t *steps)
{
    const char *text = len == 0 ? "" : subject;
    if (words[CUPEL__HEAD_SHAPE] != CUPEL__SHAPE_NONE) {
        *steps -= 1 + (int64_t)(len / 16);
        if (*steps < 0)
            return CUPEL_E_LIMIT_REGEX;
        int found = run_shape(words, text, len, steps);
        return *steps < 0 ? CUPEL_E_LIMIT_REGEX : found;
    }
    struct run r = {.p = (bytes)text, .n = len};
    if (!prepare(&r, words, s))
        return CUPEL_E_NO_MEMORY;
    int rc = 0;
    for (uint32_t i = 0; i < words[CUPEL__HEAD_NAUTOMATA] && rc == 0; i++) {
        cupel__stepper_init(&r.st, words, i, steps);
        r.plane = i;
        rc = pass(&r, words);
    }
    return rc;
}
