/* test_expect.c: what a model is told was expected, and what was found: each kind of value, each
 * bound, from both sides. */
#include "test.h"
#include <cupel/cupel.h>

static const struct telling {
    const char *schema, *instance, *lines;
} cases[] = {
    {"{\"type\":\"number\"}", "\"-5\"",
     "- arguments: expected number, got string \"…\" (a number, without quotes)"},
    {"{\"type\":\"number\"}", "\"05\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"0\"",
     "- arguments: expected number, got string \"…\" (a number, without quotes)"},
    {"{\"type\":\"number\"}", "\"1.5\"",
     "- arguments: expected number, got string \"…\" (a number, without quotes)"},
    {"{\"type\":\"number\"}", "\"1.\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"1.5x\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"x\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"-\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"0.\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"1.2e5\"",
     "- arguments: expected number, got string \"…\" (a number, without quotes)"},
    {"{\"type\":\"number\"}", "\"1.:\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"1./\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\":\"", "- arguments: expected number, got string"},
    {"{\"type\":\"number\"}", "\"/\"", "- arguments: expected number, got string"},
    {"{\"type\":\"integer\"}", "\"1.5\"", "- arguments: expected integer, got string"},
    {"{\"type\":\"integer\"}", "\"15\"",
     "- arguments: expected integer, got string \"…\" (a number, without quotes)"},
    {"{\"type\":\"integer\"}", "\"-15\"",
     "- arguments: expected integer, got string \"…\" (a number, without quotes)"},
    {"{\"type\":\"integer\"}", "\"015\"", "- arguments: expected integer, got string"},
    {"{\"type\":\"boolean\"}", "\"true\"",
     "- arguments: expected boolean, got string \"…\" (a boolean, without quotes)"},
    {"{\"type\":\"boolean\"}", "\"false\"",
     "- arguments: expected boolean, got string \"…\" (a boolean, without quotes)"},
    {"{\"type\":\"boolean\"}", "\"falsy\"", "- arguments: expected boolean, got string"},
    {"{\"type\":\"boolean\"}", "\"null\"", "- arguments: expected boolean, got string"},
    {"{\"type\":\"boolean\"}", "\"nul\"", "- arguments: expected boolean, got string"},
    {"{\"type\":\"boolean\"}", "\"xull\"", "- arguments: expected boolean, got string"},
    {"{\"type\":\"boolean\"}", "\"True\"",
     "- arguments: expected boolean, got string \"…\" (a boolean, without quotes, in lower case)"},
    {"{\"type\":\"null\"}", "\"null\"",
     "- arguments: expected null, got string \"…\" (null, without quotes)"},
    {"{\"type\":\"null\"}", "\"nil\"", "- arguments: expected null, got string"},
    {"{\"type\":\"null\"}", "\"none\"", "- arguments: expected null, got string"},
    {"{\"type\":\"null\"}", "\"nulL\"", "- arguments: expected null, got string"},
    {"{\"type\":[\"array\",\"object\"]}", "\"[1]\"",
     "- arguments: expected array or object, got string \"…\" (an array, without quotes)"},
    {"{\"type\":[\"array\",\"object\"]}", "\"[\"",
     "- arguments: expected array or object, got string"},
    {"{\"type\":[\"array\",\"object\"]}", "\"[1\"",
     "- arguments: expected array or object, got string"},
    {"{\"type\":[\"array\",\"object\"]}", "\"x]\"",
     "- arguments: expected array or object, got string"},
    {"{\"type\":[\"array\",\"object\"]}", "\"{}\"",
     "- arguments: expected array or object, got string \"…\" (an object, without quotes)"},
    {"{\"type\":[\"array\",\"object\"]}", "\"{\"",
     "- arguments: expected array or object, got string"},
    {"{\"type\":[\"array\",\"object\"]}", "\"{]\"",
     "- arguments: expected array or object, got string"},
    {"{\"type\":\"string\",\"minLength\":1}", "7",
     "- arguments: expected string of at least 1 character, got integer"},
    {"{\"type\":\"string\",\"minLength\":1}", "\"\"",
     "- arguments: expected at least 1 character, got 0"},
    {"{\"type\":\"string\",\"minLength\":2}", "7",
     "- arguments: expected string of at least 2 characters, got integer"},
    {"{\"type\":\"string\",\"minLength\":2}", "\"\"",
     "- arguments: expected at least 2 characters, got 0"},
    {"{\"type\":\"string\",\"maxLength\":1}", "7",
     "- arguments: expected string of at most 1 character, got integer"},
    {"{\"type\":\"string\",\"maxLength\":1}", "\"abcdefgh\"",
     "- arguments: expected at most 1 character, got 8"},
    {"{\"type\":\"string\",\"maxLength\":2}", "7",
     "- arguments: expected string of at most 2 characters, got integer"},
    {"{\"type\":\"string\",\"maxLength\":2}", "\"abcdefgh\"",
     "- arguments: expected at most 2 characters, got 8"},
    {"{\"type\":\"string\",\"minLength\":1,\"maxLength\":1}", "7",
     "- arguments: expected string of 1 character, got integer"},
    {"{\"type\":\"string\",\"minLength\":1,\"maxLength\":1}", "\"abcdefgh\"",
     "- arguments: expected at most 1 character, got 8"},
    {"{\"type\":\"string\",\"minLength\":1,\"maxLength\":1}", "\"\"",
     "- arguments: expected at least 1 character, got 0"},
    {"{\"type\":\"string\",\"minLength\":2,\"maxLength\":2}", "7",
     "- arguments: expected string of 2 characters, got integer"},
    {"{\"type\":\"string\",\"minLength\":2,\"maxLength\":2}", "\"abcdefgh\"",
     "- arguments: expected at most 2 characters, got 8"},
    {"{\"type\":\"string\",\"minLength\":2,\"maxLength\":2}", "\"\"",
     "- arguments: expected at least 2 characters, got 0"},
    {"{\"type\":\"string\",\"minLength\":1,\"maxLength\":3}", "7",
     "- arguments: expected string of 1 to 3 characters, got integer"},
    {"{\"type\":\"string\",\"minLength\":1,\"maxLength\":3}", "\"abcdefgh\"",
     "- arguments: expected at most 3 characters, got 8"},
    {"{\"type\":\"string\",\"minLength\":1,\"maxLength\":3}", "\"\"",
     "- arguments: expected at least 1 character, got 0"},
    {"{\"type\":\"string\",\"minLength\":0,\"maxLength\":5}", "7",
     "- arguments: expected string of at most 5 characters, got integer"},
    {"{\"type\":\"string\",\"minLength\":0,\"maxLength\":5}", "\"abcdefgh\"",
     "- arguments: expected at most 5 characters, got 8"},
    {"{\"type\":\"number\",\"minimum\":1}", "true",
     "- arguments: expected number of at least 1, got boolean"},
    {"{\"type\":\"number\",\"minimum\":1}", "0.5",
     "- arguments: expected number of at least 1, got a smaller one"},
    {"{\"type\":\"number\",\"exclusiveMinimum\":1}", "true",
     "- arguments: expected number above 1, got boolean"},
    {"{\"type\":\"number\",\"exclusiveMinimum\":1}", "0.5",
     "- arguments: expected number above 1, got one that is not"},
    {"{\"type\":\"number\",\"maximum\":-1}", "true",
     "- arguments: expected number of at most -1, got boolean"},
    {"{\"type\":\"number\",\"maximum\":-1}", "0.5",
     "- arguments: expected number of at most -1, got a larger one"},
    {"{\"type\":\"number\",\"exclusiveMaximum\":-1}", "true",
     "- arguments: expected number below -1, got boolean"},
    {"{\"type\":\"number\",\"exclusiveMaximum\":-1}", "0.5",
     "- arguments: expected number below -1, got one that is not"},
    {"{\"type\":\"number\",\"minimum\":1,\"exclusiveMaximum\":3}", "true",
     "- arguments: expected number of at least 1 and below 3, got boolean"},
    {"{\"type\":\"number\",\"minimum\":1,\"exclusiveMaximum\":3}", "0.5",
     "- arguments: expected number of at least 1 and below 3, got a smaller one"},
    {"{\"type\":\"number\",\"exclusiveMinimum\":1,\"maximum\":3}", "true",
     "- arguments: expected number above 1 and at most 3, got boolean"},
    {"{\"type\":\"number\",\"exclusiveMinimum\":1,\"maximum\":3}", "0.5",
     "- arguments: expected number above 1 and at most 3, got one that is not"},
    {"{\"type\":\"number\",\"multipleOf\":2}", "true", "- arguments: expected number, got boolean"},
    {"{\"type\":\"number\",\"multipleOf\":2}", "0.5",
     "- arguments: expected a multiple of 2, got another number"},
    {"{\"type\":\"array\",\"items\":false}", "7", "- arguments: expected array, got integer"},
    {"{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", "7",
     "- arguments: expected array of integers, got integer (as an array, in brackets)"},
    {"{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/"
     "a\"},\"$defs\":{\"a\":{\"type\":[\"string\",\"null\"]}}}",
     "{}", "- arguments: expected array of nulls or strings, got object"},
    {"{\"type\":\"array\",\"minItems\":1,\"maxItems\":1}", "[]",
     "- arguments: expected at least 1 item, got 0"},
    {"{\"type\":\"array\",\"minItems\":2}", "[1]", "- arguments: expected at least 2 items, got 1"},
    {"{\"maxItems\":1}", "[1,2]", "- arguments: expected at most 1 item, got 2"},
    {"{\"minProperties\":1}", "{}", "- arguments: expected at least 1 member, got 0"},
    {"{\"maxProperties\":1}", "{\"a\":1,\"b\":2}", "- arguments: expected at most 1 member, got 2"},
    {"{\"maxProperties\":0}", "{\"a\":1}", "- arguments: expected at most 0 members, got 1"},
    {"{\"uniqueItems\":true}", "[1,1]",
     "- arguments: expected items that are all different, got equal ones"},
    {"{\"contains\":{\"type\":\"string\"},\"maxContains\":1}", "[\"a\",\"b\"]",
     "- arguments: expected at most 1 item of a certain kind, got 2"},
    {"{\"contains\":{\"type\":\"string\"}}", "[]",
     "- arguments: expected at least 1 item of a certain kind, got 0"},
    {"{\"contains\":{\"type\":\"string\"},\"minContains\":2}", "[\"a\"]",
     "- arguments: expected at least 2 items of a certain kind, got 1"},
    {"{\"not\":{\"type\":\"object\"}}", "{}", "- arguments: not allowed: this value"},
    {"{\"not\":{}}", "{}", "- arguments: not allowed: this value"},
    {"{\"not\":{\"const\":1}}", "1", "- arguments: not allowed: 1"},
    {"{\"not\":{\"required\":[\"a\"]}}", "{\"a\":1}", "- arguments: not allowed: `a`"},
    {"{\"not\":{\"type\":[\"object\",\"string\"]}}", "\"x\"",
     "- arguments: not allowed: string or object"},
    {"{\"not\":{\"minLength\":2}}", "\"xx\"", "- arguments: not allowed: this value"},
    {"{\"not\":{\"enum\":[1,2]}}", "2", "- arguments: not allowed: one of 1, 2"},
    {"{\"not\":{\"type\":\"object\",\"required\":[\"a\"]}}", "{\"a\":1}",
     "- arguments: not allowed: object with `a`"},
    {"{\"properties\":{\"a\":{\"not\":{\"type\":\"string\"}}}}", "{\"a\":\"x\"}",
     "- a: not allowed: string"},
    {"{\"const\":[1]}", "[2]", "- arguments: expected [1], got another array"},
    {"{\"const\":null}", "1", "- arguments: expected null, got integer"},
    {"{\"const\":true}", "false", "- arguments: expected true, got another value"},
    {"{\"enum\":[true,1]}", "false", "- arguments: expected one of true, 1, got another value"},
    {"{\"enum\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\",\"k\",\"l\",\"m\","
     "\"n\"]}",
     "\"z\"",
     "- arguments: expected one of \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", "
     "\"j\", \"k\", \"l\" … and 2 more, got another string"},
    {"{\"enum\":[1,2,3]}", "\"a\"", "- arguments: expected one of 1, 2, 3, got string"},
    {"{\"enum\":[\"abc\",1]}", "\"abd\"",
     "- arguments: expected one of \"abc\", 1, got another string; did you mean \"abc\"?"},
    {"{\"type\":\"string\",\"const\":\"x\"}", "7", "- arguments: expected \"x\", got integer"},
    {"{\"type\":\"string\",\"enum\":[\"x\"]}", "[]", "- arguments: expected \"x\", got array"},
    {"{\"oneOf\":[{\"type\":\"string\"},{\"minLength\":1}]}", "\"a\"",
     "- arguments: fits more than one form where exactly one is allowed: string and string of at "
     "least 1 character"},
    {"{\"oneOf\":[{\"title\":\"A\"},{\"title\":\"B\"},{\"title\":\"C\"},{\"title\":\"D\"},{"
     "\"title\":\"E\"},{\"title\":\"F\"},{\"title\":\"G\"},{\"title\":\"H\"},{\"title\":\"I\"}]}",
     "1",
     "- arguments: fits more than one form where exactly one is allowed: any value and any value"},
    {"{\"oneOf\":[{\"type\":\"string\",\"minLength\":2},{\"type\":\"integer\",\"minimum\":4},{"
     "\"type\":\"array\"}]}",
     "\"a\"", "- arguments: expected at least 2 characters, got 1"},
    {"{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"},{\"enum\":[null]}]}", "{}",
     "- arguments: expected integer or string or null, got object"},
    {"{\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}", "{}",
     "- arguments: expected either `a` or `b`; got object that fits none"},
    {"{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"x\"}},\"required\":["
     "\"k\",\"v\"]},{\"type\":\"object\",\"properties\":{\"k\":{\"const\":1}},\"required\":[\"k\"]}"
     "]}",
     "{\"k\":2}", "- k: expected one of \"x\", 1, got another integer"},
    {"{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"x\"}},\"required\":["
     "\"k\",\"v\"]},{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"y\"}},\"required\":["
     "\"k\"]}]}",
     "{\"k\":\"x\"}", "- v: required when k is \"x\", missing"},
    {"{\"required\":[\"alpha\"],\"additionalProperties\":false,\"properties\":{\"alpha\":{}}}",
     "{\"alhpa\":1}",
     "- alpha: required, missing. `alhpa` is not a parameter; did you mean `alpha`?"},
    {"{\"required\":[\"alpha\",\"alphb\"],\"additionalProperties\":false,\"properties\":{\"alpha\":"
     "{},\"alphb\":{}}}",
     "{\"alphc\":1}", "- alpha, alphb: required, missing\n- alphc: not a parameter"},
    {"{\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]}", "{}",
     "- a, b, c, d, e, f: required, missing"},
    {"{\"items\":{\"required\":[\"a\"]}}", "[{},{},{}]",
     "- [].a: required, missing (in items 0, 1 and 2)"},
    {"{\"items\":{\"items\":{\"type\":\"string\"}}}", "[[1],[\"a\",2],[3]]",
     "- [][0]: expected string, got integer (in items 0 and 2)\n- [1][1]: expected string, got "
     "integer"},
    {"{\"properties\":{\"a\":{\"properties\":{\"b\":{\"properties\":{\"c\":{\"type\":\"string\"}}}}"
     "}}}",
     "{\"a\":{\"b\":{\"c\":1}}}", "- a.b.c: expected string, got integer"},
    {"{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"type\":"
     "\"string\"}}}}}}}}",
     "[[[[[[[1]]]]]]]", "- [0][0][0][0][0][0][0]: expected string, got integer"},
    {"{\"propertyNames\":{\"pattern\":\"^a\"}}", "{\"b\":1}",
     "- b: the name is not allowed: expected string that matches the pattern \"^a\", got another "
     "string"},
    {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
     "- b: required when `a` is there, missing"},
    {"{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},\"else\":{\"required\":[\"c\"]"
     "}}",
     "{\"a\":1}", "- b: required when `a` is there, missing"},
    {"false", "1", "- arguments: not allowed here; leave it out"},
    {"{\"properties\":{\"a\":false}}", "{\"a\":1}", "- a: not allowed here; leave it out"},
    {"{\"patternProperties\":{\"^x\":false}}", "{\"xy\":1}",
     "- xy: not allowed here; leave it out"},
    {"{\"prefixItems\":[true],\"items\":false}", "[1,2]", "- [1]: one item too many"},
    {"{\"unevaluatedProperties\":false}", "{\"a\":1}", "- a: not a parameter"},
    {"{\"unevaluatedItems\":false}", "[1]", "- [0]: one item too many"},
    {"{\"pattern\":\"^a\"}", "\"b\"",
     "- arguments: expected string that matches `^a`, got another string"},
    {"{\"multipleOf\":3}", "7", "- arguments: expected a multiple of 3, got another number"},
    {"{\"exclusiveMinimum\":3}", "3", "- arguments: expected number above 3, got one that is not"},
    {"{\"exclusiveMaximum\":3}", "3", "- arguments: expected number below 3, got one that is not"},
    {"{\"minimum\":3}", "1", "- arguments: expected number of at least 3, got a smaller one"},
    {"{\"maximum\":3}", "4", "- arguments: expected number of at most 3, got a larger one"},
    {"{\"properties\":{"
     "\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
     "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
     "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
     "nnnnnnnnnnnnnnnnnnnnnnn\":{\"type\":\"string\"}}}",
     "{\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
     "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
     "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
     "nnnnnnnnnnnnnnnnnnnnnnnn\":1}",
     "- [\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…\"]: expected string, "
     "got integer"},
    {"{\"properties\":{\"a b\":{\"properties\":{\"c.d\":{\"type\":\"string\"}}}}}",
     "{\"a b\":{\"c.d\":1}}", "- [\"a b\"][\"c.d\"]: expected string, got integer"},
    {"{\"type\":\"object\"}", "[1]", "- arguments: expected object, got array"},
    {"{\"type\":[\"object\",\"array\",\"string\",\"number\",\"boolean\",\"null\"],\"not\":{"
     "\"type\":\"integer\"}}",
     "7", "- arguments: not allowed: integer"},
};

/* What is said between the headline and the parameters. */
static const char *lines_of(char *text)
{
    char *from = strchr(text, '\n'), *to = strstr(text, "\nparameters: ");
    if (to != NULL)
        *to = '\0';
    return from != NULL ? from + 1 : text;
}

static void render(const struct telling *c, uint32_t flags, struct cupel_text *text)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_render_options options;
    cupel_text_clear(text);
    cupel_text_adds(text, "");
    cupel_render_options_init(&options);
    options.flags = flags;
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    if (CHECK_INT(cupel_compile(c->schema, strlen(c->schema), NULL, &program, NULL), CUPEL_OK)) {
        CHECK_INT(cupel_validate(program, scratch, c->instance, strlen(c->instance), NULL),
                  CUPEL_INVALID);
        CHECK_INT(cupel_render(program, scratch, NULL, 0, CUPEL_RENDER_MODEL, &options, text, NULL),
                  CUPEL_INVALID);
    }
    cupel_program_free(program);
    cupel_scratch_free(scratch);
}

static void check_case(const struct telling *c, struct cupel_text *text)
{
    render(c, 0, text);
    const char *lines = lines_of(text->bytes);
    if (!CHECK_STR(lines, c->lines))
        fprintf(stderr, "    %s\n    %s\n", c->schema, c->instance);
}

/* With values, and of a result: there is as much to say. */
static void check_flags(const struct telling *c, struct cupel_text *text)
{
    for (uint32_t flags = 1; flags < 4; flags++) {
        render(c, flags, text);
        CHECK(strncmp(lines_of(text->bytes), "- ", 2) == 0);
    }
}

int main(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i], &text);
        check_flags(&cases[i], &text);
    }
    cupel_text_free(&text);
    return test_end();
}
