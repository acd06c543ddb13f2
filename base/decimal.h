/* decimal.h: exact decimals, and equality of JSON values.
 *
 * A number is sign * digits * 10^exp; nothing here uses floating point, and no exponent is ever
 * expanded.  Work is bounded by the digits of the operands. */
#ifndef CUPEL_BASE_DECIMAL_H
#define CUPEL_BASE_DECIMAL_H

#include "base/json/tape.h"

/* A view of a decimal.  Small: the value is i * 10^exp.  Big (digits != NULL): `ndigits`
 * significant decimal digits, first and last not '0', with at most one '.' among the bytes to be
 * skipped. */
struct cupel__dec {
    int64_t i;          /* small */
    const char *digits; /* NULL: small */
    uint32_t ndigits;   /* big: digits, the '.' not counted */
    uint32_t chars;     /* that were read to know it, 0: the node had it */
    bool negative;      /* big */
    int64_t exp;        /* of the last digit */
};

/* Of the text of a number, read and calculated with: zeros that are no digits take time too. */
enum { CUPEL__CHARS_A_STEP = 2 };

/* The value of a JSON number token.  False if its exponent is beyond +-2^40 (nothing is decided
 * about such a number), otherwise *ret is normalised: zero is {0}, and 10 does not divide the
 * digits. */
bool cupel__dec_parse(const char *p, size_t n, struct cupel__dec *ret);

/* The value of a number node.  False as above.  An integer node gives its i with exponent 0,
 * trailing zeros and all; everything below takes that as well as the normalised form. */
bool cupel__dec_node(const struct cupel__doc *, const struct cupel__node *, struct cupel__dec *ret);

/* Brings a small decimal into the normalised form, the only one of its value. */
void cupel__dec_normalise(struct cupel__dec *);

/* -1, 0 or 1. */
int cupel__dec_cmp(const struct cupel__dec *a, const struct cupel__dec *b);

bool cupel__dec_is_integer(const struct cupel__dec *);

/* Whether a is an integer times b, b > 0 (validation 6.2.1).  1, 0, or -1 when the divisor has more
 * digits than are computed with (nothing is decided). */
int cupel__dec_multiple(const struct cupel__dec *a, const struct cupel__dec *b);

/* A hash that is equal for equal numbers however written (1, 1.0, 10e-1). */
uint64_t cupel__dec_hash(const struct cupel__dec *);

struct cupel__member_index;

/* The work of the comparisons below is counted here; they stop with -1 when it becomes negative. */
struct cupel__budget {
    int64_t remaining;     /* one for each node and for each 32 bytes of string or long number */
    enum cupel_status why; /* after -1: LIMIT_STEPS, LIMIT_NUMBER, LIMIT_STACK, LIMIT_MEMORY */
    struct cupel__member_index
        *index; /* of names in the second document (json/member_index.h), or NULL */
};

/* Takes n from the budget; false when it is spent. */
static inline bool cupel__spend(struct cupel__budget *budget, uint64_t n)
{
    budget->remaining -= (int64_t)n;
    if (budget->remaining < 0)
        budget->why = CUPEL_E_LIMIT_STEPS;
    return budget->remaining >= 0;
}

/* Equality of JSON values (core 4.2.2): 1 equal, 0 not, -1 undecided (budget->why: the budget; a
 * number out of range; objects more than 256 deep whose members are in different orders; the index
 * wants to grow). No recursion on the C stack; no allocation. */
int cupel__json_equal(struct cupel__doc *a, uint32_t na, struct cupel__doc *b, uint32_t nb,
                      struct cupel__budget *);

/* Whether the items of array node i are pairwise different: 1, 0, -1 undecided.  `table` is scratch
 * of `ntable` words, a power of two of at least twice the number of items when there are more than
 * CUPEL__UNIQUE_PAIRWISE of them (else unused).  Time grows linearly with the text,
 * equal-length strings included; to confirm that two large objects with reordered members are equal
 * takes longer where the budget has no index.  `key` is the secret of the keyed hash. */
enum { CUPEL__UNIQUE_PAIRWISE = 16 };
int cupel__json_unique(struct cupel__doc *, uint32_t i, uint64_t *table, size_t ntable,
                       const uint64_t key[2], struct cupel__budget *);

/* The hash by which uniqueness is judged: equal values have equal hashes.  False if undecided. */
bool cupel__json_hash(struct cupel__doc *, uint32_t i, const uint64_t key[2],
                      struct cupel__budget *, uint64_t *ret);

#endif
