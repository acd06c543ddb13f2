/* test_vm_boundaries.c: the VM where sizes, budgets or memory end, through the public interface:
 * paths that ordinary schemas do not take.  test_limits.c tests the bounds themselves. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <limits.h>

struct pair {
    const char *schema, *instance;
    enum cupel_verdict verdict;
};

struct run {
    struct cupel_options options;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_text text;
};

static struct run begin(const char *schema)
{
    struct run r = {.program = NULL};
    cupel_options_init(&r.options);
    r.options.limits[CUPEL_LIMIT_DEPTH] = 2000;
    r.options.limits[CUPEL_LIMIT_SCHEMA_DEPTH] = 5000;
    cupel_text_init(&r.text, NULL);
    CHECK_INT(cupel_compile(schema, strlen(schema), &r.options, &r.program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&r.options, &r.scratch), CUPEL_OK);
    return r;
}

static void end(struct run *r)
{
    cupel_scratch_free(r->scratch);
    cupel_program_free(r->program);
    cupel_text_free(&r->text);
}

/* Everything that can be asked of a document; the verdicts must be one. */
static void check_all(struct run *r, const char *instance, enum cupel_verdict want)
{
    struct cupel_outcome outcome;
    CHECK_INT(cupel_validate(r->program, r->scratch, instance, strlen(instance), &outcome), want);
    for (int rendering = 0; rendering <= CUPEL_RENDER_HIERARCHICAL; rendering++) {
        struct cupel_render_options options;
        cupel_render_options_init(&options);
        cupel_text_clear(&r->text);
        CHECK_INT(cupel_render(r->program, r->scratch, NULL, 0, (enum cupel_rendering)rendering,
                               &options, &r->text, &outcome),
                  want);
        CHECK(want == CUPEL_VALID || r->text.len > 0);
    }
}

static void check_pairs(const struct pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct run r = begin(pairs[i].schema);
        check_all(&r, pairs[i].instance, pairs[i].verdict);
        end(&r);
    }
}

static void repeat(struct cupel_text *text, const char *each, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cupel_text_adds(text, each);
}

/* A place deeper than a path is written for: it is cut, the verdict is not. */
static void test_deep_places(void)
{
    struct cupel_text schema, instance;
    cupel_text_init(&schema, NULL);
    cupel_text_init(&instance, NULL);
    repeat(&schema, "{\"items\": {\"allOf\": [", 700);
    cupel_text_adds(&schema, "{\"type\": \"null\"}");
    repeat(&schema, "]}}", 700);
    repeat(&instance, "[", 700);
    cupel_text_adds(&instance, "1");
    repeat(&instance, "]", 700);
    struct run r = begin(schema.bytes);
    check_all(&r, instance.bytes, CUPEL_INVALID);
    end(&r);
    cupel_text_free(&schema);
    cupel_text_free(&instance);
}

/* More references on the way than are told of. */
static void test_many_references(void)
{
    struct cupel_text instance;
    cupel_text_init(&instance, NULL);
    repeat(&instance, "[", 600);
    cupel_text_adds(&instance, "1");
    repeat(&instance, "]", 600);
    struct run r = begin(
        "{\"anyOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}, {\"type\": \"null\"}]}");
    check_all(&r, instance.bytes, CUPEL_INVALID);
    end(&r);
    r = begin("{\"$dynamicAnchor\": \"d\", \"type\": [\"array\", \"null\"], \"items\": "
              "{\"$dynamicRef\": \"#d\"}}");
    check_all(&r, instance.bytes, CUPEL_INVALID);
    end(&r);
    cupel_text_free(&instance);
}

/* A resource in which one of two dynamic anchors has no schema. */
static void test_anchors(void)
{
    static const char schema[] =
        "{\"$id\": \"x:root\", \"$ref\": \"list\", \"$defs\": {"
        "\"a\": {\"$dynamicAnchor\": \"a\", \"type\": \"string\"},"
        "\"list\": {\"$id\": \"list\", \"items\": {\"anyOf\": [{\"$dynamicRef\": \"#a\"}, "
        "{\"$ref\": \"pair\"}]},"
        "\"$defs\": {\"any\": {\"$dynamicAnchor\": \"a\"}}},"
        "\"pair\": {\"$id\": \"pair\", \"properties\": {\"k\": {\"$dynamicRef\": \"#b\"}}, "
        "\"type\": \"object\","
        "\"$defs\": {\"b\": {\"$dynamicAnchor\": \"b\", \"type\": \"integer\"}}}}}";
    struct run r = begin(schema);
    check_all(&r, "[\"x\", {\"k\": 1}]", CUPEL_VALID);
    check_all(&r, "[\"x\", {\"k\": \"y\"}]", CUPEL_INVALID);
    check_all(&r, "[1]", CUPEL_INVALID);
    end(&r);
}

/* Many values, of which one is a number that is not calculated with: they are compared one by one.
 */
static void test_far_values(void)
{
    struct run r = begin("{\"enum\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1e9999999999999]}");
    check_all(&r, "9", CUPEL_VALID);
    check_all(&r, "\"9\"", CUPEL_INVALID);
    end(&r);
    r = begin("{\"enum\": [[0], [1], [2], [3], [4], [5], [6], [7], [8], [1e9999999999999], [9]]}");
    check_all(&r, "[8.0]", CUPEL_VALID);
    check_all(&r, "[]", CUPEL_INVALID);
    end(&r);
}

/* With one pass alone, operations may be left for types that do not arrive: nothing is made of
 * them. */
static void test_idle_operations(void)
{
    static const struct {
        const char *instance;
        enum cupel_verdict verdict;
    } rows[] = {{"null", CUPEL_VALID},
                {"1", CUPEL_INVALID},
                {"\"x\"", CUPEL_INVALID},
                {"[]", CUPEL_INVALID}};
    static const char schema[] = "{\"enum\": [null], \"minimum\": 1, \"maxLength\": 1}";
    struct run r = {.program = NULL};
    cupel_options_init(&r.options);
    cupel_text_init(&r.text, NULL);
    r.options.passes = CUPEL_PASS_ENUM;
    CHECK_INT(cupel_compile(schema, strlen(schema), &r.options, &r.program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&r.options, &r.scratch), CUPEL_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_all(&r, rows[i].instance, rows[i].verdict);
    end(&r);
}

/* Budgets as large as they can be said do not overflow. */
static void test_boundless(void)
{
    struct run r = {.program = NULL};
    struct cupel_options options;
    static const char schema[] = "{\"items\": {\"pattern\": \"^a+$\"}}",
                      text[] = "[\"aaa\", \"a\"]";
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_STEPS] = options.limits[CUPEL_LIMIT_PATTERN_STEPS] = UINT64_MAX;
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = UINT32_MAX;
    CHECK_INT(cupel_compile(schema, strlen(schema), &options, &r.program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&options, &r.scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(r.program, r.scratch, text, strlen(text), NULL), CUPEL_VALID);
    size_t len;
    const void *image = cupel_program_image(r.program, &len);
    struct cupel_program *loaded;
    CHECK_INT(cupel_program_load(image, len, 0, &options, &loaded, NULL), CUPEL_OK);
    CHECK_INT(cupel_validate(loaded, r.scratch, text, strlen(text), NULL), CUPEL_VALID);
    cupel_program_free(loaded);
    end(&r);
}

/* Patterns that the verdict does without and the report does not: the programs share the others. */
static void test_patterns_of_two(void)
{
    static const struct pair pairs[] = {
        {"{\"pattern\": \"^c+d$\", \"anyOf\": [true, {\"pattern\": \"^a+b$\"}]}", "\"ccd\"",
         CUPEL_VALID},
        {"{\"anyOf\": [{\"pattern\": \"^a+b$\"}, true], \"pattern\": \"^c+d$\"}", "\"aab\"",
         CUPEL_INVALID},
        {"{\"anyOf\": [true, {\"pattern\": \"^a+b$\"}, {\"pattern\": \"^e+f$\"}]}", "\"x\"",
         CUPEL_VALID},
    };
    check_pairs(pairs, sizeof pairs / sizeof *pairs);
}

/* Values of a constant or an enumeration that are told of: numbers in all spellings, more than are
 * shown. */
static void test_reported_values(void)
{
    static const struct pair pairs[] = {
        {"{\"const\": 1e400}", "1", CUPEL_INVALID},
        {"{\"const\": -1.5E-400}", "1", CUPEL_INVALID},
        {"{\"const\": 1.5e+400}", "1.5e400", CUPEL_VALID},
        {"{\"enum\": [[1, -0.5e-7, 1E400, \"a\"], {\"k\": null}, true]}", "1", CUPEL_INVALID},
        {"{\"enum\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, "
         "22, 23, 24, "
         "25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40]}",
         "0", CUPEL_INVALID},
        {"{\"minLength\": 3, \"maxLength\": 4}", "\"\\u00e9\\u00e9\"", CUPEL_INVALID},
        {"{\"multipleOf\": 0.1}", "0.25", CUPEL_INVALID},
    };
    check_pairs(pairs, sizeof pairs / sizeof *pairs);
}

/* Options of renderings as callers have them: empty, out of range. */
static void test_rendering_options(void)
{
    struct run r =
        begin("{\"properties\": {\"a\": {\"type\": \"string\"}}, \"required\": [\"b\"]}");
    static const char text[] = "{\t\"a\":\r\t1}\r\n";
    CHECK_INT(cupel_validate(r.program, r.scratch, text, sizeof text - 1, NULL), CUPEL_INVALID);
    for (int rendering = 0; rendering <= CUPEL_RENDER_HIERARCHICAL; rendering++) {
        struct cupel_render_options options = {.size = sizeof options};
        cupel_text_clear(&r.text);
        CHECK_INT(cupel_render(r.program, r.scratch, NULL, 0, (enum cupel_rendering)rendering,
                               &options, &r.text, NULL),
                  CUPEL_INVALID);
        CHECK(r.text.len > 0);
        cupel_render_options_init(&options);
        options.file = "A&B<9>\"z\".json";
        cupel_text_clear(&r.text);
        CHECK_INT(cupel_render(r.program, r.scratch, NULL, 0, (enum cupel_rendering)rendering,
                               &options, &r.text, NULL),
                  CUPEL_INVALID);
        if (rendering == CUPEL_RENDER_JUNIT)
            CHECK(strstr(r.text.bytes, "A&#38;B&#60;9&#62;&#34;z") != NULL);
    }
    end(&r);
    CHECK_STR(cupel_repair_name((enum cupel_repair_result)99), "?");
}

/* Of an instance without a verdict: with and without a place, with what has to be escaped. */
static void test_render_status(void)
{
    struct cupel_text text;
    struct cupel_render_options options;
    cupel_render_options_init(&options);
    cupel_text_init(&text, NULL);
    for (int rendering = 0; rendering <= CUPEL_RENDER_HIERARCHICAL; rendering++) {
        struct cupel_error err = {.status = CUPEL_E_SYNTAX, .line = 2, .column = 3};
        bool told = rendering == CUPEL_RENDER_GITHUB || rendering == CUPEL_RENDER_SARIF ||
                    rendering == CUPEL_RENDER_JUNIT;
        options.file = "Ab9<&>\".json";
        options.line = 1;
        cupel_text_clear(&text);
        cupel_render_status((enum cupel_rendering)rendering, &err, &options, &text);
        CHECK_INT(text.len > 0, told);
        snprintf(err.detail, sizeof err.detail, "100 %%\r\n of it");
        err.line = err.column = 0;
        cupel_render_status((enum cupel_rendering)rendering, &err, &options, &text);
        CHECK_INT(text.len > 0, told);
        if (rendering == CUPEL_RENDER_GITHUB)
            CHECK(strstr(text.bytes, "100 %25%0D%0A of it") != NULL);
    }
    cupel_text_free(&text);
}

/* Choices of more branches, names and places than a message has room for; tags that are numbers. */
static void test_long_messages(void)
{
    struct cupel_text schema;
    cupel_text_init(&schema, NULL);
    for (int one = 0; one < 2; one++) {
        cupel_text_clear(&schema);
        cupel_text_addf(&schema, "{\"%s\": [", one ? "oneOf" : "anyOf");
        for (int i = 0; i < 70; i++)
            cupel_text_addf(
                &schema,
                "%s{\"type\": \"object\", \"required\": [\"name%d\", \"kind\"], \"properties\": "
                "{\"kind\": {\"const\": %d}, \"name%d\": {\"minLength\": 3}}}",
                i > 0 ? ", " : "", i, i, i);
        cupel_text_adds(&schema, "]}");
        struct run r = begin(schema.bytes);
        check_all(&r, "{\"kind\": 7}", CUPEL_INVALID);
        check_all(&r, "{\"kind\": 700, \"name8\": 1}", CUPEL_INVALID);
        check_all(&r, "{\"kynd\": 7, \"nam7\": 2}", CUPEL_INVALID);
        check_all(&r, "[]", CUPEL_INVALID);
        check_all(&r, "\"x\"", CUPEL_INVALID);
        end(&r);
    }
    static const struct pair pairs[] = {
        {"{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"null\"}, {\"type\": \"boolean\"}, "
         "{\"maximum\": 3, \"type\": "
         "\"number\"}, {\"type\": \"object\"}, {\"minItems\": 4, \"type\": \"array\"}]}",
         "[1]", CUPEL_INVALID},
        {"{\"oneOf\": [{\"minimum\": 1}, {\"maximum\": 5}, {\"type\": \"integer\"}]}", "3",
         CUPEL_INVALID},
        {"{\"propertyNames\": {\"enum\": [\"default\", \"defaults\"]}}",
         "{\"defalut\": 1, \"x\": 2}", CUPEL_INVALID},
        {"{\"minProperties\": 2, \"maxProperties\": 3}", "{\"a\": 1}", CUPEL_INVALID},
        {"{\"minProperties\": 1}", "{}", CUPEL_INVALID},
        {"{\"properties\": {\"a\": {\"anyOf\": [{\"anyOf\": [{\"anyOf\": [{\"type\": \"string\"}, "
         "{\"type\": \"null\"}]}, "
         "{\"type\": \"array\"}]}, {\"type\": \"boolean\"}]}}}",
         "{\"a\": 1}", CUPEL_INVALID},
        {"{\"items\": {\"items\": {\"not\": {}}}, \"minItems\": 3}", "[[1], [2, 3]]",
         CUPEL_INVALID},
        {"{\"exclusiveMinimum\": 5, \"type\": \"integer\"}", "5", CUPEL_INVALID},
        {"{\"multipleOf\": 5}", "7", CUPEL_INVALID},
    };
    check_pairs(pairs, sizeof pairs / sizeof *pairs);
    cupel_text_free(&schema);
}

int main(void)
{
    test_rendering_options();
    test_render_status();
    test_long_messages();
    test_deep_places();
    test_many_references();
    test_anchors();
    test_idle_operations();
    test_far_values();
    test_boundless();
    test_patterns_of_two();
    test_reported_values();
    return test_end();
}
