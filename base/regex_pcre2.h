/* regex_pcre2.h: patterns that PCRE2 matches: those with back-references, and some that are too large
 * for tables.  regex_pcre2.c alone includes pcre2.h. */
#ifndef CUPEL_BASE_REGEX_PCRE2_H
#define CUPEL_BASE_REGEX_PCRE2_H

#include "regex.h"

struct cupel__pcre2;         /* a compiled pattern: immutable, shared between threads */
struct cupel__pcre2_scratch; /* what matching needs of memory: one per thread, for all patterns */

enum { CUPEL__PCRE2_SAFE = 1, CUPEL__PCRE2_NO_JIT = 2 }; /* SAFE: cupel__regex_is_safe held */

/* Compiles text that cupel__regex_print_pcre2 made.  CUPEL_E_PATTERN_SIZE, CUPEL_E_PATTERN,
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__pcre2_new(const struct cupel_alloc *, const char *text, size_t len,
                                   unsigned flags, struct cupel__pcre2 **ret,
                                   struct cupel_error *err);
void cupel__pcre2_free(struct cupel__pcre2 *);
/* What it holds of memory, its machine code included. */
size_t cupel__pcre2_size(const struct cupel__pcre2 *);

enum cupel_status cupel__pcre2_scratch_new(const struct cupel_alloc *,
                                           struct cupel__pcre2_scratch **ret);
void cupel__pcre2_scratch_free(struct cupel__pcre2_scratch *);

/* As cupel__matcher_run.  CUPEL_E_LIMIT_STEPS when *steps are gone; CUPEL_E_LIMIT_REGEX when what one
 * match may take is: of steps, or of PCRE2's memory. */
int cupel__pcre2_run(const struct cupel__pcre2 *, struct cupel__pcre2_scratch *,
                     const char *subject, size_t len, int64_t *steps);

#endif
