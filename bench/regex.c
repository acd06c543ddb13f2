/* regex.c: how long a match takes, in the linear engine and in PCRE2 with JIT.
 *
 *   regex
 *
 * A row for each pattern: what the linear engine makes of it (shape, table, or states on the way),
 * nanoseconds a match over random strings in turn, most of which match; the fastest of several
 * rounds, which other work on the machine disturbs least. */
#include "regex_program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRINGS = 512, LONGEST = 80, ROUNDS = 200 };

/* The last part of a row makes subjects: letters are replaced (h by a hex digit, d by a digit, a by
 * a letter), the rest stands for itself; + repeats what is before it up to `more` times. */
static const struct {
    const char *name, *pattern, *subject;
    unsigned more;
} rows[] = {
    {"slug", "^[a-z0-9-]+$", "a+", 29},
    {"uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
     "hhhhhhhh-hhhh-4hhh-8hhh-hhhhhhhhhhhh", 0},
    {"date", "^\\d{4}-\\d{2}-\\d{2}$", "dddd-dd-dd", 0},
    {"semver",
     "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)"
     "(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)"
     "*))?$",
     "1.2d.3-a+", 4},
    {"prefix", "^https?://", "https://a+", 20},
    {"url", "^https?://[^\\s/$.?#]+\\.[^\\s]*$", "https://www.aaa.com/a+", 50},
    {"email", "^[^@]+@[^@]+$", "aaaaaaaa@a+", 40},
    {"code", "^[A-Z]{3}-[0-9]{4,6}$", "ABC-ddddd", 0},
    {"x-", "^x-", "x-a+", 10},
    {"any", ".+", "a+", 40},
    {"password", "^(?=.*\\d)(?=.*[a-z]).{8,}$", "aaaaaad1a+", 10},
};

struct subjects {
    char text[STRINGS][LONGEST];
    size_t length[STRINGS];
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static char pick(char c)
{
    switch (c) {
    case 'h':
        return "0123456789abcdef"[rand() % 16];
    case 'd':
        return (char)('0' + rand() % 10);
    case 'a':
        return (char)('a' + rand() % 26);
    }
    return c;
}

static void make_subjects(struct subjects *s, const char *model, unsigned more)
{
    for (size_t i = 0; i < STRINGS; i++) {
        size_t n = 0;
        for (const char *m = model; *m != '\0'; m++) {
            unsigned times = *m == '+' ? (unsigned)rand() % (more + 1) : 1;
            for (; times > 0 && n < LONGEST; times--)
                s->text[i][n++] = pick(*m == '+' ? m[-1] : *m);
        }
        s->length[i] = n;
    }
}

static double time_linear(const uint32_t *words, const struct subjects *s, unsigned *ret_found)
{
    struct cupel__linear_scratch scratch;
    double best = 1e18;
    cupel__linear_scratch_init(&scratch, NULL);
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        unsigned found = 0;
        for (size_t i = 0; i < STRINGS; i++) {
            int64_t steps = 1000000;
            found += cupel__linear_run(words, &scratch, s->text[i], s->length[i], &steps) == 1;
        }
        double ns = now_ns() - start;
        best = ns < best ? ns : best;
        *ret_found = found;
    }
    cupel__linear_scratch_free(&scratch);
    return best / STRINGS;
}

static double time_pcre2(const struct cupel__matcher *m, const struct subjects *s,
                         unsigned *ret_found)
{
    struct cupel__matcher_scratch *scratch;
    double best = 1e18;
    if (cupel__matcher_scratch_new(NULL, &scratch) != CUPEL_OK)
        exit(70);
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        unsigned found = 0;
        for (size_t i = 0; i < STRINGS; i++) {
            int64_t steps = 1000000;
            found += cupel__matcher_run(m, scratch, s->text[i], s->length[i], &steps) == 1;
        }
        double ns = now_ns() - start;
        best = ns < best ? ns : best;
        *ret_found = found;
    }
    cupel__matcher_scratch_free(scratch);
    return best / STRINGS;
}

static const char *way(const uint32_t *words)
{
    struct cupel__stepper st;
    if (words[CUPEL__HEAD_SHAPE] != CUPEL__SHAPE_NONE)
        return "native";
    cupel__stepper_init(&st, words, words[CUPEL__HEAD_NAUTOMATA] - 1, NULL);
    return st.a.ndfa > 0 ? "table" : "states";
}

static void measure(const char *name, const char *pattern, const struct subjects *s)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    struct cupel__matcher *m;
    struct cupel_text text;
    uint32_t *words, nwords;
    unsigned a, b;
    cupel__arena_init(&arena, NULL, 0);
    cupel_text_init(&text, NULL);
    if (cupel__regex_parse(&arena, pattern, strlen(pattern), 0, &re, NULL) != CUPEL_OK)
        exit(70);
    double start = now_ns();
    if (cupel__linear_compile(NULL, &re, &words, &nwords, NULL) != CUPEL_OK)
        exit(70);
    double compiled = now_ns() - start;
    unsigned flags = cupel__regex_is_safe(&re) ? CUPEL__MATCHER_SAFE : 0;
    if (cupel__regex_print_pcre2(&re, &text, NULL) != CUPEL_OK ||
        cupel__matcher_new(NULL, text.bytes, text.len, flags, &m, NULL) != CUPEL_OK)
        exit(70);
    double linear = time_linear(words, s, &a), pcre2 = time_pcre2(m, s, &b);
    printf("%-10s %-7s %8.1f %8.1f   %6u bytes %6.1f us %s%s\n", name, way(words), linear, pcre2,
           4 * nwords, compiled / 1000, flags != 0 ? "" : "unsafe ", a == b ? "" : "DIFFERENT");
    cupel__matcher_free(m);
    free(words);
    cupel_text_free(&text);
    cupel__arena_free(&arena);
}

int main(void)
{
    static struct subjects s;
    printf("%-10s %-7s %8s %8s   program, compiled in\n", "", "way", "linear", "pcre2");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_subjects(&s, rows[i].subject, rows[i].more);
        measure(rows[i].name, rows[i].pattern, &s);
    }
    return 0;
}
