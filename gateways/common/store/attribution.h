/* attribution.h: remembering which request a later answer belongs to.
 *
 * The answer to a call may come on another HTTP response than the one to the
 * call: on a stream that was resumed with `Last-Event-ID`, or as the result of
 * a task.  An answer to an elicitation comes in a request.  The tables of this
 * file hold the name of the tool, or the schema that the server sent, by which
 * they are judged.
 *
 * A table is a block of memory of fixed size that the processes of a host
 * share.  Entries are found by a tag of 16 bytes, a MAC that the host's
 * function makes, so that no stranger can choose tags that collide.  Each entry
 * has an owner, the client for which it is kept.  A new entry replaces the oldest
 * one of its owner if the owner has as many as one owner may have, and otherwise
 * the oldest one of the table if the table is full.
 *
 * Crashes: a process that dies inside a function, even one that holds the lock,
 * leaves a table that the others can use: entries carry a checksum, and the
 * next process that takes the lock rebuilds the index.  At most the entry that
 * was being written is lost.
 *
 * Threads: functions of this file lock the table with the host's lock. */
#ifndef CUPEL_GATEWAY_ATTRIBUTION_H
#define CUPEL_GATEWAY_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A lock between the processes that share a block.  NULL functions do nothing.  A lock whose owner
 * died has to become free. */
struct cupel_gw_lock {
    void (*lock)(void *ctx);
    void (*unlock)(void *ctx);
    void *ctx;
};

/* One process's handle of a table.  The host keeps it as long as the block is mapped. */
struct cupel_gw_table {
    struct cupel_gw_block *block;
    struct cupel_gw_lock lock;
    uint32_t of_owner; /* entries that one owner may have */
};

enum { CUPEL_GW_TAG = 16 };

/* The bytes of a block for so many entries with values of up to `value` bytes.  0 if that is too
 * much for the address space, or if one of them is 0. */
size_t cupel_gw_table_size(uint32_t entries, uint32_t value);

/* Opens the table in a block of `size` bytes, aligned to 8, with as many entries as there is room
 * for.  A block that already holds a table with the same values and size keeps its entries: so a
 * host may open it in each process, and again after a reload.  One owner may have an eighth of the
 * entries, and at least 16.  `lock` is copied.  False if the block is too small for one entry. */
bool cupel_gw_table_open(struct cupel_gw_table *table, void *block, size_t size, uint32_t value,
                         const struct cupel_gw_lock *lock);

/* Stores a value under a tag for an owner.  An older value under the same tag is removed.  False
 * if the value is longer than values may be: then the table has no value under this tag. */
bool cupel_gw_table_put(const struct cupel_gw_table *table, const unsigned char tag[CUPEL_GW_TAG],
                        const unsigned char owner[CUPEL_GW_TAG], const char *value, size_t len);

/* As cupel_gw_table_put, for a tag that stands for one value only: if there is another value under
 * it, or the value is too long, it gets an empty value, and keeps that. */
void cupel_gw_table_put_once(const struct cupel_gw_table *table,
                             const unsigned char tag[CUPEL_GW_TAG],
                             const unsigned char owner[CUPEL_GW_TAG], const char *value,
                             size_t len);

/* Copies the value under a tag to `ret`, which has room for the longest value of the table.  False
 * if there is none. */
bool cupel_gw_table_get(const struct cupel_gw_table *table, const unsigned char tag[CUPEL_GW_TAG],
                        char *ret, size_t *ret_len);

/* Forgets the value under a tag, if there is one. */
void cupel_gw_table_remove(const struct cupel_gw_table *table,
                           const unsigned char tag[CUPEL_GW_TAG]);

/* The longest value; how many entries there are and can be; how many were replaced by entries with
 * other tags since the block was new. */
struct cupel_gw_table_stats {
    uint32_t value, used, entries;
    uint64_t evicted;
};
struct cupel_gw_table_stats cupel_gw_table_stats(const struct cupel_gw_table *table);

#endif
