/* graph.c: builds the graph: what the root reaches, without cycles.
 *
 * Documents are added by document.c and indexed by index.c.  From the root, this file follows
 * subschemas and references (resolve.c), so only references that can matter are resolved.  Then
 * scope.c decides what dynamic references mean, and schemas that apply themselves to the same
 * instance are refused, since no evaluation of them could end. */
#include "base/arena_allocator.h"
#include "base/error.h"
#include "base/options.h"
#include "compiler/frontend/frontend.h"

#include "base/uri.h"
#include <string.h>

/* -- Reachable schemas ------------------------------------------------------------------------ */

/* Adds what keyword k of schema i applies, after resolving it if it is a reference. */
static enum cupel_status reach_keyword(struct frontend *fe, uint32_t i, uint32_t k)
{
    const struct graph_keyword *kw = &fe->g.keywords[k];
    unsigned apply = cupel__fe_keywords[kw->kind].apply;
    enum cupel_status status = CUPEL_OK;
    if (kw->kind == KW_NONE || apply == APPLY_NEVER)
        return CUPEL_OK;
    if (kw->kind == KW_UNEVALUATED_ITEMS || kw->kind == KW_UNEVALUATED_PROPERTIES)
        fe->g.evaluates = true;
    if (kw->kind == KW_REF || kw->kind == KW_DYNAMIC_REF || kw->kind == KW_RECURSIVE_REF) {
        status = cupel__fe_resolve(fe, i, k);
        fe->has_refs = true;
    }
    uint32_t first = fe->g.keywords[k].first, end = first + fe->g.keywords[k].count;
    for (uint32_t child = first; child < end && status == CUPEL_OK; child++)
        status = cupel__fe_reach(fe, child);
    return status;
}

/* The list of reachable schemas is its own queue. */
static enum cupel_status reach_all(struct frontend *fe)
{
    enum cupel_status status = cupel__fe_reach(fe, 0);
    for (uint32_t n = 0; n < fe->g.nreached && status == CUPEL_OK; n++) {
        uint32_t i = fe->g.order[n], first = fe->g.schemas[i].keywords;
        for (uint32_t k = 0; k < fe->g.schemas[i].nkeywords && status == CUPEL_OK; k++)
            status = reach_keyword(fe, i, first + k);
        if (status == CUPEL_OK && fe->nbindings != 0)
            status = cupel__fe_enter(fe, i);
    }
    return status;
}

/* -- Cycles ----------------------------------------------------------------------------------- */

/* The state of a schema in the depth-first search. */
enum { UNSEEN, OPEN, DONE };

/* A schema on the search's stack: its keywords before k are done, and so are the subschemas of k
 * before `next`. */
struct frame {
    uint32_t schema, k, next;
};

/* The next schema that applies to the same instance as the frame's schema, or GRAPH_NONE.  Where a
 * dynamic reference leads is known only at run time, and so are cycles through it. */
static uint32_t next_in_place(const struct graph *g, struct frame *f)
{
    const struct graph_schema *s = &g->schemas[f->schema];
    for (; f->k < s->keywords + s->nkeywords; f->k++, f->next = 0) {
        const struct graph_keyword *kw = &g->keywords[f->k];
        if (kw->kind != KW_NONE && kw->kind != KW_DYNAMIC_REF &&
            cupel__fe_keywords[kw->kind].apply == APPLY_IN_PLACE && f->next < kw->count)
            return kw->first + f->next++;
    }
    return GRAPH_NONE;
}

/* Reports a cycle: frames[0 … n-1] apply each other in turn, and the last one's keyword applies the
 * first.  Up to four of the schemas are named. */
static enum cupel_status cycle(const struct frontend *fe, const struct frame *frames, size_t n)
{
    enum { NAMED = 4 };
    const struct graph *g = &fe->g;
    const struct frame *last = &frames[n - 1];
    struct cupel_text names;
    cupel_text_init(&names, &fe->alloc);
    for (size_t i = 0; i <= n && i <= NAMED; i++) {
        const struct graph_schema *s = &g->schemas[frames[i == NAMED ? 0 : i % n].schema];
        cupel_text_adds(&names, i == 0 ? "'" : i == NAMED && i < n ? " > … > '" : " > '");
        cupel_text_add(&names, g->docs[s->doc].uri.p, s->doc == 0 ? 0 : g->docs[s->doc].uri.n);
        cupel_text_adds(&names, "#");
        cupel__fe_pointer(fe, s->doc, s->node, &names);
        cupel_text_adds(&names, "'");
    }
    struct cupel__str text = {names.failed ? "" : names.bytes, names.failed ? 0 : names.len};
    enum cupel_status status = cupel__fe_fail(
        fe, CUPEL_E_REF_CYCLE, g->schemas[last->schema].doc, g->keywords[last->k].value,
        "the schema applies itself to the same instance without end: %.*s", (int)text.n, text.p);
    cupel_text_free(&names);
    return status;
}

/* Depth-first search from one schema along in-place applications; a schema that is OPEN when it is
 * met again closes a cycle.  `frames` has room for every reachable schema, since none is on the
 * stack twice. */
static enum cupel_status visit(const struct frontend *fe, uint32_t start, struct frame *frames,
                               uint8_t *states)
{
    const struct graph *g = &fe->g;
    size_t n = 0;
    frames[n++] = (struct frame){start, g->schemas[start].keywords, 0};
    states[g->schemas[start].number] = OPEN;
    while (n > 0) {
        uint32_t to = next_in_place(g, &frames[n - 1]);
        if (to == GRAPH_NONE) {
            states[g->schemas[frames[--n].schema].number] = DONE;
            continue;
        }
        uint8_t *state = &states[g->schemas[to].number];
        if (*state == OPEN) {
            size_t first = n - 1;
            while (frames[first].schema != to)
                first--;
            return cycle(fe, frames + first, n - first);
        }
        if (*state == UNSEEN)
            frames[n++] = (struct frame){to, g->schemas[to].keywords, 0};
        *state = *state == UNSEEN ? OPEN : *state;
    }
    return CUPEL_OK;
}

/* Without references the schemas are a tree, and nothing has to be searched. */
static enum cupel_status check_cycles(const struct frontend *fe)
{
    const struct graph *g = &fe->g;
    if (!fe->has_refs)
        return CUPEL_OK;
    struct frame *frames = cupel__arena_array(fe->arena, g->nreached, sizeof *frames);
    uint8_t *states = cupel__arena_array(fe->arena, g->nreached, sizeof *states);
    if (frames == NULL || states == NULL)
        return cupel__fe_no_memory(fe);
    enum cupel_status status = CUPEL_OK;
    for (uint32_t n = 0; n < g->nreached && status == CUPEL_OK; n++) {
        if (states[n] == UNSEEN)
            status = visit(fe, g->order[n], frames, states);
    }
    return status;
}

/* -- Building --------------------------------------------------------------------------------- */

/* Reserves for typical texts: a schema takes some six nodes and a keyword at least two.  The arrays
 * grow beyond that where needed. */
static enum cupel_status reserve(struct frontend *fe, uint32_t nodes)
{
    struct graph *g = &fe->g;
    if (FE_GROW(fe, g->schemas, fe->schemas_cap, nodes / 6 + 1) != CUPEL_OK ||
        FE_GROW(fe, g->keywords, fe->keywords_cap, nodes / 2 + 2) != CUPEL_OK ||
        FE_GROW(fe, g->order, fe->order_cap, nodes / 6 + 1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    return CUPEL_OK;
}

/* Makes the host's base URI the first URI of the root.  The document itself keeps none, so that
 * locations do not hold it. */
static enum cupel_status set_base(struct frontend *fe, const char *uri)
{
    if (uri == NULL)
        return CUPEL_OK;
    struct cupel__str given = {uri, strlen(uri)}, none = {"", 0};
    struct cupel__uri parts;
    if (!cupel__uri_split(given, &parts) || !parts.has_scheme)
        return cupel__error_set(fe->err, CUPEL_E_ARGUMENT,
                                "the base URI of the options is not an absolute URI");
    enum cupel_status status = cupel__fe_uri(fe, none, given, &fe->base);
    fe->resources[0].uri = fe->base;
    return status == CUPEL_OK ? cupel__fe_claim_uri(fe, 0, fe->g.schemas[0].node) : status;
}

enum cupel_status cupel__graph_build(struct cupel__arena *arena, struct cupel__doc *doc,
                                     uint32_t node, const struct cupel_options *options,
                                     struct frontend **ret, struct cupel_error *err)
{
    struct frontend *fe = cupel__arena_alloc(arena, sizeof *fe);
    if (fe == NULL)
        return cupel__error_set(err, CUPEL_E_NO_MEMORY, "out of memory");
    *fe = (struct frontend){
        .arena = arena, .alloc = cupel__arena_allocator(arena), .options = options, .err = err};
    fe->base = (struct cupel__str){"", 0};
    uint64_t key[2];
    cupel__options_key(options, key);
    fe->seed = key[0] ^ (key[1] << 32 | key[1] >> 32);
    const struct fe_dialect dialect =
        cupel__fe_draft_dialect(cupel__fe_draft_option(options->dialect));
    enum cupel_status status = reserve(fe, cupel__node_next(doc->nodes, node) - node);
    if (status == CUPEL_OK)
        status = cupel__fe_add_document(fe, doc, node, dialect, (struct cupel__str){"", 0});
    if (status == CUPEL_OK)
        status = set_base(fe, options->base_uri);
    if (status == CUPEL_OK)
        status = cupel__fe_index(fe);
    if (status == CUPEL_OK)
        status = reach_all(fe);
    if (status == CUPEL_OK)
        status = cupel__fe_settle_scopes(fe);
    if (status == CUPEL_OK)
        status = check_cycles(fe);
    if (status == CUPEL_OK)
        *ret = fe;
    return status;
}

const struct graph *cupel__frontend_graph(const struct frontend *fe)
{
    return &fe->g;
}
