/* tool.c: checks one definition: reads its text, runs the checks in order, keeps the problems.
 *
 *     hidden text → fields → icons → schemas → the vendor's target
 *
 * Hidden text is first, so that problems of other rules leave space to report it. */
#include "mcp/definition/check.h"

#include <cupel/checks.h>

#include <string.h>

/* -- The whole -------------------------------------------------------------------------------- */

/* A cupel_on_rule_problem: records what the catalog's target does not accept. */
static int report_target(void *ctx, const struct cupel_rule_problem *problem)
{
    cupel__mcp_problem_at(ctx, cupel__mcp_rule_of(problem->rule), problem->part, problem->offset,
                          problem->pointer, problem->message);
    return 0;
}

static void check_target(struct cupel__mcp_check *check, uint32_t tool)
{
    const struct cupel_catalog_options *options = check->options;
    if (options->target != CUPEL_TARGET_NONE)
        check->no_memory |= cupel_target_check(check->doc, tool, options->target, options->engine,
                                               report_target, check) == CUPEL_E_NO_MEMORY;
}

static void check_record(struct cupel__mcp_check *check, uint32_t node)
{
    if (!cupel__mcp_is(check, node, CUPEL_JSON_OBJECT)) {
        CUPEL__TOOL_PROBLEM(check, DEFINITION_OBJECT, node, "", "the definition is not an object");
        return;
    }
    cupel__mcp_check_hidden(check, node);
    cupel__mcp_check_fields(check, node);
    cupel__mcp_check_icons(check, node);
    cupel__mcp_check_schemas(check, node);
    check_target(check, node);
}

/* Problems that may be added when the tool is compared with others: a name that is equal, and one
 * that looks equal. */
enum { LATE = 2 };

/* Copies the problems into the pool, with space for late ones. */
static void keep_problems(struct cupel__mcp_check *check)
{
    struct cupel__mcp_tool *tool = check->tool;
    size_t size = sizeof(*tool->problems);
    tool->problems = cupel__mcp_pool_get(check->pool, (check->count + LATE) * size);
    if (tool->problems == NULL) {
        check->no_memory = true;
        return;
    }
    memcpy(tool->problems, check->problems, check->count * size);
    tool->view.problems = tool->problems;
    tool->view.problem_count = check->count;
}

/* Reports a duplicate key.  Of such a tool only the name is checked: other readers may use another
 * member of that name than cupel would. */
static void report_duplicate_key(struct cupel__mcp_check *check, uint32_t node,
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

/* Reads the text of the tool alone, without duplicate keys, and checks it.  The error of the reader
 * has an offset within the tool. */
static void check_tool(struct cupel__mcp_check *check, uint32_t node)
{
    struct cupel_error err;
    size_t len;
    const char *span = cupel_json_span(check->list, node, &len);
    check->tool_offset = cupel_json_offset(check->list, node);
    check->tool->offset = check->tool_offset;
    check->tool->view.text = cupel__mcp_pool_copy(check->pool, span, len);
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
        report_duplicate_key(check, node, &err);
    } else {
        check->doc = check->inner;
        check->tool_span = cupel_json_span(check->inner, 0, &len);
        check->tool_start = cupel_json_offset(check->inner, 0);
        check_record(check, 0);
    }
}

/* The tool lives in the pool; what else it holds is released by cupel__mcp_tool_release. */
struct cupel__mcp_tool *cupel__mcp_tool_new(struct cupel__mcp_check *check, uint32_t node)
{
    check->tool = cupel__mcp_pool_get(check->pool, sizeof(*check->tool));
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
    cupel__mcp_names_free(&tool->paths);
    for (int i = 0; i < CUPEL__MCP_SCHEMAS; i++)
        cupel__mcp_program_drop(tool->programs[i]);
}
