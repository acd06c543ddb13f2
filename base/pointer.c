/* pointer.c: writing a JSON Pointer or a fragment within a bound (base/pointer.h).
 *
 * Invariant: n <= max, and once `cut` is set nothing more is written. */
#include "base/pointer.h"
#include "base/ascii.h"
#include <string.h>

static void put(struct cupel__pointer *p, const char *bytes, size_t n)
{
    if (p->text != NULL)
        cupel_text_add(p->text, bytes, n);
    else
        memcpy(p->array + p->n, bytes, n);
    p->n += n;
}

/* Writes an escape, whole or not at all. */
static void put_escape(struct cupel__pointer *p, const char *bytes, size_t n)
{
    p->cut |= n > p->max - p->n;
    if (!p->cut)
        put(p, bytes, n);
}

/* Writes bytes that need no escape; does not cut within a UTF-8 sequence. */
static void put_plain(struct cupel__pointer *p, const char *bytes, size_t n)
{
    if (p->cut || n == 0)
        return;
    if (n > p->max - p->n) {
        p->cut = true;
        n = p->max - p->n;
        while (n > 0 && ((unsigned char)bytes[n] & 0xc0) == 0x80)
            n--;
    }
    put(p, bytes, n);
}

static bool is_fragment_char(char c)
{
    return cupel__is_alpha(c) || cupel__is_digit(c) ||
           (c != 0 && strchr("-._~!$&'()*+,;=:@/?", c) != NULL);
}

/* Whether a byte is written as it is.  A name escapes '~' and '/', a fragment all that RFC 3986
 * does not allow in one. */
static bool is_plain(const struct cupel__pointer *p, char c, bool name)
{
    return !(name && (c == '~' || c == '/')) && !(p->fragment && !is_fragment_char(c));
}

/* Writes the escape of a byte that is not plain. */
static void put_byte(struct cupel__pointer *p, char c, bool name)
{
    static const char hex[] = "0123456789ABCDEF";
    const unsigned char byte = (unsigned char)c;
    const char encoded[3] = {'%', hex[byte >> 4], hex[byte & 15]};
    if (name && (c == '~' || c == '/'))
        put_escape(p, c == '~' ? "~0" : "~1", 2);
    else
        put_escape(p, encoded, sizeof encoded);
}

/* Writes runs of plain bytes at once, and the escapes between them. */
static void add(struct cupel__pointer *p, struct cupel__str s, bool name)
{
    size_t from = 0;
    for (size_t i = 0; i < s.n && !p->cut; i++) {
        if (is_plain(p, s.p[i], name))
            continue;
        put_plain(p, s.p + from, i - from);
        put_byte(p, s.p[i], name);
        from = i + 1;
    }
    put_plain(p, s.p + from, s.n - from);
}

void cupel__pointer_add(struct cupel__pointer *p, struct cupel__str s)
{
    add(p, s, false);
}

void cupel__pointer_name(struct cupel__pointer *p, struct cupel__str name)
{
    put_plain(p, "/", 1);
    add(p, name, true);
}

/* "/" and the decimal index, whole or not at all. */
void cupel__pointer_index(struct cupel__pointer *p, uint32_t index)
{
    char digits[11];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + index % 10);
    while ((index /= 10) != 0);
    digits[--at] = '/';
    put_escape(p, digits + at, sizeof digits - at);
}

void cupel__pointer_end(struct cupel__pointer *p)
{
    if (p->cut && p->text != NULL)
        cupel_text_adds(p->text, "…");
}
