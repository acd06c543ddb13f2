/* pair.h: the input of the targets that take a schema and an instance, with a zero byte between
 * them, and perhaps a choice behind them (choice.h): two bytes for what is done with the instance,
 * then six for what is made of the schema. */
#ifndef CUPEL_FUZZ_PAIR_H
#define CUPEL_FUZZ_PAIR_H

#include "choice.h"
#include "target.h"
#include "ways.h"
#include <cupel/cupel.h>
#include <string.h>

struct pair {
    const char *schema, *text;
    size_t schema_len, text_len;
    uint32_t way;     /* of the instance, 16 bits */
    uint64_t options; /* of the schema, 48 bits: ways.h, and from PAIR_WAY on a way of it */
};

enum { PAIR_WAY = 32 };

static inline struct pair pair_split(const uint8_t *data, size_t size)
{
    const uint64_t choice = choice_cut(data, &size);
    const char *p = (const char *)data, *zero = size > 0 ? memchr(p, 0, size) : NULL;
    struct pair in = {p, "null", size, 4, (uint32_t)choice & 0xffff, choice >> 16};
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
    options->limits[CUPEL_LIMIT_SCHEMA_BYTES] = 16 << 10;
    options->limits[CUPEL_LIMIT_IMAGE_BYTES] = 1 << 20;
    options->limits[CUPEL_LIMIT_BODY_BYTES] = 16 << 10;
    options->limits[CUPEL_LIMIT_STEPS] = 50000;
    options->limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 16;
    options->limits[CUPEL_LIMIT_SCRATCH_BYTES] = 1 << 20;
}

/* The same, with what the input chose. */
static inline void pair_chosen(struct cupel_options *options, uint64_t chosen)
{
    pair_options(options);
    ways_set(options, chosen);
}

#endif
