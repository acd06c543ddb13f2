/* generate_scenario.c: made-up schemas in which one thing decides.
 *
 * Schemas at random seldom hang on which members are evaluated, or on where a dynamic reference
 * leads: something else fails first.  These assert little else. */
#include "generate_internal.h"

enum { NAMES = 5 };

static void put_name(struct generator *g)
{
    cupel_text_addf(g->out, "\"%s\"", words[below(g, NAMES)].bytes);
}

/* A schema that is often true, and else easily satisfied or not. */
static void write_light(struct generator *g)
{
    static const char *const light[] = {"{\"type\":\"integer\"}",
                                        "{\"type\":[\"array\",\"object\"]}", "{\"minimum\":2}",
                                        "false", "{\"not\":{\"type\":\"null\"}}"};
    put(g, percent(g, 65) ? "true" : light[below(g, 5)]);
}

/* Something that a small object or array may or may not be. */
static void light_assertion(struct object *o)
{
    static const char *const limits[] = {"minProperties", "maxProperties", "maxItems"};
    struct generator *g = o->g;
    int which = below(g, 5);
    if (which < 3) {
        keyword(o, limits[which]);
        cupel_text_addf(g->out, "%d", 1 + below(g, 2));
    } else if (which == 3) {
        keyword(o, "required");
        put(g, "[");
        put_name(g);
        put(g, "]");
    } else {
        keyword(o, "type");
        put(g, percent(g, 70) ? "[\"object\",\"integer\"]" : "[\"array\",\"integer\"]");
    }
}

/* -- What is evaluated ------------------------------------------------------------------------ */

static void marks_members(struct object *o)
{
    struct generator *g = o->g;
    bool by_pattern = percent(g, 20);
    int first = below(g, NAMES), count = 1 + below(g, 2);
    struct object map = {g, false, 0, 0};
    keyword(o, by_pattern ? "patternProperties" : "properties");
    put(g, "{");
    for (int i = first; i < first + count; i++) {
        keyword(&map, by_pattern ? patterns[i].pattern : words[i].bytes);
        write_light(g);
    }
    put(g, "}");
}

static void marks_items(struct object *o)
{
    struct generator *g = o->g;
    if (percent(g, 35)) {
        keyword(o, "contains");
        write_light(g);
        put(g, percent(g, 40) ? ",\"minContains\":0" : "");
        return;
    }
    keyword(o, g->draft >= 2020 ? "prefixItems" : "items");
    put(g, percent(g, 50) ? "[true]" : "[true,true]");
    if (g->draft < 2020 && percent(g, 15))
        put(g, ",\"additionalItems\":true");
}

/* A subschema for the same value. */
static void write_marked(const struct object *parent)
{
    struct generator *g = parent->g;
    struct object o = {g, false, parent->depth - 1, parent->floor};
    put(g, "{");
    write_marks(&o);
    if (percent(g, 8)) {
        keyword(&o, "unevaluatedProperties");
        write_light(g);
    }
    put(g, "}");
}

static void marks_list(struct object *o)
{
    static const char *const lists[] = {"allOf", "anyOf", "anyOf", "oneOf"};
    struct generator *g = o->g;
    int count = 1 + below(g, 3);
    keyword(o, lists[below(g, 4)]);
    put(g, "[");
    for (int i = 0; i < count; i++) {
        put(g, i != 0 ? "," : "");
        write_marked(o);
    }
    put(g, "]");
}

static void marks_if(struct object *o)
{
    static const char *const parts[] = {"if", "then", "else"};
    for (int i = 0; i < 3; i++) {
        if (i != 0 && percent(o->g, 30))
            continue;
        keyword(o, parts[i]);
        write_marked(o);
    }
}

static void marks_dependent(struct object *o)
{
    keyword(o, "dependentSchemas");
    put(o->g, "{");
    put_name(o->g);
    put(o->g, ":");
    write_marked(o);
    put(o->g, "}");
}

/* What stands below `not` evaluates nothing, twice `not` included. */
static void marks_not(struct object *o)
{
    bool twice = percent(o->g, 60);
    keyword(o, "not");
    put(o->g, twice ? "{\"not\":" : "");
    write_marked(o);
    put(o->g, twice ? "}" : "");
}

/* Keywords that evaluate members and items, behind choices that light assertions decide. */
void write_marks(struct object *o)
{
    static group *const logic[] = {marks_list, marks_list, marks_if, marks_dependent, marks_not};
    struct generator *g = o->g;
    if (percent(g, 55))
        marks_members(o);
    if (percent(g, 30))
        marks_items(o);
    if (percent(g, 35))
        light_assertion(o);
    if (o->depth > 0 && percent(g, 60))
        logic[below(g, 5)](o);
    if (can_refer(o) && percent(g, 30))
        group_ref(o);
}

/* The same at the root, with somebody who asks what is evaluated. */
void write_marks_root(struct object *o)
{
    bool first = percent(o->g, 30);
    if (!first)
        write_marks(o);
    keyword(o, "unevaluatedProperties");
    put(o->g, percent(o->g, 70) ? "false" : "{\"type\":\"integer\"}");
    keyword(o, "unevaluatedItems");
    put(o->g, percent(o->g, 70) ? "false" : "{\"type\":\"string\"}");
    if (first)
        write_marks(o);
}

/* -- Which branch it is ------------------------------------------------------------------------ */

/* Values of a member by which branch i can be told from others, more or less. */
static void write_tag(struct object *map, const char *tag, int i)
{
    struct generator *g = map->g;
    int kind = below(g, 8);
    keyword(map, tag);
    if (kind == 0)
        cupel_text_addf(g->out, "{\"not\":{\"enum\":[\"%s\",\"%s\"]}}", words[i].bytes,
                        words[i + 1].bytes);
    else if (kind == 1)
        cupel_text_addf(g->out, "{\"enum\":[%d,%d.0,\"%s\"]}", i, i + 1, words[i].bytes);
    else if (kind == 2)
        write_light(g);
    else
        cupel_text_addf(g->out, "{\"enum\":[\"%s\",\"%s\"]}", words[i].bytes,
                        words[i + 1 + below(g, 3)].bytes);
}

static void write_branch(const struct object *parent, const char *list, const char *tag, int i)
{
    struct generator *g = parent->g;
    struct object o = {g, false, parent->depth - 1, parent->floor}, map = {g, false, 0, 0};
    put(g, "{");
    if (percent(g, 70)) {
        keyword(&o, "properties");
        put(g, "{");
        if (percent(g, 80))
            write_tag(&map, tag, i);
        keyword(&map, words[i % 3].bytes);
        write_light(g);
        put(g, "}");
    }
    if (percent(g, 60)) {
        keyword(&o, "required");
        cupel_text_addf(g->out, "[\"%s\"]", percent(g, 70) ? tag : words[i % 3].bytes);
    }
    if (percent(g, 30)) {
        keyword(&o, "additionalProperties");
        put(g, "false");
    }
    if (parent->depth > 0 && percent(g, 15)) {
        keyword(&o, list);
        put(g, "[");
        write_branch(&o, list, tag, below(g, NAMES));
        put(g, ",");
        write_branch(&o, list, tag, below(g, NAMES));
        put(g, "]");
    }
    put(g, "}");
}

/* A choice whose branches differ in the value of a member, or in which members there are. */
void group_union(struct object *o)
{
    static const char *const lists[] = {"anyOf", "oneOf"};
    struct generator *g = o->g;
    const char *list = lists[below(g, 2)], *tag = words[3 + below(g, 4)].bytes;
    int count = 2 + below(g, 4);
    keyword(o, list);
    put(g, "[");
    for (int i = 0; i < count; i++) {
        put(g, i != 0 ? "," : "");
        write_branch(o, list, tag, i);
    }
    put(g, "]");
}

/* "if" and "then", about one member. */
static void write_case(struct object *o, const char *tag, int i)
{
    struct generator *g = o->g;
    struct object condition = {g, false, 0, 0}, map = {g, false, 0, 0}, then = {g, false, 0, 0};
    keyword(o, "if");
    put(g, "{");
    keyword(&condition, "properties");
    put(g, "{");
    write_tag(&map, tag, i);
    put(g, "}");
    if (percent(g, 50)) {
        keyword(&condition, "required");
        cupel_text_addf(g->out, "[\"%s\"]", tag);
    }
    put(g, "}");
    keyword(o, "then");
    put(g, "{");
    light_assertion(&then);
    put(g, "}");
}

/* Such conditions, each in the last branch of the one before. */
void group_switch(struct object *o)
{
    struct generator *g = o->g;
    const char *tag = words[3 + below(g, 4)].bytes;
    int links = 1 + below(g, 3);
    write_case(o, tag, 0);
    for (int i = 1; i < links; i++) {
        struct object inner = {g, false, 0, 0};
        put(g, ",\"else\":{");
        write_case(&inner, percent(g, 90) ? tag : words[below(g, NAMES)].bytes, i);
    }
    put(g, ",\"else\":");
    write_light(g);
    for (int i = 1; i < links; i++)
        put(g, "}");
}

/* -- Where dynamic references lead ------------------------------------------------------------ */

static void write_link(struct generator *g)
{
    struct object o = {g, false, 0, BELOW};
    put(g, "{");
    if (percent(g, 75))
        group_dynamic(&o);
    else
        group_ref(&o);
    put(g, "}");
}

/* A schema of a resource: an assertion to know it by, a way into another resource, and dynamic
 * references for what is below. */
void write_links(struct object *o)
{
    static const char *const rests[] = {"additionalProperties", "items", "unevaluatedProperties"};
    struct generator *g = o->g;
    int first = below(g, 3), count = 1 + below(g, 2);
    struct object map = {g, false, 0, 0};
    if (percent(g, 60))
        light_assertion(o);
    if (can_refer(o) && percent(g, 75))
        group_ref(o);
    if (percent(g, 75)) {
        keyword(o, "properties");
        put(g, "{");
        for (int i = first; i < first + count; i++) {
            keyword(&map, words[i].bytes);
            write_link(g);
        }
        put(g, "}");
    }
    if (percent(g, 50)) {
        keyword(o, rests[below(g, g->options->unevaluated ? 3 : 2)]);
        write_link(g);
    }
}
