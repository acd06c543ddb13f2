/* test_assertion.c: when keywords that describe a value decide about it: what options, dialects and
 * vocabularies say of `format`, and what comes of a string that cannot be judged. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define V2020 "https://json-schema.org/draft/2020-12/"
#define V2019 "https://json-schema.org/draft/2019-09/"

/* A schema whose dialect is the meta-schema that it brings along. */
#define WITH_META(draft, vocabularies, keywords)                                        \
    "{\"$schema\": \"x:meta\", " keywords ", \"$defs\": {\"m\": {\"$id\": \"x:meta\", " \
    "\"$schema\": \"" draft "schema\", \"$vocabulary\": {\"" draft                      \
    "vocab/core\": true, " vocabularies "}}}}"

struct judged {
    const char *schema, *instance;
    uint32_t flags;
    enum cupel_verdict want;
};

static struct cupel_program *compile(const char *schema, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), options, &program, &err), CUPEL_OK))
        fprintf(stderr, "    %s: %s\n", schema, err.detail);
    return program;
}

/* The verdict and, if there is none, the reason; the report says the same. */
static enum cupel_verdict run(const char *schema, const char *instance,
                              const struct cupel_options *options, struct cupel_outcome *ret)
{
    struct cupel_program *program = compile(schema, options);
    struct cupel_scratch *scratch = NULL;
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    memset(ret, 0, sizeof *ret);
    if (program != NULL && CHECK_INT(cupel_scratch_new(options, &scratch), CUPEL_OK))
        verdict = cupel_validate(program, scratch, instance, strlen(instance), ret);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return verdict;
}

static void judge(const struct judged *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct cupel_options options;
        struct cupel_outcome outcome;
        cupel_options_init(&options);
        options.flags = rows[i].flags;
        if (!CHECK_INT(run(rows[i].schema, rows[i].instance, &options, &outcome), rows[i].want))
            fprintf(stderr, "    %s: %s: %s\n", rows[i].schema, rows[i].instance,
                    cupel_status_name(outcome.reason));
    }
}

/* -- When it asserts ------------------------------------------------------------------------------
 */

static void test_option(void)
{
    static const struct judged rows[] = {
        {"{\"format\": \"ipv4\"}", "\"x\"", 0, CUPEL_VALID},
        {"{\"format\": \"ipv4\"}", "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_INVALID},
        {"{\"format\": \"ipv4\"}", "\"1.2.3.4\"", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
        {"{\"format\": \"ipv4\"}", "[1]", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
        {"{\"format\": \"int32\"}", "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
        {"{\"format\": \"\"}", "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
        {"{\"not\": {\"format\": \"ipv4\"}}", "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
        {"{\"items\": {\"type\": \"string\", \"format\": \"date\"}}", "[\"2024-02-29\", \"x\"]",
         CUPEL_ASSERT_FORMAT, CUPEL_INVALID},
        {"{\"propertyNames\": {\"format\": \"date\"}}", "{\"2024-02-29\": 1, \"x\": 2}",
         CUPEL_ASSERT_FORMAT, CUPEL_INVALID},
        {"{\"$schema\": \"http://json-schema.org/draft-06/schema#\", \"format\": \"date\"}",
         "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
        {"{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"format\": \"date\"}",
         "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_INVALID},
        {"{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"format\": \"date\", "
         "\"$ref\": \"#/definitions/any\", \"definitions\": {\"any\": {}}}",
         "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
    };
    judge(rows, COUNT(rows));
}

static void test_vocabularies(void)
{
    static const char listed[] =
        WITH_META(V2020, "\"" V2020 "vocab/format-assertion\": true", "\"format\": \"ipv4\"");
    static const char optional[] =
        WITH_META(V2020, "\"" V2020 "vocab/format-assertion\": false", "\"format\": \"ipv4\"");
    static const char described[] =
        WITH_META(V2020, "\"" V2020 "vocab/format-annotation\": true", "\"format\": \"ipv4\"");
    static const char unknown_name[] =
        WITH_META(V2020, "\"" V2020 "vocab/format-assertion\": true", "\"format\": \"int32\"");
    static const char without[] =
        WITH_META(V2020, "\"" V2020 "vocab/validation\": true", "\"format\": \"ipv4\"");
    static const char required[] =
        WITH_META(V2019, "\"" V2019 "vocab/format\": true", "\"format\": \"ipv4\"");
    static const char not_required[] =
        WITH_META(V2019, "\"" V2019 "vocab/format\": false", "\"format\": \"ipv4\"");
    static const struct judged rows[] = {
        {listed, "\"x\"", 0, CUPEL_INVALID},
        {listed, "\"1.2.3.4\"", 0, CUPEL_VALID},
        {optional, "\"x\"", 0, CUPEL_INVALID},
        {described, "\"x\"", 0, CUPEL_VALID},
        {described, "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_INVALID},
        {unknown_name, "\"x\"", 0, CUPEL_VALID},
        /* The dialect has no keyword of that name: no option gives it a meaning. */
        {without, "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_VALID},
        {required, "\"x\"", 0, CUPEL_INVALID},
        {not_required, "\"x\"", 0, CUPEL_VALID},
        {not_required, "\"x\"", CUPEL_ASSERT_FORMAT, CUPEL_INVALID},
    };
    judge(rows, COUNT(rows));
}

static void test_content(void)
{
#define DRAFT_7 "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", "
    static const char json[] = DRAFT_7 "\"contentMediaType\": \"application/json\"}";
    static const char typed[] =
        DRAFT_7 "\"contentMediaType\": \"Application/JSON; charset=utf-8\"}";
    static const char base64[] = DRAFT_7 "\"contentEncoding\": \"base64\"}";
    static const char both[] =
        DRAFT_7 "\"contentMediaType\": \"application/json\", \"contentEncoding\": \"Base64\"}";
    static const char other[] =
        DRAFT_7 "\"contentMediaType\": \"application/json\", \"contentEncoding\": \"base32\"}";
    static const char text[] = DRAFT_7 "\"contentMediaType\": \"text/plain\"}";
    static const char later[] = "{\"contentMediaType\": \"application/json\"}";
    static const struct judged rows[] = {
        {json, "\"{}\"", CUPEL_ASSERT_CONTENT, CUPEL_VALID},
        {json, "\"{\"", CUPEL_ASSERT_CONTENT, CUPEL_INVALID},
        {json, "\"{\"", 0, CUPEL_VALID},
        {json, "{}", CUPEL_ASSERT_CONTENT, CUPEL_VALID},
        {typed, "\"{\"", CUPEL_ASSERT_CONTENT, CUPEL_INVALID},
        {base64, "\"e30=\"", CUPEL_ASSERT_CONTENT, CUPEL_VALID},
        {base64, "\"e30\"", CUPEL_ASSERT_CONTENT, CUPEL_INVALID},
        {both, "\"e30=\"", CUPEL_ASSERT_CONTENT, CUPEL_VALID},
        {both, "\"e30\"", CUPEL_ASSERT_CONTENT, CUPEL_INVALID},
        {both, "\"e3s=\"", CUPEL_ASSERT_CONTENT, CUPEL_INVALID},
        {both, "\"{}\"", CUPEL_ASSERT_CONTENT, CUPEL_INVALID},
        {other, "\"{\"", CUPEL_ASSERT_CONTENT, CUPEL_VALID},
        {text, "\"{\"", CUPEL_ASSERT_CONTENT, CUPEL_VALID},
        {later, "\"{\"", CUPEL_ASSERT_CONTENT, CUPEL_VALID},
    };
    judge(rows, COUNT(rows));
}

/* -- What cannot be judged ------------------------------------------------------------------------
 */

/* The text of a pattern that is nested deeper than is looked at. */
static const char *deep_pattern(void)
{
    static char text[1024];
    size_t n = 0;
    text[n++] = '"';
    memset(text + n, '(', 300);
    memset(text + n + 300, ')', 300);
    memcpy(text + n + 600, "\"", 2);
    return text;
}

static void test_undecided(void)
{
    static const char *const schemas[] = {"{\"format\": \"regex\"}",
                                          "{\"not\": {\"format\": \"regex\"}}",
                                          "{\"oneOf\": [{\"format\": \"regex\"}, true]}",
                                          "{\"if\": {\"format\": \"regex\"}, \"then\": false}"};
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags = CUPEL_ASSERT_FORMAT;
    for (size_t i = 0; i < COUNT(schemas); i++) {
        struct cupel_outcome outcome;
        CHECK_INT(run(schemas[i], deep_pattern(), &options, &outcome), CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_LIMIT_FORMAT);
    }
}

/* With libidn2 there is a verdict; without it none, unless the scratch lets such names pass. */
static void test_idn(void)
{
    static const struct {
        const char *schema, *instance;
        enum cupel_verdict want;
    } rows[] = {
        {"{\"format\": \"idn-hostname\"}", "\"b\\u00fccher.example\"", CUPEL_VALID},
        {"{\"format\": \"idn-hostname\"}", "\"b\\u00fccher..example\"", CUPEL_INVALID},
        {"{\"format\": \"hostname\"}", "\"xn--bcher-kva.example\"", CUPEL_VALID},
        {"{\"format\": \"hostname\"}", "\"xn--X\"", CUPEL_INVALID},
    };
    struct cupel_options options;
    cupel_options_init(&options);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cupel_outcome outcome;
        options.flags = CUPEL_ASSERT_FORMAT;
        enum cupel_verdict got = run(rows[i].schema, rows[i].instance, &options, &outcome);
        bool idn = got != CUPEL_UNDECIDED;
        if (idn)
            CHECK_INT(got, rows[i].want);
        else
            CHECK_INT(outcome.reason, CUPEL_E_UNSUPPORTED);
        options.flags |= CUPEL_IDN_OPTIONAL;
        CHECK_INT(run(rows[i].schema, rows[i].instance, &options, &outcome),
                  idn ? rows[i].want : CUPEL_VALID);
    }
}

/* -- What it costs --------------------------------------------------------------------------------
 */

static uint64_t steps(const char *format, size_t n, const struct cupel_options *options)
{
    static char text[40000];
    char schema[64];
    struct cupel_outcome outcome;
    snprintf(schema, sizeof schema, "{\"format\": \"%s\"}", format);
    text[0] = '"';
    memset(text + 1, 'a', n);
    memcpy(text + 1 + n, "\"", 2);
    CHECK(run(schema, text, options, &outcome) != CUPEL_UNDECIDED);
    return outcome.steps;
}

/* In proportion to the length, and never more than twice as much for twice as long a string. */
static void test_steps(void)
{
    static const char *const formats[] = {"date-time",    "uri",          "email", "hostname",
                                          "uri-template", "json-pointer", "regex"};
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags = CUPEL_ASSERT_FORMAT;
    for (size_t i = 0; i < COUNT(formats); i++) {
        uint64_t one = steps(formats[i], 4000, &options), two = steps(formats[i], 8000, &options);
        CHECK(one >= 256 && two >= one && two <= 2 * one); /* names have at most 256 bytes */
        options.limits[CUPEL_LIMIT_STEPS] = one - 1;
        options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
        struct cupel_outcome outcome;
        char schema[64], text[4096];
        snprintf(schema, sizeof schema, "{\"format\": \"%s\"}", formats[i]);
        memset(text, 'a', 4002);
        text[0] = text[4001] = '"';
        text[4002] = '\0';
        CHECK_INT(run(schema, text, &options, &outcome), CUPEL_UNDECIDED);
        CHECK_INT(outcome.reason, CUPEL_E_LIMIT_STEPS);
        cupel_options_init(&options);
        options.flags = CUPEL_ASSERT_FORMAT;
    }
    options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = 16384;
    struct cupel_outcome outcome;
    char text[4096] = "\"";
    for (size_t i = 1; i + 2 < sizeof text; i++)
        text[i] = "ab*|"[i % 4];
    text[sizeof text - 2] = '"';
    text[sizeof text - 1] = '\0';
    CHECK_INT(run("{\"format\": \"regex\"}", text, &options, &outcome), CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_LIMIT_MEMORY);
}

/* -- Formats of the host's own --------------------------------------------------------------------
 */

/* The context is the number of calls.  Even lengths conform, "?" cannot be judged. */
static int is_even(void *ctx, const char *text, size_t len)
{
    ++*(unsigned *)ctx;
    if (len == 1 && text[0] == '?')
        return CUPEL_UNDECIDED;
    return len % 2 == 0 ? CUPEL_VALID : CUPEL_INVALID;
}

static int is_never(void *ctx, const char *text, size_t len)
{
    (void)ctx, (void)text, (void)len;
    return CUPEL_INVALID;
}

static int keep_message(void *ctx, const struct cupel_problem *problem)
{
    snprintf(ctx, 128, "%s: %s", problem->keyword, problem->message);
    return 0;
}

static void test_host_formats(void)
{
    unsigned calls = 0;
    const struct cupel_format formats[] = {
        {"even", is_even, &calls}, {"even", is_never, NULL}, {"ipv4", is_even, &calls}};
    struct cupel_options options;
    struct cupel_outcome outcome;
    cupel_options_init(&options);
    options.formats = formats;
    options.format_count = COUNT(formats);
    CHECK_INT(run("{\"format\": \"even\"}", "\"abc\"", &options, &outcome), CUPEL_VALID);
    CHECK_INT(calls, 0); /* an annotation, as any other */
    options.flags = CUPEL_ASSERT_FORMAT;
    CHECK_INT(run("{\"format\": \"even\"}", "\"abc\"", &options, &outcome), CUPEL_INVALID);
    CHECK_INT(run("{\"format\": \"even\"}", "\"ab\\u0000d\"", &options, &outcome), CUPEL_VALID);
    CHECK_INT(run("{\"format\": \"even\"}", "\"\"", &options, &outcome), CUPEL_VALID);
    CHECK_INT(run("{\"format\": \"even\"}", "3", &options, &outcome), CUPEL_VALID);
    CHECK_INT(calls, 3);
    CHECK_INT(run("{\"format\": \"ipv4\"}", "\"ab\"", &options, &outcome), CUPEL_VALID);
    CHECK_INT(run("{\"format\": \"odd\"}", "\"ab\"", &options, &outcome), CUPEL_VALID);
    CHECK_INT(run("{\"not\": {\"format\": \"even\"}}", "\"?\"", &options, &outcome),
              CUPEL_UNDECIDED);
    CHECK_INT(outcome.reason, CUPEL_E_LIMIT_FORMAT);
    options.passes = 0;
    CHECK_INT(run("{\"items\": {\"anyOf\": [{\"format\": \"even\"}, {\"format\": \"ipv4\"}]}}",
                  "[\"ab\", \"abcd\", \"abc\"]", &options, &outcome),
              CUPEL_INVALID);
}

/* The names are in the image, the functions in the options of who loads it. */
static void test_host_formats_stored(void)
{
    unsigned calls = 0;
    const struct cupel_format formats[] = {{"even", is_even, &calls}, {"other", is_never, NULL}};
    struct cupel_options options;
    struct cupel_error err;
    struct cupel_outcome outcome;
    struct cupel_program *loaded = NULL;
    struct cupel_scratch *scratch = NULL;
    size_t len;
    cupel_options_init(&options);
    options.flags = CUPEL_ASSERT_FORMAT;
    options.formats = formats;
    options.format_count = COUNT(formats);
    struct cupel_program *made =
        compile("{\"anyOf\": [{\"format\": \"even\"}, {\"type\": \"string\", "
                "\"format\": \"even\", \"minLength\": 3}]}",
                &options);
    if (made == NULL)
        return;
    const void *image = cupel_program_image(made, &len);
    CHECK_INT(cupel_program_load(image, len, 0, NULL, &loaded, &err), CUPEL_E_FORMAT);
    CHECK_STR(err.detail, "the format 'even' is not in the options");
    options.formats = formats + 1;
    options.format_count = 1; /* what is not asserted need not be there */
    CHECK_INT(cupel_program_load(image, len, 0, &options, &loaded, &err), CUPEL_E_FORMAT);
    options.formats = formats;
    CHECK_INT(cupel_program_load(image, len, 0, &options, &loaded, &err), CUPEL_OK);
    options.format_count = 0;
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    if (loaded != NULL && scratch != NULL) {
        char message[128] = "";
        CHECK_INT(cupel_validate(loaded, scratch, "\"ab\"", 4, &outcome), CUPEL_VALID);
        CHECK_INT(cupel_validate(loaded, scratch, "\"abc\"", 5, &outcome), CUPEL_INVALID);
        CHECK(calls >= 2);
        CHECK_INT(cupel_report(loaded, scratch, NULL, 0, keep_message, message, &outcome),
                  CUPEL_INVALID);
        CHECK_STR(message, "anyOf: matches none of the alternatives");
    }
    cupel_scratch_free(scratch);
    cupel_program_free(loaded);
    cupel_program_free(made);
}

static void test_host_format_words(void)
{
    unsigned calls = 0;
    const struct cupel_format format = {"even", is_even, &calls};
    struct cupel_options options;
    struct cupel_scratch *scratch = NULL;
    struct cupel_text text;
    char message[128] = "";
    cupel_options_init(&options);
    options.flags = CUPEL_ASSERT_FORMAT;
    options.formats = &format;
    options.format_count = 1;
    struct cupel_program *program =
        compile("{\"type\": \"string\", \"format\": \"even\"}", &options);
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    if (program != NULL && scratch != NULL) {
        cupel_program_disasm(program, 0, &text);
        CHECK(strstr(text.bytes, "HOST_FORMAT. \"even\"") != NULL);
        CHECK_INT(cupel_validate(program, scratch, "\"a\"", 3, NULL), CUPEL_INVALID);
        CHECK_INT(cupel_report(program, scratch, NULL, 0, keep_message, message, NULL),
                  CUPEL_INVALID);
        CHECK_STR(message, "format: does not conform to the format \"even\"");
    }
    cupel_text_free(&text);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

int main(void)
{
    test_option();
    test_vocabularies();
    test_content();
    test_undecided();
    test_idn();
    test_steps();
    test_host_formats();
    test_host_formats_stored();
    test_host_format_words();
    return test_end();
}
