/* shortest.h: the shortest decimal text of a double. */
#ifndef CUPEL_BASE_SHORTEST_H
#define CUPEL_BASE_SHORTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a text written by cupel__shortest_write: sign, 17 digits, point, "e-324". */
enum { CUPEL__SHORTEST_BYTES = 32 };

/* Writes the bits of a binary64 as a JSON number: the fewest digits whose nearest double, ties to
 * even, is this one, and of those the nearest to it; ".0" after an integer below 1e16, an exponent
 * beyond that and below 1e-4.  Returns the length, or 0 for an infinity or a NaN.  Integers are all
 * that it computes with, so rounding modes and locales do not matter. */
size_t cupel__shortest_write(uint64_t bits, char out[CUPEL__SHORTEST_BYTES]);

#endif
