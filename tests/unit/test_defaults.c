/* test_defaults.c: the arguments of a call with the defaults of the schema filled in: which are,
 * and what is left as it was. */
#include "test.h"
#include <cupel/cupel.h>

struct filling {
    const char *schema, *arguments;
    uint32_t count;
    const char *filled; /* NULL: as they were */
};

#define TYPE "\"type\":\"object\""
#define PLAIN                                                                             \
    "\"$schema\":\"x:m\",\"$defs\":{\"m\":{\"$id\":\"x:m\",\"$vocabulary\":{" VOCABULARY( \
        "core") "}}}"
#define VOCABULARY(name) "\"https://json-schema.org/draft/2020-12/vocab/" name "\":true"

static const struct filling fillings[] = {
    {"{" TYPE "}", "{\"a\":1}", 0, NULL},
    {"{" TYPE ",\"properties\":{\"a\":{},\"b\":true}}", "{ \"a\": {\"x\": 1} }", 0, NULL},
    {"{" TYPE ",\"properties\":{\"a\":{\"default\":1}}}", "{}", 1, "{\"a\":1}"},
    {"{" TYPE ",\"properties\":{\"a\":{\"default\":1}}}", "{ \"a\": 2 }", 0, NULL},
    /* A required member is the caller's to give; another of the same length is not it. */
    {"{" TYPE ",\"properties\":{\"a\":{\"default\":1},\"b\":{},\"cc\":{\"default\":2}},"
     "\"required\":[\"b\"]}",
     "{\"b\":0}", 2, "{\"b\":0,\"a\":1,\"cc\":2}"},
    {"{" TYPE ",\"properties\":{\"a\":{\"default\":1},\"b\":{\"default\":2}},\"required\":[\"b\"]}",
     "{\"b\":0}", 1, "{\"b\":0,\"a\":1}"},
    /* Objects in objects, where the schema says what is in them. */
    {"{" TYPE
     ",\"properties\":{\"o\":{\"properties\":{\"a\":{\"default\":[1]}}},\"p\":{},\"q\":true}}",
     "{\"o\":{},\"p\":{},\"q\":{},\"r\":{}}", 1, "{\"o\":{\"a\":[1]},\"p\":{},\"q\":{},\"r\":{}}"},
    {"{" TYPE ",\"properties\":{\"o\":{\"properties\":{\"a\":{\"default\":1}}}}}", "{\"o\":[{}]}",
     0, NULL},
    /* A default that would make the call invalid. */
    {"{" TYPE ",\"properties\":{\"a\":{\"default\":\"x\",\"type\":\"integer\"}}}", "{}", 0, NULL},
    {"{" TYPE ",\"properties\":{\"a\":{\"default\":1}},\"maxProperties\":1}", "{\"b\":1}", 0, NULL},
    /* A dialect without these keywords lets them be anything. */
    {"{" TYPE "," PLAIN ",\"properties\":{\"a\":{\"default\":1}},\"required\":[7,\"\"]}", "{}", 1,
     "{\"a\":1}"},
    {"{" TYPE "," PLAIN ",\"properties\":7,\"required\":{}}", "{\"a\":1}", 0, NULL},
    {"{" TYPE "," PLAIN ",\"properties\":[{\"default\":1}],\"required\":{}}", "{\"a\":{}}", 0,
     NULL},
    {"{" TYPE "," PLAIN ",\"properties\":{\"a\":7,\"b\":{\"properties\":[7]}},\"required\":{}}",
     "{\"a\":{},\"b\":{}}", 0, NULL},
};

struct host {
    struct cupel_catalog *catalog;
    struct cupel_call_context *caller;
    struct cupel_text text, request;
};

static void open_host(struct host *h, const char *schema)
{
    struct cupel_error err = {.status = CUPEL_OK};
    cupel_text_init(&h->text, NULL);
    cupel_text_init(&h->request, NULL);
    cupel_text_addf(&h->text, "[{\"name\":\"t\",\"inputSchema\":%s}]", schema);
    CHECK_INT(cupel_catalog_new(NULL, &h->catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(h->catalog, h->text.bytes, h->text.len, &err), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(NULL, &h->caller), CUPEL_OK);
}

static void close_host(struct host *h)
{
    cupel_call_context_free(h->caller);
    cupel_catalog_free(h->catalog);
    cupel_text_free(&h->text);
    cupel_text_free(&h->request);
}

/* Judges a call with these arguments and writes them filled; returns how many defaults were. */
static uint32_t fill(struct host *h, const char *arguments, enum cupel_call_verdict *ret)
{
    cupel_text_clear(&h->request);
    cupel_text_addf(&h->request,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
                    "call\",\"params\":{\"name\":\"t\",\"arguments\":%s}}",
                    arguments);
    cupel_text_clear(&h->text);
    *ret = cupel_call_check(h->catalog, h->caller, h->request.bytes, h->request.len, NULL, &h->text,
                            NULL, NULL, NULL);
    cupel_text_clear(&h->text);
    return cupel_call_defaults_write(h->caller, &h->text);
}

static void check_filling(const struct filling *f)
{
    struct host h;
    enum cupel_call_verdict verdict;
    open_host(&h, f->schema);
    bool ok = CHECK_INT(fill(&h, f->arguments, &verdict), f->count);
    ok &= CHECK_INT(verdict, CUPEL_CALL_VALID);
    ok &= CHECK_MEM(h.text.bytes, h.text.len, f->filled != NULL ? f->filled : f->arguments);
    if (!ok)
        fprintf(stderr, "    %s\n    %s\n", f->schema, f->arguments);
    close_host(&h);
}

/* Objects in objects are filled as deep as 32 of them, and stay as they are below. */
static void test_depth(void)
{
    for (int n = 31; n <= 33; n++) {
        struct host h;
        struct cupel_text schema, arguments;
        enum cupel_call_verdict verdict;
        cupel_text_init(&schema, NULL);
        cupel_text_init(&arguments, NULL);
        cupel_text_adds(&schema, "{\"type\":\"object\",\"properties\":{");
        for (int i = 1; i < n; i++) {
            cupel_text_adds(&schema, "\"o\":{\"properties\":{");
            cupel_text_adds(&arguments, "{\"o\":");
        }
        cupel_text_adds(&schema, "\"a\":{\"default\":1}}}");
        cupel_text_adds(&arguments, "{}");
        for (int i = 1; i < n; i++) {
            cupel_text_adds(&schema, "}}");
            cupel_text_adds(&arguments, "}");
        }
        open_host(&h, schema.bytes);
        CHECK_INT(fill(&h, arguments.bytes, &verdict), n <= 32 ? 1 : 0);
        CHECK_INT(verdict, CUPEL_CALL_VALID);
        close_host(&h);
        cupel_text_free(&schema);
        cupel_text_free(&arguments);
    }
}

/* Where no call was valid there is nothing to fill. */
static void test_no_call(void)
{
    struct host h;
    enum cupel_call_verdict verdict;
    open_host(&h,
              "{\"type\":\"object\",\"properties\":{\"a\":{\"default\":1,\"type\":\"integer\"}}}");
    CHECK_INT(fill(&h, "{\"a\":\"x\"}", &verdict), 0);
    CHECK(verdict == CUPEL_CALL_INVALID && h.text.len == 0);
    close_host(&h);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(fillings) / sizeof(fillings[0]); i++)
        check_filling(&fillings[i]);
    test_depth();
    test_no_call();
    return test_end();
}
