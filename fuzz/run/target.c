/* target.c: a schema and an instance, run in two of the ways there are (choice.h), or in all.
 *
 * The input is a schema, a zero byte, and an instance.  Beyond what sanitizers see:
 *   - a compilation never ends in INTERNAL, and made twice gives the same bytes;
 *   - the threaded and the portable loop agree in verdict, reason and steps;
 *   - a program made without passes and the report program agree wherever they decide, and a
 * report has a problem exactly where something is wrong;
 *   - the image, loaded, decides the same; every program can be printed. */
#include "../choice.h"
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

/* -- Ways ----------------------------------------------------------------------------------------- */

enum { PASSES = 11 }; /* CUPEL_PASS_FOLD to CUPEL_PASS_PARTITION, and all */

/* A program, and what became of the pair. */
struct judged {
    const struct pair *in;
    enum cupel_status status; /* of the compilation */
    struct cupel_program *program;
    struct result first;
};

static void check_loops(const struct judged *j)
{
    struct result other = run(j->program, j->in, CUPEL_SWITCH_DISPATCH | CUPEL_NO_SIMD, false);
    require(j->first.verdict == other.verdict && j->first.outcome.reason == other.outcome.reason &&
            j->first.outcome.steps == other.outcome.steps);
}

static void check_memo(const struct judged *j)
{
    struct result other = run(j->program, j->in, CUPEL_EAGER_MEMO, false);
    agree(&j->first, &other);
}

static void check_report(const struct judged *j)
{
    struct result other = run(j->program, j->in, 0, true);
    agree(&j->first, &other);
    require((other.problems > 0) == (other.verdict == CUPEL_INVALID));
}

static void check_memo_report(const struct judged *j)
{
    struct result other = run(j->program, j->in, CUPEL_EAGER_MEMO, true);
    agree(&j->first, &other);
}

/* All passes left out, or the one that follows from the input. */
static void check_passes(const struct judged *j)
{
    const size_t pass = j->in->text_len % PASSES;
    struct cupel_program *plain;
    enum cupel_status s =
        compile(j->in, pass == PASSES - 1 ? 0 : CUPEL_PASS_ALL & ~(1u << pass), &plain);
    require(s == j->status || s == CUPEL_E_IMAGE_SIZE || j->status == CUPEL_E_IMAGE_SIZE);
    if (plain != NULL && j->program != NULL) {
        struct result other = run(plain, j->in, 0, false);
        agree(&j->first, &other);
    }
    cupel_program_free(plain);
}

static void check_twin(const struct judged *j)
{
    struct cupel_program *twin;
    size_t n, m;
    require(compile(j->in, CUPEL_PASS_ALL, &twin) == CUPEL_OK);
    const void *a = cupel_program_image(j->program, &n), *b = cupel_program_image(twin, &m);
    require(n == m && memcmp(a, b, n) == 0);
    cupel_program_free(twin);
}

static void check_image(const struct judged *j)
{
    struct cupel_options options;
    struct cupel_program *again = NULL;
    size_t len;
    pair_options(&options);
    const void *image = cupel_program_image(j->program, &len);
    require(cupel_program_load(image, len, 0, &options, &again, NULL) == CUPEL_OK);
    struct result other = run(again, j->in, 0, false);
    require(j->first.verdict == other.verdict && j->first.outcome.reason == other.outcome.reason &&
            j->first.outcome.steps == other.outcome.steps);
    cupel_program_free(again);
    print(j->program);
}

static void (*const ways[])(const struct judged *) = {check_loops,  check_memo, check_report, check_memo_report,
                                                      check_passes, check_twin, check_image};
enum { WAYS = sizeof ways / sizeof *ways };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pair in = pair_split(data, size);
    struct judged j = {.in = &in};
    const uint32_t choice = choice_of(data, size);
    j.status = compile(&in, CUPEL_PASS_ALL, &j.program);
    if (j.program != NULL) {
        j.first = run(j.program, &in, 0, false);
        for (uint32_t way = 0; way < WAYS; way++)
            if (chosen(choice, way, WAYS) || chosen(choice / WAYS, way, WAYS))
                ways[way](&j);
    } else if (chosen(choice, 0, WAYS)) {
        check_passes(&j);
    }
    cupel_program_free(j.program);
    return 0;
}
