/* catalog.h: catalogs: the tools of one server of the Model Context Protocol, checked and compiled.
 *
 *     struct cupel_catalog *catalog;
 *     if (cupel_catalog_new(NULL, &catalog) != CUPEL_OK) ...
 *     // A tools/list result.
 *     if (cupel_catalog_add(catalog, list, list_len, &err) != CUPEL_OK) ...
 *     for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++)
 *         show(cupel_catalog_tool(catalog, i)->problems);
 *
 * Each tool is checked alone: a definition that is refused never hides its siblings.  The rules are
 * those of the specification's page "Tools" and of JSON Schema; docs/rules.md lists them.
 *
 * A catalog can be saved as an image and loaded without compiling, and replaced through a slot
 * while other threads use it.
 *
 * Threads: any number of threads may share a catalog to which nothing is added any more.  One
 * thread at a time publishes to a slot and collects it; each reader of a slot is one thread at a
 * time. */
#ifndef CUPEL_CATALOG_H
#define CUPEL_CATALOG_H

#include <cupel/program.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -- Options ---------------------------------------------------------------------------------- */

/* The released versions of the specification, in order, so that they can be compared with <. */
enum cupel_mcp_profile {
    CUPEL_MCP_2024_11_05 = 20241105,
    CUPEL_MCP_2025_03_26 = 20250326,
    CUPEL_MCP_2025_06_18 = 20250618,
    CUPEL_MCP_2025_11_25 = 20251125,
    CUPEL_MCP_2026_07_28 = 20260728
};

enum cupel_catalog_flag {
    CUPEL_CATALOG_STRICT_NAMES = 1 << 0, /* rules of names with SHOULD give errors, not warnings */
    CUPEL_CATALOG_STRICT_DIALECTS = 1 << 1, /* schemas are of 2020-12 or draft-07, or refused */
    CUPEL_CATALOG_STRICT_TEXT = 1 << 2,     /* hidden text (checks.h) is an error, not a warning */
    CUPEL_CATALOG_EXACT_ARGUMENTS = 1 << 3  /* in calls, the name of an undeclared argument must not
                                               fold to a name that is declared in that object */
};

/* The rules for the names of tools. */
enum cupel_name_rules {
    CUPEL_NAMES_SPEC = 0,    /* the page "Tools": 1 to 128 of A-Z a-z 0-9 _ . - */
    CUPEL_NAMES_SEP_986 = 1, /* the proposal behind it: 1 to 64, and / as well */
    CUPEL_NAMES_PORTABLE = 2 /* names that the APIs of models accept: 1 to 64 of A-Z a-z 0-9 _ - */
};

struct cupel_catalog;

/* Computes SHA-256 (FIPS 180-4) of `len` bytes, for a build without Nettle.  Returns 0 and writes
 * the 32 bytes of the digest, or non-zero if it could not: no pin and no lock is made then.  The
 * thread that makes a pin or lock, or that reads or saves one, calls it. */
typedef int cupel_sha256(void *ctx, const char *bytes, size_t len, unsigned char *ret_digest);

/* The vendors of models whose subsets of JSON Schema are known. */
enum cupel_target {
    CUPEL_TARGET_NONE = 0,
    CUPEL_TARGET_OPENAI = 1,
    CUPEL_TARGET_OPENAI_STRICT = 2, /* structured outputs */
    CUPEL_TARGET_ANTHROPIC = 3,
    CUPEL_TARGET_GEMINI = 4
};

/* Grows at its end; cupel_catalog_options_init fills it in.  Functions refuse it as they refuse
 * struct cupel_options: with CUPEL_E_ARGUMENT if it was not initialized, or if something is set in
 * it that this library does not know. */
struct cupel_catalog_options {
    size_t size; /* of this struct as the program was compiled with it */
    /* For compiling each schema; its allocator is the catalog's.  NULL: the defaults.  It may go
     * away when the function that takes it returns. */
    const struct cupel_options *engine;
    /* CUPEL_MCP_2026_07_28. */
    enum cupel_mcp_profile profile;
    /* Bits of enum cupel_catalog_flag. */
    uint32_t flags;
    /* CUPEL_NAMES_SPEC. */
    enum cupel_name_rules names;
    /* CUPEL_TARGET_NONE; otherwise definitions are checked for that target too (checks.h). */
    enum cupel_target target;
    /* 16 MiB; of one text given to cupel_catalog_add. */
    size_t catalog_bytes;
    /* 2,048; nesting of that text, generous so that a tool with a schema too deep is that tool's
     * problem. */
    uint32_t catalog_depth;
    /* 10,000; in one catalog. */
    uint32_t tools;
    /* Secret numbers for the look-up by name; 0, 0: those of `engine`, or random ones. */
    uint64_t hash_key[2];
    /* Returns nanoseconds since any fixed time, for compile_ns; NULL: compile_ns is 0. */
    uint64_t (*clock)(void *ctx);
    void *clock_ctx;
    /* NULL, or a catalog that outlives the adding: a schema with the same text and the same engine
     * options is not compiled again, and both catalogs share its program.  Not with a resolver. The
     * allocators of both must work until both are freed. */
    const struct cupel_catalog *previous;
    /* SHA-256 for pins and locks of this catalog; NULL: the library's own, if the build has one. */
    cupel_sha256 *sha256;
    void *sha256_ctx;
};

/* Fills in the defaults of a struct of `size` bytes, for programs that are not compiled with this
 * header. */
void cupel_catalog_options_init_sized(struct cupel_catalog_options *options, size_t size);

/* Fills in the defaults. */
static inline void cupel_catalog_options_init(struct cupel_catalog_options *options)
{
    cupel_catalog_options_init_sized(options, sizeof(*options));
}

/* -- Catalogs --------------------------------------------------------------------------------- */

enum cupel_tool_verdict { CUPEL_TOOL_OK = 0, CUPEL_TOOL_WARNING = 1, CUPEL_TOOL_INVALID = 2 };

enum cupel_severity {
    CUPEL_SEVERITY_INFO = 0,
    CUPEL_SEVERITY_WARNING = 1,
    CUPEL_SEVERITY_ERROR = 2
};

enum cupel_part {
    CUPEL_PART_TOOL = 0,
    CUPEL_PART_INPUT = 1,      /* the inputSchema of a definition */
    CUPEL_PART_OUTPUT = 2,     /* its outputSchema */
    CUPEL_PART_RESULT = 3,     /* a CallToolResult */
    CUPEL_PART_ELICITATION = 4 /* a requestedSchema */
};

/* A rule of docs/rules.md that a definition, a requestedSchema or a result breaks, or a change that
 * an export made.  Strings are NUL-terminated; names in them that come from a peer are quoted, with
 * control characters made visible, and cut at 64 bytes.  Pointers live as long as the catalog, or
 * until the callback returns. */
struct cupel_rule_problem {
    const char *rule; /* such as "root-type"; keeps its meaning for ever; static */
    enum cupel_severity severity;
    enum cupel_part part;
    const char *pointer;      /* JSON Pointer (RFC 6901) within the part */
    const char *message;      /* one sentence without a full stop */
    enum cupel_status status; /* why a schema did not compile, or CUPEL_OK */
    uint64_t offset; /* in bytes, in the text that was added or the document; 0 of results */
};

/* Called for each problem or change, which is valid until it returns; a non-zero return stops the
 * calls. */
typedef int cupel_on_rule_problem(void *ctx, const struct cupel_rule_problem *problem);

/* The behaviour that a tool declares (specification, ToolAnnotations), with the defaults of absent
 * hints.  These are claims of the server: no function of cupel decides by them.  `destructive` and
 * `idempotent` have no meaning if `read_only` is set. */
struct cupel_tool_hints {
    int read_only;   /* 0 */
    int destructive; /* 1 */
    int idempotent;  /* 0 */
    int open_world;  /* 1 */
};

/* execution.taskSupport, which profile 2025-11-25 alone has. */
enum cupel_task_support {
    CUPEL_TASK_FORBIDDEN = 0, /* also if the field is absent */
    CUPEL_TASK_OPTIONAL = 1,
    CUPEL_TASK_REQUIRED = 2
};

/* Tags in normal form: at most 20, each 1 to 64 bytes of a-z 0-9 - _ and ., none twice.  A tag of a
 * definition is lowered and trimmed, each run of white space (of Unicode) becomes a hyphen, other
 * bytes are dropped, and it is cut to 64 bytes. */
enum { CUPEL_TAGS = 20, CUPEL_TAG_BYTES = 64 };

struct cupel_tags {
    uint32_t count;
    struct cupel_tag {
        uint32_t len;
        char bytes[CUPEL_TAG_BYTES + 1]; /* followed by a NUL */
    } tags[CUPEL_TAGS];
};

/* A tool.  Lives as long as its catalog.  Texts may hold NUL and are followed by another one. */
struct cupel_tool {
    const char *name; /* "" if there is none */
    size_t name_len;
    enum cupel_tool_verdict verdict; /* warning: at least one; invalid: at least one error */
    const struct cupel_rule_problem
        *problems; /* in the order of the rules, hidden text first; at most 34 */
    uint32_t problem_count;
    const struct cupel_program *input;  /* of inputSchema; NULL if it was refused */
    const struct cupel_program *output; /* of outputSchema; NULL if absent or refused */
    size_t image_bytes;                 /* of both verdict programs */
    uint64_t compile_ns;                /* for both by options.clock; 0 without one */
    uint32_t shared;                    /* of the two programs, how many options.previous had */

    const char *text; /* the definition, byte for byte as it was added */
    size_t text_len;
    const char *label; /* the name to show to people: title, annotations.title or name */
    size_t label_len;
    /* What identifies the tool beyond its server: namespace:name:version, or namespace:name, or the
     * name alone without a namespace.  No part has a colon, so an ID has one reading.  Registries
     * of tools from many servers add `namespace`, `version` and `tags` to definitions. */
    const char *id;
    size_t id_len;
    const char *space; /* the namespace; "" if there is none */
    size_t space_len;
    const char *version; /* "" if there is none */
    size_t version_len;
    const struct cupel_tags *tags; /* in normal form; NULL if there are none */
    struct cupel_tool_hints hints;
    enum cupel_task_support task_support;
    int hidden_text; /* 1: the definition has hidden text (checks.h), or the name is confusable with
                        that of another tool of the catalog */
};

/* Makes an empty catalog, which the caller frees.  CUPEL_OK, CUPEL_E_ARGUMENT or
 * CUPEL_E_NO_MEMORY. */
enum cupel_status cupel_catalog_new(const struct cupel_catalog_options *options,
                                    struct cupel_catalog **ret);

/* Frees the catalog, its tools and their programs; no call may be using them. */
void cupel_catalog_free(struct cupel_catalog *catalog);

/* Adds the tools of a tools/list result: `{"tools": […]}`, a whole JSON-RPC response with such a
 * `result`, or the bare array.  The pages of one list are added one after the other.  The text may
 * go away afterwards.  A definition that breaks rules is added with its problems and is no failure.
 * CUPEL_OK; CUPEL_E_ARGUMENT if the text holds no list of tools or more than options.tools; a
 * status of the group "Reading JSON"; CUPEL_E_NO_MEMORY.  After a failure the catalog is as it
 * was. */
enum cupel_status cupel_catalog_add(struct cupel_catalog *catalog, const char *text, size_t len,
                                    struct cupel_error *err);

/* The number of tools, and the tool with an index in the order in which they were added; NULL for
 * an index beyond.  A tool lives as long as its catalog. */
uint32_t cupel_catalog_count(const struct cupel_catalog *catalog);
const struct cupel_tool *cupel_catalog_tool(const struct cupel_catalog *catalog, uint32_t index);

/* The first tool with this name, compared byte by byte; NULL if there is none.  Takes the same time
 * for any number of tools.  The tool lives as long as the catalog. */
const struct cupel_tool *cupel_catalog_find(const struct cupel_catalog *catalog, const char *name,
                                            size_t len);

/* The first tool with this ID; NULL if there is none.  The ID of a tool without a namespace is its
 * name.  The tool lives as long as the catalog. */
const struct cupel_tool *cupel_catalog_find_id(const struct cupel_catalog *catalog, const char *id,
                                               size_t len);

/* The requirement of the rule with this NUL-terminated id, in a sentence or two; NULL if there is
 * no such rule.  Static. */
const char *cupel_rule_meaning(const char *id);

/* "ok", "warning", "invalid"; "info", "warning", "error"; "tool", "inputSchema", "outputSchema",
 * "result", "requestedSchema"; "?" for another number.  Never NULL; static. */
const char *cupel_tool_verdict_name(enum cupel_tool_verdict verdict);
const char *cupel_severity_name(enum cupel_severity severity);
const char *cupel_part_name(enum cupel_part part);

/* -- Images of catalogs ----------------------------------------------------------------------- */

/* Keeps a program's image outside the catalog's.  `schema` is the text of the schema.  Returns 0
 * and sets *ret_ref to a number by which cupel_find_program finds the image again, or non-zero if
 * the image has to go into the catalog's. */
typedef int cupel_keep_program(void *ctx, const char *schema, size_t schema_len, const void *image,
                               size_t len, uint64_t *ret_ref);

/* Finds what cupel_keep_program kept: returns 0 and sets *ret_image (aligned to 8) and *ret_len, or
 * non-zero if there is none. */
typedef int cupel_find_program(void *ctx, uint64_t ref, const void **ret_image, size_t *ret_len);

/* Writes the image of a catalog to an empty text.  Without `keep` all programs go into it.  The
 * same catalog gives the same bytes if `keep` gives the same references.  CUPEL_OK;
 * CUPEL_E_ARGUMENT if `text` is not empty; CUPEL_E_NO_MEMORY, with `text` emptied. */
enum cupel_status cupel_catalog_save(const struct cupel_catalog *catalog, struct cupel_text *text,
                                     cupel_keep_program *keep, void *ctx);

/* Checks that an image is complete and was made with these options, and sets *ret_tools to the
 * number of tools.  CUPEL_OK; with the detail in *err CUPEL_E_BAD_IMAGE, CUPEL_E_IMAGE_VERSION if
 * another version of cupel or other options made it, or CUPEL_E_ARGUMENT. */
enum cupel_status cupel_catalog_image_check(const void *image, size_t len,
                                            const struct cupel_catalog_options *options,
                                            uint32_t *ret_tools, struct cupel_error *err);

/* Adds `count` tools of an image, from the `first` one on, to a catalog.  Call
 * cupel_catalog_image_check first: this function does not compute the checksum again.  All tools
 * added in one call or in several give the same catalog, apart from offsets of problems.
 *
 * CUPEL_LOAD_BORROW in `flags`: programs are not copied.  Then `image` is aligned to 8; it and the
 * programs that `find` returns must outlive this catalog and every catalog that shares programs
 * with it.  Without `find` the image must contain all programs.
 *
 * CUPEL_OK; CUPEL_E_BAD_IMAGE, also if `find` does not find a program; CUPEL_E_IMAGE_VERSION;
 * CUPEL_E_ARGUMENT if the image has fewer tools, the catalog would have more than its limit, or a
 * borrowed image is not aligned; another status of cupel_program_load or of reading JSON;
 * CUPEL_E_NO_MEMORY.  After a failure the catalog is as it was. */
enum cupel_status cupel_catalog_add_image(struct cupel_catalog *catalog, const void *image,
                                          size_t len, uint32_t first, uint32_t count,
                                          unsigned flags, cupel_find_program *find, void *ctx,
                                          struct cupel_error *err);

/* Makes a catalog of an image that contains all its programs: cupel_catalog_image_check, a new
 * catalog, and cupel_catalog_add_image for all tools, with the statuses of these.  The caller frees
 * the catalog. */
enum cupel_status cupel_catalog_load(const void *image, size_t len, unsigned flags,
                                     const struct cupel_catalog_options *options,
                                     struct cupel_catalog **ret, struct cupel_error *err);

/* The checksum of an image, 64 bits, which detects accidental damage.  It does not protect against
 * an attacker who chooses the bytes.  The same on every machine. */
uint64_t cupel_checksum(const void *bytes, size_t len);

/* -- Slots ------------------------------------------------------------------------------------ */

/* Holds catalogs or programs, whichever is published first. */
struct cupel_slot;

/* Makes a slot for readers numbered from 0 to `readers` - 1, each of which is one thread at a time.
 * The caller frees it.  CUPEL_OK, CUPEL_E_NO_MEMORY or CUPEL_E_ARGUMENT. */
enum cupel_status cupel_slot_new(uint32_t readers, const struct cupel_alloc *alloc,
                                 struct cupel_slot **ret);

/* Frees the slot and every object in it; no reader may be using one. */
void cupel_slot_free(struct cupel_slot *slot);

/* Replace the current object.  The slot owns the new one from then on, and nothing may be added to
 * a published catalog.  Frees older objects that no reader uses.  Never allocates.  CUPEL_OK;
 * CUPEL_E_ARGUMENT if an argument is NULL or the slot has objects of the other kind: then the
 * caller still owns the object. */
enum cupel_status cupel_slot_publish_catalog(struct cupel_slot *slot,
                                             struct cupel_catalog *catalog);
enum cupel_status cupel_slot_publish_program(struct cupel_slot *slot,
                                             struct cupel_program *program);

/* Frees older objects that no reader uses, without publishing another one.  Returns the number of
 * objects in the slot afterwards: the current one, and older ones in use. */
uint32_t cupel_slot_collect(struct cupel_slot *slot);

/* The current object, which lives until the reader releases it.  NULL if there is none, if it is of
 * the other kind, if there is no such reader, or if the reader has not released an earlier one.
 * Never blocks, never allocates. */
const struct cupel_catalog *cupel_slot_acquire_catalog(struct cupel_slot *slot, uint32_t reader);
const struct cupel_program *cupel_slot_acquire_program(struct cupel_slot *slot, uint32_t reader);

/* Ends the use of the object that this reader acquired; does nothing if there is none. */
void cupel_slot_release(struct cupel_slot *slot, uint32_t reader);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
