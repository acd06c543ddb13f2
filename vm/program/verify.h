/* verify.h: the state that the parts of the verifier share. */
#ifndef CUPEL_VM_VERIFY_H
#define CUPEL_VM_VERIFY_H

#include "base/error.h"
#include "vm/program/program.h"

/* In `flow`: an instruction begins here. The lower bits are the types that may arrive. */
#define STARTS 0x8000u
/* … and a schema of CHECKs comes by here. */
#define PLAIN 0x4000u

struct verifier {
    const struct cupel__image *image;
    const uint32_t *code;
    uint32_t ncode;
    uint16_t *flow;    /* one for each code word */
    uint8_t *seen;     /* one for each word of tables: the operand kind it was examined as */
    bool in_place;     /* a schema is applied to the value that is looked at already */
    uint32_t nformats; /* of the host's */
    uint64_t text;     /* of constants that has been read */
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

/* That the constants form a tape whose strings and lexemes lie in `strings`. */
enum cupel_status cupel__verify_values(struct verifier *);

/* That what arrives at each instruction is what it is for; operands have been looked at, and `flow`
 * says what references bring. */
enum cupel_status cupel__verify_flow(struct verifier *);

/* That no chain of in-place references comes back to itself; sets facts.max_inplace.  Where there
 * are none there is nothing to do. */
enum cupel_status cupel__verify_ends(struct verifier *);

#endif
