/* table.c: what of tables of names is too rare to be inline: large tables, and names to print. */
#include "table.h"

/* Entries of a SORTED table stand in the order of length, head, tail, whole name. */
static int compare(const struct cupel__image *image, const struct cupel__table *t,
                   const struct cupel__entry *e, const struct cupel__name *n)
{
    uint32_t len = CUPEL__ENTRY_LEN(e);
    if (len != n->len)
        return len < n->len ? -1 : 1;
    if (e->head != n->head)
        return e->head < n->head ? -1 : 1;
    if (e->tail != n->tail)
        return e->tail < n->tail ? -1 : 1;
    if (len <= 16)
        return 0;
    uint32_t at = cupel__image_list(image, t->names)->item[e - cupel__table_entries(t)];
    return memcmp((const char *)cupel__at(image, at) + 8, n->p + 8, len - 16);
}

/* The entry in a SORTED table. */
static const struct cupel__entry *bisect(const struct cupel__image *image, const struct cupel__table *t,
                                         const struct cupel__name *n)
{
    const struct cupel__entry *entries = cupel__table_entries(t);
    size_t lo = 0, hi = t->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = compare(image, t, &entries[mid], n);
        if (c == 0)
            return &entries[mid];
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

const struct cupel__entry *cupel__table_search(const struct cupel__image *image,
                                               const struct cupel__table *t, const char *p,
                                               uint32_t len)
{
    struct cupel__name n = cupel__name(p, len);
    if (t->flags & CUPEL__TABLE_SORTED)
        return bisect(image, t, &n);
    size_t slot = cupel__table_slot(t, cupel__table_hash(t, &n));
    const uint8_t *slots = cupel__table_disp(t) + cupel__table_ndisp(t);
    size_t i = slots[slot];
    if (t->flags & CUPEL__TABLE_WIDE)
        i = (size_t)slots[2 * slot] | (size_t)slots[2 * slot + 1] << 8;
    if (i == 0)
        return NULL;
    const struct cupel__entry *e = cupel__table_entries(t) + i - 1;
    return cupel__entry_is(image, t, e, i - 1, &n) ? e : NULL;
}

static void store64(char *p, uint64_t x)
{
    for (int i = 0; i < 8; i++)
        p[i] = (char)(x >> (8 * i) & 0xff);
}

struct cupel__str cupel__entry_name(const struct cupel__image *image, const struct cupel__table *t,
                                    const struct cupel__entry *e, char buf[16])
{
    uint32_t len = CUPEL__ENTRY_LEN(e);
    if (len > 16) {
        uint32_t at = cupel__image_list(image, t->names)->item[e - cupel__table_entries(t)];
        return (struct cupel__str){cupel__at(image, at), len};
    }
    store64(buf, e->head);
    if (len > 8)
        store64(buf + len - 8, e->tail);
    return (struct cupel__str){buf, len};
}

uint64_t cupel__image_checksum(const void *image, size_t size)
{
    const size_t start = offsetof(struct cupel__image, checksum) + sizeof(uint64_t);
    const char *p = (const char *)image + start;
    uint64_t h = 0x9e3779b97f4a7c15u ^ size;
    for (size_t n = size - start; n >= 8; n -= 8, p += 8) {
        h = (h ^ cupel__load64(p)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h; /* the size of an image is a multiple of 8 */
}
