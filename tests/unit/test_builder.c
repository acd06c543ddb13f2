/* test_builder.c: base/json/builder.c: a document that was built is the one that reading its text
 * gives. */
#include "rebuild.h"
#include "test.h"
#include <cupel/cupel.h>
#include <math.h>

static struct cupel_document *doc, *other;

static void check_text(const char *want)
{
    size_t len;
    const char *text;
    CHECK_INT(cupel_document_end(doc, NULL), CUPEL_OK);
    text = cupel_json_span(doc, 0, &len);
    CHECK_MEM(text, len, want);
    CHECK_INT(cupel_document_read(other, text, len, NULL), CUPEL_OK);
    CHECK_INT(cupel_json_equal(doc, 0, other, 0), 1);
}

static void check_failure(enum cupel_status status, const char *where)
{
    struct cupel_error err;
    CHECK_INT(cupel_document_end(doc, &err), status);
    CHECK_INT(err.status, status);
    CHECK_STR(err.where, where);
}

static enum cupel_status add_name(const char *name)
{
    return cupel_document_add_name(doc, name, strlen(name));
}

static enum cupel_status add_string(const char *text)
{
    return cupel_document_add_string(doc, text, strlen(text));
}

static enum cupel_status add_number(const char *text)
{
    return cupel_document_add_number(doc, text, strlen(text));
}

static void test_values(void)
{
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_open_array(doc), CUPEL_OK);
    CHECK_INT(cupel_document_add_null(doc), CUPEL_OK);
    CHECK_INT(cupel_document_add_boolean(doc, 7), CUPEL_OK);
    CHECK_INT(cupel_document_add_boolean(doc, 0), CUPEL_OK);
    CHECK_INT(cupel_document_add_integer(doc, INT64_MIN), CUPEL_OK);
    CHECK_INT(cupel_document_add_integer(doc, INT64_MAX), CUPEL_OK);
    CHECK_INT(cupel_document_add_unsigned(doc, UINT64_MAX), CUPEL_OK);
    CHECK_INT(add_number("1e400"), CUPEL_OK);
    CHECK_INT(cupel_document_add_double(doc, 0.1), CUPEL_OK);
    CHECK_INT(cupel_document_add_double(doc, -0.0), CUPEL_OK);
    CHECK_INT(cupel_document_add_double(doc, 5e-324), CUPEL_OK);
    CHECK_INT(cupel_document_add_double(doc, 1.7976931348623157e308), CUPEL_OK);
    CHECK_INT(cupel_document_add_double(doc, 9007199254740993.0), CUPEL_OK);
    CHECK_INT(cupel_document_open_object(doc), CUPEL_OK);
    CHECK_INT(cupel_document_close(doc), CUPEL_OK);
    CHECK_INT(cupel_document_open_array(doc), CUPEL_OK);
    CHECK_INT(cupel_document_close(doc), CUPEL_OK);
    CHECK_INT(cupel_document_close(doc), CUPEL_OK);
    check_text("[null,true,false,-9223372036854775808,9223372036854775807,18446744073709551615,"
               "1e400,0.1,-0.0,5e-324,1.7976931348623157e+308,9007199254740992.0,{},[]]");
}

static void test_strings(void)
{
    cupel_document_begin(doc);
    cupel_document_open_object(doc);
    CHECK_INT(add_name("plain"), CUPEL_OK);
    CHECK_INT(add_string("\xc3\xa4\xf0\x9f\x98\x80/\x7f"), CUPEL_OK);
    CHECK_INT(cupel_document_add_name(doc, "a\"b\\\n\0\x1f", 7), CUPEL_OK);
    CHECK_INT(cupel_document_add_string(doc, "\b\f\n\r\t\0\x1f\"\\ !", 11), CUPEL_OK);
    CHECK_INT(add_name(""), CUPEL_OK);
    CHECK_INT(cupel_document_add_string(doc, NULL, 0), CUPEL_OK);
    CHECK_INT(cupel_document_close(doc), CUPEL_OK);
    check_text("{\"plain\":\"\xc3\xa4\xf0\x9f\x98\x80/\x7f\",\"a\\\"b\\\\\\n\\u0000\\u001f\":"
               "\"\\b\\f\\n\\r\\t\\u0000\\u001f\\\"\\\\ !\",\"\":\"\"}");
    uint32_t value = cupel_json_member(doc, 0, "a\"b\\\n\0\x1f", 7);
    size_t len = 0;
    const char *text = value != CUPEL_NO_NODE ? cupel_json_string(doc, value, &len) : "";
    CHECK(len == 11 && memcmp(text, "\b\f\n\r\t\0\x1f\"\\ !", 11) == 0);
}

/* Each breaks a rule of the order of calls; what follows returns the same status. */
static void test_order(void)
{
    check_failure(CUPEL_E_ARGUMENT, "");
    cupel_document_begin(doc);
    check_failure(CUPEL_E_ARGUMENT, "");
    CHECK_INT(cupel_document_add_null(doc), CUPEL_E_ARGUMENT);
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_add_null(doc), CUPEL_OK);
    CHECK_INT(cupel_document_add_null(doc), CUPEL_E_ARGUMENT);
    check_failure(CUPEL_E_ARGUMENT, "");
    cupel_document_begin(doc);
    CHECK_INT(add_name("a"), CUPEL_E_ARGUMENT);
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_close(doc), CUPEL_E_ARGUMENT);
    cupel_document_begin(doc);
    cupel_document_open_array(doc);
    CHECK_INT(add_name("a"), CUPEL_E_ARGUMENT);
    CHECK_INT(cupel_document_close(doc), CUPEL_E_ARGUMENT);
    cupel_document_begin(doc);
    cupel_document_open_object(doc);
    add_name("a");
    cupel_document_open_object(doc);
    CHECK_INT(cupel_document_add_null(doc), CUPEL_E_ARGUMENT);
    check_failure(CUPEL_E_ARGUMENT, "/a");
    cupel_document_begin(doc);
    cupel_document_open_object(doc);
    add_name("a");
    CHECK_INT(add_name("b"), CUPEL_E_ARGUMENT);
    cupel_document_begin(doc);
    cupel_document_open_object(doc);
    add_name("a");
    CHECK_INT(cupel_document_close(doc), CUPEL_E_ARGUMENT);
    cupel_document_begin(doc);
    cupel_document_open_array(doc);
    cupel_document_open_array(doc);
    check_failure(CUPEL_E_ARGUMENT, "/0");
}

static void test_refused(void)
{
    cupel_document_begin(doc);
    cupel_document_open_array(doc);
    cupel_document_add_null(doc);
    CHECK_INT(add_string("\xed\xa0\x80"), CUPEL_E_UTF8);
    CHECK_INT(cupel_document_add_null(doc), CUPEL_E_UTF8);
    check_failure(CUPEL_E_UTF8, "/1");
    cupel_document_begin(doc);
    cupel_document_open_object(doc);
    CHECK_INT(add_name("\xff"), CUPEL_E_UTF8);
    static const char *const wrong[] = {"",   "-",  "01",  "1.",  "1e",
                                        ".5", "1 ", "NaN", "1,2", "\"\""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cupel_document_begin(doc);
        CHECK_INT(add_number(wrong[i]), CUPEL_E_SYNTAX);
    }
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_add_double(doc, (double)INFINITY), CUPEL_E_SYNTAX);
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_add_double(doc, (double)NAN), CUPEL_E_SYNTAX);
}

/* Objects of `n` members, the last of which has the name of member `again`. */
static void build_twins(int n, int again)
{
    char name[16];
    cupel_document_begin(doc);
    cupel_document_open_array(doc);
    cupel_document_open_object(doc);
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "n%d", i == n - 1 ? again : i);
        add_name(name);
        cupel_document_add_integer(doc, i);
    }
    cupel_document_close(doc);
    cupel_document_close(doc);
}

static void test_duplicates(void)
{
    static const int sizes[] = {2, 3, 8, 9, 100, 3000};
    struct cupel_document *strict = doc;
    struct cupel_options options;
    char where[32];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i];
        build_twins(n, n / 2 - 1);
        snprintf(where, sizeof where, "/0/n%d", n / 2 - 1);
        check_failure(CUPEL_E_DUPLICATE_KEY, where);
        build_twins(n, n - 1);
        CHECK_INT(cupel_document_end(doc, NULL), CUPEL_OK);
    }
    cupel_options_init(&options);
    options.flags |= CUPEL_ALLOW_DUPLICATE_KEYS;
    CHECK_INT(cupel_document_new(&options, &doc), CUPEL_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i];
        int64_t value = -1;
        build_twins(n, 0);
        CHECK_INT(cupel_document_end(doc, NULL), CUPEL_OK);
        CHECK_INT(cupel_json_count(doc, 1), n - 1);
        CHECK_INT(cupel_json_integer(doc, cupel_json_member(doc, 1, "n0", 2), &value), 0);
        CHECK_INT(value, n - 1);
    }
    cupel_document_free(doc);
    doc = strict;
}

static void test_limits(void)
{
    struct cupel_document *strict = doc;
    struct cupel_options options;
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_DEPTH] = 3;
    options.limits[CUPEL_LIMIT_BODY_BYTES] = 20;
    options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 5;
    CHECK_INT(cupel_document_new(&options, &doc), CUPEL_OK);
    cupel_document_begin(doc);
    for (int i = 0; i < 3; i++)
        CHECK_INT(cupel_document_open_array(doc), CUPEL_OK);
    CHECK_INT(cupel_document_open_object(doc), CUPEL_E_JSON_DEPTH);
    check_failure(CUPEL_E_JSON_DEPTH, "/0/0/0");
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_add_integer(doc, 12345), CUPEL_OK);
    check_text("12345");
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_add_integer(doc, -12345), CUPEL_E_NUMBER_SIZE);
    cupel_document_begin(doc);
    CHECK_INT(add_number("123456"), CUPEL_E_NUMBER_SIZE);
    cupel_document_begin(doc);
    CHECK_INT(cupel_document_add_double(doc, 0.12345), CUPEL_E_NUMBER_SIZE);
    cupel_document_begin(doc);
    CHECK_INT(add_string("12345678901234567890"), CUPEL_E_JSON_SIZE);
    cupel_document_begin(doc);
    cupel_document_open_array(doc);
    enum cupel_status status = CUPEL_OK;
    for (int i = 0; i < 30 && status == CUPEL_OK; i++)
        status = cupel_document_add_integer(doc, 1);
    CHECK_INT(status, CUPEL_E_JSON_SIZE);
    cupel_document_free(doc);
    doc = strict;
}

/* A document that was built is judged and reported as one that was read. */
static void test_judged(void)
{
    const char *schema = "{\"properties\":{\"limit\":{\"type\":\"integer\",\"maximum\":100},"
                         "\"tags\":{\"uniqueItems\":true}},\"additionalProperties\":false}";
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    for (int64_t limit = 99; limit <= 101; limit++) {
        cupel_document_begin(doc);
        cupel_document_open_object(doc);
        add_name("tags");
        cupel_document_open_array(doc);
        add_string("a\n");
        add_string("b");
        cupel_document_close(doc);
        add_name("limit");
        cupel_document_add_integer(doc, limit);
        cupel_document_close(doc);
        CHECK_INT(cupel_document_end(doc, NULL), CUPEL_OK);
        CHECK_INT(cupel_validate_node(program, scratch, doc, 0, NULL),
                  limit <= 100 ? CUPEL_VALID : CUPEL_INVALID);
    }
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

static void test_again(void)
{
    static const char *const texts[] = {
        "{\"a\":[1,2.50,\"x\\u0041\\n\",{\"b\\t\":{}}],\"c\":null,\"\\u00e4\":true}", "[[[[]]],{}]",
        "\"\\ud83d\\ude00\"", "-0", "[1E5,1e-7,12345678901234567890123,-9223372036854775809]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK_INT(cupel_document_read(other, texts[i], strlen(texts[i]), NULL), CUPEL_OK);
        cupel_document_begin(doc);
        rebuild_value(other, 0, doc);
        CHECK_INT(cupel_document_end(doc, NULL), CUPEL_OK);
        CHECK_INT(cupel_json_equal(doc, 0, other, 0), 1);
    }
}

/* Each allocation fails once; nothing leaks, and the document can be used afterwards. */
static void test_no_memory(void)
{
    struct cupel_document *strict = doc;
    bool failed = true;
    for (unsigned long n = 1; failed && n < 100; n++) {
        struct test_alloc heap = {.fail_at = n};
        struct cupel_options options;
        cupel_options_init(&options);
        options.alloc = test_allocator(&heap);
        failed = cupel_document_new(&options, &doc) != CUPEL_OK;
        if (failed) {
            CHECK_INT(heap.live, 0);
            continue;
        }
        for (int round = 0; round < 2; round++) {
            build_twins(200, 199);
            cupel_document_begin(doc);
            cupel_document_open_array(doc);
            for (int i = 0; i < 300; i++)
                add_string("a \n b");
            cupel_document_close(doc);
            enum cupel_status status = cupel_document_end(doc, NULL);
            failed |= status != CUPEL_OK;
            CHECK(status == CUPEL_OK || (round == 0 && status == CUPEL_E_NO_MEMORY));
        }
        cupel_document_free(doc);
        CHECK_INT(heap.live, 0);
        failed |= heap.requests >= n;
    }
    CHECK(!failed);
    doc = strict;
}

int main(void)
{
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    CHECK_INT(cupel_document_new(NULL, &other), CUPEL_OK);
    test_values();
    test_strings();
    test_order();
    test_refused();
    test_duplicates();
    test_limits();
    test_judged();
    test_again();
    test_no_memory();
    cupel_document_free(doc);
    cupel_document_free(other);
    return test_end();
}
