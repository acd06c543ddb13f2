/* checks.h: checks of definitions that need no catalog: hidden text, the schema subsets of vendors
 * of models, and what a server may ask a user for (elicitation).
 *
 * Hidden text is text that a person does not see as a model reads it:
 *
 *     struct cupel_hidden hidden;
 *     if (cupel_hidden_find(instructions, len, 0, &hidden))
 *         printf("%s at byte %zu\n", cupel_hidden_name(hidden.kind), hidden.offset);
 *
 * A catalog checks every string and every name of each definition, and reports hidden text under
 * the rule "hidden-text": a warning, and an error with CUPEL_CATALOG_STRICT_TEXT.  Ordinary text is
 * not reported: emoji with their joiners and selectors, joiners between letters of scripts that
 * need them, text from right to left.
 *
 * A target is a vendor's way of calling tools; mcp/vendor/targets.def lists, keyword by keyword,
 * what it accepts:
 *
 *     cupel_target_check(doc, tool, CUPEL_TARGET_OPENAI_STRICT, NULL, on_problem, ctx);
 *     cupel_target_export(doc, tool, CUPEL_TARGET_OPENAI_STRICT, NULL, &text, on_change, ctx);
 *
 * A check reports what is not accepted, at its place in the schema.  An export writes a definition
 * that is accepted (references replaced by their schemas, objects closed, keywords dropped) and
 * reports each change.  A change has the severity info if the exported schema allows nothing that
 * the tool's own does not (but null for an absent property), and is a warning if a constraint is
 * lost.  The exported schema may be less strict than the tool, so calls are checked by the original
 * schema all the same.
 *
 * Elicitation: `elicitation/create` carries a `requestedSchema`, by which a client shows a form. It
 * is a closed part of JSON Schema: a flat object of texts, numbers, booleans and choices.  A client
 * checks the schema here before it shows anything, and compiles it as any schema to check the
 * user's answer.
 *
 * Threads: the functions keep nothing; a document belongs to one thread at a time. */
#ifndef CUPEL_CHECKS_H
#define CUPEL_CHECKS_H

#include <cupel/catalog.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Hidden text ------------------------------------------------------------------------------ */

enum cupel_hidden_kind {
    CUPEL_HIDDEN_NONE = 0,
    CUPEL_HIDDEN_CONTROL = 1,   /* C0 without tab and line ends, DEL, C1, sequences of ESC */
    CUPEL_HIDDEN_DIRECTION = 2, /* bidirectional controls */
    CUPEL_HIDDEN_TAG = 3,       /* tag characters */
    CUPEL_HIDDEN_INVISIBLE = 4, /* zero width, soft hyphen, fillers, Braille blank, annotation, … */
    CUPEL_HIDDEN_VARIATION = 5,    /* variation selectors that vary nothing */
    CUPEL_HIDDEN_PRIVATE = 6,      /* private use */
    CUPEL_HIDDEN_NONCHARACTER = 7, /* noncharacters, and what is not UTF-8 */
    CUPEL_HIDDEN_MARKS = 8,        /* floods of combining marks */
    CUPEL_HIDDEN_SPACE = 9,        /* white space that is not what it looks like */
    CUPEL_HIDDEN_COMMENT = 10,     /* comments of HTML and Markdown */
    CUPEL_HIDDEN_LINK = 11,        /* links of Markdown whose text hides their target */
    CUPEL_HIDDEN_CONFUSABLE = 12   /* a name that looks like another one beside it (UTS 39) */
};

struct cupel_hidden {
    enum cupel_hidden_kind kind;
    uint32_t code_point; /* the first one; 0 for comments and links */
    size_t offset;       /* of its first byte */
};

enum cupel_hidden_flag {
    CUPEL_HIDDEN_IN_NAME =
        1 << 0 /* the text is a name: report line ends, tabs and unusual spaces */
};

/* Finds the first hidden text in UTF-8 text, such as the `instructions` of a server.  `flags`
 * are bits of enum cupel_hidden_flag.  Returns 1 and sets *ret, or 0 if there is none.  Takes time
 * linear in `len`.
 * NULL: ret. */
int cupel_hidden_find(const char *text, size_t len, uint32_t flags, struct cupel_hidden *ret);

/* A few words on the kind, such as "a bidirectional control"; "?" for another number.  Never NULL;
 * static. */
const char *cupel_hidden_name(enum cupel_hidden_kind kind);

/* -- Vendors of models ------------------------------------------------------------------------ */

/* The target of a name of `len` bytes: "openai", "openai-strict", "anthropic", "gemini".  CUPEL_OK,
 * or CUPEL_E_ARGUMENT. */
enum cupel_status cupel_target_find(const char *name, size_t len, enum cupel_target *ret);

/* Calls `on_problem` for each part of the definition at `tool` that the target does not accept;
 * offsets are those of the document.  The allocator and the limits of the options apply.  CUPEL_OK,
 * also if there are problems; CUPEL_E_ARGUMENT if the definition or its inputSchema is no object,
 * or the target is unknown or CUPEL_TARGET_NONE; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_target_check(struct cupel_document *doc, uint32_t tool,
                                     enum cupel_target target, const struct cupel_options *options,
                                     cupel_on_rule_problem *on_problem, void *ctx);

/* Appends a definition that the target accepts: the members of `tool` as they are written, except
 * `inputSchema`.  Names are never changed, only reported.  Calls `on_change` for each change.  The
 * statuses of cupel_target_check, and CUPEL_E_SCHEMA_SIZE if the schema with its references
 * expanded would be longer than four times CUPEL_LIMIT_SCHEMA_BYTES.  After a failure `text` is as
 * it was, except for `failed`. */
enum cupel_status cupel_target_export(struct cupel_document *doc, uint32_t tool,
                                      enum cupel_target target, const struct cupel_options *options,
                                      struct cupel_text *text, cupel_on_rule_problem *on_change,
                                      void *ctx);

/* -- Elicitation ------------------------------------------------------------------------------ */

/* Checks the requestedSchema at `schema` by a version of the specification, and calls `on_problem`
 * for each problem, up to 32.  The allocator of the options applies.
 *
 * CUPEL_TOOL_OK; CUPEL_TOOL_WARNING; CUPEL_TOOL_INVALID if a part of the schema is outside the
 * closed part, and also with CUPEL_E_NO_MEMORY or CUPEL_E_ARGUMENT in *ret, which is CUPEL_OK
 * otherwise.
 * NULL: ret. */
CUPEL_MUST_CHECK enum cupel_tool_verdict
cupel_elicitation_check(struct cupel_document *doc, uint32_t schema, enum cupel_mcp_profile profile,
                        const struct cupel_options *options, cupel_on_rule_problem *on_problem,
                        void *ctx, enum cupel_status *ret);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
