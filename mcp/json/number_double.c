/* number_double.c: converts a JSON number to the nearest double, ties to even.
 *
 * The number is kept as decimal digits and shifted by powers of two until its 53 bits of mantissa
 * stand before the decimal point; then it is rounded once.  This is slower than strtod and depends
 * on nothing: no locale, and only integer arithmetic, so that the floating-point mode of the thread
 * (rounding direction, flush to zero) has no effect. */
#include "mcp/json/number_text.h"

#include <stdint.h>
#include <string.h>

/* DIGITS: 767 significant digits distinguish any double from its neighbours; that
 * more digits followed is remembered in `cut`.  SHIFT: 10 * 2^28 and its carries fit into 64 bits
 * with room to spare.  LEAST and MOST: the exponents of normal doubles, for mantissas below 1. */
enum { DIGITS = 800, SHIFT = 28, MANTISSA = 53, LEAST = -1021, MOST = 1024 };

/* 0.DIGITS × 10^point */
struct decimal {
    uint8_t digits[DIGITS + 16];
    int count;
    int64_t point;
    bool cut; /* digits that are not 0 follow */
};

/* Removes trailing zeros. */
static void trim(struct decimal *d)
{
    while (d->count > 0 && d->digits[d->count - 1] == 0)
        d->count--;
}

/* Appends a digit, or notes that it was cut. */
static void add_digit(struct decimal *d, unsigned digit)
{
    if (d->count < DIGITS)
        d->digits[d->count++] = (uint8_t)digit;
    else
        d->cut |= digit != 0;
}

/* Divides by 2^bits, bits <= SHIFT: long division from the first digit on. */
static void divide(struct decimal *d, unsigned bits)
{
    struct decimal result = {.point = d->point, .cut = d->cut};
    uint64_t rest = 0, mask = ((uint64_t)1 << bits) - 1;
    for (int i = 0; i < d->count || rest != 0; i++) {
        rest = rest * 10 + (i < d->count ? d->digits[i] : 0u);
        unsigned digit = (unsigned)(rest >> bits);
        rest &= mask;
        if (result.count == 0 && digit == 0)
            result.point--;
        else
            add_digit(&result, digit);
        if (result.count == DIGITS && i >= d->count) {
            result.cut |= rest != 0;
            break;
        }
    }
    *d = result;
    trim(d);
}

/* Multiplies by 2^bits, bits <= SHIFT: from the last digit on; `front` takes the digits that the
 * carry adds before the first, last one first. */
static void multiply(struct decimal *d, unsigned bits)
{
    uint8_t front[16];
    int n = 0;
    uint64_t carry = 0;
    for (int i = d->count; i-- > 0;) {
        carry += (uint64_t)d->digits[i] << bits;
        d->digits[i] = (uint8_t)(carry % 10);
        carry /= 10;
    }
    for (; carry != 0; carry /= 10)
        front[n++] = (uint8_t)(carry % 10);
    struct decimal result = {.point = d->point + n, .cut = d->cut};
    while (n > 0)
        add_digit(&result, front[--n]);
    for (int i = 0; i < d->count; i++)
        add_digit(&result, d->digits[i]);
    *d = result;
    trim(d);
}

/* Returns the integer part, rounded to nearest, ties to even. */
static uint64_t round_off(const struct decimal *d)
{
    uint64_t whole = 0;
    int at = (int)d->point; /* >= 0: the number was at least 0.5 before it was multiplied */
    for (int i = 0; i < at; i++)
        whole = whole * 10 + (i < d->count ? d->digits[i] : 0u);
    unsigned next = at < d->count ? d->digits[at] : 0;
    bool more = d->cut || at + 1 < d->count;
    bool up = next > 5 || (next == 5 && (more || (whole & 1)));
    return whole + up;
}

/* Builds an IEEE 754 double.  A mantissa without bit 52 is subnormal (or zero): exponent field 0.
 */
static double assemble(bool negative, uint64_t mantissa, int64_t exponent)
{
    uint64_t bits = mantissa & (((uint64_t)1 << 52) - 1);
    double value;
    if (mantissa >> 52 != 0)
        bits |= (uint64_t)(exponent + 1022) << 52;
    if (negative)
        bits |= (uint64_t)1 << 63;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Scales the number into [0.5, 1) and returns the exponent of two by which it was divided. */
static int64_t normalise(struct decimal *d)
{
    int64_t exponent = 0;
    while (d->point > 0) {
        unsigned bits = d->point > 8 ? SHIFT : d->point > 1 ? 3 : 1;
        divide(d, bits);
        exponent += bits;
    }
    while (d->point < 0 || d->digits[0] < 5) {
        unsigned bits = d->point < -8 ? SHIFT : d->point < 0 ? 3 : 1;
        multiply(d, bits);
        exponent -= bits;
    }
    return exponent;
}

bool cupel__number_double(const char *lexeme, size_t len, double *ret)
{
    struct decimal d;
    bool negative = cupel__number_digits(lexeme, len, d.digits, DIGITS, &d.count, &d.point, &d.cut);
    if (d.count == 0 || d.point < -400) { /* zero, or far below the smallest subnormal */
        *ret = assemble(negative, 0, 0);
        return true;
    }
    if (d.point > 400)
        return false;
    int64_t exponent = normalise(&d);
    int64_t bits = MANTISSA;
    if (exponent < LEAST)
        bits -= LEAST - exponent; /* subnormal: fewer bits of mantissa */
    if (bits < 0) {
        *ret = assemble(negative, 0, 0);
        return true;
    }
    for (int64_t remaining = bits; remaining > 0; remaining -= SHIFT)
        multiply(&d, (unsigned)(remaining < SHIFT ? remaining : SHIFT));
    uint64_t mantissa = round_off(&d);
    if (mantissa >> MANTISSA != 0) { /* rounding carried into a 54th bit */
        mantissa >>= 1;
        exponent++;
    }
    if (exponent > MOST)
        return false;
    *ret = assemble(negative, mantissa, exponent < LEAST ? LEAST : exponent);
    return true;
}
