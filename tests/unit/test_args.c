/* test_args.c: the argument schema of 2025-10-09 through its public header: both shapes, messages
 * and their order, options, bounds, and what happens without memory.  tests/args holds it to a
 * model of the language. */
#include "test.h"
#include <cupel/cupel.h>

/* -- Helpers ---------------------------------------------------------------------------------- */

struct found {
    struct cupel_text text; /* "message @path" a line */
    int stop_after;
    int count;
};

static int on_problem(void *ctx, const struct cupel_argument_problem *problem)
{
    struct found *found = ctx;
    cupel_text_add(&found->text, problem->message, problem->message_len);
    cupel_text_addf(&found->text, " @%s\n", problem->path);
    return ++found->count == found->stop_after;
}

static struct cupel_argument_schema *args_of(const char *schema,
                                             const struct cupel_argument_schema_options *options)
{
    struct cupel_argument_schema *args = NULL;
    struct cupel_error err = {0};
    if (!CHECK_INT(cupel_argument_schema_new(schema, strlen(schema), options, &args, &err),
                   CUPEL_OK))
        fprintf(stderr, "    %s: %s\n", schema, err.detail);
    return args;
}

/* Checks arguments and leaves what is wrong in found->text. */
static enum cupel_verdict check(const struct cupel_argument_schema *args, const char *arguments,
                                struct found *found)
{
    struct cupel_document *doc = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_text room;
    struct cupel_outcome outcome;
    cupel_text_init(&room, NULL);
    cupel_text_clear(&found->text);
    found->count = 0;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, arguments, strlen(arguments), NULL), CUPEL_OK);
    enum cupel_verdict verdict =
        cupel_argument_schema_check(args, scratch, doc, 0, &room, on_problem, found, &outcome);
    CHECK_INT(outcome.reason, CUPEL_OK);
    CHECK_INT(cupel_argument_schema_check(args, scratch, doc, 0, NULL, NULL, NULL, NULL), verdict);
    cupel_document_free(doc);
    cupel_scratch_free(scratch);
    cupel_text_free(&room);
    cupel_text_add(&found->text, "", 0);
    return verdict;
}

/* -- Messages --------------------------------------------------------------------------------- */

static const struct message_case {
    const char *schema, *arguments, *problems;
} message_cases[] = {
    {"{\"a\":{\"type\":\"string\",\"minLength\":2,\"maxLength\":1}}", "{\"a\":\"\"}",
     "argument 'a' string length must be >= 2 @/a\n"},
    {"{\"a\":{\"minLength\":2,\"minimum\":2.50,\"enum\":[\"xy\"]}}", "{\"a\":1}",
     "argument 'a' value must be >= 2.5 @/a\nargument 'a' must be one of the enum values @/a\n"},
    {"{\"a\":{\"type\":\"boolean\",\"minimum\":5}}", "{\"a\":1}",
     "argument 'a' must be a boolean @/a\n"},
    {"{\"a\":{\"type\":\"float\",\"maximum\":1e-9}}", "{\"a\":1E3}",
     "argument 'a' value must be <= 1e-9 @/a\n"},
    {"{\"a\":{\"type\":\"number\",\"minimum\":100000000000000000000}}", "{\"a\":-0.0}",
     "argument 'a' value must be >= 100000000000000000000 @/a\n"},
    {"{\"a\":{\"type\":\"number\",\"minimum\":1e21}}", "{\"a\":\"x\"}",
     "argument 'a' must be a number @/a\n"},
    {"{\"a\":{\"minimum\":1000000000000000000000.0}}", "{\"a\":3}",
     "argument 'a' value must be >= 1e+21 @/a\n"},
    {"{\"a\":{\"minimum\":-0.000001,\"maximum\":-0.0000010}}", "{\"a\":1}",
     "argument 'a' value must be <= -0.000001 @/a\n"},
    /* Order is the schema's, whatever the arguments'. */
    {"{\"b\":{\"type\":\"string\",\"required\":true},\"a\":{\"type\":\"integer\"}}", "{\"a\":\"\"}",
     "missing required argument 'b' @/b\nargument 'a' must be an integer @/a\n"},
    {"{\"properties\":{\"b\":{},\"a\":{}},\"required\":[\"z\",\"a\",\"b\",\"z\"]}", "{}",
     "missing required argument 'b' @/b\nmissing required argument 'a' @/a\n"
     "missing required argument 'z' @/z\n"},
    /* Two sets of constraints; what they say in the same words is said once. */
    {"{\"a\":{\"isArray\":true,\"minLength\":1,\"enum\":[\"p\"],"
     "\"items\":{\"minLength\":2,\"enum\":[\"q\"]}}}",
     "{\"a\":[\"\"]}",
     "argument 'a[0]' string length must be >= 2 @/a/0\n"
     "argument 'a[0]' string length must be >= 1 @/a/0\n"
     "argument 'a[0]' must be one of the enum values @/a/0\n"},
    {"{\"a\":{\"type\":\"array\",\"minLength\":9,\"enum\":[\"p\"]}}", "{\"a\":[\"p\",\"q\"]}",
     "argument 'a[1]' must be one of the enum values @/a/1\n"},
    {"{\"a\":{\"enum\":[]}}", "{\"a\":1}", "argument 'a' must be one of the enum values @/a\n"},
    {"{\"a\":{\"enum\":[[1,{\"x\":2}],{\"y\":null}]}}", "{\"a\":{\"y\":null}}", ""},
    {"{\"a\":{\"enum\":[\"1.0\",\"-0\",\"01\",\"1e3\"]}}", "{\"a\":1}",
     "argument 'a' must be one of the enum values @/a\n"},
    {"{\"a\":{\"enum\":[\"1e+21\",\"null\"]}}", "{\"a\":1e21}", ""},
    {"{\"a\":{\"enum\":[\"1e+21\",\"null\"]}}", "{\"a\":null}", ""},
    {"{\"a\":{\"enum\":[\"1E+21\"]}}", "{\"a\":1e21}",
     "argument 'a' must be one of the enum values @/a\n"},
    {"{\"a\":{\"enum\":[9007199254740993]}}", "{\"a\":\"9007199254740992\"}",
     "argument 'a' must be one of the enum values @/a\n"},
    /* Names are what they are. */
    {"{\"a~b/c\":{\"type\":\"string\",\"isArray\":true}}", "{\"a~b/c\":[0]}",
     "argument 'a~b/c[0]' must be a string @/a~0b~1c/0\n"},
    {"{\"\":{\"type\":\"string\",\"required\":true}}", "{}", "missing required argument '' @/\n"},
    {"{}", "[1]", "arguments must be an object @\n"},
    {"null", "null", ""},
    {"{\"properties\":{\"a\":{}},\"required\":[\"a\"]}", "null",
     "missing required argument 'a' @/a\n"},
    /* Shapes. */
    {"{\"type\":\"object\",\"a\":{\"required\":true}}", "{}", ""},
    {"{\"$schema\":\"x\",\"a\":{\"required\":true}}", "{}", ""},
    {"{\"$schema\":{\"required\":true}}", "{}", "missing required argument '$schema' @/$schema\n"},
    {"{\"title\":\"t\",\"description\":{\"required\":true}}", "{}",
     "missing required argument 'description' @/description\n"},
    {"{\"properties\":{\"a\":1},\"b\":{\"required\":true}}", "{}",
     "missing required argument 'b' @/b\n"},
    {"{\"required\":[\"a\"],\"a\":{\"type\":\"string\"}}", "{}", ""},
};

static void test_messages(struct found *found)
{
    for (size_t i = 0; i < sizeof(message_cases) / sizeof(message_cases[0]); i++) {
        const struct message_case *c = &message_cases[i];
        struct cupel_argument_schema *args = args_of(c->schema, NULL);
        if (args == NULL)
            continue;
        enum cupel_verdict verdict = check(args, c->arguments, found);
        CHECK_INT(verdict, *c->problems != '\0' ? CUPEL_INVALID : CUPEL_VALID);
        if (!CHECK_STR(found->text.bytes, c->problems))
            fprintf(stderr, "    schema %s\n", c->schema);
        cupel_argument_schema_free(args);
    }
}

/* -- Refusals --------------------------------------------------------------------------------- */

static const struct refusal {
    const char *schema;
    enum cupel_status status;
    const char *detail;
    uint64_t offset;
} refusals[] = {
    {"7", CUPEL_E_SCHEMA, "schema must be an object", 0},
    {"\"x\"", CUPEL_E_SCHEMA, "schema must be an object", 0},
    {"{\"a\":{\"maxLength\":-1}}", CUPEL_E_SCHEMA,
     "schema field 'maxLength' of 'a' must be a non-negative integer", 18},
    {"{\"a\":{\"minLength\":1.5}}", CUPEL_E_SCHEMA,
     "schema field 'minLength' of 'a' must be a non-negative integer", 18},
    {"{\"a\":{\"maxLength\":1e-7}}", CUPEL_E_SCHEMA,
     "schema field 'maxLength' of 'a' must be a non-negative integer", 18},
    {"{\"a\":{\"maximum\":\"9\"}}", CUPEL_E_SCHEMA,
     "schema field 'maximum' of 'a' must be a number", 16},
    {"{\"a\":{\"type\":\"array\",\"items\":{\"minimum\":[]}}}", CUPEL_E_SCHEMA,
     "schema field 'minimum' of 'a' must be a number", 40},
    {"{\"a\":{\"enum\":{}}}", CUPEL_E_SCHEMA, "schema field 'enum' of 'a' must be an array", 13},
    {"{\"properties\":{},\"required\":\"a\"}", CUPEL_E_SCHEMA,
     "schema field 'required' must be an array of strings", 28},
    {"{\"properties\":{},\"required\":[1]}", CUPEL_E_SCHEMA,
     "schema field 'required' must be an array of strings", 29},
    {"{\"a\":{\"enum\":", CUPEL_E_SYNTAX, NULL, 13},
    {"{\"a\":{},\"a\":{}}", CUPEL_E_DUPLICATE_KEY, NULL, 8},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        const struct refusal *c = &refusals[i];
        struct cupel_argument_schema *args = NULL;
        struct cupel_error err = {0};
        CHECK_INT(cupel_argument_schema_new(c->schema, strlen(c->schema), NULL, &args, &err),
                  c->status);
        CHECK(args == NULL);
        CHECK_INT(err.status, c->status);
        CHECK_INT(err.offset, c->offset);
        if (c->detail != NULL)
            CHECK_STR(err.detail, c->detail);
    }
}

/* A long name with a control character is cut and made visible. */
static void test_long_name(void)
{
    char schema[1024];
    struct cupel_argument_schema *args = NULL;
    struct cupel_error err;
    int n = snprintf(schema, sizeof(schema), "{\"\\u0007%0400d\":{\"enum\":1}}", 0);
    CHECK_INT(cupel_argument_schema_new(schema, (size_t)n, NULL, &args, &err), CUPEL_E_SCHEMA);
    CHECK(strncmp(err.detail, "schema field 'enum' of '\\u0007000", 33) == 0);
    CHECK(strlen(err.detail) < sizeof(err.detail));
}

/* A message is cut between characters, wherever its room ends. */
static void test_cut_names(void)
{
    for (size_t before = 0; before < 3; before++) {
        struct cupel_text schema;
        struct cupel_argument_schema *args = NULL;
        struct cupel_error err;
        cupel_text_init(&schema, NULL);
        cupel_text_adds(&schema, "{\"");
        cupel_text_add(&schema, "xx", before);
        for (int i = 0; i < 100; i++)
            cupel_text_adds(&schema, "\xe4\xb8\x96");
        cupel_text_adds(&schema, "\":{\"enum\":1}}");
        CHECK_INT(cupel_argument_schema_new(schema.bytes, schema.len, NULL, &args, &err),
                  CUPEL_E_SCHEMA);
        size_t len = strlen(err.detail);
        CHECK(len < sizeof(err.detail) && len + 3 > sizeof(err.detail) - 3);
        CHECK(strcmp(err.detail + len - 6, "\xe4\xb8\x96\xe2\x80\xa6") == 0);
        cupel_text_free(&schema);
    }
}

static void test_limits(void)
{
    struct cupel_argument_schema_options options;
    struct cupel_options engine;
    struct cupel_argument_schema *args = NULL;
    cupel_argument_schema_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    engine.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 20;
    CHECK_INT(cupel_argument_schema_new("{\"a\":{\"minLength\":1}}", 21, &options, &args, NULL),
              CUPEL_E_SCHEMA_SIZE);
    /* The limit is for what is given, not for what is made of it. */
    engine.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 21;
    CHECK_INT(cupel_argument_schema_new("{\"a\":{\"minLength\":1}}", 21, &options, &args, NULL),
              CUPEL_OK);
    cupel_argument_schema_free(args);
    cupel_argument_schema_free(NULL);
}

/* -- Options ---------------------------------------------------------------------------------- */

static void test_flags(struct found *found)
{
    struct cupel_argument_schema_options options;
    cupel_argument_schema_options_init(&options);
    options.flags = CUPEL_ARGS_STRICT_INTEGER;
    struct cupel_argument_schema *args = args_of("{\"a\":{\"type\":\"integer\"}}", &options);
    CHECK_INT(check(args, "{\"a\":5.0}", found), CUPEL_VALID);
    CHECK_INT(check(args, "{\"a\":5.5}", found), CUPEL_INVALID);
    CHECK_STR(found->text.bytes, "argument 'a' must be an integer @/a\n");
    cupel_argument_schema_free(args);

    options.flags = CUPEL_ARGS_NULL_IS_ABSENT;
    args = args_of("{\"a\":{\"required\":true},\"b\":{\"enum\":[1]},\"c\":{},"
                   "\"d\":{\"type\":\"string\",\"isArray\":true,\"required\":true},"
                   "\"e\":{\"enum\":[null],\"required\":true}}",
                   &options);
    CHECK_INT(check(args, "{\"a\":0,\"b\":null,\"c\":null,\"d\":[],\"e\":null}", found),
              CUPEL_INVALID);
    CHECK_STR(found->text.bytes, "missing required argument 'e' @/e\n");
    CHECK_INT(check(args, "{\"a\":null,\"b\":1,\"d\":null,\"e\":\"null\"}", found), CUPEL_INVALID);
    CHECK_STR(found->text.bytes,
              "missing required argument 'a' @/a\nmissing required argument 'd' @/d\n");
    CHECK_INT(check(args, "{\"a\":[],\"d\":[\"\"],\"e\":\"null\"}", found), CUPEL_VALID);
    cupel_argument_schema_free(args);
}

static void test_stopping(struct found *found)
{
    struct cupel_argument_schema_options options;
    struct cupel_options engine;
    const char *schema = "{\"a\":{\"type\":\"string\",\"isArray\":true}}";
    cupel_argument_schema_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    engine.limits[CUPEL_LIMIT_ERRORS] = 3;
    struct cupel_argument_schema *args = args_of(schema, &options);
    CHECK_INT(check(args, "{\"a\":[1,2,3,4,5]}", found), CUPEL_INVALID);
    CHECK_INT(found->count, 3);
    found->stop_after = 1;
    CHECK_INT(check(args, "{\"a\":[1,2,3,4,5]}", found), CUPEL_INVALID);
    CHECK_INT(found->count, 1);
    found->stop_after = 0;
    cupel_argument_schema_free(args);
}

static void test_warnings(void)
{
    struct cupel_argument_schema *args = args_of("{\"schemaVersion\":\"2024-01-01\",\"a\":1,"
                                                 "\"b\":{\"items\":{}},\"c\":{\"isArray\":1},"
                                                 "\"d\":{\"type\":\"array\",\"items\":[]}}",
                                                 NULL);
    CHECK(strncmp(cupel_argument_schema_warning(args, 0), "'2024-01-01' is no schemaVersion", 32) ==
          0);
    CHECK_STR(cupel_argument_schema_warning(args, 1), "'a' is no object, so it is no argument");
    CHECK(strncmp(cupel_argument_schema_warning(args, 2), "'b' has items", 13) == 0);
    CHECK(strncmp(cupel_argument_schema_warning(args, 3), "'c' has an isArray", 18) == 0);
    CHECK(strncmp(cupel_argument_schema_warning(args, 4), "'d' has items that are no object", 32) ==
          0);
    CHECK(cupel_argument_schema_warning(args, 5) == NULL);
    cupel_argument_schema_free(args);
}

/* As many remarks as are kept, and one more. */
static void test_many_warnings(void)
{
    for (unsigned n = 31; n <= 33; n++) {
        struct cupel_text schema;
        cupel_text_init(&schema, NULL);
        for (unsigned i = 0; i < n; i++)
            cupel_text_addf(&schema, "%s\"w%u\":1", i == 0 ? "{" : ",", i);
        cupel_text_adds(&schema, "}");
        struct cupel_argument_schema *args = args_of(schema.bytes, NULL);
        unsigned kept = 0;
        while (cupel_argument_schema_warning(args, kept) != NULL)
            kept++;
        CHECK_INT(kept, n < 32 ? n : 32);
        CHECK(strncmp(cupel_argument_schema_warning(args, kept - 1), n == 31 ? "'w30'" : "'w31'",
                      5) == 0);
        cupel_argument_schema_free(args);
        cupel_text_free(&schema);
    }
}

/* -- Many ------------------------------------------------------------------------------------- */

/* More properties than fit into the small array, and one whose name holds NUL. */
static void test_many(struct found *found)
{
    struct cupel_text schema;
    cupel_text_init(&schema, NULL);
    cupel_text_adds(&schema, "{");
    for (int i = 0; i < 300; i++)
        cupel_text_addf(&schema, "\"p%d\":{\"type\":\"integer\"},", i);
    cupel_text_adds(&schema, "\"n\\u0000l\":{\"required\":true}}");
    struct cupel_argument_schema *args = args_of(schema.bytes, NULL);
    CHECK_INT(check(args, "{\"p299\":\"\",\"p7\":\"\"}", found), CUPEL_INVALID);
    CHECK_INT(found->count, 3);
    CHECK(strncmp(found->text.bytes, "argument 'p7' must", 18) == 0);
    CHECK_INT(check(args, "{\"p299\":1,\"n\\u0000l\":null}", found), CUPEL_VALID);
    cupel_argument_schema_free(args);
    cupel_text_free(&schema);
}

/* -- JSON Schema ------------------------------------------------------------------------------ */

/* The schema that is handed out gives the very program that judges. */
static void test_schema(void)
{
    struct cupel_argument_schema *args =
        args_of("{\"a\":{\"enum\":[1,\"x\",true]},\"b\":{\"isArray\":true,"
                "\"type\":\"float\",\"minimum\":0,\"required\":true}}",
                NULL);
    struct cupel_program *program = NULL;
    size_t len;
    const char *schema = cupel_argument_schema_json(args, &len);
    CHECK_STR(schema, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
                      "\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[1,\"1\",\"x\",true,"
                      "\"true\"]},\"b\":{\"type\":\"array\",\"items\":{\"type\":\"number\","
                      "\"minimum\":0}}},\"required\":[\"b\"]}");
    CHECK_INT(cupel_compile(schema, len, NULL, &program, NULL), CUPEL_OK);
    cupel_program_free(program);
    cupel_argument_schema_free(args);
}

/* -- Memory ----------------------------------------------------------------------------------- */

/* Every allocation fails once; the schema, the check and its messages come through or say so. */
static void test_memory(void)
{
    static const char schema[] =
        "{\"a\":{\"enum\":[1,\"x\"],\"required\":true},\"b\":{\"isArray\":true,\"type\":"
        "\"string\",\"minLength\":2,\"items\":{\"maxLength\":3}},\"c\":1}";
    static const char arguments[] = "{\"a\":3,\"b\":[\"\",0]}";
    for (unsigned long n = 1; n < 10000; n++) {
        struct test_alloc t = {.fail_at = n};
        struct cupel_alloc alloc = test_allocator(&t);
        struct cupel_argument_schema_options options;
        struct cupel_options engine;
        struct cupel_argument_schema *args = NULL;
        struct cupel_document *doc = NULL;
        struct cupel_scratch *scratch = NULL;
        struct cupel_text room;
        struct found found = {.count = 0};
        struct cupel_outcome outcome = {.reason = CUPEL_OK};
        cupel_argument_schema_options_init(&options);
        cupel_options_init(&engine);
        options.engine = &engine;
        engine.alloc = alloc;
        cupel_text_init(&room, &alloc);
        cupel_text_init(&found.text, NULL);
        enum cupel_verdict verdict = CUPEL_UNDECIDED;
        if (cupel_argument_schema_new(schema, sizeof(schema) - 1, &options, &args, NULL) ==
                CUPEL_OK &&
            cupel_document_new(&engine, &doc) == CUPEL_OK &&
            cupel_scratch_new(&engine, &scratch) == CUPEL_OK &&
            cupel_document_read(doc, arguments, sizeof(arguments) - 1, NULL) == CUPEL_OK)
            verdict = cupel_argument_schema_check(args, scratch, doc, 0, &room, on_problem, &found,
                                                  &outcome);
        CHECK(verdict != CUPEL_VALID);
        CHECK(verdict == CUPEL_UNDECIDED || found.count == 3 ||
              outcome.reason == CUPEL_E_NO_MEMORY);
        cupel_text_free(&room);
        cupel_text_free(&found.text);
        cupel_argument_schema_free(args);
        cupel_document_free(doc);
        cupel_scratch_free(scratch);
        CHECK_INT(t.live, 0);
        if (t.requests < n) {
            CHECK_INT(found.count, 3);
            return;
        }
    }
    CHECK_STR("the loop", "ended");
}

int main(void)
{
    struct found found = {.count = 0};
    cupel_text_init(&found.text, NULL);
    test_messages(&found);
    test_refusals();
    test_long_name();
    test_cut_names();
    test_limits();
    test_flags(&found);
    test_stopping(&found);
    test_warnings();
    test_many_warnings();
    test_many(&found);
    test_schema();
    test_memory();
    cupel_text_free(&found.text);
    return test_end();
}
