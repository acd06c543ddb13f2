/* attacks.c: hostile schemas and instances, under the default bounds.
 *
 * Each ends as attacks.def says: with the right verdict, refused, or undecided for the right
 * reason.  What is counted is the same on every machine and is pinned in steps.txt, which `attacks
 * --bless` writes: the steps of verdict and report.  Memory is bounded (8 MiB for compiling, 8 MiB
 * for running, whatever comes) and so is what a report says.  Time is printed: the slowest, and how
 * many took more than 10 ms.
 *
 *   attacks [--bless] [--show] STEPS */
#include "shape.h"
#include "test.h"

#include <cupel/cupel.h>
#include <time.h>

struct want {
    enum cupel_status refused; /* by the compiler */
    enum cupel_verdict verdict;
    enum cupel_status reason;
};

struct attack {
    const char *class, *name;
    uint32_t flags;
    unsigned n;
    struct want want;
    struct shape schema, instance;
};

#define IS_VALID                        \
    {                                   \
        CUPEL_OK, CUPEL_VALID, CUPEL_OK \
    }
#define IS_INVALID                        \
    {                                     \
        CUPEL_OK, CUPEL_INVALID, CUPEL_OK \
    }
#define IS_UNDECIDED(why)                        \
    {                                            \
        CUPEL_OK, CUPEL_UNDECIDED, CUPEL_E_##why \
    }
#define IS_REFUSED(why)                          \
    {                                            \
        CUPEL_E_##why, CUPEL_UNDECIDED, CUPEL_OK \
    }
#define ASSERT_FORMAT CUPEL_ASSERT_FORMAT

static const struct attack attacks[] = {
#define ATTACK(class, name, flags, n, want, schema, instance) \
    {#class, name, flags, n, want, schema, instance},
#define TEXT(before, each, between, after)       \
    {                                            \
        before, each, between, after, NULL, NULL \
    }
#include "attacks.def"
};
enum { ATTACKS = sizeof attacks / sizeof *attacks, MEMORY = 8 << 20 };

/* -- Time -------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* -- One attack
 * ----------------------------------------------------------------------------------------- */

struct result {
    uint64_t verdict, report; /* steps */
    double compile, run;      /* milliseconds */
};

static int count_text(void *ctx, const struct cupel_problem *p)
{
    size_t *sum = ctx;
    sum[0]++;
    sum[1] += strlen(p->message) + strlen(p->instance) + strlen(p->schema);
    return 0;
}

static bool compile(const struct attack *a, const struct cupel_options *options,
                    const struct test_alloc *meter, struct cupel_program **ret, struct result *r)
{
    struct cupel_text schema;
    struct cupel_error err = {0};
    cupel_text_init(&schema, NULL);
    shape_build(&schema, &a->schema, a->n);
    CHECK(schema.len <= options->limits[CUPEL_LIMIT_SCHEMA_BYTES]);
    double start = now();
    enum cupel_status s = cupel_compile(schema.bytes, schema.len, options, ret, &err);
    r->compile = now() - start;
    cupel_text_free(&schema);
    bool ok = CHECK_INT(s, a->want.refused);
    ok &= CHECK(meter->peak <= MEMORY);
    if (!ok)
        fprintf(stderr, "    %s, %s: %s, %zu bytes\n", a->class, a->name, err.detail, meter->peak);
    return s == CUPEL_OK;
}

static void run(const struct attack *a, const struct cupel_program *program,
                struct cupel_options options, struct result *r)
{
    struct test_alloc meter = {0};
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome;
    struct cupel_text text;
    size_t said[2] = {0, 0};
    options.alloc = test_allocator(&meter);
    cupel_text_init(&text, NULL);
    shape_build(&text, &a->instance, a->n);
    if (!CHECK(text.len <= 64 << 10))
        fprintf(stderr, "    %s, %s: %zu bytes\n", a->class, a->name, text.len);
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    double start = now();
    enum cupel_verdict verdict = cupel_validate(program, scratch, text.bytes, text.len, &outcome);
    r->run = now() - start;
    r->verdict = outcome.steps;
    bool ok = CHECK_INT(verdict, a->want.verdict);
    ok &= CHECK_INT(outcome.reason, a->want.reason);
    if (verdict != CUPEL_UNDECIDED) {
        verdict = cupel_report(program, scratch, NULL, 0, count_text, said, &outcome);
        r->report = outcome.steps;
        ok &= CHECK(verdict == a->want.verdict && (said[0] > 0) == (verdict == CUPEL_INVALID));
        ok &= CHECK(said[0] <= options.limits[CUPEL_LIMIT_ERRORS] &&
                    said[1] <= options.limits[CUPEL_LIMIT_ERROR_BYTES]);
    }
    ok &= CHECK(meter.peak <= MEMORY);
    if (!ok)
        fprintf(stderr, "    %s, %s: %s, %zu bytes, %zu problems in %zu bytes\n", a->class, a->name,
                cupel_status_name(outcome.reason), meter.peak, said[0], said[1]);
    cupel_scratch_free(scratch);
    cupel_text_free(&text);
}

static struct result attack(const struct attack *a)
{
    struct result r = {0};
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct test_alloc meter = {0};
    cupel_options_init(&options);
    options.flags |= a->flags;
    options.alloc = test_allocator(&meter);
    if (compile(a, &options, &meter, &program, &r))
        run(a, program, options, &r);
    cupel_program_free(program);
    return r;
}

/* -- Classes that are no schema and instance
 * ------------------------------------------------------------- */

static struct cupel_program *must_compile(const char *schema)
{
    struct cupel_program *program = NULL;
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
    return program;
}

static enum cupel_verdict judge(const struct cupel_program *program, const char *text)
{
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    enum cupel_verdict verdict = cupel_validate(program, scratch, text, strlen(text), NULL);
    cupel_scratch_free(scratch);
    return verdict;
}

/* A23: an image from anybody is refused, or runs inside its bounds. Sizes, versions and the order
 * of bytes first; tests/refuse has the rest. */
static void test_image(void)
{
    struct cupel_program *program =
        must_compile("{\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"enum\":[1,\"x\",[2]]}}"
                     ",\"required\":[\"a\"]}");
    size_t len;
    const char *image = cupel_program_image(program, &len);
    char *copy = malloc(len);
    if (copy == NULL)
        return;
    for (size_t n = 0; n < len; n++) {
        struct cupel_program *loaded = NULL;
        memcpy(copy, image, len);
        enum cupel_status s = cupel_program_load(copy, n, 0, NULL, &loaded, NULL);
        CHECK(s == CUPEL_E_BAD_IMAGE || s == CUPEL_OK); /* whole without its report */
        cupel_program_free(loaded);
    }
    for (size_t bit = 0; bit < 8 * len; bit++) {
        struct cupel_program *loaded = NULL;
        memcpy(copy, image, len);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        enum cupel_status s = cupel_program_load(copy, len, 0, NULL, &loaded, NULL);
        CHECK(s == CUPEL_E_BAD_IMAGE || s == CUPEL_E_IMAGE_VERSION);
        cupel_program_free(loaded);
    }
    memcpy(copy, image, len);
    for (size_t i = 0; i + 4 <= 16;
         i += 4) { /* the header of a machine with the other order of bytes */
        char word[4] = {copy[i + 3], copy[i + 2], copy[i + 1], copy[i]};
        memcpy(copy + i, word, 4);
    }
    struct cupel_program *loaded = NULL;
    CHECK_INT(cupel_program_load(copy, len, 0, NULL, &loaded, NULL), CUPEL_E_IMAGE_VERSION);
    free(copy);
    cupel_program_free(program);
}

/* A26: a schema knows nothing of another one with the same $id. */
static void test_identifiers(void)
{
    struct cupel_program *one = must_compile(
        "{\"$id\":\"http://tool/"
        "in\",\"$defs\":{\"x\":{\"$anchor\":\"x\",\"type\":\"string\"}},\"$ref\":\"#x\"}");
    struct cupel_program *two = must_compile(
        "{\"$id\":\"http://tool/"
        "in\",\"$defs\":{\"x\":{\"$anchor\":\"x\",\"type\":\"null\"}},\"$ref\":\"#x\"}");
    struct cupel_program *none = NULL;
    CHECK_INT(judge(one, "\"a\""), CUPEL_VALID);
    CHECK_INT(judge(two, "\"a\""), CUPEL_INVALID);
    CHECK_INT(judge(two, "null"), CUPEL_VALID);
    CHECK_INT(judge(one, "null"), CUPEL_INVALID);
    const char *stranger = "{\"$ref\":\"http://tool/in\"}";
    CHECK_INT(cupel_compile(stranger, strlen(stranger), NULL, &none, NULL), CUPEL_E_UNRESOLVED_REF);
    const char *twice = "{\"$defs\":{\"a\":{\"$id\":\"http://a/\"},\"b\":{\"$id\":\"http://a/"
                        "\",\"type\":\"null\"}}}";
    CHECK_INT(cupel_compile(twice, strlen(twice), NULL, &none, NULL), CUPEL_E_IDENTIFIER);
    cupel_program_free(one);
    cupel_program_free(two);
}

/* A27: what is judged is what is forwarded: a part of the text that was read once, by its place. */
static void test_one_reading(void)
{
    static const char text[] =
        "{\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"a\":1}}}";
    struct cupel_program *program =
        must_compile("{\"type\":\"object\",\"required\":[\"a\"],\"maxProperties\":1}");
    struct cupel_document *doc = NULL;
    struct cupel_scratch *scratch = NULL;
    uint32_t params, arguments;
    CHECK(cupel_document_new(NULL, &doc) == CUPEL_OK &&
          cupel_scratch_new(NULL, &scratch) == CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, text, sizeof text - 1, NULL), CUPEL_OK);
    params = cupel_json_member(doc, 0, "params", 6);
    arguments = cupel_json_member(doc, params, "arguments", 9);
    CHECK_INT(cupel_validate_node(program, scratch, doc, arguments, NULL), CUPEL_VALID);
    CHECK_INT(cupel_validate_node(program, scratch, doc, params, NULL), CUPEL_INVALID);
    cupel_document_free(doc);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

/* -- All of them
 * --------------------------------------------------------------------------------------------- */

static void print_line(struct cupel_text *t, const struct attack *a, const struct result *r)
{
    cupel_text_addf(t, "%s | %s | %llu | %llu\n", a->class, a->name, (unsigned long long)r->verdict,
                    (unsigned long long)r->report);
}

static void pin(const char *path, const struct cupel_text *steps, bool bless)
{
    static char have[1 << 16];
    FILE *file = fopen(path, bless ? "wb" : "rb");
    if (!CHECK(file != NULL))
        return;
    size_t n =
        bless ? fwrite(steps->bytes, 1, steps->len, file) : fread(have, 1, sizeof have, file);
    CHECK(fclose(file) == 0);
    if (bless)
        return;
    const char *want = have, *got = steps->bytes, *end = have + n;
    while (want < end || *got != '\0') {
        size_t nwant = want < end ? strcspn(want, "\n") : 0, ngot = strcspn(got, "\n");
        if (!CHECK(nwant == ngot && memcmp(want, got, ngot) == 0))
            fprintf(stderr, "    got  %.*s\n    want %.*s\n", (int)ngot, got, (int)nwant, want);
        want += nwant + (want < end);
        got += ngot + (*got != '\0');
    }
}

int main(int argc, char **argv)
{
    bool bless = argc > 1 && strcmp(argv[1], "--bless") == 0;
    bool show = argc > 1 && strcmp(argv[1], "--show") == 0;
    struct cupel_text steps;
    unsigned slow = 0, slowest = 0;
    double longest = 0;
    cupel_text_init(&steps, NULL);
    for (unsigned i = 0; i < ATTACKS; i++) {
        struct result r = attack(&attacks[i]);
        print_line(&steps, &attacks[i], &r);
        slow += r.run > 10;
        slowest = r.run > longest ? i : slowest;
        longest = r.run > longest ? r.run : longest;
        if (show)
            fprintf(stderr, "%s, %s: compile %.2f ms, run %.2f ms, %llu steps\n", attacks[i].class,
                    attacks[i].name, r.compile, r.run, (unsigned long long)r.verdict);
    }
    test_image();
    test_identifiers();
    test_one_reading();
    if (argc > 1)
        pin(argv[argc - 1], &steps, bless);
    cupel_text_free(&steps);
    printf("%u attacks, %u longer than 10 ms; the longest took %.1f ms: %s, %s\n",
           (unsigned)ATTACKS, slow, longest, attacks[slowest].class, attacks[slowest].name);
    return test_end();
}
