/* backtrack.h: patterns with back-references, matched as ECMA-262 says, under a budget.
 *
 * regex/backtrack_compile.c turns the tree into a recipe: words without pointers, as many as the
 * pattern has parts.  regex/backtrack.c follows it, trying one way after the other: what no
 * automaton can do, and what may take exponential time, hence the budget. */
#ifndef CUPEL_BASE_REGEX_BACKTRACK_H
#define CUPEL_BASE_REGEX_BACKTRACK_H

#include "base/regex/automata.h"

/* -- Recipes ---------------------------------------------------------------------------------- */

/* Instructions: an opcode, and what it needs.  Where `back` is said, the code point before the
 * position is read instead of the one behind. */
enum cupel__backtrack_op {
    CUPEL__BACKTRACK_CHAR,   /* a: code point, b: back */
    CUPEL__BACKTRACK_CLASS,  /* a: class, b: back */
    CUPEL__BACKTRACK_RUN,    /* a: class, b: back; c: index of a repeat: as often as it comes, then
                              * less
                              */
    CUPEL__BACKTRACK_REF,    /* a: group, b: back */
    CUPEL__BACKTRACK_START,  /* */
    CUPEL__BACKTRACK_END,    /* */
    CUPEL__BACKTRACK_WORD,   /* a: negated */
    CUPEL__BACKTRACK_SPLIT,  /* goes on; if that fails, at a */
    CUPEL__BACKTRACK_JUMP,   /* to a */
    CUPEL__BACKTRACK_ENTER,  /* a: group: where it begins */
    CUPEL__BACKTRACK_LEAVE,  /* a: group: captures what was read since */
    CUPEL__BACKTRACK_ZERO,   /* a: repeat: no turns so far */
    CUPEL__BACKTRACK_TURN,   /* a: repeat; another turn, or on at b */
    CUPEL__BACKTRACK_AGAIN,  /* a: repeat; to its TURN at b, unless nothing was read */
    CUPEL__BACKTRACK_LOOK,   /* a: negated; b: behind the LOOKED that ends it */
    CUPEL__BACKTRACK_LOOKED, /* */
    CUPEL__BACKTRACK_MATCH   /* */
};

struct cupel__backtrack_step {
    uint32_t op, a, b, c;
};

/* The groups from first up to end are forgotten when a turn begins. */
struct cupel__backtrack_repeat {
    uint32_t min, max, greedy, first, end;
};

/* One code point: pairs of first and last, sorted, at an offset. */
struct cupel__backtrack_class {
    uint32_t at, n, negated;
    uint32_t ascii[4]; /* what it holds of ASCII, as bits */
};

/* Offsets are words from the start. */
struct cupel__backtrack_program {
    uint32_t steps, repeats, classes;
    uint32_t ngroups, nrepeats;
    uint32_t anchored; /* matches only where the subject begins */
};

/* The words are freed with cupel__free by the caller.  CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__backtrack_compile(const struct cupel_alloc *, const struct cupel__regex *,
                                           uint32_t **ret_words, uint32_t *ret_nwords);

/* -- Matching --------------------------------------------------------------------------------- */

/* As cupel__matcher_run.  CUPEL_E_LIMIT_STEPS when *steps are gone; CUPEL_E_LIMIT_REGEX when what
 * one match may take is. */
int cupel__backtrack_run(const uint32_t *words, struct cupel__linear_scratch *, const char *subject,
                         size_t len, int64_t *steps);

#endif
