/* debug.h: functions and flags for tests, for measurements and for work on schemas or on cupel.
 * Hosts need none of them.
 *
 * Names and meanings here may change with any version of the library, apart from the numbers of
 * flags.
 *
 * Threads: any thread may call these functions, several at the same time; a text belongs to one
 * thread at a time. */
#ifndef CUPEL_DEBUG_H
#define CUPEL_DEBUG_H

#include <cupel/program.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* More bits of cupel_options.flags.  Each one turns a fast method off; verdicts stay the same. */
enum cupel_debug_option {
    CUPEL_NO_SIMD = 1 << 6,         /* read JSON with the portable scanner */
    CUPEL_SWITCH_DISPATCH = 1 << 7, /* run the VM's portable loop */
    CUPEL_NO_DIRECT = 1 << 15,  /* build the node array of short texts too before judging them */
    CUPEL_EAGER_MEMO = 1 << 16, /* memoize results from the first step on, not only in long runs */
    CUPEL_NO_REGEX_SIMPLE = 1 << 21, /* match patterns without specialized loops */
    CUPEL_NO_REGEX_TABLES = 1 << 22, /* match patterns without tables that loading makes */
    CUPEL_NO_REGEX_LINEAR = 1 << 23, /* match patterns without automata */
    CUPEL_NO_FINGERPRINTS = 1 << 24  /* compare the items of uniqueItems by keyed hashes alone */
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

/* -- Programs -------------------------------------------------------------------------------- */

/* How a pattern is matched (docs/regex.md).  All but the last take time linear in the string. */
enum cupel_engine {
    CUPEL_ENGINE_SIMPLE,   /* a loop for this kind of pattern */
    CUPEL_ENGINE_TABLE,    /* automata with tables that are made with the program */
    CUPEL_ENGINE_STATES,   /* automata whose states are computed while matching */
    CUPEL_ENGINE_PCRE2,    /* PCRE2, for a pattern that is proved linear */
    CUPEL_ENGINE_BACKTRACK /* backtracking, within a budget (LIMIT_REGEX) */
};

struct cupel_pattern_info {
    const char *text; /* ECMA-262, `len` bytes, not ended by NUL; lives as long as the program */
    size_t len;
    size_t bytes; /* of memory */
    enum cupel_engine engine;
    int lenient; /* 1: outside the grammar with the flag `u`, which CUPEL_STRICT_REGEX requires */
};

/* Describes pattern i of the verdict program in *ret.  CUPEL_OK, or CUPEL_E_ARGUMENT if there is no
 * such pattern. */
enum cupel_status cupel_program_pattern(const struct cupel_program *program, uint32_t i,
                                        struct cupel_pattern_info *ret);

/* Appends the disassembly of the verdict program, one line an instruction; with `report` non-zero
 * that of the report program.  libcupel-vm does not have this function. */
void cupel_program_disasm(const struct cupel_program *program, int report, struct cupel_text *text);

/* Appends the IR of a schema (docs/ir.md) after the pass with the NUL-terminated name `pass`; the
 * IR before all passes is called "lower".  CUPEL_E_ARGUMENT if there is no such pass; otherwise the
 * statuses of cupel_compile. */
enum cupel_status cupel_compile_dump(const char *schema, size_t len, const char *pass,
                                     const struct cupel_options *options, struct cupel_text *text,
                                     struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
