/* document.c: documents and the schemas and resources in them.
 *
 * A document is the compiled text, a meta-schema of the standard, or a text from the host's
 * resolver.  Each is read once.  Adding one creates its root schema and root resource; index.c
 * finds the rest.  The array of schemas is its own work queue (index.c), so a schema's parent
 * always has the lower number. */
#include "base/error.h"
#include "compiler/frontend/frontend.h"

#include "base/json/equal.h"
#include "base/uri.h"
#include <cupel/debug.h>
#include <string.h>

/* -- Schemas and resources -------------------------------------------------------------------- */

/* Appends a schema whose node has the type of one (object or boolean).  Enforces `subschemas` and
 * `schema_depth`.  The keywords are listed later by index.c.  Invalidates pointers to schemas. */
enum cupel_status cupel__fe_add_schema(struct frontend *fe, const struct graph_schema *schema)
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

/* Two schemas may claim one identifier if their texts are equal as JSON. */
bool cupel__fe_same_schema(const struct graph *g, uint32_t a, uint32_t b)
{
    const struct graph_schema *x = &g->schemas[a], *y = &g->schemas[b];
    struct cupel__budget budget = {.remaining = INT64_MAX};
    return a == b ||
           cupel__json_equal(graph_json(g, x), x->node, graph_json(g, y), y->node, &budget) == 1;
}

/* Enters resource r in the table under its URI; `value` is the node that an error points to.
 *
 * Documents of the compilation are entered before the built-in meta-schemas, so a document that
 * embeds its own copy of a meta-schema refers to that copy.  The dialect does not depend on it:
 * `$schema` is recognised by its URI alone. */
enum cupel_status cupel__fe_claim_uri(struct frontend *fe, uint32_t r, uint32_t value)
{
    const struct fe_resource *mine = &fe->resources[r];
    struct fe_key key = {.space = SPACE_URI, .name = mine->uri};
    const struct fe_entry *other = cupel__fe_table_find(fe, key);
    if (other == NULL)
        return cupel__fe_table_add(fe, key, r) == CUPEL_OK ? CUPEL_OK : cupel__fe_no_memory(fe);
    if (cupel__fe_same_schema(&fe->g, mine->schema, fe->resources[other->value].schema))
        return CUPEL_OK;
    return cupel__fe_fail(fe, CUPEL_E_IDENTIFIER, fe->g.schemas[mine->schema].doc, value,
                          "two different schemas have the URI '%.*s'", FE_TEXT(mine->uri));
}

enum cupel_status cupel__fe_add_resource(struct frontend *fe, uint32_t schema,
                                         struct cupel__str uri)
{
    if (FE_GROW(fe, fe->resources, fe->resources_cap, fe->nresources + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    struct graph_schema *s = &fe->g.schemas[schema];
    s->resource = fe->nresources;
    fe->resources[fe->nresources++] = (struct fe_resource){
        .uri = uri, .schema = schema, .bindings = GRAPH_NONE, .detached = s->detached};
    return CUPEL_OK;
}

/* Adds the document's root as a schema and as a resource with the URI it was retrieved by, if that
 * is not empty.  The root still has to be indexed.  On failure the document may already be one of
 * the graph's: compare `ndocs`. */
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
        status = cupel__fe_add_schema(fe, &schema);
    if (status == CUPEL_OK)
        status = cupel__fe_add_resource(fe, g->nschemas - 1, uri);
    if (status == CUPEL_OK && uri.n != 0)
        status = cupel__fe_claim_uri(fe, fe->nresources - 1, root);
    return status;
}

/* Such a schema is detached: a reference may or may not have led to it, and identifiers in it must
 * not depend on that (core 9.4.2). */
enum cupel_status cupel__fe_add_out_of_place(struct frontend *fe, uint32_t parent, uint32_t node,
                                             struct cupel__str path, unsigned depth)
{
    struct graph *g = &fe->g;
    struct graph_schema schema = g->schemas[parent];
    enum cupel_status status = cupel__fe_check_schema(fe, &schema, node);
    if (status != CUPEL_OK)
        return status;
    if (FE_GROW(fe, g->pointers, fe->pointers_cap, g->npointers + (size_t)1) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    schema.depth = fe_deeper(schema.depth, depth);
    schema.node = node;
    schema.parent = parent;
    schema.via = g->npointers;
    schema.out_of_place = schema.detached = true;
    g->pointers[g->npointers++] = path;
    return cupel__fe_add_schema(fe, &schema);
}

/* -- Loading ---------------------------------------------------------------------------------- */

/* Reports that another document cannot be read: the reader's message and place, and the document's
 * URI. */
static enum cupel_status unreadable(const struct frontend *fe, const struct cupel_error *e,
                                    enum cupel_status status, struct cupel__str uri)
{
    if (status == CUPEL_E_JSON_DEPTH)
        status = CUPEL_E_SCHEMA_DEPTH;
    if (status == CUPEL_E_JSON_SIZE)
        status = CUPEL_E_SCHEMA_SIZE;
    cupel__error_set(fe->err, status, "%s (in %.*s)", e->detail, FE_TEXT(uri));
    if (fe->err != NULL) {
        fe->err->line = e->line;
        fe->err->column = e->column;
        fe->err->offset = e->offset;
        cupel__error_set_pointer(fe->err, e->where, strlen(e->where));
    }
    return status;
}

enum cupel_status cupel__fe_read_text(struct frontend *fe, struct cupel__str text, bool built_in,
                                      struct cupel__doc *doc, struct cupel_error *err)
{
    const uint64_t *limits = fe->options->limits;
    const struct cupel__read_options read = {
        .flags = fe->options->flags & CUPEL_NO_SIMD ? CUPEL__READ_PORTABLE : 0,
        .max_depth = built_in ? UINT32_MAX : (uint32_t)limits[CUPEL_LIMIT_SCHEMA_DEPTH],
        .max_number = built_in ? UINT32_MAX : (uint32_t)limits[CUPEL_LIMIT_NUMBER_CHARS],
        .max_bytes = built_in ? SIZE_MAX : (size_t)limits[CUPEL_LIMIT_SCHEMA_BYTES]};
    return cupel__json_read(doc, text.p, text.n, &read, err);
}

/* Reads a text and adds it as a document.  Its default dialect is that of the schema which is
 * compiled.  The text's memory is released here unless the document became one of the graph's. */
static enum cupel_status add_text(struct frontend *fe, struct cupel__str text, bool built_in,
                                  struct cupel__str uri)
{
    const struct fe_dialect dialect = {fe->g.schemas[0].dialect, fe->g.schemas[0].vocabularies};
    uint32_t ndocs = fe->g.ndocs;
    struct cupel_error e = {.status = CUPEL_OK};
    struct cupel__doc *json = cupel__arena_alloc(fe->arena, sizeof *json);
    if (json == NULL)
        return cupel__fe_no_memory(fe);
    cupel__doc_init(json, &fe->alloc);
    enum cupel_status status = cupel__fe_read_text(fe, text, built_in, json, &e);
    if (status != CUPEL_OK)
        status = unreadable(fe, &e, status, uri);
    else
        status = cupel__fe_add_document(fe, json, 0, dialect, uri);
    if (fe->g.ndocs == ndocs)
        cupel__doc_free(json); /* the graph did not take it over */
    return status;
}

/* Whether a URI made by cupel__fe_uri() has a scheme. */
bool cupel__fe_is_absolute(struct cupel__str uri)
{
    struct cupel__uri parts = {.has_scheme = false};
    (void)cupel__uri_split(uri, &parts);
    return parts.has_scheme;
}

/* The text of a document that is not loaded yet: a meta-schema of the standard, or what the host's
 * resolver returns.  Only absolute URIs are passed to the resolver. */
static bool find_text(const struct frontend *fe, struct cupel__str uri, struct cupel__str *ret,
                      bool *ret_built_in)
{
    *ret_built_in = cupel__fe_metaschema(uri, ret);
    if (*ret_built_in)
        return true;
    return cupel__fe_is_absolute(uri) && fe->options->resolver != NULL &&
           fe->options->resolver(fe->options->resolver_ctx, uri.p, uri.n, &ret->p, &ret->n) == 0;
}

/* Searches the table first, then the built-in meta-schemas, then calls the host's resolver. */
enum cupel_status cupel__fe_find_resource(struct frontend *fe, struct cupel__str uri, uint32_t *ret)
{
    const struct fe_entry *e =
        cupel__fe_table_find(fe, (struct fe_key){.space = SPACE_URI, .name = uri});
    struct cupel__str text = {NULL, 0};
    bool built_in = false;
    if (e != NULL) {
        *ret = e->value;
        return CUPEL_OK;
    }
    uint32_t resource = fe->nresources;
    if (!find_text(fe, uri, &text, &built_in)) {
        *ret = GRAPH_NONE;
        return CUPEL_OK;
    }
    enum cupel_status status = add_text(fe, text, built_in, uri);
    if (status == CUPEL_OK)
        *ret = resource;
    return status;
}
