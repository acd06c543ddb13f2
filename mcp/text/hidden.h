/* hidden.h: code points, and names that look the same (hidden.c). */
#ifndef CUPEL_MCP_HIDDEN_H
#define CUPEL_MCP_HIDDEN_H

#include <cupel/text.h>

/* The code point at bytes[0] and its length; one beyond U+10FFFF and a length of 1 for what is not
 * UTF-8. */
uint32_t cupel__code_point(const char *bytes, size_t len, size_t *ret_len);

/* Appends a text that is the same for names that look the same (UTS 39 section 4, without
 * reordering marks), and do not differ but by white space at their ends. */
void cupel__skeleton(struct cupel_text *text, const char *name, size_t len);

#endif
