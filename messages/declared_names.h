/* declared_names.h: the member names that an object's schema declares. */
#ifndef CUPEL_MESSAGES_DECLARED_NAMES_H
#define CUPEL_MESSAGES_DECLARED_NAMES_H

#include "messages/render.h"

enum { CUPEL__MAX_NAMES = 128 };

/* Names in `properties`, in the author's order, then those that only `required` has; the required
 * ones first after cupel__drop_forbidden_names. */
struct cupel__declared_names {
    struct {
        uint32_t table, entry; /* the offset of a name table in the image, an entry of it */
        bool required;
    } name[CUPEL__MAX_NAMES];
    uint32_t n;
    uint32_t more; /* names that did not fit */
};

/* The names that a subschema declares; that the schema around the instruction at `pc` declares;
 * that the parent of that schema declares (of which `additionalProperties`, say, is a keyword). */
void cupel__declared_names_sub(const struct render *, uint32_t sub,
                               struct cupel__declared_names *ret);
void cupel__declared_names_siblings(const struct render *, uint32_t pc,
                                    struct cupel__declared_names *ret);
void cupel__declared_names_parent(const struct render *, uint32_t pc,
                                  struct cupel__declared_names *ret);

/* Name i; its bytes are in `buf` or in the image. */
struct cupel__str cupel__declared_name(const struct render *, const struct cupel__declared_names *,
                                       uint32_t i, char buf[16]);
bool cupel__is_declared_name(const struct render *, const struct cupel__declared_names *,
                             struct cupel__str);
/* Drops the names whose schema refuses every value, and moves the required ones to the front. */
void cupel__drop_forbidden_names(const struct render *, struct cupel__declared_names *);
/* Appends "a, b (required), c … and 9 more"; required names at the front are never left out. */
void cupel__add_declared_names(const struct render *, const struct cupel__declared_names *,
                               bool required, struct cupel_text *);

#endif
