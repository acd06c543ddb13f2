/* choice.h: which of several ways a target goes with an input.
 *
 * To go all ways with every input costs a fuzzer most of its time: it goes one or two.  The choice
 * is bytes of the input, so that it stays when a fuzzer makes a finding smaller: up to eight of
 * them at the end, behind the byte 0xFF, which is in no UTF-8.  An input without them has the
 * choice 0.  A replay of a corpus (driver.c) goes all ways. */
#ifndef CUPEL_FUZZ_CHOICE_H
#define CUPEL_FUZZ_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CHOICE_MARK = 0xff, CHOICE_BYTES = 8 };

/* The choice that bytes stand for, the lowest byte first. */
static inline uint64_t choice_read(const uint8_t *bytes, size_t count)
{
    uint64_t choice = 0;
    for (size_t i = 0; i < count && i < CHOICE_BYTES; i++)
        choice |= (uint64_t)bytes[i] << 8 * i;
    return choice;
}

/* Where the mark of the choice is; `size` if there is none. */
static inline size_t choice_find(const uint8_t *data, size_t size)
{
    for (size_t at = size; at > 0 && size - at <= CHOICE_BYTES; at--)
        if (data[at - 1] == CHOICE_MARK)
            return at - 1;
    return size;
}

/* Takes the choice off the end of an input. */
static inline uint64_t choice_cut(const uint8_t *data, size_t *size)
{
    size_t at = choice_find(data, *size), end = *size;
    *size = at;
    return at == end ? 0 : choice_read(data + at + 1, end - at - 1);
}

/* Whether to go way `way` of `ways`. */
static inline bool chosen(uint32_t choice, uint32_t way, uint32_t ways)
{
#ifdef CUPEL_FUZZ_ALL
    (void)choice;
    return way < ways;
#else
    return choice % ways == way;
#endif
}

#endif
