/* name_table.h: looking a name up in a table (image.h), inline because the object walk is made of
 * it.
 *
 * Names are read sixteen bytes at a time, so up to fifteen bytes after the end of a name must be
 * readable: documents and images are padded for that. */
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

/* What is added to the hash of a long name for this table. */
static inline uint32_t cupel__table_more(const struct cupel__table *t, uint32_t hash, const char *p,
                                         uint32_t len)
{
    enum { MOST = 256 }; /* long names in an instance are not worth more */
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

/* The slot of such a hash. */
static inline size_t cupel__table_slot(const struct cupel__table *t, uint32_t hash)
{
    size_t slot = hash >> t->shift;
    if (t->disp != 0)
        slot ^= cupel__table_disp(t)[hash << (32 - t->shift) >> (32 - t->disp)];
    return slot;
}

/* The `ignore` of a name of n bytes that is not LONG. */
static inline uint16_t cupel__entry_ignore(uint32_t n)
{
    return (uint16_t)(0xfffeu << n);
}

/* Whether the sixteen bytes at p are those of the entry, apart from some of the last. */
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

/* The whole of a LONG name. */
static inline struct cupel__str cupel__long_name(const struct cupel__image *image,
                                                 const struct cupel__table *t, size_t i)
{
    const uint32_t *name = cupel__image_list(image, t->names)->item + 2 * i;
    return (struct cupel__str){cupel__at(image, name[0]), name[1]};
}

/* Whether LONG entry i, whose first sixteen bytes are those at p, is the name there. */
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

/* What most tables are: slots of a byte, without displacements, two words hashed, no quotes. */
static inline bool cupel__table_is_plain(const struct cupel__table *t)
{
    return (t->flags & ~(unsigned)(CUPEL__TABLE_OTHER | CUPEL__TABLE_PLAIN)) == 0 && t->disp == 0;
}

/* The entry in any table of the name at p, or NULL; `quoted`: there is a quote behind it and none
 * in it. */
const struct cupel__entry *cupel__table_search(const struct cupel__image *,
                                               const struct cupel__table *, uint32_t hash,
                                               const char *p, uint32_t len, bool quoted);

/* In a plain table the number of the only entry, from 1 on, that a name with this hash can be; 0:
 * none. */
static inline __attribute__((always_inline)) size_t
cupel__table_plain_slot(const struct cupel__table *t, uint32_t hash)
{
    return ((const uint8_t *)(t + 1))[hash * t->mult >> (t->shift & 31)];
}

/* That entry if it is the name, in a text without escapes, with a quote behind it; else NULL. */
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

/* Both together. */
static inline __attribute__((always_inline)) const struct cupel__entry *
cupel__table_quick(const struct cupel__image *image, const struct cupel__table *t,
                   const struct cupel__entry *entries, uint32_t hash, const char *p, uint32_t len)
{
    return cupel__table_at(image, t, entries, cupel__table_plain_slot(t, hash), p, len);
}

/* The entry of the string in a node, which is decoded. */
const struct cupel__entry *cupel__table_find_node(const struct cupel__image *,
                                                  const struct cupel__table *,
                                                  const struct cupel__doc *,
                                                  const struct cupel__node *);

/* The same for the name of a member, which mostly is found, or not, on the spot. */
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

/* The entry of any name. */
const struct cupel__entry *cupel__table_find(const struct cupel__image *,
                                             const struct cupel__table *, const char *p,
                                             uint32_t len);

/* An entry's name, for printing: the bytes are in `buf` or in the image. */
struct cupel__str cupel__entry_name(const struct cupel__image *, const struct cupel__table *,
                                    const struct cupel__entry *, char buf[16]);

#endif
