/* test_report_bounds.c: reports of large and unusual schemas: how many shapes, paths and choices
 * they examine, and that the verdict stays; programs printed as text. */
#include "base/json/document.h"
#include "report_counts.h"
#include "shape.h"
#include "test.h"
#include "vm/report/location.h"
#include "vm/report/schema_iter.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

struct rendered {
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_text text;
};

/* The report of an instance that is not valid; all its renderings are made. */
static struct rendered render_report(const char *schema, const char *instance, bool brief)
{
    struct rendered t = {.program = NULL};
    struct cupel_options options;
    struct cupel_error err = {0};
    cupel_options_init(&options);
    options.flags = CUPEL_ANNOTATIONS;
    options.limits[CUPEL_LIMIT_STEPS] = 1 << 24;
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 4 << 20;
    options.limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
    cupel_text_init(&t.text, NULL);
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), &options, &t.program, &err), CUPEL_OK))
        fprintf(stderr, "    %s\n", err.detail);
    CHECK_INT(cupel_scratch_new(&options, &t.scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(t.program, t.scratch, instance, strlen(instance), NULL),
              CUPEL_INVALID);
    for (int rendering = 0; rendering <= CUPEL_RENDER_HIERARCHICAL; rendering++) {
        cupel_text_clear(&t.text);
        CHECK_INT(cupel_render(t.program, t.scratch, NULL, 0, (enum cupel_rendering)rendering, NULL,
                               &t.text, NULL),
                  CUPEL_INVALID);
        CHECK(!t.text.failed && t.text.len > 0);
    }
    cupel_text_clear(&t.text);
    CHECK_INT(
        cupel_report_run(t.program, t.scratch, NULL, 0, brief ? CUPEL_REPORT_PROBLEMS : 0, NULL),
        CUPEL_INVALID);
    return t;
}

static void end(struct rendered *t)
{
    cupel_program_free(t->program);
    cupel_scratch_free(t->scratch);
    cupel_text_free(&t->text);
}

/* -- Choices
 * ---------------------------------------------------------------------------------------------- */

static struct cupel_record first_record(const struct rendered *t)
{
    struct cupel_record record;
    CHECK(count_records(t->scratch) > 0);
    cupel_report_record(t->scratch, 0, &record);
    return record;
}

/* Of two branches that the tag allows the type of the value excludes one: it is the tag that tells.
 */
static void test_tag_and_type(void)
{
    static const char schema[] =
        "{\"anyOf\":[{\"properties\":{\"k\":{\"const\":\"a\"},\"n\":{\"type\":\"null\"}}},"
        "{\"properties\":{\"k\":{\"const\":\"a\"}},\"type\":\"array\"},{\"properties\":{\"k\":{"
        "\"const\":\"b\"}},\"required\":[\"z\"]}]}";
    for (int brief = 0; brief < 2; brief++) {
        struct rendered t = render_report(schema, "{\"k\":\"a\",\"n\":1}", brief);
        const struct cupel_record record = first_record(&t);
        CHECK_INT(record.choice, CUPEL_CHOICE_BY_TAG);
        CHECK_INT(record.chosen, 0);
        CHECK_INT(record.tag, 2);
        end(&t);
    }
}

/* Choices with so many members and values that they are not all looked at: there are problems all
 * the same, and which branch is meant is not guessed. */
static void test_much_to_choose(void)
{
    enum { VALUES = 250, BRANCHES = 60, MEMBERS = 30 };
    char *values = numbered("{\"enum\":[", "[%d]", VALUES, "]}");
    struct cupel_text schema, instance;
    cupel_text_init(&schema, NULL);
    cupel_text_init(&instance, NULL);
    cupel_text_addf(&schema, "{\"$defs\":{\"v\":%s},\"items\":{\"anyOf\":[", values);
    for (int i = 0; i < BRANCHES; i++) {
        cupel_text_addf(&schema, "%s{\"minProperties\":%d,\"properties\":{\"k\":{\"const\":%d}",
                        i > 0 ? "," : "", 40 + i, i);
        for (int m = 0; m < MEMBERS; m++)
            cupel_text_addf(&schema, ",\"m%d\":{\"$ref\":\"#/$defs/v\"}", m);
        cupel_text_adds(&schema, "}}");
    }
    cupel_text_adds(&schema, "]}}");
    for (int k = 0; k < 3; k++) {
        cupel_text_adds(&instance, k == 0 ? "[" : ",");
        cupel_text_adds(&instance, "{\"k\":0");
        for (int m = 0; m < MEMBERS; m++)
            cupel_text_addf(&instance, ",\"m%d\":[%d]", m, VALUES - 1);
        cupel_text_adds(&instance, "}");
    }
    cupel_text_adds(&instance, "]");
    for (int brief = 0; brief < 2; brief++) {
        struct rendered t = render_report(schema.bytes, instance.bytes, brief);
        CHECK_INT(first_record(&t).choice, CUPEL_CHOICE_TIE);
        CHECK_INT(count_problems(t.scratch), 3);
        end(&t);
    }
    cupel_text_free(&schema);
    cupel_text_free(&instance);
    free(values);
}

/* -- Shapes
 * -----------------------------------------------------------------------------------------------
 */

/* How many instructions of a kind, or of any, a schema is seen to have. */
enum { ALL = CUPEL__OPS };

static unsigned count_shape(const struct cupel_program *program, uint32_t op)
{
    const struct cupel__code *code = &program->report;
    struct cupel__schema_iter it;
    unsigned n = 0;
    cupel__schema_iter_sub(&it, code, code->image->root, NULL);
    for (const uint32_t *word; (word = cupel__schema_iter_next(&it)) != NULL;)
        n += op == ALL || CUPEL__WORD_OP(*word) == op;
    return n;
}

/* Of the schemas that apply to every value so many are gone through. */
static void test_many_schemas(void)
{
    for (int n = 15; n <= 17; n++) {
        struct cupel_text schema;
        cupel_text_init(&schema, NULL);
        cupel_text_adds(&schema, "{\"allOf\":[");
        for (int i = 0; i < n; i++)
            cupel_text_addf(&schema, "%s{\"$ref\":\"#/$defs/d%d\"}", i > 0 ? "," : "", i);
        cupel_text_adds(&schema, "],\"$defs\":{");
        for (int i = 0; i < n; i++)
            cupel_text_addf(&schema, "%s\"d%d\":{\"required\":[\"a%d\"]}", i > 0 ? "," : "", i, i);
        cupel_text_adds(&schema, "}}");
        struct rendered t = render_report(schema.bytes, "{\"b\":1}", false);
        CHECK_INT(count_problems(t.scratch), n);
        CHECK(count_shape(t.program, CUPEL__OP_REQUIRED) <= 16);
        CHECK(n > 16 || count_shape(t.program, CUPEL__OP_REQUIRED) == (unsigned)n);
        end(&t);
        cupel_text_free(&schema);
    }
}

/* … and so many instructions, whichever way a schema is come by. */
static void test_many_keywords(void)
{
    enum { MOST = 4096 };
    for (int n = MOST - 8; n <= MOST + 2; n++) {
        char *schema = numbered("{\"type\":\"string\",", "\"x%d\":0", n,
                                ",\"minLength\":1,\"required\":[\"a\"]}");
        struct rendered t = render_report(schema, "{\"b\":1}", false);
        CHECK_INT(count_problems(t.scratch), 2);
        const unsigned all = t.program->report.facts.instructions;
        CHECK_INT(count_shape(t.program, ALL), all < MOST ? all : MOST);
        end(&t);
        free(schema);
    }
}

/* A tree, and two that ask for more of each of its nodes: which it is the dynamic scope says. */
#define TWO_TREES                                                                            \
    "{\"anyOf\":[{\"$ref\":\"a\"},{\"$ref\":\"b\"}],\"$defs\":{"                             \
    "\"a\":{\"$id\":\"a\",\"$dynamicAnchor\":\"n\",\"$ref\":\"tree\",\"required\":[\"x\"]}," \
    "\"b\":{\"$id\":\"b\",\"$dynamicAnchor\":\"n\",\"$ref\":\"tree\",\"required\":[\"y\"]}," \
    "\"t\":{\"$id\":\"tree\",\"$dynamicAnchor\":\"n\",\"additionalProperties\":{\"type\":"   \
    "\"integer\"},\"properties\":{"                                                          \
    "\"c\":{\"$dynamicRef\":\"#n\",\"minProperties\":1}}}}}"

/* The same where no value has more than one of them. */
#define APART                                                                                     \
    "{\"properties\":{\"p\":{\"$ref\":\"a\"},\"q\":{\"$ref\":\"b\"}},\"required\":[\"r\"],\"$"    \
    "defs\":{"                                                                                    \
    "\"a\":{\"$id\":\"a\",\"$dynamicAnchor\":\"n\",\"$ref\":\"tree\",\"required\":[\"x\"]},"      \
    "\"b\":{\"$id\":\"b\",\"$dynamicAnchor\":\"n\",\"$ref\":\"tree\",\"required\":[\"y\"]},"      \
    "\"t\":{\"$id\":\"tree\",\"$dynamicAnchor\":\"n\",\"properties\":{\"c\":{\"$dynamicRef\":\"#" \
    "n\"}}}}}"

/* Dynamic references and scopes are gone through too, and what is at no place is found nowhere. */
/* Beside each instruction stands at least itself, whether or not what is applied in place is gone
 * through too. */
static void check_beside(const struct cupel__code *code)
{
    for (uint32_t pc = 1; pc < code->image->code.count;
         pc += cupel__op_info[CUPEL__WORD_OP(code->words[pc])].words) {
        for (int alone = 0; alone < 2; alone++) {
            struct cupel__schema_iter it;
            const uint32_t *word = NULL;
            cupel__schema_iter_siblings(&it, code, pc, NULL);
            it.alone = alone;
            while ((word = cupel__schema_iter_next(&it)) != NULL && word != code->words + pc)
                ;
            CHECK(word != NULL);
        }
    }
}

static void test_dynamic(void)
{
    struct rendered t = render_report(
        TWO_TREES, "{\"x\":1,\"c\":{\"x\":\"s\",\"z\":null,\"c\":{}},\"xx\":\"s\"}", true);
    struct cupel__schema_iter it;
    CHECK_INT(count_problems(t.scratch), 5);
    cupel__schema_iter_at(&it, &t.program->report, CUPEL__NO_LOC - 1, NULL);
    CHECK(cupel__schema_iter_next(&it) == NULL);
    check_beside(&t.program->report);
    end(&t);
    t = render_report(APART, "{\"p\":{\"x\":1,\"c\":{}},\"q\":{\"y\":1,\"c\":{}}}", true);
    CHECK_INT(count_problems(t.scratch), 3);
    check_beside(&t.program->report);
    end(&t);
}

/* -- Programs in words
 * -------------------------------------------------------------------------------------- */

static void check_words(const char *schema, const char *want)
{
    struct cupel_program *program = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
    cupel_program_disasm(program, 0, &text);
    if (!CHECK(strstr(text.bytes, want) != NULL))
        fprintf(stderr, "    %s\n    %s\n", want, text.bytes);
    cupel_text_free(&text);
    cupel_program_free(program);
}

static void test_words(void)
{
    char *values = numbered("{\"enum\":[", "{\"v\":%d}", 1100, "]}");
    check_words(values, ", 1099");
    check_words(values, "LOOKUP.   [{1 members}, ");
    check_words(TWO_TREES, "SCOPE");
    check_words("{\"type\":\"object\",\"required\":[\"k\"],\"oneOf\":[{\"properties\":{\"k\":{"
                "\"const\":\"ninebytes\"}}},"
                "{\"properties\":{\"k\":{\"const\":5}}}]}",
                "\"ninebytes\"(0)");
    free(values);
}

/* -- Numbers
 * ------------------------------------------------------------------------------------------------
 */

static void check_number(const char *schema, const char *text, enum cupel_verdict want)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 2000;
    CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), &outcome), want);
    CHECK_INT(outcome.reason, want == CUPEL_UNDECIDED ? CUPEL_E_LIMIT_NUMBER : CUPEL_OK);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

/* A number beyond what is compared leaves it undecided whatever it is compared with, and so does a
 * divisor of more digits than are computed with. */
static void test_numbers(void)
{
    enum { DIGITS = 1078 };
    check_number("{\"minimum\":1.5}", "1e99999999999999", CUPEL_UNDECIDED);
    check_number("{\"maximum\":1.5}", "1e99999999999999", CUPEL_UNDECIDED);
    check_number("{\"minimum\":-7,\"maximum\":7}", "1e-99999999999999", CUPEL_UNDECIDED);
    check_number("{\"multipleOf\":1.5}", "1e99999999999999", CUPEL_UNDECIDED);
    for (int n = DIGITS - 1; n <= DIGITS + 1; n++) {
        char schema[DIGITS + 32], number[DIGITS + 2];
        memset(number, '7', (size_t)n);
        number[n] = '\0';
        snprintf(schema, sizeof schema, "{\"multipleOf\":%s}", number);
        check_number(schema, number, n <= DIGITS ? CUPEL_VALID : CUPEL_UNDECIDED);
    }
}

int main(void)
{
    test_tag_and_type();
    test_much_to_choose();
    test_many_schemas();
    test_many_keywords();
    test_dynamic();
    test_words();
    test_numbers();
    return test_end();
}
