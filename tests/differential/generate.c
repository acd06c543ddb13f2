/* generate.c: schemas made up from a seed.
 *
 * A schema is written straight down, with definitions beside it.  Two rules keep references free of
 * cycles: what applies to the same value refers to definitions further down the list only, what
 * applies to a part of it refers to any, and to the root. */
#include "generate_internal.h"

static const char base_uri[] = "http://cupel.test/";

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

bool can_refer(const struct object *o)
{
    return o->floor == BELOW || o->floor < o->g->defs;
}

void group_ref(struct object *o)
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

void group_dynamic(struct object *o)
{
    struct generator *g = o->g;
    if (g->draft == 2019) {
        keyword(o, "$recursiveRef");
        put(g, "\"#\"");
        return;
    }
    if (g->draft == CUPEL_V1) {
        if (g->holder != ROOT) /* the anchor must be on every way */
            return;
        keyword(o, "$dynamicRef");
        put(g, percent(g, 50) ? "\"node\"" : "\"#node\"");
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

/* -- Schemas ---------------------------------------------------------------------------------- */

/* The groups of keywords that a schema gets: those of one type, and now and then any other. */
static int choose_groups(struct object *o, group **ret)
{
    static group *const themes[] = {group_number, group_string, group_object,
                                    group_object, group_array,  group_logic};
    struct generator *g = o->g;
    int count = 0, theme = g->lax ? 2 + below(g, 4) : below(g, 6);
    for (int i = 0; i < 6; i++)
        if (themes[i] != themes[(i + 5) % 6] &&
            (themes[i] == themes[theme] || percent(g, themes[i] == group_logic ? 20 : 8)))
            ret[count++] = themes[i];
    if (percent(g, g->lax ? 10 : 35))
        ret[count++] = group_type;
    if (percent(g, g->lax ? 2 : 8))
        ret[count++] = group_values;
    if (percent(g, 6))
        ret[count++] = group_noise;
    if (g->options->unevaluated && g->draft >= 2019 && percent(g, g->lax ? 50 : 20))
        ret[count++] = group_unevaluated;
    if (g->options->dynamic && g->draft >= 2019 && can_refer_dynamically(o) &&
        percent(g, g->dynamic ? 40 : 5))
        ret[count++] = group_dynamic;
    return count;
}

/* Writes the keywords of a schema, in any order.  In the older drafts `$ref` makes the others
 * meaningless; `ref` says whether it may be used. */
static void write_keywords(struct object *o, bool ref)
{
    group *chosen[16];
    struct generator *g = o->g;
    bool refers = ref && can_refer(o) && percent(g, g->dynamic ? 45 : 20);
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
    if (g->draft > 4 && percent(g, g->lax ? 60 : 20)) {
        put(g, percent(g, g->lax ? 90 : 70) ? "true" : "false");
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

void write_schema(struct generator *g, int depth, int floor)
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
        if (g->body != NULL)
            g->body(&o);
        else
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
    g->dynamic = dynamic;
    g->lax = g->options->unevaluated && g->draft >= 2019 && percent(g, 30);
    if (dynamic && percent(g, 60))
        g->body = write_links;
    else if (g->options->unevaluated && g->draft >= 2019 && percent(g, 40))
        g->body = write_marks;
    g->defs = percent(g, dynamic ? 10 : 45) ? 0 : 1 + below(g, DEFINITIONS);
    g->root_id = ids;
    g->holder = dynamic && percent(g, 60) ? ROOT : NOWHERE;
    for (int i = 0; i < g->defs; i++) {
        struct def *def = &g->def[i];
        def->id = ids && percent(g, 50);
        def->anchor = anchors && percent(g, 60) && (g->draft >= 2019 || !def->id);
        def->dynamic = dynamic && percent(g, 70);
        if (def->dynamic && !def->id && g->holder == NOWHERE && g->draft >= 2020)
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
    case CUPEL_V1:
        return "https://json-schema.org/v1";
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
                          .left = 6,
                          .inside = ROOT};
    struct object root = {&g, false, 2, 0};
    plan(&g);
    if (percent(&g, 50)) {
        root.depth = 4;
        g.left = 24;
    }
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
    if (g.body == write_marks)
        write_marks_root(&root);
    else if (g.body != NULL)
        g.body(&root);
    else
        write_keywords(&root, g.draft >= 2019 || !has_identifiers(&g));
    if (!first)
        write_defs(&root);
    put(&g, "}");
}
