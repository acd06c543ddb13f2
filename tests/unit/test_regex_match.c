/* test_regex_match.c: what decides how a pattern is matched, at its bounds; and every engine with
 * each budget and each allocation that is not enough.
 *
 * All ways must give one verdict (regex_check.h).  What patterns mean is for test_regex.c. */
#include "regex_check.h"
#include <cupel/debug.h>
#include <limits.h>

/* -- Bounds of the engines --------------------------------------------------------------------- */

/* `n` times `each` between two texts; `%` in `each` is a letter that is another one each time. */
struct repeated {
    const char *before, *each, *after;
    unsigned n;
};

enum { ROOM = 1 << 17 };

static void add(char *text, size_t *at, const char *part)
{
    size_t len = strlen(part);
    if (CHECK(*at + len < ROOM))
        memcpy(text + *at, part, len + 1);
    *at += len;
}

/* A letter for each number: three bytes of UTF-8, from U+4E00 on. */
static void add_letter(char *text, size_t *at, unsigned i)
{
    unsigned cp = 0x4E00 + i;
    char bytes[] = {(char)(0xE0 | cp >> 12), (char)(0x80 | (cp >> 6 & 63)),
                    (char)(0x80 | (cp & 63)), '\0'};
    add(text, at, bytes);
}

static const char *build(char *text, const struct repeated *r)
{
    size_t at = 0;
    add(text, &at, r->before);
    for (unsigned i = 0; i < r->n; i++) {
        for (const char *p = r->each; *p != '\0'; p++) {
            if (*p == '%')
                add_letter(text, &at, i);
            else
                add(text, &at, (const char[]){*p, '\0'});
        }
    }
    add(text, &at, r->after);
    return text;
}

static const struct {
    struct repeated pattern, subject;
    int match;
} bounds[] = {
    /* Items of a row; groups around one; words of a choice; bytes of a literal. */
    {{"^", "[ab]c?", "$", 128}, {"", "ac", "", 128}, 1},
    {{"^", "[ab]c?", "$", 129}, {"", "ac", "", 129}, 1},
    {{"^", "[ab]c?", "$", 129}, {"", "ac", "", 130}, 0},
    {{"^", "(?:", "[ab]))))))))))))))))$", 16}, {"b", "", "", 0}, 1},
    {{"", "(?:", "^b))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))", 66},
     {"b", "", "", 0},
     1},
    {{"", "(?:", "^b))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))", 66},
     {"ab", "", "", 0},
     0},
    {{"^(?:", "%|", "z)$", 511}, {"z", "", "", 0}, 1},
    {{"^(?:", "%|", "z)$", 512}, {"z", "", "", 0}, 1},
    {{"^(?:", "%|", "z)$", 512}, {"zz", "", "", 0}, 0},
    {{"^", "a", "", 40}, {"", "a", "b", 40}, 1},
    {{"", "a", "$", 40}, {"b", "a", "", 40}, 1},
    {{"", "a", "$", 40}, {"b", "a", "c", 40}, 0},
    {{"", "a", "", 40}, {"b", "a", "c", 40}, 1},
    {{"", "a", "", 40}, {"b", "a", "c", 39}, 0},
    /* Code points of a fixed row. */
    {{"^[ab]{200}c$", "", "", 0}, {"", "ab", "c", 100}, 1},
    {{"^[ab]{100}[ab]{100}[ab]{100}c$", "", "", 0}, {"", "ab", "c", 150}, 1},
    {{"^[ab]{100}[ab]{100}[ab]{100}c$", "", "", 0}, {"", "ab", "", 150}, 0},
    /* Symbols, sets, states and pieces of an automaton. */
    {{"(?:x|y", "|%z", ")$", 1990}, {"x", "", "", 0}, 1},
    {{"(?:x|y", "|%z", ")$", 2100}, {"x", "", "", 0}, 1},
    {{"(?:x|y", "|%z", ")$", 2100}, {"q", "", "", 0}, 0},
    {{"(?:x|y", "|[a-z%]+", ")$", 1100}, {"aqa1", "", "", 0}, 0},
    {{"(?:x|y", "|[a-z%]+", ")$", 1100}, {"1aqa", "", "", 0}, 1},
    {{"(?:b|c)", "ab", "$", 6000}, {"ab", "", "", 0}, 0},
    /* A look-behind of variable length, which PCRE2 does not have, where no table is small enough.
     */
    {{"(?<=ab?)(?:[c-e]{1,2}[0-9]){300}$", "", "", 0}, {"ab", "c1", "", 300}, 1},
    {{"(?<=ab?)(?:[c-e]{1,2}[0-9]){300}$", "", "", 0}, {"b", "c1", "", 300}, 0},
    {{"^c{600}(?<=cc?)$", "", "", 0}, {"", "c", "", 600}, 1},
    {{"x(?=b", "|a%", ")", 20}, {"xb", "", "", 0}, 1},
    {{"(?:x|y", "|%z", ")(?=a)(?<!b)", 1900}, {"xa", "-", "", 100}, 1},
    /* Ways through a pattern: more than a byte counts, in alternatives with one beginning. */
    {{"^(?:b", "|a%", ")$", 300}, {"b", "", "", 0}, 1},
    {{"^(?:b", "|a%", ")$", 300}, {"a", "", "", 0}, 0},
};

static void test_bounds(void)
{
    static char pattern[ROOM], subject[ROOM];
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        build(pattern, &bounds[i].pattern);
        if (!CHECK_INT(matches(pattern, build(subject, &bounds[i].subject)), bounds[i].match))
            fprintf(stderr, "    /%.60s/, %.60s\n", pattern, subject);
    }
}

static const struct {
    const char *pattern, *subject;
    int match;
} corners[] = {
    {"^[]*a$", "a", 1}, /* an empty class in a row: none of it */
    {"^[]?a[]*$", "a", 1},
    {"^[]a$", "a", 0},
    {"^(?:a{1}b{1,1}){1}$", "ab", 1},
    {"^(?:a?){1}b$", "b", 1},
    {"^(?:a*){1}b$", "aab", 1},
    {"^(?:a*){1,1}$", "b", 0},
    {"a?a$", "a", 1},
    {"^a?ab?b$", "ab", 1},
    {"^(?:abc|a|ab)$", "ab", 1}, /* words that come longest first */
    {"^(?:abc|a|ab)$", "abd", 0},
    {"^(?:^a|b)$", "a", 1}, /* no words: anchors and repeats among them */
    {"^(?:a$|b)$", "a", 1},
    {"^(?:a+|b)$", "aa", 1},
    {"^(?:a+|b)$", "ab", 0},
    {"^[\\x80-\\uD7FF\\uE000-\\u{10FFFF}]+$", "\xC3\xA9\xED\x9F\xBF\xEE\x80\x80", 1},
    {"^[\\x80-\\uD7FF\\uE001-\\u{10FFFF}]+$", "\xEE\x80\x80", 0},
    {"^[^\\uE000]+$", "\xEE\x80\x81\xED\x9F\xBF", 1},
    {"^[^\\uD7FF]+$", "\xED\x9F\xBF", 0},
    {"^[\\u0081-\\u{10FFFF}]+$", "\xC2\x80", 0},
    {"^(?=a)(?<=a)b", "ab", 0}, /* what follows a leading look-ahead is none */
    {"^(?=a)(?!b)ab", "ab", 1},
    {"(?<!a)(?=b(?!c))b", "abcb", 1},
    {"(?<=(?<a>x)y)\\k<a>", "xyx", 1},
    {"(?<=(?:xy?)+)z", "xyxz", 1},
    {"(?:(?=(a+))\\1b)+$", "aabab", 1},
    {"(?:(?!(a)b)[ab])+$", "aab", 1},
    {"\\b0_\\b", "-0_-", 1},
    {"(.)\\1\\B0", "aa0", 1},
    {"(.)\\1\\b-", "_-_-__-", 1},
    {"(?<=\xC3\xA9{1,2}(a))\\1",
     "\xC3\xA9\xC3\xA9"
     "aa",
     1},
    {"(?<=y[^x]*)$", "aa\xC3\xA9", 0}, /* a run that gives back, behind */
    {"(?<=\xC3\xA9\xC3\xA9*)a",
     "\xC3\xA9\xC3\xA9"
     "a",
     1},
    {"(?<=ab?)c", "abc", 1},
    {"(?<=^[^b]*?(a))\\1$",
     "\xC3\xA9"
     "aa",
     1},
};

static void test_corners(void)
{
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        if (!CHECK_INT(matches(corners[i].pattern, corners[i].subject), corners[i].match))
            fprintf(stderr, "    /%s/, \"%s\"\n", corners[i].pattern, corners[i].subject);
    }
}

/* -- The cache of states ----------------------------------------------------------------------- */

static struct cupel__matcher *compile(const char *pattern, int64_t work)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m = NULL;
    cupel__arena_init(&arena, NULL, 0);
    CHECK_INT(cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL), CUPEL_OK);
    CHECK_INT(cupel__matcher_new(NULL, &re, 0, &work, &m, NULL), CUPEL_OK);
    cupel__arena_free(&arena);
    return m;
}

/* Letters that make states, a run that makes none, so that making states pays again, and letters.
 */
static void fill_subject(char *p, size_t run, size_t len)
{
    uint32_t x = 1;
    for (size_t i = 0; i < len; i++) {
        x = x * 1664525 + 1013904223;
        p[i] = i > 1000 && i < 1000 + run ? 'b' : "ab"[x >> 31];
    }
    p[len] = '\0';
}

/* The cache is full at the end of the subject or before; or full again after it paid.  Each length
 * gets the same verdict as without a cache, and each number of steps that is not enough is told. */
static void test_full_cache(const char *pattern, size_t run, size_t stride)
{
    static char subject[40000];
    struct cupel__matcher_scratch *scratch;
    struct cupel__matcher *m = compile(pattern, CUPEL__MATCHER_RESERVE);
    CHECK_INT(cupel__matcher_engine(m), CUPEL_ENGINE_STATES);
    CHECK_INT(cupel__matcher_scratch_new(NULL, 4 << 20, &scratch), CUPEL_OK);
    for (size_t len = 1000; len < run + (stride > 1 ? 4500 : 2200);
         len += len < run + 1950 ? 997 : stride) {
        int64_t steps = 1 << 30, few = (int64_t)len * 8;
        fill_subject(subject, run, len);
        CHECK_INT(cupel__matcher_run(m, scratch, subject, len, &steps), 0);
        int rc = cupel__matcher_run(m, scratch, subject, len, &few);
        CHECK(rc == 0 || (rc == CUPEL_E_LIMIT_STEPS && few < 0));
        subject[len - 1] = 'c';
        CHECK_INT(cupel__matcher_run(m, scratch, subject, len, &steps), subject[len - 62] == 'a');
    }
    cupel__matcher_scratch_free(scratch);
    cupel__matcher_free(m);
}

/* A scratch that grows as it likes, until its bound allows just what is needed. */
static void test_growing_scratch(void)
{
    static char subject[20000];
    struct cupel__matcher_scratch *scratch;
    struct cupel__matcher *m = compile("(?!b)(?:a|b)*a(?:a|b){12}(?=c)", CUPEL__MATCHER_WORK);
    int rc = 0;
    CHECK_INT(cupel__matcher_scratch_new(NULL, 150000, &scratch), CUPEL_OK);
    memset(subject, 'b', sizeof subject);
    for (size_t len = 1; len < sizeof subject && rc == 0; len += 7) {
        int64_t steps = 1 << 30;
        rc = cupel__matcher_run(m, scratch, subject, len, &steps);
    }
    CHECK(rc == 0 || rc == CUPEL_E_LIMIT_MEMORY);
    cupel__matcher_scratch_free(scratch);
    cupel__matcher_free(m);
}

/* Of what is kept for patterns that need it no table is made, of a little more perhaps a small one.
 */
static void test_work(void)
{
    for (int64_t more = 0; more <= 4096; more = more == 0 ? 1 : 2 * more) {
        struct cupel__matcher_scratch *scratch;
        struct cupel__matcher *m = compile("^(?:ab)+$", CUPEL__MATCHER_RESERVE + more);
        int64_t steps = BUDGET;
        CHECK_INT(cupel__matcher_scratch_new(NULL, 4 << 20, &scratch), CUPEL_OK);
        CHECK_INT(cupel__matcher_run(m, scratch, "abab", 4, &steps), 1);
        CHECK(more > 0 || cupel__matcher_engine(m) != CUPEL_ENGINE_TABLE);
        CHECK(more < 4096 || cupel__matcher_engine(m) == CUPEL_ENGINE_TABLE);
        cupel__matcher_scratch_free(scratch);
        cupel__matcher_free(m);
    }
}

/* With each amount of work that is not enough there is no matcher, and the reason is said. */
static void test_little_work(void)
{
    static const char *const patterns[] = {"^(?:ab)+$", "(a)\\1", "a|b", "^[a-z]$",
                                           "(?<=a|\\p{L})b"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        enum cupel_status status = CUPEL_E_PATTERN_STEPS;
        for (int64_t work = 0; status == CUPEL_E_PATTERN_STEPS && CHECK(work < 100000);
             work += 1 + work / 64) {
            struct cupel__arena arena;
            struct cupel__regex re;
            struct cupel__matcher *m = NULL;
            int64_t left = work;
            cupel__arena_init(&arena, NULL, 0);
            CHECK_INT(cupel__regex_parse(&arena, patterns[i], strlen(patterns[i]), 0, &re, NULL),
                      CUPEL_OK);
            status = cupel__matcher_new(NULL, &re, 0, &left, &m, NULL);
            CHECK((status == CUPEL_OK) == (m != NULL));
            cupel__matcher_free(m);
            cupel__arena_free(&arena);
        }
        CHECK_INT(status, CUPEL_OK);
    }
}

static bool is_plain(const struct repeated *r)
{
    static char pattern[ROOM];
    struct cupel__arena arena;
    struct cupel__regex re;
    cupel__arena_init(&arena, NULL, 0);
    build(pattern, r);
    CHECK_INT(cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL), CUPEL_OK);
    bool plain = cupel__regex_is_small(&re);
    cupel__arena_free(&arena);
    return plain;
}

static void test_plain(void)
{
    CHECK(is_plain(&(struct repeated){"", "a", "", 499}));
    CHECK(!is_plain(&(struct repeated){"", "a", "", 500}));
    CHECK(is_plain(&(struct repeated){"", "(?=a)", "b", 15}));
    CHECK(!is_plain(&(struct repeated){"", "(?=a)", "b", 16}));
    CHECK(!is_plain(&(struct repeated){"(a)", "\\1", "", 1}));
    CHECK(!is_plain(&(struct repeated){"a{5000}", "", "", 0}));
}

/* A pattern of more leaves than are worth looking at has no automata; what is left may not take it
 * either. */
static void test_many_leaves(void)
{
    static char pattern[ROOM], subject[ROOM];
    build(pattern, &(struct repeated){"^a?", "b", "$", 100000});
    build(subject, &(struct repeated){"", "b", "", 100000});
    for (unsigned i = 0; i < WAYS; i++) {
        int64_t steps = BUDGET;
        int rc = run(pattern, subject, 100000, ways[i], &steps);
        CHECK(rc == 1 || rc == CUPEL_E_PATTERN_SIZE || rc == CUPEL_E_PATTERN_STEPS ||
              rc == CUPEL_E_LIMIT_REGEX);
    }
}

/* A subject that is too long is not looked at: there is nothing where it is said to end. */
static void test_too_long(void)
{
    struct cupel__matcher_scratch *scratch;
    struct cupel__matcher *m = compile("(a)\\1", CUPEL__MATCHER_WORK);
    int64_t steps = INT64_MAX / 4;
    CHECK_INT(cupel__matcher_scratch_new(NULL, 4 << 20, &scratch), CUPEL_OK);
    CHECK_INT(cupel__matcher_run(m, scratch, "aa", UINT32_MAX, &steps), CUPEL_E_LIMIT_REGEX);
    cupel__matcher_scratch_free(scratch);
    cupel__matcher_free(m);
}

/* -- What is not enough ------------------------------------------------------------------------ */

struct sample {
    const char *pattern, *subject;
};

static const struct sample samples[] = {
    {"^abc$", "abc"},
    {"abcdefgh", "aaaaaaaaaaaaaaaaaaaaaaaaaabcdefgh"},
    {"^[a-z]{2,}$", "abcdefghijklmnopqrstuvwxyz"},
    {"^(?:ab|cd)+$", "abcdabcdabcdabcd"},
    {"(?:a|b)*a(?:a|b){8}c", "abababababababababababac"},
    {"^(?:[a-z]{1,3}[0-9]){40}$", "a1b2c3"},
    {"(?<=x(?!y))(?:a|b)*\\b[\\u2028a]", "xabab a"},
    {"^(?=[^z]*a)(?!b)(?:a|b)+$", "aaaaaaaaaaaaabbbbbbbbbbbbbbbb"},
    {"^(?<n>a|b)(?:c|d?)*(?=(e*))\\k<n>\\2$", "acdcda"},
    {"(?:(?<!(a)c)b|(?!(d)))+?\\2e{2,3}?$", "bbbbbee"},
    {"^(?<\xC3\xA9\xC3\xA8>a)\\k<\xC3\xA9\xC3\xA8>(?<b>b)$", "aab"},
    {"((?:(?:(?:(a)|b)|c)|d)|e){2}\\2?[^a]", "aab"},
    {"(?<n>a)\\k<n>\\k<n>\\k<n>\\k<n>b", "aaaaab"},
};

enum { SAMPLES = sizeof samples / sizeof *samples };

/* Everything from the pattern to the verdict, with so many steps and so much memory. */
static int whole_way(const struct cupel_alloc *alloc, const struct sample *s, unsigned flags,
                     int64_t steps, size_t limit)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m = NULL;
    struct cupel__matcher_scratch *scratch = NULL;
    struct cupel_error err;
    int64_t work = CUPEL__MATCHER_WORK;
    cupel__arena_init(&arena, alloc, 0);
    int rc = cupel__regex_parse(&arena, s->pattern, strlen(s->pattern), 0, &re, &err);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_new(alloc, &re, flags, &work, &m, &err);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_scratch_new(alloc, limit, &scratch);
    if (rc == CUPEL_OK)
        rc = cupel__matcher_run(m, scratch, s->subject, strlen(s->subject), &steps);
    cupel__matcher_scratch_free(scratch);
    cupel__matcher_free(m);
    cupel__arena_free(&arena);
    return rc;
}

static void check_budgets(const struct sample *s, unsigned flags)
{
    int right = whole_way(NULL, s, flags, BUDGET, 4 << 20), rc = CUPEL_E_LIMIT_STEPS;
    if (!CHECK(right >= 0))
        fprintf(stderr, "    /%s/\n", s->pattern);
    for (int64_t steps = 0; rc == CUPEL_E_LIMIT_STEPS && CHECK(steps < 20000); steps++)
        rc = whole_way(NULL, s, flags, steps, 4 << 20);
    CHECK_INT(rc, right);
    rc = CUPEL_E_LIMIT_MEMORY;
    for (size_t limit = 0; rc == CUPEL_E_LIMIT_MEMORY && CHECK(limit < 1 << 20);
         limit += limit < 1024 ? 64 : limit / 8)
        rc = whole_way(NULL, s, flags, BUDGET, limit);
    CHECK_INT(rc, right);
}

/* With each request that fails, but those before the last so many. */
static void check_allocations(const struct sample *s, unsigned flags, unsigned long last)
{
    struct test_alloc all = {.fail_at = 0};
    struct cupel_alloc counting = test_allocator(&all);
    int right = whole_way(&counting, s, flags, BUDGET, 4 << 20);
    for (unsigned long at = all.requests > last ? all.requests - last : 1, more = 1; more; at++) {
        struct test_alloc counter = {.fail_at = at};
        struct cupel_alloc alloc = test_allocator(&counter);
        int rc = whole_way(&alloc, s, flags, BUDGET, 4 << 20);
        more = counter.requests >= at;
        CHECK(rc == right || (more && rc == CUPEL_E_NO_MEMORY));
        CHECK_INT(counter.live, 0);
    }
}

/* Arrays grow when something more does not fit: each of these comes once when they do. */
static const struct {
    struct repeated pattern;
    const char *last;
} growing[] = {
    {{"^", "(?:a|)", "(?=b(c)?)", 0}, "bc"},
    {{"^", "(?:a|)", "(b)c", 0}, "bc"},
    {{"^", "(?:a|)", "b*bc", 0}, "bbc"},
    {{"^", "(?:a|)", "(?:b|c){2}", 0}, "bc"},
    {{"^", "(?:a|)", "(?:(b)c)*?d", 0}, "d"},
    {{"^", "(?:a|)", "(?:(b)|c)*?d", 0}, "bcd"},
    {{"^[", "a-", "b\\D]", 0}, "x"},
    {{"^[", "%", "\\P{Lu}]", 0}, "x"},
    {{"^[", "%", "\\d-x]", 0}, "x"},
    {{"^[", "%", "x-\\d]", 0}, "x"},
    {{"^", "(?:b%)?", "(?:c|d)+\\1", 0}, "d"},
    {{"^", "(?:(?:a){2}|)", "(?:(?:c){2}d){2}", 0}, "d"},
    {{"^(?:", "[b%][c%]|", "c\\b)", 0}, "c"},
    {{"^", "(a|)", "b", 0}, "b"},
    /* Each of these leaves one thing to try, so that the walk's entries grow where they come. */
    {{"^", "(?:|a)", "b*bc", 0}, "bbc"},
    {{"^", "(?:|a)", "(b)c", 0}, "bc"},
    {{"^", "(?:|a)", "(?=b(c)?)", 0}, "bc"},
    {{"^", "(?:|a)", "(?:(b)c)*?d", 0}, "bcd"},
    {{"^", "(?:|a)", "(?:(b)|c)*?d", 0}, "bcd"},
    {{"^[", "%", "tuvwxyz\\P{Sc}]", 0}, "x"},
    {{"", "(?:a{2}b){3}", "$", 0}, "d"},
    {{"^", "(?:|a)", "(?:(b)|c)*d", 0}, "bcd"},
    {{"(?:", "%|", "z)$", 0}, "c"},
    {{"(?:", "[ab%]|", "z)$", 0}, "c"},
};

/* The same for what parsing keeps. */
static void check_parsing(void)
{
    static const struct repeated patterns[] = {
        {"(?<n>a)", "\\k<n>", "", 0}, {"", "(b)", "", 0}, {"", "(?:(?=b)|c)", "", 0}};
    static char pattern[ROOM];
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct repeated r = patterns[i];
        for (r.n = 1; r.n < 12; r.n++) {
            struct sample s = {build(pattern, &r), "ab"};
            check_allocations(&s, CUPEL__MATCHER_ONLY_BACKTRACK, ULONG_MAX);
        }
    }
}

static void check_growing(unsigned flags)
{
    static char pattern[ROOM];
    for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
        struct repeated r = growing[i].pattern;
        for (r.n = 0; r.n < 72; r.n += r.n % 16 == 3 && r.n < 48 ? 9 : 1) { /* at 16, 32 and 64 */
            struct sample s = {build(pattern, &r), growing[i].last};
            check_allocations(&s, flags, 30);
        }
    }
}

/* A pattern behind so many characters that each piece of memory is once the first of a block; from
 * each request on all fail. */
static void check_parse_memory(const char *what)
{
    char pattern[200];
    for (size_t before = 0; before < 100; before += before < 40 ? 1 : 7) {
        memset(pattern, 'x', before);
        strcpy(pattern + before, what);
        for (unsigned long n = 1, reached = 1; reached; n++) {
            struct test_alloc t = {.fail_at = n, .for_ever = true};
            const struct cupel_alloc alloc = test_allocator(&t);
            struct cupel__arena arena;
            struct cupel__regex re;
            cupel__arena_init(&arena, &alloc, 0);
            enum cupel_status status =
                cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL);
            reached = t.requests >= n;
            CHECK_INT(status, reached ? CUPEL_E_NO_MEMORY : CUPEL_OK);
            cupel__arena_free(&arena);
            CHECK_INT(t.live, 0);
        }
    }
}

int main(void)
{
    check_parse_memory("(?<n>a|bc)\\k<n>");
    check_parse_memory("(a(b)(?:c|d))+");

    test_bounds();
    test_corners();
    test_full_cache("(?:a|b)*a(?:a|b){60}c", 30000, 41);
    test_full_cache("(?:a|b)*a(?:a|b){60}c", 0, 1);
    test_full_cache("(?<=(?:a|b)*a(?:a|b){60}c)", 0, 1);
    test_growing_scratch();
    test_work();
    test_little_work();
    test_plain();
    test_too_long();
    test_many_leaves();
    for (unsigned k = 0; k < WAYS; k++) {
        for (unsigned i = 0; i < SAMPLES; i++) {
            check_budgets(&samples[i], ways[k]);
            check_allocations(&samples[i], ways[k], ULONG_MAX);
        }
    }
    check_growing(CUPEL__MATCHER_ONLY_BACKTRACK);
    check_growing(CUPEL__MATCHER_NO_SIMPLE);
    check_parsing();
    return test_end();
}
