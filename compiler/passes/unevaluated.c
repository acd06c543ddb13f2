/* unevaluated.c: UNEVALUATED where the evaluated set is known at compile time.
 *
 * Needs   nothing.  Run inline before it, after which more is known, and fold after it, because
 *         schemas that were tracked for this operation only are ordinary then.
 * Keeps   verdicts; `tracked` is right afterwards.
 * Breaks  that a schema has at most one PROPS; use counts.
 *
 * S[0] and the schemas that it reaches through REF, ALL and SCOPE apply to every instance.  If only
 * those evaluate, and no branch of a choice does, the evaluated set is static: names, patterns, the
 * first n items.  The operation becomes a REF to S[0], or S[0]'s operations if nothing else refers
 * to it.  For the members there is a PROPS besides, whose `other` is S[1] and which lists the
 * names and patterns: the first PROPS of S[0] if its operations are taken over, else a new one
 * whose names and patterns pass everything.  For the items there is an ITEMS with S[2] from the end
 * of the longest prefix on.
 *
 *     before                          after
 *     schema @0 any                   schema @0 any
 *       unevaluated @1 @9 -             props "a":@2, other:@9
 *     schema @1 any tracked
 *       props "a":@2
 *
 * A part is left out if something evaluates all members, or all items.  A part that always passes
 * matters only to a surrounding UNEVALUATED.
 *
 * Work and copies are bounded by a budget in proportion to the module; when it is used up, the
 * other operations stay.
 *
 * Gain: an object closed by `unevaluatedProperties: false` over `$ref` and `allOf` takes a tenth of
 * the instructions. */
#include "compiler/passes/passes.h"

#include "base/json/tape.h"
#include <string.h>

enum {
    MIN_BUDGET = 1024, /* operations and names */
    BUDGET_FACTOR = 2  /* the same, for each that the module has */
};

struct evalset {
    struct ir_module *m;
    uint32_t always; /* a schema that every value passes */
    size_t budget;
    uint32_t *schemas;    /* the lists of one set, which the next uses again: as many as … */
    struct ir_op **props; /* … the module may have */
    uint32_t *seen;       /* of each schema: the set that had it last, from 1 on */
    uint32_t set;
};

/* The set that S[0] of an UNEVALUATED evaluates. */
struct evaluated {
    uint32_t *schemas, nschemas; /* applied to every instance, S[0] first */
    struct ir_op **props;        /* whose names and patterns are evaluated */
    uint32_t nprops, nown;       /* nown: those in S[0] itself, which come first */
    uint32_t prefix, items;      /* items below `prefix`, and from `items` on */
    bool all_members, all_items;
    bool know_members, know_items;
};

/* -- What is evaluated ------------------------------------------------------------------------- */

static void know_nothing(struct evaluated *v)
{
    v->know_members = v->know_items = false;
}

/* Adds a schema that applies to every instance, once.  A schema that is not tracked evaluates
 * nothing. */
static void follow(struct evalset *e, struct evaluated *v, uint32_t schema)
{
    if (!e->m->schemas[schema].tracked || e->seen[schema] == e->set)
        return;
    e->seen[schema] = e->set;
    v->schemas[v->nschemas++] = schema;
}

static void follow_all(struct evalset *e, struct evaluated *v, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nschemas; i++)
        if (cupel__ir_in_place(op->kind, i))
            follow(e, v, op->schemas[i]);
}

/* Branches that apply to some instances: if one of them evaluates, the set is unknown. */
static void gather_choice(struct evalset *e, struct evaluated *v, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->nschemas; i++)
        if (op->schemas[i] != IR_NONE && e->m->schemas[op->schemas[i]].tracked)
            know_nothing(v);
}

static void gather_props(struct evalset *e, struct evaluated *v, struct ir_op *op)
{
    size_t cost = (size_t)op->nnames + op->nmatches;
    v->all_members |= op->other != IR_NONE;
    if (cost > e->budget) {
        v->know_members = false;
        return;
    }
    e->budget -= cost;
    v->props[v->nprops++] = op;
}

static void gather_unevaluated(struct evalset *e, struct evaluated *v, const struct ir_op *op)
{
    v->all_members |= op->schemas[1] != IR_NONE;
    v->all_items |= op->schemas[2] != IR_NONE;
    if (op->schemas[1] == IR_NONE || op->schemas[2] == IR_NONE)
        follow(e, v, op->schemas[0]);
}

/* Adds what one operation evaluates to *v.  An operation that applies schemas to some instances
 * only, or to unknown ones, makes the set unknown. */
static void gather_op(struct evalset *e, struct evaluated *v, struct ir_op *op)
{
    switch (op->kind) {
    case IR_PROPS:
        gather_props(e, v, op);
        break;
    case IR_PREFIX:
        v->prefix = op->nschemas > v->prefix ? op->nschemas : v->prefix;
        break;
    case IR_ITEMS:
        v->items = op->a < v->items ? op->a : v->items;
        break;
    case IR_CONTAINS:
        v->know_items &= !cupel__ir_evaluates(op);
        break;
    case IR_REF:
    case IR_ALL:
    case IR_SCOPE:
        follow_all(e, v, op);
        break;
    case IR_UNEVALUATED:
        gather_unevaluated(e, v, op);
        break;
    case IR_ANY_OF:
    case IR_ONE_OF:
    case IR_IF:
    case IR_DEP_SCHEMA:
        gather_choice(e, v, op);
        break;
    case IR_DYNAMIC:
    case IR_CASES:
        know_nothing(v);
        break;
    default:
        break;
    }
}

/* Collects what is known about the set of a schema into *v; the caller decides whether it is
 * enough. */
static void gather(struct evalset *e, struct evaluated *v, uint32_t schema)
{
    v->items = IR_MANY;
    v->know_members = v->know_items = true;
    v->schemas[0] = schema;
    v->nschemas = 1;
    e->seen[schema] = ++e->set;
    for (uint32_t i = 0; i < v->nschemas; i++) {
        for (struct ir_op *op = e->m->schemas[v->schemas[i]].first; op != NULL; op = op->next) {
            if (e->budget == 0) {
                know_nothing(v);
                return;
            }
            e->budget--;
            gather_op(e, v, op);
        }
        if (i == 0)
            v->nown = v->nprops;
    }
    /* With a gap between the prefix and `items` the rest is no range of an ITEMS. */
    v->all_items |= v->items <= v->prefix;
    v->know_items &= v->all_items || v->items == IR_MANY;
}

/* -- Names ------------------------------------------------------------------------------------- */

/* Of equal names only the first stays; it is a property if one of them is. */
static void merge_equal(const struct evalset *e, struct ir_op *props, const uint32_t *order)
{
    struct ir_name *names = props->names;
    uint32_t n = props->nnames, k = 0;
    for (uint32_t i = 1, first = 0; i < n; i++) {
        if (cupel__ir_compare_names(names, order[first], order[i]) != 0) {
            first = i;
            continue;
        }
        names[order[i]].name.p = NULL;
        if ((names[order[first]].flags & IR_NAME_UNKNOWN) == 0)
            continue;
        names[order[first]].flags &= ~(uint32_t)IR_NAME_UNKNOWN;
        names[order[first]].schema = e->always;
    }
    for (uint32_t i = 0; i < n; i++)
        if (names[i].name.p != NULL)
            names[k++] = names[i];
    props->nnames = k;
}

static enum cupel_status remove_equal(const struct evalset *e, struct ir_op *props)
{
    struct ir_scratch scratch;
    const struct cupel_alloc *alloc = &e->m->arena->alloc;
    uint32_t *order = ir_scratch_init(&scratch, alloc, props->nnames);
    enum cupel_status status = CUPEL_E_NO_MEMORY;
    if (order != NULL)
        status = cupel__ir_sort(alloc, order, props->nnames, cupel__ir_compare_names, props->names);
    if (status == CUPEL_OK)
        merge_equal(e, props, order);
    ir_scratch_free(&scratch);
    return status;
}

/* Reserves space in `props` for the names and patterns of all; its own stay in front. */
static bool grow_props(const struct evalset *e, const struct evaluated *v, struct ir_op *props)
{
    struct ir_op old = *props;
    size_t nnames = old.nnames, nmatches = old.nmatches;
    for (uint32_t i = 0; i < v->nprops; i++) {
        nnames += v->props[i]->nnames;
        nmatches += v->props[i]->nmatches;
    }
    if (nnames > UINT32_MAX || nmatches > UINT32_MAX ||
        cupel__ir_op_names(e->m, props, (uint32_t)nnames) == NULL ||
        cupel__ir_op_matches(e->m, props, (uint32_t)nmatches) == NULL)
        return false;
    for (uint32_t i = 0; i < old.nnames; i++)
        props->names[i] = old.names[i];
    for (uint32_t i = 0; i < old.nmatches; i++)
        props->matches[i] = old.matches[i];
    props->nnames = old.nnames;
    props->nmatches = old.nmatches;
    return true;
}

/* Adds the names and patterns of another PROPS, with a schema that every value passes. */
static void add_known(const struct evalset *e, struct ir_op *props, const struct ir_op *more)
{
    for (uint32_t i = 0; i < more->nnames; i++)
        if ((more->names[i].flags & IR_NAME_UNKNOWN) == 0)
            props->names[props->nnames++] =
                (struct ir_name){.name = more->names[i].name, .schema = e->always};
    for (uint32_t i = 0; i < more->nmatches; i++)
        props->matches[props->nmatches++] = (struct ir_match){more->matches[i].pattern, e->always};
}

/* Makes `props` list all that is evaluated. */
static enum cupel_status extend(const struct evalset *e, const struct evaluated *v,
                                struct ir_op *props)
{
    if (v->nprops == 0 || (v->nprops == 1 && v->props[0] == props))
        return CUPEL_OK;
    if (!grow_props(e, v, props))
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < v->nprops; i++)
        if (v->props[i] != props)
            add_known(e, props, v->props[i]);
    return remove_equal(e, props);
}

/* -- Replacing --------------------------------------------------------------------------------- */

/* Inserts a new operation after another. */
static struct ir_op *insert(const struct evalset *e, struct ir_op *before, enum ir_kind kind,
                            uint32_t loc)
{
    struct ir_op *op = cupel__arena_alloc(e->m->arena, sizeof *op);
    if (op == NULL)
        return NULL;
    *op = (struct ir_op){
        .kind = kind, .loc = loc, .b = IR_MANY, .other = IR_NONE, .next = before->next};
    before->next = op;
    return op;
}

static enum cupel_status add_members(const struct evalset *e, const struct evaluated *v,
                                     struct ir_op *op, bool sole)
{
    struct ir_op *props = sole && v->nown > 0 ? v->props[0] : NULL;
    if (props == NULL)
        props = insert(e, op, IR_PROPS, op->loc);
    if (props == NULL)
        return CUPEL_E_NO_MEMORY;
    props->other = op->schemas[1];
    return extend(e, v, props);
}

static enum cupel_status add_items(const struct evalset *e, const struct evaluated *v,
                                   struct ir_op *op)
{
    struct ir_op *items = insert(e, op, IR_ITEMS, op->loc);
    if (items == NULL)
        return CUPEL_E_NO_MEMORY;
    items->a = v->prefix;
    items->schemas = &op->schemas[2];
    items->nschemas = 1;
    return CUPEL_OK;
}

/* Replaces the UNEVALUATED *at of a schema.  Parts that are not needed are IR_NONE. */
static enum cupel_status replace(const struct evalset *e, const struct evaluated *v,
                                 struct ir_schema *s, struct ir_op **at, struct ir_op ***ret)
{
    struct ir_op *op = *at;
    struct ir_schema *inner = &e->m->schemas[op->schemas[0]];
    bool sole = inner->uses == 1; /* s is another schema, since it has a use too */
    enum cupel_status status = CUPEL_OK;
    if (op->schemas[2] != IR_NONE && !v->all_items)
        status = add_items(e, v, op);
    if (status == CUPEL_OK && op->schemas[1] != IR_NONE && !v->all_members)
        status = add_members(e, v, op, sole);
    if (status != CUPEL_OK)
        return status;
    op->kind = IR_REF;
    op->nschemas = 1;
    *ret = &op->next;
    if (!sole)
        return CUPEL_OK;
    /* Schemas are processed from the last to the first: one with a lower number is still to come.
     */
    struct ir_op **after = ir_move_ops(at, inner);
    *ret = inner->id > s->id ? after : at;
    inner->uses = 0;
    s->types &= inner->types;
    return CUPEL_OK;
}

/* Drops a part that no value reaches, or that cannot fail and that nothing observes. */
static void drop_part(const struct evalset *e, const struct ir_schema *s, uint32_t *part,
                      uint32_t type)
{
    if (*part == IR_NONE)
        return;
    if ((s->types & type) == 0 || (!s->tracked && ir_is_always(&e->m->schemas[*part])))
        *part = IR_NONE;
}

/* Replaces one UNEVALUATED if its set is known; *ret is where to continue. */
static enum cupel_status decide(struct evalset *e, struct ir_schema *s, struct ir_op **at,
                                struct ir_op ***ret)
{
    struct ir_op *op = *at;
    struct evaluated v = {.schemas = e->schemas, .props = e->props};
    drop_part(e, s, &op->schemas[1], CUPEL__M_OBJECT);
    drop_part(e, s, &op->schemas[2], CUPEL__M_ARRAY);
    *ret = &op->next;
    if (!cupel__ir_evaluates(op))
        return replace(e, &v, s, at, ret);
    gather(e, &v, op->schemas[0]);
    if ((op->schemas[1] != IR_NONE && !v.know_members && !v.all_members) ||
        (op->schemas[2] != IR_NONE && !v.know_items && !v.all_items))
        return CUPEL_OK;
    return replace(e, &v, s, at, ret);
}

/* -- Schemas ----------------------------------------------------------------------------------- */

static enum cupel_status replace_all(struct evalset *e, struct ir_schema *s)
{
    struct ir_op **at = &s->first;
    while (*at != NULL) {
        if ((*at)->kind != IR_UNEVALUATED) {
            at = &(*at)->next;
            continue;
        }
        enum cupel_status status = decide(e, s, at, &at);
        if (status != CUPEL_OK)
            return status;
    }
    s->end = at;
    return CUPEL_OK;
}

/* Sets the budget and *ret_props, the most PROPS that there may be: each UNEVALUATED may add one.
 * False if there is no UNEVALUATED. */
static bool measure(struct evalset *e, uint32_t *ret_props)
{
    bool found = false;
    size_t size = 0;
    *ret_props = 0;
    for (uint32_t i = 0; i < e->m->nschemas; i++) {
        for (const struct ir_op *op = e->m->schemas[i].first; op != NULL; op = op->next) {
            found |= op->kind == IR_UNEVALUATED;
            *ret_props += op->kind == IR_PROPS || op->kind == IR_UNEVALUATED;
            size += (size_t)1 + op->nnames + op->nmatches;
        }
    }
    e->budget = BUDGET_FACTOR * size + MIN_BUDGET;
    return found;
}

enum cupel_status cupel__pass_unevaluated(struct ir_module *m)
{
    uint32_t n = m->nschemas, nprops;
    struct evalset e = {.m = m};
    if (!measure(&e, &nprops))
        return CUPEL_OK;
    e.schemas = cupel__arena_array(m->arena, n, sizeof *e.schemas);
    e.seen = cupel__arena_array(m->arena, n, sizeof *e.seen);
    e.props = cupel__arena_array(m->arena, (size_t)nprops, sizeof(struct ir_op *));
    if (e.schemas == NULL || e.seen == NULL || e.props == NULL)
        return CUPEL_E_NO_MEMORY;
    memset(e.seen, 0, n * sizeof *e.seen);
    enum cupel_status status = cupel__ir_count_uses(m);
    if (status != CUPEL_OK)
        return status;
    e.always = cupel__ir_add_schema(m, IR_NONE); /* the last pointer to schemas that this moves */
    if (e.always == IR_NONE)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = n; i-- > 0;) {
        if (m->schemas[i].uses == 0)
            continue;
        status = replace_all(&e, &m->schemas[i]);
        if (status != CUPEL_OK)
            return status;
    }
    return cupel__ir_mark_tracked(m);
}
