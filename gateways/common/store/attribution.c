/* attribution.c: tables in shared memory that replace their oldest entries (attribution.h).
 *
 * A block is a header, the heads of two sets of hash chains, and a ring of entries.  A new entry
 * goes to the ring's next place, so it overwrites the oldest entry of the table.  An owner at its
 * bound gets the place of its own oldest entry instead, so that it cannot push out the entries of
 * others.  Chains link entries by their index in the ring: one set by tag, the other by owner,
 * newest entry first.
 *
 * The flag `changing` is set while a process changes the block.  A process that takes the lock and
 * finds the flag set knows that another one died within a change: it makes the chains again from
 * the entries whose checksum is right. */
#include "gateways/common/store/attribution.h"

#include <stdatomic.h>
#include <string.h>

#define MAGIC UINT64_C(0x3262617470756375) /* differs for each layout */

enum {
    NONE = -1,
    SHARES = 8,         /* one owner may have 1/SHARES of the entries */
    LEAST_OF_OWNER = 16 /* and at least so many entries */
};

/* The sets of chains. */
enum chains { BY_TAG, BY_OWNER, CHAINS };

struct entry {
    unsigned char tag[CUPEL_GW_TAG], owner[CUPEL_GW_TAG];
    uint64_t sum;
    int32_t next[CHAINS];
    uint32_t len; /* UINT32_MAX: empty */
    char value[];
};

struct cupel_gw_block {
    uint64_t magic, size;
    uint32_t value, entries, buckets;
    _Atomic uint32_t changing;
    uint32_t place, used; /* of the next entry; entries that are not empty */
    uint64_t evicted;
    int32_t heads[]; /* `buckets` of each set of chains */
};

/* -- Layout ---------------------------------------------------------------------------------- */

static size_t stride_of(uint32_t value)
{
    return (sizeof(struct entry) + value + 7) / 8 * 8;
}

/* The heads of a set take at most 8 bytes for each entry: there are fewer than twice as many. */
size_t cupel_gw_table_size(uint32_t entries, uint32_t value)
{
    size_t each = stride_of(value) + 2 * CHAINS * sizeof(int32_t);
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
    char *first = (char *)&block->heads[CHAINS * block->buckets];
    return (struct entry *)(void *)(first + stride_of(block->value) * index);
}

/* The head of the chain of a tag or an owner. */
static int32_t *head_of(struct cupel_gw_block *block, enum chains chains, const unsigned char *name)
{
    uint32_t hash;
    memcpy(&hash, name, sizeof(hash));
    return &block->heads[chains * block->buckets + (hash & (block->buckets - 1))];
}

/* -- Entries --------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ at[i]) * UINT64_C(0x100000001B3);
    return sum;
}

/* The checksum of an entry (FNV-1a): it finds entries that were half written, not forged ones.
 * Only processes of the gateway can write to the block. */
static uint64_t sum_of(const struct entry *entry)
{
    uint64_t sum = mix(UINT64_C(0xCBF29CE484222325), entry->tag, sizeof(entry->tag));
    sum = mix(sum, entry->owner, sizeof(entry->owner));
    sum = mix(sum, &entry->len, sizeof(entry->len));
    return mix(sum, entry->value, entry->len);
}

/* Whether an entry was written to its end: its checksum is right. */
static bool is_whole(const struct cupel_gw_block *block, const struct entry *entry)
{
    return entry->len <= block->value && entry->sum == sum_of(entry);
}

static void link_entry(struct cupel_gw_block *block, uint32_t index)
{
    struct entry *entry = entry_at(block, index);
    const unsigned char *names[CHAINS] = {entry->tag, entry->owner};
    for (enum chains chains = BY_TAG; chains < CHAINS; chains++) {
        int32_t *head = head_of(block, chains, names[chains]);
        entry->next[chains] = *head;
        *head = (int32_t)index;
    }
    block->used++;
}

/* Makes both sets of chains from the entries whose checksum is right.  The order of an owner's
 * entries becomes that of the ring. */
static void rebuild(struct cupel_gw_block *block)
{
    block->used = 0;
    if (block->place >= block->entries)
        block->place = 0;
    for (uint32_t i = 0; i < CHAINS * block->buckets; i++)
        block->heads[i] = NONE;
    for (uint32_t i = 0; i < block->entries; i++) {
        struct entry *entry = entry_at(block, i);
        if (is_whole(block, entry))
            link_entry(block, i);
        else
            entry->len = UINT32_MAX;
    }
}

/* Returns the entry with a tag, or NULL.  A chain is followed for at most as many links as there
 * are entries, because a damaged block may hold a cycle. */
static struct entry *find(struct cupel_gw_block *block, const unsigned char *tag)
{
    int32_t index = *head_of(block, BY_TAG, tag);
    for (uint32_t i = 0; i < block->entries && index >= 0; i++) {
        struct entry *entry = entry_at(block, (uint32_t)index);
        if (memcmp(entry->tag, tag, CUPEL_GW_TAG) == 0)
            return entry;
        index = entry->next[BY_TAG];
    }
    return NULL;
}

/* Returns the oldest entry of an owner that has `most` entries, NULL if it has fewer.  Costs a
 * walk over the owner's chain, newest first: its length is at most `most`, and entries of owners
 * that share the hash. */
static struct entry *find_oldest(struct cupel_gw_block *block, const unsigned char *owner,
                                 uint32_t most)
{
    struct entry *oldest = NULL;
    int32_t index = *head_of(block, BY_OWNER, owner);
    uint32_t count = 0;
    for (uint32_t i = 0; i < block->entries && index >= 0; i++) {
        struct entry *entry = entry_at(block, (uint32_t)index);
        if (memcmp(entry->owner, owner, CUPEL_GW_TAG) == 0) {
            oldest = entry;
            count++;
        }
        index = entry->next[BY_OWNER];
    }
    return count >= most ? oldest : NULL;
}

static uint32_t index_of(struct cupel_gw_block *block, const struct entry *entry)
{
    const char *first = (const char *)entry_at(block, 0);
    return (uint32_t)((size_t)((const char *)entry - first) / stride_of(block->value));
}

/* Takes an entry out of both chains, which makes its place empty.  The entry is searched from the
 * heads, because links point forward only: 8 bytes less for each entry. */
static void unlink_entry(struct cupel_gw_block *block, struct entry *entry)
{
    const unsigned char *names[CHAINS] = {entry->tag, entry->owner};
    int32_t index = (int32_t)index_of(block, entry);
    for (enum chains chains = BY_TAG; chains < CHAINS; chains++) {
        int32_t *link = head_of(block, chains, names[chains]);
        for (uint32_t i = 0; i < block->entries && *link >= 0 && *link != index; i++)
            link = &entry_at(block, (uint32_t)*link)->next[chains];
        if (*link == index)
            *link = entry->next[chains];
    }
    entry->len = UINT32_MAX;
    block->used--;
}

/* -- The lock -------------------------------------------------------------------------------- */

/* Locks the table, and repairs it if a process died while it changed the block. */
static void lock_table(const struct cupel_gw_table *table)
{
    struct cupel_gw_block *block = table->block;
    if (table->lock.lock != NULL)
        table->lock.lock(table->lock.ctx);
    if (atomic_exchange(&block->changing, 1) != 0)
        rebuild(block);
}

static void unlock_table(const struct cupel_gw_table *table)
{
    atomic_store(&table->block->changing, 0);
    if (table->lock.unlock != NULL)
        table->lock.unlock(table->lock.ctx);
}

/* -- The interface --------------------------------------------------------------------------- */

/* Makes an empty table.  The magic number is written last, so that a process that dies here
 * leaves a block that is formatted again. */
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

/* Opens a table that is there, or formats the block if its sizes or its layout differ. */
bool cupel_gw_table_open(struct cupel_gw_table *table, void *block, size_t size, uint32_t value,
                         const struct cupel_gw_lock *lock)
{
    size_t each = stride_of(value) + 2 * CHAINS * sizeof(int32_t);
    size_t entries =
        size < sizeof(struct cupel_gw_block) ? 0 : (size - sizeof(struct cupel_gw_block)) / each;
    struct cupel_gw_block *opened = block;
    if (entries > INT32_MAX)
        entries = INT32_MAX;
    if (entries == 0 || value == 0 || value > INT32_MAX)
        return false;
    table->block = opened;
    table->lock = lock != NULL ? *lock : (struct cupel_gw_lock){NULL, NULL, NULL};
    table->of_owner = (uint32_t)(entries / SHARES);
    if (table->of_owner < LEAST_OF_OWNER)
        table->of_owner = LEAST_OF_OWNER;
    if (table->lock.lock != NULL)
        table->lock.lock(table->lock.ctx);
    if (opened->magic != MAGIC || opened->size != size || opened->value != value ||
        opened->entries != entries || opened->buckets != buckets_for((uint32_t)entries))
        format(opened, size, value, (uint32_t)entries);
    if (table->lock.unlock != NULL)
        table->lock.unlock(table->lock.ctx);
    return true;
}

/* Returns the index for a new entry, whose place is empty: that of the owner's oldest entry if
 * the owner is at its bound, otherwise the ring's next one.  An owner at its bound must not take
 * the next place, or it would push out the entries of all others one by one. */
static uint32_t make_place(const struct cupel_gw_table *table, const unsigned char *owner)
{
    struct cupel_gw_block *block = table->block;
    struct entry *replaced = find_oldest(block, owner, table->of_owner);
    uint32_t index = replaced != NULL ? index_of(block, replaced) : block->place;
    if (replaced == NULL) {
        block->place = index + 1 < block->entries ? index + 1 : 0;
        replaced = entry_at(block, index);
    }
    if (replaced->len != UINT32_MAX) {
        unlink_entry(block, replaced);
        block->evicted++;
    }
    return index;
}

static void write_entry(const struct cupel_gw_table *table, const unsigned char *tag,
                        const unsigned char *owner, const char *value, size_t len)
{
    uint32_t index = make_place(table, owner);
    struct entry *entry = entry_at(table->block, index);
    memcpy(entry->tag, tag, CUPEL_GW_TAG);
    memcpy(entry->owner, owner, CUPEL_GW_TAG);
    if (len != 0)
        memcpy(entry->value, value, len);
    entry->len = (uint32_t)len;
    entry->sum = sum_of(entry);
    link_entry(table->block, index);
}

bool cupel_gw_table_put(const struct cupel_gw_table *table, const unsigned char tag[CUPEL_GW_TAG],
                        const unsigned char owner[CUPEL_GW_TAG], const char *value, size_t len)
{
    lock_table(table);
    struct entry *older = find(table->block, tag);
    bool fits = len <= table->block->value;
    if (older != NULL)
        unlink_entry(table->block, older);
    if (fits)
        write_entry(table, tag, owner, value, len);
    unlock_table(table);
    return fits;
}

void cupel_gw_table_put_once(const struct cupel_gw_table *table,
                             const unsigned char tag[CUPEL_GW_TAG],
                             const unsigned char owner[CUPEL_GW_TAG], const char *value, size_t len)
{
    lock_table(table);
    struct entry *older = find(table->block, tag);
    bool fits = len <= table->block->value;
    bool equal = older == NULL || (older->len == len && memcmp(older->value, value, len) == 0);
    if (older != NULL)
        unlink_entry(table->block, older);
    write_entry(table, tag, owner, value, fits && equal ? len : 0);
    unlock_table(table);
}

bool cupel_gw_table_get(const struct cupel_gw_table *table, const unsigned char tag[CUPEL_GW_TAG],
                        char *ret, size_t *ret_len)
{
    struct cupel_gw_block *block = table->block;
    lock_table(table);
    const struct entry *entry = find(block, tag);
    bool whole = entry != NULL && is_whole(block, entry);
    if (whole) {
        memcpy(ret, entry->value, entry->len);
        *ret_len = entry->len;
    }
    unlock_table(table);
    return whole;
}

void cupel_gw_table_remove(const struct cupel_gw_table *table,
                           const unsigned char tag[CUPEL_GW_TAG])
{
    lock_table(table);
    struct entry *entry = find(table->block, tag);
    if (entry != NULL)
        unlink_entry(table->block, entry);
    unlock_table(table);
}

struct cupel_gw_table_stats cupel_gw_table_stats(const struct cupel_gw_table *table)
{
    struct cupel_gw_block *block = table->block;
    lock_table(table);
    struct cupel_gw_table_stats figures = {block->value, block->used, block->entries,
                                           block->evicted};
    unlock_table(table);
    return figures;
}
