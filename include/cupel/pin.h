/* pin.h: recognising that a tool is not the one that was approved.
 *
 *     struct cupel_lock *approved, *now;
 *     cupel_lock_load(text, len, NULL, &approved, &err);       // a lock file …
 *     cupel_lock_new(catalog, &now, &err);                    // … and what the server sends today
 *     if (cupel_lock_diff(approved, now, on_change, ctx) != 0) refuse();
 *
 * Each part of a definition has a digest: SHA-256 over its canonical JSON (RFC 8785), so white
 * space, the order of members and the way strings and numbers are written do not count.  The pin is
 * the digest of these.  A change is therefore always a change of a part, and can be named: a tool
 * that changes its description after it was approved is not one that changes its schema.
 *
 * RFC 8785 rounds numbers to binary64.  Validation compares exact decimals, so here a number keeps
 * its exact value, in the layout of RFC 8785: 1.0e1 is 10, but 1.00000000000000000001 is not 1 and
 * 1e400 is 1e+400.  A text that is canonical by RFC 8785 stays as it is; an input with numbers that
 * binary64 does not hold has another text here (333333333.33333329, which RFC 8785 prints as
 * 333333333.3333333).  A number other than 0 whose exponent has more than 15 digits, which
 * validation does not decide, is copied.  Only integer arithmetic is used: the result does not
 * depend on the floating-point mode of the thread. */
#ifndef CUPEL_PIN_H
#define CUPEL_PIN_H

#include <cupel/catalog.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Canonical JSON --------------------------------------------------------------------------- */

/* Appends the canonical form of a node: RFC 8785 with exact numbers, as above.  CUPEL_OK or
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_json_canonical_write(struct cupel_document *doc, uint32_t node,
                                             const struct cupel_alloc *alloc,
                                             struct cupel_text *text);

/* -- Pins ------------------------------------------------------------------------------------- */

/* What has a digest of its own. */
enum cupel_pin_part {
    CUPEL_PIN_ALL,      /* the pin: SHA-256 over "cupel pin 2" and five bytes 0, then for each part
                           from SEMANTIC on a byte, 1 if it is there, and its digest */
    CUPEL_PIN_SEMANTIC, /* the whole definition, where the order of `required`, `enum`, `type` and
                           of the lists in `dependentRequired` does not count.  That of an enum
                           counts beside an array of its length, or if an unknown keyword there or
                           around it holds one; that of all counts if a string points to an item by
                           its place */
    CUPEL_PIN_TEXT,     /* what a model reads: name, title, description, and the names, titles and
                           descriptions in the schemas */
    CUPEL_PIN_INPUT,    /* inputSchema */
    CUPEL_PIN_OUTPUT,   /* outputSchema */
    CUPEL_PIN_ANNOTATIONS, /* annotations */
    CUPEL_PIN_OTHER,       /* every other field: icons, execution, _meta, … */
    CUPEL_PIN_PARTS
};

enum { CUPEL_DIGEST_BYTES = 32 };

struct cupel_pin {
    uint32_t present; /* bit p is set if the definition has part p */
    unsigned char digests[CUPEL_PIN_PARTS][CUPEL_DIGEST_BYTES]; /* zero where it is not */
};

/* "all", "semantic", "text", "inputSchema", "outputSchema", "annotations", "other". Static. */
const char *cupel_pin_part_name(enum cupel_pin_part part);

/* The pin of a catalog's tool.  A definition in which an object has a member twice has no canonical
 * form; its text without white space then stands for CUPEL_PIN_OTHER and CUPEL_PIN_SEMANTIC.
 * CUPEL_OK; CUPEL_E_UNSUPPORTED if neither this build nor the catalog's options have SHA-256, or
 * that of the options failed; CUPEL_E_NO_MEMORY.  Any thread. */
enum cupel_status cupel_tool_pin(const struct cupel_catalog *catalog, const struct cupel_tool *tool,
                                 struct cupel_pin *ret);

/* -- Locks ------------------------------------------------------------------------------------ */

/* The names and pins of a catalog's tools, in order; immutable once made. */
struct cupel_lock;

/* The most bytes that a lock file has. */
#define CUPEL_LOCK_BYTES ((size_t)128 << 20)

/* Makes a lock of a catalog, of the definitions that it refuses too.  CUPEL_OK; CUPEL_E_JSON_SIZE
 * if the lock file could be longer than CUPEL_LOCK_BYTES; a status of cupel_tool_pin.  The caller
 * frees it. */
enum cupel_status cupel_lock_new(const struct cupel_catalog *catalog, struct cupel_lock **ret,
                                 struct cupel_error *err);

/* Makes a lock of the text of a lock file; NULL is the C library's allocator.  The text must be as
 * cupel_lock_save made it, white space between tokens apart.  Version 1, which had no digest of
 * the file, is read as well, without unknown members.  CUPEL_OK; CUPEL_E_ARGUMENT if it is no lock
 * file, was damaged, or has a version that is not known here; CUPEL_E_UNSUPPORTED if this build has
 * no SHA-256; a status of the group "Reading JSON"; CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_lock_load(const char *text, size_t len, const struct cupel_alloc *alloc,
                                  struct cupel_lock **ret, struct cupel_error *err);

/* The same with the allocator and the SHA-256 of a catalog's options, which the lock uses until it
 * is freed; the catalog itself need not live that long.  CUPEL_E_UNSUPPORTED also if that function
 * fails. */
enum cupel_status cupel_catalog_lock_load(const struct cupel_catalog *catalog, const char *text,
                                          size_t len, struct cupel_lock **ret,
                                          struct cupel_error *err);

/* 2 for what this version writes, 1 for an old file, which is to be made again. */
int cupel_lock_version(const struct cupel_lock *lock);

/* Frees it. NULL does nothing. */
void cupel_lock_free(struct cupel_lock *lock);

/* Appends the text of a lock file: JSON, a line for each tool.  The same lock gives the same bytes.
 * Sets text->failed if the SHA-256 of the options fails. */
void cupel_lock_save(const struct cupel_lock *lock, struct cupel_text *text);

enum cupel_change_kind {
    CUPEL_TOOL_ADDED,
    CUPEL_TOOL_REMOVED,
    CUPEL_TOOL_CHANGED,
    CUPEL_TOOLS_REORDERED /* the tools that both lists have stand in another order, from this one on
                           */
};

/* One tool that differs. */
struct cupel_change {
    enum cupel_change_kind kind;
    const char *name; /* not terminated; lives as long as both locks */
    size_t name_len;
    uint32_t parts; /* with CHANGED: bit p is set if part p, from TEXT on, differs */
    int order_only; /* with CHANGED: nothing but the order of lists whose order says nothing */
};

/* "added", "removed", "changed", "reordered". Static. */
const char *cupel_change_kind_name(enum cupel_change_kind kind);

/* Called for each change; non-zero ends the calls. */
typedef int cupel_on_change(void *ctx, const struct cupel_change *change);

/* Compares two locks: calls `on_change` (may be NULL) for the tools that were removed or changed,
 * in the order in which their names appear in `before`, then likewise for those added to `after`,
 * then once if the order of the others is different.  Tools of one name are compared one by one.
 * Returns the number of changes; 0 is all that may be taken for sameness. */
uint32_t cupel_lock_diff(const struct cupel_lock *before, const struct cupel_lock *after,
                         cupel_on_change *on_change, void *ctx);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
