/* declare.h: tools declared in C, for programs that are MCP servers.
 *
 * The arguments of a tool are described once, as a list of fields:
 *
 *     #define SEARCH_FIELDS(F)                                                            \
 *         F(string, query, required, "the text to search for", "\"minLength\":1")         \
 *         F(integer, max_results, optional, "how many matches to return", "\"minimum\":1") \
 *         F(boolean, case_sensitive, optional, "match case exactly", "")
 *     CUPEL_ARGUMENTS(search, SEARCH_FIELDS)
 *
 *     static const struct cupel_declared_tool tools[] = {
 *         {.name = "search_files", .description = "Searches.", .arguments = search_arguments},
 *     };
 *
 * That gives a `struct search` with a member for each field (and `has_…`, whether it was given),
 * the inputSchema that clients see, the check of every call, and the struct filled in from
 * arguments that passed it:
 *
 *     cupel_declared_catalog_new(tools, 1, NULL, &catalog, &err);    // once, for cupel_call_check
 *     cupel_declared_list_write(tools, 1, &text);                    // the answer to tools/list
 *     struct search search;
 *     if (cupel_arguments_decode(search_arguments(), doc, node, &search) == CUPEL_OK)
 *         run(search.query.bytes, search.query.len, search.has_max_results ? … : 10);
 *
 * A field is F(type, name, required|optional, "description", "more constraints"): the types are in
 * field_types.def, the constraints members of a JSON object, without braces, that are added to the
 * property's schema.  What that cannot say is written by hand (input_schema).
 *
 * How a schema is made: the field's name is the property's, its type the `type`, its description
 * the `description`; required ones are listed in `required`; the whole is an object with
 * `additionalProperties: false`.
 *
 * Threads: threads share declarations; a document and a text belong to one thread at a time. */
#ifndef CUPEL_DECLARE_H
#define CUPEL_DECLARE_H

#include <cupel/catalog.h>
#include <cupel/common.h>
#include <cupel/json.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Fields ----------------------------------------------------------------------------------- */

/* A string of the arguments: UTF-8, not terminated, may hold NUL; lives as long as the document's
 * text.  NULL if the field was not given. */
struct cupel_string {
    const char *bytes;
    size_t len;
};

enum cupel_field_type {
#define T(name, type, schema) CUPEL_FIELD_##name,
#include <cupel/field_types.def>
    CUPEL_FIELD_TYPES
};

struct cupel_field {
    const char *name;
    enum cupel_field_type type;
    int required;
    const char *description;   /* "" for none */
    const char *constraints;   /* members of a JSON object, "" for none */
    size_t offset, has_offset; /* of the members of the struct */
};

/* The fields of a struct. */
struct cupel_arguments {
    const struct cupel_field *fields;
    size_t count;
    size_t size; /* of the struct */
};

/* The type of NAME_arguments, which CUPEL_ARGUMENTS defines. */
typedef const struct cupel_arguments *cupel_arguments_of(void);

/* Defines `struct NAME` and `NAME_arguments`, of a list of fields as above. */
#define CUPEL_ARGUMENTS(name, FIELDS)                                                          \
    struct name {                                                                              \
        FIELDS(CUPEL__MEMBER)                                                                  \
    };                                                                                         \
    static inline const struct cupel_arguments *name##_arguments(void)                         \
    {                                                                                          \
        typedef struct name cupel__self;                                                       \
        static const struct cupel_field fields[] = {FIELDS(CUPEL__FIELD)};                     \
        static const struct cupel_arguments all = {fields, sizeof(fields) / sizeof(fields[0]), \
                                                   sizeof(cupel__self)};                       \
        return &all;                                                                           \
    }

/* Parts of CUPEL_ARGUMENTS; not part of the interface. */
enum { CUPEL__NEED_required = 1, CUPEL__NEED_optional = 0 };
#define T(name, type, schema) typedef type cupel__field_##name;
#include <cupel/field_types.def>
#define CUPEL__MEMBER(type, name, need, description, constraints) \
    cupel__field_##type name;                                     \
    int has_##name;
#define CUPEL__FIELD(type, name, need, description, constraints) \
    {#name,                                                      \
     CUPEL_FIELD_##type,                                         \
     CUPEL__NEED_##need,                                         \
     description,                                                \
     constraints,                                                \
     offsetof(cupel__self, name),                                \
     offsetof(cupel__self, has_##name)},

/* -- Tools ------------------------------------------------------------------------------------ */

/* A tool.  Strings are NUL-terminated UTF-8; JSON in them is copied as it is. */
struct cupel_declared_tool {
    const char *name;
    const char *title;             /* NULL for none */
    const char *description;       /* NULL for none */
    cupel_arguments_of *arguments; /* NULL: the tool takes none */
    const char *input_schema;      /* JSON; NULL: made of the arguments */
    const char *output_schema;     /* JSON; NULL for none */
    const char *annotations;       /* JSON; NULL for none */
};

/* Appends the inputSchema of arguments; without `arguments` that of a tool that takes none.
 *
 * NULL: arguments. */
void cupel_arguments_schema_write(const struct cupel_arguments *arguments, struct cupel_text *text);

/* Appends `{"tools":[…]}`, as a tools/list result has it. */
void cupel_declared_list_write(const struct cupel_declared_tool *tools, size_t count,
                               struct cupel_text *text);

/* Makes a catalog of the tools, for cupel_call_check.  CUPEL_OK; CUPEL_E_SCHEMA with the first
 * fault of a definition in *err: a server's own tools must have none; CUPEL_E_NO_MEMORY; another
 * status of cupel_catalog_add.  The caller frees the catalog. */
enum cupel_status cupel_declared_catalog_new(const struct cupel_declared_tool *tools, size_t count,
                                             const struct cupel_catalog_options *options,
                                             struct cupel_catalog **ret, struct cupel_error *err);

/* The declaration with this name: a pointer into `tools`, valid as long as these; NULL if there is
 * none. */
const struct cupel_declared_tool *cupel_declared_tool_find(const struct cupel_declared_tool *tools,
                                                           size_t count, const char *name,
                                                           size_t len);

/* Fills in the struct at `ret` from the object `node`, which was found valid; CUPEL_NO_NODE is the
 * empty object and needs no document.  Members that were not given are 0, NULL, or CUPEL_NO_NODE.
 * Members without a field are ignored.
 * CUPEL_OK; CUPEL_E_ARGUMENT if a value is not of its field's type or a required one is missing
 * (the arguments were not checked, or a schema written by hand allows them); CUPEL_E_LIMIT_NUMBER
 * if an integer does not fit int64_t or a number a double.  After a failure the struct is as it
 * was.
 * NULL: doc. */
enum cupel_status cupel_arguments_decode(const struct cupel_arguments *arguments,
                                         struct cupel_document *doc, uint32_t node, void *ret);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
