/* hidden.h: the search for hidden text, and skeletons of names (hidden.c). */
#ifndef CUPEL_MCP_HIDDEN_H
#define CUPEL_MCP_HIDDEN_H

#include <cupel/checks.h>
#include <cupel/common.h>
#include <stdbool.h>

/* Returns the code point at bytes[0] and its length; for bytes that are not UTF-8 a number beyond
 * U+10FFFF and the length 1. */
uint32_t cupel__code_point(const char *bytes, size_t len, size_t *ret_len);

/* cupel_hidden_find, with one more flag: NO_SKIP looks at every code point, for tests
 * that compare the two ways. */
enum { CUPEL__HIDDEN_NO_SKIP = 2 };
bool cupel__hidden_find(const char *text, size_t len, unsigned flags, struct cupel_hidden *ret);

/* Appends the skeleton of a name: a text that is equal for names that look the same (UTS 39 section
 * 4, without reordering marks) and for names that differ only in white space at their ends. */
void cupel__skeleton(struct cupel_text *text, const char *name, size_t len);

#endif
