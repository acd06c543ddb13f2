/* test_catalog_image.c: catalogs as bytes: the same tools come back, and damage never gives others.
 */
#include "test.h"

#include <cupel/cupel.h>

/* One tool of each kind: sound, with headers, with an output, refused for each of its schemas, with
 * a duplicate key, twice with one name, no object. */
static const char list[] =
    "{\"tools\":["
    "{\"name\":\"plain\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
    "{\"a\":{\"type\":\"string\",\"pattern\":\"^[a-z]+\\\\d\"}},\"required\":[\"a\"]}},"
    "{\"name\":\"header\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":"
    "\"object\","
    "\"properties\":{\"r\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}},"
    "{\"name\":\"both\",\"title\":\"B\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":"
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}},"
    "{\"name\":\"bad\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":"
    "\"no\\nne\"}}},"
    "\"outputSchema\":{\"$ref\":\"#/nowhere\"}},"
    "{\"name\":\"dup\",\"name\":\"dup2\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"name\":\"plain\",\"inputSchema\":{\"type\":\"object\"}},"
    "7,"
    "{\"name\":\"none\"},{\"name\":\"null\",\"inputSchema\":null}"
    "]}";

static struct cupel_catalog *make(const struct cupel_catalog_options *options, const char *text,
                                  size_t len)
{
    struct cupel_catalog *catalog = NULL;
    if (cupel_catalog_new(options, &catalog) != CUPEL_OK)
        return NULL;
    if (cupel_catalog_add(catalog, text, len, NULL) == CUPEL_OK)
        return catalog;
    cupel_catalog_free(catalog);
    return NULL;
}

static bool same_bytes(const char *a, size_t na, const char *b, size_t nb)
{
    return na == nb && memcmp(a, b, na) == 0;
}

static bool same_program(const struct cupel_program *a, const struct cupel_program *b)
{
    size_t na, nb;
    if (a == NULL || b == NULL)
        return a == b;
    const void *image_a = cupel_program_image(a, &na), *image_b = cupel_program_image(b, &nb);
    return same_bytes(image_a, na, image_b, nb);
}

static bool same_problems(const struct cupel_tool *a, const struct cupel_tool *b)
{
    if (a->problem_count != b->problem_count)
        return false;
    for (uint32_t i = 0; i < a->problem_count; i++) {
        const struct cupel_rule_problem *x = &a->problems[i], *y = &b->problems[i];
        if (strcmp(x->rule, y->rule) != 0 || x->severity != y->severity || x->part != y->part ||
            strcmp(x->pointer, y->pointer) != 0 || strcmp(x->message, y->message) != 0 ||
            x->status != y->status)
            return false;
    }
    return true;
}

static bool same_tool(const struct cupel_tool *a, const struct cupel_tool *b)
{
    return same_bytes(a->name, a->name_len, b->name, b->name_len) && a->verdict == b->verdict &&
           same_bytes(a->text, a->text_len, b->text, b->text_len) &&
           same_bytes(a->label, a->label_len, b->label, b->label_len) &&
           same_bytes(a->id, a->id_len, b->id, b->id_len) && a->image_bytes == b->image_bytes &&
           memcmp(&a->hints, &b->hints, sizeof(a->hints)) == 0 &&
           a->task_support == b->task_support && same_problems(a, b) &&
           same_program(a->input, b->input) && same_program(a->output, b->output);
}

static bool same(const struct cupel_catalog *a, const struct cupel_catalog *b)
{
    if (cupel_catalog_count(a) != cupel_catalog_count(b))
        return false;
    for (uint32_t i = 0; i < cupel_catalog_count(a); i++)
        if (!same_tool(cupel_catalog_tool(a, i), cupel_catalog_tool(b, i)))
            return false;
    return true;
}

/* An aligned copy, which the caller frees. */
static char *copy_of(const struct cupel_text *text)
{
    char *copy = malloc(text->len);
    return copy != NULL ? memcpy(copy, text->bytes, text->len) : NULL;
}

static void test_round_trip(const struct cupel_catalog_options *options, const char *text,
                            size_t len)
{
    struct cupel_catalog *catalog = make(options, text, len), *again = NULL, *borrowed = NULL;
    struct cupel_text image, second;
    cupel_text_init(&image, NULL);
    cupel_text_init(&second, NULL);
    if (!CHECK(catalog != NULL))
        return;
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    char *copy = copy_of(&image);
    CHECK_INT(cupel_catalog_load(image.bytes, image.len, 0, options, &again, NULL), CUPEL_OK);
    CHECK_INT(cupel_catalog_load(copy, image.len, CUPEL_LOAD_BORROW, options, &borrowed, NULL),
              CUPEL_OK);
    cupel_text_clear(&image);
    CHECK(again != NULL && same(catalog, again));
    CHECK(borrowed != NULL && same(catalog, borrowed));
    CHECK_INT(cupel_catalog_save(again, &second, NULL, NULL), CUPEL_OK);
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    CHECK(same_bytes(image.bytes, image.len, second.bytes, second.len));
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_E_ARGUMENT);
    cupel_catalog_free(again);
    cupel_catalog_free(borrowed);
    cupel_catalog_free(catalog);
    cupel_text_free(&image);
    cupel_text_free(&second);
    free(copy);
}

static void test_calls(void)
{
    static const char good[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                               "{\"name\":\"both\",\"arguments\":{}}}";
    static const char bad[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                              "{\"name\":\"header\",\"arguments\":{\"r\":1}}}";
    struct cupel_catalog *catalog = make(NULL, list, strlen(list)), *again = NULL;
    struct cupel_call_context *caller = NULL;
    struct cupel_text image, answer;
    cupel_text_init(&image, NULL);
    cupel_text_init(&answer, NULL);
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    CHECK_INT(cupel_catalog_load(image.bytes, image.len, 0, NULL, &again, NULL), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(NULL, &caller), CUPEL_OK);
    CHECK_INT(cupel_call_check(again, caller, good, strlen(good), NULL, &answer, NULL, NULL, NULL),
              CUPEL_CALL_VALID);
    CHECK_INT(cupel_call_check(again, caller, bad, strlen(bad), NULL, &answer, NULL, NULL, NULL),
              CUPEL_CALL_INVALID);
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_catalog_free(again);
    cupel_text_free(&image);
    cupel_text_free(&answer);
}

/* -- In pieces, and programs outside ----------------------------------------------------------- */

static void test_pieces(void)
{
    struct cupel_catalog *catalog = make(NULL, list, strlen(list)), *again = NULL;
    struct cupel_text image;
    cupel_text_init(&image, NULL);
    uint32_t tools = 0;
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    struct cupel_catalog_options options;
    cupel_catalog_options_init(&options);
    CHECK_INT(cupel_catalog_image_check(image.bytes, image.len, &options, &tools, NULL), CUPEL_OK);
    CHECK_INT(tools, cupel_catalog_count(catalog));
    CHECK_INT(cupel_catalog_new(&options, &again), CUPEL_OK);
    for (uint32_t i = 0; i < tools; i++)
        CHECK_INT(cupel_catalog_add_image(again, image.bytes, image.len, i, 1, 0, NULL, NULL, NULL),
                  CUPEL_OK);
    CHECK(same(catalog, again));
    CHECK_INT(cupel_catalog_add_image(again, image.bytes, image.len, 0, 0, 0, NULL, NULL, NULL),
              CUPEL_OK);
    CHECK_INT(cupel_catalog_add_image(again, image.bytes, image.len, 1, tools, 0, NULL, NULL, NULL),
              CUPEL_E_ARGUMENT);
    CHECK(same(catalog, again));
    cupel_catalog_free(again);
    cupel_catalog_free(catalog);
    cupel_text_free(&image);
}

enum { MOST = 16 };

struct outside {
    const void *images[MOST];
    size_t lens[MOST];
    uint64_t count;
};

static int keep(void *ctx, const char *schema, size_t schema_len, const void *image, size_t len,
                uint64_t *ret_ref)
{
    struct outside *outside = ctx;
    CHECK(schema_len != 0 && schema[0] == '{');
    if (outside->count % 3 == 2)
        return -1;
    outside->images[outside->count] = image;
    outside->lens[outside->count] = len;
    *ret_ref = outside->count++;
    return 0;
}

static int find(void *ctx, uint64_t ref, const void **ret_image, size_t *ret_len)
{
    struct outside *outside = ctx;
    if (ref >= outside->count)
        return -1;
    *ret_image = outside->images[ref];
    *ret_len = outside->lens[ref];
    return 0;
}

static void test_outside(void)
{
    struct cupel_catalog *catalog = make(NULL, list, strlen(list)), *again = NULL;
    struct outside outside = {.count = 0};
    struct cupel_text image;
    uint32_t tools = cupel_catalog_count(catalog);
    cupel_text_init(&image, NULL);
    CHECK_INT(cupel_catalog_save(catalog, &image, keep, &outside), CUPEL_OK);
    CHECK(outside.count != 0);
    CHECK_INT(cupel_catalog_new(NULL, &again), CUPEL_OK);
    CHECK_INT(cupel_catalog_add_image(again, image.bytes, image.len, 0, tools, 0, NULL, NULL, NULL),
              CUPEL_E_BAD_IMAGE);
    CHECK_INT(cupel_catalog_add_image(again, image.bytes, image.len, 0, tools, CUPEL_LOAD_BORROW,
                                      find, &outside, NULL),
              CUPEL_OK);
    CHECK(same(catalog, again));
    outside.lens[0]--;
    CHECK_INT(cupel_catalog_add_image(again, image.bytes, image.len, 0, 1, 0, find, &outside, NULL),
              CUPEL_E_BAD_IMAGE);
    CHECK(same(catalog, again));
    cupel_catalog_free(again);
    cupel_catalog_free(catalog);
    cupel_text_free(&image);
}

/* -- Damage, other options, no memory ---------------------------------------------------------- */

static void test_damage(void)
{
    struct cupel_catalog *catalog = make(NULL, list, strlen(list)), *again = NULL;
    struct cupel_catalog_options options;
    struct cupel_text image;
    unsigned long accepted = 0;
    cupel_catalog_options_init(&options);
    cupel_text_init(&image, NULL);
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    for (size_t i = 0; i < image.len; i++) {
        image.bytes[i] ^= (char)(1 << i % 8);
        accepted += cupel_catalog_load(image.bytes, image.len, 0, NULL, &again, NULL) == CUPEL_OK;
        image.bytes[i] ^= (char)(1 << i % 8);
    }
    for (size_t len = 0; len < image.len; len++)
        accepted += cupel_catalog_load(image.bytes, len, 0, NULL, &again, NULL) == CUPEL_OK;
    CHECK_INT(accepted, 0);
    /* Without the checksum nothing may be read outside; what comes of it is not said. */
    for (size_t i = 0; i < image.len; i++) {
        image.bytes[i] ^= (char)(1 << i % 8);
        if (cupel_catalog_new(NULL, &again) == CUPEL_OK) {
            if (cupel_catalog_add_image(again, image.bytes, image.len, 0, 4, 0, NULL, NULL, NULL) !=
                CUPEL_OK)
                CHECK_INT(cupel_catalog_count(again), 0);
            cupel_catalog_free(again);
        }
        image.bytes[i] ^= (char)(1 << i % 8);
    }
    cupel_catalog_free(catalog);
    cupel_text_free(&image);
}

static void test_options(void)
{
    struct cupel_catalog *catalog = make(NULL, list, strlen(list)), *again = NULL;
    struct cupel_catalog_options options[4];
    struct cupel_text image;
    struct cupel_error err;
    cupel_text_init(&image, NULL);
    struct cupel_options engines[4];
    for (int i = 0; i < 4; i++) {
        cupel_catalog_options_init(&options[i]);
        cupel_options_init(&engines[i]);
        options[i].engine = &engines[i];
    }
    options[0].profile = CUPEL_MCP_2025_06_18;
    options[1].flags = CUPEL_CATALOG_STRICT_NAMES;
    engines[2].limits[CUPEL_LIMIT_PATTERN_STEPS]--;
    engines[3].flags |= CUPEL_ASSERT_FORMAT;
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    for (int i = 0; i < 4; i++)
        CHECK_INT(cupel_catalog_load(image.bytes, image.len, 0, &options[i], &again, &err),
                  CUPEL_E_IMAGE_VERSION);
    cupel_catalog_free(catalog);
    cupel_text_free(&image);
}

/* The bounds on which programs and catalogs depend, besides limits.def; no other bound makes an
 * image or a program another one. */
static const enum cupel_limit of_programs[] = {
    CUPEL_LIMIT_NUMBER_CHARS,  CUPEL_LIMIT_SCHEMA_BYTES,  CUPEL_LIMIT_SCHEMA_DEPTH,
    CUPEL_LIMIT_SUBSCHEMAS,    CUPEL_LIMIT_IMAGE_BYTES,   CUPEL_LIMIT_PATTERN_BYTES,
    CUPEL_LIMIT_MATCHER_BYTES, CUPEL_LIMIT_PATTERN_STEPS, CUPEL_LIMIT_COMPILE_BYTES};

static bool is_of_programs(int limit)
{
    for (size_t i = 0; i < sizeof of_programs / sizeof *of_programs; i++)
        if ((int)of_programs[i] == limit)
            return true;
    return false;
}

static void test_limits(void)
{
    struct cupel_catalog *catalog = make(NULL, list, strlen(list));
    struct cupel_catalog_options options;
    struct cupel_options engine;
    struct cupel_text image;
    int found = 0;
    cupel_text_init(&image, NULL);
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    for (int i = 0; i < CUPEL_LIMITS && cupel_limit_name((enum cupel_limit)i) != NULL; i++) {
        struct cupel_catalog *other = NULL, *loaded = NULL;
        const bool program = is_of_programs(i);
        const bool stored = program || i == CUPEL_LIMIT_CATALOG_PATTERN_STEPS;
        cupel_catalog_options_init(&options);
        cupel_options_init(&engine);
        engine.limits[i]--;
        options.engine = &engine;
        CHECK_INT(cupel_catalog_load(image.bytes, image.len, 0, &options, &loaded, NULL),
                  stored ? CUPEL_E_IMAGE_VERSION : CUPEL_OK);
        options.previous = catalog;
        CHECK_INT(cupel_catalog_new(&options, &other), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(other, list, strlen(list), NULL), CUPEL_OK);
        CHECK((cupel_catalog_tool(other, 0)->shared == 0) == program);
        cupel_catalog_free(other);
        cupel_catalog_free(loaded);
        found++;
    }
    CHECK(found >= 17);
    cupel_catalog_free(catalog);
    cupel_text_free(&image);
}

static void test_memory(void)
{
    struct cupel_catalog *catalog = make(NULL, list, strlen(list));
    struct cupel_text image;
    cupel_text_init(&image, NULL);
    CHECK_INT(cupel_catalog_save(catalog, &image, NULL, NULL), CUPEL_OK);
    bool done = false;
    for (unsigned long at = 1; !done; at++) {
        for (int ever = 0; ever < 2; ever++) {
            struct test_alloc test = {.fail_at = at, .for_ever = ever};
            struct cupel_catalog_options options;
            struct cupel_options engine;
            struct cupel_catalog *again = NULL;
            struct cupel_text text;
            struct cupel_alloc alloc = test_allocator(&test);
            cupel_text_init(&text, &alloc);
            cupel_catalog_options_init(&options);
            cupel_options_init(&engine);
            options.engine = &engine;
            engine.alloc = alloc;
            enum cupel_status status =
                cupel_catalog_load(image.bytes, image.len, 0, &options, &again, NULL);
            if (status == CUPEL_OK && CHECK(same(catalog, again)))
                status = cupel_catalog_save(again, &text, NULL, NULL);
            done = status == CUPEL_OK;
            CHECK(done || (status == CUPEL_E_NO_MEMORY && text.len == 0));
            cupel_catalog_free(again);
            cupel_text_free(&text);
            CHECK_INT(test.live, 0);
        }
    }
    cupel_catalog_free(catalog);
    cupel_text_free(&image);
}

static void test_checksum(void)
{
    char bytes[200] = {0};
    uint64_t first = cupel_checksum(bytes, sizeof(bytes));
    for (size_t i = 0; i < sizeof(bytes); i++)
        CHECK(cupel_checksum(bytes, i) != first);
    for (size_t i = 0; i < sizeof(bytes) * 8; i++) {
        bytes[i / 8] ^= (char)(1 << i % 8);
        CHECK(cupel_checksum(bytes, sizeof(bytes)) != first);
        bytes[i / 8] ^= (char)(1 << i % 8);
    }
}

int main(void)
{
    struct cupel_catalog_options options;
    struct cupel_options engine;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    test_round_trip(NULL, list, strlen(list));
    test_round_trip(NULL, "[]", 2);
    options.profile = CUPEL_MCP_2025_06_18;
    engine.flags |= CUPEL_NO_REPORT;
    test_round_trip(&options, list, strlen(list));
    test_calls();
    test_pieces();
    test_outside();
    test_damage();
    test_options();
    test_limits();
    test_memory();
    test_checksum();
    return test_end();
}
