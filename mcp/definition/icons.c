/* icons.c: the icons of a definition (profile 2025-11-25 and later).  Icons never decide about
 * calls: most of these rules are warnings.
 *
 * A source other than https: or data: would make a client send requests in clear text, or run a
 * script. */
#include "mcp/definition/check.h"

#include <stdio.h>
#include <string.h>

/* Whether a URI has this scheme, which is case-insensitive (RFC 3986 section 3.1). */
static bool has_scheme(const char *uri, size_t len, const char *scheme)
{
    size_t n = strlen(scheme);
    if (len <= n || uri[n] != ':')
        return false;
    for (size_t i = 0; i < n; i++)
        if ((uri[i] | 0x20) != scheme[i])
            return false;
    return true;
}

/* Whether a text is a size: "48x48" or "any". */
static bool is_size(const char *text, size_t len)
{
    if (len == 3 && memcmp(text, "any", 3) == 0)
        return true;
    size_t i = 0, before = 0;
    while (i < len && text[i] >= '0' && text[i] <= '9')
        i++;
    before = i;
    if (before == 0 || i >= len || text[i] != 'x')
        return false;
    size_t after = ++i;
    while (i < len && text[i] >= '0' && text[i] <= '9')
        i++;
    return i == len && i > after;
}

/* Whether a node is an array of sizes. */
static bool are_sizes(struct cupel__mcp_check *check, uint32_t sizes)
{
    if (!cupel__mcp_is(check, sizes, CUPEL_JSON_ARRAY))
        return false;
    uint32_t node = cupel_json_first(check->doc, sizes);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(check->doc, sizes, node)) {
        size_t len;
        const char *text = cupel_json_string(check->doc, node, &len);
        if (text == NULL || !is_size(text, len))
            return false;
    }
    return true;
}

/* Checks the optional fields. */
static void check_icon_fields(struct cupel__mcp_check *check, uint32_t icon, const char *pointer)
{
    uint32_t node = cupel__mcp_member(check, icon, "mimeType");
    if (node != CUPEL_NO_NODE && !cupel__mcp_is(check, node, CUPEL_JSON_STRING))
        CUPEL__TOOL_PROBLEM(check, ICON_FIELD, node, pointer,
                            "the icon's mimeType is not a string");
    node = cupel__mcp_member(check, icon, "sizes");
    if (node != CUPEL_NO_NODE && !are_sizes(check, node))
        CUPEL__TOOL_PROBLEM(check, ICON_FIELD, node, pointer,
                            "the icon's sizes are not an array of \"WxH\" or \"any\"");
    node = cupel__mcp_member(check, icon, "theme");
    if (node != CUPEL_NO_NODE && !cupel_json_is(check->doc, node, "light") &&
        !cupel_json_is(check->doc, node, "dark"))
        CUPEL__TOOL_PROBLEM(check, ICON_FIELD, node, pointer,
                            "the icon's theme is neither \"light\" nor \"dark\"");
}

/* Checks one icon: its source is an https: or data: URI; then its optional fields. */
static void check_icon(struct cupel__mcp_check *check, uint32_t icon, unsigned index)
{
    char pointer[32];
    snprintf(pointer, sizeof(pointer), "/icons/%u", index);
    if (!cupel__mcp_is(check, icon, CUPEL_JSON_OBJECT)) {
        CUPEL__TOOL_PROBLEM(check, ICONS_TYPE, icon, pointer, "the icon is not an object");
        return;
    }
    uint32_t source = cupel__mcp_member(check, icon, "src");
    size_t len = 0;
    const char *uri = source != CUPEL_NO_NODE ? cupel_json_string(check->doc, source, &len) : NULL;
    if (uri == NULL)
        CUPEL__TOOL_PROBLEM(check, ICONS_TYPE, icon, pointer, "the icon has no string src");
    else if (!has_scheme(uri, len, "https") && !has_scheme(uri, len, "data"))
        CUPEL__TOOL_PROBLEM(check, ICON_SOURCE, source, pointer,
                            "the icon's src is neither an https: nor a data: URI");
    check_icon_fields(check, icon, pointer);
}

/* Checks the array and each icon in it. */
void cupel__mcp_check_icons(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = cupel__mcp_member(check, tool, "icons");
    if (node == CUPEL_NO_NODE || check->options->profile < CUPEL_MCP_2025_11_25)
        return;
    if (!cupel__mcp_is(check, node, CUPEL_JSON_ARRAY)) {
        CUPEL__TOOL_PROBLEM(check, ICONS_TYPE, node, "/icons", "the icons are not an array");
        return;
    }
    unsigned index = 0;
    uint32_t icon = cupel_json_first(check->doc, node);
    for (; icon != CUPEL_NO_NODE; icon = cupel_json_next(check->doc, node, icon))
        check_icon(check, icon, index++);
}
