/* test_members.c: the index of members, and the table it is in: with no room, with keys that meet,
 * and with every budget. */
#include "base/json/document.h"
#include "base/json/member_index.h"
#include "base/json/tape.h"
#include "test.h"

/* -- The table --------------------------------------------------------------------------------- */

enum { SLOTS = 256 };

static void test_runs(void)
{
    static struct cupel__slot slots[SLOTS];
    struct cupel__map map = {
        .slots = slots, .n = SLOTS, .max_slots = SLOTS, .generation = UINT32_MAX - 1};
    size_t at = 0;
    cupel__map_clear(&map);
    CHECK(cupel__map_next(&map, 7, &at) == NULL);
    cupel__map_put(&map, at, 7, 1);
    at = 0;
    CHECK(cupel__map_next(&map, 7, &at) != NULL);
    cupel__map_clear(&map); /* the number of the run begins anew */
    CHECK_INT(map.generation, 1);
    at = 0;
    CHECK(cupel__map_next(&map, 7, &at) == NULL);
    struct cupel__map empty = {.generation = UINT32_MAX};
    cupel__map_clear(&empty);
    at = 0;
    CHECK(cupel__map_next(&empty, 7, &at) == NULL);
}

static void test_room(void)
{
    struct cupel__map map = {.max_slots = 1000};
    cupel__map_clear(&map);
    CHECK(!cupel__map_has_capacity(&map, 1));
    CHECK_INT(map.need, 256);
    CHECK(!cupel__map_has_capacity(&map, 100));
    CHECK_INT(map.need, 512);
    CHECK(!cupel__map_has_capacity(&map, 200));
    CHECK_INT(map.need, 512); /* twice as many would be more than there may be */
    CHECK(!cupel__map_has_capacity(&map, 300));
    CHECK_INT(map.need, 0);
    CHECK(!cupel__map_has_capacity(&map, 2000));
    CHECK_INT(map.need, 0);
    map.n = 512;
    CHECK(cupel__map_has_capacity(&map, 256));
    CHECK(!cupel__map_has_capacity(&map, 257));
    CHECK_INT(map.need, 0);
}

/* A key that is there several times, among others that are in its way. */
static void test_equal_keys(void)
{
    static struct cupel__slot slots[SLOTS];
    struct cupel__map map = {.slots = slots, .n = SLOTS, .max_slots = SLOTS};
    cupel__map_clear(&map);
    for (uint32_t i = 0; i < 100; i++) {
        size_t at = 0;
        while (cupel__map_next(&map, i % 10, &at) != NULL)
            continue;
        cupel__map_put(&map, at, i % 10, i);
    }
    for (uint32_t key = 0; key < 11; key++) {
        size_t at = 0;
        uint32_t count = 0;
        for (struct cupel__slot *slot; (slot = cupel__map_next(&map, key, &at)) != NULL; count++)
            CHECK_INT(slot->value, 10 * count + key);
        CHECK_INT(count, key < 10 ? 10 : 0);
    }
}

/* -- Members ----------------------------------------------------------------------------------- */

static struct cupel__slot slots[1 << 16];

static struct cupel__member_index index_of(const struct cupel__doc *doc, size_t n)
{
    struct cupel__member_index index = {
        .doc = doc, .map = {.slots = slots, .n = n, .max_slots = n}, .key = {1, 2}};
    memset(slots, 0, n * sizeof *slots);
    cupel__map_clear(&index.map);
    return index;
}

/* An object of n members called m0, m1 …. */
static struct cupel_document *object_of(unsigned n)
{
    static char text[1 << 20];
    struct cupel_document *doc = NULL;
    struct cupel_options options;
    size_t at = 0;
    text[at++] = '{';
    for (unsigned i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "%s\"m%u\":%u", i > 0 ? "," : "", i, i);
    text[at++] = '}';
    cupel_options_init(&options);
    CHECK_INT(cupel_document_new(&options, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, text, at, NULL), CUPEL_OK);
    return doc;
}

/* Each name five times, with so many steps. */
static enum cupel_status find_all(struct cupel_document *doc, unsigned n,
                                  struct cupel__member_index *index, int64_t steps)
{
    struct cupel__budget budget = {.remaining = steps, .index = index};
    for (unsigned i = 0; i < 5 * n + 5; i++) {
        char name[16];
        uint32_t at = 0;
        struct cupel__str s = {name, (size_t)sprintf(name, "m%u", i % (n + 1))};
        int found = cupel__member_find(&doc->doc, 0, s, &budget, &at);
        if (found < 0)
            return budget.why;
        if (found != (i % (n + 1) < n))
            CHECK_INT(found, i % (n + 1) < n);
        if (found == 1 && !cupel__str_eq(cupel__doc_str(&doc->doc, &doc->doc.nodes[at]), s))
            CHECK(cupel__str_eq(cupel__doc_str(&doc->doc, &doc->doc.nodes[at]), s));
    }
    return CUPEL_OK;
}

static void test_members(void)
{
    struct cupel_document *doc = object_of(40), *other = object_of(3);
    struct cupel__member_index index;
    enum cupel_status status = CUPEL_E_LIMIT_STEPS;
    for (int64_t steps = 0; status == CUPEL_E_LIMIT_STEPS && CHECK(steps < 2000); steps++) {
        index = index_of(&doc->doc, 1024);
        status = find_all(doc, 40, &index, steps);
        CHECK(status == (steps < 200 ? CUPEL_E_LIMIT_STEPS : status));
    }
    CHECK_INT(status, CUPEL_OK);
    index = index_of(&doc->doc, 64); /* no room for the names, and none to be had */
    CHECK_INT(find_all(doc, 40, &index, 1 << 20), CUPEL_OK);
    index = index_of(&doc->doc, 0);
    index.map.max_slots = 1024;
    CHECK_INT(find_all(doc, 40, &index, 1 << 20), CUPEL_E_LIMIT_MEMORY);
    CHECK(index.map.need > 0);
    index = index_of(&other->doc, 1024); /* of another document: not used */
    CHECK_INT(find_all(doc, 40, &index, 1 << 20), CUPEL_OK);
    CHECK_INT(index.map.used, 0);
    CHECK_INT(find_all(doc, 40, NULL, 1 << 20), CUPEL_OK);
    CHECK_INT(find_all(other, 3, &index, 1 << 20), CUPEL_OK);
    cupel_document_free(doc);
    cupel_document_free(other);
}

/* So many names that hashes of 31 bits meet. */
static void test_collisions(void)
{
    enum { MANY = 30000 };
    struct cupel_document *doc = object_of(MANY);
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct cupel__member_index index = index_of(&doc->doc, 1 << 16);
        index.key[0] = seed;
        CHECK_INT(find_all(doc, MANY, &index, INT64_MAX / 2), CUPEL_OK);
    }
    cupel_document_free(doc);
}

int main(void)
{
    test_runs();
    test_room();
    test_equal_keys();
    test_members();
    test_collisions();
    return test_end();
}
