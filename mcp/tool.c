/* tool.c: the rules of a tool's record, apart from its schemas (schema.c) and x-mcp-header
 * (header.c).
 *
 * Fields that no rule names are kept and not looked at: the specification adds fields, and a tool
 * of a later version must not be lost for it. */
#include "mcp_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Rules and problems ----------------------------------------------------------------------- */

static const struct {
    const char *id;
    enum cupel_severity severity;
} rules[] = {
#define R(name, id, severity, paragraph) {id, CUPEL_SEVERITY_##severity},
#include "rules.def"
};

const char *cupel__mcp_rule_id(enum cupel__mcp_rule rule)
{
    return rules[rule].id;
}

enum cupel_severity cupel__mcp_severity(const struct cupel_catalog *catalog,
                                        enum cupel__mcp_rule rule)
{
    bool name = rule == CUPEL__RULE_NAME_LENGTH || rule == CUPEL__RULE_NAME_CHARACTERS ||
                rule == CUPEL__RULE_NAME_DUPLICATE;
    if (name && (catalog->options.flags & CUPEL_MCP_STRICT_NAMES))
        return CUPEL_SEVERITY_ERROR;
    return rules[rule].severity;
}

static void judge(struct cupel_tool *tool, enum cupel_severity severity)
{
    static const enum cupel_tool_verdict verdicts[] = {CUPEL_TOOL_OK, CUPEL_TOOL_WARNING,
                                                       CUPEL_TOOL_INVALID};
    if (verdicts[severity] > tool->verdict)
        tool->verdict = verdicts[severity];
}

/* The offset of a node in the text that was added.  Spans are slices of one copy of the text, so
 * their distance says it without counting lines. */
static uint64_t offset_of(const struct cupel__mcp_check *check, uint32_t node)
{
    size_t len;
    const char *span = cupel_json_span(check->doc, node, &len);
    return check->tool_offset + (uint64_t)(span - check->tool_span);
}

bool cupel__mcp_problem(struct cupel__mcp_check *check, enum cupel__mcp_rule rule,
                        enum cupel_tool_part part, uint32_t node, const char *pointer,
                        const char *format, ...)
{
    char message[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    enum cupel_severity severity = cupel__mcp_severity(check->catalog, rule);
    judge(&check->tool->view, severity);
    /* The verdict counts every problem, even where there is no more room to say so. */
    if (check->count == CUPEL__MCP_PROBLEMS)
        return false;
    struct cupel__mcp_pool *pool = &check->catalog->pool;
    char *kept = cupel__mcp_pool_copy(pool, message, strlen(message));
    char *where = cupel__mcp_pool_copy(pool, pointer, strlen(pointer));
    check->no_memory |= kept == NULL || where == NULL;
    check->problems[check->count++] = (struct cupel_tool_problem){
        rules[rule].id, severity, part, where, kept, CUPEL_OK, offset_of(check, node)};
    return false;
}

const char *cupel__mcp_quote(struct cupel__mcp_check *check, const char *bytes, size_t len)
{
    cupel_text_clear(&check->text);
    cupel__mcp_add_quoted(&check->text, bytes, len);
    check->no_memory |= check->text.failed != 0;
    return check->text.failed || check->text.bytes == NULL ? "" : check->text.bytes;
}

/* -- Helpers ---------------------------------------------------------------------------------- */

#define TOOL_PROBLEM(check, rule, node, pointer, ...) \
    cupel__mcp_problem(check, CUPEL__RULE_##rule, CUPEL_PART_TOOL, node, pointer, __VA_ARGS__)

static uint32_t member(struct cupel__mcp_check *check, uint32_t node, const char *key)
{
    return cupel_json_member(check->doc, node, key, strlen(key));
}

static bool is_type(struct cupel__mcp_check *check, uint32_t node, enum cupel_json_type type)
{
    return cupel_json_type(check->doc, node) == type;
}

/* -- Fields ----------------------------------------------------------------------------------- */

/* The code points of UTF-8 text. */
static size_t count_characters(const char *bytes, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i++)
        count += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    return count;
}

static bool is_name_character(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
}

static void check_name_format(struct cupel__mcp_check *check, uint32_t node)
{
    const struct cupel_tool *tool = &check->tool->view;
    size_t count = count_characters(tool->name, tool->name_len);
    if (count == 0)
        TOOL_PROBLEM(check, NAME_LENGTH, node, "/name", "the name is empty");
    if (count > 128)
        TOOL_PROBLEM(check, NAME_LENGTH, node, "/name",
                     "the name has %zu characters; at most 128 are expected", count);
    for (size_t i = 0; i < tool->name_len; i++) {
        if (is_name_character(tool->name[i]))
            continue;
        TOOL_PROBLEM(check, NAME_CHARACTERS, node, "/name",
                     "the name holds characters other than A-Z a-z 0-9 _ . and -");
        return;
    }
}

static void check_name(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = member(check, tool, "name");
    if (node == CUPEL_NO_NODE) {
        TOOL_PROBLEM(check, NAME_MISSING, tool, "", "the tool has no name");
        return;
    }
    size_t len;
    const char *name = cupel_json_string(check->doc, node, &len);
    if (name == NULL) {
        TOOL_PROBLEM(check, NAME_TYPE, node, "/name", "the name is not a string");
        return;
    }
    char *copy = cupel__mcp_pool_copy(&check->catalog->pool, name, len);
    if (copy == NULL) {
        check->no_memory = true;
        return;
    }
    check->tool->view.name = copy;
    check->tool->view.name_len = len;
    check_name_format(check, node);
}

static void check_texts(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = member(check, tool, "title");
    if (node != CUPEL_NO_NODE && !is_type(check, node, CUPEL_JSON_STRING))
        TOOL_PROBLEM(check, TITLE_TYPE, node, "/title", "the title is not a string");
    node = member(check, tool, "description");
    if (node != CUPEL_NO_NODE && !is_type(check, node, CUPEL_JSON_STRING))
        TOOL_PROBLEM(check, DESCRIPTION_TYPE, node, "/description",
                     "the description is not a string");
    node = member(check, tool, "_meta");
    if (node != CUPEL_NO_NODE && !is_type(check, node, CUPEL_JSON_OBJECT))
        TOOL_PROBLEM(check, META_TYPE, node, "/_meta", "_meta is not an object");
}

static void check_annotations(struct cupel__mcp_check *check, uint32_t tool)
{
    static const char *const hints[] = {"readOnlyHint", "destructiveHint", "idempotentHint",
                                        "openWorldHint"};
    uint32_t node = member(check, tool, "annotations");
    if (node == CUPEL_NO_NODE)
        return;
    if (!is_type(check, node, CUPEL_JSON_OBJECT)) {
        TOOL_PROBLEM(check, ANNOTATIONS_TYPE, node, "/annotations",
                     "the annotations are not an object");
        return;
    }
    uint32_t title = member(check, node, "title");
    if (title != CUPEL_NO_NODE && !is_type(check, title, CUPEL_JSON_STRING))
        TOOL_PROBLEM(check, ANNOTATIONS_TYPE, title, "/annotations/title",
                     "the title is not a string");
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        uint32_t hint = member(check, node, hints[i]);
        char pointer[64];
        snprintf(pointer, sizeof(pointer), "/annotations/%s", hints[i]);
        if (hint != CUPEL_NO_NODE && !is_type(check, hint, CUPEL_JSON_BOOLEAN))
            TOOL_PROBLEM(check, HINT_TYPE, hint, pointer, "%s is not a boolean", hints[i]);
    }
    uint32_t reads = member(check, node, "readOnlyHint");
    uint32_t destroys = member(check, node, "destructiveHint");
    if (reads != CUPEL_NO_NODE && destroys != CUPEL_NO_NODE &&
        cupel_json_boolean(check->doc, reads) == 1 && cupel_json_boolean(check->doc, destroys) == 1)
        TOOL_PROBLEM(check, HINT_CONTRADICTION, destroys, "/annotations/destructiveHint",
                     "the tool says that it only reads, and that it is destructive");
}

/* -- Icons ------------------------------------------------------------------------------------ */

/* Schemes are compared without regard to case (RFC 3986 section 3.1). */
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

/* "48x48" or "any". */
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

static bool are_sizes(struct cupel__mcp_check *check, uint32_t sizes)
{
    if (!is_type(check, sizes, CUPEL_JSON_ARRAY))
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

static void check_icon_fields(struct cupel__mcp_check *check, uint32_t icon, const char *pointer)
{
    uint32_t node = member(check, icon, "mimeType");
    if (node != CUPEL_NO_NODE && !is_type(check, node, CUPEL_JSON_STRING))
        TOOL_PROBLEM(check, ICON_FIELD, node, pointer, "the icon's mimeType is not a string");
    node = member(check, icon, "sizes");
    if (node != CUPEL_NO_NODE && !are_sizes(check, node))
        TOOL_PROBLEM(check, ICON_FIELD, node, pointer,
                     "the icon's sizes are not an array of \"WxH\" or \"any\"");
    node = member(check, icon, "theme");
    if (node != CUPEL_NO_NODE && !cupel_json_is(check->doc, node, "light") &&
        !cupel_json_is(check->doc, node, "dark"))
        TOOL_PROBLEM(check, ICON_FIELD, node, pointer,
                     "the icon's theme is neither \"light\" nor \"dark\"");
}

static void check_icon(struct cupel__mcp_check *check, uint32_t icon, unsigned index)
{
    char pointer[32];
    snprintf(pointer, sizeof(pointer), "/icons/%u", index);
    if (!is_type(check, icon, CUPEL_JSON_OBJECT)) {
        TOOL_PROBLEM(check, ICONS_TYPE, icon, pointer, "the icon is not an object");
        return;
    }
    uint32_t source = member(check, icon, "src");
    size_t len = 0;
    const char *uri = source != CUPEL_NO_NODE ? cupel_json_string(check->doc, source, &len) : NULL;
    if (uri == NULL)
        TOOL_PROBLEM(check, ICONS_TYPE, icon, pointer, "the icon has no string src");
    else if (!has_scheme(uri, len, "https") && !has_scheme(uri, len, "data"))
        TOOL_PROBLEM(check, ICON_SOURCE, source, pointer,
                     "the icon's src is neither an https: nor a data: URI");
    check_icon_fields(check, icon, pointer);
}

static void check_icons(struct cupel__mcp_check *check, uint32_t tool)
{
    uint32_t node = member(check, tool, "icons");
    if (node == CUPEL_NO_NODE || check->catalog->options.profile < CUPEL_MCP_2025_11_25)
        return;
    if (!is_type(check, node, CUPEL_JSON_ARRAY)) {
        TOOL_PROBLEM(check, ICONS_TYPE, node, "/icons", "the icons are not an array");
        return;
    }
    unsigned index = 0;
    uint32_t icon = cupel_json_first(check->doc, node);
    for (; icon != CUPEL_NO_NODE; icon = cupel_json_next(check->doc, node, icon))
        check_icon(check, icon, index++);
}

/* -- Execution (profile 2025-11-25 alone) ----------------------------------------------------- */

static void check_execution(struct cupel__mcp_check *check, uint32_t tool)
{
    enum cupel_mcp_profile profile = check->catalog->options.profile;
    uint32_t node = member(check, tool, "execution");
    if (node == CUPEL_NO_NODE || profile < CUPEL_MCP_2025_11_25)
        return;
    if (profile > CUPEL_MCP_2025_11_25) {
        TOOL_PROBLEM(check, EXECUTION_OBSOLETE, node, "/execution",
                     "execution is not part of this version of the specification");
        return;
    }
    if (!is_type(check, node, CUPEL_JSON_OBJECT)) {
        TOOL_PROBLEM(check, EXECUTION_TYPE, node, "/execution", "execution is not an object");
        return;
    }
    uint32_t support = member(check, node, "taskSupport");
    if (support != CUPEL_NO_NODE && !cupel_json_is(check->doc, support, "forbidden") &&
        !cupel_json_is(check->doc, support, "optional") &&
        !cupel_json_is(check->doc, support, "required"))
        TOOL_PROBLEM(check, EXECUTION_TYPE, support, "/execution/taskSupport",
                     "taskSupport is none of \"forbidden\", \"optional\", \"required\"");
}

/* -- The whole -------------------------------------------------------------------------------- */

static void check_record(struct cupel__mcp_check *check, uint32_t node)
{
    if (!is_type(check, node, CUPEL_JSON_OBJECT)) {
        TOOL_PROBLEM(check, DEFINITION_OBJECT, node, "", "the definition is not an object");
        return;
    }
    check_name(check, node);
    check_texts(check, node);
    check_annotations(check, node);
    check_icons(check, node);
    check_execution(check, node);
    cupel__mcp_check_schemas(check, node);
}

/* Moves the problems to where they live as long as the catalog, leaving room for one more. */
static void keep_problems(struct cupel__mcp_check *check)
{
    struct cupel__mcp_tool *tool = check->tool;
    size_t size = sizeof(*tool->problems);
    tool->problems = cupel__mcp_pool_get(&check->catalog->pool, (check->count + 1) * size);
    if (tool->problems == NULL) {
        check->no_memory = true;
        return;
    }
    memcpy(tool->problems, check->problems, check->count * size);
    tool->view.problems = tool->problems;
    tool->view.problem_count = check->count;
}

/* A tool with a duplicate key: its name is all that is looked at, for nobody knows which of the
 * members others would take. */
static void note_ambiguous(struct cupel__mcp_check *check, uint32_t node,
                           const struct cupel_error *err)
{
    check_name(check, node);
    uint32_t count = check->count;
    TOOL_PROBLEM(check, DUPLICATE_KEY, node, err->where, "an object has two members of one name");
    if (check->count != count) {
        check->problems[count].offset += err->offset;
        check->problems[count].status = err->status;
    }
}

/* Reads the tool's own text, strictly, and judges it. */
static void check_tool(struct cupel__mcp_check *check, uint32_t node)
{
    struct cupel_error err;
    size_t len;
    const char *span = cupel_json_span(check->list, node, &len);
    check->tool_offset = check->list_offset + (uint64_t)(span - check->list_span);
    memset(&err, 0, sizeof(err));
    err.status = cupel_document_read(check->inner, span, len, &err);
    if (err.status == CUPEL_E_NO_MEMORY) {
        check->no_memory = true;
    } else if (err.status != CUPEL_OK) {
        check->doc = check->list;
        check->tool_span = span;
        note_ambiguous(check, node, &err);
    } else {
        check->doc = check->inner;
        check->tool_span = cupel_json_span(check->inner, 0, &len);
        check_record(check, 0);
    }
}

struct cupel__mcp_tool *cupel__mcp_tool_new(struct cupel__mcp_check *check, uint32_t node)
{
    check->tool = cupel__mcp_pool_get(&check->catalog->pool, sizeof(*check->tool));
    if (check->tool == NULL)
        return NULL;
    check->tool->view.name = "";
    check->tool->parameters = "";
    check->count = 0;
    check->no_memory = false;
    check_tool(check, node);
    keep_problems(check);
    if (!check->no_memory)
        return check->tool;
    cupel__mcp_tool_release(check->tool);
    return NULL;
}

void cupel__mcp_tool_release(struct cupel__mcp_tool *tool)
{
    cupel_program_free((struct cupel_program *)tool->view.input);
    cupel_program_free((struct cupel_program *)tool->view.output);
    tool->view.input = tool->view.output = NULL;
}
