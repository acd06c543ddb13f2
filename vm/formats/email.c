/* email.c: email, the Mailbox of RFC 5321 section 4.1.2, and idn-email, the Mailbox of RFC 6531
 * section 3.3, which allows characters beyond ASCII in atoms, quoted strings and labels.
 *
 * Comments and folding white space (RFC 5322) belong to messages and are refused.  A label of the
 * domain consists of letters, digits and inner hyphens; the limits on lengths of `hostname` do not
 * apply. */
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"

static bool is_atom(char c, bool idn)
{
    return is_class(c, FMT_ATOM) || (is_wide(c) && idn);
}

/* Dot-string; returns its end, or NULL. */
static const char *skip_atoms(const char *s, const char *end, bool idn)
{
    for (;;) {
        const char *atom = s;
        while (s < end && is_atom(*s, idn))
            s++;
        if (s == atom)
            return NULL;
        if (s == end || *s != '.')
            return s;
        s++;
    }
}

/* Quoted-string, from behind its first quote; returns the place behind the last, or NULL. */
static const char *skip_quoted(const char *s, const char *end, bool idn)
{
    for (; s < end && *s != '"'; s++) {
        bool escaped = *s == '\\';
        if (escaped && ++s == end)
            return NULL;
        if (is_wide(*s) ? !idn || escaped : *s < ' ' || *s == 0x7f)
            return NULL;
    }
    return s == end ? NULL : s + 1;
}

/* The text between the brackets: an IPv4 address, or "IPv6:" and an IPv6 address. */
static bool literal_ok(const char *p, size_t n)
{
    static const char tag[] = "ipv6:";
    size_t same = 0;
    while (same < sizeof tag - 1 && same < n &&
           (is_alpha(p[same]) ? p[same] | 0x20 : p[same]) == tag[same])
        same++;
    if (same < sizeof tag - 1)
        return cupel__fmt_ipv4(p, n);
    return cupel__fmt_ipv6(p + same, n - same);
}

static bool is_label(char c, bool idn)
{
    return is_alnum(c) || (idn && is_wide(c));
}

/* Labels of letters, digits and hyphens; no hyphen begins or ends a label, and no label is empty.
 */
static bool domain_ok(const char *p, size_t n, bool idn)
{
    char before = '.';
    for (size_t i = 0; i < n; before = p[i++]) {
        bool ok = p[i] == '-'   ? before != '.'
                  : p[i] == '.' ? before != '.' && before != '-'
                                : is_label(p[i], idn);
        if (!ok)
            return false;
    }
    return before != '.' && before != '-';
}

/* The place behind the @ of a mailbox, or NULL if the local part is malformed. */
static const char *skip_local(const char *p, size_t n, bool idn)
{
    const char *s = p, *end = p + n;
    s = n > 0 && *p == '"' ? skip_quoted(s + 1, end, idn) : skip_atoms(s, end, idn);
    return s == NULL || s == end || *s != '@' ? NULL : s + 1;
}

/* A local part, and a domain or an address in brackets. */
static bool mailbox_ok(const char *p, size_t n, bool idn)
{
    const char *s = skip_local(p, n, idn), *end = p + n;
    if (s == NULL)
        return false;
    size_t rest = (size_t)(end - s);
    if (rest > 0 && *s == '[')
        return rest >= 2 && end[-1] == ']' && literal_ok(s + 1, rest - 2);
    return domain_ok(s, rest, idn);
}

const char *cupel__fmt_idn_domain(const char *p, size_t n)
{
    const char *domain = skip_local(p, n, true), *end = p + n;
    for (const char *c = domain; c != NULL && c < end; c++)
        if (is_wide(*c))
            return domain;
    return NULL;
}

int cupel__fmt_email(const char *p, size_t n)
{
    return mailbox_ok(p, n, false);
}

int cupel__fmt_idn_email(const char *p, size_t n)
{
    const char *domain = cupel__fmt_idn_domain(p, n);
    if (!mailbox_ok(p, n, true))
        return 0;
    return domain == NULL ? 1 : cupel__fmt_idn_hostname(domain, (size_t)(p + n - domain));
}
