/* content.c: checks the content blocks of a result (specification, page "Tools", "Tool Result"; the
 * types ContentBlock and Annotations of its schema).
 *
 * block_types lists the types of blocks, the profile that brought each, and its check.  A block of
 * an unknown type is an error: no rule says what it may hold.
 *
 * A block may have annotations (audience, priority, lastModified); problems with these are
 * warnings, because clients may ignore them. */
#include "mcp/json/number_text.h"
#include "mcp/result/result.h"
#include "mcp/text/base64.h"

#include <stdio.h>
#include <string.h>

#define PROBLEM(rule, ...) cupel__result_problem(result, CUPEL__RULE_##rule, __VA_ARGS__)

static uint32_t member(const struct cupel__result *result, uint32_t node, const char *key)
{
    return cupel_json_member(result->doc, node, key, strlen(key));
}

static bool is_type(const struct cupel__result *result, uint32_t node, enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && cupel_json_type(result->doc, node) == type;
}

/* -- Fields ----------------------------------------------------------------------------------- */

/* Requires a member that is a string. */
static bool require_string(struct cupel__result *result, uint32_t block, const char *key,
                           const char *pointer)
{
    if (is_type(result, member(result, block, key), CUPEL_JSON_STRING))
        return true;
    return PROBLEM(CONTENT_FIELD, pointer, "the block has no string %s", key);
}

/* Requires a member that is a string in Base64. */
static void require_base64(struct cupel__result *result, uint32_t block, const char *key,
                           const char *pointer)
{
    size_t len;
    if (!require_string(result, block, key, pointer))
        return;
    const char *text = cupel_json_string(result->doc, member(result, block, key), &len);
    if (!cupel__base64_decode(text, len, NULL))
        PROBLEM(CONTENT_BASE64, pointer, "%s is not Base64", key);
}

/* Whether a node is a number from 0 to 1, in any spelling. */
static bool is_fraction(const struct cupel__result *result, uint32_t node)
{
    size_t len;
    uint8_t digit = 0;
    int count;
    int64_t point;
    bool more;
    if (!is_type(result, node, CUPEL_JSON_NUMBER))
        return false;
    const char *text = cupel_json_span(result->doc, node, &len);
    bool negative = cupel__number_digits(text, len, &digit, 1, &count, &point, &more);
    bool is_one = point == 1 && digit == 1 && !more;
    return count == 0 || (!negative && (point <= 0 || is_one));
}

/* Whether a node is an array of "user" and "assistant". */
static bool is_audience(const struct cupel__result *result, uint32_t list)
{
    if (!is_type(result, list, CUPEL_JSON_ARRAY))
        return false;
    uint32_t node = cupel_json_first(result->doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(result->doc, list, node))
        if (!cupel_json_is(result->doc, node, "user") &&
            !cupel_json_is(result->doc, node, "assistant"))
            return false;
    return true;
}

/* Checks audience, priority and lastModified. */
static void check_annotations(struct cupel__result *result, uint32_t block, const char *pointer)
{
    uint32_t node = member(result, block, "annotations");
    if (node == CUPEL_NO_NODE)
        return;
    if (!is_type(result, node, CUPEL_JSON_OBJECT)) {
        PROBLEM(CONTENT_ANNOTATIONS, pointer, "the annotations are not an object");
        return;
    }
    uint32_t audience = member(result, node, "audience");
    uint32_t priority = member(result, node, "priority");
    uint32_t modified = member(result, node, "lastModified");
    if (audience != CUPEL_NO_NODE && !is_audience(result, audience))
        PROBLEM(CONTENT_ANNOTATIONS, pointer,
                "audience is not an array of \"user\" and \"assistant\"");
    if (priority != CUPEL_NO_NODE && !is_fraction(result, priority))
        PROBLEM(CONTENT_ANNOTATIONS, pointer, "priority is not a number from 0 to 1");
    if (modified != CUPEL_NO_NODE && !is_type(result, modified, CUPEL_JSON_STRING))
        PROBLEM(CONTENT_ANNOTATIONS, pointer, "lastModified is not a string");
}

/* -- Types ------------------------------------------------------------------------------------ */

static void check_text(struct cupel__result *result, uint32_t block, const char *pointer)
{
    require_string(result, block, "text", pointer);
}

static void check_media(struct cupel__result *result, uint32_t block, const char *pointer)
{
    require_base64(result, block, "data", pointer);
    require_string(result, block, "mimeType", pointer);
}

static void check_link(struct cupel__result *result, uint32_t block, const char *pointer)
{
    require_string(result, block, "uri", pointer);
    require_string(result, block, "name", pointer);
}

/* An embedded resource has a URI, and either text or Base64. */
static void check_resource(struct cupel__result *result, uint32_t block, const char *pointer)
{
    uint32_t resource = member(result, block, "resource");
    if (!is_type(result, resource, CUPEL_JSON_OBJECT)) {
        PROBLEM(CONTENT_FIELD, pointer, "the block has no object resource");
        return;
    }
    require_string(result, resource, "uri", pointer);
    if (member(result, resource, "blob") != CUPEL_NO_NODE)
        require_base64(result, resource, "blob", pointer);
    else
        require_string(result, resource, "text", pointer);
}

static const struct block_type {
    const char *name;
    enum cupel_mcp_profile since;
    void (*check)(struct cupel__result *result, uint32_t block, const char *pointer);
} block_types[] = {
    {"text", CUPEL_MCP_2024_11_05, check_text},
    {"image", CUPEL_MCP_2024_11_05, check_media},
    {"resource", CUPEL_MCP_2024_11_05, check_resource},
    {"audio", CUPEL_MCP_2025_03_26, check_media},
    {"resource_link", CUPEL_MCP_2025_06_18, check_link},
};

static const struct block_type *find_type(const struct cupel__result *result, uint32_t type)
{
    for (size_t i = 0; i < sizeof(block_types) / sizeof(block_types[0]); i++)
        if (type != CUPEL_NO_NODE && block_types[i].since <= result->profile &&
            cupel_json_is(result->doc, type, block_types[i].name))
            return &block_types[i];
    return NULL;
}

/* Finds the type of a block, then checks the fields of that type. */
static void check_block(struct cupel__result *result, uint32_t block, const char *pointer)
{
    if (!is_type(result, block, CUPEL_JSON_OBJECT)) {
        PROBLEM(RESULT_CONTENT, pointer, "the content block is not an object");
        return;
    }
    uint32_t type = member(result, block, "type");
    const struct block_type *found = find_type(result, type);
    if (found == NULL) {
        PROBLEM(CONTENT_TYPE, pointer,
                is_type(result, type, CUPEL_JSON_STRING)
                    ? "the content block's type is not known in this version of the specification"
                    : "the content block has no string type");
        return;
    }
    found->check(result, block, pointer);
    check_annotations(result, block, pointer);
}

/* -- The text copy ---------------------------------------------------------------------------- */

/* Compares a block of text, read as JSON, with structuredContent.  Numbers that are too large for
 * an exact comparison count as equal, so that no valid result is refused. */
static void compare_copy(struct cupel__result *result, uint32_t block, uint32_t structured)
{
    size_t len;
    uint32_t type = member(result, block, "type"), text = member(result, block, "text");
    struct cupel_document *copy = result->context->copy;
    if (type == CUPEL_NO_NODE || !cupel_json_is(result->doc, type, "text") ||
        !is_type(result, text, CUPEL_JSON_STRING))
        return;
    result->has_text = true;
    const char *bytes = cupel_json_string(result->doc, text, &len);
    enum cupel_status status = cupel_document_read(copy, bytes, len, NULL);
    if (status == CUPEL_OK && cupel_json_equal(result->doc, structured, copy, 0) != 0)
        result->same = true;
    if (status == CUPEL_E_NO_MEMORY || status == CUPEL_E_JSON_DEPTH ||
        status == CUPEL_E_JSON_SIZE || status == CUPEL_E_NUMBER_SIZE)
        result->copy_status = status;
}

/* The comparison with structured content stops at the first block that equals it. */
void cupel__result_check_content(struct cupel__result *result, uint32_t node, uint32_t structured)
{
    uint32_t content = member(result, node, "content");
    if (!is_type(result, content, CUPEL_JSON_ARRAY)) {
        PROBLEM(RESULT_CONTENT, "/content",
                content == CUPEL_NO_NODE ? "the result has no content" : "content is not an array");
        return;
    }
    unsigned index = 0;
    uint32_t block = cupel_json_first(result->doc, content);
    for (; block != CUPEL_NO_NODE; block = cupel_json_next(result->doc, content, block)) {
        char pointer[32];
        snprintf(pointer, sizeof(pointer), "/content/%u", index++);
        check_block(result, block, pointer);
        if (structured != CUPEL_NO_NODE && !result->same)
            compare_copy(result, block, structured);
    }
}
