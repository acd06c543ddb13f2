/* check.h: checking the definitions of one text and compiling their schemas.
 *
 * The checker reads each definition again into a document of its own, so that the cost of an error
 * (finding its line, say) depends on the size of the tool and not on that of the list, and so that
 * a duplicate key affects one tool only. */
#ifndef CUPEL_MCP_CHECK_H
#define CUPEL_MCP_CHECK_H

#include "mcp/definition/tool.h"
#include "mcp/json/traversal.h"
#include "mcp/rules/rules.h"

#include <string.h>

enum { CUPEL__MCP_PROBLEMS = 32 }; /* that are kept of one tool */

/* The stored result of compiling a schema, from the image of a catalog (catalog/image.c). */
struct cupel__mcp_stored {
    enum { CUPEL__STORED_NOTHING, CUPEL__STORED_PROGRAM, CUPEL__STORED_REFUSAL } kind;
    const void *image; /* of a program: `len` bytes, loaded with `flags` */
    size_t len;
    unsigned flags;
    struct {
        enum cupel_status status;
        uint64_t offset; /* within the definition */
        const char *pointer, *message;
    } refusal;
};

struct cupel__mcp_check {
    const struct cupel_catalog_options *options; /* of the catalog */
    struct cupel__mcp_pool *pool;                /* of the catalog: what the tools keep */
    uint64_t *pattern_steps; /* remaining of CUPEL_LIMIT_CATALOG_PATTERN_STEPS */
    /* The programs of an earlier catalog, which was compiled with the same options: from the text
     * of a schema to index * CUPEL__MCP_SCHEMAS + which, in `shared_tools`.  NULL: there is none.
     */
    const struct cupel__mcp_names *shared_texts;
    struct cupel__mcp_tool *const *shared_tools;
    struct cupel_document *list;  /* the whole text */
    struct cupel_document *inner; /* one tool */
    struct cupel_document *doc;   /* of these two the one that is checked */
    uint64_t tool_offset;         /* offset of the tool in the text that was added */
    uint64_t tool_start;          /* offset of the tool in the text of `doc` */
    const char *tool_span;        /* the bytes of the tool in `doc` */
    struct cupel__mcp_traversal traversal;
    struct cupel__mcp_names names;         /* scratch: header fields */
    struct cupel__mcp_header *last_header; /* of the tool */
    struct cupel_text text;                /* scratch: messages */
    struct cupel__mcp_tool *tool;
    struct cupel_rule_problem problems[CUPEL__MCP_PROBLEMS];
    uint32_t count;
    bool no_memory;
    const struct cupel__mcp_stored *stored; /* for the schemas of the tool; NULL: compile them */
    uint32_t stored_tools;                  /* the number of definitions that the image has */
    struct cupel_error stored_error;        /* why `stored` cannot be used, or CUPEL_OK */
};

/* Checks the definition at `node` of the list and compiles its schemas.  NULL when out of memory,
 * or if check->stored_error is set. */
struct cupel__mcp_tool *cupel__mcp_tool_new(struct cupel__mcp_check *check, uint32_t node);

/* -- For the files of this folder ------------------------------------------------------------- */

/* Records that a rule is broken.  `node` gives the offset.  Always returns false, for callers that
 * are predicates. */
bool cupel__mcp_problem(struct cupel__mcp_check *check, enum cupel__mcp_rule rule,
                        enum cupel_part part, uint32_t node, const char *pointer,
                        const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The same for an offset in the text of check->doc. */
bool cupel__mcp_problem_at(struct cupel__mcp_check *check, enum cupel__mcp_rule rule,
                           enum cupel_part part, uint64_t offset, const char *pointer,
                           const char *message);

/* The same for a rule about the definition apart from its schemas. */
#define CUPEL__TOOL_PROBLEM(check, rule, node, pointer, ...) \
    cupel__mcp_problem(check, CUPEL__RULE_##rule, CUPEL_PART_TOOL, node, pointer, __VA_ARGS__)

/* Returns a name of the definition, escaped for a message, in check->text. */
const char *cupel__mcp_quote(struct cupel__mcp_check *check, const char *bytes, size_t len);

static inline uint32_t cupel__mcp_member(struct cupel__mcp_check *check, uint32_t node,
                                         const char *key)
{
    return cupel_json_member(check->doc, node, key, strlen(key));
}

static inline bool cupel__mcp_is(struct cupel__mcp_check *check, uint32_t node,
                                 enum cupel_json_type type)
{
    return cupel_json_type(check->doc, node) == type;
}

/* Whether a member is there and has another type than `type`. */
static inline bool cupel__mcp_is_other(struct cupel__mcp_check *check, uint32_t node,
                                       enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && !cupel__mcp_is(check, node, type);
}

/* The rule hidden-text (hidden_text.c). */
void cupel__mcp_check_hidden(struct cupel__mcp_check *check, uint32_t tool);
/* Keeps the skeleton of the tool's name, for comparison with other tools. */
void cupel__mcp_keep_skeleton(struct cupel__mcp_check *check);

/* The name of a definition that cannot be read otherwise (record.c). */
void cupel__mcp_check_name(struct cupel__mcp_check *check, uint32_t tool);
/* The fields of a definition, apart from icons and schemas (record.c). */
void cupel__mcp_check_fields(struct cupel__mcp_check *check, uint32_t tool);
/* The icons (icons.c). */
void cupel__mcp_check_icons(struct cupel__mcp_check *check, uint32_t tool);
/* The schemas, which are compiled (schema.c). */
void cupel__mcp_check_schemas(struct cupel__mcp_check *check, uint32_t tool);

/* What kind of container a frame of the traversal over subschemas is.  OUTSIDE: not reached from
 * the root through `properties` alone. */
enum cupel__mcp_place {
    CUPEL__MCP_ROOT,
    CUPEL__MCP_SCHEMA,
    CUPEL__MCP_SCHEMA_OUTSIDE,
    CUPEL__MCP_PROPERTIES,
    CUPEL__MCP_MAP_OUTSIDE,   /* names to schemas */
    CUPEL__MCP_PATTERNS,      /* patterns to schemas */
    CUPEL__MCP_ARRAY_OUTSIDE, /* schemas */
    CUPEL__MCP_NOTHING        /* not entered: no container, or no schema in it */
};

/* The rules that hold in every subschema, for a schema that is an object (subschemas.c). */
void cupel__mcp_check_subschemas(struct cupel__mcp_check *check, enum cupel_part part,
                                 uint32_t schema);
/* The keyword x-mcp-header at the current child of the traversal; a valid one is added to the tool
 * (header.c). */
void cupel__mcp_check_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame);

#endif
