/* partition.c: choices that the type of the value decides.
 *
 * Needs   nothing.  Run fold and narrow before it, which make masks narrow, and merge after it,
 *         since several PROPS can meet in one schema.
 * Keeps   verdicts; operations keep their locations.
 * Breaks  use counts, which are those before this pass; that a schema has at most one PROPS.
 *
 * If no type is in the masks of two branches, ANY_OF and ONE_OF mean the same: the value passes the
 * branch that its type selects.  If, besides, every operation of a branch ignores the types of the
 * other branches, all operations can stand side by side in the schema itself.
 *
 *     before                          after
 *     schema @0 null|string           schema @0 null|string
 *       any @1 @2                       length 1 many
 *     schema @1 string
 *       length 1 many
 *     schema @2 null
 *
 * Operations of a schema with other uses are copied, within a budget in proportion to the module.
 * Tracked schemas are left alone. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"

enum { MIN_GROWTH = 64 }; /* operations and names that may always be added */

struct partition {
    struct ir_module *m;
    size_t growth; /* operations and names that may still be added */
};

/* Whether all operations of the schema ignore the types in `all` other than `own`. */
static bool is_apart(const struct ir_schema *s, uint32_t own, uint32_t all)
{
    for (const struct ir_op *op = s->first; op != NULL; op = op->next) {
        uint32_t types = op->kind == IR_AMONG ? op->mask : cupel__ir_kind_types(op->kind);
        if ((types & all & ~own) != 0)
            return false;
    }
    return true;
}

/* Whether a choice can be resolved; *ret_types: the types of its branches together. */
static bool by_type(const struct partition *p, const struct ir_schema *s, const struct ir_op *op,
                    uint32_t *ret_types)
{
    uint32_t all = 0;
    size_t size = 0;
    for (uint32_t i = 0; i < op->nschemas; i++) {
        const struct ir_schema *branch = &p->m->schemas[op->schemas[i]];
        uint32_t types = branch->types & s->types;
        if (branch == s || branch->tracked || (types & all) != 0)
            return false;
        all |= types;
        size += cupel__ir_schema_size(branch);
    }
    for (uint32_t i = 0; i < op->nschemas; i++) {
        const struct ir_schema *branch = &p->m->schemas[op->schemas[i]];
        if (!is_apart(branch, branch->types, all))
            return false;
    }
    *ret_types = all;
    return size <= p->growth;
}

/* Puts copies of the branches' operations in the place of the choice **at, and moves *at behind
 * them. */
static enum cupel_status resolve(struct partition *p, struct ir_op ***at)
{
    const struct ir_op *choice = **at;
    **at = choice->next;
    for (uint32_t i = 0; i < choice->nschemas; i++) {
        const struct ir_schema *branch = &p->m->schemas[choice->schemas[i]];
        p->growth -= cupel__ir_schema_size(branch);
        *at = cupel__ir_copy_ops(p->m, *at, branch);
        if (*at == NULL)
            return CUPEL_E_NO_MEMORY;
    }
    return CUPEL_OK;
}

static enum cupel_status partition_schema(struct partition *p, struct ir_schema *s)
{
    struct ir_op **at = &s->first;
    while (*at != NULL) {
        uint32_t types;
        bool choice = (*at)->kind == IR_ANY_OF || (*at)->kind == IR_ONE_OF;
        if (!choice || !by_type(p, s, *at, &types)) {
            at = &(*at)->next;
            continue;
        }
        s->types &= types;
        enum cupel_status status = resolve(p, &at);
        if (status != CUPEL_OK)
            return status;
    }
    s->end = at;
    return CUPEL_OK;
}

/* Subschemas mostly come after the schema that holds them.  They are processed first, so that a
 * choice in a branch is resolved before the one around it. */
enum cupel_status cupel__pass_partition(struct ir_module *m)
{
    struct partition p = {.m = m};
    enum cupel_status status = cupel__ir_count_uses(m);
    p.growth = MIN_GROWTH + cupel__ir_module_size(m);
    for (uint32_t i = m->nschemas; i-- > 0 && status == CUPEL_OK;)
        if (m->schemas[i].uses > 0 && !m->schemas[i].tracked)
            status = partition_schema(&p, &m->schemas[i]);
    return status;
}
