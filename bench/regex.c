/* regex.c: the time of matching with each engine of base/regex/engine.c, for bench/regex.py.
 *
 *   regex          a line for each pattern: the pattern and subjects, in hex, separated by spaces
 *   regex --long   the same, only as chosen, and with the steps that a validation may take
 *
 * Prints a line for each: the engine that was chosen; nanoseconds a match as chosen, by automata,
 * and by PCRE2 with JIT, "-" where that cannot be; what the first and the last take to compile, in
 * nanoseconds, and bytes.  Each figure is the minimum of several rounds, in which the engines take
 * turns: other work on the machine disturbs that least. */
#include "base/regex/regex.h"
#include "base/regex/pcre2_engine.h"
#include "measuring.h"
#include "regex_words.h"

#include <string.h>

enum { SUBJECTS = 512, LINE = 1 << 20, ROUNDS = 60, COMPILES = 20, WAYS = 3 };

/* As chosen; by automata; by PCRE2 itself, whether that is safe or not. */
static const unsigned ways[WAYS] = {0, CUPEL__MATCHER_NO_SIMPLE, 0};

struct way {
    struct cupel__matcher *m;
    struct cupel__pcre2 *pcre2;
    double ns, compile_ns;
    unsigned found;
};

struct job {
    struct way way[WAYS];
    unsigned nways;
    bool bounded;
    const char *subject[SUBJECTS];
    size_t length[SUBJECTS], n;
    struct cupel__matcher_scratch *scratch;
    struct cupel__pcre2_scratch *pcre2;
};

static void compile_pcre2(struct way *way, const struct cupel__regex *re)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    if (cupel__regex_print_pcre2(re, &text, NULL) == CUPEL_OK)
        (void)cupel__pcre2_new(NULL, text.bytes, text.len, 0, &way->pcre2, NULL);
    cupel_text_free(&text);
}

static void discard(struct way *way)
{
    cupel__matcher_free(way->m);
    cupel__pcre2_free(way->pcre2);
    way->m = NULL;
    way->pcre2 = NULL;
}

/* From text to something that can match. */
static void compile(struct way *way, const char *pattern, size_t n, unsigned i)
{
    struct cupel__arena arena;
    struct cupel__regex re;
    int64_t work = CUPEL__MATCHER_WORK;
    double start = now_ns();
    discard(way);
    cupel__arena_init(&arena, NULL, 0);
    if (cupel__regex_parse(&arena, pattern, n, 0, &re, NULL) != CUPEL_OK) {
        fprintf(stderr, "not a pattern: %.*s\n", (int)n, pattern);
        exit(70);
    }
    if (i == WAYS - 1)
        compile_pcre2(way, &re);
    else
        (void)cupel__matcher_new(NULL, &re, ways[i], &work, &way->m, NULL);
    cupel__arena_free(&arena);
    double ns = now_ns() - start;
    way->compile_ns = ns < way->compile_ns ? ns : way->compile_ns;
}

static void run(struct job *job, struct way *way)
{
    unsigned found = 0;
    double start = now_ns();
    for (size_t i = 0; i < job->n; i++) {
        int64_t steps = job->bounded ? 1000000 + 64 * (int64_t)job->length[i] : INT64_MAX;
        const char *p = job->subject[i];
        size_t n = job->length[i];
        found += 1 == (way->m != NULL ? cupel__matcher_run(way->m, job->scratch, p, n, &steps)
                                      : cupel__pcre2_run(way->pcre2, job->pcre2, p, n));
    }
    double ns = (now_ns() - start) / (double)job->n;
    way->ns = ns < way->ns ? ns : way->ns;
    way->found = found;
}

static bool is_there(const struct job *job, unsigned i)
{
    return i < job->nways && (job->way[i].m != NULL || job->way[i].pcre2 != NULL);
}

static void print(const struct job *job)
{
    static const char *const engines[] = {"simple", "table", "states", "PCRE2", "backtrack"};
    const struct way *chosen = &job->way[0];
    printf("%s", engines[cupel__matcher_engine(chosen->m)]);
    for (unsigned i = 0; i < WAYS; i++) {
        if (!is_there(job, i))
            printf(" -");
        else
            printf(" %.1f", job->way[i].ns);
        if (is_there(job, i) && job->way[i].found != chosen->found)
            fprintf(stderr, "engines differ: %u and %u found\n", chosen->found, job->way[i].found);
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
    for (unsigned i = 0; i < WAYS; i++)
        job->way[i] = (struct way){.ns = 1e18, .compile_ns = 1e18};
    for (unsigned i = 0; i < job->nways; i++) {
        for (unsigned k = 0; k < COMPILES; k++)
            compile(&job->way[i], pattern, n, i);
    }
    for (unsigned k = 0; k < rounds; k++) {
        for (unsigned i = 0; i < job->nways; i++) {
            if (is_there(job, i))
                run(job, &job->way[i]);
        }
    }
    print(job);
    for (unsigned i = 0; i < WAYS; i++)
        discard(&job->way[i]);
}

int main(int argc, char **argv)
{
    static struct job job;
    job.bounded = argc > 1 && strcmp(argv[1], "--long") == 0;
    job.nways = job.bounded ? 1 : WAYS;
    unsigned rounds = job.bounded ? 3 : ROUNDS;
    char *line = malloc(LINE);
    if (line == NULL || cupel__matcher_scratch_new(NULL, SIZE_MAX, &job.scratch) != CUPEL_OK ||
        cupel__pcre2_scratch_new(NULL, &job.pcre2) != CUPEL_OK)
        return 1;
    while (fgets(line, LINE, stdin) != NULL)
        measure(&job, strtok(line, " \n"), rounds);
    cupel__matcher_scratch_free(job.scratch);
    cupel__pcre2_scratch_free(job.pcre2);
    free(line);
    return 0;
}
