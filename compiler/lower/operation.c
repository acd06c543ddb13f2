/* operation.c: what the lowering of every vocabulary uses: locations, operations, references to
 * schemas, patterns, counts.
 *
 * It calls no other file of this folder.  A location is a path in the IR module's tree of
 * locations; it is created when the first operation needs it, from the document's root down. */
#include "compiler/frontend/frontend.h"
#include "compiler/lower/lower.h"

/* -- Locations -------------------------------------------------------------------------------- */

/* Returns a number as text, in the arena. */
static struct cupel__str decimal(struct lower *l, uint32_t n)
{
    char digits[10];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    return cupel__str_dup(l->m->arena, (struct cupel__str){digits + at, sizeof digits - at});
}

/* Adds the location one step below another; IR_NONE in, IR_NONE out. */
static uint32_t below(struct lower *l, uint32_t loc, struct cupel__str token)
{
    return loc == IR_NONE || token.p == NULL ? IR_NONE : cupel__ir_add_loc(l->m, loc, token);
}

/* The location of a keyword whose schema has its location. */
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

/* The location that a JSON Pointer leads to.  Its unescaped tokens share one buffer, since they are
 * never longer than the pointer. */
static uint32_t out_of_place_loc(struct lower *l, uint32_t loc, struct cupel__str path)
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

/* Stores the URI of a resource in the location of its root.  The URI that the schema was retrieved
 * by is not stored: an image does not depend on where the schema was. */
static void note_resource(struct lower *l, uint32_t i, uint32_t loc)
{
    const struct fe_resource *r = &l->frontend->resources[l->g->schemas[i].resource];
    if (loc != IR_NONE && r->schema == i)
        l->m->locs[loc].base = i == 0 ? l->g->docs[0].uri : r->uri;
}

/* Makes the location of a schema whose parent has one. */
static uint32_t make_schema_loc(struct lower *l, uint32_t i)
{
    const struct graph_schema *s = &l->g->schemas[i];
    if (s->parent == GRAPH_NONE)
        return cupel__ir_add_loc(l->m, IR_NONE, l->g->docs[s->doc].uri);
    if (s->out_of_place)
        return out_of_place_loc(l, l->schema_locs[s->parent] - 1, l->g->pointers[s->via]);
    const struct cupel__node *nodes = graph_json(l->g, s)->nodes;
    uint32_t value = l->g->keywords[s->via].value, loc = keyword_loc(l, s->parent, s->via);
    if (s->node == value)
        return loc;
    return below(l, loc,
                 nodes[value].type == CUPEL__ARRAY ? decimal(l, s->index)
                                                   : graph_str(l->g, s, s->node - 1));
}

/* Makes the locations that are missing, from the document's root down to schema i: a loop instead
 * of recursion, because nesting is the schema author's choice. */
uint32_t cupel__lower_schema_loc(struct lower *l, uint32_t i)
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

/* -- Operations ------------------------------------------------------------------------------- */

/* The location of the keyword being lowered. */
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

/* Errors of the pattern's syntax are reported at the string in the schema, with the byte in the
 * pattern. */
enum cupel_status cupel__lower_add_pattern(const struct lower_at *at, uint32_t node, uint32_t *ret)
{
    struct lower *l = at->l;
    const struct cupel_options *options = l->options;
    struct cupel__str source = graph_str(l->g, at->schema, node);
    if (source.n > options->limits[CUPEL_LIMIT_PATTERN_BYTES])
        return cupel__fe_fail(l->frontend, CUPEL_E_PATTERN_SIZE, at->schema->doc, node,
                              "the pattern has %zu bytes, the limit is %zu", source.n,
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

/* An integer that the tape keeps as text only is larger than any count: the frontend has refused
 * negative ones. */
uint32_t cupel__lower_count(const struct lower_at *at, const struct graph_keyword *kw,
                            uint32_t absent)
{
    if (kw == NULL)
        return absent;
    const struct cupel__node *n = &graph_json(at->l->g, at->schema)->nodes[kw->value];
    return (n->flags & CUPEL__BIG) == 0 && n->i < IR_MANY ? (uint32_t)n->i : IR_MANY;
}
