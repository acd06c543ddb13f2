/* test_target.c: what vendors of models take of a tool: what a check says of each keyword and
 * where, what an export writes, and that what it writes is taken. */
#include "test.h"
#include <cupel/cupel.h>

/* -- Helpers ---------------------------------------------------------------------------------- */

/* Keeps problems as "rule pointer" a line. */
static int on_problem(void *ctx, const struct cupel_rule_problem *problem)
{
    cupel_text_addf(ctx, "%s %s\n", problem->rule, problem->pointer);
    return 0;
}

static struct cupel_document *read(const char *text)
{
    struct cupel_document *doc = NULL;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, text, strlen(text), NULL), CUPEL_OK);
    return doc;
}

/* A definition around a schema. */
static void wrap(struct cupel_text *text, const char *schema)
{
    cupel_text_clear(text);
    cupel_text_addf(text, "{\"name\":\"t\",\"inputSchema\":%s,\"_meta\":{\"a\": 1}}", schema);
}

/* -- Cases ------------------------------------------------------------------------------------ */

enum {
    OPENAI = CUPEL_TARGET_OPENAI,
    STRICT = CUPEL_TARGET_OPENAI_STRICT,
    ANTHROPIC = CUPEL_TARGET_ANTHROPIC,
    GEMINI = CUPEL_TARGET_GEMINI
};

#define PROPERTY(text) "{\"type\":\"object\",\"properties\":{\"a\":" text "}}"
#define CLOSED(text)                                                             \
    "{\"type\":\"object\",\"properties\":{\"a\":" text "},\"required\":[\"a\"]," \
    "\"additionalProperties\":false}"

static const struct target_case {
    int target;
    const char *schema, *problems, *exported; /* NULL: as it is */
} cases[] = {
    {OPENAI,
     PROPERTY("{\"type\":\"string\",\"description\":\"d\",\"enum\":[\"x\"],\"default\":"
              "\"x\",\"minLength\":1}"),
     "", NULL},
    {OPENAI, PROPERTY("{\"oneOf\":[{\"pattern\":\"x\"}]}"),
     "target-keyword /properties/a/oneOf\ntarget-keyword /properties/a/oneOf/0/pattern\n",
     PROPERTY("{\"anyOf\":[{}]}")},
    {OPENAI, PROPERTY("{\"title\":\"oneOf\",\"x-y\":{\"oneOf\":[]},\"default\":{\"oneOf\":[]}}"),
     "target-remark /properties/a/title\n",
     PROPERTY("{\"x-y\":{\"oneOf\":[]},\"default\":{\"oneOf\":[]}}")},
    /* A property may be called as a keyword is. */
    {OPENAI, "{\"type\":\"object\",\"properties\":{\"oneOf\":{\"type\":\"null\"}}}", "", NULL},
    {OPENAI, PROPERTY("{\"type\":\"array\",\"items\":{\"not\":{}}}"),
     "target-keyword /properties/a/items/not\n", PROPERTY("{\"type\":\"array\",\"items\":{}}")},
    {OPENAI, PROPERTY("{\"type\":\"array\",\"items\":[{}]}"),
     "target-keyword /properties/a/items\ntarget-items /properties/a\n",
     PROPERTY("{\"type\":\"array\",\"items\":{}}")},
    /* What stands in the place of no schema is all that is written of items. */
    {OPENAI, PROPERTY("{\"type\":\"array\",\"items\":true}"),
     "target-boolean /properties/a/items\n", PROPERTY("{\"type\":\"array\",\"items\":{}}")},
    {OPENAI, "{\"type\":\"object\",\"enum\":[{}]}", "target-root /enum\n", "{\"type\":\"object\"}"},
    {OPENAI, "{\"type\":\"object\",\"additionalProperties\":{\"format\":\"x\"}}",
     "target-keyword /additionalProperties/format\n",
     "{\"type\":\"object\",\"additionalProperties\":{}}"},
    {ANTHROPIC, "{\"type\":\"object\",\"anyOf\":[{}]}", "target-root /anyOf\n",
     "{\"type\":\"object\"}"},
    {ANTHROPIC, PROPERTY("{\"anyOf\":[{\"type\":\"null\"},{\"pattern\":\"x\"}]}"),
     "target-keyword /properties/a/anyOf/1/pattern\n",
     PROPERTY("{\"anyOf\":[{\"type\":\"null\"},{}]}")},
    {ANTHROPIC, PROPERTY("{\"oneOf\":[{\"type\":\"null\"}],\"anyOf\":[{}]}"),
     "target-keyword /properties/a/oneOf\n", PROPERTY("{\"anyOf\":[{}]}")},
    {STRICT, CLOSED("{\"type\":\"string\",\"pattern\":\"x\",\"format\":\"uuid\"}"), "", NULL},
    {STRICT, CLOSED("{\"type\":\"string\",\"minLength\":1,\"format\":\"uri\"}"),
     "target-keyword /properties/a/minLength\ntarget-value /properties/a/format\n",
     CLOSED("{\"type\":\"string\"}")},
    {STRICT, PROPERTY("{\"type\":\"string\"}"), "target-required /properties/a\ntarget-closed \n",
     CLOSED("{\"type\":[\"string\",\"null\"]}")},
    {STRICT, PROPERTY("{\"enum\":[\"x\"]}"), "target-required /properties/a\ntarget-closed \n",
     CLOSED("{\"anyOf\":[{\"enum\":[\"x\"]},{\"type\":\"null\"}]}")},
    {STRICT, "{\"type\":\"object\",\"additionalProperties\":true}",
     "target-closed /additionalProperties\n",
     "{\"type\":\"object\",\"properties\":{},\"required\":[],\"additionalProperties\":false}"},
    /* What a generator makes that puts everything into definitions. */
    {STRICT, "{\"type\":\"object\",\"$ref\":\"#/$defs/T\",\"$defs\":{\"T\":" CLOSED("{}") "}}",
     "target-root /$ref\ntarget-closed \n",
     "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"],"
     "\"additionalProperties\":false,\"$defs\":{\"T\":" CLOSED("{}") "}}"},
    {GEMINI, PROPERTY("{\"type\":[\"string\",\"null\"]}"), "target-value /properties/a/type\n",
     PROPERTY("{\"type\":\"string\",\"nullable\":true}")},
    {GEMINI, PROPERTY("{\"type\":[\"string\",\"number\"],\"multipleOf\":2}"),
     "target-value /properties/a/type\ntarget-keyword /properties/a/multipleOf\n",
     PROPERTY("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]}")},
    {GEMINI, PROPERTY("{\"type\":[\"array\",\"null\",\"string\"]}"),
     "target-value /properties/a/type\ntarget-items /properties/a\n",
     PROPERTY(
         "{\"anyOf\":[{\"type\":\"array\",\"items\":{}},{\"type\":\"null\"},{\"type\":\"string\"}],"
         "\"items\":{}}")},
    {GEMINI, PROPERTY("{\"type\":[\"string\",\"null\"],\"nullable\":false}"),
     "target-value /properties/a/type\n", PROPERTY("{\"type\":\"string\",\"nullable\":false}")},
    {GEMINI, PROPERTY("{\"const\":\"x\"}"), "target-value /properties/a/const\n",
     PROPERTY("{\"enum\":[\"x\"]}")},
    {GEMINI, PROPERTY("{\"const\":1,\"enum\":[1]}"),
     "target-value /properties/a/const\ntarget-value /properties/a/enum\n", PROPERTY("{}")},
    {GEMINI, "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/a~1b\",\"x\":1}},\"$defs\":{\"a/b\":{}}}",
     "target-remark /properties/a/x\n",
     "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/a~1b\"}},\"$defs\":{\"a/b\":{}}}"},
    {GEMINI, PROPERTY("{\"$ref\":\"#/$defs/none\"}"), "target-reference /properties/a/$ref\n",
     PROPERTY("{}")},
    {STRICT, CLOSED("{\"$ref\":7}"), "target-reference /properties/a/$ref\n", CLOSED("{}")},
    {GEMINI, PROPERTY("true"), "target-boolean /properties/a\n", PROPERTY("{}")},
};

static void check_case(const struct target_case *c)
{
    struct cupel_text text, problems, exported;
    cupel_text_init(&text, NULL);
    cupel_text_init(&problems, NULL);
    cupel_text_init(&exported, NULL);
    enum cupel_target target = (enum cupel_target)c->target;
    wrap(&text, c->schema);
    struct cupel_document *doc = read(text.bytes);
    CHECK_INT(cupel_target_check(doc, 0, target, NULL, on_problem, &problems), CUPEL_OK);
    cupel_text_add(&problems, "", 0);
    bool good = CHECK_STR(problems.bytes, c->problems);
    CHECK_INT(cupel_target_export(doc, 0, target, NULL, &exported, NULL, NULL), CUPEL_OK);
    wrap(&text, c->exported != NULL ? c->exported : c->schema);
    good &= CHECK_STR(exported.bytes, text.bytes);
    if (!good)
        fprintf(stderr, "    target %d: %s\n", (int)target, c->schema);
    cupel_document_free(doc);
    cupel_text_free(&text);
    cupel_text_free(&problems);
    cupel_text_free(&exported);
}

/* -- References ------------------------------------------------------------------------------- */

static const struct reference_case {
    const char *schema, *changes, *exported;
} references[] = {
    {"{\"properties\":{\"a\":{\"$ref\":\"#/$defs/T%7E1x\",\"description\":\"mine\"},"
     "\"b\":{\"$ref\":\"#/$defs/T~1x\"}},\"$defs\":{\"T/x\":{\"type\":\"string\",\"format\":\"f\","
     "\"description\":\"its\"}}}",
     "target-reference /properties/a/$ref\ntarget-keyword /$defs/T~1x/format\n"
     "target-remark /$defs/T~1x/description\ntarget-reference /properties/b/$ref\n"
     "target-remark /$defs\n",
     "{\"properties\":{\"a\":{\"type\":\"string\",\"description\":\"mine\"},"
     "\"b\":{\"type\":\"string\",\"description\":\"its\"}}}"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#\"}}}", "target-reference /properties/a/$ref\n",
     "{\"properties\":{\"a\":{}}}"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"items\":{\"$ref\":"
     "\"https://x.example/y\"}}},\"$defs\":{\"b\":{\"$ref\":\"#/$defs/c\"},\"c\":{\"$ref\":"
     "\"#/$defs/b\",\"type\":\"null\"}}}",
     "target-reference /properties/a/$ref\ntarget-reference /$defs/b/$ref\n"
     "target-reference /$defs/c/$ref\ntarget-reference /properties/b/items/$ref\n"
     "target-remark /$defs\n",
     "{\"properties\":{\"a\":{\"type\":\"null\"},\"b\":{\"items\":{}}}}"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#/x/1\"}},\"x\":[0,{\"type\":\"null\"}]}",
     "target-reference /properties/a/$ref\n",
     "{\"properties\":{\"a\":{\"type\":\"null\"}},\"x\":[0,{\"type\":\"null\"}]}"},
    /* An array here and where the reference leads; the items are written once. */
    {"{\"properties\":{\"a\":{\"type\":\"array\",\"$ref\":\"#/x\"}},\"x\":{\"type\":\"array\"}}",
     "target-reference /properties/a/$ref\ntarget-remark /x/type\ntarget-items /properties/a\n",
     "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{}}},\"x\":{\"type\":\"array\"}}"},
    /* A choice beside the reference counts, whichever of the two kinds it is. */
    {"{\"properties\":{\"a\":{\"$ref\":\"#/x\",\"anyOf\":[{}]},\"b\":{\"$ref\":\"#/"
     "x\"}},\"x\":{\"anyOf\":[true],"
     "\"oneOf\":[{\"type\":\"null\"}]}}",
     "target-reference /properties/a/$ref\ntarget-keyword /x/anyOf\ntarget-keyword /x/oneOf\n"
     "target-reference /properties/b/$ref\ntarget-boolean /x/anyOf/0\n",
     "{\"properties\":{\"a\":{\"anyOf\":[{}]},\"b\":{\"anyOf\":[{}]}},\"x\":{\"anyOf\":[true],"
     "\"oneOf\":[{\"type\":\"null\"}]}}"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#/"
     "x\",\"oneOf\":[{}]}},\"x\":{\"anyOf\":[{}],\"oneOf\":[{\"type\":\"null\"}]}}",
     "target-reference /properties/a/$ref\ntarget-keyword /x/anyOf\ntarget-keyword /x/oneOf\n"
     "target-keyword /properties/a/oneOf\n",
     "{\"properties\":{\"a\":{\"anyOf\":[{}]}},\"x\":{\"anyOf\":[{}],\"oneOf\":[{\"type\":\"null\"}"
     "]}}"},
    /* Of two bounds the tighter is written, whichever comes first, and as it is written. */
    {"{\"properties\":{\"a\":{\"minimum\":-1.50,\"$ref\":\"#/"
     "x\",\"maxLength\":3}},\"x\":{\"minimum\":-15e-1,"
     "\"maxLength\":2,\"$ref\":\"#/y\"},\"y\":{\"minimum\":1e1}}",
     "target-reference /properties/a/$ref\ntarget-remark /x/minimum\ntarget-remark /x/maxLength\n"
     "target-reference /x/$ref\ntarget-remark /y/minimum\n",
     "{\"properties\":{\"a\":{\"minimum\":1e1,\"maxLength\":2}},\"x\":{\"minimum\":-15e-1,"
     "\"maxLength\":2,"
     "\"$ref\":\"#/y\"},\"y\":{\"minimum\":1e1}}"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#/x%2!\"}},\"x%2!\":{\"type\":\"null\"}}",
     "target-reference /properties/a/$ref\n",
     "{\"properties\":{\"a\":{\"type\":\"null\"}},\"x%2!\":{\"type\":\"null\"}}"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#/x\",\"items\":{}}},\"x\":{\"type\":\"array\"}}",
     "target-reference /properties/a/$ref\n",
     "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{}}},\"x\":{\"type\":\"array\"}}"},
};

static void test_references(void)
{
    for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
        const struct reference_case *c = &references[i];
        struct cupel_text text, changes, exported;
        cupel_text_init(&text, NULL);
        cupel_text_init(&changes, NULL);
        cupel_text_init(&exported, NULL);
        wrap(&text, c->schema);
        struct cupel_document *doc = read(text.bytes);
        CHECK_INT(
            cupel_target_export(doc, 0, CUPEL_TARGET_OPENAI, NULL, &exported, on_problem, &changes),
            CUPEL_OK);
        CHECK_STR(changes.bytes, c->changes);
        wrap(&text, c->exported);
        CHECK_STR(exported.bytes, text.bytes);
        cupel_document_free(doc);
        cupel_text_free(&text);
        cupel_text_free(&changes);
        cupel_text_free(&exported);
    }
}

/* References that double at every level are refused at the limit, and quickly. */
static void test_bomb(void)
{
    struct cupel_text text, schema;
    cupel_text_init(&text, NULL);
    cupel_text_init(&schema, NULL);
    cupel_text_adds(&schema, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 60; i++)
        cupel_text_addf(&schema,
                        "\"d%d\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d%d\"},"
                        "\"b\":{\"$ref\":\"#/$defs/d%d\"}}},",
                        i, i + 1, i + 1);
    cupel_text_adds(&schema, "\"d60\":{}}}");
    wrap(&text, schema.bytes);
    struct cupel_document *doc = read(text.bytes);
    cupel_text_clear(&text);
    CHECK_INT(cupel_target_export(doc, 0, CUPEL_TARGET_OPENAI, NULL, &text, NULL, NULL),
              CUPEL_E_SCHEMA_SIZE);
    CHECK_INT(text.len, 0);
    CHECK_INT(cupel_target_check(doc, 0, CUPEL_TARGET_OPENAI, NULL, NULL, NULL), CUPEL_OK);
    cupel_document_free(doc);
    cupel_text_free(&text);
    cupel_text_free(&schema);
}

/* -- The rest --------------------------------------------------------------------------------- */

#define N10 "abcdefghij"
#define N60 N10 N10 N10 N10 N10 N10

static void test_names(void)
{
    static const struct {
        const char *name;
        bool taken[4]; /* openai, openai-strict, anthropic, gemini */
    } names[] = {
        {"get_it-2", {true, true, true, true}},      {"a.b", {false, false, false, true}},
        {"a:b", {false, false, false, true}},        {"2a", {true, true, true, false}},
        {"a b", {false, false, false, false}},       {"", {false, false, false, false}},
        {"\\u0000", {false, false, false, false}},   {"{a", {false, false, false, false}},
        {"Get", {true, true, true, true}},           {"_get", {true, true, true, true}},
        {"[get", {false, false, false, false}},      {N60 "abcd", {true, true, true, true}},
        {N60 "abcde", {false, false, false, false}},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct cupel_text text, problems;
        cupel_text_init(&text, NULL);
        cupel_text_init(&problems, NULL);
        cupel_text_addf(&text, "{\"name\":\"%s\",\"inputSchema\":{}}", names[i].name);
        struct cupel_document *doc = read(text.bytes);
        for (int t = 1; t <= 4; t++) {
            cupel_text_clear(&problems);
            cupel_text_add(&problems, "", 0);
            CHECK_INT(cupel_target_check(doc, 0, (enum cupel_target)t, NULL, on_problem, &problems),
                      CUPEL_OK);
            CHECK_STR(problems.bytes, names[i].taken[t - 1] ? "" : "target-name /name\n");
        }
        cupel_document_free(doc);
        cupel_text_free(&text);
        cupel_text_free(&problems);
    }
}

static int on_message(void *ctx, const struct cupel_rule_problem *problem)
{
    cupel_text_addf(ctx, "%s\n", problem->message);
    return 0;
}

static int stop(void *ctx, const struct cupel_rule_problem *problem)
{
    (void)problem;
    ++*(int *)ctx;
    return 1;
}

static void test_interface(void)
{
    enum cupel_target target = CUPEL_TARGET_NONE;
    CHECK_INT(cupel_target_find("openai-strict", 13, &target), CUPEL_OK);
    CHECK_INT(target, CUPEL_TARGET_OPENAI_STRICT);
    CHECK_INT(cupel_target_find("none", 4, &target), CUPEL_E_ARGUMENT);
    struct cupel_document *doc = read("[{\"name\":\"t\"},{\"inputSchema\":true},7,"
                                      "{\"inputSchema\":{\"not\":{},\"allOf\":[]}}]");
    uint32_t node = cupel_json_first(doc, 0);
    for (int i = 0; i < 3; i++, node = cupel_json_next(doc, 0, node))
        CHECK_INT(cupel_target_check(doc, node, target, NULL, NULL, NULL), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_target_check(doc, node, CUPEL_TARGET_NONE, NULL, NULL, NULL), CUPEL_E_ARGUMENT);
    int calls = 0;
    CHECK_INT(cupel_target_check(doc, node, target, NULL, stop, &calls), CUPEL_OK);
    CHECK_INT(calls, 1);
    cupel_document_free(doc);
}

/* What is told of a name that stands behind the schema, once for each export. */
static void test_name_behind(void)
{
    struct cupel_text text, changes;
    struct cupel_document *doc = read("{\"inputSchema\":{},\"name\":\"a name behind the schema\"}");
    cupel_text_init(&text, NULL);
    cupel_text_init(&changes, NULL);
    CHECK_INT(cupel_target_export(doc, 0, CUPEL_TARGET_OPENAI, NULL, &text, on_problem, &changes),
              CUPEL_OK);
    CHECK(changes.len != 0 && strstr(changes.bytes, "target-name /name\n") != NULL);
    cupel_document_free(doc);
    cupel_text_free(&text);
    cupel_text_free(&changes);
}

/* Names of keywords are told as they are if they are words, else in quotes. */
static void test_quoted(void)
{
    static const char *const names[][2] = {
        {"a_B9-$", "a_B9-$"},
        {"", "\"\""},
        {"a b", "\"a b\""},
        {"{a", "\"{a\""},
        {"[a", "\"[a\""},
        {"a:b", "\"a:b\""},
        {"a/b", "\"a/b\""},
        {"0", "0"},
        {"^a", "\"^a\""},
        {N60 "abcd", N60 "abcd"},
        {N60 "abcde", "\"" N60 "abcd…\""},
        {"\xc3\xa9", "\"\xc3\xa9\""},
        {"@", "@"},
        {"`", "\"`\""},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct cupel_text text, want;
        cupel_text_init(&text, NULL);
        cupel_text_init(&want, NULL);
        cupel_text_addf(&text, "{\"inputSchema\":{\"type\":\"object\",\"properties\":{},\"%s\":1}}",
                        names[i][0]);
        cupel_text_addf(&want, "gemini does not take %s\n", names[i][1]);
        struct cupel_document *doc = read(text.bytes);
        cupel_text_clear(&text);
        CHECK_INT(cupel_target_check(doc, 0, CUPEL_TARGET_GEMINI, NULL, on_message, &text),
                  CUPEL_OK);
        CHECK_MEM(text.bytes != NULL ? text.bytes : "", text.len, want.bytes);
        cupel_document_free(doc);
        cupel_text_free(&text);
        cupel_text_free(&want);
    }
}

/* Whoever is told of one problem and stops is told of no other. */
static void test_stopping(void)
{
    struct cupel_document *doc =
        read("{\"name\":\"a b\",\"inputSchema\":{\"not\":{},\"oneOf\":[{}],\"properties\":{\"a\":"
             "{\"pattern\":\"x\",\"not\":{}},\"b\":{\"pattern\":\"x\",\"$ref\":\"#/x\"}}}}");
    for (int target = 1; target <= 4; target++) {
        struct cupel_text text;
        int calls = 0;
        cupel_text_init(&text, NULL);
        CHECK_INT(cupel_target_check(doc, 0, (enum cupel_target)target, NULL, stop, &calls),
                  CUPEL_OK);
        CHECK_INT(calls, 1);
        CHECK_INT(cupel_target_export(doc, 0, (enum cupel_target)target, NULL, &text, stop, &calls),
                  CUPEL_OK);
        CHECK_INT(calls, 2);
        cupel_text_free(&text);
    }
    cupel_document_free(doc);
}

/* A catalog with a target has its problems among the others. */
static void test_catalog(void)
{
    static const char list[] = "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\","
                               "\"properties\":{\"a\":{\"pattern\":\"x\",\"title\":\"y\"}}}}]";
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    options.target = CUPEL_TARGET_OPENAI;
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, sizeof(list) - 1, NULL), CUPEL_OK);
    const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
    CHECK_INT(tool->verdict, CUPEL_TOOL_WARNING);
    if (CHECK_INT(tool->problem_count, 2)) {
        CHECK_STR(tool->problems[0].rule, "target-keyword");
        CHECK_STR(tool->problems[0].pointer, "/properties/a/pattern");
        CHECK_INT(tool->problems[0].offset, strstr(list, "\"pattern\"") - list);
        CHECK_INT(tool->problems[1].severity, CUPEL_SEVERITY_INFO);
    }
    cupel_catalog_free(catalog);
}

static void test_memory(void)
{
    for (unsigned long n = 1; n < 1000; n++) {
        struct test_alloc t = {.fail_at = n};
        struct cupel_alloc alloc = test_allocator(&t);
        struct cupel_options options;
        struct cupel_text text, changes;
        cupel_options_init(&options);
        options.alloc = alloc;
        cupel_text_init(&text, &alloc);
        cupel_text_init(&changes, NULL);
        struct cupel_document *doc = read("{\"name\":\"a b\",\"inputSchema\":{\"properties\":{"
                                          "\"a\":{\"$ref\":\"#/$defs/b\"}},\"$defs\":{\"b\":{"
                                          "\"title\":\"x\",\"type\":\"array\"}}}}");
        enum cupel_status status =
            cupel_target_export(doc, 0, CUPEL_TARGET_OPENAI, &options, &text, on_problem, &changes);
        CHECK(status == CUPEL_OK || (status == CUPEL_E_NO_MEMORY && text.len == 0));
        cupel_document_free(doc);
        cupel_text_free(&text);
        cupel_text_free(&changes);
        CHECK_INT(t.live, 0);
        if (t.requests < n)
            return;
    }
    CHECK_STR("the loop", "ended");
}

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_case(&cases[i]);
    test_references();
    test_bomb();
    test_names();
    test_interface();
    test_name_behind();
    test_quoted();
    test_stopping();
    test_catalog();
    test_memory();
    return test_end();
}
