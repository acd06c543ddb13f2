/* law.h: what law.c and law_mcp.c share: the families of families.def, and work that law.py counts.
 */
#ifndef CUPEL_TESTS_LAW_H
#define CUPEL_TESTS_LAW_H

#include "families.h"
#include <cupel/cupel.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { TEXT_BYTES = 64 << 10, QUICK = 4 }; /* QUICK: one family of so many with --quick */

/* What a call has charged, and the bytes that it was given. */
struct charge {
    uint64_t steps, bytes;
};

typedef struct charge charged_work(void *ctx);

struct charge work_counted(charged_work *work, void *ctx);

/* law.py has callgrind count what this function calls. */
__attribute__((noinline)) struct charge work_counted(charged_work *work, void *ctx)
{
    return work(ctx);
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs the work of an entry point for a family, and prints the line that law.py reads: entry point,
 * family, steps, bytes, and the milliseconds that it took, which say nothing under callgrind. */
static void measure(const char *entry, const char *family, charged_work *work, void *ctx)
{
    double start = processor_time();
    struct charge c = work_counted(work, ctx);
    double ms = 1e3 * (processor_time() - start);
    printf("%s\t%s\t%llu\t%llu\t%.3f\n", entry, family, (unsigned long long)c.steps,
           (unsigned long long)c.bytes, ms);
}

#endif
