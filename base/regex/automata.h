/* automata.h: patterns without back-references, matched in time linear in the subject.
 *
 * A pattern becomes a program: one array of 32-bit words without pointers.  Programs are never
 * stored: what runs was compiled by this library, in this process, from the text of the pattern.
 *
 * regex/automata.c puts programs together; regex/simple_compile.c knows the shapes that need no
 * automaton, regex/alphabet.c the classes of code points, regex/nfa.c makes automata from the tree,
 * regex/dfa.c makes the steps of one; regex/automata_match.c matches, regex/simple_match.c where
 * there is a shape. PCRE2 has no part in it. */
#ifndef CUPEL_BASE_REGEX_LINEAR_H
#define CUPEL_BASE_REGEX_LINEAR_H

#include "base/regex/regex.h"

enum {
    CUPEL__LINEAR_NO_SIMPLE = 1, /* off switches, for tests: automata only, */
    CUPEL__LINEAR_NO_TABLE = 2   /* and no tables made ahead */
};

/* Compiles a tree of cupel__regex_parse, whose `symbols` it sets.  The words are freed with
 * cupel__free by the caller.  CUPEL_E_UNSUPPORTED for back-references, and where the automata would
 * be too large; CUPEL_E_NO_MEMORY.  *work bounds what making tables may cost (regex.h). */
enum cupel_status cupel__linear_compile(const struct cupel_alloc *, const struct cupel__regex *,
                                        unsigned flags, int64_t *work, uint32_t **ret_words,
                                        uint32_t *ret_nwords);

/* CUPEL_ENGINE_SIMPLE, CUPEL_ENGINE_TABLE or CUPEL_ENGINE_STATES. */
enum cupel_engine cupel__linear_engine(const uint32_t *words);

/* Memory for matching, one per thread, for all programs; nothing in it outlives a match. */
struct cupel__linear_scratch {
    struct cupel_alloc alloc;
    size_t limit; /* of `size`: CUPEL_E_LIMIT_MEMORY beyond */
    void *memory;
    size_t size;
};

void cupel__linear_scratch_init(struct cupel__linear_scratch *, const struct cupel_alloc *,
                                size_t limit);
void cupel__linear_scratch_free(struct cupel__linear_scratch *);
/* Makes `memory` at least so large; `keep` bytes stay what they are. */
enum cupel_status cupel__linear_scratch_reserve(struct cupel__linear_scratch *, size_t size,
                                                size_t keep);

/* Whether the pattern matches somewhere in the subject (valid UTF-8, may hold NUL).  1, 0, or
 * CUPEL_E_LIMIT_STEPS when the budget *steps is gone, CUPEL_E_LIMIT_MEMORY, CUPEL_E_NO_MEMORY.  The
 * budget is in units of about one subject byte looked at, and is charged at least 1 + len / 16.
 * Allocates only where no match before needed as much. */
int cupel__linear_run(const uint32_t *words, struct cupel__linear_scratch *, const char *subject,
                      size_t len, int64_t *steps);

#endif
