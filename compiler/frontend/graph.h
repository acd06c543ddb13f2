/* graph.h: schema documents as the frontend leaves them: schemas, their keywords, and every
 * reference an edge.
 *
 * Drafts end here.  Old spellings have become the keyword of 2020-12 that means the same: an array
 * `items` is PREFIX_ITEMS, `additionalItems` beside it ITEMS from the first item it governs,
 * `dependencies` is split, `propertyDependencies` is one for each of its members, a boolean
 * `exclusiveMinimum` a flag of its `minimum`, `$recursiveRef` a reference by a dynamic anchor, and
 * that a REF wherever it can mean one schema only.  A keyword without effect where it stands
 * (`then` without `if`, anything beside a `$ref` of draft 7) is NONE. Locations keep the author's
 * own spelling: they are the nodes of the document.
 *
 * A schema's subschemas stand side by side in `schemas`, so a keyword names them by the first and
 * their number.  What keywords mean is left to lowering. */
#ifndef CUPEL_COMPILER_GRAPH_H
#define CUPEL_COMPILER_GRAPH_H

#include "base/json/tape.h"
#include "base/memory.h"
#include <cupel/options.h>

enum keyword {
    KW_NONE,
#define K(name, json, slot, shape, vocabulary, first, last, apply) KW_##name,
#include "compiler/frontend/keywords.def"
    KEYWORDS
};

#define GRAPH_NONE UINT32_MAX

struct graph_keyword {
    uint8_t kind;          /* enum keyword */
    bool strict;           /* MINIMUM, MAXIMUM: exclusive.  TYPE: 1.0 is not an integer.
                              CONTAINS: the items it finds count as evaluated.  FORMAT,
                              CONTENT_ENCODING, CONTENT_MEDIA_TYPE: asserts */
    uint32_t value;        /* its node in the schema's document; value - 1 is the name's */
    uint32_t first, count; /* the subschemas in the value, in order; of a REF the target, of a
                              DYNAMIC_REF the target where the scope has no other */
    uint32_t from;         /* ITEMS: index of the first item it governs.  DYNAMIC_REF: its anchor.
                              Those that assert a format: enum cupel__format, CUPEL__FORMATS
                              for one of the host's */
};

enum graph_kind { GRAPH_FALSE, GRAPH_TRUE, GRAPH_OBJECT };

struct graph_schema {
    uint32_t doc, node;
    uint32_t parent;   /* the schema around it; GRAPH_NONE: the root of a document */
    uint32_t via;      /* the keyword of the parent that holds it, an index into `keywords`; STRAY:
                          into `strays` */
    uint32_t index;    /* its position among the subschemas of that keyword */
    uint32_t resource; /* the schema resource (core 4.3.5) it is in */
    uint32_t keywords, nkeywords;
    uint32_t number;      /* its place in `order`; GRAPH_NONE: not reachable from the root */
    uint16_t depth;       /* of nesting in the document */
    uint8_t kind;         /* enum graph_kind */
    uint8_t dialect;      /* for the frontend: its draft */
    uint8_t vocabularies; /* the same */
    bool stray;           /* not at the place of a subschema: only a JSON Pointer leads here */
    bool ref_alone;       /* a `$ref` hides all that stands beside it, known or not */
    bool detached;        /* a stray or below one: its identifiers are no identifiers */
};

struct graph_doc {
    struct cupel__doc *json;
    uint32_t root, end;    /* the nodes that are the document */
    uint32_t *at;          /* 1 + the schema at node root + i, 0 if there is none */
    struct cupel__str uri; /* from where it was retrieved, or its `$id`; may be empty */
};

struct graph {
    struct graph_doc *docs; /* [0] is the one to be compiled */
    struct graph_schema *schemas;
    struct graph_keyword *keywords;
    struct cupel__str *strays; /* JSON Pointers from the parent schema to a stray */
    uint32_t *order;           /* the schemas that the root reaches, itself first */
    uint32_t ndocs, nschemas, nkeywords, nstrays, nreached;
    bool evaluates; /* a schema that the root reaches asks what others have evaluated */
    /* The dynamic anchors that DYNAMIC_REFs name, numbered from 0.  What they mean depends on the
     * resources on the way: each one that may be the first to bind some of them has a row of
     * `nanchors` schemas in `scopes`, GRAPH_NONE where it binds nothing.  The arrays are there if
     * there are anchors. */
    uint32_t nanchors;
    uint32_t *scope_of; /* by resource: the number of its row, or GRAPH_NONE */
    uint32_t *scopes;
};

/* Documents and arrays, all of them in the arena. */
struct frontend;

/* Reads the schema at `node` of a document, and the documents that it refers to: checks the shape
 * of every keyword, resolves every reference that is reachable from the root, and refuses reference
 * cycles.  The options are the caller's, complete.
 * CUPEL_OK, or with its place in *err: CUPEL_E_SCHEMA, _DIALECT, _UNRESOLVED_REF, _REF_CYCLE,
 * _IDENTIFIER, _UNSUPPORTED, _SCHEMA_DEPTH, _SCHEMA_SIZE, _NO_MEMORY, or of the group "Reading
 * JSON" for another document. */
enum cupel_status cupel__graph_build(struct cupel__arena *, struct cupel__doc *, uint32_t node,
                                     const struct cupel_options *, struct frontend **ret,
                                     struct cupel_error *err);

const struct graph *cupel__frontend_graph(const struct frontend *);

/* Fills in the error for a node of document `doc`: status, sentence, place and pointer. Returns
 * `status`. */
enum cupel_status cupel__fe_fail(const struct frontend *, enum cupel_status status, uint32_t doc,
                                 uint32_t node, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* For "%.*s" in an error: a string of the schema, cut to where it still helps. */
#define FE_TEXT(s) (int)((s).n < 100 ? (s).n : 100), (s).p

static inline struct cupel__doc *graph_json(const struct graph *g, const struct graph_schema *s)
{
    return g->docs[s->doc].json;
}

/* The types (a mask of base/json/tape.h) that a name in `type` stands for, 0 if there is none of
 * it. */
uint32_t cupel__graph_type(struct cupel__str name);

/* The value of a string node, or a member's name. */
static inline struct cupel__str graph_str(const struct graph *g, const struct graph_schema *s,
                                          uint32_t node)
{
    struct cupel__doc *json = graph_json(g, s);
    return cupel__doc_str(json, &json->nodes[node]);
}

#endif
