/* edit.h: changes to an instance, found and applied. */
#ifndef CUPEL_MESSAGES_EDIT_H
#define CUPEL_MESSAGES_EDIT_H

#include "messages/render.h"

enum edit_kind {
    EDIT_PARSE,  /* the string becomes the value that its text is */
    EDIT_WRAP,   /* the value becomes an array with it */
    EDIT_RENAME, /* the member of a key gets the name of a table's entry */
    EDIT_DEFAULT /* the object gets a member: an entry's name, a constant of the program */
};

struct edit {
    enum edit_kind kind;
    uint32_t node;         /* the value, the key, the object */
    uint32_t table, entry; /* RENAME, DEFAULT: the name */
    uint32_t value;        /* DEFAULT */
};

enum { MAX_EDITS = 64, MAX_CANDIDATES = 4 };

/* The edits that may mend one problem. */
struct ways {
    struct edit way[MAX_CANDIDATES];
    uint32_t n;
    bool more; /* there are others */
};

/* What may mend the event; at most MAX_CANDIDATES. */
void cupel__find_edits(const struct render *, const struct cupel__event *, struct ways *ret);
bool cupel__same_edit(const struct edit *, const struct edit *);
/* Appends the value s->node of the document with the edits made, in the order of the document, and,
 * unless `patch` is NULL, the operations of a JSON Patch that make them, each after a comma if the
 * text is not empty. False if a place in the patch would be longer than the limits allow. */
bool cupel__apply_edits(const struct render *, const struct edit *, uint32_t n,
                        struct cupel_text *value, struct cupel_text *patch);

#endif
