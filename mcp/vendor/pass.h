/* pass.h: one pass over the definition of a tool for a vendor's target: a check, which reports what
 * the target does not accept, or an export, which also writes what it accepts.
 *
 * targets.c: the tables.  pass.c: the traversal of a schema that can follow references.  merge.c:
 * keywords beside references.  schema.c: what becomes of each keyword.  target.c: the tool as a
 * whole, and the public functions. */
#ifndef CUPEL_MCP_VENDOR_PASS_H
#define CUPEL_MCP_VENDOR_PASS_H

#include "mcp/json/member_index.h"
#include "mcp/rules/rules.h"
#include <cupel/checks.h>

/* -- The tables (targets.c) ---------------------------------------------------------------------
 */

enum cupel__target_flag {
    CUPEL__TARGET_CLOSED = 1 << 0,
    CUPEL__TARGET_ITEMS = 1 << 1,
    CUPEL__TARGET_BARE = 1 << 2,
    CUPEL__TARGET_ROOT = 1 << 3,
    CUPEL__TARGET_LETTER = 1 << 4,
    CUPEL__TARGET_KNOWN = 1 << 5
};

enum cupel__target_shape {
    CUPEL__TARGET_DATA,
    CUPEL__TARGET_NOTE, /* an annotation: data that does not constrain values */
    CUPEL__TARGET_SCHEMA,
    CUPEL__TARGET_MAP,
    CUPEL__TARGET_LIST,
    CUPEL__TARGET_EITHER
};

enum cupel__target_action {
    CUPEL__TARGET_KEEP,
    CUPEL__TARGET_LOSE,
    CUPEL__TARGET_OMIT,
    CUPEL__TARGET_INLINE,
    CUPEL__TARGET_DEFS,
    CUPEL__TARGET_ANY,
    CUPEL__TARGET_ENUM,
    CUPEL__TARGET_STRINGS,
    CUPEL__TARGET_FORMAT,
    CUPEL__TARGET_TYPES,
    CUPEL__TARGET_CLOSE,
    CUPEL__TARGET_ALL
};

/* The name of a target, for messages. */
const char *cupel__target_name(enum cupel_target target);

struct cupel__target_keyword {
    const char *name;
    enum cupel__target_shape shape;
    enum cupel__target_action actions[CUPEL_TARGET_GEMINI]; /* of target - 1 */
};

struct cupel__target {
    const char *name;
    size_t longest;    /* bytes of a tool's name */
    const char *extra; /* characters of a name, beside letters, digits, _ and - */
    unsigned flags;    /* enum cupel__target_flag */
};

const struct cupel__target *cupel__target_of(enum cupel_target target);
/* Returns the row of a keyword, or NULL. */
const struct cupel__target_keyword *cupel__target_keyword(const char *name, size_t len);
bool cupel__target_has_format(enum cupel_target target, const char *format, size_t len);

/* -- The traversal (pass.c) ------------------------------------------------------------------- */

/* One open schema, map or list. */
struct cupel__target_frame {
    enum cupel__target_shape shape; /* SCHEMA, MAP or LIST */
    uint32_t node, key, value, index;
    const char *base; /* the pointer of a reference that led here, for problems below; or NULL */
    size_t base_len;
    size_t written;   /* the frame whose object the output has open: this one, or an earlier one */
    uint64_t owner;   /* in the index: of the members that were merged so far; 0: none */
    uint32_t nesting; /* the number of open maps of properties, with this one */
    uint32_t hops;    /* references that were followed since the object was opened */
    uint32_t properties; /* `properties` of the schema, or CUPEL_NO_NODE */
    bool root;           /* the root schema, or merged into it */
    bool embedded;       /* within a resource that has an identifier of its own */
    bool merged;         /* its members go into the object of the frame `written` */
    bool keeps;          /* its $ref is written as a $ref */
    bool inlines;        /* its $ref is replaced by its target */
    bool wrapped;        /* written as the first branch of an anyOf with null */
    bool nullable;       /* null is added to its type */
    bool optional;       /* a map of properties, of which optional ones become nullable */
    bool array;          /* the written object is a schema of arrays */
    bool items;          /* that schema has `items` */
    bool closed;         /* the written object has additionalProperties: false */
};

/* Marks of nodes, in a bit array by the offset at which the node begins in the schema. */
enum cupel__target_mark {
    CUPEL__TARGET_REPORTED_LOSS, /* a loss was reported */
    CUPEL__TARGET_REPORTED_REST, /* another change was reported */
    CUPEL__TARGET_OPEN,          /* a schema with an open frame */
    CUPEL__TARGET_REQUIRED,      /* the key of a required property */
    CUPEL__TARGET_MARKS
};

struct cupel__target_pass {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    enum cupel_target target;
    unsigned flags;
    bool writes;           /* an export */
    uint32_t root;         /* the schema at which references start */
    struct cupel_text out; /* the exported schema */
    size_t most;           /* bytes of it at most */
    uint64_t steps;        /* steps that remain */
    struct cupel__target_frame *frames;
    size_t depth, capacity;
    unsigned char *marks; /* CUPEL__TARGET_MARKS bits for each byte of the schema */
    size_t marks_bytes;
    uint64_t start, end; /* of the schema in the document's text */
    struct cupel_text pointer, message;
    struct cupel__member_index index;
    uint64_t owners; /* the number of owners in the index */
    enum cupel_part part;
    uint64_t properties, enum_values, characters; /* counted for the limits of structured outputs */
    cupel_on_rule_problem *on_problem;
    void *ctx;
    bool stopped; /* by the callback */
    enum cupel_status status;
};

void cupel__target_pass_free(struct cupel__target_pass *pass);

/* Opens a schema, map or list.  NULL when out of memory; pass->status is set then. */
struct cupel__target_frame *cupel__target_enter(struct cupel__target_pass *pass,
                                                enum cupel__target_shape shape, uint32_t node);
/* Closes the innermost frame. */
void cupel__target_leave(struct cupel__target_pass *pass);

/* Returns the value of a member, or CUPEL_NO_NODE. */
uint32_t cupel__target_member(struct cupel__target_pass *pass, uint32_t node, const char *name,
                              size_t len);

/* Sets a mark on a node of the schema, and returns whether it was set. */
bool cupel__target_set(struct cupel__target_pass *pass, enum cupel__target_mark mark, uint32_t node,
                       bool value);
bool cupel__target_has(const struct cupel__target_pass *pass, enum cupel__target_mark mark,
                       uint32_t node);
/* Advances to the next child of the innermost frame; false at its end.  The frame stays open. */
bool cupel__target_step(struct cupel__target_pass *pass);

/* The effect of a change on an export.  LOST: values that the tool refuses may conform to the
 * exported schema.  REWRITTEN: no such values are added. */
enum cupel__target_effect { CUPEL__TARGET_LOST, CUPEL__TARGET_REWRITTEN };

/* Reports that `node` breaks a rule, unless an export has reported that already.  The location is
 * the current child, and `key` below it if that is not NULL.  In an export REWRITTEN has the
 * severity info. */
void cupel__target_report(struct cupel__target_pass *pass, enum cupel__mcp_rule rule,
                          enum cupel__target_effect effect, uint32_t node, const char *key,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Whether the schema is a resource of its own, in which references have another base URI. */
bool cupel__target_is_resource(struct cupel__target_pass *pass, uint32_t schema);

/* Returns the target of a reference within the schema; CUPEL_NO_NODE if the reference is no string,
 * or its target does not exist or is within a resource of its own.  *ret_pointer is its JSON
 * Pointer, a slice of the reference. */
uint32_t cupel__target_resolve(struct cupel__target_pass *pass, uint32_t reference,
                               const char **ret_pointer, size_t *ret_len);

/* Runs a pass over a tool (target.c); `text` is NULL for a check. */
enum cupel_status cupel__target_run(struct cupel__target_pass *pass, uint32_t tool,
                                    const struct cupel_options *options, struct cupel_text *text);

/* -- Siblings of references (merge.c) --------------------------------------------------------- */

/* Makes the members of the innermost schema, which has a reference, siblings of the members of the
 * reference's target: both go into one written object. */
void cupel__target_add_siblings(struct cupel__target_pass *pass);
/* Returns the value of this name among the siblings of the innermost merged schema, or
 * CUPEL_NO_NODE. */
uint32_t cupel__target_sibling(struct cupel__target_pass *pass, const char *name, size_t len);
/* Whether the keyword is a numeric bound, so that the tighter of two implies the other. */
bool cupel__target_is_bound(const char *name, size_t len);
/* Returns the tightest value of a bound: `value`, or one that the references of the schema lead to.
 * Values that cannot be compared are ignored. */
uint32_t cupel__target_tightest(struct cupel__target_pass *pass, uint32_t schema, uint32_t value,
                                const char *name, size_t len);
/* Whether nothing is lost if `here` is not written because its sibling `beside` is: they are equal,
 * or bounds of which the tighter one is written (cupel__target_tightest). */
bool cupel__target_covers(struct cupel__target_pass *pass, uint32_t beside, uint32_t here,
                          const char *name, size_t len);
/* Marks the properties that `required` names, in the innermost schema or a sibling; reports a name
 * without a property. */
void cupel__target_mark_required(struct cupel__target_pass *pass, uint32_t properties);

/* -- Schemas (schema.c) ----------------------------------------------------------------------- */

/* Traverses the schema at pass->root. */
void cupel__target_schema(struct cupel__target_pass *pass);

#endif
