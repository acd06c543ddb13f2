/* test_gw_request.c: which requests a gateway lets through, whole and in pieces, and what it
 * answers to the others. */
#include "gateways/common/request/request.h"
#include "test.h"
#include "test_arena.h"

#define LEN(s) (sizeof(s) - 1)
#define JSON   "Content-Type: application/json\n"
#define R      "{\"jsonrpc\":\"2.0\","
#define CALL(id, name, arguments)                                            \
    R "\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name \
      "\",\"arguments\":" arguments "}}"
#define PING(id) R "\"id\":" id ",\"method\":\"ping\"}"
#define NOTE     R "\"method\":\"notifications/initialized\"}"
#define RESULT   R "\"id\":1,\"result\":{\"action\":\"decline\"}}"
#define GOOD     CALL("1", "echo", "{\"path\":\"a\"}")

static const char tools[] =
    "[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"path\":{\"type\":"
    "\"string\"}},\"required\":[\"path\"]}},{\"name\":\"broken\",\"inputSchema\":{\"type\":7}}]";

static struct cupel_catalog *catalogs[2]; /* 2026-07-28, 2025-03-26 */
static struct cupel_gw_worker *worker;

/* -- Running --------------------------------------------------------------------------------- */

struct run {
    struct test_arena arena;
    struct cupel_gw_exchange x;
    struct cupel_header fields[80];
    struct cupel_gw_request_head head;
};

static size_t split_fields(const char *text, struct cupel_header *ret)
{
    size_t count = 0;
    while (*text != '\0') {
        size_t line = strcspn(text, "\n"), name = strcspn(text, ":");
        ret[count++] = (struct cupel_header){text, name, text + name + 2, line - name - 2};
        text += line + (text[line] == '\n');
    }
    return count;
}

enum framing { WHOLE, LENGTH, CHUNKED, BYTES, HALVES, FRAMINGS };

static void open_run(struct run *run, const struct cupel_gw_policy *policy, const char *method,
                     const char *fields, size_t len, enum framing framing)
{
    struct cupel_gw_arena arena = test_arena_of(&run->arena);
    cupel_gw_exchange_init(&run->x, worker, policy, &arena);
    run->x.catalog = catalogs[policy->profile == CUPEL_MCP_2025_03_26];
    run->head = (struct cupel_gw_request_head){.method = {method, strlen(method)},
                                               .fields = run->fields,
                                               .field_count = split_fields(fields, run->fields),
                                               .has_length = framing == WHOLE || framing == LENGTH,
                                               .content_length = len,
                                               .chunked = framing > LENGTH};
    if (!run->head.has_length)
        run->head.content_length = 0;
}

/* Hands the body over in one of the ways; the last step. */
static enum cupel_gw_step hand_over(struct run *run, const char *body, size_t len,
                                    enum framing framing)
{
    struct cupel_gw_exchange *x = &run->x;
    enum cupel_gw_step step = cupel_gw_request_head(x, &run->head);
    size_t piece = framing == BYTES ? 1 : framing == HALVES ? len / 2 + 1 : len;
    if (step == CUPEL_GW_BODY && framing == WHOLE)
        return cupel_gw_request_judge_text(x, body, len);
    for (size_t at = 0; at < len && step == CUPEL_GW_BODY; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        char *exact = malloc(n);
        memcpy(exact, body + at, n);
        step = cupel_gw_request_body(x, exact, n);
        free(exact);
    }
    return step == CUPEL_GW_BODY ? cupel_gw_request_judge(x) : step;
}

static void close_run(struct run *run)
{
    test_arena_free(&run->arena);
}

/* -- What passes, in every framing ----------------------------------------------------------- */

enum option { DEFAULT, ALLOW, OLD, REQUIRE, OFF, REPORT };

static const struct request_case {
    enum option option;
    const char *method, *fields, *body;
    unsigned status;    /* 0: it passes */
    const char *reason; /* x->request.reason */
    const char *holds;  /* in the answer */
} cases[] = {
    {DEFAULT, "POST", JSON, GOOD, 0, "", NULL},
    {DEFAULT, "POST", JSON, PING("1"), 0, "", NULL},
    {DEFAULT, "POST", JSON, NOTE, 0, "", NULL},
    {DEFAULT, "POST", JSON, RESULT, 0, "", NULL},
    {DEFAULT, "POST", JSON, R "\"id\":null,\"error\":{\"code\":1,\"message\":\"\"}}", 0, "", NULL},
    {DEFAULT, "POST", JSON, CALL("1", "echo", "{\"path\":7}"), 200, "", "path"},
    {DEFAULT, "POST", JSON, CALL("\"x\"", "wipe", "{}"), 200, "tool-unknown", "\"id\":\"x\""},
    {DEFAULT, "POST", JSON, CALL("1", "broken", "{}"), 200, "tool-refused", "-32603"},
    {DEFAULT, "POST", JSON, "{", 400, "SYNTAX", "-32700"},
    {DEFAULT, "POST", JSON, "", 400, "body-missing", "-32600"},
    {DEFAULT, "POST", JSON, GOOD " x", 400, "TRAILING", "-32700"},
    {DEFAULT, "POST", JSON, "\xef\xbb\xbf" GOOD, 400, "BOM", "-32700"},
    {DEFAULT, "POST", JSON, CALL("1", "ec\xff", "{}"), 400, "UTF8", "-32700"},
    {DEFAULT, "POST", JSON, CALL("1", "ec\\ud800", "{}"), 400, "SURROGATE", "-32700"},
    {DEFAULT, "POST", JSON, CALL("1", "echo", "{\"path\":\"a\",\"path\":\"b\"}"), 400,
     "DUPLICATE_KEY", "-32700"},
    {DEFAULT, "POST", JSON, R "\"id\":1,\"method\":\"ping\",\"Method\":\"x\"}", 400, "request-name",
     "\"id\":1,"},
    {DEFAULT, "POST", JSON, R "\"method\":\"ping\",\"Method\":\"x\"}", 400, "request-name",
     "\"id\":null"},
    {DEFAULT, "POST", JSON, PING("1.0"), 400, "request-id-integer", "\"id\":null"},
    {DEFAULT, "POST", JSON,
     R "\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{}}}", 400, "",
     "\"id\":null"},
    {DEFAULT, "POST", JSON, "[" PING("1") "]", 400, "request-batch", "-32600"},

    {DEFAULT, "POST", "Content-Type: Application/JSON; Charset=\"UTF-8\"\n", GOOD, 0, "", NULL},
    {DEFAULT, "POST", "content_type: application/json\n", GOOD, 0, "", NULL},
    {DEFAULT, "POST", "Content-Type: application/json;charset=utf-7\n", GOOD, 415, "content-type",
     "-32600"},
    {DEFAULT, "POST", "Content-Type: application/json;charset=utf-8;x=y\n", GOOD, 415,
     "content-type", NULL},
    {DEFAULT, "POST", "Content-Type: application/json, text/plain\n", GOOD, 415, "content-type",
     NULL},
    {DEFAULT, "POST", "Content-Type: application/jsonp\n", GOOD, 415, "content-type", NULL},
    {DEFAULT, "POST", "Content-Type: text/plain\n", GOOD, 415, "content-type", NULL},
    {DEFAULT, "POST", "Content-Type: \n", GOOD, 415, "content-type", NULL},
    {DEFAULT, "POST", "", GOOD, 415, "content-type", NULL},
    {DEFAULT, "POST", "", "", 415, "content-type", NULL},
    {DEFAULT, "POST", JSON JSON, GOOD, 415, "content-type", NULL},
    {DEFAULT, "POST", JSON "content_type: text/plain\n", GOOD, 415, "content-type", NULL},
    {ALLOW, "POST", JSON "Content-Type: text/plain\n", GOOD, 415, "content-type", NULL},
    {ALLOW, "POST", "Content-Type: text/plain\n" JSON, GOOD, 415, "content-type", NULL},
    {DEFAULT, "POST", JSON "Content-Encoding: identity\n", GOOD, 0, "", NULL},
    {DEFAULT, "POST", JSON "Content-Encoding: gzip\n", GOOD, 415, "content-encoding", NULL},
    {ALLOW, "POST", JSON "Content-Encoding: gzip\n", GOOD, 0, "", NULL},
    {DEFAULT, "POST", JSON "X-HTTP-Method-Override: PUT\n", GOOD, 400, "method-override", NULL},
    {DEFAULT, "POST", JSON "x-http-method: PUT\n", GOOD, 400, "method-override", NULL},
    {DEFAULT, "GET", "X_Method_Override: POST\n", "", 400, "method-override", NULL},
    {ALLOW, "POST", JSON "X-HTTP-Method-Override: PUT\n", GOOD, 0, "", NULL},
    {DEFAULT, "POST", JSON "Authorization: a\nAuthorization: b\n", GOOD, 400, "field-repeated",
     NULL},
    {DEFAULT, "POST", JSON "Mcp-Session-Id: a\nmcp_session_id: b\n", GOOD, 400, "field-repeated",
     NULL},
    {DEFAULT, "GET", "Mcp-Session-Id: a\nMcp-Session-Id: a\n", "", 400, "field-repeated", NULL},
    {DEFAULT, "POST", JSON "Mcp-Param-A: a\nMcp-Param-A: a\n", GOOD, 400, "field-repeated", NULL},
    {DEFAULT, "POST", JSON "Accept: a\nAccept: b\n", GOOD, 0, "", NULL},
    {ALLOW, "POST", JSON "Authorization: a\nAuthorization: b\n", GOOD, 0, "", NULL},
    {ALLOW, "POST", JSON "Mcp-Method: ping\nMcp-Method: tools/call\n", GOOD, 400, "header-mismatch",
     NULL},

    {DEFAULT, "GET", "", "", 0, "", NULL},
    {DEFAULT, "DELETE", "Mcp-Session-Id: a\n", "", 0, "", NULL},
    {DEFAULT, "OPTIONS", "", "", 0, "", NULL},
    {DEFAULT, "PUT", JSON, GOOD, 400, "method-body", "-32600"},
    {DEFAULT, "GET", JSON, GOOD, 400, "method-body", NULL},
    {DEFAULT, "post", JSON, GOOD, 400, "method-body", NULL},
    {ALLOW, "PUT", "", "anything", 0, "", NULL},

    {DEFAULT, "GET", "MCP-Protocol-Version: 2025-06-18\n", "", 0, "", NULL},
    {DEFAULT, "GET", "MCP-Protocol-Version: x\n", "", 400, "header-mismatch", NULL},
    {OFF, "GET", "MCP-Protocol-Version: x\n", "", 0, "", NULL},
    {DEFAULT, "POST", JSON "MCP-Protocol-Version: 2025-06-18\n", GOOD, 0, "", NULL},
    {DEFAULT, "POST", JSON "Mcp-Method: tools/list\n", GOOD, 400, "header-mismatch", "-32020"},
    {DEFAULT, "POST", JSON "mcp_method: tools/list\n", GOOD, 400, "header-mismatch", "-32020"},
    {OFF, "POST", JSON "Mcp-Method: tools/list\n", GOOD, 0, "", NULL},
    {REQUIRE, "POST", JSON, GOOD, 400, "header-mismatch", "missing"},
    {REQUIRE, "POST", JSON, PING("1"), 400, "header-mismatch", "missing"},
    {REQUIRE, "POST",
     JSON "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: echo\n", GOOD, 0, "",
     NULL},

    {OLD, "POST", JSON, "[" GOOD "," PING("2") "]", 0, "", NULL},
    {OLD, "POST", JSON, "[" GOOD "," CALL("2", "wipe", "{}") "," NOTE "]", 200, "tool-unknown",
     "[{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,\"message\":\"Not sent on"},
    {OLD, "POST", JSON, "[" PING("1") "," PING("1") "]", 400, "batch-id", "-32600"},
    {OLD, "POST", JSON, "[]", 400, "batch-empty", "-32600"},
    {OLD, "POST", JSON, "[1,1,1,1,1,1,1,1,1]", 400, "batch-size", "-32600"},
    {OLD, "POST", JSON, "[1,1]", 200, "request-object", "[{\"jsonrpc\""},
    {OLD, "POST", JSON, " [", 400, "SYNTAX", "-32700"},

    {REPORT, "POST", JSON, CALL("1", "wipe", "{}"), 0, "tool-unknown", NULL},
    {REPORT, "POST", "", GOOD, 0, "content-type", NULL},
    {REPORT, "PUT", "", GOOD, 0, "method-body", NULL},
    {REPORT, "POST", JSON, "{", 0, "SYNTAX", NULL},
};

static struct cupel_gw_policy policy_of(enum option option)
{
    struct cupel_gw_policy policy;
    cupel_gw_policy_init(&policy);
    policy.limits.batch = 8;
    if (option == ALLOW)
        policy.allow = CUPEL_GW_ALLOW_ENCODED_BODY | CUPEL_GW_ALLOW_METHOD_OVERRIDE |
                       CUPEL_GW_ALLOW_OTHER_METHODS | CUPEL_GW_ALLOW_REPEATED_FIELDS;
    if (option == OLD)
        policy.profile = CUPEL_MCP_2025_03_26;
    if (option == REQUIRE)
        policy.headers = CUPEL_GW_HEADERS_REQUIRE;
    if (option == OFF)
        policy.headers = CUPEL_GW_HEADERS_OFF;
    if (option == REPORT)
        policy.mode = CUPEL_GW_REPORT;
    return policy;
}

/* Without memory a request is refused. */
static void check_memory(const struct request_case *c, const struct cupel_gw_policy *policy,
                         enum framing framing)
{
    for (unsigned long n = 1, more = 1; more; n++) {
        struct run run = {.arena = {.fail_at = n}};
        open_run(&run, policy, c->method, c->fields, strlen(c->body), framing);
        enum cupel_gw_step step = hand_over(&run, c->body, strlen(c->body), framing);
        more = run.arena.requests >= n;
        CHECK_INT(step, more || c->status != 0 ? CUPEL_GW_REFUSE : CUPEL_GW_PASS);
        CHECK(step == CUPEL_GW_PASS || run.x.answer.len != 0);
        close_run(&run);
    }
}

static void check_case(const struct request_case *c, enum framing framing)
{
    struct cupel_gw_policy policy = policy_of(c->option);
    struct run run = {.arena = {.fail_at = 0}};
    open_run(&run, &policy, c->method, c->fields, strlen(c->body), framing);
    enum cupel_gw_step step = hand_over(&run, c->body, strlen(c->body), framing);
    struct cupel_gw_answer *answer = &run.x.answer;
    bool ok = CHECK_INT(step, c->status == 0 ? CUPEL_GW_PASS : CUPEL_GW_REFUSE);
    if (strcmp(c->reason, "") != 0 || c->status == 0)
        ok = CHECK_STR(run.x.request.reason, c->reason) && ok;
    if (c->status != 0)
        ok = CHECK_INT(answer->status, c->status) && CHECK(answer->len != 0) &&
             CHECK(c->holds == NULL || strstr(answer->bytes, c->holds) != NULL) && ok;
    if (!ok)
        fprintf(stderr, "    %s %s %s (%d)\n    %s %s\n", c->method, c->fields, c->body, framing,
                run.x.request.reason, step == CUPEL_GW_REFUSE ? answer->bytes : "");
    close_run(&run);
    check_memory(c, &policy, framing);
}

/* -- What the response will need ------------------------------------------------------------- */

static void check_text(struct cupel_gw_text text, const char *want)
{
    CHECK((text.bytes == NULL) == (want == NULL));
    if (text.bytes != NULL && want != NULL)
        CHECK_MEM(text.bytes, text.len, want);
}

static void check_note(const char *body, enum cupel_mcp_profile profile,
                       enum cupel_gw_message_kind kind, const char *const *texts)
{
    struct cupel_gw_policy policy = policy_of(DEFAULT);
    struct run run = {.arena = {.fail_at = 0}};
    policy.profile = profile;
    open_run(&run, &policy, "POST", JSON "Mcp-Session-Id: s\n", strlen(body), WHOLE);
    CHECK_INT(hand_over(&run, body, strlen(body), WHOLE), CUPEL_GW_PASS);
    const struct cupel_gw_request_note *note = run.x.notes;
    if (CHECK_INT(run.x.note_count, 1)) {
        CHECK_INT(note->kind, kind);
        check_text(note->id, texts[0]);
        check_text(note->id_key, texts[1]);
        check_text(note->method, texts[2]);
        check_text(note->tool, texts[3]);
        check_text(note->task, texts[4]);
        check_text(note->cursor, texts[5]);
        CHECK_INT(note->task_asked, texts[6] != NULL);
        CHECK_INT(note->definition != NULL, kind == CUPEL_GW_CALL);
    }
    check_text(run.x.session, "s");
    close_run(&run);
}

static void test_notes(void)
{
    static const struct {
        const char *body;
        enum cupel_gw_message_kind kind;
        const char *texts[7]; /* id, key, method, tool, task, cursor, as a task */
    } notes[] = {
        {CALL("\"\\u0061\"", "\\u0065cho", "{\"path\":\"\"}"),
         CUPEL_GW_CALL,
         {"\"\\u0061\"", "\"a", "tools/call", "echo", NULL, NULL, NULL}},
        {R "\"id\":-0,\"method\":\"tools/list\",\"params\":{\"cursor\":\"c\\n\"}}",
         CUPEL_GW_LIST,
         {"-0", "0", "tools/list", NULL, NULL, "c\n", NULL}},
        {R "\"id\":7,\"method\":\"tools/list\"}",
         CUPEL_GW_LIST,
         {"7", "7", "tools/list", NULL, NULL, NULL, NULL}},
        {R "\"id\":7,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"t\"}}",
         CUPEL_GW_TASK_RESULT,
         {"7", "7", "tasks/result", NULL, "t", NULL, NULL}},
        {R "\"id\":7,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t\"}}",
         CUPEL_GW_TASK_GET,
         {"7", "7", "tasks/get", NULL, "t", NULL, NULL}},
        {NOTE,
         CUPEL_GW_NOTIFICATION,
         {NULL, NULL, "notifications/initialized", NULL, NULL, NULL, NULL}},
        {RESULT, CUPEL_GW_ANSWER, {"1", "1", NULL, NULL, NULL, NULL, NULL}},
        {PING("3"), CUPEL_GW_REQUEST, {"3", "3", "ping", NULL, NULL, NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        check_note(notes[i].body, CUPEL_MCP_2026_07_28, notes[i].kind, notes[i].texts);
}

/* -- Bounds ---------------------------------------------------------------------------------- */

/* A body over the limit is refused by its length before a byte of it, and in pieces at the byte
 * that is too many. */
static void test_size(void)
{
    struct cupel_gw_policy policy = policy_of(DEFAULT);
    static char body[101];
    policy.limits.body = 100;
    memset(body, ' ', sizeof(body));
    struct run run = {.arena = {.fail_at = 0}};
    open_run(&run, &policy, "POST", JSON, 101, LENGTH);
    CHECK_INT(cupel_gw_request_head(&run.x, &run.head), CUPEL_GW_REFUSE);
    CHECK_INT(run.x.answer.status, 413);
    open_run(&run, &policy, "POST", JSON, 0, CHUNKED);
    CHECK_INT(cupel_gw_request_head(&run.x, &run.head), CUPEL_GW_BODY);
    CHECK_INT(cupel_gw_request_body(&run.x, body, 60), CUPEL_GW_BODY);
    CHECK_INT(cupel_gw_request_body(&run.x, body, 40), CUPEL_GW_BODY);
    CHECK_INT(cupel_gw_request_body(&run.x, body, 1), CUPEL_GW_REFUSE);
    CHECK_INT(run.x.answer.status, 413);
    CHECK_STR(run.x.request.reason, "JSON_SIZE");
    open_run(&run, &policy, "POST", JSON, 100, WHOLE);
    CHECK_INT(cupel_gw_request_head(&run.x, &run.head), CUPEL_GW_BODY);
    CHECK_INT(cupel_gw_request_judge_text(&run.x, body, 101), CUPEL_GW_REFUSE);
    CHECK_INT(run.x.answer.status, 413);
    close_run(&run);
}

/* What a request makes the gateway write is bounded, whatever is wrong with how many messages. */
static void test_answers(void)
{
    struct cupel_gw_policy policy = policy_of(OLD);
    struct cupel_text body;
    cupel_text_init(&body, NULL);
    policy.limits.batch = 1000;
    policy.limits.answer = 4096;
    for (int i = 0; i < 1000; i++)
        cupel_text_adds(&body, i == 0 ? "[1" : ",1");
    cupel_text_adds(&body, "]");
    struct run run = {.arena = {.fail_at = 0}};
    open_run(&run, &policy, "POST", JSON, body.len, WHOLE);
    CHECK_INT(hand_over(&run, body.bytes, body.len, WHOLE), CUPEL_GW_REFUSE);
    CHECK_INT(run.x.answer.status, 400);
    CHECK(run.x.answer.len < 200 && strstr(run.x.answer.bytes, "too long") != NULL);
    close_run(&run);
    cupel_text_clear(&body);
    cupel_text_adds(&body, R "\"id\":\"");
    for (int i = 0; i < 5000; i++)
        cupel_text_adds(&body, "i");
    cupel_text_adds(&body, "\",\"method\":\"ping\",\"METHOD\":1}");
    run = (struct run){.arena = {.fail_at = 0}};
    open_run(&run, &policy, "POST", JSON, body.len, WHOLE);
    CHECK_INT(hand_over(&run, body.bytes, body.len, WHOLE), CUPEL_GW_REFUSE);
    CHECK(run.x.answer.len < 200 && strstr(run.x.answer.bytes, "too long") != NULL);
    close_run(&run);
    cupel_text_free(&body);
}

/* Many different fields are told apart, and one among them that is there twice is found. */
static void test_many_fields(void)
{
    struct cupel_gw_policy policy = policy_of(DEFAULT);
    struct cupel_text fields;
    cupel_text_init(&fields, NULL);
    cupel_text_adds(&fields, JSON);
    for (int i = 0; i < 70; i++)
        cupel_text_addf(&fields, "Mcp-Param-F%d: x\n", i);
    struct run run = {.arena = {.fail_at = 0}};
    open_run(&run, &policy, "POST", fields.bytes, 1, WHOLE);
    CHECK_INT(cupel_gw_request_head(&run.x, &run.head), CUPEL_GW_BODY);
    cupel_text_adds(&fields, "mcp_param_f33: y");
    open_run(&run, &policy, "POST", fields.bytes, 1, WHOLE);
    CHECK_INT(cupel_gw_request_head(&run.x, &run.head), CUPEL_GW_REFUSE);
    CHECK_STR(run.x.request.reason, "field-repeated");
    close_run(&run);
    cupel_text_free(&fields);
}

/* -- Learned catalogs ------------------------------------------------------------------------ */

static const char *hold_echo(void *ctx, const struct cupel_tool *tool)
{
    (void)ctx;
    return strcmp(tool->name, "echo") == 0 ? "changed" : NULL;
}

static enum cupel_gw_step judge_learning(struct run *run, const struct cupel_gw_policy *policy,
                                         const char *body, const struct cupel_catalog *catalog,
                                         bool fetched, bool borrowed)
{
    open_run(run, policy, "POST", JSON, strlen(body), WHOLE);
    run->x.catalog = catalog;
    run->x.fetched = fetched;
    run->x.borrowed = borrowed;
    return hand_over(run, body, strlen(body), WHOLE);
}

static void test_learning(void)
{
    static const char wipe[] = CALL("1", "wipe", "{}");
    struct cupel_gw_policy policy = policy_of(DEFAULT);
    struct run run = {.arena = {.fail_at = 0}};
    const struct cupel_catalog *known = catalogs[0];
    policy.learns = true;
    CHECK_INT(judge_learning(&run, &policy, GOOD, NULL, false, false), CUPEL_GW_LEARN);
    CHECK_INT(judge_learning(&run, &policy, PING("1"), NULL, false, false), CUPEL_GW_PASS);
    CHECK_INT(judge_learning(&run, &policy, "{", NULL, false, false), CUPEL_GW_REFUSE);
    CHECK_INT(judge_learning(&run, &policy, GOOD, NULL, true, false), CUPEL_GW_REFUSE);
    CHECK(strstr(run.x.answer.bytes, "could not be fetched") != NULL);
    CHECK_INT(judge_learning(&run, &policy, GOOD, known, true, false), CUPEL_GW_PASS);
    CHECK_INT(judge_learning(&run, &policy, wipe, known, false, true), CUPEL_GW_LEARN);
    CHECK_INT(judge_learning(&run, &policy, wipe, known, true, true), CUPEL_GW_REFUSE);
    CHECK_STR(run.x.request.reason, "tool-unknown");
    CHECK_INT(judge_learning(&run, &policy, wipe, known, false, false), CUPEL_GW_REFUSE);
    policy.unlearned = CUPEL_GW_UNLEARNED_REFUSE;
    CHECK_INT(judge_learning(&run, &policy, GOOD, NULL, false, false), CUPEL_GW_REFUSE);
    CHECK(strstr(run.x.answer.bytes, "send tools/list first") != NULL);
    CHECK_INT(judge_learning(&run, &policy, wipe, known, false, true), CUPEL_GW_REFUSE);
    policy.unlearned = CUPEL_GW_UNLEARNED_PASS;
    CHECK_INT(judge_learning(&run, &policy, GOOD, NULL, false, false), CUPEL_GW_PASS);
    CHECK_STR(run.x.request.reason, "unlearned");
    CHECK_INT(judge_learning(&run, &policy, wipe, known, false, true), CUPEL_GW_REFUSE);
    policy.mode = CUPEL_GW_REPORT;
    policy.unlearned = CUPEL_GW_UNLEARNED_FETCH;
    CHECK_INT(judge_learning(&run, &policy, GOOD, NULL, false, false), CUPEL_GW_LEARN);
    CHECK_INT(judge_learning(&run, &policy, GOOD, NULL, true, false), CUPEL_GW_PASS);
    policy = policy_of(DEFAULT);
    open_run(&run, &policy, "POST", JSON, LEN(GOOD), WHOLE);
    run.x.withheld = hold_echo;
    CHECK_INT(hand_over(&run, GOOD, LEN(GOOD), WHOLE), CUPEL_GW_REFUSE);
    CHECK_STR(run.x.request.reason, "changed");
    CHECK(strstr(run.x.answer.bytes, "held back") != NULL);
    close_run(&run);
}

int main(void)
{
    static const enum cupel_mcp_profile profiles[] = {CUPEL_MCP_2026_07_28, CUPEL_MCP_2025_03_26};
    struct cupel_options options;
    struct cupel_catalog_options mcp;
    cupel_options_init(&options);
    cupel_catalog_options_init(&mcp);
    CHECK_INT(cupel_gw_worker_new(&options, NULL, NULL, &worker), CUPEL_OK);
    for (int i = 0; i < 2; i++) {
        mcp.profile = profiles[i];
        CHECK_INT(cupel_catalog_new(&mcp, &catalogs[i]), CUPEL_OK);
        CHECK_INT(cupel_catalog_add(catalogs[i], tools, LEN(tools), NULL), CUPEL_OK);
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (int framing = 0; framing < FRAMINGS; framing++)
            check_case(&cases[i], (enum framing)framing);
    test_notes();
    test_size();
    test_answers();
    test_many_fields();
    test_learning();
    for (int i = 0; i < 2; i++)
        cupel_catalog_free(catalogs[i]);
    cupel_gw_worker_free(worker);
    return test_end();
}
