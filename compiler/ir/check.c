/* check.c: the laws of the intermediate form (docs/ir.md).
 *
 * Whatever builds or rewrites a module must leave it so that this check passes.  Debug builds call
 * it after lowering and after every pass.  An operand that the kind does not have must be empty, so
 * that a pass which turns one operation into another has to clear it. */
#include "base/error.h"
#include "compiler/ir/ir.h"

#include "base/decimal.h"
#include "base/json/tape.h"
#include "vm/formats/formats.h"
#include <string.h>

enum {
    FEW_NAMES = 16 /* up to here names are compared pair by pair */
};

struct checker {
    const struct ir_module *m;
    const struct ir_schema *s;
    const struct ir_op *op; /* NULL: the schema itself */
    uint32_t bindings;      /* schemas of the first SCOPE; 0: there is none */
    struct cupel_error *err;
    enum cupel_status status;
};

/* Records which law is broken.  Always returns false. */
static bool broken(struct checker *c, const char *law)
{
    if (c->op != NULL)
        c->status = cupel__error_set(c->err, CUPEL_E_INTERNAL, "ir: schema @%u, %s: %s",
                                     (unsigned)c->s->id, cupel__ir_kind_text(c->op->kind), law);
    else
        c->status = cupel__error_set(c->err, CUPEL_E_INTERNAL, "ir: schema @%u: %s",
                                     (unsigned)c->s->id, law);
    return false;
}

static bool check_ref(struct checker *c, uint32_t ref)
{
    return ref < c->m->nschemas || broken(c, "refers to a schema that is not there");
}

static bool check_loc(struct checker *c, uint32_t loc)
{
    return loc == IR_NONE || loc < c->m->nlocs || broken(c, "its location is not there");
}

/* -- Names ------------------------------------------------------------------------------------- */

/* Compares every name with every other. */
static bool check_few_names(struct checker *c)
{
    const struct ir_name *names = c->op->names;
    for (uint32_t i = 0; i < c->op->nnames; i++)
        for (uint32_t k = 0; k < i; k++)
            if (cupel__str_eq(names[i].name, names[k].name))
                return broken(c, "a name is there twice");
    return true;
}

/* Sorts the names, so that equal ones are adjacent. */
static bool check_many_names(struct checker *c)
{
    uint32_t n = c->op->nnames;
    struct ir_scratch scratch;
    uint32_t *order = ir_scratch_init(&scratch, &c->m->arena->alloc, n);
    if (order == NULL || cupel__ir_sort(&c->m->arena->alloc, order, n, cupel__ir_compare_names,
                                        c->op->names) != CUPEL_OK) {
        c->status = cupel__error_set(c->err, CUPEL_E_NO_MEMORY, "no memory to check the module");
        ir_scratch_free(&scratch);
        return false;
    }
    bool ok = true;
    for (uint32_t i = 1; i < n && ok; i++)
        ok = cupel__ir_compare_names(c->op->names, order[i - 1], order[i]) != 0;
    ir_scratch_free(&scratch);
    return ok || broken(c, "a name is there twice");
}

static bool check_names(struct checker *c)
{
    return c->op->nnames <= FEW_NAMES ? check_few_names(c) : check_many_names(c);
}

/* A name in a list has neither schema nor flags. */
static bool check_name_list(struct checker *c)
{
    for (uint32_t i = 0; i < c->op->nnames; i++)
        if (c->op->names[i].schema != IR_NONE || c->op->names[i].flags != 0)
            return broken(c, "a name in a list has a schema or flags");
    return check_names(c);
}

/* A name is a property with a schema, or only required.  Patterns, their schemas and `other` exist.
 */
static bool check_props(struct checker *c)
{
    const struct ir_op *op = c->op;
    if (op->unlisted && op->nmatches == 0)
        return broken(c, "it has no patterns for unlisted names");
    for (uint32_t i = 0; i < op->nnames; i++) {
        const struct ir_name *n = &op->names[i];
        if (op->unlisted && (n->flags & IR_NAME_UNKNOWN) != 0)
            return broken(c, "a name is no property, and patterns are for unlisted names");
        if ((n->flags & ~(uint32_t)(IR_NAME_REQUIRED | IR_NAME_UNKNOWN)) != 0)
            return broken(c, "a property has unknown flags");
        if (n->flags == IR_NAME_UNKNOWN ||
            ((n->flags & IR_NAME_UNKNOWN) != 0) != (n->schema == IR_NONE))
            return broken(c, "a name is neither a property nor required alone");
        if (n->schema != IR_NONE && !check_ref(c, n->schema))
            return false;
    }
    for (uint32_t i = 0; i < op->nmatches; i++) {
        if (op->matches[i].pattern >= c->m->npatterns)
            return broken(c, "its pattern is not there");
        if (!check_ref(c, op->matches[i].schema))
            return false;
    }
    return (op->other == IR_NONE || check_ref(c, op->other)) && check_names(c);
}

/* -- Other operands ---------------------------------------------------------------------------- */

static bool check_divisor(struct checker *c)
{
    const struct ir_value *v = &c->op->values[0];
    struct cupel__dec d, zero = {0};
    if (cupel__doc_decimal(v->doc, &v->doc->nodes[v->node], &d) && cupel__dec_cmp(&d, &zero) <= 0)
        return broken(c, "its divisor is not above zero");
    return true;
}

static bool check_values(struct checker *c)
{
    const struct ir_op *op = c->op;
    for (uint32_t i = 0; i < op->nvalues; i++) {
        const struct ir_value *v = &op->values[i];
        if (v->doc == NULL || v->node >= v->doc->nnodes)
            return broken(c, "its value is not there");
        if (op->kind == IR_AMONG && (cupel__ir_value_types(v) & ~op->mask) != 0)
            return broken(c, "a value is of a type that is not in its mask");
        if (cupel__ir_kind_types(op->kind) == CUPEL__M_NUMBER &&
            (CUPEL__BIT(v->doc->nodes[v->node].type) & CUPEL__M_NUMBER) == 0)
            return broken(c, "its value is not a number");
    }
    return true;
}

static bool check_schemas(struct checker *c)
{
    const struct ir_op *op = c->op;
    for (uint32_t i = 0; i < op->nschemas; i++) {
        bool none = op->schemas[i] == IR_NONE && cupel__ir_may_be_none(op->kind, i);
        if (!none && !check_ref(c, op->schemas[i]))
            return false;
    }
    bool three = op->kind == IR_IF || op->kind == IR_UNEVALUATED;
    if (three && op->nschemas != 3)
        return broken(c, "it has not three schemas");
    if (op->kind == IR_CASES &&
        (op->discriminator == NULL || op->discriminator->nbits != op->nschemas))
        return broken(c, "it has no discriminator for its cases");
    return op->kind != IR_SCOPE || (op->nschemas > 0 && op->nschemas == c->bindings) ||
           broken(c, "it has not a schema for each anchor");
}

/* Anchors are numbered by their place among the bindings of a SCOPE, if the module has one. */
static bool check_anchor(struct checker *c)
{
    return c->op->kind != IR_DYNAMIC || c->bindings == 0 || c->op->a < c->bindings - 1 ||
           broken(c, "its anchor is not there");
}

/* Checks the operand of a letter (ir.def); records the first broken law. */
static bool check_operand(struct checker *c, char letter)
{
    const struct ir_op *op = c->op;
    switch (letter) {
    case 'm':
        return (op->mask & ~(uint32_t)CUPEL__M_ANY) == 0 || broken(c, "its mask has unknown types");
    case 'a':
        return check_anchor(c);
    case 'b':
        return op->a <= op->b || broken(c, "its bounds are not in order");
    case 'd':
    case 'v':
        return op->nvalues == 1 ? check_values(c) && (letter == 'v' || check_divisor(c))
                                : broken(c, "it has not one value");
    case 'V':
        return check_values(c);
    case 's':
        return op->nschemas == 1 ? check_schemas(c) : broken(c, "it has not one schema");
    case 'S':
        return check_schemas(c);
    case 'n':
        return op->name.p != NULL || broken(c, "it has no name");
    case 'N':
        return check_name_list(c);
    case 'P':
        return check_props(c);
    case 'f':
        return op->a < CUPEL__FORMATS || broken(c, "its format is not there");
    case 'p':
        return op->pattern < c->m->npatterns || broken(c, "its pattern is not there");
    default:
        return true;
    }
}

/* Whether operands without a letter are as cupel__ir_add_op() left them. */
static bool check_empty(struct checker *c, const char *letters)
{
    const struct ir_op *op = c->op;
    bool props = strchr(letters, 'P') != NULL;
    bool ok = (strchr(letters, 'm') != NULL || op->mask == 0) &&
              (strpbrk(letters, "af") != NULL || op->a == 0) &&
              (strchr(letters, 'b') != NULL || op->b == IR_MANY) &&
              (strchr(letters, 'x') != NULL || !op->exclusive) &&
              (strpbrk(letters, "dvV") != NULL || op->nvalues == 0) &&
              (strpbrk(letters, "sS") != NULL || op->nschemas == 0) &&
              (strchr(letters, 'n') != NULL || op->name.p == NULL) &&
              (props || strchr(letters, 'N') != NULL || op->nnames == 0) &&
              (props || (op->nmatches == 0 && op->other == IR_NONE && !op->unlisted)) &&
              (strchr(letters, 'p') != NULL || op->pattern == 0);
    return ok || broken(c, "it has an operand that is not its own");
}

static bool check_op(struct checker *c)
{
    if ((unsigned)c->op->kind >= IR_KINDS) {
        c->op = NULL; /* an unknown kind has no text */
        return broken(c, "an operation is of no kind");
    }
    const char *letters = cupel__ir_kind_operands(c->op->kind);
    for (const char *letter = letters; *letter != '\0'; letter++)
        if (!check_operand(c, *letter))
            return false;
    return check_empty(c, letters) && check_loc(c, c->op->loc);
}

static bool check_schema(struct checker *c)
{
    const struct ir_schema *s = c->s;
    struct ir_op *const *end = &s->first;
    if (s->id != (uint32_t)(s - c->m->schemas))
        return broken(c, "its number is not its place");
    if ((s->types & ~(uint32_t)CUPEL__M_ANY) != 0)
        return broken(c, "its types are not all types");
    if (!check_loc(c, s->loc))
        return false;
    for (c->op = s->first; c->op != NULL; c->op = c->op->next) {
        if (!check_op(c))
            return false;
        end = &c->op->next;
    }
    return s->first == NULL || s->end == end || broken(c, "its list ends elsewhere");
}

static bool check_loc_tree(struct checker *c)
{
    for (uint32_t i = 0; i < c->m->nlocs; i++) {
        uint32_t parent = c->m->locs[i].parent;
        if (parent != IR_NONE && parent >= i) {
            c->status = cupel__error_set(c->err, CUPEL_E_INTERNAL,
                                         "ir: location %u comes before its parent", (unsigned)i);
            return false;
        }
    }
    return true;
}

/* The number of schemas of the module's first SCOPE; 0 if there is none. */
static uint32_t count_bindings(const struct ir_module *m)
{
    for (uint32_t i = 0; i < m->nschemas; i++)
        for (const struct ir_op *op = m->schemas[i].first; op != NULL; op = op->next)
            if (op->kind == IR_SCOPE)
                return op->nschemas;
    return 0;
}

enum cupel_status cupel__ir_check(const struct ir_module *m, struct cupel_error *err)
{
    struct checker c = {.m = m, .err = err, .bindings = count_bindings(m)};
    if (m->root >= m->nschemas)
        return cupel__error_set(err, CUPEL_E_INTERNAL, "ir: the root is not there");
    if (!check_loc_tree(&c))
        return c.status;
    for (uint32_t i = 0; i < m->nschemas; i++) {
        c.s = &m->schemas[i];
        c.op = NULL;
        if (!check_schema(&c))
            return c.status;
    }
    return CUPEL_OK;
}
