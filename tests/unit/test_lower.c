/* test_lower.c: the intermediate form of small schemas, as cupel__ir_print writes it. How
 * references and dialects are read is test_frontend.c. */
#include "test.h"

#include "compiler/lower/lower.h"

struct bench {
    struct cupel_options options;
    struct cupel__doc doc;
    struct cupel__arena arena;
    struct ir_module m;
    struct cupel_error err;
};

static void start(struct bench *b, int dialect, const char *text)
{
    const struct cupel__read_options read = {0, 1000, 1000, 1 << 24, 0};
    memset(b, 0, sizeof *b);
    cupel_options_init(&b->options);
    b->options.dialect = (enum cupel_dialect)dialect;
    cupel__doc_init(&b->doc, NULL);
    CHECK_INT(cupel__json_read(&b->doc, text, strlen(text), &read, NULL), CUPEL_OK);
}

static enum cupel_status lower(struct bench *b, const struct cupel_alloc *alloc)
{
    cupel__arena_init(&b->arena, alloc, 0);
    cupel__ir_init(&b->m, &b->arena);
    return cupel__lower_schema(&b->m, &b->doc, 0, &b->options, &b->err);
}

static void drop(struct bench *b)
{
    cupel__arena_free(&b->arena);
}

/* Prints the operations, each with the pointer of its location in place of the number. */
static void print_ops(const struct bench *b, struct cupel_text *ret)
{
    struct cupel_text whole;
    cupel_text_init(&whole, NULL);
    cupel__ir_print(&b->m, &whole);
    for (char *line = strtok(whole.bytes, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *loc = NULL;
        if (line[0] != ' ' && strncmp(line, "schema", 6) != 0)
            continue;
        for (char *p = line; (p = strstr(p, " loc ")) != NULL; p++)
            loc = p;
        if (loc == NULL)
            continue;
        cupel_text_add(ret, line, (size_t)(loc - line));
        cupel_text_adds(ret, " #");
        cupel__ir_loc_pointer(&b->m, (uint32_t)strtoul(loc + 5, NULL, 10), ret);
        cupel_text_adds(ret, "\n");
    }
    cupel_text_free(&whole);
}

struct lowering {
    int dialect;
    const char *schema, *ir;
};

static void check_lowering(const struct lowering *c, uint32_t flags)
{
    struct bench b;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    start(&b, c->dialect, c->schema);
    b.options.flags |= flags;
    if (CHECK_INT(lower(&b, NULL), CUPEL_OK)) {
        CHECK_INT(cupel__ir_check(&b.m, &b.err), CUPEL_OK);
        CHECK_INT(b.m.root, 0);
        print_ops(&b, &text);
        if (!CHECK_MEM(text.bytes, text.len, c->ir))
            fprintf(stderr, "    for %s\n", c->schema);
    } else {
        fprintf(stderr, "    for %s: %s\n", c->schema, b.err.detail);
    }
    cupel_text_free(&text);
    drop(&b);
    cupel__doc_free(&b.doc);
}

#define ROOT "schema @0 any #\n"

static const struct lowering assertions[] = {
    {0, "true", ROOT},
    {0, "false", ROOT "  fail #\n"},
    {0, "{\"title\":\"x\",\"default\":1,\"format\":\"uri\",\"x\":1,\"$comment\":\"\"}", ROOT},
    {0, "{\"type\":\"integer\"}", ROOT "  type integer #/type\n"},
    {4, "{\"type\":\"integer\"}", ROOT "  type int|bigint #/type\n"},
    {0, "{\"type\":[\"number\",\"integer\"]}", ROOT "  type number #/type\n"},
    {0, "{\"const\":{\"a\":[1.50]}}", ROOT "  const {\"a\":[1.50]} #/const\n"},
    {0, "{\"enum\":[1,[2,3],\"a\",{}]}", ROOT "  enum 1 [2,3] \"a\" {} #/enum\n"},
    {0, "{\"enum\":[{\"a b\"\t: [1 ,\r\n2]}, \" \"]}",
     ROOT "  enum {\"a b\":[1,2]} \" \" #/enum\n"},
    {0, "{\"enum\":[]}", ROOT "  enum #/enum\n"},
    {0, "{\"minimum\":1,\"exclusiveMaximum\":2.5,\"multipleOf\":0.1}",
     ROOT "  min 1 #/minimum\n  max exclusive 2.5 #/exclusiveMaximum\n"
          "  multiple 0.1 #/multipleOf\n"},
    {4, "{\"exclusiveMinimum\":true,\"minimum\":1,\"maximum\":2,\"exclusiveMaximum\":false}",
     ROOT "  min exclusive 1 #/minimum\n  max 2 #/maximum\n"},
    {0, "{\"minLength\":1,\"maxLength\":2.0}",
     ROOT "  length 1 many #/minLength\n  length 0 2 #/maxLength\n"},
    {0, "{\"minLength\":4294967295,\"maxLength\":4294967294}",
     ROOT "  length many many #/minLength\n  length 0 4294967294 #/maxLength\n"},
    {0, "{\"minLength\":1e400,\"maxLength\":99999999999999999999}",
     ROOT "  length many many #/minLength\n  length 0 many #/maxLength\n"},
    {0, "{\"minLength\":-0.0000000000000000000000000,\"maxLength\":0.0000000000000000000000000}",
     ROOT "  length 0 many #/minLength\n  length 0 0 #/maxLength\n"},
    {0, "{\"minItems\":1,\"maxItems\":1e1,\"minProperties\":0,\"maxProperties\":3}",
     ROOT "  items_count 1 many #/minItems\n  items_count 0 10 #/maxItems\n"
          "  props_count 0 many #/minProperties\n  props_count 0 3 #/maxProperties\n"},
    {0, "{\"uniqueItems\":true}", ROOT "  unique #/uniqueItems\n"},
    {0, "{\"uniqueItems\":false}", ROOT},
    {0, "{\"pattern\":\"^a\",\"allOf\":[{\"pattern\":\"b\"},{\"pattern\":\"^a\"}]}",
     ROOT "  pattern 0 #/pattern\n  all @1 @2 #/allOf\n"
          "schema @1 any #/allOf/0\n  pattern 1 #/allOf/0/pattern\n"
          "schema @2 any #/allOf/1\n  pattern 0 #/allOf/1/pattern\n"},
    {0, "{\"required\":[\"a\",\"\\u0062/\"]}", ROOT "  required \"a\" \"b/\" #/required\n"},
    {0, "{\"dependentRequired\":{\"a\":[\"b\",\"c\"],\"x/y\":[]}}",
     ROOT "  dep_required \"a\" \"b\" \"c\" #/dependentRequired/a\n"
          "  dep_required \"x/y\" #/dependentRequired/x~1y\n"}};

static const struct lowering applicators[] = {
    {0, "{\"anyOf\":[true],\"oneOf\":[true,true],\"not\":true}",
     ROOT "  any @1 #/anyOf\n  one @2 @3 #/oneOf\n  not @4 #/not\n"
          "schema @1 any #/anyOf/0\nschema @2 any #/oneOf/0\nschema @3 any #/oneOf/1\n"
          "schema @4 any #/not\n"},
    {0, "{\"else\":false,\"if\":true}",
     ROOT "  if @2 - @1 #/if\nschema @1 any #/else\n  fail #/else\nschema @2 any #/if\n"},
    {0, "{\"if\":true,\"then\":true,\"else\":true}",
     ROOT "  if @1 @2 @3 #/if\nschema @1 any #/if\nschema @2 any #/then\nschema @3 any #/else\n"},
    {0, "{\"then\":false,\"else\":false}", ROOT},
    {6, "{\"if\":true,\"then\":false}", ROOT},
    {0, "{\"properties\":{\"a\":true,\"b~\":false}}",
     ROOT "  props \"a\":@1, \"b~\":@2 #/properties\nschema @1 any #/properties/a\n"
          "schema @2 any #/properties/b~0\n  fail #/properties/b~0\n"},
    {0,
     "{\"additionalProperties\":false,\"patternProperties\":{\"^x\":true},\"type\":\"object\","
     "\"properties\":{\"a\":true}}",
     ROOT "  type object #/type\n  props \"a\":@3, pattern 0:@2, other:@1 #/properties\n"
          "schema @1 any #/additionalProperties\n  fail #/additionalProperties\n"
          "schema @2 any #/patternProperties/^x\nschema @3 any #/properties/a\n"},
    {0, "{\"additionalProperties\":true,\"patternProperties\":{\"^x\":true}}",
     ROOT "  props pattern 0:@2, other:@1 #/patternProperties\n"
          "schema @1 any #/additionalProperties\nschema @2 any #/patternProperties/^x\n"},
    {0, "{\"additionalProperties\":true}",
     ROOT "  props other:@1 #/additionalProperties\nschema @1 any #/additionalProperties\n"},
    {0, "{\"propertyNames\":true}",
     ROOT "  names @1 #/propertyNames\nschema @1 any #/propertyNames\n"},
    {0, "{\"items\":true}", ROOT "  items 0 @1 #/items\nschema @1 any #/items\n"},
    {0, "{\"items\":false,\"prefixItems\":[true,true]}",
     ROOT "  items 2 @1 #/items\n  prefix @2 @3 #/prefixItems\nschema @1 any #/items\n"
          "  fail #/items\nschema @2 any #/prefixItems/0\nschema @3 any #/prefixItems/1\n"},
    {7, "{\"additionalItems\":true,\"items\":[true]}",
     ROOT "  items 1 @1 #/additionalItems\n  prefix @2 #/items\nschema @1 any #/additionalItems\n"
          "schema @2 any #/items/0\n"},
    {7, "{\"additionalItems\":false,\"items\":true}",
     ROOT "  items 0 @1 #/items\nschema @1 any #/items\n"},
    {7, "{\"additionalItems\":false}", ROOT},
    {0, "{\"contains\":true}",
     ROOT "  contains exclusive 1 many @1 #/contains\nschema @1 any #/contains\n"},
    {0, "{\"contains\":true,\"minContains\":0,\"maxContains\":2.0}",
     ROOT "  contains exclusive 0 2 @1 #/contains\nschema @1 any #/contains\n"},
    {2019, "{\"contains\":true}",
     ROOT "  contains 1 many @1 #/contains\nschema @1 any #/contains\n"},
    {7, "{\"contains\":true,\"minContains\":0}",
     ROOT "  contains 1 many @1 #/contains\nschema @1 any #/contains\n"},
    {0, "{\"contains\":true,\"minContains\":3,\"maxContains\":2}",
     ROOT "  type null|boolean|number|string|object #/contains\n"},
    {0, "{\"minContains\":3,\"maxContains\":2}", ROOT},
    {0, "{\"dependentSchemas\":{\"a\":true}}",
     ROOT "  dep_schema \"a\" @1 #/dependentSchemas/a\nschema @1 any #/dependentSchemas/a\n"},
    {7, "{\"dependencies\":{\"a\":[\"b\"],\"c\":true}}",
     ROOT "  dep_schema \"c\" @1 #/dependencies/c\n  dep_required \"a\" \"b\" #/dependencies/a\n"
          "schema @1 any #/dependencies/c\n"},
    {7, "{\"$ref\":\"#/definitions/a\",\"type\":\"null\",\"definitions\":{\"a\":true,\"b\":true}}",
     ROOT "  ref @1 #/$ref\nschema @1 any #/definitions/a\n"},
    {0, "{\"type\":\"null\",\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":true}}",
     ROOT "  type null #/type\n  ref @1 #/$ref\nschema @1 any #/$defs/a\n"},
    {0, "{\"items\":{\"$ref\":\"#\"}}",
     ROOT "  items 0 @1 #/items\nschema @1 any #/items\n  ref @0 #/items/$ref\n"},
    {0, "{\"items\":{\"$dynamicRef\":\"#a\"},\"$dynamicAnchor\":\"a\"}",
     ROOT "  items 0 @1 #/items\nschema @1 any #/items\n  ref @0 #/items/$dynamicRef\n"},
    /* Where only a JSON Pointer leads. */
    {0, "{\"$ref\":\"#/x/a~1b/1\",\"x\":{\"a/b\":[1,{\"not\":false}]}}",
     ROOT "  ref @1 #/$ref\nschema @1 any #/x/a~1b/1\n  not @2 #/x/a~1b/1/not\n"
          "schema @2 any #/x/a~1b/1/not\n  fail #/x/a~1b/1/not\n"}};

/* Other keywords go into an inner schema; what always passes stays, because it evaluates. */
static const struct lowering evaluations[] = {
    {0, "{\"unevaluatedProperties\":false}",
     ROOT "  unevaluated @2 @1 - #/unevaluatedProperties\n"
          "schema @1 any #/unevaluatedProperties\n"
          "  fail #/unevaluatedProperties\n"
          "schema @2 any #\n"},
    {0, "{\"unevaluatedItems\":true,\"type\":\"array\",\"unevaluatedProperties\":false}",
     ROOT "  unevaluated @3 @2 @1 #/unevaluatedProperties\n"
          "schema @1 any #/unevaluatedItems\n"
          "schema @2 any #/unevaluatedProperties\n"
          "  fail #/unevaluatedProperties\n"
          "schema @3 any #\n"
          "  type array #/type\n"},
    {2019,
     "{\"unevaluatedItems\":false,\"items\":[true],\"additionalItems\":true,\"contains\":true}",
     ROOT "  unevaluated @5 - @1 #/unevaluatedItems\n"
          "schema @1 any #/unevaluatedItems\n"
          "  fail #/unevaluatedItems\n"
          "schema @2 any #/items/0\n"
          "schema @3 any #/additionalItems\n"
          "schema @4 any #/contains\n"
          "schema @5 any #\n"
          "  prefix @2 #/items\n"
          "  items 1 @3 #/additionalItems\n"
          "  contains 1 many @4 #/contains\n"},
    {0, "{\"allOf\":[{\"if\":{\"properties\":{\"a\":true}}}],\"unevaluatedProperties\":false}",
     ROOT "  unevaluated @5 @2 - #/unevaluatedProperties\n"
          "schema @1 any #/allOf/0\n"
          "  if @3 - - #/allOf/0/if\n"
          "schema @2 any #/unevaluatedProperties\n"
          "  fail #/unevaluatedProperties\n"
          "schema @3 any #/allOf/0/if\n"
          "  props \"a\":@4 #/allOf/0/if/properties\n"
          "schema @4 any #/allOf/0/if/properties/a\n"
          "schema @5 any #\n"
          "  all @1 #/allOf\n"},
    {0, "{\"if\":true}", ROOT},
    {0, "{\"additionalProperties\":{\"unevaluatedItems\":{\"minimum\":1},\"$ref\":\"#\"}}",
     ROOT "  props other:@1 #/additionalProperties\n"
          "schema @1 any #/additionalProperties\n"
          "  unevaluated @3 - @2 #/additionalProperties/unevaluatedItems\n"
          "schema @2 any #/additionalProperties/unevaluatedItems\n"
          "  min 1 #/additionalProperties/unevaluatedItems/minimum\n"
          "schema @3 any #/additionalProperties\n"
          "  ref @0 #/additionalProperties/$ref\n"},
    {0,
     "{\"$ref\":\"#/$defs/"
     "a\",\"$defs\":{\"a\":{\"unevaluatedItems\":false}},\"unevaluatedProperties\":false}",
     ROOT "  unevaluated @4 @2 - #/unevaluatedProperties\n"
          "schema @1 any #/$defs/a\n"
          "  unevaluated @5 - @3 #/$defs/a/unevaluatedItems\n"
          "schema @2 any #/unevaluatedProperties\n"
          "  fail #/unevaluatedProperties\n"
          "schema @3 any #/$defs/a/unevaluatedItems\n"
          "  fail #/$defs/a/unevaluatedItems\n"
          "schema @4 any #\n"
          "  ref @1 #/$ref\n"
          "schema @5 any #/$defs/a\n"},
    {7, "{\"unevaluatedProperties\":false,\"if\":true}", ROOT},
};

/* Resources that bind an anchor are entered by a schema in front of theirs. */
static const struct lowering scopes[] = {
    /* Two ways lead to the reference, and each has its own schema for the anchor. */
    {0,
     "{\"properties\":{\"p\":{\"$ref\":\"a\"},\"q\":{\"$ref\":\"b\"}},\"$defs\":{"
     "\"a\":{\"$id\":\"a\",\"$ref\":\"c\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\",\"type\":"
     "\"null\"}}},"
     "\"b\":{\"$id\":\"b\",\"$ref\":\"c\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\",\"type\":"
     "\"array\"}}},"
     "\"c\":{\"$id\":\"c\",\"items\":{\"$dynamicRef\":\"#x\"},\"$defs\":{\"x\":{\"$dynamicAnchor\":"
     "\"x\"}}}}}",
     ROOT "  props \"p\":@1, \"q\":@2 #/properties\n"
          "schema @1 any #/properties/p\n"
          "  ref @10 #/properties/p/$ref\n"
          "schema @2 any #/properties/q\n"
          "  ref @11 #/properties/q/$ref\n"
          "schema @3 any #/$defs/a\n"
          "  ref @5 #/$defs/a/$ref\n"
          "schema @4 any #/$defs/b\n"
          "  ref @5 #/$defs/b/$ref\n"
          "schema @5 any #/$defs/c\n"
          "  items 0 @6 #/$defs/c/items\n"
          "schema @6 any #/$defs/c/items\n"
          "  dynamic 0 @7 #/$defs/c/items/$dynamicRef\n"
          "schema @7 any #/$defs/c/$defs/x\n"
          "schema @8 any #/$defs/b/$defs/x\n"
          "  type array #/$defs/b/$defs/x/type\n"
          "schema @9 any #/$defs/a/$defs/x\n"
          "  type null #/$defs/a/$defs/x/type\n"
          "schema @10 any #/$defs/a\n"
          "  scope @3 @9 #/$defs/a\n"
          "schema @11 any #/$defs/b\n"
          "  scope @4 @8 #/$defs/b\n"},
    /* The root's resource binds it: there is only one target. */
    {0,
     "{\"$ref\":\"c\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\",\"type\":\"null\"},"
     "\"c\":{\"$id\":\"c\",\"items\":{\"$dynamicRef\":\"#x\"},\"$defs\":{\"x\":{\"$dynamicAnchor\":"
     "\"x\"}}}}}",
     ROOT "  ref @1 #/$ref\n"
          "schema @1 any #/$defs/c\n"
          "  items 0 @2 #/$defs/c/items\n"
          "schema @2 any #/$defs/c/items\n"
          "  ref @4 #/$defs/c/items/$dynamicRef\n"
          "schema @4 any #/$defs/x\n"
          "  type null #/$defs/x/type\n"},
    /* The same for one anchor of two. */
    {0,
     "{\"$id\":\"r\",\"anyOf\":[{\"$ref\":\"a\"},{\"$ref\":\"c\"}],\"$defs\":{\"y\":{\"$"
     "dynamicAnchor\":\"y\"},"
     "\"a\":{\"$id\":\"a\",\"$ref\":\"c\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"x\"},\"y\":{\"$"
     "dynamicAnchor\":\"y\"}}},"
     "\"c\":{\"$id\":\"c\",\"items\":{\"$dynamicRef\":\"#x\"},\"contains\":{\"$dynamicRef\":\"#y\"}"
     ",\"$defs\":{"
     "\"x\":{\"$dynamicAnchor\":\"x\"},\"y\":{\"$dynamicAnchor\":\"y\"}}}}}",
     ROOT "  any @1 @2 #/anyOf\n"
          "schema @1 any #/anyOf/0\n"
          "  ref @12 #/anyOf/0/$ref\n"
          "schema @2 any #/anyOf/1\n"
          "  ref @13 #/anyOf/1/$ref\n"
          "schema @3 any #/$defs/a\n"
          "  ref @13 #/$defs/a/$ref\n"
          "schema @4 any #/$defs/c\n"
          "  items 0 @5 #/$defs/c/items\n"
          "  contains exclusive 1 many @6 #/$defs/c/contains\n"
          "schema @5 any #/$defs/c/items\n"
          "  dynamic 0 @7 #/$defs/c/items/$dynamicRef\n"
          "schema @6 any #/$defs/c/contains\n"
          "  ref @11 #/$defs/c/contains/$dynamicRef\n"
          "schema @7 any #/$defs/c/$defs/x\n"
          "schema @8 any #/$defs/a/$defs/x\n"
          "schema @11 any #/$defs/y\n"
          "schema @12 any #/$defs/a\n"
          "  scope @3 @8 #/$defs/a\n"
          "schema @13 any #/$defs/c\n"
          "  scope @4 @7 #/$defs/c\n"},
    /* `$recursiveRef`, by way of embedded resources. */
    {2019,
     "{\"$id\":\"http://x/"
     "r\",\"if\":{\"$id\":\"a\",\"$recursiveAnchor\":true,\"$ref\":\"c\"},\"then\":{\"$id\":\"b\","
     "\"$recursiveAnchor\":true,\"$ref\":\"c\"},\"$defs\":{\"c\":{\"$id\":\"c\",\"$"
     "recursiveAnchor\":true,"
     "\"additionalProperties\":{\"$recursiveRef\":\"#\"}}}}",
     ROOT "  if @5 @6 - #/if\n"
          "schema @1 any #/if\n"
          "  ref @3 #/if/$ref\n"
          "schema @2 any #/then\n"
          "  ref @3 #/then/$ref\n"
          "schema @3 any #/$defs/c\n"
          "  props other:@4 #/$defs/c/additionalProperties\n"
          "schema @4 any #/$defs/c/additionalProperties\n"
          "  dynamic 0 @3 #/$defs/c/additionalProperties/$recursiveRef\n"
          "schema @5 any #/if\n"
          "  scope @1 @1 #/if\n"
          "schema @6 any #/then\n"
          "  scope @2 @2 #/then\n"},
};

/* -- Annotations ------------------------------------------------------------------------------- */

static const struct lowering annotations[] = {
    /* They come first, in the author's order. */
    {0, "{\"type\":\"null\",\"x-a\":[1.50,{\"\\u0062\":{}}],\"title\":\"x\",\"description\":\"\"}",
     ROOT "  note any [1.50,{\"\\u0062\":{}}] #/x-a\n  note any \"x\" #/title\n"
          "  note any \"\" #/description\n  type null #/type\n"},
    {0,
     "{\"default\":null,\"examples\":[],\"deprecated\":false,\"readOnly\":true,"
     "\"writeOnly\":true,\"format\":\"f\"}",
     ROOT "  note any null #/default\n  note any [] #/examples\n"
          "  note any false #/deprecated\n  note any true #/readOnly\n"
          "  note any true #/writeOnly\n  note any \"f\" #/format\n"},
    /* What is known and no annotation, even where it has no effect. */
    {0,
     "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$comment\":\"\","
     "\"$id\":\"urn:x\",\"then\":true,\"minContains\":1,\"uniqueItems\":false,\"$defs\":{}}",
     ROOT},
    {4, "{\"minimum\":1,\"exclusiveMinimum\":true}", ROOT "  min exclusive 1 #/minimum\n"},
    {7, "{\"dependencies\":{\"a\":[\"b\"],\"c\":true},\"x\":1}",
     ROOT "  note any 1 #/x\n  dep_schema \"c\" @1 #/dependencies/c\n"
          "  dep_required \"a\" \"b\" #/dependencies/a\n"
          "schema @1 any #/dependencies/c\n"},
    /* Content is that of strings. */
    {0,
     "{\"contentMediaType\":\"a\",\"contentEncoding\":\"b\",\"contentSchema\":{\"title\":\"c\"}}",
     ROOT "  note string \"a\" #/contentMediaType\n  note string \"b\" #/contentEncoding\n"
          "  note string {\"title\":\"c\"} #/contentSchema\n"},
    {0, "{\"contentEncoding\":\"b\",\"contentSchema\":true}",
     ROOT "  note string \"b\" #/contentEncoding\n"},
    /* Keywords of other dialects are unknown ones. */
    {6, "{\"readOnly\":1,\"contentEncoding\":\"b\",\"$defs\":{},\"id\":\"\"}",
     ROOT "  note any 1 #/readOnly\n  note any \"b\" #/contentEncoding\n"
          "  note any {} #/$defs\n  note any \"\" #/id\n"},
    /* Beside a reference nothing counts up to draft 7. */
    {7,
     "{\"title\":\"a\",\"$ref\":\"#/definitions/b~1\",\"x\":1,\"definitions\":{\"b/\":{\"y\":2}}}",
     ROOT "  ref @1 #/$ref\nschema @1 any #/definitions/b~1\n  note any 2 #/definitions/b~1/y\n"},
    {2019, "{\"title\":\"a\",\"$ref\":\"#/$defs/b\",\"x\":1,\"$defs\":{\"b\":true}}",
     ROOT "  note any \"a\" #/title\n  note any 1 #/x\n  ref @1 #/$ref\nschema @1 any #/$defs/b\n"},
    /* What asserts nothing is asked for its annotations. */
    {7, "{\"if\":{\"title\":\"a\"}}",
     ROOT "  if @1 - - #/if\nschema @1 any #/if\n  note any \"a\" #/if/title\n"},
    /* They stand beside what `unevaluated…` asks, not in it. */
    {0, "{\"unevaluatedItems\":false,\"title\":\"a\"}",
     ROOT "  note any \"a\" #/title\n  unevaluated @2 - @1 #/unevaluatedItems\n"
          "schema @1 any #/unevaluatedItems\n  fail #/unevaluatedItems\nschema @2 any #\n"},
};

/* -- Patterns ---------------------------------------------------------------------------------- */

static void check_pattern(const char *schema, size_t limit, enum cupel_status status,
                          const char *where)
{
    struct bench b;
    start(&b, 0, schema);
    b.options.limits[CUPEL_LIMIT_PATTERN_BYTES] = limit;
    CHECK_INT(lower(&b, NULL), status);
    CHECK_STR(b.err.where, where);
    CHECK(status == CUPEL_OK || (b.err.line == 1 && b.err.detail[0] != '\0'));
    drop(&b);
    cupel__doc_free(&b.doc);
}

static void test_patterns(void)
{
    check_pattern("{\"pattern\":\"(\"}", 100, CUPEL_E_PATTERN, "/pattern");
    check_pattern("{\"items\":{\"patternProperties\":{\"a\":true,\"[/\":true}}}", 100,
                  CUPEL_E_PATTERN, "/items/patternProperties/[~1");
    check_pattern("{\"pattern\":\"abc\"}", 2, CUPEL_E_PATTERN_SIZE, "/pattern");
}

/* Groups in groups, as deep as a pattern may have them and one deeper. */
static void test_deep_patterns(void)
{
    for (int n = 250; n <= 251; n++) {
        struct cupel_text schema;
        cupel_text_init(&schema, NULL);
        cupel_text_adds(&schema, "{\"pattern\":\"");
        for (int i = 0; i < n; i++)
            cupel_text_adds(&schema, "(");
        for (int i = 0; i < n; i++)
            cupel_text_adds(&schema, ")");
        cupel_text_adds(&schema, "\"}");
        check_pattern(schema.bytes, 1000, n == 250 ? CUPEL_OK : CUPEL_E_PATTERN_SIZE,
                      n == 250 ? "" : "/pattern");
        cupel_text_free(&schema);
    }
}

/* Locations of another document begin at that document, which is named by its URI. */
static int resolver(void *ctx, const char *uri, size_t len, const char **ret_text, size_t *ret_len)
{
    (void)ctx;
    *ret_text = "{\"type\":\"null\"}";
    *ret_len = strlen(*ret_text);
    return len == 5 && memcmp(uri, "urn:a", 5) == 0 ? 0 : 1;
}

static void test_other_document(void)
{
    struct bench b;
    start(&b, 0, "{\"$id\":\"http://x/y\",\"$ref\":\"urn:a\"}");
    b.options.resolver = resolver;
    CHECK_INT(lower(&b, NULL), CUPEL_OK);
    CHECK_INT(b.m.nschemas, 2);
    const struct ir_loc *main_loc = &b.m.locs[b.m.schemas[0].loc];
    const struct ir_loc *other_loc = &b.m.locs[b.m.schemas[1].loc];
    CHECK(main_loc->parent == IR_NONE && other_loc->parent == IR_NONE);
    CHECK_MEM(main_loc->token.p, main_loc->token.n, "http://x/y");
    CHECK_MEM(other_loc->token.p, other_loc->token.n, "urn:a");
    drop(&b);
    cupel__doc_free(&b.doc);
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* Fails each allocation in turn, once and for ever after; the document stays usable. */
static void fail_each(const struct lowering *c, uint32_t flags, bool for_ever)
{
    enum cupel_status status = CUPEL_E_NO_MEMORY;
    struct bench b;
    start(&b, c->dialect, c->schema);
    b.options.flags |= flags;
    for (unsigned long n = 1; status == CUPEL_E_NO_MEMORY && n < 1000; n++) {
        struct test_alloc counter = {.fail_at = n, .for_ever = for_ever};
        struct cupel_alloc alloc = test_allocator(&counter);
        status = lower(&b, &alloc);
        CHECK(status == CUPEL_OK || (status == CUPEL_E_NO_MEMORY && b.err.status == status));
        drop(&b);
        CHECK_INT(counter.live, 0);
    }
    CHECK_INT(status, CUPEL_OK);
    cupel__doc_free(&b.doc);
}

int main(void)
{
    for (size_t i = 0; i < sizeof assertions / sizeof assertions[0]; i++) {
        check_lowering(&assertions[i], 0);
        fail_each(&assertions[i], 0, false);
    }
    for (size_t i = 0; i < sizeof applicators / sizeof applicators[0]; i++) {
        check_lowering(&applicators[i], 0);
        fail_each(&applicators[i], 0, true);
    }
    for (size_t i = 0; i < sizeof evaluations / sizeof evaluations[0]; i++) {
        check_lowering(&evaluations[i], 0);
        fail_each(&evaluations[i], 0, false);
    }
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        check_lowering(&scopes[i], 0);
        fail_each(&scopes[i], 0, true);
    }
    for (size_t i = 0; i < sizeof annotations / sizeof annotations[0]; i++) {
        check_lowering(&annotations[i], CUPEL_ANNOTATIONS);
        fail_each(&annotations[i], CUPEL_ANNOTATIONS, false);
    }
    test_patterns();
    test_deep_patterns();
    test_other_document();
    return test_end();
}
