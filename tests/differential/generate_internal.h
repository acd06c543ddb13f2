/* generate_internal.h: what the files that write schemas share. */
#ifndef CUPEL_TESTS_GENERATE_INTERNAL_H
#define CUPEL_TESTS_GENERATE_INTERNAL_H

#include "generate.h"

enum { ROOT = -1, NOWHERE = -2, BELOW = -1 };

struct object;

struct def {
    bool id, anchor;
    bool dynamic; /* $dynamicAnchor, or $recursiveAnchor */
};

struct generator {
    struct chance chance;
    struct cupel_text *out;
    const struct generate_options *options;
    int draft;
    int left; /* subschemas that may still be written */
    int defs;
    struct def def[DEFINITIONS];
    bool root_id;
    bool dynamic; /* with dynamic references */
    bool lax;     /* with few assertions */
    void (*body)(
        struct object *); /* what writes the root and the definitions; NULL: any keywords */
    int holder; /* where the root resource has its dynamic anchor: ROOT, a definition, NOWHERE */
    int inside; /* the resource being written: ROOT, or a definition that has an `$id` */
};

/* An object being written: a schema, whose references obey `floor`, or a map. */
struct object {
    struct generator *g;
    bool begun;
    int depth; /* how much deeper subschemas may be nested */
    int floor; /* the first definition that may apply to the same value; BELOW: any */
};

/* -- Writing (generate_keywords.c) ------------------------------------------------------------ */

bool percent(struct generator *, uint32_t n);
int below(struct generator *, int n);
void put(struct generator *, const char *text);
void comma(struct object *);
void keyword(struct object *, const char *name);

/* -- Groups of keywords, for one type or one purpose (generate_keywords.c) -------------------- */

typedef void group(struct object *);

group group_type, group_values, group_noise, group_number, group_string, group_array, group_object,
    group_logic, group_unevaluated;

/* -- Schemas (generate.c) --------------------------------------------------------------------- */

void write_schema(struct generator *, int depth, int floor);
/* Whether there is a definition that `$ref` may mean here. */
bool can_refer(const struct object *);
group group_ref, group_dynamic;

/* -- Schemas in which one thing decides (generate_scenario.c) --------------------------------- */

group write_marks, write_marks_root, write_links, group_union, group_switch;

#endif
