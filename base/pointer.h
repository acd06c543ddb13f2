/* pointer.h: JSON Pointers (RFC 6901) and the fragments of URIs, written within a bound. */
#ifndef CUPEL_BASE_POINTER_H
#define CUPEL_BASE_POINTER_H

#include "base/memory.h"

/* A pointer being written, to a text or to an array.  What is over the bound is left out: the last
 * character written is whole, `cut` is set, and nothing is written afterwards. */
struct cupel__pointer {
    struct cupel_text *text; /* NULL: to the array */
    char *array;
    size_t n, max; /* bytes written; the bound */
    bool fragment; /* percent-encode what a fragment may not hold (RFC 3986 section 3.5) */
    bool cut;
};

/* Appends bytes as they are; a step, which is a name or a position. */
void cupel__pointer_add(struct cupel__pointer *, struct cupel__str);
void cupel__pointer_name(struct cupel__pointer *, struct cupel__str name);
void cupel__pointer_index(struct cupel__pointer *, uint32_t index);
/* Marks a pointer in a text that was cut with "…". */
void cupel__pointer_end(struct cupel__pointer *);

#endif
