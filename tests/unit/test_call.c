/* test_call.c: requests at the edges of JSON-RPC and of the bounds, alone, in batches and for
 * lists; each with memory that runs out. */
#include "test.h"
#include <cupel/cupel.h>

static const char catalog_text[] =
    "[{\"name\":\"read\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"path\":{\"type\":"
    "\"string\"},"
    "\"n\":{\"type\":\"integer\",\"default\":3}},\"required\":[\"path\"]}},"
    "{\"name\":\"slow\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":"
    "\"required\"}},"
    "{\"name\":\"maybe\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":"
    "\"optional\"}},"
    "{\"name\":\"never\",\"inputSchema\":{\"type\":\"object\"}},"
    "{\"name\":\"broken\",\"inputSchema\":{\"type\":7}}]";

enum kind { CALL, LIST, BATCH };

#define METHOD(method, rest) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\"" rest "}"
#define CALLS(params)        METHOD("tools/call", ",\"params\":" params)

static const struct exchange {
    enum kind kind;
    enum cupel_mcp_profile profile; /* 0: the newest */
    const char *request;
    enum cupel_call_verdict verdict;
} cases[] = {
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"slow\"}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"slow\",\"task\":{}}"), CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"slow\",\"task\":{\"ttl\":1000}}"),
     CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"slow\",\"task\":7}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"slow\",\"task\":null}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\"}"), CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":{}}"), CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":{\"ttl\":1000}}"),
     CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":7}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":null}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\"}"), CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":{}}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":{\"ttl\":1000}}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":7}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":null}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":[]}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":{\"ttl\":null}}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":{\"ttl\":\"1000\"}}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"none\",\"task\":7}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_06_18, CALLS("{\"name\":\"maybe\",\"task\":7}"), CUPEL_CALL_VALID},
    {CALL, 0, CALLS("{\"name\":\"slow\",\"task\":7}"), CUPEL_CALL_VALID},
    {CALL, 0, CALLS("{\"name\":\"slow\",\"task\":{}}"), CUPEL_CALL_VALID},
    {CALL, 0, CALLS("{\"name\":\"read\",\"arguments\":{\"path\":\"x\"}}"), CUPEL_CALL_VALID},
    {CALL, 0, CALLS("{\"name\":\"read\",\"arguments\":{\"path\":7}}"), CUPEL_CALL_INVALID},
    {CALL, 0, CALLS("{\"name\":\"read\"}"), CUPEL_CALL_INVALID},
    {CALL, 0, CALLS("{\"name\":\"none\"}"), CUPEL_CALL_UNKNOWN_TOOL},
    {CALL, 0, CALLS("{\"name\":\"broken\"}"), CUPEL_CALL_UNDECIDED},
    {CALL, 0, CALLS("7"), CUPEL_CALL_BAD_REQUEST},
    {CALL, 0, CALLS("{\"name\":7}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, 0, CALLS("{\"name\":\"read\",\"arguments\":7}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2024_11_05, CALLS("{\"name\":\"read\",\"arguments\":{\"path\":7}}"),
     CUPEL_CALL_INVALID},
    {LIST, 0, METHOD("tools/list", ""), CUPEL_CALL_VALID},
    {LIST, 0, METHOD("tools/list", ",\"params\":{}"), CUPEL_CALL_VALID},
    {LIST, 0, METHOD("tools/list", ",\"params\":7"), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":{\"cursor\":null}"), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":{\"cursor\":7}"), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":{\"cursor\":\"\"}"), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":{\"cursor\":\"x\"}"), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":{\"cursor\":\"99-0000000000000000\"}"),
     CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":{\"cursor\":\"123456789-0000000000000000\"}"),
     CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":null"), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, "{\"jsonrpc\":\"2.0\",\"method\":\"tools/list\"}", CUPEL_CALL_VALID},
    {LIST, 0, "{\"jsonrpc\":\"2.0\",\"method\":\"tools/list\",\"params\":{\"cursor\":7}}",
     CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("ping", ""), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, "[]", CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, "{", CUPEL_CALL_BAD_REQUEST},
    {LIST, CUPEL_MCP_2025_11_25, METHOD("tools/list", ""), CUPEL_CALL_VALID},
    {BATCH, CUPEL_MCP_2025_03_26, "[]", CUPEL_CALL_BAD_REQUEST},
    {BATCH, CUPEL_MCP_2025_03_26, "7", CUPEL_CALL_BAD_REQUEST},
    {BATCH, CUPEL_MCP_2025_03_26, "[7]", CUPEL_CALL_BAD_REQUEST},
    {BATCH, CUPEL_MCP_2025_03_26,
     "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
     "call\",\"params\":{\"name\":\"never\"}},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"
     "call\",\"params\":{\"name\":\"none\"}}]",
     CUPEL_CALL_UNKNOWN_TOOL},
    {BATCH, CUPEL_MCP_2025_03_26,
     "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"never\"}}]",
     CUPEL_CALL_VALID},
    {BATCH, CUPEL_MCP_2025_03_26,
     "[{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"read\"}},{}]",
     CUPEL_CALL_INVALID},
    {BATCH, CUPEL_MCP_2025_03_26, "{", CUPEL_CALL_BAD_REQUEST},
    {BATCH, 0, "[{}]", CUPEL_CALL_BAD_REQUEST},
    {CALL, 0,
     "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"tools/call\",\"params\":{\"name\":\"never\"}}",
     CUPEL_CALL_VALID},
    {CALL, 0,
     "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/call\",\"params\":{\"name\":\"never\"}}",
     CUPEL_CALL_BAD_REQUEST},
    {CALL, 0, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":7,\"params\":{\"name\":\"never\"}}",
     CUPEL_CALL_BAD_REQUEST},
    {CALL, 0, "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"tools/call\"}", CUPEL_CALL_BAD_REQUEST},
    {CALL, 0, "{\"jsonrpc\":2,\"id\":1,\"method\":\"tools/call\"}", CUPEL_CALL_BAD_REQUEST},
};

struct bench {
    struct cupel_catalog *catalog;
    struct cupel_caller *caller;
    struct cupel_text answer;
    unsigned calls, stop_at;
};

static enum cupel_mcp_profile profile_of(const struct exchange *c)
{
    return c->profile != 0 ? c->profile : CUPEL_MCP_2026_07_28;
}

static enum cupel_status make_catalog(const struct exchange *c, struct cupel_catalog **ret)
{
    struct cupel_mcp_options options;
    cupel_mcp_options_init(&options);
    options.profile = profile_of(c);
    enum cupel_status status = cupel_catalog_new(&options, ret);
    return status == CUPEL_OK ? cupel_catalog_add(*ret, catalog_text, sizeof catalog_text - 1, NULL)
                              : status;
}

static int on_call(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                   const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    struct bench *b = ctx;
    CHECK(len > 0 && message != NULL && outcome->reason != NULL &&
          (answer->failed || verdict <= 10));
    return ++b->calls == b->stop_at;
}

static enum cupel_call_verdict ask(struct bench *b, const struct exchange *c,
                                   struct cupel_call_outcome *ret)
{
    size_t len = strlen(c->request);
    if (c->kind == CALL)
        return cupel_call_check(b->catalog, b->caller, c->request, len, &b->answer, NULL, NULL,
                                ret);
    if (c->kind == LIST)
        return cupel_list_check(b->catalog, b->caller, c->request, len, 2, &b->answer, ret);
    ret->reason = "";
    return cupel_batch_check(b->catalog, b->caller, c->request, len, &b->answer, NULL,
                             b->stop_at == 99 ? NULL : on_call, b);
}

static void check_memory(struct bench *b, const struct exchange *c, const struct cupel_text *right)
{
    for (unsigned long n = 1, more = 1; more; n++) {
        struct test_alloc t = {.fail_at = n};
        struct cupel_options options;
        struct cupel_call_outcome outcome;
        cupel_options_init(&options);
        options.alloc = test_allocator(&t);
        cupel_text_init(&b->answer, &options.alloc);
        b->calls = 0;
        if (cupel_caller_new(&options, &b->caller) == CUPEL_OK) {
            enum cupel_call_verdict verdict = ask(b, c, &outcome);
            CHECK(verdict == c->verdict || verdict == CUPEL_CALL_UNDECIDED);
            if (verdict == c->verdict && !b->answer.failed && t.requests < n)
                CHECK(b->answer.len == right->len &&
                      (right->len == 0 || memcmp(b->answer.bytes, right->bytes, right->len) == 0));
        }
        more = t.requests >= n;
        cupel_caller_free(b->caller);
        b->caller = NULL;
        cupel_text_free(&b->answer);
        CHECK_INT(t.live, 0);
    }
}

static void check_case(const struct exchange *c, unsigned stop_at)
{
    struct bench b = {.stop_at = stop_at};
    struct cupel_call_outcome outcome;
    struct cupel_text right;
    CHECK_INT(make_catalog(c, &b.catalog), CUPEL_OK);
    CHECK_INT(cupel_caller_new(NULL, &b.caller), CUPEL_OK);
    cupel_text_init(&b.answer, NULL);
    enum cupel_call_verdict verdict = ask(&b, c, &outcome);
    if (stop_at == 0 && !CHECK_INT(verdict, c->verdict))
        fprintf(stderr, "    %s\n", c->request);
    cupel_caller_free(b.caller);
    b.caller = NULL;
    right = b.answer;
    if (stop_at == 0)
        check_memory(&b, c, &right);
    cupel_text_free(&right);
    cupel_catalog_free(b.catalog);
}

/* -- Bounds of a request
 * ---------------------------------------------------------------------------------- */

static void check_bound(const struct cupel_options *options, const char *request,
                        const char *reason)
{
    static const struct exchange any = {CALL, 0, "", CUPEL_CALL_VALID};
    struct bench b = {.calls = 0};
    struct cupel_call_outcome outcome;
    CHECK_INT(make_catalog(&any, &b.catalog), CUPEL_OK);
    CHECK_INT(cupel_caller_new(options, &b.caller), CUPEL_OK);
    cupel_text_init(&b.answer, NULL);
    enum cupel_call_verdict verdict = cupel_call_check(
        b.catalog, b.caller, request, strlen(request), &b.answer, NULL, NULL, &outcome);
    CHECK_STR(outcome.reason, reason);
    CHECK_INT(verdict == CUPEL_CALL_VALID, *reason == '\0');
    CHECK_INT(b.answer.len > 0, *reason != '\0');
    cupel_caller_free(b.caller);
    cupel_text_free(&b.answer);
    cupel_catalog_free(b.catalog);
}

static void test_bounds(void)
{
    static const char request[] =
        CALLS("{\"name\":\"never\",\"arguments\":{\"a\":[[[12345678901234567890]]]}}");
    struct cupel_options options;
    cupel_options_init(&options);
    check_bound(&options, request, "");
    options.limits.depth = 2;
    check_bound(&options, request, "JSON_DEPTH");
    options.limits.depth = UINT32_MAX;
    check_bound(&options, request, "");
    options.limits.depth = UINT32_MAX - 2;
    check_bound(&options, request, "");
    options.limits.number_chars = 10;
    check_bound(&options, request, "NUMBER_SIZE");
    options.limits.body_bytes = 50;
    check_bound(&options, request, "JSON_SIZE");
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i], 0);
        check_case(&cases[i], 1);
        check_case(&cases[i], 99);
    }
    test_bounds();
    return test_end();
}
