/* edit.h: edits of an instance: the candidates for a problem, and their application.
 *
 * edit_find.c proposes, edit_apply.c applies, repair.c decides. */
#ifndef CUPEL_MESSAGES_EDIT_H
#define CUPEL_MESSAGES_EDIT_H

#include "messages/render.h"

enum edit_kind {
    EDIT_READ,    /* a string becomes the value whose text it holds (decode.h) */
    EDIT_WRAP,    /* a value becomes an array with it as the only item */
    EDIT_RENAME,  /* a key becomes the name of a table's entry */
    EDIT_DEFAULT, /* an object gets a member: an entry's name, a constant of the program */
    EDIT_REMOVE,  /* a member goes */
    EDIT_UNWRAP   /* the validated value becomes the value of one of its members */
};

struct edit {
    enum edit_kind kind;
    uint32_t node;         /* the value; RENAME, REMOVE: the key; DEFAULT: the object */
    uint32_t table, entry; /* RENAME, DEFAULT: the name */
    uint32_t value;        /* DEFAULT: the constant; READ: the required types; UNWRAP: the
                              value of the member */
};

/* Edits of one combination; candidates of one problem. */
enum { MAX_EDITS = 256, MAX_CANDIDATES = 4 };

/* The edits that may solve one problem, any one of them. */
struct candidates {
    struct edit edit[MAX_CANDIDATES];
    uint32_t n;
    bool tie; /* there are several readings of which none is an edit, or more than fit */
};

/* The candidates for the problem of an event. */
void cupel__find_edits(const struct render *, const struct cupel__event *, struct candidates *ret);

/* Whether two edits make the same change. */
bool cupel__same_edit(const struct render *, const struct edit *, const struct edit *);

/* The name that RENAME and DEFAULT give; its bytes are in `buf` or in the image. */
struct cupel__str cupel__edit_name(const struct render *, const struct edit *, char buf[16]);

/* Appends the value s->node of the document with the edits made and, unless `patch` is NULL, the
 * operations of a JSON Patch (RFC 6902) that make them, each preceded by a comma unless the text is
 * empty.  False if a location in the patch exceeds the limits. */
bool cupel__apply_edits(const struct render *, const struct edit *, uint32_t n,
                        struct cupel_text *value, struct cupel_text *patch);

#endif
