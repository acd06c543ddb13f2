/* test_scopes.c: dynamic anchors of several names, and references of two dialects by one name: what
 * values pass. Which schema a single reference means is test_resolve.c's. */
#include "test.h"
#include <cupel/cupel.h>

#define V1    "\"$schema\": \"https://json-schema.org/v1\""
#define D2020 "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\""

struct meaning {
    const char *schema, *valid, *invalid;
};

/* Resource c binds both names, b and e one each; d binds one and is on no way. */
#define BOTH(properties)                                                                      \
    "{\"$id\": \"x:root\", \"properties\": {" properties "}, \"$defs\": {"                    \
    "\"b\": {\"$id\": \"b\", \"$defs\": {\"y\": {\"$dynamicAnchor\": \"y\", \"properties\": " \
    "{\"x\": "                                                                                \
    "{\"$dynamicRef\": \"e#x\"}}}}},"                                                         \
    "\"c\": {\"$id\": \"c\", \"properties\": {\"b\": {\"$ref\": \"b#y\"}, \"y\": "            \
    "{\"$dynamicRef\": \"b#y\"}}, "                                                           \
    "\"$defs\": {\"x\": {\"$dynamicAnchor\": \"x\", \"type\": \"null\"}, "                    \
    "\"y\": {\"$dynamicAnchor\": \"y\", \"type\": \"string\"}}},"                             \
    "\"d\": {\"$id\": \"d\", \"$defs\": {\"y\": {\"$dynamicAnchor\": \"y\", \"type\": "       \
    "\"boolean\"}}},"                                                                         \
    "\"e\": {\"$id\": \"e\", \"$defs\": {\"x\": {\"$dynamicAnchor\": \"x\", \"type\": "       \
    "\"integer\"}}}}}"
#define WAYS                                                                                       \
    BOTH("\"c\": {\"$ref\": \"c\"}, \"e\": {\"$ref\": \"e\"}, \"x\": {\"$dynamicRef\": \"e#x\"}, " \
         "\"y\": {\"$dynamicRef\": \"b#y\"}, \"z\": {\"$dynamicRef\": \"b#y\"}")

/* A list of 2020-12 in a document of v1; both refer by the name n, in either order. */
#define MIXED(first, second)                                                            \
    "{" V1 ", \"$id\": \"x:r\", \"prefixItems\": [" first ", " second "], \"$defs\": {" \
    "\"n\": {\"$dynamicAnchor\": \"n\", \"type\": \"string\"}, "                        \
    "\"list\": {" D2020 ", \"$id\": \"x:list\", \"items\": {\"$dynamicRef\": \"#n\"}, " \
    "\"$defs\": {\"n\": {\"$dynamicAnchor\": \"n\"}}}}}"
#define CLOSED "{\"$ref\": \"x:list\"}"
#define OPEN   "{\"$dynamicRef\": \"n\"}"

static const struct meaning meanings[] = {
    /* Past the root, which binds nothing, a reference means its own target … */
    {WAYS, "{\"y\": {\"x\": 1}, \"z\": \"s\"}", "{\"y\": {\"x\": null}}"},
    {WAYS, "{\"x\": 1}", "{\"x\": null}"},
    {WAYS, "{\"y\": true}", "{\"z\": {\"x\": \"s\"}}"},
    /* … and past c what c says, of either name, also in what the other name means. */
    {WAYS, "{\"c\": {\"y\": \"s\"}}", "{\"c\": {\"y\": {}}}"},
    {WAYS, "{\"c\": {\"y\": \"true\"}}", "{\"c\": {\"y\": true}}"},
    {WAYS, "{\"c\": {\"b\": {\"x\": null}}}", "{\"c\": {\"b\": {\"x\": 1}}}"},

    {MIXED(CLOSED, OPEN), "[[\"s\"], \"s\"]", "[[1]]"},
    {MIXED(CLOSED, OPEN), "[[]]", "[[], 1]"},
    {MIXED(OPEN, CLOSED), "[\"s\", [\"s\"]]", "[\"s\", [1]]"},
    {MIXED(OPEN, CLOSED), "[\"s\"]", "[1]"},
    {MIXED(CLOSED, "{\"items\": {\"items\": {\"items\": " OPEN "}}}"), "[[\"s\"], [[[\"s\"]]]]",
     "[[\"s\"], [[[1]]]]"},
    {MIXED(CLOSED, "{\"items\": {\"items\": {\"items\": " OPEN "}}}"), "[[], [[1]]]", "[[1], []]"},
    /* In v1 an anchor and a dynamic anchor may have one name; 2020-12 comes to the anchor, which is
       not dynamic. */
    {"{" D2020 ", \"items\": {\"$dynamicRef\": \"x:v#n\"}, \"$defs\": {\"v\": {" V1
     ", \"$id\": \"x:v\", "
     "\"$defs\": {\"a\": {\"$anchor\": \"n\", \"type\": \"null\"}, \"b\": {\"$dynamicAnchor\": "
     "\"n\"}}}}}",
     "[null]", "[1]"},
    /* Of schemas that say the same either may have the anchor. */
    {"{" D2020 ", \"items\": {\"$dynamicRef\": \"#n\"}, \"$defs\": {\"a\": {\"$dynamicAnchor\": "
     "\"n\", \"type\": "
     "\"null\"}, \"b\": {\"type\": \"null\", \"$dynamicAnchor\": \"n\"}}}",
     "[null]", "[1]"},
};

static void check(const struct meaning *m)
{
    struct cupel_program *program = NULL;
    struct cupel_scratch *scratch = NULL;
    struct cupel_options options;
    struct cupel_error err = {.status = CUPEL_OK};
    bool ok = true;
    cupel_options_init(&options);
    options.flags |= CUPEL_EXPERIMENTAL;
    if (CHECK_INT(cupel_compile(m->schema, strlen(m->schema), &options, &program, &err),
                  CUPEL_OK) &&
        CHECK_INT(cupel_scratch_new(&options, &scratch), CUPEL_OK)) {
        ok = CHECK_INT(cupel_validate(program, scratch, m->valid, strlen(m->valid), NULL),
                       CUPEL_VALID);
        ok &= CHECK_INT(cupel_validate(program, scratch, m->invalid, strlen(m->invalid), NULL),
                        CUPEL_INVALID);
    }
    if (program == NULL || !ok)
        fprintf(stderr, "    for %s\n    %s, %s: %s\n", m->schema, m->valid, m->invalid,
                err.detail);
    cupel_scratch_free(scratch);
    cupel_program_free(program);
}

int main(void)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        check(&meanings[i]);
    return test_end();
}
