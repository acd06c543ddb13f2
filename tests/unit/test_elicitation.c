/* test_elicitation.c: the closed part of JSON Schema that servers may ask users with, version by
 * version. */
#include "test.h"
#include <cupel/cupel.h>

/* Keeps problems as "rule pointer" a line. */
static int on_problem(void *ctx, const struct cupel_rule_problem *problem)
{
    cupel_text_addf(ctx, "%s %s\n", problem->rule, problem->pointer);
    return 0;
}

static enum cupel_tool_verdict check(const char *schema, enum cupel_mcp_profile profile,
                                     struct cupel_text *problems)
{
    struct cupel_document *doc = NULL;
    enum cupel_status status = CUPEL_E_INTERNAL;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, schema, strlen(schema), NULL), CUPEL_OK);
    cupel_text_clear(problems);
    enum cupel_tool_verdict verdict =
        cupel_elicitation_check(doc, 0, profile, NULL, on_problem, problems, &status);
    CHECK_INT(status, CUPEL_OK);
    CHECK_INT(cupel_elicitation_check(doc, 0, profile, NULL, NULL, NULL, NULL), verdict);
    cupel_text_add(problems, "", 0);
    cupel_document_free(doc);
    return verdict;
}

#define P(text) "{\"type\":\"object\",\"properties\":{\"a\":" text "}}"
#define A       "/properties/a"

static const struct elicitation_case {
    const char *schema;
    const char *older; /* problems before 2025-11-25 … */
    const char *newer; /* … and from then on; NULL: the same */
} cases[] = {
    {"{\"type\":\"object\",\"properties\":{}}", "", NULL},
    {"{\"$schema\":\"x\",\"type\":\"object\",\"properties\":{}}", "elicitation-keyword /$schema\n",
     ""},
    {"{\"type\":\"object\"}", "elicitation-root \n", NULL},
    {"{\"properties\":{}}", "elicitation-root \n", NULL},
    {"{\"type\":[\"object\"],\"properties\":[]}", "elicitation-root \nelicitation-root \n", NULL},
    {"7", "elicitation-root \n", NULL},
    {"{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}",
     "elicitation-keyword /additionalProperties\n", NULL},
    {"{\"type\":\"object\",\"properties\":{},\"required\":\"a\"}", "elicitation-value /required\n",
     NULL},
    {"{\"type\":\"object\",\"properties\":{},\"required\":[\"a\"]}",
     "elicitation-agreement /required\n", NULL},
    /* Texts. */
    {P("{\"type\":\"string\",\"title\":\"t\",\"description\":\"d\",\"minLength\":1,\"maxLength\":2,"
       "\"format\":\"date-time\"}"),
     "", NULL},
    {P("{\"type\":\"string\",\"format\":\"uuid\"}"), "elicitation-value " A "/format\n", NULL},
    {P("{\"type\":\"string\",\"pattern\":\"x\"}"), "elicitation-keyword " A "/pattern\n", NULL},
    {P("{\"type\":\"string\",\"minLength\":-1}"), "elicitation-value " A "/minLength\n", NULL},
    {P("{\"type\":\"string\",\"minLength\":3,\"maxLength\":2}"),
     "elicitation-agreement " A "/minLength\n", NULL},
    /* Bounds that do not agree. */
    {P("{\"type\":\"string\",\"minLength\":3,\"default\":\"\\u00e9x\"}"),
     "elicitation-keyword " A "/default\nelicitation-agreement " A "/default\n",
     "elicitation-agreement " A "/default\n"},
    {P("{\"type\":\"string\",\"minLength\":2,\"maxLength\":2,\"default\":\"\\u00e9x\"}"),
     "elicitation-keyword " A "/default\n", ""},
    {P("{\"type\":\"integer\",\"maximum\":3,\"default\":4}"),
     "elicitation-keyword " A "/default\nelicitation-agreement " A "/default\n",
     "elicitation-agreement " A "/default\n"},
    {P("{\"type\":\"string\",\"enum\":[]}"), "elicitation-agreement " A "\n", NULL},
    {P("{\"type\":\"array\",\"minItems\":2,\"items\":{\"type\":\"string\",\"enum\":[\"x\"]}}"),
     "elicitation-type " A "\n", "elicitation-agreement " A "/minItems\n"},
    {P("{\"type\":\"array\",\"maxItems\":1,\"default\":[\"x\",\"y\"],\"items\":{\"type\":"
       "\"string\","
       "\"enum\":[\"x\",\"y\"]}}"),
     "elicitation-type " A "\n", "elicitation-agreement " A "/default\n"},
    {P("{\"type\":\"string\",\"default\":\"x\"}"), "elicitation-keyword " A "/default\n", ""},
    {P("{\"type\":\"string\",\"title\":1}"), "elicitation-value " A "/title\n", NULL},
    /* Numbers and booleans. */
    {P("{\"type\":\"integer\",\"minimum\":1.5,\"maximum\":2}"), "", NULL},
    {P("{\"type\":\"number\",\"minimum\":\"1\"}"), "elicitation-value " A "/minimum\n", NULL},
    {P("{\"type\":\"number\",\"multipleOf\":2}"), "elicitation-keyword " A "/multipleOf\n", NULL},
    {P("{\"type\":\"integer\",\"default\":1.5}"),
     "elicitation-keyword " A "/default\nelicitation-agreement " A "/default\n",
     "elicitation-agreement " A "/default\n"},
    {P("{\"type\":\"boolean\",\"default\":true}"), "", NULL},
    {P("{\"type\":\"boolean\",\"default\":\"true\"}"), "elicitation-value " A "/default\n", NULL},
    /* A choice of one. */
    {P("{\"type\":\"string\",\"enum\":[\"x\",\"y\"],\"enumNames\":[\"X\",\"Y\"]}"), "", NULL},
    {P("{\"type\":\"string\",\"enum\":[\"x\"],\"enumNames\":[]}"),
     "elicitation-agreement " A "/enumNames\n", NULL},
    {P("{\"type\":\"string\",\"enum\":[\"x\",1]}"), "elicitation-value " A "/enum\n", NULL},
    {P("{\"type\":\"string\",\"enum\":[\"x\"],\"default\":\"y\"}"),
     "elicitation-keyword " A "/default\nelicitation-agreement " A "/default\n",
     "elicitation-agreement " A "/default\n"},
    {P("{\"type\":\"string\",\"oneOf\":[{\"const\":\"x\",\"title\":\"X\"}],\"default\":\"x\"}"),
     "elicitation-keyword " A "/oneOf\nelicitation-keyword " A "/default\n", ""},
    {P("{\"enum\":[\"x\"]}"), "elicitation-type " A "\n", NULL},
    /* A choice of many. */
    {P("{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"string\",\"enum\":[\"x\"]},"
       "\"default\":[\"x\"]}"),
     "elicitation-type " A "\n", ""},
    {P("{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"x\",\"title\":\"X\"},"
       "{\"const\":1},7]}}"),
     "elicitation-type " A "\n", "elicitation-value " A "/items/anyOf\n"},
    {P("{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"x\",\"title\":\"X\"},"
       "{\"const\":1}]}}"),
     "elicitation-type " A "\n",
     "elicitation-value " A "/items/anyOf/1/const\nelicitation-value " A "/items/anyOf/1\n"},
    {P("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"), "elicitation-type " A "\n",
     "elicitation-type " A "/items\n"},
    {P("{\"type\":\"array\"}"), "elicitation-type " A "\n", NULL},
    {P("{\"type\":\"array\",\"items\":{\"enum\":[\"x\"]},\"default\":[\"x\",\"y\"]}"),
     "elicitation-type " A "\n",
     "elicitation-type " A "/items\nelicitation-agreement " A "/default\n"},
    {P("{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\",\"enum\":[]}}"),
     "elicitation-type " A "\n",
     "elicitation-keyword " A "/uniqueItems\nelicitation-agreement " A "\n"},
    {P("{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"x\",\"y\"]},\"default\":["
       "\"y\",7]}"),
     "elicitation-type " A "\n",
     "elicitation-value " A "/default\nelicitation-agreement " A "/default\n"},
    {P("{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"x\"]},\"default\":\"x\"}"),
     "elicitation-type " A "\n", "elicitation-value " A "/default\n"},
    {P("{\"type\":\"string\",\"enum\":[\"x\"],\"default\":7}"),
     "elicitation-keyword " A "/default\n", "elicitation-value " A "/default\n"},
    {P("{\"type\":\"string\",\"enum\":7}"), "elicitation-value " A "/enum\n", NULL},
    {P("{\"type\":\"string\",\"enum\":[\"x\"],\"enumNames\":7}"),
     "elicitation-value " A "/enumNames\nelicitation-agreement " A "/enumNames\n", NULL},
    {P("{\"type\":\"string\",\"enum\":[\"x\"],\"oneOf\":[{\"const\":\"x\",\"title\":\"X\"}]}"),
     "elicitation-keyword " A "/oneOf\nelicitation-agreement " A "\n",
     "elicitation-agreement " A "\n"},
    {P("{\"type\":\"string\",\"oneOf\":[{\"title\":\"X\"},{\"const\":\"long\",\"title\":\"X\"}],"
       "\"default\":\"gone\"}"),
     "elicitation-keyword " A "/oneOf\nelicitation-keyword " A "/default\nelicitation-agreement " A
     "/default\n",
     "elicitation-value " A "/oneOf/0\nelicitation-agreement " A "/default\n"},
    {P("{\"type\":\"string\",\"oneOf\":7,\"default\":\"x\"}"),
     "elicitation-keyword " A "/oneOf\nelicitation-keyword " A "/default\n",
     "elicitation-value " A "/oneOf\n"},
    {P("{\"type\":\"string\",\"minLength\":1.5,\"maxLength\":\"2\"}"),
     "elicitation-value " A "/minLength\nelicitation-value " A "/maxLength\n", NULL},
    {P("{\"type\":\"string\",\"minLength\":1,\"maxLength\":1e30}"),
     "elicitation-value " A "/maxLength\n", NULL},
    {P("{\"type\":\"integer\",\"default\":3}"), "elicitation-keyword " A "/default\n", ""},
    {P("{\"type\":\"number\",\"default\":1.5}"), "elicitation-keyword " A "/default\n", ""},
    {P("{\"type\":\"number\",\"default\":\"x\"}"), "elicitation-keyword " A "/default\n",
     "elicitation-value " A "/default\n"},
    {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"null\"}},\"required\":[\"a\",7,\"b\"]"
     "}",
     "elicitation-value /required\nelicitation-type " A "\n", NULL},
    /* Nothing is nested. */
    {P("{\"type\":\"object\",\"properties\":{}}"), "elicitation-type " A "\n", NULL},
    {P("{\"type\":[\"string\",\"null\"]}"), "elicitation-type " A "\n", NULL},
    {P("true"), "elicitation-type " A "\n", NULL},
    {"{\"type\":\"object\",\"properties\":{\"a/b~\":{\"type\":\"null\"}}}",
     "elicitation-type /properties/a~1b~0\n", NULL},
};

static void test_cases(void)
{
    struct cupel_text problems;
    cupel_text_init(&problems, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct elicitation_case *c = &cases[i];
        const char *newer = c->newer != NULL ? c->newer : c->older;
        check(c->schema, CUPEL_MCP_2025_06_18, &problems);
        bool good = CHECK_STR(problems.bytes, c->older);
        enum cupel_tool_verdict verdict = check(c->schema, CUPEL_MCP_2025_11_25, &problems);
        good &= CHECK_STR(problems.bytes, newer);
        CHECK_INT(verdict == CUPEL_TOOL_OK, *newer == '\0');
        CHECK_INT(check(c->schema, CUPEL_MCP_2026_07_28, &problems), verdict);
        if (!good)
            fprintf(stderr, "    %s\n", c->schema);
    }
    CHECK_INT(check(P("{\"type\":\"string\"}"), CUPEL_MCP_2025_03_26, &problems),
              CUPEL_TOOL_INVALID);
    CHECK_STR(problems.bytes, "elicitation-version \n");
    CHECK_INT(check("{\"type\":\"object\",\"properties\":{},\"required\":[\"a\"]}",
                    CUPEL_MCP_2026_07_28, &problems),
              CUPEL_TOOL_WARNING);
    cupel_text_free(&problems);
}

static int count(void *ctx, const struct cupel_rule_problem *problem)
{
    CHECK(problem->message[0] != '\0');
    return ++*(int *)ctx == 40;
}

static void test_bounds(void)
{
    struct cupel_text schema;
    struct cupel_document *doc = NULL;
    int calls = 0;
    cupel_text_init(&schema, NULL);
    cupel_text_adds(&schema, "{\"type\":\"object\",\"properties\":{\"\":true");
    for (int i = 0; i < 1000; i++)
        cupel_text_addf(&schema, ",\"%d\":true", i);
    cupel_text_adds(&schema, "}}");
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, schema.bytes, schema.len, NULL), CUPEL_OK);
    CHECK_INT(cupel_elicitation_check(doc, 0, CUPEL_MCP_2026_07_28, NULL, count, &calls, NULL),
              CUPEL_TOOL_INVALID);
    CHECK_INT(calls, 32);
    cupel_document_free(doc);
    cupel_text_free(&schema);
}

/* The choices are told apart byte by byte. */
static void test_choices(void)
{
    static const char *const defaults[][2] = {{"[\"y\"]", ""},
                                              {"[\"z\",\"x\"]", "/default"},
                                              {"[\"xy\"]", "/default"},
                                              {"[\"x\",\"y\"]", ""}};
    struct cupel_text schema, problems, want;
    cupel_text_init(&schema, NULL);
    cupel_text_init(&problems, NULL);
    cupel_text_init(&want, NULL);
    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
        bool good = *defaults[i][1] == '\0';
        cupel_text_clear(&schema);
        cupel_text_clear(&want);
        cupel_text_addf(&schema,
                        P("{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"x\","
                          "\"y\"]},\"default\":%s}"),
                        defaults[i][0]);
        cupel_text_addf(&want, "%s%s%s", good ? "" : "elicitation-agreement " A, defaults[i][1],
                        good ? "" : "\n");
        CHECK_INT(check(schema.bytes, CUPEL_MCP_2026_07_28, &problems),
                  good ? CUPEL_TOOL_OK : CUPEL_TOOL_WARNING);
        CHECK_MEM(problems.bytes, strlen(problems.bytes), want.len != 0 ? want.bytes : "");
    }
    cupel_text_free(&schema);
    cupel_text_free(&problems);
    cupel_text_free(&want);
}

static int stop(void *ctx, const struct cupel_rule_problem *problem)
{
    (void)problem;
    return ++*(int *)ctx == 2;
}

/* More than one mistake in a list: the first that is told ends it there too. */
static void test_stopping_in_lists(void)
{
    static const char *const schemas[] = {
        "{\"type\":\"object\",\"properties\":{},\"required\":[\"a\",\"b\",\"c\"]}",
        P("{\"type\":\"string\",\"oneOf\":[{},{},{}]}"),
    };
    for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++) {
        struct cupel_document *doc = NULL;
        int calls = 0;
        CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
        CHECK_INT(cupel_document_read(doc, schemas[i], strlen(schemas[i]), NULL), CUPEL_OK);
        CHECK(cupel_elicitation_check(doc, 0, CUPEL_MCP_2026_07_28, NULL, stop, &calls, NULL) !=
              CUPEL_TOOL_OK);
        CHECK_INT(calls, 2);
        cupel_document_free(doc);
    }
}

/* Whoever is told ends it, wherever that is; the verdict stands. */
static void test_stopping(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cupel_document *doc = NULL;
        CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
        CHECK_INT(cupel_document_read(doc, cases[i].schema, strlen(cases[i].schema), NULL),
                  CUPEL_OK);
        for (int first = 0; first < 2; first++) {
            int calls = first;
            enum cupel_tool_verdict verdict =
                cupel_elicitation_check(doc, 0, CUPEL_MCP_2025_06_18, NULL, stop, &calls, NULL);
            CHECK(calls <= 2 && (verdict == CUPEL_TOOL_OK) == (calls == first));
        }
        cupel_document_free(doc);
    }
}

/* Without memory nothing is good. */
static void test_memory(const char *schema)
{
    for (unsigned long n = 1; n < 1000; n++) {
        struct test_alloc t = {.fail_at = n};
        struct cupel_document *doc = NULL;
        struct cupel_options options;
        enum cupel_status status = CUPEL_OK;
        int calls = 0;
        cupel_options_init(&options);
        options.alloc = test_allocator(&t);
        CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
        CHECK_INT(cupel_document_read(doc, schema, strlen(schema), NULL), CUPEL_OK);
        enum cupel_tool_verdict verdict =
            cupel_elicitation_check(doc, 0, CUPEL_MCP_2026_07_28, &options, count, &calls, &status);
        CHECK(status == CUPEL_E_NO_MEMORY ? verdict == CUPEL_TOOL_INVALID : t.requests < n);
        cupel_document_free(doc);
        CHECK_INT(t.live, 0);
        if (t.requests < n)
            return;
    }
    CHECK_STR("the loop", "ended");
}

int main(void)
{
    test_cases();
    test_bounds();
    test_choices();
    test_stopping();
    test_stopping_in_lists();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        test_memory(cases[i].schema);
    return test_end();
}
