/* test_branches.c: what the branches of a choice ask of a value, at each bound of what is looked
 * at; with any budget that is enough it is the same, and one that is not says so. */
#include "base/json/document.h"
#include "shape.h"
#include "test.h"
#include "vm/report/branches.h"
#include <cupel/cupel.h>

/* A choice, and a value for it. */
struct asked {
    struct cupel_program *program;
    struct cupel_document *document;
    struct cupel__branches b;
};

enum { ENOUGH = 1 << 30 };

static void look(struct asked *a, int64_t left)
{
    a->b.left = left;
    cupel__branches_read_members(&a->b);
}

static bool begin(struct asked *a)
{
    const struct cupel__code *code = &a->program->report;
    a->b.code = code;
    a->b.doc = &a->document->doc;
    for (uint32_t pc = 1; pc < code->image->code.count;
         pc += cupel__op_info[CUPEL__WORD_OP(code->words[pc])].words)
        if (cupel__is_choice_op(CUPEL__WORD_OP(code->words[pc])))
            return cupel__branches_begin(&a->b, pc, 0);
    return CHECK(false);
}

static struct asked ask(const char *schema, const char *instance)
{
    struct asked a = {.program = NULL};
    struct cupel_error err = {0};
    if (!CHECK_INT(cupel_compile(schema, strlen(schema), NULL, &a.program, &err), CUPEL_OK))
        fprintf(stderr, "    %s: %s\n", err.detail, schema);
    CHECK_INT(cupel_document_new(NULL, &a.document), CUPEL_OK);
    CHECK_INT(cupel_document_read(a.document, instance, strlen(instance), NULL), CUPEL_OK);
    return a;
}

static void end(struct asked *a)
{
    cupel_program_free(a->program);
    cupel_document_free(a->document);
}

/* -- Budgets
 * ------------------------------------------------------------------------------------------------
 */

#define STRINGS_8 "\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\""

static const struct {
    const char *schema, *instance;
} choices[] = {
    {"{\"anyOf\":[{\"properties\":{\"k\":{\"const\":\"x\"},\"l\":{\"enum\":[" STRINGS_8
     "]}},\"required\":[\"k\"]},"
     "{\"properties\":{\"k\":{\"const\":\"y\"},\"n\":true}},{\"type\":\"array\"},false]}",
     "{\"k\":\"y\",\"l\":\"h\",\"m\":1}"},
    {"{\"oneOf\":[{\"anyOf\":[{\"properties\":{\"k\":{\"const\":\"x\"}}},{\"properties\":{\"k\":{"
     "\"enum\":[" STRINGS_8 "]}}}]},{\"anyOf\":[{\"type\":\"string\"},{\"minProperties\":1},{"
     "\"properties\":{\"k\":{\"const\":\"y\"}}}]}]}",
     "{\"k\":\"h\",\"kk\":1}"},
    {"{\"anyOf\":[{\"properties\":{\"k\":{\"minLength\":2,\"title\":\"t\",\"const\":\"xx\"}}},"
     "{\"properties\":{\"k\":{\"description\":\"d\",\"maxLength\":9,\"const\":\"yy\"}}}]}",
     "{\"k\":\"z\",\"o\":2}"},
    /* One tag is for the first branch, the other for the second. */
    {"{\"anyOf\":[{\"properties\":{\"k\":{\"const\":\"a\"},\"l\":{\"const\":\"b\"}}},"
     "{\"properties\":{\"k\":{\"const\":\"c\"},\"l\":{\"const\":\"d\"}}}]}",
     "{\"k\":\"a\",\"l\":\"d\"}"},
    {"{\"anyOf\":[{\"properties\":{\"name\":true,\"street\":true}},{\"properties\":{\"title\":true,"
     "\"value\":true}}]}",
     "{\"nmae\":1,\"stret\":2}"},
};

/* What is found out, in this order. */
struct answers {
    uint32_t asks[8]; /* fits, differs and knows of all branches, mixed */
    uint64_t tagged, known;
    uint32_t tag;
    bool wrong;
};

static struct answers find_out(struct asked *a, int64_t left, int64_t ret_left[3])
{
    struct answers found;
    memset(&found, 0, sizeof found);
    CHECK(begin(a));
    look(a, left);
    for (uint32_t i = 0; i < a->b.n; i++) {
        const struct cupel__branch *branch = &a->b.branch[i];
        found.asks[i] = branch->fits | branch->differs << 8 | branch->knows << 16;
    }
    ret_left[0] = a->b.left;
    found.tagged = cupel__branches_by_tag(&a->b, &found.tag, &found.wrong);
    ret_left[1] = a->b.left;
    found.known = cupel__branches_best_known(&a->b, cupel__branches_all(&a->b), 0);
    ret_left[2] = a->b.left;
    return found;
}

/* Each part that was over with something left is as it should be; and nothing goes far beyond what
 * there was. */
static void check_budget(struct asked *a, const struct answers *all, int64_t left)
{
    int64_t rest[3];
    const struct answers found = find_out(a, left, rest);
    CHECK(rest[0] <= 0 || memcmp(found.asks, all->asks, sizeof found.asks) == 0);
    CHECK(rest[1] <= 0 ||
          (found.tagged == all->tagged && found.tag == all->tag && found.wrong == all->wrong));
    CHECK(rest[2] <= 0 || found.known == all->known);
    CHECK(rest[2] > -100);
}

static void test_budgets(void)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct asked a = ask(choices[i].schema, choices[i].instance);
        int64_t rest[3];
        const struct answers all = find_out(&a, ENOUGH, rest);
        for (int64_t left = 0; left <= ENOUGH - rest[2] + 1; left++)
            check_budget(&a, &all, left);
        end(&a);
    }
}

/* What comes of these, where there is enough. */
static void test_answers(void)
{
    static const struct answers want[] = {{.tagged = 2, .tag = 2},
                                          {.tagged = 3},
                                          {.tagged = 3, .tag = 2, .wrong = true},
                                          {.tagged = 3},
                                          {.tagged = 3, .known = 1}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct asked a = ask(choices[i].schema, choices[i].instance);
        int64_t rest[3];
        const struct answers all = find_out(&a, ENOUGH, rest);
        CHECK_INT(all.tagged, want[i].tagged);
        CHECK_INT(all.tag, want[i].tag);
        CHECK_INT(all.wrong, want[i].wrong);
        if (want[i].known != 0)
            CHECK_INT(all.known, want[i].known);
        end(&a);
    }
}

/* -- Bounds
 * -------------------------------------------------------------------------------------------------
 */

static void test_many_branches(void)
{
    for (int n = 63; n <= 65; n++) {
        char *schema = numbered("{\"anyOf\":[", "{\"properties\":{\"k\":{\"const\":%d}}}", n, "]}");
        struct asked a = ask(schema, "{\"k\":true}");
        CHECK_INT(begin(&a), n <= 64);
        if (n <= 64) {
            uint32_t tag = 0;
            bool wrong;
            look(&a, ENOUGH);
            CHECK(cupel__branches_all(&a.b) == (n == 64 ? UINT64_MAX : UINT64_MAX >> 1));
            CHECK(cupel__branches_by_tag(&a.b, &tag, &wrong) == cupel__branches_all(&a.b));
            CHECK(wrong && tag == 2);
        }
        end(&a);
        free(schema);
    }
}

/* Whether the last of n values, or of n schemas, is seen to be the one that is there. */
static void check_seen(const char *before, const char *each, const char *after, int n, bool seen)
{
    char instance[32];
    char *schema = numbered(before, each, n, after);
    snprintf(instance, sizeof instance, "{\"k\":%d}", n - 1);
    struct asked a = ask(schema, instance);
    if (CHECK(begin(&a))) {
        look(&a, ENOUGH);
        CHECK_INT(a.b.branch[0].fits, seen);
    }
    end(&a);
    free(schema);
}

static void test_many_values(void)
{
    for (int n = 255; n <= 257; n++)
        check_seen("{\"anyOf\":[{\"properties\":{\"k\":{\"enum\":[", "%d",
                   "]}}},{\"type\":\"null\"}]}", n, n <= 256);
    for (int n = 63; n <= 65; n++)
        check_seen("{\"anyOf\":[{\"title\":\"t\",\"anyOf\":[",
                   "{\"properties\":{\"k\":{\"const\":%d}}}", "]},{\"type\":\"null\"}]}", n,
                   n <= 64);
}

/* A name is compared with the first so many that a branch knows. */
static void test_many_names(void)
{
    for (int n = 62; n <= 64; n++) {
        char *schema = numbered("{\"anyOf\":[{\"properties\":{", "\"%d\":true", n,
                                ",\"longer name\":true}},{\"type\":\"null\"}]}");
        struct asked a = ask(schema, "{\"longer nmae\":1}");
        if (CHECK(begin(&a))) {
            look(&a, ENOUGH);
            CHECK_INT(cupel__branches_best_known(&a.b, 1, 0), n < 64);
        }
        end(&a);
        free(schema);
    }
}

/* Of branches that know the same the one that misses less is meant; more than 999 is much. */
static void test_missing(void)
{
    struct asked a = ask("{\"anyOf\":[{\"properties\":{\"a\":true,\"b\":true}},{\"properties\":{"
                         "\"a\":true,\"c\":true}}]}",
                         "{\"a\":1}");
    if (CHECK(begin(&a))) {
        look(&a, ENOUGH);
        for (int less = 997; less <= 1000; less++) {
            a.b.branch[0].missing = less + 1;
            a.b.branch[1].missing = less;
            CHECK_INT(cupel__branches_best_known(&a.b, 3, 0), less < 999 ? 2 : 0);
        }
    }
    end(&a);
}

int main(void)
{
    test_budgets();
    test_answers();
    test_many_branches();
    test_many_values();
    test_many_names();
    test_missing();
    return test_end();
}
