/* decimal.h: exact decimals, and equality of JSON values.
 *
 * A number is sign * digits * 10^exp; nothing here uses floating point, and no exponent is ever
 * expanded.  Work is bounded by the digits of the operands. */
#ifndef CUPEL_BASE_DECIMAL_H
#define CUPEL_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

extern const uint64_t cupel__powers_of_ten[20];

/* Of the text of a number, read and calculated with: zeros that are no digits take time too. */
enum { CUPEL__CHARS_A_STEP = 2 };

/* The value of a JSON number token.  False if its exponent is beyond +-2^40 (nothing is decided
 * about such a number), otherwise *ret is normalised: zero is {0}, and 10 does not divide the
 * digits. */
bool cupel__dec_parse(const char *p, size_t n, struct cupel__dec *ret);

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

#endif
