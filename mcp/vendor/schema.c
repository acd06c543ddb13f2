/* schema.c: what a target takes of each keyword, and what is written instead.
 *
 * A check goes through the document as it is.  An export follows references instead where they are
 * not taken, and writes; both say the same of the same keyword. */
#include "mcp/vendor/target.h"

#include <string.h>

/* The bounds of structured outputs. */
enum { MOST_PROPERTIES = 5000, MOST_NESTING = 10, MOST_ENUM = 1000, MOST_CHARACTERS = 120000 };

/* What is lost, and what is said otherwise. */
#define LOST(walk, rule, node, ...) \
    cupel__target_tell(walk, CUPEL__RULE_TARGET_##rule, CUPEL__TARGET_LOST, node, NULL, __VA_ARGS__)
#define SAID(walk, rule, node, ...) \
    cupel__target_tell(walk, CUPEL__RULE_TARGET_##rule, CUPEL__TARGET_SAID, node, NULL, __VA_ARGS__)

/* The keyword at which the walk is. */
struct place {
    struct cupel__target_walk *walk;
    uint32_t schema, key, value;
    const char *name; /* of the keyword */
    size_t len;
    const struct cupel__target_keyword *row; /* NULL if it is in no table */
};

/* -- Helpers ---------------------------------------------------------------------------------- */

static struct cupel__target_frame *top(struct cupel__target_walk *walk)
{
    return &walk->frames[walk->depth - 1];
}

/* The schema whose object is being written: what references lead to becomes part of it. */
static struct cupel__target_frame *written(struct cupel__target_walk *walk)
{
    return &walk->frames[top(walk)->written];
}

static uint32_t member(struct cupel__target_walk *walk, uint32_t node, const char *key)
{
    return cupel__target_member(walk, node, key, strlen(key));
}

static bool is_type(const struct cupel__target_walk *walk, uint32_t node, enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && cupel_json_type(walk->doc, node) == type;
}

/* Whether an array holds the string. */
static bool has_string(struct cupel__target_walk *walk, uint32_t array, const char *text,
                       size_t len)
{
    if (!is_type(walk, array, CUPEL_JSON_ARRAY))
        return false;
    uint32_t node = cupel_json_first(walk->doc, array);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, array, node)) {
        size_t n;
        const char *item = cupel_json_string(walk->doc, node, &n);
        if (item != NULL && n == len && memcmp(item, text, n) == 0)
            return true;
    }
    return false;
}

/* Whether the `type` of a schema names this one. */
static bool names_type(struct cupel__target_walk *walk, uint32_t schema, const char *type)
{
    uint32_t node = member(walk, schema, "type");
    return node != CUPEL_NO_NODE &&
           (cupel_json_is(walk->doc, node, type) || has_string(walk, node, type, strlen(type)));
}

static const char *target_name(const struct cupel__target_walk *walk)
{
    return cupel_target_name(walk->target);
}

/* A keyword's name, fit for a message. */
static const char *say(const struct place *at)
{
    struct cupel_text *text = &at->walk->message;
    cupel_text_clear(text);
    cupel_text_name(text, at->name, at->len);
    return text->failed ? "" : text->bytes;
}

/* -- Writing ---------------------------------------------------------------------------------- */

static void put(struct cupel__target_walk *walk, const char *text)
{
    if (walk->writes)
        cupel_text_adds(&walk->out, text);
}

static void put_key(struct cupel__target_walk *walk, const char *name, size_t len)
{
    if (!walk->writes)
        return;
    cupel__mcp_separate(&walk->out);
    cupel_text_json(&walk->out, name, len);
    cupel_text_adds(&walk->out, ":");
}

static void put_span(struct cupel__target_walk *walk, uint32_t node)
{
    size_t len;
    if (!walk->writes)
        return;
    const char *span = cupel_json_span(walk->doc, node, &len);
    cupel_text_add(&walk->out, span, len);
}

/* -- References ------------------------------------------------------------------------------- */

/* Whether a keyword asks something of values.  Definitions do so only where they are referred to.
 */
static bool asks_something(const struct cupel__target_keyword *row)
{
    return row != NULL && row->shape != CUPEL__TARGET_NOTE &&
           row->actions[CUPEL_TARGET_OPENAI - 1] != CUPEL__TARGET_DEFS;
}

/* Whether a schema says more of values than its reference does. */
static bool has_more(const struct cupel__target_walk *walk, uint32_t schema)
{
    uint32_t key = cupel_json_first(walk->doc, schema);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(walk->doc, schema, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(walk->doc, key, &len);
        bool reference = len == 4 && memcmp(name, "$ref", 4) == 0;
        if (!reference && asks_something(cupel__target_keyword(name, len)))
            return true;
    }
    return false;
}

/* Whether a pointer in a reference is "", or "/$defs/NAME" or "/definitions/NAME": an export moves
 * no other schemas, and drops none of these. */
static bool is_movable(const char *pointer, size_t len)
{
    static const char *const maps[] = {"/$defs/", "/definitions/"};
    if (len == 0)
        return true;
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        size_t n = strlen(maps[i]);
        if (len >= n && memcmp(pointer, maps[i], n) == 0)
            return memchr(pointer + n, '/', len - n) == NULL;
    }
    return false;
}

/* Decides what becomes of the reference in the schema that was entered last. */
static void decide_reference(struct cupel__target_walk *walk)
{
    struct cupel__target_frame *frame = top(walk);
    const char *pointer = "";
    size_t len = 0;
    uint32_t reference = member(walk, frame->node, "$ref");
    const struct cupel__target_keyword *row = cupel__target_keyword("$ref", 4);
    if (reference == CUPEL_NO_NODE)
        return;
    uint32_t target = cupel__target_resolve(walk, reference, &pointer, &len);
    bool bare = walk->flags & CUPEL__TARGET_BARE;
    bool sound = !frame->embedded && is_type(walk, target, CUPEL_JSON_OBJECT);
    bool open = sound && cupel__target_has(walk, CUPEL__TARGET_OPEN, target);
    frame->keeps = sound && row->actions[walk->target - 1] == CUPEL__TARGET_KEEP &&
                   is_movable(pointer, len) && !frame->merged && !(bare && frame->root);
    /* What stands beside would be lost; as one object the two are said. */
    if (frame->keeps && bare && walk->writes && !open && has_more(walk, frame->node))
        frame->keeps = false;
    frame->inlines = sound && walk->writes && !frame->keeps && !open;
}

/* -- Schemas ---------------------------------------------------------------------------------- */

/* Whether a schema that has to take null as well can say so in its `type`. */
static bool has_plain_type(struct cupel__target_walk *walk, uint32_t schema)
{
    static const char *const others[] = {"enum", "const", "$ref", "anyOf", "oneOf"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (member(walk, schema, others[i]) != CUPEL_NO_NODE)
            return false;
    return is_type(walk, member(walk, schema, "type"), CUPEL_JSON_STRING);
}

/* Enters a subschema, or writes what stands in its place. */
static void enter_schema(struct cupel__target_walk *walk, uint32_t node, bool nullable)
{
    if (!is_type(walk, node, CUPEL_JSON_OBJECT)) {
        if (cupel_json_boolean(walk->doc, node) == 1)
            SAID(walk, BOOLEAN, node, "%s takes no boolean in the place of a schema",
                 target_name(walk));
        else
            LOST(walk, BOOLEAN, node, "%s takes objects alone as schemas", target_name(walk));
        put(walk, "{}");
        return;
    }
    bool refers = member(walk, node, "$ref") != CUPEL_NO_NODE;
    nullable = nullable && (refers || !names_type(walk, node, "null"));
    bool wrapped = nullable && !has_plain_type(walk, node);
    put(walk, wrapped ? "{\"anyOf\":[{" : "{");
    struct cupel__target_frame *frame = cupel__target_enter(walk, CUPEL__TARGET_SCHEMA, node);
    if (frame == NULL)
        return;
    frame->root = node == walk->root && walk->depth == 1;
    frame->embedded |= !frame->root && cupel__target_is_resource(walk, node);
    frame->wrapped = wrapped;
    frame->nullable = nullable && !wrapped;
    decide_reference(walk);
}

/* Goes on with the schema that a reference leads to, as part of the object in which it stands. */
static void merge(struct cupel__target_walk *walk, uint32_t target, const char *pointer, size_t len)
{
    cupel__target_note_members(walk);
    const struct cupel__target_frame below = *top(walk);
    struct cupel__target_frame *frame = cupel__target_enter(walk, CUPEL__TARGET_SCHEMA, target);
    if (frame == NULL)
        return;
    frame->merged = true;
    frame->written = below.written;
    frame->root = below.root;
    frame->hops = below.hops + 1;
    frame->embedded = false;
    frame->base = pointer;
    frame->base_len = len;
    decide_reference(walk);
}

/* A reference that is not kept. */
static void replace_reference(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    const char *pointer = "";
    size_t len = 0;
    if (top(walk)->inlines) {
        uint32_t target = cupel__target_resolve(walk, at->value, &pointer, &len);
        SAID(walk, REFERENCE, at->key, "the schema referred to is put in its place");
        merge(walk, target, pointer, len);
        return;
    }
    uint32_t target = top(walk)->embedded ? CUPEL_NO_NODE
                                          : cupel__target_resolve(walk, at->value, &pointer, &len);
    if (!is_type(walk, target, CUPEL_JSON_OBJECT))
        LOST(walk, REFERENCE, at->key, "the reference leads to no schema here: it is left out");
    else if (walk->writes)
        LOST(walk, REFERENCE, at->key,
             "the reference leads back to where it stands: below it, anything is taken");
    else
        LOST(walk, REFERENCE, at->key, "%s takes references to a schema in $defs of the root",
             target_name(walk));
}

/* -- Keywords that are taken ------------------------------------------------------------------ */

static void count_enum(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    uint32_t node = cupel_json_first(walk->doc, at->value);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, at->value, node)) {
        size_t len;
        walk->enum_values++;
        cupel_json_string(walk->doc, node, &len);
        walk->characters += len;
    }
}

static void keep_data(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    if (top(walk)->inlines && cupel__target_is_bound(at->name, at->len))
        at->value = cupel__target_tightest(walk, at->schema, at->value, at->name, at->len);
    put_key(walk, at->name, at->len);
    if (top(walk)->nullable && cupel_json_is(walk->doc, at->key, "type")) {
        put(walk, "[");
        put_span(walk, at->value);
        put(walk, ",\"null\"]");
        return;
    }
    if (cupel_json_is(walk->doc, at->key, "enum") && is_type(walk, at->value, CUPEL_JSON_ARRAY))
        count_enum(at);
    put_span(walk, at->value);
}

static void keep_map(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    bool properties = cupel_json_is(walk->doc, at->key, "properties");
    if (properties && (walk->flags & CUPEL__TARGET_CLOSED))
        cupel__target_mark_required(walk, at->value);
    put_key(walk, at->name, at->len);
    put(walk, "{");
    struct cupel__target_frame *frame = cupel__target_enter(walk, CUPEL__TARGET_MAP, at->value);
    if (frame == NULL)
        return;
    frame->optional = properties;
    frame->nesting += properties;
}

static void keep_list(struct place *at, const char *name)
{
    put_key(at->walk, name, strlen(name));
    put(at->walk, "[");
    cupel__target_enter(at->walk, CUPEL__TARGET_LIST, at->value);
}

static void keep(struct place *at)
{
    enum cupel__target_shape shape = at->row != NULL ? at->row->shape : CUPEL__TARGET_DATA;
    bool object = is_type(at->walk, at->value, CUPEL_JSON_OBJECT);
    if (shape == CUPEL__TARGET_MAP && object) {
        keep_map(at);
    } else if (shape == CUPEL__TARGET_LIST && is_type(at->walk, at->value, CUPEL_JSON_ARRAY)) {
        keep_list(at, at->row->name);
    } else if (shape == CUPEL__TARGET_EITHER && is_type(at->walk, at->value, CUPEL_JSON_ARRAY)) {
        LOST(at->walk, KEYWORD, at->key, "%s takes one schema for all items",
             target_name(at->walk));
    } else if ((shape == CUPEL__TARGET_SCHEMA && object) || shape == CUPEL__TARGET_EITHER) {
        written(at->walk)->items |= shape == CUPEL__TARGET_EITHER;
        put_key(at->walk, at->name, at->len);
        enter_schema(at->walk, at->value, false);
    } else {
        keep_data(at);
    }
}

/* -- Keywords that are not, or not as they are ------------------------------------------------ */

static void lose(struct place *at)
{
    LOST(at->walk, KEYWORD, at->key, "%s does not take %s", target_name(at->walk), say(at));
}

static void hide(struct place *at)
{
    SAID(at->walk, REMARK, at->key, "%s does not take %s", target_name(at->walk), say(at));
}

/* Whether no value can be of two branches: each has one `type`, and no two have the same. */
static bool is_disjoint(struct cupel__target_walk *walk, uint32_t branches)
{
    static const char *const names[] = {"null",  "boolean", "number", "string",
                                        "array", "object",  "integer"};
    unsigned seen = 0;
    uint32_t node = cupel_json_first(walk->doc, branches);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, branches, node)) {
        unsigned bit = 0;
        uint32_t type =
            is_type(walk, node, CUPEL_JSON_OBJECT) ? member(walk, node, "type") : CUPEL_NO_NODE;
        for (size_t i = 0; type != CUPEL_NO_NODE && i < sizeof(names) / sizeof(names[0]); i++)
            if (cupel_json_is(walk->doc, type, names[i]))
                bit = 1u << (i == 6 ? 2 : i); /* integers are numbers */
        if (bit == 0 || (seen & bit) != 0)
            return false;
        seen |= bit;
    }
    return true;
}

/* `oneOf` becomes `anyOf`: what the model may give is then a little more, unless the branches
 * exclude one another by their types. */
static void take_as_any(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    bool list = is_type(walk, at->value, CUPEL_JSON_ARRAY);
    if (member(walk, at->schema, "anyOf") != CUPEL_NO_NODE || !list) {
        LOST(walk, KEYWORD, at->key, "%s does not take oneOf%s: it is left out", target_name(walk),
             list ? ", which beside anyOf cannot be an anyOf either" : "");
        return;
    }
    if (is_disjoint(walk, at->value))
        SAID(walk, KEYWORD, at->key, "%s takes oneOf as anyOf only", target_name(walk));
    else
        LOST(walk, KEYWORD, at->key,
             "%s takes oneOf as anyOf only: a value may match several branches", target_name(walk));
    keep_list(at, "anyOf");
}

static void take_as_enum(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    if (!is_type(walk, at->value, CUPEL_JSON_STRING) ||
        member(walk, at->schema, "enum") != CUPEL_NO_NODE ||
        cupel__target_beside(walk, "enum", 4) != CUPEL_NO_NODE) {
        LOST(walk, VALUE, at->key, "%s takes const as an enum of one string only: it is left out",
             target_name(walk));
        return;
    }
    SAID(walk, VALUE, at->key, "%s takes const as an enum of one string only", target_name(walk));
    put_key(walk, "enum", 4);
    put(walk, "[");
    put_span(walk, at->value);
    put(walk, "]");
}

static void take_strings(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    bool strings = is_type(walk, at->value, CUPEL_JSON_ARRAY);
    uint32_t node = strings ? cupel_json_first(walk->doc, at->value) : CUPEL_NO_NODE;
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, at->value, node))
        strings = strings && is_type(walk, node, CUPEL_JSON_STRING);
    if (strings)
        keep_data(at);
    else
        LOST(walk, VALUE, at->key, "%s takes an enum of strings only", target_name(walk));
}

static void take_format(struct place *at)
{
    size_t len;
    const char *format = cupel_json_string(at->walk->doc, at->value, &len);
    if (format != NULL && cupel__target_has_format(at->walk->target, format, len))
        keep_data(at);
    else
        LOST(at->walk, VALUE, at->key, "%s does not take this format", target_name(at->walk));
}

/* Whether the object that is written has, or may get, a choice of its own. */
static bool has_choice(struct cupel__target_walk *walk, uint32_t schema)
{
    return top(walk)->merged || top(walk)->inlines ||
           member(walk, schema, "anyOf") != CUPEL_NO_NODE ||
           member(walk, schema, "oneOf") != CUPEL_NO_NODE;
}

/* Writes a list of types as a choice of them. */
static void put_types(struct cupel__target_walk *walk, uint32_t types)
{
    put_key(walk, "anyOf", 5);
    put(walk, "[");
    uint32_t node = cupel_json_first(walk->doc, types);
    for (; walk->writes && node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, types, node)) {
        bool array = cupel_json_is(walk->doc, node, "array");
        cupel__mcp_separate(&walk->out);
        put(walk, "{\"type\":");
        put_span(walk, node);
        put(walk, array && (walk->flags & CUPEL__TARGET_ITEMS) ? ",\"items\":{}}" : "}");
    }
    put(walk, "]");
}

/* A list of types is taken if it is one type, perhaps with null, and as a choice if it is more. */
static void take_types(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    uint32_t other = CUPEL_NO_NODE, others = 0, null = CUPEL_NO_NODE;
    if (!is_type(walk, at->value, CUPEL_JSON_ARRAY)) {
        keep_data(at);
        return;
    }
    bool strings = cupel_json_count(walk->doc, at->value) != 0;
    uint32_t node = cupel_json_first(walk->doc, at->value);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, at->value, node)) {
        strings = strings && is_type(walk, node, CUPEL_JSON_STRING);
        if (cupel_json_is(walk->doc, node, "null"))
            null = node;
        else
            other = others++ == 0 ? node : other;
    }
    if (!strings || (others > 1 && has_choice(walk, at->schema))) {
        LOST(walk, VALUE, at->key, "%s takes one type, and nullable", target_name(walk));
        return;
    }
    SAID(walk, VALUE, at->key, "%s takes one type, and nullable", target_name(walk));
    if (others > 1) {
        put_types(walk, at->value);
        return;
    }
    put_key(walk, "type", 4);
    put_span(walk, others != 0 ? other : null);
    if (others != 0 && null != CUPEL_NO_NODE &&
        member(walk, at->schema, "nullable") == CUPEL_NO_NODE &&
        cupel__target_beside(walk, "nullable", 8) == CUPEL_NO_NODE && !top(walk)->inlines)
        put(walk, ",\"nullable\":true");
}

static void take_closed(struct place *at)
{
    if (cupel_json_boolean(at->walk->doc, at->value) != 0)
        SAID(at->walk, CLOSED, at->key, "%s takes objects that are closed only",
             target_name(at->walk));
}

/* `required` is written when the object ends, of the properties that stand with it. */
static void take_required(struct place *at)
{
    if (cupel__target_beside(at->walk, "properties", 10) != CUPEL_NO_NODE)
        LOST(at->walk, REQUIRED, at->key,
             "%s takes required properties beside their declarations only", target_name(at->walk));
}

static void act(struct place *at, enum cupel__target_action action)
{
    switch (action) {
    case CUPEL__TARGET_KEEP:
        keep(at);
        break;
    case CUPEL__TARGET_LOSE:
        lose(at);
        break;
    case CUPEL__TARGET_HIDE:
        hide(at);
        break;
    case CUPEL__TARGET_INLINE:
        if (at->walk->writes)
            replace_reference(at);
        else
            lose(at);
        break;
    case CUPEL__TARGET_DEFS:
        hide(at);
        if (!at->walk->writes)
            keep(at);
        break;
    case CUPEL__TARGET_ANY:
        take_as_any(at);
        break;
    case CUPEL__TARGET_ENUM:
        take_as_enum(at);
        break;
    case CUPEL__TARGET_STRINGS:
        take_strings(at);
        break;
    case CUPEL__TARGET_FORMAT:
        take_format(at);
        break;
    case CUPEL__TARGET_TYPES:
        take_types(at);
        break;
    case CUPEL__TARGET_CLOSE:
        take_closed(at);
        break;
    case CUPEL__TARGET_ALL:
        take_required(at);
        break;
    }
}

/* -- Going through ---------------------------------------------------------------------------- */

/* The value beside what is merged here that is written as the same keyword, or CUPEL_NO_NODE. */
static uint32_t find_beside(struct cupel__target_walk *walk, const char *name, size_t len)
{
    bool any = len == 5 && (memcmp(name, "anyOf", 5) == 0 || memcmp(name, "oneOf", 5) == 0);
    uint32_t beside = cupel__target_beside(walk, name, len);
    if (any && beside == CUPEL_NO_NODE)
        beside = cupel__target_beside(walk, name[0] == 'a' ? "oneOf" : "anyOf", 5);
    return beside;
}

static bool is_composition(const struct place *at)
{
    static const char *const names[] = {"anyOf", "oneOf", "allOf", "not", "enum"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (cupel_json_is(at->walk->doc, at->key, names[i]))
            return true;
    return false;
}

/* A keyword of what a reference leads to that stands beside the reference too. */
static void visit_double(struct place *at, uint32_t beside)
{
    bool any = at->len == 5 && memcmp(at->name + 3, "Of", 2) == 0;
    if (!asks_something(at->row) ||
        (!any && cupel__target_covers(at->walk, beside, at->value, at->name, at->len)))
        SAID(at->walk, REMARK, at->key, "what stands beside the reference counts");
    else
        LOST(at->walk, KEYWORD, at->key,
             "%s takes %s once: what stands beside the reference counts", target_name(at->walk),
             say(at));
}

/* `additionalProperties` means the properties of its own object, and a reference leads to others.
 */
static void check_neighbours(struct place *at)
{
    bool properties = cupel_json_is(at->walk->doc, at->key, "properties");
    if (!properties && !cupel_json_is(at->walk->doc, at->key, "additionalProperties"))
        return;
    uint32_t other = properties ? cupel__target_beside(at->walk, "additionalProperties", 20)
                                : cupel__target_beside(at->walk, "properties", 10);
    uint32_t additional = properties ? other : at->value;
    if (other != CUPEL_NO_NODE && cupel_json_boolean(at->walk->doc, additional) != 1)
        LOST(at->walk, KEYWORD, at->key,
             "as one object, additionalProperties no longer asks anything of these properties");
}

static void visit_keyword(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = top(walk);
    struct place at = {
        .walk = walk, .schema = frame->node, .key = frame->key, .value = frame->value};
    at.name = cupel_json_string(walk->doc, at.key, &at.len);
    at.row = cupel__target_keyword(at.name, at.len);
    bool reference = cupel_json_is(walk->doc, at.key, "$ref"), root = frame->root;
    bool bare = walk->flags & CUPEL__TARGET_BARE;
    enum cupel__target_action action =
        at.row != NULL
            ? at.row->actions[walk->target - 1]
            : (walk->flags & CUPEL__TARGET_KNOWN ? CUPEL__TARGET_HIDE : CUPEL__TARGET_KEEP);
    uint32_t beside = reference ? CUPEL_NO_NODE : find_beside(walk, at.name, at.len);
    if (beside != CUPEL_NO_NODE) {
        visit_double(&at, beside);
    } else if (reference && bare && root && !walk->writes) {
        LOST(walk, ROOT, at.key, "%s does not take $ref at the root", target_name(walk));
    } else if (reference && action == CUPEL__TARGET_KEEP && !frame->keeps) {
        replace_reference(&at);
    } else if (bare && !reference && frame->keeps) {
        if (!asks_something(at.row))
            SAID(walk, REMARK, at.key, "%s takes nothing beside $ref", target_name(walk));
        else
            LOST(walk, KEYWORD, at.key, "%s takes nothing beside $ref", target_name(walk));
    } else if ((walk->flags & CUPEL__TARGET_ROOT) && root && is_composition(&at)) {
        LOST(walk, ROOT, at.key, "%s does not take %s at the root", target_name(walk), say(&at));
    } else {
        if (frame->merged)
            check_neighbours(&at);
        act(&at, action);
    }
}

/* Whether the property at which the walk is may be left out. */
static bool is_optional(const struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = &walk->frames[walk->depth - 1];
    return frame->optional && (walk->flags & CUPEL__TARGET_CLOSED) &&
           !cupel__target_has(walk, CUPEL__TARGET_REQUIRED, frame->key);
}

static void visit_name(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = top(walk);
    size_t len;
    const char *name = cupel_json_string(walk->doc, frame->key, &len);
    walk->properties += frame->optional;
    walk->characters += len;
    bool optional = is_optional(walk);
    if (optional)
        SAID(walk, REQUIRED, frame->key,
             "%s takes properties that are required only; null stands for none", target_name(walk));
    put_key(walk, name, len);
    enter_schema(walk, top(walk)->value, optional);
}

static void visit(struct cupel__target_walk *walk)
{
    switch (top(walk)->shape) {
    case CUPEL__TARGET_SCHEMA:
        visit_keyword(walk);
        break;
    case CUPEL__TARGET_MAP:
        visit_name(walk);
        break;
    default:
        if (walk->writes)
            cupel__mcp_separate(&walk->out);
        enter_schema(walk, top(walk)->value, false);
        break;
    }
}

/* -- Ends ------------------------------------------------------------------------------------- */

static void put_required(struct cupel__target_walk *walk, uint32_t properties)
{
    put_key(walk, "required", 8);
    put(walk, "[");
    uint32_t key = is_type(walk, properties, CUPEL_JSON_OBJECT)
                       ? cupel_json_first(walk->doc, properties)
                       : CUPEL_NO_NODE;
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(walk->doc, properties, key + 1)) {
        if (walk->writes)
            cupel__mcp_separate(&walk->out);
        put_span(walk, key);
    }
    put(walk, "]");
}

/* Closes a schema of objects.  What is merged into an object that declares properties leaves that
 * to the object. */
static void close_object(struct cupel__target_walk *walk, uint32_t schema)
{
    uint32_t properties = member(walk, schema, "properties");
    bool has_properties = properties != CUPEL_NO_NODE;
    if (cupel__target_beside(walk, "properties", 10) != CUPEL_NO_NODE ||
        (!has_properties && !names_type(walk, schema, "object")))
        return;
    written(walk)->closed = true;
    if (member(walk, schema, "additionalProperties") == CUPEL_NO_NODE &&
        cupel__target_beside(walk, "additionalProperties", 20) == CUPEL_NO_NODE)
        SAID(walk, CLOSED, schema, "%s takes objects that are closed only", target_name(walk));
    if (!is_type(walk, properties, CUPEL_JSON_OBJECT))
        cupel__target_mark_required(walk, CUPEL_NO_NODE);
    if (!has_properties) {
        put_key(walk, "properties", 10);
        put(walk, "{}");
    }
    put_required(walk, properties);
    put_key(walk, "additionalProperties", 20);
    put(walk, "false");
}

/* What a schema asks of objects without being closed, since it is not one of objects alone, is not
 * written. */
static void tell_open(struct cupel__target_walk *walk, uint32_t schema)
{
    static const char *const names[] = {"additionalProperties", "required"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        uint32_t value = member(walk, schema, names[i]);
        bool empty = value == CUPEL_NO_NODE || cupel_json_boolean(walk->doc, value) == 1 ||
                     (i == 1 && cupel_json_count(walk->doc, value) == 0);
        if (!empty)
            cupel__target_tell(walk, CUPEL__RULE_TARGET_CLOSED, CUPEL__TARGET_LOST, value, names[i],
                               "%s takes %s only beside properties or the type object",
                               target_name(walk), names[i]);
    }
}

/* Notes an array, and says of one what its items are if nothing else did. */
static void end_array(struct cupel__target_walk *walk, const struct cupel__target_frame *frame)
{
    struct cupel__target_frame *object = written(walk);
    object->array |= names_type(walk, frame->node, "array") &&
                     cupel__target_beside(walk, "type", 4) == CUPEL_NO_NODE;
    if (frame->merged || !object->array || object->items)
        return;
    SAID(walk, ITEMS, frame->node, "%s wants to know what the items of an array are",
         target_name(walk));
    put_key(walk, "items", 5);
    put(walk, "{}");
}

static void leave_schema(struct cupel__target_walk *walk)
{
    /* The place is the schema's own now, not that of its last keyword. */
    top(walk)->value = CUPEL_NO_NODE;
    const struct cupel__target_frame frame = *top(walk);
    bool alone = (walk->flags & CUPEL__TARGET_BARE) && frame.keeps;
    if ((walk->flags & CUPEL__TARGET_CLOSED) && !alone && !written(walk)->closed)
        close_object(walk, frame.node);
    if ((walk->flags & CUPEL__TARGET_CLOSED) && !alone && !written(walk)->closed)
        tell_open(walk, frame.node);
    if ((walk->flags & CUPEL__TARGET_ITEMS) && !alone)
        end_array(walk, &frame);
    if (!frame.merged)
        put(walk, frame.wrapped ? "},{\"type\":\"null\"}]}" : "}");
    cupel__target_leave(walk);
}

static void leave(struct cupel__target_walk *walk)
{
    if (top(walk)->shape == CUPEL__TARGET_SCHEMA) {
        leave_schema(walk);
        return;
    }
    put(walk, top(walk)->shape == CUPEL__TARGET_MAP ? "}" : "]");
    cupel__target_leave(walk);
}

/* -- Bounds ----------------------------------------------------------------------------------- */

static void check_nesting(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = top(walk);
    if (frame->nesting == MOST_NESTING + 1 && frame->optional && frame->index == UINT32_MAX)
        LOST(walk, LIMIT, frame->node, "%s takes %d levels of nesting", target_name(walk),
             MOST_NESTING);
}

static void check_limits(struct cupel__target_walk *walk)
{
    const char *name = target_name(walk);
    if (walk->properties > MOST_PROPERTIES)
        LOST(walk, LIMIT, walk->root, "%s takes %d properties in all", name, MOST_PROPERTIES);
    if (walk->enum_values > MOST_ENUM)
        LOST(walk, LIMIT, walk->root, "%s takes %d enum values in all", name, MOST_ENUM);
    if (walk->characters > MOST_CHARACTERS)
        LOST(walk, LIMIT, walk->root, "%s takes %d characters of names and enum values", name,
             MOST_CHARACTERS);
}

void cupel__target_schema(struct cupel__target_walk *walk)
{
    bool bounded = walk->flags & CUPEL__TARGET_CLOSED;
    enter_schema(walk, walk->root, false);
    while (walk->depth != 0 && walk->status == CUPEL_OK && !walk->stopped) {
        if (bounded)
            check_nesting(walk);
        if (cupel__target_step(walk))
            visit(walk);
        else
            leave(walk);
        if (walk->out.len > walk->most || walk->work == 0 || --walk->work == 0)
            walk->status = CUPEL_E_SCHEMA_SIZE;
        if (walk->out.failed)
            walk->status = CUPEL_E_NO_MEMORY;
    }
    if (bounded && walk->status == CUPEL_OK)
        check_limits(walk);
}
