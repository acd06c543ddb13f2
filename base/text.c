/* text.c: the output buffer (include/cupel/text.h).  Escaping for JSON is done here once for
 * everybody. */
#include "base/escape.h"
#include "base/memory.h"
#include "base/utf8.h"
#include <cupel/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cupel_text_init(struct cupel_text *t, const struct cupel_alloc *alloc)
{
    *t = (struct cupel_text){.alloc = cupel__alloc_or_default(alloc)};
}

void cupel_text_free(struct cupel_text *t)
{
    cupel__free(&t->alloc, t->bytes, t->capacity);
    t->bytes = NULL;
    t->len = t->capacity = 0;
    t->failed = 0;
}

void cupel_text_clear(struct cupel_text *t)
{
    t->len = 0;
    t->failed = 0;
}

/* Makes room for n more bytes and a NUL; false, until it is cleared, if there is none. */
static bool reserve(struct cupel_text *t, size_t n)
{
    if (t->failed)
        return false;
    if (n < t->capacity - t->len)
        return true;
    size_t need;
    void *p = t->bytes;
    if (__builtin_add_overflow(t->len, n, &need) || need == SIZE_MAX ||
        cupel__grow(&t->alloc, &p, &t->capacity, need < 64 ? 64 : need + 1, 1) != CUPEL_OK) {
        t->failed = 1;
        return false;
    }
    t->bytes = p;
    return true;
}

void cupel_text_add(struct cupel_text *t, const char *bytes, size_t n)
{
    if (!reserve(t, n))
        return;
    if (n > 0)
        memcpy(t->bytes + t->len, bytes, n);
    t->len += n;
    t->bytes[t->len] = '\0';
}

void cupel_text_adds(struct cupel_text *t, const char *z)
{
    cupel_text_add(t, z, strlen(z));
}

void cupel_text_addf(struct cupel_text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        t->failed = 1;
    else if (reserve(t, (size_t)n)) {
        (void)vsnprintf(t->bytes + t->len, (size_t)n + 1, format, again);
        t->len += (size_t)n;
    }
    va_end(again);
}

/* The escape of a control character, a quote or a backslash. */
static void add_escape(struct cupel_text *t, unsigned char c)
{
    static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *name = names; *name != '\0'; name += 2) {
        if ((unsigned char)name[0] == c) {
            char escape[2] = {'\\', name[1]};
            cupel_text_add(t, escape, 2);
            return;
        }
    }
    static const char hex[] = "0123456789abcdef";
    char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    cupel_text_add(t, escape, 6);
}

/* The bytes of the code point at p that stay as they are; 0 if it is escaped. */
static unsigned plain_length(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    uint32_t code;
    if (c < 0x80)
        return c >= 0x20 && c != 0x7f && c != '"' && c != '\\' &&
               !(c == '#' && cupel__is_ci_command(p, end));
    unsigned length = cupel__utf8_decode(p, end, &code);
    return length != 0 && !cupel__is_unprintable(code) ? length : 0;
}

void cupel_text_json(struct cupel_text *t, const char *bytes, size_t n)
{
    const char *p = bytes, *const end = n == 0 ? p : p + n; /* an empty string may be NULL */
    const char *plain = p; /* from here on nothing is added yet, and nothing needs a change */
    cupel_text_add(t, "\"", 1);
    while (p < end) {
        unsigned length = plain_length(p, end);
        if (length != 0) {
            p += length;
            continue;
        }
        uint32_t code = 0;
        cupel_text_add(t, plain, (size_t)(p - plain));
        length = (unsigned char)*p < 0x80 ? 1 : cupel__utf8_decode(p, end, &code);
        if ((unsigned char)*p < 0x80)
            add_escape(t, (unsigned char)*p);
        else if (length != 0)
            cupel__escape_code_point(t, code);
        else
            cupel_text_adds(t, "\xef\xbf\xbd");
        p += length != 0 ? length : 1;
        plain = p;
    }
    cupel_text_add(t, plain, (size_t)(p - plain));
    cupel_text_add(t, "\"", 1);
}
