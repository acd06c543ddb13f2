/* memo.c: which schemas' results are kept while a program runs.
 *
 * Needs   nothing.  Run it last, because applications must not change any more, and after
 *         discriminate, whose discriminators say which branches are never both applied.
 * Keeps   everything but `memo`, which it sets anew.
 * Breaks  use counts.
 *
 * A schema that several paths lead to may be applied to the same value by each of them.  Where such
 * schemas lead to each other, or one to itself, the number of paths multiplies at every step, and a
 * small schema takes time that is exponential in the depth of the instance.  Keeping the results
 * bounds the work by one run for every schema and every value.
 *
 *     {"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#", "minProperties": 1}]}}}
 *
 * takes 2^n runs for n levels of `a` without results that are kept.
 *
 * Keeping has a price, and most schemas with two references are applied to different values.  So
 * the pass looks for pairs of schemas that can be applied to one value in one run: by two edges of
 * a schema that lead to the same child, and from each such pair on.  A schema that makes a pair
 * with itself is kept, if it is worth it (memo_graph.h).  A schema and one that it applies in place
 * are a nested pair: their children can meet, but they are no two paths to the inner schema.  If
 * there are more pairs than the budget allows, every schema that is worth it is kept.  For a value
 * without children paths multiply only in place.
 *
 * Gain: none for the sets, up to 0.2 % of loss; without it 57 of the hostile families and attacks
 * take up to 14 times the steps, most until the limit. */
#include "base/hash.h"
#include "compiler/passes/memo_graph.h"
#include "compiler/passes/passes.h"

#include <string.h>

enum {
    MIN_WORK = 1 << 14,
    WORK_FACTOR = 64, /* for each edge */
    MAX_WORK = 1 << 22,
    MAX_PAIRS = 1 << 16
};

struct pairs {
    const struct memo_graph *g;
    /* In the order in which they were found.  The upper half has the smaller number, or NESTED and
     * the number of the outer schema. */
    uint64_t *pair;
    uint32_t n, max; /* max: a power of two */
    uint32_t *table; /* positions in `pair` plus one, by hash; 2 * max of them */
    uint64_t work;
    uint64_t most;
};

static bool exhausted(const struct pairs *p)
{
    return p->work > p->most || p->n == p->max;
}

/* A nested pair: a schema, and one that it applies in place.  Their children meet; they themselves
 * do not.
 */
#define NESTED (UINT64_C(1) << 63)

static void add(struct pairs *p, uint64_t pair)
{
    uint64_t hash = pair * CUPEL__GOLDEN_RATIO;
    uint32_t mask = 2 * p->max - 1, slot = (uint32_t)(hash >> 32) & mask;
    p->work++;
    if (exhausted(p))
        return;
    for (; p->table[slot] != 0; slot = (slot + 1) & mask, p->work++)
        if (p->pair[p->table[slot] - 1] == pair)
            return;
    p->pair[p->n++] = pair;
    p->table[slot] = p->n;
}

static void add_pair(struct pairs *p, uint32_t a, uint32_t b)
{
    add(p, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
}

static void add_nested(struct pairs *p, uint32_t outer, uint32_t inner)
{
    add(p, NESTED | (uint64_t)outer << 32 | inner);
}

static const struct edge *edges_of(const struct pairs *p, uint32_t node,
                                   const struct edge **ret_end)
{
    *ret_end = p->g->edges + p->g->start[node + 1];
    return p->g->edges + p->g->start[node];
}

/* The first edge whose kind is not below `below`. */
static const struct edge *skip(const struct edge *e, const struct edge *end, enum edge_kind below)
{
    size_t n = (size_t)(end - e);
    while (n > 0) {
        size_t half = n / 2;
        bool before = e[half].kind < below;
        e += before ? half + 1 : 0;
        n = before ? n - half - 1 : half;
    }
    return e;
}

/* -- Initial pairs ----------------------------------------------------------------------------- */

/* Adds the pairs of edges of one node: here two paths separate. */
static void add_initial_pairs(struct pairs *p, uint32_t node)
{
    const struct edge *end, *e = edges_of(p, node, &end), *several = skip(e, end, EDGE_SEVERAL);
    for (; e < end && !exhausted(p); e++) {
        bool single = e->kind == EDGE_MEMBER || e->kind == EDGE_ITEM;
        if (e->kind == EDGE_IN_PLACE)
            add_nested(p, node, e->to);
        for (const struct edge *f = e + 1; f < end && !exhausted(p); f++) {
            if (single && f < several &&
                (f->kind != e->kind || cupel__memo_edges_compare(e, f) != 0))
                f = several; /* in their order, so no other of them is for the same child */
            if (f < end && cupel__memo_edges_meet(e, f, true, &p->work))
                add_pair(p, e->to, f->to);
            p->work++;
        }
    }
}

/* -- Derived pairs ----------------------------------------------------------------------------- */

/* Adds the pairs of edges of a and b that lead to the same single child. */
static void follow_single(struct pairs *p, uint32_t a, uint32_t b, enum edge_kind kind)
{
    const struct edge *end, *e = edges_of(p, a, &end), *fend, *f = edges_of(p, b, &fend);
    e = skip(e, end, kind);
    f = skip(f, fend, kind);
    while (e < end && f < fend && e->kind == kind && f->kind == kind && !exhausted(p)) {
        int order = cupel__memo_edges_compare(e, f);
        p->work++;
        if (order > 0) {
            f++;
            continue;
        }
        for (const struct edge *g = f; order == 0 && g < fend && g->kind == kind; g++) {
            order = cupel__memo_edges_compare(e, g);
            if (order == 0)
                add_pair(p, e->to, g->to);
        }
        e++;
    }
}

/* Adds the pairs of an edge of a that leads to several children and an edge of b. */
static void follow_several(struct pairs *p, uint32_t a, uint32_t b)
{
    const struct edge *end, *e = edges_of(p, a, &end), *fend, *first = edges_of(p, b, &fend);
    first = skip(first, fend, EDGE_MEMBER);
    for (e = skip(e, end, EDGE_SEVERAL); e < end; e++) {
        for (const struct edge *f = first; f < fend && !exhausted(p); f++) {
            p->work++;
            if (cupel__memo_edges_meet(e, f, false, &p->work))
                add_pair(p, e->to, f->to);
        }
    }
}

static void follow_in_place(struct pairs *p, uint32_t a, uint32_t b)
{
    const struct edge *end, *e = edges_of(p, a, &end);
    for (; e < end && e->kind == EDGE_IN_PLACE && !exhausted(p); e++)
        add_pair(p, e->to, b);
}

/* Adds the pairs of the outer schema with each schema that the inner one applies in place: these
 * are nested in the outer schema too.  add_initial_pairs() adds all other pairs of the inner
 * schema. */
static void follow_nested(struct pairs *p, uint32_t outer, uint32_t inner)
{
    const struct edge *end, *e = edges_of(p, inner, &end);
    for (; e < end && e->kind == EDGE_IN_PLACE && !exhausted(p); e++)
        add_nested(p, outer, e->to);
}

/* Adds the pairs that follow from one pair. */
static void follow(struct pairs *p, uint64_t pair)
{
    uint32_t a = (uint32_t)(pair >> 32) & ~(uint32_t)(NESTED >> 32), b = (uint32_t)pair;
    if (pair & NESTED) {
        follow_nested(p, a, b);
    } else {
        follow_in_place(p, a, b);
        follow_in_place(p, b, a);
    }
    follow_single(p, a, b, EDGE_MEMBER);
    follow_single(p, a, b, EDGE_ITEM);
    follow_several(p, a, b);
    if (a != b)
        follow_several(p, b, a);
}

/* -- Types ------------------------------------------------------------------------------------- */

static void keep(struct ir_module *m, const struct memo_graph *g, uint32_t schema)
{
    uint32_t types = g->in_place[schema] ? CUPEL__M_ANY : CUPEL__M_ARRAY | CUPEL__M_OBJECT;
    m->schemas[schema].memo = types & m->schemas[schema].types;
}

static void set_types(struct ir_module *m, const struct memo_graph *g, const struct pairs *p)
{
    for (uint32_t i = 0; i < m->nschemas; i++)
        if (exhausted(p) && g->keep[i])
            keep(m, g, i);
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t a = (uint32_t)(p->pair[i] >> 32), b = (uint32_t)p->pair[i];
        if (a == b && a < m->nschemas && g->keep[a])
            keep(m, g, a);
    }
}

/* Finds the pairs of schemas that can be applied to one value, within the budget, and sets `memo`.
 */
static enum cupel_status find_pairs(struct ir_module *m, const struct memo_graph *g)
{
    struct pairs p = {.g = g};
    struct ir_scratch scratch;
    uint64_t work = MIN_WORK + WORK_FACTOR * (uint64_t)g->nedges;
    p.most = work < MAX_WORK ? work : MAX_WORK;
    for (p.max = 64; p.max < MAX_PAIRS && p.max < 8 * (uint64_t)g->nedges;)
        p.max *= 2;
    p.pair = cupel__arena_array(m->arena, p.max, sizeof *p.pair);
    p.table = ir_scratch_init(&scratch, &m->arena->alloc, 2 * p.max);
    if (p.pair == NULL || p.table == NULL) {
        ir_scratch_free(&scratch);
        return CUPEL_E_NO_MEMORY;
    }
    memset(p.table, 0, 2 * p.max * sizeof *p.table);
    for (uint32_t i = 0; i < g->nodes && !exhausted(&p); i++)
        add_initial_pairs(&p, i);
    for (uint32_t i = 0; i < p.n && !exhausted(&p); i++)
        follow(&p, p.pair[i]);
    set_types(m, g, &p);
    ir_scratch_free(&scratch);
    return CUPEL_OK;
}

enum cupel_status cupel__pass_memo(struct ir_module *m)
{
    struct memo_graph g = {.nedges = 0};
    enum cupel_status s = cupel__ir_count_uses(m);
    for (uint32_t i = 0; i < m->nschemas; i++)
        m->schemas[i].memo = 0;
    if (s == CUPEL_OK)
        s = cupel__memo_graph_make(m, &g);
    return s == CUPEL_OK && g.nedges > 0 ? find_pairs(m, &g) : s;
}
