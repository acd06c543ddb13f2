/* number_double.c: from a JSON number to the nearest double, ties to even.  Decimal digits are
 * shifted by powers of two until the mantissa stands before the point, so there is neither rounding
 * on the way nor a locale.  Only integers are computed with, so the floating-point mode of the
 * thread (rounding direction, flush to zero) has no effect. */
#include "mcp/json/number_text.h"

#include <stdint.h>
#include <string.h>

/* More digits than decide any double; what is cut is remembered. */
enum { DIGITS = 800, SHIFT = 28, MANTISSA = 53, LEAST = -1021, MOST = 1024 };

/* 0.DIGITS × 10^point */
struct decimal {
    uint8_t digits[DIGITS + 16];
    int count;
    int64_t point;
    bool cut; /* digits that are not 0 follow */
};

static void trim(struct decimal *d)
{
    while (d->count > 0 && d->digits[d->count - 1] == 0)
        d->count--;
}

static void add_digit(struct decimal *d, unsigned digit)
{
    if (d->count < DIGITS)
        d->digits[d->count++] = (uint8_t)digit;
    else
        d->cut |= digit != 0;
}

/* Divides by 2^bits, at most 2^SHIFT. */
static void halve(struct decimal *d, unsigned bits)
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

/* Multiplies by 2^bits, at most 2^SHIFT. */
static void enlarge(struct decimal *d, unsigned bits)
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

/* The number before the point, rounded to the nearest, ties to even. */
static uint64_t round_off(const struct decimal *d)
{
    uint64_t whole = 0;
    int at =
        (int)d->point; /* which is not below 0: what is rounded was 0.5 and more, and enlarged */
    for (int i = 0; i < at; i++)
        whole = whole * 10 + (i < d->count ? d->digits[i] : 0u);
    unsigned next = at < d->count ? d->digits[at] : 0;
    bool more = d->cut || at + 1 < d->count;
    bool up = next > 5 || (next == 5 && (more || (whole & 1)));
    return whole + up;
}

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

/* The number is in [0.5, 1) × 2^exponent when this is done. */
static int64_t normalise(struct decimal *d)
{
    int64_t exponent = 0;
    while (d->point > 0) {
        unsigned bits = d->point > 8 ? SHIFT : d->point > 1 ? 3 : 1;
        halve(d, bits);
        exponent += bits;
    }
    while (d->point < 0 || d->digits[0] < 5) {
        unsigned bits = d->point < -8 ? SHIFT : d->point < 0 ? 3 : 1;
        enlarge(d, bits);
        exponent -= bits;
    }
    return exponent;
}

bool cupel__number_double(const char *lexeme, size_t len, double *ret)
{
    struct decimal d;
    bool negative = cupel__number_digits(lexeme, len, d.digits, DIGITS, &d.count, &d.point, &d.cut);
    if (d.count == 0 || d.point < -400) { /* zero, whatever its exponent is */
        *ret = assemble(negative, 0, 0);
        return true;
    }
    if (d.point > 400)
        return false;
    int64_t exponent = normalise(&d);
    int64_t bits = MANTISSA;
    if (exponent < LEAST)
        bits -= LEAST - exponent; /* a number so small has fewer bits */
    if (bits < 0) {
        *ret = assemble(negative, 0, 0);
        return true;
    }
    for (int64_t left = bits; left > 0; left -= SHIFT)
        enlarge(&d, (unsigned)(left < SHIFT ? left : SHIFT));
    uint64_t mantissa = round_off(&d);
    if (mantissa >> MANTISSA != 0) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent > MOST)
        return false;
    *ret = assemble(negative, mantissa, exponent < LEAST ? LEAST : exponent);
    return true;
}
