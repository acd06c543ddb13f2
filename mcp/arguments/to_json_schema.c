/* to_json_schema.c: the meaning of the argument schema, as JSON Schema 2020-12.
 *
 * One thing has no equivalent in JSON Schema: enums compare values by their string form, so 1, 1.0
 * and "1" are equal, and true equals "true".  The values of one string form are few; the generated
 * enum lists all of them, and the engine needs no instruction for it.
 *
 * For example {"n": {"type": "integer", "enum": ["1"], "required": true}} becomes
 *
 *     {"type": "object", "properties": {"n": {"type": "integer", "enum": ["1", 1]}},
 *      "required": ["n"]} */
#include "mcp/arguments/arguments.h"
#include "mcp/json/number_text.h"
#include "mcp/json/traversal.h"

#include <string.h>

static const char *json_type(const struct cupel__arg_reader *reader, enum cupel__arg_type type)
{
    static const char *const names[] = {NULL, "string", "number", "number", "boolean"};
    if (type == CUPEL__ARG_INTEGER && (reader->args->options.flags & CUPEL_ARGS_STRICT_INTEGER))
        return "integer";
    return names[type];
}

static void add_key(struct cupel_text *text, const char *key)
{
    cupel__json_separate(text);
    cupel_text_addf(text, "\"%s\":", key);
}

static void add_span(struct cupel__arg_reader *reader, uint32_t node, struct cupel_text *text)
{
    size_t len;
    const char *span = cupel_json_span(reader->doc, node, &len);
    cupel_text_add(text, span, len);
}

/* -- Enums ------------------------------------------------------------------------------------ */

static bool is_word(const char *bytes, size_t len)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strlen(words[i]) == len && memcmp(words[i], bytes, len) == 0)
            return true;
    return false;
}

/* Whether a string is the string form of a number, a boolean or null. */
static bool is_form(struct cupel_text *scratch, const char *bytes, size_t len)
{
    if (is_word(bytes, len))
        return true;
    if (!cupel__number_is_json(bytes, len))
        return false;
    cupel_text_clear(scratch);
    cupel__number_shortest(scratch, bytes, len);
    return !scratch->failed && scratch->len == len && memcmp(scratch->bytes, bytes, len) == 0;
}

/* Appends all values with the string form of the node. */
static void add_values(struct cupel__arg_reader *reader, uint32_t node, struct cupel_text *text)
{
    enum cupel_json_type type = cupel_json_type(reader->doc, node);
    size_t len;
    cupel__json_separate(text);
    if (type == CUPEL_JSON_STRING) {
        const char *bytes = cupel_json_string(reader->doc, node, &len);
        cupel_text_add_json(text, bytes, len);
        if (!is_form(&reader->text, bytes, len))
            return;
        cupel__json_separate(text);
        cupel_text_add(text, bytes, len);
        return;
    }
    const char *span = cupel_json_span(reader->doc, node, &len);
    if (type == CUPEL_JSON_NUMBER) {
        cupel_text_clear(&reader->text);
        cupel__number_shortest(&reader->text, span, len);
        span = reader->text.bytes;
        len = reader->text.len;
        text->failed |= reader->text.failed;
    }
    if (text->failed)
        return;
    cupel_text_add(text, span, len);
    if (type == CUPEL_JSON_ARRAY || type == CUPEL_JSON_OBJECT)
        return;
    cupel__json_separate(text);
    cupel_text_add_json(text, span, len);
}

static void add_enum(struct cupel__arg_reader *reader, uint32_t list, struct cupel_text *text)
{
    add_key(text, "enum");
    cupel_text_adds(text, "[");
    uint32_t node = cupel_json_first(reader->doc, list);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(reader->doc, list, node))
        add_values(reader, node, text);
    cupel_text_adds(text, "]");
}

/* -- Values ----------------------------------------------------------------------------------- */

/* Appends the constraints of one set as keywords. Enums are expanded by add_enum. */
static void add_set(struct cupel__arg_reader *reader, const struct cupel__arg_set *set,
                    struct cupel_text *text)
{
    for (int k = 0; k < CUPEL__ARG_ENUM; k++) {
        if (set->nodes[k] == CUPEL_NO_NODE)
            continue;
        add_key(text, cupel__arg_keyword_name((enum cupel__arg_keyword)k));
        cupel_text_adds(text, set->bounds[k]);
    }
    if (set->nodes[CUPEL__ARG_ENUM] != CUPEL_NO_NODE)
        add_enum(reader, set->nodes[CUPEL__ARG_ENUM], text);
}

/* Appends the constraints of one value as members of an object.  A second set, which is rare, goes
 * into `allOf`. */
static void add_value(struct cupel__arg_reader *reader, const struct cupel__arg_property *property,
                      struct cupel_text *text)
{
    const char *type = json_type(reader, property->type);
    if (type != NULL) {
        add_key(text, "type");
        cupel_text_addf(text, "\"%s\"", type);
    }
    add_set(reader, &property->sets[0], text);
    if (cupel__arg_set_is_empty(&property->sets[1]))
        return;
    add_key(text, "allOf");
    cupel_text_adds(text, "[{");
    add_set(reader, &property->sets[1], text);
    cupel_text_adds(text, "}]");
}

void cupel__arg_lower_value(struct cupel__arg_reader *reader,
                            const struct cupel__arg_property *property, struct cupel_text *text)
{
    cupel_text_adds(text, "{");
    add_value(reader, property, text);
    cupel_text_adds(text, "}");
}

/* -- Arguments -------------------------------------------------------------------------------- */

/* Appends the constraints of an argument, value or array, as members of an object. */
static void add_argument(struct cupel__arg_reader *reader,
                         const struct cupel__arg_property *property, struct cupel_text *text)
{
    if (!property->array) {
        add_value(reader, property, text);
        return;
    }
    add_key(text, "type");
    cupel_text_adds(text, "\"array\"");
    if (property->value == NULL)
        return;
    add_key(text, "items");
    cupel__arg_lower_value(reader, property, text);
}

/* Appends a property with its description. */
static void add_property(struct cupel__arg_reader *reader,
                         const struct cupel__arg_property *property, struct cupel_text *text)
{
    bool nulls = reader->args->options.flags & CUPEL_ARGS_NULL_IS_ABSENT;
    bool optional = nulls && !property->required && (property->array || property->value != NULL);
    cupel__json_separate(text);
    cupel_text_add_json(text, property->name, property->name_len);
    cupel_text_adds(text, ":{");
    if (property->description != CUPEL_NO_NODE &&
        cupel_json_type(reader->doc, property->description) == CUPEL_JSON_STRING) {
        add_key(text, "description");
        add_span(reader, property->description, text);
    }
    if (nulls && property->required && !property->array && property->type == CUPEL__ARG_ANY) {
        add_key(text, "type");
        cupel_text_adds(text, "[\"string\",\"number\",\"boolean\",\"array\",\"object\"]");
    }
    if (optional) {
        add_key(text, "anyOf");
        cupel_text_adds(text, "[{\"type\":\"null\"},{");
    }
    add_argument(reader, property, text);
    cupel_text_adds(text, optional ? "}]}" : "}");
}

/* Appends `required` unless no argument is. */
static void add_required(const struct cupel_argument_schema *args, struct cupel_text *text)
{
    if (args->required_count == 0)
        return;
    add_key(text, "required");
    cupel_text_adds(text, "[");
    for (uint32_t i = 0; i < args->count; i++) {
        if (!args->properties[i].required)
            continue;
        cupel__json_separate(text);
        cupel_text_add_json(text, args->properties[i].name, args->properties[i].name_len);
    }
    cupel_text_adds(text, "]");
}

/* The object is open: arguments without a property are valid. */
void cupel__arg_lower(struct cupel__arg_reader *reader, struct cupel_text *text)
{
    const struct cupel_argument_schema *args = reader->args;
    cupel_text_adds(text, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
                          "\"type\":\"object\"");
    if (args->count != 0) {
        add_key(text, "properties");
        cupel_text_adds(text, "{");
        for (uint32_t i = 0; i < args->count; i++)
            add_property(reader, &args->properties[i], text);
        cupel_text_adds(text, "}");
    }
    add_required(args, text);
    cupel_text_adds(text, "}");
}
