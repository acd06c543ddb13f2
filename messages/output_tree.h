/* output_tree.h: events as the tree of keywords and schemas in which they arose.
 *
 * The standard's nested output formats follow the evaluation path and the instance location
 * together. So the tree has a node for each step of either: a keyword, a name or index in the
 * keyword's value, or a step down in the instance.  A unit is what one keyword says of one value;
 * it belongs to the node of its last step. */
#ifndef CUPEL_MESSAGES_TREE_H
#define CUPEL_MESSAGES_TREE_H

#include "messages/render.h"

#define NO_NODE UINT32_MAX

struct output_node {
    uint32_t parent, child, last_child, sibling, children;
    uint32_t unit;    /* 1 + the first unit at this node, 0: none */
    uint32_t nunits;  /* units at this node, adjacent in the order */
    uint32_t event;   /* an event at or below this node: its paths lead through it */
    uint32_t steps;   /* steps of the evaluation path from the root */
    bool down;        /* the step is one in the instance */
    bool name;        /* the step is a name or index in a keyword's value */
    bool inner;       /* the schema at that step is for a member or item */
    bool failed;      /* VERBOSE: a unit here failed, or one below that decides this result */
    uint32_t at, len; /* the step, escaped as in a JSON Pointer, in the keys */
};

struct output_tree {
    struct render *r;
    const struct cupel__event *events; /* failures or annotations */
    struct output_node *nodes;         /* [0] is the root */
    size_t nnodes, max_nodes;
    struct cupel_text keys; /* the keys of all units, one after the other; see output_tree.c */
    uint32_t *starts;       /* [2i], [2i + 1]: where the key of unit i begins and ends */
    uint32_t *order;        /* the units, sorted; allocated with `starts` */
    uint32_t nunits;
    uint32_t start; /* where the last key begins */
    size_t charged; /* bytes of r->text that are paid */
    bool failed;    /* no memory, too many nodes or no steps: FLAG's output replaces the tree */
};

/* Makes the tree of the last run's failures or, of a valid value, its annotations. */
void cupel__tree_make(struct output_tree *, struct render *);
void cupel__tree_free(struct output_tree *);

/* Append the locations of a node to r->text, as JSON strings. */
void cupel__tree_evaluation(const struct output_tree *, uint32_t node);
void cupel__tree_absolute(const struct output_tree *, uint32_t node);
void cupel__tree_instance(const struct output_tree *, uint32_t node);
/* Whether a node has a message: a failure or an annotation.  Keywords that merely passed have none.
 */
bool cupel__tree_has_message(const struct output_tree *, uint32_t node);
/* Appends the message of a node: the sentences of its failures as one JSON string, or the
 * annotation. */
void cupel__tree_add_message(const struct output_tree *, uint32_t node);

/* The node after this one in pre-order, NO_NODE at the end.  *ret_up: how many nodes above this one
 * the traversal leaves. */
uint32_t cupel__tree_next(const struct output_tree *, uint32_t node, uint32_t *ret_up);

#endif
