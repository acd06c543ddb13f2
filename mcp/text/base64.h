/* base64.h: Base64 (base64.c). */
#ifndef CUPEL_MCP_BASE64_H
#define CUPEL_MCP_BASE64_H

#include <cupel/common.h>
#include <stdbool.h>

/* Appends the decoded bytes, or with a NULL `ret` only checks the text.  False if it is no Base64.
 */
bool cupel__base64_decode(const char *text, size_t len, struct cupel_text *ret);
/* Whether the unused bits of valid Base64 are 0, so that no other text decodes to the same bytes.
 */
bool cupel__base64_canonical(const char *text, size_t len);
void cupel__base64_encode(const char *bytes, size_t len, struct cupel_text *text);

#endif
