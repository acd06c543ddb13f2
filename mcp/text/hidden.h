/* hidden.h: code points, and names that look the same (hidden.c). */
#ifndef CUPEL_MCP_HIDDEN_H
#define CUPEL_MCP_HIDDEN_H

#include <cupel/hidden.h>
#include <cupel/text.h>
#include <stdbool.h>

/* The code point at bytes[0] and its length; one beyond U+10FFFF and a length of 1 for what is not
 * UTF-8. */
uint32_t cupel__code_point(const char *bytes, size_t len, size_t *ret_len);

/* cupel_hidden_find and cupel_hidden_find_in_name.  NO_SKIP looks at every code point, for tests
 * that compare the two ways. */
enum { CUPEL__HIDDEN_NAME = 1, CUPEL__HIDDEN_NO_SKIP = 2 };
bool cupel__hidden_find(const char *text, size_t len, unsigned flags, struct cupel_hidden *ret);

/* Appends a text that is the same for names that look the same (UTS 39 section 4, without
 * reordering marks), and do not differ but by white space at their ends. */
void cupel__skeleton(struct cupel_text *text, const char *name, size_t len);

#endif
