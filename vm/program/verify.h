/* verify.h: the state that the files of the verifier share.  verify.c calls the others. */
#ifndef CUPEL_VM_VERIFY_H
#define CUPEL_VM_VERIFY_H

#include "base/error.h"
#include "vm/program/program.h"

/* Flags of an element of `flow`, whose lower bits are the types of value that may reach the code
 * word.  STARTS: an instruction begins here.  CHECKS_ONLY: it belongs to a branch of an EITHER. */
#define STARTS      0x8000u
#define CHECKS_ONLY 0x4000u

struct verifier {
    const struct cupel__image *image;
    const uint32_t *code;
    uint32_t ncode;
    uint16_t *flow; /* an element for each code word */
    uint8_t *seen;  /* for each word of tables: the operand kind as which it was examined, or 0 */
    bool in_place;  /* some instruction applies a schema to its own value */
    uint32_t nformats; /* number of host formats that the image names */
    uint64_t text;     /* bytes of constants that have been read (verify_values.c) */
    struct cupel_alloc alloc;
    struct cupel__verified facts;
    struct cupel_error *err;
};

/* Sets the error to "`what` at `at`"; returns CUPEL_E_BAD_IMAGE. */
static inline enum cupel_status cupel__refuse(struct verifier *v, const char *what, uint32_t at)
{
    return cupel__error_set(v->err, CUPEL_E_BAD_IMAGE, "%s at %u", what, at);
}

static inline enum cupel_status cupel__verify_no_memory(struct verifier *v)
{
    return cupel__error_set(v->err, CUPEL_E_NO_MEMORY, "cannot verify the image");
}

/* Each of these proves one property and returns CUPEL_OK, or a refusal. */

/* The constants form a tape, and its strings and lexemes lie in the strings section. */
enum cupel_status cupel__verify_values(struct verifier *);

/* Only types that an instruction accepts reach it.  Needs the operands examined and `flow` set to
 * the types that references bring. */
enum cupel_status cupel__verify_flow(struct verifier *);

/* No chain of in-place references has a cycle; sets facts.max_inplace.  Only needed if `in_place`.
 */
enum cupel_status cupel__verify_ends(struct verifier *);

#endif
