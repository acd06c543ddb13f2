/* lock.c: lock files: the pins of all tools of a catalog, taken, written and read.  lock_diff.c
 * compares two locks.
 *
 * A lock file is JSON with a line for each tool, so that version control shows changes by tool.
 *
 *     {"cupelLock":2,"digest":"sha256:…","tools":[
 *     {"name":"…","all":"sha256:…","semantic":"sha256:…",…,"outputSchema":null,…},
 *     …
 *     ]}
 *
 * `digest` covers all that follows it, as it is written here.  The reader writes the lock again
 * from what it has read and compares the two texts, so every byte is covered except white space
 * between tokens.  Version 1 had no `digest`, and its `all` was not made of the digests of the
 * parts. */
#include "mcp/identity/lock.h"
#include "mcp/catalog/catalog.h"
#include "mcp/identity/canonical.h"
#include "mcp/options/options.h"
#include "mcp/rules/rules.h"

#include <string.h>

/* -- Creation --------------------------------------------------------------------------------- */

/* Makes a lock with memory for `most` entries; NULL when out of memory. */
static struct cupel_lock *make_lock(const struct cupel_alloc *alloc,
                                    const struct cupel__hasher *hasher, uint32_t most)
{
    struct cupel_lock *lock = alloc->realloc(alloc->ctx, NULL, 0, sizeof(*lock));
    if (lock == NULL)
        return NULL;
    memset(lock, 0, sizeof(*lock));
    lock->hasher = *hasher;
    lock->version = CUPEL_LOCK_VERSION;
    lock->pool.alloc = lock->names.alloc = *alloc;
    cupel__mcp_hash_key(NULL, lock->names.key);
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

/* Adds an entry with an empty pin, in memory that make_lock reserved, and links it to the entries
 * of the same name.  NULL when out of memory. */
static struct cupel__lock_entry *add_entry(struct cupel_lock *lock, const char *name, size_t len)
{
    struct cupel__lock_entry *entry = &lock->entries[lock->count];
    entry->name = cupel__mcp_pool_copy(&lock->pool, name, len);
    if (entry->name == NULL)
        return NULL;
    entry->name_len = len;
    entry->next = CUPEL__NO_ENTRY;
    entry->same = 0;
    struct cupel__mcp_name *first = cupel__mcp_names_find(&lock->names, name, len);
    if (first == NULL) {
        cupel__mcp_names_put(&lock->names, entry->name, len, lock->count);
    } else {
        struct cupel__lock_entry *head = &lock->entries[first->value];
        lock->entries[head->last].next = lock->count;
        head->last = lock->count;
        entry->same = head->count++;
    }
    entry->count = 1;
    entry->last = lock->count++;
    return entry;
}

/* -- Taking ----------------------------------------------------------------------------------- */

/* The most bytes of an entry in a lock file without its name, and of an escaped byte of a name. */
enum { ENTRY_BYTES = 768, ESCAPED_BYTE = 6 };

/* Whether the lock file of a catalog is within the size that cupel_lock_load accepts. */
static bool is_writable(const struct cupel_catalog *catalog)
{
    uint64_t bytes = ENTRY_BYTES;
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++)
        bytes += ENTRY_BYTES + (uint64_t)cupel_catalog_tool(catalog, i)->name_len * ESCAPED_BYTE;
    return bytes <= CUPEL_LOCK_BYTES;
}

/* Pins one tool. */
static enum cupel_status pin_tool(struct cupel_lock *lock, const struct cupel_catalog *catalog,
                                  const struct cupel_tool *tool)
{
    struct cupel__lock_entry *entry = add_entry(lock, tool->name, tool->name_len);
    if (entry == NULL)
        return CUPEL_E_NO_MEMORY;
    entry->has_whole = true;
    return cupel__pin_tool(catalog, tool, &entry->pin, entry->whole);
}

static enum cupel_status refuse_lock(struct cupel_error *err, enum cupel_status status)
{
    const char *detail = cupel_status_message(status);
    if (status == CUPEL_E_UNSUPPORTED)
        detail = "there is no SHA-256: this build has no Nettle and the options no function, or it "
                 "failed";
    else if (status == CUPEL_E_JSON_SIZE)
        detail = "the lock would be larger than what can be read again";
    return cupel__mcp_refuse(err, status, detail);
}

/* Sets *ret only on CUPEL_OK. Fails for a catalog whose lock file could not be read again. */
enum cupel_status cupel_lock_new(const struct cupel_catalog *catalog, struct cupel_lock **ret,
                                 struct cupel_error *err)
{
    if (catalog == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    if (!is_writable(catalog))
        return refuse_lock(err, CUPEL_E_JSON_SIZE);
    struct cupel__hasher hasher = cupel__catalog_hasher(catalog);
    struct cupel_lock *lock =
        make_lock(&catalog->pool.alloc, &hasher, cupel_catalog_count(catalog));
    enum cupel_status status = lock != NULL ? CUPEL_OK : CUPEL_E_NO_MEMORY;
    for (uint32_t i = 0; i < cupel_catalog_count(catalog) && status == CUPEL_OK; i++)
        status = pin_tool(lock, catalog, cupel_catalog_tool(catalog, i));
    if (status == CUPEL_OK) {
        *ret = lock;
        return status;
    }
    cupel_lock_free(lock);
    return refuse_lock(err, status);
}

int cupel_lock_version(const struct cupel_lock *lock)
{
    return lock != NULL ? lock->version : 0;
}

/* -- Writing ---------------------------------------------------------------------------------- */

static void write_hex(const unsigned char digest[CUPEL_DIGEST_BYTES],
                      char ret[2 * CUPEL_DIGEST_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < CUPEL_DIGEST_BYTES; i++) {
        ret[2 * i] = digits[digest[i] >> 4];
        ret[2 * i + 1] = digits[digest[i] & 15];
    }
}

/* Writes the digest of a part, or null. */
static void write_digest(struct cupel_text *text, const struct cupel_pin *pin,
                         enum cupel_pin_part part)
{
    char hex[2 * CUPEL_DIGEST_BYTES];
    cupel_text_addf(text, ",\"%s\":", cupel_pin_part_name(part));
    if (!(pin->present & 1u << part)) {
        cupel_text_adds(text, "null");
        return;
    }
    write_hex(pin->digests[part], hex);
    cupel_text_adds(text, "\"sha256:");
    cupel_text_add(text, hex, sizeof(hex));
    cupel_text_adds(text, "\"");
}

/* Writes the part of a lock file that its digest covers. */
static void write_entries(const struct cupel_lock *lock, struct cupel_text *text)
{
    cupel_text_adds(text, "\"tools\":[");
    for (uint32_t i = 0; i < lock->count; i++) {
        const struct cupel__lock_entry *entry = &lock->entries[i];
        cupel_text_adds(text, i != 0 ? ",\n{\"name\":" : "\n{\"name\":");
        cupel_text_add_json(text, entry->name, entry->name_len);
        for (int part = 0; part < CUPEL_PIN_PARTS; part++)
            write_digest(text, &entry->pin, (enum cupel_pin_part)part);
        cupel_text_adds(text, "}");
    }
    cupel_text_adds(text, "\n]}\n");
}

/* The digest is written last, over a placeholder, since it covers the text behind it.  False if it
 * could not be computed. */
static bool write_lock(const struct cupel_lock *lock, struct cupel_text *text)
{
    char hex[2 * CUPEL_DIGEST_BYTES] = {0};
    unsigned char digest[CUPEL_DIGEST_BYTES];
    cupel_text_addf(text, "{\"cupelLock\":%d,", lock->version);
    if (lock->version == 1) {
        write_entries(lock, text);
        return true;
    }
    cupel_text_adds(text, "\"digest\":\"sha256:");
    size_t at = text->len;
    cupel_text_add(text, hex, sizeof(hex));
    cupel_text_adds(text, "\",");
    size_t start = text->len;
    write_entries(lock, text);
    if (text->failed)
        return true;
    if (!cupel__digest(&lock->hasher, text->bytes + start, text->len - start, digest))
        return false;
    write_hex(digest, text->bytes + at);
    return true;
}

void cupel_lock_save(const struct cupel_lock *lock, struct cupel_text *text)
{
    if (lock == NULL || text == NULL)
        return;
    if (!write_lock(lock, text))
        text->failed = 1;
}

/* -- Reading ---------------------------------------------------------------------------------- */

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads "sha256:" and 64 lower-case hexadecimal digits; no other spelling is accepted. */
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

/* The state of the reader.  `detail` is a message for the refusal, or NULL for a general one. */
struct reading {
    struct cupel_alloc alloc;
    struct cupel__hasher hasher;
    struct cupel_document *doc;
    struct cupel_lock *lock;
    const char *detail;
};

/* Reads the digests of an entry; false if one is missing or malformed, or there are other members.
 */
static bool read_pin(struct reading *r, uint32_t node, struct cupel_pin *ret)
{
    for (int part = 0; part < CUPEL_PIN_PARTS; part++) {
        size_t len;
        const char *name = cupel_pin_part_name((enum cupel_pin_part)part);
        uint32_t member = cupel_json_member(r->doc, node, name, strlen(name));
        if (member == CUPEL_NO_NODE)
            return false;
        if (cupel_json_type(r->doc, member) == CUPEL_JSON_NULL)
            continue;
        const char *text = cupel_json_string(r->doc, member, &len);
        if (!read_digest(text, len, ret->digests[part]))
            return false;
        ret->present |= 1u << part;
    }
    /* The name is the only member beside the parts. */
    return (ret->present & 1u << CUPEL_PIN_ALL) != 0 &&
           cupel_json_count(r->doc, node) == CUPEL_PIN_PARTS + 1;
}

/* Checks that the digest of an entry follows from those of its parts. */
static enum cupel_status check_entry(struct reading *r, struct cupel__lock_entry *entry)
{
    unsigned char all[CUPEL_DIGEST_BYTES];
    const unsigned char *given = entry->pin.digests[CUPEL_PIN_ALL];
    if (r->lock->version == 1) {
        memcpy(entry->whole, given, CUPEL_DIGEST_BYTES);
        entry->has_whole = true;
        return CUPEL_OK;
    }
    if (!cupel__pin_all(&r->lock->hasher, &entry->pin, all))
        return CUPEL_E_UNSUPPORTED;
    if (memcmp(all, given, CUPEL_DIGEST_BYTES) == 0)
        return CUPEL_OK;
    r->detail = "the digests of the parts of a tool do not make its digest";
    return CUPEL_E_ARGUMENT;
}

/* Adds the entry of a tool with its digests. */
static enum cupel_status read_entry(struct reading *r, uint32_t node)
{
    size_t len;
    uint32_t member = cupel_json_member(r->doc, node, "name", 4);
    const char *name = member != CUPEL_NO_NODE ? cupel_json_string(r->doc, member, &len) : NULL;
    if (name == NULL)
        return CUPEL_E_ARGUMENT;
    struct cupel__lock_entry *entry = add_entry(r->lock, name, len);
    if (entry == NULL)
        return CUPEL_E_NO_MEMORY;
    return read_pin(r, node, &entry->pin) ? check_entry(r, entry) : CUPEL_E_ARGUMENT;
}

/* Returns the version, or 0 for an unknown one.  A version has one digit and no other spelling. */
static int read_version(struct cupel_document *doc)
{
    size_t len;
    uint32_t version = cupel_json_member(doc, 0, "cupelLock", 9);
    if (version == CUPEL_NO_NODE || cupel_json_type(doc, version) != CUPEL_JSON_NUMBER)
        return 0;
    const char *text = cupel_json_span(doc, version, &len);
    return len == 1 && text[0] >= '1' && text[0] <= '0' + CUPEL_LOCK_VERSION ? text[0] - '0' : 0;
}

/* Makes the lock and reads its entries. */
static enum cupel_status read_entries(struct reading *r)
{
    int version = read_version(r->doc);
    uint32_t tools = cupel_json_member(r->doc, 0, "tools", 5);
    uint32_t members = version == 1 ? 2 : 3; /* cupelLock, tools, and from version 2 on digest */
    if (version == 0 || cupel_json_count(r->doc, 0) != members || tools == CUPEL_NO_NODE ||
        cupel_json_type(r->doc, tools) != CUPEL_JSON_ARRAY)
        return CUPEL_E_ARGUMENT;
    r->lock = make_lock(&r->alloc, &r->hasher, cupel_json_count(r->doc, tools));
    if (r->lock == NULL)
        return CUPEL_E_NO_MEMORY;
    r->lock->version = version;
    enum cupel_status status = CUPEL_OK;
    uint32_t node = cupel_json_first(r->doc, tools);
    for (; node != CUPEL_NO_NODE && status == CUPEL_OK; node = cupel_json_next(r->doc, tools, node))
        status = read_entry(r, node);
    return status;
}

/* Whether the text equals the one that cupel_lock_save writes, without white space between tokens.
 */
static enum cupel_status check_text(struct reading *r, const char *text, size_t len)
{
    struct cupel_text wanted, found;
    if (r->lock->version == 1)
        return CUPEL_OK;
    cupel_text_init(&wanted, &r->alloc);
    cupel_text_init(&found, &r->alloc);
    bool has_digest = write_lock(r->lock, &found), failed = found.failed != 0;
    if (!failed)
        cupel__add_compact(&wanted, found.bytes, found.len);
    cupel_text_clear(&found);
    cupel__add_compact(&found, text, len);
    enum cupel_status status = CUPEL_OK;
    if (!has_digest) {
        status = CUPEL_E_UNSUPPORTED;
    } else if (failed || wanted.failed || found.failed) {
        status = CUPEL_E_NO_MEMORY;
    } else if (wanted.len != found.len || memcmp(wanted.bytes, found.bytes, found.len) != 0) {
        status = CUPEL_E_ARGUMENT;
        r->detail = "the lock file was changed after it was written";
    }
    cupel_text_free(&wanted);
    cupel_text_free(&found);
    return status;
}

/* Reads a lock file in three steps: JSON, entries, comparison with the text that they would be
 * written as. */
static enum cupel_status read_lock(struct reading *r, const char *text, size_t len,
                                   struct cupel_error *err)
{
    enum cupel_status status = cupel_document_read(r->doc, text, len, err);
    if (status != CUPEL_OK)
        return status;
    status = read_entries(r);
    if (status == CUPEL_OK)
        status = check_text(r, text, len);
    if (status == CUPEL_OK)
        return status;
    if (r->detail == NULL)
        r->detail =
            status == CUPEL_E_ARGUMENT ? "the text is no lock file" : cupel_status_message(status);
    return cupel__mcp_refuse(err, status, r->detail);
}

/* Sets *ret only on CUPEL_OK. */
static enum cupel_status load_lock(struct reading *r, const char *text, size_t len,
                                   struct cupel_lock **ret, struct cupel_error *err)
{
    struct cupel_options options;
    cupel_options_init(&options);
    options.alloc = r->alloc = cupel__mcp_alloc(&r->alloc);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = CUPEL_LOCK_BYTES;
    enum cupel_status status = cupel_document_new(&options, &r->doc);
    if (status == CUPEL_OK)
        status = read_lock(r, text, len, err);
    if (status == CUPEL_OK)
        *ret = r->lock;
    else
        cupel_lock_free(r->lock);
    cupel_document_free(r->doc);
    return status;
}

enum cupel_status cupel_lock_load(const char *text, size_t len, const struct cupel_alloc *alloc,
                                  struct cupel_lock **ret, struct cupel_error *err)
{
    if (text == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct reading r = {.doc = NULL};
    if (alloc != NULL)
        r.alloc = *alloc;
    return load_lock(&r, text, len, ret, err);
}

enum cupel_status cupel_catalog_lock_load(const struct cupel_catalog *catalog, const char *text,
                                          size_t len, struct cupel_lock **ret,
                                          struct cupel_error *err)
{
    if (catalog == NULL || text == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct reading r = {.alloc = catalog->pool.alloc, .hasher = cupel__catalog_hasher(catalog)};
    return load_lock(&r, text, len, ret, err);
}
