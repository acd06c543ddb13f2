/* generate_sizes_subjects.c: names, items, bytes and digits of a given number. */
#include "generate_sizes.h"

static void repeat(struct cupel_text *t, const char *unit, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        cupel_text_adds(t, unit);
}

/* A list of n things, each with its number. */
static void list(struct cupel_text *t, const char *format, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        cupel_text_adds(t, i > 0 ? ", " : "");
        cupel_text_addf(t, format, i, i);
    }
}

/* The same but for the one at `at`, which is another, or is left out. */
static void list_but(struct cupel_text *t, const char *format, uint32_t n, uint32_t at,
                     const char *other)
{
    const char *between = "";
    for (uint32_t i = 0; i < n; i++) {
        const char *text = i == at ? other : format;
        if (text == NULL)
            continue;
        cupel_text_adds(t, between);
        cupel_text_addf(t, text, i, i);
        between = ", ";
    }
}

/* -- Names ----------------------------------------------------------------------------------------
 */

static void names_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"properties\": {");
    list(t, "\"n%u\": {\"enum\": [%u, \"x\"]}", n);
    cupel_text_adds(t, "}, \"additionalProperties\": false}");
}

static int names_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const one[] = {"{\"n%u\": %u}", "{\"n%u\": -1}", "{\"n0%u\": %u}"};
    if (kind < 3) {
        cupel_text_addf(t, one[kind], at, at);
        return kind == 0 && at < n;
    }
    cupel_text_adds(t, "{");
    list_but(t, "\"n%u\": %u", n, at, kind == 3 ? "\"n%u\": \"x\"" : "\"n%u\": \"y\"");
    cupel_text_adds(t, "}");
    return kind == 3 || at >= n;
}

static void required_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"required\": [");
    list(t, "\"r%u\"", n);
    cupel_text_adds(t, "]}");
}

static int required_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    cupel_text_adds(t, "{");
    list_but(t, "\"r%u\": 0", n, at, kind == 0 ? NULL : "\"s%u\": 0");
    cupel_text_adds(t, "}");
    return at >= n;
}

static void patterns_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"patternProperties\": {");
    list(t, "\"^p%u_\": {\"const\": %u}", n);
    cupel_text_adds(t, "}, \"additionalProperties\": {\"type\": \"null\"}}");
}

static int patterns_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const one[] = {"{\"p%u_\": %u}", "{\"p%u_x\": -1}", "{\"p%u\": null}",
                                      "{\"p%u_\": null}"};
    cupel_text_addf(t, one[kind], at, at);
    return kind == 2 || (kind == 0 ? at < n : kind == 3 && at >= n);
}

static void evaluated_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"anyOf\": [{\"properties\": {");
    list(t, "\"e%u\": true", n);
    cupel_text_adds(t, "}}, {\"required\": [\"f\"], \"properties\": {\"f\": true}}], "
                       "\"unevaluatedProperties\": false}");
}

static int evaluated_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    cupel_text_adds(t, kind == 0 ? "{" : "{\"f\": 0, ");
    list_but(t, "\"e%u\": %u", n, at, kind == 2 ? NULL : "\"g%u\": %u");
    if (n == 0 || (kind == 2 && n == 1))
        return SIZES_NONE;
    cupel_text_adds(t, "}");
    return kind == 2 || at >= n;
}

/* A name of n bytes: another byte somewhere, one more, one less, an escape. */
static void name_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"properties\": {\"");
    repeat(t, "a", n);
    cupel_text_adds(
        t, "\": {\"type\": \"integer\"}}, \"additionalProperties\": {\"type\": \"string\"}}");
}

static void word(struct cupel_text *t, uint32_t n, uint32_t at, const char *other)
{
    repeat(t, "a", at < n ? at : n);
    if (at < n)
        cupel_text_adds(t, other);
    repeat(t, "a", at < n ? n - at - 1 : 0);
}

static int name_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const other[] = {"b", "\\u0061", "aa", "b", "\\u0062"};
    cupel_text_adds(t, "{\"");
    word(t, n, at, other[kind]);
    cupel_text_adds(t, kind < 3 ? "\": 1}" : "\": \"\"}");
    if (at >= n)
        return kind < 3;
    return kind == 1 || kind > 2;
}

/* Two names of n bytes that differ at one place are two members. */
static void two_names_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"required\": [\"");
    repeat(t, "a", n);
    cupel_text_adds(t, "\"], \"maxProperties\": 2, \"minProperties\": 2}");
}

static int two_names_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    if (at >= n)
        return SIZES_NONE;
    cupel_text_adds(t, "{\"");
    word(t, n, at, "b");
    cupel_text_adds(t, kind == 0 ? "\": 0, \"" : "\": 0, \"c");
    word(t, n, kind == 0 ? n : at, "b");
    cupel_text_adds(t, "\": 0}");
    return kind == 0;
}

static void count_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_addf(
        t, "{\"minProperties\": %u, \"maxProperties\": %u, \"minItems\": %u, \"maxItems\": %u}", n,
        n, n, n);
}

static int count_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    if (at + 1 < n)
        return SIZES_NONE;
    uint32_t count = at + (uint32_t)kind / 2;
    cupel_text_adds(t, kind % 2 == 0 ? "{" : "[");
    list(t, kind % 2 == 0 ? "\"%u\": 0" : "%u", count);
    cupel_text_adds(t, kind % 2 == 0 ? "}" : "]");
    return count == n;
}

/* -- Values ---------------------------------------------------------------------------------------
 */

static void strings_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"enum\": [");
    list(t, "\"v%u\"", n);
    cupel_text_adds(t, "]}");
}

static int strings_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const one[] = {"\"v%u\"", "\"w%u\"", "%u", "\"\\u0076%u\""};
    cupel_text_addf(t, one[kind], at);
    return (kind == 0 || kind == 3) && at < n;
}

static void values_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"enum\": [");
    for (uint32_t i = 0; i < n; i++)
        cupel_text_addf(t,
                        i % 3 == 0   ? "%s%u"
                        : i % 3 == 1 ? "%s[%u]"
                                     : "%s{\"a\": %u}",
                        i > 0 ? ", " : "", i);
    cupel_text_adds(t, "]}");
}

static int values_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const one[] = {"%u", "[%u.0]", "{\"a\": %u}"};
    cupel_text_addf(t, one[kind], at);
    return kind == (int)(at % 3) && at < n;
}

/* -- Items ----------------------------------------------------------------------------------------
 */

static void prefix_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"prefixItems\": [");
    list(t, "{\"const\": %u}", n);
    cupel_text_adds(t, "], \"items\": {\"type\": \"string\"}}");
}

static int prefix_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const end[] = {"]", ", \"\"]", ", 0]"};
    cupel_text_adds(t, "[");
    list_but(t, "%u", n, at, "-1");
    cupel_text_adds(t, end[kind]);
    return at >= n && kind < 2;
}

static void unique_schema(struct cupel_text *t, uint32_t n)
{
    (void)n;
    cupel_text_adds(t, "{\"uniqueItems\": true}");
}

/* The last item is equal to another one, or none is. */
static int unique_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const item[] = {"%u", "\"s%u\"", "[%u]", "{\"a\": %u, \"b\": %u}"};
    static const char *const equal[] = {"%u.0", "\"\\u0073%u\"", "[%u]", "{\"b\": %u, \"a\": %u}"};
    if (n == 0)
        return SIZES_NONE;
    cupel_text_adds(t, "[");
    list(t, item[kind], n - 1);
    cupel_text_adds(t, n > 1 ? ", " : "");
    cupel_text_addf(t, equal[kind], at, at);
    cupel_text_adds(t, "]");
    return at >= n - 1;
}

static void unevaluated_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"anyOf\": [{\"prefixItems\": [");
    list(t, "true", n);
    cupel_text_adds(t, "]}, {\"contains\": {\"const\": \"c\"}}], \"unevaluatedItems\": false}");
}

static int unevaluated_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const end[] = {"]", ", \"c\"]", ", \"c\", \"d\"]"};
    cupel_text_adds(t, "[");
    list_but(t, "%u", n, at, "\"c\"");
    cupel_text_adds(t, end[kind]);
    return kind < 2;
}

static void contains_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_addf(
        t,
        "{\"contains\": {\"type\": \"integer\"}, \"minContains\": %u, \"maxContains\": %u, "
        "\"unevaluatedItems\": {\"const\": \"s\"}}",
        n, n);
}

static int contains_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const end[] = {"]", ", \"s\"]", ", 0]", ", \"t\"]"};
    cupel_text_adds(t, "[");
    list_but(t, "%u", n, at, "\"s\"");
    cupel_text_adds(t, end[kind]);
    return (at >= n) == (kind < 2) && kind < 3;
}

/* -- Strings and numbers --------------------------------------------------------------------------
 */

static void length_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_addf(t, "{\"minLength\": %u, \"maxLength\": %u}", n, n);
}

/* Characters of one byte to four, an escape at one place. */
static int length_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const unit[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "a",
                                       "a", "a"};
    static const char *const one[] = {"b", "b", "b", "b", "\\ud83d\\ude00", "\xf0\x9f\x98\x80", ""};
    cupel_text_adds(t, "\"");
    repeat(t, unit[kind], at < n ? at : n);
    cupel_text_adds(t, at < n ? one[kind] : "");
    repeat(t, unit[kind], at < n ? n - at - 1 : 0);
    cupel_text_adds(t, "\"");
    return at >= n || kind < 6;
}

static void const_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"const\": \"");
    repeat(t, "a", n);
    cupel_text_adds(t, "\"}");
}

static int const_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const other[] = {"b", "\\u0061", "", "aa", "\\u0000"};
    cupel_text_adds(t, "\"");
    word(t, n, at, other[kind]);
    cupel_text_adds(t, "\"");
    return at >= n || kind == 1;
}

static void pattern_schema(struct cupel_text *t, uint32_t n)
{
    (void)n;
    cupel_text_adds(t, "{\"pattern\": \"^[a-f]*$\"}");
}

static void anchored_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_addf(t, "{\"pattern\": \"^a{%u}$\"}", n);
}

static int anchored_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const other[] = {"b", "\\u0061", "", "aa", "\\n"};
    cupel_text_adds(t, "\"");
    word(t, n, at, other[kind]);
    cupel_text_adds(t, "\"");
    return at >= n || kind == 1;
}

static int pattern_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const other[] = {"g", "\\u0061", "", "f", "\\n"};
    cupel_text_adds(t, "\"");
    word(t, n, at, other[kind]);
    cupel_text_adds(t, "\"");
    return at >= n || (kind != 0 && kind != 4);
}

/* A number of n digits. */
static void digits_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"maximum\": 1");
    repeat(t, "0", n);
    cupel_text_adds(t, "}");
}

static int digits_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const other[] = {"1", "0", "0.5"};
    if (at + 1 < n && kind == 2)
        return SIZES_NONE;
    cupel_text_adds(t, "1");
    repeat(t, "0", at < n ? at : n);
    cupel_text_adds(t, at < n ? other[kind] : "");
    repeat(t, "0", at < n && kind < 2 ? n - at - 1 : 0);
    return at >= n || kind == 1;
}

/* -- Schemas --------------------------------------------------------------------------------------
 */

static void chain_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"$id\": \"x:chain\", \"$ref\": \"#/$defs/d0\", \"$defs\": {");
    for (uint32_t i = 0; i < n; i++)
        cupel_text_addf(t, "\"d%u\": {\"$ref\": \"#/$defs/d%u\", \"not\": {\"const\": %u}}, ", i,
                        i + 1, i);
    cupel_text_addf(t, "\"d%u\": {\"type\": \"integer\"}}}", n);
}

static int chain_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    cupel_text_addf(t, kind == 0 ? "%u" : "\"%u\"", at);
    return kind == 0 && at >= n;
}

static void all_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"allOf\": [");
    list(
        t,
        "{\"if\": {\"required\": [\"i%u\"]}, \"then\": {\"properties\": {\"v\": {\"const\": %u}}}}",
        n);
    cupel_text_adds(t, "]}");
}

static int all_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const one[] = {"{\"i%u\": 0, \"v\": %u}", "{\"i%u\": 0, \"v\": -1}",
                                      "{\"v\": %u}"};
    cupel_text_addf(t, one[kind], at, at);
    return kind != 1 || at >= n;
}

/* Conditions about one member, by its value. */
static void cases_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"required\": [\"k\"], \"allOf\": [");
    list(t,
         "{\"if\": {\"properties\": {\"k\": {\"const\": \"c%u\"}}}, \"then\": {\"properties\": "
         "{\"v\": {\"const\": %u}}}}",
         n);
    cupel_text_adds(t, "]}");
}

static int cases_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    static const char *const one[] = {"{\"k\": \"c%u\", \"v\": %u}", "{\"k\": \"c%u\", \"v\": -1}",
                                      "{\"k\": %u, \"v\": 0}"};
    cupel_text_addf(t, one[kind], at, at);
    return kind != 1 || at >= n;
}

static void depends_schema(struct cupel_text *t, uint32_t n)
{
    cupel_text_adds(t, "{\"dependentRequired\": {\"d\": [");
    list(t, "\"r%u\"", n);
    cupel_text_adds(t, "]}}");
}

static int depends_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    cupel_text_adds(t, kind == 0 ? "{\"d\": 0" : "{\"e\": 0");
    for (uint32_t i = 0; i < n; i++)
        if (i != at)
            cupel_text_addf(t, ", \"r%u\": 0", i);
    cupel_text_adds(t, "}");
    return at >= n || kind == 1;
}

/* Arrays in arrays. */
static void depth_schema(struct cupel_text *t, uint32_t n)
{
    (void)n;
    cupel_text_adds(t, "{\"$id\": \"x:depth\", \"anyOf\": [{\"type\": \"array\", \"items\": "
                       "{\"$ref\": \"#\"}}, {\"const\": 0}]}");
}

static int depth_value(struct cupel_text *t, uint32_t n, uint32_t at, int kind)
{
    if (at > 0)
        return SIZES_NONE;
    repeat(t, "[", n);
    cupel_text_adds(t, kind == 0 ? "0" : "1");
    repeat(t, "]", n);
    return kind == 0;
}

const struct sizes_subject sizes_subjects[] = {
    {"names", 5, 5000, names_schema, names_value},
    {"required", 2, 5000, required_schema, required_value},
    {"patterns", 4, 300, patterns_schema, patterns_value},
    {"evaluated-names", 3, 1100, evaluated_schema, evaluated_value},
    {"length-of-a-name", 5, 70000, name_schema, name_value},
    {"two-names", 2, 70000, two_names_schema, two_names_value},
    {"members-and-items", 4, 5000, count_schema, count_value},
    {"enum-of-strings", 4, 5000, strings_schema, strings_value},
    {"enum-of-values", 3, 5000, values_schema, values_value},
    {"prefix-items", 3, 5000, prefix_schema, prefix_value},
    {"unique-items", 4, 1100, unique_schema, unique_value},
    {"evaluated-items", 3, 1100, unevaluated_schema, unevaluated_value},
    {"contains", 4, 1100, contains_schema, contains_value},
    {"length", 7, 70000, length_schema, length_value},
    {"constant", 5, 70000, const_schema, const_value},
    {"pattern", 5, 70000, pattern_schema, pattern_value},
    {"anchored-pattern", 5, 600, anchored_schema, anchored_value},
    {"digits", 3, 600, digits_schema, digits_value},
    {"chain-of-references", 2, 300, chain_schema, chain_value},
    {"conditions", 3, 1100, all_schema, all_value},
    {"cases", 3, 1100, cases_schema, cases_value},
    {"dependencies", 2, 5000, depends_schema, depends_value},
    {"depth", 2, 120, depth_schema, depth_value},
};
const uint32_t sizes_nsubjects = sizeof sizes_subjects / sizeof *sizes_subjects;
