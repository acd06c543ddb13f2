/* test_messages.c: the renderings: what a model is told, the frame, the formats for programs, and
 * that all stay within their bounds whatever schema and instance hold. */
#include "report_counts.h"
#include "test.h"
#include <cupel/cupel.h>

struct setup {
    struct cupel_program *program;
    struct cupel_scratch *scratch;
    struct cupel_render_options options;
    struct cupel_text text;
};

static struct setup begin_with(const char *schema, uint32_t flags)
{
    struct setup s = {.program = NULL};
    struct cupel_options options;
    struct cupel_error err = {0};
    cupel_options_init(&options);
    options.flags |= CUPEL_ANNOTATIONS | flags;
    cupel_text_init(&s.text, NULL);
    cupel_render_options_init(&s.options);
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), &options, &s.program, &err), CUPEL_OK))
        fprintf(stderr, "    %s\n", err.detail);
    CHECK_INT(cupel_scratch_new(&options, &s.scratch), CUPEL_OK);
    return s;
}

static struct setup begin(const char *schema)
{
    return begin_with(schema, 0);
}

static void end(struct setup *s)
{
    cupel_program_free(s->program);
    cupel_scratch_free(s->scratch);
    cupel_text_free(&s->text);
}

static const char *render(struct setup *s, const char *instance, enum cupel_rendering rendering)
{
    cupel_text_clear(&s->text);
    cupel_text_adds(&s->text, "");
    enum cupel_verdict first =
        cupel_validate(s->program, s->scratch, instance, strlen(instance), NULL);
    CHECK_INT(cupel_render(s->program, s->scratch, NULL, 0, rendering, &s->options, &s->text, NULL),
              first);
    return s->text.bytes;
}

/* -- The case of the design -----------------------------------------------------------------------
 */

static const char tool_schema[] =
    "{\"$id\": \"https://example.com/tool\", \"type\": \"object\", \"properties\": {"
    "\"path\": {\"type\": \"string\"}, "
    "\"limit\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 100}, "
    "\"mode\": {\"type\": \"string\", \"enum\": [\"read\", \"write\", \"append\"]}, "
    "\"target\": {\"oneOf\": ["
    "{\"type\": \"object\", \"properties\": {\"kind\": {\"const\": \"file\"}, \"name\": {\"type\": "
    "\"string\"}}, \"required\": [\"kind\", \"name\"], \"additionalProperties\": false}, "
    "{\"type\": \"object\", \"properties\": {\"kind\": {\"const\": \"url\"}, \"href\": {\"type\": "
    "\"string\"}}, \"required\": [\"kind\", \"href\"], \"additionalProperties\": false}, "
    "{\"type\": \"null\"}]}}, \"required\": [\"path\"], \"additionalProperties\": false}";

static const char tool_arguments[] = "{\n"
                                     "  \"file_path\": \"/etc/hosts\",\n"
                                     "  \"limit\": \"500\",\n"
                                     "  \"mode\": \"raed\",\n"
                                     "  \"target\": {\"kind\": \"url\", \"url\": \"http://x\"}\n"
                                     "}\n";

static void test_case(void)
{
    struct setup s = begin(tool_schema);
    s.options.tool = "read";
    s.options.tool_len = 4;
    s.options.file = "args.json";
    CHECK_STR(
        render(&s, tool_arguments, CUPEL_RENDER_MODEL),
        "tool \"read\": 5 problems in the arguments\n"
        "- path: required, missing. `file_path` is not a parameter; did you mean `path`?\n"
        "- limit: expected integer from 1 to 100, got string \"…\" (a number, without quotes)\n"
        "- mode: expected one of \"read\", \"write\", \"append\", got another string; did you "
        "mean \"read\"?\n"
        "- target.href: required when kind is \"url\", missing\n"
        "- target.url: not a parameter when kind is \"url\"; expected: kind, href\n"
        "parameters: path (required), limit, mode, target");
    const char *human = render(&s, tool_arguments, CUPEL_RENDER_HUMAN);
    CHECK(strstr(human,
                 "args.json:3:12: error[type]: expected integer from 1 to 100, found string\n"
                 "  3 |   \"limit\": \"500\",\n"
                 "    |            ^^^^^ at /limit\n"
                 "  schema: https://example.com/tool#/properties/limit/type\n"
                 "  help: write 500 without quotes\n") != NULL);
    end(&s);
}

/* -- Models ---------------------------------------------------------------------------------------
 */

/* What is said between the headline and the parameters. */
static void check_lines(const char *schema, const char *instance, const char *want)
{
    struct setup s = begin(schema);
    const char *text = render(&s, instance, CUPEL_RENDER_MODEL), *from = strchr(text, '\n');
    const char *to = strstr(text, "\nparameters: ");
    from = from != NULL ? from + 1 : text;
    if (!CHECK_MEM(from, to != NULL && to >= from ? (size_t)(to - from) : strlen(from), want))
        fprintf(stderr, "    %s\n    %s\n", schema, instance);
    end(&s);
}

static void test_values(void)
{
    check_lines("{\"type\": \"integer\"}", "\"5x\"", "- arguments: expected integer, got string");
    check_lines("{\"type\": [\"integer\", \"null\"], \"exclusiveMinimum\": 0}", "true",
                "- arguments: expected integer above 0 or null, got boolean");
    check_lines("{\"type\": \"number\", \"maximum\": 2.5}", "3",
                "- arguments: expected number of at most 2.5, got a larger one");
    check_lines(
        "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}", "\"a\"",
        "- arguments: expected array of strings, got string \"…\" (as an array, in brackets)");
    check_lines("{\"type\": \"array\"}", "\"[1]\"",
                "- arguments: expected array, got string \"…\" (an array, without quotes)");
    check_lines("{\"type\": \"string\", \"enum\": [\"a\", \"b\"]}", "1",
                "- arguments: expected one of \"a\", \"b\", got integer");
    check_lines("{\"type\": \"string\", \"minLength\": 3}", "\"ab\"",
                "- arguments: expected at least 3 characters, got 2");
    check_lines("{\"maxItems\": 1}", "[1, 2]", "- arguments: expected at most 1 item, got 2");
    check_lines("{\"const\": 5}", "6", "- arguments: expected 5, got another integer");
    check_lines(
        "{\"enum\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14]}", "0",
        "- arguments: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 … and 2 more, got "
        "another integer");
}

static void test_members(void)
{
    check_lines("{\"required\": [\"a\", \"b\", \"c\"]}", "{\"b\": 1}", "- a, c: required, missing");
    check_lines("{\"properties\": {\"user_name\": {}}, \"additionalProperties\": false}",
                "{\"userName\": 1}", "- userName: not a parameter; did you mean `user_name`?");
    check_lines("{\"properties\": {\"o\": {\"properties\": {\"x\": {}}, \"additionalProperties\": "
                "false}}}",
                "{\"o\": {\"zzz\": 1}}", "- o.zzz: not a parameter; expected: x");
    check_lines("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 1}",
                "- b: required when `a` is there, missing");
    check_lines("{\"properties\": {\"a b\": {\"type\": \"null\"}}}", "{\"a b\": 1}",
                "- [\"a b\"]: expected null, got integer");
    check_lines("{\"propertyNames\": {\"maxLength\": 2}}", "{\"abc\": 1}",
                "- abc: the name is not allowed: expected at most 2 characters, got 3");
}

static void test_merging(void)
{
    check_lines("{\"items\": {\"type\": \"string\"}}", "[1, \"a\", 2, 3]",
                "- []: expected string, got integer (in items 0, 2 and 3)");
    check_lines("{\"properties\": {\"o\": {\"items\": {\"required\": [\"id\"]}}}}",
                "{\"o\": [{}, {\"id\": 1}, {}]}", "- o[].id: required, missing (in items 0 and 2)");
    check_lines(
        "{\"properties\": {\"o\": {\"items\": {\"properties\": {\"n\": {\"minimum\": 1}}}}}}",
        "{\"o\": [{\"n\": 0}, {\"n\": 1}, {\"n\": 0}]}",
        "- o[].n: expected number of at least 1, got a smaller one (in items 0 and 2)");
}

static void test_alternatives(void)
{
    check_lines("{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"null\"}]}", "5",
                "- arguments: expected string or null, got integer");
    check_lines(
        "{\"anyOf\": [{\"const\": \"red\"}, {\"enum\": [\"green\", \"blue\"]}]}", "\"gren\"",
        "- arguments: expected one of \"red\", \"green\", \"blue\", got another string; did you "
        "mean \"green\"?");
    check_lines("{\"anyOf\": [{\"required\": [\"a\"]}, {\"required\": [\"b\"]}]}", "{}",
                "- arguments: expected either `a` or `b`; got object that fits none");
    check_lines(
        tool_schema, "{\"path\": \"x\", \"target\": {\"kind\": \"fil\", \"name\": \"n\"}}",
        "- target.kind: expected one of \"file\", \"url\", got another string; did you mean "
        "\"file\"?");
    check_lines(tool_schema, "{\"path\": \"x\", \"target\": {\"name\": \"n\"}}",
                "- target.kind: required, missing");
    check_lines(
        "{\"anyOf\": [{\"properties\": {\"k\": {\"const\": \"and\"}}}, {\"oneOf\": "
        "[{\"properties\": {\"k\": {\"const\": \"like\"}}}, {\"properties\": {\"k\": "
        "{\"const\": \"less\"}}}]}]}",
        "{\"k\": \"liek\"}",
        "- k: expected one of \"and\", \"like\", \"less\", got another string; did you mean "
        "\"like\"?");
    check_lines("{\"not\": {\"required\": [\"a\", \"b\"]}}", "{\"a\": 1, \"b\": 1}",
                "- arguments: not allowed: `a`, `b` together");
}

static void test_options(void)
{
    struct setup s = begin("{\"properties\": {\"n\": {\"type\": \"integer\"}}}");
    s.options.flags = CUPEL_SHOW_VALUES | CUPEL_OUTPUT_RESULT;
    CHECK_STR(render(&s, "{\"n\": \"x\"}", CUPEL_RENDER_MODEL),
              "1 problem in the result\n- n: expected integer, got string \"x\"\nproperties: n");
    s.options.flags = 0;
    CHECK_STR(
        render(&s, "{\"n\": \"x\"}", CUPEL_RENDER_TOOL_RESULT),
        "{\"content\":[{\"type\":\"text\",\"text\":\"1 problem in the arguments\\n- n: expected "
        "integer, got string\\nparameters: n\"}],\"isError\":true}");
    CHECK_STR(render(&s, "{\"n\": 1}", CUPEL_RENDER_MODEL), "");
    s.options.file = "a b%:\xc3\xa4.json";
    CHECK(strstr(render(&s, "{\"n\": 1.5}", CUPEL_RENDER_SARIF),
                 "\"uri\":\"a%20b%25%3A%C3%A4.json\"") != NULL);
    end(&s);
}

/* -- Output formats -------------------------------------------------------------------------------
 */

static void test_output_units(void)
{
    struct setup s = begin("{\"$id\": \"https://e.com/s\", \"title\": \"T\", \"items\": {\"$ref\": "
                           "\"#/$defs/n\"}, \"$defs\": {\"n\": {\"type\": \"null\"}}}");
    CHECK_STR(render(&s, "[1]", CUPEL_RENDER_FLAG), "{\"valid\":false}");
    CHECK_STR(render(&s, "[1]", CUPEL_RENDER_BASIC),
              "{\"valid\":false,\"keywordLocation\":\"\",\"absoluteKeywordLocation\":\"https://"
              "e.com/s#\","
              "\"instanceLocation\":\"\",\"errors\":[{\"valid\":false,\"keywordLocation\":"
              "\"/items/$ref/type\",\"absoluteKeywordLocation\":\"https://e.com/s#/$defs/n/type\","
              "\"instanceLocation\":\"/0\",\"error\":\"expected null, found integer\"}]}");
    CHECK_STR(
        render(&s, "[]", CUPEL_RENDER_BASIC),
        "{\"valid\":true,\"keywordLocation\":\"\",\"absoluteKeywordLocation\":\"https://e.com/s#\","
        "\"instanceLocation\":\"\",\"annotations\":[{\"valid\":true,\"keywordLocation\":\"/title\","
        "\"absoluteKeywordLocation\":\"https://e.com/s#/title\",\"instanceLocation\":\"\","
        "\"annotation\":\"T\"}]}");
    CHECK_STR(
        render(&s, "[1]", CUPEL_RENDER_LIST),
        "{\"valid\":false,\"details\":[{\"valid\":false,\"evaluationPath\":\"\",\"schemaLocation\":"
        "\"https://e.com/s#\",\"instanceLocation\":\"\"},{\"valid\":false,\"evaluationPath\":"
        "\"/items/$ref\",\"schemaLocation\":\"https://e.com/s#/$defs/n\",\"instanceLocation\":\"/"
        "0\","
        "\"errors\":{\"type\":\"expected null, found integer\"}}]}");
    CHECK_STR(
        render(&s, "[1]", CUPEL_RENDER_HIERARCHICAL),
        "{\"valid\":false,\"evaluationPath\":\"\",\"schemaLocation\":\"https://e.com/s#\","
        "\"instanceLocation\":\"\",\"details\":[{\"valid\":false,\"evaluationPath\":\"/items/"
        "$ref\","
        "\"schemaLocation\":\"https://e.com/s#/$defs/n\",\"instanceLocation\":\"/0\",\"errors\":"
        "{\"type\":\"expected null, found integer\"},\"details\":[]}]}");
    CHECK_STR(render(&s, "[1]", CUPEL_RENDER_DETAILED),
              "{\"valid\":false,\"keywordLocation\":\"\",\"absoluteKeywordLocation\":\"https://"
              "e.com/s#\","
              "\"instanceLocation\":\"\",\"errors\":[{\"valid\":false,\"keywordLocation\":"
              "\"/items/$ref/type\",\"absoluteKeywordLocation\":\"https://e.com/s#/$defs/n/type\","
              "\"instanceLocation\":\"/0\",\"error\":\"expected null, found integer\"}]}");
    end(&s);
}

/* -- Strangers ------------------------------------------------------------------------------------
 */

static bool is_clean(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != 0; p++)
        if ((*p < 0x20 && *p != '\n') || *p == 0x7f)
            return false;
    return strstr(text, "\xe2\x80\xae") == NULL;
}

static void test_hostile_text(void)
{
    struct setup s =
        begin("{\"properties\": {\"a\\u001b[31m\\u202e\\n- x: y\": {\"const\": \"\\u0007`b\"}}, "
              "\"required\": [\"q\\r\\n\\\"]\"], \"additionalProperties\": false}");
    static const char instance[] = "{\"a\\u001b[31m\\u202e\\n- x: y\": 1, \"\\u2028\\u0000z\": "
                                   "\"\\u001b]0;\"}";
    for (int r = CUPEL_RENDER_MODEL; r <= CUPEL_RENDER_HIERARCHICAL; r++) {
        const char *text = render(&s, instance, (enum cupel_rendering)r);
        CHECK(s.text.len > 0 && is_clean(text) && strlen(text) == s.text.len);
    }
    end(&s);
}

/* However much is wrong, the text ends at its bound. */
static void test_bounds(void)
{
    struct cupel_text schema, instance;
    cupel_text_init(&schema, NULL);
    cupel_text_init(&instance, NULL);
    cupel_text_adds(&schema, "{\"properties\": {\"x\": {}");
    cupel_text_adds(&instance, "{\"x\": 0");
    for (int i = 0; i < 300; i++) {
        cupel_text_addf(&schema,
                        ", \"a rather long name number %d\": {\"type\": [\"null\", \"array\"]}", i);
        cupel_text_addf(&instance, ", \"a rather long name number %d\": %d", i, i);
    }
    cupel_text_adds(&schema, "}}");
    cupel_text_adds(&instance, "}");
    struct setup s = begin(schema.bytes);
    for (int r = CUPEL_RENDER_MODEL; r <= CUPEL_RENDER_HIERARCHICAL; r++) {
        for (size_t bytes = 256; bytes < 10000; bytes = bytes * 3) {
            s.options.bytes = bytes;
            const char *text = render(&s, instance.bytes, (enum cupel_rendering)r);
            /* The bound is on the text in a CallToolResult, whose quotes take room. */
            CHECK(strlen(text) <= (r == CUPEL_RENDER_TOOL_RESULT ? 2 * bytes : bytes));
        }
    }
    s.options.bytes = 0;
    const char *text = render(&s, instance.bytes, CUPEL_RENDER_MODEL);
    CHECK(strstr(text, "300 problems") != NULL && strstr(text, "… and 290 more") != NULL);
    end(&s);
    cupel_text_free(&schema);
    cupel_text_free(&instance);
}

/* -- All that is run ------------------------------------------------------------------------------
 */

/* The beginning of a unit of the root value. */
#define UNIT(valid, path)                              \
    "{\"valid\":" valid ",\"keywordLocation\":\"" path \
    "\",\"absoluteKeywordLocation\":\"urn:cupel:schema#" path "\",\"instanceLocation\":\"\""

/* VERBOSE has what passed beside what failed, in branches, under `not`, and in schemas that failed;
 * where that is too much there is the result alone. */
static void test_verbose(void)
{
    struct setup s = begin("{\"not\": {\"type\": \"string\"}, \"anyOf\": [{\"type\": \"null\", "
                           "\"title\": \"none\"}, {\"minimum\": 3}]}");
    static const char first[] = UNIT("false", "/anyOf/0") ",\"errors\":[" UNIT(
        "true",
        "/anyOf/0/title") ",\"annotation\":\"none\"}," UNIT("false",
                                                            "/anyOf/0/type") ",\"error\":"
                                                                             "\"expected null, "
                                                                             "found integer\"}]},";
    static const char excluded[] = UNIT("true", "/not") ",\"annotations\":[" UNIT(
        "false", "/not/type") ",\"error\":\"expected string, found integer\"}]}]}";
    struct cupel_text want;
    cupel_text_init(&want, NULL);
    cupel_text_addf(
        &want, "%s%s%s%s",
        UNIT("true", "") ",\"annotations\":[" UNIT("true", "/anyOf") ",\"annotations\":[", first,
        UNIT("true", "/anyOf/1") ",\"annotations\":[" UNIT("true", "/anyOf/1/minimum") "}]}]},",
        excluded);
    CHECK_STR(render(&s, "5", CUPEL_RENDER_VERBOSE), want.bytes);
    cupel_text_clear(&want);
    cupel_text_addf(
        &want, "%s%s%s%s",
        UNIT("false", "") ",\"errors\":[" UNIT(
            "false", "/anyOf") ",\"error\":\"matches none of the alternatives\",\"errors\":[",
        first,
        UNIT("false", "/anyOf/1") ",\"errors\":[" UNIT(
            "false", "/anyOf/1/minimum") ",\"error\":\"expected at least 3\"}]}]},",
        excluded);
    CHECK_STR(render(&s, "2", CUPEL_RENDER_VERBOSE), want.bytes);
    s.options.bytes = 300;
    CHECK_STR(render(&s, "2", CUPEL_RENDER_VERBOSE), "{\"valid\":false}");
    cupel_text_free(&want);
    end(&s);
}

/* A keyword that decides and is an annotation too has its value where it passed. */
static void test_verbose_values(void)
{
    struct setup s = begin_with("{\"format\": \"email\"}", CUPEL_ASSERT_FORMAT);
    CHECK_STR(render(&s, "\"a@b.c\"", CUPEL_RENDER_VERBOSE),
              UNIT("true", "") ",\"annotations\":[" UNIT("true",
                                                         "/format") ",\"annotation\":\"email\"}]}");
    CHECK(strstr(render(&s, "\"a\"", CUPEL_RENDER_VERBOSE),
                 "\"error\":\"does not conform to the format email") != NULL);
    end(&s);
}

/* Its second run is paid for, and what it ran is no list of problems. */
static void test_verbose_run(void)
{
    struct cupel_outcome once, twice;
    struct setup s = begin("{\"type\": \"object\", \"maxProperties\": 1}");
    CHECK_INT(cupel_validate(s.program, s.scratch, "[]", 2, NULL), CUPEL_INVALID);
    CHECK_INT(
        cupel_render(s.program, s.scratch, NULL, 0, CUPEL_RENDER_HUMAN, &s.options, &s.text, &once),
        CUPEL_INVALID);
    CHECK_INT(count_problems(s.scratch), 1);
    CHECK_INT(cupel_render(s.program, s.scratch, NULL, 0, CUPEL_RENDER_VERBOSE, &s.options, &s.text,
                           &twice),
              CUPEL_INVALID);
    CHECK(twice.steps > once.steps);
    CHECK_INT(count_records(s.scratch), 0);
    CHECK_INT(count_problems(s.scratch), 0);
    end(&s);
}

/* -- What is meant ------------------------------------------------------------------------------
 */

/* Nothing is suggested that is not like what is there, among values as among names; and the names
 * of a schema that leads to itself are known like those of others. */
static void test_meant(void)
{
    struct setup s = begin("{\"enum\": [\"red\", \"green\"]}");
    CHECK(strstr(render(&s, "\"blue\"", CUPEL_RENDER_HUMAN), "did you mean") == NULL);
    CHECK(strstr(render(&s, "\"blue\"", CUPEL_RENDER_MODEL), "did you mean") == NULL);
    CHECK(strstr(render(&s, "\"gren\"", CUPEL_RENDER_HUMAN), "did you mean \"green\"") != NULL);
    end(&s);
    s = begin(
        "{\"$id\": \"https://example.com/n\", \"$dynamicAnchor\": \"n\", \"properties\": "
        "{\"kids\": "
        "{\"items\": {\"$dynamicRef\": \"#n\"}}, \"v\": true}, \"unevaluatedProperties\": false}");
    CHECK_STR(render(&s, "{\"kid\": 1, \"zz\": 2}", CUPEL_RENDER_MODEL),
              "2 problems in the arguments\n"
              "- kid: not a parameter; did you mean `kids`?\n"
              "- zz: not a parameter\n"
              "parameters: kids, v");
    end(&s);
}

int main(void)
{
    test_meant();
    test_verbose();
    test_verbose_values();
    test_verbose_run();
    test_case();
    test_values();
    test_members();
    test_merging();
    test_alternatives();
    test_options();
    test_output_units();
    test_hostile_text();
    test_bounds();
    return test_end();
}
