/* graph.h: the schema documents as the frontend leaves them: schemas, their keywords, and every
 * reference an edge.
 *
 * The differences between drafts end here.  Older spellings become the keyword of 2020-12 with the
 * same meaning: an array in `items` is PREFIX_ITEMS, and `additionalItems` beside it is ITEMS from
 * the first item it applies to; `dependencies` is split in two; each member of
 * `propertyDependencies` is a keyword of its own; a boolean `exclusiveMinimum` is a flag of its
 * `minimum`; `$recursiveRef` is a reference by a dynamic anchor, and a REF wherever it can refer to
 * only one schema.  A keyword without effect (`then` without `if`, anything beside a `$ref` of
 * draft 7) is NONE.  Locations keep the author's spelling: they are the nodes of the document.
 *
 * The subschemas of a keyword are adjacent in `schemas`, so a keyword names them by the first and
 * their number.  The meaning of keywords is left to lowering. */
#ifndef CUPEL_COMPILER_GRAPH_H
#define CUPEL_COMPILER_GRAPH_H

#include "base/json/tape.h"
#include "base/memory.h"
#include <cupel/common.h>

enum keyword {
    KW_NONE,
#define K(name, json, slot, shape, vocabulary, first, last, apply, lower) KW_##name,
#include "compiler/frontend/keywords.def"
    KEYWORDS
};

#define GRAPH_NONE UINT32_MAX

struct graph_keyword {
    uint8_t kind;          /* enum keyword */
    bool strict;           /* MINIMUM, MAXIMUM: exclusive.  TYPE: 1.0 is not an integer.
                              CONTAINS: the items it finds count as evaluated.  FORMAT,
                              CONTENT_ENCODING, CONTENT_MEDIA_TYPE: asserts */
    uint32_t value;        /* the node of its value; value - 1 is the node of its name */
    uint32_t first, count; /* the subschemas in the value, in order.  REF: the target.
                              DYNAMIC_REF: the target if the scope has no other */
    uint32_t from;         /* ITEMS: index of the first item it applies to.  DYNAMIC_REF: its
                              anchor.  FORMAT and the content keywords, if they assert: enum
                              cupel__format, or CUPEL__FORMATS for a format of the host's */
};

enum graph_kind { GRAPH_FALSE, GRAPH_TRUE, GRAPH_OBJECT };

struct graph_schema {
    uint32_t doc, node;
    uint32_t parent;   /* the schema around it; GRAPH_NONE: the root of a document */
    uint32_t via;      /* the keyword of the parent that holds it, an index into `keywords`; if out
                          of place, an index into `pointers` */
    uint32_t index;    /* its position among the subschemas of that keyword */
    uint32_t resource; /* the schema resource (core 4.3.5) it is in */
    uint32_t keywords, nkeywords;
    uint32_t number;      /* its place in `order`; GRAPH_NONE: not reachable from the root */
    uint16_t depth;       /* of nesting in the document */
    uint8_t kind;         /* enum graph_kind */
    uint8_t dialect;      /* for the frontend: its draft */
    uint8_t vocabularies; /* for the frontend: those in force, a set of VOCAB_… */
    bool out_of_place;    /* not in the place of a subschema: only a JSON Pointer leads here */
    bool ref_alone;       /* a `$ref` hides the keywords beside it */
    bool detached;        /* out of place or below such a schema: identifiers in it do not count */
};

struct graph_doc {
    struct cupel__doc *json;
    uint32_t root, end;    /* the nodes that are the document */
    uint32_t *at;          /* for node root + i: 1 + the number of its schema, or 0 */
    struct cupel__str uri; /* by which it was retrieved, or its `$id`; may be empty */
};

struct graph {
    struct graph_doc *docs; /* [0] is the one to be compiled */
    struct graph_schema *schemas;
    struct graph_keyword *keywords;
    struct cupel__str *pointers; /* from its parent to each out-of-place schema */
    uint32_t *order;             /* the schemas that the root reaches, itself first */
    uint32_t ndocs, nschemas, nkeywords, npointers, nreached;
    bool evaluates; /* a reachable schema has unevaluatedItems or unevaluatedProperties */
    /* The dynamic anchors that DYNAMIC_REFs name, numbered from 0.  What a name refers to depends
     * on the resources on the evaluation path.  Each resource that can be the first to bind a name
     * has a row of `nanchors` schemas in `scopes`, GRAPH_NONE where it binds nothing.  The arrays
     * exist if nanchors is not 0. */
    uint32_t nanchors;
    uint32_t *scope_of; /* by resource: the number of its row, or GRAPH_NONE */
    uint32_t *scopes;
};

/* The state of the frontend: the graph and what is needed to build it, all in the arena. */
struct frontend;

/* Reads the schema at `node` of a document and the documents that it refers to: checks the shape of
 * every keyword, resolves every reference that the root reaches, and refuses reference cycles.  The
 * options are a copy that cupel__options_copy() made.  Returns CUPEL_OK or, with the place of the
 * fault in *err, CUPEL_E_SCHEMA, _DIALECT, _UNRESOLVED_REF, _REF_CYCLE, _IDENTIFIER, _UNSUPPORTED,
 * _SCHEMA_DEPTH, _SCHEMA_SIZE, _NO_MEMORY, or for another document a status of the group "Reading
 * JSON". */
enum cupel_status cupel__graph_build(struct cupel__arena *, struct cupel__doc *, uint32_t node,
                                     const struct cupel_options *, struct frontend **ret,
                                     struct cupel_error *err);

const struct graph *cupel__frontend_graph(const struct frontend *);

/* Fills in the error for a node of document `doc`: status, sentence, place and pointer.  Returns
 * `status`. */
enum cupel_status cupel__fe_fail(const struct frontend *, enum cupel_status status, uint32_t doc,
                                 uint32_t node, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The arguments of "%.*s" for a string of the schema, cut to 100 bytes. */
#define FE_TEXT(s) (int)((s).n < 100 ? (s).n : 100), (s).p

static inline struct cupel__doc *graph_json(const struct graph *g, const struct graph_schema *s)
{
    return g->docs[s->doc].json;
}

/* The types (a mask of base/json/tape.h) that a name in `type` stands for; 0 for an unknown name.
 */
uint32_t cupel__graph_type(struct cupel__str name);

/* The value of a string node, or a member's name. */
static inline struct cupel__str graph_str(const struct graph *g, const struct graph_schema *s,
                                          uint32_t node)
{
    struct cupel__doc *json = graph_json(g, s);
    return cupel__doc_str(json, &json->nodes[node]);
}

#endif
