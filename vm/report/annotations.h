/* annotations.h: the annotations of a run. */
#ifndef CUPEL_VM_ANNOTATIONS_H
#define CUPEL_VM_ANNOTATIONS_H

#include "vm/run/scratch.h"

/* After a report of a VALID value, which has no failures: its annotations in their place,
 * s->log.events, and how many there are.  `which` is the value that is noted.  NO_MEMORY or
 * LIMIT_MEMORY otherwise. */
enum cupel_status cupel__annotations_expand(struct cupel_scratch *, uint32_t *ret_n);

#endif
