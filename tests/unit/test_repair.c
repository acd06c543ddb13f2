/* test_repair.c: which instances are repaired, how, and that nothing is guessed. */
#include "test.h"
#include <cupel/cupel.h>

struct result {
    enum cupel_repair_result result;
    struct cupel_text patch, value;
};

static struct result repair(const char *schema, const char *instance,
                            const struct cupel_alloc *alloc)
{
    struct result r = {.result = CUPEL_REPAIR_UNDECIDED};
    struct cupel_options options;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_error err = {0};
    cupel_options_init(&options);
    options.flags |= CUPEL_ANNOTATIONS;
    cupel_text_init(&r.patch, NULL);
    cupel_text_init(&r.value, NULL);
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, &err), CUPEL_OK)) {
        fprintf(stderr, "    %s\n", err.detail);
        return r;
    }
    if (alloc != NULL)
        options.alloc = *alloc;
    if (cupel_scratch_new(&options, &scratch) == CUPEL_OK) {
        enum cupel_verdict verdict =
            cupel_validate(program, scratch, instance, strlen(instance), NULL);
        if (verdict != CUPEL_UNDECIDED) {
            r.result = cupel_repair(program, scratch, NULL, 0, &r.patch, &r.value, NULL);
            /* The verdict on the original is what it was. */
            enum cupel_verdict again =
                cupel_validate(program, scratch, instance, strlen(instance), NULL);
            CHECK(again == verdict || alloc != NULL);
        }
        if (r.result == CUPEL_REPAIRED && alloc == NULL)
            CHECK_INT(cupel_validate(program, scratch, r.value.bytes, r.value.len, NULL),
                      CUPEL_VALID);
        cupel_scratch_free(scratch);
    }
    cupel_program_free(program);
    return r;
}

static void end(struct result *r)
{
    cupel_text_free(&r->patch);
    cupel_text_free(&r->value);
}

static void check(const char *schema, const char *instance, const char *value, const char *patch)
{
    struct result r = repair(schema, instance, NULL);
    if (CHECK_INT(r.result, CUPEL_REPAIRED)) {
        CHECK_MEM(r.value.bytes, r.value.len, value);
        CHECK_MEM(r.patch.bytes, r.patch.len, patch);
    } else {
        fprintf(stderr, "    %s\n    %s: %s\n", schema, instance, cupel_repair_name(r.result));
    }
    end(&r);
}

static void check_not(const char *schema, const char *instance, enum cupel_repair_result want)
{
    struct result r = repair(schema, instance, NULL);
    if (!CHECK_INT(r.result, want))
        fprintf(stderr, "    %s\n    %s\n", schema, instance);
    CHECK_INT(r.value.len, 0);
    CHECK_INT(r.patch.len, 0);
    end(&r);
}

static void test_values(void)
{
    check("{\"type\": \"integer\"}", "\"5\"", "5",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":5}]");
    check("{\"items\": {\"type\": \"boolean\"}}", "[true, \"false\"]", "[true, false]",
          "[{\"op\":\"replace\",\"path\":\"/1\",\"value\":false}]");
    check("{\"type\": [\"null\", \"array\"]}", "\"null\"", "null",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":null}]");
    check("{\"type\": \"array\", \"items\": {\"type\": \"string\"}}", "\"[\\\"a\\\"]\"", "[\"a\"]",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":[\"a\"]}]");
    check_not("{\"type\": \"array\", \"items\": {\"type\": \"string\"}}", "\"[1]\"",
              CUPEL_REPAIR_IMPOSSIBLE);
    check("{\"type\": \"array\", \"items\": {\"type\": \"integer\"}}", "5", "[5]",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":[5]}]");
    check("{\"anyOf\": [{\"type\": \"integer\"}, {\"type\": \"null\"}]}", "\"7\"", "7",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":7}]");
    /* What was hidden in the string is mended in its turn. */
    check("{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"number\"}}}",
          "\"{\\\"n\\\": \\\"1.5\\\"}\"", "{\"n\": 1.5}",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"n\": "
          "\"1.5\"}},{\"op\":\"replace\",\"path\":\"/n\","
          "\"value\":1.5}]");
}

static void test_members(void)
{
    const char *closed =
        "{\"properties\": {\"file_path\": {\"type\": \"string\"}, \"limit\": {\"type\": "
        "\"integer\", \"default\": 9}}, \"required\": [\"file_path\"], "
        "\"additionalProperties\": false}";
    check(closed, "{\"filePath\": \"x\"}", "{\"file_path\": \"x\"}",
          "[{\"op\":\"move\",\"from\":\"/filePath\",\"path\":\"/file_path\"}]");
    /* A value that is hidden behind a wrong name comes in the next round. */
    check(closed, "{\"file_path\": \"x\", \"Limit\": \"3\"}",
          "{\"file_path\": \"x\", \"limit\": 3}",
          "[{\"op\":\"move\",\"from\":\"/Limit\",\"path\":\"/limit\"},{\"op\":\"replace\",\"path\":"
          "\"/limit\",\"value\":3}]");
}

static void test_defaults(void)
{
    const char *schema =
        "{\"properties\": {\"a\": {\"default\": [1]}, \"b\": {\"default\": 2}, \"c/d\": "
        "{\"default\": null}}, \"required\": [\"a\", \"b\", \"c/d\"]}";
    check(schema, "{\"b\": 0}", "{\"b\": 0,\"a\":[1],\"c/d\":null}",
          "[{\"op\":\"add\",\"path\":\"/c~1d\",\"value\":null},{\"op\":\"add\",\"path\":\"/"
          "a\",\"value\":[1]}]");
    check(schema, "{}", "{\"a\":[1],\"b\":2,\"c/d\":null}",
          "[{\"op\":\"add\",\"path\":\"/c~1d\",\"value\":null},{\"op\":\"add\",\"path\":\"/"
          "b\",\"value\":2},"
          "{\"op\":\"add\",\"path\":\"/a\",\"value\":[1]}]");
    check_not("{\"required\": [\"a\"]}", "{}", CUPEL_REPAIR_IMPOSSIBLE);
}

static void test_refusals(void)
{
    check_not("{\"type\": \"integer\"}", "5", CUPEL_REPAIR_NOT_NEEDED);
    check_not("{\"type\": \"integer\"}", "\"5x\"", CUPEL_REPAIR_IMPOSSIBLE);
    check_not("{\"type\": \"integer\", \"maximum\": 3}", "\"5\"", CUPEL_REPAIR_IMPOSSIBLE);
    check_not("{\"maximum\": 3}", "5", CUPEL_REPAIR_IMPOSSIBLE);
    /* 5, or a list with the string? */
    check_not("{\"type\": [\"integer\", \"array\"], \"items\": {\"type\": \"string\"}}", "\"5\"",
              CUPEL_REPAIR_AMBIGUOUS);
}

/* A name is renamed where one reading exists: the member and the name are each other's nearest, and
 * nobody knows the name that is there. */
static void test_names(void)
{
    const char *path = "{\"properties\": {\"path\": {}}, \"required\": [\"path\"]}";
    check(path, "{\"Path\": 1, \"paths\": 2}", "{\"path\": 1, \"paths\": 2}",
          "[{\"op\":\"move\",\"from\":\"/Path\",\"path\":\"/path\"}]");
    check_not(path, "{\"Path\": 1, \"PATH\": 2}", CUPEL_REPAIR_AMBIGUOUS);
    check_not(path, "{\"the_path\": 1}", CUPEL_REPAIR_IMPOSSIBLE);
    check_not("{\"properties\": {\"alpha\": {}, \"alphb\": {}}, \"additionalProperties\": false}",
              "{\"alphc\": 1}", CUPEL_REPAIR_AMBIGUOUS);
    check_not("{\"properties\": {\"arg1\": {}}, \"required\": [\"arg1\"]}", "{\"arg2\": 1}",
              CUPEL_REPAIR_IMPOSSIBLE);
    /* `id` is declared: it is no misspelling of `ids`, whoever requires that. */
    static const char *const known[] = {
        "{\"properties\": {\"id\": {}}, \"required\": [\"ids\"]}",
        "{\"properties\": {\"id\": {}}, \"if\": {}, \"then\": {\"required\": [\"ids\"]}}",
        "{\"properties\": {\"id\": {}}, \"dependentSchemas\": {\"id\": {\"required\": [\"ids\"]}}}",
        "{\"properties\": {\"id\": {}}, \"allOf\": [{\"required\": [\"ids\"]}]}",
        "{\"properties\": {\"id\": {}}, \"anyOf\": [{\"required\": [\"ids\"]}]}",
        "{\"anyOf\": [{\"required\": [\"ids\"], \"properties\": {\"k\": {\"const\": 1}}}, "
        "{\"properties\": {\"id\": {}, \"k\": {\"const\": 2}}, \"required\": [\"k\"]}]}",
        "{\"$defs\": {\"a\": {\"properties\": {\"id\": {}}}}, \"$ref\": \"#/$defs/a\", "
        "\"required\": [\"ids\"]}",
        "{\"patternProperties\": {\"^id$\": {}}, \"required\": [\"ids\"]}",
        "{\"additionalProperties\": {\"type\": \"integer\"}, \"required\": [\"ids\"]}",
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        check_not(known[i], "{\"id\": 1}", CUPEL_REPAIR_IMPOSSIBLE);
    check_not("{\"properties\": {\"id\": {}, \"in\": {\"required\": [\"ids\"]}}}",
              "{\"in\": {\"id\": 1}}", CUPEL_REPAIR_IMPOSSIBLE);
    check("{\"properties\": {\"in\": {\"required\": [\"ids\"]}}}", "{\"in\": {\"id\": 1}}",
          "{\"in\": {\"ids\": 1}}", "[{\"op\":\"move\",\"from\":\"/in/id\",\"path\":\"/in/ids\"}]");
}

/* Texts of values: JSON, JSON encoded twice, Python's literals; no guess for lists and what is cut
 * off. */
static void test_texts(void)
{
    const char *names = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}";
    check(names, "\"\\\"[\\\\\\\"a\\\\\\\"]\\\"\"", "[\"a\"]",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":[\"a\"]}]");
    check(names, "\"['a', 'it\\\\'s', \\\"b\\\"]\"", "[\"a\", \"it's\", \"b\"]",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":[\"a\", \"it's\", \"b\"]}]");
    check("{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"boolean\"}}}",
          "\"{'a': True, 'b': None}\"", "{\"a\": true, \"b\": null}",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"a\": true, \"b\": null}}]");
    check("{\"type\": \"boolean\"}", "\"False\"", "false",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":false}]");
    static const char *const unclear[] = {"\"[\\\"a\\\", \\\"b\"",
                                          "\"['a', 'b'\"",
                                          "\"('a', 'b')\"",
                                          "\"['a',]\"",
                                          "\"{'a'}\"",
                                          "\"'a'\"",
                                          "\"a, b\"",
                                          "\"a; b\"",
                                          "\"a\\nb\"",
                                          "\"a|b\"",
                                          "\"\"",
                                          "\"null\"",
                                          "\"None\""};
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++)
        check_not(names, unclear[i], CUPEL_REPAIR_AMBIGUOUS);
    check(names, "\"a b\"", "[\"a b\"]",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":[\"a b\"]}]");
    check(names, "\"5\"", "[\"5\"]", "[{\"op\":\"replace\",\"path\":\"\",\"value\":[\"5\"]}]");
    check_not("{\"type\": \"array\", \"items\": {\"type\": \"object\"}}",
              "{\"items\": [{\"a\": 1}]}", CUPEL_REPAIR_AMBIGUOUS);
    /* A text that failed in the branch for texts is meant for another. */
    check("{\"anyOf\": [{\"enum\": [\"auto\"]}, {\"type\": \"integer\"}]}", "\"5\"", "5",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":5}]");
}

static void test_null(void)
{
    const char *schema =
        "{\"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {\"type\": \"array\", \"items\": "
        "{\"type\": [\"null\", \"string\"]}}, \"c\": {\"enum\": [\"x\"]}, \"d\": {\"type\": "
        "\"string\"}}, \"required\": [\"d\"]}";
    check(schema, "{\"a\": null, \"d\": \"\"}", "{\"d\": \"\"}",
          "[{\"op\":\"remove\",\"path\":\"/a\"}]");
    check(schema, "{\"d\": \"\", \"b\": null}", "{\"d\": \"\"}",
          "[{\"op\":\"remove\",\"path\":\"/b\"}]");
    check(schema, "{\"a\":null,\"d\":\"\" , \"b\":null , \"c\":null }", "{\"d\":\"\" }",
          "[{\"op\":\"remove\",\"path\":\"/c\"},{\"op\":\"remove\",\"path\":\"/b\"},"
          "{\"op\":\"remove\",\"path\":\"/a\"}]");
    check_not(schema, "{\"d\": null}", CUPEL_REPAIR_IMPOSSIBLE);
    check_not("{\"items\": {\"type\": \"integer\"}}", "[null]", CUPEL_REPAIR_IMPOSSIBLE);
    /* The only member; a default beside one that goes. */
    check("{\"properties\": {\"a\": {\"type\": \"integer\"}}}", "{ \"a\": null }", "{ }",
          "[{\"op\":\"remove\",\"path\":\"/a\"}]");
    check("{\"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {\"default\": 1}}, "
          "\"required\": [\"b\"]}",
          "{\"a\": null}", "{\"b\":1}",
          "[{\"op\":\"add\",\"path\":\"/b\",\"value\":1},{\"op\":\"remove\",\"path\":\"/a\"}]");
}

static void test_calls(void)
{
    const char *schema =
        "{\"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {\"default\": 1}}, "
        "\"required\": [\"a\"], \"additionalProperties\": false}";
    check(schema, "{\"arguments\": {\"a\": 1}}", "{\"a\": 1}",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"a\": 1}}]");
    check(schema, "{\"name\": \"t\", \"input\": \"{\\\"a\\\": 1}\"}", "{\"a\": 1}",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"a\": 1}}]");
    check(schema, "{\"params\": {\"a\": \"1\"}}", "{\"a\": 1}",
          "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"a\": \"1\"}},"
          "{\"op\":\"replace\",\"path\":\"/a\",\"value\":1}]");
    check_not(schema, "{\"arguments\": {\"b\": 1}}", CUPEL_REPAIR_IMPOSSIBLE);
    check_not(schema, "{\"arguments\": {\"a\": 1}, \"input\": {\"a\": 2}}",
              CUPEL_REPAIR_IMPOSSIBLE);
    check_not(schema, "{\"arguments\": {\"a\": 1}, \"b\": 2}", CUPEL_REPAIR_IMPOSSIBLE);
    /* No default while a member is unknown. */
    const char *defaults =
        "{\"properties\": {\"mode\": {\"default\": 1}}, \"required\": [\"mode\"]}";
    check_not(defaults, "{\"speed\": 7}", CUPEL_REPAIR_IMPOSSIBLE);
    check(defaults, "{}", "{\"mode\":1}", "[{\"op\":\"add\",\"path\":\"/mode\",\"value\":1}]");
}

/* No value changes that needs no change. */
static void test_smallest(void)
{
    /* Under the name that was meant, the text of `v` is right. */
    const char *schema =
        "{\"oneOf\": [{\"properties\": {\"kind\": {\"const\": \"text\"}, \"v\": {\"type\": "
        "\"string\"}}, "
        "\"required\": [\"kind\"], \"additionalProperties\": false}, {\"properties\": {\"v\": "
        "{\"type\": \"integer\"}}, \"additionalProperties\": false}]}";
    check(schema, "{\"Kind\": \"text\", \"v\": \"5\"}", "{\"kind\": \"text\", \"v\": \"5\"}",
          "[{\"op\":\"move\",\"from\":\"/Kind\",\"path\":\"/kind\"}]");
    /* `v` is no integer unless `on` is true, which it is not. */
    check("{\"properties\": {\"on\": {\"type\": \"boolean\"}, \"v\": {}}, \"if\": {\"properties\": "
          "{\"on\": {\"const\": \"false\"}}}, \"then\": {\"properties\": {\"v\": {\"type\": "
          "\"integer\"}}}}",
          "{\"on\": \"false\", \"v\": \"5\"}", "{\"on\": false, \"v\": \"5\"}",
          "[{\"op\":\"replace\",\"path\":\"/on\",\"value\":false}]");
    /* Two texts of which either may be read. */
    check_not(
        "{\"properties\": {\"a\": {}, \"b\": {}}, \"if\": {\"properties\": {\"a\": {\"type\": "
        "\"string\"}, \"b\": {\"type\": \"string\"}}}, \"then\": {\"properties\": {\"a\": "
        "{\"type\": \"integer\"}, \"b\": {\"type\": \"integer\"}}}}",
        "{\"a\": \"1\", \"b\": \"2\"}", CUPEL_REPAIR_AMBIGUOUS);
}

/* An array of `n` strings in quotes for integers; a schema and an instance of so many levels of
 * texts. */
static void test_bounds(void)
{
    struct cupel_text items, deep, next;
    cupel_text_init(&items, NULL);
    cupel_text_init(&deep, NULL);
    cupel_text_init(&next, NULL);
    cupel_text_adds(&items, "[\"1\"");
    for (int i = 1; i < 65; i++)
        cupel_text_adds(&items, ",\"1\"");
    cupel_text_adds(&items, "]");
    struct result r = repair("{\"items\": {\"type\": \"integer\"}}", items.bytes, NULL);
    CHECK_INT(r.result, CUPEL_REPAIRED);
    end(&r);
    cupel_text_clear(&items);
    cupel_text_adds(&items, "[\"1\"");
    for (int i = 1; i < 300; i++)
        cupel_text_adds(&items, ",\"1\"");
    cupel_text_adds(&items, "]");
    check_not("{\"items\": {\"type\": \"integer\"}}", items.bytes, CUPEL_REPAIR_UNDECIDED);
    /* {"a": "{\"a\": …}"}: each level is read in its turn. */
    cupel_text_adds(&deep, "{\"a\": {}}");
    for (int i = 0; i < 6; i++) {
        cupel_text_clear(&next);
        cupel_text_adds(&next, "{\"a\": ");
        cupel_text_add_json(&next, deep.bytes, deep.len);
        cupel_text_adds(&next, "}");
        cupel_text_clear(&deep);
        cupel_text_add(&deep, next.bytes, next.len);
    }
    r = repair("{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#\"}}}", deep.bytes,
               NULL);
    CHECK_INT(r.result, CUPEL_REPAIRED);
    end(&r);
    cupel_text_free(&items);
    cupel_text_free(&deep);
    cupel_text_free(&next);
}

/* Every allocation that fails leaves UNDECIDED, and nothing else. */
static void test_memory(void)
{
    const char *schema =
        "{\"properties\": {\"a_b\": {\"type\": \"integer\"}}, \"required\": [\"a_b\"]}";
    for (unsigned long n = 1; n < 60; n++) {
        struct test_alloc counter = {.fail_at = n};
        struct cupel_alloc alloc = test_allocator(&counter);
        struct result r = repair(schema, "{\"aB\": \"5\"}", &alloc);
        if (!CHECK(r.result == CUPEL_REPAIR_UNDECIDED || r.result == CUPEL_REPAIRED))
            fprintf(stderr, "    allocation %lu: %s\n", n, cupel_repair_name(r.result));
        CHECK_INT(counter.live, 0);
        end(&r);
    }
}

int main(void)
{
    test_values();
    test_members();
    test_defaults();
    test_refusals();
    test_names();
    test_texts();
    test_null();
    test_calls();
    test_smallest();
    test_bounds();
    test_memory();
    return test_end();
}
