/* reference.c: schemas applied to values, for the reference evaluator: the list of keywords, and
 * references, which lead from one schema to another.
 *
 * Every schema object is applied to a value in full: nothing ends at the first failure, since each
 * keyword may contribute to what counts as evaluated (core 2020-12 section 11).  Recursion follows
 * schema and instance and is bounded; beyond that the evaluator gives up. */
#include "reference_internal.h"

#include <stdlib.h>
#include <string.h>

/* The deepest recursion, and the most schemas that are applied. */
enum { DEEPEST = 800, MOST = 20000 };

static bool apply(struct reference *ref, struct ref_place place, const struct ref_scope *outer,
                  int depth, uint32_t value, bool *seen);

/* -- Access ----------------------------------------------------------------------------------- */

struct cupel_document *ref_schema_doc(const struct ref_at *at)
{
    return at->place.resource->file->doc;
}

struct cupel_document *ref_instance_doc(const struct ref_at *at)
{
    return at->ref->instance;
}

/* The value of another keyword of the same schema object, or CUPEL_NO_NODE. */
uint32_t ref_get(const struct ref_at *at, const char *name)
{
    enum ref_shape shape;
    if (!ref_keyword(&at->place.resource->dialect, name, strlen(name), &shape))
        return CUPEL_NO_NODE;
    return cupel_json_member(ref_schema_doc(at), at->place.node, name, strlen(name));
}

int ref_draft(const struct ref_at *at)
{
    return at->place.resource->dialect.draft;
}

bool ref_is(const struct ref_at *at, enum cupel_json_type type)
{
    return cupel_json_type(ref_instance_doc(at), at->value) == type;
}

/* A child is an item, or the key of a member: the next one of a container. */
uint32_t ref_next_member(const struct cupel_document *doc, uint32_t object, uint32_t key)
{
    return cupel_json_next(doc, object, key + 1);
}

/* Applies a subschema to the same value, which adds what it evaluates if it passes. */
bool ref_here(const struct ref_at *at, uint32_t schema)
{
    return apply(at->ref, ref_enter(at->ref, at->place, schema), &at->scope, at->depth + 1,
                 at->value, at->seen);
}

/* Applies a subschema to a value below. */
bool ref_below(const struct ref_at *at, uint32_t schema, uint32_t value)
{
    return apply(at->ref, ref_enter(at->ref, at->place, schema), &at->scope, at->depth + 1, value,
                 NULL);
}

/* -- References (core 8.2.3) ------------------------------------------------------------------ */

static bool resolve(const struct ref_at *at, uint32_t value, struct ref_place *ret,
                    const char **ret_name)
{
    if (ref_resolve(at->ref, at->place, value, ret, ret_name))
        return true;
    ref_refuse(at->ref, "reference does not resolve");
    return false;
}

static bool enter(const struct ref_at *at, struct ref_place target)
{
    return apply(at->ref, target, &at->scope, at->depth + 1, at->value, at->seen);
}

static bool check_ref(const struct ref_at *at, uint32_t value)
{
    struct ref_place target;
    const char *name;
    return resolve(at, value, &target, &name) && enter(at, target);
}

/* In v1 the value is a name, and means nothing but the outermost anchor. */
static bool check_named_ref(const struct ref_at *at, uint32_t value)
{
    size_t len;
    const struct ref_anchor *found = NULL;
    const char *text = cupel_json_string(ref_schema_doc(at), value, &len);
    const char *name = ref_copy(at->ref, text + (text[0] == '#'), len - (text[0] == '#'));
    struct ref_place target = at->place;
    for (const struct ref_scope *s = &at->scope; s != NULL; s = s->outer) {
        const struct ref_anchor *a = ref_dynamic_anchor(at->ref, s->resource, name);
        found = a != NULL ? a : found;
        if (a != NULL)
            target = (struct ref_place){s->resource, a->node};
    }
    if (found == NULL)
        ref_refuse(at->ref, "no dynamic anchor");
    return found != NULL && enter(at, target);
}

static bool check_dynamic_ref(const struct ref_at *at, uint32_t value)
{
    struct ref_place target;
    const char *name;
    if (ref_draft(at) == CUPEL_V1)
        return check_named_ref(at, value);
    if (!resolve(at, value, &target, &name))
        return false;
    const struct ref_anchor *a =
        name != NULL ? ref_dynamic_anchor(at->ref, target.resource, name) : NULL;
    if (a == NULL || a->node != target.node)
        return enter(at, target);
    for (const struct ref_scope *s = &at->scope; s != NULL; s = s->outer) {
        a = ref_dynamic_anchor(at->ref, s->resource, name);
        if (a != NULL)
            target = (struct ref_place){s->resource, a->node};
    }
    return enter(at, target);
}

static bool is_recursive(struct ref_resource *resource)
{
    struct cupel_document *doc = resource->file->doc;
    uint32_t anchor = cupel_json_member(doc, resource->node, "$recursiveAnchor", 16);
    return resource->dialect.draft == 2019 && anchor != CUPEL_NO_NODE &&
           cupel_json_boolean(doc, anchor) == 1;
}

static bool check_recursive_ref(const struct ref_at *at, uint32_t value)
{
    struct ref_resource *target = at->place.resource;
    (void)value;
    if (is_recursive(target))
        for (const struct ref_scope *s = &at->scope; s != NULL; s = s->outer)
            target = is_recursive(s->resource) ? s->resource : target;
    return enter(at, (struct ref_place){target, target->node});
}

/* -- All keywords ----------------------------------------------------------------------------- */

enum { V1 = CUPEL_V1 };

struct keyword {
    const char *name;
    int first, last; /* the drafts that have it */
    enum ref_vocabulary vocabulary;
    enum ref_shape shape;
    ref_check *check;
};

/* `unevaluated…` come last and are checked last; what has no function only says something to
 * another keyword, or to nobody. */
static const struct keyword keywords[] = {
    {"$id", 6, V1, REF_CORE, REF_NONE, NULL},
    {"id", 4, 4, REF_CORE, REF_NONE, NULL},
    {"$anchor", 2019, V1, REF_CORE, REF_NONE, NULL},
    {"$dynamicAnchor", 2020, V1, REF_CORE, REF_NONE, NULL},
    {"$recursiveAnchor", 2019, 2019, REF_CORE, REF_NONE, NULL},
    {"$defs", 2019, V1, REF_CORE, REF_MAP, NULL},
    {"definitions", 4, 2020, REF_CORE, REF_MAP, NULL},
    {"$ref", 4, V1, REF_CORE, REF_NONE, check_ref},
    {"$dynamicRef", 2020, V1, REF_CORE, REF_NONE, check_dynamic_ref},
    {"$recursiveRef", 2019, 2019, REF_CORE, REF_NONE, check_recursive_ref},
    {"allOf", 4, V1, REF_APPLICATOR, REF_LIST, ref_check_all_of},
    {"anyOf", 4, V1, REF_APPLICATOR, REF_LIST, ref_check_any_of},
    {"oneOf", 4, V1, REF_APPLICATOR, REF_LIST, ref_check_one_of},
    {"not", 4, V1, REF_APPLICATOR, REF_SCHEMA, ref_check_not},
    {"if", 7, V1, REF_APPLICATOR, REF_SCHEMA, ref_check_if},
    {"then", 7, V1, REF_APPLICATOR, REF_SCHEMA, NULL},
    {"else", 7, V1, REF_APPLICATOR, REF_SCHEMA, NULL},
    {"dependentSchemas", 2019, V1, REF_APPLICATOR, REF_MAP, ref_check_dependencies},
    {"dependencies", 4, 2020, REF_APPLICATOR, REF_MAP, ref_check_dependencies},
    {"propertyDependencies", V1, V1, REF_APPLICATOR, REF_MAPS, ref_check_property_dependencies},
    {"prefixItems", 2020, V1, REF_APPLICATOR, REF_LIST, ref_check_prefix_items},
    {"items", 4, V1, REF_APPLICATOR, REF_MIXED, ref_check_items},
    {"additionalItems", 4, 2019, REF_APPLICATOR, REF_SCHEMA, ref_check_additional_items},
    {"contains", 6, V1, REF_APPLICATOR, REF_SCHEMA, ref_check_contains},
    {"properties", 4, V1, REF_APPLICATOR, REF_MAP, ref_check_properties},
    {"patternProperties", 4, V1, REF_APPLICATOR, REF_MAP, ref_check_pattern_properties},
    {"additionalProperties", 4, V1, REF_APPLICATOR, REF_SCHEMA, ref_check_additional_properties},
    {"propertyNames", 6, V1, REF_APPLICATOR, REF_SCHEMA, ref_check_property_names},
    {"type", 4, V1, REF_VALIDATION, REF_NONE, ref_check_type},
    {"enum", 4, V1, REF_VALIDATION, REF_NONE, ref_check_enum},
    {"const", 6, V1, REF_VALIDATION, REF_NONE, ref_check_const},
    {"multipleOf", 4, V1, REF_VALIDATION, REF_NONE, ref_check_multiple_of},
    {"maximum", 4, V1, REF_VALIDATION, REF_NONE, ref_check_maximum},
    {"exclusiveMaximum", 4, V1, REF_VALIDATION, REF_NONE, ref_check_exclusive_maximum},
    {"minimum", 4, V1, REF_VALIDATION, REF_NONE, ref_check_minimum},
    {"exclusiveMinimum", 4, V1, REF_VALIDATION, REF_NONE, ref_check_exclusive_minimum},
    {"maxLength", 4, V1, REF_VALIDATION, REF_NONE, ref_check_max_length},
    {"minLength", 4, V1, REF_VALIDATION, REF_NONE, ref_check_min_length},
    {"pattern", 4, V1, REF_VALIDATION, REF_NONE, ref_check_pattern},
    {"maxItems", 4, V1, REF_VALIDATION, REF_NONE, ref_check_max_items},
    {"minItems", 4, V1, REF_VALIDATION, REF_NONE, ref_check_min_items},
    {"uniqueItems", 4, V1, REF_VALIDATION, REF_NONE, ref_check_unique_items},
    {"maxContains", 2019, V1, REF_VALIDATION, REF_NONE, NULL},
    {"minContains", 2019, V1, REF_VALIDATION, REF_NONE, NULL},
    {"maxProperties", 4, V1, REF_VALIDATION, REF_NONE, ref_check_max_properties},
    {"minProperties", 4, V1, REF_VALIDATION, REF_NONE, ref_check_min_properties},
    {"required", 4, V1, REF_VALIDATION, REF_NONE, ref_check_required},
    {"dependentRequired", 2019, V1, REF_VALIDATION, REF_NONE, ref_check_dependencies},
    {"format", 4, V1, REF_VALIDATION, REF_NONE, ref_check_format},
    {"contentEncoding", 7, V1, REF_VALIDATION, REF_NONE, ref_check_content_encoding},
    {"contentMediaType", 7, V1, REF_VALIDATION, REF_NONE, ref_check_content_media_type},
    {"contentSchema", 2019, V1, REF_CORE, REF_SCHEMA, NULL},
    {"unevaluatedItems", 2019, V1, REF_UNEVALUATED, REF_SCHEMA, ref_check_unevaluated_items},
    {"unevaluatedProperties", 2019, V1, REF_UNEVALUATED, REF_SCHEMA,
     ref_check_unevaluated_properties},
};

static const struct keyword *find(const struct ref_dialect *dialect, const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        const struct keyword *k = &keywords[i];
        if (strlen(k->name) != len || memcmp(k->name, name, len) != 0)
            continue;
        enum ref_vocabulary v = k->vocabulary;
        if (v == REF_UNEVALUATED && dialect->draft == 2019)
            v = REF_APPLICATOR;
        bool known = dialect->draft >= k->first && dialect->draft <= k->last &&
                     (v == REF_CORE || (dialect->vocabularies >> v & 1) != 0);
        return known ? k : NULL;
    }
    return NULL;
}

bool ref_keyword(const struct ref_dialect *dialect, const char *name, size_t len,
                 enum ref_shape *ret_shape)
{
    const struct keyword *k = find(dialect, name, len);
    if (k != NULL)
        *ret_shape = k->shape;
    return k != NULL;
}

/* -- Schemas ---------------------------------------------------------------------------------- */

/* Checks the keywords of a schema object: `unevaluated…` in a second round. */
static bool check_keywords(const struct ref_at *at, bool unevaluated)
{
    struct cupel_document *doc = ref_schema_doc(at);
    bool ok = true;
    uint32_t key = cupel_json_first(doc, at->place.node);
    for (; key != CUPEL_NO_NODE; key = ref_next_member(doc, at->place.node, key)) {
        size_t len;
        const char *name = cupel_json_string(doc, key, &len);
        const struct keyword *k = find(&at->place.resource->dialect, name, len);
        if (k != NULL && k->check != NULL && (k->vocabulary == REF_UNEVALUATED) == unevaluated)
            ok = k->check(at, key + 1) && ok;
    }
    return ok;
}

static bool apply_object(const struct ref_at *at)
{
    uint32_t ref = ref_draft(at) <= 7 ? ref_get(at, "$ref") : CUPEL_NO_NODE;
    if (ref != CUPEL_NO_NODE && cupel_json_type(ref_schema_doc(at), ref) == CUPEL_JSON_STRING)
        return check_ref(at, ref);
    bool ok = check_keywords(at, false);
    return check_keywords(at, true) && ok;
}

/* A boolean schema, or an object with what it evaluates; a schema that fails evaluates nothing. */
static bool apply(struct reference *ref, struct ref_place place, const struct ref_scope *outer,
                  int depth, uint32_t value, bool *seen)
{
    struct cupel_document *doc = place.resource->file->doc;
    if (depth > DEEPEST || ref->left == 0)
        ref_give_up(ref, "too deep, or too long");
    if (ref->gave_up != NULL)
        return false;
    ref->left--;
    if (cupel_json_type(doc, place.node) == CUPEL_JSON_BOOLEAN)
        return cupel_json_boolean(doc, place.node) == 1;
    uint32_t count = cupel_json_count(ref->instance, value);
    struct ref_at at = {ref, place, {place.resource, outer}, depth, value, NULL};
    at.seen = calloc(count + 1, sizeof(bool));
    if (at.seen == NULL) {
        ref_give_up(ref, "out of memory");
        return false;
    }
    bool ok = apply_object(&at);
    for (uint32_t i = 0; ok && seen != NULL && i < count; i++)
        seen[i] = seen[i] || at.seen[i];
    free(at.seen);
    return ok;
}

/* -- The interface ---------------------------------------------------------------------------- */

struct reference *reference_new(struct cupel_document *doc, uint32_t node,
                                enum cupel_dialect dialect, cupel_resolver *resolver, void *ctx)
{
    struct reference *ref = calloc(1, sizeof(*ref));
    if (ref == NULL)
        return NULL;
    ref->dialect = dialect;
    ref->resolver = resolver;
    ref->ctx = ctx;
    if (ref_open(ref, doc, node, "", false, &ref->root))
        return ref;
    reference_free(ref);
    return NULL;
}

void reference_free(struct reference *ref)
{
    if (ref == NULL)
        return;
    ref_free_patterns(ref);
    ref_close(ref);
    free(ref);
}

void reference_assert(struct reference *ref)
{
    ref->asserts = true;
}

enum reference_verdict reference_judge(struct reference *ref, struct cupel_document *doc,
                                       uint32_t node, const char **ret_why)
{
    ref->instance = doc;
    ref->left = MOST;
    ref->gave_up = NULL;
    ref->broken = false;
    bool ok = apply(ref, ref->root, NULL, 0, node, NULL);
    if (ref->gave_up != NULL) {
        *ret_why = ref->gave_up;
        return ref->broken ? REFERENCE_BROKEN : REFERENCE_UNKNOWN;
    }
    return ok ? REFERENCE_VALID : REFERENCE_INVALID;
}
