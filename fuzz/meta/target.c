/* target.c: schemas that must mean the same, or the opposite, of another.
 *
 * With S the schema of the input: `not` S is the complement; allOf [S, S], anyOf [S], oneOf [S, false], `if` S
 * then true else false are S.  UNDECIDED only ever stands against UNDECIDED or a budget: nothing that gives
 * up under one of them becomes a verdict under another. */
#include "../choice.h"
#include "../pair.h"

/* S is a document of its own, so that its references stay what they are. */
#define S "{\"$ref\":\"http://cupel.test/s\"}"
static const struct {
    const char *schema;
    bool opposite;
} shapes[] = {
    {S, false},
    {"{\"not\":" S "}", true},
    {"{\"not\":{\"not\":" S "}}", false},
    {"{\"allOf\":[" S "," S "]}", false},
    {"{\"anyOf\":[false," S "]}", false},
    {"{\"oneOf\":[" S ",false]}", false},
    {"{\"if\":" S ",\"else\":false}", false},
    {"{\"if\":" S ",\"then\":false}", true},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text, size_t *ret_len)
{
    const struct pair *in = ctx;
    static const char mine[] = "http://cupel.test/s";
    if (uri_len != sizeof mine - 1 || memcmp(uri, mine, uri_len) != 0)
        return 1;
    *ret_text = in->schema;
    *ret_len = in->schema_len;
    return 0;
}

static enum cupel_verdict judge(struct pair *in, int shape, enum cupel_status *ret)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    enum cupel_verdict verdict = CUPEL_UNDECIDED;
    pair_options(&options);
    options.resolver = resolve;
    options.resolver_ctx = in;
    *ret = cupel_compile(shapes[shape].schema, strlen(shapes[shape].schema), &options,
                         &program, NULL);
    require(*ret != CUPEL_E_INTERNAL);
    if (*ret == CUPEL_OK) {
        require(cupel_scratch_new(&options, &scratch) == CUPEL_OK);
        verdict = cupel_validate(program, scratch, in->text, in->text_len, NULL);
    }
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pair in = pair_split(data, size);
    const uint32_t choice = choice_of(data, size);
    enum cupel_status status, other;
    enum cupel_verdict first = judge(&in, 0, &status);
    for (int i = 1; i < SHAPES && status == CUPEL_OK; i++) {
        if (!chosen(choice, (uint32_t)i - 1, SHAPES - 1))
            continue;
        enum cupel_verdict verdict = judge(&in, i, &other);
        if (other != CUPEL_OK || verdict == CUPEL_UNDECIDED || first == CUPEL_UNDECIDED)
            continue; /* one of them is larger, or has more to do */
        require((verdict == first) != shapes[i].opposite);
    }
    return 0;
}
