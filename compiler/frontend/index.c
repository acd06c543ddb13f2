/* index.c: the index of a document: its subschemas, resources, anchors and keywords.
 *
 * Only places that the dialect defines as subschemas are entered.  Values of `const`, `enum`,
 * `default`, `examples` and of unknown keywords are data.  Schemas are indexed in the order in
 * which they are added, so the array of schemas is the queue and a parent comes before its
 * children.
 *
 * For each schema: list the members whose names are keywords in any dialect; determine the dialect
 * from `$schema`; process the identifier; drop keywords that the dialect does not know; check the
 * values (shape.c) and add their subschemas; relate siblings (relate.c). */
#include "compiler/frontend/frontend.h"

#include "base/json/equal.h"
#include "base/uri.h"
#include <string.h>

/* -- Schemas ---------------------------------------------------------------------------------- */

/* Adds `node`, which has the type of a schema, as the next subschema of keyword k.  Subschemas of
 * one keyword are adjacent in the array, since they are added one after the other. */
static enum cupel_status add_child(struct frontend *fe, uint32_t parent, uint32_t k, uint32_t node)
{
    struct graph_keyword *kw = &fe->g.keywords[k];
    struct graph_schema child = fe->g.schemas[parent];
    child.depth = fe_deeper(child.depth, node == kw->value ? 1 : 2);
    child.node = node;
    child.parent = parent;
    child.via = k;
    child.index = kw->count;
    child.out_of_place = false;
    if (kw->count++ == 0)
        kw->first = fe->g.nschemas;
    return cupel__fe_add_schema(fe, &child);
}

/* As add_child, for a node of any type: a value that cannot be a schema is refused. */
static enum cupel_status add_part(struct frontend *fe, uint32_t parent, uint32_t k, uint32_t node)
{
    enum cupel_status status = cupel__fe_check_schema(fe, &fe->g.schemas[parent], node);
    return status == CUPEL_OK ? add_child(fe, parent, k, node) : status;
}

static enum cupel_status add_items(struct frontend *fe, uint32_t i, uint32_t k)
{
    uint32_t value = fe->g.keywords[k].value;
    const struct cupel__node *nodes = graph_json(&fe->g, &fe->g.schemas[i])->nodes;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t n = value + 1; n < nodes[value].end && status == CUPEL_OK;
         n = cupel__node_next(nodes, n))
        status = add_part(fe, i, k, n);
    return status;
}

/* Adds the members that are schemas.  In `dependencies` (arrays true) a member may also be an array
 * of names, which is no schema. */
static enum cupel_status add_members(struct frontend *fe, uint32_t i, uint32_t k, bool arrays)
{
    uint32_t value = fe->g.keywords[k].value;
    const struct cupel__node *nodes = graph_json(&fe->g, &fe->g.schemas[i])->nodes;
    enum cupel_status status = CUPEL_OK;
    for (uint32_t n = value + 1; n < nodes[value].end && status == CUPEL_OK;
         n = cupel__node_next(nodes, n + 1)) {
        if (!arrays || nodes[n + 1].type != CUPEL__ARRAY)
            status = add_part(fe, i, k, n + 1);
    }
    return status;
}

/* `dependencies` becomes DEPENDENT_SCHEMAS and, if it has arrays, DEPENDENT_REQUIRED of the same
 * value.  list_keywords() reserved space for the second keyword. */
static enum cupel_status split_dependencies(struct frontend *fe, uint32_t i, uint32_t k)
{
    struct graph_keyword *kw = &fe->g.keywords[k];
    enum cupel_status status = add_members(fe, i, k, true);
    kw->kind = KW_DEPENDENT_SCHEMAS;
    if (status == CUPEL_OK &&
        kw->count < graph_json(&fe->g, &fe->g.schemas[i])->nodes[kw->value].count)
        fe->g.keywords[fe->g.nkeywords++] =
            (struct graph_keyword){.kind = KW_DEPENDENT_REQUIRED, .value = kw->value};
    return status;
}

/* Each member of `propertyDependencies` becomes a keyword of its own, whose value is the member's.
 */
static enum cupel_status split_property_dependencies(struct frontend *fe, uint32_t i, uint32_t k)
{
    struct graph *g = &fe->g;
    uint32_t value = g->keywords[k].value;
    const struct cupel__node *nodes = graph_json(g, &g->schemas[i])->nodes;
    enum cupel_status status = CUPEL_OK;
    if (FE_GROW(fe, g->keywords, fe->keywords_cap, g->nkeywords + (size_t)nodes[value].count + 1) !=
        CUPEL_OK)
        return cupel__fe_no_memory(fe);
    g->keywords[k].kind = KW_NONE;
    for (uint32_t n = value + 1; n < nodes[value].end && status == CUPEL_OK;
         n = cupel__node_next(nodes, n + 1)) {
        g->keywords[g->nkeywords] =
            (struct graph_keyword){.kind = KW_PROPERTY_DEPENDENCIES, .value = n + 1};
        status = add_members(fe, i, g->nkeywords++, false);
    }
    return status;
}

/* Adds the subschemas in the value of keyword k, which has been checked.  An array in `items`
 * becomes PREFIX_ITEMS. */
static enum cupel_status add_children(struct frontend *fe, uint32_t i, uint32_t k)
{
    struct graph_keyword *kw = &fe->g.keywords[k];
    switch (cupel__fe_keywords[kw->kind].shape) {
    case SHAPE_SCHEMA:
    case SHAPE_EXTRA:
        return add_child(fe, i, k, kw->value);
    case SHAPE_SCHEMAS:
        return add_items(fe, i, k);
    case SHAPE_SCHEMA_MAP:
        return add_members(fe, i, k, false);
    case SHAPE_SCHEMA_MAPS:
        return split_property_dependencies(fe, i, k);
    case SHAPE_DEPENDENCIES:
        return split_dependencies(fe, i, k);
    case SHAPE_ITEMS:
        if (graph_json(&fe->g, &fe->g.schemas[i])->nodes[kw->value].type != CUPEL__ARRAY)
            return add_child(fe, i, k, kw->value);
        kw->kind = KW_PREFIX_ITEMS;
        return add_items(fe, i, k);
    default:
        return CUPEL_OK;
    }
}

/* -- Identifiers ------------------------------------------------------------------------------ */

/* Makes a plain name an anchor of the schema's resource.  In a detached schema of a resource that
 * is not detached the name is ignored: whether some reference has led to the schema must not change
 * what the name refers to. */
static enum cupel_status add_anchor(struct frontend *fe, uint32_t i, struct cupel__str name,
                                    uint32_t value, enum fe_space space)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    struct fe_key key = {.space = space, .number = s->resource, .name = name};
    if (s->detached && !fe->resources[s->resource].detached)
        return CUPEL_OK;
    const struct fe_entry *other = cupel__fe_table_find(fe, key);
    if (other == NULL)
        return cupel__fe_table_add(fe, key, i) == CUPEL_OK ? CUPEL_OK : cupel__fe_no_memory(fe);
    if (cupel__fe_same_schema(&fe->g, i, other->value))
        return CUPEL_OK;
    return cupel__fe_fail(fe, CUPEL_E_IDENTIFIER, s->doc, value,
                          "two different schemas of one resource have the anchor '%.*s'",
                          FE_TEXT(name));
}

/* If a name occurs twice in a resource, the first schema with it is the anchor. */
static enum cupel_status add_dynamic_anchor(struct frontend *fe, uint32_t i, struct cupel__str name,
                                            uint32_t value)
{
    const struct fe_key key = {
        .space = SPACE_DYNAMIC, .number = fe->g.schemas[i].resource, .name = name};
    enum cupel_status status = add_anchor(fe, i, name, value, SPACE_DYNAMIC);
    if (status != CUPEL_OK)
        return status;
    const struct fe_entry *e = cupel__fe_table_find(fe, key);
    return e != NULL && e->value == i ? cupel__fe_add_binding(fe, i, name) : CUPEL_OK;
}

/* An identifier with a part before its fragment begins a resource.  A document's root, known so far
 * by the URI it was retrieved by, gets its own URI. */
static enum cupel_status begin_resource(struct frontend *fe, uint32_t i, struct cupel__str id,
                                        uint32_t value)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    struct cupel__str uri;
    enum cupel_status status = cupel__fe_uri(fe, fe->resources[s->resource].uri, id, &uri);
    if (status != CUPEL_OK)
        return status;
    if (fe->resources[s->resource].schema == i) {
        fe->resources[s->resource].uri =
            uri; /* a document's root, known by the URI it was retrieved by */
        if (fe->g.docs[s->doc].uri.n == 0)
            fe->g.docs[s->doc].uri = uri;
    } else {
        status = cupel__fe_add_resource(fe, i, uri);
    }
    uint32_t r = fe->g.schemas[i].resource;
    return status != CUPEL_OK || fe->resources[r].detached ? status
                                                           : cupel__fe_claim_uri(fe, r, value);
}

/* Processes `$id`, or `id` of draft 4.  Up to draft 7 a plain name as the fragment is an anchor.  A
 * JSON Pointer as the fragment says nothing that the place does not say. */
static enum cupel_status identify(struct frontend *fe, uint32_t i, uint32_t value)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    struct cupel__str id = graph_str(&fe->g, s, value);
    struct cupel__uri parts;
    if (!cupel__uri_split(id, &parts))
        return cupel__fe_fail(fe, CUPEL_E_IDENTIFIER, s->doc, value,
                              "'%.*s' is not a URI reference", FE_TEXT(id));
    enum cupel_status status = CUPEL_OK;
    bool only_fragment = id.n == 0 || id.p[0] == '#', root = s->parent == GRAPH_NONE;
    if (!only_fragment || (s->dialect >= DRAFT_2019 && !root))
        status = begin_resource(fe, i, id, value);
    if (status != CUPEL_OK || parts.fragment.n == 0 || parts.fragment.p[0] == '/')
        return status;
    return add_anchor(fe, i, parts.fragment, value, SPACE_ANCHOR);
}

/* -- One schema ------------------------------------------------------------------------------- */

/* The values of the keywords that decide how the others are read; 0 if absent. */
struct header {
    uint32_t schema, id, id_4, ref;
};

/* Lists the members whose names are keywords in any dialect, and remembers those of the header. */
static enum cupel_status list_keywords(struct frontend *fe, uint32_t i, struct header *header)
{
    struct graph *g = &fe->g;
    struct graph_schema *s = &g->schemas[i];
    struct cupel__doc *json = graph_json(g, s);
    const struct cupel__node *object = &json->nodes[s->node];
    /* One more, because `dependencies` may become two keywords. */
    if (FE_GROW(fe, g->keywords, fe->keywords_cap, g->nkeywords + object->count + (size_t)1) !=
        CUPEL_OK)
        return cupel__fe_no_memory(fe);
    s->keywords = g->nkeywords;
    for (uint32_t k = s->node + 1; k < object->end; k = cupel__node_next(json->nodes, k + 1)) {
        struct cupel__node *name = &json->nodes[k];
        enum keyword kind =
            cupel__fe_keyword_find(cupel__doc_str(json, name), cupel__key_hash(json, name));
        if (kind == KW_NONE)
            continue;
        g->keywords[g->nkeywords++] = (struct graph_keyword){.kind = (uint8_t)kind, .value = k + 1};
        if (kind == KW_SCHEMA)
            header->schema = k + 1;
        else if (kind == KW_ID)
            header->id = k + 1;
        else if (kind == KW_ID_4)
            header->id_4 = k + 1;
        else if (kind == KW_REF)
            header->ref = k + 1;
    }
    return CUPEL_OK;
}

/* The value that identifies the schema in a dialect, or 0. */
static uint32_t header_id(const struct header *h, unsigned dialect)
{
    if (cupel__fe_drafts[dialect].ref_alone && h->ref != 0)
        return 0;
    return cupel__fe_drafts[dialect].id == KW_ID ? h->id : h->id_4;
}

/* `$schema` counts only at the root of a resource, and which identifier makes a schema such a root
 * depends on the dialect that `$schema` names. */
static enum cupel_status choose_dialect(struct frontend *fe, uint32_t i, const struct header *h)
{
    struct graph_schema *s = &fe->g.schemas[i];
    const struct graph_keyword kw = {.kind = KW_SCHEMA, .value = h->schema};
    if (h->schema == 0)
        return CUPEL_OK;
    enum cupel_status status = cupel__fe_check_shape(fe, s, &kw);
    if (status != CUPEL_OK)
        return status;
    struct cupel__str uri = graph_str(&fe->g, s, h->schema);
    unsigned draft = cupel__fe_draft_find(uri);
    struct fe_dialect dialect = cupel__fe_draft_dialect(draft);
    if (s->parent != GRAPH_NONE && header_id(h, draft < DRAFTS ? draft : s->dialect) == 0)
        return CUPEL_OK;
    if (draft == DRAFTS)
        status = cupel__fe_find_dialect(fe, i, h->schema, &dialect);
    if (status != CUPEL_OK)
        return status;
    s = &fe->g.schemas[i]; /* adding the meta-schema may have moved the array */
    s->dialect = dialect.draft;
    s->vocabularies = dialect.vocabularies;
    return CUPEL_OK;
}

/* Dialects that are not released need CUPEL_EXPERIMENTAL. */
static enum cupel_status check_released(const struct frontend *fe, uint32_t i)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    if (s->dialect != DRAFT_V1 || (fe->options->flags & CUPEL_EXPERIMENTAL) != 0)
        return CUPEL_OK;
    return cupel__fe_fail(
        fe, CUPEL_E_DIALECT, s->doc, s->node,
        "the dialect 'https://json-schema.org/v1' is experimental, and that is off");
}

/* Determines the dialect and processes the identifier: from here on the schema's resource is known.
 */
static enum cupel_status enter_schema(struct frontend *fe, uint32_t i, const struct header *h)
{
    enum cupel_status status = choose_dialect(fe, i, h);
    if (status == CUPEL_OK)
        status = check_released(fe, i);
    const struct graph_schema *s = &fe->g.schemas[i];
    uint32_t id = header_id(h, s->dialect);
    if (status != CUPEL_OK || id == 0)
        return status;
    const struct graph_keyword kw = {.kind = cupel__fe_drafts[s->dialect].id, .value = id};
    status = cupel__fe_check_shape(fe, s, &kw);
    return status == CUPEL_OK ? identify(fe, i, id) : status;
}

/* Checks one keyword and adds the anchors or subschemas in its value. */
static enum cupel_status index_keyword(struct frontend *fe, uint32_t i, uint32_t k)
{
    const struct graph_keyword *kw = &fe->g.keywords[k];
    const struct graph_schema *s = &fe->g.schemas[i];
    uint32_t value = kw->value;
    enum cupel_status status = cupel__fe_check_shape(fe, s, kw);
    if (status != CUPEL_OK)
        return status;
    switch (kw->kind) {
    case KW_ANCHOR:
        return add_anchor(fe, i, graph_str(&fe->g, s, value), value, SPACE_ANCHOR);
    case KW_DYNAMIC_ANCHOR:
        if (s->dialect != DRAFT_V1) /* v1: `$ref` does not find dynamic anchors */
            status = add_anchor(fe, i, graph_str(&fe->g, s, value), value, SPACE_ANCHOR);
        return status == CUPEL_OK ? add_dynamic_anchor(fe, i, graph_str(&fe->g, s, value), value)
                                  : status;
    case KW_RECURSIVE_ANCHOR:
        if (fe->resources[s->resource].schema == i &&
            graph_json(&fe->g, s)->nodes[value].type == CUPEL__TRUE)
            return add_dynamic_anchor(fe, i, (struct cupel__str){"", 0}, value);
        return CUPEL_OK;
    default:
        return add_children(fe, i, k);
    }
}

/* -- The index -------------------------------------------------------------------------------- */

/* Removes the keywords that the dialect does not know.  Those of schema i are the last in the
 * array. */
static void keep_known(struct graph *g, uint32_t i)
{
    struct graph_schema *s = &g->schemas[i];
    uint32_t n = s->keywords;
    for (uint32_t k = s->keywords; k < g->nkeywords; k++) {
        const struct fe_keyword *info = &cupel__fe_keywords[g->keywords[k].kind];
        if (info->first <= s->dialect && s->dialect <= info->last &&
            (info->vocabulary & s->vocabularies) != 0)
            g->keywords[n++] = g->keywords[k];
    }
    g->nkeywords = n;
}

/* v1 refuses unknown names that do not begin with `x-`.  Earlier dialects accept any name. */
static enum cupel_status refuse_unknown(const struct frontend *fe, uint32_t i)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    const struct cupel__doc *json = graph_json(&fe->g, s);
    const struct cupel__node *nodes = json->nodes;
    if (s->dialect != DRAFT_V1 || (fe->options->flags & CUPEL_UNKNOWN_KEYWORDS) != 0)
        return CUPEL_OK;
    for (uint32_t k = s->node + 1; k < nodes[s->node].end; k = cupel__node_next(nodes, k + 1)) {
        struct cupel__str name = graph_str(&fe->g, s, k);
        enum keyword kind = cupel__fe_keyword_find(name, cupel__key_hash(json, &nodes[k]));
        bool free = name.n >= 2 && memcmp(name.p, "x-", 2) == 0;
        if (!free && (cupel__fe_keywords[kind].last != DRAFT_V1 || kind == KW_DEFINITIONS ||
                      kind == KW_DEPENDENCIES))
            return cupel__fe_fail(
                fe, CUPEL_E_SCHEMA, s->doc, k,
                "'%.*s' is not a keyword of the dialect, and does not begin with 'x-'",
                FE_TEXT(name));
    }
    return CUPEL_OK;
}

/* Up to draft 7 a `$ref` hides all keywords beside it: they become NONE. */
static enum cupel_status index_schema(struct frontend *fe, uint32_t i)
{
    struct header header = {0};
    enum cupel_status status = list_keywords(fe, i, &header);
    if (status == CUPEL_OK)
        status = enter_schema(fe, i, &header);
    if (status == CUPEL_OK)
        status = refuse_unknown(fe, i);
    if (status != CUPEL_OK)
        return status;
    keep_known(&fe->g, i);
    uint32_t first = fe->g.schemas[i].keywords, end = fe->g.nkeywords;
    for (uint32_t k = first; k < end && status == CUPEL_OK; k++)
        status = index_keyword(fe, i, k);
    fe->g.schemas[i].nkeywords = fe->g.nkeywords - first;
    if (status == CUPEL_OK)
        status = cupel__fe_relate(fe, i);
    fe->g.schemas[i].ref_alone =
        header.ref != 0 && cupel__fe_drafts[fe->g.schemas[i].dialect].ref_alone;
    if (fe->g.schemas[i].ref_alone) {
        for (uint32_t k = first; k < fe->g.nkeywords; k++) {
            if (fe->g.keywords[k].kind != KW_REF)
                fe->g.keywords[k].kind = KW_NONE;
        }
    }
    return status;
}

enum cupel_status cupel__fe_index(struct frontend *fe)
{
    enum cupel_status status = CUPEL_OK;
    for (; fe->indexed < fe->g.nschemas && status == CUPEL_OK; fe->indexed++) {
        if (fe->g.schemas[fe->indexed].kind == GRAPH_OBJECT)
            status = index_schema(fe, fe->indexed);
    }
    return status;
}
