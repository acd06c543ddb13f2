/* frontend.h: what the files of the frontend share.  Other folders use graph.h.
 *
 * Calls go downwards only, in this order of files:
 *
 *     graph.c        builds the graph
 *     resolve.c      references
 *     index.c        subschemas, identifiers, keywords
 *     dialect.c      custom meta-schemas        scope.c   dynamic anchors
 *     document.c     loading documents          relate.c  siblings
 *     shape.c        values of keywords
 *     metaschemas.c, drafts.c, keywords.c, table.c, frontend.c */
#ifndef CUPEL_COMPILER_FRONTEND_H
#define CUPEL_COMPILER_FRONTEND_H

#include "compiler/frontend/graph.h"

/* A constant string as an initialiser. */
#define FE_STR(s)          \
    {                      \
        (s), sizeof(s) - 1 \
    }

/* -- Drafts (drafts.c) and dialects (dialect.c) ----------------------------------------------- */

enum { DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020, DRAFT_V1, DRAFTS };

struct fe_draft {
    struct cupel__str uri; /* of its meta-schema, without a fragment */
    enum cupel_dialect option;
    uint8_t id;     /* the identifier keyword: KW_ID or KW_ID_4 */
    bool ref_alone; /* a `$ref` hides the keywords beside it */
};

extern const struct fe_draft cupel__fe_drafts[DRAFTS];

/* Sets of vocabularies (core 8.1.2).  Keywords of a vocabulary that is not in the set are unknown.
 */
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

/* The dialect of a draft's own meta-schema. */
struct fe_dialect cupel__fe_draft_dialect(unsigned draft);
/* Whether two URIs without a fragment name the same meta-schema: they are equal, or one says http
 * where the other says https.  Schemas spell the URIs of the standard both ways. */
bool cupel__fe_same_meta(struct cupel__str a, struct cupel__str b);
/* The draft whose meta-schema has that URI, in any spelling: http or https, with or without an
 * empty fragment; or DRAFTS. */
unsigned cupel__fe_draft_find(struct cupel__str uri);
/* The draft that an option names. */
unsigned cupel__fe_draft_option(enum cupel_dialect);
/* The dialect of schema i, whose `$schema` (the node `value`) is a custom meta-schema. */
enum cupel_status cupel__fe_find_dialect(struct frontend *, uint32_t i, uint32_t value,
                                         struct fe_dialect *ret);

/* -- Meta-schemas (metaschemas.c) ------------------------------------------------------------- */

/* Whether a URI, normalised and without a fragment, is that of a meta-schema of the standard; if
 * so, its text in *ret_text. */
bool cupel__fe_metaschema(struct cupel__str uri, struct cupel__str *ret_text);

/* -- Keywords (keywords.c) -------------------------------------------------------------------- */

enum fe_shape {
#define S(name, text) SHAPE_##name,
#include "compiler/frontend/shapes.def"
    SHAPES
};

/* To which value the subschemas of a keyword apply (keywords.def). */
enum fe_apply { APPLY_IN_PLACE, APPLY_CHILD, APPLY_NEVER };

struct fe_keyword {
    struct cupel__str name;
    uint8_t shape, vocabulary, first, last, apply;
};

extern const struct fe_keyword cupel__fe_keywords[KEYWORDS];

/* The keyword with this name in any dialect, or KW_NONE.  `hash` is the name's cupel__name_hash().
 */
enum keyword cupel__fe_keyword_find(struct cupel__str name, uint32_t hash);
/* The slot that keywords.def must give a name with this hash. */
unsigned cupel__fe_keyword_slot(uint32_t hash);

/* -- The hash table (table.c) ----------------------------------------------------------------- */

/* The kinds of keys.  `doc`, `number`, `index` and `name` of a key are 0 where a kind does not use
 * them. */
enum fe_space {
    SPACE_URI,     /* a resource, by its URI */
    SPACE_ANCHOR,  /* a schema, by the number of its resource and a plain name */
    SPACE_DYNAMIC, /* the same for dynamic anchors; `$recursiveAnchor` has the name "" */
    SPACE_NAME,    /* a fe_anchor, by its name */
    SPACE_DIALECT, /* a dialect, by the URI of its meta-schema */
    SPACE_DEFINED, /* the node of a definition in a document, by its URI */
    SPACE_MEMBER,  /* a node, by its container and a member's name */
    SPACE_ITEM,    /* a node, by its container and an item's index */
    SPACE_LISTED   /* a container whose members or items have been entered */
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

/* The entry with this key, or NULL. */
struct fe_entry *cupel__fe_table_find(const struct frontend *, struct fe_key);
/* Adds a key that is not in the table.  The name is not copied. */
enum cupel_status cupel__fe_table_add(struct frontend *, struct fe_key, uint32_t value);
/* The hash of a string, with the secret seed of this compilation. */
uint64_t cupel__fe_hash(const struct frontend *, struct cupel__str);

/* -- The frontend ----------------------------------------------------------------------------- */

/* A schema resource (core 4.3.5). */
struct fe_resource {
    struct cupel__str
        uri;           /* normalised, without a fragment; absolute unless nothing gives a base */
    uint32_t schema;   /* its root schema */
    uint32_t bindings; /* the first of its fe_bindings, or GRAPH_NONE */
    bool detached;     /* its root is (graph.h): no reference finds it by its URI */
};

/* A name of dynamic anchors (core 8.2.2).  `$recursiveAnchor` has the name "". */
struct fe_anchor {
    struct cupel__str name;
    uint32_t bindings; /* the first of its fe_bindings, or GRAPH_NONE */
    uint32_t live;     /* how many of them are live */
    uint32_t target;   /* the only schema it can refer to, or GRAPH_NONE: the initial target */
    uint32_t number;   /* in the program; GRAPH_NONE: every reference has a single target */
    bool used;         /* by a reference whose target may depend on the dynamic scope */
    bool open;         /* by a reference without an initial target: v1 */
    bool decided;      /* target and number are set */
};

/* A dynamic anchor: the schema that a name refers to in one resource. */
struct fe_binding {
    uint32_t schema, anchor;
    uint32_t next_of_resource, next_of_anchor;
    bool live;  /* the root reaches a schema of its resource */
    bool first; /* on some path from the root it comes before all other resources with the anchor */
};

/* A reference by a dynamic anchor.  The keyword is a DYNAMIC_REF, and its `from` is the number of
 * the fe_anchor until cupel__fe_settle_scopes() runs. */
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
    uint32_t indexed; /* schemas below this number are indexed */
    size_t docs_cap, schemas_cap, keywords_cap, pointers_cap, order_cap, resources_cap, anchors_cap,
        bindings_cap, dynamics_cap, scratch_cap;
    struct fe_table table;
    uint64_t seed;
    struct cupel__str base; /* of the options, normalised; empty without one */
    size_t uri_bytes;       /* of all URIs made so far */
    bool has_refs;
};

/* Grows one of the arrays above so that `n` elements fit. */
#define FE_GROW(fe, array, cap, n) \
    cupel__grow(&(fe)->alloc, (void **)&(array), &(cap), (n), sizeof *(array))

/* -- Errors, URIs, reachable schemas (frontend.c); cupel__fe_fail() is in graph.h ---------------
 */

/* Reports that memory ran out; returns CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__fe_no_memory(const struct frontend *);
/* Appends the JSON Pointer of a node, from the root of its document. */
void cupel__fe_pointer(const struct frontend *, uint32_t doc, uint32_t node, struct cupel_text *);
/* Resolves and normalises a reference without its fragment. */
enum cupel_status cupel__fe_uri(struct frontend *, struct cupel__str base, struct cupel__str ref,
                                struct cupel__str *ret);
/* Appends a schema to the list of reachable ones, unless it is in it. */
enum cupel_status cupel__fe_reach(struct frontend *, uint32_t i);

/* -- Values of keywords (shape.c) ---------------------------------------------------------------
 */

/* Checks a keyword's value against its shape.  Items and members that are schemas are checked when
 * they are indexed. */
enum cupel_status cupel__fe_check_shape(struct frontend *, const struct graph_schema *,
                                        const struct graph_keyword *);
/* Refuses a node that is no schema. */
enum cupel_status cupel__fe_check_schema(const struct frontend *, const struct graph_schema *around,
                                         uint32_t node);

/* -- Documents, schemas, resources (document.c) --------------------------------------------------
 */

/* Adds a document, and its root as a schema and a resource known by `uri`. */
enum cupel_status cupel__fe_add_document(struct frontend *, struct cupel__doc *, uint32_t root,
                                         struct fe_dialect, struct cupel__str uri);
/* Appends a schema; its node has the type of one. */
enum cupel_status cupel__fe_add_schema(struct frontend *, const struct graph_schema *);
/* Adds the node that `path` (a JSON Pointer of `depth` tokens) leads to from schema `parent`, and
 * that is not in the place of a subschema. */
enum cupel_status cupel__fe_add_out_of_place(struct frontend *, uint32_t parent, uint32_t node,
                                             struct cupel__str path, unsigned depth);
/* Makes a schema the root of a new resource. */
enum cupel_status cupel__fe_add_resource(struct frontend *, uint32_t schema, struct cupel__str uri);
/* Enters resource r in the table by its URI; an error points to the node `value`. */
enum cupel_status cupel__fe_claim_uri(struct frontend *, uint32_t r, uint32_t value);
/* Whether the texts of two schemas are equal as JSON. */
bool cupel__fe_same_schema(const struct graph *, uint32_t a, uint32_t b);
bool cupel__fe_is_absolute(struct cupel__str uri);
/* Finds the resource with a normalised URI, loading its document if necessary; GRAPH_NONE if there
 * is none.  A loaded document still has to be indexed. */
enum cupel_status cupel__fe_find_resource(struct frontend *, struct cupel__str uri, uint32_t *ret);
/* Reads a JSON text; the limits do not apply to built-in texts. */
enum cupel_status cupel__fe_read_text(struct frontend *, struct cupel__str text, bool built_in,
                                      struct cupel__doc *, struct cupel_error *err);

/* Nesting is counted in 16 bits and saturates, so that no limit can wrap. */
static inline uint16_t fe_deeper(unsigned depth, unsigned by)
{
    return (uint16_t)(depth + by < UINT16_MAX ? depth + by : UINT16_MAX);
}

/* -- The index (index.c, relate.c) ---------------------------------------------------------------
 */

/* Indexes all schemas added since the last call, and those in them. */
enum cupel_status cupel__fe_index(struct frontend *);
/* Gives the keywords of a schema, which are indexed, the meaning that they have beside each other.
 */
enum cupel_status cupel__fe_relate(struct frontend *, uint32_t i);

/* -- References (resolve.c, scope.c) -------------------------------------------------------------
 */

/* Finds the schema that keyword `k` of schema `i` refers to and sets its `first`.  The keyword
 * becomes a DYNAMIC_REF if its target may depend on the dynamic scope, else a REF. */
enum cupel_status cupel__fe_resolve(struct frontend *, uint32_t i, uint32_t k);
/* Records that schema i has a dynamic anchor in its resource. */
enum cupel_status cupel__fe_add_binding(struct frontend *, uint32_t i, struct cupel__str name);
/* Makes keyword `k` of schema `i` a DYNAMIC_REF to this name. */
enum cupel_status cupel__fe_add_dynamic_ref(struct frontend *, uint32_t i, uint32_t k,
                                            struct cupel__str name);
/* The same for a reference without an initial target. */
enum cupel_status cupel__fe_add_open_ref(struct frontend *, uint32_t i, uint32_t k,
                                         struct cupel__str name);
/* Records that the resource of a reachable schema may be in the dynamic scope. */
enum cupel_status cupel__fe_enter(struct frontend *, uint32_t i);
/* Decides the targets of dynamic references, once all reachable schemas are known. */
enum cupel_status cupel__fe_settle_scopes(struct frontend *);

#endif
