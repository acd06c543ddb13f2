/* test_result.c: what of a tool's results passes, in each profile, and what takes the place of one
 * that does not. */
#include "test.h"
#include <cupel/cupel.h>

#define LEN(s)  (sizeof(s) - 1)
#define OUT(s)  "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":" s "}]"
#define TEXT(s) "{\"type\":\"text\",\"text\":\"" s "\"}"
#define WITH(s) "{\"content\":[" s "]}"
#define BOTH(s) "{\"content\":[],\"structuredContent\":" s "}"

static const char free_tool[] = "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]";
static const char object_tool[] = OUT("{\"type\":\"object\",\"required\":[\"a\"]}");
static const char list_tool[] = OUT("{\"type\":\"array\"}");
static const char refused_tool[] = OUT("{\"type\":\"none\"}");

static const struct result_case {
    enum cupel_mcp_profile profile; /* 0: the newest */
    const char *list, *result;
    enum cupel_result_verdict verdict;
    const char *rules; /* "rule pointer; …" */
} result_cases[] = {
    {0, free_tool, WITH(TEXT("x")), CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH(""), CUPEL_RESULT_VALID, ""},
    {0, free_tool, "{}", CUPEL_RESULT_INVALID, "result-content /content;"},
    {0, free_tool, "{\"content\":{}}", CUPEL_RESULT_INVALID, "result-content /content;"},
    {0, free_tool, "{\"content\":[],\"isError\":1,\"_meta\":[],\"resultType\":\"x\"}",
     CUPEL_RESULT_INVALID, "result-field /isError;result-field /_meta;result-field /resultType;"},
    {CUPEL_MCP_2025_11_25, free_tool, "{\"content\":[],\"resultType\":\"x\"}", CUPEL_RESULT_VALID,
     ""},
    {0, free_tool, "{\"resultType\":\"input_required\"}", CUPEL_RESULT_VALID, ""},
    {CUPEL_MCP_2025_11_25, free_tool, "{\"task\":{}}", CUPEL_RESULT_VALID, ""},
    {0, free_tool, "{\"task\":{}}", CUPEL_RESULT_INVALID, "result-content /content;"},
    {0, free_tool, BOTH("[1]"), CUPEL_RESULT_INVALID, "text-copy-missing /content;"},
    {0, free_tool, BOTH("{}"), CUPEL_RESULT_VALID, "text-copy /content;"},
    {CUPEL_MCP_2025_11_25, free_tool, BOTH("{}"), CUPEL_RESULT_VALID, "text-copy /content;"},
    {0, free_tool, "{\"content\":[" TEXT("1e0") "],\"structuredContent\":1}", CUPEL_RESULT_VALID,
     ""},
    {0, free_tool, "{\"content\":[" TEXT("one") "],\"structuredContent\":1}", CUPEL_RESULT_INVALID,
     "text-copy-missing /content;"},
    {0, object_tool, "{\"resultType\":\"task\",\"taskId\":\"1\"}", CUPEL_RESULT_VALID, ""},
    /* content, which a client could use that ignores the kind */
    {0, object_tool, "{\"resultType\":\"task\",\"taskId\":\"1\",\"content\":[]}",
     CUPEL_RESULT_VALID, ""},
    {0, object_tool, "{\"resultType\":\"task\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}",
     CUPEL_RESULT_INVALID, "result-field /resultType;structured-missing ;"},
    {0, object_tool,
     "{\"resultType\":\"input_required\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}",
     CUPEL_RESULT_INVALID, "result-field /resultType;structured-missing ;"},
    {CUPEL_MCP_2025_11_25, object_tool,
     "{\"task\":{\"taskId\":\"1\"},\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}",
     CUPEL_RESULT_INVALID, "structured-missing ;"},
    {CUPEL_MCP_2025_11_25, object_tool, "{\"task\":{\"taskId\":\"1\"},\"content\":{}}",
     CUPEL_RESULT_INVALID, "result-content /content;structured-missing ;"},
    {0, object_tool, "{\"resultType\":\"task\",\"content\":[],\"structuredContent\":{}}",
     CUPEL_RESULT_INVALID,
     "result-field /resultType;structured-invalid /structuredContent;text-copy /content;"},
    {0, object_tool, "{\"resultType\":\"input_required\",\"content\":[],\"structuredContent\":{}}",
     CUPEL_RESULT_INVALID,
     "result-field /resultType;structured-invalid /structuredContent;text-copy /content;"},
    {CUPEL_MCP_2025_11_25, object_tool,
     "{\"task\":{\"taskId\":\"1\"},\"content\":[],\"structuredContent\":{}}", CUPEL_RESULT_INVALID,
     "structured-invalid /structuredContent;text-copy /content;"},
    {0, free_tool, "{\"content\":[" TEXT("[ 1.0 ]") "],\"structuredContent\":[1]}",
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, "{\"content\":[" TEXT("[2]") "],\"structuredContent\":[1]}",
     CUPEL_RESULT_INVALID, "text-copy-missing /content;"},
    {CUPEL_MCP_2025_11_25, free_tool, BOTH("[1]"), CUPEL_RESULT_INVALID,
     "structured-object /structuredContent;text-copy /content;"},
    {CUPEL_MCP_2025_03_26, free_tool, BOTH("[1]"), CUPEL_RESULT_VALID, ""},

    {0, object_tool, WITH(""), CUPEL_RESULT_INVALID, "structured-missing ;"},
    {CUPEL_MCP_2025_03_26, object_tool, WITH(""), CUPEL_RESULT_VALID, ""},
    {0, object_tool, "{\"content\":[],\"isError\":true}", CUPEL_RESULT_VALID, ""},
    {0, object_tool, "{\"content\":[],\"isError\":true,\"structuredContent\":{}}",
     CUPEL_RESULT_VALID, ""},
    {0, object_tool, "{\"content\":[],\"isError\":false,\"structuredContent\":{}}",
     CUPEL_RESULT_INVALID, "structured-invalid /structuredContent;text-copy /content;"},
    {0, object_tool, "{\"content\":[" TEXT("{\\\"a\\\":1}") "],\"structuredContent\":{\"a\":1}}",
     CUPEL_RESULT_VALID, ""},
    {0, list_tool, "{\"content\":[" TEXT("[]") "],\"structuredContent\":[]}", CUPEL_RESULT_VALID,
     ""},
    {0, list_tool, BOTH("null"), CUPEL_RESULT_INVALID,
     "structured-invalid /structuredContent;text-copy-missing /content;"},
    {0, refused_tool, BOTH("{}"), CUPEL_RESULT_UNDECIDED, ""},
    {0, refused_tool, "{\"content\":[],\"isError\":true}", CUPEL_RESULT_VALID, ""},

    {0, free_tool, WITH("{\"type\":\"text\"}"), CUPEL_RESULT_INVALID, "content-field /content/0;"},
    {0, free_tool, WITH("{\"text\":\"\"}"), CUPEL_RESULT_INVALID, "content-type /content/0;"},
    {0, free_tool, WITH("{\"type\":\"image\",\"data\":\"QUI=\",\"mimeType\":\"image/png\"}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"image\",\"data\":\"Q=I=\",\"mimeType\":\"image/png\"}"),
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, WITH("{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"audio/wav\"}"),
     CUPEL_RESULT_VALID, ""},
    {CUPEL_MCP_2024_11_05, free_tool,
     WITH("{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"audio/wav\"}"), CUPEL_RESULT_INVALID,
     "content-type /content/0;"},
    {0, free_tool, WITH("{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"n\"}"),
     CUPEL_RESULT_VALID, ""},
    {CUPEL_MCP_2025_03_26, free_tool,
     WITH("{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"n\"}"), CUPEL_RESULT_INVALID,
     "content-type /content/0;"},
    {0, free_tool, WITH("{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"blob\":\"AAAA\"}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\"}}"),
     CUPEL_RESULT_INVALID, "content-field /content/0;"},
    {0, free_tool, WITH("{\"type\":\"resource\"}"), CUPEL_RESULT_INVALID,
     "content-field /content/0;"},
    {0, free_tool,
     WITH(
         "{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"audience\":[\"user\"],\"priority\":0."
         "9,\"lastModified\":\"2025-01-12T15:00:58Z\"}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool,
     WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"audience\":[\"all\"],\"priority\":1."
          "5,\"lastModified\":1}}"),
     CUPEL_RESULT_VALID,
     "content-annotations /content/0;content-annotations /content/0;"
     "content-annotations /content/0;"},
    /* Each rule from both sides. */
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":0}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":1}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":1.0}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":10e-1}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":1e-400}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":-0.0}}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":2}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":-1}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":-0.1}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":1.1}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":1.5e0}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":5e3}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":\"x\"}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool,
     WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"audience\":[\"assistant\",\"user\"]}"
          "}"),
     CUPEL_RESULT_VALID, ""},
    {0, free_tool,
     WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"audience\":\"user\"}}"),
     CUPEL_RESULT_VALID, "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":7}"), CUPEL_RESULT_VALID,
     "content-annotations /content/0;"},
    {0, free_tool, WITH("{\"type\":\"text\",\"text\":\"\",\"annotations\":{}}"), CUPEL_RESULT_VALID,
     ""},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":7,\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_INVALID, "content-field /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"AA+/\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"AA{=\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"A:==\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, ""},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"A@==\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"A[==\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"A`==\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"A!==\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"A=A=\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"AAA\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[{\"type\":\"image\",\"data\":\"====\",\"mimeType\":\"a/b\"}]}",
     CUPEL_RESULT_VALID, "content-base64 /content/0;"},
    {0, free_tool, "{\"content\":[7,{\"type\":7},{\"type\":\"none\"}]}", CUPEL_RESULT_INVALID,
     "result-content /content/0;content-type /content/1;content-type /content/2;"},
    {0, free_tool,
     "{\"content\":[{},{\"type\":\"text\",\"text\":7},{\"type\":\"image\"},{\"type\":\"text\","
     "\"text\":\"{\"},{\"type\":\"text\",\"text\":\"[1]\"},{\"type\":\"text\",\"text\":\"[2]\"}],"
     "\"structuredContent\":[1]}",
     CUPEL_RESULT_INVALID,
     "content-type /content/0;content-field /content/1;content-field /content/2;content-field "
     "/content/2;"},
    {0, free_tool, "{\"content\":[],\"_meta\":{},\"resultType\":\"complete\"}", CUPEL_RESULT_VALID,
     ""},
    {CUPEL_MCP_2025_11_25, free_tool, "{\"task\":7}", CUPEL_RESULT_INVALID,
     "result-content /content;"},
    {0, free_tool, "{\"resultType\":7}", CUPEL_RESULT_INVALID,
     "result-field /resultType;result-content /content;"},
    {0, object_tool, "{\"content\":[],\"structuredContent\":{}}", CUPEL_RESULT_INVALID,
     "structured-invalid /structuredContent;text-copy /content;"},
    {0, free_tool, "{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[]}}", CUPEL_RESULT_VALID, ""},
    {0, free_tool, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}", CUPEL_RESULT_BAD, ""},
    {0, free_tool, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]},\"error\":{}}",
     CUPEL_RESULT_BAD, ""},
    {0, free_tool, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":7}", CUPEL_RESULT_BAD, ""},
    {0, free_tool, "{\"jsonrpc\":\"2.0\",\"id\":1}", CUPEL_RESULT_BAD, ""},
};

static int note_rule(void *ctx, const struct cupel_rule_problem *problem)
{
    cupel_text_addf(ctx, "%s %s;", problem->rule, problem->pointer);
    return 0;
}

static struct cupel_catalog *catalog_of(enum cupel_mcp_profile profile, const char *list)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    options.profile = profile;
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, strlen(list), NULL), CUPEL_OK);
    return catalog;
}

static void check_case(const struct result_case *c, struct cupel_call_context *caller,
                       struct cupel_text *answer, struct cupel_text *rules)
{
    enum cupel_mcp_profile profile = c->profile != 0 ? c->profile : CUPEL_MCP_2026_07_28;
    const struct cupel_result_listener listener = {note_rule, NULL, rules};
    struct cupel_catalog *catalog = catalog_of(profile, c->list);
    struct cupel_result_outcome outcome;
    cupel_text_clear(rules);
    cupel_text_add(rules, "", 0);
    enum cupel_result_verdict verdict =
        cupel_result_check(cupel_catalog_tool(catalog, 0), caller, c->result, strlen(c->result),
                           profile, answer, &listener, &outcome);
    bool ok = CHECK_INT(verdict, c->verdict);
    ok = CHECK_MEM(rules->bytes != NULL ? rules->bytes : "", rules->len, c->rules) && ok;
    ok = CHECK((answer->len == 0) == (verdict == CUPEL_RESULT_VALID)) && ok;
    if (!ok)
        fprintf(stderr, "    result %s\n", c->result);
    cupel_catalog_free(catalog);
}

/* The value that is wrong is not repeated, and the first error is said. */
static void check_answers(struct cupel_call_context *caller, struct cupel_text *answer)
{
    static const char result[] = "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"result\":{\"content\":["
                                 "],\"structuredContent\":\"secret\"}}";
    static const char error[] = "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":1}}";
    struct cupel_catalog *catalog = catalog_of(CUPEL_MCP_2026_07_28, object_tool);
    const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
    struct cupel_result_outcome outcome;
    CHECK_INT(cupel_result_check(tool, caller, result, LEN(result), CUPEL_MCP_2026_07_28, answer,
                                 NULL, &outcome),
              CUPEL_RESULT_INVALID);
    CHECK_MEM(outcome.id, outcome.id_len, "\"\\u0061\"");
    CHECK(strstr(answer->bytes, "\"id\":\"\\u0061\",\"error\":{\"code\":-32603,") != NULL);
    CHECK(strstr(answer->bytes, "/structuredContent: ") != NULL);
    CHECK(strstr(answer->bytes, "secret") == NULL);
    CHECK_INT(cupel_result_check(tool, caller, error, LEN(error), CUPEL_MCP_2026_07_28, answer,
                                 NULL, &outcome),
              CUPEL_RESULT_VALID);
    CHECK_INT(outcome.is_error, 1);
    CHECK_INT(cupel_result_check(tool, caller, "{", 1, CUPEL_MCP_2026_07_28, answer, NULL, NULL),
              CUPEL_RESULT_BAD);
    CHECK_INT(cupel_result_check(tool, caller, "7", 1, CUPEL_MCP_2026_07_28, answer, NULL, NULL),
              CUPEL_RESULT_BAD);
    cupel_catalog_free(catalog);
}

static int stop(void *ctx, const struct cupel_rule_problem *problem)
{
    (void)problem;
    ++*(int *)ctx;
    return 1;
}

/* Fewer are told than there are, or none after the first: the verdict and what is counted stay. */
static void test_telling(void)
{
    static const char result[] = "{\"content\":[{},{},{},7]}";
    static const char *const told[] = {
        "content-type /content/0;", "content-type /content/0;content-type /content/1;",
        "content-type /content/0;content-type /content/1;content-type /content/2;"};
    struct cupel_catalog *catalog = catalog_of(CUPEL_MCP_2026_07_28, free_tool);
    for (uint32_t most = 1; most <= 3; most++) {
        struct cupel_options options;
        struct cupel_call_context *caller = NULL;
        struct cupel_text answer, rules;
        struct cupel_result_outcome outcome;
        int calls = 0;
        struct cupel_result_listener listener = {note_rule, NULL, &rules};
        cupel_text_init(&answer, NULL);
        cupel_text_init(&rules, NULL);
        cupel_options_init(&options);
        options.limits[CUPEL_LIMIT_ERRORS] = most;
        CHECK_INT(cupel_call_context_new(&options, &caller), CUPEL_OK);
        CHECK_INT(cupel_result_check(cupel_catalog_tool(catalog, 0), caller, result, LEN(result),
                                     CUPEL_MCP_2026_07_28, &answer, &listener, &outcome),
                  CUPEL_RESULT_INVALID);
        CHECK_INT(outcome.errors, 4);
        CHECK_MEM(rules.bytes, rules.len, told[most - 1]);
        listener = (struct cupel_result_listener){stop, NULL, &calls};
        CHECK_INT(cupel_result_check(cupel_catalog_tool(catalog, 0), caller, result, LEN(result),
                                     CUPEL_MCP_2026_07_28, &answer, &listener, &outcome),
                  CUPEL_RESULT_INVALID);
        CHECK(calls == 1 && outcome.errors == 4);
        cupel_call_context_free(caller);
        cupel_text_free(&answer);
        cupel_text_free(&rules);
    }
    cupel_catalog_free(catalog);
}

/* The verdict of a case, or undecided for want of memory. */
static void run_failing(struct test_alloc *failing, const struct result_case *c,
                        const struct cupel_tool *tool)
{
    enum cupel_mcp_profile profile = c->profile != 0 ? c->profile : CUPEL_MCP_2026_07_28;
    struct cupel_options options;
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer;
    struct cupel_result_outcome outcome;
    cupel_options_init(&options);
    options.alloc = test_allocator(failing);
    cupel_text_init(&answer, &options.alloc);
    if (cupel_call_context_new(&options, &caller) == CUPEL_OK) {
        enum cupel_result_verdict verdict = cupel_result_check(
            tool, caller, c->result, strlen(c->result), profile, &answer, NULL, &outcome);
        CHECK(verdict == c->verdict || verdict == CUPEL_RESULT_UNDECIDED);
    }
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
    CHECK_INT(failing->live, 0);
}

static void test_no_memory(const struct result_case *c)
{
    struct cupel_catalog *catalog =
        catalog_of(c->profile != 0 ? c->profile : CUPEL_MCP_2026_07_28, c->list);
    for (unsigned long n = 1; CHECK(n < 2000); n++) {
        struct test_alloc failing = {.fail_at = n / 2 + 1, .for_ever = n % 2 == 0};
        run_failing(&failing, c, cupel_catalog_tool(catalog, 0));
        if (failing.requests < failing.fail_at)
            break;
    }
    cupel_catalog_free(catalog);
}

int main(void)
{
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer, rules;
    cupel_text_init(&answer, NULL);
    cupel_text_init(&rules, NULL);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    for (size_t i = 0; i < sizeof(result_cases) / sizeof(result_cases[0]); i++) {
        check_case(&result_cases[i], caller, &answer, &rules);
        test_no_memory(&result_cases[i]);
    }
    check_answers(caller, &answer);
    test_telling();
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
    cupel_text_free(&rules);
    return test_end();
}
