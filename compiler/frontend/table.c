/* table.c: the frontend's one hash table.
 *
 * URIs, anchors and members of large objects come from untrusted schemas.  Names are therefore
 * hashed with a secret seed, by folding products of 128 bits, so that colliding names cannot be
 * prepared, and no look-up is linear in the schema.  Open addressing; at most half of the slots are
 * used. */
#include "base/hash.h"
#include "compiler/frontend/frontend.h"

#include "base/load.h"

/* The two halves of the 128-bit product, combined by exclusive or. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

static uint64_t mix(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}
#else
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), cross = (a >> 32) * (b & UINT32_MAX);
    uint64_t middle = (a & UINT32_MAX) * (b >> 32) + (low >> 32) + (cross & UINT32_MAX);
    return a * b ^ ((a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32));
}
#endif

uint64_t cupel__fe_hash(const struct frontend *fe, struct cupel__str s)
{
    uint64_t h = fe->seed ^ s.n;
    for (; s.n >= 8; s.p += 8, s.n -= 8)
        h = mix(h ^ cupel__load64(s.p), CUPEL__GOLDEN_RATIO);
    return mix(h ^ cupel__load_partial(s.p, s.n), 0xd6e8feb86659fd93u);
}

static uint64_t hash_key(const struct frontend *fe, const struct fe_key *key)
{
    uint64_t numbers = (uint64_t)key->number << 32 | key->index;
    uint64_t place = (uint64_t)key->doc << 8 | key->space;
    return mix(cupel__fe_hash(fe, key->name) ^ numbers, 0xa0761d6478bd642fu ^ place);
}

static bool same_key(const struct fe_key *a, const struct fe_key *b)
{
    return a->space == b->space && a->doc == b->doc && a->number == b->number &&
           a->index == b->index && cupel__str_eq(a->name, b->name);
}

/* The entry with the key, or the free slot where it belongs.  The table is never full. */
static struct fe_entry *probe(const struct fe_table *t, const struct fe_key *key, uint64_t hash)
{
    size_t i = (size_t)hash & (t->cap - 1);
    while (t->entries[i].used && (t->entries[i].hash != hash || !same_key(&t->entries[i].key, key)))
        i = (i + 1) & (t->cap - 1);
    return &t->entries[i];
}

static enum cupel_status grow(struct frontend *fe)
{
    struct fe_table *t = &fe->table, wider = {.cap = t->cap == 0 ? 32 : t->cap * 2};
    size_t size = wider.cap * sizeof *wider.entries;
    wider.entries = cupel__realloc(&fe->alloc, NULL, 0, size);
    if (wider.entries == NULL)
        return CUPEL_E_NO_MEMORY;
    memset(wider.entries, 0, size);
    for (size_t i = 0; i < t->cap; i++) {
        struct fe_entry *e = &t->entries[i];
        if (e->used)
            *probe(&wider, &e->key, e->hash) = *e;
    }
    cupel__free(&fe->alloc, t->entries, t->cap * sizeof *t->entries);
    t->entries = wider.entries;
    t->cap = wider.cap;
    return CUPEL_OK;
}

struct fe_entry *cupel__fe_table_find(const struct frontend *fe, struct fe_key key)
{
    if (fe->table.used == 0)
        return NULL;
    struct fe_entry *e = probe(&fe->table, &key, hash_key(fe, &key));
    return e->used ? e : NULL;
}

enum cupel_status cupel__fe_table_add(struct frontend *fe, struct fe_key key, uint32_t value)
{
    struct fe_table *t = &fe->table;
    if ((t->used + 1) * 2 > t->cap && grow(fe) != CUPEL_OK)
        return CUPEL_E_NO_MEMORY;
    uint64_t hash = hash_key(fe, &key);
    *probe(t, &key, hash) = (struct fe_entry){key, hash, value, true};
    t->used++;
    return CUPEL_OK;
}
