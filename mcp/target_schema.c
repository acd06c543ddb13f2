/* target_schema.c: what a target takes of each keyword, and what is written instead.
 *
 * A check goes through the document as it is.  An export follows references instead where they are
 * not taken, and writes; both say the same of the same keyword. */
#include "target_internal.h"

#include <string.h>

/* The bounds of structured outputs. */
enum { MOST_PROPERTIES = 5000, MOST_NESTING = 10, MOST_ENUM = 1000, MOST_CHARACTERS = 120000 };

#define TELL(walk, rule, node, key, ...) \
    cupel__target_tell(walk, CUPEL__RULE_TARGET_##rule, node, key, __VA_ARGS__)

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
    size_t i = walk->depth - 1;
    while (walk->frames[i].merged)
        i--;
    return &walk->frames[i];
}

static uint32_t member(struct cupel__target_walk *walk, uint32_t node, const char *key)
{
    return cupel_json_member(walk->doc, node, key, strlen(key));
}

static bool is_type(const struct cupel__target_walk *walk, uint32_t node, enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && cupel_json_type(walk->doc, node) == type;
}

/* Whether an array holds the string. */
static bool has_string(struct cupel__target_walk *walk, uint32_t array, const char *text, size_t len)
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
    return node != CUPEL_NO_NODE && (cupel_json_is(walk->doc, node, type) ||
                                     has_string(walk, node, type, strlen(type)));
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
    cupel__mcp_add_name(text, at->name, at->len);
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

/* -- Schemas ---------------------------------------------------------------------------------- */

/* Whether a schema that has to take null as well can say so in its `type`. */
static bool has_plain_type(struct cupel__target_walk *walk, uint32_t schema)
{
    return is_type(walk, member(walk, schema, "type"), CUPEL_JSON_STRING) &&
           member(walk, schema, "enum") == CUPEL_NO_NODE &&
           member(walk, schema, "const") == CUPEL_NO_NODE;
}

/* Enters a subschema, or writes what stands in its place. */
static void enter_schema(struct cupel__target_walk *walk, uint32_t node, bool nullable)
{
    if (!is_type(walk, node, CUPEL_JSON_OBJECT)) {
        if (is_type(walk, node, CUPEL_JSON_BOOLEAN))
            TELL(walk, BOOLEAN, node, NULL, "%s takes no boolean in the place of a schema",
                 target_name(walk));
        put(walk, "{}");
        return;
    }
    nullable = nullable && !names_type(walk, node, "null");
    bool wrapped = nullable && !has_plain_type(walk, node);
    put(walk, wrapped ? "{\"anyOf\":[{" : "{");
    struct cupel__target_frame *frame = cupel__target_enter(walk, CUPEL__TARGET_SCHEMA, node);
    if (frame == NULL)
        return;
    frame->wrapped = wrapped;
    frame->nullable = nullable && !wrapped;
}

/* Goes on with the schema a reference leads to, as part of the object in which it stands. */
static void inline_reference(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    const char *pointer = "";
    size_t len = 0;
    uint32_t target = cupel__target_resolve(walk, at->value, &pointer, &len);
    if (target == CUPEL_NO_NODE || !is_type(walk, target, CUPEL_JSON_OBJECT)) {
        TELL(walk, REFERENCE, at->key, NULL, "the reference leads to no schema here: it is left out");
        return;
    }
    for (size_t i = 0; i < walk->depth; i++) {
        if (walk->frames[i].node != target)
            continue;
        TELL(walk, REFERENCE, at->key, NULL,
             "the reference leads back to where it stands: below it, anything is taken");
        return;
    }
    TELL(walk, REFERENCE, at->key, NULL, "the schema referred to is put in its place");
    struct cupel__target_frame *frame = cupel__target_enter(walk, CUPEL__TARGET_SCHEMA, target);
    if (frame == NULL)
        return;
    frame->merged = true;
    frame->base = pointer;
    frame->base_len = len;
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
    put_key(walk, at->name, at->len);
    put(walk, "{");
    struct cupel__target_frame *frame =
        cupel__target_enter(walk, CUPEL__TARGET_MAP, at->value);
    if (frame != NULL)
        frame->optional = properties;
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
        TELL(at->walk, KEYWORD, at->key, NULL, "%s takes one schema for all items",
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
    TELL(at->walk, KEYWORD, at->key, NULL, "%s does not take %s", target_name(at->walk), say(at));
}

static void hide(struct place *at)
{
    TELL(at->walk, REMARK, at->key, NULL, "%s does not take %s", target_name(at->walk), say(at));
}

/* `oneOf` becomes `anyOf`: what the model may give is then a little more. */
static void take_as_any(struct place *at)
{
    TELL(at->walk, KEYWORD, at->key, NULL, "%s takes oneOf as anyOf only", target_name(at->walk));
    if (member(at->walk, at->schema, "anyOf") == CUPEL_NO_NODE &&
        is_type(at->walk, at->value, CUPEL_JSON_ARRAY))
        keep_list(at, "anyOf");
}

static void take_as_enum(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    TELL(walk, VALUE, at->key, NULL, "%s takes const as an enum of one string only",
         target_name(walk));
    if (!is_type(walk, at->value, CUPEL_JSON_STRING) ||
        member(walk, at->schema, "enum") != CUPEL_NO_NODE)
        return;
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
        TELL(walk, VALUE, at->key, NULL, "%s takes an enum of strings only", target_name(walk));
}

static void take_format(struct place *at)
{
    size_t len;
    const char *format = cupel_json_string(at->walk->doc, at->value, &len);
    if (format != NULL && cupel__target_has_format(at->walk->target, format, len))
        keep_data(at);
    else
        TELL(at->walk, VALUE, at->key, NULL, "%s does not take this format", target_name(at->walk));
}

/* A list of types is taken if it is one type, perhaps with null. */
static void take_types(struct place *at)
{
    struct cupel__target_walk *walk = at->walk;
    uint32_t other = CUPEL_NO_NODE, others = 0;
    bool null = false;
    if (!is_type(walk, at->value, CUPEL_JSON_ARRAY)) {
        keep_data(at);
        return;
    }
    TELL(walk, VALUE, at->key, NULL, "%s takes one type, and nullable", target_name(walk));
    uint32_t node = cupel_json_first(walk->doc, at->value);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(walk->doc, at->value, node)) {
        if (cupel_json_is(walk->doc, node, "null")) {
            null = true;
        } else {
            other = node;
            others++;
        }
    }
    if (others != 1)
        return;
    put_key(walk, "type", 4);
    put_span(walk, other);
    if (null && member(walk, at->schema, "nullable") == CUPEL_NO_NODE)
        put(walk, ",\"nullable\":true");
}

static void take_closed(struct place *at)
{
    if (cupel_json_boolean(at->walk->doc, at->value) != 0)
        TELL(at->walk, CLOSED, at->key, NULL, "%s takes objects that are closed only",
             target_name(at->walk));
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
            inline_reference(at);
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
    case CUPEL__TARGET_ALL: /* written when the object ends */
        break;
    }
}

/* -- Going through ---------------------------------------------------------------------------- */

static bool has_beside(struct cupel__target_walk *walk, const char *name, size_t len)
{
    for (size_t i = walk->depth; i-- > 1 && walk->frames[i].merged;)
        if (cupel_json_member(walk->doc, walk->frames[i - 1].node, name, len) != CUPEL_NO_NODE)
            return true;
    return false;
}

/* Whether the object in which a reference stands has this keyword itself, or one that is written as it. */
static bool is_overridden(struct cupel__target_walk *walk, const char *name, size_t len)
{
    bool any = len == 5 && (memcmp(name, "anyOf", 5) == 0 || memcmp(name, "oneOf", 5) == 0);
    return any ? has_beside(walk, "anyOf", 5) || has_beside(walk, "oneOf", 5)
               : has_beside(walk, name, len);
}

static bool is_composition(const struct place *at)
{
    static const char *const names[] = {"anyOf", "oneOf", "allOf", "not", "enum"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (cupel_json_is(at->walk->doc, at->key, names[i]))
            return true;
    return false;
}

/* Whether the innermost schema is the root, or what references put into it. */
static bool is_root(const struct cupel__target_walk *walk)
{
    for (size_t i = 1; i < walk->depth; i++)
        if (!walk->frames[i].merged)
            return false;
    return true;
}

/* A reference at the root, where the target wants to see an object itself. */
static void visit_root_reference(struct place *at)
{
    if (at->walk->writes && member(at->walk, at->walk->root, "properties") == CUPEL_NO_NODE)
        inline_reference(at);
    else
        TELL(at->walk, ROOT, at->key, NULL, "%s does not take $ref at the root",
             target_name(at->walk));
}

static void visit_keyword(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = top(walk);
    struct place at = {.walk = walk, .schema = frame->node, .key = frame->key,
                       .value = frame->value};
    at.name = cupel_json_string(walk->doc, at.key, &at.len);
    at.row = cupel__target_keyword(at.name, at.len);
    bool reference = cupel_json_is(walk->doc, at.key, "$ref"), root = is_root(walk);
    bool bare = walk->flags & CUPEL__TARGET_BARE;
    if (frame->merged && !reference && is_overridden(walk, at.name, at.len)) {
        TELL(walk, REMARK, at.key, NULL, "what stands beside the reference counts");
    } else if (bare && root && reference) {
        visit_root_reference(&at);
    } else if (bare && !root && !reference &&
               member(walk, at.schema, "$ref") != CUPEL_NO_NODE) {
        TELL(walk, REMARK, at.key, NULL, "%s takes nothing beside $ref", target_name(walk));
    } else if ((walk->flags & CUPEL__TARGET_ROOT) && root && is_composition(&at)) {
        TELL(walk, ROOT, at.key, NULL, "%s does not take %s at the root", target_name(walk),
             say(&at));
    } else if (at.row != NULL) {
        act(&at, at.row->actions[walk->target - 1]);
    } else {
        act(&at, walk->flags & CUPEL__TARGET_KNOWN ? CUPEL__TARGET_HIDE : CUPEL__TARGET_KEEP);
    }
}

/* Whether the property at which the walk is may be left out. */
static bool is_optional(struct cupel__target_walk *walk, const char *name, size_t len)
{
    const struct cupel__target_frame *frame = top(walk);
    if (!frame->optional || !(walk->flags & CUPEL__TARGET_CLOSED) ||
        walk->properties > MOST_PROPERTIES)
        return false;
    return !has_string(walk, member(walk, (frame - 1)->node, "required"), name, len);
}

static void visit_name(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame *frame = top(walk);
    size_t len;
    const char *name = cupel_json_string(walk->doc, frame->key, &len);
    walk->properties += frame->optional;
    walk->characters += len;
    bool optional = is_optional(walk, name, len);
    if (optional)
        TELL(walk, REQUIRED, frame->key, NULL,
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

/* Whether the schema is one of objects, which is closed then. */
static bool close_object(struct cupel__target_walk *walk, uint32_t schema)
{
    uint32_t properties = member(walk, schema, "properties");
    if (!names_type(walk, schema, "object") && properties == CUPEL_NO_NODE)
        return false;
    if (member(walk, schema, "additionalProperties") == CUPEL_NO_NODE)
        TELL(walk, CLOSED, schema, NULL, "%s takes objects that are closed only",
             target_name(walk));
    if (properties == CUPEL_NO_NODE) {
        put_key(walk, "properties", 10);
        put(walk, "{}");
    }
    put_required(walk, properties);
    put_key(walk, "additionalProperties", 20);
    put(walk, "false");
    return true;
}

/* Notes an array, and says of one what its items are if nothing else did. */
static void end_array(struct cupel__target_walk *walk, const struct cupel__target_frame *frame)
{
    struct cupel__target_frame *object = written(walk);
    object->array |= names_type(walk, frame->node, "array") && !is_overridden(walk, "type", 4);
    if (frame->merged || !object->array || object->items)
        return;
    TELL(walk, ITEMS, frame->node, NULL, "%s wants to know what the items of an array are",
         target_name(walk));
    put_key(walk, "items", 5);
    put(walk, "{}");
}

static void leave_schema(struct cupel__target_walk *walk)
{
    const struct cupel__target_frame frame = *top(walk);
    /* The place is the schema's own now, not that of its last keyword. */
    top(walk)->value = CUPEL_NO_NODE;
    bool root = is_root(walk), refers = member(walk, frame.node, "$ref") != CUPEL_NO_NODE;
    if ((walk->flags & CUPEL__TARGET_CLOSED) && (root ? !walk->root_closed : !refers))
        walk->root_closed |= close_object(walk, frame.node) && root;
    if (walk->flags & CUPEL__TARGET_ITEMS)
        end_array(walk, &frame);
    if (!frame.merged)
        put(walk, frame.wrapped ? "},{\"type\":\"null\"}]}" : "}");
    walk->depth--;
}

static void leave(struct cupel__target_walk *walk)
{
    if (top(walk)->shape == CUPEL__TARGET_SCHEMA) {
        leave_schema(walk);
        return;
    }
    put(walk, top(walk)->shape == CUPEL__TARGET_MAP ? "}" : "]");
    walk->depth--;
}

/* -- Bounds ----------------------------------------------------------------------------------- */

static void check_nesting(struct cupel__target_walk *walk)
{
    size_t nesting = 0;
    for (size_t i = 0; i < walk->depth; i++)
        nesting += walk->frames[i].optional;
    if (nesting == MOST_NESTING + 1 && top(walk)->optional && top(walk)->index == UINT32_MAX)
        TELL(walk, LIMIT, top(walk)->node, NULL, "%s takes %d levels of nesting",
             target_name(walk), MOST_NESTING);
}

static void check_limits(struct cupel__target_walk *walk)
{
    const char *name = target_name(walk);
    if (walk->properties > MOST_PROPERTIES)
        TELL(walk, LIMIT, walk->root, NULL, "%s takes %d properties in all", name,
             MOST_PROPERTIES);
    if (walk->enum_values > MOST_ENUM)
        TELL(walk, LIMIT, walk->root, NULL, "%s takes %d enum values in all", name, MOST_ENUM);
    if (walk->characters > MOST_CHARACTERS)
        TELL(walk, LIMIT, walk->root, NULL, "%s takes %d characters of names and enum values", name,
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
        if (walk->out.len > walk->most)
            walk->status = CUPEL_E_SCHEMA_SIZE;
        if (walk->out.failed)
            walk->status = CUPEL_E_NO_MEMORY;
    }
    if (bounded && walk->status == CUPEL_OK)
        check_limits(walk);
}
