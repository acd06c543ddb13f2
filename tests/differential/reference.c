/* reference.c: what each keyword means, for the reference evaluator.
 *
 * Every schema object is applied to a value in full: nothing ends at the first failure, since each
 * keyword may contribute to what counts as evaluated (core 2020-12 section 11).  Recursion follows
 * schema and instance and is bounded; beyond that the evaluator gives up. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "reference_internal.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 800, MOST = 20000 };

/* The dynamic scope: the resources entered so far, innermost first. */
struct scope {
    struct ref_resource *resource;
    const struct scope *outer;
};

/* A schema object applied to a value. */
struct at {
    struct reference *ref;
    struct ref_place place;
    struct scope scope;
    int depth;
    uint32_t value; /* in ref->instance */
    bool *seen;     /* the members or items of the value that are evaluated, in order */
};

static bool apply(struct reference *ref, struct ref_place place, const struct scope *outer,
                  int depth, uint32_t value, bool *seen);

/* -- Access ----------------------------------------------------------------------------------- */

static struct cupel_document *schema_of(const struct at *at)
{
    return at->place.resource->file->doc;
}

static struct cupel_document *instance_of(const struct at *at)
{
    return at->ref->instance;
}

/* The value of another keyword of the same schema object, or CUPEL_NO_NODE. */
static uint32_t get(const struct at *at, const char *name)
{
    enum ref_shape shape;
    if (!ref_keyword(&at->place.resource->dialect, name, strlen(name), &shape))
        return CUPEL_NO_NODE;
    return cupel_json_member(schema_of(at), at->place.node, name, strlen(name));
}

static int draft(const struct at *at)
{
    return at->place.resource->dialect.draft;
}

static bool is(const struct at *at, enum cupel_json_type type)
{
    return cupel_json_type(instance_of(at), at->value) == type;
}

/* A child is an item, or the key of a member: the next one of a container. */
static uint32_t next_member(const struct cupel_document *doc, uint32_t object, uint32_t key)
{
    return cupel_json_next(doc, object, key + 1);
}

/* Applies a subschema to the same value, which adds what it evaluates if it passes. */
static bool here(const struct at *at, uint32_t schema)
{
    return apply(at->ref, ref_enter(at->ref, at->place, schema), &at->scope, at->depth + 1,
                 at->value, at->seen);
}

/* Applies a subschema to a value below. */
static bool below(const struct at *at, uint32_t schema, uint32_t value)
{
    return apply(at->ref, ref_enter(at->ref, at->place, schema), &at->scope, at->depth + 1, value,
                 NULL);
}

/* -- Values ----------------------------------------------------------------------------------- */

static bool read_number(struct reference *ref, struct cupel_document *doc, uint32_t node,
                        struct ref_number *ret)
{
    size_t len;
    const char *text = cupel_json_span(doc, node, &len);
    if (ref_number_read(text, len, ret))
        return true;
    ref_give_up(ref, "number beyond range");
    return false;
}

static bool same_string(struct cupel_document *a, uint32_t x, struct cupel_document *b, uint32_t y)
{
    size_t n, m;
    const char *p = cupel_json_string(a, x, &n), *q = cupel_json_string(b, y, &m);
    return n == m && memcmp(p, q, n) == 0;
}

static bool same(struct reference *ref, struct cupel_document *a, uint32_t x,
                 struct cupel_document *b, uint32_t y);

static bool same_items(struct reference *ref, struct cupel_document *a, uint32_t x,
                       struct cupel_document *b, uint32_t y)
{
    uint32_t i = cupel_json_first(a, x), j = cupel_json_first(b, y);
    while (i != CUPEL_NO_NODE && j != CUPEL_NO_NODE && same(ref, a, i, b, j)) {
        i = cupel_json_next(a, x, i);
        j = cupel_json_next(b, y, j);
    }
    return i == CUPEL_NO_NODE && j == CUPEL_NO_NODE;
}

static bool same_members(struct reference *ref, struct cupel_document *a, uint32_t x,
                         struct cupel_document *b, uint32_t y)
{
    if (cupel_json_count(a, x) != cupel_json_count(b, y))
        return false;
    for (uint32_t k = cupel_json_first(a, x); k != CUPEL_NO_NODE; k = next_member(a, x, k)) {
        size_t len;
        const char *name = cupel_json_string(a, k, &len);
        uint32_t other = cupel_json_member(b, y, name, len);
        if (other == CUPEL_NO_NODE || !same(ref, a, k + 1, b, other))
            return false;
    }
    return true;
}

/* Equality of values (core 4.2.2). */
static bool same(struct reference *ref, struct cupel_document *a, uint32_t x,
                 struct cupel_document *b, uint32_t y)
{
    struct ref_number n, m;
    enum cupel_json_type type = cupel_json_type(a, x);
    if (type != cupel_json_type(b, y))
        return false;
    switch (type) {
    case CUPEL_JSON_NULL:
        return true;
    case CUPEL_JSON_BOOLEAN:
        return cupel_json_boolean(a, x) == cupel_json_boolean(b, y);
    case CUPEL_JSON_NUMBER:
        return read_number(ref, a, x, &n) && read_number(ref, b, y, &m) &&
               ref_number_compare(&n, &m) == 0;
    case CUPEL_JSON_STRING:
        return same_string(a, x, b, y);
    case CUPEL_JSON_ARRAY:
        return same_items(ref, a, x, b, y);
    case CUPEL_JSON_OBJECT:
        return same_members(ref, a, x, b, y);
    }
    return false;
}

/* How a count compares with the number that a keyword holds: below 0, 0, above 0. */
static int compare_count(const struct at *at, uint32_t count, uint32_t keyword)
{
    char text[16];
    struct ref_number n, limit;
    int len = snprintf(text, sizeof(text), "%u", (unsigned)count);
    if (!ref_number_read(text, (size_t)len, &n) ||
        !read_number(at->ref, schema_of(at), keyword, &limit))
        return 0;
    return ref_number_compare(&n, &limit);
}

/* -- Patterns --------------------------------------------------------------------------------- */

struct ref_pattern {
    struct ref_pattern *next;
    char *text;
    size_t len;
    pcre2_code *code;
};

/* PCRE2 knows the general categories by their short names only. */
static void shorten_names(char *text, size_t *len)
{
    static const char name[] = "\\p{Letter}";
    char *at = strstr(text, name);
    if (at == NULL)
        return;
    memmove(at + 5, at + sizeof(name) - 1, strlen(at + sizeof(name) - 1) + 1);
    memcpy(at, "\\p{L}", 5);
    *len -= sizeof(name) - 1 - 5;
}

static struct ref_pattern *find_pattern(struct reference *ref, const char *text, size_t len)
{
    int error;
    PCRE2_SIZE offset;
    struct ref_pattern *p = ref->patterns;
    while (p != NULL && (p->len != len || memcmp(p->text, text, len) != 0))
        p = p->next;
    if (p != NULL)
        return p;
    p = ref_take(ref, sizeof(*p));
    *p = (struct ref_pattern){ref->patterns, ref_copy(ref, text, len), len, NULL};
    char *source = ref_copy(ref, text, len);
    shorten_names(source, &len);
    p->code = pcre2_compile((PCRE2_SPTR)source, len, PCRE2_UTF | PCRE2_DOLLAR_ENDONLY, &error,
                            &offset, NULL);
    ref->patterns = p;
    return p;
}

static bool matches(struct reference *ref, struct cupel_document *doc, uint32_t pattern,
                    const char *subject, size_t len)
{
    size_t n;
    const char *text = cupel_json_string(doc, pattern, &n);
    const struct ref_pattern *p = find_pattern(ref, text, n);
    pcre2_match_data *data = p->code != NULL ? pcre2_match_data_create(1, NULL) : NULL;
    int rc = PCRE2_ERROR_NULL;
    if (data != NULL)
        rc = pcre2_match(p->code, (PCRE2_SPTR)subject, len, 0, 0, data, NULL);
    pcre2_match_data_free(data);
    if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
        ref_give_up(ref, "pattern");
    return rc >= 0;
}

/* -- Any type (validation 6.1) ---------------------------------------------------------------- */

static bool is_integer(const struct at *at)
{
    struct ref_number n;
    size_t len;
    const char *text = cupel_json_span(instance_of(at), at->value, &len);
    /* Draft 4 core 3.5: an integer is written without fraction and exponent. */
    if (draft(at) == 4)
        return memchr(text, '.', len) == NULL && memchr(text, 'e', len) == NULL &&
               memchr(text, 'E', len) == NULL;
    return read_number(at->ref, instance_of(at), at->value, &n) && ref_number_is_integer(&n);
}

static bool has_type(const struct at *at, uint32_t name)
{
    static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};
    enum cupel_json_type type = cupel_json_type(instance_of(at), at->value);
    if (cupel_json_is(schema_of(at), name, "integer"))
        return type == CUPEL_JSON_NUMBER && is_integer(at);
    return cupel_json_is(schema_of(at), name, names[type]);
}

static bool check_type(const struct at *at, uint32_t types)
{
    const struct cupel_document *doc = schema_of(at);
    if (cupel_json_type(doc, types) == CUPEL_JSON_STRING)
        return has_type(at, types);
    bool any = false;
    uint32_t name = cupel_json_first(doc, types);
    for (; name != CUPEL_NO_NODE; name = cupel_json_next(doc, types, name))
        any = has_type(at, name) || any;
    return any;
}

static bool check_const(const struct at *at, uint32_t value)
{
    return same(at->ref, schema_of(at), value, instance_of(at), at->value);
}

static bool check_enum(const struct at *at, uint32_t values)
{
    bool any = false;
    uint32_t value = cupel_json_first(schema_of(at), values);
    for (; value != CUPEL_NO_NODE; value = cupel_json_next(schema_of(at), values, value))
        any = check_const(at, value) || any;
    return any;
}

/* -- Numbers (6.2) ---------------------------------------------------------------------------- */

/* How the value compares with the number `limit`; `passes` says which orders are right. */
static bool compare_number(const struct at *at, uint32_t limit, bool (*passes)(int order))
{
    struct ref_number value, bound;
    if (!is(at, CUPEL_JSON_NUMBER))
        return true;
    return read_number(at->ref, instance_of(at), at->value, &value) &&
           read_number(at->ref, schema_of(at), limit, &bound) &&
           passes(ref_number_compare(&value, &bound));
}

static bool less(int order)
{
    return order < 0;
}

static bool at_most(int order)
{
    return order <= 0;
}

static bool at_least(int order)
{
    return order >= 0;
}

static bool greater(int order)
{
    return order > 0;
}

/* Whether the boolean of draft 4 beside a bound is true. */
static bool is_exclusive(const struct at *at, const char *name)
{
    uint32_t value = draft(at) == 4 ? get(at, name) : CUPEL_NO_NODE;
    return value != CUPEL_NO_NODE && cupel_json_boolean(schema_of(at), value) == 1;
}

static bool check_maximum(const struct at *at, uint32_t limit)
{
    return compare_number(at, limit, is_exclusive(at, "exclusiveMaximum") ? less : at_most);
}

static bool check_minimum(const struct at *at, uint32_t limit)
{
    return compare_number(at, limit, is_exclusive(at, "exclusiveMinimum") ? greater : at_least);
}

static bool check_exclusive_maximum(const struct at *at, uint32_t limit)
{
    return draft(at) == 4 || compare_number(at, limit, less);
}

static bool check_exclusive_minimum(const struct at *at, uint32_t limit)
{
    return draft(at) == 4 || compare_number(at, limit, greater);
}

static bool check_multiple_of(const struct at *at, uint32_t divisor)
{
    struct ref_number a, b;
    if (!is(at, CUPEL_JSON_NUMBER))
        return true;
    if (!read_number(at->ref, instance_of(at), at->value, &a) ||
        !read_number(at->ref, schema_of(at), divisor, &b))
        return false;
    int multiple = ref_number_is_multiple(&a, &b);
    if (multiple < 0)
        ref_give_up(at->ref, "division of numbers too far apart");
    return multiple == 1;
}

/* -- Strings (6.3) ---------------------------------------------------------------------------- */

static uint32_t length(const struct at *at)
{
    size_t len;
    uint32_t points = 0;
    const char *text = cupel_json_string(instance_of(at), at->value, &len);
    for (size_t i = 0; i < len; i++)
        points += ((unsigned char)text[i] & 0xc0) != 0x80;
    return points;
}

static bool check_max_length(const struct at *at, uint32_t limit)
{
    return !is(at, CUPEL_JSON_STRING) || compare_count(at, length(at), limit) <= 0;
}

static bool check_min_length(const struct at *at, uint32_t limit)
{
    return !is(at, CUPEL_JSON_STRING) || compare_count(at, length(at), limit) >= 0;
}

static bool check_pattern(const struct at *at, uint32_t pattern)
{
    size_t len;
    if (!is(at, CUPEL_JSON_STRING))
        return true;
    const char *text = cupel_json_string(instance_of(at), at->value, &len);
    return matches(at->ref, schema_of(at), pattern, text, len);
}

/* -- Arrays (6.4, core 10.3.1) ---------------------------------------------------------------- */

static bool check_count(const struct at *at, enum cupel_json_type type, uint32_t limit, int sign)
{
    return !is(at, type) ||
           sign * compare_count(at, cupel_json_count(instance_of(at), at->value), limit) <= 0;
}

static bool check_max_items(const struct at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_ARRAY, limit, 1);
}

static bool check_min_items(const struct at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_ARRAY, limit, -1);
}

static bool check_unique_items(const struct at *at, uint32_t value)
{
    struct cupel_document *doc = instance_of(at);
    if (!is(at, CUPEL_JSON_ARRAY) || cupel_json_boolean(schema_of(at), value) != 1)
        return true;
    bool unique = true;
    for (uint32_t a = cupel_json_first(doc, at->value); a != CUPEL_NO_NODE;
         a = cupel_json_next(doc, at->value, a))
        for (uint32_t b = cupel_json_next(doc, at->value, a); b != CUPEL_NO_NODE;
             b = cupel_json_next(doc, at->value, b))
            unique = !same(at->ref, doc, a, doc, b) && unique;
    return unique;
}

/* Applies one schema to the items from number `start` on, but not to those in `skip`. */
static bool apply_rest(const struct at *at, uint32_t schema, uint32_t start, const bool *skip)
{
    bool ok = true;
    uint32_t i = 0, item = cupel_json_first(instance_of(at), at->value);
    for (; item != CUPEL_NO_NODE; i++, item = cupel_json_next(instance_of(at), at->value, item)) {
        if (i < start || (skip != NULL && skip[i]))
            continue;
        ok = below(at, schema, item) && ok;
        at->seen[i] = true;
    }
    return ok;
}

static bool check_prefix_items(const struct at *at, uint32_t list)
{
    bool ok = true;
    if (!is(at, CUPEL_JSON_ARRAY))
        return true;
    uint32_t schema = cupel_json_first(schema_of(at), list);
    uint32_t i = 0, item = cupel_json_first(instance_of(at), at->value);
    while (schema != CUPEL_NO_NODE && item != CUPEL_NO_NODE) {
        ok = below(at, schema, item) && ok;
        at->seen[i++] = true;
        schema = cupel_json_next(schema_of(at), list, schema);
        item = cupel_json_next(instance_of(at), at->value, item);
    }
    return ok;
}

static bool check_items(const struct at *at, uint32_t value)
{
    uint32_t prefix = get(at, "prefixItems");
    if (!is(at, CUPEL_JSON_ARRAY))
        return true;
    if (cupel_json_type(schema_of(at), value) == CUPEL_JSON_ARRAY)
        return check_prefix_items(at, value);
    return apply_rest(at, value,
                      prefix != CUPEL_NO_NODE ? cupel_json_count(schema_of(at), prefix) : 0, NULL);
}

static bool check_additional_items(const struct at *at, uint32_t schema)
{
    uint32_t items = get(at, "items");
    if (!is(at, CUPEL_JSON_ARRAY) || items == CUPEL_NO_NODE ||
        cupel_json_type(schema_of(at), items) != CUPEL_JSON_ARRAY)
        return true;
    return apply_rest(at, schema, cupel_json_count(schema_of(at), items), NULL);
}

static bool check_contains(const struct at *at, uint32_t schema)
{
    uint32_t most = get(at, "maxContains"), least = get(at, "minContains"), found = 0, i = 0;
    if (!is(at, CUPEL_JSON_ARRAY))
        return true;
    uint32_t item = cupel_json_first(instance_of(at), at->value);
    for (; item != CUPEL_NO_NODE; i++, item = cupel_json_next(instance_of(at), at->value, item)) {
        if (!below(at, schema, item))
            continue;
        found++;
        at->seen[i] = at->seen[i] || draft(at) == 2020;
    }
    bool enough = least != CUPEL_NO_NODE ? compare_count(at, found, least) >= 0 : found > 0;
    return enough && (most == CUPEL_NO_NODE || compare_count(at, found, most) <= 0);
}

static bool check_unevaluated_items(const struct at *at, uint32_t schema)
{
    return !is(at, CUPEL_JSON_ARRAY) || apply_rest(at, schema, 0, at->seen);
}

/* -- Objects (6.5, core 10.3.2) --------------------------------------------------------------- */

static bool check_max_properties(const struct at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_OBJECT, limit, 1);
}

static bool check_min_properties(const struct at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_OBJECT, limit, -1);
}

/* The value of the instance's member that has the name of a string in the schema. */
static uint32_t named(const struct at *at, uint32_t name)
{
    size_t len;
    const char *text = cupel_json_string(schema_of(at), name, &len);
    return cupel_json_member(instance_of(at), at->value, text, len);
}

static bool check_required(const struct at *at, uint32_t names)
{
    bool all = true;
    if (!is(at, CUPEL_JSON_OBJECT))
        return true;
    uint32_t name = cupel_json_first(schema_of(at), names);
    for (; name != CUPEL_NO_NODE; name = cupel_json_next(schema_of(at), names, name))
        all = named(at, name) != CUPEL_NO_NODE && all;
    return all;
}

/* What a keyword that is a map asks for if the instance has a member of the name. */
static bool check_dependencies(const struct at *at, uint32_t map)
{
    struct cupel_document *doc = schema_of(at);
    bool ok = true;
    if (!is(at, CUPEL_JSON_OBJECT))
        return true;
    for (uint32_t k = cupel_json_first(doc, map); k != CUPEL_NO_NODE;
         k = next_member(doc, map, k)) {
        if (named(at, k) == CUPEL_NO_NODE)
            continue;
        bool names = cupel_json_type(doc, k + 1) == CUPEL_JSON_ARRAY;
        ok = (names ? check_required(at, k + 1) : here(at, k + 1)) && ok;
    }
    return ok;
}

static bool is_in_properties(const struct at *at, uint32_t key)
{
    size_t len;
    uint32_t map = get(at, "properties");
    const char *name = cupel_json_string(instance_of(at), key, &len);
    return map != CUPEL_NO_NODE &&
           cupel_json_member(schema_of(at), map, name, len) != CUPEL_NO_NODE;
}

static bool is_in_patterns(const struct at *at, uint32_t key)
{
    size_t len;
    uint32_t map = get(at, "patternProperties");
    const char *name = cupel_json_string(instance_of(at), key, &len);
    if (map == CUPEL_NO_NODE)
        return false;
    bool any = false;
    uint32_t k = cupel_json_first(schema_of(at), map);
    for (; k != CUPEL_NO_NODE; k = next_member(schema_of(at), map, k))
        any = matches(at->ref, schema_of(at), k, name, len) || any;
    return any;
}

static bool check_properties(const struct at *at, uint32_t map)
{
    bool ok = true;
    uint32_t i = 0, k = cupel_json_first(instance_of(at), at->value);
    if (!is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = next_member(instance_of(at), at->value, k)) {
        size_t len;
        const char *name = cupel_json_string(instance_of(at), k, &len);
        uint32_t schema = cupel_json_member(schema_of(at), map, name, len);
        if (schema == CUPEL_NO_NODE)
            continue;
        ok = below(at, schema, k + 1) && ok;
        at->seen[i] = true;
    }
    return ok;
}

static bool check_pattern_properties(const struct at *at, uint32_t map)
{
    bool ok = true;
    struct cupel_document *doc = schema_of(at);
    uint32_t i = 0, k = cupel_json_first(instance_of(at), at->value);
    if (!is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = next_member(instance_of(at), at->value, k)) {
        size_t len;
        const char *name = cupel_json_string(instance_of(at), k, &len);
        for (uint32_t p = cupel_json_first(doc, map); p != CUPEL_NO_NODE;
             p = next_member(doc, map, p)) {
            if (!matches(at->ref, doc, p, name, len))
                continue;
            ok = below(at, p + 1, k + 1) && ok;
            at->seen[i] = true;
        }
    }
    return ok;
}

static bool check_additional_properties(const struct at *at, uint32_t schema)
{
    bool ok = true;
    uint32_t i = 0, k = cupel_json_first(instance_of(at), at->value);
    if (!is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = next_member(instance_of(at), at->value, k)) {
        if (is_in_properties(at, k) || is_in_patterns(at, k))
            continue;
        ok = below(at, schema, k + 1) && ok;
        at->seen[i] = true;
    }
    return ok;
}

static bool check_property_names(const struct at *at, uint32_t schema)
{
    bool ok = true;
    uint32_t k = cupel_json_first(instance_of(at), at->value);
    if (!is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; k = next_member(instance_of(at), at->value, k))
        ok = below(at, schema, k) && ok;
    return ok;
}

static bool check_unevaluated_properties(const struct at *at, uint32_t schema)
{
    bool ok = true;
    uint32_t i = 0, k = cupel_json_first(instance_of(at), at->value);
    if (!is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = next_member(instance_of(at), at->value, k)) {
        if (at->seen[i])
            continue;
        ok = below(at, schema, k + 1) && ok;
        at->seen[i] = true;
    }
    return ok;
}

/* -- Logic (core 10.2) ------------------------------------------------------------------------ */

/* How many of a list of schemas pass. */
static uint32_t count_passing(const struct at *at, uint32_t list)
{
    uint32_t passing = 0, schema = cupel_json_first(schema_of(at), list);
    for (; schema != CUPEL_NO_NODE; schema = cupel_json_next(schema_of(at), list, schema))
        passing += here(at, schema);
    return passing;
}

static bool check_all_of(const struct at *at, uint32_t list)
{
    return count_passing(at, list) == cupel_json_count(schema_of(at), list);
}

static bool check_any_of(const struct at *at, uint32_t list)
{
    return count_passing(at, list) > 0;
}

static bool check_one_of(const struct at *at, uint32_t list)
{
    return count_passing(at, list) == 1;
}

static bool check_not(const struct at *at, uint32_t schema)
{
    return !below(at, schema, at->value);
}

static bool check_if(const struct at *at, uint32_t schema)
{
    uint32_t branch = get(at, here(at, schema) ? "then" : "else");
    return branch == CUPEL_NO_NODE || here(at, branch);
}

/* -- References (core 8.2.3) ------------------------------------------------------------------ */

static bool resolve(const struct at *at, uint32_t value, struct ref_place *ret,
                    const char **ret_name)
{
    if (ref_resolve(at->ref, at->place, value, ret, ret_name))
        return true;
    ref_give_up(at->ref, "reference does not resolve");
    return false;
}

static bool enter(const struct at *at, struct ref_place target)
{
    return apply(at->ref, target, &at->scope, at->depth + 1, at->value, at->seen);
}

static bool check_ref(const struct at *at, uint32_t value)
{
    struct ref_place target;
    const char *name;
    return resolve(at, value, &target, &name) && enter(at, target);
}

static bool check_dynamic_ref(const struct at *at, uint32_t value)
{
    struct ref_place target;
    const char *name;
    if (!resolve(at, value, &target, &name))
        return false;
    const struct ref_anchor *a =
        name != NULL ? ref_dynamic_anchor(at->ref, target.resource, name) : NULL;
    if (a == NULL || a->node != target.node)
        return enter(at, target);
    for (const struct scope *s = &at->scope; s != NULL; s = s->outer) {
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

static bool check_recursive_ref(const struct at *at, uint32_t value)
{
    struct ref_resource *target = at->place.resource;
    (void)value;
    if (is_recursive(target))
        for (const struct scope *s = &at->scope; s != NULL; s = s->outer)
            target = is_recursive(s->resource) ? s->resource : target;
    return enter(at, (struct ref_place){target, target->node});
}

/* -- All keywords ----------------------------------------------------------------------------- */

struct keyword {
    const char *name;
    int first, last; /* the drafts that have it */
    enum ref_vocabulary vocabulary;
    enum ref_shape shape;
    bool (*check)(const struct at *at, uint32_t value);
};

/* `unevaluated…` come last and are checked last; what has no function only says something to
 * another keyword, or to nobody. */
static const struct keyword keywords[] = {
    {"$id", 6, 2020, REF_CORE, REF_NONE, NULL},
    {"id", 4, 4, REF_CORE, REF_NONE, NULL},
    {"$anchor", 2019, 2020, REF_CORE, REF_NONE, NULL},
    {"$dynamicAnchor", 2020, 2020, REF_CORE, REF_NONE, NULL},
    {"$recursiveAnchor", 2019, 2019, REF_CORE, REF_NONE, NULL},
    {"$defs", 2019, 2020, REF_CORE, REF_MAP, NULL},
    {"definitions", 4, 2020, REF_CORE, REF_MAP, NULL},
    {"$ref", 4, 2020, REF_CORE, REF_NONE, check_ref},
    {"$dynamicRef", 2020, 2020, REF_CORE, REF_NONE, check_dynamic_ref},
    {"$recursiveRef", 2019, 2019, REF_CORE, REF_NONE, check_recursive_ref},
    {"allOf", 4, 2020, REF_APPLICATOR, REF_LIST, check_all_of},
    {"anyOf", 4, 2020, REF_APPLICATOR, REF_LIST, check_any_of},
    {"oneOf", 4, 2020, REF_APPLICATOR, REF_LIST, check_one_of},
    {"not", 4, 2020, REF_APPLICATOR, REF_SCHEMA, check_not},
    {"if", 7, 2020, REF_APPLICATOR, REF_SCHEMA, check_if},
    {"then", 7, 2020, REF_APPLICATOR, REF_SCHEMA, NULL},
    {"else", 7, 2020, REF_APPLICATOR, REF_SCHEMA, NULL},
    {"dependentSchemas", 2019, 2020, REF_APPLICATOR, REF_MAP, check_dependencies},
    {"dependencies", 4, 2020, REF_APPLICATOR, REF_MAP, check_dependencies},
    {"prefixItems", 2020, 2020, REF_APPLICATOR, REF_LIST, check_prefix_items},
    {"items", 4, 2020, REF_APPLICATOR, REF_MIXED, check_items},
    {"additionalItems", 4, 2019, REF_APPLICATOR, REF_SCHEMA, check_additional_items},
    {"contains", 6, 2020, REF_APPLICATOR, REF_SCHEMA, check_contains},
    {"properties", 4, 2020, REF_APPLICATOR, REF_MAP, check_properties},
    {"patternProperties", 4, 2020, REF_APPLICATOR, REF_MAP, check_pattern_properties},
    {"additionalProperties", 4, 2020, REF_APPLICATOR, REF_SCHEMA, check_additional_properties},
    {"propertyNames", 6, 2020, REF_APPLICATOR, REF_SCHEMA, check_property_names},
    {"type", 4, 2020, REF_VALIDATION, REF_NONE, check_type},
    {"enum", 4, 2020, REF_VALIDATION, REF_NONE, check_enum},
    {"const", 6, 2020, REF_VALIDATION, REF_NONE, check_const},
    {"multipleOf", 4, 2020, REF_VALIDATION, REF_NONE, check_multiple_of},
    {"maximum", 4, 2020, REF_VALIDATION, REF_NONE, check_maximum},
    {"exclusiveMaximum", 4, 2020, REF_VALIDATION, REF_NONE, check_exclusive_maximum},
    {"minimum", 4, 2020, REF_VALIDATION, REF_NONE, check_minimum},
    {"exclusiveMinimum", 4, 2020, REF_VALIDATION, REF_NONE, check_exclusive_minimum},
    {"maxLength", 4, 2020, REF_VALIDATION, REF_NONE, check_max_length},
    {"minLength", 4, 2020, REF_VALIDATION, REF_NONE, check_min_length},
    {"pattern", 4, 2020, REF_VALIDATION, REF_NONE, check_pattern},
    {"maxItems", 4, 2020, REF_VALIDATION, REF_NONE, check_max_items},
    {"minItems", 4, 2020, REF_VALIDATION, REF_NONE, check_min_items},
    {"uniqueItems", 4, 2020, REF_VALIDATION, REF_NONE, check_unique_items},
    {"maxContains", 2019, 2020, REF_VALIDATION, REF_NONE, NULL},
    {"minContains", 2019, 2020, REF_VALIDATION, REF_NONE, NULL},
    {"maxProperties", 4, 2020, REF_VALIDATION, REF_NONE, check_max_properties},
    {"minProperties", 4, 2020, REF_VALIDATION, REF_NONE, check_min_properties},
    {"required", 4, 2020, REF_VALIDATION, REF_NONE, check_required},
    {"dependentRequired", 2019, 2020, REF_VALIDATION, REF_NONE, check_dependencies},
    {"contentSchema", 2019, 2020, REF_CORE, REF_SCHEMA, NULL},
    {"unevaluatedItems", 2019, 2020, REF_UNEVALUATED, REF_SCHEMA, check_unevaluated_items},
    {"unevaluatedProperties", 2019, 2020, REF_UNEVALUATED, REF_SCHEMA,
     check_unevaluated_properties},
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
static bool check_keywords(const struct at *at, bool unevaluated)
{
    struct cupel_document *doc = schema_of(at);
    bool ok = true;
    uint32_t key = cupel_json_first(doc, at->place.node);
    for (; key != CUPEL_NO_NODE; key = next_member(doc, at->place.node, key)) {
        size_t len;
        const char *name = cupel_json_string(doc, key, &len);
        const struct keyword *k = find(&at->place.resource->dialect, name, len);
        if (k != NULL && k->check != NULL && (k->vocabulary == REF_UNEVALUATED) == unevaluated)
            ok = k->check(at, key + 1) && ok;
    }
    return ok;
}

static bool apply_object(const struct at *at)
{
    uint32_t ref = draft(at) <= 7 ? get(at, "$ref") : CUPEL_NO_NODE;
    if (ref != CUPEL_NO_NODE && cupel_json_type(schema_of(at), ref) == CUPEL_JSON_STRING)
        return check_ref(at, ref);
    bool ok = check_keywords(at, false);
    return check_keywords(at, true) && ok;
}

/* A boolean schema, or an object with what it evaluates; a schema that fails evaluates nothing. */
static bool apply(struct reference *ref, struct ref_place place, const struct scope *outer,
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
    struct at at = {ref, place, {place.resource, outer}, depth, value, NULL};
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
    for (struct ref_pattern *p = ref->patterns; p != NULL; p = p->next)
        pcre2_code_free(p->code);
    ref_close(ref);
    free(ref);
}

enum reference_verdict reference_judge(struct reference *ref, struct cupel_document *doc,
                                       uint32_t node, const char **ret_why)
{
    ref->instance = doc;
    ref->left = MOST;
    ref->gave_up = NULL;
    bool ok = apply(ref, ref->root, NULL, 0, node, NULL);
    if (ref->gave_up != NULL) {
        *ret_why = ref->gave_up;
        return REFERENCE_UNKNOWN;
    }
    return ok ? REFERENCE_VALID : REFERENCE_INVALID;
}
