/* error.c: filling a host's struct cupel_error, and lines and columns of a text.
 *
 * The text of an error may come from a stranger's schema, so every field is made well-formed UTF-8
 * without control characters here. */
#include "base/error.h"
#include "base/always.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char ellipsis[] = "\xe2\x80\xa6";

/* Copies n bytes into a field of a struct cupel_error as NUL-terminated UTF-8: control characters
 * and ill-formed bytes become '?', and text that is too long is cut at a code point and ends with
 * an ellipsis. */
static void set_field(char *field, size_t size, const char *bytes, size_t n)
{
    const char *p = bytes, *const end = n == 0 ? p : p + n;
    size_t used = 0, cut = 0; /* cut: the longest prefix that leaves space for an ellipsis */
    while (p < end) {
        uint32_t cp = 0;
        unsigned length = cupel__utf8_decode(p, end, &cp);
        bool replace = length == 0 || cp < 0x20 || (cp >= 0x7f && cp < 0xa0);
        size_t out = replace ? 1 : length;
        if (used + out > size - 1) {
            memcpy(field + cut, ellipsis, sizeof ellipsis);
            return;
        }
        if (replace)
            field[used] = '?';
        else
            memcpy(field + used, p, length);
        used += out;
        p += length == 0 ? 1 : length;
        if (used <= size - sizeof ellipsis)
            cut = used;
    }
    field[used] = '\0';
}

void cupel__error_field(char *field, size_t size, const char *format, ...)
{
    struct cupel_error e;
    char buffer[512];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    cupel__error_set(&e, CUPEL_OK, "%s", buffer);
    snprintf(field, size, "%s", e.detail);
}

enum cupel_status cupel__error_set(struct cupel_error *err, enum cupel_status status,
                                   const char *format, ...)
{
    if (err == NULL)
        return status;
    /* Even after each two-byte control character has become one "?", a full buffer is longer than
     * the field; so set_field marks every text that was cut here as cut. */
    char text[2 * sizeof err->detail + 64];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t length = NEVER(n < 0) ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    err->status = status;
    err->line = err->column = 0;
    err->offset = 0;
    err->where[0] = '\0';
    memset(err->reserved, 0, sizeof err->reserved);
    set_field(err->detail, sizeof err->detail, text, length);
    return status;
}

void cupel__error_set_pointer(struct cupel_error *err, const char *pointer, size_t n)
{
    if (err != NULL)
        set_field(err->where, sizeof err->where, pointer, n);
}

/* A line ends with U+000A, so CR LF counts as one end of line. */
void cupel__advance_position(const char *text, size_t n, uint32_t *line, uint32_t *column)
{
    const char *end = text + n, *newline;
    while (n > 0 && (newline = memchr(text, '\n', n)) != NULL) {
        *line += *line != UINT32_MAX;
        *column = 1;
        text = newline + 1;
        n = (size_t)(end - text);
    }
    size_t characters = cupel__utf8_count(text, n);
    *column += (uint32_t)(characters < UINT32_MAX - *column ? characters : UINT32_MAX - *column);
}

void cupel__error_set_position(struct cupel_error *err, const char *text, size_t len, size_t offset)
{
    if (err == NULL)
        return;
    err->offset = offset < len ? offset : len;
    err->line = err->column = 1;
    cupel__advance_position(text, (size_t)err->offset, &err->line, &err->column);
}
