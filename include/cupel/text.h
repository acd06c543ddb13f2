/* text.h: a growable output buffer, and writing JSON into it. */
#ifndef CUPEL_TEXT_H
#define CUPEL_TEXT_H

#include <cupel/alloc.h>
#include <cupel/error.h>
#include <stdint.h>

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

/* Appends bytes as a JSON string with its quotes (RFC 8259 section 7).  What cupel_text_add_escaped
 * escapes is escaped; what is not UTF-8 becomes U+FFFD, so the output is always valid. */
void cupel_text_add_json(struct cupel_text *text, const char *bytes, size_t len);

/* Text from strangers, on its way to a terminal, a log or a model.  Control characters, DEL, marks
 * of direction, characters that are ignored by default, separators of lines, private use and
 * noncharacters become escapes (\u202e; two of them beyond U+FFFF), and so do the first characters
 * of what runners of continuous integration take for commands: `::` where a line may begin, `##[`
 * and `##vso[`.  What is not UTF-8 becomes U+FFFD.  cupel_text_add_json escapes the same. */

enum cupel_text_flag {
    CUPEL_TEXT_LINES = 1 << 0 /* several lines: line ends and tabs stay, CR becomes a line end */
};

/* Appends at most `most` bytes of it, and "…" if there are more. */
void cupel_text_add_escaped(struct cupel_text *text, const char *bytes, size_t len, size_t most,
                            uint32_t flags);
/* The same as a JSON string, with its quotes. */
void cupel_text_add_quoted(struct cupel_text *text, const char *bytes, size_t len, size_t most);
/* A name: as it is if it is a plain word of at most 64 bytes, else so much of it in quotes. */
void cupel_text_add_name(struct cupel_text *text, const char *bytes, size_t len);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
