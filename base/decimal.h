/* decimal.h: exact decimal numbers of any size.
 *
 * A number is sign * digits * 10^exp.  Nothing here uses floating point, and no exponent is ever
 * expanded, so the work is bounded by the digits of the operands: 1e1000000 costs as much as 1. */
#ifndef CUPEL_BASE_DECIMAL_H
#define CUPEL_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal, in one of two forms.  Small: the value is i * 10^exp.  Big, if `digits` is not NULL: a
 * view of `ndigits` significant digits in a text that must outlive it; the first and the last are
 * not '0', and at most one '.' may stand between them. */
struct cupel__dec {
    int64_t i;          /* small */
    const char *digits; /* big; NULL: small */
    uint32_t ndigits;   /* big: without the '.' */
    uint32_t chars;     /* characters that were read for the value; 0 if the node had it */
    bool negative;      /* big */
    int64_t exp;        /* of the last digit */
};

extern const uint64_t cupel__powers_of_ten[20];

/* The charge for reading the text of a number and calculating with it: one step for so many
 * characters, zeros included. */
enum { CUPEL__CHARS_A_STEP = 2 };

/* Reads a number token of JSON (RFC 8259 section 6); any other text gives some value, or false.
 * False if the exponent is beyond +-2^40: nothing is decided about such a number.  Otherwise *ret
 * is normalised: zero is {0}, 10 does not divide the digits, and the form is small if they fit. */
bool cupel__dec_parse(const char *p, size_t n, struct cupel__dec *ret);

/* Normalises a small decimal: each value has one normalised form. */
void cupel__dec_normalise(struct cupel__dec *);

/* The order of two numbers: -1, 0 or 1. */
int cupel__dec_cmp(const struct cupel__dec *a, const struct cupel__dec *b);

/* Sets *ret to the order of i * 10^exp and an integer; false where cupel__dec_cmp has to say it. */
static inline bool cupel__dec_order(int64_t i, int64_t exp, int64_t integer, int *ret)
{
    int64_t scaled;
    if (exp > 0 || exp < -18 ||
        __builtin_mul_overflow(integer, (int64_t)cupel__powers_of_ten[-exp], &scaled))
        return false;
    *ret = (i > scaled) - (i < scaled);
    return true;
}

bool cupel__dec_is_integer(const struct cupel__dec *);

/* Whether a is an integer times b, for b > 0 (JSON Schema validation 6.2.1): 1, 0, or -1 if the
 * divisor has more digits than the computation holds (nothing is decided). */
int cupel__dec_multiple(const struct cupel__dec *a, const struct cupel__dec *b);

/* A hash that equal numbers share, however they are written (1, 1.0, 10e-1). */
uint64_t cupel__dec_hash(const struct cupel__dec *);

#endif
