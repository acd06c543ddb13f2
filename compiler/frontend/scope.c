/* scope.c: the dynamic scope (2020-12 core 8.2.3.2, 2019-09 core 8.2.4.2.2).
 *
 * A reference by a dynamic anchor refers to the anchor of that name in the outermost resource on
 * the evaluation path that has one.  Three steps decide the targets:
 *
 * - While the reachable schemas are collected, every resource among them is assumed to be on some
 * path. All schemas that a reference may refer to become reachable too.
 * - For each name, a search over all paths from the root finds the resources with the anchor that
 * can be the first on a path.  If there is only one, the reference is an ordinary one.
 * - The remaining names are numbered for the program, and each resource that can be the first to
 * bind one gets a row of bindings.
 *
 * `$recursiveAnchor` and `$recursiveRef` of 2019-09 are handled as an anchor without a name.  A
 * reference of v1 has no initial target: an anchor must be on every path to it. */
#include "compiler/frontend/frontend.h"

#include <string.h>

enum { MAX_ANCHORS = 64 };

/* -- Anchors ---------------------------------------------------------------------------------- */

/* Returns in *ret the number of the anchor with this name, which is added if it is new. */
static enum cupel_status find_anchor(struct frontend *fe, struct cupel__str name, uint32_t *ret)
{
    const struct fe_key key = {.space = SPACE_NAME, .name = name};
    const struct fe_entry *e = cupel__fe_table_find(fe, key);
    if (e != NULL) {
        *ret = e->value;
        return CUPEL_OK;
    }
    if (FE_GROW(fe, fe->anchors, fe->anchors_cap, fe->nanchors + (size_t)1) != CUPEL_OK ||
        cupel__fe_table_add(fe, key, fe->nanchors) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    fe->anchors[fe->nanchors] = (struct fe_anchor){
        .name = name, .bindings = GRAPH_NONE, .target = GRAPH_NONE, .number = GRAPH_NONE};
    *ret = fe->nanchors++;
    return CUPEL_OK;
}

enum cupel_status cupel__fe_add_binding(struct frontend *fe, uint32_t i, struct cupel__str name)
{
    uint32_t anchor, n = fe->nbindings;
    enum cupel_status status = find_anchor(fe, name, &anchor);
    if (status != CUPEL_OK)
        return status;
    if (FE_GROW(fe, fe->bindings, fe->bindings_cap, n + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    struct fe_anchor *a = &fe->anchors[anchor];
    struct fe_resource *r = &fe->resources[fe->g.schemas[i].resource];
    fe->bindings[n] = (struct fe_binding){.schema = i,
                                          .anchor = anchor,
                                          .next_of_resource = r->bindings,
                                          .next_of_anchor = a->bindings};
    r->bindings = a->bindings = fe->nbindings++;
    return CUPEL_OK;
}

/* Makes all live bindings of a name reachable, once a reference to it may have more than its
 * initial target. */
static enum cupel_status reach_bindings(struct frontend *fe, const struct fe_anchor *a)
{
    enum cupel_status status = CUPEL_OK;
    if (!a->used || a->live < (a->open ? 1 : 2))
        return CUPEL_OK;
    for (uint32_t b = a->bindings; b != GRAPH_NONE && status == CUPEL_OK;
         b = fe->bindings[b].next_of_anchor) {
        if (fe->bindings[b].live)
            status = cupel__fe_reach(fe, fe->bindings[b].schema);
    }
    return status;
}

/* Makes keyword k of schema i a DYNAMIC_REF; open: it has no initial target. */
static enum cupel_status add_reference(struct frontend *fe, uint32_t i, uint32_t k,
                                       struct cupel__str name, bool open)
{
    uint32_t anchor;
    enum cupel_status status = find_anchor(fe, name, &anchor);
    if (status != CUPEL_OK)
        return status;
    if (FE_GROW(fe, fe->dynamics, fe->dynamics_cap, fe->ndynamics + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    fe->dynamics[fe->ndynamics++] = (struct fe_dynamic){i, k};
    fe->g.keywords[k].kind = KW_DYNAMIC_REF;
    fe->g.keywords[k].from = anchor;
    struct fe_anchor *a = &fe->anchors[anchor];
    if (a->used && (a->open || !open))
        return CUPEL_OK;
    a->used = true;
    a->open |= open;
    return reach_bindings(fe, a);
}

enum cupel_status cupel__fe_add_dynamic_ref(struct frontend *fe, uint32_t i, uint32_t k,
                                            struct cupel__str name)
{
    return add_reference(fe, i, k, name, false);
}

enum cupel_status cupel__fe_add_open_ref(struct frontend *fe, uint32_t i, uint32_t k,
                                         struct cupel__str name)
{
    return add_reference(fe, i, k, name, true);
}

/* A resource's bindings become live together.  New bindings of a live resource come first in its
 * list: they appear only when an out-of-place subschema was added later. */
enum cupel_status cupel__fe_enter(struct frontend *fe, uint32_t i)
{
    uint32_t b = fe->resources[fe->g.schemas[i].resource].bindings;
    enum cupel_status status = CUPEL_OK;
    for (; b != GRAPH_NONE && !fe->bindings[b].live && status == CUPEL_OK;
         b = fe->bindings[b].next_of_resource) {
        struct fe_anchor *a = &fe->anchors[fe->bindings[b].anchor];
        fe->bindings[b].live = true;
        if (++a->live == 2)
            status = reach_bindings(fe, a);
        else if (a->used && (a->open || a->live > 2))
            status = cupel__fe_reach(fe, fe->bindings[b].schema);
    }
    return status;
}

/* -- Paths ------------------------------------------------------------------------------------ */

/* The search over all paths from the root.  A path ends at the first resource that has the anchor.
 */
struct search {
    struct frontend *fe;
    uint32_t anchor;
    uint32_t mark;               /* entries of the arrays below that equal it are of this search */
    uint32_t *schemas, *anchors; /* visited */
    uint32_t *binding;           /* resources with the anchor */
    uint32_t *first;             /* those of `binding` that end some path */
    uint32_t *stack, *top;
};

/* Adds a schema to the search, or ends the path if its resource has the anchor. */
static void visit_schema(struct search *search, uint32_t i)
{
    const struct graph_schema *s = &search->fe->g.schemas[i];
    if (search->binding[s->resource] == search->mark) {
        search->first[s->resource] = search->mark;
    } else if (search->schemas[s->number] != search->mark) {
        search->schemas[s->number] = search->mark;
        *search->top++ = i;
    }
}

/* A DYNAMIC_REF to another anchor may lead to any binding of that anchor. */
static void visit_bindings(struct search *search, uint32_t anchor)
{
    const struct frontend *fe = search->fe;
    if (anchor == search->anchor || search->anchors[anchor] == search->mark)
        return;
    search->anchors[anchor] = search->mark;
    for (uint32_t b = fe->anchors[anchor].bindings; b != GRAPH_NONE;
         b = fe->bindings[b].next_of_anchor) {
        if (fe->bindings[b].live && fe->g.schemas[fe->bindings[b].schema].number != GRAPH_NONE)
            visit_schema(search, fe->bindings[b].schema);
    }
}

/* Continues the paths from a schema with everything it applies. */
static void follow(struct search *search, const struct graph_schema *s)
{
    const struct graph *g = &search->fe->g;
    for (uint32_t k = s->keywords; k < s->keywords + s->nkeywords; k++) {
        const struct graph_keyword *kw = &g->keywords[k];
        if (kw->kind == KW_NONE || cupel__fe_keywords[kw->kind].apply == APPLY_NEVER)
            continue;
        for (uint32_t child = kw->first; child < kw->first + kw->count; child++)
            visit_schema(search, child);
        if (kw->kind == KW_DYNAMIC_REF)
            visit_bindings(search, kw->from);
    }
}

/* Finds the bindings that can be the first on a path, and sets their `first`.  The anchor can refer
 * to no others: where no resource on the path to a reference has it, the first one that has it is
 * that of the reference's initial target.  Returns the schema if there is exactly one such binding,
 * else GRAPH_NONE. */
static uint32_t find_first(struct search *search, uint32_t anchor)
{
    const struct frontend *fe = search->fe;
    uint32_t found = 0, target = GRAPH_NONE;
    search->anchor = anchor;
    search->mark++;
    search->top = search->stack;
    for (uint32_t b = fe->anchors[anchor].bindings; b != GRAPH_NONE;
         b = fe->bindings[b].next_of_anchor)
        search->binding[fe->g.schemas[fe->bindings[b].schema].resource] = search->mark;
    visit_schema(search, 0);
    while (search->top > search->stack)
        follow(search, &fe->g.schemas[*--search->top]);
    for (uint32_t b = fe->anchors[anchor].bindings; b != GRAPH_NONE;
         b = fe->bindings[b].next_of_anchor) {
        struct fe_binding *binding = &fe->bindings[b];
        binding->first = search->first[fe->g.schemas[binding->schema].resource] == search->mark;
        if (binding->first && found++ == 0)
            target = binding->schema;
    }
    return found == 1 ? target : GRAPH_NONE;
}

/* -- Deciding --------------------------------------------------------------------------------- */

/* Whether the reference has no initial target. */
static bool is_open(const struct frontend *fe, const struct fe_dynamic *d)
{
    return fe->g.keywords[d->keyword].count == 0;
}

/* Refuses an open reference that a path reaches before any resource with its anchor.  The search
 * that has just ended visited exactly the schemas on such paths. */
static enum cupel_status check_open(const struct search *search, uint32_t anchor)
{
    const struct frontend *fe = search->fe;
    for (uint32_t n = 0; n < fe->ndynamics; n++) {
        const struct fe_dynamic *d = &fe->dynamics[n];
        const struct graph_schema *s = &fe->g.schemas[d->schema];
        if (fe->g.keywords[d->keyword].from == anchor && is_open(fe, d) &&
            search->schemas[s->number] == search->mark)
            return cupel__fe_fail(
                fe, CUPEL_E_UNRESOLVED_REF, s->doc, fe->g.keywords[d->keyword].value,
                "no schema resource on some path to here has the dynamic anchor '%.*s'",
                FE_TEXT(fe->anchors[anchor].name));
    }
    return CUPEL_OK;
}

/* Decides the anchor of one dynamic reference: a single target, or a number in the program. */
static enum cupel_status decide_anchor(struct search *search, const struct fe_dynamic *d)
{
    struct frontend *fe = search->fe;
    uint32_t anchor = fe->g.keywords[d->keyword].from;
    struct fe_anchor *a = &fe->anchors[anchor];
    if (a->decided)
        return CUPEL_OK;
    a->decided = true;
    if (a->live < 2 && !a->open) /* only the resource of the initial target has it */
        return CUPEL_OK;
    if (search->mark == MAX_ANCHORS)
        return cupel__fe_fail(fe, CUPEL_E_UNSUPPORTED, fe->g.schemas[d->schema].doc,
                              fe->g.keywords[d->keyword].value,
                              "references use more than %d names of dynamic anchors that several "
                              "resources have",
                              MAX_ANCHORS);
    a->target = find_first(search, anchor);
    if (a->target == GRAPH_NONE)
        a->number = fe->g.nanchors++;
    return a->open ? check_open(search, anchor) : CUPEL_OK;
}

static enum cupel_status decide_anchors(struct frontend *fe)
{
    struct cupel__arena *arena = fe->arena;
    struct search search = {.fe = fe};
    search.schemas = cupel__arena_array(arena, fe->g.nreached, sizeof *search.schemas);
    search.stack = cupel__arena_array(arena, fe->g.nreached, sizeof *search.stack);
    search.binding = cupel__arena_array(arena, fe->nresources, sizeof *search.binding);
    search.first = cupel__arena_array(arena, fe->nresources, sizeof *search.first);
    search.anchors = cupel__arena_array(arena, fe->nanchors, sizeof *search.anchors);
    if (search.schemas == NULL || search.stack == NULL || search.binding == NULL ||
        search.first == NULL || search.anchors == NULL)
        return cupel__fe_no_memory(fe);
    enum cupel_status status = CUPEL_OK;
    for (uint32_t n = 0; n < fe->ndynamics && status == CUPEL_OK; n++)
        status = decide_anchor(&search, &fe->dynamics[n]);
    return status;
}

/* Some schema that the anchor can refer to.  There is one, or check_open() would have failed. */
static uint32_t any_target(const struct frontend *fe, const struct fe_anchor *a)
{
    uint32_t b = a->bindings;
    while (!fe->bindings[b].first)
        b = fe->bindings[b].next_of_anchor;
    return fe->bindings[b].schema;
}

/* Turns a reference with a single target into a REF, and the others into DYNAMIC_REF with the
 * anchor's number. */
static void finish_keyword(const struct frontend *fe, struct graph_keyword *kw)
{
    const struct fe_anchor *a = &fe->anchors[kw->from];
    kw->from = a->number;
    if (kw->count++ == 0)
        kw->first = any_target(fe, a);
    kw->count = 1;
    if (a->number != GRAPH_NONE)
        return;
    kw->kind = KW_REF;
    kw->from = 0;
    if (a->target != GRAPH_NONE)
        kw->first = a->target;
}

/* Whether the program has to know a binding. */
static bool is_numbered(const struct frontend *fe, const struct fe_binding *b)
{
    return b->first && fe->anchors[b->anchor].number != GRAPH_NONE;
}

/* Gives each resource that binds a numbered anchor a row: the schemas that it binds, by the numbers
 * of their anchors. */
static enum cupel_status make_rows(struct frontend *fe)
{
    struct graph *g = &fe->g;
    uint32_t rows = 0;
    g->scope_of = cupel__arena_array(fe->arena, fe->nresources, sizeof *g->scope_of);
    if (g->scope_of == NULL)
        return cupel__fe_no_memory(fe);
    memset(g->scope_of, 0xff, fe->nresources * sizeof *g->scope_of);
    for (uint32_t b = 0; b < fe->nbindings; b++) {
        uint32_t *row = &g->scope_of[g->schemas[fe->bindings[b].schema].resource];
        if (is_numbered(fe, &fe->bindings[b]) && *row == GRAPH_NONE)
            *row = rows++;
    }
    size_t cells = (size_t)rows * g->nanchors;
    g->scopes = cupel__arena_array(fe->arena, cells, sizeof *g->scopes);
    if (g->scopes == NULL)
        return cupel__fe_no_memory(fe);
    memset(g->scopes, 0xff, cells * sizeof *g->scopes);
    for (uint32_t b = 0; b < fe->nbindings; b++) {
        const struct fe_binding *binding = &fe->bindings[b];
        size_t row = g->scope_of[g->schemas[binding->schema].resource];
        if (is_numbered(fe, binding))
            g->scopes[row * g->nanchors + fe->anchors[binding->anchor].number] = binding->schema;
    }
    return CUPEL_OK;
}

enum cupel_status cupel__fe_settle_scopes(struct frontend *fe)
{
    if (fe->ndynamics == 0)
        return CUPEL_OK;
    enum cupel_status status = decide_anchors(fe);
    if (status != CUPEL_OK)
        return status;
    for (uint32_t n = 0; n < fe->ndynamics; n++)
        finish_keyword(fe, &fe->g.keywords[fe->dynamics[n].keyword]);
    return fe->g.nanchors == 0 ? CUPEL_OK : make_rows(fe);
}
