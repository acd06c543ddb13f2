/* tape_bmi2.c: stage 2 of the JSON reader once more, for processors with BMI2: shifts by what
 * is in any register, and none that has to wait for flags.  It is used with the scanners that need
 * BMI2 as well. */
#include "base/json/reader.h"

#ifdef CUPEL__SIMD_X86
#    ifdef __clang__
#        pragma clang attribute push(__attribute__((target("bmi,bmi2"))), apply_to = function)
#    else
#        pragma GCC target("bmi,bmi2")
#    endif
#    define FIRST_BYTES(word, n) __builtin_ia32_bzhi_di(word, 8 * (n))
#    define TAPE_BUILD           cupel__tape_build_bmi2
#    include "base/json/tape_build_loop.h"
#    ifdef __clang__
#        pragma clang attribute pop
#    endif
#endif
