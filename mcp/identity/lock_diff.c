/* lock_diff.c: what is different about another lock of the same server's tools. */
#include "mcp/identity/lock.h"

#include <string.h>

const char *cupel_change_kind_name(enum cupel_change_kind kind)
{
    static const char *const names[] = {"added", "removed", "changed", "reordered"};
    return names[kind];
}

/* The first entry of a name, or CUPEL__NO_ENTRY. */
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

/* Counts changes, and tells of them until that is not wanted any more. */
struct diff {
    cupel_on_change *on_change;
    void *ctx;
    bool same_version;
    uint32_t count;
};

static void tell(struct diff *diff, const struct cupel__lock_entry *entry,
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

/* Two versions of locks have no CUPEL_PIN_ALL in common.  Version 1 has the whole definition in one
 * digest, which a lock that was taken of a catalog has too; without it the parts decide. */
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
        tell(diff, before, CUPEL_TOOL_CHANGED, different_parts(&before->pin, &after->pin),
             same_part(&before->pin, &after->pin, CUPEL_PIN_SEMANTIC));
}

/* Goes through the entries of one name in both locks, pair by pair.  `kind` says what an entry is
 * that has no partner: of `a` it is told, and pairs are only where `kind` is REMOVED. */
static void compare_name(struct diff *diff, const struct cupel_lock *a, uint32_t at,
                         const struct cupel_lock *b, enum cupel_change_kind kind)
{
    uint32_t partner = first_of(b, &a->entries[at]);
    for (; at != CUPEL__NO_ENTRY; at = a->entries[at].next) {
        if (partner == CUPEL__NO_ENTRY) {
            tell(diff, &a->entries[at], kind, 0, false);
            continue;
        }
        if (kind == CUPEL_TOOL_REMOVED)
            compare_entries(diff, &a->entries[at], &b->entries[partner]);
        partner = b->entries[partner].next;
    }
}

/* -- Order ------------------------------------------------------------------------------------- */

/* The first entry from `at` on whose name is as often in the other lock, or the number of all.  Of
 * a name that came or went it is not said which of its tools did. */
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

/* Tells of the first tool that both locks have and that stands in another order. */
static void compare_order(struct diff *diff, const struct cupel_lock *before,
                          const struct cupel_lock *after)
{
    uint32_t i = next_common(before, 0, after), k = next_common(after, 0, before);
    while (i < before->count && same_place(&before->entries[i], &after->entries[k])) {
        i = next_common(before, i + 1, after);
        k = next_common(after, k + 1, before);
    }
    if (i < before->count)
        tell(diff, &before->entries[i], CUPEL_TOOLS_REORDERED, 0, false);
}

/* -- The whole --------------------------------------------------------------------------------- */

uint32_t cupel_lock_diff(const struct cupel_lock *before, const struct cupel_lock *after,
                         cupel_on_change *on_change, void *ctx)
{
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

void cupel_list_changed_write(struct cupel_text *text)
{
    cupel_text_adds(text, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
}
