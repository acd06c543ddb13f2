/* unique.c: hashes of JSON values, and whether the items of an array are all different.
 *
 * A few items are compared in pairs.  Of more, a hash table holds the hash and the index of each
 * item; two items with the same hash are compared in full, so a collision costs time and never
 * changes a verdict.
 *
 * The table is first filled by fingerprints, which are hashes without a key: 2 to 6 ns for a
 * scalar, where the hash takes 25.  A stranger can choose values whose fingerprints collide, so
 * after a few collisions the work starts again with hashes that have a key. */
#include "base/json/equal.h"
#include "base/siphash.h"

#include <string.h>

/* -- Hash of a value -------------------------------------------------------------------------- */

/* The hash of a value is the sum over its nodes of siphash(path, node), where the path of a node is
 * siphash(path of the parent, its name or index).  A sum does not depend on the order of members.
 */
enum { KIND_NAME = CUPEL__TYPES, KIND_INDEX };

/* Steps for the two hashes of a node, beside those for a long string: with a key, and of a
 * fingerprint. */
enum { NODE_COST = 7, PRINT_COST = 2 };

struct hasher {
    struct cupel__doc *doc;
    const uint64_t *key; /* NULL: the results are fingerprints */
    struct cupel__budget *budget;
};

/* The hash of what a kind and a size tell. */
static __attribute__((noinline)) uint64_t hash_kind(const struct hasher *h, uint64_t path,
                                                    uint64_t kind, uint64_t size)
{
    struct cupel__siphash prf = cupel__siphash_start(h->key, path, kind, size);
    return cupel__siphash_end(&prf);
}

/* The hash of a string or, with KIND_NAME, of a name. */
static __attribute__((noinline)) bool hash_string(const struct hasher *h, uint64_t path,
                                                  unsigned kind, uint32_t i, uint64_t *ret)
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
static __attribute__((noinline)) bool hash_number(const struct hasher *h, uint64_t path, uint32_t i,
                                                  uint64_t *ret)
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

/* -- Fingerprints -- */

/* Every bit of a hash may change every bit of the result. */
static inline uint64_t finish(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= 0xd6e8feb86659fd93u;
    return hash ^ hash >> 32;
}

static inline uint64_t fold(uint64_t hash, uint64_t word)
{
    return (cupel__rotl(hash, 27) ^ word) * CUPEL__GOLDEN_RATIO;
}

/* Two lanes of eight bytes, because one would wait for each product.  Reads up to seven bytes
 * behind a short string, where a document has padding. */
static inline uint64_t fingerprint_bytes(const char *p, size_t n)
{
    uint64_t left = n, right = CUPEL__STRING;
    const char *end = p + n;
    for (; end - p > 16; p += 16) {
        left = fold(left, cupel__load64(p));
        right = fold(right, cupel__load64(p + 8));
    }
    const uint32_t most = n < 8 ? (uint32_t)n : 8;
    left = fold(left, cupel__first_bytes(cupel__load64(n > 16 ? end - 16 : p), most));
    right = fold(right, cupel__first_bytes(cupel__load64(end - most), most));
    return finish(left ^ cupel__rotl(right, 32));
}

/* The fingerprint of a node without its children. */
static inline bool fingerprint_node(const struct hasher *h, uint32_t i, uint64_t *ret)
{
    struct cupel__node *n = &h->doc->nodes[i];
    if (CUPEL__BIT(n->type) & CUPEL__M_STRING) {
        const struct cupel__str s = cupel__doc_str(h->doc, n);
        *ret = fingerprint_bytes(s.p, s.n);
        return cupel__spend(h->budget, s.n / 64);
    }
    if (CUPEL__BIT(n->type) & CUPEL__M_NUMBER) {
        struct cupel__dec d = {.i = n->i, .exp = n->exp};
        if ((n->flags & CUPEL__BIG) && cupel__charged_number(h->doc, i, h->budget, &d) < 0)
            return false;
        *ret = d.digits != NULL ? cupel__dec_hash(&d)
                                : finish(fold((uint64_t)d.exp + CUPEL__INT, (uint64_t)d.i));
        return true;
    }
    *ret = finish(fold(n->type, n->type < CUPEL__ARRAY ? 0 : n->count));
    return true;
}

/* -- Hashes of values -- */

/* The hash of one node without its children. */
static bool hash_node(const struct hasher *h, uint64_t path, uint32_t i, uint64_t *ret)
{
    const struct cupel__node *n = &h->doc->nodes[i];
    if (h->key == NULL) {
        if (!cupel__spend(h->budget, PRINT_COST) || !fingerprint_node(h, i, ret))
            return false;
        *ret = finish(fold(path, *ret));
        return true;
    }
    if (!cupel__spend(h->budget, NODE_COST))
        return false;
    unsigned type = cupel__type_class(n->type);
    if (type == CUPEL__INT)
        return hash_number(h, path, i, ret);
    if (type == CUPEL__STRING)
        return hash_string(h, path, type, i, ret);
    *ret = hash_kind(h, path, type, type < CUPEL__ARRAY ? 0 : n->count);
    return true;
}

struct open_container {
    uint64_t path;
    uint32_t end, index;
};

/* The path of the value at *i in the container o; moves *i from a name to its value. */
static bool hash_path(const struct hasher *h, struct open_container *o, uint32_t *i, uint64_t *ret)
{
    const struct cupel__node *n = &h->doc->nodes[*i];
    if (h->key == NULL) {
        const bool key = n->flags & CUPEL__KEY;
        *i += key;
        *ret = fold(o->path, key ? cupel__key_hash(h->doc, n) : o->index++);
        return true;
    }
    if (n->flags & CUPEL__KEY)
        return cupel__spend(h->budget, NODE_COST) &&
               hash_string(h, o->path, KIND_NAME, (*i)++, ret);
    *ret = hash_kind(h, o->path, KIND_INDEX, o->index++);
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

/* What fills the table.  A slot is 0, or the upper half of an item's hash above its node index. */
struct filler {
    struct hasher hasher;
    uint64_t *table;
    size_t mask;
    uint64_t collisions; /* that may still occur before fingerprints are given up */
};

/* The results of an insertion.  CROWDED: too many fingerprints have collided. */
enum { UNDECIDED = -1, EQUAL, ADDED, CROWDED };

/* FETCH: steps for the first probe of an item with a key, because a slot of a large table is in no
 * cache.  The next FREE_PROBES are not charged: how many there are depends on the secret key, and
 * step counts must not.  In a table that is at most half full more of them do not happen by chance.
 */
enum { FREE_PROBES = 64, FETCH = 6 };

/* Adds item i, which has this hash, to the table. */
static inline int insert(struct filler *f, uint64_t hash, uint32_t i)
{
    const struct hasher *h = &f->hasher;
    size_t slot = (size_t)hash & f->mask;
    for (unsigned probes = 0; f->table[slot] != 0; slot = (slot + 1) & f->mask) {
        if (h->key == NULL && f->collisions-- == 0) /* a step for some probes, which were many */
            return cupel__spend(h->budget, f->mask / 4) ? CROWDED : UNDECIDED;
        if (h->key != NULL && ++probes > FREE_PROBES && !cupel__spend(h->budget, 1))
            return UNDECIDED;
        if ((f->table[slot] ^ hash) >> 32 != 0)
            continue;
        const int64_t left = h->budget->remaining;
        int equal = cupel__json_equal(h->doc, (uint32_t)f->table[slot], h->doc, i, h->budget);
        if (equal != 0)
            return equal < 0 ? UNDECIDED : EQUAL;
        if (h->key == NULL)
            f->collisions /= 2;
        else
            h->budget->remaining = left; /* upper halves collide by chance, which depends on the
                                            key: not charged */
    }
    f->table[slot] = hash >> 32 << 32 | i;
    return ADDED;
}

/* Adds each item.  How many fingerprints collide is the same in each run, so comparisons of such
 * items are charged. */
static int fill(struct filler *f, uint32_t array)
{
    const struct hasher *h = &f->hasher;
    const struct cupel__node *nodes = h->doc->nodes;
    const unsigned cost = h->key == NULL ? PRINT_COST : FETCH;
    uint64_t hash;
    for (uint32_t i = array + 1; i < nodes[array].end; i = cupel__node_next(nodes, i)) {
        const bool scalar = h->key == NULL && nodes[i].type < CUPEL__ARRAY;
        if (!cupel__spend(h->budget, cost) ||
            !(scalar ? fingerprint_node(h, i, &hash) : hash_value(h, i, &hash)))
            return UNDECIDED;
        int put = insert(f, hash, i);
        if (put != ADDED)
            return put;
    }
    return ADDED;
}

/* Adds each item to a hash table of `ntable` words at most. */
static int unique_hashed(const struct cupel__unique *u, uint32_t array, uint64_t *table,
                         size_t ntable)
{
    size_t size = 2 * CUPEL__UNIQUE_PAIRWISE;
    while (size / 2 < u->doc->nodes[array].count)
        size *= 2;
    if (size > ntable)
        return cupel__undecided(u->budget, CUPEL_E_LIMIT_MEMORY);
    int put = CROWDED;
    for (int keyed = !u->fingerprints; keyed < 2 && put == CROWDED; keyed++) {
        struct filler f = {{u->doc, keyed ? u->key : NULL, u->budget},
                           table,
                           size - 1,
                           4 * (uint64_t)u->doc->nodes[array].count + 64};
        if (!cupel__spend(u->budget, size / 16))
            return -1;
        memset(table, 0, size * sizeof *table);
        put = fill(&f, array);
    }
    return put;
}

/* Few items are compared in pairs only if they have at most so many nodes: comparing unequal
 * objects with members in different orders takes longer than hashing them. */
enum { PAIRWISE_NODES = 256 };

int cupel__json_unique(const struct cupel__unique *u, uint32_t i, uint64_t *table, size_t ntable)
{
    const struct cupel__node *array = &u->doc->nodes[i];
    if (array->count > CUPEL__UNIQUE_PAIRWISE)
        return unique_hashed(u, i, table, ntable);
    if (array->end - i <= PAIRWISE_NODES)
        return unique_pairwise(u->doc, i, u->budget);
    uint64_t few[2 * CUPEL__UNIQUE_PAIRWISE];
    return unique_hashed(u, i, few, 2 * CUPEL__UNIQUE_PAIRWISE);
}

bool cupel__json_hash(struct cupel__doc *doc, uint32_t i, const uint64_t key[2],
                      struct cupel__budget *budget, uint64_t *ret)
{
    const struct hasher h = {doc, key, budget};
    const bool scalar = key == NULL && doc->nodes[i].type < CUPEL__ARRAY;
    return scalar ? fingerprint_node(&h, i, ret) : hash_value(&h, i, ret);
}
