/* families.h: the families of families.def as an array, in the shapes of shape.h. */
#ifndef CUPEL_TESTS_FAMILIES_H
#define CUPEL_TESTS_FAMILIES_H

#include "shape.h"
#include <cupel/cupel.h>

enum { SCHEMA_GROWS = 1, INSTANCE_GROWS = 2, BOTH_GROW = 3 };

struct family {
    const char *name;
    int grows;
    unsigned n; /* the smallest size that is measured */
    unsigned doublings;
    enum cupel_verdict verdict;
    struct shape schema, instance;
};

static const struct family families[] = {
#define FAMILY(name, grows, n, doublings, verdict, schema, instance) \
    {name, grows, n, doublings, verdict, schema, instance},
#define TEXT(before, each, between, after)       \
    {                                            \
        before, each, between, after, NULL, NULL \
    }
#define TWO_LISTS(...) \
    {                  \
        __VA_ARGS__    \
    }
#include "families.def"
};

#endif
