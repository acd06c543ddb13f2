/* test_arena_allocator.c: base/arena_allocator.c: an arena as an allocator. */
#include "base/arena_allocator.h"
#include "test.h"

static bool is_filled(const char *p, size_t n, char with)
{
    while (n > 0 && p[n - 1] == with)
        n--;
    return n == 0;
}

/* The newest grows and shrinks where it is, until the block ends. */
static void test_newest(void)
{
    struct cupel__arena arena;
    cupel__arena_init(&arena, NULL, 0);
    struct cupel_alloc a = cupel__arena_allocator(&arena);
    char *p = cupel__realloc(&a, NULL, 0, 10), *first = p;
    memset(p, 'a', 10);
    for (size_t n = 10; n < 3000; n += 10) {
        p = cupel__realloc(&a, p, n, n + 10);
        CHECK(p == first && is_filled(p, n, 'a'));
        memset(p, 'a', n + 10);
    }
    CHECK(cupel__realloc(&a, p, 3000, 100) == first);
    char *next = cupel__realloc(&a, NULL, 0, 50), *zeroes;
    CHECK(next == first + 112);
    cupel__free(&a, next, 50);
    zeroes = cupel__arena_alloc(&arena, 2000); /* over what was written to before */
    CHECK(zeroes == next && is_filled(zeroes, 2000, 0) && is_filled(first, 100, 'a'));
    p = cupel__realloc(&a, NULL, 0, 900);
    memset(p, 'b', 900);
    next = cupel__realloc(&a, p, 900, 5000);
    CHECK(next != p && is_filled(next, 900, 'b'));
    cupel__arena_free(&arena);
}

/* What is not the newest moves and is left behind. */
static void test_others(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc mine = test_allocator(&t);
    struct cupel__arena arena;
    cupel__arena_init(&arena, &mine, 0);
    struct cupel_alloc a = cupel__arena_allocator(&arena);
    char *p = cupel__realloc(&a, NULL, 0, 32), *q = cupel__realloc(&a, NULL, 0, 32);
    memset(p, 'p', 32);
    memset(q, 'q', 32);
    char *moved = cupel__realloc(&a, p, 32, 40);
    CHECK(moved > q && is_filled(moved, 32, 'p') && is_filled(q, 32, 'q'));
    char *smaller = cupel__realloc(&a, q, 32, 8);
    CHECK(smaller > moved && is_filled(smaller, 8, 'q') && is_filled(q, 32, 'q'));
    cupel__free(&a, q, 32);
    cupel__free(&a, p, 32);
    CHECK(is_filled(moved, 32, 'p') && cupel__realloc(&a, NULL, 0, 16) > (void *)moved);
    p = cupel__realloc(&a, NULL, 0, 100000); /* has a block of its own */
    memset(p, 'p', 100000);
    p = cupel__realloc(&a, p, 100000, 200000);
    CHECK(is_filled(p, 100000, 'p'));
    t.fail_at = t.requests + 1;
    CHECK(cupel__realloc(&a, p, 200000, 300000) == NULL && is_filled(p, 100000, 'p'));
    CHECK(cupel__realloc(&a, p, 200000, SIZE_MAX) == NULL);
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
}

int main(void)
{
    if (!CUPEL__SMALL_BLOCKS) /* those have no room behind the newest */
        test_newest();
    test_others();
    return test_end();
}
