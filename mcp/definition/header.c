/* header.c: the keyword x-mcp-header (specification 2026-07-28, pages "Tools" and "Transports"): an
 * annotation in the schema of a property that asks clients to repeat the argument as an HTTP field.
 *
 * subschemas.c finds the keyword and knows where it stands; this file checks its value and keeps
 * what call/http.c needs: the name of the field and the path of the property.  Paths form a trie in
 * one hash table (tool->paths): a path is found from the path of its object and the property's
 * name. So many headers deep in a schema share their common prefix, in memory and in work. */
#include "mcp/definition/check.h"

#include <string.h>

/* Whether a text is a token of RFC 9110 section 5.6.2. */
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

/* Before 2026-07-28 the keyword is unknown, so it breaks no rule.  Where it is sound the field is
 * compared all the same: the server may be one of a later version, and a proxy may read it. */
#define HEADER_PROBLEM(rule, ...)                                                           \
    (check->options->profile >= CUPEL_MCP_2026_07_28 &&                                     \
     cupel__mcp_problem(check, CUPEL__RULE_##rule, CUPEL_PART_INPUT, frame->value, pointer, \
                        __VA_ARGS__))

/* Adds the name of a field to check->names in lower case, since field names are case-insensitive.
 * False when out of memory; *ret_new is false if the name was there. */
static bool add_field_name(struct cupel__mcp_check *check, const char *name, size_t len,
                           bool *ret_new)
{
    char *lower = cupel__mcp_pool_copy(check->pool, name, len);
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

/* Checks the value of the keyword. */
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
    if (!add_field_name(check, name, len, &is_new))
        check->no_memory = true;
    else if (!is_new)
        return HEADER_PROBLEM(HEADER_UNIQUE, "x-mcp-header %s is used more than once",
                              cupel__mcp_quote(check, name, len));
    return !check->no_memory;
}

/* Checks that the property has one scalar type. */
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

/* -- Paths ------------------------------------------------------------------------------------ */

/* Returns the path of a member from the path of its object; adds it if it is new.  0 when out of
 * memory. */
static uint32_t path_to(struct cupel__mcp_check *check, uint32_t from, uint32_t key)
{
    struct cupel__mcp_names *paths = &check->tool->paths;
    struct cupel_text *text = &check->text;
    size_t len;
    const char *name = cupel_json_string(check->doc, key, &len);
    cupel_text_clear(text);
    cupel__mcp_path_key(text, from, name, len);
    if (text->failed)
        return 0;
    const struct cupel__mcp_name *found = cupel__mcp_names_find(paths, text->bytes, text->len);
    if (found != NULL)
        return found->value;
    paths->alloc = check->pool->alloc;
    memcpy(paths->key, check->options->hash_key, sizeof(paths->key));
    const char *copy = cupel__mcp_pool_copy(check->pool, text->bytes, text->len);
    if (copy == NULL || !cupel__mcp_names_reserve(paths, 1))
        return 0;
    cupel__mcp_names_put(paths, copy, text->len, ++check->tool->path_count);
    return check->tool->path_count;
}

/* Returns the path of the property at the current place.  Each frame of `properties` caches the
 * path of its current child in `data`, so that a header deep in the schema costs one look-up for
 * each level that changed. */
static uint32_t find_path(struct cupel__mcp_check *check)
{
    struct cupel__mcp_traversal *traversal = &check->traversal;
    uint32_t path = 0;
    for (size_t i = 0; i < traversal->depth; i++) {
        struct cupel__mcp_frame *frame = &traversal->frames[i];
        if (frame->kind != CUPEL__MCP_PROPERTIES)
            continue;
        if (frame->data == 0 || frame->data_key != frame->key) {
            frame->data = path_to(check, path, frame->key);
            frame->data_key = frame->key;
        }
        if (frame->data == 0)
            return 0;
        path = frame->data;
    }
    return path;
}

/* Keeps the normalised name of the field. */
static bool keep_key(struct cupel__mcp_check *check, struct cupel__mcp_header *header)
{
    struct cupel_text *text = &check->text;
    cupel_text_clear(text);
    cupel_text_adds(text, "mcp-param-");
    cupel_text_add(text, header->name, header->name_len);
    if (text->failed)
        return false;
    cupel__mcp_write_key(text->bytes, text->len);
    header->key.len = text->len;
    header->key.bytes = cupel__mcp_pool_copy(check->pool, text->bytes, text->len);
    return header->key.bytes != NULL;
}

/* Appends a valid header to the tool's list.  False when out of memory. */
static bool keep_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    struct cupel__mcp_pool *pool = check->pool;
    struct cupel__mcp_header *header = cupel__mcp_pool_get(pool, sizeof(*header));
    if (header == NULL || (header->path = find_path(check)) == 0)
        return false;
    const char *name = cupel_json_string(check->doc, frame->value, &header->name_len);
    header->name = cupel__mcp_pool_copy(pool, name, header->name_len);
    if (header->name == NULL || !keep_key(check, header))
        return false;
    if (check->last_header != NULL)
        check->last_header->next = header;
    else
        check->tool->headers = header;
    check->last_header = header;
    return true;
}

void cupel__mcp_check_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    char pointer[CUPEL__MCP_POINTER];
    cupel__mcp_traversal_pointer(&check->traversal, pointer);
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
