/* ways.h: options of the engine that bits of an input set. */
#ifndef CUPEL_FUZZ_WAYS_H
#define CUPEL_FUZZ_WAYS_H

#include <cupel/common.h>
#include <cupel/debug.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bit i of the choice sets flag i.  A new one goes to the end, so that findings in a corpus keep
 * their way. */
static const uint32_t ways_flags[] = {CUPEL_ASSERT_FORMAT,
                                      CUPEL_ASSERT_CONTENT,
                                      CUPEL_STRICT_REGEX,
                                      CUPEL_FORMAT_ANNOTATES,
                                      CUPEL_EXPERIMENTAL,
                                      CUPEL_UNKNOWN_KEYWORDS,
                                      CUPEL_IDN_OPTIONAL,
                                      CUPEL_ANNOTATIONS,
                                      CUPEL_ALLOW_DUPLICATE_KEYS,
                                      CUPEL_ALLOW_BOM,
                                      CUPEL_INPUT_PADDED,
                                      CUPEL_NO_DIRECT,
                                      CUPEL_NO_BACK_REFERENCES,
                                      CUPEL_NO_REGEX_SIMPLE,
                                      CUPEL_NO_REGEX_TABLES,
                                      CUPEL_NO_REGEX_LINEAR,
                                      CUPEL_NO_JIT,
                                      CUPEL_NO_REPORT,
                                      CUPEL_NO_SIMD,
                                      CUPEL_SWITCH_DISPATCH,
                                      CUPEL_EAGER_MEMO,
                                      CUPEL_NO_FINGERPRINTS};
enum {
    WAYS_FLAGS = sizeof ways_flags / sizeof *ways_flags,
    WAYS_ANNOTATIONS = 7,
    WAYS_DIALECT = 24,
    WAYS_FORMATS = 27,
    WAYS_BITS = 28
};

static const enum cupel_dialect ways_dialects[] = {
    CUPEL_DIALECT_DEFAULT, CUPEL_DRAFT_4, CUPEL_DRAFT_6, CUPEL_DRAFT_7,
    CUPEL_2019_09,         CUPEL_2020_12, CUPEL_V1,      CUPEL_DIALECT_DEFAULT};

/* A format of a host: yes, no, or nobody knows, by the length. */
static inline int ways_check_length(void *ctx, const char *text, size_t len)
{
    (void)ctx;
    return len > 0 && text[0] == 'u' ? CUPEL_E_LIMIT_FORMAT : (int)(len % 2);
}

/* One with a name of its own, one in place of the specification's, one that never comes to its
 * turn. */
static const struct cupel_format ways_formats[] = {
    {"even", ways_check_length, NULL}, {"date", ways_check_length, NULL}, {"even", NULL, NULL}};

static inline void ways_set(struct cupel_options *options, uint64_t chosen)
{
    for (uint32_t i = 0; i < WAYS_FLAGS; i++)
        options->flags |= chosen >> i & 1 ? ways_flags[i] : 0;
    options->hash_key[0] = 1; /* the same run each time */
    options->hash_key[1] = 2;
    options->dialect = ways_dialects[chosen >> WAYS_DIALECT & 7];
    if ((chosen >> WAYS_FORMATS & 1) != 0) {
        options->formats = ways_formats;
        options->format_count = sizeof ways_formats / sizeof *ways_formats;
        options->base_uri = "http://localhost/a/b.json";
    }
}

/* A copy of a text with exactly the bytes behind it that CUPEL_INPUT_PADDED promises, none if it is
 * not set: what is read beyond them is found by a sanitizer.  To be freed. */
static inline char *ways_text(const struct cupel_options *options, const char *text, size_t len)
{
    size_t padding = (options->flags & CUPEL_INPUT_PADDED) != 0 ? 64 : 0;
    char *copy = malloc(len + padding > 0 ? len + padding : 1);
    if (copy == NULL)
        abort();
    memset(copy + len, '"', padding);
    if (len > 0)
        memcpy(copy, text, len);
    return copy;
}

#endif
