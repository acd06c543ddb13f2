/* read.c: reads both spellings of the argument schema into the normal form, and checks it.  What
 * the constraints mean is defined in to_json_schema.c.
 *
 * A wrong constraint refuses the schema.  A constraint that has no effect (minLength of a number)
 * is checked and then ignored.  A member without a meaning (`items` of a string) is a warning.
 *
 * The two spellings of one schema:
 *
 *     {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
 *     {"n": {"type": "integer", "required": true}}
 *
 * An array is written as "type": "array" with the type of its elements in `items`, or with
 * "isArray": true beside the type of its elements. */
#include "mcp/arguments/arguments.h"
#include "mcp/json/number_text.h"
#include "mcp/text/untrusted.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct keyword {
    const char *name;
    const char *asks; /* what its value has to be */
} keywords[CUPEL__ARG_KEYWORDS] = {
    {"minLength", "a non-negative integer"},
    {"maxLength", "a non-negative integer"},
    {"minimum", "a number"},
    {"maximum", "a number"},
    {"enum", "an array"},
};

const char *cupel__arg_keyword_name(enum cupel__arg_keyword keyword)
{
    return keywords[keyword].name;
}

/* -- Errors and warnings ---------------------------------------------------------------------- */

/* Copies reader->text into a field of an error; a longer text ends with "…". */
static void put(const struct cupel__arg_reader *reader, char *ret, size_t size)
{
    static const char mark[] = "…";
    size_t len = reader->text.len;
    if (reader->text.failed)
        return;
    bool cut = len >= size;
    if (cut)
        len = size - sizeof(mark);
    while (cut && len > 0 && ((unsigned char)reader->text.bytes[len] & 0xc0) == 0x80)
        len--;
    memcpy(ret, reader->text.bytes, len);
    memcpy(ret + len, mark, cut ? sizeof(mark) : 0);
    ret[cut ? len + sizeof(mark) - 1 : len] = '\0';
}

/* Appends a string of the schema, escaped for a message. */
static void add_escaped(struct cupel__arg_reader *reader, uint32_t string)
{
    size_t len;
    const char *bytes = cupel_json_string(reader->doc, string, &len);
    cupel__add_untrusted(&reader->text, bytes, len, sizeof(reader->err->detail));
}

/* Refuses the schema at `node`.  The message is in reader->text. */
static enum cupel_status refuse(struct cupel__arg_reader *reader, uint32_t node)
{
    struct cupel_error *err = reader->err;
    memset(err, 0, sizeof(*err));
    err->status = CUPEL_E_SCHEMA;
    cupel_json_place(reader->doc, node, &err->offset, &err->line, &err->column);
    put(reader, err->detail, sizeof(err->detail));
    return CUPEL_E_SCHEMA;
}

static enum cupel_status refuse_whole(struct cupel__arg_reader *reader, uint32_t node,
                                      const char *message)
{
    cupel_text_clear(&reader->text);
    cupel_text_adds(&reader->text, message);
    return refuse(reader, node);
}

/* Refuses a constraint of the property whose name is at `key`. */
static enum cupel_status refuse_keyword(struct cupel__arg_reader *reader, uint32_t key,
                                        enum cupel__arg_keyword keyword, uint32_t node)
{
    const struct keyword *k = &keywords[keyword];
    cupel_text_clear(&reader->text);
    cupel_text_addf(&reader->text, "schema field '%s' of '", k->name);
    add_escaped(reader, key);
    cupel_text_addf(&reader->text, "' must be %s", k->asks);
    return refuse(reader, node);
}

/* Adds a warning: the name at `key` in quotes, then the text. */
static void warn(struct cupel__arg_reader *reader, uint32_t key, const char *text)
{
    struct cupel_argument_schema *args = reader->args;
    if (args->warning_count == CUPEL__ARG_WARNINGS)
        return;
    cupel_text_clear(&reader->text);
    cupel_text_adds(&reader->text, "'");
    add_escaped(reader, key);
    cupel_text_addf(&reader->text, "' %s", text);
    if (reader->text.failed)
        return;
    const char *copy = cupel__mcp_pool_copy(&args->pool, reader->text.bytes, reader->text.len);
    if (copy != NULL)
        args->warnings[args->warning_count++] = copy;
}

/* -- Helpers ---------------------------------------------------------------------------------- */

static bool is_type(const struct cupel__arg_reader *reader, uint32_t node,
                    enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && cupel_json_type(reader->doc, node) == type;
}

static uint32_t member(struct cupel__arg_reader *reader, uint32_t node, const char *key)
{
    return cupel_json_member(reader->doc, node, key, strlen(key));
}

static bool is_true(const struct cupel__arg_reader *reader, uint32_t node)
{
    return node != CUPEL_NO_NODE && cupel_json_boolean(reader->doc, node) == 1;
}

/* -- Constraints ------------------------------------------------------------------------------ */

/* Whether the shortest spelling of a number is a non-negative integer. */
static bool is_count(const char *text)
{
    return *text != '-' && strchr(text, '.') == NULL && strstr(text, "e-") == NULL;
}

/* Keeps a bound in its shortest spelling. */
static enum cupel_status read_bound(struct cupel__arg_reader *reader, uint32_t key,
                                    enum cupel__arg_keyword keyword, uint32_t node,
                                    struct cupel__arg_set *set)
{
    bool length = keyword == CUPEL__ARG_MIN_LENGTH || keyword == CUPEL__ARG_MAX_LENGTH;
    size_t len;
    const char *lexeme = cupel_json_span(reader->doc, node, &len);
    if (!is_type(reader, node, CUPEL_JSON_NUMBER))
        return refuse_keyword(reader, key, keyword, node);
    cupel_text_clear(&reader->text);
    cupel__number_shortest(&reader->text, lexeme, len);
    if (reader->text.failed)
        return CUPEL_E_NO_MEMORY;
    if (length && !is_count(reader->text.bytes))
        return refuse_keyword(reader, key, keyword, node);
    set->bounds[keyword] =
        cupel__mcp_pool_copy(&reader->args->pool, reader->text.bytes, reader->text.len);
    return set->bounds[keyword] != NULL ? CUPEL_OK : CUPEL_E_NO_MEMORY;
}

/* Reads the constraints in the object `from` for the property `key`.  Constraints without effect
 * are read too, because they may be wrong. */
static enum cupel_status read_set(struct cupel__arg_reader *reader, uint32_t key, uint32_t from,
                                  bool keep_bounds, struct cupel__arg_set *ret)
{
    enum cupel_status status = CUPEL_OK;
    struct cupel__arg_set set = {{0}, {0}};
    for (int k = 0; k < CUPEL__ARG_KEYWORDS && status == CUPEL_OK; k++) {
        uint32_t node = member(reader, from, keywords[k].name);
        set.nodes[k] = k == CUPEL__ARG_ENUM || keep_bounds ? node : CUPEL_NO_NODE;
        if (node == CUPEL_NO_NODE)
            continue;
        if (k != CUPEL__ARG_ENUM)
            status = read_bound(reader, key, (enum cupel__arg_keyword)k, node, &set);
        else if (!is_type(reader, node, CUPEL_JSON_ARRAY))
            status = refuse_keyword(reader, key, CUPEL__ARG_ENUM, node);
    }
    *ret = set;
    return status;
}

bool cupel__arg_set_is_empty(const struct cupel__arg_set *set)
{
    for (int k = 0; k < CUPEL__ARG_KEYWORDS; k++)
        if (set->nodes[k] != CUPEL_NO_NODE)
            return false;
    return true;
}

static void empty_set(struct cupel__arg_set *set)
{
    for (int k = 0; k < CUPEL__ARG_KEYWORDS; k++)
        set->nodes[k] = CUPEL_NO_NODE;
}

/* -- Properties ------------------------------------------------------------------------------- */

/* Reads the `type` of a value. Any value that is not one of these strings counts as ANY. */
static enum cupel__arg_type read_type(struct cupel__arg_reader *reader, uint32_t node)
{
    static const struct {
        const char *name;
        enum cupel__arg_type type;
    } types[] = {
        {"string", CUPEL__ARG_STRING},   {"integer", CUPEL__ARG_INTEGER},
        {"float", CUPEL__ARG_NUMBER},    {"number", CUPEL__ARG_NUMBER},
        {"boolean", CUPEL__ARG_BOOLEAN},
    };
    for (size_t i = 0; node != CUPEL_NO_NODE && i < sizeof(types) / sizeof(types[0]); i++)
        if (cupel_json_is(reader->doc, node, types[i].name))
            return types[i].type;
    return CUPEL__ARG_ANY;
}

/* Determines whether the argument is an array.  Returns the node with the type of its elements. */
static uint32_t read_shape(struct cupel__arg_reader *reader, uint32_t key, uint32_t node,
                           struct cupel__arg_property *property, uint32_t *ret_items)
{
    uint32_t type = member(reader, node, "type"), items = member(reader, node, "items");
    uint32_t is_array = member(reader, node, "isArray");
    bool named = type != CUPEL_NO_NODE && cupel_json_is(reader->doc, type, "array");
    property->array = named || is_true(reader, is_array);
    if (is_array != CUPEL_NO_NODE && !is_type(reader, is_array, CUPEL_JSON_BOOLEAN))
        warn(reader, key, "has an isArray that is no boolean, which is passed over");
    if (items != CUPEL_NO_NODE && !property->array)
        warn(reader, key, "has items and is no array: they are passed over");
    else if (items != CUPEL_NO_NODE && !is_type(reader, items, CUPEL_JSON_OBJECT))
        warn(reader, key, "has items that are no object, which are passed over");
    if (!property->array || !is_type(reader, items, CUPEL_JSON_OBJECT))
        items = CUPEL_NO_NODE;
    *ret_items = items;
    if (items != CUPEL_NO_NODE && member(reader, items, "type") != CUPEL_NO_NODE)
        return member(reader, items, "type");
    return named ? CUPEL_NO_NODE : type;
}

/* Reads one property: its type, whether it is an array, and its two sets of constraints. */
static enum cupel_status read_property(struct cupel__arg_reader *reader, uint32_t key,
                                       struct cupel__arg_property *property)
{
    enum cupel_status status = CUPEL_OK;
    uint32_t node = key + 1, items;
    uint32_t required = member(reader, node, "required");
    property->type = read_type(reader, read_shape(reader, key, node, property, &items));
    property->required = is_true(reader, required);
    property->description = member(reader, node, "description");
    empty_set(&property->sets[0]);
    empty_set(&property->sets[1]);
    if (items != CUPEL_NO_NODE)
        status = read_set(reader, key, items, true, &property->sets[0]);
    /* Bounds beside "type": "array" belong to the array, which is neither a string nor a number. */
    bool own = !property->array || is_true(reader, member(reader, node, "isArray"));
    if (status == CUPEL_OK)
        status = read_set(reader, key, node, own, &property->sets[1]);
    if (cupel__arg_set_is_empty(&property->sets[0])) {
        property->sets[0] = property->sets[1];
        empty_set(&property->sets[1]);
    }
    return status;
}

/* Adds a property in reserved memory; NULL when out of memory for its name. */
static struct cupel__arg_property *add_property(struct cupel__arg_reader *reader, uint32_t key)
{
    struct cupel_argument_schema *args = reader->args;
    struct cupel__arg_property *property = &args->properties[args->count];
    size_t len;
    const char *name = cupel_json_string(reader->doc, key, &len);
    property->name = cupel__mcp_pool_copy(&args->pool, name, len);
    property->name_len = len;
    property->description = CUPEL_NO_NODE;
    empty_set(&property->sets[0]);
    empty_set(&property->sets[1]);
    if (property->name == NULL)
        return NULL;
    cupel__mcp_names_put(&args->names, property->name, len, args->count++);
    return property;
}

static bool reserve(struct cupel__arg_reader *reader, size_t count)
{
    struct cupel_argument_schema *args = reader->args;
    args->properties = cupel__mcp_pool_get(&args->pool, count * sizeof(*args->properties));
    return args->properties != NULL && cupel__mcp_names_reserve(&args->names, count);
}

/* -- Spellings -------------------------------------------------------------------------------- */

/* Whether every member's value is an object. */
static bool maps_to_objects(const struct cupel__arg_reader *reader, uint32_t map)
{
    uint32_t key = cupel_json_first(reader->doc, map);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(reader->doc, map, key + 1))
        if (!is_type(reader, key + 1, CUPEL_JSON_OBJECT))
            return false;
    return true;
}

/* Whether the schema has the spelling of JSON Schema.  A map with an argument called "properties"
 * has a string `type` in it, where JSON Schema has an object, so the two cannot be confused. */
static bool is_json_schema(struct cupel__arg_reader *reader)
{
    uint32_t properties = member(reader, 0, "properties");
    if (properties != CUPEL_NO_NODE)
        return is_type(reader, properties, CUPEL_JSON_OBJECT) &&
               maps_to_objects(reader, properties);
    uint32_t type = member(reader, 0, "type");
    return (type != CUPEL_NO_NODE && cupel_json_is(reader->doc, type, "object")) ||
           is_type(reader, member(reader, 0, "$schema"), CUPEL_JSON_STRING);
}

/* Whether a member describes the schema itself and is no argument. */
static bool is_about_schema(struct cupel__arg_reader *reader, uint32_t key)
{
    static const char *const names[] = {"schemaVersion", "$schema", "title", "description"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (cupel_json_is(reader->doc, key, names[i]))
            return is_type(reader, key + 1, CUPEL_JSON_STRING);
    return false;
}

/* Reads the properties of a map in either spelling. */
static enum cupel_status read_map(struct cupel__arg_reader *reader, uint32_t map)
{
    enum cupel_status status = CUPEL_OK;
    uint32_t key = cupel_json_first(reader->doc, map);
    for (; key != CUPEL_NO_NODE && status == CUPEL_OK;
         key = cupel_json_next(reader->doc, map, key + 1)) {
        if (map == 0 && is_about_schema(reader, key))
            continue;
        if (!is_type(reader, key + 1, CUPEL_JSON_OBJECT)) {
            warn(reader, key, "is no object, so it is no argument");
            continue;
        }
        struct cupel__arg_property *property = add_property(reader, key);
        status = property != NULL ? read_property(reader, key, property) : CUPEL_E_NO_MEMORY;
    }
    return status;
}

/* Reads the names of required arguments.  Names without a property are added after the properties.
 */
static enum cupel_status read_required(struct cupel__arg_reader *reader, uint32_t list)
{
    static const char message[] = "schema field 'required' must be an array of strings";
    if (list == CUPEL_NO_NODE)
        return CUPEL_OK;
    if (!is_type(reader, list, CUPEL_JSON_ARRAY))
        return refuse_whole(reader, list, message);
    uint32_t node = cupel_json_first(reader->doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(reader->doc, list, node)) {
        size_t len;
        const char *name = cupel_json_string(reader->doc, node, &len);
        if (name == NULL)
            return refuse_whole(reader, node, message);
        struct cupel__mcp_name *found = cupel__mcp_names_find(&reader->args->names, name, len);
        struct cupel__arg_property *property =
            found != NULL ? &reader->args->properties[found->value] : add_property(reader, node);
        if (property == NULL)
            return CUPEL_E_NO_MEMORY;
        property->required = true;
    }
    return CUPEL_OK;
}

static void check_version(struct cupel__arg_reader *reader)
{
    static const char known[] = "2025-10-09";
    uint32_t node = member(reader, 0, "schemaVersion");
    if (is_type(reader, node, CUPEL_JSON_STRING) && !cupel_json_is(reader->doc, node, known))
        warn(reader, node, "is no schemaVersion known here; the schema is read as 2025-10-09");
}

static void count_required(struct cupel_argument_schema *args)
{
    for (uint32_t i = 0; i < args->count; i++)
        args->required_count += args->properties[i].required;
}

/* Determines the spelling of the schema, reads its properties, then its required names. */
enum cupel_status cupel__arg_read(struct cupel__arg_reader *reader)
{
    struct cupel_document *doc = reader->doc;
    if (cupel_json_type(doc, 0) == CUPEL_JSON_NULL)
        return CUPEL_OK;
    if (cupel_json_type(doc, 0) != CUPEL_JSON_OBJECT)
        return refuse_whole(reader, 0, "schema must be an object");
    bool like_json_schema = is_json_schema(reader);
    uint32_t map = like_json_schema ? member(reader, 0, "properties") : 0;
    uint32_t required = like_json_schema ? member(reader, 0, "required") : CUPEL_NO_NODE;
    size_t room = map != CUPEL_NO_NODE ? cupel_json_count(doc, map) : 0;
    if (required != CUPEL_NO_NODE)
        room += cupel_json_count(doc, required);
    if (!reserve(reader, room))
        return CUPEL_E_NO_MEMORY;
    check_version(reader);
    enum cupel_status status = map != CUPEL_NO_NODE ? read_map(reader, map) : CUPEL_OK;
    if (status == CUPEL_OK)
        status = read_required(reader, required);
    if (status == CUPEL_OK)
        count_required(reader->args);
    return status;
}
