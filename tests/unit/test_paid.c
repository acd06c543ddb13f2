/* test_paid.c: that a report pays in steps for all that it looks at.
 *
 * What the loops take together, several notes or the branches of a choice of types, is paid one by one:
 * with so many more of them in the schema, each item of the instance takes that many more steps. */
#include "shape.h"
#include "test.h"
#include <cupel/cupel.h>

enum { ITEMS = 200, FEW = 4, MANY = 84 };

static uint64_t steps_of(const struct shape *shape, unsigned n, const char *instance, uint32_t passes)
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
    CHECK_INT(cupel_report_run(program, scratch, doc, 0, CUPEL_REPORT_ANNOTATIONS, &outcome), CUPEL_VALID);
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
    check_paid((struct shape){.before = "{\"items\":{", .each = "\"x@\":@", .between = ",", .after = "}}"},
               "1", 0);
    check_paid((struct shape){.before = "{\"items\":{\"allOf\":[{\"items\":{}},{",
                              .each = "\"x@\":@",
                              .between = ",",
                              .after = "}]}}"},
               "[]", 0);
}

static void test_choices_of_types(void)
{
    check_paid((struct shape){.before = "{\"items\":{\"unevaluatedProperties\":false,\"anyOf\":[{\"oneOf\":[",
                              .each = "{\"type\":[\"object\",\"null\"]}",
                              .between = ",",
                              .after = ",{\"properties\":{\"a\":true}}]},{\"properties\":{\"b\":true}}]}}"},
               "{}", CUPEL_PASS_CHOOSE);
}

int main(void)
{
    test_notes();
    test_choices_of_types();
    return test_end();
}
