/* budget.h: the budget of a comparison of JSON values.
 *
 * Whatever a stranger's text can make long is charged to it before or right after the work, and a
 * comparison that has spent it ends undecided.  The VM passes its budget of steps, so that a
 * comparison costs a validation as many steps as it takes time. */
#ifndef CUPEL_BASE_JSON_BUDGET_H
#define CUPEL_BASE_JSON_BUDGET_H

#include <cupel/common.h>
#include <stdbool.h>
#include <stdint.h>

struct cupel__member_index;

struct cupel__budget {
    int64_t remaining;     /* steps: one for a node, one for 32 bytes of string or long number */
    enum cupel_status why; /* why a comparison ended undecided, and only then meaningful:
                              LIMIT_STEPS, LIMIT_NUMBER, LIMIT_STACK or LIMIT_MEMORY */
    struct cupel__member_index *index; /* of the second document's names, or NULL */
};

/* Charges n steps; false when the budget is overdrawn. */
static inline bool cupel__spend(struct cupel__budget *budget, uint64_t n)
{
    budget->remaining -= (int64_t)n;
    if (budget->remaining < 0)
        budget->why = CUPEL_E_LIMIT_STEPS;
    return budget->remaining >= 0;
}

/* Notes why a comparison is undecided; returns its result, -1. */
static inline int cupel__undecided(struct cupel__budget *budget, enum cupel_status why)
{
    budget->why = why;
    return -1;
}

#endif
