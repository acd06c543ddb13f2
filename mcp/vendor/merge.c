/* merge.c: what stands beside a reference and what the reference leads to, as one object.
 * Where both say something by the same keyword, one of the two is written. */
#include "mcp/support/number_text.h"
#include "mcp/vendor/target.h"

#include <string.h>

/* -- What stands beside ----------------------------------------------------------------------- */

static struct cupel__target_frame *top(struct cupel__target_walk *walk)
{
    return &walk->frames[walk->depth - 1];
}

void cupel__target_note_members(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = top(walk);
    struct cupel__target_frame *written = &walk->frames[frame->written];
    if (written->owner == 0)
        written->owner = CUPEL__MCP_OWNERS + walk->owners++;
    uint32_t key = cupel_json_first(walk->doc, frame->node);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(walk->doc, frame->node, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(walk->doc, key, &len);
        cupel__mcp_index_put(&walk->index, written->owner, name, len, key + 1);
    }
    if (walk->index.failed)
        walk->status = CUPEL_E_NO_MEMORY;
}

uint32_t cupel__target_beside(struct cupel__target_walk *walk, const char *name, size_t len)
{
    const struct cupel__target_frame *frame = top(walk);
    if (!frame->merged)
        return CUPEL_NO_NODE;
    uint32_t found =
        cupel__mcp_index_find(&walk->index, walk->frames[frame->written].owner, name, len);
    /* The members here are noted too once another reference is followed from here. */
    return found != cupel__target_member(walk, frame->node, name, len) ? found : CUPEL_NO_NODE;
}

/* -- Bounds ----------------------------------------------------------------------------------- */

/* 1 for a lower bound, -1 for an upper one, 0 for no bound. */
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

struct number {
    bool negative;
    int count; /* of digits; 0: zero */
    int64_t point;
    uint8_t digits[DIGITS];
};

/* False for what is no number, or too long to be compared. */
static bool read_number(const struct cupel__target_walk *walk, uint32_t node, struct number *ret)
{
    size_t len;
    bool cut;
    if (cupel_json_type(walk->doc, node) != CUPEL_JSON_NUMBER)
        return false;
    const char *lexeme = cupel_json_span(walk->doc, node, &len);
    if (!cupel__number_is_json(lexeme, len))
        return false;
    ret->negative =
        cupel__number_digits(lexeme, len, ret->digits, DIGITS, &ret->count, &ret->point, &cut);
    return !cut;
}

/* Compares the sizes of two numbers, without their signs. */
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
static bool is_as_tight(const struct cupel__target_walk *walk, uint32_t bound, uint32_t other,
                        int side)
{
    struct number a, b;
    return read_number(walk, bound, &a) && read_number(walk, other, &b) &&
           compare_numbers(&a, &b) * side >= 0;
}

/* References between a bound and one that it is compared with. */
enum { MOST_HOPS = 64 };

uint32_t cupel__target_tightest(struct cupel__target_walk *walk, uint32_t schema, uint32_t value,
                                const char *name, size_t len)
{
    int side = bound_side(name, len);
    for (int hops = 0; hops < MOST_HOPS && walk->work != 0; hops++, walk->work--) {
        const char *pointer;
        size_t n;
        uint32_t reference = cupel__target_member(walk, schema, "$ref", 4);
        if (reference == CUPEL_NO_NODE || cupel__target_is_resource(walk, schema))
            break;
        schema = cupel__target_resolve(walk, reference, &pointer, &n);
        if (schema == CUPEL_NO_NODE || cupel_json_type(walk->doc, schema) != CUPEL_JSON_OBJECT)
            break;
        uint32_t other = cupel__target_member(walk, schema, name, len);
        if (other != CUPEL_NO_NODE && is_as_tight(walk, other, value, side))
            value = other;
    }
    return value;
}

bool cupel__target_covers(struct cupel__target_walk *walk, uint32_t beside, uint32_t here,
                          const char *name, size_t len)
{
    if (cupel_json_equal(walk->doc, beside, walk->doc, here) == 1)
        return true;
    int side = bound_side(name, len);
    return side != 0 && top(walk)->hops <= MOST_HOPS &&
           (is_as_tight(walk, beside, here, side) || is_as_tight(walk, here, beside, side));
}

/* -- Required properties ---------------------------------------------------------------------- */

/* Adds the names in an array to a set; false when out of memory. */
static bool add_names(struct cupel__target_walk *walk, struct cupel__mcp_names *names,
                      uint32_t array)
{
    if (array == CUPEL_NO_NODE || cupel_json_type(walk->doc, array) != CUPEL_JSON_ARRAY)
        return true;
    if (!cupel__mcp_names_reserve(names, cupel_json_count(walk->doc, array)))
        return false;
    uint32_t node = cupel_json_first(walk->doc, array);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, array, node)) {
        size_t len;
        const char *name = cupel_json_string(walk->doc, node, &len);
        if (name != NULL && cupel__mcp_names_find(names, name, len) == NULL)
            cupel__mcp_names_put(names, name, len, node);
    }
    return true;
}

/* Marks the keys that are among the names; returns how many. */
static size_t mark_keys(struct cupel__target_walk *walk, const struct cupel__mcp_names *names,
                        uint32_t properties)
{
    size_t count = 0;
    if (properties == CUPEL_NO_NODE || cupel_json_type(walk->doc, properties) != CUPEL_JSON_OBJECT)
        return 0;
    uint32_t key = cupel_json_first(walk->doc, properties);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(walk->doc, properties, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(walk->doc, key, &len);
        bool required = cupel__mcp_names_find(names, name, len) != NULL;
        cupel__target_set(walk, CUPEL__TARGET_REQUIRED, key, required);
        count += required;
    }
    return count;
}

/* Reports that something is required which is not declared, at the schema's `required`. */
static void tell_undeclared(struct cupel__target_walk *walk, uint32_t node)
{
    uint32_t value = top(walk)->value;
    top(walk)->value = CUPEL_NO_NODE;
    cupel__target_tell(walk, CUPEL__RULE_TARGET_REQUIRED, CUPEL__TARGET_LOST, node, "required",
                       "%s takes no required property that is not declared",
                       cupel_target_name(walk->target));
    top(walk)->value = value;
}

void cupel__target_mark_required(struct cupel__target_walk *walk, uint32_t properties)
{
    struct cupel__mcp_names names = {.alloc = walk->alloc};
    uint32_t here = cupel__target_member(walk, top(walk)->node, "required", 8);
    uint32_t beside = cupel__target_beside(walk, "required", 8);
    cupel__mcp_make_key(NULL, names.key);
    if (!add_names(walk, &names, here) || !add_names(walk, &names, beside))
        walk->status = CUPEL_E_NO_MEMORY;
    else if (mark_keys(walk, &names, properties) < names.count)
        tell_undeclared(walk, here != CUPEL_NO_NODE ? here : beside);
    cupel__mcp_names_free(&names);
}
