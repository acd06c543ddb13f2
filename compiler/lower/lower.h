/* lower.h: from the graph of schemas to the intermediate form.
 *
 * compile.c calls cupel__lower_schema().  The rest is shared by the files of this folder: lower.c
 * calls a function for each keyword (keywords.def); the functions are in a file for each vocabulary
 * (core.c, applicator.c, validation.c, annotation.c), and all of them use operation.c. */
#ifndef CUPEL_COMPILER_LOWER_H
#define CUPEL_COMPILER_LOWER_H

#include "compiler/frontend/graph.h"
#include "compiler/ir/ir.h"

/* Lowers the schema at `node` of a document, and every schema that it refers to, into an empty
 * module. The options are complete.  Nodes and strings that the module refers to are in the
 * module's arena, or in the document.  On failure the status is one of cupel_compile's, *err (which
 * may be NULL) has the place, with pointers that begin at `node`, and the module must not be used.
 */
enum cupel_status cupel__lower_schema(struct ir_module *, struct cupel__doc *, uint32_t node,
                                      const struct cupel_options *, struct cupel_error *err);

/* -- One lowering ----------------------------------------------------------------------------- */

struct lower {
    struct ir_module *m;
    const struct graph *g;
    const struct frontend *frontend;
    const struct cupel_options *options;
    struct cupel_error *err;
    uint32_t *schema_locs;  /* by graph schema: 1 + its location, 0 until it is made */
    uint32_t *keyword_locs; /* by graph keyword */
    const struct graph_keyword *by[KEYWORDS]; /* of the schema being lowered; NULL if absent */
    uint32_t *scoped; /* by IR number: 1 + the IR schema whose SCOPE enters this one's resource and
                         then applies it, or 0; NULL if nothing depends on the dynamic scope */
};

/* The keyword that is being lowered, and its schema. */
struct lower_at {
    struct lower *l;
    const struct graph_schema *schema;
    const struct graph_keyword *kw;
    const struct graph_keyword *const *by; /* the schema's keywords by kind, NULL where absent */
    uint32_t number;                       /* of the IR schema that gets the operations */
};

static inline bool lower_annotates(const struct lower *l)
{
    return (l->options->flags & CUPEL_ANNOTATIONS) != 0;
}

/* Appends the operations of a keyword; CUPEL_OK or a status of cupel_compile. */
typedef enum cupel_status lower_keyword(const struct lower_at *);

#define K(name, json, slot, shape, vocabulary, first, last, apply, lower) \
    lower_keyword cupel__lower_##lower;
#include "compiler/frontend/keywords.def"

/* Appends an operation for each annotation of the schema. */
lower_keyword cupel__lower_notes;
/* Adds the IR schemas that enter resources (core.c). */
enum cupel_status cupel__lower_scopes(struct lower *);

/* -- Operations (operation.c) ----------------------------------------------------------------- */

/* The location of a schema, made if necessary; IR_NONE without memory. */
uint32_t cupel__lower_schema_loc(struct lower *, uint32_t i);
/* Appends an operation at the keyword's location; NULL without memory. */
struct ir_op *cupel__lower_op(const struct lower_at *, enum ir_kind);
/* The same at a member of the keyword's value, such as one trigger of `dependentRequired`. */
struct ir_op *cupel__lower_op_member(const struct lower_at *, enum ir_kind, struct cupel__str name);
/* The same at a member of the schema object, which need not be a keyword. */
struct ir_op *cupel__lower_op_beside(const struct lower_at *, enum ir_kind, struct cupel__str name);
/* The number of the IR schema to which the keyword's operation refers to apply graph schema
 * `schema`, which is reachable: its own, or in another resource that binds anchors the one whose
 * SCOPE enters that resource (core.c). */
uint32_t cupel__lower_schema_number(const struct lower_at *, uint32_t schema);
/* Makes the keyword's first `count` subschemas the operands of `op`; NO_MEMORY if `op` is NULL. */
enum cupel_status cupel__lower_schemas(const struct lower_at *, struct ir_op *op, uint32_t count);
/* Adds the pattern in a string node, which may be a member's name. */
enum cupel_status cupel__lower_add_pattern(const struct lower_at *, uint32_t node, uint32_t *ret);
/* The value of a keyword that is a non-negative integer, or `absent` without the keyword.  IR_MANY
 * stands for every value from IR_MANY on. */
uint32_t cupel__lower_count(const struct lower_at *, const struct graph_keyword *, uint32_t absent);

#endif
