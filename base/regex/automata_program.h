/* automata_program.h: the words of a program of regex/automata.h, and what the files of the linear
 * engine share.
 *
 * A program is a header of HEAD_WORDS words and then either the data of a shape or the symbols,
 * sets, states and tables of automata.  Offsets are words from the start.  The automata run one
 * after the other: the body of a look-around may be asked for by those behind it; the pattern
 * itself is the last.
 *
 * Automata read symbols, not bytes: classes of code points that the pattern does not tell apart. */
#ifndef CUPEL_BASE_REGEX_PROGRAM_H
#define CUPEL_BASE_REGEX_PROGRAM_H

#include "base/always.h"
#include "base/regex/automata.h"
#include "base/regex/words.h"

/* -- Words ------------------------------------------------------------------------------------ */

enum {
    CUPEL__LINEAR_MAX_STATES = 10000, /* of all automata of a program */
    CUPEL__LINEAR_MAX_SYMBOLS = 2000,
    CUPEL__LINEAR_MAX_SETS = 1024,
    CUPEL__LINEAR_MAX_LOOKS = 32, /* a bit each in a word */
    CUPEL__LINEAR_MAX_TABLE = 512 /* states of a table that is made ahead */
};

/* The header. */
enum {
    CUPEL__HEAD_NWORDS,
    CUPEL__HEAD_SIMPLE, /* enum cupel__schema_iter */
    CUPEL__HEAD_MAP,    /* offset of 256 bytes: the symbol of each of ASCII, else RARE */
    CUPEL__HEAD_RANGES, /* offset of pairs from U+0080 on: the first code point, its symbol */
    CUPEL__HEAD_NRANGES,
    CUPEL__HEAD_NSYMBOLS,
    CUPEL__HEAD_SETS,     /* offset of sets of symbols, a bit each; the first is the one of \w */
    CUPEL__HEAD_AUTOMATA, /* offset of struct cupel__automaton, one after the other */
    CUPEL__HEAD_NAUTOMATA,
    CUPEL__HEAD_TABLES_ONLY, /* 1: all automata have tables and ask for no look-arounds */
    CUPEL__HEAD_WORDS
};

enum { CUPEL__RARE = 0xFF };

/* The data of a shape follow the header. */
enum cupel__schema_iter {
    CUPEL__SIMPLE_NONE,    /* the automata answer */
    CUPEL__SIMPLE_ALWAYS,  /* matches everything */
    CUPEL__SIMPLE_LITERAL, /* flags, length, bytes */
    CUPEL__SIMPLE_WORDS, /* ^(?:a|b)$: count, offset of each word, and for each length and bytes */
    CUPEL__SIMPLE_FIXED, /* ^x-[a-z]{1,9}$: only the last item may vary: struct cupel__template */
    CUPEL__SIMPLE_TEMPLATE, /* items in a row, each so often: the same */
    CUPEL__SIMPLE_FIND,     /* one code point of a class, anywhere: the same */
    CUPEL__SIMPLE_COUNT
};

enum { CUPEL__AT_START = 1, CUPEL__AT_END = 2 }; /* flags of LITERAL and TEMPLATE: ^ and $ */

enum { CUPEL__TEMPLATE_CLASSES = 8 };

/* A class of a template is a bit in `bytes`: set for the ASCII that it holds and for the first
 * bytes of the rest; where it holds only part of that, it has ranges.  Offsets are from the
 * template's beginning. */
struct cupel__template {
    uint32_t flags, nitems;
    uint32_t bytes[64]; /* 256 bytes */
    struct {
        uint32_t at, nranges; /* first and last of each, sorted */
    } class[CUPEL__TEMPLATE_CLASSES];
    /* FIXED: */
    bool is_ascii;   /* no class has anything else */
    uint32_t absent; /* offset of 256 bytes: the classes that ASCII is not of; all for others */
    uint32_t wanted, length; /* offset of a byte for each that does not vary: its class's bit */
    uint32_t tail, min, max; /* the bit of the last item's class, and how often it comes */
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
    CUPEL__AUTOMATON_WORD = 2,    /* asks for \b */
    CUPEL__AUTOMATON_SEARCH =
        4, /* must match somewhere; otherwise it leaves a bit for each place */
    CUPEL__AUTOMATON_NEGATED = 8 /* must not */
};

struct cupel__automaton {
    uint32_t flags;
    uint32_t states, nstates; /* state 0 is where it begins */
    uint32_t looks;           /* a bit for each look-around that it asks for */
    uint32_t dfa, ndfa;       /* a table made ahead; 0 states if there is none */
};

/* -- Symbols ---------------------------------------------------------------------------------- */

/* What a determinised automaton reads: the symbol of the next code point, or one more for the end,
 * and the truth of the look-arounds asked for where it stands.  Only few of those can be told
 * apart. */
enum { CUPEL__LINEAR_MAX_KNOWN = 4 };

static inline unsigned cupel__count_bits(uint32_t x)
{
    return (unsigned)__builtin_popcount(x);
}

static inline uint32_t cupel__inputs(const uint32_t *words, const struct cupel__automaton *a)
{
    return (words[CUPEL__HEAD_NSYMBOLS] + 1) << cupel__count_bits(a->looks);
}

/* The table has a power of two of 16-bit numbers for a state, and then a byte for a state that says
 * whether the automaton accepted before the symbol that led there. */
static inline unsigned cupel__table_shift(uint32_t inputs)
{
    return NEVER(inputs <= 1) ? 0 : 32 - (unsigned)__builtin_clz(inputs - 1);
}

/* The symbol of a code point beyond ASCII. */
uint32_t cupel__symbol(const uint32_t *words, uint32_t cp);

/* The code point at p, whose length is set; it is valid UTF-8, not ASCII. */
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

/* What a set of states is together with. */
enum {
    CUPEL__MARK_BEGIN = 1, /* nothing was read */
    CUPEL__MARK_WORD = 2,  /* the last code point was of a word */
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

/* One symbol, nsymbols at the end: from the set `from` with its marks to the set `to`; returns the
 * marks of that.  `looks` has the truth of all look-arounds here. */
unsigned cupel__step(struct cupel__stepper *, const uint64_t *from, unsigned marks, uint32_t looks,
                     uint32_t symbol, uint64_t *to);

/* All symbols but the end, for an automaton that asks for no look-arounds and no words: a set for
 * each in `to`, one after the other; the same marks for all. */
unsigned cupel__step_all(struct cupel__stepper *, const uint64_t *from, unsigned marks,
                         uint64_t *to);

/* Determinised states, found as they are needed.  State 0 is dead, 1 dead but for having accepted,
 * 2 the first. */
enum { CUPEL__DFA_DEAD, CUPEL__DFA_ACCEPTED, CUPEL__DFA_FIRST, CUPEL__DFA_NONE = 0xFFFF };

struct cupel__dfa {
    uint32_t n, cap, ninputs, nw, nhash; /* nhash: a power of two over cap */
    uint64_t *sets;
    uint16_t *next; /* ninputs for each; NONE where unknown */
    uint16_t *hash;
    unsigned char *marks;
};

/* How many bytes `cap` states need, and the same memory laid out. */
size_t cupel__dfa_size(uint32_t cap, uint32_t ninputs, uint32_t nw);
void cupel__dfa_init(struct cupel__dfa *, uint32_t cap, uint32_t ninputs, uint32_t nw,
                     void *memory);
/* Forgets all states but the first three. */
void cupel__dfa_clear(struct cupel__dfa *);
/* The state for a set; NONE if there is no more room. */
uint32_t cupel__dfa_state(struct cupel__dfa *, const uint64_t *set, unsigned marks);

/* -- Compiling -------------------------------------------------------------------------------- */

/* regex/simple_compile.c.  Appends a whole program if the tree has a shape; false if it has none.
 */
bool cupel__simple_compile(struct cupel__words *, const struct cupel__regex_node *root);

/* regex/alphabet.c.  Fills in the symbols and sets of a header that is there, and of each leaf the
 * state that reads it.  CUPEL_E_NO_MEMORY; CUPEL_E_UNSUPPORTED: too many of them. */
enum cupel_status cupel__symbols_compile(struct cupel__words *, const struct cupel__regex *,
                                         int64_t *work);

/* regex/nfa.c.  Fills the states of one automaton. */
struct cupel__nfa {
    struct cupel__words states;
    const struct cupel__regex_node *look[CUPEL__LINEAR_MAX_LOOKS];
    uint32_t nlooks;
    uint32_t leading; /* a bit for each look-around that is answered before the pattern begins */
    uint32_t base;    /* index of the first state of the automaton being made */
    bool reverse;
    uint32_t looks; /* that it asks for */
    bool word;      /* it asks for \b */
    struct cupel__nfa_frame *frames;
    size_t nframes, frames_cap;
    enum cupel_status status;
};

/* Appends the automaton of a node to `states`, with the search in front of it unless `anchored`.
 * False with the status: CUPEL_E_NO_MEMORY, or CUPEL_E_UNSUPPORTED where it is too large. */
bool cupel__nfa_compile(struct cupel__nfa *, const struct cupel__regex_node *, bool reverse,
                        bool anchored);
void cupel__nfa_free(struct cupel__nfa *);

/* -- Running ---------------------------------------------------------------------------------- */

/* regex/automata_match.c.  cupel__linear_run for a program without a shape; the subject is not
 * NULL. */
int cupel__automata_run(const uint32_t *words, struct cupel__linear_scratch *, const char *subject,
                        size_t len, int64_t *steps);

/* -- Ranges ----------------------------------------------------------------------------------- */

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
