/* size.c: sizes of schemas, by which passes bound their growth and their work. */
#include "compiler/ir/ir.h"

size_t cupel__ir_schema_size(const struct ir_schema *s)
{
    size_t n = 0;
    for (const struct ir_op *op = s->first; op != NULL; op = op->next)
        n += 1 + (size_t)op->nnames;
    return n;
}

size_t cupel__ir_module_size(const struct ir_module *m)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->nschemas; i++)
        n += m->schemas[i].uses > 0 ? cupel__ir_schema_size(&m->schemas[i]) : 0;
    return n;
}

size_t cupel__ir_module_work(const struct ir_module *m)
{
    size_t n = cupel__ir_module_size(m);
    for (uint32_t i = 0; i < m->nschemas; i++)
        for (const struct ir_op *op = m->schemas[i].first; op != NULL && m->schemas[i].uses > 0;
             op = op->next)
            n += (size_t)op->nschemas + op->nvalues;
    return n;
}
