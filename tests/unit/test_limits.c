/* test_limits.c: every bound of enum cupel_limit, one below it, at it, and one above; and the C
 * stack. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <limits.h>
#include <pthread.h>

/* Text: `before`, n times `each`, `after`; static, so that a thread with a small stack can make it.
 */
static const char *make(const char *before, const char *each, size_t n, const char *after)
{
    static char text[1 << 17];
    size_t at = 0, len = strlen(each);
    memcpy(text, before, strlen(before));
    at += strlen(before);
    for (; n > 0 && at + len + 64 < sizeof text; n--, at += len)
        memcpy(text + at, each, len);
    memcpy(text + at, after, strlen(after) + 1);
    return text;
}

static struct cupel_options defaults(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    return options;
}

static enum cupel_status compile(const char *schema, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    enum cupel_status s = cupel_compile(schema, strlen(schema), options, &program, &err);
    CHECK((s == CUPEL_OK) == (program != NULL) && (s == CUPEL_OK || err.status == s));
    cupel_program_free(program);
    return s;
}

/* The reason why there is no verdict, or OK. */
static enum cupel_status run(const char *schema, const char *text,
                             const struct cupel_options *options, struct cupel_outcome *ret)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    ret->reason = CUPEL_E_INTERNAL;
    if (CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK) &&
        CHECK_INT(cupel_scratch_new(options, &scratch), CUPEL_OK)) {
        enum cupel_verdict verdict = cupel_validate(program, scratch, text, strlen(text), ret);
        CHECK((verdict == CUPEL_UNDECIDED) == (ret->reason != CUPEL_OK));
    }
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return ret->reason;
}

/* -- What is read
 * ---------------------------------------------------------------------------------------- */

static void test_reading(void)
{
    struct cupel_outcome outcome;
    struct cupel_options options = defaults();
    for (size_t n = 99; n <= 101; n++) {
        options = defaults();
        options.limits[CUPEL_LIMIT_BODY_BYTES] = 100;
        CHECK_INT(run("true", make("\"", "x", n - 2, "\""), &options, &outcome),
                  n <= 100 ? CUPEL_OK : CUPEL_E_JSON_SIZE);
        options = defaults();
        options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 100;
        CHECK_INT(run("true", make("", "7", n, ""), &options, &outcome),
                  n <= 100 ? CUPEL_OK : CUPEL_E_NUMBER_SIZE);
    }
}

/* Arrays, n deep. */
static const char *nested(size_t n)
{
    static char text[4096];
    memset(text, '[', n);
    memset(text + n, ']', n);
    text[2 * n] = '\0';
    return text;
}

static void test_depth(void)
{
    struct cupel_outcome outcome;
    struct cupel_options options = defaults();
    for (uint32_t limit = 1; limit <= 1024; limit = limit * 4) {
        options.limits[CUPEL_LIMIT_DEPTH] = limit;
        for (uint32_t n = limit > 1 ? limit - 1 : 1; n <= limit + 1; n++)
            CHECK_INT(run("{\"items\":{\"$ref\":\"#\"}}", nested(n), &options, &outcome),
                      n <= limit ? CUPEL_OK : CUPEL_E_JSON_DEPTH);
    }
}

/* -- What is compiled
 * ------------------------------------------------------------------------------------- */

static void test_schemas(void)
{
    struct cupel_options options;
    for (size_t n = 99; n <= 101; n++) {
        options = defaults();
        options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 100;
        CHECK_INT(compile(make("{\"title\":\"", "x", n - 12, "\"}"), &options),
                  n <= 100 ? CUPEL_OK : CUPEL_E_SCHEMA_SIZE);
        options = defaults();
        options.limits[CUPEL_LIMIT_PATTERN_BYTES] = 100;
        CHECK_INT(compile(make("{\"pattern\":\"", "x", n, "\"}"), &options),
                  n <= 100 ? CUPEL_OK : CUPEL_E_PATTERN_SIZE);
        options = defaults();
        options.limits[CUPEL_LIMIT_SUBSCHEMAS] = 100; /* the root is one */
        CHECK_INT(compile(make("{\"allOf\":[", "{\"minimum\":1},", n - 2, "{}]}"), &options),
                  n <= 100 ? CUPEL_OK : CUPEL_E_SCHEMA_SIZE);
    }
}

/* -- Memory of the compiler
 * --------------------------------------------------------------------------------- */

struct counted {
    size_t held, peak;
};

static void *count_memory(void *ctx, void *p, size_t old, size_t new)
{
    struct counted *c = ctx;
    void *q = NULL;
    if (new == 0)
        free(p);
    else if ((q = realloc(p, new)) == NULL)
        return NULL;
    c->held += new - old;
    c->peak = c->held > c->peak ? c->held : c->peak;
    return q;
}

/* Schemas as large as the default allows, each of one kind of part: none takes more than 24 MiB,
 * whatever comes of it. With the bound it is refused by it, and by nothing else. */
static void test_compile_memory(void)
{
    static const char *const parts[][3] = {
        {"{\"oneOf\":[", "{\"oneOf\":[{\"required\":[\"a@\"]},{\"required\":[\"b@\"]}]},", "{}]}"},
        {"{\"allOf\":[", "true,", "{}]}"},
        {"{\"anyOf\":[", "{\"anyOf\":[{},{\"minimum\":@}]},", "{}]}"},
        {"{\"dependentRequired\":{", "\"@\":[\"a\"],", "\"x\":[]}}"},
        {"{\"allOf\":[", "{\"contains\":{}},", "{}]}"},
        {"{\"items\":{\"anyOf\":[", "{\"$ref\":\"#\"},", "{}]}}"},
        {"{\"enum\":[", "[],", "0]}"},
        {"{\"enum\":[", "{\"@\":0},", "0]}"},
        {"{\"properties\":{", "\"@\":{\"$ref\":\"#\"},", "\"x\":{}}}"},
        {"{\"properties\":{", "\"@\":{\"not\":{\"minimum\":@}},", "\"x\":{}}}"},
        {"{\"prefixItems\":[", "{\"const\":@},", "{}]}"},
    };
    enum { ROOM = 256 << 10, MOST = 24 << 20, KINDS = sizeof parts / sizeof *parts };
    for (size_t i = 0; i < KINDS; i++) {
        struct counted counted = {0, 0};
        struct cupel_options options = defaults();
        struct cupel_text schema;
        struct cupel_program *program = NULL;
        cupel_text_init(&schema, NULL);
        cupel_text_adds(&schema, parts[i][0]);
        for (unsigned n = 0; schema.len < ROOM - 200; n++)
            for (const char *p = parts[i][1]; *p != '\0'; p++)
                if (*p == '@')
                    cupel_text_addf(&schema, "%u", n);
                else
                    cupel_text_add(&schema, p, 1);
        cupel_text_adds(&schema, parts[i][2]);
        options.alloc = (struct cupel_alloc){count_memory, &counted};
        enum cupel_status s = cupel_compile(schema.bytes, schema.len, &options, &program, NULL);
        CHECK(s == CUPEL_OK || s == CUPEL_E_SCHEMA_SIZE);
        if (!CHECK(counted.peak <= MOST))
            fprintf(stderr, "    %s: %zu bytes, %s\n", parts[i][1], counted.peak,
                    cupel_status_name(s));
        cupel_program_free(program);
        options.limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
        s = cupel_compile(schema.bytes, schema.len, &options, &program, NULL);
        CHECK_INT(s, CUPEL_OK);
        cupel_program_free(program);
        CHECK(counted.held == 0);
        cupel_text_free(&schema);
    }
}

static void test_schema_depth(void)
{
    static char text[1 << 12];
    struct cupel_options options = defaults();
    enum cupel_status before = CUPEL_OK;
    unsigned changes = 0;
    options.limits[CUPEL_LIMIT_SCHEMA_DEPTH] = 50;
    for (size_t n = 40; n <= 60; n++) {
        size_t at = 0;
        for (size_t i = 0; i < n; i++, at += 8)
            memcpy(text + at, "{\"not\": ", 8);
        memcpy(text + at, "{}", 2);
        memset(text + at + 2, '}', n);
        text[at + 2 + n] = '\0';
        enum cupel_status s = compile(text, &options);
        CHECK(s == CUPEL_OK || (s == CUPEL_E_SCHEMA_DEPTH && n >= 49 && n <= 60));
        changes += s != before;
        before = s;
    }
    CHECK(changes == 1 && before == CUPEL_E_SCHEMA_DEPTH);
}

/* What compiling patterns takes is the same whenever it is done: one step less is not enough. */
static void test_pattern_steps(void)
{
    static const char *const schemas[] = {
        "{\"pattern\":\"^a\"}",
        "{\"allOf\":[{\"pattern\":\"^(ab|b)*$\"},{\"pattern\":\"[\\\\p{L}x]+y\"}]}",
        "{\"patternProperties\":{\"(a)\\\\1\":{},\"(?=a)b\":{},\"(x|y)*x(x|y){30}\":{}}}",
        "{\"pattern\":\"^(?:[a-z]{1,3}[0-9]){400}$\"}",
        "{\"pattern\":\"(?:(?:a{99}b?){99}c?){99}\"}"};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct cupel_options options = defaults();
        uint64_t low = 0, high = options.limits[CUPEL_LIMIT_PATTERN_STEPS];
        while (low < high) {
            options.limits[CUPEL_LIMIT_PATTERN_STEPS] = low + (high - low) / 2;
            if (compile(schemas[i], &options) == CUPEL_OK)
                high = options.limits[CUPEL_LIMIT_PATTERN_STEPS];
            else
                low = options.limits[CUPEL_LIMIT_PATTERN_STEPS] + 1;
        }
        CHECK(low > 100 && low < defaults().limits[CUPEL_LIMIT_PATTERN_STEPS] / 4);
        for (uint64_t n = low - 1; n <= low + 1; n++) {
            options.limits[CUPEL_LIMIT_PATTERN_STEPS] = n;
            CHECK_INT(compile(schemas[i], &options), n < low ? CUPEL_E_PATTERN_STEPS : CUPEL_OK);
        }
    }
}

/* The image of a schema fits exactly the bytes that it has. */
static void test_image_bytes(void)
{
    static const char schema[] =
        "{\"properties\":{\"a\":{\"type\":\"string\",\"minLength\":2}},\"required\":[\"a\"]}";
    struct cupel_options options = defaults();
    struct cupel_program *program = NULL;
    struct cupel_program_info info;
    options.flags = CUPEL_NO_REPORT;
    CHECK_INT(cupel_compile(schema, sizeof schema - 1, &options, &program, NULL), CUPEL_OK);
    cupel_program_info(program, &info);
    for (size_t n = info.image_bytes - 1; n <= info.image_bytes + 1; n++) {
        options.limits[CUPEL_LIMIT_IMAGE_BYTES] = n;
        CHECK_INT(compile(schema, &options), n < info.image_bytes ? CUPEL_E_IMAGE_SIZE : CUPEL_OK);
    }
    cupel_program_free(program);
}

/* The schema of a tool takes one block to work in, one for the images, and one for the program. */
static void test_allocations(void)
{
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"workspace\":{\"type\":\"string\",\"description\":"
        "\"Where\"},"
        "\"kind\":{\"type\":\"string\",\"enum\":[\"note\",\"task\",\"event\"]},"
        "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":20},"
        "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
        "\"required\":[\"workspace\"],\"additionalProperties\":false}";
    struct test_alloc counter = {0};
    struct cupel_options options = defaults();
    options.alloc = test_allocator(&counter);
    CHECK_INT(compile(schema, &options), CUPEL_OK);
#ifndef CUPEL__SMALL_BLOCKS /* with it each piece is asked for by itself */
    CHECK_INT(counter.requests, 3);
#endif
    CHECK_INT(counter.live, 0);
}

/* -- What runs
 * --------------------------------------------------------------------------------------------- */

static void test_steps(void)
{
    static const char schema[] =
        "{\"items\":{\"anyOf\":[{\"multipleOf\":3},{\"minimum\":1}]},\"uniqueItems\":true}";
    const char *text = "[1,2,3,4,5,6,7,8,9,10.5]";
    struct cupel_outcome outcome;
    struct cupel_options options = defaults();
    CHECK_INT(run(schema, text, &options, &outcome), CUPEL_OK);
    uint64_t needed = outcome.steps;
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    for (uint64_t n = 0; n <= needed + 1; n++) {
        options.limits[CUPEL_LIMIT_STEPS] = n;
        CHECK_INT(run(schema, text, &options, &outcome),
                  n < needed ? CUPEL_E_LIMIT_STEPS : CUPEL_OK);
    }
    options.limits[CUPEL_LIMIT_STEPS] = needed - strlen(text);
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 1;
    CHECK_INT(run(schema, text, &options, &outcome), CUPEL_OK);
    options.limits[CUPEL_LIMIT_STEPS]--;
    CHECK_INT(run(schema, text, &options, &outcome), CUPEL_E_LIMIT_STEPS);
}

/* -- What is run again
 * ------------------------------------------------------------------------------------- */

/* Arrays that are longer and longer, each behind much other work: a run must not be begun again for
 * each. And what it takes is the same with a scratch that has nothing and with one that has all. */
static void test_again(void)
{
    static const char schema[] =
        "{\"items\":{\"allOf\":[{\"items\":{\"multipleOf\":1}},{\"uniqueItems\":true},"
        "{\"anyOf\":[{\"contains\":{\"minimum\":-1}},{\"prefixItems\":[true]}],"
        "\"unevaluatedItems\":false}]}}";
    static char text[1 << 15];
    size_t at = 0;
    for (unsigned n = 70; n <= 1200; n = n * 5 / 4) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s[0", at == 0 ? "[" : ",");
        for (unsigned i = 1; i < n; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, ",%u", i);
        text[at++] = ']';
    }
    text[at++] = ']';
    struct test_alloc count = {0};
    struct cupel_options options = defaults();
    struct cupel_program *program = NULL;
    options.alloc = test_allocator(&count);
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    CHECK_INT(cupel_compile(schema, sizeof schema - 1, NULL, &program, NULL), CUPEL_OK);
    uint64_t needed = 0;
    for (unsigned i = 0; i < 6; i++) {
        static const unsigned fifths[] = {100, 20, 19, 6, 5, 4}; /* of what is needed: the budget */
        struct cupel_scratch *scratch = NULL;
        struct cupel_outcome cold, warm;
        options.limits[CUPEL_LIMIT_STEPS] = i == 0 ? 1000000 : needed * fifths[i] / 5;
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        count.requests = 0;
        enum cupel_verdict verdict = cupel_validate(program, scratch, text, at, &cold);
        CHECK(count.requests <= 9); /* with one more for each table that grew */
        CHECK_INT(verdict, fifths[i] < 5 ? CUPEL_UNDECIDED : CUPEL_VALID);
        CHECK_INT(cupel_validate(program, scratch, text, at, &warm), verdict);
        CHECK(cold.steps == warm.steps && cold.reason == warm.reason);
        needed = i == 0 ? cold.steps : needed;
        CHECK(fifths[i] < 5 || cold.steps == needed);
        cupel_scratch_free(scratch);
    }
    cupel_program_free(program);
}

struct told {
    uint32_t problems;
    size_t bytes;
};

static int tell(void *ctx, const struct cupel_problem *p)
{
    struct told *t = ctx;
    t->problems++;
    t->bytes += strlen(p->message) + strlen(p->instance) + strlen(p->schema);
    return 0;
}

static struct told report(const char *schema, const char *text, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct told told = {0, 0};
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), CUPEL_INVALID);
    CHECK_INT(cupel_report(program, scratch, NULL, 0, tell, &told, NULL), CUPEL_INVALID);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return told;
}

static void test_errors(void)
{
    struct cupel_options options = defaults();
    for (uint32_t n = 1; n <= 20; n++) {
        options.limits[CUPEL_LIMIT_ERRORS] = n;
        struct told told =
            report("{\"items\":{\"type\":\"string\"}}", "[1,2,3,4,5,6,7,8,9,10]", &options);
        CHECK_INT(told.problems, n < 10 ? n : 10);
    }
    options = defaults();
    size_t before = 0;
    for (size_t n = 64; n <= 4096; n *= 2) {
        options.limits[CUPEL_LIMIT_ERROR_BYTES] = n;
        struct told told =
            report("{\"items\":{\"type\":\"string\"}}", "[1,2,3,4,5,6,7,8,9,10]", &options);
        CHECK(told.bytes <= n && told.bytes >= before);
        before = told.bytes;
    }
}

/* -- The C stack
 * -------------------------------------------------------------------------------------------- */

/* Sanitizers make frames several times as large. */
#if defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
        __has_feature(memory_sanitizer)
enum { STACK = 1 << 20 };
#    else
enum { STACK = 64 << 10 };
#    endif
#elif defined(__SANITIZE_ADDRESS__)
enum { STACK = 1 << 20 };
#else
enum { STACK = 64 << 10 };
#endif

/* A schema as deep as n, at the end of which there is a pattern as deep as n. */
static const char *chain(size_t n)
{
    static char text[1 << 13];
    size_t at = 0;
    for (size_t i = 0; i < n; i++, at += 9)
        memcpy(text + at, "{\"items\":", 9);
    at += (size_t)snprintf(text + at, 16, "{\"pattern\":\"");
    memset(text + at, '(', n);
    at += n + (size_t)snprintf(text + at + n, 16, "a|b+");
    memset(text + at, ')', n);
    at += n + (size_t)snprintf(text + at + n, 16, "\"}");
    memset(text + at, '}', n);
    text[at + n] = '\0';
    return text;
}

/* What is said of deep instances, and what is tried to mend them. */
static void tell_deep(const struct cupel_options *options)
{
    static const char schema[] = "{\"items\":{\"anyOf\":[{\"$ref\":\"#\"},{\"type\":\"null\"}]},"
                                 "\"type\":\"array\",\"minItems\":1}";
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_text text;
    const char *instance = nested(1000);
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_compile(schema, strlen(schema), options, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, instance, strlen(instance), NULL), CUPEL_INVALID);
    for (int rendering = 0; rendering <= CUPEL_RENDER_HIERARCHICAL; rendering++)
        CHECK_INT(cupel_render(program, scratch, NULL, 0, (enum cupel_rendering)rendering, NULL,
                               &text, NULL),
                  CUPEL_INVALID);
    CHECK(cupel_repair(program, scratch, NULL, 0, &text, NULL, NULL) != CUPEL_REPAIRED);
    cupel_text_free(&text);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

/* A list of tools with a deep schema, and a call with deep arguments. */
static void call_deep(const struct cupel_options *options)
{
    static char list[1 << 17], request[1 << 17];
    struct cupel_catalog_options mcp;
    struct cupel_catalog *catalog = NULL;
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer;
    cupel_catalog_options_init(&mcp);
    mcp.engine = options;
    cupel_text_init(&answer, NULL);
    snprintf(list, sizeof list,
             "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
             "\"a\":%s}}}]}",
             chain(120));
    CHECK_INT(cupel_catalog_new(&mcp, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, strlen(list), NULL), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(options, &caller), CUPEL_OK);
    snprintf(request, sizeof request,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
             "\"params\":{\"name\":\"t\",\"arguments\":{\"a\":%s}}}",
             nested(1000));
    enum cupel_call_verdict verdict = cupel_call_check(catalog, caller, request, strlen(request),
                                                       NULL, &answer, NULL, NULL, NULL);
    CHECK(verdict == CUPEL_CALL_VALID || answer.len > 0);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&answer);
}

static void *deep(void *ctx)
{
    struct cupel_options options = defaults();
    struct cupel_outcome outcome;
    (void)ctx;
    options.limits[CUPEL_LIMIT_DEPTH] = 2000;
    CHECK_INT(run("{\"items\":{\"anyOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\",\"title\":\"t\"}]},"
                  "\"unevaluatedItems\":false}",
                  nested(2000), &options, &outcome),
              CUPEL_OK);
    CHECK_INT(run("{\"properties\":{\"a\":{\"pattern\":\"^(a|b)*(c+)?$\"}},\"uniqueItems\":true}",
                  "{\"a\":\"abab\"}", &options, &outcome),
              CUPEL_OK);
    test_compile_memory();
    test_schema_depth();
    CHECK_INT(compile(chain(120), NULL), CUPEL_OK);
    tell_deep(&options);
    call_deep(&options);
    return NULL;
}

static void test_stack(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0);
    /* Some systems have no thread with less. */
    CHECK(pthread_attr_setstacksize(&attributes,
                                    STACK < PTHREAD_STACK_MIN ? PTHREAD_STACK_MIN : STACK) == 0);
    if (CHECK(pthread_create(&thread, &attributes, deep, NULL) == 0))
        CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
}

int main(void)
{
    test_reading();
    test_depth();
    test_schemas();
    test_schema_depth();
    test_pattern_steps();
    test_image_bytes();
    test_allocations();
    test_steps();
    test_again();
    test_errors();
    test_stack();
    return test_end();
}
