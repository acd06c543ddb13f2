/* error.h: filling a host's struct cupel_error, and lines and columns of a text.
 *
 * Nothing here allocates.  A NULL error is allowed everywhere: the functions then do nothing. */
#ifndef CUPEL_BASE_ERROR_H
#define CUPEL_BASE_ERROR_H

#include <cupel/common.h>
#include <stddef.h>
#include <stdint.h>

/* Sets the status and, by a printf format, the detail; clears pointer and position.  Control
 * characters and bytes that are not UTF-8 become "?".  Returns `status`. */
enum cupel_status cupel__error_set(struct cupel_error *err, enum cupel_status status,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes a text to a field of `size` bytes as cupel__error_set does to the detail: escaped, and cut
 * to the shorter of the field and the detail. */
void cupel__error_field(char *field, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets err->where, cut at a code point with "…" if it is too long. */
void cupel__error_set_pointer(struct cupel_error *err, const char *pointer, size_t n);

/* Sets offset, line and column to those of the byte at `offset` in a text. */
void cupel__error_set_position(struct cupel_error *err, const char *text, size_t len,
                               size_t offset);

/* Moves a line and a column, both counted from 1, over n bytes of text.  Columns count code points:
 * all bytes but continuation bytes, so that text that is not UTF-8 has sensible columns too.  Both
 * saturate at UINT32_MAX. */
void cupel__advance_position(const char *text, size_t n, uint32_t *line, uint32_t *column);

#endif
