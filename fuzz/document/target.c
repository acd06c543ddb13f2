/* target.c: any text through the functions that hosts read texts of strangers with, outside of
 * schemas.
 *
 * The input is a text, with a choice of options behind it (choice.h).  Every node is looked at with
 * every function; the canonical form is the same again; a message, a list of tools, capabilities or
 * a lock file that is accepted is one; names, IDs and tags keep to their rules; text that is
 * written for people has no hidden text. */
#include "../target.h"
#include "../choice.h"
#include "../ways.h"
#include "mcp/definition/tool_id.h"
#include <cupel/cupel.h>
#include <string.h>

static struct cupel_document *read(const struct cupel_options *options, const char *text,
                                   size_t len)
{
    struct cupel_document *doc = NULL;
    struct cupel_error err = {0};
    require(cupel_document_new(options, &doc) == CUPEL_OK);
    enum cupel_status status = cupel_document_read(doc, text, len, &err);
    if (status == CUPEL_OK)
        return doc;
    require(err.status == status && err.offset <= len);
    cupel_document_free(doc);
    return NULL;
}

/* -- Nodes ----------------------------------------------------------------------------------------
 */

static void look_at_text(const char *text, size_t len, struct cupel_text *out)
{
    struct cupel_hidden hidden;
    struct cupel__tool_id id;
    struct cupel_tags tags = {0}, again = {0};
    const char *name;
    int found = cupel_hidden_find(text, len, 0, &hidden);
    require(!found || (hidden.offset < len && cupel_hidden_name(hidden.kind)[0] != '\0'));
    require(!found || cupel_hidden_find(text, len, CUPEL_HIDDEN_IN_NAME, NULL));
    cupel_text_clear(out);
    cupel_text_add_escaped(out, text, len, len % 32 == 0 ? 16 : SIZE_MAX, 0);
    require(!cupel_hidden_find(out->bytes != NULL ? out->bytes : "", out->len, 0, &hidden) ||
            hidden.kind == CUPEL_HIDDEN_COMMENT || hidden.kind == CUPEL_HIDDEN_LINK ||
            hidden.kind == CUPEL_HIDDEN_MARKS || hidden.kind == CUPEL_HIDDEN_SPACE);
    cupel_text_add_escaped(out, text, len, SIZE_MAX, CUPEL_TEXT_LINES);
    cupel_text_add_escaped(out, text, len, SIZE_MAX, CUPEL_TEXT_QUOTED);
    if (cupel__tool_id_read(text, len, &id) == CUPEL_OK) {
        cupel_text_clear(out);
        cupel__tool_id_write(&id, out);
        require(out->len == len && memcmp(out->bytes, text, len) == 0);
    }
    if (cupel__tags_add(&tags, text, len))
        require(cupel__tags_add(&again, tags.tags[0].bytes, tags.tags[0].len) &&
                strcmp(tags.tags[0].bytes, again.tags[0].bytes) == 0);
    require(cupel_names_fold_equal(text, len, text, len));
    for (int place = CUPEL_PLACE_ENVELOPE; place <= CUPEL_PLACE_CONTENT; place++) {
        size_t n = cupel_protocol_name((enum cupel_place)place, "tools/call", 10, text, len, &name);
        require(n == 0 || cupel_names_fold_equal(name, n, text, len));
    }
    require(!cupel_protocol_version_known(text, len) || len == 10);
    require(!cupel__tool_version_valid(text, len) || len >= 5);
}

static void look_at_string(struct cupel_document *doc, uint32_t node, struct cupel_text *out)
{
    size_t len;
    const char *text = cupel_json_string(doc, node, &len);
    require((text != NULL) == (cupel_json_type(doc, node) == CUPEL_JSON_STRING));
    if (text != NULL)
        look_at_text(text, len, out);
    require(cupel_json_is(doc, node, "tools") ==
            (text != NULL && len == 5 && memcmp(text, "tools", 5) == 0));
}

static void look_at_node(struct cupel_document *doc, uint32_t node, size_t size,
                         struct cupel_text *out)
{
    struct cupel_message message;
    struct cupel_message_problem problem;
    uint64_t offset;
    uint32_t line, column;
    size_t len;
    int64_t integer;
    double number;
    const char *span = cupel_json_span(doc, node, &len);
    cupel_json_place(doc, node, &offset, &line, &column);
    require(len > 0 && offset + len <= size && offset == cupel_json_offset(doc, node) &&
            span[0] != ' ');
    require(line > 0 && column > 0);
    require((cupel_json_boolean(doc, node) >= 0) ==
            (cupel_json_type(doc, node) == CUPEL_JSON_BOOLEAN));
    if (cupel_json_integer(doc, node, &integer) == 0)
        require(cupel_json_type(doc, node) == CUPEL_JSON_NUMBER);
    if (cupel_json_double(doc, node, &number) != CUPEL_E_ARGUMENT)
        require(cupel_json_type(doc, node) == CUPEL_JSON_NUMBER);
    require(cupel_json_equal(doc, node, doc, node) != 0);
    if (cupel_message_id_valid(doc, node)) {
        cupel_text_clear(out);
        cupel_message_id_key(doc, node, out);
        require(out->len > 0);
    }
    for (int place = CUPEL_PLACE_ENVELOPE; place <= CUPEL_PLACE_CONTENT; place++)
        (void)cupel_message_names_check(doc, node, (enum cupel_place)place, "tools/list", 10,
                                        &problem);
    if (cupel_message_read(doc, node, &message, &problem) == CUPEL_OK)
        require(message.node == node &&
                (message.method != CUPEL_NO_NODE || message.id != CUPEL_NO_NODE));
    else
        require(cupel_rule_meaning(problem.rule) != NULL && problem.text[0] != '\0');
    look_at_string(doc, node, out);
}

/* Nodes follow one another, a container before what is in it: the walk needs no stack. */
static uint32_t look_at_all(struct cupel_document *doc, size_t size, struct cupel_text *out)
{
    uint32_t left = 1, node = 0;
    const char *next_name;
    size_t next_len;
    for (; left > 0; node++, left--) {
        uint32_t count = cupel_json_count(doc, node), first = cupel_json_first(doc, node);
        bool object = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
        require((first == CUPEL_NO_NODE) == (count == 0));
        left += object ? 2 * count : count;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t value = object ? first + 1 : first;
            size_t len;
            const char *name = object ? cupel_json_string(doc, first, &len) : NULL;
            require(name == NULL ||
                    cupel_json_next_name(doc, node, first - 1, &next_name, &next_len) == first);
            require(name == NULL || (next_name == name && next_len == len));
            require(name == NULL || cupel_json_member(doc, node, name, len) == value);
            first = cupel_json_next(doc, node, value);
        }
        require(first == CUPEL_NO_NODE);
        look_at_node(doc, node, size, out);
    }
    return node;
}

/* -- The whole text -------------------------------------------------------------------------------
 */

/* The canonical form is JSON that is equal, as far as that is decided, and its own canonical form.
 */
static void check_canonical(struct cupel_document *doc, struct cupel_text *out)
{
    struct cupel_options options;
    struct cupel_text again;
    cupel_options_init(&options);
    cupel_text_init(&again, NULL);
    cupel_text_clear(out);
    require(cupel_json_canonical_write(doc, 0, NULL, out) == CUPEL_OK);
    struct cupel_document *other = read(&options, out->bytes, out->len);
    require(other != NULL && cupel_json_equal(doc, 0, other, 0) != 0);
    require(cupel_json_canonical_write(other, 0, NULL, &again) == CUPEL_OK);
    require(again.len == out->len && memcmp(again.bytes, out->bytes, out->len) == 0);
    cupel_document_free(other);
    cupel_text_free(&again);
}

static void check_page(struct cupel_document *doc)
{
    struct cupel_list_page page;
    if (cupel_list_page_read(doc, &page, NULL) == CUPEL_OK)
        require(cupel_json_type(doc, page.tools) == CUPEL_JSON_ARRAY &&
                (page.next_cursor != NULL || page.next_cursor_len == 0) && page.ttl_ms >= -1);
}

static int no_sha256(void *ctx, const char *bytes, size_t len, unsigned char *ret)
{
    (void)ctx, (void)bytes, (void)len, (void)ret;
    return -1;
}

/* A catalog whose SHA-256 fails reads no lock of version 2. */
static void check_host_lock(const char *text, size_t len)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_lock *lock = NULL;
    cupel_catalog_options_init(&options);
    options.sha256 = no_sha256;
    options.sha256_ctx = NULL;
    if (cupel_catalog_new(&options, &catalog) != CUPEL_OK)
        return;
    require(cupel_catalog_lock_load(catalog, text, len, &lock, NULL) == CUPEL_E_UNSUPPORTED);
    cupel_catalog_free(catalog);
}

/* A lock file that is accepted is written as one that has no differences. */
static void check_lock(const char *text, size_t len, struct cupel_text *out)
{
    struct cupel_lock *lock = NULL, *again = NULL;
    if (cupel_lock_load(text, len, NULL, &lock, NULL) != CUPEL_OK)
        return;
    require(cupel_lock_version(lock) == 1 || cupel_lock_version(lock) == 2);
    cupel_text_clear(out);
    cupel_lock_save(lock, out);
    require(cupel_lock_load(out->bytes, out->len, NULL, &again, NULL) == CUPEL_OK);
    require(cupel_lock_version(again) == 2 && cupel_lock_diff(lock, again, NULL, NULL) == 0);
    check_host_lock(out->bytes, out->len);
    cupel_lock_free(lock);
    cupel_lock_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint64_t choice = choice_cut(data, &size);
    struct cupel_options options;
    struct cupel_tools_capability capability;
    struct cupel_text out;
    cupel_options_init(&options);
    ways_set(&options, choice >> 16);
    cupel_text_init(&out, NULL);
    char *text = ways_text(&options, (const char *)data, size);
    struct cupel_document *doc = read(&options, text, size);
    enum cupel_status status = cupel_capabilities_read(text, size, NULL, &capability, NULL);
    require(status != CUPEL_OK || capability.tools || !capability.list_changed);
    look_at_text(text, size, &out);
    check_lock(text, size, &out);
    if (doc != NULL) {
        look_at_all(doc, size, &out);
        check_page(doc);
        if ((options.flags & CUPEL_ALLOW_DUPLICATE_KEYS) == 0)
            check_canonical(doc, &out);
    }
    cupel_document_free(doc);
    cupel_text_free(&out);
    free(text);
    return 0;
}
