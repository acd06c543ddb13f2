/* lock.c: the pins of a catalog, written, read and compared.
 *
 * A lock file is JSON, and made to be kept under version control: a line for each tool.
 *
 *     {"cupelLock":1,"tools":[
 *     {"name":"…","all":"sha256:…","semantic":"sha256:…",…,"outputSchema":null,…},
 *     …
 *     ]} */
#include "canonical.h"
#include "mcp_internal.h"

#define NONE UINT32_MAX

struct entry {
    const char *name;
    size_t name_len;
    uint32_t next; /* the next one of this name, or NONE */
    uint32_t last; /* in the first one of a name: the last one */
    struct cupel_pin pin;
};

struct cupel_lock {
    struct cupel__mcp_pool pool;
    struct cupel__mcp_names names; /* to the first entry */
    struct entry *entries;
    uint32_t count;
};

/* -- Life ------------------------------------------------------------------------------------- */

static struct cupel_lock *make_lock(const struct cupel_alloc *alloc, uint32_t most)
{
    struct cupel_lock *lock = alloc->realloc(alloc->ctx, NULL, 0, sizeof(*lock));
    if (lock == NULL)
        return NULL;
    memset(lock, 0, sizeof(*lock));
    lock->pool.alloc = lock->names.alloc = *alloc;
    cupel__mcp_make_key(lock, lock->names.key);
    lock->entries = cupel__mcp_pool_get(&lock->pool, (size_t)most * sizeof(*lock->entries) + 1);
    if (lock->entries != NULL && cupel__mcp_names_reserve(&lock->names, most))
        return lock;
    cupel_lock_free(lock);
    return NULL;
}

void cupel_lock_free(struct cupel_lock *lock)
{
    if (lock == NULL)
        return;
    struct cupel_alloc alloc = lock->pool.alloc;
    cupel__mcp_names_free(&lock->names);
    cupel__mcp_pool_rewind(&lock->pool, (struct cupel__mcp_pool){alloc, NULL, 0});
    alloc.realloc(alloc.ctx, lock, sizeof(*lock), 0);
}

/* Adds an entry, for which there is room, with an empty pin; NULL when out of memory. */
static struct entry *add_entry(struct cupel_lock *lock, const char *name, size_t len)
{
    struct entry *entry = &lock->entries[lock->count];
    entry->name = cupel__mcp_pool_copy(&lock->pool, name, len);
    if (entry->name == NULL)
        return NULL;
    entry->name_len = len;
    entry->next = NONE;
    struct cupel__mcp_name *first = cupel__mcp_names_find(&lock->names, name, len);
    if (first == NULL) {
        cupel__mcp_names_put(&lock->names, entry->name, len, lock->count);
    } else {
        struct entry *head = &lock->entries[first->value];
        lock->entries[head->last].next = lock->count;
        head->last = lock->count;
    }
    entry->last = lock->count++;
    return entry;
}

/* -- Taking ----------------------------------------------------------------------------------- */

/* A definition that has no canonical form: all there is to say of it is its bytes. */
static enum cupel_status pin_bytes(const struct cupel_tool *tool, struct cupel_pin *ret)
{
    ret->present = 1u << CUPEL_PIN_ALL | 1u << CUPEL_PIN_SEMANTIC;
    if (!cupel__sha256(tool->text, tool->text_len, ret->digests[CUPEL_PIN_ALL]))
        return CUPEL_E_UNSUPPORTED;
    memcpy(ret->digests[CUPEL_PIN_SEMANTIC], ret->digests[CUPEL_PIN_ALL], CUPEL_DIGEST_BYTES);
    return CUPEL_OK;
}

static enum cupel_status take_entry(struct cupel_lock *lock, const struct cupel_catalog *catalog,
                                    const struct cupel_tool *tool)
{
    struct entry *entry = add_entry(lock, tool->name, tool->name_len);
    if (entry == NULL)
        return CUPEL_E_NO_MEMORY;
    enum cupel_status status = cupel_tool_pin(catalog, tool, &entry->pin);
    return status == CUPEL_E_DUPLICATE_KEY ? pin_bytes(tool, &entry->pin) : status;
}

enum cupel_status cupel_lock_take(const struct cupel_catalog *catalog, struct cupel_lock **ret,
                                  struct cupel_error *err)
{
    struct cupel_lock *lock = make_lock(&catalog->pool.alloc, cupel_catalog_count(catalog));
    enum cupel_status status = lock != NULL ? CUPEL_OK : CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < cupel_catalog_count(catalog) && status == CUPEL_OK; i++)
        status = take_entry(lock, catalog, cupel_catalog_tool(catalog, i));
    if (status == CUPEL_OK) {
        *ret = lock;
        return status;
    }
    cupel_lock_free(lock);
    return cupel__mcp_refuse(err, status,
                             status == CUPEL_E_UNSUPPORTED
                                 ? "this build of cupel has no SHA-256: it was made without Nettle"
                                 : cupel_status_message(status));
}

/* -- Writing ---------------------------------------------------------------------------------- */

static void write_digest(struct cupel_text *text, const struct cupel_pin *pin,
                         enum cupel_pin_part part)
{
    cupel_text_addf(text, ",\"%s\":", cupel_pin_part_name(part));
    if (!(pin->present & 1u << part)) {
        cupel_text_adds(text, "null");
        return;
    }
    cupel_text_adds(text, "\"sha256:");
    for (int i = 0; i < CUPEL_DIGEST_BYTES; i++)
        cupel_text_addf(text, "%02x", pin->digests[part][i]);
    cupel_text_adds(text, "\"");
}

void cupel_lock_write(const struct cupel_lock *lock, struct cupel_text *text)
{
    cupel_text_adds(text, "{\"cupelLock\":1,\"tools\":[");
    for (uint32_t i = 0; i < lock->count; i++) {
        const struct entry *entry = &lock->entries[i];
        cupel_text_adds(text, i != 0 ? ",\n{\"name\":" : "\n{\"name\":");
        cupel_text_json(text, entry->name, entry->name_len);
        for (int part = 0; part < CUPEL_PIN_PARTS; part++)
            write_digest(text, &entry->pin, (enum cupel_pin_part)part);
        cupel_text_adds(text, "}");
    }
    cupel_text_adds(text, "\n]}\n");
}

/* -- Reading ---------------------------------------------------------------------------------- */

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_digest(const char *text, size_t len, unsigned char ret[CUPEL_DIGEST_BYTES])
{
    if (text == NULL || len != 7 + 2 * CUPEL_DIGEST_BYTES || memcmp(text, "sha256:", 7) != 0)
        return false;
    for (size_t i = 0; i < CUPEL_DIGEST_BYTES; i++) {
        int high = hex_value(text[7 + 2 * i]), low = hex_value(text[8 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        ret[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

static bool read_pin(struct cupel_document *doc, uint32_t node, struct cupel_pin *ret)
{
    for (int part = 0; part < CUPEL_PIN_PARTS; part++) {
        size_t len;
        const char *name = cupel_pin_part_name((enum cupel_pin_part)part);
        uint32_t member = cupel_json_member(doc, node, name, strlen(name));
        if (member == CUPEL_NO_NODE)
            return false;
        if (cupel_json_type(doc, member) == CUPEL_JSON_NULL)
            continue;
        const char *text = cupel_json_string(doc, member, &len);
        if (!read_digest(text, len, ret->digests[part]))
            return false;
        ret->present |= 1u << part;
    }
    return (ret->present & 1u << CUPEL_PIN_ALL) != 0;
}

static enum cupel_status read_entry(struct cupel_lock *lock, struct cupel_document *doc,
                                    uint32_t node)
{
    size_t len;
    uint32_t member = cupel_json_member(doc, node, "name", 4);
    const char *name = member != CUPEL_NO_NODE ? cupel_json_string(doc, member, &len) : NULL;
    if (name == NULL)
        return CUPEL_E_ARGUMENT;
    struct entry *entry = add_entry(lock, name, len);
    if (entry == NULL)
        return CUPEL_E_NO_MEMORY;
    return read_pin(doc, node, &entry->pin) ? CUPEL_OK : CUPEL_E_ARGUMENT;
}

static enum cupel_status read_entries(struct cupel_document *doc, const struct cupel_alloc *alloc,
                                      struct cupel_lock **ret)
{
    int64_t version = 0;
    uint32_t mark = cupel_json_member(doc, 0, "cupelLock", 9);
    uint32_t tools = cupel_json_member(doc, 0, "tools", 5);
    if (mark == CUPEL_NO_NODE || cupel_json_integer(doc, mark, &version) != 0 || version != 1 ||
        tools == CUPEL_NO_NODE || cupel_json_type(doc, tools) != CUPEL_JSON_ARRAY)
        return CUPEL_E_ARGUMENT;
    struct cupel_lock *lock = make_lock(alloc, cupel_json_count(doc, tools));
    enum cupel_status status = lock != NULL ? CUPEL_OK : CUPEL_E_NO_MEMORY;
    uint32_t node = cupel_json_first(doc, tools);
    for (; node != CUPEL_NO_NODE && status == CUPEL_OK; node = cupel_json_next(doc, tools, node))
        status = read_entry(lock, doc, node);
    if (status == CUPEL_OK)
        *ret = lock;
    else
        cupel_lock_free(lock);
    return status;
}

enum cupel_status cupel_lock_read(const struct cupel_alloc *alloc, const char *text, size_t len,
                                  struct cupel_lock **ret, struct cupel_error *err)
{
    struct cupel_options options;
    struct cupel_document *doc = NULL;
    cupel_options_init(&options);
    options.alloc = cupel__mcp_alloc(alloc != NULL ? alloc : &options.alloc);
    options.limits.body_bytes = (size_t)16 << 20;
    enum cupel_status status = cupel_document_new(&options, &doc);
    if (status == CUPEL_OK)
        status = cupel_document_read(doc, text, len, err);
    if (status == CUPEL_OK) {
        status = read_entries(doc, &options.alloc, ret);
        if (status != CUPEL_OK)
            cupel__mcp_refuse(err, status,
                              status == CUPEL_E_ARGUMENT ? "the text is no lock file"
                                                         : cupel_status_message(status));
    }
    cupel_document_free(doc);
    return status;
}

/* -- Comparing -------------------------------------------------------------------------------- */

const char *cupel_change_kind_name(enum cupel_change_kind kind)
{
    static const char *const names[] = {"added", "removed", "changed"};
    return names[kind];
}

/* The first entry of a name, or NONE. */
static uint32_t first_of(const struct cupel_lock *lock, const struct entry *entry)
{
    const struct cupel__mcp_name *found =
        cupel__mcp_names_find(&lock->names, entry->name, entry->name_len);
    return found != NULL ? found->value : NONE;
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
    uint32_t count;
};

static void tell(struct diff *diff, const struct entry *entry, enum cupel_change_kind kind,
                 uint32_t parts, bool order_only)
{
    struct cupel_change change = {kind, entry->name, entry->name_len, parts, order_only};
    diff->count++;
    if (diff->on_change != NULL && diff->on_change(diff->ctx, &change) != 0)
        diff->on_change = NULL;
}

static void compare_entries(struct diff *diff, const struct entry *before,
                            const struct entry *after)
{
    uint32_t parts = 0;
    if (same_part(&before->pin, &after->pin, CUPEL_PIN_ALL))
        return;
    for (int part = CUPEL_PIN_TEXT; part < CUPEL_PIN_PARTS; part++)
        if (!same_part(&before->pin, &after->pin, part))
            parts |= 1u << part;
    tell(diff, before, CUPEL_TOOL_CHANGED, parts,
         same_part(&before->pin, &after->pin, CUPEL_PIN_SEMANTIC));
}

/* Goes through the entries of one name in both locks, pair by pair.  `kind` says what an entry is
 * that has no partner: of `a` it is told, and pairs are only where `kind` is REMOVED. */
static void compare_name(struct diff *diff, const struct cupel_lock *a, uint32_t at,
                         const struct cupel_lock *b, enum cupel_change_kind kind)
{
    uint32_t partner = first_of(b, &a->entries[at]);
    for (; at != NONE; at = a->entries[at].next) {
        if (partner == NONE) {
            tell(diff, &a->entries[at], kind, 0, false);
            continue;
        }
        if (kind == CUPEL_TOOL_REMOVED)
            compare_entries(diff, &a->entries[at], &b->entries[partner]);
        partner = b->entries[partner].next;
    }
}

uint32_t cupel_lock_diff(const struct cupel_lock *before, const struct cupel_lock *after,
                         cupel_on_change *on_change, void *ctx)
{
    struct diff diff = {on_change, ctx, 0};
    for (uint32_t i = 0; i < before->count; i++)
        if (first_of(before, &before->entries[i]) == i)
            compare_name(&diff, before, i, after, CUPEL_TOOL_REMOVED);
    for (uint32_t i = 0; i < after->count; i++)
        if (first_of(after, &after->entries[i]) == i)
            compare_name(&diff, after, i, before, CUPEL_TOOL_ADDED);
    return diff.count;
}

void cupel_list_changed_write(struct cupel_text *text)
{
    cupel_text_adds(text,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
}
