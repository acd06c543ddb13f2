/* test_ir.c: the intermediate form: builders, questions, text form and laws.  What passes do with
 * it is test_passes.c. */
#include "test.h"

#include "ir.h"
#include "json.h"
#include <inttypes.h>

struct bench {
    struct cupel__arena arena;
    struct ir_module m;
    struct ir_text text;
};

static void start(struct bench *b, const struct cupel_alloc *alloc)
{
    cupel__arena_init(&b->arena, alloc, 0);
    ir_init(&b->m, &b->arena);
    b->text = (struct ir_text){.alloc = cupel__alloc_or_default(alloc)};
}

static void stop(struct bench *b)
{
    ir_text_free(&b->text);
    cupel__arena_free(&b->arena);
}

static enum cupel_status parse(struct bench *b, const char *text, struct cupel_error *err)
{
    return ir_parse(&b->m, text, strlen(text), &b->text, err);
}

/* -- Text -------------------------------------------------------------------------------------- */

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
    ir_print(&b.m, &out);
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
    ir_print(&b.m, &out);
    CHECK_MEM(out.bytes, out.len, want);
    cupel_text_free(&out);
    stop(&b);
}

static void test_loose_text(void)
{
    check_printed("# a comment\n\n  root  @2\nschema @2 boolean|null \n  const [ 1 , \"a b\" ]",
                  "root @2\nschema @2 null|boolean\n  const [1,\"a b\"]\n");
    /* What the root does not reach is not printed, also where it is a cycle. */
    check_printed("root @0\nschema @0 any\nschema @1 any\nref @2\nschema @2 any\nref @1\n",
                  "root @0\nschema @0 any\n");
}

static void check_refused(const char *text, enum cupel_status status, unsigned line)
{
    struct bench b;
    struct cupel_error err = {0};
    start(&b, NULL);
    if (!CHECK_INT(parse(&b, text, &err), status) || (line != 0 && !CHECK_INT(err.line, line)))
        fprintf(stderr, "    for: %s\n    says: %s\n", text, err.detail);
    stop(&b);
}

static void test_bad_text(void)
{
    static const char *const bad[] = {
        "root @0\nschema @0 any\n  frob",
        "root @0\nschema @0 any\n  const",
        "root @0\nschema @0 any\n  const 1 2",
        "root @0\nschema @0 any\n  length 1",
        "root @0\nschema @0 any\n  length 1 2 3",
        "root @0\nschema @0 any\n  length 5000000000 many",
        "root @0\nschema @0 any\n  required \"a",
        "root @0\nschema @0 any\n  required \"a\" \"a\"",
        "root @0\nschema @0 any\n  props \"a\"",
        "root @0\nschema @0 any\n  props \"a\":@0,",
        "root @0\nschema @0 any\n  props frob:@0",
        "root @0\nschema @0 any\n  ref",
        "root @0\nschema @0 any\n  ref @1",
        "root @0\nschema @0 any\n  ref 0",
        "root @0\nschema @0 any\n  pattern 0",
        "root @0\nschema @0 any\n  fail loc 0",
        "root @0\nschema @0 any\n  const 1]",
        "root @0\nschema @0 any\n  const [1",
        "root @0\nschema @0 any\n  enum 1,2",
        "root @0\nschema @0 frob",
        "root @0\nschema @0",
        "root @0\nschema @0 any\nschema @0 any",
        "root @0\nschema @1 any",
        "root @0\nschema @2000000 any\nschema @0 any",
        "schema @0 any",
        "root @0\nfail\nschema @0 any",
        "root @0\nloc 1 \"a\"\nschema @0 any",
        "root @0\nloc 0 0 \"a\"\nschema @0 any",
        "root @0\npattern 1 \"a\"\nschema @0 any",
        "root @0\npattern 0 \"a\"\npattern 1 \"a\"\nschema @0 any",
        "root @0\npattern 0 \"(\"\nschema @0 any",
        "root @0\nschema @0 any\n  length / 2",
        "root @0\nschema @0 any\n  length 1x 2",
        "root x",
        "root @x",
        "root @0\nschema x any",
        "root @0\nschema @0 any\n  fail loc x",
        "root @0\nschema @0 any\n  const \"a\\",
        "root @0\nschema @0 any\n  any_of @0 x",
        "root @0\nschema @0 any\n  any_of @x",
        "root @0\nschema @0 any\n  props \"a\":x",
        "root @0\nschema @0 any\n  props pattern x:@0",
        "root @0\npattern 0 \"a\"\nschema @0 any\n  props pattern 0 @0",
        "root @0\npattern 0 \"a\"\nschema @0 any\n  props pattern 0:x",
        "root @0\nschema @0 any\n  props other @0",
        "root @0\nschema @0 any\n  props other:x",
        "root @0\nschema @0 any\n  format frob",
        "root @0\nschema @0 any\n  format date-tim",
        "root @0\nschema @0 any\n  format x",
        "root @0\nloc x",
        "root @0\nloc 0 x \"a\"\nschema @0 any",
        "root @0\nloc 0\nschema @0 any",
        "root @0\npattern x \"a\"\nschema @0 any",
        "root @0 1\nschema @0 any",
        "root @0\nschema @0 any\n  ref @1\nschema @2 any",
        "",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bench b;
        start(&b, NULL);
        if (!CHECK(parse(&b, bad[i], NULL) != CUPEL_OK))
            fprintf(stderr, "    for: %s\n", bad[i]);
        stop(&b);
    }
    check_refused("root @0\nschema @0 any\n  fail x", CUPEL_E_SYNTAX, 3);
    check_refused("root @0\nschema @0 any\n\n  const 01", CUPEL_E_SYNTAX, 4);
}

/* -- Asking ------------------------------------------------------------------------------------ */

static void test_value_types(void)
{
    static const char values[] =
        "[null,true,false,1,1.0,1e2,1.5,9223372036854775808,1e400,0e999,100000000000000000000e-20,"
        "\"a\",\"\\u0061\",[],{},-0.0]";
    const uint32_t small = CUPEL__BIT(CUPEL__INT) | CUPEL__BIT(CUPEL__INTREAL);
    const uint32_t big = CUPEL__BIT(CUPEL__BIGINT) | CUPEL__BIT(CUPEL__INTREAL);
    const uint32_t want[] = {CUPEL__M_NULL,
                             CUPEL__BIT(CUPEL__TRUE),
                             CUPEL__BIT(CUPEL__FALSE),
                             small,
                             small,
                             small,
                             CUPEL__BIT(CUPEL__REAL),
                             big,
                             big,
                             small,
                             small,
                             CUPEL__M_STRING,
                             CUPEL__M_STRING,
                             CUPEL__M_ARRAY,
                             CUPEL__M_OBJECT,
                             small};
    static const struct cupel__read_options options = {
        .max_depth = 9, .max_number = 99, .max_bytes = 999};
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    CHECK_INT(cupel__json_read(&doc, values, sizeof values - 1, &options, NULL), CUPEL_OK);
    for (uint32_t i = 0; i < sizeof want / sizeof *want && i + 1 < doc.nnodes; i++) {
        struct ir_value v = {&doc, i + 1};
        if (!CHECK_INT(ir_value_types(&v), want[i]))
            fprintf(stderr, "    value %u\n", (unsigned)i);
    }
    CHECK_INT(doc.nnodes, 1 + sizeof want / sizeof *want);
    cupel__doc_free(&doc);
}

static void test_kinds(void)
{
    CHECK_STR(ir_kind_text(IR_TYPE), "type");
    CHECK_STR(ir_kind_text(IR_IF), "if");
    CHECK_STR(ir_kind_operands(IR_CONTAINS), "xabs");
    CHECK_INT(ir_kind_types(IR_UNIQUE), CUPEL__M_ARRAY);
    CHECK_INT(ir_kind_types(IR_REF), CUPEL__M_ANY);
}

static void test_uses(void)
{
    struct bench b;
    start(&b, NULL);
    CHECK_INT(parse(&b,
                    "root @0\nschema @0 any\n  all @1 @1\n  if @2 - @0\n"
                    "schema @1 any\n  props \"a\":@2, \"b\" required, other:@0\n"
                    "schema @2 any\nschema @3 any\n  ref @2\n",
                    NULL),
              CUPEL_OK);
    CHECK_INT(ir_count_uses(&b.m), CUPEL_OK);
    CHECK_INT(b.m.schemas[0].uses, 3);
    CHECK_INT(b.m.schemas[1].uses, 2);
    CHECK_INT(b.m.schemas[2].uses, 2);
    CHECK_INT(b.m.schemas[3].uses, 0);
    stop(&b);
}

static void test_pointer(void)
{
    struct bench b;
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    start(&b, NULL);
    uint32_t root = ir_add_loc(&b.m, IR_NONE, CUPEL__STR("urn:x"));
    uint32_t loc = ir_add_loc(&b.m, root, CUPEL__STR("a/b"));
    loc = ir_add_loc(&b.m, loc, CUPEL__STR("~"));
    loc = ir_add_loc(&b.m, loc, CUPEL__STR(""));
    ir_loc_pointer(&b.m, loc, &out);
    CHECK_MEM(out.bytes, out.len, "/a~1b/~0/");
    cupel_text_clear(&out);
    ir_loc_pointer(&b.m, root, &out);
    CHECK_INT(out.len, 0);

    char want[2000]; /* deeper than what is climbed in one go */
    size_t n = 0;
    loc = root;
    for (unsigned i = 0; i < 150; i++) {
        char *token = cupel__arena_alloc(&b.arena, 8);
        int length = snprintf(token, 8, "%u", i);
        loc = ir_add_loc(&b.m, loc, (struct cupel__str){token, (size_t)length});
        n += (size_t)snprintf(want + n, sizeof want - n, "/%u", i);
    }
    ir_loc_pointer(&b.m, loc, &out);
    CHECK_MEM(out.bytes, out.len, want);
    cupel_text_free(&out);
    stop(&b);
}

static void test_patterns(void)
{
    static const struct cupel__str sources[] = {
        {"", 0},    {"a", 1},  {"ab", 2},       {"abc", 3}, {"b", 1}, {"a\0b", 3},
        {"a\0", 2}, {"\0", 1}, {"\xc3\xa9", 2}, {"aa", 2},  {"ac", 2}};
    enum { N = sizeof sources / sizeof *sources, MANY = 10000 };
    struct bench b;
    uint32_t got = 0;
    start(&b, NULL);
    b.m.pattern_steps = INT64_MAX;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < N; i++) {
            CHECK_INT(ir_add_pattern(&b.m, sources[i], 0, 0, &got, NULL), CUPEL_OK);
            CHECK_INT(got, i);
        }
    }
    static char text[MANY][8];
    unsigned wrong = 0;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            int n = snprintf(text[i], sizeof text[i], "x%u", (unsigned)i);
            struct cupel__str source = {text[i], (size_t)n};
            wrong += ir_add_pattern(&b.m, source, 0, 0, &got, NULL) != CUPEL_OK || got != N + i;
        }
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(b.m.npatterns, N + MANY);
    struct cupel_error err = {0};
    got = 77;
    CHECK_INT(ir_add_pattern(&b.m, CUPEL__STR("(a"), 0, 0, &got, &err), CUPEL_E_PATTERN);
    CHECK_INT(err.status, CUPEL_E_PATTERN);
    CHECK_INT(got, 77);
    CHECK_INT(b.m.npatterns, N + MANY);
    stop(&b);
}

static int compare_words(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *words = context;
    return (words[a] > words[b]) - (words[a] < words[b]);
}

static void test_sort(void)
{
    enum { N = 300 };
    uint32_t words[N], order[N], state = 1;
    struct cupel_alloc alloc = cupel__alloc_or_default(NULL);
    for (uint32_t n = 0; n < N; n += n < 20 ? 1 : 93) {
        for (uint32_t i = 0; i < n; i++)
            words[i] = (state = state * 1664525 + 1013904223) >> 26;
        CHECK_INT(ir_sort(&alloc, order, n, compare_words, words), CUPEL_OK);
        bool ok = true;
        for (uint32_t i = 1; i < n; i++) {
            int c = compare_words(words, order[i - 1], order[i]);
            ok &= c < 0 || (c == 0 && order[i - 1] < order[i]);
        }
        CHECK(ok);
    }
}

/* -- Laws -------------------------------------------------------------------------------------- */

/* The module of the laws: every kind of operand there is, in @0. */
static const char lawful[] = "root @0\nloc 0 \"x\"\npattern 0 \"a\"\nschema @0 any loc 0\n"
                             "  const 1\n"
                             "  among string \"a\"\n"
                             "  multiple 2\n"
                             "  length 1 2\n"
                             "  pattern 0\n"
                             "  required \"a\" \"b\"\n"
                             "  props \"a\":@0, \"b\" required, pattern 0:@0, other:@0\n"
                             "  dep_schema \"a\" @0\n"
                             "  if @0 @0 -\n"
                             "  unevaluated @0 - @0\n"
                             "  dynamic 1 @0\n"
                             "  scope @0 @0 -\n"
                             "  scope @0 - @0\n";

enum {
    CONST,
    AMONG,
    MULTIPLE,
    LENGTH,
    PATTERN,
    REQUIRED,
    PROPS,
    DEP_SCHEMA,
    IF,
    UNEVALUATED,
    DYNAMIC,
    SCOPE,
    SCOPE_2,
    LAST
};

static struct ir_op *nth(struct bench *b, int n)
{
    struct ir_op *op = b->m.schemas[0].first;
    while (n-- > 0)
        op = op->next;
    return op;
}

/* The n-th way of breaking a law; false if there are fewer. */
static bool break_law(struct bench *b, int n)
{
    struct ir_schema *s = &b->m.schemas[0];
    switch (n) {
    case 0:
        b->m.root = 1;
        return true;
    case 1:
        s->id = 1;
        return true;
    case 2:
        s->types = CUPEL__M_ANY + 1;
        return true;
    case 3:
        s->loc = 1;
        return true;
    case 4:
        s->end = &s->first;
        return true;
    case 5:
        b->m.locs[0].parent = 0;
        return true;
    case 6:
        nth(b, CONST)->nvalues = 0;
        return true;
    case 7:
        nth(b, CONST)->values[0].node = 99;
        return true;
    case 8:
        nth(b, CONST)->loc = 5;
        return true;
    case 9:
        nth(b, CONST)->exclusive = true;
        return true;
    case 10:
        nth(b, CONST)->other = 0;
        return true;
    case 11:
        nth(b, AMONG)->mask = CUPEL__M_NUMBER;
        return true;
    case 12:
        nth(b, AMONG)->mask = UINT32_MAX;
        return true;
    case 13:
        nth(b, MULTIPLE)->values[0] = nth(b, AMONG)->values[0];
        return true;
    case 14:
        nth(b, LENGTH)->a = 3;
        return true;
    case 15:
        nth(b, LENGTH)->nschemas = 1;
        return true;
    case 16:
        nth(b, PATTERN)->pattern = 1;
        return true;
    case 17:
        nth(b, REQUIRED)->names[1].name = nth(b, REQUIRED)->names[0].name;
        return true;
    case 18:
        nth(b, REQUIRED)->names[0].schema = 0;
        return true;
    case 19:
        nth(b, PROPS)->names[0].schema = 9;
        return true;
    case 20:
        nth(b, PROPS)->names[0].schema = IR_NONE;
        return true;
    case 21:
        nth(b, PROPS)->names[1].flags = IR_NAME_UNKNOWN;
        return true;
    case 22:
        nth(b, PROPS)->names[1].schema = 0;
        return true;
    case 23:
        nth(b, PROPS)->matches[0].pattern = 1;
        return true;
    case 24:
        nth(b, PROPS)->other = 1;
        return true;
    case 25:
        nth(b, DEP_SCHEMA)->name.p = NULL;
        return true;
    case 26:
        nth(b, DEP_SCHEMA)->schemas[0] = IR_NONE;
        return true;
    case 27:
        nth(b, IF)->schemas[0] = IR_NONE;
        return true;
    case 28:
        nth(b, IF)->nschemas = 2;
        return true;
    case 29:
        nth(b, IF)->kind = IR_KINDS;
        return true;
    case 30:
        nth(b, UNEVALUATED)->nschemas = 2;
        return true;
    case 31:
        nth(b, UNEVALUATED)->schemas[0] = IR_NONE;
        return true;
    case 32:
        nth(b, UNEVALUATED)->schemas[2] = 1;
        return true;
    case 33:
        nth(b, DYNAMIC)->a = 2;
        return true;
    case 34:
        nth(b, DYNAMIC)->schemas[0] = IR_NONE;
        return true;
    case 35:
        nth(b, SCOPE)->schemas[0] = IR_NONE;
        return true;
    case 36:
        nth(b, SCOPE)->nschemas = 2;
        return true;
    case 37:
        nth(b, SCOPE_2)->nschemas = 2;
        return true;
    case 38:
        nth(b, SCOPE_2)->nschemas = nth(b, SCOPE)->nschemas = 0;
        return true;
    }
    return false;
}

static void test_laws(void)
{
    bool more = true;
    for (int n = 0; more; n++) {
        struct bench b;
        struct cupel_error err = {0};
        start(&b, NULL);
        CHECK_INT(parse(&b, lawful, NULL), CUPEL_OK);
        CHECK(nth(&b, LAST) == NULL);
        more = break_law(&b, n);
        if (more && !CHECK_INT(ir_check(&b.m, &err), CUPEL_E_INTERNAL))
            fprintf(stderr, "    law %d\n", n);
        CHECK(!more || (err.status == CUPEL_E_INTERNAL && err.detail[0] != '\0'));
        stop(&b);
    }
}

/* Many names are checked by sorting them. */
static void test_many_names(void)
{
    struct cupel_text text;
    struct bench b;
    for (int twice = 0; twice < 2; twice++) {
        cupel_text_init(&text, NULL);
        cupel_text_adds(&text, "root @0\nschema @0 any\n  required");
        for (int i = 0; i < 1000; i++)
            cupel_text_addf(&text, " \"n%d\"", i);
        cupel_text_adds(&text, twice != 0 ? " \"n500\"\n" : "\n");
        start(&b, NULL);
        CHECK_INT(ir_parse(&b.m, text.bytes, text.len, &b.text, NULL),
                  twice != 0 ? CUPEL_E_INTERNAL : CUPEL_OK);
        stop(&b);
        cupel_text_free(&text);
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
            status = ir_count_uses(&b.m);
        if (status == CUPEL_OK)
            status = ir_mark_tracked(&b.m);
        if (status == CUPEL_OK) {
            ir_print(&b.m, &out);
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

int main(void)
{
    test_round_trip();
    test_loose_text();
    test_bad_text();
    test_value_types();
    test_kinds();
    test_uses();
    test_pointer();
    test_patterns();
    test_sort();
    test_laws();
    test_many_names();
    test_no_memory();
    return test_end();
}
