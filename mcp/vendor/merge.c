/* merge.c: merges the target of a reference with the keywords beside the reference into one object.
 *
 * If both have the same keyword, one of the two values is written.  For numeric bounds that is the
 * tighter one, which implies the other, so nothing is lost.  Numbers are compared exactly, by their
 * decimal digits.
 *
 * For example {"$ref": "#/$defs/d", "minimum": 3} with d = {"type": "integer", "minimum": 1} is
 * written as {"type": "integer", "minimum": 3}. */
#include "mcp/json/number_text.h"
#include "mcp/vendor/pass.h"

#include <string.h>

/* -- Siblings --------------------------------------------------------------------------------- */

static struct cupel__target_frame *top(struct cupel__target_pass *pass)
{
    return &pass->frames[pass->depth - 1];
}

/* The index keeps the first value of each name: keywords nearer to the object win. */
void cupel__target_add_siblings(struct cupel__target_pass *pass)
{
    const struct cupel__target_frame *frame = top(pass);
    struct cupel__target_frame *written = &pass->frames[frame->written];
    if (written->owner == 0)
        written->owner = CUPEL__FIRST_OWNER + pass->owners++;
    uint32_t key = cupel_json_first(pass->doc, frame->node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(pass->doc, frame->node, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(pass->doc, key, &len);
        cupel__member_index_add(&pass->index, written->owner, name, len, key + 1);
    }
    if (pass->index.failed)
        pass->status = CUPEL_E_NO_MEMORY;
}

/* Only a merged schema has siblings. */
uint32_t cupel__target_sibling(struct cupel__target_pass *pass, const char *name, size_t len)
{
    const struct cupel__target_frame *frame = top(pass);
    if (!frame->merged)
        return CUPEL_NO_NODE;
    uint32_t found =
        cupel__member_index_find(&pass->index, pass->frames[frame->written].owner, name, len);
    /* The members of this frame are siblings too once its own reference is followed. */
    return found != cupel__target_member(pass, frame->node, name, len) ? found : CUPEL_NO_NODE;
}

/* -- Bounds ----------------------------------------------------------------------------------- */

/* Returns 1 for a lower bound, -1 for an upper one, 0 for another keyword. */
static int bound_side(const char *name, size_t len)
{
    static const struct {
        const char *name;
        int side;
    } bounds[] = {{"minimum", 1},           {"exclusiveMinimum", 1}, {"minLength", 1},
                  {"minItems", 1},          {"minProperties", 1},    {"maximum", -1},
                  {"exclusiveMaximum", -1}, {"maxLength", -1},       {"maxItems", -1},
                  {"maxProperties", -1}};
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
        if (strlen(bounds[i].name) == len && memcmp(bounds[i].name, name, len) == 0)
            return bounds[i].side;
    return 0;
}

bool cupel__target_is_bound(const char *name, size_t len)
{
    return bound_side(name, len) != 0;
}

enum { DIGITS = 400 };

/* ±0.DIGITS × 10^point */
struct number {
    bool negative;
    int count; /* of digits; 0: zero */
    int64_t point;
    uint8_t digits[DIGITS];
};

/* Reads a number; false for another type, or a number with more than DIGITS digits. */
static bool read_number(const struct cupel__target_pass *pass, uint32_t node, struct number *ret)
{
    size_t len;
    bool cut;
    if (cupel_json_type(pass->doc, node) != CUPEL_JSON_NUMBER)
        return false;
    const char *lexeme = cupel_json_span(pass->doc, node, &len);
    if (!cupel__number_is_json(lexeme, len))
        return false;
    ret->negative =
        cupel__number_digits(lexeme, len, ret->digits, DIGITS, &ret->count, &ret->point, &cut);
    return !cut;
}

/* Compares absolute values. */
static int compare_sizes(const struct number *a, const struct number *b)
{
    if (a->count == 0 || b->count == 0)
        return (a->count != 0) - (b->count != 0);
    if (a->point != b->point)
        return a->point > b->point ? 1 : -1;
    int order = memcmp(a->digits, b->digits, (size_t)(a->count < b->count ? a->count : b->count));
    return order != 0 ? order : a->count - b->count;
}

static int compare_numbers(const struct number *a, const struct number *b)
{
    bool below_a = a->negative && a->count != 0, below_b = b->negative && b->count != 0;
    if (below_a != below_b)
        return below_a ? -1 : 1;
    return below_a ? compare_sizes(b, a) : compare_sizes(a, b);
}

/* Whether a bound is at least as tight as another one. */
static bool is_as_tight(const struct cupel__target_pass *pass, uint32_t bound, uint32_t other,
                        int side)
{
    struct number a, b;
    return read_number(pass, bound, &a) && read_number(pass, other, &b) &&
           compare_numbers(&a, &b) * side >= 0;
}

/* References that are followed in search of a tighter bound; a chain can be a cycle. */
enum { MOST_HOPS = 64 };

/* Follows the chain of references from the schema and compares the bound of each target. */
uint32_t cupel__target_tightest(struct cupel__target_pass *pass, uint32_t schema, uint32_t value,
                                const char *name, size_t len)
{
    int side = bound_side(name, len);
    for (int hops = 0; hops < MOST_HOPS && pass->steps != 0; hops++, pass->steps--) {
        const char *pointer;
        size_t n;
        uint32_t reference = cupel__target_member(pass, schema, "$ref", 4);
        if (reference == CUPEL_NO_NODE || cupel__target_is_resource(pass, schema))
            break;
        schema = cupel__target_resolve(pass, reference, &pointer, &n);
        if (schema == CUPEL_NO_NODE || cupel_json_type(pass->doc, schema) != CUPEL_JSON_OBJECT)
            break;
        uint32_t other = cupel__target_member(pass, schema, name, len);
        if (other != CUPEL_NO_NODE && is_as_tight(pass, other, value, side))
            value = other;
    }
    return value;
}

bool cupel__target_covers(struct cupel__target_pass *pass, uint32_t beside, uint32_t here,
                          const char *name, size_t len)
{
    if (cupel_json_equal(pass->doc, beside, pass->doc, here) == 1)
        return true;
    int side = bound_side(name, len);
    return side != 0 && top(pass)->hops <= MOST_HOPS &&
           (is_as_tight(pass, beside, here, side) || is_as_tight(pass, here, beside, side));
}

/* -- Required properties ---------------------------------------------------------------------- */

/* Adds the names in an array to a set; false when out of memory. */
static bool add_names(struct cupel__target_pass *pass, struct cupel__mcp_names *names,
                      uint32_t array)
{
    if (array == CUPEL_NO_NODE || cupel_json_type(pass->doc, array) != CUPEL_JSON_ARRAY)
        return true;
    if (!cupel__mcp_names_reserve(names, cupel_json_count(pass->doc, array)))
        return false;
    uint32_t node = cupel_json_first(pass->doc, array);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(pass->doc, array, node)) {
        size_t len;
        const char *name = cupel_json_string(pass->doc, node, &len);
        if (name != NULL && cupel__mcp_names_find(names, name, len) == NULL)
            cupel__mcp_names_put(names, name, len, node);
    }
    return true;
}

/* Marks the properties whose keys are in the set; returns their number. */
static size_t mark_keys(struct cupel__target_pass *pass, const struct cupel__mcp_names *names,
                        uint32_t properties)
{
    size_t count = 0;
    if (properties == CUPEL_NO_NODE || cupel_json_type(pass->doc, properties) != CUPEL_JSON_OBJECT)
        return 0;
    uint32_t key = cupel_json_first(pass->doc, properties);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(pass->doc, properties, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(pass->doc, key, &len);
        bool required = cupel__mcp_names_find(names, name, len) != NULL;
        cupel__target_set(pass, CUPEL__TARGET_REQUIRED, key, required);
        count += required;
    }
    return count;
}

/* Reports a required name without a property, at the schema's `required`. */
static void report_undeclared(struct cupel__target_pass *pass, uint32_t node)
{
    uint32_t value = top(pass)->value;
    top(pass)->value = CUPEL_NO_NODE;
    cupel__target_report(pass, CUPEL__RULE_TARGET_REQUIRED, CUPEL__TARGET_LOST, node, "required",
                         "%s takes no required property that is not declared",
                         cupel__target_name(pass->target));
    top(pass)->value = value;
}

/* A set of names, because each property is looked up: lists can be as long as the schema. */
void cupel__target_mark_required(struct cupel__target_pass *pass, uint32_t properties)
{
    struct cupel__mcp_names names = {.alloc = pass->alloc};
    uint32_t here = cupel__target_member(pass, top(pass)->node, "required", 8);
    uint32_t beside = cupel__target_sibling(pass, "required", 8);
    cupel__mcp_hash_key(NULL, names.key);
    if (!add_names(pass, &names, here) || !add_names(pass, &names, beside))
        pass->status = CUPEL_E_NO_MEMORY;
    else if (mark_keys(pass, &names, properties) < names.count)
        report_undeclared(pass, here != CUPEL_NO_NODE ? here : beside);
    cupel__mcp_names_free(&names);
}
