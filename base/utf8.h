/* utf8.h: UTF-8 (RFC 3629) over (pointer, length).
 *
 * Well-formed: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef CUPEL_BASE_UTF8_H
#define CUPEL_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bytes are well-formed. */
bool cupel__utf8_valid(const char *p, size_t n);

/* The offset of the first ill-formed sequence, or n. */
size_t cupel__utf8_check(const char *p, size_t n);

/* The number of code points of well-formed UTF-8. */
size_t cupel__utf8_count(const char *p, size_t n);

/* Decodes one code point at p < end; returns its length in bytes (1 to 4), or 0 if it is
 * ill-formed. */
unsigned cupel__utf8_decode(const char *p, const char *end, uint32_t *ret_cp);

/* Encodes a scalar value; returns its length in bytes (1 to 4). */
unsigned cupel__utf8_encode(uint32_t cp, char out[4]);

#endif
