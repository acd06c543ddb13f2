/* reference_applicators.c: keywords of the reference evaluator that apply schemas, and what they
 * evaluate by it (core 2020-12 sections 10 and 11). */
#include "reference_internal.h"

/* -- Arrays (core 10.3.1) ---------------------------------------------------------------------- */

/* Applies one schema to the items from number `start` on, but not to those in `skip`. */
static bool apply_rest(const struct ref_at *at, uint32_t schema, uint32_t start, const bool *skip)
{
    bool ok = true;
    uint32_t i = 0, item = cupel_json_first(ref_instance_doc(at), at->value);
    for (; item != CUPEL_NO_NODE;
         i++, item = cupel_json_next(ref_instance_doc(at), at->value, item)) {
        if (i < start || (skip != NULL && skip[i]))
            continue;
        ok = ref_below(at, schema, item) && ok;
        at->seen[i] = true;
    }
    return ok;
}

bool ref_check_prefix_items(const struct ref_at *at, uint32_t list)
{
    bool ok = true;
    if (!ref_is(at, CUPEL_JSON_ARRAY))
        return true;
    uint32_t schema = cupel_json_first(ref_schema_doc(at), list);
    uint32_t i = 0, item = cupel_json_first(ref_instance_doc(at), at->value);
    while (schema != CUPEL_NO_NODE && item != CUPEL_NO_NODE) {
        ok = ref_below(at, schema, item) && ok;
        at->seen[i++] = true;
        schema = cupel_json_next(ref_schema_doc(at), list, schema);
        item = cupel_json_next(ref_instance_doc(at), at->value, item);
    }
    return ok;
}

bool ref_check_items(const struct ref_at *at, uint32_t value)
{
    uint32_t prefix = ref_get(at, "prefixItems");
    if (!ref_is(at, CUPEL_JSON_ARRAY))
        return true;
    if (cupel_json_type(ref_schema_doc(at), value) == CUPEL_JSON_ARRAY)
        return ref_check_prefix_items(at, value);
    return apply_rest(at, value,
                      prefix != CUPEL_NO_NODE ? cupel_json_count(ref_schema_doc(at), prefix) : 0,
                      NULL);
}

bool ref_check_additional_items(const struct ref_at *at, uint32_t schema)
{
    uint32_t items = ref_get(at, "items");
    if (!ref_is(at, CUPEL_JSON_ARRAY) || items == CUPEL_NO_NODE ||
        cupel_json_type(ref_schema_doc(at), items) != CUPEL_JSON_ARRAY)
        return true;
    return apply_rest(at, schema, cupel_json_count(ref_schema_doc(at), items), NULL);
}

bool ref_check_contains(const struct ref_at *at, uint32_t schema)
{
    uint32_t most = ref_get(at, "maxContains"), least = ref_get(at, "minContains"), found = 0,
             i = 0;
    if (!ref_is(at, CUPEL_JSON_ARRAY))
        return true;
    uint32_t item = cupel_json_first(ref_instance_doc(at), at->value);
    for (; item != CUPEL_NO_NODE;
         i++, item = cupel_json_next(ref_instance_doc(at), at->value, item)) {
        if (!ref_below(at, schema, item))
            continue;
        found++;
        at->seen[i] = at->seen[i] || ref_draft(at) >= 2020;
    }
    bool enough = least != CUPEL_NO_NODE ? ref_compare_count(at, found, least) >= 0 : found > 0;
    return enough && (most == CUPEL_NO_NODE || ref_compare_count(at, found, most) <= 0);
}

bool ref_check_unevaluated_items(const struct ref_at *at, uint32_t schema)
{
    return !ref_is(at, CUPEL_JSON_ARRAY) || apply_rest(at, schema, 0, at->seen);
}

/* -- Objects (core 10.3.2) --------------------------------------------------------------------- */

static bool is_in_properties(const struct ref_at *at, uint32_t key)
{
    size_t len;
    uint32_t map = ref_get(at, "properties");
    const char *name = cupel_json_string(ref_instance_doc(at), key, &len);
    return map != CUPEL_NO_NODE &&
           cupel_json_member(ref_schema_doc(at), map, name, len) != CUPEL_NO_NODE;
}

static bool is_in_patterns(const struct ref_at *at, uint32_t key)
{
    size_t len;
    uint32_t map = ref_get(at, "patternProperties");
    const char *name = cupel_json_string(ref_instance_doc(at), key, &len);
    if (map == CUPEL_NO_NODE)
        return false;
    bool any = false;
    uint32_t k = cupel_json_first(ref_schema_doc(at), map);
    for (; k != CUPEL_NO_NODE; k = ref_next_member(ref_schema_doc(at), map, k))
        any = ref_matches(at->ref, ref_schema_doc(at), k, name, len) || any;
    return any;
}

bool ref_check_properties(const struct ref_at *at, uint32_t map)
{
    bool ok = true;
    uint32_t i = 0, k = cupel_json_first(ref_instance_doc(at), at->value);
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = ref_next_member(ref_instance_doc(at), at->value, k)) {
        size_t len;
        const char *name = cupel_json_string(ref_instance_doc(at), k, &len);
        uint32_t schema = cupel_json_member(ref_schema_doc(at), map, name, len);
        if (schema == CUPEL_NO_NODE)
            continue;
        ok = ref_below(at, schema, k + 1) && ok;
        at->seen[i] = true;
    }
    return ok;
}

bool ref_check_pattern_properties(const struct ref_at *at, uint32_t map)
{
    bool ok = true;
    struct cupel_document *doc = ref_schema_doc(at);
    uint32_t i = 0, k = cupel_json_first(ref_instance_doc(at), at->value);
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = ref_next_member(ref_instance_doc(at), at->value, k)) {
        size_t len;
        const char *name = cupel_json_string(ref_instance_doc(at), k, &len);
        for (uint32_t p = cupel_json_first(doc, map); p != CUPEL_NO_NODE;
             p = ref_next_member(doc, map, p)) {
            if (!ref_matches(at->ref, doc, p, name, len))
                continue;
            ok = ref_below(at, p + 1, k + 1) && ok;
            at->seen[i] = true;
        }
    }
    return ok;
}

bool ref_check_additional_properties(const struct ref_at *at, uint32_t schema)
{
    bool ok = true;
    uint32_t i = 0, k = cupel_json_first(ref_instance_doc(at), at->value);
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = ref_next_member(ref_instance_doc(at), at->value, k)) {
        if (is_in_properties(at, k) || is_in_patterns(at, k))
            continue;
        ok = ref_below(at, schema, k + 1) && ok;
        at->seen[i] = true;
    }
    return ok;
}

bool ref_check_property_names(const struct ref_at *at, uint32_t schema)
{
    bool ok = true;
    uint32_t k = cupel_json_first(ref_instance_doc(at), at->value);
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; k = ref_next_member(ref_instance_doc(at), at->value, k))
        ok = ref_below(at, schema, k) && ok;
    return ok;
}

bool ref_check_unevaluated_properties(const struct ref_at *at, uint32_t schema)
{
    bool ok = true;
    uint32_t i = 0, k = cupel_json_first(ref_instance_doc(at), at->value);
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    for (; k != CUPEL_NO_NODE; i++, k = ref_next_member(ref_instance_doc(at), at->value, k)) {
        if (at->seen[i])
            continue;
        ok = ref_below(at, schema, k + 1) && ok;
        at->seen[i] = true;
    }
    return ok;
}

/* -- Logic (core 10.2) ------------------------------------------------------------------------ */

/* How many of a list of schemas pass. */
static uint32_t count_passing(const struct ref_at *at, uint32_t list)
{
    uint32_t passing = 0, schema = cupel_json_first(ref_schema_doc(at), list);
    for (; schema != CUPEL_NO_NODE; schema = cupel_json_next(ref_schema_doc(at), list, schema))
        passing += ref_here(at, schema);
    return passing;
}

bool ref_check_all_of(const struct ref_at *at, uint32_t list)
{
    return count_passing(at, list) == cupel_json_count(ref_schema_doc(at), list);
}

bool ref_check_any_of(const struct ref_at *at, uint32_t list)
{
    return count_passing(at, list) > 0;
}

bool ref_check_one_of(const struct ref_at *at, uint32_t list)
{
    return count_passing(at, list) == 1;
}

bool ref_check_not(const struct ref_at *at, uint32_t schema)
{
    return !ref_below(at, schema, at->value);
}

bool ref_check_if(const struct ref_at *at, uint32_t schema)
{
    uint32_t branch = ref_get(at, ref_here(at, schema) ? "then" : "else");
    return branch == CUPEL_NO_NODE || ref_here(at, branch);
}

/* A proposal to v1: by the name of a member, by its value if that is a string. */
bool ref_check_property_dependencies(const struct ref_at *at, uint32_t maps)
{
    struct cupel_document *doc = ref_schema_doc(at), *instance = ref_instance_doc(at);
    bool ok = true;
    if (!ref_is(at, CUPEL_JSON_OBJECT))
        return true;
    for (uint32_t k = cupel_json_first(doc, maps); k != CUPEL_NO_NODE;
         k = ref_next_member(doc, maps, k)) {
        size_t len;
        const char *name = cupel_json_string(doc, k, &len);
        uint32_t value = cupel_json_member(instance, at->value, name, len);
        if (value == CUPEL_NO_NODE || cupel_json_type(instance, value) != CUPEL_JSON_STRING)
            continue;
        name = cupel_json_string(instance, value, &len);
        uint32_t schema = cupel_json_member(doc, k + 1, name, len);
        ok = (schema == CUPEL_NO_NODE || ref_here(at, schema)) && ok;
    }
    return ok;
}
