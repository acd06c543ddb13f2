/* test_cursor.c: places found by a cursor are those found from the root and from the first byte, in
 * any order; in the order of the document they cost no more than one pass. */
#include "base/error.h"
#include "base/json/cursor.h"
#include "base/json/document.h"
#include "test.h"
#include <stdlib.h>

static const char text[] =
    "{\"a\": [1, [], {\"x~y/z\": [[\"\\u00e4\", 2], {}]}, \"l\"],\n \"\\u00e4\": {\"\": {\"\": "
    "null}},\n"
    "\"b\\n\": [{\"k\": 1}, {\"k\": [2,\n3]}, 4], \"c\": \"\xc3\xa4\xe2\x82\xac\", \"d\": 5}";

struct fixture {
    struct cupel_document *document;
    struct cupel__cursor *cursor;
    size_t size;
};

static struct fixture make(const char *json, size_t len, uint32_t depth)
{
    struct fixture f = {NULL, NULL, cupel__cursor_size(depth)};
    CHECK_INT(cupel_document_new(NULL, &f.document), CUPEL_OK);
    CHECK_INT(cupel_document_read(f.document, json, len, NULL), CUPEL_OK);
    f.cursor = malloc(f.size);
    return f;
}

static void drop(struct fixture *f)
{
    cupel_document_free(f->document);
    free(f->cursor);
}

static void check_place(struct fixture *f, uint32_t node)
{
    struct cupel__doc *doc = &f->document->doc;
    struct cupel_text want, got;
    struct cupel_error place;
    struct cupel__pointer to = {.text = &got, .max = SIZE_MAX};
    uint32_t line, column;
    cupel_text_init(&want, NULL);
    cupel_text_init(&got, NULL);
    cupel__doc_pointer(doc, node, &want);
    cupel__cursor_pointer(f->cursor, node, &to);
    CHECK_MEM(got.bytes, got.len, want.len > 0 ? want.bytes : "");
    struct cupel__str span = cupel__doc_span(doc, node),
                      found = cupel__cursor_span(f->cursor, node);
    CHECK(found.p == span.p && found.n == span.n);
    CHECK(cupel__doc_offset(doc, node) == (size_t)(span.p - doc->base[0]));
    cupel__error_set_position(&place, doc->base[0], doc->len, (size_t)(span.p - doc->base[0]));
    cupel__cursor_line(f->cursor, (size_t)(span.p - doc->base[0]), &line, &column);
    CHECK(line == place.line && column == place.column);
    cupel_text_free(&want);
    cupel_text_free(&got);
}

/* Every node after every other. */
static void test_any_order(void)
{
    struct fixture f = make(text, sizeof text - 1, 16);
    uint32_t n = f.document->doc.nnodes;
    cupel__cursor_begin(f.cursor, f.size, &f.document->doc, 0, 1 << 30);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            check_place(&f, i);
            check_place(&f, k);
        }
    drop(&f);
}

/* Below a node of the document. */
static void test_root(void)
{
    struct fixture f = make(text, sizeof text - 1, 16);
    struct cupel__doc *doc = &f.document->doc;
    uint32_t root = cupel__doc_member(doc, 0, CUPEL__STR("b\n"));
    struct cupel_text got;
    struct cupel__pointer to = {.text = &got, .max = SIZE_MAX};
    cupel_text_init(&got, NULL);
    cupel__cursor_begin(f.cursor, f.size, doc, root, 1000);
    cupel__cursor_pointer(f.cursor, doc->nodes[root].end - 1, &to);
    CHECK_MEM(got.bytes, got.len, "/2");
    cupel_text_free(&got);
    drop(&f);
}

static char *items(unsigned n)
{
    char *json = malloc(4 * (size_t)n + 3), *p = json;
    *p++ = '[';
    for (unsigned i = 0; i < n; i++) {
        memcpy(p, "[1],", 4);
        p += 4;
    }
    p[-1] = ']';
    *p = '\0';
    return json;
}

/* In the order of the document a place costs a few steps; there and back again it costs its
 * siblings. */
static void test_steps(void)
{
    enum { N = 10000 };
    char *json = items(N);
    struct fixture f = make(json, strlen(json), 2);
    cupel__cursor_begin(f.cursor, f.size, &f.document->doc, 0, 1 << 30);
    for (uint32_t i = 0; i < f.document->doc.nnodes; i++)
        CHECK(cupel__cursor_seek(f.cursor, i));
    CHECK((1 << 30) - f.cursor->remaining <= 20 * N);
    cupel__cursor_begin(f.cursor, f.size, &f.document->doc, 0, 1 << 30);
    for (int i = 0; i < 100; i++)
        CHECK(cupel__cursor_seek(f.cursor, i % 2 == 0 ? 2 * N : 2));
    CHECK((1 << 30) - f.cursor->remaining >= 50 * (N - 1));
    drop(&f);
    free(json);
}

/* A line is found from the last one, forwards and backwards, at a cost in proportion to the bytes
 * between them, wherever in the document they are. */
static void test_line_steps(void)
{
    enum { N = 20000, ROUNDS = 1000, STEPS = 1 << 30 };
    char *json = malloc(2 * N + 2);
    json[0] = '[';
    for (size_t i = 0; i < N; i++)
        memcpy(json + 1 + 2 * i, "\n ", 2);
    json[2 * N + 1] = ']';
    struct fixture f = make(json, 2 * N + 2, 1);
    cupel__cursor_begin(f.cursor, f.size, &f.document->doc, 0, STEPS);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t line, column, back = i % 3;
        cupel__cursor_line(f.cursor, 2 * (N - back), &line, &column);
        CHECK(line == N - back + 1 && column == 1);
    }
    CHECK(STEPS - f.cursor->remaining <= 2 * N / 8 + 10 * ROUNDS);
    drop(&f);
    free(json);
}

static void check_cut(struct fixture *f, uint32_t node, size_t most, const char *want)
{
    struct cupel_text got;
    struct cupel__pointer to = {.text = &got, .max = most};
    cupel_text_init(&got, NULL);
    cupel__cursor_pointer(f->cursor, node, &to);
    cupel__pointer_end(&to);
    CHECK_MEM(got.bytes, got.len, want);
    cupel_text_free(&got);
}

/* What does not fit, is too deep, or has no steps left is marked. */
static void test_cuts(void)
{
    static const char json[] = "{\"a\xc3\xa4~\": [0, {\"b\": 1}]}";
    struct fixture f = make(json, sizeof json - 1, 3);
    uint32_t last = f.document->doc.nnodes - 1;
    static const char *const want[] = {"…",        "/…",        "/a…",      "/a…",
                                       "/aä…",     "/aä…",      "/aä~0…",   "/aä~0…",
                                       "/aä~0/1…", "/aä~0/1/…", "/aä~0/1/b"};
    for (size_t most = 0; most < sizeof want / sizeof *want; most++) {
        cupel__cursor_begin(f.cursor, f.size, &f.document->doc, 0, 100);
        check_cut(&f, last, most, want[most]);
    }
    cupel__cursor_begin(f.cursor, f.size, &f.document->doc, 0, 0);
    check_cut(&f, last, 100, "…");
    cupel__cursor_begin(f.cursor, cupel__cursor_size(1), &f.document->doc, 0, 100);
    check_cut(&f, last, 100, "/aä~0/1…");
    drop(&f);
}

int main(void)
{
    test_any_order();
    test_root();
    test_steps();
    test_line_steps();
    test_cuts();
    return test_end();
}
