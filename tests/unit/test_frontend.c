/* test_frontend.c: keywords and their shapes, dialects, documents and bounds.  References are in
 * test_resolve.c, what the keywords mean in test_lower.c. */
#include "frontend_bench.h"

/* -- Keywords and shapes ----------------------------------------------------------------------- */

/* The hash reads a few bytes behind the name. */
static uint32_t hash_of(struct cupel__str name)
{
    char padded[64] = {0};
    memcpy(padded, name.p, name.n);
    return cupel__name_hash(padded, (uint32_t)name.n);
}

static void test_keywords(void)
{
    for (int kw = KW_NONE + 1; kw < KEYWORDS; kw++) {
        struct cupel__str name = cupel__fe_keywords[kw].name;
        if (!CHECK(cupel__fe_keyword_find(name, hash_of(name)) == (enum keyword)kw))
            fprintf(stderr, "    slot of %s is %u\n", name.p,
                    cupel__fe_keyword_slot(hash_of(name)));
    }
    static const char *const unknown[] = {
        "", "typ", "types", "Type", "$defs ", "minLen", "x-foo", "unevaluatedPropertiesAndMore"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        struct cupel__str name = {unknown[i], strlen(unknown[i])};
        CHECK(cupel__fe_keyword_find(name, hash_of(name)) == KW_NONE);
    }
}

/* The same on every machine, whatever its words and its order of bytes. */
static void test_hash(void)
{
    static const struct {
        const char *name;
        uint64_t hash;
    } cases[] = {
        {"", 0x9ec210fe9d601dbbu},
        {"type", 0x278148ffd1a3f470u},
        {"minLength", 0xc34f22b2a9113573u},
        {"https://example.org/schemas/a", 0x373bca3042c04c08u},
    };
    const struct frontend fe = {.seed = 0x123456789abcdef0u};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(cupel__fe_hash(&fe, (struct cupel__str){cases[i].name, strlen(cases[i].name)}) ==
              cases[i].hash);
}

static void test_shapes(void)
{
    static const struct failing cases[] = {
        {0, "{\"minLength\":-1}", CUPEL_E_SCHEMA, "/minLength",
         "'minLength' must be a non-negative integer, found -1"},
        {0, "{\"$defs\":{\"a\":{\"not\":{\"type\":\"int\"}}}}", CUPEL_E_SCHEMA, "/$defs/a/not/type",
         "'type': there is no type \"int\""},
        {0, "{\"allOf\":[{},3]}", CUPEL_E_SCHEMA, "/allOf/1",
         "a schema must be an object or a boolean, found 3"},
        {0, "[]", CUPEL_E_SCHEMA, "", "a schema must be an object or a boolean, found an array"},
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
         "'http://r/true' is not a meta-schema"},
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
        const struct graph_schema *s = ok ? cupel__frontend_graph(b.frontend)->schemas : NULL;
        if (!ok || !CHECK_INT(s->dialect, cases[i].draft) ||
            !CHECK_INT(s->vocabularies, cases[i].vocabularies))
            fprintf(stderr, "    for %s: %s\n", cases[i].schema, b.err.detail);
        stop(&b);
    }
}

/* Each draft by http and https, with and without an empty fragment: by `$schema` and by `$ref`. */
static void test_spellings(void)
{
    static const char *const schemes[] = {"http", "https"}, *const ends[] = {"", "#"},
                             *const members[] = {"$schema", "$ref"},
                             *const paths[] = {[DRAFT_4] = "draft-04/schema",
                                               [DRAFT_6] = "draft-06/schema",
                                               [DRAFT_7] = "draft-07/schema",
                                               [DRAFT_2019] = "draft/2019-09/schema",
                                               [DRAFT_2020] = "draft/2020-12/schema"};
    for (unsigned i = 0; i < 2 * 2 * 2 * (DRAFT_2020 + 1); i++) {
        unsigned draft = i / 8, last = 0;
        char schema[128];
        struct bench b;
        snprintf(schema, sizeof schema, "{\"%s\":\"%s://json-schema.org/%s%s\"}", members[i & 1],
                 schemes[i >> 1 & 1], paths[draft], ends[i >> 2 & 1]);
        start(&b, 0, schema);
        bool ok = CHECK_INT(build(&b), CUPEL_OK);
        const struct graph *g = ok ? cupel__frontend_graph(b.frontend) : NULL;
        if (ok && (i & 1) != 0)
            last = g->docs[1].root; /* the meta-schema is the second document */
        const struct graph_schema *s = ok ? &g->schemas[(i & 1) != 0] : NULL;
        if (!ok || !CHECK_INT(s->dialect, draft) || !CHECK_INT(s->node, last))
            fprintf(stderr, "    for %s: %s\n", schema, b.err.detail);
        stop(&b);
    }
    static const char *const others[] = {"ftp://json-schema.org/draft-07/schema",
                                         "json-schema.org/draft-07/schema", "https://", "#"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char schema[128];
        struct bench b;
        snprintf(schema, sizeof schema, "{\"$schema\":\"%s\"}", others[i]);
        start(&b, 0, schema);
        CHECK_INT(build(&b), CUPEL_E_DIALECT);
        stop(&b);
    }
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
    CHECK(b.frontend != NULL && cupel__frontend_graph(b.frontend)->nanchors == 0);
    stop(&b);

    /* Reading one is under no limit of texts. */
    start(&b, 0, "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}");
    b.options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 1000;
    b.options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 0;
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
    CHECK_STR(b.err.detail,
              "'minLength' must be a non-negative integer, found -1 (in http://r/shape.json)");
    stop(&b);

    start(&b, 0, "{\"$ref\":\"http://r/shape.json\"}");
    b.options.resolver = resolver;
    b.options.resolver_ctx = &calls;
    b.options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = 10;
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
    CHECK_INT(cupel__graph_build(&b.arena, &b.doc, node, &b.options, &b.frontend, &b.err),
              CUPEL_E_SCHEMA);
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
    b.options.limits[CUPEL_LIMIT_SUBSCHEMAS] = 4;
    CHECK_INT(build(&b), CUPEL_OK);
    stop(&b);
    start(&b, 0, "{\"allOf\":[true,{\"not\":{}}]}");
    b.options.limits[CUPEL_LIMIT_SUBSCHEMAS] = 3;
    CHECK_INT(build(&b), CUPEL_E_SCHEMA_SIZE);
    CHECK_STR(b.err.where, "/allOf/1/not");
    stop(&b);
    start(&b, 0, "{\"allOf\":[true,{\"not\":{}}]}");
    b.options.limits[CUPEL_LIMIT_SCHEMA_DEPTH] = 4;
    CHECK_INT(build(&b), CUPEL_OK);
    stop(&b);
    start(&b, 0, "{\"allOf\":[true,{\"not\":{}}]}");
    b.options.limits[CUPEL_LIMIT_SCHEMA_DEPTH] = 3;
    CHECK_INT(build(&b), CUPEL_E_SCHEMA_DEPTH);
    CHECK_STR(b.err.where, "/allOf/1/not");
    stop(&b);
}

/* Without an error to fill in, the status is the same. */
static void test_no_error(void)
{
    struct bench b;
    start(&b, 0, "{\"$ref\":\"#\"}");
    CHECK_INT(cupel__graph_build(&b.arena, &b.doc, 0, &b.options, &b.frontend, NULL),
              CUPEL_E_REF_CYCLE);
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
        "{\"$ref\":\"a\",\"items\":{\"$ref\":\"r\"},\"$defs\":{\"r\":{\"$id\":\"r\",\"items\":"
        "{\"$dynamicRef\":\"#x\"},\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\"}}},\"a\":{\"$id\":"
        "\"a\","
        "\"$ref\":\"r\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\"}}}}}",
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
            status = cupel__graph_build(&arena, &b.doc, 0, &b.options, &frontend, &b.err);
            CHECK(status == want || status == CUPEL_E_NO_MEMORY);
            CHECK(status == CUPEL_OK || b.err.status == status);
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
    test_hash();
    test_shapes();
    test_dialects();
    test_meta_schemas();
    test_spellings();
    test_documents();
    test_part();
    test_limits();
    test_no_error();
    test_out_of_memory();
    return test_end();
}
