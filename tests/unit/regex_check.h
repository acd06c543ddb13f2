/* regex_check.h: patterns compiled and run in every way there is. */
#ifndef CUPEL_REGEX_CHECK_H
#define CUPEL_REGEX_CHECK_H

#include "base/regex/regex.h"
#include "test.h"

#define BUDGET (INT64_C(2000000))

static inline int run(const char *pattern, const char *subject, size_t len, unsigned flags,
                      int64_t *steps)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m = NULL;
    struct cupel__matcher_scratch *scratch = NULL;
    int64_t work = CUPEL__MATCHER_WORK;
    cupel__arena_init(&arena, NULL, 0);
    int rc = cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_new(NULL, &re, flags, &work, &m, NULL);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_scratch_new(NULL, 4 << 20, &scratch);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_run(m, scratch, subject, len, steps);
    cupel__matcher_scratch_free(scratch);
    cupel__matcher_free(m);
    cupel__arena_free(&arena);
    return rc;
}

/* All there are. */
static const unsigned ways[] = {
    0,
    CUPEL__MATCHER_NO_SIMPLE,
    CUPEL__MATCHER_NO_SIMPLE | CUPEL__MATCHER_NO_TABLE,
    CUPEL__MATCHER_NO_LINEAR,
    CUPEL__MATCHER_NO_LINEAR | CUPEL__MATCHER_NO_JIT,
    CUPEL__MATCHER_ONLY_BACKTRACK,
};

enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

/* The verdict, which all ways must share. */
static inline int matches(const char *pattern, const char *subject)
{
    int64_t a = BUDGET, b;
    int rc = run(pattern, subject, strlen(subject), 0, &a);
    for (unsigned i = 1; i < WAYS; i++) {
        b = BUDGET;
        CHECK_INT(run(pattern, subject, strlen(subject), ways[i], &b), rc);
    }
    return rc;
}

#endif
