/* test_frontend.c: dialects, shapes of keywords, identifiers and references. What the keywords mean
 * is test_lower.c. */
#include "test.h"

#include "frontend.h"

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

static int resolver(void *ctx, const char *uri, size_t len, const char **ret_text, size_t *ret_len)
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

static void read_json(struct cupel__doc *doc, const char *text)
{
    const struct cupel__read_options read = {0, 1000, 1000, 1 << 24, 0};
    cupel__doc_init(doc, NULL);
    CHECK_INT(cupel__json_read(doc, text, strlen(text), &read, NULL), CUPEL_OK);
}

static void start(struct bench *b, int dialect, const char *text)
{
    memset(b, 0, sizeof *b);
    cupel_options_init(&b->options);
    b->options.dialect = (enum cupel_dialect)dialect;
    cupel__arena_init(&b->arena, NULL, 0);
    read_json(&b->doc, text);
}

static enum cupel_status build(struct bench *b)
{
    return graph_build(&b->arena, &b->doc, 0, &b->options, &b->frontend, &b->err);
}

static void stop(struct bench *b)
{
    cupel__frontend_free(b->frontend);
    cupel__arena_free(&b->arena);
    cupel__doc_free(&b->doc);
}

/* -- Keywords and shapes ----------------------------------------------------------------------- */

static void test_keywords(void)
{
    for (int kw = KW_NONE + 1; kw < KEYWORDS; kw++) {
        struct cupel__str name = fe_keywords[kw].name;
        if (!CHECK(fe_keyword_find(name) == (enum keyword)kw))
            fprintf(stderr, "    slot of %s is %u\n", name.p, fe_keyword_slot(name));
    }
    static const char *const unknown[] = {
        "", "typ", "types", "Type", "$defs ", "minLen", "x-foo", "unevaluatedPropertiesAndMore"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        CHECK(fe_keyword_find((struct cupel__str){unknown[i], strlen(unknown[i])}) == KW_NONE);
}

struct failing {
    int dialect;
    const char *schema;
    enum cupel_status status;
    const char *where;
    const char *detail; /* NULL: any */
};

static void check_failing(const struct failing *f)
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

static void test_shapes(void)
{
    static const struct failing cases[] = {
        {0, "{\"minLength\":-1}", CUPEL_E_SCHEMA, "/minLength",
         "'minLength' must be a non-negative integer"},
        {0, "{\"$defs\":{\"a\":{\"not\":{\"type\":\"int\"}}}}", CUPEL_E_SCHEMA, "/$defs/a/not/type",
         "'type' must be the name of a type or a non-empty array of unique names of types"},
        {0, "{\"allOf\":[{},3]}", CUPEL_E_SCHEMA, "/allOf/1",
         "a schema must be an object or a boolean"},
        {0, "[]", CUPEL_E_SCHEMA, "", "a schema must be an object or a boolean"},
        /* A tilde and a slash in the pointer. */
        SHAPE(0, "{\"properties\":{\"a/b~c\":{\"title\":1}}}", "/properties/a~1b~0c/title"),
        SHAPE(0, "{\"type\":[]}", "/type"),
        SHAPE(0, "{\"type\":[\"null\",\"null\"]}", "/type/1"),
        SHAPE(0, "{\"type\":[\"null\",1]}", "/type/1"),
        SHAPE(0, "{\"type\":1}", "/type"),
        SHAPE(0,
              "{\"type\":[\"null\",\"string\",\"object\",\"array\",\"number\",\"integer\","
              "\"boolean\",\"null\",\"null\"]}",
              "/type/7"),
        FINE(0, "{\"type\":[\"number\",\"integer\"]}"),
        SHAPE(0, "{\"required\":[\"a\",\"b\",\"a\"]}", "/required/2"),
        SHAPE(0, "{\"required\":[\"a\",1]}", "/required/1"),
        SHAPE(0, "{\"required\":\"a\"}", "/required"),
        SHAPE(0, "{\"required\":[\"a\",\"\\u0061\"]}", "/required/1"),
        SHAPE(0, "{\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"b\"]}",
              "/required/9"),
        FINE(0, "{\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\"]}"),
        FINE(6, "{\"required\":[]}"),
        SHAPE(4, "{\"required\":[]}", "/required"),
        SHAPE(0, "{\"maxItems\":1.5}", "/maxItems"),
        SHAPE(0, "{\"maxItems\":\"1\"}", "/maxItems"),
        SHAPE(0, "{\"maxItems\":-1e400}", "/maxItems"),
        FINE(6, "{\"maxItems\":2.0,\"minItems\":1e2,\"maxLength\":1e400}"),
        FINE(0, "{\"maxLength\":99999999999999999999999}"),
        SHAPE(4, "{\"maxItems\":2.0}", "/maxItems"),
        SHAPE(0, "{\"multipleOf\":0}", "/multipleOf"),
        SHAPE(0, "{\"multipleOf\":-0.5}", "/multipleOf"),
        SHAPE(0, "{\"multipleOf\":0.0}", "/multipleOf"),
        FINE(0, "{\"multipleOf\":1e-400}"),
        SHAPE(0, "{\"minimum\":\"1\"}", "/minimum"),
        FINE(0, "{\"minimum\":-1e400}"),
        SHAPE(7, "{\"minimum\":1,\"exclusiveMinimum\":true}", "/exclusiveMinimum"),
        SHAPE(4, "{\"minimum\":1,\"exclusiveMinimum\":1}", "/exclusiveMinimum"),
        SHAPE(4, "{\"exclusiveMinimum\":true}", "/exclusiveMinimum"),
        FINE(4, "{\"minimum\":1,\"exclusiveMinimum\":true}"),
        SHAPE(7, "{\"enum\":[1,2,1.0]}", "/enum"),
        SHAPE(7, "{\"enum\":[]}", "/enum"),
        FINE(2019, "{\"enum\":[1,1]}"),
        FINE(2020, "{\"enum\":[]}"),
        SHAPE(0, "{\"enum\":1}", "/enum"),
        FINE(0, "{\"const\":[{\"type\":1}],\"default\":{\"type\":1},\"examples\":[{\"not\":1}]}"),
        SHAPE(0, "{\"examples\":{}}", "/examples"),
        FINE(4, "{\"examples\":{},\"const\":1}"),
        SHAPE(0, "{\"items\":[{}]}", "/items"),
        FINE(7, "{\"items\":[{}]}"),
        SHAPE(7, "{\"items\":[]}", "/items"),
        SHAPE(0, "{\"prefixItems\":{}}", "/prefixItems"),
        FINE(7, "{\"prefixItems\":{}}"),
        SHAPE(0, "{\"anyOf\":[]}", "/anyOf"),
        SHAPE(0, "{\"properties\":[]}", "/properties"),
        SHAPE(0, "{\"properties\":{\"a\":null}}", "/properties/a"),
        SHAPE(0, "{\"not\":[]}", "/not"),
        SHAPE(4, "{\"not\":true}", "/not"),
        FINE(4, "{\"additionalProperties\":false}"),
        FINE(4, "{\"items\":[{}],\"additionalItems\":true}"),
        SHAPE(4, "true", ""),
        SHAPE(4, "{\"properties\":{\"a\":true}}", "/properties/a"),
        SHAPE(4, "{\"additionalProperties\":1}", "/additionalProperties"),
        SHAPE(7, "{\"dependencies\":{\"a\":{\"type\":1}}}", "/dependencies/a/type"),
        SHAPE(7, "{\"dependencies\":{\"a\":[\"b\",\"b\"]}}", "/dependencies/a/1"),
        SHAPE(7, "{\"dependencies\":{\"a\":1}}", "/dependencies/a"),
        SHAPE(0, "{\"dependentRequired\":{\"a\":{}}}", "/dependentRequired/a"),
        SHAPE(0, "{\"dependentSchemas\":{\"a\":[]}}", "/dependentSchemas/a"),
        FINE(7, "{\"dependentRequired\":1,\"$defs\":1,\"minContains\":-1}"),
        SHAPE(0, "{\"title\":1}", "/title"),
        SHAPE(0, "{\"format\":{}}", "/format"),
        SHAPE(7, "{\"readOnly\":\"yes\"}", "/readOnly"),
        FINE(6, "{\"readOnly\":\"yes\"}"),
        SHAPE(7, "{\"$comment\":1}", "/$comment"),
        SHAPE(0, "{\"deprecated\":0}", "/deprecated"),
        SHAPE(7, "{\"contentMediaType\":1}", "/contentMediaType"),
        SHAPE(0, "{\"$ref\":1}", "/$ref"),
        SHAPE(0, "{\"$id\":1}", "/$id"),
        SHAPE(0, "{\"$schema\":1}", "/$schema"),
        SHAPE(0, "{\"uniqueItems\":1}", "/uniqueItems"),
        SHAPE(0, "{\"$vocabulary\":{\"urn:v\":1}}", "/$vocabulary/urn:v"),
        SHAPE(0, "{\"$anchor\":\"1a\"}", "/$anchor"),
        SHAPE(0, "{\"$anchor\":\"\"}", "/$anchor"),
        SHAPE(2019, "{\"$anchor\":\"_a\"}", "/$anchor"),
        FINE(2020, "{\"$anchor\":\"_a-1.b\"}"),
        FINE(2019, "{\"$anchor\":\"a:b\"}"),
        SHAPE(0, "{\"$anchor\":\"a:b\"}", "/$anchor"),
        SHAPE(0, "{\"$id\":\"#a\"}", "/$id"),
        FINE(7, "{\"$id\":\"#a\"}"),
        FINE(0, "{\"$id\":\"http://x/y#\"}"),
        SHAPE(2019, "{\"$recursiveRef\":\"#/a\"}", "/$recursiveRef"),
        /* Beside the `$ref` of draft 7 the meta-schema still looks. */
        SHAPE(7, "{\"$ref\":\"#/definitions/a\",\"definitions\":{\"a\":{\"type\":1}}}",
              "/definitions/a/type"),
        /* Values of unknown keywords are not looked at. */
        FINE(0, "{\"x\":{\"type\":1},\"Type\":1}")};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_failing(&cases[i]);
}

/* -- Dialects ---------------------------------------------------------------------------------- */

#define S4 "\"$schema\":\"http://json-schema.org/draft-04/schema#\""
#define S7 "\"$schema\":\"http://json-schema.org/draft-07/schema#\""
#define S2 "\"$schema\":\"https://json-schema.org/draft/2020-12/schema\""

static void test_dialects(void)
{
    static const struct failing cases[] = {
        SHAPE(0, "{" S7 ",\"dependencies\":{\"a\":[\"b\",\"b\"]},\"items\":[{}]}",
              "/dependencies/a/1"),
        FINE(0, "{" S7 ",\"items\":[{}]}"),
        FINE(0, "{" S4 ",\"$id\":1,\"if\":1}"),
        SHAPE(7, "{" S2 ",\"items\":[{}]}", "/items"),
        {0, "{\"$schema\":\"http://json-schema.org/draft-03/schema#\"}", CUPEL_E_DIALECT,
         "/$schema", "'http://json-schema.org/draft-03/schema#' is not a known dialect"},
        /* An embedded resource has a dialect of its own, a schema without `$id` has not. */
        FINE(0, "{\"properties\":{\"a\":{\"$id\":\"http://x/a\"," S7 ",\"items\":[{}]}}}"),
        SHAPE(0, "{\"properties\":{\"a\":{" S7 ",\"items\":[{}]}}}", "/properties/a/items"),
        FINE(0, "{\"properties\":{\"a\":{\"id\":\"http://x/a\"," S4 ",\"const\":1,\"$id\":1}}}"),
        {0, "{\"not\":{\"$id\":\"http://x/a\",\"$schema\":\"urn:none\"}}", CUPEL_E_DIALECT,
         "/not/$schema", NULL},
        FINE(0, "{\"not\":{\"$schema\":\"urn:none\"}}"),
        SHAPE(0, "{\"unevaluatedProperties\":1}", "/unevaluatedProperties"),
        SHAPE(2019, "{\"unevaluatedItems\":{\"not\":1}}", "/unevaluatedItems/not"),
        FINE(7, "{\"unevaluatedProperties\":1}"),
        /* Keywords of vocabularies that are not listed are unknown. */
        FINE(0, "{\"$schema\":\"http://r/applicator\",\"minLength\":-1,\"format\":1,\"title\":1}"),
        SHAPE(0, "{\"$schema\":\"http://r/applicator\",\"not\":1}", "/not"),
        FINE(0, "{\"$schema\":\"http://r/applicator\",\"unevaluatedItems\":1}"),
        SHAPE(0, "{\"$schema\":\"http://r/applicator\",\"$defs\":1}", "/$defs"),
        /* An embedded resource has its own set, and passes it on. */
        FINE(0,
             "{\"not\":{\"$id\":\"urn:a\",\"$schema\":\"HTTP://R/optional#\",\"not\":{\"type\":1},"
             "\"type\":1}}"),
        SHAPE(0,
              "{\"$schema\":\"http://r/optional\",\"$defs\":{\"a\":{\"$id\":\"urn:a\"," S2
              ",\"type\":1}}}",
              "/$defs/a/type"),
        {0, "{\"$schema\":\"http://r/required\"}", CUPEL_E_DIALECT, "/$schema",
         "'http://r/required' requires a vocabulary that is not known here: 'urn:v'"},
        {0, "{\"$schema\":\"http://r/mixed\"}", CUPEL_E_DIALECT, "/$schema", NULL},
        {0, "{\"$schema\":\"http://r/loop\"}", CUPEL_E_DIALECT, "/$schema",
         "'http://r/loop' leads to no dialect: its meta-schemas only name each other"},
        {0, "{\"$schema\":\"http://r/true\"}", CUPEL_E_DIALECT, "/$schema",
         "'http://r/true' is no meta-schema"},
        {0, "{\"$schema\":\"http://r/missing\"}", CUPEL_E_DIALECT, "/$schema",
         "'http://r/missing' is not a known dialect"},
        {0, "{\"$schema\":\"applicator\",\"$id\":\"http://r/x\"}", CUPEL_E_DIALECT, "/$schema",
         NULL},
        {0, "{\"$schema\":\"http://r/applicator#a\"}", CUPEL_E_DIALECT, "/$schema", NULL},
        {0, "{\"$schema\":\"http://r/bad.json\"}", CUPEL_E_SYNTAX, "", NULL},
        {0, "{\"$schema\":\"http://r/none\"}", CUPEL_E_SCHEMA, "/$vocabulary", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_failing(&cases[i]);
}

struct named {
    int dialect;
    const char *schema;
    unsigned draft, vocabularies;
};

/* What a root's `$schema` comes to. */
static void test_meta_schemas(void)
{
    enum { SCHEMAS = VOCAB_CORE | VOCAB_APPLICATOR };
    static const struct named cases[] = {
        {0, "{}", DRAFT_2020, VOCAB_STANDARD},
        {6, "{}", DRAFT_6, VOCAB_STANDARD},
        {0, "{" S4 "}", DRAFT_4, VOCAB_STANDARD},
        {0, "{" META2020 "}", DRAFT_2020, VOCAB_STANDARD},
        {0, "{\"$schema\":\"HTTP://json-schema.org/draft-07/schema\"}", DRAFT_7, VOCAB_STANDARD},
        {0, "{\"$schema\":\"http://r/applicator\"}", DRAFT_2020, SCHEMAS},
        {7, "{\"$schema\":\"http://r/optional\"}", DRAFT_2020, VOCAB_CORE},
        {0, "{\"$schema\":\"http://r/plain\"}", DRAFT_2019, VOCAB_STANDARD},
        {0, "{\"$schema\":\"http://r/of-applicator\"}", DRAFT_2020, SCHEMAS},
        {0, "{\"$schema\":\"http://r/partial\"}", DRAFT_2020, VOCAB_CORE | VOCAB_VALIDATION},
        {0, "{\"$schema\":\"http://r/self\"}", DRAFT_2019,
         VOCAB_CORE | VOCAB_FORMAT | VOCAB_FORMAT_ASSERTION},
        {0, "{\"$schema\":\"http://r/assertion\"}", DRAFT_2020,
         VOCAB_CORE | VOCAB_FORMAT | VOCAB_FORMAT_ASSERTION},
        {0, "{\"$schema\":\"http://r/old\"}", DRAFT_7, VOCAB_STANDARD},
        /* One that is built in. */
        {0, "{\"$schema\":\"https://json-schema.org/draft/2019-09/meta/applicator\"}", DRAFT_2019,
         VOCAB_CORE | VOCAB_APPLICATOR | VOCAB_UNEVALUATED},
        /* One that the schema brings along, or is. */
        {0,
         "{\"$id\":\"http://x/a\",\"$schema\":\"http://x/m\",\"minLength\":-1,\"definitions\":{},"
         "\"$defs\":{\"m\":{\"$id\":\"m\"," META2020 ",\"$vocabulary\":{" CORE ":true}}}}",
         DRAFT_2020, VOCAB_CORE},
        {0, "{\"$id\":\"urn:m\",\"$schema\":\"urn:m\",\"$vocabulary\":{" CORE ":true}}", DRAFT_2020,
         VOCAB_CORE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench b;
        unsigned calls = 0;
        start(&b, cases[i].dialect, cases[i].schema);
        b.options.resolver = resolver;
        b.options.resolver_ctx = &calls;
        bool ok = CHECK_INT(build(&b), CUPEL_OK);
        const struct graph_schema *s = ok ? frontend_graph(b.frontend)->schemas : NULL;
        if (!ok || !CHECK_INT(s->dialect, cases[i].draft) ||
            !CHECK_INT(s->vocabularies, cases[i].vocabularies))
            fprintf(stderr, "    for %s: %s\n", cases[i].schema, b.err.detail);
        stop(&b);
    }
}

/* -- References -------------------------------------------------------------------------------- */

static bool is_at(struct bench *b, uint32_t node, const char *pointer)
{
    struct cupel_text at;
    cupel_text_init(&at, NULL);
    cupel__doc_pointer(&b->doc, node, &at);
    bool is = at.len == strlen(pointer) && memcmp(at.bytes, pointer, at.len) == 0;
    cupel_text_free(&at);
    return is;
}

/* The target of the reference at `pointer` of the main document, as "URI#pointer"; the URI is left
 * out if it is the main document's.  Where the dynamic scope decides, "anchor N" stands before. */
static void find_target(struct bench *b, const char *pointer, struct cupel_text *ret)
{
    const struct graph *g = frontend_graph(b->frontend);
    for (uint32_t n = 0; n < g->nreached; n++) {
        const struct graph_schema *from = &g->schemas[g->order[n]];
        const struct graph_keyword *kw = g->keywords + from->keywords, *end = kw + from->nkeywords;
        while (kw < end && (from->doc != 0 || (kw->kind != KW_REF && kw->kind != KW_DYNAMIC_REF) ||
                            !is_at(b, kw->value, pointer)))
            kw++;
        if (kw == end)
            continue;
        if (kw->kind == KW_DYNAMIC_REF)
            cupel_text_addf(ret, "anchor %u ", (unsigned)kw->from);
        const struct graph_schema *s = &g->schemas[kw->first];
        if (s->doc != 0)
            cupel_text_add(ret, g->docs[s->doc].uri.p, g->docs[s->doc].uri.n);
        cupel_text_adds(ret, "#");
        cupel__doc_pointer(graph_json(g, s), s->node, ret);
        return;
    }
}

struct reference {
    int dialect;
    const char *schema, *at, *target;
};

static void check_reference(const struct reference *r)
{
    struct bench b;
    unsigned calls = 0;
    struct cupel_text target;
    start(&b, r->dialect, r->schema);
    cupel_text_init(&target, NULL);
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    if (CHECK_INT(build(&b), CUPEL_OK)) {
        find_target(&b, r->at, &target);
        if (!CHECK_MEM(target.len == 0 ? "" : target.bytes, target.len, r->target))
            fprintf(stderr, "    for %s\n", r->schema);
    } else {
        fprintf(stderr, "    for %s: %s\n", r->schema, b.err.detail);
    }
    cupel_text_free(&target);
    stop(&b);
}

static void test_references(void)
{
    static const struct reference cases[] = {
        {0, "{\"items\":{\"$ref\":\"#\"}}", "/items/$ref", "#"},
        {0, "{\"items\":{\"$ref\":\"\"}}", "/items/$ref", "#"},
        {0, "{\"$ref\":\"#/$defs/a~1b%25~0\",\"$defs\":{\"a/b%~\":{}}}", "/$ref",
         "#/$defs/a~1b%~0"},
        {0, "{\"$ref\":\"#/$defs//$defs/\",\"$defs\":{\"\":{\"$defs\":{\"\":{}}}}}", "/$ref",
         "#/$defs//$defs/"},
        {0, "{\"$ref\":\"#/allOf/1\",\"allOf\":[{},{}]}", "/$ref", "#/allOf/1"},
        {0, "{\"$ref\":\"#x\",\"$defs\":{\"a\":{\"$anchor\":\"x\"}}}", "/$ref", "#/$defs/a"},
        {0, "{\"$ref\":\"#x\",\"$defs\":{\"a\":{\"$dynamicAnchor\":\"x\"}}}", "/$ref", "#/$defs/a"},
        {0, "{\"$ref\":\"#%78\",\"$defs\":{\"a\":{\"$anchor\":\"x\"}}}", "/$ref", "#/$defs/a"},
        {7, "{\"$ref\":\"#x\",\"definitions\":{\"a\":{\"$id\":\"#x\"}}}", "/$ref",
         "#/definitions/a"},
        {4, "{\"$ref\":\"#x\",\"definitions\":{\"a\":{\"id\":\"#x\"}}}", "/$ref",
         "#/definitions/a"},
        /* The same anchor in two resources. */
        {0,
         "{\"$ref\":\"b#x\",\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$id\":\"b\",\"$defs\":{"
         "\"c\":{\"$anchor\":\"x\"}}}}}",
         "/$ref", "#/$defs/b/$defs/c"},
        /* URIs. */
        {0, "{\"$id\":\"http://x/a/b\",\"$ref\":\"./../c\",\"$defs\":{\"c\":{\"$id\":\"/c\"}}}",
         "/$ref", "#/$defs/c"},
        {0, "{\"$ref\":\"HTTP://X:80/%7eA\",\"$defs\":{\"c\":{\"$id\":\"http://x/~A\"}}}", "/$ref",
         "#/$defs/c"},
        {0, "{\"$id\":\"urn:a\",\"$ref\":\"urn:a#/$defs/b\",\"$defs\":{\"b\":{}}}", "/$ref",
         "#/$defs/b"},
        {0, "{\"$ref\":\"b\",\"$defs\":{\"c\":{\"$id\":\"b\"}}}", "/$ref", "#/$defs/c"},
        {0,
         "{\"$id\":\"http://x/a\",\"$defs\":{\"b\":{\"$id\":\"b/"
         "c\",\"not\":{\"$defs\":{\"d\":{\"$id\":\"d\"}}}}},\"$ref\":\"http://x/b/d\"}",
         "/$ref", "#/$defs/b/not/$defs/d"},
        /* Inside a resource, # is its root; pointers may cross into it. */
        {0, "{\"properties\":{\"a\":{\"$id\":\"b\",\"items\":{\"$ref\":\"#\"}}}}",
         "/properties/a/items/$ref", "#/properties/a"},
        {0, "{\"$ref\":\"#/$defs/a/items\",\"$defs\":{\"a\":{\"$id\":\"b\",\"items\":{}}}}",
         "/$ref", "#/$defs/a/items"},
        /* Identifiers stand only in schemas. */
        {0,
         "{\"$ref\":\"u:x\",\"enum\":[{\"$id\":\"u:x\"}],\"x\":{\"$id\":\"u:x\"},\"$defs\":{\"a\":{"
         "\"$id\":\"u:x\",\"type\":\"null\"}}}",
         "/$ref", "#/$defs/a"},
        /* Inert keywords hold schemas all the same. */
        {7, "{\"allOf\":[{\"$ref\":\"u:x\"}],\"then\":{\"$id\":\"u:x\"}}", "/allOf/0/$ref",
         "#/then"},
        /* Pointers to what is no place of a schema: indexed on demand, below its own resource. */
        {0, "{\"$ref\":\"#/x/0\",\"x\":[{\"items\":{\"$ref\":\"#\"}}]}", "/$ref", "#/x/0"},
        {0, "{\"$ref\":\"#/x/0\",\"x\":[{\"items\":{\"$ref\":\"#\"}}]}", "/x/0/items/$ref", "#"},
        {0, "{\"$ref\":\"#/x\",\"x\":{\"$id\":\"y\",\"items\":{\"$ref\":\"#\"}}}", "/x/items/$ref",
         "#/x"},
        {0, "{\"$ref\":\"#/properties\",\"properties\":{\"not\":{}}}", "/$ref", "#/properties"},
        /* Up to draft 7, nothing beside `$ref` counts. */
        {7,
         "{\"$id\":\"http://x/a/\",\"allOf\":[{\"$id\":\"http://x/"
         "\",\"$ref\":\"c\"}],\"definitions\":{\"c\":{\"$id\":\"c\"},\"d\":{\"$id\":\"http://x/"
         "c\"}}}",
         "/allOf/0/$ref", "#/definitions/c"},
        {0, "{\"properties\":{\"$ref\":{\"$ref\":\"#\"}}}", "/properties/$ref/$ref", "#"},
        /* References by a dynamic anchor that mean one place only. */
        {0, "{\"items\":{\"$dynamicRef\":\"#x\"},\"$defs\":{\"a\":{\"$dynamicAnchor\":\"x\"}}}",
         "/items/$dynamicRef", "#/$defs/a"},
        {0, "{\"items\":{\"$dynamicRef\":\"#/$defs/a\"},\"$defs\":{\"a\":true}}",
         "/items/$dynamicRef", "#/$defs/a"},
        {2019, "{\"items\":{\"$recursiveRef\":\"#\"}}", "/items/$recursiveRef", "#"},
        {2019, "{\"$recursiveAnchor\":true,\"items\":{\"$recursiveRef\":\"#\"}}",
         "/items/$recursiveRef", "#"},
        /* Other documents. */
        {0, "{\"$ref\":\"http://r/int.json\"}", "/$ref", "http://r/int.json#"},
        {0, "{\"$id\":\"http://r/\",\"$ref\":\"other.json#/$defs/a\"}", "/$ref",
         "http://r/other.json#/$defs/a"},
        {0, "{\"allOf\":[{\"$ref\":\"http://r/other.json\"},{\"$ref\":\"urn:o\"}]}",
         "/allOf/1/$ref", "http://r/other.json#"},
        {0, "{\"$id\":\"http://x/main\",\"$ref\":\"http://r/mutual.json\"}", "/$ref",
         "http://r/mutual.json#"},
        {0, "{\"$ref\":\"http://r/seven.json#/items/0\"}", "/$ref", "http://r/seven.json#/items/0"},
        {0, "{\"$ref\":\"http://r/int.json\",\"$defs\":{\"a\":{\"$id\":\"http://r/int.json\"}}}",
         "/$ref", "#/$defs/a"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_reference(&cases[i]);
}

#define ANCHOR(name)    "{\"$dynamicAnchor\":\"" name "\"}"
#define DYNAMIC(name)   "{\"$dynamicRef\":\"#" name "\"}"
#define RECURSIVE(more) "{\"$recursiveAnchor\":true,\"items\":{\"$recursiveRef\":\"#\"}" more "}"
/* Resource r refers by x, and has an x of its own; resource a, which has one too, refers to r. */
#define R "\"r\":{\"$id\":\"r\",\"items\":" DYNAMIC("x") ",\"$defs\":{\"x\":" ANCHOR("x") "}}"
#define A "\"a\":{\"$id\":\"a\",\"$ref\":\"r\",\"$defs\":{\"x\":" ANCHOR("x") "}}"

/* References by dynamic anchors: one target, or whatever the scope says. */
static void test_dynamic_references(void)
{
    static const char at[] = "/$defs/r/items/$dynamicRef";
    static const struct reference cases[] = {
        /* No way to the resource of the other anchor. */
        {0, "{\"$ref\":\"r\",\"$defs\":{" R "," A "}}", at, "#/$defs/r/$defs/x"},
        /* All ways come to the same resource first. */
        {0, "{\"$ref\":\"a\",\"$defs\":{" R "," A "}}", at, "#/$defs/a/$defs/x"},
        {0, "{\"$ref\":\"a\",\"$defs\":{" R "," A ",\"b\":" ANCHOR("x") "}}", at, "#/$defs/b"},
        {0, "{\"$ref\":\"a\",\"$defs\":{" R "," A ",\"b\":{\"$anchor\":\"x\"}}}", at,
         "#/$defs/a/$defs/x"},
        /* Some come to one, some to the other. */
        {0, "{\"$ref\":\"a\",\"items\":{\"$ref\":\"r\"},\"$defs\":{" R "," A "}}", at,
         "anchor 0 #/$defs/r/$defs/x"},
        /* A pointer into a resource enters it as its URI does, and no resource on the way to it. */
        {0, "{\"$ref\":\"#/$defs/r/items\",\"not\":{\"$ref\":\"a\"},\"$defs\":{" R "," A "}}", at,
         "anchor 0 #/$defs/r/$defs/x"},
        {0,
         "{\"$ref\":\"#/$defs/o/$defs/r\",\"$defs\":{\"o\":{\"$id\":\"o\",\"$defs\":{" R
         ",\"x\":" ANCHOR("x") "}}}}",
         "/$defs/o/$defs/r/items/$dynamicRef", "#/$defs/o/$defs/r/$defs/x"},
        /* The reference lies outside of the resources that bind the anchor. */
        {0,
         "{\"allOf\":[{\"$ref\":\"a\"}],\"items\":{\"$dynamicRef\":\"r#x\"},\"$defs\":{" R "," A
         "}}",
         "/items/$dynamicRef", "anchor 0 #/$defs/r/$defs/x"},
        /* What an anchor may mean is reached, and what that refers to. */
        {0,
         "{\"anyOf\":[{\"$ref\":\"r\"},{\"$ref\":\"b\"}],\"$defs\":{" R
         ",\"b\":{\"$id\":\"b\",\"$ref\":\"r\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\",\"$ref\":"
         "\"#/x\"}},"
         "\"x\":{}}}}",
         "/$defs/b/$defs/x/$ref", "#/$defs/b/x"},
        /* Not the schema itself has the anchor. */
        {0,
         "{\"anyOf\":[{\"$ref\":\"a\"},{\"$ref\":\"r\"},{\"$dynamicRef\":\"r#/$defs/"
         "x\"}],\"$defs\":{" R "," A "}}",
         "/anyOf/2/$dynamicRef", "#/$defs/r/$defs/x"},
        {0,
         "{\"anyOf\":[{\"$ref\":\"a\"},{\"$ref\":\"r\"},{\"$dynamicRef\":\"s#x\"}],\"$defs\":{" R
         "," A ",\"s\":{\"$id\":\"s\",\"$anchor\":\"x\"}}}",
         "/anyOf/2/$dynamicRef", "#/$defs/s"},
        /* `$recursiveRef`. */
        {2019, "{\"allOf\":[{\"$id\":\"a\",\"allOf\":[" RECURSIVE("") "]}]}",
         "/allOf/0/allOf/0/items/$recursiveRef", "#/allOf/0"},
        {2019, "{\"allOf\":[" RECURSIVE(",\"$id\":\"a\"") "]}", "/allOf/0/items/$recursiveRef",
         "#/allOf/0"},
        {2019, RECURSIVE(",\"$id\":\"http://x/r\",\"contains\":" RECURSIVE(",\"$id\":\"a\"")),
         "/contains/items/$recursiveRef", "#"},
        {2019,
         "{\"not\":{\"$ref\":\"a\"},\"items\":" RECURSIVE(
             ",\"$id\":\"b\",\"contains\":" RECURSIVE(",\"$id\":\"a\"")) "}",
         "/items/contains/items/$recursiveRef", "anchor 0 #/items/contains"},
        {2019,
         "{\"$recursiveAnchor\":false,\"not\":{\"$ref\":\"a\"},\"items\":" RECURSIVE(
             ",\"$id\":\"b\",\"contains\":{\"$id\":\"a\",\"items\":{\"$recursiveRef\":\"#\"}}") "}",
         "/items/contains/items/$recursiveRef", "#/items/contains"},
        /* The meta-schemas refer to themselves so. */
        {0, "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}", "/$ref",
         "https://json-schema.org/draft/2020-12/schema#"},
        {0, "{\"$ref\":\"https://json-schema.org/draft/2019-09/meta/core#/properties/$id\"}",
         "/$ref", "https://json-schema.org/draft/2019-09/meta/core#/properties/$id"},
        {0, "{\"$ref\":\"http://json-schema.org/draft-07/schema#/definitions/schemaArray\"}",
         "/$ref", "http://json-schema.org/draft-07/schema#/definitions/schemaArray"},
        {0, "{\"$ref\":\"http://json-schema.org/draft-06/schema#\"}", "/$ref",
         "http://json-schema.org/draft-06/schema#"},
        {0, "{\"$ref\":\"http://json-schema.org/draft-04/schema\"}", "/$ref",
         "http://json-schema.org/draft-04/schema#"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_reference(&cases[i]);
}

/* `n` references by different names, each of which two ways give another meaning. */
static enum cupel_status build_anchors(int n, struct bench *b)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text,
                    "{\"anyOf\":[{\"$ref\":\"a\"},{\"$ref\":\"r\"}],\"$defs\":{\"a\":{\"$id\":"
                    "\"a\",\"$ref\":\"r\",\"$defs\":{\"\":{}");
    for (int i = 0; i < n; i++)
        cupel_text_addf(&text, ",\"%d\":{\"$dynamicAnchor\":\"x%d\"}", i, i);
    cupel_text_adds(&text, "}},\"r\":{\"$id\":\"r\",\"prefixItems\":[{}");
    for (int i = 0; i < n; i++)
        cupel_text_addf(&text, ",{\"$dynamicRef\":\"#x%d\"}", i);
    cupel_text_adds(&text, "],\"$defs\":{\"\":{}");
    for (int i = 0; i < n; i++)
        cupel_text_addf(&text, ",\"%d\":{\"$dynamicAnchor\":\"x%d\"}", i, i);
    cupel_text_adds(&text, "}}}}");
    start(b, 0, text.bytes);
    enum cupel_status status = build(b);
    if (status == CUPEL_OK) {
        const struct graph *g = frontend_graph(b->frontend);
        CHECK_INT(g->nanchors, n);
        for (int i = 0; i < n; i++)
            CHECK(g->scopes[i] != GRAPH_NONE && g->scopes[n + i] != GRAPH_NONE);
    }
    stop(b);
    cupel_text_free(&text);
    return status;
}

static void test_many_anchors(void)
{
    struct bench b;
    CHECK_INT(build_anchors(1, &b), CUPEL_OK);
    CHECK_INT(build_anchors(64, &b), CUPEL_OK);
    CHECK_INT(build_anchors(65, &b), CUPEL_E_UNSUPPORTED);
    CHECK_STR(b.err.where, "/$defs/r/prefixItems/65/$dynamicRef");
}

/* A meta-schema is built in, and a copy that a document brings along comes before it. */
static void test_claims(void)
{
    static const char uri[] = "https://json-schema.org/draft/2020-12/meta/core";
    struct cupel__str text;
    struct cupel_text bundle;
    CHECK(!fe_metaschema(CUPEL__STR("https://json-schema.org/draft/2020-12/meta/cor"), &text));
    CHECK(fe_metaschema((struct cupel__str){uri, sizeof uri - 1}, &text));
    cupel_text_init(&bundle, NULL);
    cupel_text_addf(&bundle, "{\"$ref\":\"%s\",\"$defs\":{\"m\":%.*s}}", uri, (int)text.n, text.p);
    check_reference(&(struct reference){0, bundle.bytes, "/$ref", "#/$defs/m"});
    cupel_text_free(&bundle);

    check_reference(&(struct reference){
        7,
        "{\"not\":{\"$ref\":\"http://json-schema.org/draft-07/schema#\"},"
        "\"items\":{\"$id\":\"http://JSON-schema.org/draft-07/schema\",\"type\":\"null\"}}",
        "/not/$ref", "#/items"});
}

/* Containers large enough to be listed: every pointer still finds its own. */
static void test_large_containers(void)
{
    enum { N = 200 };
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    cupel_text_adds(&text, "{\"x\":[true");
    for (int i = 1; i < N; i++)
        cupel_text_adds(&text, ",{}");
    cupel_text_adds(&text, "],\"$defs\":{\"\":true");
    for (int i = 1; i < N; i++)
        cupel_text_addf(&text, ",\"d%d\":{}", i);
    cupel_text_adds(&text, "},\"allOf\":[true");
    for (int i = 1; i < N; i++)
        cupel_text_addf(&text, ",{\"$ref\":\"#/%s%d\"}", i % 2 ? "$defs/d" : "x/", i);
    cupel_text_adds(&text, "]}");
    for (int i = 1; i < N; i += 33) {
        char at[32], target[32];
        snprintf(at, sizeof at, "/allOf/%d/$ref", i);
        snprintf(target, sizeof target, "#/%s%d", i % 2 ? "$defs/d" : "x/", i);
        check_reference(&(struct reference){0, text.bytes, at, target});
    }
    cupel_text_free(&text);
}

static void test_bad_references(void)
{
    static const struct failing cases[] = {
        {0, "{\"$ref\":\"#/$defs/b\",\"$defs\":{}}", CUPEL_E_UNRESOLVED_REF, "/$ref",
         "'#/$defs/b' does not resolve: the JSON Pointer leads nowhere"},
        {0, "{\"$ref\":\"#/allOf/00\",\"allOf\":[{}]}", CUPEL_E_UNRESOLVED_REF, "/$ref", NULL},
        {0, "{\"$ref\":\"#/allOf/1\",\"allOf\":[{}]}", CUPEL_E_UNRESOLVED_REF, "/$ref", NULL},
        {0, "{\"$ref\":\"#/a~2\",\"a~2\":{}}", CUPEL_E_UNRESOLVED_REF, "/$ref", NULL},
        {0, "{\"$ref\":\"#/title/x\",\"title\":\"x\"}", CUPEL_E_UNRESOLVED_REF, "/$ref", NULL},
        {0, "{\"$ref\":\"#/title\",\"title\":\"x\"}", CUPEL_E_SCHEMA, "/title", NULL},
        {0, "{\"$ref\":\"#none\"}", CUPEL_E_UNRESOLVED_REF, "/$ref",
         "'#none' does not resolve: the resource has no such anchor"},
        {0, "{\"$ref\":\"other.json\"}", CUPEL_E_UNRESOLVED_REF, "/$ref",
         "'other.json' does not resolve: no schema has this relative URI"},
        {0, "{\"$ref\":\"http://x/none\"}", CUPEL_E_UNRESOLVED_REF, "/$ref",
         "'http://x/none' does not resolve: no schema has this URI"},
        {0, "{\"$ref\":\"a b\"}", CUPEL_E_UNRESOLVED_REF, "/$ref", NULL},
        {0, "{\"$ref\":\"#/%zz\"}", CUPEL_E_UNRESOLVED_REF, "/$ref", NULL},
        {0, "{\"$id\":\"a b\"}", CUPEL_E_IDENTIFIER, "/$id", NULL},
        FINE(0, "{\"$defs\":{\"a\":{\"$ref\":\"#none\"}}}"),
        {0, "{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\",\"type\":\"null\"}}}",
         CUPEL_E_IDENTIFIER, "/$defs/b/$id", "two different schemas have the URI 'x'"},
        {0, "{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\",\"not\":{}}}}",
         CUPEL_E_IDENTIFIER, "/$defs/b/$anchor",
         "two different schemas of one resource have the anchor 'x'"},
        FINE(0, "{\"$defs\":{\"a\":{\"$id\":\"x\",\"minimum\":1},\"b\":{\"minimum\":1.0,\"$id\":"
                "\"x\"}}}"),
        {0, "{\"$ref\":\"#\"}", CUPEL_E_REF_CYCLE, "/$ref",
         "the schema applies itself to the same instance without end: '#' > '#'"},
        {0,
         "{\"not\":{\"$ref\":\"#/$defs/"
         "a\"},\"$defs\":{\"a\":{\"if\":{\"$ref\":\"#\"},\"then\":true}}}",
         CUPEL_E_REF_CYCLE, "/$defs/a/if/$ref",
         "the schema applies itself to the same instance without end: '#' > '#/not' > '#/$defs/a' "
         "> '#/$defs/a/if' > '#'"},
        {0, "{\"properties\":{\"a\":{\"dependentSchemas\":{\"b\":{\"$ref\":\"#/properties/a\"}}}}}",
         CUPEL_E_REF_CYCLE, "/properties/a/dependentSchemas/b/$ref", NULL},
        {7, "{\"dependencies\":{\"a\":{\"$ref\":\"#\"}}}", CUPEL_E_REF_CYCLE,
         "/dependencies/a/$ref", NULL},
        FINE(0, "{\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}"),
        FINE(0, "{\"items\":{\"$ref\":\"#\"},\"propertyNames\":{\"$ref\":\"#\"}}"),
        FINE(
            0,
            "{\"allOf\":[{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{}}}"),
        /* Inert keywords apply nothing. */
        FINE(0, "{\"then\":{\"$ref\":\"#\"}}"),
        FINE(7, "{\"additionalItems\":{\"$ref\":\"#none\"}}"),
        /* A cycle that goes through a dynamic reference is one if that means one schema only. */
        {0, "{\"$dynamicAnchor\":\"x\",\"$dynamicRef\":\"#x\"}", CUPEL_E_REF_CYCLE, "/$dynamicRef",
         NULL},
        {0,
         "{\"$dynamicAnchor\":\"x\",\"$ref\":\"r\",\"$defs\":{\"r\":{\"$id\":\"r\",\"$dynamicRef\":"
         "\"#x\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\"}}}}}",
         CUPEL_E_REF_CYCLE, "/$defs/r/$dynamicRef", NULL},
        FINE(0, "{\"anyOf\":[{\"$ref\":\"r\"},{\"$ref\":\"a\"}],\"$defs\":{\"r\":{\"$id\":\"r\","
                "\"$dynamicRef\":\"#x\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\"}}},\"a\":{\"$"
                "id\":\"a\","
                "\"$dynamicAnchor\":\"x\",\"$ref\":\"r\"}}}"),
        {0, "{\"$dynamicRef\":\"#x\"}", CUPEL_E_UNRESOLVED_REF, "/$dynamicRef", NULL},
        FINE(0,
             "{\"unevaluatedItems\":{\"$ref\":\"#\"},\"unevaluatedProperties\":{\"$ref\":\"#\"}}")};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_failing(&cases[i]);
}

/* -- Documents and bounds ---------------------------------------------------------------------- */

static void test_documents(void)
{
    struct bench b;
    unsigned calls = 0;
    start(&b, 0,
          "{\"allOf\":[{\"$ref\":\"http://r/int.json\"},{\"$ref\":\"http://r/int.json#\"}]}");
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    CHECK_INT(build(&b), CUPEL_OK);
    CHECK_INT(calls, 1);
    stop(&b);

    /* A meta-schema is fetched once for all that it is for, one that is built in never. */
    calls = 0;
    start(
        &b, 0,
        "{\"$schema\":\"http://r/plain\",\"items\":{\"$ref\":\"http://r/plain\"},\"$defs\":{\"a\":{"
        "\"$id\":\"urn:a\",\"$schema\":\"http://r/plain#\"}},\"$ref\":\"http://json-schema.org/"
        "draft-06/"
        "schema\"}");
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    CHECK_INT(build(&b), CUPEL_OK);
    CHECK_INT(calls, 1);
    stop(&b);

    /* No way from the root leads to another resource of the meta-schema first. */
    start(&b, 0, "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}");
    CHECK_INT(build(&b), CUPEL_OK);
    CHECK(b.frontend != NULL && frontend_graph(b.frontend)->nanchors == 0);
    stop(&b);

    /* Reading one is under no limit of texts. */
    start(&b, 0, "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}");
    b.options.limits.schema_bytes = 1000;
    b.options.limits.number_chars = 0;
    CHECK_INT(build(&b), CUPEL_OK);
    stop(&b);

    start(&b, 0, "{\"$ref\":\"http://r/bundle.json\"}");
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    CHECK_INT(build(&b), CUPEL_OK);
    stop(&b);

    start(&b, 0, "{\"$ref\":\"http://r/bad.json\"}");
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    CHECK_INT(build(&b), CUPEL_E_SYNTAX);
    CHECK(b.err.line == 1 && strstr(b.err.detail, "(in http://r/bad.json)") != NULL);
    stop(&b);

    start(&b, 0, "{\"$ref\":\"http://r/shape.json\"}");
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    CHECK_INT(build(&b), CUPEL_E_SCHEMA);
    CHECK_STR(b.err.where, "/items/minLength");
    CHECK_STR(b.err.detail, "'minLength' must be a non-negative integer (in http://r/shape.json)");
    stop(&b);

    start(&b, 0, "{\"$ref\":\"http://r/shape.json\"}");
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    b.options.limits.schema_bytes = 10;
    CHECK_INT(build(&b), CUPEL_E_SCHEMA_SIZE);
    stop(&b);
}

/* A schema that is a part of a larger text: pointers begin at it, lines and columns do not. */
static void test_part(void)
{
    struct bench b;
    start(&b, 0,
          "{\"tools\":[{},\n {\"schema\":{\"items\":{\"$ref\":\"#/x\"},\"x\":{\"type\":0}}}]}");
    uint32_t tools = cupel__doc_member(&b.doc, 0, CUPEL__STR("tools"));
    uint32_t node = cupel__doc_member(&b.doc, tools + 2, CUPEL__STR("schema"));
    CHECK(node != 0);
    CHECK_INT(graph_build(&b.arena, &b.doc, node, &b.options, &b.frontend, &b.err), CUPEL_E_SCHEMA);
    CHECK_STR(b.err.where, "/x/type");
    CHECK_INT(b.err.line, 2);
    CHECK_INT(b.err.column, 48);
    CHECK_INT(b.err.offset, 61);
    stop(&b);
}

static void test_limits(void)
{
    struct bench b;
    start(&b, 0, "{\"allOf\":[true,{\"not\":{}}]}");
    b.options.limits.subschemas = 4;
    CHECK_INT(build(&b), CUPEL_OK);
    stop(&b);
    start(&b, 0, "{\"allOf\":[true,{\"not\":{}}]}");
    b.options.limits.subschemas = 3;
    CHECK_INT(build(&b), CUPEL_E_SCHEMA_SIZE);
    CHECK_STR(b.err.where, "/allOf/1/not");
    stop(&b);
    start(&b, 0, "{\"allOf\":[true,{\"not\":{}}]}");
    b.options.limits.schema_depth = 4;
    CHECK_INT(build(&b), CUPEL_OK);
    stop(&b);
    start(&b, 0, "{\"allOf\":[true,{\"not\":{}}]}");
    b.options.limits.schema_depth = 3;
    CHECK_INT(build(&b), CUPEL_E_SCHEMA_DEPTH);
    CHECK_STR(b.err.where, "/allOf/1/not");
    stop(&b);
}

/* Without an error to fill in, the status is the same. */
static void test_no_error(void)
{
    struct bench b;
    start(&b, 0, "{\"$ref\":\"#\"}");
    CHECK_INT(graph_build(&b.arena, &b.doc, 0, &b.options, &b.frontend, NULL), CUPEL_E_REF_CYCLE);
    stop(&b);
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* Fails each allocation in turn; the document stays usable. */
static void test_out_of_memory(void)
{
    static const char *const schemas[] = {
        "{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]}",
        "{\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\"]}",
        "{" S7 ",\"enum\":[1,2,3],\"dependencies\":{\"a\":[\"b\"],\"b\":true}}",
        "{\"$id\":\"http://x/"
        "\",\"$ref\":\"a#b\",\"$defs\":{\"a\":{\"$id\":\"a\",\"$anchor\":\"b\"}}}",
        "{\"$ref\":\"#/x/y~1z/0\",\"x\":{\"y/z\":[{\"not\":false}]}}",
        "{\"allOf\":[{\"$ref\":\"http://r/int.json\"},{\"$ref\":\"http://r/other.json#/$defs/"
        "a\"}]}",
        "{\"$ref\":\"#x\",\"$defs\":{\"a\":{\"$dynamicAnchor\":\"x\"}},\"items\":{\"$dynamicRef\":"
        "\"#x\"}}",
        "{\"$ref\":\"#/x/17\",\"x\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,{}]}",
        "{\"$schema\":\"http://r/partial\",\"not\":{}}",
        "{\"$schema\":\"urn:m\",\"$defs\":{\"m\":{\"$id\":\"urn:m\"," META2020 "}}}",
        "{\"$ref\":\"a\",\"items\":{\"$ref\":\"r\"},\"$defs\":{" R "," A "}}",
        "{\"$ref\":\"https://json-schema.org/draft/2019-09/meta/content\"}",
        "{\"$id\":\"https://json-schema.org/draft/2019-09/meta/content\"}",
        "{\"minLength\":-1}",
        "{\"$ref\":\"#\"}",
        "{\"$ref\":\"#none\"}",
        "{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\",\"type\":\"null\"}}}"};
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        enum cupel_status status = CUPEL_E_NO_MEMORY, want;
        struct bench b;
        unsigned calls = 0;
        start(&b, 0, schemas[i]);
        b.options.resolver = resolver;
        b.options.resolver_ctx = &calls;
        want = build(&b);
        for (unsigned long n = 1; status == CUPEL_E_NO_MEMORY && n < 1000; n++) {
            struct test_alloc counter = {.fail_at = n};
            struct cupel_alloc alloc = test_allocator(&counter);
            struct cupel__arena arena;
            struct frontend *frontend = NULL;
            cupel__arena_init(&arena, &alloc, 0);
            status = graph_build(&arena, &b.doc, 0, &b.options, &frontend, &b.err);
            CHECK(status == want || status == CUPEL_E_NO_MEMORY);
            CHECK(status == CUPEL_OK || b.err.status == status);
            cupel__frontend_free(frontend);
            cupel__arena_free(&arena);
            CHECK_INT(counter.live, 0);
        }
        CHECK_INT(status, want);
        stop(&b);
    }
}

int main(void)
{
    test_keywords();
    test_shapes();
    test_dialects();
    test_meta_schemas();
    test_references();
    test_dynamic_references();
    test_many_anchors();
    test_claims();
    test_large_containers();
    test_bad_references();
    test_documents();
    test_part();
    test_limits();
    test_no_error();
    test_out_of_memory();
    return test_end();
}
