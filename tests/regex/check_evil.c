/* check_evil.c: patterns that were made, or happened, to be hard (evil.txt), on subjects of up to
 * 64 KiB.
 *
 *   check_evil EVIL
 *
 * Every one must be decided within the budget of a validation, by a number of steps that at most
 * doubles with the subject and stays below what takes 10 ms; all engines must agree.  Patterns with
 * back-references may be given up instead, early. */
#include "base/regex/regex.h"
#include "test.h"

enum {
    LONGEST = 64 * 1024,
    SHORTEST = 512,
    SHORT = 14,                  /* where a walk is asked, which may need exponential time */
    MOST_STEPS = 4 * 1000 * 1000 /* of 2 to 3 ns on machines of 2020 and later */
};

struct evil {
    const char *pattern, *unit, *tail;
    size_t unit_length, tail_length;
    bool has_backref;
    char subject[LONGEST + 64];
};

static struct cupel__matcher_scratch *scratch;
static unsigned long undecided, compared;

static struct cupel__matcher *compile(struct evil *e, unsigned flags)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m = NULL;
    int64_t work = CUPEL__MATCHER_WORK;
    cupel__arena_init(&arena, NULL, 0);
    enum cupel_status s =
        cupel__regex_parse(&arena, e->pattern, strlen(e->pattern), CUPEL__REGEX_STRICT, &re, NULL);
    if (CHECK_INT(s, CUPEL_OK)) {
        e->has_backref = re.has_backref;
        (void)cupel__matcher_new(NULL, &re, flags, &work, &m, NULL);
    }
    cupel__arena_free(&arena);
    return m;
}

/* Units up to about n bytes, and the tail. Returns the length. */
static size_t make_subject(struct evil *e, size_t n)
{
    size_t len = 0;
    while (len + e->unit_length <= n) {
        memcpy(e->subject + len, e->unit, e->unit_length);
        len += e->unit_length;
    }
    memcpy(e->subject + len, e->tail, e->tail_length);
    return len + e->tail_length;
}

static int run(const struct cupel__matcher *m, const struct evil *e, size_t len, int64_t *ret_steps)
{
    int64_t budget = 1000000 + 64 * (int64_t)len, left = budget;
    int rc = cupel__matcher_run(m, scratch, e->subject, len, &left);
    *ret_steps = budget - left;
    return rc;
}

static void check_work(struct evil *e, const struct cupel__matcher *m)
{
    int64_t before = INT64_MAX / 4, steps;
    for (size_t n = SHORTEST; n <= LONGEST; n *= 2) {
        size_t len = make_subject(e, n);
        int rc = run(m, e, len, &steps);
        if (e->has_backref) {
            CHECK(rc == 0 || rc == 1 || rc == CUPEL_E_LIMIT_REGEX || rc == CUPEL_E_LIMIT_MEMORY);
            CHECK(steps < MOST_STEPS / 4);
            continue;
        }
        if (!CHECK(rc == 0 || rc == 1) || !CHECK(steps <= 2 * before + 64) ||
            !CHECK(steps <= MOST_STEPS))
            fprintf(stderr, "    /%s/ on %zu bytes: %d, %lld steps after %lld\n", e->pattern, len,
                    rc, (long long)steps, (long long)before);
        before = steps;
    }
}

/* Whatever else decides has the same verdict. */
static void check_verdicts(struct evil *e, const struct cupel__matcher *m)
{
    static const unsigned ways[] = {
        CUPEL__MATCHER_NO_SIMPLE, CUPEL__MATCHER_NO_SIMPLE | CUPEL__MATCHER_NO_TABLE,
        CUPEL__MATCHER_NO_LINEAR, CUPEL__MATCHER_NO_LINEAR | CUPEL__MATCHER_NO_JIT,
        CUPEL__MATCHER_ONLY_BACKTRACK};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct cupel__matcher *other = compile(e, ways[i]);
        for (size_t n = 0; n <= SHORT && other != NULL; n++) {
            int64_t steps;
            size_t len = make_subject(e, n);
            int a = run(m, e, len, &steps), b = run(other, e, len, &steps);
            undecided += a < 0 || b < 0;
            compared++;
            if (a >= 0 && b >= 0 && !CHECK_INT(a, b))
                fprintf(stderr, "    /%s/ on %zu bytes\n", e->pattern, len);
        }
        cupel__matcher_free(other);
    }
}

/* The next field; in units \n is a line feed. */
static char *field(char **line)
{
    char *start = *line, *end = strpbrk(start, "\t\r\n");
    if (end != NULL) {
        *line = end + 1;
        *end = '\0';
    } else {
        *line += strlen(start);
    }
    return start;
}

static void unescape(char *s)
{
    for (char *at = strstr(s, "\\n"); at != NULL; at = strstr(at, "\\n")) {
        *at = '\n';
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
}

static void check(char *line)
{
    static struct evil e;
    char *unit;
    e.pattern = field(&line);
    e.unit = unit = field(&line);
    e.tail = field(&line);
    unescape(unit);
    e.unit_length = strlen(e.unit);
    e.tail_length = strlen(e.tail);
    struct cupel__matcher *m = compile(&e, 0);
    if (CHECK(m != NULL) && CHECK(e.unit_length > 0)) {
        check_work(&e, m);
        check_verdicts(&e, m);
    } else {
        fprintf(stderr, "    /%s/\n", e.pattern);
    }
    cupel__matcher_free(m);
}

int main(int argc, char **argv)
{
    char line[1024];
    unsigned long patterns = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL || cupel__matcher_scratch_new(NULL, 4 << 20, &scratch) != CUPEL_OK)
        return 1;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] != '#' && line[0] != '\n') {
            check(line);
            patterns++;
        }
    }
    fclose(file);
    CHECK(patterns >= 100);
    CHECK(undecided < compared / 20);
    cupel__matcher_scratch_free(scratch);
    return test_end();
}
