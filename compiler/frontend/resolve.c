/* resolve.c: from a reference to the schema that it means.
 *
 * A reference is resolved to a resource, by URI, and in it by its fragment: nothing, an anchor or a
 * JSON Pointer (core 8.2.3).  Documents that are not loaded are meta-schemas or come from the
 * host's resolver, once each.  Pointers walk the document as it is written; where one ends at no
 * known subschema, what is there is indexed on demand, under the innermost schema passed on the
 * way. */
#include "base/error.h"
#include "compiler/frontend/frontend.h"

#include "base/uri.h"
#include <cupel/debug.h>
#include <string.h>

/* A reference being resolved. */
struct site {
    struct frontend *fe;
    uint32_t schema, value;
    struct cupel__str ref;
};

static enum cupel_status unresolved(const struct site *at, const char *why)
{
    return cupel__fe_fail(at->fe, CUPEL_E_UNRESOLVED_REF, at->fe->g.schemas[at->schema].doc,
                          at->value, "'%.*s' does not resolve: %s", FE_TEXT(at->ref), why);
}

/* -- Documents -------------------------------------------------------------------------------- */

/* A failure to read another document: its own place, and which document that is. */
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

/* Makes a document of a text.  Where it does not say, its dialect is the one of the schema that all
 * began with. */
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
        cupel__doc_free(json); /* it did not become one of the graph's */
    return status;
}

/* Whether a URI that cupel__fe_uri() has made names its scheme. */
static bool is_absolute(struct cupel__str uri)
{
    struct cupel__uri parts = {.has_scheme = false};
    (void)cupel__uri_split(uri, &parts);
    return parts.has_scheme;
}

/* The text of a document that is not loaded yet: a meta-schema, or what the host's resolver has. */
static bool find_text(const struct frontend *fe, struct cupel__str uri, struct cupel__str *ret,
                      bool *ret_built_in)
{
    *ret_built_in = cupel__fe_metaschema(uri, ret);
    if (*ret_built_in)
        return true;
    return is_absolute(uri) && fe->options->resolver != NULL &&
           fe->options->resolver(fe->options->resolver_ctx, uri.p, uri.n, &ret->p, &ret->n) == 0;
}

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

static enum cupel_status find_resource(const struct site *at, struct cupel__str ref,
                                       uint32_t *ret_resource)
{
    struct frontend *fe = at->fe;
    uint32_t here = fe->g.schemas[at->schema].resource, resource = here;
    struct cupel__uri parts;
    struct cupel__str uri;
    if (!cupel__uri_split(ref, &parts))
        return unresolved(at, "it is not a URI reference");
    enum cupel_status status = cupel__fe_uri(fe, fe->resources[here].uri, ref, &uri);
    if (status == CUPEL_OK && !cupel__str_eq(uri, fe->resources[here].uri))
        status = cupel__fe_find_resource(fe, uri, &resource);
    if (status == CUPEL_OK && resource == GRAPH_NONE)
        status = unresolved(at, is_absolute(uri) ? "no schema has this URI"
                                                 : "no schema has this relative URI");
    if (status == CUPEL_OK)
        status = cupel__fe_index(fe);
    if (status == CUPEL_OK)
        *ret_resource = resource;
    return status;
}

/* -- JSON Pointers (RFC 6901) ----------------------------------------------------------------- */

/* Puts all members or items of a container into the table. */
static enum cupel_status list_container(struct frontend *fe, uint32_t doc, uint32_t node)
{
    struct cupel__doc *json = fe->g.docs[doc].json;
    bool object = json->nodes[node].type == CUPEL__OBJECT;
    struct fe_key key = {SPACE_LISTED, doc, node, 0, {NULL, 0}};
    enum cupel_status status = cupel__fe_table_add(fe, key, 0);
    key.space = object ? SPACE_MEMBER : SPACE_ITEM;
    for (uint32_t n = node + 1; n < json->nodes[node].end && status == CUPEL_OK;
         n = cupel__node_next(json->nodes, n + object)) {
        if (object)
            key.name = cupel__doc_str(json, &json->nodes[n]);
        status = cupel__fe_table_add(fe, key, n + object);
        key.index += !object;
    }
    return status;
}

/* An array index as RFC 6901 writes it. */
static bool parse_index(struct cupel__str token, uint32_t *ret)
{
    uint64_t index = 0;
    if (token.n == 0 || token.n > 9 || (token.p[0] == '0' && token.n > 1))
        return false;
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] < '0' || token.p[i] > '9')
            return false;
        index = index * 10 + (uint64_t)(token.p[i] - '0');
    }
    *ret = (uint32_t)index;
    return true;
}

/* The value one step below a container of few values. */
static uint32_t step_small(struct cupel__doc *json, uint32_t node, const struct fe_key *key)
{
    if (key->space == SPACE_MEMBER)
        return cupel__doc_member(json, node, key->name);
    uint32_t n = node + 1, end = json->nodes[node].end;
    for (uint32_t i = 0; i < key->index && n < end; i++)
        n = cupel__node_next(json->nodes, n);
    return n < end ? n : 0;
}

/* The value one step below a node, 0 if there is none.  Many pointers into one large container must
 * not walk it each time, so it is listed in the table at the first. */
static enum cupel_status step(struct frontend *fe, uint32_t doc, uint32_t node,
                              struct cupel__str token, uint32_t *ret)
{
    enum { SMALL = 16 };
    struct cupel__doc *json = fe->g.docs[doc].json;
    struct fe_key key = {SPACE_MEMBER, doc, node, 0, token},
                  listed = {SPACE_LISTED, doc, node, 0, {NULL, 0}};
    *ret = 0;
    if (json->nodes[node].type == CUPEL__ARRAY) {
        key = (struct fe_key){SPACE_ITEM, doc, node, 0, {NULL, 0}};
        if (!parse_index(token, &key.index))
            return CUPEL_OK;
    } else if (json->nodes[node].type != CUPEL__OBJECT) {
        return CUPEL_OK;
    }
    if (json->nodes[node].count <= SMALL) {
        *ret = step_small(json, node, &key);
        return CUPEL_OK;
    }
    if (cupel__fe_table_find(fe, listed) == NULL && list_container(fe, doc, node) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    const struct fe_entry *e = cupel__fe_table_find(fe, key);
    *ret = e != NULL ? e->value : 0;
    return CUPEL_OK;
}

/* Replaces ~1 and ~0. *ret_ok tells whether there is any other ~. */
static enum cupel_status unescape(struct frontend *fe, struct cupel__str *token, bool *ret_ok)
{
    *ret_ok = true;
    if (token->n == 0 || memchr(token->p, '~', token->n) == NULL)
        return CUPEL_OK;
    char *out = cupel__arena_alloc(fe->arena, token->n);
    size_t n = 0;
    if (out == NULL)
        return cupel__fe_no_memory(fe);
    for (size_t i = 0; i < token->n; i++) {
        char c = token->p[i];
        if (c == '~') {
            i++;
            if (i == token->n || (token->p[i] != '0' && token->p[i] != '1')) {
                *ret_ok = false;
                return CUPEL_OK;
            }
            c = token->p[i] == '0' ? '~' : '/';
        }
        out[n++] = c;
    }
    *token = (struct cupel__str){out, n};
    return CUPEL_OK;
}

/* Takes the next token off a JSON Pointer that begins with its slash. */
static struct cupel__str next_token(struct cupel__str *pointer)
{
    const char *slash = memchr(pointer->p + 1, '/', pointer->n - 1);
    size_t n = slash == NULL ? pointer->n : (size_t)(slash - pointer->p);
    struct cupel__str token = {pointer->p + 1, n - 1};
    *pointer = (struct cupel__str){pointer->p + n, pointer->n - n};
    return token;
}

/* The schema that a pointer leads to from schema `from`. */
static enum cupel_status follow(const struct site *at, uint32_t from, struct cupel__str pointer,
                                uint32_t *ret)
{
    struct frontend *fe = at->fe;
    uint32_t doc = fe->g.schemas[from].doc, node = fe->g.schemas[from].node, last = from;
    struct cupel__str path = pointer; /* the part after schema `last` */
    unsigned depth = 0;               /* tokens in it */
    while (pointer.n > 0) {
        struct cupel__str token = next_token(&pointer);
        bool ok;
        enum cupel_status status = unescape(fe, &token, &ok);
        if (status == CUPEL_OK && ok)
            status = step(fe, doc, node, token, &node);
        if (status != CUPEL_OK)
            return status;
        if (!ok || node == 0)
            return unresolved(at, "the JSON Pointer leads nowhere");
        uint32_t found = fe->g.docs[doc].at[node - fe->g.docs[doc].root];
        depth++;
        if (found != 0) {
            last = found - 1;
            path = pointer;
            depth = 0;
        }
    }
    *ret = last;
    if (depth == 0)
        return CUPEL_OK;
    *ret = fe->g.nschemas;
    enum cupel_status status = cupel__fe_add_out_of_place(fe, last, node, path, depth);
    return status == CUPEL_OK ? cupel__fe_index(fe) : status;
}

/* -- References ------------------------------------------------------------------------------- */

static const struct fe_entry *find_anchor(const struct frontend *fe, enum fe_space space,
                                          uint32_t resource, struct cupel__str name)
{
    return cupel__fe_table_find(fe,
                                (struct fe_key){.space = space, .number = resource, .name = name});
}

/* The schema that a fragment means in a resource. */
static enum cupel_status find_fragment(const struct site *at, uint32_t resource,
                                       struct cupel__str fragment, uint32_t *ret)
{
    uint32_t root = at->fe->resources[resource].schema;
    *ret = root;
    if (fragment.n == 0)
        return CUPEL_OK;
    if (fragment.p[0] == '/')
        return follow(at, root, fragment, ret);
    const struct fe_entry *e = find_anchor(at->fe, SPACE_ANCHOR, resource, fragment);
    if (e == NULL)
        return unresolved(at, "the resource has no such anchor");
    *ret = e->value;
    return CUPEL_OK;
}

static enum cupel_status decode(const struct site *at, struct cupel__str *fragment)
{
    struct cupel__uri parts;
    if (fragment->n == 0 || memchr(fragment->p, '%', fragment->n) == NULL)
        return CUPEL_OK;
    if (!cupel__uri_split(*fragment, &parts))
        return unresolved(at, "it is not a URI reference");
    *fragment = cupel__uri_decode(at->fe->arena, *fragment);
    return fragment->p == NULL ? cupel__fe_no_memory(at->fe) : CUPEL_OK;
}

/* Whether a reference may mean another schema than its first target, depending on the way to it:
 * that target has a dynamic anchor of the name which the reference uses (core 8.2.3.2). */
static bool is_dynamic(const struct frontend *fe, unsigned kind, uint32_t target,
                       struct cupel__str name)
{
    bool plain_name = name.n > 0 && name.p[0] != '/';
    if (kind != KW_RECURSIVE_REF && (kind != KW_DYNAMIC_REF || !plain_name))
        return false;
    const struct fe_entry *e = find_anchor(fe, SPACE_DYNAMIC, fe->g.schemas[target].resource, name);
    return e != NULL && e->value == target;
}

/* `$dynamicRef` of v1 is a plain name, with or without the '#' of 2020-12; what it means is only
 * known on the way to it. */
static enum cupel_status resolve_name(const struct site *at, uint32_t k)
{
    struct cupel__str name = at->ref;
    if (name.n > 0 && name.p[0] == '#')
        name = (struct cupel__str){name.p + 1, name.n - 1};
    if (name.n == 0 || memchr(name.p, '#', name.n) != NULL || memchr(name.p, '/', name.n) != NULL)
        return unresolved(at, "it is not the name of an anchor");
    return cupel__fe_add_open_ref(at->fe, at->schema, k, name);
}

enum cupel_status cupel__fe_resolve(struct frontend *fe, uint32_t i, uint32_t k)
{
    const struct graph_keyword *kw = &fe->g.keywords[k];
    unsigned kind = kw->kind;
    const struct site at = {fe, i, kw->value, graph_str(&fe->g, &fe->g.schemas[i], kw->value)};
    const char *hash = at.ref.n == 0 ? NULL : memchr(at.ref.p, '#', at.ref.n);
    size_t before = hash == NULL ? at.ref.n : (size_t)(hash - at.ref.p);
    struct cupel__str fragment = {at.ref.p + before, at.ref.n - before};
    uint32_t resource = fe->g.schemas[i].resource, target = 0;
    enum cupel_status status = CUPEL_OK;
    if (kind == KW_DYNAMIC_REF && fe->g.schemas[i].dialect == DRAFT_V1)
        return resolve_name(&at, k);
    if (hash != NULL)
        fragment = (struct cupel__str){fragment.p + 1, fragment.n - 1};
    if (before > 0)
        status = find_resource(&at, (struct cupel__str){at.ref.p, before}, &resource);
    if (status == CUPEL_OK)
        status = decode(&at, &fragment);
    if (status == CUPEL_OK)
        status = find_fragment(&at, resource, fragment, &target);
    if (status != CUPEL_OK)
        return status;
    fe->g.keywords[k].kind = KW_REF;
    fe->g.keywords[k].first = target;
    fe->g.keywords[k].count = 1;
    return is_dynamic(fe, kind, target, fragment) ? cupel__fe_add_dynamic_ref(fe, i, k, fragment)
                                                  : CUPEL_OK;
}
