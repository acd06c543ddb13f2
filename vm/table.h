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
    uint64_t x = n->head ^ cupel__rotl(n->tail, 29) ^ n->len;
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

/* Whether the entry's name is this one, the middle of long names included. */
static inline bool cupel__entry_is(const struct cupel__image *image, const struct cupel__table *t,
                                   const struct cupel__entry *e, const struct cupel__name *n)
{
    if (e->head != n->head || e->tail != n->tail || CUPEL__ENTRY_LEN(e) != n->len)
        return false;
    if (n->len <= 16)
        return true;
    uint32_t at = cupel__image_list(image, t->names)->item[e - cupel__table_entries(t)];
    return memcmp(n->p + 8, (const char *)cupel__at(image, at) + 8, n->len - 16) == 0;
}

/* The entry in a SORTED table, by bisection. */
const struct cupel__entry *cupel__table_search(const struct cupel__image *, const struct cupel__table *,
                                               const struct cupel__name *);

/* The entry of a name, or NULL. */
static inline const struct cupel__entry *cupel__table_find(const struct cupel__image *image,
                                                           const struct cupel__table *t,
                                                           const char *p, uint32_t len)
{
    if (((t->lengths >> (len < 63 ? len : 63)) & 1) == 0)
        return NULL;
    struct cupel__name n = cupel__name(p, len);
    if (t->flags & CUPEL__TABLE_SORTED)
        return cupel__table_search(image, t, &n);
    size_t slot = cupel__table_slot(t, cupel__table_hash(t, &n));
    const uint8_t *slots = cupel__table_disp(t) + cupel__table_ndisp(t);
    size_t i = slots[slot];
    if (t->flags & CUPEL__TABLE_WIDE)
        i = (size_t)slots[2 * slot] | (size_t)slots[2 * slot + 1] << 8;
    if (i == 0)
        return NULL;
    const struct cupel__entry *e = cupel__table_entries(t) + i - 1;
    return cupel__entry_is(image, t, e, &n) ? e : NULL;
}

/* An entry's name, for printing: the bytes are in `buf` or in the image. */
struct cupel__str cupel__entry_name(const struct cupel__image *, const struct cupel__table *,
                                    const struct cupel__entry *, char buf[16]);

#endif
