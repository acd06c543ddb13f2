/* regex.c: how long matching takes in each tier of base/regex_match.c, for bench/regex.py.
 *
 *   regex          a line for each pattern: the pattern and subjects, in hex, separated by spaces
 *   regex --long   the same with one subject, which is matched as it is
 *
 * Prints a line for each: the tier that was chosen; nanoseconds a match as chosen, by automata, and
 * by PCRE2 with JIT, "-" where that cannot be; what the first and the last take to compile, in
 * nanoseconds, and bytes.  Each figure is the least of several rounds, in which the tiers take turns:
 * other work on the machine disturbs that least. */
#define _POSIX_C_SOURCE 200809L
#include "regex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SUBJECTS = 512, LINE = 1 << 20, ROUNDS = 60, COMPILES = 20, WAYS = 3 };

static const unsigned ways[WAYS] = {0, CUPEL__MATCHER_NO_SHAPE, CUPEL__MATCHER_ONLY_PCRE2};

struct way {
    struct cupel__matcher *m;
    double ns, compile_ns;
    unsigned found;
};

struct job {
    struct way way[WAYS];
    const char *subject[SUBJECTS];
    size_t length[SUBJECTS], n;
    struct cupel__matcher_scratch *scratch;
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Decodes in place; returns the length. */
static size_t from_hex(char *s)
{
    size_t n = 0, end = s[0] == '-' ? 0 : strlen(s);
    for (; 2 * n < end; n++)
        s[n] = (char)(hex_digit(s[2 * n]) << 4 | hex_digit(s[2 * n + 1]));
    return n;
}

/* From text to something that can match. */
static void compile(struct way *way, const char *pattern, size_t n, unsigned flags)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    int64_t work = CUPEL__MATCHER_WORK;
    double start = now_ns();
    cupel__matcher_free(way->m);
    way->m = NULL;
    cupel__arena_init(&arena, NULL, 0);
    if (cupel__regex_parse(&arena, pattern, n, 0, &re, NULL) != CUPEL_OK) {
        fprintf(stderr, "not a pattern: %.*s\n", (int)n, pattern);
        exit(70);
    }
    (void)cupel__matcher_new(NULL, &re, flags, &work, &way->m, NULL);
    cupel__arena_free(&arena);
    double ns = now_ns() - start;
    way->compile_ns = ns < way->compile_ns ? ns : way->compile_ns;
}

static void run(struct job *job, struct way *way)
{
    unsigned found = 0;
    double start = now_ns();
    for (size_t i = 0; i < job->n; i++) {
        int64_t steps = INT64_MAX;
        found += cupel__matcher_run(way->m, job->scratch, job->subject[i], job->length[i],
                                    &steps) == 1;
    }
    double ns = (now_ns() - start) / (double)job->n;
    way->ns = ns < way->ns ? ns : way->ns;
    way->found = found;
}

static void print(const struct job *job)
{
    static const char *const tiers[] = {"native", "table", "states", "pcre2", "budget"};
    const struct way *chosen = &job->way[0];
    printf("%s", tiers[cupel__matcher_tier(chosen->m)]);
    for (unsigned i = 0; i < WAYS; i++) {
        if (job->way[i].m == NULL)
            printf(" -");
        else
            printf(" %.1f", job->way[i].ns);
        if (job->way[i].m != NULL && job->way[i].found != chosen->found)
            fprintf(stderr, "tiers differ: %u and %u found\n", chosen->found, job->way[i].found);
    }
    printf(" %.0f %.0f %zu\n", chosen->compile_ns, job->way[2].compile_ns,
           cupel__matcher_size(chosen->m));
    fflush(stdout);
}

static void measure(struct job *job, char *pattern, unsigned rounds)
{
    size_t n = from_hex(pattern);
    char *subject;
    for (job->n = 0; job->n < SUBJECTS && (subject = strtok(NULL, " \n")) != NULL; job->n++) {
        job->subject[job->n] = subject;
        job->length[job->n] = from_hex(subject);
    }
    for (unsigned i = 0; i < WAYS; i++) {
        job->way[i] = (struct way){.ns = 1e18, .compile_ns = 1e18};
        for (unsigned k = 0; k < COMPILES; k++)
            compile(&job->way[i], pattern, n, ways[i]);
    }
    for (unsigned k = 0; k < rounds; k++) {
        for (unsigned i = 0; i < WAYS; i++) {
            if (job->way[i].m != NULL)
                run(job, &job->way[i]);
        }
    }
    print(job);
    for (unsigned i = 0; i < WAYS; i++)
        cupel__matcher_free(job->way[i].m);
}

int main(int argc, char **argv)
{
    static struct job job;
    unsigned rounds = argc > 1 && strcmp(argv[1], "--long") == 0 ? 3 : ROUNDS;
    char *line = malloc(LINE);
    if (line == NULL || cupel__matcher_scratch_new(NULL, SIZE_MAX, &job.scratch) != CUPEL_OK)
        return 1;
    while (fgets(line, LINE, stdin) != NULL)
        measure(&job, strtok(line, " \n"), rounds);
    cupel__matcher_scratch_free(job.scratch);
    free(line);
    return 0;
}
