/* suite_messages.c: what is said of every invalid instance of the official suite, with memory that
 * runs out.
 *
 * Each rendering has the verdict's result, is the same again, keeps to its bound whatever that is,
 * and with each allocation that fails it is that same text, or NO_MEMORY, or tells fewer problems
 * and says that some are lost; so is a repair, which makes a valid instance.
 *
 *   suite_messages STRIDE FILE… */
#include "../unit/report_counts.h"
#include "suite_groups.h"

struct telling {
    struct cupel_options options;
    struct test_alloc alloc;
    unsigned long stride, next, texts;
    const struct suite_group *group;
    struct cupel_program *program;
};

static void check(struct telling *t, bool ok)
{
    if (!ok)
        test_check(false, t->group->path, __FILE__, __LINE__);
}

static struct cupel_render_options options_of(unsigned long i)
{
    struct cupel_render_options options;
    cupel_render_options_init(&options);
    options.flags = i % 4; /* CUPEL_SHOW_VALUES, CUPEL_OUTPUT_RESULT */
    options.tool = i % 3 == 0 ? "a tool\n" : NULL;
    options.tool_len = i % 3 == 0 ? 7 : 0;
    options.file = i % 5 == 0 ? "a:b,c%\r\n.json" : "";
    options.line = (uint32_t)(i % 3);
    options.problems = 1 + (uint32_t)(i % 5);
    options.bytes = i % 7 == 0 ? 100 : 256 << i % 5;
    return options;
}

/* Appends rendering `i` of the instance. */
static enum cupel_status render(struct telling *t, struct cupel_scratch *scratch, uint32_t node,
                                unsigned long i, struct cupel_text *text)
{
    struct cupel_render_options options = options_of(i);
    struct cupel_outcome outcome;
    enum cupel_rendering rendering = (enum cupel_rendering)(i % (CUPEL_RENDER_HIERARCHICAL + 1));
    enum cupel_verdict verdict =
        cupel_render(t->program, scratch, t->group->doc, node, rendering, &options, text, &outcome);
    if (verdict == CUPEL_UNDECIDED)
        return outcome.reason;
    size_t most = options.bytes < 256 ? 256 : options.bytes;
    check(t,
          text->failed || text->len <= (rendering == CUPEL_RENDER_TOOL_RESULT ? 2 * most : most));
    return CUPEL_OK;
}

static enum cupel_status repair(struct telling *t, struct cupel_scratch *scratch, uint32_t node,
                                unsigned long i, struct cupel_text *text)
{
    struct cupel_text value;
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    struct cupel_alloc alloc = test_allocator(&t->alloc);
    cupel_text_init(&value, &alloc);
    enum cupel_repair_result result =
        cupel_repair(t->program, scratch, t->group->doc, node, i % 2 == 0 ? text : NULL,
                     i % 3 == 0 ? NULL : &value, &outcome);
    bool failed = value.failed;
    if (result == CUPEL_REPAIRED && value.len > 0 && !failed)
        check(t, cupel_validate(t->program, scratch, value.bytes, value.len, &outcome) !=
                     CUPEL_INVALID);
    cupel_text_free(&value);
    if (failed)
        return CUPEL_E_NO_MEMORY;
    return result == CUPEL_REPAIR_UNDECIDED ? outcome.reason : CUPEL_OK;
}

typedef enum cupel_status say(struct telling *, struct cupel_scratch *, uint32_t node,
                              unsigned long i, struct cupel_text *);

/* The same with objects of its own, of which request `fail_at` fails. */
static enum cupel_status say_failing(struct telling *t, say *what, uint32_t node, unsigned long i,
                                     unsigned long fail_at, const struct cupel_text *right)
{
    struct cupel_scratch *scratch = NULL;
    struct cupel_text text;
    struct cupel_alloc alloc = test_allocator(&t->alloc);
    t->alloc.requests = 0;
    t->alloc.fail_at = fail_at;
    t->alloc.for_ever = i % 2 != 0;
    cupel_text_init(&text, &alloc);
    enum cupel_status status = cupel_scratch_new(&t->options, &scratch);
    if (status == CUPEL_OK)
        status = what(t, scratch, node, i, &text);
    if (status == CUPEL_OK && text.failed)
        status = CUPEL_E_NO_MEMORY;
    bool same = text.len == right->len &&
                (text.len == 0 || memcmp(text.bytes, right->bytes, text.len) == 0);
    same = same || (scratch != NULL && count_lost(scratch) > 0);
    check(t, (status == CUPEL_OK && same) ||
                 (status == CUPEL_E_NO_MEMORY && t->alloc.requests >= fail_at));
    cupel_text_free(&text);
    cupel_scratch_free(scratch);
    t->alloc.fail_at = 0;
    return status;
}

static void check_saying(struct telling *t, say *what, uint32_t node, unsigned long i)
{
    struct cupel_scratch *scratch = NULL;
    struct cupel_text right;
    cupel_text_init(&right, NULL);
    CHECK_INT(cupel_scratch_new(&t->options, &scratch), CUPEL_OK);
    enum cupel_status status = what(t, scratch, node, i, &right);
    cupel_scratch_free(scratch);
    size_t live = t->alloc.live;
    for (unsigned long n = 1 + t->next % t->stride; status == CUPEL_OK; n += t->stride) {
        (void)say_failing(t, what, node, i, n, &right);
        check(t, t->alloc.live == live);
        if (t->alloc.requests < n)
            break;
    }
    cupel_text_free(&right);
    t->next++;
    t->texts++;
}

static void tell_instance(uint32_t node, void *ctx)
{
    struct telling *t = ctx;
    for (unsigned long i = 0; i <= CUPEL_RENDER_HIERARCHICAL; i++)
        check_saying(t, render, node, i + 13 * (t->next % 30));
    check_saying(t, repair, node, t->next);
}

static void tell_group(const struct suite_group *g, void *ctx)
{
    struct telling *t = ctx;
    t->group = g;
    if (cupel_compile_node(g->doc, g->schema, &t->options, &t->program, NULL) == CUPEL_OK)
        suite_each_instance(g, 100, tell_instance, t);
    cupel_program_free(t->program);
    t->program = NULL;
}

int main(int argc, char **argv)
{
    struct telling t = {.stride = argc > 1 ? strtoul(argv[1], NULL, 10) : 1};
    cupel_options_init(&t.options);
    t.options.alloc = test_allocator(&t.alloc);
    t.options.flags = CUPEL_ASSERT_FORMAT | CUPEL_ANNOTATIONS;
    for (int i = 2; i < argc; i++)
        suite_each_group(argv[i], &t.options, tell_group, &t);
    CHECK(argc <= 2 || t.texts > 0);
    CHECK_INT(t.alloc.live, 0);
    printf("%lu texts\n", t.texts);
    return test_end();
}
