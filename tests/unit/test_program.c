/* test_program.c: programs that are stored and loaded, under bounds and with formats that are not
 * those of the compilation. */
#include "test.h"
#include <cupel/cupel.h>

static int is_odd(void *ctx, const char *text, size_t len)
{
    (void)ctx, (void)text;
    return len % 2 == 1 ? CUPEL_VALID : CUPEL_INVALID;
}

static const char long_name[] =
    "a-format-of-the-host-whose-name-is-longer-than-what-a-message-repeats-of-it-"
    "which-is-a-hundred-bytes-and-these-are-more";

static struct cupel_options defaults(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    return options;
}

/* The image of a schema, in memory of its own. */
static char *image_of(const char *schema, const struct cupel_options *options, size_t *ret_len)
{
    struct cupel_program *program = NULL;
    char *copy = NULL;
    *ret_len = 0;
    if (CHECK_INT(cupel_compile(schema, strlen(schema), options, &program, NULL), CUPEL_OK)) {
        const void *image = cupel_program_image(program, ret_len);
        copy = calloc(1, *ret_len + 64);
        if (copy != NULL)
            memcpy(copy, image, *ret_len);
    }
    cupel_program_free(program);
    return copy;
}

static enum cupel_status load(const char *image, size_t len, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_error err;
    enum cupel_status status = cupel_program_load(image, len, 0, options, &program, &err);
    CHECK((status == CUPEL_OK) == (program != NULL));
    cupel_program_free(program);
    return status;
}

static void test_bounds(void)
{
    static const char schema[] = "{\"pattern\":\"^(?:ab|cd)+$\",\"title\":\"x\"}";
    struct cupel_options options = defaults();
    size_t len;
    char *image = image_of(schema, &options, &len);
    CHECK_INT(load(image, len, &options), CUPEL_OK);
    options.limits[CUPEL_LIMIT_PATTERN_BYTES] = 12;
    CHECK_INT(load(image, len, &options), CUPEL_OK);
    options.limits[CUPEL_LIMIT_PATTERN_BYTES] = 11;
    CHECK_INT(load(image, len, &options), CUPEL_E_PATTERN_SIZE);
    options = defaults();
    options.limits[CUPEL_LIMIT_IMAGE_BYTES] = len / 2 - 8;
    CHECK_INT(load(image, len, &options), CUPEL_E_IMAGE_SIZE);
    for (size_t more = 8; more <= 64; more += 8) /* bytes behind the image */
        CHECK_INT(load(image, len + more, NULL), CUPEL_E_BAD_IMAGE);
    free(image);
}

static void test_formats(void)
{
    struct cupel_format format = {long_name, is_odd, NULL};
    struct cupel_options options = defaults();
    char schema[256];
    size_t len;
    options.flags = CUPEL_ASSERT_FORMAT;
    options.formats = &format;
    options.format_count = 1;
    snprintf(schema, sizeof schema, "{\"format\":\"%s\"}", long_name);
    char *image = image_of(schema, &options, &len);
    CHECK_INT(load(image, len, &options), CUPEL_OK);
    options.format_count = 0;
    CHECK(load(image, len, &options) != CUPEL_OK);
    free(image);
}

/* Patterns that the verdict does not need, and those that both programs share. */
static void test_patterns(void)
{
    static const char *const schemas[] = {
        "{\"type\":\"integer\",\"pattern\":\"^a\"}",
        "{\"allOf\":[{\"type\":\"integer\",\"pattern\":\"^a\"},{\"pattern\":\"^b\"}]}",
        "{\"anyOf\":[{\"pattern\":\"^b\"},{\"type\":\"integer\",\"pattern\":\"^a\"}]}",
        "{\"properties\":{\"a\":{\"type\":\"null\",\"pattern\":\"^a\"},\"b\":{\"pattern\":\"^\"}}}",
    };
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct cupel_options options = defaults();
        size_t len;
        char *image = image_of(schemas[i], &options, &len);
        CHECK_INT(load(image, len, &options), CUPEL_OK);
        for (unsigned long n = 1, more = 1; more; n++) {
            struct test_alloc t = {.fail_at = n};
            options.alloc = test_allocator(&t);
            enum cupel_status status = load(image, len, &options);
            more = t.requests >= n;
            CHECK(status == CUPEL_OK || (more && status == CUPEL_E_NO_MEMORY));
            CHECK_INT(t.live, 0);
        }
        free(image);
    }
}

/* Constants keep their spelling; each passes the verifier, and equals itself. */
static void test_numbers(void)
{
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "1.5",
                                          "-1e5",
                                          "1E5",
                                          "1e+400",
                                          "1E-400",
                                          "-1.25e-30",
                                          "10e0",
                                          "123456789012345678901234567890",
                                          "-123456789012345678901234567890e-5",
                                          "123456789012345678901234567890E+5",
                                          "1.000000000000000000000000001"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char schema[128];
        struct cupel_program *program = NULL;
        struct cupel_scratch *scratch = NULL;
        snprintf(schema, sizeof schema, "{\"enum\":[%s,\"x\"],\"not\":{\"const\":1e999}}",
                 numbers[i]);
        CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
        CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
        CHECK_INT(cupel_validate(program, scratch, numbers[i], strlen(numbers[i]), NULL),
                  CUPEL_VALID);
        CHECK_INT(cupel_validate(program, scratch, "7", 1, NULL), CUPEL_INVALID);
        cupel_scratch_free(scratch);
        cupel_program_free(program);
    }
}

/* -- Reports without an outcome, and with bounds on their text --------------------------------- */

static int count(void *ctx, const struct cupel_problem *problem)
{
    (void)problem;
    ++*(int *)ctx;
    return 0;
}

static int note(void *ctx, const struct cupel_annotation *annotation)
{
    (void)annotation;
    return ++*(int *)ctx == 3;
}

/* What a listener returns ends the telling, and says nothing of how it went. */
static int stop(void *ctx, const struct cupel_problem *problem)
{
    (void)problem;
    return *(int *)ctx;
}

static void test_listeners(void)
{
    static const int answers[] = {0, 1, -1000, CUPEL_E_NO_MEMORY, CUPEL_E_LIMIT_MEMORY};
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome;
    CHECK_INT(cupel_compile("{\"items\":false}", 15, NULL, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, "[1,2]", 5, NULL), CUPEL_INVALID);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        int answer = answers[i];
        CHECK_INT(cupel_report(program, scratch, NULL, 0, stop, &answer, &outcome), CUPEL_INVALID);
        CHECK_INT(outcome.reason, CUPEL_OK);
    }
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

static void test_reports(void)
{
    static const char schema[] =
        "{\"title\":\"a title\",\"properties\":{\"a\":{\"title\":\"another\",\"type\":\"null\"}}}";
    for (size_t bytes = 0; bytes < 400; bytes += 7) {
        struct cupel_options options = defaults();
        struct cupel_program *program = NULL;
        struct cupel_scratch *scratch = NULL;
        int calls = 0;
        options.flags = CUPEL_ANNOTATIONS;
        options.limits[CUPEL_LIMIT_ERROR_BYTES] = bytes;
        options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = 4096 + 64 * bytes;
        CHECK_INT(cupel_compile(schema, sizeof schema - 1, &options, &program, NULL), CUPEL_OK);
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        CHECK_INT(cupel_validate(program, scratch, "{\"a\":1}", 7, NULL), CUPEL_INVALID);
        CHECK_INT(cupel_report(program, scratch, NULL, 0, count, &calls, NULL), CUPEL_INVALID);
        CHECK_INT(calls, 1);
        CHECK_INT(cupel_validate(program, scratch, "{\"a\":null}", 10, NULL), CUPEL_VALID);
        enum cupel_verdict verdict = cupel_annotate(program, scratch, NULL, 0, note, &calls, NULL);
        CHECK(verdict == CUPEL_VALID || verdict == CUPEL_UNDECIDED);
        cupel_scratch_free(scratch);
        cupel_program_free(program);
    }
}

int main(void)
{
    test_bounds();
    test_formats();
    test_patterns();
    test_numbers();
    test_listeners();
    test_reports();
    return test_end();
}
