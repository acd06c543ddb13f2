/* scope.c: the dynamic scope (2020-12 core 8.2.3.2, 2019-09 core 8.2.4.2.2): what references by a
 * dynamic anchor mean.
 *
 * Such a reference means the anchor of its name in the outermost resource on the way to it that has
 * one.  While the reachable schemas are being found, every resource that is among them is taken to
 * be on some way, so that whatever a reference may mean is reached too.  Then the ways are looked
 * at: wherever all of them come to the same resource first, the reference is an ordinary one.  What
 * is left is numbered for the program, and of the resources those count that may come first.  The
 * keywords `$recursiveAnchor` and `$recursiveRef` of 2019-09 are the same with an anchor that has
 * no name.  A reference of v1 has no target of its own, and must have an anchor on every way. */
#include "compiler/frontend/frontend.h"

#include <string.h>

enum { MAX_ANCHORS = 64 };

/* -- Anchors ---------------------------------------------------------------------------------- */

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

/* Reaches whatever a name may mean, once it may mean something besides the reference's own target.
 */
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

static enum cupel_status add_dynamic(struct frontend *fe, uint32_t i, uint32_t k,
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
    return add_dynamic(fe, i, k, name, false);
}

enum cupel_status cupel__fe_add_open_ref(struct frontend *fe, uint32_t i, uint32_t k,
                                         struct cupel__str name)
{
    return add_dynamic(fe, i, k, name, true);
}

/* Bindings are listed with the newest first, and all of a resource become live together; there may
 * be new ones only where a stray schema came later. */
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

/* -- Ways ------------------------------------------------------------------------------------- */

/* A walk over all ways from the root, each up to the first resource that has the anchor. */
struct walk {
    struct frontend *fe;
    uint32_t anchor;
    uint32_t mark;               /* what the arrays below hold for this walk */
    uint32_t *schemas, *anchors; /* seen */
    uint32_t *binding;           /* resources with the anchor … */
    uint32_t *first;             /* … and those among them that a way has come to */
    uint32_t *stack, *top;
};

static void come_to(struct walk *w, uint32_t i)
{
    const struct graph_schema *s = &w->fe->g.schemas[i];
    if (w->binding[s->resource] == w->mark) {
        w->first[s->resource] = w->mark;
    } else if (w->schemas[s->number] != w->mark) {
        w->schemas[s->number] = w->mark;
        *w->top++ = i;
    }
}

static void come_to_bindings(struct walk *w, uint32_t anchor)
{
    const struct frontend *fe = w->fe;
    if (anchor == w->anchor || w->anchors[anchor] == w->mark)
        return;
    w->anchors[anchor] = w->mark;
    for (uint32_t b = fe->anchors[anchor].bindings; b != GRAPH_NONE;
         b = fe->bindings[b].next_of_anchor) {
        if (fe->bindings[b].live && fe->g.schemas[fe->bindings[b].schema].number != GRAPH_NONE)
            come_to(w, fe->bindings[b].schema);
    }
}

static void follow(struct walk *w, const struct graph_schema *s)
{
    const struct graph *g = &w->fe->g;
    for (uint32_t k = s->keywords; k < s->keywords + s->nkeywords; k++) {
        const struct graph_keyword *kw = &g->keywords[k];
        if (kw->kind == KW_NONE || cupel__fe_keywords[kw->kind].apply == APPLY_NEVER)
            continue;
        for (uint32_t child = kw->first; child < kw->first + kw->count; child++)
            come_to(w, child);
        if (kw->kind == KW_DYNAMIC_REF)
            come_to_bindings(w, kw->from);
    }
}

/* Finds the bindings that a way may come to first, which are all that the anchor can mean: where no
 * resource on the way has it, the reference's own target is in one that the way comes to with it.
 * Returns the schema of the only one, or GRAPH_NONE if there are several. */
static uint32_t find_first(struct walk *w, uint32_t anchor)
{
    const struct frontend *fe = w->fe;
    uint32_t found = 0, target = GRAPH_NONE;
    w->anchor = anchor;
    w->mark++;
    w->top = w->stack;
    for (uint32_t b = fe->anchors[anchor].bindings; b != GRAPH_NONE;
         b = fe->bindings[b].next_of_anchor)
        w->binding[fe->g.schemas[fe->bindings[b].schema].resource] = w->mark;
    come_to(w, 0);
    while (w->top > w->stack)
        follow(w, &fe->g.schemas[*--w->top]);
    for (uint32_t b = fe->anchors[anchor].bindings; b != GRAPH_NONE;
         b = fe->bindings[b].next_of_anchor) {
        struct fe_binding *binding = &fe->bindings[b];
        binding->first = w->first[fe->g.schemas[binding->schema].resource] == w->mark;
        if (binding->first && found++ == 0)
            target = binding->schema;
    }
    return found == 1 ? target : GRAPH_NONE;
}

/* -- Deciding --------------------------------------------------------------------------------- */

/* Whether the reference has no target of its own. */
static bool is_open(const struct frontend *fe, const struct fe_dynamic *d)
{
    return fe->g.keywords[d->keyword].count == 0;
}

/* An open reference must not be come to before a resource with its anchor; the walk has just been
 * to all schemas that are. */
static enum cupel_status check_open(const struct walk *w, uint32_t anchor)
{
    const struct frontend *fe = w->fe;
    for (uint32_t n = 0; n < fe->ndynamics; n++) {
        const struct fe_dynamic *d = &fe->dynamics[n];
        const struct graph_schema *s = &fe->g.schemas[d->schema];
        if (fe->g.keywords[d->keyword].from == anchor && is_open(fe, d) &&
            w->schemas[s->number] == w->mark)
            return cupel__fe_fail(
                fe, CUPEL_E_UNRESOLVED_REF, s->doc, fe->g.keywords[d->keyword].value,
                "no schema resource on some way to here has the dynamic anchor '%.*s'",
                FE_TEXT(fe->anchors[anchor].name));
    }
    return CUPEL_OK;
}

static enum cupel_status settle(struct walk *w, const struct fe_dynamic *d)
{
    struct frontend *fe = w->fe;
    uint32_t anchor = fe->g.keywords[d->keyword].from;
    struct fe_anchor *a = &fe->anchors[anchor];
    if (a->settled)
        return CUPEL_OK;
    a->settled = true;
    if (a->live < 2 && !a->open) /* in the one resource of its own target */
        return CUPEL_OK;
    if (w->mark == MAX_ANCHORS)
        return cupel__fe_fail(fe, CUPEL_E_UNSUPPORTED, fe->g.schemas[d->schema].doc,
                              fe->g.keywords[d->keyword].value,
                              "more than %d names of dynamic anchors are referred to that several "
                              "resources have",
                              MAX_ANCHORS);
    a->target = find_first(w, anchor);
    if (a->target == GRAPH_NONE)
        a->number = fe->g.nanchors++;
    return a->open ? check_open(w, anchor) : CUPEL_OK;
}

static enum cupel_status settle_anchors(struct frontend *fe)
{
    struct cupel__arena *arena = fe->arena;
    struct walk w = {.fe = fe};
    w.schemas = cupel__arena_array(arena, fe->g.nreached, sizeof *w.schemas);
    w.stack = cupel__arena_array(arena, fe->g.nreached, sizeof *w.stack);
    w.binding = cupel__arena_array(arena, fe->nresources, sizeof *w.binding);
    w.first = cupel__arena_array(arena, fe->nresources, sizeof *w.first);
    w.anchors = cupel__arena_array(arena, fe->nanchors, sizeof *w.anchors);
    if (w.schemas == NULL || w.stack == NULL || w.binding == NULL || w.first == NULL ||
        w.anchors == NULL)
        return cupel__fe_no_memory(fe);
    enum cupel_status status = CUPEL_OK;
    for (uint32_t n = 0; n < fe->ndynamics && status == CUPEL_OK; n++)
        status = settle(&w, &fe->dynamics[n]);
    return status;
}

/* Some schema that the anchor means; there is one. */
static uint32_t any_target(const struct frontend *fe, const struct fe_anchor *a)
{
    uint32_t b = a->bindings;
    while (!fe->bindings[b].first)
        b = fe->bindings[b].next_of_anchor;
    return fe->bindings[b].schema;
}

static void settle_keyword(const struct frontend *fe, struct graph_keyword *kw)
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

/* Whether a binding is one that the program has to know. */
static bool counts(const struct frontend *fe, const struct fe_binding *b)
{
    return b->first && fe->anchors[b->anchor].number != GRAPH_NONE;
}

/* Gives each resource that binds one of the numbered anchors its row. */
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
        if (counts(fe, &fe->bindings[b]) && *row == GRAPH_NONE)
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
        if (counts(fe, binding))
            g->scopes[row * g->nanchors + fe->anchors[binding->anchor].number] = binding->schema;
    }
    return CUPEL_OK;
}

enum cupel_status cupel__fe_settle_scopes(struct frontend *fe)
{
    if (fe->ndynamics == 0)
        return CUPEL_OK;
    enum cupel_status status = settle_anchors(fe);
    if (status != CUPEL_OK)
        return status;
    for (uint32_t n = 0; n < fe->ndynamics; n++)
        settle_keyword(fe, &fe->g.keywords[fe->dynamics[n].keyword]);
    return fe->g.nanchors == 0 ? CUPEL_OK : make_rows(fe);
}
