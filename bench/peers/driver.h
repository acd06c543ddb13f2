/* driver.h: the protocol of measuring, for peers that are written in C or C++.
 *
 *   peer SCHEMAS INSTANCES MILLISECONDS
 *
 * SCHEMAS has a schema a line.  INSTANCES has a document a line, with the number of its schema,
 * from 0 on, and a tab before it.  Each figure takes about so many milliseconds.  What is printed
 * is one object with the figures that ../README.md describes.
 *
 * The file that includes this defines the functions declared below; with PEER_PARSES_ONLY the first
 * two of them alone. */
#ifndef CUPEL_BENCH_DRIVER_H
#define CUPEL_BENCH_DRIVER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whether the text is JSON, with what is kept from one text to the next. */
static int peer_read(const char *text, size_t len);
/* Once, before anything. */
static void peer_start(void);
#ifndef PEER_PARSES_ONLY
/* A program or NULL; and the end of it. */
static void *peer_compile(const char *text, size_t len);
static void peer_free(void *program);
/* A document that stays. */
static void *peer_keep(const char *text, size_t len);
/* Whether it is valid. */
static int peer_validate(void *program, void *document);
/* Bytes in, verdict out. */
static int peer_judge(void *program, const char *text, size_t len);
#endif

enum { MOST_ROUNDS = 2001, FEWEST_ROUNDS = 3, PADDING = 64 };

struct text {
    const char *p;
    size_t n;
    unsigned schema;
    void *document;
};

struct job {
    struct text *schemas, *instances;
    size_t nschemas, ninstances, bytes;
    void **programs;
    uint64_t budget;
    uint64_t times[MOST_ROUNDS];
    uint64_t sink; /* what the passes return, so that none is left out */
};

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* What this process alone has used of the processor. */
static uint64_t used_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static void fail(const char *what)
{
    fprintf(stderr, "error: %s\n", what);
    exit(1);
}

static char *load(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        fail(path);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *data = (char *)calloc(1, size + PADDING);
    if (data == NULL || fread(data, 1, size, file) != size)
        fail(path);
    fclose(file);
    *ret_size = size;
    return data;
}

/* The lines of a file, each perhaps after a number and a tab. */
static size_t split(const char *path, int numbered, struct text **ret)
{
    size_t size, n = 0, lines = 1;
    char *p = load(path, &size), *end = p + size;
    for (size_t i = 0; i < size; i++)
        lines += p[i] == '\n';
    struct text *texts = (struct text *)calloc(lines, sizeof *texts);
    while (p < end) {
        char *newline = (char *)memchr(p, '\n', (size_t)(end - p));
        char *stop = newline != NULL ? newline : end;
        struct text *t = &texts[n++];
        if (numbered) {
            t->schema = (unsigned)strtoul(p, &p, 10);
            p++;
        }
        t->p = p;
        t->n = (size_t)(stop - p);
        p = stop + 1;
    }
    *ret = texts;
    return n;
}

static int by_time(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median(uint64_t *times, size_t n)
{
    qsort(times, n, sizeof *times, by_time);
    return n == 0 ? 0 : times[n / 2];
}

/* The median time of a pass, after one that warms up. */
static uint64_t measure(struct job *job, void (*pass)(struct job *))
{
    size_t rounds = 0;
    uint64_t start = now_ns();
    pass(job);
    size_t fewest = now_ns() - start > job->budget ? 1 : FEWEST_ROUNDS;
    while (rounds < fewest || (rounds < MOST_ROUNDS && now_ns() - start < job->budget)) {
        uint64_t before = used_ns();
        pass(job);
        job->times[rounds++] = used_ns() - before;
    }
    return median(job->times, rounds);
}

static void pass_parse(struct job *job)
{
    for (size_t i = 0; i < job->ninstances; i++)
        job->sink += (uint64_t)peer_read(job->instances[i].p, job->instances[i].n);
}

#ifndef PEER_PARSES_ONLY

/* Resident memory. */
static uint64_t memory_now(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu %lu", &pages, &resident) != 2)
        fail("statm");
    fclose(file);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t time_compile(const struct text *schema)
{
    uint64_t start = used_ns();
    void *program = peer_compile(schema->p, schema->n);
    uint64_t time = used_ns() - start;
    if (program != NULL)
        peer_free(program);
    return time;
}

/* The sum over schemas, and the median of them, of the least time of some. */
static uint64_t measure_compile(struct job *job, uint64_t *ret_median)
{
    uint64_t *best = (uint64_t *)calloc(job->nschemas, sizeof *best), total = 0, start = now_ns();
    for (int round = 0; round < 3 || (round < 1000 && now_ns() - start < job->budget); round++) {
        for (size_t i = 0; i < job->nschemas; i++) {
            uint64_t time = time_compile(&job->schemas[i]);
            if (round == 0 || time < best[i])
                best[i] = time;
        }
    }
    for (size_t i = 0; i < job->nschemas; i++)
        total += best[i];
    *ret_median = median(best, job->nschemas);
    free(best);
    return total;
}

static void pass_eval(struct job *job)
{
    for (size_t i = 0; i < job->ninstances; i++) {
        struct text *t = &job->instances[i];
        if (job->programs[t->schema] != NULL)
            job->sink += (uint64_t)peer_validate(job->programs[t->schema], t->document);
    }
}

static void pass_e2e(struct job *job)
{
    for (size_t i = 0; i < job->ninstances; i++) {
        struct text *t = &job->instances[i];
        if (job->programs[t->schema] != NULL)
            job->sink += (uint64_t)peer_judge(job->programs[t->schema], t->p, t->n);
    }
}

static uint64_t time_repeats(struct job *job, const struct text *t, unsigned repeats)
{
    uint64_t start = now_ns();
    for (unsigned k = 0; k < repeats; k++)
        job->sink += (uint64_t)peer_validate(job->programs[t->schema], t->document);
    return now_ns() - start;
}

/* Each document many times before the next, the least of three: the sum of what one takes.  These
 * are short, and reading the clock of the process is not.  Where a pass takes longer than a figure
 * may, twice and once have to do. */
static uint64_t measure_hot(struct job *job, uint64_t eval_ns)
{
    bool slow = eval_ns > job->budget;
    uint64_t all = job->budget / 3 / (eval_ns + 1), least = slow ? 2 : 4;
    unsigned repeats = all < least ? (unsigned)least : all > 1000 ? 1000 : (unsigned)all;
    uint64_t total = 0;
    for (size_t i = 0; i < job->ninstances; i++) {
        const struct text *t = &job->instances[i];
        uint64_t best = UINT64_MAX;
        for (int round = 0; round < (slow ? 1 : 3) && job->programs[t->schema] != NULL; round++) {
            uint64_t time = time_repeats(job, t, repeats);
            best = time < best ? time : best;
        }
        total += best != UINT64_MAX ? best : 0;
    }
    return total / repeats;
}

static void print_validation(struct job *job)
{
    uint64_t typical, valid = 0, refused = 0, before = memory_now();
    job->programs = (void **)calloc(job->nschemas, sizeof *job->programs);
    for (size_t i = 0; i < job->nschemas; i++) {
        job->programs[i] = peer_compile(job->schemas[i].p, job->schemas[i].n);
        refused += job->programs[i] == NULL;
    }
    uint64_t memory = memory_now() - before;
    uint64_t compile = measure_compile(job, &typical);
    for (size_t i = 0; i < job->ninstances; i++) {
        struct text *t = &job->instances[i];
        t->document = peer_keep(t->p, t->n);
        if (job->programs[t->schema] != NULL)
            valid += (uint64_t)peer_judge(job->programs[t->schema], t->p, t->n);
    }
    printf("\"schemas\":%zu,\"refused\":%llu,\"valid\":%llu,\"memory_bytes\":%llu,"
           "\"compile_ns\":%llu,\"compile_median_ns\":%llu",
           job->nschemas, (unsigned long long)refused, (unsigned long long)valid,
           (unsigned long long)memory, (unsigned long long)compile, (unsigned long long)typical);
    if (job->ninstances == 0)
        return;
    uint64_t eval = measure(job, pass_eval), e2e = measure(job, pass_e2e);
    printf(",\"eval_ns\":%llu,\"eval_hot_ns\":%llu,\"e2e_ns\":%llu", (unsigned long long)eval,
           (unsigned long long)measure_hot(job, eval), (unsigned long long)e2e);
}

#endif

int main(int argc, char **argv)
{
    struct job *job = (struct job *)calloc(1, sizeof *job);
    if (argc != 4 || job == NULL)
        fail("usage: peer SCHEMAS INSTANCES MILLISECONDS");
    job->nschemas = split(argv[1], 0, &job->schemas);
    job->ninstances = split(argv[2], 1, &job->instances);
    job->budget = strtoull(argv[3], NULL, 10) * 1000000u;
    for (size_t i = 0; i < job->ninstances; i++)
        job->bytes += job->instances[i].n;
    peer_start();
    printf("{\"instances\":%zu,\"bytes\":%zu", job->ninstances, job->bytes);
#ifndef PEER_PARSES_ONLY
    printf(",");
    print_validation(job);
#endif
    if (job->ninstances > 0)
        printf(",\"parse_ns\":%llu", (unsigned long long)measure(job, pass_parse));
    printf("}\n");
    return job->sink == UINT64_MAX;
}

#endif
