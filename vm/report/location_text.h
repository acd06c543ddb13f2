/* location_text.h: instance and schema locations, written within a report's budget.
 *
 * A report may have many problems deep in a document, and a pointer to each costs its length.  So
 * all text of a report has one budget of steps (that of a run, plus what the report's run left
 * over), and each location has a bound of bytes.  A location that exceeds either ends with "…". */
#ifndef CUPEL_VM_POSITION_H
#define CUPEL_VM_POSITION_H

#include "base/json/cursor.h"
#include "vm/report/location.h"
#include "vm/run/scratch.h"

/* Sets the budget after a run; instance locations start at s->node of s->doc.  CUPEL_OK,
 * CUPEL_E_NO_MEMORY or CUPEL_E_LIMIT_MEMORY. */
enum cupel_status cupel__report_budget_begin(struct cupel_scratch *, int64_t steps);
/* The steps used so far. */
uint64_t cupel__report_budget_used(const struct cupel_scratch *);
/* Charges other work; true while steps remain. */
bool cupel__report_charge(const struct cupel_scratch *, int64_t steps);

/* The most bytes of one location: limits.error_bytes, and at least 256. */
size_t cupel__location_max_bytes(const struct cupel_scratch *);

/* Append, in at most `max` bytes: the instance location of a node, a JSON Pointer from the
 * validated node; a schema location as a JSON Pointer into its document; the same as a URI, `base`
 * being that of resources without one; the evaluation path of an event, through all references. */
void cupel__add_instance_location(const struct cupel_scratch *, uint32_t node, size_t max,
                                  struct cupel_text *);
void cupel__add_schema_location(const struct cupel_scratch *, uint32_t loc, size_t max,
                                struct cupel_text *);
void cupel__add_absolute_location(const struct cupel_scratch *, uint32_t loc, const char *base,
                                  size_t max, struct cupel_text *);
void cupel__add_evaluation_path(const struct cupel_scratch *, const struct cupel__event *,
                                size_t max, struct cupel_text *);

#endif
