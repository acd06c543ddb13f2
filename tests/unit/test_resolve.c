/* test_resolve.c: identifiers and references, dynamic ones among them: which schema each means, and
 * which are refused. */
#include "frontend_bench.h"

#include <cupel/program.h>

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
    const struct graph *g = cupel__frontend_graph(b->frontend);
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

/* The base URI of the options: relative references and `$id`s begin at it, and the root has it
 * besides its `$id`. */
static void test_base(void)
{
    static const struct {
        const char *base, *schema, *at, *target;
    } cases[] = {{"http://r/main.json", "{\"items\":{\"$ref\":\"int.json\"}}", "/items/$ref",
                  "http://r/int.json#"},
                 {"http://r/a/b/main.json#x", "{\"items\":{\"$ref\":\"../../int.json\"}}",
                  "/items/$ref", "http://r/int.json#"},
                 {"http://r/main.json", "{\"items\":{\"$ref\":\"main.json\"}}", "/items/$ref", "#"},
                 {"http://r/main.json",
                  "{\"$id\":\"urn:x\",\"items\":{\"$ref\":\"http://r/main.json\"}}", "/items/$ref",
                  "#"},
                 {"http://r/a/main.json", "{\"$id\":\"../\",\"items\":{\"$ref\":\"int.json\"}}",
                  "/items/$ref", "http://r/int.json#"},
                 {"http://x/main", "{\"items\":{\"$ref\":\"http://r/mutual.json\"}}", "/items/$ref",
                  "http://r/mutual.json#"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench b;
        unsigned calls = 0;
        struct cupel_text target;
        cupel_text_init(&target, NULL);
        start(&b, 0, cases[i].schema);
        b.options.base_uri = cases[i].base;
        b.options.resolver = resolver;
        b.options.resolver_ctx = &calls;
        bool ok = CHECK_INT(build(&b), CUPEL_OK);
        if (ok)
            find_target(&b, cases[i].at, &target);
        if (!ok || !CHECK_MEM(target.len == 0 ? "" : target.bytes, target.len, cases[i].target))
            fprintf(stderr, "    for %s: %s\n", cases[i].schema, b.err.detail);
        cupel_text_free(&target);
        stop(&b);
    }
    static const char *const wrong[] = {"", "main.json", "/a/main.json", "//r/a", "http://r/a b"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct bench b;
        start(&b, 0, "{}");
        b.options.base_uri = wrong[i];
        if (!CHECK_INT(build(&b), CUPEL_E_ARGUMENT))
            fprintf(stderr, "    for %s\n", wrong[i]);
        stop(&b);
    }
}

/* An image does not depend on where its schema was. */
static void test_base_is_not_stored(void)
{
    static const char schema[] = "{\"$defs\":{\"a\":{\"type\":\"integer\"}},\"items\":{\"$ref\":"
                                 "\"main.json#/$defs/a\"},\"minLength\":3}";
    static const char plain[] = "{\"$defs\":{\"a\":{\"type\":\"integer\"}},\"items\":{\"$ref\":"
                                "\"#/$defs/a\"},\"minLength\":3}";
    static const char *const bases[] = {"http://r/main.json", "file:///home/user/main.json", NULL};
    const void *first = NULL;
    size_t first_len = 0, len;
    struct cupel_program *programs[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        const char *text = bases[i] != NULL ? schema : plain;
        struct cupel_options options;
        cupel_options_init(&options);
        options.base_uri = bases[i];
        if (!CHECK_INT(cupel_compile(text, strlen(text), &options, &programs[i], NULL), CUPEL_OK))
            break;
        const void *image = cupel_program_image(programs[i], &len);
        if (i == 0) {
            first = image;
            first_len = len;
        } else {
            CHECK(len == first_len && memcmp(image, first, len) == 0);
        }
    }
    for (int i = 0; i < 3; i++)
        cupel_program_free(programs[i]);
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
        const struct graph *g = cupel__frontend_graph(b->frontend);
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
    CHECK(
        !cupel__fe_metaschema(CUPEL__STR("https://json-schema.org/draft/2020-12/meta/cor"), &text));
    CHECK(cupel__fe_metaschema((struct cupel__str){uri, sizeof uri - 1}, &text));
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
         "'#/$defs/b' does not resolve: there is no 'b'"},
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

int main(void)
{
    test_base();
    test_base_is_not_stored();
    test_references();
    test_dynamic_references();
    test_many_anchors();
    test_claims();
    test_large_containers();
    test_bad_references();
    return test_end();
}
