/* uri.h: URI references (RFC 3986): splitting, resolution, fragments.  IRIs pass through unchanged.
 */
#ifndef CUPEL_BASE_URI_H
#define CUPEL_BASE_URI_H

#include "base/memory.h"

struct cupel__uri {
    struct cupel__str scheme, authority, path, query, fragment;
    bool has_scheme, has_authority, has_query, has_fragment;
};

/* Splits a reference by the expression of RFC 3986 appendix B.  The parts are slices of `s`.
 * False if a character that no URI or IRI may hold occurs (controls, space, <>"{}|\^`) or a
 * percent sign is not followed by two hex digits. */
bool cupel__uri_split(struct cupel__str s, struct cupel__uri *ret);

/* Resolves `ref` against `base` (RFC 3986 section 5.2, strict), without the fragment of the result
 * (the caller has it from cupel__uri_split).  base may be relative or empty; then so may the
 * result. p is NULL when out of memory. */
struct cupel__str cupel__uri_resolve(struct cupel__arena *, struct cupel__str base,
                                     struct cupel__str ref);

/* The form under which two references that name the same resource are the same bytes (RFC 3986
 * 6.2.2): scheme and host in lower case, %xx in upper case and decoded where unreserved, dot
 * segments removed, a port that is the scheme's default dropped (http, https).  The fragment is
 * left out. */
struct cupel__str cupel__uri_normalise(struct cupel__arena *, struct cupel__str uri);

/* Percent-decodes (RFC 3986 2.1) into the arena. p is NULL when out of memory. */
struct cupel__str cupel__uri_decode(struct cupel__arena *, struct cupel__str s);

#endif
