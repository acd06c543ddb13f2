/* canonical.h: canonical JSON, digests of definitions (canonical.c, set_order.c, pin.c). */
#ifndef CUPEL_MCP_CANONICAL_H
#define CUPEL_MCP_CANONICAL_H

#include <cupel/pin.h>
#include <stdbool.h>

/* The forms of a tool's definition. */
enum cupel__canonical_form {
    CUPEL__CANONICAL_PLAIN,    /* RFC 8785 */
    CUPEL__CANONICAL_SEMANTIC, /* lists of schemas whose order has no meaning are sorted */
    CUPEL__CANONICAL_TEXT,     /* names and texts that a model reads */
    CUPEL__CANONICAL_OTHER     /* fields that have no form of their own */
};

/* Appends a form of a definition; CUPEL__CANONICAL_PLAIN works for any node.  False when out of
 * memory. */
bool cupel__canonical_write(struct cupel_document *doc, uint32_t node,
                            enum cupel__canonical_form form, const struct cupel_alloc *alloc,
                            struct cupel_text *text);

/* Returns the bit for the length of an array; very long arrays share one. */
uint64_t cupel__length_bit(uint32_t length);
/* Returns the bits of the lengths of all arrays in a value (set_order.c). */
uint64_t cupel__lengths_in(const struct cupel_document *doc, uint32_t node);
/* Whether any string of the document has the form of a pointer to an item of a set.  A reference to
 * an item by its place gives the order a meaning; whether the string is a reference is not checked.
 */
bool cupel__has_set_pointer(struct cupel_document *doc);

/* The SHA-256 of the options of a catalog, or NULL for the library's own. */
struct cupel__hasher {
    cupel_sha256 *function;
    void *ctx;
};

/* Computes SHA-256; false if there is none, or that of the options failed (pin.c). */
bool cupel__digest(const struct cupel__hasher *hasher, const char *bytes, size_t len,
                   unsigned char ret[CUPEL_DIGEST_BYTES]);

/* The SHA-256 function that the catalog's options give; NULL in it stands for the library's own. */
struct cupel__hasher cupel__catalog_hasher(const struct cupel_catalog *catalog);

/* Computes the digests of a definition, and the digest of the whole definition that version 1 of
 * lock files has (pin.c).  Returns a status of cupel_tool_pin. */
enum cupel_status cupel__pin_tool(const struct cupel_catalog *catalog,
                                  const struct cupel_tool *tool, struct cupel_pin *ret,
                                  unsigned char ret_whole[CUPEL_DIGEST_BYTES]);
/* Computes CUPEL_PIN_ALL: the digest of the digests of all parts.  False as cupel__digest. */
bool cupel__pin_all(const struct cupel__hasher *hasher, const struct cupel_pin *pin,
                    unsigned char ret[CUPEL_DIGEST_BYTES]);

/* Appends JSON without the white space between its tokens. */
void cupel__add_compact(struct cupel_text *text, const char *bytes, size_t len);

/* SHA-256 (digest_nettle.c); false if this build has none (digest_none.c). */
bool cupel__sha256(const char *bytes, size_t len, unsigned char ret[CUPEL_DIGEST_BYTES]);

#endif
