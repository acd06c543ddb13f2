/* proof.h: values that may be anything, for the abstract interpreter (Frama-C, Eva). */
#ifndef CUPEL_PROOF_H
#define CUPEL_PROOF_H

#include "__fc_builtin.h"
#include <stddef.h>

/* A number from `least` to `most`. */
static inline size_t any_size(size_t least, size_t most)
{
    return Frama_C_unsigned_long_interval(least, most);
}

/* Makes each byte any byte. */
static inline void any_bytes(char *bytes, size_t len)
{
    Frama_C_make_unknown(bytes, len);
}

#endif
