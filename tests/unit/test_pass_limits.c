/* test_pass_limits.c: the bounds of the passes that make choices of conditions and of branches: at
 * each bound, one below and one above it, whether it was done, and that the verdicts are the same
 * with it, without it and without any pass. */
#include "test.h"
#include <cupel/cupel.h>
#include <cupel/debug.h>

/* A schema that is not copied where it is referred to. */
#define SHARED \
    "\"$defs\":{\"a\":{\"required\":[\"a\"],\"properties\":{\"z\":{\"$ref\":\"#/$defs/a\"}}}}"
#define TO_A "{\"$ref\":\"#/$defs/a\"}"

/* Writes the schema of size n. */
typedef void writer(struct cupel_text *text, unsigned n);

static void repeat(struct cupel_text *text, const char *format, unsigned from, unsigned n)
{
    for (unsigned i = from; i < from + n; i++) {
        cupel_text_adds(text, i == from ? "" : ",");
        cupel_text_addf(text, format, i, i);
    }
}

static void add(struct cupel_text *text, const char *s, unsigned n)
{
    while (n-- > 0)
        cupel_text_adds(text, s);
}

/* -- Cases ----------------------------------------------------------------------------------------
 */

#define IF_TAG "\"if\":{\"properties\":{\"k\":{\"const\":\"t%u\"}},\"required\":[\"k\"]}"
#define IF_1   "\"if\":{\"properties\":{\"k\":{\"const\":\"t1\"}},\"required\":[\"k\"]}"

/* One condition of n strings. */
static void write_tags(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"if\":{\"properties\":{\"k\":{\"enum\":[");
    repeat(text, "\"t%u\"", 0, n);
    cupel_text_adds(text, "]}}},\"then\":{\"required\":[\"a\"]},\"else\":{\"required\":[\"b\"]}}");
}

/* Of one string, n things to pass. */
static void write_leaves(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"allOf\":[");
    repeat(text, "{" IF_1 ",\"then\":{\"maxProperties\":%u}}", 3, n);
    cupel_text_adds(text, "]}");
}

/* n strings with something of their own, and all others. */
static void write_cases(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"allOf\":[");
    repeat(text, "{" IF_TAG ",\"then\":{\"minProperties\":%u}}", 1, n - 1);
    cupel_text_adds(text, "]}");
}

/* n conditions side by side. */
static void write_group(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\"," SHARED ",\"allOf\":[");
    repeat(text, "{" IF_TAG ",\"then\":" TO_A "}", 0, n);
    cupel_text_adds(text, "]}");
}

/* A condition, and n in each other's `else`. */
static void write_chain(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\"," SHARED ",");
    for (unsigned i = 0; i <= n; i++)
        cupel_text_addf(text, IF_TAG ",\"then\":" TO_A "%s", i, i < n ? ",\"else\":{" : "");
    add(text, "}", n + 1);
}

/* n conditions of which one leads to two more, all of them true at once: n + 1 are pending. */
static void write_pending(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(
        text,
        "{\"type\":\"object\",\"$defs\":{\"a\":{\"required\":[\"a\"],\"properties\":{\"z\":" TO_A
        "}},"
        "\"c\":{\"allOf\":[");
    repeat(text, "{" IF_1 ",\"then\":" TO_A "}", 0, 2);
    cupel_text_adds(text, "]}},\"allOf\":[{" IF_1 ",\"then\":{\"$ref\":\"#/$defs/c\"}},");
    repeat(text, "{" IF_1 ",\"then\":" TO_A "}", 1, n - 1);
    cupel_text_adds(text, "]}");
}

/* A condition in n of `not`, around the object or around the member; a NOT in a NOT is one of one
 * more. */
static void write_deep(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"if\":");
    add(text, "{\"not\":", n);
    cupel_text_adds(text, "{\"properties\":{\"k\":{\"const\":\"t1\"}}}");
    add(text, "}", n);
    cupel_text_adds(text, ",\"then\":{\"required\":[\"a\"]},\"else\":{\"required\":[\"b\"]}}");
}

static void write_deep_member(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"if\":{\"properties\":{\"k\":");
    add(text, "{\"not\":", n);
    cupel_text_adds(text, "{\"const\":\"t1\"}");
    add(text, "}", n);
    cupel_text_adds(text, "}},\"then\":{\"required\":[\"a\"]},\"else\":{\"required\":[\"b\"]}}");
}

/* n conditions that are one schema, whose 250 strings are gone through for each string and each of
 * them. */
static void write_laborious(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(
        text,
        "{\"type\":\"object\",\"$defs\":{\"a\":{\"required\":[\"a\"],\"properties\":{\"z\":" TO_A
        "}},"
        "\"c\":{\"required\":[\"k\"],\"properties\":{\"k\":{\"enum\":[");
    repeat(text, "\"t%u\"", 0, 250);
    cupel_text_adds(text, "]}}}},\"allOf\":[");
    repeat(text, "{\"if\":{\"$ref\":\"#/$defs/c\"},\"then\":" TO_A "}", 0, n);
    cupel_text_adds(text, "]}");
}

/* How many lines of the text are that operation. */
static int count_lines(const struct cupel_text *text, const char *op)
{
    int n = 0;
    size_t len = strlen(op);
    for (const char *line = text->bytes; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        n += strncmp(line, "  ", 2) == 0 && strncmp(line + 2, op, len) == 0 && line[2 + len] == ' ';
    }
    return n;
}

static void check_counts(const char *name, const struct cupel_text *schema, unsigned n, int cases,
                         int ifs)
{
    struct cupel_text ir;
    cupel_text_init(&ir, NULL);
    CHECK_INT(cupel_compile_dump(schema->bytes, schema->len, "cases", NULL, &ir, NULL), CUPEL_OK);
    if (!CHECK_INT(count_lines(&ir, "cases"), cases) || !CHECK_INT(count_lines(&ir, "if"), ifs))
        fprintf(stderr, "    %s %u\n", name, n);
    cupel_text_free(&ir);
}

/* -- Verdicts -------------------------------------------------------------------------------------
 */

/* What objects have besides k, and what k may be. */
static const char *const rests[] = {"", ",\"a\":1", ",\"b\":1", ",\"a\":1,\"b\":2",
                                    ",\"a\":1,\"b\":2,\"c\":3"};
static const char *const tags[] = {"\"t0\"",   "\"t1\"",   "\"t2\"",   "\"t5\"",   "\"t58\"",
                                   "\"t59\"",  "\"t60\"",  "\"t61\"",  "\"t62\"",  "\"t248\"",
                                   "\"t249\"", "\"t250\"", "\"t251\"", "\"none\"", "1",
                                   "{}",       "null",     "true",     "\"\""};

static struct cupel_program *compile(const struct cupel_text *schema, uint32_t passes)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    cupel_options_init(&options);
    options.passes = passes;
    CHECK_INT(cupel_compile(schema->bytes, schema->len, &options, &program, NULL), CUPEL_OK);
    return program;
}

/* The three programs agree; returns what they say. */
static enum cupel_verdict judge(struct cupel_program *const programs[3],
                                struct cupel_scratch *scratch, const struct cupel_text *instance)
{
    enum cupel_verdict verdict =
        cupel_validate(programs[0], scratch, instance->bytes, instance->len, NULL);
    for (int i = 1; i < 3; i++)
        if (!CHECK_INT(cupel_validate(programs[i], scratch, instance->bytes, instance->len, NULL),
                       verdict))
            fprintf(stderr, "    program %d of %s\n", i, instance->bytes);
    return verdict;
}

/* Objects of all kinds, each between `before` and `after`, get the same verdicts, not all of them
 * one. */
static void check_within(const struct cupel_text *schema, uint32_t pass, const char *before,
                         const char *after)
{
    struct cupel_program *const programs[3] = {compile(schema, CUPEL_PASS_ALL),
                                               compile(schema, CUPEL_PASS_ALL & ~pass),
                                               compile(schema, 0)};
    struct cupel_scratch *scratch = NULL;
    struct cupel_text instance;
    unsigned seen[3] = {0};
    cupel_text_init(&instance, NULL);
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    for (size_t t = 0; t <= sizeof tags / sizeof *tags; t++)
        for (size_t r = 0; r < sizeof rests / sizeof *rests; r++) {
            cupel_text_clear(&instance);
            if (t < sizeof tags / sizeof *tags)
                cupel_text_addf(&instance, "%s{\"k\":%s%s}%s", before, tags[t], rests[r], after);
            else
                cupel_text_addf(&instance, "%s{%s}%s", before, rests[r] + (*rests[r] == ','),
                                after);
            seen[judge(programs, scratch, &instance)]++;
        }
    CHECK(seen[CUPEL_VALID] > 0 && seen[CUPEL_INVALID] > 0 && seen[CUPEL_UNDECIDED] == 0);
    for (int i = 0; i < 3; i++)
        cupel_program_free(programs[i]);
    cupel_scratch_free(scratch);
    cupel_text_free(&instance);
}

static void check_verdicts(const struct cupel_text *schema, uint32_t pass)
{
    check_within(schema, pass, "", "");
}

static void test_cases(void)
{
    static const struct {
        const char *name;
        writer *write;
        unsigned bound;
        int at[3][2]; /* below the bound, at it, above it: how many CASES and IF there are then */
    } rows[] = {
        {"tags", write_tags, 250, {{1, 0}, {1, 0}, {0, 1}}},
        {"leaves", write_leaves, 6, {{1, 0}, {1, 0}, {0, 7}}},
        {"cases", write_cases, 60, {{1, 0}, {1, 0}, {0, 60}}},
        {"group", write_group, 60, {{1, 0}, {1, 0}, {2, 0}}},
        {"followed", write_chain, 60, {{1, 0}, {1, 0}, {2, 0}}},
        {"pending", write_pending, 59, {{1, 0}, {1, 0}, {1, 60}}},
        {"deep", write_deep, 7, {{1, 0}, {1, 0}, {0, 1}}},
        {"deep member", write_deep_member, 7, {{1, 0}, {1, 0}, {0, 1}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned k = 0; k < 3; k++) {
            unsigned n = rows[i].bound - 1 + k;
            struct cupel_text schema;
            cupel_text_init(&schema, NULL);
            rows[i].write(&schema, n);
            check_counts(rows[i].name, &schema, n, rows[i].at[k][0], rows[i].at[k][1]);
            check_verdicts(&schema, CUPEL_PASS_CASES);
            cupel_text_free(&schema);
        }
}

/* What takes more work than a module has stays as it is. */
static void test_laborious_cases(void)
{
    static const unsigned sizes[] = {1, 2, 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct cupel_text schema;
        bool done = sizes[i] < 60;
        cupel_text_init(&schema, NULL);
        write_laborious(&schema, sizes[i]);
        check_counts("laborious", &schema, sizes[i], done, done ? 0 : (int)sizes[i]);
        check_verdicts(&schema, CUPEL_PASS_CASES);
        cupel_text_free(&schema);
    }
}

/* -- Equal cases ----------------------------------------------------------------------------------
 */

#define TO_B       "{\"$ref\":\"#/$defs/b\"}"
#define IF(k)      "\"if\":{\"required\":[\"k\"],\"properties\":{\"k\":" k "}}"
#define THEN(a, b) ",\"then\":" a ",\"else\":" b
#define SWITCH(k)  IF(k) THEN(TO_A, TO_B)
#define X          "{\"const\":\"t1\"}"
#define Y          "{\"const\":\"t2\"}"
#define X_OR_Y     "{\"enum\":[\"t1\",\"t2\"]}"
#define ELSE_IF(y) "{" IF(y) THEN(TO_B, TO_A) "}"

/* Two switches of one module that differ in one thing are two, and each decides as it says. */
static void test_equal_cases(void)
{
    static const struct {
        const char *one, *other;
        int cases; /* after equal schemas have become one */
    } rows[] = {
        {SWITCH(X), SWITCH(X), 1},
        {SWITCH(X), SWITCH(Y), 2},
        {SWITCH(X), SWITCH(X_OR_Y), 2},
        {SWITCH(X), IF(X) THEN(TO_B, TO_A), 2},
        {SWITCH(X), "\"if\":{\"properties\":{\"k\":" X "}}" THEN(TO_A, TO_B), 2},
        {SWITCH(X), "\"if\":{\"required\":[\"b\"],\"properties\":{\"b\":" X "}}" THEN(TO_A, TO_B),
         2},
        {SWITCH(X), SWITCH("{\"enum\":[\"t1\",null]}"), 2},
        {SWITCH(X), SWITCH("{\"enum\":[\"t1\",true]}"), 2},
        /* The same strings, sent elsewhere; other strings, sent elsewhere. */
        {IF(X) THEN(TO_A, ELSE_IF(Y)), IF(X) THEN(TO_B, ELSE_IF(Y)), 2},
        {IF(X) THEN(TO_A, "{" IF(Y) THEN(TO_A, TO_B) "}"),
         IF(X) THEN(TO_A, "{" IF(Y) THEN(TO_B, TO_B) "}"), 2},
        {IF(X) THEN(TO_A, "{" IF(Y) THEN(TO_B, TO_A) "}"),
         IF(X) THEN(TO_A, "{" IF(Y) THEN(TO_B, TO_B) "}"), 2},
        {IF(X) THEN(TO_A, ELSE_IF(Y)), IF(X) THEN(TO_A, ELSE_IF("{\"const\":\"t5\"}")), 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cupel_text schema, ir;
        cupel_text_init(&schema, NULL);
        cupel_text_init(&ir, NULL);
        cupel_text_addf(&schema,
                        "{\"type\":\"object\",\"$defs\":{\"a\":{\"required\":[\"a\"],"
                        "\"properties\":{\"z\":" TO_A "}},"
                        "\"b\":{\"required\":[\"b\"],\"properties\":{\"z\":" TO_B
                        "}}},\"properties\":{"
                        "\"p\":{\"type\":\"object\",%s},\"q\":{\"type\":\"object\",%s}}}",
                        rows[i].one, rows[i].other);
        CHECK_INT(cupel_compile_dump(schema.bytes, schema.len, "dedupe", NULL, &ir, NULL),
                  CUPEL_OK);
        if (!CHECK_INT(count_lines(&ir, "cases"), rows[i].cases))
            fprintf(stderr, "    %s\n    %s\n%s\n", rows[i].one, rows[i].other, ir.bytes);
        check_within(&schema, CUPEL_PASS_CASES, "{\"p\":", "}");
        check_within(&schema, CUPEL_PASS_DEDUPE, "{\"q\":", "}");
        cupel_text_free(&schema);
        cupel_text_free(&ir);
    }
}

/* -- Choices --------------------------------------------------------------------------------------
 */

/* n branches, told apart by the value of a member. */
static void write_branches(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"anyOf\":[");
    repeat(text,
           "{\"properties\":{\"k\":{\"const\":\"t%u\"}},\"required\":[\"k\"],\"maxProperties\":2}",
           0, n);
    cupel_text_adds(text, "]}");
}

/* n branches, each with a name of its own that it requires. */
static void write_names(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"anyOf\":[{\"required\":[\"a\"]},");
    repeat(text, "{\"required\":[\"n%u\"]}", 1, n - 1);
    cupel_text_adds(text, "]}");
}

/* More names promise something than are looked at closely; those that come last promise most. */
static void write_candidates(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"anyOf\":[{\"required\":[\"a\"],\"properties\":{"
                          "\"zz\":{\"const\":1}}},");
    repeat(text, "{\"required\":[\"n%u\"],\"properties\":{\"zz\":{\"const\":%u}}}", 2, n - 1);
    cupel_text_adds(text, "]}");
}

/* Three branches of n schemas, of which the last tells them apart. */
static void write_parts(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"anyOf\":[");
    for (unsigned i = 1; i <= 3; i++) {
        cupel_text_adds(text, i == 1 ? "{\"allOf\":[" : ",{\"allOf\":[");
        for (unsigned part = 2; part < n; part++)
            cupel_text_addf(text, "{\"minProperties\":%u},", part % 3);
        cupel_text_addf(text, "{\"properties\":{\"k\":{\"const\":\"t%u\"}},\"required\":[\"k\"]}]}",
                        i);
    }
    cupel_text_adds(text, "]}");
}

/* n branches that are checks of the value alone, told apart by its type. */
static void write_checks(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text,
                    "{\"anyOf\":[{\"type\":\"object\",\"minProperties\":2},{\"type\":\"null\"},");
    repeat(text, "{\"type\":\"string\",\"maxLength\":%u,\"pattern\":\"a{%u}\"}", 2, n - 2);
    cupel_text_adds(text, "]}");
}

/* As many branches as there may be. */
static void write_most_branches(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"anyOf\":[{\"required\":[\"b\"],\"properties\":{"
                          "\"k\":{\"const\":1}}}");
    for (unsigned i = 1; i < n; i++)
        cupel_text_addf(text, ",{\"properties\":{\"k\":{\"const\":\"t%u\"}},\"required\":[\"k\"]}",
                        i);
    cupel_text_adds(text, "]}");
}

static void check_choice(const char *name, writer *write, unsigned n, int report, const char *part,
                         int count)
{
    struct cupel_options options;
    struct cupel_program *program = NULL;
    struct cupel_text schema, code;
    int found = 0;
    cupel_text_init(&schema, NULL);
    cupel_text_init(&code, NULL);
    write(&schema, n);
    cupel_options_init(&options);
    options.limits[CUPEL_LIMIT_SCHEMA_BYTES] = options.limits[CUPEL_LIMIT_IMAGE_BYTES] = 64 << 20;
    options.limits[CUPEL_LIMIT_COMPILE_BYTES] = SIZE_MAX;
    options.flags |= report ? 0 : CUPEL_NO_REPORT;
    CHECK_INT(cupel_compile(schema.bytes, schema.len, &options, &program, NULL), CUPEL_OK);
    cupel_program_disasm(program, report, &code);
    for (const char *at = code.bytes; (at = strstr(at, part)) != NULL; at++)
        found++;
    if (!CHECK_INT(found, count))
        fprintf(stderr, "    %s %u: %.300s\n", name, n, code.bytes);
    cupel_program_free(program);
    if (n < 1000)
        check_verdicts(&schema, CUPEL_PASS_DISCRIMINATE);
    cupel_text_free(&schema);
    cupel_text_free(&code);
}

static void test_choices(void)
{
    static const struct {
        const char *name;
        writer *write;
        unsigned bound;
        int report;
        const char *part; /* of the code … */
        int at[3];        /* … and how often it is there below the bound, at it and above it */
    } rows[] = {
        {"a bit each", write_branches, 64, 0, "\"t0\"(0) \"t1\"(1)", {1, 1, 0}},
        {"two to a bit", write_branches, 64, 0, "\"t0\"(0 1) \"t1\"(0 1)", {0, 0, 1}},
        {"keys", write_names, 6, 0, "absent(", {5, 6, 6}},
        {"candidates", write_candidates, 12, 0, "{\"zz\" 1(0) 2(1) ", {1, 1, 1}},
        {"parts", write_parts, 8, 1, "CHOOSE", {1, 1, 0}},
        {"checks", write_checks, 16, 0, "EITHER", {1, 1, 0}},
        {"leaves", write_most_branches, 1 << 14, 0, "CHOOSE", {1, 1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned k = rows[i].bound > 1000; k < 3;
             k++) /* large ones only at the bound and above */
            check_choice(rows[i].name, rows[i].write, rows[i].bound - 1 + k, rows[i].report,
                         rows[i].part, rows[i].at[k]);
}

/* -- Names ----------------------------------------------------------------------------------------
 */

/* A pattern in n groups that matches every name. */
static void write_groups(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},"
                          "\"patternProperties\":{\"");
    add(text, "(?:", n);
    add(text, ")", n);
    cupel_text_adds(
        text,
        "\":{\"minimum\":2,\"maxLength\":2}},\"additionalProperties\":{\"type\":\"string\"}}");
}

/* A name of n bytes and one, which is matched by a pattern in as many steps. */
static void write_long_name(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"maxProperties\":2,\"properties\":{\"");
    add(text, "a", n);
    cupel_text_adds(
        text,
        "b\":{\"type\":\"string\"}},\"patternProperties\":{\"^(a|b)*b$\":{\"minLength\":2}}}");
}

/* n names, each of which eight patterns match. */
static void write_growth(struct cupel_text *text, unsigned n)
{
    cupel_text_adds(text, "{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"string\"},");
    repeat(text, "\"k%u\":{\"type\":\"string\"}", 1, n - 1);
    cupel_text_adds(text, "},\"patternProperties\":{");
    for (unsigned i = 0; i < 8; i++) {
        cupel_text_adds(text, i == 0 ? "\"k.?" : ",\"k.?");
        add(text, "(?:)", i);
        cupel_text_addf(text, "\":{\"maxLength\":%u}", 10 - i);
    }
    cupel_text_adds(text, "},\"additionalProperties\":{\"maximum\":1}}");
}

static void check_names(const char *name, writer *write, unsigned n, const char *part,
                        bool is_there)
{
    struct cupel_text schema, ir;
    cupel_text_init(&schema, NULL);
    cupel_text_init(&ir, NULL);
    write(&schema, n);
    CHECK_INT(cupel_compile_dump(schema.bytes, schema.len, "names", NULL, &ir, NULL), CUPEL_OK);
    if (!CHECK_INT(strstr(ir.bytes, part) != NULL, is_there))
        fprintf(stderr, "    %s %u: %s\n", name, n, ir.bytes);
    check_verdicts(&schema, CUPEL_PASS_NAMES);
    cupel_text_free(&schema);
    cupel_text_free(&ir);
}

static void test_names(void)
{
    static const struct {
        const char *name;
        writer *write;
        unsigned bound;
        const char *part; /* of the form between, as far as the bound */
    } rows[] = {
        {"groups", write_groups, 15, "props \"a\":@6, other:@"},
        {"steps", write_long_name, 64, "b\":@5, unlisted 0:@"},
        {"growth", write_growth, 10, "unlisted 7:@"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned k = 0; k < 3; k++)
            check_names(rows[i].name, rows[i].write, rows[i].bound - 1 + k, rows[i].part, k < 2);
}

int main(void)
{
    test_cases();
    test_laborious_cases();
    test_equal_cases();
    test_choices();
    test_names();
    return test_end();
}
