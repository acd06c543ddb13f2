/* document.h: the struct behind the public struct cupel_document. */
#ifndef CUPEL_BASE_JSON_DOCUMENT_H
#define CUPEL_BASE_JSON_DOCUMENT_H

#include "base/json/tape.h"
#include "base/options.h"
#include <cupel/json.h>

/* A document that is being built (builder.c). */
struct cupel__build {
    enum cupel_status status; /* the first that was not CUPEL_OK */
    uint32_t open;            /* the innermost open container, or UINT32_MAX */
    uint32_t depth;           /* of that */
    uint32_t where;   /* the value of the last call: its node, or the index of its next node */
    bool named;       /* a name was added, and its value was not */
    bool dead;        /* a member is on the tape that a later one replaces */
    size_t side_need; /* bytes of the side buffer that strings may take */
};

struct cupel_document {
    struct cupel__doc doc;
    struct cupel__read_options read;
    struct cupel__build build;
};

/* An empty document that reads within the bounds of the options. */
void cupel__document_init(struct cupel_document *, const struct cupel_options *);

#endif
