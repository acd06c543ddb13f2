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

/* SHA-256 (digest_nettle.c); false if this build has none (digest_none.c). */
bool cupel__sha256(const char *bytes, size_t len, unsigned char ret[CUPEL_DIGEST_BYTES]);

#endif
