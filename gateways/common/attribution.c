/* attribution.c: tables in shared memory, oldest entry out first (attribution.h).
 *
 * A block is a header, the heads of hash chains, and a ring of entries.  New entries go to the
 * ring's next place, so the entry that is overwritten is the oldest.  Chains link entries by their
 * index in the ring.
 *
 * The flag `changing` is set while a process changes the block.  Who takes the lock and finds it
 * set knows that a process died within a change: it makes the chains again from the entries, of
 * which only those with a right checksum count. */
#include "gateways/common/attribution.h"

#include <stdatomic.h>
#include <string.h>

#define MAGIC UINT64_C(0x3162617470756375)

enum { NONE = -1 };

struct entry {
    unsigned char mark[CUPEL_GW_MARK];
    uint64_t sum;
    int32_t next; /* of the chain */
    uint32_t len; /* UINT32_MAX: empty */
    char value[];
};

struct cupel_gw_block {
    uint64_t magic, size;
    uint32_t value, entries, buckets;
    _Atomic uint32_t changing;
    uint32_t place, used; /* of the next entry; entries that are not empty */
    uint64_t evicted;
    int32_t heads[];
};

/* -- Layout ----------------------------------------------------------------------------------- */

static size_t stride_of(uint32_t value)
{
    return (sizeof(struct entry) + value + 7) / 8 * 8;
}

/* The heads take at most 8 bytes for each entry: there are fewer than twice as many. */
size_t cupel_gw_table_size(uint32_t entries, uint32_t value)
{
    size_t each = stride_of(value) + 2 * sizeof(int32_t);
    if (entries == 0 || value == 0 || value > INT32_MAX || entries > INT32_MAX ||
        entries > (SIZE_MAX - sizeof(struct cupel_gw_block)) / each)
        return 0;
    return sizeof(struct cupel_gw_block) + each * entries;
}

static uint32_t buckets_for(uint32_t entries)
{
    uint32_t buckets = 2;
    while (buckets < entries)
        buckets *= 2;
    return buckets;
}

static struct entry *entry_at(struct cupel_gw_block *block, uint32_t index)
{
    char *first = (char *)&block->heads[block->buckets];
    return (struct entry *)(void *)(first + stride_of(block->value) * index);
}

static int32_t *head_of(struct cupel_gw_block *block, const unsigned char *mark)
{
    uint32_t hash;
    memcpy(&hash, mark, sizeof(hash));
    return &block->heads[hash & (block->buckets - 1)];
}

/* -- Entries ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ at[i]) * UINT64_C(0x100000001B3);
    return sum;
}

static uint64_t sum_of(const struct entry *entry)
{
    uint64_t sum = mix(UINT64_C(0xCBF29CE484222325), entry->mark, sizeof(entry->mark));
    sum = mix(sum, &entry->len, sizeof(entry->len));
    return mix(sum, entry->value, entry->len);
}

static bool is_whole(const struct cupel_gw_block *block, const struct entry *entry)
{
    return entry->len <= block->value && entry->sum == sum_of(entry);
}

static void link_entry(struct cupel_gw_block *block, uint32_t index)
{
    struct entry *entry = entry_at(block, index);
    int32_t *head = head_of(block, entry->mark);
    entry->next = *head;
    *head = (int32_t)index;
    block->used++;
}

/* Chains from the entries. */
static void rebuild(struct cupel_gw_block *block)
{
    block->used = 0;
    if (block->place >= block->entries)
        block->place = 0;
    for (uint32_t i = 0; i < block->buckets; i++)
        block->heads[i] = NONE;
    for (uint32_t i = 0; i < block->entries; i++) {
        struct entry *entry = entry_at(block, i);
        if (is_whole(block, entry))
            link_entry(block, i);
        else
            entry->len = UINT32_MAX;
    }
}

/* The link that leads to the entry with a mark; NULL if there is none.  A chain is never followed
 * for longer than there are entries. */
static int32_t *find(struct cupel_gw_block *block, const unsigned char *mark)
{
    int32_t *link = head_of(block, mark);
    for (uint32_t i = 0; i < block->entries && *link >= 0; i++) {
        struct entry *entry = entry_at(block, (uint32_t)*link);
        if (memcmp(entry->mark, mark, CUPEL_GW_MARK) == 0)
            return link;
        link = &entry->next;
    }
    return NULL;
}

static void unlink_entry(struct cupel_gw_block *block, int32_t *link)
{
    struct entry *entry = entry_at(block, (uint32_t)*link);
    *link = entry->next;
    entry->len = UINT32_MAX;
    block->used--;
}

/* -- The lock --------------------------------------------------------------------------------- */

static void take_lock(const struct cupel_gw_table *table)
{
    struct cupel_gw_block *block = table->block;
    if (table->lock.lock != NULL)
        table->lock.lock(table->lock.ctx);
    if (atomic_exchange(&block->changing, 1) != 0)
        rebuild(block);
}

static void give_lock(const struct cupel_gw_table *table)
{
    atomic_store(&table->block->changing, 0);
    if (table->lock.unlock != NULL)
        table->lock.unlock(table->lock.ctx);
}

/* -- The interface ---------------------------------------------------------------------------- */

static void format(struct cupel_gw_block *block, size_t size, uint32_t value, uint32_t entries)
{
    block->magic = 0;
    block->size = size;
    block->value = value;
    block->entries = entries;
    block->buckets = buckets_for(entries);
    block->place = 0;
    block->evicted = 0;
    atomic_store(&block->changing, 1);
    for (uint32_t i = 0; i < entries; i++)
        entry_at(block, i)->len = UINT32_MAX;
    rebuild(block);
    atomic_store(&block->changing, 0);
    block->magic = MAGIC;
}

bool cupel_gw_table_open(struct cupel_gw_table *table, void *block, size_t size, uint32_t value,
                         const struct cupel_gw_lock *lock)
{
    size_t each = stride_of(value) + 2 * sizeof(int32_t);
    size_t entries =
        size < sizeof(struct cupel_gw_block) ? 0 : (size - sizeof(struct cupel_gw_block)) / each;
    struct cupel_gw_block *opened = block;
    if (entries > INT32_MAX)
        entries = INT32_MAX;
    if (entries == 0 || value == 0 || value > INT32_MAX)
        return false;
    table->block = opened;
    table->lock = lock != NULL ? *lock : (struct cupel_gw_lock){NULL, NULL, NULL};
    if (table->lock.lock != NULL)
        table->lock.lock(table->lock.ctx);
    if (opened->magic != MAGIC || opened->size != size || opened->value != value ||
        opened->entries != entries || opened->buckets != buckets_for((uint32_t)entries))
        format(opened, size, value, (uint32_t)entries);
    if (table->lock.unlock != NULL)
        table->lock.unlock(table->lock.ctx);
    return true;
}

static void write_entry(struct cupel_gw_block *block, const unsigned char *mark, const char *value,
                        size_t len)
{
    uint32_t index = block->place;
    struct entry *entry = entry_at(block, index);
    int32_t *link = entry->len != UINT32_MAX ? find(block, entry->mark) : NULL;
    if (link != NULL) {
        unlink_entry(block, link);
        block->evicted++;
    }
    block->place = index + 1 < block->entries ? index + 1 : 0;
    entry->len = UINT32_MAX;
    memcpy(entry->mark, mark, CUPEL_GW_MARK);
    memcpy(entry->value, value, len);
    entry->len = (uint32_t)len;
    entry->sum = sum_of(entry);
    link_entry(block, index);
}

bool cupel_gw_table_put(const struct cupel_gw_table *table, const unsigned char mark[CUPEL_GW_MARK],
                        const char *value, size_t len)
{
    struct cupel_gw_block *block = table->block;
    take_lock(table);
    int32_t *link = find(block, mark);
    bool fits = len <= block->value;
    if (link != NULL)
        unlink_entry(block, link);
    if (fits)
        write_entry(block, mark, value, len);
    give_lock(table);
    return fits;
}

bool cupel_gw_table_get(const struct cupel_gw_table *table, const unsigned char mark[CUPEL_GW_MARK],
                        char *ret, size_t *ret_len)
{
    struct cupel_gw_block *block = table->block;
    take_lock(table);
    const int32_t *link = find(block, mark);
    const struct entry *entry = link != NULL ? entry_at(block, (uint32_t)*link) : NULL;
    bool whole = entry != NULL && is_whole(block, entry);
    if (whole) {
        memcpy(ret, entry->value, entry->len);
        *ret_len = entry->len;
    }
    give_lock(table);
    return whole;
}

void cupel_gw_table_drop(const struct cupel_gw_table *table,
                         const unsigned char mark[CUPEL_GW_MARK])
{
    take_lock(table);
    int32_t *link = find(table->block, mark);
    if (link != NULL)
        unlink_entry(table->block, link);
    give_lock(table);
}

struct cupel_gw_table_figures cupel_gw_table_figures(const struct cupel_gw_table *table)
{
    struct cupel_gw_block *block = table->block;
    take_lock(table);
    struct cupel_gw_table_figures figures = {block->value, block->used, block->entries,
                                             block->evicted};
    give_lock(table);
    return figures;
}
