/* test_mcp.c: the library's MCP layer through its public header: rules of definitions, catalogs
 * that survive bad tools, answers to calls, and what happens without memory. */
#include "test.h"
#include <cupel/cupel.h>

#define LEN(s) (sizeof(s) - 1)

/* -- Helpers ---------------------------------------------------------------------------------- */

static struct cupel_catalog *new_catalog(enum cupel_mcp_profile profile, uint32_t flags)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    cupel_catalog_options_init(&options);
    options.profile = profile;
    options.flags = flags;
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    return catalog;
}

static struct cupel_catalog *catalog_of(const char *text)
{
    struct cupel_catalog *catalog = new_catalog(CUPEL_MCP_2026_07_28, 0);
    CHECK_INT(cupel_catalog_add(catalog, text, strlen(text), NULL), CUPEL_OK);
    return catalog;
}

/* The problems of a tool as "rule part pointer; …". */
static void list_problems(const struct cupel_tool *tool, struct cupel_text *text)
{
    for (uint32_t i = 0; i < tool->problem_count; i++) {
        const struct cupel_rule_problem *p = &tool->problems[i];
        cupel_text_addf(text, "%s%s %s %s", i != 0 ? "; " : "", p->rule, cupel_part_name(p->part),
                        p->pointer);
    }
    cupel_text_add(text, "", 0);
}

/* -- Rules ------------------------------------------------------------------------------------ */

#define INPUT   "\"inputSchema\":{\"type\":\"object\"}"
#define NAMED   "\"name\":\"t\","
#define P(text) "{" NAMED "\"inputSchema\":{\"type\":\"object\",\"properties\":{" text "}}}"
#define HEADER  "inputSchema /properties/a/x-mcp-header"

static const struct rule_case {
    enum cupel_mcp_profile profile; /* 0: the default */
    const char *definition;
    enum cupel_tool_verdict verdict;
    const char *problems;
} rule_cases[] = {
    {0, "{" NAMED INPUT "}", CUPEL_TOOL_OK, ""},
    {0, "{" NAMED INPUT ",\"unknown\":1}", CUPEL_TOOL_OK, ""},
    {0, "{" NAMED "\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false}}",
     CUPEL_TOOL_OK, ""},
    {0, "7", CUPEL_TOOL_INVALID, "definition-object tool "},
    {0, "{" INPUT "}", CUPEL_TOOL_INVALID, "name-missing tool "},
    {0, "{\"name\":1," INPUT "}", CUPEL_TOOL_INVALID, "name-type tool /name"},
    {0, "{\"name\":\"\"," INPUT "}", CUPEL_TOOL_WARNING, "name-length tool /name"},
    {0, "{\"name\":\"my tool\"," INPUT "}", CUPEL_TOOL_WARNING, "name-characters tool /name"},
    {0, "{\"name\":\"a,b\"," INPUT "}", CUPEL_TOOL_WARNING, "name-characters tool /name"},
    {0, "{\"name\":\"admin.tools-list_2\"," INPUT "}", CUPEL_TOOL_OK, ""},
    {0, "{" NAMED INPUT ",\"title\":1,\"description\":[],\"_meta\":0}", CUPEL_TOOL_INVALID,
     "title-type tool /title; description-type tool /description; meta-type tool /_meta"},
    {0, "{" NAMED INPUT ",\"annotations\":[]}", CUPEL_TOOL_INVALID,
     "annotations-type tool /annotations"},
    {0, "{" NAMED INPUT ",\"annotations\":{\"title\":1,\"openWorldHint\":\"no\"}}",
     CUPEL_TOOL_INVALID,
     "annotations-type tool /annotations/title; hint-type tool /annotations/openWorldHint"},
    {0, "{" NAMED INPUT ",\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":null}}",
     CUPEL_TOOL_WARNING, "hint-type tool /annotations/destructiveHint"},
    {0, "{" NAMED INPUT ",\"annotations\":{\"readOnlyHint\":1,\"destructiveHint\":true}}",
     CUPEL_TOOL_WARNING, "hint-type tool /annotations/readOnlyHint"},
    {0, "{" NAMED INPUT ",\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":true}}",
     CUPEL_TOOL_WARNING, "hint-contradiction tool /annotations/destructiveHint"},
    {0, "{" NAMED INPUT ",\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false}}",
     CUPEL_TOOL_OK, ""},
    {0, "{" NAMED INPUT ",\"icons\":{}}", CUPEL_TOOL_INVALID, "icons-type tool /icons"},
    {0,
     "{" NAMED INPUT ",\"icons\":[{\"src\":\"https://e.org/i.png\",\"sizes\":[\"48x48\",\"any\"]"
     "},{\"src\":\"javascript:1\"},{\"src\":\"data:,\",\"sizes\":[\"big\"]},{}]}",
     CUPEL_TOOL_INVALID,
     "icon-source tool /icons/1; icon-field tool /icons/2; icons-type tool /icons/3"},
    {CUPEL_MCP_2025_06_18, "{" NAMED INPUT ",\"icons\":{}}", CUPEL_TOOL_OK, ""},
    {0, "{" NAMED INPUT ",\"execution\":{}}", CUPEL_TOOL_OK, "execution-obsolete tool /execution"},
    {CUPEL_MCP_2025_11_25, "{" NAMED INPUT ",\"execution\":{\"taskSupport\":\"maybe\"}}",
     CUPEL_TOOL_INVALID, "execution-type tool /execution/taskSupport"},
    {CUPEL_MCP_2025_11_25, "{" NAMED INPUT ",\"execution\":{\"taskSupport\":\"optional\"}}",
     CUPEL_TOOL_OK, ""},

    {0, "{\"name\":\"t\"}", CUPEL_TOOL_INVALID, "input-schema-missing tool "},
    {0, "{" NAMED "\"inputSchema\":null}", CUPEL_TOOL_INVALID, "schema-null inputSchema "},
    {0, "{" NAMED "\"inputSchema\":true}", CUPEL_TOOL_INVALID, "schema-object inputSchema "},
    {0, "{" NAMED "\"inputSchema\":{}}", CUPEL_TOOL_INVALID, "root-type inputSchema "},
    {0, "{" NAMED "\"inputSchema\":{\"type\":[\"object\"]}}", CUPEL_TOOL_INVALID,
     "root-type inputSchema /type"},
    {0, "{" NAMED "\"inputSchema\":{\"type\":\"string\"}}", CUPEL_TOOL_INVALID,
     "root-type inputSchema /type"},
    {0, "{" NAMED "\"inputSchema\":{\"type\":\"object\",\"$schema\":\"http://e.org/no\"}}",
     CUPEL_TOOL_INVALID, "schema-dialect inputSchema /$schema"},
    {0, P("\"a\":{\"type\":\"any\"}"), CUPEL_TOOL_INVALID,
     "schema-invalid inputSchema /properties/a/type"},
    {0, P("\"a\":{\"$ref\":\"http://127.0.0.1:1/x\"}"), CUPEL_TOOL_INVALID,
     "schema-reference inputSchema /properties/a/$ref"},
    {0, P("\"a\":{\"pattern\":\"(\"}"), CUPEL_TOOL_INVALID,
     "schema-pattern inputSchema /properties/a/pattern"},
    {0, P("\"a\":{\"pattern\":\"^(?!x)a\"}"), CUPEL_TOOL_WARNING,
     "pattern-portable inputSchema /properties/a/pattern"},
    {0, P("\"a\":{\"patternProperties\":{\"(a)\\\\1\":true}}"), CUPEL_TOOL_WARNING,
     "pattern-portable inputSchema /properties/a/patternProperties/(a)\\1"},
    {0,
     P("\"a\":{\"pattern\":\"[(?!]\\\\(?=?(?:a)\"},\"pattern\":{\"const\":{\"pattern\":\"(?=a)\"}"
       "}"),
     CUPEL_TOOL_OK, ""},
    {0, "{" NAMED INPUT ",\"outputSchema\":{\"type\":\"array\"}}", CUPEL_TOOL_OK, ""},
    {CUPEL_MCP_2025_11_25, "{" NAMED INPUT ",\"outputSchema\":{\"type\":\"array\"}}",
     CUPEL_TOOL_INVALID, "root-type outputSchema /type"},
    {CUPEL_MCP_2024_11_05, "{" NAMED INPUT ",\"outputSchema\":{\"type\":\"array\"}}", CUPEL_TOOL_OK,
     ""},
    {0, "{" NAMED INPUT ",\"outputSchema\":{\"minLength\":-1}}", CUPEL_TOOL_INVALID,
     "schema-invalid outputSchema /minLength"},
    {CUPEL_MCP_2025_11_25, P("\"a\":true"), CUPEL_TOOL_OK,
     "property-boolean inputSchema /properties"},

    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}"), CUPEL_TOOL_OK, ""},
    {0,
     P("\"o\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\",\"x-mcp-header\":"
       "\"A\"}}}"),
     CUPEL_TOOL_OK, ""},
    {0, P("\"x-mcp-header\":{\"type\":\"string\"}"), CUPEL_TOOL_OK, ""},
    {0, P("\"a\":{\"const\":{\"x-mcp-header\":1}}"), CUPEL_TOOL_OK, ""},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}"), CUPEL_TOOL_INVALID,
     "header-value " HEADER},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":7}"), CUPEL_TOOL_INVALID,
     "header-value " HEADER},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a:b\"}"), CUPEL_TOOL_INVALID,
     "header-token " HEADER},
    {0, P("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a\\tb\"}"), CUPEL_TOOL_INVALID,
     "header-token " HEADER},
    {0, P("\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}"), CUPEL_TOOL_INVALID,
     "header-property-type " HEADER},
    {0, P("\"a\":{\"type\":[\"string\"],\"x-mcp-header\":\"A\"}"), CUPEL_TOOL_INVALID,
     "header-property-type " HEADER},
    {0, P("\"a\":{\"x-mcp-header\":\"A\"}"), CUPEL_TOOL_INVALID, "header-property-type " HEADER},
    {0,
     P("\"b\":{\"type\":\"string\",\"x-mcp-header\":\"my\"},"
       "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"My\"}"),
     CUPEL_TOOL_INVALID, "header-unique " HEADER},
    {0, P("\"a\":{\"anyOf\":[{\"type\":\"string\",\"x-mcp-header\":\"X\"}]}"), CUPEL_TOOL_INVALID,
     "header-place inputSchema /properties/a/anyOf/0/x-mcp-header"},
    {0,
     P("\"a\":{\"items\":{\"properties\":{\"b\":{\"type\":\"string\",\"x-mcp-header\":\"X\"}}}}"),
     CUPEL_TOOL_INVALID, "header-place inputSchema /properties/a/items/properties/b/x-mcp-header"},
    {0, "{" NAMED "\"inputSchema\":{\"type\":\"object\",\"x-mcp-header\":\"X\"}}",
     CUPEL_TOOL_INVALID, "header-place inputSchema /x-mcp-header"},
    {0,
     "{" NAMED "\"inputSchema\":{\"type\":\"object\",\"$defs\":{\"d/e\":{\"type\":\"string\","
     "\"x-mcp-header\":\"X\"}}}}",
     CUPEL_TOOL_INVALID, "header-place inputSchema /$defs/d~1e/x-mcp-header"},
    {CUPEL_MCP_2025_11_25, P("\"a\":{\"type\":\"number\",\"x-mcp-header\":\"\"}"), CUPEL_TOOL_OK,
     ""},

    {0, "{" NAMED "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{},\"\\u0061\":{}}}}",
     CUPEL_TOOL_INVALID, "duplicate-key tool /inputSchema/properties/a"},
};

static void test_rules(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof(rule_cases) / sizeof(rule_cases[0]); i++) {
        const struct rule_case *c = &rule_cases[i];
        struct cupel_catalog *catalog =
            new_catalog(c->profile != 0 ? c->profile : CUPEL_MCP_2026_07_28, 0);
        cupel_text_clear(&text);
        cupel_text_addf(&text, "{\"tools\":[%s]}", c->definition);
        bool ok = CHECK_INT(cupel_catalog_add(catalog, text.bytes, text.len, NULL), CUPEL_OK);
        const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
        cupel_text_clear(&text);
        if (ok && CHECK(tool != NULL)) {
            list_problems(tool, &text);
            ok = CHECK_STR(text.bytes, c->problems);
            ok = CHECK_INT(tool->verdict, c->verdict) && ok;
        }
        if (!ok)
            fprintf(stderr, "    definition %s\n", c->definition);
        cupel_catalog_free(catalog);
    }
    cupel_text_free(&text);
}

/* Keys and references of all kinds of characters are told of in pointers and quotes that are UTF-8
 * and keep to their bounds, wherever these cut. */
static void test_strange_keys(void)
{
    static const char *const keys[] = {"~",
                                       "a/b~1",
                                       "\\u0001\\u001f",
                                       "\x7f",
                                       "\xc3\xa9",
                                       "\xe2\x82\xac",
                                       "\xf0\x9f\x98\x80",
                                       "Az_9-$",
                                       "{",
                                       "[",
                                       ":",
                                       "`",
                                       "^ ",
                                       "\\u202e",
                                       "\xf3\xa0\x81\x81\xf3\xa0\x81\xbf"};
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        for (unsigned times = 1; times < 400; times = times * 3 + 1) {
            struct cupel_catalog *catalog = new_catalog(CUPEL_MCP_2026_07_28, 0);
            cupel_text_clear(&text);
            cupel_text_adds(&text, "{\"tools\":[{\"name\":\"");
            for (unsigned k = 0; k < times; k++)
                cupel_text_adds(&text, keys[i]);
            cupel_text_adds(&text, "\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"");
            for (unsigned k = 0; k < times; k++)
                cupel_text_adds(&text, keys[i]);
            cupel_text_adds(&text, "\":{\"type\":\"strng\",\"$ref\":\"http://a/");
            for (unsigned k = 0; k < times; k++)
                cupel_text_adds(&text, keys[i]);
            cupel_text_adds(&text, "\",\"x-mcp-header\":\"a b\"}}}}]}");
            CHECK_INT(cupel_catalog_add(catalog, text.bytes, text.len, NULL), CUPEL_OK);
            const struct cupel_tool *tool = cupel_catalog_tool(catalog, 0);
            if (CHECK(tool != NULL)) {
                CHECK(tool->verdict != CUPEL_TOOL_OK);
                cupel_text_clear(&text);
                list_problems(tool, &text);
                CHECK(text.len > 0);
            }
            cupel_catalog_free(catalog);
        }
    }
    cupel_text_free(&text);
}

static void test_name_lengths(void)
{
    char text[256];
    for (int n = 127; n <= 129; n++) {
        snprintf(
            text, sizeof(text), "[{\"name\":\"%.*s\"," INPUT "}]", n,
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        struct cupel_catalog *catalog = catalog_of(text);
        CHECK_INT(cupel_catalog_tool(catalog, 0)->verdict,
                  n <= 128 ? CUPEL_TOOL_OK : CUPEL_TOOL_WARNING);
        cupel_catalog_free(catalog);
    }
    struct cupel_catalog *strict = new_catalog(CUPEL_MCP_2026_07_28, CUPEL_CATALOG_STRICT_NAMES);
    static const char bad[] = "[{\"name\":\"a b\"," INPUT "}]";
    CHECK_INT(cupel_catalog_add(strict, bad, LEN(bad), NULL), CUPEL_OK);
    CHECK_INT(cupel_catalog_tool(strict, 0)->verdict, CUPEL_TOOL_INVALID);
    cupel_catalog_free(strict);
}

/* -- Catalogs --------------------------------------------------------------------------------- */

static void test_shapes(void)
{
    static const char *const shapes[] = {
        "[{" NAMED INPUT "}]",
        "{\"tools\":[{" NAMED INPUT "}],\"nextCursor\":\"\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{" NAMED INPUT "}]}}",
    };
    struct cupel_error err;
    for (size_t i = 0; i < 3; i++) {
        struct cupel_catalog *catalog = catalog_of(shapes[i]);
        CHECK_INT(cupel_catalog_count(catalog), 1);
        CHECK(cupel_catalog_find(catalog, "t", 1) == cupel_catalog_tool(catalog, 0));
        CHECK(cupel_catalog_find(catalog, "T", 1) == NULL);
        CHECK(cupel_catalog_tool(catalog, 1) == NULL);
        CHECK_INT(cupel_catalog_add(catalog, "{}", 2, &err), CUPEL_E_ARGUMENT);
        CHECK_INT(err.status, CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_catalog_add(catalog, "[", 1, &err), CUPEL_E_SYNTAX);
        CHECK_INT(cupel_catalog_add(catalog, "[] x", 4, NULL), CUPEL_E_TRAILING);
        CHECK_INT(cupel_catalog_count(catalog), 1);
        cupel_catalog_free(catalog);
    }
    /* Which of two lists is meant is not for cupel to guess, even beside a tool with a duplicate.
     */
    static const char two[] = "{\"tools\":[],\"tools\":[{\"a\":1,\"a\":1}]}";
    struct cupel_catalog *empty = new_catalog(CUPEL_MCP_2026_07_28, 0);
    CHECK_INT(cupel_catalog_add(empty, two, LEN(two), &err), CUPEL_E_DUPLICATE_KEY);
    CHECK_INT(err.status, CUPEL_E_DUPLICATE_KEY);
    cupel_catalog_free(empty);
    cupel_catalog_free(NULL);
}

/* A schema nested 500 deep is its tool's problem. */
static void test_siblings(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text, "[{\"name\":\"a\"," INPUT "},{\"name\":\"deep\",\"inputSchema\":");
    for (int i = 0; i < 500; i++)
        cupel_text_adds(&text, "{\"type\":\"object\",\"properties\":{\"p\":");
    cupel_text_adds(&text, "{}");
    for (int i = 0; i < 500; i++)
        cupel_text_adds(&text, "}}");
    cupel_text_adds(&text,
                    "},{\"name\":\"dup\",\"name\":\"z\"," INPUT "},{\"name\":\"b\"," INPUT "}]");
    struct cupel_catalog *catalog = catalog_of(text.bytes);
    CHECK_INT(cupel_catalog_count(catalog), 4);
    CHECK_INT(cupel_catalog_find(catalog, "a", 1)->verdict, CUPEL_TOOL_OK);
    CHECK_INT(cupel_catalog_find(catalog, "b", 1)->verdict, CUPEL_TOOL_OK);
    const struct cupel_tool *deep = cupel_catalog_find(catalog, "deep", 4);
    CHECK_INT(deep->verdict, CUPEL_TOOL_INVALID);
    CHECK_INT(deep->problem_count, 1);
    CHECK_STR(deep->problems[0].rule, "schema-depth");
    CHECK_INT(deep->problems[0].status, CUPEL_E_SCHEMA_DEPTH);
    CHECK_STR(cupel_catalog_tool(catalog, 2)->problems[0].rule, "duplicate-key");
    CHECK_INT(cupel_catalog_tool(catalog, 2)->problems[0].status, CUPEL_E_DUPLICATE_KEY);
    cupel_catalog_free(catalog);
    cupel_text_free(&text);
}

static void test_duplicate_names(void)
{
    struct cupel_catalog *catalog = catalog_of("[{\"name\":\"a\"," INPUT "},{\"name\":\"b\"," INPUT
                                               "},{\"name\":\"a\"," INPUT "}]");
    static const char other[] = "[{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\","
                                "\"required\":[\"x\"]}}]";
    CHECK_INT(cupel_catalog_find(catalog, "a", 1)->verdict, CUPEL_TOOL_WARNING);
    CHECK_INT(cupel_catalog_tool(catalog, 2)->verdict, CUPEL_TOOL_WARNING);
    CHECK_INT(cupel_catalog_find(catalog, "b", 1)->verdict, CUPEL_TOOL_OK);
    CHECK_INT(cupel_catalog_add(catalog, other, LEN(other), NULL), CUPEL_OK);
    CHECK_STR(cupel_catalog_find(catalog, "b", 1)->problems[0].rule, "name-duplicate");

    struct cupel_call_context *caller;
    struct cupel_text answer;
    struct cupel_call_outcome outcome;
    static const char call_a[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
        "{\"name\":\"a\"}}";
    static const char call_b[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
        "{\"name\":\"b\"}}";
    cupel_text_init(&answer, NULL);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    CHECK_INT(
        cupel_call_check(catalog, caller, call_a, LEN(call_a), NULL, &answer, NULL, NULL, NULL),
        CUPEL_CALL_VALID);
    CHECK_INT(
        cupel_call_check(catalog, caller, call_b, LEN(call_b), NULL, &answer, NULL, NULL, &outcome),
        CUPEL_CALL_UNDECIDED);
    CHECK_STR(outcome.reason, "tool-ambiguous");
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
    cupel_catalog_free(catalog);
}

/* Which of two schemas the server means is not for cupel to guess, wherever the second definition
 * stands and whichever of the tools the host hands over. */
static void test_two_output_schemas(void)
{
    static const char first[] = "{\"name\":\"a\"," INPUT ",\"outputSchema\":{\"type\":\"object\"}}";
    static const char others[][128] = {
        "{\"name\":\"a\"," INPUT "}",
        "{\"name\":\"a\"," INPUT ",\"outputSchema\":{\"type\":\"object\",\"required\":[\"x\"]}}",
        "{\"name\":\"a\"," INPUT ",\"outputSchema\":7}",
    };
    static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                               "\"params\":{\"name\":\"a\"}}";
    static const char result[] = "{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}],"
                                 "\"structuredContent\":{}}";
    struct cupel_call_context *caller;
    struct cupel_text answer, list;
    struct cupel_call_outcome outcome;
    struct cupel_result_outcome judged;
    cupel_text_init(&answer, NULL);
    cupel_text_init(&list, NULL);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    for (size_t i = 0; i < 6; i++) {
        /* the same definition twice, and then another one: in one list, or in two pages */
        const char *other = others[i % 3];
        cupel_text_clear(&list);
        cupel_text_addf(&list, i < 3 ? "[%s,%s,%s]" : "[%s,%s]", first, first, other);
        struct cupel_catalog *catalog = catalog_of(list.bytes);
        cupel_text_clear(&list);
        cupel_text_addf(&list, "[%s]", other);
        if (i >= 3)
            CHECK_INT(cupel_catalog_add(catalog, list.bytes, list.len, NULL), CUPEL_OK);
        CHECK_INT(
            cupel_call_check(catalog, caller, call, LEN(call), NULL, &answer, NULL, NULL, &outcome),
            CUPEL_CALL_UNDECIDED);
        CHECK_STR(outcome.reason, "tool-ambiguous");
        for (uint32_t at = 0; at < 3; at++) {
            const struct cupel_tool *tool = cupel_catalog_tool(catalog, at);
            CHECK_INT(cupel_result_check(tool, caller, result, LEN(result), CUPEL_MCP_2025_11_25,
                                         &answer, NULL, &judged),
                      CUPEL_RESULT_UNDECIDED);
            CHECK_STR(judged.reason, "tool-ambiguous");
        }
        cupel_catalog_free(catalog);
    }
    cupel_call_context_free(caller);
    cupel_text_free(&answer);
    cupel_text_free(&list);
}

static void test_many(void)
{
    enum { MANY = 3000 };
    struct cupel_text text;
    char name[16];
    cupel_text_init(&text, NULL);
    for (int i = 0; i < MANY; i++)
        cupel_text_addf(&text, "%s{\"name\":\"tool%d\"," INPUT "}", i != 0 ? "," : "[", i);
    cupel_text_adds(&text, "]");
    struct cupel_catalog *catalog = catalog_of(text.bytes);
    for (int i = 0; i < MANY; i += 7) {
        int n = snprintf(name, sizeof(name), "tool%d", i);
        CHECK(cupel_catalog_find(catalog, name, (size_t)n) ==
              cupel_catalog_tool(catalog, (uint32_t)i));
    }
    cupel_catalog_free(catalog);
    cupel_text_free(&text);
}

/* -- Calls ------------------------------------------------------------------------------------ */

static const char call_catalog[] =
    "{\"tools\":[{\"name\":\"read\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"path\":{\"type\":\"string\"},\"limit\":{\"type\":\"integer\",\"maximum\":100},"
    "\"items\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"id\":"
    "{\"type\":\"integer\"}}}}},\"required\":[\"path\"],\"additionalProperties\":false}},"
    "{\"name\":\"free\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"name\":\"broken\",\"inputSchema\":{\"type\":\"object\",\"required\":7}},"
    "{\"name\":\"evil\\u202e\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
    "{\"ignore\\u0000\\u200b this\":{\"type\":\"string\"}},\"required\":[\"y\\u001b[31m\"]}}]}";

#define CALL(id, params) \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":" params "}"

static const struct call_case {
    enum cupel_mcp_profile profile; /* 0: the default */
    const char *request;
    enum cupel_call_verdict verdict;
    const char *reason;
    const char *answer; /* how the answer begins */
    const char *holds;  /* what is somewhere in it; NULL: anything */
} call_cases[] = {
    {0, CALL("1", "{\"name\":\"read\",\"arguments\":{\"path\":\"x\"}}"), CUPEL_CALL_VALID, "", "",
     NULL},
    {0, CALL("1", "{\"name\":\"free\"}"), CUPEL_CALL_VALID, "", "", NULL},
    {0, CALL("1", "{\"name\":\"read\"}"), CUPEL_CALL_INVALID, "",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":"
     "\"text\",\"text\":\"tool \\\"read\\\": 1 problem in the arguments\\n- ",
     "\\nparameters: path (required), limit, items\"}],\"isError\":true}}"},
    {0, CALL("\"a\\u0062\"", "{\"name\":\"read\",\"arguments\":{\"path\":\"x\",\"limit\":\"5\"}}"),
     CUPEL_CALL_INVALID, "", "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0062\",\"result\":", "- limit: "},
    {0,
     CALL("1", "{\"name\":\"read\",\"arguments\":{\"path\":\"x\",\"items\":[{},{\"id\":1},{\"id\":"
               "\"s\"}]}}"),
     CUPEL_CALL_INVALID, "", "{\"jsonrpc\":", "- items[2].id: "},
    {0, CALL("1", "{\"name\":\"read\",\"arguments\":{\"path\":\"\",\"file\":1}}"),
     CUPEL_CALL_INVALID, "", "{\"jsonrpc\":", "- file: not a parameter\\n"},
    {CUPEL_MCP_2025_11_25, CALL("-0.5e1", "{\"name\":\"read\",\"arguments\":{}}"),
     CUPEL_CALL_BAD_REQUEST, "request-id-integer",
     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,", NULL},
    {CUPEL_MCP_2025_11_25, CALL("-5", "{\"name\":\"read\",\"arguments\":{}}"), CUPEL_CALL_INVALID,
     "", "{\"jsonrpc\":\"2.0\",\"id\":-5,\"result\":{\"content\":[", "\"isError\":true}}"},
    {CUPEL_MCP_2025_06_18, CALL("1", "{\"name\":\"read\",\"arguments\":{}}"), CUPEL_CALL_INVALID,
     "",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"tool \\\"read\\\": 1 ",
     NULL},
    {0, CALL("1", "{\"name\":\"no\\u001bpe\"}"), CUPEL_CALL_UNKNOWN_TOOL, "tool-unknown",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"Unknown tool: "
     "\\\"no\\\\u001bpe\\\"\"}}",
     NULL},
    {0, CALL("1", "{\"name\":\"broken\"}"), CUPEL_CALL_UNDECIDED, "tool-refused",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,", NULL},
    {0, CALL("1", "{\"name\":\"evil\\u202e\",\"arguments\":{}}"), CUPEL_CALL_INVALID, "",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":",
     "parameters: \\\"ignore\\\\u0000\\\\u200b this\\\""},
    {0, "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"read\"}}",
     CUPEL_CALL_INVALID, "", "", NULL},
    {0, CALL("1", "{\"name\":\"read\",\"arguments\":[]}"), CUPEL_CALL_BAD_REQUEST,
     "params-arguments", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,", NULL},
    {0, CALL("1", "{\"name\":\"free\",\"arguments\":null}"), CUPEL_CALL_BAD_REQUEST,
     "params-arguments", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,", NULL},
    {0, CALL("1", "{\"arguments\":{}}"), CUPEL_CALL_BAD_REQUEST, "params-name",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,", NULL},
    {0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", CUPEL_CALL_BAD_REQUEST,
     "params-object", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,", NULL},
    {0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", CUPEL_CALL_BAD_REQUEST,
     "method-unknown", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,", NULL},
    {0, CALL("null", "{}"), CUPEL_CALL_BAD_REQUEST, "request-id",
     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,", NULL},
    {0, "[]", CUPEL_CALL_BAD_REQUEST, "request-object",
     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,", NULL},
    {0, "{\"id\":1,\"method\":\"tools/call\"}", CUPEL_CALL_BAD_REQUEST, "request-version",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,", NULL},
    {0, "{\"jsonrpc\":", CUPEL_CALL_BAD_REQUEST, "SYNTAX",
     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,", NULL},
    {0, CALL("1", "{\"name\":\"free\",\"arguments\":{\"a\":1,\"a\":2}}"), CUPEL_CALL_BAD_REQUEST,
     "DUPLICATE_KEY", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,", NULL},
};

static bool begins(const struct cupel_text *text, const char *start)
{
    size_t n = strlen(start);
    return n == 0 ? text->len == 0 : text->len >= n && memcmp(text->bytes, start, n) == 0;
}

static void test_calls(void)
{
    struct cupel_call_context *caller;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    for (size_t i = 0; i < sizeof(call_cases) / sizeof(call_cases[0]); i++) {
        const struct call_case *c = &call_cases[i];
        struct cupel_call_outcome outcome;
        struct cupel_catalog *catalog =
            new_catalog(c->profile != 0 ? c->profile : CUPEL_MCP_2026_07_28, 0);
        CHECK_INT(cupel_catalog_add(catalog, call_catalog, LEN(call_catalog), NULL), CUPEL_OK);
        enum cupel_call_verdict verdict = cupel_call_check(
            catalog, caller, c->request, strlen(c->request), NULL, &answer, NULL, NULL, &outcome);
        bool ok = CHECK_INT(verdict, c->verdict);
        ok = CHECK_STR(outcome.reason, c->reason) && ok;
        ok = CHECK(begins(&answer, c->answer)) && ok;
        ok = CHECK(c->holds == NULL || strstr(answer.bytes, c->holds) != NULL) && ok;
        if (!ok)
            fprintf(stderr, "    request %s\n    answer  %.*s\n", c->request, (int)answer.len,
                    answer.bytes != NULL ? answer.bytes : "");
        cupel_catalog_free(catalog);
    }
    cupel_call_context_free(caller);
    cupel_call_context_free(NULL);
    cupel_text_free(&answer);
}

static int count_problem(void *ctx, const struct cupel_problem *problem)
{
    CHECK(problem->instance[0] == '/' || problem->instance[0] == '\0');
    ++*(uint32_t *)ctx;
    return 0;
}

/* Many problems with long names: the text stays below its bound and is clean, whoever wrote it. */
static void test_answer_bounds(void)
{
    struct cupel_call_context *caller;
    struct cupel_text text, answer;
    struct cupel_call_outcome outcome;
    uint32_t seen = 0;
    cupel_text_init(&text, NULL);
    cupel_text_init(&answer, NULL);
    struct cupel_catalog *catalog =
        catalog_of("[{" NAMED "\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":"
                   "{\"type\":\"null\"}}}]");
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    cupel_text_adds(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                           "\"name\":\"t\",\"arguments\":{");
    for (int i = 0; i < 40; i++) {
        cupel_text_addf(&text, "%s\"%d", i != 0 ? "," : "", i);
        for (int k = 0; k < 100; k++)
            cupel_text_adds(&text, "\\u202e");
        cupel_text_adds(&text, "\":1");
    }
    cupel_text_adds(&text, "}}}");
    CHECK_INT(cupel_call_check(catalog, caller, text.bytes, text.len, NULL, &answer, count_problem,
                               &seen, &outcome),
              CUPEL_CALL_INVALID);
    CHECK_INT(outcome.problems, seen);
    CHECK_INT(seen, 16);
    CHECK(answer.len > 100 && answer.len < 2 * 2048);
    CHECK(strstr(answer.bytes, "\xe2\x80\xae") == NULL);
    CHECK(strstr(answer.bytes, " problems in the arguments") != NULL);
    CHECK(strstr(answer.bytes, "and ") != NULL);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&text);
    cupel_text_free(&answer);
}

/* -- Memory ----------------------------------------------------------------------------------- */

static void run_calls(const struct cupel_catalog *catalog, struct cupel_call_context *caller,
                      struct cupel_text *answer)
{
    for (size_t i = 0; i < sizeof(call_cases) / sizeof(call_cases[0]); i++) {
        const char *request = call_cases[i].request;
        enum cupel_call_verdict verdict = cupel_call_check(
            catalog, caller, request, strlen(request), NULL, answer, NULL, NULL, NULL);
        CHECK((verdict == CUPEL_CALL_VALID) == (call_cases[i].verdict == CUPEL_CALL_VALID));
    }
}

/* What is wrong is put into words with memory of its own; that nothing is wrong needs none. */
static void run_warm(const struct cupel_catalog *catalog, struct cupel_call_context *caller,
                     struct cupel_text *answer, struct test_alloc *counter)
{
    for (size_t i = 0; i < sizeof(call_cases) / sizeof(call_cases[0]); i++) {
        const char *request = call_cases[i].request;
        unsigned long before = counter->requests;
        if (cupel_call_check(catalog, caller, request, strlen(request), NULL, answer, NULL, NULL,
                             NULL) != CUPEL_CALL_INVALID)
            CHECK_INT(counter->requests - before, 0);
    }
}

static void test_warm(void)
{
    struct test_alloc counter = {0};
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_catalog *catalog;
    struct cupel_call_context *caller;
    struct cupel_text answer;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    engine.alloc = test_allocator(&counter);
    cupel_text_init(&answer, &engine.alloc);
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, call_catalog, LEN(call_catalog), NULL), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(&engine, &caller), CUPEL_OK);
    run_calls(catalog, caller, &answer);
    run_warm(catalog, caller, &answer, &counter);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&answer);
    CHECK_INT(counter.live, 0);
}

/* The verdicts of call_catalog, which no failed allocation may change. */
static void check_verdicts(const struct cupel_catalog *catalog)
{
    static const enum cupel_tool_verdict verdicts[] = {CUPEL_TOOL_OK, CUPEL_TOOL_OK,
                                                       CUPEL_TOOL_INVALID, CUPEL_TOOL_WARNING};
    CHECK_INT(cupel_catalog_count(catalog), 4);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_INT(cupel_catalog_tool(catalog, i)->verdict, verdicts[i]);
}

/* Loads the catalog; once that failed, and there is memory again, the same catalog is of use. */
static enum cupel_status load_failing(struct test_alloc *failing, struct cupel_catalog *catalog)
{
    enum cupel_status status = cupel_catalog_add(catalog, call_catalog, LEN(call_catalog), NULL);
    if (status != CUPEL_OK) {
        CHECK_INT(status, CUPEL_E_NO_MEMORY);
        CHECK_INT(cupel_catalog_count(catalog), 0);
        CHECK(cupel_catalog_find(catalog, "read", 4) == NULL);
        failing->fail_at = 0;
        CHECK_INT(cupel_catalog_add(catalog, call_catalog, LEN(call_catalog), NULL), CUPEL_OK);
    }
    check_verdicts(catalog);
    return status;
}

/* A valid call and one that is not: without memory they are undecided, and never confused. */
static enum cupel_status call_failing(const struct cupel_catalog *catalog,
                                      struct cupel_call_context *caller, struct cupel_alloc *alloc)
{
    static const char good[] = CALL("1", "{\"name\":\"read\",\"arguments\":{\"path\":\"\"}}");
    static const char bad[] = CALL("1", "{\"name\":\"read\",\"arguments\":{\"path\":7}}");
    struct cupel_text answer;
    struct cupel_call_outcome outcome;
    cupel_text_init(&answer, alloc);
    enum cupel_call_verdict a =
        cupel_call_check(catalog, caller, good, LEN(good), NULL, &answer, NULL, NULL, &outcome);
    CHECK(a == CUPEL_CALL_VALID ||
          (a == CUPEL_CALL_UNDECIDED && strcmp(outcome.reason, "NO_MEMORY") == 0));
    enum cupel_call_verdict b =
        cupel_call_check(catalog, caller, bad, LEN(bad), NULL, &answer, NULL, NULL, &outcome);
    CHECK(b == CUPEL_CALL_INVALID ||
          (b == CUPEL_CALL_UNDECIDED && strcmp(outcome.reason, "NO_MEMORY") == 0));
    bool failed = a != CUPEL_CALL_VALID || b != CUPEL_CALL_INVALID || answer.failed;
    cupel_text_free(&answer);
    return failed ? CUPEL_E_NO_MEMORY : CUPEL_OK;
}

/* Everything from making a catalog to answering. */
static enum cupel_status run_failing(struct test_alloc *failing)
{
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_catalog *catalog = NULL;
    struct cupel_call_context *caller = NULL;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    engine.alloc = test_allocator(failing);
    enum cupel_status status = cupel_catalog_new(&options, &catalog);
    if (status == CUPEL_OK)
        status = load_failing(failing, catalog);
    if (status == CUPEL_OK)
        status = cupel_call_context_new(&engine, &caller);
    if (status == CUPEL_OK)
        status = call_failing(catalog, caller, &engine.alloc);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    CHECK_INT(failing->live, 0);
    return status;
}

/* Fails each allocation in turn: once, which what asked may get over, and for ever after. */
static void test_no_memory(void)
{
    enum { MOST = 5000 };
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        unsigned long n = 1;
        for (; n < MOST; n++) {
            struct test_alloc failing = {.fail_at = n, .for_ever = for_ever != 0};
            enum cupel_status status = run_failing(&failing);
            if (failing.requests < n)
                break;
            CHECK(status == CUPEL_OK || status == CUPEL_E_NO_MEMORY);
        }
        CHECK(n > 10 && n < MOST);
    }
}

/* Names count in characters, and tools without one are not duplicates of each other. */
static void test_names_of_tools(void)
{
    struct cupel_text text;
    struct cupel_catalog *catalog = NULL;
    cupel_text_init(&text, NULL);
    for (int n = 128; n <= 129; n++) {
        cupel_text_adds(&text, n == 128 ? "[{\"name\":\"" : ",{\"name\":\"");
        for (int i = 0; i < n; i++)
            cupel_text_adds(&text, "\xc3\xa9");
        cupel_text_adds(&text, "\"," INPUT "}");
    }
    cupel_text_adds(&text, ",{" INPUT "},{" INPUT "},{\"name\":\"\"," INPUT "}]");
    CHECK_INT(cupel_catalog_new(NULL, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, text.bytes, text.len, NULL), CUPEL_OK);
    CHECK_STR(cupel_catalog_tool(catalog, 0)->problems[0].rule, "name-characters");
    CHECK_STR(cupel_catalog_tool(catalog, 1)->problems[0].rule, "name-length");
    for (uint32_t i = 2; i < 4; i++) {
        CHECK_INT(cupel_catalog_tool(catalog, i)->problem_count, 1);
        CHECK_STR(cupel_catalog_tool(catalog, i)->problems[0].rule, "name-missing");
    }
    CHECK(cupel_catalog_find(catalog, "", 0) == cupel_catalog_tool(catalog, 4));
    cupel_catalog_free(catalog);
    cupel_text_free(&text);
}

int main(void)
{
    test_rules();
    test_strange_keys();
    test_name_lengths();
    test_shapes();
    test_siblings();
    test_duplicate_names();
    test_two_output_schemas();
    test_many();
    test_calls();
    test_answer_bounds();
    test_warm();
    test_no_memory();
    test_names_of_tools();
    return test_end();
}
