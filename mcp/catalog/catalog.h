/* catalog.h: what the files of this folder share: the catalog and its tools, a pool for what
 * lives as long as a catalog, a set of names, a walk over JSON without recursion. */
#ifndef CUPEL_MCP_INTERNAL_H
#define CUPEL_MCP_INTERNAL_H

#include <cupel/listing.h>
#include <cupel/mcp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/* -- Memory (pool.c) -------------------------------------------------------------------------- */

/* The given allocator, or the C library's if its function is NULL. */
struct cupel_alloc cupel__mcp_alloc(const struct cupel_alloc *alloc);

struct cupel__mcp_block;

/* Memory that is freed whole, or back to a mark. */
struct cupel__mcp_pool {
    struct cupel_alloc alloc;
    struct cupel__mcp_block *block; /* the newest */
    size_t used;                    /* of the newest */
};

void *cupel__mcp_pool_get(struct cupel__mcp_pool *pool, size_t size);
/* A copy followed by a NUL; NULL when out of memory. */
char *cupel__mcp_pool_copy(struct cupel__mcp_pool *pool, const char *bytes, size_t len);
/* Frees everything since the pool was `mark`, which is a copy of it. */
void cupel__mcp_pool_rewind(struct cupel__mcp_pool *pool, struct cupel__mcp_pool mark);

/* -- Names (name_set.c) ----------------------------------------------------------------------- */

struct cupel__mcp_name {
    uint64_t hash; /* 0: an empty slot */
    const char *bytes;
    size_t len;
    uint32_t value;
};

/* A hash table with open addressing.  The hash is keyed, for names come from strangers. */
struct cupel__mcp_names {
    struct cupel_alloc alloc;
    uint64_t key[2];
    struct cupel__mcp_name *slots;
    size_t capacity, count;
};

/* The host's key, or where it gave none, or has no options (NULL), a random one. */
void cupel__mcp_make_key(const struct cupel_options *, uint64_t ret_key[2]);
/* Makes room for `more` names; false when out of memory. */
bool cupel__mcp_names_reserve(struct cupel__mcp_names *names, size_t more);
struct cupel__mcp_name *cupel__mcp_names_find(const struct cupel__mcp_names *names,
                                              const char *bytes, size_t len);
/* Adds a name for which there is room, and which is not in the set.  The bytes are not copied. */
void cupel__mcp_names_put(struct cupel__mcp_names *names, const char *bytes, size_t len,
                          uint32_t value);
/* Empties the set, and keeps the memory unless it is much. */
void cupel__mcp_names_clear(struct cupel__mcp_names *names);
void cupel__mcp_names_free(struct cupel__mcp_names *names);

/* -- Members (member_index.c) ------------------------------------------------------------------ */

/* Names under owners, and the members of wide objects, found in the same time however many there
 * are. */
struct cupel__mcp_index {
    struct cupel__mcp_pool pool; /* has the names */
    struct cupel__mcp_names names;
    struct cupel_text scratch;
    bool failed; /* no memory */
};

void cupel__mcp_index_init(struct cupel__mcp_index *index, const struct cupel_alloc *alloc);
void cupel__mcp_index_free(struct cupel__mcp_index *index);
/* Adds a name under an owner, unless it is there.  Owners are numbers from CUPEL__MCP_OWNERS on. */
void cupel__mcp_index_put(struct cupel__mcp_index *index, uint64_t owner, const char *name,
                          size_t len, uint32_t value);
/* The value of a name under an owner, or CUPEL_NO_NODE. */
uint32_t cupel__mcp_index_find(struct cupel__mcp_index *index, uint64_t owner, const char *name,
                               size_t len);
/* cupel_json_member, with an index of the object if it is a wide one.  Items of arrays are found by
 * their numbers as JSON Pointers write them. */
uint32_t cupel__mcp_index_member(struct cupel__mcp_index *index, struct cupel_document *doc,
                                 uint32_t node, const char *name, size_t len);
#define CUPEL__MCP_OWNERS (UINT64_C(2) << 32)

/* -- Walking (walk.c) ------------------------------------------------------------------------- */

struct cupel__mcp_frame {
    uint32_t node, key, value, index; /* a container; the child at which the walk is */
    int kind;                         /* the walker's own */
    uint32_t step, step_key;          /* header.c: the step to the child whose key is step_key */
};

/* A way through a document, with an explicit stack. */
struct cupel__mcp_walk {
    struct cupel_alloc alloc;
    struct cupel_document *doc;
    struct cupel__mcp_frame *frames;
    size_t depth, capacity;
};

/* Enters a container; false when out of memory. */
bool cupel__mcp_walk_enter(struct cupel__mcp_walk *walk, uint32_t node, int kind);
/* Goes to the next child of the innermost container and returns its frame; leaves the container and
 * returns NULL at its end. */
struct cupel__mcp_frame *cupel__mcp_walk_step(struct cupel__mcp_walk *walk);
void cupel__mcp_walk_free(struct cupel__mcp_walk *walk);

/* Appends a token of a JSON Pointer, after its slash (RFC 6901 section 4). */
void cupel__mcp_add_token(struct cupel_text *text, const char *bytes, size_t len);
/* Appends a comma unless it would be the first thing in the object or array that is being written.
 */
void cupel__mcp_separate(struct cupel_text *text);

/* The JSON Pointer of the current child, from the node entered first; cut with "…". */
enum { CUPEL__MCP_POINTER = 256 };
void cupel__mcp_walk_pointer(const struct cupel__mcp_walk *walk, char ret[CUPEL__MCP_POINTER]);

/* -- Untrusted text --------------------------------------------------------------------------- */

enum { CUPEL__MCP_NAME = 64 }; /* bytes of a name that are shown */

/* Appends text as cupel_text_plain does, in one line, cut at `max` bytes. */
static inline void cupel__mcp_add_clean(struct cupel_text *text, const char *bytes, size_t len,
                                        size_t max)
{
    cupel_text_plain(text, bytes, len, max, 0);
}

/* Appends a name in quotes. */
static inline void cupel__mcp_add_quoted(struct cupel_text *text, const char *bytes, size_t len)
{
    cupel_text_quoted(text, bytes, len, CUPEL__MCP_NAME);
}

/* -- Base64 (base64.c) ------------------------------------------------------------------------ */

/* Appends what the text stands for, or with NULL only looks at it.  False if it is not Base64. */
bool cupel__base64_decode(const char *text, size_t len, struct cupel_text *ret);
/* Whether the unused bits of Base64 text are 0, so that no other text stands for the same bytes. */
bool cupel__base64_canonical(const char *text, size_t len);
void cupel__base64_encode(const char *bytes, size_t len, struct cupel_text *text);

/* -- Tools (tool.c, record.c, icons.c, schema.c, catalog.c) ------------------------------------ */

enum cupel__mcp_rule {
#define R(name, id, severity, paragraph) CUPEL__RULE_##name,
#include "mcp/catalog/rules.def"
    CUPEL__RULE_COUNT
};

enum { CUPEL__MCP_PROBLEMS = 32 };

/* A program that several catalogs may hold. */
struct cupel__mcp_program {
    struct cupel_program *program;
    struct cupel_alloc alloc;
    size_t image_bytes;
    atomic_uint holders;
};

struct cupel__mcp_slice {
    const char *bytes;
    size_t len;
};

/* A property with a valid x-mcp-header: where its value is in the arguments. */
struct cupel__mcp_header {
    const struct cupel__mcp_header *next;
    const char *name; /* after "Mcp-Param-", as the schema writes it */
    size_t name_len;
    struct cupel__mcp_slice key; /* the field's whole name as look-ups write it */
    uint32_t step;               /* the property, of the tool's steps */
};

/* The schemas of a tool are counted 0 and 1. */
enum { CUPEL__MCP_INPUT, CUPEL__MCP_OUTPUT, CUPEL__MCP_SCHEMAS };

/* The names that stand in an input schema, by their letters without regard to case
 * (argument_names.c). */
struct cupel__argument_names {
    struct cupel__argument_name *slots;
    uint32_t count, capacity;
    bool incomplete; /* others may be declared as well */
};

/* Adds a name; the memory is the pool's.  False when out of memory. */
bool cupel__argument_names_add(struct cupel__argument_names *names, struct cupel__mcp_pool *pool,
                               const char *bytes, size_t len);

/* A tool as the catalog holds it.  `view` comes first, so that one is the other. */
struct cupel__mcp_tool {
    struct cupel_tool view;
    struct cupel_tool_problem *problems; /* with room for two more: another tool's name */
    struct cupel__mcp_slice look;        /* the skeleton of the name (hidden.h) */
    bool named;                          /* the definition has a name, a string */
    bool ambiguous;                      /* another tool of this name has another input schema */
    struct cupel__mcp_program *programs[CUPEL__MCP_SCHEMAS];
    struct cupel__mcp_slice schemas[CUPEL__MCP_SCHEMAS]; /* their texts, within view.text */
    const struct cupel__mcp_header *headers;             /* in the order of the schema */
    struct cupel__mcp_names steps; /* to properties that have a header: 4 bytes of the step that is
                                      left and a name, to the step that is entered; the root is 0,
                                      and a step has a higher number than the one before it */
    uint32_t step_count;
    struct cupel__argument_names argument_names;
    bool has_ids;    /* a subschema of inputSchema below the root has an $id or id */
    uint64_t offset; /* of the definition in the text that was added */
};

struct cupel_catalog {
    struct cupel_mcp_options options;
    struct cupel__mcp_pool pool;
    struct cupel__mcp_tool **tools;
    size_t count, capacity;
    struct cupel__mcp_names names; /* of tools, to their index */
    struct cupel__mcp_names ids;   /* of those with a namespace */
    struct cupel__mcp_names
        looks; /* skeletons of names (hidden.h), to the index of the first tool */
    struct cupel__mcp_names texts; /* of compiled schemas, to index * CUPEL__MCP_SCHEMAS + which */
    struct cupel_list_page page;   /* the last one that was added, without its node */
    bool has_page;
    uint64_t pattern_steps;      /* left of limits.catalog_pattern_steps */
    uint64_t fingerprint;        /* of all definitions, in order */
    struct cupel_catalog *older; /* on a shelf: the one replaced before */
};

/* A document for texts of a catalog's size.  CUPEL_OK or CUPEL_E_NO_MEMORY. */
enum cupel_status cupel__mcp_make_document(const struct cupel_catalog *catalog, uint32_t flags,
                                           struct cupel_document **ret);
/* Fills in an error, which may be NULL, and returns its status. */
enum cupel_status cupel__mcp_refuse(struct cupel_error *err, enum cupel_status status,
                                    const char *detail);

/* What an image of a catalog has in place of compiling a schema (catalog/image.c). */
struct cupel__mcp_stored {
    enum { CUPEL__STORED_NOTHING, CUPEL__STORED_PROGRAM, CUPEL__STORED_REFUSAL } kind;
    const void *image; /* of a program: `len` bytes, loaded with `flags` */
    size_t len;
    unsigned flags;
    struct {
        enum cupel_status status;
        uint64_t offset; /* within the definition */
        const char *pointer, *message;
    } refusal;
};

/* Adds the `count` tools of an array as cupel_catalog_add does, with what is stored for each of
 * their schemas: CUPEL__MCP_SCHEMAS for a tool.  CUPEL_E_BAD_IMAGE if that does not fit the
 * definitions. */
enum cupel_status cupel__mcp_add_stored(struct cupel_catalog *catalog, const char *text, size_t len,
                                        const struct cupel__mcp_stored *stored, uint32_t count,
                                        struct cupel_error *err);

/* Judging the definitions of one text.  Each is read again into a document of its own, so that what
 * an error costs (finding its line, say) depends on the tool's size and not on the catalog's, and
 * so that a duplicate key is found where it is. */
struct cupel__mcp_check {
    struct cupel_catalog *catalog;
    struct cupel_document *list;  /* the whole text */
    struct cupel_document *inner; /* one tool */
    struct cupel_document *doc;   /* the one that is being judged, of these two */
    uint64_t tool_offset;         /* of the tool in the text that was added, … */
    uint64_t tool_start;          /* … in the text of `doc`, … */
    const char *tool_span;        /* … and its bytes there */
    bool may_share;               /* options.previous was made with the same engine */
    struct cupel__mcp_walk walk;
    struct cupel__mcp_names names;         /* scratch: header fields */
    struct cupel__mcp_header *last_header; /* of the tool */
    struct cupel_text text;                /* scratch: messages */
    struct cupel__mcp_tool *tool;
    struct cupel_tool_problem problems[CUPEL__MCP_PROBLEMS];
    uint32_t count;
    bool no_memory;
    const struct cupel__mcp_stored *stored; /* for the schemas of the tool; NULL: compile them */
    uint32_t stored_tools;                  /* how many more tools have to come */
    struct cupel_error stored_error;        /* why what is stored cannot be used, or CUPEL_OK */
};

/* Records that a rule is broken.  `node` is the place, for the offset.  Returns false, for callers
 * that are predicates. */
bool cupel__mcp_problem(struct cupel__mcp_check *check, enum cupel__mcp_rule rule,
                        enum cupel_tool_part part, uint32_t node, const char *pointer,
                        const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The same for a rule of the record. */
#define CUPEL__TOOL_PROBLEM(check, rule, node, pointer, ...) \
    cupel__mcp_problem(check, CUPEL__RULE_##rule, CUPEL_PART_TOOL, node, pointer, __VA_ARGS__)

static inline uint32_t cupel__mcp_member(struct cupel__mcp_check *check, uint32_t node,
                                         const char *key)
{
    return cupel_json_member(check->doc, node, key, strlen(key));
}

static inline bool cupel__mcp_is(struct cupel__mcp_check *check, uint32_t node,
                                 enum cupel_json_type type)
{
    return cupel_json_type(check->doc, node) == type;
}

/* Whether the member is there and of another type than it has to be. */
static inline bool cupel__mcp_is_other(struct cupel__mcp_check *check, uint32_t node,
                                       enum cupel_json_type type)
{
    return node != CUPEL_NO_NODE && !cupel__mcp_is(check, node, type);
}

/* A name from the definition, made safe for a message; lives until the next use of check->text. */
const char *cupel__mcp_quote(struct cupel__mcp_check *check, const char *bytes, size_t len);

/* The severity of a rule, with the catalog's flags. */
enum cupel_severity cupel__mcp_severity(const struct cupel_catalog *catalog,
                                        enum cupel__mcp_rule rule);
enum cupel_severity cupel__mcp_rule_severity(enum cupel__mcp_rule rule); /* without flags */
const char *cupel__mcp_rule_id(enum cupel__mcp_rule rule);
/* The same without a catalog. */
enum cupel_severity cupel__mcp_rule_severity(enum cupel__mcp_rule rule);
/* What the catalog's target would not take (target.c). */
void cupel__mcp_check_target(struct cupel__mcp_check *check, uint32_t tool);

/* Reports text of the definition that hides something (catalog/hidden_text.c). */
void cupel__mcp_check_hidden(struct cupel__mcp_check *check, uint32_t tool);
/* Keeps the skeleton of the tool's name, to compare it with those of other tools. */
void cupel__mcp_keep_look(struct cupel__mcp_check *check);

/* Judges the definition at `node` and compiles its schemas.  NULL when out of memory. */
struct cupel__mcp_tool *cupel__mcp_tool_new(struct cupel__mcp_check *check, uint32_t node);
void cupel__mcp_tool_release(struct cupel__mcp_tool *tool);

/* The fields of a definition that is an object, apart from icons and schemas (record.c), and icons
 * (icons.c).  A definition that cannot be read otherwise still has its name looked at. */
void cupel__mcp_check_name(struct cupel__mcp_check *check, uint32_t tool);
void cupel__mcp_check_fields(struct cupel__mcp_check *check, uint32_t tool);
void cupel__mcp_check_icons(struct cupel__mcp_check *check, uint32_t tool);

/* Programs with a count of who holds them (schema.c). */
struct cupel__mcp_program *cupel__mcp_program_hold(struct cupel__mcp_program *program);
void cupel__mcp_program_drop(struct cupel__mcp_program *program);

/* The schemas of a definition (schema.c): compiles inputSchema and outputSchema. */
void cupel__mcp_check_schemas(struct cupel__mcp_check *check, uint32_t tool);

/* What a container is that the walk over subschemas has entered.  OUTSIDE: not reached from the
 * root through `properties` alone. */
enum cupel__mcp_place {
    CUPEL__MCP_ROOT,
    CUPEL__MCP_SCHEMA,
    CUPEL__MCP_SCHEMA_OUTSIDE,
    CUPEL__MCP_PROPERTIES,
    CUPEL__MCP_MAP_OUTSIDE,   /* names to schemas */
    CUPEL__MCP_PATTERNS,      /* patterns to schemas */
    CUPEL__MCP_ARRAY_OUTSIDE, /* schemas */
    CUPEL__MCP_NOTHING        /* that has to be entered */
};

/* The rules that hold in every subschema (subschemas.c), for a schema that is an object. */
void cupel__mcp_check_subschemas(struct cupel__mcp_check *check, enum cupel_tool_part part,
                                 uint32_t schema);
/* x-mcp-header as a keyword, at the walk's place (header.c): checks it and adds it to the tool. */
void cupel__mcp_check_header(struct cupel__mcp_check *check, const struct cupel__mcp_frame *frame);

/* Appends the key of a step in cupel__mcp_tool.steps. */
static inline void cupel__mcp_write_step(struct cupel_text *text, uint32_t from, const char *name,
                                         size_t len)
{
    char number[4] = {(char)from, (char)(from >> 8), (char)(from >> 16), (char)(from >> 24)};
    cupel_text_add(text, number, sizeof(number));
    cupel_text_add(text, name, len);
}

/* Makes the name of a header field what look-ups compare: in lower case, and with - for _, since
 * servers that get fields as variables see no difference. */
static inline void cupel__mcp_write_key(char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (name[i] >= 'A' && name[i] <= 'Z')
            name[i] = (char)(name[i] | 0x20);
        else if (name[i] == '_')
            name[i] = '-';
    }
}

/* Whether the definition has an outputSchema, sound or not. */
static inline bool cupel__mcp_has_output(const struct cupel__mcp_tool *tool)
{
    return tool->schemas[CUPEL__MCP_OUTPUT].bytes != NULL;
}

/* -- Answers (response.c) --------------------------------------------------------------------- */

/* Buffers for the text of an answer, grown once when they are made. */
struct cupel__mcp_answer {
    struct cupel_text lines, message;
};

bool cupel__mcp_answer_init(struct cupel__mcp_answer *answer, const struct cupel_alloc *alloc);
void cupel__mcp_answer_free(struct cupel__mcp_answer *answer);

/* The JSON-RPC messages; `id` is JSON text, NULL for null.  The first one writes all that comes
 * before the result or the error. */
void cupel__mcp_open_message(struct cupel_text *text, const char *id, size_t id_len);
void cupel__mcp_write_error(struct cupel_text *text, const char *id, size_t id_len, int code,
                            const char *message, size_t len);
void cupel__mcp_write_tool_error(struct cupel_text *text, const char *id, size_t id_len,
                                 enum cupel_mcp_profile profile, const char *message, size_t len);

#endif
