/* backtrack.h: patterns with back-references, matched as ECMA-262 22.2.2 defines, under a budget.
 *
 * regex/backtrack_compile.c compiles the tree to a program: words without pointers, linear in the
 * pattern.  regex/backtrack.c runs it and tries one alternative after the other.  Back-references
 * are beyond automata and may take exponential time, hence the budget. */
#ifndef CUPEL_BASE_REGEX_BACKTRACK_H
#define CUPEL_BASE_REGEX_BACKTRACK_H

#include "base/regex/automata.h"

/* -- Programs -------------------------------------------------------------------------------- */

/* Opcodes with their operands.  With `back` an instruction reads the code point before the position
 * and moves to the left. */
enum cupel__backtrack_op {
    CUPEL__BACKTRACK_CHAR,   /* a: code point, b: back */
    CUPEL__BACKTRACK_CLASS,  /* a: class, b: back */
    CUPEL__BACKTRACK_RUN,    /* a: class, b: back, c: repeat; reads the most first, then fewer */
    CUPEL__BACKTRACK_REF,    /* a: group, b: back */
    CUPEL__BACKTRACK_START,  /* no operands */
    CUPEL__BACKTRACK_END,    /* no operands */
    CUPEL__BACKTRACK_WORD,   /* a: negated */
    CUPEL__BACKTRACK_SPLIT,  /* continues; if that fails, at a */
    CUPEL__BACKTRACK_JUMP,   /* continues at a */
    CUPEL__BACKTRACK_ENTER,  /* a: group; records where it begins */
    CUPEL__BACKTRACK_LEAVE,  /* a: group; captures the text since ENTER */
    CUPEL__BACKTRACK_ZERO,   /* a: repeat; sets its number of turns to 0 */
    CUPEL__BACKTRACK_TURN,   /* a: repeat; another turn, or continues at b */
    CUPEL__BACKTRACK_AGAIN,  /* a: repeat; to its TURN at b; fails if an optional turn read nothing
                              */
    CUPEL__BACKTRACK_LOOK,   /* a: negated; b: the instruction behind its LOOKED */
    CUPEL__BACKTRACK_LOOKED, /* the body of a look-around has matched */
    CUPEL__BACKTRACK_MATCH   /* the pattern has matched */
};

struct cupel__backtrack_step {
    uint32_t op, a, b, c;
};

/* The captures of the groups from first up to end are reset when a turn begins (22.2.3.3.1). */
struct cupel__backtrack_repeat {
    uint32_t min, max, greedy, first, end;
};

/* One code point: pairs of first and last, sorted, at an offset. */
struct cupel__backtrack_class {
    uint32_t at, n, negated;
    uint32_t ascii[4]; /* its ASCII characters, a bit each */
};

/* Offsets are words from the start. */
struct cupel__backtrack_program {
    uint32_t steps, repeats, classes;
    uint32_t ngroups, nrepeats;
    uint32_t anchored; /* 1: begins with ^, so only position 0 is tried */
};

/* The caller frees the words with cupel__free.  CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__backtrack_compile(const struct cupel_alloc *, const struct cupel__regex *,
                                           uint32_t **ret_words, uint32_t *ret_nwords);

/* -- Matching -------------------------------------------------------------------------------- */

/* As cupel__matcher_run.  CUPEL_E_LIMIT_STEPS when *steps are used up; CUPEL_E_LIMIT_REGEX when the
 * budget of one match is. */
int cupel__backtrack_run(const uint32_t *words, struct cupel__linear_scratch *, const char *subject,
                         size_t len, int64_t *steps);

#endif
