/* outputs.c: tests of the output formats of the specification.
 *
 * A test of the official suite may have `output` instead of `valid`: a schema for each format,
 * which refers to the published schema of all outputs.  With --outputs DIR, the folder of the
 * published schemas, the outputs of every test are validated against them. */
#include "cli/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* The formats, and the published schema of each. */
static const struct format {
    const char *name;
    enum cupel_rendering rendering;
    const char *file, *schema;
} formats[SUITE_OUTPUTS] = {
#define OF_2020 \
    "draft2020-12/output-schema.json", "https://json-schema.org/draft/2020-12/output/schema"
#define OF_V1 "v1/output-schema.json", "https://json-schema.org/v1/output/schema"
    {"flag", CUPEL_RENDER_FLAG, OF_2020},
    {"basic", CUPEL_RENDER_BASIC, OF_2020},
    {"detailed", CUPEL_RENDER_DETAILED, OF_2020},
    {"verbose", CUPEL_RENDER_VERBOSE, OF_2020},
    {"list", CUPEL_RENDER_LIST, OF_V1},
    {"hierarchical", CUPEL_RENDER_HIERARCHICAL, OF_V1},
};

/* The definition of a format in its published schema, where LIST is called basic. */
static const char *definition_of(const struct format *format)
{
    return strcmp(format->name, "list") == 0 ? "basic" : format->name;
}

/* -- The suite's own tests ----------------------------------------------------------------------
 */

/* Adds the schema for outputs, which lies beside the folder of the test file, to the references. */
static void add_output_schema(struct suite *suite)
{
    char *path = realpath(suite->path, NULL);
    for (int up = 0; path != NULL && up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    const char *folder = path != NULL ? strrchr(path, '/') : NULL;
    struct cupel_text definition;
    cupel_text_init(&definition, NULL);
    if (folder != NULL && strncmp(folder, "/draft", 6) == 0)
        cupel_text_addf(&definition, "https://json-schema.org/draft/%s", folder + 6);
    else
        cupel_text_adds(&definition, "https://json-schema.org/v1");
    cupel_text_addf(&definition, "/output/schema=%s/output-schema.json", path != NULL ? path : ".");
    cli_refs_add(&suite->settings->refs, definition.bytes);
    cupel_text_free(&definition);
    free(path);
}

/* Validates suite->output.  Returns the result in words. */
static const char *validate_output(struct suite *suite, const struct cupel_program *program)
{
    struct cupel_outcome outcome;
    enum cupel_verdict verdict =
        cupel_validate(program, suite->scratch, suite->output.bytes, suite->output.len, &outcome);
    if (verdict == CUPEL_UNDECIDED)
        return cupel_status_name(outcome.reason);
    return verdict == CUPEL_VALID ? "an output that fits" : "an output that does not fit";
}

/* Whether suite->output begins with the right result. */
static bool has_result(const struct suite *suite, enum cupel_verdict verdict)
{
    const char *start = verdict == CUPEL_VALID ? "{\"valid\":true" : "{\"valid\":false";
    return suite->output.len > strlen(start) &&
           memcmp(suite->output.bytes, start, strlen(start)) == 0;
}

/* Renders to suite->output; false if there is no output or its result is wrong. */
static bool render(struct suite *suite, const struct cupel_program *program, uint32_t data,
                   enum cupel_rendering rendering)
{
    struct cupel_render_options options;
    cupel_render_options_init(&options);
    options.bytes = SIZE_MAX;
    cupel_text_clear(&suite->output);
    enum cupel_verdict verdict = cupel_render(program, suite->scratch, suite->doc, data, rendering,
                                              &options, &suite->output, NULL);
    return verdict != CUPEL_UNDECIDED && has_result(suite, verdict);
}

static const char *run_format(struct suite *suite, const struct cupel_program *program,
                              uint32_t data, const struct format *format, uint32_t schema)
{
    struct cupel_program *expected;
    const char *got = "a refusal";
    if (!render(suite, program, data, format->rendering))
        return "no output";
    if (cupel_compile_node(suite->doc, schema, &suite->engine, &expected, NULL) != CUPEL_OK)
        return got;
    got = validate_output(suite, expected);
    cupel_program_free(expected);
    return got;
}

void suite_run_output(struct suite *suite, const struct cupel_program *program, const char *why,
                      uint32_t test)
{
    uint32_t data = cupel_json_member(suite->doc, test, "data", 4);
    uint32_t outputs = cupel_json_member(suite->doc, test, "output", 6);
    uint32_t key = cupel_json_first(suite->doc, outputs);
    add_output_schema(suite);
    for (; key != CUPEL_NO_NODE; key = cupel_json_next(suite->doc, outputs, key + 1)) {
        const char *got = program != NULL ? "an unknown format" : why;
        for (int i = 0; i < SUITE_OUTPUTS && program != NULL; i++)
            if (cupel_json_is(suite->doc, key, formats[i].name))
                got = run_format(suite, program, data, &formats[i], key + 1);
        suite_count(suite, "an output that fits", got);
    }
}

/* -- Every test ---------------------------------------------------------------------------------
 */

/* Compiles for each format a schema that refers to its definition in the published one; the
 * references resolve to files of the folder. */
bool suite_load_outputs(struct suite *suite)
{
    const char *folder = suite->settings->outputs;
    struct cupel_options options = suite->settings->engine;
    options.flags |= CUPEL_EXPERIMENTAL | CUPEL_ASSERT_FORMAT;
    for (int i = 0; i < SUITE_OUTPUTS; i++) {
        struct cupel_text text;
        struct cupel_error err;
        cupel_text_init(&text, NULL);
        cupel_text_addf(&text, "%s=%s/%s", formats[i].schema, folder, formats[i].file);
        cli_refs_add(&suite->settings->refs, text.bytes);
        cupel_text_clear(&text);
        cupel_text_addf(&text, "{\"$ref\":\"%s#/$defs/%s\"}", formats[i].schema,
                        definition_of(&formats[i]));
        enum cupel_status status =
            cupel_compile(text.bytes, text.len, &options, &suite->outputs[i], &err);
        if (status != CUPEL_OK)
            cli_schema_error(folder, &err);
        cupel_text_free(&text);
        if (status != CUPEL_OK)
            return false;
    }
    return true;
}

const char *suite_check_outputs(struct suite *suite, const struct cupel_program *program,
                                uint32_t data)
{
    static const char *const names[SUITE_OUTPUTS] = {
        "a flag output that does not fit",     "a basic output that does not fit",
        "a detailed output that does not fit", "a verbose output that does not fit",
        "a list output that does not fit",     "a hierarchical output that does not fit"};
    for (int i = 0; i < SUITE_OUTPUTS; i++) {
        if (!render(suite, program, data, formats[i].rendering))
            return "no output";
        if (strcmp(validate_output(suite, suite->outputs[i]), "an output that fits") != 0)
            return names[i];
    }
    return NULL;
}
