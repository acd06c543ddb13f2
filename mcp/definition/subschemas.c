/* subschemas.c: visits every subschema of a tool for the rules that hold wherever a keyword stands.
 * Values that are data (enum, const, default, examples) are not looked into, and names of
 * properties are not keywords. */
#include "mcp/definition/check.h"

#include <string.h>

/* -- Places ----------------------------------------------------------------------------------- */

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
    if (key_is_one_of(key, len, properties))
        return frame->kind == CUPEL__MCP_SCHEMA_OUTSIDE ? CUPEL__MCP_MAP_OUTSIDE
                                                        : CUPEL__MCP_PROPERTIES;
    if (key_is_one_of(key, len, patterns))
        return CUPEL__MCP_PATTERNS;
    if (key_is_one_of(key, len, maps))
        return CUPEL__MCP_MAP_OUTSIDE;
    if (!key_is_one_of(key, len, others))
        return CUPEL__MCP_NOTHING;
    return is_object(doc, frame->value) ? CUPEL__MCP_SCHEMA_OUTSIDE : CUPEL__MCP_ARRAY_OUTSIDE;
}

/* What the child at which the walk is holds; CUPEL__MCP_NOTHING that has to be entered if it is not
 * a container of the right kind. */
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

/* Whether a pattern looks around or back (ECMA-262, Assertion and AtomEscape).  Many engines that
 * other clients use refuse it. */
static bool looks_around(const char *pattern, size_t len)
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

/* `node` is the string that is the pattern: a value of `pattern`, or a key of `patternProperties`.
 */
static void check_pattern(struct cupel__mcp_check *check, enum cupel_tool_part part, uint32_t node)
{
    size_t len;
    const char *pattern = cupel_json_string(check->doc, node, &len);
    if (pattern == NULL || !looks_around(pattern, len))
        return;
    char pointer[CUPEL__MCP_POINTER];
    cupel__mcp_traversal_pointer(&check->traversal, pointer);
    cupel__mcp_problem(
        check, CUPEL__RULE_PATTERN_PORTABLE, part, node, pointer,
        "the pattern looks around or refers back, which many clients do not support");
}

/* -- The walk --------------------------------------------------------------------------------- */

/* Whether the walk reaches what the reference leads to: the root, an anchor, a definition.  Others
 * may lead into a keyword that nobody knows. */
static bool leads_to_known(const char *ref, size_t len)
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

/* Notes the names that arguments may be declared by, and whether references have other bases. */
static void note_names(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame)
{
    struct cupel__mcp_tool *tool = check->tool;
    size_t len;
    const char *name =
        frame->key != CUPEL_NO_NODE ? cupel_json_string(check->doc, frame->key, &len) : NULL;
    if (frame->kind == CUPEL__MCP_PROPERTIES || frame->kind == CUPEL__MCP_MAP_OUTSIDE)
        check->no_memory |= name != NULL && !cupel__declared_names_add(&tool->declared_names,
                                                                       check->pool, name, len);
    else if (name != NULL && cupel_json_is(check->doc, frame->key, "$ref") &&
             (name = cupel_json_string(check->doc, frame->value, &len)) != NULL)
        tool->declared_names.incomplete |= !leads_to_known(name, len);
    else if (frame->kind != CUPEL__MCP_ROOT && name != NULL)
        tool->has_ids |= cupel_json_is(check->doc, frame->key, "$id") ||
                         cupel_json_is(check->doc, frame->key, "id");
}

static void check_child(struct cupel__mcp_check *check, enum cupel_tool_part part,
                        const struct cupel__mcp_frame *frame)
{
    bool headers = part == CUPEL_PART_INPUT && check->options->profile >= CUPEL_MCP_2026_07_28;
    if (part == CUPEL_PART_INPUT)
        note_names(check, frame);
    if (frame->kind == CUPEL__MCP_PATTERNS)
        check_pattern(check, part, frame->key);
    if (frame->kind != CUPEL__MCP_ROOT && frame->kind != CUPEL__MCP_SCHEMA &&
        frame->kind != CUPEL__MCP_SCHEMA_OUTSIDE)
        return;
    if (cupel_json_is(check->doc, frame->key, "pattern"))
        check_pattern(check, part, frame->value);
    else if (headers && cupel_json_is(check->doc, frame->key, "x-mcp-header"))
        cupel__mcp_check_header(check, frame);
}

void cupel__mcp_check_subschemas(struct cupel__mcp_check *check, enum cupel_tool_part part,
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
