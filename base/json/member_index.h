/* member_index.h: repeated look-ups of members of large objects by name. */
#ifndef CUPEL_BASE_JSON_MEMBER_INDEX_H
#define CUPEL_BASE_JSON_MEMBER_INDEX_H

#include "base/json/budget.h"
#include "base/json/tape.h"
#include "base/map.h"

/* The names of the objects of one document that were searched often.  The owner clears `map` before
 * each run, and grows it by `need` when a look-up ended with LIMIT_MEMORY. */
struct cupel__member_index {
    const struct cupel__doc *doc;
    struct cupel__map map;
    uint64_t key[2]; /* of the hash of names; secret */
};

/* Looks up the member `name` of object node i.  1 with the index of its key node, 0 if there is
 * none, or -1 if undecided.  Searches a small object, and a large one the first few times; then its
 * names go into budget->index, if that index is of this document and has capacity, or can get it.
 * So n look-ups in one object take time in proportion to n and to its size, not to their product.
 */
int cupel__member_find(struct cupel__doc *, uint32_t i, struct cupel__str name,
                       struct cupel__budget *, uint32_t *ret);

#endif
