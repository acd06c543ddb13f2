/* header.c: the rules of `x-mcp-header` (specification 2026-07-28, page "Tools", and its transport
 * over HTTP): an annotation in the schema of a property that asks clients to repeat the argument as
 * a header field.  Where it may stand is found out by the walk in subschemas.c. */
#include "mcp_internal.h"

#include <string.h>

static bool is_token(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c == '\0' || strchr("!#$%&'*+-.^_`|~", c) == NULL))
            return false;
    }
    return true;
}

#define HEADER_PROBLEM(rule, ...)                                                          \
    cupel__mcp_problem(check, CUPEL__RULE_##rule, CUPEL_PART_INPUT, frame->value, pointer, \
                       __VA_ARGS__)

/* Header fields are compared without regard to case, so the set holds the lower-case form. */
static bool note_header(struct cupel__mcp_check *check, const char *name, size_t len, bool *ret_new)
{
    char *lower = cupel__mcp_pool_copy(&check->catalog->pool, name, len);
    if (lower == NULL || !cupel__mcp_names_reserve(&check->names, 1))
        return false;
    for (size_t i = 0; i < len; i++)
        if (lower[i] >= 'A' && lower[i] <= 'Z')
            lower[i] = (char)(lower[i] | 0x20);
    *ret_new = cupel__mcp_names_find(&check->names, lower, len) == NULL;
    if (*ret_new)
        cupel__mcp_names_put(&check->names, lower, len, 0);
    return true;
}

static void check_header_value(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame,
                               const char *pointer)
{
    size_t len;
    const char *name = cupel_json_string(check->doc, frame->value, &len);
    bool is_new = true;
    if (name == NULL || len == 0)
        HEADER_PROBLEM(HEADER_VALUE, "x-mcp-header must be a non-empty string");
    else if (!is_token(name, len))
        HEADER_PROBLEM(HEADER_TOKEN, "x-mcp-header %s is not a token of RFC 9110",
                       cupel__mcp_quote(check, name, len));
    else if (!note_header(check, name, len, &is_new))
        check->no_memory = true;
    else if (!is_new)
        HEADER_PROBLEM(HEADER_UNIQUE, "x-mcp-header %s is used more than once",
                       cupel__mcp_quote(check, name, len));
}

static void check_header_type(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame,
                              const char *pointer)
{
    uint32_t type = cupel_json_member(check->doc, frame->node, "type", 4);
    if (type == CUPEL_NO_NODE)
        HEADER_PROBLEM(HEADER_PROPERTY_TYPE,
                       "the property has no type; x-mcp-header needs string, integer or boolean");
    else if (cupel_json_type(check->doc, type) == CUPEL_JSON_ARRAY)
        HEADER_PROBLEM(HEADER_PROPERTY_TYPE, "the property has a list of types; x-mcp-header needs "
                                             "string, integer or boolean alone");
    else if (!cupel_json_is(check->doc, type, "string") &&
             !cupel_json_is(check->doc, type, "integer") &&
             !cupel_json_is(check->doc, type, "boolean"))
        HEADER_PROBLEM(HEADER_PROPERTY_TYPE,
                       "the property's type must be string, integer or boolean for x-mcp-header");
}

void cupel__mcp_check_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    char pointer[CUPEL__MCP_POINTER];
    cupel__mcp_walk_pointer(&check->walk, pointer);
    check_header_value(check, frame, pointer);
    if (frame->kind == CUPEL__MCP_SCHEMA)
        check_header_type(check, frame, pointer);
    else
        HEADER_PROBLEM(HEADER_PLACE, frame->kind == CUPEL__MCP_ROOT
                                         ? "x-mcp-header belongs to a property, not to the root"
                                         : "x-mcp-header is not reached through properties alone");
}
