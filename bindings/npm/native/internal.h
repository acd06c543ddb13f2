/* internal.h: what core.c and mcp.c share. */
#ifndef CUPEL_NPM_INTERNAL_H
#define CUPEL_NPM_INTERNAL_H

#include "core.h"

#include <cupel/cupel.h>
#include <stdbool.h>

/* Settings with what runs under them.  Objects with equal settings share one. */
struct profile {
    struct cupel_options options;
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
    struct cupel_call_context *context; /* made by the first catalog */
    unsigned users;
    struct profile *next;
};

enum kind { KIND_FREE, KIND_VALIDATOR, KIND_CATALOG };

struct object {
    enum kind kind;
    uint32_t next_free; /* KIND_FREE: the index of the next free object */
    uint32_t uses;      /* how often the entry was used: part of the handle */
    struct profile *profile;
    struct cupel_program *program; /* KIND_VALIDATOR */
    /* The schema that the program was compiled from without reports, until the first report needs
     * them; NULL if it has them.  Most validators never report. */
    char *schema;
    size_t schema_len;
    uint32_t flags;
    enum cupel_dialect dialect;
    struct cupel_catalog *catalog; /* KIND_CATALOG */
    enum cupel_mcp_profile version;
    size_t bytes;
};

struct core {
    struct profile *profiles; /* the first one has the defaults and stays */
    struct object *objects;
    uint32_t count, capacity, first_free;
    char *input;
    size_t input_capacity;
    struct cupel_text output, part;
    struct cupel_outcome outcome; /* of the last input */
    /* The last options without schemas as they were given, and as they were read: mostly those of
     * the next schema too. */
    struct cupel_text known_text;
    struct cupel_options known;
    uint64_t key[2];
    cupel_sha256 *sha256;
    void *sha256_ctx;
};

/* The options of one object, read from JSON. */
struct settings {
    struct cupel_options options;
    struct cupel_document *doc; /* the options as they were given; NULL if there are none */
    uint32_t schemas;           /* the node of the schemas by URI, or CUPEL_NO_NODE */
    struct cupel_catalog_options mcp;
};

/* Reads one more option, the node of its value given; false if it is not known or has a wrong
 * value. */
typedef bool read_more(struct settings *settings, uint32_t node, const char *name, size_t len);

/* Reads the options behind the input; `more` (may be NULL) reads those that core.c does not know.
 * On false the output has an error object.  settings_free gives the document back, which the
 * options use. */
bool settings_read(struct core *core, const char *text, size_t len, read_more *more,
                   struct settings *ret);
void settings_free(struct settings *settings);

/* The profile for the options, with one more user; NULL if there is no memory. */
struct profile *profile_get(struct core *core, const struct cupel_options *options);
void profile_put(struct core *core, struct profile *profile);

/* A free object of that kind and its handle; NULL if there is no memory. */
struct object *object_new(struct core *core, enum kind kind, uint32_t *ret_handle);
struct object *object_find(const struct core *core, uint32_t handle, enum kind kind);

/* Writes an error object to the output, in place of what it has. */
void write_error(struct core *core, const struct cupel_error *err);
void write_status(struct core *core, enum cupel_status status, const char *detail);

/* Whether the name is `z`. */
bool name_is(const char *z, const char *name, size_t len);

/* Append `"name":` and a string or number; the comma before it is the caller's. */
void add_member(struct cupel_text *text, const char *name, const char *value, size_t len);
void add_number(struct cupel_text *text, const char *name, uint64_t value);

/* Collects the problems that a function of the library reports: the context of add_problem. */
struct problems {
    struct cupel_text *text;
    uint32_t count;
};
int add_problem(void *ctx, const struct cupel_problem *problem);

#endif
