/* program.h: compiled schemas: loading, saving, printing.
 *
 * A program is immutable once made and may be shared by any number of threads.  It is made by the
 * compiler (compile.h) or from an image, and both go through the same verifier: after that the VM
 * needs no further checks, whoever wrote the image. */
#ifndef CUPEL_PROGRAM_H
#define CUPEL_PROGRAM_H

#include <cupel/error.h>
#include <cupel/options.h>
#include <cupel/text.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct cupel_program;

/* Flags of cupel_program_load.
 *
 * What the verifier has proved holds for the bytes that it saw.  A borrowed image must not change
 * before the program is freed: a run over bytes that somebody rewrites may read and write anywhere.
 * A mapping of a file changes with the file, whether it is MAP_SHARED or MAP_PRIVATE, and a file
 * that is cut short ends the process.  Borrow what nobody can write to: constants of the program, a
 * memfd with the seals F_SEAL_WRITE, F_SEAL_SHRINK and F_SEAL_GROW, or memory that holds a copy.
 * Read a file into memory, and load without this flag or borrow that. */
enum {
    CUPEL_LOAD_BORROW = 1 /* the image is not copied: it is aligned to 8, outlives the program and
                             does not change */
};

/* Verifies an image (docs/image-format.md) and makes a program of it.  Everything in the image is
 * untrusted.  CUPEL_OK; CUPEL_E_BAD_IMAGE or CUPEL_E_IMAGE_VERSION with the reason in *err;
 * CUPEL_E_IMAGE_SIZE (CUPEL_LIMIT_IMAGE_BYTES); CUPEL_E_PATTERN, CUPEL_E_PATTERN_SIZE
 * (CUPEL_LIMIT_PATTERN_BYTES, CUPEL_LIMIT_MATCHER_BYTES), CUPEL_E_PATTERN_STEPS,
 * CUPEL_E_BACK_REFERENCE or CUPEL_E_UNSUPPORTED if a pattern does not compile here; CUPEL_E_FORMAT
 * if it asserts a format of the host's that options->formats does not have; CUPEL_E_ARGUMENT (a
 * borrowed image that is not aligned); CUPEL_E_NO_MEMORY.  Any thread. */
enum cupel_status cupel_program_load(const void *image, size_t len, unsigned flags,
                                     const struct cupel_options *options,
                                     struct cupel_program **ret, struct cupel_error *err);

/* Frees it; no validation may be using it.  NULL does nothing. */
void cupel_program_free(struct cupel_program *program);

/* The image: `*ret_len` bytes that cupel_program_load takes, on this machine or another, and that
 * live as long as the program.  The same schema and options give the same bytes. */
const void *cupel_program_image(const struct cupel_program *program, size_t *ret_len);

struct cupel_program_info {
    size_t image_bytes;    /* of the verdict program */
    size_t string_bytes;   /* of which string constants */
    size_t report_bytes;   /* of the report program, 0 without one */
    uint32_t instructions; /* of the verdict program */
    uint32_t patterns;
};

/* Fills in *ret. Any thread. */
void cupel_program_info(const struct cupel_program *program, struct cupel_program_info *ret);

/* How a pattern is matched (docs/regex.md): time is in proportion to the string for all but the
 * last. */
enum cupel_engine {
    CUPEL_ENGINE_SIMPLE,   /* by a loop of its own */
    CUPEL_ENGINE_TABLE,    /* by automata that were made into tables when the program was */
    CUPEL_ENGINE_STATES,   /* by automata whose states are found on the way */
    CUPEL_ENGINE_PCRE2,    /* by PCRE2, for a pattern that was proved harmless */
    CUPEL_ENGINE_BACKTRACK /* by trying one way after the other, which a budget ends (LIMIT_REGEX)
                            */
};

struct cupel_pattern_info {
    const char *text; /* ECMA-262, `len` bytes, not ended by NUL; lives as long as the program */
    size_t len;
    size_t bytes; /* of memory */
    enum cupel_engine engine;
    int lenient; /* 1: not the grammar with `u`, which CUPEL_STRICT_REGEX asks for */
};

/* Pattern i < cupel_program_info.patterns of the verdict program; CUPEL_OK, or CUPEL_E_ARGUMENT if
 * there is no such pattern. */
enum cupel_status cupel_program_pattern(const struct cupel_program *program, uint32_t i,
                                        struct cupel_pattern_info *ret);

/* Appends the program in words, one line an instruction; `report` non-zero: the report program.  In
 * libcupel only: libcupel-vm does not carry the words. */
void cupel_program_disasm(const struct cupel_program *program, int report, struct cupel_text *text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
