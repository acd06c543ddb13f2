/* suite_oom.c: every STRIDEth allocation failing, once and for ever after, over the official
 * suite's schemas.
 *
 * Compiling and validating with an allocation that fails ends in NO_MEMORY or as it would have
 * without, nothing is left behind, and the same objects give the right verdict afterwards.
 *
 *   suite_oom STRIDE FILE… */
#include "suite_groups.h"

struct fault {
    struct cupel_options options;
    struct test_alloc alloc;
    unsigned long stride, next;
    unsigned long schemas, faults;
    const struct suite_group *group;
    struct cupel_program *program;
};

/* Arms the allocator: the nth request from now on fails. */
static void arm(struct fault *f, unsigned long n, bool for_ever)
{
    f->alloc.fail_at = f->alloc.requests + n;
    f->alloc.for_ever = for_ever;
}

static bool disarm(struct fault *f)
{
    bool reached = f->alloc.requests >= f->alloc.fail_at;
    f->alloc.fail_at = 0;
    f->faults += reached;
    return reached;
}

/* Whether a status is one that an allocation which failed may bring. */
static bool may_be(enum cupel_status s, enum cupel_status right, bool reached)
{
    return s == right || (reached && s == CUPEL_E_NO_MEMORY);
}

static void compile_group(struct fault *f, enum cupel_status right)
{
    for (bool more = true; more; f->next += f->stride) {
        struct cupel_program *program = NULL;
        size_t live = f->alloc.live;
        arm(f, 1 + f->next / 2, f->next % 2);
        enum cupel_status s =
            cupel_compile_node(f->group->doc, f->group->schema, &f->options, &program, NULL);
        more = disarm(f);
        if (!may_be(s, right, more) || (s == CUPEL_OK) != (program != NULL))
            test_check(false, f->group->path, __FILE__, __LINE__);
        cupel_program_free(program);
        CHECK(f->alloc.live == live);
    }
    f->next %= f->stride;
}

static void validate_instance(uint32_t node, void *ctx)
{
    struct fault *f = ctx;
    struct cupel_scratch *scratch;
    struct cupel_outcome right, outcome;
    if (!CHECK_INT(cupel_scratch_new(&f->options, &scratch), CUPEL_OK))
        return;
    enum cupel_verdict expected =
        cupel_validate_node(f->program, scratch, f->group->doc, node, &right);
    cupel_scratch_free(scratch);
    for (bool more = true; more; f->next += f->stride) {
        size_t live = f->alloc.live;
        CHECK_INT(cupel_scratch_new(&f->options, &scratch), CUPEL_OK);
        arm(f, 1 + f->next / 2, f->next % 2);
        enum cupel_verdict verdict =
            cupel_validate_node(f->program, scratch, f->group->doc, node, &outcome);
        more = disarm(f);
        bool ok = verdict == CUPEL_UNDECIDED ? may_be(outcome.reason, right.reason, more)
                                             : verdict == expected;
        verdict = cupel_validate_node(f->program, scratch, f->group->doc, node, &outcome);
        ok &= verdict == expected && outcome.reason == right.reason && outcome.steps == right.steps;
        if (!ok)
            test_check(false, f->group->path, __FILE__, __LINE__);
        cupel_scratch_free(scratch);
        CHECK(f->alloc.live == live);
    }
    f->next %= f->stride;
}

static void fail_group(const struct suite_group *g, void *ctx)
{
    struct fault *f = ctx;
    f->group = g;
    f->schemas++;
    enum cupel_status right = cupel_compile_node(g->doc, g->schema, &f->options, &f->program, NULL);
    compile_group(f, right);
    if (right == CUPEL_OK)
        suite_each_instance(g, 2, validate_instance, f);
    cupel_program_free(f->program);
    f->program = NULL;
}

int main(int argc, char **argv)
{
    struct fault f = {.stride = argc > 1 ? strtoul(argv[1], NULL, 10) : 1};
    cupel_options_init(&f.options);
    f.options.alloc = test_allocator(&f.alloc);
    f.options.flags = CUPEL_ASSERT_FORMAT;
    for (int i = 2; i < argc; i++)
        suite_each_group(argv[i], &f.options, fail_group, &f);
    CHECK(argc <= 2 || f.faults > 0);
    CHECK_INT(f.alloc.live, 0);
    printf("%lu schemas, %lu failures\n", f.schemas, f.faults);
    return test_end();
}
