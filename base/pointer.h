/* pointer.h: writing a JSON Pointer (RFC 6901), or the fragment of a URI, within a bound. */
#ifndef CUPEL_BASE_POINTER_H
#define CUPEL_BASE_POINTER_H

#include "base/memory.h"

/* A pointer being written, to a text or to an array.  When something does not fit the bound, the
 * pointer ends with the last whole character that did, `cut` is set, and later calls write
 * nothing. */
struct cupel__pointer {
    struct cupel_text *text; /* NULL: write to the array */
    char *array;
    size_t n, max; /* bytes written; the bound */
    bool fragment; /* percent-encode what a fragment may not hold (RFC 3986 section 3.5) */
    bool cut;
};

/* Appends bytes without a step's "/" and without the escapes of RFC 6901. */
void cupel__pointer_add(struct cupel__pointer *, struct cupel__str);
/* Appends a step: a member's name, with "~" and "/" escaped, or an item's index. */
void cupel__pointer_name(struct cupel__pointer *, struct cupel__str name);
void cupel__pointer_index(struct cupel__pointer *, uint32_t index);
/* Appends "…" to a text whose pointer was cut. */
void cupel__pointer_end(struct cupel__pointer *);

#endif
