/* choose.h: from the events of a report to problems: which branch of a choice is meant, what is
 * told. */
#ifndef CUPEL_VM_CHOOSE_H
#define CUPEL_VM_CHOOSE_H

#include "vm/run/scratch.h"
#include <cupel/report.h>

/* Completes the events of the scratch's last report run, and makes s->order of those that are told.
 * CUPEL_OK, CUPEL_E_NO_MEMORY or CUPEL_E_LIMIT_MEMORY. */
enum cupel_status cupel__select_problems(struct cupel_scratch *);

/* Makes s->order the first n events in the order of the document, those of one value in their own.
 * The same statuses, or CUPEL_E_LIMIT_STEPS. */
enum cupel_status cupel__sort_events(struct cupel_scratch *, uint32_t n);

/* Completes event g, a choice that failed: the events behind it are those of its branches, as far
 * as they are about its value. */
void cupel__find_best_branch(struct cupel__vm *, uint32_t g);

/* What an event says: see problem.c. */
enum cupel_problem_code cupel__problem_code(const struct cupel__code *, const struct cupel__doc *,
                                            const struct cupel__event *);
/* Whether an instruction asks for certain values. */
static inline bool cupel__is_value_op(uint32_t op)
{
    return op == CUPEL__OP_CONST || op == CUPEL__OP_ENUM || op == CUPEL__OP_LOOKUP;
}
/* The values that such an instruction asks for: their indices, and how many. */
const uint32_t *cupel__values_of(const struct cupel__code *, const uint32_t *word, uint32_t *ret_n);
/* The types of those values. */
uint32_t cupel__value_types(const struct cupel__code *, const uint32_t *word);
/* The branches of a choice: an ANY_OF, a ONE_OF, or one with a discriminator. */
const struct cupel__list *cupel__branches_of(const struct cupel__code *, uint32_t pc);

#endif
