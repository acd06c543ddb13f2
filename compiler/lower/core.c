/* core.c: the walk over the graph, locations, and references.
 *
 * Each schema that the root reaches becomes one IR schema of the same number, each keyword the
 * operations that its function appends, in the author's order.  Behind them come IR schemas that
 * stand for no schema of their own: those that enter a resource, and the inner ones of schemas with
 * unevaluated keywords.  What keywords mean is in lower/applicator.c, lower/validation.c and
 * lower/annotation.c. */
#include "base/error.h"
#include "compiler/frontend/frontend.h"
#include "compiler/lower/lower.h"

#include <string.h>

/* -- Locations -------------------------------------------------------------------------------- */

static struct cupel__str decimal(struct lower *l, uint32_t n)
{
    char digits[10];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    return cupel__str_dup(l->m->arena, (struct cupel__str){digits + at, sizeof digits - at});
}

/* One step below a location; IR_NONE in, IR_NONE out. */
static uint32_t below(struct lower *l, uint32_t loc, struct cupel__str token)
{
    return loc == IR_NONE || token.p == NULL ? IR_NONE : cupel__ir_add_loc(l->m, loc, token);
}

/* Of a keyword of a schema that has its location. */
static uint32_t keyword_loc(struct lower *l, uint32_t schema, uint32_t k)
{
    if (l->keyword_locs[k] != 0)
        return l->keyword_locs[k] - 1;
    struct cupel__str name = graph_str(l->g, &l->g->schemas[schema], l->g->keywords[k].value - 1);
    uint32_t loc = l->schema_locs[schema] - 1;
    if (l->g->keywords[k].kind == KW_PROPERTY_DEPENDENCIES) /* a member of the author's keyword */
        loc = below(l, loc, CUPEL__STR("propertyDependencies"));
    loc = below(l, loc, name);
    l->keyword_locs[k] = loc + 1; /* without memory IR_NONE becomes 0 again */
    return loc;
}

/* Follows the JSON Pointer from a schema to a stray; the unescaped tokens are never longer. */
static uint32_t stray_loc(struct lower *l, uint32_t loc, struct cupel__str path)
{
    char *tokens = cupel__arena_alloc(l->m->arena, path.n);
    size_t n = 0, start = 0;
    if (tokens == NULL)
        return IR_NONE;
    for (size_t i = 1; i <= path.n; i++) {
        if (i == path.n || path.p[i] == '/') {
            loc = below(l, loc, (struct cupel__str){tokens + start, n - start});
            start = n;
        } else if (path.p[i] == '~') {
            tokens[n++] = path.p[++i] == '0' ? '~' : '/';
        } else {
            tokens[n++] = path.p[i];
        }
    }
    return loc;
}

/* The location of a schema that begins a resource knows the resource's URI. */
static void note_resource(struct lower *l, uint32_t i, uint32_t loc)
{
    const struct fe_resource *r = &l->frontend->resources[l->g->schemas[i].resource];
    if (loc != IR_NONE && r->schema == i)
        l->m->locs[loc].base = r->uri;
}

/* Of a schema whose parent has its location. */
static uint32_t make_schema_loc(struct lower *l, uint32_t i)
{
    const struct graph_schema *s = &l->g->schemas[i];
    if (s->parent == GRAPH_NONE)
        return cupel__ir_add_loc(l->m, IR_NONE, l->g->docs[s->doc].uri);
    if (s->stray)
        return stray_loc(l, l->schema_locs[s->parent] - 1, l->g->strays[s->via]);
    const struct cupel__node *nodes = graph_json(l->g, s)->nodes;
    uint32_t value = l->g->keywords[s->via].value, loc = keyword_loc(l, s->parent, s->via);
    if (s->node == value)
        return loc;
    return below(l, loc,
                 nodes[value].type == CUPEL__ARRAY ? decimal(l, s->index)
                                                   : graph_str(l->g, s, s->node - 1));
}

/* Makes the locations that are missing from the root of the document down to schema i. */
static uint32_t schema_loc(struct lower *l, uint32_t i)
{
    while (l->schema_locs[i] == 0) {
        uint32_t top = i;
        while (l->g->schemas[top].parent != GRAPH_NONE &&
               l->schema_locs[l->g->schemas[top].parent] == 0)
            top = l->g->schemas[top].parent;
        uint32_t loc = make_schema_loc(l, top);
        note_resource(l, top, loc);
        if (loc == IR_NONE)
            return IR_NONE;
        l->schema_locs[top] = loc + 1;
    }
    return l->schema_locs[i] - 1;
}

/* -- What the vocabularies use ---------------------------------------------------------------- */

static uint32_t at_loc(const struct lower_at *at)
{
    const struct graph *g = at->l->g;
    return keyword_loc(at->l, (uint32_t)(at->schema - g->schemas),
                       (uint32_t)(at->kw - g->keywords));
}

struct ir_op *cupel__lower_op(const struct lower_at *at, enum ir_kind kind)
{
    uint32_t loc = at_loc(at);
    return loc == IR_NONE ? NULL : cupel__ir_add_op(at->l->m, at->number, kind, loc);
}

struct ir_op *cupel__lower_op_member(const struct lower_at *at, enum ir_kind kind,
                                     struct cupel__str name)
{
    uint32_t loc = below(at->l, at_loc(at), name);
    return loc == IR_NONE ? NULL : cupel__ir_add_op(at->l->m, at->number, kind, loc);
}

struct ir_op *cupel__lower_op_beside(const struct lower_at *at, enum ir_kind kind,
                                     struct cupel__str name)
{
    uint32_t schema = (uint32_t)(at->schema - at->l->g->schemas);
    uint32_t loc = below(at->l, at->l->schema_locs[schema] - 1, name);
    return loc == IR_NONE ? NULL : cupel__ir_add_op(at->l->m, at->number, kind, loc);
}

uint32_t cupel__lower_schema_number(const struct lower_at *at, uint32_t schema)
{
    const struct lower *l = at->l;
    const struct graph_schema *to = &l->g->schemas[schema];
    if (l->scoped == NULL || to->resource == at->schema->resource || l->scoped[to->number] == 0)
        return to->number;
    return l->scoped[to->number] - 1;
}

enum cupel_status cupel__lower_schemas(const struct lower_at *at, struct ir_op *op, uint32_t count)
{
    uint32_t *schemas = op == NULL ? NULL : cupel__ir_op_schemas(at->l->m, op, count);
    if (schemas == NULL)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        schemas[i] = cupel__lower_schema_number(at, at->kw->first + i);
    return CUPEL_OK;
}

enum cupel_status cupel__lower_add_pattern(const struct lower_at *at, uint32_t node, uint32_t *ret)
{
    struct lower *l = at->l;
    const struct cupel_options *options = l->options;
    struct cupel__str source = graph_str(l->g, at->schema, node);
    if (source.n > options->limits[CUPEL_LIMIT_PATTERN_BYTES])
        return cupel__fe_fail(l->frontend, CUPEL_E_PATTERN_SIZE, at->schema->doc, node,
                              "the pattern is longer than %zu bytes",
                              (size_t)options->limits[CUPEL_LIMIT_PATTERN_BYTES]);
    unsigned flags = options->flags & CUPEL_STRICT_REGEX ? CUPEL__REGEX_STRICT : 0;
    struct cupel_error e = {.status = CUPEL_OK};
    enum cupel_status status =
        cupel__ir_add_pattern(l->m, source, flags, cupel__matcher_flags(options), ret, &e);
    if (status == CUPEL_OK || status == CUPEL_E_NO_MEMORY)
        return status;
    if (status == CUPEL_E_PATTERN || status == CUPEL_E_PATTERN_SIZE)
        return cupel__fe_fail(l->frontend, status, at->schema->doc, node,
                              "%s (byte %u of the pattern)", e.detail, (unsigned)e.offset);
    return cupel__fe_fail(l->frontend, status, at->schema->doc, node, "%s", e.detail);
}

static enum cupel_status lower_ref(const struct lower_at *at)
{
    return cupel__lower_schemas(at, cupel__lower_op(at, IR_REF), 1);
}

/* What the anchor means in the outermost resource on the way that has it, or the reference's own
 * target. */
static enum cupel_status lower_dynamic_ref(const struct lower_at *at)
{
    struct ir_op *op = cupel__lower_op(at, IR_DYNAMIC);
    if (op != NULL)
        op->a = at->kw->from;
    return cupel__lower_schemas(at, op, 1);
}

/* -- Dynamic scope ---------------------------------------------------------------------------- */

/* Makes an IR schema that enters the resource of a schema and then applies it.  The bindings
 * themselves enter nothing: where one is used, its resource is on the way already. */
static enum cupel_status add_scoped(struct lower *l, const struct graph_schema *s)
{
    const struct graph *g = l->g;
    uint32_t row = g->scope_of[s->resource], loc = l->m->schemas[s->number].loc;
    if (row == GRAPH_NONE || l->scoped[s->number] != 0)
        return CUPEL_OK;
    uint32_t number = cupel__ir_add_schema(l->m, loc);
    struct ir_op *op = number == IR_NONE ? NULL : cupel__ir_add_op(l->m, number, IR_SCOPE, loc);
    uint32_t *schemas = op == NULL ? NULL : cupel__ir_op_schemas(l->m, op, 1 + g->nanchors);
    if (schemas == NULL)
        return CUPEL_E_NO_MEMORY;
    l->scoped[s->number] = number + 1;
    schemas[0] = s->number;
    for (uint32_t a = 0; a < g->nanchors; a++) {
        uint32_t bound = g->scopes[(size_t)row * g->nanchors + a];
        schemas[1 + a] = bound == GRAPH_NONE ? IR_NONE : g->schemas[bound].number;
    }
    return CUPEL_OK;
}

/* Those of a schema's subschemas and targets that are in another resource. */
static enum cupel_status add_scoped_below(struct lower *l, const struct graph_schema *s)
{
    const struct graph *g = l->g;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t k = s->keywords; k < s->keywords + s->nkeywords; k++) {
        const struct graph_keyword *kw = &g->keywords[k];
        for (uint32_t i = kw->first; i < kw->first + kw->count && status == CUPEL_OK; i++) {
            const struct graph_schema *to = &g->schemas[i];
            if (to->resource != s->resource && to->number != GRAPH_NONE)
                status = add_scoped(l, to);
        }
    }
    return status;
}

/* Wherever a way leads into a resource that binds an anchor, the program notes it.  It never begins
 * in one: what the root's resource binds is the same on all ways, and no anchor of the program. */
static enum cupel_status add_scopes(struct lower *l)
{
    const struct graph *g = l->g;
    if (g->nanchors == 0)
        return CUPEL_OK;
    l->scoped = cupel__arena_array(l->m->arena, g->nreached, sizeof *l->scoped);
    if (l->scoped == NULL)
        return CUPEL_E_NO_MEMORY;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t n = 0; n < g->nreached && status == CUPEL_OK; n++)
        status = add_scoped_below(l, &g->schemas[g->order[n]]);
    return status;
}

/* -- The walk --------------------------------------------------------------------------------- */

/* What each keyword becomes; the others only annotate, or belong to one of these. */
static lower_keyword *const lowerings[KEYWORDS] = {
    [KW_REF] = lower_ref,
    [KW_DYNAMIC_REF] = lower_dynamic_ref,
    [KW_ALL_OF] = cupel__lower_all_of,
    [KW_ANY_OF] = cupel__lower_any_of,
    [KW_ONE_OF] = cupel__lower_one_of,
    [KW_NOT] = cupel__lower_not,
    [KW_IF] = cupel__lower_if,
    [KW_DEPENDENT_SCHEMAS] = cupel__lower_dependent_schemas,
    [KW_PROPERTY_DEPENDENCIES] = cupel__lower_property_dependencies,
    [KW_PREFIX_ITEMS] = cupel__lower_prefix_items,
    [KW_ITEMS] = cupel__lower_items,
    [KW_CONTAINS] = cupel__lower_contains,
    [KW_PROPERTIES] = cupel__lower_members,
    [KW_PATTERN_PROPERTIES] = cupel__lower_members,
    [KW_ADDITIONAL_PROPERTIES] = cupel__lower_members,
    [KW_PROPERTY_NAMES] = cupel__lower_property_names,
    [KW_TYPE] = cupel__lower_type,
    [KW_ENUM] = cupel__lower_enum,
    [KW_CONST] = cupel__lower_const,
    [KW_MULTIPLE_OF] = cupel__lower_multiple_of,
    [KW_MAXIMUM] = cupel__lower_maximum,
    [KW_EXCLUSIVE_MAXIMUM] = cupel__lower_exclusive_maximum,
    [KW_MINIMUM] = cupel__lower_minimum,
    [KW_EXCLUSIVE_MINIMUM] = cupel__lower_exclusive_minimum,
    [KW_MAX_LENGTH] = cupel__lower_max_length,
    [KW_MIN_LENGTH] = cupel__lower_min_length,
    [KW_PATTERN] = cupel__lower_pattern,
    [KW_FORMAT] = cupel__lower_format,
    [KW_CONTENT_ENCODING] = cupel__lower_format,
    [KW_CONTENT_MEDIA_TYPE] = cupel__lower_format,
    [KW_MAX_ITEMS] = cupel__lower_max_items,
    [KW_MIN_ITEMS] = cupel__lower_min_items,
    [KW_UNIQUE_ITEMS] = cupel__lower_unique_items,
    [KW_MAX_PROPERTIES] = cupel__lower_max_properties,
    [KW_MIN_PROPERTIES] = cupel__lower_min_properties,
    [KW_REQUIRED] = cupel__lower_required,
    [KW_DEPENDENT_REQUIRED] = cupel__lower_dependent_required,
};

/* Puts the schema's other keywords into an inner IR schema, which is asked what it has evaluated.
 */
static enum cupel_status lower_unevaluated(struct lower_at *at)
{
    struct lower *l = at->l;
    const struct graph_keyword *parts[3] = {NULL, at->by[KW_UNEVALUATED_PROPERTIES],
                                            at->by[KW_UNEVALUATED_ITEMS]};
    uint32_t inner = cupel__ir_add_schema(l->m, l->m->schemas[at->number].loc);
    at->kw = parts[1] != NULL ? parts[1] : parts[2];
    struct ir_op *op = inner == IR_NONE ? NULL : cupel__lower_op(at, IR_UNEVALUATED);
    uint32_t *schemas = op == NULL ? NULL : cupel__ir_op_schemas(l->m, op, 3);
    if (schemas == NULL)
        return CUPEL_E_NO_MEMORY;
    schemas[0] = inner;
    for (int i = 1; i < 3; i++)
        schemas[i] = parts[i] == NULL ? IR_NONE : cupel__lower_schema_number(at, parts[i]->first);
    at->number = inner;
    return CUPEL_OK;
}

static enum cupel_status lower_object(struct lower *l, const struct graph_schema *s)
{
    const struct graph_keyword **by = l->by;
    const struct graph_keyword *first = l->g->keywords + s->keywords, *end = first + s->nkeywords;
    struct lower_at at = {.l = l, .schema = s, .by = by, .number = s->number};
    enum cupel_status status = CUPEL_OK;
    for (const struct graph_keyword *kw = first; kw < end; kw++)
        by[kw->kind] = kw;
    if (lower_annotates(l))
        status = cupel__lower_notes(&at);
    if (status == CUPEL_OK &&
        (by[KW_UNEVALUATED_PROPERTIES] != NULL || by[KW_UNEVALUATED_ITEMS] != NULL))
        status = lower_unevaluated(&at);
    for (at.kw = first; at.kw < end && status == CUPEL_OK; at.kw++) {
        if (lowerings[at.kw->kind] != NULL)
            status = lowerings[at.kw->kind](&at);
    }
    for (const struct graph_keyword *kw = first; kw < end; kw++)
        by[kw->kind] = NULL;
    return status;
}

/* The IR schemas come first, so that operations may refer to any of them. */
static enum cupel_status add_schemas(struct lower *l)
{
    struct ir_module *m = l->m;
    size_t locs = l->g->nreached + (size_t)l->g->nkeywords;
    if (cupel__ir_reserve(m, &m->schemas, &m->schemas_cap, l->g->nreached, sizeof *m->schemas) !=
            CUPEL_OK ||
        cupel__ir_reserve(m, &m->locs, &m->locs_cap, locs, sizeof *m->locs) != CUPEL_OK)
        return CUPEL_E_NO_MEMORY;
    for (uint32_t n = 0; n < l->g->nreached; n++) {
        uint32_t loc = schema_loc(l, l->g->order[n]);
        if (loc == IR_NONE || cupel__ir_add_schema(m, loc) == IR_NONE)
            return CUPEL_E_NO_MEMORY;
    }
    m->root = 0;
    return CUPEL_OK;
}

static enum cupel_status lower_graph(struct lower *l)
{
    l->schema_locs = cupel__arena_array(l->m->arena, l->g->nschemas, sizeof *l->schema_locs);
    l->keyword_locs = cupel__arena_array(l->m->arena, l->g->nkeywords, sizeof *l->keyword_locs);
    enum cupel_status status =
        l->schema_locs == NULL || l->keyword_locs == NULL ? CUPEL_E_NO_MEMORY : add_schemas(l);
    if (status == CUPEL_OK)
        status = add_scopes(l);
    for (uint32_t n = 0; n < l->g->nreached && status == CUPEL_OK; n++) {
        const struct graph_schema *s = &l->g->schemas[l->g->order[n]];
        if (s->kind == GRAPH_OBJECT)
            status = lower_object(l, s);
        else if (s->kind == GRAPH_FALSE &&
                 cupel__ir_add_op(l->m, n, IR_FAIL, l->schema_locs[l->g->order[n]] - 1) == NULL)
            status = CUPEL_E_NO_MEMORY;
    }
    return status;
}

enum cupel_status cupel__lower_schema(struct ir_module *m, struct cupel__doc *doc, uint32_t node,
                                      const struct cupel_options *options, struct cupel_error *err)
{
    struct frontend *frontend = NULL;
    enum cupel_status status = cupel__graph_build(m->arena, doc, node, options, &frontend, err);
    if (status != CUPEL_OK)
        return status;
    struct lower l = {.m = m,
                      .g = cupel__frontend_graph(frontend),
                      .frontend = frontend,
                      .options = options,
                      .err = err};
    status = lower_graph(&l);
    if (status == CUPEL_E_NO_MEMORY)
        cupel__error_set(err, status, "out of memory");
    return status;
}
