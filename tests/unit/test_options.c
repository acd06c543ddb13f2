/* test_options.c: which options functions accept, and which they refuse with CUPEL_E_ARGUMENT. */
#include "test.h"
#include <cupel/cupel.h>
#include <string.h>

/* Options of a newer version: more members behind those that this library knows. */
struct longer {
    struct cupel_options known;
    unsigned char unknown[64];
};

static struct cupel_document *doc;
static struct cupel_program *program;

/* -- Every function that takes options ------------------------------------------------------------
 */

static enum cupel_status use_compile(const struct cupel_options *options)
{
    struct cupel_program *made = NULL;
    enum cupel_status status = cupel_compile("true", 4, options, &made, NULL);
    cupel_program_free(made);
    return status;
}

static enum cupel_status use_compile_node(const struct cupel_options *options)
{
    struct cupel_program *made = NULL;
    enum cupel_status status = cupel_compile_node(doc, 0, options, &made, NULL);
    cupel_program_free(made);
    return status;
}

static enum cupel_status use_compile_dump(const struct cupel_options *options)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    enum cupel_status status = cupel_compile_dump("true", 4, options, "lower", &text, NULL);
    cupel_text_free(&text);
    return status;
}

static enum cupel_status use_load(const struct cupel_options *options)
{
    struct cupel_program *made = NULL;
    size_t len;
    const void *image = cupel_program_image(program, &len);
    enum cupel_status status = cupel_program_load(image, len, 0, options, &made, NULL);
    cupel_program_free(made);
    return status;
}

static enum cupel_status use_scratch(const struct cupel_options *options)
{
    struct cupel_scratch *made = NULL;
    enum cupel_status status = cupel_scratch_new(options, &made);
    cupel_scratch_free(made);
    return status;
}

static enum cupel_status use_document(const struct cupel_options *options)
{
    struct cupel_document *made = NULL;
    enum cupel_status status = cupel_document_new(options, &made);
    cupel_document_free(made);
    return status;
}

static enum cupel_status use_check(const struct cupel_options *options)
{
    struct cupel_error err = {.status = CUPEL_OK};
    enum cupel_status status = cupel_options_check(options, &err);
    CHECK((status == CUPEL_OK) == (err.detail[0] == '\0'));
    CHECK_INT(err.status, status);
    return status;
}

static enum cupel_status (*const uses[])(const struct cupel_options *) = {
    use_compile, use_compile_node, use_compile_dump, use_load, use_scratch, use_document, use_check,
};

enum { USES = sizeof uses / sizeof *uses };

static void check_all(const struct cupel_options *options, enum cupel_status want)
{
    for (int i = 0; i < USES; i++)
        CHECK_INT(uses[i](options), want);
}

/* -- Tests ----------------------------------------------------------------------------------------
 */

static void test_sizes(void)
{
    struct longer longer;
    check_all(NULL, CUPEL_OK);
    cupel_options_init_sized(&longer.known, sizeof longer);
    CHECK_INT(longer.known.size, sizeof longer);
    check_all(&longer.known, CUPEL_OK);
    for (size_t i = 0; i < sizeof longer.unknown; i += 21) {
        longer.unknown[i] = 1;
        check_all(&longer.known, CUPEL_E_ARGUMENT);
        longer.unknown[i] = 0;
    }
    const size_t none[] = {0, 1, 8, sizeof(struct cupel_options) - 8, (size_t)1 << 40, SIZE_MAX};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        longer.known.size = none[i];
        check_all(&longer.known, CUPEL_E_ARGUMENT);
    }
    struct cupel_options zero;
    memset(&zero, 0, sizeof zero);
    check_all(&zero, CUPEL_E_ARGUMENT);
}

static void test_members(void)
{
    static const uint32_t flags[] = {1u << 17, 1u << 19, 1u << 24, 1u << 31};
    static const int dialects[] = {1, 5, 8, 2018, -1};
    struct cupel_options options;
    cupel_options_init(&options);
    for (int i = 0; i < 4; i++) {
        options.flags = flags[i];
        check_all(&options, CUPEL_E_ARGUMENT);
    }
    cupel_options_init(&options);
    for (int i = 0; i < 5; i++) {
        options.dialect = (enum cupel_dialect)dialects[i];
        check_all(&options, CUPEL_E_ARGUMENT);
    }
    cupel_options_init(&options);
    options.reserved = 1;
    check_all(&options, CUPEL_E_ARGUMENT);
    cupel_options_init(&options);
    options.passes |= 1u << 31;
    check_all(&options, CUPEL_E_ARGUMENT);
    cupel_options_init(&options);
    options.format_count = 1;
    check_all(&options, CUPEL_E_ARGUMENT);
    cupel_options_init(&options);
    options.alloc.realloc = NULL;
    check_all(&options, CUPEL_OK);
}

static void test_limits(void)
{
    struct cupel_options options;
    int known = 0;
    for (int i = 0; i < CUPEL_LIMITS; i++) {
        bool has_name = cupel_limit_name((enum cupel_limit)i) != NULL;
        cupel_options_init(&options);
        CHECK((options.limits[i] != 0) == has_name);
        known += has_name;
        options.limits[i] = UINT64_MAX;
        check_all(&options, has_name ? CUPEL_OK : CUPEL_E_ARGUMENT);
    }
    CHECK_INT(known, 17);
    CHECK(cupel_limit_name((enum cupel_limit) - 1) == NULL);
    CHECK(cupel_limit_name(CUPEL_LIMITS) == NULL);
    CHECK_STR(cupel_limit_name(CUPEL_LIMIT_DEPTH), "depth");
}

/* A bound that is larger than its type counts as its largest value, and not as its low bits. */
static void test_large_limit(void)
{
    struct cupel_options options;
    struct cupel_document *made = NULL;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_DEPTH] = (uint64_t)1 << 32;
    CHECK_INT(cupel_document_new(&options, &made), CUPEL_OK);
    CHECK_INT(cupel_document_read(made, "[[[]]]", 6, NULL), CUPEL_OK);
    cupel_document_free(made);
}

int main(void)
{
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_read(doc, "{}", 2, NULL), CUPEL_OK);
    CHECK_INT(cupel_compile("true", 4, NULL, &program, NULL), CUPEL_OK);
    test_sizes();
    test_members();
    test_limits();
    test_large_limit();
    cupel_program_free(program);
    cupel_document_free(doc);
    return test_end();
}
