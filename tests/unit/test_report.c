/* test_report.c: records: codes, places, the way to a keyword, and which branch of a choice is
 * meant. */
#include "report_counts.h"
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

struct run {
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_text text;
    enum cupel_verdict verdict;
};

static struct run begin(const char *schema, const char *instance)
{
    struct run r = {.verdict = CUPEL_UNDECIDED};
    struct cupel_error err = {0};
    cupel_text_init(&r.text, NULL);
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &r.program, &err), CUPEL_OK))
        fprintf(stderr, "    %s\n", err.detail);
    CHECK_INT(cupel_scratch_new(NULL, &r.scratch), CUPEL_OK);
    enum cupel_verdict first =
        cupel_validate(r.program, r.scratch, instance, strlen(instance), NULL);
    r.verdict = cupel_report_run(r.program, r.scratch, NULL, 0, 0, NULL);
    CHECK_INT(r.verdict, first);
    CHECK((count_problems(r.scratch) > 0) == (r.verdict == CUPEL_INVALID));
    return r;
}

static void end(struct run *r)
{
    cupel_program_free(r->program);
    cupel_scratch_free(r->scratch);
    cupel_text_free(&r->text);
}

/* The problems in a line: code at instance, … */
static const char *problems(struct run *r)
{
    cupel_text_clear(&r->text);
    cupel_text_adds(&r->text, "");
    for (uint32_t i = 0; i < count_problems(r->scratch); i++) {
        struct cupel_record record;
        uint32_t k = cupel_report_problem(r->scratch, i);
        cupel_report_record(r->scratch, k, &record);
        CHECK(record.is_problem);
        cupel_text_addf(&r->text, "%s%s at ", i > 0 ? ", " : "", cupel_problem_id(record.code));
        cupel_report_write(r->scratch, k, CUPEL_RECORD_INSTANCE, NULL, &r->text);
    }
    return r->text.bytes;
}

/* The same with all records and with the problems alone. */
static void check_problems(const char *schema, const char *instance, const char *want)
{
    struct run r = begin(schema, instance);
    if (!CHECK_STR(problems(&r), want))
        fprintf(stderr, "    %s\n    %s\n", schema, instance);
    CHECK_INT(cupel_report_run(r.program, r.scratch, NULL, 0, CUPEL_REPORT_PROBLEMS, NULL),
              r.verdict);
    if (!CHECK_STR(problems(&r), want))
        fprintf(stderr, "    %s\n    %s\n", schema, instance);
    end(&r);
}

/* -- Codes ----------------------------------------------------------------------------------------
 */

static void test_codes(void)
{
    check_problems("{\"type\": \"string\"}", "1", "type at ");
    check_problems("{\"minimum\": 2}", "1", "minimum at ");
    check_problems("{\"exclusiveMaximum\": 1}", "1", "exclusive-maximum at ");
    check_problems("{\"minLength\": 2, \"pattern\": \"^b\"}", "\"a\"",
                   "min-length at , pattern at ");
    check_problems("{\"maxItems\": 1, \"uniqueItems\": true}", "[1, 1]",
                   "max-items at , unique-items at ");
    check_problems("{\"contains\": {\"type\": \"null\"}}", "[1]", "contains-few at ");
    check_problems("{\"contains\": {\"type\": \"null\"}, \"maxContains\": 1}", "[null, null]",
                   "contains-many at ");
    check_problems("{\"required\": [\"a\", \"b\"], \"maxProperties\": 0}", "{\"c\": 1}",
                   "required at , required at , max-properties at ");
    check_problems("{\"properties\": {\"a\": false}, \"additionalProperties\": false}",
                   "{\"b\": 1, \"a\": 2}", "unknown-property at /b, nothing-allowed at /a");
    check_problems("{\"items\": false}", "[7]", "unknown-item at /0");
    check_problems("{\"not\": {}}", "[7]", "excluded at ");
    check_problems("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 7}",
                   "dependent-required at ");
    check_problems("{\"propertyNames\": {\"maxLength\": 1}}", "{\"ab\": 7}", "max-length at /ab");
    check_problems("{\"type\": \"string\", \"enum\": [\"a\", \"b\"]}", "1", "type at , enum at ");
    CHECK_STR(cupel_problem_id((enum cupel_problem_code)999), "?");
}

/* All failures that do not follow from each other, and none twice. */
static void test_once(void)
{
    check_problems("{\"allOf\": [{\"$ref\": \"#/$defs/n\"}, {\"$ref\": \"#/$defs/n\"}], \"$defs\": "
                   "{\"n\": {\"minimum\": 3}}}",
                   "1", "minimum at ");
    check_problems("{\"properties\": {\"a\": {\"type\": \"string\"}}, \"required\": [\"b\"], "
                   "\"unevaluatedProperties\": false}",
                   "{\"a\": 1, \"c\": 2}", "required at , type at /a, unknown-property at /c");
    /* Which members the failed alternatives would have known is not known. */
    check_problems("{\"anyOf\": [{\"properties\": {\"a\": {\"type\": \"string\"}}}], "
                   "\"unevaluatedProperties\": false}",
                   "{\"a\": 1, \"c\": 2}", "type at /a");
}

/* -- Choices --------------------------------------------------------------------------------------
 */

#define TARGET                                                                               \
    "{\"oneOf\": [{\"type\": \"object\", \"properties\": {\"kind\": {\"const\": \"file\"}, " \
    "\"name\": {\"type\": \"string\"}}, \"required\": [\"kind\", \"name\"], "                \
    "\"additionalProperties\": false}, {\"type\": \"object\", \"properties\": {\"kind\": "   \
    "{\"const\": \"url\"}, \"href\": {\"type\": \"string\"}}, \"required\": [\"kind\", "     \
    "\"href\"], "                                                                            \
    "\"additionalProperties\": false}, {\"type\": \"null\"}]}"

static void test_choices(void)
{
    check_problems(TARGET, "{\"kind\": \"url\", \"url\": \"x\"}",
                   "required at , unknown-property at /url");
    check_problems(TARGET, "{\"kind\": \"file\", \"name\": 1}", "type at /name");
    check_problems(TARGET, "{\"kind\": \"fil\", \"name\": \"x\"}", "no-alternative at ");
    check_problems(TARGET, "{\"name\": \"x\"}", "required at ");
    check_problems(TARGET, "7", "no-alternative at ");
    check_problems(TARGET, "{}", "no-alternative at ");
    check_problems("{\"anyOf\": [{\"type\": \"integer\", \"minimum\": 1}, {\"type\": \"null\"}]}",
                   "0", "minimum at ");
    check_problems("{\"anyOf\": [{\"required\": [\"a\"]}, {\"required\": [\"b\"]}]}", "{}",
                   "no-alternative at ");
    check_problems("{\"oneOf\": [{\"minimum\": 1}, {\"minimum\": 2}]}", "3",
                   "many-alternatives at ");
    check_problems(
        "{\"anyOf\": [{\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\"}]}, {\"type\": "
        "\"string\", \"minLength\": 3}]}",
        "\"a\"", "min-length at ");
}

/* Tags may be asked for in a choice within a branch. */
#define NESTED                                                                                     \
    "{\"oneOf\": [{\"properties\": {\"op\": {\"enum\": [\"and\", \"or\"]}, \"args\": {\"items\": " \
    "{\"type\": \"object\"}}}}, {\"$ref\": \"#/$defs/comparison\"}, {\"type\": \"boolean\"}], "    \
    "\"$defs\": {\"comparison\": {\"oneOf\": [{\"properties\": {\"op\": {\"enum\": [\"=\", "       \
    "\"<\"]}, "                                                                                    \
    "\"args\": {\"items\": {\"type\": \"number\"}}}}, {\"properties\": {\"op\": {\"const\": "      \
    "\"like\"}, "                                                                                  \
    "\"args\": {\"items\": {\"type\": \"string\"}}}}]}}}"

static void test_nested_tag(void)
{
    check_problems(NESTED, "{\"op\": \"<\", \"args\": [\"a\"]}", "type at /args/0");
    check_problems(NESTED, "{\"op\": \"like\", \"args\": [7]}", "type at /args/0");
    check_problems(NESTED, "{\"op\": \"or\", \"args\": [7, {}]}", "type at /args/0");
    check_problems(NESTED, "{\"op\": \"xor\", \"args\": [7]}", "no-alternative at ");
    struct run r = begin(NESTED, "{\"op\": \"like\", \"args\": [7]}");
    uint32_t all = count_records(r.scratch);
    CHECK_INT(cupel_report_run(r.program, r.scratch, NULL, 0, CUPEL_REPORT_PROBLEMS, NULL),
              CUPEL_INVALID);
    CHECK_INT(count_records(r.scratch), 3); /* the two choices and the type */
    CHECK(all > 3);
    end(&r);
}

static void test_tag(void)
{
    struct run r = begin(TARGET, "{\"kind\": \"url\", \"url\": \"x\"}");
    struct cupel_record choice, missing;
    cupel_report_record(r.scratch, 0, &choice);
    CHECK_INT(choice.code, CUPEL_P_NO_ALTERNATIVE);
    CHECK_INT(choice.choice, CUPEL_CHOICE_BY_TAG);
    CHECK_INT(choice.chosen, 1);
    CHECK_INT(choice.tag, 2);
    CHECK(!choice.is_problem);
    cupel_report_record(r.scratch, cupel_report_problem(r.scratch, 0), &missing);
    CHECK_INT(missing.group, 0);
    CHECK_INT(missing.branch, 1);
    CHECK(count_records(r.scratch) > count_problems(r.scratch));
    CHECK_INT(count_lost(r.scratch), 0);
    end(&r);
}

/* What a schema whose result is kept has evaluated before it failed is evaluated: the same is told
 * whether results are kept from the beginning or not, in each choice for itself. */
static void test_kept_results(void)
{
    static const char schema[] =
        "{\"properties\": {\"\": {\"anyOf\": [{\"$ref\": \"\"}], \"oneOf\": ["
        "{\"unevaluatedProperties\": {\"$ref\": \"#/$defs/d\"}, \"$ref\": \"\"}, "
        "{\"required\": [\"p\"], \"$ref\": \"\"}]}}, "
        "\"$defs\": {\"d\": {\"exclusiveMinimum\": 0}}}";
    static const char instance[] = "{\"\": {\"\": {\"foo\": 0, \"\": 0}}}";
    struct cupel_options options;
    struct cupel_program *program = NULL;
    cupel_options_init(&options);
    CHECK_INT(cupel_compile(schema, sizeof schema - 1, &options, &program, NULL), CUPEL_OK);
    for (uint32_t way = 0; way < 4; way++) {
        struct cupel_scratch *scratch = NULL;
        options.flags = way & 1 ? CUPEL_EAGER_MEMO : 0;
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        CHECK_INT(cupel_validate(program, scratch, instance, sizeof instance - 1, NULL),
                  CUPEL_INVALID);
        CHECK_INT(
            cupel_report_run(program, scratch, NULL, 0, way & 2 ? CUPEL_REPORT_PROBLEMS : 0, NULL),
            CUPEL_INVALID);
        CHECK_INT(count_problems(scratch), 2);
        cupel_scratch_free(scratch);
    }
    cupel_program_free(program);
}

/* A report within so many steps. */
static enum cupel_verdict report_within(const struct cupel_program *program, uint64_t steps,
                                        const char *instance, enum cupel_problem_code *ret)
{
    struct cupel_options options;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome;
    struct cupel_record record = {.code = CUPEL_P_NONE};
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    options.limits[CUPEL_LIMIT_STEPS] = steps;
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    enum cupel_verdict first = cupel_validate(program, scratch, instance, strlen(instance), NULL);
    enum cupel_verdict report = cupel_report_run(program, scratch, NULL, 0, 0, &outcome);
    CHECK(report == first || first == CUPEL_UNDECIDED);
    CHECK((report == CUPEL_UNDECIDED) == (outcome.reason != CUPEL_OK));
    CHECK((count_problems(scratch) > 0) == (report == CUPEL_INVALID));
    if (report == CUPEL_INVALID)
        cupel_report_record(scratch, cupel_report_problem(scratch, 0), &record);
    CHECK(record.code != CUPEL_P_UNREPORTED || count_lost(scratch) > 0);
    cupel_scratch_free(scratch);
    *ret = record.code;
    return report;
}

/* Whatever the bound, a report of what is INVALID is INVALID and has a problem; it never
 * contradicts.  One of what is VALID may have its verdict from the verdict program; then it has no
 * reason for being undecided. */
static void test_bounds(void)
{
    static const char schema[] = "{\"items\": " TARGET "}";
    static const char invalid[] =
        "[{\"kind\": \"url\", \"href\": \"x\"}, null, {\"kind\": \"url\", "
        "\"href\": 1}, {\"kind\": \"file\"}, 7, {}]";
    static const char valid[] = "[{\"kind\": \"url\", \"href\": \"x\"}, null, null]";
    struct cupel_program *program = NULL;
    enum cupel_problem_code code;
    unsigned untold = 0, told = 0, undecided = 0;
    CHECK_INT(cupel_compile(schema, sizeof schema - 1, NULL, &program, NULL), CUPEL_OK);
    for (uint64_t steps = 1; steps < 400; steps++) {
        report_within(program, steps, invalid, &code);
        untold += code == CUPEL_P_UNREPORTED;
        told += code != CUPEL_P_UNREPORTED && code != CUPEL_P_NONE;
        undecided += report_within(program, steps, valid, &code) == CUPEL_UNDECIDED;
    }
    CHECK(untold > 0 && told > 0 && undecided > 0);
    cupel_program_free(program);
}

/* -- Places ---------------------------------------------------------------------------------------
 */

static void check_text(struct run *r, const char *want)
{
    CHECK_MEM(r->text.bytes, r->text.len, want);
    cupel_text_clear(&r->text);
}

static void test_places(void)
{
    struct run r =
        begin("{\"$id\": \"https://example.com/root\", \"properties\": {\"a/b\": {\"items\": "
              "{\"$ref\": \"part#/$defs/x\"}}}, \"$defs\": {\"p\": {\"$id\": \"part\", \"$defs\": "
              "{\"x\": {\"allOf\": [{\"$ref\": \"#/$defs/y^\"}]}, \"y^\": {\"type\": \"null\"}}}}}",
              "{\"a/b\": [null, 3]}");
    uint32_t i = cupel_report_problem(r.scratch, 0);
    cupel_report_write(r.scratch, i, CUPEL_RECORD_KEYWORD, NULL, &r.text);
    check_text(&r, "type");
    cupel_report_write(r.scratch, i, CUPEL_RECORD_INSTANCE, NULL, &r.text);
    check_text(&r, "/a~1b/1");
    cupel_report_write(r.scratch, i, CUPEL_RECORD_SCHEMA, NULL, &r.text);
    check_text(&r, "/$defs/p/$defs/y^/type");
    cupel_report_write(r.scratch, i, CUPEL_RECORD_ABSOLUTE, "", &r.text);
    check_text(&r, "https://example.com/part#/$defs/y%5E/type");
    cupel_report_write(r.scratch, i, CUPEL_RECORD_EVALUATION, NULL, &r.text);
    check_text(&r, "/properties/a~1b/items/$ref/allOf/0/$ref/type");
    cupel_report_write(r.scratch, i, CUPEL_RECORD_SENTENCE, NULL, &r.text);
    check_text(&r, "expected null, found integer");
    end(&r);
}

/* A false schema under `additionalProperties` that a `$ref` brings to the root, to an item, and to
 * the root of a run that is a member of its document: none of them is an unknown property. */
static void test_forbidden_roots(void)
{
    static const char root[] =
        "{\"$ref\": \"#/additionalProperties\", \"additionalProperties\": false}";
    struct run r = begin(root, "[5]");
    CHECK(strncmp(problems(&r), "nothing-allowed", 15) == 0);
    end(&r);
    r = begin(
        "{\"items\": {\"$ref\": \"#/additionalProperties\"}, \"additionalProperties\": false}",
        "[5]");
    CHECK(strncmp(problems(&r), "nothing-allowed", 15) == 0);
    end(&r);
    r = begin("{\"additionalProperties\": {\"$ref\": \"#/items\"}, \"items\": false}",
              "{\"a\": 5}");
    CHECK(strncmp(problems(&r), "nothing-allowed", 15) == 0);
    end(&r);
    struct cupel_document *doc = NULL;
    r = begin(root, "null");
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, "{\"a\": [5]}", 10, NULL), CUPEL_OK);
    uint32_t member = cupel_json_member(doc, 0, "a", 1);
    for (int rendering = 0; rendering <= CUPEL_RENDER_HIERARCHICAL; rendering++) {
        cupel_text_clear(&r.text);
        CHECK_INT(cupel_render(r.program, r.scratch, doc, member, (enum cupel_rendering)rendering,
                               NULL, &r.text, NULL),
                  CUPEL_INVALID);
        cupel_text_add(&r.text, "", 1);
        CHECK(strstr(r.text.bytes, "property `") == NULL);
    }
    cupel_document_free(doc);
    end(&r);
}

static void test_dynamic_places(void)
{
    struct run r =
        begin("{\"$id\": \"https://example.com/strict\", \"$dynamicAnchor\": \"n\", \"$ref\": "
              "\"tree\", \"required\": [\"v\"], \"$defs\": {\"t\": {\"$id\": \"tree\", "
              "\"$dynamicAnchor\": \"n\", \"properties\": {\"c\": {\"$dynamicRef\": \"#n\"}}}}}",
              "{\"v\": 1, \"c\": {}}");
    uint32_t i = cupel_report_problem(r.scratch, 0);
    cupel_report_write(r.scratch, i, CUPEL_RECORD_EVALUATION, NULL, &r.text);
    check_text(&r, "/$ref/properties/c/$dynamicRef/required");
    cupel_report_write(r.scratch, i, CUPEL_RECORD_ABSOLUTE, "", &r.text);
    check_text(&r, "https://example.com/strict#/required");
    end(&r);
}

/* What a schema holds does not leave a message as it came. */
static void test_hostile_names(void)
{
    struct run r = begin("{\"required\": [\"a\\u001b[2J\\u202eb\\u0000\\\"c\"]}", "{}");
    cupel_report_write(r.scratch, 0, CUPEL_RECORD_SENTENCE, NULL, &r.text);
    check_text(&r, "required property \"a\\u001b[2J\\u202eb\\u0000\\\"c\" is missing");
    end(&r);
}

/* -- Room -----------------------------------------------------------------------------------------
 */

/* Many more failures than there is room for at first: all are kept; beyond the most they are
 * counted. */
static void test_room(void)
{
    struct cupel_text instance;
    cupel_text_init(&instance, NULL);
    for (int n = 100; n <= 10000; n *= 10) {
        cupel_text_clear(&instance);
        for (int i = 0; i < n; i++)
            cupel_text_adds(&instance, i == 0 ? "[0" : ",0");
        cupel_text_adds(&instance, "]");
        struct run r = begin("{\"items\": {\"type\": \"null\"}}", instance.bytes);
        CHECK_INT(count_problems(r.scratch) + count_lost(r.scratch), n);
        CHECK(n > 1000 || count_lost(r.scratch) == 0);
        end(&r);
    }
    cupel_text_free(&instance);
}

int main(void)
{
    test_codes();
    test_once();
    test_choices();
    test_tag();
    test_kept_results();
    test_bounds();
    test_nested_tag();
    test_places();
    test_forbidden_roots();
    test_dynamic_places();
    test_hostile_names();
    test_room();
    return test_end();
}
