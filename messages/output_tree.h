/* tree.h: records or annotations as the tree of keywords and schemas in which they arose.
 *
 * A node is a step of the way: a keyword, a name or index in its value, or a step down in the
 * instance.  A unit of the output formats is what one keyword says of one value: the node of its
 * last step has it. */
#ifndef CUPEL_MESSAGES_TREE_H
#define CUPEL_MESSAGES_TREE_H

#include "messages/render.h"

#define NO_NODE UINT32_MAX

struct output_node {
    uint32_t parent, child, last_child, sibling, children;
    uint32_t unit; /* 1 + the first unit at this node, 0: none */
    uint32_t nunits;
    uint32_t event;   /* of some unit below, which knows the way here */
    uint32_t steps;   /* of the evaluation path, that lead here */
    bool down;        /* the last step is one in the instance */
    bool name;        /* … or a name or index in a keyword's value … */
    bool failed;      /* what it says, or what is below it and counts */
    bool inner;       /* … whose schema is for a member or item */
    uint32_t at, len; /* the step, escaped, in the keys */
};

struct tree {
    struct render *r;
    const struct cupel__event *events; /* failures or annotations */
    struct output_node *nodes;         /* [0] is the root */
    size_t nnodes, max_nodes;
    struct cupel_text keys; /* the units' ways, one after the other */
    uint32_t *starts,
        *order; /* of unit i: where its key begins, and after it ends; the units in their order */
    uint32_t nunits;
    uint32_t start; /* of the last key */
    size_t charged; /* of r->text */
    bool failed;    /* no memory, too many, or no steps */
};

/* Makes the tree of the last run's failures, or of its annotations where it is valid. */
void cupel__tree_make(struct tree *, struct render *);
void cupel__tree_free(struct tree *);

/* Append the places of a node to r->text, as JSON strings. */
void cupel__tree_evaluation(const struct tree *, uint32_t node);
void cupel__tree_absolute(const struct tree *, uint32_t node);
void cupel__tree_instance(const struct tree *, uint32_t node);
/* Whether a node's units say something: those that passed and note nothing do not. */
bool cupel__tree_has_message(const struct tree *, uint32_t node);
/* Appends what the units of a node say: their sentences as one JSON string, or the annotation. */
void cupel__tree_add_message(const struct tree *, uint32_t node);

/* The node after this one in a walk that goes down first; NO_NODE at the end.  *ret_up counts the
 * nodes that are left on the way. */
uint32_t cupel__tree_next(const struct tree *, uint32_t node, uint32_t *ret_up);

#endif
