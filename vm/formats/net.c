/* net.c: ipv4 (RFC 2673 section 3.2), ipv6 (RFC 4291 section 2.2) and hostname (RFC 1123
 * section 2.1).  A-labels in a hostname are left to formats/idn.c. */
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"
#include <string.h>

/* A number up to 255 at s < end; returns its end, or NULL.  A leading zero is refused, because some
 * parsers of addresses read it as octal and others as decimal. */
static const char *skip_octet(const char *s, const char *end)
{
    unsigned value = 0;
    const char *start = s;
    for (; s < end && s - start < 3 && is_digit(*s); s++)
        value = value * 10 + (unsigned)(*s - '0');
    if (s == start || value > 255 || (*start == '0' && s - start > 1))
        return NULL;
    return s;
}

/* Four octets in decimal, separated by dots. */
int cupel__fmt_ipv4(const char *p, size_t n)
{
    const char *s = p, *end = p + n;
    for (int part = 0; part < 4; part++) {
        if (part > 0 && (s == end || *s++ != '.'))
            return 0;
        s = skip_octet(s, end);
        if (s == NULL)
            return 0;
    }
    return s == end;
}

/* Eight groups of hexadecimal digits.  One "::" may replace one or more groups of zeros, and an
 * IPv4 address the last two groups. */
int cupel__fmt_ipv6(const char *p, size_t n)
{
    const char *s = p, *end = p + n;
    unsigned groups = 0;
    bool gap = n >= 2 && p[0] == ':' && p[1] == ':';
    s += gap ? 2 : 0;
    while (s < end) {
        const char *group = s;
        while (s < end && s - group < 4 && is_hex(*s))
            s++;
        if (s < end && *s == '.') {
            groups += 2;
            return cupel__fmt_ipv4(group, (size_t)(end - group)) &&
                   (gap ? groups < 8 : groups == 8);
        }
        if (s == group || ++groups > 8)
            return 0;
        if (s == end)
            break;
        if (*s++ != ':' || s == end)
            return 0;
        if (*s == ':') {
            if (gap)
                return 0;
            gap = true;
            s++;
        }
    }
    return gap ? groups < 8 : groups == 8;
}

/* Skips a label: at most 63 letters, digits and hyphens, a hyphen at neither end.  Returns its end,
 * or NULL. */
static const char *skip_label(const char *s, const char *end)
{
    const char *start = s;
    while (s < end && (is_alnum(*s) || *s == '-'))
        s++;
    if (s == start || s - start > FMT_LABEL_MAX || *start == '-' || s[-1] == '-')
        return NULL;
    return s;
}

/* Labels separated by dots, at most 253 octets together. */
bool cupel__fmt_labels_ok(const char *p, size_t n, bool *ret_alabel)
{
    const char *s = p, *end = p + n;
    *ret_alabel = false;
    if (n > FMT_NAME_MAX)
        return false;
    for (;;) {
        const char *label = s;
        s = skip_label(s, end);
        if (s == NULL)
            return false;
        *ret_alabel |= is_alabel(label, s);
        if (s == end)
            return true;
        if (*s++ != '.')
            return false;
    }
}

int cupel__fmt_hostname_ldh(const char *p, size_t n)
{
    bool alabel;
    return cupel__fmt_labels_ok(p, n, &alabel);
}
