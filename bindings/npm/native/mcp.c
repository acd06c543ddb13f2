/* mcp.c: tools of the Model Context Protocol: catalogs, calls, results, digests, exports. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* -- Options --------------------------------------------------------------------------------- */

/* The version of the Model Context Protocol, such as "2025-06-18". */
static bool read_version(struct cupel_document *doc, uint32_t node,
                         struct cupel_catalog_options *mcp)
{
    static const struct {
        const char *name;
        enum cupel_mcp_profile profile;
    } versions[] = {{"2024-11-05", CUPEL_MCP_2024_11_05},
                    {"2025-03-26", CUPEL_MCP_2025_03_26},
                    {"2025-06-18", CUPEL_MCP_2025_06_18},
                    {"2025-11-25", CUPEL_MCP_2025_11_25},
                    {"2026-07-28", CUPEL_MCP_2026_07_28}};
    for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++)
        if (cupel_json_is(doc, node, versions[i].name)) {
            mcp->profile = versions[i].profile;
            return true;
        }
    return false;
}

static bool read_mcp_switch(struct cupel_document *doc, uint32_t node, const char *name, size_t len,
                            struct cupel_catalog_options *mcp)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } flags[] = {{"strictNames", CUPEL_CATALOG_STRICT_NAMES},
                 {"strictDialects", CUPEL_CATALOG_STRICT_DIALECTS},
                 {"strictText", CUPEL_CATALOG_STRICT_TEXT},
                 {"exactArguments", CUPEL_CATALOG_EXACT_ARGUMENTS}};
    int value = cupel_json_boolean(doc, node);
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (value >= 0 && name_is(flags[i].name, name, len)) {
            mcp->flags |= value ? flags[i].flag : 0;
            return true;
        }
    return false;
}

static bool read_mcp_option(struct settings *s, uint32_t node, const char *name, size_t len)
{
    if (name_is("protocolVersion", name, len))
        return read_version(s->doc, node, &s->mcp);
    return read_mcp_switch(s->doc, node, name, len, &s->mcp);
}

/* -- Catalogs -------------------------------------------------------------------------------- */

static void add_tool_problem(struct cupel_text *text, const struct cupel_rule_problem *problem)
{
    const char *severity = cupel_severity_name(problem->severity),
               *part = cupel_part_name(problem->part);
    cupel_text_adds(text, "{");
    add_member(text, "rule", problem->rule, strlen(problem->rule));
    cupel_text_adds(text, ",");
    add_member(text, "severity", severity, strlen(severity));
    cupel_text_adds(text, ",");
    add_member(text, "part", part, strlen(part));
    cupel_text_adds(text, ",");
    add_member(text, "pointer", problem->pointer, strlen(problem->pointer));
    cupel_text_adds(text, ",");
    add_member(text, "message", problem->message, strlen(problem->message));
    cupel_text_adds(text, ",");
    add_number(text, "offset", problem->offset);
    cupel_text_adds(text, "}");
}

static void add_tool(struct cupel_text *text, const struct cupel_tool *tool)
{
    const char *verdict = cupel_tool_verdict_name(tool->verdict);
    cupel_text_adds(text, "{");
    add_member(text, "name", tool->name, tool->name_len);
    cupel_text_adds(text, ",");
    add_member(text, "id", tool->id, tool->id_len);
    cupel_text_adds(text, ",");
    add_member(text, "label", tool->label, tool->label_len);
    cupel_text_adds(text, ",");
    add_member(text, "verdict", verdict, strlen(verdict));
    cupel_text_addf(text, ",\"input\":%s,\"output\":%s,\"hiddenText\":%s,\"problems\":[",
                    tool->input != NULL ? "true" : "false", tool->output != NULL ? "true" : "false",
                    tool->hidden_text ? "true" : "false");
    for (uint32_t i = 0; i < tool->problem_count; i++) {
        cupel_text_adds(text, i > 0 ? "," : "");
        add_tool_problem(text, &tool->problems[i]);
    }
    cupel_text_adds(text, "]}");
}

static size_t bytes_of(const struct cupel_catalog *catalog)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, i);
        bytes += sizeof *tool + tool->text_len + 2 * tool->image_bytes;
    }
    return bytes;
}

static enum cupel_status make_catalog(struct core *core, size_t list_len, struct settings *settings,
                                      struct cupel_catalog **ret, struct cupel_error *err)
{
    settings->mcp.engine = &settings->options;
    memcpy(settings->mcp.hash_key, core->key, sizeof core->key);
    settings->mcp.sha256 = core->sha256;
    settings->mcp.sha256_ctx = core->sha256_ctx;
    enum cupel_status status = cupel_catalog_new(&settings->mcp, ret);
    if (status != CUPEL_OK) {
        err->status = status;
        return status;
    }
    status = cupel_catalog_add(*ret, core->input, list_len, err);
    if (status != CUPEL_OK)
        cupel_catalog_free(*ret);
    return status;
}

uint32_t core_catalog(struct core *core, size_t list_len, size_t options_len)
{
    struct settings settings;
    struct cupel_error err = {0};
    struct cupel_catalog *catalog = NULL;
    uint32_t handle;
    cupel_text_clear(&core->output);
    cupel_catalog_options_init(&settings.mcp);
    if (!settings_read(core, core->input + list_len, options_len, read_mcp_option, &settings))
        return CORE_NONE;
    enum cupel_status status = make_catalog(core, list_len, &settings, &catalog, &err);
    settings_free(&settings);
    if (status != CUPEL_OK) {
        write_error(core, &err);
        return CORE_NONE;
    }
    struct profile *profile = profile_get(core, &settings.options);
    struct object *object = NULL;
    if (profile != NULL &&
        (profile->context != NULL ||
         cupel_call_context_new(&profile->options, &profile->context) == CUPEL_OK))
        object = object_new(core, KIND_CATALOG, &handle);
    if (object == NULL) {
        if (profile != NULL)
            profile_put(core, profile);
        cupel_catalog_free(catalog);
        write_status(core, CUPEL_E_NO_MEMORY, "there is no memory for another catalog");
        return CORE_NONE;
    }
    object->catalog = catalog;
    object->profile = profile;
    object->version = settings.mcp.profile;
    object->bytes = bytes_of(catalog);
    cupel_text_adds(&core->output, "[");
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        cupel_text_adds(&core->output, i > 0 ? "," : "");
        add_tool(&core->output, cupel_catalog_tool(catalog, i));
    }
    cupel_text_adds(&core->output, "]");
    return handle;
}

/* -- Calls ----------------------------------------------------------------------------------- */

/* Appends a member with a JSON text as its value, or null where there is none. */
static void add_json_member(struct cupel_text *text, const char *name, const char *json, size_t len)
{
    cupel_text_addf(text, ",\"%s\":", name);
    if (json == NULL || len == 0)
        cupel_text_adds(text, "null");
    else
        cupel_text_add(text, json, len);
}

struct calls {
    struct cupel_text *text;
    uint32_t count;
};

static int add_call(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                    const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    struct calls *calls = ctx;
    struct cupel_text *text = calls->text;
    const char *name = cupel_call_verdict_name(verdict);
    (void)message, (void)len;
    cupel_text_adds(text, calls->count++ > 0 ? ",{" : "{");
    add_member(text, "verdict", name, strlen(name));
    cupel_text_adds(text, ",");
    add_member(text, "reason", outcome->reason, strlen(outcome->reason));
    if (outcome->method != NULL) {
        cupel_text_adds(text, ",");
        add_member(text, "method", outcome->method, outcome->method_len);
    }
    if (outcome->tool != NULL) {
        cupel_text_adds(text, ",");
        add_member(text, "tool", outcome->tool, outcome->tool_len);
    }
    cupel_text_addf(text, ",\"problems\":%u,\"steps\":%llu", (unsigned)outcome->problems,
                    (unsigned long long)outcome->steps);
    add_json_member(text, "id", outcome->id, outcome->id_len);
    add_json_member(text, "answer", answer->bytes, answer->len);
    cupel_text_adds(text, "}");
    return 0;
}

int core_call(struct core *core, uint32_t catalog, size_t len)
{
    const struct object *object = object_find(core, catalog, KIND_CATALOG);
    struct cupel_text *out = &core->output;
    cupel_text_clear(out);
    if (object == NULL)
        return -1;
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.profile = object->version;
    struct calls calls = {.text = out};
    cupel_text_clear(&core->part);
    cupel_text_adds(out, "{\"messages\":[");
    enum cupel_call_verdict verdict =
        cupel_request_check(object->catalog, object->profile->context, core->input, len, &options,
                            &core->part, add_call, &calls);
    const char *name = cupel_call_verdict_name(verdict);
    cupel_text_adds(out, "],");
    add_member(out, "verdict", name, strlen(name));
    cupel_text_adds(out, "}");
    return verdict;
}

int core_list(struct core *core, uint32_t catalog, size_t len, uint32_t page)
{
    const struct object *object = object_find(core, catalog, KIND_CATALOG);
    cupel_text_clear(&core->output);
    if (object == NULL)
        return -1;
    return cupel_list_request_check(object->catalog, object->profile->context, core->input, len,
                                    page, &core->output, NULL);
}

/* -- Results --------------------------------------------------------------------------------- */

static int add_rule(void *ctx, const struct cupel_rule_problem *problem)
{
    struct problems *problems = ctx;
    struct cupel_text *text = problems->text;
    const char *severity = cupel_severity_name(problem->severity);
    cupel_text_adds(text, problems->count++ > 0 ? ",{" : "{");
    add_member(text, "rule", problem->rule, strlen(problem->rule));
    cupel_text_adds(text, ",");
    add_member(text, "severity", severity, strlen(severity));
    cupel_text_adds(text, ",");
    add_member(text, "pointer", problem->pointer, strlen(problem->pointer));
    cupel_text_adds(text, ",");
    add_member(text, "message", problem->message, strlen(problem->message));
    cupel_text_adds(text, "}");
    return 0;
}

int core_result(struct core *core, uint32_t catalog, size_t len, size_t tool_len)
{
    const struct object *object = object_find(core, catalog, KIND_CATALOG);
    struct cupel_text *out = &core->output;
    cupel_text_clear(out);
    const struct cupel_tool *tool =
        object == NULL ? NULL : cupel_catalog_find(object->catalog, core->input + len, tool_len);
    if (tool == NULL)
        return -1;
    struct cupel_result_outcome outcome;
    struct problems problems = {.text = out};
    struct cupel_result_listener listener = {add_rule, add_problem, &problems};
    cupel_text_clear(&core->part);
    cupel_text_adds(out, "{\"problems\":[");
    enum cupel_result_verdict verdict =
        cupel_result_check(tool, object->profile->context, core->input, len, object->version,
                           &core->part, &listener, &outcome);
    const char *name = cupel_result_verdict_name(verdict);
    cupel_text_adds(out, "],");
    add_member(out, "verdict", name, strlen(name));
    cupel_text_adds(out, ",");
    add_member(out, "reason", outcome.reason, strlen(outcome.reason));
    cupel_text_addf(out, ",\"isError\":%s", outcome.is_error ? "true" : "false");
    add_json_member(out, "answer", core->part.bytes,
                    verdict == CUPEL_RESULT_VALID ? 0 : core->part.len);
    cupel_text_adds(out, "}");
    return verdict;
}

/* -- Digests --------------------------------------------------------------------------------- */

static void add_digest(struct cupel_text *text, const char *name, const unsigned char *digest)
{
    cupel_text_addf(text, ",\"%s\":\"", name);
    for (int i = 0; i < CUPEL_DIGEST_BYTES; i++)
        cupel_text_addf(text, "%02x", digest[i]);
    cupel_text_adds(text, "\"");
}

static enum cupel_status add_pin(struct cupel_text *text, const struct cupel_catalog *catalog,
                                 const struct cupel_tool *tool)
{
    struct cupel_pin pin;
    enum cupel_status status = cupel_tool_pin(catalog, tool, &pin);
    if (status != CUPEL_OK)
        return status;
    cupel_text_adds(text, "{");
    add_member(text, "name", tool->name, tool->name_len);
    for (int part = 0; part < CUPEL_PIN_PARTS; part++)
        if ((pin.present >> part & 1) != 0)
            add_digest(text, cupel_pin_part_name((enum cupel_pin_part)part), pin.digests[part]);
    cupel_text_adds(text, "}");
    return CUPEL_OK;
}

int core_pins(struct core *core, uint32_t catalog)
{
    const struct object *object = object_find(core, catalog, KIND_CATALOG);
    cupel_text_clear(&core->output);
    if (object == NULL)
        return 0;
    cupel_text_adds(&core->output, "[");
    for (uint32_t i = 0; i < cupel_catalog_count(object->catalog); i++) {
        cupel_text_adds(&core->output, i > 0 ? "," : "");
        enum cupel_status status =
            add_pin(&core->output, object->catalog, cupel_catalog_tool(object->catalog, i));
        if (status != CUPEL_OK) {
            write_status(core, status, "there is no SHA-256, or it failed");
            return 0;
        }
    }
    cupel_text_adds(&core->output, "]");
    return 1;
}

int core_lock(struct core *core, uint32_t catalog)
{
    const struct object *object = object_find(core, catalog, KIND_CATALOG);
    struct cupel_error err = {0};
    struct cupel_lock *lock;
    cupel_text_clear(&core->output);
    if (object == NULL)
        return 0;
    if (cupel_lock_new(object->catalog, &lock, &err) != CUPEL_OK) {
        write_error(core, &err);
        return 0;
    }
    cupel_lock_save(lock, &core->output);
    cupel_lock_free(lock);
    if (!core->output.failed)
        return 1;
    cupel_text_free(&core->output);
    write_status(core, CUPEL_E_UNSUPPORTED, "SHA-256 failed, or there is no memory");
    return 0;
}

static int add_change(void *ctx, const struct cupel_change *change)
{
    struct problems *changes = ctx;
    struct cupel_text *text = changes->text;
    const char *kind = cupel_change_kind_name(change->kind), *between = "";
    cupel_text_adds(text, changes->count++ > 0 ? ",{" : "{");
    add_member(text, "kind", kind, strlen(kind));
    cupel_text_adds(text, ",");
    add_member(text, "name", change->name, change->name_len);
    cupel_text_adds(text, ",\"parts\":[");
    for (int part = CUPEL_PIN_TEXT; part < CUPEL_PIN_PARTS; part++)
        if ((change->parts >> part & 1) != 0) {
            cupel_text_addf(text, "%s\"%s\"", between,
                            cupel_pin_part_name((enum cupel_pin_part)part));
            between = ",";
        }
    cupel_text_addf(text, "],\"orderOnly\":%s}", change->order_only ? "true" : "false");
    return 0;
}

int core_lock_diff(struct core *core, uint32_t catalog, size_t len)
{
    const struct object *object = object_find(core, catalog, KIND_CATALOG);
    struct cupel_error err = {0};
    struct cupel_lock *before = NULL, *after = NULL;
    cupel_text_clear(&core->output);
    if (object == NULL)
        return 0;
    int ok =
        cupel_catalog_lock_load(object->catalog, core->input, len, &before, &err) == CUPEL_OK &&
        cupel_lock_new(object->catalog, &after, &err) == CUPEL_OK;
    if (ok) {
        struct problems changes = {.text = &core->output};
        cupel_text_adds(&core->output, "[");
        (void)cupel_lock_diff(before, after, add_change, &changes);
        cupel_text_adds(&core->output, "]");
    } else {
        write_error(core, &err);
    }
    cupel_lock_free(before);
    cupel_lock_free(after);
    return ok;
}

/* -- Hidden text and targets ----------------------------------------------------------------- */

void core_hidden(struct core *core, size_t len, int name)
{
    struct cupel_hidden hidden;
    struct cupel_text *out = &core->output;
    cupel_text_clear(out);
    int found = cupel_hidden_find(core->input, len, name ? CUPEL_HIDDEN_IN_NAME : 0, &hidden);
    if (!found) {
        cupel_text_adds(out, "null");
        return;
    }
    const char *kind = cupel_hidden_name(hidden.kind);
    cupel_text_adds(out, "{");
    add_member(out, "kind", kind, strlen(kind));
    cupel_text_addf(out, ",\"codePoint\":%u,\"offset\":%llu}", (unsigned)hidden.code_point,
                    (unsigned long long)hidden.offset);
}

static int add_target_change(void *ctx, const struct cupel_rule_problem *problem)
{
    struct problems *changes = ctx;
    cupel_text_adds(changes->text, changes->count++ > 0 ? "," : "");
    add_tool_problem(changes->text, problem);
    return 0;
}

int core_export(struct core *core, size_t len, size_t target_len)
{
    struct profile *p = core->profiles;
    struct cupel_error err = {0};
    enum cupel_target target;
    struct cupel_text *out = &core->output;
    cupel_text_clear(out);
    if (cupel_target_find(core->input + len, target_len, &target) != CUPEL_OK) {
        write_status(core, CUPEL_E_ARGUMENT, "no such target");
        return 0;
    }
    enum cupel_status status = cupel_document_read(p->doc, core->input, len, &err);
    if (status != CUPEL_OK) {
        write_error(core, &err);
        return 0;
    }
    struct problems changes = {.text = out};
    cupel_text_clear(&core->part);
    cupel_text_adds(out, "{\"changes\":[");
    status = cupel_target_export(p->doc, 0, target, NULL, &core->part, add_target_change, &changes);
    if (status != CUPEL_OK) {
        write_status(
            core, status,
            "the definition or its inputSchema is no object, or references make it too large");
        return 0;
    }
    cupel_text_adds(out, "]");
    add_json_member(out, "tool", core->part.bytes, core->part.len);
    cupel_text_adds(out, "}");
    return 1;
}
