/* output_units.c: the output formats of the JSON Schema specification.
 *
 * FLAG, BASIC, DETAILED and VERBOSE are those of 2019-09 and 2020-12 (core 12.4), where an output
 * unit is the result of one keyword for one value.  LIST and HIERARCHICAL are those of the draft
 * after 2020-12, where a unit is the result of one schema for one value and has the errors or
 * annotations of its keywords by name.  A failed evaluation has no annotations.
 *
 * BASIC writes the events one by one.  The others build a tree (output_tree.h) and traverse it.
 * DETAILED leaves out nodes that have one child and no unit.  VERBOSE has a unit with a result of
 * its own for every keyword that ran, in choices, `not` and `if` too.  In the others a keyword that
 * passed without an annotation has no unit.
 *
 * An output that exceeds options->bytes or the budget is replaced by FLAG's. */
#include "messages/output_tree.h"

void cupel__render_flag(struct render *r)
{
    cupel_text_adds(r->text, r->valid ? "{\"valid\":true}" : "{\"valid\":false}");
}

static const char *valid_text(const struct render *r)
{
    return r->valid ? "true" : "false";
}

/* Charges for what the last node wrote, and frees the tree.  If the output exceeds a bound it
 * becomes FLAG's, the verdict alone. */
static void finish(struct output_tree *t)
{
    struct cupel_text *text = t->r->text;
    bool steps = cupel__charge_output(t->r, text->len - t->charged);
    if (t->failed || !steps || text->len - t->r->start > t->r->options->bytes) {
        cupel__cut(text, t->r->start);
        cupel__render_flag(t->r);
    }
    cupel__tree_free(t);
}

/* -- Keywords ---------------------------------------------------------------------------------- */

/* The result of a node: its own in VERBOSE, otherwise the verdict. */
static bool is_valid(const struct output_tree *t, uint32_t node)
{
    return t->r->traced ? !t->nodes[node].failed : t->r->valid;
}

static void open_node(const struct output_tree *t, uint32_t node)
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

/* Whether the value of an annotation may fit: its text is at least as long as its stored form. */
static bool may_fit(const struct render *r, const struct cupel__event *e)
{
    return cupel__value_size(r->code->image, e->which) <= r->options->bytes;
}

/* Writes one unit of BASIC: an annotation if `note`, otherwise an error. */
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
        cupel__problem_sentence(r->s, e, &part);
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
        bool fits = !r->valid || may_fit(r, &r->s->log.events[unit]);
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

/* Whether the traversal may go on.  Charges one step for the node and the bytes since the last
 * call. */
static bool has_budget(struct output_tree *t)
{
    const size_t len = t->r->text->len;
    bool steps = cupel__charge_output(t->r, len - t->charged);
    t->charged = len;
    return steps && len - t->r->start <= t->r->options->bytes;
}

/* -- Trees of keywords ------------------------------------------------------------------------- */

static bool is_shown(const struct output_tree *t, uint32_t node, bool verbose)
{
    const struct output_node *n = &t->nodes[node];
    return (verbose && !n->inner) || node == 0 || n->nunits > 0 || n->children > 1;
}

/* Writes the tree with children inside their parents.  A node is opened when the traversal reaches
 * it; after a leaf, the leaf and the `up` nodes that the traversal leaves are closed. */
static void write_tree(struct render *r, bool verbose)
{
    struct output_tree t;
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
        uint32_t closing = node;
        node = cupel__tree_next(&t, node, &up);
        bool leaf = t.nodes[closing].children == 0;
        for (uint32_t i = 0; leaf && closing != NO_NODE && i <= up;
             i++, closing = t.nodes[closing].parent) {
            if (is_shown(&t, closing, verbose)) {
                cupel_text_adds(r->text,
                                t.nodes[closing].children > 0 || closing == 0 ? "]}" : "}");
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

/* Whether a node is a schema with something to write: it is false, or one of its keywords has a
 * unit. */
static bool is_schema_unit(const struct output_tree *t, uint32_t node)
{
    if (node == 0 || (t->nodes[node].nunits > 0 && t->nodes[node].down))
        return true;
    for (uint32_t c = t->nodes[node].child; c != NO_NODE; c = t->nodes[c].sibling)
        if (t->nodes[c].nunits > 0 && !t->nodes[c].down)
            return true;
    return false;
}

/* Writes the message or annotation of a keyword as a member of the schema's unit; *comma: it is not
 * the first.  A false schema is no keyword and has the name "". */
static void write_keyword(const struct output_tree *t, uint32_t node, bool named, bool *comma)
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

/* Opens the unit of a schema with its locations and the members of its keywords. */
static void open_schema(const struct output_tree *t, uint32_t node)
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
    struct output_tree t;
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

/* Writes each schema's unit inside that of the nearest schema above it. */
void cupel__render_hierarchical(struct render *r)
{
    struct output_tree t;
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
        uint32_t closing = node;
        node = cupel__tree_next(&t, node, &up);
        bool leaf = t.nodes[closing].children == 0;
        for (uint32_t i = 0; leaf && closing != NO_NODE && i <= up;
             i++, closing = t.nodes[closing].parent) {
            if (is_schema_unit(&t, closing)) {
                cupel_text_adds(r->text, "]}");
                first = false;
            }
        }
    }
    finish(&t);
}
