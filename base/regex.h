/* regex.h: regular expressions of ECMA-262 with the `u` flag.
 *
 * regex_ecma.c reads a pattern into a syntax tree, regex_safe.c judges it, regex_print.c prints
 * from it the text of an equivalent PCRE2 pattern, in ASCII; regex_pcre2.c alone includes pcre2.h,
 * compiles that text and matches under a budget.  PCRE2 never sees a byte that the tree did not
 * print. */
#ifndef CUPEL_BASE_REGEX_H
#define CUPEL_BASE_REGEX_H

#include "mem.h"

/* -- Syntax (ECMA-262 22.2.1, Pattern[+UnicodeMode]) ------------------------------------------ */

enum cupel__regex_kind {
    CUPEL__RE_EMPTY,   /* matches the empty string */
    CUPEL__RE_CHAR,    /* one code point: `cp` */
    CUPEL__RE_CLASS,   /* one code point of `ranges` (sorted, disjoint, not adjacent) and `props` */
    CUPEL__RE_CAT,     /* children one after the other */
    CUPEL__RE_ALT,     /* children as alternatives, the first preferred */
    CUPEL__RE_REPEAT,  /* child[0], min to max times; lazy if !greedy */
    CUPEL__RE_GROUP,   /* child[0]; `index` > 0: a capture, referred to by a back-reference */
    CUPEL__RE_BACKREF, /* what group `index` captured */
    CUPEL__RE_START,   /* ^ */
    CUPEL__RE_END,     /* $ */
    CUPEL__RE_WORD,    /* \b, or \B if `negated` */
    CUPEL__RE_LOOK     /* child[0] as a look-ahead, or -behind if `behind`; negative if `negated` */
};

struct cupel__regex_range {
    uint32_t first, last;
};

/* A Unicode property in a class: \p{…}, \P{…}.  `pcre` is the name PCRE2 knows it by, static. */
struct cupel__regex_prop {
    const char *pcre;
    bool script; /* PCRE2 wants "sc:" before it */
    bool negated;
};

struct cupel__regex_node {
    enum cupel__regex_kind kind;
    uint32_t cp;                       /* CHAR */
    uint32_t min, max;                 /* REPEAT; max UINT32_MAX is unbounded */
    uint32_t index;                    /* GROUP, BACKREF */
    bool greedy, negated, behind;      /* CLASS: `negated` complements ranges and props together */
    struct cupel__regex_range *ranges; /* CLASS */
    struct cupel__regex_prop *props;
    uint32_t nranges, nprops;
    struct cupel__regex_node **child;
    uint32_t nchild;
};

struct cupel__regex {
    struct cupel__regex_node *root;
    uint32_t ngroups;
    bool has_backref, has_look, lenient; /* lenient: needed the Annex-B-like grammar */
};

enum { CUPEL__REGEX_STRICT = 1 }; /* no retry with the lenient grammar */

/* Parses a pattern (UTF-8, may hold NUL).  The tree lives in the arena.
 * CUPEL_E_PATTERN with err->offset (a byte offset in the pattern) and a detail; or
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__regex_parse(struct cupel__arena *, const char *pattern, size_t len,
                                     unsigned flags, struct cupel__regex *ret,
                                     struct cupel_error *err);

/* Whether the analyser can prove that a backtracking matcher needs at most time linear in the
 * subject: no back-references, no nested or adjacent overlapping repeats, … */
bool cupel__regex_is_safe(const struct cupel__regex *);

/* Appends the PCRE2 text.  CUPEL_E_PATTERN where PCRE2 cannot express it (look-behind of variable
 * length, repeat counts over 65,535 of something long, back-references to captures that ECMA-262
 * forgets when a loop goes on). */
enum cupel_status cupel__regex_print_pcre2(const struct cupel__regex *, struct cupel_text *,
                                           struct cupel_error *err);

/* -- Matching --------------------------------------------------------------------------------- */

struct cupel__matcher;         /* a compiled pattern: immutable, shared between threads */
struct cupel__matcher_scratch; /* what matching needs of memory: one per thread, for all patterns */

enum { CUPEL__MATCHER_SAFE = 1, CUPEL__MATCHER_NO_JIT = 2 }; /* SAFE: cupel__regex_is_safe held */

/* Compiles PCRE2 text that cupel__regex_print_pcre2 made.  CUPEL_E_PATTERN, CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__matcher_new(const struct cupel_alloc *, const char *text, size_t len,
                                     unsigned flags, struct cupel__matcher **ret,
                                     struct cupel_error *err);
void cupel__matcher_free(struct cupel__matcher *);

enum cupel_status cupel__matcher_scratch_new(const struct cupel_alloc *,
                                             struct cupel__matcher_scratch **ret);
void cupel__matcher_scratch_free(struct cupel__matcher_scratch *);

/* Whether the pattern matches somewhere in the subject (valid UTF-8, may hold NUL).  1, 0, or a
 * status: CUPEL_E_LIMIT_REGEX when the budget is gone, CUPEL_E_NO_MEMORY, CUPEL_E_INTERNAL; never a
 * guess.  *steps is the budget, in units of about one subject byte looked at, and is charged at
 * least 1 + len / 16 (so a caller can bound the total over many matches).  No allocation after the
 * first use of the scratch. */
int cupel__matcher_run(const struct cupel__matcher *, struct cupel__matcher_scratch *,
                       const char *subject, size_t len, int64_t *steps);

#endif
