/* image.c: a catalog as bytes: saving, checking, loading.  Loading reads the definitions again and
 * takes programs and refusals from the image instead of compiling (definition/schema.c), so a
 * loaded catalog equals a compiled one.
 *
 * Numbers are little-endian.
 *
 *     0    "CUPELCAT"
 *     8    u32 layout version, u32 number of tools
 *     16   u64 length of the image
 *     24   u64 digest of the options
 *     32   u64 checksum of everything else
 *     40   for each tool 48 bytes: u64 offset and u64 length of its text; then for inputSchema and
 *          outputSchema u32 kind, u32 length, u64 offset or reference
 *     …    texts; programs, each aligned to 8; refusals
 *
 * A refusal: u32 minus the status, u32 length of the pointer, u64 offset within the tool's text;
 * the pointer, NUL, the message, NUL.
 *
 * Nothing of an image is trusted: every offset is checked before use, and programs pass the
 * verifier. */
#include <cupel/catalog.h>
#include <cupel/program.h>
#include <string.h>

#include "mcp/catalog/catalog.h"
#include "mcp/catalog/checksum.h"
#include "mcp/definition/check.h"
#include "mcp/json/traversal.h"
#include "mcp/options/options.h"
#include "mcp/rules/rules.h"

enum { VERSION = 1, HEAD = 40, RECORD = 48, SCHEMA_AT = 16, SCHEMA_RECORD = 16, REFUSAL = 16 };
enum { AT_COUNT = 12, AT_LEN = 16, AT_OPTIONS = 24, AT_CHECKSUM = 32 };
/* How a schema is stored: it is absent, in the image, kept by the host, or was refused. */
enum kind { KIND_NONE, KIND_PROGRAM, KIND_OUTSIDE, KIND_REFUSED };
static const char magic[8] = {'C', 'U', 'P', 'E', 'L', 'C', 'A', 'T'};

/* -- Numbers ---------------------------------------------------------------------------------- */

static uint64_t get(const unsigned char *p, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << 8 * i;
    return value;
}

static void put(unsigned char *p, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        p[i] = (unsigned char)(value >> 8 * i);
}

/* -- Digests ---------------------------------------------------------------------------------- */

static uint64_t checksum_of(const unsigned char *image, size_t len)
{
    uint64_t head = cupel_checksum(image, AT_CHECKSUM);
    return cupel__mcp_mix(head, cupel_checksum(image + HEAD, len - HEAD));
}

/* Returns a digest of the options on which tools and programs depend. */
static uint64_t options_digest(const struct cupel_catalog_options *options)
{
    const struct cupel_options *engine = options->engine;
    const uint64_t *limits = engine->limits;
    const uint64_t words[] = {options->profile,    options->flags,  options->names, options->target,
                              engine->flags,       engine->dialect, engine->passes,
#define AFFECTS_PROGRAM(limit) limits[limit],
#define AFFECTS_CATALOG(limit) limits[limit],
#define AFFECTS_RUN(limit)
#define L(name, number, lower, value, most, affects, meaning) AFFECTS_##affects(CUPEL_LIMIT_##name)
#include <cupel/limits.def>
                              engine->format_count};
    uint64_t digest = VERSION;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        digest = cupel__mcp_mix(digest, words[i]);
    for (size_t i = 0; i < engine->format_count; i++)
        digest = cupel__mcp_mix(
            digest, cupel_checksum(engine->formats[i].name, strlen(engine->formats[i].name)));
    return digest;
}

/* -- Saving ----------------------------------------------------------------------------------- */

struct save {
    const struct cupel_catalog *catalog;
    struct cupel_text *text;
    cupel_keep_program *keep;
    void *ctx;
};

/* Returns the address of an offset of the image that is being written; NULL when out of memory. */
static unsigned char *address_of(const struct save *save, size_t at)
{
    return save->text->failed ? NULL : (unsigned char *)save->text->bytes + at;
}

static size_t record_at(size_t tool)
{
    return HEAD + tool * RECORD;
}

/* Writes the record of a schema. */
static void write_schema_record(const struct save *save, size_t at, enum kind kind, size_t len,
                                uint64_t value)
{
    unsigned char *p = address_of(save, at);
    if (p == NULL)
        return;
    put(p, 4, kind);
    put(p + 4, 4, len);
    put(p + 8, 8, value);
}

/* Appends zeros up to a multiple of 8. */
static void align(const struct save *save)
{
    static const char zeros[8] = {0};
    cupel_text_add(save->text, zeros, (8 - save->text->len % 8) % 8);
}

/* Stores a program in the image, unless the host keeps it. */
static void save_program(const struct save *save, size_t at, const struct cupel__mcp_tool *tool,
                         int which)
{
    size_t len;
    uint64_t ref;
    const struct cupel__mcp_slice *schema = &tool->schemas[which];
    const void *image = cupel_program_image(tool->programs[which]->program, &len);
    if (save->keep != NULL &&
        save->keep(save->ctx, schema->bytes, schema->len, image, len, &ref) == 0) {
        write_schema_record(save, at, KIND_OUTSIDE, len, ref);
        return;
    }
    align(save);
    write_schema_record(save, at, KIND_PROGRAM, len, save->text->len);
    cupel_text_add(save->text, image, len);
}

/* Returns the problem with which a schema was refused.  A tool with too many problems may lack it;
 * then the loaded tool lacks it too. */
static const struct cupel_rule_problem *refusal_of(const struct cupel__mcp_tool *tool, int which)
{
    static const struct cupel_rule_problem unknown = {
        .pointer = "", .message = "", .status = CUPEL_E_SCHEMA};
    enum cupel_part part = which == CUPEL__MCP_INPUT ? CUPEL_PART_INPUT : CUPEL_PART_OUTPUT;
    for (uint32_t i = 0; i < tool->view.problem_count; i++)
        if (tool->problems[i].part == part && tool->problems[i].status != CUPEL_OK)
            return &tool->problems[i];
    return &unknown;
}

static void save_refusal(const struct save *save, size_t at, const struct cupel__mcp_tool *tool,
                         int which)
{
    const struct cupel_rule_problem *problem = refusal_of(tool, which);
    size_t pointer = strlen(problem->pointer), message = strlen(problem->message);
    uint64_t offset = problem->offset > tool->offset ? problem->offset - tool->offset : 0;
    unsigned char head[REFUSAL];
    put(head, 4, (uint64_t)-problem->status);
    put(head + 4, 4, pointer);
    put(head + 8, 8, offset);
    write_schema_record(save, at, KIND_REFUSED, REFUSAL + pointer + message + 2, save->text->len);
    cupel_text_add(save->text, (const char *)head, sizeof(head));
    cupel_text_add(save->text, problem->pointer, pointer + 1);
    cupel_text_add(save->text, problem->message, message + 1);
}

static void save_schemas(const struct save *save, size_t index)
{
    const struct cupel__mcp_tool *tool = save->catalog->tools[index];
    for (int which = 0; which < CUPEL__MCP_SCHEMAS; which++) {
        size_t at = record_at(index) + SCHEMA_AT + (size_t)which * SCHEMA_RECORD;
        if (tool->programs[which] != NULL)
            save_program(save, at, tool, which);
        else if (tool->schemas[which].bytes != NULL)
            save_refusal(save, at, tool, which);
    }
}

static void save_text(const struct save *save, size_t index)
{
    const struct cupel_tool *tool = &save->catalog->tools[index]->view;
    unsigned char *p = address_of(save, record_at(index));
    if (p == NULL)
        return;
    put(p, 8, save->text->len);
    put(p + 8, 8, tool->text_len);
    cupel_text_add(save->text, tool->text, tool->text_len);
}

/* Writes the header. */
static void finish(const struct save *save)
{
    unsigned char *p = address_of(save, 0);
    if (p == NULL)
        return;
    memcpy(p, magic, sizeof(magic));
    put(p + 8, 4, VERSION);
    put(p + AT_COUNT, 4, save->catalog->count);
    put(p + AT_LEN, 8, save->text->len);
    put(p + AT_OPTIONS, 8, options_digest(&save->catalog->options));
    put(p + AT_CHECKSUM, 8, checksum_of(p, save->text->len));
}

enum cupel_status cupel_catalog_save(const struct cupel_catalog *catalog, struct cupel_text *text,
                                     cupel_keep_program *keep, void *ctx)
{
    if (catalog == NULL || text == NULL)
        return CUPEL_E_ARGUMENT;
    static const char zeros[RECORD] = {0};
    struct save save = {catalog, text, keep, ctx};
    if (text->len != 0)
        return CUPEL_E_ARGUMENT;
    cupel_text_add(text, zeros, HEAD);
    for (size_t i = 0; i < catalog->count; i++)
        cupel_text_add(text, zeros, RECORD);
    for (size_t i = 0; i < catalog->count; i++)
        save_text(&save, i);
    for (size_t i = 0; i < catalog->count; i++)
        save_schemas(&save, i);
    finish(&save);
    if (!text->failed)
        return CUPEL_OK;
    cupel_text_clear(text);
    return CUPEL_E_NO_MEMORY;
}

/* -- Loading ---------------------------------------------------------------------------------- */

static enum cupel_status bad(struct cupel_error *err, const char *detail)
{
    return cupel__mcp_refuse(err, CUPEL_E_BAD_IMAGE, detail);
}

/* Checks the header, and that all records are within the image. */
static enum cupel_status check_head(const unsigned char *image, size_t len,
                                    const struct cupel_catalog_options *options,
                                    struct cupel_error *err)
{
    if (len < HEAD || memcmp(image, magic, sizeof(magic)) != 0)
        return bad(err, "this is no image of a catalog");
    if (get(image + 8, 4) != VERSION)
        return cupel__mcp_refuse(err, CUPEL_E_IMAGE_VERSION, "another version of the layout");
    if (get(image + AT_LEN, 8) != len || (len - HEAD) / RECORD < get(image + AT_COUNT, 4))
        return bad(err, "the image of the catalog is not whole");
    if (get(image + AT_OPTIONS, 8) != options_digest(options))
        return cupel__mcp_refuse(err, CUPEL_E_IMAGE_VERSION,
                                 "the catalog was compiled with other options");
    return CUPEL_OK;
}

enum cupel_status cupel_catalog_image_check(const void *image, size_t len,
                                            const struct cupel_catalog_options *options,
                                            uint32_t *ret_tools, struct cupel_error *err)
{
    if (image == NULL || ret_tools == NULL)
        return cupel__mcp_refuse_null(err);
    const unsigned char *p = image;
    struct cupel_catalog_options copy;
    struct cupel_options engine;
    enum cupel_status status = cupel__mcp_options_copy(options, &copy, &engine, err);
    if (status == CUPEL_OK)
        status = check_head(p, len, &copy, err);
    if (status != CUPEL_OK)
        return status;
    if (get(p + AT_CHECKSUM, 8) != checksum_of(p, len))
        return bad(err, "the checksum of the catalog's image is wrong");
    *ret_tools = (uint32_t)get(p + AT_COUNT, 4);
    return CUPEL_OK;
}

/* An image that is being read. */
struct load {
    const unsigned char *image;
    size_t len;
    unsigned flags;
    cupel_find_program *find;
    void *ctx;
    struct cupel_text text;           /* the definitions, as a JSON array */
    struct cupel__mcp_stored *stored; /* two for each tool */
};

static bool within(const struct load *load, uint64_t at, uint64_t len)
{
    return at <= load->len && len <= load->len - at;
}

/* Reads a refusal of `len` bytes.  Its two texts must end with NUL within them. */
static bool read_refusal(const struct load *load, uint64_t at, size_t len,
                         struct cupel__mcp_stored *ret)
{
    if (!within(load, at, len) || len < REFUSAL + 2)
        return false;
    const unsigned char *p = load->image + at;
    if (p[len - 1] != '\0')
        return false;
    size_t pointer = (size_t)get(p + 4, 4);
    if (pointer > len - REFUSAL - 2 || p[REFUSAL + pointer] != '\0')
        return false;
    ret->kind = CUPEL__STORED_REFUSAL;
    ret->refusal.status = (enum cupel_status) - (int64_t)get(p, 4);
    ret->refusal.offset = get(p + 8, 8);
    ret->refusal.pointer = (const char *)p + REFUSAL;
    ret->refusal.message = (const char *)p + REFUSAL + pointer + 1;
    return true;
}

/* Asks the host for a program that it keeps. */
static bool find_outside(const struct load *load, uint64_t ref, struct cupel__mcp_stored *ret)
{
    size_t len = 0;
    ret->kind = CUPEL__STORED_PROGRAM;
    return load->find != NULL && load->find(load->ctx, ref, &ret->image, &len) == 0 &&
           len == ret->len;
}

/* Reads the record of a schema. */
static bool read_schema(const struct load *load, const unsigned char *record,
                        struct cupel__mcp_stored *ret)
{
    uint64_t at = get(record + 8, 8);
    *ret = (struct cupel__mcp_stored){.kind = CUPEL__STORED_NOTHING, .flags = load->flags};
    ret->len = (size_t)get(record + 4, 4);
    switch (get(record, 4)) {
    case KIND_NONE:
        return true;
    case KIND_PROGRAM:
        if (!within(load, at, ret->len))
            return false;
        ret->kind = CUPEL__STORED_PROGRAM;
        ret->image = load->image + at;
        return true;
    case KIND_OUTSIDE:
        return find_outside(load, at, ret);
    case KIND_REFUSED:
        return read_refusal(load, at, ret->len, ret);
    default:
        return false;
    }
}

/* Appends the definition of a tool to load->text and reads the records of its schemas. */
static bool read_tool(struct load *load, size_t index, struct cupel__mcp_stored *stored)
{
    const unsigned char *record = load->image + record_at(index);
    uint64_t at = get(record, 8), len = get(record + 8, 8);
    if (!within(load, at, len))
        return false;
    cupel__json_separate(&load->text);
    cupel_text_add(&load->text, (const char *)load->image + at, (size_t)len);
    return read_schema(load, record + SCHEMA_AT, &stored[CUPEL__MCP_INPUT]) &&
           read_schema(load, record + SCHEMA_AT + SCHEMA_RECORD, &stored[CUPEL__MCP_OUTPUT]);
}

/* Builds the array of definitions and adds it to the catalog. */
static enum cupel_status restore(struct load *load, struct cupel_catalog *catalog, uint32_t first,
                                 uint32_t count, struct cupel_error *err)
{
    cupel_text_adds(&load->text, "[");
    for (uint32_t i = 0; i < count; i++)
        if (!read_tool(load, (size_t)first + i, load->stored + (size_t)i * CUPEL__MCP_SCHEMAS))
            return bad(err, "a record of the catalog's image is wrong");
    cupel_text_adds(&load->text, "]");
    if (load->text.failed)
        return cupel__mcp_refuse(err, CUPEL_E_NO_MEMORY, "cannot load the catalog");
    return cupel__mcp_add_stored(catalog, load->text.bytes, load->text.len, load->stored, count,
                                 err);
}

enum cupel_status cupel_catalog_add_image(struct cupel_catalog *catalog, const void *image,
                                          size_t len, uint32_t first, uint32_t count,
                                          unsigned flags, cupel_find_program *find, void *ctx,
                                          struct cupel_error *err)
{
    if (catalog == NULL || image == NULL)
        return cupel__mcp_refuse_null(err);
    const struct cupel_alloc *alloc = &catalog->pool.alloc;
    struct load load = {.image = image, .len = len, .flags = flags, .find = find, .ctx = ctx};
    size_t size = (size_t)count * CUPEL__MCP_SCHEMAS * sizeof(*load.stored);
    enum cupel_status status = check_head(image, len, &catalog->options, err);
    if (status != CUPEL_OK)
        return status;
    if (first > get(load.image + AT_COUNT, 4) || count > get(load.image + AT_COUNT, 4) - first)
        return cupel__mcp_refuse(err, CUPEL_E_ARGUMENT, "the image has fewer tools");
    if (count == 0)
        return CUPEL_OK;
    cupel_text_init(&load.text, alloc);
    load.stored = alloc->realloc(alloc->ctx, NULL, 0, size);
    if (load.stored == NULL)
        return cupel__mcp_refuse(err, CUPEL_E_NO_MEMORY, "cannot load the catalog");
    status = restore(&load, catalog, first, count, err);
    alloc->realloc(alloc->ctx, load.stored, size, 0);
    cupel_text_free(&load.text);
    return status;
}

enum cupel_status cupel_catalog_load(const void *image, size_t len, unsigned flags,
                                     const struct cupel_catalog_options *options,
                                     struct cupel_catalog **ret, struct cupel_error *err)
{
    if (image == NULL || ret == NULL)
        return cupel__mcp_refuse_null(err);
    struct cupel_catalog *catalog = NULL;
    uint32_t tools = 0;
    enum cupel_status status = cupel_catalog_new(options, &catalog);
    if (status != CUPEL_OK)
        return cupel__mcp_refuse(err, status, cupel_status_message(status));
    status = cupel_catalog_image_check(image, len, &catalog->options, &tools, err);
    if (status == CUPEL_OK)
        status = cupel_catalog_add_image(catalog, image, len, 0, tools, flags, NULL, NULL, err);
    if (status == CUPEL_OK)
        *ret = catalog;
    else
        cupel_catalog_free(catalog);
    return status;
}
