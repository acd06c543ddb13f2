/* choice.h: which of several ways a target goes with an input.
 *
 * To go all ways with every input costs a fuzzer most of its time: it goes one or two, which follow from the
 * input or its schema, and the next goes others.  A replay of a corpus (driver.c) goes all of them. */
#ifndef CUPEL_FUZZ_CHOICE_H
#define CUPEL_FUZZ_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t choice_of(const uint8_t *data, size_t size)
{
    uint64_t hash = size, word;
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, data + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    for (size_t i = size & ~(size_t)7; i < size; i++)
        hash = (hash ^ data[i]) * 0x100000001b3;
    return (uint32_t)(hash >> 24);
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
