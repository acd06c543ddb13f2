/* test_alloc.h: the allocator of tests and fuzz targets. */
#ifndef CUPEL_TEST_ALLOC_H
#define CUPEL_TEST_ALLOC_H

#include <cupel/common.h>
#include <stdbool.h>
#include <stdlib.h>

/* An allocator that counts what it is asked for and what is in use, and fails from the `fail_at`-th
 * request on (0: never; counted from 1), once or for ever after. */
struct test_alloc {
    unsigned long requests; /* allocations and growths so far */
    unsigned long fail_at;
    bool for_ever;
    size_t live, peak; /* bytes in use: now, and at the most */
};

static inline void *test_realloc(void *ctx, void *p, size_t old, size_t size)
{
    struct test_alloc *t = ctx;
    if (size == 0) {
        t->live -= old;
        free(p);
        return NULL;
    }
    t->requests++;
    if (t->fail_at != 0 && (t->requests == t->fail_at || (t->for_ever && t->requests > t->fail_at)))
        return NULL;
    void *q = realloc(p, size);
    if (q != NULL)
        t->live += size - old;
    t->peak = t->live > t->peak ? t->live : t->peak;
    return q;
}

static inline struct cupel_alloc test_allocator(struct test_alloc *t)
{
    return (struct cupel_alloc){test_realloc, t};
}

#endif
