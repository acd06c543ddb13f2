/* member_index.h: finding members of large objects by name, again and again. */
#ifndef CUPEL_BASE_JSON_MEMBER_INDEX_H
#define CUPEL_BASE_JSON_MEMBER_INDEX_H

#include "base/json/budget.h"
#include "base/json/tape.h"
#include "base/map.h"

/* The names of those objects of one document that have been searched often.  Whoever owns it
 * empties `map` before each run, and gives it more slots when a search ended with LIMIT_MEMORY. */
struct cupel__member_index {
    const struct cupel__doc *doc;
    struct cupel__map map;
    uint64_t key[2]; /* of the hash of names, secret */
};

/* The key of the member `name` of object node i: 1 and its node index, 0 if there is none, -1
 * undecided. A small object is searched, and a large one the first few times; after that its names
 * are in the index, if budget->index is one of this document and has room or can get it.  So many
 * searches of one object take time in proportion to their number and its size. */
int cupel__member_find(struct cupel__doc *, uint32_t i, struct cupel__str name,
                       struct cupel__budget *, uint32_t *ret);

#endif
