/* catalog.h: the tools of one server (catalog.c). */
#ifndef CUPEL_MCP_CATALOG_H
#define CUPEL_MCP_CATALOG_H

#include "mcp/containers/name_set.h"
#include "mcp/containers/pool.h"
#include "mcp/definition/tool.h"

#include <cupel/catalog.h>
#include <cupel/listing.h>
#include <stdbool.h>

struct cupel__mcp_stored;

struct cupel_catalog {
    struct cupel_catalog_options options; /* its `engine` points to the member below */
    struct cupel_options engine;          /* of `options` */
    struct cupel__mcp_pool pool;
    struct cupel__mcp_tool **tools;
    size_t count, capacity;
    struct cupel__mcp_names names; /* of tools, to their index */
    struct cupel__mcp_names ids;   /* of tools with a namespace, to their index */
    struct cupel__mcp_names
        skeletons;                 /* of names (text/hidden.h), to the index of the first tool */
    struct cupel__mcp_names texts; /* of compiled schemas, to index * CUPEL__MCP_SCHEMAS + which */
    struct cupel_list_page page;   /* the last one that was added, without its node */
    bool has_page;
    uint64_t pattern_steps; /* remaining of CUPEL_LIMIT_CATALOG_PATTERN_STEPS */
    uint64_t fingerprint;   /* of all definitions, in order */
};

/* Makes a document with the limits of a catalog's text.  CUPEL_OK or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__mcp_make_document(const struct cupel_catalog *catalog, uint32_t flags,
                                           struct cupel_document **ret);

/* Adds the `count` tools of an array as cupel_catalog_add does, but takes their programs from
 * `stored`, CUPEL__MCP_SCHEMAS for each tool, instead of compiling.  CUPEL_E_BAD_IMAGE if `stored`
 * does not match the definitions. */
enum cupel_status cupel__mcp_add_stored(struct cupel_catalog *catalog, const char *text, size_t len,
                                        const struct cupel__mcp_stored *stored, uint32_t count,
                                        struct cupel_error *err);

#endif
