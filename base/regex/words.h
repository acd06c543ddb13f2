/* words.h: an array of 32-bit words that grows while a program of a pattern is compiled. */
#ifndef CUPEL_BASE_REGEX_WORDS_H
#define CUPEL_BASE_REGEX_WORDS_H

#include "base/memory.h"

struct cupel__words {
    const struct cupel_alloc *alloc;
    uint32_t *p;
    size_t n, cap;
    bool failed; /* out of memory: nothing is appended any more, and the caller tests it at the end
                  */
};

/* Appends `n` words, copied from `from` or zero if that is NULL; returns the offset of the first.
 */
uint32_t cupel__words_add(struct cupel__words *, const void *from, size_t n);

#endif
