/* pair.h: the input of the targets that take a schema and an instance, with a zero byte between them. */
#ifndef CUPEL_FUZZ_PAIR_H
#define CUPEL_FUZZ_PAIR_H

#include "target.h"
#include <cupel/cupel.h>
#include <string.h>

struct pair {
    const char *schema, *text;
    size_t schema_len, text_len;
};

static inline struct pair pair_split(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data, *zero = size > 0 ? memchr(p, 0, size) : NULL;
    struct pair in = {p, "null", size, 4};
    if (zero != NULL) {
        in.schema_len = (size_t)(zero - p);
        in.text = zero + 1;
        in.text_len = size - in.schema_len - 1;
    }
    return in;
}

/* Small enough for thousands of runs a second. */
static inline void pair_options(struct cupel_options *options)
{
    cupel_options_init(options);
    options->limits.schema_bytes = 16 << 10;
    options->limits.image_bytes = 1 << 20;
    options->limits.body_bytes = 16 << 10;
    options->limits.steps = 50000;
    options->limits.steps_per_byte = 16;
    options->limits.scratch_bytes = 1 << 20;
}

#endif
