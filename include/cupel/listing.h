/* listing.h: lists of tools for clients: tools/list results, page by page, and catalogs with the
 * tools that a user may use.
 *
 *     struct cupel_persona analyst = {.allow = names, .allow_count = 3};
 *     // A catalog that shares the programs of `catalog`, and an answer to tools/list.
 *     cupel_catalog_derive(catalog, &analyst, &mine, &err);
 *     cupel_list_request_check(mine, context, request, len, 50, &answer, NULL);
 *
 * A definition is written byte for byte as it was read, except for a replaced description.
 *
 * Threads: a document, a context and a text belong to one thread at a time; threads share
 * catalogs. */
#ifndef CUPEL_LISTING_H
#define CUPEL_LISTING_H

#include <cupel/call.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Personas --------------------------------------------------------------------------------- */

/* A tool's description, replaced. */
struct cupel_description {
    const char *tool; /* its name or, with a colon, its ID; NUL-terminated, as all strings here */
    const char *text;
};

/* The tools that a user may list and call: those that a pattern allows, and no others. */
struct cupel_persona {
    const char *const *allow; /* patterns */
    size_t allow_count;
    const struct cupel_description *descriptions;
    size_t description_count;
};

/* 1 if a NUL-terminated pattern allows a tool, otherwise 0.  A pattern with a colon matches IDs
 * (struct cupel_tool) of tools with a namespace; one without matches names.  A * at its end matches
 * any text without a colon: `db:*` does not match `db:drop:1.0.0`, and no pattern matches a name
 * that contains a colon. */
int cupel_persona_pattern_matches(const char *pattern, const struct cupel_tool *tool);

/* Makes the catalog of the tools that a persona may use, in the order of `base` and with its
 * options.  Definitions that `base` refuses are in it, and refused.  The catalogs share programs;
 * `base` may be freed first (struct cupel_catalog_options, `previous`).  The statuses of
 * cupel_catalog_add.  The caller frees the catalog. */
enum cupel_status cupel_catalog_derive(const struct cupel_catalog *base,
                                       const struct cupel_persona *persona,
                                       struct cupel_catalog **ret, struct cupel_error *err);

/* -- Lists ------------------------------------------------------------------------------------ */

/* How far a result may be shared by caches. */
enum cupel_cache_scope { CUPEL_CACHE_ABSENT, CUPEL_CACHE_PRIVATE, CUPEL_CACHE_PUBLIC };

/* One page of a list, as a server sent it. */
struct cupel_list_page {
    uint32_t tools;          /* the array of tools: a node of the document */
    const char *next_cursor; /* requests the next page; not terminated, may be empty; NULL if this
                                is the last page */
    size_t next_cursor_len;
    int null_cursor; /* nextCursor is null, which the specification does not allow: read as absent
                      */
    enum cupel_cache_scope cache_scope; /* 2026-07-28; anything but "public" counts as private */
    int64_t ttl_ms; /* 2026-07-28: -1 if absent; 0 if it is negative or no integer of int64_t */
};

/* Finds the list in a document: a response to tools/list, its result, or the array of tools.  With
 * `jsonrpc` or `result` in the root only `result.tools` counts.  Ambiguous texts are refused:
 * `tools` or `nextCursor` beside `result`, an `error` or a `method` with it, a result that is no
 * object, a nextCursor that is neither a string nor null, a name that differs from one of the
 * specification by case folding alone.  Read the document without CUPEL_ALLOW_DUPLICATE_KEYS, which
 * would hide a second list.  The cursor lives as long as the document's text.  CUPEL_OK, or
 * CUPEL_E_ARGUMENT with the place in *err. */
enum cupel_status cupel_list_page_read(struct cupel_document *doc, struct cupel_list_page *ret,
                                       struct cupel_error *err);

/* The page that was added to a catalog last, with `tools` CUPEL_NO_NODE; lives as long as the
 * catalog.  NULL if no page was added. */
const struct cupel_list_page *cupel_catalog_last_page(const struct cupel_catalog *catalog);

/* Appends a ListToolsResult: at most `page` tools (0: all), from the tool of the cursor on, or from
 * the first without a cursor.  Refused definitions are left out: they cannot be called, and clients
 * MUST leave them out (specification 2026-07-28, x-mcp-header).  From that profile on the result is
 * marked complete, uncacheable and private.  CUPEL_OK; CUPEL_E_ARGUMENT, with nothing appended, if
 * the cursor is not one of this catalog.
 * NULL: cursor. */
enum cupel_status cupel_catalog_list_write(const struct cupel_catalog *catalog, const char *cursor,
                                           size_t cursor_len, uint32_t page,
                                           struct cupel_text *text);

/* Answers a JSON-RPC request `tools/list` of `len` bytes from a catalog.  Empties `answer`, and
 * writes the response to it, with the id byte for byte, unless the request is a notification.
 * VALID: a page of at most `page` tools.  Otherwise the verdicts and answers of cupel_call_check;
 * BAD_REQUEST with -32602 also for a cursor that is no string or not one of this catalog, reasons
 * "params-object" and "params-cursor". */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_list_request_check(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                         const char *request, size_t len, uint32_t page, struct cupel_text *answer,
                         struct cupel_call_outcome *ret);

/* -- Capabilities ----------------------------------------------------------------------------- */

struct cupel_tools_capability {
    int tools;        /* the server has tools */
    int list_changed; /* and sends notifications/tools/list_changed */
};

/* Reads the capabilities of a server: the result of initialize or server/discover, a response with
 * one, or {"capabilities": …} alone, `len` bytes of JSON.  CUPEL_OK; with the place in *err
 * CUPEL_E_ARGUMENT if there are no capabilities or one that is read has the wrong type, or a status
 * of the group "Reading JSON"; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_capabilities_read(const char *text, size_t len,
                                          const struct cupel_alloc *alloc,
                                          struct cupel_tools_capability *ret,
                                          struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
