/* test_declared_names.c: names that can be confused with declared ones: lengths around those that
 * the exact table compares by words, spellings, NUL, tables that grow. */
#include "mcp/definition/declared_names.h"
#include "test.h"

#include <stdlib.h>

enum { LONGEST = 40, MANY = 3000 };

static struct cupel__mcp_pool pool;

static bool is_confusable(const struct cupel__declared_names *names, const char *name, size_t len)
{
    /* A copy of its own, so that a sanitizer sees what is read behind it. */
    char *copy = malloc(len != 0 ? len : 1);
    if (len != 0)
        memcpy(copy, name, len);
    bool confusable = cupel__declared_names_confusable(names, copy, len);
    free(copy);
    return confusable;
}

/* One declared name of each length: itself, and with one character changed to upper case or to
 * another letter at each place. */
static void test_lengths(void)
{
    for (size_t len = 1; len <= LONGEST; len++) {
        struct cupel__declared_names names = {.count = 0};
        char name[LONGEST];
        for (size_t i = 0; i < len; i++)
            name[i] = (char)('a' + i % 26);
        CHECK(cupel__declared_names_add(&names, &pool, name, len));
        CHECK(cupel__declared_names_finish(&names, &pool));
        CHECK(!is_confusable(&names, name, len));
        CHECK(!is_confusable(&names, name, len - 1));
        for (size_t i = 0; i < len; i++) {
            char before = name[i];
            name[i] = (char)(before - 'a' + 'A');
            CHECK(is_confusable(&names, name, len));
            name[i] = '#';
            CHECK(!is_confusable(&names, name, len));
            name[i] = '\0';
            CHECK(is_confusable(&names, name, len));
            name[i] = before;
        }
    }
}

/* Two spellings of the same letters are both confusable: their place decides. */
static void test_spellings(void)
{
    struct cupel__declared_names names = {.count = 0};
    CHECK(!is_confusable(&names, "path", 4));
    CHECK(cupel__declared_names_add(&names, &pool, "path", 4));
    CHECK(cupel__declared_names_add(&names, &pool, "path", 4));
    CHECK(cupel__declared_names_add(&names, &pool, "Path", 4));
    CHECK(cupel__declared_names_add(&names, &pool, "file", 4));
    CHECK(cupel__declared_names_add(&names, &pool, "", 0));
    CHECK(cupel__declared_names_add(&names, &pool, "a\0b", 3));
    CHECK(cupel__declared_names_finish(&names, &pool));
    CHECK(is_confusable(&names, "path", 4));
    CHECK(is_confusable(&names, "Path", 4));
    CHECK(is_confusable(&names, "PATH", 4));
    CHECK(is_confusable(&names, "FILE", 4));
    CHECK(is_confusable(&names, "a\0b", 3));
    CHECK(!is_confusable(&names, "file", 4));
    CHECK(!is_confusable(&names, "", 0));
    CHECK(!is_confusable(&names, "other", 5));
}

/* Where declarations are unknown every name may be confused. */
static void test_incomplete(void)
{
    struct cupel__declared_names names = {.incomplete = true};
    CHECK(cupel__declared_names_add(&names, &pool, "path", 4));
    CHECK(cupel__declared_names_finish(&names, &pool));
    CHECK(is_confusable(&names, "path", 4));
    CHECK(is_confusable(&names, "other", 5));
}

/* More names than one table holds at first; some find no free slot in the exact one. */
static void test_many(void)
{
    struct cupel__declared_names names = {.count = 0};
    char name[32];
    for (int i = 0; i < MANY; i++)
        CHECK(cupel__declared_names_add(&names, &pool, name,
                                        (size_t)snprintf(name, sizeof(name), "name%d", i * 7919)));
    CHECK(cupel__declared_names_finish(&names, &pool));
    for (int i = 0; i < MANY; i++) {
        size_t len = (size_t)snprintf(name, sizeof(name), "name%d", i * 7919);
        CHECK(!is_confusable(&names, name, len));
        name[0] = 'N';
        CHECK(is_confusable(&names, name, len));
    }
}

int main(void)
{
    pool.alloc = cupel__mcp_alloc(&(struct cupel_alloc){NULL, NULL});
    test_lengths();
    test_spellings();
    test_incomplete();
    test_many();
    cupel__mcp_pool_rewind(&pool, (struct cupel__mcp_pool){pool.alloc, NULL, 0});
    return test_end();
}
