/* ir.h: the intermediate form between keywords and instructions.
 *
 * A module is an array of schemas.  A schema is a mask of types and a list of operations: an
 * instance passes it if its type is in the mask and it passes every operation.  Operations refer to
 * schemas by number, to names and values by reference into the documents that were compiled, and
 * have a location, an index into `locs` that no pass interprets.  Lowering makes one IR schema for
 * each schema location, passes rewrite the lists, emit turns each schema into instructions.
 *
 * Everything is in the module's arena.  Functions that add something return NULL, IR_NONE or false
 * when it is out of memory.  docs/ir.md describes the text form and the laws. */
#ifndef CUPEL_COMPILER_IR_H
#define CUPEL_COMPILER_IR_H

#include "base/json/tape.h"
#include "base/memory.h"
#include "base/regex/regex.h"

enum ir_kind {
#define IR(name, text, on, operands, ...) IR_##name,
#include "compiler/ir/ir.def"
    IR_KINDS
};

#define IR_NONE UINT32_MAX /* no schema, no location */
#define IR_MANY UINT32_MAX /* no upper bound */

/* A JSON value in one of the documents that were compiled; they outlive the module. */
struct ir_value {
    struct cupel__doc *doc;
    uint32_t node;
};

#define IR_BIT(kind) (UINT64_C(1) << (kind))
/* The kinds that apply a schema to the value itself, not to a member or an item. */
#define IR_BITS_IN_PLACE                                                           \
    (IR_BIT(IR_DEP_SCHEMA) | IR_BIT(IR_REF) | IR_BIT(IR_ALL) | IR_BIT(IR_ANY_OF) | \
     IR_BIT(IR_ONE_OF) | IR_BIT(IR_NOT) | IR_BIT(IR_IF) | IR_BIT(IR_UNEVALUATED) | \
     IR_BIT(IR_SCOPE) | IR_BIT(IR_DYNAMIC) | IR_BIT(IR_CASES))

/* Flags of a name in a PROPS.  REQUIRED: a member of this name must be present.  UNKNOWN: the name
 * is only required and is no property. */
enum { IR_NAME_REQUIRED = 1, IR_NAME_UNKNOWN = 2 };

/* A name in a list of names, or in a PROPS. */
struct ir_name {
    struct cupel__str name;
    uint32_t
        schema;     /* PROPS: the schema of the member; IR_NONE if UNKNOWN, and in lists of names */
    uint32_t flags; /* PROPS: IR_NAME_… */
};

struct ir_match {
    uint32_t pattern, schema;
};

/* A discriminator computes from a value the set of branches of an ANY_OF or ONE_OF that may pass;
 * every other branch fails.  passes/discriminate.c makes it.  A set of branches is a word of 64
 * bits; each bit stands for the `n` branches from `first` on.
 *
 * The discriminator of a CASES, which passes/cases.c makes, is `exact`: it has one key, its tags
 * are strings, and every set has one bit, the schema that the value must pass.
 *
 * Example: {"oneOf": [{"properties": {"t": {"const": "a"}}, "required": ["t"]}, {… "b" …}]}
 *
 *     key "t": tag "a" → {0}, tag "b" → {1}; unlisted, other_typed, absent → {} */
struct ir_span {
    uint32_t first, n;
};

/* A value of a key's member, and the branches that may pass with it. */
struct ir_tag {
    struct cupel__str text;
    int64_t integer;
    bool is_text; /* a string, else an integer of 64 bits */
    uint64_t set;
};

/* A member, and the branches that may pass: with a string or integer that is no tag (or, without
 * tags, with any value), with a value of another type, without the member. */
struct ir_key {
    struct cupel__str name;
    uint64_t unlisted, other_typed, absent;
    struct ir_tag *tags;
    uint32_t ntags;
    uint64_t types[CUPEL__TYPES]; /* exact: with a value of the type, which is no string */
};

struct ir_discriminator {
    struct ir_span *spans;
    uint32_t nbits;
    uint32_t *targets; /* of each bit: what an object must pass if only this bit remains; NULL: the
                          first branch of its span */
    uint64_t
        *compatible; /* of each bit: the bits that can remain together with it; not of a CASES */
    uint64_t types[CUPEL__TYPES]; /* the branches that may pass for a value of the type */
    struct ir_key *keys;
    uint32_t nkeys;
    bool exact;
};

/* An operation.  The letters are those of ir.def; an operand that the kind does not have is empty.
 */
struct ir_op {
    struct ir_op *next;
    enum ir_kind kind;
    uint32_t loc;
    uint32_t mask;    /* m */
    uint32_t a, b;    /* a, b; f: a is an enum cupel__format */
    uint32_t pattern; /* p: index into the module's patterns */
    uint32_t other;   /* P: additional properties; IR_NONE: no such keyword.  A schema that always
                         passes is different from none, because it evaluates */
    uint32_t nvalues, nschemas, nnames, nmatches;
    bool exclusive;  /* x */
    bool unlisted;   /* P: patterns are not matched against `names`, none of which is UNKNOWN */
    bool either;     /* ANY_OF, ONE_OF: may be one check (cupel__pass_discriminate) */
    uint16_t always; /* ANY_OF, ONE_OF: types whose values all pass (cupel__pass_discriminate) */
    struct cupel__str name;   /* n */
    struct ir_value *values;  /* v, V */
    uint32_t *schemas;        /* s, S; IR_NONE where cupel__ir_may_be_none() allows it */
    struct ir_name *names;    /* N, P */
    struct ir_match *matches; /* P: pattern properties */
    const struct ir_discriminator *discriminator; /* CASES; ANY_OF, ONE_OF: NULL, or a filter */
};

struct ir_schema {
    uint32_t id, loc;
    uint32_t types;             /* other types fail; M_ANY until the fold pass */
    bool tracked;               /* its evaluations are recorded (cupel__ir_mark_tracked) */
    uint32_t memo;              /* types for which its result is kept (cupel__pass_memo) */
    uint32_t uses;              /* references from reachable schemas (cupel__ir_count_uses) */
    struct ir_op *first, **end; /* end is valid only while the list is not empty */
};

/* A location in a schema document: one step of a JSON Pointer.  A location without a parent is a
 * document; its token is the document's URI. */
struct ir_loc {
    uint32_t parent;
    struct cupel__str token;
    struct cupel__str
        base; /* the URI of the schema resource that begins here (core 4.3.5), or empty */
};

struct ir_pattern {
    struct cupel__str source; /* ECMA-262 */
    uint32_t bit,
        child[2]; /* a node of the tree by which cupel__ir_add_pattern finds sources (ir.c) */
};

struct ir_module {
    struct cupel__arena *arena;
    struct ir_schema *schemas;
    uint32_t nschemas, root;
    struct ir_loc *locs;
    uint32_t nlocs;
    struct ir_pattern *patterns;
    uint32_t npatterns, patterns_top;
    uint64_t kinds; /* IR_BITs of all operations that lowering added; passes may add others */
    int64_t pattern_steps; /* remaining for compiling patterns */
    size_t schemas_cap, locs_cap, patterns_cap;
};

/* An empty module, whose memory is the arena's. */
void cupel__ir_init(struct ir_module *, struct cupel__arena *arena);
/* Reserves `need` elements in one of the arrays of the module. */
enum cupel_status cupel__ir_reserve(struct ir_module *, void *array, size_t *cap, size_t need,
                                    size_t size);

/* -- Building ---------------------------------------------------------------------------------- */

/* Adds an empty schema, which every value passes; its number, or IR_NONE.  Invalidates pointers to
 * schemas. */
uint32_t cupel__ir_add_schema(struct ir_module *, uint32_t loc);
/* Adds a location; its number, or IR_NONE. */
uint32_t cupel__ir_add_loc(struct ir_module *, uint32_t parent, struct cupel__str token);
/* Adds a pattern, or finds the one with the same source.  A new one is parsed and checked, with
 * regex_flags for the parser and match_flags for cupel__matcher_new(); returns their status. */
enum cupel_status cupel__ir_add_pattern(struct ir_module *, struct cupel__str source,
                                        unsigned regex_flags, unsigned match_flags, uint32_t *ret,
                                        struct cupel_error *err);
/* Appends an operation to the schema's list, with empty operands (other: IR_NONE, b: IR_MANY). */
struct ir_op *cupel__ir_add_op(struct ir_module *, uint32_t schema, enum ir_kind, uint32_t loc);
/* Give an operation a new array of operands, zeroed except that the schema of a name is IR_NONE.
 * Arrays of names and values may be shared by several operations and are not written to again,
 * except the names of a PROPS; arrays of schemas and matches belong to one operation. */
uint32_t *cupel__ir_op_schemas(struct ir_module *, struct ir_op *, uint32_t n);
struct ir_name *cupel__ir_op_names(struct ir_module *, struct ir_op *, uint32_t n);
struct ir_match *cupel__ir_op_matches(struct ir_module *, struct ir_op *, uint32_t n);
struct ir_value *cupel__ir_op_values(struct ir_module *, struct ir_op *, uint32_t n);
/* Inserts copies of a schema's operations at *at.  Returns the place after them, or NULL when out
 * of memory. */
struct ir_op **cupel__ir_copy_ops(struct ir_module *, struct ir_op **at,
                                  const struct ir_schema *from);
/* Moves the operations of a schema to the place of the operation *at; returns the place after them.
 */
static inline struct ir_op **ir_move_ops(struct ir_op **at, struct ir_schema *from)
{
    struct ir_op *rest = (*at)->next;
    if (from->first != NULL) {
        *at = from->first;
        at = from->end;
        from->first = NULL;
    }
    *at = rest;
    return at;
}
/* Makes the schema require the target too: by its mask, and a REF if the target has operations.
 * False when out of memory. */
bool cupel__ir_add_ref(struct ir_module *, uint32_t schema, uint32_t target);

/* -- Queries ----------------------------------------------------------------------------------- */

/* Whether schema i of an operation may be IR_NONE: the branches of IF, the parts of UNEVALUATED,
 * the bindings of SCOPE. */
bool cupel__ir_may_be_none(enum ir_kind, uint32_t i);
/* Whether schema i of an operation is applied to the instance itself.  The bindings of SCOPE are
 * not: a DYNAMIC applies them. */
bool cupel__ir_in_place(enum ir_kind, uint32_t i);
/* Whether the operation itself, and not through schemas in place, evaluates members or items. */
bool cupel__ir_evaluates(const struct ir_op *);
/* Sets `tracked` of every schema whose evaluations an UNEVALUATED may observe, and of no other:
 * schemas that its S[0] reaches in place (REF, ALL, ANY_OF, ONE_OF, IF, DEP_SCHEMA, S[0] of
 * UNEVALUATED and SCOPE, DYNAMIC with every binding of its anchor; not NOT, whose evaluations are
 * dropped) and that can evaluate something.  Passes keep, in a tracked schema, every operation and
 * branch that evaluates something, even if it always passes, and the conditions of IF. */
enum cupel_status cupel__ir_mark_tracked(struct ir_module *);
/* The text, the letters of the operands and the types of a kind, from ir.def. */
const char *cupel__ir_kind_text(enum ir_kind);
const char *cupel__ir_kind_operands(enum ir_kind);
uint32_t cupel__ir_kind_types(enum ir_kind);
/* The node of a value, and the string of a value that is one. */
static inline struct cupel__node *ir_value_node(const struct ir_value *v)
{
    return &v->doc->nodes[v->node];
}

static inline struct cupel__str ir_value_str(const struct ir_value *v)
{
    return cupel__doc_str(v->doc, ir_value_node(v));
}
/* The node types that a value equal to this one can have: 1 may be written 1.0, "a" may be written
 * "\u0061". */
uint32_t cupel__ir_value_types(const struct ir_value *);
/* Sets `uses` of every schema: the references from reachable schemas, and one for the root. */
enum cupel_status cupel__ir_count_uses(struct ir_module *);

/* Whether the schema obviously passes every value. */
static inline bool ir_is_always(const struct ir_schema *s)
{
    return s->first == NULL && s->types == CUPEL__M_ANY;
}

/* The number of operations and names of a schema. */
size_t cupel__ir_schema_size(const struct ir_schema *);
/* The same for all schemas with uses. */
size_t cupel__ir_module_size(const struct ir_module *);
/* The number of operations, names, schemas and values of all schemas with uses: the work of one
 * pass. */
size_t cupel__ir_module_work(const struct ir_module *);

/* Removes all discriminators; needed before branches change. */
void cupel__ir_drop_discriminators(struct ir_module *);

/* Iterates over the operation's references to schemas, for reading or changing them.  *at starts at
 * 0; NULL after the last. */
static inline uint32_t *ir_op_next_ref(struct ir_op *op, uint32_t *at)
{
    for (;;) {
        uint32_t i = (*at)++, *ref;
        if (i < op->nschemas)
            ref = &op->schemas[i];
        else if ((i -= op->nschemas) < op->nnames)
            ref = &op->names[i].schema;
        else if ((i -= op->nnames) < op->nmatches)
            ref = &op->matches[i].schema;
        else if (i == op->nmatches)
            ref = &op->other;
        else
            return NULL;
        if (*ref != IR_NONE)
            return ref;
    }
}

/* Appends the JSON Pointer of a location; the document's URI is not part of it. */
void cupel__ir_loc_pointer(const struct ir_module *, uint32_t loc, struct cupel_text *);

/* -- Text -------------------------------------------------------------------------------------- */

/* Prints the schemas that the root reaches. */
void cupel__ir_print(const struct ir_module *, struct cupel_text *);
/* The documents with the values of a parsed module. */
struct ir_text {
    struct cupel__doc *docs;
    size_t ndocs, docs_cap;
    struct cupel_alloc alloc;
};
/* Reads the output of cupel__ir_print(), except CASES.  The values are in *keep, which the caller
 * frees with cupel__ir_text_free(). */
enum cupel_status cupel__ir_parse(struct ir_module *, const char *text, size_t len,
                                  struct ir_text *keep, struct cupel_error *err);
void cupel__ir_text_free(struct ir_text *);

/* Checks the laws (docs/ir.md).  CUPEL_E_INTERNAL, with the broken law in *err. */
enum cupel_status cupel__ir_check(const struct ir_module *, struct cupel_error *err);

/* -- Memory of one pass ------------------------------------------------------------------------ */

/* An array of 32-bit words for one pass: up to 64 are in this struct, more come from the allocator.
 */
struct ir_scratch {
    const struct cupel_alloc *alloc;
    uint32_t *words;
    size_t n;
    uint32_t small[64];
};

/* Returns `n` words, not zeroed, or NULL.  Called once for each scratch. */
static inline uint32_t *ir_scratch_init(struct ir_scratch *s, const struct cupel_alloc *alloc,
                                        size_t n)
{
    s->alloc = alloc;
    s->n = n;
    if (n <= sizeof s->small / sizeof *s->small)
        s->words = s->small;
    else
        s->words = n > SIZE_MAX / sizeof *s->words
                       ? NULL
                       : cupel__realloc(alloc, NULL, 0, n * sizeof *s->words);
    return s->words;
}

static inline void ir_scratch_free(struct ir_scratch *s)
{
    if (s->words != s->small)
        cupel__free(s->alloc, s->words, s->n * sizeof *s->words);
}

/* The order of two names of a PROPS or a list (context: the array), for cupel__ir_sort(). */
int cupel__ir_compare_names(const void *names, uint32_t a, uint32_t b);
/* Sorts the numbers 0 … n-1 into `order`, in n log n comparisons for every input.  The sort is
 * stable. */
enum cupel_status cupel__ir_sort(const struct cupel_alloc *, uint32_t *order, uint32_t n,
                                 int (*compare)(const void *context, uint32_t a, uint32_t b),
                                 const void *context);

#endif
