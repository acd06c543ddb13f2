/* branches.h: what the branches of an anyOf or oneOf ask of the members of a value.
 *
 * It is read from the image alone.  A branch that is a choice itself asks what its own branches
 * ask: a value that one of them wants fits, a value that none of them takes differs. */
#ifndef CUPEL_VM_BRANCHES_H
#define CUPEL_VM_BRANCHES_H

#include "vm/report/log.h"
#include <cupel/report.h>

enum { CUPEL__MAX_BRANCHES = 64, CUPEL__MAX_MEMBERS = 32, CUPEL__MAX_TABLES = 8 };

/* What a member counts that a branch knows; one that is like a name it knows counts 1. */
enum { CUPEL__KNOWN = 4 };

struct cupel__branch {
    uint32_t tables[CUPEL__MAX_TABLES]; /* of names that it knows */
    uint32_t ntables;
    uint32_t fits, differs; /* bit i: member i has a value that the branch asks for, or another */
    uint32_t knows;         /* bit i: it knows the name of member i */

    /* What failed in it: see choose.c. */
    bool type, value; /* it asks for other types, for other values of this type */
    bool in_place;    /* something failed at the value itself */
    int missing;
};

struct cupel__branches {
    const struct cupel__code *code;
    struct cupel__doc *doc;
    int64_t left;      /* the work that may be done */
    uint32_t pc, node; /* the choice and its value */
    uint32_t n, nmembers;
    uint32_t members[CUPEL__MAX_MEMBERS]; /* keys */
    struct cupel__branch branch[CUPEL__MAX_BRANCHES];
};

/* Begins with the choice at `pc`; `code`, `doc` and `left` are set.  False if it has too many
 * branches. */
bool cupel__branches_begin(struct cupel__branches *, uint32_t pc, uint32_t node);

/* Fills in what they ask of the members. */
void cupel__branches_read_members(struct cupel__branches *);

/* The branches that may be meant by a tag, which is a member for which they ask for different
 * values, and in *ret_tag its value; all where there is no tag.  *ret_wrong: it has none of the
 * values. */
uint64_t cupel__branches_by_tag(struct cupel__branches *, uint32_t *ret_tag, bool *ret_wrong);

/* The one branch of a set that knows most members, and of those the one that misses least; none if
 * it is not the only one.  `discount` is for what does not tell them apart. */
uint64_t cupel__branches_best_known(struct cupel__branches *, uint64_t set, int discount);

/* Completes the event of a choice if a tag alone says which branch is meant. */
void cupel__branches_decide_by_tag(struct cupel__vm *, struct cupel__event *);

/* Sets of branches. */
static inline uint64_t cupel__branches_all(const struct cupel__branches *b)
{
    return b->n == 64 ? UINT64_MAX : (UINT64_C(1) << b->n) - 1;
}

static inline bool cupel__set_single(uint64_t set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

static inline uint32_t cupel__set_lowest(uint64_t set)
{
    uint32_t i = 0;
    while ((set >> i & 1) == 0)
        i++;
    return i;
}

#endif
