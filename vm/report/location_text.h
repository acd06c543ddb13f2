/* position.h: the positions that a report writes: of values and of keywords.
 *
 * All of them have one budget of steps, as much as a run has and what the report's run left, and
 * each has a bound of bytes.  One that does not fit, or that there are no steps for, ends with "…".
 */
#ifndef CUPEL_VM_POSITION_H
#define CUPEL_VM_POSITION_H

#include "base/json/cursor.h"
#include "vm/report/location.h"
#include "vm/run/scratch.h"

/* Begins at s->node of s->doc, after a run.  CUPEL_OK, NO_MEMORY or LIMIT_MEMORY. */
enum cupel_status cupel__report_budget_begin(struct cupel_scratch *, int64_t steps);
/* The steps that have been used. */
uint64_t cupel__report_budget_used(const struct cupel_scratch *);
/* Charges for work of other kinds; true as long as there are steps. */
bool cupel__report_charge(const struct cupel_scratch *, int64_t steps);

/* The most bytes of one position, unless its reader wants less. */
size_t cupel__location_max_bytes(const struct cupel_scratch *);

/* Append at most so many bytes of: the JSON Pointer of a node below the judged one; the location of
 * an instruction as a JSON Pointer into the schema, as a URI, and by way of all references. */
void cupel__add_instance_location(const struct cupel_scratch *, uint32_t node, size_t most,
                                  struct cupel_text *);
void cupel__add_schema_location(const struct cupel_scratch *, uint32_t loc, size_t most,
                                struct cupel_text *);
void cupel__add_absolute_location(const struct cupel_scratch *, uint32_t loc, const char *base,
                                  size_t most, struct cupel_text *);
void cupel__add_evaluation_path(const struct cupel_scratch *, const struct cupel__event *,
                                size_t most, struct cupel_text *);

#endif
