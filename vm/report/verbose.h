/* verbose.h: a report run that records every instruction, for the standard's output VERBOSE. */
#ifndef CUPEL_VM_REPORT_VERBOSE_H
#define CUPEL_VM_REPORT_VERBOSE_H

#include "vm/run/scratch.h"

/* Runs the report program and records each instruction when it is over.  True if the run came to
 * its end and all of it is recorded. */
bool cupel__report_trace(const struct cupel_program *, struct cupel_scratch *,
                         struct cupel_document *, uint32_t node, struct cupel_outcome *ret);

#endif
