/* text.c: the growing output buffer (include/cupel/text.h).
 *
 * Bytes are appended as they are and followed by a NUL that does not count; base/escape.c writes
 * text that needs escapes.  After a failed allocation `failed` is set, and the buffer ignores what
 * is added until it is cleared, so that callers test once at the end. */
#include "base/memory.h"
#include <cupel/common.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cupel_text_init(struct cupel_text *t, const struct cupel_alloc *alloc)
{
    if (t == NULL)
        return;
    *t = (struct cupel_text){.alloc = cupel__alloc_or_default(alloc)};
}

void cupel_text_free(struct cupel_text *t)
{
    if (t == NULL)
        return;
    cupel__free(&t->alloc, t->bytes, t->capacity);
    t->bytes = NULL;
    t->len = t->capacity = 0;
    t->failed = 0;
}

void cupel_text_clear(struct cupel_text *t)
{
    if (t == NULL)
        return;
    t->len = 0;
    t->failed = 0;
}

/* Reserves n more bytes and a NUL.  False if the buffer has failed, now or before. */
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
    if (t == NULL || (bytes == NULL && n > 0))
        return;
    if (!reserve(t, n))
        return;
    if (n > 0)
        memcpy(t->bytes + t->len, bytes, n);
    t->len += n;
    t->bytes[t->len] = '\0';
}

void cupel_text_adds(struct cupel_text *t, const char *z)
{
    if (z == NULL)
        return;
    cupel_text_add(t, z, strlen(z));
}

/* Formats twice: once for the length, once into the buffer. */
void cupel_text_addf(struct cupel_text *t, const char *format, ...)
{
    if (t == NULL || format == NULL)
        return;
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
