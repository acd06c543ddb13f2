/* cpu_dispatch.c: the scanner and the tape builder of this processor.
 *
 * cupel__doc_init chooses once for each document.  All scanners give the same index and the same
 * errors for every text, so the choice affects time alone. */
#include "base/json/reader.h"

#ifdef CUPEL__SIMD_X86
/* The features that each scanner needs, as bits of has_all. */
enum { SSE42 = 7, AVX2 = 7 << 3, AVX512 = 15 << 6 };

/* Whether the processor has all of these features.  It tests each of them, so that the branches
 * taken, and with them the coverage of tests, do not depend on the machine. */
static bool has_all(unsigned wanted)
{
    unsigned has = 0;
    has |= !!__builtin_cpu_supports("sse4.2") << 0 | !!__builtin_cpu_supports("popcnt") << 1;
    has |= !!__builtin_cpu_supports("pclmul") << 2 | !!__builtin_cpu_supports("avx2") << 3;
    has |= !!__builtin_cpu_supports("bmi") << 4 | !!__builtin_cpu_supports("bmi2") << 5;
    has |= !!__builtin_cpu_supports("avx512f") << 6 | !!__builtin_cpu_supports("avx512bw") << 7;
    has |= !!__builtin_cpu_supports("avx512vbmi") << 8 | !!__builtin_cpu_supports("avx512vbmi2")
                                                             << 9;
    return (has & wanted) == wanted;
}
#endif

bool cupel__scanner_supported(enum cupel__scanner scanner)
{
    switch (scanner) {
    case CUPEL__SCAN_PORTABLE:
        return true;
#ifdef CUPEL__SIMD_X86
    case CUPEL__SCAN_SSE42:
        return has_all(SSE42);
    case CUPEL__SCAN_AVX2:
        return has_all(SSE42 | AVX2);
    case CUPEL__SCAN_AVX512:
        return has_all(SSE42 | AVX2 | AVX512);
#endif
#ifdef CUPEL__SIMD_NEON
    case CUPEL__SCAN_NEON:
        return true;
#endif
    default:
        return false;
    }
}

enum cupel__scanner cupel__scanner_best(void)
{
    enum cupel__scanner best = CUPEL__SCANNERS;
    do
        best--;
    while (!cupel__scanner_supported(best));
    return best;
}

const char *cupel__scanner_name(enum cupel__scanner scanner)
{
    static const char *const names[CUPEL__SCANNERS] = {"portable", "sse4.2", "avx2", "avx512",
                                                       "neon"};
    return names[scanner];
}

const struct cupel__json_engine cupel__json_engines[CUPEL__SCANNERS] = {
    [CUPEL__SCAN_PORTABLE] = {cupel__scan_portable, cupel__scan_short_portable, cupel__tape_build},
#ifdef CUPEL__SIMD_X86
    [CUPEL__SCAN_SSE42] = {cupel__scan_sse42, cupel__scan_short_sse42, cupel__tape_build},
    [CUPEL__SCAN_AVX2] = {cupel__scan_avx2, cupel__scan_short_avx2, cupel__tape_build_bmi2},
    [CUPEL__SCAN_AVX512] = {cupel__scan_avx512, cupel__scan_short_avx512, cupel__tape_build_bmi2},
#endif
#ifdef CUPEL__SIMD_NEON
    [CUPEL__SCAN_NEON] = {cupel__scan_neon, cupel__scan_short_neon, cupel__tape_build},
#endif
};
