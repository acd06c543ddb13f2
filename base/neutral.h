/* neutral.h: text from strangers on its way into messages. */
#ifndef CUPEL_BASE_NEUTRAL_H
#define CUPEL_BASE_NEUTRAL_H

#include "mem.h"

/* The most bytes of a name or constant that a message repeats. */
enum { CUPEL__NAME_BYTES = 64 };

/* Appends a string so that it can neither end the quotes around it (`quote`, 0: none) nor move,
 * hide or colour anything: at most `max` bytes of it, then "…"; control characters, marks of
 * direction and invisible characters as \u escapes, what is not UTF-8 as U+FFFD, the quote as an
 * apostrophe. */
void cupel__text_neutral(struct cupel_text *, struct cupel__str, size_t max, char quote);

/* The same as a JSON string with its quotes. */
void cupel__text_quoted(struct cupel_text *, struct cupel__str, size_t max);

/* Whether a name needs no quotes in a path: letters, digits, _ and -. */
bool cupel__is_plain_name(struct cupel__str);

#endif
