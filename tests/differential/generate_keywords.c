/* generate_keywords.c: the keywords of made-up schemas, in groups that belong together. */
#include "generate_internal.h"

/* -- Writing ---------------------------------------------------------------------------------- */

bool percent(struct generator *g, uint32_t n)
{
    return chance_percent(&g->chance, n);
}

int below(struct generator *g, int n)
{
    return (int)chance_below(&g->chance, (uint32_t)n);
}

void put(struct generator *g, const char *text)
{
    cupel_text_adds(g->out, text);
}

void comma(struct object *o)
{
    if (o->begun)
        put(o->g, ",");
    o->begun = true;
}

void keyword(struct object *o, const char *name)
{
    comma(o);
    cupel_text_addf(o->g->out, "\"%s\":", name);
}

static void member(struct object *o, const struct words *name)
{
    comma(o);
    write_words(&o->g->chance, o->g->out, name->bytes, name->len);
    put(o->g, ":");
}

/* A keyword whose value is one subschema, for the same value or for a part. */
static void schema_here(struct object *o, const char *name)
{
    keyword(o, name);
    write_schema(o->g, o->depth - 1, o->floor);
}

static void schema_below(struct object *o, const char *name)
{
    keyword(o, name);
    write_schema(o->g, o->depth - 1, BELOW);
}

static void schema_list(struct object *o, const char *name, int floor)
{
    int count = 1 + below(o->g, 3);
    keyword(o, name);
    put(o->g, "[");
    for (int i = 0; i < count; i++) {
        put(o->g, i != 0 ? "," : "");
        write_schema(o->g, o->depth - 1, floor);
    }
    put(o->g, "]");
}

static void count_keyword(struct object *o, const char *name, int most)
{
    static const char *const odd[] = {"0.0", "1.0", "20e-1", "3.00", "4E0", "50e-1"};
    int n = below(o->g, most + 1);
    keyword(o, name);
    if (o->g->draft > 4 && percent(o->g, 15))
        put(o->g, odd[n]);
    else
        cupel_text_addf(o->g->out, "%d", n);
}

static void number_keyword(struct object *o, const char *name)
{
    keyword(o, name);
    put(o->g, numbers[below(o->g, percent(o->g, 60) ? 16 : NUMBERS)]);
}

/* Where a run of `count` names begins in the list of words; mostly among the first, so that schemas
 * speak of the same names. */
static int run_of_words(struct generator *g, int count)
{
    return below(g, percent(g, 65) ? 5 : WORDS - count + 1);
}

static void name_list(struct generator *g, int first, int count)
{
    put(g, "[");
    for (int i = first; i < first + count; i++) {
        put(g, i != first ? "," : "");
        write_words(&g->chance, g->out, words[i].bytes, words[i].len);
    }
    put(g, "]");
}

/* -- Any type --------------------------------------------------------------------------------- */

static const char *const types[] = {"null",   "boolean", "number", "integer",
                                    "string", "array",   "object"};

void group_type(struct object *o)
{
    struct generator *g = o->g;
    int first = below(g, 7);
    keyword(o, "type");
    if (percent(g, 60)) {
        cupel_text_addf(g->out, "\"%s\"", types[first]);
        return;
    }
    put(g, "[");
    int count = 1 + below(g, 4);
    for (int i = 0; i < count; i++)
        cupel_text_addf(g->out, "%s\"%s\"", i != 0 ? "," : "", types[(first + 2 * i) % 7]);
    put(g, "]");
}

/* Values that are all different, as older drafts ask for. */
static void write_enum(struct generator *g)
{
    int strings = percent(g, 25) ? 4 + below(g, 14) : below(g, 4), count = below(g, 4);
    int first = run_of_words(g, strings);
    put(g, "[null");
    for (int i = first; i < first + strings; i++) {
        put(g, ",");
        write_words(&g->chance, g->out, words[i].bytes, words[i].len);
    }
    first = below(g, NUMBERS - 3);
    for (int i = first; i < first + count; i++)
        cupel_text_addf(g->out, ",%s", numbers[i]);
    if (percent(g, 30))
        put(g, ",true,[],{\"a\":1.0,\"b\":[2]}");
    if (g->draft >= 2019 && percent(g, 40)) {
        put(g, ",");
        write_value(&g->chance, g->out, 3);
    }
    put(g, "]");
}

void group_values(struct object *o)
{
    bool constant = o->g->draft > 4 && percent(o->g, 40);
    keyword(o, constant ? "const" : "enum");
    if (constant)
        write_value(&o->g->chance, o->g->out, 3);
    else
        write_enum(o->g);
}

void group_noise(struct object *o)
{
    static const char *const noise[] = {
        "\"title\":\"A\"",
        "\"description\":\"\\u0000\"",
        "\"default\":{\"$ref\":\"#/no\"}",
        "\"x-format\":\"date-time\"",
        "\"x-note\":{\"$id\":\"r0\"}",
    };
    comma(o);
    put(o->g, noise[below(o->g, 5)]);
}

/* -- Numbers and strings ---------------------------------------------------------------------- */

void group_number(struct object *o)
{
    static const char *const bounds[] = {"minimum", "maximum"};
    static const char *const exclusive[] = {"exclusiveMinimum", "exclusiveMaximum"};
    struct generator *g = o->g;
    for (int i = 0; i < 2; i++) {
        bool strict = percent(g, 25);
        if (percent(g, 45))
            number_keyword(o, bounds[i]);
        else if (g->draft == 4)
            continue;
        if (strict && g->draft == 4) {
            keyword(o, exclusive[i]);
            put(g, percent(g, 70) ? "true" : "false");
        } else if (strict) {
            number_keyword(o, exclusive[i]);
        }
    }
    if (percent(g, 35)) {
        keyword(o, "multipleOf");
        put(g, divisors[below(g, DIVISORS)]);
    }
}

void group_string(struct object *o)
{
    struct generator *g = o->g;
    if (percent(g, 35))
        count_keyword(o, "minLength", 5);
    if (percent(g, 35))
        count_keyword(o, "maxLength", 5);
    if (percent(g, 50)) {
        keyword(o, "pattern");
        cupel_text_addf(g->out, "\"%s\"", patterns[below(g, PATTERNS)].pattern);
    }
    const struct format_sample *format = &formats[below(g, FORMATS)];
    if (g->options->formats && percent(g, 30) && g->draft >= format->first &&
        g->draft <= format->last) {
        comma(o);
        put(g, format->keywords);
    }
}

/* -- Arrays ----------------------------------------------------------------------------------- */

static void array_items(struct object *o)
{
    struct generator *g = o->g;
    if (g->draft >= 2020 && percent(g, 40))
        schema_list(o, "prefixItems", BELOW);
    if (g->draft < 2020 && percent(g, 40))
        schema_list(o, "items", BELOW);
    else if (percent(g, g->lax ? 25 : 50))
        schema_below(o, "items");
    if (g->draft < 2020 && percent(g, 40))
        schema_below(o, "additionalItems");
}

void group_array(struct object *o)
{
    struct generator *g = o->g;
    array_items(o);
    if (g->draft > 4 && percent(g, 30))
        schema_below(o, "contains");
    if (g->draft >= 2019 && percent(g, 25))
        count_keyword(o, "minContains", 2);
    if (g->draft >= 2019 && percent(g, 25))
        count_keyword(o, "maxContains", 3);
    if (percent(g, 20))
        count_keyword(o, "minItems", 3);
    if (percent(g, 20))
        count_keyword(o, "maxItems", 5);
    if (percent(g, 20)) {
        keyword(o, "uniqueItems");
        put(g, percent(g, 80) ? "true" : "false");
    }
}

/* -- Objects ---------------------------------------------------------------------------------- */

/* A map from names to subschemas. */
static void schema_map(struct object *o, const char *name, int floor)
{
    struct generator *g = o->g;
    int count = 1 + below(g, 4), first = run_of_words(g, count);
    struct object map = {g, false, 0, 0};
    keyword(o, name);
    put(g, "{");
    for (int i = first; i < first + count; i++) {
        member(&map, &words[i]);
        write_schema(g, o->depth - 1, floor);
    }
    put(g, "}");
}

/* Names that ask for other names; in `dependencies` some ask for a schema. */
static void names_map(struct object *o, const char *name, bool mixed)
{
    struct generator *g = o->g;
    int count = 1 + below(g, 2), first = run_of_words(g, count);
    struct object map = {g, false, 0, 0};
    keyword(o, name);
    put(g, "{");
    for (int i = first; i < first + count; i++) {
        int names = 1 + below(g, 2);
        member(&map, &words[i]);
        if (mixed && percent(g, 50))
            write_schema(g, o->depth - 1, o->floor);
        else
            name_list(g, run_of_words(g, names), names);
    }
    put(g, "}");
}

/* A map from names to maps from values to subschemas. */
static void value_maps(struct object *o, const char *name)
{
    struct generator *g = o->g;
    int count = 1 + below(g, 2), first = run_of_words(g, count);
    struct object map = {g, false, 0, 0};
    keyword(o, name);
    put(g, "{");
    for (int i = first; i < first + count; i++) {
        int values = 1 + below(g, 2), value = run_of_words(g, values);
        struct object inner = {g, false, 0, 0};
        member(&map, &words[i]);
        put(g, "{");
        for (int v = value; v < value + values; v++) {
            member(&inner, &words[v]);
            write_schema(g, o->depth - 1, o->floor);
        }
        put(g, "}");
    }
    put(g, "}");
}

static void pattern_map(struct object *o)
{
    struct generator *g = o->g;
    int count = 1 + below(g, 2), first = below(g, PATTERNS - 2);
    struct object map = {g, false, 0, 0};
    keyword(o, "patternProperties");
    put(g, "{");
    for (int i = first; i < first + count; i++) {
        keyword(&map, patterns[i].pattern);
        write_schema(g, o->depth - 1, BELOW);
    }
    put(g, "}");
}

static void object_dependent(struct object *o)
{
    struct generator *g = o->g;
    if (g->draft >= 2019 && percent(g, 15))
        names_map(o, "dependentRequired", false);
    if (g->draft >= 2019 && percent(g, 15))
        schema_map(o, "dependentSchemas", o->floor);
    if (g->draft != CUPEL_V1 && percent(g, g->draft >= 2019 ? 3 : 20))
        names_map(o, "dependencies", true);
    if (g->draft == CUPEL_V1 && percent(g, 20))
        value_maps(o, "propertyDependencies");
}

static void object_counts(struct object *o)
{
    struct generator *g = o->g;
    if (percent(g, 40)) {
        int count = 1 + below(g, 3);
        keyword(o, "required");
        name_list(g, run_of_words(g, count), count);
    }
    if (percent(g, 12))
        count_keyword(o, "minProperties", 3);
    if (percent(g, 12))
        count_keyword(o, "maxProperties", 5);
}

void group_object(struct object *o)
{
    struct generator *g = o->g;
    if (percent(g, 80))
        schema_map(o, "properties", BELOW);
    if (percent(g, 25))
        pattern_map(o);
    if (percent(g, g->lax ? 2 : 15)) {
        keyword(o, "additionalProperties");
        put(g, "false");
    } else if (percent(g, g->lax ? 6 : 25)) {
        schema_below(o, "additionalProperties");
    }
    if (g->draft > 4 && percent(g, 10))
        schema_below(o, "propertyNames");
    object_counts(o);
    object_dependent(o);
}

/* -- Logic ------------------------------------------------------------------------------------ */

static void group_if(struct object *o)
{
    struct generator *g = o->g;
    if (percent(g, 92))
        schema_here(o, "if");
    if (percent(g, 70))
        schema_here(o, "then");
    if (percent(g, 60))
        schema_here(o, "else");
}

void group_logic(struct object *o)
{
    static const char *const lists[] = {"allOf", "anyOf", "oneOf"};
    struct generator *g = o->g;
    bool tells = g->draft > 4 && percent(g, 20);
    if (tells)
        group_union(o);
    for (int i = 0; i < (tells ? 1 : 3); i++)
        if (percent(g, 40))
            schema_list(o, lists[i], o->floor);
    if (percent(g, 20))
        schema_here(o, "not");
    if (g->draft >= 7 && percent(g, 40))
        group_if(o);
    else if (g->draft >= 7 && percent(g, 30))
        group_switch(o);
}

void group_unevaluated(struct object *o)
{
    static const char *const names[] = {"unevaluatedProperties", "unevaluatedItems"};
    for (int i = 0; i < 2; i++) {
        if (!percent(o->g, i == 0 ? 70 : 50))
            continue;
        if (percent(o->g, 50))
            schema_below(o, names[i]);
        else {
            keyword(o, names[i]);
            put(o->g, "false");
        }
    }
}
