/* test_argument_names.c: names of arguments that fold to a declared one, wherever they are
 * declared. */
#include "test.h"
#include <cupel/cupel.h>

#define P(name) "{\"properties\":{\"" name "\":{}}}"

static const struct name_case {
    const char *schema, *arguments; /* the schema without its type */
    const char *like;               /* the name it could be taken for; NULL: valid */
} cases[] = {
    {"\"properties\":{\"path\":{}}", "{\"path\":1}", NULL},
    {"\"properties\":{\"path\":{}}", "{\"PATH\":1}", "path"},
    {"\"properties\":{\"path\":{}}", "{\"path\":1,\"Path\":2}", "path"},
    {"\"properties\":{\"path\":{}}", "{\"file\":1,\"paths\":2}", NULL},
    {"\"properties\":{\"argument\":{},\"tasks\":{}}", "{\"ta\\u017fks\":1}", "tasks"},
    {"\"properties\":{\"stra\\u00dfe\":{}}", "{\"STRASSE\":1}", "stra\\u00dfe"},
    {"\"properties\":{\"path\":{},\"PATH\":{}}", "{\"path\":1,\"PATH\":2}", NULL},
    {"\"properties\":{\"path\":{},\"PATH\":{}}", "{\"Path\":2}", "path"},
    {"\"properties\":{\"path\":{}}", "{\"a\\u0000\":1}", ""},
    {"\"properties\":{\"a\\u0000\":{}}", "{\"a\\u0000\":1}", NULL},
    {"\"x\":1", "{\"PATH\":1,\"path\":2}", NULL},
    /* somewhere else */
    {"\"properties\":{\"path\":{},\"o\":{}}", "{\"o\":{\"PATH\":1}}", NULL},
    {"\"properties\":{\"o\":" P("path") "}", "{\"PATH\":1}", NULL},
    {"\"properties\":{\"o\":" P("path") "}", "{\"o\":{\"PATH\":1}}", "path"},
    {"\"properties\":{\"id\":{},\"o\":" P("ID") "}", "{\"id\":1,\"o\":{\"ID\":2}}", NULL},
    {"\"properties\":{\"id\":{},\"o\":" P("ID") "}", "{\"ID\":1}", "id"},
    {"\"properties\":{\"id\":{},\"o\":" P("ID") "}", "{\"o\":{\"id\":1}}", "ID"},
    /* items */
    {"\"properties\":{\"a\":{\"items\":" P("path") "}}", "{\"a\":[{\"path\":1},{\"Path\":1}]}",
     "path"},
    {"\"properties\":{\"a\":{\"prefixItems\":[" P("x") "," P("X") "]}}",
     "{\"a\":[{\"x\":1},{\"X\":1},{\"x\":1}]}", NULL},
    {"\"properties\":{\"a\":{\"prefixItems\":[" P("x") "," P("X") "]}}", "{\"a\":[{\"X\":1}]}",
     "x"},
    {"\"properties\":{\"a\":{\"contains\":" P("x") "}}", "{\"a\":[{\"X\":1}]}", "x"},
    {"\"properties\":{\"a\":{\"items\":{\"items\":" P("x") "}}}", "{\"a\":[[[]],[{\"X\":1}]]}",
     "x"},
    {"\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"properties\":{\"a\":{\"items\":[" P(
         "x") "],\"additionalItems\":" P("y") "}}",
     "{\"a\":[{\"Y\":1},{\"Y\":1}]}", "y"},
    /* whatever the branch */
    {"\"anyOf\":[" P("path") ",{}]", "{\"PATH\":1}", "path"},
    {"\"anyOf\":[" P("path") "," P("PATH") "]", "{\"PATH\":1}", NULL},
    {"\"oneOf\":[" P("a") ",{\"required\":[\"b\"]}]", "{\"A\":1}", "a"},
    {"\"allOf\":[{\"allOf\":[" P("a") "]}]", "{\"A\":1}", "a"},
    {"\"if\":{\"required\":[\"z\"]},\"then\":" P("a") ",\"else\":" P("b"), "{\"A\":1}", "a"},
    {"\"if\":{\"required\":[\"z\"]},\"then\":" P("a") ",\"else\":" P("b"), "{\"B\":1}", "b"},
    {"\"not\":{\"properties\":{\"a\":{\"const\":7}},\"required\":[\"a\"]}", "{\"A\":1}", "a"},
    {"\"dependentSchemas\":{\"z\":" P("a") "}", "{\"A\":1}", "a"},
    {"\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"dependencies\":{\"z\":" P("a") "}",
     "{\"A\":1}", "a"},
    /* other members */
    {"\"additionalProperties\":" P("a"), "{\"x\":{\"A\":1}}", "a"},
    {"\"properties\":{\"x\":{}},\"additionalProperties\":" P("a"), "{\"x\":{\"A\":1}}", NULL},
    {"\"unevaluatedProperties\":" P("a"), "{\"x\":{\"A\":1}}", "a"},
    {"\"patternProperties\":{\"^x\":" P("a") "}", "{\"xy\":{\"A\":1}}", "a"},
    {"\"patternProperties\":{\"^x\":" P("a") "}", "{\"y\":{\"A\":1}}", NULL},
    {"\"properties\":{\"path\":{}},\"patternProperties\":{\"^P\":{}}", "{\"PATH\":1}", NULL},
    {"\"properties\":{\"path\":{}},\"patternProperties\":{\"^Q\":{}}", "{\"PATH\":1}", "path"},
    {"\"properties\":{\"path\":{}},\"anyOf\":[{\"patternProperties\":{\"^P\":{}}},{}]",
     "{\"PATH\":1}", NULL},
    /* declared by a pattern: the other name of the object, or the name in another spelling */
    {"\"patternProperties\":{\"^[a-z]+$\":{}}", "{\"path\":1}", NULL},
    {"\"patternProperties\":{\"^[a-z]+$\":{}}", "{\"path\":1,\"PATH\":2}", "path"},
    {"\"patternProperties\":{\"^[a-z]+$\":{}}", "{\"PATH\":1,\"path\":2}", "path"},
    {"\"patternProperties\":{\"^[a-z]+$\":{}}", "{\"PATH\":1}", "path"},
    {"\"patternProperties\":{\"^[a-z]+$\":{}}", "{\"ta\u017fk\":1}", "task"},
    {"\"patternProperties\":{\"^[A-Z]+$\":{}}", "{\"path\":1}", "PATH"},
    {"\"patternProperties\":{\"^[A-Z][a-z]+$\":{}}", "{\"pAth\":1}", "Path"},
    {"\"patternProperties\":{\"^[a-z]+$\":{}}", "{\"a1\":1,\"A-1\":2}", NULL},
    {"\"patternProperties\":{\"^[a-z]+[A-Z]\":{}}", "{\"filePath\":1,\"FILEPATH\":2}", "filePath"},
    {"\"patternProperties\":{\"^[a-z]+[A-Z]\":{}}", "{\"FILEPATH\":1,\"x\":3,\"filePath\":2}",
     "filePath"},
    {"\"patternProperties\":{\"^[a-z]+[A-Z]\":{}}", "{\"FILEPATH\":1,\"filepath\":2}", NULL},
    {"\"patternProperties\":{\"\":{}}", "{\"path\":1,\"PATH\":2}", NULL},
    {"\"anyOf\":[{\"patternProperties\":{\"^[a-z]+$\":{}}},{}]", "{\"PATH\":1}", "path"},
    {"\"properties\":{\"o\":{\"patternProperties\":{\"^[a-z]+$\":{}}}}",
     "{\"PATH\":1,\"o\":{\"a\":1}}", NULL},
    {"\"properties\":{\"o\":{\"patternProperties\":{\"^[a-z]+$\":{}}}}", "{\"o\":{\"PATH\":1}}",
     "path"},
    {"\"patternProperties\":{\"^[a-z]+$\":{}},\"properties\":{\"o\":" P("PATH") "}",
     "{\"PATH\":1,\"path\":1}", "path"},
    {"\"patternProperties\":{\"^[a-z]+$\":{}},\"properties\":{\"PATH\":{}}",
     "{\"PATH\":1,\"path\":1}", NULL},
    {"\"$ref\":\"#/x-own\",\"x-own\":{\"patternProperties\":{\"^[a-z]+$\":{}}}", "{\"PATH\":1}",
     "path"},
    /* references */
    {"\"$ref\":\"#/$defs/d\",\"$defs\":{\"d\":" P("a") "}", "{\"A\":1}", "a"},
    {"\"properties\":{\"n\":{\"$ref\":\"#\"},\"a\":{}}", "{\"n\":{\"n\":{\"A\":1}}}", "a"},
    {"\"$ref\":\"#/$defs/a~1b%25\",\"$defs\":{\"a/b%\":" P("a") "}", "{\"A\":1}", "a"},
    {"\"$ref\":\"#d\",\"$defs\":{\"d\":{\"$anchor\":\"d\",\"properties\":{\"a\":{}}}}", "{\"A\":1}",
     "a"},
    {"\"$dynamicRef\":\"#d\",\"$defs\":{\"d\":{\"$dynamicAnchor\":\"d\",\"properties\":{\"a\":{}}}"
     "}",
     "{\"A\":1}", "a"},
    {"\"$ref\":\"#/x-own/d\",\"x-own\":{\"d\":" P("a") "}", "{\"A\":1}", "a"},
    {"\"allOf\":[{\"$ref\":\"#/allOf/1\"}," P("a") "]", "{\"A\":1}", "a"},
    {"\"$id\":\"https://x.example/s\",\"$ref\":\"https://x.example/s#/$defs/"
     "d\",\"$defs\":{\"d\":" P("a") "}",
     "{\"A\":1}", "a"},
    {"\"$ref\":\"https://x.example/d\",\"$defs\":{\"d\":{\"$id\":\"https://x.example/"
     "d\",\"properties\":{\"a\":{}}}}",
     "{\"A\":1}", "a"},
    {"\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"allOf\":[{\"$ref\":\"#/definitions/"
     "d\",\"properties\":{\"b\":{}}}],\"definitions\":{\"d\":" P("a") "}",
     "{\"B\":1}", NULL},
    {"\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"allOf\":[{\"$ref\":\"#/definitions/"
     "d\",\"properties\":{\"b\":{}}}],\"definitions\":{\"d\":" P("a") "}",
     "{\"A\":1}", "a"},
};

static struct cupel_catalog *catalog_of(const char *schema, uint32_t flags)
{
    struct cupel_catalog_options options;
    struct cupel_catalog *catalog = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_catalog_options_init(&options);
    options.flags = flags;
    cupel_text_addf(&text, "[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",%s}}]", schema);
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, text.bytes, text.len, NULL), CUPEL_OK);
    CHECK(cupel_catalog_tool(catalog, 0)->verdict != CUPEL_TOOL_INVALID);
    cupel_text_free(&text);
    return catalog;
}

static enum cupel_call_verdict call(const struct cupel_catalog *catalog,
                                    struct cupel_call_context *caller, const char *arguments,
                                    struct cupel_text *answer, struct cupel_call_outcome *ret)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_addf(&text,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                    "\"t\",\"arguments\":%s}}",
                    arguments);
    enum cupel_call_verdict verdict =
        cupel_call_check(catalog, caller, text.bytes, text.len, NULL, answer, NULL, NULL, ret);
    cupel_text_free(&text);
    return verdict;
}

/* Every allocation that fails leaves the call undecided. */
static void check_memory(const struct name_case *c, const struct cupel_catalog *catalog)
{
    for (unsigned long n = 1, more = 1; more; n++) {
        struct test_alloc t = {.fail_at = n};
        struct cupel_options options;
        struct cupel_call_context *caller = NULL;
        struct cupel_text answer;
        cupel_options_init(&options);
        options.alloc = test_allocator(&t);
        cupel_text_init(&answer, NULL);
        if (cupel_call_context_new(&options, &caller) == CUPEL_OK) {
            enum cupel_call_verdict verdict = call(catalog, caller, c->arguments, &answer, NULL);
            CHECK(verdict == (c->like != NULL ? CUPEL_CALL_INVALID : CUPEL_CALL_VALID) ||
                  verdict == CUPEL_CALL_UNDECIDED);
        }
        more = t.requests >= n;
        cupel_call_context_free(caller);
        cupel_text_free(&answer);
        CHECK_INT(t.live, 0);
    }
}

static void check_case(const struct name_case *c, struct cupel_call_context *caller)
{
    struct cupel_catalog *exact = catalog_of(c->schema, CUPEL_CATALOG_EXACT_ARGUMENTS);
    struct cupel_catalog *any = catalog_of(c->schema, 0);
    struct cupel_text answer, want;
    struct cupel_call_outcome outcome;
    cupel_text_init(&answer, NULL);
    cupel_text_init(&want, NULL);
    CHECK_INT(call(any, caller, c->arguments, &answer, NULL), CUPEL_CALL_VALID);
    enum cupel_call_verdict verdict = call(exact, caller, c->arguments, &answer, &outcome);
    bool ok = CHECK_INT(verdict, c->like != NULL ? CUPEL_CALL_INVALID : CUPEL_CALL_VALID);
    if (c->like != NULL) {
        cupel_text_addf(&want, "did you mean \\\"%s\\\"", c->like);
        ok = CHECK_STR(outcome.reason, "argument-name") && ok;
        ok = CHECK(*c->like == '\0' || strchr(c->like, '\\') != NULL || answer.len == 0 ||
                   strstr(answer.bytes, want.bytes) != NULL) &&
             ok;
    }
    if (!ok)
        fprintf(stderr, "    %s\n    %s\n    %s\n", c->schema, c->arguments,
                answer.len != 0 ? answer.bytes : "");
    check_memory(c, exact);
    cupel_text_free(&answer);
    cupel_text_free(&want);
    cupel_catalog_free(exact);
    cupel_catalog_free(any);
}

/* Work that the budget does not pay for is not done. */
static void test_budget(void)
{
    struct cupel_options options;
    struct cupel_call_context *caller = NULL;
    struct cupel_call_outcome outcome;
    struct cupel_text answer, schema;
    cupel_text_init(&answer, NULL);
    cupel_text_init(&schema, NULL);
    cupel_text_adds(&schema, "\"properties\":{\"path\":{}},\"patternProperties\":{");
    for (int i = 0; i < 100; i++)
        cupel_text_addf(&schema, "%s\"^q%d\":{}", i != 0 ? "," : "", i);
    cupel_text_adds(&schema, "}");
    struct cupel_catalog *catalog = catalog_of(schema.bytes, CUPEL_CATALOG_EXACT_ARGUMENTS);
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_STEPS] = 100000;
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    CHECK_INT(cupel_call_context_new(&options, &caller), CUPEL_OK);
    CHECK_INT(call(catalog, caller, "{\"PATH\":1}", &answer, &outcome), CUPEL_CALL_UNDECIDED);
    CHECK_STR(outcome.reason, "LIMIT_STEPS");
    CHECK_INT(call(catalog, caller, "{\"path\":1}", &answer, &outcome), CUPEL_CALL_VALID);
    CHECK(outcome.steps < 2000);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&answer);
    cupel_text_free(&schema);
}

int main(void)
{
    struct cupel_call_context *caller = NULL;
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_case(&cases[i], caller);
    test_budget();
    cupel_call_context_free(caller);
    return test_end();
}
