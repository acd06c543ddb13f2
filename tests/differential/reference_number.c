/* reference_number.c: decimals of the reference evaluator, as one does them on paper. */
#include "reference_internal.h"

#include <stdio.h>
#include <string.h>

/* Exponents beyond this are not calculated with, so that they never overflow. */
static const long long largest = 1000000000000LL;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The exponent after "e"; saturates. */
static long long read_exponent(const char *p, const char *end)
{
    bool negative = p < end && *p == '-';
    long long e = 0;
    for (; p < end; p++)
        if (is_digit(*p) && e <= largest)
            e = e * 10 + (*p - '0');
    return negative ? -e : e;
}

bool ref_number_read(const char *text, size_t len, struct ref_number *ret)
{
    struct ref_number n = {.negative = text[0] == '-'};
    const char *p = text + n.negative, *end = text + len;
    bool fraction = false;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        fraction = fraction || *p == '.';
        if (!is_digit(*p))
            continue;
        bool leading = n.count == 0 && *p == '0';
        if (!leading && n.count == REF_DIGITS)
            return false;
        n.exponent += leading ? -(long long)fraction : !fraction;
        if (!leading)
            n.digits[n.count++] = *p;
    }
    long long e = p < end ? read_exponent(p + 1, end) : 0;
    while (n.count > 0 && n.digits[n.count - 1] == '0')
        n.count--;
    if (n.count == 0)
        n = (struct ref_number){0};
    else
        n.exponent += e;
    *ret = n;
    return e <= largest && e >= -largest;
}

static int compare_magnitudes(const struct ref_number *a, const struct ref_number *b)
{
    if (a->count == 0 || b->count == 0)
        return (a->count != 0) - (b->count != 0);
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    for (int i = 0; i < a->count || i < b->count; i++) {
        char x = i < a->count ? a->digits[i] : '0', y = i < b->count ? b->digits[i] : '0';
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

int ref_number_compare(const struct ref_number *a, const struct ref_number *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    int order = compare_magnitudes(a, b);
    return a->negative ? -order : order;
}

bool ref_number_is_integer(const struct ref_number *n)
{
    return n->count == 0 || n->exponent >= n->count;
}

/* -- Division --------------------------------------------------------------------------------- */

enum { WIDEST = 4 * REF_DIGITS };

/* A natural number, the most significant digit first. */
struct natural {
    int count;
    char digits[WIDEST];
};

/* digits * 10^zeros; false if that is too wide. */
static bool widen(const struct ref_number *n, long long zeros, struct natural *ret)
{
    if (zeros > WIDEST - n->count)
        return false;
    memcpy(ret->digits, n->digits, (size_t)n->count);
    memset(ret->digits + n->count, '0', (size_t)zeros);
    ret->count = n->count + (int)zeros;
    return true;
}

static bool at_least(const struct natural *a, const struct natural *b)
{
    if (a->count != b->count)
        return a->count > b->count;
    return memcmp(a->digits, b->digits, (size_t)a->count) >= 0;
}

static void drop_leading_zeros(struct natural *a)
{
    int zeros = 0;
    while (zeros < a->count && a->digits[zeros] == '0')
        zeros++;
    a->count -= zeros;
    memmove(a->digits, a->digits + zeros, (size_t)a->count);
}

/* a -= b, where a is not the smaller one. */
static void subtract(struct natural *a, const struct natural *b)
{
    int borrow = 0;
    for (int i = 1; i <= a->count; i++) {
        int digit = a->digits[a->count - i] - '0' - borrow;
        if (i <= b->count)
            digit -= b->digits[b->count - i] - '0';
        borrow = digit < 0;
        a->digits[a->count - i] = (char)('0' + digit + 10 * borrow);
    }
    drop_leading_zeros(a);
}

/* Long division, of which only the remainder is kept. */
static bool divides(const struct natural *a, const struct natural *b)
{
    struct natural rest = {.count = 0};
    for (int i = 0; i < a->count; i++) {
        rest.digits[rest.count++] = a->digits[i];
        drop_leading_zeros(&rest);
        while (at_least(&rest, b))
            subtract(&rest, b);
    }
    return rest.count == 0;
}

int ref_number_is_multiple(const struct ref_number *a, const struct ref_number *b)
{
    struct natural x, y;
    if (a->count == 0)
        return 1;
    /* Both as integers times the same power of ten. */
    long long power = (a->exponent - a->count) - (b->exponent - b->count);
    if (!widen(a, power > 0 ? power : 0, &x) || !widen(b, power < 0 ? -power : 0, &y))
        return -1;
    return divides(&x, &y);
}
