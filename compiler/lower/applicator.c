/* applicator.c: keywords that apply subschemas (2020-12 core 10).
 *
 * Keywords that belong together become one operation, at the location of the leading one: `if` with
 * `then` and `else`; `contains` with its counts; `properties`, `patternProperties` and
 * `additionalProperties` as one PROPS. */
#include "compiler/lower/lower.h"

/* -- To the same instance --------------------------------------------------------------------- */

enum cupel_status cupel__lower_all_of(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_ALL), at->kw->count);
}

enum cupel_status cupel__lower_any_of(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_ANY_OF), at->kw->count);
}

enum cupel_status cupel__lower_one_of(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_ONE_OF), at->kw->count);
}

enum cupel_status cupel__lower_not(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_NOT), 1);
}

/* Without `then` and `else` an `if` asserts nothing, but its condition may evaluate members or
 * produce annotations. */
enum cupel_status cupel__lower_if(const struct lower_at *at)
{
    const struct graph_keyword *parts[3] = {at->kw, at->by[KW_THEN], at->by[KW_ELSE]};
    if (parts[1] == NULL && parts[2] == NULL && !at->l->g->evaluates && !lower_annotates(at->l))
        return CUPEL_OK;
    struct ir_op *op = cupel__lower_op(at, IR_IF);
    uint32_t *schemas = op == NULL ? NULL : cupel__ir_op_schemas(at->l->m, op, 3);
    if (schemas == NULL)
        return CUPEL_E_NO_MEMORY;
    for (int i = 0; i < 3; i++)
        schemas[i] = parts[i] == NULL ? IR_NONE : cupel__lower_schema_number(at, parts[i]->first);
    return CUPEL_OK;
}

/* The name of the member whose value is the keyword's i-th subschema. */
static struct cupel__str member_name(const struct lower_at *at, const struct graph_keyword *kw,
                                     uint32_t i)
{
    return graph_str(at->l->g, at->schema, at->l->g->schemas[kw->first + i].node - 1);
}

enum cupel_status cupel__lower_dependent_schemas(const struct lower_at *at)
{
    for (uint32_t i = 0; i < at->kw->count; i++) {
        struct cupel__str name = member_name(at, at->kw, i);
        struct ir_op *op = cupel__lower_op_member(at, IR_DEP_SCHEMA, name);
        uint32_t *schema = op == NULL ? NULL : cupel__ir_op_schemas(at->l->m, op, 1);
        if (schema == NULL)
            return CUPEL_E_NO_MEMORY;
        op->name = name;
        *schema = cupel__lower_schema_number(at, at->kw->first + i);
    }
    return CUPEL_OK;
}

/* Returns an IR schema that an object passes if its member `name` is the string at a node; IR_NONE
 * without memory.  A double NOT keeps the condition from evaluating the member, because
 * `propertyDependencies` only reads it. */
static uint32_t add_condition(const struct lower_at *at, struct cupel__str name, uint32_t node)
{
    struct ir_module *m = at->l->m;
    uint32_t loc = m->schemas[at->number].loc, schema[4];
    for (int i = 0; i < 4; i++)
        if ((schema[i] = cupel__ir_add_schema(m, loc)) == IR_NONE)
            return IR_NONE;
    for (int i = 0; i < 2; i++) {
        struct ir_op *op = cupel__ir_add_op(m, schema[i], IR_NOT, IR_NONE);
        uint32_t *inner = op == NULL ? NULL : cupel__ir_op_schemas(m, op, 1);
        if (inner == NULL)
            return IR_NONE;
        *inner = schema[i + 1];
    }
    struct ir_op *type = cupel__ir_add_op(m, schema[2], IR_TYPE, IR_NONE);
    struct ir_op *required = cupel__ir_add_op(m, schema[2], IR_REQUIRED, IR_NONE);
    struct ir_op *props = cupel__ir_add_op(m, schema[2], IR_PROPS, IR_NONE);
    struct ir_op *equal = cupel__ir_add_op(m, schema[3], IR_CONST, IR_NONE);
    struct ir_name *there = required == NULL ? NULL : cupel__ir_op_names(m, required, 1);
    struct ir_name *member = props == NULL ? NULL : cupel__ir_op_names(m, props, 1);
    struct ir_value *value = equal == NULL ? NULL : cupel__ir_op_values(m, equal, 1);
    if (type == NULL || there == NULL || member == NULL || value == NULL)
        return IR_NONE;
    type->mask = CUPEL__M_OBJECT;
    there->name = member->name = name;
    member->schema = schema[3];
    *value = (struct ir_value){graph_json(at->l->g, at->schema), node};
    return schema[0];
}

/* A proposal for v1: for each listed value of a member a schema that the object must pass. */
enum cupel_status cupel__lower_property_dependencies(const struct lower_at *at)
{
    struct cupel__str name = graph_str(at->l->g, at->schema, at->kw->value - 1);
    for (uint32_t i = 0; i < at->kw->count; i++) {
        uint32_t node = at->l->g->schemas[at->kw->first + i].node - 1;
        uint32_t condition = add_condition(at, name, node);
        struct ir_op *op = condition == IR_NONE
                               ? NULL
                               : cupel__lower_op_member(at, IR_IF, member_name(at, at->kw, i));
        uint32_t *schemas = op == NULL ? NULL : cupel__ir_op_schemas(at->l->m, op, 3);
        if (schemas == NULL)
            return CUPEL_E_NO_MEMORY;
        schemas[0] = condition;
        schemas[1] = cupel__lower_schema_number(at, at->kw->first + i);
        schemas[2] = IR_NONE;
    }
    return CUPEL_OK;
}

/* -- To items --------------------------------------------------------------------------------- */

enum cupel_status cupel__lower_prefix_items(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_PREFIX), at->kw->count);
}

enum cupel_status cupel__lower_items(const struct lower_at *at)
{
    struct ir_op *op = cupel__lower_op(at, IR_ITEMS);
    if (op != NULL)
        op->a = at->kw->from;
    return cupel__lower_schemas(at, op, 1);
}

/* Bounds that no count satisfies refuse every array and no other value. */
enum cupel_status cupel__lower_contains(const struct lower_at *at)
{
    uint32_t least = cupel__lower_count(at, at->by[KW_MIN_CONTAINS], 1);
    uint32_t most = cupel__lower_count(at, at->by[KW_MAX_CONTAINS], IR_MANY);
    if (least <= most) {
        struct ir_op *op = cupel__lower_op(at, IR_CONTAINS);
        if (op != NULL) {
            op->a = least;
            op->b = most;
            op->exclusive = at->kw->strict;
        }
        return cupel__lower_schemas(at, op, 1);
    }
    struct ir_op *op = cupel__lower_op(at, IR_TYPE);
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
    struct ir_name *names = cupel__ir_op_names(at->l->m, op, kw->count);
    if (names == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < kw->count; i++) {
        names[i].name = member_name(at, kw, i);
        names[i].schema = cupel__lower_schema_number(at, kw->first + i);
    }
    return CUPEL_OK;
}

static enum cupel_status add_patterns(const struct lower_at *at, struct ir_op *op)
{
    const struct graph_keyword *kw = at->by[KW_PATTERN_PROPERTIES];
    if (kw == NULL)
        return CUPEL_OK;
    struct ir_match *matches = cupel__ir_op_matches(at->l->m, op, kw->count);
    if (matches == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < kw->count; i++) {
        uint32_t value = at->l->g->schemas[kw->first + i].node;
        enum cupel_status status = cupel__lower_add_pattern(at, value - 1, &matches[i].pattern);
        if (status != CUPEL_OK)
            return status;
        matches[i].schema = cupel__lower_schema_number(at, kw->first + i);
    }
    return CUPEL_OK;
}

/* Lowers all three keywords at `properties`, without it at `patternProperties`, without both at
 * `additionalProperties`, and nothing at the others. */
enum cupel_status cupel__lower_members(const struct lower_at *at)
{
    const struct graph_keyword *other = at->by[KW_ADDITIONAL_PROPERTIES], *leader = other;
    if (at->by[KW_PATTERN_PROPERTIES] != NULL)
        leader = at->by[KW_PATTERN_PROPERTIES];
    if (at->by[KW_PROPERTIES] != NULL)
        leader = at->by[KW_PROPERTIES];
    if (at->kw != leader)
        return CUPEL_OK;
    struct ir_op *op = cupel__lower_op(at, IR_PROPS);
    if (op == NULL)
        return CUPEL_E_NO_MEMORY;
    if (other != NULL)
        op->other = cupel__lower_schema_number(at, other->first);
    enum cupel_status status = add_properties(at, op);
    return status == CUPEL_OK ? add_patterns(at, op) : status;
}

enum cupel_status cupel__lower_property_names(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_NAMES), 1);
}
