/* text.h: a growable output buffer, and writing JSON into it. */
#ifndef CUPEL_TEXT_H
#define CUPEL_TEXT_H

#include <cupel/alloc.h>
#include <cupel/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A buffer of bytes, grown as needed.  `bytes` is followed by a NUL once anything was added.  An
 * append that fails for want of memory sets `failed`, and later appends do nothing: check once, at
 * the end. */
struct cupel_text {
    struct cupel_alloc alloc;
    char *bytes;
    size_t len, capacity;
    int failed;
};

/* An empty buffer; alloc NULL is the C library's.  Allocates nothing yet. */
void cupel_text_init(struct cupel_text *text, const struct cupel_alloc *alloc);

/* Gives the memory back. The buffer may be used again. */
void cupel_text_free(struct cupel_text *text);

/* Empties it and keeps the memory. */
void cupel_text_clear(struct cupel_text *text);

/* Append bytes, a string, or what a format of printf makes. */
void cupel_text_add(struct cupel_text *text, const char *bytes, size_t len);
void cupel_text_adds(struct cupel_text *text, const char *z); /* up to its NUL */
void cupel_text_addf(struct cupel_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Appends bytes as a JSON string with its quotes (RFC 8259 section 7).  Control characters are
 * escaped; what is not UTF-8 becomes U+FFFD, so the output is always valid. */
void cupel_text_json(struct cupel_text *text, const char *bytes, size_t len);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
