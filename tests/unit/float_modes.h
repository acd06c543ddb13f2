/* float_modes.h: the floating-point modes that a host may have set: directions of rounding, and
 * subnormal numbers taken for zero. */
#ifndef CUPEL_TESTS_FLOAT_MODES_H
#define CUPEL_TESTS_FLOAT_MODES_H

#include <fenv.h>
#if defined(__SSE2__)
#    include <xmmintrin.h>
#endif

enum { FLOAT_MODES = 5 }; /* nearest, upward, downward, toward zero, flush to zero */

struct float_environment {
    int rounding;
    unsigned control;
};

static inline struct float_environment float_mode_set(int mode)
{
    static const int roundings[FLOAT_MODES] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
                                               FE_TONEAREST};
    struct float_environment saved = {fegetround(), 0};
#if defined(__SSE2__)
    saved.control = _mm_getcsr();
#endif
    fesetround(roundings[mode]);
#if defined(__SSE2__)
    if (mode == FLOAT_MODES - 1)
        _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
#endif
    return saved;
}

static inline void float_mode_restore(const struct float_environment *saved)
{
    fesetround(saved->rounding);
#if defined(__SSE2__)
    _mm_setcsr(saved->control);
#endif
}

#endif
