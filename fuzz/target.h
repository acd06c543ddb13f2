/* target.h: what every fuzz target has: the entry that a fuzzer calls, and what it says of a
 * finding. */
#ifndef CUPEL_FUZZ_TARGET_H
#define CUPEL_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What does not hold is a finding: fuzzers and replays look for processes that ended so. */
static inline void require_at(bool ok, const char *what, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
    abort();
}
#define require(ok) require_at((ok), #ok, __FILE__, __LINE__)

#endif
