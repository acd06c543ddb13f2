/* unique.c: equality of JSON values, and whether the items of an array are all different.
 *
 * Values are compared as they stand on the tape; nothing is built, sorted or allocated.  Arithmetic
 * on numbers is base/decimal.c's.  Whatever an input can make long is charged to struct
 * cupel__budget, so that the worst it can do is to leave the question undecided. */
#include "base/decimal.h"
#include "base/json/member_index.h"
#include "base/siphash.h"

#include <string.h>

/* Nothing is decided. */
static int give_up(struct cupel__budget *budget, enum cupel_status why)
{
    budget->why = why;
    return -1;
}

/* The types of values that may be equal, as one: numbers are INT, strings are STRING. */
static unsigned type_class(unsigned type)
{
    if (CUPEL__BIT(type) & CUPEL__M_NUMBER)
        return CUPEL__INT;
    if (CUPEL__BIT(type) & CUPEL__M_STRING)
        return CUPEL__STRING;
    return type;
}

/* -- Single nodes ----------------------------------------------------------------------------- */

/* A number whose node may not hold it.  1, or -1. */
static int read_number(struct cupel__doc *doc, uint32_t i, struct cupel__budget *budget,
                       struct cupel__dec *ret)
{
    const struct cupel__node *n = &doc->nodes[i];
    bool ok;
    if ((n->flags & CUPEL__BIG) == 0) {
        ok = cupel__dec_node(doc, n, ret);
    } else {
        struct cupel__str token = cupel__doc_span(doc, i);
        if (!cupel__spend(budget, token.n / CUPEL__CHARS_A_STEP))
            return -1;
        ok = cupel__dec_parse(token.p, token.n, ret);
    }
    return ok ? 1 : give_up(budget, CUPEL_E_LIMIT_NUMBER);
}

static int same_number(struct cupel__doc *a, uint32_t i, struct cupel__doc *b, uint32_t j,
                       struct cupel__budget *budget)
{
    const struct cupel__node *x = &a->nodes[i], *y = &b->nodes[j];
    if ((x->type == CUPEL__REAL) != (y->type == CUPEL__REAL))
        return 0;
    /* Off the lexeme both are normalised or integers, so equal values are equal fields. */
    if (((x->flags | y->flags) & CUPEL__BIG) == 0)
        return x->i == y->i && x->exp == y->exp;
    struct cupel__dec p, q;
    if (read_number(a, i, budget, &p) < 0 || read_number(b, j, budget, &q) < 0)
        return -1;
    return cupel__dec_cmp(&p, &q) == 0;
}

static int same_string(struct cupel__str s, struct cupel__str t, struct cupel__budget *budget)
{
    if (s.n != t.n)
        return 0;
    if (!cupel__spend(budget, s.n / 32))
        return -1;
    return cupel__str_eq(s, t);
}

/* Whether two nodes are equal as far as that can be seen without looking into containers. */
static int same_node(struct cupel__doc *a, uint32_t i, struct cupel__doc *b, uint32_t j,
                     struct cupel__budget *budget)
{
    struct cupel__node *x = &a->nodes[i], *y = &b->nodes[j];
    if (!cupel__spend(budget, 1))
        return -1;
    unsigned type = type_class(x->type);
    if (type != type_class(y->type))
        return 0;
    if (type == CUPEL__INT)
        return same_number(a, i, b, j, budget);
    if (type == CUPEL__STRING)
        return same_string(cupel__doc_str(a, x), cupel__doc_str(b, y), budget);
    return type < CUPEL__ARRAY || x->count == y->count;
}

/* -- Equality --------------------------------------------------------------------------------- */

enum { REORDERED = 2 };

/* Compares two values in step, node by node.  REORDERED when a member's name differs: until then
 * both walks have been at the same place of both values, so the first other difference decides. */
static int equal_in_order(struct cupel__doc *a, uint32_t i, struct cupel__doc *b, uint32_t j,
                          struct cupel__budget *budget)
{
    const uint32_t end = cupel__node_next(a->nodes, i);
    for (; i < end; i++, j++) {
        int same = same_node(a, i, b, j, budget);
        if (same != 1)
            return same == 0 && (a->nodes[i].flags & CUPEL__KEY) ? REORDERED : same;
    }
    return 1;
}

/* An object of a that is being compared, and its counterpart in b. */
struct open_object {
    uint32_t a_end;
    uint32_t b_first, b_end;
    uint32_t b_next; /* where the name after the one found last stands */
};

/* Looks for the name where it stands if both objects are in the same order, then everywhere.  1 and
 * its index, 0 or -1. */
static int find_counterpart(struct cupel__doc *b, struct open_object *o, struct cupel__str name,
                            struct cupel__budget *budget, uint32_t *ret)
{
    uint32_t j = o->b_next;
    int found = 0;
    if (j < o->b_end) {
        if (!cupel__spend(budget, 1))
            return -1;
        found = same_string(cupel__doc_str(b, &b->nodes[j]), name, budget);
    }
    if (found == 0)
        found = cupel__member_find(b, o->b_first - 1, name, budget, &j);
    if (found != 1)
        return found;
    o->b_next = cupel__node_next(b->nodes, j + 1);
    *ret = j;
    return 1;
}

/* Objects in objects that are followed in another order than they are written; deeper ones must
 * have the same order, or nothing is decided. */
enum { OPEN_MAX = 256 };

/* Compares two values, members in any order.  Names within one object differ from each other, so
 * with as many members on both sides it is enough to find each of a's in b. */
static int equal_any_order(struct cupel__doc *a, uint32_t i, struct cupel__doc *b, uint32_t j,
                           struct cupel__budget *budget)
{
    struct open_object open[OPEN_MAX];
    unsigned depth = 0;
    const uint32_t end = cupel__node_next(a->nodes, i);
    while (i < end) {
        int same = same_node(a, i, b, j, budget);
        const struct cupel__node *x = &a->nodes[i], *y = &b->nodes[j];
        if (same == 1 && x->type == CUPEL__OBJECT && depth == OPEN_MAX) {
            same = equal_in_order(a, i, b, j, budget);
            i = x->end - 1;
            j = y->end - 1;
        } else if (same == 1 && x->type == CUPEL__OBJECT) {
            open[depth++] = (struct open_object){x->end, j + 1, y->end, j + 1};
        }
        if (same != 1)
            return same == REORDERED ? give_up(budget, CUPEL_E_LIMIT_STACK) : same;
        i++;
        j++;
        for (; depth > 0 && i == open[depth - 1].a_end; depth--)
            j = open[depth - 1].b_end;
        if (i < end && (a->nodes[i].flags & CUPEL__KEY)) {
            struct cupel__str name = cupel__doc_str(a, &a->nodes[i]);
            same = find_counterpart(b, &open[depth - 1], name, budget, &j);
            if (same != 1)
                return same;
            i++;
            j++;
        }
    }
    return 1;
}

int cupel__json_equal(struct cupel__doc *a, uint32_t na, struct cupel__doc *b, uint32_t nb,
                      struct cupel__budget *budget)
{
    int equal = equal_in_order(a, na, b, nb, budget);
    return equal == REORDERED ? equal_any_order(a, na, b, nb, budget) : equal;
}

/* -- Hash of a value -------------------------------------------------------------------------- */

/* The hash of a value is the sum over its nodes of prf(path, node), a path being the prf of the
 * path of the parent and the name or index there.  A sum does not depend on the order of members.
 */
enum { KIND_NAME = CUPEL__TYPES, KIND_INDEX };

enum { NODE_COST = 7 }; /* steps for its two hashes, whatever it is */

struct hasher {
    struct cupel__doc *doc;
    const uint64_t *key;
    struct cupel__budget *budget;
};

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

/* The digits of the normalised form, so that 1, 1.0 and 10e-1 are the same. */
static bool hash_number(const struct hasher *h, uint64_t path, uint32_t i, uint64_t *ret)
{
    struct cupel__dec d;
    if (read_number(h->doc, i, h->budget, &d) < 0)
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

/* The hash of one node, without what a container holds. */
static bool hash_node(const struct hasher *h, uint64_t path, uint32_t i, uint64_t *ret)
{
    const struct cupel__node *n = &h->doc->nodes[i];
    if (!cupel__spend(h->budget, NODE_COST))
        return false;
    unsigned type = type_class(n->type);
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

/* The path of the value at *i in the container o; steps over the name if there is one. */
static bool hash_path(const struct hasher *h, struct open_container *o, uint32_t *i, uint64_t *ret)
{
    if (h->doc->nodes[*i].flags & CUPEL__KEY)
        return cupel__spend(h->budget, NODE_COST) &&
               hash_string(h, o->path, KIND_NAME, (*i)++, ret);
    struct cupel__siphash prf = cupel__siphash_start(h->key, o->path, KIND_INDEX, o->index++);
    *ret = cupel__siphash_end(&prf);
    return true;
}

/* What containers hold below OPEN_MAX levels does not enter: equal values keep equal hashes. */
static bool hash_value(const struct hasher *h, uint32_t i, uint64_t *ret)
{
    struct open_container open[OPEN_MAX];
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
        if (n->type >= CUPEL__ARRAY && depth < OPEN_MAX) {
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

/* A cheap reason why two values are not equal.  Names and tags that have the same length often
 * differ at their end. */
static bool differ_at_once(const struct cupel__doc *doc, const struct cupel__node *x,
                           const struct cupel__node *y)
{
    if (x->type != y->type)
        return type_class(x->type) != type_class(y->type);
    if (x->type == CUPEL__INT)
        return x->i != y->i;
    if (x->type == CUPEL__STRING && x->len > 0 && x->len == y->len) {
        const char *s = doc->base[(x->flags >> 1) & 1] + x->off;
        const char *t = doc->base[(y->flags >> 1) & 1] + y->off;
        return s[x->len - 1] != t[y->len - 1];
    }
    if (x->type == CUPEL__STRING)
        return x->len != y->len;
    return x->type >= CUPEL__ARRAY && x->count != y->count;
}

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

/* A slot of a large table is in no cache.  Probes that cost nothing.  They depend on the key, and
 * the charge should not; with a table at most half full, more than these do not happen by chance.
 */
enum { FREE_PROBES = 64, FETCH = 6 };

/* Puts item i into the table unless an equal one is there.  A slot is 0, or the upper half of an
 * item's hash above its index.  1: put, 0: there is an equal one, -1. */
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
        h->budget->remaining = left; /* the halves of two hashes are the same by chance, which
                                 depends on the key too */
    }
    table[slot] = hash >> 32 << 32 | i;
    return 1;
}

static int unique_hashed(const struct hasher *h, uint32_t array, uint64_t *table, size_t ntable)
{
    const struct cupel__node *nodes = h->doc->nodes;
    size_t size = 2 * CUPEL__UNIQUE_PAIRWISE;
    while (size / 2 < nodes[array].count)
        size *= 2;
    if (size > ntable)
        return give_up(h->budget, CUPEL_E_LIMIT_MEMORY);
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

/* A few items are compared in pairs, unless they are so large that unequal objects with their
 * members in different orders would make that slow. */
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
