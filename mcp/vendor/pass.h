/* target.h: going through a schema for a target: what is not taken is told, and, for an
 * export, what is taken is written. */
#ifndef CUPEL_MCP_VENDOR_PASS_H
#define CUPEL_MCP_VENDOR_PASS_H

#include "mcp/json/member_index.h"
#include "mcp/rules/rules.h"
#include <cupel/target.h>

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
    CUPEL__TARGET_NOTE, /* data that asks nothing of values */
    CUPEL__TARGET_SCHEMA,
    CUPEL__TARGET_MAP,
    CUPEL__TARGET_LIST,
    CUPEL__TARGET_EITHER
};

enum cupel__target_action {
    CUPEL__TARGET_KEEP,
    CUPEL__TARGET_LOSE,
    CUPEL__TARGET_HIDE,
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
/* The row of a keyword, or NULL. */
const struct cupel__target_keyword *cupel__target_keyword(const char *name, size_t len);
bool cupel__target_has_format(enum cupel_target target, const char *format, size_t len);

/* -- The walk (vendor/walk.c) ----------------------------------------------------------------- */

struct cupel__target_frame {
    enum cupel__target_shape shape; /* SCHEMA, MAP or LIST */
    uint32_t node, key, value, index;
    const char *base; /* what the pointers below begin with, if a reference led here */
    size_t base_len;
    size_t written;      /* the frame of the object that is being written: this one, or one below */
    uint64_t owner;      /* of the names of members beside what is merged; 0: none yet */
    uint32_t nesting;    /* maps of properties, this one included */
    uint32_t hops;       /* references between the object and what is merged here */
    uint32_t properties; /* of a schema: the `properties` of this object, or CUPEL_NO_NODE */
    bool root;           /* the schema is the root, or merged into it */
    bool embedded;       /* in a resource with an identifier of its own */
    bool merged;         /* its members belong to the object that the frame below writes */
    bool keeps;          /* its $ref stays a $ref … */
    bool inlines;        /* … or what it leads to is put in its place */
    bool wrapped;        /* the object is the first branch of an anyOf with null */
    bool nullable;       /* its type takes null as well */
    bool optional;       /* a MAP of properties: those not required are made nullable */
    bool array;          /* the object that is written is a schema of arrays, … */
    bool items;          /* … which says what their items are */
    bool closed;         /* the object that is written is closed */
};

/* Marks on the bytes of the schema, for the node that begins there. */
enum cupel__target_mark {
    CUPEL__TARGET_REPORTED_LOSS, /* a loss was reported */
    CUPEL__TARGET_REPORTED_REST, /* something else was */
    CUPEL__TARGET_OPEN,          /* a schema that a frame is in */
    CUPEL__TARGET_REQUIRED,      /* the key of a required property */
    CUPEL__TARGET_MARKS
};

struct cupel__target_pass {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    enum cupel_target target;
    unsigned flags;
    bool writes;           /* an export */
    uint32_t root;         /* the schema that references begin at */
    struct cupel_text out; /* what is written */
    size_t most;           /* bytes of it, … */
    uint64_t work;         /* … and steps that are left */
    struct cupel__target_frame *frames;
    size_t depth, capacity;
    unsigned char *marks; /* CUPEL__TARGET_MARKS bits for each byte of the schema */
    size_t marks_bytes;
    uint64_t start, end; /* of the schema in the document's text */
    struct cupel_text pointer, message;
    struct cupel__member_index index;
    uint64_t owners; /* that the index has names of */
    enum cupel_tool_part part;
    uint64_t properties, enum_values, characters; /* for the bounds of structured outputs */
    cupel_on_target_problem *on_problem;
    void *ctx;
    bool stopped;
    enum cupel_status status;
};

void cupel__target_pass_free(struct cupel__target_pass *pass);

/* Enters a schema, map or list; NULL when out of memory, with pass->status set. */
struct cupel__target_frame *cupel__target_enter(struct cupel__target_pass *pass,
                                                enum cupel__target_shape shape, uint32_t node);
/* Leaves the innermost frame. */
void cupel__target_leave(struct cupel__target_pass *pass);

/* The value of a member, or CUPEL_NO_NODE. */
uint32_t cupel__target_member(struct cupel__target_pass *pass, uint32_t node, const char *name,
                              size_t len);

/* Sets a mark on a node of the schema, and returns whether it was set. */
bool cupel__target_set(struct cupel__target_pass *pass, enum cupel__target_mark mark, uint32_t node,
                       bool value);
bool cupel__target_has(const struct cupel__target_pass *pass, enum cupel__target_mark mark,
                       uint32_t node);
/* Goes to the next child of the innermost frame; false at its end, without leaving it. */
bool cupel__target_step(struct cupel__target_pass *pass);

/* What an export makes of what it reports: a model that follows the exported schema may give what
 * the tool's own refuses, or not. */
enum cupel__target_effect { CUPEL__TARGET_LOST, CUPEL__TARGET_REWRITTEN };

/* Reports that something at `node` breaks a rule, unless that was reported before.  The place is
 * the current child, and `key` below it if that is not NULL.  In an export what is SAID otherwise
 * has the severity info. */
void cupel__target_report(struct cupel__target_pass *pass, enum cupel__mcp_rule rule,
                          enum cupel__target_effect effect, uint32_t node, const char *key,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Whether the schema begins a resource of its own, in which references mean something else. */
bool cupel__target_is_resource(struct cupel__target_pass *pass, uint32_t schema);

/* The node that a reference within the schema leads to, or CUPEL_NO_NODE: it is no string, leads to
 * nothing, or into a resource with an identifier.  *ret_pointer is the
 * pointer in it, a slice of the reference. */
uint32_t cupel__target_resolve(struct cupel__target_pass *pass, uint32_t reference,
                               const char **ret_pointer, size_t *ret_len);

/* Goes through a tool for a target (target.c); `text` is NULL for a check, which tells `check` if
 * that is not NULL. */
enum cupel_status cupel__target_run(struct cupel__target_pass *pass, uint32_t tool,
                                    const struct cupel_options *options, struct cupel_text *text);

/* -- What stands beside references (vendor/merge.c) -------------------------------------------- */

/* Adds the members of the schema at the innermost frame to those that what it refers to is merged
 * with. */
void cupel__target_add_siblings(struct cupel__target_pass *pass);
/* The value of this name beside what is merged in the innermost frame, or CUPEL_NO_NODE. */
uint32_t cupel__target_sibling(struct cupel__target_pass *pass, const char *name, size_t len);
/* Whether the keyword bounds values by one number, so that of two the tighter says both. */
bool cupel__target_is_bound(const char *name, size_t len);
/* The tightest value of a bound: of the one here and of those that the references of this schema
 * lead to.  Those that cannot be compared are left out of it. */
uint32_t cupel__target_tightest(struct cupel__target_pass *pass, uint32_t schema, uint32_t value,
                                const char *name, size_t len);
/* Whether the value beside says all that the value here does, once it is the tightest. */
bool cupel__target_covers(struct cupel__target_pass *pass, uint32_t beside, uint32_t here,
                          const char *name, size_t len);
/* Marks the properties that `required` here or beside names; reports a name that is not among
 * them. */
void cupel__target_mark_required(struct cupel__target_pass *pass, uint32_t properties);

/* -- Schemas (vendor/schema.c) ---------------------------------------------------------------- */

/* Goes through the schema at pass->root. */
void cupel__target_schema(struct cupel__target_pass *pass);

#endif
