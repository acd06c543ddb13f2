/* pcre2_engine.h: matching with PCRE2: patterns that are too large for tables and that
 * regex/linear_time.c proves linear.  Only regex/pcre2.c includes pcre2.h. */
#ifndef CUPEL_BASE_REGEX_PCRE2_H
#define CUPEL_BASE_REGEX_PCRE2_H

#include "base/regex/regex.h"

struct cupel__pcre2;         /* a compiled pattern: immutable, shared between threads */
struct cupel__pcre2_scratch; /* working memory of matching: one per thread, for all patterns */

enum { CUPEL__PCRE2_NO_JIT = 1 };

/* Compiles text from cupel__regex_print_pcre2.  CUPEL_E_PATTERN_SIZE, CUPEL_E_PATTERN,
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__pcre2_new(const struct cupel_alloc *, const char *text, size_t len,
                                   unsigned flags, struct cupel__pcre2 **ret,
                                   struct cupel_error *err);
void cupel__pcre2_free(struct cupel__pcre2 *);
/* Bytes of memory, machine code included. */
size_t cupel__pcre2_size(const struct cupel__pcre2 *);

enum cupel_status cupel__pcre2_scratch_new(const struct cupel_alloc *,
                                           struct cupel__pcre2_scratch **ret);
void cupel__pcre2_scratch_free(struct cupel__pcre2_scratch *);

/* As cupel__matcher_run, but charges nothing.  CUPEL_E_LIMIT_REGEX when the match limit or PCRE2's
 * memory is used up. */
int cupel__pcre2_run(const struct cupel__pcre2 *, struct cupel__pcre2_scratch *,
                     const char *subject, size_t len);

#endif
