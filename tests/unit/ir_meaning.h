/* ir_meaning.h: an interpreter of the intermediate form that takes ir.def at its word.
 *
 * It is slow, recursive and as plain as can be: the passes are held to it (test_passes.c). Patterns
 * are taken for plain text, and no value has more than 64 children.  What has been evaluated is
 * always kept, whether anybody asks or not: nothing here looks at `tracked`.  Where a choice has a
 * discriminator, each branch that passes has to be one that the discriminator leaves. */
#ifndef CUPEL_IR_MEANING_H
#define CUPEL_IR_MEANING_H

#include "test.h"

#include "base/json/equal.h"
#include "base/json/tape.h"
#include "compiler/ir/ir.h"
#include "vm/formats/formats.h"

struct machine {
    const struct ir_module *m;
    struct cupel__doc *doc;
    long fuel;          /* below 0: given up */
    int depth;          /* of schemas in schemas; a DYNAMIC can lead back to where it is */
    uint32_t bound[64]; /* by anchor: 1 + the schema it has got, or 0 */
};

/* Children of a value, a bit for each by its position. */
typedef uint64_t children;

/* Whether node i of the document passes the schema.  If so, *evaluated also has what that
 * evaluated. */
static bool passes_schema(struct machine *x, uint32_t schema, uint32_t i, children *evaluated);

/* The same for a child, whose own children are nobody's concern. */
static bool child_passes(struct machine *x, uint32_t schema, uint32_t i)
{
    children none = 0;
    return passes_schema(x, schema, i, &none);
}

static children child(uint32_t position)
{
    return (children)1 << position;
}

static bool equal(struct machine *x, const struct ir_value *v, uint32_t i)
{
    struct cupel__budget budget = {.remaining = 1 << 20};
    return cupel__json_equal(v->doc, v->node, x->doc, i, &budget) == 1;
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
    CHECK(cupel__doc_decimal(doc, &doc->nodes[i], &d));
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

static bool conforms(uint32_t format, struct cupel__str s)
{
    struct cupel__arena work;
    cupel__arena_init(&work, NULL, 0);
    int result = cupel__format_check((enum cupel__format)format, s.p, s.n, &work);
    cupel__arena_free(&work);
    return result == 1;
}

static bool between(const struct ir_op *op, uint32_t n)
{
    return n >= op->a && n <= op->b;
}

/* Whether item k of an array, node i, may stand there; PREFIX and ITEMS. */
static bool passes_item(struct machine *x, const struct ir_op *op, uint32_t k, uint32_t i,
                        children *evaluated)
{
    bool applies = op->kind == IR_PREFIX ? k < op->nschemas : k >= op->a;
    if (!applies)
        return true;
    *evaluated |= child(k);
    return child_passes(x, op->schemas[op->kind == IR_PREFIX ? k : 0], i);
}

static bool passes_array(struct machine *x, const struct ir_op *op, uint32_t array,
                         children *evaluated)
{
    uint32_t n = x->doc->nodes[array].count, found = 0;
    for (uint32_t k = 0, i = array + 1; k < n; k++, i = cupel__node_next(x->doc->nodes, i)) {
        if ((op->kind == IR_PREFIX || op->kind == IR_ITEMS) && !passes_item(x, op, k, i, evaluated))
            return false;
        if (op->kind == IR_CONTAINS && child_passes(x, op->schemas[0], i)) {
            found++;
            *evaluated |= op->exclusive ? child(k) : 0;
        }
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

/* One member against a PROPS; whether it is evaluated. */
static bool passes_member(struct machine *x, const struct ir_op *op, struct cupel__str key,
                          uint32_t value, bool *ret_evaluated)
{
    bool known = false;
    for (uint32_t k = 0; k < op->nnames; k++) {
        if ((op->names[k].flags & IR_NAME_UNKNOWN) != 0 || !cupel__str_eq(key, op->names[k].name))
            continue;
        known = true;
        if (!child_passes(x, op->names[k].schema, value))
            return false;
    }
    const uint32_t nmatches = known && op->unlisted ? 0 : op->nmatches;
    for (uint32_t k = 0; k < nmatches; k++) {
        if (!matches(x, op->matches[k].pattern, key))
            continue;
        known = true;
        if (!child_passes(x, op->matches[k].schema, value))
            return false;
    }
    *ret_evaluated = known || op->other != IR_NONE;
    return known || op->other == IR_NONE || child_passes(x, op->other, value);
}

static bool passes_names(struct machine *x, const struct ir_op *op, uint32_t object)
{
    for (uint32_t k = 0; k < op->nnames; k++)
        if ((op->kind != IR_PROPS || (op->names[k].flags & IR_NAME_REQUIRED) != 0) &&
            !has(x, object, op->names[k].name))
            return false;
    return true;
}

/* NAMES and PROPS. */
static bool passes_members(struct machine *x, const struct ir_op *op, uint32_t object,
                           children *evaluated)
{
    for (uint32_t k = 0, i = object + 1; k < x->doc->nodes[object].count; k++) {
        bool known = false;
        if (op->kind == IR_NAMES && !child_passes(x, op->schemas[0], i))
            return false;
        if (op->kind == IR_PROPS && !passes_member(x, op, string_at(x, i), i + 1, &known))
            return false;
        *evaluated |= known ? child(k) : 0;
        i = cupel__node_next(x->doc->nodes, i + 1);
    }
    return op->kind == IR_NAMES || passes_names(x, op, object);
}

static bool passes_object(struct machine *x, const struct ir_op *op, uint32_t object,
                          children *evaluated)
{
    switch (op->kind) {
    case IR_PROPS_COUNT:
        return between(op, x->doc->nodes[object].count);
    case IR_REQUIRED:
        return passes_names(x, op, object);
    case IR_DEP_REQUIRED:
        return !has(x, object, op->name) || passes_names(x, op, object);
    case IR_DEP_SCHEMA:
        return !has(x, object, op->name) || passes_schema(x, op->schemas[0], object, evaluated);
    default:
        return passes_members(x, op, object, evaluated);
    }
}

static bool passes_unevaluated(struct machine *x, const struct ir_op *op, uint32_t i,
                               children *evaluated)
{
    const struct cupel__node *nodes = x->doc->nodes;
    bool object = nodes[i].type == CUPEL__OBJECT, array = nodes[i].type == CUPEL__ARRAY;
    uint32_t part = object ? op->schemas[1] : array ? op->schemas[2] : IR_NONE;
    children inner = 0;
    if (!passes_schema(x, op->schemas[0], i, &inner))
        return false;
    *evaluated |= inner;
    for (uint32_t k = 0, at = i + 1; part != IR_NONE && k < nodes[i].count; k++) {
        at += object; /* past the name */
        if ((inner & child(k)) == 0 && !child_passes(x, part, at))
            return false;
        *evaluated |= child(k);
        at = cupel__node_next(nodes, at);
    }
    return true;
}

static bool passes_scope(struct machine *x, const struct ir_op *op, uint32_t i, children *evaluated)
{
    children bound = 0; /* anchors, here */
    for (uint32_t k = 1; k < op->nschemas; k++) {
        if (op->schemas[k] == IR_NONE || x->bound[k - 1] != 0)
            continue;
        x->bound[k - 1] = 1 + op->schemas[k];
        bound |= child(k - 1);
    }
    bool passes = passes_schema(x, op->schemas[0], i, evaluated);
    for (uint32_t k = 1; k < op->nschemas; k++)
        if ((bound & child(k - 1)) != 0)
            x->bound[k - 1] = 0;
    return passes;
}

static bool passes_if(struct machine *x, const struct ir_op *op, uint32_t i, children *evaluated)
{
    uint32_t branch = op->schemas[passes_schema(x, op->schemas[0], i, evaluated) ? 1 : 2];
    return branch == IR_NONE || passes_schema(x, branch, i, evaluated);
}

/* The branches that a discriminator leaves, as ir.h says. */
static uint64_t left_by_value(const struct ir_key *key, struct machine *x, uint32_t value)
{
    const struct cupel__node *node = &x->doc->nodes[value];
    bool is_text = (CUPEL__BIT(node->type) & CUPEL__M_STRING) != 0;
    bool is_integer = (CUPEL__BIT(node->type) & CUPEL__M_INTEGER) && !(node->flags & CUPEL__BIG);
    if (key->ntags == 0)
        return key->unlisted;
    for (uint32_t i = 0; i < key->ntags; i++) {
        const struct ir_tag *tag = &key->tags[i];
        if (tag->is_text ? is_text && cupel__str_eq(tag->text, string_at(x, value))
                         : is_integer && tag->integer == node->i)
            return tag->set;
    }
    return is_text || is_integer ? key->unlisted : UINT64_MAX;
}

static uint64_t left_by_discriminator(const struct ir_discriminator *discriminator,
                                      struct machine *x, uint32_t i)
{
    uint64_t left = discriminator->types[x->doc->nodes[i].type];
    for (uint32_t k = 0; k < discriminator->nkeys && x->doc->nodes[i].type == CUPEL__OBJECT; k++) {
        uint32_t value = cupel__doc_member(x->doc, i, discriminator->keys[k].name);
        left &= value == 0 ? discriminator->keys[k].absent
                           : left_by_value(&discriminator->keys[k], x, value);
    }
    return left;
}

/* The schema that a CASES has for a value. */
static uint32_t case_of(const struct ir_op *op, struct machine *x, uint32_t i)
{
    const struct ir_key *key = op->discriminator->keys;
    const struct cupel__node *nodes = x->doc->nodes;
    uint32_t value = nodes[i].type == CUPEL__OBJECT ? cupel__doc_member(x->doc, i, key->name) : 0;
    bool is_text = value != 0 && (CUPEL__BIT(nodes[value].type) & CUPEL__M_STRING) != 0;
    uint64_t left = nodes[i].type != CUPEL__OBJECT ? op->discriminator->types[nodes[i].type]
                    : value == 0                   ? key->absent
                    : is_text                      ? key->unlisted
                                                   : key->types[nodes[value].type];
    for (uint32_t k = 0; k < key->ntags && is_text; k++)
        if (cupel__str_eq(key->tags[k].text, string_at(x, value)))
            left = key->tags[k].set;
    CHECK(left != 0 && (left & (left - 1)) == 0);
    return op->schemas[__builtin_ctzll(left)];
}

static bool leaves(const struct ir_discriminator *discriminator, struct machine *x, uint32_t i,
                   uint32_t branch)
{
    uint64_t left = left_by_discriminator(discriminator, x, i);
    for (uint32_t b = 0; b < discriminator->nbits; b++)
        if ((left >> b & 1) && branch - discriminator->spans[b].first < discriminator->spans[b].n)
            return true;
    return false;
}

static bool passes_in_place(struct machine *x, const struct ir_op *op, uint32_t i,
                            children *evaluated)
{
    uint32_t n = 0, bound;
    children dropped = 0;
    switch (op->kind) {
    case IR_IF:
        return passes_if(x, op, i, evaluated);
    case IR_CASES:
        return passes_schema(x, case_of(op, x, i), i, evaluated);
    case IR_UNEVALUATED:
        return passes_unevaluated(x, op, i, evaluated);
    case IR_SCOPE:
        return passes_scope(x, op, i, evaluated);
    case IR_DYNAMIC:
        bound = x->bound[op->a];
        return passes_schema(x, bound == 0 ? op->schemas[0] : bound - 1, i, evaluated);
    case IR_NOT:
        return !passes_schema(x, op->schemas[0], i, &dropped);
    default:
        break;
    }
    for (uint32_t k = 0; k < op->nschemas; k++) {
        bool passed = passes_schema(x, op->schemas[k], i, evaluated);
        CHECK(!passed || x->fuel < 0 || op->discriminator == NULL ||
              leaves(op->discriminator, x, i, k));
        n += passed;
    }
    return op->kind == IR_ANY_OF ? n > 0 : n == (op->kind == IR_ONE_OF ? 1 : op->nschemas);
}

static bool passes_op(struct machine *x, const struct ir_op *op, uint32_t i, children *evaluated)
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
    switch (cupel__ir_kind_types(op->kind) & type ? cupel__ir_kind_types(op->kind) : 0) {
    case 0:
        return true;
    case CUPEL__M_NUMBER:
        return passes_bound(x, op, i);
    case CUPEL__M_STRING:
        if (op->kind == IR_FORMAT)
            return conforms(op->a, string_at(x, i));
        return op->kind == IR_LENGTH ? between(op, (uint32_t)string_at(x, i).n)
                                     : matches(x, op->pattern, string_at(x, i));
    case CUPEL__M_ARRAY:
        return passes_array(x, op, i, evaluated);
    case CUPEL__M_OBJECT:
        return passes_object(x, op, i, evaluated);
    default:
        return passes_in_place(x, op, i, evaluated);
    }
}

static bool passes_schema(struct machine *x, uint32_t schema, uint32_t i, children *evaluated)
{
    const struct ir_schema *s = &x->m->schemas[schema];
    const struct ir_op *op = s->first;
    children here = 0;
    if (x->depth > 300)
        x->fuel = -1;
    if (x->fuel-- < 0 || (CUPEL__BIT(x->doc->nodes[i].type) & s->types) == 0)
        return false;
    for (x->depth++; op != NULL && passes_op(x, op, i, &here); op = op->next)
        continue;
    x->depth--;
    if (op == NULL)
        *evaluated |= here;
    return op == NULL;
}

#endif
