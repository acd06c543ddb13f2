/* target.c: any limits at all.
 *
 * The input is fourteen bytes, which set the limits, and a pair.  Whatever they are: what is
 * decided is what is decided without them; what is not decided has a reason; a report stays inside
 * its bounds, its sentences are UTF-8, its pointers lead to something; what is decided is decided
 * within the steps; processor time and memory are in proportion to the steps and bytes that were
 * charged. */
#include "../../tests/unit/test_alloc.h"
#include "../pair.h"
#include <time.h>

struct reported {
    uint32_t problems;
    size_t bytes;
};

static int tell(void *ctx, const struct cupel_problem *p)
{
    struct reported *t = ctx;
    struct cupel_document *doc = NULL;
    struct cupel_text quoted;
    t->problems++;
    t->bytes += strlen(p->message) + strlen(p->instance) + strlen(p->schema);
    cupel_text_init(&quoted, NULL);
    cupel_text_add_json(&quoted, p->message, strlen(p->message));
    require(cupel_document_new(NULL, &doc) == CUPEL_OK);
    require(cupel_document_read(doc, quoted.bytes, quoted.len, NULL) == CUPEL_OK);
    cupel_document_free(doc);
    cupel_text_free(&quoted);
    return 0;
}

enum { LIMITS = 14 };

static void set_limits(uint64_t *l, const uint8_t *b)
{
    l[CUPEL_LIMIT_DEPTH] = 1u << b[0] % 9;
    l[CUPEL_LIMIT_NUMBER_CHARS] = 1u << b[1] % 11;
    l[CUPEL_LIMIT_SCHEMA_DEPTH] = 1 + b[2];
    l[CUPEL_LIMIT_SUBSCHEMAS] = 1u << b[3] % 17;
    l[CUPEL_LIMIT_IMAGE_BYTES] = (size_t)64 << b[4] % 15;
    l[CUPEL_LIMIT_PATTERN_BYTES] = (size_t)1 << b[5] % 13;
    l[CUPEL_LIMIT_ERRORS] = b[6] % 20;
    l[CUPEL_LIMIT_ERROR_BYTES] = (size_t)1 << b[7] % 17;
    l[CUPEL_LIMIT_STEPS] = (uint64_t)1 << b[8] % 20;
    l[CUPEL_LIMIT_STEPS_PER_BYTE] = b[9] % 65;
    l[CUPEL_LIMIT_SCRATCH_BYTES] = (size_t)16 << b[10] % 17;
    l[CUPEL_LIMIT_BODY_BYTES] = (size_t)4 << b[11] % 13;
    l[CUPEL_LIMIT_COMPILE_BYTES] = (size_t)1024 << (b[12] >> 4);
    l[CUPEL_LIMIT_MATCHER_BYTES] = (size_t)256 << b[12] % 17;
    l[CUPEL_LIMIT_PATTERN_STEPS] = (uint64_t)16 << b[13] % 18;
}

/* With sanitizers a step takes ten times as long as without, and the machine may have other work:
 * the margin is wide.  A run may begin again with more memory, which is in no budget but bounded by
 * it. */
enum { STEP_NS = 4000, FREE_NS = 200 * 1000 * 1000, FREE_BYTES = 1 << 20 };

static uint64_t processor_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1000000000 * (uint64_t)t.tv_sec + (uint64_t)t.tv_nsec;
}

static enum cupel_verdict judge(const struct pair *in, const struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    struct reported reported = {0, 0};
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    struct cupel_options for_scratch = *options;
    struct test_alloc meter = {0};
    for_scratch.alloc = test_allocator(&meter);
    char *text = ways_text(options, in->text, in->text_len);
    uint64_t charged = in->text_len, start = processor_ns();
    if (cupel_compile(in->schema, in->schema_len, options, &program, NULL) == CUPEL_OK) {
        require(cupel_scratch_new(&for_scratch, &scratch) == CUPEL_OK);
        start = processor_ns();
        verdict = cupel_validate(program, scratch, text, in->text_len, &outcome);
        require((verdict == CUPEL_UNDECIDED) == (outcome.reason != CUPEL_OK));
        require(verdict == CUPEL_UNDECIDED ||
                outcome.steps <=
                    options->limits[CUPEL_LIMIT_STEPS] +
                        options->limits[CUPEL_LIMIT_STEPS_PER_BYTE] * (uint64_t)in->text_len);
        charged += outcome.steps;
        if (verdict != CUPEL_UNDECIDED) {
            enum cupel_verdict again =
                cupel_report(program, scratch, NULL, 0, tell, &reported, &outcome);
            require(again == verdict || again == CUPEL_UNDECIDED);
            charged += outcome.steps;
            uint32_t most = options->limits[CUPEL_LIMIT_ERRORS] > 0
                                ? (uint32_t)options->limits[CUPEL_LIMIT_ERRORS]
                                : 1; /* one is always reported */
            require(reported.problems <= most);
            size_t bytes = options->limits[CUPEL_LIMIT_ERROR_BYTES];
            require(reported.bytes <= (bytes > 256 ? bytes : 256));
        }
    }
    require(processor_ns() - start <= FREE_NS + STEP_NS * charged);
    require(meter.peak <= options->limits[CUPEL_LIMIT_SCRATCH_BYTES] + in->text_len * 17 / 2 +
                              FREE_BYTES + 4 * options->limits[CUPEL_LIMIT_ERROR_BYTES]);
    cupel_scratch_free(scratch);
    free(text);
    cupel_program_free(program);
    require(meter.live == 0);
    return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cupel_options options;
    struct test_alloc meter = {0};
    if (size < LIMITS)
        return 0;
    struct pair in = pair_split(data + LIMITS, size - LIMITS);
    pair_chosen(&options, in.options);
    enum cupel_verdict first = judge(&in, &options);
    set_limits(options.limits, data);
    uint64_t budget = options.limits[CUPEL_LIMIT_PATTERN_STEPS] / 2, before = budget;
    options.pattern_budget = &budget;
    options.alloc = test_allocator(&meter);
    enum cupel_verdict second = judge(&in, &options);
    require(meter.live == 0 && budget <= before);
    require(second == CUPEL_UNDECIDED || first == CUPEL_UNDECIDED || second == first);
    return 0;
}
