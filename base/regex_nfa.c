/* regex_nfa.c: from the tree of a pattern to the states of nondeterministic automata over the bytes
 * of UTF-8.
 *
 * Each part of the tree becomes a run of states that is entered at its first and left to the state
 * behind its last.  So a repeat copies the run of its body as often as it counts.  For an automaton
 * that reads from right to left sequences are laid out the other way round, within a code point
 * too.  A look-around is one state here, which asks for an answer that another automaton gave. */
#include "regex_program.h"
#include "utf8.h"

#include <string.h>

enum { MAX_DEPTH = 500, MAX_GROUPS = 256, MAX_CP = 0x10FFFF };

/* Sequences of bytes that differ in their first byte only. */
struct group {
    uint32_t n;           /* bytes in all */
    uint32_t lead[8];     /* a set */
    uint8_t lo[4], hi[4]; /* of the other bytes, from 1 */
};

struct class
{
    struct group group[MAX_GROUPS];
    uint32_t n;
};

static bool fail(struct cupel__nfa *b, enum cupel_status status, const char *problem)
{
    if (b->status == CUPEL_OK) {
        b->status = status;
        b->problem = problem;
    }
    return false;
}

static bool too_large(struct cupel__nfa *b)
{
    return fail(b, CUPEL_E_PATTERN, "too large for the linear engine");
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
    return b->states.n / 2 + more <= CUPEL__LINEAR_MAX_STATES || too_large(b);
}

/* Appends a state that goes to the one behind it. */
static bool emit(struct cupel__nfa *b, uint32_t kind, uint32_t arg)
{
    uint32_t next = here(b) + 1;
    struct cupel__state s = {kind | arg << 8, next | next << 16};
    if (!has_room(b, 1))
        return false;
    cupel__words_add(&b->states, &s, 2);
    return !b->states.failed || fail(b, CUPEL_E_NO_MEMORY, "out of memory");
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
    if (!emit(b, CUPEL__STATE_SPLIT, 0))
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
            return fail(b, CUPEL_E_NO_MEMORY, "out of memory");
    }
    return true;
}

/* -- Bytes ------------------------------------------------------------------------------------ */

static bool set_has(const uint32_t set[8], unsigned byte)
{
    return (set[byte / 32] >> (byte % 32) & 1) != 0;
}

static void set_add(uint32_t set[8], unsigned first, unsigned last)
{
    for (unsigned byte = first; byte <= last; byte++)
        set[byte / 32] |= UINT32_C(1) << (byte % 32);
}

/* A set without gaps is a range. */
static bool emit_set(struct cupel__nfa *b, const uint32_t set[8])
{
    unsigned first = 0, last = 255;
    while (first < 255 && !set_has(set, first))
        first++;
    while (last > first && !set_has(set, last))
        last--;
    uint32_t range[8] = {0};
    set_add(range, first, last);
    if (memcmp(range, set, sizeof range) == 0)
        return emit(b, CUPEL__STATE_BYTE, first | last << 8);
    uint32_t i = 0, n = (uint32_t)(b->sets.n / 8);
    while (i < n && memcmp(b->sets.p + 8 * (size_t)i, set, sizeof range) != 0)
        i++;
    if (i == CUPEL__LINEAR_MAX_SETS)
        return too_large(b);
    if (i == n)
        cupel__words_add(&b->sets, set, 8);
    return b->sets.failed ? fail(b, CUPEL_E_NO_MEMORY, "out of memory")
                          : emit(b, CUPEL__STATE_SET, i);
}

static bool emit_char(struct cupel__nfa *b, uint32_t cp)
{
    char bytes[4];
    unsigned n = cupel__utf8_encode(cp, bytes);
    for (unsigned i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[b->reverse ? n - 1 - i : i];
        if (!emit(b, CUPEL__STATE_BYTE, c | (uint32_t)c << 8))
            return false;
    }
    return true;
}

/* -- Classes ---------------------------------------------------------------------------------- */

/* The bits of a code point that a sequence of n bytes holds, and its first byte without them. */
static const uint32_t last_raw[] = {0, 0x7F, 0x7FF, 0xFFFF, 0x1FFFFF};
static const uint8_t lead_base[] = {0, 0, 0xC0, 0xE0, 0xF0};

static bool same_rest(const struct group *a, const struct group *b)
{
    return a->n == b->n && memcmp(a->lo + 1, b->lo + 1, 3) == 0 &&
           memcmp(a->hi + 1, b->hi + 1, 3) == 0;
}

/* Adds sequences of n bytes, each byte in the range between those of `first` and `last`. */
static bool add_block(struct class *c, uint32_t n, uint32_t first, uint32_t last)
{
    struct group g = {.n = n};
    for (uint32_t i = 1; i < n; i++) {
        g.lo[i] = (uint8_t)(0x80 | (first >> (6 * (n - 1 - i)) & 0x3F));
        g.hi[i] = (uint8_t)(0x80 | (last >> (6 * (n - 1 - i)) & 0x3F));
    }
    uint32_t i = 0;
    while (i < c->n && !same_rest(&c->group[i], &g))
        i++;
    if (i == MAX_GROUPS)
        return false;
    if (i == c->n)
        c->group[c->n++] = g;
    unsigned shift = 6 * (n - 1);
    set_add(c->group[i].lead, lead_base[n] | first >> shift, lead_base[n] | last >> shift);
    return true;
}

/* Cuts off a piece of [*first, last] that is a block: it has all values of the bits in which its
 * ends differ, but for those of one byte.  Returns the end of the piece. */
static uint32_t block_end(uint32_t n, uint32_t first, uint32_t last)
{
    for (uint32_t i = 1; i < n; i++) {
        uint32_t mask = (UINT32_C(1) << (6 * i)) - 1;
        if ((first & ~mask) == (last & ~mask))
            return last;
        if ((first & mask) != 0)
            last = first | mask;
        else if ((last & mask) != mask)
            last = (last & ~mask) - 1;
    }
    return last;
}

/* Adds what [first, last] has of n bytes.  Values that no subject has (overlong, surrogates, past
 * U+10FFFF) are taken in where they fill the range of n bytes up: that makes fewer blocks. */
static bool add_length(struct class *c, uint32_t n, uint32_t first, uint32_t last)
{
    uint32_t low = n == 1 ? 0 : last_raw[n - 1] + 1;
    uint32_t high = n == 4 ? MAX_CP : last_raw[n];
    if (first > high || last < low)
        return true;
    first = first <= low ? 0 : first;
    last = last >= high ? last_raw[n] : last;
    for (;;) {
        uint32_t end = block_end(n, first, last);
        if (!add_block(c, n, first, end))
            return false;
        if (end == last)
            return true;
        first = end + 1;
    }
}

static bool add_range(struct class *c, uint32_t first, uint32_t last)
{
    if (last == 0xD7FF)
        last = 0xDFFF;
    for (uint32_t n = 1; n <= 4; n++) {
        if (!add_length(c, n, first, last))
            return false;
    }
    return true;
}

static bool add_class(struct class *c, const struct cupel__regex_node *node)
{
    uint32_t after = 0;
    for (uint32_t i = 0; i < node->nranges; i++) {
        struct cupel__regex_range r = node->ranges[i];
        if (!node->negated && !add_range(c, r.first, r.last))
            return false;
        if (node->negated && r.first > after && !add_range(c, after, r.first - 1))
            return false;
        after = r.last + 1;
    }
    return !node->negated || after > MAX_CP || add_range(c, after, MAX_CP);
}

static bool emit_rest(struct cupel__nfa *b, const struct group *g)
{
    for (uint32_t i = 1; i < g->n; i++) {
        uint32_t k = b->reverse ? g->n - i : i;
        if (!emit(b, CUPEL__STATE_BYTE, g->lo[k] | (uint32_t)g->hi[k] << 8))
            return false;
    }
    return true;
}

static bool emit_group(struct cupel__nfa *b, const struct group *g)
{
    return b->reverse ? emit_rest(b, g) && emit_set(b, g->lead)
                      : emit_set(b, g->lead) && emit_rest(b, g);
}

/* The groups as alternatives; the last byte of each goes behind all of them. */
static bool emit_groups(struct cupel__nfa *b, const struct group *group, uint32_t n)
{
    uint16_t last[MAX_GROUPS];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t split = here(b);
        bool more = i + 1 < n;
        if ((more && !emit(b, CUPEL__STATE_SPLIT, 0)) || !emit_group(b, &group[i]))
            return false;
        if (more)
            set_alt(b, split, here(b));
        last[i] = (uint16_t)(here(b) - 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        set_next(b, last[i], here(b));
        set_alt(b, last[i], here(b));
    }
    return n > 0 || emit(b, CUPEL__STATE_FAIL, 0);
}

static bool emit_class(struct cupel__nfa *b, const struct cupel__regex_node *node)
{
    if (node->nprops > 0)
        return fail(b, CUPEL_E_UNSUPPORTED, "no properties in the linear engine");
    struct class *c = cupel__realloc(b->states.alloc, NULL, 0, sizeof *c);
    if (c == NULL)
        return fail(b, CUPEL_E_NO_MEMORY, "out of memory");
    c->n = 0;
    bool ok = add_class(c, node) ? emit_groups(b, c->group, c->n) : too_large(b);
    cupel__free(b->states.alloc, c, sizeof *c);
    return ok;
}

/* -- The tree --------------------------------------------------------------------------------- */

static bool emit_node(struct cupel__nfa *, const struct cupel__regex_node *, unsigned depth);

static bool emit_cat(struct cupel__nfa *b, const struct cupel__regex_node *node, unsigned depth)
{
    for (uint32_t i = 0; i < node->nchild; i++) {
        uint32_t k = b->reverse ? node->nchild - 1 - i : i;
        if (!emit_node(b, node->child[k], depth))
            return false;
    }
    return true;
}

static bool emit_alt(struct cupel__nfa *b, const struct cupel__regex_node *node, unsigned depth)
{
    uint32_t jumps = CUPEL__NO_TARGET;
    for (uint32_t i = 0; i < node->nchild; i++) {
        uint32_t split = here(b);
        bool more = i + 1 < node->nchild;
        if ((more && !emit(b, CUPEL__STATE_SPLIT, 0)) || !emit_node(b, node->child[i], depth))
            return false;
        if (more && !emit_open_split(b, &jumps))
            return false;
        if (more)
            set_alt(b, split, here(b));
    }
    close_splits(b, jumps, true);
    return true;
}

/* The copies of a body behind the first one: up to `min` of them must be gone through. */
static bool emit_copies(struct cupel__nfa *b, uint32_t first, uint32_t min, uint32_t max,
                        uint32_t *exits)
{
    uint32_t end = here(b);
    uint64_t each = (uint64_t)(end - first) + (max > min);
    if (!has_room(b, each * (max - 1)))
        return false;
    for (uint32_t i = 1; i < max; i++) {
        if ((i >= min && !emit_open_split(b, exits)) || !copy(b, first, end))
            return false;
    }
    return true;
}

/* Goes back over the last copy, which begins at `first`; the way out is behind it. */
static bool emit_back(struct cupel__nfa *b, uint32_t first)
{
    if (!emit(b, CUPEL__STATE_SPLIT, 0))
        return false;
    set_next(b, here(b) - 1, first);
    return true;
}

static bool emit_repeat(struct cupel__nfa *b, const struct cupel__regex_node *node, unsigned depth)
{
    uint32_t exits = CUPEL__NO_TARGET;
    uint32_t min = node->min, max = node->max;
    if (max == 0)
        return true;
    if (min == 0 && !emit_open_split(b, &exits))
        return false;
    uint32_t first = here(b);
    if (!emit_node(b, node->child[0], depth))
        return false;
    uint32_t size = here(b) - first;
    bool endless = max == UINT32_MAX;
    if (endless)
        max = min == 0 ? 1 : min;
    if (size > 0 && !emit_copies(b, first, endless ? max : min, max, &exits))
        return false;
    if (size > 0 && endless && !emit_back(b, here(b) - size))
        return false;
    close_splits(b, exits, false);
    return true;
}

static bool emit_look(struct cupel__nfa *b, const struct cupel__regex_node *node)
{
    uint32_t i = 0;
    while (i < b->nlooks && b->look[i] != node)
        i++;
    if (i == b->nlooks)
        return fail(b, CUPEL_E_INTERNAL, "a look-around that was not listed");
    b->looks |= UINT32_C(1) << i;
    return emit(b, CUPEL__STATE_LOOK, i << 1 | node->negated);
}

/* The depth is bounded, so recursion is. */
static bool emit_node(struct cupel__nfa *b, const struct cupel__regex_node *node, unsigned depth)
{
    if (depth++ == MAX_DEPTH)
        return too_large(b);
    switch (node->kind) {
    case CUPEL__RE_EMPTY:
        return true;
    case CUPEL__RE_CHAR:
        return emit_char(b, node->cp);
    case CUPEL__RE_CLASS:
        return emit_class(b, node);
    case CUPEL__RE_CAT:
        return emit_cat(b, node, depth);
    case CUPEL__RE_ALT:
        return emit_alt(b, node, depth);
    case CUPEL__RE_REPEAT:
        return emit_repeat(b, node, depth);
    case CUPEL__RE_GROUP:
        return emit_node(b, node->child[0], depth);
    case CUPEL__RE_START:
        return emit(b, CUPEL__STATE_START, 0);
    case CUPEL__RE_END:
        return emit(b, CUPEL__STATE_END, 0);
    case CUPEL__RE_WORD:
        b->word = true;
        return emit(b, CUPEL__STATE_WORD, node->negated);
    case CUPEL__RE_LOOK:
        return emit_look(b, node);
    case CUPEL__RE_BACKREF:
        break;
    }
    return fail(b, CUPEL_E_UNSUPPORTED, "no back-references in the linear engine");
}

/* Any number of code points, so that the rest can begin everywhere but inside of one. */
static bool emit_search(struct cupel__nfa *b)
{
    static const struct group any[] = {
        {.n = 1, .lead = {~0u, ~0u, ~0u, ~0u}},
        {.n = 2, .lead = {[6] = ~0u}, .lo = {0, 0x80}, .hi = {0, 0xBF}},
        {.n = 3, .lead = {[7] = 0xFFFF}, .lo = {0, 0x80, 0x80}, .hi = {0, 0xBF, 0xBF}},
        {.n = 4,
         .lead = {[7] = 0xFF0000},
         .lo = {0, 0x80, 0x80, 0x80},
         .hi = {0, 0xBF, 0xBF, 0xBF}}};
    uint32_t out = CUPEL__NO_TARGET;
    if (!emit_open_split(b, &out) || !emit_groups(b, any, 4) || !emit(b, CUPEL__STATE_SPLIT, 0))
        return false;
    set_next(b, here(b) - 1, 0);
    set_alt(b, here(b) - 1, 0);
    close_splits(b, out, false);
    return true;
}

bool cupel__nfa_compile(struct cupel__nfa *b, const struct cupel__regex_node *node, bool reverse,
                        bool anchored)
{
    b->base = (uint32_t)(b->states.n / 2);
    b->reverse = reverse;
    b->looks = 0;
    b->word = false;
    if ((!anchored && !emit_search(b)) || !emit_node(b, node, 0) || !emit(b, CUPEL__STATE_MATCH, 0))
        return false;
    state(b, here(b) - 1)->target = 0; /* there is none behind it */
    return true;
}

/* -- Look-arounds ----------------------------------------------------------------------------- */

static bool find_looks(struct cupel__nfa *b, const struct cupel__regex_node *node, unsigned depth)
{
    if (depth++ == MAX_DEPTH)
        return too_large(b);
    for (uint32_t i = 0; i < node->nchild; i++) {
        if (!find_looks(b, node->child[i], depth))
            return false;
    }
    if (node->kind != CUPEL__RE_LOOK)
        return true;
    if (b->nlooks == CUPEL__LINEAR_MAX_LOOKS)
        return too_large(b);
    b->look[b->nlooks++] = node;
    return true;
}

bool cupel__nfa_find_looks(struct cupel__nfa *b, const struct cupel__regex_node *root)
{
    return find_looks(b, root, 0);
}
