/* target_internal.h: going through a schema for a target: what is not taken is told, and, for an
 * export, what is taken is written. */
#ifndef CUPEL_MCP_TARGET_INTERNAL_H
#define CUPEL_MCP_TARGET_INTERNAL_H

#include "mcp_internal.h"
#include <cupel/target.h>

/* -- The table (target.c) --------------------------------------------------------------------- */

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

unsigned cupel__target_flags(enum cupel_target target);
/* The row of a keyword, or NULL. */
const struct cupel__target_keyword *cupel__target_keyword(const char *name, size_t len);
bool cupel__target_has_format(enum cupel_target target, const char *format, size_t len);

/* -- The walk (target_walk.c) ----------------------------------------------------------------- */

struct cupel__target_frame {
    enum cupel__target_shape shape; /* SCHEMA, MAP or LIST */
    uint32_t node, key, value, index;
    const char *base; /* what the pointers below begin with, if a reference led here */
    size_t base_len;
    bool merged;   /* its members belong to the object that the frame below writes */
    bool wrapped;  /* the object is the first branch of an anyOf with null */
    bool nullable; /* its type takes null as well */
    bool optional; /* a MAP of properties: those not required are made nullable */
    bool array;    /* the object that is written is a schema of arrays, … */
    bool items;    /* … which says what their items are */
};

struct cupel__target_walk {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    enum cupel_target target;
    unsigned flags;
    bool writes;           /* an export */
    uint32_t root;         /* the schema that references begin at */
    struct cupel_text out; /* what is written */
    size_t most;           /* bytes of it */
    struct cupel__target_frame *frames;
    size_t depth, capacity;
    unsigned char *told; /* a bit for each byte of the schema: something was said of what is there */
    size_t told_bytes;
    const char *span; /* of the root … */
    uint64_t offset;  /* … and where it is in the text */
    struct cupel_text pointer, message;
    enum cupel_tool_part part;
    uint64_t properties, enum_values, characters; /* for the bounds of structured outputs */
    cupel_on_target_problem *on_problem;
    void *ctx;
    struct cupel__mcp_check *check; /* whom to tell instead, if not NULL */
    bool root_closed; /* by what a reference at the root led to */
    bool stopped;
    enum cupel_status status;
};

void cupel__target_walk_free(struct cupel__target_walk *walk);

/* Enters a schema, map or list; NULL when out of memory, with walk->status set. */
struct cupel__target_frame *cupel__target_enter(struct cupel__target_walk *walk,
                                                enum cupel__target_shape shape, uint32_t node);
/* Goes to the next child of the innermost frame; false at its end, without leaving it. */
bool cupel__target_step(struct cupel__target_walk *walk);

/* Tells that something at `node` breaks a rule, unless it was told before.  The place is the current
 * child, and `key` below it if that is not NULL. */
void cupel__target_tell(struct cupel__target_walk *walk, enum cupel__mcp_rule rule, uint32_t node,
                        const char *key, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The node that a reference within the schema leads to, or CUPEL_NO_NODE.  *ret_pointer is the
 * pointer in it, a slice of the reference. */
uint32_t cupel__target_resolve(struct cupel__target_walk *walk, uint32_t reference,
                               const char **ret_pointer, size_t *ret_len);

/* Goes through a tool for a target (target.c); `text` is NULL for a check, which tells `check` if
 * that is not NULL. */
enum cupel_status cupel__target_go(struct cupel__target_walk *walk, uint32_t tool,
                                   const struct cupel_options *options, struct cupel_text *text);

/* -- Schemas (target_schema.c) ---------------------------------------------------------------- */

/* Goes through the schema at walk->root. */
void cupel__target_schema(struct cupel__target_walk *walk);

#endif
