/* test_ir_text.c: the text form of the intermediate form, both ways: what is printed, and what is
 * refused for which reason. */
#include "ir_bench.h"

/* One line of every kind, and of every shape its operands have. */
static const char everything[] = "root @0\n"
                                 "loc 0 \"urn:x\"\n"
                                 "loc 1 0 \"properties\"\n"
                                 "loc 2 1 \"a/b~\\\"\"\n"
                                 "pattern 0 \"^a\"\n"
                                 "pattern 1 \"b$\"\n"
                                 "schema @0 any loc 0\n"
                                 "  type null|boolean loc 1\n"
                                 "  type integer|string\n"
                                 "  type none\n"
                                 "  fail\n"
                                 "  const {\"a\":[1,2.50,\"x y\"]}\n"
                                 "  enum null true false 1 \"loc 3\" [] {}\n"
                                 "  enum\n"
                                 "  among number 1 2e3 -5\n"
                                 "  min 1\n"
                                 "  min exclusive 1.5 loc 2\n"
                                 "  max exclusive 1e400\n"
                                 "  multiple 0.01\n"
                                 "  length 1 many\n"
                                 "  length 0 4\n"
                                 "  pattern 1 loc 2\n"
                                 "  items_count 1 2\n"
                                 "  unique\n"
                                 "  prefix @1 @2\n"
                                 "  prefix\n"
                                 "  items 2 @1\n"
                                 "  contains 1 many @1\n"
                                 "  contains exclusive 0 many @1\n"
                                 "  props_count 0 3\n"
                                 "  required \"a\" \"b c\" \"\\u0000\\n\" loc 2\n"
                                 "  required\n"
                                 "  props \"a\":@1, \"b\":@2 required, \"c\" required, pattern "
                                 "0:@3, pattern 1:@1, other:@2 loc 1\n"
                                 "  props \"a\":@1, unlisted 0:@3, unlisted 1:@1, other:@2\n"
                                 "  props other:@2\n"
                                 "  props\n"
                                 "  names @1\n"
                                 "  dep_required \"a\" \"b\" \"c\"\n"
                                 "  dep_schema \"a\" @1\n"
                                 "  ref @0\n"
                                 "  all @1 @2\n"
                                 "  any @1 @2 loc 0\n"
                                 "  one @1\n"
                                 "  not @3\n"
                                 "  if @1 @2 -\n"
                                 "  if @1 - @2\n"
                                 "  unevaluated @1 @2 -\n"
                                 "  unevaluated @1 - @2 loc 1\n"
                                 "  scope @1 - @2\n"
                                 "  dynamic 1 @1 loc 0\n"
                                 "  note string|array {\"a\":1}\n"
                                 "  format date_time\n"
                                 "  host_format \"uu\"\n"
                                 "schema @1 none\n"
                                 "schema @2 null|true|int|intreal|real|plain|array|object "
                                 "tracked\n"
                                 "schema @3 false|number|string|array tracked loc 2\n";

static void test_round_trip(void)
{
    struct bench b;
    struct cupel_error err = {0};
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    start(&b, NULL);
    if (!CHECK_INT(parse(&b, everything, &err), CUPEL_OK))
        fprintf(stderr, "    %u: %s\n", (unsigned)err.line, err.detail);
    cupel__ir_print(&b.m, &out);
    CHECK(!out.failed);
    CHECK_MEM(out.bytes, out.len, everything);
    cupel_text_free(&out);
    stop(&b);
}

static void check_printed(const char *text, const char *want)
{
    struct bench b;
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    start(&b, NULL);
    CHECK_INT(parse(&b, text, NULL), CUPEL_OK);
    cupel__ir_print(&b.m, &out);
    CHECK_MEM(out.bytes, out.len, want);
    cupel_text_free(&out);
    stop(&b);
}

static void test_loose_text(void)
{
    check_printed("# a comment\n\n  root  @2\nschema @2 boolean|null \n  const [ 1 , \"a b\" ]",
                  "root @2\nschema @2 null|boolean\n  const [1,\"a b\"]\n");
    check_printed("root @0\r\nschema\t@0 any\r\n\tenum 1\t{ \"a\" :\t[ 1,\r2 ] }\n  any @0\t@0\n",
                  "root @0\nschema @0 any\n  enum 1 {\"a\":[1,2]}\n  any @0 @0\n");
    check_printed("root @0\nloc 0 \"x\"\nschema @0 int|bigint loc 0\n  props loc 0\n",
                  "root @0\nloc 0 \"x\"\nschema @0 int|bigint loc 0\n  props loc 0\n");
    /* What the root does not reach is not printed, also where it is a cycle. */
    check_printed("root @0\nschema @0 any\nschema @1 any\nref @2\nschema @2 any\nref @1\n",
                  "root @0\nschema @0 any\n");
}

struct refusal {
    const char *text;
    unsigned line;
    const char *says; /* part of it */
};

#define AT_OP "root @0\npattern 0 \"a\"\nschema @0 any\n"

/* -- Lines
 * ------------------------------------------------------------------------------------------ */

static const struct refusal lines[] = {
    {"", 1, "the root is not there"},
    {"schema @0 any", 1, "the root is not there"},
    {"root @0\nschema @1 any", 2, "the root is not there"},
    {"root x", 1, "expected a schema"},
    {"root @x", 1, "expected a number"},
    {"root @", 1, "expected a number"},
    {"root @0x", 1, "expected a number"},
    {"root @0@", 1, "expected a number"},
    {"root @4294967296", 1, "the number is too large"},
    {"root @0 1\nschema @0 any", 1, "the line should end here"},
    {"root @0\nfail\nschema @0 any", 2, "an operation has to stand below its schema"},
    {"root @0\nschema @0", 2, "expected a type"},
    {"root @0\nschema @0 frob", 2, "expected a type"},
    {"root @0\nschema @0 null|", 2, "expected a type"},
    {"root @0\nschema x any", 2, "expected a schema"},
    {"root @0\nschema @0 any\nschema @0 any", 3, "the schema is there twice"},
    {"root @0\nschema @1048576 any\nschema @0 any", 2, "the schema's number is too large"},
    {"root @0\nschema @0 any loc 0", 0, "its location is not there"},
    {"root @0\nloc x", 2, "expected a number"},
    {"root @0\nloc 0\nschema @0 any", 2, "expected a string"},
    {"root @0\nloc 0 x \"a\"\nschema @0 any", 2, "expected a number"},
    {"root @0\nloc 1 \"a\"\nschema @0 any", 2, "locations are numbered from 0, parents first"},
    {"root @0\nloc 0 0 \"a\"\nschema @0 any", 2, "locations are numbered from 0, parents first"},
    {"root @0\npattern x \"a\"\nschema @0 any", 2, "expected a number"},
    {"root @0\npattern 0 \"(\"\nschema @0 any", 2, "the pattern is not a regular expression"},
    {"root @0\npattern 1 \"a\"\nschema @0 any", 2, "patterns are numbered from 0 and different"},
    {"root @0\npattern 0 \"a\"\npattern 1 \"a\"\nschema @0 any", 3,
     "patterns are numbered from 0 and different"},
};

/* -- Operations
 * ------------------------------------------------------------------------------------- */

static const struct refusal operations[] = {
    {AT_OP "  frob", 4, "no operation has this name"},
    {AT_OP "  fail x", 4, "the line should end here"},
    {AT_OP "  fail loc x", 4, "expected a number"},
    {AT_OP "  fail loc 0", 0, "its location is not there"},
    {AT_OP "  const", 0, "it has not one value"},
    {AT_OP "  const 1 2", 0, "it has not one value"},
    {AT_OP "  const 1]", 4, "the value is not JSON"},
    {AT_OP "  const [1", 4, "the value is not JSON"},
    {AT_OP "  const \"a\\", 4, "the value is not JSON"},
    {AT_OP "\n  const 01", 5, "the value is not JSON"},
    {AT_OP "  enum 1,2", 4, "the value is not JSON"},
    {AT_OP "  enum 1:2", 4, "the value is not JSON"},
    {AT_OP "  length 1", 4, "expected a number"},
    {AT_OP "  length / 2", 4, "expected a number"},
    {AT_OP "  length 1x 2", 4, "expected a number"},
    {AT_OP "  length 1 2 3", 4, "the line should end here"},
    {AT_OP "  length 5000000000 many", 4, "the number is too large"},
    {AT_OP "  required \"a", 4, "the string has no end"},
    {AT_OP "  required \"a\\", 4, "the string has no end"},
    {AT_OP "  required \"", 4, "expected a string"},
    {AT_OP "  required \"\\x\"", 4, "the value is not JSON"},
    {AT_OP "  required \"a\" \"a\"", 0, "a name is there twice"},
    {AT_OP "  dep_schema @0", 4, "expected a string"},
    {AT_OP "  props \"a\"", 0, "a name is neither a property nor required alone"},
    {AT_OP "  props \"a\":x", 4, "expected a schema"},
    {AT_OP "  props \"a\":@0,", 4, "expected a string"},
    {AT_OP "  props frob:@0", 4, "expected a string"},
    {AT_OP "  props pattern x:@0", 4, "expected a number"},
    {AT_OP "  props pattern 0 @0", 4, "expected a colon"},
    {AT_OP "  props pattern 0:x", 4, "expected a schema"},
    {AT_OP "  props pattern 0:@7", 4, "a schema is referred to and not there"},
    {AT_OP "  props unlisted 1:@0", 0, "its pattern is not there"},
    {AT_OP "  props other @0", 4, "expected a colon"},
    {AT_OP "  props other:x", 4, "expected a schema"},
    {AT_OP "  ref", 0, "it has not one schema"},
    {AT_OP "  ref 0", 4, "the line should end here"},
    {AT_OP "  ref @1", 4, "a schema is referred to and not there"},
    {AT_OP "  ref @1\nschema @2 any", 5, "a schema is referred to and not there"},
    {AT_OP "  any @x", 4, "expected a number"},
    {AT_OP "  any @0 x", 4, "the line should end here"},
    {AT_OP "  any @0@0", 4, "expected a number"},
    {AT_OP "  any ---", 4,
     "the line should end here"}, /* more than what separates them has made room for */
    {AT_OP "  required \"a\"\"b\"\"c\"", 4, "the line should end here"},
    {AT_OP "  pattern 1", 0, "its pattern is not there"},
    {AT_OP "  format frob", 4, "no format has this name"},
    {AT_OP "  format date-tim", 4, "the line should end here"},
    {AT_OP "  format date-time", 4, "the line should end here"},
    {AT_OP "  format", 4, "no format has this name"},
};

static void check_refused(const struct refusal *refusals, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct bench b;
        struct cupel_error err = {.status = CUPEL_OK};
        start(&b, NULL);
        enum cupel_status status = parse(&b, refusals[i].text, &err);
        bool ok = CHECK(status != CUPEL_OK) && CHECK_INT(err.status, status);
        ok &= CHECK(strstr(err.detail, refusals[i].says) != NULL);
        ok &= CHECK_INT(err.line, refusals[i].line);
        if (!ok)
            fprintf(stderr, "    for: %s\n    says: %s\n", refusals[i].text, err.detail);
        stop(&b);
    }
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* Parsing, counting and printing with the allocator failing for good at every request. */
static void test_no_memory(void)
{
    struct test_alloc counter = {0};
    bool done = false;
    for (unsigned long n = 1; !done && n < 10000; n++) {
        counter = (struct test_alloc){.fail_at = n, .for_ever = true};
        struct cupel_alloc alloc = test_allocator(&counter);
        struct bench b;
        struct cupel_text out;
        start(&b, &alloc);
        cupel_text_init(&out, &alloc);
        enum cupel_status status = parse(&b, everything, NULL);
        if (status == CUPEL_OK)
            status = cupel__ir_count_uses(&b.m);
        if (status == CUPEL_OK)
            status = cupel__ir_mark_tracked(&b.m);
        if (status == CUPEL_OK) {
            cupel__ir_print(&b.m, &out);
            status = out.failed ? CUPEL_E_NO_MEMORY : CUPEL_OK;
        }
        done = counter.requests < n;
        if (!CHECK_INT(status, done ? CUPEL_OK : CUPEL_E_NO_MEMORY))
            fprintf(stderr, "    request %lu\n", n);
        cupel_text_free(&out);
        stop(&b);
        CHECK_INT(counter.live, 0);
    }
    CHECK(done);
}

/* A module that was not built has nothing to print. */
static void test_empty(void)
{
    struct bench b;
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    start(&b, NULL);
    cupel__ir_print(&b.m, &out);
    CHECK(!out.failed && out.len == 0);
    cupel_text_free(&out);
    stop(&b);
}

/* A text that finds no memory for what it marks of a large module is empty, and says that it
 * failed. */
static void test_large_module(void)
{
    struct bench b;
    struct cupel_text out;
    struct test_alloc counter = {.fail_at = 1, .for_ever = true};
    struct cupel_alloc alloc = test_allocator(&counter);
    cupel_text_init(&out, &alloc);
    start(&b, NULL);
    CHECK_INT(parse(&b, "root @0\nschema @0 any\nschema @5000 any\n", NULL), CUPEL_OK);
    cupel__ir_print(&b.m, &out);
    CHECK(out.failed && out.len == 0);
    cupel_text_free(&out);
    stop(&b);
}

int main(void)
{
    test_round_trip();
    test_loose_text();
    test_empty();
    check_refused(lines, sizeof lines / sizeof *lines);
    check_refused(operations, sizeof operations / sizeof *operations);
    test_no_memory();
    test_large_module();
    return test_end();
}
