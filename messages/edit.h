/* edit.h: edits of an instance: the candidates for a problem, and their application.
 *
 * edit_find.c proposes, edit_apply.c applies, repair.c decides. */
#ifndef CUPEL_MESSAGES_EDIT_H
#define CUPEL_MESSAGES_EDIT_H

#include "messages/render.h"

enum edit_kind {
    EDIT_PARSE,  /* a string becomes the value whose JSON text it holds */
    EDIT_WRAP,   /* a value becomes an array with it as the only item */
    EDIT_RENAME, /* a key becomes the name of a table's entry */
    EDIT_DEFAULT /* an object gets a member: an entry's name, a constant of the program */
};

struct edit {
    enum edit_kind kind;
    uint32_t node;         /* the value, the key, the object */
    uint32_t table, entry; /* RENAME, DEFAULT: the name */
    uint32_t value;        /* DEFAULT: the constant */
};

/* Edits of one combination; candidates of one problem. */
enum { MAX_EDITS = 64, MAX_CANDIDATES = 4 };

/* The edits that may solve one problem, any one of them. */
struct candidates {
    struct edit edit[MAX_CANDIDATES];
    uint32_t n;
    bool more; /* there are others */
};

/* The candidates for the problem of an event. */
void cupel__find_edits(const struct render *, const struct cupel__event *, struct candidates *ret);

bool cupel__same_edit(const struct edit *, const struct edit *);

/* The name that RENAME and DEFAULT give; its bytes are in `buf` or in the image. */
struct cupel__str cupel__edit_name(const struct render *, const struct edit *, char buf[16]);

/* Appends the value s->node of the document with the edits made and, unless `patch` is NULL, the
 * operations of a JSON Patch (RFC 6902) that make them, each preceded by a comma unless the text is
 * empty.  False if a location in the patch exceeds the limits. */
bool cupel__apply_edits(const struct render *, const struct edit *, uint32_t n,
                        struct cupel_text *value, struct cupel_text *patch);

#endif
