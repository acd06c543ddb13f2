/* lower.h: from the graph of schemas to the intermediate form.
 *
 * compile.c calls cupel__lower_schema; the rest is shared by the files of this folder, one for each
 * vocabulary: a function for each keyword that asserts or applies something. */
#ifndef CUPEL_COMPILER_LOWER_H
#define CUPEL_COMPILER_LOWER_H

#include "compiler/frontend/graph.h"
#include "compiler/ir/ir.h"

/* Lowers the schema at `node` of a document into an empty module, all schemas that it refers to
 * included.  Options are the caller's, complete.  The other documents, whose nodes and strings the
 * module refers to, are in the module's arena.  On failure the status is one of cupel_compile's,
 * *err (which may be NULL) has the place, pointers beginning at `node`, and the module is good for
 * nothing. */
enum cupel_status cupel__lower_schema(struct ir_module *, struct cupel__doc *, uint32_t node,
                                      const struct cupel_options *, struct cupel_error *err);

/* -- Shared by the vocabularies --------------------------------------------------------------- */

struct lower {
    struct ir_module *m;
    const struct graph *g;
    const struct frontend *frontend;
    const struct cupel_options *options;
    struct cupel_error *err;
    uint32_t *schema_locs;  /* by graph schema: 1 + its location, 0 not made yet */
    uint32_t *keyword_locs; /* by graph keyword */
    const struct graph_keyword *by[KEYWORDS]; /* of the schema being lowered, else NULL */
    uint32_t *scoped; /* by IR number: 1 + the schema that is this one in the scope of its resource,
                         0 if there is none; NULL if nothing depends on the dynamic scope */
};

/* A keyword being lowered, and the schema it is in. */
struct lower_at {
    struct lower *l;
    const struct graph_schema *schema;
    const struct graph_keyword *kw;
    const struct graph_keyword *const *by; /* the schema's keywords by kind, NULL where absent */
    uint32_t number;                       /* of the IR schema that takes the operations */
};

static inline bool lower_annotates(const struct lower *l)
{
    return (l->options->flags & CUPEL_ANNOTATIONS) != 0;
}

typedef enum cupel_status lower_keyword(const struct lower_at *);

lower_keyword cupel__lower_type, cupel__lower_enum, cupel__lower_const, cupel__lower_multiple_of,
    cupel__lower_maximum, cupel__lower_minimum, cupel__lower_exclusive_maximum,
    cupel__lower_exclusive_minimum, cupel__lower_max_length, cupel__lower_min_length,
    cupel__lower_pattern, cupel__lower_format, cupel__lower_max_items, cupel__lower_min_items,
    cupel__lower_unique_items, cupel__lower_max_properties, cupel__lower_min_properties,
    cupel__lower_required, cupel__lower_dependent_required;
/* What the schema says of a value without deciding anything. */
lower_keyword cupel__lower_notes;
lower_keyword cupel__lower_all_of, cupel__lower_any_of, cupel__lower_one_of, cupel__lower_not,
    cupel__lower_if, cupel__lower_dependent_schemas, cupel__lower_property_dependencies,
    cupel__lower_prefix_items, cupel__lower_items, cupel__lower_contains, cupel__lower_members,
    cupel__lower_property_names;

/* Appends an operation that comes from the keyword; NULL without memory. */
struct ir_op *cupel__lower_op(const struct lower_at *, enum ir_kind);
/* The same for a member of the keyword's value, such as one trigger of `dependentRequired`. */
struct ir_op *cupel__lower_op_member(const struct lower_at *, enum ir_kind, struct cupel__str name);
/* The same for a member of the schema, which need not be a keyword. */
struct ir_op *cupel__lower_op_beside(const struct lower_at *, enum ir_kind, struct cupel__str name);
/* The IR schema that the keyword's schema applies where it applies graph schema `schema`, which is
 * reachable: its own, or the one that enters its resource first. */
uint32_t cupel__lower_schema_number(const struct lower_at *, uint32_t schema);
/* Makes the keyword's first `count` subschemas the operands of `op`; NO_MEMORY if op is NULL. */
enum cupel_status cupel__lower_schemas(const struct lower_at *, struct ir_op *op, uint32_t count);
/* Adds the pattern at a string node, which may be a member's name. */
enum cupel_status cupel__lower_add_pattern(const struct lower_at *, uint32_t node, uint32_t *ret);
/* The value of a keyword that holds a non-negative integer, `absent` without one; IR_MANY stands
 * for everything from there on. */
uint32_t cupel__lower_count(const struct lower_at *, const struct graph_keyword *, uint32_t absent);

#endif
