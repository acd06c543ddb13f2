/* test_options.c: which options functions accept, and which they refuse with CUPEL_E_ARGUMENT. */
#include "option_users.h"

/* Options of a newer version: more members behind those that this library knows. */
struct longer {
    struct cupel_options known;
    unsigned char unknown[64];
};

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
    const size_t none[] = {0, 1, 8, sizeof(struct cupel_options) - 4, (size_t)1 << 40, SIZE_MAX};
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
    static const uint32_t flags[] = {1u << 17, 1u << 19, 1u << 25, 1u << 31};
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
        bool is_limit = cupel_limit_name((enum cupel_limit)i) != NULL;
        cupel_options_init(&options);
        CHECK((options.limits[i] != 0) == is_limit);
        known += is_limit;
        options.limits[i] = UINT64_MAX;
        check_all(&options, is_limit ? CUPEL_OK : CUPEL_E_ARGUMENT);
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

/* -- Other options --------------------------------------------------------------------------------
 */

static void test_mcp_options(void)
{
    struct cupel_catalog_options options;
    check_catalog(NULL, CUPEL_OK);
    cupel_catalog_options_init(&options);
    check_catalog(&options, CUPEL_OK);
    options.size = 0;
    check_catalog(&options, CUPEL_E_ARGUMENT);
    cupel_catalog_options_init(&options);
    options.size -= 8;
    check_catalog(&options, CUPEL_E_ARGUMENT);
    cupel_catalog_options_init(&options);
    options.flags = 1 << 4;
    check_catalog(&options, CUPEL_E_ARGUMENT);
    cupel_catalog_options_init(&options);
    options.profile = (enum cupel_mcp_profile)20250619;
    check_catalog(&options, CUPEL_E_ARGUMENT);
    cupel_catalog_options_init(&options);
    options.names = (enum cupel_name_rules)3;
    check_catalog(&options, CUPEL_E_ARGUMENT);
    cupel_catalog_options_init(&options);
    options.target = (enum cupel_target)5;
    check_catalog(&options, CUPEL_E_ARGUMENT);
}

static void test_args_options(void)
{
    struct cupel_argument_schema_options options;
    cupel_argument_schema_options_init(&options);
    check_args(&options, CUPEL_OK);
    options.size = 0;
    check_args(&options, CUPEL_E_ARGUMENT);
    cupel_argument_schema_options_init(&options);
    options.flags = 1 << 2;
    check_args(&options, CUPEL_E_ARGUMENT);
    cupel_argument_schema_options_init(&options);
    options.reserved = 1;
    check_args(&options, CUPEL_E_ARGUMENT);
}

static void test_request_options(void)
{
    struct cupel_request_options options;
    check_request(NULL, CUPEL_CALL_VALID);
    cupel_request_options_init(&options);
    check_request(&options, CUPEL_CALL_VALID);
    options.size = 0;
    check_request(&options, CUPEL_CALL_UNDECIDED);
    cupel_request_options_init(&options);
    options.flags = 1 << 4;
    check_request(&options, CUPEL_CALL_UNDECIDED);
    cupel_request_options_init(&options);
    options.header_count = 1;
    check_request(&options, CUPEL_CALL_UNDECIDED);
    cupel_request_options_init(&options);
    options.profile = (enum cupel_mcp_profile)1;
    check_request(&options, CUPEL_CALL_UNDECIDED);
}

static void test_render_options(void)
{
    struct cupel_render_options options;
    check_render(NULL, CUPEL_RENDER_JSON, false);
    check_render(NULL, CUPEL_RENDER_HIERARCHICAL + 1, true);
    check_render(NULL, -1, true);
    cupel_render_options_init(&options);
    options.file = NULL;
    check_render(&options, CUPEL_RENDER_JUNIT, false);
    options.flags = 1 << 3;
    check_render(&options, CUPEL_RENDER_JSON, true);
    cupel_render_options_init(&options);
    options.size = 0;
    check_render(&options, CUPEL_RENDER_JSON, true);
}

int main(void)
{
    open_users();
    test_sizes();
    test_members();
    test_limits();
    test_large_limit();
    test_mcp_options();
    test_args_options();
    test_request_options();
    test_render_options();
    close_users();
    return test_end();
}
