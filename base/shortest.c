/* shortest.c: the shortest decimal text of a double, by exact arithmetic.
 *
 * A double stands for an interval of reals, which ends half way to its neighbours.  The value and
 * both ends are written out exactly as decimals (large integers in limbs of nine digits, with one
 * power of ten in common).  Then texts of one digit, two digits, … are tried: the value rounded
 * down and rounded up.  The first that lies in the interval is the answer; 17 digits always
 * suffice.
 *
 * Values near 1 need a handful of limbs and well under a microsecond; the smallest doubles need 90
 * limbs. */
#include "base/shortest.h"
#include <string.h>

enum {
    LIMB_DIGITS = 9,
    LIMB = 1000000000,
    LIMBS = 90, /* (2^55) * 5^1076 has 768 digits, 2^1025 has 309 */
    DIGITS = LIMBS * LIMB_DIGITS,
    MANTISSA_BITS = 52,
    EXPONENT_MAX = 0x7ff,
    EXPONENT_BIAS = 1075, /* of the mantissa as an integer */
    MOST_DIGITS = 17
};

/* A natural number, the lowest limb first. */
struct big {
    uint32_t limb[LIMBS];
    int n;
};

/* Decimal digits, the highest first. */
struct digits {
    uint8_t digit[DIGITS];
    int n;
};

static void big_set(struct big *b, uint64_t value)
{
    for (b->n = 0; value != 0; value /= LIMB)
        b->limb[b->n++] = (uint32_t)(value % LIMB);
}

static void big_multiply(struct big *b, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * by;
        b->limb[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    for (; carry != 0; carry /= LIMB)
        b->limb[b->n++] = (uint32_t)(carry % LIMB);
}

/* b times base^exp, `chunk` being the largest power of base in 32 bits, base^chunk_exp. */
static void big_scale(struct big *b, uint32_t base, int exp, uint32_t chunk, int chunk_exp)
{
    for (; exp >= chunk_exp; exp -= chunk_exp)
        big_multiply(b, chunk);
    for (; exp > 0; exp--)
        big_multiply(b, base);
}

/* value * 2^exp2, without the power of ten 10^exp2 if exp2 is negative. */
static void big_make(struct big *b, uint64_t value, int exp2)
{
    big_set(b, value);
    if (exp2 >= 0)
        big_scale(b, 2, exp2, (uint32_t)1 << 29, 29);
    else
        big_scale(b, 5, -exp2, 1220703125, 13);
}

/* The digits of b, filled up with zeros before them to at least n. */
static void digits_of(const struct big *b, int n, struct digits *ret)
{
    uint8_t reversed[DIGITS] = {0};
    int have = 0;
    for (int i = 0; i < b->n; i++) {
        uint32_t limb = b->limb[i];
        for (int k = 0; k < LIMB_DIGITS; k++, limb /= 10)
            reversed[have++] = (uint8_t)(limb % 10);
    }
    while (have > 0 && reversed[have - 1] == 0)
        have--;
    ret->n = have > n ? have : n;
    for (int i = 0; i < ret->n; i++) {
        int place = ret->n - 1 - i;
        ret->digit[i] = place < have ? reversed[place] : 0;
    }
}

/* The interval of a double: its value and ends have the same number of digits. */
struct interval {
    struct digits low, value, high;
    bool closed; /* the ends belong to it: they round to an even mantissa */
};

/* -1, 0 or 1: the first n digits of `prefix`, followed by zeros, against `whole`. */
static int compare_prefix(const uint8_t *prefix, int n, const struct digits *whole)
{
    int order = memcmp(prefix, whole->digit, (size_t)n);
    if (order != 0)
        return order < 0 ? -1 : 1;
    for (int i = n; i < whole->n; i++)
        if (whole->digit[i] != 0)
            return -1;
    return 0;
}

static bool is_inside(const struct interval *v, const uint8_t *prefix, int n)
{
    int low = compare_prefix(prefix, n, &v->low), high = compare_prefix(prefix, n, &v->high);
    return v->closed ? low >= 0 && high <= 0 : low > 0 && high < 0;
}

/* Adds one to the last of n digits; false if that carries out of the first. */
static bool increment(uint8_t *prefix, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        if (prefix[i] < 9) {
            prefix[i]++;
            return true;
        }
        prefix[i] = 0;
    }
    return false;
}

/* Whether the digits of the value after the first n are nearer to rounding up; a half goes to the
 * even digit. */
static bool rounds_up(const struct digits *value, int n)
{
    if (n >= value->n || value->digit[n] != 5)
        return n < value->n && value->digit[n] > 5;
    for (int i = n + 1; i < value->n; i++)
        if (value->digit[i] != 0)
            return true;
    return n > 0 && (value->digit[n - 1] & 1) != 0;
}

/* The shortest digits inside the interval, into `out`; returns how many.  All three numbers have a
 * leading zero in common, so that rounding up cannot carry out. */
static int choose_digits(const struct interval *v, uint8_t out[MOST_DIGITS + 2])
{
    int first = 0;
    while (v->value.digit[first] == 0)
        first++;
    for (int n = first > 0 ? first : 1; n <= first + MOST_DIGITS; n++) {
        uint8_t down[MOST_DIGITS + 2] = {0}, up[MOST_DIGITS + 2];
        for (int i = 0; i < n && i < v->value.n; i++)
            down[i] = v->value.digit[i];
        memcpy(up, down, sizeof up);
        bool up_fits = increment(up, n) && is_inside(v, up, n);
        bool down_fits = is_inside(v, down, n);
        if (!up_fits && !down_fits)
            continue;
        memcpy(out, up_fits && (!down_fits || rounds_up(&v->value, n)) ? up : down, sizeof up);
        return n;
    }
    return 0;
}

/* Fills in the interval of mantissa * 2^exp2; returns the power of ten of the last digit. */
static int make_interval(uint64_t mantissa, int exp2, bool lowest_of_its_power,
                         struct interval *ret)
{
    struct big low, value, high;
    const int quarter = lowest_of_its_power ? 2 : 1; /* the neighbour below is half as far */
    const uint64_t scaled = mantissa << quarter;
    const int exp = exp2 - quarter;
    big_make(&high, scaled + (lowest_of_its_power ? 2 : 1), exp);
    big_make(&value, scaled, exp);
    big_make(&low, scaled - 1, exp);
    const int n = high.n * LIMB_DIGITS + 1; /* a leading zero at least */
    digits_of(&high, 0, &ret->high);
    const int width = ret->high.n + 1 < n ? ret->high.n + 1 : n;
    digits_of(&high, width, &ret->high);
    digits_of(&value, width, &ret->value);
    digits_of(&low, width, &ret->low);
    ret->closed = (mantissa & 1) == 0;
    return exp < 0 ? exp : 0;
}

/* -- Layout ---------------------------------------------------------------------------------------
 */

static char *put_exponent(char *p, int exp)
{
    *p++ = 'e';
    *p++ = exp < 0 ? '-' : '+';
    unsigned value = (unsigned)(exp < 0 ? -exp : exp);
    if (value >= 100)
        *p++ = (char)('0' + value / 100);
    if (value >= 10)
        *p++ = (char)('0' + value / 10 % 10);
    *p++ = (char)('0' + value % 10);
    return p;
}

/* n digits of which the first stands for 10^exp. */
static char *put_number(char *p, const char *digits, int n, int exp)
{
    if (exp < -4 || exp >= 16) {
        *p++ = digits[0];
        if (n > 1) {
            *p++ = '.';
            memcpy(p, digits + 1, (size_t)(n - 1));
            p += n - 1;
        }
        return put_exponent(p, exp);
    }
    if (exp < 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = -1; i > exp; i--)
            *p++ = '0';
        memcpy(p, digits, (size_t)n);
        return p + n;
    }
    for (int i = 0; i <= exp || i < n; i++) {
        if (i == exp + 1)
            *p++ = '.';
        *p++ = i < n ? digits[i] : '0';
    }
    if (n <= exp + 1) {
        *p++ = '.';
        *p++ = '0';
    }
    return p;
}

size_t cupel__shortest_write(uint64_t bits, char out[CUPEL__SHORTEST_BYTES])
{
    const int biased = (int)(bits >> MANTISSA_BITS & EXPONENT_MAX);
    const uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    char *p = out;
    if (biased == EXPONENT_MAX)
        return 0;
    if (bits >> 63)
        *p++ = '-';
    if (biased == 0 && fraction == 0) {
        memcpy(p, "0.0", 3);
        return (size_t)(p + 3 - out);
    }
    const uint64_t mantissa = biased != 0 ? fraction | (uint64_t)1 << MANTISSA_BITS : fraction;
    const int exp2 = (biased != 0 ? biased : 1) - EXPONENT_BIAS;
    struct interval v;
    uint8_t digits[MOST_DIGITS + 2];
    char text[MOST_DIGITS + 2] = {0};
    const int exp10 = make_interval(mantissa, exp2, fraction == 0 && biased > 1, &v);
    int n = choose_digits(&v, digits), first = 0, exp = v.value.n - 1 + exp10;
    for (; first < n - 1 && digits[first] == 0; first++)
        exp--;
    while (n > first + 1 && digits[n - 1] == 0)
        n--;
    for (int i = first; i < n; i++)
        text[i - first] = (char)('0' + digits[i]);
    return (size_t)(put_number(p, text, n - first, exp) - out);
}
