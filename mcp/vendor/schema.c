/* schema.c: what a target accepts of each keyword of a schema, and what an export writes instead.
 *
 * A check traverses the schema as it is.  An export also writes: it follows a reference that the
 * target does not accept and merges its target into the object (merge.c), turns `oneOf` into
 * `anyOf`, makes optional properties nullable, closes objects.  Both report the same about the same
 * keyword.  The actions of keywords come from targets.def; one function here for each.
 *
 * Output is written while the schema is traversed; each frame knows what closes it. */
#include "mcp/json/traversal.h"
#include "mcp/text/untrusted.h"
#include "mcp/vendor/pass.h"

#include <string.h>

/* The documented limits of structured outputs: properties, levels, enum values, characters. */
enum { MOST_PROPERTIES = 5000, MOST_NESTING = 10, MOST_ENUM = 1000, MOST_CHARACTERS = 120000 };

/* Report a constraint that is lost, and one that is rewritten. */
#define LOST(pass, rule, node, ...)                                                       \
    cupel__target_report(pass, CUPEL__RULE_TARGET_##rule, CUPEL__TARGET_LOST, node, NULL, \
                         __VA_ARGS__)
#define REWRITTEN(pass, rule, node, ...)                                                       \
    cupel__target_report(pass, CUPEL__RULE_TARGET_##rule, CUPEL__TARGET_REWRITTEN, node, NULL, \
                         __VA_ARGS__)

/* The current keyword. */
struct place {
    struct cupel__target_pass *pass;
    uint32_t schema, key, value;
    const char *name; /* of the keyword */
    size_t len;
    const struct cupel__target_keyword *row; /* NULL: an unknown keyword */
};

/* -- Helpers ---------------------------------------------------------------------------------- */

static struct cupel__target_frame *top(struct cupel__target_pass *pass)
{
    return &pass->frames[pass->depth - 1];
}

/* Returns the frame of the object that the output has open; merged schemas become part of it. */
static struct cupel__target_frame *written(struct cupel__target_pass *pass)
{
    return &pass->frames[top(pass)->written];
}

static uint32_t member(struct cupel__target_pass *pass, uint32_t node, const char *key)
{
    return cupel__target_member(pass, node, key, strlen(key));
}

static bool is_type(const struct cupel__target_pass *pass, uint32_t node, enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && cupel_json_type(pass->doc, node) == type;
}

/* Whether an array holds the string. */
static bool has_string(struct cupel__target_pass *pass, uint32_t array, const char *text,
                       size_t len)
{
    if (!is_type(pass, array, CUPEL_JSON_ARRAY))
        return false;
    uint32_t node = cupel_json_first(pass->doc, array);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(pass->doc, array, node)) {
        size_t n;
        const char *item = cupel_json_string(pass->doc, node, &n);
        if (item != NULL && n == len && memcmp(item, text, n) == 0)
            return true;
    }
    return false;
}

/* Whether the `type` of a schema has this type. */
static bool names_type(struct cupel__target_pass *pass, uint32_t schema, const char *type)
{
    uint32_t node = member(pass, schema, "type");
    return node != CUPEL_NO_NODE &&
           (cupel_json_is(pass->doc, node, type) || has_string(pass, node, type, strlen(type)));
}

static const char *target_name(const struct cupel__target_pass *pass)
{
    return cupel__target_name(pass->target);
}

/* Returns the keyword's name, escaped for a message. */
static const char *quote_keyword(const struct place *at)
{
    struct cupel_text *text = &at->pass->message;
    cupel_text_clear(text);
    cupel__add_name(text, at->name, at->len);
    return text->failed ? "" : text->bytes;
}

/* -- Writing ---------------------------------------------------------------------------------- */

static void put(struct cupel__target_pass *pass, const char *text)
{
    if (pass->writes)
        cupel_text_adds(&pass->out, text);
}

static void put_key(struct cupel__target_pass *pass, const char *name, size_t len)
{
    if (!pass->writes)
        return;
    cupel__json_separate(&pass->out);
    cupel_text_add_json(&pass->out, name, len);
    cupel_text_adds(&pass->out, ":");
}

static void put_span(struct cupel__target_pass *pass, uint32_t node)
{
    size_t len;
    if (!pass->writes)
        return;
    const char *span = cupel_json_span(pass->doc, node, &len);
    cupel_text_add(&pass->out, span, len);
}

/* -- References ------------------------------------------------------------------------------- */

/* Whether a keyword constrains values.  Definitions do so only where a reference leads to them. */
static bool constrains_values(const struct cupel__target_keyword *row)
{
    return row != NULL && row->shape != CUPEL__TARGET_NOTE &&
           row->actions[CUPEL_TARGET_OPENAI - 1] != CUPEL__TARGET_DEFS;
}

/* Whether a schema constrains values by keywords other than its reference. */
static bool has_siblings(const struct cupel__target_pass *pass, uint32_t schema)
{
    uint32_t key = cupel_json_first(pass->doc, schema);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(pass->doc, schema, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(pass->doc, key, &len);
        bool reference = len == 4 && memcmp(name, "$ref", 4) == 0;
        if (!reference && constrains_values(cupel__target_keyword(name, len)))
            return true;
    }
    return false;
}

/* Whether a pointer is "", "/$defs/NAME" or "/definitions/NAME".  An export keeps the places of
 * these schemas; others may move or disappear. */
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

/* Decides whether the reference of the innermost schema is kept or replaced by its target.  A
 * reference to a schema that is open is recursive and cannot be replaced. */
static void decide_reference(struct cupel__target_pass *pass)
{
    struct cupel__target_frame *frame = top(pass);
    const char *pointer = "";
    size_t len = 0;
    uint32_t reference = member(pass, frame->node, "$ref");
    const struct cupel__target_keyword *row = cupel__target_keyword("$ref", 4);
    if (reference == CUPEL_NO_NODE)
        return;
    uint32_t target = cupel__target_resolve(pass, reference, &pointer, &len);
    bool bare = pass->flags & CUPEL__TARGET_BARE;
    bool sound = !frame->embedded && is_type(pass, target, CUPEL_JSON_OBJECT);
    bool open = sound && cupel__target_has(pass, CUPEL__TARGET_OPEN, target);
    frame->keeps = sound && row->actions[pass->target - 1] == CUPEL__TARGET_KEEP &&
                   is_movable(pointer, len) && !frame->merged && !(bare && frame->root);
    /* The target allows no siblings of $ref: merge, so that they are not lost. */
    if (frame->keeps && bare && pass->writes && !open && has_siblings(pass, frame->node))
        frame->keeps = false;
    frame->inlines = sound && pass->writes && !frame->keeps && !open;
}

/* -- Schemas ---------------------------------------------------------------------------------- */

/* Whether null can be added to the `type` of a schema; otherwise it takes an anyOf. */
static bool has_plain_type(struct cupel__target_pass *pass, uint32_t schema)
{
    static const char *const others[] = {"enum", "const", "$ref", "anyOf", "oneOf"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (member(pass, schema, others[i]) != CUPEL_NO_NODE)
            return false;
    return is_type(pass, member(pass, schema, "type"), CUPEL_JSON_STRING);
}

/* Opens a subschema that is an object, or writes {} for another value. */
static void enter_schema(struct cupel__target_pass *pass, uint32_t node, bool nullable)
{
    if (!is_type(pass, node, CUPEL_JSON_OBJECT)) {
        if (cupel_json_boolean(pass->doc, node) == 1)
            REWRITTEN(pass, BOOLEAN, node, "%s takes no boolean in the place of a schema",
                      target_name(pass));
        else
            LOST(pass, BOOLEAN, node, "%s takes objects alone as schemas", target_name(pass));
        put(pass, "{}");
        return;
    }
    bool refers = member(pass, node, "$ref") != CUPEL_NO_NODE;
    nullable = nullable && (refers || !names_type(pass, node, "null"));
    bool wrapped = nullable && !has_plain_type(pass, node);
    put(pass, wrapped ? "{\"anyOf\":[{" : "{");
    struct cupel__target_frame *frame = cupel__target_enter(pass, CUPEL__TARGET_SCHEMA, node);
    if (frame == NULL)
        return;
    frame->root = node == pass->root && pass->depth == 1;
    frame->embedded |= !frame->root && cupel__target_is_resource(pass, node);
    frame->wrapped = wrapped;
    frame->nullable = nullable && !wrapped;
    decide_reference(pass);
}

/* Opens the target of a reference as part of the current object. */
static void merge(struct cupel__target_pass *pass, uint32_t target, const char *pointer, size_t len)
{
    cupel__target_add_siblings(pass);
    const struct cupel__target_frame below = *top(pass);
    struct cupel__target_frame *frame = cupel__target_enter(pass, CUPEL__TARGET_SCHEMA, target);
    if (frame == NULL)
        return;
    frame->merged = true;
    frame->written = below.written;
    frame->root = below.root;
    frame->hops = below.hops + 1;
    frame->embedded = false;
    frame->base = pointer;
    frame->base_len = len;
    decide_reference(pass);
}

/* Replaces a reference by its target, or reports why that is impossible. */
static void replace_reference(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    const char *pointer = "";
    size_t len = 0;
    if (top(pass)->inlines) {
        uint32_t target = cupel__target_resolve(pass, at->value, &pointer, &len);
        REWRITTEN(pass, REFERENCE, at->key, "the schema referred to is put in its place");
        merge(pass, target, pointer, len);
        return;
    }
    uint32_t target = top(pass)->embedded ? CUPEL_NO_NODE
                                          : cupel__target_resolve(pass, at->value, &pointer, &len);
    if (!is_type(pass, target, CUPEL_JSON_OBJECT))
        LOST(pass, REFERENCE, at->key, "the reference leads to no schema here: it is left out");
    else if (pass->writes)
        LOST(pass, REFERENCE, at->key,
             "the reference leads back to where it stands: below it, anything is taken");
    else
        LOST(pass, REFERENCE, at->key, "%s takes references to a schema in $defs of the root",
             target_name(pass));
}

/* -- Keywords that are kept ------------------------------------------------------------------- */

/* Counts values and characters for check_limits. */
static void count_enum(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    uint32_t node = cupel_json_first(pass->doc, at->value);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(pass->doc, at->value, node)) {
        size_t len;
        pass->enum_values++;
        cupel_json_string(pass->doc, node, &len);
        pass->characters += len;
    }
}

/* Writes a keyword as it is, apart from the tightest bound and the added null. */
static void keep_data(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    if (top(pass)->inlines && cupel__target_is_bound(at->name, at->len))
        at->value = cupel__target_tightest(pass, at->schema, at->value, at->name, at->len);
    put_key(pass, at->name, at->len);
    if (top(pass)->nullable && cupel_json_is(pass->doc, at->key, "type")) {
        put(pass, "[");
        put_span(pass, at->value);
        put(pass, ",\"null\"]");
        return;
    }
    if (cupel_json_is(pass->doc, at->key, "enum") && is_type(pass, at->value, CUPEL_JSON_ARRAY))
        count_enum(at);
    put_span(pass, at->value);
}

/* Opens a map of names to schemas. For closed targets, `properties` first needs to know which
 * ones are required. */
static void keep_map(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    bool properties = cupel_json_is(pass->doc, at->key, "properties");
    if (properties && (pass->flags & CUPEL__TARGET_CLOSED))
        cupel__target_mark_required(pass, at->value);
    put_key(pass, at->name, at->len);
    put(pass, "{");
    struct cupel__target_frame *frame = cupel__target_enter(pass, CUPEL__TARGET_MAP, at->value);
    if (frame == NULL)
        return;
    frame->optional = properties;
    frame->nesting += properties;
}

static void keep_list(struct place *at, const char *name)
{
    put_key(at->pass, name, strlen(name));
    put(at->pass, "[");
    cupel__target_enter(at->pass, CUPEL__TARGET_LIST, at->value);
}

/* Writes a keyword and opens its subschemas. */
static void keep(struct place *at)
{
    enum cupel__target_shape shape = at->row != NULL ? at->row->shape : CUPEL__TARGET_DATA;
    bool object = is_type(at->pass, at->value, CUPEL_JSON_OBJECT);
    if (shape == CUPEL__TARGET_MAP && object) {
        keep_map(at);
    } else if (shape == CUPEL__TARGET_LIST && is_type(at->pass, at->value, CUPEL_JSON_ARRAY)) {
        keep_list(at, at->row->name);
    } else if (shape == CUPEL__TARGET_EITHER && is_type(at->pass, at->value, CUPEL_JSON_ARRAY)) {
        LOST(at->pass, KEYWORD, at->key, "%s takes one schema for all items",
             target_name(at->pass));
    } else if ((shape == CUPEL__TARGET_SCHEMA && object) || shape == CUPEL__TARGET_EITHER) {
        written(at->pass)->items |= shape == CUPEL__TARGET_EITHER;
        put_key(at->pass, at->name, at->len);
        enter_schema(at->pass, at->value, false);
    } else {
        keep_data(at);
    }
}

/* -- Keywords that are dropped or rewritten --------------------------------------------------- */

static void drop(struct place *at)
{
    LOST(at->pass, KEYWORD, at->key, "%s does not take %s", target_name(at->pass),
         quote_keyword(at));
}

static void omit(struct place *at)
{
    REWRITTEN(at->pass, REMARK, at->key, "%s does not take %s", target_name(at->pass),
              quote_keyword(at));
}

/* Whether no value can match two branches: each has one `type`, and all types differ. */
static bool is_disjoint(struct cupel__target_pass *pass, uint32_t branches)
{
    static const char *const names[] = {"null",  "boolean", "number", "string",
                                        "array", "object",  "integer"};
    unsigned seen = 0;
    uint32_t node = cupel_json_first(pass->doc, branches);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(pass->doc, branches, node)) {
        unsigned bit = 0;
        uint32_t type =
            is_type(pass, node, CUPEL_JSON_OBJECT) ? member(pass, node, "type") : CUPEL_NO_NODE;
        for (size_t i = 0; type != CUPEL_NO_NODE && i < sizeof(names) / sizeof(names[0]); i++)
            if (cupel_json_is(pass->doc, type, names[i]))
                bit = 1u << (i == 6 ? 2 : i); /* integers are numbers */
        if (bit == 0 || (seen & bit) != 0)
            return false;
        seen |= bit;
    }
    return true;
}

/* Writes `oneOf` as `anyOf`.  That accepts values that match several branches, unless the types of
 * the branches exclude that. */
static void write_as_any_of(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    bool list = is_type(pass, at->value, CUPEL_JSON_ARRAY);
    if (member(pass, at->schema, "anyOf") != CUPEL_NO_NODE || !list) {
        LOST(pass, KEYWORD, at->key, "%s does not take oneOf%s: it is left out", target_name(pass),
             list ? ", which beside anyOf cannot be an anyOf either" : "");
        return;
    }
    if (is_disjoint(pass, at->value))
        REWRITTEN(pass, KEYWORD, at->key, "%s takes oneOf as anyOf only", target_name(pass));
    else
        LOST(pass, KEYWORD, at->key,
             "%s takes oneOf as anyOf only: a value may match several branches", target_name(pass));
    keep_list(at, "anyOf");
}

/* Writes a `const` that is a string as an `enum`. */
static void write_as_enum(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    if (!is_type(pass, at->value, CUPEL_JSON_STRING) ||
        member(pass, at->schema, "enum") != CUPEL_NO_NODE ||
        cupel__target_sibling(pass, "enum", 4) != CUPEL_NO_NODE) {
        LOST(pass, VALUE, at->key, "%s takes const as an enum of one string only: it is left out",
             target_name(pass));
        return;
    }
    REWRITTEN(pass, VALUE, at->key, "%s takes const as an enum of one string only",
              target_name(pass));
    put_key(pass, "enum", 4);
    put(pass, "[");
    put_span(pass, at->value);
    put(pass, "]");
}

/* Keeps an `enum` of strings. */
static void keep_string_enum(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    bool strings = is_type(pass, at->value, CUPEL_JSON_ARRAY);
    uint32_t node = strings ? cupel_json_first(pass->doc, at->value) : CUPEL_NO_NODE;
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(pass->doc, at->value, node))
        strings = strings && is_type(pass, node, CUPEL_JSON_STRING);
    if (strings)
        keep_data(at);
    else
        LOST(pass, VALUE, at->key, "%s takes an enum of strings only", target_name(pass));
}

/* Keeps a format that the target lists. */
static void keep_known_format(struct place *at)
{
    size_t len;
    const char *format = cupel_json_string(at->pass->doc, at->value, &len);
    if (format != NULL && cupel__target_has_format(at->pass->target, format, len))
        keep_data(at);
    else
        LOST(at->pass, VALUE, at->key, "%s does not take this format", target_name(at->pass));
}

/* Whether the written object has, or may get, an anyOf of its own. */
static bool has_choice(struct cupel__target_pass *pass, uint32_t schema)
{
    return top(pass)->merged || top(pass)->inlines ||
           member(pass, schema, "anyOf") != CUPEL_NO_NODE ||
           member(pass, schema, "oneOf") != CUPEL_NO_NODE;
}

/* Writes a list of types as an anyOf of single types. */
static void put_types(struct cupel__target_pass *pass, uint32_t types)
{
    put_key(pass, "anyOf", 5);
    put(pass, "[");
    uint32_t node = cupel_json_first(pass->doc, types);
    for (; pass->writes && node != CUPEL_NO_NODE; node = cupel_json_next(pass->doc, types, node)) {
        bool array = cupel_json_is(pass->doc, node, "array");
        cupel__json_separate(&pass->out);
        put(pass, "{\"type\":");
        put_span(pass, node);
        put(pass, array && (pass->flags & CUPEL__TARGET_ITEMS) ? ",\"items\":{}}" : "}");
    }
    put(pass, "]");
}

/* Writes a list of types: one type with `nullable` if null is the other one, otherwise an anyOf. */
static void write_types(struct place *at)
{
    struct cupel__target_pass *pass = at->pass;
    uint32_t other = CUPEL_NO_NODE, others = 0, null = CUPEL_NO_NODE;
    if (!is_type(pass, at->value, CUPEL_JSON_ARRAY)) {
        keep_data(at);
        return;
    }
    bool strings = cupel_json_count(pass->doc, at->value) != 0;
    uint32_t node = cupel_json_first(pass->doc, at->value);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(pass->doc, at->value, node)) {
        strings = strings && is_type(pass, node, CUPEL_JSON_STRING);
        if (cupel_json_is(pass->doc, node, "null"))
            null = node;
        else
            other = others++ == 0 ? node : other;
    }
    if (!strings || (others > 1 && has_choice(pass, at->schema))) {
        LOST(pass, VALUE, at->key, "%s takes one type, and nullable", target_name(pass));
        return;
    }
    REWRITTEN(pass, VALUE, at->key, "%s takes one type, and nullable", target_name(pass));
    if (others > 1) {
        put_types(pass, at->value);
        return;
    }
    put_key(pass, "type", 4);
    put_span(pass, others != 0 ? other : null);
    if (others != 0 && null != CUPEL_NO_NODE &&
        member(pass, at->schema, "nullable") == CUPEL_NO_NODE &&
        cupel__target_sibling(pass, "nullable", 8) == CUPEL_NO_NODE && !top(pass)->inlines)
        put(pass, ",\"nullable\":true");
}

/* `additionalProperties` is written when the object is closed. */
static void check_closed(struct place *at)
{
    if (cupel_json_boolean(at->pass->doc, at->value) != 0)
        REWRITTEN(at->pass, CLOSED, at->key, "%s takes objects that are closed only",
                  target_name(at->pass));
}

/* `required` is written when the object is closed, with all properties beside it. */
static void check_required(struct place *at)
{
    if (cupel__target_sibling(at->pass, "properties", 10) != CUPEL_NO_NODE)
        LOST(at->pass, REQUIRED, at->key,
             "%s takes required properties beside their declarations only", target_name(at->pass));
}

/* A reference to a schema that the target does not accept as a reference. */
static void inline_reference(struct place *at)
{
    if (at->pass->writes)
        replace_reference(at);
    else
        drop(at);
}

/* Definitions are not exported once references are replaced; a check covers them too. */
static void omit_definitions(struct place *at)
{
    omit(at);
    if (!at->pass->writes)
        keep(at);
}

static void (*const actions[])(struct place *at) = {
    [CUPEL__TARGET_KEEP] = keep,
    [CUPEL__TARGET_LOSE] = drop,
    [CUPEL__TARGET_OMIT] = omit,
    [CUPEL__TARGET_INLINE] = inline_reference,
    [CUPEL__TARGET_DEFS] = omit_definitions,
    [CUPEL__TARGET_ANY] = write_as_any_of,
    [CUPEL__TARGET_ENUM] = write_as_enum,
    [CUPEL__TARGET_STRINGS] = keep_string_enum,
    [CUPEL__TARGET_FORMAT] = keep_known_format,
    [CUPEL__TARGET_TYPES] = write_types,
    [CUPEL__TARGET_CLOSE] = check_closed,
    [CUPEL__TARGET_ALL] = check_required,
};

/* -- The traversal ---------------------------------------------------------------------------- */

/* Returns the sibling that is written as the same keyword, or CUPEL_NO_NODE; anyOf and oneOf are
 * written as one keyword. */
static uint32_t find_sibling(struct cupel__target_pass *pass, const char *name, size_t len)
{
    bool any = len == 5 && (memcmp(name, "anyOf", 5) == 0 || memcmp(name, "oneOf", 5) == 0);
    uint32_t beside = cupel__target_sibling(pass, name, len);
    if (any && beside == CUPEL_NO_NODE)
        beside = cupel__target_sibling(pass, name[0] == 'a' ? "oneOf" : "anyOf", 5);
    return beside;
}

static bool is_composition(const struct place *at)
{
    static const char *const names[] = {"anyOf", "oneOf", "allOf", "not", "enum"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (cupel_json_is(at->pass->doc, at->key, names[i]))
            return true;
    return false;
}

/* Handles a keyword of the target of a reference that is also beside the reference: the sibling was
 * written, this one is dropped. */
static void drop_duplicate_keyword(struct place *at, uint32_t beside)
{
    bool any = at->len == 5 && memcmp(at->name + 3, "Of", 2) == 0;
    if (!constrains_values(at->row) ||
        (!any && cupel__target_covers(at->pass, beside, at->value, at->name, at->len)))
        REWRITTEN(at->pass, REMARK, at->key, "what stands beside the reference counts");
    else
        LOST(at->pass, KEYWORD, at->key,
             "%s takes %s once: what stands beside the reference counts", target_name(at->pass),
             quote_keyword(at));
}

/* Reports that merging changes the meaning of `additionalProperties`, which depends on the
 * `properties` of its own object. */
static void check_merged_properties(struct place *at)
{
    bool properties = cupel_json_is(at->pass->doc, at->key, "properties");
    if (!properties && !cupel_json_is(at->pass->doc, at->key, "additionalProperties"))
        return;
    uint32_t other = properties ? cupel__target_sibling(at->pass, "additionalProperties", 20)
                                : cupel__target_sibling(at->pass, "properties", 10);
    uint32_t additional = properties ? other : at->value;
    if (other != CUPEL_NO_NODE && cupel_json_boolean(at->pass->doc, additional) != 1)
        LOST(at->pass, KEYWORD, at->key,
             "as one object, additionalProperties no longer constrains these properties");
}

/* Keeps, rewrites or drops the current keyword.  Rules for its place, beside a reference or at the
 * root, come before the action of its row in targets.def. */
static void visit_keyword(struct cupel__target_pass *pass)
{
    const struct cupel__target_frame *frame = top(pass);
    struct place at = {
        .pass = pass, .schema = frame->node, .key = frame->key, .value = frame->value};
    at.name = cupel_json_string(pass->doc, at.key, &at.len);
    at.row = cupel__target_keyword(at.name, at.len);
    bool reference = cupel_json_is(pass->doc, at.key, "$ref"), root = frame->root;
    bool bare = pass->flags & CUPEL__TARGET_BARE;
    enum cupel__target_action action =
        at.row != NULL
            ? at.row->actions[pass->target - 1]
            : (pass->flags & CUPEL__TARGET_KNOWN ? CUPEL__TARGET_OMIT : CUPEL__TARGET_KEEP);
    uint32_t beside = reference ? CUPEL_NO_NODE : find_sibling(pass, at.name, at.len);
    if (beside != CUPEL_NO_NODE) {
        drop_duplicate_keyword(&at, beside);
    } else if (reference && bare && root && !pass->writes) {
        LOST(pass, ROOT, at.key, "%s does not take $ref at the root", target_name(pass));
    } else if (reference && action == CUPEL__TARGET_KEEP && !frame->keeps) {
        replace_reference(&at);
    } else if (bare && !reference && frame->keeps) {
        if (!constrains_values(at.row))
            REWRITTEN(pass, REMARK, at.key, "%s takes nothing beside $ref", target_name(pass));
        else
            LOST(pass, KEYWORD, at.key, "%s takes nothing beside $ref", target_name(pass));
    } else if ((pass->flags & CUPEL__TARGET_ROOT) && root && is_composition(&at)) {
        LOST(pass, ROOT, at.key, "%s does not take %s at the root", target_name(pass),
             quote_keyword(&at));
    } else {
        if (frame->merged)
            check_merged_properties(&at);
        actions[action](&at);
    }
}

/* Whether the current property is optional and the target requires all properties. */
static bool is_optional(const struct cupel__target_pass *pass)
{
    const struct cupel__target_frame *frame = &pass->frames[pass->depth - 1];
    return frame->optional && (pass->flags & CUPEL__TARGET_CLOSED) &&
           !cupel__target_has(pass, CUPEL__TARGET_REQUIRED, frame->key);
}

/* Opens the schema of a name in a map: a property, which may become nullable, or a definition. */
static void visit_name(struct cupel__target_pass *pass)
{
    const struct cupel__target_frame *frame = top(pass);
    size_t len;
    const char *name = cupel_json_string(pass->doc, frame->key, &len);
    pass->properties += frame->optional;
    pass->characters += len;
    bool optional = is_optional(pass);
    if (optional)
        REWRITTEN(pass, REQUIRED, frame->key,
                  "%s takes properties that are required only; null stands for none",
                  target_name(pass));
    put_key(pass, name, len);
    enter_schema(pass, top(pass)->value, optional);
}

/* Handles the current child by the shape of its frame. */
static void visit(struct cupel__target_pass *pass)
{
    switch (top(pass)->shape) {
    case CUPEL__TARGET_SCHEMA:
        visit_keyword(pass);
        break;
    case CUPEL__TARGET_MAP:
        visit_name(pass);
        break;
    default:
        if (pass->writes)
            cupel__json_separate(&pass->out);
        enter_schema(pass, top(pass)->value, false);
        break;
    }
}

/* -- Closing ---------------------------------------------------------------------------------- */

/* Writes all properties as required, which closed targets demand. */
static void put_required(struct cupel__target_pass *pass, uint32_t properties)
{
    put_key(pass, "required", 8);
    put(pass, "[");
    uint32_t key = is_type(pass, properties, CUPEL_JSON_OBJECT)
                       ? cupel_json_first(pass->doc, properties)
                       : CUPEL_NO_NODE;
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(pass->doc, properties, key + 1)) {
        if (pass->writes)
            cupel__json_separate(&pass->out);
        put_span(pass, key);
    }
    put(pass, "]");
}

/* Writes `required` and `additionalProperties` of a schema of objects.  A schema that is merged
 * into an object with properties leaves that to the object. */
static void close_object(struct cupel__target_pass *pass, uint32_t schema)
{
    uint32_t properties = member(pass, schema, "properties");
    bool has_properties = properties != CUPEL_NO_NODE;
    if (cupel__target_sibling(pass, "properties", 10) != CUPEL_NO_NODE ||
        (!has_properties && !names_type(pass, schema, "object")))
        return;
    written(pass)->closed = true;
    if (member(pass, schema, "additionalProperties") == CUPEL_NO_NODE &&
        cupel__target_sibling(pass, "additionalProperties", 20) == CUPEL_NO_NODE)
        REWRITTEN(pass, CLOSED, schema, "%s takes objects that are closed only", target_name(pass));
    if (!is_type(pass, properties, CUPEL_JSON_OBJECT))
        cupel__target_mark_required(pass, CUPEL_NO_NODE);
    if (!has_properties) {
        put_key(pass, "properties", 10);
        put(pass, "{}");
    }
    put_required(pass, properties);
    put_key(pass, "additionalProperties", 20);
    put(pass, "false");
}

/* Reports the constraints on objects that an export leaves out: those of a schema that also allows
 * other types, which therefore cannot be closed. */
static void report_open(struct cupel__target_pass *pass, uint32_t schema)
{
    static const char *const names[] = {"additionalProperties", "required"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        uint32_t value = member(pass, schema, names[i]);
        bool empty = value == CUPEL_NO_NODE || cupel_json_boolean(pass->doc, value) == 1 ||
                     (i == 1 && cupel_json_count(pass->doc, value) == 0);
        if (!empty)
            cupel__target_report(pass, CUPEL__RULE_TARGET_CLOSED, CUPEL__TARGET_LOST, value,
                                 names[i], "%s takes %s only beside properties or the type object",
                                 target_name(pass), names[i]);
    }
}

/* Adds `items` to a schema of arrays that has none. */
static void end_array(struct cupel__target_pass *pass, const struct cupel__target_frame *frame)
{
    struct cupel__target_frame *object = written(pass);
    object->array |= names_type(pass, frame->node, "array") &&
                     cupel__target_sibling(pass, "type", 4) == CUPEL_NO_NODE;
    if (frame->merged || !object->array || object->items)
        return;
    REWRITTEN(pass, ITEMS, frame->node, "%s requires a schema for the items of an array",
              target_name(pass));
    put_key(pass, "items", 5);
    put(pass, "{}");
}

/* Completes the object of a schema, closes it in the output unless it was merged, and pops the
 * frame. */
static void leave_schema(struct cupel__target_pass *pass)
{
    /* Problems from here on have the pointer of the schema, not of its last keyword. */
    top(pass)->value = CUPEL_NO_NODE;
    const struct cupel__target_frame frame = *top(pass);
    bool alone = (pass->flags & CUPEL__TARGET_BARE) && frame.keeps;
    if ((pass->flags & CUPEL__TARGET_CLOSED) && !alone && !written(pass)->closed)
        close_object(pass, frame.node);
    if ((pass->flags & CUPEL__TARGET_CLOSED) && !alone && !written(pass)->closed)
        report_open(pass, frame.node);
    if ((pass->flags & CUPEL__TARGET_ITEMS) && !alone)
        end_array(pass, &frame);
    if (!frame.merged)
        put(pass, frame.wrapped ? "},{\"type\":\"null\"}]}" : "}");
    cupel__target_leave(pass);
}

static void leave(struct cupel__target_pass *pass)
{
    if (top(pass)->shape == CUPEL__TARGET_SCHEMA) {
        leave_schema(pass);
        return;
    }
    put(pass, top(pass)->shape == CUPEL__TARGET_MAP ? "}" : "]");
    cupel__target_leave(pass);
}

/* -- Limits ----------------------------------------------------------------------------------- */

static void check_nesting(struct cupel__target_pass *pass)
{
    const struct cupel__target_frame *frame = top(pass);
    if (frame->nesting == MOST_NESTING + 1 && frame->optional && frame->index == UINT32_MAX)
        LOST(pass, LIMIT, frame->node, "%s takes %d levels of nesting", target_name(pass),
             MOST_NESTING);
}

/* Compares the totals of the whole schema with the limits of structured outputs. */
static void check_limits(struct cupel__target_pass *pass)
{
    const char *name = target_name(pass);
    if (pass->properties > MOST_PROPERTIES)
        LOST(pass, LIMIT, pass->root, "%s takes %d properties in all", name, MOST_PROPERTIES);
    if (pass->enum_values > MOST_ENUM)
        LOST(pass, LIMIT, pass->root, "%s takes %d enum values in all", name, MOST_ENUM);
    if (pass->characters > MOST_CHARACTERS)
        LOST(pass, LIMIT, pass->root, "%s takes %d characters of names and enum values", name,
             MOST_CHARACTERS);
}

/* The main loop: each iteration visits a child or closes a frame, and charges a step. Stops at a
 * limit or when the callback has enough. */
void cupel__target_schema(struct cupel__target_pass *pass)
{
    bool bounded = pass->flags & CUPEL__TARGET_CLOSED;
    enter_schema(pass, pass->root, false);
    while (pass->depth != 0 && pass->status == CUPEL_OK && !pass->stopped) {
        if (bounded)
            check_nesting(pass);
        if (cupel__target_step(pass))
            visit(pass);
        else
            leave(pass);
        if (pass->out.len > pass->most || pass->steps == 0 || --pass->steps == 0)
            pass->status = CUPEL_E_SCHEMA_SIZE;
        if (pass->out.failed)
            pass->status = CUPEL_E_NO_MEMORY;
    }
    if (bounded && pass->status == CUPEL_OK)
        check_limits(pass);
}
