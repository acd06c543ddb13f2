/* complexity.c: that work grows in proportion to what is sent, for schemas and instances made to
 * grow it faster.
 *
 * A family is a schema and an instance of size n.  Doubling n may double the steps of the verdict
 * and of the report, and not much more; steps are the same on every machine, so the bound is tight.
 * The compiler counts no steps: there it is processor time over four times the size, with a wide
 * margin that still tells linear from quadratic, and the size of the image.
 *
 *   complexity [--show | --quick] [FAMILY]
 *
 * families.def has the families. */
#include "families.h"
#include "test.h"
#include <cupel/cupel.h>
#include <time.h>

/* -- Measuring
 * -------------------------------------------------------------------------------------- */

struct cost {
    uint64_t verdict, report; /* steps */
    double compile;           /* seconds, the best of several */
    size_t schema, image, instance;
};

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_options(struct cupel_options *options)
{
    cupel_options_init(options);
    options->limits[CUPEL_LIMIT_SCHEMA_BYTES] = 64 << 20;
    options->limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
    options->limits[CUPEL_LIMIT_IMAGE_BYTES] = 64 << 20;
    options->limits[CUPEL_LIMIT_SUBSCHEMAS] = 1 << 20;
    options->limits[CUPEL_LIMIT_DEPTH] = 1024;
    options->flags |= CUPEL_ASSERT_FORMAT | CUPEL_IDN_OPTIONAL;
}

static struct cupel_program *compile(const struct family *f, const struct cupel_text *schema,
                                     double *ret_time)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    set_options(&options);
    for (int i = 0; i < 3; i++) {
        double start = processor_time();
        cupel_program_free(program);
        program = NULL;
        enum cupel_status s = cupel_compile(schema->bytes, schema->len, &options, &program, &err);
        double time = processor_time() - start;
        if (i == 0 || time < *ret_time)
            *ret_time = time;
        if (!CHECK_INT(s, CUPEL_OK)) {
            fprintf(stderr, "    %s: %s at %s\n", f->name, err.detail, err.where);
            return NULL;
        }
    }
    return program;
}

static int ignore(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx, (void)problem;
    return 0;
}

static void run(const struct family *f, const struct cupel_program *program,
                const struct cupel_text *text, struct cost *ret)
{
    struct cupel_options options;
    struct cupel_scratch *scratch;
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    set_options(&options);
    if (!CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK))
        return;
    enum cupel_verdict verdict = cupel_validate(program, scratch, text->bytes, text->len, &outcome);
    ret->verdict = outcome.steps;
    bool ok = CHECK_INT(verdict, f->verdict);
    if (ok) {
        verdict = cupel_report(program, scratch, NULL, 0, ignore, NULL, &outcome);
        ret->report = outcome.steps;
        ok = CHECK_INT(verdict, f->verdict);
    }
    if (!ok)
        fprintf(stderr, "    %s: %s\n", f->name, cupel_status_name(outcome.reason));
    cupel_scratch_free(scratch);
}

static struct cost measure(const struct family *f, unsigned n)
{
    struct cost c = {0};
    struct cupel_text schema, text;
    cupel_text_init(&schema, NULL);
    cupel_text_init(&text, NULL);
    shape_build(&schema, &f->schema, f->grows & SCHEMA_GROWS ? n : 1);
    shape_build(&text, &f->instance, f->grows & INSTANCE_GROWS ? n : 1);
    struct cupel_program *program = compile(f, &schema, &c.compile);
    if (program != NULL) {
        run(f, program, &text, &c);
        cupel_program_image(program, &c.image);
    }
    c.schema = schema.len;
    c.instance = text.len;
    cupel_program_free(program);
    cupel_text_free(&schema);
    cupel_text_free(&text);
    return c;
}

/* -- Judging
 * ---------------------------------------------------------------------------------------- */

/* One and a half for the logarithms of sorting and searching, which small sizes show most. */
static bool grows_in_proportion(uint64_t before, uint64_t after)
{
    return after <= 2 * before + before / 5 + 256;
}

static void judge(const struct family *f, bool show, bool quick)
{
    struct cost before = measure(f, f->n), first = before, now = before;
    unsigned doublings = quick ? f->doublings / 2 : f->doublings;
    for (unsigned i = 1, n = 2 * f->n; i <= doublings; i++, n *= 2, before = now) {
        now = measure(f, n);
        bool ok = CHECK(grows_in_proportion(before.verdict, now.verdict));
        ok &= CHECK(grows_in_proportion(before.report, now.report));
        ok &= CHECK(now.image <= 64 * now.schema + 4096);
        if (!ok || show)
            fprintf(stderr,
                    "    %s, %u: steps %llu to %llu, report %llu to %llu, compile %.2f ms, "
                    "%zu bytes to %zu, instance %zu\n",
                    f->name, n, (unsigned long long)before.verdict, (unsigned long long)now.verdict,
                    (unsigned long long)before.report, (unsigned long long)now.report,
                    1e3 * now.compile, now.schema, now.image, now.instance);
    }
    /* Linear is the factor of the sizes, quadratic its square; half way between, on a busy machine.
     */
    double factor = (double)(1u << doublings);
    if (!CHECK(now.compile <= 0.002 + first.compile * factor * (factor > 4 ? 3 : 2)))
        fprintf(stderr, "    %s: compiling takes %.2f ms, then %.2f ms\n", f->name,
                1e3 * first.compile, 1e3 * now.compile);
}

int main(int argc, char **argv)
{
    bool show = argc > 1 && strcmp(argv[1], "--show") == 0;
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (argc <= 1 + show + quick || strcmp(argv[argc - 1], families[i].name) == 0)
            judge(&families[i], show, quick);
    return test_end();
}
