/* test_target_schema.c: definitions of every kind go to every target, with memory that runs out:
 * what is written is JSON, is taken by that target, and does not change when it is exported again.
 */
#include "test.h"
#include <cupel/cupel.h>

#define A(text) "{\"type\":\"object\",\"properties\":{\"a\":" text "}}"
#define REF(to)                                                                             \
    "{\"properties\":{\"a\":{\"$ref\":\"" to "\"}},\"$defs\":{\"a b\":{\"type\":\"null\"}," \
    "\"a~/%b\":{\"type\":\"string\"},\"l\":[{\"type\":\"null\"},7],\"t\":true,\"n\":7}}"
#define LONG "0123456789012345678901234567890123456789012345678901234567890123456789"

static const char *const schemas[] = {
    /* References, by pointers that lead somewhere and others. */
    REF("#/$defs/a%20b"),
    REF("#/$defs/a%20"),
    REF("#/$defs/a%2"),
    REF("#/$defs/a%"),
    REF("#/$defs/a%g0b"),
    REF("#/$defs/a%2gb"),
    REF("#/$defs/a%2/b"),
    REF("#/$defs/a%:0b"),
    REF("#/$defs/a%`0b"),
    REF("#/$defs/a~0~1%25b"),
    REF("#/$defs/a~"),
    REF("#/$defs/a%7e0%7E1%25b"),
    REF("#/$defs/a%7e"),
    REF("#/$defs/l/0"),
    REF("#/$defs/l/1"),
    REF("#/$defs/l/2"),
    REF("#/$defs/l/x"),
    REF("#/$defs/l/-"),
    REF("#/$defs/l/:"),
    REF("#/$defs/l/99999999999"),
    REF("#/$defs/l/"),
    REF("#/$defs/t"),
    REF("#/$defs/n"),
    REF("#/none/x/y"),
    REF("#x"),
    REF("#"),
    REF(""),
    REF("x#"),
    REF("#/" LONG LONG LONG LONG),
    "{\"properties\":{\"a\":{\"$ref\":7}}}",
    "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
    "b\",\"$defs\":{}}},\"$defs\":{\"b\":{\"items\":{\"$ref\":\"#\"}}}}",
    /* Types. */
    A("{\"type\":\"null\"}"),
    A("{\"type\":[\"string\",\"null\"]}"),
    A("{\"type\":[\"string\",\"integer\"]}"),
    A("{\"type\":[\"null\"]}"),
    A("{\"type\":[]}"),
    A("{\"type\":7}"),
    A("{\"type\":[7]}"),
    A("true"),
    A("false"),
    A("7"),
    A("{\"type\":\"integer\",\"const\":1}"),
    A("{\"const\":null}"),
    A("{\"const\":\"x\"}"),
    A("{\"const\":[1]}"),
    A("{\"type\":[\"string\",\"null\"],\"const\":\"x\",\"enum\":[\"x\"]}"),
    /* Enums. */
    A("{\"enum\":[\"a\",\"b\"]}"),
    A("{\"enum\":[1,2]}"),
    A("{\"enum\":[\"a\",null]}"),
    A("{\"enum\":[]}"),
    A("{\"enum\":7}"),
    A("{\"enum\":[{},[],true]}"),
    A("{\"enum\":[\"a\",1]}"),
    A("{\"type\":\"integer\",\"enum\":[1,2]}"),
    A("{\"type\":\"string\",\"enum\":[\"" LONG LONG LONG LONG "\"]}"),
    /* Objects and lists. */
    "{}",
    "{\"type\":\"object\"}",
    "{\"properties\":{}}",
    "{\"properties\":7}",
    "{\"required\":7}",
    "{\"required\":[\"a\",7]}",
    "{\"additionalProperties\":{}}",
    "{\"additionalProperties\":false}",
    "{\"properties\":{\"a\":{}},\"required\":[\"a\",\"b\"]}",
    "{\"type\":\"array\"}",
    "{\"anyOf\":[{}]}",
    A("{\"items\":[]}"),
    A("{\"items\":[{},{}],\"additionalItems\":false}"),
    A("{\"type\":\"array\",\"items\":7}"),
    A("{\"prefixItems\":[{\"type\":\"string\"}],\"items\":{\"type\":\"object\"}}"),
    A("{\"prefixItems\":7}"),
    A("{\"patternProperties\":{\"x\":{\"type\":\"string\"}}}"),
    A("{\"patternProperties\":7}"),
    A("{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\",\"properties\":{\"c\":{"
      "\"items\":{\"a\":1}}}}}}"),
    A("{\"dependentSchemas\":{\"a\":{}},\"dependentRequired\":{\"a\":[\"b\"]},\"propertyNames\":{},"
      "\"contains\":{}}"),
    /* In place. */
    A("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}"),
    A("{\"anyOf\":[]}"),
    A("{\"anyOf\":7}"),
    A("{\"anyOf\":[7,true]}"),
    A("{\"oneOf\":[{\"type\":\"string\"},{\"enum\":[1]}]}"),
    A("{\"allOf\":[{\"type\":\"string\"}]}"),
    A("{\"allOf\":[{\"properties\":{\"b\":{}}},{\"required\":[\"b\"]}]}"),
    A("{\"not\":{\"type\":\"string\"}}"),
    A("{\"if\":{},\"then\":{\"type\":\"string\"},\"else\":false}"),
    /* Values and remarks. */
    A("{\"format\":7}"),
    A("{\"format\":\"date-time\"}"),
    A("{\"format\":\"none\"}"),
    A("{\"type\":\"string\",\"format\":\"email\"}"),
    A("{\"minimum\":1,\"maximum\":2,\"multipleOf\":3,\"exclusiveMinimum\":true}"),
    A("{\"pattern\":\"^a\",\"minLength\":1}"),
    A("{\"title\":\"t\",\"description\":\"d\",\"default\":{\"a\":[1,{}]},\"examples\":[{}],\"$"
      "comment\":\"c\",\"deprecated\":true}"),
    A("{\"nullable\":true,\"type\":\"string\"}"),
    A("{\"nullable\":7}"),
    A("{\"x-own\":{\"type\":7}}"),
    A("{\"unknown\":{\"type\":7}}"),
    "{\"$schema\":\"x\",\"$id\":\"y\",\"definitions\":{\"a\":{}},\"title\":\"t\"}",
    "{\"\\u00e9 \\\"\":7,\"properties\":{\"a\\\"\":{}}}",
};

enum { SCHEMAS = sizeof schemas / sizeof *schemas };

static struct cupel_document *read(const char *text, size_t len)
{
    struct cupel_document *doc = NULL;
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, text, len, NULL), CUPEL_OK);
    return doc;
}

static struct cupel_document *wrap(const char *schema)
{
    char text[2048];
    int n = snprintf(text, sizeof text, "{\"name\":\"t\",\"inputSchema\":%s}", schema);
    CHECK(n > 0 && (size_t)n < sizeof text);
    return read(text, (size_t)n);
}

/* Remarks are of no weight to a target. */
static int count(void *ctx, const struct cupel_rule_problem *problem)
{
    *(int *)ctx += problem->severity != CUPEL_SEVERITY_INFO;
    return 0;
}

static void check_again(const struct cupel_text *text, enum cupel_target target, const char *schema)
{
    struct cupel_text again;
    struct cupel_document *doc = read(text->bytes, text->len);
    int problems = 0;
    cupel_text_init(&again, NULL);
    CHECK_INT(cupel_target_check(doc, 0, target, NULL, count, &problems), CUPEL_OK);
    CHECK_INT(cupel_target_export(doc, 0, target, NULL, &again, NULL, NULL), CUPEL_OK);
    bool ok = CHECK_INT(problems, 0);
    ok = CHECK(again.len == text->len && memcmp(again.bytes, text->bytes, text->len) == 0) && ok;
    if (!ok)
        fprintf(stderr, "    target %d: %s\n    %.*s\n    %.*s\n", (int)target, schema,
                (int)text->len, text->bytes, (int)again.len, again.bytes);
    cupel_document_free(doc);
    cupel_text_free(&again);
}

static void check_memory(struct cupel_document *doc, enum cupel_target target,
                         const struct cupel_text *right)
{
    for (unsigned long n = 1, more = 1; more; n++) {
        struct test_alloc t = {.fail_at = n};
        struct cupel_options options;
        struct cupel_text text;
        cupel_options_init(&options);
        options.alloc = test_allocator(&t);
        cupel_text_init(&text, &options.alloc);
        enum cupel_status status = cupel_target_export(doc, 0, target, &options, &text, NULL, NULL);
        more = t.requests >= n;
        if (status == CUPEL_OK)
            CHECK(text.len == right->len && memcmp(text.bytes, right->bytes, text.len) == 0);
        else
            CHECK(more && status == CUPEL_E_NO_MEMORY);
        cupel_text_free(&text);
        CHECK_INT(t.live, 0);
    }
}

static void check_schema(const char *schema, enum cupel_target target)
{
    struct cupel_document *doc = wrap(schema);
    struct cupel_text text;
    int problems = 0, changes = 0;
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_target_check(doc, 0, target, NULL, count, &problems), CUPEL_OK);
    if (CHECK_INT(cupel_target_export(doc, 0, target, NULL, &text, count, &changes), CUPEL_OK)) {
        check_again(&text, target, schema);
        check_memory(doc, target, &text);
    }
    cupel_document_free(doc);
    cupel_text_free(&text);
}

/* Bounds of the strict target: each is told once it is passed. */
static void test_limits(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (int kind = 0; kind < 4; kind++) {
        int problems = 0;
        cupel_text_clear(&text);
        cupel_text_adds(&text, "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\","
                               "\"properties\":{\"a\":{\"enum\":[\"x\"");
        for (int i = 0; kind == 0 && i < 1100; i++)
            cupel_text_addf(&text, ",\"v%d\"", i);
        for (int i = 0; kind == 1 && i < 100; i++)
            cupel_text_addf(&text, ",\"%01500d\"", i);
        cupel_text_adds(&text, "]}");
        for (int i = 0; kind == 2 && i < 5100; i++)
            cupel_text_addf(&text, ",\"p%d\":{\"type\":\"null\"}", i);
        for (int i = 0; kind == 3 && i < 12; i++)
            cupel_text_adds(&text, ",\"o\":{\"type\":\"object\",\"properties\":{\"q\":{}");
        for (int i = 0; kind == 3 && i < 12; i++)
            cupel_text_adds(&text, "}}");
        cupel_text_adds(&text, "}}}");
        struct cupel_document *doc = read(text.bytes, text.len);
        CHECK_INT(cupel_target_check(doc, 0, CUPEL_TARGET_OPENAI_STRICT, NULL, count, &problems),
                  CUPEL_OK);
        CHECK(problems > 0);
        cupel_document_free(doc);
    }
    cupel_text_free(&text);
}

int main(void)
{
    for (int target = CUPEL_TARGET_OPENAI; target <= CUPEL_TARGET_GEMINI; target++)
        for (size_t i = 0; i < SCHEMAS; i++)
            check_schema(schemas[i], (enum cupel_target)target);
    test_limits();
    return test_end();
}
