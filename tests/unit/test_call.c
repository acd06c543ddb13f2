/* test_call.c: requests at the edges of JSON-RPC and of the bounds, alone, in batches and for
 * lists; each with memory that runs out. */
#include "call_ways.h"
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
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"slow\",\"task\":7}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"slow\",\"task\":null}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\"}"), CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":{}}"), CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":{\"ttl\":1000}}"),
     CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":7}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":null}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\"}"), CUPEL_CALL_VALID},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":{}}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":{\"ttl\":1000}}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":7}"), CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"never\",\"task\":null}"),
     CUPEL_CALL_BAD_REQUEST},
    {CALL, CUPEL_MCP_2025_11_25, CALLS("{\"name\":\"maybe\",\"task\":[]}"), CUPEL_CALL_BAD_REQUEST},
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
    {LIST, 0, "{\"jsonrpc\":\"2.0\",\"id\":1}", CUPEL_CALL_BAD_REQUEST},
    {CALL, 0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", CUPEL_CALL_BAD_REQUEST},
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
    {LIST, 0, METHOD("tools/list", ",\"params\":null"), CUPEL_CALL_VALID},
    {CALL, 0, CALLS("null"), CUPEL_CALL_BAD_REQUEST},
    {CALL, 0, CALLS("{\"name\":\"never\",\"Name\":\"read\"}"), CUPEL_CALL_BAD_REQUEST},
    {LIST, 0, METHOD("tools/list", ",\"params\":{\"Cursor\":\"\"}"), CUPEL_CALL_BAD_REQUEST},
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
    {BATCH, CUPEL_MCP_2025_03_26, "[" CALLS("{\"name\":\"never\"}") "," METHOD("ping", "") "]",
     CUPEL_CALL_BAD_REQUEST},
    {BATCH, 0, "[{}]", CUPEL_CALL_BAD_REQUEST},
    {CALL, 0,
     "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"tools/call\",\"params\":{\"name\":\"never\"}}",
     CUPEL_CALL_BAD_REQUEST},
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
    struct cupel_call_context *caller;
    struct cupel_text answer;
    unsigned calls, stop_at;
};

static enum cupel_mcp_profile profile_of(const struct exchange *c)
{
    return c->profile != 0 ? c->profile : CUPEL_MCP_2026_07_28;
}

static enum cupel_status make_catalog(const struct exchange *c, struct cupel_catalog **ret)
{
    struct cupel_catalog_options options;
    cupel_catalog_options_init(&options);
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
        return cupel_call_check(b->catalog, b->caller, c->request, len, NULL, &b->answer, NULL,
                                NULL, ret);
    if (c->kind == LIST)
        return cupel_list_request_check(b->catalog, b->caller, c->request, len, 2, &b->answer, ret);
    ret->reason = "";
    return check_batch(b->catalog, b->caller, c->request, len, &b->answer,
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
        if (cupel_call_context_new(&options, &b->caller) == CUPEL_OK) {
            enum cupel_call_verdict verdict = ask(b, c, &outcome);
            CHECK(verdict == c->verdict || verdict == CUPEL_CALL_UNDECIDED);
            if (verdict == c->verdict && !b->answer.failed && t.requests < n)
                CHECK(b->answer.len == right->len &&
                      (right->len == 0 || memcmp(b->answer.bytes, right->bytes, right->len) == 0));
        }
        more = t.requests >= n;
        cupel_call_context_free(b->caller);
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
    CHECK_INT(cupel_call_context_new(NULL, &b.caller), CUPEL_OK);
    cupel_text_init(&b.answer, NULL);
    enum cupel_call_verdict verdict = ask(&b, c, &outcome);
    if (stop_at == 0 && !CHECK_INT(verdict, c->verdict))
        fprintf(stderr, "    %s\n", c->request);
    cupel_call_context_free(b.caller);
    b.caller = NULL;
    right = b.answer;
    if (stop_at == 0)
        check_memory(&b, c, &right);
    cupel_text_free(&right);
    cupel_catalog_free(b.catalog);
}

/* -- Bounds of a request ----------------------------------------------------------------------- */

static void check_bound(const struct cupel_options *options, const char *request,
                        const char *reason)
{
    static const struct exchange any = {CALL, 0, "", CUPEL_CALL_VALID};
    struct bench b = {.calls = 0};
    struct cupel_call_outcome outcome;
    CHECK_INT(make_catalog(&any, &b.catalog), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(options, &b.caller), CUPEL_OK);
    cupel_text_init(&b.answer, NULL);
    enum cupel_call_verdict verdict = cupel_call_check(
        b.catalog, b.caller, request, strlen(request), NULL, &b.answer, NULL, NULL, &outcome);
    CHECK_STR(outcome.reason, reason);
    CHECK_INT(verdict == CUPEL_CALL_VALID, *reason == '\0');
    CHECK_INT(b.answer.len > 0, *reason != '\0');
    cupel_call_context_free(b.caller);
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
    options.limits[CUPEL_LIMIT_DEPTH] = 2;
    check_bound(&options, request, "JSON_DEPTH");
    options.limits[CUPEL_LIMIT_DEPTH] = UINT32_MAX;
    check_bound(&options, request, "");
    options.limits[CUPEL_LIMIT_DEPTH] = UINT32_MAX - 2;
    check_bound(&options, request, "");
    options.limits[CUPEL_LIMIT_NUMBER_CHARS] = 10;
    check_bound(&options, request, "NUMBER_SIZE");
    options.limits[CUPEL_LIMIT_BODY_BYTES] = 50;
    check_bound(&options, request, "JSON_SIZE");
}

/* -- Batches as a whole
 * --------------------------------------------------------------------------------- */

/* What became of the calls of a batch. */
struct tally {
    unsigned valid, invalid, undecided, other;
    uint64_t steps, last;
    bool after; /* something was judged after the steps were used up */
};

static int count_call(void *ctx, const char *message, size_t len, enum cupel_call_verdict verdict,
                      const struct cupel_call_outcome *outcome, const struct cupel_text *answer)
{
    struct tally *t = ctx;
    bool spent = verdict == CUPEL_CALL_UNDECIDED && strcmp(outcome->reason, "LIMIT_STEPS") == 0;
    CHECK(message != NULL && len > 0 && (verdict == CUPEL_CALL_VALID) == (answer->len == 0));
    t->undecided += spent;
    t->valid += verdict == CUPEL_CALL_VALID;
    t->invalid += verdict == CUPEL_CALL_INVALID;
    t->other += verdict == CUPEL_CALL_BAD_REQUEST;
    t->after = t->after || (t->undecided > 0 && verdict <= CUPEL_CALL_INVALID);
    t->steps += outcome->steps;
    t->last = outcome->steps;
    return 0;
}

static const char batch_tools[] = "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":"
                                  "\"object\",\"properties\":{\"a\":{\"items\":"
                                  "{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"^a.*b\"},{"
                                  "\"type\":\"string\",\"minLength\":2}]}}}}}]}";

static struct tally run_batch(const struct cupel_text *batch, uint64_t steps,
                              uint32_t steps_per_byte)
{
    struct tally tally = {0};
    struct cupel_catalog_options options;
    struct cupel_options limits;
    struct cupel_catalog *catalog = NULL;
    struct cupel_call_context *caller = NULL;
    struct cupel_text answer;
    cupel_text_init(&answer, NULL);
    cupel_catalog_options_init(&options);
    options.profile = CUPEL_MCP_2025_03_26;
    cupel_options_init(&limits);
    limits.limits[CUPEL_LIMIT_STEPS] = steps;
    limits.limits[CUPEL_LIMIT_STEPS_PER_BYTE] = steps_per_byte;
    CHECK_INT(cupel_catalog_new(&options, &catalog), CUPEL_OK);
    CHECK_INT(cupel_catalog_add(catalog, batch_tools, sizeof batch_tools - 1, NULL), CUPEL_OK);
    CHECK_INT(cupel_call_context_new(&limits, &caller), CUPEL_OK);
    enum cupel_call_verdict verdict =
        check_batch(catalog, caller, batch->bytes, batch->len, &answer, count_call, &tally);
    CHECK((verdict == CUPEL_CALL_VALID) == (tally.invalid + tally.undecided + tally.other == 0));
    cupel_call_context_free(caller);
    cupel_catalog_free(catalog);
    cupel_text_free(&answer);
    return tally;
}

static void make_batch(struct cupel_text *batch, unsigned calls, const char *arguments)
{
    cupel_text_clear(batch);
    for (unsigned i = 0; i < calls; i++)
        cupel_text_addf(batch,
                        "%c{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"tools/call\",\"params\":"
                        "{\"name\":\"t\",\"arguments\":%s}}",
                        i == 0 ? '[' : ',', i, arguments);
    cupel_text_adds(batch, ",{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}]");
}

/* Thousands of calls share the steps of one message; not one of them is judged beyond these, and
 * what needs no steps is answered all the same. */
static void test_batch_budget(void)
{
    enum { CALLS = 1000, MANY = 1000000000 };
    static const char valid[] = "{\"a\":[\"ab\",\"cd\",\"ef\",\"gh\"]}",
                      invalid[] = "{\"a\":[\"c\",\"d\"]}";
    struct cupel_text batch;
    cupel_text_init(&batch, NULL);
    make_batch(&batch, CALLS, valid);
    struct tally all = run_batch(&batch, MANY, 0);
    CHECK(all.valid == CALLS && all.other == 1 && all.undecided == 0);
    struct tally enough = run_batch(&batch, all.steps - all.steps / CALLS + 1, 0);
    CHECK_INT(enough.valid, CALLS);
    struct tally few = run_batch(&batch, all.steps - all.steps / CALLS, 0);
    CHECK(few.valid == CALLS - 1 && few.undecided == 1 && few.other == 1 && !few.after);
    struct tally half = run_batch(&batch, all.steps / 2, 0);
    CHECK(half.valid > 0 && half.undecided > 0 && half.valid + half.undecided == CALLS);
    CHECK(!half.after && half.steps <= 2 * (all.steps / 2));
    make_batch(&batch, CALLS, invalid);
    struct tally told = run_batch(&batch, 120000, 10);
    CHECK(told.invalid > 100 && told.invalid + told.undecided == CALLS && !told.after);
    told = run_batch(&batch, 0, 10);
    CHECK(told.invalid > 100 && told.invalid + told.undecided == CALLS && !told.after);
    told = run_batch(&batch, MANY, 0);
    CHECK_INT(told.invalid, CALLS);
    told = run_batch(&batch, UINT64_MAX, UINT32_MAX);
    CHECK_INT(told.invalid, CALLS);
    cupel_text_free(&batch);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i], 0);
        check_case(&cases[i], 1);
        check_case(&cases[i], 99);
    }
    test_bounds();
    test_batch_budget();
    return test_end();
}
