/* measuring.h: what the measuring programs share: ending with a word, the clock, and files. */
#ifndef CUPEL_BENCH_MEASURING_H
#define CUPEL_BENCH_MEASURING_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Readers may look at so many bytes behind a text; all of them are zero. */
enum { FILE_PADDING = 64 };

/* A figure of something that went wrong would mislead, so the program ends instead. */
static inline void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "error: %s\n", what);
    exit(1);
}

/* Memory, all zero; to be freed. */
static inline void *allocate(size_t count, size_t size)
{
    void *p = calloc(count != 0 ? count : 1, size);
    must(p != NULL, "out of memory");
    return p;
}

static inline double clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Time as it passes. */
static inline double now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* What this process has used of the processor: other processes do not count, but asking takes
 * longer. */
static inline double used_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* A whole file, with padding behind it; to be freed. */
static inline char *load_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    must(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
    long end = ftell(file);
    must(end >= 0, path);
    size_t size = (size_t)end;
    rewind(file);
    char *data = allocate(size + FILE_PADDING, 1);
    must(fread(data, 1, size, file) == size, path);
    fclose(file);
    *ret_size = size;
    return data;
}

/* The same for a file in a folder. */
static inline char *load_from(const char *folder, const char *name, size_t *ret_size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return load_file(path, ret_size);
}

/* The line at *at, which goes on behind it; NULL at the end.  The last one may lack its newline. */
static inline const char *next_line(const char **at, const char *end, size_t *ret_len)
{
    const char *line = *at;
    if (line == end)
        return NULL;
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    *ret_len = (size_t)((newline != NULL ? newline : end) - line);
    *at = newline != NULL ? newline + 1 : end;
    return line;
}

#endif
