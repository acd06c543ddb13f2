/* annotations.h: the annotations that a report run collected, as events.
 *
 * The run keeps one note for adjacent NOTE instructions; a reader expects one event per annotation.
 */
#ifndef CUPEL_VM_ANNOTATIONS_H
#define CUPEL_VM_ANNOTATIONS_H

#include "vm/run/scratch.h"

/* Writes the annotations of a VALID value to s->log.events, which has no failures then, and their
 * number to *ret_n; `which` of each event is the constant annotated.  CUPEL_OK, CUPEL_E_NO_MEMORY
 * or CUPEL_E_LIMIT_MEMORY. */
enum cupel_status cupel__annotations_expand(struct cupel_scratch *, uint32_t *ret_n);

#endif
