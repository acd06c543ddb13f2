/* tool.c: judging one definition: problems, and the order of the checks.  What is checked is in
 * record.c, icons.c, schema.c, subschemas.c, header.c and target.c. */
#include "mcp/catalog/catalog.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Rules and problems ----------------------------------------------------------------------- */

static const struct {
    const char *id;
    enum cupel_severity severity;
    const char *paragraph;
} rules[] = {
#define R(name, id, severity, paragraph) {id, CUPEL_SEVERITY_##severity, paragraph},
#include "mcp/catalog/rules.def"
};

const char *cupel_rule_paragraph(const char *id)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (strcmp(rules[i].id, id) == 0)
            return rules[i].paragraph;
    return NULL;
}

const char *cupel__mcp_rule_id(enum cupel__mcp_rule rule)
{
    return rules[rule].id;
}

enum cupel_severity cupel__mcp_rule_severity(enum cupel__mcp_rule rule)
{
    return rules[rule].severity;
}

enum cupel_severity cupel__mcp_severity(const struct cupel_catalog *catalog,
                                        enum cupel__mcp_rule rule)
{
    bool format = rule == CUPEL__RULE_NAME_LENGTH || rule == CUPEL__RULE_NAME_CHARACTERS;
    if ((format || rule == CUPEL__RULE_NAME_DUPLICATE) &&
        (catalog->options.flags & CUPEL_MCP_STRICT_NAMES))
        return CUPEL_SEVERITY_ERROR;
    if (rule == CUPEL__RULE_DIALECT_PORTABLE &&
        (catalog->options.flags & CUPEL_MCP_STRICT_DIALECTS))
        return CUPEL_SEVERITY_ERROR;
    if (rule == CUPEL__RULE_HIDDEN_TEXT && (catalog->options.flags & CUPEL_MCP_STRICT_TEXT))
        return CUPEL_SEVERITY_ERROR;
    if (format && catalog->options.profile < CUPEL_MCP_2025_11_25)
        return CUPEL_SEVERITY_INFO;
    return rules[rule].severity;
}

static void judge(struct cupel_tool *tool, enum cupel_severity severity)
{
    static const enum cupel_tool_verdict verdicts[] = {CUPEL_TOOL_OK, CUPEL_TOOL_WARNING,
                                                       CUPEL_TOOL_INVALID};
    if (verdicts[severity] > tool->verdict)
        tool->verdict = verdicts[severity];
}

/* The offset of a node in the text that was added. */
static uint64_t offset_of(const struct cupel__mcp_check *check, uint32_t node)
{
    return check->tool_offset + cupel_json_offset(check->doc, node) - check->tool_start;
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

/* -- The whole -------------------------------------------------------------------------------- */

static void check_record(struct cupel__mcp_check *check, uint32_t node)
{
    if (!cupel__mcp_is(check, node, CUPEL_JSON_OBJECT)) {
        CUPEL__TOOL_PROBLEM(check, DEFINITION_OBJECT, node, "", "the definition is not an object");
        return;
    }
    /* First, so that other problems leave room to report it. */
    cupel__mcp_check_hidden(check, node);
    cupel__mcp_check_fields(check, node);
    cupel__mcp_check_icons(check, node);
    cupel__mcp_check_schemas(check, node);
    cupel__mcp_check_target(check, node);
}

/* Problems that other tools of the catalog bring: a name that is theirs, or looks like theirs. */
enum { LATE = 2 };

/* Moves the problems to where they live as long as the catalog, leaving room for late ones. */
static void keep_problems(struct cupel__mcp_check *check)
{
    struct cupel__mcp_tool *tool = check->tool;
    size_t size = sizeof(*tool->problems);
    tool->problems = cupel__mcp_pool_get(&check->catalog->pool, (check->count + LATE) * size);
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
    cupel__mcp_check_hidden(check, node);
    cupel__mcp_check_name(check, node);
    uint32_t count = check->count;
    CUPEL__TOOL_PROBLEM(check, DUPLICATE_KEY, node, err->where,
                        "an object has two members of one name");
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
    check->tool_offset = cupel_json_offset(check->list, node);
    check->tool->offset = check->tool_offset;
    check->tool->view.text = cupel__mcp_pool_copy(&check->catalog->pool, span, len);
    check->tool->view.text_len = len;
    check->no_memory |= check->tool->view.text == NULL;
    memset(&err, 0, sizeof(err));
    err.status = cupel_document_read(check->inner, span, len, &err);
    if (err.status == CUPEL_E_NO_MEMORY) {
        check->no_memory = true;
    } else if (err.status != CUPEL_OK) {
        check->doc = check->list;
        check->tool_span = span;
        check->tool_start = check->tool_offset;
        note_ambiguous(check, node, &err);
    } else {
        check->doc = check->inner;
        check->tool_span = cupel_json_span(check->inner, 0, &len);
        check->tool_start = cupel_json_offset(check->inner, 0);
        check_record(check, 0);
    }
}

struct cupel__mcp_tool *cupel__mcp_tool_new(struct cupel__mcp_check *check, uint32_t node)
{
    check->tool = cupel__mcp_pool_get(&check->catalog->pool, sizeof(*check->tool));
    if (check->tool == NULL)
        return NULL;
    check->tool->view.name = check->tool->view.label = "";
    check->tool->view.id = check->tool->view.version = "";
    check->tool->view.hints = (struct cupel_tool_hints){.destructive = 1, .open_world = 1};
    check->count = 0;
    check->last_header = NULL;
    check->no_memory = false;
    check_tool(check, node);
    keep_problems(check);
    if (!check->no_memory && check->stored_error.status == CUPEL_OK)
        return check->tool;
    cupel__mcp_tool_release(check->tool);
    return NULL;
}

void cupel__mcp_tool_release(struct cupel__mcp_tool *tool)
{
    cupel__mcp_names_free(&tool->steps);
    for (int i = 0; i < CUPEL__MCP_SCHEMAS; i++)
        cupel__mcp_program_drop(tool->programs[i]);
}
