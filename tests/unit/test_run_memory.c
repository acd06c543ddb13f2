/* test_run_memory.c: runs without memory for sets of evaluated children, for kept results, for
 * numbers of scopes, or for frames: they start again or go on without, and the verdict is the same.
 */
#include "made_image.h"
#include "vm/program/program.h"

#include <cupel/debug.h>

#define ANY(pc) CUPEL__SUB(CUPEL__M_ANY, pc)
#define NOTHING CUPEL__SUB(0, 0)
enum { WORDS = 256, MANY = 5000, WAYS = 4 };

/* An array of n items. */
static char *array(const char *item, unsigned n)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&text, "%s%s", i == 0 ? "[" : ",", item);
    cupel_text_adds(&text, "]");
    return text.bytes;
}

static struct cupel_options options_of(uint32_t flags, size_t scratch_bytes)
{
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags = flags;
    options.limits[CUPEL_LIMIT_BODY_BYTES] = 1 << 22;
    options.limits[CUPEL_LIMIT_STEPS] = 1 << 24;
    options.limits[CUPEL_LIMIT_SCRATCH_BYTES] = scratch_bytes;
    return options;
}

static enum cupel_verdict run(const struct cupel_program *program, const char *text, uint32_t flags,
                              size_t scratch_bytes, enum cupel_status *ret_why)
{
    const struct cupel_options options = options_of(flags, scratch_bytes);
    struct cupel_scratch *scratch = NULL;
    struct cupel_outcome outcome;
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    enum cupel_verdict verdict = cupel_validate(program, scratch, text, strlen(text), &outcome);
    *ret_why = outcome.reason;
    cupel_scratch_free(scratch);
    return verdict;
}

static void check(const struct cupel_program *program, const char *text, enum cupel_verdict want)
{
    static const uint32_t ways[WAYS] = {0, CUPEL_SWITCH_DISPATCH, CUPEL_EAGER_MEMO,
                                        CUPEL_EAGER_MEMO | CUPEL_SWITCH_DISPATCH};
    enum cupel_status why;
    for (size_t i = 0; i < WAYS; i++)
        CHECK_INT(run(program, text, ways[i], 16 << 20, &why), want);
}

/* -- Sets of evaluated children
 * --------------------------------------------------------------------------- */

/* A discriminator without keys that leaves both of two branches to every value. */
static uint32_t made_discriminator(struct made_image *m)
{
    const uint32_t first = (m->ntables + 1) / 2 * 2, base = m->image->tables.at;
    struct cupel__masks *masks = (void *)(m->tables + first);
    const uint32_t head = (uint32_t)(offsetof(struct cupel__masks, set) / 4), slots = 1;
    *masks = (struct cupel__masks){
        .words = head - 1 + 2 * CUPEL__TYPES + 2, .branches = 2, .bits = 2, .count = CUPEL__TYPES};
    for (uint32_t i = 0; i < CUPEL__TYPES; i++)
        masks->set[i] = 3;
    m->ntables = first + 1 + masks->words;
    m->tables[m->ntables - 2] = CUPEL__SPAN(0, 1);
    m->tables[m->ntables - 1] = CUPEL__SPAN(1, 1);
    struct cupel__table *discriminator = (void *)(m->tables + m->ntables);
    *discriminator = (struct cupel__table){.shift = 31,
                                           .flags = CUPEL__TABLE_PLAIN,
                                           .entries = sizeof *discriminator + 4 * slots,
                                           .matches = base + 4 * first};
    uint32_t at = base + 4 * m->ntables;
    m->ntables += discriminator->entries / 4;
    return at;
}

/* An UNEVALUATED around a NOT around an instruction, each of which has a set of the same array: for
 * the third of a large one there is no room at first. */
static struct cupel_program *make_deep(enum cupel__op op, bool report)
{
    struct made_image m = made_begin(WORDS, report);
    uint32_t array = made_op(&m, CUPEL__OP_TYPE, CUPEL__LAST, 0, CUPEL__M_ARRAY);
    uint32_t entered = made_op(&m, CUPEL__OP_CALL, CUPEL__LAST, 0, 0); /* not decided at sight */
    made_word(&m, ANY(array));
    uint32_t last =
        made_op(&m, op, CUPEL__LAST, op == CUPEL__OP_MEMO, op == CUPEL__OP_MEMO ? CUPEL__M_ANY : 0);
    bool list = op == CUPEL__OP_ANY_OF || op == CUPEL__OP_ONE_OF || op == CUPEL__OP_CHOOSE;
    made_word(&m, list ? made_pair(&m, ANY(entered), NOTHING) : ANY(entered));
    if (op == CUPEL__OP_CHOOSE) {
        made_word(&m, made_discriminator(&m));
        made_word(&m, made_pair(&m, ANY(entered), NOTHING));
    } else if (op == CUPEL__OP_IF) {
        made_word(&m, ANY(0));
        made_word(&m, NOTHING);
    }
    uint32_t not = made_op(&m, CUPEL__OP_NOT, CUPEL__LAST, 0, 0);
    made_word(&m, ANY(last));
    uint32_t root = made_op(&m, CUPEL__OP_UNEVALUATED, CUPEL__LAST, 0, 0);
    made_word(&m, ANY(not ));
    made_word(&m, ANY(0));
    made_word(&m, ANY(0));
    return made_end(&m, ANY(root));
}

static void test_sets(void)
{
    static const enum cupel__op ops[] = {CUPEL__OP_ANY_OF, CUPEL__OP_ONE_OF, CUPEL__OP_CHOOSE,
                                         CUPEL__OP_NOT,    CUPEL__OP_IF,     CUPEL__OP_MEMO,
                                         CUPEL__OP_CALL};
    char *large = array("0", MANY);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct cupel_program *program = make_deep(ops[i], false);
        const enum cupel_verdict want = ops[i] == CUPEL__OP_NOT ? CUPEL_VALID : CUPEL_INVALID;
        check(program, "[0]", want);
        check(program, large, want);
        cupel_program_free(program);
    }
    free(large);
}

/* What choices take back, in schemas some of whose branches have to be entered; by verdict and
 * report. */
#define BRANCHES                                                                                \
    "{\"anyOf\":[{\"required\":[\"k\"],\"properties\":{\"k\":{\"const\":\"a\"},\"l\":false}},"  \
    "{\"required\":[\"k\"],\"properties\":{\"k\":{\"const\":\"a\"},\"x1\":{\"minLength\":1}}}," \
    "{\"required\":[\"k\"],\"properties\":{\"k\":{\"const\":\"b\"}}}]}"
#define REST ",\"type\":\"object\",\"unevaluatedProperties\":{\"type\":[\"integer\",\"string\"]}}"

static const struct {
    const char *schema;
    enum cupel_verdict want;
} choices[] = {
    {"{\"not\":" BRANCHES REST, CUPEL_INVALID},
    {"{\"not\":{\"not\":" BRANCHES "}" REST, CUPEL_VALID},
    {"{\"not\":{\"anyOf\":[{\"propertyNames\":false},{\"contains\":true,\"propertyNames\":{"
     "\"maxLength\":9}}]}" REST,
     CUPEL_INVALID},
    {"{\"anyOf\":[{\"not\":{\"not\":{\"properties\":{\"k\":{\"not\":{\"minLength\":2}}}}}},"
     "{\"properties\":{\"x1\":{\"type\":\"integer\"}}}],\"oneOf\":[{\"if\":{\"properties\":{\"k\":{"
     "\"const\":\"a\"}}},"
     "\"then\":{\"properties\":{\"x2\":{\"type\":\"integer\"}}}},{\"properties\":{\"x3\":{\"type\":"
     "\"string\"}}}]" REST,
     CUPEL_VALID}};

static void check_report(const struct cupel_program *program, const char *text,
                         enum cupel_verdict want)
{
    const struct cupel_options options = options_of(0, 16 << 20);
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), want);
    CHECK_INT(cupel_report_run(program, scratch, NULL, 0, 0, NULL), want);
    cupel_scratch_free(scratch);
}

static void test_choices(void)
{
    struct cupel_text object;
    cupel_text_init(&object, NULL);
    cupel_text_adds(&object, "{\"k\":\"a\"");
    for (int i = 0; i < MANY; i++)
        cupel_text_addf(&object, ",\"x%d\":%s", i, i == 1 ? "\"s\"" : "0");
    cupel_text_adds(&object, "}");
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct cupel_program *program = NULL;
        const char *schema = choices[i].schema;
        CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
        check(program, "{\"k\":\"a\",\"x1\":\"s\",\"x2\":0,\"x3\":0}", choices[i].want);
        check(program, object.bytes, choices[i].want);
        check_report(program, object.bytes, choices[i].want);
        cupel_program_free(program);
    }
    cupel_text_free(&object);
}

/* -- Results
 * ---------------------------------------------------------------------------------------------- */

/* Arrays of arrays, of which the first two items are evaluated, and all others integers: each is
 * put twice to a schema whose result is kept, with what it evaluates. */
static struct cupel_program *make_kept(void)
{
    struct made_image m = made_begin(WORDS, false);
    uint32_t two = made_op(&m, CUPEL__OP_PREFIX, CUPEL__LAST, 1, 0);
    made_word(&m, made_pair(&m, ANY(0), ANY(0)));
    uint32_t memo = made_op(&m, CUPEL__OP_MEMO, CUPEL__LAST, 1, CUPEL__M_ARRAY);
    made_word(&m, CUPEL__SUB(CUPEL__M_ARRAY, two));
    uint32_t twice = made_op(&m, CUPEL__OP_CALL, 0, 0, 0);
    made_word(&m, CUPEL__SUB(CUPEL__M_ARRAY, memo));
    made_op(&m, CUPEL__OP_CALL, CUPEL__LAST, 0, 0);
    made_word(&m, CUPEL__SUB(CUPEL__M_ARRAY, memo));
    uint32_t item = made_op(&m, CUPEL__OP_UNEVALUATED, CUPEL__LAST, 0, 0);
    made_word(&m, CUPEL__SUB(CUPEL__M_ARRAY, twice));
    made_word(&m, CUPEL__NO_SUB);
    made_word(&m, CUPEL__SUB(CUPEL__M_INTEGER, 0));
    uint32_t root = made_op(&m, CUPEL__OP_ITEMS, CUPEL__LAST, 0, 0);
    made_word(&m, CUPEL__SUB(CUPEL__M_ARRAY, item));
    return made_end(&m, CUPEL__SUB(CUPEL__M_ARRAY, root));
}

/* Where there is little room results are not kept any more, or not with their sets of some words;
 * and it is the same. */
static void test_results(void)
{
    struct cupel_program *program = make_kept();
    char *items = array("0", 198), each[512];
    snprintf(each, sizeof each, "[\"a\",\"b\",%s", items + 1);
    char *good = array(each, 1000), *bad = array(each, 1000);
    enum cupel_status why;
    strcpy(strrchr(bad, '0') - 4, "true]]"); /* in place of the last three */
    for (size_t bytes = 4096; bytes <= 8 << 20; bytes *= 2) {
        CHECK_INT(run(program, good, CUPEL_EAGER_MEMO, bytes, &why), CUPEL_VALID);
        CHECK_INT(run(program, bad, CUPEL_EAGER_MEMO, bytes, &why), CUPEL_INVALID);
        CHECK_INT(run(program, bad, CUPEL_EAGER_MEMO | CUPEL_SWITCH_DISPATCH, bytes, &why),
                  CUPEL_INVALID);
    }
    free(items);
    free(good);
    free(bad);
    cupel_program_free(program);
}

/* -- Scopes
 * ------------------------------------------------------------------------------------------------
 */

enum { ANCHORS = 8, DEPTH = 5 };

/* Item i of an array gives anchor i a schema, for what is in it; each array is put to a schema
 * whose result is kept apart for each scope.  So there are as many scopes as ways without
 * repetition. */
static struct cupel_program *make_scopes(void)
{
    struct made_image m = made_begin(WORDS, false);
    uint32_t subs = m.image->tables.at + 4 * m.ntables, list = m.ntables;
    m.tables[m.ntables++] = ANCHORS;
    m.ntables += ANCHORS;
    uint32_t leaf = made_op(&m, CUPEL__OP_TYPE, CUPEL__LAST, 0, CUPEL__M_ARRAY | CUPEL__M_NULL);
    uint32_t body = made_op(&m, CUPEL__OP_MEMO, 0, 0, CUPEL__M_ANY);
    made_word(&m, ANY(leaf));
    made_op(&m, CUPEL__OP_ONLY, 0, 0, CUPEL__M_ARRAY);
    made_op(&m, CUPEL__OP_PREFIX, CUPEL__LAST, 0, 0);
    made_word(&m, subs);
    for (uint32_t i = 0; i < ANCHORS; i++) {
        uint32_t anchors = m.image->tables.at + 4 * m.ntables;
        m.tables[m.ntables++] = ANCHORS;
        for (uint32_t k = 0; k < ANCHORS; k++)
            m.tables[m.ntables++] = k == i ? ANY(0) : CUPEL__NO_SUB;
        m.tables[list + 1 + i] = ANY(made_op(&m, CUPEL__OP_SCOPE, CUPEL__LAST, 0, 0));
        made_word(&m, ANY(body));
        made_word(&m, anchors);
    }
    return made_end(&m, ANY(body));
}

/* Arrays of ANCHORS items, DEPTH deep, with the last leaf as given. */
static char *tree(const char *leaf)
{
    struct cupel_text text;
    unsigned count[DEPTH] = {0}, depth = 0, leaves = 0, all = 1;
    for (unsigned i = 0; i < DEPTH; i++)
        all *= ANCHORS;
    cupel_text_init(&text, NULL);
    for (;;) {
        for (; depth < DEPTH; count[depth++] = 0)
            cupel_text_adds(&text, "[");
        cupel_text_adds(&text, ++leaves == all ? leaf : "null");
        for (; depth > 0 && ++count[depth - 1] == ANCHORS; depth--)
            cupel_text_adds(&text, "]");
        if (depth == 0)
            return text.bytes;
        cupel_text_adds(&text, ",");
    }
}

/* More scopes than have numbers, or than there is room to number: what is in the others is not
 * kept. */
static void test_scopes(void)
{
    struct cupel_program *program = make_scopes();
    char *good = tree("null"), *bad = tree("1");
    enum cupel_status why;
    check(program, good, CUPEL_VALID);
    check(program, bad, CUPEL_INVALID);
    for (size_t bytes = 8 << 10; bytes <= 1 << 20; bytes *= 2) {
        CHECK_INT(run(program, good, CUPEL_EAGER_MEMO, bytes, &why), CUPEL_VALID);
        CHECK_INT(run(program, bad, CUPEL_EAGER_MEMO, bytes, &why), CUPEL_INVALID);
    }
    free(good);
    free(bad);
    cupel_program_free(program);
}

int main(void)
{
    test_sets();
    test_choices();
    test_results();
    test_scopes();
    return test_end();
}
