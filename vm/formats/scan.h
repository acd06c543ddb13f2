/* scan.h: classes of ASCII characters in the grammars of formats, independent of the locale. */
#ifndef CUPEL_VM_FMT_SCAN_H
#define CUPEL_VM_FMT_SCAN_H

#include "base/ascii.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Octets of a host name, and of a label (RFC 1035 section 2.3.4). */
enum { FMT_NAME_MAX = 253, FMT_LABEL_MAX = 63 };

/* The classes of a character, a bit each.  A part of a grammar is a union of classes. */
enum cupel__fmt_class {
    FMT_ALNUM = 1 << 0,
    FMT_HEX = 1 << 1,
    FMT_ATOM = 1 << 2,       /* of a mailbox (RFC 5322) */
    FMT_UNRESERVED = 1 << 3, /* of a URI (RFC 3986) … */
    FMT_SUB_DELIM = 1 << 4,
    FMT_COLON = 1 << 5,
    FMT_AT = 1 << 6,
    FMT_SLASH = 1 << 7,
    FMT_QUESTION = 1 << 8,
    FMT_SCHEME = 1 << 9,
    FMT_LITERAL = 1 << 10 /* of a template (RFC 6570) */
};

/* The classes of each byte; a byte outside ASCII has none. */
extern const uint16_t cupel__fmt_class[256];

static inline bool is_class(char c, unsigned set)
{
    return (cupel__fmt_class[(unsigned char)c] & set) != 0;
}

/* The first byte at or after s that is not in the set, or end. */
static inline const char *skip_class(const char *s, const char *end, unsigned set)
{
    while (s < end && is_class(*s, set))
        s++;
    return s;
}

static inline bool is_digit(char c)
{
    return cupel__is_digit(c);
}

static inline bool is_alpha(char c)
{
    return cupel__is_alpha(c);
}

static inline bool is_alnum(char c)
{
    return is_class(c, FMT_ALNUM);
}

static inline bool is_hex(char c)
{
    return is_class(c, FMT_HEX);
}

/* Whether a byte is part of a code point outside ASCII. */
static inline bool is_wide(char c)
{
    return ((unsigned char)c & 0x80) != 0;
}

/* Whether a label begins with the prefix of A-labels, "xn--" (RFC 5890 section 2.3.1). */
static inline bool is_alabel(const char *p, const char *end)
{
    return end - p >= 4 && (p[0] | 0x20) == 'x' && (p[1] | 0x20) == 'n' && p[2] == '-' &&
           p[3] == '-';
}

/* The first byte at or after s that is not a digit, or end. */
static inline const char *skip_digits(const char *s, const char *end)
{
    while (s < end && is_digit(*s))
        s++;
    return s;
}

#endif
