/* test_listing.c: pages, personas, cursors, capabilities. */
#include "test.h"
#include <cupel/cupel.h>

#define LEN(s) (sizeof(s) - 1)
#define INPUT  "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}"

static const char list[] =
    "[{\"name\":\"a\"," INPUT "}, {\"name\":\"b\",\"description\":\"B\"," INPUT "},\n"
    "{\"name\":\"bad\",\"inputSchema\":null},"
    "{\"name\":\"c\",\"namespace\":\"n\",\"version\":\"1.0.0\"," INPUT "}]";

static enum cupel_status make(const struct cupel_alloc *alloc, struct cupel_catalog **ret)
{
    struct cupel_catalog_options options;
    struct cupel_options engine;
    cupel_catalog_options_init(&options);
    cupel_options_init(&engine);
    options.engine = &engine;
    options.profile = CUPEL_MCP_2025_06_18;
    if (alloc != NULL)
        engine.alloc = *alloc;
    enum cupel_status status = cupel_catalog_new(&options, ret);
    return status == CUPEL_OK ? cupel_catalog_add(*ret, list, LEN(list), NULL) : status;
}

/* -- Pages ------------------------------------------------------------------------------------ */

/* Follows the cursors from page to page, and puts the names together. */
static void read_pages(const struct cupel_catalog *catalog, uint32_t page, struct cupel_text *names,
                       unsigned *ret_pages)
{
    struct cupel_text text;
    char cursor[64];
    size_t len = 0;
    bool more = true;
    *ret_pages = 0;
    cupel_text_init(&text, NULL);
    cupel_text_clear(names);
    while (more && ++*ret_pages < 10) {
        struct cupel_catalog *read = NULL;
        cupel_text_clear(&text);
        CHECK_INT(
            cupel_catalog_list_write(catalog, *ret_pages == 1 ? NULL : cursor, len, page, &text),
            CUPEL_OK);
        CHECK_INT(cupel_catalog_new(NULL, &read), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(read, text.bytes, text.len, NULL), CUPEL_OK);
        for (uint32_t i = 0; i < cupel_catalog_count(read); i++)
            cupel_text_addf(names, "%s ", cupel_catalog_tool(read, i)->name);
        const struct cupel_list_page *last = cupel_catalog_last_page(read);
        len = last->next_cursor_len;
        more = last->next_cursor != NULL;
        if (more)
            memcpy(cursor, last->next_cursor, len);
        cupel_catalog_free(read);
    }
    cupel_text_free(&text);
}

static void test_pages(void)
{
    static const unsigned pages[] = {1, 3, 2, 1, 1};
    struct cupel_catalog *catalog = NULL;
    struct cupel_text names;
    unsigned count;
    cupel_text_init(&names, NULL);
    CHECK_INT(make(NULL, &catalog), CUPEL_OK);
    for (uint32_t page = 0; page < 5; page++) {
        read_pages(catalog, page, &names, &count);
        CHECK_MEM(names.bytes, names.len, "a b c ");
        CHECK_INT(count, pages[page]);
    }
    static const char *const strange[] = {"", "0", "1", "9-0000000000000000", "-", "0-", "x"};
    for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
        cupel_text_clear(&names);
        CHECK_INT(cupel_catalog_list_write(catalog, strange[i], strlen(strange[i]), 1, &names),
                  CUPEL_E_ARGUMENT);
        CHECK_INT(names.len, 0);
    }
    cupel_text_free(&names);
    cupel_catalog_free(catalog);
}

/* An empty cursor is one; a page without leaves none. */
static void test_cursor(void)
{
    static const char first[] = "{\"result\":{\"tools\":[],\"nextCursor\":\"\"}}";
    static const char second[] = "{\"tools\":[],\"nextCursor\":null}";
    struct cupel_catalog *catalog = NULL;
    CHECK_INT(cupel_catalog_new(NULL, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, first, LEN(first), NULL), CUPEL_OK);
    CHECK(cupel_catalog_last_page(catalog)->next_cursor != NULL);
    CHECK_INT(cupel_catalog_last_page(catalog)->next_cursor_len, 0);
    CHECK_INT(cupel_catalog_add(catalog, second, LEN(second), NULL), CUPEL_OK);
    CHECK(cupel_catalog_last_page(catalog)->next_cursor == NULL);
    cupel_catalog_free(catalog);
}

/* -- One reading ------------------------------------------------------------------------------ */

#define TOOLS "\"tools\":[{\"name\":\"t\"," INPUT "}]"

/* What stands around a list; NULL: the list is found, and has the one tool. */
static const struct {
    const char *text, *where;
} envelopes[] = {
    {"[{\"name\":\"t\"," INPUT "}]", NULL},
    {"{" TOOLS "}", NULL},
    {"{\"result\":{" TOOLS "}}", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{" TOOLS "}}", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"x\":{\"tools\":[]},\"result\":{" TOOLS
     ",\"x\":{\"tools\":[]}}}",
     NULL},
    {"{\"cupelLock\":1,\"result\":{" TOOLS "}}", NULL},
    {"{\"cupelLock\":1,\"jsonrpc\":\"2.0\",\"result\":{" TOOLS ",\"cupelLock\":1}}", NULL},
    {"{\"cupelLock\":1," TOOLS "}", "/cupelLock"},
    {"{\"result\":{" TOOLS "}," TOOLS "}", "/tools"},
    {"{\"result\":{" TOOLS "},\"tools\":[]}", "/tools"},
    {"{\"result\":{" TOOLS "},\"tools\":7}", "/tools"},
    {"{\"tools\":[],\"result\":{" TOOLS "}}", "/tools"},
    {"{\"tools\":[],\"result\":{}}", "/tools"},
    {"{\"tools\":[],\"result\":[]}", "/tools"},
    {"{\"tools\":[],\"result\":null}", "/tools"},
    {"{\"jsonrpc\":\"2.0\"," TOOLS "}", "/tools"},
    {"{\"jsonrpc\":\"2.0\"}", ""},
    {"{\"result\":[]}", "/result"},
    {"{\"result\":[{" TOOLS "}]}", "/result"},
    {"{\"result\":null}", "/result"},
    {"{\"result\":{}}", ""},
    {"{\"result\":{\"tools\":{}}}", ""},
    {"{\"result\":{\"result\":{" TOOLS "}}}", ""},
    {"{\"tools\":null}", ""},
    {"{}", ""},
    {"7", ""},
    {"{\"error\":{}}", "/error"},
    {"{\"error\":null,\"result\":{" TOOLS "}}", "/error"},
    {"{\"error\":{}," TOOLS "}", "/error"},
    {"{\"jsonrpc\":\"2.0\",\"error\":{},\"result\":{" TOOLS "}}", "/error"},
    {"{\"jsonrpc\":\"1.0\",\"result\":{" TOOLS "}}", "/jsonrpc"},
    {"{\"jsonrpc\":2.0,\"result\":{" TOOLS "}}", "/jsonrpc"},
    {"{\"method\":\"x\",\"result\":{" TOOLS "}}", "/method"},
    {"{\"result\":{" TOOLS "},\"nextCursor\":\"x\"}", "/nextCursor"},
    {"{\"result\":{" TOOLS ",\"nextCursor\":7}}", "/result/nextCursor"},
    {"{\"jsonrpc\":\"2.0\",\"result\":{" TOOLS ",\"nextCursor\":{}}}", "/result/nextCursor"},
    {"{" TOOLS ",\"nextCursor\":{}}", "/nextCursor"},
    {"{" TOOLS ",\"nextCursor\":[\"x\"]}", "/nextCursor"},
    {"{" TOOLS ",\"nextCursor\":false}", "/nextCursor"},
};

/* The tools' names are escaped in all places that decide. */
static void escape(const char *text, struct cupel_text *ret)
{
    cupel_text_clear(ret);
    for (bool in_string = false; *text != '\0'; text++) {
        in_string ^= *text == '"';
        if (in_string && *text != '"' && *text != '\\')
            cupel_text_addf(ret, "\\u%04x", (unsigned char)*text);
        else
            cupel_text_add(ret, text, 1);
    }
}

static void test_envelopes(void)
{
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < 2 * sizeof(envelopes) / sizeof(envelopes[0]); i++) {
        const char *where = envelopes[i / 2].where;
        struct cupel_catalog *catalog = NULL;
        struct cupel_error err = {0};
        cupel_text_clear(&text);
        cupel_text_adds(&text, envelopes[i / 2].text);
        if (i % 2 != 0)
            escape(envelopes[i / 2].text, &text);
        CHECK_INT(cupel_catalog_new(NULL, &catalog), CUPEL_OK);
        CHECK(cupel_catalog_last_page(catalog) == NULL);
        enum cupel_status status = cupel_catalog_add(catalog, text.bytes, text.len, &err);
        CHECK_INT(status, where == NULL ? CUPEL_OK : CUPEL_E_ARGUMENT);
        CHECK_INT(cupel_catalog_count(catalog), where == NULL);
        CHECK((cupel_catalog_last_page(catalog) != NULL) == (where == NULL));
        if (!CHECK_STR(err.where, where != NULL ? where : ""))
            fprintf(stderr, "    %s\n", text.bytes);
        cupel_catalog_free(catalog);
    }
    cupel_text_free(&text);
}

/* The same letters in another case, and two letters of Unicode that fold to ASCII. */
static void test_folded_names(void)
{
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"{\"Tools\":[]," TOOLS "}", ""},
        {"{\"tool\\u017f\":[]," TOOLS "}", ""},
        {"{" TOOLS ",\"nextcursor\":\"x\"}", ""},
        {"{" TOOLS ",\"Result\":{\"tools\":[]}}", ""},
        {"{" TOOLS ",\"re\\u017fult\":{\"tools\":[]}}", ""},
        {"{" TOOLS ",\"JsonRpc\":\"2.0\"}", ""},
        {"{\"result\":{" TOOLS "},\"RESULT\":{\"tools\":[]}}", ""},
        {"{\"result\":{" TOOLS "},\"Error\":{}}", ""},
        {"{\"result\":{" TOOLS "},\"TOOLS\":[]}", ""},
        {"{\"result\":{" TOOLS ",\"TOOLS\":[]}}", "/result"},
        {"{\"result\":{\"TOOLS\":[]," TOOLS "}}", "/result"},
        {"{\"result\":{" TOOLS ",\"NextCursor\":\"x\"}}", "/result"},
        {"{\"result\":{" TOOLS ",\"TTLms\":1}}", "/result"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cupel_catalog *catalog = NULL;
        struct cupel_error err = {0};
        CHECK_INT(cupel_catalog_new(NULL, &catalog), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(catalog, cases[i].text, strlen(cases[i].text), &err),
                  CUPEL_E_ARGUMENT);
        if (!CHECK_STR(err.where, cases[i].where) ||
            !CHECK(strstr(err.detail, "could be read as") != NULL))
            fprintf(stderr, "    %s: %s\n", cases[i].text, err.detail);
        cupel_catalog_free(catalog);
    }
}

/* A second list under the name of the first one. */
static void test_twice(void)
{
    static const char *const texts[] = {
        "{" TOOLS ",\"tools\":[]}",
        "{\"tools\":[]," TOOLS "}",
        "{\"result\":{" TOOLS "},\"result\":{\"tools\":[]}}",
        "{\"result\":{" TOOLS ",\"to\\u006fls\":[]}}",
        "{\"result\":{" TOOLS ",\"nextCursor\":\"\",\"nextCursor\":null}}",
        "{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\",\"result\":{" TOOLS "}}",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct cupel_catalog *catalog = NULL;
        CHECK_INT(cupel_catalog_new(NULL, &catalog), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(catalog, texts[i], strlen(texts[i]), NULL),
                  CUPEL_E_DUPLICATE_KEY);
        cupel_catalog_free(catalog);
    }
}

static void test_page_fields(void)
{
    static const struct {
        const char *fields;
        enum cupel_cache_scope scope;
        int64_t ttl;
        int null_cursor;
        const char *cursor;
    } cases[] = {
        {"", CUPEL_CACHE_ABSENT, -1, 0, NULL},
        {",\"cacheScope\":\"public\",\"ttlMs\":5000.0", CUPEL_CACHE_PUBLIC, 5000, 0, NULL},
        {",\"cacheScope\":\"private\",\"ttlMs\":0", CUPEL_CACHE_PRIVATE, 0, 0, NULL},
        {",\"cacheScope\":\"Public\",\"ttlMs\":-1", CUPEL_CACHE_PRIVATE, 0, 0, NULL},
        {",\"cacheScope\":null,\"ttlMs\":\"1\"", CUPEL_CACHE_PRIVATE, 0, 0, NULL},
        {",\"ttlMs\":1e30", CUPEL_CACHE_ABSENT, 0, 0, NULL},
        {",\"nextCursor\":null", CUPEL_CACHE_ABSENT, -1, 1, NULL},
        {",\"nextCursor\":\"\"", CUPEL_CACHE_ABSENT, -1, 0, ""},
        {",\"nextCursor\":\"\\u0041\"", CUPEL_CACHE_ABSENT, -1, 0, "A"},
    };
    struct cupel_document *doc = NULL;
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    CHECK_INT(cupel_document_new(NULL, &doc), CUPEL_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cupel_list_page page;
        cupel_text_clear(&text);
        cupel_text_addf(&text, "{\"result\":{%s%s}}", TOOLS, cases[i].fields);
        CHECK_INT(cupel_document_read(doc, text.bytes, text.len, NULL), CUPEL_OK);
        CHECK_INT(cupel_list_page_read(doc, &page, NULL), CUPEL_OK);
        CHECK_INT(cupel_json_count(doc, page.tools), 1);
        CHECK_INT(page.cache_scope, cases[i].scope);
        CHECK_INT(page.ttl_ms, cases[i].ttl);
        CHECK_INT(page.null_cursor, cases[i].null_cursor);
        CHECK((page.next_cursor != NULL) == (cases[i].cursor != NULL));
        if (page.next_cursor != NULL)
            CHECK_MEM(page.next_cursor, page.next_cursor_len, cases[i].cursor);
    }
    cupel_document_free(doc);
    cupel_text_free(&text);
}

/* -- Personas --------------------------------------------------------------------------------- */

static enum cupel_status derive(const struct cupel_catalog *base, struct cupel_catalog **ret)
{
    static const char *const allow[] = {"b", "n:c:*", "bad", "none"};
    static const struct cupel_description descriptions[] = {{"b", "Be\n\"quoted\""}, {"c", ""}};
    const struct cupel_persona persona = {allow, 4, descriptions, 2};
    return cupel_catalog_derive(base, &persona, ret, NULL);
}

static void test_persona(void)
{
    struct cupel_catalog *base = NULL, *mine = NULL, *nobodys = NULL;
    const struct cupel_persona nobody = {NULL, 0, NULL, 0};
    CHECK_INT(make(NULL, &base), CUPEL_OK);
    CHECK_INT(cupel_catalog_derive(base, &nobody, &nobodys, NULL), CUPEL_OK);
    CHECK_INT(cupel_catalog_count(nobodys), 0);
    CHECK_INT(derive(base, &mine), CUPEL_OK);
    CHECK_INT(cupel_catalog_count(mine), 3);
    const struct cupel_tool *b = cupel_catalog_tool(mine, 0), *c = cupel_catalog_tool(mine, 2);
    CHECK_INT(cupel_catalog_tool(mine, 1)->verdict, CUPEL_TOOL_INVALID);
    CHECK_MEM(b->text, b->text_len,
              "{\"name\":\"b\",\"description\":\"Be\\n\\\"quoted\\\"\"," INPUT "}");
    CHECK_MEM(
        c->text, c->text_len,
        "{\"description\":\"\",\"name\":\"c\",\"namespace\":\"n\",\"version\":\"1.0.0\"," INPUT
        "}");
    CHECK_INT(b->shared, 1);
    CHECK(b->input == cupel_catalog_find(base, "a", 1)->input); /* the first with this schema */
    CHECK(cupel_catalog_find(mine, "a", 1) == NULL);
    cupel_catalog_free(base); /* the programs stay */
    struct cupel_scratch *scratch = NULL;
    CHECK_INT(cupel_scratch_new(NULL, &scratch), CUPEL_OK);
    CHECK_INT(cupel_validate(b->input, scratch, "{\"a\":1}", 7, NULL), CUPEL_VALID);
    CHECK_INT(cupel_validate(c->input, scratch, "{\"a\":\"\"}", 8, NULL), CUPEL_INVALID);
    cupel_scratch_free(scratch);
    cupel_catalog_free(mine);
    cupel_catalog_free(nobodys);
}

/* Patterns against a tool's name and ID. */
static void test_patterns(void)
{
    static const struct {
        const char *pattern, *name, *space, *version;
        int allowed;
    } cases[] = {
        {"drop", "drop", NULL, NULL, 1},
        {"drop", "drop", "db", NULL, 1},
        {"drop*", "drop", NULL, NULL, 1},
        {"d*", "drop", "db", "1.0.0", 1},
        {"*", "drop", NULL, NULL, 1},
        {"*", "drop", "db", NULL, 1},
        {"dro", "drop", NULL, NULL, 0},
        {"drops*", "drop", NULL, NULL, 0},
        {"", "drop", NULL, NULL, 0},
        {"*drop", "drop", NULL, NULL, 0},
        {"d*p", "drop", NULL, NULL, 0},
        /* The server chooses the namespace: it opens no pattern of names. */
        {"read*", "drop", "read_only", NULL, 0},
        {"read_only*", "drop", "read_only", NULL, 0},
        {"read_only", "drop", "read_only", NULL, 0},
        {"db:drop", "drop", "db", NULL, 1},
        {"db:drop", "drop", NULL, NULL, 0},
        {"db:*", "drop", "db", NULL, 1},
        {"db:*", "drop", "db2", NULL, 0},
        {"db:*", "drop", "db", "1.0.0", 0},
        {"db:drop:*", "drop", "db", "1.0.0", 1},
        {"db:drop:1.0.0", "drop", "db", "1.0.0", 1},
        {"db:drop", "drop", "db", "1.0.0", 0},
        {"db:*:*", "drop", "db", "1.0.0", 0},
        {"*:drop", "drop", "db", NULL, 0},
        {":drop", "drop", NULL, NULL, 0},
        /* Nor is a name with a colon an ID. */
        {"db:drop", "db:drop", NULL, NULL, 0},
        {"db:*", "db:drop", NULL, NULL, 0},
        {"db*", "db:drop", NULL, NULL, 0},
        {"*", "db:drop", NULL, NULL, 0},
        {"*", "db:drop", "x", NULL, 0},
        {"x:*", "db:drop", "x", NULL, 0},
    };
    struct cupel_text text;
    cupel_text_init(&text, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cupel_catalog *base = NULL, *mine = NULL;
        cupel_text_clear(&text);
        cupel_text_addf(&text, "[{\"name\":\"%s\",%s", cases[i].name, INPUT);
        if (cases[i].space != NULL)
            cupel_text_addf(&text, ",\"namespace\":\"%s\"", cases[i].space);
        if (cases[i].version != NULL)
            cupel_text_addf(&text, ",\"version\":\"%s\"", cases[i].version);
        cupel_text_adds(&text, "}]");
        CHECK_INT(cupel_catalog_new(NULL, &base), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(base, text.bytes, text.len, NULL), CUPEL_OK);
        const struct cupel_persona persona = {&cases[i].pattern, 1, NULL, 0};
        CHECK_INT(cupel_catalog_derive(base, &persona, &mine, NULL), CUPEL_OK);
        if (!CHECK_INT(cupel_catalog_count(mine), cases[i].allowed))
            fprintf(stderr, "    %s: %s\n", cases[i].pattern, text.bytes);
        cupel_catalog_free(base);
        cupel_catalog_free(mine);
    }
    cupel_text_free(&text);
}

static void test_no_memory(void)
{
    for (unsigned long n = 1;; n++) {
        struct test_alloc failing = {0};
        struct cupel_alloc alloc = test_allocator(&failing);
        struct cupel_catalog *base = NULL, *mine = NULL;
        CHECK_INT(make(&alloc, &base), CUPEL_OK);
        unsigned long before = failing.requests;
        failing.fail_at = before + n;
        failing.for_ever = true;
        enum cupel_status status = derive(base, &mine);
        CHECK_INT(status, failing.requests < before + n ? CUPEL_OK : CUPEL_E_NO_MEMORY);
        cupel_catalog_free(mine);
        cupel_catalog_free(base);
        CHECK_INT(failing.live, 0);
        if (status == CUPEL_OK || !CHECK(n < 1000))
            break;
    }
}

/* -- Capabilities ----------------------------------------------------------------------------- */

static const struct capability_case {
    const char *text;
    enum cupel_status status;
    int tools, list_changed;
    const char *where;
} capability_cases[] = {
    {"{\"capabilities\":{\"tools\":{\"listChanged\":true}}}", CUPEL_OK, 1, 1, ""},
    {"{\"capabilities\":{\"tools\":{}}}", CUPEL_OK, 1, 0, ""},
    {"{\"capabilities\":{\"prompts\":7}}", CUPEL_OK, 0, 0, ""},
    {"{\"jsonrpc\":\"2.0\",\"result\":{\"capabilities\":{\"tools\":{\"listChanged\":false}}}}",
     CUPEL_OK, 1, 0, ""},
    {"{}", CUPEL_E_ARGUMENT, 0, 0, "/capabilities"},
    {"{\"capabilities\":[]}", CUPEL_E_ARGUMENT, 0, 0, "/capabilities"},
    {"{\"capabilities\":{\"tools\":true}}", CUPEL_E_ARGUMENT, 0, 0, "/capabilities/tools"},
    {"{\"capabilities\":{\"tools\":{\"listChanged\":\"yes\"}}}", CUPEL_E_ARGUMENT, 0, 0,
     "/capabilities/tools/listChanged"},
    {"{", CUPEL_E_SYNTAX, 0, 0, NULL},
};

static void test_capabilities(void)
{
    for (size_t i = 0; i < sizeof(capability_cases) / sizeof(capability_cases[0]); i++) {
        const struct capability_case *c = &capability_cases[i];
        struct cupel_tools_capability capability = {0, 0};
        struct cupel_error err = {0};
        struct test_alloc counted = {.fail_at = 0};
        struct cupel_alloc alloc = test_allocator(&counted);
        CHECK_INT(cupel_capabilities_read(c->text, strlen(c->text), i % 2 ? NULL : &alloc,
                                          &capability, &err),
                  c->status);
        CHECK(counted.live == 0 && (counted.requests > 0) == (i % 2 == 0));
        CHECK_INT(capability.tools, c->tools);
        CHECK_INT(capability.list_changed, c->list_changed);
        if (c->where != NULL)
            CHECK_STR(err.where, c->where);
    }
}

int main(void)
{
    test_pages();
    test_cursor();
    test_envelopes();
    test_twice();
    test_folded_names();
    test_page_fields();
    test_persona();
    test_patterns();
    test_no_memory();
    test_capabilities();
    return test_end();
}
