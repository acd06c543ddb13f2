/* test_positions.c: what reports write of positions is bounded, charged, and says where it was cut.
 */
#include "shape.h"
#include "test.h"
#include "test_alloc.h"
#include <cupel/cupel.h>

#define TEXT(before, each, between, after)       \
    {                                            \
        before, each, between, after, NULL, NULL \
    }
#define LONG                                                                                     \
    "long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-" \
    "long-name"
#define LONGER LONG LONG LONG LONG LONG LONG LONG LONG

struct family {
    const char *name;
    struct shape schema, instance;
    unsigned n, m; /* of the schema; of the instance */
};

/* Locations that are long, many, or both; written out each is about as long as the text. */
static const struct family families[] = {
    {"deep below long names",
     TEXT("{\"type\":[\"object\",\"array\"],\"additionalProperties\":{\"$ref\":\"#\"},\"items\":"
          "false}",
          "", "", ""),
     TEXT("", "{\"" LONGER "\":~}", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]", ""), 1,
     100},
    {"one name of the text's length",
     TEXT("{\"additionalProperties\":{\"type\":\"null\"}}", "", "", ""),
     TEXT("{\"", LONG, "", "\":1}"), 1, 600},
    {"a name of escapes", TEXT("{\"additionalProperties\":{\"type\":\"null\"}}", "", "", ""),
     TEXT("{\"", "\\u0001\\u200b/~", "", "\":1}"), 1, 4000},
    {"thousands of problems",
     TEXT("{\"items\":{\"$ref\":\"#/$defs/"
          "a\"},\"$defs\":{\"a\":{\"allOf\":[{\"type\":\"null\"},{\"minimum\":9999}]}}}",
          "", "", ""),
     TEXT("[", "@", ",", "]"), 1, 9000},
    {"thousands of names that are missing", TEXT("{\"required\":[", "\"" LONG "@\"", ",", "]}"),
     TEXT("{}", "", "", ""), 2000, 1},
    {"a reference for each level",
     TEXT("{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"properties\":{\"" LONG
          "\":{\"$ref\":\"#/$defs/n\"}},\"required\":[\"b\",\"c\"]}}}",
          "", "", ""),
     TEXT("", "{\"" LONG "\":~}", "{}", ""), 1, 120},
    {"keywords far into the schema",
     TEXT("", "{\"properties\":{\"" LONGER "\":~},\"required\":[\"a\",\"b\"]}", "{\"items\":false}",
          ""),
     TEXT("", "{\"" LONGER "\":~}", "[1,2,3]", ""), 60, 60},
    {"an alternative for each of many items",
     TEXT("{\"items\":{\"anyOf\":[{\"properties\":{\"a\":{\"const\":1}}},{\"properties\":{\"a\":{"
          "\"const\":2}},\"required\":[\"z\"]}]}}",
          "", "", ""),
     TEXT("[", "{\"a\":3}", ",", "]"), 1, 6000},
};

static const size_t error_bytes[] = {1, 256, 4 << 10, 64 << 10};

struct result {
    size_t text, meter; /* bytes of the instance; of the peak of the output's memory */
    enum cupel_verdict verdict;
};

static struct cupel_program *compile(const struct family *f)
{
    struct cupel_options options;
    struct cupel_text schema;
    struct cupel_program *program = NULL;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 1 << 20;
    options.limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
    cupel_text_init(&schema, NULL);
    shape_build(&schema, &f->schema, f->n);
    CHECK_INT(cupel_compile(schema.bytes, schema.len, &options, &program, NULL), CUPEL_OK);
    cupel_text_free(&schema);
    return program;
}

static int add_strings(void *ctx, const struct cupel_problem *p)
{
    size_t *sum = ctx;
    sum[0]++;
    sum[1] += strlen(p->keyword) + strlen(p->message) + strlen(p->instance) + strlen(p->schema) + 4;
    return 0;
}

/* One family under one bound: the strings of cupel_report, then each rendering, which must be whole
 * JSON where it is JSON. */
static void report(const struct family *f, const struct cupel_program *program, size_t bytes)
{
    struct cupel_options options;
    struct cupel_scratch *scratch = NULL;
    struct cupel_text text;
    size_t sum[2] = {0, 0};
    struct test_alloc scratch_meter = {0};
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_ERROR_BYTES] = bytes;
    options.limits[CUPEL_LIMIT_ERRORS] = UINT32_MAX;
    options.alloc = test_allocator(&scratch_meter);
    cupel_text_init(&text, NULL);
    shape_build(&text, &f->instance, f->m);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    bool ok =
        CHECK_INT(cupel_validate(program, scratch, text.bytes, text.len, NULL), CUPEL_INVALID);
    ok &= CHECK_INT(cupel_report(program, scratch, NULL, 0, add_strings, sum, NULL), CUPEL_INVALID);
    ok &= CHECK(sum[0] > 0 && sum[1] <= (bytes > 256 ? bytes : 256));
    for (int r = CUPEL_RENDER_MODEL; r <= CUPEL_RENDER_HIERARCHICAL; r++) {
        struct test_alloc meter = {0};
        struct cupel_alloc alloc = test_allocator(&meter);
        struct cupel_text out;
        cupel_text_init(&out, &alloc);
        scratch_meter.peak = scratch_meter.live;
        ok &= CHECK_INT(
            cupel_render(program, scratch, NULL, 0, (enum cupel_rendering)r, NULL, &out, NULL),
            CUPEL_INVALID);
        ok &= CHECK(meter.peak <= 4 * bytes + (1 << 20));
        ok &= CHECK(meter.peak + scratch_meter.peak <= options.limits[CUPEL_LIMIT_SCRATCH_BYTES] +
                                                           8 * text.len + text.len / 2 + 4 * bytes +
                                                           (1 << 20));
        if (!ok)
            fprintf(stderr, "    %s, %zu bytes, rendering %d: %zu and %zu\n", f->name, bytes, r,
                    meter.peak, scratch_meter.peak);
        cupel_text_free(&out);
    }
    cupel_scratch_free(scratch);
    cupel_text_free(&text);
}

static void test_bounds(void)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        struct cupel_program *program = compile(&families[i]);
        for (size_t k = 0; program != NULL && k < sizeof error_bytes / sizeof *error_bytes; k++)
            report(&families[i], program, error_bytes[k]);
        cupel_program_free(program);
    }
}

/* -- Cuts
 * --------------------------------------------------------------------------------------------------
 */

static int keep_first(void *ctx, const struct cupel_problem *p)
{
    struct cupel_text *out = ctx;
    cupel_text_add(out, p->instance, strlen(p->instance));
    return 1;
}

static void test_cut(void)
{
    struct cupel_program *program = compile(&families[1]);
    struct cupel_options options;
    struct cupel_scratch *scratch = NULL;
    struct cupel_text text, out;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_ERROR_BYTES] = 1000;
    cupel_text_init(&text, NULL);
    cupel_text_init(&out, NULL);
    shape_build(&text, &families[1].instance, 600);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, text.bytes, text.len, NULL), CUPEL_INVALID);
    CHECK_INT(cupel_report(program, scratch, NULL, 0, keep_first, &out, NULL), CUPEL_INVALID);
    CHECK(out.len > 200 && out.len <= 250 && memcmp(out.bytes + out.len - 3, "…", 3) == 0);
    cupel_text_clear(&out);
    CHECK_INT(cupel_report_run(program, scratch, NULL, 0, 0, NULL), CUPEL_INVALID);
    cupel_report_write(scratch, cupel_report_problem(scratch, 0), CUPEL_RECORD_INSTANCE, NULL,
                       &out);
    CHECK(out.len == 1003 && memcmp(out.bytes, "/" LONG, sizeof LONG) == 0 &&
          memcmp(out.bytes + 1000, "…", 3) == 0);
    cupel_text_free(&out);
    cupel_text_free(&text);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

/* -- Steps
 * --------------------------------------------------------------------------------------------------
 */

static int count(void *ctx, const struct cupel_annotation *note)
{
    (void)note;
    ++*(unsigned *)ctx;
    return 0;
}

static uint64_t annotate(const char *schema, const struct shape *instance, unsigned n,
                         unsigned *notes, enum cupel_verdict want)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome = {.steps = 0};
    struct cupel_text text;
    cupel_options_init(&options);
    options.flags |= CUPEL_ANNOTATIONS;
    options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = 64 << 20;
    cupel_text_init(&text, NULL);
    shape_build(&text, instance, n);
    CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, text.bytes, text.len, NULL), CUPEL_VALID);
    CHECK_INT(cupel_annotate(program, scratch, NULL, 0, count, notes, &outcome), want);
    CHECK_INT(outcome.reason, want == CUPEL_VALID ? CUPEL_OK : CUPEL_E_LIMIT_STEPS);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    cupel_text_free(&text);
    return outcome.steps;
}

/* An annotation of every item: twice the items take twice the steps, and more than the run alone.
 */
static void test_annotations(void)
{
    static const struct shape instance = TEXT("[", "1", ",", "]");
    unsigned notes = 0;
    uint64_t one = annotate("{\"items\":{\"title\":\"t\"}}", &instance, 2000, &notes, CUPEL_VALID);
    uint64_t two = annotate("{\"items\":{\"title\":\"t\"}}", &instance, 4000, &notes, CUPEL_VALID);
    CHECK_INT(notes, 6000);
    CHECK(two <= 2 * one + one / 4 && one > 10 * 2000);
    /* In the order of the document even where the schema goes over the items again and again. */
    notes = 0;
    uint64_t twice =
        annotate("{\"allOf\":[{\"items\":{\"title\":\"t\"}},{\"items\":{\"title\":\"u\"}},"
                 "{\"items\":{\"title\":\"v\"}}]}",
                 &instance, 1000, &notes, CUPEL_VALID);
    CHECK(twice <= 4 * one && notes == 3000);
}

/* Thirty annotations an item are too many for the budget: a reason, and no verdict. */
static void test_too_many(void)
{
    static const struct shape instance = TEXT("[", "1", ",", "]");
    static const char schema[] = "{\"items\":{\"title\":\"t\",\"description\":\"d\",\"default\":1,"
                                 "\"examples\":[1,2,3],\"x-a\":1,\"x-b\":1,"
                                 "\"x-c\":1,\"x-d\":1,\"x-e\":1,\"x-f\":1,\"x-g\":1,\"x-h\":1,\"x-"
                                 "i\":1,\"x-j\":1,\"x-k\":1,\"x-l\":1}}";
    unsigned notes = 0;
    annotate(schema, &instance, 20000, &notes, CUPEL_UNDECIDED);
    CHECK(notes < 320000);
}

int main(void)
{
    test_bounds();
    test_cut();
    test_annotations();
    test_too_many();
    return test_end();
}
