/* let_through.c: images that say something else than their schemas and are whole all the same: what
 * comes of running them.  Whatever they claim, there is one verdict, and what is said of it can be
 * read. */
#include "../unit/report_counts.h"
#include "image_file.h"

#include <cupel/debug.h>

/* Loads what was changed; frees the image. */
static struct cupel_program *load(struct file *f)
{
    struct cupel_program *program = NULL;
    struct cupel_error err = {0};
    repair_checksum(f);
    if (!CHECK_INT(cupel_program_load(f->bytes, f->len, 0, NULL, &program, &err), CUPEL_OK))
        fprintf(stderr, "    %s\n", err.detail);
    free(f->bytes);
    f->bytes = NULL;
    return program;
}

static void check_verdict(const struct cupel_program *program, const char *text,
                          enum cupel_verdict want)
{
    struct cupel_options options;
    cupel_options_init(&options);
    for (options.flags = 0; options.flags <= CUPEL_SWITCH_DISPATCH;
         options.flags += CUPEL_SWITCH_DISPATCH) {
        struct cupel_scratch *scratch = NULL;
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), want);
        cupel_scratch_free(scratch);
    }
}

/* -- Choices
 * ---------------------------------------------------------------------------------------------- */

/* A CASES with no case for some values: they fail. */
static void test_no_case(void)
{
    struct file f = {0};
    if (!CHECK(compile_file(SWITCHED, 0, &f)))
        return;
    const uint32_t *cases = find_op(f.image, CUPEL__OP_CASES);
    if (CHECK(cases != NULL)) {
        const uint32_t *discriminator = words_at(f.image, cases[2]);
        struct cupel__masks *sets = (void *)words_at(f.image, discriminator[IN_TABLE(matches)]);
        sets->set[CUPEL__TYPES + 1 + CUPEL__NULL] = 0; /* of a member that is null */
    }
    struct cupel_program *program = load(&f);
    check_verdict(program, "{\"k\": null, \"y\": 1}", CUPEL_INVALID);
    check_verdict(program, "{\"k\": 1, \"y\": 1}", CUPEL_VALID);
    check_verdict(program, "{\"k\": \"a\", \"x\": 1}", CUPEL_VALID);
    check_verdict(program, "{\"k\": \"a\", \"y\": 1}", CUPEL_INVALID);
    check_verdict(program, "{\"k\": \"b\", \"y\": 1}", CUPEL_VALID);
    cupel_program_free(program);
}

/* A discriminator without keys leaves what the type leaves; it has nothing to print. */
static void test_no_keys(void)
{
    struct cupel_text text;
    struct file f = {0};
    if (!CHECK(compile_file(TAGGED, 0, &f)))
        return;
    const uint32_t *choose = find_op(f.image, CUPEL__OP_CHOOSE);
    if (CHECK(choose != NULL)) {
        uint32_t *discriminator = words_at(f.image, choose[2]);
        discriminator[IN_TABLE(count)] = 0;
        discriminator[sizeof(struct cupel__table) / 4] = 0; /* its slots */
    }
    struct cupel_program *program = load(&f);
    check_verdict(program, "{\"k\": \"a\"}", CUPEL_VALID);
    check_verdict(program, "{\"k\": \"b\"}", CUPEL_VALID);
    check_verdict(program, "{\"k\": \"c\"}", CUPEL_INVALID);
    cupel_text_init(&text, NULL);
    cupel_program_disasm(program, 0, &text);
    CHECK(strstr(text.bytes, "object(0 1) [") != NULL);
    cupel_text_free(&text);
    cupel_program_free(program);
}

/* -- Look-ups
 * -----------------------------------------------------------------------------------------------
 */

enum { VALUES = 1100 };

/* The pairs of hash and value all lead to value `to`. */
static struct cupel_program *misled(const char *schema, uint32_t to)
{
    struct file f = {0};
    if (!CHECK(compile_file(schema, 0, &f)))
        return NULL;
    const uint32_t *lookup = find_op(f.image, CUPEL__OP_LOOKUP);
    if (CHECK(lookup != NULL)) {
        uint32_t *pairs = words_at(f.image, lookup[2]);
        for (uint32_t i = 0; i < pairs[0] / 2; i++)
            pairs[1 + 2 * i + 1] = to;
    }
    return load(&f);
}

/* What has the hash of another value, and leads to it or to none, is still compared. */
static void test_hashes(void)
{
    struct cupel_text schema;
    cupel_text_init(&schema, NULL);
    for (int i = 0; i < VALUES; i++)
        cupel_text_addf(&schema, "%s{\"v\": %d}", i == 0 ? "{\"enum\": [" : ", ", i);
    cupel_text_adds(&schema, "]}");
    struct cupel_program *program = misled(schema.bytes, 7);
    check_verdict(program, "{\"v\": 7}", CUPEL_VALID);
    check_verdict(program, "{\"v\": 8}", CUPEL_INVALID);
    cupel_program_free(program);
    program = misled(schema.bytes, VALUES);
    check_verdict(program, "{\"v\": 7}", CUPEL_INVALID);
    cupel_program_free(program);
    cupel_text_free(&schema);
}

/* -- A report of another schema
 * ------------------------------------------------------------------------------ */

/* The verdict program of one schema before the report program of another. */
static struct cupel_program *spliced(const char *verdict, const char *report)
{
    struct file first = {0}, second = {0};
    if (!CHECK(compile_file(verdict, REPORT, &first) && compile_file(report, REPORT, &second)))
        return NULL;
    const size_t a = (size_t)((char *)first.image - first.bytes), b = second.image->size;
    char *both = malloc(a + b);
    memcpy(both, first.bytes, a);
    memcpy(both + a, second.image, b);
    free(first.bytes);
    free(second.bytes);
    first = (struct file){both, a + b, (struct cupel__image *)(void *)(both + a)};
    return load(&first);
}

static int count(void *ctx, const struct cupel_problem *problem)
{
    ++*(int *)ctx;
    return problem->message == NULL;
}

/* A TYPE that comes from `contains`, whose bounds no number meets, lets no array pass; where an
 * image says otherwise, what fails need not be an array, and what is said counts nothing. */
static void test_type_of_contains(void)
{
    struct file f = {0};
    if (!CHECK(compile_file("{\"contains\": true, \"minContains\": 2, \"maxContains\": 1}", REPORT,
                            &f)))
        return;
    uint32_t *type = find_op(f.image, CUPEL__OP_TYPE);
    if (CHECK(type != NULL))
        *type = (*type & 0xffff) | (uint32_t)CUPEL__M_STRING << 16;
    struct cupel_program *program = load(&f);
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    static const char *const texts[] = {"5", "null", "[]", "{}"};
    for (size_t i = 0; i < 4; i++) {
        int problems = 0;
        struct cupel_document *doc = NULL;
        CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
        CHECK_INT(cupel_document_read(doc, texts[i], strlen(texts[i]), NULL), CUPEL_OK);
        CHECK_INT(cupel_report(program, scratch, doc, 0, count, &problems, NULL), CUPEL_INVALID);
        CHECK_INT(problems, 1);
        struct cupel_record record;
        cupel_report_record(scratch, cupel_report_problem(scratch, 0), &record);
        CHECK_INT(record.code, CUPEL_P_TYPE);
        cupel_document_free(doc);
    }
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

/* Patterns are shared where they are the same, wherever either has more. */
static void test_patterns(void)
{
    static const char none[] = "{\"type\": \"string\"}", one[] = "{\"pattern\": \"^a\"}";
    static const char two[] = "{\"allOf\": [{\"pattern\": \"^a\"}, {\"pattern\": \"b$\"}]}";
    static const char other[] = "{\"pattern\": \"b$\"}";
    static const char *const pairs[][2] = {
        {none, two}, {one, two}, {two, one}, {other, two}, {two, none}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct cupel_program *program = spliced(pairs[i][0], pairs[i][1]);
        struct cupel_scratch *scratch = NULL;
        int problems = 0;
        const bool invalid = pairs[i][1] != none;
        CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
        CHECK_INT(cupel_validate(program, scratch, "\"xyz\"", 5, NULL),
                  pairs[i][0] == none ? CUPEL_VALID : CUPEL_INVALID);
        CHECK_INT(cupel_report(program, scratch, NULL, 0, count, &problems, NULL),
                  invalid ? CUPEL_INVALID : CUPEL_VALID);
        CHECK_INT(problems, pairs[i][1] == two ? 2 : invalid);
        cupel_scratch_free(scratch);
        cupel_program_free(program);
    }
}

/* -- A report without places
 * -------------------------------------------------------------------------------- */

static const struct {
    const char *schema, *instance;
} reported[] = {
    {"{\"type\": \"object\", \"properties\": {\"name\": {\"minLength\": 3}, \"n\": {\"maximum\": "
     "1}}, "
     "\"required\": [\"name\", \"z\"], \"additionalProperties\": false}",
     "{\"name\": \"a\", \"n\": 2, \"nmae\": 1}"},
    {"{\"anyOf\": [{\"properties\": {\"k\": {\"const\": 1}}}, {\"$ref\": \"#/$defs/a\"}], "
     "\"$defs\": {\"a\": {\"properties\": "
     "{\"k\": {\"enum\": [2, 3]}}, \"items\": false}}}",
     "{\"k\": 4}"},
    {"{\"allOf\": [{\"$ref\": \"#/$defs/a\"}, {\"not\": {\"type\": \"array\"}}], \"$defs\": "
     "{\"a\": {\"prefixItems\": [{\"type\": "
     "\"string\"}], \"items\": false, \"contains\": {\"const\": 1}, \"minContains\": 2}}}",
     "[1, 2, {\"a\": []}]"},
    {"{\"dependentRequired\": {\"a\": [\"b\"]}, \"dependentSchemas\": {\"a\": {\"properties\": "
     "{\"a\": false}}}, "
     "\"unevaluatedProperties\": false}",
     "{\"a\": 1, \"c\": 2}"},
};

/* Every rendering, a repair and the way to each record: whatever is known of places, it can be
 * reported. */
static void tell(const struct cupel_program *program, const char *text)
{
    struct cupel_scratch *scratch = NULL;
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), CUPEL_INVALID);
    for (int rendering = 0; rendering <= CUPEL_RENDER_HIERARCHICAL; rendering++) {
        cupel_text_clear(&out);
        CHECK_INT(cupel_render(program, scratch, NULL, 0, (enum cupel_rendering)rendering, NULL,
                               &out, NULL),
                  CUPEL_INVALID);
        CHECK(!out.failed && out.len > 0);
    }
    CHECK(cupel_repair(program, scratch, NULL, 0, &out, NULL, NULL) != CUPEL_REPAIR_UNDECIDED);
    CHECK_INT(cupel_report_run(program, scratch, NULL, 0, 0, NULL), CUPEL_INVALID);
    CHECK(count_problems(scratch) > 0);
    for (uint32_t i = 0; i < count_records(scratch); i++) {
        cupel_report_write(scratch, i, CUPEL_RECORD_SCHEMA, NULL, &out);
        cupel_report_write(scratch, i, CUPEL_RECORD_ABSOLUTE, "x:", &out);
        cupel_report_write(scratch, i, CUPEL_RECORD_EVALUATION, NULL, &out);
        cupel_report_write(scratch, i, CUPEL_RECORD_KEYWORD, NULL, &out);
        cupel_report_write(scratch, i, CUPEL_RECORD_SENTENCE, NULL, &out);
    }
    CHECK(!out.failed);
    cupel_text_free(&out);
    cupel_scratch_free(scratch);
}

/* Without the first marks, the last, or one of them. */
static void drop_marks(struct cupel__image *image, uint32_t first, uint32_t n)
{
    struct cupel__image_mark *marks = (void *)words_at(image, image->marks.at);
    memmove(marks + first, marks + first + n, (image->marks.count - first - n) * sizeof *marks);
    image->marks.count -= n;
}

static void test_marks(void)
{
    for (size_t i = 0; i < sizeof reported / sizeof *reported; i++) {
        uint32_t marks = 1;
        for (uint32_t k = 0; k < 3 * marks; k++) {
            struct file f = {0};
            if (!CHECK(compile_file(reported[i].schema, REPORT, &f)))
                break;
            marks = f.image->marks.count;
            uint32_t n = k % marks;
            drop_marks(f.image, k < marks ? 0 : n, k < marks ? n : k < 2 * marks ? marks - n : 1);
            struct cupel_program *program = load(&f);
            tell(program, reported[i].instance);
            cupel_program_free(program);
        }
    }
}

int main(void)
{
    test_no_case();
    test_no_keys();
    test_hashes();
    test_type_of_contains();
    test_patterns();
    test_marks();
    return test_end();
}
