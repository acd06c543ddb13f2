/* number_text.c: JSON numbers in their shortest spelling.
 *
 * All work is on the digits of the lexeme: 0.1 and 1e-1 get one text and nothing is rounded, unlike
 * with doubles.  A number is seen as ±0.DIGITS × 10^point, where DIGITS has no zeros at its ends.
 * The spelling follows ECMAScript's Number::toString: plain digits for 1e-6 <= |n| < 1e21,
 * otherwise an exponent. */
#include "mcp/json/number_text.h"
#include "mcp/text/characters.h"

#include <stdint.h>
#include <string.h>

/* Returns the offset of the first byte from `at` on that is no digit. */
static size_t skip_digits(const char *bytes, size_t len, size_t at)
{
    while (at < len && cupel__mcp_is_digit(bytes[at]))
        at++;
    return at;
}

/* Whether the bytes are a number by the grammar of RFC 8259 section 6.  Returns the number of
 * digits of the exponent, with and without leading zeros. */
static bool is_number(const char *bytes, size_t len, size_t *ret_digits, size_t *ret_significant)
{
    size_t at = len != 0 && bytes[0] == '-', start = at;
    *ret_digits = *ret_significant = 0;
    at = skip_digits(bytes, len, at);
    if (at == start || (bytes[start] == '0' && at - start > 1))
        return false;
    if (at < len && bytes[at] == '.') {
        start = ++at;
        at = skip_digits(bytes, len, at);
        if (at == start)
            return false;
    }
    if (at < len && (bytes[at] | 0x20) == 'e') {
        at++;
        at += at < len && (bytes[at] == '+' || bytes[at] == '-');
        start = at;
        at = skip_digits(bytes, len, at);
        *ret_digits = *ret_significant = at - start;
        while (*ret_significant != 0 && bytes[at - *ret_significant] == '0')
            --*ret_significant;
        if (at == start)
            return false;
    }
    return at == len;
}

bool cupel__number_is_json(const char *bytes, size_t len)
{
    size_t digits, significant;
    return is_number(bytes, len, &digits, &significant) && digits <= 9;
}

/* A number as 0.DIGITS × 10^point; the digits stand in the lexeme, a point perhaps between them. */
struct parts {
    bool negative;
    const char *first, *last; /* the outermost digits that are not 0; NULL if the number is 0 */
    size_t count;             /* of digits from first to last */
    int64_t point;
};

/* Returns the exponent after the letter; one beyond INT64_MAX / 100 stays there. */
static int64_t read_exponent(const char *bytes, size_t len)
{
    bool negative = bytes[0] == '-'; /* there is at least one byte, a digit */
    int64_t value = 0;
    for (size_t i = 0; i < len; i++)
        if (cupel__mcp_is_digit(bytes[i]) && value < INT64_MAX / 100)
            value = value * 10 + (bytes[i] - '0');
    return negative ? -value : value;
}

/* Splits a lexeme that follows the grammar.  The result points into the lexeme. */
static struct parts split_number(const char *lexeme, size_t len)
{
    struct parts parts = {.negative = lexeme[0] == '-'};
    const char *end = lexeme + len, *point = NULL;
    size_t digits = 0, before_first = 0, before_point = 0;
    const char *p = lexeme + parts.negative;
    for (; p < end && (*p | 0x20) != 'e'; p++) {
        if (*p == '.') {
            point = p;
            before_point = digits;
            continue;
        }
        digits++;
        if (*p == '0')
            continue;
        if (parts.first == NULL) {
            parts.first = p;
            before_first = digits - 1;
        }
        parts.last = p;
        parts.count = digits - before_first;
    }
    if (point == NULL)
        before_point = digits;
    parts.point = (int64_t)before_point - (int64_t)before_first;
    if (p < end)
        parts.point += read_exponent(p + 1, (size_t)(end - p - 1));
    return parts;
}

static void add_zeros(struct cupel_text *text, int64_t count)
{
    for (; count > 0; count--)
        cupel_text_adds(text, "0");
}

/* Appends the digits from first to last, with a decimal point after the first `point` of them
 * unless that is all or `point` is negative. */
static void add_digits(struct cupel_text *text, const struct parts *parts, int64_t point)
{
    int64_t count = 0;
    for (const char *p = parts->first; p <= parts->last; p++) {
        if (*p == '.')
            continue;
        if (count++ == point)
            cupel_text_adds(text, ".");
        cupel_text_add(text, p, 1);
    }
}

/* MOST_ZEROS and MOST_WHOLE bound the plain spelling; MOST_EXPONENT digits of an exponent are
 * computed with, more only occur in hostile texts and stay as they are. */
void cupel__number_shortest(struct cupel_text *text, const char *lexeme, size_t len)
{
    enum { MOST_ZEROS = 6, MOST_WHOLE = 21, MOST_EXPONENT = 15 };
    size_t digits, significant;
    bool number = is_number(lexeme, len, &digits, &significant);
    struct parts parts = {.first = NULL};
    if (number)
        parts = split_number(lexeme, len);
    if (number && parts.first == NULL) {
        cupel_text_adds(text, "0");
        return;
    }
    if (!number || significant > MOST_EXPONENT) {
        cupel_text_add(text, lexeme, len);
        return;
    }
    cupel_text_adds(text, parts.negative ? "-" : "");
    if (parts.point > MOST_WHOLE || parts.point <= -MOST_ZEROS) {
        add_digits(text, &parts, 1);
        cupel_text_addf(text, "e%+lld", (long long)(parts.point - 1));
    } else if (parts.point <= 0) {
        cupel_text_adds(text, "0.");
        add_zeros(text, -parts.point);
        add_digits(text, &parts, -1);
    } else {
        add_digits(text, &parts, parts.point);
        add_zeros(text, parts.point - (int64_t)parts.count);
    }
}

bool cupel__number_digits(const char *lexeme, size_t len, uint8_t *ret_digits, int most,
                          int *ret_count, int64_t *ret_point, bool *ret_cut)
{
    struct parts parts = split_number(lexeme, len);
    int count = 0;
    *ret_cut = false;
    for (const char *p = parts.first; p != NULL && p <= parts.last; p++) {
        if (*p == '.')
            continue;
        if (count < most)
            ret_digits[count++] = (uint8_t)(*p - '0');
        else
            *ret_cut = true;
    }
    *ret_count = count;
    *ret_point = parts.point;
    return parts.negative;
}
