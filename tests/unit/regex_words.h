/* regex_words.h: the words that programs around patterns read: a pattern and subjects on a line,
 * each in hex, so that they may hold any byte; "-" is the empty one. */
#ifndef CUPEL_TEST_REGEX_WORDS_H
#define CUPEL_TEST_REGEX_WORDS_H

#include <string.h>

static inline int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Decodes in place; returns the length. */
static inline size_t from_hex(char *s)
{
    size_t n = 0, end = s[0] == '-' ? 0 : strlen(s);
    for (; 2 * n < end; n++)
        s[n] = (char)(hex_digit(s[2 * n]) << 4 | hex_digit(s[2 * n + 1]));
    return n;
}

#endif
