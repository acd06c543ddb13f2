/* rules.h: the rules that definitions, results and answers to elicitations are checked against
 * (rules.def), and errors of the functions that check them. */
#ifndef CUPEL_MCP_RULES_H
#define CUPEL_MCP_RULES_H

#include <cupel/catalog.h>

enum cupel__mcp_rule {
#define R(name, id, severity, paragraph) CUPEL__RULE_##name,
#include "mcp/rules/rules.def"
    CUPEL__RULE_COUNT
};

const char *cupel__mcp_rule_id(enum cupel__mcp_rule rule);
/* Returns the rule of an id that cupel__mcp_rule_id returned. */
enum cupel__mcp_rule cupel__mcp_rule_of(const char *id);
/* Returns the severity that rules.def gives. */
enum cupel_severity cupel__mcp_rule_severity(enum cupel__mcp_rule rule);
/* Returns the severity under the flags and the profile of a catalog. */
enum cupel_severity cupel__mcp_severity(const struct cupel_catalog_options *options,
                                        enum cupel__mcp_rule rule);

/* Fills in an error, which may be NULL, and returns its status. */
enum cupel_status cupel__mcp_refuse(struct cupel_error *err, enum cupel_status status,
                                    const char *detail);

#endif
