/* escape.h: writing text from strangers into messages and JSON.
 *
 * Names and values in messages come from the authors of the schema and the instance.  What could
 * hide, reorder or colour the text around it, end its quotes, or be taken for a command by the log
 * of a build server is written as an escape. */
#ifndef CUPEL_BASE_ESCAPE_H
#define CUPEL_BASE_ESCAPE_H

#include "base/memory.h"

/* The most bytes of a name or constant that a message repeats. */
enum { CUPEL__NAME_BYTES = 64 };

/* Whether a code point is escaped wherever text from strangers is printed. */
bool cupel__is_unprintable(uint32_t c);

/* Whether a workflow command of a continuous-integration runner begins at p: "##[" or "##vso[",
 * which runners obey anywhere on a line. */
bool cupel__is_ci_command(const char *p, const char *end);

/* Appends a code point as a \u escape of JSON, or as two. */
void cupel__escape_code_point(struct cupel_text *, uint32_t c);

/* Appends at most `max` bytes of a string, then "…" if there are more.  Unprintable code points and
 * workflow commands become \u escapes, bytes that are not UTF-8 become U+FFFD, and the character
 * `quote` (0: none) becomes an apostrophe, so that the string cannot end the quotes around it. */
void cupel__escape_untrusted(struct cupel_text *, struct cupel__str, size_t max, char quote);

/* The same as a JSON string with its quotes. */
void cupel__text_quoted(struct cupel_text *, struct cupel__str, size_t max);

/* Whether a path may have this name without quotes: letters, digits, `_`, `-`, `$` and `@`. */
bool cupel__is_plain_name(struct cupel__str);

#endif
