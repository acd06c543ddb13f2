/* generate_sizes_choices.c: choices of a given number of branches. */
#include "generate_sizes.h"

#define KEY(k) "{\"properties\": {\"k\": {\"const\": \"" k "%u\"}}, \"required\": [\"k\"]}"

/* -- Tags -----------------------------------------------------------------------------------------
 */

static void tag_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(t, KEY("k"), i);
}

static int tag_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const texts[] = {
        "{\"k\": \"k%u\"}",  "{\"k\": %u}", "{\"x\": 0, \"k\": \"k%u\", \"k2\": 1}",
        "{\"k\": \"k0%u\"}", "{\"x\": %u}", "[\"k%u\"]"};
    cupel_text_addf(t, texts[kind], at);
    if (kind == 5)
        return (int)n;
    return (kind == 0 || kind == 2) && at < n;
}

static void open_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(t, "{\"properties\": {\"k\": {\"const\": \"k%u\"}}}", i);
}

static int open_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    cupel_text_addf(t, kind == 0 ? "{\"k\": \"k%u\"}" : "{\"x\": %u}", at);
    return kind == 0 ? at < n : (int)n;
}

static void set_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(
        t, "{\"properties\": {\"k\": {\"enum\": [\"a%u\", \"b%u\"]}}, \"required\": [\"k\"]}", i,
        i);
}

static int set_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    cupel_text_addf(t, "{\"k\": \"%c%u\"}", "abc"[kind], at);
    return kind < 2 && at < n;
}

static void number_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(
        t,
        "{\"type\": \"object\", \"properties\": {\"k\": {\"const\": %u}}, \"required\": [\"k\"]}",
        i);
}

static int number_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const texts[] = {"{\"k\": %u}", "{\"k\": %u.0}", "{\"k\": \"%u\"}",
                                        "{\"k\": %u.5}", "%u"};
    cupel_text_addf(t, texts[kind], at);
    return kind < 2 && at < n;
}

/* Two keys tell a branch together. */
static void pair_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(
        t,
        "{\"properties\": {\"k\": {\"const\": \"k%u\"}, \"l\": {\"const\": %u}}, \"required\": "
        "[\"k\", \"l\"]}",
        i / 8, i % 8);
}

static int pair_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const texts[] = {"{\"k\": \"k%u\", \"l\": %u}", NULL,
                                        "{\"k\": \"k%u\", \"m\": %u}",
                                        "{\"k\": \"k%u\", \"l\": \"%u\"}"};
    if (kind == 1)
        cupel_text_addf(t, "{\"l\": %u, \"k\": \"k%u\"}", at % 8, at / 8);
    else
        cupel_text_addf(t, texts[kind], at / 8, at % 8);
    return kind < 2 && at < n;
}

/* Branches that are choices themselves. */
static void nested_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(t, "{\"oneOf\": [" KEY("a") ", " KEY("b") "]}", i, i);
}

/* -- Members --------------------------------------------------------------------------------------
 */

static void required_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(t, "{\"type\": \"object\", \"required\": [\"r%u\"]}", i);
}

static int required_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const texts[] = {"{\"r%u\": 1}", "{\"r%u\": 1, \"r0\": 2}", "{\"s%u\": 1}",
                                        "\"r%u\""};
    if (kind == 1 && at == 0)
        return SIZES_NONE;
    cupel_text_addf(t, texts[kind], at);
    return kind > 1 ? 0 : (at < n) + (kind == 1);
}

static void closed_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(
        t,
        "{\"type\": \"object\", \"properties\": {\"m%u\": {\"type\": \"integer\"}}, \"required\": "
        "[\"m%u\"], \"additionalProperties\": false}",
        i, i);
}

static int closed_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const texts[] = {"{\"m%u\": 1}", "{\"m%u\": \"1\"}",
                                        "{\"m%u\": 1, \"x\": 1}"};
    cupel_text_addf(t, texts[kind], at);
    return kind == 0 && at < n;
}

/* -- Types and values -----------------------------------------------------------------------------
 */

static void const_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(t, i % 2 == 0 ? "{\"const\": %u}" : "{\"const\": \"%u\"}", i);
}

static int const_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    cupel_text_addf(t, kind == 0 ? "%u" : "\"%u\"", at);
    return (at % 2 == 0) == (kind == 0) && at < n;
}

static void range_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    cupel_text_addf(t, "{\"type\": \"integer\", \"minimum\": %u, \"maximum\": %u}", 10 * i,
                    10 * i + 8);
}

static int range_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const uint32_t more[] = {0, 8, 9};
    cupel_text_addf(t, "%u", 10 * at + more[kind]);
    return kind < 2 && at < n;
}

/* Objects, strings and arrays by turns. */
static void types_branch(struct cupel_text *t, uint32_t n, uint32_t i)
{
    (void)n;
    if (i % 3 == 0)
        cupel_text_addf(t,
                        "{\"type\": \"object\", \"properties\": {\"k\": {\"const\": \"k%u\"}}, "
                        "\"required\": [\"k\"]}",
                        i);
    else if (i % 3 == 1)
        cupel_text_addf(t, "{\"type\": \"string\", \"const\": \"k%u\"}", i);
    else
        cupel_text_addf(
            t, "{\"type\": \"array\", \"prefixItems\": [{\"const\": %u}], \"minItems\": 1}", i);
}

static int types_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const texts[] = {"{\"k\": \"k%u\"}", "\"k%u\"", "[%u]"};
    cupel_text_addf(t, texts[kind], at);
    return kind == (int)(at % 3) && at < n;
}

const struct sizes_choice sizes_choices[] = {
    {"tags", 6, 5000, tag_branch, tag_value},
    {"tags-not-required", 2, 5000, open_branch, open_value},
    {"sets-of-tags", 3, 1100, set_branch, set_value},
    {"numbers", 5, 1100, number_branch, number_value},
    {"pairs-of-tags", 4, 1100, pair_branch, pair_value},
    {"nested", 3, 300, nested_branch, set_value},
    {"required", 4, 5000, required_branch, required_value},
    {"closed", 3, 1100, closed_branch, closed_value},
    {"constants", 2, 5000, const_branch, const_value},
    {"ranges", 3, 1100, range_branch, range_value},
    {"types", 3, 1100, types_branch, types_value},
};
const uint32_t sizes_nchoices = sizeof sizes_choices / sizeof *sizes_choices;

/* -- Contexts -------------------------------------------------------------------------------------
 */

const struct sizes_context sizes_contexts[] = {
    {"root", "@", "@", false},
    {"not", "{\"not\": @}", "@", true},
    {"contains", "{\"contains\": @}", "[@]", false},
    {"contains-2", "{\"contains\": @, \"minContains\": 2}", "[@, @]", false},
    {"contains-none", "{\"contains\": @, \"minContains\": 0, \"maxContains\": 0}", "[@]", true},
    {"if-then", "{\"if\": @, \"then\": true, \"else\": false}", "@", false},
    {"if-else", "{\"if\": @, \"then\": false}", "@", true},
    {"any-of", "{\"anyOf\": [{\"const\": \"never\"}, @]}", "@", false},
    {"one-of", "{\"oneOf\": [@, {\"const\": \"never\"}]}", "@", false},
    {"one-of-true", "{\"oneOf\": [true, @]}", "@", true},
    {"all-of", "{\"allOf\": [@, @]}", "@", false},
    {"items", "{\"items\": @}", "[@, @]", false},
    {"prefix-items", "{\"prefixItems\": [true, @]}", "[0, @]", false},
    {"ref", "{\"$ref\": \"#/$defs/c\", \"$defs\": {\"c\": @}}", "@", false},
    {"property", "{\"properties\": {\"p\": @}}", "{\"o\": 0, \"p\": @}", false},
    {"other-property", "{\"additionalProperties\": @}", "{\"p\": @}", false},
    {"pattern-property", "{\"patternProperties\": {\"^p\": @}}", "{\"pp\": @}", false},
    {"not-not", "{\"not\": {\"not\": @}}", "@", false},
    {"array-unevaluated", "{\"items\": @, \"unevaluatedItems\": false}", "[@]", false},
};
const uint32_t sizes_ncontexts = sizeof sizes_contexts / sizeof *sizes_contexts;

static bool is_new(const uint32_t *places, uint32_t n, uint32_t at)
{
    return n == 0 || places[n - 1] < at;
}

uint32_t sizes_places(uint32_t n, uint32_t ret[SIZES_PLACES])
{
    const uint32_t last = n > 2 ? n - 2 : 0;
    uint32_t found = 0;
    for (uint32_t power = 1; power - 1 < last && found + 8 < SIZES_PLACES; power *= 2)
        for (uint32_t at = power - 1; at < power + 2 && at < last; at++)
            if ((power > 16 || power == 1) && is_new(ret, found, at))
                ret[found++] = at;
    for (uint32_t at = last; at <= n; at++)
        ret[found++] = at;
    return found;
}
