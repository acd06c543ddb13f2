/* generate_sizes.h: schemas and instances of a given size, whose verdict is known by construction.
 *
 * Programs take other ways from a certain number on: of branches, names, items, bytes.  Each
 * subject here is made with any such number, and its instances ask about the places where a way may
 * change: the first, the last, the one behind the last, and those around powers of two. */
#ifndef CUPEL_TESTS_GENERATE_SIZES_H
#define CUPEL_TESTS_GENERATE_SIZES_H

#include <cupel/cupel.h>
#include <stdbool.h>

enum { SIZES_NONE = -1 }; /* there is no such instance */

/* A choice: `branch` writes branch i of n; `value` an instance about branch `at`, of a kind from 0
 * on, and returns how many branches it passes. */
struct sizes_choice {
    const char *name;
    int kinds;
    uint32_t most; /* branches */
    void (*branch)(struct cupel_text *, uint32_t n, uint32_t i);
    int (*value)(struct cupel_text *, uint32_t n, uint32_t at, int kind);
};

/* Anything else that has a size; `value` returns 1 for a valid instance, 0 for an invalid one. */
struct sizes_subject {
    const char *name;
    int kinds;
    uint32_t most;
    void (*schema)(struct cupel_text *, uint32_t n);
    int (*value)(struct cupel_text *, uint32_t n, uint32_t at, int kind);
};

extern const struct sizes_choice sizes_choices[];
extern const struct sizes_subject sizes_subjects[];
extern const uint32_t sizes_nchoices, sizes_nsubjects;

/* A schema around another one: `{` … text with `@` for it; the instance likewise. */
struct sizes_context {
    const char *name, *schema, *instance;
    bool inverts; /* the verdict */
};

extern const struct sizes_context sizes_contexts[];
extern const uint32_t sizes_ncontexts;

/* The places that instances of a subject of size n are about, ascending; how many. */
enum { SIZES_PLACES = 40 };
uint32_t sizes_places(uint32_t n, uint32_t ret[SIZES_PLACES]);

#endif
