/* validation.c: assertions (2020-12 validation 6).
 *
 * The frontend has checked the values.  Each function chooses the operation with the same meaning.
 */
#include "compiler/lower/lower.h"

#include "vm/formats/formats.h"

/* NO_MEMORY if there is no operation. */
static enum cupel_status status_of(const struct ir_op *op)
{
    return op == NULL ? CUPEL_E_NO_MEMORY : CUPEL_OK;
}

/* -- Any type --------------------------------------------------------------------------------- */

static uint32_t type_mask(const struct lower_at *at, uint32_t node)
{
    struct cupel__str name = graph_str(at->l->g, at->schema, node);
    uint32_t mask = cupel__graph_type(name);
    return mask == CUPEL__M_INTEGER && at->kw->strict ? mask & ~CUPEL__BIT(CUPEL__INTREAL) : mask;
}

enum cupel_status cupel__lower_type(const struct lower_at *at)
{
    const struct cupel__node *value = &graph_json(at->l->g, at->schema)->nodes[at->kw->value];
    struct ir_op *op = cupel__lower_op(at, IR_TYPE);
    if (op == NULL)
        return CUPEL_E_NO_MEMORY;
    if (value->type != CUPEL__ARRAY) {
        op->mask = type_mask(at, at->kw->value);
        return CUPEL_OK;
    }
    for (uint32_t i = 1; i <= value->count; i++)
        op->mask |= type_mask(at, at->kw->value + i);
    return CUPEL_OK;
}

/* Appends an operation whose one value is the keyword's. */
static struct ir_op *value_op(const struct lower_at *at, enum ir_kind kind)
{
    struct ir_op *op = cupel__lower_op(at, kind);
    struct ir_value *value = op == NULL ? NULL : cupel__ir_op_values(at->l->m, op, 1);
    if (value == NULL)
        return NULL;
    *value = (struct ir_value){graph_json(at->l->g, at->schema), at->kw->value};
    return op;
}

enum cupel_status cupel__lower_const(const struct lower_at *at)
{
    return status_of(value_op(at, IR_CONST));
}

enum cupel_status cupel__lower_enum(const struct lower_at *at)
{
    struct cupel__doc *json = graph_json(at->l->g, at->schema);
    struct ir_op *op = cupel__lower_op(at, IR_ENUM);
    uint32_t count = json->nodes[at->kw->value].count, node = at->kw->value + 1;
    struct ir_value *values = op == NULL ? NULL : cupel__ir_op_values(at->l->m, op, count);
    if (values == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++, node = cupel__node_next(json->nodes, node))
        values[i] = (struct ir_value){json, node};
    return CUPEL_OK;
}

/* -- Numbers ---------------------------------------------------------------------------------- */

static enum cupel_status bound(const struct lower_at *at, enum ir_kind kind, bool exclusive)
{
    struct ir_op *op = value_op(at, kind);
    if (op != NULL)
        op->exclusive = exclusive;
    return status_of(op);
}

enum cupel_status cupel__lower_multiple_of(const struct lower_at *at)
{
    return status_of(value_op(at, IR_MULTIPLE));
}

enum cupel_status cupel__lower_maximum(const struct lower_at *at)
{
    return bound(at, IR_MAX, at->kw->strict);
}

enum cupel_status cupel__lower_exclusive_maximum(const struct lower_at *at)
{
    return bound(at, IR_MAX, true);
}

enum cupel_status cupel__lower_minimum(const struct lower_at *at)
{
    return bound(at, IR_MIN, at->kw->strict);
}

enum cupel_status cupel__lower_exclusive_minimum(const struct lower_at *at)
{
    return bound(at, IR_MIN, true);
}

/* -- Counts ----------------------------------------------------------------------------------- */

/* A lower bound of IR_MANY can never be met, since no document has so many items; an upper bound of
 * IR_MANY always is. */
static enum cupel_status at_least(const struct lower_at *at, enum ir_kind kind)
{
    struct ir_op *op = cupel__lower_op(at, kind);
    if (op != NULL)
        op->a = cupel__lower_count(at, at->kw, 0);
    return status_of(op);
}

static enum cupel_status at_most(const struct lower_at *at, enum ir_kind kind)
{
    struct ir_op *op = cupel__lower_op(at, kind);
    if (op != NULL)
        op->b = cupel__lower_count(at, at->kw, IR_MANY);
    return status_of(op);
}

enum cupel_status cupel__lower_max_length(const struct lower_at *at)
{
    return at_most(at, IR_LENGTH);
}

enum cupel_status cupel__lower_min_length(const struct lower_at *at)
{
    return at_least(at, IR_LENGTH);
}

enum cupel_status cupel__lower_max_items(const struct lower_at *at)
{
    return at_most(at, IR_ITEMS_COUNT);
}

enum cupel_status cupel__lower_min_items(const struct lower_at *at)
{
    return at_least(at, IR_ITEMS_COUNT);
}

enum cupel_status cupel__lower_max_properties(const struct lower_at *at)
{
    return at_most(at, IR_PROPS_COUNT);
}

enum cupel_status cupel__lower_min_properties(const struct lower_at *at)
{
    return at_least(at, IR_PROPS_COUNT);
}

enum cupel_status cupel__lower_unique_items(const struct lower_at *at)
{
    if (graph_json(at->l->g, at->schema)->nodes[at->kw->value].type != CUPEL__TRUE)
        return CUPEL_OK;
    return status_of(cupel__lower_op(at, IR_UNIQUE));
}

/* -- Strings ---------------------------------------------------------------------------------- */

enum cupel_status cupel__lower_pattern(const struct lower_at *at)
{
    uint32_t pattern = 0;
    enum cupel_status status = cupel__lower_add_pattern(at, at->kw->value, &pattern);
    struct ir_op *op = status == CUPEL_OK ? cupel__lower_op(at, IR_PATTERN) : NULL;
    if (op != NULL)
        op->pattern = pattern;
    return status == CUPEL_OK ? status_of(op) : status;
}

/* `format`, and the content keywords that the frontend has turned into formats. */
enum cupel_status cupel__lower_format(const struct lower_at *at)
{
    if (!at->kw->strict)
        return CUPEL_OK;
    bool host = at->kw->from == CUPEL__FORMATS;
    struct ir_op *op = cupel__lower_op(at, host ? IR_HOST_FORMAT : IR_FORMAT);
    if (op != NULL && host)
        op->name = graph_str(at->l->g, at->schema, at->kw->value);
    else if (op != NULL)
        op->a = at->kw->from;
    return status_of(op);
}

/* -- Objects ---------------------------------------------------------------------------------- */

/* Makes the strings of an array the names of an operation. */
static enum cupel_status add_names(const struct lower_at *at, struct ir_op *op, uint32_t array)
{
    uint32_t count = graph_json(at->l->g, at->schema)->nodes[array].count;
    struct ir_name *names = op == NULL ? NULL : cupel__ir_op_names(at->l->m, op, count);
    if (names == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        names[i].name = graph_str(at->l->g, at->schema, array + 1 + i);
    return CUPEL_OK;
}

enum cupel_status cupel__lower_required(const struct lower_at *at)
{
    return add_names(at, cupel__lower_op(at, IR_REQUIRED), at->kw->value);
}

/* One operation for each trigger.  In `dependencies` members that are no arrays are schemas,
 * lowered elsewhere. */
enum cupel_status cupel__lower_dependent_required(const struct lower_at *at)
{
    const struct cupel__node *nodes = graph_json(at->l->g, at->schema)->nodes;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t k = at->kw->value + 1; k < nodes[at->kw->value].end && status == CUPEL_OK;
         k = cupel__node_next(nodes, k + 1)) {
        if (nodes[k + 1].type != CUPEL__ARRAY)
            continue;
        struct cupel__str name = graph_str(at->l->g, at->schema, k);
        struct ir_op *op = cupel__lower_op_member(at, IR_DEP_REQUIRED, name);
        if (op != NULL)
            op->name = name;
        status = add_names(at, op, k + 1);
    }
    return status;
}
