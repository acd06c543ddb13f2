/* test_linear.c: the linear engine against a table, under evil subjects, and without memory. */
#include "base/regex/automata.h"
#include "base/regex/automata_program.h"
#include "test.h"

#define BUDGET INT64_C(1000000000)

struct compiled {
    enum cupel_status status;
    uint32_t *words, n;
};

static struct compiled compile(const struct cupel_alloc *alloc, const char *pattern)
{
    struct compiled c = {.words = NULL};
    int64_t work = CUPEL__MATCHER_WORK;
    struct cupel__arena arena;
    struct cupel__regex re;
    cupel__arena_init(&arena, NULL, 0);
    c.status = cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL);
    if (c.status == CUPEL_OK)
        c.status = cupel__linear_compile(alloc, &re, 0, &work, &c.words, &c.n);
    cupel__arena_free(&arena);
    return c;
}

static void discard(const struct cupel_alloc *alloc, struct compiled *c)
{
    struct cupel_alloc a = cupel__alloc_or_default(alloc);
    cupel__free(&a, c->words, c->n * sizeof *c->words);
}

static int run(const char *pattern, const char *subject, size_t len, int64_t *steps)
{
    struct cupel__linear_scratch scratch;
    struct compiled c = compile(NULL, pattern);
    if (c.status != CUPEL_OK)
        return c.status;
    cupel__linear_scratch_init(&scratch, NULL, SIZE_MAX);
    int rc = cupel__linear_run(c.words, &scratch, subject, len, steps);
    cupel__linear_scratch_free(&scratch);
    discard(NULL, &c);
    return rc;
}

/* -- Verdicts --------------------------------------------------------------------------------- */

static const struct {
    const char *pattern, *subject;
    int match;
} verdicts[] = {
    /* Shapes. */
    {"", "", 1},
    {"a*", "b", 1},
    {"abc", "xxabcx", 1},
    {"abc", "ababab", 0},
    {"aab", "aaab", 1},
    {"^x-", "x-y", 1},
    {"^x-", "y-x-", 0},
    {"json$", "a.json", 1},
    {"json$", "a.jsonl", 0},
    {"^abc$", "abc", 1},
    {"^abc$", "abcd", 0},
    {"^$", "", 1},
    {"^$", "\n", 0},
    {"^(?:asc|desc)$", "desc", 1},
    {"^(asc|desc)$", "des", 0},
    {"^(?:|a)$", "", 1},
    {"^[a-z0-9-]+$", "a-b-9", 1},
    {"^[a-z0-9-]+$", "a_b", 0},
    {"^[a-z0-9-]+$", "", 0},
    {"^.{1,3}$", "\xC3\xA9\xF0\x9F\x90\xB2z", 1},
    {"^.{1,3}$", "abcd", 0},
    {"^.{1,3}$", "a\xE2\x80\xA8", 0}, /* U+2028 */
    {"^.{2}$", "\xE2\x80\xA7\xE2\x80\xAA", 1},
    {".+", "\n\n", 0},
    {".+", "\n\xE2\x80\xAA", 1},
    {"[\\u2028a]", "\xE2\x80\xA7\xE2\x80\xA8", 1},
    {"^\\d{4}-\\d{2}-\\d{2}$", "2024-02-29", 1},
    {"^\\d{4}-\\d{2}-\\d{2}$", "2024-02-2", 0},
    {"^[A-Z]{3}-[0-9]{4,6}$", "ABC-12345", 1},
    {"^[A-Z]{3}-[0-9]{4,6}$", "ABC-1234567", 0},
    {"^[^@]+@[^@]+$", "\xC3\xA9@b", 1},
    {"^[^@]+@[^@]+$", "a@b@c", 0},
    {"^[^@]{1,200}@[^@]{1,200}$", "\xC3\xA9@b", 1},
    {"^[^@]{1,200}@[^@]{1,200}$", "a@b@c", 0},
    {"^\\d{2}[^x]{2,3}", "12\xC3\xA9", 0},
    {"^\\d{2}[^x]{2,3}", "12\xC3\xA9y", 1},
    {"^x-[a-z]{2,3}$", "x-abcd", 0},
    {"^x-[a-z]{2,3}$", "x-ab", 1},
    {"^x-[^a-z]{2,3}$", "x-\xC3\xA9\xC3\xA9\xC3\xA9", 1},
    {"^https?://", "https://x", 1},
    {"^https?://", "http:/x", 0},
    {"^a{0,2}b?a", "a", 1}, /* not forced */
    {"^a*ab", "aaab", 1},
    /* Automata. */
    {"(?:a|b)+c", "xxabac", 1},
    {"(?:a|b)+c", "xxabad", 0},
    {"^(?:a+)+$", "aaaa", 1},
    {"a|^b|c$", "xc", 1},
    {"a|^b|c$", "xbx", 0},
    {"(?:ab){2,3}c", "abc", 0},
    {"(?:ab){2,3}c", "xabababc", 1},
    {"^(?:ab){2,3}$", "abababab", 0},
    {"(?:a?){3}b{0}c", "c", 1},
    {"[^\\s\\S]", "a", 0},
    {"x[^]y", "x\xF0\x9F\x90\xB2y", 1},
    {"x[^a]y", "xay", 0},
    {"[\xC3\xA9\xE4\xB8\xAD-\xE4\xB8\xBF]+z", "\xE4\xB8\xAEz", 1},
    {"[\xC3\xA9\xE4\xB8\xAD-\xE4\xB8\xBF]+z", "\xE4\xB9\x80z", 0},
    {"a[\\u{1F400}-\\u{1F4FF}]$", "a\xF0\x9F\x90\xB2", 1},
    {"a[\\u{1F400}-\\u{1F431}]$", "a\xF0\x9F\x90\xB2", 0},
    {"a[\\uD000-\\uE100]b",
     "a\xEE\x80\x80"
     "b",
     1},
    /* Words. */
    {"\\bcat\\b", "a cat.", 1},
    {"\\bcat\\b", "a cats", 0},
    {"\\bb",
     "\xC3\xA9"
     "b",
     1},
    {"\\Bb", "ab", 1},
    {"^\\b", "", 0},
    {"^\\B", "", 1},
    /* No match begins inside a code point. */
    {"(?<!a)\\B(?!b)",
     "a\xC3\xA9"
     "b",
     0},
    {"(?<=a)\\B|\\B(?=b)",
     "a\xF0\x9F\x90\xB2"
     "b",
     0},
    /* Look-arounds. */
    {"^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{6,}$", "abcD3f", 1},
    {"^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{6,}$", "abcd3f", 0},
    {"^(?!-)[a-z-]+(?<!-)$", "a-b", 1},
    {"^(?!-)[a-z-]+(?<!-)$", "a-", 0},
    {"^(?!-)[a-z-]+(?<!-)$", "-a", 0},
    {"(?<=a+b*)c", "xaabbc", 1},
    {"(?<=a+b*)c", "xbbc", 0},
    {"(?<=^a)b", "ab", 1},
    {"(?<=^a)b", "aab", 0},
    {"a(?=b$)", "ab", 1},
    {"a(?=b$)", "abb", 0},
    {"a(?=b(?!c))", "abcabd", 1},
    {"a(?=b(?!c))", "abcabc", 0},
    {"(?<=(?<!x)a(?=b))b", "xab", 0},
    {"(?<=(?<!x)a(?=b))b", "yab", 1},
    {"(?<=\\bno)t(?!\\w)", "a not", 1},
    {"(?<=\\bno)t(?!\\w)", "a knot", 0},
    {"(?:(?=[ab])\\w){3}c", "abac", 1},
    {"(?:(?=[ab])\\w){3}c", "axac", 0},
    {"(?=)", "", 1},
    {"(?!)", "a", 0},
    {"(?<=\xC3\xA9)\xF0\x9F\x90\xB2(?=\xE4\xB8\xAD)", "\xC3\xA9\xF0\x9F\x90\xB2\xE4\xB8\xAD", 1},
};

static void test_verdicts(void)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        int64_t steps = BUDGET;
        const char *subject = verdicts[i].subject;
        if (!CHECK_INT(run(verdicts[i].pattern, subject, strlen(subject), &steps),
                       verdicts[i].match))
            fprintf(stderr, "    /%s/ on \"%s\"\n", verdicts[i].pattern, subject);
    }
    int64_t steps = BUDGET;
    CHECK_INT(run("a\\0(?:b|c)", "a\0c", 3, &steps), 1);
    CHECK_INT(run("^[^a]$", "\0", 1, &steps), 1);
    CHECK_INT(run("a", NULL, 0, &steps), 0);
    CHECK_INT(run("^(?:a|bc)*$", NULL, 0, &steps), 1);
}

/* -- Shapes and refusals ---------------------------------------------------------------------- */

static uint32_t shape_of(const char *pattern)
{
    struct compiled c = compile(NULL, pattern);
    uint32_t shape = c.status == CUPEL_OK ? c.words[CUPEL__HEAD_SIMPLE] : UINT32_MAX;
    discard(NULL, &c);
    return shape;
}

static void test_shapes(void)
{
    CHECK_INT(shape_of(".*"), CUPEL__SIMPLE_ALWAYS);
    CHECK_INT(shape_of("^x-"), CUPEL__SIMPLE_LITERAL);
    CHECK_INT(shape_of("^(?:a|b|cd)$"), CUPEL__SIMPLE_WORDS);
    CHECK_INT(shape_of("^.{1,64}$"), CUPEL__SIMPLE_FIXED);
    CHECK_INT(shape_of("^[a-z0-9-]+$"), CUPEL__SIMPLE_FIXED);
    CHECK_INT(shape_of("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"),
              CUPEL__SIMPLE_FIXED);
    CHECK_INT(shape_of("^[^@]+@[^@]+$"), CUPEL__SIMPLE_NONE);
    CHECK_INT(shape_of("^[^@]{1,200}@[^@]{1,200}$"), CUPEL__SIMPLE_TEMPLATE);
    CHECK_INT(shape_of("^x-[a-z]{2,}$"), CUPEL__SIMPLE_FIXED);
    CHECK_INT(shape_of("\\S"), CUPEL__SIMPLE_FIND);
    CHECK_INT(shape_of("^a*ab"), CUPEL__SIMPLE_NONE);
    CHECK_INT(shape_of("^a|b$"), CUPEL__SIMPLE_NONE);
}

static enum cupel_status status_of(const char *pattern)
{
    struct compiled c = compile(NULL, pattern);
    discard(NULL, &c);
    return c.status;
}

static void test_refused(void)
{
    CHECK_INT(status_of("(a)\\1"), CUPEL_E_UNSUPPORTED);
    CHECK_INT(status_of("(?:ab){10000}"), CUPEL_E_UNSUPPORTED);
    CHECK_INT(status_of("(?:(?:(?:a{99}b?){99}c?){99}d?){99}"), CUPEL_E_UNSUPPORTED);
    CHECK_INT(status_of("(?:(?:ab){4294967294}|c)"), CUPEL_E_UNSUPPORTED);
    CHECK_INT(status_of("(?:){4294967294}a|b"), CUPEL_OK);
    CHECK_INT(status_of("(?:(?:ab){1000}|c)"), CUPEL_OK);
    char looks[33 * 6 + 1] = "";
    for (int i = 0; i < 33; i++)
        memcpy(looks + 6 * i, "(?=a)|", 7);
    CHECK_INT(status_of(looks), CUPEL_E_UNSUPPORTED);
}

/* So many characters that their alphabet would take long to find, and not quite as many: both are
 * too many. */
static void test_many_characters(void)
{
    enum { MOST = 99994 };
    char *pattern = malloc(MOST + 2);
    for (size_t n = MOST - 1; n <= MOST + 1; n++) {
        memset(pattern, 'x', n);
        pattern[n] = '\0';
        CHECK_INT(status_of(pattern), CUPEL_E_UNSUPPORTED);
    }
    free(pattern);
}

/* -- Work ------------------------------------------------------------------------------------- */

static char subject[128 * 1024];

/* The charge for n bytes of `unit` over and over, with `last` behind them. */
static int64_t charge(const char *pattern, const char *unit, size_t n, char last)
{
    int64_t steps = BUDGET;
    size_t size = strlen(unit);
    for (size_t i = 0; i < n; i++)
        subject[i] = unit[i % size];
    subject[n - 1] = last;
    int rc = run(pattern, subject, n, &steps);
    CHECK(rc == 0 || rc == 1);
    CHECK(BUDGET - steps >= (int64_t)(1 + n / 16));
    return BUDGET - steps;
}

static const struct {
    const char *pattern, *unit;
} evil[] = {
    {"^(a+)+$", "a"},
    {"^(?:a|a)*$", "a"},
    {"^(?:a|aa)+$", "a"},
    {"(?:a*)*b", "a"},
    {"(?=[a-z]*)([a-z]*)[a-z]*[0-9]", "a"},
    {"[a-z]+@[a-z]+$", "a"},
    {"(?:x+x+)+y", "x"},
    {"(?:.*){20}!", "ab"},
    {"a.{12}$", "ab"},
    {"(?:a|b)*a(?:a|b){60}c", "aababb"},
    {"^(?:(?=a*$)a)*b", "a"},
    {"(?<=(?:a|b)*a(?:a|b){9})c", "aabab"},
    {"(?=(?=(?=a*b)a)a)c", "a"},
    {"(?=a)(?=[ab])(?=[ac])(?=[ad])(?=[ae])(?=[af])b", "a"},
    {"ab|\\b(?:\\w+\\s?)*$", "a"},
};

static void test_linear(void)
{
    for (size_t i = 0; i < sizeof evil / sizeof *evil; i++) {
        int64_t once = charge(evil[i].pattern, evil[i].unit, sizeof subject / 2, '!');
        int64_t twice = charge(evil[i].pattern, evil[i].unit, sizeof subject, '!');
        if (!CHECK(twice <= 2 * once + 64))
            fprintf(stderr, "    /%s/: %lld, %lld\n", evil[i].pattern, (long long)once,
                    (long long)twice);
    }
}

static void test_budget(void)
{
    int64_t steps = 3;
    memset(subject, 'a', 1000);
    CHECK_INT(run("^a+$", subject, 1000, &steps), CUPEL_E_LIMIT_STEPS);
    CHECK(steps < 0);
    steps = 200;
    CHECK_INT(run("(?:a|b)*a(?:a|b){60}c", subject, 1000, &steps), CUPEL_E_LIMIT_STEPS);
}

/* -- Memory ----------------------------------------------------------------------------------- */

static const char *const samples[] = {
    "^abc$",
    "^(?:a|b)$",
    "^[a-z]{2,}$",
    "(?:a|b)+c",
    "(?:a|b)*a(?:a|b){60}c",
    "(?<=x(?!y))(?:a|b)*\\b[\\u2028a]",
};

enum { SAMPLES = sizeof samples / sizeof *samples };

/* Compiles and runs with one allocation that fails, for every one. */
static void fail_each(const char *pattern)
{
    for (unsigned long at = 1, more = 1; more; at++) {
        struct test_alloc t = {.fail_at = at};
        struct cupel_alloc alloc = test_allocator(&t);
        struct cupel__linear_scratch scratch;
        int64_t steps = BUDGET;
        cupel__linear_scratch_init(&scratch, &alloc, SIZE_MAX);
        struct compiled c = compile(&alloc, pattern);
        int rc = c.status;
        if (rc == CUPEL_OK)
            rc = cupel__linear_run(c.words, &scratch, subject, 1000, &steps);
        more = t.requests >= at;
        CHECK(more ? rc == CUPEL_E_NO_MEMORY : rc >= 0);
        if (c.status == CUPEL_OK && rc < 0)
            CHECK(cupel__linear_run(c.words, &scratch, subject, 1000, &steps) >= 0);
        cupel__linear_scratch_free(&scratch);
        discard(&alloc, &c);
        CHECK_INT(t.live, 0);
    }
}

static void test_memory(void)
{
    memset(subject, 'a', 1000);
    for (size_t i = 0; i < SAMPLES; i++)
        fail_each(samples[i]);
    struct test_alloc t = {.fail_at = 0};
    struct cupel_alloc alloc = test_allocator(&t);
    struct cupel__linear_scratch scratch;
    int64_t steps = BUDGET;
    struct compiled c = compile(NULL, samples[SAMPLES - 1]);
    cupel__linear_scratch_init(&scratch, &alloc, SIZE_MAX);
    CHECK(cupel__linear_run(c.words, &scratch, subject, 1000, &steps) >= 0);
    unsigned long requests = t.requests;
    CHECK(cupel__linear_run(c.words, &scratch, subject, 1000, &steps) >= 0);
    CHECK(cupel__linear_run(c.words, &scratch, subject, 100, &steps) >= 0);
    CHECK_INT(t.requests, requests);
    cupel__linear_scratch_free(&scratch);
    discard(NULL, &c);
}

int main(void)
{
    test_verdicts();
    test_shapes();
    test_refused();
    test_many_characters();
    test_linear();
    test_budget();
    test_memory();
    return test_end();
}
