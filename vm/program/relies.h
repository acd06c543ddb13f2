/* relies.h: the statements of relies.def as numbers. */
#ifndef CUPEL_VM_RELIES_H
#define CUPEL_VM_RELIES_H

#include "vm/run/exec.h"

enum cupel__reliance {
    CUPEL__RELY_NOTHING,
#define RELY_ALL(id, by, statement)        CUPEL__RELY_##id,
#define RELY_KIND(kind, id, by, statement) CUPEL__RELY_##id,
#define RELY_OP(op, id, by, statement)     CUPEL__RELY_##id,
#include "vm/program/relies.def"
    CUPEL__RELIANCES
};

/* The first statement that does not hold of the instruction at `word`, which is about to run on v
 * (NULL: on a value that has no node), or CUPEL__RELY_NOTHING.  Looks at the image alone: nothing
 * that the verifier worked out is used.  In builds with the option debug_vm. */
enum cupel__reliance cupel__debug_broken(const struct cupel__vm *, const uint32_t *word,
                                         const struct cupel__node *v);

#endif
