/* regex.h: regular expressions of ECMA-262 with the `u` flag.
 *
 * regex/parse.c reads a pattern into a syntax tree.  regex/engine.c chooses how it is matched: by
 * the linear engine (regex/automata.h), under a budget (regex/backtrack.h), or by PCRE2
 * (regex/pcre2_engine.h), for which regex/linear_time.c judges the tree and regex/pcre2_print.c
 * prints from it the text of an equivalent PCRE2 pattern, in ASCII.  PCRE2 never sees a byte that
 * the tree did not print. */
#ifndef CUPEL_BASE_REGEX_H
#define CUPEL_BASE_REGEX_H

#include "base/memory.h"

#include <cupel/options.h>
#include <cupel/program.h>

/* -- Syntax (ECMA-262 22.2.1, Pattern[+UnicodeMode]) ------------------------------------------ */

enum cupel__regex_kind {
    CUPEL__RE_EMPTY,   /* matches the empty string */
    CUPEL__RE_CHAR,    /* one code point: `cp` */
    CUPEL__RE_CLASS,   /* one code point of `ranges` (sorted, disjoint, not adjacent) */
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

struct cupel__regex_node {
    enum cupel__regex_kind kind;
    uint32_t cp;                       /* CHAR */
    uint32_t min, max;                 /* REPEAT; max UINT32_MAX is unbounded */
    uint32_t index;                    /* GROUP, BACKREF */
    uint32_t states;                   /* at most as many has an automaton; UINT32_MAX: or more */
    uint32_t symbols;                  /* CHAR, CLASS: for the linear engine (regex/alphabet.c) */
    bool greedy, negated, behind;      /* CLASS: `negated` complements the ranges */
    struct cupel__regex_range *ranges; /* CLASS */
    uint32_t nranges;
    struct cupel__regex_node **child;
    uint32_t nchild;
    struct cupel__regex_node *next; /* in a list of struct cupel__regex */
};

struct cupel__regex {
    struct cupel__regex_node *root;
    struct cupel__regex_node *leaves; /* all CHAR and CLASS */
    struct cupel__regex_node *looks;  /* all LOOK, those inside others first */
    uint32_t ngroups, nlooks, nleaves;
    uint32_t work;                       /* steps that parsing took, about */
    bool has_backref, has_word, lenient; /* lenient: needed the Annex-B-like grammar */
};

enum {
    CUPEL__REGEX_STRICT = 1, /* no retry with the lenient grammar */
    CUPEL__REGEX_SYNTAX = 2 /* only to see whether it is a pattern: properties give empty classes */
};

/* Groups open at once.  It bounds the stack that PCRE2 needs to compile a printed pattern. */
enum { CUPEL__REGEX_MAX_DEPTH = 250 };

/* Parses a pattern (UTF-8, may hold NUL).  The tree lives in the arena.
 * CUPEL_E_PATTERN with err->offset (a byte offset in the pattern) and a detail; likewise
 * CUPEL_E_PATTERN_SIZE where groups are nested too deep, or classes have too many ranges; or
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__regex_parse(struct cupel__arena *, const char *pattern, size_t len,
                                     unsigned flags, struct cupel__regex *ret,
                                     struct cupel_error *err);

/* Whether the analyser can prove that a backtracking matcher needs at most time linear in the
 * subject: no back-references, no nested or adjacent overlapping repeats, … */
bool cupel__regex_is_linear(const struct cupel__regex *);

/* Appends the PCRE2 text.  CUPEL_E_UNSUPPORTED where PCRE2 cannot express it (look-behind of
 * variable length, back-references); CUPEL_E_PATTERN_SIZE (counts over 65,535 of something long).
 */
enum cupel_status cupel__regex_print_pcre2(const struct cupel__regex *, struct cupel_text *,
                                           struct cupel_error *err);

/* Whether the pattern surely can be compiled: without back-references, and so small that there is
 * no need to try. */
bool cupel__regex_is_small(const struct cupel__regex *);

/* -- Matching --------------------------------------------------------------------------------- */

struct cupel__matcher;         /* a compiled pattern: immutable, shared between threads */
struct cupel__matcher_scratch; /* what matching needs of memory: one per thread, for all patterns */

enum {
    CUPEL__MATCHER_NO_JIT = 1,     /* no machine code */
    CUPEL__MATCHER_NO_BACKREF = 2, /* CUPEL_E_BACK_REFERENCE instead of matching under a budget */
    /* Off switches, for tests: */
    CUPEL__MATCHER_NO_SIMPLE = 4,
    CUPEL__MATCHER_NO_TABLE = 8,       /* states are found while matching */
    CUPEL__MATCHER_NO_LINEAR = 16,     /* PCRE2 where that is safe, otherwise a walk */
    CUPEL__MATCHER_ONLY_BACKTRACK = 32 /* under a budget, as back-references are */
};

unsigned cupel__matcher_flags(const struct cupel_options *);

/* What compiling all patterns of a program may cost, in steps, if the options do not say; and what
 * is kept of that for patterns that need it, when no more tables are made. */
enum { CUPEL__MATCHER_WORK = 2000 * 1000, CUPEL__MATCHER_RESERVE = 1200 * 1000 };

/* Compiles a tree, whose `symbols` it sets.  *work is what is left of CUPEL__MATCHER_WORK: what
 * this costs is taken from it.  CUPEL_E_PATTERN_STEPS when it is gone; CUPEL_E_UNSUPPORTED where no
 * engine can express the pattern; CUPEL_E_PATTERN_SIZE where it is too large for all;
 * CUPEL_E_BACK_REFERENCE; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__matcher_new(const struct cupel_alloc *, const struct cupel__regex *,
                                     unsigned flags, int64_t *work, struct cupel__matcher **ret,
                                     struct cupel_error *err);
/* Takes from *work what parsing has cost, as the above does. */
enum cupel_status cupel__matcher_charge(const struct cupel__regex *, int64_t *work,
                                        struct cupel_error *err);
void cupel__matcher_free(struct cupel__matcher *);
enum cupel_engine cupel__matcher_engine(const struct cupel__matcher *); /* engine.c chooses it */
bool cupel__matcher_is_lenient(const struct cupel__matcher *);          /* the tree was */
/* Bytes of memory. */
size_t cupel__matcher_size(const struct cupel__matcher *);

/* `limit` bounds the memory that grows with subjects: CUPEL_E_LIMIT_MEMORY beyond. */
enum cupel_status cupel__matcher_scratch_new(const struct cupel_alloc *, size_t limit,
                                             struct cupel__matcher_scratch **ret);
void cupel__matcher_scratch_free(struct cupel__matcher_scratch *);
/* Bytes of memory, PCRE2's not counted; 0 for NULL. */
size_t cupel__matcher_scratch_size(const struct cupel__matcher_scratch *);

/* Whether the pattern matches somewhere in the subject (valid UTF-8, may hold NUL).  1, 0, or a
 * status: CUPEL_E_LIMIT_STEPS when *steps are gone, CUPEL_E_LIMIT_REGEX when what one match may
 * take is, CUPEL_E_LIMIT_MEMORY, CUPEL_E_NO_MEMORY, CUPEL_E_INTERNAL; never a guess.  *steps is the
 * budget, in units of about one subject byte looked at, and is charged at least 1 + len / 16 (so a
 * caller can bound the total over many matches).  Allocates only where no match before needed as
 * much. */
int cupel__matcher_run(const struct cupel__matcher *, struct cupel__matcher_scratch *,
                       const char *subject, size_t len, int64_t *steps);

#endif
