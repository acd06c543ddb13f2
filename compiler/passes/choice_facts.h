/* choice_facts.h: what is known of the branches of a choice, for passes/discriminate.c.
 *
 * It is gathered from leaves.  A leaf is a list of schemas that apply to the object together: a
 * branch, what it refers to in place, and of each choice in it one branch; a branch passes no
 * object that none of its leaves passes.  Of a member a leaf may say that it is required, that it
 * must not be there, and which strings and integers it may be.  What it says besides is not asked.
 *
 * The types of schemas are those that passes found, and what TYPE, CONST and their like say as
 * lowering left them, so that a report's choices are known as well. */
#ifndef CUPEL_COMPILER_CHOICE_FACTS_H
#define CUPEL_COMPILER_CHOICE_FACTS_H

#include "compiler/ir/ir.h"

enum {
    FACTS_PARTS = 8,           /* schemas of a leaf */
    FACTS_KEPT = 8,            /* work for what is kept in memory, which is bounded so */
    FACTS_MAX_LEAVES = 1 << 14 /* of a choice */
};

struct leaf {
    uint32_t branch, types;
    uint32_t parts[FACTS_PARTS], nparts;
    uint32_t target; /* the part that is all: the others are choices of which it is a branch */
    uint32_t part;   /* what is looked at next … */
    const struct ir_op *at;     /* … of its operations */
    const struct ir_op *closed; /* a PROPS that lets no other names pass */
};

/* Which strings, or which integers, pass a schema, as far as it lists them. */
enum listing {
    LISTING_NONE,    /* no list: any may pass */
    LISTING_ALLOWED, /* those of `values`; NULL: none pass */
    LISTING_REFUSED  /* those of `values` fail */
};

struct values {
    enum listing listing;
    const struct ir_op *op; /* an AMONG, a CONST or an ENUM, with values of other types too */
};

/* What one schema of a leaf says of a member. */
struct mention {
    struct cupel__str name;
    uint64_t start; /* its first eight bytes, the first of them the highest, which tell most names
                       apart */
    uint32_t leaf;
    bool required, other_typed;
    struct values strings, integers;
};

/* Growing arrays, which are the allocator's. */
struct numbers {
    uint32_t *p;
    size_t n, cap;
};

struct facts {
    struct ir_module *m;
    const struct cupel_alloc *alloc;
    size_t work; /* that may still be done: everything here and in passes/discriminate.c is paid
                    from it */

    struct leaf *leaves; /* of objects, in the order of branches as far as none was split */
    size_t nleaves, max_leaves;
    struct mention *mentions;
    size_t nmentions, max_mentions;
    struct numbers order;  /* of mentions: by name; of one name in the order of leaves */
    struct numbers groups; /* where in `order` each name begins; then the end */
};

/* The types that may pass a schema, as far as it is easily told. */
uint32_t cupel__facts_types(struct facts *, uint32_t schema);

/* Everything about a choice of schema s, of FACTS_MAX_LEAVES branches at most.  CUPEL_E_NO_MEMORY;
 * with `work` used up the facts are not all there. */
enum cupel_status cupel__facts_gather(struct facts *, const struct ir_schema *s,
                                      const struct ir_op *choice);
void cupel__facts_free(struct facts *);

/* Charges work; false when all of it is done. */
static inline bool facts_spend(struct facts *f, size_t n)
{
    f->work -= n < f->work ? n : f->work;
    return f->work > 0;
}

/* False when out of memory. */
bool cupel__facts_push(struct facts *, struct numbers *, uint32_t x);
/* n times x. */
bool cupel__facts_fill(struct facts *, struct numbers *, size_t n, uint32_t x);

#endif
