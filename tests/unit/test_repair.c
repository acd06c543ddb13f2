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
    /* Which of the two is it? */
    check_not("{\"properties\": {\"path\": {}}, \"required\": [\"path\"]}",
              "{\"Path\": 1, \"paths\": 2}", CUPEL_REPAIR_AMBIGUOUS);
    check_not("{\"properties\": {\"aaaa_1\": {}, \"aaaa_2\": {}}, \"additionalProperties\": false}",
              "{\"aaaa_3\": 1}", CUPEL_REPAIR_AMBIGUOUS);
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
    test_memory();
    return test_end();
}
