/* misc.c: uuid (RFC 4122 section 3), json-pointer (RFC 6901), relative-json-pointer
 * (draft-handrews-relative-json-pointer-01) and regex (ECMA-262 with the `u` flag, of which
 * base/regex/regex.h knows the grammar). */
#include "base/regex/regex.h"
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"

/* Bytes of the longest pattern that `regex` parses.  The syntax tree takes many times the length.
 */
enum { PATTERN_MAX = 1 << 16 };

/* 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12; version and variant are not restricted. */
int cupel__fmt_uuid(const char *p, size_t n)
{
    if (n != 36)
        return 0;
    /* All bytes are tested without a branch between them: only the whole decides. */
    static const uint8_t parts[] = {0, 8, 9, 13, 14, 18, 19, 23, 24, 36};
    unsigned hex = FMT_HEX;
    for (size_t part = 0; part < sizeof parts; part += 2)
        for (size_t i = parts[part]; i < parts[part + 1]; i++)
            hex &= cupel__fmt_class[(unsigned char)p[i]];
    return hex != 0 && p[8] == '-' && p[13] == '-' && p[18] == '-' && p[23] == '-';
}

/* Empty, or tokens that begin with a slash, in which ~ is followed by 0 or 1. */
int cupel__fmt_json_pointer(const char *p, size_t n)
{
    if (n > 0 && *p != '/')
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '~' && (i + 1 == n || (p[i + 1] != '0' && p[i + 1] != '1')))
            return 0;
    }
    return 1;
}

int cupel__fmt_relative_json_pointer(const char *p, size_t n)
{
    const char *end = p + n, *s = skip_digits(p, end);
    if (s == p || (*p == '0' && s - p > 1))
        return 0;
    if (end - s == 1 && *s == '#')
        return 1;
    return cupel__fmt_json_pointer(s, (size_t)(end - s));
}

/* Strict syntax only; the tree is discarded. */
int cupel__fmt_regex(const char *p, size_t n, struct cupel__arena *work)
{
    struct cupel__regex regex;
    if (n > PATTERN_MAX)
        return CUPEL_E_LIMIT_FORMAT;
    enum cupel_status status =
        cupel__regex_parse(work, p, n, CUPEL__REGEX_STRICT | CUPEL__REGEX_SYNTAX, &regex, NULL);
    if (status == CUPEL_OK)
        return 1;
    if (status == CUPEL_E_PATTERN)
        return 0;
    if (status == CUPEL_E_PATTERN_SIZE)
        return CUPEL_E_LIMIT_FORMAT;
    return work->limited ? CUPEL_E_LIMIT_MEMORY : (int)status;
}
