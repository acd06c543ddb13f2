/* net.c: ipv4 (RFC 2673 section 3.2), ipv6 (RFC 4291 section 2.2) and hostname (RFC 1123
 * section 2.1).  A-labels in a hostname are left to formats/idn.c. */
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"
#include <string.h>

enum { NAME_MAX_LENGTH = 253, LABEL_MAX_LENGTH = 63 };

/* A number up to 255 at s < end; returns where it ends, or NULL.  A leading zero is refused: some
 * readers of addresses take it for octal, so two of them could see two hosts. */
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

/* Eight groups, or fewer and one "::" for one or more of zeros.  An IPv4 address may stand for the
 * last two. */
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

/* Letters, digits and hyphens, a hyphen at neither end; returns where the label ends, or NULL. */
static const char *skip_label(const char *s, const char *end)
{
    const char *start = s;
    while (s < end && (is_alnum(*s) || *s == '-'))
        s++;
    if (s == start || s - start > LABEL_MAX_LENGTH || *start == '-' || s[-1] == '-')
        return NULL;
    return s;
}

/* Whether a label is meant to be an A-label. */
static bool is_alabel(const char *p, const char *end)
{
    return end - p >= 4 && (p[0] | 0x20) == 'x' && (p[1] | 0x20) == 'n' && p[2] == '-' &&
           p[3] == '-';
}

/* *ret_alabel: some label is meant to be an A-label. */
static bool labels_ok(const char *p, size_t n, bool *ret_alabel)
{
    const char *s = p, *end = p + n;
    *ret_alabel = false;
    if (n > NAME_MAX_LENGTH)
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

/* How long the separator of labels at s is, in the form that IDNA takes: a full stop, or one of
 * three others. */
static size_t separator(const char *s, const char *end)
{
    if (*s == '.')
        return 1;
    if (end - s < 3)
        return 0;
    bool ideographic = memcmp(s, "\xe3\x80\x82", 3) == 0;
    return ideographic || memcmp(s, "\xef\xbc\x8e", 3) == 0 || memcmp(s, "\xef\xbd\xa1", 3) == 0
               ? 3
               : 0;
}

uint32_t cupel__format_labels(enum cupel__format format, const char *p, size_t n)
{
    const bool idn = format == CUPEL__FORMAT_IDN_HOSTNAME;
    const char *s = p, *end = p + n;
    uint32_t labels = 0;
    if (format == CUPEL__FORMAT_IDN_EMAIL)
        return cupel__fmt_mailbox_labels(p, n);
    if ((format != CUPEL__FORMAT_HOSTNAME || n > NAME_MAX_LENGTH) && (!idn || n > CUPEL__IDN_INPUT))
        return 0;
    for (const char *label = s; s < end;) {
        size_t stop = separator(s, end);
        if (s == label)
            labels += idn || is_alabel(s, end);
        s += stop > 0 ? stop : 1;
        label = stop > 0 ? s : label;
    }
    return labels;
}

int cupel__fmt_hostname_ldh(const char *p, size_t n)
{
    bool alabel;
    return labels_ok(p, n, &alabel);
}

int cupel__fmt_hostname(const char *p, size_t n)
{
    bool alabel;
    if (!labels_ok(p, n, &alabel))
        return 0;
    return alabel ? cupel__fmt_alabels(p, n) : 1;
}
