/* hidden.h: text in which a model or a person may read something else than is written there.
 *
 *     struct cupel_hidden hidden;
 *     if (cupel_hidden_find(instructions, len, &hidden))
 *         printf("%s at byte %zu\n", cupel_hidden_name(hidden.kind), hidden.offset);
 *
 * A catalog looks through every string and every name of each definition, and reports what it finds
 * under the rule "hidden-text": a warning, and an error with CUPEL_MCP_STRICT_TEXT.  Ordinary text
 * is not reported: emoji with their joiners and selectors, joiners between letters of scripts that
 * need them, text from right to left. */
#ifndef CUPEL_HIDDEN_H
#define CUPEL_HIDDEN_H

#include <cupel/mcp.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

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

/* Finds the first hidden text in UTF-8 text, such as the `instructions` of a server.  Returns 1 and
 * sets *ret (which may be NULL), or 0 if there is none.  Takes time in proportion to `len`. */
int cupel_hidden_find(const char *text, size_t len, struct cupel_hidden *ret);

/* The same for a name, in which line ends, tabs and unusual spaces are reported too. */
int cupel_hidden_find_in_name(const char *name, size_t len, struct cupel_hidden *ret);

/* A few words on the kind, such as "a bidirectional control".  Static. */
const char *cupel_hidden_name(enum cupel_hidden_kind kind);

/* 1 if the tool's definition has hidden text, or its name is confusable with that of another tool
 * of the catalog; 0 otherwise.  Takes the same time for every definition. */
int cupel_tool_has_hidden_text(const struct cupel_tool *tool);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
