/* resource.c: the index of a document: its schemas, resources and anchors.
 *
 * Only places that the dialect calls subschemas are entered: what stands in `const`, `enum`,
 * `default`, `examples` or an unknown keyword is data, whatever it looks like.  Schemas are indexed
 * in the order in which they are found, so the array of schemas is its own queue, and a parent
 * stands before its children.  Single values are checked by shape.c, keywords related to their
 * siblings by relate.c, references followed by resolve.c. */
#include "base/error.h"
#include "compiler/frontend/frontend.h"

#include "base/json/equal.h"
#include "base/uri.h"
#include <string.h>

/* -- Schemas ---------------------------------------------------------------------------------- */

/* Adds a schema that must be one by its type. */
static enum cupel_status add_schema(struct frontend *fe, const struct graph_schema *schema)
{
    struct graph *g = &fe->g;
    const uint64_t *limits = fe->options->limits;
    if (g->nschemas >= limits[CUPEL_LIMIT_SUBSCHEMAS])
        return cupel__fe_fail(fe, CUPEL_E_SCHEMA_SIZE, schema->doc, schema->node,
                              "there are more than %u subschemas",
                              (unsigned)limits[CUPEL_LIMIT_SUBSCHEMAS]);
    if (schema->depth > limits[CUPEL_LIMIT_SCHEMA_DEPTH])
        return cupel__fe_fail(fe, CUPEL_E_SCHEMA_DEPTH, schema->doc, schema->node,
                              "subschemas are nested more than %u deep",
                              (unsigned)limits[CUPEL_LIMIT_SCHEMA_DEPTH]);
    if (FE_GROW(fe, g->schemas, fe->schemas_cap, g->nschemas + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    struct graph_doc *doc = &g->docs[schema->doc];
    static const uint8_t kinds[CUPEL__TYPES] = {
        [CUPEL__TRUE] = GRAPH_TRUE, [CUPEL__OBJECT] = GRAPH_OBJECT};
    struct graph_schema *s = &g->schemas[g->nschemas++];
    *s = *schema;
    s->kind = kinds[doc->json->nodes[s->node].type];
    s->ref_alone = false;
    s->keywords = s->nkeywords = 0;
    s->number = GRAPH_NONE;
    doc->at[s->node - doc->root] = g->nschemas;
    return CUPEL_OK;
}

/* Depths are counted in 16 bits; no limit makes them wrap. */
static uint16_t deeper(unsigned depth, unsigned by)
{
    return (uint16_t)(depth + by < UINT16_MAX ? depth + by : UINT16_MAX);
}

/* Adds `node`, which may be a schema by its type, as the next subschema of keyword `k`. */
static enum cupel_status add_child(struct frontend *fe, uint32_t parent, uint32_t k, uint32_t node)
{
    struct graph_keyword *kw = &fe->g.keywords[k];
    struct graph_schema child = fe->g.schemas[parent];
    child.depth = deeper(child.depth, node == kw->value ? 1 : 2);
    child.node = node;
    child.parent = parent;
    child.via = k;
    child.index = kw->count;
    child.stray = false;
    if (kw->count++ == 0)
        kw->first = fe->g.nschemas;
    return add_schema(fe, &child);
}

/* The same for a node of any type. */
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

/* The members that are schemas; in `dependencies` arrays are something else. */
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

/* `dependencies` becomes DEPENDENT_SCHEMAS and DEPENDENT_REQUIRED of the same value. */
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

enum cupel_status cupel__fe_uri(struct frontend *fe, struct cupel__str base, struct cupel__str ref,
                                struct cupel__str *ret)
{
    struct cupel__str uri = cupel__uri_resolve(fe->arena, base, ref);
    if (uri.p != NULL)
        uri = cupel__uri_normalise(fe->arena, uri);
    if (uri.p == NULL)
        return cupel__fe_no_memory(fe);
    /* A long base and many short references would take memory without proportion to the schema. */
    fe->uri_bytes += uri.n;
    if (fe->uri_bytes / 4 > fe->options->limits[CUPEL_LIMIT_SCHEMA_BYTES])
        return cupel__error_set(fe->err, CUPEL_E_SCHEMA_SIZE,
                                "the URIs of the schema are too long, all together");
    *ret = uri;
    return CUPEL_OK;
}

/* Schemas that claim the same identifier may do so if they say the same. */
static bool same_schema(const struct graph *g, uint32_t a, uint32_t b)
{
    const struct graph_schema *x = &g->schemas[a], *y = &g->schemas[b];
    struct cupel__budget budget = {.remaining = INT64_MAX};
    return a == b ||
           cupel__json_equal(graph_json(g, x), x->node, graph_json(g, y), y->node, &budget) == 1;
}

/* Enters a resource in the table.  The documents of a compilation come before the built-in
 * meta-schemas: one that embeds its own copy of a meta-schema, a little different perhaps, refers
 * to that.  What a dialect is does not depend on it: `$schema` is known by its URI alone. */
static enum cupel_status claim_uri(struct frontend *fe, uint32_t r, uint32_t value)
{
    const struct fe_resource *mine = &fe->resources[r];
    struct fe_key key = {.space = SPACE_URI, .name = mine->uri};
    const struct fe_entry *other = cupel__fe_table_find(fe, key);
    if (other == NULL)
        return cupel__fe_table_add(fe, key, r) == CUPEL_OK ? CUPEL_OK : cupel__fe_no_memory(fe);
    if (same_schema(&fe->g, mine->schema, fe->resources[other->value].schema))
        return CUPEL_OK;
    return cupel__fe_fail(fe, CUPEL_E_IDENTIFIER, fe->g.schemas[mine->schema].doc, value,
                          "two different schemas have the URI '%.*s'", FE_TEXT(mine->uri));
}

static enum cupel_status add_resource(struct frontend *fe, uint32_t schema, struct cupel__str uri)
{
    if (FE_GROW(fe, fe->resources, fe->resources_cap, fe->nresources + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    struct graph_schema *s = &fe->g.schemas[schema];
    s->resource = fe->nresources;
    fe->resources[fe->nresources++] = (struct fe_resource){
        .uri = uri, .schema = schema, .bindings = GRAPH_NONE, .detached = s->detached};
    return CUPEL_OK;
}

/* Makes a plain name an anchor of the schema's resource.  A detached schema in a resource that is
 * not has no place in it: whether a reference has led there must not change what a name means. */
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
    if (same_schema(&fe->g, i, other->value))
        return CUPEL_OK;
    return cupel__fe_fail(fe, CUPEL_E_IDENTIFIER, s->doc, value,
                          "two different schemas of one resource have the anchor '%.*s'",
                          FE_TEXT(name));
}

/* The first anchor of a name is the one that counts. */
static enum cupel_status add_dynamic(struct frontend *fe, uint32_t i, struct cupel__str name,
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

/* An identifier with something before its fragment: a resource begins. */
static enum cupel_status begin_resource(struct frontend *fe, uint32_t i, struct cupel__str id,
                                        uint32_t value)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    struct cupel__str uri;
    enum cupel_status status = cupel__fe_uri(fe, fe->resources[s->resource].uri, id, &uri);
    if (status != CUPEL_OK)
        return status;
    if (fe->resources[s->resource].schema == i) {
        fe->resources[s->resource].uri = uri; /* a document's root, so far known by its own URI */
        if (fe->g.docs[s->doc].uri.n == 0)
            fe->g.docs[s->doc].uri = uri;
    } else {
        status = add_resource(fe, i, uri);
    }
    uint32_t r = fe->g.schemas[i].resource;
    return status != CUPEL_OK || fe->resources[r].detached ? status : claim_uri(fe, r, value);
}

/* `$id`, or `id` of draft 4.  Up to draft 7 a plain name as its fragment is an anchor; a JSON
 * Pointer there says nothing that the place does not say itself. */
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

/* The values of the keywords that decide how the others are read; 0 where there is none. */
struct header {
    uint32_t schema, id, id_4, ref;
};

/* Lists the members whose names are keywords in any dialect, and notes those of the header. */
static enum cupel_status list_keywords(struct frontend *fe, uint32_t i, struct header *header)
{
    struct graph *g = &fe->g;
    struct graph_schema *s = &g->schemas[i];
    struct cupel__doc *json = graph_json(g, s);
    const struct cupel__node *object = &json->nodes[s->node];
    /* One more, because `dependencies` may become two. */
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

/* The value that would identify the schema in a dialect, or 0. */
static uint32_t header_id(const struct header *h, unsigned dialect)
{
    if (cupel__fe_drafts[dialect].ref_alone && h->ref != 0)
        return 0;
    return cupel__fe_drafts[dialect].id == KW_ID ? h->id : h->id_4;
}

/* `$schema` counts at the root of a resource; what is one depends on the dialect that it names. */
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
    s = &fe->g.schemas[i]; /* the meta-schema may have made the array move */
    s->dialect = dialect.draft;
    s->vocabularies = dialect.vocabularies;
    return CUPEL_OK;
}

static enum cupel_status check_released(const struct frontend *fe, uint32_t i)
{
    const struct graph_schema *s = &fe->g.schemas[i];
    if (s->dialect != DRAFT_V1 || (fe->options->flags & CUPEL_EXPERIMENTAL) != 0)
        return CUPEL_OK;
    return cupel__fe_fail(
        fe, CUPEL_E_DIALECT, s->doc, s->node,
        "the dialect 'https://json-schema.org/v1' is experimental, and that is off");
}

static enum cupel_status enter(struct frontend *fe, uint32_t i, const struct header *h)
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

/* Checks one keyword and takes in what it holds. */
static enum cupel_status take(struct frontend *fe, uint32_t i, uint32_t k)
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
        if (s->dialect != DRAFT_V1) /* where `$ref` does not know it */
            status = add_anchor(fe, i, graph_str(&fe->g, s, value), value, SPACE_ANCHOR);
        return status == CUPEL_OK ? add_dynamic(fe, i, graph_str(&fe->g, s, value), value) : status;
    case KW_RECURSIVE_ANCHOR:
        if (fe->resources[s->resource].schema == i &&
            graph_json(&fe->g, s)->nodes[value].type == CUPEL__TRUE)
            return add_dynamic(fe, i, (struct cupel__str){"", 0}, value);
        return CUPEL_OK;
    default:
        return add_children(fe, i, k);
    }
}

/* -- The index -------------------------------------------------------------------------------- */

/* Drops the keywords that the dialect does not know. */
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

/* Before v1 anything may stand beside keywords; there it must begin with `x-`. */
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

static enum cupel_status index_schema(struct frontend *fe, uint32_t i)
{
    struct header header = {0};
    enum cupel_status status = list_keywords(fe, i, &header);
    if (status == CUPEL_OK)
        status = enter(fe, i, &header);
    if (status == CUPEL_OK)
        status = refuse_unknown(fe, i);
    if (status != CUPEL_OK)
        return status;
    keep_known(&fe->g, i);
    uint32_t first = fe->g.schemas[i].keywords, end = fe->g.nkeywords;
    for (uint32_t k = first; k < end && status == CUPEL_OK; k++)
        status = take(fe, i, k);
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

enum cupel_status cupel__fe_add_document(struct frontend *fe, struct cupel__doc *json,
                                         uint32_t root, struct fe_dialect dialect,
                                         struct cupel__str uri)
{
    struct graph *g = &fe->g;
    uint32_t end = cupel__node_next(json->nodes, root);
    uint32_t *at = cupel__arena_array(fe->arena, end - root, sizeof *at);
    if (at == NULL || FE_GROW(fe, g->docs, fe->docs_cap, g->ndocs + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    g->docs[g->ndocs++] = (struct graph_doc){json, root, end, at, uri};
    struct graph_schema schema = {.doc = g->ndocs - 1,
                                  .node = root,
                                  .parent = GRAPH_NONE,
                                  .via = GRAPH_NONE,
                                  .depth = 1,
                                  .dialect = dialect.draft,
                                  .vocabularies = dialect.vocabularies};
    enum cupel_status status = cupel__fe_check_schema(fe, &schema, root);
    if (status == CUPEL_OK)
        status = add_schema(fe, &schema);
    if (status == CUPEL_OK)
        status = add_resource(fe, g->nschemas - 1, uri);
    if (status == CUPEL_OK && uri.n != 0)
        status = claim_uri(fe, fe->nresources - 1, root);
    return status;
}

enum cupel_status cupel__fe_add_out_of_place(struct frontend *fe, uint32_t parent, uint32_t node,
                                             struct cupel__str path, unsigned depth)
{
    struct graph *g = &fe->g;
    struct graph_schema stray = g->schemas[parent];
    enum cupel_status status = cupel__fe_check_schema(fe, &stray, node);
    if (status != CUPEL_OK)
        return status;
    if (FE_GROW(fe, g->strays, fe->strays_cap, g->nstrays + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    stray.depth = deeper(stray.depth, depth);
    stray.node = node;
    stray.parent = parent;
    stray.via = g->nstrays;
    stray.stray = stray.detached = true;
    g->strays[g->nstrays++] = path;
    return add_schema(fe, &stray);
}
