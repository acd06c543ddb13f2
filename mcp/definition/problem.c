/* problem.c: records problems of a definition.
 *
 * The problems of the tool that is checked are collected in check->problems; tool.c moves them to
 * the pool of the catalog.  Each problem lowers the verdict of the tool, also beyond
 * CUPEL__MCP_PROBLEMS, where it is counted only. */
#include "mcp/definition/check.h"
#include "mcp/text/untrusted.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Lowers the verdict of a tool. */
static void lower_verdict(struct cupel_tool *tool, enum cupel_severity severity)
{
    static const enum cupel_tool_verdict verdicts[] = {CUPEL_TOOL_OK, CUPEL_TOOL_WARNING,
                                                       CUPEL_TOOL_INVALID};
    if (verdicts[severity] > tool->verdict)
        tool->verdict = verdicts[severity];
}

bool cupel__mcp_problem(struct cupel__mcp_check *check, enum cupel__mcp_rule rule,
                        enum cupel_part part, uint32_t node, const char *pointer,
                        const char *format, ...)
{
    char message[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    return cupel__mcp_problem_at(check, rule, part, cupel_json_offset(check->doc, node), pointer,
                                 message);
}

bool cupel__mcp_problem_at(struct cupel__mcp_check *check, enum cupel__mcp_rule rule,
                           enum cupel_part part, uint64_t offset, const char *pointer,
                           const char *message)
{
    enum cupel_severity severity = cupel__mcp_severity(check->options, rule);
    lower_verdict(&check->tool->view, severity);
    check->tool->view.hidden_text |= rule == CUPEL__RULE_HIDDEN_TEXT;
    if (check->count == CUPEL__MCP_PROBLEMS)
        return false;
    struct cupel__mcp_pool *pool = check->pool;
    char *kept = cupel__mcp_pool_copy(pool, message, strlen(message));
    char *where = cupel__mcp_pool_copy(pool, pointer, strlen(pointer));
    check->no_memory |= kept == NULL || where == NULL;
    check->problems[check->count++] =
        (struct cupel_rule_problem){cupel__mcp_rule_id(rule),
                                    severity,
                                    part,
                                    where,
                                    kept,
                                    CUPEL_OK,
                                    check->tool_offset + offset - check->tool_start};
    return false;
}

const char *cupel__mcp_quote(struct cupel__mcp_check *check, const char *bytes, size_t len)
{
    cupel_text_clear(&check->text);
    cupel__add_quoted(&check->text, bytes, len);
    check->no_memory |= check->text.failed != 0;
    return check->text.failed || check->text.bytes == NULL ? "" : check->text.bytes;
}
