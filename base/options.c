/* options.c: the defaults of struct cupel_options, and the one function that copies and checks the
 * options that hosts pass.
 *
 * A struct is known by its size.  `option_sizes` has an entry for each released layout, in
 * ascending order; a member that is added at the end gets a new entry.  `bounds` is made from
 * limits.def. */
#include "base/options.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

/* No version is longer: a greater size means that the struct was not initialized. */
enum { MOST_SIZE = 4096 };

enum {
    KNOWN_FLAGS = 0x01f1ffff /* enum cupel_option and enum cupel_debug_option */
};

static const size_t option_sizes[] = {
#ifdef CUPEL_OLDER_STRUCTS_TEST
    offsetof(struct cupel_options,
             hash_key), /* a version that no release had: tests/api/growth.c */
#endif
    offsetof(struct cupel_options, base_uri), /* 0.1 */
    sizeof(struct cupel_options)};

struct bound {
    const char *name;
    uint64_t value, most;
};

static const struct bound bounds[] = {
#define L(name, number, lower, value, most, affects, meaning) \
    [CUPEL_LIMIT_##name] = {#lower, value, most},
#include <cupel/limits.def>
#ifdef CUPEL_LIMIT_EXTRA_TEST
    [CUPEL_LIMIT_EXTRA] = {"extra", 1000, UINT32_MAX},
#endif
};

enum { BOUNDS = sizeof bounds / sizeof *bounds };

const char *cupel_limit_name(enum cupel_limit limit)
{
    return (unsigned)limit < BOUNDS ? bounds[limit].name : NULL;
}

/* -- Structs of several versions --------------------------------------------------------------- */

static bool is_zero(const unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Copies a struct of a known version.  One of a newer version is accepted if the members that this
 * library does not know are zero; any other size is refused. */
bool cupel__struct_copy(void *ret, const void *given, const size_t *sizes, size_t count)
{
    const size_t newest = sizes[count - 1];
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size > MOST_SIZE || size < sizes[0])
        return false;
    bool known = size > newest;
    for (size_t i = 0; i < count; i++)
        known |= size == sizes[i];
    if (!known)
        return false;
    if (size > newest && !is_zero((const unsigned char *)given + newest, size - newest))
        return false;
    memcpy(ret, given, size < newest ? size : newest);
    memcpy(ret, &newest, sizeof newest);
    return true;
}

void cupel__struct_init(void *ret, size_t size, const void *from, size_t newest)
{
    if (ret == NULL)
        return;
    memset(ret, 0, size);
    memcpy(ret, from, size < newest ? size : newest);
    memcpy(ret, &size, sizeof size);
}

/* -- Options ----------------------------------------------------------------------------------- */

static void fill_defaults(struct cupel_options *options)
{
    *options = (struct cupel_options){
        .size = sizeof *options,
        .dialect = CUPEL_DIALECT_DEFAULT,
        .passes = 0x7fffffff, /* CUPEL_PASS_ALL */
        .alloc = cupel__alloc_or_default(NULL),
    };
    for (int i = 0; i < BOUNDS; i++)
        options->limits[i] = bounds[i].value;
}

void cupel_options_init_sized(struct cupel_options *options, size_t size)
{
    struct cupel_options defaults;
    fill_defaults(&defaults);
    cupel__struct_init(options, size, &defaults, sizeof defaults);
}

static bool known_dialect(enum cupel_dialect dialect)
{
    switch (dialect) {
    case CUPEL_DIALECT_DEFAULT:
    case CUPEL_DRAFT_4:
    case CUPEL_DRAFT_6:
    case CUPEL_DRAFT_7:
    case CUPEL_2019_09:
    case CUPEL_2020_12:
    case CUPEL_V1:
        return true;
    }
    return false;
}

/* Lowers each limit to the greatest that is supported.  False if a limit is set that this library
 * does not know: the host relies on it. */
static bool clamp_limits(uint64_t *limits)
{
    uint64_t unknown = 0;
    for (int i = 0; i < BOUNDS; i++)
        if (limits[i] > bounds[i].most)
            limits[i] = bounds[i].most;
    for (int i = BOUNDS; i < CUPEL_LIMITS; i++)
        unknown |= limits[i];
    return unknown == 0;
}

/* The reason why the options are refused, or NULL.  Clamps the limits. */
static const char *fault_of(struct cupel_options *options)
{
    if ((options->flags & ~(uint32_t)KNOWN_FLAGS) != 0)
        return "the options have a flag that this version does not know";
    if (!known_dialect(options->dialect))
        return "the options have a dialect that this version does not know";
    if (options->reserved != 0 || options->passes > 0x7fffffff)
        return "a reserved member of the options is not 0";
    if (options->formats == NULL && options->format_count != 0)
        return "the options count formats and have none";
    if (!clamp_limits(options->limits))
        return "the options have a limit that this version does not know";
    return NULL;
}

enum cupel_status cupel__options_copy(const struct cupel_options *given, struct cupel_options *ret,
                                      struct cupel_error *err)
{
    const char *fault = NULL;
    fill_defaults(ret);
    if (given == NULL)
        return CUPEL_OK;
    if (!cupel__struct_copy(ret, given, option_sizes, sizeof option_sizes / sizeof *option_sizes))
        fault = "the options were not initialized, or are of a newer version";
    else
        fault = fault_of(ret);
    if (fault != NULL)
        return cupel__error_set(err, CUPEL_E_ARGUMENT, "%s", fault);
    if (ret->alloc.realloc == NULL)
        ret->alloc = cupel__alloc_or_default(NULL);
    return CUPEL_OK;
}

enum cupel_status cupel_options_check(const struct cupel_options *options, struct cupel_error *err)
{
    struct cupel_options copy;
    return cupel__options_copy(options, &copy, err);
}

void cupel__options_key(const struct cupel_options *options, uint64_t ret_key[2])
{
    if (options->hash_key[0] == 0 && options->hash_key[1] == 0)
        cupel__random_key(ret_key);
    else
        memcpy(ret_key, options->hash_key, sizeof options->hash_key);
}

/* -- Steps of patterns ------------------------------------------------------------------------- */

int64_t cupel__pattern_steps(const struct cupel_options *options)
{
    uint64_t steps = options->limits[CUPEL_LIMIT_PATTERN_STEPS];
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
