/* dialect.c: the dialect of a schema whose `$schema` names a custom meta-schema.
 *
 * A draft says how keywords are read, a set of vocabularies which of them are known.  `$schema`
 * names the meta-schema of a draft (drafts.c) or another one, whose `$vocabulary` is read here
 * (core 8.1).  keywords.def lists the keywords of each draft and vocabulary, shape.c checks their
 * values.  No meta-schema is ever run. */
#include "compiler/frontend/frontend.h"

#include "base/uri.h"

/* -- Vocabularies ----------------------------------------------------------------------------- */

struct vocabulary {
    struct cupel__str uri;
    uint8_t draft;
    uint8_t set;     /* vocabularies in force if `$vocabulary` lists the URI */
    uint8_t if_true; /* further ones if its value there is true */
};

#define V(path) FE_STR("https://json-schema.org/draft/" path)

/* Listing format-assertion of 2020-12 makes `format` assert, whether it is required or not.
 * 2019-09 has one vocabulary for `format`, which asserts only where it is required (validation
 * 7.2). */
static const struct vocabulary vocabularies[] = {
    {V("2019-09/vocab/core"), DRAFT_2019, VOCAB_CORE, 0},
    {V("2019-09/vocab/applicator"), DRAFT_2019, VOCAB_APPLICATOR | VOCAB_UNEVALUATED, 0},
    {V("2019-09/vocab/validation"), DRAFT_2019, VOCAB_VALIDATION, 0},
    {V("2019-09/vocab/meta-data"), DRAFT_2019, VOCAB_META_DATA, 0},
    {V("2019-09/vocab/format"), DRAFT_2019, VOCAB_FORMAT, VOCAB_FORMAT_ASSERTION},
    {V("2019-09/vocab/content"), DRAFT_2019, VOCAB_CONTENT, 0},
    {V("2020-12/vocab/core"), DRAFT_2020, VOCAB_CORE, 0},
    {V("2020-12/vocab/applicator"), DRAFT_2020, VOCAB_APPLICATOR, 0},
    {V("2020-12/vocab/unevaluated"), DRAFT_2020, VOCAB_UNEVALUATED, 0},
    {V("2020-12/vocab/validation"), DRAFT_2020, VOCAB_VALIDATION, 0},
    {V("2020-12/vocab/meta-data"), DRAFT_2020, VOCAB_META_DATA, 0},
    {V("2020-12/vocab/format-annotation"), DRAFT_2020, VOCAB_FORMAT, 0},
    {V("2020-12/vocab/format-assertion"), DRAFT_2020, VOCAB_FORMAT | VOCAB_FORMAT_ASSERTION, 0},
    {V("2020-12/vocab/content"), DRAFT_2020, VOCAB_CONTENT, 0}};

static const struct vocabulary *find_vocabulary(struct cupel__str uri)
{
    for (size_t i = 0; i < sizeof vocabularies / sizeof vocabularies[0]; i++) {
        if (cupel__str_eq(uri, vocabularies[i].uri))
            return &vocabularies[i];
    }
    return NULL;
}

/* The `$schema` that is being resolved. */
struct site {
    struct frontend *fe;
    uint32_t schema, value;
    struct cupel__str uri; /* as written */
};

/* A node of one of the documents. */
struct place {
    uint32_t doc, node;
};

static struct cupel__doc *json_of(const struct site *at, struct place p)
{
    return at->fe->g.docs[p.doc].json;
}

static enum cupel_status refuse(const struct site *at, const char *why)
{
    return cupel__fe_fail(at->fe, CUPEL_E_DIALECT, at->fe->g.schemas[at->schema].doc, at->value,
                          "'%.*s' %s", FE_TEXT(at->uri), why);
}

/* The draft whose core vocabulary a `$vocabulary` lists, or DRAFTS. */
static unsigned core_draft(struct cupel__doc *json, uint32_t list)
{
    struct cupel__node *nodes = json->nodes;
    for (uint32_t k = list + 1; k < nodes[list].end; k = cupel__node_next(nodes, k + 1)) {
        const struct vocabulary *v = find_vocabulary(cupel__doc_str(json, &nodes[k]));
        if (v != NULL && v->set == VOCAB_CORE)
            return v->draft;
    }
    return DRAFTS;
}

/* The vocabularies that a `$vocabulary` object lists.  The core vocabulary is always in force,
 * since a schema could not be read without it.  A vocabulary of another draft counts as unknown;
 * one that is required is refused. */
static enum cupel_status read_list(const struct site *at, struct place list, unsigned draft,
                                   struct fe_dialect *ret)
{
    struct cupel__doc *json = json_of(at, list);
    struct cupel__node *nodes = json->nodes;
    unsigned set = VOCAB_CORE;
    for (uint32_t k = list.node + 1; k < nodes[list.node].end; k = cupel__node_next(nodes, k + 1)) {
        struct cupel__str uri = cupel__doc_str(json, &nodes[k]);
        const struct vocabulary *v = find_vocabulary(uri);
        bool required = nodes[k + 1].type == CUPEL__TRUE;
        if (v != NULL && v->draft == draft)
            set |= v->set | (required ? v->if_true : 0u);
        else if (required)
            return cupel__fe_fail(at->fe, CUPEL_E_DIALECT, at->fe->g.schemas[at->schema].doc,
                                  at->value,
                                  "'%.*s' requires a vocabulary that is not known here: '%.*s'",
                                  FE_TEXT(at->uri), FE_TEXT(uri));
    }
    *ret = (struct fe_dialect){(uint8_t)draft, (uint8_t)set};
    return CUPEL_OK;
}

/* -- Finding a meta-schema -------------------------------------------------------------------- */

/* Returns the value of a member that is a string; p is NULL if there is none. */
static struct cupel__str string_member(struct cupel__doc *json, uint32_t object,
                                       struct cupel__str name)
{
    uint32_t value = cupel__doc_member(json, object, name);
    if (value == 0 || (CUPEL__BIT(json->nodes[value].type) & CUPEL__M_STRING) == 0)
        return (struct cupel__str){NULL, 0};
    return cupel__doc_str(json, &json->nodes[value]);
}

/* Enters an object that has an identifier into the table of definitions.  The first object with a
 * URI stays.  For the document's root, *base becomes its URI. */
static enum cupel_status define(struct frontend *fe, uint32_t doc, uint32_t node,
                                struct cupel__str *base)
{
    struct cupel__doc *json = fe->g.docs[doc].json;
    if (json->nodes[node].type != CUPEL__OBJECT)
        return CUPEL_OK;
    struct cupel__str id = string_member(json, node, CUPEL__STR("$id"));
    if (id.p == NULL)
        id = string_member(json, node, CUPEL__STR("id"));
    if (id.p == NULL)
        return CUPEL_OK;
    struct fe_key key = {.space = SPACE_DEFINED, .doc = doc};
    enum cupel_status status = cupel__fe_uri(fe, *base, id, &key.name);
    if (status != CUPEL_OK)
        return status;
    if (node == fe->g.docs[doc].root)
        *base = key.name;
    return cupel__fe_table_find(fe, key) != NULL || cupel__fe_table_add(fe, key, node) == CUPEL_OK
               ? CUPEL_OK
               : cupel__fe_no_memory(fe);
}

/* Lists the document's root and its `$defs` and `definitions` by URI, once.  A document may contain
 * its own meta-schema, and the dialect is needed before the document can be indexed. */
static enum cupel_status list_definitions(struct frontend *fe, uint32_t doc)
{
    static const struct cupel__str names[] = {FE_STR("$defs"), FE_STR("definitions")};
    struct cupel__doc *json = fe->g.docs[doc].json;
    uint32_t root = fe->g.docs[doc].root;
    struct cupel__str base = fe->g.docs[doc].uri.n == 0 ? fe->base : fe->g.docs[doc].uri;
    const struct fe_key listed = {.space = SPACE_DEFINED, .doc = doc, .index = 1};
    if (cupel__fe_table_find(fe, listed) != NULL)
        return CUPEL_OK;
    if (cupel__fe_table_add(fe, listed, 0) != CUPEL_OK)
        return cupel__fe_no_memory(fe);
    enum cupel_status status = define(fe, doc, root, &base);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint32_t map = cupel__doc_member(json, root, names[i]);
        if (map == 0 || json->nodes[map].type != CUPEL__OBJECT)
            continue;
        for (uint32_t k = map + 1; k < json->nodes[map].end && status == CUPEL_OK;
             k = cupel__node_next(json->nodes, k + 1))
            status = define(fe, doc, k + 1, &base);
    }
    return status;
}

static struct place root_of(const struct frontend *fe, uint32_t resource)
{
    const struct graph_schema *s = &fe->g.schemas[fe->resources[resource].schema];
    return (struct place){s->doc, s->node};
}

/* The meta-schema with a normalised URI.  In this order: a resource that is known, a definition in
 * the same document, a built-in meta-schema, the host's resolver. */
static enum cupel_status find_meta(const struct site *at, struct cupel__str uri, struct place *ret)
{
    struct frontend *fe = at->fe;
    uint32_t doc = fe->g.schemas[at->schema].doc, resource;
    const struct fe_entry *e =
        cupel__fe_table_find(fe, (struct fe_key){.space = SPACE_URI, .name = uri});
    if (e != NULL) {
        *ret = root_of(fe, e->value);
        return CUPEL_OK;
    }
    enum cupel_status status = list_definitions(fe, doc);
    if (status != CUPEL_OK)
        return status;
    e = cupel__fe_table_find(fe, (struct fe_key){.space = SPACE_DEFINED, .doc = doc, .name = uri});
    if (e != NULL) {
        *ret = (struct place){doc, e->value};
        return CUPEL_OK;
    }
    status = cupel__fe_find_resource(fe, uri, &resource);
    if (status == CUPEL_OK && resource == GRAPH_NONE)
        status = refuse(at, "is not a known dialect");
    if (status == CUPEL_OK)
        *ret = root_of(fe, resource);
    return status;
}

/* -- Reading it ------------------------------------------------------------------------------- */

static enum cupel_status meta_uri(const struct site *at, struct cupel__str ref,
                                  struct cupel__str *ret)
{
    struct cupel__uri parts;
    if (!cupel__uri_split(ref, &parts) || !parts.has_scheme || parts.fragment.n != 0)
        return refuse(at, "is not a known dialect");
    return cupel__fe_uri(at->fe, (struct cupel__str){"", 0}, ref, ret);
}

/* The draft named by a meta-schema's own `$schema`; DRAFTS if that is another meta-schema.  Without
 * `$schema` it is the draft of the schema that is compiled. */
static unsigned own_draft(const struct site *at, struct cupel__str own)
{
    return own.p != NULL ? cupel__fe_draft_find(own) : at->fe->g.schemas[0].dialect;
}

/* Reads the dialect that a custom meta-schema describes.
 *
 * `$vocabulary` decides if it is present: the draft is that of the core vocabulary it lists.
 * Otherwise the meta-schema's own meta-schema decides, up to HOPS of them.  Before 2019-09 and in
 * v1 `$vocabulary` is not a keyword, and the draft alone decides. */
static enum cupel_status read_meta(const struct site *at, struct cupel__str uri,
                                   struct fe_dialect *ret)
{
    enum { HOPS = 8 };
    struct place meta, list = {0, 0};
    for (int hop = 0; hop < HOPS; hop++) {
        enum cupel_status status = find_meta(at, uri, &meta);
        if (status != CUPEL_OK)
            return status;
        struct cupel__doc *json = json_of(at, meta);
        if (json->nodes[meta.node].type != CUPEL__OBJECT)
            return refuse(at, "is not a meta-schema");
        struct cupel__str own = string_member(json, meta.node, CUPEL__STR("$schema"));
        unsigned draft = own_draft(at, own);
        *ret = cupel__fe_draft_dialect(draft);
        if (draft <= DRAFT_7 || draft == DRAFT_V1)
            return CUPEL_OK; /* where `$vocabulary` is no keyword */
        if (list.node == 0)
            list = (struct place){meta.doc,
                                  cupel__doc_member(json, meta.node, CUPEL__STR("$vocabulary"))};
        if (list.node != 0 && json_of(at, list)->nodes[list.node].type != CUPEL__OBJECT)
            list.node = 0;
        unsigned core = list.node != 0 ? core_draft(json_of(at, list), list.node) : DRAFTS;
        if (list.node != 0 && (core != DRAFTS || draft != DRAFTS))
            return read_list(at, list, core != DRAFTS ? core : draft, ret);
        if (draft != DRAFTS)
            return CUPEL_OK;
        status = meta_uri(at, own, &uri);
        if (status != CUPEL_OK)
            return status;
    }
    return refuse(at, "leads to no dialect: its meta-schemas only name each other");
}

/* Each meta-schema is read once; the table keeps the result. */
enum cupel_status cupel__fe_find_dialect(struct frontend *fe, uint32_t i, uint32_t value,
                                         struct fe_dialect *ret)
{
    const struct site at = {fe, i, value, graph_str(&fe->g, &fe->g.schemas[i], value)};
    struct fe_key key = {.space = SPACE_DIALECT};
    struct fe_dialect found;
    enum cupel_status status = meta_uri(&at, at.uri, &key.name);
    if (status != CUPEL_OK)
        return status;
    const struct fe_entry *e = cupel__fe_table_find(fe, key);
    if (e != NULL) {
        *ret = (struct fe_dialect){(uint8_t)(e->value & 0xff), (uint8_t)(e->value >> 8)};
        return CUPEL_OK;
    }
    unsigned draft = cupel__fe_draft_find(key.name);
    if (draft != DRAFTS)
        found = cupel__fe_draft_dialect(draft);
    else
        status = read_meta(&at, key.name, &found);
    if (status != CUPEL_OK)
        return status;
    *ret = found;
    return cupel__fe_table_add(fe, key, found.draft | (uint32_t)found.vocabularies << 8) == CUPEL_OK
               ? CUPEL_OK
               : cupel__fe_no_memory(fe);
}
