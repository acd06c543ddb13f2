/* test_report_steps.c: that a report pays in steps for all that it looks at.
 *
 * What the loops take together, several notes or the branches of a choice of types, is paid one by
 * one: with so many more of them in the schema, each item of the instance takes that many more
 * steps. */
#include "shape.h"
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

enum { ITEMS = 200, FEW = 4, MANY = 84 };

static uint64_t steps_of(const struct shape *shape, unsigned n, const char *instance,
                         uint32_t passes)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_document *doc = NULL;
    struct cupel_text schema;
    struct cupel_outcome outcome = {.steps = 0};
    cupel_options_init(&options);
    options.flags |= CUPEL_ANNOTATIONS;
    options.passes &= ~passes;
    cupel_text_init(&schema, NULL);
    shape_build(&schema, shape, n);
    CHECK_INT(cupel_compile(schema.bytes, schema.len, &options, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_document_new(&options, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, instance, strlen(instance), NULL), CUPEL_OK);
    CHECK_INT(cupel_report_run(program, scratch, doc, 0, CUPEL_REPORT_ANNOTATIONS, &outcome),
              CUPEL_VALID);
    cupel_document_free(doc);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    cupel_text_free(&schema);
    return outcome.steps;
}

/* Each of the MANY more costs every item a step. */
static void check_paid(struct shape shape, const char *item, uint32_t passes)
{
    const struct shape items = {.before = "[", .each = item, .between = ",", .after = "]"};
    struct cupel_text instance;
    cupel_text_init(&instance, NULL);
    shape_build(&instance, &items, ITEMS);
    uint64_t few = steps_of(&shape, FEW, instance.bytes, passes);
    uint64_t many = steps_of(&shape, MANY, instance.bytes, passes);
    if (!CHECK(many >= few + (uint64_t)ITEMS * (MANY - FEW)))
        fprintf(stderr, "    %s: %llu steps, then %llu\n", shape.each, (unsigned long long)few,
                (unsigned long long)many);
    cupel_text_free(&instance);
}

static void test_notes(void)
{
    check_paid(
        (struct shape){.before = "{\"items\":{", .each = "\"x@\":@", .between = ",", .after = "}}"},
        "1", 0);
    check_paid((struct shape){.before = "{\"items\":{\"allOf\":[{\"items\":{}},{",
                              .each = "\"x@\":@",
                              .between = ",",
                              .after = "}]}}"},
               "[]", 0);
}

static void test_choices_of_types(void)
{
    check_paid(
        (struct shape){
            .before = "{\"items\":{\"unevaluatedProperties\":false,\"anyOf\":[{\"oneOf\":[",
            .each = "{\"type\":[\"object\",\"null\"]}",
            .between = ",",
            .after = ",{\"properties\":{\"a\":true}}]},{\"properties\":{\"b\":true}}]}}"},
        "{}", CUPEL_PASS_DISCRIMINATE);
}

/* -- IDNA -----------------------------------------------------------------------------------------
 */

static uint64_t format_steps(const char *schema, const char *instance)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome = {.steps = 0};
    cupel_options_init(&options);
    options.flags |= CUPEL_ASSERT_FORMAT | CUPEL_IDN_OPTIONAL;
    CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, instance, strlen(instance), &outcome), CUPEL_VALID);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return outcome.steps;
}

#define BRANCH(format) "{\"format\": \"" format "\", \"not\": {\"minLength\": 1}}"
#define REST           "{\"minLength\": 1}"

/* Each label that needs IDNA is paid, in every format, and each string once: the result is kept for
 * the next branch. */
static void test_idna(void)
{
    static const char *const formats[][3] = {
        {"{\"format\": \"hostname\"}", "{\"anyOf\": [" BRANCH("hostname") ", " REST "]}",
         "{\"anyOf\": [" BRANCH("hostname") ", " BRANCH("hostname") ", " BRANCH(
             "hostname") ", " REST "]}"},
        {"{\"format\": \"idn-hostname\"}", "{\"anyOf\": [" BRANCH("idn-hostname") ", " REST "]}",
         "{\"anyOf\": [" BRANCH("idn-hostname") ", " BRANCH("idn-hostname") ", " BRANCH(
             "idn-hostname") ", " REST "]}"},
        {"{\"format\": \"idn-email\"}", "{\"anyOf\": [" BRANCH("idn-email") ", " REST "]}",
         "{\"anyOf\": [" BRANCH("idn-email") ", " BRANCH("idn-email") ", " BRANCH(
             "idn-email") ", " REST "]}"},
    };
    static const char *const names[][2] = {
        {"\"xn--4ca\"", "\"xn--4ca.xn--4ca.xn--4ca.xn--4ca.xn--4ca.xn--4ca\""},
        {"\"\xc3\xa9\"",
         "\"\xc3\xa9.\xc3\xa9\xe3\x80\x82\xc3\xa9\xef\xbc\x8e\xc3\xa9\xef\xbd\xa1\xc3\xa9."
         "\xc3\xa9\""},
        {"\"m@\xc3\xa9\"", "\"m@\xc3\xa9.\xc3\xa9.\xc3\xa9.\xc3\xa9.\xc3\xa9.\xc3\xa9\""},
    };
    enum { LABEL = 400, BRANCH_COST = 100 };
    for (size_t i = 0; i < 3; i++) {
        uint64_t one = format_steps(formats[i][0], names[i][0]),
                 six = format_steps(formats[i][0], names[i][1]);
        CHECK(one > LABEL && six > one + 5 * LABEL);
        uint64_t branch = format_steps(formats[i][1], names[i][1]),
                 branches = format_steps(formats[i][2], names[i][1]);
        CHECK(branch > six && branches < branch + 2 * BRANCH_COST);
    }
    CHECK(format_steps(formats[0][0], "\"a.example.com\"") < 100);
    CHECK(format_steps(formats[2][0], "\"m@example.com\"") < 100);
}

int main(void)
{
    test_idna();
    test_notes();
    test_choices_of_types();
    return test_end();
}
