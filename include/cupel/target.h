/* target.h: what the vendors of models take of a tool's definition.
 *
 *     enum cupel_target target;
 *     if (cupel_target_find("openai-strict", &target) != 0) …
 *     cupel_target_check(doc, tool, target, NULL, on_problem, ctx);      // what it would not take
 *     cupel_target_export(doc, tool, target, NULL, &text, on_change, ctx);   // a definition it
 * takes
 *
 * A target is a vendor's way of calling tools; mcp/vendor/targets.def lists, keyword by keyword,
 * what it takes.  A check says what is not taken, at its place in the schema.  An export writes the
 * definition so that it is taken (references put in place, objects closed, keywords dropped) and
 * reports each change.  A change has the severity info if the exported schema allows nothing that
 * the tool's own does not (but null for an absent property), and is a warning if a constraint is
 * lost.  What the model is told may then be less strict than the tool, so arguments are judged by
 * the original schema all the same. */
#ifndef CUPEL_TARGET_H
#define CUPEL_TARGET_H

#include <cupel/json.h>
#include <cupel/mcp.h>
#include <cupel/options.h>
#include <cupel/text.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Called for each thing that is not taken, or each change.  The rule is one of the "target-…" rules
 * of mcp/rules/rules.def.  Severities: warning; info where nothing is said of values, and in an
 * export where nothing is lost.  The strings live until it returns.  A non-zero return stops the
 * calls. */
typedef int cupel_on_target_problem(void *ctx, const struct cupel_tool_problem *problem);

/* The target of a name: "openai", "openai-strict", "anthropic", "gemini".  Returns 0 and sets *ret,
 * or -1. */
int cupel_target_find(const char *name, enum cupel_target *ret);

/* The name of a target; "none" for CUPEL_TARGET_NONE.  Static. */
const char *cupel_target_name(enum cupel_target target);

/* Says what the target would not take of the definition at `tool`, an object; offsets are those of
 * the document.  NULL options are the defaults; their allocator and limits apply.  CUPEL_OK;
 * CUPEL_E_ARGUMENT if the definition or its inputSchema is no object, or the
 * target is none; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_target_check(struct cupel_document *doc, uint32_t tool,
                                     enum cupel_target target, const struct cupel_options *options,
                                     cupel_on_target_problem *on_problem, void *ctx);

/* Appends a definition that the target takes: the members of `tool` as they are written, apart from
 * `inputSchema`.  Names are never changed, only reported.  As cupel_target_check; and
 * CUPEL_E_SCHEMA_SIZE if putting references in place makes more than four times
 * CUPEL_LIMIT_SCHEMA_BYTES of it.  After a failure `text` is as it was, but for its `failed`. */
enum cupel_status cupel_target_export(struct cupel_document *doc, uint32_t tool,
                                      enum cupel_target target, const struct cupel_options *options,
                                      struct cupel_text *text, cupel_on_target_problem *on_change,
                                      void *ctx);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
