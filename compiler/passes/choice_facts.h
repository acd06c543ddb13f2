/* choice_facts.h: what is known about the branches of a choice, for discriminate.c.
 *
 * Facts are collected from leaves.  A leaf is a list of schemas that apply to an object together: a
 * branch, the schemas that it applies in place, and one branch of each choice in it.  A branch
 * passes no object that none of its leaves passes.  A leaf may say that a member is required, that
 * it must be absent, and which strings and integers it may be.  Everything else is ignored.
 *
 * The types of a schema are those of its mask and those that TYPE, CONST and the like say, so that
 * the choices of a report program, which is not folded, are known as well. */
#ifndef CUPEL_COMPILER_CHOICE_FACTS_H
#define CUPEL_COMPILER_CHOICE_FACTS_H

#include "compiler/ir/ir.h"

enum {
    FACTS_PARTS = 8,           /* schemas of a leaf */
    FACTS_KEPT = 8,            /* work for each element that is stored, so that memory is bounded */
    FACTS_MAX_LEAVES = 1 << 14 /* of a choice */
};

struct leaf {
    uint32_t branch, types;
    uint32_t parts[FACTS_PARTS], nparts;
    /* What an object has to pass to pass the branch by this leaf: the branch itself or, if that is
     * nothing but a choice, the branch of the choice, and so on. */
    uint32_t target;
    uint32_t part;              /* the next part to read */
    const struct ir_op *at;     /* the next operation of that part */
    const struct ir_op *closed; /* a PROPS that admits no names but its own, or NULL */
};

/* The strings, or integers, that pass a schema, as far as it lists them. */
enum listing {
    LISTING_NONE,    /* no list: any may pass */
    LISTING_ALLOWED, /* those of `values` pass; NULL: none */
    LISTING_REFUSED  /* those of `values` fail */
};

struct values {
    enum listing listing;
    const struct ir_op
        *op; /* an AMONG, a CONST or an ENUM, which may have values of other types too */
};

/* What one schema of a leaf says about a member. */
struct mention {
    struct cupel__str name;
    uint64_t
        start; /* the first eight bytes of the name, big-endian, which decide most comparisons */
    uint32_t leaf;
    bool required;
    bool other_typed; /* values other than strings and integers of 64 bits may pass */
    struct values strings, integers;
};

/* A growing array, from the allocator. */
struct numbers {
    uint32_t *p;
    size_t n, cap;
};

struct facts {
    struct ir_module *m;
    const struct cupel_alloc *alloc;
    size_t work; /* the budget of this file and of discriminate.c */

    struct leaf *leaves; /* of objects; in the order of branches until one is split */
    size_t nleaves, max_leaves;
    struct mention *mentions;
    size_t nmentions, max_mentions;
    struct numbers order;  /* mentions by name, those of one name by leaf */
    struct numbers groups; /* where each name begins in `order`, and the end */
};

/* The types that may pass a schema, as far as its operations in place say. */
uint32_t cupel__facts_types(struct facts *, uint32_t schema);

/* Collects the facts of a choice of schema s, with at most FACTS_MAX_LEAVES branches.
 * CUPEL_E_NO_MEMORY; after `work` is used up facts are missing. */
enum cupel_status cupel__facts_gather(struct facts *, const struct ir_schema *s,
                                      const struct ir_op *choice);
void cupel__facts_free(struct facts *);

/* The types of a choice's schema whose values all pass the choice, if the other types are of one
 * class; else 0. */
uint32_t cupel__facts_always_types(struct facts *, const struct ir_schema *s,
                                   const struct ir_op *choice);

/* Charges work; false when the budget is used up. */
static inline bool facts_spend(struct facts *f, size_t n)
{
    f->work -= n < f->work ? n : f->work;
    return f->work > 0;
}

/* False when out of memory. */
bool cupel__facts_push(struct facts *, struct numbers *, uint32_t x);
/* Fills an array with n times x; false when out of memory. */
bool cupel__facts_fill(struct facts *, struct numbers *, size_t n, uint32_t x);

#endif
