/* characters.h: classes of ASCII characters, UTF-8 sequences, lists of words. */
#ifndef CUPEL_MCP_CHARACTERS_H
#define CUPEL_MCP_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool cupel__mcp_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool cupel__mcp_is_letter(char c)
{
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'z';
}

/* Returns the value of a hexadecimal digit of either case, or -1. */
static inline int cupel__mcp_hex_value(char c)
{
    char lower = (char)(c | 0x20);
    if (cupel__mcp_is_digit(c))
        return c - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Returns the length of the sequence that begins with this byte, in valid UTF-8. */
static inline size_t cupel__mcp_sequence_length(char first)
{
    unsigned char c = (unsigned char)first;
    return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* Whether a text is in a list of words that ends with NULL. */
static inline bool cupel__mcp_is_one_of(const char *text, size_t len, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == len && memcmp(*words, text, len) == 0)
            return true;
    return false;
}

#endif
