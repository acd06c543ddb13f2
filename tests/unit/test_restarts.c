/* test_restarts.c: runs that start again with more memory, or end because they may not have it:
 * memory, frames, steps in all; verdicts, reports and annotations. */
#include "report_counts.h"
#include "test.h"
#include "vm/program/program.h"
#include <cupel/cupel.h>

/* before, then n times each, then after. */
static char *repeat(const char *before, const char *each, unsigned n, const char *after)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text, before);
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&text, "%s%s", i == 0 ? "" : ",", each);
    cupel_text_adds(&text, after);
    return text.bytes;
}

static struct cupel_options defaults(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_BODY_BYTES] = 1 << 22;
    return options;
}

static struct cupel_program *compile(const char *schema, uint32_t flags)
{
    struct cupel_program *program = NULL;
    struct cupel_options options = defaults();
    struct cupel_error err = {0};
    options.flags = flags;
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, &err), CUPEL_OK))
        fprintf(stderr, "    %s: %s\n", err.detail, schema);
    return program;
}

static struct cupel_scratch *make_scratch(const struct cupel_options *options)
{
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_scratch_new(options, &scratch), CUPEL_OK);
    return scratch;
}

static int count(void *ctx, const struct cupel_problem *problem)
{
    ++*(int *)ctx;
    return problem->message == NULL;
}

static int note(void *ctx, const struct cupel_annotation *annotation)
{
    ++*(int *)ctx;
    return annotation->keyword == NULL;
}

/* -- One scratch for many programs
 * ------------------------------------------------------------------------ */

static const char plain_schema[] = "{\"items\":{\"multipleOf\":1}}";
static const char memo_schema[] = "{\"anyOf\":[{\"type\":\"number\",\"maximum\":3},{\"type\":"
                                  "\"object\",\"properties\":{\"a\":{\"anyOf\":["
                                  "{\"$ref\":\"#\"},{\"$ref\":\"#\",\"title\":\"t\"}]}}}]}";
static const char state_schema[] = "{\"items\":{\"anyOf\":[{\"prefixItems\":[true]},{\"minItems\":"
                                   "1}],\"unevaluatedItems\":{\"type\":\"integer\"}}}";
static const char both_schema[] = "{\"anyOf\":[{\"properties\":{\"a\":{\"$ref\":\"#\"}}},{"
                                  "\"properties\":{\"a\":{\"$ref\":\"#\"},\"b\":true}}],"
                                  "\"unevaluatedProperties\":false,\"type\":\"object\"}";

/* What a long run of one program leaves does not change the steps of another. */
static void test_one_scratch(void)
{
    static const char *const schemas[] = {plain_schema, memo_schema, state_schema, both_schema,
                                          plain_schema};
    enum { PROGRAMS = sizeof schemas / sizeof *schemas };
    char *flat = repeat("[", "1", 400, "]"), *nested = repeat("[", "[1,2,3]", 300, "]");
    char *deep = repeat("{\"a\":", "{}", 1, "}");
    for (int i = 0; i < 60; i++) {
        struct cupel_text more;
        cupel_text_init(&more, NULL);
        cupel_text_addf(&more, "{\"a\":%s}", deep);
        free(deep);
        deep = more.bytes;
    }
    const char *const texts[PROGRAMS] = {flat, deep, nested, deep, flat};
    struct cupel_options options = defaults();
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    static const bool memos[PROGRAMS] = {false, true, false, true, false},
                      sets[PROGRAMS] = {false, false, true, true, false};
    for (uint64_t steps = 500; steps < 40000; steps += steps / 3) {
        options.limits[CUPEL_LIMIT_STEPS] = steps;
        struct cupel_scratch *kept = make_scratch(&options);
        for (int i = 0; i < PROGRAMS; i++) {
            struct cupel_program *program = compile(schemas[i], 0);
            struct cupel_scratch *fresh = make_scratch(&options);
            struct cupel_outcome a, b;
            CHECK((program->verdict.facts.memos > 0) == memos[i] &&
                  program->verdict.facts.stateful == sets[i]);
            enum cupel_verdict want =
                cupel_validate(program, fresh, texts[i], strlen(texts[i]), &a);
            CHECK_INT(cupel_validate(program, kept, texts[i], strlen(texts[i]), &b), want);
            CHECK(want == CUPEL_UNDECIDED || (want == CUPEL_VALID && a.steps == b.steps));
            cupel_scratch_free(fresh);
            cupel_program_free(program);
        }
        cupel_scratch_free(kept);
    }
    free(flat);
    free(nested);
    free(deep);
}

static uint64_t steps_of(const struct cupel_program *program, const char *text)
{
    struct cupel_options options = defaults();
    struct cupel_outcome outcome;
    options.limits[CUPEL_LIMIT_STEPS] = 1 << 24;
    struct cupel_scratch *scratch = make_scratch(&options);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), &outcome), CUPEL_VALID);
    cupel_scratch_free(scratch);
    return outcome.steps;
}

/* Every request of a run that takes half of its budget, and so is begun again, fails: once, and for
 * ever after. */
static void fail_each(const char *schema, const char *before, const char *text, bool for_ever)
{
    struct cupel_program *program = compile(schema, 0);
    const uint64_t steps = 2 * steps_of(program, text);
    for (unsigned long n = 1, reached = 1; reached; n++) {
        struct test_alloc t = {0};
        struct cupel_options options = defaults();
        struct cupel_outcome outcome;
        options.limits[CUPEL_LIMIT_STEPS] = steps;
        options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
        options.alloc = test_allocator(&t);
        struct cupel_scratch *scratch = make_scratch(&options);
        CHECK_INT(cupel_validate(program, scratch, before, strlen(before), NULL), CUPEL_VALID);
        t.fail_at = t.requests + n;
        t.for_ever = for_ever;
        enum cupel_verdict verdict = cupel_validate(program, scratch, text, strlen(text), &outcome);
        reached = t.requests >= t.fail_at;
        CHECK(reached ? verdict == CUPEL_VALID || outcome.reason == CUPEL_E_NO_MEMORY
                      : verdict == CUPEL_VALID);
        t.fail_at = 0;
        CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), CUPEL_VALID);
        cupel_scratch_free(scratch);
        CHECK_INT(t.live, 0);
    }
    cupel_program_free(program);
}

static void test_no_memory(void)
{
    char *flat = repeat("[", "1", 400, "]"), *nested = repeat("[", "[1,2,3]", 300, "]");
    char *object = repeat("", "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}", 1, "");
    char *shallow = repeat("", "{}", 1, "");
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        for (int warm = 0; warm < 2; warm++) {
            fail_each(plain_schema, warm ? "[1]" : "1", flat, for_ever);
            fail_each(state_schema, warm ? "[[1]]" : "1", nested, for_ever);
            fail_each(memo_schema, shallow, object, for_ever);
            fail_each(both_schema, warm ? object : shallow, object, for_ever);
        }
    }
    free(flat);
    free(nested);
    free(object);
    free(shallow);
}

/* A limit that is none asks for no more than a run may use. */
static void test_no_limit(void)
{
    struct cupel_options options = defaults();
    char *text = repeat("[", "1", 4000, "]");
    struct cupel_program *program =
        compile("{\"items\":{\"multipleOf\":1,\"title\":\"t\"}}", CUPEL_ANNOTATIONS);
    options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = SIZE_MAX;
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    options.limits[CUPEL_LIMIT_STEPS] = 90000; /* more than a quarter of it is needed */
    struct cupel_scratch *scratch = make_scratch(&options);
    int notes = 0;
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), CUPEL_VALID);
    CHECK_INT(cupel_annotate(program, scratch, NULL, 0, note, &notes, NULL), CUPEL_VALID);
    CHECK_INT(notes, 4000);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    free(text);
}

/* -- Work that is thrown away
 * ------------------------------------------------------------------------------ */

/* Tables of uniqueItems that are larger and larger, each after all the work: where there is no room
 * for the largest at once, a run is begun again for each, and no more than a few times its budget
 * is spent. */
static void test_abandoned(void)
{
    static const char schema[] =
        "{\"prefixItems\":[{\"items\":{\"multipleOf\":1}}],\"items\":{\"uniqueItems\":true}}";
    struct cupel_program *program = compile(schema, 0);
    struct cupel_options options = defaults();
    struct cupel_outcome outcome;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text, "[[1");
    for (int i = 0; i < 20000; i++)
        cupel_text_adds(&text, ",1");
    cupel_text_adds(&text, "]");
    for (int n = 70; n < 1200; n = n * 3 / 2) {
        cupel_text_adds(&text, ",[0");
        for (int i = 1; i < n; i++)
            cupel_text_addf(&text, ",%d", i);
        cupel_text_adds(&text, "]");
    }
    cupel_text_adds(&text, "]");
    uint64_t needed = 0;
    for (int i = 0; i < 3; i++) { /* room for all at once; not, and few steps; not, and many */
        options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = i == 0 ? 4 << 20 : 256 << 10;
        options.limits[CUPEL_LIMIT_STEPS] = i == 0   ? 1 << 24
                                            : i == 1 ? needed * 11 / 10
                                                     : 8 * needed;
        options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
        struct cupel_scratch *scratch = make_scratch(&options);
        enum cupel_verdict verdict =
            cupel_validate(program, scratch, text.bytes, text.len, &outcome);
        CHECK_INT(verdict, i == 1 ? CUPEL_UNDECIDED : CUPEL_VALID);
        CHECK_INT(outcome.reason, i == 1 ? CUPEL_E_LIMIT_STEPS : CUPEL_OK);
        CHECK(i != 1 || outcome.steps < 4 * options.limits[CUPEL_LIMIT_STEPS]);
        needed = i == 0 ? outcome.steps : needed;
        cupel_scratch_free(scratch);
    }
    cupel_text_free(&text);
    cupel_program_free(program);
}

/* A value of an enumeration is compared by an index of names, for which there has to be room first.
 */
static void test_index(void)
{
    struct cupel_text schema, members;
    cupel_text_init(&members, NULL);
    cupel_text_init(&schema, NULL);
    for (int i = 0; i < 60; i++)
        cupel_text_addf(&members, "\"m%d\":%d,", 60 - i, 60 - i);
    cupel_text_addf(&schema, "{\"enum\":[{%s\"x\":1},{%s\"x\":2},{\"x\":3}]}", members.bytes,
                    members.bytes);
    struct cupel_program *program = compile(schema.bytes, 0);
    for (int x = 1; x <= 4; x++) {
        struct cupel_options options = defaults();
        struct cupel_scratch *scratch = make_scratch(&options);
        struct cupel_text text;
        cupel_text_init(&text, NULL);
        cupel_text_addf(&text, "{\"x\":%d", x);
        for (int i = 1; i <= 60; i++)
            cupel_text_addf(&text, ",\"m%d\":%d", i, i);
        cupel_text_adds(&text, "}");
        CHECK_INT(cupel_validate(program, scratch, text.bytes, text.len, NULL),
                  x <= 2 ? CUPEL_VALID : CUPEL_INVALID);
        cupel_text_free(&text);
        cupel_scratch_free(scratch);
    }
    cupel_program_free(program);
    cupel_text_free(&schema);
    cupel_text_free(&members);
}

/* -- Reports
 * ------------------------------------------------------------------------------------------------
 */

/* With any memory a report of a deep value says the same, or says that it is not enough. */
static void test_deep_reports(void)
{
    static const char schema[] = "{\"anyOf\":[{\"type\":\"object\",\"required\":[\"a\"],"
                                 "\"properties\":{\"a\":{\"$ref\":\"#\"}}},"
                                 "{\"type\":\"object\",\"required\":[\"b\"],\"properties\":{\"b\":{"
                                 "\"not\":{\"$ref\":\"#\"}}}}]}";
    struct cupel_program *program = compile(schema, 0);
    char text[2048] = "";
    unsigned stacks = 0, told = 0;
    for (int i = 0; i < 100; i++)
        strcat(text, "{\"a\":");
    strcat(text, "1");
    for (int i = 0; i < 100; i++)
        strcat(text, "}");
    for (size_t bytes = 1024; bytes < 512 << 10; bytes += bytes < 64 << 10 ? 176 : 4096) {
        struct cupel_options options = defaults();
        struct cupel_outcome outcome;
        struct cupel_document *doc = NULL;
        int problems = 0;
        options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = bytes;
        struct cupel_scratch *scratch = make_scratch(&options);
        CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
        CHECK_INT(cupel_document_read(doc, text, strlen(text), NULL), CUPEL_OK);
        enum cupel_verdict verdict =
            cupel_report(program, scratch, doc, 0, count, &problems, &outcome);
        if (verdict == CUPEL_INVALID)
            told += CHECK(problems > 0 && outcome.reason == CUPEL_OK);
        else
            stacks += CHECK(verdict == CUPEL_UNDECIDED) && outcome.reason == CUPEL_E_LIMIT_STACK;
        cupel_document_free(doc);
        cupel_scratch_free(scratch);
    }
    CHECK(stacks > 0 && told > 0);
    cupel_program_free(program);
}

/* More problems, each by a way of its own, than there is room for. */
static void test_ways(void)
{
    struct cupel_program *program =
        compile("{\"items\":{\"$ref\":\"#/$defs/n\"},\"$defs\":{\"n\":{\"type\":\"null\"}}}", 0);
    struct cupel_options options = defaults();
    struct cupel_scratch *scratch = make_scratch(&options);
    struct cupel_text way;
    char *text = repeat("[", "0", 5000, "]");
    cupel_text_init(&way, NULL);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), CUPEL_INVALID);
    CHECK_INT(cupel_report_run(program, scratch, NULL, 0, 0, NULL), CUPEL_INVALID);
    CHECK_INT(count_problems(scratch) + count_lost(scratch), 5000);
    cupel_report_write(scratch, cupel_report_problem(scratch, 0), CUPEL_RECORD_EVALUATION, NULL,
                       &way);
    CHECK_MEM(way.bytes, way.len, "/items/$ref/type");
    cupel_text_free(&way);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    free(text);
}

/* All that was run, in VERBOSE: as a whole, or as a flag where steps or memory are not enough for
 * it. */
static void render(const struct cupel_program *program, const char *text,
                   const struct cupel_options *options, unsigned counts[3])
{
    struct cupel_scratch *scratch = make_scratch(options);
    struct cupel_text out;
    struct cupel_render_options rendering;
    cupel_render_options_init(&rendering);
    rendering.bytes = 1 << 22;
    cupel_text_init(&out, NULL);
    enum cupel_verdict verdict = cupel_validate(program, scratch, text, strlen(text), NULL);
    if (verdict != CUPEL_UNDECIDED)
        verdict =
            cupel_render(program, scratch, NULL, 0, CUPEL_RENDER_VERBOSE, &rendering, &out, NULL);
    if (verdict == CUPEL_UNDECIDED)
        counts[0]++;
    else if (CHECK(!out.failed && out.len > 0))
        counts[out.len < 32 ? 1 : 2]++;
    cupel_text_free(&out);
    cupel_scratch_free(scratch);
}

static void test_traces(void)
{
    static const char schema[] = "{\"items\":{\"$ref\":\"#/$defs/"
                                 "a\"},\"$defs\":{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/b\"}]},"
                                 "\"b\":{\"$ref\":\"#/$defs/c\"},\"c\":{\"type\":\"integer\"}}}";
    struct cupel_program *program = compile(schema, 0);
    char *text = repeat("[", "1", 300, "]");
    unsigned by_steps[3] = {0}, by_memory[3] = {0};
    struct cupel_options options = defaults();
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    for (options.limits[CUPEL_LIMIT_STEPS] = 100; options.limits[CUPEL_LIMIT_STEPS] < 120000;
         options.limits[CUPEL_LIMIT_STEPS] += options.limits[CUPEL_LIMIT_STEPS] / 8)
        render(program, text, &options, by_steps);
    options.limits[CUPEL_LIMIT_STEPS] = 120000;
    for (size_t bytes = 64 << 10; bytes <= 4 << 20; bytes += 128 << 10) {
        options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = bytes;
        render(program, text, &options, by_memory);
    }
    CHECK(by_steps[0] > 0 && by_steps[1] > 0 && by_steps[2] > 0);
    CHECK(by_memory[1] > 0 && by_memory[2] > 0);
    cupel_program_free(program);
    free(text);
}

/* -- Annotations
 * ------------------------------------------------------------------------------------------- */

/* Annotations that do not fit, all together or one of them: none is a verdict, and none is left
 * out. */
static void test_notes(void)
{
    char *many = repeat("{\"items\":{\"title\":\"t\",\"description\":\"d\",\"examples\":[", "1", 3,
                        "],\"default\":1}}");
    char *long_one = repeat("{\"examples\":[", "12345678901234567890", 500, "]}");
    char *items = repeat("[", "1", 1000, "]");
    const struct {
        const char *schema, *text;
        size_t bytes;
    } rows[] = {{many, items, 128 << 10}, {long_one, "1", 8 << 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cupel_program *program = compile(rows[i].schema, CUPEL_ANNOTATIONS);
        for (int enough = 0; enough < 2; enough++) {
            struct cupel_options options = defaults();
            struct cupel_outcome outcome;
            int notes = 0;
            options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = enough ? 4 << 20 : rows[i].bytes;
            struct cupel_scratch *scratch = make_scratch(&options);
            CHECK_INT(cupel_validate(program, scratch, rows[i].text, strlen(rows[i].text), NULL),
                      CUPEL_VALID);
            enum cupel_verdict verdict =
                cupel_annotate(program, scratch, NULL, 0, note, &notes, &outcome);
            CHECK_INT(verdict, enough ? CUPEL_VALID : CUPEL_UNDECIDED);
            CHECK_INT(outcome.reason, enough ? CUPEL_OK : CUPEL_E_LIMIT_MEMORY);
            CHECK_INT(notes, !enough ? 0 : i == 0 ? 4000 : 1);
            CHECK_INT(cupel_annotate(program, scratch, NULL, 0, note, &notes, NULL), verdict);
            cupel_scratch_free(scratch);
        }
        cupel_program_free(program);
    }
    free(many);
    free(long_one);
    free(items);
}

/* Every request of annotations fails. */
static void test_notes_without_memory(void)
{
    static const char schema[] = "{\"items\":{\"title\":\"a title\",\"description\":\"d\"}}";
    struct cupel_program *program = compile(schema, CUPEL_ANNOTATIONS);
    char *text = repeat("[", "1", 200, "]");
    for (unsigned long n = 1, reached = 1; reached; n++) {
        struct test_alloc t = {0};
        struct cupel_options options = defaults();
        struct cupel_outcome outcome;
        int notes = 0;
        options.alloc = test_allocator(&t);
        struct cupel_scratch *scratch = make_scratch(&options);
        CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), CUPEL_VALID);
        t.fail_at = t.requests + n;
        enum cupel_verdict verdict =
            cupel_annotate(program, scratch, NULL, 0, note, &notes, &outcome);
        reached = t.requests >= t.fail_at;
        CHECK_INT(verdict, reached ? CUPEL_UNDECIDED : CUPEL_VALID);
        CHECK_INT(outcome.reason, reached ? CUPEL_E_NO_MEMORY : CUPEL_OK);
        CHECK(reached || notes == 400);
        cupel_scratch_free(scratch);
        CHECK_INT(t.live, 0);
    }
    cupel_program_free(program);
    free(text);
}

int main(void)
{
    test_one_scratch();
    test_no_memory();
    test_no_limit();
    test_abandoned();
    test_index();
    test_deep_reports();
    test_ways();
    test_traces();
    test_notes();
    test_notes_without_memory();
    return test_end();
}
