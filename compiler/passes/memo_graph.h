/* memo_graph.h: the graph of applications for the memo pass: which schema applies which schema to
 * which part of its value. */
#ifndef CUPEL_COMPILER_MEMO_GRAPH_H
#define CUPEL_COMPILER_MEMO_GRAPH_H

#include "compiler/ir/ir.h"

/* The part of a schema's value to which an edge applies its target.  Kinds for a single child come
 * before kinds for several children. */
enum edge_kind {
    EDGE_IN_PLACE, /* the value itself */
    EDGE_MEMBER,   /* the member `name` */
    EDGE_ITEM,     /* the item `index` */
    EDGE_SEVERAL,  /* members that a pattern matches, or that are unevaluated */
    EDGE_OTHER,    /* members that op->names does not list */
    EDGE_ITEMS,    /* items from `index` on */
    EDGE_NAMES     /* names of members */
};

struct edge {
    uint32_t from, to;
    enum edge_kind kind;
    /* ITEM, ITEMS: as above.  IN_PLACE: of a schema's edges with one index that is not 0, a run
     * takes only one. */
    uint32_t index;
    uint32_t part;   /* IN_PLACE, of a choice: the branch, or nschemas + the bit of a target */
    uint32_t number; /* in the order in which edges were added */
    const struct ir_op *op;
    struct cupel__str name;
};

/* The nodes are schemas and, after them, anchors, which lead to their bindings. */
struct memo_graph {
    uint32_t nschemas, nodes, nedges;
    struct edge *edges; /* sorted by `from`, `kind`, name or index */
    uint32_t *start;    /* those of node i are start[i] to start[i + 1] - 1 */
    bool *keep;         /* schemas whose result may be worth keeping */
    bool *in_place; /* those of them that lead in place to such a schema: also for values without
                       children */
};

/* Makes, in the module's arena, the graph of the schemas that lead to one that is worth keeping.  A
 * schema is worth keeping if several references lead to it, and its own references lead to a schema
 * that has several references to it and some of its own.  nedges is 0 if there is none.  Needs use
 * counts. */
enum cupel_status cupel__memo_graph_make(struct ir_module *, struct memo_graph *ret);

/* Whether two different edges can lead to the same child, if the schemas from which they start run
 * on the same value.  `same`: both edges start from one run of one schema.  Adds the work to
 * *ret_cost. */
bool cupel__memo_edges_meet(const struct edge *, const struct edge *, bool same,
                            uint64_t *ret_cost);

/* The order of the children of two edges of the kind MEMBER or ITEM; 0: the same child. */
int cupel__memo_edges_compare(const struct edge *, const struct edge *);

#endif
