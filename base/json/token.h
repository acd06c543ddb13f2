/* token.h: single tokens of JSON (RFC 8259), for stage 2 of the reader and for the VM where it
 * judges a text without a tape.
 *
 * All functions load whole words: eight bytes after a token must be readable. */
#ifndef CUPEL_BASE_JSON_TOKEN_H
#define CUPEL_BASE_JSON_TOKEN_H

#include "base/json/tape.h"
#include "base/name_hash.h"

/* The number of digits among eight bytes before the first byte that is none.  A digit has 3 in its
 * upper half, also after 6 was added to it.  An addition that carries into the next byte began in a
 * byte that is no digit, so bytes before that one are judged right. */
static inline unsigned cupel__count_digits(uint64_t word)
{
    uint64_t low = word ^ 0x3030303030303030u;
    uint64_t other = (low | (low + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u;
    return other == 0 ? 8 : (unsigned)__builtin_ctzll(other) / 8;
}

/* The value of eight digits, each a byte from 0 to 9, the first digit in the lowest byte: three
 * multiplications join neighbours to pairs, pairs to fours, and fours to eight. */
static inline uint64_t cupel__join_shifted(uint64_t digits)
{
    digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
    digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffffu;
    return (digits * 10000 + (digits >> 32)) & 0xffffffffu;
}

/* The value of the first n digits of a word, 1 <= n <= 8. */
static inline uint64_t cupel__join_digits(uint64_t word, unsigned n)
{
    return cupel__join_shifted((word ^ 0x3030303030303030u) << (64 - 8 * n));
}

static inline bool cupel__is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* -- Numbers and literals ---------------------------------------------------------------------- */

/* Reads the number at p (RFC 8259 section 6) into type, flags, exp and i of the node.  Returns the
 * address after it, or NULL if it is no number.  A byte that no number may contain must follow it.
 * `n` is the distance to the next token. */
const char *cupel__number_read(const char *p, uint32_t n, struct cupel__node *node);

/* Reads an integer of one to eight digits that takes all n bytes up to the next token, without
 * counting its digits.  False for anything else, also for white space before the next token. */
static inline __attribute__((always_inline)) bool cupel__read_small(const char *p, uint32_t n,
                                                                    uint32_t *ret_value)
{
    const uint64_t word = cupel__load64(p) ^ 0x3030303030303030u;
    if (n - 1 > 7)
        return false;
    const uint64_t digits = word << (64 - 8 * n);
    if (((digits | (digits + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u) != 0)
        return false;
    *ret_value = (uint32_t)cupel__join_shifted(digits);
    return n == 1 || (word & 0xff) != 0;
}

/* Reads true, false or null, chosen by its first byte without a branch.  Returns its length, or 0
 * if it is none of them. */
static inline __attribute__((always_inline)) uint32_t cupel__read_literal(const char *p,
                                                                          uint8_t *ret_type)
{
    const char first = *p;
    const uint32_t five = first == 'f';
    const char *word = first == 't' ? "true" : five ? "alse" : "null";
    *ret_type = (uint8_t)(first == 't' ? CUPEL__TRUE : five ? CUPEL__FALSE : CUPEL__NULL);
    return cupel__load32(p + five) == cupel__load32(word) ? five + 4 : 0;
}

#endif
