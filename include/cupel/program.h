/* program.h: programs: compiling schemas, storing and loading what was compiled.
 *
 * A program is immutable once made and may be shared by any number of threads.  It is made from a
 * schema (cupel_compile) or from an image (cupel_program_load).  Both go through the same verifier:
 * after that the VM needs no further checks, for images of any origin.
 *
 *     if (cupel_compile(schema, len, NULL, &program, &err) != CUPEL_OK)
 *         fprintf(stderr, "%u:%u: %s\n", err.line, err.column, err.detail);
 *     image = cupel_program_image(program, &image_len);                 // store these bytes
 *     ...
 *     cupel_program_load(image, image_len, 0, NULL, &program, &err);    // in another process
 *
 * libcupel-vm has all of it except cupel_compile and cupel_compile_node.
 *
 * Threads: any thread may call these functions, several at the same time. */
#ifndef CUPEL_PROGRAM_H
#define CUPEL_PROGRAM_H

#include <cupel/common.h>
#include <cupel/json.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct cupel_program;

/* Flags of cupel_program_load.
 *
 * The verifier checks the bytes once.  A borrowed image must not change before the program is
 * freed: a run over bytes that changed after the check may read and write anywhere.
 * A mapping of a file changes with the file, whether it is MAP_SHARED or MAP_PRIVATE, and a file
 * that is cut short ends the process.  Borrow what nobody can write to: constants of the program, a
 * memfd with the seals F_SEAL_WRITE, F_SEAL_SHRINK and F_SEAL_GROW, or memory that holds a copy.
 * Read a file into memory, and load without this flag or borrow that; examples/sealed_image.c does
 * so. */
enum {
    CUPEL_LOAD_BORROW = 1 /* the image is not copied: it is aligned to 8, outlives the program and
                             does not change */
};

/* Verifies an image of `len` bytes (docs/image-format.md) and makes a program of it, which the
 * caller frees.  Nothing in the image is trusted.  `flags` are 0 or CUPEL_LOAD_BORROW.  CUPEL_OK;
 * CUPEL_E_BAD_IMAGE or CUPEL_E_IMAGE_VERSION with the reason in *err; CUPEL_E_IMAGE_SIZE
 * (CUPEL_LIMIT_IMAGE_BYTES); CUPEL_E_PATTERN, CUPEL_E_PATTERN_SIZE (CUPEL_LIMIT_PATTERN_BYTES,
 * CUPEL_LIMIT_MATCHER_BYTES), CUPEL_E_PATTERN_STEPS, CUPEL_E_BACK_REFERENCE or CUPEL_E_UNSUPPORTED
 * if a pattern does not compile here; CUPEL_E_FORMAT if it asserts a format of the host's that
 * options->formats does not have; CUPEL_E_ARGUMENT (unknown flags, or a borrowed image that is not
 * aligned); CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_program_load(const void *image, size_t len, unsigned flags,
                                     const struct cupel_options *options,
                                     struct cupel_program **ret, struct cupel_error *err);

/* Frees a program; no validation may be using it. */
void cupel_program_free(struct cupel_program *program);

/* The image of a program: `*ret_len` bytes that cupel_program_load takes, on this machine or
 * another.  They live as long as the program; never NULL.  The same schema and options give the
 * same bytes. */
const void *cupel_program_image(const struct cupel_program *program, size_t *ret_len);

struct cupel_program_info {
    size_t image_bytes;    /* of the verdict program */
    size_t string_bytes;   /* of which string constants */
    size_t report_bytes;   /* of the report program, 0 without one */
    uint32_t instructions; /* of the verdict program */
    uint32_t patterns;
};

/* Fills in *ret. */
void cupel_program_info(const struct cupel_program *program, struct cupel_program_info *ret);

/* Compiles a schema: `len` bytes of JSON text in UTF-8 (JSON Schema core 2020-12, or the dialect
 * that `$schema` or options->dialect names).  Two compilations share nothing, not even `$id`s.  The
 * text may go away when the call returns.  The caller frees the program.
 *
 * CUPEL_OK, or with the place in the schema in *err:
 *   a status of the group "Reading JSON"     the text is not JSON
 *   CUPEL_E_SCHEMA                           a keyword's value is wrong
 *   CUPEL_E_DIALECT, CUPEL_E_UNRESOLVED_REF, CUPEL_E_REF_CYCLE, CUPEL_E_IDENTIFIER, CUPEL_E_PATTERN
 *   CUPEL_E_UNSUPPORTED                      a feature this version does not implement
 *   CUPEL_E_SCHEMA_DEPTH, CUPEL_E_SCHEMA_SIZE, CUPEL_E_IMAGE_SIZE   a limit
 *   CUPEL_E_ARGUMENT, CUPEL_E_NO_MEMORY, CUPEL_E_INTERNAL */
enum cupel_status cupel_compile(const char *schema, size_t len, const struct cupel_options *options,
                                struct cupel_program **ret, struct cupel_error *err);

/* Compiles a schema that is node `node` of a document, such as the `inputSchema` in a tools/list
 * result.  The statuses are those of cupel_compile.  Pointers in *err begin at that node; line,
 * column and offset are the document's.  The caller frees the program; the document may go away. */
enum cupel_status cupel_compile_node(struct cupel_document *doc, uint32_t node,
                                     const struct cupel_options *options,
                                     struct cupel_program **ret, struct cupel_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
