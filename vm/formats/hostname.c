/* hostname.c: hostname with A-labels (RFC 5891 section 4.4), and how many labels of a string IDNA
 * processes, which is the price of a check.
 *
 * net.c has the grammar of host names, idn.c the rules for A-labels, email.c finds the domain of a
 * mailbox.  This file calls all three and none of them calls it. */
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"
#include <string.h>

int cupel__fmt_hostname(const char *p, size_t n)
{
    bool has_alabel;
    if (!cupel__fmt_labels_ok(p, n, &has_alabel))
        return 0;
    return has_alabel ? cupel__fmt_alabels_ok(p, n) : 1;
}

/* The length of the label separator at s, or 0.  IDNA accepts three others besides the full stop
 * (RFC 3490 section 3.1): U+3002, U+FF0E and U+FF61. */
static size_t separator_len(const char *s, const char *end)
{
    if (*s == '.')
        return 1;
    if (end - s < 3)
        return 0;
    bool found = memcmp(s, "\xe3\x80\x82", 3) == 0 || memcmp(s, "\xef\xbc\x8e", 3) == 0 ||
                 memcmp(s, "\xef\xbd\xa1", 3) == 0;
    return found ? 3 : 0;
}

/* The labels of a name that are not empty, or only the A-labels among them. */
static uint32_t count_labels(const char *p, size_t n, bool only_alabels)
{
    if (n == 0)
        return 0; /* p may be NULL */
    const char *s = p, *end = p + n;
    uint32_t labels = 0;
    for (const char *label = s; s < end;) {
        size_t separator = separator_len(s, end);
        if (s == label)
            labels += !only_alabels || is_alabel(s, end);
        s += separator > 0 ? separator : 1;
        label = separator > 0 ? s : label;
    }
    return labels;
}

uint32_t cupel__format_labels(enum cupel__format format, const char *p, size_t n)
{
    const char *domain = p;
    if (format == CUPEL__FORMAT_HOSTNAME)
        return n > FMT_NAME_MAX ? 0 : count_labels(p, n, true);
    if (format == CUPEL__FORMAT_IDN_EMAIL)
        domain = cupel__fmt_idn_domain(p, n);
    else if (format != CUPEL__FORMAT_IDN_HOSTNAME)
        return 0;
    n = domain == NULL ? 0 : (size_t)(p + n - domain);
    return n > CUPEL__IDN_INPUT ? 0 : count_labels(domain, n, false);
}
