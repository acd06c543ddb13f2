/* debug.h: what tests, measurements and people who work on schemas or on cupel need.  A host that
 * only validates needs nothing of this header.
 *
 * Names and meanings here may change with any version of the library, apart from the numbers of
 * flags. */
#ifndef CUPEL_DEBUG_H
#define CUPEL_DEBUG_H

#include <cupel/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* More bits of cupel_options.flags.  Each one turns a fast method off; verdicts stay the same. */
enum cupel_debug_option {
    CUPEL_NO_SIMD = 1 << 6,         /* read JSON with the portable scanner */
    CUPEL_SWITCH_DISPATCH = 1 << 7, /* run the VM's portable loop */
    CUPEL_NO_DIRECT = 1 << 15,  /* build the node array of short texts too before judging them */
    CUPEL_EAGER_MEMO = 1 << 16, /* memoize results from the first step on, not only in long runs */
    CUPEL_NO_REGEX_SIMPLE = 1 << 21, /* match patterns without specialized loops, */
    CUPEL_NO_REGEX_TABLES = 1 << 22, /* without tables made when the program is loaded, */
    CUPEL_NO_REGEX_LINEAR = 1 << 23  /* or without automata */
};

/* Bits of cupel_options.passes: the optimisation passes of the compiler.  Verdicts do not depend on
 * them. */
enum cupel_pass {
    CUPEL_PASS_FOLD = 1 << 0,
    CUPEL_PASS_ENUM = 1 << 1,
    CUPEL_PASS_INLINE = 1 << 2,
    CUPEL_PASS_REQUIRED = 1 << 3,
    CUPEL_PASS_DEDUPE = 1 << 4,
    CUPEL_PASS_UNEVALUATED = 1 << 5,
    CUPEL_PASS_NARROW = 1 << 6,
    CUPEL_PASS_MEMO = 1 << 7, /* without it some schemas take time that grows exponentially */
    CUPEL_PASS_MERGE = 1 << 8,
    CUPEL_PASS_PARTITION = 1 << 9,
    CUPEL_PASS_DISCRIMINATE = 1 << 10,
    CUPEL_PASS_NAMES = 1 << 11,
    CUPEL_PASS_CASES = 1 << 12,
    CUPEL_PASS_ALL = 0x7fffffff /* these, and those of later versions */
};

#ifdef __cplusplus
}
#endif

#endif
