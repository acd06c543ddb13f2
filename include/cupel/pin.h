/* pin.h: digests of tools, to recognise a definition that changed after it was approved.
 *
 *     struct cupel_lock *approved, *now;
 *     cupel_lock_load(text, len, NULL, &approved, &err);       // a lock file …
 *     cupel_lock_new(catalog, &now, &err);                    // … and what the server sends today
 *     if (cupel_lock_diff(approved, now, on_change, ctx) != 0) refuse();
 *
 * Each part of a definition has a digest: SHA-256 over its canonical JSON (RFC 8785), so white
 * space, the order of members and the spelling of strings and numbers do not count.  The pin is the
 * digest of these.  A change is therefore always a change of a named part: a changed description is
 * distinguished from a changed schema.
 *
 * RFC 8785 rounds numbers to binary64.  Validation compares exact decimals, so here a number keeps
 * its exact value, in the layout of RFC 8785: 1.0e1 is 10, but 1.00000000000000000001 is not 1 and
 * 1e400 is 1e+400.  A text that is canonical by RFC 8785 stays as it is; an input with numbers that
 * binary64 does not hold has another text here (333333333.33333329, which RFC 8785 prints as
 * 333333333.3333333).  A number other than 0 whose exponent has more than 15 digits, which
 * validation does not decide, is copied.  Only integer arithmetic is used: the result does not
 * depend on the floating-point mode of the thread.
 *
 * Threads: any thread may call these functions; a document and a text belong to one thread at a
 * time; threads share catalogs and locks. */
#ifndef CUPEL_PIN_H
#define CUPEL_PIN_H

#include <cupel/catalog.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Canonical JSON --------------------------------------------------------------------------- */

/* Appends the canonical form of a node: RFC 8785 with exact numbers, as above.  `alloc` is for
 * temporary memory.  CUPEL_OK, CUPEL_E_ARGUMENT or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_json_canonical_write(struct cupel_document *doc, uint32_t node,
                                             const struct cupel_alloc *alloc,
                                             struct cupel_text *text);

/* -- Pins ------------------------------------------------------------------------------------- */

/* The parts of a definition that have digests. */
enum cupel_pin_part {
    CUPEL_PIN_ALL,      /* the pin: SHA-256 over "cupel pin 2" and five bytes 0, then for each part
                           from SEMANTIC on a byte, 1 if it is there, and its digest */
    CUPEL_PIN_SEMANTIC, /* the whole definition, where the order of `required`, `enum`, `type` and
                           of the lists in `dependentRequired` does not count.  That of an enum
                           counts beside an array of its length, or if an unknown keyword there or
                           around it holds one; that of all counts if a string points to an item by
                           its place */
    CUPEL_PIN_TEXT,     /* the text for models: name, title, description, and the names, titles and
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

/* "all", "semantic", "text", "inputSchema", "outputSchema", "annotations", "other"; "?"
 * for another number.  Never NULL; static. */
const char *cupel_pin_part_name(enum cupel_pin_part part);

/* The pin of a catalog's tool.  A definition in which an object has a member twice has no canonical
 * form; its text without white space then stands for CUPEL_PIN_OTHER and CUPEL_PIN_SEMANTIC.
 * CUPEL_OK; CUPEL_E_UNSUPPORTED if neither this build nor the catalog's options have SHA-256, or
 * that of the options failed; CUPEL_E_NO_MEMORY; CUPEL_E_ARGUMENT. */
enum cupel_status cupel_tool_pin(const struct cupel_catalog *catalog, const struct cupel_tool *tool,
                                 struct cupel_pin *ret);

/* -- Locks ------------------------------------------------------------------------------------ */

/* The names and pins of a catalog's tools, in order; immutable once made. */
struct cupel_lock;

/* The most bytes that a lock file has. */
#define CUPEL_LOCK_BYTES ((size_t)128 << 20)

/* Makes a lock of all definitions of a catalog, also of those that it refuses.  The caller frees
 * it. CUPEL_OK; CUPEL_E_JSON_SIZE if the lock file could be longer than CUPEL_LOCK_BYTES; a status
 * of cupel_tool_pin. */
enum cupel_status cupel_lock_new(const struct cupel_catalog *catalog, struct cupel_lock **ret,
                                 struct cupel_error *err);

/* Makes a lock of the text of a lock file, `len` bytes, which may go away.  The caller frees the
 * lock.  The text must be that of cupel_lock_save, apart from white space between tokens.  Version
 * 1, which had no digest of the file, is read too, without unknown members.  CUPEL_OK;
 * CUPEL_E_ARGUMENT if it is no lock file, is damaged, or has an unknown version;
 * CUPEL_E_UNSUPPORTED if this build has no SHA-256; a status of the group "Reading JSON";
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_lock_load(const char *text, size_t len, const struct cupel_alloc *alloc,
                                  struct cupel_lock **ret, struct cupel_error *err);

/* Makes a lock as cupel_lock_load does, with the allocator and the SHA-256 of a catalog's options,
 * which the lock uses until it is freed; the catalog may be freed before.  The statuses of
 * cupel_lock_load; CUPEL_E_UNSUPPORTED also if that function fails.  The caller frees the lock. */
enum cupel_status cupel_catalog_lock_load(const struct cupel_catalog *catalog, const char *text,
                                          size_t len, struct cupel_lock **ret,
                                          struct cupel_error *err);

/* The version of the lock's file: 2 for those that this library writes, 1 for old ones, which
 * should be made again; 0 for NULL. */
int cupel_lock_version(const struct cupel_lock *lock);

/* Frees a lock. */
void cupel_lock_free(struct cupel_lock *lock);

/* Appends the text of a lock file: JSON, a line for each tool.  The same lock gives the same
 * bytes.  Sets text->failed if the SHA-256 of the options fails. */
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
    int order_only; /* with CHANGED: only the order of lists whose order has no meaning */
};

/* "added", "removed", "changed", "reordered"; "?" for another number.  Never NULL; static. */
const char *cupel_change_kind_name(enum cupel_change_kind kind);

/* Called for each change, which is valid until it returns; a non-zero return stops the calls. */
typedef int cupel_on_change(void *ctx, const struct cupel_change *change);

/* Compares two locks.  Calls `on_change` for the tools that were removed or changed, in the order
 * in which their names appear in `before`, then likewise for those added to `after`, then once if
 * the order of the others is different.  Tools of one name are compared one by one.  Returns the
 * number of changes, or UINT32_MAX if a lock is NULL; only 0 means equal. */
uint32_t cupel_lock_diff(const struct cupel_lock *before, const struct cupel_lock *after,
                         cupel_on_change *on_change, void *ctx);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
