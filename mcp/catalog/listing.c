/* listing.c: writes tools/list results from a catalog, and reads the tools capability of a server.
 * call/requests.c answers requests with these.
 *
 * A cursor is opaque to clients.  It is "INDEX-FINGERPRINT": the number of a tool in decimal and
 * the fingerprint of the catalog in 16 hexadecimal digits, so a listing needs no state in the
 * server. */
#include "mcp/catalog/catalog.h"
#include "mcp/options/options.h"
#include "mcp/rules/rules.h"

#include <cupel/listing.h>

#include <stdio.h>
#include <string.h>

/* -- Cursors ---------------------------------------------------------------------------------- */

enum { CURSOR = 40 };

/* Writes a cursor: the number of the first tool of the page, and the fingerprint of the catalog.  A
 * cursor of another catalog is refused, because it would skip or repeat tools. */
static int write_cursor(const struct cupel_catalog *catalog, uint32_t index, char ret[CURSOR])
{
    return snprintf(ret, CURSOR, "%u-%016llx", (unsigned)index,
                    (unsigned long long)catalog->fingerprint);
}

/* Reads a cursor; false if this catalog did not write it. */
static bool read_cursor(const struct cupel_catalog *catalog, const char *cursor, size_t len,
                        uint32_t *ret)
{
    char same[CURSOR];
    uint32_t index = 0;
    for (size_t i = 0; i < len && i < 9 && cursor[i] >= '0' && cursor[i] <= '9'; i++)
        index = index * 10 + (uint32_t)(cursor[i] - '0');
    int n = write_cursor(catalog, index, same);
    if ((size_t)n != len || memcmp(same, cursor, len) != 0 || index >= catalog->count)
        return false;
    *ret = index;
    return true;
}

const struct cupel_list_page *cupel_catalog_last_page(const struct cupel_catalog *catalog)
{
    return catalog != NULL && catalog->has_page ? &catalog->page : NULL;
}

/* -- Pages ------------------------------------------------------------------------------------ */

/* Whether a listing has the tool: invalid definitions are left out. */
static bool is_shown(const struct cupel_catalog *catalog, uint32_t index)
{
    return catalog->tools[index]->view.verdict != CUPEL_TOOL_INVALID;
}

/* Returns the first tool from `index` on that is shown, or the number of all tools. */
static uint32_t next_shown(const struct cupel_catalog *catalog, uint32_t index)
{
    while (index < catalog->count && !is_shown(catalog, index))
        index++;
    return index;
}

/* Writes at most `page` tools from the cursor on; 0: all. */
enum cupel_status cupel_catalog_list_write(const struct cupel_catalog *catalog, const char *cursor,
                                           size_t cursor_len, uint32_t page,
                                           struct cupel_text *text)
{
    if (catalog == NULL || text == NULL)
        return CUPEL_E_ARGUMENT;
    uint32_t index = 0, written = 0;
    char next[CURSOR];
    bool newest = catalog->options.profile >= CUPEL_MCP_2026_07_28;
    if (cursor != NULL && !read_cursor(catalog, cursor, cursor_len, &index))
        return CUPEL_E_ARGUMENT;
    cupel_text_adds(text, newest ? "{\"resultType\":\"complete\",\"tools\":[" : "{\"tools\":[");
    for (index = next_shown(catalog, index);
         index < catalog->count && (page == 0 || written < page);
         index = next_shown(catalog, index + 1)) {
        const struct cupel_tool *tool = &catalog->tools[index]->view;
        cupel_text_adds(text, written++ != 0 ? "," : "");
        cupel_text_add(text, tool->text, tool->text_len);
    }
    cupel_text_adds(text, "]");
    if (index < catalog->count) {
        write_cursor(catalog, index, next);
        cupel_text_addf(text, ",\"nextCursor\":\"%s\"", next);
    }
    cupel_text_adds(text, newest ? ",\"ttlMs\":0,\"cacheScope\":\"private\"}" : "}");
    return CUPEL_OK;
}

/* -- Capabilities ----------------------------------------------------------------------------- */

static enum cupel_status refuse(struct cupel_error *err, const char *where, const char *detail)
{
    cupel__mcp_refuse(err, CUPEL_E_ARGUMENT, detail);
    if (err != NULL)
        snprintf(err->where, sizeof(err->where), "%s", where);
    return CUPEL_E_ARGUMENT;
}

/* Finds capabilities.tools in the result of initialize, or in a response with it. */
static enum cupel_status read_capabilities(struct cupel_document *doc,
                                           struct cupel_tools_capability *ret,
                                           struct cupel_error *err)
{
    uint32_t result = cupel_json_member(doc, 0, "result", 6);
    uint32_t all = cupel_json_member(doc, result != CUPEL_NO_NODE ? result : 0, "capabilities", 12);
    struct cupel_tools_capability found = {0, 0};
    if (all == CUPEL_NO_NODE || cupel_json_type(doc, all) != CUPEL_JSON_OBJECT)
        return refuse(err, "/capabilities", "there is no object capabilities");
    uint32_t tools = cupel_json_member(doc, all, "tools", 5);
    if (tools != CUPEL_NO_NODE) {
        if (cupel_json_type(doc, tools) != CUPEL_JSON_OBJECT)
            return refuse(err, "/capabilities/tools", "tools is not an object");
        found.tools = 1;
        uint32_t changed = cupel_json_member(doc, tools, "listChanged", 11);
        if (changed != CUPEL_NO_NODE && cupel_json_boolean(doc, changed) < 0)
            return refuse(err, "/capabilities/tools/listChanged", "listChanged is not a boolean");
        found.list_changed = changed != CUPEL_NO_NODE && cupel_json_boolean(doc, changed) == 1;
    }
    *ret = found;
    return CUPEL_OK;
}

/* Reads the text with a document of its own: it runs once for a connection. */
enum cupel_status cupel_capabilities_read(const char *text, size_t len,
                                          const struct cupel_alloc *alloc,
                                          struct cupel_tools_capability *ret,
                                          struct cupel_error *err)
{
    if (text == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct cupel_options options;
    struct cupel_document *doc = NULL;
    cupel_options_init(&options);
    if (alloc != NULL)
        options.alloc = *alloc;
    enum cupel_status status = cupel_document_new(&options, &doc);
    if (status == CUPEL_OK)
        status = cupel_document_read(doc, text, len, err);
    if (status == CUPEL_OK)
        status = read_capabilities(doc, ret, err);
    cupel_document_free(doc);
    return status;
}
