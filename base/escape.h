/* escape.h: text from strangers on its way into messages. */
#ifndef CUPEL_BASE_ESCAPE_H
#define CUPEL_BASE_ESCAPE_H

#include "base/memory.h"

/* The most bytes of a name or constant that a message repeats. */
enum { CUPEL__NAME_BYTES = 64 };

/* Whether a code point is written as an escape wherever strangers' text is printed. */
bool cupel__is_unprintable(uint32_t c);
/* Whether a runner of continuous integration obeys what begins at p, wherever that is on a line. */
bool cupel__is_ci_command(const char *p, const char *end);
/* Appends a code point as JSON escapes it. */
void cupel__escape_code_point(struct cupel_text *, uint32_t c);

/* Appends a string so that it can neither end the quotes around it (`quote`, 0: none) nor move,
 * hide or colour anything, nor be a command: at most `max` bytes of it, then "…"; what is
 * unprintable as \u escapes, what is not UTF-8 as U+FFFD, the quote as an apostrophe. */
void cupel__escape_untrusted(struct cupel_text *, struct cupel__str, size_t max, char quote);

/* The same as a JSON string with its quotes. */
void cupel__text_quoted(struct cupel_text *, struct cupel__str, size_t max);

/* Whether a name needs no quotes in a path: letters, digits, _ and -. */
bool cupel__is_plain_name(struct cupel__str);

#endif
