/* name_table.h: lookup of a name in a table (image.h).  The functions are inline because the object
 * loop does one lookup for each member.
 *
 * Names are read sixteen bytes at a time.  Up to fifteen bytes after the end of a name must be
 * readable; documents and images are padded for that. */
#ifndef CUPEL_VM_TABLE_H
#define CUPEL_VM_TABLE_H

#include "base/name_hash.h"
#include "vm/program/image.h"
#include <string.h>
#ifdef __SSE2__
#    include <emmintrin.h>
#endif

static inline const uint8_t *cupel__table_disp(const struct cupel__table *t)
{
    return (const uint8_t *)(t + 1);
}

static inline size_t cupel__table_ndisp(const struct cupel__table *t)
{
    return t->disp != 0 ? (size_t)1 << t->disp : 0;
}

static inline size_t cupel__table_nslots(const struct cupel__table *t)
{
    return t->flags & CUPEL__TABLE_SORTED ? 0 : (size_t)1 << (32 - t->shift);
}

static inline const struct cupel__entry *cupel__table_entries(const struct cupel__table *t)
{
    return (const void *)((const char *)t + t->entries);
}

/* The hash of a long name for a table whose flags say that more of the name is hashed. */
static inline uint32_t cupel__table_more(const struct cupel__table *t, uint32_t hash, const char *p,
                                         uint32_t len)
{
    enum { MOST = 256 }; /* bytes: bounds the work for a long name in an instance */
    const uint64_t factor = 0xc2b2ae3d27d4eb4fu;
    uint64_t x = hash;
    if (len <= 16)
        return hash;
    if (t->flags & CUPEL__TABLE_MIDDLE)
        x ^= cupel__load64(p + (len - 8) / 2) * factor >> 32;
    if (t->flags & CUPEL__TABLE_WHOLE)
        for (uint32_t i = 8; i + 8 < len && i < MOST; i += 8) {
            x = (x ^ cupel__load64(p + i)) * factor;
            x ^= x >> 32;
        }
    return (uint32_t)x;
}

/* The hash of a name for this table. */
static inline uint32_t cupel__table_hash(const struct cupel__table *t, uint32_t hash, const char *p,
                                         uint32_t len)
{
    if (t->flags & (CUPEL__TABLE_MIDDLE | CUPEL__TABLE_WHOLE))
        hash = cupel__table_more(t, hash, p, len);
    return hash * t->mult;
}

/* The slot of a result of cupel__table_hash. */
static inline size_t cupel__table_slot(const struct cupel__table *t, uint32_t hash)
{
    size_t slot = hash >> t->shift;
    if (t->disp != 0)
        slot ^= cupel__table_disp(t)[hash << (32 - t->shift) >> (32 - t->disp)];
    return slot;
}

/* `ignore` of an entry whose name has n < 16 bytes. */
static inline uint16_t cupel__entry_ignore(uint32_t n)
{
    return (uint16_t)(0xfffeu << n);
}

/* Whether the sixteen bytes at p are those of the entry, except for the bytes with a bit in
 * `ignore`, which are the last. */
static inline bool cupel__same_start(const struct cupel__entry *e, const char *p, uint16_t ignore)
{
#ifdef __SSE2__
    __m128i name = _mm_loadu_si128((const void *)e->name);
    __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const void *)p), name);
    return (uint16_t)(_mm_movemask_epi8(same) | ignore) == 0xffff;
#else
    uint32_t n = 16 - (uint32_t)__builtin_popcount(ignore), most = n < 8 ? n : 8;
    uint64_t first = cupel__load64(p) ^ cupel__load64(e->name);
    uint64_t rest = cupel__load64(p + 8) ^ cupel__load64(e->name + 8);
    return (cupel__first_bytes(first, most) | cupel__first_bytes(rest, n - most)) == 0;
#endif
}

/* The name of LONG entry i. */
static inline struct cupel__str cupel__long_name(const struct cupel__image *image,
                                                 const struct cupel__table *t, size_t i)
{
    const uint32_t *name = cupel__image_list(image, t->names)->item + 2 * i;
    return (struct cupel__str){cupel__at(image, name[0]), name[1]};
}

/* Whether the name at p is that of LONG entry i.  The caller has compared the first sixteen bytes.
 */
static inline bool cupel__same_rest(const struct cupel__image *image, const struct cupel__table *t,
                                    size_t i, const char *p, uint32_t len)
{
    struct cupel__str name = cupel__long_name(image, t, i);
    if (name.n != len)
        return false;
    for (uint32_t at = 16; at + 8 < len; at += 8)
        if (cupel__load64(p + at) != cupel__load64(name.p + at))
            return false;
    return cupel__load64(p + len - 8) == cupel__load64(name.p + len - 8);
}

/* Whether the table has the layout of most tables, for which the lookup is shorter: slots of one
 * byte, no displacements, a hash of two words of the name, no quotes in names. */
static inline bool cupel__table_is_plain(const struct cupel__table *t)
{
    return (t->flags & ~(unsigned)(CUPEL__TABLE_OTHER | CUPEL__TABLE_PLAIN)) == 0 && t->disp == 0;
}

/* The entry of the name at p, or NULL; for tables of every layout.  `quoted`: the byte behind the
 * name is a quote, and the name has no quote. */
const struct cupel__entry *cupel__table_search(const struct cupel__image *,
                                               const struct cupel__table *, uint32_t hash,
                                               const char *p, uint32_t len, bool quoted);

/* For a plain table: the number, from 1 on, of the only entry that a name with this hash can have,
 * or 0. */
static inline __attribute__((always_inline)) size_t
cupel__table_plain_slot(const struct cupel__table *t, uint32_t hash)
{
    return ((const uint8_t *)(t + 1))[hash * t->mult >> (t->shift & 31)];
}

/* Entry i (from 1 on) if it has the name at p, else NULL.  The name lies in a text without escapes
 * and a quote follows it. */
static inline __attribute__((always_inline)) const struct cupel__entry *
cupel__table_at(const struct cupel__image *image, const struct cupel__table *t,
                const struct cupel__entry *entries, size_t i, const char *p, uint32_t len)
{
    const struct cupel__entry *e = entries + i - 1;
    if (i == 0 || !cupel__same_start(e, p, e->ignore))
        return NULL;
    if (e->flags & CUPEL__ENTRY_LONG && !cupel__same_rest(image, t, i - 1, p, len))
        return NULL;
    return e;
}

/* The lookup in a plain table: cupel__table_plain_slot and cupel__table_at. */
static inline __attribute__((always_inline)) const struct cupel__entry *
cupel__table_quick(const struct cupel__image *image, const struct cupel__table *t,
                   const struct cupel__entry *entries, uint32_t hash, const char *p, uint32_t len)
{
    return cupel__table_at(image, t, entries, cupel__table_plain_slot(t, hash), p, len);
}

/* The entry of the string of a node, whose escapes are decoded; NULL if there is none. */
const struct cupel__entry *cupel__table_find_node(const struct cupel__image *,
                                                  const struct cupel__table *,
                                                  const struct cupel__doc *,
                                                  const struct cupel__node *);

/* The same for the name of a member, inline for the common case: a plain table and a name without
 * escapes. */
static inline const struct cupel__entry *cupel__table_find_key(const struct cupel__image *image,
                                                               const struct cupel__table *t,
                                                               const struct cupel__doc *doc,
                                                               const struct cupel__node *key)
{
    if (t->flags & CUPEL__TABLE_PLAIN && __builtin_expect(key->flags == CUPEL__KEY, 1))
        return cupel__table_quick(image, t, cupel__table_entries(t), key->hash,
                                  doc->base[0] + key->off, key->len);
    return cupel__table_find_node(image, t, doc, key);
}

/* The entry of any name, or NULL. */
const struct cupel__entry *cupel__table_find(const struct cupel__image *,
                                             const struct cupel__table *, const char *p,
                                             uint32_t len);

/* An entry's name, for printing: the bytes are in `buf` or in the image. */
struct cupel__str cupel__entry_name(const struct cupel__image *, const struct cupel__table *,
                                    const struct cupel__entry *, char buf[16]);

#endif
