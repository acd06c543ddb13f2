/* pin.c: the digests of one definition.  Locks, which hold those of a catalog, are in lock.c. */
#include "canonical.h"
#include "mcp_internal.h"

const char *cupel_pin_part_name(enum cupel_pin_part part)
{
    static const char *const names[] = {"all",          "semantic",    "text", "inputSchema",
                                        "outputSchema", "annotations", "other"};
    return names[part];
}

/* What a part is digested from: a form of the definition, or a member of it in plain form. */
static const struct {
    const char *member;
    enum cupel__canonical_form form;
} sources[CUPEL_PIN_PARTS] = {
    [CUPEL_PIN_ALL] = {NULL, CUPEL__CANONICAL_PLAIN},
    [CUPEL_PIN_SEMANTIC] = {NULL, CUPEL__CANONICAL_SEMANTIC},
    [CUPEL_PIN_TEXT] = {NULL, CUPEL__CANONICAL_TEXT},
    [CUPEL_PIN_INPUT] = {"inputSchema", CUPEL__CANONICAL_PLAIN},
    [CUPEL_PIN_OUTPUT] = {"outputSchema", CUPEL__CANONICAL_PLAIN},
    [CUPEL_PIN_ANNOTATIONS] = {"annotations", CUPEL__CANONICAL_PLAIN},
    [CUPEL_PIN_OTHER] = {NULL, CUPEL__CANONICAL_OTHER},
};

/* Digests a part into `pin`, if the definition has it. */
static enum cupel_status pin_part(struct cupel_document *doc, enum cupel_pin_part part,
                                  const struct cupel_alloc *alloc, struct cupel_text *text,
                                  struct cupel_pin *pin)
{
    const char *member = sources[part].member;
    uint32_t node = member != NULL ? cupel_json_member(doc, 0, member, strlen(member)) : 0;
    if (node == CUPEL_NO_NODE)
        return CUPEL_OK;
    cupel_text_clear(text);
    if (!cupel__canonical_write(doc, node, sources[part].form, alloc, text))
        return CUPEL_E_NO_MEMORY;
    if (part == CUPEL_PIN_OTHER && text->len == 2)
        return CUPEL_OK; /* {}: there are no other fields */
    pin->present |= 1u << part;
    return cupel__sha256(text->bytes, text->len, pin->digests[part]) ? CUPEL_OK
                                                                     : CUPEL_E_UNSUPPORTED;
}

enum cupel_status cupel_tool_pin(const struct cupel_catalog *catalog, const struct cupel_tool *tool,
                                 struct cupel_pin *ret)
{
    struct cupel_pin pin = {0};
    struct cupel_document *doc = NULL;
    struct cupel_text text;
    const struct cupel_alloc *alloc = &catalog->pool.alloc;
    cupel_text_init(&text, alloc);
    enum cupel_status status = cupel__mcp_make_document(catalog, 0, &doc);
    if (status == CUPEL_OK)
        status = cupel_document_read(doc, tool->text, tool->text_len, NULL);
    for (int i = 0; i < CUPEL_PIN_PARTS && status == CUPEL_OK; i++)
        status = pin_part(doc, (enum cupel_pin_part)i, alloc, &text, &pin);
    if (status == CUPEL_OK)
        *ret = pin;
    cupel_document_free(doc);
    cupel_text_free(&text);
    return status;
}
