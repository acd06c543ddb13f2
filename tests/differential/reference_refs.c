/* reference_refs.c: documents, resources, anchors and references of the reference evaluator.
 *
 * A document is walked once when it is opened, through the places where its dialect has subschemas,
 * for identifiers and anchors.  A reference into any other place walks the schema there. */
#include "reference_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Memory ----------------------------------------------------------------------------------- */

struct ref_block {
    struct ref_block *next;
    max_align_t bytes[];
};

void *ref_take(struct reference *ref, size_t size)
{
    struct ref_block *block = calloc(1, sizeof(*block) + size);
    if (block == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(70);
    }
    block->next = ref->blocks;
    ref->blocks = block;
    return block->bytes;
}

char *ref_copy(struct reference *ref, const char *text, size_t len)
{
    char *copy = ref_take(ref, len + 1);
    memcpy(copy, text, len);
    return copy;
}

void ref_close(struct reference *ref)
{
    for (struct ref_file *f = ref->files; f != NULL; f = f->next)
        if (f->owned)
            cupel_document_free(f->doc);
    while (ref->blocks != NULL) {
        struct ref_block *next = ref->blocks->next;
        free(ref->blocks);
        ref->blocks = next;
    }
}

void ref_give_up(struct reference *ref, const char *why)
{
    if (ref->gave_up == NULL)
        ref->gave_up = why;
}

void ref_refuse(struct reference *ref, const char *why)
{
    ref->broken = ref->broken || ref->gave_up == NULL;
    ref_give_up(ref, why);
}

/* -- Members ---------------------------------------------------------------------------------- */

static uint32_t member(struct ref_file *file, uint32_t node, const char *name)
{
    return cupel_json_member(file->doc, node, name, strlen(name));
}

/* A member that is a string, as a copy; NULL if there is none. */
static char *string_member(struct reference *ref, struct ref_file *file, uint32_t node,
                           const char *name)
{
    size_t len;
    uint32_t value = member(file, node, name);
    if (value == CUPEL_NO_NODE || cupel_json_type(file->doc, value) != CUPEL_JSON_STRING)
        return NULL;
    const char *text = cupel_json_string(file->doc, value, &len);
    return ref_copy(ref, text, len);
}

/* Cuts the fragment off a URI; NULL if it has none. */
static char *cut_fragment(char *uri)
{
    char *hash = strchr(uri, '#');
    if (hash == NULL)
        return NULL;
    *hash = '\0';
    return hash + 1;
}

/* -- Dialects --------------------------------------------------------------------------------- */

static struct ref_file *find_file(struct reference *ref, const char *uri);

static const struct {
    const char *uri;
    int draft;
} drafts[] = {{"http://json-schema.org/draft-04/schema", 4},
              {"http://json-schema.org/draft-06/schema", 6},
              {"http://json-schema.org/draft-07/schema", 7},
              {"https://json-schema.org/draft/2019-09/schema", 2019},
              {"https://json-schema.org/draft/2020-12/schema", 2020},
              {"https://json-schema.org/v1", CUPEL_V1}};

static int draft_of(const char *uri)
{
    size_t n = strcspn(uri, "#");
    for (size_t i = 0; i < sizeof(drafts) / sizeof(drafts[0]); i++)
        if (strlen(drafts[i].uri) == n && memcmp(drafts[i].uri, uri, n) == 0)
            return drafts[i].draft;
    return 0;
}

static bool ends_with(const char *text, size_t len, const char *end)
{
    size_t n = strlen(end);
    return len >= n && memcmp(text + len - n, end, n) == 0;
}

/* The vocabularies that a meta-schema lists; what it does not list is not known. */
static unsigned read_vocabularies(struct ref_file *file, uint32_t list)
{
    static const char *const ends[REF_VOCABULARIES] = {"/vocab/core", "/vocab/applicator",
                                                       "/vocab/validation", "/vocab/unevaluated"};
    unsigned bits = 0;
    uint32_t key = cupel_json_first(file->doc, list);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(file->doc, list, key + 1)) {
        size_t len;
        const char *uri = cupel_json_string(file->doc, key, &len);
        for (int v = 0; v < REF_VOCABULARIES; v++)
            bits |= (unsigned)ends_with(uri, len, ends[v]) << v;
    }
    return bits;
}

/* What `$schema` says.  A meta-schema of somebody's own is asked what it is written in. */
static bool find_dialect(struct reference *ref, char *uri, struct ref_dialect *ret)
{
    struct ref_dialect d = {draft_of(uri), ~0U};
    if (d.draft == 0) {
        (void)cut_fragment(uri);
        struct ref_file *file = find_file(ref, uri);
        char *own = file != NULL ? string_member(ref, file, file->root, "$schema") : NULL;
        uint32_t list = file != NULL ? member(file, file->root, "$vocabulary") : CUPEL_NO_NODE;
        d.draft = own != NULL ? draft_of(own) : 0;
        if (list != CUPEL_NO_NODE)
            d.vocabularies = read_vocabularies(file, list);
    }
    *ret = d;
    return d.draft != 0;
}

/* -- Finding identifiers ---------------------------------------------------------------------- */

static struct ref_resource *resource_at(const struct reference *ref, const struct ref_file *file,
                                        uint32_t node)
{
    struct ref_resource *r = ref->resources;
    while (r != NULL && (r->file != file || r->node != node))
        r = r->next;
    return r;
}

static struct ref_resource *add_resource(struct reference *ref, struct ref_file *file,
                                         uint32_t node, const char *uri, struct ref_dialect dialect)
{
    struct ref_resource *r = ref_take(ref, sizeof(*r));
    *r = (struct ref_resource){ref->resources, file, node, uri, dialect};
    ref->resources = r;
    return r;
}

static void add_anchor(struct reference *ref, const struct ref_resource *resource, uint32_t node,
                       const char *name, bool dynamic)
{
    struct ref_anchor *a = ref_take(ref, sizeof(*a));
    *a = (struct ref_anchor){ref->anchors, resource, node, name, dynamic};
    ref->anchors = a;
}

static char *string_keyword(struct reference *ref, struct ref_place at, const char *name)
{
    enum ref_shape shape;
    if (!ref_keyword(&at.resource->dialect, name, strlen(name), &shape))
        return NULL;
    return string_member(ref, at.resource->file, at.node, name);
}

/* The schema's own identifier, unless a `$ref` of the older drafts hides it. */
static char *identifier(struct reference *ref, struct ref_file *file, uint32_t node, int draft)
{
    if (draft <= 7 && string_member(ref, file, node, "$ref") != NULL)
        return NULL;
    return string_member(ref, file, node, draft == 4 ? "id" : "$id");
}

/* Adds what the schema declares.  Returns the resource that it, and what is below it, belongs to.
 */
static struct ref_resource *declare(struct reference *ref, struct ref_place at)
{
    struct ref_resource *resource = at.resource;
    struct ref_file *file = resource->file;
    if (at.node != resource->node) {
        struct ref_dialect dialect = resource->dialect;
        char *own = string_member(ref, file, at.node, "$schema");
        char *id = identifier(ref, file, at.node, dialect.draft);
        if (id != NULL && own != NULL && !find_dialect(ref, own, &dialect))
            ref_refuse(ref, "unknown dialect");
        char *fragment = id != NULL ? cut_fragment(id) : NULL;
        if (id != NULL && *id != '\0')
            resource =
                add_resource(ref, file, at.node, ref_uri_resolve(ref, resource->uri, id), dialect);
        if (fragment != NULL && *fragment != '\0')
            add_anchor(ref, resource, at.node, fragment, false);
    }
    struct ref_place here = {resource, at.node};
    const char *name = string_keyword(ref, here, "$anchor");
    if (name != NULL)
        add_anchor(ref, resource, at.node, name, false);
    name = string_keyword(ref, here, "$dynamicAnchor");
    if (name != NULL)
        add_anchor(ref, resource, at.node, name, true);
    return resource;
}

static void index_schema(struct reference *ref, struct ref_place at);

static void index_children(struct reference *ref, struct ref_place at)
{
    struct cupel_document *doc = at.resource->file->doc;
    bool object = cupel_json_type(doc, at.node) == CUPEL_JSON_OBJECT;
    uint32_t child = cupel_json_first(doc, at.node);
    while (child != CUPEL_NO_NODE) {
        uint32_t value = object ? child + 1 : child;
        index_schema(ref, (struct ref_place){at.resource, value});
        child = cupel_json_next(doc, at.node, value);
    }
}

/* Of a map of maps. */
static void index_maps(struct reference *ref, struct ref_place at)
{
    struct cupel_document *doc = at.resource->file->doc;
    uint32_t key = cupel_json_first(doc, at.node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(doc, at.node, key + 1))
        index_children(ref, (struct ref_place){at.resource, key + 1});
}

static void index_keyword(struct reference *ref, struct ref_place at, enum ref_shape shape)
{
    enum cupel_json_type type = cupel_json_type(at.resource->file->doc, at.node);
    if (shape == REF_SCHEMA || (shape == REF_MIXED && type == CUPEL_JSON_OBJECT))
        index_schema(ref, at);
    else if ((shape == REF_LIST || shape == REF_MIXED) && type == CUPEL_JSON_ARRAY)
        index_children(ref, at);
    else if (shape == REF_MAP && type == CUPEL_JSON_OBJECT)
        index_children(ref, at);
    else if (shape == REF_MAPS && type == CUPEL_JSON_OBJECT)
        index_maps(ref, at);
}

static void index_schema(struct reference *ref, struct ref_place at)
{
    struct ref_file *file = at.resource->file;
    if (file->indexed[at.node] || cupel_json_type(file->doc, at.node) != CUPEL_JSON_OBJECT)
        return;
    file->indexed[at.node] = 1;
    struct ref_resource *resource = declare(ref, at);
    uint32_t key = cupel_json_first(file->doc, at.node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(file->doc, at.node, key + 1)) {
        size_t len;
        enum ref_shape shape;
        const char *name = cupel_json_string(file->doc, key, &len);
        if (ref_keyword(&resource->dialect, name, len, &shape))
            index_keyword(ref, (struct ref_place){resource, key + 1}, shape);
    }
}

/* -- Documents -------------------------------------------------------------------------------- */

static struct ref_file *add_file(struct reference *ref, struct cupel_document *doc, uint32_t root,
                                 const char *uri, bool owned)
{
    struct ref_file *file = ref_take(ref, sizeof(*file));
    size_t len;
    /* Each node has at least one byte of text, keys two, so this is room for all. */
    (void)cupel_json_span(doc, root, &len);
    unsigned char *indexed = ref_take(ref, root + len + 1);
    *file = (struct ref_file){ref->files, uri, doc, root, owned, indexed};
    ref->files = file;
    return file;
}

/* The document of a URI, read now if need be; its resources are not looked for yet. */
static struct ref_file *find_file(struct reference *ref, const char *uri)
{
    struct ref_file *file = ref->files;
    const char *text;
    size_t len;
    while (file != NULL && strcmp(file->uri, uri) != 0)
        file = file->next;
    if (file != NULL)
        return file;
    struct cupel_document *doc = NULL;
    if (ref->resolver == NULL || ref->resolver(ref->ctx, uri, strlen(uri), &text, &len) != 0 ||
        cupel_document_new(NULL, &doc) != CUPEL_OK)
        return NULL;
    if (cupel_document_read(doc, text, len, NULL) != CUPEL_OK) {
        cupel_document_free(doc);
        return NULL;
    }
    return add_file(ref, doc, 0, uri, true);
}

/* The root resource of a document. */
static struct ref_resource *open_file(struct reference *ref, struct ref_file *file)
{
    struct ref_resource *root = resource_at(ref, file, file->root);
    if (root != NULL)
        return root;
    struct ref_dialect dialect = {ref->dialect == CUPEL_DIALECT_DEFAULT ? 2020 : (int)ref->dialect,
                                  ~0U};
    char *own = string_member(ref, file, file->root, "$schema");
    if (own != NULL && !find_dialect(ref, own, &dialect))
        return NULL;
    char *id = identifier(ref, file, file->root, dialect.draft);
    char *fragment = id != NULL ? cut_fragment(id) : NULL;
    const char *uri = id != NULL ? ref_uri_resolve(ref, file->uri, id) : file->uri;
    root = add_resource(ref, file, file->root, uri, dialect);
    if (fragment != NULL && *fragment != '\0')
        add_anchor(ref, root, file->root, fragment, false);
    index_schema(ref, (struct ref_place){root, file->root});
    return root;
}

bool ref_open(struct reference *ref, struct cupel_document *doc, uint32_t root, const char *uri,
              bool owned, struct ref_place *ret)
{
    struct ref_resource *resource = open_file(ref, add_file(ref, doc, root, uri, owned));
    if (resource != NULL)
        *ret = (struct ref_place){resource, root};
    return resource != NULL;
}

/* -- References ------------------------------------------------------------------------------- */

struct ref_place ref_enter(struct reference *ref, struct ref_place at, uint32_t node)
{
    struct ref_resource *own = resource_at(ref, at.resource->file, node);
    return (struct ref_place){own != NULL ? own : at.resource, node};
}

static int hex(char c)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, c | 0x20);
    return c != '\0' && at != NULL ? (int)(at - digits) : -1;
}

static void decode_percent(char *text)
{
    char *out = text;
    for (; *text != '\0'; text++) {
        int high = *text == '%' ? hex(text[1]) : -1;
        int low = high >= 0 ? hex(text[2]) : -1;
        *out++ = low >= 0 ? (char)(high * 16 + low) : *text;
        text += low >= 0 ? 2 : 0;
    }
    *out = '\0';
}

/* Decodes one token of a JSON Pointer (RFC 6901); returns its length. */
static size_t decode_token(char *token, size_t len)
{
    size_t out = 0;
    for (size_t i = 0; i < len; i++) {
        bool escape = token[i] == '~' && i + 1 < len;
        token[out++] = !escape ? token[i] : token[i + 1] == '1' ? '/' : '~';
        i += escape;
    }
    return out;
}

static uint32_t descend(struct cupel_document *doc, uint32_t node, const char *token, size_t len)
{
    if (cupel_json_type(doc, node) == CUPEL_JSON_OBJECT)
        return cupel_json_member(doc, node, token, len);
    if (len == 0 || len > 9 || strspn(token, "0123456789") < len)
        return CUPEL_NO_NODE;
    uint32_t item = cupel_json_first(doc, node);
    for (long i = strtol(token, NULL, 10); i > 0 && item != CUPEL_NO_NODE; i--)
        item = cupel_json_next(doc, node, item);
    return item;
}

static bool follow_pointer(struct reference *ref, struct ref_place at, char *pointer,
                           struct ref_place *ret)
{
    struct cupel_document *doc = at.resource->file->doc;
    while (*pointer == '/') {
        char *token = pointer + 1;
        size_t len = strcspn(token, "/");
        pointer = token + len;
        uint32_t node = descend(doc, at.node, token, decode_token(token, len));
        if (node == CUPEL_NO_NODE)
            return false;
        at = ref_enter(ref, at, node);
    }
    index_schema(ref, at);
    *ret = ref_enter(ref, at, at.node);
    return true;
}

static const struct ref_anchor *find_anchor(const struct reference *ref,
                                            const struct ref_resource *resource, const char *name)
{
    const struct ref_anchor *a = ref->anchors;
    bool hidden = resource->dialect.draft == CUPEL_V1; /* are dynamic ones from `$ref` */
    while (a != NULL &&
           (a->resource != resource || strcmp(a->name, name) != 0 || (hidden && a->dynamic)))
        a = a->next;
    return a;
}

const struct ref_anchor *ref_dynamic_anchor(const struct reference *ref,
                                            const struct ref_resource *resource, const char *name)
{
    const struct ref_anchor *a = ref->anchors;
    while (a != NULL && (!a->dynamic || a->resource != resource || strcmp(a->name, name) != 0))
        a = a->next;
    return a;
}

static struct ref_resource *find_resource(struct reference *ref, const char *uri)
{
    for (struct ref_resource *r = ref->resources; r != NULL; r = r->next)
        if (strcmp(r->uri, uri) == 0)
            return r;
    struct ref_file *file = find_file(ref, uri);
    return file != NULL ? open_file(ref, file) : NULL;
}

static bool find_target(struct reference *ref, struct ref_place from, const char *uri, size_t len,
                        struct ref_place *ret, const char **ret_name)
{
    char *text = ref_copy(ref, uri, len);
    char *fragment = cut_fragment(text);
    struct ref_resource *resource =
        find_resource(ref, ref_uri_resolve(ref, from.resource->uri, text));
    *ret_name = NULL;
    if (resource == NULL)
        return false;
    struct ref_place root = {resource, resource->node};
    if (fragment == NULL)
        fragment = text + strlen(text);
    decode_percent(fragment);
    if (*fragment == '\0' || *fragment == '/')
        return follow_pointer(ref, root, fragment, ret);
    const struct ref_anchor *anchor = find_anchor(ref, resource, fragment);
    if (anchor == NULL)
        return false;
    *ret_name = fragment;
    *ret = (struct ref_place){resource, anchor->node};
    return true;
}

/* A reference that was resolved before. */
struct ref_link {
    struct ref_link *next;
    struct ref_place from, target;
    const char *name;
};

bool ref_resolve(struct reference *ref, struct ref_place from, uint32_t value,
                 struct ref_place *ret, const char **ret_name)
{
    size_t len;
    struct ref_link *link = ref->links;
    const char *uri = cupel_json_string(from.resource->file->doc, value, &len);
    while (link != NULL && (link->from.resource != from.resource || link->from.node != value))
        link = link->next;
    if (link == NULL) {
        struct ref_link l = {ref->links, {from.resource, value}, from, NULL};
        if (uri == NULL || !find_target(ref, from, uri, len, &l.target, &l.name))
            return false;
        link = ref_take(ref, sizeof(*link));
        *link = l;
        ref->links = link;
    }
    *ret = link->target;
    *ret_name = link->name;
    return true;
}
