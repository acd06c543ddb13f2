/* declare.c: tools that a program declares with C structs (cupel/declare.h): writes their
 * definitions, makes a catalog of them, and decodes arguments into a struct.
 *
 * field_types.def lists the types of fields: their name, their C type, their schema.
 *
 * A field of a struct is described by its name, its type, its offset and further keywords as JSON
 * text; what a decoder writes to the struct follows from the type alone.  Decoding runs after the
 * call was found valid, so an error here means that a value does not fit the C type: an integer
 * beyond int64_t, a number beyond double. */
#include "mcp/json/number_text.h"
#include "mcp/json/traversal.h"
#include "mcp/options/options.h"
#include <cupel/declare.h>

#include <stdio.h>
#include <string.h>

static const char *const schemas[CUPEL_FIELD_TYPES] = {
#define T(name, type, schema) schema,
#include <cupel/field_types.def>
};

/* -- Definitions ------------------------------------------------------------------------------ */

static void add_string(struct cupel_text *text, const char *z)
{
    cupel_text_add_json(text, z, strlen(z));
}

static void add_member(struct cupel_text *text, const char *json)
{
    if (*json == '\0')
        return;
    cupel__json_separate(text);
    cupel_text_adds(text, json);
}

/* Appends the schema of a field: that of its type, then its description and its own keywords. */
static void add_field(struct cupel_text *text, const struct cupel_field *field)
{
    cupel__json_separate(text);
    add_string(text, field->name);
    cupel_text_adds(text, ":{");
    add_member(text, schemas[field->type]);
    if (*field->description != '\0') {
        add_member(text, "\"description\":");
        add_string(text, field->description);
    }
    add_member(text, field->constraints);
    cupel_text_adds(text, "}");
}

/* Appends the names of required fields. */
static void add_required(struct cupel_text *text, const struct cupel_arguments *arguments)
{
    size_t count = 0;
    for (size_t i = 0; i < arguments->count; i++) {
        if (!arguments->fields[i].required)
            continue;
        cupel_text_adds(text, count++ == 0 ? ",\"required\":[" : ",");
        add_string(text, arguments->fields[i].name);
    }
    cupel_text_adds(text, count != 0 ? "]" : "");
}

/* Appends the input schema. The object is closed: a client cannot send what the struct lacks. */
void cupel_arguments_schema_write(const struct cupel_arguments *arguments, struct cupel_text *text)
{
    if (text == NULL)
        return;
    cupel_text_adds(text, "{\"type\":\"object\"");
    if (arguments != NULL) {
        cupel_text_adds(text, ",\"properties\":{");
        for (size_t i = 0; i < arguments->count; i++)
            add_field(text, &arguments->fields[i]);
        cupel_text_adds(text, "}");
        add_required(text, arguments);
    }
    cupel_text_adds(text, ",\"additionalProperties\":false}");
}

static void add_json(struct cupel_text *text, const char *key, const char *json)
{
    if (json != NULL)
        cupel_text_addf(text, ",\"%s\":%s", key, json);
}

static void add_text(struct cupel_text *text, const char *key, const char *value)
{
    if (value == NULL)
        return;
    cupel_text_addf(text, ",\"%s\":", key);
    add_string(text, value);
}

/* Appends the definition of a tool; absent texts are left out. */
static void add_tool(struct cupel_text *text, const struct cupel_declared_tool *tool)
{
    cupel_text_adds(text, "{\"name\":");
    add_string(text, tool->name);
    add_text(text, "title", tool->title);
    add_text(text, "description", tool->description);
    if (tool->input_schema != NULL) {
        add_json(text, "inputSchema", tool->input_schema);
    } else {
        cupel_text_adds(text, ",\"inputSchema\":");
        cupel_arguments_schema_write(tool->arguments != NULL ? tool->arguments() : NULL, text);
    }
    add_json(text, "outputSchema", tool->output_schema);
    add_json(text, "annotations", tool->annotations);
    cupel_text_adds(text, "}");
}

void cupel_declared_list_write(const struct cupel_declared_tool *tools, size_t count,
                               struct cupel_text *text)
{
    if (tools == NULL || text == NULL)
        return;
    cupel_text_adds(text, "{\"tools\":[");
    for (size_t i = 0; i < count; i++) {
        cupel_text_adds(text, i != 0 ? "," : "");
        add_tool(text, &tools[i]);
    }
    cupel_text_adds(text, "]}");
}

const struct cupel_declared_tool *cupel_declared_tool_find(const struct cupel_declared_tool *tools,
                                                           size_t count, const char *name,
                                                           size_t len)
{
    if (tools == NULL || (name == NULL && len > 0))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strlen(tools[i].name) == len && memcmp(tools[i].name, name, len) == 0)
            return &tools[i];
    return NULL;
}

/* -- The catalog ------------------------------------------------------------------------------ */

/* Fills in the first error of a tool.  A tool with too many problems may have kept none. */
static void fill_error(const struct cupel_tool *tool, struct cupel_error *err)
{
    const struct cupel_rule_problem *problem = tool->problems, *end = problem + tool->problem_count;
    while (problem < end && problem->severity != CUPEL_SEVERITY_ERROR)
        problem++;
    memset(err, 0, sizeof(*err));
    err->status = CUPEL_E_SCHEMA;
    snprintf(err->where, sizeof(err->where), "%s", problem < end ? problem->pointer : "");
    snprintf(err->detail, sizeof(err->detail), "%s",
             problem < end ? problem->message : "the definition is not valid");
}

/* Returns the first error of all definitions, or CUPEL_OK. */
static enum cupel_status find_fault(const struct cupel_catalog *catalog, struct cupel_error *err)
{
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
        if (tool->verdict != CUPEL_TOOL_INVALID)
            continue;
        if (err != NULL)
            fill_error(tool, err);
        return CUPEL_E_SCHEMA;
    }
    return CUPEL_OK;
}

/* Makes a catalog from the definitions. A definition with an error is an error of the program, so
 * the whole catalog is refused and *err names the tool. */
enum cupel_status cupel_declared_catalog_new(const struct cupel_declared_tool *tools, size_t count,
                                             const struct cupel_catalog_options *options,
                                             struct cupel_catalog **ret, struct cupel_error *err)
{
    if (tools == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct cupel_catalog_options chosen;
    struct cupel_options engine;
    struct cupel_catalog *catalog = NULL;
    struct cupel_text text;
    enum cupel_status status = cupel__mcp_options_copy(options, &chosen, &engine, err);
    if (status != CUPEL_OK)
        return status;
    cupel_text_init(&text, &engine.alloc);
    cupel_declared_list_write(tools, count, &text);
    status = text.failed ? CUPEL_E_NO_MEMORY : CUPEL_OK;
    if (status == CUPEL_OK)
        status = cupel_catalog_new(&chosen, &catalog);
    if (status == CUPEL_OK)
        status = cupel_catalog_add(catalog, text.bytes, text.len, err);
    if (status == CUPEL_OK)
        status = find_fault(catalog, err);
    if (status == CUPEL_OK)
        *ret = catalog;
    else
        cupel_catalog_free(catalog);
    cupel_text_free(&text);
    return status;
}

/* -- Decoding --------------------------------------------------------------------------------- */

/* A value of any field type. */
union member {
    struct cupel_string string;
    int64_t integer;
    double number;
    int boolean;
    uint32_t node;
};

enum cupel_status cupel_json_double(struct cupel_document *doc, uint32_t node, double *ret)
{
    if (doc == NULL || ret == NULL)
        return CUPEL_E_ARGUMENT;
    size_t len;
    const char *span = cupel_json_span(doc, node, &len);
    if (cupel_json_type(doc, node) != CUPEL_JSON_NUMBER)
        return CUPEL_E_ARGUMENT;
    return cupel__number_double(span, len, ret) ? CUPEL_OK : CUPEL_E_LIMIT_NUMBER;
}

static enum cupel_status decode_integer(struct cupel_document *doc, uint32_t node, int64_t *ret)
{
    if (cupel_json_type(doc, node) != CUPEL_JSON_NUMBER)
        return CUPEL_E_ARGUMENT;
    return cupel_json_integer(doc, node, ret) == 0 ? CUPEL_OK : CUPEL_E_LIMIT_NUMBER;
}

/* Whether the value is an array whose items are all of a type. */
static bool is_list(struct cupel_document *doc, uint32_t node, enum cupel_json_type type)
{
    if (cupel_json_type(doc, node) != CUPEL_JSON_ARRAY)
        return false;
    uint32_t item = cupel_json_first(doc, node);
    for (; item != CUPEL_NO_NODE; item = cupel_json_next(doc, node, item))
        if (cupel_json_type(doc, item) != type)
            return false;
    return true;
}

/* Decodes a value of a field type. CUPEL_E_ARGUMENT if it has another type, or the C type cannot
 * hold it. Strings and nodes refer to the document. */
static enum cupel_status decode_value(struct cupel_document *doc, uint32_t node,
                                      enum cupel_field_type type, union member *ret)
{
    bool good = true;
    ret->node = node;
    switch (type) {
    case CUPEL_FIELD_string:
        ret->string.bytes = cupel_json_string(doc, node, &ret->string.len);
        good = ret->string.bytes != NULL;
        break;
    case CUPEL_FIELD_integer:
        return decode_integer(doc, node, &ret->integer);
    case CUPEL_FIELD_number:
        return cupel_json_double(doc, node, &ret->number);
    case CUPEL_FIELD_boolean:
        ret->boolean = cupel_json_boolean(doc, node);
        good = ret->boolean >= 0;
        break;
    case CUPEL_FIELD_strings:
        good = is_list(doc, node, CUPEL_JSON_STRING);
        break;
    case CUPEL_FIELD_integers:
    case CUPEL_FIELD_numbers:
        good = is_list(doc, node, CUPEL_JSON_NUMBER);
        break;
    case CUPEL_FIELD_object:
        good = cupel_json_type(doc, node) == CUPEL_JSON_OBJECT;
        break;
    default:
        break;
    }
    return good ? CUPEL_OK : CUPEL_E_ARGUMENT;
}

static size_t size_of_type(enum cupel_field_type type)
{
    static const size_t sizes[CUPEL_FIELD_TYPES] = {
#define T(name, type, schema) sizeof(type),
#include <cupel/field_types.def>
    };
    return sizes[type];
}

/* Returns the value of an absent argument. */
static union member absent(enum cupel_field_type type)
{
    union member member;
    memset(&member, 0, sizeof(member));
    if (type >= CUPEL_FIELD_strings)
        member.node = CUPEL_NO_NODE;
    return member;
}

/* Decodes the value of a field, and stores it unless `base` is NULL. */
static enum cupel_status decode_field(struct cupel_document *doc, uint32_t object,
                                      const struct cupel_field *field, char *base)
{
    uint32_t node = CUPEL_NO_NODE;
    union member member = absent(field->type);
    enum cupel_status status = CUPEL_OK;
    if (object != CUPEL_NO_NODE)
        node = cupel_json_member(doc, object, field->name, strlen(field->name));
    int has = node != CUPEL_NO_NODE;
    if (has)
        status = decode_value(doc, node, field->type, &member);
    else if (field->required)
        status = CUPEL_E_ARGUMENT;
    if (status == CUPEL_OK && base != NULL) {
        memcpy(base + field->offset, &member, size_of_type(field->type));
        memcpy(base + field->has_offset, &has, sizeof(has));
    }
    return status;
}

/* Strings and lists live as long as the document. */
enum cupel_status cupel_arguments_decode(const struct cupel_arguments *arguments,
                                         struct cupel_document *doc, uint32_t node, void *ret)
{
    if (arguments == NULL || ret == NULL || (doc == NULL && node != CUPEL_NO_NODE))
        return CUPEL_E_ARGUMENT;
    enum cupel_status status = CUPEL_OK;
    if (node != CUPEL_NO_NODE && cupel_json_type(doc, node) != CUPEL_JSON_OBJECT)
        return CUPEL_E_ARGUMENT;
    /* A first pass without storing, so that a failure leaves the struct unchanged. */
    for (size_t i = 0; i < arguments->count && status == CUPEL_OK; i++)
        status = decode_field(doc, node, &arguments->fields[i], NULL);
    for (size_t i = 0; i < arguments->count && status == CUPEL_OK; i++)
        status = decode_field(doc, node, &arguments->fields[i], ret);
    return status;
}
