/* listing.h: what clients are shown of a catalog: tools/list results, page by page, and catalogs of
 * those tools that somebody may use.
 *
 *     struct cupel_persona analyst = {.allow = names, .allow_count = 3};
 *     cupel_catalog_derive(catalog, &analyst, &mine, &err);   // shares the programs of `catalog`
 *     cupel_list_request_check(mine, context, request, len, 50, &answer, NULL);   // answers
 * tools/list
 *
 * Definitions go out byte for byte as they came in, but for a description that is replaced. */
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

/* Who may use what.  What is not allowed is denied, to list as well as to call. */
struct cupel_persona {
    const char *const *allow; /* patterns */
    size_t allow_count;
    const struct cupel_description *descriptions;
    size_t description_count;
};

/* Whether a pattern allows a tool; 1 or 0.  One with a colon stands for IDs (struct cupel_tool),
 * and only for those of tools with a namespace; one without stands for names.  At its end * stands
 * for anything but a colon: `db:*` is not `db:drop:1.0.0`, and no pattern allows a name that holds
 * a colon. */
int cupel_persona_pattern_matches(const char *pattern, const struct cupel_tool *tool);

/* Makes the catalog of the tools that a persona may use, in the order of `base`, with its options;
 * definitions that are refused are in it, and refused.  Programs are shared with `base`, which may
 * go away (struct cupel_catalog_options, `previous`).  CUPEL_OK, or a status of cupel_catalog_add.
 * The caller frees it. */
enum cupel_status cupel_catalog_derive(const struct cupel_catalog *base,
                                       const struct cupel_persona *persona,
                                       struct cupel_catalog **ret, struct cupel_error *err);

/* -- Lists ------------------------------------------------------------------------------------ */

/* How far a result may be shared by caches. */
enum cupel_cache_scope { CUPEL_CACHE_ABSENT, CUPEL_CACHE_PRIVATE, CUPEL_CACHE_PUBLIC };

/* One page of a list, as a server sent it. */
struct cupel_list_page {
    uint32_t tools;          /* the array of tools: a node of the document */
    const char *next_cursor; /* with which the next page is requested; NULL if this is the last.  An
                                empty cursor is one.  Not terminated */
    size_t next_cursor_len;
    int null_cursor;                    /* nextCursor is null: against the specification, taken for
                                           absent */
    enum cupel_cache_scope cache_scope; /* 2026-07-28; anything but "public" counts as private */
    int64_t
        ttl_ms; /* 2026-07-28: -1 if absent; 0 if it is no integer that int64_t holds, or below 0 */
};

/* Finds the list in a document: a response to tools/list, its result, or the array of tools.  With
 * `jsonrpc` or `result` in the root only `result.tools` counts.  A text that two readers could read
 * in two ways is refused: `tools` or `nextCursor` beside `result`, an `error` or a `method` with
 * it, a result that is no object, a nextCursor that is neither a string nor null, a name that
 * differs from one of the specification by case folding alone.  The document must have been read
 * without CUPEL_ALLOW_DUPLICATE_KEYS, which would hide a second list.  The library and the command
 * read every list by this function.  The cursor lives as long as the document's text. CUPEL_OK;
 * CUPEL_E_ARGUMENT with the place in *err, which may be NULL. */
enum cupel_status cupel_list_page_read(struct cupel_document *doc, struct cupel_list_page *ret,
                                       struct cupel_error *err);

/* The page that was added to a catalog last, whose `tools` is CUPEL_NO_NODE; lives as long as the
 * catalog.  NULL if none was added. */
const struct cupel_list_page *cupel_catalog_last_page(const struct cupel_catalog *catalog);

/* Appends a ListToolsResult: at most `page` tools (0: all), from the one at which the cursor points
 * (NULL: the first).  Definitions that are refused are left out, as clients MUST do (specification
 * 2026-07-28, x-mcp-header) and as nobody can call them.  From that profile on the result says that
 * it is complete, may not be kept and is nobody else's.  CUPEL_OK; CUPEL_E_ARGUMENT if the cursor
 * is none of this catalog's: then nothing is appended. */
enum cupel_status cupel_catalog_list_write(const struct cupel_catalog *catalog, const char *cursor,
                                           size_t cursor_len, uint32_t page,
                                           struct cupel_text *text);

/* Answers a JSON-RPC request `tools/list` from a catalog.  `answer` is emptied, and has the
 * response, with the id byte for byte, unless the request is a notification. VALID: a page.
 * BAD_REQUEST: as cupel_call_check, and -32602 for a cursor that is no string or none of this
 * catalog's; reasons "params-object", "params-cursor".  *ret may be NULL. */
CUPEL_MUST_CHECK enum cupel_call_verdict
cupel_list_request_check(const struct cupel_catalog *catalog, struct cupel_call_context *context,
                         const char *request, size_t len, uint32_t page, struct cupel_text *answer,
                         struct cupel_call_outcome *ret);

/* -- Capabilities ----------------------------------------------------------------------------- */

struct cupel_tools_capability {
    int tools;        /* the server has tools */
    int list_changed; /* and sends notifications/tools/list_changed */
};

/* Reads what a server says that it can: the result of initialize or server/discover, a response
 * with one, or {"capabilities": …} alone.  NULL is the C library's allocator.  CUPEL_OK;
 * CUPEL_E_ARGUMENT if there are no capabilities or one that is looked at has the wrong type, with
 * the place in *err; a status of the group "Reading JSON"; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_capabilities_read(const char *text, size_t len,
                                          const struct cupel_alloc *alloc,
                                          struct cupel_tools_capability *ret,
                                          struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
