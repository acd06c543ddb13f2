/* suite_limits.c: every budget of steps and of memory that is not enough, over the official suite's
 * schemas.
 *
 * A run that needs N steps has its verdict with N, and with each budget below it is UNDECIDED, or
 * was over when its last charge was seen to be too much: in both loops, with the passes and
 * without, whether results are kept from the first step on or not; and so with too little memory.
 * A report may tell less, and never another verdict.
 *
 *   suite_limits STRIDE FILE… */
#include "base/json/document.h"
#include "suite_groups.h"
#include "vm/program/program.h"
#include "vm/report/evaluate.h"
#include "vm/run/scratch.h"

#include <cupel/debug.h>

enum { MOST = 400 }; /* budgets tried for one run: the first so many */

struct limits {
    struct cupel_options options;
    unsigned long stride, next, runs;
    const struct suite_group *group;
    struct cupel_program *program;
};

/* What is swept: a run of one program on one node. */
typedef enum cupel_verdict judge(const struct limits *, struct cupel_scratch *, uint32_t node,
                                 struct cupel_outcome *);

static enum cupel_verdict validate(const struct limits *l, struct cupel_scratch *scratch,
                                   uint32_t node, struct cupel_outcome *ret)
{
    return cupel_validate_node(l->program, scratch, l->group->doc, node, ret);
}

static int ignore(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx;
    return problem->message == NULL;
}

static enum cupel_verdict report(const struct limits *l, struct cupel_scratch *scratch,
                                 uint32_t node, struct cupel_outcome *ret)
{
    return cupel_report(l->program, scratch, l->group->doc, node, ignore, NULL, ret);
}

/* The report evaluator, on code that was optimised, as an image may have it. */
static enum cupel_verdict report_optimised(const struct limits *l, struct cupel_scratch *scratch,
                                           uint32_t node, struct cupel_outcome *ret)
{
    return cupel__run(scratch, &l->program->verdict, &l->group->doc->doc, node,
                      &cupel__report_runs[CUPEL__MODE_FAILURES], ret);
}

/* The verdict under the options as they are. */
static enum cupel_verdict run(struct limits *l, judge *what, uint32_t node,
                              struct cupel_outcome *ret)
{
    struct cupel_scratch *scratch;
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    if (CHECK_INT(cupel_scratch_new(&l->options, &scratch), CUPEL_OK))
        verdict = what(l, scratch, node, ret);
    cupel_scratch_free(scratch);
    l->runs++;
    return verdict;
}

/* The host's own: odd lengths conform, and of what begins with a question mark it cannot say. */
static int is_odd(void *ctx, const char *text, size_t len)
{
    (void)ctx;
    return len > 0 && *text == '?' ? CUPEL_UNDECIDED : len % 2 == 1 ? CUPEL_VALID : CUPEL_INVALID;
}

static const struct cupel_format odd = {"odd", is_odd, NULL};

static void check(struct limits *l, bool ok)
{
    if (!ok)
        test_check(false, l->group->path, __FILE__, __LINE__);
}

static void sweep_steps(struct limits *l, judge *what, uint32_t node)
{
    struct cupel_outcome right, outcome;
    const uint64_t steps = l->options.limits[CUPEL_LIMIT_STEPS];
    enum cupel_verdict expected = run(l, what, node, &right);
    l->options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    for (uint64_t n = l->next % l->stride; n <= right.steps && n < MOST; n += l->stride) {
        l->options.limits[CUPEL_LIMIT_STEPS] = n;
        enum cupel_verdict verdict = run(l, what, node, &outcome);
        bool decided = verdict == expected && outcome.steps == right.steps;
        bool stopped = n < right.steps && outcome.reason == CUPEL_E_LIMIT_STEPS;
        if (what == report) /* which may tell less of the same verdict */
            decided = verdict == expected || expected == CUPEL_UNDECIDED;
        check(l, decided || (stopped && verdict == CUPEL_UNDECIDED));
    }
    l->next++;
    l->options.limits[CUPEL_LIMIT_STEPS] = steps;
}

static void sweep_memory(struct limits *l, judge *what, uint32_t node)
{
    struct cupel_outcome right, outcome = {.reason = CUPEL_E_LIMIT_MEMORY};
    const size_t bytes = l->options.limits[CUPEL_LIMIT_SCRATCH_BYTES];
    enum cupel_verdict expected = run(l, what, node, &right), verdict = CUPEL_UNDECIDED;
    for (size_t n = 0; verdict == CUPEL_UNDECIDED && n < bytes; n = n < 1024 ? n + 32 : 2 * n) {
        l->options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = n;
        verdict = run(l, what, node, &outcome);
        /* Where a report is cut the verdict program, which has less to do, may know what it would
         * not. */
        bool better = what == report && expected == CUPEL_UNDECIDED;
        check(l, verdict == expected || better || outcome.reason == CUPEL_E_LIMIT_MEMORY ||
                     outcome.reason == CUPEL_E_LIMIT_STACK);
    }
    check(l, verdict == expected || expected == CUPEL_UNDECIDED);
    l->options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = bytes;
}

static void sweep_instance(uint32_t node, void *ctx)
{
    struct limits *l = ctx;
    sweep_steps(l, validate, node);
    sweep_steps(l, report, node);
    sweep_steps(l, report_optimised, node);
    sweep_memory(l, validate, node);
    sweep_memory(l, report, node);
}

static void sweep_group(const struct suite_group *g, void *ctx)
{
    static const struct {
        uint32_t flags, passes;
    } ways[] = {{0, CUPEL_PASS_ALL},
                {CUPEL_SWITCH_DISPATCH, CUPEL_PASS_ALL},
                {CUPEL_EAGER_MEMO, CUPEL_PASS_ALL},
                {CUPEL_ANNOTATIONS, CUPEL_PASS_MEMO},
                {CUPEL_EAGER_MEMO | CUPEL_SWITCH_DISPATCH, 0}};
    struct limits *l = ctx;
    l->group = g;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct cupel_options defaults = l->options;
        l->options.flags = CUPEL_ASSERT_FORMAT | ways[i].flags;
        l->options.passes = ways[i].passes;
        if (cupel_compile_node(g->doc, g->schema, &l->options, &l->program, NULL) == CUPEL_OK)
            suite_each_instance(g, 100, sweep_instance, l);
        cupel_program_free(l->program);
        l->program = NULL;
        l->options = defaults;
    }
}

int main(int argc, char **argv)
{
    struct limits l = {.stride = argc > 1 ? strtoul(argv[1], NULL, 10) : 1};
    cupel_options_init(&l.options);
    l.options.formats = &odd;
    l.options.format_count = 1;
    for (int i = 2; i < argc; i++)
        suite_each_group(argv[i], &l.options, sweep_group, &l);
    CHECK(argc <= 2 || l.runs > 0);
    printf("%lu runs\n", l.runs);
    return test_end();
}
