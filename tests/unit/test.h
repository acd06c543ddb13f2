/* test.h: what every unit test uses.  A test is one program; `return test_end();` prints the count.
 */
#ifndef CUPEL_TEST_H
#define CUPEL_TEST_H

#include "test_alloc.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long test_passed, test_failed;

static inline bool test_check(bool ok, const char *what, const char *file, int line)
{
    if (ok) {
        test_passed++;
    } else {
        test_failed++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
    return ok;
}

static inline bool test_check_int(long long a, long long b, const char *what, const char *file,
                                  int line)
{
    bool ok = test_check(a == b, what, file, line);
    if (!ok)
        fprintf(stderr, "    got %lld, want %lld\n", a, b);
    return ok;
}

static inline bool test_check_mem(const char *a, size_t na, const char *b, size_t nb,
                                  const char *what, const char *file, int line)
{
    bool ok = test_check(na == nb && (na == 0 || memcmp(a, b, na) == 0), what, file, line);
    if (!ok)
        fprintf(stderr, "    got  \"%.*s\"\n    want \"%.*s\"\n", (int)na, a, (int)nb, b);
    return ok;
}

#define CHECK(cond) test_check(!!(cond), #cond, __FILE__, __LINE__)
#define CHECK_INT(got, want) \
    test_check_int((long long)(got), (long long)(want), #got " == " #want, __FILE__, __LINE__)
#define CHECK_STR(got, want) \
    test_check_mem((got), strlen(got), (want), strlen(want), #got, __FILE__, __LINE__)
#define CHECK_MEM(p, n, want) test_check_mem((p), (n), (want), strlen(want), #p, __FILE__, __LINE__)

static inline int test_end(void)
{
    printf("%lu passed, %lu failed\n", test_passed, test_failed);
    return test_failed != 0;
}

#endif
