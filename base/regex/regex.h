/* regex.h: regular expressions of ECMA-262 with the `u` flag.
 *
 * regex/parse.c reads a pattern into a syntax tree.  regex/engine.c chooses the engine that matches
 * it: the linear engine (regex/automata.h), backtracking under a budget (regex/backtrack.h), or
 * PCRE2 (regex/pcre2_engine.h).  PCRE2 only gets patterns for which regex/linear_time.c proves
 * linear time, as ASCII text that regex/pcre2_print.c prints from the tree; it never sees the
 * author's text. docs/regex.md compares the engines. */
#ifndef CUPEL_BASE_REGEX_H
#define CUPEL_BASE_REGEX_H

#include "base/memory.h"

#include <cupel/common.h>
#include <cupel/debug.h>
#include <cupel/program.h>

/* -- Syntax (ECMA-262 22.2.1, Pattern[+UnicodeMode]) ----------------------------------------- */

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
    uint32_t cp;                  /* CHAR */
    uint32_t min, max;            /* REPEAT; max UINT32_MAX is unbounded */
    uint32_t index;               /* GROUP, BACKREF */
    uint32_t states;              /* upper bound of the states of an automaton; UINT32_MAX: none */
    uint32_t symbols;             /* CHAR, CLASS: the state that reads it (regex/alphabet.c) */
    bool greedy, negated, behind; /* CLASS: `negated` complements the ranges */
    struct cupel__regex_range *ranges; /* CLASS */
    uint32_t nranges;
    struct cupel__regex_node **child;
    uint32_t nchild;
    struct cupel__regex_node *next; /* in a list of struct cupel__regex */
};

struct cupel__regex {
    struct cupel__regex_node *root;
    struct cupel__regex_node *leaves; /* all CHAR and CLASS */
    struct cupel__regex_node *looks;  /* all LOOK, inner ones first */
    uint32_t ngroups, nlooks, nleaves;
    uint32_t work;                       /* approximate steps that parsing took */
    bool has_backref, has_word, lenient; /* lenient: only the lenient grammar accepts the pattern */
};

enum {
    CUPEL__REGEX_STRICT = 1, /* no second attempt with the lenient grammar */
    CUPEL__REGEX_SYNTAX = 2  /* check the syntax only: the classes of properties are left empty */
};

/* The most groups inside each other.  It bounds the stack that PCRE2 needs to compile a pattern. */
enum { CUPEL__REGEX_MAX_DEPTH = 250 };

/* Parses a pattern (UTF-8, may hold NUL).  The tree lives in the arena.
 * CUPEL_E_PATTERN with err->offset (a byte offset in the pattern) and a detail; likewise
 * CUPEL_E_PATTERN_SIZE where groups are nested too deep, or classes have too many ranges; or
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__regex_parse(struct cupel__arena *, const char *pattern, size_t len,
                                     unsigned flags, struct cupel__regex *ret,
                                     struct cupel_error *err);

/* How often a backtracking matcher reads each code point of a subject, at most, if the analyser
 * proves that it needs time linear in the subject; 0 if it does not. */
uint32_t cupel__regex_linear_cost(const struct cupel__regex *);

static inline bool cupel__regex_is_linear(const struct cupel__regex *re)
{
    return cupel__regex_linear_cost(re) > 0;
}

/* Appends the PCRE2 text.  CUPEL_E_UNSUPPORTED if PCRE2 cannot express the pattern (look-behind of
 * variable length, back-references); CUPEL_E_PATTERN_SIZE for counts that PCRE2 does not take. */
enum cupel_status cupel__regex_print_pcre2(const struct cupel__regex *, struct cupel_text *,
                                           struct cupel_error *err);

/* Whether the pattern has no back-references and is so small that cupel__matcher_new cannot refuse
 * it. A compiler that needs no matcher then need not make one to see whether the pattern is
 * supported. */
bool cupel__regex_is_small(const struct cupel__regex *);

/* -- Matching -------------------------------------------------------------------------------- */

struct cupel__matcher;         /* a compiled pattern: immutable, shared between threads */
struct cupel__matcher_scratch; /* working memory of matching: one per thread, for all patterns */

enum {
    CUPEL__MATCHER_NO_JIT = 1,     /* no machine code */
    CUPEL__MATCHER_NO_BACKREF = 2, /* CUPEL_E_BACK_REFERENCE instead of matching under a budget */
    /* Off switches, for tests: */
    CUPEL__MATCHER_NO_SIMPLE = 4,
    CUPEL__MATCHER_NO_TABLE = 8,       /* no tables: automata are determinised while matching */
    CUPEL__MATCHER_NO_LINEAR = 16,     /* PCRE2 if that is linear, otherwise backtracking */
    CUPEL__MATCHER_ONLY_BACKTRACK = 32 /* backtracking for all patterns */
};

/* The flags that the options ask for. */
unsigned cupel__matcher_flags(const struct cupel_options *);

/* The default of CUPEL_LIMIT_PATTERN_STEPS, the steps of compiling all patterns of a program; and
 * the part of them below which no more tables are made, a reserve for patterns that follow. */
enum { CUPEL__MATCHER_WORK = 2000 * 1000, CUPEL__MATCHER_RESERVE = 1200 * 1000 };

/* Compiles a tree and sets its `symbols`.  *work are the remaining steps, from which the cost is
 * taken.  CUPEL_E_PATTERN_STEPS when they are used up; CUPEL_E_UNSUPPORTED if no engine can express
 * the pattern; CUPEL_E_PATTERN_SIZE if it is too large for all engines; CUPEL_E_BACK_REFERENCE;
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__matcher_new(const struct cupel_alloc *, const struct cupel__regex *,
                                     unsigned flags, int64_t *work, struct cupel__matcher **ret,
                                     struct cupel_error *err);
/* Takes the cost of parsing from *work; cupel__matcher_new does this too. */
enum cupel_status cupel__matcher_charge(const struct cupel__regex *, int64_t *work,
                                        struct cupel_error *err);
void cupel__matcher_free(struct cupel__matcher *);
enum cupel_engine cupel__matcher_engine(const struct cupel__matcher *); /* engine.c chooses it */
bool cupel__matcher_is_lenient(const struct cupel__matcher *);          /* the tree was */
/* Bytes of memory. */
size_t cupel__matcher_size(const struct cupel__matcher *);

/* `limit` bounds the memory that grows with subjects.  A match that needs more returns
 * CUPEL_E_LIMIT_MEMORY. */
enum cupel_status cupel__matcher_scratch_new(const struct cupel_alloc *, size_t limit,
                                             struct cupel__matcher_scratch **ret);
void cupel__matcher_scratch_free(struct cupel__matcher_scratch *);
/* Bytes of memory, PCRE2's not counted; 0 for NULL. */
size_t cupel__matcher_scratch_size(const struct cupel__matcher_scratch *);

/* Whether the pattern matches somewhere in the subject (valid UTF-8, may contain NUL).  1, 0, or a
 * status, never a guess: CUPEL_E_LIMIT_STEPS when *steps are used up, CUPEL_E_LIMIT_REGEX when the
 * budget of one match is, CUPEL_E_LIMIT_MEMORY, CUPEL_E_NO_MEMORY, CUPEL_E_INTERNAL.  A step is the
 * time of about one byte of the subject.  Every match is charged at least 1 + len / 16, so that a
 * caller can bound the total over many matches.  Allocates only if it needs more memory than any
 * match before. */
int cupel__matcher_run(const struct cupel__matcher *, struct cupel__matcher_scratch *,
                       const char *subject, size_t len, int64_t *steps);

#endif
