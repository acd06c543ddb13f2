/* target.c: schemas that must mean the same, or the opposite, of another.
 *
 * The input's choice names two of them beside the schema (pair.h): they are made once for all its
 * instances. With S the schema of the input: `not` S is the complement; allOf [S, S], anyOf [S],
 * oneOf [S, false], `if` S then true else false are S.  UNDECIDED only ever stands against
 * UNDECIDED or a budget: nothing that gives up under one of them becomes a verdict under another.
 */
#include "../choice.h"
#include "../kept.h"

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
enum { SHAPES = sizeof shapes / sizeof *shapes, SHAPES_OF_IF = 2 };

static int resolve(void *ctx, const char *uri, size_t uri_len, const char **ret_text,
                   size_t *ret_len)
{
    const struct pair *in = ctx;
    static const char mine[] = "http://cupel.test/s";
    if (uri_len != sizeof mine - 1 || memcmp(uri, mine, uri_len) != 0)
        return 1;
    *ret_text = in->schema;
    *ret_len = in->schema_len;
    return 0;
}

/* Drafts before 7 have no `if`: the shapes with it mean nothing there. */
static bool has_if(const struct pair *in)
{
    struct cupel_options options;
    pair_chosen(&options, in->options);
    return options.dialect != CUPEL_DRAFT_4 && options.dialect != CUPEL_DRAFT_6;
}

/* A shape of the schema, made when it was first asked for. */
struct made {
    bool tried;
    struct cupel_program *program; /* NULL: it was refused */
};

static const struct cupel_program *make(struct made *m, struct pair *in, const char *shape)
{
    struct cupel_options options;
    pair_chosen(&options, in->options);
    options.resolver = resolve;
    options.resolver_ctx = in;
    if (!m->tried)
        require(cupel_compile(shape, strlen(shape), &options, &m->program, NULL) !=
                CUPEL_E_INTERNAL);
    m->tried = true;
    return m->program;
}

static enum cupel_verdict judge(const struct cupel_program *program, const struct pair *in)
{
    struct cupel_options options;
    struct cupel_scratch *scratch = NULL;
    pair_chosen(&options, in->options);
    char *text = ways_text(&options, in->text, in->text_len);
    require(cupel_scratch_new(&options, &scratch) == CUPEL_OK);
    enum cupel_verdict verdict = cupel_validate(program, scratch, text, in->text_len, NULL);
    cupel_scratch_free(scratch);
    free(text);
    return verdict;
}

static void forget(struct made made[SHAPES])
{
    for (int i = 0; i < SHAPES; i++) {
        cupel_program_free(made[i].program);
        made[i] = (struct made){0};
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kept of;
    static struct made made[SHAPES];
    struct pair in = pair_split(data, size);
    const uint32_t choice = (uint32_t)(in.options >> PAIR_WAY), ways = SHAPES - 1;
    if (!kept_is(&of, &in))
        forget(made);
    if (make(&made[0], &in, shapes[0].schema) == NULL)
        return 0;
    enum cupel_verdict first = judge(made[0].program, &in);
    for (int i = 1; i < SHAPES; i++) {
        const uint32_t way = (uint32_t)i - 1;
        if (i >= SHAPES - SHAPES_OF_IF && !has_if(&in))
            continue;
        if (!chosen(choice, way, ways) && !chosen(choice / ways, way, ways))
            continue;
        if (make(&made[i], &in, shapes[i].schema) == NULL)
            continue; /* it is larger, or has more to do */
        enum cupel_verdict verdict = judge(made[i].program, &in);
        require(verdict == CUPEL_UNDECIDED || first == CUPEL_UNDECIDED ||
                (verdict == first) != shapes[i].opposite);
    }
    return 0;
}
