/* header.c: the rules of `x-mcp-header` (specification 2026-07-28, page "Tools", and its transport
 * over HTTP): an annotation in the schema of a property that asks clients to repeat the argument as
 * a header field.  Where it may stand is found out by the walk in subschemas.c; what a call has to
 * do with it is in call_header.c. */
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

static bool check_header_value(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame,
                               const char *pointer)
{
    size_t len;
    const char *name = cupel_json_string(check->doc, frame->value, &len);
    bool is_new = true;
    if (name == NULL || len == 0)
        return HEADER_PROBLEM(HEADER_VALUE, "x-mcp-header must be a non-empty string");
    if (!is_token(name, len))
        return HEADER_PROBLEM(HEADER_TOKEN, "x-mcp-header %s is not a token of RFC 9110",
                              cupel__mcp_quote(check, name, len));
    if (!note_header(check, name, len, &is_new))
        check->no_memory = true;
    else if (!is_new)
        return HEADER_PROBLEM(HEADER_UNIQUE, "x-mcp-header %s is used more than once",
                              cupel__mcp_quote(check, name, len));
    return !check->no_memory;
}

static bool check_header_type(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame,
                              const char *pointer)
{
    uint32_t type = cupel_json_member(check->doc, frame->node, "type", 4);
    if (type == CUPEL_NO_NODE)
        return HEADER_PROBLEM(
            HEADER_PROPERTY_TYPE,
            "the property has no type; x-mcp-header needs string, integer or boolean");
    if (cupel_json_type(check->doc, type) == CUPEL_JSON_ARRAY)
        return HEADER_PROBLEM(HEADER_PROPERTY_TYPE,
                              "the property has a list of types; x-mcp-header needs string, "
                              "integer or boolean alone");
    if (!cupel_json_is(check->doc, type, "string") && !cupel_json_is(check->doc, type, "integer") &&
        !cupel_json_is(check->doc, type, "boolean"))
        return HEADER_PROBLEM(
            HEADER_PROPERTY_TYPE,
            "the property's type must be string, integer or boolean for x-mcp-header");
    return true;
}

/* -- What calls are held to ------------------------------------------------------------------- */

/* The names of the properties on the way to the walk's place. */
static bool keep_path(struct cupel__mcp_check *check, struct cupel__mcp_header *header)
{
    struct cupel__mcp_pool *pool = &check->catalog->pool;
    const struct cupel__mcp_walk *walk = &check->walk;
    struct cupel__mcp_slice *path = cupel__mcp_pool_get(pool, walk->depth * sizeof(*path));
    if (path == NULL)
        return false;
    for (size_t i = 0; i < walk->depth; i++) {
        if (walk->frames[i].kind != CUPEL__MCP_PROPERTIES)
            continue;
        struct cupel__mcp_slice *step = &path[header->depth++];
        const char *name = cupel_json_string(check->doc, walk->frames[i].key, &step->len);
        step->bytes = cupel__mcp_pool_copy(pool, name, step->len);
        if (step->bytes == NULL)
            return false;
    }
    header->path = path;
    return true;
}

/* Adds a sound header to the end of the tool's list. */
static bool keep_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    struct cupel__mcp_pool *pool = &check->catalog->pool;
    struct cupel__mcp_header *header = cupel__mcp_pool_get(pool, sizeof(*header));
    if (header == NULL || !keep_path(check, header))
        return false;
    const char *name = cupel_json_string(check->doc, frame->value, &header->name_len);
    header->name = cupel__mcp_pool_copy(pool, name, header->name_len);
    const struct cupel__mcp_header **end = &check->tool->headers;
    while (*end != NULL)
        end = (const struct cupel__mcp_header **)&(*end)->next;
    *end = header;
    return header->name != NULL;
}

void cupel__mcp_check_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    char pointer[CUPEL__MCP_POINTER];
    cupel__mcp_walk_pointer(&check->walk, pointer);
    bool sound = check_header_value(check, frame, pointer);
    if (frame->kind == CUPEL__MCP_SCHEMA)
        sound = check_header_type(check, frame, pointer) && sound;
    else
        sound = HEADER_PROBLEM(HEADER_PLACE,
                               frame->kind == CUPEL__MCP_ROOT
                                   ? "x-mcp-header belongs to a property, not to the root"
                                   : "x-mcp-header is not reached through properties alone");
    if (sound && !keep_header(check, frame))
        check->no_memory = true;
}
