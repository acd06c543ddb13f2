/* lock_diff.c: compares two locks of the same server.
 *
 * Entries are matched by name; of several with one name the first of one lock is matched with the
 * first of the other, and so on.  Changes are reported in the order of `before`, then added tools
 * in the order of `after`, then at most one change of the order. */
#include "mcp/identity/lock.h"

#include <string.h>

const char *cupel_change_kind_name(enum cupel_change_kind kind)
{
    static const char *const names[] = {"added", "removed", "changed", "reordered"};
    return (size_t)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "?";
}

/* Returns the first entry with the name of `entry`, or CUPEL__NO_ENTRY. */
static uint32_t first_of(const struct cupel_lock *lock, const struct cupel__lock_entry *entry)
{
    const struct cupel__mcp_name *found =
        cupel__mcp_names_find(&lock->names, entry->name, entry->name_len);
    return found != NULL ? found->value : CUPEL__NO_ENTRY;
}

static bool same_part(const struct cupel_pin *a, const struct cupel_pin *b, int part)
{
    return ((a->present ^ b->present) & 1u << part) == 0 &&
           memcmp(a->digests[part], b->digests[part], CUPEL_DIGEST_BYTES) == 0;
}

/* Counts changes, and reports them until the callback returns non-zero. */
struct diff {
    cupel_on_change *on_change;
    void *ctx;
    bool same_version;
    uint32_t count;
};

static void report(struct diff *diff, const struct cupel__lock_entry *entry,
                   enum cupel_change_kind kind, uint32_t parts, bool order_only)
{
    struct cupel_change change = {kind, entry->name, entry->name_len, parts, order_only};
    diff->count++;
    if (diff->on_change != NULL && diff->on_change(diff->ctx, &change) != 0)
        diff->on_change = NULL;
}

static uint32_t different_parts(const struct cupel_pin *before, const struct cupel_pin *after)
{
    uint32_t parts = 0;
    for (int part = CUPEL_PIN_TEXT; part < CUPEL_PIN_PARTS; part++)
        if (!same_part(before, after, part))
            parts |= 1u << part;
    return parts;
}

/* Whether two entries pin the same definition.  The two versions of locks define CUPEL_PIN_ALL
 * differently.  Version 1 digests the whole definition, and a lock that was taken from a catalog
 * has that digest too; without it the parts are compared. */
static bool same_tool(const struct cupel__lock_entry *before, const struct cupel__lock_entry *after,
                      bool same_version)
{
    if (same_version)
        return same_part(&before->pin, &after->pin, CUPEL_PIN_ALL);
    if (before->has_whole && after->has_whole)
        return memcmp(before->whole, after->whole, CUPEL_DIGEST_BYTES) == 0;
    return different_parts(&before->pin, &after->pin) == 0;
}

static void compare_entries(struct diff *diff, const struct cupel__lock_entry *before,
                            const struct cupel__lock_entry *after)
{
    if (!same_tool(before, after, diff->same_version))
        report(diff, before, CUPEL_TOOL_CHANGED, different_parts(&before->pin, &after->pin),
               same_part(&before->pin, &after->pin, CUPEL_PIN_SEMANTIC));
}

/* Compares the entries of one name, pair by pair, from entry `at` of `a` on.  An entry without a
 * partner is reported as `kind`; pairs are compared in the pass with REMOVED only, so that each is
 * compared once. */
static void compare_name(struct diff *diff, const struct cupel_lock *a, uint32_t at,
                         const struct cupel_lock *b, enum cupel_change_kind kind)
{
    uint32_t partner = first_of(b, &a->entries[at]);
    for (; at != CUPEL__NO_ENTRY; at = a->entries[at].next) {
        if (partner == CUPEL__NO_ENTRY) {
            report(diff, &a->entries[at], kind, 0, false);
            continue;
        }
        if (kind == CUPEL_TOOL_REMOVED)
            compare_entries(diff, &a->entries[at], &b->entries[partner]);
        partner = b->entries[partner].next;
    }
}

/* -- Order ------------------------------------------------------------------------------------- */

/* Returns the first entry from `at` on whose name occurs as often in the other lock, or the number
 * of entries.  Other names are left out of the comparison of orders: which of their tools was added
 * or removed is not known. */
static uint32_t next_common(const struct cupel_lock *lock, uint32_t at,
                            const struct cupel_lock *other)
{
    for (; at < lock->count; at++) {
        uint32_t first = first_of(other, &lock->entries[at]);
        uint32_t own = first_of(lock, &lock->entries[at]);
        if (first != CUPEL__NO_ENTRY && lock->entries[own].count == other->entries[first].count)
            break;
    }
    return at;
}

static bool same_place(const struct cupel__lock_entry *a, const struct cupel__lock_entry *b)
{
    return a->same == b->same && a->name_len == b->name_len &&
           memcmp(a->name, b->name, a->name_len) == 0;
}

/* Reports the first common tool whose place in the order differs. */
static void compare_order(struct diff *diff, const struct cupel_lock *before,
                          const struct cupel_lock *after)
{
    uint32_t i = next_common(before, 0, after), k = next_common(after, 0, before);
    while (i < before->count && same_place(&before->entries[i], &after->entries[k])) {
        i = next_common(before, i + 1, after);
        k = next_common(after, k + 1, before);
    }
    if (i < before->count)
        report(diff, &before->entries[i], CUPEL_TOOLS_REORDERED, 0, false);
}

/* -- The comparison ---------------------------------------------------------------------------- */

uint32_t cupel_lock_diff(const struct cupel_lock *before, const struct cupel_lock *after,
                         cupel_on_change *on_change, void *ctx)
{
    if (before == NULL || after == NULL)
        return UINT32_MAX;
    struct diff diff = {on_change, ctx, before->version == after->version, 0};
    for (uint32_t i = 0; i < before->count; i++)
        if (first_of(before, &before->entries[i]) == i)
            compare_name(&diff, before, i, after, CUPEL_TOOL_REMOVED);
    for (uint32_t i = 0; i < after->count; i++)
        if (first_of(after, &after->entries[i]) == i)
            compare_name(&diff, after, i, before, CUPEL_TOOL_ADDED);
    compare_order(&diff, before, after);
    return diff.count;
}
