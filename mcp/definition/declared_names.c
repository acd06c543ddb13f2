/* declared_names.c: the names that an input schema declares, for the check of argument names
 * (call/argument_names.c).
 *
 * A name of an argument can be confused with a declared one if both fold to the same letters and
 * are spelled differently.  Two tables answer that.  The folded table has an entry for each
 * sequence of folded letters, with its spelling if there is one only.  The exact table has the
 * names that are the only spelling of their letters; nearly every argument has such a name, and
 * finding it there costs a tenth of folding it.
 *
 * Neither hash has a key.  Names that collide cost time only: in the exact table at most
 * MOST_PROBES comparisons, in the folded table a probe for each colliding name of the schema. */
#include "mcp/definition/declared_names.h"
#include "mcp/text/case_fold.h"

#include <string.h>

/* An entry of the folded table. */
struct cupel__declared_name {
    const char *bytes; /* NULL if the slot is empty, or several spellings were added */
    size_t len;
    uint32_t hash;
    bool used;
};

/* -- The folded table ------------------------------------------------------------------------- */

/* Returns the slot of a hash, or the empty one where it belongs. */
static struct cupel__declared_name *slot_of(const struct cupel__declared_names *names,
                                            uint32_t hash)
{
    uint32_t mask = names->capacity - 1;
    for (uint32_t i = (hash ^ hash >> 15) & mask;; i = (i + 1) & mask)
        if (!names->slots[i].used || names->slots[i].hash == hash)
            return &names->slots[i];
}

/* Doubles the folded table.  False when out of memory; the old table stays. */
static bool grow(struct cupel__declared_names *names, struct cupel__mcp_pool *pool)
{
    struct cupel__declared_names old = *names;
    names->capacity = old.capacity != 0 ? 2 * old.capacity : 16;
    names->slots = cupel__mcp_pool_get(pool, names->capacity * sizeof(*names->slots));
    if (names->slots == NULL) {
        *names = old;
        return false;
    }
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].used)
            *slot_of(names, old.slots[i].hash) = old.slots[i];
    return true;
}

static bool is_name(const struct cupel__declared_name *slot, const char *bytes, size_t len)
{
    return slot->bytes != NULL && slot->len == len && memcmp(slot->bytes, bytes, len) == 0;
}

bool cupel__declared_names_add(struct cupel__declared_names *names, struct cupel__mcp_pool *pool,
                               const char *bytes, size_t len)
{
    if (names->count >= names->capacity / 2 && !grow(names, pool))
        return false;
    uint32_t hash = cupel__fold_hash(bytes, len);
    struct cupel__declared_name *slot = slot_of(names, hash);
    if (slot->used) {
        if (!is_name(slot, bytes, len))
            slot->bytes = NULL;
        return true;
    }
    const char *copy = cupel__mcp_pool_copy(pool, bytes, len);
    if (copy == NULL)
        return false;
    *slot = (struct cupel__declared_name){copy, len, hash, true};
    names->count++;
    return true;
}

/* -- The exact table -------------------------------------------------------------------------- */

/* Slots that a look-up compares; names that find no free one among them are left out. */
enum { MOST_PROBES = 4 };

/* A name by its first and last eight bytes, which for names of up to 16 bytes are all of it. */
struct cupel__exact_name {
    uint64_t first, last;
    const char *bytes; /* NULL: an empty slot */
    size_t len;
};

static uint64_t load_eight(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

static uint64_t load_four(const char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* Names of one length and at most 16 bytes have equal words only if they are equal. */
static inline struct cupel__exact_name make_exact(const char *bytes, size_t len)
{
    struct cupel__exact_name name = {.bytes = bytes, .len = len};
    const unsigned char *p = (const unsigned char *)bytes;
    if (len >= 8) {
        name.first = load_eight(bytes);
        name.last = load_eight(bytes + len - 8);
    } else if (len >= 4) {
        name.first = load_four(bytes);
        name.last = load_four(bytes + len - 4);
    } else if (len != 0) {
        name.first = (uint64_t)p[0] | (uint64_t)p[len / 2] << 8 | (uint64_t)p[len - 1] << 16;
    }
    return name;
}

static uint32_t hash_exact(const struct cupel__exact_name *name)
{
    uint64_t rotated = name->last << 27 | name->last >> 37;
    return (uint32_t)(((name->first + name->len) ^ rotated) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static inline bool same_exact(const struct cupel__exact_name *a, const struct cupel__exact_name *b)
{
    return a->first == b->first && a->last == b->last && a->len == b->len && a->bytes != NULL &&
           (a->len <= 16 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

static void put_exact(struct cupel__declared_names *names, const struct cupel__exact_name *name)
{
    uint32_t hash = hash_exact(name);
    for (uint32_t i = 0; i < MOST_PROBES; i++) {
        struct cupel__exact_name *slot = &names->exact[(hash + i) & (names->exact_capacity - 1)];
        if (slot->bytes == NULL) {
            *slot = *name;
            return;
        }
    }
}

bool cupel__declared_names_finish(struct cupel__declared_names *names, struct cupel__mcp_pool *pool)
{
    if (names->incomplete || names->count == 0)
        return true;
    names->exact = cupel__mcp_pool_get(pool, names->capacity * sizeof(*names->exact));
    if (names->exact == NULL)
        return false;
    names->exact_capacity = names->capacity;
    for (uint32_t i = 0; i < names->capacity; i++) {
        const struct cupel__declared_name *slot = &names->slots[i];
        if (slot->bytes == NULL || memchr(slot->bytes, '\0', slot->len) != NULL)
            continue;
        struct cupel__exact_name name = make_exact(slot->bytes, slot->len);
        put_exact(names, &name);
    }
    return true;
}

static bool has_exact(const struct cupel__declared_names *names, const char *bytes, size_t len)
{
    if (names->exact_capacity == 0)
        return false;
    struct cupel__exact_name name = make_exact(bytes, len);
    uint32_t hash = hash_exact(&name);
    const struct cupel__exact_name *slot = &names->exact[hash & (names->exact_capacity - 1)];
    if (same_exact(slot, &name))
        return true;
    for (uint32_t i = 1; i < MOST_PROBES && slot->bytes != NULL; i++) {
        slot = &names->exact[(hash + i) & (names->exact_capacity - 1)];
        if (same_exact(slot, &name))
            return true;
    }
    return false;
}

/* -- The test --------------------------------------------------------------------------------- */

bool cupel__declared_names_confusable(const struct cupel__declared_names *names, const char *bytes,
                                      size_t len)
{
    if (!names->patterns && has_exact(names, bytes, len))
        return false;
    if (names->incomplete || names->patterns || memchr(bytes, '\0', len) != NULL)
        return true;
    if (names->count == 0)
        return false;
    const struct cupel__declared_name *slot = slot_of(names, cupel__fold_hash(bytes, len));
    return slot->used && !is_name(slot, bytes, len);
}
