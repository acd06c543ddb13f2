/* generate.c: schemas made up from a seed.
 *
 * A schema is written straight down, with definitions beside it.  Two rules keep references free of
 * cycles: what applies to the same value refers to definitions further down the list only, what
 * applies to a part of it refers to any, and to the root. */
#include "generate.h"

#include <string.h>

enum { ROOT = -1, NOWHERE = -2, BELOW = -1 };

static const char base_uri[] = "http://cupel.test/";

struct def {
    bool id, anchor;
    bool dynamic; /* $dynamicAnchor, or $recursiveAnchor */
};

struct generator {
    struct chance chance;
    struct cupel_text *out;
    const struct generate_options *options;
    int draft;
    int left; /* subschemas that may still be written */
    int defs;
    struct def def[DEFINITIONS];
    bool root_id;
    int holder; /* where the root resource has its dynamic anchor: ROOT, a definition, NOWHERE */
    int inside; /* the resource being written: ROOT, or a definition that has an `$id` */
};

/* An object being written: a schema, whose references obey `floor`, or a map. */
struct object {
    struct generator *g;
    bool begun;
    int depth; /* how much deeper subschemas may be nested */
    int floor; /* the first definition that may apply to the same value; BELOW: any */
};

static void write_schema(struct generator *g, int depth, int floor);

/* -- Writing ---------------------------------------------------------------------------------- */

static bool percent(struct generator *g, uint32_t n)
{
    return chance_percent(&g->chance, n);
}

static int below(struct generator *g, int n)
{
    return (int)chance_below(&g->chance, (uint32_t)n);
}

static void put(struct generator *g, const char *text)
{
    cupel_text_adds(g->out, text);
}

static void comma(struct object *o)
{
    if (o->begun)
        put(o->g, ",");
    o->begun = true;
}

static void keyword(struct object *o, const char *name)
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

/* -- References ------------------------------------------------------------------------------- */

/* The URI of a resource, in one of its spellings; nothing for the one being written. */
static void resource_uri(struct generator *g, int resource)
{
    if (g->inside == resource && !percent(g, g->root_id ? 15 : 0))
        return;
    if (percent(g, 30))
        put(g, base_uri);
    if (resource == ROOT)
        put(g, "root");
    else
        cupel_text_addf(g->out, "r%d", resource);
}

static void write_target(struct generator *g, int target)
{
    const struct def *def = target != ROOT ? &g->def[target] : NULL;
    put(g, "\"");
    if (def != NULL && def->id && percent(g, 50)) {
        resource_uri(g, target);
        put(g, "#");
    } else if (def != NULL && def->anchor && percent(g, 60)) {
        resource_uri(g, def->id ? target : ROOT);
        cupel_text_addf(g->out, "#n%d", target);
    } else {
        resource_uri(g, ROOT);
        put(g, "#");
        if (def != NULL)
            cupel_text_addf(g->out, "/%s/%s", g->draft >= 2019 ? "$defs" : "definitions",
                            definition_names[target].token);
    }
    put(g, "\"");
}

static bool can_refer(const struct object *o)
{
    return o->floor == BELOW || o->floor < o->g->defs;
}

static void group_ref(struct object *o)
{
    struct generator *g = o->g;
    int target = ROOT;
    if (o->floor != BELOW)
        target = o->floor + below(g, g->defs - o->floor);
    else if (g->defs > 0 && percent(g, 75))
        target = below(g, g->defs);
    keyword(o, "$ref");
    write_target(g, target);
}

/* Whether a resource has the dynamic anchor. */
static bool is_dynamic(const struct generator *g, int resource)
{
    if (resource == ROOT)
        return g->holder != NOWHERE;
    return g->def[resource].id && g->def[resource].dynamic;
}

/* A reference whose target is not known may come from here without a cycle. */
static bool can_refer_dynamically(const struct object *o)
{
    const struct generator *g = o->g;
    if (o->floor == BELOW)
        return true;
    if (g->draft == 2019 || g->holder == ROOT)
        return false;
    for (int i = 0; i < g->defs; i++)
        if ((is_dynamic(g, i) || g->holder == i) && i < o->floor)
            return false;
    return true;
}

static void group_dynamic(struct object *o)
{
    struct generator *g = o->g;
    if (g->draft == 2019) {
        keyword(o, "$recursiveRef");
        put(g, "\"#\"");
        return;
    }
    int resource = g->inside;
    for (int i = ROOT; i < g->defs; i++)
        if (is_dynamic(g, i) && (!is_dynamic(g, resource) || percent(g, 20)))
            resource = i;
    if (!is_dynamic(g, resource))
        return;
    keyword(o, "$dynamicRef");
    put(g, "\"");
    resource_uri(g, resource);
    put(g, "#node\"");
}

/* -- Any type --------------------------------------------------------------------------------- */

static const char *const types[] = {"null",   "boolean", "number", "integer",
                                    "string", "array",   "object"};

static void group_type(struct object *o)
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

static void group_values(struct object *o)
{
    bool constant = o->g->draft > 4 && percent(o->g, 40);
    keyword(o, constant ? "const" : "enum");
    if (constant)
        write_value(&o->g->chance, o->g->out, 3);
    else
        write_enum(o->g);
}

static void group_noise(struct object *o)
{
    static const char *const noise[] = {
        "\"title\":\"A\"",
        "\"description\":\"\\u0000\"",
        "\"default\":{\"$ref\":\"#/no\"}",
        "\"format\":\"date-time\"",
        "\"x-note\":{\"$id\":\"r0\"}",
    };
    comma(o);
    put(o->g, noise[below(o->g, 5)]);
}

/* -- Numbers and strings ---------------------------------------------------------------------- */

static void group_number(struct object *o)
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

static void group_string(struct object *o)
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
}

/* -- Arrays ----------------------------------------------------------------------------------- */

static void array_items(struct object *o)
{
    struct generator *g = o->g;
    if (g->draft == 2020 && percent(g, 40))
        schema_list(o, "prefixItems", BELOW);
    if (g->draft < 2020 && percent(g, 40))
        schema_list(o, "items", BELOW);
    else if (percent(g, 50))
        schema_below(o, "items");
    if (g->draft < 2020 && percent(g, 40))
        schema_below(o, "additionalItems");
}

static void group_array(struct object *o)
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
    if (percent(g, g->draft >= 2019 ? 3 : 20))
        names_map(o, "dependencies", true);
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

static void group_object(struct object *o)
{
    struct generator *g = o->g;
    if (percent(g, 80))
        schema_map(o, "properties", BELOW);
    if (percent(g, 25))
        pattern_map(o);
    if (percent(g, 15)) {
        keyword(o, "additionalProperties");
        put(g, "false");
    } else if (percent(g, 25)) {
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

static void group_logic(struct object *o)
{
    static const char *const lists[] = {"allOf", "anyOf", "oneOf"};
    struct generator *g = o->g;
    for (int i = 0; i < 3; i++)
        if (percent(g, 40))
            schema_list(o, lists[i], o->floor);
    if (percent(g, 20))
        schema_here(o, "not");
    if (g->draft >= 7 && percent(g, 40))
        group_if(o);
}

static void group_unevaluated(struct object *o)
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

/* -- Schemas ---------------------------------------------------------------------------------- */

typedef void group(struct object *o);

/* The groups of keywords that a schema gets: those of one type, and now and then any other. */
static int choose_groups(struct object *o, group **ret)
{
    static group *const themes[] = {group_number, group_string, group_object,
                                    group_object, group_array,  group_logic};
    struct generator *g = o->g;
    int count = 0, theme = below(g, 6);
    for (int i = 0; i < 6; i++)
        if (themes[i] != themes[(i + 5) % 6] &&
            (themes[i] == themes[theme] || percent(g, themes[i] == group_logic ? 20 : 8)))
            ret[count++] = themes[i];
    if (percent(g, 35))
        ret[count++] = group_type;
    if (percent(g, 8))
        ret[count++] = group_values;
    if (percent(g, 6))
        ret[count++] = group_noise;
    if (g->options->unevaluated && g->draft >= 2019 && percent(g, 22))
        ret[count++] = group_unevaluated;
    if (g->options->dynamic && g->draft >= 2019 && can_refer_dynamically(o) && percent(g, 12))
        ret[count++] = group_dynamic;
    return count;
}

/* Writes the keywords of a schema, in any order.  In the older drafts `$ref` makes the others
 * meaningless; `ref` says whether it may be used. */
static void write_keywords(struct object *o, bool ref)
{
    group *chosen[16];
    struct generator *g = o->g;
    bool refers = ref && can_refer(o) && percent(g, 20);
    int count = choose_groups(o, chosen);
    if (refers && g->draft <= 7 && percent(g, 85))
        count = 0;
    if (refers)
        chosen[count++] = group_ref;
    for (int i = count - 1; i >= 0; i--) {
        int j = below(g, i + 1);
        group *next = chosen[j];
        chosen[j] = chosen[i];
        next(o);
    }
}

/* A schema without subschemas. */
static void write_leaf(struct generator *g, int floor)
{
    static group *const leaves[] = {group_type, group_values, group_number, group_string,
                                    group_type};
    if (g->draft > 4 && percent(g, 20)) {
        put(g, percent(g, 70) ? "true" : "false");
        return;
    }
    struct object o = {g, false, 0, floor};
    put(g, "{");
    if (can_refer(&o) && percent(g, 15))
        group_ref(&o);
    else
        leaves[below(g, 5)](&o);
    put(g, "}");
}

static void write_schema(struct generator *g, int depth, int floor)
{
    g->left--;
    if (depth <= 0 || g->left <= 0 || percent(g, 25)) {
        write_leaf(g, floor);
        return;
    }
    struct object o = {g, false, depth, floor};
    put(g, "{");
    write_keywords(&o, true);
    put(g, "}");
}

/* -- Resources -------------------------------------------------------------------------------- */

static const char *id_keyword(const struct generator *g)
{
    return g->draft == 4 ? "id" : "$id";
}

static void write_dynamic_anchor(struct object *o)
{
    bool recursive = o->g->draft == 2019;
    keyword(o, recursive ? "$recursiveAnchor" : "$dynamicAnchor");
    put(o->g, recursive ? "true" : "\"node\"");
}

static void write_identifiers(struct object *o, int number)
{
    struct generator *g = o->g;
    const struct def *def = &g->def[number];
    if (def->id) {
        keyword(o, id_keyword(g));
        cupel_text_addf(g->out, "\"%sr%d\"", percent(g, 50) ? base_uri : "", number);
        g->inside = number;
    }
    if (def->anchor) {
        bool hash = g->draft <= 7;
        keyword(o, hash ? id_keyword(g) : "$anchor");
        cupel_text_addf(g->out, "\"%sn%d\"", hash ? "#" : "", number);
    }
    if ((def->id && def->dynamic) || g->holder == number)
        write_dynamic_anchor(o);
}

static void write_defs(struct object *root)
{
    struct generator *g = root->g;
    struct object map = {g, false, 0, 0};
    if (g->defs == 0)
        return;
    keyword(root, g->draft >= 2019 ? "$defs" : "definitions");
    put(g, "{");
    for (int i = 0; i < g->defs; i++) {
        struct object o = {g, false, 2 + below(g, 2), i + 1};
        keyword(&map, definition_names[i].name);
        put(g, "{");
        g->left += 4;
        write_identifiers(&o, i);
        write_keywords(&o, g->draft >= 2019 || (!g->def[i].id && !g->def[i].anchor));
        put(g, "}");
        g->inside = ROOT;
    }
    put(g, "}");
}

/* Decides which definitions there are, and what they are called. */
static void plan(struct generator *g)
{
    bool dynamic = g->options->dynamic && g->draft >= 2019 && percent(g, 35);
    bool ids = percent(g, dynamic ? 85 : 20), anchors = percent(g, 20);
    g->defs = percent(g, 45) ? 0 : 1 + below(g, DEFINITIONS);
    g->root_id = ids;
    g->holder = dynamic && percent(g, 60) ? ROOT : NOWHERE;
    for (int i = 0; i < g->defs; i++) {
        struct def *def = &g->def[i];
        def->id = ids && percent(g, 50);
        def->anchor = anchors && percent(g, 60) && (g->draft >= 2019 || !def->id);
        def->dynamic = dynamic && percent(g, 70);
        if (def->dynamic && !def->id && g->holder == NOWHERE && g->draft == 2020)
            g->holder = i;
    }
}

static bool has_identifiers(const struct generator *g)
{
    bool any = g->root_id;
    for (int i = 0; i < g->defs; i++)
        any = any || g->def[i].anchor;
    return any;
}

static const char *schema_uri(int draft)
{
    switch (draft) {
    case 4:
        return "http://json-schema.org/draft-04/schema#";
    case 6:
        return "http://json-schema.org/draft-06/schema#";
    case 7:
        return "http://json-schema.org/draft-07/schema#";
    case 2019:
        return "https://json-schema.org/draft/2019-09/schema";
    default:
        return "https://json-schema.org/draft/2020-12/schema";
    }
}

void generate_schema(uint64_t seed, const struct generate_options *options, struct cupel_text *text)
{
    struct generator g = {.chance = {seed},
                          .out = text,
                          .options = options,
                          .draft = (int)options->dialect,
                          .left = 24,
                          .inside = ROOT};
    struct object root = {&g, false, 4, 0};
    plan(&g);
    put(&g, "{");
    if (percent(&g, 25)) {
        keyword(&root, "$schema");
        cupel_text_addf(text, "\"%s\"", schema_uri(g.draft));
    }
    if (g.root_id) {
        keyword(&root, id_keyword(&g));
        cupel_text_addf(text, "\"%sroot\"", base_uri);
    }
    if (g.holder == ROOT)
        write_dynamic_anchor(&root);
    bool first = percent(&g, 50);
    if (first)
        write_defs(&root);
    write_keywords(&root, g.draft >= 2019 || !has_identifiers(&g));
    if (!first)
        write_defs(&root);
    put(&g, "}");
}
