/* best_branch.h: which branch of a failed anyOf or oneOf its author most likely aimed at. */
#ifndef CUPEL_VM_BEST_BRANCH_H
#define CUPEL_VM_BEST_BRANCH_H

#include "vm/run/records.h"
#include "vm/run/vm.h"
#include <cupel/report.h>

/* Completes event g, a choice that failed: sets its `choice`, `chosen` and `tag`.  The events after
 * it are those of its branches, as far as they concern its value.  Charges vm->budget. */
void cupel__find_best_branch(struct cupel__vm *, struct cupel__log *, uint32_t g);

/* Completes all choices among the events of a finished run.  Returns the steps it took, which the
 * caller charges. */
int64_t cupel__find_best_branches(struct cupel__vm *, struct cupel__log *,
                                  const struct cupel__code *);

#endif
