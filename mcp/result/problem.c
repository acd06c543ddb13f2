/* problem.c: counts and reports broken rules of a result.  The listener gets at most limits.errors
 * problems; all are counted. */
#include "mcp/result/result.h"

#include <stdarg.h>
#include <stdio.h>

bool cupel__result_problem(struct cupel__result *result, enum cupel__mcp_rule rule,
                           const char *pointer, const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    enum cupel_severity severity = cupel__mcp_rule_severity(rule);
    bool error = severity == CUPEL_SEVERITY_ERROR;
    result->outcome.errors += error;
    result->outcome.warnings += severity == CUPEL_SEVERITY_WARNING;
    if (error && result->first[0] == '\0')
        snprintf(result->first, sizeof(result->first), "%s%s%s", pointer,
                 pointer[0] != '\0' ? ": " : "", message);
    struct cupel_rule_problem problem = {
        .rule = cupel__mcp_rule_id(rule),
        .severity = severity,
        .part = CUPEL_PART_RESULT,
        .pointer = pointer,
        .message = message,
    };
    if (result->listener.on_rule == NULL || result->reported++ >= result->context->max_errors)
        return false;
    if (result->listener.on_rule(result->listener.ctx, &problem) != 0)
        result->listener.on_rule = NULL;
    return false;
}
