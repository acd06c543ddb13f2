/* schema_iter.h: an iterator over the instructions of a schema in a report program.
 *
 * It visits the instructions that apply to one value: those of the schema itself and, unless
 * `alone`, those of the schemas that it applies in place to every value ($ref, allOf and the like).
 * It never enters the branches of a choice or the schemas of members and items. */
#ifndef CUPEL_VM_SCHEMA_ITER_H
#define CUPEL_VM_SCHEMA_ITER_H

#include "vm/run/records.h"
#include "vm/run/vm.h"

struct cupel__schema_iter {
    const struct cupel__code *code;
    uint32_t pc;        /* the next instruction, 0: none in this sequence */
    uint32_t furthest;  /* the furthest label that an instruction before `pc` leads to */
    uint32_t queue[16]; /* code indices of sequences to come */
    uint32_t nqueue;
    uint32_t left;  /* instructions that may still be visited */
    int64_t *steps; /* each instruction takes one; ends when they do.  NULL: not charged */
    bool alone;     /* set by the user: this schema only */
    bool memos;     /* set by the user: also enters the schemas of MEMOs, which are many */
};

/* Start at: the schema of a subschema reference; the schema around the instruction at `pc`, alone;
 * the schema at a location. */
void cupel__schema_iter_sub(struct cupel__schema_iter *, const struct cupel__code *, uint32_t sub,
                            int64_t *steps);
void cupel__schema_iter_siblings(struct cupel__schema_iter *, const struct cupel__code *,
                                 uint32_t pc, int64_t *steps);
void cupel__schema_iter_at(struct cupel__schema_iter *, const struct cupel__code *,
                           uint32_t schema_loc, int64_t *steps);

/* The next instruction, or NULL. */
const uint32_t *cupel__schema_iter_next(struct cupel__schema_iter *);

#endif
