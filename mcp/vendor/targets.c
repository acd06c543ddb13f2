/* targets.c: the targets (vendors' formats of tool definitions) and their tables, from targets.def.
 * Searches are linear: tables are short, and a check of a tool looks up each keyword once.
 *
 * A row of a keyword has the shape of its value and an action for each target; a row of a target
 * has the rules for names and flags.  Adding a target takes a column in targets.def and an
 * enumerator in cupel/checks.h. */
#include "mcp/vendor/pass.h"

#include <string.h>

#define TARGET(flag) CUPEL__TARGET_##flag
enum {
    CLOSED = CUPEL__TARGET_CLOSED,
    ITEMS = CUPEL__TARGET_ITEMS,
    BARE = CUPEL__TARGET_BARE,
    ROOT = CUPEL__TARGET_ROOT,
    LETTER = CUPEL__TARGET_LETTER,
    KNOWN = CUPEL__TARGET_KNOWN
};

static const struct cupel__target targets[] = {
    [CUPEL_TARGET_NONE] = {"none", SIZE_MAX, "", 0},
#define T(id, name, longest, extra, flags) [CUPEL_TARGET_##id] = {name, longest, extra, flags},
#define K(name, shape, openai, strict, anthropic, gemini)
#define FORMATS(...)
#include "mcp/vendor/targets.def"
};

static const struct cupel__target_keyword keywords[] = {
#define T(id, name, longest, extra, flags)
#define K(name, shape, openai, strict, anthropic, gemini) \
    {name, TARGET(shape), {TARGET(openai), TARGET(strict), TARGET(anthropic), TARGET(gemini)}},
#define FORMATS(...)
#include "mcp/vendor/targets.def"
};

enum { MOST_FORMATS = 16 };

static const struct {
    enum cupel_target target;
    size_t count;
    const char *names[MOST_FORMATS];
} formats[] = {
#define T(id, name, longest, extra, flags)
#define K(name, shape, openai, strict, anthropic, gemini)
#define COUNT(...)       (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define FORMATS(id, ...) {CUPEL_TARGET_##id, COUNT(__VA_ARGS__), {__VA_ARGS__}},
#include "mcp/vendor/targets.def"
};

const struct cupel__target *cupel__target_of(enum cupel_target target)
{
    return &targets[target];
}

const struct cupel__target_keyword *cupel__target_keyword(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
        if (strlen(keywords[i].name) == len && memcmp(keywords[i].name, name, len) == 0)
            return &keywords[i];
    return NULL;
}

/* Whether the target's list of formats has this one. */
bool cupel__target_has_format(enum cupel_target target, const char *format, size_t len)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].target != target)
            continue;
        for (size_t j = 0; j < formats[i].count; j++)
            if (strlen(formats[i].names[j]) == len && memcmp(formats[i].names[j], format, len) == 0)
                return true;
    }
    return false;
}

/* Targets start at 1: 0 is CUPEL_TARGET_NONE, which has no name for users. */
enum cupel_status cupel_target_find(const char *name, size_t len, enum cupel_target *ret)
{
    if (name == NULL || ret == NULL)
        return CUPEL_E_ARGUMENT;
    for (size_t i = 1; i < sizeof(targets) / sizeof(targets[0]); i++) {
        if (strlen(targets[i].name) == len && memcmp(targets[i].name, name, len) == 0) {
            *ret = (enum cupel_target)i;
            return CUPEL_OK;
        }
    }
    return CUPEL_E_ARGUMENT;
}

const char *cupel__target_name(enum cupel_target target)
{
    return targets[target].name;
}
