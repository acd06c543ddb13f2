/* canonical_number.c: numbers in canonical JSON (RFC 8785 section 3.2.2.3): the shortest text that
 * reads back as the same binary64, laid out as ECMAScript does it.
 *
 * A decimal of at most 15 significant digits is such a text already, as long as it is far from the
 * ends of the range; that is every number one meets, and number_text.c lays it out.  The others go
 * through the C library, by texts without a radix character, so that no locale has a say. */
#include "canonical.h"

#include "number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAFE_DIGITS = 15,
    SAFE_EXPONENT = 290, /* 15 digits fewer than the range has at its lower end, and some */
    MOST_DIGITS = 17,    /* that a binary64 needs */
    MOST_BYTES = 1100    /* of a lexeme that is looked at: one that is longer is exact */
};

/* The digits of a number, and the power of ten of the last one. */
struct digits {
    char text[MOST_BYTES + 32];
    size_t count; /* without zeros at either end */
    long exponent;
};

/* Takes the lexeme apart; false if it is too long, or its exponent is. */
static bool take_digits(const char *lexeme, size_t len, struct digits *ret)
{
    bool after_point = false;
    size_t i = lexeme[0] == '-';
    *ret = (struct digits){.count = 0};
    if (len > MOST_BYTES)
        return false;
    for (; i < len && (lexeme[i] | 0x20) != 'e'; i++) {
        if (lexeme[i] == '.') {
            after_point = true;
            continue;
        }
        ret->exponent -= after_point;
        if (ret->count != 0 || lexeme[i] != '0')
            ret->text[ret->count++] = lexeme[i];
    }
    if (i < len && len - i > 8)
        return false;
    if (i < len)
        ret->exponent += strtol(lexeme + i + 1, NULL, 10);
    while (ret->count != 0 && ret->text[ret->count - 1] == '0') {
        ret->count--;
        ret->exponent++;
    }
    return true;
}

static bool is_safe(const struct digits *digits)
{
    return digits->count <= SAFE_DIGITS && labs(digits->exponent) <= SAFE_EXPONENT;
}

static double nearest(struct digits *digits)
{
    snprintf(digits->text + digits->count, sizeof(digits->text) - digits->count, "e%ld",
             digits->exponent);
    return strtod(digits->text, NULL);
}

/* Writes x with `count` significant digits as DIGITSeEXPONENT. */
static void write_digits(double x, int count, char *ret, size_t size)
{
    char text[40], digits[sizeof(text)];
    int n = 0;
    snprintf(text, sizeof(text), "%.*e", count - 1, x);
    const char *mark = strchr(text, 'e');
    for (const char *p = text; p < mark; p++) /* the radix character may be any */
        if ((unsigned)*p - '0' < 10)
            digits[n++] = *p;
    digits[n] = '\0';
    snprintf(ret, size, "%se%ld", digits, strtol(mark + 1, NULL, 10) - (n - 1));
}

void cupel__canonical_number(struct cupel_text *text, const char *lexeme, size_t len)
{
    struct digits digits;
    char shortest[64];
    bool exact = !take_digits(lexeme, len, &digits) || digits.count == 0 || is_safe(&digits);
    /* Integers stay apart where binary64 would not hold them: see pin.h. */
    exact = exact || (digits.exponent >= 0 && digits.count > SAFE_DIGITS);
    double x = exact ? 0 : nearest(&digits);
    if (exact || x == 0 || isinf(x)) {
        cupel__number_shortest(text, lexeme, len);
        return;
    }
    int count = 0;
    do
        write_digits(x, ++count, shortest, sizeof(shortest));
    while (count < MOST_DIGITS && strtod(shortest, NULL) != x);
    cupel_text_adds(text, lexeme[0] == '-' ? "-" : "");
    cupel__number_shortest(text, shortest, strlen(shortest));
}
