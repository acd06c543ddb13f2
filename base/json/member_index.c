/* member_index.c: repeated look-ups of members of large objects by name (json/member_index.h).
 *
 * The index has two kinds of entries.  One for each object that was searched counts its searches
 * until its names are added; its key is the object's node index with a hash of 0.  One for each
 * name of such an object has the object's node index and the name's keyed hash, which is never
 * even. */
#include "base/json/member_index.h"
#include "base/siphash.h"

enum {
    LARGE = 16,         /* members; an index does not find fewer any faster */
    SEARCHES = 4,       /* of one object, by which time indexing its names pays */
    INDEXED = SEARCHES, /* the value of an object whose names are in the index */
    HASHED = 5 /* steps for hashing a name and finding its slot, beside those for its length */
};

/* Looks at each name in turn. */
static int search(struct cupel__doc *doc, uint32_t i, struct cupel__str name,
                  struct cupel__budget *budget, uint32_t *ret)
{
    struct cupel__node *object = &doc->nodes[i];
    if (!cupel__spend(budget, 1 + object->count + name.n / 32))
        return -1;
    uint32_t value = cupel__doc_member(doc, i, name);
    *ret = value - 1;
    return value != 0;
}

/* The key of an object's entry: a hash of 0, which no name has. */
static uint64_t object_key(uint32_t i)
{
    return (uint64_t)i << 32;
}

static uint64_t name_key(const struct cupel__member_index *index, uint32_t i,
                         struct cupel__str name)
{
    struct cupel__siphash prf = cupel__siphash_start(index->key, 0, 0, name.n);
    cupel__siphash_add_bytes(&prf, name.p, name.n);
    return (uint64_t)i << 32 | (uint32_t)cupel__siphash_end(&prf) | 1;
}

/* Adds the names of an object; there is capacity. */
static int add_names(struct cupel__member_index *index, struct cupel__doc *doc, uint32_t i,
                     struct cupel__budget *budget)
{
    const uint32_t end = doc->nodes[i].end;
    for (uint32_t k = i + 1; k < end; k = cupel__node_next(doc->nodes, k + 1)) {
        struct cupel__str name = cupel__doc_str(doc, &doc->nodes[k]);
        uint64_t key = name_key(index, i, name);
        size_t at = 0;
        if (!cupel__spend(budget, HASHED + name.n / 32))
            return -1;
        while (cupel__map_next(&index->map, key, &at) != NULL)
            continue;
        cupel__map_put(&index->map, at, key, k);
    }
    return 1;
}

/* Whether the names of an object are in the index: 1, 0, or -1 if undecided.  Counts the search,
 * and adds the names at the last one that does without. */
static int is_indexed(struct cupel__member_index *index, struct cupel__doc *doc, uint32_t i,
                      struct cupel__budget *budget)
{
    size_t at = 0;
    struct cupel__slot *slot = cupel__map_next(&index->map, object_key(i), &at);
    if (slot != NULL && slot->value == INDEXED)
        return 1;
    bool now = slot != NULL && slot->value + 1 == SEARCHES;
    size_t more = (size_t)(slot == NULL) + (now ? doc->nodes[i].count : 0);
    if (more > 0 && !cupel__map_has_capacity(&index->map, more)) {
        budget->why = CUPEL_E_LIMIT_MEMORY;
        return index->map.need > 0 ? -1 : 0;
    }
    if (slot == NULL)
        cupel__map_put(&index->map, at, object_key(i), 1);
    else
        slot->value++;
    return now ? add_names(index, doc, i, budget) : 0;
}

/* Finds a name of an object whose names are in the index. */
static int look_up(const struct cupel__member_index *index, struct cupel__doc *doc, uint32_t i,
                   struct cupel__str name, struct cupel__budget *budget, uint32_t *ret)
{
    uint64_t key = name_key(index, i, name);
    size_t at = 0;
    const struct cupel__slot *slot;
    if (!cupel__spend(budget, HASHED + name.n / 32))
        return -1;
    while ((slot = cupel__map_next(&index->map, key, &at)) != NULL) {
        if (!cupel__str_eq(cupel__doc_str(doc, &doc->nodes[slot->value]), name))
            continue;
        *ret = slot->value;
        return 1;
    }
    return 0;
}

int cupel__member_find(struct cupel__doc *doc, uint32_t i, struct cupel__str name,
                       struct cupel__budget *budget, uint32_t *ret)
{
    struct cupel__member_index *index = budget->index;
    if (doc->nodes[i].count < LARGE || index == NULL || index->doc != doc)
        return search(doc, i, name, budget, ret);
    int indexed = is_indexed(index, doc, i, budget);
    if (indexed < 0)
        return -1;
    return indexed ? look_up(index, doc, i, name, budget, ret) : search(doc, i, name, budget, ret);
}
