/* canonical.h: writing JSON so that equal values have equal texts. */
#ifndef CUPEL_MCP_CANONICAL_H
#define CUPEL_MCP_CANONICAL_H

#include <cupel/pin.h>
#include <stdbool.h>

/* What is written of a tool's definition. */
enum cupel__canonical_form {
    CUPEL__CANONICAL_PLAIN,    /* RFC 8785 */
    CUPEL__CANONICAL_SEMANTIC, /* lists of schemas whose order says nothing are sorted */
    CUPEL__CANONICAL_TEXT,     /* names and texts that a model reads */
    CUPEL__CANONICAL_OTHER     /* fields that have no form of their own */
};

/* Appends the form of a node: of a definition, or with CUPEL__CANONICAL_PLAIN of anything.  False
 * when out of memory. */
bool cupel__canonical_write(struct cupel_document *doc, uint32_t node,
                            enum cupel__canonical_form form, const struct cupel_alloc *alloc,
                            struct cupel_text *text);

/* The bit of an array's length; very long arrays share one. */
uint64_t cupel__length_bit(uint32_t length);
/* The bits of the lengths of all arrays in a value (set_order.c). */
uint64_t cupel__lengths_in(const struct cupel_document *doc, uint32_t node);
/* Whether a string of the document has the form of a pointer to an item of a set: a reference to an
 * item by its place gives the order a meaning.  Which strings are references is not looked at. */
bool cupel__has_set_pointer(struct cupel_document *doc);

/* The digests of a definition, and that of its whole as version 1 of lock files has it (pin.c).  A
 * status of cupel_tool_pin. */
enum cupel_status cupel__pin_tool(const struct cupel_catalog *catalog,
                                  const struct cupel_tool *tool, struct cupel_pin *ret,
                                  unsigned char ret_whole[CUPEL_DIGEST_BYTES]);
/* The digest of a pin's parts: its CUPEL_PIN_ALL.  False if this build has no SHA-256. */
bool cupel__pin_all(const struct cupel_pin *pin, unsigned char ret[CUPEL_DIGEST_BYTES]);

/* Appends JSON without the white space between its tokens. */
void cupel__add_compact(struct cupel_text *text, const char *bytes, size_t len);

/* SHA-256 (digest_nettle.c); false if this build has none (digest_none.c). */
bool cupel__sha256(const char *bytes, size_t len, unsigned char ret[CUPEL_DIGEST_BYTES]);

#endif
