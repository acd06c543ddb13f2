/* subschemas.c: visits every subschema of a tool for the rules that hold wherever a keyword stands:
 * portable patterns, x-mcp-header, the names that arguments may have.
 *
 * frame->kind says what a container is (enum cupel__mcp_place), so that names of properties are not
 * taken for keywords.  Values that are data (enum, const, default, examples) are not entered. */
#include "mcp/definition/check.h"
#include "mcp/text/characters.h"

#include <string.h>

/* -- Places ----------------------------------------------------------------------------------- */

static bool is_object(const struct cupel_document *doc, uint32_t node)
{
    return cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
}

/* Returns the place that the value of a keyword is, in a schema. */
static enum cupel__mcp_place place_of(struct cupel_document *doc,
                                      const struct cupel__mcp_frame *frame)
{
    static const char *const properties[] = {"properties", NULL};
    static const char *const patterns[] = {"patternProperties", NULL};
    static const char *const maps[] = {"$defs", "definitions", "dependentSchemas", "dependencies",
                                       NULL};
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
    if (cupel__mcp_is_one_of(key, len, properties))
        return frame->kind == CUPEL__MCP_SCHEMA_OUTSIDE ? CUPEL__MCP_MAP_OUTSIDE
                                                        : CUPEL__MCP_PROPERTIES;
    if (cupel__mcp_is_one_of(key, len, patterns))
        return CUPEL__MCP_PATTERNS;
    if (cupel__mcp_is_one_of(key, len, maps))
        return CUPEL__MCP_MAP_OUTSIDE;
    if (!cupel__mcp_is_one_of(key, len, others))
        return CUPEL__MCP_NOTHING;
    return is_object(doc, frame->value) ? CUPEL__MCP_SCHEMA_OUTSIDE : CUPEL__MCP_ARRAY_OUTSIDE;
}

/* Returns the place of the current child; CUPEL__MCP_NOTHING if it holds no schemas or has the
 * wrong type. */
static enum cupel__mcp_place child_place(struct cupel_document *doc,
                                         const struct cupel__mcp_frame *frame)
{
    enum cupel__mcp_place place = CUPEL__MCP_NOTHING;
    enum cupel_json_type type = cupel_json_type(doc, frame->value);
    if (frame->kind == CUPEL__MCP_ROOT || frame->kind == CUPEL__MCP_SCHEMA ||
        frame->kind == CUPEL__MCP_SCHEMA_OUTSIDE)
        place = place_of(doc, frame);
    else
        place =
            frame->kind == CUPEL__MCP_PROPERTIES ? CUPEL__MCP_SCHEMA : CUPEL__MCP_SCHEMA_OUTSIDE;
    enum cupel_json_type want =
        place == CUPEL__MCP_ARRAY_OUTSIDE ? CUPEL_JSON_ARRAY : CUPEL_JSON_OBJECT;
    return type == want ? place : CUPEL__MCP_NOTHING;
}

/* -- Patterns --------------------------------------------------------------------------------- */

/* Whether a pattern has look-around or a back-reference (ECMA-262, Assertion and AtomEscape).  The
 * linear-time engines of many clients refuse these. */
static bool has_look_around(const char *pattern, size_t len)
{
    bool in_class = false;
    for (size_t i = 0; i + 1 < len; i++) {
        char c = pattern[i], next = pattern[i + 1];
        if (c == '\\') {
            if (!in_class && ((next >= '1' && next <= '9') || next == 'k'))
                return true;
            i++;
        } else if (c == '[' || c == ']') {
            in_class = c == '[';
        } else if (c == '(' && next == '?' && !in_class && i + 3 < len) {
            const char *group = pattern + i + 2;
            if (group[0] == '=' || group[0] == '!' ||
                (group[0] == '<' && (group[1] == '=' || group[1] == '!')))
                return true;
        }
    }
    return false;
}

/* Checks the pattern at `node`: a value of `pattern`, or a key of `patternProperties`. */
static void check_pattern(struct cupel__mcp_check *check, enum cupel_part part, uint32_t node)
{
    size_t len;
    const char *pattern = cupel_json_string(check->doc, node, &len);
    if (pattern == NULL || !has_look_around(pattern, len))
        return;
    char pointer[CUPEL__MCP_POINTER];
    cupel__mcp_traversal_pointer(&check->traversal, pointer);
    cupel__mcp_problem(
        check, CUPEL__RULE_PATTERN_PORTABLE, part, node, pointer,
        "the pattern looks around or refers back, which many clients do not support");
}

/* -- The traversal ---------------------------------------------------------------------------- */

/* Whether the target of a reference is certainly visited by this traversal: the root, an anchor, a
 * definition.  Others can point into an unknown keyword. */
static bool is_visited(const char *ref, size_t len)
{
    static const char *const starts[] = {"#/$defs/", "#/definitions/"};
    if (len == 0 || ref[0] != '#')
        return false;
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        size_t n = strlen(starts[i]);
        if (len > n && memcmp(ref, starts[i], n) == 0)
            return memchr(ref + n, '/', len - n) == NULL;
    }
    return memchr(ref, '/', len) == NULL;
}

/* Collects declared names, and notes what makes them incomplete: references to places that are not
 * visited, and subschemas with an identifier, which change what references mean. */
static void collect_names(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    struct cupel__mcp_tool *tool = check->tool;
    size_t len;
    const char *name =
        frame->key != CUPEL_NO_NODE ? cupel_json_string(check->doc, frame->key, &len) : NULL;
    tool->declared_names.patterns |=
        name != NULL && cupel_json_is(check->doc, frame->key, "patternProperties");
    if (frame->kind == CUPEL__MCP_PROPERTIES || frame->kind == CUPEL__MCP_MAP_OUTSIDE)
        check->no_memory |= name != NULL && !cupel__declared_names_add(&tool->declared_names,
                                                                       check->pool, name, len);
    else if (name != NULL && cupel_json_is(check->doc, frame->key, "$ref") &&
             (name = cupel_json_string(check->doc, frame->value, &len)) != NULL)
        tool->declared_names.incomplete |= !is_visited(name, len);
    else if (frame->kind != CUPEL__MCP_ROOT && name != NULL)
        tool->has_ids |= cupel_json_is(check->doc, frame->key, "$id") ||
                         cupel_json_is(check->doc, frame->key, "id");
}

/* Applies the rules to the current child. */
static void check_child(struct cupel__mcp_check *check, enum cupel_part part,
                        const struct cupel__mcp_frame *frame)
{
    if (part == CUPEL_PART_INPUT)
        collect_names(check, frame);
    if (frame->kind == CUPEL__MCP_PATTERNS)
        check_pattern(check, part, frame->key);
    if (frame->kind != CUPEL__MCP_ROOT && frame->kind != CUPEL__MCP_SCHEMA &&
        frame->kind != CUPEL__MCP_SCHEMA_OUTSIDE)
        return;
    if (cupel_json_is(check->doc, frame->key, "pattern"))
        check_pattern(check, part, frame->value);
    else if (part == CUPEL_PART_INPUT && cupel_json_is(check->doc, frame->key, "x-mcp-header"))
        cupel__mcp_check_header(check, frame);
}

void cupel__mcp_check_subschemas(struct cupel__mcp_check *check, enum cupel_part part,
                                 uint32_t schema)
{
    struct cupel__mcp_traversal *traversal = &check->traversal;
    cupel__mcp_names_free(&check->names);
    check->no_memory |= !cupel__mcp_traversal_enter(traversal, schema, CUPEL__MCP_ROOT);
    while (traversal->depth != 0 && !check->no_memory) {
        const struct cupel__mcp_frame *frame = cupel__mcp_traversal_next(traversal);
        if (frame == NULL)
            continue;
        check_child(check, part, frame);
        uint32_t value = frame->value;
        enum cupel__mcp_place place = child_place(check->doc, frame);
        if (place != CUPEL__MCP_NOTHING)
            check->no_memory |= !cupel__mcp_traversal_enter(traversal, value, (int)place);
    }
    traversal->depth = 0;
    if (part == CUPEL_PART_INPUT)
        check->no_memory |=
            !cupel__declared_names_finish(&check->tool->declared_names, check->pool);
}
