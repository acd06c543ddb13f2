/* similar.h: how similar two names are, for suggestions such as "did you mean `path`?". */
#ifndef CUPEL_VM_SIMILAR_H
#define CUPEL_VM_SIMILAR_H

#include "base/memory.h"

/* How far apart two names are: 0 the same; 1 the same but for case, underscores, hyphens, blanks
 * and a plural s; more: by edits of characters, or because one is a part of the other.
 * CUPEL__NOT_SIMILAR if neither can be meant by the other: more edits than a third of the longer
 * one's length. */
enum { CUPEL__NOT_SIMILAR = 1000 };
int cupel__similar(struct cupel__str a, struct cupel__str b);
/* The steps to charge for one comparison. */
int cupel__similar_steps(struct cupel__str a, struct cupel__str b);

#endif
