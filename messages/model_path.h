/* model_path.h: paths through an instance as models write them: target.href, items[2].id. */
#ifndef CUPEL_MESSAGES_MODEL_PATH_H
#define CUPEL_MESSAGES_MODEL_PATH_H

#include "messages/render.h"

enum { CUPEL__PATH_INDEXES = 6 };

/* What a path led through. */
struct cupel__model_path {
    uint32_t parent; /* the container of the value; CUPEL_NO_NODE: it is the validated value */
    uint32_t index[CUPEL__PATH_INDEXES]; /* the first array indices on the path */
    uint32_t nindexes;                   /* all of them */
};

/* Appends the path from the validated value to a node: a value, or a key, which stands for its
 * member.  The path of the validated value itself is `root`.  Array index number `blank`
 * (UINT32_MAX: none) is written as []. */
void cupel__add_model_path(const struct render *, uint32_t node, uint32_t blank, const char *root,
                           struct cupel_text *, struct cupel__model_path *ret);

/* Appends a step, a name, to a path that has been written since `start`. */
void cupel__add_model_step(struct cupel_text *, size_t start, struct cupel__str name);

/* The container of a value, or CUPEL_NO_NODE for the validated value. */
uint32_t cupel__container_of(const struct render *, uint32_t node);

#endif
