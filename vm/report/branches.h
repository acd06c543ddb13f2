/* branches.h: what the branches of an anyOf or oneOf require of the members of a value.
 *
 * This is how a message finds out which branch the author of a value aimed at: by a tag (a member
 * whose allowed values differ between branches) or by the names of the members.  Everything is read
 * from the image and the document; nothing is run. */
#ifndef CUPEL_VM_BRANCHES_H
#define CUPEL_VM_BRANCHES_H

#include "vm/run/records.h"
#include "vm/run/vm.h"
#include <cupel/report.h>

enum { CUPEL__MAX_BRANCHES = 64, CUPEL__MAX_MEMBERS = 32, CUPEL__MAX_TABLES = 8 };

/* Points of a member that a branch declares; a member with a similar name has one point. */
enum { CUPEL__KNOWN = 4 };

struct cupel__branch {
    uint32_t tables[CUPEL__MAX_TABLES]; /* name tables of its schemas */
    uint32_t ntables;
    uint32_t fits, differs; /* bit i: the branch lists allowed values for member i, which has
                              one of them, or another */
    uint32_t knows;         /* bit i: the branch declares the name of member i */

    /* What failed in it (best_branch.c). */
    bool type;     /* the value has a type that it does not allow */
    bool value;    /* the value has an allowed type and no allowed value */
    bool in_place; /* something failed at the value itself, not below it */
    int missing;   /* required members that are missing */
};

struct cupel__branches {
    const struct cupel__code *code;
    struct cupel__doc *doc;
    int64_t left;      /* steps of work that remain; set by the user */
    uint32_t pc, node; /* the choice, and the node of its value */
    uint32_t n, nmembers;
    uint32_t members[CUPEL__MAX_MEMBERS]; /* nodes of their keys */
    struct cupel__branch branch[CUPEL__MAX_BRANCHES];
};

/* Begins with the choice at `pc`; the user has set `code`, `doc` and `left`.  False if it has more
 * than MAX_BRANCHES. */
bool cupel__branches_begin(struct cupel__branches *, uint32_t pc, uint32_t node);

/* Fills in members and, for each branch, tables, fits, differs and knows. */
void cupel__branches_read_members(struct cupel__branches *);

/* The branches that the tags of the value allow, and in *ret_tag the node of a tag; all branches if
 * there is no tag.  *ret_wrong: the tag has a value that no branch allows. */
uint64_t cupel__branches_by_tag(struct cupel__branches *, uint32_t *ret_tag, bool *ret_wrong);

/* The branch of a set with the most points for its members, as a set; empty if two have the most.
 * `discount` points of each are for a member that all of them declare. */
uint64_t cupel__branches_best_known(struct cupel__branches *, uint64_t set, int discount);

/* Completes the event of a choice if a tag alone singles out a branch, before the branches have run
 * for the report: their failures then need not be recorded. */
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
