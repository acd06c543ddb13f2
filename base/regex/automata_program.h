/* automata_program.h: the layout of a program of regex/automata.h, and the interfaces between the
 * files of the linear engine.
 *
 * A program is a header of HEAD_WORDS words, followed by the data of a simple pattern, or by the
 * symbols, sets, states and tables of automata.  Offsets count words from the start.  The automata
 * run one after the other.  Each look-around has an automaton of its own, which runs before those
 * that test it; the automaton of the whole pattern is the last.
 *
 * Automata read symbols, not bytes.  A symbol is a class of code points that the pattern does not
 * distinguish. */
#ifndef CUPEL_BASE_REGEX_PROGRAM_H
#define CUPEL_BASE_REGEX_PROGRAM_H

#include "base/always.h"
#include "base/regex/automata.h"
#include "base/regex/words.h"

/* -- Words ----------------------------------------------------------------------------------- */

enum {
    CUPEL__LINEAR_MAX_STATES = 10000, /* of all automata of a program */
    CUPEL__LINEAR_MAX_SYMBOLS = 2000,
    CUPEL__LINEAR_MAX_SETS = 1024,
    CUPEL__LINEAR_MAX_LOOKS = 32, /* a bit each in a word */
    CUPEL__LINEAR_MAX_TABLE = 512 /* states of a table */
};

/* The header. */
enum {
    CUPEL__HEAD_NWORDS,
    CUPEL__HEAD_SIMPLE, /* enum cupel__simple_kind */
    CUPEL__HEAD_MAP,    /* offset of 256 bytes: the symbol of each ASCII character, else RARE */
    CUPEL__HEAD_RANGES, /* offset of pairs from U+0080 on: first code point of a run, its symbol */
    CUPEL__HEAD_NRANGES,
    CUPEL__HEAD_NSYMBOLS,
    CUPEL__HEAD_SETS,     /* offset of sets of symbols, a bit each; the first is the set of \w */
    CUPEL__HEAD_AUTOMATA, /* offset of an array of struct cupel__automaton */
    CUPEL__HEAD_NAUTOMATA,
    CUPEL__HEAD_TABLES_ONLY, /* 1: all automata have tables and test no look-arounds */
    CUPEL__HEAD_WORDS
};

enum { CUPEL__RARE = 0xFF };

/* The kinds of simple patterns, with the data that follow the header. */
enum cupel__simple_kind {
    CUPEL__SIMPLE_NONE,    /* not simple: the program has automata */
    CUPEL__SIMPLE_ALWAYS,  /* matches every subject */
    CUPEL__SIMPLE_LITERAL, /* flags, length, bytes */
    CUPEL__SIMPLE_WORDS, /* ^(?:a|b)$: count, offset of each word, and for each length and bytes */
    CUPEL__SIMPLE_FIXED, /* ^x-[a-z]{1,9}$: only the last item may vary: struct cupel__template */
    CUPEL__SIMPLE_TEMPLATE, /* a row of classes with counts: struct cupel__template */
    CUPEL__SIMPLE_FIND,     /* one code point of a class, anywhere: struct cupel__template */
    CUPEL__SIMPLE_COUNT
};

enum { CUPEL__AT_START = 1, CUPEL__AT_END = 2 }; /* flags of LITERAL and TEMPLATE: ^ and $ */

enum { CUPEL__TEMPLATE_CLASSES = 8 };

/* A class of a template is a bit in each byte of `bytes`: set for its ASCII characters, and for the
 * first bytes of code points beyond ASCII if it has any.  If it has only some of these, ranges list
 * them.  Offsets count words from the start of the template. */
struct cupel__template {
    uint32_t flags, nitems;
    uint32_t bytes[64]; /* 256 bytes */
    struct {
        uint32_t at, nranges; /* first and last of each, sorted */
    } class[CUPEL__TEMPLATE_CLASSES];
    /* FIXED: */
    bool is_ascii;   /* no class has code points beyond ASCII */
    uint32_t absent; /* offset of 256 bytes: the classes without that ASCII character; other bytes:
                        all classes */
    uint32_t wanted,
        length; /* offset of `length` bytes: the bit of the class at each fixed position */
    uint32_t tail, min,
        max; /* the last item: the bit of its class, its least and most repetitions */
};

/* These follow struct cupel__template. */
struct cupel__template_item {
    uint32_t class, min, max;
};

/* A state is two words: kind and argument; next and alternative. */
enum cupel__state_kind {
    CUPEL__STATE_ONE, /* argument: a symbol */
    CUPEL__STATE_SET, /* argument: index of a set */
    CUPEL__STATE_ANY,
    CUPEL__STATE_SPLIT,
    CUPEL__STATE_START,
    CUPEL__STATE_END,
    CUPEL__STATE_WORD, /* argument: 1 if negated */
    CUPEL__STATE_LOOK, /* argument: index << 1 | negated */
    CUPEL__STATE_MATCH
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

enum {
    CUPEL__AUTOMATON_REVERSE = 1, /* reads from the right */
    CUPEL__AUTOMATON_WORD = 2,    /* has \b or \B */
    CUPEL__AUTOMATON_SEARCH =
        4, /* only whether it matches counts; otherwise it leaves a bit for each position */
    CUPEL__AUTOMATON_NEGATED = 8 /* with SEARCH: it must not match */
};

struct cupel__automaton {
    uint32_t flags;
    uint32_t states, nstates; /* state 0 is the initial state */
    uint32_t looks;           /* a bit for each look-around that it tests */
    uint32_t dfa, ndfa;       /* its table and the number of its states; 0: none */
};

/* -- Symbols --------------------------------------------------------------------------------- */

/* An input of a determinised automaton is the symbol of the next code point, or nsymbols at the
 * end, with the results of the look-arounds that it tests at the current position.  The number of
 * inputs doubles with each look-around, so automata that test more than this are not determinised.
 */
enum { CUPEL__LINEAR_MAX_KNOWN = 4 };

static inline unsigned cupel__count_bits(uint32_t x)
{
    return (unsigned)__builtin_popcount(x);
}

static inline uint32_t cupel__inputs(const uint32_t *words, const struct cupel__automaton *a)
{
    return (words[CUPEL__HEAD_NSYMBOLS] + 1) << cupel__count_bits(a->looks);
}

/* A table has a row of 16-bit state numbers for each state, whose length is a power of two, and
 * then a byte for each state: whether the automaton accepted before the symbol that led to the
 * state. */
static inline unsigned cupel__table_shift(uint32_t inputs)
{
    return NEVER(inputs <= 1) ? 0 : 32 - (unsigned)__builtin_clz(inputs - 1);
}

/* The symbol of a code point beyond ASCII. */
uint32_t cupel__symbol(const uint32_t *words, uint32_t cp);

/* The code point at p, valid UTF-8 and not ASCII; sets its length. */
static inline uint32_t cupel__decode(const unsigned char *p, size_t *ret_n)
{
    size_t n = *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;
    uint32_t cp = *p & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        cp = cp << 6 | (p[i] & 0x3F);
    *ret_n = n;
    return cp;
}

/* -- Steps (regex/dfa.c) --------------------------------------------------------------------- */

/* Flags that belong to a set of states. */
enum {
    CUPEL__MARK_BEGIN = 1, /* nothing has been read */
    CUPEL__MARK_WORD = 2,  /* the last code point is in \w */
    CUPEL__MARK_ACCEPT = 4 /* MATCH was reached before the last symbol */
};

/* An automaton ready to run, and memory for its steps. */
struct cupel__stepper {
    struct cupel__automaton a;
    const struct cupel__state *states;
    const uint32_t *sets;
    uint32_t nsymbols, set_words;
    uint32_t nw;     /* 64-bit words of a set of states */
    uint64_t *seen;  /* nw */
    uint16_t *stack; /* nstates */
    int64_t *steps;
};

void cupel__stepper_init(struct cupel__stepper *, const uint32_t *words, uint32_t index,
                         int64_t *steps);

/* Reads one symbol, or nsymbols at the end: computes the set `to` from the set `from` with its
 * marks, and returns the marks of `to`.  `looks` has the results of all look-arounds at this
 * position. */
unsigned cupel__step(struct cupel__stepper *, const uint64_t *from, unsigned marks, uint32_t looks,
                     uint32_t symbol, uint64_t *to);

/* cupel__step for all symbols except the end of the string at once, in an automaton without
 * look-arounds and \b.  `to` gets a set for each symbol; the returned marks apply to all of them.
 */
unsigned cupel__step_all(struct cupel__stepper *, const uint64_t *from, unsigned marks,
                         uint64_t *to);

/* A set of determinised states, which are added as they are needed.  State 0 is dead, state 1 is
 * dead after accepting, state 2 is the initial state. */
enum { CUPEL__DFA_DEAD, CUPEL__DFA_ACCEPTED, CUPEL__DFA_FIRST, CUPEL__DFA_NONE = 0xFFFF };

struct cupel__dfa {
    uint32_t n, cap, ninputs, nw, nhash; /* nhash: a power of two over cap */
    uint64_t *sets;
    uint16_t *next; /* ninputs for each; NONE where unknown */
    uint16_t *hash;
    unsigned char *marks;
};

/* The bytes that `cap` states need; and the initialisation of such memory. */
size_t cupel__dfa_size(uint32_t cap, uint32_t ninputs, uint32_t nw);
void cupel__dfa_init(struct cupel__dfa *, uint32_t cap, uint32_t ninputs, uint32_t nw,
                     void *memory);
/* Removes all states but the first three. */
void cupel__dfa_clear(struct cupel__dfa *);
/* The state of a set, added if it is new; NONE if the capacity is exhausted. */
uint32_t cupel__dfa_state(struct cupel__dfa *, const uint64_t *set, unsigned marks);

/* -- Compiling ------------------------------------------------------------------------------- */

/* regex/simple_compile.c.  Appends a whole program if the pattern is simple; otherwise false. */
bool cupel__simple_compile(struct cupel__words *, const struct cupel__regex_node *root);

/* regex/alphabet.c.  Appends the symbols and sets to a program that has its header, and sets
 * `symbols` of each leaf to the state that reads it.  CUPEL_E_NO_MEMORY; CUPEL_E_UNSUPPORTED if
 * there are too many symbols or sets. */
enum cupel_status cupel__symbols_compile(struct cupel__words *, const struct cupel__regex *,
                                         int64_t *work);

/* regex/nfa.c.  The states of the automata of a program, appended one automaton after the other. */
struct cupel__nfa {
    struct cupel__words states;
    const struct cupel__regex_node *look[CUPEL__LINEAR_MAX_LOOKS];
    uint32_t nlooks;
    uint32_t leading; /* a bit for each look-around that only has to match at the start */
    uint32_t base;    /* index of the first state of the current automaton */
    bool reverse;
    uint32_t looks; /* a bit for each look-around that the current automaton tests */
    bool word;      /* it has \b or \B */
    struct cupel__nfa_frame *frames;
    size_t nframes, frames_cap;
    enum cupel_status status;
};

/* Appends the automaton of a node.  Unless `anchored` it may begin at every position.  False with
 * the status: CUPEL_E_NO_MEMORY, or CUPEL_E_UNSUPPORTED if it is too large. */
bool cupel__nfa_compile(struct cupel__nfa *, const struct cupel__regex_node *, bool reverse,
                        bool anchored);
void cupel__nfa_free(struct cupel__nfa *);

/* -- Running --------------------------------------------------------------------------------- */

/* regex/automata_match.c.  cupel__linear_run for a program with automata; the subject is not NULL.
 */
int cupel__automata_run(const uint32_t *words, struct cupel__linear_scratch *, const char *subject,
                        size_t len, int64_t *steps);

/* -- Ranges ---------------------------------------------------------------------------------- */

/* Whether a code point is in one of n ranges: pairs of the first and the last, in order. */
static inline bool cupel__in_ranges(const uint32_t *range, uint32_t n, uint32_t cp)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cp > range[2 * middle + 1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && cp >= range[2 * low];
}

#endif
