/* pin.c: the digests of one definition.  lock.c keeps those of a catalog.
 *
 * Each part of a pin is the digest of one form of the definition, or of one of its members, so that
 * a comparison can say which part changed.  CUPEL_PIN_ALL is the digest of all others.
 *
 *     all             the digests of all other parts
 *     semantic        the whole definition, with sets in schemas sorted
 *     text            names, titles and descriptions, which a model reads
 *     inputSchema     the member in plain canonical form; likewise outputSchema and annotations
 *     other           fields that no other part covers */
#include "mcp/catalog/catalog.h"
#include "mcp/identity/canonical.h"

#include <string.h>

const char *cupel_pin_part_name(enum cupel_pin_part part)
{
    static const char *const names[] = {"all",          "semantic",    "text", "inputSchema",
                                        "outputSchema", "annotations", "other"};
    return (size_t)part < sizeof(names) / sizeof(names[0]) ? names[part] : "?";
}

/* The source of each part: a form of the definition, or a member in plain form. */
static const struct {
    const char *member;
    enum cupel__canonical_form form;
} sources[CUPEL_PIN_PARTS] = {
    [CUPEL_PIN_SEMANTIC] = {NULL, CUPEL__CANONICAL_SEMANTIC},
    [CUPEL_PIN_TEXT] = {NULL, CUPEL__CANONICAL_TEXT},
    [CUPEL_PIN_INPUT] = {"inputSchema", CUPEL__CANONICAL_PLAIN},
    [CUPEL_PIN_OUTPUT] = {"outputSchema", CUPEL__CANONICAL_PLAIN},
    [CUPEL_PIN_ANNOTATIONS] = {"annotations", CUPEL__CANONICAL_PLAIN},
    [CUPEL_PIN_OTHER] = {NULL, CUPEL__CANONICAL_OTHER},
};

bool cupel__digest(const struct cupel__hasher *hasher, const char *bytes, size_t len,
                   unsigned char ret[CUPEL_DIGEST_BYTES])
{
    if (hasher->function != NULL)
        return hasher->function(hasher->ctx, bytes, len, ret) == 0;
    return cupel__sha256(bytes, len, ret);
}

struct cupel__hasher cupel__catalog_hasher(const struct cupel_catalog *catalog)
{
    return (struct cupel__hasher){catalog->options.sha256, catalog->options.sha256_ctx};
}

/* What computing the digests of one definition needs. */
struct pinning {
    struct cupel__hasher hasher;
    const struct cupel_alloc *alloc;
    struct cupel_document *doc;
    struct cupel_text text; /* the form that is digested */
};

static enum cupel_status digest(const struct pinning *p, unsigned char ret[CUPEL_DIGEST_BYTES])
{
    if (p->text.failed)
        return CUPEL_E_NO_MEMORY;
    return cupel__digest(&p->hasher, p->text.bytes, p->text.len, ret) ? CUPEL_OK
                                                                      : CUPEL_E_UNSUPPORTED;
}

/* Digests a part into `pin`, if the definition has it. */
static enum cupel_status pin_part(struct pinning *p, enum cupel_pin_part part,
                                  struct cupel_pin *pin)
{
    const char *member = sources[part].member;
    uint32_t node = member != NULL ? cupel_json_member(p->doc, 0, member, strlen(member)) : 0;
    if (node == CUPEL_NO_NODE)
        return CUPEL_OK;
    cupel_text_clear(&p->text);
    if (!cupel__canonical_write(p->doc, node, sources[part].form, p->alloc, &p->text))
        return CUPEL_E_NO_MEMORY;
    if (part == CUPEL_PIN_OTHER && p->text.len == 2)
        return CUPEL_OK; /* {}: there are no other fields */
    pin->present |= 1u << part;
    return digest(p, pin->digests[part]);
}

static enum cupel_status pin_parts(struct pinning *p, struct cupel_pin *pin)
{
    enum cupel_status status = CUPEL_OK;
    for (int i = CUPEL_PIN_SEMANTIC; i < CUPEL_PIN_PARTS && status == CUPEL_OK; i++)
        status = pin_part(p, (enum cupel_pin_part)i, pin);
    return status;
}

/* -- Texts ------------------------------------------------------------------------------------- */

/* White space in strings stays: quotes and escapes are followed. */
void cupel__add_compact(struct cupel_text *text, const char *bytes, size_t len)
{
    bool in_string = false;
    for (size_t i = 0; i < len; i++) {
        bool is_space = strchr(" \t\r\n", bytes[i]) != NULL && bytes[i] != '\0';
        if (in_string || !is_space)
            cupel_text_add(text, bytes + i, 1);
        if (in_string && bytes[i] == '\\' && i + 1 < len)
            cupel_text_add(text, bytes + ++i, 1);
        else if (bytes[i] == '"')
            in_string = !in_string;
    }
}

/* Digests a definition with duplicate keys.  It has no canonical form, since readers differ in
 * which of two members they use.  The part for other fields is its text without white space, so
 * that every change changes a part; the other parts use the last member of each name. */
static enum cupel_status pin_text(struct pinning *p, const struct cupel_tool *tool,
                                  struct cupel_pin *pin)
{
    cupel_text_clear(&p->text);
    cupel__add_compact(&p->text, tool->text, tool->text_len);
    pin->present |= 1u << CUPEL_PIN_OTHER | 1u << CUPEL_PIN_SEMANTIC;
    enum cupel_status status = digest(p, pin->digests[CUPEL_PIN_OTHER]);
    memcpy(pin->digests[CUPEL_PIN_SEMANTIC], pin->digests[CUPEL_PIN_OTHER], CUPEL_DIGEST_BYTES);
    return status;
}

/* -- One definition ---------------------------------------------------------------------------- */

/* Digests a mark of the version, and for each part a byte that says whether it is present and its
 * digest. */
bool cupel__pin_all(const struct cupel__hasher *hasher, const struct cupel_pin *pin,
                    unsigned char ret[CUPEL_DIGEST_BYTES])
{
    static const char mark[16] = "cupel pin 2";
    char bytes[sizeof(mark) + (CUPEL_PIN_PARTS - CUPEL_PIN_SEMANTIC) * (1 + CUPEL_DIGEST_BYTES)];
    char *p = bytes;
    memcpy(p, mark, sizeof(mark));
    p += sizeof(mark);
    for (int i = CUPEL_PIN_SEMANTIC; i < CUPEL_PIN_PARTS; i++) {
        *p++ = (char)(pin->present >> i & 1);
        memcpy(p, pin->digests[i], CUPEL_DIGEST_BYTES);
        p += CUPEL_DIGEST_BYTES;
    }
    return cupel__digest(hasher, bytes, sizeof(bytes), ret);
}

/* Reads the definition.  *ret_twice is set if an object has a duplicate key; the last member of
 * each name is used then. */
static enum cupel_status read_definition(const struct cupel_catalog *catalog,
                                         const struct cupel_tool *tool, struct cupel_document **doc,
                                         bool *ret_twice)
{
    enum cupel_status status = cupel__mcp_make_document(catalog, 0, doc);
    if (status == CUPEL_OK)
        status = cupel_document_read(*doc, tool->text, tool->text_len, NULL);
    *ret_twice = status == CUPEL_E_DUPLICATE_KEY;
    if (!*ret_twice)
        return status;
    cupel_document_free(*doc);
    *doc = NULL;
    status = cupel__mcp_make_document(catalog, CUPEL_ALLOW_DUPLICATE_KEYS, doc);
    return status == CUPEL_OK ? cupel_document_read(*doc, tool->text, tool->text_len, NULL)
                              : status;
}

/* Computes the digest that version 1 of lock files has: SHA-256 of the canonical JSON
 * (CUPEL__CANONICAL_PLAIN), or of the text as it is if an object has duplicate keys.
 */
static enum cupel_status pin_whole(struct pinning *p, const struct cupel_tool *tool, bool twice,
                                   unsigned char ret[CUPEL_DIGEST_BYTES])
{
    cupel_text_clear(&p->text);
    if (twice)
        cupel_text_add(&p->text, tool->text, tool->text_len);
    else if (!cupel__canonical_write(p->doc, 0, CUPEL__CANONICAL_PLAIN, p->alloc, &p->text))
        return CUPEL_E_NO_MEMORY;
    return digest(p, ret);
}

/* Reads the definition once and digests every part of it. */
enum cupel_status cupel__pin_tool(const struct cupel_catalog *catalog,
                                  const struct cupel_tool *tool, struct cupel_pin *ret,
                                  unsigned char ret_whole[CUPEL_DIGEST_BYTES])
{
    struct cupel_pin pin = {.present = 1u << CUPEL_PIN_ALL};
    struct pinning p = {.hasher = cupel__catalog_hasher(catalog), .alloc = &catalog->pool.alloc};
    bool twice = false;
    cupel_text_init(&p.text, p.alloc);
    enum cupel_status status = read_definition(catalog, tool, &p.doc, &twice);
    if (status == CUPEL_OK)
        status = pin_parts(&p, &pin);
    if (status == CUPEL_OK && twice)
        status = pin_text(&p, tool, &pin);
    if (status == CUPEL_OK)
        status = pin_whole(&p, tool, twice, ret_whole);
    if (status == CUPEL_OK && !cupel__pin_all(&p.hasher, &pin, pin.digests[CUPEL_PIN_ALL]))
        status = CUPEL_E_UNSUPPORTED;
    if (status == CUPEL_OK)
        *ret = pin;
    cupel_document_free(p.doc);
    cupel_text_free(&p.text);
    return status;
}

enum cupel_status cupel_tool_pin(const struct cupel_catalog *catalog, const struct cupel_tool *tool,
                                 struct cupel_pin *ret)
{
    if (catalog == NULL || tool == NULL || ret == NULL)
        return CUPEL_E_ARGUMENT;
    unsigned char whole[CUPEL_DIGEST_BYTES];
    return cupel__pin_tool(catalog, tool, ret, whole);
}
