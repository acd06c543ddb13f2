/* target.c: the targets and their tables, and the members of a tool that are no schema. */
#include "mcp/vendor/target.h"

#include <string.h>

/* -- The table -------------------------------------------------------------------------------- */

#define TARGET(flag) CUPEL__TARGET_##flag
enum {
    CLOSED = CUPEL__TARGET_CLOSED,
    ITEMS = CUPEL__TARGET_ITEMS,
    BARE = CUPEL__TARGET_BARE,
    ROOT = CUPEL__TARGET_ROOT,
    LETTER = CUPEL__TARGET_LETTER,
    KNOWN = CUPEL__TARGET_KNOWN
};

static const struct target {
    const char *name;
    size_t longest;
    const char *extra;
    unsigned flags;
} targets[] = {
    [CUPEL_TARGET_NONE] = {"none", SIZE_MAX, "", 0},
#define T(id, name, longest, extra, flags) [CUPEL_TARGET_##id] = {name, longest, extra, flags},
#define K(name, shape, openai, strict, anthropic, gemini)
#define FORMATS(...)
#include "mcp/vendor/targets.def"
};

static const struct cupel__target_keyword keywords[] = {
#define T(id, name, longest, extra, flags)
#define K(name, shape, openai, strict, anthropic, gemini) \
    {name, TARGET(shape), {TARGET(openai), TARGET(strict), TARGET(anthropic), TARGET(gemini)}},
#define FORMATS(...)
#include "mcp/vendor/targets.def"
};

enum { MOST_FORMATS = 16 };

static const struct {
    enum cupel_target target;
    size_t count;
    const char *names[MOST_FORMATS];
} formats[] = {
#define T(id, name, longest, extra, flags)
#define K(name, shape, openai, strict, anthropic, gemini)
#define COUNT(...)       (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define FORMATS(id, ...) {CUPEL_TARGET_##id, COUNT(__VA_ARGS__), {__VA_ARGS__}},
#include "mcp/vendor/targets.def"
};

unsigned cupel__target_flags(enum cupel_target target)
{
    return targets[target].flags;
}

const struct cupel__target_keyword *cupel__target_keyword(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
        if (strlen(keywords[i].name) == len && memcmp(keywords[i].name, name, len) == 0)
            return &keywords[i];
    return NULL;
}

bool cupel__target_has_format(enum cupel_target target, const char *format, size_t len)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].target != target)
            continue;
        for (size_t j = 0; j < formats[i].count; j++)
            if (strlen(formats[i].names[j]) == len && memcmp(formats[i].names[j], format, len) == 0)
                return true;
    }
    return false;
}

int cupel_target_find(const char *name, enum cupel_target *ret)
{
    for (size_t i = 1; i < sizeof(targets) / sizeof(targets[0]); i++) {
        if (strcmp(targets[i].name, name) == 0) {
            *ret = (enum cupel_target)i;
            return 0;
        }
    }
    return -1;
}

const char *cupel_target_name(enum cupel_target target)
{
    return targets[target].name;
}

/* -- Names ------------------------------------------------------------------------------------ */

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Whether the target takes the name of a tool. */
static bool is_name(const struct target *target, const char *name, size_t len)
{
    if (len == 0 || len > target->longest)
        return false;
    if ((target->flags & LETTER) && !is_letter(name[0]))
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = name[i];
        if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '-' &&
            (c == '\0' || strchr(target->extra, c) == NULL))
            return false;
    }
    return true;
}

static void check_name(struct cupel__target_walk *walk, uint32_t tool)
{
    const struct target *target = &targets[walk->target];
    uint32_t node = cupel_json_member(walk->doc, tool, "name", 4);
    size_t len;
    const char *name = node != CUPEL_NO_NODE ? cupel_json_string(walk->doc, node, &len) : NULL;
    if (name == NULL || is_name(target, name, len))
        return;
    walk->part = CUPEL_PART_TOOL;
    cupel__target_tell(walk, CUPEL__RULE_TARGET_NAME, CUPEL__TARGET_LOST, node, "name",
                       "%s takes names of at most %zu of A-Z a-z 0-9 _ -%s%s%s", target->name,
                       target->longest, *target->extra != '\0' ? " " : "", target->extra,
                       target->flags & LETTER ? ", beginning with a letter" : "");
}

/* Keywords and members that a walk may pass, by the size of the schema.  References put in place
 * let it pass one more than once. */
enum { LEAST_WORK = 65536, WORK_PER_BYTE = 64 };

/* -- A tool ----------------------------------------------------------------------------------- */

static bool start(struct cupel__target_walk *walk, uint32_t schema,
                  const struct cupel_options *options)
{
    size_t len, limit = options->limits.schema_bytes;
    cupel_json_span(walk->doc, schema, &len);
    walk->start = cupel_json_offset(walk->doc, schema);
    walk->end = walk->start + len;
    walk->root = schema;
    walk->flags = targets[walk->target].flags;
    walk->most = limit < SIZE_MAX / 4 ? limit * 4 : SIZE_MAX;
    walk->work = LEAST_WORK + (uint64_t)len * WORK_PER_BYTE;
    walk->marks_bytes = len * CUPEL__TARGET_MARKS / 8 + 1;
    walk->marks = walk->alloc.realloc(walk->alloc.ctx, NULL, 0, walk->marks_bytes);
    if (walk->marks != NULL)
        memset(walk->marks, 0, walk->marks_bytes);
    else
        walk->status = CUPEL_E_NO_MEMORY;
    return walk->marks != NULL;
}

/* Writes the members of a tool, with what was made of its schema in that one's place. */
static void write_tool(struct cupel__target_walk *walk, uint32_t tool, struct cupel_text *text)
{
    size_t before = text->len;
    uint32_t key = cupel_json_first(walk->doc, tool);
    cupel_text_adds(text, "{");
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(walk->doc, tool, key + 1)) {
        size_t len;
        const char *span = cupel_json_span(walk->doc, key, &len);
        if (text->len != before + 1)
            cupel_text_adds(text, ",");
        cupel_text_add(text, span, len);
        cupel_text_adds(text, ":");
        span = cupel_json_span(walk->doc, key + 1, &len);
        if (key + 1 == walk->root)
            cupel_text_add(text, walk->out.bytes, walk->out.len);
        else
            cupel_text_add(text, span, len);
    }
    cupel_text_adds(text, "}");
    if (text->failed) {
        text->len = before;
        walk->status = CUPEL_E_NO_MEMORY;
    }
}

enum cupel_status cupel__target_go(struct cupel__target_walk *walk, uint32_t tool,
                                   const struct cupel_options *options, struct cupel_text *text)
{
    uint32_t schema = CUPEL_NO_NODE;
    if (cupel_json_type(walk->doc, tool) == CUPEL_JSON_OBJECT)
        schema = cupel_json_member(walk->doc, tool, "inputSchema", 11);
    if (schema == CUPEL_NO_NODE || cupel_json_type(walk->doc, schema) != CUPEL_JSON_OBJECT)
        return CUPEL_E_ARGUMENT;
    walk->alloc = cupel__mcp_alloc(&options->alloc);
    walk->writes = text != NULL;
    cupel__mcp_index_init(&walk->index, &walk->alloc);
    cupel_text_init(&walk->out, &walk->alloc);
    cupel_text_init(&walk->pointer, &walk->alloc);
    cupel_text_init(&walk->message, &walk->alloc);
    if (start(walk, schema, options)) {
        check_name(walk, tool);
        walk->part = CUPEL_PART_INPUT;
        cupel__target_schema(walk);
    }
    if (walk->status == CUPEL_OK && (walk->out.failed || walk->message.failed))
        walk->status = CUPEL_E_NO_MEMORY;
    if (walk->status == CUPEL_OK && text != NULL)
        write_tool(walk, tool, text);
    cupel__target_walk_free(walk);
    return walk->status;
}

/* -- For hosts -------------------------------------------------------------------------------- */

static enum cupel_status go(struct cupel_document *doc, uint32_t tool, enum cupel_target target,
                            const struct cupel_options *given, struct cupel_text *text,
                            cupel_on_target_problem *on_problem, void *ctx)
{
    struct cupel_options options;
    struct cupel__target_walk walk = {
        .doc = doc, .target = target, .on_problem = on_problem, .ctx = ctx};
    if (given != NULL)
        options = *given;
    else
        cupel_options_init(&options);
    return target != CUPEL_TARGET_NONE ? cupel__target_go(&walk, tool, &options, text)
                                       : CUPEL_E_ARGUMENT;
}

enum cupel_status cupel_target_check(struct cupel_document *doc, uint32_t tool,
                                     enum cupel_target target, const struct cupel_options *options,
                                     cupel_on_target_problem *on_problem, void *ctx)
{
    return go(doc, tool, target, options, NULL, on_problem, ctx);
}

enum cupel_status cupel_target_export(struct cupel_document *doc, uint32_t tool,
                                      enum cupel_target target, const struct cupel_options *options,
                                      struct cupel_text *text, cupel_on_target_problem *on_change,
                                      void *ctx)
{
    return go(doc, tool, target, options, text, on_change, ctx);
}

/* -- For catalogs ----------------------------------------------------------------------------- */

void cupel__mcp_check_target(struct cupel__mcp_check *check, uint32_t tool)
{
    const struct cupel_mcp_options *options = &check->catalog->options;
    struct cupel__target_walk walk = {.doc = check->doc, .target = options->target, .check = check};
    if (options->target != CUPEL_TARGET_NONE)
        check->no_memory |=
            cupel__target_go(&walk, tool, &options->engine, NULL) == CUPEL_E_NO_MEMORY;
}
