/* tape_build_bmi2.c: stage 2 of the reader compiled for BMI2, whose shifts take their count from
 * any register and do not wait for the flags.  The AVX2 and AVX-512 scanners, which need BMI2 too,
 * are used with it (json/cpu_dispatch.c). */
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
