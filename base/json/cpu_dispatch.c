/* cpu_dispatch.c: the scanner and the tape builder of this processor.
 *
 * cupel__doc_init chooses once for each document.  All scanners give the same index and the same
 * errors for every text, so the choice affects time alone. */
#include "base/json/reader.h"

#ifdef CUPEL__SIMD_X86
/* The features that each scanner needs, as bits of supported_features. */
enum { SSE42 = 7, AVX2 = 7 << 3, AVX512 = 15 << 6 };

#    ifdef CUPEL__OWN_CPU_FEATURES
#        include <cpuid.h>

/* What __builtin_cpu_supports would say, for compilers whose run-time library always says no, as
 * that of zig 0.17 does; the bundle of C files uses it.  The instruction cpuid takes microseconds
 * in a virtual machine, so it runs once, when the library is loaded, as in those run-time
 * libraries. */
static unsigned features;

/* Bits 1, 2 and 5 to 7 of XCR0: the system saves the registers of AVX, and those of AVX-512. */
enum { SAVES_AVX = 0x06, SAVES_AVX512 = 0xe6 };

static __attribute__((constructor)) void find_features(void)
{
    unsigned a, b, c, d, more_b = 0, more_c = 0, saved = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return;
    if ((c & 1u << 27) != 0) /* OSXSAVE */
        __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    __get_cpuid_count(7, 0, &a, &more_b, &more_c, &d);
    features = (c >> 20 & 1) | (c >> 23 & 1) << 1 | (c >> 1 & 1) << 2;
    if ((saved & SAVES_AVX) == SAVES_AVX)
        features |= (more_b >> 5 & 1) << 3 | (more_b >> 3 & 1) << 4 | (more_b >> 8 & 1) << 5;
    if ((saved & SAVES_AVX512) == SAVES_AVX512)
        features |= (more_b >> 16 & 1) << 6 | (more_b >> 30 & 1) << 7 | (more_c >> 1 & 1) << 8 |
                    (more_c >> 6 & 1) << 9;
}

static unsigned supported_features(void)
{
    return features;
}
#    else

/* Tests each feature, so that the branches taken, and with them the coverage of tests, do not
 * depend on the machine. */
static unsigned supported_features(void)
{
    unsigned has = 0;
    has |= !!__builtin_cpu_supports("sse4.2") << 0 | !!__builtin_cpu_supports("popcnt") << 1;
    has |= !!__builtin_cpu_supports("pclmul") << 2 | !!__builtin_cpu_supports("avx2") << 3;
    has |= !!__builtin_cpu_supports("bmi") << 4 | !!__builtin_cpu_supports("bmi2") << 5;
    has |= !!__builtin_cpu_supports("avx512f") << 6 | !!__builtin_cpu_supports("avx512bw") << 7;
    has |= !!__builtin_cpu_supports("avx512vbmi") << 8 | !!__builtin_cpu_supports("avx512vbmi2")
                                                             << 9;
    return has;
}
#    endif

static bool has_all(unsigned wanted)
{
    return (supported_features() & wanted) == wanted;
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
#ifdef CUPEL__SIMD_WASM
    case CUPEL__SCAN_WASM:
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
    static const char *const names[CUPEL__SCANNERS] = {"portable", "sse4.2", "avx2",
                                                       "avx512",   "neon",   "simd128"};
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
#ifdef CUPEL__SIMD_WASM
    [CUPEL__SCAN_WASM] = {cupel__scan_wasm, cupel__scan_short_wasm, cupel__tape_build},
#endif
};
