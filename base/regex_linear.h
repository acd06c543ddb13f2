/* regex_linear.h: patterns without back-references, matched in time linear in the subject.
 *
 * A pattern becomes a program: one array of 32-bit words without pointers, which may stand in an
 * image.  Programs of other origin than cupel__linear_compile must pass cupel__linear_verify first;
 * what it let through may answer anything, but reads nothing outside the program and the subject,
 * and ends in time.
 *
 * regex_linear.c puts programs together; regex_shape.c knows the shapes that need no automaton,
 * regex_nfa.c makes automata from the tree, regex_step.c makes the steps of one, regex_run.c
 * matches, regex_verify.c looks at programs of strangers.  PCRE2 has no part in it. */
#ifndef CUPEL_BASE_REGEX_LINEAR_H
#define CUPEL_BASE_REGEX_LINEAR_H

#include "regex.h"

/* Compiles a tree of cupel__regex_parse.  The words are freed with cupel__free by the caller.
 * CUPEL_E_UNSUPPORTED for back-references and for properties (\p{…}); CUPEL_E_PATTERN where the
 * automata would be too large; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__linear_compile(const struct cupel_alloc *, const struct cupel__regex *,
                                        uint32_t **ret_words, uint32_t *ret_nwords,
                                        struct cupel_error *err);

/* Whether the words can be run. */
bool cupel__linear_verify(const uint32_t *words, uint32_t nwords);

/* Memory for matching, one per thread, for all programs; nothing in it outlives a match. */
struct cupel__linear_scratch {
    struct cupel_alloc alloc;
    void *memory;
    size_t size;
};

void cupel__linear_scratch_init(struct cupel__linear_scratch *, const struct cupel_alloc *);
void cupel__linear_scratch_free(struct cupel__linear_scratch *);

/* Whether the pattern matches somewhere in the subject (valid UTF-8, may hold NUL).  1, 0, or
 * CUPEL_E_LIMIT_REGEX when the budget *steps is gone, CUPEL_E_NO_MEMORY.  The budget is in units of
 * about one subject byte looked at, and is charged at least 1 + len / 16.  Allocates only where no
 * match before needed as much. */
int cupel__linear_run(const uint32_t *words, struct cupel__linear_scratch *, const char *subject,
                      size_t len, int64_t *steps);

#endif
