/* choice_facts.c: what is known about the branches of a choice.  discriminate.c uses it. */
#include "compiler/passes/choice_facts.h"

#include "base/json/tape.h"
#include <string.h>

/* -- Arrays ---------------------------------------------------------------------------------------
 */

bool cupel__facts_push(struct facts *f, struct numbers *to, uint32_t x)
{
    if (to->n == to->cap &&
        cupel__grow(f->alloc, (void **)&to->p, &to->cap, to->n + 1, sizeof *to->p) != CUPEL_OK)
        return false;
    to->p[to->n++] = x;
    return true;
}

bool cupel__facts_fill(struct facts *f, struct numbers *to, size_t n, uint32_t x)
{
    to->n = 0;
    while (to->n < n)
        if (!cupel__facts_push(f, to, x))
            return false;
    return true;
}

void cupel__facts_free(struct facts *f)
{
    cupel__free(f->alloc, f->leaves, f->max_leaves * sizeof *f->leaves);
    cupel__free(f->alloc, f->mentions, f->max_mentions * sizeof *f->mentions);
    cupel__free(f->alloc, f->order.p, f->order.cap * sizeof *f->order.p);
    cupel__free(f->alloc, f->groups.p, f->groups.cap * sizeof *f->groups.p);
}

/* -- Leaves ---------------------------------------------------------------------------------------
 */

static bool add_leaf(struct facts *f, const struct leaf *leaf)
{
    if (f->nleaves == f->max_leaves && cupel__grow(f->alloc, (void **)&f->leaves, &f->max_leaves,
                                                   f->nleaves + 1, sizeof *f->leaves) != CUPEL_OK)
        return false;
    f->leaves[f->nleaves++] = *leaf;
    return true;
}

static uint32_t types_of_values(const struct ir_op *op)
{
    uint32_t types = 0;
    for (uint32_t i = 0; i < op->nvalues; i++)
        types |= cupel__ir_value_types(&op->values[i]);
    return types;
}

/* The types that may pass a schema, by its own operations. */
static uint32_t own_types(struct facts *f, uint32_t schema)
{
    uint32_t types = f->m->schemas[schema].types;
    for (const struct ir_op *op = f->m->schemas[schema].first; op != NULL; op = op->next) {
        if (op->kind == IR_TYPE)
            types &= op->mask;
        else if (op->kind == IR_FAIL)
            types = 0;
        else if ((op->kind == IR_CONST || op->kind == IR_ENUM) && facts_spend(f, op->nvalues))
            types &= types_of_values(op);
    }
    return types;
}

/* Adds a schema to a leaf.  Beyond FACTS_PARTS schemas are ignored, which only loses facts. */
static void add_part(struct facts *f, struct leaf *leaf, uint32_t schema)
{
    if (leaf->nparts == FACTS_PARTS)
        return;
    leaf->parts[leaf->nparts++] = schema;
    leaf->types &= own_types(f, schema);
}

/* Whether the leaf's target is nothing but the choice, so that the choice's branches become the
 * targets of the leaves. */
static bool is_all(const struct facts *f, const struct leaf *leaf, const struct ir_op *choice)
{
    const struct ir_schema *s = &f->m->schemas[leaf->target];
    return s->first == choice && choice->next == NULL && !s->tracked;
}

/* Makes a leaf of each branch of a choice in leaf l; l itself continues with the first branch. */
static bool split_leaf(struct facts *f, size_t l, const struct ir_op *choice)
{
    bool all = is_all(f, &f->leaves[l], choice);
    if (f->leaves[l].nparts == FACTS_PARTS ||
        f->nleaves + choice->nschemas > FACTS_MAX_LEAVES + (size_t)1)
        return true;
    for (uint32_t i = 1; i < choice->nschemas; i++) {
        struct leaf other = f->leaves[l];
        add_part(f, &other, choice->schemas[i]);
        other.target = all ? choice->schemas[i] : other.target;
        if (!add_leaf(f, &other))
            return false;
    }
    add_part(f, &f->leaves[l], choice->schemas[0]);
    f->leaves[l].target = all ? choice->schemas[0] : f->leaves[l].target;
    return true;
}

/* Whether a PROPS admits no names but its own. */
static bool is_closed(struct facts *f, const struct ir_op *op)
{
    return op->kind == IR_PROPS && op->other != IR_NONE && op->nmatches == 0 &&
           own_types(f, op->other) == 0;
}

/* The next operation of a leaf; NULL after the last. */
static const struct ir_op *next_op(const struct facts *f, struct leaf *leaf)
{
    while (leaf->at == NULL) {
        if (leaf->part == leaf->nparts)
            return NULL;
        leaf->at = f->m->schemas[leaf->parts[leaf->part++]].first;
    }
    const struct ir_op *op = leaf->at;
    leaf->at = op->next;
    return op;
}

uint32_t cupel__facts_types(struct facts *f, uint32_t schema)
{
    struct leaf leaf = {.types = CUPEL__M_ANY};
    const struct ir_op *op;
    add_part(f, &leaf, schema);
    while ((op = next_op(f, &leaf)) != NULL && facts_spend(f, 1))
        if (op->kind == IR_REF || op->kind == IR_ALL)
            for (uint32_t i = 0; i < op->nschemas; i++)
                add_part(f, &leaf, op->schemas[i]);
    return leaf.types;
}

/* Adds the schemas that leaf l applies in place, splitting it at choices. */
static bool open_leaf(struct facts *f, size_t l)
{
    const struct ir_op *op;
    while ((op = next_op(f, &f->leaves[l])) != NULL && facts_spend(f, 1)) {
        if (op->kind == IR_REF || op->kind == IR_ALL)
            for (uint32_t i = 0; i < op->nschemas; i++)
                add_part(f, &f->leaves[l], op->schemas[i]);
        else if ((op->kind == IR_ANY_OF || op->kind == IR_ONE_OF) && op->nschemas > 0 &&
                 !split_leaf(f, l, op))
            return false;
        else if (is_closed(f, op))
            f->leaves[l].closed = op;
    }
    return true;
}

/* Removes the leaves that no object passes: keys are about objects. */
static void drop_others(struct facts *f)
{
    size_t n = 0;
    for (size_t l = 0; l < f->nleaves; l++)
        if (f->leaves[l].types & CUPEL__M_OBJECT)
            f->leaves[n++] = f->leaves[l];
    f->nleaves = n;
}

static bool gather_leaves(struct facts *f, const struct ir_schema *s, const struct ir_op *choice)
{
    f->nleaves = 0;
    for (uint32_t i = 0; i < choice->nschemas; i++) {
        struct leaf leaf = {.branch = i, .types = s->types, .target = choice->schemas[i]};
        add_part(f, &leaf, choice->schemas[i]);
        if ((leaf.types & CUPEL__M_OBJECT) && !add_leaf(f, &leaf))
            return false;
    }
    for (size_t l = 0; l < f->nleaves && f->work > 0; l++)
        if (!open_leaf(f, l))
            return false;
    drop_others(f);
    return true;
}

/* -- Values ---------------------------------------------------------------------------------------
 */

/* The operation that lists the values of the types `mask` that pass a schema, or NULL. */
static const struct ir_op *find_among(const struct ir_schema *s, uint32_t mask)
{
    for (const struct ir_op *op = s->first; op != NULL; op = op->next)
        if ((op->kind == IR_AMONG && op->mask == mask) || op->kind == IR_CONST ||
            op->kind == IR_ENUM)
            return op;
    return NULL;
}

/* The list of the strings that a NOT refuses; NULL unless its schema is nothing but a list. */
static const struct ir_op *refused(const struct ir_module *m, const struct ir_op *op)
{
    if (op->kind != IR_NOT)
        return NULL;
    const struct ir_schema *s = &m->schemas[op->schemas[0]];
    bool all = (s->types & CUPEL__M_STRING) == CUPEL__M_STRING && s->first != NULL &&
               s->first->next == NULL;
    return all ? find_among(s, CUPEL__M_STRING) : NULL;
}

/* The strings that a schema admits, which passes no types but `types`. */
static struct values list_strings(const struct facts *f, const struct ir_schema *s, uint32_t types)
{
    if ((types & CUPEL__M_STRING) == 0)
        return (struct values){LISTING_ALLOWED, NULL};
    const struct ir_op *among = find_among(s, CUPEL__M_STRING);
    if (among != NULL)
        return (struct values){LISTING_ALLOWED, among};
    for (const struct ir_op *op = s->first; op != NULL; op = op->next)
        if ((among = refused(f->m, op)) != NULL)
            return (struct values){LISTING_REFUSED, among};
    return (struct values){LISTING_NONE, NULL};
}

/* Whether a number is kept as a lexeme: it may be equal to an integer all the same. */
static bool has_lexemes(const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nvalues; i++) {
        const struct cupel__node *v = &op->values[i].doc->nodes[op->values[i].node];
        if ((CUPEL__BIT(v->type) & CUPEL__M_NUMBER) && (v->flags & CUPEL__BIG))
            return true;
    }
    return false;
}

static struct values list_integers(struct facts *f, const struct ir_schema *s, uint32_t types)
{
    if ((types & CUPEL__M_INTEGER) == 0)
        return (struct values){LISTING_ALLOWED, NULL};
    const struct ir_op *among = find_among(s, CUPEL__M_NUMBER);
    if (among != NULL && facts_spend(f, among->nvalues) && !has_lexemes(among))
        return (struct values){LISTING_ALLOWED, among};
    return (struct values){LISTING_NONE, NULL};
}

/* -- Mentions -------------------------------------------------------------------------------------
 */

static uint64_t start_of(struct cupel__str name)
{
    uint64_t start = 0;
    for (size_t i = 0; i < 8; i++)
        start = start << 8 | (i < name.n ? (uint8_t)name.p[i] : 0);
    return start;
}

static bool add_mention(struct facts *f, size_t leaf, const struct ir_name *name, bool required)
{
    if (f->nmentions == f->max_mentions &&
        cupel__grow(f->alloc, (void **)&f->mentions, &f->max_mentions, f->nmentions + 1,
                    sizeof *f->mentions) != CUPEL_OK)
        return false;
    struct mention m = {.name = name->name,
                        .start = start_of(name->name),
                        .leaf = (uint32_t)leaf,
                        .required = required,
                        .other_typed = true};
    if (name->schema != IR_NONE) {
        const struct ir_schema *s = &f->m->schemas[name->schema];
        uint32_t types = own_types(f, name->schema);
        m.strings = list_strings(f, s, types);
        m.integers = list_integers(f, s, types);
        m.other_typed = (types & ~(CUPEL__M_STRING | CUPEL__BIT(CUPEL__INT))) != 0;
    }
    f->mentions[f->nmentions++] = m;
    return true;
}

static bool add_mentions(struct facts *f, size_t leaf, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nnames && facts_spend(f, FACTS_KEPT); i++) {
        bool required = op->kind == IR_REQUIRED || (op->names[i].flags & IR_NAME_REQUIRED);
        if (!add_mention(f, leaf, &op->names[i], required))
            return false;
    }
    return true;
}

static bool gather_mentions(struct facts *f)
{
    f->nmentions = 0;
    for (size_t l = 0; l < f->nleaves; l++)
        for (uint32_t p = 0; p < f->leaves[l].nparts; p++)
            for (const struct ir_op *op = f->m->schemas[f->leaves[l].parts[p]].first;
                 op != NULL && facts_spend(f, 1); op = op->next)
                if ((op->kind == IR_PROPS || op->kind == IR_REQUIRED) && !add_mentions(f, l, op))
                    return false;
    return true;
}

/* Orders mentions by name; the first eight bytes decide most comparisons. */
static int by_name(const void *context, uint32_t a, uint32_t b)
{
    const struct mention *x = (const struct mention *)context + a,
                         *y = (const struct mention *)context + b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->name.n <= 8 && y->name.n <= 8)
        return (x->name.n > y->name.n) - (x->name.n < y->name.n);
    return cupel__str_cmp(x->name, y->name);
}

/* Sorts the mentions by name and finds where each name begins. */
static enum cupel_status group_mentions(struct facts *f)
{
    uint32_t n = (uint32_t)f->nmentions;
    if (!cupel__facts_fill(f, &f->order, n, 0))
        return CUPEL_E_NO_MEMORY;
    enum cupel_status status = cupel__ir_sort(f->alloc, f->order.p, n, by_name, f->mentions);
    f->groups.n = 0;
    for (uint32_t i = 0; i <= n && status == CUPEL_OK; i++) {
        bool first =
            i == 0 || i == n || by_name(f->mentions, f->order.p[i - 1], f->order.p[i]) != 0;
        if (first && !cupel__facts_push(f, &f->groups, i))
            return CUPEL_E_NO_MEMORY;
    }
    return status;
}

enum cupel_status cupel__facts_gather(struct facts *f, const struct ir_schema *s,
                                      const struct ir_op *choice)
{
    if (!gather_leaves(f, s, choice) || !gather_mentions(f))
        return CUPEL_E_NO_MEMORY;
    return group_mentions(f);
}

/* -- Types ------------------------------------------------------------------------------------- */

/* How many classes the types belong to. */
static uint32_t count_classes(uint32_t types)
{
    static const uint32_t classes[] = {CUPEL__M_NULL,   CUPEL__M_BOOLEAN, CUPEL__M_NUMBER,
                                       CUPEL__M_STRING, CUPEL__M_ARRAY,   CUPEL__M_OBJECT};
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        n += (types & classes[i]) != 0;
    return n;
}

/* The types of a schema for which some operation has to run. */
static uint32_t tested_types(struct facts *f, const struct ir_schema *s)
{
    uint32_t types = 0;
    for (const struct ir_op *op = s->first; op != NULL && facts_spend(f, 1); op = op->next)
        types |= (op->kind == IR_AMONG ? op->mask : cupel__ir_kind_types(op->kind)) & ~op->always;
    return types & s->types;
}

/* A type always passes if some branch accepts all its values and, for a ONE_OF, no other branch
 * accepts any of them. */
uint32_t cupel__facts_always_types(struct facts *f, const struct ir_schema *s,
                                   const struct ir_op *choice)
{
    uint32_t accepted = 0, some = 0,
             several = 0; /* by a branch entirely; by any; by more than one */
    if (count_classes(s->types) < 2)
        return 0;
    for (uint32_t i = 0; i < choice->nschemas; i++) {
        const struct ir_schema *branch = &f->m->schemas[choice->schemas[i]];
        accepted |= branch->types & ~tested_types(f, branch);
        several |= some & branch->types;
        some |= branch->types;
    }
    uint32_t always = accepted & ~(choice->kind == IR_ONE_OF ? several : 0) & s->types;
    return count_classes(s->types & ~always) == 1 && f->work > 0 ? always : 0;
}
