/* numbers.c: numbers of a JSON text (RFC 8259 section 6), for stage 2: exact, without floating
 * point.
 *
 * Most numbers have few digits and are read eight digits at a time: a load, a test of all eight
 * bytes at once, and three multiplications.  A number with more significant digits than fit, or
 * with zeros after the point that make it look so, takes a second, slower pass over its token.  A
 * value that does not fit the node even then is marked CUPEL__BIG, and base/decimal.c reads the
 * token when a keyword needs it. */
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/json/reader.h"

enum {
    DIGITS_FAST = 18,    /* digits that always fit int64_t */
    EXPONENT_DIGITS = 15 /* of an exponent that is read; one with more counts as infinite */
};

/* The infinite exponent: beyond any number of digits and any exponent that is read. */
#define EXPONENT_FAR ((int64_t)1 << 60)

/* Reads a run of digits behind those that *value has.  *value is meaningful for up to 19 digits in
 * all. */
static inline const char *read_digits(const char *p, uint64_t *value)
{
    for (;;) {
        uint64_t word = cupel__load64(p);
        unsigned n = cupel__count_digits(word);
        if (n == 0)
            return p;
        *value = *value * cupel__powers_of_ten[n] + cupel__join_digits(word, n);
        p += n;
        if (n < 8)
            return p;
    }
}

/* The address of the first byte from p on that is not '0'. */
static inline const char *skip_zeros(const char *p)
{
    for (;; p += 8) {
        const uint64_t word = cupel__load64(p) ^ 0x3030303030303030u;
        if (word != 0)
            return p + __builtin_ctzll(word) / 8;
    }
}

/* Reads an exponent after its 'e'; NULL if it is malformed. */
static const char *read_exponent(const char *p, int64_t *ret)
{
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    const uint64_t word = cupel__load64(p);
    const unsigned n = cupel__count_digits(word);
    if (n == 0)
        return NULL;
    if (n < 8) {
        *ret = (int64_t)cupel__join_digits(word, n);
        *ret = negative ? -*ret : *ret;
        return p + n;
    }
    while (*p == '0')
        p++;
    int64_t value = 0;
    const char *first = p;
    for (; cupel__is_digit(*p); p++)
        if (p - first < EXPONENT_DIGITS)
            value = value * 10 + (*p - '0');
    if (p - first > EXPONENT_DIGITS)
        value = EXPONENT_FAR;
    *ret = negative ? -value : value;
    return p;
}

static void set_number(struct cupel__node *node, enum cupel__type type, uint64_t magnitude,
                       bool negative)
{
    node->type = (uint8_t)type;
    node->i = negative ? (int64_t)-magnitude : (int64_t)magnitude;
}

static void set_big(struct cupel__node *node, enum cupel__type type)
{
    node->type = (uint8_t)type;
    node->flags = CUPEL__BIG;
    node->i = 0;
}

/* Writes the value magnitude * 10^exp of a token with a fraction or an exponent: an integer or a
 * real if it fits the node, otherwise BIG.  10 does not divide the magnitude unless it is 0. */
static void set_real(struct cupel__node *node, uint64_t magnitude, int64_t exp, bool negative)
{
    const uint64_t most = (uint64_t)INT64_MAX + negative;
    if (magnitude == 0) {
        set_number(node, CUPEL__INTREAL, 0, false);
    } else if (exp < 0) {
        if (magnitude > most || exp < INT16_MIN) {
            set_big(node, CUPEL__REAL);
            return;
        }
        set_number(node, CUPEL__REAL, magnitude, negative);
        node->exp = (int16_t)exp;
    } else if (exp < 20 && magnitude <= most / cupel__powers_of_ten[exp]) {
        set_number(node, CUPEL__INTREAL, magnitude * cupel__powers_of_ten[exp], negative);
    } else {
        set_big(node, CUPEL__INTREAL);
    }
}

/* The significant digits of a token before its exponent. */
struct significant {
    uint64_t value; /* if there are at most 19 of them */
    uint64_t count;
    int64_t exp; /* of the last one */
};

static struct significant find_significant(const char *p, const char *end)
{
    struct significant s = {0, 0, 0};
    uint64_t zeros = 0; /* since the last other digit */
    bool fraction = false;
    for (; p < end; p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        s.exp -= fraction;
        if (*p == '0') {
            zeros += s.count != 0;
            continue;
        }
        s.count += zeros + 1;
        if (s.count <= 19)
            s.value = s.value * cupel__powers_of_ten[zeros + 1] + (uint64_t)(*p - '0');
        zeros = 0;
    }
    s.exp += (int64_t)zeros;
    return s;
}

/* Reads a token with a fraction or an exponent and more digits than DIGITS_FAST. */
static __attribute__((noinline)) void number_real_slow(const char *p, const char *end, int64_t exp,
                                                       bool negative, struct cupel__node *node)
{
    struct significant s = find_significant(p, end);
    if (s.count <= 19)
        set_real(node, s.value, s.exp + exp, negative);
    else
        set_big(node, s.exp + exp < 0 ? CUPEL__REAL : CUPEL__INTREAL);
}

/* Reads an integer of at least 19 digits, the first of which is not 0. */
static void number_integer_slow(const char *p, const char *end, bool negative,
                                struct cupel__node *node)
{
    uint64_t value = 0;
    if (end - p == 19)
        read_digits(p, &value);
    if (end - p == 19 && value <= (uint64_t)INT64_MAX + negative)
        set_number(node, CUPEL__INT, value, negative);
    else
        set_big(node, CUPEL__BIGINT);
}

/* Reads fraction and exponent after the digits [first, p) of the integer part, whose value is
 * `value`. Returns the address after the number, or NULL if it is malformed. */
static __attribute__((noinline)) const char *number_real(const char *first, const char *p,
                                                         uint64_t value, bool negative,
                                                         struct cupel__node *node)
{
    int64_t exp = 0, written = 0;
    ptrdiff_t digits = p - first;
    if (*p == '.') {
        const char *fraction = p + 1;
        const char *significant = *first == '0' ? skip_zeros(fraction) : first + 1;
        p = read_digits(*first == '0' ? significant : fraction, &value);
        if (p == fraction)
            return NULL;
        exp = fraction - p;
        digits = p - significant;
    }
    const char *end = p;
    if (*p == 'e' || *p == 'E') {
        p = read_exponent(p + 1, &written);
        if (p == NULL)
            return NULL;
    }
    if (digits > DIGITS_FAST) {
        number_real_slow(first, end, written, negative, node);
        return p;
    }
    for (; value != 0 && value % 10 == 0; value /= 10)
        exp++;
    set_real(node, value, exp + written, negative);
    return p;
}

/* Reads the most frequent form of a number with a fraction: up to 7 digits before the point and up
 * to 7 after it, the last of them not 0, and no exponent.  NULL for any other form. */
static inline const char *read_short_real(const char *first, bool negative,
                                          struct cupel__node *node)
{
    uint64_t word = cupel__load64(first);
    unsigned whole = cupel__count_digits(word);
    if (whole - 1 > 6 || first[whole] != '.' || (*first == '0' && whole > 1))
        return NULL;
    const char *fraction = first + whole + 1;
    uint64_t value = cupel__join_digits(word, whole);
    word = cupel__load64(fraction);
    unsigned digits = cupel__count_digits(word);
    if (digits - 1 > 6 || fraction[digits - 1] == '0' || (fraction[digits] | 0x20) == 'e')
        return NULL;
    value = value * cupel__powers_of_ten[digits] + cupel__join_digits(word, digits);
    node->type = CUPEL__REAL;
    node->exp = (int16_t) - (int)digits;
    node->i = ((int64_t)value ^ -(int64_t)negative) + negative;
    return fraction + digits;
}

/* Reads an integer of nine to sixteen digits that takes all n bytes: the first eight digits, and
 * the others from the last eight bytes. */
static inline bool read_medium(const char *p, uint32_t n, uint64_t *ret)
{
    const uint64_t zeros = 0x3030303030303030u, over_nine = 0x0606060606060606u;
    if (n - 9 > 7)
        return false;
    const unsigned known = 8 * (16 - n); /* bits of the last bytes that the first have too */
    const uint64_t first = cupel__load64(p) ^ zeros;
    const uint64_t last = (cupel__load64(p + n - 8) ^ zeros) >> known << known;
    const uint64_t other = first | (first + over_nine) | last | (last + over_nine);
    *ret = cupel__join_shifted(first) * cupel__powers_of_ten[n - 8] + cupel__join_shifted(last);
    return (other & 0xf0f0f0f0f0f0f0f0u) == 0 && *p != '0';
}

const char *cupel__number_read(const char *p, uint32_t n, struct cupel__node *node)
{
    bool negative = *p == '-';
    const char *first = p + negative;
    uint64_t value = 0;
    node->flags = 0;
    node->exp = 0;
    if (read_medium(first, n - negative, &value)) {
        set_number(node, CUPEL__INT, value, negative);
        return first + n - negative;
    }
    p = read_short_real(first, negative, node);
    if (p != NULL)
        return p;
    value = 0;
    p = read_digits(first, &value);
    if (p == first || (*first == '0' && p - first > 1))
        return NULL;
    if (*p == '.' || *p == 'e' || *p == 'E')
        return number_real(first, p, value, negative, node);
    if (p - first > DIGITS_FAST)
        number_integer_slow(first, p, negative, node);
    else
        set_number(node, CUPEL__INT, value, negative);
    return p;
}
