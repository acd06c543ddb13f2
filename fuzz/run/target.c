/* target.c: a schema and an instance, run in two of the ways there are, or in all.
 *
 * The input is a pair, whose choice (pair.h) says which ways, and with which options.  Beyond what
 * sanitizers see:
 *   - a compilation never ends in INTERNAL, and made twice gives the same bytes;
 *   - the threaded and the portable loop agree in verdict, reason and steps, and so does a second
 * run, which finds room and may judge a short text without a tape;
 *   - a program made without passes and the report program agree wherever they decide, and a
 * report has a problem exactly where something is wrong;
 *   - the image, copied or borrowed, decides the same; every program, and the form before it, can
 * be printed. */
#include "../choice.h"
#include "../kept.h"

#include <cupel/debug.h>

struct result {
    enum cupel_verdict verdict;
    struct cupel_outcome outcome;
    unsigned problems;
};

static enum cupel_status compile(const struct kept *of, uint32_t passes, struct cupel_program **ret)
{
    struct cupel_options options;
    struct cupel_error err;
    pair_chosen(&options, of->options);
    options.passes = passes;
    *ret = NULL;
    enum cupel_status s = cupel_compile(of->schema, of->len, &options, ret, &err);
    require(s != CUPEL_E_INTERNAL && s != CUPEL_E_ARGUMENT && (s == CUPEL_OK) == (*ret != NULL));
    require(s == CUPEL_OK || err.status == s);
    return s;
}

static int count_problem(void *ctx, const struct cupel_problem *problem)
{
    unsigned *problems = ctx;
    /* Where nothing was found within the bounds there is that to say, without a keyword, and
     * nothing else. */
    require(problem->message[0] != '\0' && (problem->keyword[0] != '\0' || *problems == 0));
    ++*problems;
    return 0;
}

static void run_again(const struct cupel_program *program, struct cupel_scratch *scratch,
                      const char *text, size_t len, const struct result *first)
{
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    require(cupel_validate(program, scratch, text, len, &outcome) == first->verdict);
    require(outcome.reason == first->outcome.reason && outcome.steps == first->outcome.steps);
}

static struct result run(const struct cupel_program *program, const struct pair *in, uint32_t flags,
                         bool report)
{
    struct cupel_options options;
    struct cupel_scratch *scratch;
    struct result r = {CUPEL_UNDECIDED, {.reason = CUPEL_OK}, 0};
    pair_chosen(&options, in->options);
    options.flags |= flags;
    char *text = ways_text(&options, in->text, in->text_len);
    require(cupel_scratch_new(&options, &scratch) == CUPEL_OK);
    r.verdict = cupel_validate(program, scratch, text, in->text_len, &r.outcome);
    require((r.verdict == CUPEL_UNDECIDED) == (r.outcome.reason != CUPEL_OK));
    require(r.outcome.reason != CUPEL_E_INTERNAL && r.outcome.reason != CUPEL_E_ARGUMENT);
    run_again(program, scratch, text, in->text_len, &r);
    bool read = r.outcome.reason == CUPEL_OK || r.outcome.reason <= CUPEL_E_LIMIT_STEPS;
    if (report && read)
        r.verdict = cupel_report(program, scratch, NULL, 0, count_problem, &r.problems, &r.outcome);
    cupel_scratch_free(scratch);
    free(text);
    return r;
}

static void agree(const struct result *a, const struct result *b)
{
    require(a->verdict == b->verdict || a->verdict == CUPEL_UNDECIDED ||
            b->verdict == CUPEL_UNDECIDED);
}

static void print_patterns(const struct cupel_program *program)
{
    struct cupel_program_info info;
    struct cupel_pattern_info pattern;
    cupel_program_info(program, &info);
    for (uint32_t i = 0; i < info.patterns; i++)
        require(cupel_program_pattern(program, i, &pattern) == CUPEL_OK &&
                pattern.engine <= CUPEL_ENGINE_BACKTRACK);
    require(cupel_program_pattern(program, info.patterns, &pattern) == CUPEL_E_ARGUMENT);
}

/* The form that is compiled, before and after passes. */
static void print_form(const struct kept *of)
{
    static const char *const passes[] = {"lower", "fold", "required", "cases"};
    struct cupel_options options;
    struct cupel_text text;
    pair_chosen(&options, of->options);
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        cupel_text_clear(&text);
        require(cupel_compile_dump(of->schema, of->len, passes[i], &options, &text, NULL) ==
                    CUPEL_OK &&
                text.len > 0);
    }
    cupel_text_free(&text);
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

/* -- What is made of a schema ---------------------------------------------------------------------
 */

/* A pass that is left out; the last one: all of them. */
static const uint32_t left_out[] = {
    CUPEL_PASS_FOLD,   CUPEL_PASS_ENUM,        CUPEL_PASS_INLINE,       CUPEL_PASS_REQUIRED,
    CUPEL_PASS_DEDUPE, CUPEL_PASS_UNEVALUATED, CUPEL_PASS_NARROW,       CUPEL_PASS_MEMO,
    CUPEL_PASS_MERGE,  CUPEL_PASS_PARTITION,   CUPEL_PASS_DISCRIMINATE, CUPEL_PASS_NAMES,
    CUPEL_PASS_CASES,  CUPEL_PASS_ALL};
enum { PASSES = sizeof left_out / sizeof *left_out };

struct made {
    struct kept of;
    uint32_t choice; /* by the schema */
    enum cupel_status status;
    struct cupel_program *program; /* NULL: it was refused, with `status` */
    struct cupel_program
        *loaded[2]; /* from its image, copied and borrowed, when it was asked for */
    struct cupel_program
        *plain[PASSES]; /* without a pass, or all, when it was asked for; NULL also if refused */
    bool tried[PASSES];
};

static void check_twin(const struct made *m)
{
    struct cupel_program *twin;
    size_t n, k;
    require(compile(&m->of, CUPEL_PASS_ALL, &twin) == CUPEL_OK);
    const void *a = cupel_program_image(m->program, &n), *b = cupel_program_image(twin, &k);
    require(n == k && memcmp(a, b, n) == 0);
    cupel_program_free(twin);
}

static void make(struct made *m)
{
    cupel_program_free(m->loaded[0]);
    cupel_program_free(m->loaded[1]);
    cupel_program_free(m->program);
    for (uint32_t pass = 0; pass < PASSES; pass++)
        cupel_program_free(m->plain[pass]);
    *m = (struct made){.of = m->of, .choice = (uint32_t)(m->of.options >> PAIR_WAY)};
    m->status = compile(&m->of, CUPEL_PASS_ALL, &m->program);
    if (m->program == NULL)
        return;
    if (chosen(m->choice, 0, 4))
        check_twin(m);
    if (chosen(m->choice, 1, 4))
        print(m->program);
    if (chosen(m->choice, 2, 4))
        print_form(&m->of);
    if (chosen(m->choice, 3, 4))
        print_patterns(m->program);
}

static void make_plain(struct made *m, uint32_t pass)
{
    if (m->tried[pass])
        return;
    enum cupel_status s = compile(&m->of, CUPEL_PASS_ALL & ~left_out[pass], &m->plain[pass]);
    require(s == m->status || s == CUPEL_E_IMAGE_SIZE || m->status == CUPEL_E_IMAGE_SIZE);
    m->tried[pass] = true;
}

static void load(struct made *m, unsigned borrow)
{
    struct cupel_options options;
    size_t len;
    pair_chosen(&options, m->of.options);
    const void *image = cupel_program_image(m->program, &len);
    if (m->loaded[borrow] == NULL)
        require(cupel_program_load(image, len, borrow ? CUPEL_LOAD_BORROW : 0, &options,
                                   &m->loaded[borrow], NULL) == CUPEL_OK);
}

/* -- Ways -----------------------------------------------------------------------------------------
 */

/* What became of an instance. */
struct judged {
    struct made *made;
    const struct pair *in;
    struct result first;
};

static void same(const struct judged *j, const struct cupel_program *program, uint32_t flags)
{
    struct result other = run(program, j->in, flags, false);
    require(j->first.verdict == other.verdict && j->first.outcome.reason == other.outcome.reason &&
            j->first.outcome.steps == other.outcome.steps);
}

static void check_loops(const struct judged *j)
{
    same(j, j->made->program, CUPEL_SWITCH_DISPATCH | CUPEL_NO_SIMD);
}

static void check_memo(const struct judged *j)
{
    struct result other = run(j->made->program, j->in, CUPEL_EAGER_MEMO, false);
    agree(&j->first, &other);
}

static void check_report(const struct judged *j)
{
    struct result other = run(j->made->program, j->in, 0, true);
    agree(&j->first, &other);
    require((other.problems > 0) == (other.verdict == CUPEL_INVALID));
}

static void check_memo_report(const struct judged *j)
{
    struct result other = run(j->made->program, j->in, CUPEL_EAGER_MEMO, true);
    agree(&j->first, &other);
}

static void check_passes(const struct judged *j)
{
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        if (!chosen(j->made->choice / 4, pass, PASSES))
            continue;
        make_plain(j->made, pass);
        if (j->made->plain[pass] != NULL) {
            struct result other = run(j->made->plain[pass], j->in, 0, false);
            agree(&j->first, &other);
        }
    }
}

static void check_image(const struct judged *j)
{
    for (unsigned borrow = 0; borrow < 2; borrow++) {
        load(j->made, borrow);
        same(j, j->made->loaded[borrow], 0);
    }
}

static void (*const ways[])(const struct judged *) = {check_loops,       check_memo,   check_report,
                                                      check_memo_report, check_passes, check_image};
enum { WAYS = sizeof ways / sizeof *ways };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct made made;
    struct pair in = pair_split(data, size);
    const uint32_t choice = in.way;
    if (!kept_is(&made.of, &in))
        make(&made);
    if (made.program != NULL) {
        const struct judged j = {&made, &in, run(made.program, &in, 0, false)};
        for (uint32_t way = 0; way < WAYS; way++)
            if (chosen(choice, way, WAYS) || chosen(choice / WAYS, way, WAYS))
                ways[way](&j);
    } else if (chosen(choice, 0, WAYS)) { /* as it is with fewer passes */
        make_plain(&made, PASSES - 1);
    }
    return 0;
}
