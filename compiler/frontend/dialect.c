/* dialect.c: the dialects of JSON Schema: a draft says how keywords are read, a set of vocabularies
 * which of them are known.
 *
 * A `$schema` names the meta-schema of a draft, or another one whose `$vocabulary` is read here
 * (core 8.1).  Which keywords a draft and a vocabulary have is in keywords.def, what their values
 * may be in shape.c; a meta-schema is never run on the schemas that name it. */
#include "compiler/frontend/frontend.h"

#include "base/uri.h"

#define URI(s)             \
    {                      \
        (s), sizeof(s) - 1 \
    }

const struct fe_draft cupel__fe_drafts[DRAFTS] = {
    [DRAFT_4] = {URI("http://json-schema.org/draft-04/schema"), CUPEL_DRAFT_4, KW_ID_4, true},
    [DRAFT_6] = {URI("http://json-schema.org/draft-06/schema"), CUPEL_DRAFT_6, KW_ID, true},
    [DRAFT_7] = {URI("http://json-schema.org/draft-07/schema"), CUPEL_DRAFT_7, KW_ID, true},
    [DRAFT_2019] = {URI("https://json-schema.org/draft/2019-09/schema"), CUPEL_2019_09, KW_ID,
                    false},
    [DRAFT_2020] = {URI("https://json-schema.org/draft/2020-12/schema"), CUPEL_2020_12, KW_ID,
                    false},
    [DRAFT_V1] = {URI("https://json-schema.org/v1"), CUPEL_V1, KW_ID, false}};

/* The URIs of the older drafts are written with an empty fragment, which says nothing; v1 has a URI
 * for each year besides. */
unsigned cupel__fe_draft_find(struct cupel__str uri)
{
    if (uri.n > 0 && uri.p[uri.n - 1] == '#')
        uri.n--;
    unsigned d = 0;
    while (d < DRAFTS && !cupel__str_eq(uri, cupel__fe_drafts[d].uri))
        d++;
    return cupel__str_eq(uri, CUPEL__STR("https://json-schema.org/v1/2026")) ? DRAFT_V1 : d;
}

struct fe_dialect cupel__fe_draft_dialect(unsigned draft)
{
    unsigned set = VOCAB_STANDARD | (draft == DRAFT_V1 ? VOCAB_FORMAT_ASSERTION : 0u);
    return (struct fe_dialect){(uint8_t)draft, (uint8_t)set};
}

unsigned cupel__fe_draft_option(enum cupel_dialect option)
{
    for (unsigned d = 0; d < DRAFTS; d++) {
        if (cupel__fe_drafts[d].option == option)
            return d;
    }
    return DRAFT_2020;
}

/* -- Vocabularies ----------------------------------------------------------------------------- */

struct vocabulary {
    struct cupel__str uri;
    uint8_t draft;
    uint8_t set;     /* what listing it brings … */
    uint8_t if_true; /* … and what more if it has to be understood */
};

#define V(path) URI("https://json-schema.org/draft/" path)

/* Whoever understands `format` of 2020-12 as an assertion asserts it, required or not; 2019-09 has
 * one vocabulary of `format`, and asserts it if it is required (validation 7.2). */
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

/* A `$schema` being followed. */
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

/* The core vocabulary is in force whether it is listed or not, since nothing could be read without
 * it.  A vocabulary of another draft is as unknown as a stranger's. */
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

/* The value of a member that is a string; p is NULL if there is none. */
static struct cupel__str string_member(struct cupel__doc *json, uint32_t object,
                                       struct cupel__str name)
{
    uint32_t value = cupel__doc_member(json, object, name);
    if (value == 0 || (CUPEL__BIT(json->nodes[value].type) & CUPEL__M_STRING) == 0)
        return (struct cupel__str){NULL, 0};
    return cupel__doc_str(json, &json->nodes[value]);
}

/* Puts an object that has an identifier into the table; the first of a URI stays.  *base, if it is
 * not NULL, becomes its URI. */
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

/* A document may bring its own meta-schema along, as its definition or being it itself.  It is
 * needed before the document can be indexed, so the definitions are listed as they are written. */
static enum cupel_status list_definitions(struct frontend *fe, uint32_t doc)
{
    static const struct cupel__str names[] = {URI("$defs"), URI("definitions")};
    struct cupel__doc *json = fe->g.docs[doc].json;
    uint32_t root = fe->g.docs[doc].root;
    struct cupel__str base = fe->g.docs[doc].uri;
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

/* The meta-schema of a normalised URI: one that is known already, that the document at hand brings
 * along, or that is built in or the resolver has. */
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

/* The draft that a meta-schema's own `$schema` names, DRAFTS if that is another meta-schema. */
static unsigned own_draft(const struct site *at, struct cupel__str own)
{
    return own.p != NULL ? cupel__fe_draft_find(own) : at->fe->g.schemas[0].dialect;
}

/* What a meta-schema does not say, its own meta-schema does: the draft is that of the core
 * vocabulary that it lists, the vocabularies are all if it lists none. */
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
            return refuse(at, "is no meta-schema");
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
