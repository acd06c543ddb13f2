/* names.c: patterns are matched against known names at compile time.
 *
 * Needs   nothing.  Run it after merge and required, which put names together.  After it only
 *         dedupe, discriminate and memo may run.
 * Keeps   verdicts, names in their order, locations.
 * Breaks  use counts; that patterns apply to every name.  Adds schemas.
 *
 * The compiler knows the names of a PROPS, so it decides which patterns they match, and a property
 * has to pass the schemas of these patterns too.  A name that is only required becomes a property,
 * with `other` or the patterns' schemas.  At run time patterns are matched only against unlisted
 * names.  A pattern that matches every name is dropped, and its schema becomes `other`.
 *
 *     before                                  after
 *     pattern 0 "^x-"
 *     schema @0 any                           schema @0 any
 *       props "x-a":@1, pattern 0:@2            props "x-a":@3, unlisted 0:@2
 *                                             schema @3 any
 *                                               ref @1
 *                                               ref @2
 *
 * NAMES moves into a PROPS if its schema is only a list of strings, which are then the only names,
 * or only one pattern, which is then the only one for unlisted names.
 *
 * Patterns are matched by the backtracking engine, which is the quickest to make, within a number
 * of steps.  Work is bounded by a budget in proportion to the module; a PROPS that it does not
 * suffice for stays.  Tracked schemas are left alone.
 *
 * Gain: a third of the instructions for deno, a quarter for cmake-presets; half where patterns and
 * names cover the same members. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"
#include <string.h>

enum {
    MIN_WORK = 1 << 14, /* steps of matching and comparing names that every module has */
    WORK_FACTOR = 64,   /* further steps for each operation and name of the module */
    MIN_GROWTH = 64,    /* references that every module may add, besides one for each of those */
    NAME_STEPS = 1024,  /* of matching one name */
    MAX_DEPTH = 16      /* of the tree of a pattern that matches every name */
};

enum { UNCOMPILED, COMPILED, MATCHES_ALL, UNUSABLE };

struct compiled_pattern {
    int state;
    struct cupel__matcher *matcher;
};

struct names_pass {
    struct ir_module *m;
    const struct cupel_alloc *alloc;
    int64_t work;
    size_t growth;                     /* references that may still be added */
    uint32_t nschemas;                 /* before the pass */
    struct compiled_pattern *patterns; /* of the module; NULL until one is needed */
    uint32_t npatterns;
    struct cupel__matcher_scratch *scratch;
    uint32_t any, never; /* schemas, IR_NONE until they are needed */
};

/* An undecided match leaves the operation as it is; it is no failure of the pass. */
#define UNDECIDED CUPEL_E_UNSUPPORTED

/* -- Schemas ----------------------------------------------------------------------------------- */

/* Makes a schema that passes all values of `types`, if it is not made yet. */
static bool need_schema(struct names_pass *n, uint32_t *schema, uint32_t types)
{
    if (*schema == IR_NONE)
        *schema = cupel__ir_add_schema(n->m, IR_NONE);
    if (*schema == IR_NONE)
        return false;
    n->m->schemas[*schema].types = types;
    return true;
}

static bool need_any_and_never(struct names_pass *n)
{
    return need_schema(n, &n->any, CUPEL__M_ANY) && need_schema(n, &n->never, 0);
}

/* Makes *schema (IR_NONE: none yet) require y too.  A schema that was made here belongs to one
 * name. */
static enum cupel_status add_schema(struct names_pass *n, uint32_t *schema, uint32_t y)
{
    struct ir_module *m = n->m;
    uint32_t x = *schema;
    if (x == IR_NONE || x == y || ir_is_always(&m->schemas[x]) || ir_is_always(&m->schemas[y]) ||
        m->schemas[x].types == 0) {
        *schema = x == IR_NONE || ir_is_always(&m->schemas[x]) ? y : x;
        return CUPEL_OK;
    }
    if (n->growth == 0)
        return UNDECIDED;
    n->growth--;
    if (x >= n->nschemas)
        return cupel__ir_add_ref(m, x, y) ? CUPEL_OK : CUPEL_E_NO_MEMORY;
    uint32_t both = cupel__ir_add_schema(m, m->schemas[x].loc);
    if (both == IR_NONE || !cupel__ir_add_ref(m, both, x) || !cupel__ir_add_ref(m, both, y))
        return CUPEL_E_NO_MEMORY;
    *schema = both;
    return CUPEL_OK;
}

/* -- Patterns ---------------------------------------------------------------------------------- */

/* Whether a node of a pattern matches the empty string at the beginning of a text, as far as that
 * is easily seen. */
static bool passes_nothing(const struct cupel__regex_node *node, unsigned depth)
{
    if (depth++ == MAX_DEPTH)
        return false;
    switch (node->kind) {
    case CUPEL__RE_EMPTY:
    case CUPEL__RE_START:
        return true;
    case CUPEL__RE_GROUP:
        return passes_nothing(node->child[0], depth);
    case CUPEL__RE_REPEAT:
        return node->min == 0 || passes_nothing(node->child[0], depth);
    case CUPEL__RE_CAT:
        for (uint32_t i = 0; i < node->nchild; i++)
            if (!passes_nothing(node->child[i], depth))
                return false;
        return true;
    default:
        return false;
    }
}

static enum cupel_status make_matcher(struct names_pass *n, const struct cupel__regex *regex,
                                      struct compiled_pattern *p)
{
    int64_t steps = CUPEL__MATCHER_WORK;
    enum cupel_status status = CUPEL_OK;
    if (passes_nothing(regex->root, 0)) {
        p->state = MATCHES_ALL;
        return CUPEL_OK;
    }
    if (n->scratch == NULL)
        status = cupel__matcher_scratch_new(n->alloc, SIZE_MAX, &n->scratch);
    if (status == CUPEL_OK)
        status = cupel__matcher_new(n->alloc, regex, CUPEL__MATCHER_ONLY_BACKTRACK, &steps,
                                    &p->matcher, NULL);
    p->state = status == CUPEL_OK ? COMPILED : UNUSABLE;
    return status;
}

/* Parses a pattern and makes its matcher, once. */
static enum cupel_status compile_pattern(struct names_pass *n, uint32_t pattern)
{
    struct cupel__str source = n->m->patterns[pattern].source;
    struct cupel__arena tree;
    struct cupel__regex regex;
    if (n->patterns == NULL) {
        n->patterns = cupel__arena_array(n->m->arena, n->m->npatterns, sizeof *n->patterns);
        if (n->patterns == NULL)
            return CUPEL_E_NO_MEMORY;
        n->npatterns = n->m->npatterns;
    }
    if (n->patterns[pattern].state != UNCOMPILED)
        return CUPEL_OK;
    cupel__arena_init(&tree, n->alloc, n->m->arena->limit);
    enum cupel_status status = cupel__regex_parse(&tree, source.p, source.n, 0, &regex, NULL);
    if (status == CUPEL_OK)
        status = make_matcher(n, &regex, &n->patterns[pattern]);
    else
        n->patterns[pattern].state = UNUSABLE;
    cupel__arena_free(&tree);
    return status == CUPEL_E_NO_MEMORY ? status : CUPEL_OK;
}

/* Sets *ret to whether the name matches the pattern, or returns UNDECIDED. */
static enum cupel_status match(struct names_pass *n, uint32_t pattern, struct cupel__str name,
                               bool *ret)
{
    enum cupel_status status = compile_pattern(n, pattern);
    int64_t steps = NAME_STEPS;
    int result;
    if (status != CUPEL_OK)
        return status;
    struct compiled_pattern *p = &n->patterns[pattern];
    if (p->state == UNUSABLE || n->work < steps)
        return UNDECIDED;
    result = p->state == MATCHES_ALL
                 ? 1
                 : cupel__matcher_run(p->matcher, n->scratch, name.p, name.n, &steps);
    n->work -= 1 + NAME_STEPS - steps;
    if (result < 0)
        return result == CUPEL_E_NO_MEMORY ? CUPEL_E_NO_MEMORY : UNDECIDED;
    *ret = result > 0;
    return CUPEL_OK;
}

/* -- PROPS ------------------------------------------------------------------------------------- */

/* Returns a copy of a list of names with space for more, or NULL. */
static struct ir_name *copy_names(struct names_pass *n, const struct ir_op *op, size_t more)
{
    struct ir_name *names = cupel__arena_array(n->m->arena, op->nnames + more, sizeof *names);
    if (names != NULL && op->nnames > 0)
        memcpy(names, op->names, op->nnames * sizeof *names);
    return names;
}

/* The schema of names that a PROPS does not list. */
static uint32_t other_of(const struct names_pass *n, const struct ir_op *op)
{
    return op->other == IR_NONE ? n->any : op->other;
}

/* Makes the name a property whose schema is all that it has to pass. */
static enum cupel_status decide_name(struct names_pass *n, const struct ir_op *op,
                                     struct ir_name *name)
{
    enum cupel_status status = CUPEL_OK;
    for (uint32_t i = 0; i < op->nmatches; i++) {
        bool matches;
        status = match(n, op->matches[i].pattern, name->name, &matches);
        if (status == CUPEL_OK && matches)
            status = add_schema(n, &name->schema, op->matches[i].schema);
        if (status != CUPEL_OK)
            return status;
    }
    if (name->schema == IR_NONE)
        name->schema = other_of(n, op);
    name->flags &= ~(uint32_t)IR_NAME_UNKNOWN;
    return status;
}

/* Drops a single pattern that matches every name. */
static enum cupel_status drop_always(struct names_pass *n, struct ir_op *op)
{
    enum cupel_status status =
        op->nmatches == 1 ? compile_pattern(n, op->matches[0].pattern) : UNDECIDED;
    if (status == CUPEL_OK && n->patterns[op->matches[0].pattern].state == MATCHES_ALL) {
        op->other = op->matches[0].schema;
        op->nmatches = 0;
    }
    return status == CUPEL_E_NO_MEMORY ? status : CUPEL_OK;
}

static enum cupel_status decide_props(struct names_pass *n, struct ir_op *op)
{
    if (!need_any_and_never(n))
        return CUPEL_E_NO_MEMORY;
    struct ir_name *names = copy_names(n, op, 0);
    if (names == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < op->nnames; i++) {
        enum cupel_status status = decide_name(n, op, &names[i]);
        if (status != CUPEL_OK)
            return status;
    }
    op->names = names;
    enum cupel_status status = drop_always(n, op);
    op->unlisted = op->nmatches > 0;
    return status;
}

/* -- NAMES ------------------------------------------------------------------------------------- */

/* The only constraint of a NAMES, if it is an AMONG or a PATTERN; else NULL. */
static const struct ir_op *only_constraint(const struct ir_module *m, const struct ir_op *op)
{
    const struct ir_schema *s = &m->schemas[op->schemas[0]];
    const struct ir_op *only = s->first;
    if ((s->types & CUPEL__M_STRING) != CUPEL__M_STRING || only == NULL || only->next != NULL)
        return NULL;
    bool list = only->kind == IR_AMONG && only->mask == CUPEL__M_STRING;
    return list || only->kind == IR_PATTERN ? only : NULL;
}

/* The name in a list that is equal, or NULL. */
static struct ir_name *find_name(struct ir_name *names, uint32_t n, struct cupel__str name)
{
    for (uint32_t i = 0; i < n; i++)
        if (names[i].name.n == name.n && cupel__str_eq(names[i].name, name))
            return &names[i];
    return NULL;
}

/* Admits only the names of a list. */
static enum cupel_status restrict_to_list(struct names_pass *n, struct ir_op *props,
                                          const struct ir_op *list)
{
    uint64_t work = (uint64_t)(props->nnames + 1) * ((uint64_t)list->nvalues + 1);
    if (work > (uint64_t)n->work)
        return UNDECIDED;
    n->work -= (int64_t)work;
    struct ir_name *names = copy_names(n, props, list->nvalues);
    struct ir_op listed = {.nnames = list->nvalues};
    struct ir_name *wanted = cupel__ir_op_names(n->m, &listed, list->nvalues);
    if (names == NULL || wanted == NULL)
        return CUPEL_E_NO_MEMORY;
    uint32_t known = props->nnames, total = known;
    for (uint32_t i = 0; i < list->nvalues; i++) {
        const struct ir_value *v = &list->values[i];
        wanted[i].name = ir_value_str(v);
        if (find_name(names, known, wanted[i].name) == NULL)
            names[total++] = (struct ir_name){.name = wanted[i].name, .schema = other_of(n, props)};
    }
    for (uint32_t i = 0; i < known; i++) {
        if (names[i].schema == IR_NONE)
            names[i].schema = other_of(n, props);
        if (find_name(wanted, list->nvalues, names[i].name) == NULL)
            names[i].schema = n->never;
        names[i].flags &= ~(uint32_t)IR_NAME_UNKNOWN;
    }
    props->names = names;
    props->nnames = total;
    props->other = n->never;
    return CUPEL_OK;
}

/* Admits only names that match a pattern. */
static enum cupel_status restrict_to_pattern(struct names_pass *n, struct ir_op *props,
                                             uint32_t pattern)
{
    struct ir_name *names = copy_names(n, props, 0);
    struct ir_op with = *props;
    struct ir_match *unlisted = cupel__ir_op_matches(n->m, &with, 1);
    if (names == NULL || unlisted == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < props->nnames; i++) {
        bool matches;
        enum cupel_status status = match(n, pattern, names[i].name, &matches);
        if (status != CUPEL_OK)
            return status;
        if (names[i].schema == IR_NONE)
            names[i].schema = other_of(n, props);
        if (!matches)
            names[i].schema = n->never;
        names[i].flags &= ~(uint32_t)IR_NAME_UNKNOWN;
    }
    *unlisted = (struct ir_match){pattern, other_of(n, props)};
    with.names = names;
    with.other = n->never;
    with.unlisted = true;
    *props = with;
    return CUPEL_OK;
}

/* Applies the constraint of a NAMES to a PROPS without patterns. */
static enum cupel_status restrict_names(struct names_pass *n, struct ir_op *props,
                                        const struct ir_op *constraint)
{
    if (!need_any_and_never(n))
        return CUPEL_E_NO_MEMORY;
    return constraint->kind == IR_PATTERN ? restrict_to_pattern(n, props, constraint->pattern)
                                          : restrict_to_list(n, props, constraint);
}

static struct ir_op *find_props(const struct ir_schema *s)
{
    struct ir_op *op = s->first;
    while (op != NULL && (op->kind != IR_PROPS || op->nmatches > 0))
        op = op->next;
    return op;
}

static void unlink_op(struct ir_schema *s, const struct ir_op *op)
{
    struct ir_op **at = &s->first;
    while (*at != op)
        at = &(*at)->next;
    *at = op->next;
    while (*at != NULL)
        at = &(*at)->next;
    s->end = at;
}

/* Moves a NAMES into a PROPS of its schema, or makes a PROPS of it. */
static enum cupel_status decide_names(struct names_pass *n, uint32_t schema, struct ir_op *op)
{
    const struct ir_op *constraint = only_constraint(n->m, op);
    struct ir_op *props = find_props(&n->m->schemas[schema]);
    struct ir_op own = {.kind = IR_PROPS, .loc = op->loc, .b = IR_MANY, .other = IR_NONE};
    if (constraint == NULL)
        return UNDECIDED;
    enum cupel_status status = restrict_names(n, props != NULL ? props : &own, constraint);
    if (status != CUPEL_OK)
        return status;
    if (props != NULL) {
        unlink_op(&n->m->schemas[schema], op);
    } else {
        own.next = op->next;
        *op = own;
    }
    return CUPEL_OK;
}

/* -- Modules ----------------------------------------------------------------------------------- */

static enum cupel_status decide_schema(struct names_pass *n, uint32_t schema)
{
    enum cupel_status status = CUPEL_OK;
    for (struct ir_op *op = n->m->schemas[schema].first, *next; op != NULL; op = next) {
        next = op->next;
        if (op->kind == IR_NAMES)
            status = decide_names(n, schema, op);
        else if (op->kind == IR_PROPS && op->nmatches > 0 && !op->unlisted)
            status = decide_props(n, op);
        if (status == CUPEL_E_NO_MEMORY)
            return status;
    }
    return CUPEL_OK;
}

static void release(struct names_pass *n)
{
    for (uint32_t i = 0; i < n->npatterns; i++)
        cupel__matcher_free(n->patterns[i].matcher);
    cupel__matcher_scratch_free(n->scratch);
}

enum cupel_status cupel__pass_names(struct ir_module *m)
{
    struct names_pass n = {.m = m,
                           .alloc = &m->arena->alloc,
                           .nschemas = m->nschemas,
                           .any = IR_NONE,
                           .never = IR_NONE};
    if (m->npatterns == 0 && (m->kinds & IR_BIT(IR_NAMES)) == 0)
        return CUPEL_OK;
    enum cupel_status status = cupel__ir_count_uses(m);
    size_t size = cupel__ir_module_size(m);
    n.work = MIN_WORK + WORK_FACTOR * (int64_t)size;
    n.growth = MIN_GROWTH + size;
    for (uint32_t i = 0; i < n.nschemas && status == CUPEL_OK; i++)
        if (m->schemas[i].uses > 0 && !m->schemas[i].tracked)
            status = decide_schema(&n, i);
    release(&n);
    return status;
}
