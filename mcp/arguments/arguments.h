/* arguments.h: the argument schema of MCP drafts of 2025-10-09, in its normal form.  The language
 * has two spellings (a JSON Schema object, or a map from names to properties), and both are read
 * into this form. */
#ifndef CUPEL_MCP_ARG_INTERNAL_H
#define CUPEL_MCP_ARG_INTERNAL_H

#include "mcp/containers/name_set.h"
#include "mcp/containers/pool.h"
#include <cupel/args.h>

/* Types that are checked; a type that the language does not define is ANY. */
enum cupel__arg_type {
    CUPEL__ARG_ANY,
    CUPEL__ARG_STRING,
    CUPEL__ARG_INTEGER,
    CUPEL__ARG_NUMBER,
    CUPEL__ARG_BOOLEAN
};

/* Constraints, in the order of their messages for one value. */
enum cupel__arg_keyword {
    CUPEL__ARG_MIN_LENGTH,
    CUPEL__ARG_MAX_LENGTH,
    CUPEL__ARG_MINIMUM,
    CUPEL__ARG_MAXIMUM,
    CUPEL__ARG_ENUM,
    CUPEL__ARG_KEYWORDS
};

/* The constraints of one object of the schema. */
struct cupel__arg_set {
    uint32_t nodes[CUPEL__ARG_KEYWORDS];     /* while the schema is read; CUPEL_NO_NODE: absent */
    const char *bounds[CUPEL__ARG_KEYWORDS]; /* for messages: the shortest spelling */
};

/* The sets of constraints of a property: of `items`, and its own.  If there is only one, it is the
 * first. */
enum { CUPEL__ARG_SETS = 2 };

struct cupel__arg_property {
    const char *name;
    size_t name_len;
    uint32_t description; /* while the schema is read; CUPEL_NO_NODE: absent */
    bool required, array;
    enum cupel__arg_type type; /* of the value, or of each element of an array */
    struct cupel__arg_set sets[CUPEL__ARG_SETS];
    struct cupel_program *value; /* for one value or element; NULL: there are no constraints */
};

enum { CUPEL__ARG_WARNINGS = 32 };

struct cupel_argument_schema {
    struct cupel_argument_schema_options options; /* its `engine` points to the member below */
    struct cupel_options engine;                  /* of `options` */
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

/* The state of the reader. */
struct cupel__arg_reader {
    struct cupel_argument_schema *args;
    struct cupel_document *doc;
    struct cupel_error *err; /* never NULL */
    struct cupel_text text;  /* scratch */
};

const char *cupel__arg_keyword_name(enum cupel__arg_keyword keyword);
bool cupel__arg_set_is_empty(const struct cupel__arg_set *set);

/* Reads the properties of reader->args from the document (read.c). */
enum cupel_status cupel__arg_read(struct cupel__arg_reader *reader);

/* Appends the JSON Schema of one value or element of a property (to_json_schema.c); "{}" without
 * constraints. */
void cupel__arg_lower_value(struct cupel__arg_reader *reader,
                            const struct cupel__arg_property *property, struct cupel_text *text);
/* Appends the JSON Schema of all arguments. */
void cupel__arg_lower(struct cupel__arg_reader *reader, struct cupel_text *text);

/* Reports the problems of invalid arguments (explain.c).  CUPEL_OK, or why problems are missing. */
enum cupel_status cupel__arg_explain(const struct cupel_argument_schema *args,
                                     struct cupel_scratch *scratch, struct cupel_document *doc,
                                     uint32_t node, struct cupel_text *text,
                                     cupel_on_argument_problem *on_problem, void *ctx);

#endif
