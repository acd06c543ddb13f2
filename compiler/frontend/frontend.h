/* frontend.h: what the files of the frontend share.  Others see graph.h. */
#ifndef CUPEL_COMPILER_FRONTEND_H
#define CUPEL_COMPILER_FRONTEND_H

#include "compiler/frontend/graph.h"

/* -- Dialects (dialect.c) --------------------------------------------------------------------- */

enum { DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020, DRAFT_V1, DRAFTS };

struct fe_draft {
    struct cupel__str uri; /* of its meta-schema, without fragment */
    enum cupel_dialect option;
    uint8_t id;     /* the keyword that identifies: KW_ID or KW_ID_4 */
    bool ref_alone; /* everything beside a `$ref` is ignored */
};

extern const struct fe_draft cupel__fe_drafts[DRAFTS];

/* The vocabularies as sets (core 8.1.2).  Keywords of one that is not in the set are unknown. */
enum {
    VOCAB_CORE = 1 << 0,
    VOCAB_APPLICATOR = 1 << 1,
    VOCAB_UNEVALUATED = 1 << 2,
    VOCAB_VALIDATION = 1 << 3,
    VOCAB_META_DATA = 1 << 4,
    VOCAB_FORMAT = 1 << 5,
    VOCAB_CONTENT = 1 << 6,
    VOCAB_STANDARD = (1 << 7) - 1,
    VOCAB_FORMAT_ASSERTION = 1 << 7 /* `format` asserts */
};

struct fe_dialect {
    uint8_t draft; /* how keywords are read */
    uint8_t vocabularies;
};

/* The dialect that a draft's own meta-schema stands for. */
struct fe_dialect cupel__fe_draft_dialect(unsigned draft);
/* The draft whose meta-schema has that URI, or DRAFTS. */
unsigned cupel__fe_draft_find(struct cupel__str uri);
unsigned cupel__fe_draft_option(enum cupel_dialect);
/* The dialect that schema i names by its `$schema`, the node `value`, where that is not the
 * meta-schema of a draft. */
enum cupel_status cupel__fe_find_dialect(struct frontend *, uint32_t i, uint32_t value,
                                         struct fe_dialect *ret);

/* -- Meta-schemas (metaschemas.c) ------------------------------------------------------------- */

/* Whether a URI, normalised and without fragment, is that of a meta-schema of the standard, and
 * its text. */
bool cupel__fe_metaschema(struct cupel__str uri, struct cupel__str *ret_text);

/* -- Keywords (keywords.c) -------------------------------------------------------------------- */

enum fe_shape {
#define S(name, text) SHAPE_##name,
#include "compiler/frontend/shapes.def"
    SHAPES
};

enum fe_apply { APPLY_HERE, APPLY_BELOW, APPLY_NEVER };

struct fe_keyword {
    struct cupel__str name;
    uint8_t shape, vocabulary, first, last, apply;
};

extern const struct fe_keyword cupel__fe_keywords[KEYWORDS];

/* The keyword of that name, whose cupel__name_hash() it is, in any dialect, or KW_NONE. */
enum keyword cupel__fe_keyword_find(struct cupel__str name, uint32_t hash);
/* The slot that keywords.def has to have for a name with that hash. */
unsigned cupel__fe_keyword_slot(uint32_t hash);

/* -- A table of names (names.c) --------------------------------------------------------------- */

/* What a key is a key of. */
enum fe_space {
    SPACE_URI,     /* a resource, by its URI */
    SPACE_ANCHOR,  /* a schema, by the number of its resource and a plain name */
    SPACE_DYNAMIC, /* the same for dynamic anchors; `$recursiveAnchor` has the name "" */
    SPACE_NAME,    /* a fe_anchor, by its name */
    SPACE_DIALECT, /* a dialect, by the URI of its meta-schema */
    SPACE_DEFINED, /* the node of a schema among a document's definitions, by its URI */
    SPACE_MEMBER,  /* a node, by the container it is in and a member's name … */
    SPACE_ITEM,    /* … or an item's index */
    SPACE_LISTED   /* containers whose members or items are all in the table */
};

struct fe_key {
    enum fe_space space;
    uint32_t doc, number, index;
    struct cupel__str name;
};

struct fe_entry {
    struct fe_key key;
    uint64_t hash;
    uint32_t value;
    bool used;
};

struct fe_table {
    struct fe_entry *entries;
    size_t cap, used; /* cap is 0 or a power of two */
};

/* NULL if it is not there. */
struct fe_entry *cupel__fe_table_find(const struct frontend *, struct fe_key);
/* Adds a key that is not there yet; the name must stay where it is. */
enum cupel_status cupel__fe_table_add(struct frontend *, struct fe_key, uint32_t value);
uint64_t cupel__fe_hash(const struct frontend *, struct cupel__str);

/* -- The frontend ----------------------------------------------------------------------------- */

/* A schema resource (core 4.3.5). */
struct fe_resource {
    struct cupel__str uri; /* absolute where it can be, normalised, without fragment */
    uint32_t schema;       /* its root */
    uint32_t bindings;     /* the first of its fe_bindings, or GRAPH_NONE */
    bool detached;
};

/* A name of dynamic anchors (core 8.2.2), `$recursiveAnchor` being one without a name. */
struct fe_anchor {
    struct cupel__str name;
    uint32_t bindings; /* the first of its fe_bindings, or GRAPH_NONE */
    uint32_t live;     /* how many of them are live */
    uint32_t target;   /* the only one it can mean, GRAPH_NONE: what a reference says */
    uint32_t number;   /* in the program; GRAPH_NONE: every reference has one target */
    bool used;         /* by a reference that may depend on the dynamic scope */
    bool open;         /* by one that has no target of its own: v1 */
    bool settled;      /* target and number are */
};

/* A dynamic anchor: what its name means in one resource. */
struct fe_binding {
    uint32_t schema, anchor;
    uint32_t next_of_resource, next_of_anchor;
    bool live;  /* the root of the program reaches a schema of its resource … */
    bool first; /* … on some way before all other resources with the anchor */
};

/* A reference by a dynamic anchor: a keyword DYNAMIC_REF, whose `from` is the fe_anchor until it
 * is settled. */
struct fe_dynamic {
    uint32_t schema, keyword;
};

struct frontend {
    struct graph g;
    struct cupel__arena *arena;
    struct cupel_alloc alloc;
    const struct cupel_options *options;
    struct cupel_error *err;
    struct fe_resource *resources;
    struct fe_anchor *anchors;
    struct fe_binding *bindings;
    struct fe_dynamic *dynamics;
    uint64_t *scratch; /* for uniqueness checks */
    uint32_t nresources, nanchors, nbindings, ndynamics;
    uint32_t indexed; /* schemas up to here have been looked into */
    size_t docs_cap, schemas_cap, keywords_cap, strays_cap, order_cap, resources_cap, anchors_cap,
        bindings_cap, dynamics_cap, scratch_cap;
    struct fe_table table;
    uint64_t seed;
    size_t uri_bytes; /* made so far */
    bool has_refs;
};

/* Grows one of the arrays above so that `n` elements fit. */
#define FE_GROW(fe, array, cap, n) \
    cupel__grow(&(fe)->alloc, (void **)&(array), &(cap), (n), sizeof *(array))

/* Checks that a keyword's value is what it must be (shape.c); the items and members that are
 * schemas are checked as they are indexed. */
enum cupel_status cupel__fe_check_shape(struct frontend *, const struct graph_schema *,
                                        const struct graph_keyword *);
/* Refuses a node that is no schema. */
enum cupel_status cupel__fe_check_schema(const struct frontend *, const struct graph_schema *around,
                                         uint32_t node);

/* Adds a document (resource.c), and its root as a schema and a resource known by `uri`. */
enum cupel_status cupel__fe_add_document(struct frontend *, struct cupel__doc *, uint32_t root,
                                         struct fe_dialect, struct cupel__str uri);
/* Adds the node that `path` leads to from schema `parent`, which is no place of a subschema. */
enum cupel_status cupel__fe_add_out_of_place(struct frontend *, uint32_t parent, uint32_t node,
                                             struct cupel__str path, unsigned depth);
/* Turns the keywords of a schema, which are known and have been looked into, to what they mean
 * beside each other (relate.c). */
enum cupel_status cupel__fe_relate(struct frontend *, uint32_t i);
/* Looks into all schemas added since the last time, and those in them. */
enum cupel_status cupel__fe_index(struct frontend *);
/* Resolves and normalises a reference without its fragment. */
enum cupel_status cupel__fe_uri(struct frontend *, struct cupel__str base, struct cupel__str ref,
                                struct cupel__str *ret);

/* The resource of an absolute URI, normalised (resolve.c); GRAPH_NONE if there is none.  A document
 * that this brings in still has to be indexed. */
enum cupel_status cupel__fe_find_resource(struct frontend *, struct cupel__str uri, uint32_t *ret);
/* Reads a text of JSON; those that are built in are under no limit. */
enum cupel_status cupel__fe_read_text(struct frontend *, struct cupel__str text, bool built_in,
                                      struct cupel__doc *, struct cupel_error *err);
/* Finds the schema that keyword `k` of schema `i` refers to, sets its `first`, and makes it a
 * DYNAMIC_REF where the target may depend on the dynamic scope, else a REF. */
enum cupel_status cupel__fe_resolve(struct frontend *, uint32_t i, uint32_t k);

/* Puts a schema among those that the root reaches (graph.c). */
enum cupel_status cupel__fe_reach(struct frontend *, uint32_t i);

/* Notes that the schema has a dynamic anchor in its resource (scope.c). */
enum cupel_status cupel__fe_add_binding(struct frontend *, uint32_t i, struct cupel__str name);
/* Makes keyword `k` of schema `i` a DYNAMIC_REF by that name. */
enum cupel_status cupel__fe_add_dynamic_ref(struct frontend *, uint32_t i, uint32_t k,
                                            struct cupel__str name);
/* The same for a reference that means nothing where no resource on the way has the anchor. */
enum cupel_status cupel__fe_add_open_ref(struct frontend *, uint32_t i, uint32_t k,
                                         struct cupel__str name);
/* The resource of schema i, which is reachable, may be in the dynamic scope. */
enum cupel_status cupel__fe_enter(struct frontend *, uint32_t i);
/* Decides what dynamic references mean, when all that is reachable is known. */
enum cupel_status cupel__fe_settle_scopes(struct frontend *);

/* Reports that memory ran out; returns CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__fe_no_memory(const struct frontend *);

/* Appends the JSON Pointer of a node, from the root of its document. */
void cupel__fe_pointer(const struct frontend *, uint32_t doc, uint32_t node, struct cupel_text *);

#endif
