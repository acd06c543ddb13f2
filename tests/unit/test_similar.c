/* test_similar.c: base/similar.c: which names are taken for slips of others. */
#include "base/similar.h"
#include "test.h"

static const struct {
    const char *a, *b;
    int want;
} pairs[] = {
    {"name", "name", 0},
    {"user_id", "userId", 1}, /* the same letters */
    {"a.b", "ab", 1},
    {"a b-c", "a.b_c", 1},
    {"item", "items", 2}, /* a plural */
    {"as", "a", 2},
    {"nmae", "name", 2},
    {"colour", "color", 2},
    {"id", "ix", 2}, /* short, and as long */
    {"id", "idx", 2},
    {"x", "xy", CUPEL__NOT_SIMILAR},
    {"a", "b", CUPEL__NOT_SIMILAR},
    {"", "a", CUPEL__NOT_SIMILAR},
    {"...", "a", CUPEL__NOT_SIMILAR},
    {"abc", "xyz", CUPEL__NOT_SIMILAR},
};

int main(void)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct cupel__str a = {pairs[i].a, strlen(pairs[i].a)},
                          b = {pairs[i].b, strlen(pairs[i].b)};
        if (!CHECK_INT(cupel__similar(a, b), pairs[i].want))
            fprintf(stderr, "    %s, %s\n", pairs[i].a, pairs[i].b);
        CHECK_INT(cupel__similar(b, a), pairs[i].want);
    }
    return test_end();
}
