/* evaluate.h: runs the report program (evaluate.c). */
#ifndef CUPEL_VM_REPORT_EVALUATE_H
#define CUPEL_VM_REPORT_EVALUATE_H

#include "vm/report/evaluator.h"
#include "vm/run/scratch.h"

/* Runs the report program from its root on a node and fills the log.  vm->budget.remaining is the
 * budget.  VALID, INVALID, or UNDECIDED with vm->reason. */
enum cupel_verdict cupel__evaluate(struct cupel__vm *, struct cupel__log *, enum cupel__mode,
                                   uint32_t node);

/* The runs of the evaluator, by mode (report.c). */
extern const struct cupel__run_kind cupel__report_runs[];

#endif
