/* tool.h: a tool as a catalog holds it (tool.c), and programs that several catalogs share
 * (schema.c). */
#ifndef CUPEL_MCP_TOOL_H
#define CUPEL_MCP_TOOL_H

#include "mcp/containers/name_set.h"
#include "mcp/definition/declared_names.h"

#include <cupel/catalog.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A compiled schema with the number of tools that hold it. */
struct cupel__mcp_program {
    struct cupel_program *program;
    struct cupel_alloc alloc;
    size_t image_bytes;
    atomic_uint holders;
};

struct cupel__mcp_program *cupel__mcp_program_hold(struct cupel__mcp_program *program);
/* Frees the program with its last holder; NULL is allowed. */
void cupel__mcp_program_drop(struct cupel__mcp_program *program);

struct cupel__mcp_slice {
    const char *bytes;
    size_t len;
};

/* A property with a valid x-mcp-header. */
struct cupel__mcp_header {
    const struct cupel__mcp_header *next;
    const char *name; /* after "Mcp-Param-", as the schema spells it */
    size_t name_len;
    struct cupel__mcp_slice key; /* the field's whole name, after cupel__mcp_write_key */
    uint32_t path;               /* of the property, in the tool's paths */
};

/* The schemas of a tool, as indices. */
enum { CUPEL__MCP_INPUT, CUPEL__MCP_OUTPUT, CUPEL__MCP_SCHEMAS };

/* `view` comes first, so that a pointer to one is a pointer to the other. */
struct cupel__mcp_tool {
    struct cupel_tool view;
    struct cupel_rule_problem *problems; /* with memory for two more: another tool's name */
    struct cupel__mcp_slice skeleton;    /* of the name (text/hidden.h) */
    bool named;                          /* the definition has a name, a string */
    bool ambiguous;                      /* another tool of this name has another schema … */
    bool ambiguous_output;               /* … and it is the output schema, or only one has any */
    struct cupel__mcp_program *programs[CUPEL__MCP_SCHEMAS];
    struct cupel__mcp_slice schemas[CUPEL__MCP_SCHEMAS]; /* their texts, within view.text */
    const struct cupel__mcp_header *headers;             /* in the order of the schema */
    /* The paths to properties that have a header, as a trie: keys are written by
     * cupel__mcp_path_key, values are paths.  The root is path 0; a path has a higher number than
     * the one that it extends. */
    struct cupel__mcp_names paths;
    uint32_t path_count;
    struct cupel__declared_names declared_names; /* of the input schema */
    bool has_ids;    /* a subschema of inputSchema below the root has an $id or id */
    uint64_t offset; /* of the definition in the text that was added */
};

void cupel__mcp_tool_release(struct cupel__mcp_tool *tool);

/* Appends the key by which the path of a member is found from the path of its object. */
static inline void cupel__mcp_path_key(struct cupel_text *text, uint32_t from, const char *name,
                                       size_t len)
{
    char number[4] = {(char)from, (char)(from >> 8), (char)(from >> 16), (char)(from >> 24)};
    cupel_text_add(text, number, sizeof(number));
    cupel_text_add(text, name, len);
}

/* Normalises the name of a header field for look-ups: lower case, and - for _, since servers that
 * get fields as variables (CGI) cannot tell the two apart. */
static inline void cupel__mcp_write_key(char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (name[i] >= 'A' && name[i] <= 'Z')
            name[i] = (char)(name[i] | 0x20);
        else if (name[i] == '_')
            name[i] = '-';
    }
}

/* Whether the definition has an outputSchema, valid or not. */
static inline bool cupel__mcp_has_output(const struct cupel__mcp_tool *tool)
{
    return tool->schemas[CUPEL__MCP_OUTPUT].bytes != NULL;
}

#endif
