/* memo_graph.h: schemas and what they apply to what, for the memo pass. */
#ifndef CUPEL_COMPILER_MEMO_GRAPH_H
#define CUPEL_COMPILER_MEMO_GRAPH_H

#include "compiler/ir/ir.h"

/* To what of a schema's value an edge applies the schema that it leads to.  The order matters:
 * those that are for one child alone come together. */
enum edge_kind {
    EDGE_IN_PLACE, /* the value itself */
    EDGE_MEMBER,   /* the member `name` */
    EDGE_ITEM,     /* the item `index` */
    EDGE_SEVERAL,  /* from here on: several children; members that a pattern matches, or that are
                    * left
                    */
    EDGE_OTHER,    /* members that op->names does not have */
    EDGE_ITEMS,    /* items from `index` on */
    EDGE_NAMES     /* names */
};

struct edge {
    uint32_t from, to;
    enum edge_kind kind;
    uint32_t index; /* HERE: edges of one schema with the same number but 0 are never taken both */
    uint32_t part;  /* HERE, of a choice: the branch, or behind those the bit of its discriminator's
                       target */
    uint32_t number; /* in the order in which edges were added */
    const struct ir_op *op;
    struct cupel__str name;
};

/* Schemas are the nodes; behind them the anchors, which lead to their bindings. */
struct memo_graph {
    uint32_t nschemas, nodes, nedges;
    struct edge *edges; /* by `from`, `kind`, name or index */
    uint32_t *start;    /* those of node i are start[i] to start[i + 1] - 1 */
    bool *keep;         /* schemas whose result may be worth keeping … */
    bool *here; /* … for values without children too: they lead in place to such a schema */
};

/* Makes the graph of what leads to a schema that is worth it (all of it in the module's arena):
 * referred to more than once, with references of its own that lead to such a schema again.  nedges
 * is 0 if there is none.  Use counts are right. */
enum cupel_status cupel__memo_graph_make(struct ir_module *, struct memo_graph *ret);

/* Whether two different edges can lead to one value, for one run of each of their schemas on the
 * same value.  `same` tells that it is one run of one schema.  *ret_cost grows by the work done. */
bool cupel__memo_edges_meet(const struct edge *, const struct edge *, bool same,
                            uint64_t *ret_cost);

/* Order of the children of edges of the same kind, MEMBER or ITEM: 0 if it is the same child. */
int cupel__memo_edges_compare(const struct edge *, const struct edge *);

#endif
