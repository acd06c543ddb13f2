/* duplicates.c: finding members of one object that have the same name.
 *
 * Stage 2 notes each name in a filter of a few bits and leaves to this file the objects in which
 * that does not settle the matter: large ones, and few of the small ones.  Here a hash table
 * settles nearly all of them.  The hash has no secret, so a text can be made for which it is
 * worthless: when too much work has been done in vain, the names are sorted instead.
 *
 * Members that a later one replaces are only marked when their object ends, and taken off the
 * tape once, at the end, so that nesting does not multiply the work. */
#include "base/json/reader.h"

enum { PAIRWISE = 8 };

/* The keys of one object: n pairs of a hash and a node index, in the order of the text. */
struct keys {
    struct cupel__reader *r;
    const struct cupel__node *nodes;
    uint32_t *pair;
    uint32_t n;
    uint64_t work;      /* done in vain */
    uint32_t duplicate; /* the first key in the text that repeats another, or CUPEL__NO_NODE */
    uint32_t dead;      /* marked so far */
};

static bool same_name(struct keys *k, uint32_t a, uint32_t b)
{
    struct cupel__str x = cupel__node_str(k->r->doc, &k->nodes[a]),
                      y = cupel__node_str(k->r->doc, &k->nodes[b]);
    if (x.n == y.n && memcmp(x.p, y.p, x.n) == 0)
        return true;
    k->work += 1 + (x.n == y.n ? x.n / 64 : 0);
    return false;
}

/* Two keys, `later` after `earlier` in the text, have the same name. */
static void found(struct keys *k, uint32_t earlier, uint32_t later)
{
    if (later < k->duplicate)
        k->duplicate = later;
    struct cupel__node *node = &k->r->doc->nodes[earlier];
    k->dead += (node->flags & CUPEL__NODE_OVERRIDDEN) == 0;
    node->flags |= CUPEL__NODE_OVERRIDDEN;
}

/* -- A few keys: each with each ---------------------------------------------------------------- */

static void check_pairs(struct keys *k)
{
    for (uint32_t j = 1; j < k->n; j++) {
        for (uint32_t i = 0; i < j; i++) {
            const uint32_t *a = k->pair + 2 * i, *b = k->pair + 2 * j;
            if (a[0] == b[0] && same_name(k, a[1], b[1]))
                found(k, a[1], b[1]);
        }
    }
}

/* -- Many: a hash table with linear probing ---------------------------------------------------- */

/* The table has 2^(32 - shift) slots, between 1.5 and 3 times n.  The highest bits of a hash
 * depend on all that went into it, so they are the ones to choose a slot by. */
static unsigned table_shift(uint32_t n)
{
    return (unsigned)__builtin_clz(n + n / 2 - 1);
}

/* The table holds places in `pair`, plus 1.  False when it has cost too much. */
static bool check_table(struct keys *k, uint32_t *table)
{
    const unsigned shift = table_shift(k->n);
    const uint32_t size = (uint32_t)1 << (32 - shift);
    const uint64_t bound = 64 + 8 * (uint64_t)k->n;
    memset(table, 0, size * sizeof *table);
    for (uint32_t j = 0; j < k->n; j++) {
        const uint32_t *b = k->pair + 2 * j;
        uint32_t slot = b[0] >> shift;
        for (; table[slot] != 0; slot = (slot + 1) & (size - 1)) {
            const uint32_t *a = k->pair + 2 * (table[slot] - 1);
            if (a[0] == b[0] && same_name(k, a[1], b[1])) {
                found(k, a[1], b[1]);
                break;
            }
            if (++k->work > bound)
                return false;
        }
        table[slot] = j + 1;
    }
    return true;
}

/* -- Hostile: sorting -------------------------------------------------------------------------- */

/* By length, then bytes, then place. */
static bool sorts_before(const struct keys *k, uint32_t a, uint32_t b)
{
    struct cupel__str x = cupel__node_str(k->r->doc, &k->nodes[a]),
                      y = cupel__node_str(k->r->doc, &k->nodes[b]);
    if (x.n != y.n)
        return x.n < y.n;
    int order = memcmp(x.p, y.p, x.n);
    return order != 0 ? order < 0 : a < b;
}

/* Lets the node index at place i of a heap of n sink to where it belongs. */
static void sift(struct keys *k, uint32_t *heap, uint64_t i, uint64_t n)
{
    for (uint64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && sorts_before(k, heap[child], heap[child + 1]))
            child++;
        if (!sorts_before(k, heap[i], heap[child]))
            return;
        uint32_t swapped = heap[i];
        heap[i] = heap[child];
        heap[child] = swapped;
    }
}

/* Sorts the node indexes, for which the table has room, and compares neighbours. */
static void check_sorted(struct keys *k, uint32_t *heap)
{
    for (uint32_t i = 0; i < k->n; i++)
        heap[i] = k->pair[2 * i + 1];
    for (uint32_t i = k->n / 2; i-- > 0;)
        sift(k, heap, i, k->n);
    for (uint32_t end = k->n - 1; end > 0; end--) {
        uint32_t swapped = heap[0];
        heap[0] = heap[end];
        heap[end] = swapped;
        sift(k, heap, 0, end);
    }
    for (uint32_t i = 1; i < k->n; i++)
        if (same_name(k, heap[i - 1], heap[i]))
            found(k, heap[i - 1], heap[i]);
}

/* -- Entry ------------------------------------------------------------------------------------- */

static void gather(struct keys *k, uint32_t object)
{
    const struct cupel__node *nodes = k->nodes;
    uint32_t *pair = k->pair;
    for (uint32_t i = object + 1; i < nodes[object].end; i = cupel__node_next(nodes, i + 1)) {
        *pair++ = cupel__key_hash(k->r->doc, &nodes[i]);
        *pair++ = i;
    }
}

bool cupel__duplicates_check(struct cupel__reader *r, uint32_t object, uint32_t *work)
{
    struct cupel__node *node = &r->doc->nodes[object];
    const uint32_t n = node->count;
    struct keys k = {r, r->doc->nodes, work, n, 0, CUPEL__NO_NODE, 0};
    node->flags &= (uint8_t)~CUPEL__NODE_MAYBE_DUPLICATES;
    gather(&k, object);
    if (n <= PAIRWISE)
        check_pairs(&k);
    else if (!check_table(&k, work + 2 * (size_t)n))
        check_sorted(&k, work + 2 * (size_t)n);
    if (k.duplicate != CUPEL__NO_NODE && !(r->options->flags & CUPEL__READ_DUPLICATES)) {
        r->where = k.duplicate;
        cupel__reader_fail(r, CUPEL_E_DUPLICATE_KEY, cupel__node_src(&k.nodes[k.duplicate]) - 1,
                           "an earlier member of this object has the same name");
        return false;
    }
    r->overridden |= k.dead != 0;
    node->count -= k.dead;
    return true;
}

/* The deepest nesting, from the number of containers that begin and end at each node. */
static uint32_t measure_depth(const struct cupel__doc *doc, uint32_t *ends)
{
    uint32_t depth = 0, deepest = 0;
    memset(ends, 0, (doc->nnodes + (size_t)1) * sizeof *ends);
    for (uint32_t i = 0; i < doc->nnodes; i++) {
        depth -= ends[i];
        if (doc->nodes[i].type < CUPEL__ARRAY)
            continue;
        ends[doc->nodes[i].end]++;
        if (++depth > deepest)
            deepest = depth;
    }
    return deepest;
}

/* If node i is a key marked as dead, the index after its member, else 0. */
static uint32_t after_dead(const struct cupel__node *nodes, uint32_t i)
{
    if (nodes[i].type != CUPEL__STRING || !(nodes[i].flags & CUPEL__NODE_OVERRIDDEN))
        return 0;
    return cupel__node_next(nodes, i + 1);
}

/* The index is not needed any more and has room for an entry a node and one more. */
void cupel__duplicates_remove(struct cupel__reader *r)
{
    struct cupel__doc *doc = r->doc;
    struct cupel__node *nodes = doc->nodes;
    uint32_t *moved = doc->index, kept = 0;
    for (uint32_t i = 0, dead; i < doc->nnodes; i = dead != 0 ? dead : i + 1) {
        dead = after_dead(nodes, i);
        moved[i] = kept;
        kept += dead == 0;
    }
    moved[doc->nnodes] = kept;
    /* Nodes only move down, so what has not been reached yet is still in its place. */
    for (uint32_t i = 0, dead; i < doc->nnodes; i = dead != 0 ? dead : i + 1) {
        dead = after_dead(nodes, i);
        if (dead != 0)
            continue;
        struct cupel__node node = nodes[i];
        if (node.type >= CUPEL__ARRAY)
            node.end = moved[node.end];
        nodes[moved[i]] = node;
    }
    doc->nnodes = kept;
    doc->depth = measure_depth(doc, moved);
}
