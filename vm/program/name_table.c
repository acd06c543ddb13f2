/* name_table.c: lookups in tables of names that are too rare to be inline: large tables, names with
 * escapes or quotes; names for printing; the checksum of an image. */
#include "vm/program/name_table.h"

struct cupel__str cupel__entry_name(const struct cupel__image *image, const struct cupel__table *t,
                                    const struct cupel__entry *e, char buf[16])
{
    if (e->flags & CUPEL__ENTRY_LONG)
        return cupel__long_name(image, t, (size_t)(e - cupel__table_entries(t)));
    memcpy(buf, e->name, 16);
    return (struct cupel__str){buf, 15 - (uint32_t)__builtin_popcount(e->ignore)};
}

/* Whether an entry that is not LONG has the name at p.  Any byte may follow the name, so the
 * entry's quote is not compared. */
static __attribute__((noinline)) bool same_short(const struct cupel__entry *e, const char *p,
                                                 uint32_t len)
{
    return len < 16 && e->ignore == cupel__entry_ignore(len) &&
           cupel__same_start(e, p, (uint16_t)(e->ignore | 1u << len));
}

/* The order of entries in a SORTED table: by length, then by bytes. */
static int compare(const struct cupel__image *image, const struct cupel__table *t,
                   const struct cupel__entry *e, const char *p, uint32_t n)
{
    char buf[16];
    struct cupel__str name = cupel__entry_name(image, t, e, buf);
    if (name.n != n)
        return name.n < n ? -1 : 1;
    return memcmp(name.p, p, n);
}

/* Binary search in a SORTED table. */
static __attribute__((noinline)) const struct cupel__entry *
bisect(const struct cupel__image *image, const struct cupel__table *t, const char *p, uint32_t n)
{
    const struct cupel__entry *entries = cupel__table_entries(t);
    size_t lo = 0, hi = t->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = compare(image, t, &entries[mid], p, n);
        if (c == 0)
            return &entries[mid];
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

/* Any table and any name.  The comparison depends on whether the entry is LONG, and on whether a
 * quote follows the name, with which a short entry can be compared at once. */
const struct cupel__entry *cupel__table_search(const struct cupel__image *image,
                                               const struct cupel__table *t, uint32_t hash,
                                               const char *p, uint32_t len, bool quoted)
{
    if (t->flags & CUPEL__TABLE_SORTED)
        return bisect(image, t, p, len);
    size_t slot = cupel__table_slot(t, cupel__table_hash(t, hash, p, len));
    const uint8_t *slots = cupel__table_disp(t) + cupel__table_ndisp(t);
    size_t i = slots[slot];
    if (t->flags & CUPEL__TABLE_WIDE)
        i = (size_t)slots[2 * slot] | (size_t)slots[2 * slot + 1] << 8;
    const struct cupel__entry *e = cupel__table_entries(t) + i - 1;
    bool same = i != 0;
    if (same && e->flags & CUPEL__ENTRY_LONG)
        same = len >= 16 && cupel__same_start(e, p, 0) && cupel__same_rest(image, t, i - 1, p, len);
    else if (same && quoted && !(t->flags & CUPEL__TABLE_QUOTE))
        same = cupel__same_start(e, p, e->ignore);
    else if (same)
        same = same_short(e, p, len);
    return same ? e : NULL;
}

const struct cupel__entry *cupel__table_find(const struct cupel__image *image,
                                             const struct cupel__table *t, const char *p,
                                             uint32_t len)
{
    return cupel__table_search(image, t, cupel__name_hash(p, len), p, len, false);
}

/* `lengths` excludes most names that the table does not have before anything is hashed. */
const struct cupel__entry *cupel__table_find_node(const struct cupel__image *image,
                                                  const struct cupel__table *t,
                                                  const struct cupel__doc *doc,
                                                  const struct cupel__node *n)
{
    const char *p = doc->base[n->flags >> 1 & 1] + n->off;
    if ((t->lengths >> (n->len < 31 ? n->len : 31) & 1) == 0)
        return NULL;
    uint32_t hash = n->flags == CUPEL__KEY ? n->hash : cupel__name_hash(p, n->len);
    if (t->flags & CUPEL__TABLE_PLAIN && !(n->flags & CUPEL__DECODED))
        return cupel__table_quick(image, t, cupel__table_entries(t), hash, p, n->len);
    return cupel__table_search(image, t, hash, p, n->len, !(n->flags & CUPEL__DECODED));
}

static inline uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0xff51afd7ed558ccdu;
    return h ^ h >> 32;
}

/* Successive words go to four sums in turn.  A processor then computes four multiplications at once
 * instead of one after the other. */
uint64_t cupel__image_checksum(const void *image, size_t size)
{
    const size_t start = offsetof(struct cupel__image, checksum) + sizeof(uint64_t);
    const char *p = (const char *)image + start, *end = (const char *)image + size;
    uint64_t a = 0x9e3779b97f4a7c15u ^ size, b = 1, c = 2, d = 3;
    for (; end - p >= 32; p += 32) {
        a = mix(a, cupel__load64(p));
        b = mix(b, cupel__load64(p + 8));
        c = mix(c, cupel__load64(p + 16));
        d = mix(d, cupel__load64(p + 24));
    }
    for (; end - p >= 8; p += 8) /* the size of an image is a multiple of 8 */
        a = mix(a, cupel__load64(p));
    return mix(mix(mix(a, b), c), d);
}
