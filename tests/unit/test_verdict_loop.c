/* test_verdict_loop.c: the verdict loops: all ways to run a program agree, each limit is where it
 * should be, and the C stack does not grow. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <limits.h>
#include <pthread.h>

/* -- Helpers --------------------------------------------------------------------------------------
 */

static struct cupel_program *compile(const char *schema, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), options, &program, &err), CUPEL_OK))
        fprintf(stderr, "    %s: %s\n", schema, err.detail);
    return program;
}

static enum cupel_status compile_status(const char *schema, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    enum cupel_status s = cupel_compile(schema, strlen(schema), options, &program, NULL);
    CHECK((program != NULL) == (s == CUPEL_OK));
    cupel_program_free(program);
    return s;
}

static enum cupel_verdict run(const struct cupel_program *program, const char *text,
                              const struct cupel_options *options, struct cupel_outcome *ret)
{
    struct cupel_scratch *scratch;
    if (!CHECK_INT(cupel_scratch_new(options, &scratch), CUPEL_OK))
        return CUPEL_UNDECIDED;
    enum cupel_verdict verdict = cupel_validate(program, scratch, text, strlen(text), ret);
    cupel_scratch_free(scratch);
    return verdict;
}

static int count(void *ctx, const struct cupel_problem *problem)
{
    CHECK(problem->keyword[0] != '\0' && problem->message[0] != '\0');
    ++*(unsigned *)ctx;
    return 0;
}

/* -- All ways agree -------------------------------------------------------------------------------
 */

struct judged {
    const char *schema;
    const char *valid[4], *invalid[4]; /* up to NULL */
};

static const struct judged table[] = {
    {"{\"type\": \"integer\", \"minimum\": -3, \"maximum\": 70}",
     {"-3", "70.0", "7e1"},
     {"-4", "1.5", "1e400", "null"}},
    {"{\"exclusiveMinimum\": 0.5, \"multipleOf\": 0.25, \"maxLength\": 2, \"minItems\": 1}",
     {"0.75", "\"ab\"", "[0]", "{}"},
     {"0.5", "0.8", "\"abc\"", "[]"}},
    {"{\"enum\": [\"a\", 5, null, [1, {\"k\": \"v\"}], {\"x\": 1e3}]}",
     {"\"\\u0061\"", "5.0", "[1, {\"k\": \"v\"}]", "{\"x\": 1000}"},
     {"\"b\"", "6", "[1]", "{\"x\": 1, \"y\": 2}"}},
    {"{\"pattern\": \"^[a-c]+$\", \"minLength\": 2}",
     {"\"ab\"", "\"abc\"", "1"},
     {"\"a\"", "\"abd\"", "\"\""}},
    {"{\"properties\": {\"a\": {\"type\": \"string\", \"minLength\": 1}, \"b\": {\"items\": "
     "{\"minimum\": "
     "2}}}, \"required\": [\"a\", \"z\"], \"additionalProperties\": {\"type\": \"null\"}}",
     {"{\"a\": \"x\", \"z\": null}", "{\"z\": null, \"b\": [2, 3], \"a\": \"y\"}", "0"},
     {"{\"a\": \"\", \"z\": null}", "{\"a\": \"x\"}", "{\"a\": \"x\", \"z\": 1}",
      "{\"a\": \"x\", \"z\": null, \"b\": [2, 1]}"}},
    {"{\"patternProperties\": {\"^x\": {\"minimum\": 2}, \"y$\": {\"maximum\": 5}}, "
     "\"propertyNames\": "
     "{\"maxLength\": 3}, \"minProperties\": 1, \"additionalProperties\": {\"type\": \"boolean\"}}",
     {"{\"xy\": 3}", "{\"x\": 9, \"y\": 0, \"z\": true}", "[]"},
     {"{\"xy\": 1}", "{\"xy\": 6}", "{\"long\": true}", "{}"}},
    {"{\"prefixItems\": [{\"type\": \"string\"}, {\"items\": {\"type\": \"null\"}}], \"items\": "
     "{\"minimum\": 1}, \"uniqueItems\": true, \"contains\": {\"const\": 7}, \"maxContains\": 1}",
     {"[\"a\", [null], 7]", "[\"a\", 7, 1, 2]", "true"},
     {"[1, [], 7]", "[\"a\", [1], 7]", "[\"a\", [], 7, 7.0]", "[\"a\", [], 1]"}},
    {"{\"anyOf\": [{\"type\": \"string\", \"minLength\": 2}, {\"minimum\": 5}, {\"required\": "
     "[\"a\"]}]}",
     {"\"ab\"", "5", "{\"a\": 1}", "[]"},
     {NULL}},
    {"{\"oneOf\": [{\"multipleOf\": 2}, {\"multipleOf\": 3}, {\"type\": \"string\"}]}",
     {"2", "9", NULL},
     {"6", "5", "\"x\"", "null"}},
    {"{\"not\": {\"anyOf\": [{\"const\": 1}, {\"not\": {\"type\": [\"number\", \"array\"]}}]}}",
     {"2", "[]"},
     {"1", "1.0", "{}"}},
    {"{\"if\": {\"properties\": {\"k\": {\"const\": 1}}, \"required\": [\"k\"]}, \"then\": "
     "{\"required\": "
     "[\"a\"]}, \"else\": {\"maxProperties\": 1}}",
     {"{\"k\": 1, \"a\": 0}", "{\"k\": 2}", "{}", "3"},
     {"{\"k\": 1}", "{\"k\": 2, \"a\": 0}"}},
    {"{\"dependentRequired\": {\"a\": [\"b\", \"c\"]}, \"dependentSchemas\": {\"d\": "
     "{\"minProperties\": "
     "2, \"properties\": {\"e\": false}}}}",
     {"{\"a\": 1, \"b\": 1, \"c\": 1}", "{\"d\": 1, \"f\": 1}", "{}"},
     {"{\"a\": 1, \"b\": 1}", "{\"d\": 1}", "{\"d\": 1, \"e\": 1}"}},
    {"{\"$ref\": \"#/$defs/t\", \"$defs\": {\"t\": {\"type\": \"object\", \"properties\": {\"l\": "
     "{\"$ref\": \"#/$defs/t\"}, \"r\": {\"$ref\": \"#/$defs/t\"}, \"v\": {\"minimum\": 0}}, "
     "\"required\": [\"v\"], \"additionalProperties\": false}}}",
     {"{\"v\": 1, \"l\": {\"v\": 2, \"r\": {\"v\": 3}}}", "{\"v\": 0}"},
     {"{\"v\": 1, \"l\": {\"v\": 2, \"r\": {}}}", "{\"v\": 1, \"r\": {\"v\": -1}}", "{\"w\": 1}",
      "[]"}},
};

enum { TABLE = sizeof table / sizeof *table, PASSES = 128 };

static void check_way(const struct judged *row, struct cupel_program *program, const char *text,
                      enum cupel_verdict want)
{
    static const uint32_t ways[] = {0, CUPEL_SWITCH_DISPATCH, CUPEL_NO_SIMD,
                                    CUPEL_NO_SIMD | CUPEL_SWITCH_DISPATCH};
    struct cupel_options options;
    struct cupel_outcome first = {.steps = 0}, outcome;
    struct cupel_scratch *scratch;
    unsigned problems = 0;
    cupel_options_init(&options);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        options.flags = ways[i];
        if (!CHECK_INT(run(program, text, &options, &outcome), want))
            fprintf(stderr, "    %s: %s\n", row->schema, text);
        first = i == 0 ? outcome : first;
        CHECK_INT(outcome.steps, first.steps);
        CHECK_INT(outcome.reason, CUPEL_OK);
    }
    if (!CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK))
        return;
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), want);
    CHECK_INT(cupel_report(program, scratch, NULL, 0, count, &problems, NULL), want);
    CHECK((problems > 0) == (want == CUPEL_INVALID));
    cupel_scratch_free(scratch);
}

/* Every combination of passes, loops and scanners. */
static void test_agreement(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    for (size_t i = 0; i < TABLE; i++) {
        for (options.passes = 0; options.passes < PASSES; options.passes++) {
            struct cupel_program *program = compile(table[i].schema, &options);
            if (program == NULL)
                continue;
            for (int k = 0; k < 4 && table[i].valid[k] != NULL; k++)
                check_way(&table[i], program, table[i].valid[k], CUPEL_VALID);
            for (int k = 0; k < 4 && table[i].invalid[k] != NULL; k++)
                check_way(&table[i], program, table[i].invalid[k], CUPEL_INVALID);
            cupel_program_free(program);
        }
    }
}

/* -- Limits: one below, at, and above -------------------------------------------------------------
 */

/* A pattern says so itself. */
static bool out_of_steps(enum cupel_status reason)
{
    return reason == CUPEL_E_LIMIT_STEPS || reason == CUPEL_E_LIMIT_REGEX;
}

static void test_steps(void)
{
    for (size_t i = 0; i < TABLE; i++) {
        struct cupel_program *program = compile(table[i].schema, NULL);
        struct cupel_options options;
        struct cupel_outcome outcome;
        cupel_options_init(&options);
        enum cupel_verdict want = run(program, table[i].valid[0], &options, &outcome);
        uint64_t steps = outcome.steps;
        for (int way = 0; way < 2; way++) {
            options.flags = way ? CUPEL_SWITCH_DISPATCH : 0;
            options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
            /* The budget is looked at where code can be reached again, so a run may end with a few
             * steps more than it has; what it never does is give another verdict. */
            for (uint64_t n = 0; n <= steps + 1; n++) {
                options.limits[CUPEL_LIMIT_STEPS] = n;
                enum cupel_verdict got = run(program, table[i].valid[0], &options, &outcome);
                CHECK(got == want || (n < steps && out_of_steps(outcome.reason)));
            }
            options.limits[CUPEL_LIMIT_STEPS] = 0;
            options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 64;
            CHECK_INT(run(program, table[i].valid[0], &options, &outcome), want);
        }
        cupel_program_free(program);
    }
    /* A loop over children charges before it begins: here the last step counts. */
    struct cupel_program *program = compile("{\"items\": {\"pattern\": \"a\"}}", NULL);
    struct cupel_options options;
    struct cupel_outcome outcome;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    CHECK_INT(run(program, "[\"a\", \"a\", \"a\"]", &options, &outcome), CUPEL_VALID);
    for (uint64_t steps = outcome.steps, n = steps - 1; n <= steps + 1; n++) {
        options.limits[CUPEL_LIMIT_STEPS] = n;
        CHECK_INT(run(program, "[\"a\", \"a\", \"a\"]", &options, &outcome),
                  n < steps ? CUPEL_UNDECIDED : CUPEL_VALID);
        CHECK(n < steps ? out_of_steps(outcome.reason) : outcome.reason == CUPEL_OK);
    }
    cupel_program_free(program);
}

/* "[[[…]]]" or what else is given, n times around `inner`. */
static char *nest(const char *open, const char *inner, const char *close, size_t n)
{
    size_t a = strlen(open), b = strlen(close), m = strlen(inner);
    char *text = malloc(n * (a + b) + m + 1), *p = text;
    for (size_t i = 0; i < n; i++, p += a)
        memcpy(p, open, a);
    memcpy(p, inner, m);
    p += m;
    for (size_t i = 0; i < n; i++, p += b)
        memcpy(p, close, b);
    *p = '\0';
    return text;
}

#define LIST \
    "{\"type\": \"object\", \"properties\": {\"next\": {\"$ref\": \"#\"}}, \"maxProperties\": 1}"
#define TREE                                                                                 \
    "{\"anyOf\": [{\"type\": \"null\"}, {\"not\": {\"not\": {\"items\": {\"$ref\": \"#\"}, " \
    "\"minItems\": 1}}}]}"

/* Schemas that go as deep as the instance, in every loop. */
static void test_depth(void)
{
    static const char *const rows[][4] = {{LIST, "{\"next\":", "{}", "}"},
                                          {TREE, "[", "null", "]"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cupel_program *program = compile(rows[i][0], NULL);
        struct cupel_options options;
        struct cupel_outcome outcome;
        cupel_options_init(&options);
        for (uint32_t limit = 128; limit <= 1024; limit *= 8) {
            options.limits[CUPEL_LIMIT_DEPTH] = limit;
            for (uint32_t depth = limit - 1; depth <= limit + 1; depth++) {
                char *text = nest(rows[i][1], rows[i][2], rows[i][3], depth - (i == 0));
                for (options.flags = 0; options.flags <= CUPEL_SWITCH_DISPATCH;
                     options.flags += CUPEL_SWITCH_DISPATCH) {
                    CHECK_INT(run(program, text, &options, &outcome),
                              depth <= limit ? CUPEL_VALID : CUPEL_UNDECIDED);
                    CHECK_INT(outcome.reason, depth <= limit ? CUPEL_OK : CUPEL_E_JSON_DEPTH);
                }
                free(text);
            }
        }
        cupel_program_free(program);
    }
}

/* Too little scratch for the frames is told, and never a verdict. */
static void test_scratch_bytes(void)
{
    struct cupel_program *program = compile(TREE, NULL);
    struct cupel_options options;
    struct cupel_outcome outcome;
    char *text = nest("[", "null", "]", 100);
    cupel_options_init(&options);
    bool decided = false;
    int changes = 0;
    for (size_t n = 0; n < 256 << 10; n += 64) {
        options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = n;
        enum cupel_verdict verdict = run(program, text, &options, &outcome);
        CHECK(verdict == CUPEL_VALID || outcome.reason == CUPEL_E_LIMIT_STACK ||
              outcome.reason == CUPEL_E_LIMIT_MEMORY);
        changes += decided != (verdict == CUPEL_VALID);
        decided = verdict == CUPEL_VALID;
    }
    CHECK(decided && changes == 1);
    free(text);
    cupel_program_free(program);

    /* The table of uniqueItems: 64 words for 17 to 32 items, after the frames. */
    program = compile("{\"uniqueItems\": true}", NULL);
    decided = false;
    changes = 0;
    for (size_t n = 512; n < 2048; n++) {
        options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = n;
        enum cupel_verdict verdict =
            run(program, "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]", &options, &outcome);
        CHECK(verdict == CUPEL_VALID || outcome.reason == CUPEL_E_LIMIT_MEMORY);
        changes += decided != (verdict == CUPEL_VALID);
        decided = verdict == CUPEL_VALID;
    }
    CHECK(decided && changes == 1);
    cupel_program_free(program);
}

static void test_text_limits(void)
{
    struct cupel_program *program = compile("true", NULL);
    struct cupel_options options;
    struct cupel_outcome outcome;
    for (size_t n = 9; n <= 11; n++) {
        cupel_options_init(&options);
        options.limits[CUPEL_LIMIT_BODY_BYTES] = 10;
        char *text = nest(" ", "1", "", n - 1);
        CHECK_INT(run(program, text, &options, &outcome), n > 10 ? CUPEL_UNDECIDED : CUPEL_VALID);
        CHECK_INT(outcome.reason, n > 10 ? CUPEL_E_JSON_SIZE : CUPEL_OK);
        free(text);
        options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 10;
        options.limits[CUPEL_LIMIT_BODY_BYTES] = 100;
        text = nest("1", "2", "", n - 1);
        CHECK_INT(run(program, text, &options, &outcome), n > 10 ? CUPEL_UNDECIDED : CUPEL_VALID);
        CHECK_INT(outcome.reason, n > 10 ? CUPEL_E_NUMBER_SIZE : CUPEL_OK);
        free(text);
    }
    cupel_program_free(program);
}

static void test_schema_limits(void)
{
    struct cupel_options options;
    for (uint32_t n = 19; n <= 21; n++) {
        cupel_options_init(&options);
        options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 20;
        char *schema = nest(" ", "true", "", n - 4);
        CHECK_INT(compile_status(schema, &options), n > 20 ? CUPEL_E_SCHEMA_SIZE : CUPEL_OK);
        free(schema);

        cupel_options_init(&options);
        options.limits[CUPEL_LIMIT_PATTERN_BYTES] = 20;
        schema = nest("a", "", "", n);
        char text[64];
        snprintf(text, sizeof text, "{\"pattern\": \"%s\"}", schema);
        CHECK_INT(compile_status(text, &options), n > 20 ? CUPEL_E_PATTERN_SIZE : CUPEL_OK);
        free(schema);
    }
}

/* The first of 1, 2, 3 … with which a schema compiles; from there on it does. */
static void check_threshold(const char *schema, size_t most, enum cupel_status want,
                            void (*set)(struct cupel_options *, size_t))
{
    struct cupel_options options;
    bool compiled = false;
    int changes = 0;
    for (size_t n = 1; n <= most; n++) {
        cupel_options_init(&options);
        set(&options, n);
        enum cupel_status s = compile_status(schema, &options);
        CHECK(s == CUPEL_OK || s == want);
        changes += compiled != (s == CUPEL_OK);
        compiled = s == CUPEL_OK;
    }
    CHECK(compiled && changes == 1);
}

static void set_depth(struct cupel_options *options, size_t n)
{
    options->limits[CUPEL_LIMIT_SCHEMA_DEPTH] = (uint32_t)n;
}

static void set_subschemas(struct cupel_options *options, size_t n)
{
    options->limits[CUPEL_LIMIT_SUBSCHEMAS] = (uint32_t)n;
}

static void set_image(struct cupel_options *options, size_t n)
{
    options->limits[CUPEL_LIMIT_IMAGE_BYTES] = 8 * n;
}

static void test_thresholds(void)
{
    static const char schema[] = "{\"properties\": {\"a\": {\"not\": {\"items\": {\"minLength\": "
                                 "3}}}, \"b\": {\"minimum\": 2}}}";
    check_threshold(schema, 12, CUPEL_E_SCHEMA_DEPTH, set_depth);
    check_threshold(schema, 12, CUPEL_E_SCHEMA_SIZE, set_subschemas);
    check_threshold(schema, 300, CUPEL_E_IMAGE_SIZE, set_image);
}

static void test_errors(void)
{
    struct cupel_program *program = compile("{\"items\": {\"type\": \"null\"}}", NULL);
    struct cupel_options options;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_ERRORS] = 5;
    for (unsigned n = 4; n <= 6; n++) {
        struct cupel_scratch *scratch;
        unsigned problems = 0;
        char *text = nest("1,", "1", "", n - 1), array[64];
        snprintf(array, sizeof array, "[%s]", text);
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        CHECK_INT(cupel_validate(program, scratch, array, strlen(array), NULL), CUPEL_INVALID);
        CHECK_INT(cupel_report(program, scratch, NULL, 0, count, &problems, NULL), CUPEL_INVALID);
        CHECK_INT(problems, n < 5 ? n : 5);
        options.limits[CUPEL_LIMIT_ERROR_BYTES] = 1; /* the first is told all the same */
        cupel_scratch_free(scratch);
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        problems = 0;
        CHECK_INT(cupel_validate(program, scratch, array, strlen(array), NULL), CUPEL_INVALID);
        CHECK_INT(cupel_report(program, scratch, NULL, 0, count, &problems, NULL), CUPEL_INVALID);
        CHECK_INT(problems, 1);
        options.limits[CUPEL_LIMIT_ERROR_BYTES] = 64 << 10;
        cupel_scratch_free(scratch);
        free(text);
    }
    cupel_program_free(program);
}

static void test_arguments(void)
{
    struct cupel_program *program = compile("{\"type\": \"null\"}", NULL), *mute;
    struct cupel_options options;
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
    struct cupel_outcome outcome;
    unsigned problems = 0;
    cupel_options_init(&options);
    options.flags = CUPEL_NO_REPORT;
    mute = compile("{\"type\": \"null\"}", &options);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_validate_node(program, scratch, doc, 0, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT); /* nothing was read */
    CHECK_INT(cupel_document_read(doc, "[1, [null]]", 11, NULL), CUPEL_OK);
    CHECK_INT(cupel_validate_node(program, scratch, doc, 3, &outcome), CUPEL_VALID);
    CHECK_INT(cupel_validate_node(program, scratch, doc, 1, &outcome), CUPEL_INVALID);
    CHECK_INT(cupel_validate_node(program, scratch, doc, 4, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(cupel_report(program, scratch, doc, 4, count, &problems, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_report(mute, scratch, doc, 1, count, &problems, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_UNSUPPORTED);
    CHECK_INT(problems, 0);
    cupel_document_free(doc);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    cupel_program_free(mute);
}

/* -- A small stack --------------------------------------------------------------------------------
 */

/* One item schema for each instruction, and an item that passes it. */
static const char *const items[][2] = {
    {"{\"type\": \"integer\"}", "1"},
    {"{\"minimum\": 1.5}", "2"},
    {"{\"maximum\": 1.5}", "1"},
    {"{\"minimum\": 1, \"maximum\": 9}", "3"},
    {"{\"multipleOf\": 2}", "4"},
    {"{\"const\": [1]}", "[1]"},
    {"{\"enum\": [[1], [2]]}", "[2]"},
    {"{\"minLength\": 2}", "\"\\u0061b\""},
    {"{\"pattern\": \"^a\"}", "\"ab\""},
    {"{\"enum\": [\"a\", \"b\"]}", "\"\\u0061\""},
    {"{\"const\": \"a\"}", "\"\\u0061\""},
    {"{\"minItems\": 1}", "[1]"},
    {"{\"uniqueItems\": true}", "[1,2]"},
    {"{\"prefixItems\": [{\"minimum\": 1.5}]}", "[2]"},
    {"{\"items\": {\"minimum\": 1.5}}", "[2,2]"},
    {"{\"contains\": {\"minimum\": 1.5}}", "[1,2]"},
    {"{\"required\": [\"a\"]}", "{\"a\":1}"},
    {"{\"properties\": {\"a\": {\"minimum\": 1.5}}}", "{\"a\":2}"},
    {"{\"patternProperties\": {\"a\": {\"minimum\": 1.5}}}", "{\"a\":2}"},
    {"{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\":1,\"b\":1}"},
    {"{\"dependentSchemas\": {\"a\": {\"minProperties\": 2}}}", "{\"a\":1,\"b\":1}"},
    {"{\"allOf\": [{\"minimum\": 1.5}, {\"maximum\": 2.5}]}", "2"},
    {"{\"anyOf\": [{\"minimum\": 9.5}, {\"maximum\": 2.5}]}", "2"},
    {"{\"oneOf\": [{\"minimum\": 9.5}, {\"maximum\": 2.5}]}", "2"},
    {"{\"not\": {\"minimum\": 9.5}}", "2"},
    {"{\"if\": {\"minimum\": 9.5}, \"then\": {\"maximum\": 10.5}, \"else\": {\"minimum\": 1.5}}",
     "2"},
    {"{\"minimum\": 1.5, \"minLength\": 2, \"not\": {\"const\": 9}}", "2"}, /* SWITCH, JUMP */
};

enum { ITEMS = sizeof items / sizeof *items, MANY = 100000 };

static struct cupel_program *programs[2 * ITEMS];
static char *texts[ITEMS];
static int bad_runs;

/* Runs everything with little stack; what grows with the run runs out of it. */
static void *run_small(void *ctx)
{
    struct cupel_options options;
    unsigned problems = 0;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_ERRORS] = 1;
    for (int way = 0; way < 2; way++) {
        struct cupel_scratch *scratch = NULL;
        options.flags = way ? CUPEL_SWITCH_DISPATCH : 0;
        options.limits[CUPEL_LIMIT_BODY_BYTES] = 4 << 20;
        if (cupel_scratch_new(&options, &scratch) != CUPEL_OK)
            return NULL;
        for (int i = 0; i < 2 * ITEMS; i++) {
            const char *text = texts[i / 2];
            bad_runs +=
                cupel_validate(programs[i], scratch, text, strlen(text), NULL) != CUPEL_VALID;
            bad_runs +=
                cupel_report(programs[i], scratch, NULL, 0, count, &problems, NULL) != CUPEL_VALID;
        }
        cupel_scratch_free(scratch);
    }
    return ctx;
}

static void test_small_stack(void)
{
    struct cupel_options options;
    pthread_t thread;
    pthread_attr_t attr;
    void *ended = NULL;
    cupel_options_init(&options);
    for (int i = 0; i < ITEMS; i++) {
        char schema[200];
        snprintf(schema, sizeof schema, "{\"items\": %s}", items[i][0]);
        for (int plain = 0; plain < 2; plain++) {
            options.passes = plain ? 0 : CUPEL_PASS_ALL;
            programs[2 * i + plain] = compile(schema, &options);
        }
        size_t n = strlen(items[i][1]) + 1;
        char unit[32];
        snprintf(unit, sizeof unit, "%s,", items[i][1]);
        char *list = nest(unit, items[i][1], "", MANY - 1);
        texts[i] = malloc(MANY * n + 2);
        snprintf(texts[i], MANY * n + 2, "[%s]", list);
        free(list);
    }
    CHECK_INT(pthread_attr_init(&attr), 0);
    /* Some systems have no thread with less. */
    const size_t size = 64 << 10;
    CHECK_INT(pthread_attr_setstacksize(&attr, size < PTHREAD_STACK_MIN ? PTHREAD_STACK_MIN : size),
              0);
    if (CHECK_INT(pthread_create(&thread, &attr, run_small, &bad_runs), 0))
        CHECK_INT(pthread_join(thread, &ended), 0);
    CHECK(ended == &bad_runs);
    CHECK_INT(bad_runs, 0);
    pthread_attr_destroy(&attr);
    for (int i = 0; i < 2 * ITEMS; i++)
        cupel_program_free(programs[i]);
    for (int i = 0; i < ITEMS; i++)
        free(texts[i]);
}

int main(void)
{
    test_agreement();
    test_steps();
    test_depth();
    test_scratch_bytes();
    test_text_limits();
    test_schema_limits();
    test_thresholds();
    test_errors();
    test_arguments();
    test_small_stack();
    return test_end();
}
