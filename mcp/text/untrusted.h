/* untrusted.h: text of a peer inside a message. */
#ifndef CUPEL_MCP_UNTRUSTED_H
#define CUPEL_MCP_UNTRUSTED_H

#include <cupel/text.h>

enum { CUPEL__MCP_NAME = 64 }; /* bytes of a name that a message shows */

/* Appends text in one line, escaped as by cupel_text_add_escaped and cut after `max` bytes. */
static inline void cupel__add_untrusted(struct cupel_text *text, const char *bytes, size_t len,
                                        size_t max)
{
    cupel_text_add_escaped(text, bytes, len, max, 0);
}

/* Appends a name in quotes, escaped and cut. */
static inline void cupel__add_quoted(struct cupel_text *text, const char *bytes, size_t len)
{
    cupel_text_add_quoted(text, bytes, len, CUPEL__MCP_NAME);
}

#endif
