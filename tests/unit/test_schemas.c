/* test_schemas.c: schemas at the corners of the frontend: names, references, anchors, vocabularies;
 * what is said of each, and that no allocation which fails on the way changes that. */
#include "test.h"
#include <cupel/cupel.h>

#define L10   "abcdefghij"
#define L120  L10 L10 L10 L10 L10 L10 L10 L10 L10 L10 L10 L10
#define V1    "\"$schema\": \"https://json-schema.org/v1\""
#define D2019 "\"$schema\": \"https://json-schema.org/draft/2019-09/schema\""
#define D7    "\"$schema\": \"http://json-schema.org/draft-07/schema#\""
#define CORE  "\"https://json-schema.org/draft/2020-12/vocab/core\": true"

static const struct {
    const char *schema;
    enum cupel_status status;
} cases[] = {
    /* Names that are longer than what is told of them. */
    {"{\"$ref\": \"#/$defs/" L120 "\"}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"x:" L120 "\"}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$id\": \"a b" L120 "\"}", CUPEL_E_IDENTIFIER},
    {"{\"$schema\": \"x:" L120 "\"}", CUPEL_E_DIALECT},
    {"{" V1 ", \"" L120 "\": 1}", CUPEL_E_SCHEMA},
    {"{" V1 ", \"format\": \"" L120 "\"}", CUPEL_E_FORMAT},
    {"{\"$defs\": {\"a\": {\"$anchor\": \"" L120 "\"}, \"b\": {\"$anchor\": \"" L120
     "\", \"type\": \"null\"}}}",
     CUPEL_E_IDENTIFIER},
    {"{\"$defs\": {\"a\": {\"$id\": \"x:" L120 "\"}, \"b\": {\"$id\": \"x:" L120
     "\", \"type\": \"null\"}}}",
     CUPEL_E_IDENTIFIER},
    {"{\"$schema\": \"x:" L120 "\", \"$defs\": {\"m\": {\"$id\": \"x:" L120
     "\", \"$vocabulary\": {" CORE ", \"x:" L120 "v\": true}}}}",
     CUPEL_E_DIALECT},
    {"{\"$id\": \"x:" L120 "\", \"$ref\": \"res:deep\"}", CUPEL_E_SCHEMA_DEPTH},
    {"{\"$ref\": \"res:" L120 "\"}", CUPEL_E_SYNTAX},
    {"{" V1 ", \"$dynamicRef\": \"#" L120 "\"}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$id\": \"x:" L120 "\", \"minLength\": -1}", CUPEL_E_SCHEMA},
    {"{\"$ref\": \"res:wrong" L120 "\"}", CUPEL_E_SCHEMA},

    /* Vocabularies and definitions of dialects. */
    {"{\"$schema\": \"a b\"}", CUPEL_E_DIALECT},
    {"{\"$schema\": \"x:a#b\"}", CUPEL_E_DIALECT},
    {"{\"$schema\": \"x:m\", \"$defs\": {\"m\": {\"$id\": \"x:m\", \"$vocabulary\": {" CORE
     "}}, \"n\": {\"$id\": 7}, "
     "\"o\": 3, \"p\": {\"$id\": \"x:m#\"}}}",
     CUPEL_E_SCHEMA},
    {"{\"$schema\": \"x:m\", \"$defs\": {\"m\": {\"$id\": \"x:m\", \"$vocabulary\": {" CORE
     "}}, \"o\": true}}",
     CUPEL_OK},
    {"{\"$schema\": \"x:m\", \"$defs\": {\"m\": {\"$id\": \"x:m\", " D7 ", \"$vocabulary\": {}}}}",
     CUPEL_OK},

    /* A meta-schema of v1 makes its schemas those of v1, where unknown keywords are refused. */
    {"{\"$schema\": \"x:m\", \"k\": 1, \"$defs\": {\"m\": {\"$id\": \"x:m\", " V1 "}}}",
     CUPEL_E_SCHEMA},
    {"{\"$schema\": \"x:m\", \"x-k\": 1, \"$defs\": {\"m\": {\"$id\": \"x:m\", " V1
     ", \"$vocabulary\": {}}}}",
     CUPEL_E_SCHEMA},
    {"{\"$schema\": \"x:m\", \"x-k\": 1, \"$defs\": {\"m\": {\"$id\": \"x:m\", " V1 "}}}",
     CUPEL_OK},

    /* Pointers. */
    {"{\"$ref\": \"#/allOf/\", \"allOf\": [true]}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/allOf/0123456789\", \"allOf\": [true]}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/allOf/-\", \"allOf\": [true]}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/allOf/1a\", \"allOf\": [true]}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/allOf/00\", \"allOf\": [true]}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/allOf/7\", \"allOf\": [true]}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/allOf/39\", \"allOf\": [1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0]}",
     CUPEL_E_SCHEMA},
    {"{\"$ref\": \"#/a~1b/c~\", \"a/b\": {\"c~\": true}}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/a~1b/c~0\", \"a/b\": {\"c~\": true}}", CUPEL_OK},
    {"{\"$ref\": \"#/a~2b\"}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/%7E\"}", CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/$defs/x20\", \"$defs\": "
     "{\"x1\":{},\"x2\":{},\"x3\":{},\"x4\":{},\"x5\":{},\"x6\":{},\"x7\":{},"
     "\"x8\":{},\"x9\":{},\"x10\":{},\"x11\":{},\"x12\":{},\"x13\":{},\"x14\":{},\"x15\":{},"
     "\"x16\":{},\"x17\":{},"
     "\"x18\":{},\"x19\":{},\"x20\":{\"$ref\":\"#/$defs/x19/allOf/18\"}}}",
     CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/v/17\", \"v\": [{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{\"$ref\": "
     "\"#/v/16\"},{},{}]}",
     CUPEL_OK},
    {"{\"$ref\": \"#/v/99\", \"v\": [{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{\"$ref\": "
     "\"#/v/16\"},{},{}]}",
     CUPEL_E_UNRESOLVED_REF},

    /* Anchors. */
    {"{" V1 ", \"$dynamicRef\": \"\"}", CUPEL_E_UNRESOLVED_REF},
    {"{" V1 ", \"$dynamicRef\": \"#\"}", CUPEL_E_UNRESOLVED_REF},
    {"{" V1 ", \"$dynamicRef\": \"#a#b\"}", CUPEL_E_UNRESOLVED_REF},
    {"{" V1 ", \"$dynamicRef\": \"#a/b\"}", CUPEL_E_UNRESOLVED_REF},
    {"{" V1 ", \"$dynamicRef\": \"a\", \"$defs\": {\"a\": {\"$dynamicAnchor\": \"a\"}}}", CUPEL_OK},
    {"{" V1 ", \"x-dependencies\": 1, \"dependencies\": {}}", CUPEL_E_SCHEMA},
    {"{" V1 ", \"definitions\": {}}", CUPEL_E_SCHEMA},
    {"{" V1 ", \"a\": {}}", CUPEL_E_SCHEMA},
    {"{" V1 ", \"$anchor\": \"\xc3\xa9\xcc\x81\xc2\xb7\"}", CUPEL_OK},
    {"{" V1 ", \"$anchor\": \"\xc3\x97\"}", CUPEL_E_SCHEMA},
    {"{" V1 ", \"$anchor\": \"a\xe2\x80\xa8\"}", CUPEL_E_SCHEMA},
    {"{" D2019 ", \"$anchor\": \"a:b\"}", CUPEL_OK},
    {"{\"$anchor\": \"a:b\"}", CUPEL_E_SCHEMA},
    {"{" D2019 ", \"$anchor\": \"a!b\"}", CUPEL_E_SCHEMA},
    {"{" D7 ", \"$id\": \"#/definitions/a\"}", CUPEL_OK},
    {"{" D7 ", \"$id\": \"x:y#/definitions/a\"}", CUPEL_OK},
    {"{" D2019 ", \"$id\": \"#\"}", CUPEL_OK},
    {"{" D2019 ", \"$defs\": {\"a\": {\"$id\": \"#\"}}}", CUPEL_OK},
    {"{\"$dynamicAnchor\": \"a\", \"$defs\": {\"b\": {\"$dynamicAnchor\": \"a\"}}}",
     CUPEL_E_IDENTIFIER},
    {"{\"$anchor\": \"a\", \"$dynamicAnchor\": \"a\"}", CUPEL_OK},
    {"{\"$id\": \"x:r\", \"$ref\": \"l\", \"$defs\": {\"a\": {\"$dynamicAnchor\": \"a\"}, \"l\": "
     "{\"$id\": \"l\", "
     "\"items\": {\"$dynamicRef\": \"#a\"}, \"contains\": {\"$dynamicRef\": \"#b\"}, \"$defs\": "
     "{\"d\": "
     "{\"$dynamicAnchor\": \"a\"}, \"e\": {\"$dynamicAnchor\": \"b\", \"items\": {\"$dynamicRef\": "
     "\"#a\"}}}}, "
     "\"m\": {\"$id\": \"m\", \"$ref\": \"l\", \"$defs\": {\"f\": {\"$dynamicAnchor\": \"b\"}}}}}",
     CUPEL_OK},

    /* A schema that only a reference leads to has no anchors in a resource that is there without
       it. */
    {"{\"$ref\": \"#/x\", \"x\": {\"$anchor\": \"y\"}}", CUPEL_OK},
    {"{\"$ref\": \"#/x\", \"x\": {\"$anchor\": \"y\"}, \"items\": {\"$ref\": \"#y\"}}",
     CUPEL_E_UNRESOLVED_REF},
    {"{\"items\": {\"$ref\": \"#y\"}, \"$ref\": \"#/x\", \"x\": {\"$anchor\": \"y\"}}",
     CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/x\", \"x\": {\"$dynamicAnchor\": \"y\"}, \"items\": {\"$dynamicRef\": "
     "\"#y\"}}",
     CUPEL_E_UNRESOLVED_REF},
    {"{\"$ref\": \"#/x\", \"x\": {\"$id\": \"x:d\", \"$anchor\": \"y\", \"items\": {\"$ref\": "
     "\"#y\"}}}",
     CUPEL_OK},
    {"{\"$ref\": \"#/x\", \"x\": {\"$id\": \"x:d\"}, \"items\": {\"$ref\": \"x:d\"}}",
     CUPEL_E_UNRESOLVED_REF},

    /* Values. */
    {"{\"minLength\": -1e9999999999999}", CUPEL_E_SCHEMA},
    {"{\"multipleOf\": -1e9999999999999}", CUPEL_E_SCHEMA},
    {"{\"minLength\": 1e9999999999999}", CUPEL_OK},
    {"{\"minLength\": -1e400}", CUPEL_E_SCHEMA},
    {"{\"minLength\": -123456789012345678901234567890}", CUPEL_E_SCHEMA},
    {"{\"multipleOf\": -0.5}", CUPEL_E_SCHEMA},
    {"{\"multipleOf\": 0}", CUPEL_E_SCHEMA},
    {"{" D7 ", \"enum\": "
     "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33]}",
     CUPEL_OK},
    {"{" D7 ", \"contentMediaType\": \"\", \"contentEncoding\": \"BASE64\"}", CUPEL_OK},
    {"{" D7 ", \"contentMediaType\": \"APPLICATION/JSON \\t; charset=utf-8\", \"contentEncoding\": "
     "\"BASE6_\"}",
     CUPEL_OK},
    {"{" D7 ", \"contentMediaType\": \" \\t;\", \"contentEncoding\": \"base_4\"}", CUPEL_OK},
    {"{" D7 ", \"contentMediaType\": \"application@json\", \"contentEncoding\": \"bAse64\"}",
     CUPEL_OK},
    {"{\"propertyDependencies\": {}, \"$ref\": 1}", CUPEL_E_SCHEMA},
    {"{" V1 ", \"propertyDependencies\": {\"k\": {\"a\": {\"minProperties\": 2}, \"b\": false}}}",
     CUPEL_OK},
};

static int resolve(void *ctx, const char *uri, size_t len, const char **ret_text, size_t *ret_len)
{
    static char deep[1200];
    (void)ctx;
    if (len < 4 || memcmp(uri, "res:", 4) != 0)
        return 1;
    bool wrong = len > 9 && memcmp(uri, "res:wrong", 9) == 0;
    *ret_text = wrong ? "{\"type\": 1}" : "{]";
    if (len == 8 && memcmp(uri, "res:deep", 8) == 0) {
        memset(deep, '[', sizeof deep - 1);
        *ret_text = deep;
    }
    *ret_len = strlen(*ret_text);
    return 0;
}

static enum cupel_status compile(const char *schema, const struct cupel_alloc *alloc,
                                 struct cupel_error *err)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    cupel_options_init(&options);
    options.alloc = *alloc;
    options.flags |= CUPEL_ASSERT_CONTENT | CUPEL_EXPERIMENTAL;
    options.resolver = resolve;
    enum cupel_status status = cupel_compile(schema, strlen(schema), &options, &program, err);
    CHECK((status == CUPEL_OK) == (program != NULL));
    cupel_program_free(program);
    return status;
}

/* Each request fails once: the end is the same or NO_MEMORY, and nothing is lost. */
static void check_faults(const char *schema, enum cupel_status want, bool for_ever)
{
    for (unsigned long at = 1, more = 1; more; at++) {
        struct test_alloc t = {.fail_at = at, .for_ever = for_ever};
        struct cupel_alloc alloc = test_allocator(&t);
        enum cupel_status got = compile(schema, &alloc, NULL);
        more = t.requests >= at;
        CHECK(got == want || (more && got == CUPEL_E_NO_MEMORY));
        CHECK_INT(t.live, 0);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct test_alloc t = {.fail_at = 0};
        struct cupel_alloc alloc = test_allocator(&t);
        struct cupel_error err = {.status = CUPEL_OK};
        if (!CHECK_INT(compile(cases[i].schema, &alloc, &err), cases[i].status))
            fprintf(stderr, "    %.150s: %s\n", cases[i].schema, err.detail);
        CHECK_INT(err.status, cases[i].status);
        check_faults(cases[i].schema, cases[i].status, i % 2);
    }
    return test_end();
}
