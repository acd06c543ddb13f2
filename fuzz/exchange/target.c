/* target.c: a list of tools, and a message about them, from strangers.
 *
 * The input is a tools/list result, a zero byte, and a message, with a choice of options behind
 * them (choice.h). The list is judged, sent on and pinned; the message is taken for a call, a
 * request for a list, a batch, and a result of the first tool.  What must hold whatever they are:
 * whatever is written is JSON, every tool is found by its name and its ID, and a lock that was
 * written and read is the same lock. */
#include "../target.h"
#include "../catalog_ways.h"
#include "../choice.h"
#include <cupel/cupel.h>
#include <string.h>

static void must_be_json(const struct cupel_text *text)
{
    struct cupel_options options;
    struct cupel_document *doc = NULL;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = SIZE_MAX / 2;
    options.limits[CUPEL_LIMIT_DEPTH] = 4096;
    options.flags = CUPEL_ALLOW_DUPLICATE_KEYS; /* in definitions, which are sent on as they are */
    if (text->len == 0 || text->failed || cupel_document_new(&options, &doc) != CUPEL_OK)
        return;
    require(cupel_document_read(doc, text->bytes, text->len, NULL) == CUPEL_OK);
    cupel_document_free(doc);
}

static void find_tools(const struct cupel_catalog *catalog)
{
    struct cupel_pin pin;
    for (uint32_t i = 0; i < cupel_catalog_count(catalog); i++) {
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, i), *found;
        found = cupel_catalog_find(catalog, tool->name, tool->name_len);
        require(tool->name_len == 0 || (found != NULL && found->name_len == tool->name_len &&
                                        memcmp(found->name, tool->name, tool->name_len) == 0));
        found = cupel_catalog_find_id(catalog, tool->id, tool->id_len);
        require(tool->id_len == 0 || (found != NULL && found->id_len == tool->id_len));
        enum cupel_status status = cupel_tool_pin(catalog, tool, &pin);
        require(status == CUPEL_E_UNSUPPORTED || (status == CUPEL_OK && (pin.present & 1) != 0));
        require(!tool->hidden_text || tool->problem_count != 0);
        for (uint32_t k = 0; k < tool->problem_count; k++)
            require(cupel_rule_meaning(tool->problems[k].rule) != NULL);
    }
    const struct cupel_list_page *page = cupel_catalog_last_page(catalog);
    require(page != NULL);
}

static void send_on(const struct cupel_catalog *catalog, struct cupel_text *text)
{
    struct cupel_lock *lock = NULL, *again = NULL;
    require(cupel_catalog_list_write(catalog, NULL, 0, 3, text) == CUPEL_OK);
    must_be_json(text);
    cupel_text_clear(text);
    if (cupel_lock_new(catalog, &lock, NULL) == CUPEL_OK) {
        cupel_lock_save(lock, text);
        require(cupel_lock_load(text->bytes, text->len, NULL, &again, NULL) == CUPEL_OK &&
                cupel_lock_diff(lock, again, NULL, NULL) == 0);
    }
    cupel_lock_free(lock);
    cupel_lock_free(again);
}

/* An image gives the same definitions again, and one that is changed, three bytes of `message` to a
 * change, is a status or a catalog of definitions that can be sent on. */
static void store(const struct cupel_catalog *catalog, const struct cupel_catalog_options *options,
                  const char *message, size_t len)
{
    struct cupel_catalog *again = NULL, *other = NULL;
    struct cupel_text image, a, b;
    uint32_t tools = cupel_catalog_count(catalog);
    cupel_text_init(&image, NULL);
    cupel_text_init(&a, NULL);
    cupel_text_init(&b, NULL);
    require(cupel_catalog_save(catalog, &image, NULL, NULL) == CUPEL_OK &&
            cupel_catalog_image_check(image.bytes, image.len, options, &tools, NULL) == CUPEL_OK &&
            tools == cupel_catalog_count(catalog) &&
            cupel_catalog_load(image.bytes, image.len, 0, options, &again, NULL) == CUPEL_OK &&
            cupel_catalog_list_write(catalog, NULL, 0, 0, &a) == CUPEL_OK &&
            cupel_catalog_list_write(again, NULL, 0, 0, &b) == CUPEL_OK);
    require(cupel_checksum(image.bytes, image.len) == cupel_checksum(image.bytes, image.len));
    require(a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0);
    for (size_t i = 0; i + 3 <= len; i += 3)
        image.bytes[((unsigned char)message[i] << 8 | (unsigned char)message[i + 1]) % image.len] =
            message[i + 2];
    if (cupel_catalog_new(options, &other) == CUPEL_OK &&
        cupel_catalog_add_image(other, image.bytes, image.len, 0, tools, 0, NULL, NULL, NULL) ==
            CUPEL_OK) {
        cupel_text_clear(&b);
        require(cupel_catalog_list_write(other, NULL, 0, 0, &b) == CUPEL_OK);
        must_be_json(&b);
    }
    cupel_catalog_free(again);
    cupel_catalog_free(other);
    cupel_text_free(&image);
    cupel_text_free(&a);
    cupel_text_free(&b);
}

static void judge_call(const struct cupel_catalog *catalog, struct cupel_call_context *caller,
                       const char *message, size_t len, struct cupel_text *answer)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    enum cupel_call_verdict verdict =
        cupel_call_check(catalog, caller, message, len, NULL, answer, NULL, NULL, NULL);
    must_be_json(answer);
    cupel_call_headers_write(caller, &text);
    require(verdict == CUPEL_CALL_VALID || text.len == 0);
    cupel_text_clear(&text);
    cupel_call_defaults_write(caller, &text);
    must_be_json(&text);
    cupel_text_free(&text);
}

/* A problem of arguments comes while the answer is written. */
static int look_at(void *ctx, const struct cupel_problem *problem)
{
    require(ctx != NULL && problem->message[0] != '\0');
    return 0;
}

static void judge(const struct cupel_catalog *catalog, struct cupel_call_context *caller,
                  const char *message, size_t len, struct cupel_text *answer)
{
    static const enum cupel_mcp_profile profiles[] = {CUPEL_MCP_2025_06_18, CUPEL_MCP_2026_07_28};
    struct cupel_document *doc = NULL;
    judge_call(catalog, caller, message, len, answer);
    enum cupel_call_verdict verdict =
        cupel_list_request_check(catalog, caller, message, len, 2, answer, NULL);
    must_be_json(answer);
    struct cupel_request_options options;
    cupel_request_options_init(&options);
    options.profile = CUPEL_MCP_2025_03_26;
    options.flags = CUPEL_REQUEST_CALLS;
    options.on_problem = look_at;
    options.problem_ctx = answer;
    verdict = cupel_request_check(catalog, caller, message, len, &options, answer, NULL, NULL);
    must_be_json(answer);
    for (int i = 0; i < 2 && cupel_catalog_count(catalog) != 0; i++) {
        enum cupel_result_verdict result = cupel_result_check(
            cupel_catalog_tool(catalog, 0), caller, message, len, profiles[i], answer, NULL, NULL);
        require((result == CUPEL_RESULT_VALID) == (answer->len == 0));
        must_be_json(answer);
    }
    if (cupel_catalog_count(catalog) != 0 && cupel_document_new(NULL, &doc) == CUPEL_OK &&
        cupel_document_read(doc, message, len, NULL) == CUPEL_OK) {
        enum cupel_result_verdict result =
            cupel_result_check_node(cupel_catalog_tool(catalog, 0), caller, doc, 0, "1", 1,
                                    CUPEL_MCP_2025_11_25, answer, NULL, NULL);
        require((result == CUPEL_RESULT_VALID) == (answer->len == 0));
        must_be_json(answer);
    }
    cupel_document_free(doc);
    (void)verdict;
}

/* One of them in four is small enough for an input to reach it. */
static void small_limits(struct cupel_catalog_options *options, struct cupel_options *engine,
                         uint32_t way)
{
    if (way % 4 == 1)
        options->catalog_bytes = 16 + way / 4 % 1024;
    if (way % 4 == 2)
        options->catalog_depth = 1 + way / 4 % 16;
    if (way % 4 == 3) {
        options->tools = 1 + way / 4 % 4;
        engine->limits[CUPEL_LIMIT_CATALOG_PATTERN_STEPS] = way / 16;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint64_t choice = choice_cut(data, &size);
    const char *list = (const char *)data, *zero = size != 0 ? memchr(list, '\0', size) : NULL;
    size_t len = zero != NULL ? (size_t)(zero - list) : size;
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_catalog *catalog = NULL;
    struct cupel_call_context *caller = NULL;
    struct cupel_text text;
    catalog_ways_set(&options, &engine, choice >> 16);
    small_limits(&options, &engine, (uint32_t)choice & 0xffff);
    cupel_text_init(&text, NULL);
    if (cupel_catalog_new(&options, &catalog) == CUPEL_OK &&
        cupel_call_context_new(NULL, &caller) == CUPEL_OK &&
        cupel_catalog_add(catalog, list, len, NULL) == CUPEL_OK) {
        find_tools(catalog);
        send_on(catalog, &text);
        store(catalog, &options, zero != NULL ? zero + 1 : list, zero != NULL ? size - len - 1 : 0);
        if (zero != NULL)
            judge(catalog, caller, zero + 1, size - len - 1, &text);
    }
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&text);
    return 0;
}
