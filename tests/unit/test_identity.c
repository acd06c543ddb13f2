/* test_identity.c: IDs, versions and tags of tools. */
#include "../../mcp/definition/tool_id.h"
#include "test.h"
#include <cupel/cupel.h>

/* -- IDs -------------------------------------------------------------------------------------- */

static const struct id_case {
    const char *id;
    const char *parts[3]; /* the first NULL: no ID */
} id_cases[] = {
    {"lookup", {"", "lookup", ""}},
    {"shop:lookup", {"shop", "lookup", ""}},
    {"shop:lookup:v2.0.1+b", {"shop", "lookup", "v2.0.1+b"}},
    {"", {NULL}},
    {":", {NULL}},
    {"::", {NULL}},
    {"a:", {NULL}},
    {":b", {NULL}},
    {"a:b:", {NULL}},
    {"a::b", {NULL}},
    {"a:b:c:", {NULL}},
    {"a:b:c:d", {NULL}},
};

static void test_ids(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof(id_cases) / sizeof(id_cases[0]); i++) {
        const struct id_case *c = &id_cases[i];
        struct cupel__tool_id id = {.name = "untouched"};
        enum cupel_status status = cupel__tool_id_read(c->id, strlen(c->id), &id);
        CHECK_INT(status, c->parts[0] != NULL ? CUPEL_OK : CUPEL_E_ARGUMENT);
        if (c->parts[0] == NULL) {
            CHECK_STR(id.name, "untouched");
            continue;
        }
        CHECK_MEM(id.space, id.space_len, c->parts[0]);
        CHECK_MEM(id.name, id.name_len, c->parts[1]);
        CHECK_MEM(id.version, id.version_len, c->parts[2]);
        cupel_text_clear(&text);
        cupel__tool_id_write(&id, &text);
        CHECK_MEM(text.bytes, text.len, c->id);
    }
    struct cupel__tool_id versioned = {
        .name = "t", .name_len = 1, .version = "1.0.0", .version_len = 5};
    cupel_text_clear(&text);
    cupel__tool_id_write(&versioned, &text);
    CHECK_MEM(text.bytes, text.len, "t");
    cupel_text_free(&text);
}

static void test_versions(void)
{
    static const char *const good[] = {"0.0.0",   "v10.20.30", "1.2.3-a.b-c",
                                       "1.2.3+x", "1.2.3--+-", "007.1.0"};
    static const char *const bad[] = {
        "",       "v",      "1.2",    "1.2.x",    "1.2.3.4",        "vv1.2.3",
        "V1.2.3", "1.2.3-", "1.2.3+", "1.2.3-a+", "1.2.3-\xc3\xa9", "1.2.3-{",
        " 1.2.3", "1.2.3 ", "1..3"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        CHECK(cupel__tool_version_valid(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK(!cupel__tool_version_valid(bad[i], strlen(bad[i])));
}

/* -- Tags ------------------------------------------------------------------------------------- */

static const struct tag_case {
    const char *tag, *normal; /* "": nothing is left */
} tag_cases[] = {
    {"Net Work", "net-work"},
    {"\t\v\f\r\n a \xe2\x80\x83\xc2\xa0 B\xe3\x80\x80", "a-b"},
    {"a\xe2\x80\x8b"
     "b",
     "ab"}, /* a zero-width space is none */
    {"\xe2\x84\xaa"
     "elvin \xc4\xb0",
     "kelvin-i"},
    {"x - y", "x---y"},
    {"\xc3\xa9 e", "-e"},
    {"e \xc3\xa9 f", "e--f"},
    {"\xc3\xa9", ""},
    {"", ""},
    {"   ", ""},
    {"_._", "_._"},
    {"a{b", "ab"},
    {"[a]", "a"},
};

static void test_tags(void)
{
    for (size_t i = 0; i < sizeof(tag_cases) / sizeof(tag_cases[0]); i++) {
        const struct tag_case *c = &tag_cases[i];
        struct cupel_tags tags = {0}, again = {0};
        CHECK_INT(cupel__tags_add(&tags, c->tag, strlen(c->tag)), c->normal[0] != '\0');
        CHECK_INT(tags.count, c->normal[0] != '\0');
        if (tags.count == 0)
            continue;
        CHECK_STR(tags.tags[0].bytes, c->normal);
        CHECK_INT(cupel__tags_add(&tags, c->normal, strlen(c->normal)), 0);
        CHECK_INT(cupel__tags_add(&again, tags.tags[0].bytes, tags.tags[0].len), 1);
        CHECK_STR(again.tags[0].bytes, c->normal);
    }
}

static void test_tag_bounds(void)
{
    struct cupel_tags tags = {0};
    char tag[80];
    memset(tag, 'x', sizeof(tag));
    CHECK_INT(cupel__tags_add(&tags, tag, 63), 1);
    CHECK_INT(cupel__tags_add(&tags, tag, 64), 1);
    CHECK_INT(cupel__tags_add(&tags, tag, 80), 0); /* cut before it is compared */
    CHECK_INT(tags.tags[1].len, 64);
    memcpy(tag + 60, "  y z", 5);
    CHECK_INT(cupel__tags_add(&tags, tag, 65), 1);
    CHECK_STR(tags.tags[2].bytes + 60, "-y-z");
    memcpy(tag + 60, "xxx y", 5); /* the hyphen is the last byte that fits */
    CHECK_INT(cupel__tags_add(&tags, tag, 65), 1);
    CHECK_STR(tags.tags[3].bytes + 60, "xxx-");
    for (int i = 0; i < 30; i++) {
        int n = snprintf(tag, sizeof(tag), "t%d", i);
        CHECK_INT(cupel__tags_add(&tags, tag, (size_t)n), i < CUPEL_TAGS - 4);
    }
    CHECK_INT(tags.count, CUPEL_TAGS);
}

/* -- In a catalog ----------------------------------------------------------------------------- */

static void test_catalog(void)
{
    static const char list[] =
        "[{\"name\":\"a\",\"namespace\":\"n\",\"version\":\"v1.0.0\",\"tags\":[\"X y\",\"x-Y\"],"
        "\"title\":\"T\",\"inputSchema\":{\"type\":\"object\"}},"
        "{\"name\":\"a\",\"namespace\":\"m\",\"version\":\"one\",\"annotations\":{\"title\":\"U\"},"
        "\"inputSchema\":{\"type\":\"object\"}},"
        "{\"name\":\"b:c\",\"namespace\":\"n\",\"inputSchema\":{\"type\":\"object\"}},"
        "{\"name\":\"d\",\"namespace\":7,\"version\":7,\"tags\":[7,\"t\"],"
        "\"inputSchema\":{\"type\":\"object\"}}]";
    static const char more[] = "[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}},"
                               "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}]";
    struct cupel_catalog *catalog = NULL;
    CHECK_INT(cupel_catalog_new(NULL, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, list, sizeof(list) - 1, NULL), CUPEL_OK);
    const struct cupel_tool *a = cupel_catalog_tool(catalog, 0),
                            *b = cupel_catalog_tool(catalog, 1);
    const struct cupel_tool *c = cupel_catalog_tool(catalog, 2),
                            *d = cupel_catalog_tool(catalog, 3);
    CHECK_STR(a->id, "n:a:v1.0.0");
    CHECK_STR(a->label, "T");
    CHECK_INT(a->tags->count, 1);
    CHECK(cupel_catalog_find_id(catalog, "n:a:v1.0.0", 10) == a);
    CHECK(cupel_catalog_find_id(catalog, "m:a", 3) == b);
    CHECK(cupel_catalog_find_id(catalog, "a", 1) == NULL);
    CHECK(cupel_catalog_find(catalog, "a", 1) == a);
    CHECK_INT(cupel_catalog_add(catalog, more, sizeof(more) - 1, NULL), CUPEL_OK);
    CHECK(cupel_catalog_find_id(catalog, "a", 1) == cupel_catalog_tool(catalog, 4));
    CHECK(cupel_catalog_find(catalog, "a", 1) == a);
    CHECK_STR(b->label, "U");
    CHECK_STR(b->version, "one");
    CHECK_STR(b->problems[0].rule, "version-format");
    CHECK_STR(c->id, "b:c");
    CHECK_INT(c->verdict, CUPEL_TOOL_WARNING);
    CHECK_INT(d->problem_count, 3);
    CHECK_STR(d->problems[2].rule, "identity-type");
    CHECK_STR(d->tags->tags[0].bytes, "t");
    CHECK(cupel_catalog_find_id(catalog, "d", 1) == d);
    CHECK_MEM(d->text, d->text_len,
              "{\"name\":\"d\",\"namespace\":7,\"version\":7,\"tags\":[7,\"t\"],"
              "\"inputSchema\":{\"type\":\"object\"}}");
    cupel_catalog_free(catalog);
    CHECK(cupel_rule_meaning("version-format") != NULL);
    CHECK(cupel_rule_meaning("no-rule") == NULL);
}

int main(void)
{
    test_ids();
    test_versions();
    test_tags();
    test_tag_bounds();
    test_catalog();
    return test_end();
}
