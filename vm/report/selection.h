/* selection.h: which events of a report run are problems, and in which order they are reported. */
#ifndef CUPEL_VM_SELECTION_H
#define CUPEL_VM_SELECTION_H

#include "vm/run/scratch.h"

/* Completes the events of the scratch's last report run and fills s->order with those that are
 * problems, each once, in document order.  CUPEL_OK, CUPEL_E_NO_MEMORY or CUPEL_E_LIMIT_MEMORY. */
enum cupel_status cupel__select_problems(struct cupel_scratch *);

/* Fills s->order with the first n events in document order; events of one value keep their own.
 * The same statuses, or CUPEL_E_LIMIT_STEPS. */
enum cupel_status cupel__sort_events(struct cupel_scratch *, uint32_t n);

#endif
