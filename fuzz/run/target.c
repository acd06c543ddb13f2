/* target.c: a schema and an instance, run in every way there is.
 *
 * The input is a schema, a zero byte, and an instance.  Beyond what sanitizers see:
 *   - a compilation never ends in INTERNAL, and made twice gives the same bytes;
 *   - the threaded and the portable loop agree in verdict, reason and steps;
 *   - a program made without the passes and the report program agree wherever they decide, and a
 * report has a problem exactly where something is wrong;
 *   - the image, loaded, decides the same; every program can be printed. */
#include "../pair.h"

struct result {
    enum cupel_verdict verdict;
    struct cupel_outcome outcome;
    unsigned problems;
};

static enum cupel_status compile(const struct pair *in, uint32_t passes,
                                 struct cupel_program **ret)
{
    struct cupel_options options;
    struct cupel_error err;
    pair_options(&options);
    options.passes = passes;
    *ret = NULL;
    enum cupel_status s = cupel_compile(in->schema, in->schema_len, &options, ret, &err);
    require(s != CUPEL_E_INTERNAL && s != CUPEL_E_ARGUMENT && (s == CUPEL_OK) == (*ret != NULL));
    require(s == CUPEL_OK || err.status == s);
    return s;
}

static int count_problem(void *ctx, const struct cupel_problem *problem)
{
    require(problem->keyword[0] != '\0' && problem->message[0] != '\0');
    ++*(unsigned *)ctx;
    return 0;
}

static struct result run(const struct cupel_program *program, const struct pair *in,
                         uint32_t flags, bool report)
{
    struct cupel_options options;
    struct cupel_scratch *scratch;
    struct result r = {CUPEL_UNDECIDED, {.reason = CUPEL_OK}, 0};
    pair_options(&options);
    options.flags = flags;
    require(cupel_scratch_new(&options, &scratch) == CUPEL_OK);
    r.verdict = cupel_validate(program, scratch, in->text, in->text_len, &r.outcome);
    require((r.verdict == CUPEL_UNDECIDED) == (r.outcome.reason != CUPEL_OK));
    require(r.outcome.reason != CUPEL_E_INTERNAL && r.outcome.reason != CUPEL_E_ARGUMENT);
    bool read = r.outcome.reason == CUPEL_OK || r.outcome.reason <= CUPEL_E_LIMIT_STEPS;
    if (report && read)
        r.verdict = cupel_report(program, scratch, NULL, 0, count_problem, &r.problems, &r.outcome);
    cupel_scratch_free(scratch);
    return r;
}

static void agree(const struct result *a, const struct result *b)
{
    require(a->verdict == b->verdict || a->verdict == CUPEL_UNDECIDED ||
            b->verdict == CUPEL_UNDECIDED);
}

static void print(const struct cupel_program *program)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (int report = 0; report < 2; report++)
        cupel_program_disasm(program, report, &text);
    require(!text.failed && text.len > 0);
    cupel_text_free(&text);
}

static void run_all(const struct cupel_program *program, const struct cupel_program *plain,
                    const struct pair *in)
{
    struct result first = run(program, in, 0, false);
    struct result other = run(program, in, CUPEL_SWITCH_DISPATCH | CUPEL_NO_SIMD, false);
    require(first.verdict == other.verdict && first.outcome.reason == other.outcome.reason &&
            first.outcome.steps == other.outcome.steps);
    other = run(program, in, CUPEL_EAGER_MEMO, false);
    agree(&first, &other);
    other = run(program, in, CUPEL_EAGER_MEMO, true);
    agree(&first, &other);
    other = run(program, in, 0, true);
    agree(&first, &other);
    require((other.problems > 0) == (other.verdict == CUPEL_INVALID));
    if (plain != NULL) {
        other = run(plain, in, 0, false);
        agree(&first, &other);
    }
}

static void reload(const struct cupel_program *program, const struct pair *in)
{
    struct cupel_options options;
    struct cupel_program *again = NULL;
    size_t len;
    pair_options(&options);
    const void *image = cupel_program_image(program, &len);
    require(cupel_program_load(image, len, 0, &options, &again, NULL) == CUPEL_OK);
    struct result a = run(program, in, 0, false), b = run(again, in, 0, false);
    require(a.verdict == b.verdict && a.outcome.reason == b.outcome.reason &&
            a.outcome.steps == b.outcome.steps);
    cupel_program_free(again);
}

static void check(const struct pair *in)
{
    struct cupel_program *program, *twin, *plain;
    enum cupel_status s = compile(in, CUPEL_PASS_ALL, &program);
    require(compile(in, CUPEL_PASS_ALL, &twin) == s);
    enum cupel_status unoptimised = compile(in, 0, &plain);
    require(unoptimised == s || unoptimised == CUPEL_E_IMAGE_SIZE || s == CUPEL_E_IMAGE_SIZE);
    if (program != NULL) {
        size_t n, m;
        const void *a = cupel_program_image(program, &n), *b = cupel_program_image(twin, &m);
        require(n == m && memcmp(a, b, n) == 0);
        print(program);
        run_all(program, plain, in);
        reload(program, in);
    }
    cupel_program_free(program);
    cupel_program_free(twin);
    cupel_program_free(plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pair in = pair_split(data, size);
    check(&in);
    return 0;
}
