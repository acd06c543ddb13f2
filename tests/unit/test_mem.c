/* test_mem.c: base/memory.c: growing arrays, the arena, strings and error structs. */
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "test.h"

static void test_grow(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc a = test_allocator(&t);
    int *p = NULL;
    size_t cap = 0;
    CHECK_INT(cupel__grow(&a, (void **)&p, &cap, 1, sizeof *p), CUPEL_OK);
    CHECK(cap >= 1 && t.live == cap * sizeof *p);
    p[0] = 7;
    size_t before = cap;
    CHECK_INT(cupel__grow(&a, (void **)&p, &cap, before, sizeof *p), CUPEL_OK);
    CHECK_INT(cap, before);
    CHECK_INT(cupel__grow(&a, (void **)&p, &cap, before + 1, sizeof *p), CUPEL_OK);
    CHECK(cap >= before + before / 2 && p[0] == 7);

    before = cap;
    int *old = p;
    t.fail_at = t.requests + 1;
    CHECK_INT(cupel__grow(&a, (void **)&p, &cap, cap + 1, sizeof *p), CUPEL_E_NO_MEMORY);
    CHECK(p == old && cap == before && p[0] == 7);
    CHECK_INT(cupel__grow(&a, (void **)&p, &cap, SIZE_MAX / 2, sizeof *p), CUPEL_E_NO_MEMORY);
    CHECK(p == old && cap == before);
    cupel__free(&a, p, cap * sizeof *p);
    CHECK_INT(t.live, 0);
}

/* Refuses, and tells in *ctx how much it was asked for. */
static void *refuse(void *ctx, void *p, size_t old, size_t size)
{
    (void)p;
    (void)old;
    *(size_t *)ctx = size;
    return NULL;
}

/* Growth beyond what is needed must not make a size that no object can have. */
static void test_grow_huge(void)
{
    size_t asked = 0, cap = 0;
    struct cupel_alloc a = {refuse, &asked};
    void *p = NULL;
    CHECK_INT(cupel__grow(&a, &p, &cap, 3, PTRDIFF_MAX / 5), CUPEL_E_NO_MEMORY);
    CHECK(asked >= PTRDIFF_MAX / 5 * (size_t)3 && asked <= PTRDIFF_MAX);
    asked = 0;
    CHECK_INT(cupel__grow(&a, &p, &cap, 6, PTRDIFF_MAX / 5), CUPEL_E_NO_MEMORY);
    CHECK_INT(asked, 0);
    cap = 4;
    CHECK_INT(cupel__grow(&a, &p, &cap, 5, PTRDIFF_MAX / 5), CUPEL_E_NO_MEMORY);
    CHECK_INT(asked, PTRDIFF_MAX / 5 * (size_t)5); /* not half as much again */
}

/* Memory that is anything but zero. */
static void *dirty_realloc(void *ctx, void *p, size_t old, size_t size)
{
    char *q = test_realloc(ctx, p, old, size);
    if (q != NULL && size > old)
        memset(q + old, 0xa5, size - old);
    return q;
}

static bool is_zero(const char *p, size_t n)
{
    while (n > 0 && p[n - 1] == 0)
        n--;
    return n == 0;
}

static void test_arena(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc a = {dirty_realloc, &t};
    struct cupel__arena arena;
    cupel__arena_init(&arena, &a, 0);
    CHECK_INT(t.requests, 0);
    static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 5000, 100000, 300000, 3, 70000};
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            char *p = cupel__arena_alloc(&arena, sizes[i]);
            CHECK(p != NULL && (uintptr_t)p % 16 == 0 && is_zero(p, sizes[i]));
            memset(p, 0xa5, sizes[i]); /* an overlap would be seen by a later is_zero */
        }
    }
    CHECK_INT(arena.total, t.live);
    CHECK(cupel__arena_alloc(&arena, SIZE_MAX) == NULL);
    CHECK(cupel__arena_array(&arena, SIZE_MAX / 8, 16) == NULL);
    CHECK(cupel__arena_array(&arena, 3, 5) != NULL);
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
    CHECK(cupel__arena_alloc(&arena, 10) != NULL); /* usable again */
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
}

enum { FIRST = CUPEL__SMALL_BLOCKS ? 56 : 4096 }; /* the first block of an arena */

static void test_arena_blocks(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc a = test_allocator(&t);
    struct cupel__arena arena;
    cupel__arena_init(&arena, &a, 0);
    CHECK(cupel__arena_alloc(&arena, 16) != NULL);
    CHECK_INT(arena.total, FIRST);
    for (size_t n = 0; n < 1 << 20; n += 16)
        (void)cupel__arena_alloc(&arena, 16);
    CHECK(arena.total > 1 << 20);
    if (!CUPEL__SMALL_BLOCKS)
        CHECK(t.requests < 16); /* doubling, then steps of 256 KiB */
    size_t used = arena.used;
    CHECK(cupel__arena_alloc(&arena, 1 << 20) != NULL);
    CHECK_INT(arena.used, used); /* a large one leaves the shared block alone */
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
}

static void test_arena_limit(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc a = test_allocator(&t);
    struct cupel__arena arena;
    cupel__arena_init(&arena, &a, 10000);
    size_t n = 0;
    while (cupel__arena_alloc(&arena, 100) != NULL)
        n++;
    CHECK(n >= (CUPEL__SMALL_BLOCKS ? 60 : 80) && n <= 100);
    CHECK(arena.total <= 10000 && t.live == arena.total);
    cupel__arena_free(&arena);

    cupel__arena_init(&arena, &a, FIRST); /* just what the first block takes */
    CHECK(cupel__arena_alloc(&arena, 16) != NULL && arena.total == FIRST);
    cupel__arena_free(&arena);

    t.fail_at = t.requests + 2; /* the second block */
    cupel__arena_init(&arena, &a, 0);
    CHECK(cupel__arena_alloc(&arena, 4000) != NULL);
    CHECK(cupel__arena_alloc(&arena, 4000) == NULL || t.requests > t.fail_at);
    CHECK(cupel__arena_alloc(&arena, 4000) != NULL);
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
}

/* The first block may be as large as what is going to be needed, where that is known and is not too
 * much. */
static void test_arena_reserve(void)
{
    enum { MOST = CUPEL__SMALL_BLOCKS ? 128 : 256 * 1024 };
    static const size_t sizes[] = {0, FIRST, FIRST + 16, MOST, MOST + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct test_alloc t = {0};
        struct cupel_alloc a = test_allocator(&t);
        struct cupel__arena arena;
        bool fits = sizes[i] > FIRST && sizes[i] <= MOST;
        cupel__arena_init(&arena, &a, 0);
        cupel__arena_reserve(&arena, sizes[i]);
        CHECK_INT(arena.total, fits ? sizes[i] : 0);
        CHECK(cupel__arena_alloc(&arena, 16) != NULL);
        CHECK_INT(arena.total, fits ? sizes[i] : FIRST);
        cupel__arena_reserve(&arena, MOST); /* it has begun: nothing more */
        CHECK_INT(arena.total, fits ? sizes[i] : FIRST);
        cupel__arena_free(&arena);
        CHECK_INT(t.live, 0);
    }
}

/* What was put there in a run before is not seen, whatever number the run has. */
static void test_map_runs(void)
{
    struct cupel__slot slots[4] = {{0}};
    struct cupel__map m = {.slots = slots, .n = 4, .max_slots = 4, .generation = UINT32_MAX - 1};
    for (uint32_t round = 0; round < 4; round++) {
        size_t at = 0;
        cupel__map_clear(&m);
        CHECK(m.generation != 0 && m.used == 0);
        CHECK(cupel__map_next(&m, 7, &at) == NULL);
        CHECK(cupel__map_has_capacity(&m, 1));
        cupel__map_put(&m, at, 7, round);
        at = 0;
        struct cupel__slot *slot = cupel__map_next(&m, 7, &at);
        CHECK(slot != NULL && slot->value == round);
    }
    struct cupel__map none = {.generation = UINT32_MAX};
    size_t at = 0;
    cupel__map_clear(&none);
    CHECK_INT(none.generation, 1);
    CHECK(cupel__map_next(&none, 7, &at) == NULL);
}

static void test_str(void)
{
    CHECK(cupel__str_eq(CUPEL__STR("a\0b"), CUPEL__STR("a\0b")));
    CHECK(!cupel__str_eq(CUPEL__STR("a\0b"), CUPEL__STR("a\0c")));
    CHECK(!cupel__str_eq(CUPEL__STR("a"), CUPEL__STR("ab")));
    CHECK(cupel__str_eq((struct cupel__str){NULL, 0}, CUPEL__STR("")));
    CHECK(cupel__str_cmp(CUPEL__STR("a"), CUPEL__STR("b")) < 0);
    CHECK(cupel__str_cmp(CUPEL__STR("ab"), CUPEL__STR("a")) > 0);
    CHECK(cupel__str_cmp(CUPEL__STR("\xff"), CUPEL__STR("a")) > 0);
    CHECK(cupel__str_cmp(CUPEL__STR(""), (struct cupel__str){NULL, 0}) == 0);

    struct cupel__arena arena;
    cupel__arena_init(&arena, NULL, 0);
    char text[] = "gold";
    struct cupel__str copy = cupel__str_dup(&arena, (struct cupel__str){text, 4});
    text[0] = 'c';
    CHECK_MEM(copy.p, copy.n, "gold");
    copy = cupel__str_dup(&arena, (struct cupel__str){NULL, 0});
    CHECK(copy.p != NULL && copy.n == 0);
    cupel__arena_free(&arena);
}

static void test_error_set(void)
{
    struct cupel_error e;
    memset(&e, 'x', sizeof e);
    CHECK_INT(cupel__error_set(&e, CUPEL_E_SYNTAX, "%s %d", "at", 5), CUPEL_E_SYNTAX);
    CHECK_INT(e.status, CUPEL_E_SYNTAX);
    CHECK_STR(e.detail, "at 5");
    CHECK_STR(e.where, "");
    CHECK(e.line == 0 && e.column == 0 && e.offset == 0);
    CHECK_INT(cupel__error_set(NULL, CUPEL_E_UTF8, "%s", "x"), CUPEL_E_UTF8);

    cupel__error_set(&e, CUPEL_E_UTF8, "%s",
                     "a\x01"
                     "b\x7f\xff\xc2\x85\xc3\xa9\xe2\x80");
    CHECK_STR(e.detail, "a?b???\xc3\xa9??");
    cupel__error_set(&e, CUPEL_E_UTF8, "%s.", e.detail); /* its own field as an argument */
    CHECK_STR(e.detail, "a?b???\xc3\xa9??.");
}

/* Fills e.detail with `n` times `unit` and returns its length, which must not depend on luck. */
static size_t detail_of(struct cupel_error *e, const char *unit, size_t n)
{
    struct cupel_text b;
    cupel_text_init(&b, NULL);
    for (size_t i = 0; i < n; i++)
        cupel_text_adds(&b, unit);
    cupel_text_add(&b, "", 1);
    memset(e, 'x', sizeof *e);
    cupel__error_set(e, CUPEL_E_SYNTAX, "%s", b.bytes);
    cupel_text_free(&b);
    return strlen(e->detail);
}

static void test_error_cut(void)
{
    struct cupel_error e;
    CHECK_INT(detail_of(&e, "a", 255), 255);
    CHECK_INT(e.detail[254], 'a');
    CHECK_INT(detail_of(&e, "a", 256), 255);
    CHECK_STR(e.detail + 252, "\xe2\x80\xa6");
    CHECK_INT(detail_of(&e, "\xc3\xa9", 127), 254);
    CHECK_INT(detail_of(&e, "\xc3\xa9", 128), 255);
    CHECK_STR(e.detail + 250, "\xc3\xa9\xe2\x80\xa6");
    CHECK_INT(detail_of(&e, "\xf0\x9f\x92\xa9", 100), 255);
    CHECK_STR(e.detail + 248, "\xf0\x9f\x92\xa9\xe2\x80\xa6");
    CHECK_INT(detail_of(&e, "\xc2\x85", 5000), 255); /* longer than any buffer on the way */
    CHECK_STR(e.detail + 251, "?\xe2\x80\xa6");

    cupel__error_set_pointer(&e, "/a/b\n\0c", 7);
    CHECK_STR(e.where, "/a/b??c");
    cupel__error_set_pointer(&e, NULL, 0);
    CHECK_STR(e.where, "");
    char pointer[400];
    memset(pointer, '/', sizeof pointer);
    cupel__error_set_pointer(&e, pointer, sizeof pointer);
    CHECK_STR(e.where + 250, "//\xe2\x80\xa6");
    cupel__error_set_pointer(NULL, pointer, sizeof pointer);
}

static void check_place(const char *text, size_t offset, uint32_t line, uint32_t column)
{
    struct cupel_error e = {0};
    cupel__error_set_position(&e, text, strlen(text), offset);
    CHECK_INT(e.line, line);
    CHECK_INT(e.column, column);
    CHECK_INT(e.offset, offset);
}

static void test_error_place(void)
{
    check_place("", 0, 1, 1);
    check_place("abc", 2, 1, 3);
    check_place("abc", 3, 1, 4);
    check_place("a\nbc\nd", 1, 1, 2);
    check_place("a\nbc\nd", 2, 2, 1);
    check_place("a\r\nbc\nd", 6, 3, 1);
    check_place("\xc3\xa9\xf0\x9f\x92\xa9x", 6, 1, 3);
    check_place("a\x80", 1, 1, 2);
    struct cupel_error e = {0};
    cupel__error_set_position(&e, "ab", 2, 99);
    CHECK_INT(e.offset, 2);
    cupel__error_set_position(NULL, "ab", 2, 1);
}

/* What was needed once is there the next time, zeroed, without asking. */
/* Memory that is not zeroed costs the zeroes behind it nothing. */
static void test_arena_raw(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc a = {dirty_realloc, &t};
    struct cupel__arena arena;
    cupel__arena_init(&arena, &a, 0);
    cupel__arena_reserve(&arena, 20000);
    CHECK_INT(arena.total, CUPEL__SMALL_BLOCKS ? 0 : 20000);
    for (int i = 0; i < 300; i++) {
        char *raw = cupel__arena_alloc_uninit(&arena, i == 150 ? 70000 : (size_t)(i % 40)), *p;
        CHECK(raw != NULL && (p = cupel__arena_alloc(&arena, (size_t)i * 7)) != NULL &&
              is_zero(p, (size_t)i * 7));
        memset(raw, 0xa5, (size_t)(i % 40));
    }
    CHECK(cupel__arena_alloc_uninit(&arena, SIZE_MAX) == NULL);
    CHECK_INT(arena.total, t.live);
    cupel__arena_free(&arena);
    t.fail_at = t.requests + 1; /* what cannot be reserved is asked for later */
    cupel__arena_reserve(&arena, 20000);
    CHECK(arena.total == 0 && cupel__arena_alloc(&arena, 10) != NULL);
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
}

static void test_arena_reset(void)
{
    struct test_alloc t = {0};
    struct cupel_alloc a = test_allocator(&t);
    struct cupel__arena arena;
    cupel__arena_init(&arena, &a, 0);
    cupel__arena_reset(&arena);
    unsigned long requests = 0;
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < 300; i++) {
            unsigned char *p = cupel__arena_alloc(&arena, i % 7 == 0 ? 70000 : 100);
            CHECK(p != NULL && p[0] == 0 && p[99] == 0);
            memset(p, 0xff, 100);
        }
        cupel__arena_reset(&arena);
        CHECK(round == 0 || t.requests == requests);
        requests = t.requests;
    }
    CHECK_INT(arena.total, t.live);
    for (size_t i = 0; i < 100; i++)
        CHECK(cupel__arena_alloc(&arena, 70000) != NULL);
    t.fail_at = t.requests + 1;
    t.for_ever = true;
    cupel__arena_reset(&arena); /* the one block is not to be had */
    CHECK(arena.total == 0 && cupel__arena_alloc(&arena, 10) == NULL);
    t.for_ever = false;
    CHECK(cupel__arena_alloc(&arena, 10) != NULL);
    cupel__arena_free(&arena);
    CHECK_INT(t.live, 0);
}

int main(void)
{
    test_grow();
    test_grow_huge();
    test_arena();
    test_arena_blocks();
    test_arena_reserve();
    test_map_runs();
    test_arena_limit();
    test_arena_reset();
    test_arena_raw();
    test_str();
    test_error_set();
    test_error_cut();
    test_error_place();
    return test_end();
}
