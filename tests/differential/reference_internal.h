/* reference_internal.h: what the files of the reference evaluator share. */
#ifndef CUPEL_TESTS_REFERENCE_INTERNAL_H
#define CUPEL_TESTS_REFERENCE_INTERNAL_H

#include "reference.h"

#include <stdbool.h>

/* -- The evaluator ---------------------------------------------------------------------------- */

struct ref_block;
struct ref_link;
struct ref_pattern;

struct ref_dialect {
    int draft;             /* 4, 6, 7, 2019, 2020, 9999 for v1 */
    unsigned vocabularies; /* a bit for each enum ref_vocabulary */
};

/* A document: the schema itself, or one that the resolver gave. */
struct ref_file {
    struct ref_file *next;
    const char *uri; /* by which it was asked for */
    struct cupel_document *doc;
    uint32_t root;
    bool owned;
    unsigned char *indexed; /* by node: whether it was walked as a schema */
};

/* A schema resource (core 4.3.5). */
struct ref_resource {
    struct ref_resource *next;
    struct ref_file *file;
    uint32_t node;
    const char *uri; /* absolute if anything is, without fragment */
    struct ref_dialect dialect;
};

struct ref_anchor {
    struct ref_anchor *next;
    const struct ref_resource *resource;
    uint32_t node;
    const char *name;
    bool dynamic;
};

/* A schema, and the resource that it belongs to. */
struct ref_place {
    struct ref_resource *resource;
    uint32_t node;
};

struct reference {
    struct ref_file *files;
    struct ref_resource *resources;
    struct ref_anchor *anchors;
    struct ref_link *links;
    struct ref_pattern *patterns;
    struct ref_block *blocks;
    struct ref_place root;
    enum cupel_dialect dialect;
    cupel_resolver *resolver;
    void *ctx;
    struct cupel_document *instance; /* being judged */
    unsigned long left;              /* schemas that may still be applied */
    bool asserts;                    /* `format` and content */
    const char *gave_up;             /* why nothing is known any more, or NULL */
    bool broken;                     /* … and that it is the schema's fault */
};

/* Memory that lives as long as the evaluator, zeroed.  A test that has none left ends. */
void *ref_take(struct reference *, size_t size);
char *ref_copy(struct reference *, const char *text, size_t len);
void ref_give_up(struct reference *, const char *why);
/* Gives up because of the schema. */
void ref_refuse(struct reference *, const char *why);

/* -- Keywords (reference.c) ------------------------------------------------------------------- */

enum ref_vocabulary { REF_CORE, REF_APPLICATOR, REF_VALIDATION, REF_UNEVALUATED, REF_VOCABULARIES };

/* Where the subschemas of a keyword are. */
enum ref_shape { REF_NONE, REF_SCHEMA, REF_LIST, REF_MAP, REF_MAPS, REF_MIXED };

/* What the dialect does with a keyword; false if it does not know the name. */
bool ref_keyword(const struct ref_dialect *, const char *name, size_t len,
                 enum ref_shape *ret_shape);

/* -- References (reference_refs.c) ------------------------------------------------------------ */

/* Adds a document with its root resource; false if its dialect is not known. */
bool ref_open(struct reference *, struct cupel_document *, uint32_t root, const char *uri,
              bool owned, struct ref_place *ret);
void ref_close(struct reference *);

/* The schema at `node` below a schema: of the same resource, or the root of another. */
struct ref_place ref_enter(struct reference *, struct ref_place, uint32_t node);

/* What the URI reference at `value` in a schema refers to.  *ret_name is the plain name in it, or
 * NULL. */
bool ref_resolve(struct reference *, struct ref_place from, uint32_t value, struct ref_place *ret,
                 const char **ret_name);

/* The dynamic anchor of that name in a resource, or NULL. */
const struct ref_anchor *ref_dynamic_anchor(const struct reference *, const struct ref_resource *,
                                            const char *name);

/* -- URIs (reference_uri.c) ------------------------------------------------------------------- */

/* `uri` resolved against `base` (RFC 3986 section 5.2), both without fragment. */
char *ref_uri_resolve(struct reference *, const char *base, const char *uri);

/* -- Numbers (reference_number.c) ------------------------------------------------------------- */

/* 0.DIGITS * 10^exponent; zero has no digits, and no number begins or ends with the digit 0. */
enum { REF_DIGITS = 1100 };
struct ref_number {
    bool negative;
    int count;
    long long exponent;
    char digits[REF_DIGITS];
};

/* False if a number is too long or its exponent too large to be calculated with. */
bool ref_number_read(const char *text, size_t len, struct ref_number *ret);
int ref_number_compare(const struct ref_number *a, const struct ref_number *b);
bool ref_number_is_integer(const struct ref_number *);
/* 1, 0, or -1 if the exponents are too far apart. */
int ref_number_is_multiple(const struct ref_number *a, const struct ref_number *b);

/* -- Schemas applied to values (reference.c) -------------------------------------------------- */

/* The dynamic scope: the resources entered so far, innermost first. */
struct ref_scope {
    struct ref_resource *resource;
    const struct ref_scope *outer;
};

/* A schema object applied to a value. */
struct ref_at {
    struct reference *ref;
    struct ref_place place;
    struct ref_scope scope;
    int depth;
    uint32_t value; /* in ref->instance */
    bool *seen;     /* the members or items of the value that are evaluated, in order */
};

struct cupel_document *ref_schema_doc(const struct ref_at *);
struct cupel_document *ref_instance_doc(const struct ref_at *);
/* The value of another keyword of the same schema object, or CUPEL_NO_NODE. */
uint32_t ref_get(const struct ref_at *, const char *name);
int ref_draft(const struct ref_at *);
/* Whether the value is of that type. */
bool ref_is(const struct ref_at *, enum cupel_json_type);
/* From the key of a member to the next one. */
uint32_t ref_next_member(const struct cupel_document *, uint32_t object, uint32_t key);

/* Applies a subschema to the same value, which adds what it evaluates if it passes. */
bool ref_here(const struct ref_at *, uint32_t schema);
/* Applies a subschema to another value. */
bool ref_below(const struct ref_at *, uint32_t schema, uint32_t value);

/* A keyword with its value: whether the instance passes. */
typedef bool ref_check(const struct ref_at *, uint32_t value);

/* reference_validation.c, reference_applicators.c and reference_formats.c */
ref_check ref_check_additional_items, ref_check_additional_properties, ref_check_all_of,
    ref_check_any_of, ref_check_const, ref_check_contains, ref_check_content_encoding,
    ref_check_content_media_type, ref_check_dependencies, ref_check_enum, ref_check_format,
    ref_check_exclusive_maximum, ref_check_exclusive_minimum, ref_check_if, ref_check_items,
    ref_check_max_items, ref_check_max_length, ref_check_max_properties, ref_check_maximum,
    ref_check_min_items, ref_check_min_length, ref_check_min_properties, ref_check_minimum,
    ref_check_multiple_of, ref_check_not, ref_check_one_of, ref_check_pattern,
    ref_check_pattern_properties, ref_check_prefix_items, ref_check_properties,
    ref_check_property_dependencies, ref_check_property_names, ref_check_required, ref_check_type,
    ref_check_unevaluated_items, ref_check_unevaluated_properties, ref_check_unique_items;

/* -- Values (reference_values.c) -------------------------------------------------------------- */

/* False, and the evaluator gives up, if the number is beyond range. */
bool ref_read_number(struct reference *, struct cupel_document *, uint32_t node,
                     struct ref_number *ret);
/* Equality (core 4.2.2). */
bool ref_same(struct reference *, struct cupel_document *a, uint32_t x, struct cupel_document *b,
              uint32_t y);
/* How a count compares with the number that a keyword holds: below 0, 0, above 0. */
int ref_compare_count(const struct ref_at *, uint32_t count, uint32_t keyword);
/* Whether a string matches the pattern that is a string of the schema. */
bool ref_matches(struct reference *, struct cupel_document *, uint32_t pattern, const char *subject,
                 size_t len);
void ref_free_patterns(struct reference *);

#endif
