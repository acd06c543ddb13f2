/* arguments.h: the argument schema in its normal form, which both shapes are read into. */
#ifndef CUPEL_MCP_ARG_INTERNAL_H
#define CUPEL_MCP_ARG_INTERNAL_H

#include "mcp/containers/name_set.h"
#include "mcp/containers/pool.h"
#include <cupel/args.h>

/* Types that are tested; a type the language does not know is ANY. */
enum cupel__arg_type {
    CUPEL__ARG_ANY,
    CUPEL__ARG_STRING,
    CUPEL__ARG_INTEGER,
    CUPEL__ARG_NUMBER,
    CUPEL__ARG_BOOLEAN
};

/* Constraints, in the order in which a value's messages come. */
enum cupel__arg_keyword {
    CUPEL__ARG_MIN_LENGTH,
    CUPEL__ARG_MAX_LENGTH,
    CUPEL__ARG_MINIMUM,
    CUPEL__ARG_MAXIMUM,
    CUPEL__ARG_ENUM,
    CUPEL__ARG_KEYWORDS
};

/* The constraints that are written in one place. */
struct cupel__arg_set {
    uint32_t nodes[CUPEL__ARG_KEYWORDS];     /* in the schema text, while it is read; or none */
    const char *bounds[CUPEL__ARG_KEYWORDS]; /* as messages say them: the shortest text */
};

/* Those of `items` and the property's own, as far as there are any: the second is empty if the
 * first is. */
enum { CUPEL__ARG_SETS = 2 };

struct cupel__arg_property {
    const char *name;
    size_t name_len;
    uint32_t description; /* a node, while the schema is read; or none */
    bool required, array;
    enum cupel__arg_type type; /* of the value, or of each element of an array */
    struct cupel__arg_set sets[CUPEL__ARG_SETS];
    struct cupel_program *value; /* judges one value or element; NULL: anything will do */
};

enum { CUPEL__ARG_WARNINGS = 32 };

struct cupel_argument_schema {
    struct cupel_argument_schema_options options; /* whose engine is … */
    struct cupel_options engine;                  /* … this one */
    struct cupel__mcp_pool pool;
    struct cupel__mcp_names names; /* of properties, to their index */
    struct cupel__arg_property *properties;
    uint32_t count;
    uint32_t required_count;
    const char *warnings[CUPEL__ARG_WARNINGS];
    uint32_t warning_count;
    const char *schema; /* JSON Schema */
    size_t schema_len;
    struct cupel_program *program;
};

/* Reading a schema. */
struct cupel__arg_reader {
    struct cupel_argument_schema *args;
    struct cupel_document *doc;
    struct cupel_error *err; /* never NULL */
    struct cupel_text text;  /* scratch */
};

const char *cupel__arg_keyword_name(enum cupel__arg_keyword keyword);
bool cupel__arg_set_is_empty(const struct cupel__arg_set *set);

/* Fills in the properties of reader->args from the document (arguments/read.c). */
enum cupel_status cupel__arg_read(struct cupel__arg_reader *reader);

/* Appends the JSON Schema of one value or element of a property (arguments/to_json_schema.c); "{}"
 * if anything will do. */
void cupel__arg_lower_value(struct cupel__arg_reader *reader,
                            const struct cupel__arg_property *property, struct cupel_text *text);
/* Appends the JSON Schema of all arguments. */
void cupel__arg_lower(struct cupel__arg_reader *reader, struct cupel_text *text);

/* Calls back for what is wrong with arguments that are not valid (arguments/explain.c).  CUPEL_OK,
 * or why problems are missing. */
enum cupel_status cupel__arg_explain(const struct cupel_argument_schema *args,
                                     struct cupel_scratch *scratch, struct cupel_document *doc,
                                     uint32_t node, struct cupel_text *text,
                                     cupel_on_argument_problem *on_problem, void *ctx);

#endif
