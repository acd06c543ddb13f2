/* declared_names.c: */
#include "mcp/definition/declared_names.h"
#include "mcp/text/case_fold.h"

#include <string.h>

struct cupel__declared_name {
    const char *bytes; /* NULL in an empty slot, and where several spellings were declared */
    size_t len;
    uint32_t hash;
    bool used;
};

static struct cupel__declared_name *slot_of(const struct cupel__declared_names *names,
                                            uint32_t hash)
{
    uint32_t mask = names->capacity - 1;
    for (uint32_t i = (hash ^ hash >> 15) & mask;; i = (i + 1) & mask)
        if (!names->slots[i].used || names->slots[i].hash == hash)
            return &names->slots[i];
}

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

bool cupel__declared_names_add(struct cupel__declared_names *names, struct cupel__mcp_pool *pool,
                               const char *bytes, size_t len)
{
    if (names->count >= names->capacity / 2 && !grow(names, pool))
        return false;
    uint32_t hash = cupel__fold_hash(bytes, len);
    struct cupel__declared_name *slot = slot_of(names, hash);
    if (slot->used) {
        if (slot->bytes != NULL && (slot->len != len || memcmp(slot->bytes, bytes, len) != 0))
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

/* Whether the name could be taken for another one of the schema. */
bool cupel__declared_names_confusable(const struct cupel__declared_names *names, const char *bytes,
                                      size_t len)
{
    if (names->incomplete || memchr(bytes, '\0', len) != NULL)
        return true;
    if (names->count == 0)
        return false;
    const struct cupel__declared_name *slot = slot_of(names, cupel__fold_hash(bytes, len));
    return slot->used &&
           (slot->bytes == NULL || slot->len != len || memcmp(slot->bytes, bytes, len) != 0);
}
