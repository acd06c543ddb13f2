/* uri.h: URI references (RFC 3986): splitting, resolution, normalisation.  The characters of an IRI
 * beyond ASCII (RFC 3987) pass through unchanged. */
#ifndef CUPEL_BASE_URI_H
#define CUPEL_BASE_URI_H

#include "base/memory.h"

struct cupel__uri {
    struct cupel__str scheme, authority, path, query, fragment;
    bool has_scheme, has_authority, has_query, has_fragment;
};

/* Splits a reference by the expression of RFC 3986 appendix B.  The parts are slices of `s`.
 * False if `s` has a character that no URI or IRI may hold (controls, space, <>"{}|\^`), or a
 * percent sign that is not followed by two hexadecimal digits. */
bool cupel__uri_split(struct cupel__str s, struct cupel__uri *ret);

/* Resolves `ref` against `base` (RFC 3986 section 5.2, strict), without the fragment of the result,
 * which cupel__uri_split gives.  `base` may be relative or empty; then the result may be too.  p is
 * NULL when out of memory. */
struct cupel__str cupel__uri_resolve(struct cupel__arena *, struct cupel__str base,
                                     struct cupel__str ref);

/* Normalises a URI so that two references to the same resource are equal bytes (RFC 3986 6.2.2):
 * scheme and host in lower case, percent-encodings in upper case and decoded where the character is
 * unreserved, dot segments removed, the default port of http and https dropped.  Without the
 * fragment.  p is NULL when out of memory. */
struct cupel__str cupel__uri_normalise(struct cupel__arena *, struct cupel__str uri);

/* Percent-decodes (RFC 3986 2.1) into the arena.  p is NULL when out of memory. */
struct cupel__str cupel__uri_decode(struct cupel__arena *, struct cupel__str s);

#endif
