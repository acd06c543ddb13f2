/* frontend_bench.h: what the tests of the frontend share: a schema in the frontend's hands,
 * documents that it may refer to, and schemas that are refused. */
#ifndef CUPEL_TEST_FRONTEND_BENCH_H
#define CUPEL_TEST_FRONTEND_BENCH_H

#include "test.h"

#include "compiler/frontend/frontend.h"

struct bench {
    struct cupel_options options;
    struct cupel__doc doc;
    struct cupel__arena arena;
    struct frontend *frontend;
    struct cupel_error err;
};

#define VOCAB(path) "\"https://json-schema.org/draft/" path "\""
#define CORE        VOCAB("2020-12/vocab/core")
#define META2020    "\"$schema\":\"https://json-schema.org/draft/2020-12/schema\""

/* Documents of the tests that refer to others: a URI and a text, alternately. */
static const char *const remote[] = {
    "http://r/int.json",
    "{\"type\":\"integer\"}",
    "http://r/other.json",
    "{\"$id\":\"urn:o\",\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{}}}",
    "http://r/mutual.json",
    "{\"properties\":{\"p\":{\"$ref\":\"http://x/main\"}}}",
    "http://r/bad.json",
    "{\"a\":1,}",
    "http://r/shape.json",
    "{\"items\":{\"minLength\":-1}}",
    "http://r/seven.json",
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"items\":[{}]}",
    "http://r/bundle.json",
    "{\"$schema\":\"urn:b\",\"$defs\":{\"m\":{\"$id\":\"urn:b\"," META2020 ",\"$vocabulary\":{" CORE
    ":true}}},\"minLength\":-1}",
    /* Meta-schemas. */
    "http://r/applicator",
    "{" META2020 ",\"$vocabulary\":{" CORE ":true," VOCAB("2020-12/vocab/applicator") ":true}}",
    "http://r/optional",
    "{" META2020 ",\"$vocabulary\":{\"urn:v\":false," CORE ":true}}",
    "http://r/required",
    "{" META2020 ",\"$vocabulary\":{" CORE ":true,\"urn:v\":true}}",
    "http://r/mixed",
    "{" META2020 ",\"$vocabulary\":{" CORE ":true," VOCAB("2019-09/vocab/applicator") ":true}}",
    "http://r/plain",
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\"}",
    "http://r/of-applicator",
    "{\"$schema\":\"http://r/applicator\"}",
    "http://r/partial",
    "{\"$schema\":\"http://r/of-applicator\",\"$vocabulary\":{" VOCAB(
        "2020-12/vocab/validation") ":true}}",
    "http://r/loop",
    "{\"$schema\":\"http://r/loop\"}",
    "http://r/self",
    "{\"$schema\":\"http://r/self\",\"$vocabulary\":{" VOCAB("2019-09/vocab/core") ":true," VOCAB(
        "2019-09/vocab/format") ":true}}",
    "http://r/assertion",
    "{" META2020 ",\"$vocabulary\":{" CORE
    ":true," VOCAB("2020-12/vocab/format-assertion") ":false}}",
    "http://r/old",
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$vocabulary\":{\"urn:v\":true}}",
    "http://r/none",
    "{\"$vocabulary\":1}",
    "http://r/true",
    "true",
};

static inline int resolver(void *ctx, const char *uri, size_t len, const char **ret_text,
                           size_t *ret_len)
{
    unsigned *calls = ctx;
    ++*calls;
    for (size_t i = 0; i < sizeof remote / sizeof remote[0]; i += 2) {
        if (strlen(remote[i]) == len && memcmp(remote[i], uri, len) == 0) {
            *ret_text = remote[i + 1];
            *ret_len = strlen(remote[i + 1]);
            return 0;
        }
    }
    return 1;
}

static inline void read_json(struct cupel__doc *doc, const char *text)
{
    const struct cupel__read_options read = {0, 1000, 1000, 1 << 24, 0};
    cupel__doc_init(doc, NULL);
    CHECK_INT(cupel__json_read(doc, text, strlen(text), &read, NULL), CUPEL_OK);
}

static inline void start(struct bench *b, int dialect, const char *text)
{
    memset(b, 0, sizeof *b);
    cupel_options_init(&b->options);
    b->options.dialect = (enum cupel_dialect)dialect;
    cupel__arena_init(&b->arena, NULL, 0);
    read_json(&b->doc, text);
}

static inline enum cupel_status build(struct bench *b)
{
    return cupel__graph_build(&b->arena, &b->doc, 0, &b->options, &b->frontend, &b->err);
}

static inline void stop(struct bench *b)
{
    cupel__arena_free(&b->arena);
    cupel__doc_free(&b->doc);
}

struct failing {
    int dialect;
    const char *schema;
    enum cupel_status status;
    const char *where;
    const char *detail; /* NULL: any */
};

static inline void check_failing(const struct failing *f)
{
    struct bench b;
    unsigned calls = 0;
    start(&b, f->dialect, f->schema);
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    enum cupel_status status = build(&b);
    bool ok = CHECK_INT(status, f->status) && CHECK_STR(b.err.where, f->where);
    if (!ok || (f->detail != NULL && !CHECK_STR(b.err.detail, f->detail)))
        fprintf(stderr, "    for %s: %s\n", f->schema, b.err.detail);
    if (f->status != CUPEL_OK)
        CHECK(b.frontend == NULL);
    stop(&b);
}

#define SHAPE(dialect, schema, where)                \
    {                                                \
        dialect, schema, CUPEL_E_SCHEMA, where, NULL \
    }
#define FINE(dialect, schema)               \
    {                                       \
        dialect, schema, CUPEL_OK, "", NULL \
    }

#endif
