/* ir.h: the intermediate form between keywords and instructions.
 *
 * A module is an array of schemas; a schema is a list of operations, all of which an instance has
 * to pass.  Operations refer to schemas by number, to names and values by reference into the
 * documents that the schema was read from, and carry a location: the keyword they came from, an
 * index into `locs` whose meaning no pass looks at.  Lowering makes one IR schema for each schema
 * location; passes rewrite the lists; emit turns each schema into instructions.
 *
 * Everything lives in the module's arena.  Builders return NULL (or IR_NONE) when it is out of
 * memory. docs/ir.md describes the text form. */
#ifndef CUPEL_COMPILER_IR_H
#define CUPEL_COMPILER_IR_H

#include "base/json/tape.h"
#include "base/memory.h"
#include "base/regex/regex.h"

enum ir_kind {
#define IR(name, text, on, operands, summary) IR_##name,
#include "compiler/ir/ir.def"
    IR_KINDS
};

#define IR_NONE UINT32_MAX /* no schema, no location */
#define IR_MANY UINT32_MAX /* no upper bound */

/* A JSON value in one of the documents the compiler reads; they outlive the module. */
struct ir_value {
    struct cupel__doc *doc;
    uint32_t node;
};

#define IR_BIT(kind) (UINT64_C(1) << (kind))
/* Those that apply a schema to the value itself. */
#define IR_BITS_HERE                                                               \
    (IR_BIT(IR_DEP_SCHEMA) | IR_BIT(IR_REF) | IR_BIT(IR_ALL) | IR_BIT(IR_ANY_OF) | \
     IR_BIT(IR_ONE_OF) | IR_BIT(IR_NOT) | IR_BIT(IR_IF) | IR_BIT(IR_UNEVALUATED) | \
     IR_BIT(IR_SCOPE) | IR_BIT(IR_DYNAMIC) | IR_BIT(IR_CASES))

enum { IR_NAME_REQUIRED = 1, IR_NAME_UNKNOWN = 2 }; /* not IR_REQUIRED, which is a kind */

/* A named member. */
struct ir_name {
    struct cupel__str name;
    uint32_t schema; /* PROPS: what its value passes; IR_NONE with UNKNOWN and in lists of names */
    uint32_t flags;  /* PROPS: REQUIRED: must be there.  UNKNOWN: not a property, only required */
};

struct ir_match {
    uint32_t pattern, schema;
};

/* Which branches of an ANY_OF or ONE_OF may pass; every other one fails.  passes/discriminate.c
 * makes it. A set of branches is a word, in which each bit is for `n` branches from `first` on.
 *
 * Of a CASES, which passes/cases.c makes, it is `exact`: there is one key, its tags are strings,
 * and every set has one bit, which is the schema that the value has to pass. */
struct ir_span {
    uint32_t first, n;
};

struct ir_tag {
    struct cupel__str text;
    int64_t integer;
    bool is_text; /* a string, else an integer of 64 bits */
    uint64_t left;
};

/* A member, and what it leaves: `left` with a string or such an integer that is no tag, or if there
 * are none, with any value; `odd` with another value; `absent` if it is not there. */
struct ir_key {
    struct cupel__str name;
    uint64_t left, odd, absent;
    struct ir_tag *tags;
    uint32_t ntags;
    uint64_t types[CUPEL__TYPES]; /* exact: of a value of such a type, but for strings */
};

struct ir_discriminator {
    struct ir_span *spans;
    uint32_t nbits;
    uint32_t *targets; /* of each bit: what an object has to pass if it alone is left; NULL: the
                          first branch of its span */
    uint64_t *meet;    /* of each bit: those that may be left together with it; not of a CASES */
    uint64_t types[CUPEL__TYPES]; /* what the value's type leaves */
    struct ir_key *keys;
    uint32_t nkeys;
    bool exact;
};

struct ir_op {
    struct ir_op *next;
    enum ir_kind kind;
    uint32_t loc;
    uint32_t mask;    /* m */
    uint32_t a, b;    /* a, b; f: a is an enum cupel__format */
    uint32_t pattern; /* p: index into the module's patterns */
    uint32_t other;   /* P: additional properties; IR_NONE: no such keyword.  A schema that
                         always passes is not the same: it evaluates */
    uint32_t nvalues, nschemas, nnames, nmatches;
    bool exclusive;   /* x */
    bool beyond;      /* P: the patterns are not asked for `names`, none of which is UNKNOWN */
    bool either;      /* ANY_OF, ONE_OF: one check, if its branches are checks; see
                         cupel__pass_discriminate */
    uint16_t settled; /* ANY_OF, ONE_OF: types of which every value passes; made by
                         cupel__pass_discriminate */
    struct cupel__str name;   /* n */
    struct ir_value *values;  /* v, V */
    uint32_t *schemas;        /* s, S; IR_NONE may stand where cupel__ir_may_be_none says */
    struct ir_name *names;    /* N, P */
    struct ir_match *matches; /* P: pattern properties */
    const struct ir_discriminator
        *discriminator; /* CASES; ANY_OF, ONE_OF: NULL, or what cupel__pass_discriminate made */
};

struct ir_schema {
    uint32_t id, loc;
    uint32_t types; /* after the fold pass: types not in here fail; before it M_ANY */
    bool tracked;   /* what it evaluates may be asked for; set by cupel__ir_mark_tracked */
    uint32_t memo;  /* types for which its result is kept; set by cupel__pass_memo */
    uint32_t uses;  /* references from reachable schemas; set by cupel__ir_count_uses */
    struct ir_op *first, **end; /* end: means something only while the list is not empty */
};

/* Where something stands in a schema document: a step of a JSON Pointer.  A location without a
 * parent is a document; its token is the document's URI. */
struct ir_loc {
    uint32_t parent;
    struct cupel__str token;
    struct cupel__str
        base; /* the URI of the schema resource that begins here (core 4.3.5); n 0: none */
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
    uint64_t kinds; /* of all operations that were ever added, as bits: what is not in here is
                       nowhere, but for what passes make of others */
    int64_t pattern_steps; /* that are left for compiling them */
    size_t schemas_cap, locs_cap, patterns_cap;
};

/* All that it has is in the arena. */
void cupel__ir_init(struct ir_module *, struct cupel__arena *arena);
/* Makes room for `need` elements in one of the arrays of the module. */
enum cupel_status cupel__ir_reserve(struct ir_module *, void *array, size_t *cap, size_t need,
                                    size_t size);

/* -- Building ---------------------------------------------------------------------------------- */

/* A new, empty schema (passes everything). Its number, or IR_NONE. Invalidates ir_schema pointers.
 */
uint32_t cupel__ir_add_schema(struct ir_module *, uint32_t loc);
/* A new location, or IR_NONE. */
uint32_t cupel__ir_add_loc(struct ir_module *, uint32_t parent, struct cupel__str token);
/* A new pattern or the one with the same source, which is parsed to see that it is one. regex_flags
 * for the parser, match_flags for cupel__matcher_new; their statuses. */
enum cupel_status cupel__ir_add_pattern(struct ir_module *, struct cupel__str source,
                                        unsigned regex_flags, unsigned match_flags, uint32_t *ret,
                                        struct cupel_error *err);
/* A new operation at the end of the schema's list, with every operand empty (other: IR_NONE, b:
 * IR_MANY). */
struct ir_op *cupel__ir_add_op(struct ir_module *, uint32_t schema, enum ir_kind, uint32_t loc);
/* Arrays of operands, zeroed; but the schema of a name is IR_NONE.  They replace what the operation
 * had. An array of names or values may be shared by several operations and is never written to
 * again, except that of a PROPS; those of schemas and matches are the operation's own
 * (cupel__ir_copy_ops). */
uint32_t *cupel__ir_op_schemas(struct ir_module *, struct ir_op *, uint32_t n);
struct ir_name *cupel__ir_op_names(struct ir_module *, struct ir_op *, uint32_t n);
struct ir_match *cupel__ir_op_matches(struct ir_module *, struct ir_op *, uint32_t n);
struct ir_value *cupel__ir_op_values(struct ir_module *, struct ir_op *, uint32_t n);
/* Puts copies of a schema's operations at *at, before what is there; the place behind them, or NULL
 * when out of memory. */
struct ir_op **cupel__ir_copy_ops(struct ir_module *, struct ir_op **at,
                                  const struct ir_schema *from);
/* What passes the schema has to pass the target too, by a REF if its types alone do not say that;
 * false when out of memory. */
bool cupel__ir_add_ref(struct ir_module *, uint32_t schema, uint32_t target);

/* -- Asking ------------------------------------------------------------------------------------ */

/* Whether schema i of an operation may be IR_NONE: then and else, both parts of UNEVALUATED, the
 * bindings of SCOPE. */
bool cupel__ir_may_be_none(enum ir_kind, uint32_t i);
/* Whether schema i of an operation is applied to the instance itself, not to a part of it.  The
 * bindings of SCOPE are not: a DYNAMIC applies them. */
bool cupel__ir_in_place(enum ir_kind, uint32_t i);
/* Whether the operation, by itself and not through schemas in place, evaluates members or items. */
bool cupel__ir_evaluates(const struct ir_op *);
/* Sets `tracked` of every schema that an UNEVALUATED with a part may ask, and no other: those that
 * its S[0] reaches in place (REF, ALL, ANY_OF, ONE_OF, IF, DEP_SCHEMA, S[0] of UNEVALUATED and
 * SCOPE, DYNAMIC with every binding of its anchor; not NOT, whose evaluations are dropped) and that
 * can evaluate something. What a tracked schema applies in place and is not tracked evaluates
 * nothing.  Passes keep, in a tracked schema, every operation and branch that evaluates something,
 * trivial ones included, and IF conditions. */
enum cupel_status cupel__ir_mark_tracked(struct ir_module *);
const char *cupel__ir_kind_text(enum ir_kind);
const char *cupel__ir_kind_operands(enum ir_kind);
uint32_t cupel__ir_kind_types(enum ir_kind);
/* The types of node kinds of a value: CUPEL__BIT of its type, all spellings of an equal value
 * included (1 may be written 1.0, "a" may be written "\u0061"). */
uint32_t cupel__ir_value_types(const struct ir_value *);
/* Sets `uses` of every schema: references from schemas reachable from the root, the root itself 1.
 */
enum cupel_status cupel__ir_count_uses(struct ir_module *);

/* Whether every value passes, as is seen at once. */
static inline bool ir_is_always(const struct ir_schema *s)
{
    return s->first == NULL && s->types == CUPEL__M_ANY;
}

/* What a copy of the schema costs: its operations and names. */
size_t cupel__ir_schema_size(const struct ir_schema *);
/* The same of all schemas in use. */
size_t cupel__ir_module_size(const struct ir_module *);
/* What a pass has to look at in the schemas in use: their operations, names, schemas and values. */
size_t cupel__ir_module_work(const struct ir_module *);

/* What cupel__pass_discriminate made, before branches change. */
void cupel__ir_drop_discriminators(struct ir_module *);

/* The operation's references to schemas, one after the other, for reading or changing.  *at starts
 * at 0; NULL after the last. */
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

/* Prints what the root reaches; schemas that it does not reach are left out. */
void cupel__ir_print(const struct ir_module *, struct cupel_text *);
/* Reads what cupel__ir_print writes, but for CASES.  Values are kept in documents that the caller
 * frees with cupel__ir_text_free. */
struct ir_text {
    struct cupel__doc *docs;
    size_t ndocs, docs_cap;
    struct cupel_alloc alloc;
};
enum cupel_status cupel__ir_parse(struct ir_module *, const char *text, size_t len,
                                  struct ir_text *keep, struct cupel_error *err);
void cupel__ir_text_free(struct ir_text *);

/* The laws: every reference is to something that is there, operands fit the kind, names in a list
 * are different, bounds are in order, types is within M_ANY.  CUPEL_E_INTERNAL with what is wrong
 * in *err. */
enum cupel_status cupel__ir_check(const struct ir_module *, struct cupel_error *err);

/* -- Memory of one pass ------------------------------------------------------------------------ */

/* Words that a pass needs while it runs: on its stack for small modules, else the allocator's. */
struct ir_scratch {
    const struct cupel_alloc *alloc;
    uint32_t *words;
    size_t n;
    uint32_t small[64];
};

/* `n` words, not zeroed, or NULL.  One call per scratch. */
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

/* Sorts 0 … n-1 into `order` so that less-or-equal comes first; equal ones stay in the order of
 * their numbers.  n log n comparisons at most, whatever the input. */
enum cupel_status cupel__ir_sort(const struct cupel_alloc *, uint32_t *order, uint32_t n,
                                 int (*compare)(const void *context, uint32_t a, uint32_t b),
                                 const void *context);

#endif
