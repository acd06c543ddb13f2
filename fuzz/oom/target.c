/* target.c: an allocation that fails, anywhere.
 *
 * The input is four bytes, which choose the request that fails and whether all after it fail too,
 * and a pair. A failure that was injected is reported as NO_MEMORY or does not matter; none is
 * reported that was not injected; nothing leaks; and the same objects then give the verdict of an
 * undisturbed run. */
#include "../../tests/unit/test_alloc.h"
#include "../pair.h"

struct result {
    enum cupel_status status; /* of compiling, or the reason */
    enum cupel_verdict verdict;
};

/* Everything from the schema to the report, with objects of its own. */
static struct result all(const struct pair *in, struct cupel_options *options)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome = {.reason = CUPEL_OK};
    struct result r = {CUPEL_OK, CUPEL_UNDECIDED};
    char *text = ways_text(options, in->text, in->text_len);
    r.status = cupel_compile(in->schema, in->schema_len, options, &program, NULL);
    require((r.status == CUPEL_OK) == (program != NULL));
    if (r.status == CUPEL_OK)
        r.status = cupel_scratch_new(options, &scratch);
    if (r.status == CUPEL_OK) {
        r.verdict = cupel_validate(program, scratch, text, in->text_len, &outcome);
        r.status = outcome.reason;
        require((r.verdict == CUPEL_UNDECIDED) == (r.status != CUPEL_OK));
    }
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    free(text);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct test_alloc fault = {0};
    struct cupel_options options;
    uint32_t position = 0;
    if (size < 4)
        return 0;
    memcpy(&position, data, 4);
    struct pair in = pair_split(data + 4, size - 4);
    pair_chosen(&options, in.options);
    options.alloc = test_allocator(&fault);
    struct result clean = all(&in, &options);
    require(clean.status != CUPEL_E_NO_MEMORY && fault.live == 0);
    unsigned long total = fault.requests;
    if (total == 0)
        return 0;
    fault = (struct test_alloc){.fail_at = 1 + (position >> 1) % total, .for_ever = position & 1};
    struct result broken = all(&in, &options);
    require(fault.live == 0);
    require(broken.status == CUPEL_E_NO_MEMORY ||
            (broken.status == clean.status && broken.verdict == clean.verdict));
    return 0;
}
