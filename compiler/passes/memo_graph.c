/* memo_graph.c: the graph in which memo.c looks for paths that meet.
 *
 * Only schemas whose result may be worth keeping matter, and the schemas that lead to them.  Most
 * modules have none, which is found before anything is built. */
#include "compiler/passes/memo_graph.h"

#include <string.h>

/* -- Edges ------------------------------------------------------------------------------------- */

/* Adds an edge; only counts it before the array is allocated. */
static void add(struct memo_graph *g, struct edge edge)
{
    edge.number = g->nedges++;
    if (g->edges != NULL)
        g->edges[edge.number] = edge;
}

static enum edge_kind kind_of(const struct ir_op *op, uint32_t i)
{
    if (cupel__ir_in_place(op->kind, i))
        return EDGE_IN_PLACE;
    switch (op->kind) {
    case IR_PREFIX:
        return EDGE_ITEM;
    case IR_NAMES:
        return EDGE_NAMES;
    case IR_UNEVALUATED:
        return i == 1 ? EDGE_SEVERAL : EDGE_ITEMS;
    default:
        return EDGE_ITEMS;
    }
}

static uint32_t index_of(const struct ir_op *op, uint32_t i, enum edge_kind kind, uint32_t number)
{
    if (kind == EDGE_ITEM)
        return i;
    if (kind == EDGE_ITEMS)
        return op->kind == IR_ITEMS ? op->a : 0;
    bool choice = (op->kind == IR_IF && i > 0) || op->kind == IR_DYNAMIC || op->kind == IR_CASES;
    return choice ? number + 1 : 0;
}

static bool has_targets(const struct ir_op *op)
{
    return op->discriminator != NULL && op->discriminator->targets != NULL;
}

/* Whether the target of a bit is another schema than the branch. */
static bool is_apart(const struct ir_op *op, uint32_t bit)
{
    return op->discriminator->targets[bit] != op->schemas[op->discriminator->spans[bit].first];
}

/* Adds the edges of one operation: its schemas, the targets of its discriminator, properties,
 * patterns, `other`, and for a DYNAMIC the anchor. */
static void add_op(struct memo_graph *g, uint32_t from, const struct ir_op *op, uint32_t number)
{
    for (uint32_t i = 0; i < op->nschemas; i++) {
        uint32_t to = op->schemas[i];
        enum edge_kind kind = kind_of(op, i);
        if (to == IR_NONE)
            continue;
        if (op->kind == IR_SCOPE && i > 0)
            add(g, (struct edge){.from = g->nschemas + i - 1, .to = to, .index = 1, .op = op});
        else
            add(g, (struct edge){.from = from,
                                 .to = to,
                                 .kind = kind,
                                 .op = op,
                                 .part = i,
                                 .index = index_of(op, i, kind, number)});
    }
    for (uint32_t b = 0; has_targets(op) && b < op->discriminator->nbits; b++)
        if (is_apart(op, b))
            add(g, (struct edge){.from = from,
                                 .to = op->discriminator->targets[b],
                                 .op = op,
                                 .part = op->nschemas + b});
    for (uint32_t i = 0; i < op->nnames; i++)
        if (op->names[i].schema != IR_NONE)
            add(g, (struct edge){.from = from,
                                 .to = op->names[i].schema,
                                 .kind = EDGE_MEMBER,
                                 .op = op,
                                 .name = op->names[i].name});
    for (uint32_t i = 0; i < op->nmatches; i++)
        add(g, (struct edge){
                   .from = from, .to = op->matches[i].schema, .kind = EDGE_SEVERAL, .op = op});
    if (op->other != IR_NONE)
        add(g, (struct edge){.from = from, .to = op->other, .kind = EDGE_OTHER, .op = op});
    if (op->kind == IR_DYNAMIC && op->a < g->nodes - g->nschemas)
        add(g,
            (struct edge){.from = from, .to = g->nschemas + op->a, .index = number + 1, .op = op});
}

static void add_all(struct memo_graph *g, const struct ir_module *m)
{
    g->nedges = 0;
    for (uint32_t i = 0; i < m->nschemas; i++) {
        uint32_t number = 0;
        if (m->schemas[i].uses == 0)
            continue;
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next)
            add_op(g, i, op, number++);
    }
}

static uint32_t count_anchors(const struct ir_module *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->nschemas; i++)
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next)
            if (op->kind == IR_SCOPE && op->nschemas - 1 > n)
                n = op->nschemas - 1;
    return n;
}

/* -- What matters ------------------------------------------------------------------------------ */

static bool has_refs(const struct ir_schema *s)
{
    for (struct ir_op *op = s->first; op != NULL; op = op->next) {
        uint32_t at = 0;
        if (ir_op_next_ref(op, &at) != NULL)
            return true;
    }
    return false;
}

/* Sets flags[i] of every node from which an edge of a kind up to `most` leads to a node in `goal`
 * or with a flag. */
static enum cupel_status mark_leading(struct ir_module *m, const struct memo_graph *g,
                                      enum edge_kind most, const bool *goal, bool *flags)
{
    struct ir_scratch scratch;
    uint32_t *first = ir_scratch_init(&scratch, &m->arena->alloc, 2 * (size_t)g->nodes + g->nedges);
    if (first == NULL)
        return CUPEL_E_NO_MEMORY;
    uint32_t *next = first + g->nodes, *stack = next + g->nedges, *top = stack;
    for (uint32_t i = 0; i < g->nodes; i++) {
        first[i] = UINT32_MAX;
        if (goal[i])
            *top++ = i;
    }
    for (uint32_t e = 0; e < g->nedges; e++) { /* lists of the edges to each node */
        if (g->edges[e].kind > most)
            continue;
        next[e] = first[g->edges[e].to];
        first[g->edges[e].to] = e;
    }
    while (top > stack) {
        for (uint32_t e = first[*--top]; e != UINT32_MAX;) {
            uint32_t from = g->edges[e].from;
            e = next[e];
            if (!flags[from] && !goal[from])
                *top++ = from; /* in the place of the popped node, whose list was read */
            flags[from] = true;
        }
    }
    ir_scratch_free(&scratch);
    return CUPEL_OK;
}

/* Keeps the edges to nodes that have a flag. */
static void filter(struct memo_graph *g, const bool *flags)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < g->nedges; e++)
        if (flags[g->edges[e].to])
            g->edges[n++] = g->edges[e];
    g->nedges = n;
}

/* -- Order ------------------------------------------------------------------------------------- */

int cupel__memo_edges_compare(const struct edge *x, const struct edge *y)
{
    if (x->kind == EDGE_MEMBER)
        return cupel__str_cmp(x->name, y->name);
    return (x->index > y->index) - (x->index < y->index);
}

static int compare_edges(const void *context, uint32_t a, uint32_t b)
{
    const struct edge *x = (const struct edge *)context + a, *y = (const struct edge *)context + b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return cupel__memo_edges_compare(x, y);
}

static enum cupel_status sort(struct ir_module *m, struct memo_graph *g)
{
    uint32_t n = g->nedges;
    uint32_t *order = cupel__arena_array(m->arena, n, sizeof *order);
    struct edge *sorted = cupel__arena_array(m->arena, n, sizeof *sorted);
    g->start = cupel__arena_array(m->arena, (size_t)g->nodes + 1, sizeof *g->start);
    if (order == NULL || sorted == NULL || g->start == NULL)
        return CUPEL_E_NO_MEMORY;
    enum cupel_status s = cupel__ir_sort(&m->arena->alloc, order, n, compare_edges, g->edges);
    for (uint32_t e = 0; e < n && s == CUPEL_OK; e++) {
        sorted[e] = g->edges[order[e]];
        g->start[sorted[e].from + 1]++;
    }
    for (uint32_t i = 0; i < g->nodes; i++)
        g->start[i + 1] += g->start[i];
    g->edges = sorted;
    return s;
}

/* -- Meeting ----------------------------------------------------------------------------------- */

static bool knows(const struct ir_op *op, struct cupel__str name, uint64_t *ret_cost)
{
    *ret_cost += op->nnames;
    for (uint32_t i = 0; i < op->nnames; i++)
        if ((op->names[i].flags & IR_NAME_UNKNOWN) == 0 && cupel__str_eq(op->names[i].name, name))
            return true;
    return false;
}

static bool is_member(const struct edge *e)
{
    return e->kind == EDGE_MEMBER || e->kind == EDGE_SEVERAL || e->kind == EDGE_OTHER;
}

/* The bits of a discriminator that stand for a branch. */
static uint64_t bits_of(const struct ir_discriminator *discriminator, uint32_t branch)
{
    uint64_t bits = 0;
    for (uint32_t b = 0; b < discriminator->nbits; b++)
        if (branch - discriminator->spans[b].first < discriminator->spans[b].n)
            bits |= UINT64_C(1) << b;
    return bits;
}

/* Whether the discriminator of a choice may leave both of two branches.  The target of a single bit
 * runs alone. */
static bool may_both_remain(const struct ir_op *op, uint32_t x, uint32_t y, uint64_t *ret_cost)
{
    const struct ir_discriminator *discriminator = op->discriminator;
    if (x >= op->nschemas || y >= op->nschemas)
        return false;
    *ret_cost += 3 * (uint64_t)discriminator->nbits;
    uint64_t of_x = bits_of(discriminator, x), of_y = bits_of(discriminator, y), meet = 0;
    for (; of_x != 0; of_x &= of_x - 1)
        meet |= discriminator->compatible[__builtin_ctzll(of_x)];
    return (meet & of_y) != 0;
}

/* Whether two edges belong to one choice of which no run takes both. */
static bool exclude(const struct edge *x, const struct edge *y, uint64_t *ret_cost)
{
    if (x->index != 0 || x->op != y->op)
        return x->index != 0 && x->index == y->index;
    const struct ir_discriminator *discriminator = x->op->discriminator;
    return discriminator != NULL && !discriminator->exact &&
           !may_both_remain(x->op, x->part, y->part, ret_cost);
}

bool cupel__memo_edges_meet(const struct edge *x, const struct edge *y, bool same,
                            uint64_t *ret_cost)
{
    if (x->kind > y->kind)
        return cupel__memo_edges_meet(y, x, same, ret_cost);
    if (x->kind == EDGE_IN_PLACE)
        return y->kind == EDGE_IN_PLACE && !(same && exclude(x, y, ret_cost));
    if (is_member(x) != is_member(y))
        return false;
    if (y->kind == EDGE_OTHER)
        return !(same && x->op == y->op) &&
               !(x->kind == EDGE_MEMBER && knows(y->op, x->name, ret_cost));
    if (x->kind == EDGE_MEMBER)
        return y->kind != EDGE_MEMBER || cupel__memo_edges_compare(x, y) == 0;
    if (x->kind == EDGE_ITEM)
        return y->kind == EDGE_ITEM ? x->index == y->index
                                    : y->kind == EDGE_ITEMS && x->index >= y->index;
    return x->kind == EDGE_SEVERAL || x->kind == y->kind;
}

/* -- All of it --------------------------------------------------------------------------------- */

/* The target of a bit is also referred to by the choice that it bypasses. */
static void share_targets(const struct ir_module *m, bool *shared)
{
    for (uint32_t i = 0; i < m->nschemas; i++)
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next)
            for (uint32_t b = 0; has_targets(op) && b < op->discriminator->nbits; b++)
                if (is_apart(op, b))
                    shared[op->discriminator->targets[b]] |=
                        has_refs(&m->schemas[op->discriminator->targets[b]]);
}

/* Finds schemas with several references to them and references of their own; whether there are any.
 */
static bool find_shared(const struct ir_module *m, bool *shared)
{
    bool any = false;
    for (uint32_t i = 0; i < m->nschemas; i++) {
        bool is = m->schemas[i].uses > 1 && has_refs(&m->schemas[i]);
        any |= is;
        if (shared != NULL)
            shared[i] = is;
    }
    if (any && shared != NULL)
        share_targets(m, shared);
    return any;
}

enum cupel_status cupel__memo_graph_make(struct ir_module *m, struct memo_graph *ret)
{
    struct memo_graph g = {.nschemas = m->nschemas};
    *ret = g;
    if (!find_shared(m, NULL))
        return CUPEL_OK;
    g.nodes = g.nschemas + count_anchors(m);
    add_all(&g, m);
    g.edges = cupel__arena_array(m->arena, g.nedges, sizeof *g.edges);
    bool *shared = cupel__arena_array(m->arena, g.nodes, sizeof *shared);
    bool *leads = cupel__arena_array(m->arena, g.nodes, sizeof *leads);
    g.keep = cupel__arena_array(m->arena, g.nodes, sizeof *g.keep);
    g.in_place = cupel__arena_array(m->arena, g.nodes, sizeof *g.in_place);
    if (g.edges == NULL || shared == NULL || leads == NULL || g.keep == NULL || g.in_place == NULL)
        return CUPEL_E_NO_MEMORY;
    add_all(&g, m);
    find_shared(m, shared);
    enum cupel_status s = mark_leading(m, &g, EDGE_NAMES, shared, leads);
    bool any = false;
    for (uint32_t i = 0; i < g.nodes; i++)
        any |= g.keep[i] = shared[i] && leads[i];
    if (s != CUPEL_OK || !any)
        return s;
    memcpy(leads, g.keep, g.nodes * sizeof *leads);
    s = mark_leading(m, &g, EDGE_NAMES, g.keep, leads);
    filter(&g, leads);
    if (s == CUPEL_OK)
        s = mark_leading(m, &g, EDGE_IN_PLACE, g.keep, g.in_place);
    if (s == CUPEL_OK)
        s = sort(m, &g);
    if (s == CUPEL_OK)
        *ret = g;
    return s;
}
