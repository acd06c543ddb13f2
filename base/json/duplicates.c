/* duplicates.c: members of one object that have the same name, for stage 2.
 *
 * Stage 2 keeps a Bloom filter of names for each open object, and calls this file only for objects
 * where a name hit it: large ones, and few of the small ones.  A few names are compared in pairs,
 * more by a hash table.  That hash has no secret, so a text can be made whose names all collide;
 * once the table has cost more than a bound linear in the names, they are sorted instead.  So the
 * time is O(n log n) at worst, and linear for all but hostile texts.
 *
 * Members that a later one overrides are only marked when their object ends, and taken off the tape
 * once, after the whole text: the work does not multiply with nesting. */
#include "base/json/reader.h"
#include "base/order.h"

enum { PAIRWISE = 8 };

/* The names of one object: n pairs of a hash and a node index, in the order of the text. */
struct keys {
    struct cupel__reader *r;
    const struct cupel__node *nodes;
    uint32_t *pair;
    uint32_t n;
    uint64_t wasted;     /* comparisons and probes that found different names */
    uint32_t duplicate;  /* the first name in the text that repeats another, or CUPEL__NO_NODE */
    uint32_t overridden; /* members marked so far */
};

static bool same_name(struct keys *k, uint32_t a, uint32_t b)
{
    struct cupel__str x = cupel__node_str(k->r->doc, &k->nodes[a]),
                      y = cupel__node_str(k->r->doc, &k->nodes[b]);
    if (x.n == y.n && memcmp(x.p, y.p, x.n) == 0)
        return true;
    k->wasted += 1 + (x.n == y.n ? x.n / 64 : 0);
    return false;
}

/* Notes that two names are equal, `later` being behind `earlier` in the text. */
static void note_duplicate(struct keys *k, uint32_t earlier, uint32_t later)
{
    if (later < k->duplicate)
        k->duplicate = later;
    struct cupel__node *node = &k->r->doc->nodes[earlier];
    k->overridden += (node->flags & CUPEL__NODE_OVERRIDDEN) == 0;
    node->flags |= CUPEL__NODE_OVERRIDDEN;
}

/* -- A few names: in pairs --------------------------------------------------------------------- */

static void check_pairs(struct keys *k)
{
    for (uint32_t j = 1; j < k->n; j++) {
        for (uint32_t i = 0; i < j; i++) {
            const uint32_t *a = k->pair + 2 * i, *b = k->pair + 2 * j;
            if (a[0] == b[0] && same_name(k, a[1], b[1]))
                note_duplicate(k, a[1], b[1]);
        }
    }
}

/* -- More: a hash table with linear probing ---------------------------------------------------- */

/* The table has 2^(32 - shift) slots, between 1.5 and 3 times n.  The highest bits of a product
 * depend on all bits of its factors, so they choose the slot. */
static unsigned table_shift(uint32_t n)
{
    return (unsigned)__builtin_clz(n + n / 2 - 1);
}

/* Checks by a hash table, whose slots hold positions in `pair` plus 1.  False when it has cost too
 * much; names that were found equal until then stay noted. */
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
                note_duplicate(k, a[1], b[1]);
                break;
            }
            if (++k->wasted > bound)
                return false;
        }
        table[slot] = j + 1;
    }
    return true;
}

/* -- Hostile names: sorting -------------------------------------------------------------------- */

/* The order of the sort: by length, then bytes, then position in the text. */
static bool comes_after(void *ctx, uint32_t a, uint32_t b)
{
    const struct keys *k = ctx;
    struct cupel__str x = cupel__node_str(k->r->doc, &k->nodes[a]),
                      y = cupel__node_str(k->r->doc, &k->nodes[b]);
    if (x.n != y.n)
        return x.n > y.n;
    int order = memcmp(x.p, y.p, x.n);
    return order != 0 ? order > 0 : a > b;
}

/* Sorts the node indexes in the memory of the table, and compares neighbours. */
static void check_sorted(struct keys *k, uint32_t *order)
{
    for (uint32_t i = 0; i < k->n; i++)
        order[i] = k->pair[2 * i + 1];
    cupel__order_sort(order, k->n, comes_after, k);
    for (uint32_t i = 1; i < k->n; i++)
        if (same_name(k, order[i - 1], order[i]))
            note_duplicate(k, order[i - 1], order[i]);
}

/* -- Entry ------------------------------------------------------------------------------------- */

/* Writes hash and node index of each name. */
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
    r->overridden |= k.overridden != 0;
    node->count -= k.overridden;
    return true;
}

/* The depth of the document, from the number of containers that begin and end at each node. */
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

/* If node i is the name of an overridden member, the index after the member, otherwise 0. */
static uint32_t after_overridden(const struct cupel__node *nodes, uint32_t i)
{
    if (nodes[i].type != CUPEL__STRING || !(nodes[i].flags & CUPEL__NODE_OVERRIDDEN))
        return 0;
    return cupel__node_next(nodes, i + 1);
}

/* Moves the remaining nodes together and adjusts the ends of containers.  The table of new node
 * indexes is in the memory of the token index, which has an entry for each node and one more. */
void cupel__duplicates_remove(struct cupel__reader *r)
{
    struct cupel__doc *doc = r->doc;
    struct cupel__node *nodes = doc->nodes;
    uint32_t *moved = doc->index, kept = 0;
    for (uint32_t i = 0, after; i < doc->nnodes; i = after != 0 ? after : i + 1) {
        after = after_overridden(nodes, i);
        moved[i] = kept;
        kept += after == 0;
    }
    moved[doc->nnodes] = kept;
    /* A node never moves to a higher index, so nodes behind i are still in place. */
    for (uint32_t i = 0, after; i < doc->nnodes; i = after != 0 ? after : i + 1) {
        after = after_overridden(nodes, i);
        if (after != 0)
            continue;
        struct cupel__node node = nodes[i];
        if (node.type >= CUPEL__ARRAY)
            node.end = moved[node.end];
        nodes[moved[i]] = node;
    }
    doc->nnodes = kept;
    doc->depth = measure_depth(doc, moved);
}
