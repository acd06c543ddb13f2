/* test_ir.c: the intermediate form: builders and questions.  Its text form is test_ir_text.c's, its
 * laws are test_ir_check.c's; what passes do with it is test_passes.c's. */
#include "ir_bench.h"

static void test_value_types(void)
{
    static const char values[] =
        "[null,true,false,1,1.0,1e2,1.5,9223372036854775808,1e400,0e999,100000000000000000000e-20,"
        "\"a\",\"\\u0061\",[],{},-0.0,9000000000000000001.00000000000000000000,"
        "9300000000000000001.00000000000000000000,0.0000000000000000000000000,1e9999999999999]";
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
                             small,
                             small,
                             big,
                             small,
                             big};
    static const struct cupel__read_options options = {
        .max_depth = 9, .max_number = 99, .max_bytes = 999};
    struct cupel__doc doc;
    cupel__doc_init(&doc, NULL);
    CHECK_INT(cupel__json_read(&doc, values, sizeof values - 1, &options, NULL), CUPEL_OK);
    for (uint32_t i = 0; i < sizeof want / sizeof *want && i + 1 < doc.nnodes; i++) {
        struct ir_value v = {&doc, i + 1};
        if (!CHECK_INT(cupel__ir_value_types(&v), want[i]))
            fprintf(stderr, "    value %u\n", (unsigned)i);
    }
    CHECK_INT(doc.nnodes, 1 + sizeof want / sizeof *want);
    cupel__doc_free(&doc);
}

static void test_kinds(void)
{
    CHECK_STR(cupel__ir_kind_text(IR_TYPE), "type");
    CHECK_STR(cupel__ir_kind_text(IR_IF), "if");
    CHECK_STR(cupel__ir_kind_operands(IR_CONTAINS), "xabs");
    CHECK_INT(cupel__ir_kind_types(IR_UNIQUE), CUPEL__M_ARRAY);
    CHECK_INT(cupel__ir_kind_types(IR_REF), CUPEL__M_ANY);
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
    CHECK_INT(cupel__ir_count_uses(&b.m), CUPEL_OK);
    CHECK_INT(b.m.schemas[0].uses, 3);
    CHECK_INT(b.m.schemas[1].uses, 2);
    CHECK_INT(b.m.schemas[2].uses, 2);
    CHECK_INT(b.m.schemas[3].uses, 0);
    b.m.root = IR_NONE; /* of a module that is being built nothing is used yet */
    CHECK_INT(cupel__ir_count_uses(&b.m), CUPEL_OK);
    for (uint32_t i = 0; i < b.m.nschemas; i++)
        CHECK_INT(b.m.schemas[i].uses, 0);
    stop(&b);
}

static void test_pointer(void)
{
    struct bench b;
    struct cupel_text out;
    cupel_text_init(&out, NULL);
    start(&b, NULL);
    uint32_t root = cupel__ir_add_loc(&b.m, IR_NONE, CUPEL__STR("urn:x"));
    uint32_t loc = cupel__ir_add_loc(&b.m, root, CUPEL__STR("a/b"));
    loc = cupel__ir_add_loc(&b.m, loc, CUPEL__STR("~"));
    loc = cupel__ir_add_loc(&b.m, loc, CUPEL__STR(""));
    cupel__ir_loc_pointer(&b.m, loc, &out);
    CHECK_MEM(out.bytes, out.len, "/a~1b/~0/");
    cupel_text_clear(&out);
    cupel__ir_loc_pointer(&b.m, root, &out);
    CHECK_INT(out.len, 0);
    cupel__ir_loc_pointer(&b.m, IR_NONE, &out); /* of what a pass has made up */
    CHECK_INT(out.len, 0);

    char want[2000]; /* deeper than what is climbed in one go */
    size_t n = 0;
    loc = root;
    for (unsigned i = 0; i < 150; i++) {
        char *token = cupel__arena_alloc(&b.arena, 8);
        int length = snprintf(token, 8, "%u", i);
        loc = cupel__ir_add_loc(&b.m, loc, (struct cupel__str){token, (size_t)length});
        n += (size_t)snprintf(want + n, sizeof want - n, "/%u", i);
    }
    cupel__ir_loc_pointer(&b.m, loc, &out);
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
            CHECK_INT(cupel__ir_add_pattern(&b.m, sources[i], 0, 0, &got, NULL), CUPEL_OK);
            CHECK_INT(got, i);
        }
    }
    static char text[MANY][8];
    unsigned wrong = 0;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            int n = snprintf(text[i], sizeof text[i], "x%u", (unsigned)i);
            struct cupel__str source = {text[i], (size_t)n};
            wrong +=
                cupel__ir_add_pattern(&b.m, source, 0, 0, &got, NULL) != CUPEL_OK || got != N + i;
        }
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(b.m.npatterns, N + MANY);
    struct cupel_error err = {0};
    got = 77;
    CHECK_INT(cupel__ir_add_pattern(&b.m, CUPEL__STR("(a"), 0, 0, &got, &err), CUPEL_E_PATTERN);
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
        CHECK_INT(cupel__ir_sort(&alloc, order, n, compare_words, words), CUPEL_OK);
        bool ok = true;
        for (uint32_t i = 1; i < n; i++) {
            int c = compare_words(words, order[i - 1], order[i]);
            ok &= c < 0 || (c == 0 && order[i - 1] < order[i]);
        }
        CHECK(ok);
    }
}

int main(void)
{
    test_value_types();
    test_kinds();
    test_uses();
    test_pointer();
    test_patterns();
    test_sort();
    return test_end();
}
