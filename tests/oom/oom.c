/* oom.c: every allocation failing, one after the other, once and from then on.
 *
 * Whatever is done ends with NO_MEMORY, gives everything back, and can be done again with the same
 * objects.  And: a warm validation asks for nothing at all. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

struct pair {
    const char *schema, *instance;
};

static const struct pair pairs[] = {
    {"true", "null"},
    {"{\"type\": \"integer\", \"minimum\": 1.5, \"multipleOf\": 0.25}", "3.75"},
    {"{\"enum\": [\"a\", 1, null, [1, {\"b\": 123456789012345678901234567890}]]}", "[1]"},
    {"{\"pattern\": \"^(a|b)+$\", \"maxLength\": 9}", "\"ab\\u0061x\""},
    {"{\"properties\": {\"a\": {\"type\": \"string\"}, \"a member with a long name\": "
     "{\"minimum\": 2}}, "
     "\"required\": [\"a\", \"b\"], \"additionalProperties\": false}",
     "{\"a\": 1, \"c\\u0064\": 2}"},
    {"{\"patternProperties\": {\"^x-\": {\"minItems\": 2}, \"y$\": {\"type\": \"array\"}}, "
     "\"propertyNames\": {\"pattern\": \"^[a-z-]*$\"}}",
     "{\"x-y\": [1], \"Z\": 0}"},
    {"{\"uniqueItems\": true, \"prefixItems\": [true, {\"type\": \"null\"}], \"contains\": "
     "{\"const\": "
     "3}}",
     "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20.0, 2e1]"},
    {"{\"anyOf\": [{\"minimum\": 3}, {\"type\": \"string\"}], \"oneOf\": [{\"maximum\": 4}, "
     "{\"type\": "
     "\"number\"}], \"not\": {\"const\": 3}, \"if\": {\"minimum\": 9}, \"then\": false, \"else\": "
     "{\"exclusiveMaximum\": 7}}",
     "4"},
    {"{\"dependentRequired\": {\"a\": [\"b\"]}, \"dependentSchemas\": {\"a\": {\"minProperties\": "
     "3}}}",
     "{\"a\": 1}"},
    {"{\"$id\": \"https://example.org/list\", \"$ref\": \"#node\", \"$defs\": {\"n\": "
     "{\"$anchor\": "
     "\"node\", \"properties\": {\"next\": {\"$ref\": \"list#node\"}}, \"required\": [\"v\"]}}}",
     "{\"v\": 1, \"next\": {\"v\": 2, \"next\": {}}}"},
    {"{\"items\": {\"$ref\": \"other.json#/$defs/positive\"}, \"$id\": "
     "\"https://example.org/base\"}",
     "[1, 2, 0]"},
    {"{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"dependencies\": {\"a\": "
     "[\"b\"], "
     "\"c\": {\"required\": [\"d\"]}}, \"items\": [{\"type\": \"string\"}], \"additionalItems\": "
     "false}",
     "{\"a\": 1, \"c\": 2}"},
    {"{\"allOf\": [{\"format\": \"regex\"}, {\"format\": \"date-time\"}]}",
     "\"^(([a-f]|[0-9]){2,3}(?<name>x+y*)?|\\\\p{L}(?:abc)){4}(?=l|m)$\""},
    {"{\"items\": {\"format\": \"never\"}}", "[\"a\"]"},
    {"{\"properties\": {\"abc\": {\"type\": \"integer\"}, \"xyz\": true}, "
     "\"patternProperties\": {\"^ab\": {\"minimum\": 2}, \"z$\": {\"maximum\": 5}}}",
     "{\"abc\": 1, \"xyz\": 7}"},
};

static int is_never(void *ctx, const char *text, size_t len)
{
    (void)ctx, (void)text, (void)len;
    return CUPEL_INVALID;
}

static const struct cupel_format host_format = {"never", is_never, NULL};

enum { PAIRS = sizeof pairs / sizeof *pairs };

static int resolve(void *ctx, const char *uri, size_t len, const char **ret_text, size_t *ret_len)
{
    static const char known[] = "https://example.org/other.json";
    static const char text[] =
        "{\"$defs\": {\"positive\": {\"$ref\": \"#/$defs/number\", \"minimum\": 1}, "
        "\"number\": {\"type\": \"number\"}}}";
    (void)ctx;
    if (len != sizeof known - 1 || memcmp(uri, known, len) != 0)
        return -1;
    *ret_text = text;
    *ret_len = sizeof text - 1;
    return 0;
}

/* -- The frame of every test ----------------------------------------------------------------------
 */

/* What a test works on. `alloc` is that of the options; what is made before is made with it too. */
struct bench {
    struct test_alloc alloc;
    struct cupel_options options;
    const struct pair *pair;
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_document *doc;
    struct cupel_text text;
    const void *image;
    size_t image_len;
};

/* Does one thing and undoes it, so that it can be done again; CUPEL_OK, or why not. */
typedef enum cupel_status thing(struct bench *);

static void finish(struct bench *b)
{
    cupel_program_free(b->program);
    cupel_scratch_free(b->scratch);
    cupel_document_free(b->doc);
    cupel_text_free(&b->text);
    b->program = NULL;
    b->scratch = NULL;
    b->doc = NULL;
}

/* Fails allocation after allocation until the thing is done without reaching the one that fails.
 * Each run begins with what `prepare` makes (it may be NULL) and ends with everything given back.
 */
static void fail_each(struct bench *b, const char *name, thing *prepare, thing *body, bool for_ever)
{
    for (unsigned long n = 1; n < 5000; n++) {
        b->alloc = (struct test_alloc){0};
        if (prepare != NULL && !CHECK_INT(prepare(b), CUPEL_OK))
            break;
        unsigned long before = b->alloc.requests;
        b->alloc.fail_at = before + n;
        b->alloc.for_ever = for_ever;
        enum cupel_status s = body(b);
        bool reached = b->alloc.requests >= b->alloc.fail_at;
        /* What failed once may have been asked for again, or done without, as JIT can be. */
        bool once = b->alloc.requests == b->alloc.fail_at;
        bool ok = (reached && s == CUPEL_E_NO_MEMORY) ||
                  ((!(reached && for_ever) || once) && s == CUPEL_OK);
        if (!CHECK(ok))
            fprintf(stderr, "    %s, request %lu: %s: %s\n", name, n, cupel_status_name(s),
                    b->pair->schema);
        b->alloc.fail_at = 0;
        CHECK_INT(body(b), CUPEL_OK); /* the same objects */
        finish(b);
        CHECK_INT(b->alloc.live, 0);
        if (!reached)
            return;
    }
    test_check(false, "it ends", __FILE__, __LINE__);
}

/* -- Things ---------------------------------------------------------------------------------------
 */

static enum cupel_status make_program(struct bench *b)
{
    struct cupel_error err = {0};
    enum cupel_status s =
        cupel_compile(b->pair->schema, strlen(b->pair->schema), &b->options, &b->program, &err);
    CHECK(err.status == s || s == CUPEL_OK);
    return s;
}

static enum cupel_status compile(struct bench *b)
{
    enum cupel_status s = make_program(b);
    cupel_program_free(b->program);
    b->program = NULL;
    return s;
}

static enum cupel_status load(struct bench *b)
{
    struct cupel_program *program = NULL;
    enum cupel_status s =
        cupel_program_load(b->image, b->image_len, 0, &b->options, &program, NULL);
    CHECK((program != NULL) == (s == CUPEL_OK));
    cupel_program_free(program);
    return s;
}

static enum cupel_status make_scratch(struct bench *b)
{
    return cupel_scratch_new(&b->options, &b->scratch);
}

static enum cupel_status new_scratch(struct bench *b)
{
    enum cupel_status s = make_scratch(b);
    cupel_scratch_free(b->scratch);
    b->scratch = NULL;
    return s;
}

static enum cupel_status make_runnable(struct bench *b)
{
    enum cupel_status s = make_program(b);
    return s == CUPEL_OK ? make_scratch(b) : s;
}

/* A verdict, the right one, or NO_MEMORY. */
static enum cupel_status validate(struct bench *b)
{
    struct cupel_outcome outcome;
    const char *text = b->pair->instance;
    enum cupel_verdict verdict =
        cupel_validate(b->program, b->scratch, text, strlen(text), &outcome);
    CHECK((verdict == CUPEL_UNDECIDED) == (outcome.reason != CUPEL_OK));
    if (verdict != CUPEL_UNDECIDED)
        CHECK_INT(verdict, b->pair == pairs ? CUPEL_VALID : CUPEL_INVALID);
    return outcome.reason;
}

static int count(void *ctx, const struct cupel_problem *problem)
{
    CHECK(problem->message[0] != '\0');
    ++*(int *)ctx;
    return 0;
}

static enum cupel_status report(struct bench *b)
{
    struct cupel_outcome outcome;
    int problems = 0;
    enum cupel_verdict verdict =
        cupel_report(b->program, b->scratch, NULL, 0, count, &problems, &outcome);
    if (verdict != CUPEL_UNDECIDED)
        CHECK((problems > 0) == (verdict == CUPEL_INVALID));
    return outcome.reason;
}

static enum cupel_status make_validated(struct bench *b)
{
    enum cupel_status s = make_runnable(b);
    return s == CUPEL_OK ? validate(b) : s;
}

static enum cupel_status read_document(struct bench *b)
{
    struct cupel_error err = {0};
    enum cupel_status s = b->doc == NULL ? cupel_document_new(&b->options, &b->doc) : CUPEL_OK;
    if (s != CUPEL_OK)
        return s;
    s = cupel_document_read(b->doc, b->pair->instance, strlen(b->pair->instance), &err);
    CHECK(err.status == s || s == CUPEL_OK);
    return s;
}

static enum cupel_status disasm(struct bench *b)
{
    if (b->text.failed)
        cupel_text_free(&b->text);
    cupel_text_clear(&b->text);
    for (int which = 0; which < 2; which++)
        cupel_program_disasm(b->program, which, &b->text);
    return b->text.failed ? CUPEL_E_NO_MEMORY : CUPEL_OK;
}

static enum cupel_status dump(struct bench *b)
{
    struct cupel_error err = {0};
    if (b->text.failed)
        cupel_text_free(&b->text);
    cupel_text_clear(&b->text);
    enum cupel_status s = cupel_compile_dump(b->pair->schema, strlen(b->pair->schema), "dedupe",
                                             &b->options, &b->text, &err);
    return s == CUPEL_OK && b->text.failed ? CUPEL_E_NO_MEMORY : s;
}

/* -- Tests ----------------------------------------------------------------------------------------
 */

/* An image of the pair's schema, which stays. */
static struct cupel_program *stored(struct bench *b)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    cupel_options_init(&options);
    options.flags = CUPEL_ASSERT_FORMAT;
    options.formats = &host_format;
    options.format_count = 1;
    options.resolver = resolve;
    if (!CHECK_INT(
            cupel_compile(b->pair->schema, strlen(b->pair->schema), &options, &program, &err),
            CUPEL_OK))
        fprintf(stderr, "    %s\n", err.detail);
    else
        b->image = cupel_program_image(program, &b->image_len);
    return program;
}

static void test_pair(struct bench *b, bool for_ever)
{
    struct cupel_program *program = stored(b);
    if (program == NULL)
        return;
    fail_each(b, "compile", NULL, compile, for_ever);
    fail_each(b, "load", NULL, load, for_ever);
    fail_each(b, "new_scratch", NULL, new_scratch, for_ever);
    fail_each(b, "validate", make_runnable, validate, for_ever);
    fail_each(b, "report", make_validated, report, for_ever);
    fail_each(b, "read_document", NULL, read_document, for_ever);
    fail_each(b, "disasm", make_program, disasm, for_ever);
    fail_each(b, "dump", NULL, dump, for_ever);
    cupel_program_free(program);
}

/* The second time nothing is allocated, whatever loop and scanner; nor for shorter texts. */
static void test_warm(struct bench *b, uint32_t flags)
{
    b->alloc = (struct test_alloc){0};
    b->options.flags = flags | CUPEL_ASSERT_FORMAT;
    if (!CHECK_INT(make_validated(b), CUPEL_OK) || !CHECK_INT(report(b), CUPEL_OK))
        return;
    unsigned long requests = b->alloc.requests;
    for (int i = 0; i < 3; i++)
        CHECK_INT(validate(b), CUPEL_OK);
    CHECK_INT(b->alloc.requests, requests);
    finish(b);
    CHECK_INT(b->alloc.live, 0);
    b->options.flags = CUPEL_ASSERT_FORMAT;
}

int main(void)
{
    static const uint32_t flags[] = {0, CUPEL_SWITCH_DISPATCH, CUPEL_NO_SIMD, CUPEL_NO_JIT};
    struct bench b = {.pair = pairs};
    cupel_options_init(&b.options);
    b.options.flags = CUPEL_ASSERT_FORMAT;
    b.options.formats = &host_format;
    b.options.format_count = 1;
    b.options.alloc = test_allocator(&b.alloc);
    b.options.resolver = resolve;
    cupel_text_init(&b.text, &b.options.alloc);
    for (size_t i = 0; i < PAIRS; i++) {
        b.pair = &pairs[i];
        test_pair(&b, false);
        test_pair(&b, true);
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            test_warm(&b, flags[f]);
    }
    return test_end();
}
