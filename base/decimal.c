/* decimal.c: exact decimals: parsing, comparison, integrality, divisibility and a hash.
 *
 * A decimal has two forms, small and big (base/decimal.h).  It is normalised if 10 does not divide
 * its digits; then it is small exactly if the digits fit int64_t, and each value has one
 * representation.  Integers that come straight from the tape are the one exception: small, exponent
 * 0, perhaps with trailing zeros.  Every function here takes both.
 *
 * Nearly all numbers are small, and small ones are compared and divided with a few instructions.
 * The big form allocates nothing: digits are read from the text, and a divisor that does not fit a
 * word goes into a fixed array (struct big). */
#include "base/decimal.h"
#include "base/ascii.h"
#include "base/hash.h"

#include <string.h>

#define EXP_MAX ((int64_t)1 << 40)

/* clang-format off */
const uint64_t cupel__powers_of_ten[20] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
    100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u};
/* clang-format on */

static uint64_t magnitude(int64_t i)
{
    return i < 0 ? -(uint64_t)i : (uint64_t)i;
}

void cupel__dec_normalise(struct cupel__dec *d)
{
    if (d->digits != NULL || d->i == 0)
        return;
    while (d->i % 10 == 0) {
        d->i /= 10;
        d->exp++;
    }
}

/* -- Parsing ---------------------------------------------------------------------------------- */

/* Reads the next n <= 19 digits; skips a '.' before any of them. */
static uint64_t take_digits(const char **p, unsigned n)
{
    uint64_t value = 0;
    for (; n > 0; n--, ++*p) {
        if (**p == '.')
            ++*p;
        value = value * 10 + (uint64_t)(**p - '0');
    }
    return value;
}

/* The part of a token before its exponent. */
struct mantissa {
    const char *first; /* the first digit that is not 0; NULL if the value is zero */
    uint32_t ndigits;  /* from there to the last digit that is not 0 */
    int64_t exp;       /* of that last digit, the written exponent apart */
};

/* Finds the significant digits; returns the position of the exponent's 'e', or `end`. */
static const char *scan_mantissa(const char *p, const char *end, struct mantissa *ret)
{
    struct mantissa m = {NULL, 0, 0};
    uint32_t seen = 0; /* digits from m.first to here */
    int64_t fraction = 0;
    bool in_fraction = false;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            in_fraction = true;
            continue;
        }
        fraction += in_fraction;
        if (*p != '0') {
            if (m.first == NULL)
                m.first = p;
            m.ndigits = seen + 1;
        }
        seen += m.first != NULL;
    }
    m.exp = (int64_t)(seen - m.ndigits) - fraction;
    *ret = m;
    return p;
}

/* The exponent that begins with the 'e' at p, or 0 if p is `end`.  Saturates just beyond EXP_MAX,
 * and ends with the first character that is no digit, so no text can overflow it. */
static int64_t scan_exponent(const char *p, const char *end)
{
    if (p == end)
        return 0;
    p++;
    bool negative = p < end && *p == '-';
    if (p < end && !cupel__is_digit(*p))
        p++;
    int64_t value = 0;
    for (; p < end && cupel__is_digit(*p) && value <= EXP_MAX; p++)
        value = value * 10 + (*p - '0');
    if (value > EXP_MAX)
        value = EXP_MAX + 1;
    return negative ? -value : value;
}

/* Reads the digits into the small form, if they fit it. */
static bool read_small(const struct mantissa *m, bool negative, int64_t *ret)
{
    if (m->ndigits > 19)
        return false;
    const char *p = m->first;
    uint64_t value = take_digits(&p, m->ndigits);
    if (value > (uint64_t)INT64_MAX + negative)
        return false;
    *ret = negative ? (int64_t)-value : (int64_t)value;
    return true;
}

bool cupel__dec_parse(const char *p, size_t n, struct cupel__dec *ret)
{
    const char *const end = p + n;
    bool negative = n > 0 && *p == '-';
    struct mantissa m;
    p = scan_mantissa(p + negative, end, &m);
    int64_t exp = scan_exponent(p, end);
    struct cupel__dec d = {.chars = (uint32_t)n};
    if (m.first != NULL) { /* otherwise it is zero with any exponent */
        if (exp > EXP_MAX || exp < -EXP_MAX)
            return false;
        d.exp = exp + m.exp;
        if (!read_small(&m, negative, &d.i)) {
            d.digits = m.first;
            d.ndigits = m.ndigits;
            d.negative = negative;
        }
    }
    *ret = d;
    return true;
}

/* -- Comparison ------------------------------------------------------------------------------- */

static int sign(const struct cupel__dec *d)
{
    if (d->digits != NULL)
        return d->negative ? -1 : 1;
    return (d->i > 0) - (d->i < 0);
}

/* Compares x * 10^exp with y, both greater than 0, exp >= 0.  A product that does not fit a word is
 * greater than any y, and so is any product with 10^19. */
static int cmp_scaled(uint64_t x, int64_t exp, uint64_t y)
{
    if (exp > 18 || __builtin_mul_overflow(x, cupel__powers_of_ten[exp], &x))
        return 1;
    return (x > y) - (x < y);
}

/* Compares |a| and |b|. */
static int cmp_small(const struct cupel__dec *a, const struct cupel__dec *b)
{
    uint64_t x = magnitude(a->i), y = magnitude(b->i);
    if (a->exp >= b->exp)
        return cmp_scaled(x, a->exp - b->exp, y);
    return -cmp_scaled(y, b->exp - a->exp, x);
}

/* The digits of |d|, first and last not '0', and the exponent of the last one. */
struct digits {
    const char *p;
    uint32_t n;
    int64_t exp;
    char small[20];
};

/* Gives the digits of |from|; those of a small decimal are written into ret->small. */
static void spell_digits(const struct cupel__dec *from, struct digits *ret)
{
    struct cupel__dec d = *from;
    cupel__dec_normalise(&d);
    ret->exp = d.exp;
    ret->p = d.digits;
    ret->n = d.ndigits;
    if (d.digits != NULL)
        return;
    char *p = ret->small + sizeof ret->small;
    for (uint64_t i = magnitude(d.i); i != 0; i /= 10)
        *--p = (char)('0' + i % 10);
    ret->p = p;
    ret->n = (uint32_t)(ret->small + sizeof ret->small - p);
}

/* Compares the digits as fractions 0.d1d2d3…  The last digit is not 0, so of a number and its
 * prefix the longer is the greater. */
static int cmp_digits(const struct digits *a, const struct digits *b)
{
    const char *p = a->p, *q = b->p;
    for (uint32_t n = a->n < b->n ? a->n : b->n; n > 0; n--, p++, q++) {
        p += *p == '.';
        q += *q == '.';
        if (*p != *q)
            return *p < *q ? -1 : 1;
    }
    return (a->n > b->n) - (a->n < b->n);
}

/* Small decimals with the same exponent, nearly all that are compared, take the first branch. */
int cupel__dec_cmp(const struct cupel__dec *a, const struct cupel__dec *b)
{
    bool small = a->digits == NULL && b->digits == NULL;
    if (small && a->exp == b->exp)
        return (a->i > b->i) - (a->i < b->i);
    int sa = sign(a), sb = sign(b);
    if (sa != sb)
        return sa < sb ? -1 : 1;
    if (sa == 0)
        return 0;
    if (small)
        return cmp_small(a, b) * sa;
    struct digits x, y;
    spell_digits(a, &x);
    spell_digits(b, &y);
    int64_t ex = x.exp + x.n, ey = y.exp + y.n; /* 10^(ex-1) <= |a| < 10^ex */
    int order = ex != ey ? (ex < ey ? -1 : 1) : cmp_digits(&x, &y);
    return order * sa;
}

bool cupel__dec_is_integer(const struct cupel__dec *d)
{
    return d->exp >= 0;
}

/* -- Divisibility ----------------------------------------------------------------------------- */

/* With a = x * 10^p and b = y * 10^q, 10 not dividing x, and k = p - q:  a / b = x * 10^k / y.
 *
 * If k < 0, that is not an integer.  Otherwise divide y by its factors two and five, by at most k
 * of each: 10^k cancels exactly these.  The rest of y must divide x, because it either has no
 * factor two (five) left, or all k twos (fives) of 10^k are used up. */

static uint64_t strip_twos_and_fives(uint64_t y, int64_t k)
{
    int twos = __builtin_ctzll(y);
    y >>= twos < k ? twos : k;
    for (int64_t fives = k; fives > 0 && y % 5 == 0; fives--)
        y /= 5;
    return y;
}

/* (a + b) mod m for a, b < m, where a + b may not fit a word. */
static uint64_t add_mod(uint64_t a, uint64_t b, uint64_t m)
{
    return a >= m - b ? a - (m - b) : a + b;
}

/* (rest * 10 + digit) mod m for rest < m and m > 9, by additions alone: a product would need 128
 * bits. */
static uint64_t mod_digit(uint64_t rest, uint64_t digit, uint64_t m)
{
    uint64_t twice = add_mod(rest, rest, m), times_5 = add_mod(add_mod(twice, twice, m), rest, m);
    return add_mod(add_mod(times_5, times_5, m), digit, m);
}

/* |x| mod m: nine digits at a time where m has 32 bits, so that a remainder and nine digits fit a
 * word, otherwise one. */
static uint64_t mod_word(const struct cupel__dec *x, uint64_t m)
{
    if (x->digits == NULL)
        return magnitude(x->i) % m;
    const unsigned most = m <= UINT32_MAX ? 9 : 1;
    const char *p = x->digits;
    uint64_t rest = 0;
    for (uint32_t left = x->ndigits; left > 0;) {
        unsigned n = left < most ? left : most;
        uint64_t digits = take_digits(&p, n);
        rest =
            most == 1 ? mod_digit(rest, digits, m) : (rest * cupel__powers_of_ten[n] + digits) % m;
        left -= n;
    }
    return rest;
}

/* An unsigned integer, for divisors that do not fit a word: enough for LIMBS_DIGITS decimal digits,
 * more than a number may have at the default bound of 1,024 characters. */
enum { LIMBS = 112, LIMBS_DIGITS = 1078 };

struct big {
    uint32_t n; /* limbs in use; the highest is not 0 */
    uint32_t limb[LIMBS + 1];
};

/* b = b * factor + add. */
static void big_mul_add(struct big *b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (uint32_t i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        b->limb[b->n++] = (uint32_t)carry;
}

/* Divides by a word if the remainder is 0; otherwise returns false and changes nothing. */
static bool big_div_exact(struct big *b, uint32_t divisor)
{
    struct big quotient = {.n = b->n};
    uint64_t rest = 0;
    for (uint32_t i = b->n; i-- > 0;) {
        rest = rest << 32 | b->limb[i];
        quotient.limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    if (rest != 0)
        return false;
    if (quotient.limb[quotient.n - 1] == 0)
        quotient.n--;
    *b = quotient;
    return true;
}

/* Divides by powers of a prime, the greatest first, as long as the remainder is 0 and at most k
 * factors in all. */
static void big_strip(struct big *b, int64_t k, const uint32_t powers[], const int exponents[])
{
    for (int i = 0; i < 3; i++) {
        while (k >= exponents[i] && big_div_exact(b, powers[i]))
            k -= exponents[i];
    }
}

static void big_strip_twos_and_fives(struct big *b, int64_t k)
{
    static const uint32_t twos[] = {1u << 31, 1u << 6, 2}, fives[] = {1220703125, 625, 5};
    static const int two_exponents[] = {31, 6, 1}, five_exponents[] = {13, 4, 1};
    big_strip(b, k, twos, two_exponents);
    big_strip(b, k, fives, five_exponents);
}

/* Shifts left until the highest bit of the highest limb is set, which the estimate in big_mod_step
 * needs; returns the shift. */
static unsigned big_align(struct big *b)
{
    unsigned shift = (unsigned)__builtin_clz(b->limb[b->n - 1]);
    big_mul_add(b, 1u << shift, 0);
    return shift;
}

/* Subtracts q * b from as many limbs of r as b has; returns the carry to subtract from the next. */
static uint32_t big_sub_mul(uint32_t *r, const struct big *b, uint32_t q)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        carry += (uint64_t)q * b->limb[i];
        uint32_t low = (uint32_t)carry;
        carry = (carry >> 32) + (r[i] < low);
        r[i] -= low;
    }
    return (uint32_t)carry;
}

/* Reduces r modulo b; r has one limb more than b and is less than b * 10^9.  This is long division
 * with a quotient of one limb (Knuth, volume 2, algorithm D), estimated from the highest limbs. The
 * estimate is never too small.  As b's highest bit is set, it exceeds r / b by at most r / b *
 * 2^-31, which is less than a half; so it is too large by one at most. */
static void big_mod_step(uint32_t *r, const struct big *b)
{
    const uint32_t n = b->n;
    uint64_t top = (uint64_t)r[n] << 32 | r[n - 1];
    uint32_t left = big_sub_mul(r, b, (uint32_t)(top / b->limb[n - 1]));
    if (r[n] != left) { /* r is negative: q was too large by one */
        uint64_t sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            sum += (uint64_t)r[i] + b->limb[i];
            r[i] = (uint32_t)sum;
            sum >>= 32;
        }
    }
    r[n] = 0;
}

/* Whether b divides the number with these digits: long division, nine digits at a time.  Remainder
 * and digits are scaled by the shift that aligns b.  Changes b. */
static bool big_divides(struct big *b, const struct digits *x)
{
    uint32_t r[LIMBS + 1] = {0};
    const unsigned shift = big_align(b);
    const char *p = x->p;
    for (uint32_t left = x->n; left > 0;) {
        unsigned n = left < 9 ? left : 9;
        uint64_t carry = take_digits(&p, n) << shift;
        for (uint32_t i = 0; i <= b->n; i++) {
            carry += (uint64_t)r[i] * (uint32_t)cupel__powers_of_ten[n];
            r[i] = (uint32_t)carry;
            carry >>= 32;
        }
        big_mod_step(r, b);
        left -= n;
    }
    uint32_t any = 0;
    for (uint32_t i = 0; i < b->n; i++)
        any |= r[i];
    return any == 0;
}

/* cupel__dec_multiple for a big divisor y; k as above. */
static int multiple_big(const struct cupel__dec *x, const struct cupel__dec *y, int64_t k)
{
    if (y->ndigits > LIMBS_DIGITS)
        return -1;
    struct big b = {0};
    const char *p = y->digits;
    for (uint32_t left = y->ndigits; left > 0;) {
        unsigned n = left < 9 ? left : 9;
        big_mul_add(&b, (uint32_t)cupel__powers_of_ten[n], (uint32_t)take_digits(&p, n));
        left -= n;
    }
    big_strip_twos_and_fives(&b, k);
    if (b.n <= 2)
        return mod_word(x, (uint64_t)b.limb[1] << 32 | b.limb[0]) == 0;
    struct digits digits;
    spell_digits(x, &digits);
    return big_divides(&b, &digits);
}

int cupel__dec_multiple(const struct cupel__dec *a, const struct cupel__dec *b)
{
    if (b->digits == NULL && b->i <= 0)
        return -1; /* the contract excludes it, and dividing by zero would trap */
    if (a->digits == NULL && b->digits == NULL && a->exp == b->exp)
        return magnitude(a->i) % magnitude(b->i) == 0;
    if (sign(a) == 0)
        return 1;
    struct cupel__dec x = *a;
    if (x.exp < b->exp)
        cupel__dec_normalise(&x);
    const int64_t k = x.exp - b->exp;
    if (k < 0)
        return 0;
    if (b->digits != NULL)
        return multiple_big(&x, b, k);
    return mod_word(&x, strip_twos_and_fives(magnitude(b->i), k)) == 0;
}

/* -- Hash ------------------------------------------------------------------------------------- */

uint64_t cupel__dec_hash(const struct cupel__dec *from)
{
    struct cupel__dec d = *from;
    cupel__dec_normalise(&d);
    if (d.digits == NULL)
        return cupel__hash_add(cupel__hash_add(0, (uint64_t)d.i), (uint64_t)d.exp);
    uint64_t h = cupel__hash_add(d.negative, d.ndigits);
    const char *p = d.digits;
    for (uint32_t left = d.ndigits; left > 0;) {
        unsigned n = left < 18 ? left : 18;
        h = cupel__hash_add(h, take_digits(&p, n));
        left -= n;
    }
    return cupel__hash_add(h, (uint64_t)d.exp);
}
