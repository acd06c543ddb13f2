/* output_units.c: the standard's output formats.
 *
 * FLAG, BASIC, DETAILED and VERBOSE are those of 2019-09 and 2020-12 (core 12.4): a unit is what a
 * keyword says of a value.  LIST and HIERARCHICAL are those of the version after: a unit is what a
 * schema says of a value, with its keywords' errors or annotations by name.  A failed evaluation
 * has no annotations.
 *
 * DETAILED leaves out nodes without a unit that have one child.  VERBOSE has a unit for every
 * keyword that was run and each has its own result, in choices, `not` and `if` too; a schema that
 * asks for nothing has none.  In the others what passed and noted nothing has no unit. */
#include "messages/output_tree.h"

void cupel__render_flag(struct render *r)
{
    cupel_text_adds(r->text, r->valid ? "{\"valid\":true}" : "{\"valid\":false}");
}

static const char *valid_text(const struct render *r)
{
    return r->valid ? "true" : "false";
}

/* Where the whole does not fit, the verdict is left of it. */
static void finish(struct tree *t)
{
    struct cupel_text *text = t->r->text;
    bool steps = cupel__report_charge(t->r->s, 0);
    if (t->failed || !steps || text->len - t->r->start > t->r->options->bytes) {
        cupel__cut(text, t->r->start);
        cupel__render_flag(t->r);
    }
    cupel__tree_free(t);
}

/* -- Keywords ---------------------------------------------------------------------------------- */

/* In VERBOSE each node has a result of its own. */
static bool is_valid(const struct tree *t, uint32_t node)
{
    return t->r->traced ? !t->nodes[node].failed : t->r->valid;
}

static void open_node(const struct tree *t, uint32_t node)
{
    struct cupel_text *text = t->r->text;
    cupel_text_addf(text,
                    "{\"valid\":%s,\"keywordLocation\":", is_valid(t, node) ? "true" : "false");
    cupel__tree_evaluation(t, node);
    cupel_text_adds(text, ",\"absoluteKeywordLocation\":");
    cupel__tree_absolute(t, node);
    cupel_text_adds(text, ",\"instanceLocation\":");
    cupel__tree_instance(t, node);
}

static const char *list_name(const struct render *r)
{
    return r->valid ? "annotations" : "errors";
}

/* What is hidden in a string becomes an escape, which means the same in JSON. */
void cupel__add_annotation(const struct render *r, const struct cupel__event *e)
{
    struct cupel_text value;
    cupel_text_init(&value, &r->text->alloc);
    cupel__value_text(r->code->image, e->which, &value);
    cupel__escape_untrusted(r->text, (struct cupel__str){value.bytes, value.len}, SIZE_MAX, 0);
    r->text->failed |= value.failed;
    cupel_text_free(&value);
}

/* Whether the value of an annotation may fit.  It is no shorter than that. */
static bool has_room(const struct render *r, const struct cupel__event *e)
{
    return cupel__value_size(r->code->image, e->which) <= r->options->bytes;
}

static void write_unit(struct render *r, const struct cupel__event *e, bool note)
{
    struct cupel_text *text = r->text, part;
    const size_t most = cupel__max_location_bytes(r);
    cupel_text_init(&part, &text->alloc);
    cupel_text_addf(text, "{\"valid\":%s,\"keywordLocation\":", valid_text(r));
    cupel__add_evaluation_path(r->s, e, most, &part);
    cupel__add_location(r, &part);
    cupel_text_adds(text, ",\"absoluteKeywordLocation\":");
    cupel__add_absolute_location(r->s, cupel__loc_of(r->code, e->pc), r->options->base, most,
                                 &part);
    cupel__add_location(r, &part);
    cupel_text_adds(text, ",\"instanceLocation\":");
    cupel__add_instance_location(r->s, e->node, most, &part);
    cupel__add_location(r, &part);
    cupel_text_adds(text, note ? ",\"annotation\":" : ",\"error\":");
    if (note) {
        cupel__add_annotation(r, e);
    } else {
        cupel__problem_sentence(r->code, r->doc, e, &part);
        cupel__add_json(text, &part);
    }
    cupel_text_adds(text, "}");
    cupel_text_free(&part);
}

static void open_root(struct render *r)
{
    struct cupel_text uri;
    cupel_text_init(&uri, &r->text->alloc);
    cupel__add_absolute_location(r->s, cupel__loc_root(r->code), r->options->base,
                                 cupel__max_location_bytes(r), &uri);
    cupel_text_addf(r->text, "{\"valid\":%s,\"keywordLocation\":\"\",\"absoluteKeywordLocation\":",
                    valid_text(r));
    cupel__add_location(r, &uri);
    cupel_text_addf(r->text, ",\"instanceLocation\":\"\",\"%s\":[", list_name(r));
    cupel_text_free(&uri);
}

void cupel__render_basic(struct render *r)
{
    open_root(r);
    for (uint32_t i = 0; i < r->nunits; i++) {
        cupel_text_adds(r->text, i > 0 ? "," : "");
        size_t before = r->text->len;
        const uint32_t unit = r->valid ? r->s->order[i] : i;
        bool fits = !r->valid || has_room(r, &r->s->log.events[unit]);
        if (fits)
            write_unit(r, &r->s->log.events[unit], r->valid);
        fits = fits && cupel__charge_output(r, r->text->len - before);
        if (!fits || r->text->len - r->start > r->options->bytes - 2) {
            cupel__cut(r->text, r->start);
            cupel__render_flag(r);
            return;
        }
    }
    cupel_text_adds(r->text, "]}");
}

/* Whether more may be written.  Each node costs a step, and each byte. */
static bool has_budget(struct tree *t)
{
    const size_t len = t->r->text->len;
    bool steps = cupel__charge_output(t->r, len - t->charged);
    t->charged = len;
    return steps && len - t->r->start <= t->r->options->bytes;
}

/* -- Trees of keywords ------------------------------------------------------------------------- */

static bool is_shown(const struct tree *t, uint32_t node, bool verbose)
{
    const struct output_node *n = &t->nodes[node];
    return (verbose && !n->inner) || node == 0 || n->nunits > 0 || n->children > 1;
}

/* Goes through the tree, children inside their parents; `depth` counts open nodes that are shown.
 */
static void write_tree(struct render *r, bool verbose)
{
    struct tree t;
    uint32_t up, node = 0;
    cupel__tree_make(&t, r);
    bool comma = false;
    while (!t.failed && node != NO_NODE && has_budget(&t)) {
        const struct output_node *n = &t.nodes[node];
        if (is_shown(&t, node, verbose)) {
            cupel_text_adds(r->text, comma ? "," : "");
            open_node(&t, node);
            if (cupel__tree_has_message(&t, node)) {
                cupel_text_adds(r->text, is_valid(&t, node) ? ",\"annotation\":" : ",\"error\":");
                cupel__tree_add_message(&t, node);
            }
            if (n->children > 0 || node == 0)
                cupel_text_addf(r->text,
                                is_valid(&t, node) ? ",\"annotations\":[" : ",\"errors\":[");
            comma = false;
        }
        uint32_t left = node;
        node = cupel__tree_next(&t, node, &up);
        bool leaf = t.nodes[left].children == 0;
        for (uint32_t i = 0; leaf && left != NO_NODE && i <= up; i++, left = t.nodes[left].parent) {
            if (is_shown(&t, left, verbose)) {
                cupel_text_adds(r->text, t.nodes[left].children > 0 || left == 0 ? "]}" : "}");
                comma = true;
            }
        }
    }
    finish(&t);
}

void cupel__render_detailed(struct render *r)
{
    write_tree(r, false);
}

void cupel__render_verbose(struct render *r)
{
    write_tree(r, true);
}

/* -- Schemas ----------------------------------------------------------------------------------- */

/* A schema's node has a unit of its own where the schema is false, and otherwise keywords with
 * units. */
static bool is_schema_unit(const struct tree *t, uint32_t node)
{
    if (node == 0 || (t->nodes[node].nunits > 0 && t->nodes[node].down))
        return true;
    for (uint32_t c = t->nodes[node].child; c != NO_NODE; c = t->nodes[c].sibling)
        if (t->nodes[c].nunits > 0 && !t->nodes[c].down)
            return true;
    return false;
}

static void write_keyword(const struct tree *t, uint32_t node, bool named, bool *comma)
{
    struct cupel_text *text = t->r->text;
    if (!*comma)
        cupel_text_addf(text, ",\"%s\":{", list_name(t->r));
    else
        cupel_text_adds(text, ",");
    *comma = true;
    struct cupel__str name = CUPEL__STR("");
    if (named)
        name = (struct cupel__str){t->keys.bytes + t->nodes[node].at, t->nodes[node].len};
    cupel__text_quoted(text, name, SIZE_MAX);
    cupel_text_adds(text, ":");
    cupel__tree_add_message(t, node);
}

/* Opens the unit of a schema with what its keywords say. */
static void open_schema(const struct tree *t, uint32_t node)
{
    struct cupel_text *text = t->r->text;
    bool comma = false;
    cupel_text_addf(text, "{\"valid\":%s,\"evaluationPath\":", valid_text(t->r));
    cupel__tree_evaluation(t, node);
    cupel_text_adds(text, ",\"schemaLocation\":");
    cupel__tree_absolute(t, node);
    cupel_text_adds(text, ",\"instanceLocation\":");
    cupel__tree_instance(t, node);
    if (t->nodes[node].nunits > 0 && (t->nodes[node].down || node == 0))
        write_keyword(t, node, false, &comma);
    for (uint32_t c = t->nodes[node].child; c != NO_NODE; c = t->nodes[c].sibling)
        if (t->nodes[c].nunits > 0 && !t->nodes[c].down)
            write_keyword(t, c, true, &comma);
    cupel_text_adds(text, comma ? "}" : "");
}

void cupel__render_list(struct render *r)
{
    struct tree t;
    uint32_t up, node = 0;
    cupel__tree_make(&t, r);
    cupel_text_addf(r->text, "{\"valid\":%s,\"details\":[", valid_text(r));
    while (!t.failed && node != NO_NODE && has_budget(&t)) {
        if (is_schema_unit(&t, node)) {
            cupel_text_adds(r->text, node > 0 ? "," : "");
            open_schema(&t, node);
            cupel_text_adds(r->text, "}");
        }
        node = cupel__tree_next(&t, node, &up);
    }
    cupel_text_adds(r->text, "]}");
    finish(&t);
}

/* The units of schemas inside the nearest one above them. */
void cupel__render_hierarchical(struct render *r)
{
    struct tree t;
    uint32_t up, node = 0;
    bool first = true; /* in the list that is open */
    cupel__tree_make(&t, r);
    while (!t.failed && node != NO_NODE && has_budget(&t)) {
        if (is_schema_unit(&t, node)) {
            cupel_text_adds(r->text, first ? "" : ",");
            open_schema(&t, node);
            cupel_text_adds(r->text, ",\"details\":[");
            first = true;
        }
        uint32_t left = node;
        node = cupel__tree_next(&t, node, &up);
        bool leaf = t.nodes[left].children == 0;
        for (uint32_t i = 0; leaf && left != NO_NODE && i <= up; i++, left = t.nodes[left].parent) {
            if (is_schema_unit(&t, left)) {
                cupel_text_adds(r->text, "]}");
                first = false;
            }
        }
    }
    finish(&t);
}
