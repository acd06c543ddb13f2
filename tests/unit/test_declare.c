/* test_declare.c: tools declared in C: the definitions that are made of fields, what they accept,
 * and structs filled in from arguments.  Rows 0.11 and 0.12 of docs/sources.md are here. */
#include "test.h"
#include <cupel/cupel.h>

#define SEARCH_FIELDS(F)                                                \
    F(string, query, required, "the text to search for", "")            \
    F(integer, max_results, optional, "how many matches to return", "") \
    F(boolean, case_sensitive, optional, "match case exactly", "")
CUPEL_ARGUMENTS(search, SEARCH_FIELDS)

#define EVERY_FIELDS(F)                                       \
    F(string, a, optional, "", "\"minLength\":2")             \
    F(integer, b, optional, "say \"b\"", "")                  \
    F(number, c, optional, "", "\"minimum\":0,\"maximum\":9") \
    F(boolean, d, optional, "", "")                           \
    F(strings, e, optional, "", "\"maxItems\":2")             \
    F(integers, f, optional, "", "")                          \
    F(numbers, g, optional, "", "")                           \
    F(object, h, optional, "", "")                            \
    F(any, i, required, "", "")
CUPEL_ARGUMENTS(every, EVERY_FIELDS)

static const struct cupel_declared_tool tools[] = {
    {.name = "search_files", .title = "Search Files", .arguments = search_arguments},
    {.name = "search_files_manual",
     .description = "By \"hand\".",
     .input_schema = "{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\","
                     "\"description\":\"the text to search for\"},\"mode\":{\"type\":\"string\","
                     "\"enum\":[\"fuzzy\",\"exact\"],\"description\":\"match strategy\"}},"
                     "\"required\":[\"query\"],\"additionalProperties\":false}",
     .annotations = "{\"readOnlyHint\":true}"},
    {.name = "nothing", .output_schema = "{\"type\":\"object\"}"},
    {.name = "every", .arguments = every_arguments},
};
enum { TOOLS = sizeof(tools) / sizeof(tools[0]) };

static struct cupel_catalog *new_catalog(void)
{
    struct cupel_catalog *catalog = NULL;
    struct cupel_error err = {0};
    if (!CHECK_INT(cupel_declared_catalog_new(tools, TOOLS, NULL, &catalog, &err), CUPEL_OK))
        fprintf(stderr, "    %s %s\n", err.where, err.detail);
    return catalog;
}

/* Whether a tool takes these arguments. */
static bool takes(const struct cupel_catalog *catalog, const char *tool, const char *arguments)
{
    struct cupel_scratch *scratch = NULL;
    const struct cupel_tool *found = cupel_catalog_find(catalog, tool, strlen(tool));
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    bool valid =
        cupel_validate(found->input, scratch, arguments, strlen(arguments), NULL) == CUPEL_VALID;
    cupel_scratch_free(scratch);
    return valid;
}

/* -- Row 0.11: the schema that a Go SDK makes of the same struct ------------------------------- */

static void test_generated(void)
{
    static const char want[] =
        "{\"type\":\"object\",\"properties\":{"
        "\"query\":{\"type\":\"string\",\"description\":\"the text to search for\"},"
        "\"max_results\":{\"type\":\"integer\",\"description\":\"how many matches to return\"},"
        "\"case_sensitive\":{\"type\":\"boolean\",\"description\":\"match case exactly\"}},"
        "\"required\":[\"query\"],\"additionalProperties\":false}";
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_arguments_schema_write(search_arguments(), &text);
    CHECK_STR(text.bytes, want);
    cupel_text_free(&text);
    struct cupel_catalog *catalog = new_catalog();
    CHECK(takes(catalog, "search_files", "{\"query\":\"x\"}"));
    CHECK(takes(catalog, "search_files", "{\"query\":\"x\",\"max_results\":1.0}"));
    CHECK(!takes(catalog, "search_files", "{}"));
    CHECK(!takes(catalog, "search_files", "{\"query\":1}"));
    CHECK(!takes(catalog, "search_files", "{\"query\":\"x\",\"max_results\":1.5}"));
    CHECK(!takes(catalog, "search_files", "{\"query\":\"x\",\"foo\":1}"));
    cupel_catalog_free(catalog);
}

/* -- Row 0.12: what fields cannot say, by hand ------------------------------------------------- */

static void test_by_hand(void)
{
    struct cupel_catalog *catalog = new_catalog();
    CHECK(takes(catalog, "search_files_manual", "{\"query\":\"\",\"mode\":\"fuzzy\"}"));
    CHECK(takes(catalog, "search_files_manual", "{\"query\":\"\",\"mode\":\"exact\"}"));
    CHECK(!takes(catalog, "search_files_manual", "{\"query\":\"\",\"mode\":\"Exact\"}"));
    CHECK(!takes(catalog, "search_files_manual", "{\"query\":\"\",\"mode\":\"regex\"}"));
    /* The message names what may be given. */
    static const char request[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
        "\"search_files_manual\",\"arguments\":{\"query\":\"\",\"mode\":\"regex\"}}}";
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    CHECK_INT(cupel_call_check(catalog, caller, request, sizeof(request) - 1, NULL, &answer, NULL,
                               NULL, NULL),
              CUPEL_CALL_INVALID);
    CHECK(strstr(answer.bytes, "fuzzy") != NULL && strstr(answer.bytes, "exact") != NULL);
    cupel_text_free(&answer);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
}

/* -- Definitions ------------------------------------------------------------------------------ */

static void test_tools(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_declared_list_write(&tools[2], 1, &text);
    CHECK_STR(text.bytes, "{\"tools\":[{\"name\":\"nothing\",\"inputSchema\":{\"type\":"
                          "\"object\",\"additionalProperties\":false},\"outputSchema\":{"
                          "\"type\":\"object\"}}]}");
    cupel_text_clear(&text);
    cupel_declared_list_write(tools + 1, 1, &text);
    CHECK(strncmp(text.bytes,
                  "{\"tools\":[{\"name\":\"search_files_manual\",\"description\":\"By "
                  "\\\"hand\\\".\",\"inputSchema\":{",
                  80) == 0);
    CHECK_STR(text.bytes + text.len - 42, "se},\"annotations\":{\"readOnlyHint\":true}}]}");
    cupel_text_clear(&text);
    cupel_arguments_schema_write(every_arguments(), &text);
    CHECK_STR(text.bytes,
              "{\"type\":\"object\",\"properties\":{"
              "\"a\":{\"type\":\"string\",\"minLength\":2},"
              "\"b\":{\"type\":\"integer\",\"description\":\"say \\\"b\\\"\"},"
              "\"c\":{\"type\":\"number\",\"minimum\":0,\"maximum\":9},"
              "\"d\":{\"type\":\"boolean\"},"
              "\"e\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":2},"
              "\"f\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
              "\"g\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},"
              "\"h\":{\"type\":\"object\"},\"i\":{}},"
              "\"required\":[\"i\"],\"additionalProperties\":false}");
    cupel_text_free(&text);
    CHECK(cupel_declared_tool_find(tools, TOOLS, "nothing", 7) == &tools[2]);
    CHECK(cupel_declared_tool_find(tools, TOOLS, "noth", 4) == NULL);
}

/* A server's own tools have no faults, or it does not start. */
static void test_faults(void)
{
    static const struct cupel_declared_tool wrong[] = {
        {.name = "t", .input_schema = "{\"type\":\"object\",\"required\":7}"}};
    static const struct cupel_declared_tool broken[] = {{.name = "t", .annotations = "{"}};
    struct cupel_catalog *catalog = NULL;
    struct cupel_error err = {0};
    CHECK_INT(cupel_declared_catalog_new(wrong, 1, NULL, &catalog, &err), CUPEL_E_SCHEMA);
    CHECK_STR(err.where, "/required");
    CHECK(err.detail[0] != '\0');
    CHECK_INT(cupel_declared_catalog_new(wrong, 1, NULL, &catalog, NULL), CUPEL_E_SCHEMA);
    CHECK_INT(cupel_declared_catalog_new(broken, 1, NULL, &catalog, &err), CUPEL_E_SYNTAX);
    CHECK(catalog == NULL);
}

/* What is only remarked is passed over, and what is told fits its room. */
static void test_long_fault(void)
{
    struct cupel_text schema;
    struct cupel_catalog *catalog = NULL;
    struct cupel_error err = {.status = CUPEL_OK};
    cupel_text_init(&schema, NULL);
    cupel_text_adds(
        &schema,
        "{\"type\":\"object\",\"properties\":{\"p\":{\"pattern\":\"(?=a)\"}},\"$defs\":{\"");
    for (int i = 0; i < 300; i++)
        cupel_text_adds(&schema, "n");
    cupel_text_adds(&schema, "\":{\"required\":7}}}");
    const struct cupel_declared_tool wrong = {.name = "a b", .input_schema = schema.bytes};
    CHECK_INT(cupel_declared_catalog_new(&wrong, 1, NULL, &catalog, &err), CUPEL_E_SCHEMA);
    CHECK(strncmp(err.where, "/$defs/nnnn", 11) == 0 && strlen(err.where) < sizeof(err.where));
    CHECK(strstr(err.detail, "'required' must be") != NULL);
    cupel_text_free(&schema);
}

/* An error behind more remarks than are kept is told without its reason. */
static void test_crowded_fault(void)
{
    struct cupel_text schema;
    struct cupel_catalog *catalog = NULL;
    struct cupel_error err = {.status = CUPEL_OK, .where = "?", .detail = "?"};
    cupel_text_init(&schema, NULL);
    cupel_text_adds(&schema, "{\"type\":\"object\",\"properties\":{\"\":{}");
    for (int i = 0; i < 40; i++)
        cupel_text_addf(&schema, ",\"p%d\":{\"pattern\":\"(?=a)\"}", i);
    cupel_text_adds(&schema, "}}");
    const struct cupel_declared_tool wrong = {
        .name = "t", .input_schema = schema.bytes, .output_schema = "{\"required\":7}"};
    CHECK_INT(cupel_declared_catalog_new(&wrong, 1, NULL, &catalog, &err), CUPEL_E_SCHEMA);
    CHECK_INT(err.status, CUPEL_E_SCHEMA);
    CHECK_STR(err.where, "");
    CHECK_STR(err.detail, "the definition is not valid");
    cupel_text_free(&schema);
}

#define PAIR_FIELDS(F)             \
    F(string, a, required, "", "") \
    F(string, b, optional, "", "") \
    F(string, c, required, "", "")
CUPEL_ARGUMENTS(pair, PAIR_FIELDS)

#define FREE_FIELDS(F) F(string, a, optional, "", "")
CUPEL_ARGUMENTS(free_form, FREE_FIELDS)

static void test_required(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_arguments_schema_write(pair_arguments(), &text);
    CHECK(strstr(text.bytes, "},\"required\":[\"a\",\"c\"],\"additionalProperties\":false}") !=
          NULL);
    cupel_text_clear(&text);
    cupel_arguments_schema_write(free_form_arguments(), &text);
    CHECK_MEM(text.bytes, text.len,
              "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
              "\"additionalProperties\":false}");
    cupel_text_free(&text);
}

/* -- Decoding --------------------------------------------------------------------------------- */

static struct cupel_document *read(const char *text)
{
    struct cupel_document *doc = NULL;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, text, strlen(text), NULL), CUPEL_OK);
    return doc;
}

static void test_decode(void)
{
    struct every every;
    struct cupel_document *doc =
        read("{\"i\":null,\"a\":\"x\\u0000y\",\"b\":-9007199254740993,\"c\":1e-1,\"d\":true,"
             "\"e\":[\"p\",\"q\"],\"f\":[1,2.0],\"g\":[1.5],\"h\":{\"k\":1},\"more\":1}");
    CHECK_INT(cupel_arguments_decode(every_arguments(), doc, 0, &every), CUPEL_OK);
    CHECK(every.has_a && every.has_b && every.has_c && every.has_d && every.has_e && every.has_f &&
          every.has_g && every.has_h && every.has_i);
    CHECK(every.a.len == 3 && memcmp(every.a.bytes, "x\0y", 3) == 0);
    CHECK_INT(every.b, -9007199254740993);
    CHECK(every.c == (double)0.1); /* a constant may have more precision */
    CHECK_INT(every.d, 1);
    CHECK_INT(cupel_json_count(doc, every.e), 2);
    CHECK_INT(cupel_json_count(doc, every.f), 2);
    double number = 0;
    CHECK_INT(cupel_json_double(doc, cupel_json_first(doc, every.g), &number), CUPEL_OK);
    CHECK(number == 1.5);
    CHECK_INT(cupel_json_count(doc, every.h), 1);
    CHECK_INT(cupel_json_type(doc, every.i), CUPEL_JSON_NULL);
    cupel_document_free(doc);

    doc = read("{\"i\":0,\"d\":false}");
    CHECK_INT(cupel_arguments_decode(every_arguments(), doc, 0, &every), CUPEL_OK);
    CHECK(!every.has_a && every.a.bytes == NULL && every.b == 0 && every.c == 0);
    CHECK(every.has_d && every.d == 0);
    CHECK(!every.has_e && every.e == CUPEL_NO_NODE && every.h == CUPEL_NO_NODE);
    cupel_document_free(doc);
}

static void test_decode_refusals(void)
{
    static const struct {
        const char *arguments;
        enum cupel_status status;
    } cases[] = {
        {"{}", CUPEL_E_ARGUMENT},
        {"[]", CUPEL_E_ARGUMENT},
        {"{\"i\":0,\"a\":1}", CUPEL_E_ARGUMENT},
        {"{\"i\":0,\"b\":\"1\"}", CUPEL_E_ARGUMENT},
        {"{\"i\":0,\"b\":1.5}", CUPEL_E_LIMIT_NUMBER},
        {"{\"i\":0,\"b\":9223372036854775808}", CUPEL_E_LIMIT_NUMBER},
        {"{\"i\":0,\"c\":1e400}", CUPEL_E_LIMIT_NUMBER},
        {"{\"i\":0,\"c\":null}", CUPEL_E_ARGUMENT},
        {"{\"i\":0,\"d\":0}", CUPEL_E_ARGUMENT},
        {"{\"i\":0,\"e\":[\"x\",1]}", CUPEL_E_ARGUMENT},
        {"{\"i\":0,\"g\":{}}", CUPEL_E_ARGUMENT},
        {"{\"i\":0,\"h\":[]}", CUPEL_E_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct every every, before;
        memset(&every, 7, sizeof(every));
        before = every;
        struct cupel_document *doc = read(cases[i].arguments);
        CHECK_INT(cupel_arguments_decode(every_arguments(), doc, 0, &every), cases[i].status);
        CHECK(memcmp(&every, &before, sizeof(every)) == 0);
        cupel_document_free(doc);
    }
    struct search search;
    struct cupel_document *doc = read("{}");
    CHECK_INT(cupel_arguments_decode(search_arguments(), doc, CUPEL_NO_NODE, &search),
              CUPEL_E_ARGUMENT);
    cupel_document_free(doc);
}

/* The nearest double, as the C library has it in a locale with a point. */
static void check_double(const char *text)
{
    struct cupel_document *doc = read(text);
    double got = 0, want = strtod(text, NULL);
    CHECK_INT(cupel_json_double(doc, 0, &got), CUPEL_OK);
    if (!CHECK(memcmp(&got, &want, sizeof(got)) == 0))
        fprintf(stderr, "    %s: got %a, want %a\n", text, got, want);
    cupel_document_free(doc);
}

static void test_doubles(void)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "-0.0e5",
        "1",
        "0.1",
        "1e22",
        "1e23",
        "9007199254740993",
        "4.9e-324",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "123456789012345678901234567890",
        "1e-400",
        "6.631236846766476e-316",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.141592653589793238462643383279502884197",
        "8.5e-5",
        /* Wrong where a register has more bits than a double and is rounded again. */
        "604618250033e15",
        "12663458360213e-21",
        "16724189365521e-7",
    };
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        check_double(texts[i]);
    for (int i = 0; i < 3000; i++) {
        char text[80];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int n = snprintf(text, sizeof(text), "%llu", (unsigned long long)(seed >> (i % 60)));
        snprintf(text + n, sizeof(text) - (size_t)n, ".%llue%d", (unsigned long long)(seed % 99991),
                 (int)(seed >> 33) % 320 - (i % 3) * 160);
        if (strtod(text, NULL) <= 1.7976931348623157e308)
            check_double(text);
    }
    struct cupel_document *doc = read("1.7976931348623159e308");
    double number = 3;
    CHECK_INT(cupel_json_double(doc, 0, &number), CUPEL_E_LIMIT_NUMBER);
    CHECK(number == 3);
    cupel_document_free(doc);
}

static void test_memory(void)
{
    for (unsigned long n = 1; n < 10000; n++) {
        struct test_alloc t = {.fail_at = n};
        struct cupel_catalog_options options;
        struct cupel_options engine;
        struct cupel_catalog *catalog = NULL;
        cupel_catalog_options_init(&options);
        cupel_options_init(&engine);
        options.engine = &engine;
        engine.alloc = test_allocator(&t);
        enum cupel_status status =
            cupel_declared_catalog_new(tools, TOOLS, &options, &catalog, NULL);
        CHECK(status == CUPEL_OK || status == CUPEL_E_NO_MEMORY);
        cupel_catalog_free(catalog);
        CHECK_INT(t.live, 0);
        if (t.requests < n)
            return;
    }
    CHECK_STR("the loop", "ended");
}

int main(void)
{
    test_generated();
    test_by_hand();
    test_tools();
    test_faults();
    test_long_fault();
    test_crowded_fault();
    test_required();
    test_decode();
    test_decode_refusals();
    test_doubles();
    test_memory();
    return test_end();
}
