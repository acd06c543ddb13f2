/* test_unique.c: base/json/unique.c: equality and uniqueness of JSON values, and what they cost. */
#include "base/json/equal.h"
#include "test.h"

static const uint64_t key[2] = {0x0123456789abcdef, 0xfedcba9876543210};
static const struct cupel__read_options options = {
    .max_depth = 2000, .max_number = 2000, .max_bytes = (size_t)1 << 30};

enum { PLENTY = 1 << 30 };

static void read_text(struct cupel__doc *doc, const char *text, size_t n)
{
    struct cupel_error err;
    cupel__doc_init(doc, NULL);
    if (!CHECK_INT(cupel__json_read(doc, text, n, &options, &err), CUPEL_OK))
        exit(1);
}

static int equal_with(const char *a, const char *b, int64_t steps)
{
    struct cupel__doc x, y;
    struct cupel__budget budget = {.remaining = steps};
    read_text(&x, a, strlen(a));
    read_text(&y, b, strlen(b));
    int equal = cupel__json_equal(&x, 0, &y, 0, &budget);
    cupel__doc_free(&x);
    cupel__doc_free(&y);
    return equal;
}

static void check_equal(const char *a, const char *b, int want)
{
    if (!CHECK_INT(equal_with(a, b, PLENTY), want) || !CHECK_INT(equal_with(b, a, PLENTY), want))
        fprintf(stderr, "    %.200s, %.200s\n", a, b);
}

static const char *const different[] = {"null",
                                        "false",
                                        "true",
                                        "0",
                                        "1",
                                        "1.5",
                                        "-1",
                                        "\"\"",
                                        "\"1\"",
                                        "\"a\"",
                                        "\"A\"",
                                        "[]",
                                        "{}",
                                        "[1]",
                                        "[1,2]",
                                        "[2,1]",
                                        "[[1],2]",
                                        "[[1,2]]",
                                        "{\"a\":1}",
                                        "{\"a\":2}",
                                        "{\"b\":1}",
                                        "{\"a\":1,\"b\":2}",
                                        "{\"a\":2,\"b\":1}",
                                        "{\"a\":{\"b\":1}}",
                                        "[{}]",
                                        "[[]]",
                                        "{\"a\":[]}",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "1e400",
                                        "1e401",
                                        "-1e400",
                                        "1e-400",
                                        "12345678901234567890123",
                                        "12345678901234567890124",
                                        "\"\\u0000\"",
                                        "\"\\u0000\\u0000\"",
                                        "0.1",
                                        "0.10000000000000000000000001",
                                        "9223372036854775807",
                                        "9223372036854775808"};

static const char *const alike[][2] = {
    {"1", "1.0"},
    {"1", "10e-1"},
    {"0", "-0.0"},
    {"1000000000000000000000", "1e21"},
    {"1e400", "10e399"},
    {"1e-400", "0.1e-399"},
    {"1.50", "15e-1"},
    {"12345678901234567890123", "12345678901234567890123.00"},
    {"\"a\"", "\"\\u0061\""},
    {"\"\\n\"", "\"\\u000a\""},
    {"[1,[2.0,{}]]", "[1.0,[2,{}]]"},
    {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"},
    {"{\"a\":1,\"b\":2}", "{\"\\u0062\":2.0,\"\\u0061\":1}"},
    {"{\"a\":{\"x\":[1,{\"p\":1,\"q\":2}],\"y\":2},\"b\":[3]}",
     "{\"b\":[3],\"a\":{\"y\":2,\"x\":[1,{\"q\":2,\"p\":1}]}}"},
    {"[{\"a\":1,\"b\":{}},{\"c\":[],\"d\":4},5]", "[{\"b\":{},\"a\":1},{\"d\":4,\"c\":[]},5]"},
};

enum { NDIFFERENT = sizeof different / sizeof *different, NALIKE = sizeof alike / sizeof *alike };

static void test_equal(void)
{
    for (size_t i = 0; i < NDIFFERENT; i++) {
        for (size_t j = i; j < NDIFFERENT; j++)
            check_equal(different[i], different[j], i == j);
    }
    for (size_t i = 0; i < NALIKE; i++)
        check_equal(alike[i][0], alike[i][1], 1);
    check_equal("{\"a\":1,\"b\":2}", "{\"b\":2,\"c\":1}", 0);
    check_equal("{\"a\":[1,2],\"b\":2}", "{\"b\":2,\"a\":[1,3]}", 0);
    check_equal("{\"a\":{\"b\":1,\"c\":2},\"d\":3}", "{\"d\":4,\"a\":{\"c\":2,\"b\":1}}", 0);
    check_equal("[{\"a\":1,\"b\":2},3]", "[{\"b\":2,\"a\":1},4]", 0);
}

/* Every budget short of what the comparison needs leaves it undecided, and never gives the
 * opposite. */
static void test_equal_budget(void)
{
    for (size_t i = 0; i < NALIKE; i++) {
        int64_t budget = 0;
        while (equal_with(alike[i][0], alike[i][1], budget) == -1)
            budget++;
        CHECK(budget > 0 && budget < 100);
        CHECK_INT(equal_with(alike[i][0], alike[i][1], budget), 1);
    }
    char number[1001], longer[1001]; /* length is charged */
    memset(number, '3', 1000);
    number[1000] = '\0';
    CHECK_INT(equal_with(number, number, 900), -1);
    CHECK_INT(equal_with(number, number, 1100), 1);
    snprintf(longer, sizeof longer, "\"%.990s\"", number);
    CHECK_INT(equal_with(longer, longer, 25), -1);
    CHECK_INT(equal_with(longer, longer, 50), 1);
}

/* A text that is put together piece by piece. */
static struct cupel_text text;

/* What is said of the text, which stays. */
static int unique_text_by(int64_t steps, bool fingerprints)
{
    struct cupel__doc doc;
    struct cupel__budget budget = {.remaining = steps};
    read_text(&doc, text.bytes, text.len);
    size_t n = 2;
    while (n < 2 * (size_t)doc.nodes[0].count)
        n *= 2;
    uint64_t *table = malloc(n * sizeof *table);
    memset(table, 0xff, n * sizeof *table); /* it need not come cleared */
    const struct cupel__unique unique = {&doc, key, &budget, fingerprints};
    int got = cupel__json_unique(&unique, 0, table, n);
    free(table);
    cupel__doc_free(&doc);
    return got;
}

static int unique_text(int64_t steps)
{
    return unique_text_by(steps, true);
}

static void check_unique_text(int64_t budget, int want)
{
    if (!CHECK_INT(unique_text(budget), want) || !CHECK_INT(unique_text_by(budget, false), want))
        fprintf(stderr, "    %.*s\n", (int)(text.len < 300 ? text.len : 300), text.bytes);
    cupel_text_free(&text);
}

static void add_filler(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        cupel_text_addf(&text, "\"filler %u\",", i);
}

static void test_unique_small(void)
{
    cupel_text_adds(&text, "[]");
    check_unique_text(PLENTY, 1);
    cupel_text_adds(&text, "[null]");
    check_unique_text(PLENTY, 1);
    for (unsigned filler = 0; filler < 32; filler += 15) { /* in pairs, and hashed */
        for (size_t i = 0; i < NALIKE; i++) {
            cupel_text_adds(&text, "[");
            add_filler(filler);
            cupel_text_addf(&text, "%s,7,%s]", alike[i][0], alike[i][1]);
            check_unique_text(PLENTY, 0);
        }
    }
    cupel_text_adds(&text, "[");
    for (size_t i = 0; i < NDIFFERENT; i++)
        cupel_text_addf(&text, "%s%s", i > 0 ? "," : "", different[i]);
    cupel_text_adds(&text, "]");
    check_unique_text(PLENTY, 1);
    for (size_t i = 0; i < NDIFFERENT; i++) {
        cupel_text_addf(&text, "[%s,%s", different[i], different[(i + 1) % NDIFFERENT]);
        for (size_t j = 0; j < 40; j++)
            cupel_text_addf(&text, ",{\"n\":%zu}", j);
        cupel_text_addf(&text, ",%s]", different[i]);
        check_unique_text(PLENTY, 0);
    }
}

/* A large object whose members begin with the `first`-th, and whose last member has the given
 * value. */
static void add_object(unsigned members, unsigned first, unsigned last_value)
{
    cupel_text_adds(&text, "{");
    for (unsigned i = 0; i < members; i++) {
        unsigned name = (i * 7 + first) % members;
        cupel_text_addf(&text, "%s\"name %u\":%u", i > 0 ? "," : "", name,
                        name == members - 1 ? last_value : name);
    }
    cupel_text_adds(&text, "}");
}

/* Large inputs of the kinds that are slow if done in pairs.  The budget is a small multiple of the
 * text, so these fail if the time grows faster. */
static void test_unique_large(void)
{
    cupel_text_adds(&text, "[0");
    for (unsigned i = 1; i < 50000; i++)
        cupel_text_addf(&text, ",%u", i);
    cupel_text_adds(&text, "]");
    check_unique_text(1000000, 1);

    cupel_text_adds(&text, "[\"\"");
    for (unsigned i = 1; i < 20000; i++)
        cupel_text_addf(&text, ",\"the same length and the same beginning: %08u\"", i);
    cupel_text_adds(&text, ",\"the same length and the same beginning: \\u00301000000\"]");
    check_unique_text(1000000, 1);

    for (unsigned items = 10; items <= 100; items += 90) {
        for (unsigned equal = 0; equal < 2; equal++) {
            cupel_text_adds(&text, "[");
            for (unsigned i = 0; i < items; i++) {
                cupel_text_adds(&text, i > 0 ? "," : "");
                add_object(1000, i, i == items - 1 && equal ? 3 : i);
            }
            cupel_text_adds(&text, "]");
            check_unique_text(items * 2000 * 12 + (equal ? 1000000 : 0), !equal);
        }
    }
}

/* Items that differ in one respect only.  If the hash overlooked it, all would share a slot and the
 * budget would not do. */
static void test_unique_hash(void)
{
    static const char *const formats[] = {
        "{\"name %u\":1}",           "[%u]",     "%u00000000000000000000000000000007",
        "-7.00000000000000%ue-80",   "1e%u",     "\"%08u and the same end\"",
        "{\"a\":1,\"\":{\"a\":%u}}", "1e-4%05u", "\"the same beginning %08u\""};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        cupel_text_adds(&text, "[0");
        for (unsigned i = 1; i < 3000; i++) {
            cupel_text_adds(&text, ",");
            cupel_text_addf(&text, formats[f], i * 10 + 1);
        }
        cupel_text_adds(&text, "]");
        check_unique_text(200000, 1);
    }
    cupel_text_adds(&text, "[0"); /* the same items at different places */
    for (unsigned i = 0; i < 200; i++) {
        cupel_text_adds(&text, ",[null");
        for (unsigned j = 0; j < 200; j++)
            cupel_text_adds(&text, i == j ? ",1" : ",0");
        cupel_text_adds(&text, "]");
    }
    cupel_text_adds(&text, "]");
    check_unique_text(400000, 1);
}

static void test_unique_budget(void)
{
    for (int64_t budget = -1; budget < 12; budget++) {
        cupel_text_adds(&text, "[1,2,3,4]");
        check_unique_text(budget, budget < 6 ? -1 : 1);
    }
    for (int64_t budget = 0; budget < 100; budget += 10) {
        cupel_text_adds(&text, "[");
        add_filler(100);
        cupel_text_adds(&text, "0]");
        check_unique_text(budget, -1);
    }
}

/* Each budget that is not enough, for strings, names and numbers too long for one step. */
static void test_each_budget(void)
{
    static const char *const texts[] = {
        "[{\"a name that is longer than the thirty-two bytes of a step\":\"and its value, some "
        "words\"},{\"a name that is longer than the thirty-two bytes of a step\":\"and its value, "
        "some wordz\"},",
        "[123456789012345678901234567890123456789012345678901234567890.5,[[1,{\"a\":[]}]],",
        "[[1,{\"a\":[1,2]}],[1,{\"a\":[1,3]}],",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (int few = 0; few < 2; few++) {
            int got = -1;
            for (int64_t budget = 0; got == -1 && CHECK(budget < 2000); budget++) {
                cupel_text_adds(&text, texts[i]);
                if (!few)
                    add_filler(40);
                cupel_text_adds(&text, "0]");
                got = unique_text(budget);
                cupel_text_clear(&text);
            }
            CHECK_INT(got, 1);
        }
    }
}

/* Puts an array of integers into the text that all fall into one slot of the table, with a key or,
 * without one, by their fingerprints.  Returns their number. */
static unsigned put_colliding(const uint64_t *with)
{
    enum { ITEMS = 300, TRIED = 300000, MASK = 1023 };
    struct cupel__doc numbers;
    unsigned found = 0;
    uint64_t slot = 0, hash;
    cupel_text_adds(&text, "[0");
    for (unsigned i = 1; i < TRIED; i++)
        cupel_text_addf(&text, ",%u", i);
    cupel_text_adds(&text, "]");
    read_text(&numbers, text.bytes, text.len);
    cupel_text_clear(&text);
    cupel_text_adds(&text, "[");
    for (unsigned i = 0; i < TRIED && found < ITEMS; i++) {
        struct cupel__budget budget = {.remaining = PLENTY};
        CHECK(cupel__json_hash(&numbers, i + 1, with, &budget, &hash));
        if (i == 0)
            slot = hash & MASK;
        if ((hash & MASK) == slot)
            cupel_text_addf(&text, found++ > 0 ? ",%u" : "%u", i);
    }
    cupel_text_adds(&text, "]");
    cupel__doc_free(&numbers);
    CHECK(found > 200);
    return found;
}

/* The least budget with which the text is decided, to a few hundred steps. */
static int64_t least_budget(bool fingerprints)
{
    int64_t budget = 0;
    while (unique_text_by(budget, fingerprints) == -1 && CHECK(budget < 1000000))
        budget += 100;
    return budget;
}

/* Whoever found integers with colliding fingerprints gets the right answer, from keyed hashes, in
 * little more than the steps of these. */
static void test_colliding_fingerprints(void)
{
    put_colliding(NULL);
    CHECK_INT(unique_text(PLENTY), 1);
    int64_t keyed = least_budget(false), both = least_budget(true);
    CHECK(both > keyed + 200 && both < 2 * keyed);
    text.len--;
    cupel_text_adds(&text, ",\"other\"");
    cupel_text_adds(&text, ",\"other\"]");
    check_unique_text(PLENTY, 0);
}

/* Whoever knew the key could find items that all fall into one slot.  They are told apart in steps
 * that are charged. */
static void test_one_slot(void)
{
    const unsigned found = put_colliding(key);
    int64_t budget = 0, least = 0;
    for (int got = -1; got == -1 && CHECK(budget < 1000000); budget += 499) {
        got = unique_text_by(budget, false);
        CHECK(got == -1 || got == 1);
        least = budget;
    }
    CHECK(least > (int64_t)found * found / 8);
    cupel_text_free(&text);
}

/* The table may have come with too little room. */
static void test_small_table(void)
{
    static const char many[] =
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,"
        "28,29,30,31,32,33,34,35,36,37,38,39,40]";
    struct cupel__doc doc;
    uint64_t table[128];
    read_text(&doc, many, sizeof many - 1);
    struct cupel__budget budget = {.remaining = PLENTY};
    const struct cupel__unique unique = {&doc, key, &budget, true};
    CHECK_INT(cupel__json_unique(&unique, 0, table, 16), -1);
    CHECK_INT(budget.why, CUPEL_E_LIMIT_MEMORY);
    budget = (struct cupel__budget){.remaining = PLENTY};
    CHECK_INT(cupel__json_unique(&unique, 0, table, 128), 1);
    cupel__doc_free(&doc);
}

static void add_nested(unsigned depth, const char *open, const char *inner, const char *close)
{
    for (unsigned i = 0; i < depth; i++)
        cupel_text_adds(&text, open);
    cupel_text_adds(&text, inner);
    for (unsigned i = 0; i < depth; i++)
        cupel_text_adds(&text, close);
}

/* Whether the two items are unequal, the levels between root and difference being `depth`. */
static void check_deep(unsigned depth, const char *open, const char *a, const char *b,
                       const char *close, int want)
{
    cupel_text_adds(&text, "[");
    add_nested(depth, open, a, close);
    cupel_text_adds(&text, ",");
    add_nested(depth, open, b, close);
    cupel_text_adds(&text, "]");
    check_unique_text(PLENTY, want);
}

static void test_deep(void)
{
    static const char ab[] = "{\"a\":1,\"b\":2}", ba[] = "{\"b\":2,\"a\":1}";
    for (unsigned depth = 1; depth < 1000; depth += 83) {
        check_deep(depth, "[", "1", "2", "]", 1);
        check_deep(depth, "[", "1", "1.0", "]", 0);
        check_deep(depth, "{\"k\":", "1", "2", "}", 1);
        check_deep(depth, "{\"k\":", "1", "1.0", "}", 0);
        check_deep(depth, "[", ab, ba, "]", 0);
        check_deep(depth, "{\"k\":[", ab, ba, "]}", depth < 256 ? 0 : -1);
    }
}

int main(void)
{
    cupel_text_init(&text, NULL);
    test_equal();
    test_equal_budget();
    test_unique_small();
    test_unique_large();
    test_unique_hash();
    test_unique_budget();
    test_each_budget();
    test_colliding_fingerprints();
    test_one_slot();
    test_small_table();
    test_deep();
    return test_end();
}
