/* options.c: the defaults of struct cupel_options, and copies of what a host passes.
 *
 * The default bounds are those of a gateway, where schemas and instances come from strangers. */
#include "base/options.h"
#include <string.h>

void cupel_options_init(struct cupel_options *options)
{
    *options = (struct cupel_options){
        .size = sizeof *options,
        .dialect = CUPEL_DIALECT_DEFAULT,
        .passes = CUPEL_PASS_ALL,
        .limits = {.body_bytes = 1 << 20,
                   .depth = 128,
                   .number_chars = 1024,
                   .schema_bytes = 256 << 10,
                   .schema_depth = 256,
                   .subschemas = 65536,
                   .image_bytes = 4 << 20,
                   .pattern_bytes = 4 << 10,
                   .matcher_bytes = 16 << 20,
                   .pattern_steps = 2000000,
                   .catalog_pattern_steps = 50000000,
                   .errors = 16,
                   .error_bytes = 64 << 10,
                   .steps = 120000,
                   .steps_per_byte = 10,
                   .scratch_bytes = 4 << 20,
                   .compile_bytes = 12 << 20},
        .alloc = cupel__alloc_or_default(NULL),
    };
}

void cupel__options_copy(const struct cupel_options *given, struct cupel_options *ret)
{
    cupel_options_init(ret);
    if (given == NULL)
        return;
    memcpy(ret, given, given->size < sizeof *ret ? given->size : sizeof *ret);
    ret->size = sizeof *ret;
    if (ret->alloc.realloc == NULL)
        ret->alloc = cupel__alloc_or_default(NULL);
}

void cupel__options_key(const struct cupel_options *options, uint64_t ret_key[2])
{
    if (options->hash_key[0] == 0 && options->hash_key[1] == 0)
        cupel_random_key(ret_key);
    else
        memcpy(ret_key, options->hash_key, sizeof options->hash_key);
}

int64_t cupel__pattern_steps(const struct cupel_options *options)
{
    uint64_t steps = options->limits.pattern_steps;
    if (options->pattern_budget != NULL && *options->pattern_budget < steps)
        steps = *options->pattern_budget;
    return steps < INT64_MAX ? (int64_t)steps : INT64_MAX;
}

void cupel__pattern_steps_charge(const struct cupel_options *options, int64_t before, int64_t after)
{
    uint64_t *budget = options->pattern_budget, used = (uint64_t)before - (uint64_t)after;
    if (budget != NULL)
        *budget = used < *budget ? *budget - used : 0;
}
