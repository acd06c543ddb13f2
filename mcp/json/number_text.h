/* number_text.h: JSON numbers in their shortest form, and as doubles. */
#ifndef CUPEL_MCP_NUMBER_TEXT_H
#define CUPEL_MCP_NUMBER_TEXT_H

#include <cupel/common.h>
#include <stdbool.h>
#include <stdint.h>

/* Appends the shortest spelling of a JSON number, exactly: 3 for 3.0 and 30e-1, 0.1 for 1e-1, 1e+21
 * for a one with 21 zeros.  Equal numbers give equal texts.  Zero with any exponent is 0.  A
 * number other than zero whose exponent has more than 15 significant digits keeps its spelling. */
void cupel__number_shortest(struct cupel_text *text, const char *lexeme, size_t len);

/* Whether the bytes are a number by the grammar of RFC 8259 section 6, with at most nine digits in
 * its exponent. */
bool cupel__number_is_json(const char *bytes, size_t len);

/* Splits a lexeme into ±0.DIGITS × 10^point, DIGITS without zeros at either end; zero has no
 * digits. Stores at most `most` digits; *ret_cut says whether there are more.  Returns whether the
 * number is negative. */
bool cupel__number_digits(const char *lexeme, size_t len, uint8_t *ret_digits, int most,
                          int *ret_count, int64_t *ret_point, bool *ret_cut);

/* Converts to the nearest double, ties to even (number_double.c); false if the number is too large.
 * Uses integer arithmetic only: the host's floating-point mode has no effect. */
bool cupel__number_double(const char *lexeme, size_t len, double *ret);

#endif
