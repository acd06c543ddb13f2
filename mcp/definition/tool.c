/* tool.c: judging one definition: problems, and the order of the checks.  What is checked is in
 * record.c, icons.c, schema.c, subschemas.c, header.c and target.c. */
#include "mcp/definition/check.h"

#include <cupel/target.h>

#include <string.h>

/* -- The whole -------------------------------------------------------------------------------- */

/* Reports what the catalog's target does not accept. */
static int report_target(void *ctx, const struct cupel_tool_problem *problem)
{
    cupel__mcp_problem_at(ctx, cupel__mcp_rule_of(problem->rule), problem->part, problem->offset,
                          problem->pointer, problem->message);
    return 0;
}

static void check_target(struct cupel__mcp_check *check, uint32_t tool)
{
    const struct cupel_mcp_options *options = check->options;
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
    /* First, so that other problems leave room to report it. */
    cupel__mcp_check_hidden(check, node);
    cupel__mcp_check_fields(check, node);
    cupel__mcp_check_icons(check, node);
    cupel__mcp_check_schemas(check, node);
    check_target(check, node);
}

/* Problems that other tools of the catalog bring: a name that is theirs, or looks like theirs. */
enum { LATE = 2 };

/* Moves the problems to where they live as long as the catalog, leaving room for late ones. */
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
