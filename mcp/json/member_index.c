/* member_index.c: a hash table from (owner, name) to a node.
 *
 * cupel_json_member compares the names of an object one by one.  Where each of n members is looked
 * up, that takes n^2 comparisons; a peer chooses n.  Here an object of more than WIDE members gets
 * all its members into the table at its first look-up.  A key of the table is the eight bytes of
 * the owner and the name.  Owners: the node of an object; for the mark that an object is indexed,
 * 2^32 + its node; numbers of the callers from CUPEL__FIRST_OWNER = 2^33 on. */
#include "mcp/json/member_index.h"

#include <stdio.h>
#include <string.h>

enum { WIDE = 16 }; /* members of an object that gets an index */

void cupel__member_index_init(struct cupel__member_index *index, const struct cupel_alloc *alloc)
{
    memset(index, 0, sizeof(*index));
    index->pool.alloc = index->names.alloc = *alloc;
    cupel__mcp_hash_key(NULL, index->names.key);
    cupel_text_init(&index->scratch, alloc);
}

void cupel__member_index_free(struct cupel__member_index *index)
{
    cupel__mcp_names_free(&index->names);
    cupel__mcp_pool_rewind(&index->pool, (struct cupel__mcp_pool){index->pool.alloc, NULL, 0});
    cupel_text_free(&index->scratch);
}

/* Writes the key of an owner and a name to index->scratch; false when out of memory. */
static bool make_key(struct cupel__member_index *index, uint64_t owner, const char *name,
                     size_t len)
{
    cupel_text_clear(&index->scratch);
    cupel_text_add(&index->scratch, (const char *)&owner, sizeof(owner));
    cupel_text_add(&index->scratch, name, len);
    index->failed |= index->scratch.failed != 0;
    return !index->failed;
}

uint32_t cupel__member_index_add(struct cupel__member_index *index, uint64_t owner,
                                 const char *name, size_t len, uint32_t value)
{
    if (!make_key(index, owner, name, len))
        return CUPEL_NO_NODE;
    const struct cupel_text *key = &index->scratch;
    if (!cupel__mcp_names_reserve(&index->names, 1)) {
        index->failed = true;
        return CUPEL_NO_NODE;
    }
    struct cupel__mcp_name *slot = cupel__mcp_names_slot(&index->names, key->bytes, key->len);
    if (slot->bytes != NULL)
        return slot->value;
    slot->bytes = cupel__mcp_pool_copy(&index->pool, key->bytes, key->len);
    slot->value = value;
    index->failed |= slot->bytes == NULL;
    return CUPEL_NO_NODE;
}

uint32_t cupel__member_index_find(struct cupel__member_index *index, uint64_t owner,
                                  const char *name, size_t len)
{
    if (index->names.count == 0 || !make_key(index, owner, name, len))
        return CUPEL_NO_NODE;
    const struct cupel__mcp_name *found =
        cupel__mcp_names_find(&index->names, index->scratch.bytes, index->scratch.len);
    return found != NULL ? found->value : CUPEL_NO_NODE;
}

/* Returns the owner whose empty name marks an object as indexed. */
static uint64_t mark_of(uint32_t object)
{
    return UINT64_C(1) << 32 | object;
}

/* Marks a container as indexed and adds its members or items. */
static void add_members(struct cupel__member_index *index, struct cupel_document *doc,
                        uint32_t node)
{
    bool object = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
    uint32_t child = cupel_json_first(doc, node), place = 0;
    cupel__member_index_add(index, mark_of(node), "", 0, node);
    while (child != CUPEL_NO_NODE && !index->failed) {
        char digits[16];
        size_t len = 0;
        const char *name = digits;
        if (object)
            name = cupel_json_string(doc, child++, &len);
        else
            len = (size_t)snprintf(digits, sizeof(digits), "%u", (unsigned)place++);
        cupel__member_index_add(index, node, name, len, child);
        child = cupel_json_next(doc, node, child);
    }
}

uint32_t cupel__member_index_member(struct cupel__member_index *index, struct cupel_document *doc,
                                    uint32_t node, const char *name, size_t len)
{
    bool object = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
    if (object && cupel_json_count(doc, node) <= WIDE)
        return cupel_json_member(doc, node, name, len);
    if (cupel__member_index_find(index, mark_of(node), "", 0) == CUPEL_NO_NODE)
        add_members(index, doc, node);
    return index->failed ? CUPEL_NO_NODE : cupel__member_index_find(index, node, name, len);
}
