/* uri.c: uri and uri-reference (RFC 3986), iri and iri-reference (RFC 3987), uri-template (RFC
 * 6570).
 *
 * Only the generic grammar: the rules of individual schemes are not checked, and nothing is
 * decoded. base/uri.c, which splits and resolves the references of schemas, is separate and accepts
 * more than the grammar. */
#include "base/utf8.h"
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"

#include <string.h>

/* Bits of a set of characters beyond the classes of scan.h. */
enum {
    UCS = 1 << 16,     /* ucschar of RFC 3987 */
    PRIVATE = 1 << 17, /* iprivate of RFC 3987; only together with UCS */
    PERCENT = 1 << 18, /* "%" with two hex digits */
    PCHAR = FMT_UNRESERVED | FMT_SUB_DELIM | FMT_COLON | FMT_AT | PERCENT
};

static bool is_ucschar(uint32_t cp)
{
    if (cp < 0x10000)
        return (cp >= 0xA0 && cp <= 0xD7FF) || (cp >= 0xF900 && cp <= 0xFDCF) ||
               (cp >= 0xFDF0 && cp <= 0xFFEF);
    return (cp & 0xFFFF) <= 0xFFFD && cp <= 0xEFFFD && (cp < 0xE0000 || cp >= 0xE1000);
}

static bool is_private(uint32_t cp)
{
    return (cp >= 0xE000 && cp <= 0xF8FF) || (cp >= 0xF0000 && (cp & 0xFFFF) <= 0xFFFD);
}

/* The length of a character at s < end that is in the set but in no class of scan.h, or 0. */
static size_t one(const char *s, const char *end, unsigned set)
{
    uint32_t cp;
    if (*s == '%')
        return (set & PERCENT) && end - s >= 3 && is_hex(s[1]) && is_hex(s[2]) ? 3 : 0;
    if (!is_wide(*s) || !(set & UCS))
        return 0;
    size_t length = cupel__utf8_decode(s, end, &cp);
    if (length == 0)
        return 0;
    return is_ucschar(cp) || ((set & PRIVATE) && is_private(cp)) ? length : 0;
}

static const char *skip(const char *s, const char *end, unsigned set)
{
    for (;;) {
        s = skip_class(s, end, set);
        size_t length = s < end ? one(s, end, set) : 0;
        if (length == 0)
            return s;
        s += length;
    }
}

/* -- References ------------------------------------------------------------------------------ */

/* Skips a scheme and its colon; s if there is none. */
static const char *skip_scheme(const char *s, const char *end)
{
    if (s == end || !is_alpha(*s))
        return s;
    const char *colon = skip(s, end, FMT_SCHEME);
    return colon < end && *colon == ':' ? colon + 1 : s;
}

/* The text between brackets: an IPv6 address or IPvFuture. */
static bool ip_literal_ok(const char *s, const char *end)
{
    if (s == end || (*s | 0x20) != 'v')
        return cupel__fmt_ipv6(s, (size_t)(end - s));
    const char *version = ++s;
    while (s < end && is_hex(*s))
        s++;
    if (s == version || end - s < 2 || *s != '.')
        return false;
    return skip(s + 1, end, FMT_UNRESERVED | FMT_SUB_DELIM | FMT_COLON) == end;
}

/* [ userinfo "@" ] host [ ":" port ]; `wide`: UCS for an IRI. */
static bool authority_ok(const char *s, const char *end, unsigned wide)
{
    unsigned name = FMT_UNRESERVED | FMT_SUB_DELIM | PERCENT | wide;
    const char *at = s == end ? NULL : memchr(s, '@', (size_t)(end - s));
    if (at != NULL) {
        if (skip(s, at, name | FMT_COLON) != at)
            return false;
        s = at + 1;
    }
    if (s < end && *s == '[') {
        const char *close = memchr(s, ']', (size_t)(end - s));
        if (close == NULL || !ip_literal_ok(s + 1, close))
            return false;
        s = close + 1;
    } else {
        s = skip(s, end, name);
    }
    return s == end || (*s == ':' && skip_digits(s + 1, end) == end);
}

/* Skips "//" and the authority; NULL if it is malformed. */
static const char *skip_authority(const char *s, const char *end, unsigned wide)
{
    const char *start = s + 2;
    for (s = start; s < end && *s != '/' && *s != '?' && *s != '#'; s++)
        ;
    return authority_ok(start, s, wide) ? s : NULL;
}

/* The first segment of a relative reference has no colon (path-noscheme), which would make it a
 * scheme. */
static bool first_segment_ok(const char *s, const char *end)
{
    while (s < end && *s != '/' && *s != ':')
        s++;
    return s == end || *s == '/';
}

/* A reference of RFC 3986, or with `iri` of RFC 3987; `relative`: it may lack a scheme. */
static bool reference_ok(const char *p, size_t n, bool iri, bool relative)
{
    const char *end = p + n, *s = skip_scheme(p, end), *path = s;
    unsigned wide = iri ? UCS : 0;
    bool scheme = s > p;
    if (!scheme && !relative)
        return false;
    if (end - s >= 2 && s[0] == '/' && s[1] == '/') {
        path = skip_authority(s, end, wide);
        if (path == NULL)
            return false;
    }
    s = skip(path, end, PCHAR | FMT_SLASH | wide);
    if (!scheme && !first_segment_ok(path, s))
        return false;
    if (s < end && *s == '?')
        s = skip(s + 1, end, PCHAR | FMT_SLASH | FMT_QUESTION | wide | (iri ? PRIVATE : 0));
    if (s < end && *s == '#')
        s = skip(s + 1, end, PCHAR | FMT_SLASH | FMT_QUESTION | wide);
    return s == end;
}

int cupel__fmt_uri(const char *p, size_t n)
{
    return reference_ok(p, n, false, false);
}

int cupel__fmt_uri_reference(const char *p, size_t n)
{
    return reference_ok(p, n, false, true);
}

int cupel__fmt_iri(const char *p, size_t n)
{
    return reference_ok(p, n, true, false);
}

int cupel__fmt_iri_reference(const char *p, size_t n)
{
    return reference_ok(p, n, true, true);
}

/* -- Templates ------------------------------------------------------------------------------- */

/* varname: characters and percent-encoded octets, with single dots between; NULL if it is empty. */
static const char *skip_varname(const char *s, const char *end)
{
    for (;;) {
        const char *start = s;
        for (;;) {
            if (s < end && (is_alnum(*s) || *s == '_'))
                s++;
            else if (end - s >= 3 && *s == '%' && is_hex(s[1]) && is_hex(s[2]))
                s += 3;
            else
                break;
        }
        if (s == start)
            return NULL;
        if (s == end || *s != '.')
            return s;
        s++;
    }
}

/* varspec: a name, then "*" or ":" and a length of at most four digits. */
static const char *skip_varspec(const char *s, const char *end)
{
    s = skip_varname(s, end);
    if (s == NULL || s == end)
        return s;
    if (*s == '*')
        return s + 1;
    if (*s != ':')
        return s;
    const char *length = s + 1;
    s = skip_digits(length, end);
    return s > length && s - length <= 4 && *length != '0' ? s : NULL;
}

/* An expression, from behind its opening brace; returns the place behind the closing one, or NULL.
 * The operators include those that RFC 6570 reserves. */
static const char *skip_expression(const char *s, const char *end)
{
    if (s < end && *s != 0 && strchr("+#./;?&=,!@|", *s) != NULL)
        s++;
    for (;;) {
        s = skip_varspec(s, end);
        if (s == NULL || s == end)
            return NULL;
        if (*s == '}')
            return s + 1;
        if (*s++ != ',')
            return NULL;
    }
}

int cupel__fmt_uri_template(const char *p, size_t n)
{
    const char *s = p, *end = p + n;
    for (;;) {
        s = skip(s, end, FMT_LITERAL | PERCENT | UCS | PRIVATE);
        if (s == end)
            return 1;
        if (*s != '{')
            return 0;
        s = skip_expression(s + 1, end);
        if (s == NULL)
            return 0;
    }
}
