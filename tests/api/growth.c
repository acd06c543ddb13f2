/* growth.c: a program that was compiled with an older header than the library it is linked with.
 *
 * tests/meson.build builds the files that read options a second time, with a bound more
 * (CUPEL_LIMIT_EXTRA_TEST) and as if the last members of each struct of options had been added
 * after the first release (CUPEL_OLDER_STRUCTS_TEST), and links them in place of the library's.
 * This program is compiled without either.  Structs lie at the end of a page behind which nothing
 * is mapped, so reading or writing one byte too many ends the process. */
#include "option_users.h"
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char *page_end;

/* A struct of `size` bytes that ends where the page does; the size is a multiple of its alignment.
 */
static void *at_end(size_t size)
{
    return page_end - size;
}

static bool map_pages(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *two =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE) != 0)
        return false;
    page_end = two + page;
    return true;
}

static void test_bound(void)
{
    struct cupel_options options;
    cupel_options_init(&options);
    CHECK_STR(cupel_limit_name((enum cupel_limit)17), "extra");
    CHECK_INT(options.limits[17], 1000);
    check_all(&options, CUPEL_OK);
}

static void test_options(void)
{
    const size_t older = offsetof(struct cupel_options, hash_key);
    const size_t sizes[] = {older, offsetof(struct cupel_options, base_uri),
                            sizeof(struct cupel_options), sizeof(struct cupel_options) + 64};
    for (int i = 0; i < 4; i++) {
        struct cupel_options *options = at_end(sizes[i]);
        struct cupel_document *made = NULL;
        cupel_options_init_sized(options, sizes[i]);
        CHECK_INT(options->size, sizes[i]);
        check_all(options, CUPEL_OK);
        options->limits[CUPEL_LIMIT_DEPTH] = 1;
        CHECK_INT(cupel_document_new(options, &made), CUPEL_OK);
        CHECK_INT(cupel_document_read(made, "[[]]", 4, NULL), CUPEL_E_JSON_DEPTH);
        cupel_document_free(made);
        options->size = sizes[i] - 4; /* no version had it, unless it is a longer struct */
        check_all(options, i < 3 ? CUPEL_E_ARGUMENT : CUPEL_OK);
    }
}

static void test_mcp(void)
{
    const size_t sizes[] = {offsetof(struct cupel_catalog_options, previous),
                            sizeof(struct cupel_catalog_options)};
    for (int i = 0; i < 2; i++) {
        struct cupel_catalog_options *options = at_end(sizes[i]);
        cupel_catalog_options_init_sized(options, sizes[i]);
        check_catalog(options, CUPEL_OK);
        options->size -= 4;
        check_catalog(options, CUPEL_E_ARGUMENT);
    }
}

static void test_args(void)
{
    const size_t sizes[] = {offsetof(struct cupel_argument_schema_options, flags),
                            sizeof(struct cupel_argument_schema_options)};
    for (int i = 0; i < 2; i++) {
        struct cupel_argument_schema_options *options = at_end(sizes[i]);
        cupel_argument_schema_options_init_sized(options, sizes[i]);
        check_args(options, CUPEL_OK);
        options->size -= 4;
        check_args(options, CUPEL_E_ARGUMENT);
    }
}

static void test_request(void)
{
    const size_t sizes[] = {offsetof(struct cupel_request_options, batch),
                            sizeof(struct cupel_request_options)};
    for (int i = 0; i < 2; i++) {
        struct cupel_request_options *options = at_end(sizes[i]);
        cupel_request_options_init_sized(options, sizes[i]);
        check_request(options, CUPEL_CALL_VALID);
        options->size -= 4;
        check_request(options, CUPEL_CALL_UNDECIDED);
    }
}

static void test_render(void)
{
    const size_t sizes[] = {offsetof(struct cupel_render_options, bytes),
                            sizeof(struct cupel_render_options)};
    for (int i = 0; i < 2; i++) {
        struct cupel_render_options *options = at_end(sizes[i]);
        cupel_render_options_init_sized(options, sizes[i]);
        check_render(options, CUPEL_RENDER_JSON, false);
        options->size -= 4;
        check_render(options, CUPEL_RENDER_JSON, true);
    }
}

int main(void)
{
    if (!map_pages()) {
        printf("no memory\n");
        return 1;
    }
    open_users();
    test_bound();
    test_options();
    test_mcp();
    test_args();
    test_request();
    test_render();
    close_users();
    return test_end();
}
