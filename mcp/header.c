/* header.c: the rules of `x-mcp-header` (specification 2026-07-28, page "Tools", and its transport
 * over HTTP): an annotation in the schema of a property that asks clients to repeat the argument as
 * a header field.  One that stands where it must not makes the tool invalid, so every subschema is
 * visited; values that are data (enum, const, default, examples) and names of properties are not
 * annotations. */
#include "mcp_internal.h"

#include <string.h>

/* What a container is that the walk has entered.  OUTSIDE: not reached through `properties` alone.
 */
enum place {
    ROOT,
    SCHEMA,
    SCHEMA_OUTSIDE,
    PROPERTIES,
    MAP_OUTSIDE,   /* names to schemas */
    ARRAY_OUTSIDE, /* schemas */
    NOTHING
};

static bool is_object(const struct cupel_document *doc, uint32_t node)
{
    return cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
}

static bool key_is_one_of(const char *key, size_t len, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == len && memcmp(key, *words, len) == 0)
            return true;
    return false;
}

/* What the value of a keyword is, in a schema. */
static enum place place_of(struct cupel_document *doc, const struct cupel__mcp_frame *frame)
{
    static const char *const properties[] = {"properties", NULL};
    static const char *const maps[] = {"patternProperties", "$defs",        "definitions",
                                       "dependentSchemas",  "dependencies", NULL};
    static const char *const others[] = {"items",
                                         "additionalItems",
                                         "prefixItems",
                                         "contains",
                                         "additionalProperties",
                                         "not",
                                         "propertyNames",
                                         "if",
                                         "then",
                                         "else",
                                         "allOf",
                                         "anyOf",
                                         "oneOf",
                                         "unevaluatedItems",
                                         "unevaluatedProperties",
                                         "contentSchema",
                                         NULL};
    size_t len;
    const char *key = cupel_json_string(doc, frame->key, &len);
    if (key_is_one_of(key, len, properties))
        return frame->kind == SCHEMA_OUTSIDE ? MAP_OUTSIDE : PROPERTIES;
    if (key_is_one_of(key, len, maps))
        return MAP_OUTSIDE;
    if (!key_is_one_of(key, len, others))
        return NOTHING;
    return is_object(doc, frame->value) ? SCHEMA_OUTSIDE : ARRAY_OUTSIDE;
}

/* What the child at which the walk is holds; NOTHING that has to be entered if it is not a
 * container of the right kind. */
static enum place child_place(struct cupel_document *doc, const struct cupel__mcp_frame *frame)
{
    enum place place = NOTHING;
    enum cupel_json_type type = cupel_json_type(doc, frame->value);
    if (frame->kind == ROOT || frame->kind == SCHEMA || frame->kind == SCHEMA_OUTSIDE)
        place = place_of(doc, frame);
    else
        place = frame->kind == PROPERTIES ? SCHEMA : SCHEMA_OUTSIDE;
    enum cupel_json_type want = place == ARRAY_OUTSIDE ? CUPEL_JSON_ARRAY : CUPEL_JSON_OBJECT;
    return type == want ? place : NOTHING;
}

/* -- The annotation --------------------------------------------------------------------------- */

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

static void check_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    char pointer[CUPEL__MCP_POINTER];
    cupel__mcp_walk_pointer(&check->walk, pointer);
    check_header_value(check, frame, pointer);
    if (frame->kind == SCHEMA)
        check_header_type(check, frame, pointer);
    else
        HEADER_PROBLEM(HEADER_PLACE, frame->kind == ROOT
                                         ? "x-mcp-header belongs to a property, not to the root"
                                         : "x-mcp-header is not reached through properties alone");
}

/* -- The walk --------------------------------------------------------------------------------- */

static bool is_header_keyword(struct cupel_document *doc, const struct cupel__mcp_frame *frame)
{
    return (frame->kind == ROOT || frame->kind == SCHEMA || frame->kind == SCHEMA_OUTSIDE) &&
           cupel_json_is(doc, frame->key, "x-mcp-header");
}

void cupel__mcp_check_headers(struct cupel__mcp_check *check, uint32_t schema)
{
    struct cupel__mcp_walk *walk = &check->walk;
    cupel__mcp_names_free(&check->names);
    check->no_memory |= !cupel__mcp_walk_enter(walk, schema, ROOT);
    while (walk->depth != 0 && !check->no_memory) {
        const struct cupel__mcp_frame *frame = cupel__mcp_walk_step(walk);
        if (frame == NULL)
            continue;
        if (is_header_keyword(check->doc, frame))
            check_header(check, frame);
        uint32_t value = frame->value;
        enum place place = child_place(check->doc, frame);
        if (place != NOTHING)
            check->no_memory |= !cupel__mcp_walk_enter(walk, value, place);
    }
    walk->depth = 0;
}
