/* equal.c: equality of JSON values (JSON Schema core 4.2.2), node by node on the tape.
 *
 * Most equal values are written alike, so a first traversal goes through both in step.  Only when a
 * member's name differs does a second one look each name up, with a stack of open objects
 * (CUPEL__EQUAL_DEPTH).  Arithmetic on numbers is base/decimal.c's. */
#include "base/json/equal.h"
#include "base/json/member_index.h"

/* -- Single nodes ----------------------------------------------------------------------------- */

int cupel__charged_number(struct cupel__doc *doc, uint32_t i, struct cupel__budget *budget,
                          struct cupel__dec *ret)
{
    if (!cupel__doc_decimal(doc, &doc->nodes[i], ret))
        return cupel__undecided(budget, CUPEL_E_LIMIT_NUMBER);
    return cupel__spend(budget, ret->chars / CUPEL__CHARS_A_STEP) ? 1 : -1;
}

static int same_number(struct cupel__doc *a, uint32_t i, struct cupel__doc *b, uint32_t j,
                       struct cupel__budget *budget)
{
    const struct cupel__node *x = &a->nodes[i], *y = &b->nodes[j];
    if ((x->type == CUPEL__REAL) != (y->type == CUPEL__REAL))
        return 0;
    /* Values in nodes are normalised or integers, so equal values are equal members. */
    if (((x->flags | y->flags) & CUPEL__BIG) == 0)
        return x->i == y->i && x->exp == y->exp;
    struct cupel__dec p, q;
    if (cupel__charged_number(a, i, budget, &p) < 0 || cupel__charged_number(b, j, budget, &q) < 0)
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

/* Whether two nodes are equal; of containers, whether they have as many children. */
static int same_node(struct cupel__doc *a, uint32_t i, struct cupel__doc *b, uint32_t j,
                     struct cupel__budget *budget)
{
    struct cupel__node *x = &a->nodes[i], *y = &b->nodes[j];
    if (!cupel__spend(budget, 1))
        return -1;
    unsigned type = cupel__type_class(x->type);
    if (type != cupel__type_class(y->type))
        return 0;
    if (type == CUPEL__INT)
        return same_number(a, i, b, j, budget);
    if (type == CUPEL__STRING)
        return same_string(cupel__doc_str(a, x), cupel__doc_str(b, y), budget);
    return type < CUPEL__ARRAY || x->count == y->count;
}

/* -- Equality --------------------------------------------------------------------------------- */

enum { REORDERED = 2 };

/* Compares two values in step, node by node.  Both stand at the same path until the first
 * difference, so any difference but a member's name decides; a name gives REORDERED. */
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

/* An open object of a, and the object of b that it is compared with. */
struct open_object {
    uint32_t a_end;
    uint32_t b_first, b_end;
    uint32_t b_next; /* the name behind the one that was found last */
};

/* Finds a name in the object of b: tries the name behind the last one found, as two objects are
 * often in the same order but for a few members, then looks it up.  1 and its index, 0, or -1. */
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

/* Compares two values with members in any order.  The names of one object are all different, so if
 * both objects have as many members it is enough to find each of a's in b.
 *
 * i goes through a in document order; j is the node of b at the same path.  After a container of a
 * ends, j continues behind its counterpart. */
static int equal_any_order(struct cupel__doc *a, uint32_t i, struct cupel__doc *b, uint32_t j,
                           struct cupel__budget *budget)
{
    struct open_object open[CUPEL__EQUAL_DEPTH];
    unsigned depth = 0;
    const uint32_t end = cupel__node_next(a->nodes, i);
    while (i < end) {
        int same = same_node(a, i, b, j, budget);
        const struct cupel__node *x = &a->nodes[i], *y = &b->nodes[j];
        if (same == 1 && x->type == CUPEL__OBJECT && depth == CUPEL__EQUAL_DEPTH) {
            same = equal_in_order(a, i, b, j, budget);
            i = x->end - 1;
            j = y->end - 1;
        } else if (same == 1 && x->type == CUPEL__OBJECT) {
            open[depth++] = (struct open_object){x->end, j + 1, y->end, j + 1};
        }
        if (same != 1)
            return same == REORDERED ? cupel__undecided(budget, CUPEL_E_LIMIT_STACK) : same;
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
