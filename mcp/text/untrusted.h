/* untrusted.h: text of a peer inside a message. */
#ifndef CUPEL_MCP_UNTRUSTED_H
#define CUPEL_MCP_UNTRUSTED_H

#include <cupel/common.h>
#include <stdbool.h>

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
    cupel_text_add_escaped(text, bytes, len, CUPEL__MCP_NAME, CUPEL_TEXT_QUOTED);
}

/* Appends a name of at most 64 letters, digits and `_-$@` as it is, any other in quotes, escaped
 * and cut. */
static inline void cupel__add_name(struct cupel_text *text, const char *bytes, size_t len)
{
    bool bare = len > 0 && len <= CUPEL__MCP_NAME;
    for (size_t i = 0; i < len && bare; i++) {
        char c = bytes[i];
        bare = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '$' || c == '@';
    }
    if (bare)
        cupel_text_add(text, bytes, len);
    else
        cupel__add_quoted(text, bytes, len);
}

#endif
