/* reference_validation.c: the assertions of the reference evaluator (validation 2020-12 section 6,
 * and what older drafts have in their place). */
#include "reference_internal.h"

#include <string.h>

/* -- Any type (validation 6.1) ---------------------------------------------------------------- */

static bool is_integer(const struct ref_at *at)
{
    struct ref_number n;
    size_t len;
    const char *text = cupel_json_span(ref_instance_doc(at), at->value, &len);
    /* Draft 4 core 3.5: an integer is written without fraction and exponent. */
    if (ref_draft(at) == 4)
        return memchr(text, '.', len) == NULL && memchr(text, 'e', len) == NULL &&
               memchr(text, 'E', len) == NULL;
    return ref_read_number(at->ref, ref_instance_doc(at), at->value, &n) &&
           ref_number_is_integer(&n);
}

static bool has_type(const struct ref_at *at, uint32_t name)
{
    static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};
    enum cupel_json_type type = cupel_json_type(ref_instance_doc(at), at->value);
    if (cupel_json_is(ref_schema_doc(at), name, "integer"))
        return type == CUPEL_JSON_NUMBER && is_integer(at);
    return cupel_json_is(ref_schema_doc(at), name, names[type]);
}

bool ref_check_type(const struct ref_at *at, uint32_t types)
{
    const struct cupel_document *doc = ref_schema_doc(at);
    if (cupel_json_type(doc, types) == CUPEL_JSON_STRING)
        return has_type(at, types);
    bool any = false;
    uint32_t name = cupel_json_first(doc, types);
    for (; name != CUPEL_NO_NODE; name = cupel_json_next(doc, types, name))
        any = has_type(at, name) || any;
    return any;
}

bool ref_check_const(const struct ref_at *at, uint32_t value)
{
    return ref_same(at->ref, ref_schema_doc(at), value, ref_instance_doc(at), at->value);
}

bool ref_check_enum(const struct ref_at *at, uint32_t values)
{
    bool any = false;
    uint32_t value = cupel_json_first(ref_schema_doc(at), values);
    for (; value != CUPEL_NO_NODE; value = cupel_json_next(ref_schema_doc(at), values, value))
        any = ref_check_const(at, value) || any;
    return any;
}

/* -- Numbers (6.2) ---------------------------------------------------------------------------- */

/* How the value compares with the number `limit`; `passes` says which orders are right. */
static bool compare_number(const struct ref_at *at, uint32_t limit, bool (*passes)(int order))
{
    struct ref_number value, bound;
    if (!ref_is(at, CUPEL_JSON_NUMBER))
        return true;
    return ref_read_number(at->ref, ref_instance_doc(at), at->value, &value) &&
           ref_read_number(at->ref, ref_schema_doc(at), limit, &bound) &&
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
static bool is_exclusive(const struct ref_at *at, const char *name)
{
    uint32_t value = ref_draft(at) == 4 ? ref_get(at, name) : CUPEL_NO_NODE;
    return value != CUPEL_NO_NODE && cupel_json_boolean(ref_schema_doc(at), value) == 1;
}

bool ref_check_maximum(const struct ref_at *at, uint32_t limit)
{
    return compare_number(at, limit, is_exclusive(at, "exclusiveMaximum") ? less : at_most);
}

bool ref_check_minimum(const struct ref_at *at, uint32_t limit)
{
    return compare_number(at, limit, is_exclusive(at, "exclusiveMinimum") ? greater : at_least);
}

bool ref_check_exclusive_maximum(const struct ref_at *at, uint32_t limit)
{
    return ref_draft(at) == 4 || compare_number(at, limit, less);
}

bool ref_check_exclusive_minimum(const struct ref_at *at, uint32_t limit)
{
    return ref_draft(at) == 4 || compare_number(at, limit, greater);
}

bool ref_check_multiple_of(const struct ref_at *at, uint32_t divisor)
{
    struct ref_number a, b;
    if (!ref_is(at, CUPEL_JSON_NUMBER))
        return true;
    if (!ref_read_number(at->ref, ref_instance_doc(at), at->value, &a) ||
        !ref_read_number(at->ref, ref_schema_doc(at), divisor, &b))
        return false;
    int multiple = ref_number_is_multiple(&a, &b);
    if (multiple < 0)
        ref_give_up(at->ref, "division of numbers too far apart");
    return multiple == 1;
}

/* -- Strings (6.3) ---------------------------------------------------------------------------- */

static uint32_t length(const struct ref_at *at)
{
    size_t len;
    uint32_t points = 0;
    const char *text = cupel_json_string(ref_instance_doc(at), at->value, &len);
    for (size_t i = 0; i < len; i++)
        points += ((unsigned char)text[i] & 0xc0) != 0x80;
    return points;
}

bool ref_check_max_length(const struct ref_at *at, uint32_t limit)
{
    return !ref_is(at, CUPEL_JSON_STRING) || ref_compare_count(at, length(at), limit) <= 0;
}

bool ref_check_min_length(const struct ref_at *at, uint32_t limit)
{
    return !ref_is(at, CUPEL_JSON_STRING) || ref_compare_count(at, length(at), limit) >= 0;
}

bool ref_check_pattern(const struct ref_at *at, uint32_t pattern)
{
    size_t len;
    if (!ref_is(at, CUPEL_JSON_STRING))
        return true;
    const char *text = cupel_json_string(ref_instance_doc(at), at->value, &len);
    return ref_matches(at->ref, ref_schema_doc(at), pattern, text, len);
}

/* -- Arrays (6.4) ------------------------------------------------------------------------------ */

/* Whether a count is at most (sign 1) or at least (sign -1) the limit. */
static bool check_count(const struct ref_at *at, enum cupel_json_type type, uint32_t limit,
                        int sign)
{
    uint32_t count = cupel_json_count(ref_instance_doc(at), at->value);
    return !ref_is(at, type) || sign * ref_compare_count(at, count, limit) <= 0;
}

bool ref_check_max_items(const struct ref_at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_ARRAY, limit, 1);
}

bool ref_check_min_items(const struct ref_at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_ARRAY, limit, -1);
}

bool ref_check_unique_items(const struct ref_at *at, uint32_t value)
{
    struct cupel_document *doc = ref_instance_doc(at);
    if (!ref_is(at, CUPEL_JSON_ARRAY) || cupel_json_boolean(ref_schema_doc(at), value) != 1)
        return true;
    bool unique = true;
    for (uint32_t a = cupel_json_first(doc, at->value); a != CUPEL_NO_NODE;
         a = cupel_json_next(doc, at->value, a))
        for (uint32_t b = cupel_json_next(doc, at->value, a); b != CUPEL_NO_NODE;
             b = cupel_json_next(doc, at->value, b))
            unique = !ref_same(at->ref, doc, a, doc, b) && unique;
    return unique;
}

/* -- Objects (6.5) ----------------------------------------------------------------------------- */

bool ref_check_max_properties(const struct ref_at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_OBJECT, limit, 1);
}

bool ref_check_min_properties(const struct ref_at *at, uint32_t limit)
{
    return check_count(at, CUPEL_JSON_OBJECT, limit, -1);
}

/* The value of the instance's member that has the name of a string in the schema. */
static uint32_t named(const struct ref_at *at, uint32_t name)
{
    size_t len;
    const char *text = cupel_json_string(ref_schema_doc(at), name, &len);
    return cupel_json_member(ref_instance_doc(at), at->value, text, len);
}

bool ref_check_required(const struct ref_at *at, uint32_t names)
{
    bool all = true;
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    uint32_t name = cupel_json_first(ref_schema_doc(at), names);
    for (; name != CUPEL_NO_NODE; name = cupel_json_next(ref_schema_doc(at), names, name))
        all = named(at, name) != CUPEL_NO_NODE && all;
    return all;
}

/* What a keyword that is a map asks for if the instance has a member of the name. */
bool ref_check_dependencies(const struct ref_at *at, uint32_t map)
{
    struct cupel_document *doc = ref_schema_doc(at);
    bool ok = true;
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    for (uint32_t k = cupel_json_first(doc, map); k != CUPEL_NO_NODE;
         k = ref_next_member(doc, map, k)) {
        if (named(at, k) == CUPEL_NO_NODE)
            continue;
        bool names = cupel_json_type(doc, k + 1) == CUPEL_JSON_ARRAY;
        ok = (names ? ref_check_required(at, k + 1) : ref_here(at, k + 1)) && ok;
    }
    return ok;
}
