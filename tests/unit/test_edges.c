/* test_edges.c: verdicts on both sides of the places where a run takes another way: sets of
 * evaluated children over a word, kept results in several dynamic scopes, comparisons that decide
 * nothing, names and strings that are equal up to a comparison's end.
 *
 * Each case is judged by both loops, with results kept early and late, with all passes and with
 * none, and by the report. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

static int no_problem(void *ctx, const struct cupel_problem *problem)
{
    (void)ctx, (void)problem;
    return 0;
}

/* One way to judge a text; the steps of the run. */
static uint64_t judge(const struct cupel_options *options, const struct cupel_text *schema,
                      const struct cupel_text *text, enum cupel_verdict want)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_error err = {.status = CUPEL_OK};
    struct cupel_outcome outcome = {.steps = 0};
    uint64_t steps = 0;
    if (!CHECK_INT(cupel_compile(schema->bytes, schema->len, options, &program, &err), CUPEL_OK))
        fprintf(stderr, "    %s: %.200s\n", err.detail, schema->bytes);
    if (program == NULL || !CHECK_INT(cupel_scratch_new(options, &scratch), CUPEL_OK))
        return 0;
    bool good = CHECK_INT(cupel_validate(program, scratch, text->bytes, text->len, &outcome), want);
    steps = outcome.steps;
    if (want != CUPEL_UNDECIDED)
        good &=
            CHECK_INT(cupel_report(program, scratch, NULL, 0, no_problem, NULL, &outcome), want);
    if (!good)
        fprintf(stderr, "    flags %x, passes %x: %.300s, %.300s\n", options->flags,
                options->passes, schema->bytes, text->bytes);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
    return steps;
}

static struct cupel_options ways(unsigned i)
{
    static const uint32_t flags[] = {0, CUPEL_SWITCH_DISPATCH, CUPEL_EAGER_MEMO,
                                     CUPEL_EAGER_MEMO | CUPEL_SWITCH_DISPATCH, CUPEL_NO_DIRECT};
    struct cupel_options options;
    cupel_options_init(&options);
    options.flags |= flags[i % 5] | CUPEL_ASSERT_FORMAT | CUPEL_IDN_OPTIONAL;
    options.passes = i < 5 ? CUPEL_PASS_ALL : CUPEL_PASS_MEMO;
    options.limits[CUPEL_LIMIT_STEPS] = 100000000;
    return options;
}

static void check(const struct cupel_text *schema, const struct cupel_text *text,
                  enum cupel_verdict want)
{
    for (unsigned i = 0; i < 10; i++) {
        struct cupel_options options = ways(i);
        judge(&options, schema, text, want);
    }
}

static struct cupel_text copy(const char *z)
{
    struct cupel_text t;
    cupel_text_init(&t, NULL);
    cupel_text_adds(&t, z);
    return t;
}

static void check_strings(const char *schema, const char *text, enum cupel_verdict want)
{
    struct cupel_text s = copy(schema), t = copy(text);
    check(&s, &t, want);
    cupel_text_free(&s);
    cupel_text_free(&t);
}

/* -- Evaluated children ------------------------------------------------------------------------ */

/* Which children a schema of the cases below evaluates: all but `odd`, of n. */
struct evaluated {
    const char *schema; /* members have names that begin with k or, if odd, x */
    bool array;         /* items are 1 or, if odd, "x" */
};

/* What evaluates is hidden from the compiler behind branches, of which one fails late, so its marks
 * are taken back. */
static const struct evaluated evaluated[] = {
    {"{\"anyOf\":[{\"patternProperties\":{\"^k\":true}},{\"required\":[\"q\"]}],"
     "\"unevaluatedProperties\":false}",
     false},
    {"{\"anyOf\":[{\"patternProperties\":{\"\":true},\"required\":[\"q\"]},"
     "{\"patternProperties\":{\"^k\":true}}],\"unevaluatedProperties\":false}",
     false},
    {"{\"patternProperties\":{\"^k\":true},\"anyOf\":[{\"required\":[\"q\"]},{\"allOf\":[{"
     "\"patternProperties\":{\"x\":true}},{\"required\":[\"q\"]}]},{\"minProperties\":1}],"
     "\"unevaluatedProperties\":false}",
     false},
    {"{\"oneOf\":[{\"patternProperties\":{\"^k\":true}},{\"patternProperties\":{\"\":true},"
     "\"required\":[\"q\"]}],\"unevaluatedProperties\":false}",
     false},
    {"{\"if\":{\"patternProperties\":{\"\":true},\"required\":[\"q\"]},\"then\":true,\"else\":{"
     "\"patternProperties\":{\"^k\":true}},\"unevaluatedProperties\":false}",
     false},
    {"{\"$defs\":{\"k\":{\"patternProperties\":{\"^k\":true},\"additionalProperties\":{\"$ref\":"
     "\"#/$defs/k\"}},\"m\":{\"anyOf\":[{\"patternProperties\":{\"^k\":true}},{\"required\":["
     "\"q\"]}]}},\"allOf\":[{\"anyOf\":[{\"$ref\":\"#/$defs/"
     "m\"},{\"required\":[\"q\"]}]},{\"$ref\":"
     "\"#/$defs/m\"},{\"oneOf\":[{\"$ref\":\"#/$defs/m\"},{\"required\":[\"r\"]}]}],"
     "\"unevaluatedProperties\":false}",
     false},
    {"{\"$defs\":{\"n\":{\"anyOf\":[{\"patternProperties\":{\"^k\":{\"$ref\":\"#/$defs/c\"}}},{"
     "\"required\":[\"q\"]}]},\"c\":{\"allOf\":[{\"anyOf\":[{\"allOf\":[{\"$ref\":\"#/$defs/n\"},{"
     "\"required\":[\"q\"]}]},true]},{\"$ref\":\"#/$defs/n\"}],\"unevaluatedProperties\":{\"type\":"
     "\"object\",\"additionalProperties\":{\"$ref\":\"#/$defs/c\"}}}},\"$ref\":\"#/$defs/c\"}",
     false},
    {"{\"$defs\":{\"n\":{\"anyOf\":[{\"patternProperties\":{\"^k\":{\"$ref\":\"#/$defs/c\"}}},{"
     "\"required\":[\"q\"]}]},\"c\":{\"allOf\":[{\"anyOf\":[{\"$ref\":\"#/$defs/"
     "n\"},{\"required\":["
     "\"q\"]}]},{\"$ref\":\"#/$defs/n\"}],\"unevaluatedProperties\":{\"type\":\"object\","
     "\"additionalProperties\":{\"$ref\":\"#/$defs/c\"}}}},\"$ref\":\"#/$defs/c\"}",
     false},
    {"{\"anyOf\":[{\"contains\":{\"type\":\"integer\"}},{\"minItems\":1000}],"
     "\"unevaluatedItems\":false}",
     true},
    {"{\"anyOf\":[{\"items\":true,\"minItems\":1000},{\"contains\":{\"type\":\"integer\"}}],"
     "\"unevaluatedItems\":false}",
     true},
    {"{\"$defs\":{\"m\":{\"anyOf\":[{\"contains\":{\"type\":\"integer\"}},{\"minItems\":1000}]}},"
     "\"allOf\":[{\"anyOf\":[{\"$ref\":\"#/$defs/m\"},{\"minItems\":1000}]},{\"$ref\":\"#/$defs/"
     "m\"}"
     ",{\"oneOf\":[{\"$ref\":\"#/$defs/m\"},{\"maxItems\":0}]}],\"unevaluatedItems\":false}",
     true},
};

static void write_children(struct cupel_text *t, bool array, unsigned n, unsigned odd)
{
    cupel_text_clear(t);
    cupel_text_adds(t, array ? "[" : "{");
    for (unsigned i = 0; i < n; i++) {
        cupel_text_adds(t, i > 0 ? "," : "");
        if (array)
            cupel_text_adds(t, i == odd ? "\"x\"" : "1");
        else
            cupel_text_addf(t, "\"%c%u\":1", i == odd ? 'x' : 'k', i);
    }
    cupel_text_adds(t, array ? "]" : "}");
}

static void test_evaluated(void)
{
    static const unsigned sizes[] = {2, 31, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 130, 193};
    struct cupel_text text = copy("");
    for (size_t i = 0; i < sizeof evaluated / sizeof *evaluated; i++) {
        struct cupel_text schema = copy(evaluated[i].schema);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const unsigned n = sizes[k], odd[] = {0, 62, 63, 64, 65, 127, 128, n - 1};
            write_children(&text, evaluated[i].array, n, n);
            check(&schema, &text, CUPEL_VALID);
            for (size_t o = 0; o < sizeof odd / sizeof *odd; o++) {
                if (odd[o] >= n)
                    continue;
                write_children(&text, evaluated[i].array, n, odd[o]);
                check(&schema, &text, CUPEL_INVALID);
            }
        }
        cupel_text_free(&schema);
    }
    cupel_text_free(&text);
}

/* Items that a prefix of the given length evaluates. */
static void test_evaluated_prefix(void)
{
    static const unsigned sizes[] = {1,  31,  32,  33,  63,  64,  65, 66,
                                     96, 127, 128, 129, 191, 192, 200};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct cupel_text schema = copy("{\"anyOf\":[{\"prefixItems\":["), text = copy("");
        for (unsigned i = 0; i < sizes[k]; i++)
            cupel_text_adds(&schema, i > 0 ? ",true" : "true");
        cupel_text_adds(&schema, "]},{\"minItems\":1000}],\"unevaluatedItems\":{\"const\":\"x\"}}");
        for (unsigned more = 0; more < 3; more++) {
            write_children(&text, true, sizes[k] + more, sizes[k]);
            check(&schema, &text, more < 2 ? CUPEL_VALID : CUPEL_INVALID);
            write_children(&text, true, sizes[k] + more, sizes[k] + 1);
            check(&schema, &text, more == 0 ? CUPEL_VALID : CUPEL_INVALID);
        }
        cupel_text_free(&schema);
        cupel_text_free(&text);
    }
}

/* -- Kept results ------------------------------------------------------------------------------ */

/* Three resources that give one dynamic anchor different meanings for the same tree, whose nodes
 * are reached in two ways, so that results are kept. */
#define SCOPES(root)                                                                               \
    "{\"$id\":\"x:root\"," root ",\"$defs\":{"                                                     \
    "\"one\":{\"$id\":\"one\",\"$ref\":\"tree\",\"$defs\":{\"l\":{\"$dynamicAnchor\":\"leaf\","    \
    "\"type\":\"integer\"}}},"                                                                     \
    "\"two\":{\"$id\":\"two\",\"$ref\":\"tree\",\"$defs\":{\"l\":{\"$dynamicAnchor\":\"leaf\","    \
    "\"type\":\"boolean\"}}},"                                                                     \
    "\"three\":{\"$id\":\"three\",\"$ref\":\"tree\",\"$defs\":{\"l\":{\"$dynamicAnchor\":\"leaf\"" \
    ",\"type\":\"string\"}}},"                                                                     \
    "\"tree\":{\"$id\":\"tree\",\"type\":\"object\",\"properties\":{\"next\":{\"allOf\":[{"        \
    "\"$ref\":\"tree\"},{\"$ref\":\"tree\",\"title\":\"t\"}]},\"v\":{\"$dynamicRef\":\"#leaf\"}}," \
    "\"$defs\":{\"l\":{\"$dynamicAnchor\":\"leaf\"}}}}}"
#define REF(name) "{\"$ref\":\"" name "\"}"

static void test_scopes(void)
{
    static const char any[] = SCOPES("\"anyOf\":[" REF("one") "," REF("two") "," REF("three") "]");
    static const char all[] =
        SCOPES("\"allOf\":[{\"not\":" REF("one") "},{\"not\":" REF("two") "}," REF("three") "]");
    static const char *const leaves[] = {"1", "true", "\"s\"", "null"};
    for (int i = 0; i < 4; i++) {
        struct cupel_text text = copy("");
        cupel_text_addf(&text, "{\"next\":{\"next\":{\"v\":%s}}}", leaves[i]);
        check_strings(any, text.bytes, i < 3 ? CUPEL_VALID : CUPEL_INVALID);
        check_strings(all, text.bytes, i == 2 ? CUPEL_VALID : CUPEL_INVALID);
        cupel_text_free(&text);
    }
}

/* What fails inside a scope leaves it: r3 is tried with the m of r1, and then with its own. */
static void test_failed_in_scope(void)
{
    check_strings(
        "{\"$defs\":{\"r0\":{\"$id\":\"r0\",\"properties\":{\"b\":{\"allOf\":[{\"$dynamicRef\":"
        "\"r3#m\"}]}},\"allOf\":[{\"$ref\":\"r3\"}]},\"r1\":{\"$id\":\"r1\",\"$defs\":{\"m\":{"
        "\"$dynamicAnchor\":\"m\",\"type\":[\"string\"]}},\"anyOf\":[{\"$ref\":\"r3\"}]},\"r3\":{"
        "\"$id\":\"r3\",\"$defs\":{\"m\":{\"$dynamicAnchor\":\"m\"}},\"properties\":{\"a\":{"
        "\"allOf\":[{\"$ref\":\"r0\"}]}}}},\"oneOf\":[{\"anyOf\":[{\"$ref\":\"r1\"}]},{\"anyOf\":[{"
        "\"$ref\":\"r3\"}]}]}",
        "{\"a\":{\"b\":[]}}", CUPEL_VALID);
}

/* Scopes have numbers up to a bound, 4,094; in those beyond it nothing is kept, and the verdicts
 * are the same.  64 resources bind one anchor and 64 inside them another, which gives a scope for
 * each of the first and for each pair.  `go` is tried in the scope of `one` before these, and in
 * the scope of `three` after them. */
static void write_scopes(struct cupel_text *schema, const char *first)
{
    cupel_text_addf(schema, "{%s", first);
    cupel_text_adds(
        schema,
        "\"$id\":\"x:root\",\"properties\":{\"all\":{\"anyOf\":[{\"properties\":{\"go\":" REF(
            "one") "}},{\"properties\":{\"stop\":false,");
    for (int i = 0; i < 64; i++)
        cupel_text_addf(schema, "%s\"a%d\":{\"$ref\":\"ra%d\"}", i > 0 ? "," : "", i, i);
    cupel_text_adds(schema,
                    "}},{\"properties\":{\"go\":" REF("two") "}},{\"properties\":{\"go\":" REF(
                        "three") "}}]}},\"$defs\":{");
    for (int i = 0; i < 64; i++)
        cupel_text_addf(schema,
                        "\"ra%d\":{\"$id\":\"ra%d\",\"$ref\":\"pairs\",\"$defs\":{\"p\":{"
                        "\"$dynamicAnchor\":\"p\",\"title\":\"%d\"}}},"
                        "\"rb%d\":{\"$id\":\"rb%d\",\"properties\":{\"v\":{\"$ref\":\"tree\"}},"
                        "\"$defs\":{\"q\":{\"$dynamicAnchor\":\"q\",\"title\":\"%d\"}}},",
                        i, i, i, i, i, i);
    cupel_text_adds(schema, "\"pairs\":{\"$id\":\"pairs\",\"properties\":{");
    for (int i = 0; i < 64; i++)
        cupel_text_addf(schema, "%s\"b%d\":{\"$ref\":\"rb%d\"}", i > 0 ? "," : "", i, i);
    cupel_text_adds(
        schema,
        "}},\"one\":{\"$id\":\"one\",\"$ref\":\"tree\",\"$defs\":{\"l\":{\"$dynamicAnchor\":"
        "\"leaf\",\"type\":\"integer\"}}},\"two\":{\"$id\":\"two\",\"$ref\":\"tree\","
        "\"$defs\":{\"l\":{\"$dynamicAnchor\":\"leaf\",\"type\":\"boolean\"}}},\"three\":{"
        "\"$id\":\"three\",\"$ref\":\"tree\",\"$defs\":{\"l\":{\"$dynamicAnchor\":\"leaf\","
        "\"type\":\"string\"}}},\"tree\":{\"$id\":\"tree\",\"type\":\"object\",\"properties\":{"
        "\"next\":{\"allOf\":[" REF("tree") ",{\"$ref\":\"tree\",\"title\":\"t\"}]},\"v\":{"
                                            "\"$dynamicRef\":\"#leaf\"},\"w\":{\"$dynamicRef\":\"#"
                                            "p\"},\"x\":{\"$dynamicRef\":"
                                            "\"#q\"}},\"$defs\":{\"l\":{\"$dynamicAnchor\":"
                                            "\"leaf\"},\"p\":{\"$dynamicAnchor\":"
                                            "\"p\"},\"q\":{\"$dynamicAnchor\":\"q\"}}}}}");
}

/* An object that enters n scopes; the rest of it as in write_scopes. */
static void write_entering(struct cupel_text *text, unsigned n, const char *leaf)
{
    cupel_text_clear(text);
    cupel_text_adds(text, "{\"all\":{");
    for (unsigned a = 0; a < 64 && n > 0; a++) {
        cupel_text_addf(text, "\"a%u\":{", a);
        n--;
        for (unsigned b = 0; b < 64 && n > 0; b++, n--)
            cupel_text_addf(text, "%s\"b%u\":{}", b > 0 ? "," : "", b);
        cupel_text_adds(text, "},");
    }
    cupel_text_addf(text, "\"stop\":0,\"go\":{\"next\":{\"v\":%s}}}}", leaf);
}

/* A type of the root moves the code by a word, on which the keys of kept results depend. */
static void test_many_scopes(void)
{
    for (int moved = 0; moved < 2; moved++) {
        struct cupel_text schema = copy(""), text = copy("");
        write_scopes(&schema, moved ? "\"type\":\"object\"," : "");
        for (unsigned i = 0; i < 80; i++) {
            struct cupel_options options = ways(7 + (i & 1));
            write_entering(&text, 4085 + i / 4, i & 2 ? "\"s\"" : "null");
            judge(&options, &schema, &text, i & 2 ? CUPEL_VALID : CUPEL_INVALID);
        }
        cupel_text_free(&schema);
        cupel_text_free(&text);
    }
}

/* -- Comparisons that decide nothing --------------------------------------------------------------
 */

/* A number whose exponent is too long to be compared, a few such values, and what they are compared
 * with. */
#define LONG   "1e1234567890123456"
#define LONGER "1e1234567890123457"

static void test_undecided(void)
{
    static const struct {
        const char *schema, *text;
        enum cupel_verdict want;
    } cases[] = {
        {"{\"enum\":[1e400,\"a\",5]}", LONG, CUPEL_UNDECIDED},
        {"{\"enum\":[\"a\",1e400]}", LONG, CUPEL_UNDECIDED},
        {"{\"enum\":[1e400,2e400,\"a\",true]}", "\"a\"", CUPEL_VALID},
        {"{\"enum\":[[1e400],[1]]}", "[" LONG "]", CUPEL_UNDECIDED},
        {"{\"enum\":[{\"a\":1e400,\"b\":2},[1]]}", "{\"b\":2,\"a\":" LONG "}", CUPEL_UNDECIDED},
        {"{\"enum\":[{\"a\":1e400,\"b\":2},[1]]}", "{\"b\":3,\"a\":1}", CUPEL_INVALID},
        {"{\"not\":{\"enum\":[1e400,\"a\",5]}}", LONG, CUPEL_UNDECIDED},
        {"{\"const\":1e400}", LONG, CUPEL_UNDECIDED},
        {"{\"const\":[1e400]}", "[" LONG "]", CUPEL_UNDECIDED},
        {"{\"if\":{\"const\":1e400},\"then\":false}", LONG, CUPEL_UNDECIDED},
        {"{\"uniqueItems\":true}", "[" LONG "," LONGER "]", CUPEL_UNDECIDED},
        {"{\"contains\":{\"const\":1e400}}", "[" LONG ",1]", CUPEL_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_strings(cases[i].schema, cases[i].text, cases[i].want);
}

/* With any budget a run says what it says with enough, or that it is UNDECIDED. */
static void check_budgets(const char *schema, const char *text, enum cupel_verdict want)
{
    struct cupel_text s = copy(schema), t = copy(text);
    struct cupel_program *program = NULL;
    struct cupel_options options = ways(0);
    options.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = 0;
    uint64_t enough = judge(&options, &s, &t, want);
    if (CHECK_INT(cupel_compile(schema, strlen(schema), &options, &program, NULL), CUPEL_OK)) {
        for (uint64_t steps = 0; steps <= enough; steps++) {
            struct cupel_scratch *scratch = NULL;
            struct cupel_outcome outcome = {.reason = CUPEL_OK};
            options.limits[CUPEL_LIMIT_STEPS] = steps;
            CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
            enum cupel_verdict verdict = cupel_validate(program, scratch, t.bytes, t.len, &outcome);
            CHECK(verdict == want || (steps < enough && verdict == CUPEL_UNDECIDED &&
                                      outcome.reason == CUPEL_E_LIMIT_STEPS));
            cupel_scratch_free(scratch);
        }
    }
    cupel_program_free(program);
    cupel_text_free(&s);
    cupel_text_free(&t);
}

static void test_budgets(void)
{
    static const char values[] =
        "{\"enum\":[{\"a\":[1,2,3],\"b\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxx\"},[1,[2]],{\"a\":[1,2,4]},1e300]}";
    check_budgets(values, "{\"b\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\"a\":[1,2,3]}",
                  CUPEL_VALID);
    check_budgets(values, "{\"a\":[1,2,5]}", CUPEL_INVALID);
    check_budgets(values, "[1,[3]]", CUPEL_INVALID);
    check_budgets("{\"uniqueItems\":true}", "[[1],[2],[3],{\"a\":1},{\"a\":2},[1,2],\"a\",\"b\"]",
                  CUPEL_VALID);
    check_budgets("{\"not\":{\"uniqueItems\":true}}", "[[1,[1]],[2,[1]],[3],[2,[1]]]", CUPEL_VALID);
    check_budgets("{\"not\":{\"const\":{\"a\":1,\"b\":[1,2,3]}}}", "{\"b\":[1,2,4],\"a\":1}",
                  CUPEL_VALID);
}

/* -- Strings and names
 * ------------------------------------------------------------------------------ */

static void test_strings(void)
{
    /* Words are followed by zeros in a program. */
    check_strings("{\"pattern\":\"^(?:ab|cd|efg|hijk)$\"}", "\"ab\\u0000\"", CUPEL_INVALID);
    check_strings("{\"pattern\":\"^(?:ab|cd|efg|hijk)$\"}", "\"efg\\u0000\"", CUPEL_INVALID);
    check_strings("{\"pattern\":\"^(?:ab|cd|efg|hijk)$\"}", "\"hijk\"", CUPEL_VALID);
    check_strings("{\"properties\":{\"\\\"\":false,\"bb\":false}}", "{\"\\u0062b\":1}",
                  CUPEL_INVALID);
    /* Counted repeats around a back-reference. */
    for (int turns = 0; turns < 5; turns++) {
        struct cupel_text text = copy("\"");
        for (int i = 0; i < turns; i++)
            cupel_text_addf(&text, "%c%c", 'a' + i, 'a' + i);
        cupel_text_adds(&text, "\"");
        check_strings("{\"pattern\":\"^(?:(.)\\\\1){1,3}$\"}", text.bytes,
                      turns >= 1 && turns <= 3 ? CUPEL_VALID : CUPEL_INVALID);
        check_strings("{\"pattern\":\"^(?:(.)\\\\1){2}$\"}", text.bytes,
                      turns == 2 ? CUPEL_VALID : CUPEL_INVALID);
        check_strings("{\"pattern\":\"^(?:(.)\\\\1){2,}?$\"}", text.bytes,
                      turns >= 2 ? CUPEL_VALID : CUPEL_INVALID);
        cupel_text_free(&text);
    }
    /* One string, two formats that need IDNA: the result of one is not that of the other. */
    check_strings("{\"format\":\"idn-hostname\"}", "\"\\u00e9.xn--4ca\"", CUPEL_VALID);
    check_strings("{\"allOf\":[{\"format\":\"idn-hostname\"},{\"format\":\"hostname\"}]}",
                  "\"\\u00e9.xn--4ca\"", CUPEL_INVALID);
    check_strings("{\"allOf\":[{\"format\":\"hostname\"},{\"format\":\"idn-email\"}]}",
                  "\"xn--4ca\"", CUPEL_INVALID);
}

/* Classes that have an end in common are different classes. */
static void test_classes(void)
{
    static const struct {
        const char *pattern, *valid, *invalid;
    } cases[] = {
        {"^[a-c]{2}[a-d]{2}$", "\"abcd\"", "\"adab\""},
        {"^[a-d]{2}[a-c]{2}$", "\"adab\"", "\"abad\""},
        {"^[b-d]{2}[a-d]{2}$", "\"bdad\"", "\"abbb\""},
        {"^[a-d]{2}[b-d]{2}$", "\"adbd\"", "\"abab\""},
        {"^[a-cx]{2}[a-dx]*$", "\"axdx\"", "\"dxaa\""},
        {"^[a-cx]{3}[a-cy]{3}$", "\"axxayy\"", "\"axxaxx\""},
        {"^[\\u0100-\\u0200]{2}[\\u0100-\\u0300]{2}$", "\"\\u0100\\u0200\\u0300\\u0250\"",
         "\"\\u0100\\u0250\\u0300\\u0250\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cupel_text schema = copy("{\"pattern\":\"");
        cupel_text_adds(&schema, cases[i].pattern);
        cupel_text_adds(&schema, "\"}");
        check_strings(schema.bytes, cases[i].valid, CUPEL_VALID);
        check_strings(schema.bytes, cases[i].invalid, CUPEL_INVALID);
        cupel_text_free(&schema);
    }
}

/* UTF-8 at the bounds of its ranges, at each place of a scanner's blocks. */
static void test_utf8(void)
{
    static const struct {
        const char *bytes;
        bool good;
    } sequences[] = {
        {"\x7f", true},
        {"\xc2\x80", true},
        {"\xdf\xbf", true},
        {"\xe0\xa0\x80", true},
        {"\xed\x9f\xbf", true},
        {"\xee\x80\x80", true},
        {"\xef\xbf\xbf", true},
        {"\xf0\x90\x80\x80", true},
        {"\xf4\x8f\xbf\xbf", true},
        {"\x80", false},
        {"\xbf", false},
        {"\xc0\x80", false},
        {"\xc1\xbf", false},
        {"\xc2", false},
        {"\xc2\x7f", false},
        {"\xc2\xc0", false},
        {"\xe0\x9f\xbf", false},
        {"\xe1\x80", false},
        {"\xed\xa0\x80", false},
        {"\xed\xbf\xbf", false},
        {"\xf0\x8f\xbf\xbf", false},
        {"\xf1\x80\x80", false},
        {"\xf4\x90\x80\x80", false},
        {"\xf4\xa0\x80\x80", false},
        {"\xf5\x80\x80\x80", false},
        {"\xff", false},
        {"\xf8\x88\x80\x80\x80", false},
    };
    struct cupel_program *program = NULL;
    CHECK_INT(cupel_compile("{}", 2, NULL, &program, NULL), CUPEL_OK);
    for (unsigned way = 0; way < 2; way++) {
        struct cupel_scratch *scratch = NULL;
        struct cupel_options options;
        cupel_options_init(&options);
        options.flags |= way ? CUPEL_NO_SIMD : 0;
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK);
        for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
            for (unsigned before = 0; before < 130; before++) {
                struct cupel_text text = copy("[\"");
                for (unsigned k = 0; k < before; k++)
                    cupel_text_adds(&text, "a");
                cupel_text_adds(&text, sequences[i].bytes);
                cupel_text_adds(&text,
                                before % 3 == 0 ? "\"]" : "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"]");
                struct cupel_outcome outcome = {.reason = CUPEL_OK};
                enum cupel_verdict verdict =
                    cupel_validate(program, scratch, text.bytes, text.len, &outcome);
                CHECK(sequences[i].good
                          ? verdict == CUPEL_VALID
                          : verdict == CUPEL_UNDECIDED && outcome.reason == CUPEL_E_UTF8);
                cupel_text_free(&text);
            }
        }
        cupel_scratch_free(scratch);
    }
    cupel_program_free(program);
}

/* A decoded name that begins a name of the table; behind it stands what the text before left there,
 * the rest of that name and a quote. */
static void test_name_before_rest(void)
{
    static const char schema[] = "{\"properties\":{\"\\\"\":false,\"bb\":false}}",
                      before[] = "{\"\\u0062b\\\"\":1}", text[] = "{\"\\u0062\":1}";
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &program, NULL), CUPEL_OK);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(program, scratch, before, strlen(before), NULL), CUPEL_VALID);
    CHECK_INT(cupel_validate(program, scratch, text, strlen(text), NULL), CUPEL_VALID);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

/* Strings of one length at one offset, some in the text and some decoded: two names of hosts, of
 * which one is refused. */
static void test_decoded_names(void)
{
    for (unsigned pad = 0; pad < 24; pad++) {
        struct cupel_text text = copy("[\"");
        for (unsigned i = 0; i < pad; i++)
            cupel_text_adds(&text, "a");
        cupel_text_adds(&text, "\",\"xn--4ca\"");
        for (int i = 0; i < 6; i++)
            cupel_text_adds(&text, ",\"\\u0078n--4c\\u0061\"");
        struct cupel_text bad = copy(text.bytes);
        cupel_text_adds(&text, "]");
        cupel_text_adds(&bad, ",\"\\u0078n--a.b\"]");
        for (int decoded = 0; decoded < 2; decoded++) {
            check_strings("{\"items\":{\"anyOf\":[{\"const\":\"\"},{\"format\":\"hostname\"}]}}",
                          decoded ? bad.bytes : text.bytes, decoded ? CUPEL_INVALID : CUPEL_VALID);
        }
        cupel_text_free(&text);
        cupel_text_free(&bad);
    }
}

/* Names of members that differ in one byte, at each place; in short texts and on the tape. */
static void test_long_names(void)
{
    enum { LONGEST = 80 };
    static const char schema[] = "{\"type\":\"object\",\"additionalProperties\":{\"type\":"
                                 "\"integer\"},\"minProperties\":2}";
    for (unsigned n = 1; n <= LONGEST; n++) {
        for (unsigned at = 0; at <= n; at += at + 9 < n && at > 9 ? 5 : 1) {
            struct cupel_text text = copy("{\"");
            char name[LONGEST + 1];
            memset(name, 'a', n);
            name[n] = '\0';
            cupel_text_adds(&text, name);
            cupel_text_adds(&text, "\":1,\"");
            if (at < n)
                name[at] = 'b';
            cupel_text_adds(&text, name);
            cupel_text_adds(&text, "\":2}");
            check_strings(schema, text.bytes, at < n ? CUPEL_VALID : CUPEL_UNDECIDED);
            cupel_text_free(&text);
        }
    }
}

/* -- Cycles ---------------------------------------------------------------------------------------
 */

/* Each keyword that applies a schema to the same value leads back to the root, as the first, the
 * last or the only one. */
static void test_cycles(void)
{
    static const char *const schemas[] = {
        "{\"$ref\":\"#\"}",
        "{\"allOf\":[{\"$ref\":\"#\"}]}",
        "{\"allOf\":[{},{\"$ref\":\"#\"}]}",
        "{\"anyOf\":[{\"$ref\":\"#\"},{}]}",
        "{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#\"}]}",
        "{\"oneOf\":[{\"type\":\"null\"},{\"$ref\":\"#\"}]}",
        "{\"not\":{\"$ref\":\"#\"}}",
        "{\"if\":{\"$ref\":\"#\"},\"then\":{\"type\":\"null\"}}",
        "{\"if\":{\"type\":\"null\"},\"then\":{\"$ref\":\"#\"}}",
        "{\"if\":{\"type\":\"null\"},\"then\":{\"minimum\":1},\"else\":{\"$ref\":\"#\"}}",
        "{\"if\":{\"type\":\"null\"},\"else\":{\"$ref\":\"#\"}}",
        "{\"if\":{\"type\":\"null\"},\"else\":{\"allOf\":[{\"minimum\":1},{\"$ref\":\"#/else\"}]}}",
        "{\"dependentSchemas\":{\"a\":{\"$ref\":\"#\"}}}",
        "{\"dependentSchemas\":{\"a\":{\"minProperties\":2},\"b\":{\"$ref\":\"#\"}}}",
        ("{\"$defs\":{\"a\":{\"if\":{\"minimum\":1},\"else\":{\"$ref\":\"#/$defs/"
         "b\"}},\"b\":{\"not\":"
         "{\"$ref\":\"#/$defs/a\"}}},\"$ref\":\"#/$defs/a\"}"),
        "{\"$defs\":{\"a\":{\"else\":{\"$ref\":\"#/$defs/a\"},\"if\":{\"minimum\":1}}},\"items\":{"
        "\"$ref\":\"#/$defs/a\"}}",
    };
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        for (unsigned way = 0; way < 10; way += 5) {
            struct cupel_options options = ways(way);
            struct cupel_program *program = NULL;
            if (!CHECK_INT(cupel_compile(schemas[i], strlen(schemas[i]), &options, &program, NULL),
                           CUPEL_E_REF_CYCLE))
                fprintf(stderr, "    %s\n", schemas[i]);
            cupel_program_free(program);
        }
    }
}

int main(void)
{
    test_evaluated();
    test_evaluated_prefix();
    test_scopes();
    test_failed_in_scope();
    test_many_scopes();
    test_undecided();
    test_budgets();
    test_strings();
    test_classes();
    test_utf8();
    test_name_before_rest();
    test_decoded_names();
    test_long_names();
    test_cycles();
    return test_end();
}
