/* document.h: what is behind the public struct cupel_document. */
#ifndef CUPEL_BASE_JSON_DOCUMENT_H
#define CUPEL_BASE_JSON_DOCUMENT_H

#include "base/json/tape.h"
#include <cupel/json.h>

struct cupel_document {
    struct cupel__doc doc;
    struct cupel__read_options read;
};

/* The options that were given, or the defaults, in a struct that may be kept. An older, shorter
 * struct is completed with defaults. */
/* The steps that patterns may take: of the program, or of what the budget leaves; and taking from
 * the budget what is missing of them. */
int64_t cupel__pattern_steps(const struct cupel_options *);
void cupel__pattern_steps_charge(const struct cupel_options *, int64_t before, int64_t after);

void cupel__options_copy(const struct cupel_options *given, struct cupel_options *ret);

/* The key of hashes that the options have, or a random one. */
void cupel__options_key(const struct cupel_options *, uint64_t ret_key[2]);

void cupel__document_init(struct cupel_document *, const struct cupel_options *);

#endif
