/* operands.h: what the operands of an instruction require of a value: values, types, branches.
 *
 * Reads the image alone.  Everything in vm/report and messages that describes an instruction
 * starts here, so that an operand is decoded in one place. */
#ifndef CUPEL_VM_OPERANDS_H
#define CUPEL_VM_OPERANDS_H

#include "vm/run/records.h"
#include "vm/run/vm.h"

/* Whether an instruction lists the values it allows. */
static inline bool cupel__is_value_op(uint32_t op)
{
    return op == CUPEL__OP_CONST || op == CUPEL__OP_ENUM || op == CUPEL__OP_LOOKUP;
}

/* The allowed values of such an instruction, as indices of constants, and their number. */
const uint32_t *cupel__values_of(const struct cupel__code *, const uint32_t *word, uint32_t *ret_n);

/* The types of those values. */
uint32_t cupel__value_types(const struct cupel__code *, const uint32_t *word);

/* The types that a TYPE instruction allows, reduced to those that have a name in JSON Schema: in
 * draft 4 the number 1.0 is no integer, so "integer" lacks that spelling there. */
uint32_t cupel__named_types(uint32_t types);

/* The branches of the choice at `pc`: ANY_OF, ONE_OF or CHOOSE. */
const struct cupel__list *cupel__branches_of(const struct cupel__code *, uint32_t pc);

#endif
