/* error.h: how cupel says what went wrong.
 *
 * Functions return an enum cupel_status: 0 or a negative code.  The detail goes into a struct
 * cupel_error that the caller owns, so reporting an error never allocates.  An instance that does
 * not conform is a verdict (validate.h) and not an error. */
#ifndef CUPEL_ERROR_H
#define CUPEL_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The statuses, CUPEL_OK (0) and CUPEL_E_…; errors.def has each one's meaning. */
enum cupel_status {
    CUPEL_OK = 0,
#define E(name, number, message, paragraph) CUPEL_E_##name = (number),
#include <cupel/errors.def>
};

/* The detail of an error.  Owned by the caller, who may pass NULL wherever one is taken.  Frozen:
 * this struct never changes.  A function that succeeds leaves it untouched.  All strings are
 * NUL-terminated UTF-8 without control characters, cut short with "…" where they do not fit. */
struct cupel_error {
    enum cupel_status status;
    uint32_t line;        /* of the text, counted from 1; 0 if the error has no place in a text */
    uint32_t column;      /* in code points, counted from 1; 0 likewise */
    uint64_t offset;      /* in bytes, from the start of the text */
    char where[256];      /* JSON Pointer (RFC 6901) into the text; "" is the root */
    char detail[256];     /* one sentence without a full stop */
    uint64_t reserved[4]; /* 0 after an error */
};

/* The name of a status without its prefix, such as "DUPLICATE_KEY".  Never NULL: a number that is
 * no status gives "?".  The string is static.  Any thread. */
const char *cupel_status_name(enum cupel_status status);

/* What a status means, in a few words, such as "duplicate key".  Never NULL; static; any thread. */
const char *cupel_status_message(enum cupel_status status);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
