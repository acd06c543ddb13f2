/* traversal.h: depth-first traversal of a JSON document, and JSON Pointers (traversal.c). */
#ifndef CUPEL_MCP_TRAVERSAL_H
#define CUPEL_MCP_TRAVERSAL_H

#include <cupel/common.h>
#include <cupel/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One open container. */
struct cupel__mcp_frame {
    uint32_t node;           /* the container */
    uint32_t key, value;     /* its current child; key is CUPEL_NO_NODE in an array */
    uint32_t index;          /* the number of the current child */
    int kind;                /* free for the user of the traversal */
    uint32_t data, data_key; /* free for the user of the traversal */
};

/* The stack of open containers, innermost last.  It is explicit so that the depth of a document
 * costs no C stack. */
struct cupel__mcp_traversal {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    struct cupel__mcp_frame *frames;
    size_t depth, capacity;
};

/* Opens a container; false when out of memory. */
bool cupel__mcp_traversal_enter(struct cupel__mcp_traversal *traversal, uint32_t node, int kind);
/* Advances to the next child of the innermost container and returns its frame.  At the end closes
 * the container and returns NULL. */
struct cupel__mcp_frame *cupel__mcp_traversal_next(struct cupel__mcp_traversal *traversal);
void cupel__mcp_traversal_free(struct cupel__mcp_traversal *traversal);

/* Writes the JSON Pointer of the current child, relative to the container that was opened first;
 * ends a longer one with "…". */
enum { CUPEL__MCP_POINTER = 256 };
void cupel__mcp_traversal_pointer(const struct cupel__mcp_traversal *traversal,
                                  char ret[CUPEL__MCP_POINTER]);

/* Appends a slash and a reference token of a JSON Pointer (RFC 6901 section 4). */
void cupel__pointer_add_token(struct cupel_text *text, const char *bytes, size_t len);
/* Appends a comma unless the text ends with the opening bracket of an object or array. */
void cupel__json_separate(struct cupel_text *text);

#endif
