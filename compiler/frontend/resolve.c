/* resolve.c: from a reference to the schema that it refers to.
 *
 * A reference is resolved to a resource, by its URI, and within the resource by its fragment:
 * empty, an anchor or a JSON Pointer (core 8.2.3).  Resources that are not loaded come from
 * document.c.  A JSON Pointer is followed through the document as it is written.  Where it ends at
 * a value that is not in the place of a subschema, that value is added as an out-of-place subschema
 * of the innermost schema on the path, and indexed. */
#include "compiler/frontend/frontend.h"

#include "base/uri.h"
#include <string.h>

/* The reference that is being resolved. */
struct site {
    struct frontend *fe;
    uint32_t schema, value;
    struct cupel__str ref;
};

/* Reports a reference without a target. */
static enum cupel_status unresolved(const struct site *at, const char *why)
{
    return cupel__fe_fail(at->fe, CUPEL_E_UNRESOLVED_REF, at->fe->g.schemas[at->schema].doc,
                          at->value, "'%.*s' does not resolve: %s", FE_TEXT(at->ref), why);
}

/* The same for a JSON Pointer, with the step that is not there. */
static enum cupel_status leads_nowhere(const struct site *at, struct cupel__str token, bool escaped)
{
    return cupel__fe_fail(at->fe, CUPEL_E_UNRESOLVED_REF, at->fe->g.schemas[at->schema].doc,
                          at->value, "'%.*s' does not resolve: %s '%.*s'", FE_TEXT(at->ref),
                          escaped ? "there is no" : "`~` must be ~0 or ~1 in", FE_TEXT(token));
}

/* -- Documents -------------------------------------------------------------------------------- */

/* Finds the resource of the part before the fragment, and indexes any document that was loaded for
 * it. */
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
        status = unresolved(at, cupel__fe_is_absolute(uri) ? "no schema has this URI"
                                                           : "no schema has this relative URI");
    if (status == CUPEL_OK)
        status = cupel__fe_index(fe);
    if (status == CUPEL_OK)
        *ret_resource = resource;
    return status;
}

/* -- JSON Pointers (RFC 6901) ----------------------------------------------------------------- */

/* Enters all members or items of a container into the table. */
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

/* An array index as RFC 6901 (section 4) writes it: no leading zeros. */
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

/* The value one step below a container with few values; 0 if there is none. */
static uint32_t step_small(struct cupel__doc *json, uint32_t node, const struct fe_key *key)
{
    if (key->space == SPACE_MEMBER)
        return cupel__doc_member(json, node, key->name);
    uint32_t n = node + 1, end = json->nodes[node].end;
    for (uint32_t i = 0; i < key->index && n < end; i++)
        n = cupel__node_next(json->nodes, n);
    return n < end ? n : 0;
}

/* The value one step below a node; 0 if there is none.  A large container is entered into the table
 * at the first step into it, so that many pointers into it do not search it each time. */
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

/* Replaces ~1 and ~0 (RFC 6901 section 3).  *ret_ok is false if any other ~ occurs. */
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

/* Removes the next token from a JSON Pointer, which begins with a slash, and returns it. */
static struct cupel__str next_token(struct cupel__str *pointer)
{
    const char *slash = memchr(pointer->p + 1, '/', pointer->n - 1);
    size_t n = slash == NULL ? pointer->n : (size_t)(slash - pointer->p);
    struct cupel__str token = {pointer->p + 1, n - 1};
    *pointer = (struct cupel__str){pointer->p + n, pointer->n - n};
    return token;
}

/* Finds the schema that a JSON Pointer leads to from schema `from`, adding it if it is out of
 * place.  A value that is no schema is refused. */
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
            return leads_nowhere(at, token, ok);
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

/* The schema that a fragment refers to in a resource: its root, the target of a pointer, or an
 * anchor. */
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

/* Decodes the percent escapes of a fragment. */
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

/* Whether the target of a reference may depend on the dynamic scope: the initial target has a
 * dynamic anchor of the name that the reference uses (core 8.2.3.2). */
static bool is_dynamic(const struct frontend *fe, unsigned kind, uint32_t target,
                       struct cupel__str name)
{
    bool plain_name = name.n > 0 && name.p[0] != '/';
    if (kind != KW_RECURSIVE_REF && (kind != KW_DYNAMIC_REF || !plain_name))
        return false;
    const struct fe_entry *e = find_anchor(fe, SPACE_DYNAMIC, fe->g.schemas[target].resource, name);
    return e != NULL && e->value == target;
}

/* `$dynamicRef` of v1 is a plain name, with or without the '#' of 2020-12.  It has no initial
 * target; only the dynamic scope decides. */
static enum cupel_status resolve_name(const struct site *at, uint32_t k)
{
    struct cupel__str name = at->ref;
    if (name.n > 0 && name.p[0] == '#')
        name = (struct cupel__str){name.p + 1, name.n - 1};
    if (name.n == 0 || memchr(name.p, '#', name.n) != NULL || memchr(name.p, '/', name.n) != NULL)
        return unresolved(at, "it is not the name of an anchor");
    return cupel__fe_add_open_ref(at->fe, at->schema, k, name);
}

/* Sets the keyword's kind, `first` and `count`.  `before` is the length of the part before the
 * fragment; if it is 0, the resource is the schema's own. */
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
