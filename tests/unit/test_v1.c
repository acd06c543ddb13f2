/* test_v1.c: the dialect v1, which is not released: what it refuses, and where it differs from
 * 2020-12.  The official suite has its tests of the rest. */
#include "test.h"
#include <cupel/cupel.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define V1(keywords) "{\"$schema\": \"https://json-schema.org/v1\", " keywords "}"

/* -- Schemas that are refused
 * ----------------------------------------------------------------------- */

static enum cupel_status compile(const char *schema, uint32_t flags, enum cupel_dialect dialect)
{
    struct cupel_program *program = NULL;
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags = flags;
    options.dialect = dialect;
    enum cupel_status status = cupel_compile(schema, strlen(schema), &options, &program, NULL);
    cupel_program_free(program);
    return status;
}

static void test_refused(void)
{
    static const struct {
        const char *schema;
        uint32_t flags;
        enum cupel_status want;
    } rows[] = {
        {V1("\"type\": \"string\""), 0, CUPEL_E_DIALECT},
        {V1("\"type\": \"string\""), CUPEL_EXPERIMENTAL, CUPEL_OK},
        {"{\"$schema\": \"https://json-schema.org/v1/2026\"}", CUPEL_EXPERIMENTAL, CUPEL_OK},
        {"{\"$schema\": \"https://json-schema.org/v2\"}", CUPEL_EXPERIMENTAL, CUPEL_E_DIALECT},
        {"{\"$defs\": {\"a\": {\"$id\": \"x:a\", \"$schema\": \"https://json-schema.org/v1\"}}}", 0,
         CUPEL_E_DIALECT},
        {V1("\"unknown\": 1"), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"unknown\": 1"), CUPEL_EXPERIMENTAL | CUPEL_UNKNOWN_KEYWORDS, CUPEL_OK},
        {V1("\"x-known\": 1, \"x-\": 2"), CUPEL_EXPERIMENTAL, CUPEL_OK},
        {V1("\"properties\": {\"unknown\": {\"unknown\": 1}}"), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"$defs\": {\"a\": {\"definitions\": {}}}"), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"propertyDependencies\": {\"a\": [{}]}"), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"propertyDependencies\": {\"a\": {\"b\": 1}}"), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"$vocabulary\": {}"), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"$recursiveRef\": \"#\""), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"format\": \"int32\""), CUPEL_EXPERIMENTAL, CUPEL_E_FORMAT},
        {V1("\"format\": \"int32\""), CUPEL_EXPERIMENTAL | CUPEL_FORMAT_ANNOTATES, CUPEL_OK},
        {V1("\"$id\": \"x:a#\""), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"$anchor\": \"\xc3\xa9t\xc3\xa9\", \"not\": {\"$ref\": \"#%C3%A9t%C3%A9\"}"),
         CUPEL_EXPERIMENTAL, CUPEL_E_REF_CYCLE},
        {V1("\"$anchor\": \"\xc2\xb7\""), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {V1("\"$anchor\": \"a\xc2\xb7\""), CUPEL_EXPERIMENTAL, CUPEL_OK},
        {V1("\"$anchor\": \"a:b\""), CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        {"{\"$anchor\": \"\xc3\xa9\"}", CUPEL_EXPERIMENTAL, CUPEL_E_SCHEMA},
        /* A dynamic anchor is none for `$ref`, so both may have one name. */
        {V1("\"$defs\": {\"a\": {\"$dynamicAnchor\": \"n\"}}, \"$ref\": \"#n\""),
         CUPEL_EXPERIMENTAL, CUPEL_E_UNRESOLVED_REF},
        {V1("\"$defs\": {\"a\": {\"$dynamicAnchor\": \"n\"}, \"b\": {\"$anchor\": \"n\"}}, "
            "\"$ref\": \"#n\""),
         CUPEL_EXPERIMENTAL, CUPEL_OK},
        {V1("\"items\": {\"$dynamicRef\": \"n\"}"), CUPEL_EXPERIMENTAL, CUPEL_E_UNRESOLVED_REF},
        {V1("\"items\": {\"$dynamicRef\": \"#/items\"}"), CUPEL_EXPERIMENTAL,
         CUPEL_E_UNRESOLVED_REF},
        /* The anchor is in a resource that is not on the way. */
        {V1("\"items\": {\"$dynamicRef\": \"n\"}, \"prefixItems\": [{\"$id\": \"x:a\", "
            "\"$dynamicAnchor\": \"n\"}]"),
         CUPEL_EXPERIMENTAL, CUPEL_E_UNRESOLVED_REF},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (!CHECK_INT(compile(rows[i].schema, rows[i].flags, CUPEL_DIALECT_DEFAULT), rows[i].want))
            fprintf(stderr, "    %s\n", rows[i].schema);
    CHECK_INT(compile("{}", 0, CUPEL_V1), CUPEL_E_DIALECT);
    CHECK_INT(compile("{}", CUPEL_EXPERIMENTAL, CUPEL_V1), CUPEL_OK);
    CHECK_INT(compile("{\"unknown\": 1}", CUPEL_EXPERIMENTAL, CUPEL_V1), CUPEL_E_SCHEMA);
}

/* -- What schemas mean
 * ------------------------------------------------------------------------------ */

static enum cupel_verdict run(const char *schema, const char *instance)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_options options;
    struct cupel_error err = {0};
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    cupel_options_init(&options);
    options.flags = CUPEL_EXPERIMENTAL;
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, &err), CUPEL_OK))
        fprintf(stderr, "    %s: %s at %s\n", schema, err.detail, err.where);
    if (program != NULL && CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK))
        verdict = cupel_validate(program, scratch, instance, strlen(instance), NULL);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return verdict;
}

/* A list whose items are what the outermost resource says they are. */
#define LIST                                                                                 \
    "\"$defs\": {\"item\": {\"$dynamicAnchor\": \"item\", \"type\": \"string\"}, \"list\": " \
    "{\"$id\": "                                                                             \
    "\"x:list\", \"items\": {\"$dynamicRef\": \"item\"}, \"$defs\": {\"any\": "              \
    "{\"$dynamicAnchor\": "                                                                  \
    "\"item\"}}}}"

static void test_meaning(void)
{
    static const struct {
        const char *schema, *valid, *invalid;
    } rows[] = {
        {V1("\"format\": \"date\""), "\"2024-02-29\"", "\"x\""},
        {V1("\"format\": \"time\""), "\"23:59:59Z\"", "\"23:59:60Z\""},
        {V1("\"format\": \"date-time\""), "\"2016-12-31T23:59:60Z\"", "\"2016-12-31\""},
        {V1("\"$ref\": \"x:list\", " LIST), "[\"a\"]", "[1]"},
        {V1("\"items\": {\"$dynamicRef\": \"#n\"}, \"$defs\": {\"a\": {\"$dynamicAnchor\": \"n\", "
            "\"type\": \"null\"}}"),
         "[null]", "[1]"},
        /* A proposal: what another member is, and that looking at it does not evaluate it. */
        {V1("\"propertyDependencies\": {\"kind\": {\"a\": {\"required\": [\"x\"]}, \"b\": false}}"),
         "{\"kind\": \"a\", \"x\": 1}", "{\"kind\": \"b\"}"},
        {V1("\"propertyDependencies\": {\"kind\": {\"a\": {\"required\": [\"x\"]}}}"),
         "{\"kind\": [\"a\"]}", "{\"kind\": \"a\"}"},
        {V1("\"propertyDependencies\": {\"kind\": {\"a\": {\"properties\": {\"x\": true, \"kind\": "
            "true}}, "
            "\"b\": {\"properties\": {\"x\": true}}}}, \"unevaluatedProperties\": false"),
         "{\"kind\": \"a\", \"x\": 1}", "{\"kind\": \"b\", \"x\": 1}"},
        /* The meta-schema, and one that extends it. */
        {"{\"$ref\": \"https://json-schema.org/v1\"}", "{\"type\": \"string\", \"x-a\": 1}",
         "{\"a\": 1}"},
        {"{\"$ref\": \"https://json-schema.org/v1/2026\"}", "{\"not\": {\"minLength\": 2}}",
         "{\"not\": {\"minLength\": -2}}"},
        {V1("\"$id\": \"x:meta\", \"$dynamicAnchor\": \"schema\", \"$ref\": "
            "\"https://json-schema.org/v1\", \"$defs\": {\"own\": {\"$dynamicAnchor\": "
            "\"extension\", "
            "\"properties\": {\"even\": {\"type\": \"boolean\"}}}}"),
         "{\"even\": true, \"items\": {\"even\": false}}", "{\"items\": {\"even\": 1}}"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!CHECK_INT(run(rows[i].schema, rows[i].valid), CUPEL_VALID) ||
            !CHECK_INT(run(rows[i].schema, rows[i].invalid), CUPEL_INVALID))
            fprintf(stderr, "    %s\n", rows[i].schema);
    }
}

int main(void)
{
    test_refused();
    test_meaning();
    return test_end();
}
