/* generated.h: what the C that generate.py makes of a schema is written with.
 *
 * A check is a function of the document and a value, in the way somebody would write it who needs
 * that one schema: loops over members, a switch over the length of a name, comparison with
 * constants.  The document, patterns and arithmetic are cupel's own, so what is compared is the
 * interpreter alone. */
#ifndef CUPEL_BENCH_GENERATED_H
#define CUPEL_BENCH_GENERATED_H

#include "base/json/equal.h"
#include "base/utf8.h"
#include "vm/program/program.h"
#include <string.h>

struct generated {
    struct cupel__doc *doc;
    const struct cupel__code *code; /* for its patterns */
    struct cupel__matcher_scratch *matching;
    uint64_t *table; /* of unique items */
    size_t ntable;
};

typedef bool generated_check(const struct generated *, struct cupel__node *v);

struct generated_set {
    const char *name;
    generated_check *check;
};

extern const struct generated_set generated_sets[]; /* the last has no name */

static inline bool is(const struct cupel__node *v, uint32_t types)
{
    return types >> v->type & 1;
}

static inline struct cupel__node *after(const struct generated *g, struct cupel__node *v)
{
    return v->type >= CUPEL__ARRAY ? g->doc->nodes + v->end : v + 1;
}

static inline struct cupel__str name_of(const struct generated *g, const struct cupel__node *key)
{
    return (struct cupel__str){g->doc->base[key->flags >> 1 & 1] + key->off, key->len};
}

static inline struct cupel__str text_of(const struct generated *g, struct cupel__node *v)
{
    return cupel__doc_str(g->doc, v);
}

static inline bool has_length(const struct generated *g, struct cupel__node *v, uint32_t min,
                              uint32_t max)
{
    struct cupel__str s = text_of(g, v);
    if (s.n < min || (s.n + 3) / 4 > max)
        return false;
    if (s.n <= max && s.n / 4 >= min)
        return true;
    size_t n = cupel__utf8_count(s.p, s.n);
    return n >= min && n <= max;
}

/* The order of a number and an integer. */
static inline int compare_int(const struct generated *g, const struct cupel__node *v, int64_t x)
{
    if (v->type == CUPEL__INT)
        return (v->i > x) - (v->i < x);
    struct cupel__dec a, b = {.i = x};
    return cupel__doc_decimal(g->doc, v, &a) ? cupel__dec_cmp(&a, &b) : 0;
}

static inline bool matches(const struct generated *g, struct cupel__str s, uint32_t pattern)
{
    int64_t steps = INT64_MAX;
    return cupel__matcher_run(g->code->matchers[pattern], g->matching, s.p, s.n, &steps) > 0;
}

static inline bool all_different(const struct generated *g, const struct cupel__node *v)
{
    static const uint64_t key[2] = {1, 2};
    struct cupel__budget budget = {.remaining = INT64_MAX};
    if (v->count < 2)
        return true;
    const struct cupel__unique unique = {g->doc, key, &budget, true};
    return cupel__json_unique(&unique, (uint32_t)(v - g->doc->nodes), g->table, g->ntable) == 1;
}

#endif
