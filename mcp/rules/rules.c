/* rules.c: the rules of rules.def: identifiers, severities, paragraphs of the documentation.
 *
 * The severity of a rule depends on the catalog's options in a few cases only, which are all in
 * cupel__mcp_severity: strict flags turn warnings into errors, and profiles before 2025-11-25 had
 * no rules for the format of names.
 *
 * A rule has an enumerator for code and an identifier for reports; the identifier keeps its meaning
 * for ever. */
#include "mcp/rules/rules.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *id;
    enum cupel_severity severity;
    const char *paragraph;
} rules[] = {
#define R(name, id, severity, paragraph) {id, CUPEL_SEVERITY_##severity, paragraph},
#include "mcp/rules/rules.def"
};

const char *cupel_rule_meaning(const char *id)
{
    if (id == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (strcmp(rules[i].id, id) == 0)
            return rules[i].paragraph;
    return NULL;
}

const char *cupel__mcp_rule_id(enum cupel__mcp_rule rule)
{
    return rules[rule].id;
}

/* A linear search: it runs for problems that targets report, and those are few. */
enum cupel__mcp_rule cupel__mcp_rule_of(const char *id)
{
    int rule = 0;
    while (rule + 1 < CUPEL__RULE_COUNT && strcmp(rules[rule].id, id) != 0)
        rule++;
    return (enum cupel__mcp_rule)rule;
}

enum cupel_severity cupel__mcp_rule_severity(enum cupel__mcp_rule rule)
{
    return rules[rule].severity;
}

enum cupel_severity cupel__mcp_severity(const struct cupel_catalog_options *options,
                                        enum cupel__mcp_rule rule)
{
    bool format = rule == CUPEL__RULE_NAME_LENGTH || rule == CUPEL__RULE_NAME_CHARACTERS;
    if ((format || rule == CUPEL__RULE_NAME_DUPLICATE) &&
        (options->flags & CUPEL_CATALOG_STRICT_NAMES))
        return CUPEL_SEVERITY_ERROR;
    if (rule == CUPEL__RULE_DIALECT_PORTABLE && (options->flags & CUPEL_CATALOG_STRICT_DIALECTS))
        return CUPEL_SEVERITY_ERROR;
    if (rule == CUPEL__RULE_HIDDEN_TEXT && (options->flags & CUPEL_CATALOG_STRICT_TEXT))
        return CUPEL_SEVERITY_ERROR;
    if (format && options->profile < CUPEL_MCP_2025_11_25)
        return CUPEL_SEVERITY_INFO;
    return rules[rule].severity;
}

const char *cupel_severity_name(enum cupel_severity severity)
{
    static const char *const names[] = {"info", "warning", "error"};
    return (size_t)severity < sizeof(names) / sizeof(names[0]) ? names[severity] : "?";
}

const char *cupel_part_name(enum cupel_part part)
{
    static const char *const names[] = {"tool", "inputSchema", "outputSchema", "result",
                                        "requestedSchema"};
    return (size_t)part < sizeof(names) / sizeof(names[0]) ? names[part] : "?";
}

enum cupel_status cupel__mcp_refuse(struct cupel_error *err, enum cupel_status status,
                                    const char *detail)
{
    if (err != NULL) {
        memset(err, 0, sizeof(*err));
        err->status = status;
        strncpy(err->detail, detail, sizeof(err->detail) - 1);
    }
    return status;
}
