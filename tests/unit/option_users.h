/* option_users.h: every function of the library that takes options, for tests of the options that
 * these functions accept and refuse. */
#ifndef CUPEL_TESTS_OPTION_USERS_H
#define CUPEL_TESTS_OPTION_USERS_H

#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <string.h>

static const char definition[] = "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}";

static struct cupel_document *doc, *tool;
static struct cupel_program *program;

/* -- Every function that takes options ------------------------------------------------------------
 */

static enum cupel_status use_compile(const struct cupel_options *options)
{
    struct cupel_program *made = NULL;
    enum cupel_status status = cupel_compile("true", 4, options, &made, NULL);
    cupel_program_free(made);
    return status;
}

static enum cupel_status use_compile_node(const struct cupel_options *options)
{
    struct cupel_program *made = NULL;
    enum cupel_status status = cupel_compile_node(doc, 0, options, &made, NULL);
    cupel_program_free(made);
    return status;
}

static enum cupel_status use_compile_dump(const struct cupel_options *options)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    enum cupel_status status = cupel_compile_dump("true", 4, "lower", options, &text, NULL);
    cupel_text_free(&text);
    return status;
}

static enum cupel_status use_load(const struct cupel_options *options)
{
    struct cupel_program *made = NULL;
    size_t len;
    const void *image = cupel_program_image(program, &len);
    enum cupel_status status = cupel_program_load(image, len, 0, options, &made, NULL);
    cupel_program_free(made);
    return status;
}

static enum cupel_status use_scratch(const struct cupel_options *options)
{
    struct cupel_scratch *made = NULL;
    enum cupel_status status = cupel_scratch_new(options, &made);
    cupel_scratch_free(made);
    return status;
}

static enum cupel_status use_document(const struct cupel_options *options)
{
    struct cupel_document *made = NULL;
    enum cupel_status status = cupel_document_new(options, &made);
    cupel_document_free(made);
    return status;
}

static enum cupel_status use_caller(const struct cupel_options *options)
{
    struct cupel_call_context *made = NULL;
    enum cupel_status status = cupel_call_context_new(options, &made);
    cupel_call_context_free(made);
    return status;
}

static enum cupel_status use_catalog(const struct cupel_options *engine)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *made = NULL;
    cupel_catalog_options_init(&options);
    options.engine = engine;
    enum cupel_status status = cupel_catalog_new(&options, &made);
    cupel_catalog_free(made);
    return status;
}

static enum cupel_status use_args(const struct cupel_options *engine)
{
    struct cupel_argument_schema_options options;
    struct cupel_argument_schema *made = NULL;
    cupel_argument_schema_options_init(&options);
    options.engine = engine;
    enum cupel_status status = cupel_argument_schema_new("{}", 2, &options, &made, NULL);
    cupel_argument_schema_free(made);
    return status;
}

static enum cupel_status use_target(const struct cupel_options *options)
{
    return cupel_target_check(tool, 0, CUPEL_TARGET_OPENAI, options, NULL, NULL);
}

static enum cupel_status use_elicitation(const struct cupel_options *options)
{
    enum cupel_status status;
    if (cupel_elicitation_check(doc, 0, CUPEL_MCP_2026_07_28, options, NULL, NULL, &status) ==
        CUPEL_TOOL_OK)
        CHECK_INT(status, CUPEL_OK);
    return status;
}

static enum cupel_status use_check(const struct cupel_options *options)
{
    struct cupel_error err = {.status = CUPEL_OK};
    enum cupel_status status = cupel_options_check(options, &err);
    CHECK((status == CUPEL_OK) == (err.detail[0] == '\0'));
    CHECK_INT(err.status, status);
    return status;
}

static enum cupel_status (*const uses[])(const struct cupel_options *) = {
    use_compile, use_compile_node, use_compile_dump, use_load,   use_scratch,     use_document,
    use_caller,  use_catalog,      use_args,         use_target, use_elicitation, use_check,
};

enum { USES = sizeof uses / sizeof *uses };

static void check_all(const struct cupel_options *options, enum cupel_status want)
{
    for (int i = 0; i < USES; i++)
        CHECK_INT(uses[i](options), want);
}

/* -- Other options --------------------------------------------------------------------------------
 */

static void check_catalog(const struct cupel_catalog_options *options, enum cupel_status want)
{
    static const struct cupel_declared_tool tools[] = {{"t", NULL, NULL, NULL, NULL, NULL, NULL}};
    struct cupel_catalog *made = NULL;
    uint32_t count;
    CHECK_INT(cupel_catalog_new(options, &made), want);
    cupel_catalog_free(made);
    made = NULL;
    CHECK_INT(cupel_declared_catalog_new(tools, 1, options, &made, NULL), want);
    cupel_catalog_free(made);
    made = NULL;
    if (want != CUPEL_OK) {
        CHECK_INT(cupel_catalog_load("", 0, 0, options, &made, NULL), want);
        CHECK_INT(cupel_catalog_image_check("", 0, options, &count, NULL), want);
        CHECK(made == NULL);
    }
}

static void check_args(const struct cupel_argument_schema_options *options, enum cupel_status want)
{
    struct cupel_argument_schema *made = NULL;
    CHECK_INT(cupel_argument_schema_new("{}", 2, options, &made, NULL), want);
    cupel_argument_schema_free(made);
}

static void check_request(const struct cupel_request_options *options, enum cupel_call_verdict want)
{
    static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    struct cupel_call_context *caller;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    CHECK_INT(cupel_request_check(NULL, caller, ping, strlen(ping), options, &answer, NULL, NULL),
              want);
    CHECK((answer.len != 0) == (want != CUPEL_CALL_VALID));
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
}

static void check_render(const struct cupel_render_options *options, int rendering, bool refused)
{
    static const struct cupel_error err = {.status = CUPEL_E_SYNTAX};
    struct cupel_scratch *scratch;
    struct cupel_text text;
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, "{}", 2, NULL), CUPEL_VALID);
    CHECK_INT(cupel_render(program, scratch, NULL, 0, (enum cupel_rendering)rendering, options,
                           &text, &outcome),
              refused ? CUPEL_UNDECIDED : CUPEL_VALID);
    CHECK_INT(outcome.reason, refused ? CUPEL_E_ARGUMENT : CUPEL_OK);
    cupel_text_clear(&text);
    cupel_render_status(CUPEL_RENDER_JUNIT, &err, options, &text);
    CHECK((text.len == 0) == (refused && options != NULL));
    cupel_scratch_free(scratch);
    cupel_text_free(&text);
}

static void open_users(void)
{
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, "{}", 2, NULL), CUPEL_OK);
    CHECK_INT(cupel_document_new(NULL, &tool), CUPEL_OK);
    CHECK_INT(cupel_document_read(tool, definition, strlen(definition), NULL), CUPEL_OK);
    CHECK_INT(cupel_compile("true", 4, NULL, &program, NULL), CUPEL_OK);
}

static void close_users(void)
{
    cupel_program_free(program);
    cupel_document_free(doc);
    cupel_document_free(tool);
}

#endif
