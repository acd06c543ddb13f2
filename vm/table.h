/* table.h: looking a name up in a table (image.h), inline because the object walk is made of it.
 *
 * Names are read eight bytes at a time, so up to seven bytes after the end of a name must be readable:
 * documents and images are padded for that. */
#ifndef CUPEL_VM_TABLE_H
#define CUPEL_VM_TABLE_H

#include "image.h"
#include <string.h>

/* What is hashed of a name. */
struct cupel__name {
    const char *p;
    uint32_t len;
    uint64_t head, tail;
};

static inline uint64_t cupel__load64(const char *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

static inline struct cupel__name cupel__name(const char *p, uint32_t len)
{
    struct cupel__name n = {p, len, 0, 0};
    if (len >= 8) {
        n.head = cupel__load64(p);
        n.tail = cupel__load64(p + len - 8);
    } else {
        n.head = n.tail = cupel__load64(p) & ((UINT64_C(1) << (8 * len)) - 1);
    }
    return n;
}

static inline uint64_t cupel__rotl(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static inline uint64_t cupel__table_hash(const struct cupel__table *t, const struct cupel__name *n)
{
    uint64_t x = n->head ^ cupel__rotl(n->tail, 29) ^ n->len; /* as in cupel__table_find_in */
    if (t->flags & CUPEL__TABLE_THIRD && n->len >= t->third + 8u)
        x ^= cupel__rotl(cupel__load64(n->p + t->third), 47);
    return x * t->mult;
}

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
    return t->flags & CUPEL__TABLE_SORTED ? 0 : (size_t)1 << (64 - t->shift);
}

static inline const struct cupel__entry *cupel__table_entries(const struct cupel__table *t)
{
    size_t slots = cupel__table_nslots(t) << (t->flags & CUPEL__TABLE_WIDE);
    return (const void *)((const char *)(t + 1) + ((cupel__table_ndisp(t) + slots + 7) & ~(size_t)7));
}

/* The slot of a hash. */
static inline size_t cupel__table_slot(const struct cupel__table *t, uint64_t hash)
{
    size_t slot = hash >> t->shift;
    if (t->disp != 0)
        slot ^= cupel__table_disp(t)[hash >> (t->shift - t->disp) & ((1u << t->disp) - 1)];
    return slot;
}

/* Whether the middles of two names of the same length, more than 16, and with the same first and last
 * eight bytes are the same. */
static inline bool cupel__same_middle(const char *p, const char *q, uint32_t len)
{
    for (uint32_t i = 8; i < len - 8; i += 8)
        if (cupel__load64(p + i) != cupel__load64(q + i))
            return false;
    return true;
}

/* Whether entry i has this name, the middle of long names included. */
static inline bool cupel__entry_is(const struct cupel__image *image, const struct cupel__table *t,
                                   const struct cupel__entry *e, size_t i,
                                   const struct cupel__name *n)
{
    uint64_t other = (e->head ^ n->head) | (e->tail ^ n->tail) | (uint32_t)((e->len ^ n->len) << 4);
    if (other != 0)
        return false;
    if (n->len <= 16)
        return true;
    uint32_t at = cupel__image_list(image, t->names)->item[i];
    return cupel__same_middle(n->p, cupel__at(image, at), n->len);
}

/* What most tables are: slots of a byte, without displacements, two words hashed. */
static inline bool cupel__table_is_plain(const struct cupel__table *t)
{
    const unsigned special = CUPEL__TABLE_WIDE | CUPEL__TABLE_SORTED | CUPEL__TABLE_THIRD;
    return ((t->flags & special) | t->disp) == 0;
}

/* The entries of such a table, or NULL. */
static inline const struct cupel__entry *cupel__table_plain(const struct cupel__table *t)
{
    return t->plain != 0 ? (const void *)((const char *)t + t->plain) : NULL;
}

/* The entry of a name in any table, or NULL. */
const struct cupel__entry *cupel__table_search(const struct cupel__image *, const struct cupel__table *,
                                               const char *p, uint32_t len);

/* The same; `plain` is cupel__table_plain(): who looks many names up asks once. */
static inline __attribute__((always_inline)) const struct cupel__entry *
cupel__table_find_in(const struct cupel__image *image, const struct cupel__table *t,
                     const struct cupel__entry *plain, const char *p, uint32_t len)
{
    if (((t->lengths >> (len < 63 ? len : 63)) & 1) == 0)
        return NULL;
    if (plain == NULL)
        return cupel__table_search(image, t, p, len);
    struct cupel__name n = cupel__name(p, len);
    uint64_t hash = (n.head ^ cupel__rotl(n.tail, 29) ^ n.len) * t->mult;
    size_t i = ((const uint8_t *)(t + 1))[hash >> (t->shift & 63)];
    const struct cupel__entry *e = plain + i - 1;
    return i != 0 && cupel__entry_is(image, t, e, i - 1, &n) ? e : NULL;
}

static inline const struct cupel__entry *cupel__table_find(const struct cupel__image *image,
                                                           const struct cupel__table *t,
                                                           const char *p, uint32_t len)
{
    return cupel__table_find_in(image, t, cupel__table_plain(t), p, len);
}

/* An entry's name, for printing: the bytes are in `buf` or in the image. */
struct cupel__str cupel__entry_name(const struct cupel__image *, const struct cupel__table *,
                                    const struct cupel__entry *, char buf[16]);

#endif
