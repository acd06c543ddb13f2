/* test_pattern.c: patterns as a host meets them: what is said of each, which limits they reach, and
 * what refuses them.  base/regex/regex.h has its own tests. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

static struct cupel_options options;

static enum cupel_status compile(const char *schema, struct cupel_program **ret)
{
    return cupel_compile(schema, strlen(schema), &options, ret, NULL);
}

/* A verdict; *ret_reason is why there is none. */
static int judge(const char *schema, const char *text, enum cupel_status *ret_reason)
{
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_outcome outcome;
    enum cupel_status status = compile(schema, &program);
    if (status != CUPEL_OK)
        return -1;
    int verdict = -1;
    if (CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK)) {
        verdict = cupel_validate(program, scratch, text, strlen(text), &outcome);
        *ret_reason = outcome.reason;
        cupel_scratch_free(scratch);
    }
    cupel_program_free(program);
    return verdict;
}

static void test_known(void)
{
    static const char schema[] =
        "{\"pattern\": \"^[a-z]+$\", \"propertyNames\": {\"pattern\": \"^(?:ab)+$\"},"
        " \"patternProperties\": {\"^(a+)\\\\1$\": true, \"[\\\\w-.]\": {\"type\": \"null\"}}}";
    static const enum cupel_engine engines[] = {CUPEL_ENGINE_SIMPLE, CUPEL_ENGINE_TABLE,
                                                CUPEL_ENGINE_BACKTRACK};
    struct cupel_program *program;
    struct cupel_program_info info;
    struct cupel_pattern_info pattern;
    unsigned lenient = 0, seen = 0;
    cupel_options_init(&options);
    if (!CHECK_INT(compile(schema, &program), CUPEL_OK))
        return;
    cupel_program_info(program, &info);
    CHECK(info.patterns >= 3);
    for (uint32_t i = 0; i < info.patterns; i++) {
        CHECK_INT(cupel_program_pattern(program, i, &pattern), CUPEL_OK);
        CHECK(pattern.bytes > 0 && pattern.len > 0);
        lenient += pattern.lenient != 0;
        for (unsigned k = 0; k < 3; k++)
            seen |= (unsigned)(pattern.engine == engines[k]) << k;
    }
    CHECK_INT(cupel_program_pattern(program, info.patterns, &pattern), CUPEL_E_ARGUMENT);
    CHECK_INT(lenient, 1);
    CHECK_INT(seen & 3, 3);
    cupel_program_free(program);
}

/* What a pattern cannot decide is not decided, whatever stands around it. */
static void test_limits(void)
{
    static const char *const around[] = {"%s", "{\"not\": %s}", "{\"if\": %s, \"then\": false}",
                                         "{\"anyOf\": [%s, %s]}",
                                         "{\"oneOf\": [%s, {\"type\": \"null\"}]}"};
    char text[1200], schema[256];
    enum cupel_status reason = CUPEL_OK;
    memset(text, 'a', sizeof text);
    text[0] = text[1001] = '"';
    text[1002] = '\0';
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        static const char evil[] = "{\"pattern\": \"^(a*)*\\\\1b\"}";
        cupel_options_init(&options);
        snprintf(schema, sizeof schema, around[i], evil, evil);
        CHECK_INT(judge(schema, text, &reason), CUPEL_UNDECIDED);
        CHECK_INT(reason, CUPEL_E_LIMIT_REGEX);
        options.limits[CUPEL_LIMIT_STEPS] = 5000;
        options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
        CHECK_INT(judge(schema, text, &reason), CUPEL_UNDECIDED);
        CHECK_INT(reason, CUPEL_E_LIMIT_STEPS);
        options.limits[CUPEL_LIMIT_STEPS] = 200;
        static const char plain[] = "{\"pattern\": \"^(?:ab|a)*b\"}";
        snprintf(schema, sizeof schema, around[i], plain, plain);
        CHECK_INT(judge(schema, text, &reason), CUPEL_UNDECIDED);
        CHECK_INT(reason, CUPEL_E_LIMIT_STEPS);
    }
}

static void test_refused(void)
{
    static const char backref[] = "{\"patternProperties\": {\"(a)\\\\1\": false}}";
    static const char large[] = "{\"pattern\": \"^(?:[a-f]{1,9}[0-5]){20}x\"}";
    struct cupel_program *program, *loaded;
    size_t len;
    cupel_options_init(&options);
    if (!CHECK_INT(compile(backref, &program), CUPEL_OK))
        return;
    const void *image = cupel_program_image(program, &len);
    options.flags |= CUPEL_NO_BACK_REFERENCES;
    CHECK_INT(cupel_program_load(image, len, 0, &options, &loaded, NULL), CUPEL_E_BACK_REFERENCE);
    cupel_program_free(program);
    CHECK_INT(compile(backref, &program), CUPEL_E_BACK_REFERENCE);
    CHECK_INT(compile("{\"pattern\": \"\\\\_\"}", &program), CUPEL_OK);
    cupel_program_free(program);
    options.flags |= CUPEL_STRICT_REGEX;
    CHECK_INT(compile("{\"pattern\": \"\\\\_\"}", &program), CUPEL_E_PATTERN);
    options.limits[CUPEL_LIMIT_MATCHER_BYTES] = 500;
    CHECK_INT(compile(large, &program), CUPEL_E_PATTERN_SIZE);
    options.limits[CUPEL_LIMIT_MATCHER_BYTES] = 100000;
    CHECK_INT(compile(large, &program), CUPEL_OK);
    cupel_program_free(program);
    options.limits[CUPEL_LIMIT_PATTERN_BYTES] = 20;
    CHECK_INT(compile(large, &program), CUPEL_E_PATTERN_SIZE);
}

/* The off switches change nothing but the way. */
static void test_switches(void)
{
    static const char schema[] = "{\"patternProperties\": {\"^x-\": {\"type\": \"integer\"}, "
                                 "\"(?<!a)b$\": {\"type\": \"string\"}},"
                                 " \"propertyNames\": {\"pattern\": \"^(?=.*[a-z])[a-z-]{2,}$\"}, "
                                 "\"additionalProperties\": false}";
    static const struct {
        const char *text;
        enum cupel_verdict verdict;
    } rows[] = {{"{\"x-a\": 1, \"cb\": \"\"}", CUPEL_VALID},
                {"{\"x-a\": \"\"}", CUPEL_INVALID},
                {"{\"ab\": \"\"}", CUPEL_INVALID},
                {"{\"x-b\": 1}", CUPEL_INVALID},
                {"{\"x-\": 2}", CUPEL_VALID},
                {"{\"x-1\": 2}", CUPEL_INVALID}};
    static const uint32_t flags[] = {0,
                                     CUPEL_NO_REGEX_SIMPLE,
                                     CUPEL_NO_REGEX_TABLES,
                                     CUPEL_NO_REGEX_SIMPLE | CUPEL_NO_REGEX_TABLES,
                                     CUPEL_NO_REGEX_LINEAR,
                                     CUPEL_NO_REGEX_LINEAR | CUPEL_NO_JIT};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            enum cupel_status reason = CUPEL_OK;
            cupel_options_init(&options);
            options.flags |= flags[i];
            if (!CHECK_INT(judge(schema, rows[k].text, &reason), rows[k].verdict))
                fprintf(stderr, "    %s\n", rows[k].text);
        }
    }
}

int main(void)
{
    test_known();
    test_limits();
    test_refused();
    test_switches();
    return test_end();
}
