/* frontend.h: what the files of the frontend share.  Others see graph.h. */
#ifndef CUPEL_COMPILER_FRONTEND_H
#define CUPEL_COMPILER_FRONTEND_H

#include "graph.h"

/* -- Dialects (dialect.c) --------------------------------------------------------------------- */

enum { DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020, DRAFTS };

struct fe_dialect {
    struct cupel__str uri; /* of its meta-schema, without fragment */
    enum cupel_dialect option;
    uint8_t id;     /* the keyword that identifies: KW_ID or KW_ID_4 */
    bool ref_alone; /* everything beside a `$ref` is ignored */
};

extern const struct fe_dialect fe_dialects[DRAFTS];

/* The dialect of a `$schema`, or DRAFTS if there is none of that name. */
unsigned fe_dialect_find(struct cupel__str uri);
unsigned fe_dialect_option(enum cupel_dialect);

/* -- Keywords (keywords.c) -------------------------------------------------------------------- */

enum fe_shape {
#define S(name, text) SHAPE_##name,
#include "shapes.def"
    SHAPES
};

enum fe_apply { APPLY_HERE, APPLY_BELOW, APPLY_NEVER, APPLY_LATER };

struct fe_keyword {
    struct cupel__str name;
    uint8_t shape, first, last, apply;
};

extern const struct fe_keyword fe_keywords[KEYWORDS];

/* The keyword of that name in any dialect, or KW_NONE. */
enum keyword fe_keyword_find(struct cupel__str name);
/* The slot that keywords.def has to have for a name. */
unsigned fe_keyword_slot(struct cupel__str name);

/* -- A table of names (names.c) --------------------------------------------------------------- */

/* What a key is a key of. */
enum fe_space {
    SPACE_URI,     /* a resource, by its URI */
    SPACE_ANCHOR,  /* a schema, by the number of its resource and a plain name */
    SPACE_DYNAMIC, /* the same for dynamic anchors; `$recursiveAnchor` has the name "" */
    SPACE_COUNT,   /* how many resources have a dynamic anchor of that name */
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
struct fe_entry *fe_table_find(const struct frontend *, struct fe_key);
/* Adds a key that is not there yet; the name must stay where it is. */
enum cupel_status fe_table_add(struct frontend *, struct fe_key, uint32_t value);
uint64_t fe_hash(const struct frontend *, struct cupel__str);

/* -- The frontend ----------------------------------------------------------------------------- */

/* A schema resource (core 4.3.5). */
struct fe_resource {
    struct cupel__str uri; /* absolute where it can be, normalised, without fragment */
    uint32_t schema;       /* its root */
    bool detached;
};

/* A reference by a dynamic anchor, which is decided when all documents are known. */
struct fe_dynamic {
    uint32_t schema, keyword;
    struct cupel__str name;
};

struct frontend {
    struct graph g;
    struct cupel__arena *arena;
    struct cupel_alloc alloc;
    const struct cupel_options *options;
    struct cupel_error *err;
    struct fe_resource *resources;
    struct fe_dynamic *dynamics;
    uint64_t *scratch; /* for uniqueness checks */
    uint32_t nresources, ndynamics;
    uint32_t indexed; /* schemas up to here have been looked into */
    size_t docs_cap, schemas_cap, keywords_cap, strays_cap, order_cap, resources_cap, dynamics_cap,
        scratch_cap;
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
enum cupel_status fe_check_shape(struct frontend *, const struct graph_schema *,
                                 const struct graph_keyword *);
/* Refuses a node that is no schema. */
enum cupel_status fe_check_schema(const struct frontend *, const struct graph_schema *around,
                                  uint32_t node);

/* Adds a document (resource.c), and its root as a schema and a resource known by `uri`. */
enum cupel_status fe_add_document(struct frontend *, struct cupel__doc *, uint32_t root,
                                  unsigned dialect, struct cupel__str uri);
/* Adds the node that `path` leads to from schema `parent`, which is no place of a subschema. */
enum cupel_status fe_add_stray(struct frontend *, uint32_t parent, uint32_t node,
                               struct cupel__str path, unsigned depth);
/* Looks into all schemas added since the last time, and those in them. */
enum cupel_status fe_index(struct frontend *);
/* Resolves and normalises a reference without its fragment. */
enum cupel_status fe_uri(struct frontend *, struct cupel__str base, struct cupel__str ref,
                         struct cupel__str *ret);

/* Finds the schema that keyword `k` of schema `i` refers to (resolve.c), sets its `first`, and
 * notes it where the target depends on the dynamic scope. */
enum cupel_status fe_resolve(struct frontend *, uint32_t i, uint32_t k);

/* Reports that memory ran out; returns CUPEL_E_NO_MEMORY. */
enum cupel_status fe_no_memory(const struct frontend *);

/* Appends the JSON Pointer of a node, from the root of its document. */
void fe_pointer(const struct frontend *, uint32_t doc, uint32_t node, struct cupel_text *);

#endif
