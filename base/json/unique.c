/* unique.c: hashes of JSON values, and whether the items of an array are all different.
 *
 * A few items are compared in pairs.  Of more, a hash table holds the hash and the index of each
 * item; two items with the same hash are compared in full, so a collision costs time and never
 * changes a verdict. */
#include "base/json/equal.h"
#include "base/siphash.h"

#include <string.h>

/* -- Hash of a value -------------------------------------------------------------------------- */

/* The hash of a value is the sum over its nodes of siphash(path, node), where the path of a node is
 * siphash(path of the parent, its name or index).  A sum does not depend on the order of members.
 */
enum { KIND_NAME = CUPEL__TYPES, KIND_INDEX };

enum { NODE_COST = 7 }; /* steps for the two hashes of a node, beside those for a long string */

struct hasher {
    struct cupel__doc *doc;
    const uint64_t *key;
    struct cupel__budget *budget;
};

/* The hash of a string or, with KIND_NAME, of a name. */
static bool hash_string(const struct hasher *h, uint64_t path, unsigned kind, uint32_t i,
                        uint64_t *ret)
{
    struct cupel__str s = cupel__doc_str(h->doc, &h->doc->nodes[i]);
    if (!cupel__spend(h->budget, s.n / 8))
        return false;
    struct cupel__siphash prf = cupel__siphash_start(h->key, path, kind, s.n);
    cupel__siphash_add_bytes(&prf, s.p, s.n);
    *ret = cupel__siphash_end(&prf);
    return true;
}

/* Hashes the digits of the normalised form, eight to a word, so that 1, 1.0 and 10e-1 have the same
 * hash. */
static bool hash_number(const struct hasher *h, uint64_t path, uint32_t i, uint64_t *ret)
{
    struct cupel__dec d;
    if (cupel__charged_number(h->doc, i, h->budget, &d) < 0)
        return false;
    cupel__dec_normalise(&d);
    uint32_t n = d.digits != NULL ? d.ndigits : 0;
    struct cupel__siphash prf =
        cupel__siphash_start(h->key, path, CUPEL__INT, (uint64_t)n << 1 | d.negative);
    cupel__siphash_add(&prf, (uint64_t)d.exp);
    uint64_t word = n == 0 ? (uint64_t)d.i : 0;
    for (const char *p = d.digits; n > 0; n--, p++) {
        p += *p == '.';
        word = word << 8 | (unsigned char)*p;
        if (n % 8 == 1 && n > 1) {
            cupel__siphash_add(&prf, word);
            word = 0;
        }
    }
    cupel__siphash_add(&prf, word);
    *ret = cupel__siphash_end(&prf);
    return true;
}

/* The hash of one node without its children. */
static bool hash_node(const struct hasher *h, uint64_t path, uint32_t i, uint64_t *ret)
{
    const struct cupel__node *n = &h->doc->nodes[i];
    if (!cupel__spend(h->budget, NODE_COST))
        return false;
    unsigned type = cupel__type_class(n->type);
    if (type == CUPEL__INT)
        return hash_number(h, path, i, ret);
    if (type == CUPEL__STRING)
        return hash_string(h, path, type, i, ret);
    struct cupel__siphash prf =
        cupel__siphash_start(h->key, path, type, type < CUPEL__ARRAY ? 0 : n->count);
    *ret = cupel__siphash_end(&prf);
    return true;
}

struct open_container {
    uint64_t path;
    uint32_t end, index;
};

/* The path of the value at *i in the container o; moves *i from a name to its value. */
static bool hash_path(const struct hasher *h, struct open_container *o, uint32_t *i, uint64_t *ret)
{
    if (h->doc->nodes[*i].flags & CUPEL__KEY)
        return cupel__spend(h->budget, NODE_COST) &&
               hash_string(h, o->path, KIND_NAME, (*i)++, ret);
    struct cupel__siphash prf = cupel__siphash_start(h->key, o->path, KIND_INDEX, o->index++);
    *ret = cupel__siphash_end(&prf);
    return true;
}

/* The hash of a value.  Descendants deeper than CUPEL__EQUAL_DEPTH levels are left out, by which
 * equal values still have equal hashes. */
static bool hash_value(const struct hasher *h, uint32_t i, uint64_t *ret)
{
    struct open_container open[CUPEL__EQUAL_DEPTH];
    const struct cupel__node *nodes = h->doc->nodes;
    const uint32_t end = cupel__node_next(nodes, i);
    unsigned depth = 0;
    uint64_t sum = 0, path = 0;
    while (i < end) {
        uint64_t hash;
        if (!hash_node(h, path, i, &hash))
            return false;
        sum += hash;
        const struct cupel__node *n = &nodes[i];
        if (n->type >= CUPEL__ARRAY && depth < CUPEL__EQUAL_DEPTH) {
            open[depth++] = (struct open_container){path, n->end, 0};
            i++;
        } else {
            i = cupel__node_next(nodes, i);
        }
        while (depth > 0 && i == open[depth - 1].end)
            depth--;
        if (depth > 0 && !hash_path(h, &open[depth - 1], &i, &path))
            return false;
    }
    *ret = sum;
    return true;
}

/* -- Uniqueness ------------------------------------------------------------------------------- */

/* Whether two values differ in a way that takes a few loads to see.  Strings of one length are
 * compared by their last byte: identifiers with a common prefix often differ there. */
static bool differ_at_once(const struct cupel__doc *doc, const struct cupel__node *x,
                           const struct cupel__node *y)
{
    if (x->type != y->type)
        return cupel__type_class(x->type) != cupel__type_class(y->type);
    if (x->type == CUPEL__INT)
        return x->i != y->i;
    if (x->type == CUPEL__STRING && x->len > 0 && x->len == y->len) {
        const char *s = cupel__node_str(doc, x).p, *t = cupel__node_str(doc, y).p;
        return s[x->len - 1] != t[y->len - 1];
    }
    if (x->type == CUPEL__STRING)
        return x->len != y->len;
    return x->type >= CUPEL__ARRAY && x->count != y->count;
}

/* Compares each item with each that follows it. */
static int unique_pairwise(struct cupel__doc *doc, uint32_t array, struct cupel__budget *budget)
{
    const struct cupel__node *nodes = doc->nodes;
    const uint32_t end = nodes[array].end;
    for (uint32_t i = array + 1; i < end; i = cupel__node_next(nodes, i)) {
        for (uint32_t j = cupel__node_next(nodes, i); j < end; j = cupel__node_next(nodes, j)) {
            if (!cupel__spend(budget, 1))
                return -1;
            if (differ_at_once(doc, &nodes[i], &nodes[j]))
                continue;
            int equal = cupel__json_equal(doc, i, doc, j, budget);
            if (equal != 0)
                return equal < 0 ? -1 : 0;
        }
    }
    return 1;
}

/* FETCH: steps for the first probe of an item, because a slot of a large table is in no cache.  The
 * next FREE_PROBES are not charged: how many there are depends on the secret key, and step counts
 * must not.  In a table that is at most half full more of them do not happen by chance. */
enum { FREE_PROBES = 64, FETCH = 6 };

/* Adds item i to the table.  A slot is 0, or the upper half of an item's hash above its node index.
 * 1: added; 0: the table has an equal item; -1: undecided. */
static int insert(const struct hasher *h, uint64_t *table, size_t mask, uint32_t i)
{
    uint64_t hash;
    if (!cupel__spend(h->budget, FETCH) || !hash_value(h, i, &hash))
        return -1;
    size_t slot = (size_t)hash & mask;
    for (unsigned probes = 0; table[slot] != 0; slot = (slot + 1) & mask) {
        if (++probes > FREE_PROBES && !cupel__spend(h->budget, 1))
            return -1;
        if ((table[slot] ^ hash) >> 32 != 0)
            continue;
        const int64_t left = h->budget->remaining;
        int equal = cupel__json_equal(h->doc, (uint32_t)table[slot], h->doc, i, h->budget);
        if (equal != 0)
            return equal < 0 ? -1 : 0;
        h->budget->remaining = left; /* upper halves collide by chance, which depends on the
                                           key: not charged */
    }
    table[slot] = hash >> 32 << 32 | i;
    return 1;
}

/* Adds each item to a hash table of `ntable` words at most. */
static int unique_hashed(const struct hasher *h, uint32_t array, uint64_t *table, size_t ntable)
{
    const struct cupel__node *nodes = h->doc->nodes;
    size_t size = 2 * CUPEL__UNIQUE_PAIRWISE;
    while (size / 2 < nodes[array].count)
        size *= 2;
    if (size > ntable)
        return cupel__undecided(h->budget, CUPEL_E_LIMIT_MEMORY);
    if (!cupel__spend(h->budget, size / 16))
        return -1;
    memset(table, 0, size * sizeof *table);
    for (uint32_t i = array + 1; i < nodes[array].end; i = cupel__node_next(nodes, i)) {
        int put = insert(h, table, size - 1, i);
        if (put != 1)
            return put;
    }
    return 1;
}

/* Few items are compared in pairs only if they have at most so many nodes: comparing unequal
 * objects with members in different orders takes longer than hashing them. */
enum { PAIRWISE_NODES = 256 };

int cupel__json_unique(struct cupel__doc *doc, uint32_t i, uint64_t *table, size_t ntable,
                       const uint64_t key[2], struct cupel__budget *budget)
{
    const struct cupel__node *array = &doc->nodes[i];
    const struct hasher h = {doc, key, budget};
    if (array->count > CUPEL__UNIQUE_PAIRWISE)
        return unique_hashed(&h, i, table, ntable);
    if (array->end - i <= PAIRWISE_NODES)
        return unique_pairwise(doc, i, budget);
    uint64_t few[2 * CUPEL__UNIQUE_PAIRWISE];
    return unique_hashed(&h, i, few, 2 * CUPEL__UNIQUE_PAIRWISE);
}

bool cupel__json_hash(struct cupel__doc *doc, uint32_t i, const uint64_t key[2],
                      struct cupel__budget *budget, uint64_t *ret)
{
    const struct hasher h = {doc, key, budget};
    return hash_value(&h, i, ret);
}
