/* test_changing_text.c: a thread writes to a text while it is judged.
 *
 *   test_changing_text [RUNS]
 *
 * The library promises no verdict for such texts (SECURITY.md): it may be that of neither text.
 * This test looks for accesses outside of memory, which the sanitizers and the VM of ci/asan.ini
 * report; 1,000,000 runs are made by hand.  Texts are copied or read in place, judged by their
 * tokens or by the array of nodes, by both loops, and reported.  The writer changes single bytes
 * into brackets, quotes, digits and escapes, and most of them back. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PADDING = 64, ROOM = 4096 };

struct shared {
    char *text; /* ROOM bytes, and PADDING */
    atomic_size_t len;
    atomic_bool ended;
};

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static __attribute__((no_sanitize("thread"))) void *write_bytes(void *ctx)
{
    static const char bytes[] = "{}[]:,\"\"\"\\u0159-.eE \x7f\xc3\xf0\x9f";
    struct shared *s = ctx;
    uint32_t random = 7;
    while (!atomic_load(&s->ended)) {
        size_t len = atomic_load(&s->len);
        if (len == 0)
            continue;
        volatile char *at = s->text + next_random(&random) % len;
        const char before = *at;
        *at = bytes[next_random(&random) % (sizeof bytes - 1)];
        if (next_random(&random) % 16 != 0)
            *at = before; /* mostly the text stays what it was, so that it is read to its end */
    }
    return NULL;
}

static const char *const schemas[] = {
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"maxLength\":9,\"pattern\":"
    "\"^[a-z]*$\"},"
    "\"b\":{\"items\":{\"type\":\"integer\",\"multipleOf\":3}},\"c\":{\"$ref\":\"#\"}},"
    "\"required\":[\"a\"]}",
    "{\"anyOf\":[{\"properties\":{\"k\":{\"const\":\"one\"}},\"required\":[\"k\"]},{\"properties\":"
    "{\"k\":{"
    "\"const\":\"two\"}},\"required\":[\"k\"],\"unevaluatedProperties\":false}],\"uniqueItems\":"
    "true}",
    "{\"patternProperties\":{\"(a|b)+c\":{\"enum\":[1,\"a\",[1,2],{\"a\":1}]}},"
    "\"additionalProperties\":{"
    "\"contains\":{\"format\":\"date-time\"},\"uniqueItems\":true}}",
};

static const char *const texts[] = {
    "{\"a\":\"abc\",\"b\":[3,6,9,12345678901234567890,0.3e1],\"c\":{\"a\":"
    "\"\\u0061\\ud83d\\ude00\",\"c\":{\"a\":\"\"}}}",
    "{\"k\":\"two\"}",
    "{\"k\":\"\\u006fne\",\"other\":[[1],[2],[3],{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]}",
    "{\"aac\":{\"a\":1},\"x\":[\"2024-01-01T00:00:00Z\",1,2,3,\"2024-01-01t00:00:00z\"],\"abc\":[1,"
    "2]}",
    "[[[[[[[[[[1]]]]]]]]],\"\\\\\\\"\\n\",1e5,-0,true,false,null]",
};

/* A text between spaces, or many of them in an array. */
static size_t write_text(char *to, uint32_t *random)
{
    const char *text = texts[next_random(random) % (sizeof texts / sizeof *texts)];
    size_t len = 0, times = next_random(random) % 3 == 0 ? 1 + next_random(random) % 12 : 1;
    if (times > 1)
        to[len++] = '[';
    for (size_t i = 0; i < times; i++) {
        if (i > 0)
            to[len++] = ',';
        memcpy(to + len, text, strlen(text));
        len += strlen(text);
    }
    if (times > 1)
        to[len++] = ']';
    return len;
}

static int no_problem(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx, (void)problem;
    return 0;
}

enum { WAYS = 8, SCHEMAS = sizeof schemas / sizeof *schemas };

/* Each without and with CUPEL_INPUT_PADDED. */
static const uint32_t ways[WAYS / 2] = {
    0,
    CUPEL_NO_DIRECT,
    CUPEL_NO_SIMD | CUPEL_SWITCH_DISPATCH,
    CUPEL_EAGER_MEMO,
};

int main(int argc, char **argv)
{
    const unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    struct shared s = {.text = calloc(ROOM + PADDING, 1)};
    struct cupel_program *programs[SCHEMAS] = {NULL};
    struct cupel_scratch *scratches[WAYS] = {NULL};
    pthread_t writer;
    uint32_t random = 3;
    unsigned long verdicts[3] = {0};
    for (size_t i = 0; i < SCHEMAS; i++)
        CHECK_INT(cupel_compile(schemas[i], strlen(schemas[i]), NULL, &programs[i], NULL),
                  CUPEL_OK);
    for (size_t i = 0; i < WAYS; i++) {
        struct cupel_options options;
        cupel_options_init(&options);
        options.flags |= ways[i / 2] | (i % 2 ? CUPEL_INPUT_PADDED : 0) | CUPEL_ASSERT_FORMAT;
        CHECK_INT(cupel_scratch_new(&options, &scratches[i]), CUPEL_OK);
    }
    CHECK_INT(pthread_create(&writer, NULL, write_bytes, &s), 0);
    for (unsigned long i = 0; i < runs; i++) {
        struct cupel_outcome outcome = {.reason = CUPEL_OK};
        struct cupel_scratch *scratch = scratches[i % WAYS];
        const struct cupel_program *program = programs[i / WAYS % SCHEMAS];
        atomic_store(&s.len, 0);
        size_t len = write_text(s.text, &random);
        atomic_store(&s.len, len);
        enum cupel_verdict verdict = cupel_validate(program, scratch, s.text, len, &outcome);
        if (verdict != CUPEL_UNDECIDED)
            verdict = cupel_report(program, scratch, NULL, 0, no_problem, NULL, &outcome);
        verdicts[verdict]++;
    }
    atomic_store(&s.ended, true);
    pthread_join(writer, NULL);
    CHECK(verdicts[0] + verdicts[1] + verdicts[2] == runs);
    printf("%lu valid, %lu invalid, %lu undecided\n", verdicts[CUPEL_VALID],
           verdicts[CUPEL_INVALID], verdicts[CUPEL_UNDECIDED]);
    for (size_t i = 0; i < SCHEMAS; i++)
        cupel_program_free(programs[i]);
    for (size_t i = 0; i < WAYS; i++)
        cupel_scratch_free(scratches[i]);
    free(s.text);
    return test_end();
}
