/* test_document.c: base/json/document.c: reading and walking JSON as a host does it, by
 * include/cupel/json.h alone. */
#include "test.h"
#include <cupel/json.h>

static struct cupel_document *doc;

static enum cupel_status read_text(const char *text, struct cupel_error *err)
{
    return cupel_document_read(doc, text, strlen(text), err);
}

static uint32_t member(uint32_t node, const char *key)
{
    return cupel_json_member(doc, node, key, strlen(key));
}

static void check_string(uint32_t node, const char *want, size_t n)
{
    size_t len = 99;
    const char *p = cupel_json_string(doc, node, &len);
    CHECK(p != NULL && len == n && memcmp(p, want, n) == 0);
}

static void check_span(uint32_t node, const char *want)
{
    size_t len;
    const char *p = cupel_json_span(doc, node, &len);
    CHECK_MEM(p, len, want);
}

static void test_types(void)
{
    static const enum cupel_json_type types[] = {
        CUPEL_JSON_NULL,   CUPEL_JSON_BOOLEAN, CUPEL_JSON_BOOLEAN, CUPEL_JSON_NUMBER,
        CUPEL_JSON_NUMBER, CUPEL_JSON_NUMBER,  CUPEL_JSON_STRING,  CUPEL_JSON_STRING,
        CUPEL_JSON_ARRAY,  CUPEL_JSON_OBJECT};
    CHECK_INT(read_text("[null, true, false, 1, -1.5, 1e400, \"\", \"\\n\", [], {}]", NULL),
              CUPEL_OK);
    CHECK_INT(cupel_json_type(doc, 0), CUPEL_JSON_ARRAY);
    CHECK_INT(cupel_json_count(doc, 0), 10);
    uint32_t i = 0, node = cupel_json_first(doc, 0);
    for (; node != CUPEL_NO_NODE; node = cupel_json_next(doc, 0, node), i++) {
        CHECK_INT(cupel_json_type(doc, node), types[i]);
        CHECK_INT(cupel_json_count(doc, node), 0);
        CHECK_INT(cupel_json_first(doc, node), CUPEL_NO_NODE);
        CHECK_INT(cupel_json_boolean(doc, node), i == 1 ? 1 : i == 2 ? 0 : -1);
        CHECK((cupel_json_string(doc, node, &(size_t){0}) != NULL) == (i == 6 || i == 7));
    }
    CHECK_INT(i, 10);
}

/* Names at any depth, in order, with strings that are no names between them. */
static void test_names(void)
{
    static const char *const names[] = {"a", "b", "\n", "d", "", "e"};
    CHECK_INT(read_text("{\"a\": [\"x\", {\"b\": \"y\", \"\\n\": []}, 12345678901234567890123], "
                        "\"d\": {\"\": {}}, \"e\": \"a\"}",
                        NULL),
              CUPEL_OK);
    const char *name;
    size_t len;
    uint32_t node = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        node = cupel_json_next_name(doc, 0, node, &name, &len);
        if (!CHECK(node != CUPEL_NO_NODE && len == strlen(names[i])))
            return;
        CHECK(memcmp(name, names[i], len) == 0);
        check_string(node, names[i], len);
    }
    CHECK_INT(cupel_json_next_name(doc, 0, node, &name, &len), CUPEL_NO_NODE);
    CHECK(name == NULL && len == 0);
    uint32_t d = member(0, "d");
    node = cupel_json_next_name(doc, d, d, &name, &len);
    CHECK(node == d + 1 && len == 0);
    CHECK_INT(cupel_json_next_name(doc, d, node, &name, &len), CUPEL_NO_NODE);
    CHECK_INT(cupel_json_next_name(doc, node, node, &name, &len), CUPEL_NO_NODE);
}

static void test_walk(void)
{
    CHECK_INT(
        read_text("{\"a\": [1, [2, 3]], \"b\\u0000c\": {\"d\": null}, \"\": \"\\ud83d\\ude00\"}",
                  NULL),
        CUPEL_OK);
    static const char *const keys[] = {"a", "b", ""};
    uint32_t key = cupel_json_first(doc, 0);
    for (int i = 0; i < 3; i++) {
        if (!CHECK(key != CUPEL_NO_NODE))
            return;
        check_string(key, i == 1 ? "b\0c" : keys[i], i == 1 ? 3 : strlen(keys[i]));
        uint32_t value = cupel_json_next(doc, 0, key);
        CHECK_INT(value, key + 1);
        key = cupel_json_next(doc, 0, value);
    }
    CHECK_INT(key, CUPEL_NO_NODE);
    uint32_t a = member(0, "a"), inner = cupel_json_next(doc, a, cupel_json_first(doc, a));
    CHECK_INT(cupel_json_count(doc, inner), 2);
    CHECK_INT(cupel_json_next(doc, a, inner), CUPEL_NO_NODE);
    uint32_t nul = cupel_json_member(doc, 0, "b\0c", 3);
    CHECK(nul != CUPEL_NO_NODE && member(nul, "d") != CUPEL_NO_NODE);
    check_string(member(0, ""), "\xf0\x9f\x98\x80", 4);
    CHECK(cupel_json_is(doc, member(0, ""), "\xf0\x9f\x98\x80"));
    CHECK(!cupel_json_is(doc, member(0, ""), "\xf0\x9f\x98") && !cupel_json_is(doc, a, "a"));
    CHECK_INT(member(0, "b"), CUPEL_NO_NODE);
    CHECK_INT(member(a, "a"), CUPEL_NO_NODE);
    check_span(a, "[1, [2, 3]]");
    check_span(member(0, ""), "\"\\ud83d\\ude00\"");
    check_span(nul, "{\"d\": null}");
}

static void test_integers(void)
{
    static const struct {
        const char *text;
        int64_t value;
        int result;
    } rows[] = {
        {"5", 5, 0},
        {"5.0", 5, 0},
        {"50e-1", 5, 0},
        {"-0", 0, 0},
        {"9223372036854775807", INT64_MAX, 0},
        {"-9223372036854775808", INT64_MIN, 0},
        {"9223372036854775808", 0, -1},
        {"1e400", 0, -1},
        {"0.5", 0, -1},
        {"\"5\"", 0, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t got = 77;
        CHECK_INT(read_text(rows[i].text, NULL), CUPEL_OK);
        CHECK_INT(cupel_json_integer(doc, 0, &got), rows[i].result);
        CHECK_INT(got, rows[i].result == 0 ? rows[i].value : 77);
        check_span(0, rows[i].text);
    }
}

static void test_places(void)
{
    uint64_t offset;
    uint32_t line, column;
    CHECK_INT(read_text("{\"\xc3\xa9\": 1,\n \"b\": [true,\n null]}", NULL), CUPEL_OK);
    cupel_json_place(doc, member(0, "\xc3\xa9"), &offset, &line, &column);
    CHECK(offset == 7 && line == 1 && column == 7);
    uint32_t b = member(0, "b"), last = cupel_json_next(doc, b, cupel_json_first(doc, b));
    cupel_json_place(doc, b, &offset, &line, &column);
    CHECK(offset == 16 && line == 2 && column == 7);
    cupel_json_place(doc, last, &offset, &line, &column);
    CHECK(offset == 24 && line == 3 && column == 2);
}

static void test_errors(void)
{
    static const struct {
        const char *text;
        enum cupel_status status;
        uint32_t line, column;
    } rows[] = {
        {"", CUPEL_E_SYNTAX, 1, 1},
        {"[1,\n x]", CUPEL_E_SYNTAX, 2, 2},
        {"1 2", CUPEL_E_TRAILING, 1, 3},
        {"{\"a\": 1, \"\\u0061\": 2}", CUPEL_E_DUPLICATE_KEY, 1, 10},
        {"\"\\ud800\"", CUPEL_E_SURROGATE, 1, 2},
        {"\xef\xbb\xbf 1", CUPEL_E_BOM, 1, 1},
        {"\"\xff\"", CUPEL_E_UTF8, 1, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cupel_error err = {0};
        CHECK_INT(read_text(rows[i].text, &err), rows[i].status);
        CHECK_INT(err.status, rows[i].status);
        CHECK(err.detail[0] != '\0');
        CHECK_INT(err.line, rows[i].line);
        CHECK_INT(err.column, rows[i].column);
        CHECK_INT(read_text(rows[i].text, NULL), rows[i].status); /* err may be NULL */
        CHECK_INT(read_text("[]", &err), CUPEL_OK);               /* and it can be used again */
    }
}

static void test_options(void)
{
    struct cupel_options options;
    struct cupel_document *lenient;
    cupel_options_init(&options);
    options.flags = CUPEL_ALLOW_DUPLICATE_KEYS | CUPEL_ALLOW_BOM;
    CHECK_INT(cupel_document_new(&options, &lenient), CUPEL_OK);
    static const char text[] = "\xef\xbb\xbf{\"a\": 1, \"b\": 2, \"a\": 3}";
    CHECK_INT(cupel_document_read(lenient, text, sizeof text - 1, NULL), CUPEL_OK);
    int64_t value = 0;
    CHECK_INT(cupel_json_count(lenient, 0), 2);
    CHECK_INT(cupel_json_integer(lenient, cupel_json_member(lenient, 0, "a", 1), &value), 0);
    CHECK_INT(value, 3);
    cupel_document_free(lenient);

    cupel_options_init(&options);
    options.alloc.realloc = NULL; /* the C library's */
    CHECK_INT(cupel_document_new(&options, &lenient), CUPEL_OK);
    CHECK_INT(cupel_document_read(lenient, "[1]", 3, NULL), CUPEL_OK);
    cupel_document_free(lenient);
    cupel_document_free(NULL);
}

/* A text is copied unless it is said to be padded; then it is used where it is. */
static void test_padded(void)
{
    struct cupel_options options;
    struct cupel_document *d;
    char text[80] = "[\"abc\"]";
    cupel_options_init(&options);
    for (int padded = 0; padded < 2; padded++) {
        size_t len;
        options.flags = padded ? CUPEL_INPUT_PADDED : 0;
        CHECK_INT(cupel_document_new(&options, &d), CUPEL_OK);
        CHECK_INT(cupel_document_read(d, text, 7, NULL), CUPEL_OK);
        const char *p = cupel_json_string(d, 1, &len);
        CHECK(len == 3 && (p == text + 2) == (padded == 1));
        cupel_document_free(d);
    }
}

static void test_equal(void)
{
    struct cupel_document *other;
    CHECK_INT(cupel_document_new(NULL, &other), CUPEL_OK);
    CHECK_INT(read_text("[{\"a\": 1, \"b\": [2.0]}, 1, \"\\u0061\", true]", NULL), CUPEL_OK);
    static const char text[] = "[{\"b\": [20e-1], \"a\": 1.0}, true, \"a\", 1]";
    CHECK_INT(cupel_document_read(other, text, sizeof text - 1, NULL), CUPEL_OK);
    uint32_t a = cupel_json_first(doc, 0), b = cupel_json_first(other, 0);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(cupel_json_equal(doc, a, other, b), i == 0 || i == 2);
        a = cupel_json_next(doc, 0, a);
        b = cupel_json_next(other, 0, b);
    }
    cupel_document_free(other);
}

int main(void)
{
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    test_types();
    test_names();
    test_walk();
    test_integers();
    test_places();
    test_errors();
    test_options();
    test_padded();
    test_equal();
    cupel_document_free(doc);
    return test_end();
}
