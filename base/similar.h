/* similar.h: how similar two names are, for suggestions such as "did you mean `path`?". */
#ifndef CUPEL_BASE_SIMILAR_H
#define CUPEL_BASE_SIMILAR_H

#include "base/memory.h"

/* The distance of two names.  0: equal.  1: equal but for case, underscores, hyphens, blanks and
 * dots.  2: one edit, such as a final s.  Above: 1 plus the number of edits, or, if one name begins
 * or ends with the other, more than any edits give.  CUPEL__NOT_SIMILAR: more edits than a third of
 * the longer name. */
enum { CUPEL__NOT_SIMILAR = 1000 };
int cupel__similar(struct cupel__str a, struct cupel__str b);
/* The steps to charge for one comparison. */
int cupel__similar_steps(struct cupel__str a, struct cupel__str b);

#endif
