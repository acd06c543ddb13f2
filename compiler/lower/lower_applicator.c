/* lower_applicator.c: keywords that apply subschemas (2020-12 core 10).
 *
 * Keywords that only make sense together become one operation, at the place of the one that leads:
 * `if` with `then` and `else`, `contains` with its counts, and all that `properties`,
 * `patternProperties` and `additionalProperties` say about the members of an object. */
#include "lower.h"

/* -- To the same instance --------------------------------------------------------------------- */

enum cupel_status lower_all_of(const struct lower_at *at)
{
    return lower_schemas(at, lower_op(at, IR_ALL), at->kw->count);
}

enum cupel_status lower_any_of(const struct lower_at *at)
{
    return lower_schemas(at, lower_op(at, IR_ANY_OF), at->kw->count);
}

enum cupel_status lower_one_of(const struct lower_at *at)
{
    return lower_schemas(at, lower_op(at, IR_ONE_OF), at->kw->count);
}

enum cupel_status lower_not(const struct lower_at *at)
{
    return lower_schemas(at, lower_op(at, IR_NOT), 1);
}

/* Without both branches it asserts nothing, but what it evaluates or notes may be asked for. */
enum cupel_status lower_if(const struct lower_at *at)
{
    const struct graph_keyword *parts[3] = {at->kw, at->by[KW_THEN], at->by[KW_ELSE]};
    if (parts[1] == NULL && parts[2] == NULL && !at->l->g->evaluates && !lower_annotates(at->l))
        return CUPEL_OK;
    struct ir_op *op = lower_op(at, IR_IF);
    uint32_t *schemas = op == NULL ? NULL : ir_op_schemas(at->l->m, op, 3);
    if (schemas == NULL)
        return CUPEL_E_NO_MEMORY;
    for (int i = 0; i < 3; i++)
        schemas[i] = parts[i] == NULL ? IR_NONE : lower_schema_number(at, parts[i]->first);
    return CUPEL_OK;
}

/* The name of the member whose value is the keyword's i-th subschema. */
static struct cupel__str member_name(const struct lower_at *at, const struct graph_keyword *kw,
                                     uint32_t i)
{
    return graph_str(at->l->g, at->schema, at->l->g->schemas[kw->first + i].node - 1);
}

enum cupel_status lower_dependent_schemas(const struct lower_at *at)
{
    for (uint32_t i = 0; i < at->kw->count; i++) {
        struct cupel__str name = member_name(at, at->kw, i);
        struct ir_op *op = lower_op_member(at, IR_DEP_SCHEMA, name);
        uint32_t *schema = op == NULL ? NULL : ir_op_schemas(at->l->m, op, 1);
        if (schema == NULL)
            return CUPEL_E_NO_MEMORY;
        op->name = name;
        *schema = lower_schema_number(at, at->kw->first + i);
    }
    return CUPEL_OK;
}

/* -- To items --------------------------------------------------------------------------------- */

enum cupel_status lower_prefix_items(const struct lower_at *at)
{
    return lower_schemas(at, lower_op(at, IR_PREFIX), at->kw->count);
}

enum cupel_status lower_items(const struct lower_at *at)
{
    struct ir_op *op = lower_op(at, IR_ITEMS);
    if (op != NULL)
        op->a = at->kw->from;
    return lower_schemas(at, op, 1);
}

/* Bounds that no number meets let no array pass, and leave other values alone. */
enum cupel_status lower_contains(const struct lower_at *at)
{
    uint32_t least = lower_count(at, at->by[KW_MIN_CONTAINS], 1);
    uint32_t most = lower_count(at, at->by[KW_MAX_CONTAINS], IR_MANY);
    if (least <= most) {
        struct ir_op *op = lower_op(at, IR_CONTAINS);
        if (op != NULL) {
            op->a = least;
            op->b = most;
            op->exclusive = at->kw->strict;
        }
        return lower_schemas(at, op, 1);
    }
    struct ir_op *op = lower_op(at, IR_TYPE);
    if (op == NULL)
        return CUPEL_E_NO_MEMORY;
    op->mask = CUPEL__M_ANY & ~(uint32_t)CUPEL__M_ARRAY;
    return CUPEL_OK;
}

/* -- To members ------------------------------------------------------------------------------- */

static enum cupel_status add_properties(const struct lower_at *at, struct ir_op *op)
{
    const struct graph_keyword *kw = at->by[KW_PROPERTIES];
    if (kw == NULL)
        return CUPEL_OK;
    struct ir_name *names = ir_op_names(at->l->m, op, kw->count);
    if (names == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < kw->count; i++) {
        names[i].name = member_name(at, kw, i);
        names[i].schema = lower_schema_number(at, kw->first + i);
    }
    return CUPEL_OK;
}

static enum cupel_status add_patterns(const struct lower_at *at, struct ir_op *op)
{
    const struct graph_keyword *kw = at->by[KW_PATTERN_PROPERTIES];
    if (kw == NULL)
        return CUPEL_OK;
    struct ir_match *matches = ir_op_matches(at->l->m, op, kw->count);
    if (matches == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < kw->count; i++) {
        uint32_t value = at->l->g->schemas[kw->first + i].node;
        enum cupel_status status = lower_add_pattern(at, value - 1, &matches[i].pattern);
        if (status != CUPEL_OK)
            return status;
        matches[i].schema = lower_schema_number(at, kw->first + i);
    }
    return CUPEL_OK;
}

/* `properties`, `patternProperties` and `additionalProperties`: the first of them that is there
 * leads. */
enum cupel_status lower_members(const struct lower_at *at)
{
    const struct graph_keyword *other = at->by[KW_ADDITIONAL_PROPERTIES], *leader = other;
    if (at->by[KW_PATTERN_PROPERTIES] != NULL)
        leader = at->by[KW_PATTERN_PROPERTIES];
    if (at->by[KW_PROPERTIES] != NULL)
        leader = at->by[KW_PROPERTIES];
    if (at->kw != leader)
        return CUPEL_OK;
    struct ir_op *op = lower_op(at, IR_PROPS);
    if (op == NULL)
        return CUPEL_E_NO_MEMORY;
    if (other != NULL)
        op->other = lower_schema_number(at, other->first);
    enum cupel_status status = add_properties(at, op);
    return status == CUPEL_OK ? add_patterns(at, op) : status;
}

enum cupel_status lower_property_names(const struct lower_at *at)
{
    return lower_schemas(at, lower_op(at, IR_NAMES), 1);
}
