/* document.h: the struct behind the public struct cupel_document. */
#ifndef CUPEL_BASE_JSON_DOCUMENT_H
#define CUPEL_BASE_JSON_DOCUMENT_H

#include "base/json/tape.h"
#include "base/options.h"
#include <cupel/json.h>

struct cupel_document {
    struct cupel__doc doc;
    struct cupel__read_options read;
};

/* An empty document that reads within the bounds of the options. */
void cupel__document_init(struct cupel_document *, const struct cupel_options *);

#endif
