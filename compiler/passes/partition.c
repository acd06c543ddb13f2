/* partition.c: choices that the type of the value makes.
 *
 * Needs   nothing; fold and narrow before it, which make masks narrow, and merge after it, since
 * walks have met. Keeps   verdicts; operations keep their own locations. Breaks  use counts, which
 * are those before this pass; that a schema has at most one PROPS.
 *
 * If no type passes the masks of two branches, then ANY_OF and ONE_OF say the same: the value
 * passes the one branch that its type leaves.  Where, besides, every operation of a branch passes
 * all values of the types of the other branches, all operations may stand side by side in the
 * schema itself, and its mask becomes the types of all branches.  So a nullable string with a
 * length is a length, and a string or an object with members is a walk.
 *
 * Operations of a schema that is used elsewhere too are copied, paid from a budget in proportion to
 * the module.  Tracked schemas are left alone. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"

enum { MIN_GROWTH = 64 }; /* operations and names that may always be added */

struct partition {
    struct ir_module *m;
    size_t growth; /* operations and names that may still be added */
};

/* Whether values of other types than `own` pass all operations of the schema, if only `all` arrive.
 */
static bool is_apart(const struct ir_schema *s, uint32_t own, uint32_t all)
{
    for (const struct ir_op *op = s->first; op != NULL; op = op->next) {
        uint32_t types = op->kind == IR_AMONG ? op->mask : cupel__ir_kind_types(op->kind);
        if ((types & all & ~own) != 0)
            return false;
    }
    return true;
}

/* Whether the choice may be resolved; the types of its branches together. */
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

/* Puts the branches' operations in the place of the choice *at, which is given the place after
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

/* Subschemas mostly come after the schema that holds them; those first, so that a choice in a
 * branch is resolved before the one around it. */
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
