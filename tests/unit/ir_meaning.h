/* ir_meaning.h: an interpreter of the intermediate form that takes ir.def at its word.
 *
 * It is slow, recursive and as plain as can be: the passes are held to it (test_passes.c). Patterns
 * are taken for plain text. */
#ifndef CUPEL_IR_MEANING_H
#define CUPEL_IR_MEANING_H

#include "test.h"

#include "ir.h"
#include "json.h"
#include "number.h"

struct machine {
    const struct ir_module *m;
    struct cupel__doc *doc;
    long fuel; /* below 0: given up */
};

/* Whether node i of the document passes the schema. */
static bool passes_schema(struct machine *x, uint32_t schema, uint32_t i);

static bool equal(struct machine *x, const struct ir_value *v, uint32_t i)
{
    struct cupel__work work = {1 << 20};
    return cupel__json_equal(v->doc, v->node, x->doc, i, &work) == 1;
}

static bool among(struct machine *x, const struct ir_op *op, uint32_t i)
{
    for (uint32_t k = 0; k < op->nvalues; k++)
        if (equal(x, &op->values[k], i))
            return true;
    return false;
}

static struct cupel__dec number(struct cupel__doc *doc, uint32_t i)
{
    struct cupel__dec d = {0};
    CHECK(cupel__dec_node(doc, &doc->nodes[i], &d));
    return d;
}

static bool passes_bound(struct machine *x, const struct ir_op *op, uint32_t i)
{
    struct cupel__dec v = number(x->doc, i), bound = number(op->values->doc, op->values->node);
    if (op->kind == IR_MULTIPLE)
        return cupel__dec_multiple(&v, &bound) == 1;
    int order = cupel__dec_cmp(&v, &bound);
    if (op->kind == IR_MAX)
        order = -order;
    return op->exclusive ? order > 0 : order >= 0;
}

static struct cupel__str string_at(struct machine *x, uint32_t i)
{
    return cupel__doc_str(x->doc, &x->doc->nodes[i]);
}

/* Patterns here are plain letters: they match where they occur. */
static bool matches(const struct machine *x, uint32_t pattern, struct cupel__str s)
{
    struct cupel__str source = x->m->patterns[pattern].source;
    return source.n == 0 || memmem(s.p, s.n, source.p, source.n) != NULL;
}

static bool between(const struct ir_op *op, uint32_t n)
{
    return n >= op->a && n <= op->b;
}

static bool passes_array(struct machine *x, const struct ir_op *op, uint32_t array)
{
    uint32_t n = x->doc->nodes[array].count, found = 0;
    for (uint32_t k = 0, i = array + 1; k < n; k++, i = cupel__node_next(x->doc->nodes, i)) {
        if (op->kind == IR_PREFIX && k < op->nschemas && !passes_schema(x, op->schemas[k], i))
            return false;
        if (op->kind == IR_ITEMS && k >= op->a && !passes_schema(x, op->schemas[0], i))
            return false;
        if (op->kind == IR_CONTAINS)
            found += passes_schema(x, op->schemas[0], i);
        struct ir_value item = {x->doc, i};
        for (uint32_t l = 0, j = array + 1; op->kind == IR_UNIQUE && l < k; l++) {
            if (equal(x, &item, j))
                return false;
            j = cupel__node_next(x->doc->nodes, j);
        }
    }
    return op->kind == IR_ITEMS_COUNT ? between(op, n)
                                      : op->kind != IR_CONTAINS || between(op, found);
}

static bool has(struct machine *x, uint32_t object, struct cupel__str name)
{
    return cupel__doc_member(x->doc, object, name) != 0;
}

/* One member against a PROPS. */
static bool passes_member(struct machine *x, const struct ir_op *op, struct cupel__str key,
                          uint32_t value)
{
    bool known = false;
    for (uint32_t k = 0; k < op->nnames; k++) {
        if ((op->names[k].flags & IR_NAME_UNKNOWN) != 0 || !cupel__str_eq(key, op->names[k].name))
            continue;
        known = true;
        if (!passes_schema(x, op->names[k].schema, value))
            return false;
    }
    for (uint32_t k = 0; k < op->nmatches; k++) {
        if (!matches(x, op->matches[k].pattern, key))
            continue;
        known = true;
        if (!passes_schema(x, op->matches[k].schema, value))
            return false;
    }
    return known || op->other == IR_NONE || passes_schema(x, op->other, value);
}

static bool passes_names(struct machine *x, const struct ir_op *op, uint32_t object)
{
    for (uint32_t k = 0; k < op->nnames; k++)
        if ((op->kind != IR_PROPS || (op->names[k].flags & IR_NAME_REQUIRED) != 0) &&
            !has(x, object, op->names[k].name))
            return false;
    return true;
}

static bool passes_object(struct machine *x, const struct ir_op *op, uint32_t object)
{
    uint32_t n = x->doc->nodes[object].count;
    switch (op->kind) {
    case IR_PROPS_COUNT:
        return between(op, n);
    case IR_REQUIRED:
        return passes_names(x, op, object);
    case IR_DEP_REQUIRED:
        return !has(x, object, op->name) || passes_names(x, op, object);
    case IR_DEP_SCHEMA:
        return !has(x, object, op->name) || passes_schema(x, op->schemas[0], object);
    default:
        break;
    }
    for (uint32_t k = 0, i = object + 1; k < n; k++) {
        if (op->kind == IR_NAMES && !passes_schema(x, op->schemas[0], i))
            return false;
        if (op->kind == IR_PROPS && !passes_member(x, op, string_at(x, i), i + 1))
            return false;
        i = cupel__node_next(x->doc->nodes, i + 1);
    }
    return op->kind == IR_NAMES || passes_names(x, op, object);
}

static bool passes_in_place(struct machine *x, const struct ir_op *op, uint32_t i)
{
    uint32_t n = 0;
    if (op->kind == IR_IF) {
        uint32_t branch = op->schemas[passes_schema(x, op->schemas[0], i) ? 1 : 2];
        return branch == IR_NONE || passes_schema(x, branch, i);
    }
    for (uint32_t k = 0; k < op->nschemas; k++)
        n += passes_schema(x, op->schemas[k], i);
    switch (op->kind) {
    case IR_ANY_OF:
        return n > 0;
    case IR_ONE_OF:
        return n == 1;
    case IR_NOT:
        return n == 0;
    default:
        return n == op->nschemas;
    }
}

static bool passes_op(struct machine *x, const struct ir_op *op, uint32_t i)
{
    uint32_t type = CUPEL__BIT(x->doc->nodes[i].type);
    switch (op->kind) {
    case IR_TYPE:
        return (type & op->mask) != 0;
    case IR_FAIL:
        return false;
    case IR_CONST:
    case IR_ENUM:
        return among(x, op, i);
    case IR_AMONG:
        return (type & op->mask) == 0 || among(x, op, i);
    default:
        break;
    }
    switch (ir_kind_types(op->kind) & type ? ir_kind_types(op->kind) : 0) {
    case 0:
        return true;
    case CUPEL__M_NUMBER:
        return passes_bound(x, op, i);
    case CUPEL__M_STRING:
        return op->kind == IR_LENGTH ? between(op, (uint32_t)string_at(x, i).n)
                                     : matches(x, op->pattern, string_at(x, i));
    case CUPEL__M_ARRAY:
        return passes_array(x, op, i);
    case CUPEL__M_OBJECT:
        return passes_object(x, op, i);
    default:
        return passes_in_place(x, op, i);
    }
}

static bool passes_schema(struct machine *x, uint32_t schema, uint32_t i)
{
    const struct ir_schema *s = &x->m->schemas[schema];
    if (x->fuel-- < 0 || (CUPEL__BIT(x->doc->nodes[i].type) & s->types) == 0)
        return false;
    for (const struct ir_op *op = s->first; op != NULL; op = op->next)
        if (!passes_op(x, op, i))
            return false;
    return true;
}

#endif
