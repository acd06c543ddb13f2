/* core.c: validators: compiling schemas, judging inputs, writing their problems.
 *
 * A core has one input buffer, one output text, and a table of the objects that JavaScript keeps.
 * A handle is the index of an entry in the table with the number of times that the entry was used,
 * so a handle that was released is found to be none until the number comes round after 4,096 uses;
 * JavaScript never uses such a handle.
 *
 * The input is copied into the buffer before the library sees it, with the padding that lets the
 * library read it in place.  So nothing that JavaScript or another thread does to the original can
 * matter to a validation. */
#include "internal.h"

#include <cupel/debug.h>
#include <stdlib.h>
#include <string.h>

enum {
    PADDING = 64,         /* bytes behind an input, as CUPEL_INPUT_PADDED asks for */
    INDEX_BITS = 20,      /* of a handle: the index of its object, counted from 1 */
    LEAST_INPUT = 4096,   /* bytes of the input buffer, whatever the limits are */
    KEPT_INPUT = 1 << 20, /* a larger buffer is given back when a small input follows */
    MOST_OTHER = 64 << 20 /* bytes of an input that is no instance */
};

static const uint32_t MOST_OBJECTS = ((uint32_t)1 << INDEX_BITS) - 1;

/* -- Output ---------------------------------------------------------------------------------- */

void add_member(struct cupel_text *text, const char *name, const char *value, size_t len)
{
    cupel_text_addf(text, "\"%s\":", name);
    cupel_text_add_json(text, value, len);
}

void add_number(struct cupel_text *text, const char *name, uint64_t value)
{
    cupel_text_addf(text, "\"%s\":%llu", name, (unsigned long long)value);
}

static void add_error(struct cupel_text *text, const struct cupel_error *err)
{
    const char *name = cupel_status_name(err->status), *meaning = cupel_status_message(err->status);
    const char *detail = err->detail[0] != '\0' ? err->detail : meaning;
    cupel_text_adds(text, "{");
    add_member(text, "code", name, strlen(name));
    cupel_text_adds(text, ",");
    add_member(text, "message", detail, strlen(detail));
    cupel_text_adds(text, ",");
    add_member(text, "pointer", err->where, strlen(err->where));
    if (err->line != 0)
        cupel_text_addf(text, ",\"line\":%u,\"column\":%u,\"offset\":%llu", (unsigned)err->line,
                        (unsigned)err->column, (unsigned long long)err->offset);
    cupel_text_adds(text, "}");
}

void write_error(struct core *core, const struct cupel_error *err)
{
    cupel_text_clear(&core->output);
    add_error(&core->output, err);
}

void write_status(struct core *core, enum cupel_status status, const char *detail)
{
    struct cupel_error err = {.status = status};
    size_t len = strlen(detail);
    if (len >= sizeof err.detail)
        len = sizeof err.detail - 1;
    memcpy(err.detail, detail, len);
    write_error(core, &err);
}

const char *core_output(const struct core *core, size_t *ret_len)
{
    *ret_len = core->output.len;
    return core->output.len > 0 ? core->output.bytes : "";
}

/* -- Options --------------------------------------------------------------------------------- */

/* A switch of the library that an option sets. */
static const struct {
    const char *name;
    uint32_t when_true, when_false;
} switches[] = {
    {"formats", CUPEL_ASSERT_FORMAT, CUPEL_FORMAT_ANNOTATES},
    {"content", CUPEL_ASSERT_CONTENT, 0},
    {"defaults", CUPEL_ANNOTATIONS, 0},
    {"duplicateKeys", CUPEL_ALLOW_DUPLICATE_KEYS, 0},
    {"byteOrderMark", CUPEL_ALLOW_BOM, 0},
    {"strictPatterns", CUPEL_STRICT_REGEX, 0},
    {"backReferences", 0, CUPEL_NO_BACK_REFERENCES},
    {"idnOptional", CUPEL_IDN_OPTIONAL, 0},
};

static const struct {
    const char *name;
    enum cupel_dialect dialect;
} dialects[] = {{"draft-04", CUPEL_DRAFT_4},
                {"draft-06", CUPEL_DRAFT_6},
                {"draft-07", CUPEL_DRAFT_7},
                {"2019-09", CUPEL_2019_09},
                {"2020-12", CUPEL_2020_12}};

bool name_is(const char *z, const char *name, size_t len)
{
    return strlen(z) == len && memcmp(z, name, len) == 0;
}

static bool read_limits(struct cupel_document *doc, uint32_t node, struct cupel_options *options)
{
    if (cupel_json_type(doc, node) != CUPEL_JSON_OBJECT)
        return false;
    for (uint32_t key = cupel_json_first(doc, node); key != CUPEL_NO_NODE;
         key = cupel_json_next(doc, node, key + 1)) {
        size_t len;
        const char *name = cupel_json_string(doc, key, &len), *limit = NULL;
        int64_t value;
        unsigned i;
        for (i = 0; i < CUPEL_LIMITS; i++) {
            limit = cupel_limit_name((enum cupel_limit)i);
            if (limit != NULL && name_is(limit, name, len))
                break;
        }
        if (limit == NULL || i == CUPEL_LIMITS || cupel_json_integer(doc, key + 1, &value) != 0 ||
            value < 0)
            return false;
        options->limits[i] = (uint64_t)value;
    }
    return true;
}

static bool read_dialect(struct cupel_document *doc, uint32_t node, struct cupel_options *options)
{
    for (unsigned i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (cupel_json_is(doc, node, dialects[i].name)) {
            options->dialect = dialects[i].dialect;
            return true;
        }
    return false;
}

static bool read_switch(struct cupel_document *doc, uint32_t node, const char *name, size_t len,
                        struct cupel_options *options)
{
    int value = cupel_json_boolean(doc, node);
    for (unsigned i = 0; i < sizeof switches / sizeof *switches; i++)
        if (value >= 0 && name_is(switches[i].name, name, len)) {
            options->flags |= value ? switches[i].when_true : switches[i].when_false;
            return true;
        }
    return false;
}

static bool read_option(struct settings *s, uint32_t node, const char *name, size_t len,
                        read_more *more)
{
    if (name_is("limits", name, len))
        return read_limits(s->doc, node, &s->options);
    if (name_is("dialect", name, len))
        return read_dialect(s->doc, node, &s->options);
    if (name_is("schemas", name, len)) {
        s->schemas = node;
        return cupel_json_type(s->doc, node) == CUPEL_JSON_OBJECT;
    }
    return read_switch(s->doc, node, name, len, &s->options) ||
           (more != NULL && more(s, node, name, len));
}

/* The resolver: the documents that the option `schemas` has by URI. */
static int resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                   size_t *ret_len)
{
    const struct settings *s = ctx;
    uint32_t node = cupel_json_member(s->doc, s->schemas, uri, uri_len);
    if (node == CUPEL_NO_NODE)
        return -1;
    *ret_text = cupel_json_span(s->doc, node, ret_len);
    return 0;
}

static enum cupel_status read_text(const char *text, size_t len, struct cupel_document **ret,
                                   struct cupel_error *err)
{
    struct cupel_options options;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = MOST_OTHER;
    options.limits[CUPEL_LIMIT_DEPTH] = 2048;
    struct cupel_document *doc;
    enum cupel_status status = cupel_document_new(&options, &doc);
    if (status == CUPEL_OK) {
        status = cupel_document_read(doc, text, len, err);
        if (status == CUPEL_OK)
            *ret = doc;
        else
            cupel_document_free(doc);
    } else {
        err->status = status;
    }
    return status;
}

void settings_free(struct settings *settings)
{
    cupel_document_free(settings->doc);
}

/* Keeps the options for the next schema, whatever its text is. */
static void keep_settings(struct core *core, const char *text, size_t len,
                          const struct cupel_options *options)
{
    cupel_text_clear(&core->known_text);
    cupel_text_add(&core->known_text, text, len);
    if (core->known_text.failed)
        cupel_text_free(&core->known_text);
    core->known = *options;
}

static bool is_known(const struct core *core, const char *text, size_t len)
{
    return core->known_text.len == len && memcmp(core->known_text.bytes, text, len) == 0;
}

bool settings_read(struct core *core, const char *text, size_t len, read_more *more,
                   struct settings *ret)
{
    struct cupel_error err = {0};
    ret->doc = NULL;
    ret->schemas = CUPEL_NO_NODE;
    ret->options = core->profiles->options;
    if (len == 0)
        return true;
    if (more == NULL && is_known(core, text, len)) {
        ret->options = core->known;
        return true;
    }
    if (read_text(text, len, &ret->doc, &err) != CUPEL_OK) {
        write_error(core, &err);
        return false;
    }
    for (uint32_t key = cupel_json_first(ret->doc, 0); key != CUPEL_NO_NODE;
         key = cupel_json_next(ret->doc, 0, key + 1)) {
        size_t name_len;
        const char *name = cupel_json_string(ret->doc, key, &name_len);
        if (name == NULL || !read_option(ret, key + 1, name, name_len, more)) {
            cupel_text_clear(&core->part);
            cupel_text_adds(&core->part, "the option ");
            cupel_text_add_escaped(&core->part, name, name_len, 64, CUPEL_TEXT_QUOTED);
            cupel_text_adds(&core->part, " is not known, or has a value that it does not take");
            write_status(core, CUPEL_E_ARGUMENT, core->part.bytes);
            settings_free(ret);
            return false;
        }
    }
    if (ret->schemas != CUPEL_NO_NODE) {
        ret->options.resolver = resolve;
        ret->options.resolver_ctx = ret;
    } else if (more == NULL) {
        keep_settings(core, text, len, &ret->options);
    }
    return true;
}

/* -- Profiles -------------------------------------------------------------------------------- */

static void profile_free(struct profile *profile)
{
    cupel_scratch_free(profile->scratch);
    cupel_document_free(profile->doc);
#ifndef CORE_WITHOUT_MCP
    cupel_call_context_free(profile->context);
#endif
    free(profile);
}

/* The flags that apply to instances; the others are the compiler's. */
static const uint32_t INSTANCE_FLAGS =
    CUPEL_ALLOW_DUPLICATE_KEYS | CUPEL_ALLOW_BOM | CUPEL_INPUT_PADDED | CUPEL_IDN_OPTIONAL;

static bool same_settings(const struct cupel_options *a, const struct cupel_options *b)
{
    return ((a->flags ^ b->flags) & INSTANCE_FLAGS) == 0 &&
           memcmp(a->limits, b->limits, sizeof a->limits) == 0;
}

/* A profile's call context is made by the first catalog that uses it. */
static struct profile *profile_new(const struct cupel_options *options)
{
    struct profile *profile = calloc(1, sizeof *profile);
    if (profile == NULL)
        return NULL;
    profile->options = *options;
    profile->options.resolver = NULL;
    profile->options.resolver_ctx = NULL;
    if (cupel_scratch_new(&profile->options, &profile->scratch) != CUPEL_OK ||
        cupel_document_new(&profile->options, &profile->doc) != CUPEL_OK) {
        profile_free(profile);
        return NULL;
    }
    return profile;
}

/* Makes what runs under a profile anew, with other secret numbers.  False, with nothing changed, if
 * there is no memory. */
static bool profile_rekey(struct profile *profile, const uint64_t key[2])
{
    struct cupel_options options = profile->options;
    memcpy(options.hash_key, key, sizeof options.hash_key);
    struct profile *made = profile_new(&options);
    if (made == NULL)
        return false;
    struct profile old = *profile;
    *profile = *made;
    profile->users = old.users;
    profile->next = old.next;
    profile->context = old.context;
    old.context = NULL;
    *made = old;
    profile_free(made);
    return true;
}

int core_rekey(struct core *core, const uint64_t key[2])
{
    for (struct profile *p = core->profiles; p != NULL; p = p->next)
        if (!profile_rekey(p, key))
            return 0;
    memcpy(core->key, key, sizeof core->key);
    cupel_text_clear(&core->known_text);
    return 1;
}

struct profile *profile_get(struct core *core, const struct cupel_options *options)
{
    struct profile **end = &core->profiles;
    for (; *end != NULL; end = &(*end)->next)
        if (same_settings(&(*end)->options, options)) {
            (*end)->users++;
            return *end;
        }
    struct profile *profile = profile_new(options);
    if (profile != NULL) {
        profile->users = 1;
        *end = profile;
    }
    return profile;
}

void profile_put(struct core *core, struct profile *profile)
{
    if (--profile->users > 0)
        return;
    struct profile **link = &core->profiles;
    while (*link != profile)
        link = &(*link)->next;
    *link = profile->next;
    profile_free(profile);
}

/* -- Objects --------------------------------------------------------------------------------- */

struct object *object_find(const struct core *core, uint32_t handle, enum kind kind)
{
    uint32_t index = handle & MOST_OBJECTS;
    if (index == 0 || index > core->count)
        return NULL;
    struct object *object = &core->objects[index - 1];
    bool current = (object->uses << INDEX_BITS | index) == handle;
    return current && object->kind == kind ? object : NULL;
}

struct object *object_new(struct core *core, enum kind kind, uint32_t *ret_handle)
{
    if (core->first_free == 0) {
        if (core->count == core->capacity) {
            uint32_t capacity = core->capacity == 0 ? 64 : core->capacity * 2;
            struct object *objects = NULL;
            if (capacity <= MOST_OBJECTS)
                objects = realloc(core->objects, capacity * sizeof *objects);
            if (objects == NULL)
                return NULL;
            memset(objects + core->capacity, 0, (capacity - core->capacity) * sizeof *objects);
            core->objects = objects;
            core->capacity = capacity;
        }
        core->first_free = ++core->count;
    }
    uint32_t index = core->first_free;
    struct object *object = &core->objects[index - 1];
    core->first_free = object->next_free;
    *object = (struct object){.kind = kind, .uses = object->uses + 1};
    *ret_handle = object->uses << INDEX_BITS | index;
    return object;
}

static void object_free(struct core *core, struct object *object)
{
    cupel_program_free(object->program);
    free(object->schema);
#ifndef CORE_WITHOUT_MCP
    cupel_catalog_free(object->catalog);
#endif
    profile_put(core, object->profile);
    *object = (struct object){.uses = object->uses, .next_free = core->first_free};
    core->first_free = (uint32_t)(object - core->objects) + 1;
}

void core_release(struct core *core, uint32_t handle)
{
    struct object *object = object_find(core, handle, KIND_VALIDATOR);
    if (object == NULL)
        object = object_find(core, handle, KIND_CATALOG);
    if (object != NULL)
        object_free(core, object);
}

size_t core_size(const struct core *core, uint32_t handle)
{
    struct object *object = object_find(core, handle, KIND_VALIDATOR);
    if (object == NULL)
        object = object_find(core, handle, KIND_CATALOG);
    return object == NULL ? 0 : object->bytes;
}

/* -- Cores ----------------------------------------------------------------------------------- */

struct core *core_new(const uint64_t key[2], cupel_sha256 *sha256, void *ctx)
{
    struct core *core = calloc(1, sizeof *core);
    if (core == NULL)
        return NULL;
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags |= CUPEL_INPUT_PADDED | CUPEL_NO_JIT;
    memcpy(options.hash_key, key, sizeof options.hash_key);
    memcpy(core->key, key, sizeof core->key);
    core->sha256 = sha256;
    core->sha256_ctx = ctx;
    cupel_text_init(&core->output, NULL);
    cupel_text_init(&core->part, NULL);
    cupel_text_init(&core->known_text, NULL);
    if (profile_get(core, &options) == NULL) {
        free(core);
        return NULL;
    }
    return core;
}

void core_free(struct core *core)
{
    for (uint32_t i = 0; i < core->count; i++)
        if (core->objects[i].kind != KIND_FREE)
            object_free(core, &core->objects[i]);
    profile_put(core, core->profiles);
    cupel_text_free(&core->output);
    cupel_text_free(&core->part);
    cupel_text_free(&core->known_text);
    free(core->objects);
    free(core->input);
    free(core);
}

const char *core_version(void)
{
    return cupel_version();
}

size_t core_memory(const struct core *core)
{
    size_t bytes = core->input_capacity + core->output.capacity + core->part.capacity;
    for (const struct profile *p = core->profiles; p != NULL; p = p->next)
        bytes += cupel_scratch_memory(p->scratch);
    return bytes;
}

static void refuse_input(struct core *core, enum cupel_status reason)
{
    core->outcome = (struct cupel_outcome){.reason = reason, .error.status = reason};
}

/* The most bytes that an input for the object may have. */
static uint64_t most_bytes(const struct core *core, uint32_t handle)
{
    const struct object *object = object_find(core, handle, KIND_VALIDATOR);
    return object == NULL ? MOST_OTHER : object->profile->options.limits[CUPEL_LIMIT_BODY_BYTES];
}

char *core_input(struct core *core, uint32_t handle, size_t len)
{
    if (len <= core->input_capacity && (core->input_capacity <= KEPT_INPUT || len > KEPT_INPUT / 4))
        return core->input;
    if (len > LEAST_INPUT && len > most_bytes(core, handle)) {
        refuse_input(core, CUPEL_E_JSON_SIZE);
        return NULL;
    }
    size_t capacity = len < LEAST_INPUT ? LEAST_INPUT : len + len / 4;
    free(core->input);
    core->input = calloc(capacity + PADDING, 1);
    core->input_capacity = core->input != NULL ? capacity : 0;
    if (core->input == NULL)
        refuse_input(core, CUPEL_E_NO_MEMORY);
    return core->input;
}

size_t core_input_capacity(const struct core *core)
{
    return core->input_capacity;
}

/* -- Compiling ------------------------------------------------------------------------------- */

/* Makes a validator; `schema` is what its reports are compiled from, or NULL. */
static uint32_t keep_program(struct core *core, const struct cupel_options *options,
                             struct cupel_program *program, char *schema, size_t schema_len)
{
    uint32_t handle;
    struct cupel_program_info info;
    struct profile *profile = profile_get(core, options);
    struct object *object = profile == NULL ? NULL : object_new(core, KIND_VALIDATOR, &handle);
    if (object == NULL) {
        if (profile != NULL)
            profile_put(core, profile);
        cupel_program_free(program);
        free(schema);
        write_status(core, CUPEL_E_NO_MEMORY, "there is no memory for another validator");
        return CORE_NONE;
    }
    cupel_program_info(program, &info);
    object->program = program;
    object->profile = profile;
    object->schema = schema;
    object->schema_len = schema_len;
    object->flags = options->flags;
    object->dialect = options->dialect;
    object->bytes = sizeof *object + info.image_bytes + info.report_bytes + schema_len;
    return handle;
}

/* A copy of the schema in the input; NULL if there is no memory. */
static char *copy_schema(const struct core *core, size_t len)
{
    char *copy = malloc(len + 1);
    if (copy != NULL)
        memcpy(copy, core->input, len);
    return copy;
}

/* Compiles the program again, with its reports, if it has none yet.  False if that failed, for want
 * of memory or because both programs together exceed a limit. */
static bool have_report(struct object *object)
{
    struct cupel_program *program;
    if (object->schema == NULL)
        return true;
    struct cupel_options options = object->profile->options;
    options.flags = object->flags;
    options.dialect = object->dialect;
    if (cupel_compile(object->schema, object->schema_len, &options, &program, NULL) != CUPEL_OK)
        return false;
    cupel_program_free(object->program);
    free(object->schema);
    object->program = program;
    object->schema = NULL;
    return true;
}

uint32_t core_compile(struct core *core, size_t schema_len, size_t options_len)
{
    struct settings settings;
    struct cupel_error err = {0};
    struct cupel_program *program = NULL;
    cupel_text_clear(&core->output);
    if (!settings_read(core, core->input + schema_len, options_len, NULL, &settings))
        return CORE_NONE;
    err.status = cupel_options_check(&settings.options, &err);
    /* Documents of the option `schemas` do not live as long as the validator. */
    char *schema = NULL;
    struct cupel_options options = settings.options;
    if (err.status == CUPEL_OK && options.resolver == NULL)
        schema = copy_schema(core, schema_len);
    if (schema != NULL)
        options.flags |= CUPEL_NO_REPORT;
    if (err.status == CUPEL_OK)
        err.status = cupel_compile(core->input, schema_len, &options, &program, &err);
    settings_free(&settings);
    if (err.status == CUPEL_OK)
        return keep_program(core, &settings.options, program, schema,
                            schema != NULL ? schema_len : 0);
    free(schema);
    write_error(core, &err);
    return CORE_NONE;
}

/* -- Judging --------------------------------------------------------------------------------- */

enum { NO_VALIDATOR = 3 };

int core_check(struct core *core, uint32_t validator, size_t len)
{
    const struct object *object = object_find(core, validator, KIND_VALIDATOR);
    if (object == NULL)
        return NO_VALIDATOR;
    return cupel_validate(object->program, object->profile->scratch, core->input, len,
                          &core->outcome);
}

static void add_reason(struct core *core)
{
    const struct cupel_outcome *outcome = &core->outcome;
    if (outcome->reason == CUPEL_OK) {
        cupel_text_adds(&core->output, "null");
        return;
    }
    struct cupel_error err = {.status = outcome->reason};
    if (outcome->error.status == outcome->reason)
        err = outcome->error;
    add_error(&core->output, &err);
}

void core_outcome(struct core *core)
{
    cupel_text_clear(&core->output);
    cupel_text_addf(&core->output,
                    "{\"steps\":%llu,\"reason\":", (unsigned long long)core->outcome.steps);
    add_reason(core);
    cupel_text_adds(&core->output, "}");
}

/* Appends a member with a text of a record. */
static void add_part(struct core *core, const struct profile *p, uint32_t record, const char *name,
                     enum cupel_record_text what)
{
    cupel_text_clear(&core->part);
    cupel_report_write(p->scratch, record, what, NULL, &core->part);
    cupel_text_adds(&core->output, ",");
    add_member(&core->output, name, core->part.bytes, core->part.len);
}

static void add_record(struct core *core, const struct profile *p, uint32_t i)
{
    struct cupel_record record;
    uint64_t offset;
    uint32_t line, column;
    size_t len;
    cupel_report_record(p->scratch, i, &record);
    cupel_json_place(p->doc, record.node, &offset, &line, &column);
    (void)cupel_json_span(p->doc, record.node, &len);
    cupel_text_addf(&core->output,
                    "{\"code\":\"%s\",\"line\":%u,\"column\":%u,\"offset\":%llu,\"length\":%zu",
                    cupel_problem_id(record.code), (unsigned)line, (unsigned)column,
                    (unsigned long long)offset, len);
    add_part(core, p, i, "keyword", CUPEL_RECORD_KEYWORD);
    add_part(core, p, i, "pointer", CUPEL_RECORD_INSTANCE);
    add_part(core, p, i, "schemaPointer", CUPEL_RECORD_SCHEMA);
    add_part(core, p, i, "message", CUPEL_RECORD_SENTENCE);
    cupel_text_adds(&core->output, "}");
}

/* The one problem of an invalid value whose problems could not be found. */
static void add_unreported(struct core *core)
{
    const char *meaning = cupel_problem_meaning(CUPEL_P_UNREPORTED);
    cupel_text_addf(&core->output,
                    ",\"errors\":[{\"code\":\"%s\",\"keyword\":\"\",\"pointer\":\"\","
                    "\"schemaPointer\":\"\",",
                    cupel_problem_id(CUPEL_P_UNREPORTED));
    add_member(&core->output, "message", meaning, strlen(meaning));
    cupel_text_adds(&core->output, "}]");
}

static void add_errors(struct core *core, const struct object *object)
{
    const struct profile *p = object->profile;
    cupel_text_adds(&core->output, ",\"errors\":[");
    if (cupel_report_run(object->program, p->scratch, p->doc, 0, CUPEL_REPORT_PROBLEMS, NULL) ==
        CUPEL_INVALID) {
        struct cupel_report_counts counts;
        cupel_report_count(p->scratch, &counts);
        for (uint32_t i = 0; i < counts.problems; i++) {
            cupel_text_adds(&core->output, i > 0 ? "," : "");
            add_record(core, p, cupel_report_problem(p->scratch, i));
        }
    }
    cupel_text_adds(&core->output, "]");
}

static void add_model_text(struct core *core, const struct object *object, const char *tool,
                           size_t tool_len, uint32_t details)
{
    const struct profile *p = object->profile;
    struct cupel_render_options options;
    cupel_render_options_init(&options);
    options.tool = tool_len > 0 ? tool : NULL;
    options.tool_len = tool_len;
    if ((details & CORE_RESULT) != 0)
        options.flags |= CUPEL_OUTPUT_RESULT;
    cupel_text_clear(&core->part);
    if (cupel_render(object->program, p->scratch, p->doc, 0, CUPEL_RENDER_MODEL, &options,
                     &core->part, NULL) != CUPEL_INVALID)
        cupel_text_clear(&core->part);
    cupel_text_adds(&core->output, ",");
    add_member(&core->output, "model", core->part.bytes, core->part.len);
}

static void add_repair(struct core *core, const struct object *object)
{
    const struct profile *p = object->profile;
    struct cupel_text *out = &core->output;
    struct cupel_text repaired;
    cupel_text_init(&repaired, NULL);
    cupel_text_clear(&core->part);
    enum cupel_repair_result result =
        cupel_repair(object->program, p->scratch, p->doc, 0, &core->part, &repaired, NULL);
    const char *name = cupel_repair_name(result);
    cupel_text_adds(out, ",\"repair\":{");
    add_member(out, "result", name, strlen(name));
    if (result == CUPEL_REPAIRED && !core->part.failed && !repaired.failed) {
        cupel_text_adds(out, ",\"patch\":");
        cupel_text_add(out, core->part.bytes, core->part.len);
        cupel_text_adds(out, ",");
        add_member(out, "text", repaired.bytes, repaired.len);
    }
    cupel_text_adds(out, "}");
    cupel_text_free(&repaired);
}

/* Reads the input into the profile's document and judges it. */
static int judge_document(struct core *core, const struct object *object, size_t len)
{
    const struct profile *p = object->profile;
    struct cupel_error err = {0};
    enum cupel_status status = cupel_document_read(p->doc, core->input, len, &err);
    if (status != CUPEL_OK) {
        core->outcome = (struct cupel_outcome){.reason = status, .error = err};
        return CUPEL_UNDECIDED;
    }
    core->outcome = (struct cupel_outcome){0};
    return cupel_validate_node(object->program, p->scratch, p->doc, 0, &core->outcome);
}

int core_validate(struct core *core, uint32_t validator, size_t len, size_t tool_len,
                  uint32_t details)
{
    struct object *object = object_find(core, validator, KIND_VALIDATOR);
    struct cupel_text *out = &core->output;
    cupel_text_clear(out);
    if (object == NULL)
        return NO_VALIDATOR;
    int verdict = judge_document(core, object, len);
    cupel_text_addf(out, "{\"verdict\":%d,\"steps\":%llu,\"reason\":", verdict,
                    (unsigned long long)core->outcome.steps);
    add_reason(core);
    if (verdict == CUPEL_INVALID && !have_report(object)) {
        add_unreported(core);
    } else if (verdict == CUPEL_INVALID) {
        if ((details & CORE_PROBLEMS) != 0)
            add_errors(core, object);
        if ((details & CORE_MODEL) != 0)
            add_model_text(core, object, core->input + len, tool_len, details);
        if ((details & CORE_REPAIR) != 0)
            add_repair(core, object);
    }
    cupel_text_adds(out, "}");
    return verdict;
}

#ifdef CORE_WITH_TRACE
/* -- For people who work on schemas ---------------------------------------------------------- */

void core_disassemble(struct core *core, uint32_t validator, int report)
{
    struct object *object = object_find(core, validator, KIND_VALIDATOR);
    cupel_text_clear(&core->output);
    if (object != NULL && (!report || have_report(object)))
        cupel_program_disasm(object->program, report, &core->output);
}

int core_trace(struct core *core, uint32_t validator, size_t len)
{
    struct object *object = object_find(core, validator, KIND_VALIDATOR);
    cupel_text_clear(&core->output);
    if (object == NULL)
        return NO_VALIDATOR;
    int verdict = judge_document(core, object, len);
    if (verdict != CUPEL_UNDECIDED && have_report(object))
        verdict = cupel_render(object->program, object->profile->scratch, object->profile->doc, 0,
                               CUPEL_RENDER_VERBOSE, NULL, &core->output, &core->outcome);
    return verdict;
}

#endif

/* -- Problems that the library reports by a callback ----------------------------------------- */

int add_problem(void *ctx, const struct cupel_problem *problem)
{
    struct problems *problems = ctx;
    struct cupel_text *text = problems->text;
    cupel_text_adds(text, problems->count++ > 0 ? ",{" : "{");
    add_member(text, "keyword", problem->keyword, strlen(problem->keyword));
    cupel_text_adds(text, ",");
    add_member(text, "pointer", problem->instance, strlen(problem->instance));
    cupel_text_adds(text, ",");
    add_member(text, "schemaPointer", problem->schema, strlen(problem->schema));
    cupel_text_adds(text, ",");
    add_member(text, "message", problem->message, strlen(problem->message));
    cupel_text_adds(text, "}");
    return 0;
}
