/* automata.h: the linear engine: patterns without back-references, matched in time linear in the
 * subject.
 *
 * A pattern is compiled to a program: one array of 32-bit words without pointers.  Programs are
 * never stored.  A program that runs was compiled by this library, in this process, from the text
 * of the pattern, so it is not verified.
 *
 * regex/automata.c compiles a pattern: regex/simple_compile.c a simple one, otherwise
 * regex/alphabet.c its symbols, regex/nfa.c its automata, and regex/dfa.c their tables.
 * regex/simple_match.c and regex/automata_match.c match. */
#ifndef CUPEL_BASE_REGEX_LINEAR_H
#define CUPEL_BASE_REGEX_LINEAR_H

#include "base/regex/regex.h"

#include <cupel/debug.h>

enum {
    CUPEL__LINEAR_NO_SIMPLE = 1, /* off switches for tests: automata only, */
    CUPEL__LINEAR_NO_TABLE = 2   /* and no tables */
};

/* Compiles a tree of cupel__regex_parse and sets its `symbols`.  The caller frees the words with
 * cupel__free.  CUPEL_E_UNSUPPORTED for back-references, and if the automata would be too large;
 * CUPEL_E_NO_MEMORY.  *work (regex.h) bounds the cost of making tables. */
enum cupel_status cupel__linear_compile(const struct cupel_alloc *, const struct cupel__regex *,
                                        unsigned flags, int64_t *work, uint32_t **ret_words,
                                        uint32_t *ret_nwords);

/* CUPEL_ENGINE_SIMPLE, CUPEL_ENGINE_TABLE or CUPEL_ENGINE_STATES. */
enum cupel_engine cupel__linear_engine(const uint32_t *words);

/* Working memory of matching: one per thread, for all programs.  Nothing in it outlives a match. */
struct cupel__linear_scratch {
    struct cupel_alloc alloc;
    size_t limit; /* the most bytes of `size` */
    void *memory;
    size_t size;
};

void cupel__linear_scratch_init(struct cupel__linear_scratch *, const struct cupel_alloc *,
                                size_t limit);
void cupel__linear_scratch_free(struct cupel__linear_scratch *);
/* Makes `memory` at least `size` bytes and keeps the first `keep` bytes of its contents.
 * CUPEL_E_LIMIT_MEMORY if that exceeds the limit; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__linear_scratch_reserve(struct cupel__linear_scratch *, size_t size,
                                                size_t keep);

/* Whether the pattern matches somewhere in the subject (valid UTF-8, may contain NUL): as
 * cupel__matcher_run, without CUPEL_E_LIMIT_REGEX. */
int cupel__linear_run(const uint32_t *words, struct cupel__linear_scratch *, const char *subject,
                      size_t len, int64_t *steps);

#endif
