/* locate.h: where instructions of a report program come from, and what stands beside them.
 *
 * Everything is read from the image's marks and locations, which the verifier has looked at; but an
 * image may come from anybody, so whatever is walked here is walked no further than a bound. */
#ifndef CUPEL_VM_LOCATE_H
#define CUPEL_VM_LOCATE_H

#include "base/pointer.h"
#include "vm/run/exec.h"

#define CUPEL__NO_LOC UINT32_MAX

/* The location of the instruction at `pc`, CUPEL__NO_LOC without one. */
uint32_t cupel__loc_of(const struct cupel__code *, uint32_t pc);
/* The location of the schema that the instruction at `pc` belongs to, or CUPEL__NO_LOC. */
uint32_t cupel__loc_schema(const struct cupel__code *, uint32_t pc);
/* The location of the root schema. */
uint32_t cupel__loc_root(const struct cupel__code *);
/* The last step to a location; "" for a document. */
struct cupel__str cupel__loc_token(const struct cupel__code *, uint32_t loc);
uint32_t cupel__loc_parent(const struct cupel__code *, uint32_t loc);
/* The keyword that an instruction comes from, such as "required"; "false" for a false schema that
 * is no keyword's whole value. */
struct cupel__str cupel__loc_keyword(const struct cupel__code *, uint32_t pc);

/* Append a location: as a JSON Pointer into its document; as the URI of its resource with a
 * fragment (core 9.2.1), whose base is `base` where the schema gives none; as the way to an
 * instruction through all references (core 10.1 of draft 2019-09: the keyword location).  They are
 * cut where the pointer is, and where they have more steps than any schema's; they return how many
 * locations they have looked at. */
uint32_t cupel__loc_pointer(const struct cupel__code *, uint32_t loc, struct cupel__pointer *);
uint32_t cupel__loc_uri(const struct cupel__code *, uint32_t loc, const char *base,
                        struct cupel__pointer *);
uint32_t cupel__loc_evaluation(const struct cupel__code *, const struct cupel__path *paths,
                               const struct cupel__event *, struct cupel__pointer *);
/* The location that the first `steps` steps of that way lead to: an ancestor of a keyword on it.
 * *looked grows by the locations and steps that were looked at. */
uint32_t cupel__loc_on_path(const struct cupel__code *, const struct cupel__path *paths,
                            const struct cupel__event *, uint32_t steps, int64_t *looked);

/* Going through the instructions of a schema and, unless `alone`, of those that it applies in place
 * to every value (allOf, $ref and their like). */
struct cupel__schema_iter {
    const struct cupel__code *code;
    uint32_t pc, furthest; /* the next instruction, 0: none; the furthest label before it */
    uint32_t queue[16];    /* code indices of sequences to come */
    uint32_t nqueue, left;
    bool alone;
    int64_t *steps; /* a step is taken from these for each instruction, and none is gone through
                       without; or NULL */
    bool
        memos; /* whether what MEMOs apply is gone through too; not for who looks at many schemas */
};

void cupel__schema_iter_sub(struct cupel__schema_iter *, const struct cupel__code *, uint32_t sub,
                            int64_t *steps);
void cupel__schema_iter_siblings(struct cupel__schema_iter *, const struct cupel__code *,
                                 uint32_t pc, int64_t *steps);
void cupel__schema_iter_at(struct cupel__schema_iter *, const struct cupel__code *,
                           uint32_t schema_loc, int64_t *steps);
/* The next instruction, or NULL. */
const uint32_t *cupel__schema_iter_next(struct cupel__schema_iter *);

#endif
