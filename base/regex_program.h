/* regex_program.h: the words of a program of regex_linear.h, and what the files of the linear
 * engine share.
 *
 * A program is a header of HEAD_WORDS words and then either the data of a shape or sets, states,
 * class maps and tables of automata.  Offsets are words from the start.  Automaton i < n - 1 is the
 * body of look-around i and may ask for those before it; the last one is the pattern itself.
 *
 * Automata read bytes of UTF-8.  Since subjects are valid, a range may also hold sequences that no
 * subject has, where that makes it smaller (regex_nfa.c). */
#ifndef CUPEL_BASE_REGEX_PROGRAM_H
#define CUPEL_BASE_REGEX_PROGRAM_H

#include "regex_linear.h"

/* -- Words ------------------------------------------------------------------------------------ */

#define CUPEL__LINEAR_MAGIC UINT32_C(0x314C5243)

enum {
    CUPEL__LINEAR_MAX_STATES = 10000, /* of all automata of a program */
    CUPEL__LINEAR_MAX_SETS = 1024,
    CUPEL__LINEAR_MAX_LOOKS = 32, /* a bit each in a word */
    CUPEL__LINEAR_MAX_DFA = 250   /* states of a table: it has bytes */
};

/* The header. */
enum {
    CUPEL__HEAD_MAGIC,
    CUPEL__HEAD_NWORDS,
    CUPEL__HEAD_SHAPE,    /* enum cupel__shape */
    CUPEL__HEAD_SETS,     /* offset of sets of bytes, 8 words each */
    CUPEL__HEAD_NSETS,    /* */
    CUPEL__HEAD_AUTOMATA, /* offset of struct cupel__automaton, one after the other */
    CUPEL__HEAD_NAUTOMATA,
    CUPEL__HEAD_WORDS
};

/* The data of a shape follow the header. */
enum cupel__shape {
    CUPEL__SHAPE_NONE,     /* the automata answer */
    CUPEL__SHAPE_ALWAYS,   /* matches everything */
    CUPEL__SHAPE_LITERAL,  /* flags, length, bytes */
    CUPEL__SHAPE_WORDS,    /* ^(?:a|b)$: count, and for each length and bytes */
    CUPEL__SHAPE_TEMPLATE, /* classes in a row, each so often: struct cupel__template */
    CUPEL__SHAPE_FIND,     /* one code point of a class, anywhere; the same data */
    CUPEL__SHAPE_COUNT
};

enum { CUPEL__AT_START = 1, CUPEL__AT_END = 2 }; /* flags of LITERAL and TEMPLATE: ^ and $ */

enum { CUPEL__TEMPLATE_CLASSES = 8 };

/* A class of a template is a bit in `bytes`: set for the ASCII that it holds and for the first
 * bytes of the rest; where it holds only part of that, it has ranges. */
struct cupel__template {
    uint32_t flags, nitems;
    uint32_t bytes[64]; /* 256 bytes */
    struct {
        uint32_t at, nranges; /* first and last of each, sorted; offset from the header's end */
    } class[CUPEL__TEMPLATE_CLASSES];
};

/* These follow struct cupel__template. */
struct cupel__template_item {
    uint32_t class, min, max;
};

/* A state is two words: kind and argument; next and alternative. */
enum cupel__state_kind {
    CUPEL__STATE_BYTE, /* argument: first | last << 8 */
    CUPEL__STATE_SET,  /* argument: index of the set */
    CUPEL__STATE_SPLIT,
    CUPEL__STATE_START,
    CUPEL__STATE_END,
    CUPEL__STATE_WORD, /* argument: 1 if negated */
    CUPEL__STATE_LOOK, /* argument: index << 1 | negated */
    CUPEL__STATE_FAIL,
    CUPEL__STATE_MATCH,
    CUPEL__STATE_COUNT
};

enum { CUPEL__NO_TARGET = 0xFFFF };

struct cupel__state {
    uint32_t op, target;
};

static inline uint32_t cupel__state_kind(struct cupel__state s)
{
    return s.op & 0xFF;
}

static inline uint32_t cupel__state_arg(struct cupel__state s)
{
    return s.op >> 8;
}

static inline uint32_t cupel__state_next(struct cupel__state s)
{
    return s.target & 0xFFFF;
}

static inline uint32_t cupel__state_alt(struct cupel__state s)
{
    return s.target >> 16;
}

enum { CUPEL__AUTOMATON_REVERSE = 1, CUPEL__AUTOMATON_WORD = 2 };

struct cupel__automaton {
    uint32_t flags;
    uint32_t states, nstates; /* state 0 is where it begins */
    uint32_t looks;           /* a bit for each look-around that it asks for */
    uint32_t map, nclasses; /* 256 bytes: the class of each; no state tells a class's bytes apart */
    uint32_t dfa, ndfa;     /* a table made ahead; 0 states if there is none */
};

/* -- Symbols ---------------------------------------------------------------------------------- */

/* What a determinised automaton reads: the class of the next byte, or one more for the end, and the
 * truth of the look-arounds asked for where it stands.  Only few of those can be told apart. */
enum { CUPEL__LINEAR_MAX_KNOWN = 4 };

static inline unsigned cupel__count_bits(uint32_t x)
{
    return (unsigned)__builtin_popcount(x);
}

static inline uint32_t cupel__symbols(const struct cupel__automaton *a)
{
    return (a->nclasses + 1) << cupel__count_bits(a->looks);
}

/* The table has a power of two of bytes a state, and then a byte a state that says whether the
 * automaton accepted before the symbol that led there. */
static inline unsigned cupel__table_shift(const struct cupel__automaton *a)
{
    uint32_t n = cupel__symbols(a);
    return n <= 1 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

static inline uint32_t cupel__table_words(const struct cupel__automaton *a)
{
    return ((a->ndfa << cupel__table_shift(a)) + a->ndfa + 3) / 4;
}

/* -- Steps (regex_step.c) --------------------------------------------------------------------- */

/* What a set of states is together with. */
enum {
    CUPEL__MARK_BEGIN = 1, /* nothing was read */
    CUPEL__MARK_WORD = 2,  /* the last byte was of a word */
    CUPEL__MARK_ACCEPT = 4 /* MATCH was reached before the last symbol */
};

/* An automaton ready to run, and memory for its steps. */
struct cupel__stepper {
    struct cupel__automaton a;
    const struct cupel__state *states;
    const uint32_t *sets;
    const unsigned char *map;
    uint32_t nw;     /* words of a set of states */
    bool search;     /* MATCH anywhere is the answer; otherwise a bit for each position is */
    uint64_t *seen;  /* nw words */
    uint16_t *stack; /* nstates */
    int64_t *steps;
};

void cupel__stepper_init(struct cupel__stepper *, const uint32_t *words, uint32_t index,
                         int64_t *steps);

/* One symbol: from the set `from` with its marks to the set `to`; returns the marks of that.
 * `looks` has the truth of all look-arounds here, `byte` is -1 at the end. */
unsigned cupel__step(struct cupel__stepper *, const uint64_t *from, unsigned marks, uint32_t looks,
                     int byte, uint64_t *to);

/* Determinised states, found as they are needed.  State 0 is dead, 1 dead but for having accepted,
 * 2 the first. */
enum { CUPEL__DFA_DEAD, CUPEL__DFA_ACCEPTED, CUPEL__DFA_FIRST, CUPEL__DFA_NONE = 0xFFFF };

struct cupel__dfa {
    uint32_t n, cap, nsym, nw, nhash; /* nhash: a power of two over cap */
    uint64_t *sets;
    uint16_t *next; /* nsym for each; NONE where unknown */
    uint16_t *hash;
    unsigned char *marks;
};

/* How many bytes `cap` states need, and the same memory laid out. */
size_t cupel__dfa_size(const struct cupel__stepper *, uint32_t cap);
void cupel__dfa_init(struct cupel__dfa *, const struct cupel__stepper *, uint32_t cap,
                     void *memory);
/* Forgets all states but the first three. */
void cupel__dfa_clear(struct cupel__dfa *);
/* The state for a set; NONE if there is no more room. */
uint32_t cupel__dfa_state(struct cupel__dfa *, const uint64_t *set, unsigned marks);

/* -- Compiling -------------------------------------------------------------------------------- */

struct cupel__seq; /* bytes of UTF-8 in ranges: regex_nfa.c */

/* Words that grow. */
struct cupel__words {
    const struct cupel_alloc *alloc;
    uint32_t *p;
    size_t n, cap;
    bool failed; /* out of memory: nothing more is appended */
};

/* Appends `n` words, zero or copied, and returns where they are: an offset. */
uint32_t cupel__words_add(struct cupel__words *, const void *from, size_t n);

/* regex_shape.c.  Appends a whole program if the tree has a shape; false if it has none. */
bool cupel__shape_compile(struct cupel__words *, const struct cupel__regex_node *root);

/* regex_nfa.c.  Fills the states of one automaton. */
struct cupel__nfa {
    struct cupel__words states, sets;
    const struct cupel__regex_node *look[CUPEL__LINEAR_MAX_LOOKS];
    uint32_t nlooks;
    uint32_t base; /* index of the first state of the automaton being made */
    bool reverse;
    uint32_t looks; /* that it asks for */
    bool word;      /* it asks for \b */
    const char *problem;
    enum cupel_status status;
};

/* Lists the look-arounds, those inside others first.  False with status and problem. */
bool cupel__nfa_find_looks(struct cupel__nfa *, const struct cupel__regex_node *root);
/* Appends the automaton of a node to `states`, with the search in front of it unless `anchored`. */
bool cupel__nfa_compile(struct cupel__nfa *, const struct cupel__regex_node *, bool reverse,
                        bool anchored);

#endif
