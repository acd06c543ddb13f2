/* target.h: what every fuzz target has: the entry that a fuzzer calls, and what it says of a finding. */
#ifndef CUPEL_FUZZ_TARGET_H
#define CUPEL_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What does not hold is a finding: fuzzers and replays look for processes that ended so. */
static inline void require(bool ok)
{
    if (!ok)
        abort();
}

#endif
