/* test_json_memory.c: the memory of the JSON reader: allocations that fail, none for a document
 * used again, and the limit. */
#include "json_check.h"
#include "test.h"

/* A text that makes the reader use all that it can. */
static size_t make_greedy(char *text, unsigned items)
{
    char *p = text + sprintf(text, "[");
    for (unsigned i = 0; i < items; i++)
        p += sprintf(p, "{\"key\\u0031\":\"\\n%u\",\"b\":[[%u]]},", i, i);
    p[-1] = ']';
    return (size_t)(p - text);
}

static void test_no_memory(void)
{
    static char text[60000];
    size_t n = make_greedy(text, 1200);
    struct cupel__read_options options = check_options(0);
    for (unsigned long fail_at = 1;; fail_at++) {
        struct test_alloc counts = {.fail_at = fail_at, .for_ever = fail_at % 2};
        struct cupel_alloc alloc = test_allocator(&counts);
        struct cupel__doc doc;
        cupel__doc_init(&doc, &alloc);
        enum cupel_status status = cupel__json_read(&doc, text, n, &options, NULL);
        bool failed = counts.requests >= fail_at;
        CHECK_INT(status, failed ? CUPEL_E_NO_MEMORY : CUPEL_OK);
        CHECK_INT(doc.memory, counts.live);
        counts.fail_at = 0;
        CHECK_INT(cupel__json_read(&doc, text, n, &options, NULL), CUPEL_OK);
        cupel__doc_free(&doc);
        CHECK_INT(counts.live, 0);
        if (!failed)
            break;
    }
}

/* After one text of a length, no other of that length allocates. */
static void test_warm(void)
{
    enum { N = 4000 };
    static char text[N + 1];
    static const char fills[] = "[]1\",\\ ";
    struct test_alloc counts = {0};
    struct cupel_alloc alloc = test_allocator(&counts);
    struct cupel__read_options options = check_options(CUPEL__READ_DUPLICATES);
    struct cupel__doc doc;
    cupel__doc_init(&doc, &alloc);
    memset(text, '\\', N);
    text[0] = text[N - 1] = '"';
    CHECK_INT(cupel__json_read(&doc, text, N, &options, NULL), CUPEL_OK);
    unsigned long requests = counts.requests;
    for (const char *fill = fills; *fill != '\0'; fill++) {
        memset(text, *fill, N);
        (void)cupel__json_read(&doc, text, N, &options, NULL);
    }
    memset(text, ' ', N);
    make_greedy(text, 80);
    CHECK_INT(cupel__json_read(&doc, text, N, &options, NULL), CUPEL_E_TRAILING);
    text[strlen(text)] = ' ';
    CHECK_INT(cupel__json_read(&doc, text, N, &options, NULL), CUPEL_OK);
    CHECK_INT(counts.requests, requests);
    cupel__doc_free(&doc);
}

static void test_memory_limit(void)
{
    static char text[60000];
    size_t n = make_greedy(text, 1200);
    struct cupel__read_options options = check_options(0);
    unsigned refused = 0;
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    for (options.max_memory = 1000;; options.max_memory += options.max_memory / 3) {
        enum cupel_status status = cupel__json_read(&doc, text, n, &options, NULL);
        CHECK(doc.memory <= options.max_memory);
        if (status == CUPEL_OK)
            break;
        CHECK_INT(status, CUPEL_E_LIMIT_MEMORY);
        refused++;
    }
    CHECK(refused > 5 && doc.memory < 12 * n);
    CHECK(check_tape(&doc) == NULL);
    cupel__doc_free(&doc);
}

/* A document that has grown under another limit; and what half as much again would exceed. */
static void test_memory_left(void)
{
    static char text[60000];
    struct cupel__read_options options = check_options(0);
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    size_t n = make_greedy(text, 1200);
    CHECK_INT(cupel__json_read(&doc, text, n, &options, NULL), CUPEL_OK);
    options.max_memory = 100;
    memset(text + n, ' ', sizeof text - n);
    CHECK_INT(cupel__json_read(&doc, text, sizeof text, &options, NULL), CUPEL_E_LIMIT_MEMORY);
    cupel__doc_free(&doc);
    cupel__doc_init(&doc, NULL);
    options.max_memory = 0;
    CHECK_INT(cupel__json_read(&doc, text, n, &options, NULL), CUPEL_OK);
    options.max_memory = doc.memory + 600;
    CHECK_INT(cupel__json_read(&doc, text, n + 500, &options, NULL), CUPEL_OK);
    CHECK(doc.memory <= options.max_memory);
    cupel__doc_free(&doc);
}

/* A text in place: there is a copy all the same, for texts that are not, and it may lack memory. */
static void test_no_memory_in_place(void)
{
    static const char text[80] = "[1]";
    struct cupel__read_options options = check_options(CUPEL__READ_PADDED);
    enum cupel_status status = CUPEL_E_NO_MEMORY;
    for (unsigned long at = 1; status == CUPEL_E_NO_MEMORY && CHECK(at < 20); at++) {
        struct test_alloc counts = {.fail_at = at};
        struct cupel_alloc alloc = test_allocator(&counts);
        struct cupel__doc doc;
        cupel__doc_init(&doc, &alloc);
        status = cupel__json_read(&doc, text, 3, &options, NULL);
        cupel__doc_free(&doc);
        CHECK_INT(counts.live, 0);
    }
    CHECK_INT(status, CUPEL_OK);
}

int main(void)
{
    test_no_memory();
    test_warm();
    test_memory_limit();
    test_memory_left();
    test_no_memory_in_place();
    return test_end();
}
