/* reference.h: an evaluator of JSON Schema that is slow and plain, for holding the compiler and the
 * VM to it.
 *
 * It walks the schema document itself, keyword by keyword, as the specifications put it: no
 * intermediate form, no shortcut, nothing shared with the library but its JSON reader.  Drafts 4,
 * 6, 7, 2019-09, 2020-12 and v1; `format` and the content keywords are annotations, unless they are
 * to assert, of which it knows a few. */
#ifndef CUPEL_TESTS_REFERENCE_H
#define CUPEL_TESTS_REFERENCE_H

#include <cupel/cupel.h>

enum reference_verdict {
    REFERENCE_VALID,
    REFERENCE_INVALID,
    REFERENCE_UNKNOWN, /* a limit */
    REFERENCE_BROKEN   /* the schema: a reference does not resolve, a pattern is none */
};

struct reference;

/* Makes an evaluator for the schema at `node`, which must stay as it is.  `dialect` is that of
 * documents without `$schema`; the resolver gives documents by their URIs, meta-schemas included,
 * and may be NULL.  NULL if a dialect is not known.  The caller frees it. */
struct reference *reference_new(struct cupel_document *doc, uint32_t node,
                                enum cupel_dialect dialect, cupel_resolver *resolver, void *ctx);

void reference_free(struct reference *);

/* From now on `format`, and the content keywords of draft 7, assert. */
void reference_assert(struct reference *);

/* Judges the value at `node`.  *ret_why says why there is no verdict. */
enum reference_verdict reference_judge(struct reference *, struct cupel_document *doc,
                                       uint32_t node, const char **ret_why);

#endif
