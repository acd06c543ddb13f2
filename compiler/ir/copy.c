/* copy.c: copies of operations.
 *
 * Arrays that passes change in place belong to one operation: schemas, the schemas of patterns, the
 * names of a PROPS.  All other arrays are shared between an operation and its copies. */
#include "compiler/ir/ir.h"

#include <string.h>

/* Gives a copied operation its own arrays; false when out of memory. */
static bool own_operands(struct ir_module *m, struct ir_op *op)
{
    const struct ir_op shared = *op;
    if (shared.nschemas > 0) {
        if (cupel__ir_op_schemas(m, op, shared.nschemas) == NULL)
            return false;
        memcpy(op->schemas, shared.schemas, shared.nschemas * sizeof *op->schemas);
    }
    if (shared.nmatches > 0) {
        if (cupel__ir_op_matches(m, op, shared.nmatches) == NULL)
            return false;
        memcpy(op->matches, shared.matches, shared.nmatches * sizeof *op->matches);
    }
    if (op->kind == IR_PROPS && shared.nnames > 0) {
        if (cupel__ir_op_names(m, op, shared.nnames) == NULL)
            return false;
        memcpy(op->names, shared.names, shared.nnames * sizeof *op->names);
    }
    return true;
}

struct ir_op **cupel__ir_copy_ops(struct ir_module *m, struct ir_op **at,
                                  const struct ir_schema *from)
{
    struct ir_op *rest = *at;
    for (const struct ir_op *op = from->first; op != NULL; op = op->next) {
        struct ir_op *copy = cupel__arena_alloc(m->arena, sizeof *copy);
        if (copy == NULL)
            return NULL;
        *copy = *op;
        if (!own_operands(m, copy))
            return NULL;
        *at = copy;
        at = &copy->next;
    }
    *at = rest;
    return at;
}
