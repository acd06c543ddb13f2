/* equal.h: equality of JSON values (JSON Schema core 4.2.2), their hashes, and uniqueness.
 *
 * Values are compared as they stand on the tape: nothing is built, sorted or allocated, and nothing
 * recurses on the C stack.  A function that cannot decide returns -1 and says why in the budget:
 * the steps are spent, a number is out of range (base/decimal.h), objects are nested too deep with
 * members in different orders, or the index of names needs more slots. */
#ifndef CUPEL_BASE_JSON_EQUAL_H
#define CUPEL_BASE_JSON_EQUAL_H

#include "base/decimal.h"
#include "base/json/budget.h"
#include "base/json/tape.h"

/* Open containers that a comparison or a hash keeps on its stack.  Two objects that are nested
 * deeper are equal only with their members in the same order, and undecided otherwise. */
enum { CUPEL__EQUAL_DEPTH = 256 };

/* Whether two values are equal: 1, 0, or -1 if undecided. */
int cupel__json_equal(struct cupel__doc *a, uint32_t na, struct cupel__doc *b, uint32_t nb,
                      struct cupel__budget *);

/* A hash that equal values share.  `key` is secret: without it nobody can choose values whose
 * hashes collide.  NULL: a fingerprint, which takes less time.  False if undecided. */
bool cupel__json_hash(struct cupel__doc *, uint32_t i, const uint64_t key[2],
                      struct cupel__budget *, uint64_t *ret);

/* Up to so many items are compared in pairs, without a table. */
enum { CUPEL__UNIQUE_PAIRWISE = 16 };

/* How the items of an array are compared. */
struct cupel__unique {
    struct cupel__doc *doc;
    const uint64_t *key; /* two words, secret: without them nobody can choose values that collide */
    struct cupel__budget *budget;
    bool fingerprints; /* hashes without a key are tried first */
};

/* Whether the items of array node i differ pairwise: 1, 0, or -1 if undecided.  Of more than
 * CUPEL__UNIQUE_PAIRWISE items the hashes go into `table`, scratch memory of `ntable` words: a
 * power of two, at least twice the number of items.  Takes time linear in the text; confirming that
 * two large objects with reordered members are equal takes longer if the budget has no index.  The
 * steps that it takes do not depend on the key. */
int cupel__json_unique(const struct cupel__unique *, uint32_t i, uint64_t *table, size_t ntable);

/* -- Shared by equal.c and unique.c ------------------------------------------------------------ */

/* One type for all types whose values may be equal: INT for numbers, STRING for strings. */
static inline unsigned cupel__type_class(unsigned type)
{
    if (CUPEL__BIT(type) & CUPEL__M_NUMBER)
        return CUPEL__INT;
    if (CUPEL__BIT(type) & CUPEL__M_STRING)
        return CUPEL__STRING;
    return type;
}

/* The value of a number node; charges for reading a lexeme.  1, or -1 if undecided. */
int cupel__charged_number(struct cupel__doc *, uint32_t i, struct cupel__budget *,
                          struct cupel__dec *ret);

#endif
